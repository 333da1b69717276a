"""Observations tell apart all that decides, and say which piece is which (Z29, G31)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.games.ludo.document.loading import load

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


def has_the_same_way_for_all(name: str) -> bool:
    """Whether a board is a bare cross or ring, or a graph without a colour's own tiles: every seat sees it alike."""
    board = load(name, {}).board if name != "generals" else None
    if board is None or board.shape != "graph":
        return board is not None and not board.paths
    return not any(":" in chain for chain in board.paths)


def turned(game: ludus.Game, data: dict[str, Any]) -> dict[str, Any]:
    """The same pieces, one seat on; boards with named tiles (yut's) are shared by all seats and do not turn."""
    names, rules = game.players, game.rules
    after = dict(zip(names, names[1:] + names[:1], strict=True))
    arm = rules.arm if rules.board.shape != "graph" else 0

    def place(where: int | str) -> int | str:
        if isinstance(where, int):
            return (where + arm) % rules.path_length if arm else where
        return f"held:{after[where[5:]]}" if where.startswith("held:") else where

    pieces = {after[colour]: list(map(place, places)) for colour, places in data["pieces"].items()}
    seats = {"turn": after[data["turn"]]}
    if rules.chance.hold.startswith("hand"):
        seats["leads"] = after[data.get("leads", names[0])]
    return {**data, "pieces": {name: pieces[name] for name in names}, **seats}


@pytest.mark.slow
@pytest.mark.rule("Z29")
@pytest.mark.parametrize("name", list(filter(has_the_same_way_for_all, ludus.games())))
def test_a_position_turned_by_a_seat_looks_the_same_from_the_next_seat(name: str) -> None:
    game = ludus.make(name)
    alike = 0
    for pos in walk(game, 400, seed=8):
        bare = {key: value for key, value in pos.to_dict().items() if key in ("pieces", "turn", "dice", "leads")}
        try:
            one, other = game.position(bare), game.position(turned(game, bare))
        except ludus.InvalidPosition:
            continue  # what was left out is needed there
        alike += 1
        for player, following in zip(game.players, game.players[1:] + game.players[:1], strict=True):
            assert (one.observation(player) == other.observation(following)).all()
    assert alike > 60


YARD = ["start"] * 4
ON, YARD_SHARE = "share of its pieces on path tile {} from the observer's entry tile", "share of its pieces in its yard"
DECIDES = "a player decides (0: a roll is due, or the game is over)"
WORKED: dict[str, tuple[dict[str, Any], str, dict[str, float]]] = {
    "pettingzoo": (
        {
            "pieces": {
                "green": [5, "end:2", "finish", "start"],
                "yellow": [20, 20, "start", "start"],
                "blue": ["start", 30, "start", "start"],
                "red": YARD,
            },
            "turn": "blue",
            "dice": [6],
            "sixes": {"blue": 2},
            "captured": ["green"],
        },
        "blue",  # enters at 26
        {
            f"seat 0: {ON.format(4)}": 1 / 4,
            f"seat 0: {YARD_SHARE}": 3 / 4,
            f"seat 1: {YARD_SHARE}": 1,
            f"seat 2: {ON.format(31)}": 1 / 4,
            "seat 2: share of its pieces on its end:2": 1 / 4,
            "seat 2: share of its pieces at its finish": 1 / 4,
            f"seat 2: {YARD_SHARE}": 1 / 4,
            f"seat 3: {ON.format(46)}": 1 / 2,
            f"seat 3: {YARD_SHARE}": 1 / 2,
            "seat 0 has the turn": 1,
            "seat 2 has captured": 1,
            "the die shows 6": 1,
            DECIDES: 1,
            "sixes in a row / limit": 2 / 3,
            "piece 1 of those that the observer moves": 5 / 59,
        },
    ),
    "french": (
        {
            "pieces": {"green": [12, 12, "end:1", "held:blue"], "yellow": YARD, "blue": [30, *YARD[1:]], "red": YARD},
            "turn": "green",
            "dice": [6, 6, 5],
            "frozen": {"green": [12]},
        },
        "red",  # enters at 39
        {
            f"seat 0: {YARD_SHARE}": 1,
            f"seat 1: {ON.format(25)}": 1 / 2,
            "seat 1: share of its pieces on its end:1": 1 / 4,
            "seat 1: share of its pieces held by seat 3": 1 / 4,
            f"seat 2: {YARD_SHARE}": 1,
            f"seat 3: {ON.format(43)}": 1 / 4,
            f"seat 3: {YARD_SHARE}": 3 / 4,
            "seat 1 has the turn": 1,
            "dice of 5 in the pool / 10 (at most 10 shown)": 1 / 10,
            "dice of 6 in the pool / 10 (at most 10 shown)": 2 / 10,
            DECIDES: 1,
            "share of the mover's pieces frozen on path tile 25 from the observer's entry tile": 1 / 4,
        },
    ),
    "deck": (
        {
            "pieces": {"green": [20, *YARD[1:]], "yellow": YARD, "blue": YARD, "red": ["start", "end:1", *YARD[2:]]},
            "turn": "red",
        },
        "yellow",  # enters at 18, of 72
        {
            f"seat 0: {YARD_SHARE}": 1,
            f"seat 1: {YARD_SHARE}": 1,
            "seat 2: share of its pieces on its end:1": 1 / 4,
            f"seat 2: {YARD_SHARE}": 3 / 4,
            f"seat 3: {ON.format(2)}": 1 / 4,
            f"seat 3: {YARD_SHARE}": 3 / 4,
            "seat 2 has the turn": 1,
            "seat 2, its piece 1": 74 / 78,
            "seat 3, its piece 0": 21 / 78,
        },
    ),
}  # fmt: skip


@pytest.mark.rule("Z29")
@pytest.mark.parametrize("name", WORKED)
def test_indices_mean_what_their_names_say(name: str) -> None:
    data, player, expected = WORKED[name]
    game = ludus.make(name)
    values = game.position(data).observation(player).tolist()
    names = [name.split(": 0 in its yard")[0] for name in game.observation_names]
    found = {name: value for name, value in zip(names, values, strict=True) if value and "deck" not in name}
    assert found == pytest.approx(expected)


def listed(page: str, name: str) -> list[str]:
    """What a page says of each index of a game's observation, spans like `0 … 51` counted out."""
    table = page.split(f"\n## `{name}`\n")[1].split("\n## ", maxsplit=1)[0].split("| index | meaning |")[1]
    found: list[str] = []
    for indices, meaning in re.findall(r"^\| ([\d–]+) \| (.*) \|$", table, re.MULTILINE):
        first, _, last = indices.partition("–")
        span = re.search(r"(\d+) … (\d+)", meaning)
        assert len(found) == int(first)
        for number in range(int(last or first) - int(first) + 1):
            found.append(
                f"{meaning[: span.start()]}{int(span[1]) + number}{meaning[span.end() :]}" if span else meaning
            )
        assert span is None or found[-1] == meaning[: span.start()] + span[2] + meaning[span.end() :]
    return found


@pytest.mark.parametrize("name", ludus.games())
def test_the_page_lists_every_index(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "actions-and-observations.md").read_text(encoding="utf-8")
    assert listed(page, name) == ludus.make(name).observation_names
