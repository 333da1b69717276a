"""Where everything lies on the board, in plain numbers worked out from the rule set.

One unit is the side of a tile, the origin is the middle of the board, x points right and y down; angles are
degrees clockwise. The board is a cross of arms three tiles wide, or a ring where no cross has that many
tiles. Green's arm points left, the others follow clockwise, as the path runs. Boards with tiles beside the
path, with nothing but tiles and ways, or with a map of their own, are laid out by graph_board.py.

An arm's own frame has two axes: `r` runs outwards along its middle, `s` sideways in the direction of play.
From one turn into an end path to the next, the path is: the middle of the tip, the side s = 1 inwards, the
inner corner where an arm has an even number of tiles, and the next arm's side s = -1 outwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from math import hypot, pi, sin, tan
from typing import TYPE_CHECKING, Any, Literal

from ludus.games.ludo.board.tiles import on_every_arm
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.event_rows import rows_of
from ludus.games.ludo.document.rules import COLOURS, RuleSet
from ludus.games.ludo.picture.plan import (
    ARM,
    LANE,
    Cell,
    Frame,
    Plan,
    Role,
    Spot,
    arm_frame,
    corner_radius,
    half_width_meets,
    plan_of,
    spot_on,
)

if TYPE_CHECKING:
    from ludus.games.ludo.game import LudoGame

GAP = 0.3  # between yards and tiles
MARGIN = 0.25  # around everything
LARGEST_YARD = 4.3
MANY_JUMPS = 24  # so many are told by the colours of tiles, but for long ones
LEAP = 5.0  # tiles: what is a leap to the next tile of a colour, and no flight


@dataclass(frozen=True)
class Yard:
    """A yard: its area, and one place for each piece around the middle."""

    area: Spot
    places: tuple[Spot, ...]


@dataclass(frozen=True)
class Link:
    """A step, a jump or a slide from one spot to another; with an owner, only for pieces of that colour.

    A slide is its owner's who need not slide there, as such boards paint it.
    """

    origin: Spot
    target: Spot
    kind: Literal["way", "jump", "out", "slide"]
    owner: str | None = None
    over: tuple[Spot, ...] = ()  # what a slide goes over


@dataclass(frozen=True)
class Geometry:
    """A whole board; tuples run over the arms, `path` over the shared tiles.

    `links` are what the shape does not show by itself: on a graph every step, elsewhere shortcuts and jumps.
    """

    shape: Literal["cross", "ring", "graph"]
    colours: tuple[str, ...]
    bounds: tuple[float, float, float, float]
    path: tuple[Spot, ...]
    ends: tuple[tuple[Spot, ...], ...]
    finishes: tuple[Spot, ...]
    yards: tuple[Yard, ...]
    held: tuple[tuple[Spot, ...], ...]
    links: tuple[Link, ...] = ()
    is_drawn: bool = False  # by the author, on a map
    aliases: dict[int | str, int | str] = field(default_factory=dict)  # other names of squares

    @cached_property
    def tiles(self) -> dict[int | str, Spot]:
        """The shared tiles by name, a square with two names by both."""
        named = {spot.place: spot for spot in self.path}
        return named | {name: named[square] for name, square in self.aliases.items()}

    def spot(self, colour: str, place: int | str) -> Spot:
        """Where a piece of a colour stands; for `start` the whole yard."""
        if place in self.tiles:
            return self.tiles[place]
        if isinstance(place, int):
            raise LookupError(f"no tile {place} on this board")
        arm, (kind, _, detail) = self.colours.index(colour), place.partition(":")
        if kind == "end":
            return self.ends[arm][int(detail)]
        if kind == "held":
            return next(s for s in self.held[self.colours.index(detail)] if s.guest == colour)
        return self.finishes[arm] if kind == "finish" else self.yards[arm].area

    def data(self) -> dict[str, Any]:
        """Everything as plain data, for clients that draw for themselves."""
        return asdict(self)


def rules_in_force(game: LudoGame, data: Mapping[str, Any]) -> RuleSet:
    """The rules as they have changed for the player in turn (L2): sandbanks that drown are not drawn any more."""
    rules, held = game.rules, data.get("changed", {}).get(data["turn"], ())
    if not held:
        return rules
    names = [change.name or f"change {number + 1}" for number, change in enumerate(rules.all_changes)]
    bits = sum(1 << number for number, name in enumerate(names) if name in held)
    # worked out once: boards are known by the identity of their rules
    bank: RuleSet = game.drawn.once(f"rules {bits}", lambda: rules.banks[bits]) if bits else rules
    return bank


# the boards drawn last, with their rule sets: these are compared by identity, which is quick
_drawn: dict[int, tuple[RuleSet, Geometry]] = {}
MOST_DRAWN = 64


def geometry(rules: RuleSet) -> Geometry:
    """The board of a rule set, every arm of it, whoever plays; worked out once."""
    known = _drawn.get(id(rules))
    if known is not None and known[0] is rules:
        return known[1]
    if len(_drawn) >= MOST_DRAWN:
        _drawn.clear()
    board = laid_out(rules)
    _drawn[id(rules)] = (rules, board)
    return board


def laid_out(rules: RuleSet) -> Geometry:
    """Crosses and rings exactly, other boards by layout."""
    topology = Topology(rules)
    if topology.tiles > topology.ring or rules.board.map:
        from ludus.games.ludo.picture.graph_board import graph_geometry

        return graph_geometry(topology)
    return exact_geometry(topology)


def exact_geometry(topology: Topology) -> Geometry:
    """A cross or a ring."""
    rules = topology.rules
    plan, arms = plan_of(rules), range(rules.board.seats)
    path = path_spots(topology, plan)
    ends = tuple(end_spots(rules, plan, arm) for arm in arms)
    has_finish = rules.finish.places == "one_tile"
    finishes = tuple(finish_spot(rules, plan, arm) for arm in arms) if has_finish else ()
    yards = tuple(yard_of(rules, plan, arm) for arm in arms)
    holds = rules.capture.captured_to == "held"
    held = tuple(held_spots(plan, arm, yards[arm].area) for arm in arms) if holds else ()
    if rules.board.travel == "anticlockwise":
        path, yards, held = mirrored(path, yards, held)
    spots = [*path, *(yard.area for yard in yards), *(spot for zone in held for spot in zone)]
    board = Geometry(plan.shape, COLOURS[: plan.arms], bounds_of(spots), path, ends, finishes, yards, held)
    return replace(board, links=shortcuts(topology, board))


def mirrored(
    path: tuple[Spot, ...], yards: tuple[Yard, ...], held: tuple[tuple[Spot, ...], ...]
) -> tuple[tuple[Spot, ...], tuple[Yard, ...], tuple[tuple[Spot, ...], ...]]:
    """The path the other way round, and what lies beside it: arms stay where they are, and so do their colours."""
    arms = range(len(yards))
    whose = {COLOURS[-arm % len(arms)]: COLOURS[arm] for arm in arms}

    def turned(spot: Spot, owner: str | None) -> Spot:
        outline = tuple((x, -y + 0.0) for x, y in spot.outline)
        return replace(
            spot, owner=owner, y=-spot.y + 0.0, angle=-spot.angle % 360, outline=outline, place=renamed(spot.place),
            guest=whose[spot.guest] if spot.guest else None,
        )  # fmt: skip

    def renamed(place: int | str) -> int | str:
        kind, _, colour = str(place).partition(":")
        return f"held:{whose[colour]}" if kind == "held" else place

    def yard(arm: int) -> Yard:
        across = yards[-arm % len(arms)]
        return Yard(turned(across.area, COLOURS[arm]), tuple(turned(place, COLOURS[arm]) for place in across.places))

    zones = [tuple(turned(spot, COLOURS[arm]) for spot in held[-arm % len(arms)]) for arm in arms] if held else []
    return tuple(turned(spot, spot.owner) for spot in path), tuple(map(yard, arms)), tuple(zones)


def shortcuts(topology: Topology, board: Geometry) -> tuple[Link, ...]:
    """The ways of board.paths and the jumps, on a board whose shape shows the path by itself."""
    links = []
    for colour, here, there in topology.extra:
        for owner in [colour] if colour else board.colours[:1]:
            ends = [board.spot(owner, topology.name(node)) for node in (here, there)]
            links.append(Link(ends[0], ends[1], "out" if here == topology.start else "way", colour))
    return (*links, *jump_links(topology, board))


def jump_links(topology: Topology, board: Geometry) -> Iterator[Link]:
    """The one-way jumps of board.jumps, and its slides; those to a colour's own tiles, once per colour."""
    for whom, here, there in topology.all_jumps():
        owners = (whom,) if whom else board.colours if there >= topology.tiles else board.colours[:1]
        for owner in owners:
            origin, target = (board.spot(owner, topology.name(node)) for node in (here, there))
            if is_leaping(topology) and hypot(origin.x - target.x, origin.y - target.y) <= LEAP:
                continue
            yield Link(origin, target, "jump", owner if whom or len(owners) > 1 else None)
    for tiles, sliding in topology.all_slides().items():
        spots = tuple(board.spot(board.colours[0], topology.name(node)) for node in tiles)
        spared = [colour for colour in board.colours if colour not in sliding]
        yield Link(spots[0], spots[-1], "slide", spared[0] if len(spared) == 1 else None, spots[1:-1])


def roles_of(topology: Topology) -> dict[int, tuple[Role, ...]]:
    """What is special about each shared tile, by node."""
    rules = topology.rules
    offsets = {} if topology.is_graph else {"safe": rules.safe.tiles, "star": rules.movement.stars}
    marked: dict[Role, set[int]] = {
        "entry": {entry for arm in range(rules.board.seats) for entry in topology.entries(arm)},
        "safe": on_every_arm(rules, offsets.get("safe", ())) | nodes_of(topology, rules.safe.at),
        "star": on_every_arm(rules, offsets.get("star", ())),
        **{role: nodes_of(topology, landing_that(rules, do)) for role, do in DOES.items()},
    }
    return {
        node: ("path", *(role for role, nodes in marked.items() if node in nodes)) for node in range(topology.tiles)
    }


# what landing on a tile does, whether always or under a condition
DOES: dict[Role, str] = {"again": "again", "miss": "skip", "turn": "reverse", "home": "home", "stake": "stake"}


def landing_that(rules: RuleSet, do: str) -> tuple[int | str, ...]:
    """The tiles that do something to whoever lands there."""
    return tuple(tile for row in rows_of(rules) if (row.event, row.do) == ("landing", do) for tile in row.tiles)


def nodes_of(topology: Topology, names: tuple[int | str, ...]) -> set[int]:
    """Tiles by name → nodes."""
    return {topology.node(name, "tiles") for name in names}


def owner_of(topology: Topology, node: int) -> str | None:
    """The colour that a shared tile belongs to: the only one that comes out there, or that can go there."""
    arms = range(topology.rules.board.seats)
    out = [COLOURS[arm] for arm in arms if node in topology.entries(arm)]
    if out or not topology.is_graph:
        return out[0] if len(out) == 1 else None
    there = [COLOURS[arm] for arm in arms if node in topology.reachable(arm)]
    if len(there) != 1 and is_leaping(topology):
        there = [COLOURS[arm] for arm in arms if node in topology.jumps(arm)]
    return there[0] if len(there) == 1 else None


def is_leaping(topology: Topology) -> bool:
    """Whether tiles are painted in the colours that leap from them: so many bows would hide the board."""
    return len(topology.all_jumps()) >= MANY_JUMPS


def path_spots(topology: Topology, plan: Plan) -> tuple[Spot, ...]:
    """The path by tile number: a colour turns into its end path at the middle of its arm's tip (Z4)."""
    roles, skipped = roles_of(topology), topology.rules.board.skipped
    cells = [plan.cells[(tile + skipped + 1) % len(plan.cells)] for tile in range(topology.ring)]
    return tuple(spot_on(cell, tile, roles[tile], owner_of(topology, tile)) for tile, cell in enumerate(cells))


def end_spots(rules: RuleSet, plan: Plan, arm: int) -> tuple[Spot, ...]:
    """An end path, from the tip inwards."""
    frame = arm_frame(plan.arms, arm)
    cells = [frame.cell(0, plan.tip - 1 - number) for number in range(rules.board.end_path)]
    return tuple(spot_on(cell, f"end:{number}", ("end",), COLOURS[arm]) for number, cell in enumerate(cells))


def finish_spot(rules: RuleSet, plan: Plan, arm: int) -> Spot:
    """The finish: a wedge of the hub, or a tile where the end path is too short to reach it."""
    frame, owner = arm_frame(plan.arms, arm), COLOURS[arm]
    base = plan.tip - 0.5 - rules.board.end_path
    if base > plan.hub + 0.5:
        return spot_on(frame.cell(0, base - 0.5), "finish", ("finish",), owner)
    is_wide = abs(base - plan.hub) < 1e-6 and not plan.is_cornered and (plan.arms > 2 or plan.shape == "ring")
    half = min(ARM, base * tan(pi / plan.arms)) if is_wide else LANE
    inner = 0.0 if is_wide else min(base, half_width_meets(plan.arms, half))
    outline = [(half, base), (half, inner), (0.0, 0.0), (-half, inner), (-half, base)]
    points = tuple(frame.point(s, r) for s, r in outline if r > 0 or s == 0 or not is_wide)
    middle = frame.cell(0, base * 0.62, 2 * half, base)
    return Spot("finish", ("finish",), owner, *middle, points)


def yard_of(rules: RuleSet, plan: Plan, arm: int) -> Yard:
    """A yard lies behind its arm's entry tile, between that arm and the next."""
    between, owner = arm_frame(plan.arms, arm + 0.5), COLOURS[arm]
    if plan.shape == "cross" and plan.arms == 4:
        corner = max(plan.side, 3)
        width = corner - strip_beside(corner)
        middle = ARM + corner - width / 2
        cell = arm_frame(4, arm).cell(middle, middle, width, width)
        area = spot_on(cell, "start", ("yard",), owner)
    else:
        r, radius = yard_circle(plan)
        area = Spot("start", ("yard",), owner, *between.cell(0, r, 2 * radius, 2 * radius))
    return Yard(area, yard_places(area, between, rules.board.pieces))


def strip_beside(corner: float) -> float:
    """How much of a corner between two arms its yard leaves free, for dice and captives."""
    return max(1.2, corner * 0.3, corner - LARGEST_YARD)


def yard_circle(plan: Plan) -> tuple[float, float]:
    """How far out a round yard lies, and its radius."""
    narrow = sin(pi / plan.arms)
    if plan.shape == "ring":
        radius = 1.6
        return max(plan.tip + 0.5 + GAP + radius, (radius + GAP) / narrow), radius
    room = ((plan.tip + 0.5) * narrow - ARM - GAP) / (1 + narrow)
    radius = min(max(room, 1.5), 2.8)
    inner = corner_radius(plan) + 0.5 if plan.arms == 3 and plan.is_cornered else 0.0
    return max((radius + ARM + GAP) / narrow, inner + GAP + radius), radius


def yard_places(area: Spot, frame: Frame, pieces: int) -> tuple[Spot, ...]:
    """Places for the pieces on a circle, so that the middle stays free (Z32)."""
    around = area.width * (0.245 if area.outline else 0.26)
    chord = 2 * around * sin(pi / pieces) if pieces > 1 else around
    size = round(min(1.0, chord * 0.85, area.width * 0.235), 6)
    spots = []
    for piece in range(pieces):
        x, y = Frame(frame.angle + 2 * pi * piece / pieces).point(0, around)
        spots.append(
            Spot(
                "start",
                ("yard",),
                area.owner,
                round(area.x + x, 9),
                round(area.y + y, 9),
                size,
                size,
                area.angle,
            )
        )
    return tuple(spots)


def held_spots(plan: Plan, arm: int, yard: Spot) -> tuple[Spot, ...]:
    """The capture zone beside a yard: one slot for each other colour, in seat order (F10)."""
    if not yard.outline:
        return held_around(plan.arms, arm, yard, arm_frame(plan.arms, arm + 0.5))
    strip = max(abs(yard.x), abs(yard.y)) - yard.width / 2 - ARM
    pitch, size = yard.width / (plan.arms - 1), min(0.95, strip * 0.7)
    middle = ARM + strip + yard.width / 2
    spots = []
    for guest, offset in guests_of(plan.arms, arm):
        cell = arm_frame(4, arm).cell(ARM + strip / 2, middle + offset * pitch, size, size)
        spots.append(held_spot(arm, guest, cell))
    return tuple(spots)


def held_around(arms: int, arm: int, yard: Spot, frame: Frame) -> tuple[Spot, ...]:
    """The capture zone around a round yard, on the side that a frame looks to."""
    around, size = yard.width / 2 + 0.42, 0.75 if arms <= 6 else 0.6
    spots = []
    for guest, offset in guests_of(arms, arm):
        x, y = Frame(frame.angle + offset * size * 1.08 / around).point(0, around)
        spots.append(held_spot(arm, guest, Cell(round(yard.x + x, 9), round(yard.y + y, 9), size, size, yard.angle)))
    return tuple(spots)


def guests_of(arms: int, arm: int) -> Iterator[tuple[int, float]]:
    """(arm, offset from the middle) of each other colour, in seat order."""
    for number in range(arms - 1):
        yield (arm + 1 + number) % arms, number - (arms - 2) / 2


def held_spot(arm: int, guest: int, cell: Cell) -> Spot:
    """A slot of a capture zone."""
    return Spot(f"held:{COLOURS[arm]}", ("held",), COLOURS[arm], *cell, guest=COLOURS[guest])


def bounds_of(spots: list[Spot]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a board with its margin; the same on opposite sides."""
    across, down = 0.0, 0.0
    for spot in spots:
        half = spot.width / 2
        points = spot.outline or ((spot.x - half, spot.y - half), (spot.x + half, spot.y + half))
        across = max(across, *(abs(x) for x, _ in points))
        down = max(down, *(abs(y) for _, y in points))
    return (-across - MARGIN, -down - MARGIN, across + MARGIN, down + MARGIN)
