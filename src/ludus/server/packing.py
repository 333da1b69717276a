"""Facts in little room: a table that rests is kept in a few kilobytes, by columns and compressed.

What a table is can be told from its facts alone. Beside them stands where it stood a few steps before the end
(`Rest`), so that a table which comes back need not play its whole game again.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludus.core.errors import LudusError
from ludus.play.facts import LAST_REQUESTS, Fact, Rest, who_asked

LARGEST = 64 << 20  # bytes of a game that was unpacked


@dataclass(frozen=True)
class Packed:
    """Facts 1 to `version` of a table, and where it stood."""

    facts: list[Fact]
    rest: Rest | None


def pack(packed: Packed) -> bytes:
    """Facts as bytes; only the newest requests of each player are kept with them."""
    facts = _forgetting(packed.facts)
    columns = [[getattr(fact, name) for fact in facts] for name in ("kind", "by", "text", "request", "data")]
    rest = None if packed.rest is None else packed.rest.data()
    text = json.dumps([*columns, rest], ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 6)


def unpack(data: bytes) -> Packed:
    """Facts from bytes."""
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(data, LARGEST)
        if unpacker.unconsumed_tail or unpacker.unused_data or not unpacker.eof:
            raise ValueError("too large, or a part")
        *columns, rest = json.loads(text.decode("utf-8", "surrogatepass"))
        facts = [Fact(version, *given) for version, given in enumerate(zip(*columns, strict=True), start=1)]
        return Packed(facts, None if rest is None else Rest.of(rest))
    except (zlib.error, ValueError, TypeError, RecursionError):
        raise LudusError("packed facts that can't be read") from None


def _forgetting(facts: Sequence[Fact]) -> list[Fact]:
    """The facts without the ids of requests that nobody can send again."""
    kept, seen = [], Counter[str]()
    for fact in reversed(facts):
        if fact.request is not None:
            seen[who_asked(fact)] += 1
        is_old = fact.request is not None and seen[who_asked(fact)] > LAST_REQUESTS
        kept.append(_unasked(fact) if is_old else fact)
    return kept[::-1]


def _unasked(fact: Fact) -> Fact:
    data: dict[str, Any] = {key: value for key, value in fact.data.items() if key not in ("for", "asked")}
    return replace(fact, request=None, data=data)
