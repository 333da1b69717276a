"""Hands of cards at a table: everybody sees their own cards, and of others' only how many there are."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import ludus
from ludus.play.refusals import Refused
from ludus.server.hall import record_text
from server.guests import ROOMY, Visitor, hall_over, table_in, until

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
            await visitor.guest.flush(10)
        hands = room.table.position.to_dict()["hands"]
        assert set(map(len, hands.values())) == {6}
        for message in watcher.heard:
            assert cards_told(message) == set()
        for colour, visitor in zip(made.tokens, players, strict=True):
            own = set(hands[colour])
            assert set().union(*map(cards_told, visitor.heard)) == own
            state = visitor.heard[-1]["view"]["state"] if "view" in visitor.heard[-1] else None
            if state is not None:
                assert all(cards == 6 for other, cards in state["hands"].items() if other != colour)
        acting = room.table.acting
        given = hands[acting][0]
        others = [visitor for colour, visitor in zip(made.tokens, players, strict=True) if colour != acting]
        heard = {visitor: len(visitor.heard) for visitor in [watcher, *others]}
        own = players[list(made.tokens).index(acting)]
        await own.say(type="move", ply=room.table.ply, move=f"give:{given}")
        for visitor, before in heard.items():
            await visitor.guest.flush(10)
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
