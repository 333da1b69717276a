"""The bots.

Importing this package binds it to the name `bots` of `ludus`, where people call `ludus.bots()`: so it can
be called.
"""

from __future__ import annotations

from ludus.bots.bot import Bot, BotError, Candidate, ask
from ludus.bots.roster import bot, bots
from ludus.core.callable_package import answer_as

__all__ = ["Bot", "BotError", "Candidate", "ask", "bot", "bots"]

answer_as(__name__, bots)
