"""A rule-set document to start from: every option with its meaning and default, written from the option table."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

from ludus.core.messages import look_up
from ludus.games.ludo.document.options import Card, Change, Group
from ludus.games.ludo.document.rules import GROUPS
from ludus.games.ludo.rulebook.findings import say
from ludus.games.ludo.rulebook.table import LUDO, OptionRow, group_meaning, group_rows

WIDTH = 100
TABLES = ("chance.cards",)  # written as tables of their own, which a value here would exclude
NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def new_document(name: str = "my-ludo", lang: str = "en") -> str:
    """The text of a new document: it loads as it is, and plays by the defaults."""
    lines = [
        *comment(say("template", "head", lang)), "", f'name = "{name}"', f'title = "{say("template", "title", lang)}"',
        *comment(say("template", "extends", lang)), '# extends = "star"', "",
    ]  # fmt: skip
    for group in GROUPS:
        lines += [f"[{group}]  # {group_meaning(group, lang)}"]
        for row in group_rows(group, lang):
            lines += option_lines(row)
        lines.append("")
    lines += nested(Card, "chance.cards", {"name": "seven", "count": 4, "distance": 7}, lang)
    lines += nested(Change, "changes", {"when": "captures", "set": {"block.stops": "none"}}, lang)
    return "\n".join(lines).rstrip() + "\n"


def name_for(stem: str) -> str:
    """A rule set's name from a file's: 'Sunday Ludo' is sunday-ludo."""
    name = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:40]
    return name if NAME.fullmatch(name) else "my-ludo"


def option_lines(row: OptionRow) -> list[str]:
    """An option: what it means and takes as a comment, then its default, to be uncommented and changed."""
    cites = f" ({' '.join(row.rules)})" if row.rules else ""
    told = comment(f"{row.meaning}{cites}: {row.values}")
    if row.default is None:
        return [*told, f"# {row.key} = …"]
    off = "# " if row.name in TABLES else ""
    return [*told, f"{off}{row.key} = {toml(row.default)}"]


def comment(text: str) -> list[str]:
    """Text as comment lines."""
    return [
        line
        for part in text.splitlines()
        for line in textwrap.wrap(part, WIDTH, initial_indent="# ", subsequent_indent="#   ")
    ]


def nested(model: type[Group], place: str, example: dict[str, Any], lang: str) -> list[str]:
    """A list of tables, as a comment: its keys, and one entry to begin with."""
    lines = comment(f"[[{place}]] " + say("template", place.replace(".", "_"), lang))
    for key, field in model.model_fields.items():
        meaning = look_up(LUDO, f"option.{model.__name__.lower()}.{key}", lang) or field.description
        lines += comment(f"{key}: {meaning}")
    return [*lines, f"# [[{place}]]", *(f"# {key} = {toml(value)}" for key, value in example.items()), ""]


def toml(value: Any) -> str:
    """A value as TOML has it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
