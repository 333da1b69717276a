"""How two rule sets differ, option by option, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludus.games.ludo.document.rules import GROUPS, RuleSet
from ludus.games.ludo.rulebook.findings import value_at
from ludus.games.ludo.rulebook.meeting_words import guards_told
from ludus.games.ludo.rulebook.prose import SECTIONS, sentences_of


@dataclass(frozen=True)
class Difference:
    """An option with the value it has in each of two rule sets, and what these say."""

    option: str
    values: tuple[Any, Any]
    words: tuple[str, str]

    def to_dict(self) -> dict[str, Any]:
        """The difference as plain data."""
        return {"option": self.option, "values": list(self.values), "words": list(self.words)}


def all_options() -> list[str]:
    """Every option by its dotted name, in the order of the rule book."""
    told = [option for options in SECTIONS.values() for option in options if not option.startswith(":")]
    rest = [f"{group}.{key}" for group, model in GROUPS.items() for key in model.model_fields]
    return list(dict.fromkeys([*told, *rest]))


def differences(one: RuleSet, other: RuleSet, lang: str = "en") -> list[Difference]:
    """The options in which two rule sets differ."""
    found = []
    for option in all_options():
        if value_at(one, option) != value_at(other, option):
            values = (plain_value(one, option), plain_value(other, option))
            words = (in_words(one, option, lang), in_words(other, option, lang))
            found.append(Difference(option, values, words))
    return found


def in_words(rules: RuleSet, option: str, lang: str) -> str:
    """All that an option says; of ways, what guards them too."""
    guards = guards_told(rules, lang) if option == "board.paths" else []
    return " ".join([*sentences_of(rules, option, lang), *guards])


def plain_value(rules: RuleSet, option: str) -> Any:
    """An option's value as plain data."""
    data: Any = rules.model_dump(mode="json")
    for part in option.split("."):
        data = data[part]
    return data
