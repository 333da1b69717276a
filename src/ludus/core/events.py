"""What a move or a roll did, one thing after the other, as a game's kernel tells it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from ludus.core.game import Game
from ludus.core.kernels.codes import CHANCE
from ludus.core.position import Move, Position

Place = int | str


@dataclass(frozen=True)
class Event:
    """One thing that a move or a roll did: what, to whose piece (by its index), from where to where.

    `number` counts where something is counted: tokens lost, pieces captured for a bonus, a place reached; `name` says
    which change of rules, which bonus, why the turn passed on, how a game ended.
    """

    what: str
    colour: str
    piece: int | None = None
    origin: Place | None = None
    target: Place | None = None
    number: int | None = None
    name: str | None = None


class TellingGame(Game):
    """A game whose kernel notes what happens (entries `tell_api`, `tell_chance_api`), some integers an event."""

    events_at: int  # where in the scratch the events are
    event_size: int

    def told_at(self, position: Position, number: int, is_chance: bool = False) -> list[list[int]]:
        """The same of a position: the facts of a move and its events are told of once."""
        row = position.row
        plain: list[int] = row if isinstance(row, list) else row.tolist()
        return position.once(("told", number, is_chance), lambda: self.told(plain, number, is_chance))  # type: ignore[no-any-return]

    def told(self, row: list[int], number: int, is_chance: bool = False) -> list[list[int]]:
        """What the kernel tells of a legal action, or of an outcome, tried on a copy: integers for each event."""
        engine = self.engine
        after, scratch = engine.copy(row), engine.scratch
        tell = engine.kernel.tell_chance_api if is_chance else engine.kernel.tell_api
        count = int(tell(after, engine.tables, scratch, number))
        first, size = self.events_at, self.event_size
        return [[int(part) for part in scratch[at : at + size]] for at in range(first, first + count * size, size)]

    def events(self, position: Position, move: Move | str) -> tuple[Event, ...]:
        """What a move or a chance outcome does, one thing after the other."""
        is_chance = position.stage == CHANCE
        number = position.outcome_number(str(move)) if is_chance else position.action(move)
        return tuple(map(self.event_of, self.told_at(position, number, is_chance)))

    @abstractmethod
    def event_of(self, told: Sequence[int]) -> Event:
        """An event for people and programs: names instead of the kernel's numbers."""
