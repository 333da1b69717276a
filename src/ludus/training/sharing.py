"""A training shared out: each share has some of the pupils, and all meet in a folder that they share.

A share keeps one file for each term. It holds what all knew when the term began and how far the share's own pupils are,
so that the same command goes on wherever it was ended. Where all lessons lie in one term, nobody waits for anybody.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludus.core.errors import LudusError, quoted
from ludus.core.fleet import Workers, checked_workers, fleet_for
from ludus.core.game import Game
from ludus.core.record import engine_version
from ludus.core.registry import from_document
from ludus.core.shards import Shard, check_together
from ludus.core.tensor_file import read_tensors, write_tensors
from ludus.training.pupils import Pupil, Term
from ludus.training.school import Progress, School, Syllabus
from ludus.training.selfplay import Counted

FORMAT = "ludus-training"
KIND = "training"
SAVED_EVERY = 30.0  # seconds
LOOKED_EVERY = 1.0  # … for what others have learnt

Told = Callable[[int, int, bool], None]  # lessons done and in all, of this share; whether it waits for others


@dataclass(frozen=True)
class SharedWork:
    """What all shares of a training agree about."""

    game: Game
    seed: int
    plan: Syllabus
    terms: tuple[str, ...]  # the kind of the lessons of each

    def head(self, shard: Shard) -> dict[str, Any]:
        """The same for all shares but for `shard`."""
        return {
            "format": FORMAT, "engine": engine_version(), "document": self.game.document(), "seed": self.seed,
            **asdict(self.plan), "terms": list(self.terms), "shard": [shard.number, shard.of],
        }  # fmt: skip

    @classmethod
    def of(cls, head: dict[str, Any]) -> SharedWork:
        """From the head of a share."""
        plan = Syllabus(**{name: head[name] for name in asdict(Syllabus())})
        return cls(from_document(head["document"]), head["seed"], plan, tuple(head["terms"]))


class SharedOut:
    """One share at work."""

    def __init__(self, work: SharedWork, shard: Shard, folder: str | Path, school: School) -> None:
        self.work, self.shard, self.school = work, shard, school
        self.folder = shard.file(folder, KIND).parent
        self.head = work.head(shard)
        self.own = shard.share(work.plan.pupils)

    def run(self, workers: Workers | None = 1, told: Told | None = None) -> None:
        """All terms; it may have done some before."""
        told = told or (lambda done, of, waits: None)
        with fleet_for(checked_workers(workers)) as fleet:
            for number in range(self._begun(), len(self.work.terms)):
                kind = self.work.terms[number]
                term = self._term(number, kind)
                saved = time.monotonic()
                while not term.is_over:
                    term.go_on(fleet)
                    told(self._lessons(number, term), self._lessons(len(self.work.terms)), False)
                    if time.monotonic() - saved > SAVED_EVERY:
                        self._save(number, term)
                        saved = time.monotonic()
                self._save(number, term)
                if number + 1 < len(self.work.terms):
                    self._meet(number, kind, told)

    def _lessons(self, number: int, term: Term | None = None) -> int:
        """How many lessons there were before a term, and so far in it."""
        now = sum(pupil.lessons for pupil in term.pupils) if term is not None else 0
        return number * self.work.plan.apart * len(self.own) + now

    def _meet(self, number: int, kind: str, told: Told) -> None:
        """Wait until all shares have done a term; what all learnt is what goes on."""
        pupils: list[Pupil] = []
        while len(pupils) < self.work.plan.pupils:
            found = [read_share(path) for path in self._files(number)]
            check_together([(one.path, one.head) for one in found])
            pupils = [pupil for one in found for pupil in one.pupils if pupil.lessons >= self.work.plan.apart]
            if len(pupils) < self.work.plan.pupils:
                told(0, 0, True)
                time.sleep(LOOKED_EVERY)
        self.school.meet(kind, pupils)
        if number:  # all have begun this term, so they know what came of the one before it
            self._path(number - 1).unlink(missing_ok=True)

    # ------------------------------------------------------------ files

    def _path(self, number: int) -> Path:
        return file_of_term(self.folder, self.shard, number)

    def _files(self, number: int) -> list[Path]:
        every = (file_of_term(self.folder, Shard(one, self.shard.of), number) for one in range(1, self.shard.of + 1))
        return [path for path in every if path.is_file()]

    def _begun(self) -> int:
        """The term that this share is in; the school is as it was when the term began."""
        there = [number for number in range(len(self.work.terms)) if self._path(number).is_file()]
        if not there:
            return 0
        kept = read_share(self._path(there[-1]))
        for key, value in self.head.items():
            if kept.head.get(key) != value:
                was = quoted(kept.head.get(key))
                raise LudusError(
                    f"{kept.path}: of another training: {key} is {was}, not {quoted(value)}; name another --out"
                )
        kept.put_into(self.school)
        return there[-1]

    def _term(self, number: int, kind: str) -> Term:
        term = self.school.term(kind, self.own)
        if self._path(number).is_file():
            term.pupils = read_share(self._path(number)).pupils
        return term

    def _save(self, number: int, term: Term) -> None:
        import numpy as np

        state = {"progress": asdict(self.school.progress), "fresh": self.school.fresh is not None}
        pupils = [[one.number, one.lessons, asdict(one.counted)] for one in term.pupils]
        told = {"head": self.head, "term": number, "state": state, "pupils": pupils}
        path = self._path(number)
        weights = np.stack([pupil.weights for pupil in term.pupils])
        try:
            write_tensors(
                path, {"raw": self.school.net.weights, "average": self.school.average, "pupils": weights},
                {name: json.dumps(value) for name, value in told.items()},
            )  # fmt: skip
        except OSError as error:
            raise LudusError(f"{path}: can't be written: {error.strerror or error}") from None


@dataclass(frozen=True)
class Kept:
    """What the file of a share says."""

    path: Path
    head: dict[str, Any]
    term: int
    state: dict[str, Any]
    raw: Any
    average: Any
    pupils: list[Pupil]

    def put_into(self, school: School) -> None:
        """The school as it was when the term began."""
        school.net.weights[:] = self.raw
        school.average[:] = self.average
        school.progress = Progress(**self.state["progress"])
        school.fresh = school.drawn if self.state["fresh"] else None

    @property
    def is_over(self) -> bool:
        """Whether this was the last term, and its lessons are over."""
        is_last = self.term == len(self.head["terms"]) - 1
        return is_last and all(pupil.lessons >= self.head["apart"] for pupil in self.pupils)


def file_of_term(folder: Path, shard: Shard, number: int) -> Path:
    """The file of a share for a term."""
    return folder / f"{KIND}-{shard.number:0{len(str(shard.of))}}-of-{shard.of}-term-{number + 1}.safetensors"


def read_share(path: Path) -> Kept:
    """A file that a share wrote."""
    tensors, meta = read_tensors(path)
    try:
        head, term, state, told = (json.loads(meta[name]) for name in ("head", "term", "state", "pupils"))
        if head["format"] != FORMAT or len(head["shard"]) != 2 or len(told) != len(tensors["pupils"]):
            raise KeyError(FORMAT)
        pupils = [
            Pupil(number, weights.copy(), lessons, Counted(**counted))
            for (number, lessons, counted), weights in zip(told, tensors["pupils"], strict=True)
        ]
        return Kept(path, head, term, state, tensors["raw"], tensors["average"], pupils)
    except (KeyError, ValueError, TypeError, AttributeError):
        raise LudusError(f"{path}: no share of a training; `ludus train … --shard 3/16 --out DIR` makes them") from None


def share_files(folders: Sequence[str | Path]) -> list[Path]:
    """The files of shares of a training in folders; none where there are others."""
    paths = [Path(given).expanduser() for given in folders]
    within = [file for path in paths if path.is_dir() for file in sorted(path.glob(f"{KIND}-*-of-*.safetensors"))]
    return within + [path for path in paths if path.is_file() and path.suffix == ".safetensors"]


def merge_training(files: Sequence[Path]) -> tuple[School | None, list[str]]:
    """What all shares learnt together, as one process would have; or what is missing."""
    newest: dict[tuple[int, str], Kept] = {}
    for kept in map(read_share, files):
        key = (kept.head["shard"][0], str(kept.path.parent))
        if key not in newest or newest[key].term < kept.term:
            newest[key] = kept
    found = list(newest.values())
    missing = [f"share {one}/{found[0].head['shard'][1]}" for one in check_together([(k.path, k.head) for k in found])]
    if found[0].head["engine"] != engine_version():
        raise LudusError(f"{found[0].path}: made by ludus {found[0].head['engine']}, this is {engine_version()}")
    missing += [f"lessons of share {Shard(*one.head['shard'])} ({one.path})" for one in found if not one.is_over]
    if missing:
        return None, missing
    work = SharedWork.of(found[0].head)
    school = School([work.game], work.seed, work.plan)
    found[0].put_into(school)
    school.meet(work.terms[-1], [pupil for one in found for pupil in one.pupils])
    return school, []
