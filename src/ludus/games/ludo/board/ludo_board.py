"""The compiled form of a rule set: what its tables say, asked by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ludus.games.ludo import kernel as k
from ludus.games.ludo.board import sets as token_sets
from ludus.games.ludo.board.chance import Kind, Outcome, named
from ludus.games.ludo.board.graphs import onward, steps_to_go
from ludus.games.ludo.board.meetings import MeetingGround, Sizes, grounds_of, sizes_of
from ludus.games.ludo.board.routes import Way
from ludus.games.ludo.board.topology import BEFORE_CAPTURE, Topology
from ludus.games.ludo.document.event_rows import Rows
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.document.tokens import Alternative, uses_of

Ways = list[Way] | int  # the ways of a token from a node, or the reason why there are none


@dataclass
class LudoBoard:
    """The compiled form of a rule set for given arms of the board (one arm a player, in order of play)."""

    rules: RuleSet
    arms: tuple[int, ...]
    topology: Topology
    banks: tuple[RuleSet, ...]
    is_open: tuple[int, ...]
    kinds: list[Kind]
    outcomes: list[list[Outcome]]
    sets: list[token_sets.Counts]
    tables: list[int] = field(default_factory=lambda: [0] * k.HEADER)
    scratch_size: int = 0
    state: int = 0  # numbers of a row that rules in Python keep
    routes: list[list[Ways]] = field(default_factory=list)

    @cached_property
    def sizes(self) -> Sizes:
        """What the verdicts of meetings tell apart."""
        return sizes_of(self.banks)

    @cached_property
    def grounds(self) -> list[MeetingGround]:
        """The meetings of every bank."""
        return grounds_of(self.banks, self.topology, self.arms, self.sizes)

    def field(self, name: int) -> int:
        """A header field of the tables."""
        return self.tables[name]

    def entry(self, seat: int) -> int:
        """A seat's first entry tile."""
        return self.topology.entries(self.arms[seat])[0]

    @cached_property
    def outcomes_by_tokens(self) -> list[dict[tuple[int, ...], list[int]]]:
        """Of every bank: where the tables have the outcomes that give certain tokens, by their kinds in order."""
        found: list[dict[tuple[int, ...], list[int]]] = []
        for bank, outcomes in enumerate(self.outcomes):
            by_tokens: dict[tuple[int, ...], list[int]] = {}
            for number, outcome in enumerate(outcomes):
                tokens = tuple(sorted(self.kinds.index(kind) for kind in outcome.kinds))
                by_tokens.setdefault(tokens, []).append(k.outcome_at(self.tables, self.bank_at(bank), number))
            found.append(by_tokens)
        return found

    @cached_property
    def out_sets(self) -> list[tuple[token_sets.Counts, Alternative]]:
        """Two tokens that together bring a piece out, and how."""
        return token_sets.sets_that_leave(self.rules, self.kinds)

    def counts_of(self, number: int) -> token_sets.Counts:
        """How many tokens of each kind a set has, those that bring a piece out included."""
        more = number - len(self.sets)
        return self.sets[number] if more < 0 else self.out_sets[more][0]

    def route_kind(self, number: int) -> int:
        """The kind of token whose way a set takes that brings a piece out."""
        return number if number < len(self.kinds) else self.tables[k.LEAVER]

    def rest_of(self, rest: str, times: int) -> int:
        """Tokens that are left to play, as the kernel counts them; 0: none."""
        if not rest:
            return 0
        if rest not in self._named:
            self._named[rest] = self.kinds.index(named(rest))
        return 1 + self._named[rest] + 256 * (times - 1)

    @cached_property
    def _named(self) -> dict[str, int]:
        """The numbers of the tokens that texts leave, as far as they have been asked for."""
        return {}

    def begins_on(self, seat: int) -> list[int]:
        """Where the pieces of a seat stand that begin outside of their yard."""
        entry = self.entry(seat)
        return [
            [entry, *self.steps(0, seat, entry, tile - 1)][-1]
            for row in self.rules.on
            if row.event == "start"
            for tile in row.onto or (1,) * row.amount
        ]

    def after_way(self, way: Way) -> int:
        """What a way leaves to play, and what else there is to it, as the kernel has that."""
        flags = (
            k.REST_ALONE * way.alone + k.REST_PART * way.part + k.REST_STAYS * way.stays + k.REST_CLEARS * way.clears
        )
        return self.rest_of(way.rest, way.times) + flags

    @cached_property
    def given(self) -> set[int]:
        """The kinds of tokens that are no part of a roll: bonuses, and what events give."""
        extra = {named(row.token) for row in self.rules.on if row.do == "token"} | rests_of(self.banks)
        return {number for number, kind in enumerate(self.kinds) if kind.is_bonus or kind in extra}

    @property
    def displaces(self) -> bool:
        """Whether pieces change places, so that they come to tiles in other ways than by their own moves."""
        by_meeting = any(row.landing == "swap" for row in self.rules.meeting)
        by_meeting |= any(row.do == "swap" for row in self.rules.on)
        return by_meeting or any(kind.swaps for kind in self.kinds)

    @cached_property
    def standable(self) -> list[set[int]]:
        """Per seat the nodes that its pieces can come to."""
        return [self._standable(arm) for arm in self.arms]

    def _standable(self, arm: int) -> set[int]:
        topology = self.topology
        nodes = {topology.start, *topology.reachable(arm)}
        if self.rules.asks_for_capture:
            nodes |= topology.reachable(arm, BEFORE_CAPTURE)
        if self.displaces:
            homeward = {node for node in steps_to_go(topology, arm) if node < topology.tiles}
            nodes |= onward(topology, arm, homeward)
        if self.rules.movement.backward == "round":
            nodes |= set(range(topology.ring))
        return nodes

    @cached_property
    def longest(self) -> int:
        """Steps from an entry tile home, for the colour that has the longest way."""
        return max(steps_to_go(self.topology, arm).get(self.topology.entries(arm)[0], 0) for arm in self.arms)

    def ways(self, bank: int, seat: int, node: int, kind: int) -> Ways:
        """The ways that a token opens from a node, or the reason why there are none."""
        return self.routes[bank][(seat * self.tables[k.NODES] + node) * self.tables[k.KINDS] + kind]

    def ways_of(self, bank: int, seat: int, node: int, kind: int) -> list[Way]:
        """The ways that a token opens from a node; none where it opens none."""
        found = self.ways(bank, seat, node, kind)
        return found if isinstance(found, list) else []

    def steps(self, bank: int, seat: int, node: int, distance: int) -> list[int]:
        """The nodes that a piece crosses going straight on, the last one included; shorter where its way ends."""
        ahead = self.topology.successors(self.arms[seat], self.is_open[bank])
        path: list[int] = []
        while len(path) < distance and ahead[node]:
            node = ahead[node][0]
            path.append(node)
        return path

    def bank_at(self, bank: int) -> int:
        """Where a bank's options begin."""
        return self.tables[k.T_BANK] + bank * self.tables[k.BANK_SIZE]

    def bank_number(self, row: Any, seat: int) -> int:
        """Which bank of rules holds for a colour."""
        return int(row[self.tables[k.R_CHANGED] + seat]) if self.tables[k.BANKED] else 0

    def columns(self) -> dict[str, int]:
        """The names of options, outcome, kind and change fields that have one value everywhere, with that value."""
        banks = [self.bank_at(bank) for bank in range(len(self.banks))]
        outcomes = [
            at + self.tables[k.B_OUTCOME] + number * k.F_SIZE
            for bank, at in enumerate(banks)
            for number in range(len(self.outcomes[bank]))
        ]
        kinds = [self.tables[k.T_KIND] + number * k.K_SIZE for number in range(len(self.kinds))]
        changes = [self.tables[k.T_CHANGE] + number * k.C_SIZE for number in range(len(self.rules.all_changes))]
        found: dict[str, int] = {}
        for prefix, starts in (("O_", banks), ("F_", outcomes), ("K_", kinds), ("C_", changes)):
            for name, at in vars(k).items():
                if name.startswith(prefix) and not name.endswith("_SIZE"):
                    values = {self.tables[start + at] for start in starts}
                    found |= {name: values.pop()} if len(values) == 1 else {}
        return found


def rests_of(banks: tuple[RuleSet, ...]) -> set[Kind]:
    """The tokens that are left to play after a part of another: 'out+out'."""
    uses = [use for rules in banks for texts in rules.chance.tokens.values() for text in texts for use in uses_of(text)]
    found: set[Kind] = set()
    while uses:
        left = {named(use.rest) for use in uses if use.rest} - found
        found |= left
        uses = [use for kind in left for use in kind.uses]
    return found


def set_fields(board: LudoBoard, **fields: int) -> None:
    for name, value in fields.items():
        board.tables[getattr(k, name)] = int(value)


def add_tables(board: LudoBoard, **tables: list[int]) -> None:
    for name, values in tables.items():
        board.tables[getattr(k, name)] = len(board.tables)
        board.tables.extend(values)


def words_of(board: LudoBoard, nodes: Any) -> list[int]:
    """The shared tiles among some nodes as a bit set."""
    words = [0] * board.field(k.WORDS)
    for node in nodes:
        if node < board.field(k.TILES):
            tile = board.topology.places[node]
            words[tile // k.TILES_PER_WORD] |= 1 << (tile % k.TILES_PER_WORD)
    return words


def keeps_its_tokens(rules: RuleSet, outcome: Outcome) -> bool:
    """Whether a roll is kept and the dice are rolled again before anything is played (F5)."""
    if rules.chance.hold == "turn":
        return Rows(rules).does(outcome, "again")
    return rules.chance.pool == "double_six" and set(outcome.values) == {token_sets.SIX}


def leaving_kinds(board: LudoBoard) -> list[int]:
    """The kinds of tokens that bring a piece out under some of the rules."""
    leaves = tuple(face for bank in board.banks for face in bank.start.leave_on)
    return [number for number, kind in enumerate(board.kinds) if kind.leaves(leaves)]


def leaving_numbers(board: LudoBoard) -> list[int]:
    """What brings a piece out: kinds of tokens, then sets of two."""
    return [*leaving_kinds(board), *range(len(board.sets), len(board.sets) + len(board.out_sets))]


def moves_others(board: LudoBoard) -> bool:
    """Whether somebody's piece can be moved by another player, the teammate's after coming home apart."""
    return board.rules.movement.may_move != "own" or any(kind.whose != k.OWN for kind in board.kinds)
