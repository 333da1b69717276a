"""Positions set up in the browser and valued, a tutor, moments tried again, rules measured, one's own statistics."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

import ludus

# part of `make test`, not of `make test-fast`
pytestmark = pytest.mark.slow

ALONE = {"green": {"kind": "person"}, "blue": {"kind": "bot"}}
# the piece on 12 captures the last one of blue's that is not home; the other move lets it go on
SPLIT = {
    "pieces": {"green": [12, 40, "finish", "finish"], "blue": ["finish", "finish", "finish", 17]},
    "turn": "green",
    "dice": [5],
}


@pytest.mark.parametrize(
    ("lang", "viewport"), [("en", {"width": 1280, "height": 800}), ("fr", {"width": 390, "height": 844})]
)
def test_a_position_is_set_up_valued_linked_and_played(server, sit, lang, viewport):
    game = ludus.make("classic", players=2)
    somebody = sit(path="/editor?game=classic&players=2", lang=lang, viewport=viewport)
    page = somebody.page
    main = page.locator("main[data-page=editor]")
    expect(page.locator("[data-part=id]")).to_have_text(game.start().id)
    page.locator("[data-piece=green-0]").click()
    somebody.target("20").click()
    expect(page.locator("[data-piece=green-0]")).to_have_attribute("data-place", "20")
    page.locator("[data-field=turn]").select_option("blue")
    page.locator("[data-face='6']").click()
    expect(page.locator("[data-part=roll]")).to_have_text("6")
    pieces = {"green": [20, "start", "start", "start"], "blue": ["start"] * 4}
    wanted = game.position({"pieces": pieces, "turn": "blue", "dice": [6]})
    expect(page.locator("[data-part=id]")).to_have_text(wanted.id)
    page.locator("[data-act=values]").click()
    expect(page.locator("[data-worth]")).to_have_count(len(wanted.moves()))
    address = page.url
    page.goto(address)
    expect(main).to_have_attribute("data-id", wanted.id)
    page.locator("[data-act=no-dice]").click()
    page.locator("[data-act=values]").click()
    expect(page.locator("[data-roll]")).to_have_count(6)
    page.locator("[data-field=id]").fill("1nonsense")
    page.locator("[data-act=show-id]").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.locator("[data-act=play-on]").click()
    expect(page.locator("main[data-ply]")).to_be_visible()
    expect(page.locator("[data-piece=green-0]")).to_have_attribute("data-place", "20")
    somebody.my_turn()


def test_the_tutor_stops_a_bad_move_and_lets_it_pass_when_told_to(server, sit):
    made = server.table("classic", players=2, seats=ALONE, position=SPLIT)
    somebody = sit(made, settings={"tutor": True})
    page = somebody.page
    somebody.my_turn()
    expect(page.locator("main[data-tutor=ready]")).to_be_visible()
    page.locator("[data-piece=green-1]").click()
    word = page.locator("[data-part=tutor]")
    expect(word).to_be_visible()
    expect(page.locator("[data-act=think-again]")).to_be_focused()
    for move in ("40+5", "12+5"):
        expect(word.locator(f"[data-reasons='{move}'] li").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(word).to_be_hidden()
    expect(page.locator("[data-piece=green-1]")).to_have_attribute("data-place", "40")
    page.locator("[data-piece=green-1]").click()
    page.locator("[data-act=play-anyway]").click()
    expect(page.locator("[data-piece=green-1]")).to_have_attribute("data-place", "45")


def test_the_tutor_shows_what_the_next_roll_would_make_of_it(server, sit):
    made = server.table("classic", players=2, seats=ALONE, position={key: SPLIT[key] for key in ("pieces", "turn")})
    somebody = sit(made, settings={"tutor": True})
    expect(somebody.page.locator("[data-roll]")).to_have_count(6)
    five = somebody.page.locator("[data-roll='5']")
    expect(five).to_have_attribute("aria-label", re.compile(r"^5: \d+(\.\d+)?% \(16\.7% of rolls\)$"))


def test_a_moment_of_a_replay_is_tried_again_by_the_keyboard(server, sit):
    position = {"pieces": {"green": ["finish", "finish", "finish", "end:4"], "blue": [17, 20, "start", "start"]}}
    made = server.table("classic", players=2, seats=ALONE, position={**position, "turn": "green", "dice": [1]})
    somebody = sit(made, settings={"onlyMove": True})
    page = somebody.page
    expect(page.locator("[data-part=end]")).to_be_visible()
    page.goto(f"{page.url.partition('/t/')[0]}/r/{made['table']}?ply=0")
    expect(page.locator("main[data-at='0'][data-count='1']")).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator("main[data-link=open]")).to_be_visible()
    assert made["table"] not in page.url


def test_a_replay_shows_by_arrows_what_was_played_and_what_was_better(server, sit, tmp_path):
    game = ludus.make("classic", players=2)
    record = ludus.Record.start(game, seed=3, position=game.position(SPLIT, seed=3))
    record.play("40+5")
    while record.position.to_move is not None:
        record.roll() if record.position.to_move == "chance" else record.play(record.position.moves()[0])
    record.save(tmp_path / "game.jsonl")
    page = sit(path="/", lang="fr").page
    page.locator("[data-act=upload]").set_input_files(tmp_path / "game.jsonl")
    page.locator("[data-act=analyse]").click()
    expect(page.locator("[data-part=chances]")).to_be_visible()
    expect(page.locator("[data-arrow=best]")).to_have_attribute("data-move", "12+5")
    expect(page.locator("[data-arrow=played], [data-arrow=blunder]")).to_have_attribute("data-move", "40+5")
    expect(page.locator("[data-part=better]")).to_have_text(
        re.compile(r"^\?+ Ce coup perd \d.* ; mieux valait « capture .* »\.$")
    )
    chances = page.locator("[data-part=chances-here] li")
    expect(chances.first).to_have_text(re.compile(r"^Vert \d+\s%$"))
    page.locator("[data-act=position-link]").click()
    expect(page.locator("[data-part=position-id]")).to_have_text(game.position(SPLIT).id)
    page.locator("[data-part=moments] summary").click()
    page.locator("[data-moment='1']").click()
    expect(page.locator("main[data-at='0']")).to_be_visible()
    expect(page.locator("line[data-mark='??'], line[data-mark='?']").first).to_be_attached()
    page.locator("[data-act=last]").click()
    expect(page.locator("[data-arrow]")).to_have_count(0)


def test_games_that_ended_here_are_counted_and_exported(server, sit):
    position = {"pieces": {"green": ["finish", "finish", "finish", "end:4"], "blue": [17, 20, "start", "start"]}}
    made = server.table("classic", players=2, seats=ALONE, position={**position, "turn": "green"}, seed=5)
    somebody = sit(made, settings={"autoRoll": True, "onlyMove": True})
    page = somebody.page
    expect(page.locator("[data-part=decided]")).to_be_visible()
    page.goto(f"{page.url.partition('/t/')[0]}/me")
    expect(page.locator("main[data-page=me]")).to_have_attribute("data-games", "1")
    with page.expect_download() as download:
        page.locator("[data-act=export-mine]").click()
    kept = json.loads(download.value.path().read_text())
    (game,) = kept["games"]
    assert (game["id"], game["player"], game["players"]) == (made["table"], "green", 2)
    assert game["rolls"] == sum(fell for fell, _ in game["faces"].values())
    assert game["gained"] != 0, "its last roll won"
    assert game["lost"] == 0
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("[data-act=forget-mine]").click()
    expect(page.locator("main[data-page=me]")).to_have_attribute("data-games", "0")


def test_rules_of_ones_own_are_measured_in_the_editor(server, sit):
    somebody = sit(path="/?make=classic")
    page = somebody.page
    page.locator("[data-act=measure]").click()
    expect(page.locator("[data-part=measured] [data-figure='length.minutes.p50']")).to_contain_text("n=1")
    page.locator("[data-field=title]").fill("Ours")
    expect(page.locator("[data-act=measure]")).to_be_enabled()
