"""Names that only French pages have to find words for: who played a record, what is drawn or thrown."""

from __future__ import annotations

import json
import urllib.request

from playwright.sync_api import expect

import ludus


def test_nobody_is_called_unknown_in_a_record_without_names(server, sit):
    game = ludus.make("star", players=2)
    record = ludus.Record.start(game, {}, seed=3)
    record.roll()
    text = record.dumps().encode()
    assert b'"unknown"' in text
    sent = urllib.request.Request(f"{server.address}/api/records", data=text, method="POST")
    with urllib.request.urlopen(sent) as answer:
        table = json.loads(answer.read())["table"]
    somebody = sit(path=f"/r/{table}", lang="fr")
    seats = somebody.page.locator(".seats")
    expect(seats.locator(".name")).to_have_text(["Vert", "Bleu"])
    expect(seats).not_to_contain_text("unknown")
    expect(seats.locator("[title*=unknown]")).to_have_count(0)


def test_faces_of_the_position_editor_are_french(sit):
    page = sit(path="/editor?game=slides&players=2", lang="fr").page
    expect(page.locator("[data-face=eleven]")).to_have_text("un onze")
    page.locator("[data-face=eleven]").click()
    expect(page.locator("[data-part=roll]")).to_have_text("un onze")
