"""Pupils who learn apart and meet: the same on any number of workers, interrupted or not, in shares or in one."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.cli import main
from ludus.core.fleet import Threads
from ludus.core.game import Game
from ludus.core.registry import make
from ludus.core.shards import Shard
from ludus.core.tensor_file import read_tensors, write_tensors
from ludus.training.pupils import mean_of
from ludus.training.school import PLAYING, School, Syllabus
from ludus.training.sharing import merge_training, share_files
from ludus.training.trainer import Trained, train, train_share

FEW = Syllabus(units=8, portion=5, pupils=4, apart=3)
HOW: dict[str, Any] = {"games": 600, "units": 8, "pupils": 3, "apart": 1}


@pytest.fixture(scope="module")
def strict() -> Game:
    return make("strict", players=2)


@pytest.fixture(scope="module")
def whole(strict: Game, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    return train(strict, out=tmp_path_factory.mktemp("whole") / "w.safetensors", anchors=False, workers=1, **HOW)


def taught(game: Game, workers: int, terms: int = 2) -> School:
    school = School([game], 7, FEW)
    with Threads(workers) as fleet:
        for _ in range(terms):
            term = school.term(PLAYING)
            while not term.is_over:
                term.go_on(fleet)
            school.meet(PLAYING, term.pupils)
    return school


def test_any_number_of_workers_learns_the_same(strict: Game) -> None:
    one, three = taught(strict, 1), taught(strict, 3)
    assert np.array_equal(one.net.weights, three.net.weights)
    assert np.array_equal(one.average, three.average)
    assert one.progress == three.progress
    assert one.progress.games == 2 * 4 * 3 * 5
    assert one.progress.lessons[PLAYING] == 2 * 4 * 3


def test_every_pupil_plays_games_of_its_own_and_begins_with_what_all_know(strict: Game) -> None:
    school = taught(strict, 1, terms=1)
    term = school.term(PLAYING)
    with Threads(2) as fleet:
        term.go_on(fleet)
    weights = [pupil.weights for pupil in term.pupils]
    assert all(not np.array_equal(one, weights[0]) for one in weights[1:])
    assert np.array_equal(term.begun_with, school.net.weights), "nobody has met yet"
    assert np.allclose(mean_of(term.pupils), np.mean(weights, axis=0), atol=1e-6)


def test_what_nobody_met_stays_as_it_was_drawn(strict: Game) -> None:
    school = taught(strict, 2, terms=1)
    same = school.net.weights == school.drawn
    assert same.any(), "so that such inputs are 0 in the net that plays"
    assert not same.all()


def test_shares_together_are_one_process_to_the_bit(strict: Game, whole: Trained, tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def play(number: int) -> None:
        try:
            train_share(strict, Shard(number, 2), tmp_path, **HOW)
        except BaseException as error:
            failures.append(error)

    shares = [threading.Thread(target=play, args=(number,)) for number in (1, 2)]
    for share in shares:
        share.start()
    for share in shares:
        share.join()
    assert not failures
    school, missing = merge_training(share_files([tmp_path]))
    assert missing == []
    assert school is not None
    assert np.array_equal(school.playing_net().weights, whole.net.weights)
    assert (school.progress.games, school.progress.positions) == (whole.games, whole.positions)
    assert len(list(tmp_path.iterdir())) <= 4, "terms that are over are not kept"


def test_an_interrupted_training_goes_on_to_the_same_weights(
    strict: Game, whole: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet = School.meet

    def interrupted(*given: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(School, "meet", interrupted)
    first = train(strict, out=tmp_path / "w.safetensors", anchors=False, workers=2, **HOW)
    assert first.interrupted
    monkeypatch.setattr(School, "meet", meet)
    again = train(strict, out=tmp_path / "w.safetensors", anchors=False, workers=2, **HOW)
    assert np.array_equal(again.net.weights, whole.net.weights)


@pytest.mark.parametrize("lessons", [0, 1, 2, 3])
def test_a_share_goes_on_wherever_it_was_killed(
    strict: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lessons: int
) -> None:
    monkeypatch.setattr("ludus.training.pupils.SPAN", 1)
    monkeypatch.setattr("ludus.training.sharing.SAVED_EVERY", -1.0)  # after every lesson
    how: dict[str, Any] = {"games": 800, "units": 8}
    for number in (1, 2):
        train_share(strict, Shard(number, 2), tmp_path / "whole", **how)

    def killed(done: int, of: int, waits: bool) -> None:
        if done > lessons:
            raise MemoryError("killed")

    with pytest.raises(MemoryError):
        train_share(strict, Shard(1, 2), tmp_path / "parts", **how, told=killed)
    assert (merge_training(share_files([tmp_path / "parts"]))[1] if lessons else ["share 2/2"])[0] == "share 2/2"
    for number in (1, 2):
        train_share(strict, Shard(number, 2), tmp_path / "parts", **how)
    for one in share_files([tmp_path / "whole"]):
        tensors, other = (read_tensors(folder / one.name)[0] for folder in (tmp_path / "whole", tmp_path / "parts"))
        assert all(np.array_equal(values, other[name]) for name, values in tensors.items())


def play_shares(folder: Path, numbers: list[int], *more: str) -> list[int]:
    words = ["train", "strict", "--players", "2", "--games", "200", "--units", "8", "--out", str(folder), *more]
    return [main([*words, "--shard", f"{number}/2"]) for number in numbers]


def test_shares_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play_shares(tmp_path, [1]) == [0]
    assert "`ludus merge" in capsys.readouterr().out
    net = str(tmp_path / "net.safetensors")
    assert main(["merge", str(tmp_path), "--out", net]) == 1
    assert capsys.readouterr().err == "Not all is there yet: share 2/2\n"
    assert play_shares(tmp_path, [2, 2]) == [0, 0], "a share that is done is done"
    capsys.readouterr()
    assert main(["merge", str(tmp_path), "--out", net, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 200
    assert main(["arena", "strict", f"td:weights={net}", "random", "--players", "2", "--games", "2"]) == 0


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--seed", "2"], "seed is 2, not 1"),
        (["--option", "dice=2"], "document is"),
        (["--games", "400"], "apart is 2, not 1"),
    ],
)
def test_shares_of_another_training_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], words: str
) -> None:
    assert play_shares(tmp_path / "one", [1]) == [0]
    assert play_shares(tmp_path / "other", [2], *more) == [0]
    assert main(["merge", str(tmp_path / "one"), str(tmp_path / "other")]) == 2
    assert words in capsys.readouterr().err
    assert play_shares(tmp_path / "one", [1], *more) == [2]
    assert "of another training" in capsys.readouterr().err


def test_shares_of_another_version_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play_shares(tmp_path, [1, 2]) == [0, 0]
    for path in share_files([tmp_path]):
        tensors, meta = read_tensors(path)
        head = json.loads(meta["head"]) | {"engine": "0.0.9"}
        write_tensors(path, tensors, meta | {"head": json.dumps(head)})
    assert main(["merge", str(tmp_path)]) == 2
    assert "made by ludus 0.0.9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--shard", "1/2"], "--shard: say with --out DIR"),
        (["--shard", "1/2", "--out", "X"], "--shard: say with --games N"),
        (["--shard", "3/2", "--out", "X", "--games", "9"], "--shard: a share is written 3/16"),
        (
            ["--shard", "1/3", "--pupils", "2", "--out", "X", "--games", "9"],
            "--pupils 2: at least one for each of the 3",
        ),
        (["--shard", "1/1", "--out", "X", "--games", "9"], "two pupils or more"),
        (["--workers", "2", "--games", "9"], "one pupil learns alone"),
        (["--pupils", "65", "--games", "9"], "pupils: a whole number from 1 to 64"),
        (["--pupils", "2", "--apart", "0", "--games", "9"], "apart: a number of lessons above 0"),
    ],
)
def test_what_makes_no_sense_is_told(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", "strict", *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_a_damaged_share_and_a_full_disk_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert play_shares(tmp_path, [1]) == [0]
    path = share_files([tmp_path])[0]
    path.write_bytes(path.read_bytes()[:-7])
    assert main(["merge", str(tmp_path)]) == 2
    assert "no whole file of tensors" in capsys.readouterr().err

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ludus.training.sharing.write_tensors", full)
    assert play_shares(tmp_path / "full", [1]) == [2]
    assert "can't be written: No space left on device" in capsys.readouterr().err
