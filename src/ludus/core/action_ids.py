"""Action ids as callers hand them in."""

from __future__ import annotations

from typing import Any

from ludus.core.errors import IllegalMove, quoted
from ludus.core.messages import Message


def as_action(action: Any, size: int) -> int:
    """An action id from whatever was handed in; anything but an integer in range is an IllegalMove."""
    try:
        number: int | None = None if isinstance(action, bool) else action.__index__()
    except (AttributeError, TypeError):  # NumPy's arrays have __index__, and only scalars answer
        number = None
    if number is None:
        raise IllegalMove(Message("ludus.core", "not_an_action", {"action": quoted(action)}))
    if not 0 <= number < size:
        raise IllegalMove(Message("ludus.core", "action_out_of_range", {"action": number, "last": size - 1}))
    return number
