"""Gymnasium's vector environment over a batch: one learner in each game, the others at random, one compiled call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludus.envs import needs

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise needs(error) from None

from ludus.core.errors import LudusError, quoted
from ludus.core.random import SEED_BITS
from ludus.envs.batch import vector
from ludus.envs.batch_options import EACH
from ludus.envs.underway import settled_game


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """Game i has the learner in `seat` (seat i % players where none is named); legal actions are in the info.

    The others play at random, or as `opponents` says (envs/opposed.py). An action that is not legal loses the game, and
    info["illegal"] marks it, or is refused (illegal="raises"), as in SeatEnv. With NEXT_STEP a game that has ended has
    one legal action, the last, which the next step ignores.
    Observations and masks are copies, as Gymnasium's own vector environments give them; with `copy=False` they are the
    batch's own arrays, written over by the next step.
    """

    def __init__(
        self,
        num_envs: int = 1,
        game: Any = "pettingzoo",
        *,
        seat: str | None = None,
        opponents: Any = None,
        illegal: str = "loses",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise LudusError(f"render_mode: a batch is not drawn, so None, not {quoted(render_mode)}")
        settled = settled_game(game, options)
        self.games = vector(
            settled, num_envs, autoreset=autoreset_mode, max_steps=max_episode_steps, opponents=opponents,
            illegal=illegal, learner=EACH if seat is None else seat,
        )  # fmt: skip
        self.copy = copy
        self.num_envs = num_envs
        self.render_mode = None
        self.autoreset_mode = AutoresetMode[str(getattr(autoreset_mode, "name", autoreset_mode)).upper()]
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        size = len(settled.observation_names)
        self.single_observation_space = spaces.Box(0.0, 1.0, (size,), np.float32)
        self.single_action_space = spaces.Discrete(settled.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeded = False
        self._index = np.arange(num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """New games; `options["reset_mask"]` (bool[N]) names those to reset. One seed serves all games."""
        if seed is not None and not hasattr(seed, "__index__"):
            raise LudusError(f"seed: one integer for the whole batch (game i has stream i of it), not {quoted(seed)}")
        if options is not None and not isinstance(options, Mapping):
            raise LudusError(f"options: a mapping, not {quoted(options)}")
        super().reset(seed=None if seed is None else int(seed))
        if seed is None and not self._seeded:
            seed = int(np.random.default_rng().integers(SEED_BITS))
        self._seeded = True
        self.games.reset(seed, which=(options or {}).get("reset_mask"))
        return self._out(self.games.observations), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """The learners act, then the others, all in one compiled call."""
        if not self._seeded:
            raise LudusError("this environment has not begun: call reset() first")
        games = self.games
        games.step(actions)
        rewards = games.rewards[self._index, games.current_player].astype(np.float64)
        ended = games.terminated | games.truncated
        info = self._info()
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP and ended.any():
            info |= self._final(ended)
        return self._out(games.observations), rewards, games.terminated.copy(), games.truncated.copy(), info

    def sample(self) -> Any:
        """int64[N]: uniform random legal actions."""
        return self.games.sample()

    def _final(self, ended: Any) -> dict[str, Any]:
        """What was last seen of the games that gave way to new ones; nobody has a legal action there."""
        nothing = np.zeros_like(self.games.masks)
        last = np.full(self.num_envs, None, np.object_)  # an array each, as Gymnasium has it
        for number in np.flatnonzero(ended):
            last[number] = self.games.final_observations[number].copy()
        return {
            "final_obs": last,
            "_final_obs": ended,
            "final_info": {"action_mask": nothing, "_action_mask": ended.copy()},
            "_final_info": ended.copy(),
        }

    def _out(self, array: Any) -> Any:
        return array.copy() if self.copy else array

    def _info(self) -> dict[str, Any]:
        everybody = np.ones(self.num_envs, np.bool_)
        info = {"action_mask": self._out(self.games.masks), "_action_mask": everybody}
        if self.games.illegal.any():
            info |= {"illegal": self.games.illegal.copy(), "_illegal": everybody.copy()}
        return info
