"""What is found about one rule: it holds, is broken, or can't be decided from a document."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ludus.core.messages import Message
from ludus.games.ludo.document.rules import RuleSet

PACKAGE = "ludus.games.ludo.rulebook"

HOLDS, BROKEN, UNDECIDABLE = "holds", "broken", "not decidable here"


def say(section: str, key: str, lang: str, **values: Any) -> str:
    """A phrase of the rule book's catalogue."""
    return Message(PACKAGE, key, values, section).text(lang)


def value_at(rules: RuleSet, place: str) -> Any:
    """The value of an option named `group.key`, or of a whole group."""
    value: Any = rules
    for part in place.split("."):
        value = getattr(value, part)
    return value


def as_written(value: Any) -> str:
    """An option's value as a document has it, shortened to fit a line."""
    plain = value.model_dump(mode="json") if hasattr(value, "model_dump") else value
    text = json.dumps(plain, ensure_ascii=False, default=lambda v: v.model_dump(mode="json"))
    return text if len(text) <= 60 else text[:57] + "…"


@dataclass(frozen=True)
class Finding:
    """A rule, what became of it, and why: the option at fault, words by key, and evidence as plain data."""

    rule: str
    status: str
    option: str | None = None
    reason: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    proof: dict[str, Any] | None = None

    def rule_in_words(self, lang: str) -> str:
        """What the rule asks."""
        return say("rule", self.rule, lang)

    def why(self, lang: str) -> str:
        """Why it holds or is broken."""
        return say(self.status if self.status != UNDECIDABLE else "undecidable", self.reason, lang, **self.values)

    def to_dict(self, lang: str) -> dict[str, Any]:
        """The finding as plain data."""
        found: dict[str, Any] = {"rule": self.rule, "says": self.rule_in_words(lang), "status": self.status}
        if self.option:
            found["field"] = self.option
        if self.reason:
            found["reason"] = self.why(lang)
        return found | ({"proof": self.proof} if self.proof else {})


@dataclass(frozen=True)
class Clause:
    """One way for a document to break a rule: the option at fault and when; its words are `reason`."""

    option: str
    breaks: Callable[[RuleSet], bool]
    reason: str


def judged(rule: str, clauses: tuple[Clause, ...], rules: RuleSet) -> Finding:
    """The first clause that the document breaks; else the rule holds."""
    for clause in clauses:
        if clause.breaks(rules):
            return Finding(rule, BROKEN, clause.option, clause.reason, words_for(clause.option, rules))
    return Finding(rule, HOLDS)


def words_for(option: str, rules: RuleSet) -> dict[str, Any]:
    """What a reason may name: the value of the option at fault, and the length of the path."""
    return {"value": as_written(value_at(rules, option)), "length": rules.path_length}


def in_every_bank(rule: str, clauses: tuple[Clause, ...], rules: RuleSet) -> Finding:
    """A rule is broken too where it is only after a change during the game (L2)."""
    for bits, bank in enumerate(rules.banks):
        found = judged(rule, clauses, bank)
        if found.status != HOLDS:
            return found if bits == 0 else after_change(found, rules, bits)
    return Finding(rule, HOLDS)


def after_change(found: Finding, rules: RuleSet, bits: int) -> Finding:
    """The finding, told of the change that brings it about."""
    number = next(n for n in range(len(rules.changes)) if bits >> n & 1)
    reason = Message(PACKAGE, found.reason, found.values, BROKEN)
    values = {"change": rules.changes[number].name or str(number + 1), "reason": reason, "option": found.option}
    return Finding(found.rule, BROKEN, f"changes.{number}", "after_change", values)
