"""What the indices of observations and actions mean (G29, G31); the kernel writes and reads them."""

from __future__ import annotations

from ludus.games.generals import kernel as k
from ludus.games.generals.board import CELLS


def layout() -> list[str]:
    """The meaning of each index, in order; the board is the same for both roles."""
    counted = "counted row by row from a10 to j1"
    names = [f"own unit on cell {cell}, {counted}" for cell in range(CELLS)]
    names += [f"the other side's unit on cell {cell}, {counted}" for cell in range(CELLS)]
    names += [f"cell {cell} has the unit that entered and converts, or that attacks" for cell in range(CELLS)]
    names += [
        "the observer is the attacker",
        "the observer is the defender",
        "it is the observer's turn",
        "it is the attacker's turn",
        "a player decides (0: chance, or the game is over)",
        "a roll or its use is next",
        "the toss is due",
        "the winner of the toss chooses",
        "a conversion is to be chosen",
        "an interception is to be drawn",
    ]
    names += [f"the die shows {face}" for face in range(1, 7)]
    names += [
        "hits on the General / 3",
        "the attacker has garrisoned",
        "the defender has garrisoned",
        "the General has struck",
        "turns since progress / quiet_limit (at most 1)",
        "turns / turn_limit (at most 1)",
    ]
    return names


def action_blocks(tables: list[int]) -> list[tuple[str, str]]:
    """The blocks of the action space with their meaning, first to last."""
    ways = "up, right, down, left" + (", then the diagonals clockwise from up-right" if is_eight(tables) else "")
    ends = [tables[field] for field in (k.A_GARRISON, k.A_STRIKE, k.A_CONVERT, k.A_ROLE, k.A_PASS)]
    meanings = [
        f"direction × 100 + cell: the unit there moves or attacks as far as the die says; directions: {ways}; "
        "cells count row by row from a10 (0) to j1 (99)",
        "garrisoning, unit × 72 + target: the mover's own garrison cells and the cells outside garrisons and "
        "General, each counted row by row",
        "the General's strike on a moat cell, counted row by row",
        "conversion of the unit on one of the attacker's garrison cells, counted row by row",
        "the choice of the toss winner: attack, defend",
    ]
    firsts = [0, *ends[:-1]]
    blocks = [(f"{first}–{end - 1}", words) for first, end, words in zip(firsts, ends, meanings, strict=True)]
    return [*blocks, (str(ends[-1]), "pass")]


def is_eight(tables: list[int]) -> bool:
    """Whether diagonals are played (G9)."""
    return tables[k.DIRECTIONS] == 8
