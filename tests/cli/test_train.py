"""`ludus train` as people type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Runner

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
