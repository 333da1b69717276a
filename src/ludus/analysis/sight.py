"""What a game's positions are worth, some plies ahead: by a trained net, else by playouts."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ludus.bots.bot import BotError
from ludus.bots.net_files import net_for
from ludus.bots.values import Evaluator, evaluator
from ludus.core.errors import LudusError, quoted
from ludus.core.flat import has_numpy
from ludus.core.game import Game
from ludus.core.kernels.codes import CHANCE, DECISION, STAGE, TURN

if TYPE_CHECKING:
    from ludus.core.lookahead import Lookahead

PLIES = (1, 2)
PLAYOUTS = "playouts"
NET, DEEPER = "td", "td2"


class OnePlyDeeper:
    """A value that looks one roll further: of chance, every outcome; of a decision, the move that is best at first."""

    def __init__(self, game: Game, base: Evaluator) -> None:
        self.base, self.name = base, base.name
        self._ahead = lookahead_of(game)

    def values(self, game: Game, rows: Any) -> Any:
        """Each seat's share."""
        import numpy as np

        rows = np.ascontiguousarray(rows, np.int16)
        stages = rows[:, STAGE]
        out = np.zeros((len(rows), game.num_players))
        deciding = np.flatnonzero(stages == DECISION)
        if len(deciding):
            found = self._ahead.afterstates(rows[deciding])
            first = self.base.values(game, found.rows)
            best = best_of(found.offsets, first, rows[deciding, TURN])
            out[deciding] = self.values(game, found.rows[best])
        rolled = np.flatnonzero(stages == CHANCE)
        if len(rolled):
            out[rolled] = self._average(game, rows[rolled])
        over = np.flatnonzero((stages != DECISION) & (stages != CHANCE))
        if len(over):
            out[over] = self.base.values(game, rows[over])
        return out

    def _average(self, game: Game, rows: Any) -> Any:
        found = self._ahead.expand_chance(rows)
        return averages(found.offsets, found.weights, self.base.values(game, found.rows))


def averages(offsets: Any, weights: Any, values: Any) -> Any:
    """float64[N, P]: the weighted sums of each source's values."""
    import numpy as np

    return np.add.reduceat(values * weights[:, None], offsets[:-1], axis=0) if len(values) else values


def best_of(offsets: Any, values: Any, seats: Any) -> Any:
    """int64[N]: for each decision the number of the value that is best for who decides; the first of equals."""
    import numpy as np

    own = values[np.arange(len(values)), np.repeat(seats, np.diff(offsets))]
    parts = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return np.array([first + int(np.argmax(own[first:last])) for first, last in parts], np.int64)


@lru_cache(maxsize=8)
def lookahead_of(game: Game) -> Lookahead:
    """What comes next in a game, one per game and process."""
    from ludus.core.lookahead import Lookahead

    return Lookahead(game)


def values_for(game: Game, by: Any = None, plies: int = 1) -> Evaluator:
    """What values a game's positions: what `by` names, else the shipped net, else playouts.

    `exact:OTHERS`: the table of endings first, and the others where it knows nothing.
    """
    if isinstance(by, str):
        from ludus.bots.endings import EXACT, exact_at_the_end
        from ludus.bots.finishing import RacesAtTheEnd, has_races

        if by.partition(":")[0] == EXACT:
            base = values_for(game, by.partition(":")[2] or None, plies)
            return RacesAtTheEnd(base) if has_races(game) else exact_at_the_end(game, base)
    if plies not in PLIES or isinstance(plies, bool):
        raise LudusError(f"plies: {' or '.join(map(str, PLIES))}, not {quoted(plies)}")
    if by is not None and not isinstance(by, str):
        return by if plies == 1 else OnePlyDeeper(game, by)
    if by == PLAYOUTS or (by is None and not net_sees(game)):
        if not has_numpy():
            raise LudusError(f"{game.name} is valued by playouts, and these need NumPy, which is not here")
        from ludus.analysis.playing_on import PlayoutValues

        base = PlayoutValues()
        return base if plies == 1 else OnePlyDeeper(game, base)
    net, weights = named(by or NET)
    found = evaluator(net if plies == 1 else DEEPER, weights)
    net_for(game, weights)  # whoever has none is told so now
    return found


def named(by: str) -> tuple[str, str | None]:
    """'td', or 'td:weights=FILE', as bots are written."""
    name, _, rest = by.partition(":")
    key, _, weights = rest.partition("=")
    if name != NET or (rest and (key != "weights" or not weights)):
        from ludus.bots.endings import EXACT

        known = f"{NET}, {NET}:weights=FILE, {PLAYOUTS}, {EXACT} or {EXACT}:OTHERS"
        raise LudusError(f"values are by {known}, not {quoted(by)}")
    return name, weights or None


def net_sees(game: Game) -> bool:
    """Whether a net is shipped that sees all there is: none looks into hands, so that a card would be no luck."""
    return has_net(game) and not game.has_secrets


def has_net(game: Game) -> bool:
    """Whether a net is shipped that values a game's positions."""
    try:
        net_for(game)
    except BotError:
        return False
    return True
