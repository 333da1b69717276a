"""Games in words: who rolled what, what a move did, who won. Knows only what the core says of every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.core.game import Game
from ludus.core.messages import Message, catalogue, look_up
from ludus.core.position import Move, Position
from ludus.core.record import Record

PACKAGE = "ludus.play"


def say(key: str, lang: str, **values: object) -> str:
    """A sentence of the catalogue."""
    return Message(PACKAGE, key, values, "say").text(lang)


def sentence(words: str) -> str:
    """The words with a capital letter first."""
    return words[:1].upper() + words[1:]


def words_of(key: str, lang: str, **values: object) -> str:
    """A sentence about a table."""
    return sentence(Message(PACKAGE, key, values, "view").text(lang))


def player_name(player: str, lang: str) -> str:
    """A player in the language; a name that no catalogue has stays as it is."""
    return Message(PACKAGE, player, {}, "player").text(lang)


def bot_title(bot: str, lang: str) -> str:
    """A bot as people know it; one that no catalogue has by its name."""
    return look_up(PACKAGE, f"bot.{bot}", lang) or bot


def chance_in_words(player: str, outcome: str, lang: str) -> str:
    """What chance did, in a sentence: dice as they fell, cards and shells by name."""
    device, _, face = outcome.rpartition(":")
    who = player_name(player, lang)
    if not device:
        return words_of("rolls", lang, player=who, outcome=outcome)
    if look_up(PACKAGE, f"view.{device}_{face}", lang):
        return words_of(f"{device}_{face}", lang, player=who)
    key = device if look_up(PACKAGE, f"view.{device}", lang) else "chance"
    shown = look_up(PACKAGE, f"face.{face}", lang) or face.replace("_", " ")
    return words_of(key, lang, player=who, outcome=shown if key == device else f"{device} {shown}")


def in_short(game: Game, lang: str) -> list[str]:
    """How the game goes, for somebody who has never played it: a few sentences, or none."""
    spoken = catalogue(PACKAGE, lang).get("book", {})
    return list(spoken.get(game.name) or spoken.get(game.document()["family"]) or [])


def keeps_rolling(position: Position) -> bool:
    """At chance: whether dice are kept while more are rolled (F5)."""
    return position.to_move == "chance" and bool(position.to_dict().get("kept"))


def rolls_just_made(record: Record, n: int) -> list[str]:
    """The rolls that end at event `n` and are played together, oldest first; none where it is a move."""
    rolls: list[str] = []
    while n and record.event(n).is_chance and (not rolls or keeps_rolling(record.at(n))):
        rolls.append(record.event(n).text)
        n -= 1
    return rolls[::-1]


def rolls_of_turn(record: Record) -> list[str]:
    """What was rolled before the moves that can be taken back."""
    n = len(record)
    while n and not record.event(n).is_chance:
        n -= 1
    return rolls_just_made(record, n)


def dice_left(position: Position) -> str:
    """The dice not yet used, '' where there are none."""
    dice = position.to_dict().get("dice")
    return " ".join(map(str, dice)) if isinstance(dice, list) else str(dice or "")


def place_in_words(place: str, lang: str) -> str:
    """A place as people call it: a tile by its name, everything else in words."""
    kind, _, detail = place.partition(":")
    if not look_up(PACKAGE, f"place.{kind}", lang):
        return place
    shown = player_name(detail, lang) if kind == "held" else str(int(detail) + 1) if detail.isdecimal() else detail
    return Message(PACKAGE, kind, {"detail": shown}, "place").text(lang)


def move_in_words(move: Move, lang: str) -> str:
    """What a move does."""
    return say("no_move", lang) if str(move) == "pass" else move.describe(lang)


def played_in_words(before: Position, text: str, lang: str) -> str:
    """What a move did that was played: its own words, then what came of it."""
    move = before.move(before.action(text))
    freely = str(move) == "pass" and len(before.moves()) > 1
    words = say("passes", lang) if freely else move_in_words(move, lang)
    return ", ".join([words, *what_came_of_it(before, text, lang)])


def roll_in_words(before: Position, outcome: str, after: Position, lang: str) -> str:
    """What comes of a roll that nobody decides on."""
    words = what_came_of_it(before, outcome, lang)
    if after.to_move is None:
        return "; ".join(words)
    if "rolloff" in before.to_dict():
        words.append(say("roll_off", lang))
    elif not words:
        words.append(say("not_played", lang))
    return "; ".join([*words, say("next", lang, player=player_name(after.turn, lang))])


def what_came_of_it(before: Position, text: str, lang: str) -> list[str]:
    """The events that a move's own words leave out, each as a phrase."""
    return [phrase for event in before.events(text) if (phrase := event_in_words(event, lang))]


def event_in_words(event: Any, lang: str) -> str:
    """An event as a phrase; nothing where the move itself says it, or it goes without saying."""
    keys = (f"{event.what}_{event.name}", event.what)
    key = next((key for key in keys if look_up(PACKAGE, f"event.{key}", lang)), None)
    if key is None:
        return ""
    values = {"number": event.number, "name": event.name, "origin": event.origin, "target": event.target}
    return Message(PACKAGE, key, values | {"player": player_name(event.colour, lang)}, "event").text(lang)


def winners_told(result: Mapping[str, float], lang: str) -> str:
    """Who won, from what each player got."""
    winners = winners_of(result)
    if not winners:
        return say("draw", lang)
    names = f" {say('and', lang)} ".join(player_name(player, lang) for player in winners)
    is_shared = len(winners) > 1 and max(result.values()) <= 0  # the best so far at a turn limit: equals share a draw
    key = "shared" if is_shared else "wins" if len(winners) == 1 else "win"
    return sentence(say(key, lang, players=names))


def winners_of(result: Mapping[str, float]) -> list[str]:
    """The players who got most; nobody where all got the same."""
    best = max(result.values())
    winners = [player for player, value in result.items() if value == best]
    return [] if len(winners) == len(result) else winners


def result_told(record: Record, lang: str) -> str:
    """Who won, or that nobody has yet."""
    return say("unfinished", lang) if record.result is None else winners_told(record.result, lang)
