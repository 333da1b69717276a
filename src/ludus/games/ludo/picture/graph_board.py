"""Boards with no shape of their own: tiles and ways laid out, then finishes, yards and capture zones around them.

Tiles lie where the author's map has them, or, without one, where layout.py puts them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import atan2, cos, dist, hypot, inf, pi, sin

from ludus.games.ludo.board.maps import BoardMap
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import COLOURS
from ludus.games.ludo.picture.geometry import (
    GAP,
    MARGIN,
    Geometry,
    Link,
    Yard,
    held_around,
    jump_links,
    owner_of,
    roles_of,
    yard_places,
)
from ludus.games.ludo.picture.layout import STEP, layout, steps_between
from ludus.games.ludo.picture.plan import LANE, Cell, Frame, Point, Role, Spot, spot_on

Disc = tuple[float, float, float]

YARD = 1.3  # the radius of a yard
FINISH = 0.8  # the radius of a finish of one colour; it grows with the colours that share it
SMALLEST_FINISH = 0.45
TILE = 0.5  # the radius that a tile fills; a square has more
FURTHEST = 40  # rings around an entry tile that are searched for room


@dataclass(frozen=True)
class FinishPlace:
    """A finish: the colours whose pieces end here, and the nodes that lead to it."""

    arms: tuple[int, ...]
    before: tuple[int, ...]
    room: float = inf

    @property
    def radius(self) -> float:
        """Wide enough for a wedge of each colour, where there is room."""
        return min(FINISH + 0.12 * (len(self.arms) - 1), max(self.room, SMALLEST_FINISH))


class GraphPlan:
    """The nodes of the layout: shared tiles, then each colour's end path, then the finishes."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.arms = range(topology.rules.board.seats)
        self.ahead = [topology.successors(arm) for arm in self.arms]
        self.map = BoardMap(topology) if topology.rules.board.map else None
        self.finishes = self.shared_finishes()
        self.lanes = topology.tiles + topology.lane * len(self.arms)
        self.count = self.lanes + len(self.finishes)
        self.points: tuple[Point, ...] = self.drawn(self.map) if self.map else self.spread()

    @property
    def is_squared(self) -> bool:
        """Whether tiles are squares side by side."""
        return self.map is not None and self.map.is_squared

    def drawn(self, drawing: BoardMap) -> tuple[Point, ...]:
        """The points of the author's map; a finish that is not on it lies beside the last tile before it."""
        self.scale = 1.0 if drawing.is_squared else STEP / drawing.closest
        xs, ys = zip(*drawing.points.values(), strict=True)
        self.middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        owners = [(arm, self.topology.tiles + n) for arm in self.arms for n in range(self.topology.lane)]
        keys = [*((None, square) for square in self.topology.places), *owners]
        self.points = tuple(self.on_page(drawing.points[key]) for key in keys)
        for number, finish in enumerate(self.finishes):
            at = drawing.points.get(drawing.key(finish.arms[0], self.topology.finish))
            point = self.on_page(at) if at else self.beside_last(finish)
            if at:
                room = min(hypot(point[0] - x, point[1] - y) for x, y in self.points[: self.lanes]) - 0.5
                self.finishes[number] = replace(finish, room=room)
            self.points = (*self.points, point)
        return self.points

    def on_page(self, cell: Point) -> Point:
        """A point of the map on the picture."""
        x, y = ((value - middle) * self.scale for value, middle in zip(cell, self.middle, strict=True))
        return (round(x, 3) + 0.0, round(y, 3) + 0.0)

    def beside_last(self, finish: FinishPlace) -> Point:
        """A free place for a finish, next to the tile that leads there."""
        yards = [yard for arm in self.arms if (yard := drawn_yard(self, arm))]
        discs = [*((*point, TILE) for point in self.points), *((*yard, YARD) for yard in yards)]
        near = [self.points[node] for node in finish.before] or [(0.0, 0.0)]
        return free_place(near[0], finish.radius, discs, [])

    def spread(self) -> tuple[Point, ...]:
        """The points of a board that nobody has drawn."""
        lanes = self.lanes
        edges = {(here, there) for here, there, _ in self.steps()}
        closing = self.closing(sorted({(min(edge), max(edge)) for edge in edges}))
        edges |= {(node, self.count + n) for n, ends in enumerate(closing) for node in ends}
        wider = (0.0,) * lanes + tuple(finish.radius - 0.5 for finish in self.finishes) + (0.0,) * len(closing)
        return layout(self.count + len(closing), frozenset(edges), self.ways(), wider)[: self.count]

    def closing(self, links: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Entry and last tile of ways that don't come back by themselves: the picture brings them together.

        So a long way runs round the board instead of across the page; the tile that joins the two is not drawn.
        """
        steps = steps_between(self.count, links)
        found = []
        for finish in self.finishes:
            entries = {entry for arm in finish.arms for entry in self.topology.entries(arm)}
            ends = [(entry, last) for entry in entries for last in finish.before]
            far = [pair for pair in ends if steps[pair[0]][pair[1]] >= max(6, self.count / 4)]
            found += sorted(far)[:1] if len(far) == len(ends) else []
        return found

    def shared_finishes(self) -> list[FinishPlace]:
        """Colours that come home by the same tiles share a finish; elsewhere each has its own."""
        goal = self.topology.finish
        groups: dict[tuple[int, ...], list[int]] = {}
        if self.topology.rules.finish.places == "end_path":
            return []
        if self.map and (None, goal) in self.map.drawn:
            return [FinishPlace(tuple(self.arms), ())]
        for arm in self.arms:
            before = tuple(self.at(arm, node) for node, ways in enumerate(self.ahead[arm]) if goal in ways)
            groups.setdefault(before, []).append(arm)
        return [FinishPlace(tuple(arms), before) for before, arms in groups.items()]

    def at(self, arm: int, node: int) -> int:
        """A node of the board as a node of the layout."""
        tiles, lane = self.topology.tiles, self.topology.lane
        if node < tiles:
            return self.topology.places[node]
        if node < self.topology.finish:
            return tiles + arm * lane + node - tiles
        number = next(n for n, finish in enumerate(self.finishes) if arm in finish.arms)
        return tiles + lane * len(self.arms) + number

    def steps(self) -> Iterator[tuple[int, int, int]]:
        """(from, to, arm) of every step that a colour can come to make."""
        has_finish = bool(self.finishes)
        for arm in self.arms:
            reached = self.topology.reachable(arm)
            for here, ways in enumerate(self.ahead[arm]):
                for there in ways if here in reached else ():
                    if has_finish or there != self.topology.finish:
                        yield self.at(arm, here), self.at(arm, there), arm

    def ways(self) -> tuple[tuple[int, ...], ...]:
        """The main way of each colour up to its finish: the first way named at every branch."""
        ways = []
        for arm in self.arms:
            way, here = [], next(iter(self.topology.entries(arm)), None)
            while here is not None and here < self.topology.tiles and here not in way:
                way.append(here)
                here = next(iter(self.ahead[arm][here]), None)
            ways.append(tuple(way))
        return tuple(dict.fromkeys(ways))


def graph_geometry(topology: Topology) -> Geometry:
    """The board of a graph, or of a cross or a ring with tiles beside its path."""
    plan, rules = GraphPlan(topology), topology.rules
    colours, roles = COLOURS[: rules.board.seats], roles_of(topology)
    path = tuple(
        tile_at(plan, node, topology.name(node), roles[node], owner_of(topology, node))
        for node in range(topology.tiles)
    )
    ends = tuple(
        tuple(
            tile_at(plan, plan.at(arm, topology.tiles + n), f"end:{n}", ("end",), colours[arm])
            for n in range(topology.lane)
        )
        for arm in plan.arms
    )
    finishes = tuple(spot for arm in plan.arms for spot in finish_of(plan, arm))
    yards = yards_of(plan)
    holds = rules.capture.captured_to == "held"
    held = tuple(held_around(len(colours), arm, yards[arm].area, outward(yards[arm].area)) for arm in plan.arms)
    spots = [*path, *(s for lane in ends for s in lane), *finishes, *(yard.area for yard in yards)]
    board = Geometry("graph", colours, (0, 0, 0, 0), path, ends, finishes, yards, held if holds else ())
    links = (*way_links(plan, board), *jump_links(topology, board))
    around = [*spots, *(spot for zone in board.held for spot in zone)]
    squares = tuple(spot for node, spot in enumerate(path) if topology.places[node] == node)
    aliases = {topology.name(node): topology.name(square) for node, square in enumerate(topology.places)}
    board = replace(board, path=squares, aliases={name: square for name, square in aliases.items() if name != square})
    return replace(board, bounds=bounds_around(around), links=links, is_drawn=plan.map is not None)


def tile_at(plan: GraphPlan, node: int, place: int | str, roles: tuple[Role, ...], owner: str | None) -> Spot:
    """A round tile, or a square among squares."""
    x, y = plan.points[node]
    if plan.is_squared:
        return spot_on(Cell(x, y, 1.0, 1.0, 0.0), place, roles, owner)
    return Spot(place, roles, owner, x, y, 1.0, 1.0, 0.0)


def outward(spot: Spot) -> Frame:
    """The frame of a spot that looks away from the middle of the board."""
    return Frame(atan2(spot.y, spot.x))


def finish_of(plan: GraphPlan, arm: int) -> tuple[Spot, ...]:
    """A colour's finish: a disc, or its wedge of a disc that colours share."""
    finish = next((finish for finish in plan.finishes if arm in finish.arms), None)
    if finish is None:
        return ()
    x, y = plan.points[plan.at(arm, plan.topology.finish)]
    share, number = 2 * pi / len(finish.arms), finish.arms.index(arm)
    start = pi + share * (number - 0.5)
    steps = max(3, 24 // len(finish.arms))
    arc = [start + share * n / steps for n in range(steps + (len(finish.arms) > 1))]
    outline = [(round(x + finish.radius * cos(a), 6), round(y + finish.radius * sin(a), 6)) for a in arc]
    middle = (x, y)
    if len(finish.arms) > 1:
        outline.append((x, y))
        middle = (x + finish.radius * 0.58 * cos(start + share / 2), y + finish.radius * 0.58 * sin(start + share / 2))
    size = finish.radius * (1.5 if len(finish.arms) == 1 else min(0.9, 1.6 * sin(share / 2)))
    where = (round(middle[0], 6), round(middle[1], 6), round(size, 6), round(size, 6), 0.0)
    return (Spot("finish", ("finish",), COLOURS[arm], *where, tuple(outline)),)


def way_links(plan: GraphPlan, board: Geometry) -> Iterator[Link]:
    """Every step once, with an owner where only one colour makes it, and the ways out of the yards."""
    makers: dict[tuple[int, int], list[int]] = {}
    for here, there, arm in plan.steps():
        makers.setdefault((here, there), []).append(arm)
    spots = spots_by_node(plan, board)
    for (here, there), arms in makers.items():
        owner = board.colours[arms[0]] if len(arms) == 1 and len(board.colours) > 1 else None
        yield Link(spots[here], spots[there], "way", owner)
    for arm in plan.arms:
        for entry in plan.topology.entries(arm):
            yield Link(board.yards[arm].area, spots[plan.at(arm, entry)], "out", board.colours[arm])


def spots_by_node(plan: GraphPlan, board: Geometry) -> dict[int, Spot]:
    """The spot of each node of the layout; a shared finish as one disc."""
    tiles = plan.topology.tiles
    spots = dict(enumerate(board.path))
    spots |= {plan.at(arm, tiles + n): spot for arm in plan.arms for n, spot in enumerate(board.ends[arm])}
    for finish in plan.finishes:
        node = plan.at(finish.arms[0], plan.topology.finish)
        spots[node] = Spot("finish", ("finish",), None, *plan.points[node], 2 * finish.radius, 2 * finish.radius, 0.0)
    return spots


# ---------------------------------------------------------------- yards


def yards_of(plan: GraphPlan) -> tuple[Yard, ...]:
    """Each yard where the map has it, or as near to its entry tile as there is room, on the outside first."""
    rules = plan.topology.rules
    lines = [(plan.points[a], plan.points[b]) for a, b, _ in plan.steps()]
    tile = TILE * 1.4 if plan.is_squared else TILE
    radii = [tile] * plan.lanes + [finish.radius for finish in plan.finishes]
    discs: list[Disc] = [(*point, radius) for point, radius in zip(plan.points, radii, strict=True)]
    room = YARD + (0.9 if rules.capture.captured_to == "held" else 0.0)
    yards = []
    for arm in plan.arms:
        x, y = drawn_yard(plan, arm) or free_place(first_tile(plan, arm), room, discs, lines)
        discs.append((x, y, room))
        area = Spot("start", ("yard",), COLOURS[arm], x, y, 2 * YARD, 2 * YARD, 0.0)
        yards.append(Yard(area, yard_places(area, outward(area), rules.board.pieces)))
    return tuple(yards)


def drawn_yard(plan: GraphPlan, arm: int) -> Point | None:
    """Where the map has a yard."""
    at = plan.map.drawn.get((arm, plan.topology.start)) if plan.map else None
    return plan.on_page(at) if at else None


def first_tile(plan: GraphPlan, arm: int) -> Point:
    """The entry tile of a colour; a point on its side of the board where it has none."""
    entries = plan.topology.entries(arm)
    if entries:
        return plan.points[plan.at(arm, entries[0])]
    turn = pi + 2 * pi * arm / len(plan.arms)
    return (0.4 * cos(turn), 0.4 * sin(turn))


def free_place(near: Point, room: float, discs: list[Disc], lines: list[tuple[Point, Point]]) -> Point:
    """The middle of a disc that touches nothing, as near to a point as it can be, away from the middle first."""
    x, y = near
    out = atan2(y, x)
    turns = [out + (-1) ** n * ((n + 1) // 2) * pi / 24 for n in range(48)]
    for ring in range(FURTHEST * 4):
        far = room + LANE + GAP + ring * 0.25
        for turn in turns:
            middle = (round(x + far * cos(turn), 3), round(y + far * sin(turn), 3))
            if is_free(middle, room + GAP, discs, lines):
                return middle
    return (round(x + FURTHEST * cos(out), 3), round(y + FURTHEST * sin(out), 3))


def is_free(middle: Point, room: float, discs: list[Disc], lines: list[tuple[Point, Point]]) -> bool:
    """Whether a disc touches no other disc and no line."""
    clear = all(hypot(middle[0] - x, middle[1] - y) >= room + r - 1e-9 for x, y, r in discs)
    return clear and all(from_line(middle, *line) >= room for line in lines)


def from_line(point: Point, here: Point, there: Point) -> float:
    """How far a point is from a line between two others."""
    dx, dy = there[0] - here[0], there[1] - here[1]
    square = dx * dx + dy * dy
    share = ((point[0] - here[0]) * dx + (point[1] - here[1]) * dy) / square if square else 0.0
    share = min(max(share, 0.0), 1.0)
    return dist(point, (here[0] + share * dx, here[1] + share * dy))


def bounds_around(spots: list[Spot]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of everything, with the margin."""
    boxes = [
        (spot.x - spot.width / 2, spot.y - spot.height / 2, spot.x + spot.width / 2, spot.y + spot.height / 2)
        for spot in spots
    ] + [(x, y, x, y) for spot in spots for x, y in spot.outline]
    left, top = (min(box[n] for box in boxes) - MARGIN for n in (0, 1))
    right, bottom = (max(box[n] for box in boxes) + MARGIN for n in (2, 3))
    return (left, top, right, bottom)
