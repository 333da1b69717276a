"""Counting the positions that can come: chance expanded, one ply at a time.

The data are in perft.json, one entry a line: a variant, a name, a position (none: the start), and per depth
`leaves` (sequences of events), `positions` (different ones among their ends), `events` (different notations
of the last one). After a change that is meant to show: PYTHONPATH=tests .venv/bin/python -m perft.counts
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from variants import make

import ludus

FILE = Path(__file__).with_name("perft.json")
KINDS = ("leaves", "positions", "events")

Counts = dict[str, list[int]]


def entries() -> list[dict[str, Any]]:
    """The entries of the data file."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return found


def counts(
    first: Any, depth: int, key: Callable[[Any], Any], events: Callable[[Any], Iterable[tuple[str, Any]]]
) -> Counts:
    """Leaves, different positions and different events of every depth up to `depth`."""
    layer = {key(first): (first, 1)}
    found: Counts = {kind: [] for kind in KINDS}
    for _ in range(depth):
        after: dict[Any, tuple[Any, int]] = {}
        names: set[str] = set()
        for pos, ways in layer.values():
            for name, child in events(pos):
                names.add(name)
                at = key(child)
                after[at] = (child, ways + after[at][1]) if at in after else (child, ways)
        layer = after
        found["leaves"].append(sum(ways for _, ways in layer.values()))
        found["positions"].append(len(layer))
        found["events"].append(len(names))
    return found


def events_of(pos: ludus.Position) -> list[tuple[str, ludus.Position]]:
    """Every event that can happen, in notation, with the position after it."""
    rolls = [(name, pos.play(name)) for name in pos.outcomes()]
    return rolls + [(str(move), pos.play(move)) for move in pos.moves()]


def key_of(pos: ludus.Position) -> Any:
    """What makes positions equal."""
    return pos.game.key(pos.row)


def count(entry: dict[str, Any]) -> Counts:
    """The counts of an entry, by ludus itself."""
    game = make(entry["variant"]).compile()
    first = game.position(entry["position"]) if entry["position"] else game.start()
    return counts(first, len(entry["leaves"]), key_of, events_of)


def refresh() -> None:
    """Count every entry again, to the depth it has, and write the file."""
    lines = [json.dumps({**entry, **count(entry)}) for entry in entries()]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    refresh()
