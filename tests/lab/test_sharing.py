"""A laboratory in shares, and on a cluster: what one process would have given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.cli import main
from ludus.core.errors import LudusError
from ludus.core.shards import Shard
from ludus.lab.joining import join_labs
from ludus.lab.laboratory import lab_share

GAMES, SEED = 60, 3
RULE_SETS = ["quick", "classic", "quick"]


def made() -> list[Any]:
    return [ludus.make(name, players=2) for name in RULE_SETS]


def shares(folder: Path, of: int, seed: int = SEED) -> list[Path]:
    found = []
    for number in range(1, of + 1):
        shard = Shard(number, of)
        found.append(shard.file(folder, "lab"))
        lab_share(made(), shard, found[-1], games=GAMES, seed=seed, depth="short", workers=1)
    return found


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return shares(tmp_path_factory.mktemp("shares"), 3)


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return ludus.lab(made(), games=GAMES, seed=SEED, depth="short", workers=1).to_dict()


@pytest.mark.slow
def test_shares_together_give_what_one_process_gives(three: list[Path], whole: dict[str, Any]) -> None:
    found, missing = join_labs(three)
    assert missing == []
    assert found is not None
    assert json.dumps(found.to_dict()) == json.dumps(whole)


def test_shares_that_are_missing_are_named(three: list[Path]) -> None:
    assert join_labs(three[1:])[0] is None
    assert "share 1/3" in join_labs(three[1:])[1]


def test_a_share_that_is_not_done_is_named(three: list[Path], tmp_path: Path) -> None:
    half = tmp_path / three[1].name
    lines = three[1].read_text().splitlines(keepends=True)
    half.write_text("".join(lines[:-1]))
    assert join_labs([three[0], half, three[2]])[1] == [f"1 parts of share 2/3 ({half})"]


@pytest.mark.slow
def test_shares_that_do_not_belong_together_are_refused(three: list[Path], tmp_path: Path) -> None:
    other = shares(tmp_path, 3, seed=4)
    with pytest.raises(LudusError, match=r"does not belong to .*: seed is"):
        join_labs([three[0], other[1], three[2]])
    with pytest.raises(LudusError, match=r"share 1/3 is in .* already"):
        join_labs([three[0], three[0]])


def test_the_command_line_shares_and_merges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["lab", "quick", "--players", "2", "--games", "40", "--short", "--seed", "2", "--workers", "1"]
    for number in (1, 2):
        assert main([*command, "--shard", f"{number}/2", "--out", str(tmp_path)]) == 0
    assert "Share 2/2 is done" in capsys.readouterr().out
    assert main(["merge", str(tmp_path), "--json"]) == 0
    merged = capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    assert capsys.readouterr().out == merged


def test_a_share_tells_nothing_but_where_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "quick", "--json", "--shard", "1/2", "--out", str(tmp_path)]) == 2
    assert "--json: a share is kept in --out DIR" in capsys.readouterr().err
