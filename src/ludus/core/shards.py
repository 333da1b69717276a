"""Shares of one piece of work, for machines that do not know each other: the third of sixteen is `3/16`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.core.errors import LudusError, quoted

MOST_SHARDS = 10_000
_WRITTEN = re.compile(r"(\d{1,5})/(\d{1,5})")


@dataclass(frozen=True)
class Shard:
    """Number `number` of `of`, counted from 1."""

    number: int = 1
    of: int = 1

    @classmethod
    def read(cls, text: str) -> Shard:
        """From `3/16`."""
        found = _WRITTEN.fullmatch(text)
        shard = cls(int(found[1]), int(found[2])) if found else cls(0, 0)
        if not 1 <= shard.number <= shard.of <= MOST_SHARDS:
            raise LudusError(f"--shard: a share is written 3/16, from 1/{MOST_SHARDS} on, not {quoted(text)}")
        return shard

    def share(self, count: int) -> range:
        """Its part of `count` things: all shares together are all of them, each once."""
        return range((self.number - 1) * count // self.of, self.number * count // self.of)

    def file(self, folder: str | Path, kind: str) -> Path:
        """Where its results are kept: in the folder, which is made if need be."""
        path = Path(folder).expanduser()
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LudusError(f"--out {folder}: no folder can be made there: {error.strerror}") from None
        width = len(str(self.of))
        return path / f"{kind}-{self.number:0{width}}-of-{self.of}.jsonl"

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


WHOLE = Shard()


def files_of(folders: Iterable[str | Path]) -> list[Path]:
    """The files of shares in folders, in order; a file by itself is taken as it is."""
    found: list[Path] = []
    for given in folders:
        path = Path(given).expanduser()
        if path.is_dir():
            found += sorted(path.glob("*-of-*.jsonl"))
        elif path.is_file():
            found.append(path)
        else:
            raise LudusError(f"{given}: no folder and no file")
    if not found:
        raise LudusError(f"no shares in {', '.join(map(str, folders))}: a share is a file like arena-3-of-16.jsonl")
    return found


def check_together(heads: Sequence[tuple[Path, dict[str, Any]]]) -> list[int]:
    """The numbers of the shares that are missing; shares of different work, or one twice, are refused."""
    first, wanted = heads[0]
    seen: dict[int, Path] = {}
    for path, head in heads:
        for key in {**wanted, **head}:
            here, there = head.get(key), wanted.get(key)
            if key != "shard" and here != there:
                raise LudusError(f"{path}: does not belong to {first}: {key} is {quoted(here)}, not {quoted(there)}")
        number, of = head["shard"]
        if of != wanted["shard"][1]:
            raise LudusError(f"{path}: a share of {of}, but {first} is one of {wanted['shard'][1]}")
        if number in seen:
            raise LudusError(f"{path}: share {number}/{of} is in {seen[number]} already")
        seen[number] = path
    return [number for number in range(1, wanted["shard"][1] + 1) if number not in seen]
