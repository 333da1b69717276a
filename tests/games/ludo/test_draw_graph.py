"""Boards of any topology: a picture without hand-made coordinates, in which nothing overlaps and nothing is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import dist
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import ludus
from ludus.core.position import Position
from ludus.games.ludo.board.graphs import longest_circle
from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.picture.geometry import Geometry, geometry
from ludus.games.ludo.picture.graph_board import from_line
from ludus.games.ludo.picture.layout import APART, crossings, forget, layout, neighbours, steps_between
from ludus.games.ludo.picture.plan import Spot
from ludus.games.ludo.picture.terminal import goes_without_saying
from ludus.games.ludo.picture.text_map import WIDTH, draw_map, text_map

BOARDS: dict[str, dict[str, Any]] = {
    "fork": {"seats": 2, "paths": ["1..20 > 1", "5 > s1 > s2 > 12", "green: start > 1", "green: 20 > g1 > g2 > finish",
                                   "yellow: start > 11", "yellow: 10 > y1 > y2 > finish"]},
    "wheel": {"seats": 4, "paths": ["start > 1..20 > finish", "5 > a1 > a2 > c > a3 > a4 > 15",
                                    "10 > b1 > b2 > c > b3 > b4 > 20"]},
    "ladders": {"seats": 3, "paths": ["start > 1..30 > finish"], "jumps": ["4 > 14", "9 > 22", "27 > 11"]},
    "two-rings": {"seats": 4, "paths": ["1..24 > 1", "i1 > i2 > i3 > i4 > i5 > i6 > i7 > i8 > i1", "3 > i1", "9 > i3",
                                        "15 > i5", "21 > i7", "green: start > 1", "yellow: start > 7",
                                        "blue: start > 13", "red: start > 19", "green: i2 > finish",
                                        "yellow: i4 > finish", "blue: i6 > finish", "red: i8 > finish"]},
    "race": {"seats": 6, "paths": ["start > 1..60 > finish", "10 > u1 > u2 > u3 > 20", "30 > v1 > v2 > 38"]},
    "eight-out": {"seats": 8, "pieces": 8, "paths": ["start > 1..12 > finish", "3 > long-name-of-a-tile > 9"]},
    "short": {"seats": 2, "pieces": 1, "paths": ["start > a > b > finish"]},
}  # fmt: skip
PLANAR = ("fork", "wheel", "ladders", "two-rings", "race", "short")
SHAPED: dict[str, dict[str, Any]] = {
    "shortcut": {"shape": "cross", "paths": ["8 > x1 > x2 > x3 > 34"]},
    "ring-with-bridge": {"shape": "ring", "seats": 3, "path": 30, "end_path": 3, "paths": ["2 > m1 > m2 > 17"]},
}


def board_of(board: dict[str, Any]) -> Geometry:
    document = {"name": "drawn", "board": {"shape": "graph", **board}, "win": {"turn_limit": 500}}
    return geometry(documents.load(document, {}))


def every(board: Geometry) -> list[Spot]:
    """Everything that takes room of its own; a finish that colours share as one disc."""
    lanes = [spot for lane in board.ends for spot in lane]
    goals = {link.target for link in board.links if link.target.place == "finish"}
    return [*board.path, *lanes, *goals, *(yard.area for yard in board.yards)]


@pytest.mark.parametrize("name", [*BOARDS, *SHAPED])
def test_nothing_overlaps(name: str) -> None:
    spots = every(board_of((BOARDS | SHAPED)[name]))
    for one, other in combinations(spots, 2):
        assert dist((one.x, one.y), (other.x, other.y)) >= (one.width + other.width) / 2 - 1e-6, (
            one.place,
            other.place,
        )


@pytest.mark.parametrize("name", [*BOARDS, *SHAPED])
def test_everything_lies_within_the_view(name: str) -> None:
    board = board_of((BOARDS | SHAPED)[name])
    left, top, right, bottom = board.bounds
    for spot in every(board):
        assert left < spot.x - spot.width / 2
        assert spot.x + spot.width / 2 < right
        assert top < spot.y - spot.height / 2
        assert spot.y + spot.height / 2 < bottom


@pytest.mark.parametrize("name", PLANAR)
def test_ways_do_not_cross_where_they_need_not(name: str) -> None:
    board = board_of(BOARDS[name])
    spots = list(dict.fromkeys(spot for link in board.links for spot in (link.origin, link.target)))
    number = {spot: at for at, spot in enumerate(spots)}
    ways = [(number[link.origin], number[link.target]) for link in board.links if link.kind == "way"]
    assert crossings(np.array([(spot.x, spot.y) for spot in spots]), ways) == 0


@pytest.mark.parametrize("name", BOARDS)
def test_no_way_runs_through_a_foreign_tile(name: str) -> None:
    board = board_of(BOARDS[name])
    for link in board.links:
        if link.kind == "way":
            ends = ((link.origin.x, link.origin.y), (link.target.x, link.target.y))
            others = [spot for spot in every(board) if spot not in (link.origin, link.target)]
            assert all(from_line((spot.x, spot.y), *ends) > 0.4 for spot in others)


def test_every_step_and_every_jump_is_drawn_once() -> None:
    board = board_of(BOARDS["fork"])
    steps = Counter((link.origin.place, link.target.place, link.owner) for link in board.links if link.kind == "way")
    assert steps[5, "s1", None] == steps[5, 6, None] == steps[20, 1, None] == 1
    assert steps["g1", "g2", "green"] == 1
    assert max(steps.values()) == 1
    assert sum(steps.values()) == 20 + 3 + 3 + 3
    jumps = [link for link in board_of(BOARDS["ladders"]).links if link.kind == "jump"]
    assert [(link.origin.place, link.target.place) for link in jumps] == [(4, 14), (9, 22), (27, 11)]


def test_tiles_belong_to_the_only_colour_that_comes_there() -> None:
    tiles = board_of(BOARDS["fork"]).tiles
    assert (tiles["g1"].owner, tiles["y2"].owner, tiles["s1"].owner) == ("green", "yellow", None)
    assert (tiles[1].owner, tiles[1].roles) == ("green", ("path", "entry"))
    assert board_of(BOARDS["wheel"]).tiles[1].owner is None  # everybody's entry tile


def test_colours_that_come_home_together_share_a_finish() -> None:
    shared, own = board_of(BOARDS["wheel"]).finishes, board_of(BOARDS["two-rings"]).finishes
    middles = [(spot.x, spot.y) for spot in shared]
    assert max(dist(a, b) for a, b in combinations(middles, 2)) < 2
    assert len(set(middles)) == 4
    assert min(dist((a.x, a.y), (b.x, b.y)) for a, b in combinations(own, 2)) > 2


def test_a_long_way_runs_round_the_board() -> None:
    board = board_of(BOARDS["ladders"])
    left, top, right, bottom = board.bounds
    assert max(right - left, bottom - top) < 22  # thirty tiles in a row would be 43
    assert dist((board.tiles[1].x, board.tiles[1].y), (board.tiles[30].x, board.tiles[30].y)) < 5


def test_yards_lie_near_their_entry_tiles() -> None:
    board = board_of(BOARDS["two-rings"])
    for yard, entry in zip(board.yards, (1, 7, 13, 19), strict=True):
        assert dist((yard.area.x, yard.area.y), (board.tiles[entry].x, board.tiles[entry].y)) < 4


def test_special_tiles_are_told_apart() -> None:
    squares = {"roll_again": [6], "miss_turn": [13], "send_home": [28], "turn_round": [18]}
    document = {"name": "drawn", "board": {"shape": "graph", **BOARDS["ladders"]}, "squares": squares,
                "safe": {"at": [10]}, "win": {"turn_limit": 500}}  # fmt: skip
    tiles = geometry(documents.load(document, {})).tiles
    assert [tiles[place].roles[1:] for place in (6, 13, 28, 18, 10, 9)] == [
        ("again",), ("miss",), ("home",), ("turn",), ("safe",), (),
    ]  # fmt: skip


def test_shortcuts_and_jumps_across_a_cross() -> None:
    board = board_of({"shape": "cross", "paths": ["8 > 30"], "jumps": ["5 > 18"]})
    assert board.shape == "cross"
    assert [(link.kind, link.origin.place, link.target.place) for link in board.links] == [
        ("way", 8, 30),
        ("jump", 5, 18),
    ]


# ---------------------------------------------------------------- the layout itself


def some_graph(seed: int) -> tuple[int, frozenset[tuple[int, int]]]:
    """A connected graph: a way with shortcuts and side branches."""
    rng = Random(seed)
    count = rng.randint(2, 40)
    edges = {(n, n + 1) if rng.random() < 0.8 else (rng.randint(0, n), n + 1) for n in range(count - 1)}
    edges |= {(rng.randrange(count), rng.randrange(count)) for _ in range(rng.randint(0, 5))}
    return count, frozenset(edges)


@pytest.mark.parametrize("seed", range(12))
def test_any_graph_is_laid_out_without_overlaps(seed: int) -> None:
    count, edges = some_graph(seed)
    points = layout(count, edges)
    assert len(points) == count
    assert all(dist(a, b) > APART - 0.01 for a, b in combinations(points, 2))


def test_a_layout_is_always_the_same() -> None:
    count, edges = some_graph(3)
    first = layout(count, edges)
    forget()
    assert layout(count, edges) == first


def test_a_ring_becomes_a_circle() -> None:
    points = layout(20, frozenset((n, (n + 1) % 20) for n in range(20)))
    radii = [dist(point, (0, 0)) for point in points]
    assert max(radii) - min(radii) < 0.1


def test_the_longest_cycle_is_found() -> None:
    links = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 3)]
    assert len(longest_circle(neighbours(5, links))) == 5
    assert longest_circle(neighbours(3, [(0, 1), (1, 2)])) == [0, 1, 2]


def test_parts_without_a_way_between_them_lie_apart() -> None:
    assert steps_between(4, [(0, 1), (2, 3)])[0][2] > 1
    points = layout(4, frozenset({(0, 1), (2, 3)}))
    assert all(dist(a, b) > 1 for a, b in combinations(points, 2))


# ---------------------------------------------------------------- terminal


@pytest.mark.parametrize("name", [*BOARDS, *SHAPED])
def test_the_map_names_every_tile_once(name: str) -> None:
    board = board_of((BOARDS | SHAPED)[name])
    cells = text_map(board, 9)
    assert cells is not None
    lines, hidden = draw_map(board, cells, lambda spot: f"{str(spot.place)[:7]:^9}")
    assert max(map(len, lines)) <= WIDTH
    words = Counter("\n".join(lines).split())
    tiles = Counter(str(spot.place)[:7] for spot in board.path)
    assert {word: words[word] for word in tiles} == tiles
    shown = [link for link in board.links if link.kind != "out" and link not in hidden]
    signs = sum(words[sign] for sign in "<>^v/\\")
    assert signs == len(shown)
    assert all(link.kind == "way" for link in shown)


def test_steps_that_numbers_tell_are_not_told_again() -> None:
    board = board_of(BOARDS["fork"])
    ways = {(link.origin.place, link.target.place): link for link in board.links if link.kind == "way"}
    assert goes_without_saying(ways[3, 4])
    assert not goes_without_saying(ways[20, 1])
    assert not goes_without_saying(ways[5, "s1"])


# ---------------------------------------------------------------- every shipped rule set

SHELF = (
    "classic", "parchis", "pachisi", "uckers", "petits-chevaux", "fia", "cross-6", "cross-8", "deck", "yut", "tides",
)  # fmt: skip


def played(name: str, plies: int) -> Iterator[Position]:
    rng, position = Random(3), ludus.make(name).start(5)
    for _ in range(plies):
        yield position
        if position.to_move is None:
            return
        position = position.roll() if position.to_move == "chance" else position.play(rng.choice(position.moves()))


@pytest.mark.parametrize("name", SHELF)
def test_every_position_of_the_shelf_is_drawn_whole(name: str) -> None:
    for position in [*played(name, 240)][::48]:
        root = ElementTree.fromstring(position.svg())
        drawn: Counter[tuple[str, str]] = Counter()
        for node in root.iter():
            if "piece" in node.get("class", "").split():
                drawn[str(node.get("data-colour")), str(node.get("data-place"))] += int(str(node.get("data-count")))
        pieces = position.to_dict()["pieces"]
        assert drawn == Counter((colour, str(place)) for colour, places in pieces.items() for place in places)
        marked = {node.get("data-move") for node in root.iter() if node.get("class") == "move"}
        assert marked == {str(move) for move in position.moves()} - {"pass"}
        tiles = [node for node in root.iter() if "path" in node.get("class", "").split() and node.get("data-place")]
        assert len(tiles) == len(geometry(position.game.rules).path)


@pytest.mark.parametrize("name", SHELF)
def test_every_position_of_the_shelf_fits_a_terminal(name: str) -> None:
    for position in [*played(name, 160)][::40]:
        assert max(map(len, position.text().splitlines())) <= WIDTH
        assert max(map(len, position.text(lang="fr").splitlines())) <= WIDTH


@pytest.mark.parametrize("name", SHELF)
def test_every_token_of_the_shelf_has_a_picture(name: str) -> None:
    game = ludus.make(name)
    tokens = game.scene()["tokens"]
    for position in [*played(name, 160)][::5]:
        scene = position.scene()
        assert {*scene["dice"], *scene["kept"], *(piece["token"] for piece in scene["pieces"])} <= set(tokens)


def test_tiles_that_rows_speak_of_are_marked_like_those_of_squares() -> None:
    """Where points are paid stands a triangle; a row of [[on]] marks its tiles as its short form does."""
    game = ludus.make("patolli")
    paid = [row.tiles for row in game.rules.on if row.do == "stake" and row.event == "landing"]
    marked = [place["label"] for place in game.scene()["places"] if "stake" in place["roles"]]
    assert sorted(map(int, marked)) == sorted(tile for tiles in paid for tile in tiles)
    rows = [{"event": "landing", "tiles": [6], "do": "again"}]
    roles = [
        [place["roles"] for place in ludus.make({"name": "one", "extends": "strict", **more}).scene()["places"]]
        for more in ({"on": rows}, {"squares": {"roll_again": [6]}})
    ]
    assert roles[0] == roles[1]
