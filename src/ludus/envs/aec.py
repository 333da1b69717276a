"""PettingZoo's AEC environment for every game: agents act at decisions, chance is resolved inside (Z27-Z31, G33)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ludus.core.action_ids import as_action
from ludus.core.errors import LudusError, quoted, suggestion
from ludus.core.game import Game
from ludus.core.kernels.codes import OVER
from ludus.core.position import Position
from ludus.core.registry import games
from ludus.envs.pictures import FRAMES_PER_SECOND, RENDER_MODES, Renderer
from ludus.envs.underway import GameUnderWay, Seeds, compiled_for_play

ILLEGAL_REWARD = -1
OBSERVATIONS = ("dict", "flat")


class GameEnv(AECEnv[str, Any, int | None]):  # type: ignore[misc]
    """One game for agents `player_0`, `player_1` …, by the seats of the board: opposite ones are 0 and 2 (Z1)."""

    metadata: dict[str, Any] = {  # noqa: RUF012  (PettingZoo's convention)
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        game: Game,
        name: str,
        *,
        render_mode: str | None = None,
        observation: str = "dict",
        seed: int | None = None,
        max_cycles: int | None = None,
    ) -> None:
        super().__init__()
        if observation not in OBSERVATIONS:
            hint = suggestion(str(observation), OBSERVATIONS)
            raise LudusError(f"observation: {' or '.join(OBSERVATIONS)}, not {quoted(observation)}{hint}")
        self.game = compiled_for_play(game)
        self.metadata = {**self.metadata, "name": name}
        self.render_mode = render_mode
        self.max_cycles = checked_limit(max_cycles)
        if max_cycles is None:
            game.ask_for_limit()
        self._is_flat = observation == "flat"
        self._renderer = Renderer(render_mode, game.title())
        self._seeds = Seeds(seed)
        self._table = GameUnderWay(game)
        self._nothing = np.zeros(game.num_actions, np.int8)
        self.possible_agents = [f"player_{seat}" for seat in game.arms or range(game.num_players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self._observation_spaces = {agent: observation_space(game, self._is_flat) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The game's fixed action space."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """A new game. Options: `position` to begin from, `rolls` that come first."""
        if seed is not None:
            self._seeds.restart(seed)
        self._table.begin(self._seeds.next(), options)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._nothing.copy()} for agent in self.agents}
        self._skip_agent_selection = None
        self._settle()
        self._draw()

    def step(self, action: int | None) -> None:
        """The selected agent acts; an action that is not legal is a ludus.IllegalMove and changes nothing."""
        self._must_have_begun()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._table.act(action)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent]["action_mask"] = self._nothing.copy()
        self._settle()
        self._draw()

    def _settle(self) -> None:
        """Who is next, and what everybody got."""
        table = self._table
        self.agent_selection = self.possible_agents[table.seat]
        if table.position.stage == OVER:
            result = table.position.result or {}
            self.rewards = dict(zip(self.possible_agents, result.values(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        elif self.max_cycles is not None and table.moves_made >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self.infos[self.agent_selection]["action_mask"] = table.mask.copy()

    def observe(self, agent: str) -> Any:
        """What an agent sees now; only the one that decides has legal actions."""
        self._must_have_begun()
        table = self._table
        seen = self.game.observe(table.position.row, self._seats[agent])
        if self._is_flat:
            return seen
        mask = table.mask if agent == self.agent_selection else self._nothing
        return {"observation": seen, "action_mask": mask.copy()}

    def state(self) -> Any:
        """float32[players × n]: what every agent sees, one after the other."""
        self._must_have_begun()
        row = self._table.position.row
        return np.concatenate([self.game.observe(row, seat) for seat in range(self.game.num_players)])

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state()`."""
        size = len(self.game.observation_names) * self.game.num_players
        return spaces.Box(0.0, 1.0, (size,), np.float32)

    @property
    def position(self) -> Position:
        """The position, immutable: to look at, to search from, to keep for `set_position`."""
        self._must_have_begun()
        return self._table.position

    def set_position(self, position: Position | Mapping[str, Any]) -> None:
        """Go on from a position of this game (or its plain data); rewards and ends start anew."""
        self._must_have_begun()
        self._table.put(position)
        self.agents = self.possible_agents[:]
        for values, value in ((self.rewards, 0.0), (self._cumulative_rewards, 0.0)):
            values.clear()
            values.update(dict.fromkeys(self.agents, value))
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._nothing.copy()} for agent in self.agents}
        self._settle()

    def force_rolls(self, rolls: Iterable[str]) -> None:
        """The next chance outcomes, in order, as `position.outcomes()` writes them; then the seed's again."""
        self._must_have_begun()
        self._table.force(rolls)

    def render(self) -> Any:
        """uint8[height, width, 3], coloured text, or None where a window shows the board."""
        self._must_have_begun()
        if self.render_mode is None:
            raise LudusError(f"render: make the environment with render_mode={' or '.join(map(repr, RENDER_MODES))}")
        return self._renderer.render(self._table.position)

    def _draw(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def _must_have_begun(self) -> None:
        if not hasattr(self, "rewards"):
            raise LudusError("this environment has not begun: call reset() first")


class IllegalLoses(wrappers.TerminateIllegalWrapper[str, Any, int | None]):  # type: ignore[misc]
    """PettingZoo's wrapper, behind a refusal of what is no action at all (wrong type, NaN, out of range)."""

    env: GameEnv
    _prev_obs: Any
    _prev_info: Any

    def observe(self, agent: str) -> Any:
        """What an agent sees; what the one that decides sees is kept, as PettingZoo's wrapper does."""
        raw = self.env
        seen = raw.observe(agent)
        if agent == raw.agent_selection:
            self._prev_obs, self._prev_info = seen, raw.infos.get(agent, {})
        return seen

    def step(self, action: int | None) -> None:
        """Pass on an action of the space, or None for an agent that is done."""
        raw = self.env
        agent = raw.agent_selection
        if not (raw.terminations[agent] or raw.truncations[agent]):
            action = as_action(action, raw.game.num_actions)
            if raw.infos[agent]["action_mask"][action]:
                self._prev_obs = self._prev_info = None
                raw.step(action)
                return
        self._prev_obs = self._prev_info = None  # what was seen before a set_position counts no more
        super().step(action)


class Ordered(wrappers.OrderEnforcingWrapper[str, Any, int | None]):  # type: ignore[misc]
    """PettingZoo's wrapper, which asks the game itself: a look through wrappers takes longer than a move."""

    def __getattr__(self, name: str) -> Any:
        """An attribute of the game itself, once it has begun; before, and for private ones, PettingZoo decides."""
        if name.startswith("_") or not self.__dict__.get("_has_reset"):
            return super().__getattr__(name)
        return getattr(self.env.env, name)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward, ends and info of the agent that is to act."""
        if not self._has_reset:
            raise LudusError("this environment has not begun: call reset() first")
        raw: GameEnv = self.env.env
        agent = raw.agent_selection
        seen = self.env.observe(agent) if observe else None
        return seen, raw._cumulative_rewards[agent], raw.terminations[agent], raw.truncations[agent], raw.infos[agent]

    def __str__(self) -> str:
        return str(self.env)


def observation_space(game: Game, is_flat: bool) -> spaces.Space[Any]:
    """The space of a game's observations."""
    seen = spaces.Box(0.0, 1.0, (len(game.observation_names),), np.float32)
    if is_flat:
        return seen
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8)})


def checked_limit(limit: Any) -> int | None:
    """A number of moves after which a game is cut off, or None."""
    if limit is None:
        return None
    if isinstance(limit, bool) or not hasattr(limit, "__index__") or limit.__index__() < 1:
        raise LudusError(f"max_cycles: a whole number from 1 up, or None, not {quoted(limit)}")
    return int(limit.__index__())


def wrapped(raw: GameEnv) -> AECEnv[str, Any, int | None]:
    """The environment as PettingZoo's own come: an illegal action ends the game for the one who tried it (Z30)."""
    return Ordered(IllegalLoses(raw, illegal_reward=ILLEGAL_REWARD))


def register_pettingzoo() -> None:
    """Put every game into PettingZoo's registry: `pettingzoo.make("aec", "ludus/french-v0")`."""
    import pettingzoo

    known = getattr(pettingzoo, "aec_registry", None)
    if known is None:  # PettingZoo 1.26 and before have no registry: `ludo_v0.env()` is there as ever
        return
    entries: dict[str, tuple[str | Callable[..., Any], dict[str, Any]]] = {
        "ludus/ludo-v0": ("ludus.envs.ludo_v0:env", {}),
        "ludus/generals-v0": ("ludus.envs.generals_v0:env", {}),
    }
    for name in games():
        if name != "generals":
            entries[f"ludus/{name}-v0"] = ("ludus.envs.ludo_v0:env", {"rules": name})
    for key, (entry, options) in entries.items():
        if key not in known:
            pettingzoo.register("aec", key, entry, kwargs=options)
