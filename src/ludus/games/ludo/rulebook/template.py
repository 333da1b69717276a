"""A rule-set document to start from: every option with its meaning and default, written from the option table."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

from ludus.core.messages import look_up
from ludus.games.ludo.document.loading import load
from ludus.games.ludo.document.meeting_rows import Meeting
from ludus.games.ludo.document.options import Card, Change, Group
from ludus.games.ludo.document.reaction_options import On
from ludus.games.ludo.document.rules import GROUPS, RuleSet
from ludus.games.ludo.rulebook.findings import say
from ludus.games.ludo.rulebook.option_rows import LUDO, OptionRow, group_meaning, group_rows
from ludus.games.ludo.rulebook.prose import sentences_of

WIDTH = 100
MOST_SENTENCES = 3  # of one option, above it
TABLES = ("chance.cards",)  # written as tables of their own, which a value here would exclude
ROWS = ("meeting", "on", "changes")  # lists of tables beside the groups
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
    lines += nested(Meeting, "meeting", {"who": "enemy", "count": "2+", "passing": False, "landing": "closed"}, lang)
    lines += nested(On, "on", {"event": "capture", "do": "again"}, lang)
    lines += nested(Change, "changes", {"when": "captures", "set": {"block.stops": "none"}}, lang)
    return "\n".join(lines).rstrip() + "\n"


def short_document(base: str, name: str = "my-ludo", lang: str = "en") -> str:
    """A document that begins from another: it plays alike as it stands; what it is made of follows as comments.

    Each option that the base sets is there with its sentence of the rule book, to be uncommented and changed.
    """
    rules = load(base, {})
    told = rules.model_dump(mode="json", exclude_defaults=True)
    lines = [
        *comment(say("template", "short_head", lang, base=base)), "", f'name = "{name}"',
        f'title = "{say("template", "title", lang)}"', f'extends = "{base}"', "",
    ]  # fmt: skip
    for group in GROUPS:
        options = told.get(group, {})
        lines += [f"[{group}]  # {group_meaning(group, lang)}"] if options else []
        for key, value in options.items():
            lines += [*sentences(rules, f"{group}.{key}", lang), *commented(f"{key} = {toml(value)}")]
        lines += [""] if options else []
    for table in ROWS:
        for row in told.get(table, ()):
            lines += [f"# [[{table}]]", *(line for k, v in row.items() for line in commented(f"{k} = {toml(v)}")), ""]
    return "\n".join([*lines, *comment(say("template", "short_tail", lang))]).rstrip() + "\n"


def tables_of(rules: RuleSet) -> dict[str, str]:
    """What a rule set says in tables beside the groups of options, as a document writes it."""
    told = rules.model_dump(mode="json", exclude_defaults=True)
    found = {
        table: "\n".join(line for row in told[table] for line in (f"[[{table}]]", *settings(row), ""))
        for table in ROWS
        if told.get(table)
    }
    if told.get("allowed"):
        found["allowed"] = "\n".join(("[allowed]", *settings(told["allowed"]), ""))
    return found


def settings(row: dict[str, Any]) -> list[str]:
    """The lines of a table."""
    return [
        f"{key if NAME.fullmatch(key.replace('_', '-')) else json.dumps(key)} = {toml(value)}"
        for key, value in row.items()
    ]


def sentences(rules: RuleSet, option: str, lang: str) -> list[str]:
    """What an option says, as a comment."""
    told = sentences_of(rules, option, lang)
    return comment(" ".join(told[:MOST_SENTENCES] + ["…"] * (len(told) > MOST_SENTENCES)))


def commented(text: str) -> list[str]:
    """Lines of a document that wait to be uncommented."""
    return [f"# {line}".rstrip() for line in text.splitlines()]


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
        items = [toml(item) for item in value]
        if sum(map(len, items)) > WIDTH - 10:
            return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
        return "[" + ", ".join(items) + "]"
    if isinstance(value, str) and "\n" in value:
        return f'"""\n{value.strip(chr(10))}\n"""'
    return json.dumps(value, ensure_ascii=False)
