"""Whatever a document says, it is judged and told in words, or refused in one line."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import ludus
from ludus.core.messages import LANGUAGES
from ludus.games.ludo.rulebook.prose import rule_book
from ludus.games.ludo.rulebook.verdict import check

from .loose_strategies import likely_documents, wild_documents

SOAK = bool(os.environ.get("LUDUS_SOAK"))
FEW = settings(
    max_examples=1_000 if SOAK else 40,
    deadline=None,
    derandomize=not SOAK,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def judged(document: Any) -> None:
    """A report of ninety rules whose verdict agrees with what making the game gives, or a refusal."""
    try:
        ludus.make(document)
        is_made = True
    except ludus.LudusError:
        is_made = False
    try:
        report = check(document)
    except ludus.LudusError:
        assert not is_made
        return
    assert len(report.findings) == 90
    if not is_made:
        assert report.verdict == "none"
    for lang in LANGUAGES:
        assert all(section.sentences for section in rule_book(report.rules, lang))
        assert len(report.to_dict(lang)["rules"]) == 90


@pytest.mark.slow
@FEW
@given(likely_documents())
def test_likely_documents(document: Any) -> None:
    judged(document)


@pytest.mark.slow
@FEW
@given(wild_documents())
def test_wild_documents(document: Any) -> None:
    judged(document)
