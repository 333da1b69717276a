"""Boards with no shape of their own: tiles and ways laid out, then finishes, yards and capture zones around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import atan2, cos, dist, hypot, pi, sin

from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import COLOURS
from ludus.games.ludo.picture.geometry import (
    GAP,
    LANE,
    MARGIN,
    Frame,
    Geometry,
    Link,
    Point,
    Spot,
    Yard,
    held_around,
    jump_links,
    owner_of,
    roles_of,
    yard_places,
)
from ludus.games.ludo.picture.layout import layout, steps_between

Disc = tuple[float, float, float]

YARD = 1.6  # the radius of a yard
FINISH = 0.8  # the radius of a finish of one colour; it grows with the colours that share it
FURTHEST = 40  # rings around an entry tile that are searched for room


@dataclass(frozen=True)
class Finish:
    """A finish: the colours whose pieces end here, and the nodes that lead to it."""

    arms: tuple[int, ...]
    before: tuple[int, ...]

    @property
    def radius(self) -> float:
        """Wide enough for a wedge of each colour."""
        return FINISH + 0.12 * (len(self.arms) - 1)


class Plan:
    """The nodes of the layout: shared tiles, then each colour's end path, then the finishes."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.arms = range(topology.rules.board.seats)
        self.ahead = [topology.successors(arm) for arm in self.arms]
        self.finishes = self.shared_finishes()
        lanes = topology.tiles + topology.lane * len(self.arms)
        self.count = lanes + len(self.finishes)
        edges = {(here, there) for here, there, _ in self.steps()}
        closing = self.closing(sorted({(min(edge), max(edge)) for edge in edges}))
        edges |= {(node, self.count + n) for n, ends in enumerate(closing) for node in ends}
        wider = (0.0,) * lanes + tuple(finish.radius - 0.5 for finish in self.finishes) + (0.0,) * len(closing)
        self.points = layout(self.count + len(closing), frozenset(edges), self.ways(), wider)[: self.count]

    def closing(self, links: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Entry and last tile of ways that don't come back by themselves: the picture brings them together.

        So a long way runs round the board instead of across the page; the tile that joins the two is not drawn.
        """
        steps = steps_between(self.count, links)
        found = []
        for finish in self.finishes:
            entries = {entry for arm in finish.arms for entry in self.topology.entries(arm)}
            ends = [(entry, last) for entry in entries for last in finish.before]
            far = [pair for pair in ends if steps[pair] >= max(6, self.count / 4)]
            found += sorted(far)[:1] if len(far) == len(ends) else []
        return found

    def shared_finishes(self) -> list[Finish]:
        """Colours that come home by the same tiles share a finish; elsewhere each has its own."""
        goal = self.topology.finish
        groups: dict[tuple[int, ...], list[int]] = {}
        if self.topology.rules.finish.places == "end_path":
            return []
        for arm in self.arms:
            before = tuple(self.at(arm, node) for node, ways in enumerate(self.ahead[arm]) if goal in ways)
            groups.setdefault(before, []).append(arm)
        return [Finish(tuple(arms), before) for before, arms in groups.items()]

    def at(self, arm: int, node: int) -> int:
        """A node of the board as a node of the layout."""
        tiles, lane = self.topology.tiles, self.topology.lane
        if node < tiles:
            return node
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
    plan, rules = Plan(topology), topology.rules
    colours, roles = COLOURS[: rules.board.seats], roles_of(topology)
    path = tuple(
        tile_at(plan.points[node], topology.name(node), roles[node], owner_of(topology, node))
        for node in range(topology.tiles)
    )
    ends = tuple(
        tuple(
            tile_at(plan.points[plan.at(arm, topology.tiles + n)], f"end:{n}", ("end",), colours[arm])
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
    return replace(board, bounds=bounds_around(around), links=links)


def tile_at(point: Point, place: int | str, roles: tuple[str, ...], owner: str | None) -> Spot:
    """A round tile."""
    return Spot(place, roles, owner, *point, 1.0, 1.0, 0.0)  # type: ignore[arg-type]


def outward(spot: Spot) -> Frame:
    """The frame of a spot that looks away from the middle of the board."""
    return Frame(atan2(spot.y, spot.x))


def finish_of(plan: Plan, arm: int) -> tuple[Spot, ...]:
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


def way_links(plan: Plan, board: Geometry) -> Iterator[Link]:
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


def spots_by_node(plan: Plan, board: Geometry) -> dict[int, Spot]:
    """The spot of each node of the layout; a shared finish as one disc."""
    tiles = plan.topology.tiles
    spots = dict(enumerate(board.path))
    spots |= {plan.at(arm, tiles + n): spot for arm in plan.arms for n, spot in enumerate(board.ends[arm])}
    for finish in plan.finishes:
        node = plan.at(finish.arms[0], plan.topology.finish)
        spots[node] = Spot("finish", ("finish",), None, *plan.points[node], 2 * finish.radius, 2 * finish.radius, 0.0)
    return spots


# ---------------------------------------------------------------- yards


def yards_of(plan: Plan) -> tuple[Yard, ...]:
    """Each yard as near to its entry tile as there is room, on the outside first."""
    rules = plan.topology.rules
    lines = [(plan.points[a], plan.points[b]) for a, b, _ in plan.steps()]
    radii = [0.5] * (plan.count - len(plan.finishes)) + [finish.radius for finish in plan.finishes]
    discs: list[Disc] = [(*point, radius) for point, radius in zip(plan.points, radii, strict=True)]
    room = YARD + (0.9 if rules.capture.captured_to == "held" else 0.0)
    yards = []
    for arm in plan.arms:
        x, y = free_place(plan, arm, room, discs, lines)
        discs.append((x, y, room))
        area = Spot("start", ("yard",), COLOURS[arm], x, y, 2 * YARD, 2 * YARD, 0.0)
        yards.append(Yard(area, yard_places(area, outward(area), rules.board.pieces)))
    return tuple(yards)


def free_place(plan: Plan, arm: int, room: float, discs: list[Disc], lines: list[tuple[Point, Point]]) -> Point:
    """The middle of a disc that touches nothing, as near to a colour's entry tile as it can be."""
    entries = plan.topology.entries(arm)
    x, y = plan.points[plan.at(arm, entries[0])] if entries else (0.0, 0.0)
    out = atan2(y, x) if hypot(x, y) > 0.5 else pi + 2 * pi * arm / len(plan.arms)
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
