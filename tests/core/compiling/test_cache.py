"""Machine code on disk: only what the user alone could have written is loaded, and only if it is whole."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludus.core.compiling import cache, machine
from ludus.core.compiling.program import Program

from .writing import Workshop, compiled

KEY = "0123456789abcdef" * 4
CODE = bytes(range(256)) * 9
Patch = pytest.MonkeyPatch


@pytest.fixture
def place(tmp_path: Path, monkeypatch: Patch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path))
    found = cache.folder()
    assert found == tmp_path / "ludus" / "kernels"
    return found


@pytest.fixture
def kept(place: Path) -> Path:
    """A file of the cache."""
    cache.keep(KEY, CODE, "names")
    assert cache.find(KEY) == CODE
    return place / f"{KEY}.code"


def test_what_is_kept_is_found(kept: Path) -> None:
    assert cache.find(KEY[::-1]) is None
    assert kept.with_suffix(".txt").read_text() == "names"
    assert sorted(path.suffix for path in kept.parent.iterdir()) == [".code", ".txt"]
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700


# ---------------------------------------------------------------- damaged


@pytest.mark.parametrize("at", [0, 20, 90, 150, 1000, -1])
def test_one_wrong_bit(kept: Path, at: int) -> None:
    content = bytearray(kept.read_bytes())
    content[at] ^= 4
    kept.write_bytes(content)
    assert cache.find(KEY) is None


@pytest.mark.parametrize("size", [0, 10, 145, 500, -1])
def test_cut_off(kept: Path, size: int) -> None:
    kept.write_bytes(kept.read_bytes()[:size])
    assert cache.find(KEY) is None


def test_something_after_the_end(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes() + b"x")
    assert cache.find(KEY) is None


def test_another_key_s_file(kept: Path) -> None:
    kept.rename(kept.with_name(f"{KEY[::-1]}.code"))
    assert cache.find(KEY[::-1]) is None


def test_a_folder_of_that_name(kept: Path) -> None:
    kept.unlink()
    kept.mkdir()
    assert cache.find(KEY) is None


def test_a_damaged_file_is_made_anew(workshop: Workshop, place: Path) -> None:
    name = workshop.write("def run_api(n: int) -> int:\n    return n * 7")
    assert compiled(name).run_api(6) == 42
    (file,) = place.glob("*.code")
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + b"\x00")
    assert compiled(name).run_api(6) == 42
    assert file.read_bytes() == whole


# ---------------------------------------------------------------- foreign


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_to(kept: Path, mode: int) -> None:
    kept.chmod(mode)
    assert cache.find(KEY) is None


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_may_write_to(kept: Path, mode: int) -> None:
    kept.parent.chmod(mode)
    assert cache.folder() is None
    assert cache.find(KEY) is None
    kept.unlink()
    cache.keep(KEY, CODE, "")
    assert not kept.exists()


def test_another_user_s(kept: Path, monkeypatch: Patch) -> None:
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    assert cache.folder() is None
    assert cache.find(KEY) is None
    monkeypatch.setattr(cache, "folder", lambda: kept.parent)  # though the folder were our own
    assert cache.find(KEY) is None


def test_a_symbolic_link_is_not_followed(kept: Path) -> None:
    real = kept.rename(kept.with_name("elsewhere"))
    kept.symlink_to(real)
    assert cache.find(KEY) is None
    cache.keep(KEY, CODE, "")
    assert not kept.is_symlink(), "it is replaced, not written through"
    assert cache.find(KEY) == CODE


# ---------------------------------------------------------------- written


def test_a_file_appears_whole_or_not_at_all(place: Path, monkeypatch: Patch) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", fail)
    cache.keep(KEY, CODE, "")
    assert list(place.iterdir()) == []


def test_what_a_stopped_process_left_goes_in_time(place: Path) -> None:
    old, new = place / "01234567abc.new", place / "01234567def.new"
    old.touch()
    new.touch()
    hours_ago = time.time() - 2 * cache.LONGEST_WRITING
    os.utime(old, (hours_ago, hours_ago))
    cache.keep(KEY, CODE, "")
    assert not old.exists()
    assert new.exists()


def test_the_oldest_go(place: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(cache, "MOST_FILES", 3)
    keys = [str(number) * 64 for number in range(5)]
    for number, key in enumerate(keys):
        cache.keep(key, CODE, "")
        os.utime(place / f"{key}.code", (number, number))
        if number == 2:
            assert cache.find(keys[0]) == CODE  # used a moment ago
    assert [cache.find(key) is not None for key in keys] == [True, False, False, True, True]
    assert len(list(place.iterdir())) == 6


# ---------------------------------------------------------------- no place


def use_nowhere(patch: Patch) -> None:
    patch.setenv("LUDUS_CACHE_DIR", "/proc/nothing")


def have_no_home(patch: Patch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("LUDUS_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        patch.delenv(name, raising=False)
    patch.setattr(Path, "home", no_home)


@pytest.mark.parametrize("lose", [use_nowhere, have_no_home])
def test_no_place_is_no_obstacle(workshop: Workshop, lose: object, monkeypatch: Patch) -> None:
    name = workshop.write("def run_api(n: int) -> int:\n    return n + 1")
    lose(monkeypatch)  # type: ignore[operator]
    assert cache.folder() is None
    assert compiled(name).run_api(6) == 7


def test_a_place_that_can_only_be_read(kept: Path, monkeypatch: Patch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", refuse)
    assert cache.find(KEY) == CODE


@pytest.mark.parametrize(
    ("platform", "settings", "place"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/ludus"),
        ("linux", {"HOME": "/home/me"}, "/home/me/.cache/ludus"),
        ("darwin", {"HOME": "/Users/me"}, "/Users/me/Library/Caches/ludus"),
        ("linux", {"LUDUS_CACHE_DIR": "/y", "XDG_CACHE_HOME": "/x"}, "/y/ludus"),
    ],
)
def test_where_it_is(platform: str, settings: dict[str, str], place: str, monkeypatch: Patch) -> None:
    for name in ("LUDUS_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache.cache_home() == Path(place)


# ---------------------------------------------------------------- several processes

PLAYS = """
import sys
import ludus
from ludus.core.compiling import machine
really, made = machine.object_of, []
machine.object_of = lambda *given: made.append(1) or really(*given)
print("ready", flush=True)
sys.stdin.readline()
game = ludus.make("star", players=2)
moves = game.playouts(20, seed=1).moves.sum()
pos = game.start(seed=1).roll()
print(moves, len(pos.moves()), len(made))
"""


def test_several_processes_at_once(tmp_path: Path) -> None:
    """Begun together on an empty cache, all play the same; what they leave is whole, and the next compiles nothing."""
    env = os.environ | {"LUDUS_CACHE_DIR": str(tmp_path)}

    def begin() -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, "-c", PLAYS], env=env, stdin=pipe, stdout=pipe, text=True)

    processes = [begin() for _ in range(4)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = {process.communicate()[0].rpartition(" ")[0] for process in processes}
    assert len(answers) == 1
    assert sorted(path.suffix for path in (tmp_path / "ludus" / "kernels").iterdir()) == [
        ".code",
        ".code",
        ".txt",
        ".txt",
    ]
    last = begin().communicate("go\n")[0].splitlines()[1]
    assert last == f"{answers.pop()} 0", "nothing was compiled again"


def test_a_new_process_compiles_nothing(workshop: Workshop, place: Path, monkeypatch: Patch) -> None:
    name = workshop.write("def run_api(n: int) -> int:\n    return n * n")
    assert compiled(name).run_api(6) == 36

    def fail(*_: object) -> bytes:
        raise AssertionError("compiled again")

    monkeypatch.setattr(machine, "object_of", fail)
    assert compiled(name).run_api(6) == 36
    with pytest.raises(AssertionError, match="compiled again"):
        Program((name,), header=(1,)).entry("run_api")
