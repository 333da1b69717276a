"""Rollouts: a position played on many times, at a decision after every move, until the answer is clear.

Games come in rounds. A round has a game for each way in which the first roll can fall, as often as it does (stratified
first rolls), so the luck of the first roll is in no result. Intervals are those of the rounds' means. Round r of a move
has the same dice for every move, and is the same whatever the number of workers.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np

from ludus.analysis.playing_on import TO_THE_END, PlayingOn, edge_of, policy_number
from ludus.analysis.sight import NET, has_net, lookahead_of, named
from ludus.arena.journal import Journal
from ludus.bots.net_files import net_for
from ludus.bots.values import evaluator
from ludus.core.errors import LudusError, UnknownName, quoted, suggestion
from ludus.core.fleet import Workers, checked_workers, fleet_for
from ludus.core.game import Game
from ludus.core.kernels.codes import CHANCE, DECISION, STAGE, TURN
from ludus.core.position import Position
from ludus.core.random import stream
from ludus.core.seeds import fold_seed

Z95 = 1.959964
CLEAR = 3.0  # standard errors between the best move and the next: more than for one look, because there are many
AT_ONCE = 16  # rounds of a move between two looks
MOST_GAMES = 10_000_000
FEWEST_ROUNDS = 2

Progress = Callable[[int, int], None]


class Continuing(Protocol):
    """Plays positions on: float64[N, P], the sums of each seat's shares over games first … first + games - 1."""

    name: str

    def sums(self, rows: Any, seed: int, first: int, games: int) -> Any:
        """The sums by row and seat."""


class ByPolicy:
    """Plays on by a policy of the kernel; threads may share it."""

    def __init__(self, game: Game, policy: str, horizon: int, adjusted: bool) -> None:
        self.name, self._game = policy, game
        self._policy, self._horizon, self._adjusted = policy_number(policy), horizon, adjusted
        self._edge = edge_of(game, self._policy)
        self._here = threading.local()

    def sums(self, rows: Any, seed: int, first: int, games: int) -> Any:
        """The sums by row and seat."""
        if not hasattr(self._here, "desk"):
            self._here.desk = PlayingOn(self._game)
        numbers = (seed, first, games)
        return self._here.desk.sums(rows, self._policy, numbers, self._horizon, self._edge, self._adjusted)


class ByNet:
    """Plays on by a net, which also says what luck was; threads may share it."""

    def __init__(self, game: Game, by: str, horizon: int, adjusted: bool) -> None:
        self.name, self._game, self._horizon, self._adjusted = by, game, horizon, adjusted
        self._value = evaluator(*named(by))
        net_for(game, self._value.weights)  # whoever has none is told so now

    def sums(self, rows: Any, seed: int, first: int, games: int) -> Any:
        """The sums by row and seat."""
        desk = self._value.desk(self._game)
        means = [desk.rollout(row, games, seed, self._horizon, self._adjusted, first)[0] for row in rows]
        return games * np.array(means)


def students(freedom: int) -> float:
    """The 97.5% point of Student's t, by its expansion around the normal one (exact to 1% from 5 degrees on)."""
    z = Z95
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95% interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, rounds: Any) -> Estimate:
        """Of the means of rounds, float64[R]; the interval is Student's."""
        count, mean = len(rounds), float(np.mean(rounds))
        spread = float(np.std(rounds, ddof=1)) / math.sqrt(count) if count > 1 else math.inf
        half = spread * students(max(1, count - 1))
        return cls(mean, mean - half, mean + half)


@dataclass(frozen=True)
class MoveRollout:
    """What a move is worth to the one who decides, what it gives each player, and how far it is behind the best."""

    move: str
    worth: Estimate
    values: Mapping[str, Estimate]
    behind: Estimate
    games: int


class Rollout:
    """A position played on: `values` by player, with intervals; at a decision `moves`, the best first."""

    def __init__(self, plan: RolloutPlan, tally: RoundTally, stopped: bool) -> None:
        self.position, self.by, self.seed = plan.position, plan.by, plan.seed
        self.horizon, self.adjusted, self.stopped = plan.horizon, plan.adjusted, stopped
        self._plan, self._rounds = plan, [np.array(rounds) for rounds in tally.whole_rounds()]
        self.games = sum(len(rounds) * size for rounds, size in zip(self._rounds, plan.round_sizes, strict=True))

    @cached_property
    def values(self) -> dict[str, Estimate]:
        """What each player may hope for; at a decision, after the best move."""
        rounds = self._rounds[self._order[0]]
        return {player: Estimate.of(rounds[:, seat]) for seat, player in enumerate(self.position.game.players)}

    @cached_property
    def _order(self) -> list[int]:
        seat = self._plan.seat
        return sorted(range(len(self._rounds)), key=lambda n: -float(self._rounds[n][:, seat].mean()))

    @cached_property
    def moves(self) -> tuple[MoveRollout, ...]:
        """At a decision: every move, the best first; () elsewhere."""
        return tuple(self._move(number) for number in self._order) if self._plan.names else ()

    def _move(self, number: int) -> MoveRollout:
        rounds, seat = self._rounds[number], self._plan.seat
        best = self._rounds[self._order[0]]
        values = {p: Estimate.of(rounds[:, s]) for s, p in enumerate(self.position.game.players)}
        behind = Estimate(0.0, 0.0, 0.0)
        if number != self._order[0]:
            behind = _difference(best[:, seat], rounds[:, seat], self._plan.is_paired)
        return MoveRollout(
            self._plan.names[number], Estimate.of(rounds[:, seat]), values, behind,
            len(rounds) * self._plan.round_sizes[number],
        )  # fmt: skip

    @property
    def best(self) -> str | None:
        """At a decision: the move that came out best."""
        return self.moves[0].move if self.moves else None

    @property
    def clear(self) -> bool:
        """Whether the best move is told apart from all others at 95%."""
        return all(move.behind.low > 0 for move in self.moves[1:])

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": self.position.game.name, "position": self.position.to_dict(), "id": self.position.id,
            "by": self.by, "seed": self.seed, "games": self.games, "stopped": self.stopped,
            "horizon": None if self.horizon == TO_THE_END else self.horizon, "adjusted": self.adjusted,
            "values": {player: asdict(value) for player, value in self.values.items()},
            "moves": [asdict(move) for move in self.moves],
        }  # fmt: skip

    def text(self, lang: str = "en", colour: bool = False) -> str:
        """For a terminal."""
        from ludus.analysis.rollout_text import as_text

        return as_text(self, lang, colour)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        shares = ", ".join(f"{player} {value.value:.3f}" for player, value in self.values.items())
        return f"<Rollout of {self.position.game.name}: {self.games} games, {shares}>"


def _difference(better: Any, worse: Any, paired: bool) -> Estimate:
    """How much better the rounds of one move are; those with the same dice one by one."""
    if paired and len(better) == len(worse):
        return Estimate.of(better - worse)
    first, second = Estimate.of(better), Estimate.of(worse)
    half, mean = math.hypot(first.value - first.low, second.value - second.low), first.value - second.value
    return Estimate(mean, mean - half, mean + half)


class RolloutPlan:
    """What is to be played: a root for each move, its strata, and how many rounds."""

    def __init__(self, position: Position, games: int, seed: int, by: str, horizon: int, adjusted: bool) -> None:
        self.position, self.game, self.seed, self.by = position, position.game, seed, by
        self.horizon, self.adjusted = horizon, adjusted
        row = np.array([list(position.row)], np.int16)
        self.seat = int(row[0, TURN])
        self.names: list[str] = []
        roots = row
        if row[0, STAGE] == DECISION:
            after = lookahead_of(self.game).afterstates(row)
            roots = after.rows.copy()
            self.names = [str(position.move(int(action))) for action in after.actions]
        self.strata = [self._strata(root) for root in roots]
        self.round_sizes = [int(units.sum()) for _, units in self.strata]
        self.rounds = [max(FEWEST_ROUNDS, math.ceil(games / len(roots) / size)) for size in self.round_sizes]
        # the same first rolls in the same order have the same dice: then moves are compared game by game
        self.is_paired = len({tuple(units.tolist()) for _, units in self.strata}) == 1

    def _strata(self, root: Any) -> tuple[Any, Any]:
        """The positions after the first roll, and how often each comes in a round."""
        if root[STAGE] != CHANCE:
            return root[None, :].copy(), np.ones(1, np.int64)
        rolls = lookahead_of(self.game).expand_chance(root[None, :])
        total = sum(self.game.chance_weights(root.tolist()).values())
        units = np.rint(rolls.weights * total).astype(np.int64)
        units //= np.gcd.reduce(units)
        return rolls.rows[units > 0].copy(), units[units > 0]

    def chunks(self) -> Iterator[list[tuple[int, int, int]]]:
        """Move, first round and rounds; a wave of them at a time, after which one may stop."""
        first = 0
        while any(first < rounds for rounds in self.rounds):
            yield [(n, first, min(AT_ONCE, rounds - first)) for n, rounds in enumerate(self.rounds) if first < rounds]
            first += AT_ONCE

    def order(self, number: int, first: int, rounds: int) -> dict[str, Any]:
        """What `play_rounds` is told of some rounds of a move."""
        rows, units = self.strata[number]
        return {
            "rows": rows.tolist(), "units": units.tolist(), "seed": self.seed, "first": first, "rounds": rounds,
            "by": self.by, "horizon": self.horizon, "adjusted": self.adjusted,
        }  # fmt: skip


def play_rounds(game: Game, order: Mapping[str, Any]) -> list[list[float]]:
    """The means of some rounds of a move: [rounds][players]."""
    player = player_of(game, order["by"], order["horizon"], order["adjusted"])
    rows, units = np.array(order["rows"], np.int16), order["units"]
    means = []
    for at in range(order["first"], order["first"] + order["rounds"]):
        total = np.zeros(game.num_players)
        for stratum, count in enumerate(units):
            seed = stream(order["seed"], stratum)
            total += player.sums(rows[stratum : stratum + 1], seed, at * count, count)[0]
        means.append((total / sum(units)).tolist())
    return means


class RoundTally:
    """The means of the rounds that were played, by move; what a journal is read into."""

    def __init__(self, plan: RolloutPlan) -> None:
        self._plan = plan
        self.rounds: list[list[list[float] | None]] = [[None] * count for count in plan.rounds]

    def add(self, line: Mapping[str, Any]) -> bool:
        """Take a chunk over, once; False where it makes no sense."""
        number, first, means = line.get("move"), line.get("first"), line.get("means")
        if not isinstance(number, int) or not isinstance(first, int) or not isinstance(means, list):
            return False
        players = self._plan.game.num_players
        good = [isinstance(mean, list) and len(mean) == players and all(map(_is_real, mean)) for mean in means]
        if not 0 <= number < len(self.rounds) or not means or not all(good) or first < 0:
            return False
        mine = self.rounds[number]
        if first + len(means) > len(mine) or any(mine[at] is not None for at in range(first, first + len(means))):
            return False
        mine[first : first + len(means)] = means
        return True

    def has(self, number: int, first: int) -> bool:
        """Whether a chunk is there."""
        return self.rounds[number][first] is not None

    def whole_rounds(self) -> list[list[list[float]]]:
        """The rounds from the first on, by move."""
        found = []
        for rounds in self.rounds:
            end = next((at for at, mean in enumerate(rounds) if mean is None), len(rounds))
            found.append([mean for mean in rounds[:end] if mean is not None])
        return found

    @property
    def games(self) -> int:
        """How many games there are."""
        sizes = self._plan.round_sizes
        return sum(size * sum(mean is not None for mean in own) for own, size in zip(self.rounds, sizes, strict=True))


def _is_real(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


class RolloutJournal(Journal):
    """The journal of a rollout."""

    format, version = "ludus-rollout", 1
    work, another, task = "a rollout", "another rollout", "rollout"


@dataclass(frozen=True)
class RolloutTerms:
    """The options of a rollout.

    by: who plays: `td`, the net, or `heuristic`, `greedy` or `random`; left out, the net where there is one · horizon:
    decisions, after which a value stands for the rest; left out, to the end · adjusted: less the luck of the dice ·
    stop: as soon as the best move is clear, or where nobody decides, every interval is `within` · journal: a file from
    which the same rollout goes on.
    """

    by: str | None = None
    horizon: int | None = None
    adjusted: bool = True
    stop: bool = False
    within: float = 0.01
    workers: Workers | None = None
    journal: str | os.PathLike[str] | None = None
    progress: Progress | None = None

    def checked(self) -> RolloutTerms:
        """The same, if they make sense."""
        if not _is_real(self.within) or not 0 < self.within < 1:
            raise LudusError(f"within: a number between 0 and 1, not {quoted(self.within)}")
        if self.horizon is not None:
            _whole("horizon", self.horizon, TO_THE_END)
        return replace(self, workers=checked_workers(self.workers))


def rollout(position: Position, games: int = 10_000, seed: int = 1, **options: Any) -> Rollout:
    """Play a position on, about `games` times in all; the options are those of RolloutTerms (docs/analysis.md)."""
    terms = _terms(options)
    _check(position, games)
    far = terms.horizon or TO_THE_END
    game = position.game.compile()
    player = player_of(game, terms.by, far, terms.adjusted)
    plan = RolloutPlan(position, games, fold_seed(seed), player.name, far, terms.adjusted)
    settings = {
        "game": game.name, "digest": game.digest, "position": position.id, "games": games, "seed": plan.seed,
        "by": plan.by, "horizon": far, "adjusted": terms.adjusted,
    }  # fmt: skip
    tally = RoundTally(plan)
    with RolloutJournal(tally, terms.journal, settings) as kept:
        stopped = _play(plan, player, kept, tally, terms)
    return Rollout(plan, tally, stopped)


def _terms(options: dict[str, Any]) -> RolloutTerms:
    known = [field.name for field in fields(RolloutTerms)]
    for name in options:
        if name not in known:
            hint = suggestion(name, known)
            raise UnknownName(f"rollout: no option {quoted(name)}{hint}; there are {', '.join(known)}")
    return RolloutTerms(**options).checked()


@lru_cache(maxsize=8)
def player_of(game: Game, by: str | None, horizon: int, adjusted: bool) -> Continuing:
    """Who plays positions on: who was named, else the shipped net, else the heuristic."""
    if by is None:
        by = NET if has_net(game) else "heuristic"
    if isinstance(by, str) and by.partition(":")[0] == NET:
        return ByNet(game, by, horizon, adjusted)
    return ByPolicy(game.compile(), by, horizon, adjusted)


def _play(plan: RolloutPlan, player: Continuing, kept: Journal, tally: RoundTally, terms: RolloutTerms) -> bool:
    """Play wave by wave; whether it stopped before the end."""
    planned = sum(rounds * size for rounds, size in zip(plan.rounds, plan.round_sizes, strict=True))
    waves = list(plan.chunks())
    player.sums(plan.strata[0][0][:1], plan.seed, 0, 1)  # compiled here, not in the threads: so it can be interrupted
    with fleet_for(checked_workers(terms.workers)) as fleet:
        for number, wave in enumerate(waves):
            missing = [chunk for chunk in wave if not tally.has(*chunk[:2])]
            for which, means in fleet.each(play_rounds, plan.game, [plan.order(*chunk) for chunk in missing]):
                kept.add({"move": missing[which][0], "first": missing[which][1], "means": means})
                if terms.progress is not None:
                    terms.progress(tally.games, planned)
            if terms.stop and _is_clear(plan, tally, terms.within):
                return number < len(waves) - 1
    return False


def _is_clear(plan: RolloutPlan, tally: RoundTally, within: float) -> bool:
    """Whether what was played answers the question."""
    rounds = [np.array(own) for own in tally.whole_rounds()]
    if not plan.names:
        estimates = [Estimate.of(rounds[0][:, seat]) for seat in range(plan.game.num_players)]
        return all(estimate.high - estimate.value <= within for estimate in estimates)
    own = [each[:, plan.seat] for each in rounds]
    best = max(range(len(own)), key=lambda n: float(own[n].mean()))
    others = [_difference(own[best], each, plan.is_paired) for n, each in enumerate(own) if n != best]
    return all(gap.value > CLEAR / Z95 * (gap.value - gap.low) for gap in others)


def _check(position: Any, games: Any) -> None:
    if not isinstance(position, Position):
        raise LudusError(f"what is played on is a position, not {quoted(position)}")
    if position.to_move is None:
        raise LudusError("the game is over in this position: there is nothing to play on")
    if position.game.plugins:
        raise LudusError(f"{position.game.name} has rules in Python, which no kernel knows: it can't be rolled out")
    _whole("games", games, MOST_GAMES)


def _whole(name: str, value: Any, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise LudusError(f"{name}: a whole number from 1 to {most:,}, not {quoted(value)}")
    return value
