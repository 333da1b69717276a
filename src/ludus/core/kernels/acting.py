"""Who acts in a row, and how many moves there are, as one number."""

from __future__ import annotations

from ludus.core.compiling.language import Ints
from ludus.core.kernels.codes import CHANCE, DECISION, STAGE, TURN

# beside the seats; from the end of a list that has chance and nobody behind the players
CHANCE_ACTS, NOBODY_ACTS = -1, -2
SEAT_BITS = 6  # what is told with a seat stands above it
SEAT = (1 << SEAT_BITS) - 1


def acting(row: Ints) -> int:
    """A seat, CHANCE_ACTS, or NOBODY_ACTS when the game is over."""
    if row[STAGE] == DECISION:
        return row[TURN]
    return CHANCE_ACTS if row[STAGE] == CHANCE else NOBODY_ACTS
