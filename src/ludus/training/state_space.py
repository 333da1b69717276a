"""Every position of a small game, by number, and what follows from each: explored from the start, kept in a folder.

Positions are those at which chance acts, or at which another player decides than the one who moved; what one player
does with a roll, however many moves that takes, is one choice among the positions that come of it. Pieces that can be
exchanged stand in order, so that equal positions are one.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ludus.core.engine import DECISION, STAGE, TURN, twin_of
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.lookahead import Lookahead
from ludus.core.row_digests import RowDigests
from ludus.core.whole_file import write_whole

KERNEL = "ludus.training.kernels.states"
AT_ONCE = 20_000  # positions that are looked at together
MOST_STATES = 30_000_000
SMALLEST_INDEX = 1 << 16
VERSION = 2
PIECE = 1 << 24  # bytes that are read together

Progress = Callable[[str, int, int], None]
# name: kind of its elements; `rows` and what has two dimensions are flat files
PARTS = {
    "rows": np.int16, "first": np.int64, "second": np.int64, "rolls": np.int32, "weight_of": np.int32,
    "mover_of": np.uint8, "count_of": np.int32, "nexts": np.int32, "next_": np.int32,
}  # fmt: skip


class Index:
    """Numbers of positions by their digests."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self.known = 0
        self._make(SMALLEST_INDEX)

    def _make(self, size: int) -> None:
        self._firsts, self._seconds = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._numbers = np.full(size, -1, np.int64)

    def fill(self, first: Any, second: Any, more: int = 0) -> None:
        """Know these and no others, with room for more."""
        size = SMALLEST_INDEX
        while size < 3 * (len(first) + more):
            size *= 2
        self._make(size)
        self._kernel.rehash_api(first, second, self._firsts, self._seconds, self._numbers)
        self.known = len(first)

    @property
    def room(self) -> int:
        """How many more it takes before it grows."""
        return len(self._numbers) * 2 // 3 - self.known

    def number(self, first: Any, second: Any) -> tuple[Any, Any]:
        """The number of each, and which are new."""
        found, is_new = np.zeros(len(first), np.int64), np.zeros(len(first), np.uint8)
        arrays = (self._firsts, self._seconds, self._numbers)
        self.known = self._kernel.number_api(first, second, *arrays, self.known, found, is_new)
        return found, is_new.astype(bool)

    def look_up(self, first: Any, second: Any) -> Any:
        """The number of each, or -1."""
        found = np.zeros(len(first), np.int64)
        self._kernel.look_up_api(first, second, self._firsts, self._seconds, self._numbers, found)
        return found


class StateSpace:
    """The positions of a game and what follows; `folder` keeps them, and what was explored is not explored again.

    starts: int16[N, R], where it begins; the first position of the game.
    """

    def __init__(self, game: Game, folder: Path, most: int = MOST_STATES, starts: Any = None) -> None:
        self.game, self.folder, self.most = game, folder, most
        self._starts = starts
        self.kernel = twin_of(KERNEL).compiled()
        self.ahead = Lookahead(game)
        self.width = len(game.start_row())
        self._digest = RowDigests(self.width)
        self._alike = game.interchangeable()
        self.index = Index(self.kernel)
        self.explored = 0
        self.weights: list[float] = []
        self.prizes: list[tuple[float, ...]] = []
        self._counts = dict.fromkeys(PARTS, 0)
        self._sums = dict.fromkeys(PARTS, 0)  # of all bytes so far, by which a damaged file is known
        self._files: dict[str, Any] = {}

    @property
    def count(self) -> int:
        """How many positions are known."""
        return self.index.known

    # ------------------------------------------------------------ the folder

    @property
    def head(self) -> dict[str, Any]:
        """What the folder is about."""
        starts = None if self._starts is None else hashlib.sha256(self._starts.tobytes()).hexdigest()
        return {"format": "ludus-states", "version": VERSION, "digest": self.game.digest, "starts": starts}

    def open(self) -> None:
        """Go on with what the folder has, or begin."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._state_file.exists():
            self._resume()
        self._files = {name: (self.folder / f"{name}.bin").open("r+b" if self.explored else "w+b") for name in PARTS}
        for name, file in self._files.items():
            file.truncate(self._counts[name] * np.dtype(PARTS[name]).itemsize)
            file.seek(0, 2)
        if not self.explored:
            self._number(np.array([self.game.start_row()], np.int16) if self._starts is None else self._starts)

    @property
    def _state_file(self) -> Path:
        return self.folder / "states.json"

    def _resume(self) -> None:
        try:
            self._take(json.loads(self._state_file.read_text()))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise LudusError(f"{self._state_file}: not as it was written; take another folder") from None
        for name in PARTS:
            self._check(name)
        self.index.fill(np.array(self.array("first")), np.array(self.array("second")))

    def _take(self, state: Mapping[str, Any]) -> None:
        for key, value in self.head.items():
            if state.get(key) != value:
                raise LudusError(f"{self.folder}: positions of another game, beginning or version; take another folder")
        self.explored = int(state["explored"])
        self._counts, self._sums = ({name: int(state[key][name]) for name in PARTS} for key in ("counts", "sums"))
        self.weights, self.prizes = list(state["weights"]), [tuple(prize) for prize in state["prizes"]]

    def _check(self, name: str) -> None:
        """A part must hold what was written: a kernel that follows other numbers leaves its arrays."""
        path, left, found = self.folder / f"{name}.bin", self._counts[name] * np.dtype(PARTS[name]).itemsize, 0
        with suppress(OSError), path.open("rb") as file:
            while left and (data := file.read(min(left, PIECE))):
                found, left = zlib.crc32(data, found), left - len(data)
        if left or found != self._sums[name]:
            raise LudusError(f"{path}: not as it was written; take another folder")

    def array(self, name: str) -> Any:
        """A part as it lies on disk."""
        count = self._counts[name]
        if not count:
            return np.zeros(0, PARTS[name])
        return np.memmap(
            self.folder / f"{name}.bin", PARTS[name], "c", shape=(count,)
        )  # kernels ask for what can be written

    def _add(self, name: str, values: Any) -> None:
        data = np.ascontiguousarray(values, PARTS[name])
        written = data.tobytes()
        self._files[name].write(written)
        self._sums[name] = zlib.crc32(written, self._sums[name])
        self._counts[name] += data.size

    def _keep(self) -> None:
        self._flush()
        state = {
            **self.head, "explored": self.explored, "counts": self._counts, "sums": self._sums,
            "weights": self.weights, "prizes": self.prizes,
        }  # fmt: skip
        write_whole(self._state_file, json.dumps(state).encode())

    def _flush(self) -> None:
        for file in self._files.values():
            file.flush()

    def close(self) -> None:
        """Give the files back."""
        for file in self._files.values():
            file.close()
        self._files.clear()

    # ------------------------------------------------------------ exploring

    def explore(self, progress: Progress | None = None) -> None:
        """Look at every position that is known until there is no new one."""
        self.open()
        try:
            while self.explored < self.count:
                self._look_at(self.explored, min(self.explored + AT_ONCE, self.count))
                self._keep()
                if progress is not None:
                    progress("explore", self.explored, self.count)
                if self.count > self.most:
                    raise LudusError(
                        f"solve: {self.game.name} has more than {self.most:,} positions; nothing is solved"
                    )
        finally:
            self.close()

    def _look_at(self, first: int, last: int) -> None:
        """What follows from positions first … last - 1."""
        self._flush()
        size = self.width
        rows = np.array(self.array("rows")[first * size : last * size]).reshape(-1, size)
        rolls = self.ahead.expand_chance(rows)
        counts = np.diff(rolls.offsets)
        movers = np.array(rolls.rows[:, TURN])
        roll_of, numbers = self._choices(
            np.array(rolls.rows), np.array(rolls.rewards), np.array(rolls.terminated), movers
        )
        order = np.argsort(roll_of, kind="stable")
        per_roll = np.bincount(roll_of, minlength=len(movers))
        self._add("rolls", counts)
        self._add("weight_of", self._weights_of(np.array(rolls.weights)))
        self._add("mover_of", movers)
        self._add("count_of", per_roll)
        self._add("nexts", np.add.reduceat(per_roll, rolls.offsets[:-1]) if len(per_roll) else [])
        self._add("next_", numbers[order])
        self.explored = last

    def _choices(self, rows: Any, rewards: Any, over: Any, movers: Any) -> tuple[Any, Any]:
        """For every position that a roll can be made into: the roll, and the position's number."""
        roll_of = np.arange(len(rows))
        found: list[tuple[Any, Any]] = []
        while len(rows):
            decides = ~over & (rows[:, STAGE] == DECISION) & (rows[:, TURN] == movers[roll_of])
            found.append((roll_of[~decides], self._numbers(rows[~decides], rewards[~decides], over[~decides])))
            after = self.ahead.afterstates(rows[decides])
            roll_of = roll_of[decides][after.sources()]
            rows, rewards, over = np.array(after.rows), np.array(after.rewards), np.array(after.terminated)
        return np.concatenate([rolls for rolls, _ in found]), np.concatenate([numbers for _, numbers in found])

    def _numbers(self, rows: Any, rewards: Any, over: Any) -> Any:
        numbers = np.zeros(len(rows), np.int64)
        numbers[~over] = self._number(rows[~over])
        numbers[over] = [self._prize(tuple(map(float, prize))) for prize in rewards[over]]
        return numbers

    def _prize(self, prize: tuple[float, ...]) -> int:
        if prize not in self.prizes:
            self.prizes.append(prize)
        return -1 - self.prizes.index(prize)

    def _weights_of(self, weights: Any) -> Any:
        distinct, where = np.unique(weights, return_inverse=True)
        for weight in distinct.tolist():
            if weight not in self.weights:
                self.weights.append(weight)
        return np.array([self.weights.index(weight) for weight in distinct.tolist()], np.int32)[where]

    def _number(self, rows: Any) -> Any:
        """The numbers of positions; new ones are kept."""
        if not len(rows):
            return np.zeros(0, np.int64)
        rows = self.canonical(rows)
        first, second = self._digest(rows)
        if self.index.room < len(rows):
            self._flush()
            self.index.fill(np.array(self.array("first")), np.array(self.array("second")), len(rows))
        numbers, is_new = self.index.number(first, second)
        self._add("rows", rows[is_new])
        self._add("first", first[is_new])
        self._add("second", second[is_new])
        return numbers

    def canonical(self, rows: Any) -> Any:
        """Rows whose interchangeable pieces stand in order."""
        rows = np.array(rows, np.int16)
        for part in self._alike:
            rows[:, part] = np.sort(rows[:, part], axis=1)
        return rows

    def numbers_of(self, rows: Any) -> Any:
        """The numbers of positions, -1 of those that are not known."""
        return self.index.look_up(*self._digest(self.canonical(rows)))
