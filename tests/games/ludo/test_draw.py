"""Pictures: where things lie, and that every position can be drawn and read."""

from __future__ import annotations

import re
import runpy
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import cos, dist, hypot, pi, sin
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import ludus
from ludus.core.position import Position
from ludus.games.ludo.picture.geometry import Geometry, geometry
from ludus.games.ludo.picture.plan import Spot

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).resolve().parents[3]
FOUR_ARMS: list[tuple[str, dict[str, Any]]] = [
    ("pettingzoo", {}), ("strict", {}), ("strict", {"corners": True}), ("strict", {"end_path": 4}),
    ("strict", {"end_path": 4, "corners": True}), ("star", {}), ("french", {}), ("maedn", {}),
]  # fmt: skip
LUDO = ("pettingzoo", "strict", "star", "maedn", "french")


def board_of(source: Any, **options: Any) -> Geometry:
    return geometry(ludus.make(source, **options).rules)


def arms(seats: int, **board: Any) -> dict[str, Any]:
    return {"name": "arms", "board": {"seats": seats, **board}}


def middle(spot: Spot) -> tuple[float, float]:
    return (spot.x, spot.y)


def solid(board: Geometry) -> list[Spot]:
    """Everything that is drawn as a tile of its own."""
    return [*board.path, *(spot for lane in board.ends for spot in lane)]


def played(game: ludus.Game, plies: int, seed: int = 1) -> Iterator[Position]:
    """Positions of a random game."""
    rng, position = Random(seed), game.start(seed)
    for _ in range(plies):
        if position.to_move is None:
            return
        yield position
        position = position.roll() if position.to_move == "chance" else position.play(rng.choice(position.moves()))


def picture(position: Position, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(position.svg(**options))


def by_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [node for node in root.iter() if name in node.get("class", "").split()]


# ---------------------------------------------------------------- geometry


@pytest.mark.parametrize(("name", "options"), FOUR_ARMS)
def test_four_arms_lie_on_a_grid(name: str, options: dict[str, Any]) -> None:
    board = board_of(name, **options)
    assert all(spot.x == int(spot.x) and spot.y == int(spot.y) for spot in solid(board))
    assert len({middle(spot) for spot in solid(board)}) == len(solid(board))


def test_the_classic_board() -> None:
    board = board_of("pettingzoo")
    assert (len(board.path), board.shape) == (52, "cross")
    assert {max(abs(spot.x), abs(spot.y)) for spot in solid(board)} == set(range(1, 8)) - {1}
    # green comes in on the left, one step from the tip, on the upper side, and goes right
    assert [middle(board.path[tile]) for tile in (0, 4, 5, 10, 11, 12, 13)] == [
        (-6, -1), (-2, -1), (-1, -2), (-1, -7), (0, -7), (1, -7), (1, -6),
    ]  # fmt: skip
    assert [middle(spot) for spot in board.ends[0]] == [(-x, 0) for x in (6, 5, 4, 3, 2)]
    assert middle(board.path[50]) == (-7, 0)


def test_corners_and_maedn_share_the_inner_corner() -> None:
    cornered, maedn = board_of("strict", corners=True), board_of("maedn")
    assert middle(cornered.path[5]) == middle(maedn.path[4]) == (-1, -1)
    assert middle(maedn.path[0]) == (-5, -1)
    assert middle(maedn.ends[0][3]) == (-1, 0)
    assert maedn.finishes == ()


@pytest.mark.parametrize(("seats", "corners"), [*product(range(2, 9), (False, True))])
def test_neighbours_touch_and_tiles_do_not_overlap(seats: int, corners: bool) -> None:
    board = board_of(arms(seats, corners=corners))
    ahead = [*board.path[1:], board.path[0]]
    assert board.shape == "cross"
    for here, there in zip(board.path, ahead, strict=True):
        length = (max(here.width, here.height) + max(there.width, there.height)) / 2
        assert 0.99 < dist(middle(here), middle(there)) < length * 1.42
    assert all(dist(middle(a), middle(b)) > 0.99 for a, b in combinations(solid(board), 2))


@pytest.mark.parametrize(("seats", "corners"), [*product(range(2, 9), (False, True))])
def test_boards_are_symmetric_by_rotation(seats: int, corners: bool) -> None:
    game = ludus.make(arms(seats, corners=corners), captured_to="held", dice=2, stops="opponents")
    board, turn, arm = geometry(game.rules), 2 * pi / seats, game.rules.arm

    def turned(spot: Spot) -> tuple[float, float]:
        return (spot.x * cos(turn) - spot.y * sin(turn), spot.x * sin(turn) + spot.y * cos(turn))

    pairs = [(spot, board.path[(tile + arm) % len(board.path)]) for tile, spot in enumerate(board.path)]
    for here in range(seats):
        there = (here + 1) % seats
        pairs += zip(board.ends[here], board.ends[there], strict=True)
        pairs += zip(board.held[here], board.held[there], strict=True)
        pairs += zip(board.yards[here].places, board.yards[there].places, strict=True)
        pairs.append((board.finishes[here], board.finishes[there]))
        pairs.append((board.yards[here].area, board.yards[there].area))
    for spot, image in pairs:
        assert turned(spot) == pytest.approx(middle(image), abs=1e-6)


@pytest.mark.parametrize("seats", range(2, 9))
def test_the_path_runs_clockwise(seats: int) -> None:
    path = board_of(arms(seats)).path
    ahead = [*path[1:], path[0]]
    area = sum(a.x * b.y - b.x * a.y for a, b in zip(path, ahead, strict=True))
    assert area > 0  # y points down


@pytest.mark.parametrize("seats", range(2, 9))
def test_yards_are_clear_of_everything(seats: int) -> None:
    board = board_of(arms(seats), captured_to="held", dice=2, stops="opponents")
    yards = [yard.area for yard in board.yards]
    reach = 0.5 if seats == 4 else 0.0  # a square's corner lies further out than its width says
    for yard, tile in product(yards, solid(board)):
        sideways = max(abs(yard.x - tile.x), abs(yard.y - tile.y)) if reach else dist(middle(yard), middle(tile))
        assert sideways > yard.width / 2 + 0.5 - 1e-6
    for one, other in combinations(yards, 2):
        assert dist(middle(one), middle(other)) > one.width
    places = [spot for yard in board.yards for spot in yard.places] + [spot for zone in board.held for spot in zone]
    assert all(dist(middle(a), middle(b)) > a.size * 0.9 for a, b in combinations(places, 2))


@pytest.mark.parametrize(("seats", "path", "end_path"), [(4, 20, 6), (2, 8, 12), (8, 16, 1), (6, 48, 9)])
def test_other_lengths_become_a_ring(seats: int, path: int, end_path: int) -> None:
    board = board_of(arms(seats, path=path, end_path=end_path, skipped=0))
    assert board.shape == "ring"
    assert len({round(hypot(*middle(spot)), 6) for spot in board.path}) == 1
    assert all(dist(middle(a), middle(b)) > 0.99 for a, b in combinations(solid(board), 2))


@pytest.mark.parametrize("source", [*LUDO, arms(6), arms(3, corners=True), arms(4, path=20, end_path=6)])
def test_everything_lies_within_the_bounds(source: Any) -> None:
    board = board_of(source)
    left, top, right, bottom = board.bounds
    yards = [yard.area for yard in board.yards]
    corners = [corner for spot in (*solid(board), *board.finishes) for corner in spot.outline]
    corners += [(yard.x + a * yard.width / 2, yard.y + a * yard.width / 2) for yard in yards for a in (-1, 1)]
    assert all(left < x < right and top < y < bottom for x, y in corners)


def test_roles_and_owners() -> None:
    star, zoo = board_of("star"), board_of("pettingzoo")
    assert star.path[0].roles == ("path", "entry")
    assert star.path[13].owner == "yellow"
    assert [spot.place for spot in star.path if "star" in spot.roles] == [4, 11, 17, 24, 30, 37, 43, 50]
    assert [spot.place for spot in star.path if "safe" in spot.roles] == [8, 21, 34, 47]
    assert zoo.path[26].roles == ("path", "entry", "safe")
    assert zoo.spot("blue", "end:3") == zoo.ends[2][3]
    held = board_of("french").spot("red", "held:green")
    assert (held.owner, held.guest) == ("green", "red")


def test_geometry_is_plain_data() -> None:
    import json

    data = board_of("french").data()
    assert json.loads(json.dumps(data))["path"][8]["roles"] == ["path", "safe"]


# ---------------------------------------------------------------- SVG


def places_drawn(root: ElementTree.Element) -> Counter[tuple[str, str]]:
    drawn: Counter[tuple[str, str]] = Counter()
    for piece in by_class(root, "piece"):
        drawn[str(piece.get("data-colour")), str(piece.get("data-place"))] += int(str(piece.get("data-count")))
    return drawn


def places_of(position: Position) -> Counter[tuple[str, str]]:
    return Counter((colour, str(place)) for colour, places in position.to_dict()["pieces"].items() for place in places)


@pytest.mark.parametrize(("name", "players"), [*product(LUDO, (2, 3, 4))])
def test_every_piece_of_every_rule_set_is_drawn(name: str, players: int) -> None:
    for number, position in enumerate(played(ludus.make(name, players=players), 160, seed=players)):
        if number % 40 in (0, 39):
            assert places_drawn(picture(position)) == places_of(position)
            assert len(position.text().splitlines()) <= 30


@pytest.mark.parametrize("seats", [2, 3, 5, 6, 7, 8])
def test_boards_of_other_arms_are_drawn(seats: int) -> None:
    *_, position = played(ludus.make(arms(seats)), 120)
    root = picture(position)
    assert places_drawn(root) == places_of(position)
    assert len(by_class(root, "path")) == 1 + len(geometry(position.game.rules).path)
    assert len(by_class(root, "yard")) == seats
    lines = position.text().splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 80


def test_six_seats_by_name() -> None:
    game = ludus.make({"name": "six", "board": {"seats": 6}})
    assert len(by_class(picture(game.start()), "yard")) == 6
    assert "orange" in game.start().text()


def crowded() -> Position:
    pieces = {
        "green": [8, 8, 47, 47],
        "yellow": [8, 8, "end:2", "end:2"],
        "blue": [8, 8, 8, 30],
        "red": [8, 8, 8, 8],
    }
    return ludus.make("pettingzoo").position({"pieces": pieces, "captured": ["yellow"], "turn": "blue", "dice": [3]})


def test_a_crowd_is_counted() -> None:
    drawn = by_class(picture(crowded()), "piece")
    on_eight = {piece.get("data-colour"): piece.get("data-count") for piece in drawn if piece.get("data-place") == "8"}
    assert on_eight == {"green": "2", "yellow": "2", "blue": "3", "red": "4"}
    assert "8: G2 Y2 B3 R4" in crowded().text()


@pytest.mark.rule("Z32")
def test_a_capture_leaves_its_mark() -> None:
    position = crowded()
    (mark,) = by_class(picture(position), "captured-mark")
    area = geometry(position.game.rules).yards[1].area
    assert mark.get("data-colour") == "yellow"
    assert (float(str(mark.get("cx"))), float(str(mark.get("cy")))) == middle(area)
    assert not by_class(picture(ludus.make("pettingzoo").start()), "captured-mark")


def french() -> Position:
    pieces = {
        "green": [9, 38, 38, "start"], "yellow": ["held:green", "held:green", 15, "end:1"],
        "blue": ["held:green", 44, 44, "start"], "red": ["held:blue", "finish", 20, "start"],
    }  # fmt: skip
    data = {"pieces": pieces, "frozen": {"green": [9]}, "turn": "green", "dice": [6, 6, 5, 3]}
    return ludus.make("french").position(data)


def test_legal_moves_are_marked() -> None:
    root = picture(french())
    marked = [node.get("data-move") for node in by_class(root, "move")]
    assert marked == [str(move) for move in french().moves()]
    assert len(by_class(root, "origin")) == 3  # two on 38, one in the yard; the one on 9 is frozen
    titles = [title.text for node in by_class(root, "move") for title in node.iter(f"{SVG}title")]
    assert "out: comes out" in titles
    assert not by_class(picture(french(), legal=False), "move")
    assert not by_class(picture(french(), legal=False), "origin")


@pytest.mark.parametrize("name", LUDO)
def test_every_decision_shows_its_moves(name: str) -> None:
    positions = [position for position in played(ludus.make(name), 90, seed=5) if position.moves()]
    for position in positions[::5]:
        marked = {node.get("data-move") for node in by_class(picture(position), "move")}
        assert marked == {str(move) for move in position.moves()} - {"pass"}


def test_pool_captives_and_frozen_pieces() -> None:
    root = picture(french())
    assert [node.get("data-face") for node in by_class(root, "die")] == ["6", "6", "5", "3"]
    assert [node.get("data-place") for node in by_class(root, "frozen")] == ["9"]
    held = [node for node in by_class(root, "piece") if node.get("data-place") == "held:green"]
    assert [(node.get("data-colour"), node.get("data-count")) for node in held] == [
        ("yellow", "2"),
        ("blue", "1"),
    ]
    text = french().text()
    assert "held: Y2 B" in text
    assert "frozen: green 9" in text
    assert "dice: 6 6 5 3" in text


def test_in_the_terminal_all_but_tiles_is_in_words_of_the_readers_language() -> None:
    text = french().text(lang="fr")
    assert "prisonniers: Y2 B" in text
    assert "ne bougent plus: vert 9" in text
    assert ":0 couloir" in text
    changed = {"green": ["boat"], "yellow": ["flood"]}
    pieces = {"green": ["start"] * 3 + [10], **{colour: ["start"] * 4 for colour in ("yellow", "blue", "red")}}
    game = ludus.make("tides")
    more = {"turn": "green", "dice": [6], "changed": changed, "sixes": {"green": 2}}
    position = game.position({"pieces": pieces, **more})
    told = position.text(lang="fr")
    assert "changements: vert une barque, jaune la marée haute" in told
    assert "six de suite: vert 2" in told
    assert not {"start", "held", "sixes", "changed", "end", "green", "flood"} & set(told.replace(":", " ").split())


def test_buying_back_starts_at_the_captor() -> None:
    pieces = {colour: ["start"] * 4 for colour in ("yellow", "blue", "red")} | {"green": ["held:blue", "start", 9, 20]}
    position = ludus.make("french").position({"pieces": pieces, "turn": "green", "dice": [6, 1]})
    root = picture(position)
    assert "buy" in {node.get("data-move") for node in by_class(root, "move")}
    assert len(by_class(root, "origin")) == 4


def test_a_long_pool_is_counted() -> None:
    data = french().to_dict() | {"dice": [6] * 40 + [5, 3]}
    root = picture(french().game.position(data))
    assert [node.get("data-face") for node in by_class(root, "die")] == ["6", "5", "3"]
    assert "×40" in {node.text for node in root.iter(f"{SVG}text")}


def test_turn_roll_and_end_are_shown() -> None:
    start = ludus.make("pettingzoo").start()
    (yard,) = by_class(picture(start), "turn")
    assert yard.get("data-colour") == "green"
    assert by_class(picture(start), "due")
    *_, last = played(ludus.make("maedn", players=2), 100_000)
    while last.to_move is not None:
        last = last.roll() if last.to_move == "chance" else last.play(last.moves()[0])
    assert not by_class(picture(last), "due")
    assert [node.get("data-colour") for node in by_class(picture(last), "seat")] == [last.turn]
    assert "result:" in last.text()


def test_pictures_speak_to_everyone() -> None:
    root = picture(french())
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert "green" in str(root[0].text)
    assert "held:green" in str(root[1].text)
    letters = {
        node.get("data-colour"): node[3].text for node in by_class(root, "piece") if node.get("data-count") == "1"
    }
    assert letters == {"green": "G", "yellow": "Y", "blue": "B", "red": "R"}


def test_pictures_hold_no_ids_and_no_links() -> None:
    words = french().svg()
    assert not re.search(r'\sid="|href|url\(|<style|<script|<image', words)
    assert words.count("http") == 1  # the namespace


def test_text_is_escaped() -> None:
    title = '<b a="1">&\'\x1b[31m\x00'
    game = ludus.make({"name": "odd", "title": title})
    root = picture(game.start())
    assert '<b a="1">&\'[31m' in {node.text for node in root.iter(f"{SVG}text")}
    assert "\x1b" not in game.start().text()


def test_options() -> None:
    start = ludus.make("star").start()
    small, large = picture(start, size=300), picture(start, size=1200, coordinates=False)
    assert (small.get("width"), large.get("width")) == ("300", "1200")
    assert small.get("viewBox") == large.get("viewBox")
    assert len(list(small.iter(f"{SVG}text"))) - len(list(large.iter(f"{SVG}text"))) == 52
    assert len(by_class(small, "star")) == 8
    assert start._repr_svg_() == start.svg()


@pytest.mark.parametrize(
    "options", [{"size": 0}, {"size": -5}, {"size": "big"}, {"size": float("nan")}, {"lang": "xx"}]
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ludus.LudusError):
        ludus.make("star").start().svg(**options)


# ---------------------------------------------------------------- terminal


def without_colour(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize(
    "source", [*LUDO, arms(6), arms(8, corners=True), arms(4, end_path=2), arms(4, path=20, end_path=6)]
)
def test_colour_changes_nothing_but_colour(source: Any) -> None:
    for position in [*played(ludus.make(source), 60, seed=3)][::6]:
        plain = position.text()
        assert plain.isascii()
        assert without_colour(position.text(colour=True)).split() == plain.split()
        assert max(map(len, plain.splitlines())) <= 80


def test_every_tile_has_its_number_in_the_terminal() -> None:
    words = set(re.findall(r"\d+", ludus.make("star").start().text()))
    assert set(map(str, range(52))) <= words


def test_terminal_marks() -> None:
    lines = crowded().text().splitlines()
    assert any("(GY+)" in line for line in lines)
    assert any("[ 0 )" in line for line in lines)
    assert any("> blue <" in line for line in lines)
    assert any("(captured)" in line for line in lines)
    assert "*11 *" in ludus.make("star").start().text()


# ---------------------------------------------------------------- the documentation's pictures


@pytest.mark.slow
def test_the_pictures_of_the_documentation_are_up_to_date(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "make-pictures"))
    script["main"](tmp_path)
    for drawn in tmp_path.iterdir():
        assert (ROOT / "docs" / "images" / drawn.name).read_text("utf-8") == drawn.read_text("utf-8"), (
            "run scripts/make-pictures"
        )


def test_stairs_have_the_number_on_each_step_that_it_takes() -> None:
    steps = re.findall(r'class="end"[^>]*>.*?</g>', ludus.make("petits-chevaux").start().svg())
    told = [re.findall(r">(\d)</text>", step) for step in steps]
    assert told == [[str(number)] for _ in range(4) for number in range(1, 7)]
    assert "</text>" not in "".join(re.findall(r'class="end"[^>]*>.*?</g>', ludus.make("strict").start().svg()))
