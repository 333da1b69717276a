"""A newcomer, a whole game by clicks, and everything around one."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from .playing import MY_TURN, PATIENCE, bots, people

SIX_TO_COME_OUT = {
    "pieces": {"green": ["start", 20, 30, "start"], "blue": [40, "start", "start", "start"]},
    "turn": "green",
}


def test_a_newcomer_is_in_a_game_within_three_clicks(server, sit):
    somebody = sit()
    somebody.page.locator("[data-game=strict] [data-act=play-now]").click()
    somebody.my_turn()
    somebody.act("roll")
    expect(somebody.page.locator("[data-part=log] [data-kind=roll]").first).to_be_visible()


@pytest.mark.slow
def test_a_whole_game_by_clicks_then_its_replay_and_record(server, sit, tmp_path):
    made = server.table("maedn", players=2, seats=people("green") | bots("blue"), seed=18)
    somebody = sit(made)
    for _ in range(2_000):
        if not somebody.my_turn():
            break
        somebody.any_move()
    else:
        raise AssertionError("the game does not end")
    end = somebody.page.locator("[data-part=end]")
    expect(end).to_be_visible()
    record = [json.loads(line) for line in server.fetch(f"/api/tables/{made['table']}/record").splitlines()]
    winner = max(record[-1]["result"], key=lambda player: record[-1]["result"][player])
    expect(somebody.page.locator(f".seats [data-player={winner}].won")).to_be_visible()

    with somebody.page.expect_download() as download:
        somebody.act("download-end")
    saved = tmp_path / "game.jsonl"
    download.value.save_as(saved)
    assert [json.loads(line) for line in saved.read_text().splitlines()] == record

    somebody.act("replay")
    check_replay(somebody, len(record) - 2)
    somebody.open("/")
    somebody.page.locator("[data-act=upload]").set_input_files(saved)
    check_replay(somebody, len(record) - 2)


def check_replay(somebody, events):
    """Slider, buttons and keys; a link leads to the moment it was taken from."""
    page = somebody.page
    main = page.locator("main[data-at]")
    expect(main).to_have_attribute("data-loaded", str(events + 1))
    slider = page.locator("input[type=range]")
    slider.fill(str(events))
    expect(main).to_have_attribute("data-at", str(events))
    page.keyboard.press("ArrowLeft")
    expect(main).to_have_attribute("data-at", str(events - 1))
    page.keyboard.press("Home")
    expect(main).to_have_attribute("data-at", "0")
    assert page.locator("[data-place$='/start']").count() == page.locator("[data-piece]").count()
    somebody.act("forward")
    somebody.act("forward")
    expect(main).to_have_attribute("data-at", "2")
    words = page.locator("[data-part=words]").inner_text()
    page.goto(f"{page.url.partition('?')[0]}?ply=2")
    expect(page.locator("main[data-at]")).to_have_attribute("data-at", "2")
    expect(page.locator("[data-part=words]")).to_have_text(words)
    page.keyboard.press("End")
    expect(page.locator("main[data-at]")).to_have_attribute("data-at", str(events))


def test_a_broken_record_is_refused_in_words(server, sit, tmp_path):
    somebody = sit()
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"format": "something else"}\n')
    somebody.page.locator("[data-act=upload]").set_input_files(broken)
    expect(somebody.page.locator(".notice.bad")).to_be_visible()


@pytest.mark.slow
def test_choosing_players_and_options_beside_the_rule_book(server, sit):
    somebody = sit(path="/?game=strict")
    page = somebody.page
    expect(page.locator(".rules [data-rule]").first).to_be_visible()
    page.locator("label.number", has_text="2").click()
    expect(page.locator("select[data-seat]")).to_have_count(2)
    page.locator("select[data-seat=blue]").select_option("bot:random")
    page.locator("select[data-choice=pace]").select_option("0")
    page.locator("summary").click()
    page.locator("[data-option='board.pieces'] input").fill("2")
    page.locator("[data-option='board.pieces'] input").press("Tab")
    expect(page.locator(".picture [data-piece]")).to_have_count(4)
    somebody.act("start")
    somebody.my_turn()
    expect(page.locator("[data-piece]")).to_have_count(4)
    expect(page.locator(".seats [data-player]")).to_have_count(2)


def test_what_a_move_does_on_hover_and_focus_and_why_not_on_a_click(server, sit):
    position = SIX_TO_COME_OUT | {"dice": [5]}
    somebody = sit(server.table("strict", players=2, seats=people("green") | bots("blue"), position=position))
    page = somebody.page
    somebody.my_turn()
    told = page.locator("[data-part=effect]")
    somebody.piece("green-1").hover()
    expect(told).to_contain_text("25")
    somebody.piece("green-2").focus()
    expect(told).to_contain_text("35")
    assert "can" not in (somebody.piece("green-0").get_attribute("class") or "").split()
    somebody.piece("green-0").click()
    expect(page.locator(".bubble")).to_contain_text("6")
    assert somebody.place_of("green-0") == "green/start"


def test_hint_undo_and_the_move_played_again(server, sit):
    position = SIX_TO_COME_OUT | {"dice": [5]}
    seats = people("green", "blue")
    somebody = sit(server.table("strict", players=2, seats=seats, position=position))
    somebody.my_turn()
    somebody.act("hint")
    expect(somebody.page.locator("[data-part=hint]")).to_be_visible()
    somebody.move("green-1")
    assert somebody.place_of("green-1") == "25"
    before = somebody.version()
    somebody.act("undo")
    somebody.after(before)
    assert somebody.place_of("green-1") == "20"
    somebody.move("green-2")
    assert somebody.place_of("green-2") == "35"


@pytest.mark.slow
def test_moves_are_taken_back_up_to_the_last_roll_and_no_further(server, sit):
    pieces = {"green": ["start", 12, 30, "finish"], "blue": ["start"] * 4}
    position = {"pieces": pieces, "turn": "green", "dice": [5, 2]}
    somebody = sit(server.table("french", players=2, seats=people("green", "blue"), position=position))
    somebody.move("green-1", "17")
    somebody.move("green-2")
    assert (somebody.place_of("green-1"), somebody.place_of("green-2")) == ("17", "32")
    for place in ("17", "12"):
        somebody.my_turn()
        before = somebody.version()
        somebody.act("undo")
        somebody.after(before)
        assert (somebody.place_of("green-1"), somebody.place_of("green-2")) == (place, "30")
    expect(somebody.page.locator("[data-die]")).to_have_count(2)
    expect(somebody.page.locator("[data-act=undo]")).to_be_disabled()
    somebody.move("green-1", "14")
    somebody.move("green-2")
    somebody.roll()
    expect(somebody.page.locator("[data-act=undo]")).to_be_disabled()


@pytest.mark.slow
def test_resign_and_rematch(server, sit):
    made = server.table("strict", players=2, seats=people("green") | bots("blue"))
    somebody = sit(made)
    somebody.my_turn()
    somebody.page.locator("summary", has_text="More").click()
    somebody.act("resign")
    expect(somebody.page.locator("[data-act=no]")).to_be_focused()
    somebody.act("yes")
    expect(somebody.page.locator("[data-part=end]")).to_be_visible()
    somebody.act("rematch")
    somebody.page.wait_for_url(lambda url: "/t/" in url and made["table"] not in url, timeout=PATIENCE)
    somebody.my_turn()
    assert somebody.place_of("green-0") == "green/start"
    somebody.roll()


def test_the_keyboard_is_enough(server, sit):
    position = SIX_TO_COME_OUT | {"dice": [5]}
    somebody = sit(server.table("strict", players=2, seats=people("green", "blue"), position=position))
    page = somebody.page
    somebody.my_turn()
    before = somebody.version()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-piece]:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    somebody.after(before)
    assert {somebody.place_of("green-1"), somebody.place_of("green-2")} & {"25", "35"}
    before = somebody.version()
    somebody.wait(MY_TURN)
    page.keyboard.press("r")
    somebody.after(before)


@pytest.mark.slow
def test_every_button_has_a_name(server, sit):
    position = SIX_TO_COME_OUT | {"dice": [5]}
    somebody = sit(server.table("strict", players=2, seats=people("green", "blue"), position=position))
    somebody.my_turn()
    for button in somebody.page.get_by_role("button").all():
        name = (button.get_attribute("aria-label") or button.inner_text()).strip()
        assert name, button.evaluate("element => element.outerHTML")


@pytest.mark.slow
def test_names_are_shown_as_they_are(server, sit):
    name = "<img src=x onerror=alert(1)> & “Ada”"
    somebody = sit(server.table("strict", players=2, seats={"green": {"kind": "person", "name": name}} | bots("blue")))
    somebody.my_turn()
    expect(somebody.page.locator(".seats [data-player=green] .name")).to_have_text(name)
    assert somebody.page.locator("img[src=x]").count() == 0


@pytest.mark.slow
def test_french_words_and_the_language_changed_in_mid_game(server, sit):
    somebody = sit(server.table("strict", players=2, seats=people("green") | bots("blue")), lang="fr")
    page = somebody.page
    somebody.my_turn()
    expect(page.locator("[data-part=instruction]")).to_have_text(re.compile("À vous"))
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    somebody.roll()
    expect(page.locator("[data-part=log]")).to_contain_text("Vous lancez")
    page.locator("button[aria-controls=settings]").click()
    page.locator("[data-setting=lang]").select_option("en")
    expect(page.locator("[data-part=log]")).to_contain_text("You roll")


def test_phone_size_by_taps(server, sit):
    made = server.table("strict", players=4, seats=people("green") | bots("yellow", "blue", "red"), seed=4)
    phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    somebody = sit(made, **phone)
    page = somebody.page
    somebody.my_turn()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    board = page.locator(".board svg").bounding_box()
    roll = page.locator("[data-act=roll]").bounding_box()
    assert board["width"] > 360
    assert roll["y"] + roll["height"] <= 844, "the roll is below the fold"
    for _ in range(40):
        if not somebody.my_turn():
            break
        before = somebody.version()
        if page.locator(".piece.can").count():
            page.locator(".piece.can").first.tap()
            somebody.after(before)
            break
        page.locator("[data-act=roll]").tap()
        somebody.after(before)
    assert page.locator("[data-part=log] [data-kind=move]").count() > 0
