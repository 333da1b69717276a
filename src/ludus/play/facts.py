"""How a table began, and what happened at it since: all that is stored of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, get_args

from ludus.play.clocks import Clock, PublicClock

# what can happen in a game, and what can happen around it
GameKind = Literal["roll", "move", "undo"]
TableKind = Literal["resign", "sit", "leave", "takeover", "back", "rematch", "entropy", "time"]
GAME_KINDS = get_args(GameKind)

# a client that lost its connection sends again what was not answered: so many of each player's requests are known
LAST_REQUESTS = 16


class PublicSettings(TypedDict):
    """The settings as everybody sees them."""

    undo: bool
    auto_roll: bool
    pace: int
    takeover: int
    public: bool
    clock: PublicClock | None


@dataclass(frozen=True)
class Settings:
    """What the people at a table agreed on."""

    undo: bool = True
    auto_roll: bool = False
    pace: int = 800
    takeover: int = 60
    public: bool = False  # shown to everybody while somebody is here; free seats need no invite
    clock: Clock | None = None

    def data(self) -> PublicSettings:
        """As plain data."""
        return {
            "undo": self.undo, "auto_roll": self.auto_roll, "pace": self.pace, "takeover": self.takeover,
            "public": self.public, "clock": None if self.clock is None else self.clock.data(),
        }  # fmt: skip

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Settings:
        """From plain data."""
        return cls(**{**data, "clock": Clock.of(data.get("clock"))})


@dataclass(frozen=True)
class Opening:
    """How a table began: the whole rule set, so that a later ludus plays it by the same rules."""

    table: str
    document: dict[str, Any]
    seed: int
    seats: dict[str, dict[str, Any]]
    settings: Settings = Settings()
    start: dict[str, Any] | None = None
    invite: str | None = None  # a digest
    options: dict[str, Any] = field(default_factory=dict)
    created: str = ""
    replay: bool = False
    previous: str | None = None
    secret: str | None = None  # of fair dice; without one they come from the seed
    seeded: bool = False  # whoever made the table chose the seed, and may know every roll

    def data(self) -> dict[str, Any]:
        """As plain data, for the store."""
        return {
            "document": self.document, "seed": self.seed, "seats": self.seats, "settings": self.settings.data(),
            "start": self.start, "invite": self.invite, "options": self.options, "created": self.created,
            "replay": self.replay, "previous": self.previous, "seeded": self.seeded, "secret": self.secret,
        }  # fmt: skip

    @classmethod
    def of(cls, table: str, data: Mapping[str, Any]) -> Opening:
        """From plain data."""
        return cls(table, **{**data, "settings": Settings.of(data["settings"])})


@dataclass(frozen=True)
class Fact:
    """Number `version` of what happened at a table; `by` is a player or 'chance', `request` the id it answers."""

    version: int
    kind: GameKind | TableKind
    by: str
    text: str = ""
    request: str | None = None
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Rest:
    """Where a table stood after fact `version`: what is told from its facts, so that they need not be played again."""

    version: int
    position: dict[str, Any]
    changes: dict[str, list[str]]  # of the rules, by the number of the event that brought them
    tally: dict[str, Any]

    def data(self) -> dict[str, Any]:
        """As plain data, for the store."""
        return {"version": self.version, "position": self.position, "changes": self.changes, "tally": self.tally}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Rest:
        """From plain data."""
        return cls(**data)


def who_asked(fact: Fact) -> str:
    """Whose request a fact answers: in the game a roll is chance's."""
    by: str = fact.data.get("for", fact.by)
    return by
