"""Where a player's dice lie on the board: beside its yard, where nothing else is drawn."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin

from ludus.games.ludo.picture.geometry import Geometry
from ludus.games.ludo.picture.plan import ARM, Spot

Tray = tuple[float, float, float]  # x, y and the side of the square that dice may fill

SIDES = (1.5, 1.2, 0.95)  # tried one after the other, around the yard
DIRECTIONS = 48
LARGEST = 1.9
CLEAR = 0.08  # between dice and what is drawn
RIM = 0.15  # around a yard, where it shows whose turn it is


def trays_of(board: Geometry) -> list[Tray | None]:
    """The tray of each colour; None where its yard has no room beside it."""
    found: list[Tray | None] = []
    for arm, yard in enumerate(board.yards):
        area = yard.area
        taken = [tray for tray in found if tray]
        found.append(in_the_corner(area) if area.outline else around(board, arm, taken))
    return found


def in_the_corner(area: Spot) -> Tray:
    """Between a square yard and the middle of the board, where two arms meet."""
    strip = abs(area.x) - area.width / 2 - ARM
    middle = round(ARM + strip / 2, 6)
    return (middle if area.x > 0 else -middle, middle if area.y > 0 else -middle, round(min(strip * 0.84, LARGEST), 6))


def around(board: Geometry, arm: int, taken: list[Tray]) -> Tray | None:
    """The first free square around a round yard, inwards before outwards, larger before smaller."""
    area = board.yards[arm].area
    inwards = atan2(-area.y, -area.x)
    turns = [inwards + (-1) ** n * ((n + 1) // 2) * 2 * pi / DIRECTIONS for n in range(DIRECTIONS)]
    for side in SIDES:
        far = area.width / 2 + RIM + side * 0.66
        for turn in turns:
            x, y = area.x + far * cos(turn), area.y + far * sin(turn)
            if is_inside(board, x, y, side) and is_clear(board, area, taken, (x, y, side)):
                return (round(x, 3), round(y, 3), side)
    return None


def is_inside(board: Geometry, x: float, y: float, side: float) -> bool:
    """Whether a square lies on the picture."""
    left, top, right, bottom = board.bounds
    half = side / 2
    return left + half <= x <= right - half and top + half <= y <= bottom - half


def is_clear(board: Geometry, own: Spot, taken: list[Tray], tray: Tray) -> bool:
    """Whether a square covers no place, no other tray, and no line between places."""
    x, y, side = tray
    reach = side * 0.62 + CLEAR
    spots = [*board.path, *board.finishes, *(spot for lane in board.ends for spot in lane)]
    spots += [yard.area for yard in board.yards if yard.area is not own]
    spots += [spot for zone in board.held for spot in zone]
    lies_apart = all(hypot(x - spot.x, y - spot.y) >= reach + spot.size / 2 for spot in spots)
    return lies_apart and all(hypot(x - a, y - b) >= (side + other) * 0.6 for a, b, other in taken)
