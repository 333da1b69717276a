"""Turns that can be read: dice on the board, hops, captures, sentences with names, and what plays by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .playing import MY_TURN, PHONE, bots, people

YARD = ["start"] * 4
CAPTURE = {"pieces": {"green": ["start", 20, 30, "start"], "blue": [24, *YARD[1:]]}, "turn": "green", "dice": [4]}
ONE_MOVE = {"pieces": {"green": [20, *YARD[1:]], "blue": [40, *YARD[1:]]}, "turn": "green", "dice": [3]}
BY_NAME = {"green": {"kind": "person", "name": "Mia"}, "blue": {"kind": "person", "name": "Tom"}}
PLAIN = {"numbers": False}

# everything that the page shows while a step runs, frame by frame
WATCH = """async () => {
  const seen = [];
  const main = document.querySelector("main");
  while (main.dataset.busy === "false") await new Promise(requestAnimationFrame);
  while (main.dataset.busy === "true") {
    const cast = document.querySelector(".cast:not(.due)");
    seen.push({
      turn: document.querySelector(".seats .turn")?.dataset.player,
      cast: cast?.dataset.cast, thrower: cast?.dataset.player, rolling: Boolean(cast?.dataset.rolling),
      log: document.querySelectorAll("[data-part=log] [data-kind]").length,
      impact: document.querySelectorAll(".impact").length,
      headline: document.querySelector("[data-part=instruction]")?.textContent,
    });
    await new Promise(requestAnimationFrame);
  }
  return seen;
}"""
# counts the tones that the page makes, and the shakes it asks for
LISTEN = """() => {
  window.tones = 0; window.shakes = 0;
  const create = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () { window.tones += 1; return create.call(this); };
  navigator.vibrate = () => { window.shakes += 1; return true; };
}"""


def watch(player, act):
    """What is seen while an act is shown."""
    player.page.evaluate(f"void (window.watching = ({WATCH})())")
    act()
    return player.page.evaluate("window.watching")


def test_the_die_is_thrown_beside_the_yard_and_lies_there_until_the_move_has_ended(server, sit):
    position = {"pieces": CAPTURE["pieces"], "turn": "green"}
    somebody = sit(server.table("strict", players=2, seats=BY_NAME, position=position, seed=3), speed="fast")
    somebody.my_turn()
    page = somebody.page
    expect(page.locator(".cast.due[data-player=green]")).to_have_count(1)
    seen = watch(somebody, somebody.roll)
    assert any(one["rolling"] for one in seen), "it rolls"
    expect(page.locator(".cast[data-player=green]:not(.due)")).to_have_count(1)
    face = page.locator(".cast").first.get_attribute("data-cast")
    box, yard = page.locator(".cast").first.bounding_box(), page.locator("g.yard[data-colour=green]").bounding_box()
    assert box["width"] > 40, "it is large"
    assert abs(box["x"] - yard["x"]) < 2 * yard["width"]
    somebody.wait(MY_TURN)
    moves = watch(somebody, lambda: somebody.move("green-1"))
    assert {(one["thrower"], one["cast"]) for one in moves} == {("green", face)}
    assert {one["turn"] for one in moves[:-2]} == {"green"}, "the turn is shown as passed on only when the move ended"


def test_a_throw_by_a_tap_on_the_die(server, sit):
    somebody = sit(server.table("strict", players=2, seats=people("green") | bots("blue"), seed=3))
    somebody.my_turn()
    before = somebody.version()
    somebody.page.locator(".cast.due .hit").click()
    somebody.after(before)


@pytest.mark.parametrize(("lang", "screen", "told"), [("en", {}, "Mia captures Tom"), ("fr", PHONE, "Mia capture Tom")])
def test_a_capture_is_seen_and_the_log_follows(server, sit, lang, screen, told):
    made = server.table("strict", players=2, seats=BY_NAME, position=CAPTURE)
    somebody = sit(made, speed="normal", settings=PLAIN, lang=lang, **screen)
    somebody.my_turn()
    seen = watch(somebody, lambda: somebody.move("green-1"))
    assert any(one["impact"] for one in seen)
    assert seen[0]["log"] == 0, "the log does not know before the board does"
    assert {one["headline"] for one in seen[2:]} >= {told}
    expect(somebody.page.locator("[data-part=log] [data-kind=move]").first).to_have_text(told)
    marks = somebody.page.locator(".last circle")
    expect(marks).to_have_count(2)
    assert somebody.place_of("blue-0") == "blue/start"


@pytest.mark.parametrize(
    ("lang", "game", "green", "dice", "piece", "told"),
    [
        ("en", "strict", ["finish", "finish", 40, "end:1"], 3, "green-3", "Mia moves up, one from home"),
        ("en", "strict", ["finish", "finish", 40, "end:1"], 2, "green-3", "Mia moves up, two from home"),
        ("fr", "strict", ["finish", "finish", 40, "end:1"], 2, "green-3", "Mia monte, à deux cases de l'arrivée"),
        ("en", "strict", ["finish", "finish", 40, "end:1"], 4, "green-3", "Mia comes home"),
        ("en", "strict", [20, 30, "start", "start"], 5, "green-0", "Mia moves five on"),
        ("fr", "strict", [20, 30, "start", "start"], 5, "green-0", "Mia avance de cinq cases"),
        ("en", "strict", [20, 30, "start", "start"], 6, "green-2", "Mia comes out"),
        ("en", "star", [6, 30, "start", "start"], 5, "green-0", "Mia jumps ahead"),
        ("en", "star", [3, 30, "start", "start"], 5, "green-0", "Mia moves five on, to safety"),
    ],
)
def test_moves_are_told_in_names_and_words(server, sit, lang, game, green, dice, piece, told):
    position = {"pieces": {"green": green, "blue": YARD}, "turn": "green", "dice": [dice]}
    somebody = sit(server.table(game, players=2, seats=BY_NAME, position=position), lang=lang, settings=PLAIN)
    somebody.my_turn()
    somebody.piece(piece).hover()
    effect = somebody.page.locator("[data-part=effect]")
    expect(effect).to_have_text(told.removeprefix("Mia "))
    somebody.move(piece)
    expect(somebody.page.locator("[data-part=log] [data-kind=move]").first).to_have_text(told)
    assert "end:" not in somebody.page.locator("main").inner_text()


@pytest.mark.parametrize(("lang", "told"), [("en", "Mia to roll"), ("fr", "Mia doit lancer")])
def test_who_watches_reads_a_name_before_anything_has_happened(server, sit, lang, told):
    made = server.table("strict", players=2, seats=BY_NAME)
    somebody = sit(path=f"/t/{made['table']}", lang=lang)
    expect(somebody.page.locator("[data-part=instruction]")).to_have_text(told)


@pytest.mark.parametrize(("lang", "told"), [("en", "You roll a"), ("fr", "Vous lancez un")])
def test_who_plays_alone_is_spoken_to(server, sit, lang, told):
    somebody = sit(server.table("strict", players=2, seats=people("green") | bots("blue"), seed=2), lang=lang)
    somebody.roll()
    expect(somebody.page.locator("[data-part=log]")).to_contain_text(told)


def test_the_only_move_is_played_and_can_be_taken_back(server, sit):
    somebody = sit(server.table("strict", players=2, seats=BY_NAME, position=ONE_MOVE), settings={"onlyMove": True})
    expect(somebody.piece("green-0")).to_have_attribute("data-place", "23")
    somebody.my_turn()
    before = somebody.version()
    somebody.act("undo")
    somebody.after(before)
    somebody.wait(MY_TURN)
    expect(somebody.page.locator(".piece.can")).to_have_count(1)  # it waits to be played by hand
    somebody.move("green-0")
    assert somebody.place_of("green-0") == "23"


def test_the_only_move_is_played_unless_somebody_wants_to_do_it(server, sit):
    somebody = sit(path="/?game=strict", settings={"onlyMove": None})
    somebody.page.locator("button[aria-controls=settings]").click()
    choice = somebody.page.locator("[data-setting=only-move]")
    expect(choice).to_be_checked()
    choice.uncheck()
    somebody.page.reload()
    somebody.page.locator("button[aria-controls=settings]").click()
    expect(choice).not_to_be_checked()


@pytest.mark.parametrize("by", ["tap", "button"])
def test_the_others_are_skipped(server, sit, by):
    """Slowly shown, three bots take long; a tap brings the own turn at once."""
    made = server.table("classic", seats=people("green") | bots("yellow", "blue", "red"), seed=5)
    somebody = sit(made, speed="slow", settings={"autoRoll": False})
    somebody.my_turn()
    somebody.act("roll")
    page = somebody.page
    page.wait_for_selector(".cast:not([data-player=green]), main[data-mine=true][data-busy=false] .piece.can")
    if page.locator(".piece.can").count():
        page.locator(".piece.can").first.click()
        page.wait_for_selector(".cast:not([data-player=green])")
    if by == "tap":
        page.locator(".board svg").click(position={"x": 5, "y": 5})
    else:
        somebody.act("skip")
    somebody.my_turn()
    assert (
        page.evaluate("document.getAnimations().filter((one) => one.effect.target.closest('.piece:not(.can)')).length")
        == 0
    )


def test_sounds_and_a_mute_that_is_remembered(server, sit):
    somebody = sit(server.table("strict", players=2, seats=BY_NAME, position=CAPTURE), speed="fast")
    somebody.my_turn()
    somebody.page.evaluate(LISTEN)
    somebody.move("green-1")
    somebody.wait(MY_TURN)
    assert somebody.page.evaluate("window.tones") >= 5, "four steps and a capture"
    assert somebody.page.evaluate("window.shakes") >= 1
    somebody.act("mute")
    heard = somebody.page.evaluate("window.tones")
    somebody.roll()
    somebody.wait(f"{MY_TURN}")
    assert somebody.page.evaluate("window.tones") == heard
    somebody.page.reload()
    expect(somebody.page.locator("[data-act=mute]")).to_have_attribute("aria-pressed", "true")


def test_three_speeds(server, sit):
    somebody = sit()
    somebody.page.locator("button[aria-controls=settings]").click()
    choices = somebody.page.locator("[data-setting=speed] option")
    expect(choices).to_have_count(4)
    assert [one.get_attribute("value") for one in choices.all()] == ["off", "fast", "normal", "slow"]
