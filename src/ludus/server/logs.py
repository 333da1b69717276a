"""What the server says of itself on standard error: lines for people, or JSON for machines that read them."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

KINDS = ("text", "json")


class JsonLines(logging.Formatter):
    """One object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as JSON; whatever was told with `extra={"told": {…}}` is in fields of its own."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "logger": record.name, "what": record.getMessage()}
        line |= getattr(record, "told", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def write_logs(kind: str) -> None:
    """Let everything be written in lines of one kind."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if kind == "json" else logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("ludus").setLevel(logging.INFO if kind == "json" else logging.WARNING)
