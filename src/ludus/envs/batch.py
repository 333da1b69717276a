"""Batches of games for self-play: every game steps in one compiled call, results are written into NumPy arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludus.core.engine import twin_of
from ludus.core.errors import IllegalMove, LudusError, quoted, suggestion
from ludus.core.game import Game, Position
from ludus.core.kernels import batches as k
from ludus.core.random import below, stream
from ludus.core.registry import make
from ludus.core.seeds import fold_seed

KERNEL = "ludus.core.kernels.batches"
AUTORESET = {"next_step": k.NEXT_STEP, "same_step": k.SAME_STEP, "disabled": k.DISABLED}
MOST_GAMES = 1 << 20
EACH = "each"
NEVER = -1


class BatchStep(NamedTuple):
    """What a step gave; the arrays are those of the batch, written over by the next step."""

    observations: Any
    masks: Any
    rewards: Any
    terminated: Any
    truncated: Any
    current_player: Any


class VectorGames:
    """`num_envs` games, stepped together.

    observations: float32[N, n], what the player who decides sees · masks: bool[N, A], its legal actions ·
    current_player: int64[N], its seat · rewards: float32[N, P], what every seat got in this step ·
    terminated, truncated: bool[N] · final_observations: float32[N, n], of games that ended where a new one has begun
    in the same step.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int = 0,
        *,
        autoreset: Any = "next_step",
        max_steps: int | None = None,
        learner: Any = None,
        compiled: bool = True,
    ) -> None:
        if game.plugins:
            raise LudusError(
                f"vector: {game.name} has rules in Python, which no batch can play: leave out the plug-ins"
            )
        self.game = game
        self.num_envs = _whole("num_envs", num_envs, 1, MOST_GAMES)
        self.max_steps = NEVER if max_steps is None else _whole("max_steps", max_steps, 1, 1 << 40)
        self.autoreset = _autoreset(autoreset)
        tables, own = _tables(game), game.engine.twin
        twin = twin_of(KERNEL, (own.name,))
        # a kernel without a header is compiled for all its games
        header = tuple(tables[: getattr(own.interpreted, "HEADER", 0)])
        self._kernel = twin.compiled(header, game.engine.columns) if compiled else twin.interpreted
        # the interpreted twin counts with Python's integers, which do not overflow
        self._short: Any
        self._long: Any
        self._short, self._long = (np.int16, np.int64) if compiled else (np.object_, np.object_)
        self._tables = np.array(tables, self._long)
        self._build(_learners(game, self.num_envs, learner))
        self.reset(seed)

    def _build(self, learners: Any) -> None:
        game, count = self.game, self.num_envs
        features, size, players = len(game.observation_names), game.num_actions, game.num_players
        self._start = np.array(game.start_row(), self._short)
        self._rows = np.zeros((count, len(self._start)), self._short)
        self._scratch = np.zeros(len(game.engine.scratch), self._long)
        self._state = np.zeros((count, k.FIELDS), self._long)
        self._state[:, k.LEARNER] = np.asarray(learners).astype(self._long)
        self._actions = np.zeros(count, self._long)
        self._samples = np.zeros(count, self._long)
        self.observations = np.zeros((count, features), np.float32)
        self.final_observations = np.zeros((count, features), np.float32)
        self.masks = np.zeros((count, size), np.bool_)
        self.rewards = np.zeros((count, players), np.float32)
        self._ends = np.zeros((2, count), np.bool_)
        self.terminated, self.truncated = self._ends
        self.current_player = np.zeros(count, np.int64)
        self._arguments = (
            self._start, self._rows.ravel(), self._tables, self._scratch, self._state.ravel(),
            self._actions, self._samples, self.observations.ravel(), self.final_observations.ravel(),
            self.masks.view(np.uint8).ravel(), self.rewards.ravel(), self._ends.view(np.uint8).ravel(),
            self.current_player, count, self.autoreset, self.max_steps,
        )  # fmt: skip
        self._call = self._kernel.step_api
        self._step = BatchStep(
            self.observations, self.masks, self.rewards, self.terminated, self.truncated, self.current_player
        )

    def reset(self, seed: int | None = None, *, which: Any = None) -> BatchStep:
        """New games: all of them, or those that `which` (bool[N]) marks; a seed starts every stream anew."""
        chosen = np.ones(self.num_envs, np.bool_) if which is None else np.asarray(which)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            raise LudusError(f"which: bool[{self.num_envs}], a mark for each game, not {quoted(which)}")
        if seed is not None:
            folded = fold_seed(seed)
            keys = [stream(folded, int(number)) for number in np.flatnonzero(chosen)]
            self._state[chosen, k.KEY] = np.array(keys, self._long)
            self._state[chosen, k.DRAWS] = 0
        following = self._state[:, k.NEXT].copy()
        self._state[:, k.NEXT] = k.RESTS
        self._state[chosen, k.NEXT] = k.BEGINS
        self._run()
        self._state[~chosen, k.NEXT] = following[~chosen]
        return self._step

    def step(self, actions: Any) -> BatchStep:
        """Play `actions` (int[N], one for each game); one that is not legal is an IllegalMove, nothing has changed."""
        given = actions if isinstance(actions, np.ndarray) else _array(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise IllegalMoveOfBatch(f"actions: int[{self.num_envs}], not {given.dtype}{list(given.shape)}")
        self._actions[:] = given
        refused = self._run()
        if refused >= 0:
            self._refuse(refused)
        return self._step

    def sample(self) -> Any:
        """int64[N]: what a player who picks among the moves at random plays now; drawn from each game's own stream."""
        return self._samples.copy() if self._long is np.int64 else self._samples.astype(np.int64)

    def _run(self) -> int:
        found: int = self._call(*self._arguments)
        return found

    def _refuse(self, number: int) -> None:
        action = int(self._actions[number])
        if self._state[number, k.NEXT] == k.WAITS:
            raise LudusError(f"game {number} of the batch has ended: reset(which=…) begins a new one")
        try:
            self.position(number).move(action)
        except IllegalMove as error:
            raise IllegalMoveOfBatch(f"game {number} of the batch, action {action}: {error}") from error
        raise AssertionError(f"game {number} refused the legal action {action}")

    def position(self, number: int) -> Position:
        """The position of one game, immutable."""
        number = _whole("number", number, 0, self.num_envs - 1)
        return self.game.position_class(self.game, self._rows[number].tolist(), 0, 0)

    def set_position(self, number: int, position: Position) -> None:
        """Let one game go on from a position at which somebody decides."""
        number = _whole("number", number, 0, self.num_envs - 1)
        game = self.game
        if not isinstance(position, Position) or position.game != game or not position.moves():
            raise LudusError(f"a position of {game!r} at which somebody decides, not {quoted(position)}")
        seat, learner = game.seat_of(position.turn), int(self._state[number, k.LEARNER])
        if learner not in (k.EVERYBODY, seat):
            raise LudusError(f"game {number} of the batch stops where {game.players[learner]} decides")
        self._rows[number] = position.row
        legal = game.legal_actions(position.row)
        state = self._state[number]
        state[k.NEXT], state[k.LENGTH] = k.PLAYS, 0
        self._samples[number] = legal[below(int(state[k.KEY]), int(state[k.DRAWS]), len(legal))]
        self._ends[:, number] = False
        self.rewards[number] = 0.0
        self.current_player[number] = seat
        self.masks[number] = position.mask()
        self.observations[number] = game.observe(position.row, seat)


class IllegalMoveOfBatch(LudusError):
    """An action that one game of a batch can't play; no game has moved."""


def vector(game: Any, num_envs: int, seed: int = 0, *, players: Any = None, **options: Any) -> VectorGames:
    """A batch of games for self-play: `game` is a Game or what `ludus.make` takes; see VectorGames for the options.

    `autoreset` is "next_step", "same_step", "disabled" or Gymnasium's AutoresetMode. `max_steps` cuts games off.
    `learner` (a player, or "each" for seat i % players in game i) steps only where that player decides; the
    others play at random. Other keywords are options of the rules.
    """
    ours = {name: options.pop(name) for name in ("autoreset", "max_steps", "learner", "compiled") if name in options}
    if isinstance(game, Game):
        if players is not None or options:
            named = ", ".join(options) or "players"
            raise LudusError(f"vector: a game has its players and options; leave out {named}, or name the game")
        return VectorGames(game, num_envs, seed, **ours)
    return VectorGames(make(game, players=players, **options), num_envs, seed, **ours)


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= value.__index__() <= high:
        raise LudusError(f"{name}: a whole number from {low} to {high}, not {quoted(value)}")
    return int(value.__index__())


def _array(actions: Any) -> Any:
    try:
        return np.asarray(actions)
    except ValueError:  # lists of different lengths
        raise IllegalMoveOfBatch(f"actions: one integer for each game, not {quoted(actions)}") from None


def _autoreset(mode: Any) -> int:
    name = str(getattr(mode, "name", mode)).lower()
    if name not in AUTORESET:
        raise LudusError(f"autoreset: {', '.join(AUTORESET)}, not {quoted(mode)}{suggestion(name, AUTORESET)}")
    return AUTORESET[name]


def _tables(game: Game) -> list[int]:
    """The game's tables, with what its kernel sets otherwise in batches."""
    tables = [int(value) for value in game.engine.tables]
    for field, other in getattr(game.engine.twin.interpreted, "IN_BATCHES", {}).items():
        tables[field] = tables[other]
    return tables


def _learners(game: Game, count: int, learner: Any) -> Any:
    if learner is None:
        return k.EVERYBODY
    if learner == EACH:
        return np.arange(count) % game.num_players
    return game.seat_of(learner)
