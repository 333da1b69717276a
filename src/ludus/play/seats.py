"""Who sits where at a table: people with their tokens, open seats, bots, and bots that stand in for people."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Any, TypedDict

from ludus.play.refusals import Refused

PERSON, BOT = "person", "bot"
TOKEN_BYTES = 24
MOST_MARKS = 2  # on one letter: some languages need two
FACE = re.compile(r"[a-z]{1,16}")  # a drawing that clients know; one they do not know is shown as none


def new_secret() -> str:
    """A token, an invite or a table id that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def clean_name(name: str) -> str:
    """A name as it is shown; Refused where it can't be, or where marks pile up over other lines."""
    plain = unicodedata.normalize("NFC", " ".join(name.split()))
    marks = 0
    for at, letter in enumerate(plain):
        marks = marks + 1 if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks > MOST_MARKS or (marks and at == 0) or not name.isprintable():
            raise Refused("bad_name")
    return plain


def digest_of(secret: str) -> str:
    """What is stored of a secret: whoever reads the data base learns no token."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Newcomer:
    """Somebody who wants to sit down."""

    invite: str | None = None
    player: str | None = None
    name: str = ""
    entropy: str | None = None
    face: str = ""

    def sits_down(self, token: str, uninvited: bool) -> dict[str, Any]:
        """What is kept of sitting down, beside the name; `token` is a digest."""
        given = {"face": self.face, "entropy": self.entropy, "uninvited": uninvited}
        return {"token": token} | {key: value for key, value in given.items() if value}


class PublicSeat(TypedDict):
    """What everybody may know of a seat."""

    player: str
    kind: str
    name: str
    bot: str | None
    online: bool
    open: bool
    taken_over: bool
    resigned: bool
    face: str


@dataclass
class Chair:
    """One seat. `token` is the digest of the token that opens it, None where nobody's does."""

    player: str
    kind: str = PERSON
    name: str = ""
    bot: str | None = None  # the bot that plays it now
    token: str | None = None
    stands_in: bool = False  # the bot plays for a person who is gone
    chosen: bool = False  # … because that person asked for it
    resigned: bool = False
    face: str = ""  # the drawing that its person chose
    uninvited: bool = False  # taken at a public table by somebody whom nobody asked

    @property
    def is_open(self) -> bool:
        """Whether somebody with the invite may sit down here."""
        return self.kind == PERSON and self.token is None

    def opens_with(self, token: str) -> bool:
        """Whether the token is this seat's."""
        return self.token is not None and hmac.compare_digest(self.token, digest_of(token))

    def sit(self, name: str, token: str, face: str = "", uninvited: bool = False) -> None:
        """Somebody takes the seat; `token` is a digest."""
        self.uninvited = uninvited
        self.kind, self.name, self.token, self.face = PERSON, name, token, face
        self.bot, self.stands_in, self.chosen = None, False, False

    def leave(self, bot: str) -> None:
        """The person leaves for good: the token opens nothing any more, a bot plays."""
        self.token = None
        self.uninvited = False
        self.stand_in(bot, chosen=False)

    def stand_in(self, bot: str, chosen: bool) -> None:
        """A bot plays for the person."""
        self.bot, self.stands_in, self.chosen = bot, True, chosen

    def give_back(self) -> None:
        """The person plays again."""
        self.bot, self.stands_in, self.chosen = None, False, False

    def public(self, online: bool) -> PublicSeat:
        """What everybody may know."""
        return {
            "player": self.player, "kind": self.kind, "name": self.name, "bot": self.bot, "online": online,
            "open": self.is_open, "taken_over": self.stands_in, "resigned": self.resigned,
            "face": self.face,
        }  # fmt: skip


def seat_data(
    kind: str, name: str = "", bot: str | None = None, token: str | None = None, face: str = ""
) -> dict[str, Any]:
    """A seat as an opening has it."""
    return {"kind": kind, "name": name, "bot": bot if kind == BOT else None, "token": token, "face": face}
