"""Bots at tables: which there are, and where they think. Slow ones do so in a process of their own, not in the loop."""

from __future__ import annotations

import asyncio
import json
import secrets
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypedDict

from ludus.bots.bot import unforetold
from ludus.bots.roster import RANDOM
from ludus.core.compiling.presence import is_ahead
from ludus.core.errors import UnknownName, suggestion
from ludus.core.flat import has_numpy
from ludus.core.game import Game
from ludus.core.position import Move, Position
from ludus.play.labour import Bounds, Workshop, work_off
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
HIDDEN = ("first", "generals", "exact")
NETS = ("td", "td2", "td3")  # they need compiled kernels, or NumPy
# a slow bot that has not answered by then (it may have to be compiled) lets the stand-in play this once
PATIENCE = 15.0
LONGEST_THOUGHT = 60.0
BOT_MEMORY = 2048
MOST_WAITING = 64  # thoughts of one table, or hints for one address


@cache
def bot_names(in_page: bool = False) -> tuple[str, ...]:
    """The bots that can play, weakest first; no other name is ever looked up, so nobody can name a file.

    Found once: looking through everything that is installed takes milliseconds, and every move of a bot asks.
    """
    from ludus.bots import bots

    without: tuple[str, ...] = HIDDEN
    if in_page or not has_numpy():  # `rollout` needs it; nets need compiled kernels at least
        without = (*HIDDEN, "rollout") if in_page or is_ahead() else (*HIDDEN, "rollout", *NETS)
    names = [name for name in bots() if name not in without]
    weakest_first = sorted(names, key=lambda one: one != RANDOM)
    return tuple(level for name in weakest_first for level in LEVELS.get(name, (name,)))


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
    """Lets bots think: the random one here, others in worker processes that are started when one is needed."""

    def __init__(self, workers: int = 1) -> None:
        self._workshops = {
            kind: Workshop(__name__, Bounds(LONGEST_THOUGHT, BOT_MEMORY, MOST_WAITING), workers)
            for kind in ("quick", "slow")
        }

    async def choose(self, position: Position, bot: str, whose: str = "", seed: int | None = None) -> str:
        """The notation of the move that a bot plays; those who ask for many (`whose`) wait for the others."""
        own = fresh_seed() if seed is None else seed
        if bot in INSTANT:
            return str(bot_for(bot, own).choose(unforetold(position, own)))
        asked = self._ask(position, bot, None, whose, own)
        if bot in QUICK:
            return str((await asked)["move"])
        try:
            async with asyncio.timeout(PATIENCE):
                return str((await asked)["move"])
        except TimeoutError:
            return await self.choose(position, stand_in(), whose, own)

    async def explain(self, position: Position, bot: str, lang: str, whose: str = "") -> Explained:
        """A bot's move with its reasons in words."""
        return await self._ask(position, bot, lang, whose, fresh_seed())

    async def _ask(self, position: Position, bot: str, lang: str | None, whose: str, seed: int) -> Explained:
        kind = "quick" if bot in (*INSTANT, *QUICK) else "slow"
        task = (*position_of_row(position), seed, bot, lang)
        answer: Explained = json.loads(await self._workshops[kind].do(whose, "think", *task))
        return answer

    def close(self) -> None:
        """Stop the workers, in the middle of a thought if need be."""
        for workshop in self._workshops.values():
            workshop.close()


def fresh_seed() -> int:
    """A seed that has nothing to do with any dice."""
    return secrets.randbits(63)


def position_of_row(position: Position) -> tuple[str, list[int], int]:
    """A position as a worker gets it: rules, row and ply, and nothing that tells where the dice come from."""
    document = json.dumps(position.game.document(), sort_keys=True)
    return document, [int(value) for value in position.row], position.ply


@lru_cache(maxsize=32)
def _game(document: str) -> Game:
    from ludus.core.registry import from_document

    return from_document(json.loads(document))


def think(document: str, row: list[int], ply: int, seed: int, name: str, lang: str | None) -> Explained:
    """In a worker: a bot's move, with reasons where a language is given."""
    game = _game(document)
    position = game.position_class(game, row, seed, ply)
    bot = bot_for(name, seed=seed ^ ply)
    move = bot.choose(position)
    if lang is None:
        return {"move": str(move), "words": "", "reasons": []}
    return {"move": str(move), "words": move.describe(lang), "reasons": reasons(bot, position, move, lang)}


def main() -> None:
    """A worker."""
    work_off({"think": think})


def reasons(bot: Bot, position: Position, move: Move, lang: str) -> list[str]:
    """What a bot has to say for its move."""
    candidates = [one for one in bot.explain(position) if str(one.move) == str(move)]
    said = [sentence(message.text(lang)) for one in candidates for message in one.reasons]
    return said or [words_of("no_reasons", lang)]
