"""ludus: dice board games, rules as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ludus.core.errors import IllegalMove, InvalidPosition, LudusError, RecordError, RulesError, UnknownName
from ludus.core.families import provide_family
from ludus.core.insight import provide_rollouts
from ludus.core.seating import Seating, provide

if TYPE_CHECKING:
    from ludus.analysis.analysing import Analysis, analyse
    from ludus.analysis.rolling_out import Rollout, rollout
    from ludus.arena.contest import arena
    from ludus.bots.bot import Bot, BotError
    from ludus.bots.roster import bot, bots
    from ludus.bots.values import value
    from ludus.core.game import Game
    from ludus.core.position import Move, Position
    from ludus.core.record import Record
    from ludus.core.registry import Family, games, make
    from ludus.lab.laboratory import lab
    from ludus.training.solver import solve
    from ludus.training.trainer import train

__version__ = "0.1.0"

__all__ = [
    "Analysis", "Bot", "BotError", "Game", "IllegalMove", "InvalidPosition", "LudusError", "Move", "Position", "Record",
    "RecordError", "Rollout", "RulesError", "UnknownName", "analyse", "arena", "bot", "bots", "games", "lab",
    "make", "rollout", "solve", "train", "value",
]  # fmt: skip

# loaded at first use, so that `import ludus` stays quick
_LATER = {
    "Bot": "ludus.bots.bot",
    "BotError": "ludus.bots.bot",
    "Analysis": "ludus.analysis.analysing",
    "Rollout": "ludus.analysis.rolling_out",
    "analyse": "ludus.analysis.analysing",
    "arena": "ludus.arena.contest",
    "bot": "ludus.bots.roster",
    "bots": "ludus.bots.roster",
    "Game": "ludus.core.game",
    "Move": "ludus.core.position",
    "Position": "ludus.core.position",
    "Record": "ludus.core.record",
    "games": "ludus.core.registry",
    "lab": "ludus.lab.laboratory",
    "make": "ludus.core.registry",
    "solve": "ludus.training.solver",
    "rollout": "ludus.analysis.rolling_out",
    "train": "ludus.training.trainer",
    "value": "ludus.bots.values",
}


def _seating() -> Seating:
    from ludus.bots import desk

    return desk


def _rollouts() -> Callable[..., Any]:
    from ludus.analysis.rolling_out import rollout

    return rollout


def _ludo() -> Family:
    from ludus.games.ludo.game import LudoFamily

    return LudoFamily


def _generals() -> Family:
    from ludus.games.generals.game import GeneralsFamily

    return GeneralsFamily


provide_rollouts(_rollouts)  # the core knows no values: `position.rollout()` is said here
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
