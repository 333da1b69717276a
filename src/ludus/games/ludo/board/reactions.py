"""Events, conditions and duties of a rule set → the rows that the kernel goes through."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.chance import Kind, Outcome, named
from ludus.games.ludo.board.numbers import WHEN
from ludus.games.ludo.board.tiles import safe_tiles
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.conditions import Condition, asked_of
from ludus.games.ludo.document.duties import DUTIES, duties_of
from ludus.games.ludo.document.event_rows import ROLLED, Rows
from ludus.games.ludo.document.reaction_options import On
from ludus.games.ludo.document.rules import RuleSet

EVENTS = {
    **dict.fromkeys(ROLLED, k.ON_ROLL), "landing": k.ON_LANDING, "capture": k.ON_CAPTURE, "home": k.ON_HOME,
    "all_home": k.ON_ALL_HOME, "no_move": k.ON_NO_MOVE, "missed_capture": k.ON_MISSED,
}  # fmt: skip
VERBS = {
    "again": k.DO_AGAIN, "lose": k.DO_LOSE, "skip": k.DO_SKIP, "skip_next": k.DO_SKIP_NEXT, "reverse": k.DO_REVERSE,
    "out": k.DO_OUT, "home": k.DO_HOME, "token": k.DO_TOKEN, "move": k.DO_MOVE, "stake": k.DO_STAKE,
    "new_round": k.DO_NEW_ROUND, "swap": k.DO_SWAP,
}  # fmt: skip
PIECES = {
    "moved": k.WHO_MOVED, "last_moved": k.WHO_LAST, "furthest": k.WHO_FURTHEST, "hindmost": k.WHO_HINDMOST,
    "all": k.WHO_ALL, "unsafe": k.WHO_UNSAFE, "could_have": k.WHO_COULD,
    "foremost": k.WHO_FOREMOST,
}  # fmt: skip


@dataclass(frozen=True)
class Reactions:
    """The events that something follows (as bits), their rows and conditions; per tile what it sets off and spares."""

    events: int
    rows: list[int]
    conditions: list[int]
    landing: list[int]
    havens: list[int]


def compiled(rules: RuleSet, topology: Topology, kinds: list[Kind]) -> Reactions:
    """The rows of a rule set that the columns of outcomes, tiles and options can't say."""
    told = Rows(rules).told
    rows: list[int] = []
    conditions: list[int] = []
    numbers = {change.name: n for n, change in enumerate(rules.all_changes, start=1) if not change.set}
    landing = [0] * topology.tiles if any(row.event == "landing" for row in told) else []
    for number, row in enumerate(told):
        first = len(conditions) // k.P_SIZE
        for text in row.when:
            kept = f"when {text.removeprefix('when ')}"
            conditions += [*condition_row(asked_of(text).condition, topology), numbers.get(kept, 0)]
        for name in row.tiles:
            for tile in topology.names_of(topology.tile(name, "on.tiles")):
                landing[tile] |= 1 << number
        rows += [
            EVENTS[row.event], row.nth, VERBS[row.do], amount_of(row, kinds), PIECES[row.piece], first, len(row.when),
        ]  # fmt: skip
    safe = safe_tiles(rules, topology)
    spares = any(row.piece == "unsafe" for row in told)
    havens = [int(tile in safe) for tile in range(topology.tiles)] if spares else []
    return Reactions(sum({1 << EVENTS[row.event] for row in told}), rows, conditions, landing, havens)


def amount_of(row: On, kinds: list[Kind]) -> int:
    """How many pieces come out or points are paid; the kind of a token that is given, and how many; how one moves."""
    if row.do == "token":
        return numbered(kinds.index(named(row.token)), row.amount)
    return kinds.index(named(str(row.amount))) if row.do == "move" else row.amount


def numbered(kind: int, times: int) -> int:
    """Tokens to be played, as the kernel counts them: 1 + their kind, and 256 for each more."""
    return kind + 1 + 256 * (times - 1)


def condition_row(asked: Condition, topology: Topology) -> list[int]:
    """One condition as the kernel reads it."""
    node = topology.node(asked.tile, "on.when") if asked.tile is not None else 0
    return [WHEN[asked.what], asked.low, asked.high, node]


def changes(rules: RuleSet, topology: Topology) -> list[int]:
    """The conditions under which rules change."""
    rows: list[int] = []
    for change in rules.all_changes:
        scope, lives = int(change.scope == "all"), int(change.lasts == "while")
        if change.tile is not None:
            rows += [k.BY_TILE, 1, topology.node(change.tile, "changes.tile"), scope, 1, 0]
            continue
        what, low, high, node = condition_row(change.condition, topology)
        rows += [what, low, node, scope, high, lives]
    return rows


def bits_of(events: Rows, outcome: Outcome) -> int:
    """Which rows of the table an outcome sets off."""
    return sum(1 << n for n, row in enumerate(events.told) if row.event in ROLLED and events.shows(row, outcome))


# ---------------------------------------------------------------- duties


def shown_rolls(rules: RuleSet) -> list[str]:
    """The rolls after which some duty is asked, in the order of their bits."""
    return list(dict.fromkeys(duty.with_roll for duty in duties_of(rules) if duty.with_roll))


def shown_by(rules: RuleSet, outcome: Outcome) -> int:
    """What an outcome shows of that."""
    doubled = len(set(outcome.values)) < len(outcome.values)
    return sum(
        1 << bit
        for bit, roll in enumerate(shown_rolls(rules))
        if (doubled if roll == "double" else int(roll) in outcome.values)
    )


def duty_rows(rules: RuleSet) -> list[int]:
    """The list of duties as the kernel reads it, where the document has one of its own."""
    rolls = shown_rolls(rules)
    return [
        value
        for duty in (duties_of(rules) if rules.turn.duties else ())
        for value in (DUTIES.index(duty.what), 1 << rolls.index(duty.with_roll) if duty.with_roll else 0)
    ]


def break_bits(banks: tuple[RuleSet, ...]) -> int:
    """The rolls whose duty to break a block is done with the first move that does so."""
    bits: set[int] = set()
    for rules in banks:
        rolls = shown_rolls(rules)
        bits |= {1 << rolls.index(d.with_roll) for d in duties_of(rules) if d.what == "break_block" and d.with_roll}
    return sum(bits)
