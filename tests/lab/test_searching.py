"""Targets as people write them, and rule sets that hit them."""

from __future__ import annotations

import json
import tomllib

import pytest

import ludus
from ludus.cli import main
from ludus.lab import searching
from ludus.lab.figures import Figure
from ludus.lab.searching import search
from ludus.lab.targets import kinds_for, targets_of


@pytest.mark.parametrize(
    ("text", "key", "sign", "number"),
    [
        ("length.p50=25 min", "length.minutes.p50", "=", 25),
        ("length = 60 turns", "length.turns", "=", 60),
        ("length.p95 < 80", "length.turns.p95", "<", 80),
        ("length.moves.sd<=12.5", "length.moves.sd", "<", 12.5),
        ("luck<0.7", "luck", "<", 0.7),
        ("seat.green>=20 %", "seat.green", ">", 0.2),
    ],
)
def test_targets_are_read_as_they_are_written(text, key, sign, number):
    (target,) = targets_of(text)
    assert (target.key, target.sign, target.number) == (key, sign, pytest.approx(number))


def test_only_what_a_target_is_about_is_measured():
    assert kinds_for(targets_of("length.p50=25 min, luck<0.7")) == ("games", "valued", "watched")
    assert kinds_for(targets_of("length.p50=60 turns")) == ("games",)


def test_a_miss_is_a_part_of_the_number():
    about, below = targets_of("captures=10, captures<10")
    assert about.miss(Figure(10.4, None, None, 5)) == 0
    assert about.miss(Figure(8, None, None, 5)) == pytest.approx(0.15)
    assert below.miss(Figure(9, None, None, 5)) == 0
    assert below.miss(Figure(12, None, None, 5)) == pytest.approx(0.2)
    assert below.miss(None) > 1


def variant(change):
    return ludus.make("star", players=2, **change)


AXES = {"board.pieces": [1, 2, 3, 4], "finish.rule": ["exact", "overshoot"]}


@pytest.mark.slow
def test_a_document_is_found_that_fits_and_nearest_to_what_there_was():
    """star with one piece takes about a third of the turns of star with four; the rule of the finish changes little."""
    one = ludus.lab(variant({"board.pieces": 1}), games=200, depth="short", workers=1, kinds=["games"])
    wanted = one.tables["star"]["length.turns.p50"]["value"]
    found = search(variant, f"length.p50={wanted:g} turns", AXES, games=200, trials=16, workers=1)
    assert found.fits
    assert found.changes == {"board.pieces": 1}
    again = search(variant, f"length.p50={wanted:g} turns", AXES, games=200, trials=16, workers=2)
    assert again.changes == found.changes
    assert again.lab.tables == found.lab.tables
    document = tomllib.loads(found.toml("short-star", "star"))
    assert document == {"name": "short-star", "extends": "star", "board": {"pieces": 1}}


def test_the_command_writes_what_it_finds(capsys, tmp_path):
    out, page = tmp_path / "longer.toml", tmp_path / "longer.html"
    words = ["lab", "star", "--players", "2", "--target", "length<70 turns", "--vary", "board.pieces=1,2,4"]
    quick = ["--trials", "4", "--games", "100", "--workers", "1"]
    assert main([*words, *quick, "--out", str(out), "--html", str(page), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["changes"] == {"board.pieces": 1}
    assert ludus.make(str(out), players=2).rules.board.pieces == 1
    assert "length" in out.read_text().splitlines()[0]
    assert "found" in page.read_text()


def test_an_interrupted_search_goes_on_where_it_was(capsys, tmp_path, monkeypatch):
    words = ["lab", "star", "--players", "2", "--target", "length<70 turns", "--vary", "board.pieces=1,2,3,4"]
    quick = ["--trials", "8", "--games", "50", "--workers", "1", "--json"]
    assert main([*words, *quick]) == 0
    whole = json.loads(capsys.readouterr().out)
    journal, out = tmp_path / "search.jsonl", tmp_path / "mine.toml"
    kept = [*words, *quick, "--journal", str(journal), "--out", str(out)]
    measured, looked = searching.lab, []

    def interrupted(games, *rest, **options):
        if looked:
            raise KeyboardInterrupt
        looked.extend(games)
        return measured(games, *rest, **options)

    monkeypatch.setattr(searching, "lab", interrupted)
    assert main(kept) == 130
    assert capsys.readouterr().err == f"Interrupted: the same command goes on from {journal}\n"
    assert not out.exists()
    before = len(journal.read_text().splitlines())
    assert before == 1 + len(looked)
    looked.clear()

    def watched(games, *rest, **options):
        looked.append(len(games))
        return measured(games, *rest, **options)

    monkeypatch.setattr(searching, "lab", watched)
    assert main(kept) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["changes"], told["tables"], told["document"]) == (whole["changes"], whole["tables"], out.read_text())
    assert sum(looked[:-1]) == len(journal.read_text().splitlines()) - before, (
        "what was looked at is not looked at again"
    )
    assert main([*kept[:4], "--target", "length<60 turns", *kept[6:]]) == 2
    assert "of another search, targets is" in capsys.readouterr().err


def test_what_nothing_reaches_is_told_in_a_line_and_nothing_is_written(capsys, tmp_path):
    out = tmp_path / "never.toml"
    words = ["lab", "star", "--players", "2", "--target", "length<3 turns", "--vary", "board.pieces=1,2"]
    assert main([*words, "--trials", "4", "--games", "50", "--workers", "1", "--out", str(out)]) == 1
    error = capsys.readouterr().err
    assert "nothing near star reaches it in 4 trials: the nearest has length.turns" in error
    assert error.strip().count("\n") == 0
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["star", "--target", "lenght=3"], "no figure 'lenght'; did you mean 'length'"),
        (["star", "--target", "length"], "is not like 'length.p50=25 min'"),
        (["star", "--target", " , "], "nothing is aimed at"),
        (["star", "--target", "luck<3 min"], "only lengths are in min"),
        (["star", "quick", "--target", "luck<1"], "begins from one rule set"),
        (["star", "--target", "luck<1", "--trials", "0"], "--trials is a number from 1"),
        (["generals", "--target", "luck<1"], "say what with --vary"),
        (["star", "--target", "length.p96<9"], "no figure 'length.p96'"),
        (["star", "--target", "luck.dice<1"], "no figure 'luck.dice'"),
        (["star", "--target", "draws.all<1"], "no figure 'draws.all'"),
        (["star", "--target", "skill.td>0.1"], "no figure 'skill.td'"),
        (["star", "--players", "2", "--target", "seat.red<1"], "no seat 'red' in star; there are green, blue"),
        (["star", "--target", "luck<1", "--vary", "board.peices=2,3"], "--vary board.peices:"),
        (["star", "--target", "luck<1", "--vary", "board.pieces=2", "--vary", "board.seats=77"], "--vary board.seats:"),
    ],
)
def test_bad_targets_are_told_in_a_line(capsys, words, told):
    assert main(["lab", *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
