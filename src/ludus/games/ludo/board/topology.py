"""The board as a graph: tiles, who may go where, the ways out and the ways back."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ludus.core.errors import RulesError, quoted
from ludus.games.ludo.board.chains import FREE, MOST_TILES, Edge, Guard, Name, edges_of, twins_of
from ludus.games.ludo.board.graphs import predecessors
from ludus.games.ludo.document.rules import COLOURS, RuleSet

# which guards are open: bit 0 the first capture (Z10), then the conditions of guards in their order
ALL_OPEN = -1
BEFORE_CAPTURE = ALL_OPEN - 1


class Jump(NamedTuple):
    """Where a tile takes on who lands there: by a slide over tiles that it clears, or by way of others."""

    target: int
    cleared: tuple[int, ...] = ()
    through: tuple[int, ...] = ()
    when: str = ""


class Topology:
    """The graph of a rule set. A node is a shared tile 0 … tiles-1, then end path, finish and start, a colour's own."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.is_graph = rules.board.shape == "graph"
        self.lane = 0 if self.is_graph else rules.board.end_path
        self.ring = 0 if self.is_graph else rules.path_length
        chains = [chain for text in rules.board.paths for chain in self._laid(text, "board.paths")]
        edges = [edge for chain in chains for edge in chain]
        named = [name for _, *ends, _ in edges for name in ends if not self._is_own(name)]
        self.names: tuple[Name, ...] = tuple(dict.fromkeys([*range(self.ring), *named]))
        if len(self.names) > MOST_TILES:
            raise RulesError(f"board.paths: {len(self.names)} tiles are more than {MOST_TILES} (L21)")
        if not self.names:
            raise RulesError('board.paths: board.shape = "graph" needs tiles (L6)')
        self._ahead: dict[tuple[int, int], list[list[int]]] = {}
        self.asked = {change.name: 1 << number for number, change in enumerate(rules.guard_conditions, start=1)}
        self.number = {name: node for node, name in enumerate(self.names)}
        self.tiles = len(self.names)
        self.finish = self.tiles + self.lane
        self.start = self.finish + 1
        self.places = self._places()
        laid = [[self._step(edge, "board.paths") for edge in chain] for chain in chains]
        every = [step for chain in laid for step in chain]
        steps = [step for step in every if not step[3].is_back]
        self._backs = [step for step in every if step[3].is_back]
        self.extra = [(colour, here, there) for colour, here, there, _ in steps]
        self.guards = {(colour, here, there): guard for colour, here, there, guard in steps if guard != FREE}
        # (here, there) → where the chain that has this step goes on
        self.onward = {(a, b): c for chain in laid for (_, a, b, _), (_, _, c, _) in pairwise(chain)}
        self._jumps = self._all_jumps()
        self._check_ways_back()
        for change in rules.guard_conditions:
            if change.condition.tile is not None:
                self.node(change.condition.tile, "board.paths")

    def _check_ways_back(self) -> None:
        """A way back leads from tile to tile, to where its colours' pieces come anyway."""
        for colour, here, there, guard in self._backs:
            arms = range(self.rules.board.seats) if colour is None else [COLOURS.index(colour)]
            ends = f"{self.name(here)} > {self.name(there)}"
            if max(here, there) >= self.finish or guard.stop or guard.rest or max(guard.values) >= 0:
                raise RulesError(
                    f"board.paths: a way back leads from tile to tile and asks for distances below 0 alone, "
                    f"'15 > 14 [with -1]', not {quoted(ends)} (L28)"
                )
            if any(arm < self.rules.board.seats and there not in self.reachable(arm) for arm in arms):
                raise RulesError(f"board.paths: {quoted(ends)} leads back to where no way leads (L28)")

    def _places(self) -> list[int]:
        """Per tile the square that it is: itself, or the tile that has another name for it."""
        field = "board.same"
        pairs = [pair for text in self.rules.board.same for pair in twins_of(text)]
        places, squares = list(range(self.tiles)), set[int]()
        for name, other in pairs:
            tile, square = self.tile(name, field), self.tile(other, field)
            if tile == square or places[tile] != tile or places[square] != square or tile in squares:
                raise RulesError(f"{field}: {quoted(name)} and {quoted(other)}: each name stands for one square, once")
            places[tile] = square
            squares.add(square)
        return places

    @property
    def has_twins(self) -> bool:
        """Whether some square has several names."""
        return bool(self.rules.board.same)

    def names_of(self, node: int) -> list[int]:
        """A tile and all others that are the same square."""
        return [tile for tile, place in enumerate(self.places) if place == self.places[node]]

    def _step(self, edge: Edge, field: str) -> tuple[str | None, int, int, Guard]:
        return edge.whom or None, self.node(edge.here, field), self.node(edge.there, field), edge.guard

    def _laid(self, text: str, field: str) -> list[list[Edge]]:
        """A chain once for each colour that it is for; tiles counted from entry tiles as tiles of the path."""
        chain = edges_of(text, field)
        each = chain[0].whom == "each"
        if each and not self.ring:
            raise RulesError(f"{field}: 'each:' counts from entry tiles, which a graph has not: name the colours")
        found = []
        for colour in chain[0].colours(self.rules.board.seats):
            first = self.rules.entry_tile(COLOURS.index(colour)) if each and colour else 0
            found.append([
                Edge(colour or "", self._counted(e.here, first), self._counted(e.there, first), e.guard) for e in chain
            ])  # fmt: skip
        return found

    def _counted(self, name: Name, first: int) -> Name:
        """A tile counted from another."""
        return (name + first) % self.ring if first and isinstance(name, int) else name

    def _all_jumps(self) -> dict[str | None, dict[int, Jump]]:
        """Per colour, or None for everybody, where tiles take on who lands there."""
        found: dict[str | None, dict[int, Jump]] = {}
        field = "board.jumps"
        for text in self.rules.board.jumps:
            for chain in self._laid(text, field):
                mine = found.setdefault(chain[0].whom or None, {})
                last = chain[-1].guard
                nodes = [self.node(edge.there, field) for edge in chain]
                if last.slide or last.through:
                    on = nodes if last.slide else nodes[:-1]
                    for node in on:
                        self._refuse_own(node, field)
                    over, through = (tuple(on), ()) if last.slide else ((), tuple(on))
                    sliding = Jump(nodes[-1], over, through, last.when)
                    mine[self.tile(chain[0].here, field)] = sliding
                else:
                    mine |= {
                        self.tile(e.here, field): Jump(self.node(e.there, field), when=e.guard.when) for e in chain
                    }
        return found

    def _refuse_own(self, node: int, field: str) -> None:
        if node >= self.tiles:
            raise RulesError(f"{field}: a slide, and what a jump goes through, are tiles of the shared path (L28)")

    def jumps(self, arm: int, is_open: int = ALL_OPEN) -> dict[int, Jump]:
        """Per tile that takes a colour on: where, and over whom."""
        jumps = self._jumps.get(None, {}) | self._jumps.get(COLOURS[arm], {})
        return {tile: jump for tile, jump in jumps.items() if self.lets_by(jump.when, is_open)}

    def lets_by(self, when: str, is_open: int) -> bool:
        """Whether a guard's condition is met."""
        return not when or self.asked[when] & is_open != 0

    def backs(self, arm: int, is_open: int = ALL_OPEN) -> dict[int, list[tuple[Guard, int]]]:
        """Per node the ways back that a document names, `15 > 14 [with -1]`: what each asks for, and where it leads."""
        found: dict[int, list[tuple[Guard, int]]] = {}
        for colour, here, there, guard in self._backs:
            is_mine = colour in (None, COLOURS[arm]) and guard.captured in (None, is_open & 1 == 1)
            if is_mine and self.lets_by(guard.when, is_open):
                found.setdefault(here, []).append((guard, there))
        return found

    def one_back(self, arm: int, is_open: int = ALL_OPEN) -> Callable[[int, int], list[int]]:
        """Where a token of a distance below 0 takes a piece with each of its steps: nowhere at its entry tile."""
        named, before = self.backs(arm, is_open), self.way_back(arm, is_open)

        def back(node: int, distance: int) -> list[int]:
            asked = [there for guard, there in named.get(node, ()) if distance in guard.values]
            way = before.get(node, self.start)
            return asked or ([way] if way != self.start else [])

        return back

    @property
    def has_own_ways(self) -> bool:
        """Whether there are ways beside those of the shape."""
        return bool(self.extra or self._backs)

    @property
    def has_ways_back(self) -> bool:
        """Whether the document says where some tokens of distances below 0 lead."""
        return bool(self._backs)

    @property
    def has_jumps(self) -> bool:
        """Whether some tile takes on who lands there."""
        return bool(self._jumps)

    @property
    def has_slides(self) -> bool:
        """Whether some jump clears tiles, or goes through others."""
        return any(jump.cleared or jump.through for jumps in self._jumps.values() for jump in jumps.values())

    def all_jumps(self) -> list[tuple[str | None, int, int]]:
        """Every jump that is no slide: for whom (None: everybody), from where, to where."""
        jumps = [(whom, here, jump) for whom, mine in self._jumps.items() for here, jump in mine.items()]
        return [(whom, here, jump.target) for whom, here, jump in jumps if not jump.cleared]

    def all_slides(self) -> dict[tuple[int, ...], set[str]]:
        """Every slide, as the tiles from its beginning to its end, and the colours that slide there."""
        found: dict[tuple[int, ...], set[str]] = {}
        for whom, mine in self._jumps.items():
            for here, jump in mine.items():
                if jump.cleared:
                    found.setdefault((here, *jump.cleared), set()).update([whom] if whom else COLOURS)
        return found

    def guard(self, arm: int, here: int, there: int) -> Guard:
        """What guards a step of a colour."""
        return self.guards.get((COLOURS[arm], here, there)) or self.guards.get((None, here, there)) or FREE

    @staticmethod
    def _is_own(name: Name) -> bool:
        return isinstance(name, str) and (name in ("start", "finish") or name.startswith("end:"))

    def node(self, name: Name, field: str) -> int:
        """The node of a name."""
        if name in ("start", "finish"):
            return self.start if name == "start" else self.finish
        if isinstance(name, str) and name.startswith("end:"):
            number = int(name[4:]) if name[4:].isdigit() else self.lane
            if number >= self.lane:
                raise RulesError(f"{field}: there is no end-path tile {quoted(name)}")
            return self.tiles + number
        if name not in self.number:
            raise RulesError(f"{field}: there is no tile {quoted(name)}")
        return self.number[name]

    def tile(self, name: Name, field: str) -> int:
        """The node of a shared tile's name."""
        node = self.node(name, field)
        if node >= self.tiles:
            raise RulesError(f"{field}: {quoted(name)} is no tile of the shared path")
        return node

    def name(self, node: int) -> Name:
        """A node as people write it."""
        if node < self.tiles:
            return self.names[node]
        if node < self.finish:
            return f"end:{node - self.tiles}"
        return "finish" if node == self.finish else "start"

    def entries(self, arm: int) -> list[int]:
        """Where the pieces of a colour come out."""
        own = [] if self.is_graph else [self.rules.entry_tile(arm)]
        added = [b for colour, a, b in self.extra if a == self.start and colour in (None, COLOURS[arm])]
        return list(dict.fromkeys(own + added))

    def successors(self, arm: int, is_open: int = ALL_OPEN) -> list[list[int]]:
        """Per node up to the finish: where one step leads a colour's piece."""
        if (arm, is_open) not in self._ahead:
            self._ahead[arm, is_open] = self._successors(arm, is_open)
        return self._ahead[arm, is_open]

    def _successors(self, arm: int, is_open: int) -> list[list[int]]:
        ahead: list[list[int]] = [[] for _ in range(self.finish + 1)]
        for tile in range(self.ring):
            ahead[tile] = [(tile + 1) % self.ring]
        if self.ring and (is_open & 1 or not self.rules.capture.before_home):
            last = self.rules.entry_tile(arm) + self.rules.last_path_distance
            turns_off_at_entry = self.rules.board.skipped < 0  # and may go round again
            ahead[last % self.ring] = [*(ahead[last % self.ring] if turns_off_at_entry else []), self.tiles]
            # Z15: who stood past the turn when the way home opened goes on from there
            for past in range(1, self.rules.board.skipped + 1) if self.rules.capture.before_home else ():
                ahead[(last + past) % self.ring] = [min(self.tiles + past, self.finish)]
        last = self.finish - (self.rules.finish.places == "end_path")
        for node in range(self.tiles, min(last, self.finish)):
            ahead[node] = [node + 1]
        for colour, here, there in self.extra:
            is_new = here != self.start and colour in (None, COLOURS[arm]) and there not in ahead[here]
            guard = self.guard(arm, here, there)
            if is_new and guard.captured in (None, is_open & 1 == 1) and self.lets_by(guard.when, is_open):
                ahead[here].append(there)
        is_closed = self.is_graph and self.rules.capture.before_home and not is_open & 1
        return self._closed(arm, ahead) if is_closed else ahead

    def _closed(self, arm: int, ahead: list[list[int]]) -> list[list[int]]:
        """The ways of a graph before a first capture (Z10): none from a shared tile to where only this colour goes."""
        others = [self.reachable(other) for other in range(self.rules.board.seats) if other != arm]
        shared = {node for node in range(self.tiles) if any(node in reached for reached in others)}
        return [[there for there in ways if node not in shared or there in shared] for node, ways in enumerate(ahead)]

    def before_first_capture(self, arm: int) -> set[int]:
        """The nodes that a colour may stand on before its first capture, where one is needed (Z12)."""
        return self.reachable(arm, BEFORE_CAPTURE) if self.is_graph else set(range(self.tiles))

    def reachable(self, arm: int, is_open: int = ALL_OPEN) -> set[int]:
        """The nodes that a colour's pieces can come to step by step, jumps included."""
        return set(self.way_back(arm, is_open))

    def further(self, arm: int, node: int, is_open: int = ALL_OPEN) -> list[int]:
        """Where one step, or the jump of a tile, leads a colour's piece from a node."""
        jumps = self.jumps(arm, is_open)
        return [*self.successors(arm, is_open)[node], *([jumps[node].target] if node in jumps else [])]

    def way_back(self, arm: int, is_open: int = ALL_OPEN) -> dict[int, int]:
        """Per node that a colour can come to: the node before it on a shortest way from the yard."""
        return predecessors(lambda node: self.further(arm, node, is_open), self.entries(arm), self.start)

    @cached_property
    def has_branches(self) -> bool:
        """Whether somewhere the player chooses the way."""
        arms = range(self.rules.board.seats)
        return any(len(ways) > 1 for arm in arms for ways in self.successors(arm)) or any(
            len(self.entries(arm)) > 1 for arm in arms
        )
