"""How long a visit to the static site takes: `make site`, then `python bench/site.py`.

A plain file server on this machine and a real Chromium with an empty profile. The first visit ends when a table is
there to roll at; so does the second, with what the browser kept and without the server.
"""

from __future__ import annotations

import json
import shutil
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

SITE = Path(__file__).resolve().parents[1] / "site"
TABLE = "main[data-link=open][data-mine=true]"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Quiet(SimpleHTTPRequestHandler):
    """Python's own file server, silent, with the bytes it sent."""

    sent = 0

    def log_message(self, *_: object) -> None:
        pass

    def copyfile(self, source: object, outputfile: object) -> None:
        data = source.read()
        type(self).sent += len(data)
        outputfile.write(data)


def visit(page: Page, address: str) -> dict[str, float]:
    """Seconds until the first page is there, and until somebody can roll."""
    begun = time.perf_counter()
    page.goto(address)
    page.wait_for_selector("[data-game=classic] [data-act=play-now]")
    home = time.perf_counter() - begun
    page.click("[data-game=classic] [data-act=play-now]")
    page.wait_for_selector(TABLE, timeout=120_000)
    return {"first page": home, "at a table": time.perf_counter() - begun}


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        context = browser.new_context()
        page = context.new_page()
        first = visit(page, address)
        page.wait_for_selector("html[data-kept=true][data-remembered=true]", state="attached")
        page.close()
        sent = Quiet.sent
        server.shutdown()
        server.server_close()
        second = visit(context.new_page(), address)
        browser.close()
    print(json.dumps({"first visit, s": first, "second visit, s": second, "MB sent": sent / 1e6}, indent=1))


if __name__ == "__main__":
    main()
