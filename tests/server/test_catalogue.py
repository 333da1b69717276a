"""The list of games: what it says, and what it costs whoever opens the page first."""

from __future__ import annotations

import pytest

import ludus
from ludus.core.registry import summary, summary_of
from ludus.games.ludo import game as ludo
from ludus.server import catalogue


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", ["classic", "yut", "uckers", "ur", "generals"])
def test_a_game_in_short_is_the_same_before_it_is_laid_out(name: str, lang: str) -> None:
    assert summary(name, lang) == summary_of(ludus.make(name), lang)


def test_the_list_lays_out_no_ludo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first page of a server that has just begun waits for documents, not for boards."""

    def laid_out(*_: object) -> None:
        raise AssertionError("a board is laid out for a list")

    catalogue._listed.cache_clear()
    monkeypatch.setattr(ludo, "compile_board", laid_out)
    assert [game["name"] for game in catalogue.listed("en")] == ludus.games()


def test_a_card_says_what_a_game_is_like_and_not_where_its_rules_are_from() -> None:
    """One sentence in each language; the source stands beside the options and in the rule book."""
    for english, french in zip(catalogue.listed("en"), catalogue.listed("fr"), strict=True):
        assert english["about"] != french["about"]
        for game in (english, french):
            assert game["about"] != game["source"]
            assert 30 < len(game["about"]) < 115, game["name"]
