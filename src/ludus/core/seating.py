"""Who plays at the seats where `Game.playouts` is given bots: the core knows none, who has some provides them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from ludus.core.errors import LudusError

if TYPE_CHECKING:
    from ludus.core.game import Game


class Seated(Protocol):
    """One bot for each seat."""

    def decide(self, row: Any, ply: int, seed: int) -> int:
        """The action of the bot whose turn it is."""

    def close(self) -> None:
        """Close the bots that were made for this."""


class Seating(Protocol):
    """How bots are seated, and how they play many games."""

    def seated(self, game: Game, bots: Any) -> Seated:
        """A bot for each seat, by name or made."""

    def play_bots(self, game: Game, bots: Any, numbers: tuple[int, int, int, int], out: Any, *, own_dice: bool) -> None:
        """Fill a line for each game between bots; numbers: seed, first, games, max_plies."""


_PROVIDED: list[Callable[[], Seating]] = []


def provide(load: Callable[[], Seating]) -> None:
    """Say where bots come from; they are loaded when somebody first asks for some."""
    _PROVIDED[:] = [load]


def seating() -> Seating:
    """How bots are seated."""
    if not _PROVIDED:
        raise LudusError("bots: nobody has provided any")
    return _PROVIDED[0]()
