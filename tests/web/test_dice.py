"""Fair dice in the browser: sealed before, words of one's own, revealed and checked on the replay page, faces counted."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from .playing import people

NEARLY = {"pieces": {"green": ["end:4"], "blue": [20]}, "turn": "green"}
ONE_ROLL = {"board.pieces": 1, "finish.rule": "overshoot"}


def one_roll(server, **more):
    """A game that the first roll ends, whatever it is."""
    return server.table("strict", players=2, options=ONE_ROLL, seats=people("green", "blue"), position=NEARLY, **more)


def finished(server, sit, lang="en", **more):
    made = one_roll(server)
    somebody = sit(made, lang=lang, settings={"onlyMove": True}, **more)
    somebody.roll()
    somebody.wait("main[data-over=true]")
    return somebody, made


def test_who_sits_down_adds_a_word_and_sees_the_seal_first(server, sit):
    somebody = sit(path="/?game=strict")
    somebody.act("start")
    dice = somebody.page.locator("[data-part=fair-dice]")
    dice.locator("summary").click()
    expect(dice.locator("[data-part=commitment]")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    expect(dice.locator("[data-part=entropy]")).to_have_count(1)
    expect(dice.locator("[data-part=secret]")).to_have_count(0)
    table = somebody.page.url.rsplit("/", 1)[1]
    shown = json.loads(server.fetch(f"/api/tables/{table}"))["dice"]
    expect(dice.locator("[data-part=commitment]")).to_have_text(shown["commitment"])
    expect(dice.locator("[data-part=entropy]")).to_have_text(shown["entropies"][0][2])


def test_who_joins_adds_a_word_too(server, sit):
    seats = {"green": {"kind": "person"}, "blue": {"kind": "open"}}
    made = server.table("strict", players=2, seats=seats)
    sit(path=f"/t/{made['table']}#join={made['invite']}").act("sit")
    watcher = sit(path=f"/t/{made['table']}")
    expect(watcher.page.locator("[data-part=entropy]")).to_have_count(1)


@pytest.mark.parametrize(
    ("lang", "right", "wrong"),
    [
        ("en", "All 1 rolls are what the dice gave", "Roll 1 is not what the dice gave"),
        ("fr", "Les 1 lancers sont bien ceux des dés", "Le lancer 1 n'est pas celui des dés"),
    ],
)
def test_every_roll_is_checked_on_the_replay_page(server, sit, lang, right, wrong):
    somebody, made = finished(server, sit, lang)
    page = somebody.page
    somebody.open(f"/r/{made['table']}")
    somebody.wait("[data-part=fair-dice] summary").click()
    expect(page.locator("[data-part=secret]")).to_be_visible()
    somebody.act("check-dice")
    expect(page.locator("[data-part=dice-verdict]")).to_contain_text(right)

    def other_roll(route):
        lines = route.fetch().text().splitlines()
        roll = next(n for n, line in enumerate(lines) if "chance" in json.loads(line))
        told = json.loads(lines[roll])
        lines[roll] = json.dumps({**told, "chance": "1" if told["chance"] != "1" else "2"})
        route.fulfill(body="\n".join(lines))

    page.route("**/record*", other_roll)
    somebody.act("check-dice")
    expect(page.locator("[data-part=dice-verdict]")).to_contain_text(wrong)


def test_a_secret_that_was_changed_is_noticed(server, sit):
    somebody, made = finished(server, sit)
    somebody.open(f"/r/{made['table']}")
    secret = json.loads(server.fetch(f"/api/tables/{made['table']}"))["dice"]["secret"]

    def other_secret(route):
        route.fulfill(body=route.fetch().text().replace(secret, "0" * 64))

    somebody.page.route("**/record*", other_secret)
    somebody.page.locator("[data-part=fair-dice] summary").click()
    somebody.act("check-dice")
    expect(somebody.page.locator("[data-part=dice-verdict]")).to_contain_text("does not fit the seal")


@pytest.mark.parametrize(("lang", "told"), [("en", "chosen in advance"), ("fr", "choisis d'avance")])
def test_dice_that_somebody_chose_are_called_so(server, sit, lang, told):
    made = server.table("strict", seed=3)
    somebody = sit(made, lang=lang)
    expect(somebody.page.locator("[data-part=notice]")).to_contain_text(told)
    expect(somebody.page.locator("[data-part=fair-dice]")).to_have_attribute("data-kind", "seeded")


def test_faces_are_counted_beside_what_was_to_be_expected(server, sit):
    somebody, made = finished(server, sit)
    frame = json.loads(server.fetch(f"/api/tables/{made['table']}/replay"))["frames"][1]
    table = somebody.page.locator("[data-part=dice-faces]")
    table.locator("summary").click()
    green = table.locator("[data-player=green]")
    expect(green.locator(f"[data-face-of='{frame['text']}']")).to_have_text(re.compile(r"^1\s*/ 0\.2\s*$"))
    other = "1" if frame["text"] != "1" else "2"
    expect(green.locator(f"[data-face-of='{other}']")).to_have_text(re.compile(r"^0\s*/ 0\.2\s*$"))
