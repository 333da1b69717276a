"""Where the author of a document has drawn its tiles: board.map read, and what is not drawn laid between.

A map is lines of names; a full stop is an empty cell. A tile that is not named lies where its neighbours on the way
pull it, so that those between two drawn ones stand evenly on the line from one to the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import hypot

from ludus.core.errors import RulesError, quoted, suggestion
from ludus.games.ludo.board.graphs import distances
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import COLOURS

Point = tuple[float, float]
Key = tuple[int | None, int]  # whose (None: everybody's) and which node

EMPTY = "."
MOST_LINES = 60
_OWNED = re.compile(rf"({'|'.join(COLOURS)}):(start|finish|end:\d{{1,2}})")
TOO_CLOSE = 0.05  # of a cell: two tiles on one spot


def middles(near: dict[Key, set[Key]], placed: dict[Key, Point]) -> dict[Key, Point]:
    """Each free place in the middle of its neighbours: a system of equations with few numbers in each, eliminated in
    order (plain Python: a page in a browser has no NumPy).
    """
    rows: dict[Key, dict[Key, float]] = {}
    sums: dict[Key, Point] = {}
    for key, others in near.items():
        rows[key] = {key: float(len(others))} | {other: -1.0 for other in others if other in near}
        fixed = [placed[other] for other in others if other not in near]
        sums[key] = (sum(x for x, _ in fixed), sum(y for _, y in fixed))
    order = list(near)
    for number, key in enumerate(order):
        for later in [other for other in order[number + 1 :] if key in rows[other]]:
            share = rows[later].pop(key) / rows[key][key]
            for other, value in rows[key].items():
                if other != key:
                    rows[later][other] = rows[later].get(other, 0.0) - share * value
            sums[later] = (sums[later][0] - share * sums[key][0], sums[later][1] - share * sums[key][1])
    found: dict[Key, Point] = {}
    for key in reversed(order):
        known = [(value, found[other]) for other, value in rows[key].items() if other in found]
        found[key] = (
            (sums[key][0] - sum(value * x for value, (x, _) in known)) / rows[key][key],
            (sums[key][1] - sum(value * y for value, (_, y) in known)) / rows[key][key],
        )
    return found


def words_of(drawing: str) -> Iterator[tuple[str, Point]]:
    """(name, where) of everything on a map."""
    lines = drawing.strip("\n").splitlines()
    if len(lines) > MOST_LINES:
        raise RulesError(f"board.map: {len(lines)} lines are more than {MOST_LINES}")
    for row, line in enumerate(lines):
        for column, word in enumerate(line.split()):
            if word != EMPTY:
                yield word, (float(column), float(row))


@dataclass(frozen=True)
class BoardMap:
    """A board drawn by its author, in cells: x to the right, y down."""

    topology: Topology

    @cached_property
    def drawn(self) -> dict[Key, Point]:
        """What the map names; a yard is the node `start`."""
        found: dict[Key, Point] = {}
        for word, point in words_of(self.topology.rules.board.map):
            key = self.key_of(word)
            if key in found:
                raise RulesError(f"board.map: {quoted(word)} is drawn twice")
            found[key] = point
        return found

    def key_of(self, word: str) -> Key:
        """A name on the map as a place of the board."""
        topology, seats = self.topology, self.topology.rules.board.seats
        owned = _OWNED.fullmatch(word)
        if owned and owned[1] in COLOURS[:seats]:
            return COLOURS.index(owned[1]), topology.node(owned[2], "board.map")
        if word == "finish":
            return None, topology.finish
        name = int(word) if word.isdigit() and len(word) < 4 else word
        if name not in topology.number:
            hint = suggestion(word, map(str, topology.names))
            raise RulesError(f"board.map: there is no tile {quoted(word)}{hint}; an empty cell is a full stop")
        node = topology.number[name]
        if topology.places[node] != node:
            square = topology.name(topology.places[node])
            raise RulesError(f"board.map: {quoted(word)} is another name of the square {square}: draw that")
        return None, node

    def key(self, arm: int, node: int) -> Key:
        """The place of a colour's node: shared tiles are everybody's, and so is a finish drawn once for all."""
        if node < self.topology.tiles:
            return None, self.topology.places[node]
        shared = node == self.topology.finish and (None, node) in self.drawn
        return (None if shared else arm), node

    @cached_property
    def points(self) -> dict[Key, Point]:
        """Every tile, end-path tile and drawn finish or yard, in cells."""
        shared = {key for key in self.ways if key[1] < self.topology.tiles}
        # end paths do not pull at the path that they leave
        points = self.between(
            shared - set(self.drawn), {key: point for key, point in self.drawn.items() if key in shared}
        )
        points = dict(self.drawn) | points
        points = self.between(set(self.ways) - set(points), points)
        for one, other in combinations([key for key in points if key[1] < self.topology.finish], 2):
            if hypot(points[one][0] - points[other][0], points[one][1] - points[other][1]) < TOO_CLOSE:
                names = f"{self.name_of(one)} and {self.name_of(other)}"
                raise RulesError(f"board.map: {names} would lie on one spot: draw one of them elsewhere")
        return points

    def name_of(self, key: Key) -> str:
        """A place as the map names it."""
        arm, node = key
        return str(self.topology.name(node)) if arm is None else f"{COLOURS[arm]}:{self.topology.name(node)}"

    @cached_property
    def ways(self) -> dict[Key, set[Key]]:
        """Per place that has to lie somewhere, its neighbours on the ways."""
        near: dict[Key, set[Key]] = {(None, square): set() for square in self.topology.places}
        for one, other in self.steps():
            if all(key in self.drawn or key[1] < self.topology.finish for key in (one, other)):
                near.setdefault(one, set()).add(other)
                near.setdefault(other, set()).add(one)
        return near

    def steps(self) -> Iterator[tuple[Key, Key]]:
        """The steps of every colour; an entry tile to which none leads follows on the last tile of the way home."""
        topology = self.topology
        led_to = set()
        for arm in range(topology.rules.board.seats):
            reached = topology.reachable(arm)
            for here, ways in enumerate(topology.successors(arm)):
                for there in ways if here in reached else ():
                    led_to.add(there)
                    yield self.key(arm, here), self.key(arm, there)
        for arm in range(topology.rules.board.seats):
            last = [node for node, ways in enumerate(topology.successors(arm)) if topology.finish in ways]
            for entry in topology.entries(arm):
                if entry not in led_to and last and last[0] < topology.tiles:
                    yield self.key(arm, last[0]), self.key(arm, entry)

    def between(self, free: set[Key], placed: dict[Key, Point]) -> dict[Key, Point]:
        """What is placed, and each free place in the middle of its neighbours."""
        known = free | set(placed)
        near = {key: self.ways[key] & known for key in sorted(free, key=self.name_of)}
        self.refuse_loose(near, placed)
        return placed | {key: (round(x, 6), round(y, 6)) for key, (x, y) in middles(near, placed).items()}

    def refuse_loose(self, near: dict[Key, set[Key]], placed: dict[Key, Point]) -> None:
        """A tile from which no way leads to a placed one can't lie anywhere."""
        held = distances(lambda key: (free for free, others in near.items() if key in others), placed)
        loose = next((key for key in near if key not in held), None)
        if loose is not None:
            raise RulesError(f"board.map: {self.name_of(loose)} has no place: draw it, or a tile before and after it")

    @cached_property
    def closest(self) -> float:
        """The smallest distance between two tiles, in cells."""
        tiles = [point for (_, node), point in self.points.items() if node < self.topology.finish]
        pairs = combinations(tiles, 2)
        return min((hypot(x - a, y - b) for (x, y), (a, b) in pairs), default=1.0)

    @property
    def is_squared(self) -> bool:
        """Whether the tiles are squares side by side: each in a cell of its own, some touching."""
        whole = all(value == int(value) for point in self.points.values() for value in point)
        return whole and self.closest == 1.0


def map_fault(topology: Topology) -> str | None:
    """What is wrong with a document's map, or None."""
    if not topology.rules.board.map:
        return None
    try:
        _ = BoardMap(topology).points
    except RulesError as error:
        return str(error)
    return None
