"""Contests without the luck of the dice: the same games tell as much as several times as many.

Every game between bots is played in the kernel, and the luck of its rolls, by a value that is fixed beforehand, is
taken off each side's result. A roll's luck has mean 0 whatever the value is worth, so nobody gains by it. How much
of it is taken off is fitted to the deals (the least scatter that is left), because bots differ from those whose games
the value knows: apart for one's own rolls and those of others, by how long the game has gone on, and by how one
stands, all of which is known before a roll. Each tenth of the deals is fitted by the others, so that no deal has a say
in what is taken off itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from ludus.analysis.rolling_out import Estimate, Progress
from ludus.analysis.sight import averages, lookahead_of, values_for
from ludus.arena.ratings import FEW_DEALS
from ludus.arena.ring import label
from ludus.arena.schedule import make_schedule
from ludus.bots import Bot
from ludus.bots.desk import play_bots
from ludus.bots.values import Evaluator
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.kernels.codes import CHANCE, DECISION, STAGE, TURN
from ludus.core.seeds import fold_seed
from ludus.core.sides import sides_of

LONGEST = 20_000  # plies
MANY_DEALS = 150  # from which luck of several kinds is told apart
FOLDS = 10
PLIES_AS_ONE = 1_000  # the unit of how long a game has gone on


@dataclass(frozen=True)
class AdjustedShare:
    """What a bot won of its games, as it is and less the luck; `saves`: how many times the games that would take.

    factor: how much of the luck was taken off.
    """

    bot: str
    games: int
    fair: float
    factor: float
    raw: Estimate
    adjusted: Estimate

    @property
    def saves(self) -> float:
        """The squared ratio of the intervals."""
        return ((self.raw.high - self.raw.value) / max(self.adjusted.high - self.adjusted.value, 1e-12)) ** 2

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self) | {"saves": self.saves}


@dataclass(frozen=True)
class AdjustedStandings:
    """A contest less the luck: `by` names the value that was fixed beforehand."""

    game: str
    by: str
    seed: int
    games: int
    bots: tuple[AdjustedShare, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"by": self.by, "games": self.games, "seed": self.seed, "bots": [bot.data() for bot in self.bots]}

    def text(self, lang: str = "en") -> str:
        """For a terminal."""
        from ludus.analysis.adjusted_text import as_text

        return as_text(self, lang)


def luck_adjusted(  # noqa: PLR0913  (each is said by name)
    game: Game,
    bots: Sequence[str | Bot],
    games: int,
    seed: int,
    by: Any = None,
    progress: Progress | None = None,
    *,
    plies: int = 1,
) -> AdjustedStandings:
    """Play bots at one table, every seating with the same dice, and take the luck off (docs/analysis.md).

    plies: how far the value looks ahead; 2 takes more of the luck off, and longer.
    """
    if game.plugins:
        raise LudusError(f"{game.name} has rules in Python, which no value knows: luck can't be told")
    value = values_for(game.compile(), by, plies)
    schedule = make_schedule(game, [label(one) for one in bots], games)
    bots = list({label(one): one for one in bots}.values())
    if len(schedule.tables) != 1:
        raise LudusError("without luck: as many bots as fit at one table, not a tournament")
    deals: dict[int, list[Any]] = {}
    for done, (deal, got) in enumerate(_games(game, bots, schedule.tables[0], value, fold_seed(seed)), start=1):
        deals.setdefault(deal, []).append(got)
        if progress is not None:
            progress(done, schedule.games)
    means = np.array([np.mean(parts, axis=0) for parts in deals.values()])
    sides = len(sides_of(game))
    lineup = schedule.tables[0].lineup
    found = [
        _share(label(bot), schedule.games, sum(one == at for one in lineup) / sides, means[:, at])
        for at, bot in enumerate(bots)
    ]
    return AdjustedStandings(game.title(), value.name, seed, schedule.games, tuple(found))


def _share(bot: str, games: int, fair: float, means: Any) -> AdjustedShare:
    """One bot's share; means: float64[deals, 1 + kinds], what it got in each deal, and its luck, kind by kind."""
    raw, luck = means[:, 0], means[:, 1:]
    taken = taken_off(raw, luck)
    spread = float(luck[:, 0].var(ddof=1)) if len(raw) > 1 else 0.0
    factor = float(np.cov(taken, luck[:, 0])[0, 1]) / spread if spread > 0 else 1.0
    return AdjustedShare(bot, games, fair, factor, Estimate.of(raw), Estimate.of(raw - taken))


def taken_off(raw: Any, luck: Any) -> Any:
    """float64[deals]: how much of each deal's result is luck; luck: float64[deals, kinds], all of it, then parts."""
    if len(raw) < FEW_DEALS:
        return luck[:, 0]
    kinds = luck if len(raw) >= MANY_DEALS else luck[:, :1]
    taken = np.zeros(len(raw))
    folds = np.arange(len(raw)) % FOLDS
    for fold in range(FOLDS):
        here, others = folds == fold, folds != fold
        middle = kinds[others].mean(axis=0)
        slopes = np.linalg.lstsq(kinds[others] - middle, raw[others] - raw[others].mean(), rcond=None)[0]
        taken[here] = kinds[here] @ slopes
    return taken


def _games(
    game: Game, bots: Sequence[str | Bot], table: Any, value: Evaluator, seed: int
) -> Iterator[tuple[int, Any]]:  # fmt: skip
    """Deal, and for each bot what it got of a game, and its luck: float64[bots, 1 + kinds]."""
    sides = sides_of(game)
    side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
    for block in table.blocks:
        for deal in range(block.first_deal, block.first_deal + block.deals):
            for seating in block.seatings:
                of_seat = np.array([seating[side_of[seat]] for seat in range(game.num_players)])
                played = _one_game(game, [bots[bot] for bot in of_seat], value, seed, deal)
                yield deal, np.array([_of_bot(played, of_seat == bot) for bot in range(len(bots))])


class _Played(NamedTuple):
    """A game: each seat's share at the end, float64[P]; of each roll what it gave and what was to be expected before
    it, float64[N, P], who rolled and after how many plies, int64[N].
    """

    final: Any
    luck: Any
    before: Any
    roller: Any
    plies: Any


def _of_bot(played: _Played, seats: Any) -> Any:
    """float64[1 + kinds]: what the bot in some seats, bool[P], got, all its luck, and what of it is of which kind."""
    luck, stands = played.luck[:, seats].sum(axis=1), played.before[:, seats].sum(axis=1)
    own, late = luck * seats[played.roller], played.plies / PLIES_AS_ONE
    kinds = luck, own, luck * late, own * late, luck * stands, luck * stands * late
    return np.array([played.final[seats].sum(), *(kind.sum() for kind in kinds)])


def _one_game(game: Game, seated: Sequence[str | Bot], value: Evaluator, seed: int, deal: int) -> _Played:
    """A game with the luck of all its rolls."""
    rows = rows_of_game(game, seated, seed, deal)
    rolled = np.flatnonzero(rows[:-1, STAGE] == CHANCE)
    ahead = lookahead_of(game).expand_chance(rows[rolled])
    means = averages(ahead.offsets, ahead.weights, value.values(game, ahead.rows))
    luck = value.values(game, rows[rolled + 1]) - means
    return _Played(value.values(game, rows[-1:])[0], luck, means, rows[rolled, TURN].astype(int), rolled)


def rows_of_game(game: Game, seated: Sequence[str | Bot], seed: int, number: int) -> Any:
    """int16[N, R]: every position of a game between bots, deal `number` of an arena under a seed."""
    trace, out = np.full(LONGEST, -1, np.int64), np.zeros(game.playouts_class.columns(), np.int64)
    play_bots(game, list(seated), (seed, number, 1, LONGEST), out, trace, own_dice=True)
    bench = game.engine.here.bench
    row = bench.copy(game.start_row())
    found = [list(row)]
    for event in trace.tolist():
        if row[STAGE] not in (CHANCE, DECISION) or event < 0:
            break
        row = bench.with_outcome(row, event) if row[STAGE] == CHANCE else bench.after(row, event)
        found.append(list(row))
    return np.array(found, np.int16)
