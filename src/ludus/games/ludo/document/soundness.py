"""What a rule set must be able to do to be a game: leave the yard, meet, capture, come home, and end."""

from __future__ import annotations

from collections.abc import Iterator

from ludus.core.errors import RulesError
from ludus.games.ludo.board.chance import MOST_OUTCOMES, MOST_WEIGHT, Outcome, outcome_count
from ludus.games.ludo.board.chance import outcomes_of as outcomes
from ludus.games.ludo.board.graphs import closure, dead_ends, has_circle, turned_round
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.event_rows import Rows, rows_of
from ludus.games.ludo.document.rules import COLOURS, RuleSet
from ludus.games.ludo.document.tokens import pairs_that_leave
from ludus.games.ludo.kernel import OTHERS, OWN, SWAP

TILE_LISTS = ("safe.at", "squares.roll_again", "squares.miss_turn", "squares.turn_round", "squares.send_home")


def brings_out(rules: RuleSet, outcome: Outcome) -> bool:
    """Whether an outcome can bring a piece out."""
    together = {(a, b) for a, b, _ in pairs_that_leave(rules)} if rules.chance.tokens else set()
    if together and tuple(sorted(outcome.values, reverse=True)) in together:
        return True
    return any(kind.whose != OTHERS and kind.leaves(rules.start.leave_on) for kind in outcome.kinds)


def comes_out_by_event(rules: RuleSet) -> bool:
    """Whether something but a roll brings pieces out during the game (L24)."""
    return any("out" in (row.do, row.token) for row in rules.on if row.event != "start")


def unsound(rules: RuleSet) -> str | None:
    """Why a rule set is no game, with the field and the rule's id, or None."""
    if outcome_count(rules) > MOST_OUTCOMES:
        return f"chance.dice: {outcome_count(rules)} different rolls are more than {MOST_OUTCOMES}"
    try:
        return next((words for broken, words in _questions(rules) if broken), None)
    except RulesError as error:
        return str(error)


def _questions(rules: RuleSet) -> Iterator[tuple[bool, str]]:
    results = outcomes(rules)
    rows = Rows(rules)
    played = [outcome for outcome in results if not rows.does(outcome, "lose")]
    yield sum(outcome.weight for outcome in results) > MOST_WEIGHT, "chance.weights: their products are too large"
    yield len(results) < 2, "chance: there is only one outcome, so nothing is random (L15)"
    values = {value for outcome in results for value in outcome.values}
    if rules.chance.device != "cards":
        for value in rules.start.leave_on:
            known = value in values or any(kind.distance == value for o in results for kind in o.kinds)
            yield not known, f"start.leave_on: {value} is never rolled (L25)"
    yield (
        not comes_out_by_event(rules) and not any(brings_out(rules, outcome) for outcome in played),
        "start.leave_on: nothing brings a piece out (L25)",
    )
    yield (
        all(rows.does(o, "again") for o in results) and not any(r.nth and r.do == "lose" for r in rows.all),
        ("turn.again_on: every roll gives another, so no turn ends (L18)"),
    )
    topology = Topology(rules)
    for field in TILE_LISTS:
        group, _, key = field.partition(".")
        for name in getattr(getattr(rules, group), key):
            topology.tile(name, field)
    for number, row in enumerate(rules.on):
        for name in row.tiles:
            topology.tile(name, f"on.{number}.tiles")
    for change in rules.changes:
        if change.tile is not None:
            topology.node(change.tile, "changes.tile")
    yield from _board_questions(rules, topology)


def _board_questions(rules: RuleSet, topology: Topology) -> Iterator[tuple[bool, str]]:
    shared = set(range(topology.tiles))
    for arm in range(rules.board.seats):
        colour = COLOURS[arm]
        entries = topology.entries(arm)
        yield not entries, f"board.paths: {colour} has no entry tile: write '{colour}: start > a tile' (L25)"
        yield (
            any(entry >= topology.tiles for entry in entries),
            f"board.paths: {colour} comes out onto no path tile (L26)",
        )
        reached = topology.reachable(arm)
        home = topology.finish - (rules.finish.places == "end_path")
        ends = ", ".join(str(topology.name(node)) for node in dead_ends(topology, arm)) or "–"
        yield (
            home not in reached,
            f"board.paths: {colour} can't reach its finish: its way ends at {ends}, "
            "and the last tile leads to 'finish' (L27)",
        )
        shared &= reached
    yield not shared, "board.paths: no tile can be reached by all colours (L22)"


def endless(rules: RuleSet) -> str:
    """Why a game might never end (L20 allows it), as a key of the words `endless`; nothing where it ends."""
    if rules.win.turn_limit:
        return ""
    topology, kinds = Topology(rules), {kind for outcome in outcomes(rules) for kind in outcome.kinds}
    home = rules.win.home_points * rules.board.pieces
    moves_others = any(kind.whose != OWN for kind in kinds) or rules.movement.may_move == "all"
    reasons = {
        "may_pass": rules.turn.may_pass,
        "backward": any(distance < 0 for kind in kinds for distance in kind.distances),
        "moves_others": moves_others,
        "swaps": any(kind.effect == SWAP for kind in kinds),
        "sent_home": any(row.do == "home" and row.event == "landing" for row in rows_of(rules)),
        "score": rules.win.condition == "score" and rules.win.score > home,
        "circle": _has_circle(rules, topology),
        "dead_end": _has_dead_end(rules, topology),
        "locked": _may_lock(rules, {distance for kind in kinds for distance in kind.distances}),
    }
    return next((key for key, holds in reasons.items() if holds), "")


def _may_lock(rules: RuleSet, distances: set[int]) -> bool:
    """Whether there are blocks enough to stand round the whole path, each within the shortest step of the next."""
    board = rules.board
    if rules.block.stops == "none" or board.shape == "graph":
        return False
    pairs = board.seats * board.pieces // 2 if rules.modes.mode == "teams" else board.seats * (board.pieces // 2)
    shortest = min((distance for distance in distances if distance > 0), default=0)
    return pairs * shortest >= rules.path_length


def _further(topology: Topology, arm: int) -> dict[int, list[int]]:
    """Per node that a colour can come to, the nodes next to it, jumps included."""
    return {node: topology.further(arm, node) for node in topology.reachable(arm)}


def _has_circle(rules: RuleSet, topology: Topology) -> bool:
    if not topology.extra and not topology.has_jumps:
        return False
    return any(has_circle(_further(topology, arm)) for arm in range(rules.board.seats))


def _has_dead_end(rules: RuleSet, topology: Topology) -> bool:
    home = topology.finish - (rules.finish.places == "end_path")
    for arm in range(rules.board.seats):
        further = _further(topology, arm)
        if set(further) - closure(turned_round(further), [home]):
            return True
    return False
