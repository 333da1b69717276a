"""How it looks: pawns, stacks, numbers, boards of three kinds, light and dark, and what is thrown besides dice."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import ludus

from .playing import PHONE, bots, people

YARD = ["start"] * 4
STACK = {"pieces": {"green": [20, 20, 20, "start"], "blue": [24, *YARD[1:]]}, "turn": "green", "dice": [4]}
FOUR = ("green", "yellow", "blue", "red")
BEGUN = {"deck": [20, 30, "start", "start"], "pachisi": [20, 30, "start", "start"], "ur": ["start"] * 7}


def table(server, game="strict", position=STACK):
    return server.table(game, players=2, seats=people("green", "blue"), position=position)


def style(locator, name):
    """A computed style."""
    return locator.evaluate("(element, name) => getComputedStyle(element)[name]", name)


def test_pawns_have_a_shadow_and_no_letter(server, sit):
    somebody = sit(table(server))
    somebody.my_turn()
    piece = somebody.piece("blue-0")
    expect(piece.locator(".pawn")).to_have_count(1)
    expect(piece.locator(".shadow")).to_have_count(1)
    expect(piece.locator("text")).to_have_count(0)


def test_a_stack_is_told_by_a_badge_and_one_of_it_moves(server, sit):
    somebody = sit(table(server))
    somebody.my_turn()
    expect(somebody.page.locator(".badge text")).to_have_text(["3"])
    somebody.move("green-2")
    expect(somebody.page.locator(".badge text")).to_have_text(["2"])


@pytest.mark.parametrize(("lang", "letters"), [("en", {"G", "B"}), ("fr", {"V", "B"})])
def test_letters_follow_the_language_and_shapes_need_none(server, sit, lang, letters):
    somebody = sit(table(server), lang=lang, settings={"marks": "letters"})
    somebody.my_turn()
    assert set(somebody.page.locator(".letter").all_text_contents()) == letters
    somebody.page.locator("button[aria-controls=settings]").click()
    somebody.page.locator("[data-setting=marks]").select_option("shapes")
    expect(somebody.page.locator(".letter")).to_have_count(0)
    expect(somebody.page.locator(".piece .shape")).to_have_count(8)


def test_under_high_contrast_pieces_bear_letters(server, sit):
    somebody = sit(table(server), contrast="more")
    somebody.my_turn()
    expect(somebody.page.locator(".piece .letter")).to_have_count(8)


def test_numbers_are_off_at_first_and_lie_under_the_pieces(server, sit):
    somebody = sit(table(server), settings={"numbers": None})
    somebody.my_turn()
    expect(somebody.page.locator(".labels")).to_have_count(0)
    somebody.page.locator("button[aria-controls=settings]").click()
    somebody.page.locator("[data-setting=numbers]").check()
    expect(somebody.page.locator(".labels")).to_have_count(1)
    above = "element => Boolean(element.compareDocumentPosition(document.querySelector('.piece')) & 4)"
    assert somebody.page.locator(".labels").evaluate(above), "pieces come after the numbers"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_three_boards_by_day_and_by_night(server, sit, theme):
    somebody = sit(table(server), settings={"theme": theme})
    somebody.my_turn()
    page = somebody.page
    page.locator("button[aria-controls=settings]").click()
    seen = set()
    for board in ("clean", "wood", "cloth"):
        page.locator("[data-setting=board]").select_option(board)
        expect(page.locator(".board")).to_have_attribute("data-board", board)
        ground = page.locator(".board svg")
        seen.add(
            (
                style(ground, "backgroundColor"),
                style(ground, "backgroundImage"),
                style(page.locator(".tile.plain").first, "fill"),
            )
        )
    assert len(seen) == 3
    page.reload()
    somebody.my_turn()
    expect(page.locator(".board")).to_have_attribute("data-board", "cloth")


def test_the_display_font_comes_with_the_page(server, sit):
    somebody = sit()
    somebody.wait("h1")
    assert "Fredoka" in style(somebody.page.locator("h1").first, "fontFamily")
    loaded = "async () => (await document.fonts.load('600 20px Fredoka')).map((font) => font.status)"
    assert somebody.page.evaluate(loaded) == ["loaded"]


def test_neighbouring_tiles_share_one_fine_line(server, sit):
    somebody = sit(table(server))
    somebody.my_turn()
    boxes = [somebody.page.locator(f".path [data-place='{n}'] .tile").bounding_box() for n in (20, 21)]
    gap = min(abs(boxes[0][axis] - boxes[1][axis]) for axis in ("x", "y"))
    sides = max(abs(boxes[0][axis] - boxes[1][axis]) for axis in ("x", "y"))
    assert gap < 1
    assert abs(sides - boxes[0]["width"]) < 3


@pytest.mark.parametrize(
    ("game", "shown", "en", "fr"),
    [
        ("yut", ".sticks", ("do", "gae", "geol", "yut", "mo"), ("do", "gae", "geol", "yut", "mo")),
        ("pachisi", ".cowries", ("cowries",), ("cauris",)),
        ("deck", ".card", ("draw",), ("tire",)),
    ],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_sticks_shells_and_cards_are_drawn_and_called_by_name(server, sit, game, shown, en, fr, lang):
    somebody = sit(server.table(game, seed=4), lang=lang)
    somebody.roll()
    expect(somebody.page.locator(f".cast {shown}").first).to_be_visible()
    told = somebody.page.locator("[data-part=log] [data-kind=roll]").last.inner_text()
    assert any(word in told for word in (en if lang == "en" else fr)), told


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_the_die_hides_nothing(server, sit, size):
    """A yard, its dice and the track lie apart."""
    somebody = sit(
        server.table("classic", seats=people("green") | bots("yellow", "blue", "red"), seed=2), **(size or {})
    )
    somebody.roll()
    somebody.my_turn()
    covered = """() => {
      const box = (element) => element.getBoundingClientRect();
      const die = box(document.querySelector(".cast .thrown"));
      const meets = (one) =>
        one.left < die.right - 2 && die.left < one.right - 2 && one.top < die.bottom - 2 && die.top < one.bottom - 2;
      const places = document.querySelectorAll("g.yard > rect:first-child, .path .tile");
      return [...places].filter((one) => meets(box(one))).length;
    }"""
    assert somebody.page.evaluate(covered) == 0


def test_names_stay_whole_beside_what_everybody_did_on_a_phone(server, sit):
    position = {"pieces": {player: ["start"] * 4 for player in ("green", "yellow", "blue", "red")}, "turn": "green",
                "captured": ["green", "yellow", "blue", "red"]}  # fmt: skip
    made = server.table("pettingzoo", seats=people("green", "yellow", "blue", "red"), position=position)
    somebody = sit(made, lang="fr", **PHONE)
    somebody.wait(".seats .mark")
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"
    assert somebody.page.locator(".seats .name").evaluate_all(cut) == []


@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("game", "dice", "shown"), [("deck", 3, ".card[data-rank=three]"), ("pachisi", 3, ".cowries"), ("ur", 3, ".sticks")]
)
def test_a_game_that_begins_in_the_middle_shows_what_was_thrown_too(server, sit, game, dice, shown, size):
    """Beside the yard and beside the board: a card is no die there either."""
    begun = ludus.make(game).start(seed=1)
    pieces = begun.to_dict()["pieces"] | {"green": BEGUN[game]}
    seats = people("green") | bots(*set(pieces) - {"green"})
    made = server.table(game, seats=seats, position={"pieces": pieces, "turn": "green", "dice": [dice]})
    somebody = sit(made, **(size or {}))
    somebody.my_turn()
    expect(somebody.page.locator(f".cast[data-player=green] {shown}")).to_be_visible()
    expect(somebody.page.locator(f".throw .tray {shown}")).to_be_visible()


@pytest.mark.parametrize("player", ["green", "blue"])
def test_two_on_a_tile_stand_beside_each_other_from_every_side(server, sit, player):
    """Behind each other the one in front would hide the other."""
    pieces = {one: [8 if one in ("green", "blue") else "start", *["start"] * 3] for one in FOUR}
    position = {"pieces": pieces, "turn": player, "dice": [2]}
    made = server.table("classic", seats=people(player) | bots(*set(FOUR) - {player}), position=position)
    somebody = sit(made)
    somebody.my_turn()
    for _ in range(4):
        one, other = (somebody.piece(name).locator(".body").bounding_box() for name in ("green-0", "blue-0"))
        assert abs(one["x"] - other["x"]) > 0.6 * one["width"]
        assert abs(one["y"] - other["y"]) < 0.1 * one["height"]
        somebody.page.keyboard.press("t")


@pytest.mark.parametrize(("game", "board"), [("pachisi", "cloth"), ("ur", "wood"), ("classic", "clean")])
def test_boards_are_made_of_what_they_have_always_been_made_of(server, sit, game, board):
    somebody = sit(path=f"/?game={game}")
    expect(somebody.page.locator(".picture .board").first).to_have_attribute("data-board", board)
    somebody.page.locator("button[aria-controls=settings]").click()
    expect(somebody.page.locator("[data-setting=board]")).to_have_value("own")
    somebody.page.locator("[data-setting=board]").select_option("clean")
    expect(somebody.page.locator(".picture .board").first).to_have_attribute("data-board", "clean")


@pytest.mark.parametrize(("lang", "told"), [("en", "You throw the sticks:"), ("fr", "Vous lancez les bâtons")])
def test_sticks_have_the_names_of_yut_in_yut_alone(server, sit, lang, told):
    somebody = sit(server.table("ur", seed=4), lang=lang)
    somebody.roll()
    expect(somebody.page.locator("[data-part=log]")).to_contain_text(told)


def test_slides_are_on_the_board(server, sit):
    somebody = sit(server.table("slides", seed=4))
    somebody.roll()
    expect(somebody.page.locator(".board .slides circle")).to_have_count(8)
    expect(somebody.page.locator("[data-part=log]")).to_contain_text("You draw a")
