"""`ludus train` as people type it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ludus
from cli.conftest import Runner
from ludus.bots.net_files import load_net, net_for, rules_digest
from ludus.cli.train import _display
from ludus.training.trainer import Snapshot, train

GAME = ("star", "--players", "2", "--units", "16", "--no-anchors")


def test_a_net_in_a_file_that_bots_play_with(ludus_run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "net.safetensors"
    run = ludus_run("train", *GAME, "--games", "100", "--out", str(out), "--json")
    assert run.code == 0, run.err
    data = json.loads(run.out)
    assert (data["games"], data["file"]) == (100, str(out))
    assert data["positions"] > 1_000
    again = ludus_run("train", *GAME, "--games", "200", "--out", str(out))
    assert again.code == 0
    assert "200 games" in again.out
    assert f"td:weights={out}" in again.out
    assert "200 parties" in ludus_run("train", *GAME, "--games", "200", "--out", str(out), "--lang", "fr").out
    played = ludus_run("arena", "star", "--players", "2", f"td:weights={out}", "random", "--games", "4", "--json")
    assert json.loads(played.out)["played"] == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--games", "0"), "games: a whole number above 0"),
        (("--minutes", "-1"), "minutes: a number above 0"),
        (("--units", "9"), "units: a multiple of 8"),
        (("--from", "nothing.safetensors"), "can't be read"),
        (("--out", "/nowhere/x.safetensors"), "not a file that can be written"),
    ],
)
def test_bad_input_is_one_line(ludus_run: Runner, words: tuple[str, ...], said: str) -> None:
    run = ludus_run("train", "star", "--players", "2", *words)
    assert run.code == 2
    assert said in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    ("lang", "kind", "won"),
    [("en", "learns from rollouts", "41.2% against heuristic"), ("fr", "apprend de parties prolongées", "heuristic")],
)
def test_whoever_looks_on_sees_how_far_it_is_its_loss_and_its_strength(
    lang: str, kind: str, won: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[dict[str, object]] = []
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("rich.progress.Progress.update", lambda _, task, **facts: shown.append(facts))
    with _display(lang) as told:
        assert told is not None
        told(Snapshot("rolling out", 1_200, 99_000, 12.0, 0.25, 0.5678, {"heuristic": 0.412}))
    ((done, words),) = [(facts["completed"], str(facts["description"])) for facts in shown]
    assert done == 0.25
    for part in (kind, won, "0.5678", "1,200"):
        assert part in words


KILLED = """
import sys, ludus.training.trainer as trainer
trainer.SAVED_EVERY = 0.0
save = trainer.School.save
trainer.School.save = lambda school, path: (save(school, path), print("kept", flush=True))
trainer.train("star", games=100_000, seed=3, units=16, out=sys.argv[1], anchors=False)
"""


def test_a_training_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    out = tmp_path / "net.safetensors"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(out)], stdout=subprocess.PIPE, text=True) as begun:
        assert begun.stdout is not None
        said = begun.stdout.readline()
        begun.kill()
    assert said == "kept\n", "it ended before it kept anything"
    learnt = json.loads(load_net(out).meta["training"])["progress"]["games"]
    assert learnt >= 100
    found = [
        train("star", games=learnt + 100, seed=3, units=16, out=file, anchors=False)
        for file in (out, tmp_path / "at-once.safetensors")
    ]
    assert found[0].games == found[1].games == learnt + 100
    np.testing.assert_array_equal(found[0].net.weights, found[1].net.weights)


def test_the_net_for_every_ludo_becomes_one_of_a_document_s_own(ludus_run: Runner, tmp_path: Path) -> None:
    rules, out = tmp_path / "mine.toml", tmp_path / "mine.safetensors"
    rules.write_text('name = "mine"\nextends = "star"\n[board]\npieces = 2\n', encoding="utf-8")
    words = ("train", str(rules), "--players", "2", "--from", "any", "--games", "100", "--no-anchors")
    run = ludus_run(*words, "--out", str(out))
    assert run.code == 0, run.err
    game = ludus.make(rules, players=2)
    net, start = load_net(out), net_for(game, "any")
    assert net.meta["digest"] == rules_digest(game)
    assert not net.is_for_all
    begun, became = start.for_game(game)[: net.units], net.weights[: net.units]
    assert 0 < np.abs(became - begun).max() < 0.2 < np.abs(begun).max(), "it begins where the other stands"
    assert ludus.bot("td", weights=str(out)).choose(game.start().play("6")) is not None
