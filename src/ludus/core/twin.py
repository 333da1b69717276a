"""One kernel source, loaded twice: interpreted at once, compiled when it pays.

The interpreted twin is the module as Python imports it. The compiled twin is the same file executed again under
another name, with every function replaced by its Numba compilation; functions find each other through the module's
globals, so compiled code calls compiled code. Numba's cache does not notice edits in other files, so the cache folder
is named by a digest of all the sources that take part.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any


def cache_home() -> Path | None:
    """The folder for compiled code, or None where nothing can be written."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    home = Path(os.environ.get("LUDUS_CACHE_DIR") or base) / "ludus"
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            return home
    except OSError:
        return None


class Twin:
    """A kernel module and, from the first need on, its compiled double."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.interpreted: ModuleType = importlib.import_module(name)
        self._compiled: ModuleType | None = None
        self._lock = threading.Lock()

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled double has been loaded in this process."""
        return self._compiled is not None

    def compiled(self) -> ModuleType:
        """The compiled double; loads it (and Numba) on first use."""
        with self._lock:
            if self._compiled is None:
                self._compiled = self._load()
            return self._compiled

    def _load(self) -> ModuleType:
        functions = _kernel_functions(self.interpreted)
        home = cache_home()
        folder = home / f"kernels-{_digest(functions)}" if home else None
        return _double(self.interpreted, folder, {})


def _kernel_functions(module: ModuleType) -> dict[str, FunctionType]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__.startswith("ludus.")
    }


def _digest(functions: dict[str, FunctionType]) -> str:
    # this file too: it says how they are compiled
    files = sorted({inspect.getfile(f) for f in functions.values()} | {__file__})
    return hashlib.sha256(b"".join(Path(f).read_bytes() for f in files)).hexdigest()[:16]


def _double(original: ModuleType, folder: Path | None, done: dict[str, ModuleType]) -> ModuleType:
    """The compiled double of a kernel module, and of the kernel modules that it takes functions from."""
    name = original.__name__
    if name in done:
        return done[name]
    spec = importlib.util.spec_from_file_location(f"{name}_compiled", inspect.getfile(original))
    assert spec is not None
    assert spec.loader is not None
    module = done[name] = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    for key, function in _kernel_functions(module).items():
        if function.__module__ == spec.name:
            setattr(module, key, _compiled(function, folder))
        else:
            source = importlib.import_module(function.__module__)
            setattr(module, key, getattr(_double(source, folder, done), function.__name__))
    return module


def _compiled(function: FunctionType, folder: Path | None) -> Any:
    """The Numba compilation of a function; entries (`…_api`, `playouts`) are cached in `folder` where there is one."""
    numba: Any = importlib.import_module("numba")  # its types do not know all of its options
    config = numba.config
    name = function.__name__
    entry = name.endswith("_api") or name == "playouts"
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder) if folder else before
    try:
        compiled = numba.njit(
            # `_api` entries share one scratch array per game, so they keep the interpreter lock
            nogil=name == "playouts",
            cache=entry and folder is not None,
            error_model="numpy",
            forceinline=_is_hot(function),
            no_cpython_wrapper=not entry,
            no_cfunc_wrapper=True,
            # kernels allocate nothing; without reference counts on every argument calls are four times faster
            _nrt=False,
        )(function)
    finally:
        config.CACHE_DIR = before
    if entry:
        compiled.compile = _without_negative_indices(compiled.compile)
    return compiled


def _without_negative_indices(compile_entry: Callable[..., Any]) -> Callable[..., Any]:
    """Compile an entry, and all that it calls, without Python's counting from the end: no kernel index is negative.

    The two instructions saved at each access make playouts 1.4 times faster. Numba has no option for it, so the
    function that adds them is replaced while our own code is compiled, under Numba's compiler lock.
    """
    from numba.core import types
    from numba.core.compiler_lock import global_compiler_lock
    from numba.np import arrayobj

    def plain_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)

    def compile_with_plain_indices(signature: Any) -> Any:
        with global_compiler_lock:
            before = arrayobj.fix_integer_index
            arrayobj.fix_integer_index = plain_index
            try:
                return compile_entry(signature)
            finally:
                arrayobj.fix_integer_index = before

    return compile_with_plain_indices


def _is_hot(function: FunctionType) -> bool:
    """Whether the kernel asks for a function to be inlined: its module lists them in INLINED."""
    return function.__name__ in function.__globals__.get("INLINED", ())
