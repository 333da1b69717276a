"""Clocks of a table: how long people may think, and what happens when their time is out. The server keeps the time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from ludus.play.refusals import Refused

# seconds: too short to read the board, or longer than anybody waits
LEAST_MOVE, LEAST_GAME, LONGEST = 5, 60, 604_800
THEN = ("bot", "pass")


class PublicClock(TypedDict):
    """A clock as everybody sees it: seconds, null where there is no limit."""

    move: int | None
    game: int | None
    then: Literal["bot", "pass"]


@dataclass(frozen=True)
class Clock:
    """Seconds for each roll or move and for a whole game; `then` a bot plays on, or the turn passes (it is by lot)."""

    move: int | None = None
    game: int | None = None
    then: Literal["bot", "pass"] = "bot"

    @classmethod
    def of(cls, data: Mapping[str, Any] | None) -> Clock | None:
        """From plain data, as it was stored."""
        return None if data is None else cls(data["move"], data["game"], data["then"])

    def check(self) -> None:
        """Refused where nobody could play by it."""
        limits = ((self.move, LEAST_MOVE), (self.game, LEAST_GAME))
        is_fine = all(seconds is None or least <= seconds <= LONGEST for seconds, least in limits)
        if not is_fine or self.move is self.game is None or self.then not in THEN:
            raise Refused("bad_clock", move=LEAST_MOVE, game=LEAST_GAME)

    def data(self) -> PublicClock:
        """As plain data."""
        return {"move": self.move, "game": self.game, "then": self.then}
