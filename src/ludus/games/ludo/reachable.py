"""Whether a document is Ludo at all, by search: where pieces can come to, with the values that chance can give.

Cheap enough to be asked of every document that is loaded; `ludus rules check` adds the evidence of play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludus.core.messages import Message
from ludus.games.ludo.chance import OWN, STEP, SWAP, Outcome, outcomes_of
from ludus.games.ludo.rules import COLOURS, RuleSet
from ludus.games.ludo.soundness import brings_out, is_played
from ludus.games.ludo.topology import Topology

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
    yield from _faults_of_chance(rules)
    search = Search(rules)
    yield from search.faults()
    if all(bank.capture.by == "none" for bank in rules.banks):
        if not any(forces(bank) for bank in rules.banks):
            yield Fault("L32", "capture.by", "nothing_forced")
        yield Fault("L33", "capture.by", "captures_never")


def forces(rules: RuleSet) -> bool:
    """Whether opponents force each other to something without a capture: blocks, swaps, moves of others' pieces."""
    kinds = [kind for outcome in played_outcomes(rules) for kind in outcome.kinds]
    touched = any(kind.effect == SWAP or kind.whose != OWN for kind in kinds)
    return touched or rules.block.stops != "none" or rules.movement.may_move == "all"


def _faults_of_chance(rules: RuleSet) -> Iterator[Fault]:
    most = max(len(distinct_outcomes(bank)) for bank in rules.banks)
    if most < 2:
        yield Fault("L15", option_of_chance(rules), "not_random")


def option_of_chance(rules: RuleSet) -> str:
    """The option that says what chance can give."""
    devices = {"cards": "chance.cards", "cowries": "chance.throws", "sticks": "chance.throws"}
    return devices.get(rules.chance.device, "chance.faces")


def distinct_outcomes(rules: RuleSet) -> set[Any]:
    """The answers of the device that differ in what they do (L15)."""
    return {(outcome.kinds, outcome.values, outcome.then) for outcome in outcomes_of(rules)}


def played_outcomes(rules: RuleSet) -> list[Outcome]:
    """The answers that a player gets to play: not those that just end the turn."""
    return [outcome for outcome in outcomes_of(rules) if is_played(rules, outcome)]


def distances(rules: RuleSet) -> set[int]:
    """How far pieces may go in one move, whoever makes it."""
    found = {kind.distance for outcome in played_outcomes(rules) for kind in outcome.kinds if kind.effect == STEP}
    if rules.movement.combined_move != "none":
        found |= {a + b for a in found for b in found}
    return (found | {rules.capture.capture_bonus, rules.finish.finish_bonus}) - {0}


def can_leave(rules: RuleSet) -> bool:
    """Whether something brings pieces out of the yard (L25)."""
    return any(brings_out(rules, outcome) for outcome in played_outcomes(rules))


def displaces(rules: RuleSet) -> bool:
    """Whether pieces get to tiles in other ways than by their own moves: swaps, captures to a tile further back."""
    swaps = any(kind.effect == SWAP for outcome in played_outcomes(rules) for kind in outcome.kinds)
    return swaps or rules.capture.captured_to == "back"


def is_symmetric(rules: RuleSet) -> bool:
    """Whether all colours have the same way, turned round the board: then one of them stands for all."""
    return rules.board.shape != "graph" and not rules.board.paths and not rules.board.jumps


@dataclass(frozen=True)
class Search:
    """Where the pieces of every colour can come to."""

    rules: RuleSet
    board: Topology = field(init=False)
    landed: list[set[int]] = field(init=False)  # per arm: the nodes on which a move can end

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", Topology(self.rules))
        arms = range(1 if is_symmetric(self.rules) else self.rules.board.seats)
        landed = [landings(self.rules, self.board, arm) for arm in arms]
        if is_symmetric(self.rules):
            landed = [{self._turned(node, arm) for node in landed[0]} for arm in range(self.rules.board.seats)]
        object.__setattr__(self, "landed", landed)

    def _turned(self, node: int, arm: int) -> int:
        return (node + arm * self.rules.arm) % self.board.tiles if node < self.board.tiles else node

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the seats."""
        return COLOURS[: self.rules.board.seats]

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
        if not any(can_leave(bank) for bank in self.rules.banks):
            yield Fault("L25", "start.leave_on", "nobody_leaves")
        for arm in arms:
            entries = self.board.entries(arm)
            if not entries:
                yield Fault("L25", "board.paths", "no_entry", {"colour": colour_name(arm)})
            elif any(entry >= self.board.tiles for entry in entries):
                yield Fault("L26", "board.paths", "out_beside_the_path", {"colour": colour_name(arm)})
        if not self.shared_by_two():
            yield Fault("L6", where, "nothing_shared")
        if not self.shared_by_all():
            yield Fault("L22", where, "no_common_tile")
        for arm in arms:
            if not self.comes_home(arm):
                yield Fault("L27", where, "no_way_home", {"colour": colour_name(arm)})


def colour_name(arm: int) -> Message:
    """A seat's colour, in words when asked for."""
    return Message("ludus.games.ludo", COLOURS[arm], {}, "colour")


def landings(rules: RuleSet, board: Topology, arm: int) -> set[int]:
    """The nodes on which a move of a colour's piece can end, under any of the rules that may come to hold."""
    if not any(can_leave(bank) for bank in rules.banks):
        return set()
    if any(displaces(bank) for bank in rules.banks):
        return board.reachable(arm) | set(board.entries(arm))
    moves = [_ends_of_moves(bank, board, arm) for bank in distinct_ways(rules)]
    if any(found is None for found in moves):
        return board.reachable(arm) | set(board.entries(arm))
    return _closure(board, arm, [found for found in moves if found is not None])


def distinct_ways(rules: RuleSet) -> list[RuleSet]:
    """The banks that differ in how far pieces go and where they land."""
    seen: dict[Any, RuleSet] = {}
    for bank in rules.banks:
        seen.setdefault((frozenset(distances(bank)), bank.finish.rule, bank.movement.stars), bank)
    return list(seen.values())


def _closure(board: Topology, arm: int, moves: list[list[int]]) -> set[int]:
    """Every node that moves can end on, from the entry tiles on."""
    found = waiting = sum(1 << node for node in set(board.entries(arm)))
    while waiting:
        ahead = 0
        for node in bits_of(waiting):
            for ends in moves:
                ahead |= ends[node] if node < len(ends) else 0
        waiting = ahead & ~found
        found |= waiting
    return set(bits_of(found))


def bits_of(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _ends_of_moves(rules: RuleSet, board: Topology, arm: int) -> list[int] | None:
    """Per node: a bit set of the nodes where one move can end; None where that is too much to work out."""
    ahead = board.successors(arm)
    forward = [d for d in distances(rules) if d > 0]
    farthest = max(forward, default=0)
    if sum(map(len, ahead)) * farthest > MOST_WORK:
        return None
    walk = Walk(rules, board, arm, ahead)
    return walk.ends(set(forward), farthest)


class Walk:
    """One colour's ways on the board, walked by all distances at once."""

    def __init__(self, rules: RuleSet, board: Topology, arm: int, ahead: list[list[int]]) -> None:
        self.rules, self.board, self.ahead = rules, board, ahead
        self.back = board.way_back(arm)
        self.jumps = dict(board.jumps) | star_jumps(rules, board, arm)

    def ends(self, forward: set[int], farthest: int) -> list[int]:
        """Per node a bit set of the nodes where a move can end."""
        nodes = range(len(self.ahead))
        found = [0] * len(self.ahead)
        home_after: dict[int, int] = {}
        layer = [1 << node for node in nodes]
        for distance in range(1, farthest + 1):
            layer = [self._one_step(node, layer) for node in nodes]
            for node in nodes:
                if layer[node] >> self.board.finish & 1:
                    home_after.setdefault(node, distance)
                if distance in forward:
                    found[node] |= layer[node] | self._too_far(node, distance, home_after)
        for node in nodes:
            for distance in distances(self.rules):
                found[node] |= self._backward(node, -distance) if distance < 0 else 0
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

    def _after_jumps(self, mask: int) -> int:
        """Landing on a tile with a jump goes on, once."""
        out = mask
        for tile in self.jumps:
            out &= ~(1 << tile)
        for tile, there in self.jumps.items():
            out |= (mask >> tile & 1) << there
        return out


def star_jumps(rules: RuleSet, board: Topology, arm: int) -> dict[int, int]:
    """Where landing on a star takes a colour: the next star on its way, from the last one the finish (T3)."""
    if not rules.movement.stars or board.is_graph:
        return {}
    size = rules.arm
    stars = {seat * size + offset for seat in range(rules.board.seats) for offset in rules.movement.stars}
    way = [(arm * size + d) % board.ring for d in range(rules.last_path_distance + 1)]
    on_way = [tile for tile in way if tile in stars]
    return dict(zip(on_way, [*on_way[1:], board.finish], strict=True))
