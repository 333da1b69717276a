"""Gymnasium's single-agent environment: one learner at a game, the other seats played by bots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ludus.envs import needs

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise needs(error) from None

from ludus.bots.roster import RANDOM
from ludus.core.action_ids import as_action
from ludus.core.errors import IllegalMove, LudusError
from ludus.core.position import Position
from ludus.core.registry import games
from ludus.envs.batch import ILLEGAL_REWARD
from ludus.envs.batch_options import illegal_loses
from ludus.envs.opponents import Opponents
from ludus.envs.pictures import FRAMES_PER_SECOND, RENDER_MODES, Renderer
from ludus.envs.underway import GameUnderWay, Seeds, compiled_for_play, settled_game


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game. The reward is what the seat got, at the end of the game; legal actions are in the info."""

    metadata: dict[str, Any] = {  # noqa: RUF012  (Gymnasium's convention)
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        game: Any = "pettingzoo",
        *,
        seat: str | None = None,
        opponents: Any = RANDOM,
        render_mode: str | None = None,
        illegal: str = "loses",
        **options: Any,
    ) -> None:
        self._illegal_loses = illegal_loses(illegal)
        self._has_lost = False
        self.game = compiled_for_play(settled_game(game, options))
        self.game.ask_for_limit()
        self.seat = 0 if seat is None else self.game.seat_of(seat)
        self.render_mode = render_mode
        self._others = Opponents(self.game, self.seat, opponents)
        self._renderer = Renderer(render_mode, self.game.title())
        self._seeds = Seeds(None)
        self._rng = np.random.default_rng()
        self._table: GameUnderWay | None = None
        size = len(self.game.observation_names)
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (size,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.game.num_actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game, played on to the learner's first decision. Options: `position`, `rolls`."""
        super().reset(seed=seed)
        if seed is not None:
            self._seeds.restart(seed)
        number = self._seeds.next()
        self._rng = np.random.default_rng(number)
        table = GameUnderWay(self.game)
        table.begin(number, options)
        self._others.begin()
        self._table = table
        self._has_lost = False
        self._let_others_play()
        self._draw()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner acts, then the others; what is no action at all is a ludus.IllegalMove.

        An action that is not legal here ends the game with -1 for the learner (or is refused too: illegal="raises");
        the board does not change, and info["illegal"] says why.
        """
        table = self._begun()
        number = as_action(action[()] if isinstance(action, np.ndarray) else action, self.game.num_actions)
        if self._has_lost:
            raise LudusError("this game ended with an illegal action: call reset()")
        if self._illegal_loses and not table.is_over and not table.mask[number]:
            return self._lose(number)
        table.act(number)
        self._let_others_play()
        self._draw()
        return self._seen(), self._reward(), table.is_over, False, self._info()

    def _lose(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._has_lost = True
        try:
            self.position.move(action)
        except IllegalMove as error:
            why = str(error)
        return self._seen(), ILLEGAL_REWARD, True, False, {**self._info(), "illegal": why}

    def action_masks(self) -> Any:
        """bool[A]: the legal actions, as sb3-contrib asks for them."""
        return self._begun().mask.astype(np.bool_)

    @property
    def position(self) -> Position:
        """The position, immutable."""
        return self._begun().position

    def set_position(self, position: Position | Mapping[str, Any]) -> None:
        """Go on from a position; the others play until the learner decides."""
        self._begun().put(position)
        self._let_others_play()

    def force_rolls(self, rolls: Iterable[str]) -> None:
        """The next chance outcomes, in order."""
        self._begun().force(rolls)

    def render(self) -> Any:
        """uint8[height, width, 3], coloured text, or None where a window shows the board."""
        position = self._begun().position
        if self.render_mode is None:
            raise LudusError(f"render: make the environment with render_mode={' or '.join(map(repr, RENDER_MODES))}")
        return self._renderer.render(position)

    def close(self) -> None:
        """Close the window, if there is one, and end the processes of bots."""
        self._renderer.close()
        self._others.close()

    def _begun(self) -> GameUnderWay:
        if self._table is None:
            raise LudusError("this environment has not begun: call reset() first")
        return self._table

    def _let_others_play(self) -> None:
        table = self._begun()
        while not table.is_over and table.seat != self.seat:
            table.act(self._others.move(table.position, table.seat, self._rng))
        if table.is_over:
            self._others.over(table.position)

    def _reward(self) -> float:
        result = self._begun().position.result
        return 0.0 if result is None else float(result[self.game.players[self.seat]])

    def _seen(self) -> Any:
        return self.game.observe(self._begun().position.row, self.seat)

    def _info(self) -> dict[str, Any]:
        mask = self._begun().mask.copy()
        mask[-1] |= (
            self._begun().is_over
        )  # a wrapper that resets at the next step ignores the action: this one is legal
        return {"action_mask": mask}

    def _draw(self) -> None:
        if self.render_mode == "human":
            self.render()


def register_gymnasium() -> None:
    """Put every game into Gymnasium's registry: `gymnasium.make("ludus/french-v0")`."""
    for name in games():
        key = f"ludus/{name}-v0"
        if key not in gymnasium.registry:
            gymnasium.register(
                key,
                "ludus.envs.single:SeatEnv",
                kwargs={"game": name},
                vector_entry_point="ludus.envs.gym_vector:SeatVectorEnv",
            )
