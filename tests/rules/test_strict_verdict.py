"""What `ludus rules check` says of S1 to S53: each holds in strict, and is broken by the documents that break it.

A document here is Strict Ludo with a few options changed, as somebody would write it in a file.
"""

from __future__ import annotations

import functools
from typing import Any

import pytest

from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.document.rules import GROUPS, RuleSet
from ludus.games.ludo.rulebook.findings import BROKEN, HOLDS, UNDECIDABLE
from ludus.games.ludo.rulebook.strict import CLAUSES, strict_findings
from ludus.games.ludo.rulebook.verdict import check, read

RULES = [f"S{n}" for n in range(1, 54)]
OWN_OPTIONS = [
    {"chance.dice": dice, "board.end_path": end, "board.corners": corners}
    for dice in (1, 2)
    for end in (4, 5)
    for corners in (False, True)
]

# no document can break these: they are what every game of ludus is, or (S8) nothing that a document could say
UNBREAKABLE = {"S1", "S5", "S8", "S11", "S22", "S37", "S38", "S41", "S42", "S50"}

POOL = {"chance.dice": 2, "chance.pool": "double_six", "movement.combined_move": "sweep"}
HELD = POOL | {"capture.captured_to": "held", "block.stops": "opponents"}
GRAPH = {
    "board.shape": "graph",
    "finish.passing": True,  # there is no end path to pass on
    "board.seats": 2,
    "board.paths": [
        "1..20",
        "green: start > 1",
        "yellow: start > 2",
        "green: 20 > finish",
        "yellow: 20 > finish",
    ],
    "finish.rule": "overshoot",
}
RING = ["1..20 > 1", "green: start > 1", "yellow: start > 11", "green: 20 > finish", "yellow: 10 > finish"]
LIMIT = {"win.turn_limit": 500}
CARDS: dict[str, Any] = {"chance.device": "cards", **LIMIT}


def deck(*cards: dict[str, Any]) -> dict[str, Any]:
    """A deck with a six, a one, and these cards."""
    plain = [{"name": "six", "distance": 6}, {"name": "one", "distance": 1}]
    return CARDS | {"chance.cards": [*plain, *cards]}


# id, what is changed, the option at fault, and what the reason says
def on(**row: Any) -> dict[str, Any]:
    """One row of what follows what."""
    return {"on": [row]}


TWO_EACH = {"players.controls": [["green", "yellow"], ["blue", "red"]]}
BROKEN_BY: list[tuple[str, dict[str, Any], str, str]] = [
    ("S2", {"board.seats": 6}, "board.seats", "up to 6 can play"),
    ("S3", TWO_EACH, "players.controls", "each player has two colours"),
    ("S4", GRAPH, "board.paths", "leads back to its beginning"),
    ("S6", {"board.pieces": 3}, "board.pieces", "3 pieces"),
    ("S6", TWO_EACH, "players.controls", "each player has two colours"),
    ("S7", {"modes.mode": "teams"}, "modes.mode", "partner's pieces"),
    ("S7", {"movement.may_move": "all"} | LIMIT, "movement.may_move", "pieces of others"),
    ("S7", deck({"name": "push", "distance": 2, "moves": "opponent"}), "chance.cards", "other players' pieces"),
    ("S9", {"finish.places": "end_path", "movement.share_own": False}, "finish.places", "end path is the finish"),
    (
        "S9",
        {"board.shape": "ring", "board.end_path": 0, "board.path": 40, "finish.passing": True},
        "board.end_path",
        "0 tiles",
    ),
    ("S10", GRAPH, "board.shape", "no end paths"),
    ("S12", {"modes.mode": "teams"}, "modes.mode", "win together"),
    ("S12", {"win.condition": "last_out"}, "win.condition", "won otherwise"),
    ("S12", {"win.condition": "score", "win.score": 3}, "win.condition", '"score"'),
    ("S12", {"win.needed": 2}, "win.needed", "2 pieces home are enough"),
    ("S12", LIMIT, "win.turn_limit", "after 500 turns"),
    ("S13", deck(), "chance.device", '"cards" instead of dice'),
    ("S13", {"chance.device": "cowries", "chance.dice": 6}, "chance.device", '"cowries"'),
    ("S13", {"chance.dice": 3}, "chance.dice", "3 dice"),
    ("S13", {"chance.faces": [1, 2, 3, 4, 5, 6, 7, 8]}, "chance.faces", "the faces are"),
    ("S13", {"chance.weights": [1, 1, 1, 1, 1, 2]}, "chance.weights", "not equally likely"),
    ("S14", {"turn.first": "seat"}, "turn.first", "without a roll"),
    ("S14", {"turn.first": "lot"}, "turn.first", "without a roll"),
    ("S14", {"turn.reverse_on": [1]}, "turn.reverse_on", "[1] turns the order of play round"),
    ("S15", {"turn.first": "seat"}, "turn.first", "without a roll"),
    ("S16", {"turn.first": "seat"}, "turn.first", "without a roll"),
    ("S17", {"turn.again_on": ["six"]}, "turn.again_on", "another roll"),
    ("S17", {"turn.again_on": ["capture"]}, "turn.again_on", "another roll"),
    ("S17", {"turn.again_values": [1]}, "turn.again_values", "another roll"),
    ("S17", {"turn.lose_on": [1]}, "turn.lose_on", "ends the turn unplayed"),
    ("S17", {"turn.skip_on": [1]}, "turn.skip_on", "costs the next turn"),
    ("S17", POOL, "chance.pool", "double six"),
    ("S17", {"turn.attempts": 3}, "turn.attempts", "3 rolls"),
    ("S17", {"capture.capture_bonus": 20}, "capture.capture_bonus", "bonus move of 20"),
    ("S17", {"finish.finish_bonus": 10}, "finish.finish_bonus", "bonus move of 10"),
    ("S17", {"squares.roll_again": [5]}, "squares.roll_again", "[5]"),
    ("S17", {"squares.miss_turn": [5]}, "squares.miss_turn", "[5]"),
    ("S17", {"squares.turn_round": [5]}, "squares.turn_round", "[5]"),
    ("S17", deck({"name": "rest", "then": "skip"}), "chance.cards", "whose turn it is"),
    ("S18", {"turn.again_on": ["six"], "turn.six_without_move": "rolls_again"}, "turn.six_without_move", "rolls again"),
    ("S18", {"turn.attempts": 3}, "turn.attempts", "3 rolls"),
    ("S19", {"win.play_on": True}, "win.play_on", "play on for their places"),
    ("S19", {"modes.mode": "teams"}, "modes.mode", "win together"),
    ("S19", LIMIT, "win.turn_limit", "after 500 turns"),
    ("S20", GRAPH, "board.shape", "not a circular track"),
    ("S20", {"board.paths": ["3 > a > 9"]}, "board.paths", "ways beside the circular path"),
    ("S21", on(event="start", do="out"), "on", "before the first turn"),
    ("S17", on(event="roll", values=[1], do="skip"), "on", "beyond the roll"),
    ("S18", on(event="no_move", do="again"), "on", "beyond the roll"),
    ("S23", on(event="roll", values=[1], do="out"), "on", "beyond the roll"),
    ("S27", on(event="roll", values=[1], do="home", piece="furthest"), "on", "but a capture sends pieces home"),
    ("S33", on(event="landing", tiles=[3], do="again"), "on", "some tiles do something"),
    ("S27", {"chance.tokens": {"6": ["7"]}, "start.leave_on": [1]}, "chance.tokens", "in ways of its own"),
    ("S23", {"chance.tokens": {"6": ["out", "6"], "1": ["out", "1"]}}, "chance.tokens", "in ways of its own"),
    ("S17", {"chance.hold": "turn"}, "chance.hold", "saved"),
    ("S28", {"turn.duties": ["capture"]}, "turn.duties", "must be done first"),
    ("S23", {"start.leave_on": [1, 6]}, "start.leave_on", "[1, 6]"),
    ("S23", deck({"name": "out", "effect": "out"}), "chance.cards", "brings pieces out"),
    ("S24", {"start.enter": "distance"}, "start.enter", "as far as was rolled"),
    ("S24", POOL | {"start.go_on": "forced_alone"}, "start.go_on", "go on in the same move"),
    ("S24", {"board.paths": ["green: start > 5"]}, "board.paths", "elsewhere"),
    ("S25", GRAPH, "board.shape", "not a circular track"),
    ("S26", {"board.travel": "anticlockwise"}, "board.travel", "anticlockwise"),
    ("S26", {"board.end_path": 4, "finish.rule": "bounce_from_square"}, "finish.rule", "back onto the path"),
    ("S26", {"chance.faces": [-1, 2, 3, 4, 5, 6]} | LIMIT, "chance.faces", "backward"),
    ("S26", deck({"name": "back", "distance": -4}), "chance.cards", "backward"),
    ("S27", {"movement.stars": [5]}, "movement.stars", "star"),
    ("S27", {"board.jumps": ["5 > 9"]}, "board.jumps", "jump elsewhere"),
    ("S27", POOL, "movement.combined_move", "stops at the first capture"),
    (
        "S27",
        {"chance.dice": 2, "movement.combined_move": "jump", "start.go_on": "forced_alone"},
        "start.go_on",
        "go on",
    ),
    ("S27", {"capture.by": "sweep"}, "capture.by", "stops at the first capture"),
    ("S27", {"finish.rule": "overshoot"}, "finish.rule", "less far"),
    ("S27", deck({"name": "swap", "effect": "swap"}), "chance.cards", "swaps"),
    ("S28", {"start.compulsory": True}, "start.compulsory", "can come out must"),
    ("S28", {"start.clear_entry": True}, "start.clear_entry", "must move on first"),
    ("S28", {"block.stops": "all", "block.unblock_duty": True}, "block.unblock_duty", "broken up"),
    ("S28", {"block.moves_on": False, "chance.dice": 2}, "block.moves_on", "stand together again"),
    ("S28", {"capture.duty": True}, "capture.duty", "who can capture must"),
    ("S27", {"meeting": [{"who": "own", "landing": "stops_before"}]}, "meeting", "stops before"),
    ("S28", {"meeting": [{"who": "own", "landing": "joins"}]}, "meeting", "move together"),
    ("S29", {"meeting": [{"passing": False}]}, "meeting", "can't just be passed"),
    ("S34", {"meeting": [{"who": "own", "landing": "closed"}]}, "meeting", "do not just share"),
    ("S35", {"meeting": [{"count": "2+", "landing": "share"}]}, "meeting", "not sent back"),
    ("S28", {"capture.freezes": True, "chance.dice": 2}, "capture.freezes", "may not move again"),
    ("S29", {"block.stops": "opponents"}, "block.stops", "are a block"),
    ("S29", {"start.protects": "until_moved"}, "start.protects", "blocks its entry tile"),
    ("S29", {"capture.by": "passing"}, "capture.by", "in passing"),
    ("S29", POOL, "movement.combined_move", "stops at the first capture"),
    ("S30", {"start.leave_on": [5, 6]}, "start.leave_on", "[5, 6]"),
    ("S30", {"turn.lose_on": [3]}, "turn.lose_on", "[3] ends the turn unplayed"),
    ("S31", {"turn.lose_on": [6], "start.leave_on": [5, 6]}, "turn.lose_on", "[6] ends the turn unplayed"),
    ("S30", {"turn.may_pass": True} | LIMIT, "turn.may_pass", "may pass"),
    ("S31", {"start.leave_on": [5]}, "start.leave_on", "[5]"),
    ("S31", {"block.stops": "opponents"}, "block.stops", "keeps a 6 from bringing"),
    ("S31", {"turn.may_pass": True} | LIMIT, "turn.may_pass", "may pass"),
    ("S32", {"start.leave_on": [5, 6]}, "start.leave_on", "[5, 6]"),
    ("S32", {"turn.attempts": 3}, "turn.attempts", "3 rolls"),
    ("S33", {"movement.stars": [5]}, "movement.stars", "star"),
    ("S33", {"board.jumps": ["5 > 9"]}, "board.jumps", "jump elsewhere"),
    ("S33", {"safe.tiles": [8]}, "safe.tiles", "[8]"),
    ("S33", {"safe.at": [8]}, "safe.at", "[8]"),
    ("S33", {"safe.entry": "owner_punishes"}, "safe.entry", "sent home"),
    ("S33", {"squares.roll_again": [5]}, "squares.roll_again", "[5]"),
    ("S33", {"squares.miss_turn": [5]}, "squares.miss_turn", "[5]"),
    ("S33", {"squares.turn_round": [5]}, "squares.turn_round", "[5]"),
    ("S33", {"squares.send_home": [5]} | LIMIT, "squares.send_home", "[5]"),
    ("S34", {"movement.share_own": False}, "movement.share_own", "never share"),
    ("S34", {"block.stops": "all"}, "block.stops", "a third can't join"),
    ("S35", {"capture.stack": "punishes"}, "capture.stack", "sent home instead"),
    ("S35", HELD, "capture.captured_to", '"held"'),
    ("S35", {"capture.captured_to": "back"}, "capture.captured_to", '"back"'),
    ("S35", {"safe.tiles": [8]}, "safe.tiles", "[8]"),
    ("S35", {"safe.at": [8]}, "safe.at", "[8]"),
    ("S36", {"safe.entry": "open"}, "safe.entry", "can be captured"),
    ("S39", {"capture.before_home": True}, "capture.before_home", "closed until the first capture"),
    ("S39", {"board.paths": ["5 > end:2"]}, "board.paths", "into an end path"),
    ("S39", {"board.jumps": ["5 > end:2"]}, "board.jumps", "into an end path"),
    ("S40", {"movement.stars": [5]}, "movement.stars", "straight to the finish"),
    ("S40", {"finish.places": "end_path", "movement.share_own": False}, "finish.places", "end path is the finish"),
    ("S40", {"board.paths": ["5 > finish"]}, "board.paths", "to the finish"),
    ("S40", {"board.jumps": ["5 > finish"]}, "board.jumps", "to the finish"),
    ("S43", {"finish.rule": "overshoot"}, "finish.rule", '"overshoot"'),
    ("S43", {"finish.rule": "bounce"}, "finish.rule", '"bounce"'),
    ("S27", {"finish.rule": "stairs"} | LIMIT, "finish.rule", "a number of its own"),
    ("S43", {"finish.rule": "stairs"} | LIMIT, "finish.rule", "step by step"),
    ("S44", {"finish.passing": True}, "finish.passing", "pass each other"),
    ("S45", {"board.end_path": 6}, "board.end_path", "6 tiles"),
    ("S45", GRAPH, "board.shape", "no end paths"),
    ("S46", {"finish.places": "end_path", "movement.share_own": False}, "finish.places", "several places"),
    ("S47", {"chance.dice": 2, "movement.combined_move": "jump"}, "movement.combined_move", "as one move"),
    ("S47", {"chance.dice": 2, "chance.use": "sum", "start.leave_on": [6]}, "chance.use", "added up"),
    (
        "S48",
        {"chance.dice": 2, "movement.combined_move": "jump", "movement.forced_combination": True},
        "movement.forced_combination",
        "all dice at once",
    ),
    ("S49", {"chance.dice": 2, "turn.may_pass": True} | LIMIT, "turn.may_pass", "may pass"),
    ("S51", {"chance.dice": 2, "capture.freezes": True}, "capture.freezes", "may not move again"),
    ("S51", {"chance.dice": 2, "chance.use": "sum", "start.leave_on": [6]}, "chance.use", "added up"),
    ("S52", {"board.path": 40}, "board.path", "40 tiles"),
    ("S52", {"board.seats": 3}, "board.seats", "39 tiles"),
    ("S52", GRAPH, "board.shape", "not a circular track"),
    ("S53", {"board.seats": 3, "board.corners": True}, "board.corners", "not at four corners"),
]


def document_with(changes: dict[str, Any]) -> dict[str, Any]:
    """A document that extends strict."""
    document: dict[str, Any] = {"name": "mine", "extends": "strict"}
    for place, value in changes.items():
        group, _, key = place.partition(".")
        if key:
            document.setdefault(group, {})[key] = value
        else:
            document[group] = value
    return document


def strict_with(changes: dict[str, Any]) -> RuleSet:
    """Its rules."""
    return documents.load(document_with(changes), {})


def found(rules: RuleSet) -> dict[str, Any]:
    return {finding.rule: finding for finding in strict_findings(rules)}


@functools.cache
def found_in_strict() -> list[dict[str, Any]]:
    """The findings of strict under all its own options."""
    return [found(strict_with(options)) for options in OWN_OPTIONS]


@pytest.mark.parametrize("rule", [pytest.param(rule, marks=pytest.mark.rule(rule)) for rule in RULES])
def test_holds_in_strict(rule: str) -> None:
    for findings in found_in_strict():
        finding = findings[rule]
        assert finding.status == (UNDECIDABLE if rule == "S8" else HOLDS), finding.why("en")
        assert finding.option is None


@pytest.mark.parametrize(
    ("rule", "changes", "option", "words"),
    [
        pytest.param(*case, marks=pytest.mark.rule(case[0]), id=f"{case[0]}-{case[2]}-{n}")
        for n, case in enumerate(BROKEN_BY)
    ],
)
def test_broken(rule: str, changes: dict[str, Any], option: str, words: str) -> None:
    finding = found(strict_with(changes))[rule]
    assert (finding.status, finding.option) == (BROKEN, option)
    assert words in finding.why("en")
    assert finding.why("fr") != finding.why("en")


# id, what is changed: the sentence asks nothing of it
HOLDS_UNDER = [
    # who begins, and so the order, is rolled for; the sentence names no direction
    ("S14", {"turn.direction": "anticlockwise"}),
    ("S15", {"turn.direction": "anticlockwise"}),
    # wherever the turn-off lies, an end path is entered from the tile before it
    ("S39", {"board.skipped": 0}),
    ("S39", {"board.skipped": 3}),
    ("S17", {"turn.again_values": [7]}),
    ("S17", {"turn.again_on": ["doubles"]}),
    ("S17", {"turn.lose_on": [9]}),
    ("S17", {"turn.skip_on": [-1]}),
    ("S30", {"turn.lose_on": [9]}),
    ("S14", {"turn.reverse_on": [0]}),
    ("S28", {"capture.freezes": True}),
]


@pytest.mark.parametrize(
    ("rule", "changes"), [pytest.param(*case, marks=pytest.mark.rule(case[0]), id=str(case)) for case in HOLDS_UNDER]
)
def test_what_a_sentence_does_not_forbid_breaks_nothing(rule: str, changes: dict[str, Any]) -> None:
    finding = found(strict_with(changes))[rule]
    assert finding.status == HOLDS, finding.why("en")


@pytest.mark.parametrize("changes", [{"turn.again_values": [7]}, {"capture.freezes": True}, {"board.skipped": 0}])
def test_an_option_without_effect_leaves_strict_strict(changes: dict[str, Any]) -> None:
    assert check(document_with(changes)).verdict == "strict"


def test_every_rule_that_can_be_broken_is_broken_above() -> None:
    assert {rule for rule, *_ in BROKEN_BY} == set(RULES) - UNBREAKABLE
    assert set(CLAUSES) == set(RULES) - UNBREAKABLE


def test_every_clause_is_broken_above() -> None:
    shown = {(rule, option) for rule, _, option, _ in BROKEN_BY}
    shown |= {("S10", option) for option in ("board.end_path", "finish.places")}  # as S9
    shown |= {("S9", "board.shape"), ("S17", "plugins")}  # as S10; test_loose_verdict has a plug-in
    shown |= {("S40", option) for option in ("board.end_path", "board.shape")} | {("S45", "finish.places")}
    shown |= {("S35", "capture.by")}  # L33 forbids it before
    assert {(rule, clause.option) for rule, clauses in CLAUSES.items() for clause in clauses} <= shown


@pytest.mark.rule("S8")
def test_s8_alone_can_not_be_decided() -> None:
    for name in ("strict", "french", "maedn"):
        undecided = [f.rule for f in strict_findings(documents.load(name, {})) if f.status == UNDECIDABLE]
        assert undecided == ["S8"]


@pytest.mark.rule("S47")
def test_the_rules_of_two_dice_ask_nothing_of_one() -> None:
    findings = found(strict_with({}))
    assert all("nothing to decide" in findings[f"S{n}"].why("en") for n in range(47, 52))
    two = found(strict_with({"chance.dice": 2}))
    assert all(two[f"S{n}"].reason == "" for n in range(47, 52))


def test_a_rule_broken_only_after_a_change_is_broken() -> None:
    document = {
        "name": "mine",
        "extends": "strict",
        "changes": [{"name": "walls", "when": "home", "set": {"block.stops": "all"}}],
    }
    finding = found(documents.load(document, {}))["S29"]
    assert (finding.status, finding.option) == (BROKEN, "changes.0")
    assert "after the change walls" in finding.why("en")
    assert "block.stops" in finding.why("en")


# ---------------------------------------------------------------- a name promises its rules


# what changes nothing as long as no other option makes it matter
WITHOUT_EFFECT = {
    ("board.shape", "ring"),  # the same circular path, drawn round
    ("board.corners", True),  # S53's own
    ("chance.dice", 2),  # S13's own
    ("board.end_path", 4),  # S45's own
    ("modes.seating", "adjacent"),
    ("win.returns", "zero_sum"),
    ("block.on_safe", True),
    ("block.moves_on", False),  # with one die
    ("safe.landing", "punished"),
    ("turn.six_without_move", "rolls_again"),
    ("turn.sixes_limit", 3),
    ("turn.sixes_row", "across_turns"),
    ("capture.tiles_back", 3),
    ("win.home_points", 3),
    ("win.capture_points", 3),
    ("win.purse", 3),
    ("chance.marked", 3),  # of a stick: dice have none
    ("chance.exchange", True),
    ("chance.unplayable", "discard"),
    ("movement.backward", "round"),
    ("start.exit_block", "special"),
    ("movement.branch", "from_rest"),
    ("chance.replacement", False),
    ("win.ranks", 3),
    ("chance.weights", (3, 3, 3, 3, 3, 3)),
    ("capture.freezes", True),
    # no sentence speaks of these
    ("board.skipped", 3),
    ("turn.direction", "anticlockwise"),
}


# what means something only beside another option
BESIDE: dict[str, dict[str, Any]] = {
    "board.shape": {"board.paths": RING},
    "chance.use": {"chance.dice": 2},
    "movement.combined_move": {"chance.dice": 2},
    "movement.forced_combination": {"chance.dice": 2},
    "win.score": {"win.condition": "score"},
}


SCHEMA = RuleSet.model_json_schema()["$defs"]


def other_values(field: Any) -> list[Any]:
    """The values of an option beside its default: all of a list of words, some of the numbers."""
    schema = SCHEMA[field[0].capitalize()]["properties"][field[1]]
    default = schema.get("default")
    kinds = schema.get("anyOf", [schema])
    values: list[Any] = []
    for kind in kinds:
        values += kind.get("enum", [])
        values += [not default] if kind.get("type") == "boolean" else []
        values += [max(3, kind["minimum"] + 1)] if kind.get("type") == "integer" else []
    return [value for value in values if value != default]


EVERY_VALUE = [
    (f"{group}.{key}", value)
    for group, model in GROUPS.items()
    for key in model.model_fields
    for value in other_values((group, key))
]


@pytest.mark.parametrize(("place", "value"), EVERY_VALUE, ids=str)
def test_strict_changed_beyond_its_own_options_is_no_longer_strict(place: str, value: Any) -> None:
    if (place, value) in WITHOUT_EFFECT:
        return
    own = strict_with({})
    group, _, key = place.partition(".")
    if getattr(getattr(own, group), key) == value:
        return  # strict itself has it
    rules = read(document_with({place: value} | BESIDE.get(place, {})), {})  # whether or not it can be played
    assert any(finding.status == BROKEN for finding in strict_findings(rules))


@pytest.mark.parametrize(("place", "value"), sorted(WITHOUT_EFFECT, key=str), ids=str)
def test_what_has_no_effect_leaves_it_strict(place: str, value: Any) -> None:
    changes: dict[str, Any] = {place: list(value) if isinstance(value, tuple) else value}
    rules = read(document_with(changes), {})
    assert not any(finding.status == BROKEN for finding in strict_findings(rules))


def test_a_document_called_strict_keeps_its_promise() -> None:
    assert check("strict").passed
    assert check("strict", options={"dice": 2, "end_path": 4, "corners": True}).verdict == "strict"
    changed = check("strict", options={"again_on": ["six"]})
    assert changed.verdict == "loose"
    assert not changed.keeps_its_name
    assert not changed.passed
    assert check({"name": "mine", "extends": "strict", "turn": {"again_on": ["six"]}}).passed
