"""What an error is told as: a status of HTTP, a code and a sentence, without anything secret."""

from __future__ import annotations

import logging
from typing import Any

from ludus.core.errors import LudusError
from ludus.play.refusals import Refused
from ludus.server.keeping import DamagedTable, StoreError

log = logging.getLogger("ludus.server")

STATUS = {
    "forbidden": 403, "bad_invite": 403, "bad_token": 403, "not_found": 404, "no_such_table": 404, "unknown_game": 404,
    "no_such_seat": 404, "no_invitation": 404, "seat_taken": 409, "not_now": 409, "too_large": 413,
    "too_hard": 413, "too_fast": 429, "too_many_seats": 429, "store_failed": 503, "elsewhere": 307, "closing": 503,
}  # fmt: skip


def failure_of(error: Exception, lang: str) -> tuple[int, str, str]:
    """An error of ours, or of a body that does not fit its shape."""
    if isinstance(error, Refused):
        return STATUS.get(error.code, 400), error.code, error.text(lang)
    if isinstance(error, StoreError):
        code = told_of(error)
        return 503, code, Refused(code).text(lang)
    if hasattr(error, "errors"):
        first: dict[str, Any] = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return 400, "bad_request", f"{place}: {first['msg'][:100]}"
    return 400, "bad_request", str(error)[:300]


def told_of(error: LudusError) -> str:
    """The code for an error of the store; what it is about is for the log."""
    log.error("%s", error)
    return "damaged" if isinstance(error, DamagedTable) else "store_failed"
