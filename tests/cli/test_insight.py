"""`ludus analyse` and `ludus rollout`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludus
from cli.conftest import Runner
from ludus import Record


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A short game that is not over."""
    record = Record.start(ludus.make("star", players=2), seed=4)
    while len(record) < 40:
        if record.position.to_move == "chance":
            record.roll()
        else:
            record.play(record.position.moves()[0])
    path = tmp_path / "game.jsonl"
    record.save(path)
    return path


def test_analyse_prints_text_data_and_a_page(ludus_run: Runner, saved: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = ludus_run("analyse", str(saved), "--html", str(page))
    assert done.code == 0
    assert "How it adds up" in done.out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "Le compte" in ludus_run("analyse", str(saved), "--lang", "fr").out
    data = json.loads(ludus_run("analyse", str(saved), "--json").out)
    parts = [data[name]["green"] for name in ("start", "luck", "skill", "residual")]
    assert sum(parts) == pytest.approx(data["result"]["green"])


def test_a_cut_edited_or_foreign_record_is_told_and_nothing_written(
    ludus_run: Runner, saved: Path, tmp_path: Path
) -> None:
    text, page = saved.read_text(), tmp_path / "page.html"
    lines = text.splitlines(keepends=True)
    edited = lines[5].replace('"n":5', '"n":6')
    assert edited != lines[5]
    header = json.loads(lines[0])
    header["document"]["rules"]["finish"]["rule"] = "overshoot"
    for damage in (
        text[:-30],
        "".join([*lines[:5], edited, *lines[6:]]),
        "".join(lines[:7] + lines[8:]),
        "".join([json.dumps(header) + "\n", *lines[1:]]),
        "hello\n",
    ):
        saved.write_text(damage)
        done = ludus_run("analyse", str(saved), "--html", str(page))
        assert done.code == 2
        assert done.err.startswith("ludus: ")
        assert done.err.count("\n") == 1
        assert not page.exists()
    saved.write_text(text[:-30])
    assert ludus_run("analyse", str(saved), "--recover").code == 0


def test_analyse_tells_bad_arguments(ludus_run: Runner, saved: Path, tmp_path: Path) -> None:
    for words, told in (
        (("--plies", "4"), "plies: 1 or 2, not 4"),
        (("--by", "tarot"), "not 'tarot'"),
        (("--html", str(tmp_path / "no" / "page.html")), "not a file that can be written"),
    ):
        done = ludus_run("analyse", str(saved), *words)
        assert done.code == 2
        assert told in done.err


def test_an_interrupted_analysis_says_so_and_writes_nothing(
    ludus_run: Runner, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ludus.cli.analyse.analyse", interrupted)
    page = tmp_path / "page.html"
    for lang, words in (("en", "Interrupted: nothing was written.\n"), ("fr", "Interrompu : rien n'a été écrit.\n")):
        done = ludus_run("analyse", str(saved), "--html", str(page), "--lang", lang)
        assert (done.code, done.err) == (130, words)
    assert not page.exists()


def test_rollout_prints_text_and_data(ludus_run: Runner, saved: Path, tmp_path: Path) -> None:
    position = Record.load(saved).at(11)
    words = ("rollout", "star", "--players", "2", "--position", position.id, "--games", "36", "--by", "greedy")
    done = ludus_run(*words)
    assert done.code == 0
    assert "95% interval" in done.out
    assert "parties simulées" in ludus_run(*words, "--lang", "fr", "--raw", "--horizon", "5").out
    data = json.loads(ludus_run(*words, "--json", "--journal", str(tmp_path / "j")).out)
    assert data["id"] == position.id
    written = [json.dumps(position.to_dict()) if word == position.id else word for word in words]
    assert json.loads(ludus_run(*written, "--json").out) == data, "the data itself may be given"
    assert sum(value["value"] for value in data["values"].values()) == pytest.approx(1.0)
    assert json.loads(ludus_run(*words, "--json", "--journal", str(tmp_path / "j"), "--workers", "1").out) == data


def test_rollout_tells_bad_arguments(ludus_run: Runner, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello there\n")
    for words, told in (
        (("--position", "nonsense"), "position id"),
        (("--position", '{"pieces":'), "--position: not JSON"),
        (("--position", '{"pieces": {"green": [1, 2, 3, 4, 5]}}'), "green"),
        (("--position", "nothing.json"), "nothing.json: can't be read"),
        (("--games", "0"), "games: a whole number"),
        (("--by", "tarot"), "not by 'tarot'"),
        (("--journal", str(tmp_path / "x")), "not a journal of a rollout"),
    ):
        done = ludus_run("rollout", "star", "--players", "2", *words)
        assert done.code == 2
        assert told in done.err
        assert done.err.count("\n") == 1


def test_the_arena_takes_the_luck_off(ludus_run: Runner) -> None:
    words = (
        "arena",
        "star",
        "heuristic",
        "random",
        "--players",
        "2",
        "--games",
        "20",
        "--seed",
        "3",
        "--luck-adjusted",
    )
    done = ludus_run(*words)
    assert done.code == 0
    assert "luck by td, a value that was fixed beforehand" in done.out
    data = json.loads(ludus_run(*words, "--json").out)
    assert data["by"] == "td"
    assert [bot["bot"] for bot in data["bots"]] == ["heuristic", "random"]
    refused = ludus_run(*words, "--tournament")
    assert (refused.code, refused.err) == (2, "ludus: arena: --tournament can't go with --luck-adjusted\n")
