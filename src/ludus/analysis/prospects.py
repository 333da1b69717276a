"""What may come of positions, and what each of it is worth: by NumPy's arrays, in a page by Python's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ludus.analysis.sight import lookahead_of
from ludus.bots.values import Evaluator
from ludus.core.engine import Row
from ludus.core.flat import has_numpy
from ludus.core.game import Game


@dataclass(frozen=True)
class MovesAhead:
    """What may be decided at one position: legal actions, and each seat's share after each of them."""

    actions: list[int]
    worth: list[list[float]]

    def best(self, seat: int) -> int:
        """The number of the action that is best for a seat; the first of equals."""
        return max(range(len(self.worth)), key=lambda number: self.worth[number][seat])


@dataclass(frozen=True)
class RollsAhead:
    """What chance may do at one position: the probability of every outcome, and each seat's share after it."""

    weights: list[float]
    worth: list[list[float]]

    def average(self) -> list[float]:
        """Each seat's share before the roll."""
        return [
            sum(weight * share for weight, share in zip(self.weights, shares, strict=True))
            for shares in zip(*self.worth, strict=True)
        ]


def after_moves(game: Game, value: Evaluator, rows: Sequence[Row]) -> list[MovesAhead]:
    """For each row at which somebody decides what every move is worth."""
    if not rows:
        return []
    if has_numpy():
        found = lookahead_of(game).afterstates(_as_numpy(rows))
        return [MovesAhead(*part) for part in _parts(found.offsets, found.actions, value.values(game, found.rows))]
    bench = game.engine.here.bench
    actions = [list(map(int, game.legal_actions(row))) for row in rows]
    after = [[bench.after(row, action) for action in legal] for row, legal in zip(rows, actions, strict=True)]
    return [MovesAhead(*part) for part in zip(actions, _valued(game, value, after), strict=True)]


def after_rolls(game: Game, value: Evaluator, rows: Sequence[Row]) -> list[RollsAhead]:
    """For each row at which chance is to act what every outcome is worth."""
    if not rows:
        return []
    if has_numpy():
        found = lookahead_of(game).expand_chance(_as_numpy(rows))
        return [RollsAhead(*part) for part in _parts(found.offsets, found.weights, value.values(game, found.rows))]
    bench = game.engine.here.bench
    weights = [list(game.chance_weights(row).values()) for row in rows]
    after = [[bench.with_outcome(row, n) for n in range(len(each))] for row, each in zip(rows, weights, strict=True)]
    chances = [[weight / sum(each) for weight in each] for each in weights]
    return [RollsAhead(*part) for part in zip(chances, _valued(game, value, after), strict=True)]


def worth_of(game: Game, value: Evaluator, row: Row) -> list[float]:
    """Each seat's share at a position."""
    if has_numpy():
        return list(map(float, value.values(game, _as_numpy([row]))[0]))
    return list(value.values(game, [row])[0])


def _as_numpy(rows: Sequence[Row]) -> Any:
    import numpy as np

    return np.array([list(row) for row in rows], np.int16)


def _parts(offsets: Any, named: Any, shares: Any) -> list[tuple[list[Any], list[list[float]]]]:
    """What belongs to each row: the names of what follows, and its worth."""
    names, worth = named.tolist(), shares.tolist()
    return [(names[first:last], worth[first:last]) for first, last in pairwise(offsets.tolist())]


def _valued(game: Game, value: Evaluator, after: list[list[Row]]) -> list[list[list[float]]]:
    """The worth of rows, all of them valued at once."""
    worth = iter(value.values(game, [row for part in after for row in part]))
    return [[next(worth) for _ in part] for part in after]
