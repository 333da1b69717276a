"""What comes next from many positions at once, in NumPy: afterstates, every roll, and what seats see of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ludus.core.arrays import Pool, callers_own, checked_names
from ludus.core.engine import TURN, twin_of
from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.kernels.features import FEATURE_ROOM

KERNEL = "ludus.core.kernels.afterstates"
FEATURES, PLAIN_FEATURES = "ludus.core.kernels.features", "ludus.core.kernels.plain_features"
ALL = "all"  # every seat


class Onward:
    """Positions that others lead to. Those of source i are numbers offsets[i] to offsets[i + 1].

    rows: int16[M, R], the positions · offsets: int64[N + 1] · rewards: float32[M, P], what every seat gets where the
    game is over, else 0 · terminated: bool[M].
    """

    rows: Any
    offsets: Any
    rewards: Any
    terminated: Any
    seats: Any

    def __init__(self, ahead: Lookahead, arrays: Mapping[str, Any], out: Mapping[str, Any]) -> None:
        self._ahead, self._out = ahead, out
        self._observations: Any = None
        self._features: Any = None
        for name, array in arrays.items():
            setattr(self, name, array)
        if "observations" in out:
            _ = self.observations
        if "features" in out:
            _ = self.features

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def observations(self) -> Any:
        """float32[M, n]: what `seats` see, written when first asked for."""
        if self._observations is None:
            self._observations = self._ahead.observe(self.rows, self.seats, self._out.get("observations"))
        return self._observations

    @property
    def features(self) -> Any:
        """float32[M, f]: the positions described from the rules' own tables, as `seats` see them; written when read."""
        if self._features is None:
            self._features = self._ahead.features(self.rows, self.seats, self._out.get("features"))
        return self._features

    def observe(self, seat: Any = None) -> Any:
        """float32[M, n]: what a player sees, or each of `seats` by default; float32[M, P, n] for "all"."""
        return self.observations if seat is None else self._ahead.observe(self.rows, seat)

    def sources(self) -> Any:
        """int64[M]: the number of the position that each comes from."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


class Afterstates(Onward):
    """Every position that a legal move leads to, one for each of `position.moves()`, before chance acts.

    actions: int64[M], the moves as actions · seats: int64[M], who made them and whose observations are seen.
    """

    actions: Any


class Rolls(Onward):
    """Every position that one act of chance leads to; a position at which nothing is rolled leads to itself.

    outcomes: int64[M], their numbers in the order of `position.outcomes()`, -1 where nothing was rolled · weights:
    float64[M], their probabilities: they sum to 1 for each source · seats: int64[M], whose turn it is then.
    """

    outcomes: Any
    weights: Any


class Lookahead:
    """The kernel over many rows of one game; every call works on its own arrays or on the caller's.

    It believes the rows that it is given: those that somebody hands in go through `checked_rows` first.
    """

    def __init__(self, game: Game, compiled: bool = True, specialised: bool = True) -> None:
        self.game = game
        tables = batch_tables(game)
        self._kernel = kernel_for(KERNEL, game, tables, compiled, specialised)
        self._is_fast, self._is_specialised = compiled, specialised
        # the interpreted twin counts with Python's integers, which do not overflow
        self._short: Any = np.int16 if compiled else np.object_
        self._long: Any = np.int64 if compiled else np.object_
        self._tables = np.array(tables, self._long)
        self._scratch = np.zeros(len(game.engine.scratch), self._long)
        self._width = len(game.start_row())
        self._length = len(game.observation_names)
        self._pool = Pool()
        self._found: dict[str, int] = {}  # how many the last call gave: room for as many is a good guess

    def afterstates(self, rows: Any, out: Mapping[str, Any] | None = None) -> Afterstates:
        """Every legal move of every row, played; `out`: arrays of the caller's by name."""
        arrays = {"actions": ((), np.int64), "seats": ((), np.int64)}
        return Afterstates(self, *self._unfold("afterstates_api", rows, arrays, out))

    def expand_chance(self, rows: Any, out: Mapping[str, Any] | None = None) -> Rolls:
        """Every outcome of chance of every row; `out`: arrays of the caller's by name."""
        arrays = {"outcomes": ((), np.int64), "weights": ((), np.float64)}
        found, own = self._unfold("expand_api", rows, arrays, out)
        return Rolls(self, found | {"seats": found["rows"][:, TURN].astype(np.int64)}, own)

    def _unfold(self, entry: str, rows: Any, special: Mapping[str, Any], out: Any) -> tuple[dict[str, Any], Any]:
        """Call an entry with room for what it finds; more room, and again, where there was not enough."""
        wanted = {
            "rows": ((self._width,), np.int16), **special,
            "rewards": ((self.game.num_players,), np.float32), "terminated": ((), np.bool_),
        }  # fmt: skip
        own = checked_names(out, (*wanted, "offsets", "observations", "features"))
        count = len(rows)
        offsets = self._array("offsets", (count + 1,), np.int64, own)
        arguments = self._in(rows), self._tables, self._scratch, count
        room = min([len(own[name]) for name in wanted if name in own], default=self._found.get(entry, 2 * count))
        while True:
            arrays = {name: self._array(name, (room, *shape), kind, own) for name, (shape, kind) in wanted.items()}
            work = [self._work(array) for array in (offsets, *arrays.values())]
            found = getattr(self._kernel, entry)(*arguments, *work)
            if found <= room:
                break
            room = found
        self._found[entry] = found
        for array, worked in zip((offsets, *arrays.values()), work, strict=True):
            self._copy_back(array, worked)
        return {"offsets": offsets[: count + 1]} | {name: array[:found] for name, array in arrays.items()}, own

    def observe(self, rows: Any, seat: Any, out: Any = None) -> Any:
        """float32[N, n]: what a seat, or the seat of each row (int[N]), sees; float32[N, P, n] where it is "all"."""
        count, players = len(rows), self.game.num_players
        each = players if isinstance(seat, str) and seat == ALL else 1
        seats = np.tile(np.arange(players), count) if each > 1 else self._seats(seat, count)
        shape = (count, players, self._length) if each > 1 else (count, self._length)
        seen = self._array("observations", shape, np.float32, {} if out is None else {"observations": out})[:count]
        arguments = self._in(rows), self._tables, self._scratch, seats.astype(self._long), each
        self._kernel.observe_rows_api(*arguments, seen.reshape(-1))
        return seen

    @cached_property
    def _describing(self) -> tuple[Any, Any, int]:
        """The kernel of features, the tables that it reads, and how many features there are."""
        engine = self.game.engine
        over = (*(self.game.feature_kernels or (PLAIN_FEATURES,)), engine.twin.name)
        tables = [int(value) for value in engine.tables]
        count = int(twin_of(FEATURES, over).interpreted.feature_count(tables))
        if not self._is_fast:
            return twin_of(FEATURES, over).interpreted, np.array(tables, np.object_), count
        fixed = (engine.header, engine.columns) if self._is_specialised else ()
        return twin_of(FEATURES, over).compiled(*fixed), np.array(tables, np.int64), count

    def features(self, rows: Any, seat: Any, out: Any = None) -> Any:
        """float32[N, f]: the features of rows as a seat, or the seat of each row (int[N]), sees them."""
        kernel, tables, length = self._describing
        seats, shape = self._seats(seat, len(rows)), (len(rows), length)
        found = self._array("features", shape, np.float32, {} if out is None else {"features": out})[: len(rows)]
        listed = np.zeros(FEATURE_ROOM, np.int32 if self._is_fast else self._long), np.zeros(FEATURE_ROOM, np.float32)
        arguments = self._in(rows), tables, self._scratch, seats.astype(self._long), *listed
        kernel.features_api(*arguments, found.reshape(-1))
        return found

    def _seats(self, seat: Any, count: int) -> Any:
        if isinstance(seat, str):
            return np.full(count, self.game.seat_of(seat))
        seats = np.asarray(seat)
        if seats.shape != (count,) or seats.dtype.kind not in "iu":
            raise LudusError(f"seat: a player, 'all', or int[{count}], a seat for each, not {quoted(seat)}")
        if count and not (seats.min() >= 0 and seats.max() < self.game.num_players):
            raise LudusError(f"seat: 0 to {self.game.num_players - 1}, not {seats.min()} to {seats.max()}")
        return seats

    def checked_rows(self, rows: Any) -> Any:
        """int16[N, R], each within what the game's kernel can read; another is a LudusError."""
        given = rows if isinstance(rows, np.ndarray) else np.asarray(rows)
        if given.ndim != 2 or given.shape[1] != self._width or given.dtype.kind not in "iu":
            raise LudusError(f"rows: int16[…, {self._width}], not {given.dtype}{list(given.shape)}")
        low, high = self.game.row_bounds
        short = np.require(given, np.int16, ["C", "W"])
        if given.dtype != np.int16 and not np.array_equal(short, given):
            raise LudusError("rows: int16, and some numbers are larger")
        number = self._kernel.first_outside_api(short.reshape(-1), low, high)
        if number >= 0:
            field = int(np.argmax((short[number] < low) | (short[number] > high)))
            bounds = f"{low[field]} to {high[field]}"
            raise LudusError(f"rows: field {field} of row {number} is {short[number, field]}, and can be {bounds}")
        return short

    def _array(self, name: str, shape: tuple[int, ...], kind: Any, own: Mapping[str, Any]) -> Any:
        if name in own:
            return callers_own(name, own[name], shape, kind, least=True)
        return self._pool.take(shape, kind)

    def _in(self, rows: Any) -> Any:
        return rows.reshape(-1) if self._is_fast else rows.astype(self._short).reshape(-1)

    def _work(self, array: Any) -> Any:
        """What the kernel writes into: the array itself, or a stand-in that holds Python's integers."""
        if array.dtype == np.bool_:
            return array.view(np.uint8).reshape(-1)
        if self._is_fast or array.dtype.kind == "f":
            return array.reshape(-1)
        return np.zeros(array.size, np.object_)

    def _copy_back(self, array: Any, worked: Any) -> None:
        if worked.dtype == np.object_:
            array[...] = worked.reshape(array.shape)


def kernel_for(name: str, game: Game, tables: list[int], compiled: bool, specialised: bool) -> Any:
    """A kernel over a game's own: interpreted, compiled for this very game, or for every game of that kernel."""
    own, engine = game.engine.twin, game.engine
    twin = twin_of(name, (own.name,))
    if not compiled:
        return twin.interpreted
    if not specialised:
        return twin.compiled()
    # a kernel without a header is compiled for all its games
    return twin.compiled(tuple(tables[: getattr(own.interpreted, "HEADER", 0)]), engine.columns)


def batch_tables(game: Game) -> list[int]:
    """The game's tables, with what its kernel sets otherwise in batches."""
    tables = [int(value) for value in game.engine.tables]
    for field, other in getattr(game.engine.twin.interpreted, "IN_BATCHES", {}).items():
        tables[field] = tables[other]
    return tables
