"""The static site (`make site`): the games inside the page, from a plain file server, then without any."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import ludus

from .playing import MY_TURN, Player

SITE = Path(__file__).parents[2] / "site"
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server that notes what it was asked for."""

    asked: list[str] = []

    def log_request(self, code: object = "-", size: object = "-") -> None:
        self.asked.append(self.path)


class FileServer:
    """Python's own file server over the built folder."""

    def __init__(self) -> None:
        assert (SITE / "index.html").exists(), "no site/; `make site` builds it"
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def stop(self) -> None:
        """Nobody answers there any more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def files() -> Iterator[FileServer]:
    server = FileServer()
    yield server
    server.stop()


def visit(browser: Browser, files: FileServer, lang: str, **options: object) -> Player:
    """Somebody at the site for the first time; whatever the page asks for elsewhere is an error."""
    context = browser.new_context(locale="en-GB", **options)
    player = Player(context, files, lang=lang)
    context.on(
        "request", lambda asked: asked.url.startswith((files.address, "blob:", "data:")) or pytest.fail(asked.url)
    )
    player.open("/")
    return player


def kept_for_later(page: Page) -> None:
    """Wait until the browser has the whole site, and Python as it had started."""
    expect(page.locator("html[data-kept=true][data-remembered=true]")).to_be_attached()


@pytest.mark.slow
@pytest.mark.parametrize(("device", "lang"), [(DESKTOP, "en"), (PHONE, "fr")], ids=["desktop", "phone"])
def test_a_game_goes_on_without_a_network(browser, files, tmp_path, device, lang):
    somebody = visit(browser, files, lang, **device)
    somebody.page.locator("[data-game=classic] [data-act=play-now]").click()
    for _ in range(4):
        somebody.my_turn()
        somebody.any_move()
    kept_for_later(somebody.page)
    version, address = somebody.version(), somebody.page.url
    files.stop()
    somebody.context.set_offline(True)

    somebody.page.goto(address)
    somebody.wait(MY_TURN)
    expect(somebody.page.locator("html[data-tables=resumed]")).to_be_attached()
    assert somebody.version() >= version, "what was played is kept"
    somebody.any_move()
    somebody.my_turn()
    with somebody.page.expect_download() as download:
        somebody.page.evaluate("document.querySelector('[data-act=download]').click()")
    saved = tmp_path / "game.jsonl"
    download.value.save_as(saved)
    record = ludus.Record.load(saved)
    assert record.game.name == "classic"
    assert len(record) >= 5
    somebody.context.close()


@pytest.mark.slow
def test_rules_of_ones_own_and_replays_need_no_server(browser, files, tmp_path):
    record, bot = ludus.Record.start(ludus.make("strict", players=2), seed=3), ludus.bot("heuristic", seed=1)
    while record.result is None:
        position = record.position
        record.roll() if position.to_move == "chance" else record.play(bot.choose(position))
    saved = tmp_path / "mine.jsonl"
    record.save(saved)

    somebody = visit(browser, files, "en", **DESKTOP)
    kept_for_later(somebody.page)
    somebody.context.set_offline(True)
    somebody.page.locator("[data-act=upload]").set_input_files(saved)
    expect(somebody.page.locator("main[data-at]")).to_have_attribute("data-loaded", str(len(record) + 1))
    somebody.page.locator("[data-act=analyse]").click()
    expect(somebody.page.locator("[data-part=chances] polyline")).to_have_count(2)
    expect(somebody.page.locator("[data-part=turning]")).not_to_be_empty()

    somebody.page.goto(f"{files.address}/editor?game=classic&players=4")
    somebody.page.locator("[data-act=values]").click()
    expect(somebody.page.locator("[data-part=worth] .chances li")).to_have_count(4)

    somebody.page.goto(f"{files.address}/?make=classic")
    expect(somebody.page.locator("[data-part=verdict]").first).to_be_visible()
    somebody.context.close()


def test_every_file_of_the_site_is_kept_by_its_service_worker():
    text = (SITE / "sw.js").read_text()
    names = set(json.loads(text.split("FILES = ")[1].split(";\n")[0]))
    there = {f"/{path.relative_to(SITE).as_posix()}" for path in SITE.rglob("*") if path.is_file()}
    assert names == there - {"/sw.js", "/404.html", "/index.html"} | {"/"}


def test_the_site_is_small_enough_and_names_no_other_host():
    files = [path for path in SITE.rglob("*") if path.is_file() and path.name != "404.html"]
    assert sum(path.stat().st_size for path in files) <= 25_000_000
    page = (SITE / "index.html").read_text()
    assert "default-src 'self'" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page
