"""What moves, what is spoken, and what those see who want nothing to move."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .playing import people

# part of `make test`, not of `make test-fast`
pytestmark = pytest.mark.slow

CAPTURE = {
    "pieces": {"green": ["start", 20, 30, "start"], "blue": [24, "start", "start", "start"]},
    "turn": "green",
    "dice": [4],
}
# where a piece is drawn, at every frame of the browser, until the step is over
FOLLOW = """async (piece) => {
  const found = [];
  const element = document.querySelector(`[data-piece="${piece}"]`);
  const main = document.querySelector("main");
  while (main.dataset.busy === "false") await new Promise(requestAnimationFrame);
  while (main.dataset.busy === "true") {
    const box = element.getBoundingClientRect();
    found.push(`${Math.round(box.x)},${Math.round(box.y)}`);
    await new Promise(requestAnimationFrame);
  }
  return [...new Set(found)].length;
}"""


def test_pieces_go_their_way_and_arrive(server, sit):
    """With animation on the piece is seen at many places between the two; a capture comes after it."""
    somebody = sit(server.table("strict", players=2, seats=people("green", "blue"), position=CAPTURE), speed="slow")
    somebody.my_turn()
    somebody.page.evaluate(f"void (window.following = ({FOLLOW})('green-1'))")
    somebody.move("green-1")
    assert somebody.page.evaluate("window.following") > 5
    assert (somebody.place_of("green-1"), somebody.place_of("blue-0")) == ("24", "blue/start")


def test_nothing_moves_where_that_is_not_wished(server, sit):
    somebody = sit(server.table("strict", players=2, seats=people("green", "blue"), position=CAPTURE), speed="off")
    somebody.my_turn()
    somebody.move("green-1")
    assert somebody.page.evaluate("document.getAnimations().length") == 0
    expect(somebody.page.locator("html")).to_have_attribute("data-motion", "off")


@pytest.mark.parametrize(("wish", "speed"), [("reduce", "off"), ("no-preference", "normal")])
def test_the_system_says_whether_things_should_move(server, sit, wish, speed):
    somebody = sit(speed=None, reduced_motion=wish)
    somebody.page.locator("button[aria-controls=settings]").click()
    expect(somebody.page.locator("[data-setting=speed]")).to_have_value(speed)


def test_what_happened_is_spoken(server, sit):
    somebody = sit(server.table("strict", players=2, seats=people("green", "blue"), position=CAPTURE))
    somebody.my_turn()
    spoken = somebody.page.locator("[aria-live=polite][data-part=spoken]")
    somebody.move("green-1")
    expect(spoken).to_have_text("Green captures Blue on 24")
    expect(somebody.piece("green-2")).to_have_attribute("aria-label", "green, on 30")
    somebody.roll()
    expect(spoken).to_contain_text("Blue")


def test_keys_choose_play_take_back_and_forget(server, sit):
    somebody = sit(server.table("strict", players=2, seats=people("green", "blue"), position=CAPTURE))
    page = somebody.page
    somebody.my_turn()
    page.keyboard.press("h")
    expect(page.locator("[data-part=hint]")).to_be_visible()
    before = somebody.version()
    page.keyboard.press("1")
    somebody.after(before)
    somebody.my_turn()
    before = somebody.version()
    page.keyboard.press("z")
    somebody.after(before)
    assert (somebody.place_of("green-1"), somebody.place_of("green-2")) == ("20", "30")
    somebody.my_turn()
    for _ in range(8):  # every step of the tab key is at something that has a name
        page.keyboard.press("Tab")
        name = page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.innerText")
        assert name.strip()
    assert page.locator("[data-piece]:focus, button:focus, summary:focus, a:focus").count() == 1


def test_every_field_and_button_has_a_name(server, sit):
    for path in ("/", "/?game=french", "/?own"):
        somebody = sit(path=path)
        somebody.wait("main button")
        somebody.page.locator("button[aria-controls=settings]").click()
        unnamed = somebody.page.evaluate(
            """() => [...document.querySelectorAll("button, a, input, select, textarea")]
            .filter((one) => !one.closest("[aria-hidden=true]"))
            .filter((one) => !(one.ariaLabel || one.textContent || one.labels?.[0]?.textContent || "").trim())
            .map((one) => one.outerHTML)"""
        )
        assert unnamed == []
