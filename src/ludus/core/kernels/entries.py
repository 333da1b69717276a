"""The entries of every game: what Python calls on a position's row, and whole games at random.

Tests come first: nobody but Python hands in a row, and a row that is too short would be read beyond its end.
"""

from __future__ import annotations

from ludus.core.compiling.language import Float32s, Int16s, Ints, UInt8s
from ludus.core.kernels.acting import SEAT_BITS, acting
from ludus.core.kernels.codes import DECISION, OVER, STAGE
from ludus.core.kernels.promises import (
    apply,
    begin,
    chance,
    draw_chance,
    legal,
    mark_legal,
    moves_at,
    observe,
    play_at_random,
    report,
    row_size,
    scan,
    why_not,
)
from ludus.core.random import stream

LONG = ("playouts",)  # other threads run meanwhile
LEGAL = 0


def legal_api(row: Int16s, tables: Ints, scratch: Ints) -> int:
    """Count the legal actions of a decision; they stand at scratch[moves_at(tables)…]."""
    assert len(row) >= row_size(tables), "the row is too short for this game"
    scan(row, tables, scratch)
    return legal(row, tables, scratch)


def mask_api(row: Int16s, tables: Ints, scratch: Ints, out: UInt8s) -> None:
    """Write the mask of a decision."""
    assert len(row) >= row_size(tables), "the row is too short for this game"
    scan(row, tables, scratch)
    mark_legal(row, tables, scratch, legal(row, tables, scratch), out, 0)


def apply_api(row: Int16s, tables: Ints, scratch: Ints, action: int) -> int:
    """Play a legal action; returns who acts then."""
    assert len(row) >= row_size(tables), "the row is too short for this game"
    scan(row, tables, scratch)
    apply(row, tables, scratch, action)
    return acting(row)


def chance_api(row: Int16s, tables: Ints, scratch: Ints, outcome: int) -> None:
    """Apply a chance outcome."""
    assert len(row) >= row_size(tables), "the row is too short for this game"
    scan(row, tables, scratch)
    chance(row, tables, scratch, outcome)


def draw_api(row: Int16s, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """The number of the outcome that a stream draws; nothing is applied."""
    assert len(row) >= row_size(tables), "the row is too short for this game"
    scan(row, tables, scratch)
    return draw_chance(row, tables, scratch, key, ply)


def roll_api(row: Int16s, tables: Ints, scratch: Ints, seed: int, ply: int) -> int:
    """Draw an outcome from the stream of a position's own seed and apply it; returns who acts then.

    Where somebody decides, the legal actions are listed, as by `legal_api`: nearly everybody asks for them next. How
    many there are is told above the seat.
    """
    assert len(row) >= row_size(tables), "the row is too short for this game"
    scan(row, tables, scratch)
    chance(row, tables, scratch, draw_chance(row, tables, scratch, stream(seed, 0), ply))
    if row[STAGE] != DECISION:
        return acting(row)
    return acting(row) | (legal(row, tables, scratch) << SEAT_BITS)


def why_api(row: Int16s, tables: Ints, scratch: Ints, action: int) -> int:
    """LEGAL, or the code of the first rule that forbids an action."""
    assert len(row) >= row_size(tables), "the row is too short for this game"
    scan(row, tables, scratch)
    first = moves_at(tables)
    for at in range(first, first + legal(row, tables, scratch)):
        if scratch[at] == action:
            return LEGAL
    return why_not(row, tables, scratch, action)


def observe_api(row: Int16s, tables: Ints, scratch: Ints, seat: int, out: Float32s) -> int:
    """Write what a seat sees; returns the length."""
    assert len(row) >= row_size(tables), "the row is too short for this game"
    return observe(row, tables, scratch, seat, out, 0)


def playouts(
    start: Int16s, row: Int16s, tables: Ints, scratch: Ints,
    seed: int, first: int, games: int, max_plies: int, out: Ints,
) -> None:  # fmt: skip
    """Random games first … first + games - 1 on one row; a line of `report` per game."""
    assert min(len(start), len(row)) >= row_size(tables), "the row is too short for this game"
    width = len(out) // games if games else 0
    for game in range(games):
        for at in range(row_size(tables)):
            row[at] = start[at]
        scan(row, tables, scratch)
        begin(scratch)
        key = stream(seed, first + game)
        ply = 0
        moves = 0
        captures = 0
        while row[STAGE] != OVER and ply < max_plies:
            moves += row[STAGE] == DECISION
            captures += play_at_random(row, tables, scratch, key, ply)
            ply += 1
        report(row, tables, scratch, moves, captures, ply, out, width * game)
