"""Results of games, one letter each: what the journal keeps and the standings count.

'0' … '7' the side that won · '=' a draw · '~' not finished within the plies allowed · 'a' … 'h' the side that
forfeited · '.' not played yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludus.core.position import Position

MOST_SIDES = 8
DRAWN, UNFINISHED, NOT_PLAYED = "=", "~", "."
_WINS, _FORFEITS = "01234567", "abcdefgh"
LETTERS = frozenset(_WINS + _FORFEITS + DRAWN + UNFINISHED)


def won_by(side: int) -> str:
    """The letter of a win."""
    return _WINS[side]


def forfeited_by(side: int) -> str:
    """The letter of a forfeit."""
    return _FORFEITS[side]


def letter_of(position: Position, side_of: Sequence[int]) -> str:
    """The letter of a game that has ended in `position`, or was left there."""
    result = position.result
    if result is None:
        return UNFINISHED
    best = max(result.values())
    sides = {side_of[seat] for seat, value in enumerate(result.values()) if value == best}
    return won_by(sides.pop()) if len(sides) == 1 else DRAWN


def letters_of(winners: Any, finished: Any, side_of: Sequence[int]) -> Any:
    """uint8[games]: the letters of games in the kernel, by winner (a seat, -1 a draw) and whether they finished."""
    by_seat = np.frombuffer((DRAWN + "".join(won_by(side) for side in side_of)).encode(), dtype=np.uint8)
    letters = by_seat[np.asarray(winners) + 1]
    letters[~np.asarray(finished)] = ord(UNFINISHED)
    return letters


def _letters(sides: int) -> list[tuple[int, list[int], bool]]:
    """Every letter: its code, who is first, and whether it says who beat whom among all."""
    every = list(range(sides))
    found = [(ord(won_by(side)), [side], True) for side in every]
    found += [(ord(forfeited_by(side)), [s for s in every if s != side] or every, False) for side in every]
    return [*found, (ord(DRAWN), every, True), (ord(UNFINISHED), every, True)]


def shares(sides: int) -> Any:
    """float64[256, sides]: what each side gets of a game: 1 for a win, shared where several are first."""
    table = np.zeros((256, sides))
    for code, first, _ in _letters(sides):
        table[code, first] = 1 / len(first)
    return table


def beaten(sides: int) -> Any:
    """float64[256, sides, sides]: 1 where a side beat another, 1/2 where they drew; those who only lost, nothing."""
    table = np.zeros((256, sides, sides))
    for code, first, drawn in _letters(sides):
        for side in first:
            for other in range(sides):
                if other != side:
                    table[code, side, other] = 1.0 if other not in first else 0.5 if drawn else 0.0
    return table
