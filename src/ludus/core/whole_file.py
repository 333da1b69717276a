"""Files that are either the old one or the whole new one, never a part."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def write_whole(target: Path, data: bytes) -> None:
    """Put `data` in place of a regular file by way of a temporary one beside it."""
    with whole(target) as file:
        file.write(data)


def write_new(target: Path, data: bytes) -> None:
    """The same where there is no file of that name yet; FileExistsError, and the old one as it was, where there is."""
    with whole(target, is_new=True) as file:
        file.write(data)


@contextmanager
def whole(target: Path, is_new: bool = False) -> Iterator[IO[bytes]]:
    """A file to write into that takes the place of a regular one, or of none, when all of it is there."""
    mode = 0o666 & ~_umask()
    if is_new and os.path.lexists(target):
        raise FileExistsError(target)
    if target.exists():
        if not target.is_file():
            raise OSError(0, "not a regular file")
        mode = stat.S_IMODE(target.stat().st_mode)
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        _put(name, target, is_new)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _put(name: str, target: Path, is_new: bool) -> None:
    if is_new:
        try:
            os.link(name, target)  # unlike a new name, this is refused where somebody was quicker
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            is_new = False
        else:
            os.unlink(name)
    if not is_new:
        os.replace(name, target)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
