"""The commands in docs/rule-sets.md print what the page says; `...` stands for any text."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from ludus.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "rule-sets.md"


def blocks() -> list[tuple[str, str]]:
    """(language, text) of every block of code, in order."""
    return re.findall(r"^```(\w+)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the page's rule sets in it, and a terminal of 100 columns."""
    for language, text in blocks():
        if language == "toml":
            (tmp_path / f"{tomllib.loads(text)['name']}.toml").write_text(text, encoding="utf-8")
    island = (tmp_path / "island.toml").read_text(encoding="utf-8")
    broken = island.replace('    "yellow: 8 > y1 > y2 > finish",\n', "").replace('"island"', '"no-way-home"')
    assert broken.count("yellow") == 1
    (tmp_path / "no-way-home.toml").write_text(broken, encoding="utf-8")
    mistakes = 'name = "three-mistakes"\njumps = ["3 > 7"]\n[board]\nseats = 40\n[turn]\nfirst = "eldest"\n'
    (tmp_path / "three-mistakes.toml").write_text(mistakes, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


def commands() -> list[tuple[str, str]]:
    """(command, what it prints) of every console block."""
    found = []
    for language, text in blocks():
        if language == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                found.append((command, printed))
    return found


def as_pattern(printed: str) -> str:
    """The text with `...` for anything, blank lines around it included."""
    return r"\s*".join(["", ".*".join(map(re.escape, re.split(r"\n?\.\.\.\n?", printed.strip()))), ""])


def test_the_page_shows_every_command() -> None:
    shown = " ".join(command for command, _ in commands())
    assert all(f"ludus rules {task}" in shown for task in ("show", "check", "diff", "new"))


def test_commands_print_what_the_page_says(folder: Path) -> None:
    for command, printed in commands():
        program, *words = shlex.split(command)
        assert program == "ludus"
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            main(words)
        assert re.fullmatch(as_pattern(printed), output.getvalue(), re.DOTALL), f"{command}\n{output.getvalue()}"
