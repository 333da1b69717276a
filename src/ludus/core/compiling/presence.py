"""Whether kernels can be compiled here: LLVM is larger than all else, and there are places without it.

A page has none, but kernels that were compiled for it when the site was built (ahead.py).
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.util import find_spec
from pathlib import Path

INSTALL = "pip install llvmlite"
AHEAD = Path(__file__).with_name("ahead")  # scripts/site puts them there
logger = logging.getLogger("ludus")


@cache
def can_compile() -> bool:
    """Whether LLVM is there."""
    try:
        return find_spec("llvmlite") is not None
    except (ImportError, ValueError):  # somebody has put it out of reach
        return False


@cache
def is_ahead() -> bool:
    """Whether kernels were compiled for this place already, each for every game of its family."""
    return AHEAD.is_dir() and not can_compile()


def runs_compiled() -> bool:
    """Whether there are compiled kernels here, now or soon."""
    return can_compile() or is_ahead()


@cache
def warn_of_interpreting() -> None:
    """Say once that everything would be faster with the compiler."""
    logger.warning("ludus plays by interpreted kernels, which is slow; %s brings their compiler", INSTALL)
