"""The laboratory: figures against a count by hand, the same from the same seed, and every form of them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ludus
from ludus.cli import main
from ludus.lab.measuring import MOST_WATCHED, Watched, mean_of, share_of

GAMES = 120


@pytest.fixture(scope="module")
def found():
    return ludus.lab([ludus.make("classic", players=2), ludus.make("star", players=2)], games=GAMES, seed=4)


def test_lengths_wins_and_captures_are_those_of_the_games(found):
    game = ludus.make("star", players=2)
    played = game.playouts(GAMES, seed=4, bots=["heuristic"] * 2)
    figures = found.tables["star"]
    assert figures["length.turns"]["value"] == pytest.approx(played.turns.mean())
    assert figures["length.moves.p95"]["value"] == pytest.approx(np.percentile(played.moves, 95))
    assert figures["captures"]["value"] == pytest.approx(played.captures.mean())
    for player, wins in played.wins().items():
        assert figures[f"seat.{player}"]["value"] == pytest.approx(wins / GAMES)
    assert figures["completion"] == {"value": 1.0, "low": pytest.approx(0.97, abs=0.01), "high": 1.0, "n": GAMES}


def test_choices_are_counted_move_by_move(found):
    from ludus.core.seeds import derived_seed

    game = ludus.make("star", players=2)
    turns = with_choice = 0
    sizes = []
    for number in range(MOST_WATCHED):
        seed = derived_seed(4, "watched", number)
        player, position, last, chose = ludus.bot("heuristic", seed=seed), game.start(seed=seed), None, False
        while position.to_move is not None:
            if position.turn != last:
                last, chose, turns = position.turn, False, turns + 1
            if position.to_move == "chance":
                position = position.roll()
                continue
            if len(position.moves()) > 1:
                sizes.append(len(position.moves()))
                with_choice += not chose
                chose = True
            position = position.play(player.choose(position))
    figures = found.tables["star"]
    assert figures["turns.with_choice"]["value"] == pytest.approx(with_choice / turns)
    assert figures["branching"]["value"] == pytest.approx(sum(sizes) / len(sizes))
    assert figures["events.came_out"]["value"] > 1


def test_the_same_seed_gives_the_same(found):
    again = ludus.lab(ludus.make("star", players=2), games=GAMES, seed=4)
    other = ludus.lab(ludus.make("star", players=2), games=GAMES, seed=5)
    assert again.tables["star"] == found.tables["star"]
    assert other.tables["star"] != found.tables["star"]


def test_text_page_and_data_say_the_same_in_both_languages(found, tmp_path):
    page = tmp_path / "lab.html"
    found.html(page)
    assert page.read_text() == found.html()
    assert "http" not in found.html()
    assert json.loads(json.dumps(found.to_dict()))["tables"] == found.tables
    assert "won by green" in found.text()
    assert "gagnées par vert" in found.text("fr")


@pytest.mark.slow
def test_generals_is_measured_too():
    figures = ludus.lab("generals", games=10).tables["generals"]
    assert figures["seat.attacker"]["n"] == 10


def test_intervals():
    assert share_of(0, 100).low == 0
    assert share_of(50, 100).low == pytest.approx(0.4038, abs=1e-4)
    assert mean_of([1, 2, 3, 4]).high == pytest.approx(2.5 + 1.959964 * np.std([1, 2, 3, 4], ddof=1) / 2, abs=1e-4)
    assert Watched().choices is not Watched().choices


@pytest.mark.slow
def test_variants_side_by_side(capsys):
    words = [
        "lab",
        "star",
        "--players",
        "2",
        "--games",
        "20",
        "--vary",
        "board.pieces=1..2",
        "--vary",
        "finish.rule",
        "--json",
    ]
    assert main(words) == 0
    names = list(json.loads(capsys.readouterr().out)["tables"])
    assert "star board.pieces=1 finish.rule=exact" in names
    assert "star board.pieces=2 finish.rule=bounce" in names


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nosuch"], "unknown game"),
        (["star", "--games", "1"], "games is a whole number from 10"),
        (["star", "--vary", "finish.role"], "no option 'finish.role'"),
        (["star", "--vary", "board.pieces"], "say which values"),
        (["star", "--vary", "board.pieces=200..202"], "none of these"),
        (["star", "--vary", "board.pieces=]["], "values as in TOML"),
        (["star", "--html", "/nowhere/at/all.html"], "--html"),
    ],
)
def test_bad_input_is_told_in_a_line(capsys, words, told):
    assert main(["lab", *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
