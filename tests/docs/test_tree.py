"""The tree in CONTRIBUTING.md is the tree on disk."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "ludus"


def folders_in_the_text() -> list[str]:
    """The folders that CONTRIBUTING.md shows under src/ludus/, by their indentation."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (tree,) = re.findall(r"^src/ludus/\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    found: list[str] = []
    above: list[str] = []
    for line in tree.splitlines():
        indent, name, meaning = re.fullmatch(r"((?:  )+)(\w+)/\s+(\S.*)", line).groups()  # type: ignore[union-attr]
        assert meaning
        above = [*above[: len(indent) // 2 - 1], name]
        found.append("/".join(above))
    return found


def folders_on_disk() -> set[str]:
    """Every package under src/ludus."""
    return {file.parent.relative_to(PACKAGE).as_posix() for file in PACKAGE.rglob("__init__.py")} - {"."}


def test_the_tree_of_contributing_is_the_tree_on_disk() -> None:
    shown = folders_in_the_text()
    assert sorted(shown) == sorted(folders_on_disk()), "CONTRIBUTING.md, The shape of the code"


def test_its_files_are_there() -> None:
    """Every path that CONTRIBUTING.md names leads somewhere, but for those with a NAME in them."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|tests|docs|scripts|bench|web)/[\w/.-]*)`", text)
    assert len(named) > 8
    for path in named:
        assert "NAME" in path or (ROOT / path).exists(), path
