"""Batches in which one seat learns and others play it: bots, compiled or not, and frozen nets of any library."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.bots.bot import BotError
from ludus.bots.crowd import Crowd, crowd_of
from ludus.bots.roster import bot
from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.kernels import batches as k
from ludus.core.position import Position
from ludus.core.random import stream
from ludus.envs.batch import NEVER, BatchStep, IllegalMoveOfBatch, VectorGames
from ludus.envs.batch_options import EACH
from ludus.envs.opponents import seated


class OpposedGames(VectorGames):
    """`num_envs` games, each with a learner in one seat (`learner`, or seat i % players) and opponents in the others.

    A step is the learner's action and all that follows until it decides again. Opponents are named as for SeatEnv, one
    for all other seats or a list of one each: a bot, or a function that is given what those who decide see and their
    legal actions (float32[K, n], bool[K, A]) and answers with their actions (int[K]), or an object with
    `choose_rows(rows, seeds, plies)`, which gets the positions as rows and may look at `afterstates(rows)`.
    Bots play as outside: what one chooses is what it chooses at `position(i)`. Played by a bot too, game i is that of
    `game.playouts(…, bots=…)`.
    """

    def __init__(
        self, game: Game, num_envs: int, seed: int = 0, *, opponents: Any, learner: Any = EACH, **options: Any
    ) -> None:
        self._opponents = Opposition(game, opponents, options.get("compiled", True))
        self._seeds = np.zeros(0, np.int64)
        super().__init__(game, num_envs, seed, learner=EACH if learner is None else learner, **options)

    def _kernel_learners(self) -> Any:
        return np.full(self.num_envs, k.EVERYBODY)

    def _endings(self) -> tuple[int, int]:
        return k.DISABLED, NEVER  # a game that ends within a step stays until the others are through

    def _keys(self, seed: int, numbers: Any) -> list[int]:
        if len(self._seeds) != self.num_envs:
            self._seeds = np.zeros(self.num_envs, np.int64)
        self._seeds[numbers] = [stream(seed, int(number)) for number in numbers]
        return [stream(int(own), 0) for own in self._seeds[numbers]]

    def position(self, number: int) -> Position:
        """The position of one game, immutable, with the game's own stream: bots choose here as they do in the batch."""
        plain = super().position(number)
        ply = int(self._state[number, k.DRAWS])
        return self.game.position_class(self.game, plain.row, int(self._seeds[number]), ply)

    def step(self, actions: Any) -> BatchStep:
        """Play `actions` (int[N], the learners'), then the others until the learners decide again."""
        self._state[self._waiting(), k.NEXT] = k.BEGINS
        super().step(actions)
        return self._step

    def _waiting(self) -> Any:
        """Games that have ended and begin anew with the next step."""
        return (self._state[:, k.NEXT] == k.WAITS) & (self.autoreset == k.NEXT_STEP)

    def _run(self) -> int:
        """A step of the learners, or of those that do not rest, and all that follows it."""
        steps = self._state[:, k.NEXT] != k.RESTS
        refused = super()._run()
        if refused < 0:
            self._let_others_play(steps)
            self._close_step(np.flatnonzero(steps))
        return refused

    def _let_others_play(self, steps: Any) -> None:
        """Rounds of one move each in every game in which somebody else decides; games that wait rest meanwhile."""
        while True:
            others = steps & (self._state[:, k.NEXT] == k.PLAYS) & (self.current_player != self._learners)
            numbers = np.flatnonzero(others)
            if not len(numbers):
                break
            self._actions[numbers] = self._opponents.moves(self, numbers)
            before = self._state[:, k.NEXT].copy()
            self._state[~others, k.NEXT] = k.RESTS
            self._state[numbers, k.LENGTH] -= 1  # only the learner's steps are counted
            refused = VectorGames._run(self)
            self._state[~others, k.NEXT] = before[~others]
            if refused >= 0:
                self._blame(refused)

    def _blame(self, number: int) -> None:
        try:
            self._refuse(number)
        except IllegalMoveOfBatch as error:
            player = self.game.players[int(self.current_player[number])]
            raise BotError(f"the opponent in the seat of {player}: {error}") from error

    def _close_step(self, numbers: Any) -> None:
        """What the learners see of games that ended or are cut off; new games where they begin in the same step."""
        ended = numbers[self.terminated[numbers]]
        self.observations[ended] = self.ahead.observe(self._sound(ended), self._learners[ended])
        self.current_player[ended] = self._learners[ended]
        late = numbers[(self._state[numbers, k.LENGTH] == self.max_steps) & ~self.terminated[numbers]]
        for found, how in ((ended, self.terminated), (late, self.truncated)):
            if len(found):
                self._finish(found, how)

    def _finish(self, numbers: Any, how: Any) -> None:
        super()._finish(numbers, how)
        if self.autoreset == k.NEXT_STEP:
            self._state[numbers, k.NEXT] = k.WAITS  # `step` lets them begin

    def _sound(self, numbers: Any) -> Any:
        """Some of the games' rows as the kernel takes them."""
        return self._rows[numbers].astype(np.int16, copy=False)

    def set_position(self, number: int, position: Position) -> None:
        """Let one game go on from a position; the others play until the learner decides."""
        if not isinstance(position, Position) or position.game != self.game:
            raise LudusError(f"a position of {self.game!r}, not {quoted(position)}")
        self.set_rows([number], np.array([position.row], np.int16))


class Opposition:
    """Who plays the other seats: for every seat that may learn, one for each of the others."""

    def __init__(self, game: Game, wanted: Any, compiled: bool = True) -> None:
        self._game, self._wanted, self._compiled = game, wanted, compiled
        self._named = [_named(game, learner, wanted) for learner in range(game.num_players)]
        self._crowds: dict[Any, Crowd | None] = {}
        for names in self._named:
            for name in names:
                self._crowd(name)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Opposition, (self._game, self._wanted, self._compiled))  # a copy has working space of its own

    def __deepcopy__(self, memo: dict[int, Any]) -> Opposition:
        return Opposition(self._game, self._wanted, self._compiled)  # a frozen net stays the one it is

    def _crowd(self, name: Any) -> Crowd | None:
        """Who answers for many positions; None for a function, which sees what the batch shows."""
        key = name if isinstance(name, str) else id(name)
        if key not in self._crowds:
            self._crowds[key] = name if hasattr(name, "choose_rows") else self._made(name)
        return self._crowds[key]

    def _made(self, name: Any) -> Crowd | None:
        is_bot = isinstance(name, str) or hasattr(name, "choose")
        return crowd_of(bot(name), self._game, self._compiled) if is_bot else None

    def moves(self, games: OpposedGames, numbers: Any) -> Any:
        """int64[K]: the actions of those who decide in some games."""
        deciders, learners = games.current_player[numbers], games._learners[numbers]
        answers = np.zeros(len(numbers), np.int64)
        for learner, seat in {*zip(learners.tolist(), deciders.tolist(), strict=True)}:
            chosen = np.flatnonzero((learners == learner) & (deciders == seat))
            answers[chosen] = self._ask(self._named[learner][seat], games, numbers[chosen])
        return answers

    def _ask(self, player: Any, games: OpposedGames, numbers: Any) -> Any:
        crowd = self._crowd(player)
        if crowd is not None:
            return crowd.choose_rows(games._sound(numbers), games._seeds[numbers], games._state[numbers, k.DRAWS])
        answer = np.asarray(player(games.observations[numbers], games.masks[numbers]))
        if answer.shape != (len(numbers),) or answer.dtype.kind not in "iu":
            raise BotError(
                f"opponents: {_name(player)} answered {answer.dtype}{list(answer.shape)}, not int[{len(numbers)}]"
            )
        return answer


def _is_for_many(player: Any) -> bool:
    """Whether somebody answers for many games at once, and is no bot."""
    return hasattr(player, "choose_rows") or (callable(player) and not hasattr(player, "choose"))


def _name(player: Any) -> str:
    return str(getattr(player, "__name__", type(player).__name__))


def _named(game: Game, learner: int, wanted: Any) -> list[Any]:
    """What was asked for each seat; a function is taken where a bot is."""
    if _is_for_many(wanted):
        return [wanted] * game.num_players
    if isinstance(wanted, list | tuple) and len(wanted) == game.num_players - 1:
        functions = {at: player for at, player in enumerate(wanted) if _is_for_many(player)}
        named = seated(game, learner, ["random" if at in functions else player for at, player in enumerate(wanted)])
        for at, player in functions.items():
            named[at + (at >= learner)] = player
        return named
    return seated(game, learner, wanted)
