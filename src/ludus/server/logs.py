"""What the server says of itself on standard error: lines for people, or JSON for machines that read them."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

KINDS = ("text", "json")


class JsonLines(logging.Formatter):
    """One object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as JSON; whatever was told with `extra=fields(…)` is in fields of its own."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "logger": record.name, "what": record.getMessage()}
        line |= getattr(record, "told", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def fields(**told: Any) -> dict[str, dict[str, Any]]:
    """What a line tells besides its words, for machines: `log.info("…", extra=fields(table=…))`."""
    return {"told": told}


def in_short(table: str) -> str:
    """A table in a log: with its whole id people could watch it."""
    return f"{table[:6]}…"


def write_logs(kind: str) -> None:
    """Let everything be written in lines of one kind."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if kind == "json" else logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("ludus").setLevel(logging.INFO if kind == "json" else logging.WARNING)
