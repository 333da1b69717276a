"""Many records at once: the same on any number of workers, each once, damaged ones named, on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludus
from analysis.conftest import played
from ludus.analysis.analysing import analyse
from ludus.analysis.many import analyse_many, explain
from ludus.cli import main
from ludus.core.errors import LudusError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three short games of two kinds."""
    made = tmp_path_factory.mktemp("records")
    for number, name in enumerate(("star", "star", "strict")):
        played(ludus.make(name, players=2), seed=number, events=30).save(made / f"{number}.jsonl")
    return made


@pytest.fixture(autouse=True)
def one_record_an_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.analysis.many.MOST_RECORDS", 1)


def test_each_line_says_what_the_analysis_of_the_record_says(folder: Path) -> None:
    found = analyse_many([folder], workers=1)
    assert [Path(one["file"]).name for one in found.records] == ["0.jsonl", "1.jsonl", "2.jsonl"]
    whole = analyse(folder / "2.jsonl")
    line = found.records[2]
    for player, told in line["players"].items():
        assert told["error"] == whole.summaries[player].error
        assert told["luck"] == whole.luck[player]
        assert told["result"] == whole.result[player]
    total = next(one for one in found.totals if (one["game"], one["name"]) == ("star", "green"))
    own = [one["players"]["green"] for one in found.records[:2]]
    assert total["games"] == 2
    assert total["error"] == pytest.approx(sum(o["lost"] for o in own) / sum(o["unforced"] for o in own))


def test_any_number_of_workers_says_the_same(folder: Path) -> None:
    assert analyse_many([folder], workers=3).to_dict() == analyse_many([folder], workers=1).to_dict()


def test_a_record_named_twice_is_one(folder: Path) -> None:
    found = analyse_many([folder / "0.jsonl", folder / "0.jsonl", folder / "1.jsonl"], workers=1)
    assert len(found.records) == 2


def test_an_interrupted_command_goes_on_and_counts_nothing_twice(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = analyse_many([folder], workers=1).to_dict()
    journal = tmp_path / "j.jsonl"

    def killed(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analyse_many([folder], workers=1, journal=journal, progress=killed)
    with journal.open("ab") as file:
        file.write(b'{"digest":"cut of')  # the last line was not written whole
    asked: list[Any] = []
    monkeypatch.setattr("ludus.analysis.many.explain", lambda game, order: asked.append(order) or explain(game, order))
    assert analyse_many([folder], workers=1, journal=journal).to_dict() == whole
    assert len(asked) == 2
    with pytest.raises(LudusError, match="plies is 1, not 2"):
        analyse_many([folder], plies=2, workers=1, journal=journal)


def test_a_damaged_record_is_named_and_stops_nobody(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes((folder / "0.jsonl").read_bytes()[:-40])
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe{")
    assert main(["analyse", str(damaged), str(binary), str(folder), "--workers", "1"]) == 1
    out = capsys.readouterr().out
    assert "3 records" in out
    assert str(damaged) in out
    assert str(binary) in out


def test_as_data_and_in_french(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(folder), "--workers", "1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert set(data) == {"records", "totals"}
    assert main(["analyse", str(folder), "--workers", "1", "--lang", "fr"]) == 0
    assert "3 parties enregistrées" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["EMPTY"], "no records in this folder"),
        (["gone.jsonl", "gone.jsonl"], "can't be read"),
        (["RECORDS", "--html", "x.html"], "--html: for one record at a time"),
        (["RECORDS", "--recover"], "--recover: for one record at a time"),
        (["RECORDS", "--workers", "0"], "workers is a whole number from 1"),
    ],
)
def test_what_makes_no_sense_is_told(
    words: list[str], told: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    known = {"EMPTY": str(tmp_path / "empty"), "RECORDS": str(folder)}
    assert main(["analyse", *(known.get(word, word) for word in words)]) == 2
    assert told in capsys.readouterr().err
