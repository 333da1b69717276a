"""A bot at many positions of one game at once."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ludus.bots.bot import Bot, ask
from ludus.bots.desk import Desk, policies_of
from ludus.core.game import Game


class Crowd(Protocol):
    """Who answers for many positions: `seeds` and `plies` are those of the positions (their random streams)."""

    def choose_rows(self, rows: Any, seeds: Any, plies: Any) -> Any:
        """int64[K]: an action for each row at which somebody decides; rows: int16[K, R], seeds and plies: int64[K]."""


class PolicyCrowd:
    """A bot that is a policy of the kernel, nets included: one compiled call for all positions."""

    def __init__(self, game: Game, bot: Bot, compiled: bool = True) -> None:
        (self._policy,), nets = policies_of(game, [bot])
        self._desk = Desk(game, compiled, nets)
        self._short: Any
        self._long: Any
        self._short, self._long = (np.int16, np.int64) if self._desk.compiled else (np.object_, np.object_)

    def choose_rows(self, rows: Any, seeds: Any, plies: Any) -> Any:
        """What the bot outside would choose at each of these positions."""
        desk, (policy, option, seed) = self._desk, self._policy
        actions = np.zeros(len(rows), self._long)
        given = np.ascontiguousarray(rows.astype(self._short, copy=False)).reshape(-1)
        lots = (np.asarray(numbers).astype(self._long) for numbers in (seeds, plies))
        desk.kernel.choose_rows_api(given, *desk.arrays[1:], *desk.net_arrays, policy, option, seed, *lots, actions)
        return actions.astype(np.int64)


class AskedOneByOne:
    """Any other bot: it is asked for each position by itself."""

    def __init__(self, game: Game, bot: Bot) -> None:
        self._game, self._bot = game, bot

    def choose_rows(self, rows: Any, seeds: Any, plies: Any) -> Any:
        """Its answers, checked."""
        make, game = self._game.position_class, self._game
        positions = (
            make(game, row.tolist(), int(seed), int(ply)) for row, seed, ply in zip(rows, seeds, plies, strict=True)
        )
        return np.array([ask(self._bot, position).action_id for position in positions], np.int64)


def crowd_of(bot: Bot, game: Game, compiled: bool = True) -> Crowd:
    """The fastest way to ask a bot for many moves."""
    bot.check(game)
    if bot.in_kernel is not None:
        return PolicyCrowd(game, bot, compiled)
    return AskedOneByOne(game, bot)
