"""Short invitations: eight letters that lead to a table for a day, easy to read out and to type.

Eight of 32 letters are 40 bits; with the few tries that an address has, nobody finds one by guessing. The data base
keeps digests, as of all secrets.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta

from ludus.play.refusals import Refused
from ludus.play.seats import digest_of
from ludus.server.keeping import Keeper

# no letter that is read as another one: without I and O, 0 and 1
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH = 8


def new_code() -> str:
    """A code as it is shown, in two halves."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    return f"{letters[: LENGTH // 2]}-{letters[LENGTH // 2 :]}"


def plain_code(text: str) -> str | None:
    """The letters of a code as somebody typed it; None where it can't be one."""
    letters = "".join(text.upper().replace("-", "").split())
    return letters if len(letters) == LENGTH and set(letters) <= set(LETTERS) else None


class Invitations:
    """Codes and the tables they lead to."""

    def __init__(self, store: Keeper, seconds: float) -> None:
        self.store = store
        self.seconds = seconds

    async def make(self, table: str) -> tuple[str, str]:
        """A new code for a table, and when it expires; codes that have expired are forgotten."""
        code, now = new_code(), datetime.now(UTC)
        expires = _written(now + timedelta(seconds=self.seconds))
        await self.store.keep_code(digest_of(str(plain_code(code))), table, expires, _written(now))
        return code, expires

    async def table_of(self, text: str) -> str:
        """Where a code leads; Refused alike for what never was one and for what has expired."""
        code = plain_code(text)
        table = await self.store.table_of_code(digest_of(code), _written(datetime.now(UTC))) if code else None
        if table is None:
            raise Refused("no_invitation")
        return table


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")
