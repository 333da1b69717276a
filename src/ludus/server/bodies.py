"""The bodies of HTTP requests and answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from ludus.server.table import Settings

Name = Annotated[str, Field(max_length=40)]
Player = Annotated[str, Field(min_length=1, max_length=40)]
Lang = Literal["en", "fr"]
Players = Annotated[int, Field(ge=1, le=8)] | Annotated[list[Player], Field(min_length=1, max_length=8)]
Options = Annotated[dict[Annotated[str, Field(max_length=80)], JsonValue], Field(max_length=100)]


class Body(BaseModel):
    """Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class SeatWanted(Body):
    """Who is to play a seat."""

    kind: Literal["person", "bot", "open"]
    name: Name = ""
    bot: Name | None = None


class Choice(Body):
    """Players and options of a game."""

    players: Players | None = None
    options: Options = Field(default_factory=dict)


class OwnRules(Choice):
    """A rule set of one's own: a document in TOML."""

    document: Annotated[str, Field(max_length=32_000)]


class TableWanted(Choice):
    """A new table: of a game by name, or of a rule set of one's own."""

    game: Name = ""
    document: Annotated[str, Field(max_length=32_000)] | None = None
    seats: dict[Player, SeatWanted] = Field(default_factory=dict, max_length=8)
    undo: bool = True
    auto_roll: bool = False
    pace: Annotated[int, Field(ge=0, le=10_000)] = 800
    takeover: Annotated[int, Field(ge=0, le=86_400)] = 60
    public: bool = False
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None
    position: dict[str, JsonValue] | None = None

    @model_validator(mode="after")
    def _names_one_game(self) -> Self:
        if bool(self.game) == (self.document is not None):
            raise ValueError("a game or a document")
        return self

    def settings(self) -> Settings:
        """As the table wants them."""
        return Settings(self.undo, self.auto_roll, self.pace, self.takeover, self.public)


class TableMade(BaseModel):
    """The tokens of the maker's seats, and the invite for open ones."""

    table: str
    tokens: dict[str, str]
    invite: str | None


class JoinWanted(Body):
    """Sit down with an invite; at a public table without one."""

    invite: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    player: Player | None = None
    name: Name = ""


class Joined(BaseModel):
    """A seat and its token."""

    table: str
    player: str
    token: str


class RecordKept(BaseModel):
    """Where an uploaded record can be replayed."""

    table: str


class Problem(BaseModel):
    """What went wrong."""

    code: str
    text: str


class Failure(BaseModel):
    """Every error's body."""

    error: Problem


class Replay(BaseModel):
    """Frames of a game."""

    table: str
    title: str
    scene: dict[str, Any]
    count: int
    begin: Annotated[int, Field(serialization_alias="from")]
    frames: list[dict[str, Any]]
