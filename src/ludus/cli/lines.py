"""The story of a game in lines for a terminal; the words themselves are those of every table."""

from __future__ import annotations

from ludus.core.errors import one_line
from ludus.core.game import Game
from ludus.core.messages import Message
from ludus.core.position import Position
from ludus.core.record import RecordedEvent
from ludus.play.telling import (
    dice_left,
    in_short,
    keeps_rolling,
    move_in_words,
    place_in_words,
    played_in_words,
    player_name,
    result_told,
    roll_in_words,
    rolls_just_made,
    rolls_of_turn,
)

__all__ = [
    "dice_left", "event_told", "in_short", "inked", "keeps_rolling", "move_in_words", "place_in_words",
    "played_in_words", "player_name", "result_told", "roll_in_words", "rolls_just_made", "rolls_of_turn", "say",
    "source_of", "title_of", "told",
]  # fmt: skip

PACKAGE = "ludus.cli"

# ANSI colours by player; others stay plain
_INK = {
    "green": "32", "yellow": "33", "blue": "34", "red": "31", "purple": "35", "orange": "38;5;208",
    "black": "90", "white": "97", "pink": "38;5;205", "brown": "38;5;137", "teal": "36",
    "lime": "38;5;148", "attacker": "31", "defender": "34",
}  # fmt: skip


def say(key: str, lang: str, **values: object) -> str:
    """A sentence of the catalogue."""
    return Message(PACKAGE, key, values, "say").text(lang)


def title_of(game: Game, lang: str) -> str:
    """A game's title; what somebody else's document calls it must not steer a terminal."""
    return one_line(game.title(lang))


def source_of(game: Game, lang: str) -> str:
    """Where a game's rules come from, on one line."""
    return one_line(game.source(lang))


def inked(text: str, player: str, colour: bool) -> str:
    """The text in a player's colour."""
    return f"\033[{_INK[player]}m{text}\033[0m" if colour and player in _INK else text


def told(player: str, rolls: str, move: str, words: str, lang: str, colour: bool = False) -> str:
    """One line of the story: who, with what, what, and its effect."""
    name = inked(f"{player_name(player, lang):<9}", player, colour)
    return f"{name} {rolls:<7}  {move:<10}  {words}".rstrip()


def event_told(before: Position, event: RecordedEvent, after: Position, lang: str, colour: bool = False) -> str:
    """One event of a record as a line."""
    if event.is_chance:
        skipped = after.to_move == "chance" and not keeps_rolling(after)
        words = roll_in_words(before, event.text, after, lang) if skipped else ""
        return told(before.turn, event.text, "", words, lang, colour)
    return told(event.by, "", event.text, played_in_words(before, event.text, lang), lang, colour)
