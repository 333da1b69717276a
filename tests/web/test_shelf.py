"""Every shipped game in the browser, odd boards, and boards seen from another side."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import ludus

from .playing import bots, people

# part of `make test`, not of `make test-fast`
pytestmark = pytest.mark.slow

YARD = ["start"] * 4


def middle(locator):
    """The middle of something on the screen."""
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def is_lower(player, piece):
    """Whether a piece stands in the lower half of the board."""
    return middle(player.piece(piece))[1] > middle(player.page.locator(".board svg"))[1]


@pytest.mark.parametrize("game", ludus.games())
def test_every_game_is_drawn_and_played(server, sit, game):
    """As many pieces as the rules have, all on the board, and a turn by clicks."""
    position = ludus.make(game).start()
    somebody = sit(server.table(game, seed=3, auto_roll=False))
    somebody.my_turn()
    board = somebody.page.locator(".board svg").bounding_box()
    pieces = somebody.page.locator("[data-piece]").all()
    assert len(pieces) == len(position.scene("en")["pieces"])
    for piece in pieces:
        x, y = middle(piece)
        assert board["x"] < x < board["x"] + board["width"]
        assert board["y"] < y < board["y"] + board["height"]
    for _ in range(3):
        somebody.my_turn()
        somebody.any_move()
    expect(somebody.page.locator("[data-part=log] li[data-kind]").nth(2)).to_be_visible()


def test_own_side_is_at_the_bottom_and_the_board_can_be_turned(server, sit):
    made = server.table("strict", players=2, seats=people("green") | bots("blue"), seed=2)
    somebody = sit(made)
    somebody.my_turn()
    board = somebody.page.locator(".board")
    assert is_lower(somebody, "green-0")
    assert not is_lower(somebody, "blue-0")
    watcher = sit(path=f"/t/{made['table']}")
    watcher.wait("main[data-link=open]")
    assert not is_lower(watcher, "green-0")

    somebody.act("turn")
    somebody.act("turn")
    expect(board).to_have_attribute("data-turns", "1")
    assert not is_lower(somebody, "green-0")
    somebody.page.keyboard.press("t")
    expect(board).to_have_attribute("data-turns", "2")
    somebody.page.locator("button[aria-controls=settings]").click()
    somebody.page.locator("[data-setting=own-side]").uncheck()
    expect(board).to_have_attribute("data-turns", "3")


@pytest.mark.parametrize(("mine", "theirs"), [("green", "yellow"), ("yellow", "green")])
def test_two_who_sit_face_to_face_each_have_their_yard_below(server, sit, mine, theirs):
    somebody = sit(server.table("ur", seats=people(mine) | bots(theirs), seed=2))
    somebody.wait(f"[data-piece^={mine}]")
    own, other = (somebody.page.locator(f"[data-piece^={one}]").last.bounding_box()["y"] for one in (mine, theirs))
    assert own > other


def test_the_attacker_sits_at_the_bottom_and_the_general_stays_upright(server, sit):
    somebody = sit(server.table("generals", seats=people("attacker") | bots("defender"), seed=2))
    somebody.my_turn()
    assert is_lower(somebody, "attacker@a10")
    crown, hits = (
        somebody.page.locator(".general path, .general polygon").first,
        somebody.page.locator(".general circle"),
    )
    assert middle(crown)[1] < middle(hits.first)[1], "the crown is above the hits"
    assert middle(hits.nth(0))[0] < middle(hits.nth(1))[0]


def test_clicks_and_answers_find_pieces_on_a_turned_board(server, sit):
    position = {"pieces": {"green": ["start", 20, 30, "start"], "blue": [40, *YARD[1:]]}, "turn": "green", "dice": [5]}
    somebody = sit(server.table("strict", players=2, seats=people("green", "blue"), position=position))
    somebody.my_turn()
    expect(somebody.page.locator(".board")).to_have_attribute("data-turns", "3")
    somebody.piece("green-0").click()
    bubble = somebody.page.locator(".bubble")
    expect(bubble).to_contain_text("6")
    x, y = middle(somebody.piece("green-0"))
    told = bubble.bounding_box()
    assert told["x"] < x < told["x"] + told["width"]
    assert told["y"] + told["height"] < y, "above the piece"
    somebody.move("green-1")
    assert somebody.place_of("green-1") == "25"


def test_tides_drown_the_sandbanks(server, sit):
    """Rules that change during play change the board, and are told."""
    pieces = {colour: ["start", "start", "start", 2] for colour in ("green", "yellow", "blue", "red")}
    before = {"pieces": pieces, "turn": "green", "turns": 3, "dice": [5]}
    after = before | {"turns": 70, "changed": {colour: ["flood"] for colour in pieces}}
    seats = people("green") | bots("yellow", "blue", "red")
    safe = ".board g.safe"
    dry = sit(server.table("tides", seats=seats, position=before))
    dry.my_turn()
    wet = sit(server.table("tides", seats=seats, position=after))
    wet.my_turn()
    assert dry.page.locator(safe).count() > wet.page.locator(safe).count() == 0
    expect(wet.page.locator(".note")).to_contain_text("flood")


def test_yut_branches_are_chosen_on_the_board(server, sit):
    position = {"pieces": {"green": [5, *YARD[1:]], "blue": YARD}, "turn": "green", "dice": [2]}
    somebody = sit(server.table("yut", players=2, seats=people("green", "blue"), position=position))
    somebody.my_turn()
    expect(somebody.page.locator("[data-part=instruction]")).to_contain_text("choose")
    somebody.piece("green-0").click()
    somebody.wait(".target")
    targets = {target.get_attribute("data-target") for target in somebody.page.locator(".target").all()}
    assert targets == {"7", "a2"}
    before = somebody.version()
    somebody.target("a2").click()
    somebody.after(before)
    assert somebody.place_of("green-0") == "a2"


@pytest.mark.parametrize(("game", "words"), [("deck", "draw a card"), ("yut", "sticks"), ("pachisi", "cowries")])
def test_what_is_thrown_is_called_by_its_name(server, sit, game, words):
    somebody = sit(server.table(game, seed=1))
    somebody.my_turn()
    expect(somebody.page.locator("[data-part=instruction]")).to_contain_text(words)


@pytest.mark.parametrize(("lang", "told"), [("en", "Pass"), ("fr", "Passer")])
def test_moves_listed_without_dice_show_none_and_may_be_declined(server, sit, lang, told):
    """Six shells, two pieces that can go and the right not to: a list of ways, no faces of dice, and the word for it."""
    pieces = {"green": [20, 30, *YARD[2:]], "yellow": YARD, "blue": YARD, "red": YARD}
    made = server.table(
        "pachisi",
        position={"pieces": pieces, "turn": "green", "dice": [4]},
        seats=people("green") | bots("yellow", "blue", "red"),
    )
    somebody = sit(made, lang=lang, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    choices = somebody.page.locator("[data-part=choices] button")
    expect(choices).to_have_count(3)
    expect(choices.last.locator(".text")).to_have_text(told)
    expect(somebody.page.locator("[data-part=choices] svg")).to_have_count(0)


@pytest.mark.parametrize(("game", "title"), [("ur", "Le jeu royal d'Ur"), ("marbles", "Billes à raccourcis")])
def test_games_are_called_in_french_in_french(server, sit, game, title):
    somebody = sit(path=f"/?game={game}", lang="fr")
    expect(somebody.page.get_by_role("heading", level=1)).to_have_text(title)


def test_teams_a_player_who_is_home_helps_the_partner(server, sit):
    """Z25: all of green is home, so green moves blue's pieces."""
    pieces = {"green": ["finish"] * 4, "yellow": YARD, "blue": [20, *YARD[1:]], "red": YARD}
    position = {"pieces": pieces, "turn": "green", "dice": [5], "captured": ["green"]}
    seats = people("green") | bots("yellow", "blue", "red")
    made = server.table("pettingzoo", options={"modes.mode": "teams"}, seats=seats, position=position, pace=10_000)
    somebody = sit(made)
    somebody.my_turn()
    expect(somebody.page.locator(".piece.can")).to_have_attribute("data-piece", "blue-0")
    somebody.move("blue-0")
    assert somebody.place_of("blue-0") == "25"


def test_teams_win_together(server, sit):
    pieces = {"green": ["finish"] * 4, "yellow": YARD, "blue": ["finish", "finish", "finish", "end:3"], "red": YARD}
    position = {"pieces": pieces, "turn": "blue", "dice": [2], "captured": ["green", "blue"]}
    seats = people("blue") | bots("yellow", "green", "red")
    somebody = sit(server.table("pettingzoo", options={"modes.mode": "teams"}, seats=seats, position=position))
    somebody.move("blue-3")
    for player in ("green", "blue"):
        expect(somebody.page.locator(f".seats [data-player={player}].won")).to_be_visible()
    expect(somebody.page.locator("[data-part=end]")).to_contain_text(re.compile("green and blue win", re.I))


def test_rules_that_have_changed_are_told_without_the_names_of_options(server, sit):
    made = server.table("pachisi", seed=4)
    somebody = sit(made)
    somebody.roll()
    known = somebody.page.locator("[data-part=known]")
    for _ in range(60):
        if known.count():
            break
        somebody.my_turn()
        somebody.any_move()
    expect(known.first).to_contain_text(": With 6, 10 or 25 a piece comes out")
    expect(known.filter(has_text=" = ")).to_have_count(0)
