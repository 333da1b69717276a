"""The end of a game: a podium on the board, what everybody did, a picture, and another game."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .playing import OVER, PATIENCE, PHONE, bots, people

HOME = ["finish"] * 3
LAST_MOVE = {
    "pieces": {"green": [*HOME, "end:2"], "blue": [*HOME[:2], 4, 5], "red": ["start"] * 4},
    "turn": "green",
    "dice": [3],
}


def ended(server, sit, **more):
    """A game that green wins, blue with two pieces home, red with none."""
    seats = {"green": {"kind": "bot", "bot": "random"}, "blue": {"kind": "person", "name": "Mia"}} | bots("red")
    made = server.table("strict", players=["green", "blue", "red"], seats=seats, position=LAST_MOVE)
    return sit(made, **more)


@pytest.mark.parametrize(("lang", "came"), [("en", "You came second"), ("fr", "Vous êtes deuxième")])
@pytest.mark.parametrize("size", [None, PHONE], ids=["desktop", "phone"])
def test_the_podium_says_who_came_where(server, sit, lang, came, size):
    somebody = ended(server, sit, lang=lang, **(size or {}))
    page = somebody.page
    expect(page.locator("[data-part=came]")).to_have_text(came)
    rows = page.locator("[data-part=podium] tbody tr")
    expect(rows).to_have_count(3)
    assert [row.get_attribute("data-player") for row in rows.all()] == ["green", "blue", "red"]
    assert [row.locator("td").first.inner_text() for row in rows.all()] == ["1", "2", "3"]
    again = page.locator("[data-act=rematch]")
    assert again.bounding_box()["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_captures_and_sixes_are_counted(server, sit):
    """Two plies by hand: a capture, then a roll."""
    position = {"pieces": {"green": [*HOME, 48], "blue": [50, *HOME]}, "turn": "green", "dice": [2]}
    somebody = sit(server.table("strict", players=2, seats=people("green", "blue"), position=position))
    somebody.move("green-3")
    for _ in range(400):
        if not somebody.my_turn():
            break
        somebody.any_move()
    green, blue = (somebody.page.locator(f"[data-part=podium] tr[data-player={who}] td") for who in ("green", "blue"))
    assert int(green.nth(1).inner_text()) >= 1
    assert green.nth(1).inner_text() == blue.nth(2).inner_text(), "what one captures the other suffers"


def test_a_picture_to_share(server, sit, tmp_path):
    somebody = ended(server, sit)
    somebody.wait("[data-part=podium]")
    with somebody.page.expect_download() as download:
        somebody.act("picture")
    saved = tmp_path / "podium.png"
    download.value.save_as(saved)
    assert saved.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_again_and_the_board_without_the_podium(server, sit):
    somebody = ended(server, sit)
    somebody.act("close-podium")
    expect(somebody.page.locator("[data-part=podium]")).to_have_count(0)
    somebody.page.reload()
    before = somebody.page.url
    somebody.act("rematch")
    somebody.page.wait_for_url(lambda url: "/t/" in url and url != before, timeout=PATIENCE)


RACE = {"pieces": {"green": ["end:1"], "blue": [20]}, "turn": "green"}
ONE_PIECE = {"board.pieces": 1, "finish.rule": "overshoot"}


def raced(server, sit, **more):
    """A short race of one piece each, that green is about to win."""
    people_here = more.pop("seats", people("green", "blue"))
    made = server.table("classic", players=2, options=ONE_PIECE, seats=people_here, position=RACE, seed=2)
    somebody = sit(made, settings={"onlyMove": True, **more.pop("settings", {})}, **more)
    # the last move is played for them: there is a roll to make, or the end
    while somebody.wait(f"[data-act=roll]:enabled, {OVER}") and not somebody.is_over:
        before = somebody.version()
        somebody.act("roll")
        somebody.after(before)
    return somebody, made


@pytest.mark.parametrize(("lang", "screen", "told"), [("en", {}, "Green led"), ("fr", PHONE, "Green a mené")])
def test_the_podium_says_where_the_game_turned(server, sit, lang, screen, told):
    somebody, _ = raced(server, sit, lang=lang, **screen)
    expect(somebody.page.locator("[data-part=podium] [data-part=decided]")).to_contain_text(told)


def test_the_podium_says_it_by_name(server, sit):
    named = {"green": {"kind": "person", "name": "Mia"}, "blue": {"kind": "person", "name": "Tom"}}
    somebody, _ = raced(server, sit, seats=named)
    decided = somebody.page.locator("[data-part=podium] [data-part=decided]")
    expect(decided).to_contain_text("Mia")
    expect(decided).not_to_contain_text("Green")
    expect(decided).not_to_contain_text("event")


def test_who_only_watches_is_told_no_turning_point(server, sit):
    """The server works nothing out for whoever happens to look."""
    _, made = raced(server, sit)
    asked = []
    watcher = sit()
    watcher.page.on("request", lambda request: asked.append(request.url))
    watcher.open(f"/t/{made['table']}")
    watcher.wait("[data-part=podium]")
    watcher.page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "/analysis" in url]


def test_the_veil_of_the_podium_covers_the_board_and_no_more(server, sit):
    page = ended(server, sit).page
    veil, board = (page.locator(one).bounding_box() for one in (".veil", ".area-board .board"))
    assert abs(veil["x"] - board["x"]) <= 1
    assert abs(veil["width"] - board["width"]) <= 1


@pytest.mark.parametrize(("lang", "screen"), [("en", {}), ("fr", PHONE)])
def test_what_decided_the_game_is_told_and_shown(server, sit, lang, screen):
    """The turning point in words at the end, and a curve under the slider of the replay that leads there."""
    somebody, made = raced(server, sit, lang=lang, **screen)
    somebody.act("close-podium")
    somebody.act("analyse")
    told = somebody.page.locator("[data-part=turning]")
    expect(told).to_contain_text("Green" if lang == "en" else "Vert")
    somebody.open(f"/r/{made['table']}")
    somebody.act("analyse")
    expect(somebody.page.locator("[data-part=chances] polyline")).to_have_count(2)
