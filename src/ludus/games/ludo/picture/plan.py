"""The ground plan of a board: frames of arms, cells, and the measures of crosses and rings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, degrees, hypot, pi, sin, tan
from typing import Literal, NamedTuple

from ludus.games.ludo.document.rules import RuleSet

Point = tuple[float, float]
Role = Literal[
    "path", "entry", "safe", "star", "end", "finish", "yard", "held", "again", "miss", "turn", "home", "stake"
]

ARM = 1.5  # half the width of an arm
LANE = 0.5  # half the width of an end path


class Cell(NamedTuple):
    """A rectangle: its middle, its extent across and along its arm, and how far it is turned."""

    x: float
    y: float
    width: float
    height: float
    angle: float


@dataclass(frozen=True)
class Spot:
    """A place on the board. `outline` is its polygon; a spot without one is a circle of that width."""

    place: int | str
    roles: tuple[Role, ...]
    owner: str | None
    x: float
    y: float
    width: float
    height: float
    angle: float
    outline: tuple[Point, ...] = ()
    guest: str | None = None

    def __hash__(self) -> int:
        # pieces are gathered by the spot they stand on, again and again: outlines are long
        return hash((self.place, self.x, self.y))

    @property
    def size(self) -> float:
        """The shorter side."""
        return min(self.width, self.height)


class Frame:
    """A frame turned by an angle around the middle of the board."""

    def __init__(self, angle: float) -> None:
        self.angle = angle
        # rounded, so that quarter turns give whole numbers
        self.out = (round(cos(angle), 12), round(sin(angle), 12))

    def point(self, s: float, r: float) -> Point:
        """Frame coordinates → board coordinates."""
        dx, dy = self.out
        return (round(r * dx - s * dy, 9) + 0.0, round(r * dy + s * dx, 9) + 0.0)

    def cell(self, s: float, r: float, width: float = 1.0, height: float = 1.0, turn: float = 0.0) -> Cell:
        """A rectangle of this frame, turned further around its own middle by `turn`."""
        return Cell(*self.point(s, r), width, height, round(degrees(self.angle + turn) % 360, 6))


def arm_frame(arms: int, arm: float) -> Frame:
    """The frame of an arm; halves lie between two arms."""
    return Frame(pi + arm * 2 * pi / arms)


def corners_of(cell: Cell) -> tuple[Point, ...]:
    """The outline of a rectangle."""
    frame = Frame(cell.angle * pi / 180)
    half = [(cell.width * a / 2, cell.height * b / 2) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    turned = [frame.point(s, r) for s, r in half]
    return tuple((round(cell.x + x, 9), round(cell.y + y, 9)) for x, y in turned)


def spot_on(cell: Cell, place: int | str, roles: tuple[Role, ...], owner: str | None) -> Spot:
    """A rectangular spot."""
    return Spot(place, roles, owner, *cell, corners_of(cell))


@dataclass(frozen=True)
class Plan:
    """The measures of a board: how far out arms begin and tips lie, and the cells of the path, arm by arm."""

    shape: Literal["cross", "ring"]
    arms: int
    hub: float
    tip: float
    cells: tuple[Cell, ...]
    side: int = 0
    is_cornered: bool = False


def half_width_meets(arms: int, half: float) -> float:
    """How far out strips of a half width, one on each arm, stop overlapping."""
    return half / tan(pi / arms) if arms > 2 else 0.0


def plan_of(rules: RuleSet) -> Plan:
    """A cross where the path and the end paths fit one, else a ring."""
    if rules.board.shape == "ring":
        return ring_of(rules)
    side, is_cornered = divmod(rules.arm - 1, 2)
    cross = cross_of(rules.board.seats, side, bool(is_cornered))
    fits = cross.tip - rules.board.end_path >= LANE + half_width_meets(cross.arms, LANE) - 1e-9
    return cross if side >= 1 and fits else ring_of(rules)


def cross_of(arms: int, side: int, is_cornered: bool) -> Plan:
    """A cross with `side` tiles on each side of an arm."""
    hub = half_width_meets(arms, ARM)
    if arms == 2:
        hub = 1.0  # room for the two finishes
    if arms == 3 and is_cornered:
        hub = ARM  # the corner of a triangle is too narrow for a tile
    tip = hub + side - 0.5
    plan = Plan("cross", arms, hub, tip, (), side, is_cornered)
    cells = tuple(cell for arm in range(arms) for cell in cross_cells(plan, arm))
    return Plan("cross", arms, hub, tip, cells, side, is_cornered)


def cross_cells(plan: Plan, arm: int) -> Iterator[Cell]:
    """The path from the middle of an arm's tip up to the next arm's."""
    here, there = arm_frame(plan.arms, arm), arm_frame(plan.arms, arm + 1)
    yield here.cell(0, plan.tip)
    for step in range(plan.side):
        yield side_cell(plan, here, 1, plan.side - 1 - step)
    if plan.is_cornered:
        yield corner_cell(plan, arm)
    for step in range(plan.side):
        yield side_cell(plan, there, -1, step)


def side_cell(plan: Plan, frame: Frame, s: int, step: int) -> Cell:
    """A tile on the side of an arm, counted from the hub."""
    r = plan.hub + step + 0.5
    if plan.arms == 2 and step == 0 and not plan.is_cornered:
        # two arms are one strip: the innermost tiles meet in its middle
        return frame.cell(s, (r + 0.5) / 2, height=r + 0.5)
    return frame.cell(s, r)


def corner_cell(plan: Plan, arm: int) -> Cell:
    """The tile in the inner corner between an arm and the next (S53)."""
    between = arm_frame(plan.arms, arm + 0.5)
    if plan.arms > 3:
        return between.cell(0, ARM / sin(pi / plan.arms) - hypot(0.5, 0.5), turn=pi / 4)
    if plan.arms == 2:
        return between.cell(0, 1, width=2 * plan.hub)
    return between.cell(0, corner_radius(plan))


def corner_radius(plan: Plan) -> float:
    """How far out the middle between the innermost tiles of two of three arms lies."""
    one, other = (
        arm_frame(plan.arms, 0).point(1, plan.hub + 0.5),
        arm_frame(plan.arms, 1).point(-1, plan.hub + 0.5),
    )
    return hypot(one[0] + other[0], one[1] + other[1]) / 2


def ring_of(rules: RuleSet) -> Plan:
    """Tiles on a circle, wide enough for tiles and end paths."""
    arms, tiles = rules.board.seats, rules.path_length
    hub = max(half_width_meets(arms, ARM), 1.0)
    tip = max(tiles * 1.1 / (2 * pi), hub + rules.board.end_path + 0.5)
    cells = tuple(arm_frame(tiles, tile).cell(0, tip) for tile in range(tiles))
    return Plan("ring", arms, hub, tip, cells)
