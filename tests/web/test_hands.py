"""Hands of cards in the browser: one's own face up, the others' counted; cards are given, picked and played."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .playing import MY_TURN, bots, people

# part of `make test`, not of `make test-fast`
pytestmark = pytest.mark.slow

OTHERS = ("yellow", "blue", "red")


def dog(server, seed):
    return server.table("dog", seats=people("green") | bots(*OTHERS), seed=seed)


def held(player):
    """The cards of one's own hand, as they lie there."""
    return player.page.locator("[data-part=hand] [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")


def test_a_deal_needs_no_click_and_shows_only_the_own_cards(server, sit):
    somebody = sit(dog(server, 3))
    assert somebody.my_turn()
    assert len(held(somebody)) == 6
    for other in OTHERS:
        expect(somebody.page.locator(f".seats [data-player={other}] [data-cards]")).to_have_attribute("data-cards", "6")
    expect(somebody.page.locator("[data-part=log] li[data-kind=roll]")).to_have_count(1)
    expect(somebody.page.locator("[data-act=roll]")).to_have_count(0)


def test_a_card_is_picked_and_given_to_the_partner(server, sit):
    somebody = sit(dog(server, 3))
    somebody.my_turn()
    before, card = somebody.version(), held(somebody)[0]
    somebody.page.locator(f"[data-card={card}]").first.click()
    expect(somebody.page.locator(".throw [data-move]")).to_have_count(1)
    somebody.page.locator(f".throw [data-move='give:{card}']").click()
    somebody.after(before)
    somebody.my_turn()
    expect(somebody.page.locator("[data-part=log]")).to_contain_text(re.compile(r"give"))


def test_a_picked_card_leaves_only_its_moves(server, sit):
    """An ace and a king bring out and go on, a five only goes on: the card that is picked says which pieces may."""
    position = {
        "pieces": {"green": [10, "start", "start", "start"], **{one: ["start"] * 4 for one in OTHERS}},
        "hands": {"green": ["ace", "king", "five"], **{one: ["two"] * 3 for one in ("yellow", "blue")}},
        "turn": "green", "deal": 3, "leads": "green",
    }  # fmt: skip
    made = server.table("dog", seats=people("green") | bots(*OTHERS), seed=2, position=position)
    somebody = sit(made)
    somebody.my_turn()
    expect(somebody.page.locator(".piece.can")).to_have_count(4)
    somebody.page.locator("[data-card=five]").click()
    expect(somebody.page.locator(".piece.can")).to_have_count(1)
    before = somebody.version()
    somebody.piece("green-0").click()
    somebody.after(before)
    expect(somebody.piece("green-0")).to_have_attribute("data-place", "15")
    expect(somebody.page.locator("[data-card=five]")).to_have_count(0)


def test_a_seven_is_shared_out_and_what_is_left_is_told(server, sit):
    position = {
        "pieces": {"green": [10, 20, "start", "start"], **{one: ["start"] * 4 for one in OTHERS}},
        "hands": {"green": ["seven", "five"], **{one: ["two"] * 2 for one in ("yellow", "blue")}},
        "turn": "green", "deal": 4, "leads": "green",
    }  # fmt: skip
    somebody = sit(server.table("dog", seats=people("green") | bots(*OTHERS), seed=2, position=position))
    somebody.my_turn()
    somebody.page.locator("[data-card=seven]").click()
    somebody.move("green-0", "13")
    somebody.my_turn()
    expect(somebody.page.locator("[data-part=instruction]")).to_contain_text("4 left")
    somebody.move("green-1", "24")
    expect(somebody.piece("green-1")).to_have_attribute("data-place", "24")
    expect(somebody.piece("green-0")).to_have_attribute("data-place", "13")


def test_dog_is_played_for_some_turns(server, sit):
    somebody = sit(dog(server, 5))
    for _ in range(8):
        # a hand that can't be played passes by itself: wait for a choice
        somebody.wait(f"{MY_TURN} [data-card]:enabled, {MY_TURN} .piece.can")
        somebody.any_move()
    moves = somebody.page.locator("[data-part=log] li[data-kind=move]")
    expect(moves.nth(7)).to_be_attached()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_phone_has_room_for_the_hand(server, sit, lang):
    somebody = sit(dog(server, 3), lang=lang, viewport={"width": 390, "height": 844}, has_touch=True)
    somebody.my_turn()
    boxes = [card.bounding_box() for card in somebody.page.locator("[data-part=hand] [data-card]").all()]
    assert all(0 <= box["x"] and box["x"] + box["width"] <= 390 for box in boxes)
    assert all(box["width"] >= 44 for box in boxes)
