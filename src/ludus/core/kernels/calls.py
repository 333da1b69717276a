"""The large functions of a game's kernel as calls: compiled once for all who use them.

A kernel asks the compiler to put its hot functions in line wherever they are called; generic kernels call them from
many places, so that each would carry its own copies and compile for minutes.
"""

from __future__ import annotations

from ludus.core.compiling.language import Ints
from ludus.core.kernels.promises import apply, chance, draw_chance, legal, scan


def list_moves(row: Ints, tables: Ints, scratch: Ints) -> int:
    """`legal` as a call."""
    return legal(row, tables, scratch)


def make_move(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """`apply` as a call."""
    apply(row, tables, scratch, action)


def roll(row: Ints, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """`draw_chance` and `chance` as a call; returns the outcome."""
    outcome = draw_chance(row, tables, scratch, key, ply)
    chance(row, tables, scratch, outcome)
    return outcome


def set_chance(row: Ints, tables: Ints, scratch: Ints, outcome: int) -> None:
    """`chance` as a call."""
    chance(row, tables, scratch, outcome)


def survey_row(row: Ints, tables: Ints, scratch: Ints) -> None:
    """`scan` as a call."""
    scan(row, tables, scratch)
