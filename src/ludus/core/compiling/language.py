"""The kernel language: the part of Python in which kernels are written, and its types (docs/kernels.md).

Kernels annotate every parameter and result. Inside a kernel `Ints` and `Floats` take any array of integers or of reals;
an entry, which Python calls, says exactly what it must be given.
"""

from __future__ import annotations

import ast
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import NoReturn

from ludus.core.errors import LudusError

# --- arrays, as annotations ---
Ints = MutableSequence[int]  # in an entry: int64
Floats = MutableSequence[float]  # in an entry: float64
Int8s = MutableSequence[int]
Int16s = MutableSequence[int]
Int32s = MutableSequence[int]
UInt8s = MutableSequence[int]
Float32s = MutableSequence[float]

# --- values; TRUTH is what `and` and `or` give: only whether it is true or false is known ---
INT, FLOAT, BOOL, TRUTH, NOTHING = "int", "float", "bool", "truth", "None"
LLVM = {INT: "i64", FLOAT: "double", BOOL: "i1", TRUTH: "i1", NOTHING: "void"}

TABLES = "tables"  # the parameter that holds a game's tables: read only, and the same array in every function


@dataclass(frozen=True)
class Element:
    """What an array holds; `formats` are the letters by which buffers name it."""

    name: str
    llvm: str
    bits: int
    is_real: bool
    is_signed: bool
    formats: str

    @property
    def bytes(self) -> int:
        """The size of one."""
        return self.bits // 8

    @property
    def kind(self) -> str:
        """What is read from such an array."""
        return FLOAT if self.is_real else INT


ELEMENTS = {
    "Ints": Element("int64", "i64", 64, False, True, "lq"),
    "Floats": Element("float64", "double", 64, True, True, "d"),
    "Int8s": Element("int8", "i8", 8, False, True, "b"),
    "Int16s": Element("int16", "i16", 16, False, True, "h"),
    "Int32s": Element("int32", "i32", 32, False, True, "il"),
    "UInt8s": Element("uint8", "i8", 8, False, False, "B?"),
    "Float32s": Element("float32", "float", 32, True, True, "f"),
}
ELEMENTS |= {"MutableSequence[int]": ELEMENTS["Ints"], "MutableSequence[float]": ELEMENTS["Floats"]}
VALUES = {INT, FLOAT, BOOL, NOTHING}
SMALLEST, LARGEST = -(1 << 63), (1 << 63) - 1


class KernelError(LudusError):
    """A kernel that is not written in the kernel language; names the file and the line."""


class KernelFault(LudusError):
    """A kernel went wrong while it ran: names the function, the line and the values."""


def is_word(value: object) -> bool:
    """Whether something is an integer of 64 bits."""
    return isinstance(value, int) and SMALLEST <= value <= LARGEST


def refuse(file: str, where: ast.AST | int, what: str) -> NoReturn:
    """Say what is not in the language, and where: a node, or a line."""
    raise KernelError(f"{file}:{where if isinstance(where, int) else getattr(where, 'lineno', 1)}: {what}")
