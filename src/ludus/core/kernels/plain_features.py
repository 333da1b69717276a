"""Features of a game whose family brings none of its own: what its observation shows."""

from __future__ import annotations

from ludus.core.compiling.language import Floats, Ints
from ludus.core.kernels.features import FEATURE_LIST
from ludus.core.kernels.promises import observe, player_count


def feature_count(tables: Ints) -> int:
    """As many as can be listed."""
    return FEATURE_LIST


def list_features(row: Ints, tables: Ints, scratch: Ints, seat: int, which: Ints, amounts: Floats) -> int:
    """What a seat sees, where it is not 0."""
    count = 0
    for number in range(observe(row, tables, scratch, seat, amounts, 0)):
        if amounts[number] != 0.0:
            which[count] = number
            amounts[count] = amounts[number]
            count += 1
    return count


def seat_in_order(row: Ints, tables: Ints, seat: int, steps: int) -> int:
    """Seats play one after the other."""
    return (seat + steps) % player_count(tables)
