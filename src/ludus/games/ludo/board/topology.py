"""The board as a graph: tiles, who may go where, the ways out and the ways back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from ludus.core.errors import RulesError, quoted
from ludus.games.ludo.board.graphs import predecessors
from ludus.games.ludo.document.rules import COLOURS, RuleSet

MOST_TILES = 400
RESERVED = {"start", "finish", "end", "held", "out", "pass", "buy", "swap", "chance", "all", *COLOURS}

_PREFIX = re.compile(rf"\s*({'|'.join(COLOURS)})\s*:\s*(.*)", re.DOTALL)
_STEP = re.compile(r"(?P<first>\d{1,3})\s*\.\.\s*(?P<last>\d{1,3})|(?P<tile>\d{1,3}|end:\d{1,2}|[a-z][a-z0-9_-]{0,23})")

Name = int | str
Edge = tuple[str | None, Name, Name]


def edges_of(chain: str, field: str) -> Iterator[Edge]:
    """(colour or None, from, to) of each step of a chain such as 'green: 20 > finish' or '1..20 > 1'."""
    match = _PREFIX.fullmatch(chain)
    colour, text = (match[1], match[2]) if match else (None, chain)
    names = [name for part in text.split(">") for name in _names(part.strip(), chain, field)]
    if len(names) < 2:
        raise RulesError(f"{field}: a chain has two tiles at least, 'a > b', not {quoted(chain)}")
    if len(names) > MOST_TILES + 2:
        raise RulesError(f"{field}: a chain has at most {MOST_TILES} tiles")
    for here, there in pairwise(names):
        if here == "finish" or there == "start":
            raise RulesError(f"{field}: nothing leads from the finish or back into the yard, in {quoted(chain)}")
        yield colour, here, there


def _names(part: str, chain: str, field: str) -> list[Name]:
    match = _STEP.fullmatch(part)
    if match is None:
        raise RulesError(
            f"{field}: {quoted(part)} is no tile: a number, a lower-case name or '1..20', in {quoted(chain)}"
        )
    if match["tile"] is None:
        first, last = int(match["first"]), int(match["last"])
        step = 1 if last >= first else -1
        return list(range(first, last + step, step))
    tile = match["tile"]
    if tile.isdigit():
        return [int(tile)]
    if tile in RESERVED - {"start", "finish"}:
        raise RulesError(f"{field}: {tile!r} can't be a tile's name, in {quoted(chain)}")
    return [tile]


class Topology:
    """The graph of a rule set. A node is a shared tile 0 … tiles-1, then end path, finish and start, a colour's own."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.is_graph = rules.board.shape == "graph"
        self.lane = 0 if self.is_graph else rules.board.end_path
        self.ring = 0 if self.is_graph else rules.path_length
        chains = [list(edges_of(chain, "board.paths")) for chain in rules.board.paths]
        edges = [edge for chain in chains for edge in chain]
        named = [name for _, *ends in edges for name in ends if not self._is_own(name)]
        self.names: tuple[Name, ...] = tuple(dict.fromkeys([*range(self.ring), *named]))
        if len(self.names) > MOST_TILES:
            raise RulesError(f"board.paths: {len(self.names)} tiles are more than {MOST_TILES} (L21)")
        if not self.names:
            raise RulesError('board.paths: board.shape = "graph" needs tiles (L6)')
        self._ahead: dict[tuple[int, bool], list[list[int]]] = {}
        self.number = {name: node for node, name in enumerate(self.names)}
        self.tiles = len(self.names)
        self.finish = self.tiles + self.lane
        self.start = self.finish + 1
        self.extra = [(colour, self.node(a, "board.paths"), self.node(b, "board.paths")) for colour, a, b in edges]
        # (here, there) → where the chain that has this step goes on
        self.onward = {
            (self.node(a, "board.paths"), self.node(b, "board.paths")): self.node(c, "board.paths")
            for chain in chains
            for (_, a, b), (_, _, c) in pairwise(chain)
        }
        self.jumps = {
            self.tile(a, "board.jumps"): self.node(b, "board.jumps")
            for chain in rules.board.jumps
            for _, a, b in edges_of(chain, "board.jumps")
        }

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
        own = [] if self.is_graph else [arm * self.rules.arm]
        added = [b for colour, a, b in self.extra if a == self.start and colour in (None, COLOURS[arm])]
        return list(dict.fromkeys(own + added))

    def successors(self, arm: int, is_open: bool = True) -> list[list[int]]:
        """Per node up to the finish: where one step leads a colour's piece."""
        if (arm, is_open) not in self._ahead:
            self._ahead[arm, is_open] = self._successors(arm, is_open)
        return self._ahead[arm, is_open]

    def _successors(self, arm: int, is_open: bool) -> list[list[int]]:
        ahead: list[list[int]] = [[] for _ in range(self.finish + 1)]
        for tile in range(self.ring):
            ahead[tile] = [(tile + 1) % self.ring]
        if self.ring and is_open:
            last = arm * self.rules.arm + self.rules.last_path_distance
            ahead[last % self.ring] = [self.tiles]
            # Z15: who stood past the turn when the way home opened goes on from there
            for past in range(1, self.rules.board.skipped + 1) if self.rules.capture.before_home else ():
                ahead[(last + past) % self.ring] = [min(self.tiles + past, self.finish)]
        last = self.finish - (self.rules.finish.places == "end_path")
        for node in range(self.tiles, min(last, self.finish)):
            ahead[node] = [node + 1]
        for colour, here, there in self.extra:
            if here != self.start and colour in (None, COLOURS[arm]) and there not in ahead[here]:
                ahead[here].append(there)
        return ahead

    def reachable(self, arm: int, is_open: bool = True) -> set[int]:
        """The nodes that a colour's pieces can come to step by step, jumps included."""
        return set(self.way_back(arm, is_open))

    def further(self, arm: int, node: int, is_open: bool = True) -> list[int]:
        """Where one step, or the jump of a tile, leads a colour's piece from a node."""
        jump = [self.jumps[node]] if node in self.jumps else []
        return [*self.successors(arm, is_open)[node], *jump]

    def way_back(self, arm: int, is_open: bool = True) -> dict[int, int]:
        """Per node that a colour can come to: the node before it on a shortest way from the yard."""
        return predecessors(lambda node: self.further(arm, node, is_open), self.entries(arm), self.start)

    @cached_property
    def has_branches(self) -> bool:
        """Whether somewhere the player chooses the way."""
        arms = range(self.rules.board.seats)
        return any(len(ways) > 1 for arm in arms for ways in self.successors(arm)) or any(
            len(self.entries(arm)) > 1 for arm in arms
        )
