"""Friends: invitations that say where they work, codes for cameras, and a word when it is one's turn."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from .playing import PHONE, Player, ServerProcess

OPEN_TABLE = {"green": {"kind": "person", "name": "Ada"}, "blue": {"kind": "open"}}


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "works on this computer only"), ("fr", "ne marche que sur cet ordinateur")]
)
def test_on_this_computer_the_invitation_says_so_and_what_to_do(server, sit, lang, told):
    somebody = sit(server.table("strict", players=2, seats=OPEN_TABLE), lang=lang)
    note = somebody.page.locator("[data-part=only-here]")
    expect(note).to_contain_text(told)
    expect(note).to_contain_text("ludus serve --lan")
    expect(somebody.page.locator("[data-part=qr]")).to_have_count(0)


class PartyProcess(ServerProcess):
    """`ludus serve --lan`: at the machine's address in its network."""

    said = ""

    def _spawn(self):
        command = [sys.executable, "-m", "ludus.cli", "serve", "--lan", "--port", "0", "--db", str(self.database)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def start(self):
        self.process = self._spawn()
        self.said = self._first_line(self.process)

    @property
    def address(self):
        found = re.search(r"http://[\d.]+:\d+", self.said)
        assert found, self.said
        return found[0]


def test_in_a_home_network_there_is_a_code_for_cameras(browser, tmp_path):
    party = PartyProcess(tmp_path / "party.db")
    party.start()
    try:
        if "in no network" in party.said:
            return  # said in one line: there is nobody to invite
        made = party.table("strict", players=2, seats=OPEN_TABLE)
        context = browser.new_context()
        somebody = Player(context, party)
        somebody.hold(made)
        somebody.open(f"/t/{made['table']}")
        expect(somebody.page.locator("[data-part=qr] path")).to_be_attached()
        expect(somebody.page.locator("[data-part=only-here]")).to_have_count(0)
        context.close()
    finally:
        party.stop()


def test_a_link_is_given_to_the_device_to_share(server, sit):
    somebody = sit(server.table("strict", players=2, seats=OPEN_TABLE))
    somebody.page.evaluate("navigator.share = async (what) => { window.shared = what; }")
    somebody.wait("[data-part=invite-code]")
    somebody.act("invite")
    somebody.page.wait_for_function("window.shared")
    assert re.search(r"/j/[A-Z2-9]{4}-[A-Z2-9]{4}$", somebody.page.evaluate("window.shared.url"))


@pytest.mark.parametrize(
    ("lang", "screen", "sits", "phrase"),
    [("en", {}, "Bob sits down", "Well played!"), ("fr", PHONE, "Bob s'assied", "Bien joué !")],
)
def test_a_friend_comes_by_a_code_with_a_name_and_a_face(server, sit, lang, screen, sits, phrase):
    """From the code to the seat, then a phrase that everybody reads in their own language."""
    made = server.table("strict", players=2, seats=OPEN_TABLE)
    ada = sit(made, lang=lang, **screen)
    code = ada.wait("[data-part=invite-code]").inner_text()
    bob = sit(path=f"/j/{code.lower()}", settings={"introduced": False}, **screen)
    bob.wait("[data-field=guest]").fill("Bob")
    bob.page.locator("[data-choose-face=owl]").click()
    bob.act("sit")
    seat = ada.page.locator(".seats [data-player=blue]")
    expect(seat.locator(".name")).to_have_text("Bob")
    expect(seat.locator("[data-face=owl]")).to_be_visible()
    expect(ada.page.locator("[data-part=log]")).to_contain_text(sits)
    bob.page.locator("[data-part=phrases] summary").click()
    bob.page.locator("[data-say=well_played]").click()
    expect(seat.locator("[data-said=well_played]")).to_have_text(phrase)
    bob.open("/?game=strict")  # asked once: the name and the face are there the next time
    bob.page.locator("button[aria-controls=settings]").click()
    expect(bob.page.locator("[data-choose-face=owl]")).to_have_attribute("aria-checked", "true")
    expect(bob.page.locator("#settings input[type=text]")).to_have_value("Bob")


def test_whom_one_does_not_want_to_hear_is_silent(server, sit):
    made = server.table("strict", players=2, seats=OPEN_TABLE)
    ada, bob = sit(made), sit(path=f"/t/{made['table']}#join={made['invite']}")
    bob.act("sit")
    ada.wait(".seats [data-player=blue] [data-act=silence]").click()
    ada.page.reload()  # kept in the browser
    expect(ada.page.locator("[data-act=silence]")).to_have_attribute("aria-pressed", "true")
    for phrase in ("hello", "clap"):
        bob.page.locator("[data-part=phrases]").evaluate("(one) => { one.open = true; }")
        bob.page.locator(f"[data-say={phrase}]").click()
        expect(bob.page.locator(f".seats [data-said={phrase}]")).to_be_visible()
        # what Ada says comes back to her after what Bob said: nothing of his is on its way any more
        ada.page.locator("[data-part=phrases]").evaluate("(one) => { one.open = true; }")
        ada.page.locator("[data-say=heart]").click()
        expect(ada.page.locator(".seats [data-player=green] [data-said=heart]")).to_be_visible()
        expect(ada.page.locator(".seats [data-player=blue] [data-said]")).to_have_count(0)


def test_name_and_face_are_asked_once_before_a_game_with_friends(server, sit):
    somebody = sit(path="/?game=strict", settings={"introduced": False})
    page = somebody.page
    page.locator("[data-seat=blue]").select_option("open")
    somebody.act("start")
    dialog = page.locator("[data-part=introduction]")
    dialog.locator("[data-field=name]").fill("Zoë")
    dialog.locator("[data-choose-face=cat]").click()
    somebody.act("introduced")
    green = page.locator(".seats [data-player=green]")
    expect(green.locator(".name")).to_have_text("Zoë")
    expect(green.locator("[data-face=cat]")).to_be_visible()
    somebody.open("/?game=strict")
    page.locator("[data-seat=blue]").select_option("open")
    somebody.act("start")
    expect(page.locator(".seats [data-player=green] .name")).to_have_text("Zoë")
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize(
    ("lang", "told", "address"),
    [
        ("en", "ask for a new one", "AAAA-AAAA"),
        ("fr", "demandez-en une autre", "AAAA-AAAA"),
        ("fr", "demandez-en une autre", "%E0%A4%A"),  # no text at all
    ],
)
def test_a_guessed_invitation_is_one_sentence_and_another_can_be_typed(server, sit, lang, told, address):
    made = server.table("strict", players=2, seats=OPEN_TABLE)
    code = sit(made).wait("[data-part=invite-code]").inner_text()
    somebody = sit(path=f"/j/{address}", lang=lang)
    expect(somebody.page.get_by_role("alert")).to_contain_text(told)
    somebody.page.locator("[data-field=code]").fill(code.replace("-", " ").lower())
    somebody.act("follow-code")
    expect(somebody.page.locator("[data-act=sit]").first).to_be_visible()


def test_a_clock_is_seen_to_run(server, sit):
    made = server.table("strict", players=2, seats=OPEN_TABLE, clock={"move": 3600, "then": "bot"})
    sit(path=f"/t/{made['table']}#join={made['invite']}").act("sit")
    face = sit(made).page.locator(".seats [data-player=green] [data-part=clock]")
    expect(face).to_have_text(re.compile(r"^59:5\d$"))


@pytest.mark.parametrize(
    ("lang", "told", "runs_out"),
    [("en", "a bot plays on", "You run out of time"), ("fr", "un robot continue", "Vous n'avez plus de temps")],
)
def test_a_clock_is_said_beforehand_and_hands_over_to_a_bot(server, sit, lang, told, runs_out):
    clock = {"move": 5, "then": "bot"}
    made = server.table("strict", players=2, seats=OPEN_TABLE, clock=clock)
    bob = sit(path=f"/t/{made['table']}#join={made['invite']}", lang=lang)
    expect(bob.page.locator("[data-part=clock-terms]")).to_contain_text(told)
    bob.act("sit")
    ada = sit(made, lang=lang)
    expect(ada.page.locator("[data-part=log]")).to_contain_text(runs_out)
    expect(ada.page.locator("[data-act=take-back]")).to_be_visible()
    expect(ada.page.locator("[data-act=undo]")).to_have_count(0)


def test_a_clock_is_chosen_with_the_table(server, sit):
    somebody = sit(path="/?game=strict")
    page = somebody.page
    page.locator("[data-choice=move-clock]").select_option("30")
    page.locator("[data-choice=clock-then]").select_option("pass")
    expect(page.locator("[data-part=clock-terms]")).to_contain_text("by lot")
    somebody.act("start")
    expect(page.locator(".seats [data-player=green] [data-part=clock]")).to_be_visible()


@pytest.mark.parametrize("name", ["Z" + "\u0335\u0322\u0315\u0321\u0319" * 5])
def test_a_name_full_of_marks_is_one_sentence_and_nothing_is_lost(server, sit, name):
    made = server.table("strict", players=2, seats=OPEN_TABLE)
    bob = sit(path=f"/t/{made['table']}#join={made['invite']}")
    bob.wait("[data-field=guest]").fill(name)
    bob.act("sit")
    expect(bob.page.locator(".notice")).to_contain_text("without marks piled on them")
    bob.page.locator("[data-field=guest]").fill("Bob")
    bob.act("sit")
    expect(bob.page.locator(".seats [data-player=blue] .name")).to_have_text("Bob")


def test_the_title_says_that_it_is_ones_turn(server, sit):
    somebody = sit(server.table("strict", players=2, seats={"green": {"kind": "person"}, "blue": {"kind": "bot"}}))
    somebody.my_turn()
    expect(somebody.page).to_have_title("● Strict Ludo – ludus")


def test_a_page_that_is_not_seen_gives_notice(server, sit):
    made = server.table("strict", players=2, seats=OPEN_TABLE)
    ada = sit(made, settings={"notify": True}, permissions=["notifications"])
    bob = sit(path=f"/t/{made['table']}#join={made['invite']}")
    bob.act("sit")
    ada.page.evaluate(
        """() => {
          window.told = [];
          Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
          ServiceWorkerRegistration.prototype.showNotification = async (title, { body }) => { told.push([title, body]); };
          window.Notification = function (title, { body }) { told.push([title, body]); this.close = () => {}; };
        }"""
    )
    for _ in range(60):
        if ada.page.evaluate("told.length"):
            break
        turn = ada if ada.page.locator("main[data-mine=true]").count() else bob
        turn.any_move()
        ada.catch_up(turn)
        bob.catch_up(turn)
    assert ada.page.evaluate("told")[0] == ["Strict Ludo", "It is your turn."]


def test_notices_are_asked_for(server, sit):
    somebody = sit(path="/?game=strict", permissions=["notifications"])
    page = somebody.page
    page.evaluate("Notification.requestPermission = async () => 'granted'")
    page.locator("button[aria-controls=settings]").click()
    wish = page.locator("[data-setting=notify]")
    expect(wish).not_to_be_checked()
    wish.check()
    expect(wish).to_be_checked()
    page.evaluate("Notification.requestPermission = async () => 'denied'")
    wish.uncheck()
    wish.click()
    expect(wish).not_to_be_checked()
