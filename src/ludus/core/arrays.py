"""Arrays that are handed out without being copied: aligned, used again when nobody has them, or the caller's own."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from ludus.core.errors import LudusError, quoted, suggestion

ALIGNMENT = 64  # what JAX asks of memory that it is to take as it is
KEPT = 32  # blocks that a pool looks after
SLACK = 1.25


def aligned(shape: tuple[int, ...], dtype: Any) -> Any:
    """Zeros that begin at a multiple of ALIGNMENT."""
    if np.dtype(dtype) == np.object_:
        return np.zeros(shape, dtype)
    return _cut(_block(_bytes(shape, dtype)), shape, dtype)


class Pool:
    """Memory for arrays whose number of entries nobody knows beforehand.

    An array is its caller's as long as anything refers to it, a tensor that shares its memory included; when nothing
    does, the memory is given out again. New memory costs more than what is mostly written into it.
    """

    def __init__(self) -> None:
        self._blocks: list[Any] = []

    def take(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """An array with anything in it."""
        if np.dtype(dtype) == np.object_:
            return np.zeros(shape, dtype)
        size = _bytes(shape, dtype)
        for block in self._blocks:
            # this list, the name `block` and the argument of the question itself
            if len(block) - ALIGNMENT >= size and sys.getrefcount(block) == 3:
                return _cut(block, shape, dtype)
        fresh = _block(int(size * SLACK))
        self._blocks = [*self._blocks[1 - KEPT :], fresh]
        return _cut(fresh, shape, dtype)


def _bytes(shape: tuple[int, ...], dtype: Any) -> int:
    size: int = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
    return size


def _block(size: int) -> Any:
    return np.zeros(size + ALIGNMENT, np.uint8)


def _cut(block: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """An array at the first aligned place of a block; it, and whatever is cut of it, refers to the block itself."""
    first = -block.ctypes.data % ALIGNMENT
    return block[first : first + _bytes(shape, dtype)].view(dtype).reshape(shape)


def callers_own(name: str, given: Any, shape: tuple[int, ...], dtype: Any, least: bool = False) -> Any:
    """An array of the caller's, or a tensor that shares its memory, to be written into; `least`: it may be longer."""
    array = given if isinstance(given, np.ndarray) else _shared(name, given)
    fits = array.ndim == len(shape) and array.shape[1:] == shape[1:] and array.dtype == dtype
    if not fits or (array.shape[0] < shape[0] if least else array.shape[0] != shape[0]):
        wanted = f"{np.dtype(dtype)}{list(shape)}{' or more' if least else ''}"
        raise LudusError(f"out: {name} is {wanted}, not {array.dtype}{list(array.shape)}")
    if not array.flags.c_contiguous or not array.flags.writeable:
        raise LudusError(f"out: {name} must be contiguous, and one must be able to write to it")
    return array


def _shared(name: str, given: Any) -> Any:
    """The memory of a tensor as an array."""
    try:
        return np.from_dlpack(given) if hasattr(given, "__dlpack__") else np.asarray(memoryview(given))
    except Exception as error:  # every library has its own
        raise LudusError(
            f"out: {name} is an array or a tensor in this machine's memory, not {quoted(given)}"
        ) from error


def checked_names(out: Mapping[str, Any] | None, known: tuple[str, ...]) -> dict[str, Any]:
    """The caller's arrays by name."""
    if out is None:
        return {}
    if not isinstance(out, Mapping):
        raise LudusError(f"out: a mapping of arrays by name ({', '.join(known)}), not {quoted(out)}")
    for name in out:
        if name not in known:
            hint = suggestion(str(name), known)
            raise LudusError(f"out: no array {quoted(name)}{hint}; there are {', '.join(known)}")
    return dict(out)
