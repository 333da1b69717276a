"""Kernel modules as they run: interpreted at once, compiled from the first need on, for all games or for one."""

from __future__ import annotations

import hashlib
import importlib
import threading
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ludus.core.compiling import ahead, machine
from ludus.core.compiling import cache as store
from ludus.core.compiling.lowering import Lowering
from ludus.core.compiling.presence import is_ahead
from ludus.core.compiling.sources import Names, file_of, is_entry, modules_behind
from ludus.core.compiling.wrapping import Wrapper, as_function, wrapper_name


class Program:
    """Some kernel modules with entries, over those that keep their promises; the first that has a name gives it.

    `header` and `columns`: the constants of one game's tables, which are then written into the compiled code
    (folding.py); without them it serves every game of these kernels. `checked`: with every test (faults.py).
    """

    def __init__(
        self,
        modules: tuple[str, ...],
        over: tuple[str, ...] = (),
        header: tuple[int, ...] = (),
        columns: Mapping[str, int] | None = None,
        checked: bool = False,
    ) -> None:
        self.modules, self.over = modules, over
        self.header, self.columns, self.checked = header, dict(columns or {}), checked
        self.entries: dict[str, str] = {}  # name → the module that states it
        for module in reversed(modules):
            found = vars(importlib.import_module(module))
            self.entries |= {name: entry.__module__ for name, entry in found.items() if is_entry(name)}
        self._lock = threading.RLock()
        self._made: dict[str, Callable[..., Any]] = {}

    def unit(self, entry: str) -> tuple[str, ...]:
        """The entries that are compiled with an entry: those that work long have a unit each, the others share one."""
        is_long = {name for name, module in self.entries.items() if name in _long(module)}
        return (entry,) if entry in is_long else tuple(sorted(self.entries.keys() - is_long))

    def entry(self, name: str) -> Callable[..., Any]:
        """An entry, compiled, or found in the cache of compiled code, when it is first asked for."""
        with self._lock:
            if name not in self._made:
                self._make(self.unit(name))
            return self._made[name]

    def _make(self, names: tuple[str, ...]) -> None:
        for name, address in zip(names, self._loaded(names), strict=True):
            doc = getattr(importlib.import_module(self.entries[name]), name).__doc__ or ""
            self._made[name] = as_function(name, address, doc)

    def _loaded(self, names: tuple[str, ...]) -> list[int]:
        """The addresses of the wrappers of entries, compiled where nobody has done so before."""
        if is_ahead():
            return ahead.addresses(self.modules, self.over, names)
        key = self._key(names)
        code = store.find(key)
        if code is None:
            lowering = self.lowered(names)
            vectors = any(_has_vectors(module) for module in modules_behind(self.modules, self.over))
            code = machine.object_of(lowering.module(), vectors)
            store.keep(key, code, self.names(lowering))
        return machine.load(code, [wrapper_name(name) for name in names])

    def lowered(self, names: tuple[str, ...], word: str = "i64") -> Lowering:
        """Entries with their wrappers, and all that they call, as LLVM's text; `word`: Python's Py_ssize_t."""
        whole = Lowering(Names(self.over), self.header, self.columns, self.checked, word)
        for name in names:
            source = whole.names.source(self.entries[name])
            symbol = whole.entry(source, name)
            is_long = name in _long(self.entries[name])
            whole.bodies[wrapper_name(name)] = Wrapper(whole, name, symbol, whole.shape(source, name), is_long).text()
        return whole

    def _key(self, names: tuple[str, ...]) -> str:
        """A digest of everything that the machine code depends on."""
        told = hashlib.sha256(_digest_of_compiler() + machine.identity().encode())
        made_of = names, self.modules, self.over, self.header, sorted(self.columns.items()), self.checked
        told.update(repr(made_of).encode())
        for name in modules_behind(self.modules, self.over):
            told.update(_digest_of_module(name))
        return told.hexdigest()

    def names(self, lowering: Lowering | None = None) -> str:
        """Where the body of every name stands, a line each, for people who follow one (docs/kernels.md)."""
        places = (lowering or self.lowered(tuple(self.entries))).places
        lines = [f"# {', '.join(self.modules)} over {', '.join(self.over) or 'nothing'}"]
        return "\n".join(lines + [f"{place}: {name}" for name, place in places.items()]) + "\n"


class Made:
    """The entries of a program as attributes: without `__getattr__` they are found in a third of the time."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def make_ready(self) -> None:
        """Compile every entry now."""
        for name in self._program.entries:
            getattr(self, name)
        self.__class__ = Made

    def __deepcopy__(self, memo: dict[int, Any]) -> Made:
        return self  # machine code: nothing of it changes

    def __reduce__(self) -> tuple[Any, ...]:
        made = self._program
        return (_compiled_again, (made.modules, made.over, made.header, made.columns, made.checked))


class Compiled(Made):
    """The entries of a program as attributes, compiled when they are first asked for."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in self._program.entries:
            raise AttributeError(f"{name} is no entry of {', '.join(self._program.modules)}")
        entry = self._program.entry(name)
        setattr(self, name, entry)
        return entry


def _compiled_again(*made_of: Any) -> Compiled:
    """The entries of a program in another process."""
    return Compiled(Program(*made_of))


def _long(module: str) -> tuple[str, ...]:
    """The entries of a module that work long: they let other threads run meanwhile."""
    return tuple(getattr(importlib.import_module(module), "LONG", ()))


def _has_vectors(module: str) -> bool:
    """Whether a module has loops over many numbers that are worth wide registers."""
    return bool(getattr(importlib.import_module(module), "VECTORS", False))


@cache
def _digest_of_compiler() -> bytes:
    files = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).digest()


@cache
def _digest_of_module(name: str) -> bytes:
    """Its source, and the numbers behind its names: a constant may come from another module."""
    names = vars(importlib.import_module(name))
    numbers = sorted((key, repr(value)) for key, value in names.items() if _is_of_numbers(value))
    return hashlib.sha256(file_of(name).read_bytes() + repr(numbers).encode()).digest()


def _is_of_numbers(value: Any) -> bool:
    """Whether a value is a number, or a tuple of nothing else: what a tuple of functions prints differs by process."""
    return isinstance(value, int | float) or (isinstance(value, tuple) and all(map(_is_of_numbers, value)))
