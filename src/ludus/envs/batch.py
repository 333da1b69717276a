"""Batches of games for self-play: every game steps in one compiled call, results are written into NumPy arrays."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ludus.core.arrays import aligned, callers_own, checked_names
from ludus.core.engine import TURN
from ludus.core.errors import IllegalMove, LudusError, quoted
from ludus.core.game import Game
from ludus.core.kernels import batches as k
from ludus.core.lookahead import Afterstates, Lookahead, Rolls, batch_tables, kernel_for
from ludus.core.patience import said_if_long
from ludus.core.position import Position
from ludus.core.random import below, stream
from ludus.core.registry import make
from ludus.core.seeds import fold_seed
from ludus.envs.batch_options import autoreset_of, illegal_loses, learners_of, whole
from ludus.envs.underway import checked_rolls

KERNEL = "ludus.core.kernels.batches"
MOST_GAMES = 1 << 20
NEVER = -1
ILLEGAL_REWARD = -1.0
OPTIONS = ("autoreset", "max_steps", "learner", "compiled", "specialised", "out", "illegal", "opponents")
OWN = ("observations", "final_observations", "masks", "rewards", "current_player")  # arrays that a caller may bring


# what a copy copies, and what it makes anew
KEPT = ("_rows", "_state", "_actions", "_samples", "_ends", *OWN)
REBUILT = ("_kernel", "_short", "_long", "_tables", "_start", "_scratch", "_arguments", "_call", "_step", "terminated",
           "truncated")  # fmt: skip


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
        specialised: bool = True,
        out: Mapping[str, Any] | None = None,
        illegal: str = "raises",
    ) -> None:
        if game.plugins:
            raise LudusError(
                f"vector: {game.name} has rules in Python, which no batch can play: leave out the plug-ins"
            )
        if max_steps is None:
            game.ask_for_limit()
        self.game = game
        self.num_envs = whole("num_envs", num_envs, 1, MOST_GAMES)
        self.max_steps = NEVER if max_steps is None else whole("max_steps", max_steps, 1, 1 << 40)
        self.autoreset = autoreset_of(autoreset)
        self._is_compiled, self._is_specialised = compiled, specialised
        self._learners = learners_of(game, self.num_envs, learner)
        self._illegal_loses = illegal_loses(illegal)
        self.illegal: Any = np.zeros(self.num_envs, np.bool_)
        self._forced: dict[int, deque[str]] = {}  # rolls that are not left to chance, by game
        with said_if_long(f"ludus compiles batches of {game.name} for this machine; they are kept, so this is once"):
            self._build(checked_names(out, OWN))
        self.reset(seed)

    def _build(self, own: Mapping[str, Any]) -> None:
        """The kernel, and the arrays that it writes to."""
        game, count = self.game, self.num_envs
        tables = batch_tables(game)
        self._kernel = kernel_for(KERNEL, game, tables, self._is_compiled, self._is_specialised)
        # the interpreted twin counts with Python's integers, which do not overflow
        self._short: Any
        self._long: Any
        self._short, self._long = (np.int16, np.int64) if self._is_compiled else (np.object_, np.object_)
        self._tables = np.array(tables, self._long)
        self._start = np.array(game.start_row(), self._short)
        self._rows = aligned((count, len(self._start)), self._short)
        self._scratch = np.zeros(len(game.engine.scratch), self._long)
        self._state = np.zeros((count, k.FIELDS), self._long)
        self._state[:, k.LEARNER] = self._kernel_learners().astype(self._long)
        self._actions = np.zeros(count, self._long)
        self._samples = np.zeros(count, self._long)
        self._ends = np.zeros((2, count), np.bool_)
        self.terminated, self.truncated = self._ends
        self._build_shown(own)
        self._arguments = (
            self._start, self._rows.ravel(), self._tables, self._scratch, self._state.ravel(),
            self._actions, self._samples, self.observations.ravel(), self.final_observations.ravel(),
            self.masks.view(np.uint8).ravel(), self.rewards.ravel(), self._ends.view(np.uint8).ravel(),
            self.current_player, count, *self._endings(),
        )  # fmt: skip
        self._call = self._kernel.step_api
        self._step = BatchStep(
            self.observations, self.masks, self.rewards, self.terminated, self.truncated, self.current_player
        )

    def _build_shown(self, own: Mapping[str, Any]) -> None:
        """What is seen of the games; arrays of the caller's where it brings some."""
        game, count = self.game, self.num_envs
        features, size, players = len(game.observation_names), game.num_actions, game.num_players

        def array(name: str, shape: tuple[int, ...], dtype: Any) -> Any:
            return callers_own(name, own[name], shape, dtype) if name in own else aligned(shape, dtype)

        self.observations = array("observations", (count, features), np.float32)
        self.final_observations = array("final_observations", (count, features), np.float32)
        self.masks = array("masks", (count, size), np.bool_)
        self.rewards = array("rewards", (count, players), np.float32)
        self.current_player = array("current_player", (count,), np.int64)

    def _kernel_learners(self) -> Any:
        """int64[N]: for whose decisions the kernel stops."""
        return self._learners

    def _endings(self) -> tuple[int, int]:
        """What follows the end of a game, and when one is cut off, as the kernel is told."""
        return self.autoreset, self.max_steps

    def reset(self, seed: int | None = None, *, which: Any = None, rolls: Any = ()) -> BatchStep:
        """New games: all of them, or those that `which` (bool[N]) marks; a seed starts every stream anew.

        rolls: the first outcomes of chance in each, in order.
        """
        chosen = np.ones(self.num_envs, np.bool_) if which is None else np.asarray(which)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            raise LudusError(f"which: bool[{self.num_envs}], a mark for each game, not {quoted(which)}")
        numbers, wanted = np.flatnonzero(chosen), checked_rolls(rolls)
        first = self._rolled(self.game.start(), deque(wanted)) if wanted else None
        if seed is not None:
            self._state[chosen, k.KEY] = np.array(self._keys(fold_seed(seed), numbers), self._long)
            self._state[chosen, k.DRAWS] = 0
        for number in numbers:
            self._forced.pop(int(number), None)
        if first is None:
            self._only(numbers, k.BEGINS)
            return self._step
        position, left = first
        for number in numbers:
            self._forced[int(number)] = deque(left)
        return self._go_on(numbers, np.tile(np.array(position.row, self._short), (len(numbers), 1)))

    def _keys(self, seed: int, numbers: Any) -> list[int]:
        """The random streams of games."""
        return [stream(seed, int(number)) for number in numbers]

    def step(self, actions: Any) -> BatchStep:
        """Play `actions` (int[N], one for each game); one that is not legal is an IllegalMove, nothing has changed."""
        given = actions if isinstance(actions, np.ndarray) else _array(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise IllegalMoveOfBatch(f"actions: int[{self.num_envs}], not {given.dtype}{list(given.shape)}")
        self._actions[:] = given
        if self._illegal_loses and (losers := self._losers()).size:
            return self._step_without(losers)
        self._advance()
        return self._step

    def _advance(self) -> None:
        """Play the actions of all games that do not rest; where that fails, nothing has changed."""
        saved = {name: getattr(self, name).copy() for name in KEPT} if self._forced else {}
        forced = {number: deque(left) for number, left in self._forced.items()}
        try:
            refused = self._run()
            if refused >= 0:
                self._refuse(refused)
        except LudusError:
            for name, array in saved.items():
                getattr(self, name)[...] = array
            self._forced = forced
            raise

    def _losers(self) -> Any:
        """int64[K]: the games whose action is none of the legal ones, though it is an action."""
        self.illegal[:] = False
        actions = self._actions.astype(np.int64)
        if actions.min() < 0 or actions.max() >= self.game.num_actions:
            return np.zeros(0, np.int64)  # some are no actions at all: the kernel refuses them
        self.illegal[:] = ~self.masks[np.arange(self.num_envs), actions] & (self._state[:, k.NEXT] == k.PLAYS)
        return np.flatnonzero(self.illegal)

    def _step_without(self, losers: Any) -> BatchStep:
        """The other games play; those of the losers end where they are, -1 for whoever decided."""
        self._state[losers, k.NEXT] = k.RESTS
        deciders = self.current_player[losers]
        try:
            self._advance()
        except LudusError:
            self._state[losers, k.NEXT] = k.PLAYS
            raise
        self._ends[:, losers] = False
        self.rewards[losers] = 0.0
        self.rewards[losers, deciders] = ILLEGAL_REWARD
        self._finish(losers, self.terminated)
        return self._step

    def _finish(self, numbers: Any, how: Any) -> None:
        """End games where they are (`how`: terminated or truncated); what follows is as `autoreset` says."""
        how[numbers] = True
        self._state[numbers, k.NEXT] = k.WAITS
        if self.autoreset != k.DISABLED:
            self._state[numbers, k.NEXT] = k.BEGINS
        if how is self.terminated:
            self.masks[numbers] = False
            self.masks[numbers, -1] = self.autoreset == k.NEXT_STEP
        if self.autoreset == k.SAME_STEP:
            self._begin_anew(numbers)

    def _begin_anew(self, numbers: Any) -> None:
        """Games that have ended give way to new ones in the same step; how they ended stays to be seen."""
        self.final_observations[numbers] = self.observations[numbers]
        rewards, ends = self.rewards[numbers], self._ends[:, numbers]
        self._only(numbers, k.BEGINS)
        self.rewards[numbers], self._ends[:, numbers] = rewards, ends

    def force_rolls(self, rolls: Any, which: Any = None) -> None:
        """The next outcomes of chance, in order, of all games or of `which`, whoever's they are.

        One that can't come when its turn has come is an error of that step, which then changes nothing. What is left
        when a game ends is forgotten.
        """
        wanted = checked_rolls(rolls)
        for number in range(self.num_envs) if which is None else self._numbers(which):
            if wanted:
                self._forced.setdefault(int(number), deque()).extend(wanted)

    def _run_forced(self) -> int:
        """A step in which some games have their rolls told: they are played in Python up to where chance is free."""
        following = {number: self._state[number, k.NEXT] for number in self._forced}
        playing = [number for number, what in following.items() if what == k.PLAYS]
        if playing and (refused := k.first_refused(*self._what_is_asked())) >= 0:
            return refused
        moved = {number: self._moved(number) for number in playing}
        for number, (position, left, draws) in moved.items():
            self._rows[number] = position.row
            self._state[number, k.DRAWS] = draws
            self._state[number, k.NEXT] = k.RESUMES
            self._forced[number] = left
        over = [number for number, what in following.items() if what in (k.BEGINS, k.WAITS)]
        self._forced = {number: left for number, left in self._forced.items() if left and number not in over}
        found: int = self._call(*self._arguments)
        return found

    def _what_is_asked(self) -> tuple[Any, ...]:
        masks = self.masks.view(np.uint8).ravel()
        return self._state.ravel(), self._actions, masks, self.num_envs, self.game.num_actions

    def _moved(self, number: int) -> tuple[Position, deque[str], int]:
        """Where a game gets with its action while its rolls are told, the rolls left, and the next draw's number."""
        state, left = self._state[number], deque(self._forced[number])
        learner, key = int(state[k.LEARNER]), int(state[k.KEY])
        start = self.game.position_class(self.game, self._rows[number].tolist(), 0, int(state[k.DRAWS]))
        position = start.after(int(self._actions[number]))
        while position.to_move is not None:
            if position.to_move == "chance":
                if not left:
                    break
                position = self._forced_roll(number, position, left)
            elif learner in (k.EVERYBODY, position.row[TURN]):
                break
            else:
                legal = self.game.legal_actions(position.row)
                position = position.after(legal[below(key, position.ply, len(legal))])
        return position, left if position.to_move is not None else deque(), position.ply

    def _forced_roll(self, number: int, position: Position, left: deque[str]) -> Position:
        try:
            return position.play(left.popleft())
        except IllegalMove as error:
            raise IllegalMoveOfBatch(f"game {number} of the batch: {error}") from error

    def _rolled(self, position: Position, left: deque[str]) -> tuple[Position, deque[str]]:
        """A position after the rolls that come one after the other, and those that come later."""
        while position.to_move == "chance" and left:
            position = position.play(left.popleft())
        return position, left

    def sample(self) -> Any:
        """int64[N]: what a player who picks among the moves at random plays now; drawn from each game's own stream."""
        return self._samples.copy() if self._long is np.int64 else self._samples.astype(np.int64)

    def _run(self) -> int:
        if self._forced:
            return self._run_forced()
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

    @cached_property
    def ahead(self) -> Lookahead:
        """What comes next from the positions of this game."""
        return Lookahead(self.game, self._is_compiled, self._is_specialised)

    @property
    def rows(self) -> Any:
        """int16[N, R]: the positions as rows, read only; they go on with the games, so copy what you keep."""
        rows = self._rows.view() if self._is_compiled else self._rows.astype(np.int16)
        rows.flags.writeable = False
        return rows

    def afterstates(self, rows: Any = None, out: Mapping[str, Any] | None = None) -> Afterstates:
        """Every position that a legal move leads to, of each game or of each of `rows`, before chance acts.

        `out`: arrays of your own to be written into, by the names of Afterstates; the others are yours too.
        """
        return self.ahead.afterstates(self._given(rows), out)

    def expand_chance(self, rows: Any = None, out: Mapping[str, Any] | None = None) -> Rolls:
        """Every position that the next roll leads to, with its probability, of each afterstate or of each of `rows`."""
        after = self.afterstates().rows if rows is None else self._given(rows)
        return self.ahead.expand_chance(after, out)

    def observe(self, seat: Any = None, out: Any = None, *, rows: Any = None) -> Any:
        """float32[N, n]: what a player, or each of seats int[N], sees of its game; float32[N, P, n] for "all".

        Who decides, or decided last, where none is named. `rows`: of these instead of the games.
        """
        given = self._given(rows)
        return self.ahead.observe(given, given[:, TURN].astype(np.int64) if seat is None else seat, out)

    def _given(self, rows: Any) -> Any:
        return self._rows if rows is None else self.ahead.checked_rows(rows)

    def set_rows(self, which: Any, rows: Any) -> BatchStep:
        """Let games go on from other positions: `which` are their numbers (int[K]) or marks (bool[N]).

        Where a roll is due, it is rolled; a game that is over there has ended with this.
        """
        numbers = self._numbers(which)
        given = self.ahead.checked_rows(rows)
        if len(given) != len(numbers):
            raise LudusError(f"set_rows: {len(numbers)} games and {len(given)} rows; a row for each")
        for number in numbers:
            self._forced.pop(int(number), None)
        return self._go_on(numbers, given)

    def _go_on(self, numbers: Any, rows: Any) -> BatchStep:
        """Games go on from rows; chance acts where it is due."""
        self._rows[numbers] = rows
        self._state[numbers, k.LENGTH] = -1
        self._only(numbers, k.RESUMES)
        return self._step

    def _numbers(self, which: Any) -> Any:
        marks = np.asarray(which)
        if marks.shape == (self.num_envs,) and marks.dtype == np.bool_:
            return np.flatnonzero(marks)
        if marks.ndim != 1 or marks.dtype.kind not in "iu" or len(np.unique(marks)) != len(marks):
            raise LudusError(f"which: different games as int[K], or bool[{self.num_envs}], not {quoted(which)}")
        if len(marks) and not (marks.min() >= 0 and marks.max() < self.num_envs):
            raise LudusError(f"which: games 0 to {self.num_envs - 1}, not {marks.min()} to {marks.max()}")
        return marks.astype(np.int64)

    def _only(self, numbers: Any, following: int) -> None:
        """Step some games, which do what `following` says, while the others rest."""
        before = self._state[:, k.NEXT].copy()
        self._state[:, k.NEXT] = k.RESTS
        self._state[numbers, k.NEXT] = following
        self._run()
        resting = np.ones(self.num_envs, np.bool_)
        resting[numbers] = False
        self._state[resting, k.NEXT] = before[resting]

    def copy(self) -> VectorGames:
        """The same games once more, with arrays of their own; both go on with the same dice."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in REBUILT and name != "ahead"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kept = {name: state.pop(name) for name in KEPT}
        vars(self).update(state)
        self._build({})
        for name, array in kept.items():
            getattr(self, name)[...] = array

    def position(self, number: int) -> Position:
        """The position of one game, immutable."""
        number = whole("number", number, 0, self.num_envs - 1)
        return self.game.position_class(self.game, self._rows[number].tolist(), 0, 0)

    def set_position(self, number: int, position: Position) -> None:
        """Let one game go on from a position at which somebody decides."""
        number = whole("number", number, 0, self.num_envs - 1)
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
    others play at random, or as `opponents` says: a bot, a function of observations and masks, or one for each.
    `illegal`: "raises" or "loses". `out`: arrays of your own to be written into, by name. `specialised=False` takes the
    kernel that serves every game of its kind, for sweeps over many rule sets. Other keywords are options of the rules.
    """
    ours = {name: options.pop(name) for name in OPTIONS if name in options}
    if isinstance(game, Game):
        if players is not None or options:
            named = ", ".join(options) or "players"
            raise LudusError(f"vector: a game has its players and options; leave out {named}, or name the game")
    else:
        game = make(game, players=players, **options)
    if ours.get("opponents") is None:
        ours.pop("opponents", None)
        return VectorGames(game, num_envs, seed, **ours)
    from ludus.envs.opposed import OpposedGames

    return OpposedGames(game, num_envs, seed, **ours)


def _array(actions: Any) -> Any:
    try:
        return np.asarray(actions)
    except ValueError:  # lists of different lengths
        raise IllegalMoveOfBatch(f"actions: one integer for each game, not {quoted(actions)}") from None
