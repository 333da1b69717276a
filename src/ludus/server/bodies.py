"""The bodies of HTTP requests and answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Self, TypedDict

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from ludus.core.fair_dice import ENTROPY
from ludus.core.game import MOST_SEATS
from ludus.core.scene import EventScene, GameScene, MoveScene, PositionScene
from ludus.play.clocks import Clock
from ludus.play.facts import Settings
from ludus.play.refusals import Refused
from ludus.play.seats import BOT, FACE, PERSON, Newcomer, clean_name
from ludus.play.thinking import bot_names, stand_in

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]  # unguessable, so no other letters ever occur
Name = Annotated[str, Field(max_length=40)]
Player = Annotated[str, Field(min_length=1, max_length=40)]
Lang = Literal["en", "fr"]
Players = (
    Annotated[int, Field(ge=1, le=MOST_SEATS)] | Annotated[list[Player], Field(min_length=1, max_length=MOST_SEATS)]
)
Face = Annotated[str, Field(pattern=f"^({FACE.pattern})?$")]
Entropy = Annotated[str, Field(pattern=f"^{ENTROPY.pattern}$")]
Invite = Annotated[str, Field(min_length=1, max_length=100)]
Options = Annotated[dict[Annotated[str, Field(max_length=80)], JsonValue], Field(max_length=100)]


class Body(BaseModel):
    """Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class SeatWanted(Body):
    """Who is to play a seat."""

    kind: Literal["person", "bot", "open"]
    name: Name = ""
    bot: Name | None = None
    face: Face = ""
    entropy: Entropy | None = None


class Choice(Body):
    """Players and options of a game."""

    players: Players | None = None
    options: Options = Field(default_factory=dict)


class OwnRules(Choice):
    """A rule set of one's own: a document in TOML."""

    document: Annotated[str, Field(max_length=32_000)]


class ClockWanted(Body):
    """Seconds for each roll or move, and for a whole game; what happens when they are used up."""

    move: int | None = None
    game: int | None = None
    then: Literal["bot", "pass"] = "bot"


class PositionWanted(Choice):
    """A position of a game by name, of a rule set of one's own, or of a table; as data, by its id, or by its number."""

    game: Name = ""
    document: Annotated[str, Field(max_length=32_000)] | None = None
    table: Id | None = None
    position: dict[str, JsonValue] | None = None
    id: Annotated[str, Field(max_length=400)] | None = None
    ply: Annotated[int, Field(ge=0, le=10_000_000)] | None = None

    @model_validator(mode="after")
    def _names_one_game(self) -> Self:
        if bool(self.game) + (self.document is not None) + (self.table is not None) != 1:
            raise ValueError("a game, a document or a table")
        return self


class ValuesWanted(PositionWanted):
    """What a position is worth; of some of its moves also what speaks for them and against them."""

    reasons: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=4)] = []


class TableTerms(Body):
    """Who plays, and how."""

    seats: dict[Player, SeatWanted] = Field(default_factory=dict, max_length=MOST_SEATS)
    undo: bool = True
    auto_roll: bool = False
    pace: Annotated[int, Field(ge=0, le=10_000)] = 800
    takeover: Annotated[int, Field(ge=0, le=86_400)] = 60
    public: bool = False
    clock: ClockWanted | None = None
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None
    position: dict[str, JsonValue] | None = None
    options: Options = Field(default_factory=dict)

    def settings(self) -> Settings:
        """As the table wants them."""
        clock = None if self.clock is None else Clock(self.clock.move, self.clock.game, self.clock.then)
        if clock is not None:
            clock.check()
        return Settings(self.undo, self.auto_roll, self.pace, self.takeover, self.public, clock)

    def seats_for(self, players: tuple[str, ...]) -> dict[str, dict[str, Any]]:
        """Who plays: as asked for; else the first is a person and the others are bots."""
        for player, seat in self.seats.items():
            if player not in players:
                raise Refused("bad_game", what=f"seats: {', '.join(players)} play, not {player!r}")
            if seat.bot is not None and seat.bot not in bot_names():
                raise Refused("unknown_bot", bot=seat.bot)
        seats = {p: {**seat.model_dump(), "name": clean_name(seat.name)} for p, seat in self.seats.items()}
        for number, player in enumerate(players):
            chosen = seats.setdefault(player, {"kind": BOT if number or self.seats else PERSON})
            if chosen["kind"] == BOT:
                chosen["bot"] = chosen.get("bot") or stand_in()
        return seats


class TableWanted(TableTerms, Choice):
    """A new table: of a game by name, or of a rule set of one's own."""

    game: Name = ""
    document: Annotated[str, Field(max_length=32_000)] | None = None

    @model_validator(mode="after")
    def _names_one_game(self) -> Self:
        if bool(self.game) == (self.document is not None):
            raise ValueError("a game or a document")
        return self


class AgainWanted(TableTerms):
    """A new table by the rules of another one, from a moment of its game on."""

    ply: Annotated[int, Field(ge=0, le=10_000_000)] | None = None


class TableMade(BaseModel):
    """The tokens of the maker's seats, and the invite for open ones."""

    table: str
    tokens: dict[str, str]
    invite: str | None


class JoinWanted(Body):
    """Sit down with an invite; at a public table without one."""

    invite: Invite | None = None
    player: Player | None = None
    name: Name = ""
    face: Face = ""
    entropy: Entropy | None = None

    def newcomer(self) -> Newcomer:
        """As the hall wants it."""
        return Newcomer(self.invite, self.player, clean_name(self.name), self.entropy, self.face)


class InvitationWanted(Body):
    """A short invitation, for whoever holds the long one."""

    invite: Invite | None = None


class InvitationMade(BaseModel):
    """A code to pass on, and until when it holds."""

    code: str
    expires: str


class InvitationFound(BaseModel):
    """Where a code leads."""

    table: str


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


class RuleTold(TypedDict):
    """A rule in words, with the ids it has in a rule book of ours."""

    id: str
    text: str
    option: NotRequired[str | None]


class SectionTold(TypedDict):
    """A chapter of a rule book."""

    key: NotRequired[str]
    title: str
    rules: list[RuleTold]


class ExamplesShown(TypedDict):
    """A small board for each section of a rule book that one can show: its scene, and positions by section."""

    scene: NotRequired[GameScene]
    examples: NotRequired[dict[str, Any]]


class BookTold(ExamplesShown):
    """A rule book."""

    title: str
    source: str
    sections: list[SectionTold]


class OptionShown(TypedDict):
    """An option of a rule set: its value, what it may be, what it means, and its value where nobody chose."""

    key: str
    group: str
    value: JsonValue
    default: JsonValue
    kind: str
    choices: NotRequired[list[JsonValue]]
    min: NotRequired[float]
    max: NotRequired[float]
    meaning: str
    rules: list[str]


class GameShown(TypedDict):
    """A game in short."""

    name: str
    title: str
    about: str
    source: str
    family: str
    players: list[str]
    numbers: list[int]


class GameOnBoard(GameShown):
    """A game with its board."""

    scene: GameScene
    view: PositionScene


class GameInFull(GameOnBoard):
    """A game with its options and its board."""

    options: list[OptionShown]


class DecidingRule(TypedDict):
    """The rule that decides a verdict, and why."""

    rule: str
    text: str


class VerdictShown(TypedDict):
    """What kind of Ludo a rule set is."""

    kind: str
    words: str
    decides: DecidingRule | None


class DifferenceShown(TypedDict):
    """An option that differs from the rule set a document extends."""

    option: str
    value: JsonValue
    before: str
    now: str


class Judged(TypedDict):
    """What is said of a document: its kind, how it differs from what it extends, and its tables beside the groups."""

    base: NotRequired[str]
    base_title: NotRequired[str]
    tables: NotRequired[dict[str, str]]
    verdict: NotRequired[VerdictShown]
    differences: NotRequired[list[DifferenceShown]]


class PositionShown(TypedDict):
    """A position that was set up: its id, itself as data, and how it looks."""

    id: str
    game: str
    title: str
    players: list[str]
    position: dict[str, Any]
    scene: GameScene
    view: PositionScene


class ChoiceShown(GameInFull, Judged):
    """The game that a choice of players and options gives, with its rule book."""

    rules: BookTold


class BotShown(TypedDict):
    """A bot in words."""

    name: str
    title: str
    text: str


class ReplayFrame(TypedDict):
    """A position of a game, and what led to it."""

    n: int
    by: str
    player: NotRequired[str]
    kind: Literal["start", "roll", "move"]
    text: str
    words: str
    move: NotRequired[MoveScene | None]
    events: NotRequired[list[EventScene]]
    view: PositionScene


# frames of a game; `from` is a word of Python, so this is no class
ReplayShown = TypedDict(
    "ReplayShown",
    {"table": str, "title": str, "scene": GameScene, "count": int, "from": int, "frames": list[ReplayFrame]},
)
