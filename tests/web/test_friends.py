"""Friends: invitations that say where they work, codes for cameras, and a word when it is one's turn."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from .playing import Player, ServerProcess

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
    somebody.act("invite")
    somebody.page.wait_for_function("window.shared")
    assert "#join=" in somebody.page.evaluate("window.shared.url")


def test_the_title_says_that_it_is_ones_turn(server, sit):
    somebody = sit(server.table("strict", players=2, seats={"green": {"kind": "person"}, "blue": {"kind": "bot"}}))
    somebody.my_turn()
    expect(somebody.page).to_have_title("● Strict Ludo – ludus")


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
