"""People in several browsers, those who watch, and connections that break."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .playing import MY_TURN, PATIENCE, bots, people

OPEN_TABLE = {"green": {"kind": "person", "name": "Ada"}, "blue": {"kind": "open"}}
GREEN_TO_CHOOSE = {
    "pieces": {"green": ["start", 20, 30, "start"], "blue": [40, "start", "start", "start"]},
    "turn": "green",
    "dice": [5],
}


# counts the connections that a page makes
COUNT = """window.connections = 0;
window.WebSocket = class extends WebSocket { constructor(...all) { super(...all); window.connections += 1; } };"""


def invite_link(made):
    return f"/t/{made['table']}#join={made['invite']}"


def test_two_people_in_two_browsers_and_a_spectator(server, sit):
    made = server.table("strict", players=2, seats=OPEN_TABLE, position=GREEN_TO_CHOOSE)
    ada = sit(made)
    bob = sit(path=invite_link(made))
    bob.page.locator("[data-field=guest]").fill("Bob")
    bob.act("sit")
    expect(ada.page.locator(".seats [data-player=blue] .name")).to_have_text("Bob")
    watcher = sit(path=f"/t/{made['table']}")
    expect(watcher.page.locator("[data-part=watching]")).to_be_visible()

    ada.move("green-1")
    for somebody in (bob, watcher):
        expect(somebody.piece("green-1")).to_have_attribute("data-place", "25")
    assert watcher.page.locator(".piece.can, [data-act=roll], [data-act=undo]").count() == 0
    bob.roll()
    expect(ada.page.locator("[data-part=log] [data-kind=roll]").first).to_be_visible()
    expect(watcher.page.locator("[data-part=log] [data-kind=roll]").first).to_be_visible()


def test_an_invite_is_good_for_free_seats_only(server, sit):
    made = server.table("strict", players=2, seats=OPEN_TABLE)
    sit(path=invite_link(made)).act("sit")
    late = sit(path=invite_link(made))
    expect(late.page.locator("[data-part=watching]")).to_be_visible()
    assert late.page.locator("[data-act=sit]").count() == 0


def test_hot_seat_two_people_at_one_browser(server, sit):
    somebody = sit(server.table("strict", players=2, seats=people("green", "blue"), position=GREEN_TO_CHOOSE))
    expect(somebody.page.locator("[data-part=instruction]")).to_contain_text("Green")
    somebody.move("green-1")
    expect(somebody.page.locator("[data-part=instruction]")).to_contain_text("Blue")
    somebody.roll()


def test_loading_the_page_again_in_mid_turn(server, sit):
    somebody = sit(server.table("strict", players=2, seats=people("green", "blue"), position=GREEN_TO_CHOOSE))
    somebody.my_turn()
    somebody.page.reload()
    somebody.my_turn()
    expect(somebody.page.locator("[data-die='die:5']")).to_be_visible()
    somebody.move("green-1")
    assert somebody.place_of("green-1") == "25"


def test_a_connection_that_breaks_in_mid_turn_mends_itself(server, sit):
    made = server.table("strict", players=2, seats=people("green", "blue"), position=GREEN_TO_CHOOSE)
    sockets = []

    def between(socket):
        socket.connect_to_server()
        sockets.append(socket)

    somebody = sit()
    somebody.page.route_web_socket(re.compile("/socket$"), between)
    somebody.page.add_init_script(COUNT)
    somebody.hold(made)
    somebody.page.evaluate("localStorage.clear()")
    somebody.open(f"/t/{made['table']}")
    somebody.my_turn()
    sockets[0].close(code=1012, reason="the test pulls the cable")
    # by the number of connections: the page may be without one for too short a time to be seen
    somebody.page.wait_for_function("() => window.connections > 1")
    assert len(sockets) == 2
    somebody.my_turn()
    somebody.move("green-1")
    assert somebody.place_of("green-1") == "25"


def test_a_bot_takes_over_from_who_is_gone_and_gives_the_seat_back(server, sit):
    made = server.table("strict", players=2, seats=OPEN_TABLE, takeover=1, seed=2)
    ada = sit(made)
    bob = sit(path=invite_link(made))
    bob.act("sit")
    bob.wait("main[data-link=open]")
    expect(bob.page.locator(".seats [data-player=blue] .name")).to_have_text("You")
    expect(ada.page.locator(".seats [data-player=blue] .name")).to_have_text("Blue")
    bob.go_away()
    expect(ada.page.locator(".seats [data-player=blue] .state")).to_contain_text("meanwhile")
    bob.come_back(f"/t/{made['table']}")
    expect(ada.page.locator(".seats [data-player=blue] .state")).not_to_contain_text("meanwhile")


def test_letting_a_bot_play_and_playing_oneself_again(server, sit):
    position = GREEN_TO_CHOOSE | {"dice": []}
    somebody = sit(
        server.table("strict", players=2, seats=people("green") | bots("blue"), position=position, pace=2000)
    )
    page = somebody.page
    somebody.my_turn()
    page.locator("summary", has_text="More").click()
    page.locator("[data-choice=bot]").select_option("random")
    somebody.act("take-back")
    somebody.wait(MY_TURN)


def test_leaving_for_good_frees_the_seat(server, sit):
    made = server.table("strict", players=2, seats=OPEN_TABLE)
    ada = sit(made)
    bob = sit(path=invite_link(made))
    bob.act("sit")
    bob.wait("main[data-link=open]")
    expect(bob.page.locator(".seats [data-player=blue] .name")).to_have_text("You")
    bob.page.locator("summary", has_text="More").click()
    bob.act("leave")
    bob.act("yes")
    expect(ada.page.locator(".seats [data-player=blue] .state")).to_contain_text("free seat")
    carol = sit(path=invite_link(made))
    carol.page.locator("[data-field=guest]").fill("Carol")
    carol.act("sit")
    expect(ada.page.locator(".seats [data-player=blue] .name")).to_have_text("Carol", timeout=PATIENCE)


def test_a_table_that_is_not_there(server, sit):
    somebody = sit(path="/t/nothing-is-here")
    expect(somebody.page.get_by_role("alert")).to_be_visible()
