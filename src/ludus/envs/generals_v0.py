"""Generals for PettingZoo: `generals_v0.env()`, with a toss for the roles by `toss=True` (G33)."""

from __future__ import annotations

from typing import Any

from ludus.envs import needs

try:
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise needs(error) from None

from ludus.core.registry import make
from ludus.envs.aec import GameEnv, register_pettingzoo, wrapped

NAME = "generals_v0"


def raw_env(
    *,
    render_mode: str | None = None,
    observation: str = "dict",
    seed: int | None = None,
    max_cycles: int | None = None,
    **options: Any,
) -> GameEnv:
    """The environment without wrappers: an illegal action is a ludus.IllegalMove. `options` are those of the rules."""
    game = make("generals", **options)
    return GameEnv(game, NAME, render_mode=render_mode, observation=observation, seed=seed, max_cycles=max_cycles)


def env(
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
    return wrapped(raw_env(**ours, **options))


register_pettingzoo()
