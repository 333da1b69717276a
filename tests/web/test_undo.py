"""Taking moves back: through the turns of bots where one plays alone against them, up to one's own last roll."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from .playing import MY_TURN, PHONE, bots, people

TO_CHOOSE = {
    "pieces": {"green": ["start", 20, 30, "start"], "yellow": [40, 41, 42, 43], "blue": [2, 3, 4, 5]},
    "turn": "green", "dice": [5],
}  # fmt: skip
BOTS = people("green") | bots("yellow", "blue")


def events(server, made):
    """What the record says happened."""
    lines = server.fetch(f"/api/tables/{made['table']}/record").splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "h"} for line in lines[1:]]


@pytest.mark.parametrize(
    ("lang", "screen", "told"), [("en", {}, "You take a move back"), ("fr", PHONE, "Vous reprenez un coup")]
)
def test_a_move_is_taken_back_through_the_turns_of_bots_and_rolls_fall_again(server, sit, lang, screen, told):
    made = server.table("strict", players=["green", "yellow", "blue"], seats=BOTS, position=TO_CHOOSE, seed=7)
    somebody = sit(made, lang=lang, **screen)
    somebody.move("green-1")
    somebody.wait(MY_TURN)
    first = events(server, made)
    assert len(first) > 4, "the bots have played"
    before = somebody.version()
    somebody.act("undo")
    somebody.after(before)
    somebody.wait(f"{MY_TURN}[data-ply='0']")
    assert (somebody.place_of("green-1"), somebody.place_of("yellow-0")) == ("20", "40")
    expect(somebody.page.locator("[data-part=log] [data-kind=undo]")).to_have_text([told])
    somebody.move("green-1")
    somebody.wait(MY_TURN)
    rolls = [[one["roll"] for one in told_ if "roll" in one] for told_ in (first, events(server, made))]
    assert rolls[0][:2] == rolls[1][:2], "rolls stay as they fell"


def test_not_beyond_ones_own_roll(server, sit):
    made = server.table("strict", players=["green", "yellow", "blue"], seats=BOTS, position=TO_CHOOSE, seed=7)
    somebody = sit(made)
    somebody.move("green-1")
    somebody.roll()
    somebody.wait(MY_TURN)
    expect(somebody.page.locator("[data-act=undo]")).to_be_disabled()


def test_with_people_as_before(server, sit):
    seats = people("green", "yellow") | bots("blue")
    made = server.table("strict", players=["green", "yellow", "blue"], seats=seats, position=TO_CHOOSE, seed=7)
    somebody = sit(made)
    somebody.move("green-1")
    expect(somebody.page.locator("[data-act=undo]")).to_be_enabled()
    somebody.roll()
    expect(somebody.page.locator("[data-act=undo]")).to_be_disabled()
