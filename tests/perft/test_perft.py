"""Counts of positions by depth, chance expanded: the kernel and the references against the data file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from oracle import french_reference, generals_reference
from variants import VARIANTS

import ludus

from .counts import KINDS, count, counts, entries

ENTRIES = [entry for entry in entries() if entry["variant"] in VARIANTS]
NAMES = [f"{entry['variant']}: {entry['name']}" for entry in ENTRIES]


def test_every_game_is_counted() -> None:
    for name in ludus.games():
        own = [entry for entry in ENTRIES if VARIANTS[entry["variant"]][0] == name]
        assert any(entry["position"] is None for entry in own), f"{name}: nothing is counted from the start"
        assert sum(entry["position"] is not None for entry in own) >= 2, f"{name}: two rich positions at least"


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_counts(entry: dict[str, Any]) -> None:
    assert count(entry) == {kind: entry[kind] for kind in KINDS}


def french(entry: dict[str, Any]) -> tuple[ModuleType, Any]:
    return french_reference, ludus.make("french", **VARIANTS[entry["variant"]][1]).players


def generals(entry: dict[str, Any]) -> tuple[ModuleType, Any]:
    return generals_reference, VARIANTS[entry["variant"]][1]


REFERENCES = {"french": french, "generals": generals}
REFERRED = [entry for entry in ENTRIES if VARIANTS[entry["variant"]][0] in REFERENCES]


@pytest.mark.parametrize("entry", REFERRED, ids=[f"{e['variant']}: {e['name']}" for e in REFERRED])
def test_counts_by_the_reference(entry: dict[str, Any]) -> None:
    """The same by a program that shares no code with the kernel; not as deep where it would take long."""
    reference, more = REFERENCES[VARIANTS[entry["variant"]][0]](entry)

    def events(pos: Any) -> Iterator[tuple[str, Any]]:
        for name in reference.outcomes(pos, more):
            yield name, reference.apply_outcome(pos, more, name)
        yield from reference.moves(pos, more).items()

    first = reference.normal(entry["position"], more) if entry["position"] else reference.start(more)
    depth = next((d for d, n in enumerate(entry["positions"]) if n > 2_000), len(entry["leaves"]))
    assert counts(first, depth, json.dumps, events) == {kind: entry[kind][:depth] for kind in KINDS}
