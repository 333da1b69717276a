"""Observations tell apart all that decides, and say which piece is which (Z29, G31)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import ludus

KINDS: list[tuple[str, dict[str, Any]]] = [
    *[(name, {}) for name in ludus.games()],
    ("pettingzoo", {"mode": "teams"}),
    ("pettingzoo", {"players": 2}),
    ("pettingzoo", {"players": 3}),
    ("star", {"play_on": True}),
    ("french", {"players": 2}),
    ("generals", {"toss": True}),
]


@pytest.fixture(params=KINDS, ids=str)
def game(request: pytest.FixtureRequest) -> ludus.Game:
    name, options = request.param
    return ludus.make(name, **options)


def walk(game: ludus.Game, plies: int, seed: int) -> Iterator[ludus.Position]:
    """Random play, one game after the other."""
    rng = random.Random(seed)
    pos = game.start(seed)
    for ply in range(plies):
        if pos.to_move is None:
            pos = game.start(seed + ply)
        pos = pos.roll(rng) if pos.to_move == "chance" else pos.play(rng.choice(pos.moves()))
        yield pos


def seen(pos: ludus.Position) -> list[bytes]:
    """What each player sees."""
    return [pos.observation(player).tobytes() for player in pos.game.players]


def crossed(one: dict[str, Any], other: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The first position with one thing of the other's: a key, or one colour's pieces."""
    for key in {*one, *other}:
        mixed = {**one, key: other.get(key)}
        yield {name: value for name, value in mixed.items() if value is not None}
    for colour in one.get("pieces", {}):
        yield {**one, "pieces": {**one["pieces"], colour: other["pieces"][colour]}}


@pytest.mark.slow
@pytest.mark.rule("Z29", "G31")
def test_positions_that_differ_look_different_to_everybody(game: ludus.Game) -> None:
    rng = random.Random(1)
    met = list(walk(game, 600, seed=5))
    differing = 0
    for pos in rng.sample(met, 80):
        data, views = pos.to_dict(), seen(pos)
        for mixed in crossed(data, rng.choice(met).to_dict()):
            try:
                other = game.position(mixed)
            except ludus.InvalidPosition:
                continue
            if other != pos:
                differing += 1
                assert all(a != b for a, b in zip(views, seen(other), strict=True)), (data, mixed)
    assert differing > 40, "too little was asked"


@pytest.mark.slow
@pytest.mark.rule("Z29")
def test_who_sees_the_same_can_do_the_same(game: ludus.Game) -> None:
    """An action means one move to everybody with one view: pieces that change numbers are seen to do so."""
    rng = random.Random(2)
    asked = 0
    for pos in walk(game, 500, seed=3):
        data = pos.to_dict()
        if pos.to_move in (None, "chance") or "pieces" not in data or rng.random() > 0.3:
            continue
        for colour, places in data["pieces"].items():
            if len(set(places)) > 1 and "frozen" not in data:
                shuffled = {**data["pieces"], colour: places[1:] + places[:1]}
                other = game.position({**data, "pieces": shuffled})
                assert other == pos
                moves = [[str(p.move(int(a))) for a in np.flatnonzero(p.mask())] for p in (pos, other)]
                alike = moves[0] == moves[1] and (pos.mask() == other.mask()).all()
                if not alike:
                    asked += 1
                    assert (pos.observation(pos.turn) != other.observation(pos.turn)).any(), (data, colour)
    assert asked > 20 or game.name == "generals"


def turned(game: ludus.Game, data: dict[str, Any]) -> dict[str, Any]:
    """The same pieces, one seat on; boards with named tiles (yut's) are shared by all seats and do not turn."""
    names, rules = game.players, game.rules
    after = dict(zip(names, names[1:] + names[:1], strict=True))
    arm = rules.arm if game.name != "yut" else 0

    def place(where: int | str) -> int | str:
        if isinstance(where, int):
            return (where + arm) % rules.path_length if arm else where
        return f"held:{after[where[5:]]}" if where.startswith("held:") else where

    pieces = {after[colour]: list(map(place, places)) for colour, places in data["pieces"].items()}
    return {**data, "pieces": {name: pieces[name] for name in names}, "turn": after[data["turn"]]}


@pytest.mark.slow
@pytest.mark.rule("Z29")
@pytest.mark.parametrize("name", [name for name in ludus.games() if name != "generals"])
def test_a_position_turned_by_a_seat_looks_the_same_from_the_next_seat(name: str) -> None:
    game = ludus.make(name)
    alike = 0
    for pos in walk(game, 400, seed=8):
        bare = {key: value for key, value in pos.to_dict().items() if key in ("pieces", "turn", "dice")}
        try:
            one, other = game.position(bare), game.position(turned(game, bare))
        except ludus.InvalidPosition:
            continue  # what was left out is needed there
        alike += 1
        for player, following in zip(game.players, game.players[1:] + game.players[:1], strict=True):
            assert (one.observation(player) == other.observation(following)).all()
    assert alike > 60
