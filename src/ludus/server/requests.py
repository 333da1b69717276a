"""What clients say over the socket, checked: docs/protocol.md tells the fields."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import from_json

from ludus.core.fair_dice import ENTROPY
from ludus.core.game import MOST_SEATS
from ludus.play.refusals import Refused
from ludus.server.limits import MESSAGE_BYTES

ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
RequestId = Annotated[str, Field(pattern=f"^{ID.pattern}$")]
Token = Annotated[str, Field(min_length=1, max_length=100)]
Word = Annotated[str, Field(min_length=1, max_length=40)]
# nothing else can be said at a table: words to each reader in its language, and drawings
Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "sorry", "your_turn", "close_one", "again",
    "clap", "laugh", "wow", "cry", "heart", "grumble",
]  # fmt: skip
Ply = Annotated[int, Field(ge=0, le=10_000_000)]


class Request(BaseModel):
    """Any message."""

    model_config = ConfigDict(strict=True, extra="ignore")


class Hello(Request):
    """First of all."""

    type: Literal["hello"]
    tokens: list[Token] = Field(default_factory=list, max_length=MOST_SEATS)
    lang: Literal["en", "fr"] = "en"


class Asked(Request):
    """A request with an answer."""

    id: RequestId


class MoveRequest(Asked):
    """Play a move by its notation."""

    type: Literal["move"]
    ply: Ply
    move: Annotated[str, Field(min_length=1, max_length=200)]


class RollRequest(Asked):
    """Roll."""

    type: Literal["roll"]
    ply: Ply


class UndoRequest(Asked):
    """Take the last move back."""

    type: Literal["undo"]
    ply: Ply


class HintRequest(Asked):
    """What a bot would play."""

    type: Literal["hint"]
    bot: Word | None = None


class WhyRequest(Asked):
    """Why something is not legal."""

    type: Literal["why"]
    piece: Word | None = None
    move: Annotated[str, Field(min_length=1, max_length=200)] | None = None


class SeatRequest(Asked):
    """Something about a seat: give up, play again, or leave."""

    type: Literal["resign", "rematch", "leave"]
    player: Word | None = None


class BotRequest(Asked):
    """Let a bot play a seat, or take the seat back."""

    type: Literal["bot"]
    player: Word | None = None
    bot: Word | None = None


class EntropyRequest(Asked):
    """A player's own word for the dice."""

    type: Literal["entropy"]
    player: Word | None = None
    entropy: Annotated[str, Field(pattern=f"^{ENTROPY.pattern}$")]


class SayRequest(Asked):
    """A phrase or a reaction for everybody at the table."""

    type: Literal["say"]
    player: Word | None = None
    phrase: Phrase


AnyRequest = Annotated[
    EntropyRequest
    | SayRequest
    | Hello
    | MoveRequest
    | RollRequest
    | UndoRequest
    | HintRequest
    | WhyRequest
    | SeatRequest
    | BotRequest,
    Field(discriminator="type"),
]
_ANY: TypeAdapter[AnyRequest] = TypeAdapter(AnyRequest)
TYPES = ("hello", "move", "roll", "undo", "hint", "why", "resign", "rematch", "leave", "bot", "entropy", "say")


def read(raw: str | bytes) -> dict[str, Any]:
    """The object in a message; Refused where there is none."""
    given = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
    if len(given) > MESSAGE_BYTES:
        raise Refused("too_large")
    try:
        # stricter than Python's own: no NaN, no half of a surrogate pair, no UTF-16
        data = from_json(given, allow_inf_nan=False)
    except ValueError:
        raise Refused("bad_json") from None
    if not isinstance(data, dict):
        raise Refused("bad_json")
    return data


def understood(data: dict[str, Any]) -> AnyRequest:
    """The request in an object; Refused with the first thing that is wrong."""
    try:
        return _ANY.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        # the first part of the place is the type that was chosen
        place = ".".join(str(part) for part in first["loc"][1:]) or "type"
        # an unknown type is told by those there are: nothing of a message is sent back
        told = f"one of {', '.join(TYPES)}" if first["type"] == "union_tag_invalid" else first["msg"][:100]
        raise Refused("bad_message", what=f"{place}: {told}") from None


def id_of(data: dict[str, Any]) -> str | None:
    """The id to answer with, where there is one: nothing else of a message is ever sent back."""
    value = data.get("id")
    return value if isinstance(value, str) and ID.fullmatch(value) else None
