"""Files that are either the old one or the whole new one, never a part."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def write_whole(target: Path, data: bytes) -> None:
    """Put `data` in place of a regular file by way of a temporary one beside it."""
    mode = 0o666 & ~_umask()
    if target.exists():
        if not target.is_file():
            raise OSError(0, "not a regular file")
        mode = stat.S_IMODE(target.stat().st_mode)
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
