"""For everyone: the Tab key, fingers, small screens on their side, axe, and a whole game by keyboard and speech."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from .playing import MY_TURN, PHONE, bots, people
from .test_end import raced

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
LANDSCAPE = {"viewport": {"width": 844, "height": 390}, "is_mobile": True, "has_touch": True}
TO_CHOOSE = {
    "pieces": {"green": ["start", 20, 30, "start"], "blue": [40, "start", "start", "start"]},
    "turn": "green",
    "dice": [5],
}

# where the Tab key goes, one after the other, until it comes round
STOPS = """() => [...document.querySelectorAll("*")].filter((one) => one.tabIndex >= 0 && !one.disabled
  && (one instanceof SVGElement || one.matches("a[href], button, input, select, textarea, summary, [tabindex]")))
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: false })).map((one) => {
    const box = one.getBoundingClientRect();
    return { tag: one.localName, width: box.width, height: box.height,
      name: one.getAttribute("aria-label") || one.innerText || one.labels?.[0]?.textContent || one.title || "" };
  })"""


# what a finger presses: of a box to tick all of its label; links among words are as high as these
TOO_SMALL = """() => [...document.querySelectorAll("button, a[href]:not(p a), summary, select, input, textarea")]
  .filter((one) => one.checkVisibility() && !one.closest("[aria-hidden=true]"))
  .map((one) => (one.matches("[type=checkbox], [type=radio], [type=file]") && one.closest("label")) || one)
  .filter((one) => { const { width, height } = one.getBoundingClientRect(); return Math.min(width, height) < 43.5; })
  .map((one) => one.outerHTML.slice(0, 120))"""


def test_a_tab_goes_only_to_what_can_be_done(server, sit):
    """Three things on each card, and a few around them: pictures of boards are no stops."""
    somebody = sit()
    page = somebody.page
    somebody.wait("[data-game=generals]")
    somebody.page.locator("[data-game=generals]").scroll_into_view_if_needed()
    somebody.wait("[data-game=generals] [data-piece]")
    cards = page.locator("li[data-game] .acts > *").count()
    page.locator("body").focus()
    names = []
    for _ in range(cards + 20):
        page.keyboard.press("Tab")
        tag, name = page.evaluate(
            """() => {
              const at = document.activeElement;
              return [at.localName, at.ariaLabel || at.innerText || at.labels?.[0]?.textContent || ""];
            }"""
        )
        if tag == "body":
            break
        assert tag in ("a", "button", "summary", "input"), tag
        assert name.strip()
        names.append(name)
    assert cards <= len(names) <= cards + 6


def test_at_the_table_a_tab_goes_to_movable_pieces_and_buttons(server, sit):
    somebody = sit(server.table("strict", players=2, seats=people("green") | bots("blue"), position=TO_CHOOSE))
    somebody.my_turn()
    stops = somebody.page.evaluate(STOPS)
    assert all(stop["name"].strip() for stop in stops), stops
    assert len([stop for stop in stops if stop["tag"] == "g"]) <= 4, "green's own pieces, nobody else's"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_large_choices_under_the_board_on_a_phone(server, sit, lang):
    somebody = sit(
        server.table("strict", players=2, seats=people("green") | bots("blue"), position=TO_CHOOSE), lang=lang, **PHONE
    )
    somebody.my_turn()
    choices = somebody.page.locator("[data-part=choices] button")
    expect(choices).to_have_count(2)
    for choice in choices.all():
        box = choice.bounding_box()
        assert min(box["height"], box["width"]) >= 44
    expect(somebody.page.locator(".badge.choice")).to_have_count(2)  # the pieces bear the numbers of the list
    before = somebody.version()
    choices.first.tap()
    somebody.after(before)


def test_every_button_on_a_phone_is_large_enough_for_a_finger(server, sit):
    made = server.table("strict", players=2, seats=people("green") | bots("blue"), position=TO_CHOOSE)
    somebody = sit(made, **PHONE)
    paths = ("/?game=classic", "/?make=classic", "/?rules=star", "/editor?game=classic", "/me", "/", f"/t/{made['table']}")
    for path in (*paths, f"/r/{made['table']}", "/j/AAAA-AAAA"):
        somebody.open(path)
        somebody.wait("[data-piece], [data-field=code], main[data-page=me]")
        open_everything(somebody)
        assert somebody.page.evaluate(TOO_SMALL) == [], path


def test_a_tap_beside_a_piece_takes_the_nearest_that_can_move(server, sit):
    somebody = sit(server.table("strict", players=2, seats=people("green") | bots("blue"), position=TO_CHOOSE), **PHONE)
    somebody.my_turn()
    box = somebody.piece("green-1").bounding_box()
    before = somebody.version()
    somebody.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 6)
    somebody.after(before)
    assert somebody.place_of("green-1") == "25"


def test_a_tap_far_beside_takes_the_nearest_and_one_far_away_nothing(server, sit):
    """Half a tile above one of two pieces, where nothing is drawn; then in the empty middle of a yard."""
    somebody = sit(server.table("strict", players=2, seats=people("green") | bots("blue"), position=TO_CHOOSE), **PHONE)
    somebody.my_turn()
    page = somebody.page
    other, box = somebody.piece("green-2").bounding_box(), somebody.piece("green-1").bounding_box()
    board = page.locator(".board svg").bounding_box()
    before = somebody.version()
    corners = [(x, y) for x in (0.02, 0.98) for y in (0.02, 0.98)]
    far = max(
        ((board["x"] + board["width"] * x, board["y"] + board["height"] * y) for x, y in corners),
        key=lambda at: min(abs(at[0] - one["x"]) + abs(at[1] - one["y"]) for one in (box, other)),
    )
    page.touchscreen.tap(*far)
    expect(page.locator(f"main[data-version='{before}']")).to_have_count(1)
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 24)
    somebody.after(before)
    assert somebody.place_of("green-1") == "25"


def test_a_phone_on_its_side(server, sit):
    somebody = sit(server.table("classic", seats=people("green") | bots("yellow", "blue", "red"), seed=2), **LANDSCAPE)
    somebody.my_turn()
    page = somebody.page
    board, roll = page.locator(".board svg").bounding_box(), page.locator("[data-act=roll]").bounding_box()
    assert board["height"] > 300
    assert board["y"] + board["height"] <= 390, "the whole board is seen"
    assert roll["y"] + roll["height"] <= 390, "and the roll beside it"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def is_seen(somebody, selector):
    """Whether all of it is on the screen, without scrolling."""
    screen = somebody.page.viewport_size
    box = somebody.page.locator(selector).first.bounding_box()
    return min(box["x"], box["y"]) >= 0 and box["x"] + box["width"] <= screen["width"] and (
        box["y"] + box["height"] <= screen["height"]
    )  # fmt: skip


def test_on_a_phone_on_its_side_the_choices_and_the_replay_are_not_squeezed(server, sit):
    made = server.table("strict", players=2, seats=people("green") | bots("blue"), position=TO_CHOOSE)
    somebody = sit(made, **LANDSCAPE)
    somebody.my_turn()
    somebody.wait("[data-part=choices] button")
    assert is_seen(somebody, "[data-part=choices]")
    squeezed = "one => one.scrollHeight > one.clientHeight + 1"
    assert not somebody.page.locator(".area-act").evaluate(squeezed)
    somebody.open(f"/r/{made['table']}")
    somebody.wait("[data-piece]")
    assert not somebody.page.locator(".area-act").evaluate(squeezed)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_podium_fits_a_phone_on_its_side(server, sit, lang):
    position = {"pieces": {"green": ["finish"] * 3 + ["end:2"], "blue": ["start"] * 4}, "turn": "green", "dice": [3]}
    somebody = sit(
        server.table("strict", players=2, seats=people("green", "blue"), position=position), lang=lang, **LANDSCAPE
    )
    somebody.move("green-3")
    somebody.wait("[data-part=podium]")
    for part in ("[data-part=podium]", "[data-act=rematch]", "[data-part=podium] table"):
        assert is_seen(somebody, part), part


@pytest.mark.parametrize("player", ["green", "blue"])
def test_an_answer_stays_on_the_board_of_a_phone(server, sit, player):
    """At its left edge and at its right one."""
    other = {"green": "blue", "blue": "green"}[player]
    yard = ["start"] * 3
    position = {"pieces": {player: [*yard, 20], other: [*yard, 40]}, "turn": player, "dice": [5]}
    somebody = sit(server.table("strict", players=2, seats=people(player) | bots(other), position=position), **PHONE)
    somebody.my_turn()
    page = somebody.page
    board = page.locator(".area-board .board").bounding_box()
    for piece in (f"{player}-0", f"{player}-2"):
        page.locator(f"[data-piece={piece}]").tap()
        expect(page.locator(".bubble")).to_contain_text("6")
        box = page.locator(".bubble").bounding_box()
        assert board["x"] <= box["x"]
        assert box["x"] + box["width"] <= board["x"] + board["width"] + 1


def test_a_long_board_stands_upright_on_an_upright_screen_only(server, sit):
    made = server.table("senet", seats=people("green") | bots("yellow"))
    for screen, turns in (({}, "0"), (PHONE, "3"), (LANDSCAPE, "0")):
        somebody = sit(made, **screen)
        somebody.my_turn()
        expect(somebody.page.locator(".area-board .board")).to_have_attribute("data-turns", turns)


@pytest.mark.parametrize(
    ("theme", "lang", "screen"),
    [("light", "en", {}), ("light", "fr", PHONE), ("dark", "en", LANDSCAPE), ("dark", "fr", {})],
)
def test_no_page_has_an_axe_violation(server, sit, theme, lang, screen):
    position = {"pieces": {"green": ["finish"] * 3 + ["end:2"], "blue": ["start"] * 4}, "turn": "green", "dice": [3]}
    over = server.table("strict", players=2, seats=people("green", "blue"), position=position)
    made = server.table("strict", players=2, seats=people("green") | bots("blue"), position=TO_CHOOSE)
    somebody = sit(over, lang=lang, settings={"theme": theme}, **screen)
    somebody.move("green-3")
    somebody.wait("[data-part=podium]")
    check_axe(somebody, "podium")
    paths = (
        "/",
        "/?game=classic",
        "/?own",
        "/?make=classic",
        "/?rules=star",
        f"/t/{made['table']}",
        f"/r/{over['table']}",
    )
    for path in paths:
        somebody.open(path)
        somebody.wait(".board [data-piece], [data-field=document]")
        open_everything(somebody)
        check_axe(somebody, path)
    somebody.open("/j/AAAA-AAAA")
    somebody.wait("[data-field=code]")
    check_axe(somebody, "/j/")
    friends = server.table("strict", players=2, seats=people("green") | {"blue": {"kind": "open"}}, clock={"move": 600})
    somebody.open(f"/t/{friends['table']}#join={friends['invite']}")
    somebody.wait("[data-act=sit]")
    check_axe(somebody, "sitting down")
    somebody.act("sit")
    somebody.wait("[data-part=phrases]")
    open_everything(somebody)
    check_axe(somebody, "friends")


@pytest.mark.parametrize(
    ("theme", "lang", "screen"), [("light", "fr", {}), ("dark", "en", PHONE), ("dark", "fr", LANDSCAPE)]
)
def test_no_page_of_ones_own_making_has_an_axe_violation(server, sit, theme, lang, screen):
    """Rules of one's own on the shelf and in their editor, a position that was set up and valued, a game analysed."""
    somebody, made = raced(server, sit, lang=lang, settings={"theme": theme}, **screen)
    somebody.act("close-podium")
    somebody.act("analyse")
    somebody.wait("[data-part=turning]")
    check_axe(somebody, "analysed at its end")
    somebody.open(f"/r/{made['table']}")
    somebody.act("analyse")
    somebody.wait("[data-part=chances] polyline")
    check_axe(somebody, "analysed beside its replay")
    somebody.open("/me")
    somebody.wait("main[data-page=me]")
    check_axe(somebody, "games played")
    somebody.open("/?make=classic")
    somebody.wait("[data-question='capture.duty'] input").check()
    somebody.wait("[data-part=changes] li")
    somebody.act("keep-ours")
    somebody.open("/")
    somebody.wait("[data-ours] .board [data-piece]")
    check_axe(somebody, "the shelf with rules of one's own")
    somebody.act("open-ours")
    somebody.wait("[data-part=changes] li")
    open_everything(somebody)
    check_axe(somebody, "rules of one's own")
    somebody.open("/editor?game=star&players=2")
    somebody.wait(".board [data-piece]")
    somebody.act("values")
    somebody.wait("[data-part=worth]")
    check_axe(somebody, "a position with its value")
    for game in ("pachisi", "ur", "dog"):  # cloth, wood, a hand of cards
        somebody.open(f"/t/{server.table(game, seed=4)['table']}")
        somebody.wait(".board [data-piece]")
        check_axe(somebody, game)


def open_everything(somebody):
    """What can be unfolded, and the settings over it."""
    somebody.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    somebody.page.locator("button[aria-controls=settings]").click()
    somebody.wait("#settings")


def check_axe(somebody, where):
    somebody.page.evaluate(AXE.read_text(encoding="utf-8"))  # the page itself lets no foreign script in
    found = somebody.page.evaluate("async () => (await axe.run()).violations")
    told = [(one["id"], [node["html"][:160] for node in one["nodes"][:3]]) for one in found]
    assert told == [], where


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "roll", "piece", "you"), [("en", "roll", "green", "You "), ("fr", "lancez", "vert", "Vous ")]
)
def test_a_whole_game_by_keyboard_and_speech_alone(server, sit, lang, roll, piece, you):
    """Nothing is clicked and no picture is read: what is said decides, keys play."""
    options = {"board.pieces": 1, "turn.attempts": 3}
    made = server.table("classic", players=2, options=options, seats=people("green") | bots("blue"), seed=4)
    somebody = sit(made, settings={"numbers": False}, lang=lang)
    page = somebody.page
    instruction = page.locator("[data-part=instruction]")
    heard = []
    for _ in range(600):
        if not somebody.my_turn():
            break
        before = somebody.version()
        said = instruction.inner_text()
        heard.append(page.locator("[data-part=spoken]").inner_text())
        if roll in said:
            page.keyboard.press("r")
        else:
            page.keyboard.press("ArrowRight")
            assert piece in page.evaluate("document.activeElement.getAttribute('aria-label')")
            page.keyboard.press("Enter")
        somebody.after(before)
    else:
        raise AssertionError("the game does not end")
    assert any(line.startswith(you) for line in heard)
    expect(page.locator("[data-part=came]")).to_be_visible()
    page.keyboard.press("Tab")
    somebody.wait(f"{MY_TURN}, main[data-over=true]")


def test_reduced_motion_stops_everything(server, sit):
    somebody = sit(
        server.table("strict", players=2, seats=people("green", "blue"), position=TO_CHOOSE),
        speed=None,
        reduced_motion="reduce",
    )
    somebody.my_turn()
    assert somebody.page.evaluate("document.getAnimations().length") == 0
