"""The options of batches and environments as callers write them: checked, and as the kernel means them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core.errors import LudusError, quoted, suggestion
from ludus.core.game import Game
from ludus.core.kernels import batches as k

AUTORESET = {"next_step": k.NEXT_STEP, "same_step": k.SAME_STEP, "disabled": k.DISABLED}
EACH = "each"


def illegal_loses(illegal: Any) -> bool:
    """What an action that is not legal does: it loses the game, or is refused."""
    if illegal not in ("loses", "raises"):
        raise LudusError(f"illegal: 'loses' or 'raises', not {quoted(illegal)}")
    return bool(illegal == "loses")


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number in its limits."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= value.__index__() <= high:
        raise LudusError(f"{name}: a whole number from {low} to {high}, not {quoted(value)}")
    return int(value.__index__())


def autoreset_of(mode: Any) -> int:
    """What follows the end of a game, as the kernel counts it."""
    name = str(getattr(mode, "name", mode)).lower()
    if name not in AUTORESET:
        raise LudusError(f"autoreset: {', '.join(AUTORESET)}, not {quoted(mode)}{suggestion(name, AUTORESET)}")
    return AUTORESET[name]


def learners_of(game: Game, count: int, learner: Any) -> Any:
    """int64[N]: who learns in each game."""
    if learner is None:
        return np.full(count, k.EVERYBODY)
    if isinstance(learner, str) and learner == EACH:
        return np.arange(count) % game.num_players
    return np.full(count, game.seat_of(learner))
