"""Packages that people call: importing `ludus.games` binds the package to a name under which they call a function."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class CallablePackage(ModuleType):
    """A package that answers as the function of its name."""

    called: Callable[..., Any]

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """What the function gives."""
        return self.called(*arguments, **options)


def answer_as(package: str, function: Callable[..., Any]) -> None:
    """Let a package be called as a function; in a package's own `__init__.py`, with its `__name__`."""
    module = sys.modules[package]
    module.__class__ = CallablePackage
    module.__dict__["called"] = function
