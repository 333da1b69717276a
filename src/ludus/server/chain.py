"""The chain over what is stored: each row's digest covers the one before it, so that nothing changes unnoticed.

It shows accidents: bits that flipped, rows that went missing or came from elsewhere. It is no signature.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def first_link(table: str, opening: Mapping[str, Any]) -> str:
    """The digest of how a table began."""
    return _digest("", [table, opening])


def next_link(link: str, row: Mapping[str, Any]) -> str:
    """The digest of a fact, after the one before it."""
    return _digest(link, [row["version"], row["kind"], row["by"], row["text"], row["request"], row["data"]])


def pack_link(link: str, version: int, facts: bytes) -> str:
    """The digest of packed facts, after the one of how the table began."""
    return _digest(link, [version, hashlib.sha256(facts).hexdigest()])


def _digest(link: str, data: Any) -> str:
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{link}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
