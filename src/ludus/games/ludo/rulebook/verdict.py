"""`ludus rules check`: a rule set judged rule by rule: Strict Ludo, Loose Ludo, or not Ludo."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.core.errors import RulesError
from ludus.core.messages import Message
from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.document.contradictions import bad_bank
from ludus.games.ludo.document.problems import refused, shown
from ludus.games.ludo.document.rules import GROUPS, RuleSet
from ludus.games.ludo.game import LudoFamily, LudoGame
from ludus.games.ludo.rulebook.findings import BROKEN, Finding, say
from ludus.games.ludo.rulebook.loose import loose_findings
from ludus.games.ludo.rulebook.strict import strict_findings

STRICT, LOOSE, NOT_LUDO = "strict", "loose", "none"

# what the loader refuses because it is no Ludo; other refusals that name a rule are mistakes in the document
VERDICTS = ("L6", "L10", "L15", "L22", "L25", "L26", "L27", "L32", "L33")

# how the loader refuses what is not Ludo: "mine: field: why (L15)"
_RULE = re.compile(r"\((L\d+)\)$")
_FIELD = re.compile(rf"\b((?:{'|'.join(GROUPS)})\.[a-z_]+|changes\.\d)")


@dataclass(frozen=True)
class Report:
    """What was found about a rule set."""

    rules: RuleSet
    findings: tuple[Finding, ...]
    may_not_end: Message | None = None

    def warnings(self, lang: str) -> list[str]:
        """What is no fault, but worth knowing before play."""
        return [say("warning", "may_not_end", lang, why=self.may_not_end)] if self.may_not_end else []

    @property
    def verdict(self) -> str:
        """STRICT, LOOSE or NOT_LUDO."""
        if self.broken("L"):
            return NOT_LUDO
        return LOOSE if self.broken("S") else STRICT

    def broken(self, book: str) -> list[Finding]:
        """The broken rules of a book: S or L."""
        return [f for f in self.findings if f.rule.startswith(book) and f.status == BROKEN]

    def of(self, rule: str) -> Finding:
        """What was found about one rule."""
        return next(found for found in self.findings if found.rule == rule)

    @property
    def keeps_its_name(self) -> bool:
        """A name promises its rules: who is called strict is Strict Ludo."""
        return self.rules.name != "strict" or self.verdict == STRICT

    @property
    def passed(self) -> bool:
        """Whether it is Ludo, and what its name promises."""
        return self.verdict != NOT_LUDO and self.keeps_its_name

    def verdict_in_words(self, lang: str) -> str:
        """The verdict for people."""
        return say("verdict", self.verdict, lang)

    def to_dict(self, lang: str = "en") -> dict[str, Any]:
        """The report as plain data."""
        return {
            "name": self.rules.name,
            "verdict": say("verdict", self.verdict, "en"),
            "keeps_its_name": self.keeps_its_name,
            "warnings": self.warnings(lang),
            "broken": {book: [f.rule for f in self.broken(book)] for book in ("S", "L")},
            "rules": [found.to_dict(lang) for found in self.findings],
        }


def check(
    source: str | Path | Mapping[str, Any],
    players: Any = None,
    options: Mapping[str, Any] | None = None,
    plugins: Any = None,
) -> Report:
    """Judge a rule set: a shipped name, a file's path or a mapping, with options overridden and plug-ins allowed."""
    rules = read(source, options or {})
    game: LudoGame | None = None
    refused: Finding | None = None
    allowed = {"plugins": plugins} if plugins else {}
    try:
        game = LudoFamily.make(source, players, {**(options or {}), **allowed})
    except RulesError as error:
        refused = refusal(error)
    else:
        rules = game.rules  # with the names of its plug-ins
    found = (*strict_findings(rules), *loose_findings(rules, game, refused))
    return Report(rules, found, game.may_not_end if game else None)


def read(source: str | Path | Mapping[str, Any], options: Mapping[str, Any]) -> RuleSet:
    """The rule set as the document states it, whether or not it is a game."""
    if isinstance(source, Mapping):
        document, beside, where = dict(source), None, shown(str(source.get("name", "rule set")))
        documents.check_depth(document, where)
    else:
        where = shown(str(source))
        document, beside = documents.find(str(source))
    whole = documents.override(documents.inherited(document, beside, where), options)
    rules = documents.read_through(whole, where)
    words = bad_bank(rules)
    if words:
        raise refused(where, [words])
    return rules


def refusal(error: RulesError) -> Finding:
    """The finding behind a refusal that names a rule of Loose Ludo; any other error is bad input."""
    text = str(error)
    rule, field = _RULE.search(text), _FIELD.search(text)
    if rule is None or rule[1] not in VERDICTS:
        raise error
    option = field[1] if field else None
    words = text[field.end() if field else 0 : rule.start()].strip(" :=")
    return Finding(rule[1], BROKEN, option, "refused", {"words": words})
