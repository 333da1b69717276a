"""The arena: bots against each other, and what can be said of them afterwards.

Importing this package binds it to the name `arena` of `ludus`, where people call `ludus.arena(…)`: so it can
be called.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from ludus.arena.contest import ArenaStopped, arena
from ludus.arena.standings import Standings

__all__ = ["ArenaStopped", "Standings", "arena"]


class CallablePackage(ModuleType):
    """A package that answers as the function of its name."""

    def __call__(self, *arguments: Any, **options: Any) -> Standings:
        """Play bots against each other."""
        return arena(*arguments, **options)


sys.modules[__name__].__class__ = CallablePackage
