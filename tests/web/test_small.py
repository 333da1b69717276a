"""Small things: people in records, and an example that stays one."""

from __future__ import annotations

import json

from playwright.sync_api import expect

import ludus
from ludus.core.record import Record, Seat


def test_a_person_of_a_record_is_shown_as_a_person(server, sit, tmp_path):
    game = ludus.make("strict", players=2)
    record = Record.start(game, {"green": Seat("Mia", "person"), "blue": Seat("blue", "heuristic")}, seed=3)
    for _ in range(4):
        record.roll() if record.position.to_move == "chance" else record.play(record.position.moves()[0])
    saved = tmp_path / "game.jsonl"
    record.save(saved)
    assert json.loads(saved.read_text().splitlines()[0])["seats"]["green"]["kind"] == "person"
    somebody = sit()
    somebody.wait("[data-act=upload]")
    somebody.page.locator("[data-act=upload]").set_input_files(saved)
    green = somebody.page.locator(".seats [data-player=green]")
    expect(green.locator(".name")).to_have_text("Mia")
    expect(green.locator("svg[data-level], .state svg")).to_have_count(0)
    expect(somebody.page.locator(".seats [data-player=blue] .state svg")).to_have_count(1)


def test_the_example_of_own_rules_once_restored_stays(server, sit):
    somebody = sit(path="/?own")
    field = somebody.page.locator("[data-field=document]")
    example = field.input_value()
    field.fill('name = "older"\nextends = "star"\n')
    expect(somebody.page.locator("h1")).to_have_text("older")
    field.fill(example)
    expect(somebody.page.locator("h1")).to_have_text("Sunday Ludo")
    somebody.page.reload()
    expect(field).to_have_value(example)
