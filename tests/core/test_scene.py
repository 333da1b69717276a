"""Scenes: a client that knows no rules can draw every position and follow every move."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import ludus
from ludus.core.position import Position
from ludus.core.scene import follow
from ludus.games.ludo.document.loading import load

GAMES: dict[str, tuple[Any, dict[str, Any]]] = {
    "pettingzoo": ("pettingzoo", {}), "pettingzoo-teams": ("pettingzoo", {"mode": "teams"}), "strict": ("strict", {}),
    "star-2": ("star", {"players": 2}), "maedn": ("maedn", {}), "french": ("french", {}),
    "six-french": ("french", {"seats": 6, "pieces": 3}), "eight": ("pettingzoo", {"seats": 8, "pieces": 5}),
    "generals": ("generals", {}), "generals-toss": ("generals", {"toss": True}),
}  # fmt: skip


def game_of(key: str) -> ludus.Game:
    source, options = GAMES[key]
    return ludus.make(source, **options)


def played(game: ludus.Game, plies: int = 150, seed: int = 1) -> Iterator[Position]:
    rng, position = Random(seed), game.start(seed)
    for _ in range(plies):
        yield position
        if position.to_move is None:
            return
        position = position.roll() if position.to_move == "chance" else position.play(rng.choice(position.moves()))


def parsed(fragment: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<svg>{fragment}</svg>")


@pytest.mark.parametrize("key", GAMES)
def test_the_board_is_plain_and_whole(key: str) -> None:
    game = game_of(key)
    scene = game.scene()
    assert json.loads(json.dumps(scene)) == scene
    names = [place["id"] for place in scene["places"]]
    assert len(set(names)) == len(names)
    left, top, width, height = scene["view_box"]
    for place in scene["places"]:
        assert left < place["x"] < left + width
        assert top < place["y"] < top + height
        assert place["size"] > 0
    assert [player["player"] for player in scene["players"]] == list(game.players)
    for fragment in (scene["board"], scene["labels"], *scene["tokens"].values()):
        assert " id=" not in ElementTree.tostring(parsed(fragment), "unicode")


@pytest.mark.parametrize("key", GAMES)
def test_every_piece_stands_on_its_place(key: str) -> None:
    game = game_of(key)
    board = game.scene()
    places = {place["id"]: place for place in board["places"]}
    for position in [*played(game)][::7]:
        scene = position.scene()
        assert json.loads(json.dumps(scene)) == scene
        parsed(scene["overlay"])
        assert len({piece["id"] for piece in scene["pieces"]}) == len(scene["pieces"])
        assert len({(piece["x"], piece["y"]) for piece in scene["pieces"]}) == len(scene["pieces"])
        for piece in scene["pieces"]:
            place = places[piece["place"]]
            middle = (place["x"] + piece["offset"][0], place["y"] + piece["offset"][1])
            assert middle == pytest.approx((piece["x"], piece["y"]), abs=1e-5)
            assert max(map(abs, piece["offset"])) < place["size"]
            assert piece["token"] in board["tokens"]
        assert {*scene["dice"], *scene["kept"]} <= set(board["tokens"])
        assert (scene["turn"], scene["to_move"]) == (position.turn, position.to_move)


def test_pieces_are_those_of_the_position() -> None:
    for position in [*played(ludus.make("french"), 200)][::11]:
        data = position.to_dict()
        told = Counter((piece["id"], piece["place"].rpartition("/")[2]) for piece in position.scene()["pieces"])
        wanted = {(f"{colour}-{n}", str(p)) for colour, ps in data["pieces"].items() for n, p in enumerate(ps)}
        assert set(told) == wanted
    for position in [*played(ludus.make("generals"), 200)][::11]:
        data = position.to_dict()
        units = {(piece["player"], piece["place"]) for piece in position.scene()["pieces"]}
        assert units == {(role, cell) for role in ("attacker", "defender") for cell in data[role]}


@pytest.mark.parametrize("key", GAMES)
def test_moves_can_be_followed_without_rules(key: str) -> None:
    game = game_of(key)
    names = {place["id"] for place in game.scene()["places"]}
    for position in [pos for pos in played(game, 300, seed=2) if pos.moves()][::4]:
        before = position.scene()
        where = {piece["id"]: piece["place"] for piece in before["pieces"]}
        for move, told in zip(position.moves(), before["moves"], strict=True):
            assert (told["move"], told["action"]) == (str(move), position.action(move))
            assert told["text"] == move.describe("en")
            assert {*told["path"]} <= names
            assert told["path"][-1:] == ([told["target"]] if told["target"] else [])
            assert all(where[piece] == told["origin"] for piece in told["pieces"])
            assert all(where[one["piece"]] == one["place"] for one in told["captures"])
            check_after(game, position.play(move).scene(), told)


def check_after(game: ludus.Game, after: dict[str, Any], told: dict[str, Any]) -> None:
    """The pieces that a move names stand on its target afterwards, the captured ones no more where they were."""
    where = {piece["id"]: piece["place"] for piece in after["pieces"]}
    if game.name != "generals":
        assert all(where[piece] == told["target"] for piece in told["pieces"])
    elif told["kind"] in ("move", "garrison"):
        assert told["target"] in {piece["place"] for piece in after["pieces"] if piece["player"] == told["player"]}
    assert all(where.get(one["piece"]) != one["place"] for one in told["captures"])


def test_stacks_frozen_and_held_pieces_are_marked() -> None:
    pieces = {
        "green": [9, 38, 38, "start"], "yellow": ["held:green", "held:green", 15, "end:1"],
        "blue": ["held:green", 44, 44, "start"], "red": ["held:blue", "finish", 20, "start"],
    }  # fmt: skip
    data = {"pieces": pieces, "frozen": {"green": [9]}, "turn": "green", "dice": [6, 6, 5, 3]}
    scene = ludus.make("french").position(data).scene()
    by_id = {piece["id"]: piece for piece in scene["pieces"]}
    assert by_id["green-0"]["marks"] == ["frozen"]
    assert by_id["yellow-0"]["place"] == by_id["yellow-1"]["place"] == "yellow/held:green"
    assert by_id["yellow-0"]["marks"] == ["held"]
    assert by_id["green-1"]["offset"] != by_id["green-2"]["offset"]
    assert scene["dice"] == ["die:6", "die:6", "die:5", "die:3"]
    assert scene["seats"][3]["home"] == 1


def test_capture_mark_and_sum_of_the_roll_off() -> None:
    pieces = {colour: ["start"] * 4 for colour in ("green", "yellow", "blue", "red")}
    marked = ludus.make("pettingzoo").position({"pieces": pieces, "captured": ["blue"], "turn": "red"}).scene()
    assert [seat["marks"] for seat in marked["seats"]] == [[], [], ["captured"], []]
    rolled = ludus.make("strict").start().play("4").scene()
    assert [seat["rolled"] for seat in rolled["seats"]] == [4, None, None, None]


def test_the_generals_hits_and_special_moves() -> None:
    data = {"attacker": ["a10"], "defender": ["a1", "d4"], "turn": "defender", "hits": 2, "garrisoned": ["attacker"],
            "struck": True}  # fmt: skip
    scene = ludus.make("generals").position(data).scene()
    assert (scene["state"]["hits"], scene["state"]["hits_most"]) == (2, 3)
    assert [seat["marks"] for seat in scene["seats"]] == [["garrisoned"], ["struck"]]
    assert scene["roll_due"]


def test_units_keep_their_ids_through_a_game() -> None:
    ids: list[Any] = []
    for position in played(ludus.make("generals"), 250, seed=5):
        pieces = position.scene()["pieces"]
        ids.append(follow(ids[-1], pieces) if ids else pieces)
    for before, after in pairwise(ids):
        assert len({piece["id"] for piece in after}) == len(after)
        moved = [
            piece for piece in after if (piece["id"], piece["place"]) not in {(b["id"], b["place"]) for b in before}
        ]
        assert len(moved) <= 2  # one that moves, and one that changes sides


def test_words_follow_the_language() -> None:
    assert [p["title"] for p in ludus.make("star").scene("fr")["players"]] == ["vert", "jaune", "bleu", "rouge"]
    position = ludus.make("star").start().play("6")
    assert position.scene("fr")["moves"][0]["text"] == position.moves()[0].describe("fr")
    with pytest.raises(ludus.LudusError):
        ludus.make("star").scene("xx")


def turned(point: tuple[float, float], turns: int) -> tuple[float, float]:
    """A point after quarter turns, clockwise, around 0 0; y points down."""
    x, y = point
    for _ in range(turns):
        x, y = -y, x
    return x, y


def is_drawn_by_its_author(name: str) -> bool:
    """Whether a board lies as its map says: its yards may be anywhere."""
    return name == "generals" or bool(load(name, {}).board.map)


@pytest.mark.parametrize("game", [name for name in ludus.games() if not is_drawn_by_its_author(name)])
@pytest.mark.parametrize("players", [2, 4])
def test_a_players_yard_can_be_turned_to_the_bottom(game: str, players: int) -> None:
    if players not in ludus.make(game).player_counts:
        players = ludus.make(game).num_players
    scene = ludus.make(game, players=players).scene("en")
    left, top, width, height = scene["view_box"]
    for player in scene["players"]:
        yard = next(place for place in scene["places"] if place["id"] == f"{player['player']}/start")
        middle = (yard["x"] - left - width / 2, yard["y"] - top - height / 2)
        y = turned(middle, player["turn"])[1]
        assert y > 0, "the lower half"
        # no other turn brings it much lower: the own end path has a say too
        assert y > max(turned(middle, n)[1] for n in range(4)) * 0.5


@pytest.mark.parametrize(
    ("game", "turns"),
    [("dog", [2, 1, 0, 3]), ("slides", [2, 1, 0, 3]), ("ur", [2, 0]), ("senet", [0, 0]), ("yut", [0] * 4)],
)
def test_boards_of_graphs_are_turned_where_everybody_has_a_side(game: str, turns: list[int]) -> None:
    assert [player["turn"] for player in ludus.make(game).scene()["players"]] == turns


def test_own_end_path_leads_up_from_the_bottom() -> None:
    scene = ludus.make("strict").scene("en")
    left, top, width, height = scene["view_box"]
    for player in scene["players"]:
        first = next(place for place in scene["places"] if place["id"] == f"{player['player']}/end:0")
        x, y = turned((first["x"] - left - width / 2, first["y"] - top - height / 2), player["turn"])
        assert abs(x) < 0.01
        assert y > height / 4


def test_the_attackers_edge_is_at_the_bottom_for_the_attacker() -> None:
    assert [player["turn"] for player in ludus.make("generals").scene("en")["players"]] == [2, 0]
