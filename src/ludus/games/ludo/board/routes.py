"""The ways that tokens open: per colour and node, where a piece gets with a distance, and which nodes it crosses."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.core.errors import RulesError, quoted
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.chance import Kind
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import COLOURS, RuleSet

AT_REST = -1  # a walk that begins here came from nowhere
MOST_WAYS = 16  # from one node with one token
MOST_USES = 48  # and with one that may be played in several ways
MOST_STEPS = 300_000  # steps of all ways together: what can be laid out in the time that a person waits

Path = tuple[int, ...]


@dataclass(frozen=True)
class Way:
    """One way: where it ends (with k.BOUNCED where it came off the finish) and the nodes on it, the last included."""

    target: int
    path: Path
    rest: str = ""  # the tokens that are left to play after it, and how many of them
    times: int = 1
    part: bool = False
    stays: bool = False
    clears: bool = False
    alone: int = 0  # so many of a stack, which leave the others behind; 0: all that travel as one

    @property
    def node(self) -> int:
        """Where it ends."""
        return self.target & k.NODE


class Router:
    """Finds the ways of one colour under one bank of rules."""

    def __init__(self, rules: RuleSet, topology: Topology, arm: int, is_open: int) -> None:
        self.rules = rules
        self.topology = topology
        self.arm = arm
        self.ahead = topology.successors(arm, is_open)
        self.before = topology.way_back(arm, is_open)
        self.one_back = topology.one_back(arm, is_open) if topology.has_ways_back else None
        self.entries = topology.entries(arm)
        self.home = topology.finish - (rules.finish.places == "end_path")
        self.colour = COLOURS[arm]
        self.only_from_rest = rules.movement.branch == "from_rest"
        self._found: dict[tuple[int, int], list[Way] | int] = {}
        self._walks: dict[tuple[int, int, int, int], list[tuple[Path, int]]] = {}

    def ways(self, node: int, kind: Kind) -> list[Way] | int:
        """The ways of a token from a node, or the reason why there are none."""
        topology = self.topology
        if node >= topology.start:
            return self._from_outside(node, kind)
        if node == topology.finish:
            return k.WHY_FINISHED
        if kind.alternatives:
            return self._alternatives(node, kind)
        if kind.effect == k.CROWN:
            return [Way(topology.finish, (topology.finish,))]
        if kind.effect != k.STEP:
            return k.WHY_NO_SUCH_WAY if kind.effect == k.OUT else k.WHY_NO_SWAP
        found = self._forward(node, kind.distance) if kind.distance > 0 else self._backward(node, -kind.distance)
        if isinstance(found, list) and len(found) > MOST_WAYS:
            name = topology.name(node)
            raise RulesError(
                f"board.paths: {self.colour} has {len(found)} ways on from {name} with {kind.distance}; "
                f"{MOST_WAYS} are the most (L21)"
            )
        return found

    def leaves(self, kind: Kind) -> bool:
        """Whether a token brings a piece out of the yard (L24, L25)."""
        return kind.leaves(self.rules.start.leave_on)

    def _alternatives(self, node: int, kind: Kind) -> list[Way] | int:
        """The ways of a piece in play with a token that may be played in several."""
        found: dict[Way, None] = {}
        why = k.WHY_NO_SUCH_WAY
        for use in kind.uses:
            if use.out or use.swap:
                continue
            ways = self._forward(node, use.distance) if use.distance > 0 else self._backward(node, -use.distance)
            if isinstance(ways, int):
                why = ways
                continue
            more = (use.rest, use.times, use.part, use.stays, use.clears)
            found |= {Way(way.target, way.path, *more): None for way in ways}
        if len(found) > MOST_USES:
            raise RulesError(
                f"chance.tokens: {self.colour} has {len(found)} ways on from {self.topology.name(node)} with "
                f"{quoted(kind.name)}; {MOST_USES} are the most (L21)"
            )
        return list(found) or why

    def _from_outside(self, node: int, kind: Kind) -> list[Way] | int:
        if kind.effect == k.SWAP:
            return k.WHY_NO_SWAP
        if node == self.topology.start:
            return self._out(kind) if self.leaves(kind) else k.WHY_NEEDS_FACE
        return [Way(self.topology.start, (self.topology.start,))] if self.leaves(kind) else k.WHY_HELD

    def _out(self, kind: Kind) -> list[Way]:
        """Onto an entry tile, or on from there as far as was rolled (L26)."""
        if kind.alternatives:
            return [
                Way(way.target, way.path, use.rest, use.times)
                for use in kind.uses
                if use.out
                for way in self._out_onto(use.onto - 1, kind.distance)
            ]
        further = kind.distance - 1 if self.rules.start.enter == "distance" and kind.effect == k.STEP else 0
        return self._out_onto(max(further, 0), kind.distance)

    def _out_onto(self, further: int, with_token: int) -> list[Way]:
        """Onto an entry tile and so many tiles on."""
        ways = []
        for entry in self.entries:
            for path, surplus in self.walks(entry, further, self.topology.start, with_token):
                way = self._end(entry, (entry, *path), surplus)
                ways += [way] if isinstance(way, Way) else []
        return ways

    def _forward(self, node: int, distance: int) -> list[Way] | int:
        """The ways of a distance, the same for all tokens that have it."""
        known = self._found.get((node, distance))
        if known is None:
            known = self._found[node, distance] = self._found_forward(node, distance)
        return known

    def _found_forward(self, node: int, distance: int) -> list[Way] | int:
        if self.rules.finish.rule == "stairs":
            return self._stairs(node, distance)
        found: dict[tuple[int, Path], None] = {}
        why = k.WHY_NO_WAY
        for path, surplus in self.walks(node, distance):
            way = self._end(node, path, surplus)
            if isinstance(way, int):
                why = way
            else:
                found[way.target, way.path] = None
        return [Way(target, path) for target, path in found] or why

    def _stairs(self, node: int, distance: int) -> list[Way] | int:
        """Up to the foot of the stairs, bouncing there; then one step with its own number, the last one twice."""
        first = self.topology.tiles
        if node >= first or first in self.ahead[node]:
            step = node - first + 1 if node >= first else 0
            needed = min(step + 1, self.topology.lane)
            return [Way(first + step, (first + step,))] if distance == needed else k.WHY_NO_WAY
        ways = []
        for path, surplus in self.walks(node, distance):
            climbed = sum(there >= first for there in path) + surplus
            steps = path[: len(path) - climbed + surplus]
            line = [*self._line_to(node), *steps]
            back = len(line) - 1 - climbed
            if back >= 0 and climbed:
                ways.append(Way(line[back] | k.BOUNCED, steps + tuple(reversed(line[back:-1]))))
            elif not climbed:
                ways.append(Way(path[-1], path))
        return ways or k.WHY_PAST_FINISH

    def walks(self, node: int, distance: int, before: int = AT_REST, total: int = 0) -> list[tuple[Path, int]]:
        """Every walk of a distance from a node: the nodes on it, and how many steps were left at its end.

        `before` is the node that the walk came from, where only a piece at rest may turn off; `total` is the whole
        distance of a walk that has begun.
        """
        if distance == 0:
            return [((), 0)]
        before = before if self.only_from_rest or self.topology.guards else AT_REST
        total = (total or distance) if self.topology.guards else 0
        known = self._walks.get((before, node, distance, total))
        if known is None:
            at_rest = before == AT_REST or not self.only_from_rest
            ways = self.ahead[node] if at_rest else self.straight_on(before, node)
            known = [
                ((there, *path), left)
                for there in self.unguarded(before, node, ways, distance, total)
                for path, left in self.walks(there, distance - 1, node, total)
            ]
            self._walks[before, node, distance, total] = known = known or [((), distance)]
        return known

    def unguarded(self, before: int, node: int, ways: list[int], left: int, total: int) -> list[int]:
        """The steps from a node that a token lets a piece take (L28)."""
        if not self.topology.guards:
            return ways
        along = self.topology.onward.get((before, node))
        guards = {there: self.topology.guard(self.arm, node, there) for there in ways}
        return [there for there, guard in guards.items() if guard.allows(left, total, there == along)]

    def straight_on(self, before: int, node: int) -> list[int]:
        """Where a piece in motion goes from a node: on along the chain that it came by, else the first way named."""
        ways, onward = self.ahead[node], self.topology.onward.get((before, node))
        return [onward] if onward in ways else ways[:1]

    def _end(self, node: int, path: Path, surplus: int) -> Way | int:
        """Where a walk ends (S43, T11), or the reason why it may not be made."""
        if surplus == 0:
            return Way(path[-1], path)
        last = path[-1] if path else node
        rule = self.rules.finish.rule
        if last != self.home:
            return k.WHY_NO_WAY
        if rule == "exact" or self.home != self.topology.finish:
            return k.WHY_PAST_FINISH
        if rule == "overshoot":
            return Way(self.home, path)
        line = [*self._line_to(node), *path]
        back = (len(line) - 1 if rule == "bounce" else len(line) - 1 - len(path)) - surplus
        if back < 0:
            return k.WHY_PAST_FINISH
        returning = tuple(reversed(line[back:-1])) if rule == "bounce" else (line[back],)
        return Way(line[back] | k.BOUNCED, path + returning)

    def _line_to(self, node: int) -> list[int]:
        """The shortest way from the entry tile to a node, the node included."""
        line = [node]
        while self.before.get(line[-1], self.topology.start) != self.topology.start and len(line) < 1000:
            line.append(self.before[line[-1]])
        return line[::-1]

    def _backward(self, node: int, distance: int) -> list[Way] | int:
        if self.rules.movement.backward == "round":
            if node < self.topology.ring:
                path = tuple((node - step) % self.topology.ring for step in range(1, distance + 1))
                return [Way(path[-1], path)]
            if self.rules.finish.places == "end_path":
                return k.WHY_NO_WAY
        if self.one_back is not None:
            paths: list[Path] = [()]
            for _ in range(distance):
                paths = [(*path, to) for path in paths for to in self.one_back((node, *path)[-1], -distance)]
            return [Way(path[-1], path) for path in dict.fromkeys(paths)] or k.WHY_NO_WAY
        line = self._line_to(node)[:-1][::-1]
        path = tuple(line[:distance])
        return [Way(path[-1], path)] if len(path) == distance else k.WHY_NO_WAY


def steps_of_all(topology: Topology, seats: int, distances: set[int]) -> int:
    """How many steps the ways of all seats have, counted without walking them.

    Where only a piece at rest turns off, a way parts once, at its beginning.
    """
    only_from_rest = topology.rules.movement.branch == "from_rest"
    total = 0
    farthest = max((d for d in distances if d > 0), default=0)
    for arm in range(seats):
        ahead = topology.successors(arm)
        counts = [1] * len(ahead)
        for distance in range(1, farthest + 1):
            if only_from_rest:
                counts = [len(ways) or 1 for ways in ahead]
            else:
                counts = [sum(counts[there] for there in ways) or 1 for ways in ahead]
            branched = any(len(ways) > 1 for ways in ahead)
            if branched or distance in distances:
                total += distance * sum(counts)
            if total > MOST_STEPS:
                return total
    return total
