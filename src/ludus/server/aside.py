"""Work beside the loop."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
# a page in a browser has no threads: there the loop waits, and nobody else is at the tables
HAS_THREADS = sys.platform != "emscripten"


async def aside(work: Callable[..., T], *given: object) -> T:
    """What work gives, done in a thread where there are any."""
    if not HAS_THREADS:
        return work(*given)
    return await asyncio.to_thread(work, *given)
