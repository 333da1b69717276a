"""The game families.

Importing this package binds it to the name `games` of `ludus`, where people call `ludus.games()`: so it can
be called.
"""

from __future__ import annotations

import sys
from types import ModuleType

from ludus.core.registry import games


class CallablePackage(ModuleType):
    """A package that answers as the function of its name."""

    def __call__(self) -> list[str]:
        """The names of all games."""
        return games()


sys.modules[__name__].__class__ = CallablePackage
