"""Installable: a manifest with icons, a shell that opens without a network, and pages that weigh little."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

MOST_BYTES = 150_000


def test_manifest_and_icons(server, sit):
    somebody = sit()
    manifest = json.loads(server.fetch("/manifest.json"))
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
    for icon in manifest["icons"]:
        wanted = [int(side) for side in icon["sizes"].split("x")]
        size = "async (src) => { const i = new Image(); i.src = src; await i.decode(); return [i.width, i.height]; }"
        assert somebody.page.evaluate(size, icon["src"]) == wanted
    expect(somebody.page.locator("link[rel=manifest]")).to_have_attribute("href", "/manifest.json")


def test_the_shell_opens_without_a_network(server, sit):
    somebody = sit()
    page = somebody.page
    somebody.wait("[data-game=classic]")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.reload()
    somebody.wait("[data-game=classic]")
    somebody.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("header .brand")).to_be_visible()
    somebody.context.set_offline(False)
    somebody.wait("[data-game=classic]")


@pytest.mark.parametrize("page", ["home", "options", "table", "rules"])
def test_a_page_weighs_little(server, sit, page):
    """What comes over the wire until a board is there, compressed, fonts apart."""
    made = server.table("classic")
    path = {"home": "/", "options": "/?game=classic", "table": f"/t/{made['table']}", "rules": "/?rules=classic"}[page]
    somebody = sit(path="/api/bots")
    wire = somebody.context.new_cdp_session(somebody.page)
    wire.send("Network.enable")
    names, sizes = {}, {}
    wire.on("Network.responseReceived", lambda told: names.update({told["requestId"]: told["response"]["url"]}))
    wire.on("Network.loadingFinished", lambda told: sizes.update({told["requestId"]: told["encodedDataLength"]}))
    somebody.open(path)
    somebody.wait(".board [data-piece]")
    somebody.page.wait_for_load_state("networkidle")
    weight = sum(size for name, size in sizes.items() if "woff" not in names.get(name, ""))
    assert 20_000 < weight < MOST_BYTES, weight


@pytest.mark.parametrize(("locale", "lang"), [("fr-CA", "fr"), ("en-GB", "en"), ("de-DE", "en")])
def test_the_list_of_games_is_on_its_way_before_the_client_asks(browser, server, locale, lang):
    """One request, in the language that the page comes in, begun with the scripts and not after them."""
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(server.address)
    page.locator("[data-game=generals]").wait_for()
    asked = page.evaluate(
        "performance.getEntriesByType('resource').filter((one) => one.name.includes('/api/games?'))"
        ".map((one) => [one.name.split('?')[1], one.initiatorType])"
    )
    assert asked == [[f"lang={lang}", "link"]]
    context.close()
