"""LLVM at work, and what compiled code finds in its process."""

from __future__ import annotations

import ctypes
import math
import re

import pytest

from ludus.core.compiling import host, machine
from ludus.core.compiling.emitting import constant
from ludus.core.compiling.program import Program
from ludus.core.errors import LudusError

from .writing import Workshop, compiled

Patch = pytest.MonkeyPatch


@pytest.fixture
def another_machine(monkeypatch: Patch) -> Patch:
    """What is known of the processor is asked again."""
    monkeypatch.setattr(machine, "_target", machine._target.__wrapped__)
    return monkeypatch


def test_a_processor_that_llvm_does_not_know(workshop: Workshop, another_machine: Patch) -> None:
    """Then code is made for what every processor of its kind can do."""
    import llvmlite.binding as llvm

    def unknown() -> None:
        raise RuntimeError("no features")

    another_machine.setattr(llvm, "get_host_cpu_features", unknown)
    assert machine._target()[2:] == ("", "")
    assert compiled(workshop.write("def run_api(n: int) -> int:\n    return n // 2")).run_api(7) == 3


def test_words_of_32_bits_are_refused(another_machine: Patch) -> None:
    another_machine.setattr(ctypes, "sizeof", lambda kind: 4)
    with pytest.raises(LudusError, match="64 bits only"):
        machine._target()


SYSTEMS = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin23",
    "arm64-apple-darwin23",
    "x86_64-pc-windows-msvc-elf",  # as llvmlite has LLVM's loader want it
)


@pytest.mark.parametrize("system", SYSTEMS)
def test_other_systems(system: str, another_machine: Patch) -> None:
    """The entries of a game become code for each of them, and call nothing by its name but what fills memory."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    another_machine.setattr(machine, "_target", lambda: (llvm.Target.from_triple(system), system, "", ""))
    kernel = "ludus.games.generals.kernel"
    whole = Program(("ludus.core.kernels.entries", kernel), (kernel,))
    target = machine._machine()
    module = machine.optimised(whole.lowered(("legal_api", "roll_api", "observe_api")).module(), target)
    assert len(target.emit_object(module)) > 10_000
    assembly = target.emit_assembly(module)
    called = set(re.findall(r"^\s+(?:bl|callq?)\s+_?([a-z]\w+)", assembly, re.MULTILINE))
    assert {name for name in called if not name.startswith("ludus")} <= {"memset", "memcpy", "memmove"}


def test_the_table_of_the_host() -> None:
    """Every name has an address, and mathematics are the very functions that Python calls."""
    assert all(host._address_of(name) for name in host.NAMES)
    shape = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    for name in ("exp", "log"):
        function = shape(host._address_of(name))
        assert all(function(x / 7) == getattr(math, name)(x / 7) for x in range(1, 700))


def test_numbers_in_llvm_s_text() -> None:
    written = [constant(value).llvm for value in (True, False, 7, -(1 << 63), 0.1, -0.0, math.inf)]
    assert written == [
        "i1 true", "i1 false", "i64 7", "i64 -9223372036854775808",
        "double 0x3FB999999999999A", "double 0x8000000000000000", "double 0x7FF0000000000000",
    ]  # fmt: skip
