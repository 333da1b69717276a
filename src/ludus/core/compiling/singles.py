"""Numbers of 32 bits in kernels: the one function that rounds to them. It stands alone: kernels import its module."""

from __future__ import annotations

from struct import pack, unpack


def single(number: float) -> float:
    """A real number rounded to 32 bits: sums and products of such numbers, each rounded, run on wide registers."""
    rounded: float = unpack("f", pack("f", number))[0]
    return rounded
