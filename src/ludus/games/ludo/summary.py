"""What can be said of a rule set before it is laid out as a game: its document is enough."""

from __future__ import annotations

from functools import cache

from ludus.core.messages import look_up
from ludus.core.registry import Summary
from ludus.games.ludo.arms import seats
from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.document.rules import COLOURS, RuleSet

PACKAGE = "ludus.games.ludo"


@cache
def shipped(name: str) -> RuleSet:
    """A shipped rule set."""
    return documents.load(name, {})


def summary(name: str, lang: str) -> Summary:
    """A shipped rule set in short."""
    rules = shipped(name)
    return {
        "name": rules.name, "title": title_of(rules, lang), "source": source_of(rules, lang), "family": "ludo",
        "players": [COLOURS[arm] for arm in seats(rules, None)], "numbers": list(counts_of(rules)),
    }  # fmt: skip


def title_of(rules: RuleSet, lang: str) -> str:
    """A rule set's name for people; the shipped ones have it in every language."""
    return look_up(PACKAGE, f"title.{rules.name}", lang) or rules.title or rules.name


def source_of(rules: RuleSet, lang: str) -> str:
    """Where the rules come from."""
    return look_up(PACKAGE, f"source.{rules.name}", lang) or rules.source


def counts_of(rules: RuleSet) -> tuple[int, ...]:
    """How many could play: from two to the arms of the board; teams are pairs (Z22)."""
    if rules.players.controls:
        return (rules.board.seats,)
    counts = range(2, rules.board.seats + 1)
    return tuple(n for n in counts if rules.modes.mode != "teams" or (n >= 4 and n % 2 == 0))
