"""One server for all modules of a worker (tables do not meet), Debian's Chromium, and players who click.

Nothing here sleeps or counts seconds: every step waits for what it needs, and for very long before it gives up.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from .playing import PATIENCE, Player, ServerProcess

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
)  # fmt: skip

expect.set_options(timeout=PATIENCE)

# a test waits for conditions; the limit on it as a whole is only for one that hangs
LONGEST = 1500
FAST = ("test_playing", "test_site", "test_wheel")  # modules


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """More time than other tests have; for work on the rest a few whole games in a browser are enough."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(LONGEST))
            if item.path.stem not in FAST:
                item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """`ludus serve` on a free port, over an empty data base."""
    process = ServerProcess(tmp_path_factory.mktemp("tables") / "tables.db")
    process.start()
    yield process
    process.stop()


@pytest.fixture(scope="package")
def playwright_() -> Iterator[Playwright]:
    """Playwright drives the system's browser: it downloads none."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright_: Playwright) -> Iterator[Browser]:
    """Chromium, without a window."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
    assert Path(found).exists(), "no Chromium; `scripts/system-packages browser` installs it"
    browser = playwright_.chromium.launch(executable_path=found, args=list(ARGUMENTS), timeout=PATIENCE)
    yield browser
    browser.close()


@pytest.fixture
def sit(server: ServerProcess, browser: Browser) -> Iterator[Callable[..., Player]]:
    """Opens a browser of its own for a person: `sit()` at the home page, `sit(made)` at a table with its seats."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_browser(
        made: dict[str, Any] | None = None,
        *,
        path: str = "/",
        lang: str = "en",
        speed: str | None = "off",
        settings: dict[str, Any] | None = None,
        **options: Any,
    ) -> Player:
        context = browser.new_context(locale="en-GB", viewport=options.pop("viewport", None), **options)
        contexts.append(context)
        player = Player(context, server, lang=lang, speed=speed, **(settings or {}))
        player.page.on("pageerror", lambda error: errors.append(str(error)))
        # the browser tells what it refuses only there
        player.page.on("console", lambda said: errors.extend([said.text] * ("Content Security Policy" in said.text)))
        if made is not None:
            player.hold(made)
        player.open(f"/t/{made['table']}" if made is not None else path)
        return player

    yield open_browser
    for context in contexts:
        context.close()
    assert not errors, f"errors in the page: {errors}"
