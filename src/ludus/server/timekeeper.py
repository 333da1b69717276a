"""Who keeps the time at a table: whose clock runs, since when, and the alarm when it runs out.

A clock runs while somebody is at the table, for the person who has to roll or to move. What it took is written into the
fact that ends it, so that a table that is read from the store knows what everybody has left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypedDict

from ludus.play.facts import Fact
from ludus.play.table import Table

# pages show what the others did before anybody can act: so much a step, and so much in all
SHOWN_SECONDS, MOST_SHOWN = 1.2, 10.0
TIMED = ("roll", "move", "time")


class ClockShown(TypedDict):
    """Clocks as they stand: milliseconds. `grace` is left until the running one begins to count."""

    running: str | None
    grace: int
    move: int | None
    game: dict[str, int] | None


class Timekeeper:
    """The clocks of one table."""

    def __init__(self, table: Table, ring: Callable[[str], None]) -> None:
        self.table = table
        self.clock = table.settings.clock
        self._ring = ring
        self._due: tuple[str, int] | None = None  # whose clock is on, at which ply
        self._since: float | None = None  # … and since when it runs
        self._used = 0.0  # seconds before it stood still
        self._timer: asyncio.TimerHandle | None = None

    def follow(self, is_visited: bool, steps: int = 0) -> None:
        """Let the right clock run; `steps` are what the others did since its player acted, and still has to see."""
        if self.clock is None:
            return
        player = self.table.acting
        runs = is_visited and player is not None and self._is_timed(player)
        due = (player, self.table.ply) if player is not None else None
        if due != self._due:
            self._stand_still()
            self._due, self._used = due, 0.0
        if runs and self._since is None:
            self._start(str(player), steps if self._used == 0.0 else 0)
        elif not runs:
            self._stand_still()

    def stop(self) -> None:
        """No alarm any more; nobody is known who would hear it, so that the room is freed at once."""
        self._stand_still()
        self._ring = lambda _: None

    def stamp(self, facts: list[Fact]) -> list[Fact]:
        """The facts, the first of them with the time that it took."""
        if self.clock is None or self._due is None or not facts or facts[0].kind not in TIMED:
            return facts
        spent = [self._due[0], round(self._elapsed() * 1000)]
        return [replace(facts[0], data={**facts[0].data, "spent": spent}), *facts[1:]]

    def is_out(self, player: str) -> bool:
        """Whether a player's time is out now."""
        return self._due is not None and self._due == (player, self.table.ply) and self._left(player) <= 0.001

    def shown(self) -> ClockShown | None:
        """How the clocks stand."""
        if self.clock is None:
            return None
        running = self._due[0] if self._due is not None and self._since is not None else None
        grace = max(0.0, (self._since or 0.0) - _now()) if running else 0.0
        move = self.clock.move
        return {
            "running": running,
            "grace": round(grace * 1000),
            "move": None if move is None else _milliseconds(move - (self._elapsed() if running else 0.0)),
            "game": None if self.clock.game is None else {p: self._game_left(p) for p in self.table.game.players},
        }

    def _game_left(self, player: str) -> int:
        elapsed = self._elapsed() if self._due is not None and self._due[0] == player else 0.0
        game = self.clock.game if self.clock is not None and self.clock.game is not None else 0
        return _milliseconds(game - self.table.spent.get(player, 0) / 1000 - elapsed)

    def _is_timed(self, player: str) -> bool:
        """Whether a person is to act, who sits there."""
        return self.table.bot_of(player) is None and self.table.chairs[player].token is not None

    def _start(self, player: str, steps: int) -> None:
        each = max(0.0, SHOWN_SECONDS - self.table.settings.pace / 1000)
        grace = min(MOST_SHOWN, steps * each)
        self._since = _now() + grace
        self._timer = asyncio.get_running_loop().call_later(grace + max(0.0, self._left(player)), self._ring, player)

    def _stand_still(self) -> None:
        self._used, self._since = self._elapsed(), None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _elapsed(self) -> float:
        return self._used + (0.0 if self._since is None else max(0.0, _now() - self._since))

    def _left(self, player: str) -> float:
        """Seconds that a player has, by the clock that ends first."""
        clock = self.clock
        assert clock is not None
        lefts = [clock.move - self._elapsed()] if clock.move is not None else []
        if clock.game is not None:
            lefts.append(clock.game - self.table.spent.get(player, 0) / 1000 - self._elapsed())
        return min(lefts)


def steps_to_see(facts: Sequence[Fact], player: str) -> int:
    """How many rolls and moves of others came since a player's own last one."""
    seen = 0
    for fact in reversed(facts):
        if fact.kind in ("roll", "move"):
            if player in (fact.by, fact.data.get("for")):
                break
            seen += 1
    return seen


def _milliseconds(seconds: float) -> int:
    return max(0, round(seconds * 1000))


def _now() -> float:
    return asyncio.get_running_loop().time()
