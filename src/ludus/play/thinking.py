"""Bots at tables: which there are, and where they think. Slow ones do so in a process of their own, not in the loop."""

from __future__ import annotations

import asyncio
import json
import os
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, TypedDict

from ludus.bots.roster import RANDOM
from ludus.core.errors import UnknownName, suggestion
from ludus.core.game import Game, Move, Position
from ludus.play.telling import sentence, words_of

if TYPE_CHECKING:
    from ludus.bots import Bot

# which bot plays for somebody who is gone, and gives hints: the first of these that there is
STAND_INS = ("heuristic", "greedy", RANDOM)
# bots that answer at once think in the server's own loop, those that need milliseconds in one process, all
# others in another one, so that no quick bot waits for a slow one
INSTANT = (RANDOM,)
QUICK = ("first", "greedy", "heuristic", "generals")
# strengths to choose from, weakest first, and bots that people have no use for
LEVELS = {"mcts": ("mcts:simulations=200", "mcts", "mcts:simulations=5000")}
HIDDEN = ("first", "generals")
# a slow bot that has not answered by then (it may have to be compiled) lets the stand-in play this once
PATIENCE = 15.0


def bot_names() -> list[str]:
    """The bots that can play, weakest first; no other name is ever looked up, so nobody can name a file."""
    from ludus.bots import bots

    names = [name for name in bots() if name not in HIDDEN]
    return [level for name in sorted(names, key=lambda one: one != RANDOM) for level in LEVELS.get(name, (name,))]


def bot_for(name: str, seed: int = 0) -> Bot:
    """A bot by name."""
    names = bot_names()
    if name not in names:
        raise UnknownName(f"unknown bot {name[:40]!r}{suggestion(name, names)}; there are {', '.join(names)}")
    from ludus.bots import bot

    return bot(name, seed=seed)


def stand_in() -> str:
    """The bot that plays for people who are gone."""
    names = bot_names()
    return next(name for name in STAND_INS if name in names)


class Explained(TypedDict):
    """A bot's move, with words where somebody asked for them."""

    move: str
    words: str
    reasons: list[str]


class Thinker:
    """Lets bots think: quick ones here, others in worker processes that are started when one is needed."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self._pools: dict[str, Executor] = {}

    async def choose(self, position: Position, bot: str) -> str:
        """The notation of the move that a bot plays."""
        if bot in INSTANT:
            return str(bot_for(bot).choose(position))
        asked = self._ask(position, bot, None)
        if bot in QUICK:
            return str((await asked)["move"])
        try:
            async with asyncio.timeout(PATIENCE):
                return str((await asked)["move"])
        except TimeoutError:
            return await self.choose(position, stand_in())

    async def explain(self, position: Position, bot: str, lang: str) -> Explained:
        """A bot's move with its reasons in words."""
        return await self._ask(position, bot, lang)

    async def _ask(self, position: Position, bot: str, lang: str | None) -> Explained:
        task = (_document(position.game), [int(value) for value in position.row], position.seed, position.ply)
        loop = asyncio.get_running_loop()
        kind = "quick" if bot in (*INSTANT, *QUICK) else "slow"
        try:
            return await loop.run_in_executor(self._workers(kind), think, task, bot, lang)
        except BrokenExecutor:  # a worker was killed: the next request gets new ones
            self._pools.pop(kind).shutdown(wait=False)
            raise

    def _workers(self, kind: str) -> Executor:
        if kind not in self._pools:
            import multiprocessing

            # spawned: a fork of a process with threads may hang
            context = multiprocessing.get_context("spawn")
            self._pools[kind] = ProcessPoolExecutor(
                self.workers, mp_context=context, initializer=os.nice, initargs=(5,)
            )
        return self._pools[kind]

    def close(self) -> None:
        """Stop the workers, in the middle of a thought if need be."""
        for pool in self._pools.values():
            for process in list(getattr(pool, "_processes", {}).values()):
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)


def _document(game: Game) -> str:
    return json.dumps(game.document(), sort_keys=True)


@lru_cache(maxsize=32)
def _game(document: str) -> Game:
    from ludus.core.registry import from_document

    return from_document(json.loads(document))


Task = tuple[str, list[int], int, int]


def think(task: Task, name: str, lang: str | None) -> Explained:
    """In a worker: a bot's move, with reasons where a language is given."""
    document, row, seed, ply = task
    game = _game(document)
    position = game.position_class(game, row, seed, ply)
    bot = bot_for(name, seed=seed ^ ply)
    move = bot.choose(position)
    if lang is None:
        return {"move": str(move), "words": "", "reasons": []}
    return {"move": str(move), "words": move.describe(lang), "reasons": reasons(bot, position, move, lang)}


def reasons(bot: Bot, position: Position, move: Move, lang: str) -> list[str]:
    """What a bot has to say for its move."""
    candidates = [one for one in bot.explain(position) if str(one.move) == str(move)]
    said = [sentence(message.text(lang)) for one in candidates for message in one.reasons]
    return said or [words_of("no_reasons", lang)]
