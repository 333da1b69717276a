"""The families of games that ship with ludus: the core knows none, who has some provides them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludus.core.registry import Family

# by name, in the order of `ludus.games()`; each is loaded when somebody first asks for one of its games
BUILT_IN: dict[str, Callable[[], Family]] = {}


def provide_family(name: str, load: Callable[[], Family]) -> None:
    """Say where a family comes from."""
    BUILT_IN[name] = load
