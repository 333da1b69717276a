"""Files of tensors in the safetensors format: a length, a header of JSON, bare numbers. Nothing in one is run."""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludus.core.errors import LudusError
from ludus.core.flat import has_numpy
from ludus.core.whole_file import write_whole

MOST_BYTES = 64 * 1024 * 1024
MOST_HEADER = 4 * 1024 * 1024
KINDS = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8"}
LETTERS = {"<f2": "e", "<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q"}
META = "__metadata__"


def write_tensors(path: Path, tensors: Mapping[str, Any], meta: Mapping[str, str]) -> None:
    """Write arrays and words, whole or not at all."""
    import numpy as np

    names = {np.dtype(kind): name for name, kind in KINDS.items()}
    header: dict[str, Any] = {META: dict(meta)}
    parts, at = [], 0
    for name, values in tensors.items():
        array = np.ascontiguousarray(values)
        data = array.astype(array.dtype.newbyteorder("<")).tobytes()
        header[name] = {
            "dtype": names[array.dtype.newbyteorder("<")],
            "shape": list(array.shape),
            "data_offsets": [at, at + len(data)],
        }
        parts.append(data)
        at += len(data)
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    write_whole(path, len(text).to_bytes(8, "little") + text + b"".join(parts))


def read_tensors(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The arrays and the words of a file; LudusError in a sentence where it is damaged or something else."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise LudusError(f"{path}: larger than {MOST_BYTES // 2**20} MB, which no file of tensors here is")
        data = path.read_bytes()
    except OSError as error:
        raise LudusError(f"{path}: can't be read: {error.strerror or 'no regular file'}") from None
    try:
        return _tensors_of(data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LudusError(f"{path}: no whole file of tensors (safetensors): {error}") from None


def _tensors_of(data: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 2 <= size <= min(MOST_HEADER, len(data) - 8):
        raise ValueError("its header is cut off")
    header = json.loads(data[8 : 8 + size])
    meta = header.pop(META, {})
    body, found = memoryview(data)[8 + size :], {}
    for name, entry in header.items():
        kind, (first, last), shape = KINDS[entry["dtype"]], entry["data_offsets"], entry["shape"]
        whole = int(kind[-1])
        for length in shape:
            if not isinstance(length, int) or length < 0:
                raise ValueError(f"{name} has no such shape")
            whole *= length
        if not 0 <= first <= last <= len(body) or last - first != whole:
            raise ValueError(f"{name} is not where the header says")
        found[name] = _array(body[first:last], kind, shape)
    return found, {str(key): str(value) for key, value in meta.items()}


def _array(data: memoryview, kind: str, shape: list[int]) -> Any:
    """An array; without NumPy a flat one, as long as the shape says."""
    if not has_numpy():
        letter = LETTERS[kind]
        return array("f" if letter == "e" else letter, struct.unpack(f"<{len(data) // int(kind[-1])}{letter}", data))
    import numpy as np

    return np.frombuffer(data, dtype=kind).reshape(shape)
