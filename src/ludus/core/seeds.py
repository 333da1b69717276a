"""What callers may hand in as a seed or as a source of randomness."""

from __future__ import annotations

import hashlib
from typing import Protocol

from ludus.core.errors import LudusError, quoted
from ludus.core.random import SEED_BITS


class RandomSource(Protocol):
    """What `random.Random` and `numpy.random.Generator` have in common."""

    def random(self) -> float: ...


def fold_seed(seed: int) -> int:
    """Any integer as a 63-bit seed; distinct small seeds stay distinct."""
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise LudusError(f"a seed is an integer, not {seed!r}")
    value = seed.__index__()
    folded = value & SEED_BITS
    value >>= 63
    while value not in (0, -1):
        folded ^= value & SEED_BITS
        value >>= 63
    return folded


def derived_seed(seed: int, *purpose: object) -> int:
    """A seed for something else, from which nobody can find out the first one (SHA-256)."""
    return int.from_bytes(hashlib.sha256(repr((seed, *purpose)).encode()).digest()[:8]) & SEED_BITS


def pick(rng: RandomSource, weights: list[int]) -> int:
    """An index drawn with the given integer weights."""
    if not callable(getattr(rng, "random", None)):
        raise LudusError(f"a source of randomness is a random.Random or a numpy Generator, not {quoted(rng)}")
    point = int(float(rng.random()) * sum(weights))
    for index, weight in enumerate(weights):
        point -= weight
        if point < 0:
            return index
    return len(weights) - 1
