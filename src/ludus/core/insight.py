"""Who plays positions on for `Position.rollout`: the core knows no values and no bots, who has some provides them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludus.core.errors import LudusError

_PROVIDED: list[Callable[[], Callable[..., Any]]] = []


def provide_rollouts(load: Callable[[], Callable[..., Any]]) -> None:
    """Say what plays positions on; it is loaded when somebody first asks."""
    _PROVIDED[:] = [load]


def rolled_out(position: Any, **options: Any) -> Any:
    """A position played on many times."""
    if not _PROVIDED:
        raise LudusError("rollouts: nobody has provided any")
    return _PROVIDED[0]()(position, **options)
