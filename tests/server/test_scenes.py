"""What clients are shown: nothing stale from what was drawn before, and chance in words."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.games.ludo.picture import layout
from ludus.play.refusals import Refused
from ludus.play.telling import chance_in_words
from ludus.server import catalogue
from ludus.server.bodies import TableWanted
from ludus.server.hall import Hall
from ludus.server.store import MEMORY, Store
from ludus.server.views import Scenes, encode
from ludus.server.workbench import Workbench
from server.guests import ROOMY, Visitor, table_in

PLIES = 120
SMALL_GRAPH = """
name = "small"
[board]
shape = "graph"
seats = 2
pieces = 2
paths = ["start > a > b > c > finish", "b > d > c"]
"""


@pytest.mark.parametrize("name", ["pettingzoo", "french", "star", "tides", "uckers", "yut"])
def test_a_position_looks_the_same_whatever_was_drawn_before(name: str) -> None:
    game, rng = ludus.make(name), random.Random(5)
    fresh = game.interpreted()
    position = game.start()
    for ply in range(PLIES):
        if position.to_move is None:
            break
        is_chance = position.to_move == "chance"
        after = position.play(rng.choice(list(position.outcomes() if is_chance else map(str, position.moves()))))
        fresh.__dict__.pop("drawn", None)  # forgets what it has drawn
        assert after.scene("en") == fresh.position_class(fresh, after.row, after.seed, after.ply).scene("en"), ply
        position = after


def test_the_board_is_encoded_once_and_arrives_as_it_is() -> None:
    game, scenes = ludus.make("star"), Scenes()
    assert scenes.of(game, "fr") is scenes.of(ludus.make("star"), "fr")
    message = json.loads(encode({"type": "table", "you": []}, scene=scenes.of(game, "fr")))
    assert message == {"type": "table", "you": [], "scene": json.loads(json.dumps(game.scene("fr")))}


def test_a_board_that_takes_long_is_laid_out_elsewhere_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker's layout is taken over: here nothing is laid out, neither for the board nor for positions on it."""
    game = catalogue.settled("", document=SMALL_GRAPH)
    tried: list[Any] = []
    workbench = Workbench()

    class Elsewhere:
        async def text(self, whose: str, task: str, *given: Any) -> str:
            tried.append((whose, task, given))
            return await workbench.text(whose, task, *given)

    def laid_out(*asked: Any) -> Any:
        raise AssertionError("laid out in the server")

    layout.forget()
    monkeypatch.setattr(layout, "laid_out", laid_out)
    scenes = Scenes(Elsewhere())

    async def two_hellos() -> None:
        await asyncio.gather(*(scenes.prepare(game, "fr", "somewhere") for _ in range(2)))

    asyncio.run(two_hellos())
    workbench.close()
    assert tried == [("somewhere", "board", (game.document(), "fr"))]
    shown = scenes.of(game, "fr")
    places = {place["id"] for place in json.loads(shown)["places"]}
    assert {piece["place"] for piece in game.start().scene("fr")["pieces"]} <= places
    monkeypatch.undo()
    layout.forget()
    assert json.loads(shown) == json.loads(encode(game.scene("fr")))


def test_a_board_that_takes_too_long_is_refused_at_hello() -> None:
    class TooHard:
        async def text(self, whose: str, task: str, *given: Any) -> str:
            raise Refused("too_hard")

    async def run() -> None:
        hall = Hall(Store(MEMORY), ROOMY, elsewhere=TooHard())
        made = await table_in(hall, "yut")
        visitor = Visitor(hall, await hall.room(made.table))
        assert (await visitor.hello(*made.tokens.values()))["code"] == "too_hard"
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_tables_of_one_choice_share_a_game_and_other_choices_do_not() -> None:
    first = catalogue.for_table("french", 2, {"capture.freezes": False})
    assert catalogue.for_table("french", 2, {"capture.freezes": False}) is first
    assert catalogue.for_table("french", 3, {"capture.freezes": False}).digest != first.digest
    assert catalogue.for_table("french", 2, {}).digest != first.digest


@pytest.mark.parametrize(
    ("outcome", "english", "french"),
    [
        ("5", "Green rolls 5", "Vert lance 5"),
        ("6,4", "Green rolls 6,4", "Vert lance 6,4"),
        ("card:nine", "Green draws the nine", "Vert tire le neuf"),
        ("card:joker", "Green draws the joker", "Vert tire le joker"),
        ("card:wild", "Green draws the wild", "Vert tire wild"),
        ("cowries:3", "Green throws the cowries: 3 open", "Vert lance les cauris : 3 ouverts"),
        ("sticks:4", "Green throws the sticks: 4 flat", "Vert lance les bâtons : 4 du côté plat"),
        ("spinner:2", "Green spins 2", "Vert fait tourner : 2"),
        ("weather:high_tide", "Chance: weather high tide", "Hasard : weather high tide"),
    ],
)
def test_chance_in_words(outcome: str, english: str, french: str) -> None:
    assert chance_in_words("green", outcome, "en") == english
    assert chance_in_words("green", outcome, "fr") == french


def test_the_table_that_the_protocol_asks_for_can_be_had() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    body = page.partition("### A new table\n```json\n")[2].partition("```")[0]
    wanted = TableWanted.model_validate_json(body)
    game = catalogue.for_table(wanted.game, wanted.players, wanted.options)
    assert set(wanted.seats) <= set(game.players)
