"""ludus: dice board games, rules as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludus.core.errors import IllegalMove, InvalidPosition, LudusError, RecordError, RulesError, UnknownName
from ludus.core.families import provide_family
from ludus.core.seating import Seating, provide

if TYPE_CHECKING:
    from ludus.arena.contest import arena
    from ludus.bots.bot import Bot, BotError
    from ludus.bots.roster import bot, bots
    from ludus.core.game import Game, Move, Position
    from ludus.core.record import Record
    from ludus.core.registry import Family, games, make

__version__ = "0.1.0"

__all__ = [
    "Bot", "BotError", "Game", "IllegalMove", "InvalidPosition", "LudusError", "Move", "Position", "Record",
    "RecordError", "RulesError", "UnknownName", "arena", "bot", "bots", "games", "make",
]  # fmt: skip

# loaded at first use, so that `import ludus` stays quick
_LATER = {
    "Bot": "ludus.bots.bot",
    "BotError": "ludus.bots.bot",
    "arena": "ludus.arena.contest",
    "bot": "ludus.bots.roster",
    "bots": "ludus.bots.roster",
    "Game": "ludus.core.game",
    "Move": "ludus.core.game",
    "Position": "ludus.core.game",
    "Record": "ludus.core.record",
    "games": "ludus.core.registry",
    "make": "ludus.core.registry",
}


def _seating() -> Seating:
    from ludus.bots import desk

    return desk


def _ludo() -> Family:
    from ludus.games.ludo.game import LudoFamily

    return LudoFamily


def _generals() -> Family:
    from ludus.games.generals.game import GeneralsFamily

    return GeneralsFamily


provide(_seating)  # the games know no bots; who plays in `game.playouts(bots=…)` is said here
provide_family("ludo", _ludo)  # … and the core knows no games
provide_family("generals", _generals)


def __getattr__(name: str) -> Any:
    import importlib

    if name == "envs":
        return importlib.import_module("ludus.envs")
    if name not in _LATER:
        raise AttributeError(f"module 'ludus' has no attribute {name!r}")
    return getattr(importlib.import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATER])
