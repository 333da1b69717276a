"""Kernel modules that tests write, interpreted and compiled."""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from ludus.core.compiling.program import Compiled, Program

TYPES = "Float32s, Floats, Int8s, Int16s, Int32s, Ints, UInt8s"
FIRST = f"from ludus.core.compiling.language import {TYPES}"  # the first line of every module


class Workshop:
    """Writes kernel modules into a folder on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = count()

    def write(self, source: str) -> str:
        """A new module; its name."""
        name = f"written_{next(self._numbers)}"
        (self.folder / f"{name}.py").write_text(f"{FIRST}\n{textwrap.dedent(source)}", encoding="utf-8")
        importlib.invalidate_caches()
        return name

    def module(self, source: str) -> ModuleType:
        """A new module, as Python imports it."""
        return importlib.import_module(self.write(source))

    def twins(self, source: str, checked: bool = False, **more: Any) -> tuple[ModuleType, Entries]:
        """A new module, interpreted and compiled."""
        module = self.module(source)
        return module, entries_of(module.__name__, checked=checked, **more)


class Entries:
    """Compiled entries as attributes, compiled at once."""

    def __init__(self, program: Program) -> None:
        for name in program.entries:
            setattr(self, name, program.entry(name))
        self.program = program

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(name)


def entries_of(
    *modules: str,
    over: tuple[str, ...] = (),
    header: tuple[int, ...] = (),
    columns: Mapping[str, int] | None = None,
    checked: bool = False,
) -> Entries:
    """The compiled entries of some modules."""
    return Entries(Program(modules, over, header, columns, checked))


def compiled(name: str) -> Compiled:
    """The compiled entries of a module, made when they are asked for."""
    return Compiled(Program((name,)))
