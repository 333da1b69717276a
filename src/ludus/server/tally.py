"""What each player did in a game, counted from its record: for the end of a game."""

from __future__ import annotations

import re
from collections import Counter
from typing import TypedDict

from ludus.core.position import Position
from ludus.core.record import Record

_DICE = re.compile(r"\d+(,\d+)*")


class PlayerTally(TypedDict):
    """A player's game in numbers; `luck` is what its dice showed above what dice show on average."""

    captures: int
    suffered: int
    rolls: int
    sixes: int
    luck: float
    faces: dict[str, list[float]]  # how often each fell, and how often it was to be expected


def tally_of(record: Record) -> dict[str, PlayerTally]:
    """Every player's game in numbers."""
    told: dict[str, PlayerTally] = {
        player: {"captures": 0, "suffered": 0, "rolls": 0, "sixes": 0, "luck": 0.0, "faces": {}}
        for player in record.game.players
    }
    for number in range(1, len(record) + 1):
        event, before = record.event(number), record.at(number - 1)
        if event.is_chance:
            _count_roll(told, before, event.text)
        else:
            _count_captures(told, before, event.text, event.by)
    for one in told.values():
        one["luck"] = round(one["luck"], 1)
        one["faces"] = {face: [int(fell), round(due, 2)] for face, (fell, due) in sorted(one["faces"].items())}
    return told


def _count_roll(told: dict[str, PlayerTally], before: Position, text: str) -> None:
    one = told.get(before.turn)
    if one is None or not _DICE.fullmatch(text):
        return
    faces = [int(face) for face in text.split(",")]
    one["rolls"] += 1
    one["sixes"] += faces.count(6)
    expected = _expected(before)
    one["luck"] += sum(faces) - sum(int(face) * due for face, due in expected.items())
    for face, due in expected.items():
        fell, so_far = one["faces"].get(face, (0, 0.0))
        one["faces"][face] = [fell + faces.count(int(face)), so_far + due]


def _expected(before: Position) -> dict[str, float]:
    """How often each face falls in a roll, on average."""
    weights = before.game.chance_weights(before.row)
    total, due = sum(weights.values()), Counter[str]()
    for name, weight in weights.items():
        for face in name.split(","):
            due[face] += weight
    return {face: times / total for face, times in due.items()}


def _count_captures(told: dict[str, PlayerTally], before: Position, text: str, player: str) -> None:
    for taken in before.move(before.action(text)).captures:
        told[player]["captures"] += 1
        if taken.colour in told:
            told[taken.colour]["suffered"] += 1
