"""How soon the browser client is usable on a mid phone: `python bench/page.py [RUNS]`.

A phone's screen, and a processor four times slower than this one (the browser's own throttle, as Lighthouse has it for
mobile). *Usable*: what one came for can be pressed, after the page was painted with it; on the first visit with empty
caches, and on the next one. Milliseconds from the start of the navigation, the median of all runs; and what the page's
thread took of the processor, however busy the machine: scripts, and all of it.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from web.playing import Player, ServerProcess

SLOWER = 4
PHONE: dict[str, Any] = {"viewport": {"width": 412, "height": 915}, "is_mobile": True, "has_touch": True}
WATCH = """(() => { const look = () => {
  const found = [...document.querySelectorAll("%s")].find((one) => !one.disabled && one.getClientRects().length);
  if (found) requestAnimationFrame(() => requestAnimationFrame(() => { window.usable ??= performance.now(); }));
  else requestAnimationFrame(look);
}; look(); })()"""


def measured(browser: Browser, server: ServerProcess, path: str, wanted: str, made: dict[str, Any] | None) -> list[Any]:
    """First visit and next visit: usable, script and task milliseconds."""
    context = browser.new_context(**PHONE)
    person = Player(context, server, speed="normal")
    if made:
        person.hold(made)
    context.add_init_script(WATCH % wanted)
    wire = context.new_cdp_session(person.page)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    wire.send("Performance.enable", {"timeDomain": "threadTicks"})
    visits = []
    for _ in range(2):
        person.open(path)
        person.page.wait_for_function("() => window.usable !== undefined")
        told = {one["name"]: one["value"] for one in wire.send("Performance.getMetrics")["metrics"]}
        visits.append((person.page.evaluate("usable"), told["ScriptDuration"] * 1000, told["TaskDuration"] * 1000))
        person.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    context.close()
    return visits


def main(runs: int) -> None:
    """Print a table."""
    server = ServerProcess(Path(tempfile.mkdtemp()) / "tables.db")
    server.start()
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
            print(f"{SLOWER} x slower, {runs} runs, milliseconds")
            print(f"{'page':8} {'visit':6} {'usable':>7} {'least':>7} {'script':>7} {'thread':>7}")
            for page in ("home", "table", "options"):
                report(browser, server, page, runs)
    finally:
        server.stop()


def report(browser: Browser, server: ServerProcess, page: str, runs: int) -> None:
    """The lines of one page."""
    made = server.table("classic") if page == "table" else None
    path = {"home": "/", "options": "/?game=classic", "table": f"/t/{made['table']}" if made else ""}[page]
    wanted = {"home": "[data-act=play-now]", "options": "[data-act=start]", "table": "[data-act=roll]"}[page]
    all_visits = [measured(browser, server, path, wanted, made) for _ in range(runs)]
    for at, visit in enumerate(("first", "next")):
        columns = list(zip(*(one[at] for one in all_visits), strict=True))
        usable, script, thread = (statistics.median(column) for column in columns)
        print(f"{page:8} {visit:6} {usable:7.0f} {min(columns[0]):7.0f} {script:7.0f} {thread:7.0f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
