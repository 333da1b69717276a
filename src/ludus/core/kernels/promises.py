"""What every kernel promises: names and shapes, whose bodies a game's kernel gives (docs/kernels.md).

A generic kernel (entries, batches, bots, search) calls these; it is compiled, and interpreted, over the kernel modules
of a game, whose functions of the same names take their places. All work on a flat row, its game's tables and a scratch
on which `scan` has been called.
"""

from __future__ import annotations

from ludus.core.compiling.language import Floats, Ints


def scan(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Derive what the scratch holds from a row."""
    raise NotImplementedError


def legal(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List the legal actions of a decision at scratch[moves_at(tables)…] and count them."""
    raise NotImplementedError


def moves_at(tables: Ints) -> int:
    """Where in the scratch `legal` lists the actions."""
    raise NotImplementedError


def apply(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Play a legal action."""
    raise NotImplementedError


def why_not(row: Ints, tables: Ints, scratch: Ints, action: int) -> int:
    """The code of the first rule that forbids an action which is not among the legal ones (after `legal`)."""
    raise NotImplementedError


def outcome_count(row: Ints, tables: Ints, scratch: Ints) -> int:
    """How many outcomes chance has here."""
    raise NotImplementedError


def outcome_weight(row: Ints, tables: Ints, scratch: Ints, outcome: int) -> int:
    """How often an outcome comes, as a whole number."""
    raise NotImplementedError


def draw_chance(row: Ints, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """The outcome that draw number `ply` of the stream gives."""
    raise NotImplementedError


def chance(row: Ints, tables: Ints, scratch: Ints, outcome: int) -> None:
    """Apply a chance outcome."""
    raise NotImplementedError


def play_at_random(row: Ints, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """One ply of uniform random play; returns how many pieces it captured."""
    raise NotImplementedError


def player_count(tables: Ints) -> int:
    """How many play."""
    raise NotImplementedError


def row_size(tables: Ints) -> int:
    """Integers in a row."""
    raise NotImplementedError


def captured(scratch: Ints) -> int:
    """Pieces that the last move captured."""
    raise NotImplementedError


def prize(row: Ints, tables: Ints, scratch: Ints, seat: int) -> float:
    """What a seat gets of a game that is over."""
    raise NotImplementedError


def mark_legal(row: Ints, tables: Ints, scratch: Ints, count: int, out: Ints, at: int) -> None:
    """Write the mask of a decision at out[at…]: 1 for every legal action, 0 for the others (after `legal`)."""
    raise NotImplementedError


def observe(row: Ints, tables: Ints, scratch: Ints, seat: int, out: Floats, at: int) -> int:
    """Write what a seat sees at out[at…]; returns the length."""
    raise NotImplementedError


def begin(scratch: Ints) -> None:
    """A game begins: what the scratch counts over a game is 0."""
    raise NotImplementedError


def report(row: Ints, tables: Ints, scratch: Ints, moves: int, captures: int, plies: int, out: Ints, at: int) -> None:
    """A game's line at out[at…], as the game's Playouts name its columns."""
    raise NotImplementedError


def feature_count(tables: Ints) -> int:
    """How many features a description of a position has: the same for all games of a family."""
    raise NotImplementedError


def list_features(row: Ints, tables: Ints, scratch: Ints, seat: int, which: Ints, amounts: Floats) -> int:
    """List the features that are not 0, as a seat sees them: their numbers, their amounts; returns how many there are.

    A feature may be listed twice: its amounts add up. Both arrays have FEATURE_ROOM elements (kernels/features.py), of
    which those after FEATURE_LIST are to work with.
    """
    raise NotImplementedError


def seat_in_order(row: Ints, tables: Ints, seat: int, steps: int) -> int:
    """The seat that plays some turns (fewer than there are players) after another, as the order of play is now."""
    raise NotImplementedError
