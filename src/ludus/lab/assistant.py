"""A process that does parts of a laboratory's work, which come as lines of JSON."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ludus.core.game import Game
from ludus.core.registry import from_document
from ludus.lab.parts import Part, done
from ludus.play.labour import work_off

_DOCUMENTS: dict[str, dict[str, Any]] = {}


@lru_cache(maxsize=8)
def _game(digest: str) -> Game:
    return from_document(_DOCUMENTS[digest]).compile()


def know(digest: str, document: dict[str, Any]) -> None:
    """A rule set of which parts will come."""
    _DOCUMENTS[digest] = document


def part_of(digest: str, seed: int, part: list[Any]) -> Any:
    """What a part gives."""
    return done(_game(digest), seed, Part(*part))


def main() -> None:
    """A worker."""
    work_off({"know": know, "part": part_of})
