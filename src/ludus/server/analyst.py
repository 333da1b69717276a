"""Analyses of games that are over, for pages: in a process of its own, given up where they take too much."""

from __future__ import annotations

from typing import Any, TypedDict

from ludus.core.registry import from_document
from ludus.play.facts import Fact, Opening
from ludus.play.labour import Bounds, Overworked, Workshop, work_off
from ludus.play.refusals import Refused
from ludus.play.table import Table
from ludus.server.keeping import Stored

# the first game of a rule set waits for its kernel to be compiled
BOUNDS = Bounds(seconds=60.0, memory=2048, waiting=2)


class AnalysisShown(TypedDict):
    """Chances after each event, the event after which the first was ahead for good, errors, and both in words."""

    turning_point: int | None
    words: str
    curve: list[dict[str, float]]
    errors: list[dict[str, Any]]


def analysed(table: str, opening: dict[str, Any], facts: list[list[Any]], lang: str) -> AnalysisShown:
    """In the worker: what the analysis of a table's record says."""
    from ludus.analysis.analysing import analyse
    from ludus.analysis.saying import turning_in_words

    began = Opening.of(table, opening)
    found = analyse(Table(began, from_document(began.document), [Fact(*fact) for fact in facts]).record)
    return {
        "turning_point": found.turning_point.n if found.turning_point else None,
        "words": turning_in_words(found, lang),
        "curve": [{player: round(share, 3) for player, share in point.items()} for point in found.curve],
        "errors": [
            {"n": one.n, "by": one.by, "best": one.best, "mark": one.mark} for one in found.decisions if one.mark
        ],
    }


def main() -> None:
    """A worker."""
    work_off({"analysis": analysed})


class Analyst:
    """The server's side: one worker, and every guest in turn."""

    def __init__(self) -> None:
        self._workshop = Workshop(__name__, BOUNDS)

    async def text(self, whose: str, stored: Stored, lang: str) -> str:
        """An analysis in JSON; Refused where it takes too much."""
        try:
            return (await self._workshop.do(whose, "analysis", *stored.plain(), lang)).decode()
        except Overworked:
            raise Refused("too_hard") from None

    def close(self) -> None:
        """Stop, in the middle of an analysis if need be."""
        self._workshop.close()
