"""A rule set in plain sentences: one or more for each option and value, in sections, in every language we speak."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludus.core.messages import LANGUAGES, look_up
from ludus.games.ludo.arms import seats
from ludus.games.ludo.board.reachable import colour_name
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.meeting_rows import Meeting
from ludus.games.ludo.document.options import Card, Change, ReadOnly
from ludus.games.ludo.document.rules import COLOURS, RuleSet
from ludus.games.ludo.document.tokens import deals_of
from ludus.games.ludo.rulebook.findings import PACKAGE, as_written, say, value_at
from ludus.games.ludo.rulebook.listing import MOST_LISTED, listed
from ludus.games.ludo.rulebook.meeting_words import guards_told, meetings_told
from ludus.games.ludo.rulebook.nets import ways_told
from ludus.games.ludo.rulebook.rows import condition_told, duties_told, events_told, tokens_told, uses_in_words
from ludus.games.ludo.rulebook.strict import block_can_close_an_entry

COUNTED_WORDS = ("captures", "lost", "home", "turns", "tile")  # conditions that have sentences of their own
NUMBERS = {0: "zero", 1: "one", 2: "two"}


@dataclass(frozen=True)
class Section:
    """A heading and the sentences under it."""

    key: str
    title: str
    sentences: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The section as plain data."""
        return {"section": self.key, "title": self.title, "sentences": list(self.sentences)}


# ---------------------------------------------------------------- one option


def has_words(key: str) -> bool:
    """Whether every language has a sentence under a key."""
    return all(look_up(PACKAGE, f"say.{key}", lang) for lang in LANGUAGES)


def number_key(option: str, n: int) -> str:
    """The sentence for a number: its own where there is one ('one'), else the general one."""
    own = f"{option}.{NUMBERS.get(n, 'other')}"
    return own if has_words(own) else f"{option}.other"


def value_keys(option: str, value: Any) -> list[str]:
    """The catalogue's keys for the sentences of a value."""
    if value is None:
        return [f"{option}.unset"]
    if isinstance(value, bool):
        return [f"{option}.{str(value).lower()}"]
    if isinstance(value, int):
        return [number_key(option, value)]
    if option == "chance.hold" and value not in ("roll", "turn"):
        return [f"{option}.hand"]
    if isinstance(value, str) and option != "board.map":
        return [f"{option}.{value}"]
    if not value:
        return [f"{option}.empty"]
    if option == "turn.again_on":
        return [f"{option}.{item}" for item in value]
    return [f"{option}.one" if len(value) == 1 and not isinstance(value, str) else f"{option}.other"]


def values_for(value: Any, rules: RuleSet, lang: str) -> dict[str, Any]:
    """What a sentence may name: the number, the list, the length of the path."""
    items = value if isinstance(value, tuple) else ()
    return {
        "n": value,
        "value": as_written(value),
        "list": listed(items, lang),
        "alternatives": listed(items, lang, "or"),
        "series": ", ".join(map(str, items)),
        "roll": say("word", f"roll_{rules.chance.device}", lang),
        "chains": "; ".join(str(item) for item in items[:MOST_LISTED]) + (" …" if len(items) > MOST_LISTED else ""),
        "length": Topology(rules).tiles,
        "seats": rules.board.seats,
        "dice": rules.chance.dice,
        "kinds": len(rules.chance.cards),
        "total": sum(card.count for card in rules.chance.cards),
    }


def sentences_of(rules: RuleSet, option: str, lang: str) -> list[str]:
    """What an option says with the value it has."""
    if option in TELLERS:
        return TELLERS[option](rules, lang)
    return plain_sentences(rules, option, lang)


def plain_sentences(rules: RuleSet, option: str, lang: str) -> list[str]:
    """The sentences of an option whose value is a word, a number or a list."""
    value = value_at(rules, option)
    values = values_for(value, rules, lang)
    return [say("say", key, lang, **values) for key in value_keys(option, value)]


def paths_told(rules: RuleSet, lang: str) -> list[str]:
    """The ways of a graph described; those beside a cross or a ring as they are written."""
    is_graph = rules.board.shape == "graph"
    return ways_told(rules, lang) if is_graph else plain_sentences(rules, "board.paths", lang)


def passing_told(rules: RuleSet, lang: str) -> list[str]:
    """Who passes whom on an end path; landing on an own piece is told only where pieces may share its tiles."""
    shares = rules.movement.share_own and rules.finish.places == "one_tile"
    if rules.finish.passing or shares:
        return plain_sentences(rules, "finish.passing", lang)
    return [say("say", "finish.passing.alone", lang)]


def again_told(rules: RuleSet, lang: str) -> list[str]:
    """What gives another roll; where other options do, that these are all."""
    if rules.turn.again_on or not rolls_again_otherwise(rules):
        return plain_sentences(rules, "turn.again_on", lang)
    return [say("say", "turn.again_on.otherwise", lang, **values_for((), rules, lang))]


def hold_told(rules: RuleSet, lang: str) -> list[str]:
    """Where what came up waits; hands with how many cards each deal gives."""
    deals = deals_of(rules)
    if not deals:
        return plain_sentences(rules, "chance.hold", lang)
    return [say("say", "chance.hold.hand", lang, series=", ".join(map(str, deals)))]


def skipped_told(rules: RuleSet, lang: str) -> list[str]:
    """Where a colour turns into its end path."""
    if rules.board.skipped < 0:
        return [say("say", "board.skipped.own", lang)]
    return plain_sentences(rules, "board.skipped", lang)


def seats_told(rules: RuleSet, lang: str) -> list[str]:
    """How many play."""
    if rules.players.controls:
        return [say("say", "players.controls.seats", lang, n=rules.board.seats)]
    if rules.modes.mode != "teams":
        return plain_sentences(rules, "board.seats", lang)
    return [say("say", "board.seats.teams", lang, n=rules.board.seats)]


def pieces_told(rules: RuleSet, lang: str) -> list[str]:
    """How many pieces a player has, or a colour where players have two."""
    if rules.players.controls:
        return [say("say", "players.controls.pieces", lang, n=rules.board.pieces)]
    return plain_sentences(rules, "board.pieces", lang)


def controls_told(rules: RuleSet, lang: str) -> list[str]:
    """Who plays which colours, in which order these have their turns, what may move in one, and who has won."""
    controls = rules.players.controls
    if not controls:
        return [say("say", "players.controls.empty", lang)]
    between = " ; " if lang == "fr" else "; "
    pairs = between.join(listed([colour_in_words(colour, lang) for colour in player], lang) for player in controls)
    order = [colour_in_words(COLOURS[arm], lang) for arm in seats(rules, None)]
    if rules.turn.direction == "anticlockwise":
        order = [order[0], *reversed(order[1:])]
    told = [say("say", "players.controls.other", lang, pairs=pairs)]
    told.append(say("say", "players.controls.order", lang, order=", ".join(order)))
    return [*told, *may_move_told(rules, lang), *mode_told(rules, lang)]


def may_move_told(rules: RuleSet, lang: str) -> list[str]:
    """Whose pieces a player moves: of two colours of one's own, those of both or of the one in turn."""
    if not rules.players.controls:
        return plain_sentences(rules, "movement.may_move", lang)
    return [say("say", f"players.controls.{rules.movement.may_move}", lang)]


def mode_told(rules: RuleSet, lang: str) -> list[str]:
    """Who plays together; the two colours of one player are no partners."""
    if not rules.players.controls:
        return plain_sentences(rules, "modes.mode", lang)
    return [say("say", "players.controls.win", lang)]


def colour_in_words(colour: str, lang: str) -> str:
    """The name of a colour in a language."""
    return colour_name(COLOURS.index(colour)).text(lang)


def weights_told(rules: RuleSet, lang: str) -> list[str]:
    """How likely the values are; cowries and sticks have two sides."""
    if rules.chance.device not in ("cowries", "sticks") or not rules.chance.weights:
        return plain_sentences(rules, "chance.weights", lang)
    values = values_for(rules.chance.weights, rules, lang)
    return [say("say", "chance.weights.shells", lang, **values)]


def cards_told(rules: RuleSet, lang: str) -> list[str]:
    """The deck, and each card of it."""
    return plain_sentences(rules, "chance.cards", lang) + [card_told(rules, card, lang) for card in rules.chance.cards]


def card_told(rules: RuleSet, card: Card, lang: str) -> str:
    """'seven (4 ×): a piece of one's own goes 7 on, and the player draws again.'"""
    does: str = card.effect if card.effect != "none" else "nothing"
    if card.distance:
        does = f"{card.moves}_{'forward' if card.distance > 0 else 'back'}"
    then = "" if card.then == "nothing" else say("say", f"card.then.{card.then}", lang)
    what = say("say", f"card.{does}", lang, n=abs(card.distance))
    if card.name in rules.chance.tokens:
        what = uses_in_words(rules.chance.tokens[card.name], lang)
    return say("say", "card.line", lang, name=card.name, count=card.count, does=what, then=then)


def changes_told(rules: RuleSet, lang: str) -> list[str]:
    """What changes during the game; a sentence where nothing does."""
    if not rules.changes:
        return [say("say", "changes.empty", lang)]
    return [change_told(rules, number, change, lang) for number, change in enumerate(rules.changes)]


def change_told(rules: RuleSet, number: int, change: Change, lang: str) -> str:
    """'hurry: after 2 captures, for everybody: A roll is two dice.'"""
    when = change_begins(change, lang)
    after = rules.banks[1 << number]
    told = [sentence for option in change.set for sentence in sentences_of(after, option, lang)]
    name = say("say", "changes.name", lang, name=change.name) if change.name else ""
    scope = say("say", f"changes.scope.{'own_while' if change.lasts == 'while' else change.scope}", lang)
    text = say("say", "changes.line", lang, name=name, when=when, scope=scope, rules=" ".join(told))
    return text if name else text[0].upper() + text[1:]


def change_begins(change: Change, lang: str) -> str:
    """'after 2 captures', 'as long as the yard is empty'."""
    if change.when in COUNTED_WORDS and change.lasts == "for_good":
        amount = "one" if change.at_least == 1 else "other"
        return say("say", f"changes.when.{change.when}_{amount}", lang, n=change.at_least, tile=change.tile)
    return say("say", f"changes.{change.lasts}", lang, condition=condition_told(change.condition, lang))


def allowed_told(rules: RuleSet, lang: str) -> list[str]:
    """The options that players of this rule set choose from."""
    if not rules.allowed:
        return []
    choices = [f"{name} = {listed(values, lang, 'or')}" for name, values in rules.allowed.items()]
    return [say("say", "allowed.line", lang, options="; ".join(choices))]


def limit_told(rules: RuleSet, lang: str) -> list[str]:
    """How many rolls in a row are too many; a limit that nothing can reach says so."""
    if rules.turn.sixes_limit and not rules.sixes_limit:
        return [say("say", "turn.sixes_limit.dead", lang)]
    return plain_sentences(rules, "turn.sixes_limit", lang)


def moving_told(rules: RuleSet, lang: str) -> list[str]:
    """How a piece gets on: the one thing that no option says."""
    round_the_path = "round" if rules.board.travel == "clockwise" else "back_round"
    kind = "graph" if rules.board.shape == "graph" else round_the_path
    ways = [say("say", "moving.branches", lang)] if Topology(rules).has_branches else []
    return [say("say", f"moving.{kind}", lang), *ways]


TELLERS: dict[str, Callable[[RuleSet, str], list[str]]] = {
    ":moving": moving_told,
    "board.paths": paths_told,
    "on": events_told,
    "turn.sixes_limit": limit_told,
    "chance.tokens": tokens_told,
    "turn.duties": duties_told,
    "board.seats": seats_told,
    "board.pieces": pieces_told,
    "players.controls": controls_told,
    "movement.may_move": may_move_told,
    "modes.mode": mode_told,
    "finish.passing": passing_told,
    "chance.hold": hold_told,
    "board.skipped": skipped_told,
    "turn.again_on": again_told,
    "chance.weights": weights_told,
    "chance.cards": cards_told,
    "changes": changes_told,
    "allowed": allowed_told,
    "meeting": meetings_told,
    ":guards": guards_told,
}

# ---------------------------------------------------------------- the whole book

SECTIONS: dict[str, tuple[str, ...]] = {
    "board": (
        "board.shape", "board.corners", "board.travel", "board.paths", "board.same", "board.jumps", ":guards",
        "board.end_path", "board.skipped", "allowed",
    ),
    "players": ("board.seats", "board.pieces", "players.controls", "modes.mode", "modes.seating", "movement.may_move"),
    "rolling": (
        "turn.first", "turn.direction", "chance.device", "chance.dice", "chance.faces", "chance.weights",
        "chance.throws", "chance.marked", "chance.cards", "chance.replacement", "chance.use",
        "chance.tokens", "chance.hold", "chance.exchange", "chance.unplayable",
        "chance.pool", "turn.again_on",
        "turn.again_values", "turn.sixes_limit", "turn.sixes_row", "turn.six_without_move", "turn.lose_on",
        "turn.skip_on",
        "turn.reverse_on", "turn.attempts",
    ),
    "start": (
        "start.leave_on", "start.enter", "start.protects", "start.compulsory",
        "start.clear_entry", "start.go_on", "start.exit_block",
    ),
    "moving": (
        ":moving", "turn.duties", "turn.may_pass", "movement.combined_move", "movement.forced_combination",
        "movement.share_own", "movement.stars", "movement.branch", "movement.backward", "squares.roll_again",
        "squares.miss_turn", "squares.turn_round", "squares.send_home",
    ),
    "meetings": ("meeting",),
    "blocks": ("block.stops", "block.on_safe", "block.moves_on", "block.unblock_duty"),
    "captures": (
        "capture.by", "capture.stack", "capture.captured_to", "capture.tiles_back", "capture.capture_bonus",
        "capture.duty", "capture.before_home", "capture.freezes",
    ),
    "safe": ("safe.tiles", "safe.at", "safe.landing", "safe.entry"),
    "finish": ("finish.places", "finish.rule", "finish.passing", "finish.finish_bonus"),
    "win": (
        "win.condition", "win.needed", "win.score", "win.purse", "win.home_points", "win.capture_points",
        "win.turn_limit", "win.play_on", "win.ranks", "win.returns",
    ),
    "events": ("on",),
    "changes": ("changes", "plugins"),
}  # fmt: skip

# values that say nothing worth a sentence: what everybody expects, and what the rest of the book already says
SILENT: dict[str, tuple[Any, ...]] = {
    "board.corners": (False,), "board.paths": ((),), "board.jumps": ((),), "board.same": ((),),
    "players.controls": ((),), "board.travel": ("clockwise", "anticlockwise"),  # :moving tells it
    "movement.may_move": ("own",), "turn.direction": ("clockwise",), "chance.device": ("dice",),
    "chance.weights": ((),), "chance.marked": (None,), "chance.cards": ((),), "chance.pool": ("one_roll",),
    "chance.use": ("each",), "turn.again_values": ((),),
    "turn.lose_on": ((),), "turn.skip_on": ((),), "turn.reverse_on": ((),), "turn.attempts": (1,),
    "start.enter": ("entry",), "movement.branch": ("anywhere",), "movement.backward": ("to_entry",),
    "start.compulsory": (False,), "start.clear_entry": (False,), "start.go_on": ("never",),
    "movement.forced_combination": (False,), "movement.stars": ((),), "squares.roll_again": ((),),
    "squares.miss_turn": ((),), "squares.turn_round": ((),), "squares.send_home": ((),), "block.unblock_duty": (False,),
    "block.moves_on": (True,),
    "capture.capture_bonus": (0,), "capture.duty": (False,), "capture.before_home": (False,),
    "capture.freezes": (False,), "safe.at": ((),), "finish.finish_bonus": (0,), "win.score": (0,),
    "win.purse": (0,), "win.home_points": (0,), "win.capture_points": (0,), "meeting": ((),),
    "win.turn_limit": (0,), "plugins": ((),), "on": ((),), "turn.duties": ((),),
    "chance.tokens": ({}, ReadOnly()), "chance.hold": ("roll",), "chance.exchange": (False,), "start.protects": ("no",),
    # what a game has not is not listed
    "block.stops": ("none",), "safe.tiles": ((),), "safe.entry": ("open",), "changes": ((),), "turn.again_on": ((),),
    "turn.sixes_limit": (0,), "finish.passing": (True,),
}  # fmt: skip


def has_device(*devices: str) -> Callable[[RuleSet], bool]:
    """Whether one of these decides."""
    return lambda rules: rules.chance.device in devices


def says_all_of_own(row: Meeting) -> bool:
    """Whether a row of meetings says what happens on every tile with pieces of one's own."""
    return row.who in ("own", "side", "any") and (row.tiles, row.count, row.coming) == ("all", "1+", "any")


def has_several_dice(rules: RuleSet) -> bool:
    """Whether a roll is several dice."""
    return rules.chance.device == "dice" and rules.chance.dice > 1


def rolls_again_by_value(rules: RuleSet) -> bool:
    """Whether what is rolled can give another roll."""
    return bool({"six", "doubles"} & set(rules.turn.again_on) or rules.turn.again_values)


def rolls_again_otherwise(rules: RuleSet) -> bool:
    """Whether something beside turn.again_on gives another roll."""
    cards = any(card.then == "again" for card in rules.chance.cards)
    return cards or bool(rules.turn.again_values or rules.squares.roll_again)


def has_blocks(rules: RuleSet) -> bool:
    """Whether two pieces block."""
    return rules.block.stops != "none"


def has_safe_tiles(rules: RuleSet) -> bool:
    """Whether some tiles are safe for everybody."""
    return bool(rules.safe.tiles or rules.safe.at)


def has_end_paths(rules: RuleSet) -> bool:
    """Whether colours have end paths: a graph has none."""
    return rules.board.shape != "graph"


def meets_otherwise(rules: RuleSet, *tiles: str) -> bool:
    """Whether a row says of every enemy on such tiles, however one comes, that it is not captured."""
    spares = (row for row in rules.meeting if row.landing != "capture" and row.passing != "captures")
    return any(
        row.who in ("enemy", "any") and (row.count, row.coming) == ("1+", "any") and row.tiles in tiles
        for row in spares
    )


def captures(rules: RuleSet) -> bool:
    """Whether anything is captured."""
    sweeps = any("[" in chain for chain in rules.board.jumps)  # slides, and jumps that capture on their way
    rows = any(row.landing == "capture" or row.passing == "captures" for row in rules.meeting)
    return rules.capture.by != "none" and (sweeps or rows or not meets_otherwise(rules, "all"))


# options that mean something only beside others
NEEDS: dict[str, Callable[[RuleSet], bool]] = {
    "board.end_path": has_end_paths,
    "board.skipped": has_end_paths,
    "modes.mode": lambda rules: not rules.players.controls,  # which tells it
    "movement.may_move": lambda rules: not rules.players.controls,
    "modes.seating": lambda rules: rules.board.seats > 2 and rules.modes.mode == "ffa",
    "chance.dice": has_device("dice"),
    "chance.faces": has_device("dice", "spinner"),
    "chance.throws": has_device("cowries", "sticks"),
    "chance.marked": has_device("cowries", "sticks"),
    "chance.replacement": has_device("cards"),
    "chance.use": has_several_dice,
    "turn.again_on": lambda rules: bool(rules.turn.again_on) or not rolls_again_otherwise(rules),
    "turn.sixes_limit": lambda rules: not any(row.nth for row in rules.on),
    "chance.unplayable": lambda rules: bool(deals_of(rules)),
    "turn.sixes_row": lambda rules: rules.sixes_limit > 0,
    "turn.six_without_move": lambda rules: "six" in rules.turn.again_on,
    "start.exit_block": block_can_close_an_entry,
    "start.leave_on": lambda rules: bool(rules.start.leave_on),
    "movement.combined_move": lambda rules: has_several_dice(rules) and rules.chance.use == "each",
    "movement.share_own": lambda rules: not any(says_all_of_own(row) for row in rules.meeting),
    "block.on_safe": lambda rules: has_blocks(rules) and has_safe_tiles(rules),
    "capture.by": lambda rules: rules.capture.by == "none" or not meets_otherwise(rules, "all"),
    "capture.stack": lambda rules: captures(rules) and not has_blocks(rules) and rules.movement.share_own,
    "capture.captured_to": lambda rules: captures(rules) and rules.capture.captured_to != "back",
    "capture.tiles_back": lambda rules: captures(rules) and rules.capture.captured_to == "back",
    "safe.tiles": lambda rules: bool(rules.safe.tiles) or not rules.safe.at,
    "safe.landing": lambda rules: has_safe_tiles(rules) and not meets_otherwise(rules, "all", "path", "safe"),
    "finish.passing": has_end_paths,
    "win.condition": lambda rules: rules.modes.mode == "ffa",
    "win.needed": lambda rules: rules.win.condition != "score" and rules.modes.mode == "ffa",
    "win.home_points": lambda rules: rules.win.condition == "score",
    "win.capture_points": lambda rules: rules.win.condition == "score",
    "win.play_on": lambda rules: rules.win.condition == "home" and rules.modes.mode == "ffa",
    "win.ranks": lambda rules: rules.win.play_on,
    "win.returns": lambda rules: not rules.win.play_on,
}


def is_told(rules: RuleSet, option: str) -> bool:
    """Whether an option has its place in the rule book: it matters here, and is not what everybody expects."""
    if option.startswith(":"):  # no option of the document
        return True
    value = value_at(rules, option)
    silent = any(type(value) is type(quiet) and value == quiet for quiet in SILENT.get(option, ()))
    return not silent and (option not in NEEDS or NEEDS[option](rules))


def rule_book(rules: RuleSet, lang: str) -> list[Section]:
    """The whole rule book of a rule set."""
    book = []
    for key, options in SECTIONS.items():
        told = [
            sentence for option in options if is_told(rules, option) for sentence in sentences_of(rules, option, lang)
        ]
        if told:
            book.append(Section(key, say("section", key, lang), tuple(told)))
    return book
