"""What the server says over the socket: every message and its parts, as docs/protocol.md tells them.

Messages are built as these types and checked as them by `mypy`; `AnyAnswer` is all of them, for whoever reads the wire.
What the client says is in `requests`, the bodies of HTTP in `bodies`.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from ludus.core.scene import EventScene, GameScene, MoveScene, PositionScene
from ludus.play.facts import GameKind, PublicSettings, TableKind
from ludus.play.seats import PublicSeat
from ludus.play.tally import PlayerTally
from ludus.server.timekeeper import ClockShown


class Ending(TypedDict):
    """How a game ended."""

    result: dict[str, float]
    winners: list[str]
    reason: Literal["played", "resigned"]
    text: str
    tally: dict[str, PlayerTally]


class TableView(PositionScene):
    """Where the table stands now: a position, and what the table adds to it."""

    headline: str
    hints: list[str]
    can_undo: str | None
    rolls: list[str]
    over: Ending | None
    clock: ClockShown | None


class DiceShown(TypedDict):
    """Where the rolls come from: fair dice with their commitment, a seed that the maker chose, or an older table's own.

    `secret` is null until the game is over; an entropy is [rolls before it, player, word].
    """

    kind: Literal["fair", "seeded", "drawn"]
    commitment: str | None
    secret: str | None
    entropies: list[list[int | str]]


class PublicTable(TypedDict):
    """What everybody may know of a table."""

    id: str
    game: str
    title: str
    family: str
    players: list[str]
    seats: list[PublicSeat]
    settings: PublicSettings
    options: dict[str, Any]
    digest: str
    created: str
    version: int
    replay: bool
    over: Ending | None
    rematch: str | None
    acting: str | None
    notices: list[str]
    dice: DiceShown


class StepLine(TypedDict):
    """Something that happened, as a line of the log."""

    type: Literal["step"]
    version: int
    ply: int
    by: str
    player: str
    kind: GameKind | TableKind
    text: str
    words: str
    events: list[EventScene]


class StepMessage(StepLine):
    """Something happens: what was played, as it was listed, and where the table stands after it."""

    move: NotRequired[MoveScene | None]
    view: TableView


class TableMessage(TypedDict):
    """The answer to `hello`. The scene goes out as a text that was encoded before."""

    type: Literal["table"]
    you: list[str]
    table: PublicTable
    scene: NotRequired[GameScene]
    view: TableView
    log: list[StepLine]


class SeatsMessage(TypedDict):
    """Who sits where has changed."""

    type: Literal["seats"]
    version: int
    seats: list[PublicSeat]
    clock: ClockShown | None


class SaidMessage(TypedDict):
    """Somebody at the table says one of the phrases there are."""

    type: Literal["said"]
    player: str
    phrase: str


class RematchMessage(TypedDict):
    """Where the next game is."""

    type: Literal["rematch"]
    table: str


class DoneMessage(TypedDict):
    """A request is carried out and stored."""

    type: Literal["done"]
    id: str
    version: int


class HintMessage(TypedDict):
    """What a bot would play."""

    type: Literal["hint"]
    id: str
    ply: int
    move: str
    words: str
    reasons: list[str]


class WhyNot(TypedDict):
    """A reason why something is not legal."""

    move: str
    text: str
    rule: str | None
    code: str


class WhyMessage(TypedDict):
    """What a piece may do, and why it may not do the rest."""

    type: Literal["why"]
    id: str
    legal: list[str]
    reasons: list[WhyNot]


class ErrorMessage(TypedDict):
    """A request that is not carried out; a move that the rules forbid has the rule's own code and id.

    `address`: of the server where the table is, with the code `elsewhere`.
    """

    type: Literal["error"]
    id: str | None
    code: str
    text: str
    reason: NotRequired[str]
    rule: NotRequired[str | None]
    address: NotRequired[str]


AnyAnswer = (
    TableMessage
    | StepMessage
    | SeatsMessage
    | SaidMessage
    | RematchMessage
    | DoneMessage
    | HintMessage
    | WhyMessage
    | ErrorMessage
)
