"""What a rule set must be able to do to be a game: leave the yard, meet, capture, come home, and end."""

from __future__ import annotations

from collections.abc import Iterator

from ludus.core.errors import RulesError
from ludus.games.ludo.board.chance import (
    MOST_OUTCOMES,
    MOST_WEIGHT,
    OTHERS,
    OUT,
    OWN,
    STEP,
    SWAP,
    Outcome,
    outcome_count,
)
from ludus.games.ludo.board.chance import outcomes_of as outcomes
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import COLOURS, RuleSet

TILE_LISTS = ("safe.at", "squares.roll_again", "squares.miss_turn", "squares.turn_round", "squares.send_home")


def gives_again(rules: RuleSet, outcome: Outcome) -> bool:
    """Whether an outcome by itself gives another roll."""
    turn = rules.turn
    return (
        outcome.then == "again"
        or (outcome.doubles and "doubles" in turn.again_on)
        or ("six" in turn.again_on and 6 in outcome.values)
        or bool(set(turn.again_values) & set(outcome.values))
    )


def brings_out(rules: RuleSet, outcome: Outcome) -> bool:
    """Whether an outcome can bring a piece out."""
    return any(
        kind.effect == OUT or (kind.effect == STEP and kind.whose != OTHERS and kind.distance in rules.start.leave_on)
        for kind in outcome.kinds
    )


def is_played(rules: RuleSet, outcome: Outcome) -> bool:
    """Whether an outcome is played at all, and does not just end the turn."""
    return not set(rules.turn.lose_on) & set(outcome.values)


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
    played = [outcome for outcome in results if is_played(rules, outcome)]
    yield sum(outcome.weight for outcome in results) > MOST_WEIGHT, "chance.weights: their products are too large"
    yield len(results) < 2, "chance: there is only one outcome, so nothing is random (L15)"
    values = {value for outcome in results for value in outcome.values}
    if rules.chance.device != "cards":
        for value in rules.start.leave_on:
            known = value in values or any(kind.distance == value for o in results for kind in o.kinds)
            yield not known, f"start.leave_on: {value} is never rolled (L25)"
    yield not any(brings_out(rules, outcome) for outcome in played), "start.leave_on: nothing brings a piece out (L25)"
    yield (
        all(gives_again(rules, o) for o in results) and not rules.sixes_limit,
        ("turn.again_on: every roll gives another, so no turn ends (L18)"),
    )
    topology = Topology(rules)
    for field in TILE_LISTS:
        group, _, key = field.partition(".")
        for name in getattr(getattr(rules, group), key):
            topology.tile(name, field)
    for change in rules.changes:
        if change.tile is not None:
            topology.node(change.tile, "changes.tile")
    yield from _board_questions(rules, topology)
    reason = endless(rules, topology, results)
    yield (
        rules.win.turn_limit == 0 and reason != "",
        (f"win.turn_limit: the game can go on for ever ({reason}), so it has to declare a limit (L20)"),
    )


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
        yield home not in reached, f"board.paths: {colour} can't reach its finish (L27)"
        shared &= reached
    yield not shared, "board.paths: no tile can be reached by all colours (L22)"


def endless(rules: RuleSet, topology: Topology, results: list[Outcome]) -> str:
    """Why a game might never end, or nothing."""
    kinds = {kind for outcome in results for kind in outcome.kinds}
    home = rules.win.home_points * rules.board.pieces
    reasons = [
        ("a player may pass", rules.turn.may_pass),
        ("pieces go back", any(kind.distance < 0 for kind in kinds)),
        (
            "players move each other's pieces",
            any(kind.whose != OWN for kind in kinds) or rules.movement.may_move == "all",
        ),
        ("pieces change places", any(kind.effect == SWAP for kind in kinds)),
        ("tiles send pieces home", bool(rules.squares.send_home)),
        ("the score may stay out of reach", rules.win.condition == "score" and rules.win.score > home),
        ("a piece can go round in a circle", _has_circle(rules, topology)),
        ("a piece can come to where no way leads home", _has_dead_end(rules, topology)),
        ("blocks all round the path can lock each other in", _may_lock(rules, {kind.distance for kind in kinds})),
    ]
    return next((words for words, holds in reasons if holds), "")


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
    ahead = topology.successors(arm)
    return {
        node: [*ahead[node], *([topology.jumps[node]] if node in topology.jumps else [])]
        for node in topology.reachable(arm)
    }


def _has_circle(rules: RuleSet, topology: Topology) -> bool:
    if not topology.extra and not topology.jumps:
        return False
    return any(_circles(_further(topology, arm)) for arm in range(rules.board.seats))


def _circles(further: dict[int, list[int]]) -> bool:
    """Whether a graph has a circle: take away what leads nowhere until nothing is left."""
    waiting = {node: len(ways) for node, ways in further.items()}
    before: dict[int, list[int]] = {node: [] for node in further}
    for node, ways in further.items():
        for there in ways:
            before[there].append(node)
    done = [node for node, count in waiting.items() if count == 0]
    for node in done:
        for earlier in before[node]:
            waiting[earlier] -= 1
            if waiting[earlier] == 0:
                done.append(earlier)
    return len(done) < len(further)


def _has_dead_end(rules: RuleSet, topology: Topology) -> bool:
    last = topology.finish - (rules.finish.places == "end_path")
    for arm in range(rules.board.seats):
        further = _further(topology, arm)
        before: dict[int, list[int]] = {node: [] for node in further}
        for node, ways in further.items():
            for there in ways:
                before[there].append(node)
        found, frontier = {last}, [last]
        while frontier:
            frontier = [n for node in frontier for n in before[node] if n not in found and not found.add(n)]  # type: ignore[func-returns-value]
        if len(found) < len(further):
            return True
    return False
