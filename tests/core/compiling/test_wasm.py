"""Kernels compiled ahead for a page: libraries that the page's Python loads and that compute what the source says."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from ludus.core.compiling import ahead, host, wasm
from ludus.core.compiling.program import Program
from ludus.core.compiling.wrapping import wrapper_name
from ludus.core.errors import LudusError

from .writing import Workshop

ROOT = Path(__file__).parents[3]
PYODIDE = ROOT / "site" / "pyodide"
KERNEL = """
    from ludus.core.compiling.language import Floats, Int16s, Ints

    SQUARES = (0, 1, 4, 9, 16)

    def total_api(row: Int16s, out: Ints) -> int:
        assert len(out) == len(row), "as many results as numbers"
        found = 0
        for at in range(len(row)):
            out[at] = row[at] * SQUARES[at]
            found += out[at]
        return found

    def half_api(numbers: Floats, is_less: bool) -> bool:
        for at in range(len(numbers)):
            numbers[at] = numbers[at] / 2
        return not is_less
"""
# what a page does (ahead.py, wrapping.py), as far as it needs nothing of ludus
PROGRAM = """
import ctypes, json, math
from array import array

NAMES = {names}

class Method(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p),
    )

def fail(record):
    text, *values = (ctypes.c_int64 * 3).from_address(record)
    raise ValueError(ctypes.string_at(text).decode())

def address(name):
    known = {{"None": None, "TypeError": TypeError, "fail": fail}}
    if name in known:
        return id(known[name])
    found = ctypes.CDLL(None) if name in ("exp", "log") else ctypes.pythonapi
    return ctypes.cast(getattr(found, name), ctypes.c_void_p).value

library = ctypes.CDLL("/tmp/kernel.so")
slots = (ctypes.c_void_p * len(NAMES)).from_address(ctypes.addressof(ctypes.c_char.in_dll(library, "{table}")))
slots[:] = [address(name) for name in NAMES]
make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(Method), ctypes.c_void_p, ctypes.c_void_p)
make = make(("PyCFunction_NewEx", ctypes.pythonapi))
methods = []

def entry(name):
    methods.append(Method(name.encode(), ctypes.cast(getattr(library, name), ctypes.c_void_p).value, 0x80, b""))
    return make(ctypes.byref(methods[-1]), None, None)

total, half = entry("{total}"), entry("{half}")
row, out, reals = array("h", [1, -2, 3, 4, 5]), array("q", bytes(40)), array("d", [3.0, -1.5])
found = [total(row, out), out.tolist(), half(reals, True), half(reals, False), reals.tolist()]
for wrong in (lambda: total(row, array("q", bytes(8))), lambda: total(out, out), lambda: total(row)):
    try:
        found.append(wrong())
    except (ValueError, TypeError) as error:
        found.append(type(error).__name__ + ": " + str(error))
json.dumps(found)
"""


@pytest.fixture
def library(workshop: Workshop, tmp_path: Path) -> Path:
    return ahead.written(Program((workshop.write(KERNEL),)), tmp_path)


def test_a_library_says_what_it_needs_and_has(library: Path) -> None:
    sections = list(wasm._sections(library.read_bytes()))
    assert sections[0][0] == "dylink.0"
    assert [kind for kind, _ in sections[1:]] == [kind for kind in wasm.ORDER if kind in dict(sections)]
    needed = [(module, name) for module, name, _, _ in wasm._imported(wasm.Bytes(dict(sections)[wasm.IMPORT]))]
    assert set(needed) <= {
        ("env", name) for name in ("memory", "__memory_base", "__stack_pointer", "__indirect_function_table")
    }
    exported = dict(sections)[wasm.EXPORT]
    assert all(name.encode() in exported for name in (host.SYMBOL, wrapper_name("total_api"), wrapper_name("half_api")))


@pytest.mark.slow
def test_a_page_computes_what_the_source_says(library: Path, tmp_path: Path) -> None:
    assert PYODIDE.exists(), "no site/; `make site` builds it"
    program = tmp_path / "program.py"
    said = {"table": host.SYMBOL, "total": wrapper_name("total_api"), "half": wrapper_name("half_api")}
    program.write_text(PROGRAM.format(names=host.NAMES, **said))
    command = [ROOT / "scripts" / "web", "run", ROOT / "tests" / "page_python.mjs", PYODIDE, program, library]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    products = [0, -2, 12, 36, 80]
    assert found[:5] == [sum(products), products, False, True, [0.75, -0.375]]
    assert "as many results as numbers" in found[5]
    assert "row is a contiguous array of int16" in found[6]
    assert "total_api takes row, out" in found[7]


def test_what_no_page_has_is_refused() -> None:
    with pytest.raises(LudusError, match="no WebAssembly"):
        wasm.linked(b"\x7fELF", [])
    text = "declare i64 @elsewhere()\ndefine i64 @ludus_a() {\n  %a = call i64 @elsewhere()\n  ret i64 %a\n}\n"
    with pytest.raises(LudusError, match="which no page has"):
        wasm.library_of(text, ["ludus_a"])


@pytest.mark.parametrize("value", [0, 1, 63, 64, 127, 128, 300, 2**31 - 1])
def test_numbers_are_read_as_they_are_written(value: int) -> None:
    assert wasm.Bytes(wasm.number(value)).number() == value
    for signed in (value, -value):
        assert wasm.Bytes(wasm.padded(signed)).number(signed=True) == signed


def test_programs_are_found_by_their_modules() -> None:
    names = {ahead.file_name((one,), over) for one in ("a", "b") for over in ((), ("c",), ("d",))}
    assert len(names) == 6
    with pytest.raises(LudusError, match="no kernel was compiled ahead for nowhere"):
        ahead.addresses(("nowhere",), (), ())
