"""Pupils: several nets that learn apart from the same weights, and meet to become one, their mean.

What a pupil learns follows from the weights that it begins with and the numbers of its lessons, so it does not matter
where it learns: here, on threads, on a cluster, or in a share of the work that knows nothing of the others.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ludus.core.fleet import Fleet
from ludus.core.game import Game
from ludus.training.selfplay import Counted

if TYPE_CHECKING:
    from ludus.training.school import School

SPAN = 10  # lessons of an order: about a second
KNOWN_SCHOOLS = 4  # of each thread


@dataclass
class Pupil:
    """One net between two meetings: how far it is, and what it counted."""

    number: int
    weights: Any  # float32[W]
    lessons: int = 0
    counted: Counted = field(default_factory=Counted)


class Term:
    """The time between two meetings: the lessons of all pupils, or of some of them."""

    def __init__(self, school: School, kind: str, numbers: Sequence[int]) -> None:
        self.school, self.kind = school, kind
        self.first = school.progress.lessons[kind]
        self.begun_with = school.net.weights.copy()
        self.pupils = [Pupil(number, self.begun_with.copy()) for number in numbers]

    @property
    def is_over(self) -> bool:
        """Whether these pupils have had all their lessons."""
        return all(pupil.lessons >= self.school.plan.apart for pupil in self.pupils)

    def go_on(self, fleet: Fleet) -> None:
        """Some further lessons for each."""
        due = [pupil for pupil in self.pupils if pupil.lessons < self.school.plan.apart]
        orders = [self._order(pupil) for pupil in due]
        for at, learnt in fleet.each(learn, self.school.games[0], orders):
            _take_in(due[at], len(orders[at]["numbers"]), learnt)

    def _order(self, pupil: Pupil) -> dict[str, Any]:
        plan, school = self.school.plan, self.school
        steps = range(pupil.lessons, min(plan.apart, pupil.lessons + SPAN))
        # in turns, so that a number tells how far the training is
        numbers = [self.first + step * plan.pupils + pupil.number for step in steps]
        positions = school.progress.positions + pupil.counted.positions * plan.pupils
        return {
            "seed": school.seed, "plan": asdict(plan), "kind": self.kind, "numbers": numbers, "positions": positions,
            "fresh": school.fresh is not None, "weights": pupil.weights.tobytes(), "average": school.average.tobytes(),
        }  # fmt: skip


def _take_in(pupil: Pupil, lessons: int, learnt: dict[str, Any]) -> None:
    import numpy as np

    pupil.weights = np.frombuffer(learnt["weights"], dtype=np.float32).copy()
    pupil.lessons += lessons
    pupil.counted.join(Counted(**learnt["counted"]))


def mean_of(pupils: Sequence[Pupil]) -> Any:
    """float32[W]: what all pupils together have learnt. Weights that nobody changed stay to the bit."""
    import numpy as np

    total = np.zeros(len(pupils[0].weights))
    for pupil in sorted(pupils, key=lambda one: one.number):
        total += pupil.weights
    return (total / len(pupils)).astype(np.float32)


# ---------------------------------------------------------------- where pupils learn

_here = threading.local()


def learn(game: Game, order: dict[str, Any]) -> dict[str, Any]:
    """Some lessons of one pupil."""
    import numpy as np

    school = _school_for(game, order)
    school.net.weights[:] = np.frombuffer(order["weights"], dtype=np.float32)
    school.average[:] = np.frombuffer(order["average"], dtype=np.float32)
    school.fresh = school.drawn if order["fresh"] else None
    school.progress.positions = order["positions"]
    counted = Counted()
    for number in order["numbers"]:
        found = school.teach(order["kind"], number)
        school.progress.positions += found.positions * school.plan.pupils
        counted.join(found)
    return {"weights": school.net.weights.tobytes(), "counted": asdict(counted)}


def _school_for(game: Game, order: dict[str, Any]) -> School:
    """A school of this thread's own, with its arrays: they are large, and are kept for the next order."""
    from ludus.training.school import School, Syllabus

    known: dict[str, School] = _here.__dict__.setdefault("schools", {})
    key = f"{game.digest} {order['seed']} {order['plan']}"
    if key not in known:
        while len(known) >= KNOWN_SCHOOLS:
            del known[next(iter(known))]
        known[key] = School([game], order["seed"], Syllabus(**order["plan"]))
    return known[key]
