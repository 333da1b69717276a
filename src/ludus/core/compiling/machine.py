"""LLVM at work: from the text of a program to machine code, and into memory."""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import Any

from ludus.core.compiling import host
from ludus.core.compiling.presence import INSTALL, can_compile
from ludus.core.errors import LudusError

_LOCK = threading.Lock()  # LLVM's initialisation and its engines are made by one thread at a time
_LOADED: list[Any] = []  # code stays as long as the process


def library() -> Any:
    """LLVM itself."""
    if not can_compile():
        raise LudusError(f"kernels are compiled by llvmlite, which is not installed: {INSTALL} brings it")
    import llvmlite.binding as llvm

    return llvm


@cache
def _target() -> tuple[Any, str, str, str]:
    llvm = library()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        raise LudusError("kernels are compiled for processors of 64 bits only; here they are interpreted")
    triple = llvm.get_process_triple()
    try:
        cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM can't tell what this processor has: what every one of its kind has
        cpu, features = "", ""
    return llvm.Target.from_triple(triple), triple, cpu, features


def identity() -> str:
    """What machine code depends on beside the program: the versions of llvmlite and LLVM, and the processor."""
    library()
    import llvmlite

    with _LOCK:
        version = ".".join(map(str, library().llvm_version_info))
        return " ".join([llvmlite.__version__, version, *_target()[1:]])


def _machine() -> Any:
    target, _, cpu, features = _target()
    return target.create_target_machine(cpu=cpu, features=features, opt=2, codemodel="jitdefault", jit=True)


def _head(machine: Any) -> str:
    """What code is made for; on Windows the machine's triple is not the process's: objects there are ELF too."""
    return f'target triple = "{machine.triple}"\ntarget datalayout = "{machine.target_data}"\n'


def object_of(text: str, vectors: bool = False) -> bytes:
    """Machine code for a program."""
    with _LOCK:
        machine = _machine()
        code: bytes = machine.emit_object(optimised(text, machine, vectors))
        return code


def optimised(text: str, machine: Any, vectors: bool = False) -> Any:
    """A program as LLVM has it, ready for a machine; `vectors`: with loops that work on several numbers at once."""
    llvm = library()
    module = llvm.parse_assembly(_head(machine) + text)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization, options.slp_vectorization = vectors, False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module


def load(code: bytes, symbols: list[str]) -> list[int]:
    """Put machine code into memory; returns the addresses of symbols."""
    with _LOCK:
        llvm = library()
        machine = _machine()
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_head(machine)), machine)
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        _LOADED.append(engine)
        host.fill(engine.get_global_value_address(host.SYMBOL))
        return [engine.get_function_address(symbol) for symbol in symbols]
