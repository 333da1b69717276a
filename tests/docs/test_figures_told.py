"""Numbers and lists that pages tell of the whole: they are counted here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import ludus
from ludus.cli import parser

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> dict[str, Any]:
    """The commands, with their parsers."""
    return next(dict(action.choices) for action in parser()._actions if isinstance(action.choices, dict))


def options_of(command: str) -> set[str]:
    """The options that a command has."""
    return {word for action in commands()[command]._actions for word in action.option_strings if word[:2] == "--"}


def test_the_games_of_the_front_page_are_all_there_are() -> None:
    table = README.partition("| name | what it is |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`([a-z0-9-]+)`", table)) & set(ludus.games())
    more = re.search(r"and (\d+) more", table)
    assert more is not None
    assert len(named) + int(more[1]) == len(ludus.games())


def test_the_shelf_shows_every_game_without_a_page_of_its_own() -> None:
    told = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    assert [name for name in ludus.games() if f"`{name}`" not in told] == []


def test_the_front_page_names_every_command() -> None:
    assert [name for name in commands() if f"\nludus {name} " not in README] == []


def test_serving_names_every_option() -> None:
    page = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    assert sorted(word for word in options_of("serve") - {"--help"} if word not in page) == []
