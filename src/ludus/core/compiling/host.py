"""What compiled code needs of the process that it runs in: functions of Python's C interface, and of mathematics.

Their addresses are written into a table of the loaded code, so that an object names none of them, wherever it is
loaded. What LLVM itself calls in the place of a loop, `memset` and its like, LLVM finds in every process.
"""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Callable
from typing import Any

from ludus.core.compiling.emitting import Emitter
from ludus.core.compiling.language import KernelFault

# what kernels may import from math; sqrt is an instruction, the others are the very functions that Python calls
MATHEMATICS: dict[str, Callable[[float], float]] = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log}

INTERFACE = (
    "PyObject_GetBuffer", "PyBuffer_Release", "PyLong_AsLongLong", "PyFloat_AsDouble", "PyObject_IsTrue",
    "PyErr_Occurred", "PyErr_SetString", "PyLong_FromLongLong", "PyFloat_FromDouble", "PyBool_FromLong", "Py_IncRef",
    "Py_DecRef", "PyEval_SaveThread", "PyEval_RestoreThread", "PyLong_FromVoidPtr", "PyObject_CallOneArg",
)  # fmt: skip
OBJECTS = ("None", "TypeError", "fail")
NAMES = (*INTERFACE, *OBJECTS, "exp", "log")
SYMBOL = "ludus_host"


class Host:
    """The table in the text of a program; `hidden`: other libraries don't see it."""

    def __init__(self, hidden: bool = False) -> None:
        self._kind = "hidden global" if hidden else "global"

    def text(self) -> str:
        """Its definition: empty until the code is loaded."""
        return f"@{SYMBOL} = {self._kind} [{len(NAMES)} x ptr] zeroinitializer"

    def load(self, out: Emitter, name: str) -> str:
        """The address of something in the table."""
        place = out.let(f"getelementptr [{len(NAMES)} x ptr], ptr @{SYMBOL}, i64 0, i64 {NAMES.index(name)}")
        return out.let(f"load ptr, ptr {place}, !invariant.load !0")


def fill(table: int) -> None:
    """Write the addresses into the table of code that has been loaded."""
    slots = (ctypes.c_void_p * len(NAMES)).from_address(table)
    slots[:] = [_address_of(name) for name in NAMES]


def _address_of(name: str) -> int:
    if name in OBJECTS:
        return id({"None": None, "TypeError": TypeError, "fail": _fail}[name])
    library = ctypes.pythonapi if name in INTERFACE else _mathematics()
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0


def _mathematics() -> Any:
    """The library in which Python's own math module finds its functions."""
    if os.name == "nt":
        return ctypes.CDLL("ucrtbase")
    return ctypes.CDLL(getattr(math, "__file__", None))


def _fail(record: int) -> None:
    """Raise what a record of a fault says (faults.py)."""
    text, *values = (ctypes.c_int64 * 3).from_address(record)
    raise KernelFault((ctypes.string_at(text) or b"").decode().format(*values))
