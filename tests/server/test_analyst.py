"""Analyses of games that are over, for pages."""

from __future__ import annotations

from fastapi.testclient import TestClient

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
