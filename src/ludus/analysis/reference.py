"""What errors and luck are usual in a rule set: the quantiles by which marks are set."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.analysis.sight import averages, best_of, lookahead_of
from ludus.bots.desk import play_bots
from ludus.bots.values import Evaluator
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
    errors, shares = _errors(game, value, rows[rows[:, STAGE] == DECISION])
    luck, chances = _luck(game, value, _some(rows[rows[:, STAGE] == CHANCE]))
    marks = {mark: max(FEWEST, parting(errors, shares, part)) for mark, part in ERRORS.items()}
    return Usual(
        marks, max(FEWEST, quantile(luck, chances, LUCKY)), min(-FEWEST, quantile(luck, chances, 1 - LUCKY)),
        float((errors * shares).sum() / max(shares.sum(), 1e-12)), round(shares.sum()), round(chances.sum()),
    )  # fmt: skip


def sample_rows(game: Game) -> Any:
    """int16[N, R]: the positions of some games between heuristic bots."""
    found = []
    bench = game.compile().engine.here.bench
    width = game.playouts_class.columns()
    for number in range(GAMES):
        trace, out = np.zeros(LONGEST, np.int64), np.zeros(width, np.int64)
        play_bots(game, ["heuristic"] * game.num_players, (SEED, number, 1, LONGEST), out, trace)
        row = bench.copy(game.start_row())
        for event in trace.tolist():
            found.append(list(row))
            if row[STAGE] not in (CHANCE, DECISION):
                break
            row = bench.with_outcome(row, event) if row[STAGE] == CHANCE else bench.after(row, event)
    return np.array(found, np.int16)


def _some(rows: Any) -> Any:
    """At most so many, from all parts of the games."""
    return rows[np.linspace(0, len(rows) - 1, min(len(rows), MOST)).astype(int)] if len(rows) else rows


def _errors(game: Game, value: Evaluator, rows: Any) -> tuple[Any, Any]:
    """What each move of the unforced decisions loses, and its share of its decision."""
    counts = np.diff(lookahead_of(game).afterstates(rows).offsets)
    rows = _some(rows[counts > 1])
    if not len(rows):
        return np.zeros(0), np.zeros(0)
    found = lookahead_of(game).afterstates(rows)
    values = value.values(game, found.rows)
    seats = np.repeat(rows[:, TURN], np.diff(found.offsets))
    own = values[np.arange(len(values)), seats]
    best = own[best_of(found.offsets, values, rows[:, TURN])]
    counts = np.diff(found.offsets)
    return np.repeat(best, counts) - own, np.repeat(1 / counts, counts)


def _luck(game: Game, value: Evaluator, rows: Any) -> tuple[Any, Any]:
    """The luck of every outcome for who rolls, and its probability."""
    found = lookahead_of(game).expand_chance(rows)
    values = value.values(game, found.rows)
    counts = np.diff(found.offsets)
    gained = values - np.repeat(averages(found.offsets, found.weights, values), counts, axis=0)
    return gained[np.arange(len(values)), np.repeat(rows[:, TURN], counts)], found.weights.copy()


def parting(values: Any, weights: Any, part: float) -> float:
    """Where about `part` of the weight lies below: the middle of the widest gap there.

    Errors of one decision that recurs are alike, and a size that is one of them marks it or not by a hair.
    """
    low, high = (quantile(values, weights, min(1.0, max(0.0, part + off))) for off in (-ABOUT, ABOUT))
    near = np.unique(values[(values >= low) & (values <= high)])
    if len(near) < 2:
        return quantile(values, weights, part)
    widest = int(np.diff(near).argmax())
    return float(near[widest] + near[widest + 1]) / 2


def quantile(values: Any, weights: Any, part: float) -> float:
    """The value below which `part` of the weight lies."""
    if not len(values):
        return 0.0
    order = np.argsort(values, kind="stable")
    reached = np.searchsorted(np.cumsum(weights[order]), part * weights.sum())
    return float(values[order][min(int(reached), len(values) - 1)])
