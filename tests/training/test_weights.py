"""Files of weights: what they keep, what is refused in a sentence, and which one plays a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.training.games import make, small_net

import ludus
from ludus.bots.bot import BotError
from ludus.bots.net_files import (
    SHIPPED,
    load_net,
    net_for,
    rules_digest,
    save_net,
    shipped_name,
)
from ludus.core.tensor_file import read_tensors, write_tensors


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The weights of a net for star with two players."""
    game = make("star", players=2)
    path = tmp_path / "net.safetensors"
    save_net(path, small_net(game))
    return path


def test_a_net_comes_back_as_it_was(written: Path) -> None:
    net, again = small_net(make("star", players=2)), load_net(written)
    np.testing.assert_array_equal(net.weights, again.weights)
    assert (net.units, net.inputs, net.outputs) == (again.units, again.inputs, again.outputs)


Parts = tuple[dict[str, Any], dict[str, str]]
BYTES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda _: b"",
    "garbage": lambda _: bytes(range(256)) * 40,
    "pickle": lambda _: b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x02os\x94\x8c\x06system\x94\x93\x94.",
}
PARTS: dict[str, Callable[[dict[str, Any], dict[str, str]], Parts]] = {
    "foreign": lambda parts, meta: (parts, {key: value for key, value in meta.items() if key != "format"}),
    "older": lambda parts, meta: (parts, meta | {"features": "0"}),
    "missing": lambda parts, meta: ({name: part for name, part in parts.items() if name != "outputs"}, meta),
    "shape": lambda parts, meta: (parts | {"outputs": parts["outputs"][:, :-4]}, meta),
    "flat": lambda parts, meta: (parts | {"thresholds": parts["thresholds"].reshape(-1, 1)}, meta),
    "words": lambda parts, meta: (parts, meta | {"options": "5"}),
    "options": lambda parts, meta: (parts | {"options": np.zeros((1, 3), np.float32)}, meta | {"options": '["dice"]'}),
    "numbers": lambda parts, meta: (parts | {"thresholds": parts["thresholds"] * np.float32("nan")}, meta),
    "inputs": lambda parts, meta: (parts | {"which": parts["which"] + np.int32(1_000_000)}, meta),
}


def damage(path: Path, how: str) -> None:
    """Make something else of a file of weights."""
    if how in BYTES:
        path.write_bytes(BYTES[how](path.read_bytes()))
    elif how in PARTS:
        write_tensors(path, *PARTS[how](*read_tensors(path)))
    else:
        path.unlink()


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("cut", "no whole file of tensors"), ("empty", "no whole file"), ("garbage", "no whole file"),
        ("pickle", "no whole file"), ("foreign", "not weights of ludus"), ("older", "train again"),
        ("missing", "damaged"), ("shape", "do not fit"), ("flat", "do not fit"), ("words", "options do not fit"),
        ("options", "options do not fit"), ("numbers", "some of its numbers are none"),
        ("inputs", "inputs that there are not"), ("gone", "can't be read"),
    ],
)  # fmt: skip
def test_what_is_no_file_of_weights_is_refused_in_a_sentence(written: Path, how: str, words: str) -> None:
    damage(written, how)
    with pytest.raises(BotError, match=words) as refused:
        ludus.bot("td", weights=str(written)).check(make("star", players=2))
    assert "\n" not in str(refused.value)
    assert str(written) in str(refused.value)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("generals", {}, "no kin"),
        ("star", {"players": 4}, "at most 2 players"),
        ("classic", {"players": 2}, "by other rules"),
        ("star", {"players": 2, "start": {"leave_on": [5, 6]}}, "by other rules"),
    ],
)
def test_weights_of_another_game_are_refused(written: Path, name: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(BotError, match=words):
        net_for(make(name, **options), str(written))


def test_a_rule_set_by_another_name_is_the_same_game(written: Path) -> None:
    renamed = ludus.make({"name": "mine", "extends": "star", "title": "Mine"}, players=2)
    assert rules_digest(renamed) == rules_digest(make("star", players=2))
    assert net_for(renamed, str(written)).units == 16


def test_every_net_that_is_shipped_plays_its_game() -> None:
    files = sorted(SHIPPED.glob("*.safetensors"))
    assert sum(file.stat().st_size for file in files) <= 10_000_000
    assert {"any-ludo", "pettingzoo-4", "generals-2"} <= {file.stem for file in files}
    for file in files:
        name, _, rest = load_net(file).name.rpartition("-4-teams")
        options: dict[str, Any] = {"modes": {"mode": "teams"}, "players": 4} if name else {}
        if not name:
            name, _, players = rest.rpartition("-")
            options = {} if name in ("any", "generals") else {"players": int(players)}
        game = make("pettingzoo" if name == "any" else name, **options)
        net = net_for(game, "any") if name == "any" else net_for(game)
        assert net.name == file.stem, "the rules have changed since: bench/train_shipped.py"
        assert name == "any" or shipped_name(game) == net.name


def test_the_net_for_all_plays_where_none_is_shipped() -> None:
    game = ludus.make({"name": "mine", "extends": "star", "board": {"pieces": 3}}, players=3)
    assert net_for(game).is_for_all
    assert set(ludus.value(game.start())) == set(game.players)
