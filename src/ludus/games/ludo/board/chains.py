"""Chains of tiles as documents write them: `'a > b > c'`, `'green: 20 > finish'`, `'5 > centre [stop]'`, `'1..20 > 1'`.

Before a colon stands for whom a chain is: one colour, `not green` for all others, or `each`, for every colour with
tiles counted from its own entry tile. In brackets after a tile stands what guards the step that leads there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ludus.core.errors import RulesError, quoted
from ludus.games.ludo.document.conditions import condition
from ludus.games.ludo.document.rules import COLOURS

MOST_TILES = 400
RESERVED = {"start", "finish", "end", "held", "out", "pass", "buy", "swap", "chance", "all", "each", "not", *COLOURS}

_PREFIX = re.compile(rf"\s*(each|(?:not\s+)?(?:{'|'.join(COLOURS)}))\s*:\s*(.*)", re.DOTALL)
_PART = re.compile(r"(?P<tiles>[^\[\]]*?)\s*(?P<guards>(?:\[[^\[\]]*\]\s*)*)")
_STEP = re.compile(
    r"(?P<row>[a-z_-]*)(?P<first>\d{1,3})\s*\.\.\s*(?P=row)(?P<last>\d{1,3})"
    r"|(?P<tile>\d{1,3}|end:\d{1,2}|[a-z][a-z0-9_-]{0,23})"
)
_BETWEEN = re.compile(r">(?![^\[]*\])")  # but not in the condition of a guard
_WITH = re.compile(r"with\s+(-?\d{1,2}(?:\s*(?:,|or)\s*-?\d{1,2})*)")

Name = int | str


class Guard(NamedTuple):
    """What a step asks for: tokens of some values, to be the last or the first of a move, a capture before or none."""

    values: frozenset[int] = frozenset()
    stop: bool = False
    rest: bool = False
    captured: bool | None = None
    slide: bool = False
    through: bool = False
    when: str = ""  # 'when captures >= 2', 'while yard empty'

    @property
    def is_back(self) -> bool:
        """Whether it guards a way back: for tokens of distances below 0."""
        return any(value < 0 for value in self.values)

    def allows(self, left: int, total: int, along: bool) -> bool:
        """Whether a piece may take the step with `left` steps to go, this one counted, of a token's `total`.

        `along` says that it came by the same chain: who has turned off at rest goes on along the way that it took.
        """
        if self.values and total not in self.values:
            return False
        return not (self.stop and left != 1) and not (self.rest and left != total and not along)


FREE = Guard()


class Edge(NamedTuple):
    """A step of a chain: for whom ('' everybody), from where, to where, and what guards it."""

    whom: str
    here: Name
    there: Name
    guard: Guard = FREE

    def colours(self, seats: int) -> list[str | None]:
        """The colours that it is for; None: everybody."""
        if not self.whom:
            return [None]
        if self.whom == "each":
            return list(COLOURS[:seats])
        if self.whom.startswith("not"):
            return [colour for colour in COLOURS[:seats] if colour != self.whom.split()[-1]]
        return [self.whom]


def edges_of(chain: str, field: str) -> list[Edge]:
    """The steps of a chain."""
    match = _PREFIX.fullmatch(chain)
    whom, text = (match[1], match[2]) if match else ("", chain)
    named = [step for part in _BETWEEN.split(text) for step in _named(part.strip(), chain, field)]
    if len(named) < 2:
        raise RulesError(f"{field}: a chain has two tiles at least, 'a > b', not {quoted(chain)}")
    if len(named) > MOST_TILES + 2:
        raise RulesError(f"{field}: a chain has at most {MOST_TILES} tiles")
    return list(_steps(whom, named, chain, field))


def twins_of(text: str) -> list[tuple[Name, Name]]:
    """The pairs of names that are one square: 'b1..b7 = a7..a1'."""
    field, (left, _, right) = "board.same", text.partition("=")
    one, other = _names(left.strip(), text, field), _names(right.strip(), text, field)
    if len(one) != len(other):
        raise RulesError(f"{field}: as many names on both sides, 'b1..b7 = a7..a1', not {quoted(text)}")
    return list(zip(one, other, strict=True))


def _steps(whom: str, named: list[tuple[Name, Guard]], chain: str, field: str) -> Iterator[Edge]:
    if named[0][1] != FREE:
        raise RulesError(f"{field}: a guard stands after the tile that a step leads to, in {quoted(chain)}")
    for (here, _), (there, guard) in pairwise(named):
        if here == "finish" or there == "start":
            raise RulesError(f"{field}: nothing leads from the finish or back into the yard, in {quoted(chain)}")
        if (guard.slide or guard.through) and field != "board.jumps":
            raise RulesError(f"{field}: [slide] and [through] are for board.jumps, in {quoted(chain)}")
        if here == "start" and guard.when:
            raise RulesError(f"{field}: a condition does not guard the way out of the yard, in {quoted(chain)}")
        if field == "board.jumps" and guard._replace(slide=False, through=False, when="") != FREE:
            raise RulesError(f"{field}: jumps have [slide], [through] or a condition, nothing else, in {quoted(chain)}")
        yield Edge(whom, here, there, guard)


def _named(part: str, chain: str, field: str) -> list[tuple[Name, Guard]]:
    match = _PART.fullmatch(part)
    if match is None:
        raise RulesError(f"{field}: {quoted(part)} is no tile with guards, 'a [stop]', in {quoted(chain)}")
    guard = _guard(match["guards"], chain, field)
    return [(name, guard) for name in _names(match["tiles"].strip(), chain, field)]


def _guard(text: str, chain: str, field: str) -> Guard:
    guard = FREE
    for word in re.findall(r"\[\s*([^\[\]]*?)\s*\]", text):
        values = _WITH.fullmatch(word)
        if values is not None:
            guard = guard._replace(values=frozenset(map(int, re.findall(r"-?\d+", values[1]))))
        elif word in ("stop", "rest"):
            guard = guard._replace(stop=guard.stop or word == "stop", rest=guard.rest or word == "rest")
        elif word in ("slide", "through"):
            guard = guard._replace(slide=word == "slide", through=word == "through")
        elif word.startswith(("when ", "while ")):
            guard = guard._replace(when=_asked(word, guard, chain, field))
        elif word in ("captured", "not captured"):
            guard = guard._replace(captured=word == "captured")
        else:
            known = "with 1, stop, rest, captured, not captured, when captures >= 2, while yard empty, slide, through"
            raise RulesError(f"{field}: no guard is called {quoted(word)}; there are {known}; in {quoted(chain)}")
    return guard


def _asked(word: str, guard: Guard, chain: str, field: str) -> str:
    """A condition as changes are called by it: 'when captures >= 2'."""
    how, text = word.split(None, 1)
    if guard.when:
        raise RulesError(f"{field}: a step has one condition, in {quoted(chain)}")
    try:
        condition(text)
    except RulesError as error:
        raise RulesError(f"{field}: {error}; in {quoted(chain)}") from None
    return f"{how} {text}"


def _names(part: str, chain: str, field: str) -> list[Name]:
    match = _STEP.fullmatch(part)
    if match is None:
        raise RulesError(
            f"{field}: {quoted(part)} is no tile: a number, a lower-case name or '1..20', in {quoted(chain)}"
        )
    if match["tile"] is None:
        first, last = int(match["first"]), int(match["last"])
        step = 1 if last >= first else -1
        numbers, row = range(first, last + step, step), match["row"]
        return [f"{row}{number}" for number in numbers] if row else list(numbers)
    tile = match["tile"]
    if tile.isdigit():
        return [int(tile)]
    if tile in RESERVED - {"start", "finish"}:
        raise RulesError(f"{field}: {tile!r} can't be a tile's name, in {quoted(chain)}")
    return [tile]
