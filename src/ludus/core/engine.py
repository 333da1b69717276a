"""A kernel with one game's tables: what Python calls when a position is asked or played.

Every kernel keeps three promises, which is all that the core knows of any game:
row[STAGE] is OVER, CHANCE or DECISION; row[TURN] is the seat whose turn it is; and it has the entry functions
legal_api, mask_api, apply_api, chance_api, roll_api, why_api and playouts over (row, tables, scratch).
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

from ludus.core.twin import Twin

STAGE, TURN = 0, 1
OVER, CHANCE, DECISION = 0, 1, 2

# a row, tables and scratch are lists for the interpreted twin, one-dimensional arrays for the compiled one
Row = Any


class Engine:
    """The kernel of a game, interpreted until somebody needs it fast."""

    def __init__(self, twin: Twin, tables: list[int], scratch: int, stays_interpreted: bool = False) -> None:
        self.twin = twin
        self.stays_interpreted = stays_interpreted
        self._tables = tables
        self._scratch = scratch
        self.kernel: ModuleType = twin.interpreted
        self.tables: Row = tables
        self.scratch: Row = [0] * scratch
        self.fast = False
        if twin.is_compiled:
            self.compile()

    def compile(self) -> None:
        """Switch to the compiled twin (loads Numba; seconds when its cache is cold)."""
        if self.fast or self.stays_interpreted:
            return
        import numpy as np

        self.kernel = self.twin.compiled()
        self.tables = np.array(self._tables, dtype=np.int64)
        self.scratch = np.zeros(self._scratch, dtype=np.int64)
        self.fast = True

    def interpreted(self) -> Engine:
        """The same tables on the interpreted twin for good, to hold the compiled one against."""
        return Engine(self.twin, self._tables, self._scratch, stays_interpreted=True)

    def copy(self, row: Row) -> Row:
        """A row that may be written to, in the form that the kernel in use wants."""
        is_list = isinstance(row, list)
        if self.fast:
            return row.copy() if not is_list else self._array(row)
        return row.copy() if is_list else row.tolist()

    def _array(self, row: list[int]) -> Any:
        import numpy as np

        return np.array(row, dtype=np.int16)

    def view(self, row: Row) -> Row:
        """The row in the form that the kernel in use wants, for reading only."""
        return row if isinstance(row, list) != self.fast else self.copy(row)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self.twin.name, self._tables, self._scratch, self.stays_interpreted))


@cache
def twin_of(name: str, over: tuple[str, ...] = (), header: tuple[int, ...] = ()) -> Twin:
    """The twin of a kernel module (a generic one: over a game's kernel modules, or over one game), one per process."""
    return Twin(name, over, header)


def _rebuild(name: str, tables: list[int], scratch: int, stays_interpreted: bool) -> Engine:
    return Engine(twin_of(name), tables, scratch, stays_interpreted=stays_interpreted)
