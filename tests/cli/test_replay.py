"""`ludus replay`: events in words, data, positions, and stepping at a terminal."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import ludus
from cli.conftest import Runner
from ludus import Record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A whole game of two."""
    record = Record.start(ludus.make("star", players=2, pieces=2), seed=3)
    rng = random.Random(1)
    while record.result is None:
        if record.position.to_move == "chance":
            record.roll()
        else:
            record.play(rng.choice(record.position.moves()))
    path = tmp_path / "game.jsonl"
    record.save(path)
    return path


def test_events_are_printed_where_nobody_steps(ludus_run: Runner, path: Path) -> None:
    record = Record.load(path)
    done = ludus_run("replay", str(path))
    lines = done.out.splitlines()
    assert done.code == 0
    assert lines[0] == "Star-and-globe Ludo: green, blue"
    assert len(lines) == len(record) + 2
    for event, line in zip(record.events, lines[1:], strict=False):
        assert line.split()[0] == str(event.n)
        assert event.text in line
    assert lines[-1].endswith("wins.")


def test_in_french(ludus_run: Runner, path: Path) -> None:
    out = ludus_run("replay", str(path), "--lang", "fr").out
    assert "vert" in out
    assert out.rstrip().endswith("gagne.")


def test_an_unfinished_game_says_so(ludus_run: Runner, path: Path) -> None:
    record = Record.load(path)
    record.undo()
    record.save(path)
    assert ludus_run("replay", str(path)).out.rstrip().endswith("The game is not finished.")


def test_data(ludus_run: Runner, path: Path) -> None:
    record = Record.load(path)
    data = json.loads(ludus_run("replay", str(path), "--json").out)
    assert data["game"] == "star"
    assert data["players"] == ["green", "blue"]
    assert data["events"] == [event.data() for event in record.events]
    assert data["position"] == record.position.to_dict()
    assert data["result"] == record.result


def test_a_position(ludus_run: Runner, path: Path) -> None:
    record = Record.load(path)
    assert ludus_run("replay", str(path), "--at", "30").out == record.at(30).text(False) + "\n"
    data = json.loads(ludus_run("replay", str(path), "--at", "30", "--json").out)
    assert data["position"] == record.at(30).to_dict()
    assert len(data["events"]) == 30
    assert data["result"] is None


def test_stepping(ludus_run: Runner, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    answers = ["", "n", "p", "p", "p", "g 5", "7", "g", "jump", "g 99999", "", "q", "never"]
    done = ludus_run("replay", str(path), answers=answers, terminal=True)
    record = Record.load(path)
    last = len(record)
    shown = [line.split()[2] for line in done.out.splitlines() if line.startswith("after event")]
    assert shown == ["1", "2", "1", "5", "7", str(last)]
    assert done.out.count("the first position") == 2
    assert done.out.count("That is the beginning.") == 1
    assert done.out.count("g N goes to event N") == 2
    assert done.out.count("That is the last event.") == 2
    assert record.at(5).text(False) in done.out


def test_stepping_starts_where_asked_and_ends_with_the_input(ludus_run: Runner, path: Path) -> None:
    done = ludus_run("replay", str(path), "--at", "9", "--no-colour", terminal=True)
    assert done.code == 0
    assert "after event 9 of" in done.out


def test_a_cut_record(ludus_run: Runner, path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:10]) + lines[10][:15])
    done = ludus_run("replay", str(path))
    assert (done.code, done.out) == (2, "")
    assert done.err == f"ludus: {path}, line 11: cut off; `recover` keeps the 10 lines before it\n"
    done = ludus_run("replay", str(path), "--recover")
    assert done.code == 0
    assert len(done.out.splitlines()) == 11


def test_an_edited_record_is_named_with_its_line(ludus_run: Runner, path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    lines[13] = lines[13].replace('"by"', '"bY"')
    path.write_text("".join(lines))
    done = ludus_run("replay", str(path), "--json")
    assert (done.code, done.out) == (2, "")
    assert f"{path}, line 14: edited" in done.err


def test_the_dice_of_a_record_are_checked(ludus_run: Runner, tmp_path: Path) -> None:
    from server.test_fair_dice import played

    path = tmp_path / "fair.jsonl"
    path.write_text(played().record.dumps())
    done = ludus_run("replay", "--verify", str(path))
    assert (done.code, done.out.partition(" rolls, each")[1]) == (0, " rolls, each")
    path.write_text(path.read_text().replace("my-word", "mx-word"))
    assert ludus_run("replay", "--verify", str(path)).code == 2  # no record any more
    unfair = tmp_path / "seeded.jsonl"
    ludus.Record.start(ludus.make("star"), seed=3).save(unfair)
    done = ludus_run("replay", "--verify", str(unfair))
    assert done.code == 1
    assert "no fair dice" in done.out
    assert json.loads(ludus_run("replay", "--verify", "--json", str(unfair)).out)["fair"] is False
