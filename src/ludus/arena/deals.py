"""Deals of a contest as work for a fleet (core/fleet.py): in the kernel, or game by game beside a crew of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludus.arena.crew import Crew
from ludus.arena.results import letters_of
from ludus.core.game import Game

PlayedDeals = tuple[str, list[int]]  # a letter and the plies of each game


def play_deals(game: Game, order: Mapping[str, Any]) -> PlayedDeals:
    """The games of some deals, from every rotation, in the kernel."""
    letters = np.zeros((order["deals"], len(order["bots"])), dtype=np.uint8)
    plies = np.zeros(letters.shape, dtype=np.int64)
    for rotation, bots in enumerate(order["bots"]):
        played = game.playouts(
            order["deals"],
            seed=order["seed"],
            bots=bots,
            first=order["first"],
            max_plies=order["max_plies"],
            own_dice=True,
        )
        letters[:, rotation] = letters_of(played.winner, played.finished, order["sides"])
        plies[:, rotation] = played.plies
    return letters.tobytes().decode(), plies.ravel().tolist()


_CREW: dict[str, Crew] = {}  # of this process: bots are made once for all its games


def games_of(game: Game, order: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Games with bots that are asked one by one: a line of the journal for each."""
    key = repr((game.digest, order["bots"], order["terms"], order["plugins"]))
    if key not in _CREW:
        while _CREW:
            _CREW.popitem()[1].end()
        _CREW[key] = Crew(game, order["bots"], order["terms"], 1, order["plugins"])
    lines: list[dict[str, Any]] = []
    _CREW[key].play_on([order["tasks"]], lines.append)
    return lines
