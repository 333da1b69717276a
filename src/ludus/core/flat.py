"""Flat arrays for compiled kernels: NumPy's where it is there, else Python's own, which a page has to do with."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import Any

CODES = {"int16": "h", "int32": "i", "int64": "q", "float32": "f", "float64": "d"}


@cache
def has_numpy() -> bool:
    """Whether NumPy is there."""
    try:
        return find_spec("numpy") is not None
    except (ImportError, ValueError):  # somebody has put it out of reach
        return False


def zeros(size: int, kind: str) -> Any:
    """Zeros of a kind that NumPy knows by this name."""
    if not has_numpy():
        empty = array(CODES[kind])
        return array(CODES[kind], bytes(size * empty.itemsize))
    import numpy as np

    return np.zeros(size, dtype=kind)


def flat(values: Iterable[Any], kind: str) -> Any:
    """Numbers of a kind."""
    if not has_numpy():
        return array(CODES[kind], values)
    import numpy as np

    return np.array(values if isinstance(values, list | np.ndarray) else list(values), dtype=kind)
