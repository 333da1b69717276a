"""The arena: bots against each other, and what can be said of them afterwards.

Importing this package binds it to the name `arena` of `ludus`, where people call `ludus.arena(…)`: so it can
be called.
"""

from __future__ import annotations

from ludus.arena.contest import ArenaStopped, arena
from ludus.arena.standings import Standings
from ludus.core.callable_package import answer_as

__all__ = ["ArenaStopped", "Standings", "arena"]

answer_as(__name__, arena)
