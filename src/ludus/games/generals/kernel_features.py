"""What a position of Generals shows, as numbers to learn from: a half for each role that may have the turn.

In the kernel language (docs/kernels.md). Units by their cells (left and right are alike), and what the units can do
with each face, as the bots of Generals see it (`look_over`).
"""

from __future__ import annotations

from ludus.core.compiling.language import Floats, Ints
from ludus.core.kernels.codes import DECISION, STAGE
from ludus.core.kernels.features import FEATURE_LIST
from ludus.games.generals.kernel import (
    ATTACKER,
    ATTACKS,
    CELL,
    CONVERT,
    FRESH,
    HALF,
    INTERCEPT,
    PHASE,
    QUIET,
    QUIET_LIMIT,
    S_SET,
    TURN_LIMIT,
    TURNS,
    WIDTH,
    role_of,
    size,
)
from ludus.games.generals.kernel_bots import FEATURES, QUIETNESS, SIDE_CELLS, look_over

# --- a half: what is not of the board, cells by side, what the bots see ---
UNDECIDED, DECIDES, CONVERTS, INTERCEPTS, QUIET_SHARE, TIME = range(6)
CELLS = 8
SEEN = CELLS + 2 * SIDE_CELLS
PENDING = SEEN + FEATURES  # the unit that converts or attacks
HALF_SIZE = PENDING + SIDE_CELLS
COUNT = 2 * HALF_SIZE


def feature_count(tables: Ints) -> int:
    """How many features a position has."""
    return COUNT


def mirrored(cell: int) -> int:
    """A cell and its mirror image as one number."""
    column = cell % WIDTH
    return 5 * (cell // WIDTH) + min(column, WIDTH - 1 - column)


def put_down(which: Ints, amounts: Floats, count: int, feature: int, amount: float) -> int:
    """List a feature where it is not 0."""
    if amount == 0.0 or count >= FEATURE_LIST:
        return count
    which[count] = feature
    amounts[count] = amount
    return count + 1


def list_units(scratch: Ints, first: int, which: Ints, amounts: Floats, count: int) -> int:
    """The units of both sides by their cells."""
    for half in range(4):
        word = scratch[S_SET + half]
        while word:
            cell = size((word & -word) - 1, 0) + HALF * (half & 1)
            word &= word - 1
            count = put_down(which, amounts, count, first + CELLS + SIDE_CELLS * (half >> 1) + mirrored(cell), 1.0)
    return count


def list_features(row: Ints, tables: Ints, scratch: Ints, seat: int, which: Ints, amounts: Floats) -> int:
    """List what a position shows to a seat (after `scan`); the scratch's reach is written over."""
    if row[ATTACKER] < 0:
        return put_down(which, amounts, 0, UNDECIDED, 1.0)
    first = 0 if role_of(row, seat) == ATTACKS else HALF_SIZE
    count = put_down(which, amounts, 0, first + DECIDES, row[STAGE] == DECISION)
    if row[PHASE] == CONVERT or row[PHASE] == INTERCEPT:
        count = put_down(which, amounts, count, first + (CONVERTS if row[PHASE] == CONVERT else INTERCEPTS), 1.0)
        count = put_down(which, amounts, count, first + PENDING + mirrored(int(row[CELL])), 1.0)
    if tables[QUIET_LIMIT]:
        count = put_down(which, amounts, count, first + QUIET_SHARE, row[QUIET] / tables[QUIET_LIMIT])
    if tables[TURN_LIMIT]:
        count = put_down(which, amounts, count, first + TIME, row[TURNS] / tables[TURN_LIMIT])
    count = list_units(scratch, first, which, amounts, count)
    notes = which[FEATURE_LIST : FEATURE_LIST + FEATURES]
    look_over(row, tables, scratch, notes)
    for number in range(FEATURES):
        if number != QUIETNESS:
            count = put_down(which, amounts, count, first + SEEN + number, notes[number] / 4)
    scratch[FRESH] = 0
    return count


def seat_in_order(row: Ints, tables: Ints, seat: int, steps: int) -> int:
    """Two play."""
    return (seat + steps) & 1
