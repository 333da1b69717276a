"""Which games there are: the built-in families, and those that installed packages add."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

from ludus.core.errors import RecordError, UnknownName
from ludus.core.game import Game

GROUP = "ludus.games"
BUILT_IN = {"ludo": "ludus.games.ludo.game:LudoFamily", "generals": "ludus.games.generals.game:GeneralsFamily"}


class Family(Protocol):
    """Games that share a kernel."""

    @staticmethod
    def names() -> list[str]: ...

    @staticmethod
    def make(source: Any, players: Any, options: Mapping[str, Any]) -> Game: ...

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> Game: ...


@cache
def families() -> dict[str, Family]:
    """The families by name; built-in ones first."""
    found: dict[str, Family] = {}
    for name, target in BUILT_IN.items():
        module, _, attribute = target.partition(":")
        if importlib.util.find_spec(module.rpartition(".")[0]) and importlib.util.find_spec(module):
            found[name] = getattr(importlib.import_module(module), attribute)
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, point.load())
    return found


def games() -> list[str]:
    """The names of all games."""
    return [name for family in families().values() for name in family.names()]


def make(source: str | Path | Mapping[str, Any], players: Any = None, **options: Any) -> Game:
    """A game by name, by the path of a rule-set file, or from a mapping; keywords override options."""
    if not isinstance(source, str | Path | Mapping):
        raise UnknownName(f"a game is a name, a path or a mapping, not {source!r}")
    for family in families().values():
        if isinstance(source, str) and source in family.names():
            return family.make(source, players, options)
    return families()["ludo"].make(source, players, options)


def from_document(document: Mapping[str, Any]) -> Game:
    """The game that `game.document()` described."""
    name = document.get("family")
    if not isinstance(name, str) or name not in families():
        raise RecordError(f"unknown game family {name!r}; there are {', '.join(families())}")
    return families()[name].from_document(document)
