"""What comes up and what it may be played as: the table [chance.tokens].

A key is a value (`"6"`), a card's name, a sum of two dice (`"a+b=5"`) or a pair (`"a=b"`). What follows are
alternatives: a distance (`"6"`, `"-4"`), coming out (`"out"`, or `"out@6"` onto the sixth tile of the way), and with
`+` a token that is played after it: `"out+out"`. `"split 7"` is shared out among pieces, `"split 7 by 2"` between
two; `"swap"` changes places with an opponent's piece, `"swap any"` with another player's; nobody has to
make an exchange that is `"may swap"`, and who can do nothing else may pass; `"strike"` puts a piece of
the yard onto an opponent's tile. `[clears]` after a distance or a split: who is passed or met goes home, own ones too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ludus.core.errors import RulesError, quoted
from ludus.games.ludo.document.rules import RuleSet

_ALTERNATIVE = re.compile(r"(?:(out)(?:@(\d{1,2}))?|(-?\d{1,2}))((?:\+(?:out|\d{1,2})){0,7})")
_SPLIT = re.compile(r"split (\d{1,2})( by 2)?( \[clears\])?")
_WHOLE = re.compile(r"(\d{1,2}) \[clears\]")
SWAPS = ("swap", "swap any", "strike", "may swap")  # numbered as the kernel's SWAP_*, from 1
_SUM = re.compile(r"a\+b=(\d{1,2})")
PAIR = "a=b"
MOST_SPLIT = 12


@dataclass(frozen=True)
class Alternative:
    """One use of a token: a distance, or coming out onto a tile of the way; and the tokens of a kind that are left."""

    distance: int = 0
    out: bool = False
    onto: int = 1
    rest: str = ""
    times: int = 1
    swap: str = ""
    part: bool = False  # of a token that is shared out: what is left must be played too
    stays: bool = False  # the piece does not take the rest
    clears: bool = False


@cache
def uses_of(text: str) -> tuple[Alternative, ...]:
    """What one text lets a token do: one thing, or for a token that is shared out each first part of it."""
    match = _SPLIT.fullmatch(text)
    if match is None:
        return (alternative(text),)
    total, clears, by_two = int(match[1]), bool(match[3]), bool(match[2])
    if not 2 <= total <= MOST_SPLIT:
        raise RulesError(f"{quoted(text)}: 2 to {MOST_SPLIT} tiles can be shared out")
    ending = " [clears]" if clears else ""
    left = "{}" + ending if by_two else "split {}" + ending
    parts = [
        Alternative(n, rest=left.format(total - n), part=True, stays=by_two, clears=clears) for n in range(1, total)
    ]
    if not by_two and total - 1:
        parts[-1] = Alternative(total - 1, rest="1" + ending, part=True, clears=clears)
    return (*parts, Alternative(total, clears=clears))


def alternative(text: str) -> Alternative:
    """An alternative from its text; RulesError where it is none."""
    if text in SWAPS:
        return Alternative(swap=text)
    whole = _WHOLE.fullmatch(text)
    if whole:
        return Alternative(int(whole[1]), clears=True)
    match = _ALTERNATIVE.fullmatch(text)
    if match is None or match[2] in ("0", "00") or (match[3] and int(match[3]) == 0):
        raise RulesError(
            f"{quoted(text)} is no way to play a token; there are '6', '-4', 'out', 'out@6', 'out+out', "
            "'split 7', 'split 7 by 2', 'swap', 'swap any', 'may swap', 'strike', and '7 [clears]'"
        )
    left = match[4].split("+")[1:]
    if len(set(left)) > 1:
        raise RulesError(f"{quoted(text)}: what is left to play is of one kind, such as 'out+out+out'")
    rest = left[0] if left else ""
    if match[1]:
        return Alternative(out=True, onto=int(match[2] or 1), rest=rest, times=len(left) or 1)
    return Alternative(distance=int(match[3]), rest=rest, times=len(left) or 1)


def sum_of(key: str) -> int | None:
    """The sum of two dice that a key asks for, or None."""
    match = _SUM.fullmatch(key)
    return int(match[1]) if match else None


def is_of_two(key: str) -> bool:
    """Whether a key speaks of two dice together."""
    return key == PAIR or sum_of(key) is not None


def pairs_that_leave(rules: RuleSet) -> list[tuple[int, int, Alternative]]:
    """The dice, larger first, that together bring a piece out, and how."""
    found = {}
    faces = sorted(set(rules.chance.faces), reverse=True)
    for key, texts in rules.chance.tokens.items():
        for a in faces if is_of_two(key) else ():
            for b in faces:
                if a >= b and (a == b if key == PAIR else a + b == sum_of(key)):
                    found[a, b] = alternative(texts[0])
    return [(a, b, use) for (a, b), use in found.items()]


def deals_of(rules: RuleSet) -> tuple[int, ...]:
    """How many cards each player gets in each deal, one deal after the other; nothing where there are no hands."""
    words = rules.chance.hold.split()
    return tuple(map(int, words[1:])) if words[0] == "hand" else ()


def bad_hands(rules: RuleSet) -> str | None:
    """What does not go with hands of cards, in words, or None."""
    chance, deals = rules.chance, deals_of(rules)
    if not deals:
        if chance.exchange or chance.unplayable != "fold":
            return 'chance.exchange and chance.unplayable need hands: chance.hold = "hand 6" (L14)'
        return None
    draws = any(card.then != "nothing" for card in chance.cards)
    if chance.device != "cards" or chance.replacement:
        return 'chance.hold = "hand …" deals cards: take chance.device = "cards" and chance.replacement = false (L14)'
    if sum(card.count for card in chance.cards) < max(deals) * rules.board.seats:
        return f"chance.cards: too few for {rules.board.seats} hands of {max(deals)} (L14)"
    if chance.exchange and rules.modes.mode != "teams":
        return 'chance.exchange gives cards to a partner: take modes.mode = "teams" (L14)'
    if rules.turn.first != "seat" or rules.turn.again_on or draws:
        return (
            'chance.hold: with hands nobody rolls: take turn.first = "seat", and nothing that gives another roll (L14)'
        )
    return None


def shares_out(rules: RuleSet) -> bool:
    """Whether some token is shared out among pieces."""
    texts = [text for each in rules.chance.tokens.values() for text in each]
    return any(_SPLIT.fullmatch(text) is not None for text in texts)


def bad_tokens(rules: RuleSet) -> str | None:
    """What can't be in the table of tokens, in words, or None."""
    chance = rules.chance
    worth = [*chance.faces, *chance.throws, *([] if chance.marked is None else [chance.marked])]
    names = {str(value) for value in worth} | {card.name for card in chance.cards}
    if not chance.throws and chance.device in ("cowries", "sticks"):
        names |= {str(number) for number in range(chance.dice + 1)}
    if chance.use == "sum":
        names |= {str(n) for n in range(min(chance.faces) * chance.dice, max(chance.faces) * chance.dice + 1)}
    for key, texts in chance.tokens.items():
        where = f"chance.tokens: {quoted(key)}"
        try:
            found = [use for text in texts for use in uses_of(text)]
        except RulesError as error:
            return f"{where}: {error} (L14)"
        if is_of_two(key):
            if rules.tokens_in_a_roll != 2:
                return f"{where} needs chance.dice = 2, played one by one (L14)"
            if len(found) != 1 or not found[0].out or found[0].onto != 1:
                return f'{where}: two dice together bring pieces out: ["out"] or ["out+out"] (L24)'
        elif key not in names:
            return f"{where} never comes up; there are {', '.join(sorted(names))}, 'a+b=5' and 'a=b' (L14)"
    if shares_out(rules) and rules.tokens_in_a_roll != 1:
        return "chance.tokens: what is shared out among pieces comes up alone: one die, or cards (L14)"
    if chance.tokens and rules.movement.combined_move != "none":
        return 'chance.tokens needs movement.combined_move = "none"'
    if chance.hold == "turn" and rules.movement.combined_move != "none":
        return 'chance.hold = "turn" needs movement.combined_move = "none"'
    if chance.hold == "turn" and chance.pool != "one_roll":
        return 'chance.hold = "turn" keeps every roll that gives another: take chance.pool = "one_roll"'
    return None
