"""Long work at a terminal: a bar with the time left, and a file that is known to be writable before it begins."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from ludus.core.errors import LudusError

Progress = Callable[[int, int], None]


@contextlib.contextmanager
def progress_bar(doing: str, left: str) -> Iterator[Progress | None]:
    """A bar with the time left, where somebody looks; the words are 'playing' and 'left'."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn(doing), bars.BarColumn(), bars.MofNCompleteColumn(), bars.TimeElapsedColumn(),
        bars.TextColumn(left), bars.TimeRemainingColumn(),
    )  # fmt: skip
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def tell(done: int, planned: int) -> None:
            bar.update(task, completed=done, total=planned)

        yield tell


def file_to_write(option: str, path: str | None) -> Path | None:
    """Where a file goes: told before the work, not after it."""
    if path is None:
        return None
    target = Path(path).expanduser()
    folder = target.parent
    if target.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise LudusError(f"{option} {path}: not a file that can be written")
    return target
