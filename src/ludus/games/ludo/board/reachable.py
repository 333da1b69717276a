"""Whether a document is Ludo at all, by search: where pieces can come to, with the values that chance can give.

Cheap enough to be asked of every document that is loaded; `ludus rules check` adds the evidence of play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ludus.core.messages import Message
from ludus.games.ludo.board.chance import Kind, outcomes_of
from ludus.games.ludo.board.graphs import closure_of_bits, dead_ends
from ludus.games.ludo.board.tiles import star_jumps
from ludus.games.ludo.board.topology import ALL_OPEN, Topology
from ludus.games.ludo.document.event_rows import Rows
from ludus.games.ludo.document.rules import COLOURS, RuleSet
from ludus.games.ludo.document.soundness import brings_out, comes_out_by_event
from ludus.games.ludo.kernel import OWN, SWAP

BOOK = "ludus.games.ludo.rulebook"
MOST_WORK = 200_000  # steps of the search over one colour's ways; above it, single steps are followed instead


class Fault(NamedTuple):
    """A rule that a document breaks: its id, the option at fault, and the reason by key with its values."""

    rule: str
    option: str
    reason: str
    values: dict[str, Any] = {}  # noqa: RUF012  (never written to)


class NotLudo(NamedTuple):
    """Why a document is not Ludo: the rule's id, the option at fault, and the reason in English."""

    rule: str
    option: str
    words: str


def not_ludo(rules: RuleSet) -> NotLudo | None:
    """The first rule of Loose Ludo that a document breaks, or None."""
    fault = next(faults(rules), None)
    if fault is None:
        return None
    from ludus.games.ludo.rulebook.findings import say

    return NotLudo(fault.rule, fault.option, say("broken", fault.reason, "en", **fault.values))


def faults(rules: RuleSet) -> Iterator[Fault]:
    """The rules of Loose Ludo that a document breaks, as far as search can tell."""
    search = Search(rules)
    if all(bank.outcomes < 2 for bank in search.banks):
        yield Fault("L15", option_of_chance(rules), "not_random")
    yield from search.faults()
    if all(bank.rules.capture.by == "none" for bank in search.banks) and not captures_by_meeting(rules):
        if not any(bank.forces for bank in search.banks):
            yield Fault("L32", "capture.by", "nothing_forced")
        yield Fault("L33", "capture.by", "captures_never")


def captures_by_meeting(rules: RuleSet) -> bool:
    """Whether some row of meetings captures."""
    return any(row.landing == "capture" or row.passing == "captures" for row in rules.meeting)


def option_of_chance(rules: RuleSet) -> str:
    """The option that says what chance can give."""
    devices = {"cards": "chance.cards", "cowries": "chance.throws", "sticks": "chance.throws"}
    return devices.get(rules.chance.device, "chance.faces")


class Bank:
    """What the device can do for pieces under one set of rules, of those that may come to hold (L2)."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        results = outcomes_of(rules)
        rows = Rows(rules)
        played = [outcome for outcome in results if not rows.does(outcome, "lose")]
        kinds = {kind for outcome in played for kind in outcome.kinds}
        self.outcomes = len({(outcome.kinds, outcome.values, outcome.then) for outcome in results})
        self.can_leave = comes_out_by_event(rules) or any(brings_out(rules, outcome) for outcome in played)
        self.distances = self._distances(kinds)
        swaps = any(kind.effect == SWAP for kind in kinds)
        # pieces get to tiles in other ways than by their own moves
        by_meeting = any(row.landing == "swap" for row in rules.meeting)
        self.displaces = swaps or by_meeting or rules.capture.captured_to == "back"
        # opponents force each other to something without a capture (L32)
        moves_others = rules.movement.may_move == "all" or any(kind.whose != OWN for kind in kinds)
        self.forces = swaps or moves_others or rules.block.stops != "none"

    def _distances(self, kinds: set[Kind]) -> set[int]:
        """How far pieces may go in one move, whoever makes it."""
        found = {distance for kind in kinds for distance in kind.distances}
        if self.rules.movement.combined_move != "none":
            found |= {a + b for a in found for b in found}
        return (found | {self.rules.capture.capture_bonus, self.rules.finish.finish_bonus}) - {0}

    @property
    def ways(self) -> tuple[Any, ...]:
        """What decides where pieces land: banks alike in this need one search."""
        return (frozenset(self.distances), self.rules.finish.rule, self.rules.movement.stars)


def is_symmetric(rules: RuleSet) -> bool:
    """Whether all colours have the same way, turned round the board: then one of them stands for all."""
    return rules.board.shape != "graph" and not rules.board.paths and not rules.board.jumps


class Search:
    """Where the pieces of every colour can come to; `landed` has, per arm, the nodes on which a move can end."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.banks = [Bank(bank) for bank in rules.banks]
        self.board = Topology(rules)
        arms = range(rules.board.seats)
        if is_symmetric(rules):
            first = self._landings(0)
            self.landed = [{self._turned(node, arm) for node in first} for arm in arms]
        else:
            self.landed = [self._landings(arm) for arm in arms]

    def _landings(self, arm: int) -> set[int]:
        """The nodes on which a move of a colour's piece can end, under any of the rules that may come to hold."""
        board = self.board
        if not any(bank.can_leave for bank in self.banks):
            return set()
        stepwise = board.reachable(arm) | set(board.entries(arm))
        if any(bank.displaces for bank in self.banks):
            return stepwise
        ahead = board.successors(arm)
        distinct = {bank.ways: bank for bank in self.banks}
        farthest = max((distance for bank in self.banks for distance in bank.distances), default=0)
        if sum(map(len, ahead)) * farthest * len(distinct) > MOST_WORK:
            return stepwise
        moves = [Walk(bank, board, arm, ahead).ends() for bank in distinct.values()]
        return closure_of_bits(self._first_landings(arm, ahead), moves)

    def _first_landings(self, arm: int, ahead: list[list[int]]) -> set[int]:
        """Where pieces land when they come out: the entry tiles, or further on by what was rolled (L26)."""
        entries = set(self.board.entries(arm))
        if self.rules.start.enter == "entry":
            return entries
        leaving = {face for bank in self.banks for face in bank.rules.start.leave_on if face in bank.distances}
        found, layer = set[int](), entries
        for distance in range(1, max(leaving, default=0) + 1):
            found |= layer if distance in leaving else set()
            layer = {there for here in layer for there in ahead[here]}
        return found

    def _turned(self, node: int, arm: int) -> int:
        return (node + self.rules.entry_tile(arm)) % self.board.tiles if node < self.board.tiles else node

    def shared_by_all(self) -> set[int]:
        """The path tiles on which every colour can stand (L22)."""
        return {node for node in set.intersection(*self.landed) if node < self.board.tiles}

    def shared_by_two(self) -> set[int]:
        """The path tiles on which at least two colours can stand (L6)."""
        seen: set[int] = set()
        shared: set[int] = set()
        for nodes in self.landed:
            shared |= seen & nodes
            seen |= nodes
        return {node for node in shared if node < self.board.tiles}

    def homes(self) -> set[int]:
        """The places of a finish."""
        board = self.board
        on_lane = self.rules.finish.places == "end_path"
        return set(range(board.tiles, board.finish)) if on_lane else {board.finish}

    def comes_home(self, arm: int) -> bool:
        """Whether the pieces of a colour can all come home (L13, L27)."""
        needed = self.rules.board.pieces if self.rules.finish.places == "end_path" else 1
        return len(self.homes() & self.landed[arm]) >= needed

    def faults(self) -> Iterator[Fault]:
        """What is wrong with the ways of the board."""
        where = "board.paths" if self.rules.board.paths else "board"
        arms = range(self.rules.board.seats)
        if not any(bank.can_leave for bank in self.banks):
            yield Fault("L25", "start.leave_on", "nobody_leaves")
            return  # nothing else can be said of pieces that never move
        for arm in arms:
            entries = self.board.entries(arm)
            if not entries:
                yield Fault("L25", "board.paths", "no_entry", {"colour": colour_name(arm)})
            elif any(entry >= self.board.tiles for entry in entries):
                if all(entry == self.board.finish for entry in entries):
                    yield Fault("L10", "board.paths", "no_path", {"colour": colour_name(arm)})
                yield Fault("L26", "board.paths", "out_beside_the_path", {"colour": colour_name(arm)})
        if not self.shared_by_two():
            yield Fault("L6", where, "nothing_shared")
        if not self.shared_by_all():
            yield Fault("L22", where, "no_common_tile")
        for arm in arms:
            if not self.comes_home(arm):
                yield Fault("L27", where, "no_way_home", {"colour": colour_name(arm), "why": self.why_not_home(arm)})

    def why_not_home(self, arm: int) -> Message:
        """Why no piece of a colour comes home: no way leads there, or no roll does."""
        if self.homes() & self.board.reachable(arm):
            return Message(BOOK, "rolls_miss_it", {}, "not_home")
        ends = [str(self.board.name(node)) for node in dead_ends(self.board, arm)]
        return Message(BOOK, "way_ends" if ends else "no_way", {"tiles": ", ".join(ends)}, "not_home")


def colour_name(arm: int) -> Message:
    """A seat's colour, in words when asked for."""
    return Message("ludus.games.ludo", COLOURS[arm], {}, "colour")


class Walk:
    """One colour's ways on the board, walked by all distances at once."""

    def __init__(self, bank: Bank, board: Topology, arm: int, ahead: list[list[int]]) -> None:
        self.rules, self.board, self.ahead = bank.rules, board, ahead
        self.forward = {distance for distance in bank.distances if distance > 0}
        self.backward = {-distance for distance in bank.distances if distance < 0}
        self.back = board.way_back(arm)
        self.one_back = board.one_back(arm)
        jumps = {tile: jump.target for tile, jump in board.jumps(arm).items()}
        self.jumps = jumps | star_jumps(bank.rules, board, arm, ALL_OPEN)

    def ends(self) -> list[int]:
        """Per node a bit set of the nodes where a move can end."""
        nodes = range(len(self.ahead))
        found = [0] * len(self.ahead)
        home_after: dict[int, int] = {}
        layer = [1 << node for node in nodes]
        for distance in range(1, max(self.forward, default=0) + 1):
            layer = [self._one_step(node, layer) for node in nodes]
            for node in nodes:
                if layer[node] >> self.board.finish & 1:
                    home_after.setdefault(node, distance)
                if distance in self.forward:
                    found[node] |= layer[node] | self._too_far(node, distance, home_after)
        for node in nodes:
            for distance in self.backward:
                found[node] |= self._so_far_back(node, distance)
            found[node] = self._after_jumps(found[node])
        return found

    def _one_step(self, node: int, layer: list[int]) -> int:
        mask = 0
        for there in self.ahead[node]:
            mask |= layer[there]
        return mask

    def _too_far(self, node: int, distance: int, home_after: dict[int, int]) -> int:
        """Where a roll larger than needed leads."""
        surplus = distance - home_after.get(node, distance)
        if surplus == 0 or self.rules.finish.rule == "exact":
            return 0
        if self.rules.finish.rule == "overshoot":
            return 1 << self.board.finish
        return self._backward(self.board.finish if self.rules.finish.rule == "bounce" else node, surplus)

    def _backward(self, node: int, steps: int) -> int:
        """The node so many steps back on a shortest way, as a bit; nothing where the way is not so long."""
        for _ in range(steps):
            if node not in self.back or self.back[node] == self.board.start:
                return 0
            node = self.back[node]
        return 1 << node

    def _so_far_back(self, node: int, distance: int) -> int:
        """Where a token of a distance below 0 leads, as bits."""
        ends = {node}
        for _ in range(distance):
            ends = {there for here in ends for there in self.one_back(here, -distance)}
        return sum(1 << end for end in ends)

    def _after_jumps(self, mask: int) -> int:
        """Landing on a tile with a jump goes on, once."""
        out = mask
        for tile in self.jumps:
            out &= ~(1 << tile)
        for tile, there in self.jumps.items():
            out |= (mask >> tile & 1) << there
        return out
