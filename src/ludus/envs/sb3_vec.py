"""Stable-Baselines3's vector environment over a batch: one learner in each game, opponents in the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludus.envs import needs

try:
    from gymnasium import spaces
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    raise needs(error) from None

from ludus.core.errors import LudusError
from ludus.core.random import SEED_BITS
from ludus.envs.batch import vector
from ludus.envs.batch_options import EACH
from ludus.envs.underway import settled_game


class SeatVecEnv(VecEnv):  # type: ignore[misc]
    """Game i has the learner in `seat` (seat i % players where none is named); games begin anew in the same step.

    MaskablePPO finds the legal actions by `action_masks`. Opponents and illegal actions are as in SeatVectorEnv.
    """

    def __init__(
        self,
        num_envs: int = 8,
        game: Any = "pettingzoo",
        *,
        seat: str | None = None,
        opponents: Any = None,
        illegal: str = "loses",
        max_episode_steps: int | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        settled = settled_game(game, options)
        self.games = vector(
            settled, num_envs, autoreset="same_step", max_steps=max_episode_steps, opponents=opponents,
            illegal=illegal, learner=EACH if seat is None else seat,
        )  # fmt: skip
        self.render_mode = None
        size = len(settled.observation_names)
        super().__init__(num_envs, spaces.Box(0.0, 1.0, (size,), np.float32), spaces.Discrete(settled.num_actions))
        self._index = np.arange(num_envs)
        self.seed(seed)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed of the next reset: one for all games, game i has stream i of it."""
        self._seed = int(np.random.default_rng().integers(SEED_BITS)) if seed is None else int(seed)
        self._is_seeded = True
        return [self._seed] * self.num_envs

    def reset(self) -> Any:
        """New games."""
        self.games.reset(self._seed if self._is_seeded else None)
        self._is_seeded = False
        return self.games.observations.copy()

    def step_async(self, actions: Any) -> None:
        """Keep the learners' actions."""
        self._given = np.asarray(actions)

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """The learners act, then the others."""
        games = self.games
        games.step(self._given)
        rewards = games.rewards[self._index, games.current_player].copy()
        done = games.terminated | games.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for number in np.flatnonzero(done):
            infos[number] = {
                "terminal_observation": games.final_observations[number].copy(),
                "TimeLimit.truncated": bool(games.truncated[number]),
            }
        return games.observations.copy(), rewards, done, infos

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **options: Any) -> list[Any]:
        """`action_masks`, of each game."""
        if method_name != "action_masks":
            raise LudusError(f"a batch has no method {method_name} of each game; there is action_masks")
        return [self.games.masks[number].copy() for number in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for each game."""
        found = self.env_method if attr_name == "action_masks" else getattr(self, attr_name)
        return [found for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the whole batch."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Nothing is wrapped here."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing is left open."""
