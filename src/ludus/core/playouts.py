"""What many games gave, as the kernel writes it: columns of numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Playouts:
    """What many games gave: one array entry per game (winner is a seat, -1 a draw or an unfinished game)."""

    players: tuple[str, ...]
    winner: Any
    turns: Any
    moves: Any
    captures: Any
    plies: Any
    finished: Any

    def __len__(self) -> int:
        return len(self.winner)

    def wins(self) -> dict[str, int]:
        """Games won, by player."""
        return {name: int((self.winner == seat).sum()) for seat, name in enumerate(self.players)}

    @classmethod
    def columns(cls) -> int:
        """How many numbers a kernel's playouts write for one game: every field but the players, in order."""
        return len(fields(cls)) - 1

    @classmethod
    def of(cls, players: tuple[str, ...], out: Any) -> Playouts:
        """out: int64[games, columns], as the kernel wrote it."""
        columns = [out[:, column].copy() for column in range(cls.columns())]
        columns[5] = columns[5] == 1
        return cls(players, *columns)
