"""Whether kernels can be compiled here: LLVM is larger than all else, and there are places without it."""

from __future__ import annotations

import logging
from functools import cache
from importlib.util import find_spec

INSTALL = "pip install llvmlite"
logger = logging.getLogger("ludus")


@cache
def can_compile() -> bool:
    """Whether LLVM is there."""
    try:
        return find_spec("llvmlite") is not None
    except (ImportError, ValueError):  # somebody has put it out of reach
        return False


@cache
def warn_of_interpreting() -> None:
    """Say once that everything would be faster with the compiler."""
    logger.warning("ludus plays by interpreted kernels, which is slow; %s brings their compiler", INSTALL)
