"""Machine code on disk: found again by a digest of everything that it was made from.

A file is loaded only if the folder and it belong to the user and nobody else may write there, and if it holds what was
once written: a key, a digest and the code. Anything else is made anew. Files are written beside their place and moved
into it, so that two processes at once do no harm. Nothing is unpickled.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

MAGIC = b"ludus kernel 1\n"
MOST_FILES = 1000  # the oldest go
LONGEST_WRITING = 3600  # seconds


def cache_home() -> Path:
    """The folder for what can be made again."""
    if (named := os.environ.get("LUDUS_CACHE_DIR")) is not None and named:
        return Path(named) / "ludus"
    if os.name == "nt" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / "ludus"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ludus"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludus"


def folder() -> Path | None:
    """The folder of machine code, or None where there is none that only the user can write to."""
    try:
        place = cache_home() / "kernels"
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        return place if is_private(place.stat()) else None
    except (OSError, RuntimeError):  # no home, no right to write
        return None


def is_private(status: os.stat_result) -> bool:
    """Whether something belongs to the user and only the user may write to it; on Windows its place sees to that."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def find(key: str) -> bytes | None:
    """The machine code of a key, or None where it is missing, damaged or not ours."""
    place = folder()
    if place is None:
        return None
    path = place / f"{key}.code"
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            content = file.read() if is_private(os.fstat(file.fileno())) else b""
    except OSError:
        return None
    with suppress(OSError):  # nothing can be noted in a folder that can only be read
        os.utime(path)
    head = _head(key, content[_SIZE_OF_HEAD:])
    return content[_SIZE_OF_HEAD:] if content[:_SIZE_OF_HEAD] == head else None


def keep(key: str, code: bytes, names: str) -> None:
    """Write machine code for the next process, and beside it the names it was made from, for people."""
    place = folder()
    if place is None:
        return
    with suppress(OSError):
        _write(place / f"{key}.code", _head(key, code) + code)
        _write(place / f"{key}.txt", names.encode())
        _make_room(place)


def _head(key: str, code: bytes) -> bytes:
    digest = hashlib.sha256(key.encode() + code).hexdigest()
    return MAGIC + f"{key}\n{digest}\n".encode()


_SIZE_OF_HEAD = len(_head(hashlib.sha256().hexdigest(), b""))


def _write(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem[:8], suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _make_room(place: Path) -> None:
    """Remove what has not been used for longest, and what a process that was stopped left half written."""
    for path in place.glob("*.new"):
        if path.stat().st_mtime < time.time() - LONGEST_WRITING:
            path.unlink(missing_ok=True)
    kept = sorted(place.glob("*.code"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[MOST_FILES:]:
        path.unlink(missing_ok=True)
        path.with_suffix(".txt").unlink(missing_ok=True)
