"""Bots at tables: which there are, and where they think. Slow ones do so in a process of their own, not in the loop."""

from __future__ import annotations

import asyncio
import importlib
import json
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache, lru_cache
from typing import Any, Protocol

from ludus.core.errors import UnknownName, suggestion
from ludus.core.game import Game, Move, Position
from ludus.core.messages import look_up
from ludus.core.random import below, stream
from ludus.server.telling import PACKAGE, sentence, words_of

RANDOM = "random"
# which bot plays for somebody who is gone, and gives hints: the first of these that there is
STAND_INS = ("heuristic", "greedy", RANDOM)
# bots that answer within a millisecond and think in the server's own loop
QUICK = (RANDOM,)
# the stream of a seed that random bots choose from; 0 is the dice
CHOICES = 1


class Bot(Protocol):
    """Whatever chooses moves."""

    def choose(self, position: Position) -> Move: ...


class RandomBot:
    """A random move that is a function of (seed, ply), so a resumed game goes on exactly."""

    def choose(self, position: Position) -> Move:
        """Any legal move."""
        moves = position.moves()
        return moves[below(stream(position.seed, CHOICES), position.ply, len(moves))]


def bot_names() -> list[str]:
    """The bots that can play, weakest first."""
    known = _bots()
    names = [RANDOM] if known is None else list(known.bots())
    return sorted(names, key=lambda name: name != RANDOM)


@cache
def _bots() -> Any:
    """The package of bots, None where it is not there."""
    try:
        return importlib.import_module("ludus.bots")
    except ImportError:
        return None


def bot_for(name: str, seed: int = 0) -> Bot:
    """A bot by name."""
    names = bot_names()
    if name not in names:
        raise UnknownName(f"unknown bot {name[:40]!r}{suggestion(name, names)}; there are {', '.join(names)}")
    if name == RANDOM:
        return RandomBot()
    made: Bot = _bots().bot(name, seed=seed)
    return made


def stand_in() -> str:
    """The bot that plays for people who are gone."""
    names = bot_names()
    return next(name for name in STAND_INS if name in names)


def described(lang: str) -> list[dict[str, str]]:
    """The bots in words."""
    return [
        {
            "name": name,
            "title": look_up(PACKAGE, f"bot.{name}", lang) or name,
            "text": look_up(PACKAGE, f"bot_text.{name}", lang) or "",
        }
        for name in bot_names()
    ]


class Thinker:
    """Lets bots think: quick ones here, others in worker processes that are started when one is needed."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self._pool: Executor | None = None

    async def choose(self, position: Position, bot: str) -> str:
        """The notation of the move that a bot plays."""
        if bot in QUICK:
            return str(bot_for(bot).choose(position))
        answer = await self._ask(position, bot, None)
        return str(answer["move"])

    async def explain(self, position: Position, bot: str, lang: str) -> dict[str, Any]:
        """A bot's move with its reasons in words."""
        return await self._ask(position, bot, lang)

    async def _ask(self, position: Position, bot: str, lang: str | None) -> dict[str, Any]:
        task = (_document(position.game), [int(value) for value in position.row], position.seed, position.ply)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._workers(), think, task, bot, lang)

    def _workers(self) -> Executor:
        if self._pool is None:
            import multiprocessing

            # spawned: a fork of a process with threads may hang
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, mp_context=context)
        return self._pool

    def close(self) -> None:
        """Stop the workers."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _document(game: Game) -> str:
    return json.dumps(game.document(), sort_keys=True)


@lru_cache(maxsize=32)
def _game(document: str) -> Game:
    from ludus.core.registry import from_document

    return from_document(json.loads(document))


Task = tuple[str, list[int], int, int]


def think(task: Task, name: str, lang: str | None) -> dict[str, Any]:
    """In a worker: a bot's move, with reasons where a language is given."""
    document, row, seed, ply = task
    game = _game(document)
    position = game.position_class(game, row, seed, ply)
    bot = bot_for(name, seed=seed ^ ply)
    move = bot.choose(position)
    answer: dict[str, Any] = {"move": str(move)}
    if lang is not None:
        answer["words"] = move.describe(lang)
        answer["reasons"] = reasons(bot, position, move, lang)
    return answer


def reasons(bot: Bot, position: Position, move: Move, lang: str) -> list[str]:
    """What a bot has to say for its move."""
    explain = getattr(bot, "explain", None)
    candidates = [one for one in explain(position) if str(one.move) == str(move)] if explain else []
    said = [sentence(message.text(lang)) for one in candidates for message in one.reasons]
    return said or [words_of("no_reasons", lang)]
