"""Play in simulated time: when everybody has gone nothing is left of them, and a day is no longer than an hour."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from day import WATCHED, day, simulated  # noqa: E402

KINDS = {kind.__name__ for kind in WATCHED if kind.__name__ != "Task"}


def test_nothing_is_left_of_those_who_have_gone(tmp_path: Path) -> None:
    told = simulated(day(str(tmp_path / "games.db"), hours=0.02, tables=2))
    assert told[-1]["plies"] > 0
    assert told[-1]["rooms"] == 0
    assert {kind: told[-1][kind] for kind in KINDS if kind in told[-1]} == {}


@pytest.mark.soak
def test_a_day_of_a_million_moves_grows_nothing(tmp_path: Path) -> None:
    """Memory after the fourth hour, when every game has been compiled and packed once, is what it is at the end."""
    path = tmp_path / "games.db"
    told = simulated(day(str(path), hours=24, tables=16))
    settled, last = told[3], told[-2]
    assert told[-1]["plies"] >= 1_000_000
    assert last["objects"] < 1.1 * settled["objects"], (settled, last)
    assert last["MB"] < 1.1 * settled["MB"] + 8, (settled, last)
    assert last["tables kept"] < 3 * settled["tables kept"]
    assert {kind: told[-1][kind] for kind in KINDS if kind in told[-1]} == {}
