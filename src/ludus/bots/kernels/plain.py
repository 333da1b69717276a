"""Bots for a game whose family brings none of its own: what they know is what every game tells of itself."""

from __future__ import annotations

from ludus.core.compiling.language import Floats, Ints
from ludus.core.kernels.calls import make_move, survey_row
from ludus.core.kernels.codes import OVER, STAGE, TURN
from ludus.core.kernels.promises import captured, player_count, prize, row_size

WON = 1000


def prepare(policy: int, row: Ints, tables: Ints, scratch: Ints, notes: Ints) -> None:
    """Nothing is shared by all candidates."""


def score(
    policy: int, option: int, row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints, action: int
) -> int:
    """To win, else to capture as much as there is."""
    for at in range(row_size(tables)):
        trial[at] = row[at]
    survey_row(trial, tables, spare)
    make_move(trial, tables, spare, action)
    if trial[STAGE] == OVER:
        return int(WON * prize(trial, tables, spare, int(row[TURN])))
    return captured(spare)


def evaluate(row: Ints, tables: Ints, scratch: Ints, notes: Ints, values: Floats, at: int) -> None:
    """Everybody hopes alike."""
    players = player_count(tables)
    for seat in range(players):
        values[at + seat] = 1.0 / players
