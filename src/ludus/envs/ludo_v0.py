"""Ludo for PettingZoo: `ludo_v0.env(mode="teams")`, or any rule set of the family by `rules=`."""

from __future__ import annotations

from typing import Any

from ludus.envs import needs

try:
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise needs(error) from None

from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.registry import make
from ludus.envs.aec import GameEnv, register_pettingzoo, wrapped

NAME = "ludo_v0"


def ludo_game(mode: str | None, num_players: Any, rules: Any, options: dict[str, Any]) -> Game:
    """The game of the arguments; a game of another family is a LudusError."""
    if isinstance(rules, Game):
        if mode is not None or num_players is not None or options:
            raise LudusError("rules: a game has its mode, players and options; leave those out, or name a rule set")
        game = rules
    else:
        more = options if mode is None else {**options, "mode": mode}
        game = make(rules, players=num_players, **more)
    if game.document().get("family") != "ludo":
        raise LudusError(f"rules: a Ludo rule set, not {quoted(game.name)}")
    return game


def raw_env(
    mode: str | None = None,
    num_players: Any = None,
    rules: Any = "pettingzoo",
    *,
    render_mode: str | None = None,
    observation: str = "dict",
    seed: int | None = None,
    max_cycles: int | None = None,
    **options: Any,
) -> GameEnv:
    """The environment without wrappers: an illegal action is a ludus.IllegalMove. `options` are those of the rules."""
    game = ludo_game(mode, num_players, rules, options)
    return GameEnv(game, NAME, render_mode=render_mode, observation=observation, seed=seed, max_cycles=max_cycles)


def env(
    mode: str | None = None,
    num_players: Any = None,
    rules: Any = "pettingzoo",
    *,
    render_mode: str | None = None,
    observation: str = "dict",
    seed: int | None = None,
    max_cycles: int | None = None,
    **options: Any,
) -> AECEnv[str, Any, int | None]:
    """The environment: an illegal action ends the game, with -1 for the one who tried it."""
    ours: dict[str, Any] = {
        "render_mode": render_mode,
        "observation": observation,
        "seed": seed,
        "max_cycles": max_cycles,
    }
    return wrapped(raw_env(mode, num_players, rules, **ours, **options))


register_pettingzoo()
