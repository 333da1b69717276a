"""What each player did in a game, counted as it is played: for the end of a game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypedDict

from ludus.core.position import Position

_DICE = re.compile(r"\d+(,\d+)*")


class PlayerTally(TypedDict):
    """A player's game in numbers; `luck` is what its dice showed above what dice show on average."""

    captures: int
    suffered: int
    rolls: int
    sixes: int
    luck: float
    faces: dict[str, list[float]]  # how often each fell, and how often it was to be expected


class GameTally:
    """Every player's game in numbers; what is taken back is counted off again."""

    def __init__(self, players: Sequence[str], told: Mapping[str, PlayerTally] | None = None) -> None:
        self.told = {player: _copied(told[player]) if told else _nothing() for player in players}

    def copy(self) -> GameTally:
        """A tally of its own that goes on from here."""
        return GameTally(list(self.told), self.told)

    def count(self, before: Position, text: str, times: int = 1) -> None:
        """Count a roll or a move from the position before it, or take it off (-1)."""
        if before.to_move == "chance":
            self._count_roll(before, text, times)
        else:
            self._count_captures(before, text, times)

    def shown(self) -> dict[str, PlayerTally]:
        """The numbers for people."""
        shown = {player: _copied(one) for player, one in self.told.items()}
        for one in shown.values():
            one["luck"] = round(one["luck"], 1) + 0.0
            faces = sorted(one["faces"].items())
            one["faces"] = {face: [int(fell), round(due, 2)] for face, (fell, due) in faces if round(due, 6)}
        return shown

    def _count_roll(self, before: Position, text: str, times: int) -> None:
        one = self.told.get(before.turn)
        if one is None or not _DICE.fullmatch(text):
            return
        faces = [int(face) for face in text.split(",")]
        one["rolls"] += times
        one["sixes"] += times * faces.count(6)
        expected = _expected(tuple(before.game.chance_weights(before.row).items()))
        one["luck"] += times * (sum(faces) - sum(int(face) * due for face, due in expected.items()))
        for face, due in expected.items():
            fell, so_far = one["faces"].get(face, (0, 0.0))
            one["faces"][face] = [fell + times * faces.count(int(face)), so_far + times * due]

    def _count_captures(self, before: Position, text: str, times: int) -> None:
        if text == "pass":
            return
        player = str(before.to_move)
        for taken in before.detail(before.action(text)).captures:
            self.told[player]["captures"] += times
            if taken.colour in self.told:
                self.told[taken.colour]["suffered"] += times


def _nothing() -> PlayerTally:
    return {"captures": 0, "suffered": 0, "rolls": 0, "sixes": 0, "luck": 0.0, "faces": {}}


def _copied(one: PlayerTally) -> PlayerTally:
    return {**one, "faces": {face: list(counts) for face, counts in one["faces"].items()}}


@lru_cache(maxsize=256)
def _expected(weights: tuple[tuple[str, int], ...]) -> dict[str, float]:
    """How often each face falls in a roll, on average."""
    total, due = sum(weight for _, weight in weights), Counter[str]()
    for name, weight in weights:
        for face in name.split(","):
            due[face] += weight
    return {face: times / total for face, times in due.items()}
