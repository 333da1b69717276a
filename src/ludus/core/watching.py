"""The interpreted kernel watched: it may read and write only where compiled code could."""

from __future__ import annotations

import copy
from typing import Any

from ludus.core.engine import Bench, Engine, Form, Row
from ludus.core.errors import LudusError
from ludus.core.game import Game


class ConformanceError(LudusError):
    """A game that breaks a law of the kit: which law, where, and what was found."""


def need(holds: bool, words: str) -> None:
    """Break off where a law does not hold; `check_game` adds which law, and where."""
    if not holds:
        raise ConformanceError(words)


class Guarded(list[int]):
    """A list that can't be indexed from its end: compiled code does not count from there, it reads elsewhere."""

    def __getitem__(self, at: Any) -> Any:
        need(isinstance(at, slice) or at >= 0, f"the kernel reads at index {at}")
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        need(at >= 0, f"the kernel writes at index {at}")
        need(-(1 << 62) < value < 1 << 62, f"the kernel writes {value}")
        super().__setitem__(at, value)

    def copy(self) -> Guarded:
        """A copy that is guarded too."""
        return Guarded(self)


class GuardedBench(Bench):
    """A bench of guarded lists."""

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.scratch = Guarded(self.scratch)

    def copy(self, row: Row) -> Row:
        """A guarded row."""
        return Guarded(super().copy(row))

    def view(self, row: Row) -> Row:
        """A guarded row."""
        return Guarded(super().copy(row))


class GuardedEngine(Engine):
    """The interpreted kernel over guarded lists."""

    bench_class = GuardedBench

    def __init__(self, engine: Engine) -> None:
        slow = engine.interpreted()
        super().__init__(slow.twin, Guarded(slow.tables), len(slow.scratch), stays_interpreted=True)


def guarded(game: Game) -> Game:
    """The game on an interpreted kernel that is watched."""
    double = copy.copy(game)
    double.engine = GuardedEngine(game.engine)
    return double
