"""The options of a rule set as a table: what each takes, its default, what it means, in every language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludus.core.messages import look_up
from ludus.games.ludo.document.rules import GROUPS
from ludus.games.ludo.rulebook.findings import say

LUDO = "ludus.games.ludo"


@dataclass(frozen=True)
class OptionRow:
    """One option for people."""

    group: str
    key: str
    values: str
    default: Any
    meaning: str
    rules: tuple[str, ...]

    @property
    def name(self) -> str:
        """group.key."""
        return f"{self.group}.{self.key}"

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return {
            "option": self.name, "values": self.values, "default": self.default, "meaning": self.meaning,
            "rules": list(self.rules),
        }  # fmt: skip


def option_table(lang: str = "en") -> list[OptionRow]:
    """Every option of a Ludo rule set, group by group."""
    return [row for group in GROUPS for row in group_rows(group, lang)]


def group_rows(group: str, lang: str) -> Iterator[OptionRow]:
    """The options of one group."""
    schema = GROUPS[group].model_json_schema()
    for key, field in GROUPS[group].model_fields.items():
        part = schema["properties"][key]
        meaning = look_up(LUDO, f"option.{group}.{key}", lang) or field.description or ""
        values = values_in_words(part, lang, schema.get("$defs", {}))
        yield OptionRow(group, key, values, part.get("default"), meaning, tuple(part.get("rules", ())))


def group_meaning(group: str, lang: str) -> str:
    """What a group of options is about."""
    return look_up(LUDO, f"group.{group}", lang) or GROUPS[group].__doc__ or ""


def values_in_words(schema: Mapping[str, Any], lang: str, shared: Mapping[str, Any] | None = None) -> str:
    """The values that an option takes, from its JSON Schema."""
    if "$ref" in schema:
        return say("values", "table", lang)
    if "enum" in schema:
        return ", ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in schema["enum"])
    if "anyOf" in schema:
        return f" {say('word', 'or', lang)} ".join(values_in_words(part, lang, shared) for part in schema["anyOf"])
    if "pattern" in schema:
        return say("values", "name", lang)
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None:
        return say("values", "range" if high is not None else "from", lang, low=low, high=high)
    kind = str(schema.get("type", ""))
    if kind == "array":
        return say("values", "list", lang, items=values_in_words(schema.get("items", {}), lang, shared))
    return say("values", kind, lang) if kind else ""
