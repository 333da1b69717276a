"""What can't be in the rows of [[on]], in conditions and in duties, in the words of rules."""

from __future__ import annotations

from collections.abc import Iterator

from ludus.core.errors import RulesError
from ludus.games.ludo.board.chance import MOST_OUTCOMES, outcome_count, outcomes_of
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.conditions import asked_of
from ludus.games.ludo.document.duties import duties_of
from ludus.games.ludo.document.event_rows import ROLLED, Rows
from ludus.games.ludo.document.options import Change
from ludus.games.ludo.document.reaction_options import On
from ludus.games.ludo.document.rules import RuleSet

SHORT_DUTIES = {
    "start.compulsory": "out", "start.clear_entry": "clear_entry", "capture.duty": "capture",
    "block.unblock_duty": "unblock",
}  # fmt: skip


def bad_rows(rules: RuleSet) -> list[str]:
    """What can't be in each row of [[on]], in words."""
    found = []
    for number, row in enumerate(rules.on):
        reasons = [f"on.{number}: {reason} (L18)" for broken, reason in _row_questions(rules, row) if broken]
        words = None if reasons else _bad_texts(rules, row.when, f"on.{number}.when")
        found += reasons or ([words] if words else [])
    words = None if found else _counts_differently(rules)
    return [*found, words] if words else found


def _row_questions(rules: RuleSet, row: On) -> Iterator[tuple[bool, str]]:
    rolled = row.event in ROLLED
    yield (row.event == "landing") != bool(row.tiles), 'event = "landing" and tiles go together'
    yield (
        bool(row.values) and row.event not in ("roll", "double", "triple"),
        'values need event = "roll", "double" or "triple"',
    )
    yield row.nth > 0 and not rolled, f"nth counts rolls, not {row.event}"
    yield row.do == "lose" and not rolled, 'do = "lose" needs an event that is a roll'
    yield (row.do == "token") != bool(row.token), 'do = "token" and token go together'
    yield row.token in ("0", "-0"), "a token of 0 tiles moves nothing"
    yield from _amounts(rules, row)
    yield (
        row.do == "out" and row.amount > rules.board.pieces,
        f"amount = {row.amount} is more than board.pieces = {rules.board.pieces}",
    )
    yield row.piece != "moved" and row.do not in ("home", "move", "swap"), 'piece needs do = "home", "move" or "swap"'
    yield (
        row.event == "start" and (row.do != "out" or bool(row.when)),
        'event = "start" takes do = "out" and no conditions',
    )
    yield from _what_moves(row)
    yield from _rounds(rules, row)
    yield (
        row.event in ("double", "triple") and rules.chance.dice < (3 if row.event == "triple" else 2),
        f'event = "{row.event}" needs as many dice',
    )
    yield (
        row.token == "finish" and rules.finish.places == "end_path",
        'token = "finish" needs finish.places = "one_tile"',
    )
    yield (
        row.do == "token" and row.event in ("no_move", "missed_capture"),
        f'do = "token" does not follow {row.event}: nothing is played then',
    )


def _rounds(rules: RuleSet, row: On) -> Iterator[tuple[bool, str]]:
    """Where pieces begin, and when they begin anew."""
    yield bool(row.onto) and row.event != "start", 'onto needs event = "start"'
    yield len(row.onto) > rules.board.pieces, f"onto names more tiles than board.pieces = {rules.board.pieces}"
    yield (
        row.do == "new_round" and any(other.event == "start" for other in rules.on),
        'do = "new_round" brings all pieces back to their yards; event = "start" does not come again',
    )
    yield (
        row.do == "new_round" and (row.event != "all_home" or rules.win.condition != "score"),
        'do = "new_round" needs event = "all_home" and win.condition = "score"',
    )


def _what_moves(row: On) -> Iterator[tuple[bool, str]]:
    """Which piece an event can send."""
    moves = row.event in ("landing", "capture", "home", "all_home")
    yield row.do == "home" and row.piece == "moved" and not moves, 'piece = "moved" needs an event of a move'
    yield row.do in ("move", "swap") and not moves, f'do = "{row.do}" needs an event of a move'
    yield row.do in ("move", "swap") and row.piece in ("all", "unsafe"), f'do = "{row.do}" moves one piece'
    yield (
        row.piece == "could_have" and row.event != "missed_capture",
        'piece = "could_have" needs event = "missed_capture"',
    )


def _amounts(rules: RuleSet, row: On) -> Iterator[tuple[bool, str]]:
    """What an amount may be of, and how much."""
    counted = row.do in ("out", "token")
    yield (
        row.amount != 1 and not counted and row.do not in ("move", "stake"),
        ('amount needs do = "out", "token", "move" or "stake"'),
    )
    yield counted and not 1 <= row.amount <= 15, f'do = "{row.do}" has an amount from 1 to 15'
    yield row.amount == 0, "an amount of 0 does nothing"
    yield row.amount != 1 and bool(row.onto), "amount and onto both say how many pieces come out"
    yield row.do == "stake" and not rules.win.score, 'do = "stake" needs win.condition = "score"'


def _bad_texts(rules: RuleSet, texts: tuple[str, ...], where: str) -> str | None:
    """The first text that is no condition, or names a tile that is not there."""
    for text in texts:
        try:
            asked = asked_of(text).condition
            if asked.tile is not None:
                Topology(rules).node(asked.tile, where)
        except RulesError as error:
            return str(error) if str(error).startswith(where) else f"{where}: {error} (L2)"
        if asked.what == "partner home" and rules.modes.mode != "teams":
            return f'{where}: partners need modes.mode = "teams" (L2)'
        if asked.low > asked.high:
            return f"{where}: {text!r} can never be (L2)"
    return None


def bad_condition(rules: RuleSet, change: Change, where: str) -> str | None:
    """Why a change's condition is none, in words, or None."""
    if change.when == "tile":
        return (
            f'{where}: lasts = "while" needs a condition: use when = "holds {change.tile}" (L2)'
            * (change.lasts == "while")
            or None
        )
    try:
        asked = change.condition
    except RulesError as error:
        return f"{where}.when: {error}; or captures, lost, home, turns with at_least, or tile (L2)"
    if change.lasts == "while" and change.scope == "all":
        return f'{where}: lasts = "while" needs scope = "own": each colour has its own condition (L2)'
    if asked.tile is not None or asked.what == "partner home":
        return _bad_texts(rules, (change.when,), f"{where}.when")
    return None


def _counts_differently(rules: RuleSet) -> str | None:
    """One count of rolls in a row is kept: rows that count others can't stand beside each other."""
    rows = Rows(rules)
    counting = [row for row in rows.all if row.nth]
    if len(counting) < 2 or outcome_count(rules) > MOST_OUTCOMES:
        return None
    counted = {tuple(rows.shows(row, outcome) for outcome in outcomes_of(rules)) for row in counting}
    return "on: rows with nth count different rolls; one count is kept in a turn" if len(counted) > 1 else None


def bad_duty(rules: RuleSet) -> str | None:
    """The first duty that can't be, in words, or None."""
    if not rules.turn.duties:
        return None
    for place, short in SHORT_DUTIES.items():
        group, _, key = place.partition(".")
        if getattr(getattr(rules, group), key):
            return f'turn.duties is the whole list: write "{short}" in it instead of {place}'
    try:
        listed = duties_of(rules)
    except RulesError as error:
        return f"turn.duties: {error}"
    if len(set(listed)) < len(listed):
        return "turn.duties names a duty twice"
    for duty in listed:
        if duty.with_roll == "double" and rules.tokens_in_a_roll < 2 and rules.chance.dice < 2:
            return "turn.duties: 'on double' needs several dice"
    if any(duty.what == "unblock" for duty in listed) and rules.block.stops == "none":
        return 'turn.duties: "unblock" needs block.stops'
    return None
