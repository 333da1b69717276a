"""The generator as kernels use it: compiled, with loops that fill arrays."""

from __future__ import annotations

from ludus.core.compiling.language import Ints
from ludus.core.random import below, draw, scramble, stream


def scramble_api(x: int) -> int:
    """One word."""
    return scramble(x)


def stream_api(seed: int, game: int) -> int:
    """One key."""
    return stream(seed, game)


def draw_api(key: int, counter: int) -> int:
    """One draw."""
    return draw(key, counter)


def below_api(key: int, counter: int, n: int) -> int:
    """One roll."""
    return below(key, counter, n)


def draws_api(key: int, out: Ints) -> None:
    """The first draws of a stream."""
    for at in range(len(out)):
        out[at] = draw(key, at)


def along_counters_api(key: int, n: int, out: Ints) -> None:
    """The first rolls of a stream."""
    for at in range(len(out)):
        out[at] = below(key, at, n)


def along_games_api(seed: int, counter: int, n: int, out: Ints) -> None:
    """One roll of each game under a seed."""
    for at in range(len(out)):
        out[at] = below(stream(seed, at), counter, n)


def along_seeds_api(game: int, counter: int, n: int, out: Ints) -> None:
    """One roll of the same game under each seed."""
    for at in range(len(out)):
        out[at] = below(stream(at, game), counter, n)


def keys_api(seed: int, out: Ints) -> None:
    """The keys of the first games under a seed."""
    for at in range(len(out)):
        out[at] = stream(seed, at)
