"""Rule sets for people: a rule book in sentences, what options mean, how two differ, one to start from."""

from __future__ import annotations

from typing import Any

from ludus.games.ludo.rulebook.findings import say
from ludus.games.ludo.rulebook.option_rows import OptionRow, option_table
from ludus.games.ludo.rulebook.prose import Section, rule_book

__all__ = ["OptionRow", "Section", "option_table", "rulebook"]


def rulebook(game: Any, lang: str = "en") -> list[Section]:
    """The rule book of a Ludo game: sections of sentences, generated from its document."""
    told = game.rules_in_python(lang)
    own = [Section("python", say("section", "python", lang), tuple(told))] if told else []
    return [*rule_book(game.rules, lang), *own]
