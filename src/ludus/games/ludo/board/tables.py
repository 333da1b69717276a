"""Rule set and seats → the integer tables that the kernel reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludus.core.errors import RulesError
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board import reactions
from ludus.games.ludo.board import sets as token_sets
from ludus.games.ludo.board.banks import write_banks
from ludus.games.ludo.board.chance import Kind, named, outcomes_of
from ludus.games.ludo.board.graphs import steps_to_go
from ludus.games.ludo.board.header import (
    lay_out_row,
    lay_out_scratch,
    write_actions,
    write_aims,
    write_flags,
    write_follows,
    write_hands,
    write_memory,
    write_sizes,
)
from ludus.games.ludo.board.ludo_board import (
    LudoBoard,
    Ways,
    add_tables,
    leaving_numbers,
    rests_of,
    set_fields,
    words_of,
)
from ludus.games.ludo.board.routes import MOST_STEPS, Router, steps_of_all
from ludus.games.ludo.board.tiles import sides
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.document.tokens import deals_of, is_of_two

MOST_ENTRIES = 120_000  # of one bank's route table


def compile_board(rules: RuleSet, arms: tuple[int, ...], state: int = 0) -> LudoBoard:
    """The tables of a rule set for the given arms; RulesError where they would be too large.

    `state` numbers of a row are kept for rules in Python.
    """
    banks, is_open = all_banks(rules)
    board = LudoBoard(
        rules, arms, Topology(rules), banks, is_open, all_kinds(banks), [outcomes_of(bank) for bank in banks], []
    )
    board.state = state
    _refuse_large(board)
    board.sets = token_sets.token_sets(rules, board.kinds, board.longest)
    write_sizes(board)
    write_aims(board)
    _find_routes(board)
    write_flags(board)
    write_follows(board)
    write_memory(board)
    write_hands(board)
    write_actions(board)
    lay_out_row(board)
    _seats(board)
    _nodes(board)
    _sets(board)
    write_banks(board)
    lay_out_scratch(board)
    return board


def all_banks(rules: RuleSet) -> tuple[tuple[RuleSet, ...], tuple[int, ...]]:
    """The rules of every bank, and which guards are open in it, as bits; the last change is the first capture (Z10)."""
    banks = rules.banks
    asked = [number >> len(rules.changes) << 1 for number in range(len(banks))]
    if not rules.asks_for_capture:
        return banks, tuple(bits | 1 for bits in asked)
    return (*banks, *banks), (*asked, *(bits | 1 for bits in asked))


def all_kinds(banks: tuple[RuleSet, ...]) -> list[Kind]:
    """Every kind of token that some bank can give, bonuses last."""
    kinds = {kind for rules in banks for outcome in outcomes_of(rules) for kind in outcome.kinds}
    bonuses = {
        Kind(distance=tiles, is_bonus=True)
        for rules in banks
        for tiles in (rules.capture.capture_bonus, rules.finish.finish_bonus)
        if tiles
    }
    given = {named(row.token) for rules in banks for row in rules.on if row.do == "token"}
    given |= {named(str(row.amount)) for rules in banks for row in rules.on if row.do == "move"}
    given |= rests_of(banks)
    if any(is_of_two(key) for rules in banks for key in rules.chance.tokens):
        given |= {Kind(effect=k.OUT)} if not any(kind.leaves(banks[0].start.leave_on) for kind in kinds) else set()
    return sorted(kinds) + sorted((bonuses | given) - kinds)


def _refuse_large(board: LudoBoard) -> None:
    players, nodes = len(board.arms), board.topology.start + 1 + len(board.arms)
    entries = players * nodes * len(board.kinds)
    if entries > MOST_ENTRIES:
        raise RulesError(
            f"board: {players} seats, {nodes} nodes and {len(board.kinds)} kinds of moves make {entries} routes; "
            f"{MOST_ENTRIES} are the most (L21)"
        )
    distances = {distance for kind in board.kinds for distance in kind.distances}
    steps = steps_of_all(board.topology, board.rules.board.seats, distances)
    if steps > MOST_STEPS:
        raise RulesError(f"board.paths: too many ways with up to {max(distances)} steps: fewer branches, please (L21)")


def _find_routes(board: LudoBoard) -> None:
    """The ways of every bank, seat, node and kind; banks that differ in other rules share them."""
    laid: dict[Any, list[Ways]] = {}
    keys = []
    for rules, is_open in zip(board.banks, board.is_open, strict=True):
        key = (is_open, rules.finish.rule, rules.start.leave_on)
        if key not in laid:
            laid[key] = [
                router.ways(node, kind)
                for router in (Router(rules, board.topology, arm, is_open) for arm in board.arms)
                for node in range(board.field(k.NODES))
                for kind in board.kinds
            ]
        keys.append(key)
    if any(row.landing == "may_join" for row in board.rules.meeting):
        laid = {key: _leaving_some(board, routes) for key, routes in laid.items()}
    board.routes = [laid[key] for key in keys]
    counts = (len(ways) for routes in laid.values() for ways in routes if isinstance(ways, list))
    set_fields(board, WAYS=max([1, *counts]))


def _leaving_some(board: LudoBoard, routes: list[Ways]) -> list[Ways]:
    """The ways, and where those who stand together may part each way once more for every number that may go alone."""
    nodes, kinds = board.field(k.NODES), board.field(k.KINDS)
    found = []
    for number, ways in enumerate(routes):
        seat, node = number // (nodes * kinds), number // kinds % nodes
        parts = isinstance(ways, list) and node < board.field(k.FINISH) and board.grounds[0].may_leave(seat, node)
        counts = range(1, board.rules.board.pieces) if parts else ()
        more = [replace(way, alone=count) for count in counts for way in ways] if isinstance(ways, list) else []
        found.append([*ways, *more] if isinstance(ways, list) else ways)
    return found


def _seats(board: LudoBoard) -> None:
    rules, players, topology = board.rules, len(board.arms), board.topology
    side = sides(players, rules)
    everyone = sum(15 << (4 * s) for s in set(side))
    events = reactions.compiled(rules, topology, board.kinds)
    set_fields(board, REACTS=events.events, REACTIONS=len(events.rows) // k.V_SIZE)
    add_tables(
        board,
        T_SIDE=side,
        T_ENEMIES=[everyone & ~(15 << (4 * s)) for s in side],
        T_ENTRY=[board.entry(seat) for seat in range(players)],
        T_KIND=[
            value
            for kind in board.kinds
            for value in (kind.effect, kind.whose, kind.distance, int(token_sets.may_combine(kind)), kind.swaps)
        ],
        T_CARD=_cards_of_kinds(board),
        T_DEALS=list(deals_of(rules)),
        T_SWAPPER=[number for number, kind in enumerate(board.kinds) if kind.swaps],
        T_CHANGE=reactions.changes(rules, topology),
        T_REACTION=events.rows,
        T_CONDITION=events.conditions,
        T_LANDING=events.landing,
        T_HAVEN=events.havens,
        T_CARDS=[card.count for card in rules.chance.cards],
    )


def _cards_of_kinds(board: LudoBoard) -> list[int]:
    """Per kind 1 + the card that it is, where cards are held in hands."""
    names = [card.name for card in board.rules.chance.cards] if deals_of(board.rules) else []
    return [1 + names.index(kind.label) if kind.label in names else 0 for kind in board.kinds]


def _nodes(board: LudoBoard) -> None:
    """What is known of nodes: by seat, or for all."""
    topology, nodes = board.topology, range(board.field(k.NODES))
    back = [topology.way_back(arm) for arm in board.arms]
    to_go = [steps_to_go(topology, arm) for arm in board.arms]
    swaps = board.displaces
    advance, whole = _advances(board, to_go)
    set_fields(board, WHOLE_WAY=whole)
    twins = topology.has_twins
    add_tables(
        board,
        T_PLACE=[*topology.places, *range(topology.tiles, board.field(k.NODES))] if twins else [],
        T_BACK=[before.get(node, topology.start) for before in back for node in nodes],
        T_ON=[int(not swaps or tile in home) for home in to_go for tile in range(topology.tiles)],
        T_ADVANCE=advance,
        T_BIT=[word for node in nodes for word in words_of(board, [node])],
        T_SEEN=[seen_by(board, seat, node) for seat in range(len(board.arms)) for node in nodes],
    )


def _advances(board: LudoBoard, to_go: list[dict[int, int]]) -> tuple[list[int], int]:
    """Per seat and node how far a piece has come, for bots, and how far that is at the finish.

    0 outside the board, 1 on the entry tile; on a ring counted tile by tile, elsewhere by the fewest steps to go.
    """
    tiles, finish, ring = board.field(k.TILES), board.field(k.FINISH), board.field(k.TURNED)
    farthest = finish if ring else max(steps for each in to_go for steps in each.values())
    found = []
    for seat, steps in enumerate(to_go):
        for node in range(board.field(k.NODES)):
            if node > finish:
                found.append(0)
            elif ring:
                found.append(1 + ((node - board.entry(seat)) % tiles if node < tiles else node))
            else:
                found.append(1 + farthest - steps.get(node, farthest))
    return found, 1 + farthest


def seen_by(board: LudoBoard, seat: int, node: int) -> int:
    """A node as a seat counts them: path tiles from its entry tile, held pieces from itself as the captor."""
    held, ring = board.field(k.HELD), board.field(k.TURNED)
    if node < ring:
        return (node - board.entry(seat)) % ring
    return node if node < held else held + (node - held - seat) % len(board.arms)


def _sets(board: LudoBoard) -> None:
    if not board.field(k.POOLED):
        return
    most = token_sets.most_of_each(board.rules, board.kinds, board.longest)
    distances = [kind.distance for kind in board.kinds]
    every = [*board.sets, *(counts for counts, _ in board.out_sets)]
    shapes = [(sum(c), sum(d * n for d, n in zip(distances, c, strict=True)), *c) for c in every]
    add_tables(
        board,
        T_SET=[value for shape in shapes for value in shape],
        T_SET_OF_KEY=token_sets.numbers_by_key(board.sets, most) if board.field(k.COMBINED) else [],
        T_STRIDE=token_sets.strides_of(most),
        T_MOST=most,
        T_LEAVER=leaving_numbers(board),
        T_SUM_REST=[board.rest_of(use.rest, use.times) for _, use in board.out_sets],
    )
