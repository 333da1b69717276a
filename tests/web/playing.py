"""What the browser tests do: start a server, set up tables over HTTP, and play by clicks."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

# milliseconds; a loaded machine may be very slow, a defect lasts for ever
PATIENCE = int(os.environ.get("LUDUS_PATIENCE", "300")) * 1000
START_SECONDS = 120
BEGINNINGS = 20
SETTINGS = {
    "lang": "en", "theme": "light", "speed": "off", "name": "", "numbers": True, "autoRoll": False, "onlyMove": False,
    "introduced": True,
}  # fmt: skip

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}

MY_TURN = "main[data-link=open][data-busy=false][data-mine=true]"
OVER = "main[data-over=true]"


class ServerProcess:
    """`ludus serve` as its own process, to be killed and started again on the same port and data base."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start, and wait for the address."""
        for _ in range(BEGINNINGS):
            self.process = self._spawn()
            line = self._first_line(self.process)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                self.port = int(found.group(1))
                self._answer()
                return
            self.process.wait(START_SECONDS)  # somebody may hold the port for a moment
        raise AssertionError(f"the server does not start: {line}")

    def _spawn(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "ludus.cli", "serve", "--port", str(self.port), "--db", str(self.database)]
        environment = os.environ | {"LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
        return subprocess.Popen(
            [*command, "--address-limit", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )

    def _first_line(self, process: subprocess.Popen[str]) -> str:
        lines: queue.Queue[str] = queue.Queue()

        def read() -> None:
            # to the end: a full pipe would stop the server
            for line in process.stdout or ():
                lines.put(line)
            lines.put("")

        threading.Thread(target=read, daemon=True).start()
        return lines.get(timeout=START_SECONDS)

    def _answer(self) -> None:
        with urllib.request.urlopen(f"{self.address}/api/bots", timeout=START_SECONDS) as answer:
            assert answer.status == 200

    def kill(self) -> None:
        """As if somebody pulled the plug."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(START_SECONDS)

    def stop(self) -> None:
        """Ask it to stop; make it stop."""
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(START_SECONDS)

    def table(self, game: str, **wanted: Any) -> dict[str, Any]:
        """A new table whose bots play at once; a person against random bots where nothing else is said."""
        body = {"game": game, "pace": 0, "takeover": 0, **wanted}
        request = urllib.request.Request(
            f"{self.address}/api/tables", json.dumps(body).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=START_SECONDS) as answer:
            made: dict[str, Any] = json.load(answer)
        return made

    def fetch(self, path: str) -> str:
        """What a GET gives."""
        with urllib.request.urlopen(f"{self.address}{path}", timeout=START_SECONDS) as answer:
            return str(answer.read().decode())


def bots(*players: str) -> dict[str, Any]:
    """Seats of bots that choose at random."""
    return {player: {"kind": "bot", "bot": "random"} for player in players}


def people(*players: str) -> dict[str, Any]:
    """Seats of people at one browser."""
    return {player: {"kind": "person", "name": player.title()} for player in players}


class Player:
    """Somebody at a browser."""

    def __init__(self, context: BrowserContext, server: ServerProcess, **settings: Any) -> None:
        self.context = context
        self.server = server
        context.set_default_timeout(PATIENCE)
        context.set_default_navigation_timeout(PATIENCE)
        chosen = {key: value for key, value in {**SETTINGS, **settings}.items() if value is not None}
        self._store("ludus.settings", chosen)
        self.page: Page = context.new_page()

    def _store(self, key: str, value: Any) -> None:
        """Put something into the browser's storage, unless it is there already."""
        text = json.dumps(json.dumps(value))
        self.context.add_init_script(f"localStorage.getItem('{key}') ?? localStorage.setItem('{key}', {text})")

    def hold(self, made: dict[str, Any]) -> None:
        """Take the seats of a table that was made over HTTP."""
        self._store("ludus.tables", {made["table"]: {"tokens": made["tokens"], "invite": made["invite"]}})

    def open(self, path: str) -> None:
        """Go to a page of the server."""
        self.page.goto(self.server.address + path)

    def go_away(self) -> None:
        """Close the page; the browser keeps what it stored."""
        self.page.close()

    def come_back(self, path: str) -> None:
        """Open a new page in the same browser."""
        self.page = self.context.new_page()
        self.open(path)

    def wait(self, selector: str) -> Locator:
        """The first element that fits, once it is there."""
        found = self.page.locator(selector).first
        found.wait_for(state="attached")
        return found

    def act(self, name: str) -> None:
        """Press a button or link of the page."""
        self.page.locator(f"[data-act={name}]").first.click()

    @property
    def is_over(self) -> bool:
        return self.page.locator(OVER).count() > 0

    def my_turn(self) -> bool:
        """Wait until something is to be done here; False when the game is over."""
        self.wait(f"{MY_TURN}, {OVER}")
        return not self.is_over

    def version(self) -> int:
        """How much has happened at the table."""
        return int(self.wait("main[data-version]").get_attribute("data-version") or 0)

    def after(self, version: int) -> None:
        """Wait until more has happened than this."""
        expect(self.page.locator(f"main[data-version='{version}']")).to_have_count(0)

    def catch_up(self, other: Player) -> None:
        """Wait until this page shows all that happened on another one at the same table."""
        self.page.wait_for_function(
            "seen => Number(document.querySelector('main[data-busy=false]')?.dataset.version) >= seen",
            arg=other.version(),
        )

    def roll(self) -> None:
        self.wait(MY_TURN)
        before = self.version()
        self.act("roll")
        self.after(before)

    def piece(self, name: str) -> Locator:
        return self.page.locator(f"[data-piece='{name}']")

    def target(self, place: str) -> Locator:
        return self.page.locator(f"[data-target='{place}']")

    def place_of(self, piece: str) -> str:
        return self.piece(piece).get_attribute("data-place") or ""

    def move(self, piece: str, target: str | None = None, notation: str | None = None) -> None:
        """Click a piece, then where it goes, then the way, as far as they are asked for."""
        self.wait(MY_TURN)
        before = self.version()
        self.piece(piece).click()
        if target is not None:
            self.target(target).click()
        if notation is not None:
            self.page.locator(f"ol.moves [data-move='{notation}']").first.click()
        self.after(before)

    def any_move(self) -> None:
        """Whatever comes first: a roll, or the first piece with its first target and way."""
        before = self.version()
        # where chance goes on by itself, its button can't be pressed and is gone in a moment
        self.wait(f"[data-act=roll]:enabled, .piece.can, [data-card]:enabled, [data-move], .target, {OVER}")
        if self.page.locator("[data-act=roll]:enabled").count():
            self.act("roll")
        elif self.page.locator(".piece.can").count():
            self._first_piece(before)
        elif self.page.locator("[data-card]:enabled").count():
            self.part_with_a_card()
        else:
            self.page.locator("[data-move], .target").first.click()
        self.after(before)

    def part_with_a_card(self) -> None:
        """Give or throw away the first card of the hand that may go."""
        self.page.locator("[data-card]:enabled").first.click()
        self.page.locator(".throw [data-move]").first.click()

    def _first_piece(self, version: int) -> None:
        # the last of them: it is farthest from home, so that games come to an end
        self.page.locator(".piece.can").last.click()
        done = f"main:not([data-version='{version}'])"
        self.wait(f"{done}, .target, ol.moves button")
        if self.page.locator(done).count() == 0 and self.page.locator(".target").count():
            self.page.locator(".target").last.click()
            self.wait(f"{done}, main[data-busy=true], ol.moves button")
        if self.page.locator(done).count() == 0 and self.page.locator(".throw ~ ol.moves button").count():
            self.page.locator(".throw ~ ol.moves button").first.click()
