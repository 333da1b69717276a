"""The documentation site: built strictly, every game in both languages, searchable, and nothing from elsewhere."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import ludus

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "docs"


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server that says nothing."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The site, built anew: a link that leads nowhere would end that."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts/build-docs")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_every_game_has_a_page_in_both_languages(address: str) -> None:
    for name in ludus.games():
        for folder, lang in (("rules", "en"), ("regles", "fr")):
            page = (SITE / folder / f"{name}.html").read_text(encoding="utf-8")
            assert "<img" in page
            game = ludus.make(name)
            assert game.title(lang).partition("'")[0] in page


def test_every_public_name_is_in_the_reference(address: str) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (SITE / "reference").glob("*.html"))
    for name in ludus.__all__:
        assert f".{name}" in text, name


def test_search_finds_and_nothing_comes_from_elsewhere(address: str, browser: Browser) -> None:
    page = browser.new_context().new_page()
    strange: list[str] = []
    page.on("request", lambda one: None if one.url.startswith((address, "data:", "blob:")) else strange.append(one.url))
    page.goto(address + "index.html")
    page.locator("input.md-search__input").click()
    page.locator("input.md-search__input").fill("barrière")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
    for path in ("rules/classic.html", "reference/games.html", "notebooks/first-steps.html"):
        page.goto(address + path)
        expect(page.locator("h1").first).to_be_visible()
    assert strange == []


def test_on_a_phone_at_night(address: str, browser: Browser) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark").new_page()
    for path in ("index.html", "regles/classic.html", "architecture.html", "figures.html"):
        page.goto(address + path)
        expect(page.locator("body[data-md-color-scheme=slate]")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
