"""What each player did in a game, counted from its record: for the end of a game."""

from __future__ import annotations

import re
from typing import TypedDict

from ludus.core.game import Position
from ludus.core.record import Record

_DICE = re.compile(r"\d+(,\d+)*")


class PlayerTally(TypedDict):
    """A player's game in numbers; `luck` is what its dice showed above what dice show on average."""

    captures: int
    suffered: int
    rolls: int
    sixes: int
    luck: float


def tally_of(record: Record) -> dict[str, PlayerTally]:
    """Every player's game in numbers."""
    told: dict[str, PlayerTally] = {
        player: {"captures": 0, "suffered": 0, "rolls": 0, "sixes": 0, "luck": 0.0} for player in record.game.players
    }
    for number in range(1, len(record) + 1):
        event, before = record.event(number), record.at(number - 1)
        if event.is_chance:
            _count_roll(told, before, event.text)
        else:
            _count_captures(told, before, event.text, event.by)
    for one in told.values():
        one["luck"] = round(one["luck"], 1)
    return told


def _count_roll(told: dict[str, PlayerTally], before: Position, text: str) -> None:
    one = told.get(before.turn)
    if one is None or not _DICE.fullmatch(text):
        return
    faces = [int(face) for face in text.split(",")]
    one["rolls"] += 1
    one["sixes"] += faces.count(6)
    one["luck"] += sum(faces) - _expected(before)


def _expected(before: Position) -> float:
    """What the dice of a roll show on average."""
    weights = before.game.chance_weights(before.row)
    total = sum(weights.values())
    return sum(sum(map(int, name.split(","))) * weight for name, weight in weights.items()) / total


def _count_captures(told: dict[str, PlayerTally], before: Position, text: str, player: str) -> None:
    for taken in before.move(before.action(text)).captures:
        told[player]["captures"] += 1
        if taken.colour in told:
            told[taken.colour]["suffered"] += 1
