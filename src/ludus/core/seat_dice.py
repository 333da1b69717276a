"""Dice for each seat of a game: its rolls are the same whatever others do, so games of one deal stay alike longer."""

from __future__ import annotations

from ludus.core.kernels.codes import TURN
from ludus.core.position import Position
from ludus.core.random import stream


class SeatDice:
    """The rolls of one game, by its seed; in compiled games `next_roll` (bots/kernels/policies.py) gives the same."""

    def __init__(self, seed: int, seats: int) -> None:
        self._keys = [stream(stream(seed, 0), 1 + seat) for seat in range(seats)]
        self._rolls = [0] * seats

    def next_draw(self, position: Position) -> tuple[int, int]:
        """The key and the number of the roll that is due."""
        seat = int(position.row[TURN])
        self._rolls[seat] += 1
        return self._keys[seat], self._rolls[seat]
