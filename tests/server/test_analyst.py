"""Analyses of games that are over, for pages."""

from __future__ import annotations

import asyncio

import pytest
from fastapi.testclient import TestClient

from ludus.play.refusals import Refused
from ludus.server import advice
from ludus.server.app import create_app
from server.guests import ROOMY
from server.test_http import HOME, error_of


def test_a_game_that_is_over_is_analysed_and_one_that_goes_on_is_not() -> None:
    import random

    import ludus
    from ludus.core.record import Record, Seat

    game = ludus.make("classic", players=2)
    record = Record.start(game, {player: Seat(player, "random") for player in game.players}, seed=3)
    rng = random.Random(1)
    while record.position.to_move is not None:
        record.roll() if record.position.to_move == "chance" else record.play(rng.choice(record.position.moves()))
    with TestClient(create_app(limits=ROOMY), base_url=HOME) as client:
        table = client.post("/api/records", content=record.dumps().encode()).json()["table"]
        found = client.get(f"/api/tables/{table}/analysis?lang=fr").json()
        assert len(found["curve"]) == len(record) + 1
        assert all(abs(sum(point.values()) - 1) < 0.01 for point in found["curve"])
        winner = max(record.result or {}, key=lambda player: (record.result or {})[player])
        assert found["curve"][-1][winner] == 1
        assert found["words"]
        going = client.post("/api/tables", json={"game": "strict"}).json()["table"]
        assert error_of(client.get(f"/api/tables/{going}/analysis")) == (409, "not_now")


POSITION = {"pieces": {"green": [12, 30, "end:3", "finish"], "blue": ["start", "start", 17, "finish"]}, "turn": "green"}


def test_a_position_is_set_up_by_data_by_its_id_and_at_a_table() -> None:
    import ludus

    game = ludus.make("classic", players=2)
    position = game.position({**POSITION, "dice": [5]})
    with TestClient(create_app(limits=ROOMY), base_url=HOME) as client:
        wanted = {"game": "classic", "players": 2}
        shown = client.post("/api/positions", json={**wanted, "position": {**POSITION, "dice": [5]}}).json()
        assert (shown["id"], shown["position"]) == (position.id, position.to_dict())
        assert {move["move"] for move in shown["view"]["moves"]} == {str(move) for move in position.moves()}
        again = client.post("/api/positions", json={**wanted, "id": shown["id"]}).json()
        assert again == shown
        for bad in ({"id": "1zzz"}, {"position": {**POSITION, "dice": [9]}}):
            code, kind = error_of(client.post("/api/positions", json={**wanted, **bad}))
            assert (code, kind) == (400, "bad_request")
        assert error_of(client.post("/api/positions", json={})) == (400, "bad_request")
        table = client.post("/api/tables", json={**wanted, "position": position.to_dict()}).json()["table"]
        assert client.post("/api/positions", json={"table": table, "ply": 0}).json()["id"] == position.id
        assert error_of(client.post("/api/positions", json={"table": table, "ply": 99})) == (404, "not_found")


def test_values_of_a_decision_and_of_a_roll_that_is_due() -> None:
    import ludus

    game = ludus.make("classic", players=2)
    with TestClient(create_app(limits=ROOMY), base_url=HOME) as client:
        wanted = {"game": "classic", "players": 2}
        decided = client.post("/api/positions/values", json={**wanted, "position": {**POSITION, "dice": [5]}}).json()
        legal = game.position({**POSITION, "dice": [5]}).moves()
        assert {one["move"] for one in decided["moves"]} == {str(move) for move in legal}
        worths = [one["worth"] for one in decided["moves"]]
        assert worths == sorted(worths, reverse=True)
        assert abs(decided["values"]["green"] - worths[0]) < 1e-6
        rolled = client.post("/api/positions/values", json={**wanted, "position": POSITION}).json()
        assert [one["roll"] for one in rolled["rolls"]] == ["1", "2", "3", "4", "5", "6"]
        mean = sum(one["chance"] * one["worth"] for one in rolled["rolls"])
        assert abs(rolled["values"]["green"] - mean) < 1e-6
        assert abs(sum(rolled["values"].values()) - 1) < 1e-6


def test_a_moment_is_tried_again_by_the_same_rules() -> None:
    with TestClient(create_app(limits=ROOMY), base_url=HOME) as client:
        wanted = {"game": "classic", "players": 2, "options": {"board.pieces": 2}}
        position = {"pieces": {"green": [12, 30], "blue": [17, "finish"]}, "turn": "green", "dice": [5]}
        first = client.post("/api/tables", json={**wanted, "position": position}).json()["table"]
        seats = {"green": {"kind": "person"}, "blue": {"kind": "bot"}}
        made = client.post(f"/api/tables/{first}/again", json={"ply": 0, "seats": seats, "pace": 0}).json()
        assert list(made["tokens"]) == ["green"]
        again = client.post("/api/positions", json={"table": made["table"], "ply": 0}).json()
        assert again["position"]["pieces"] == position["pieces"]
        assert error_of(client.post(f"/api/tables/{first}/again", json={"ply": 5})) == (404, "not_found")


def test_rules_of_ones_own_are_measured_in_words() -> None:
    document = 'name = "ours"\nextends = "classic"\n[board]\npieces = 1\n'
    with TestClient(create_app(limits=ROOMY), base_url=HOME) as client:
        found = client.post("/api/measurements?lang=fr", json={"document": document, "players": 2}).json()
        figures = {one["key"]: one for one in found["figures"]}
        assert {"length.minutes.p50", "seat.green", "luck", "skill.heuristic", "turns.without_choice"} <= set(figures)
        assert figures["seat.green"]["words"] == "gagnées par vert"
        assert "n=1" in figures["completion"]["text"]
        wrong = client.post("/api/measurements", json={"document": 'name = "x"\nextends = "nothing"'})
        assert error_of(wrong)[0] == 400


def test_moves_are_told_with_what_speaks_for_them() -> None:
    pieces = {"green": [12, 40, "finish", "finish"], "blue": ["finish", "finish", "finish", 10]}
    wanted = {"game": "classic", "players": 2, "position": {"pieces": pieces, "turn": "green", "dice": [2]}}
    with TestClient(create_app(limits=ROOMY), base_url=HOME) as client:
        asked = {**wanted, "reasons": ["12+2", "40+2", "7+1"]}
        told = client.post("/api/positions/values?lang=fr", json=asked).json()["reasons"]
        assert "Bleu peut alors capturer avec 4 (17\xa0% des lancers)" in told["12+2"]
        assert "Bleu peut alors capturer avec 2 (17\xa0% des lancers)" in told["40+2"]
        assert set(told) == {"12+2", "40+2"}, "what is no move is left out"
        assert client.post("/api/positions/values", json=wanted).json()["reasons"] == {}
        many = {**wanted, "reasons": ["12+2"] * 5}
        assert client.post("/api/positions/values", json=many).status_code in (400, 422)


class Leaving:
    """A request whose page is gone from the second look on."""

    def __init__(self) -> None:
        self.looks = 0

    async def is_disconnected(self) -> bool:
        self.looks += 1
        return self.looks > 1


def test_nobody_works_for_a_page_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "GONE_AFTER", 0.0)
    given_up: list[bool] = []

    async def work() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            given_up.append(True)
            raise
        return ""

    async def watched() -> None:
        with pytest.raises(Refused):
            await advice.while_there(Leaving(), work())  # type: ignore[arg-type]
        await asyncio.sleep(0)

    asyncio.run(watched())
    assert given_up == [True]
