"""The main rule sets around their special moves and near their end, by clicks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .playing import bots, people

HOME = ["finish"] * 3
YARD = ["start"] * 4


def ludo(server, game, green, blue, dice, **more):
    """A table for two, from a position in which green has rolled."""
    position = {"pieces": {"green": green, "blue": blue}, "turn": "green", "dice": dice, **more}
    return server.table(game, players=2, seats=people("green", "blue"), position=position)


def generals(server, **position):
    """A table for two at one browser, from a position."""
    return server.table("generals", seats=people("attacker", "defender"), position=position)


@pytest.mark.parametrize(
    ("game", "green", "dice", "more"),
    [
        ("strict", [*HOME, "end:2"], 3, {}),
        ("pettingzoo", [*HOME, "end:3"], 2, {"captured": ["green"]}),
        ("star", [*HOME, "end:3"], 2, {}),
        ("maedn", ["end:3", "end:2", "end:1", 38], 2, {}),
    ],
)
def test_the_last_piece_home_wins(server, sit, game, green, dice, more):
    somebody = sit(ludo(server, game, green, YARD, [dice], **more))
    somebody.move("green-3")
    expect(somebody.page.locator("[data-part=end]")).to_be_visible()
    expect(somebody.page.locator(".seats [data-player=green].won")).to_be_visible()


def test_pettingzoo_marks_who_has_captured(server, sit):
    somebody = sit(ludo(server, "pettingzoo", ["start", "start", "start", 20], [25, *YARD[1:]], [5]))
    expect(somebody.page.locator(".seats [data-player=green] .mark")).to_have_count(0)
    somebody.move("green-3")
    assert somebody.place_of("blue-0") == "blue/start"
    expect(somebody.page.locator(".seats [data-player=green] .mark")).to_be_visible()
    expect(somebody.page.locator(".overlay .captured-mark[data-colour=green]")).to_have_count(1)


@pytest.mark.parametrize("first", ["green", "blue"])
def test_a_piece_that_shares_its_tile_can_be_clicked(server, sit, first):
    """Safe tiles hold pieces of several colours; each takes the clicks on itself, whichever is drawn last."""
    pieces = {"green": ["start", "start", "start", 8], "blue": [8, "start", "start", "start"]}
    position = {"pieces": pieces, "turn": first, "dice": [4]}
    somebody = sit(server.table("pettingzoo", players=2, seats=people("green", "blue"), position=position))
    somebody.move({"green": "green-3", "blue": "blue-0"}[first])
    assert {somebody.place_of("green-3"), somebody.place_of("blue-0")} == {"8", "12"}


def test_star_jumps_from_star_to_star(server, sit):
    somebody = sit(ludo(server, "star", [*HOME[:2], "start", 6], [11, *YARD[1:]], [5]))
    somebody.piece("green-3").hover()
    expect(somebody.page.locator("[data-part=effect]")).to_contain_text("17")
    somebody.move("green-3")
    assert (somebody.place_of("green-3"), somebody.place_of("blue-0")) == ("17", "blue/start")


def test_french_dice_are_chosen_by_click_and_captives_are_held(server, sit):
    made = ludo(server, "french", ["start", 12, "held:blue", "start"], [14, *YARD[1:]], [6, 2])
    somebody = sit(made)
    page = somebody.page
    assert somebody.place_of("green-2") == "green/held:blue"
    die = page.locator("button[data-die='die:2']")
    die.click()
    expect(die).to_have_attribute("aria-pressed", "true")
    # only the piece on 12 has a use for the 2 alone, and only one: no target has to be chosen
    expect(page.locator(".piece.can")).to_have_count(1)
    somebody.move("green-1")
    assert (somebody.place_of("green-1"), somebody.place_of("blue-0")) == ("14", "blue/held:green")
    expect(somebody.piece("green-1")).to_have_attribute(
        "aria-label", "green, on 14, may not move again this turn: can't move, press to hear why"
    )
    somebody.piece("green-1").click()
    expect(page.locator(".bubble")).to_be_visible()
    somebody.move("green-2")  # bought back with the 6
    assert somebody.place_of("green-2") == "green/start"


def test_french_ways_to_one_target_are_chosen_from_a_list(server, sit):
    somebody = sit(ludo(server, "french", ["start", 12, "start", "start"], [14, *YARD[1:]], [6, 2]))
    somebody.move("green-1", "14", "12+6+2")
    assert somebody.place_of("blue-0") == "blue/held:green"
    expect(somebody.page.locator("[data-part=log] [data-kind=move]").first).to_contain_text("14")


def test_french_two_dice_as_one_move_sweep(server, sit):
    """F22: both dice are clicked; the piece stops at the first enemy on its way, and what is left is lost."""
    somebody = sit(ludo(server, "french", ["start", 12, 40, "finish"], [16, *YARD[1:]], [5, 3]))
    somebody.my_turn()
    for die in ("die:5", "die:3"):
        somebody.page.locator(f"button[data-die='{die}']").click()
    somebody.piece("green-1").hover()
    expect(somebody.page.locator("[data-part=effect]")).to_contain_text("16")
    somebody.move("green-1")
    assert (somebody.place_of("green-1"), somebody.place_of("blue-0")) == ("16", "blue/held:green")


def test_strict_a_roll_too_large_is_explained(server, sit):
    somebody = sit(ludo(server, "strict", ["end:3", 20, *HOME[:2]], YARD, [5]))
    somebody.my_turn()
    expect(somebody.page.locator(".piece.can")).to_have_count(1)
    somebody.piece("green-0").click()
    expect(somebody.page.locator(".bubble")).to_contain_text("past the finish")
    somebody.move("green-1")
    assert somebody.place_of("green-1") == "25"


def test_maedn_the_entry_tile_is_cleared_first_and_a_six_rolls_again(server, sit):
    somebody = sit(ludo(server, "maedn", ["start", 0, 10, "start"], [16, *YARD[1:]], [6]))
    somebody.my_turn()
    somebody.piece("green-2").click()
    expect(somebody.page.locator(".bubble")).to_contain_text("entry tile")
    somebody.move("green-1")
    assert somebody.place_of("green-1") == "6"
    expect(somebody.page.locator(".seats [data-player=green].turn")).to_be_visible()
    somebody.roll()


def test_star_a_globe_protects_and_sends_home(server, sit):
    somebody = sit(ludo(server, "star", ["start", 3, 40, "start"], [8, *YARD[1:]], [5]))
    somebody.my_turn()
    somebody.piece("green-1").hover()
    expect(somebody.page.locator("[data-part=effect]")).to_contain_text("sent home")
    somebody.move("green-1")
    assert (somebody.place_of("green-1"), somebody.place_of("blue-0")) == ("green/start", "8")


def test_french_special_move_brings_two_out_at_once(server, sit):
    somebody = sit(ludo(server, "french", ["start", "start", *HOME[:2]], [0, 0, "start", "start"], [6, 6]))
    somebody.move("green-0")
    assert {somebody.place_of("green-0"), somebody.place_of("green-1")} == {"0"}
    assert {somebody.place_of("blue-0"), somebody.place_of("blue-1")} == {"blue/held:green"}


def test_french_last_piece_home_wins(server, sit):
    somebody = sit(ludo(server, "french", [*HOME, "end:2"], YARD, [3, 1]))
    somebody.move("green-3", "green/finish")
    expect(somebody.page.locator("[data-part=end]")).to_be_visible()


def test_generals_third_hit_wins(server, sit):
    made = generals(server, attacker=["e9", "a10"], defender=["a1"], turn="attacker", dice=3, hits=2)
    somebody = sit(made)
    expect(somebody.page.locator(".overlay .general")).to_have_attribute("data-hits", "2")
    somebody.page.locator("[data-place=e9]").click()
    somebody.target("e6").hover()
    expect(somebody.page.locator("[data-part=effect]")).to_contain_text("General")
    somebody.target("e6").click()
    expect(somebody.page.locator("[data-part=end]")).to_be_visible()
    expect(somebody.page.locator(".overlay .general")).to_have_attribute("data-hits", "3")


def test_generals_interception_is_drawn_by_lot(server, sit):
    made = generals(server, attacker=["e9", "a10"], defender=["a1", "d7"], turn="attacker", dice=3, hits=0)
    somebody = sit(made)
    somebody.page.locator("[data-place=e9]").click()
    somebody.target("e6").click()
    expect(somebody.page.locator("[data-place=e9]")).to_have_count(0)
    expect(somebody.page.locator("[data-place=d7]")).to_have_count(0)
    expect(somebody.page.locator(".overlay .general")).to_have_attribute("data-hits", "0")


def test_generals_strike_and_its_mark(server, sit):
    made = generals(server, attacker=["d7", "a10"], defender=["a1"], turn="defender", dice=1, hits=0)
    somebody = sit(made)
    somebody.my_turn()
    somebody.target("d7").click()
    expect(somebody.page.locator("[data-piece][data-place=d7]")).to_have_count(0)
    expect(somebody.page.locator(".seats [data-player=defender] .mark")).to_have_text("strike used")


def test_generals_garrisoning_goes_far(server, sit):
    made = generals(server, attacker=["a10", "b9", "d8"], defender=["a1"], turn="attacker", dice=6, hits=0)
    somebody = sit(made)
    somebody.my_turn()
    somebody.page.locator("[data-piece][data-place=a10]").click()
    somebody.target("f9").click()
    expect(somebody.page.locator("[data-piece][data-place=f9]")).to_have_count(1)
    expect(somebody.page.locator(".seats [data-player=attacker] .mark")).to_have_text("garrisoning used")


def test_generals_conversion_is_chosen_on_the_board(server, sit):
    made = generals(server, attacker=["a10", "b10", "e9"], defender=["a5", "a1"], turn="defender", dice=3, hits=0)
    somebody = sit(made)
    somebody.my_turn()
    before = somebody.version()
    somebody.page.locator("[data-piece][data-place=a5]").click()
    somebody.target("a8").click()
    somebody.after(before)
    somebody.my_turn()
    somebody.target("b10").click()
    expect(somebody.page.locator(".seats [data-player=defender]")).to_contain_text("units: 3")


def test_generals_toss_and_choice_of_sides(server, sit):
    somebody = sit(server.table("generals", options={"toss": True}, seats=people("white") | bots("black"), seed=1))
    page = somebody.page
    for _ in range(50):
        if page.locator(".seats [data-player=white] .score", has_text="units").count():
            break
        somebody.my_turn()
        somebody.any_move()
    expect(page.locator(".seats [data-player=white]")).to_contain_text("units")
    somebody.my_turn()


def test_six_seats_are_drawn_and_played(server, sit):
    """A board that no shipped rule set has, from options alone."""
    six = ["green", "yellow", "blue", "red", "purple", "orange"]
    made = server.table("strict", players=6, options={"board.seats": 6}, seats=people("green") | bots(*six[1:]), seed=3)
    somebody = sit(made)
    somebody.my_turn()
    expect(somebody.page.locator("[data-piece]")).to_have_count(24)
    somebody.roll()
