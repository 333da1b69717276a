"""Kernels that were compiled ahead, for a page: a library for each program, found by the modules it is made of.

scripts/site writes them when it builds the static site (wasm.py), from the same sources as the modules beside them.
"""

from __future__ import annotations

import ctypes
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.core.compiling import host
from ludus.core.compiling.presence import AHEAD
from ludus.core.compiling.wrapping import wrapper_name
from ludus.core.errors import LudusError

if TYPE_CHECKING:
    from ludus.core.compiling.program import Program

PYTHON_WORD = "i32"  # Py_ssize_t in a page


def file_name(modules: tuple[str, ...], over: tuple[str, ...]) -> str:
    """The file of a program, for every game of its kernels."""
    return hashlib.sha256(repr((modules, over)).encode()).hexdigest()[:24] + ".so"


def written(program: Program, folder: Path) -> Path:
    """Compile all entries of a program for a page."""
    from ludus.core.compiling import wasm

    names = tuple(sorted(program.entries))
    text = program.lowered(names, PYTHON_WORD).module()
    path = folder / file_name(program.modules, program.over)
    path.write_bytes(wasm.library_of(text, [wrapper_name(name) for name in names]))
    return path


def addresses(modules: tuple[str, ...], over: tuple[str, ...], names: tuple[str, ...]) -> list[int]:
    """Put a program into memory; where the wrappers of its entries are."""
    path = AHEAD / file_name(modules, over)
    if not path.is_file():
        raise LudusError(f"no kernel was compiled ahead for {', '.join(modules)}: scripts/site says which there are")
    library = ctypes.CDLL(str(path))
    host.fill(ctypes.addressof(ctypes.c_char.in_dll(library, host.SYMBOL)))
    found = [ctypes.cast(getattr(library, wrapper_name(name)), ctypes.c_void_p).value for name in names]
    return [address or 0 for address in found]
