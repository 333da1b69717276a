"""By exact values nothing is left over: the residual is 0 at every event, and errors are what perfect play says."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from analysis.conftest import played

PAIRS = {
    "name": "pairs",
    "extends": "strict",
    "turn": {"first": "seat"},
    "board": {"seats": 2, "path": 8, "pieces": 2, "end_path": 1},
}


class Exact:
    """The values of a solved game."""

    name = "exact"

    def __init__(self, solution: Any) -> None:
        self._solution = solution

    def values(self, game: ludus.Game, rows: Any) -> Any:
        return self._solution.values_of(rows)


@pytest.mark.slow
def test_exact_values_leave_no_residual() -> None:
    game = ludus.make(PAIRS, players=2)
    solution = ludus.solve(game)
    analysis = ludus.analyse(played(game, 4), by=Exact(solution))
    assert len(analysis.events) > 20
    for step in analysis.residuals:
        assert step == pytest.approx(dict.fromkeys(game.players, 0.0), abs=1e-6)
    assert analysis.start == pytest.approx(solution.value(game.start()), abs=1e-6)
    for summary in analysis.summaries.values():
        assert summary.low == pytest.approx(summary.high, abs=1e-5)
    for decision in analysis.decisions:
        before = analysis.record.at(decision.n - 1)
        best = solution.value(before.play(solution.best(before)))[decision.by]
        assert decision.error == pytest.approx(
            best - solution.value(analysis.record.at(decision.n))[decision.by], abs=1e-6
        )
