"""Work that may keep people waiting says so, once it does."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LONG = 1.0  # seconds
logger = logging.getLogger("ludus")


@contextmanager
def said_if_long(what: str, seconds: float = LONG) -> Iterator[None]:
    """Log what is going on, as a warning so that it is seen, if it is not done within some seconds."""
    timer = threading.Timer(seconds, logger.warning, ("%s …", what))
    timer.daemon = True
    with suppress(RuntimeError):  # a page has no threads, and compiles nothing
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
