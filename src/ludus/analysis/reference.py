"""What errors and luck are usual in a rule set: the quantiles by which marks are set."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import fsum

from ludus.analysis.prospects import after_moves, after_rolls
from ludus.bots.desk import play_bots
from ludus.bots.values import Evaluator
from ludus.core.engine import Row
from ludus.core.flat import zeros
from ludus.core.game import Game
from ludus.core.kernels.codes import CHANCE, DECISION, STAGE, TURN

GAMES, LONGEST = 8, 3_000
MOST = 120  # unforced decisions, and as many rolls
SEED = 16
# a mark for an error that is larger than this part of those that random play makes where there is a choice
ERRORS = {"?!": 0.5, "?": 0.75, "??": 0.9}
ABOUT = 0.02  # sizes may be so much further down or up among the errors, to lie where few are
LUCKY = 0.9  # … and for a roll that is better than this part of all, or worse than this part
FEWEST = 5e-4  # no error is smaller: so little is rounding


@dataclass(frozen=True)
class Usual:
    """The sizes of a rule set, by one value: errors that get a mark, luck that gets one, and what random play loses.

    marks: '?!', '?' and '??' with the least error each · lucky, unlucky: the luck of the one who rolls ·
    random_error: what random play loses with each unforced decision · decisions, rolls: how many were looked at.
    """

    marks: dict[str, float]
    lucky: float
    unlucky: float
    random_error: float
    decisions: int
    rolls: int

    def mark_of(self, error: float) -> str:
        """'', '?!', '?' or '??'."""
        return next((mark for mark in ("??", "?", "?!") if error >= self.marks[mark]), "")

    def luck_of(self, luck: float) -> str:
        """'', 'lucky' or 'unlucky'."""
        return "lucky" if luck >= self.lucky else "unlucky" if luck <= self.unlucky else ""


_KNOWN: OrderedDict[tuple[str, str, int], Usual] = OrderedDict()


def usual_of(game: Game, value: Evaluator, plies: int = 1) -> Usual:
    """The sizes of a game: from games that heuristic bots play, always the same ones."""
    key = (game.digest, value.name, plies)
    if key not in _KNOWN:
        _KNOWN[key] = _measure(game, value)
        if len(_KNOWN) > 64:
            _KNOWN.popitem(last=False)
    return _KNOWN[key]


def _measure(game: Game, value: Evaluator) -> Usual:
    rows = sample_rows(game)
    errors, shares = _errors(game, value, [row for row in rows if row[STAGE] == DECISION])
    luck, chances = _luck(game, value, _some([row for row in rows if row[STAGE] == CHANCE]))
    marks = {mark: max(FEWEST, parting(errors, shares, part)) for mark, part in ERRORS.items()}
    lost = fsum(error * share for error, share in zip(errors, shares, strict=True))
    return Usual(
        marks, max(FEWEST, quantile(luck, chances, LUCKY)), min(-FEWEST, quantile(luck, chances, 1 - LUCKY)),
        lost / max(fsum(shares), 1e-12), round(fsum(shares)), round(fsum(chances)),
    )  # fmt: skip


def sample_rows(game: Game) -> list[Row]:
    """The positions of some games between heuristic bots."""
    found = []
    bench = game.compile().engine.here.bench
    width = game.playouts_class.columns()
    for number in range(GAMES):
        trace, out = zeros(LONGEST, "int64"), zeros(width, "int64")
        play_bots(game, ["heuristic"] * game.num_players, (SEED, number, 1, LONGEST), out, trace)
        row = bench.copy(game.start_row())
        for event in trace.tolist():
            found.append(row)
            if row[STAGE] not in (CHANCE, DECISION):
                break
            row = bench.with_outcome(row, event) if row[STAGE] == CHANCE else bench.after(row, event)
    return found


def _some(rows: list[Row]) -> list[Row]:
    """At most so many, from all parts of the games."""
    if len(rows) <= MOST:
        return rows
    step = (len(rows) - 1) / (MOST - 1)
    return [rows[int(number * step)] for number in range(MOST - 1)] + rows[-1:]


def _errors(game: Game, value: Evaluator, rows: list[Row]) -> tuple[list[float], list[float]]:
    """What each move of the unforced decisions loses, and its share of its decision."""
    rows = _some([row for row in rows if len(game.legal_actions(row)) > 1])
    errors, shares = list[float](), list[float]()
    for row, ahead in zip(rows, after_moves(game, value, rows), strict=True):
        own = [worth[row[TURN]] for worth in ahead.worth]
        errors += [max(own) - one for one in own]
        shares += [1 / len(own)] * len(own)
    return errors, shares


def _luck(game: Game, value: Evaluator, rows: list[Row]) -> tuple[list[float], list[float]]:
    """The luck of every outcome for who rolls, and its probability."""
    luck, chances = list[float](), list[float]()
    for row, ahead in zip(rows, after_rolls(game, value, rows), strict=True):
        expected = ahead.average()[row[TURN]]
        luck += [worth[row[TURN]] - expected for worth in ahead.worth]
        chances += ahead.weights
    return luck, chances


def parting(values: Sequence[float], weights: Sequence[float], part: float) -> float:
    """Where about `part` of the weight lies below: the middle of the widest gap there.

    Errors of one decision that recurs are alike, and a size that is one of them marks it or not by a hair.
    """
    low, high = (quantile(values, weights, min(1.0, max(0.0, part + off))) for off in (-ABOUT, ABOUT))
    near = sorted({float(value) for value in values if low <= value <= high})
    if len(near) < 2:
        return quantile(values, weights, part)
    _, _, below, above = max((above - below, -below, below, above) for below, above in pairwise(near))
    return (below + above) / 2


def quantile(values: Sequence[float], weights: Sequence[float], part: float) -> float:
    """The value below which `part` of the weight lies."""
    if not len(values):
        return 0.0
    order = sorted(range(len(values)), key=values.__getitem__)
    reached = list(accumulate(weights[number] for number in order))
    first = bisect_left(reached, part * fsum(weights))
    return float(values[order[min(first, len(values) - 1)]])
