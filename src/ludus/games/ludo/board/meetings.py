"""Meetings compiled: for every two colours and node a block of verdicts by how many stand there and how many come.

The kernel looks verdicts up; it knows no option. `MeetingGround` finds out which of them need no table: where two or
more of a side stop others alike everywhere, a bit set does it, and so on. What a game has not is folded away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.tiles import safe_tiles, sides
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.meeting_rows import Meeting, rows_of
from ludus.games.ludo.document.options import TileName
from ludus.games.ludo.document.rules import COLOURS, RuleSet

LANDING = {
    "share": k.FREE, "joins": k.JOINS, "may_join": k.JOINS, "capture": k.TAKES, "swap": k.SWAPS_PLACES,
    "home": k.PUNISHED,
    "stops_before": k.BEFORE, "closed": k.CLOSED,
}  # fmt: skip
PASSING = {
    True: k.PASS_FREE, "captures": k.PASS_TAKES, "stops_there": k.PASS_THERE, "stops_before": k.PASS_BEFORE,
    False: k.PASS_CLOSED,
}  # fmt: skip
# how pieces may come that a row tells apart, and how many ways to come tables with such a row have
ARRIVED = (("along",), ("out",), ("jump",), ("out", "out_to_own"))
ALONG, OUT = (0, 2), (1, 3)  # of these: along a way or by a jump from there, and out of the yard
ARRIVALS = {"any": 1, "along": 2, "out": 2, "jump": 3, "out_to_own": 4}
MOST_COUNTED = 15  # pieces of a side on a tile: an occupancy has four bits

Verdicts = tuple[int, ...]


def passing_of(verdict: int) -> int:
    """What a verdict says of passing."""
    return verdict >> k.PASSING_SHIFT & k.VERDICT


@dataclass(frozen=True)
class Sizes:
    """How many numbers of pieces, and of ways to come, the tables tell apart; the same for all banks."""

    counts: int
    strengths: int
    arrivals: int

    @property
    def comings(self) -> int:
        """Ways to come: how, and how strong."""
        return self.strengths * self.arrivals

    @property
    def block(self) -> int:
        """Verdicts of one block."""
        return self.counts * self.counts * self.comings


def sizes_of(banks: tuple[RuleSet, ...]) -> Sizes:
    """What the rows of some banks tell apart."""
    rows = [row for rules in banks for row in rows_of(rules)]
    pieces = min(banks[0].board.pieces, MOST_COUNTED)
    relative = any(row.is_relative for row in rows)
    highest = MOST_COUNTED if relative else max(row.highest for row in rows)
    most = pieces * (2 if banks[0].modes.mode == "teams" else 1)
    return Sizes(
        max(1, min(highest, most, MOST_COUNTED)),
        pieces if relative else 1,
        max(ARRIVALS[row.coming] for row in rows),
    )


@dataclass(frozen=True)
class MeetingGround:
    """The meetings of one bank of rules, on a board with some arms taken."""

    rules: RuleSet
    topology: Topology
    arms: tuple[int, ...]
    sizes: Sizes

    @cached_property
    def rows(self) -> list[Meeting]:
        """Every row, in order."""
        return rows_of(self.rules)

    @cached_property
    def side(self) -> list[int]:
        """The side of each seat."""
        return sides(len(self.arms), self.rules)

    @cached_property
    def safe(self) -> set[int]:
        """The safe tiles."""
        return safe_tiles(self.rules, self.topology)

    @cached_property
    def owner(self) -> dict[int, int]:
        """Whose a tile is, by its entry."""
        return {self.topology.entries(arm)[0]: seat for seat, arm in enumerate(self.arms)}

    @cached_property
    def tiles(self) -> list[set[int]]:
        """Per row the nodes that it speaks of."""
        path, lane = set(range(self.topology.tiles)), set(range(self.topology.tiles, self.topology.finish))
        areas = {
            "all": path | lane, "path": path, "safe": self.safe, "unsafe": path - self.safe,
            "entry": set(self.owner), "lane": lane,
        }  # fmt: skip
        return [areas[row.tiles] if isinstance(row.tiles, str) else self._named(row.tiles) for row in self.rows]

    def _named(self, names: tuple[TileName, ...]) -> set[int]:
        """The nodes of names, and those that are the same squares."""
        nodes = {self.topology.node(name, "meeting.tiles") for name in names}
        return nodes | {tile for node in nodes if node < self.topology.tiles for tile in self.topology.names_of(node)}

    # ------------------------------------------------------------ which rows fit

    def fits_who(self, row: Meeting, seat: int, other: int) -> bool:
        """Whether a row speaks of another colour's pieces to a colour that comes."""
        mates = self.side[seat] == self.side[other]
        if row.who in COLOURS:
            return COLOURS[self.arms[other]] == row.who
        return {
            "own": seat == other, "mate": mates and seat != other, "side": mates, "enemy": not mates,
            "owner": not mates, "any": True,
        }[row.who]  # fmt: skip

    def fitting(self, seat: int, other: int) -> list[tuple[int, set[int]]]:
        """The rows that may hold where a colour meets another, by number, each with where."""
        own = {tile for tile, owner in self.owner.items() if owner == other}
        return [
            (number, self.tiles[number] & own if row.who == "owner" else self.tiles[number])
            for number, row in enumerate(self.rows)
            if self.fits_who(row, seat, other)
        ]

    def verdict(self, rows: tuple[int, ...], colour: int, side: int, strength: int, arrival: int) -> int:
        """What the first of some rows says that fits the numbers and the way to come."""
        for number in rows:
            row = self.rows[number]
            if not row.counts(side if row.of == "side" else colour, strength):
                continue
            if row.coming in ("any", *ARRIVED[arrival]):
                return LANDING[row.landing] | PASSING[row.passing] << k.PASSING_SHIFT | self._why(row) << k.WHY_SHIFT
        return k.FREE

    def _why(self, row: Meeting) -> int:
        if row.broken_by:
            return k.WHY_UNBROKEN
        if row.is_relative:
            return k.WHY_TOO_WEAK
        if row.who in ("own", "side"):
            return k.WHY_OWN_PIECE
        return k.WHY_BLOCKED if row.passing is False else k.WHY_TAKEN

    def block(self, rows: tuple[int, ...]) -> Verdicts:
        """The verdicts of some rows by count of the colour, of its side, and way to come."""
        counts, sizes = range(1, self.sizes.counts + 1), self.sizes
        return tuple(
            self.verdict(rows, colour, max(side, colour), strength, arrival)
            for colour in counts
            for side in counts
            for arrival in range(sizes.arrivals)
            for strength in range(1, sizes.strengths + 1)
        )

    # ------------------------------------------------------------ the tables

    @cached_property
    def nodes(self) -> int:
        """Nodes on which pieces meet: path tiles, and end paths, where a colour meets itself."""
        return self.topology.finish

    @cached_property
    def laid(self) -> tuple[list[int], list[Verdicts]]:
        """Per colour that comes, colour that is met and node the number of its block; and the blocks."""
        blocks: dict[Verdicts, int] = {}
        known: dict[tuple[int, ...], int] = {}
        found = []
        for seat, other in self.pairs():
            rows_here = self.fitting(seat, other)
            for node in range(self.nodes):
                rows = tuple(number for number, nodes in rows_here if node in nodes)
                rows = rows if node < self.topology.tiles or seat == other else ()
                if rows not in known:
                    known[rows] = blocks.setdefault(self.block(rows), len(blocks))
                found.append(known[rows])
        return found, list(blocks)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Every colour that comes with every colour that is met."""
        seats = range(len(self.arms))
        return ((seat, other) for seat in seats for other in seats)

    def at(self, seat: int, other: int, node: int) -> Verdicts:
        """The verdicts where a colour meets another on a node."""
        numbers, blocks = self.laid
        return blocks[numbers[(seat * len(self.arms) + other) * self.nodes + node]]

    def may_leave(self, seat: int, node: int) -> bool:
        """Whether a colour's pieces that stand together on a node may leave some behind."""
        first = next((self.rows[number] for number, nodes in self.fitting(seat, seat) if node in nodes), None)
        return first is not None and first.landing == "may_join"

    def may_share(self, tile: int) -> bool:
        """Whether pieces of two sides may come to stand on a tile together."""
        if any(row.landing == "swap" for row in self.rules.meeting):
            return True  # who changes places may come to where others of the mover's colour have stayed
        return any(
            verdict & k.VERDICT == k.FREE
            for seat, other in self.pairs()
            if self.side[seat] != self.side[other]
            for verdict in self.at(seat, other, tile)
        )

    def grounds(self) -> list[int]:
        """What the kernel reads as B_GROUND."""
        return self.laid[0]

    def verdicts(self) -> list[int]:
        """What the kernel reads as B_MEETING."""
        return [verdict for block in self.laid[1] for verdict in block]

    def shelters(self) -> list[int]:
        """Per colour that comes by, colour that is met and tile whether a single piece there can't be captured."""
        captures = self._as_if_captured if self.rules.capture.by == "none" else self
        return [
            self._shelter(other, tile) if captures.at(seat, other, tile)[0] & k.VERDICT != k.TAKES else 0
            for seat, other in self.pairs()
            for tile in range(self.topology.tiles)
        ]

    def _shelter(self, other: int, tile: int) -> int:
        at_home = self.owner.get(tile) == other and tile not in self.safe
        return k.SHELTERED_AT_HOME if at_home else k.SHELTERED

    @cached_property
    def _as_if_captured(self) -> MeetingGround:
        """The same rules with captures: where nobody is captured at all, safe tiles are still sheltered."""
        rules = self.rules.model_copy(update={"capture": self.rules.capture.model_copy(update={"by": "landing"})})
        return MeetingGround(rules, self.topology, self.arms, self.sizes)

    # ------------------------------------------------------------ what needs no table

    def _nodes(self, seat: int, other: int) -> range:
        """Where two colours can meet; a colour meets itself on its end path too."""
        return range(self.nodes if seat == other else self.topology.tiles)

    def _two_stop(self, block: Verdicts, arrivals: tuple[int, ...]) -> bool:
        """Whether two or more of a side, and only they, close a tile to passing and landing for those who come so."""
        closed = k.CLOSED | k.PASS_CLOSED << k.PASSING_SHIFT
        mask = (1 << k.WHY_SHIFT) - 1
        for at, verdict in enumerate(block):
            side = max(at // self.sizes.comings % self.sizes.counts, at // self.sizes.comings // self.sizes.counts) + 1
            if self._arrival(at) in arrivals and (verdict & mask == closed) != (side >= 2):
                return False
        return self.sizes.counts >= 2

    def _arrival(self, at: int) -> int:
        """How pieces come, of whom one of the verdicts of a block speaks."""
        return at % self.sizes.comings // self.sizes.strengths

    @cached_property
    def _one_step_out(self) -> bool:
        """Whether whoever comes out stays on the entry tile, and passes nobody."""
        tokens = [text for texts in self.rules.chance.tokens.values() for text in texts]
        tokens += [row.token for row in self.rules.on if row.do == "token"]
        jumps = self.topology.has_jumps or self.rules.movement.stars
        onto_entry = self.rules.start.enter == "entry" and not any("@" in text for text in tokens)
        return onto_entry and not jumps and self.rules.start.protects == "no"

    @cached_property
    def stopped(self) -> tuple[int, set[int]]:
        """(O_STOPS, tiles) where bit sets of tiles with two of a side say who is stopped; else (0, none)."""
        numbers, blocks = self.laid
        arrivals = ALONG if self._one_step_out else ALONG + OUT
        stops = {number for number, block in enumerate(blocks) if self._two_stop(block, arrivals)}
        tiles = [set[int](), set[int]()]  # where enemies stop, where the own side does
        patterns: list[set[frozenset[int]]] = [set(), set()]
        for pair, (seat, other) in enumerate(self.pairs() if stops else ()):
            mates = self.side[seat] == self.side[other]
            on_path = numbers[pair * self.nodes : pair * self.nodes + self.topology.tiles]
            found = frozenset(node for node, number in enumerate(on_path) if number in stops)
            patterns[mates].add(found)
            tiles[mates] = set(found)
        enemies, mates_too = tiles
        if any(len(each) > 1 for each in patterns) or not enemies or mates_too not in (set(), enemies):
            return 0, set()
        return (k.STOPS_ALL if mates_too else k.STOPS_OPPONENTS), enemies

    def _own(self) -> set[tuple[bool, Verdicts]]:
        """(in an end path, verdicts) of all meetings of a colour with itself."""
        tiles = self.topology.tiles
        return {(node >= tiles, self.at(s, s, node)) for s in range(len(self.arms)) for node in range(self.nodes)}

    @cached_property
    def lane_passing(self) -> bool:
        """Whether own pieces on an end path may be passed."""
        lane = [block for in_lane, block in self._own() if in_lane]
        return not lane or any(passing_of(verdict) != k.PASS_CLOSED for block in lane for verdict in block)

    @cached_property
    def own_closes(self) -> bool:
        """Whether an own piece closes every tile to landing, and does nothing else."""
        return all(
            verdict & k.VERDICT == k.CLOSED
            and (passing_of(verdict) == k.PASS_FREE or (in_lane and not self.lane_passing))
            for in_lane, block in self._own()
            for verdict in block
        )

    @cached_property
    def asked_coming_out(self) -> set[int]:
        """Tiles where two stop others, but not all of those who come out there: the table says whom."""
        _, stopping = self.stopped
        numbers, blocks = self.laid
        unlike = {number for number, block in enumerate(blocks) if not self._two_stop(block, OUT)}
        return {at % self.nodes for at, number in enumerate(numbers) if number in unlike} & stopping

    def _left(self) -> set[tuple[bool, bool, bool, int]]:
        """(own side, in an end path, for those alone who come out, verdict) of what needs the table."""
        _, stopping = self.stopped
        tiles = self.topology.tiles
        blocks = {
            (
                self.side[seat] == self.side[other],
                node >= tiles,
                node in stopping,
                self.at(seat, other, node),
            )
            for seat, other in self.pairs()
            if not (seat == other and self.own_closes)
            for node in self._nodes(seat, other)
        }
        return {
            (same_side, in_lane, covered and self._arrival(at) in OUT, verdict)
            for same_side, in_lane, covered, block in blocks
            for at, verdict in enumerate(block)
            if not (covered and verdict & k.VERDICT == k.CLOSED)
        }

    @cached_property
    def options(self) -> dict[str, int]:
        """The bank's options for meetings, each derived from the rows."""
        left = self._left()
        passing = {
            passing_of(verdict)
            for _, in_lane, coming_out, verdict in left
            if not coming_out and (self.lane_passing or not in_lane)
        }
        landing = {verdict & k.VERDICT for *_, verdict in left}
        own = {verdict & k.VERDICT for same_side, _, _, verdict in left if same_side}
        return {
            "O_STOPS": self.stopped[0],
            "O_SHARE_OWN": not self.own_closes,
            "O_PASSING": self.lane_passing,
            "O_WALKS": bool(passing - {k.PASS_FREE, k.PASS_TAKES}) or k.BEFORE in landing,
            "O_TAKES_PASSING": k.PASS_TAKES in passing,
            "O_CLOSES": k.CLOSES_ALL if k.CLOSED in landing else k.CLOSES_OUT if self.asked_coming_out else 0,
            "O_OWN_ASKED": not own <= {k.FREE, k.JOINS},
            "O_JOINS": k.JOINS in own,
        }


def grounds_of(
    banks: tuple[RuleSet, ...], topology: Topology, arms: tuple[int, ...], sizes: Sizes
) -> list[MeetingGround]:  # fmt: skip
    """The meetings of every bank; banks with the same rows share them."""
    known: dict[tuple[object, ...], MeetingGround] = {}
    found = []
    for rules in banks:
        key = (tuple(rows_of(rules)), rules.safe, rules.capture.by)
        found.append(known.setdefault(key, MeetingGround(rules, topology, arms, sizes)))
    return found
