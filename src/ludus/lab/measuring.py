"""What is measured of one rule set (docs/lab.md defines every figure)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludus.arena import arena
from ludus.arena.ratings import Z95
from ludus.arena.standings import wilson
from ludus.bots import bot
from ludus.core.errors import LudusError
from ludus.core.game import Game, Position
from ludus.core.seeds import derived_seed

LEVELS = ("random", "greedy", "heuristic")  # weakest first
SECONDS_A_ROLL, SECONDS_A_CHOICE = 3.0, 4.0  # how long people take
AT_ONCE = 2_000
MOST_WATCHED = 40  # games that are looked at move by move
MAX_PLIES = 100_000

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Figure:
    """A number with its 95% interval and how many it was seen in; `low` and `high` are nothing where it has none."""

    value: float
    low: float | None
    high: float | None
    n: int

    def data(self) -> dict[str, float | int | None]:
        """As plain data."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.n}


def share_of(count: int, of: int) -> Figure:
    """A share of games."""
    low, high = wilson(count / of, of) if of else (0.0, 1.0)
    return Figure(count / of if of else 0.0, low, high, of)


def mean_of(values: Any) -> Figure:
    """A mean."""
    values = np.asarray(values, dtype=float)
    count = len(values)
    if not count:
        return Figure(math.nan, None, None, 0)
    mean = float(values.mean())
    half = Z95 * float(values.std(ddof=1)) / math.sqrt(count) if count > 1 else math.inf
    return Figure(mean, mean - half, mean + half, count) if count > 1 else Figure(mean, None, None, 1)


def plain(value: float, n: int) -> Figure:
    """A number without an interval: a quantile, or a deviation."""
    return Figure(float(value), None, None, n)


@dataclass
class Watched:
    """What is seen move by move."""

    games: int = 0
    turns: int = 0
    turns_with_choice: int = 0
    rolls: int = 0
    decisions: int = 0
    choices: list[int] = field(default_factory=list)
    first_out: list[int] = field(default_factory=list)
    events: dict[str, int] = field(default_factory=dict)


class Measured:
    """The figures of one game: `figures[name]`."""

    def __init__(self, game: Game, games: int, seed: int, progress: Progress | None = None) -> None:
        self.game, self.games, self.seed = game, games, seed
        self._progress, self._done = progress, 0
        self.levels = [name for name in LEVELS if plays(name, game)]
        self.figures: dict[str, Figure] = dict(self._all())

    def _all(self) -> Iterator[tuple[str, Figure]]:
        level = self.levels[-1]
        played = self._play(level)
        watched = self._watch(level)
        yield from self._lengths(played, watched)
        yield from self._ends(played)
        yield from self._choices(watched)
        yield from self._skill()

    def _step(self, games: int) -> None:
        self._done += games
        if self._progress is not None:
            self._progress(self._done, self.games * len(self.levels) + MOST_WATCHED)

    # ------------------------------------------------------------ games in the kernel

    def _play(self, level: str) -> dict[str, Any]:
        """Every game between equals of a level, in parts: columns of numbers."""
        parts: list[Any] = []
        bots = [level] * self.game.num_players
        for first in range(0, self.games, AT_ONCE):
            count = min(AT_ONCE, self.games - first)
            parts.append(self.game.playouts(count, seed=self.seed, bots=bots, first=first, max_plies=MAX_PLIES))
            self._step(count)
        names = ("winner", "turns", "moves", "captures", "plies", "finished")
        return {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}

    def _lengths(self, played: dict[str, Any], watched: Watched) -> Iterator[tuple[str, Figure]]:
        per_turn = self._seconds_a_turn(watched)
        over = played["finished"]
        kinds = {"turns": played["turns"], "moves": played["moves"], "minutes": played["turns"] * per_turn / 60}
        for name, values in kinds.items():
            lengths = values[over]
            yield f"length.{name}", mean_of(lengths)
            if len(lengths):
                yield f"length.{name}.sd", plain(lengths.std(), len(lengths))
                for quantile in (5, 50, 95):
                    yield f"length.{name}.p{quantile}", plain(np.percentile(lengths, quantile), len(lengths))

    @staticmethod
    def _seconds_a_turn(watched: Watched) -> float:
        return (SECONDS_A_ROLL * watched.rolls + SECONDS_A_CHOICE * watched.decisions) / max(1, watched.turns)

    def _ends(self, played: dict[str, Any]) -> Iterator[tuple[str, Figure]]:
        count = len(played["winner"])
        over = played["finished"]
        yield "completion", share_of(int(over.sum()), count)
        yield "draws", share_of(int((over & (played["winner"] < 0)).sum()), count)
        for seat, player in enumerate(self.game.players):
            yield f"seat.{player}", share_of(int((played["winner"] == seat).sum()), count)
        yield "captures", mean_of(played["captures"])

    # ------------------------------------------------------------ games move by move

    def _watch(self, level: str) -> Watched:
        seen = Watched()
        for number in range(min(MOST_WATCHED, self.games)):
            self._watch_game(seen, level, derived_seed(self.seed, "watched", number))
            self._step(1)
        return seen

    def _watch_game(self, seen: Watched, level: str, seed: int) -> None:
        player = bot(level, seed=seed)
        position, turn, out = self.game.start(seed=seed), "", 0
        first, chose = seen.turns, False
        for _ in range(MAX_PLIES):
            if position.to_move is None:
                break
            if position.turn != turn:
                turn, chose = position.turn, False
                seen.turns += 1
            if position.to_move == "chance":
                seen.rolls += 1
                position = position.roll()
                continue
            if len(moves := position.moves()) > 1:
                seen.turns_with_choice += not chose
                chose = True
                seen.decisions += 1
                seen.choices.append(len(moves))
            move = player.choose(position)
            came_out = self._noted(seen, position, move)
            out = out or (seen.turns - first) * came_out
            position = position.play(move)
        seen.games += 1
        seen.first_out += [out] if out else []

    @staticmethod
    def _noted(seen: Watched, position: Position, move: Any) -> bool:
        """Count what a move does; whether a piece came out."""
        kinds = [event.what for event in position.events(move)]
        for kind in kinds:
            seen.events[kind] = seen.events.get(kind, 0) + 1
        return "came_out" in kinds

    def _choices(self, seen: Watched) -> Iterator[tuple[str, Figure]]:
        yield "turns.with_choice", share_of(seen.turns_with_choice, seen.turns)
        yield "branching", mean_of(seen.choices)
        if seen.first_out:
            yield "first_out", mean_of(seen.first_out)
        for kind, count in sorted(seen.events.items()):
            yield f"events.{kind}", plain(count / max(1, seen.games), seen.games)

    # ------------------------------------------------------------ luck against skill

    def _skill(self) -> Iterator[tuple[str, Figure]]:
        """What each level wins against a table full of the one below."""
        for weaker, stronger in zip(self.levels, self.levels[1:], strict=False):
            games = max(200, min(self.games, 4_000))
            standings = arena(self.game, [stronger, weaker], games=games, seed=derived_seed(self.seed, stronger))
            total = standings[stronger].total
            yield (
                f"skill.{stronger}",
                Figure(total.share - total.fair, total.low - total.fair, total.high - total.fair, total.games),
            )
            self._step(self.games)


def plays(name: str, game: Game) -> bool:
    """Whether a bot knows a game."""
    try:
        bot(name).check(game)
    except LudusError:
        return False
    return True
