"""Hands of cards at a table: everybody sees their own cards, and of others' only how many there are."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import pytest
from fastapi.testclient import TestClient

import ludus
from ludus.bots.bot import ask
from ludus.core.position import Move, Position
from ludus.play.refusals import Refused
from ludus.server.app import create_app
from ludus.server.hall import record_text
from server.guests import PATIENCE, ROOMY, Visitor, hall_over, table_in, until

CARDS = [card.name for card in ludus.make("dog").rules.chance.cards]


def cards_told(message: dict[str, Any]) -> set[str]:
    """Every card that a view or a step names, apart from what is the same for all."""
    told = {key: value for key, value in message.items() if key != "scene"}
    text = json.dumps(told)
    return {card for card in CARDS if f'"{card}"' in text or f":{card}" in text}


def test_nobody_sees_cards_of_others_on_the_wire() -> None:
    async def run() -> None:
        hall = hall_over(limits=ROOMY)
        made = await table_in(hall, "dog", players=4)
        room = await hall.room(made.table)
        watcher = Visitor(hall, room)
        await watcher.hello()
        players = [Visitor(hall, room) for _ in made.tokens]
        for visitor, token in zip(players, made.tokens.values(), strict=True):
            await visitor.hello(token)
        await until(lambda: room.table.position.to_move not in (None, "chance"))
        for visitor in [watcher, *players]:
            await visitor.guest.flush(PATIENCE)
        hands = room.table.position.to_dict()["hands"]
        assert set(map(len, hands.values())) == {6}
        for message in watcher.heard:
            assert cards_told(message) == set()
        for colour, visitor in zip(made.tokens, players, strict=True):
            own = set(hands[colour])
            assert set().union(*map(cards_told, visitor.heard)) == own
            shown = visitor.view["state"]["hands"]
            assert all(cards == 6 for other, cards in shown.items() if other != colour)
        acting = room.table.acting
        given = hands[acting][0]
        others = [visitor for colour, visitor in zip(made.tokens, players, strict=True) if colour != acting]
        heard = {visitor: len(visitor.heard) for visitor in [watcher, *others]}
        own = players[list(made.tokens).index(acting)]
        await own.say(type="move", ply=room.table.ply, move=f"give:{given}")
        for visitor, before in heard.items():
            await visitor.guest.flush(PATIENCE)
            steps = [one for one in visitor.heard[before:] if one["type"] == "step"]
            assert [one["text"] for one in steps] == ["give:?"]
            assert given not in json.dumps(steps[0]["words"])
        refused = await watcher.say(type="why", move="out(ace)")
        assert refused["code"] == "not_your_seat"
        with pytest.raises(Refused, match="goes on"):
            record_text(room.table)
        hall.close()
        hall.store.close()

    asyncio.run(run())


# ---------------------------------------------------------------- other doors


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/tables/{table}/record", None),
        ("GET", "/api/tables/{table}/replay", None),
        ("GET", "/api/tables/{table}/analysis", None),
        ("POST", "/api/positions", {}),
        ("POST", "/api/positions/values", {}),
        ("POST", "/api/tables/{table}/again", {"ply": 20}),
    ],
)
def test_no_door_tells_hands_while_the_game_goes_on(method: str, path: str, body: dict[str, Any] | None) -> None:
    with TestClient(create_app(limits=ROOMY), base_url="http://localhost") as client:
        everyone = {colour: {"kind": "person"} for colour in ludus.make("dog").players}
        made = client.post("/api/tables", json={"game": "dog", "seats": everyone, "seed": 3}).json()
        with client.websocket_connect(f"/api/tables/{made['table']}/socket") as socket:
            socket.send_text(json.dumps({"type": "hello", "tokens": []}))
            while not (told := socket.receive_json().get("view")) or told["to_move"] in (None, "chance"):
                pass  # cards are dealt
        wanted = body if body is None or "again" in path else {**body, "table": made["table"]}
        answer = client.request(method, path.format(table=made["table"]), json=wanted)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_now")


def test_a_bot_sees_its_own_hand_and_redrawn_ones_of_others() -> None:
    seen: list[Position] = []

    class Onlooker:
        """Keeps what it is shown."""

        name = "onlooker"

        def choose(self, position: Position) -> Move:
            """The first move."""
            seen.append(position)
            return position.moves()[0]

    real = ludus.make("dog").start(seed=3)
    while real.to_move == "chance":
        real = real.roll()
    shown = []
    for seed in range(20):  # the same cards by another seed: others' hands are drawn from it
        ask(Onlooker(), real.game.position(real.to_dict(), seed))
        shown.append(seen[-1].to_dict())
    hands, turn = real.to_dict()["hands"], real.turn
    assert all(data["hands"][turn] == hands[turn] for data in shown)
    for other in set(hands) - {turn}:
        assert {len(data["hands"][other]) for data in shown} == {6}
        assert len({tuple(data["hands"][other]) for data in shown}) > 10
    pack = {card.name: card.count for card in real.game.rules.chance.cards}
    for data in shown:
        held = Counter(card for cards in data["hands"].values() for card in cards)
        assert {card: data["deck"][card] + held[card] for card in pack} == pack
    assert shown[0].keys() == real.to_dict().keys()
