"""`ludus.train`: a net for a game, learnt by playing it, in a file that can be played with and trained on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ludus.bots.net_files import Net, net_for
from ludus.core.errors import LudusError, quoted
from ludus.core.fleet import Fleet, Workers, checked_workers, fleet_for
from ludus.core.game import Game
from ludus.core.registry import make
from ludus.core.shards import Shard
from ludus.training.anchors import strength
from ludus.training.pupils import SPAN
from ludus.training.school import LESSONS, LOOKING_AHEAD, PLAYING, ROLLING_OUT, School, Syllabus
from ludus.training.selfplay import Counted
from ludus.training.sharing import SharedOut, SharedWork
from ludus.training.sharing import Told as ShareTold

SAVED_EVERY = 30.0  # seconds
# of the minutes: until when it plays, rolls out, looks ahead
SHARES = {PLAYING: 0.8, ROLLING_OUT: 0.1, LOOKING_AHEAD: 0.1}
LESSONS_PER_GAMES = 10  # lessons of play for one of each other kind, where games are counted
ANCHOR_GAMES = 400
MOST_PUPILS = 64

Told = Callable[["Snapshot"], None]


@dataclass(frozen=True)
class Snapshot:
    """How a training stands, for whoever looks on."""

    kind: str
    games: int
    positions: int
    seconds: float
    done: float  # share of what was asked for
    loss: float
    strength: Mapping[str, float]


@dataclass(frozen=True)
class Trained:
    """What came of a training."""

    path: Path
    net: Net
    games: int
    positions: int
    seconds: float
    history: list[dict[str, Any]]
    interrupted: bool = False

    @property
    def strength(self) -> dict[str, float]:
        """The share won against each anchor at the end."""
        return next((dict(entry["strength"]) for entry in reversed(self.history) if entry.get("strength")), {})


def train(  # noqa: PLR0913  (each is a knob of the training)
    game: Game | str | Mapping[str, Any],
    minutes: float = 10,
    seed: int = 1,
    out: str | Path = "mine.safetensors",
    *,
    games: int | None = None,
    start: str | None = None,
    units: int = 128,
    anchors: bool = True,
    told: Told | None = None,
    tensorboard: str | Path | None = None,
    pupils: int = 1,
    apart: int | None = None,
    workers: Workers | None = None,
) -> Trained:
    """Train a net for a game and write it to `out`; if that file is of this very training, it goes on from there.

    `games`: how many games instead of how many minutes; the same seed then gives the same weights. `start`: weights to
    begin with, a file or 'any'. Interrupted (Ctrl-C), it keeps what was learnt. `pupils`: nets that learn at once, on
    as many `workers` as there are, and become their mean after every `apart` lessons; what comes of it depends on how
    many pupils there are, not on how many workers.
    """
    path = file_to_write(out)
    if workers is not None and checked_pupils(pupils) == 1 and checked_workers(workers) != 1:
        raise LudusError("workers: one pupil learns alone; say pupils (--pupils 8), which may learn at once")
    school = school_for(game, seed, start, units, pupils, SPAN if apart is None else apart)
    course = Training(school, path, minutes=minutes, games=games, told=told, tensorboard=tensorboard)
    course.anchored, course.workers = school.games[0] if anchors else None, workers
    return course.run()


def train_share(  # noqa: PLR0913  (as `train`)
    game: Game | str | Mapping[str, Any],
    shard: Shard,
    folder: str | Path,
    *,
    games: int | None,
    seed: int = 1,
    start: str | None = None,
    units: int = 128,
    pupils: int | None = None,
    apart: int | None = None,
    workers: Workers | None = 1,
    told: ShareTold | None = None,
) -> int:
    """The lessons of one share of a training, kept in a folder (docs/scale.md); how many they were.

    `pupils`: of all shares together; one for each share if left out. `apart`: left out, they meet at the end alone.
    """
    if games is None:
        raise LudusError("--shard: say with --games N how many games all shares play; a share has no clock")
    pupils = shard.of if pupils is None else checked_pupils(pupils)
    if pupils < shard.of:
        raise LudusError(f"--pupils {pupils}: at least one for each of the {shard.of} shares")
    lessons = -(-checked_games(games) // Syllabus.portion)
    school = school_for(game, seed, start, units, pupils, -(-lessons // pupils) if apart is None else apart)
    plan = school.plan
    if pupils == 1:
        raise LudusError("--shard: a training has shares of two pupils or more")
    terms = tuple(Training(school, Path(), games=games).lessons_to_come())
    SharedOut(SharedWork(school.games[0], school.seed, plan, terms), shard, folder, school).run(workers, told)
    return len(terms) * plan.apart * len(shard.share(pupils))


def school_for(
    game: Game | str | Mapping[str, Any], seed: int, start: str | None, units: int, pupils: int, apart: int
) -> School:
    """A school for one game: of a net that is drawn, or that another training left."""
    settled = game if isinstance(game, Game) else make(game)
    if settled.plugins:
        raise LudusError(f"{settled.name} has plug-ins, which no compiled game knows: train it without them")
    if isinstance(apart, bool) or not isinstance(apart, int) or apart < 1:
        raise LudusError(f"apart: a number of lessons above 0, not {quoted(apart)}")
    plan = Syllabus(units=checked_units(units), pupils=checked_pupils(pupils), apart=apart if pupils > 1 else 1)
    begun = net_for(settled, start) if start is not None else None
    if begun is not None:
        plan = replace(plan, units=begun.units, rate=plan.rate / 4)
    return School([settled], seed, plan, begun)


def checked_pupils(pupils: Any) -> int:
    """How many nets learn apart."""
    if isinstance(pupils, bool) or not isinstance(pupils, int) or not 1 <= pupils <= MOST_PUPILS:
        raise LudusError(f"pupils: a whole number from 1 to {MOST_PUPILS}, not {quoted(pupils)}")
    return pupils


def checked_games(games: Any) -> int:
    """How many games are played."""
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise LudusError(f"games: a whole number above 0, not {quoted(games)}")
    return games


def checked_units(units: Any) -> int:
    """How many units a net has: whole eights, so that they fill registers."""
    if isinstance(units, bool) or not isinstance(units, int) or not 8 <= units <= 512 or units % 8:
        raise LudusError(f"units: a multiple of 8 from 8 to 512, not {quoted(units)}")
    return units


def file_to_write(out: str | Path) -> Path:
    """Where the weights go: told before the training, not after it."""
    path = Path(out).expanduser()
    if path.is_dir() or not path.parent.is_dir():
        raise LudusError(f"out {quoted(str(out))}: not a file that can be written")
    return path


class Training:
    """A training from where it stands to its end, kept in a file every now and then."""

    def __init__(
        self,
        school: School,
        path: Path,
        *,
        minutes: float = 10,
        games: int | None = None,
        told: Told | None = None,
        tensorboard: str | Path | None = None,
    ) -> None:
        if isinstance(minutes, bool) or not isinstance(minutes, int | float) or not 0 < minutes <= 100_000:
            raise LudusError(f"minutes: a number above 0, not {quoted(minutes)}")
        if games is not None:
            checked_games(games)
        self.school, self.path, self.told = school, path, told
        self.minutes, self.games = float(minutes), games
        self.anchored: Game | None = None
        self.workers: Workers | None = None  # for pupils who learn at once
        self._fleet: Fleet | None = None
        self.board = _board(tensorboard)
        self._before = self._began = 0.0
        self._loss = 0.0

    def run(self) -> Trained:
        """Teach until the end, or until somebody interrupts; what was learnt is kept either way."""
        progress = self.school.progress
        if self.path.exists():
            self.school.resume(self.path)
            progress = self.school.progress
        self._before, self._began = progress.seconds, time.monotonic()
        saved = told = self._began
        interrupted = True
        with suppress(KeyboardInterrupt), self._with_fleet():
            for kind in self.lessons_to_come():
                counted = self._taught(kind)
                progress.seconds = self._seconds()
                self._loss = counted.loss / max(1, counted.positions)
                now = time.monotonic()
                if now - saved > SAVED_EVERY:
                    self._note(kind)
                    self.school.save(self.path)
                    saved = told = time.monotonic()
                elif now - told > 0.5:
                    self._tell(kind, {})
                    told = now
            interrupted = False
        self._note(LESSONS[-1])
        self.school.save(self.path)
        if self.board is not None:
            self.board.close()
        return Trained(
            self.path, self.school.playing_net(), progress.games, progress.positions, progress.seconds,
            progress.history, interrupted,
        )  # fmt: skip

    def _seconds(self) -> float:
        return self._before + time.monotonic() - self._began

    @contextmanager
    def _with_fleet(self) -> Iterator[None]:
        if self.school.plan.pupils == 1:
            yield
            return
        with fleet_for(checked_workers(self.workers)) as self._fleet:
            yield

    def _taught(self, kind: str) -> Counted:
        """The next lesson, or one term of all pupils."""
        if self._fleet is None:
            return self.school.lesson(kind)
        term = self.school.term(kind)
        while not term.is_over:
            term.go_on(self._fleet)
        return self.school.meet(kind, term.pupils)

    def lessons_to_come(self) -> Iterator[str]:
        """The kinds of the lessons that are still to come; of terms, where there are pupils."""
        plan = self.school.plan
        done, each = dict(self.school.progress.lessons), plan.pupils * plan.apart
        if self.games is not None:
            wanted = -(-self.games // self.school.plan.portion)
            further = wanted // LESSONS_PER_GAMES // each * each  # whole terms
            for kind, count in ((PLAYING, wanted), (ROLLING_OUT, further), (LOOKING_AHEAD, further)):
                while done[kind] < count:
                    yield kind
                    done[kind] += each
            return
        until = 0.0
        for kind in LESSONS:
            until += 60 * self.minutes * SHARES[kind]
            while self._seconds() < until:
                yield kind

    @property
    def done(self) -> float:
        """The share of what was asked for that is done."""
        progress = self.school.progress
        if self.games is not None:
            return min(1.0, progress.games / self.games)
        return min(1.0, progress.seconds / (60 * self.minutes))

    def _note(self, kind: str) -> None:
        """An entry of the history, with the strength where somebody asked for it."""
        found = strength(self.anchored, self.school.playing_net(), ANCHOR_GAMES) if self.anchored is not None else {}
        progress = self.school.progress
        entry = {
            "kind": kind, "games": progress.games, "positions": progress.positions,
            "seconds": round(progress.seconds, 1), "loss": round(self._loss, 5),
            "strength": {name: round(share, 4) for name, share in found.items()},
        }  # fmt: skip
        progress.history.append(entry)
        if self.board is not None:
            self.board.add_scalar("loss", self._loss, progress.positions)
            for name, share in found.items():
                self.board.add_scalar(f"strength/{name}", share, progress.positions)
        self._tell(kind, found)

    def _tell(self, kind: str, found: Mapping[str, float]) -> None:
        if self.told is not None:
            progress = self.school.progress
            last = found or next((e["strength"] for e in reversed(progress.history) if e["strength"]), {})
            self.told(Snapshot(kind, progress.games, progress.positions, progress.seconds, self.done, self._loss, last))


def _board(folder: str | Path | None) -> Any:
    """A writer of TensorBoard's files; LudusError where the extra is not installed."""
    if folder is None:
        return None
    try:
        from tensorboardX import SummaryWriter
    except ImportError:
        raise LudusError("tensorboard: install the extra first: pip install 'ludus[tensorboard]'") from None
    return SummaryWriter(str(folder))
