"""How today's Ludo differs from the frozen traces by intent, named one by one: whatever is not named here is a fault.

Of each difference it is said where it may be: by rule set, by the text that was tried, or by both texts of a refusal.
"""

from __future__ import annotations

import re
from typing import Any

TEXT = "text of a refusal"
YARD = "mask of what comes out"  # whether each piece of a yard has an action of its own is a matter of layout
ORDER = "order of moves"
STRICTER = "position refused as the quick kernel's games refused it"
VOCABULARY = "which reason is named for what is no move of the rule set at all"
KNOWN_KEY = "a key of positions that every game knows by now"
ANOTHER_FAULT = "of several faults of a position one named first that was let pass"
MENDED = "what the general kernel's telling had wrong"
BOUNCE = "a bounce told step by step, as the general kernel did"
DIE_OF_YARD = "a piece that comes out named by its die, as the general kernel let it"
SENTENCES = "rules that have changed, told by the sentences of the rule book and not by names of options"
HARMLESS = {
    TEXT, YARD, ORDER, STRICTER, VOCABULARY, KNOWN_KEY, ANOTHER_FAULT, MENDED, BOUNCE, DIE_OF_YARD, SENTENCES,
}  # fmt: skip

# ---------------------------------------------------------------- rule sets

# several dice are drawn in one order by now, that of `strict` and `french`: a seed gives these other rolls
OTHER_ROLLS = {"parchis", "uckers", *(f"loose-{name}" for name in ("three-dice", "sum", "doubles", "bonus-dice"))}
# and moves are listed piece by piece, as theirs are, and not token by token; pieces of a yard have one action
OTHER_ORDER = {*OTHER_ROLLS, "loose-bonus", "loose-before-home-open"}
# where pieces bounce off the finish: the quick kernel told the way there and the end, and not the steps back
BOUNCING = {
    "star", "star-2", "star-3-from-square", "six-seats-star", "fia", "star-teams", "star-ranks-of-six",
    "pettingzoo-bounce-attempts",
}  # fmt: skip
# pieces in a goal lane counted as in play, so that nobody tried again to get out beside them (T14)
GOAL_LANES = {"maedn-attempts"}
# (variant, what, of which move): facts guessed from positions before and after, which events tell rightly: a jump back
# onto the way that led to it is a jump; buying back is no way; a held piece is bought, and not moved (F10)
GUESSED = {
    *(("loose-jumps", field, move) for field in ("path", "en", "fr") for move in ("7+5", "8+4")),
    ("loose-held", "path", "buy"),
    ("loose-held", "refusal", "held:yellow+6"),
    ("loose-held", "refusal", "red:held:yellow+6"),
}

# ---------------------------------------------------------------- refusals of moves

# (reason then, reason now) → the texts of which it may differ: those that name no move of the rules, or no piece or die
# of the position, so that several reasons are true, and the two kernels' readers named different ones first
_OUT, _BUY = r"(\w+:)*out", r"(\w+:)*buy"
_SWAP, _WAY, _ONE, _SEVERAL = r".+\+swap>.+", r".+>.+", r"[^+]+\+-?\w+", r".+(\+-?\d+){2,}"
_HELD, _NUMBERED, _TOGETHER = r"(\w+:)*held(:\w+)?(\+.+)+", r"\(-?\d+\)", r"out\*\d+"
NO_MOVE = {
    ("needs_face", "buy_needs_six"): _BUY,
    ("needs_face", "no_such_die"): _OUT,
    ("needs_face", "no_swap"): _OUT,
    ("needs_face", "not_moved_by_you"): _OUT,
    ("needs_face", "out_needs_face"): _OUT,
    ("no_piece", "needs_face"): _OUT + _NUMBERED,
    ("no_piece", "no_such_move"): rf"{_BUY}|{_OUT}\+\d+",
    ("no_piece", "nobody_in_yard"): rf"{_OUT}({_NUMBERED})?",
    ("no_piece", "notation"): _BUY + _NUMBERED,
    ("no_special", "notation"): _TOGETHER,
    ("no_such_die", "held"): _HELD,
    ("no_such_die", "needs_face"): _OUT + _NUMBERED,
    ("no_such_die", "notation"): _ONE,
    ("no_such_die", "out_needs_face"): rf"start\+\d+|{_OUT}{_NUMBERED}",
    ("no_such_move", "needs_face"): _OUT + _NUMBERED,
    ("no_such_move", "notation"): _TOGETHER,
    ("no_swap", "held"): _HELD,
    ("no_swap", "no_such_move"): _SWAP,
    ("notation", "held"): _HELD,
    ("notation", "no_such_die"): _SEVERAL,
    ("notation", "no_such_move"): rf"{_SWAP}|{_OUT}(\+\d+)+|{_TOGETHER}",
    ("notation", "no_such_way"): _WAY,
    ("notation", "not_combined"): _SEVERAL,
}
# `out(6)` was no kind of move to the quick kernel; to the general one it was `out`, or what stands against that
BY_DIE = re.compile(_OUT + _NUMBERED)
# texts of refused tries that may differ: dice and cards in another order, the name of a die, the example of a move
OTHER_TEXT = re.compile(
    r"(.+ is not an outcome here: chance comes first, with ).+"
    r"|(the dice left do not include ).+|('.+' is not a move; write for example ).+",
    re.DOTALL,
)


def of_refused_try(text: str, old: list[Any], new: list[Any]) -> str:
    """What differs where a try is answered otherwise: [its notation] where it is legal, or [code, rule, text]."""
    if BY_DIE.fullmatch(text) and old[0] == "no_such_move":
        return DIE_OF_YARD
    if len(old) != len(new):  # one of them is legal
        return VOCABULARY if text.startswith("pass>") and new[0] == "notation" else "refusal"
    if old[:2] == new[:2]:
        then, now = OTHER_TEXT.fullmatch(old[2]), OTHER_TEXT.fullmatch(new[2])
        return TEXT if then and now and then.groups() == now.groups() else "text of a refusal that may not differ"
    shape = NO_MOVE.get((old[0], new[0]))
    return VOCABULARY if shape and re.fullmatch(shape, text) else "refusal"


# who the rules of a change hold for, in English and in French: then, and now
_CHANGED = (
    (re.compile(r"changed rules hold for (.+?): .+ \(.+\)"), re.compile(r".+, now for (.+?): .+\."), "everybody"),
    (
        re.compile(r"des règles changées valent pour (.+?) : .+ \(.+\)"),
        re.compile(r".+, désormais pour (.+?) : .+\."),
        "tous",
    ),
)


def is_told_in_sentences(field: str, old: Any, new: Any) -> bool:
    """Whether hints say of the same changes, in the same order and for the same players, what holds now."""
    if field != "hints" or [len(lines) for lines in old] != [len(lines) for lines in new]:
        return False
    return all(
        before == after or _is_same_change(*forms, before, after)
        for forms, *texts in zip(_CHANGED, old, new, strict=True)
        for before, after in zip(*texts, strict=True)
    )


def _is_same_change(then: re.Pattern[str], now: re.Pattern[str], everybody: str, before: str, after: str) -> bool:
    was, told = then.fullmatch(before), now.fullmatch(after)
    return bool(was and told) and (told[1] == was[1] or (told[1] == everybody and ", " in was[1]))


def is_told_bounce(name: str, field: str, old: Any, new: Any) -> bool:
    """Whether a path goes to the finish as it did, and then back to the same end step by step."""
    if name not in BOUNCING or field != "path" or "finish" not in old:
        return False
    there = old.index("finish") + 1
    return old[:there] == new[:there] and len(old) == there + 1 and old[-1] == new[-1] and len(new) > len(old)


# ---------------------------------------------------------------- refusals of set-ups

# what the general kernel let pass in a set-up, though no play leads there
LET_PASS = re.compile(
    r"pieces: \w+ and an opponent both on .+|sixes: dice .+ ends a row of sixes|"
    r"turn: the game is over, so it is the last mover's.*|rolls: failed attempts count only while no piece is in play|"
    r"again: what was rolled says .+",
    re.DOTALL,
)
# what is looked at before keys that were not known then
LOOKED_AT_FIRST = re.compile(
    r"pieces: \w+ never comes to tile .+|pieces: two pieces of \w+ on \d+|"
    r"stage: .+ only where a roll gave nothing to play, and then without dice|"
    r"kept: .+ can't be rolled; there are .+|captured: \w+ is on its end path or home without a capture",
    re.DOTALL,
)
# by key: how a fault of it was said then, and how it is said now
_NUMBER = r"a number from \d+ to \d+, not .+"
SAID: dict[str, tuple[str, str]] = {
    "pieces": (
        r"\w+ (on .+, which is no place of this board|on tile .+; path tiles are .+|on '.+'; the end path is .+)"
        r"|\w+ never comes to (\d+|'\w+')",
        r"\w+ on .+; a place is .+|\w+ never comes to (\w+|tile \d+: it turns into its end path before)",
    ),
    "dice": (
        r"\[.*\] can't be left of one roll|\[.*\] can't be rolled with \d+ di\w+"
        r"|a list of dice from \d+ to \d+, not .+",
        r"\[.*\] can't be rolled, nor be left of one roll|.+ can't be rolled; there are .+"
        r"|a list of what is left to play, not .+",
    ),
    "sixes": (
        rf"only \w+, who has the turn, can have rolled in a row|{_NUMBER}",
        rf"a mapping from a colour to its sixes in a row, where rules count them, not .+|{_NUMBER}",
    ),
    "rolls": (_NUMBER, "these rules give one attempt"),
    "rolloff": (
        r"\{.+\}( before the first turn, if at all)?",
        r"these rules have no roll-off|\{.+\} and no dice, not .+",
    ),
    "reversed": (r"true or false, not .+", r"true only where the order of play can turn round, not .+"),
    **dict.fromkeys(("lost", "captures", "turns", "scores", "skips"), (_NUMBER, "these rules do not count them")),
}
UNKNOWN_KEY = re.compile(r"unknown key '(\w+)'.*", re.DOTALL)


def of_refused_set_up(old: str, new: str) -> str:
    """What differs where a set-up is refused in other words."""
    unknown = UNKNOWN_KEY.fullmatch(old)
    (key, _, words), (key_now, _, words_now) = old.partition(": "), new.partition(": ")
    if unknown and key_now == unknown[1]:
        return TEXT
    if LET_PASS.fullmatch(new) or (unknown and LOOKED_AT_FIRST.fullmatch(new)):
        return ANOTHER_FAULT
    then, now = SAID.get(key, ("", ""))
    same = key == key_now and (key != "pieces" or words.split()[0] == words_now.split()[0])
    is_named = re.fullmatch(then, words, re.DOTALL) and re.fullmatch(now, words_now, re.DOTALL)
    return TEXT if same and is_named else "fault of a position"
