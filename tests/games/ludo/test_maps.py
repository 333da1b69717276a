"""board.map: the board as its author draws it, in pictures, terminal and scenes."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest

import ludus
from ludus.games.ludo.picture.geometry import Geometry, geometry

UR: dict[str, Any] = {
    "name": "ur-board",
    "board": {
        "shape": "graph",
        "seats": 2,
        "pieces": 7,
        "paths": [
            "green: start > g1 > g2 > g3 > g4 > 5..12 > g13 > g14 > finish",
            "yellow: start > y1 > y2 > y3 > y4 > 5..12 > y13 > y14 > finish",
        ],
        "map": "g4 g3 g2 g1 . . g14 g13\n5 6 7 8 9 10 11 12\ny4 y3 y2 y1 . . y14 y13",
    },
}


def ur(drawing: str) -> dict[str, Any]:
    return UR | {"board": UR["board"] | {"map": drawing}}


def board_of(source: Any) -> Geometry:
    return geometry(ludus.make(source).rules)


def test_tiles_lie_where_they_are_drawn() -> None:
    tiles = board_of(UR).tiles
    corner = tiles["g4"]
    cells = {name: (round(spot.x - corner.x, 6), round(spot.y - corner.y, 6)) for name, spot in tiles.items()}
    assert cells["g13"] == (7, 0)
    assert cells[5] == (0, 1)
    assert cells[12] == (7, 1)
    assert cells["y1"] == (3, 2)
    assert all(len(spot.outline) == 4 for spot in tiles.values()), "tiles in cells side by side are squares"


def test_yut_is_a_square_with_its_diagonals() -> None:
    tiles = board_of("yut").tiles
    left, right = tiles[10].x, tiles[5].x
    top, bottom = tiles[10].y, tiles[20].y
    assert (tiles[5].y, tiles[15].x, tiles[15].y, tiles[20].x) == (top, left, bottom, right)
    assert right - left == bottom - top
    for number in range(1, 6):  # up the right side, then along the top, as evenly as can be
        assert tiles[number].x == right
        assert tiles[5 + number].y == top
        assert abs(tiles[number].y - (bottom - (bottom - top) * number / 5)) < 0.01
    for name, share in {"a1": 1 / 6, "a2": 2 / 6, "mid": 3 / 6, "a3": 4 / 6, "a4": 5 / 6}.items():
        assert abs(tiles[name].x - (right - (right - left) * share)) < 0.01
        assert abs(tiles[name].y - (top + (bottom - top) * share)) < 0.01


def test_no_two_things_lie_on_one_another() -> None:
    for source in ("yut", UR):
        board = board_of(source)
        spots = [*board.path, *(yard.area for yard in board.yards)]
        for number, one in enumerate(spots):
            for other in spots[:number]:
                apart = hypot(one.x - other.x, one.y - other.y)
                assert apart >= (one.width + other.width) / 2 - 0.01, (one.place, other.place)


def test_scene_and_terminal_follow_the_map() -> None:
    game = ludus.make(UR)
    places = {place["id"]: place for place in game.scene()["places"]}
    assert places["12"]["x"] - places["5"]["x"] == 7
    lines = game.start().text().splitlines()
    row = next(line for line in lines if " 12" in line)
    assert [word for word in row.replace(">", " ").split() if word.isdigit()] == [str(n) for n in range(5, 13)]
    above = lines[lines.index(row) - 2]
    assert above.index("g4") < above.index("g1") < above.index("g13")
    assert row.index("12") - above.index("g13") in range(-1, 2), "12 lies under g13"


def test_a_cross_may_have_a_map_with_its_end_paths() -> None:
    drawing = """
    0 . 4 . green:start
    . finish . .
    12 . 8
    """
    game = ludus.make({
        "name": "square", "win": {"turn_limit": 500},
        "board": {"shape": "ring", "path": 16, "end_path": 2, "skipped": 0, "map": drawing},
    })  # fmt: skip
    board = geometry(game.rules)
    lane = board.ends[0]
    turn, home = board.tiles[15], board.finishes[0]
    assert abs(lane[0].x - (turn.x + (lane[1].x - turn.x) / 2)) < 0.01, "the end path runs straight to the finish"
    assert board.tiles[2].y == board.tiles[0].y == board.tiles[4].y
    assert abs(home.x) < abs(lane[1].x) + 1
    assert "end:0" in game.start().text() or ":0" in game.start().text()


def test_an_end_path_ends_where_it_is_drawn() -> None:
    board = board_of("marbles")
    cells = {spot.place: (spot.x, spot.y) for spot in board.path}
    assert cells["mid"] == (0, 0)
    assert [(spot.x, spot.y) for spot in board.ends[0]] == [(-6, 0), (-5, 0), (-4, 0), (-3, 0)]
    assert cells[6] == (-1, -1)
    assert cells[20] == (1, -1)
    assert cells[13] == (0, -7)


@pytest.mark.parametrize(
    ("drawing", "words"),
    [
        ("g4 g3 g2 g1 g44", "no tile 'g44'; did you mean 'g4'"),
        ("5 6 7 8 9 10 11 12 5", "'5' is drawn twice"),
        ("5 12", "would lie on one spot"),
        ("g1 y1 . . g14 y14 blue:start", "no tile 'blue:start'"),
        ("\n".join(["."] * 70), "70 lines are more than 60"),
        (". .", "has no place"),
    ],
)
def test_a_map_that_can_not_be_drawn_is_refused_in_one_line(drawing: str, words: str) -> None:
    with pytest.raises(ludus.LudusError) as caught:
        ludus.make(ur(drawing))
    message = str(caught.value)
    assert "board.map: " in message
    assert words in message
    assert "\n" not in message


def test_the_map_is_no_rule() -> None:
    """It moves nothing: the same rolls and moves with and without it."""
    with_map, without = ludus.make(UR), ludus.make(ur(""))
    assert list(with_map.playouts(20, seed=3).moves) == list(without.playouts(20, seed=3).moves)
