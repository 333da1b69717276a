"""The game families.

Importing this package binds it to the name `games` of `ludus`, where people call `ludus.games()`: so it can
be called.
"""

from __future__ import annotations

from ludus.core.callable_package import answer_as
from ludus.core.registry import games

answer_as(__name__, games)
