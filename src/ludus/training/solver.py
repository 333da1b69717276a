"""`ludus.solve`: the exact values of games that are small enough, by value iteration over all their positions.

Two players, or two teams: what the first gets is bounded from below and from above, and both bounds meet: their gap
is the proof. More players each play for themselves (max^n); there the largest change of the last round is told.
"""

from __future__ import annotations

import json
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from ludus.bots import Bot
from ludus.bots import bot as bot_by_name
from ludus.bots.crowd import crowd_of
from ludus.core.engine import DECISION, STAGE, TURN
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.position import Move, Position
from ludus.core.registry import make
from ludus.core.whole_file import whole
from ludus.training.bot_choices import BotChoices
from ludus.training.state_space import AT_ONCE, MOST_STATES, Progress, StateSpace

TOLERANCE = 1e-9
MOST_ROUNDS = 100_000
ROUNDS_BETWEEN = 20  # until values are kept again


def solve(
    game: Game | str | Any,
    *,
    position: Position | None = None,
    out: str | Path | None = None,
    tolerance: float = TOLERANCE,
    most: int = MOST_STATES,
    progress: Progress | None = None,
) -> Solution:
    """Solve a game, or all that can follow a position of it.

    `out` is a folder that keeps the work: asked again, it goes on there, or is done at once.
    """
    chosen = game if isinstance(game, Game) else make(game)
    if chosen.plugins:
        raise LudusError("solve: rules in Python can't be solved")
    if not 0 < tolerance < 1:
        raise LudusError(f"solve: tolerance is a number between 0 and 1, not {tolerance!r}")
    if position is not None and (position.game.digest != chosen.digest or position.to_move is None):
        raise LudusError(f"solve: what is solved is a position of {chosen.name} in which the game goes on")
    keeping = tempfile.TemporaryDirectory(prefix="ludus-solve-") if out is None else None
    starts = None if position is None else np.array([list(position.row)], np.int16)
    space = StateSpace(chosen, Path(keeping.name if keeping else str(out)).expanduser(), most, starts)
    space.explore(progress)
    return Solution(space, tolerance, progress, keeping, position)


class Graph:
    """What follows from every position, as the kernel reads it."""

    def __init__(self, space: StateSpace) -> None:
        self.rolls = len(space.array("mover_of"))
        self.roll_at = np.concatenate([[0], np.cumsum(space.array("rolls"), dtype=np.int64)])
        self.next_at = np.concatenate([[0], np.cumsum(space.array("nexts"), dtype=np.int64)])
        self.weights = np.array(space.weights)
        names = ("weight_of", "mover_of", "count_of", "next_")
        self.weight_of, self.mover_of, self.count_of, self.next_ = (np.asarray(space.array(name)) for name in names)

    @property
    def line(self) -> tuple[Any, ...]:
        """The arguments in the kernel's order."""
        return self.roll_at, self.weight_of, self.weights, self.mover_of, self.count_of, self.next_at, self.next_


class Solution:
    """Values of every position of a game: `value`, `best`, `exploit`; `gap` is how far they can be off."""

    def __init__(
        self,
        space: StateSpace,
        tolerance: float,
        progress: Progress | None,
        keeping: Any,
        start: Position | None = None,
    ) -> None:
        self.game, self.space, self._keeping = space.game, space, keeping
        self.start = start or space.game.start()  # from where everything was found
        self.tolerance = tolerance
        self.graph = Graph(space)
        self.players = self.game.num_players
        # chances to win: a prize of 1 is a game won, of -1 one lost, of 0 one shared
        self._prizes = (np.array(space.prizes).reshape(-1, self.players) + 1) / 2
        self.sides = _two_sides(self._prizes, self.game)
        self.rounds, self.gap = 0, 1.0
        self.values = self._solve(progress)

    @property
    def positions(self) -> int:
        """How many there are."""
        return self.space.count

    # ------------------------------------------------------------ solving

    def _solve(self, progress: Progress | None) -> Any:
        """float64[N, P]: the chances of every player."""
        state = self._kept()
        rounds = self._bounds_round if self.sides else self._values_round
        values = self._begin(state)
        while self.gap > self.tolerance and self.rounds < MOST_ROUNDS:
            self.gap = rounds(values)
            self.rounds += 1
            if self.rounds % ROUNDS_BETWEEN == 0:
                self._keep(values)
            if progress is not None:
                progress("solve", self.rounds, self.positions)
        self._keep(values)
        if not self.sides:
            return values.reshape(-1, self.players)
        first = values.reshape(-1, 2).mean(axis=1)
        return np.stack([first if side == 0 else 1 - first for side in self.sides], axis=1)

    def _begin(self, state: Any) -> Any:
        if state is not None:
            return state
        if self.sides:
            return np.tile(np.array([0.0, 1.0]), self.positions)
        return np.full(self.positions * self.players, 1 / self.players)

    def _bounds_round(self, values: Any) -> float:
        graph, sides = self.graph, np.array(self.sides, np.uint8)
        movers = sides[graph.mover_of]
        line = (graph.roll_at, graph.weight_of, graph.weights, movers, graph.count_of, graph.next_at, graph.next_)
        return float(self.space.kernel.bound_api(values, self._prizes[:, 0].copy(), *line, 0, self.positions))

    def _values_round(self, values: Any) -> float:
        fresh = np.zeros(self.players)
        line = (*self.graph.line, fresh, 0, self.positions)
        return float(self.space.kernel.sweep_api(values, self._prizes.ravel(), self.players, *line))

    # ------------------------------------------------------------ the folder

    def _keep(self, values: Any) -> None:
        if self._keeping is not None:
            return
        data = np.ascontiguousarray(values, np.float64).tobytes()
        state = {
            **self.space.head, "rounds": self.rounds, "gap": self.gap, "positions": self.positions,
            "sum": zlib.crc32(data),
        }  # fmt: skip
        with whole(self._values_file) as file:
            file.write(json.dumps(state).encode() + b"\n")
            file.write(data)

    @property
    def _values_file(self) -> Path:
        """One line of JSON, then float64s."""
        return self.space.folder / "values.bin"

    def _kept(self) -> Any:
        """Values that were kept, where they are as they were written; others are made anew."""
        if self._keeping is not None:
            return None
        try:
            line, _, data = self._values_file.read_bytes().partition(b"\n")
            state = json.loads(line)
            told = {key: state[key] for key in (*self.space.head, "positions", "sum")}
            rounds, gap = int(state["rounds"]), float(state["gap"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if told != {**self.space.head, "positions": self.positions, "sum": zlib.crc32(data)}:
            return None
        self.rounds, self.gap = rounds, gap
        return np.frombuffer(data, np.float64).copy()

    # ------------------------------------------------------------ questions

    def value(self, position: Position) -> dict[str, float]:
        """Everybody's chance to win when all play perfectly."""
        self._check(position)
        return dict(
            zip(self.game.players, map(float, self.values_of(np.array([list(position.row)], np.int16))[0]), strict=True)
        )

    def best(self, position: Position) -> Move:
        """The best move, the first of equals."""
        self._check(position)
        moves = position.moves()
        if not moves:
            raise LudusError("solve: nobody decides in this position")
        seat = self.game.seat_of(str(position.to_move))
        rows = np.array([list(position.play(move).row) for move in moves], np.int16)
        return moves[int(np.argmax(np.round(self.values_of(rows)[:, seat], 12)))]

    def _check(self, position: Position) -> None:
        if position.game.digest != self.game.digest:
            raise LudusError(f"solve: this is a position of {position.game.name}, solved was {self.game.name}")

    def values_of(self, rows: Any, rolls: int = 1) -> Any:
        """float64[N, P]: the chances of every player in positions of any kind.

        Set-up positions may be unknown: those that come to known ones within so many rolls have a value.
        """
        found = np.zeros((len(rows), self.players))
        ahead = self.space.ahead
        over = rows[:, STAGE] == 0
        numbers = np.where(over, -1, self.space.numbers_of(rows))
        known = numbers >= 0
        found[known] = self.values[numbers[known]]
        for at in np.flatnonzero(over):
            found[at] = [(prize + 1) / 2 for prize in self.game.result_of(rows[at]).values()]
        rest = ~known & ~over
        decided, rolled = rest & (rows[:, STAGE] == DECISION), rest & (rows[:, STAGE] != DECISION)
        if decided.any():
            found[decided] = self._after(ahead.afterstates(rows[decided].copy()), rows[decided][:, TURN], rolls)
        if rolled.any():
            if rolls == 0:
                raise LudusError("solve: a position that is none of those that were solved has no value here")
            found[rolled] = self._rolled(ahead.expand_chance(rows[rolled].copy()), rolls - 1)
        return found

    def _after(self, after: Any, movers: Any, still: int) -> Any:
        offsets, values = np.array(after.offsets), self.values_of(np.array(after.rows), still)
        best = []
        for seat, first, last in zip(movers, offsets[:-1], offsets[1:], strict=True):
            best.append(first + int(np.argmax(values[first:last, seat])))
        return values[best]

    def _rolled(self, rolls: Any, still: int) -> Any:
        offsets, weights, rows = np.array(rolls.offsets), np.array(rolls.weights), np.array(rolls.rows)
        return np.add.reduceat(self.values_of(rows, still) * weights[:, None], offsets[:-1], axis=0)

    # ------------------------------------------------------------ best answers

    def exploit(self, bot: Bot | str, seed: int = 0, progress: Progress | None = None) -> dict[str, Any]:
        """How much a perfect player wins against a bot that has all other seats, more than against perfect ones.

        'by seat': the chance of the best answer from each seat; 'exploitability': the mean gain over perfect play.
        """
        player = bot_by_name(bot, seed=seed) if isinstance(bot, str) else bot
        player.check(self.game)
        chosen = self._choices_of(player, progress)
        start = self.space.numbers_of(np.array([list(self.start.row)], np.int16))[0]
        answers: dict[str, float] = {}
        gains = []
        for seat, name in enumerate(self.game.players):
            answers[name] = float(self._answer(seat, chosen)[start])
            gains.append(answers[name] - float(self.values[start, seat]))
        return {"by seat": answers, "exploitability": sum(gains) / len(gains)}

    def _answer(self, seat: int, chosen: Any) -> Any:
        values = self.values[:, seat].copy()
        graph, change = self.graph, 1.0
        prizes = self._prizes[:, seat].copy()
        for _ in range(MOST_ROUNDS):
            change = self.space.kernel.answer_api(values, prizes, 1, seat, *graph.line, chosen, 0, self.positions)
            if change <= self.tolerance:
                break
        return values

    def _choices_of(self, player: Bot, progress: Progress | None = None) -> Any:
        """int32[rolls]: which of the positions that a roll can be made into a bot makes it."""
        asked = BotChoices(self.space, crowd_of(player, self.game))
        chosen = np.zeros(self.graph.rolls, np.int32)
        for first in range(0, self.positions, AT_ONCE):
            last = min(first + AT_ONCE, self.positions)
            rolls = slice(int(self.graph.roll_at[first]), int(self.graph.roll_at[last]))
            at, end = int(self.graph.next_at[first]), int(self.graph.next_at[last])
            counts = self.graph.count_of[rolls]
            chosen[rolls] = asked.choices(first, last, counts, self.graph.next_[at:end])
            if progress is not None:
                progress("ask", last, self.positions)
        return chosen

    def to_dict(self) -> dict[str, Any]:
        """In short, as plain data."""
        return {
            "game": self.game.name, "players": list(self.game.players), "positions": self.positions,
            "rounds": self.rounds, "gap": self.gap, "proven": bool(self.sides) and self.gap <= self.tolerance,
            "value": self.value(self.start),
        }  # fmt: skip


def _two_sides(prizes: Any, game: Game) -> list[int]:
    """The side of each player, where there are two and one wins what the other loses; else nothing."""
    together = [np.allclose(prizes[:, seat], prizes[:, 0]) for seat in range(game.num_players)]
    apart = [np.allclose(prizes[:, seat], 1 - prizes[:, 0]) for seat in range(game.num_players)]
    if all(a != b for a, b in zip(together, apart, strict=True)) and any(apart):
        return [0 if same else 1 for same in together]
    return []
