"""A kernel in its two forms: interpreted, as Python imports it, and compiled, for every game of it or for one."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any

from ludus.core.compiling.faults import checked_mode
from ludus.core.compiling.presence import is_ahead
from ludus.core.compiling.program import Compiled, Program
from ludus.core.compiling.sources import bound_module


class Interpreted:
    """The functions of some kernel modules as attributes; the first module that has a name gives it."""

    def __init__(self, modules: tuple[str, ...], over: tuple[str, ...]) -> None:
        self._modules = [bound_module(name, over) for name in modules]

    def __getattr__(self, name: str) -> Any:
        for module in self._modules:
            if name in vars(module):
                setattr(self, name, vars(module)[name])
                return vars(module)[name]
        raise AttributeError(f"no kernel function or constant {name}")


class Twin:
    """A kernel module over others, nearest first, that keep its promises; none, where it is a game's own kernel."""

    def __init__(self, name: str, over: tuple[str, ...] = ()) -> None:
        self.name = name
        self.over = over
        self._lock = threading.Lock()
        self._compiled: dict[Any, Compiled] = {}

    @cached_property
    def interpreted(self) -> Any:
        """Its functions, interpreted; after them those of the modules that it is over."""
        return Interpreted((self.name, *self.over), self.over)

    @property
    def program(self) -> Program:
        """All of it, for every game of these kernels."""
        return Program((self.name, *self.over), self.over or (self.name,))

    def names(self) -> str:
        """Where the body of every name that its entries lead to stands."""
        return self.program.names()

    def compiled(self, header: tuple[int, ...] = (), columns: Mapping[str, int] | None = None) -> Compiled:
        """Its entries, compiled: for one game with these constants in its tables, or for every game."""
        if is_ahead():
            header, columns = (), None  # one for all is what there is
        checked = checked_mode()
        key = header, tuple(sorted((columns or {}).items())), checked
        with self._lock:
            if key not in self._compiled:
                program = Program((self.name, *self.over), self.over or (self.name,), header, columns, checked)
                self._compiled[key] = Compiled(program)
            return self._compiled[key]


@cache
def twin_of(name: str, over: tuple[str, ...] = ()) -> Twin:
    """The twin of a kernel module, one per process."""
    return Twin(name, over)
