"""`ludus.train`: a net for a game, learnt by playing it, in a file that can be played with and trained on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.bots.net_files import Net, net_for
from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.registry import make
from ludus.training.anchors import strength
from ludus.training.school import LESSONS, LOOKING_AHEAD, PLAYING, ROLLING_OUT, School, Syllabus

SAVED_EVERY = 30.0  # seconds
# of the minutes: until when it plays, rolls out, looks ahead
SHARES = {PLAYING: 0.8, ROLLING_OUT: 0.1, LOOKING_AHEAD: 0.1}
LESSONS_PER_GAMES = 10  # lessons of play for one of each other kind, where games are counted
ANCHOR_GAMES = 400

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
) -> Trained:
    """Train a net for a game and write it to `out`; if that file is of this very training, it goes on from there.

    `games`: how many games instead of how many minutes; the same seed then gives the same weights. `start`: weights to
    begin with, a file or 'any'. Interrupted (Ctrl-C), it keeps what was learnt.
    """
    settled = game if isinstance(game, Game) else make(game)
    if settled.plugins:
        raise LudusError(f"{settled.name} has plug-ins, which no compiled game knows: train it without them")
    path = file_to_write(out)
    plan = Syllabus(units=checked_units(units))
    begun = net_for(settled, start) if start is not None else None
    if begun is not None:
        plan = Syllabus(units=begun.units, rate=plan.rate / 4)
    school = School([settled], seed, plan, begun)
    course = Training(school, path, minutes=minutes, games=games, told=told, tensorboard=tensorboard)
    course.anchored = settled if anchors else None
    return course.run()


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
        if games is not None and (isinstance(games, bool) or not isinstance(games, int) or games < 1):
            raise LudusError(f"games: a whole number above 0, not {quoted(games)}")
        self.school, self.path, self.told = school, path, told
        self.minutes, self.games = float(minutes), games
        self.anchored: Game | None = None
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
        with suppress(KeyboardInterrupt):
            for kind in self._lessons():
                counted = self.school.lesson(kind)
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

    def _lessons(self) -> Iterator[str]:
        """The kinds of the lessons that are still to come."""
        done = self.school.progress.lessons
        if self.games is not None:
            wanted = -(-self.games // self.school.plan.portion)
            further = wanted // LESSONS_PER_GAMES if wanted >= LESSONS_PER_GAMES else 0
            for kind, count in ((PLAYING, wanted), (ROLLING_OUT, further), (LOOKING_AHEAD, further)):
                while done[kind] < count:
                    yield kind
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
