"""The rule sets that whole-game tests run over: every shipped game, and the options that change most."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import ludus

# name → (game, options); a shipped game without an entry here is added with its defaults
_LISTED: dict[str, tuple[str, dict[str, Any]]] = {
    "pettingzoo": ("pettingzoo", {}),
    "pettingzoo-2": ("pettingzoo", {"players": 2}),
    "pettingzoo-3": ("pettingzoo", {"players": 3}),
    "pettingzoo-adjacent": ("pettingzoo", {"players": 2, "seating": "adjacent"}),
    "pettingzoo-teams": ("pettingzoo", {"mode": "teams"}),
    "pettingzoo-teams-finish": ("pettingzoo", {"mode": "teams", "again_on": ["six", "capture", "finish"]}),
    "pettingzoo-opponents-exact": ("pettingzoo", {"block": "opponents", "finish": "exact"}),
    "strict": ("strict", {}),
    "strict-2": ("strict", {"players": 2, "end_path": 4}),
    "strict-3-corners": ("strict", {"players": 3, "corners": True}),
    "strict-dice": ("strict", {"dice": 2}),
    "strict-dice-3": ("strict", {"players": 3, "dice": 2, "end_path": 4}),
    "strict-dice-2-corners": ("strict", {"players": 2, "dice": 2, "end_path": 4, "corners": True}),
    "star": ("star", {}),
    "star-2": ("star", {"players": 2}),
    "star-3-from-square": ("star", {"players": 3, "finish": "bounce_from_square"}),
    "star-exact-play-on": ("star", {"finish": "exact", "play_on": True}),
    "star-overshoot": ("star", {"finish": "overshoot", "six_without_move": "ends_turn"}),
    "maedn": ("maedn", {}),
    "maedn-2": ("maedn", {"players": 2}),
    "maedn-3": ("maedn", {"players": 3}),
    "maedn-attempts": ("maedn", {"attempts": 3, "compulsory": False, "passing": False}),
    "french": ("french", {}),
    "french-2": ("french", {"players": 2}),
    "french-3": ("french", {"players": 3}),
    "french-jump": ("french", {"combined_move": "jump", "play_on": True}),
    # boards of other sizes: more tiles than a 62-bit word, more seats and pieces than four
    "eight-seats": ("pettingzoo", {"seats": 8, "pieces": 5}),
    "six-seats-star": ("star", {"seats": 6, "players": 5, "play_on": True}),
    "six-seats-french": ("french", {"seats": 6, "pieces": 3}),
    "three-seats-out-on-three": ("strict", {"seats": 3, "pieces": 2, "dice": 2, "leave_on": [1, 5, 6]}),
    "generals": ("generals", {}),
    "generals-toss": ("generals", {"toss": True}),
    "generals-eight-ways": ("generals", {"directions": 8}),
}

VARIANTS = {key: entry for key, entry in _LISTED.items() if entry[0] in ludus.games()}
VARIANTS |= {name: (name, {}) for name in ludus.games() if name not in VARIANTS}


def make(variant: str) -> ludus.Game:
    """The game of a variant."""
    name, options = VARIANTS[variant]
    return ludus.make(name, **options)


def some_slow(names: Iterable[str], *slow: str) -> list[Any]:
    """Names for `parametrize`, some of which take too long for `make test-fast`."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in slow else name for name in names]


def mostly_slow(names: Iterable[str], *fast: str) -> list[Any]:
    """Names for `parametrize`: `make test-fast` takes these few."""
    listed = list(names)
    return some_slow(listed, *(name for name in listed if name not in fast))
