"""The bots.

Importing this package binds it to the name `bots` of `ludus`, where people call `ludus.bots()`: so it can
be called.
"""

from __future__ import annotations

import sys
from types import ModuleType

from ludus.bots.bot import Bot, BotError, Candidate, ask
from ludus.bots.registry import bot, bots

__all__ = ["Bot", "BotError", "Candidate", "ask", "bot", "bots"]


class CallablePackage(ModuleType):
    """A package that answers as the function of its name."""

    def __call__(self) -> list[str]:
        """The names of all bots."""
        return bots()


sys.modules[__name__].__class__ = CallablePackage
