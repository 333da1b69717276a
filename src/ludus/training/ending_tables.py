"""Tables of endings: every position of two sides with few pieces left, solved once for a rule set."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ludus.bots.endings import EndingTable
from ludus.core.errors import InvalidPosition, LudusError
from ludus.core.game import Game
from ludus.training.solver import TOLERANCE, Solution
from ludus.training.state_space import Progress, StateSpace

MOST_LEFT = 2
MOST_ENDINGS = 5_000_000


def make_endings(game: Game, left: int = 1, progress: Progress | None = None, most: int = MOST_ENDINGS) -> EndingTable:
    """Solve every position with at most `left` pieces of each side under way, and keep the table."""
    if game.plugins:
        raise LudusError("endings: rules in Python can't be solved")
    if game.num_players != 2:
        raise LudusError(f"endings: for two players, not {game.num_players}")
    if isinstance(left, bool) or not isinstance(left, int) or not 1 <= left <= MOST_LEFT:
        raise LudusError(f"endings: from 1 to {MOST_LEFT} pieces of each side, not {left!r}")
    starts, home = _starts(game, left)
    with tempfile.TemporaryDirectory(prefix="ludus-endings-") as folder:
        space = StateSpace(game, Path(folder), most, starts)
        space.explore(progress)
        solution = Solution(space, TOLERANCE, progress, None)
        first, second = np.array(space.array("first")), np.array(space.array("second"))
    endings = EndingTable(game, first, second, solution.values, home, left)
    endings.keep()
    return endings


def _starts(game: Game, left: int) -> tuple[Any, Any]:
    """The rows from which all endings come: the pieces that are left in their yards; and what a piece at home is."""
    pieces = int(getattr(getattr(game.rules, "board", None), "pieces", 0))
    if not pieces or len(game.interchangeable()) != game.num_players:
        raise LudusError(f"endings: {game.name} has no pieces that go home and are alike")
    if left >= pieces:
        raise LudusError(
            f"endings: {game.name} has {pieces} pieces each: `ludus solve` solves the whole game where that can be"
        )
    rows = []
    for player in game.players:
        hands = {one: ["start"] * left + ["finish"] * (pieces - left) for one in game.players}
        try:
            rows.append(list(game.position({"pieces": hands, "turn": player}).row))
        except InvalidPosition as error:
            raise LudusError(f"endings: {game.name} has none of this kind: {error}") from None
    row = np.array(rows[0], np.int16)
    return np.array(rows, np.int16), np.array([row[part][-1] for part in game.interchangeable()], np.int16)
