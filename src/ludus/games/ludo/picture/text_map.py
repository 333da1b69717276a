"""A board without a grid of its own as lines of text: tiles in cells near where the picture has them, arrows between.

What the cells can't show, a step between tiles that lie further apart, is written below: `5 > s1`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import hypot

from ludus.games.ludo.picture.geometry import Geometry, Link
from ludus.games.ludo.picture.plan import Spot

WIDTH = 100  # columns of a terminal that such a board may fill
WIDEST_PITCH = 1.5  # tile sides of the picture that one cell stands for, at most
MOST_LINES = 40  # a board that needs more has no lines between its cells
ROWS = 2  # lines from one cell to the next, so that an arrow fits between

Cell = tuple[int, int]  # line, column


@dataclass(frozen=True)
class TextMap:
    """Where each tile's cell is; `room` is the width of what is written in a cell."""

    room: int
    cells: dict[int | str, Cell]

    @property
    def pitch(self) -> int:
        """Columns of the terminal from one cell to the next."""
        return self.room + 1


def text_map(board: Geometry, room: int) -> TextMap | None:
    """The cells of a board; None where it is too large for a terminal."""
    columns = (WIDTH + 1) // (room + 1)
    spots = spots_of(board)
    left, right = min(spot.x for spot in spots), max(spot.x for spot in spots)
    top = min(spot.y for spot in spots)
    if len(spots) > columns * 12 or columns < 4:
        return None
    pitch = pitch_of(board)
    across = min(1 / pitch, (columns - 1) / max(right - left, 1e-9))
    rows = ROWS if ROWS * (max(spot.y for spot in spots) - top) / pitch < MOST_LINES else 1
    taken: dict[Cell, int | str] = {}
    cells: dict[int | str, Cell] = {}
    for spot in spots:
        wanted = (rows * (spot.y - top) / pitch, (spot.x - left) * across)
        cell = nearest_free(wanted, taken, columns)
        taken[cell] = spot.place
        cells[place_of(spot)] = cell
    first = min(line for line, _ in cells.values())
    return TextMap(room, {place: (line - first, column) for place, (line, column) in cells.items()})


def pitch_of(board: Geometry) -> float:
    """The distance of the two tiles that lie closest together."""
    pairs = combinations(board.path, 2)
    closest = min((hypot(one.x - other.x, one.y - other.y) for one, other in pairs), default=1.0)
    return min(max(closest, 1.0), WIDEST_PITCH)


def spots_of(board: Geometry) -> list[Spot]:
    """What a map shows: the path, the end paths where an author has drawn them, and the finishes."""
    lanes = [spot for lane in board.ends for spot in lane] if board.is_drawn else []
    return [*board.path, *lanes, *lone_finishes(board)]


def place_of(spot: Spot) -> int | str:
    """A spot's name on the map: what is a colour's own bears its name too."""
    is_own = spot.roles[0] in ("end", "finish")
    return f"{spot.owner}/{spot.place}" if is_own else spot.place


def lone_finishes(board: Geometry) -> list[Spot]:
    """The finishes; of those that share a disc the first stands for all; none at the end of end paths."""
    if any(board.ends) and not board.is_drawn:
        return []
    if len(board.finishes) < 2 or sharing(board):
        return list(board.finishes[:1])
    return list(board.finishes)


def sharing(board: Geometry) -> bool:
    """Whether all colours share one finish."""
    return len({link.target for link in board.links if link.target.place == "finish"}) == 1


def nearest_free(wanted: tuple[float, float], taken: dict[Cell, int | str], columns: int) -> Cell:
    """The free cell nearest to a point; lines count half, since there are more of them."""
    line, column = round(wanted[0]), min(max(round(wanted[1]), 0), columns - 1)
    for reach in range(1, 200):
        near = [
            (row, at)
            for row in range(max(line - 2 * reach, 0), line + 2 * reach + 1)
            for at in range(max(column - reach, 0), min(column + reach, columns - 1) + 1)
            if (row, at) not in taken
        ]
        if near:
            return min(near, key=lambda cell: ((cell[0] - wanted[0]) ** 2 / 4 + (cell[1] - wanted[1]) ** 2, cell))
    raise LookupError("no cell is free")


def draw_map(board: Geometry, cells: TextMap, tile: Callable[[Spot], str]) -> tuple[list[str], list[Link]]:
    """The lines of the map, and the steps that it could not show."""
    height = 1 + max(line for line, _ in cells.cells.values())
    width = 1 + max(column for _, column in cells.cells.values())
    written = {cells.cells[place_of(spot)]: tile(spot) for spot in spots_of(board)}
    arrows: dict[Cell, str] = {}
    hidden = [link for link in board.links if link.kind != "out" and not put_arrow(cells, link, written, arrows)]
    blank = " " * cells.room
    lines = []
    for line in range(height):
        parts = []
        for column in range(width):
            between = arrows.get((line, 2 * column), "")
            middle = f"{between:^{cells.room}}" if between else blank
            parts.append(written.get((line, column), middle) + (arrows.get((line, 2 * column + 1)) or " "))
        lines.append("".join(parts).rstrip())
    return lines, hidden


def put_arrow(cells: TextMap, link: Link, written: dict[Cell, str], arrows: dict[Cell, str]) -> bool:
    """Write a step's arrow between its cells where they are neighbours; whether it could be."""
    ends = [cells.cells.get(place_of(spot)) for spot in (link.origin, link.target)]
    if link.target.place == "finish" and ends[1] is None:
        ends[1] = next((cell for place, cell in cells.cells.items() if str(place).endswith("/finish")), None)
    if ends[0] is None or ends[1] is None or link.kind in ("jump", "slide"):
        return False
    (line, column), (down, across) = ends[0], ends[1]
    rows, steps = down - line, across - column
    if rows == 0 and abs(steps) == 1:
        at, sign = (line, 2 * min(column, across) + 1), ">" if steps > 0 else "<"
    elif abs(rows) == ROWS and steps == 0 and (line + rows // 2, column) not in written:
        at, sign = (line + rows // 2, 2 * column), "v" if rows > 0 else "^"
    elif 1 <= abs(rows) <= ROWS and abs(steps) == 1:
        at, sign = ((line + down) // 2, 2 * min(column, across) + 1), "\\" if rows * steps > 0 else "/"
    else:
        return False
    if at in arrows:
        return False
    arrows[at] = sign
    return True
