"""A kernel with one game's tables: what Python calls when a position is asked or played.

The core knows this much of any game: row[STAGE] is OVER, CHANCE or DECISION, row[TURN] is the seat whose turn it is,
and its kernel keeps the promises of kernels/promises.py, over which the entries (kernels/entries.py) are written.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Mapping
from typing import Any

from ludus.core.compiling.presence import runs_compiled, warn_of_interpreting
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.twin import Twin, twin_of

__all__ = ["CHANCE", "DECISION", "OVER", "STAGE", "TURN", "Bench", "Engine", "Form", "Row", "twin_of"]

ENTRIES = "ludus.core.kernels.entries"

# a row, tables and scratch are lists for the interpreted kernel, `array`s or NumPy's for the compiled one
Row = Any


class Bench:
    """What one thread works with: the kernel in one of its forms, the tables, and a scratch of its own."""

    __slots__ = ("form", "is_fast", "kernel", "row_type", "scratch", "tables")

    def __init__(self, form: Form) -> None:
        self.form = form
        self.kernel = form.kernel
        self.tables = form.tables
        self.is_fast = form.is_fast
        self.row_type: Any = array if form.is_fast else list  # rows of another type are made into this one first
        self.scratch: Row = array("q", bytes(8 * form.scratch)) if form.is_fast else [0] * form.scratch

    def copy(self, row: Row) -> Row:
        """A row that may be written to."""
        if self.is_fast:
            if type(row) is array:
                return row[:]
            return array("h", row if isinstance(row, list) else row.tolist())
        return row[:] if isinstance(row, list) else row.tolist()

    def view(self, row: Row) -> Row:
        """A row for reading only."""
        return row if (type(row) is not list) is self.is_fast else self.copy(row)

    def after(self, row: Row, action: int) -> Row:
        """The row after a legal action."""
        new = row[:] if type(row) is self.row_type else self.copy(row)
        self.kernel.apply_api(new, self.tables, self.scratch, action)
        return new

    def rolled(self, row: Row, key: int, ply: int) -> Row:
        """The row after draw number `ply` of a stream."""
        outcome = self.kernel.draw_api(self.view(row), self.tables, self.scratch, key, ply)
        return self.with_outcome(row, outcome)

    def with_outcome(self, row: Row, outcome: int) -> Row:
        """The row after an outcome of chance."""
        new = row[:] if type(row) is self.row_type else self.copy(row)
        self.kernel.chance_api(new, self.tables, self.scratch, outcome)
        return new


class Form:
    """A kernel in one of its forms, with the tables that it reads."""

    def __init__(self, kernel: Any, tables: list[int], scratch: int, is_fast: bool) -> None:
        self.kernel = kernel
        self.tables: Row = array("q", tables) if is_fast else tables
        self.scratch = scratch
        self.is_fast = is_fast


class Here(threading.local):
    """The bench of each thread: made in the newest form when a thread first asks."""

    def __init__(self, engine: Engine) -> None:
        self.bench = engine.new_bench()


class Engine:
    """The kernel of a game, interpreted until somebody needs it fast; threads may share it.

    columns: kernel constants that name a column of the tables (`tables[… + NAME]`) which has one value everywhere.
    """

    bench_class = Bench

    def __init__(
        self,
        twin: Twin,
        tables: list[int],
        scratch: int,
        stays_interpreted: bool = False,
        columns: Mapping[str, int] | None = None,
    ) -> None:
        self.twin = twin
        self.entries = twin_of(ENTRIES, (twin.name,))
        self.stays_interpreted = stays_interpreted or not runs_compiled()
        self.columns = dict(columns or {})
        self._tables = tables
        self._scratch = scratch
        self._form = Form(self.entries.interpreted, tables, scratch, is_fast=False)
        self.here = Here(self)  # here.bench: what this thread works with, the same until it calls `renew` or `compile`

    @property
    def header(self) -> tuple[int, ...]:
        """The head of the tables: what it says never changes while a game is played."""
        return tuple(self._tables[: getattr(self.twin.interpreted, "HEADER", 0)])

    def compile(self, specialised: bool | None = None) -> None:
        """Switch to the compiled kernel: one for this very game (half a second, once), or the one for all games.

        The one for all takes longer to compile and is slower, and pays where many rule sets are played a little. Where
        nobody says which: the one that is in use already, else the one for this game.
        """
        if self.stays_interpreted:
            if not runs_compiled():
                warn_of_interpreting()
            return
        if specialised or not self._form.is_fast:
            is_general = specialised is False
            kernel = self.entries.compiled() if is_general else self.entries.compiled(self.header, self.columns)
            if self._form.kernel is not kernel:
                self._form = Form(kernel, self._tables, self._scratch, is_fast=True)
        self.renew()

    def make_ready(self) -> None:
        """Compile every entry of the kernel in use now: nobody waits for one later."""
        if self._form.is_fast:
            self._form.kernel.make_ready()

    def new_bench(self) -> Bench:
        """What a thread may work with, in the newest form."""
        return self.bench_class(self._form)

    def renew(self) -> Bench:
        """What this thread works with from now on, in the newest form."""
        if self.here.bench.form is not self._form:
            self.here.bench = self.new_bench()
        return self.here.bench

    @property
    def kernel(self) -> Any:
        """The entries of the kernel, in the form that this thread uses."""
        return self.here.bench.kernel

    @property
    def tables(self) -> Row:
        """The tables, in the form that this thread uses."""
        return self.here.bench.tables

    @property
    def scratch(self) -> Row:
        """This thread's scratch."""
        return self.here.bench.scratch

    @property
    def fast(self) -> bool:
        """Whether this thread uses the compiled kernel."""
        return self.here.bench.is_fast

    def copy(self, row: Row) -> Row:
        """A row that may be written to, in the form that the kernel in use wants."""
        return self.here.bench.copy(row)

    def view(self, row: Row) -> Row:
        """The row in the form that the kernel in use wants, for reading only."""
        return self.here.bench.view(row)

    def interpreted(self) -> Engine:
        """The same tables on the interpreted kernel for good, to hold the compiled one against."""
        return Engine(self.twin, self._tables, self._scratch, stays_interpreted=True, columns=self.columns)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self.twin.name, self._tables, self._scratch, self.stays_interpreted, self.columns))


def _rebuild(name: str, tables: list[int], scratch: int, stays_interpreted: bool, columns: dict[str, int]) -> Engine:
    return Engine(twin_of(name), tables, scratch, stays_interpreted, columns)
