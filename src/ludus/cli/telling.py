"""Games in words: who rolled what, what a move did, who won. Knows only what the core says of every game."""

from __future__ import annotations

from ludus.core.game import Move, Position
from ludus.core.messages import Message
from ludus.core.record import Event, Record

PACKAGE = "ludus.cli"

# ANSI colours by player; others stay plain
_INK = {
    "green": "32", "yellow": "33", "blue": "34", "red": "31", "purple": "35", "orange": "38;5;208",
    "black": "90", "white": "97", "attacker": "31", "defender": "34",
}  # fmt: skip


def say(key: str, lang: str, **values: object) -> str:
    """A sentence of the catalogue."""
    return Message(PACKAGE, key, values, "say").text(lang)


def player_name(player: str, lang: str) -> str:
    """A player in the language; a name that no catalogue has stays as it is."""
    return Message(PACKAGE, player, {}, "player").text(lang)


def inked(text: str, player: str, colour: bool) -> str:
    """The text in a player's colour."""
    return f"\033[{_INK[player]}m{text}\033[0m" if colour and player in _INK else text


def keeps_rolling(position: Position) -> bool:
    """At chance: whether dice are kept while more are rolled (F5)."""
    return position.to_move == "chance" and bool(position.to_dict().get("kept"))


def rolls_just_made(record: Record, n: int) -> list[str]:
    """The rolls that end at event `n` and are played together, oldest first; none where it is a move."""
    events = record.events
    rolls: list[str] = []
    while n and events[n - 1].is_chance and (not rolls or keeps_rolling(record.at(n))):
        rolls.append(events[n - 1].text)
        n -= 1
    return rolls[::-1]


def rolls_of_turn(record: Record) -> list[str]:
    """What was rolled before the moves that can be taken back."""
    events, n = record.events, len(record)
    while n and not events[n - 1].is_chance:
        n -= 1
    return rolls_just_made(record, n)


def dice_left(position: Position) -> str:
    """The dice not yet used, '' where there are none."""
    dice = position.to_dict().get("dice")
    return " ".join(map(str, dice)) if isinstance(dice, list) else str(dice or "")


def move_in_words(move: Move, lang: str) -> str:
    """What a move does."""
    return say("no_move", lang) if str(move) == "pass" else move.describe(lang)


def roll_in_words(before: Position, after: Position, lang: str) -> str:
    """What comes after a roll that nobody decides on."""
    key = "roll_off" if "rolloff" in before.to_dict() else "not_played"
    return "" if after.to_move is None else say(key, lang, player=player_name(after.turn, lang))


def told(player: str, rolls: str, move: str, words: str, lang: str, colour: bool = False) -> str:
    """One line of the story: who, with what, what, and its effect."""
    name = inked(f"{player_name(player, lang):<9}", player, colour)
    return f"{name} {rolls:<7}  {move:<10}  {words}".rstrip()


def event_told(before: Position, event: Event, after: Position, lang: str, colour: bool = False) -> str:
    """One event of a record as a line."""
    if event.is_chance:
        skipped = after.to_move == "chance" and not keeps_rolling(after)
        words = roll_in_words(before, after, lang) if skipped else ""
        return told(before.turn, event.text, "", words, lang, colour)
    move = before.move(before.action(event.text))
    return told(event.by, "", event.text, move_in_words(move, lang), lang, colour)


def result_told(record: Record, lang: str) -> str:
    """Who won."""
    result = record.result
    if result is None:
        return say("unfinished", lang)
    best = max(result.values())
    winners = [player_name(player, lang) for player, value in result.items() if value == best]
    if len(winners) == len(result):
        return say("draw", lang)
    names = f" {say('and', lang)} ".join(winners)
    sentence = say("wins" if len(winners) == 1 else "win", lang, players=names)
    return sentence[0].upper() + sentence[1:]
