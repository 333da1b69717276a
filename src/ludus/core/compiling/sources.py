"""Kernel modules as they are written, and which body a name in them leads to.

A generic kernel (entries, batches, bots, search) calls functions of which it knows only name and shape: promises, whose
body is `raise NotImplementedError` (core/kernels/promises.py). It is always compiled or interpreted *over* some kernel
modules, the nearest first, and the first of them that has a function of that name gives the promise its body.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ludus.core.compiling.language import KernelError, refuse

# Python 3.11 counts the depth of all trees that are being made together: two threads at once are a SystemError. Ours
# wait for each other; what somebody else's thread reads meanwhile, a traceback for example, is short, and is sat out.
_PARSING = threading.Lock()
TRIES = 50


def tree_of(text: str, file: str) -> ast.Module:
    """A source as a tree, whatever other threads read meanwhile."""
    with _PARSING:
        for left in reversed(range(TRIES)):
            try:
                return ast.parse(text, file)
            except SystemError as error:
                if "recursion depth" not in str(error) or not left:
                    raise
    raise AssertionError("the last try returns or raises")


def is_promise(function: FunctionType) -> bool:
    """Whether a function is a name without a body."""
    return function.__code__.co_names == ("NotImplementedError",)


def is_entry(name: str) -> bool:
    """Whether a kernel function is called by Python: kernels have no other use for it."""
    return name.endswith("_api") or name == "playouts"


@cache
def file_of(name: str) -> Path:
    """The file of a kernel module."""
    return Path(inspect.getfile(importlib.import_module(name)))


class Source:
    """A kernel module as it is written: its functions, which may be rewritten, and what its names stand for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.file = str(file_of(name))
        self.names: dict[str, Any] = vars(importlib.import_module(name))
        tree = tree_of(file_of(name).read_text(encoding="utf-8"), self.file)
        self.functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.inlined = frozenset(self.names.get("INLINED", ()))
        for listed in ("INLINED", "LONG"):
            unknown = [
                name for name in self.names.get(listed, ()) if not isinstance(self.names.get(name), FunctionType)
            ]
            if unknown:
                raise KernelError(f"{self.file}: {listed} names {', '.join(unknown)}: no function here")

    def first_line(self, name: str) -> int:
        """Where a function of this module begins."""
        function = self.names.get(name)
        return function.__code__.co_firstlineno if isinstance(function, FunctionType) else 1


class Names:
    """The modules that take part in one program, and the way from a name to the function that is called."""

    def __init__(self, over: tuple[str, ...] = ()) -> None:
        self.over = over
        self._sources: dict[str, Source] = {}

    def source(self, name: str) -> Source:
        """A module's source, read once for this program."""
        if name not in self._sources:
            self._sources[name] = Source(name)
        return self._sources[name]

    def lead(self, source: Source, name: str) -> tuple[Source, str] | None:
        """The module and the function that a name in a module leads to, or None where it is no function of ours."""
        function = source.names.get(name)
        if not isinstance(function, FunctionType):
            return None
        place, name = place_of(function, self.over)
        return self.source(place), name


def place_of(function: FunctionType, over: tuple[str, ...]) -> tuple[str, str]:
    """The module and the name of the body behind a function: a promise's is in the first of `over` that has it."""
    if not is_promise(function):
        return function.__module__, function.__name__
    for candidate in over:
        body = vars(importlib.import_module(candidate)).get(function.__name__)
        if isinstance(body, FunctionType) and not is_promise(body):
            return body.__module__, body.__name__
    keepers = ", ".join(over) or "nothing"
    place = function.__code__
    refuse(place.co_filename, place.co_firstlineno, f"{place.co_name} is a promise that nobody keeps: over {keepers}")


# ---------------------------------------------------------------- the modules that take part


def modules_behind(names: tuple[str, ...], over: tuple[str, ...]) -> list[str]:
    """The modules of a program: those named, and all that they take functions or, as `k.NAME`, constants from."""
    found = list(dict.fromkeys((*names, *over)))
    for name in found:  # grows while it is walked
        found += [place for place in dict.fromkeys(_places_in(name)) if place not in found]
    return found


def _places_in(name: str) -> Iterator[str]:
    for value in vars(importlib.import_module(name)).values():
        if isinstance(value, FunctionType):
            yield value.__module__
        elif isinstance(value, ModuleType) and getattr(value, "__file__", "").endswith(".py"):
            yield value.__name__


# ---------------------------------------------------------------- the same, interpreted


def bound_module(name: str, over: tuple[str, ...]) -> ModuleType:
    """A kernel module, interpreted, with bodies in the places of its promises; the module itself where it has none."""
    return _bound(importlib.import_module(name), over, {})


def _bound(original: ModuleType, over: tuple[str, ...], done: dict[str, ModuleType]) -> ModuleType:
    if original.__name__ in done or not _is_generic(original.__name__):
        return done.get(original.__name__, original)
    module = done[original.__name__] = _again(original, "_".join(["over", *over]).replace(".", "_"))
    for key, function in _functions(original).items():
        place, name = place_of(function, over)
        if place != original.__name__:
            setattr(module, key, getattr(_bound(importlib.import_module(place), over, done), name))
    return module


@cache
def _is_generic(name: str) -> bool:
    """Whether a kernel module calls promises, itself or through another."""
    functions = _functions(importlib.import_module(name)).values()
    return any(is_promise(f) or (f.__module__ != name and _is_generic(f.__module__)) for f in functions)


def _functions(module: ModuleType) -> dict[str, FunctionType]:
    return {name: value for name, value in vars(module).items() if isinstance(value, FunctionType)}


def _again(original: ModuleType, suffix: str) -> ModuleType:
    """The same source executed once more, under another name."""
    spec = importlib.util.spec_from_file_location(f"{original.__name__}_{suffix}", file_of(original.__name__))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
