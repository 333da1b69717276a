"""Shares of a contest, played apart and merged: exactly what one process gives."""

from __future__ import annotations

import errno
import json
import os
import re

import pytest

from ludus.cli import main
from ludus.core.errors import LudusError
from ludus.core.shards import Shard

PLAYED = ["arena", "strict", "greedy", "random", "--players", "2", "--games", "400", "--seed", "5", "--workers", "1"]


def out_of(capsys, *words):
    code = main(list(words))
    return code, *capsys.readouterr()


def play_shares(capsys, folder, count, *more, numbers=None):
    for number in numbers or range(1, count + 1):
        code, _, error = out_of(capsys, *PLAYED, *more, "--shard", f"{number}/{count}", "--out", str(folder), "--json")
        assert (code, error) == (0, "")


@pytest.mark.parametrize("count", [1, 3, 7])
def test_shares_together_are_the_whole_to_the_letter(tmp_path, capsys, count):
    _, whole, _ = out_of(capsys, *PLAYED, "--json")
    if count == 1:
        _, share, _ = out_of(capsys, *PLAYED, "--shard", "1/1", "--out", str(tmp_path), "--json")
        assert share == whole
        return
    play_shares(capsys, tmp_path, count)
    code, merged, error = out_of(capsys, "merge", str(tmp_path), "--json")
    assert (code, error) == (0, "")
    assert merged == whole


@pytest.mark.slow
def test_by_processes_too_but_for_the_clock(tmp_path, capsys):
    few = ["--games", "12"]
    _, whole, _ = out_of(capsys, *PLAYED, *few, "--json")
    play_shares(capsys, tmp_path, 3, *few)
    _, merged, _ = out_of(capsys, "merge", str(tmp_path), "--json")
    timed = re.compile(r'"milliseconds": [0-9.]+')
    assert timed.sub("", merged) == timed.sub("", whole)
    assert timed.search(merged)


def test_the_page_is_the_same(tmp_path, capsys):
    out_of(capsys, *PLAYED, "--html", str(tmp_path / "whole.html"))
    play_shares(capsys, tmp_path / "shares", 3)
    out_of(capsys, "merge", str(tmp_path / "shares"), "--html", str(tmp_path / "merged.html"))
    assert (tmp_path / "merged.html").read_bytes() == (tmp_path / "whole.html").read_bytes()


def test_shares_may_lie_in_folders_of_their_own(tmp_path, capsys):
    for number in (1, 2):
        play_shares(capsys, tmp_path / str(number), 2, numbers=[number])
    code, merged, _ = out_of(capsys, "merge", str(tmp_path / "2"), str(tmp_path / "1"), "--json")
    assert code == 0
    assert merged == out_of(capsys, *PLAYED, "--json")[1]


def test_a_missing_share_is_named(tmp_path, capsys):
    play_shares(capsys, tmp_path, 3, numbers=[1, 3])
    assert out_of(capsys, "merge", str(tmp_path)) == (1, "", "Not all is there yet: share 2/3\n")


def test_a_share_that_was_interrupted_is_named_and_goes_on(tmp_path, capsys):
    play_shares(capsys, tmp_path, 2)
    file = tmp_path / "arena-2-of-2.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]) + lines[-1][:9])  # the last line was not written whole
    code, _, error = out_of(capsys, "merge", str(tmp_path))
    assert code == 1
    assert re.search(r"\d+ games of share 2/2", error)
    play_shares(capsys, tmp_path, 2, numbers=[2])
    assert out_of(capsys, "merge", str(tmp_path), "--json")[1] == out_of(capsys, *PLAYED, "--json")[1]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--seed", "6"], "seed is 6, not 5"),
        (["--games", "600"], "games is 600, not 400"),
        (["--option", "dice=2"], "digest is"),
    ],
)
def test_shares_of_other_contests_are_refused(tmp_path, capsys, more, told):
    play_shares(capsys, tmp_path, 2, numbers=[1])
    play_shares(capsys, tmp_path, 2, *more, numbers=[2])
    code, _, error = out_of(capsys, "merge", str(tmp_path))
    assert code == 2
    assert "arena-2-of-2.jsonl: does not belong to" in error
    assert told in error


def test_shares_of_another_version_or_number_are_refused(tmp_path, capsys):
    play_shares(capsys, tmp_path, 2)
    file = tmp_path / "arena-2-of-2.jsonl"
    head, rest = file.read_text().split("\n", 1)
    for change, told in (({"engine": "0.0.1"}, "engine is '0.0.1'"), ({"shard": [2, 3]}, "a share of 3")):
        file.write_text(json.dumps(json.loads(head) | change) + "\n" + rest)
        code, _, error = out_of(capsys, "merge", str(tmp_path))
        assert code == 2
        assert told in error


def test_games_that_are_there_twice_are_refused(tmp_path, capsys):
    play_shares(capsys, tmp_path, 2)
    (tmp_path / "copy-1-of-2.jsonl").write_bytes((tmp_path / "arena-1-of-2.jsonl").read_bytes())
    code, _, error = out_of(capsys, "merge", str(tmp_path))
    assert code == 2
    assert "share 1/2 is in" in error


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--shard", "0/3", "--out", "x", "--seed", "1"], "a share is written 3/16"),
        (["--shard", "4/3", "--out", "x", "--seed", "1"], "a share is written 3/16"),
        (["--shard", "1/3", "--seed", "1"], "say with --out DIR"),
        (["--shard", "1/3", "--out", "x"], "say --seed N"),
        (["--out", "x"], "--out: the folder for"),
        (["--shard", "1/3", "--out", "x", "--seed", "1", "--journal", "y"], "keeps its results in --out"),
    ],
)
def test_bad_words_are_told_in_a_line(capsys, words, told):
    code, _, error = out_of(capsys, "arena", "strict", "random", *words)
    assert code == 2
    assert told in error


@pytest.mark.parametrize("given", ["nothing", "empty", "text"])
def test_what_is_no_share_is_told_in_a_line(tmp_path, capsys, given):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_text("hello\n")
    code, _, error = out_of(capsys, "merge", str(tmp_path / given))
    assert code == 2
    assert error.count("\n") == 1


@pytest.mark.parametrize(("of", "count"), [(1, 10), (3, 10), (16, 5), (7, 0)])
def test_shares_are_a_partition(of, count):
    together = [thing for number in range(1, of + 1) for thing in Shard(number, of).share(count)]
    assert together == list(range(count))


def test_a_folder_that_cant_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LudusError, match="no folder can be made"):
        Shard(1, 2).file(tmp_path / "file" / "out", "arena")


@pytest.mark.parametrize("room", [0, 7])
def test_a_full_disk_is_told_and_the_same_command_goes_on_when_there_is_room(tmp_path, capsys, monkeypatch, room):
    write, lines = os.write, []

    def full(file, data):
        is_line = data.startswith(b'{"')
        lines.extend([data] * is_line)
        if not is_line or len(lines) < 2:
            return write(file, data)
        if not room:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data[:room])  # a part of a line fitted

    monkeypatch.setattr(os, "write", full)
    code, _, error = out_of(capsys, *PLAYED, "--shard", "1/2", "--out", str(tmp_path))
    assert code == 1
    assert re.search(r"can't be written: (No space left on device|the disk is full)", error)
    assert re.search(r"Stopped after \d+ of 200 games.*the same command goes on from there", error)
    monkeypatch.undo()
    play_shares(capsys, tmp_path, 2)
    assert out_of(capsys, "merge", str(tmp_path), "--json")[1] == out_of(capsys, *PLAYED, "--json")[1]


def test_a_disk_that_can_only_be_read_is_told(tmp_path, capsys, monkeypatch):
    opened = os.open

    def refused(path, *more, **named):
        if str(path).endswith(".jsonl"):
            raise OSError(errno.EROFS, "Read-only file system")
        return opened(path, *more, **named)

    monkeypatch.setattr(os, "open", refused)
    code, _, error = out_of(capsys, *PLAYED, "--shard", "1/2", "--out", str(tmp_path))
    assert code == 2
    assert "can't be opened: Read-only file system" in error
