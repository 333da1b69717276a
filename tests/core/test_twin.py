"""Compiled kernels: the cache notices every change, one process compiles, and the next finds all of it."""

from __future__ import annotations

import fcntl
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from ludus.core import twin

ROOT = Path(__file__).parents[2]
LONGEST = 800  # seconds, where the cache is cold
GAMES = ("pettingzoo", "parchis", "generals")  # one per kernel


def kernels_of(name: str) -> tuple[str, ...]:
    """The kernel modules that search in a game is compiled from."""
    game = ludus.make(name)
    return ("ludus.bots.kernels.search", *game.bot_kernels, game.engine.twin.name)


def sources_of(name: str) -> set[Path]:
    """The files of a game's kernels, and all of ours that they name in an import."""
    waiting, found = list(kernels_of(name)), set()
    while waiting:
        path = Path(inspect.getfile(importlib.import_module(waiting.pop())))
        if path not in found:
            found.add(path)
            text = path.read_text(encoding="utf-8")
            waiting += re.findall(r"^from (ludus\.\S+\.\w+) import", text, re.MULTILINE)
            waiting += [
                ".".join(pair) for pair in re.findall(r"^from (ludus\S*) import (kernel\w*) as", text, re.MULTILINE)
            ]
    return {path for path in found if path.name != "__init__.py"}


@pytest.mark.parametrize("name", GAMES)
def test_a_change_in_any_source_is_another_cache(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = [importlib.import_module(module) for module in kernels_of(name)]
    sources = sources_of(name)
    # constants come from there, and no function does
    assert {"engine.py", "kernel_calls.py", "random.py", "twin.py"} <= {path.name for path in sources}
    before, really = twin._digest(modules), Path.read_bytes
    for changed in sources:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "read_bytes", lambda path, changed=changed: really(path) + b"#" * (path == changed))
            assert twin._digest(modules) != before, changed
    assert twin._digest(modules) == before
    assert len({before, twin._digest(modules, (1, 2)), twin._digest(modules, (2, 1))}) == 3


def test_one_process_compiles_an_entry(tmp_path: Path) -> None:
    lock = tmp_path / "cache" / "entry.lock"
    with twin._one_process_at_a_time(lock), open(lock) as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with open(lock) as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_cache_that_can_t_be_written_is_no_obstacle() -> None:
    for lock in (None, Path("/proc/nothing/entry.lock")):
        with twin._one_process_at_a_time(lock):
            pass


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_new_process_finds_everything_in_the_cache(name: str) -> None:
    """Playouts, bots, both searches and batches, called with code that another process has compiled."""
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, str(ROOT / "scripts" / "warm-kernels"), name],
            capture_output=True, text=True, check=False, timeout=LONGEST,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        last = re.fullmatch(rf"{name}: (\d+) entries of kernels, (\d+) of them compiled\n", done.stdout)
        assert last, done.stdout
    assert int(last[1]) >= 3  # games between bots, search, batches
    assert int(last[2]) == 0
