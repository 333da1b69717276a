"""The one source of randomness: a counter-based generator.

Draw number c of game g under seed s is a pure function of (s, g, c), so a game is the same on every machine, in one
process or in eight. Words have 32 bits and multipliers 31, so no product leaves a signed 64-bit integer: compiled code
assumes that none ever does, and the interpreted twin then agrees with it. The functions belong to every kernel.
"""

from __future__ import annotations

WORD = 0xFFFFFFFF
WEYL = 0x1E3779B1
ROUND_1, ROUND_2, ROUND_3 = 0x21F0AAAD, 0x7FEB352D, 0x31848BAB
SEED_BITS = 0x7FFFFFFFFFFFFFFF
INLINED = ("scramble", "draw", "below")


def scramble(x: int) -> int:
    """A bijection of 32-bit words in which every input bit moves every output bit."""
    x = ((x ^ (x >> 16)) * ROUND_1) & WORD
    x = ((x ^ (x >> 15)) * ROUND_2) & WORD
    x = ((x ^ (x >> 16)) * ROUND_3) & WORD
    return x ^ (x >> 15)


def stream(seed: int, game: int) -> int:
    """The 63-bit key of game number `game` under a 63-bit seed."""
    low, high = seed & WORD, seed >> 32
    first = scramble((scramble(low ^ 0x5BD1E995) + high) & WORD)
    second = scramble((scramble(high ^ 0x3C6EF372) + low) & WORD)
    first = scramble((first + game) & WORD)
    second = scramble((second ^ (game & WORD)) & WORD)
    return first | ((scramble((second + (game >> 32)) & WORD) >> 1) << 32)


def draw(key: int, counter: int) -> int:
    """32 random bits: draw number `counter` of the stream `key`."""
    x = ((key & WORD) + counter * WEYL) & WORD
    x = ((x ^ (x >> 16)) * ROUND_1) & WORD
    x = ((x ^ (x >> 15)) + (key >> 32)) & WORD
    x = ((x ^ (x >> 16)) * ROUND_2) & WORD
    x = ((x ^ (x >> 15)) * ROUND_3) & WORD
    return x ^ (x >> 16)


def below(key: int, counter: int, n: int) -> int:
    """A random integer in [0, n), n < 2**31 (bias below n / 2**32)."""
    return (draw(key, counter) * n) >> 32
