"""Strict Ludo, rule by rule (S1–S53): which options break which rule. A rule without clauses no document can break."""

from __future__ import annotations

from collections.abc import Callable

from ludus.games.ludo.board.chance import outcomes_of
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.meeting_rows import Meeting
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.rulebook.findings import HOLDS, UNDECIDABLE, Clause, Finding, in_every_bank, value_at

DIE = 6
FACES = (1, 2, 3, 4, 5, 6)
TWO_DICE = ("S47", "S48", "S49", "S50", "S51")


def two_dice(rules: RuleSet) -> bool:
    """Whether several dice are rolled: S47 to S51 speak of nothing else."""
    return rules.chance.device == "dice" and rules.chance.dice > 1


def is_unfair(rules: RuleSet) -> bool:
    """Whether some faces are more likely than others (S13)."""
    return len(set(rules.chance.weights)) > 1


def has_no_circle(rules: RuleSet) -> bool:
    """Whether no way on the board leads back to where it began (S4)."""
    if rules.board.shape != "graph":
        return False
    board = Topology(rules)
    ahead: dict[int, set[int]] = {}
    for arm in range(rules.board.seats):
        for node, ways in enumerate(board.successors(arm)):
            ahead.setdefault(node, set()).update(ways)
    while True:
        ends = {node for node, ways in ahead.items() if not ways & ahead.keys()}
        if not ends:
            return not ahead
        for node in ends:
            del ahead[node]


def bounces_onto_the_path(rules: RuleSet) -> bool:
    """Whether a roll too large can bring a piece back from its end path onto the shared path."""
    room = {"bounce": DIE - 1, "bounce_from_square": DIE}.get(rules.finish.rule, 0)
    return rules.board.end_path < room or rules.finish.rule == "stairs"


def block_can_close_an_entry(rules: RuleSet) -> bool:
    """Whether two pieces on an entry tile can keep others in (S31)."""
    return rules.block.stops != "none" and (rules.block.on_safe or not all_entries_are_safe(rules))


def all_entries_are_safe(rules: RuleSet) -> bool:
    """Whether every tile onto which pieces come out is safe for everybody."""
    if 0 in rules.safe.tiles:
        return True
    board = Topology(rules)
    entries = {board.name(entry) for arm in range(rules.board.seats) for entry in board.entries(arm)}
    return entries <= set(rules.safe.at)


def entry_protects(rules: RuleSet) -> bool:
    """Whether a piece on its own entry tile is safe from capture (S36)."""
    return rules.safe.entry != "open" or all_entries_are_safe(rules)


def is_own(row: Meeting) -> bool:
    """Whether a row of meetings speaks of pieces of the own colour."""
    return row.who in ("own", "side", "any")


def holds_up(row: Meeting) -> bool:
    """Whether a row of meetings lets a piece stop before its roll is used up (S27)."""
    return row.landing == "stops_before" or row.passing in ("stops_before", "stops_there")


def spares(row: Meeting) -> bool:
    """Whether a row of meetings lets enemies be where landing on them would capture them (S35, S36)."""
    at_home = row.who == "owner" and row.landing == "share"
    return row.who not in ("own", "mate", "side") and row.landing != "capture" and not at_home


def rolled_values(rules: RuleSet) -> set[int]:
    """Every value that one die, throw or card can show, and the sums where dice are added up."""
    return {value for outcome in outcomes_of(rules) for value in outcome.values}


def something_rolls_again(rules: RuleSet) -> bool:
    """Whether what turn.again_on names can happen: there is no 6 without a 6, no double with one die."""
    happens = {"six": DIE in rolled_values(rules), "doubles": any(outcome.doubles for outcome in outcomes_of(rules))}
    return any(happens.get(reason, True) for reason in rules.turn.again_on)


def loses_on_others(rules: RuleSet) -> bool:
    """Whether a roll other than 6 ends the turn unplayed (S30)."""
    return bool((set(rules.turn.lose_on) - {DIE}) & rolled_values(rules))


def moves_twice(rules: RuleSet) -> bool:
    """Whether a piece that captured could move again in the same turn: with another die, roll or bonus."""
    bonus = rules.capture.capture_bonus or rules.finish.finish_bonus
    again = rules.turn.again_on or set(rules.turn.again_values) & rolled_values(rules) or rules.squares.roll_again
    return bool(
        rules.tokens_in_a_roll > 1 or bonus or again or any(card.then == "again" for card in rules.chance.cards)
    )


def path_of_the_book(rules: RuleSet) -> int:
    """S52, with the corners of S53."""
    return (2 * rules.board.end_path + 3 + rules.board.corners) * 4


def other_than_six(rules: RuleSet) -> bool:
    """Whether something but a 6 brings pieces out."""
    return any(value != DIE for value in rules.start.leave_on)


def needs_fewer(rules: RuleSet) -> bool:
    """Whether fewer pieces than all are enough to win (S12)."""
    return 0 < rules.win.needed < rules.board.pieces


def cards_move_others(rules: RuleSet) -> bool:
    """Whether a card moves a piece that is not the player's own (S7)."""
    return any(card.moves != "own" or card.effect == "swap" for card in rules.chance.cards)


def plays_with_partners(rules: RuleSet) -> bool:
    """Whether two players are a team; two colours of one player are none (S7, S12, S19)."""
    return rules.modes.mode == "teams" and not rules.players.controls


def moves_what_is_not_its_own(rules: RuleSet) -> bool:
    """Whether players move pieces of others; both colours of one player are its own (S7)."""
    return rules.movement.may_move != "own" and not rules.players.controls


def cards_bring_out(rules: RuleSet) -> bool:
    """Whether a card brings pieces out by its effect (S23)."""
    return any(card.effect == "out" for card in rules.chance.cards)


def cards_swap(rules: RuleSet) -> bool:
    """Whether a card swaps pieces (S27)."""
    return any(card.effect == "swap" for card in rules.chance.cards)


def leads_to(rules: RuleSet, place: str) -> bool:
    """Whether a chain beside the board's own shape leads to an end path or a finish."""
    return rules.board.shape != "graph" and any(place in chain for chain in rules.board.paths)


def when(option: str, reason: str, breaks: Callable[[RuleSet], bool]) -> Clause:
    """A clause, read aloud: when this option, for this reason, breaks the rule."""
    return Clause(option, breaks, reason)


def given(option: str, reason: str) -> Clause:
    """A clause that any value breaks but nothing: an empty list, 0, false."""
    return Clause(option, lambda rules: bool(value_at(rules, option)), reason)


def rolled(option: str, reason: str) -> Clause:
    """A clause that values break which can come up; the others have no effect."""
    return Clause(option, lambda rules: bool(set(value_at(rules, option)) & rolled_values(rules)), reason)


def other_than(option: str, value: object, reason: str) -> Clause:
    """A clause that any other value breaks."""
    return Clause(option, lambda rules: value_at(rules, option) != value, reason)


NO_ROLL_OFF = other_than("turn.first", "roll_off", "no_roll_off")
NO_END_PATH = (
    when("board.shape", "graph_has_no_end_path", lambda r: r.board.shape == "graph"),
    when("board.end_path", "end_path", lambda r: r.board.end_path == 0),
    when("finish.places", "no_end_path", lambda r: r.finish.places != "one_tile"),
)
ATTEMPTS = when("turn.attempts", "attempts", lambda r: r.turn.attempts > 1)
TEAM = when("modes.mode", "team_wins", plays_with_partners)
TWO_COLOURS = given("players.controls", "two_colours")
STARS = given("movement.stars", "stars")
JUMPS = given("board.jumps", "jumps")
SWEEP = when("movement.combined_move", "sweep_stops", lambda r: r.movement.combined_move == "sweep")
GOES_ON = other_than("start.go_on", "never", "goes_on")
LEAVES_ON_OTHERS = when("start.leave_on", "leave_on", other_than_six)
FREEZES = when("capture.freezes", "freezes", lambda r: r.capture.freezes and moves_twice(r))
STAIRS = when("finish.rule", "stairs", lambda r: r.finish.rule == "stairs")
MAY_PASS = given("turn.may_pass", "may_pass")

CLAUSES: dict[str, tuple[Clause, ...]] = {
    "S2": (when("board.seats", "seats", lambda r: r.board.seats > 4),),
    "S3": (TWO_COLOURS,),
    "S4": (when("board.paths", "no_circle", has_no_circle),),
    "S6": (other_than("board.pieces", 4, "pieces"), TWO_COLOURS),
    "S7": (
        when("modes.mode", "partner_moves", plays_with_partners),
        when("movement.may_move", "may_move", moves_what_is_not_its_own),
        when("chance.cards", "cards_move_others", cards_move_others),
    ),
    "S9": NO_END_PATH,
    "S10": NO_END_PATH,
    "S12": (
        TEAM,
        other_than("win.condition", "home", "condition"),
        when("win.needed", "needed", needs_fewer),
        given("win.turn_limit", "turn_limit"),
    ),
    "S13": (
        other_than("chance.device", "dice", "device"),
        when("chance.dice", "dice", lambda r: r.chance.dice > 2),
        when("chance.faces", "faces", lambda r: tuple(sorted(r.chance.faces)) != FACES),
        when("chance.weights", "weights", is_unfair),
    ),
    "S14": (
        NO_ROLL_OFF,
        rolled("turn.reverse_on", "reverses"),
    ),
    "S15": (NO_ROLL_OFF,),
    "S16": (NO_ROLL_OFF,),
    "S17": (
        when("turn.again_on", "rolls_again", something_rolls_again),
        other_than("chance.hold", "roll", "saved"),
        rolled("turn.again_values", "rolls_again"),
        rolled("turn.lose_on", "lose_on"),
        rolled("turn.skip_on", "skip_on"),
        other_than("chance.pool", "one_roll", "pool"),
        ATTEMPTS,
        given("capture.capture_bonus", "capture_bonus"),
        given("finish.finish_bonus", "finish_bonus"),
        given("squares.roll_again", "squares"),
        given("squares.miss_turn", "squares"),
        given("squares.turn_round", "squares"),
        when("chance.cards", "cards_follow", lambda r: any(card.then != "nothing" for card in r.chance.cards)),
        given("plugins", "plugins"),
        when("on", "reacts", lambda r: any(row.event != "start" for row in r.on)),
    ),
    "S18": (
        when(
            "turn.six_without_move",
            "six_stays",
            lambda r: r.turn.six_without_move == "rolls_again" and "six" in r.turn.again_on,
        ),
        ATTEMPTS,
        when("on", "reacts", lambda r: any(row.event == "no_move" and row.do == "again" for row in r.on)),
    ),
    "S19": (given("win.play_on", "plays_on"), TEAM, given("win.turn_limit", "turn_limit")),
    "S20": (
        when("board.shape", "graph", lambda r: r.board.shape == "graph"),
        given("board.paths", "more_ways"),
    ),
    "S21": (when("on", "sets_up", lambda r: any(row.event == "start" for row in r.on)),),
    "S23": (
        when("on", "reacts", lambda r: any("out" in (row.do, row.token) for row in r.on)),
        other_than("start.leave_on", (DIE,), "leave_on"),
        when("chance.tokens", "token_table", lambda r: any("out" in t for ts in r.chance.tokens.values() for t in ts)),
        when("chance.cards", "cards_bring_out", cards_bring_out),
    ),
    "S24": (
        GOES_ON,
        other_than("start.enter", "entry", "enters_further"),
        when("board.paths", "other_entries", lambda r: any("start" in chain for chain in r.board.paths)),
    ),
    "S25": (when("board.shape", "graph", lambda r: r.board.shape == "graph"),),
    "S26": (
        when("board.travel", "anticlockwise", lambda r: r.board.travel != "clockwise" and r.board.shape != "graph"),
        when("finish.rule", "bounces_back", bounces_onto_the_path),
        when("chance.faces", "backward", lambda r: r.chance.device in ("dice", "spinner") and min(r.chance.faces) < 0),
        when("chance.cards", "cards_backward", lambda r: any(card.distance < 0 for card in r.chance.cards)),
    ),
    "S27": (
        given("chance.tokens", "token_table"),
        when("meeting", "meeting_distance", lambda r: any(holds_up(row) for row in r.meeting)),
        STARS,
        JUMPS,
        SWEEP,
        GOES_ON,
        when("capture.by", "sweep_stops", lambda r: r.capture.by == "sweep"),
        STAIRS,
        when("finish.rule", "not_the_distance", lambda r: r.finish.rule in ("overshoot", "bounce_from_square")),
        when("chance.cards", "cards_swap", cards_swap),
        when("on", "event_home", lambda r: any(row.do == "home" or row.token in ("swap", "finish") for row in r.on)),
    ),
    "S28": (
        given("start.compulsory", "must_come_out"),
        given("start.clear_entry", "must_clear_entry"),
        given("block.unblock_duty", "must_unblock"),
        when("block.moves_on", "stay_apart", lambda r: not r.block.moves_on and r.tokens_in_a_roll > 1),
        given("capture.duty", "must_capture"),
        FREEZES,
        when("meeting", "meeting_joins", lambda r: any(row.landing in ("joins", "may_join") for row in r.meeting)),
        given("turn.duties", "duty_list"),
    ),
    "S29": (
        when("meeting", "meeting_passing", lambda r: any(row.passing is not True for row in r.meeting)),
        other_than("block.stops", "none", "blocks"),
        other_than("start.protects", "no", "protects"),
        when("capture.by", "by_passing", lambda r: r.capture.by in ("passing", "sweep")),
        SWEEP,
    ),
    "S30": (LEAVES_ON_OTHERS, when("turn.lose_on", "lose_on", loses_on_others), MAY_PASS),
    "S31": (
        when("start.leave_on", "leave_on", lambda r: DIE not in r.start.leave_on),
        when("turn.lose_on", "lose_on", lambda r: DIE in r.turn.lose_on),
        when("block.stops", "entry_closed", block_can_close_an_entry),
        MAY_PASS,
    ),
    "S32": (LEAVES_ON_OTHERS, ATTEMPTS),
    "S33": (
        STARS,
        JUMPS,
        given("safe.tiles", "safe_tiles"),
        given("safe.at", "safe_at"),
        when("safe.entry", "entry_punishes", lambda r: r.safe.entry == "owner_punishes"),
        given("squares.roll_again", "squares"),
        given("squares.miss_turn", "squares"),
        given("squares.turn_round", "squares"),
        given("squares.send_home", "squares"),
        when("on", "squares", lambda r: any(row.event == "landing" for row in r.on)),
    ),
    "S34": (
        when("meeting", "meeting_own", lambda r: any(is_own(row) and row.landing != "share" for row in r.meeting)),
        when("movement.share_own", "no_sharing", lambda r: not r.movement.share_own),
        when("block.stops", "no_third", lambda r: r.block.stops == "all"),
    ),
    "S35": (
        when("meeting", "meeting_capture", lambda r: any(spares(row) for row in r.meeting)),
        when("capture.by", "captures_never", lambda r: r.capture.by == "none"),
        other_than("capture.stack", "captured", "stack_punishes"),
        other_than("capture.captured_to", "start", "captured_to"),
        given("safe.tiles", "safe_tiles"),
        given("safe.at", "safe_at"),
    ),
    "S36": (when("safe.entry", "entry_open", lambda r: not entry_protects(r)),),
    "S39": (
        given("capture.before_home", "before_home"),
        when("board.paths", "other_ways_in", lambda r: leads_to(r, "end:")),
        when("board.jumps", "other_ways_in", lambda r: any("end:" in chain for chain in r.board.jumps)),
    ),
    "S40": (
        given("movement.stars", "star_to_finish"),
        *NO_END_PATH,
        when("board.paths", "other_ways_home", lambda r: leads_to(r, "finish")),
        when("board.jumps", "other_ways_home", lambda r: any("finish" in chain for chain in r.board.jumps)),
    ),
    "S43": (STAIRS, other_than("finish.rule", "exact", "not_exact")),
    "S44": (given("finish.passing", "passing"),),
    "S45": (*NO_END_PATH, when("board.end_path", "end_path", lambda r: r.board.end_path not in (4, 5))),
    "S46": (other_than("finish.places", "one_tile", "several_places"),),
    "S47": (
        when("movement.combined_move", "combined", lambda r: two_dice(r) and r.movement.combined_move != "none"),
        when("chance.use", "sum", lambda r: two_dice(r) and r.chance.use == "sum"),
    ),
    "S48": (given("movement.forced_combination", "must_combine"),),
    "S49": (when("turn.may_pass", "may_pass", lambda r: two_dice(r) and r.turn.may_pass),),
    "S51": (
        FREEZES,
        when("chance.use", "sum", lambda r: two_dice(r) and r.chance.use == "sum"),
    ),
    "S52": (
        when("board.shape", "graph", lambda r: r.board.shape == "graph"),
        when("board.path", "path_length", lambda r: r.board.seats == 4 and r.path_length != path_of_the_book(r)),
        when("board.seats", "arms", lambda r: r.board.seats != 4 and r.path_length != path_of_the_book(r)),
    ),
    "S53": (when("board.corners", "corners", lambda r: r.board.corners and r.board.seats != 4),),
}


def strict_findings(rules: RuleSet) -> list[Finding]:
    """S1 to S53 for a document, under every change that it may make to itself."""
    found = [in_every_bank(f"S{n}", CLAUSES.get(f"S{n}", ()), rules) for n in range(1, 54)]
    found[7] = Finding("S8", UNDECIDABLE, reason="outside")
    if not two_dice(rules):  # S47 to S51 ask nothing of one die
        found[46:51] = [Finding(rule, HOLDS, reason="one_die") for rule in TWO_DICE]
    return found
