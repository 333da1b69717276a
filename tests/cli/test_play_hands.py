"""`ludus play` with hands of cards: the person's own are shown, and of the others' only how many there are."""

from __future__ import annotations

import re

import pytest

import ludus
from cli.conftest import Runner
from ludus.cli.lines import say

DOG = ("play", "dog", "--seed", "3")
CARDS = [card.name for card in ludus.make("dog").rules.chance.cards]


def dealt(seed: int) -> dict[str, list[str]]:
    """What the first deal gives everybody."""
    position = ludus.make("dog").start(seed=seed)
    while position.to_move == "chance":
        position = position.roll()
    hands: dict[str, list[str]] = position.to_dict()["hands"]
    return hands


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_deal_is_told_in_one_line_and_asks_nothing(ludus_run: Runner, lang: str) -> None:
    out = ludus_run(*DOG, "--lang", lang).out
    assert out.count(say("dealt", lang)) == 1
    assert "card:" not in out


def test_only_the_own_hand_is_shown(ludus_run: Runner) -> None:
    out, own = ludus_run(*DOG).out, dealt(3)["green"]
    shown = re.search(r"^hands: (.*)$", out, re.MULTILINE)
    assert shown is not None
    assert shown[1] == f"green {' '.join(own)}, yellow 6, blue 6, red 6"
    assert {card for card in CARDS if re.search(rf"\b{card}\b", out)} == set(own)


def test_what_others_give_is_not_told(ludus_run: Runner) -> None:
    own = dealt(3)["green"][0]
    out = ludus_run(*DOG, answers=[f"give:{own}", ""]).out
    assert re.search(rf"^green +give:{own} ", out, re.MULTILINE)
    for other in ("yellow", "blue", "red"):
        assert re.search(rf"^{other} +give:\? +gives a card$", out, re.MULTILINE)


def test_two_at_one_screen_each_see_their_own(ludus_run: Runner) -> None:
    hands = dealt(3)
    out = ludus_run(*DOG, "--you", "green,blue", answers=[f"give:{hands['green'][0]}", ""]).out
    first, second = re.findall(r"^hands: (.*(?:\n +.*)*)$", out, re.MULTILINE)
    assert first == f"green {' '.join(hands['green'])}, yellow 6, blue 6, red 6"
    assert re.sub(r"\s+", " ", second) == f"green 5, yellow 5, blue {' '.join(hands['blue'])}, red 6"


def test_a_position_shows_every_card_where_nobody_says_who_reads_it(ludus_run: Runner) -> None:
    position = ludus.make("dog").start(seed=3)
    while position.to_move == "chance":
        position = position.roll()
    assert all(" ".join(hand) in re.sub(r"\s+", " ", position.text()) for hand in dealt(3).values())
