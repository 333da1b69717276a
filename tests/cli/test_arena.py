"""`ludus arena` as people type it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import Runner

GAME = ("maedn", "--players", "2")


def test_a_table(ludus_run: Runner) -> None:
    run = ludus_run("arena", *GAME, "first", "random", "--games", "4", "--workers", "1")
    assert run.code == 0
    assert run.err == ""
    assert "4 games" in run.out
    assert re.search(r"^ ?first +4 ", run.out, re.MULTILINE)
    assert re.search(r"^ ?green ", run.out, re.MULTILINE)


def test_french(ludus_run: Runner) -> None:
    run = ludus_run("arena", *GAME, "first", "random", "--games", "2", "--lang", "fr")
    assert "2 parties" in run.out
    assert "vert" in run.out
    assert re.search(r"\d,\d\N{NO-BREAK SPACE}%", run.out)
    assert not re.search(r"\d\.\d", run.out)


def test_data_and_a_page(ludus_run: Runner, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run = ludus_run("arena", *GAME, "first", "random", "--games", "4", "--json", "--html", str(page))
    data = json.loads(run.out)
    assert data["played"] == 4
    assert [bot["name"] for bot in data["bots"]] == ["first", "random"]
    assert sum(bot["wins"] for bot in data["bots"]) == 4
    html = page.read_text(encoding="utf-8")
    assert "<svg" in html
    assert not re.search(r"(src|href)=|url\(|@import", html), "the page must need nothing else"


def test_names_can_do_no_harm_in_a_page(ludus_run: Runner, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    spec = "exec:true <script>alert(1)</script> [bold]"
    run = ludus_run("arena", *GAME, spec, "first", "--games", "2", "--html", str(page))
    assert run.code == 0
    assert "<script" not in page.read_text(encoding="utf-8")
    assert "[bold]" in run.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("randon",), "did you mean 'random'"),
        (("first", "--games", "0"), "whole number from 1 up"),
        (("first", "--html", "/no/such/folder/page.html"), "--html"),
        (("first", "--on-failure", "cry"), "invalid choice"),
        (("first", "--seconds", "-1"), "seconds is a number above 0"),
        (("first", "exec:nosuchprog"), "there is no program"),
        ((), "BOT"),
    ],
)
def test_bad_input_is_one_line(ludus_run: Runner, words: tuple[str, ...], told: str) -> None:
    run = ludus_run("arena", *GAME, *words)
    assert run.code == 2
    assert run.out == ""
    assert run.err.count("\n") == 1
    assert told in run.err


@pytest.mark.slow
def test_rules_in_python_are_played_where_they_are_allowed(ludus_run: Runner) -> None:
    mercy = str(Path(__file__).parents[2] / "examples" / "mercy.py")
    words = ("arena", "strict", "--players", "2", "first", "random", "--games", "2", "--seed", "2", "--json")
    plain, plugged = (json.loads(ludus_run(*words, *more).out) for more in ((), ("--plugin", mercy)))
    assert plugged["played"] == 2
    assert plugged["digest"] != plain["digest"]
    assert plugged["plies"] != plain["plies"]


@pytest.mark.slow
def test_stop_says_no_and_shows_what_there_is(ludus_run: Runner, tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("class Bad:\n    def choose(self, position):\n        raise ValueError('no')\n")
    words = ("arena", *GAME, f"{bad}:Bad", "first", "--games", "2", "--on-failure", "stop")
    run = ludus_run(*words)
    assert run.code == 1
    assert run.out == ""  # not one game was played
    assert "ValueError: no\n" in run.err
    assert "after 0 of 2 games" in run.err


@pytest.mark.slow
def test_an_interruption_keeps_the_games(tmp_path: Path) -> None:
    bot = tmp_path / "slow.py"
    # it plays the games of the first deal and, until somebody says so, none of another; every game may have a bot,
    # and a process, of its own, so that what was dealt is kept in a file
    bot.write_text(
        f"import os, pathlib, time\nfolder = pathlib.Path({str(tmp_path)!r})\n"
        "class Slow:\n    def choose(self, position):\n"
        "        (folder / f'deal-{position.seed}').touch()\n"
        "        while len(list(folder.glob('deal-*'))) > 1 and not (folder / 'go').exists(): time.sleep(0.05)\n"
        "        return position.moves()[0]\n"
    )
    journal = tmp_path / "journal"
    words = [sys.executable, "-m", "ludus.cli", "arena", *GAME, f"{bot}:Slow", "random", "--games", "8"]
    words += ["--journal", str(journal), "--seconds", "80000", "--workers", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        while not journal.exists() or "results" not in journal.read_text():
            assert running.poll() is None
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert running.returncode == 130
    assert "Interrupted after" in err
    assert "goes on from there" in err
    assert "Bots" in out
    (tmp_path / "go").touch()
    done = subprocess.run([*words, "--json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["played"] == 8


def test_the_interface_of_the_help(ludus_run: Runner) -> None:
    run = ludus_run("arena", "--help")
    assert run.code == 0
    for word in ("--journal", "--records", "--tournament", "--html", "--on-failure", "exec:COMMAND"):
        assert word in run.out
