"""A net in training: what it learns next, how far it is, and how all of that is kept in a file.

Everything that is drawn is drawn from the seed and the number of the lesson, so a training that was interrupted goes on
exactly as if it had not been.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ludus.bots.net_desk import NetDesk
from ludus.bots.net_files import ANY, Net, load_net, new_net, options_of, save_net, stamp
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.seeds import derived_seed, fold_seed
from ludus.core.tensor_file import read_tensors
from ludus.training.pupils import Pupil, Term, mean_of
from ludus.training.selfplay import Counted, SelfPlay

# the kinds of lessons, in their order
PLAYING, ROLLING_OUT, LOOKING_AHEAD = "playing", "rolling out", "looking ahead"
LESSONS = (PLAYING, ROLLING_OUT, LOOKING_AHEAD)
OUTPUTS_FOR_ALL = 12
STRAYS, STRAYING = 500, 20  # of a thousand decisions so many are made by lot at first, fewer each lesson
MEMORY = 0.02  # share of the newest weights in the average that is kept and played with


@dataclass(frozen=True)
class Syllabus:
    """How a net learns."""

    units: int = 128
    blend: float = 0.6  # λ
    rate: float = 0.05
    halved: float = 1e7  # positions after which the rate is half of what it was
    portion: int = 100  # games of a lesson
    positions: int = 2000  # positions of a lesson that looks ahead
    slow: float = 0.2  # the rate of such a lesson, as a share of the rate of play
    pupils: int = 1  # nets that learn apart and meet to become their mean
    apart: int = 1  # lessons of each between two meetings


@dataclass
class Progress:
    """How far a training is."""

    lessons: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LESSONS, 0))
    games: int = 0
    positions: int = 0
    seconds: float = 0.0
    history: list[dict[str, Any]] = field(default_factory=list)


class School:
    """Trains one net on one game, or on many games of a family at once."""

    def __init__(
        self, games: Sequence[Game], seed: int, plan: Syllabus, start: Net | None = None, for_all: bool = False
    ) -> None:
        import numpy as np

        self.games, self.seed, self.plan, self.for_all = list(games), fold_seed(seed), plan, for_all
        first = self.games[0]
        drawn = new_net(first, plan.units, self.seed, OUTPUTS_FOR_ALL if for_all else first.num_players)
        self.net = drawn if start is None else _as_own(start, drawn, first, for_all)
        self.net.meta = stamp(first) | ({"game": ANY, "players": "", "digest": ""} if for_all else {})
        self.drawn = drawn.weights.copy()
        self.fresh = None if start is not None else self.drawn
        self.average = self.net.weights.copy()
        self.option_rows: dict[str, Any] = {
            name: row.astype(np.float32).copy() for name, row in self.net.options.items()
        }
        self.progress = Progress()
        self._at_work: dict[int, SelfPlay] = {}

    # ------------------------------------------------------------ lessons

    @property
    def rate(self) -> float:
        """How far a step goes now."""
        return self.plan.rate / (1.0 + self.progress.positions / self.plan.halved)

    def lesson(self, kind: str) -> Counted:
        """The next lesson of a kind, for the only pupil."""
        counted = self.teach(kind, self.progress.lessons[kind])
        self._count(kind, counted, 1, MEMORY)
        return counted

    def teach(self, kind: str, number: int) -> Counted:
        """One lesson by its number; nobody counts it yet."""
        place = derived_seed(self.seed, "game", kind, number) % len(self.games)
        return self._with_options(self.games[place], lambda: self._teach(kind, number, place))

    def term(self, kind: str, numbers: Sequence[int] | None = None) -> Term:
        """The next lessons of pupils who learn apart: of all, or of some."""
        return Term(self, kind, range(self.plan.pupils) if numbers is None else numbers)

    def meet(self, kind: str, pupils: Sequence[Pupil]) -> Counted:
        """All pupils have had their lessons: their mean is what goes on."""
        counted = Counted()
        for pupil in pupils:
            counted.join(pupil.counted)
        self.net.weights[:] = mean_of(pupils)
        self._count(kind, counted, self.plan.pupils * self.plan.apart, 1.0 - (1.0 - MEMORY) ** self.plan.apart)
        return counted

    def _count(self, kind: str, counted: Counted, lessons: int, memory: float) -> None:
        """Lessons are over; the average moves by `memory`, faster at the beginning."""
        self.progress.lessons[kind] += lessons
        self.progress.games += counted.games
        self.progress.positions += counted.positions
        done = sum(self.progress.lessons.values())
        share = max(memory, lessons / done) if self.fresh is not None else memory
        self.average += (self.net.weights - self.average) * self.net.weights.dtype.type(share)

    def _teach(self, kind: str, number: int, place: int) -> Counted:
        work = self._work(place)
        if kind == PLAYING:
            first = number * self.plan.portion
            games = range(first, first + self.plan.portion)
            strays = max(0, STRAYS - number * STRAYS // STRAYING) if self.fresh is not None else 0
            return work.learn(self.seed, games, strays, self.plan.blend, self.rate)
        from ludus.training.foresight import lesson

        rows, wanted = lesson(work.game, self.playing_net(), kind, derived_seed(self.seed, kind, number), self.plan)
        return work.fit(rows, wanted, self.rate * self.plan.slow)

    def _work(self, place: int) -> SelfPlay:
        if place not in self._at_work:
            if len(self._at_work) >= 64:
                self._at_work.clear()
            own = not self.for_all  # many games are worth no code of their own
            self._at_work[place] = SelfPlay(self.games[place], self.net, self.net.weights, specialised=own)
        return self._at_work[place]

    def _with_options(self, game: Game, teach: Callable[[], Counted]) -> Counted:
        """Teach with a game's options in the thresholds; what those learn is shared out among the options after it."""
        if not self.for_all:
            return teach()
        units, weights = self.net.units, self.net.weights
        options = options_of(game)
        for name in options:
            if name not in self.option_rows:
                self.option_rows[name] = weights[:units] * 0
        own = weights[:units].copy()
        for name, amount in options.items():
            weights[:units] += self.option_rows[name] * weights.dtype.type(amount)
        before = weights[:units].copy()
        counted = teach()
        learnt = (weights[:units] - before) / (1.0 + sum(amount**2 for amount in options.values()))
        weights[:units] = own + learnt
        for name, amount in options.items():
            self.option_rows[name] += (learnt * amount).astype(weights.dtype)
        return counted

    # ------------------------------------------------------------ what comes of it

    def playing_net(self) -> Net:
        """The net to play with: the average over the last lessons; inputs that were never met are 0."""
        net, weights = self.net, self.average.copy()
        if self.fresh is not None:
            first, last = net.units, net.units * (1 + net.inputs)
            rows = weights[first:last].reshape(net.inputs, net.units)
            never = (net.weights[first:last] == self.fresh[first:last]).reshape(rows.shape).all(axis=1)
            rows[never] = 0.0
        return Net(net.units, net.inputs, net.outputs, weights, dict(self.option_rows), dict(net.meta))

    def desk(self, game: Game) -> NetDesk:
        """The net as it is now, at work on a game."""
        return NetDesk(game, self.playing_net())

    # ------------------------------------------------------------ files

    def told_net(self) -> Net:
        """The net to play with, and in its words how it was trained."""
        net = self.playing_net()
        told = {
            "seed": self.seed, "plan": asdict(self.plan), "progress": asdict(self.progress),
            "fresh": self.fresh is not None,
        }  # fmt: skip
        net.meta["training"] = json.dumps(told)
        return net

    def save(self, path: Path) -> None:
        """Write the net to play with, and beside it what going on needs."""
        try:
            save_net(path, self.told_net(), {"raw": self.net.weights, "average": self.average})
        except OSError as error:
            raise LudusError(f"{path}: can't be written: {error.strerror or error}") from None

    def resume(self, path: Path) -> None:
        """Go on where a file ends; LudusError where it belongs to another training."""
        net = load_net(path)
        tensors, meta = read_tensors(path)
        raw, average, told = tensors.get("raw"), tensors.get("average"), _training_of(meta)
        if told is None or raw is None or average is None:
            raise LudusError(f"{path}: weights without what a training needs to go on; name another file with --out")
        mine = {"seed": self.seed, "plan": asdict(self.plan)}
        theirs = {"seed": told["seed"], "plan": asdict(Syllabus()) | told["plan"]}  # files of before know fewer words
        same_game = (meta.get("digest"), meta.get("family")) == (self.net.meta["digest"], self.net.meta["family"])
        if theirs != mine or not same_game or not raw.shape == average.shape == self.net.weights.shape:
            raise LudusError(
                f"{path}: of another training ({meta.get('game')}, seed {told['seed']}); name another file with --out"
            )
        self.net.weights[:] = raw
        self.average[:] = average
        self.option_rows = {name: row.copy() for name, row in net.options.items()}
        self.progress = told["progress"]
        if not told["fresh"]:
            self.fresh = None


def _training_of(meta: dict[str, str]) -> dict[str, Any] | None:
    """How a net was trained, by the words of its file; None where they do not say it."""
    try:
        told = json.loads(meta["training"])
        progress = Progress(**told["progress"])
        found = {"seed": int(told["seed"]), "plan": dict(told["plan"]), "fresh": bool(told["fresh"])}
    except (KeyError, ValueError, TypeError):
        return None
    return found | {"progress": progress} if set(progress.lessons) == set(LESSONS) else None


def _as_own(start: Net, drawn: Net, game: Game, for_all: bool) -> Net:
    """A net that begins where another ended: with its rules' part in the thresholds, and as many outputs as needed."""
    if (start.units, start.inputs) != (drawn.units, drawn.inputs):
        raise LudusError(
            f"the net to begin with has {start.units} units, the new one {drawn.units}: --units {start.units}"
        )
    units, inputs = start.units, start.inputs
    weights = drawn.weights.copy()
    given = start.weights if for_all else start.for_game(game)
    rows = units * (1 + inputs)
    outputs = min(start.outputs, drawn.outputs)
    weights[: rows + units * outputs] = given[: rows + units * outputs]
    weights[len(weights) - drawn.outputs :][:outputs] = given[len(given) - start.outputs :][:outputs]
    return Net(units, inputs, drawn.outputs, weights, dict(start.options) if for_all else {}, dict(drawn.meta))
