"""`ludus bench`: it counts decisions, and says what it measured."""

from __future__ import annotations

import json
import sys

import pytest

import ludus
from cli.conftest import Runner
from ludus.cli import bench, peers


@pytest.mark.slow
def test_a_batch_counts_decisions_passes_included() -> None:
    game = ludus.make("star", players=2)
    first = game.playouts(bench.GAMES_IN_A_BATCH, seed=1)
    batch = bench.playouts_batch(game)
    assert batch() == int(first.moves.sum())
    assert batch() != int(first.moves.sum())


def test_the_python_loop_plays_a_whole_game() -> None:
    assert bench.python_batch(ludus.make("star", players=2))() > 50


def test_strict_is_measured_with_one_die_and_two() -> None:
    chosen = bench.chosen_games(["strict", "star"])
    assert list(chosen) == ["strict", "strict, two dice", "star"]
    assert [game.rules.chance.dice for game in chosen.values()] == [1, 2, 1]


def test_a_contender_s_speed_is_the_median_of_its_rounds() -> None:
    contender = bench.Contender("x", lambda: 1, [3.0, 900.0, 1.0])
    assert contender.speed == 3.0
    contender.run(0.01)
    assert len(contender.speeds) == 4


def test_peers_that_are_not_installed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setitem(sys.modules, "ludopy", None)
    assert peers.openspiel_batch() is None
    assert peers.ludopy_batch() is None
    assert bench.ratios([bench.Contender("star", lambda: 1, [1.0])]) is None


@pytest.mark.slow
def test_peers_play() -> None:
    for batch in (peers.openspiel_batch(), peers.ludopy_batch()):
        assert batch is not None
        assert batch() > 50


@pytest.mark.slow
def test_a_whole_run(ludus_run: Runner) -> None:
    done = ludus_run("bench", "star", "french", "--seconds", "0.05", "--json")
    assert (done.code, done.err) == (0, "")
    report = json.loads(done.out)
    assert {"star", "french", "maedn, Python loop"} <= report["moves_per_second"].keys()
    assert all(speed > 0 for speed in report["moves_per_second"].values())
    assert all(0 < size <= 256 for size in report["bytes_per_game"].values())
    assert report["import_loads_compiler"] is False
    assert report["first_position_seconds"] > 0
    starts = report["processor_seconds"]
    assert set(starts["cold"]) == set(starts["warm"]) == {"first playout", "first batch step", "first mcts move"}
    assert all(spent > 0 for each in starts.values() for spent in each.values())
    assert report["french_six_dice"]["median_us"] > 0
    assert report["learning"]["positions_per_second"] > 0
    assert report["learning"]["td_us"] > 0
    environments = report["environments"]
    assert all(speed > 0 for speed in environments["steps_per_second"].values())
    assert len(environments["ratios"]) == 7
    assert all(ratio > 0 for ratio in environments["ratios"].values())
    text = bench.as_text(report)
    for words in (
        "star",
        "moves/s",
        "bytes",
        "import ludus",
        "first position",
        "µs",
        "two processes",
        "only counts",
        "afterstates",
        "two threads",
    ):
        assert words in text
    assert "not installed" in bench.as_text(report | {"ratios": None})
