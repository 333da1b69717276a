"""What a position is worth: each player's chance to win, by a net."""

from __future__ import annotations

import threading
from typing import Any, Protocol

from ludus.bots.bot import BotError
from ludus.bots.net_desk import NetDesk
from ludus.bots.net_files import net_for
from ludus.core.engine import Row
from ludus.core.errors import quoted, suggestion
from ludus.core.game import Game
from ludus.core.position import Position

DEPTHS = {"td": 1, "td2": 2, "td3": 3}


class Evaluator(Protocol):
    """Values many positions of a game at once."""

    name: str

    def values(self, game: Game, rows: Any) -> Any:
        """float64[N, players] from rows, int16[N, size]: what each seat may hope for; each row adds up to 1."""


class NetEvaluator:
    """Values positions by a net: of a file, `any`, or the best that is shipped for the game; threads may share it."""

    def __init__(self, by: str = "td", weights: str | None = None) -> None:
        if by not in DEPTHS:
            raise BotError(f"values are by {', '.join(DEPTHS)}, not {quoted(by)}{suggestion(str(by), DEPTHS)}")
        self.name = by if weights is None else f"{by}:weights={weights}"
        self.depth = DEPTHS[by]
        self.weights = weights
        self._here = threading.local()

    def desk(self, game: Game) -> NetDesk:
        """The net at work on a game, in this thread."""
        kept: dict[str, NetDesk] = vars(self._here).setdefault("desks", {})
        if game.digest not in kept:
            if len(kept) >= 8:
                kept.clear()
            bare = game.without or game
            kept[game.digest] = NetDesk(bare, net_for(bare, self.weights))
        return kept[game.digest]

    def values(self, game: Game, rows: Any) -> Any:
        """float64[N, players] from rows, int16[N, size]: what each seat may hope for; each row adds up to 1."""
        return self.desk(game).values(rows, self.depth)


_KEPT: dict[tuple[str, str | None], NetEvaluator] = {}


def evaluator(by: str = "td", weights: str | None = None) -> NetEvaluator:
    """The evaluator of a name, one per process."""
    key = (by, weights)
    if key not in _KEPT:
        _KEPT[key] = NetEvaluator(by, weights)
    return _KEPT[key]


def value(position: Position, by: str = "td", weights: str | None = None) -> dict[str, float]:
    """Each player's chance to win, which add up to 1: `td` by the net, `td2` with every next roll; teams share theirs.

    Of a game that is over: what it gave. `weights`: a file that `ludus train` made, or 'any'.
    """
    game = position.game
    row: Row = [int(number) for number in position.row]
    shares = evaluator(by, weights).values(game, [row])[0]
    return {player: float(share) for player, share in zip(game.players, shares, strict=True)}
