"""The server is killed in mid-game and started again: the page goes on by itself, and nothing is lost."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from .playing import MY_TURN, bots, people


def events_of(server, table):
    """What the record says happened, without the digests."""
    lines = [json.loads(line) for line in server.fetch(f"/api/tables/{table}/record").splitlines()]
    return [{key: value for key, value in line.items() if key != "h"} for line in lines[1:]]


@pytest.mark.slow
def test_killed_in_mid_game_and_started_again(server, sit):
    made = server.table("maedn", players=2, seats=people("green") | bots("blue"), seed=18)
    somebody = sit(made)
    for _ in range(6):
        somebody.my_turn()
        somebody.any_move()
    somebody.my_turn()
    places = {piece: somebody.place_of(piece) for piece in ("green-0", "blue-0", "blue-1")}
    before = events_of(server, made["table"])

    server.kill()
    somebody.wait("main:not([data-link=open])")
    expect(somebody.page.get_by_role("alert")).to_be_visible()
    server.start()

    somebody.wait(MY_TURN)
    assert {piece: somebody.place_of(piece) for piece in places} == places
    assert events_of(server, made["table"]) == before
    for _ in range(4):
        somebody.my_turn()
        somebody.any_move()
    after = events_of(server, made["table"])
    assert after[: len(before)] == before
    assert len(after) > len(before)


def test_a_move_that_was_sent_into_the_dark_is_played_once(server, sit):
    """The click comes while nobody listens; when the server is back, the move is made, and made once."""
    position = {"pieces": {"green": ["start", 20, 30, "start"], "blue": ["start"] * 4}, "turn": "green", "dice": [5]}
    made = server.table("strict", players=2, seats=people("green", "blue"), position=position)
    somebody = sit(made)
    somebody.my_turn()
    server.kill()
    somebody.piece("green-1").click()
    server.start()
    expect(somebody.piece("green-1")).to_have_attribute("data-place", "25")
    moves = [event for event in events_of(server, made["table"]) if "move" in event]
    assert moves == [{"n": 1, "by": "green", "move": "20+5"}]
