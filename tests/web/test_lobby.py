"""Before a game: tables to join and to go on with, rules of one's own, options, the rule book of a table."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .playing import bots, people

# part of `make test`, not of `make test-fast`
pytestmark = pytest.mark.slow

OPEN_TABLE = {"green": {"kind": "person", "name": "Ada"}, "blue": {"kind": "open"}}
SUNDAY = 'name = "sunday"\ntitle = "Sunday Ludo"\nextends = "star"\n[capture]\nduty = true\n'
TO_CHOOSE = {
    "pieces": {"green": ["start", 20, 30, "start"], "blue": [40, "start", "start", "start"]},
    "turn": "green",
    "dice": [5],
}


def test_a_public_table_is_found_and_joined_without_a_link(server, sit):
    made = server.table("strict", players=2, seats=OPEN_TABLE, public=True, position=TO_CHOOSE)
    private = server.table("star", players=2, seats=OPEN_TABLE)
    ada = sit(made)
    ada.my_turn()
    sit(private).wait("main[data-link=open]")
    bob = sit()
    bob.page.locator(f"[data-part=open-tables] [data-table='{made['table']}']").click()
    assert private["table"] not in bob.page.content()
    bob.page.locator("[data-field=guest]").fill("Bob")
    bob.act("sit")
    expect(ada.page.locator(".seats [data-player=blue] .name")).to_have_text("Bob")
    ada.move("green-1")
    bob.roll()
    expect(ada.page.locator("[data-part=log] [data-kind=roll]").first).to_be_visible()


def test_the_maker_chooses_that_a_table_is_public(server, sit):
    ada = sit(path="/?game=strict")
    ada.page.locator("label.number", has_text="2").click()
    ada.page.locator("select[data-seat=blue]").select_option("open")
    ada.page.locator("[data-choice=public]").check()
    ada.act("start")
    ada.wait("main[data-link=open]")
    table = ada.page.url.rpartition("/")[2]
    bob = sit()
    expect(bob.page.locator(f"[data-part=open-tables] [data-table='{table}']")).to_be_visible()


def test_nothing_starts_before_the_seats_of_the_new_number_are_known(server, sit):
    ada = sit(path="/?game=strict")
    start = ada.page.locator("[data-act=start]")
    expect(start).to_be_enabled()
    held = []
    ada.page.route(
        "**/preview?*", lambda route: held.append(route)
    )  # Playwright puts a mark on the function: a method takes none
    with ada.page.expect_request("**/preview?*"):
        ada.page.locator("label.number", has_text="2").click()
    expect(start).to_be_disabled()
    for route in held:
        route.continue_()
    start.click()
    ada.wait("main[data-link=open]")
    expect(ada.page.locator(".seats [data-player]")).to_have_count(2)


def test_tables_to_go_on_with_say_whose_turn_it_is(server, sit):
    made = server.table("strict", players=2, seats=people("green") | bots("blue"), position=TO_CHOOSE)
    somebody = sit(made)
    somebody.my_turn()
    somebody.open("/")
    own = somebody.page.locator("[data-part=own-tables] li")
    expect(own).to_have_count(1)
    expect(own).to_contain_text("your turn")
    own.locator("a").click()
    somebody.my_turn()
    somebody.open("/")
    somebody.act("forget")
    expect(own).to_have_count(0)


def test_a_seat_that_nobody_takes_is_played_by_a_bot(server, sit):
    made = server.table("strict", players=2, seats=OPEN_TABLE, position=TO_CHOOSE)
    ada = sit(made)
    ada.move("green-1")
    expect(ada.page.locator("[data-part=instruction]")).to_contain_text("Waiting for somebody")
    ada.act("free-bot")
    ada.my_turn()
    expect(ada.page.locator(".seats [data-player=blue] .state")).to_contain_text("free seat")
    bob = sit(path=f"/t/{made['table']}#join={made['invite']}")
    bob.act("sit")
    expect(ada.page.locator(".seats [data-player=blue] .state")).not_to_contain_text("free seat")


def test_rules_of_ones_own_are_written_mended_and_played(server, sit, tmp_path):
    somebody = sit()
    page = somebody.page
    page.locator("[data-act=own]").click()
    field = page.locator("[data-field=document]")
    field.fill(SUNDAY.replace("duty", "duti"))
    expect(page.locator("[data-part=problem]")).to_contain_text("did you mean 'duty'")
    expect(page.locator("[data-act=start]")).to_be_disabled()
    file = tmp_path / "sunday.toml"
    file.write_text(SUNDAY)
    page.locator("[data-act=open-document]").set_input_files(file)
    expect(field).to_have_value(SUNDAY)
    expect(page.locator("[data-part=problem]")).to_have_count(0)
    expect(page.locator("h1")).to_have_text("Sunday Ludo")
    expect(page.locator(".rules")).to_contain_text("Who can capture must capture.")
    somebody.act("start")
    somebody.my_turn()
    expect(page.locator("header h1")).to_have_text("Sunday Ludo")
    somebody.roll()


@pytest.mark.parametrize(("lang", "title"), [("en", "Sunday Ludo"), ("fr", "Ludo du dimanche")])
def test_the_first_rules_of_ones_own_are_an_example_in_ones_language(server, sit, lang, title):
    page = sit(path="/?own", lang=lang).page
    expect(page.locator("h1")).to_have_text(title)
    expect(page.locator("[data-part=problem]")).to_have_count(0)
    expect(page.locator("[data-act=start]")).to_be_enabled()


def test_an_option_is_changed_and_the_rule_book_of_the_table_says_so(server, sit):
    somebody = sit(path="/?game=french")
    page = somebody.page
    page.locator("summary").click()
    freezes = page.locator("[data-option='capture.freezes'] input")
    expect(freezes).to_be_checked()
    freezes.uncheck()
    expect(page.locator(".badge")).to_contain_text("1")
    expect(freezes).not_to_be_checked()
    somebody.act("start")
    somebody.my_turn()
    page.locator("summary", has_text="More").click()
    with somebody.context.expect_page() as opened:
        somebody.act("rules")
    book, plain = opened.value, sit(path="/?rules=french").page
    for one in (book, plain):
        expect(one.locator("h1")).to_contain_text("French two-dice Ludo")
    assert book.locator(".book").inner_text() != plain.locator(".book").inner_text()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_game_says_what_it_is(server, sit, lang):
    somebody = sit(lang=lang)
    cards = somebody.page.locator("li[data-game]")
    somebody.wait("[data-game=generals]")
    somebody.page.locator("[data-game=generals]").scroll_into_view_if_needed()
    somebody.wait("[data-game=generals] [data-piece]")
    somebody.act("all-games")
    for card in cards.all():
        assert len(card.locator(".text p").first.inner_text()) > 30
