"""`ludus quiz` and `ludus arena --spots`."""

from __future__ import annotations

import json

from cli.conftest import Runner


def test_data_has_the_answers(ludus_run: Runner) -> None:
    done = ludus_run("quiz", "star", "--count", "3", "--seed", "5", "--json")
    asked = json.loads(done.out)
    assert (done.code, len(asked)) == (0, 3)
    assert all(one["game"] == "star" and min(one["costs"].values()) == 0 for one in asked)
    assert json.loads(ludus_run("quiz", "star", "--count", "3", "--seed", "5", "--json").out) == asked


def test_the_best_moves_are_right_and_others_are_told_what_they_cost(ludus_run: Runner) -> None:
    words = ("quiz", "star", "--count", "2", "--seed", "5")
    first, second = json.loads(ludus_run(*words, "--json").out)
    best = min(first["costs"], key=first["costs"].get)
    worst = max(second["costs"], key=second["costs"].get)
    done = ludus_run(*words, answers=[best, "nonsense", worst])
    assert done.code == 0
    assert "Right." in done.out
    assert "Type a number from 1 to" in done.out
    assert f"{worst} gives away {100 * second['costs'][worst]:.1f}% of a win." in done.out
    assert "1 of 2 right" in done.out
    others = {move: cost for move, cost in first["costs"].items() if cost}
    assert all(f"\n   {move} gives away {100 * cost:.1f}%\n" in done.out for move, cost in others.items())


def test_one_may_leave_and_it_is_french_in_french(ludus_run: Runner) -> None:
    done = ludus_run("quiz", "maedn", "--count", "1", "--lang", "fr", answers=["?", "quitter"])
    assert done.code == 0
    assert done.out.startswith("Problème 1 sur 1")
    assert "quitter pour partir" in done.out
    assert "sur 1 justes" not in done.out


def test_what_is_not_there_is_bad_input(ludus_run: Runner) -> None:
    for words in (("quiz", "chess"), ("quiz", "--category", "luck"), ("quiz", "--count", "0")):
        done = ludus_run(*words)
        assert (done.code, done.err.count("\n")) == (2, 1)


def test_bots_take_the_quiz(ludus_run: Runner) -> None:
    done = ludus_run("arena", "--spots", "first", "greedy", "--json")
    scores = json.loads(done.out)
    assert [one["name"] for one in scores] == ["first", "greedy"]
    assert scores[0]["asked"] == scores[1]["asked"] >= 500
    text = ludus_run("arena", "--spots", "first", "--lang", "fr").out
    assert text.splitlines()[0] == f"{scores[0]['asked']} problèmes"


def test_spots_refuse_what_belongs_to_games(ludus_run: Runner) -> None:
    done = ludus_run("arena", "--spots", "greedy", "--tournament")
    assert (done.code, done.err) == (2, "ludus: arena: --tournament can't go with --spots\n")
    done = ludus_run("arena", "star")
    assert (done.code, done.err.count("\n")) == (2, 1)
