"""EndingTable: the exact values of all positions with few pieces left, from a table that `ludus solve --endings` makes.

A table is made once for a rule set and kept on the machine. It is used by whoever names it (`exact`), and by nobody
else: what is on a machine must not change what comes of the same seed.
"""

from __future__ import annotations

import hashlib
import io
import threading
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ludus.bots.values import Evaluator
from ludus.core.compiling.cache import cache_home
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.lookahead import Lookahead
from ludus.core.row_digests import RowDigests
from ludus.core.whole_file import write_whole

VERSION = 1
EXACT = "exact"  # how such values, and the bot that plays by them, are called


def place_of(game: Game) -> Path:
    """Where the table of a rule set is kept."""
    digest = hashlib.sha256(f"{VERSION} {game.digest}".encode()).hexdigest()
    return cache_home() / "endings" / f"{digest[:32]}.npz"


class EndingTable:
    """Exact values by position. `left`: how many pieces of each side may still be under way."""

    def __init__(self, game: Game, first: Any, second: Any, values: Any, home: Any, left: int) -> None:
        order = np.lexsort((second, first))
        self.game, self.left, self.home = game, left, home
        self._first, self._second, self._values = first[order], second[order], values[order]
        self._digests = RowDigests(len(game.start_row()))
        self._alike = game.interchangeable()
        self._here = threading.local()

    def __len__(self) -> int:
        return len(self._values)

    def keep(self) -> Path:
        """Write the table where it is looked for."""
        file = io.BytesIO()
        arrays = {"first": self._first, "second": self._second, "values": self._values, "home": self.home}
        np.savez_compressed(file, left=np.array(self.left), **arrays)
        path = place_of(self.game)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, file.getvalue())
        return path

    def look_up(self, rows: Any) -> tuple[Any, Any]:
        """float64[N, P] and bool[N]: the values of rows, int16[N, R], and which are known."""
        rows = np.array(rows, np.int16)
        values = np.zeros((len(rows), self.game.num_players))
        known = np.zeros(len(rows), bool)
        for at in np.flatnonzero(rows[:, STAGE] == OVER):
            values[at] = [(prize + 1) / 2 for prize in self.game.result_of(rows[at]).values()]
            known[at] = True
        rolled = np.flatnonzero((rows[:, STAGE] == CHANCE) & self._is_late(rows))
        if len(rolled):
            values[rolled], known[rolled] = self._kept(rows[rolled])
        decided = np.flatnonzero((rows[:, STAGE] == DECISION) & self._is_late(rows))
        if len(decided):
            values[decided], known[decided] = self._best(rows[decided])
        return values, known

    def _is_late(self, rows: Any) -> Any:
        """bool[N]: whether few enough pieces are under way."""
        under_way = [
            (rows[:, part] != home).sum(axis=1) for part, home in zip(self._alike, self.home, strict=True)
        ]  # fmt: skip
        return np.all(np.array(under_way) <= self.left, axis=0)

    def _kept(self, rows: Any) -> tuple[Any, Any]:
        for part in self._alike:
            rows[:, part] = np.sort(rows[:, part], axis=1)
        first, second = self._digests(rows)
        at = np.minimum(np.searchsorted(self._first, first), max(0, len(self) - 1))
        known = (self._first[at] == first) & (self._second[at] == second)
        return self._values[at], known

    def _best(self, rows: Any) -> tuple[Any, Any]:
        """Of the best move for who decides, where what all moves lead to is known."""
        if not hasattr(self._here, "ahead"):
            self._here.ahead = Lookahead(self.game)
        after = self._here.ahead.afterstates(rows)
        offsets = np.array(after.offsets)
        values, known = self.look_up(np.array(after.rows))
        own = values[np.arange(len(values)), np.repeat(rows[:, TURN], np.diff(offsets))]
        spans = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
        best = [first + int(np.argmax(own[first:last])) for first, last in spans]
        return values[best], np.logical_and.reduceat(known, offsets[:-1])


class ExactAtTheEnd:
    """An evaluator that asks a table of endings first."""

    def __init__(self, endings: EndingTable, base: Evaluator) -> None:
        self.endings, self.base = endings, base
        self.name = f"{base.name}, endings exact"

    def values(self, game: Game, rows: Any) -> Any:
        """float64[N, players] from rows, int16[N, size]: what each seat may hope for; each row adds up to 1."""
        found, known = self.endings.look_up(rows)
        if not known.all():
            found[~known] = self.base.values(game, np.array(rows, np.int16)[~known])
        return found


def exact_at_the_end(game: Game, base: Evaluator) -> ExactAtTheEnd:
    """The evaluator with the table of a game; LudusError where none was made."""
    endings = endings_of(game)
    if endings is None:
        raise LudusError(f"{game.name} has no table of endings; `ludus solve {game.name} --endings` makes one")
    return ExactAtTheEnd(endings, base)


def endings_of(game: Game) -> EndingTable | None:
    """The table of a rule set, where one was made and can be read."""
    path = place_of(game)
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return None
    return _read(game, path, changed)


@lru_cache(maxsize=4)
def _read(game: Game, path: Path, changed: int) -> EndingTable | None:
    try:
        with np.load(path, allow_pickle=False) as kept:
            first, second, values, home = (kept[name] for name in ("first", "second", "values", "home"))
            return EndingTable(game, first, second, values, home, int(kept["left"]))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):  # damaged: as if there were none
        return None
