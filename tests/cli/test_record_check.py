"""`ludus record`: records and corpora that hold, and what is wrong with those that don't."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import ludus
from cli.conftest import Runner
from ludus.core.corpus import Corpus, write_corpus
from ludus.core.record import Record

SAMPLES = Path(__file__).parents[2] / "examples" / "corpus"


def whole_game(seed: int) -> Record:
    record = Record.start(ludus.make("star", players=2, pieces=1), seed=seed)
    while record.result is None:
        if record.position.to_move == "chance":
            record.roll()
        else:
            record.play(record.position.moves()[0])
    return record


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "star.games.gz"
    games = [whole_game(seed) for seed in range(3)]
    assert write_corpus(path, games[0].game, ["first", "first"], games) == 3
    return path


def changed(path: Path, change: Callable[[list[str]], None]) -> Path:
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    change(lines)
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    return path


@pytest.mark.slow
def test_what_is_shipped_is_valid(ludus_run: Runner) -> None:
    files = sorted(map(str, SAMPLES.glob("*.gz")))
    assert len(files) >= 6
    assert sum(Path(file).stat().st_size for file in files) < 200_000
    done = ludus_run("record", "check", "--json", *files)
    assert done.code == 0
    assert all(one["valid"] and one["games"] >= 10 for one in json.loads(done.out))


def test_a_record_and_a_damaged_one(ludus_run: Runner, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    whole_game(1).save(good)
    lines = good.read_text().splitlines(keepends=True)
    bad.write_text("".join([*lines[:3], *lines[4:]]))
    assert ludus_run("record", "check", str(good)).code == 0
    done = ludus_run("record", "check", str(good), str(bad))
    assert done.code == 1
    assert f"{bad}, line 4: edited, damaged or out of place" in done.out
    gone = ludus_run("record", "check", str(bad), str(tmp_path / "none.jsonl"))
    assert (gone.code, f"{bad}, line 4" in gone.out, "none.jsonl: no such file" in gone.err) == (2, True, True)


def test_a_game_of_a_corpus_is_the_game_that_was_played(ludus_run: Runner, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "second.jsonl"
    assert ludus_run("record", "unpack", str(corpus), "2", "--out", str(out)).code == 0
    assert Record.load(out).events == whole_game(1).events
    done = ludus_run("record", "unpack", str(corpus), "4", "--out", str(out))
    assert (done.code, done.err) == (2, f"ludus: {corpus} has games 1 to 3, not 4\n")


def wrong_winner(lines: list[str]) -> None:
    words, winner = json.loads(lines[2])
    lines[2] = json.dumps([words, "blue" if winner == "green" else "green"])


def illegal_move(lines: list[str]) -> None:
    lines[1] = lines[1].replace('["', '["7 ', 1)


def other_rules(lines: list[str]) -> None:
    header = json.loads(lines[0])
    header["document"]["name"] = "mars"
    lines[0] = json.dumps(header)


def no_json(lines: list[str]) -> None:
    lines[3] = lines[3][:20]


@pytest.mark.parametrize(("change", "line"), [(wrong_winner, 3), (illegal_move, 2), (other_rules, 1), (no_json, 4)])
def test_the_line_that_is_wrong_is_named(ludus_run: Runner, corpus: Path, change, line: int) -> None:
    done = ludus_run("record", "check", str(changed(corpus, change)))
    assert done.code == 1
    assert f"{corpus}, line {line}: " in done.out


def test_the_same_games_give_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.gz"
    write_corpus(again, Corpus(corpus).game, ["first", "first"], Corpus(corpus).records())
    assert again.read_bytes() == corpus.read_bytes()
    corpus.write_bytes(corpus.read_bytes()[:-30])
    with pytest.raises(ludus.RecordError):
        list(Corpus(corpus).records())
