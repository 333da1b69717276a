"""Which games there are: the built-in families, and those that installed packages add."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypedDict

from ludus.core.errors import RecordError, UnknownName, quoted, suggestion
from ludus.core.families import BUILT_IN
from ludus.core.game import Game

GROUP = "ludus.games"
FEW = 12  # games named where one is not known


class Family(Protocol):
    """Games that share a kernel."""

    @staticmethod
    def names() -> list[str]: ...

    @staticmethod
    def make(source: Any, players: Any, options: Mapping[str, Any]) -> Game: ...

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> Game: ...  # and `plugins`, where games can have them


class Summary(TypedDict):
    """What a list of games says of one."""

    name: str
    title: str
    source: str
    family: str
    players: list[str]
    numbers: list[int]


def entry_points(**select: str) -> Any:
    """The entry points of installed packages (loading that machinery takes longer than the rest of `make`)."""
    from importlib import metadata

    return metadata.entry_points(**select)


@cache
def family(name: str) -> Family:
    """A family by name, loaded on first use."""
    if name in BUILT_IN:
        return BUILT_IN[name]()
    points = entry_points(group=GROUP, name=name)
    if not points:
        raise UnknownName(f"unknown game family {quoted(name)}; there are {', '.join(families())}")
    added: Family = next(iter(points)).load()
    return added


def families() -> list[str]:
    """The names of all families; built-in ones first."""
    return [*BUILT_IN, *(p.name for p in entry_points(group=GROUP) if p.name not in BUILT_IN)]


def games() -> list[str]:
    """The names of all games."""
    return [game for name in families() for game in family(name).names()]


def summary(name: str, lang: str) -> Summary:
    """A game in short; not laid out for that where its family can tell by the document alone."""
    for found in families():
        tell: Callable[[str, str], Summary] | None = getattr(family(found), "summary", None)
        if tell is not None and name in family(found).names():
            return tell(name, lang)
    return summary_of(make(name), lang)


def summary_of(game: Game, lang: str) -> Summary:
    """A game in short."""
    return {
        "name": game.name, "title": game.title(lang), "source": game.source(lang), "family": game.document()["family"],
        "players": list(game.players), "numbers": list(game.player_counts),
    }  # fmt: skip


def unknown_game(name: str, known: Sequence[str]) -> str:
    """What to say of a name that is no game's: the one that was meant, or where all are."""
    shown = ", ".join(known[:FEW]) + (f" and {len(known) - FEW} more" if len(known) > FEW else "")
    return f"unknown game {quoted(name)}{suggestion(name, known)}; there are {shown}; `ludus rules list` names them"


def make(source: str | Path | Mapping[str, Any], players: Any = None, **options: Any) -> Game:
    """A game by name, by the path of a rule-set file, or from a mapping; keywords override options."""
    if not isinstance(source, str | Path | Mapping):
        raise UnknownName(f"a game is a name, a path or a mapping, not {quoted(source)}")
    known = source.get("extends") if isinstance(source, Mapping) else source
    # the built-in families first: looking for plug-ins reads the metadata of every installed package
    for find_names in (BUILT_IN.copy, families):
        for name in find_names():
            if isinstance(known, str) and known in family(name).names():
                return family(name).make(source, players, options)
    if isinstance(source, str) and not source.endswith(".toml") and "/" not in source and not os.path.isfile(source):
        raise UnknownName(unknown_game(source, games()))
    return family("ludo").make(source, players, options)


def from_document(document: Mapping[str, Any], plugins: Any = None) -> Game:
    """The game that `game.document()` described; `plugins` allows the rules in Python that it needs."""
    name = document.get("family")
    if not isinstance(name, str):
        raise RecordError(f"a game's document names its family, not {quoted(name)}")
    if plugins:
        more: Any = family(name)
        plugged: Game = more.from_document(document, plugins=plugins)
        return plugged
    return family(name).from_document(document)
