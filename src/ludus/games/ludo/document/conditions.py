"""Conditions: one set of predicates, for what follows an event and for rules that change.

`while yard empty` is met as long as that is so; `yard empty` alone, or `when yard empty`, from when it was so first.
Each says how many of something a colour has, or the game: `captures >= 2`, `home = 0`, `turns >= 40`, `yard empty`,
`none in play`, `holds 12`. Pieces at their goal are never in play.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ludus.core.errors import RulesError, quoted

COUNTED = ("captures", "lost", "home", "turns", "yard", "in play", "on path", "partner home")
# what people say for a count
WORDS = {
    "yard empty": ("yard", 0, 0), "none in play": ("in play", 0, 0), "none on path": ("on path", 0, 0),
    "none home": ("home", 0, 0),
}  # fmt: skip
ANY_NUMBER = 30_000
_COUNT = re.compile(rf"({'|'.join(COUNTED)}) (>=|<=|=) (\d{{1,4}})")
_HOLDS = re.compile(r"holds ([a-z0-9][a-z0-9_:-]{0,23})")


@dataclass(frozen=True)
class Condition:
    """What is counted, at least and at most how many; a tile, where it is held."""

    what: str
    low: int
    high: int = ANY_NUMBER
    tile: int | str | None = None


# what only grows: once it is enough it stays so
GROWING = ("captures", "lost", "home", "turns", "partner home")


@dataclass(frozen=True)
class TimedCondition:
    """A condition as a row of [[on]] has it, and whether it must still be met."""

    condition: Condition
    lives: bool

    @property
    def stays(self) -> bool:
        """Whether it stays met by itself."""
        return self.condition.what in GROWING and self.condition.high == ANY_NUMBER


def asked_of(text: str) -> TimedCondition:
    """'while yard empty', 'when captures >= 2', and 'captures >= 2' for the latter."""
    how, _, rest = text.partition(" ")
    return TimedCondition(condition(rest if how in ("while", "when") else text), how == "while")


def condition(text: str) -> Condition:
    """A condition from its text; RulesError where it is none."""
    if text in WORDS:
        return Condition(*WORDS[text])
    held = _HOLDS.fullmatch(text)
    if held:
        tile = held[1]
        return Condition("holds", 1, tile=int(tile) if tile.isdigit() else tile)
    match = _COUNT.fullmatch(text)
    if match is None:
        known = ", ".join([*WORDS, "holds 12", *(f"{what} >= 2" for what in COUNTED)])
        raise RulesError(f"{quoted(text)} is no condition; there are {known}")
    what, compared, number = match[1], match[2], int(match[3])
    return Condition(what, number if compared != "<=" else 0, number if compared != ">=" else ANY_NUMBER)
