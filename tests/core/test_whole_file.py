"""Files are written whole or not at all: the old one stays until the new one is there."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from ludus.core.whole_file import whole, write_new, write_whole

SOURCE = Path(__file__).parents[2] / "src" / "ludus"
# what may write otherwise, and why
OTHERS = {
    "core/whole_file.py": "this is how",
    "core/compiling/cache.py": "by way of a temporary file too; what was cut off is not loaded, so nothing is synced",
    "core/compiling/ahead.py": "part of a build, which begins anew where it was interrupted",
    "arena/journal.py": "is appended to; a last line that was cut off is dropped when it is read",
    "bots/endings.py": "into memory, and from there whole",
    "arena/worker.py": "how far it is, into the file of its crew",
    "arena/crew.py": "how far workers are, for as long as they live",
    "training/state_space.py": "larger than memory; how much of it holds is said in a file that is written whole",
    "server/database.py": "an empty file, for the data base to fill",
}
WRITES = ("write_text", "write_bytes", "savez", "savez_compressed", "tofile", "memmap")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    return path


def test_the_new_one_takes_the_place_of_the_old_one(target: Path) -> None:
    target.chmod(0o640)
    write_whole(target, b"new")
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640
    assert list(target.parent.iterdir()) == [target]


def test_whoever_fails_in_the_middle_leaves_the_old_one(target: Path) -> None:
    def fail() -> None:
        with whole(target) as file:
            file.write(b"half")
            file.flush()
            assert target.read_bytes() == b"old"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert target.read_bytes() == b"old"
    assert list(target.parent.iterdir()) == [target]


def test_a_new_file_takes_nobody_s_place(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileExistsError):
        write_new(target, b"new")
    monkeypatch.setattr(os.path, "lexists", lambda _: False)  # somebody is quicker
    with pytest.raises(FileExistsError):
        write_new(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(target.parent.iterdir()) == [target]
    write_new(target.with_name("other"), b"new")
    assert target.with_name("other").read_bytes() == b"new"


def test_where_there_are_no_links_a_new_file_is_written_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refused)
    write_new(tmp_path / "file", b"new")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("file", b"new")]


def test_every_file_is_written_so() -> None:
    found = {
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and writes(node)
    }
    assert found == set(OTHERS)


def writes(call: ast.Call) -> bool:
    """Whether a file may be written by this call."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    told = [one.value for one in ast.walk(call) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if name in ("open", "NamedTemporaryFile", "mkstemp"):
        flags = {one.attr for one in ast.walk(call) if isinstance(one, ast.Attribute)}
        is_open = any(len(mode) <= 3 and set(mode) & set("wax+") and set(mode) <= set("wax+rbt") for mode in told)
        return name != "open" or is_open or bool(flags & {"O_CREAT", "O_RDWR"} and "devnull" not in flags)
    return name in WRITES
