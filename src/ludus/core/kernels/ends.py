"""What a game that is over gives each seat, as shares that add up to 1."""

from __future__ import annotations

from ludus.core.compiling.language import Floats, Ints
from ludus.core.kernels.promises import player_count, prize


def final_shares(row: Ints, tables: Ints, scratch: Ints, values: Floats, at: int) -> None:
    """Each seat's share of a game that is over: what it got above the lowest prize, of all that was got."""
    players = player_count(tables)
    lowest = prize(row, tables, scratch, 0)
    total = 0.0
    for seat in range(players):
        values[at + seat] = prize(row, tables, scratch, seat)
        lowest = min(lowest, values[at + seat])
        total += values[at + seat]
    total -= players * lowest
    for seat in range(players):
        values[at + seat] = (values[at + seat] - lowest) / total if total > 0.0 else 1.0 / players
