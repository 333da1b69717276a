"""HTTP: games, tables, records and replays; errors as data; and nothing that is sent is a failure of the server."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance
from starlette.websockets import WebSocketDisconnect

import ludus
from ludus.server.app import create_app
from ludus.server.doors import LOOPBACK, Doors, names_for
from ludus.server.limits import Limits
from server.guests import ROOMY

HOME = "http://localhost"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(limits=ROOMY), base_url=HOME, raise_server_exceptions=False) as made:
        yield made


def error_of(response: Any) -> tuple[int, str]:
    assert set(response.json()) == {"error"}
    return response.status_code, response.json()["error"]["code"]


def make(client: TestClient, **wanted: Any) -> dict[str, Any]:
    response = client.post("/api/tables", json={"game": "star", "players": 2, "pace": 0, "seed": 5} | wanted)
    assert response.status_code == 201, response.text
    data: dict[str, Any] = response.json()
    return data


class Socket:
    """A client at a table."""

    def __init__(self, session: Any, tokens: list[str]) -> None:
        self.session = session
        self.say(type="hello", tokens=tokens)
        self.hello = session.receive_json()
        self.view = self.hello["view"]

    def say(self, **message: Any) -> None:
        self.session.send_text(json.dumps(message))

    def answer(self, **message: Any) -> dict[str, Any]:
        self.say(**message)
        while True:
            heard: dict[str, Any] = self.session.receive_json()
            self.view = heard.get("view", self.view)
            if heard.get("id") == message["id"]:
                return heard


# ---------------------------------------------------------------- games


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_game_is_listed_with_its_players(client: TestClient, lang: str) -> None:
    listed = client.get("/api/games", params={"lang": lang}).json()
    assert [game["name"] for game in listed] == ludus.games()
    for game in listed:
        assert game["title"] == ludus.make(game["name"]).title(lang)
        assert len(game["players"]) in game["numbers"]


@pytest.mark.parametrize("name", ludus.games())
def test_options_say_what_they_may_be_and_what_they_mean(client: TestClient, name: str) -> None:
    shown = client.get(f"/api/games/{name}").json()
    assert shown["scene"]["places"]
    for option in shown["options"]:
        assert option["meaning"]
        assert option["kind"] in ("bool", "int", "enum", "list", "text")
        if option["kind"] == "enum":
            assert option["value"] in option["choices"]
    # every option can be set to what it is
    chosen = {option["key"]: option["value"] for option in shown["options"] if option["value"] is not None}
    response = client.post(f"/api/games/{name}/preview", json={"options": chosen})
    assert response.status_code == 200, response.text
    assert response.json()["options"] == shown["options"]


def test_a_choice_shows_its_board(client: TestClient) -> None:
    shown = client.post("/api/games/star/preview", json={"players": 2, "options": {"board.pieces": 2}}).json()
    assert shown["players"] == ["green", "blue"]
    assert len(shown["view"]["pieces"]) == 4


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", ludus.games())
def test_every_game_has_a_rule_book(client: TestClient, name: str, lang: str) -> None:
    book = client.get(f"/api/games/{name}/rules", params={"lang": lang}).json()
    short, *groups = book["sections"]
    assert len(short["rules"]) >= 4
    assert groups
    assert all(rule["text"] for section in groups for rule in section["rules"])
    assert sum(len(section["rules"]) for section in groups) >= 4


def test_bots_are_listed(client: TestClient) -> None:
    first = client.get("/api/bots", params={"lang": "fr"}).json()[0]
    assert first == {"name": "random", "title": "Au hasard", "text": "joue n'importe quel coup légal : le plus faible"}


# ---------------------------------------------------------------- tables


def test_a_newcomer_needs_only_the_name_of_a_game(client: TestClient) -> None:
    made = client.post("/api/tables", json={"game": "pettingzoo"}).json()
    assert list(made["tokens"]) == ["green"]
    assert len(made["invite"]) >= 32
    table = client.get(f"/api/tables/{made['table']}").json()
    assert [seat["kind"] for seat in table["seats"]] == ["person", "bot", "bot", "bot"]
    assert table["title"] == ludus.make("pettingzoo").title()


BAD_TABLES = [
    ({"game": "nope"}, 404, "unknown_game"),
    ({"game": "/etc/passwd.toml"}, 404, "unknown_game"),
    ({"game": "../star"}, 404, "unknown_game"),
    ({}, 400, "bad_request"),
    ({"game": "star", "players": 13}, 400, "bad_request"),
    ({"game": "star", "players": 5}, 400, "bad_game"),
    ({"game": "star", "players": ["green", "mauve"]}, 400, "bad_game"),
    ({"game": "star", "options": {"nonsense": 1}}, 400, "bad_game"),
    ({"game": "star", "options": {"source": "x"}}, 400, "bad_game"),
    ({"game": "star", "options": {"players": 2}}, 400, "bad_game"),
    ({"game": "star", "options": {"board.pieces": 99}}, 400, "bad_game"),
    ({"game": "star", "options": {"": None}}, 400, "bad_game"),
    ({"game": "star", "seats": {"mauve": {"kind": "bot"}}}, 400, "bad_game"),
    ({"game": "star", "seats": {"green": {"kind": "bot", "bot": "/tmp/x.py:Bot"}}}, 400, "unknown_bot"),
    ({"game": "star", "seats": {"green": {"kind": "person", "name": "a\nb"}}}, 400, "bad_name"),
    ({"game": "star", "seats": {"green": {"kind": "ghost"}}}, 400, "bad_request"),
    ({"game": "star", "pace": -1}, 400, "bad_request"),
    ({"game": "star", "seed": 2**63}, 400, "bad_request"),
    ({"game": "star", "position": {"pieces": {}}}, 400, "bad_request"),
    ({"game": "star", "surprise": 1}, 400, "bad_request"),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "status", "code"), BAD_TABLES)
def test_a_table_that_can_t_be_made(client: TestClient, wanted: dict[str, Any], status: int, code: str) -> None:
    assert error_of(client.post("/api/tables", json=wanted)) == (status, code)


def test_errors_are_data_in_the_language_asked_for(client: TestClient) -> None:
    response = client.get("/api/tables/nope", params={"lang": "fr"})
    assert response.json() == {"error": {"code": "no_such_table", "text": "cette table n'existe pas"}}
    assert error_of(client.get("/api/nowhere")) == (404, "not_found")
    assert error_of(client.delete("/api/games")) == (405, "bad_request")
    assert error_of(client.post("/api/tables", content=b"{")) == (400, "bad_request")
    assert error_of(client.get("/api/tables/nope/record")) == (404, "no_such_table")
    assert error_of(client.get("/api/tables/nope/replay")) == (404, "no_such_table")


def test_friends_sit_down_by_invite(client: TestClient) -> None:
    made = make(client, seats={"green": {"kind": "person"}, "blue": {"kind": "open"}})
    path = f"/api/tables/{made['table']}/join"
    assert error_of(client.post(path, json={"invite": "wrong"})) == (403, "bad_invite")
    wanted = {"invite": made["invite"], "name": "Bob"}
    assert error_of(client.post(path, json=wanted | {"player": "pink"})) == (404, "no_such_seat")
    assert error_of(client.post(path, json=wanted | {"player": "green"})) == (409, "seat_taken")
    for name in ("a\nb", "\u202eevil", "\u0000"):
        assert error_of(client.post(path, json=wanted | {"name": name})) == (400, "bad_name")
    assert error_of(client.post(path, json=wanted | {"name": "x" * 41})) == (400, "bad_request")
    joined = client.post(path, json=wanted).json()
    assert joined["player"] == "blue"
    assert error_of(client.post(path, json=wanted)) == (409, "seat_taken")
    with client.websocket_connect(f"/api/tables/{made['table']}/socket") as session:
        assert Socket(session, [joined["token"]]).hello["you"] == ["blue"]


# ---------------------------------------------------------------- a game, its record and replay


def play_out(client: TestClient, made: dict[str, Any]) -> dict[str, Any]:
    with client.websocket_connect(f"/api/tables/{made['table']}/socket") as session:
        person = Socket(session, list(made["tokens"].values()))
        asked = 0
        while person.view["over"] is None:
            asked += 1
            due = {"ply": person.view["ply"], "id": f"q{asked}"}
            if person.view["to_move"] == "chance":
                answer = person.answer(type="roll", **due)
            else:
                answer = person.answer(type="move", move=person.view["moves"][-1]["move"], **due)
            assert answer["type"] == "done"
        return person.view


def test_a_whole_game_its_record_and_its_replay(client: TestClient) -> None:
    people = {"green": {"kind": "person"}, "blue": {"kind": "person"}}
    made = make(client, seats=people, options={"board.pieces": 1})
    view = play_out(client, made)
    response = client.get(f"/api/tables/{made['table']}/record")
    assert response.headers["content-disposition"].startswith('attachment; filename="star-')
    record = ludus.Record.loads(response.text)
    assert record.result == view["over"]["result"]

    replay = client.get(f"/api/tables/{made['table']}/replay", params={"count": 500}).json()
    assert replay["count"] == len(record) + 1 == len(replay["frames"])
    assert [frame["text"] for frame in replay["frames"][1:]] == [event.text for event in record.events]
    assert replay["frames"][-1]["view"]["pieces"] == view["pieces"]
    part = client.get(f"/api/tables/{made['table']}/replay", params={"from": 3, "count": 2}).json()
    assert part["frames"] == replay["frames"][3:5]

    kept = client.post("/api/records", content=response.content)
    assert kept.status_code == 201
    again = client.get(f"/api/tables/{kept.json()['table']}/replay", params={"count": 500}).json()
    assert again["frames"] == replay["frames"]
    assert client.get(f"/api/tables/{kept.json()['table']}").json()["replay"] is True
    assert client.get(f"/api/tables/{kept.json()['table']}/record").text.count("\n") == response.text.count("\n")
    with client.websocket_connect(f"/api/tables/{kept.json()['table']}/socket") as session:
        watcher = Socket(session, [])
        assert watcher.view["moves"] == []
        assert watcher.answer(type="roll", id="r", ply=watcher.view["ply"])["code"] == "not_now"


def test_a_record_that_is_none(client: TestClient) -> None:
    assert error_of(client.post("/api/records", content=b"nonsense")) == (400, "bad_record")
    assert error_of(client.post("/api/records", content=b"")) == (400, "bad_record")
    assert error_of(client.post("/api/records", content=b"x" * (ROOMY.record_bytes + 1))) == (413, "too_large")
    text = client.get(f"/api/tables/{make(client)['table']}/record").text
    edited = text.replace('"seed":0', '"seed":1')
    response = client.post("/api/records", content=edited)
    assert error_of(response) == (400, "bad_record")
    assert "line 1" in response.json()["error"]["text"]


def test_a_table_can_begin_from_a_position(client: TestClient) -> None:
    position = {"pieces": {"green": ["end:4", "finish", "finish", "finish"], "blue": ["start"] * 4}, "turn": "green"}
    made = make(client, position=position, game="strict", seats={"green": {"kind": "person"}, "blue": {"kind": "bot"}})
    with client.websocket_connect(f"/api/tables/{made['table']}/socket") as session:
        places = [piece["place"] for piece in Socket(session, list(made["tokens"].values())).view["pieces"]]
    assert places[:2] == ["green/end:4", "green/finish"]


# ---------------------------------------------------------------- doors


def test_only_the_server_s_own_pages_may_ask(client: TestClient) -> None:
    assert client.get("/api/bots", headers={"origin": HOME}).status_code == 200
    strangers = ("http://evil.example", "null", "http://localhost:1", "http://localhost.evil.example", "http://[", "")
    for origin in strangers:
        assert error_of(client.post("/api/tables", json={"game": "star"}, headers={"origin": origin})) == (
            403, "forbidden",
        )  # fmt: skip
    table = make(client)["table"]
    for origin in strangers:
        with (
            client.websocket_connect(f"/api/tables/{table}/socket", headers={"origin": origin}) as session,
            pytest.raises(WebSocketDisconnect) as closed,
        ):
            session.receive_json()
        assert closed.value.code == 4403


def test_who_finds_no_table_leaves_nothing_behind(client: TestClient) -> None:
    def senders() -> int:
        return sum(task.get_coro().__qualname__ == "Guest._pour" for task in asyncio.all_tasks(loop))  # type: ignore[union-attr]

    assert client.portal is not None
    loop = client.portal.call(asyncio.get_running_loop)
    before = senders()
    for _ in range(5):
        with client.websocket_connect("/api/tables/nope/socket") as session:
            session.receive_json()
    assert senders() <= before


def test_reading_a_whole_game_counts_as_much_as_making_one() -> None:
    # so slow that nothing comes back while the test runs
    slow = replace(ROOMY, address_rate=1e-9, address_burst=25.0)
    with TestClient(create_app(limits=slow), base_url=HOME) as client:
        table = make(client)["table"]  # 10
        assert client.get(f"/api/tables/{table}/replay").status_code == 200  # 10
        for path in ("replay", "record"):
            assert error_of(client.get(f"/api/tables/{table}/{path}")) == (429, "too_fast")
        assert client.get(f"/api/tables/{table}").status_code == 200  # 1


def test_seats_that_nobody_is_named_for_are_played_by_the_stand_in(client: TestClient) -> None:
    for more in ({}, {"seats": {"green": {"kind": "person"}, "blue": {"kind": "bot"}}}):
        shown = client.get(f"/api/tables/{make(client, **more)['table']}").json()
        assert [(seat["kind"], seat["bot"]) for seat in shown["seats"]] == [("person", None), ("bot", "heuristic")]


def test_a_table_has_as_many_seats_as_a_board_may_have(client: TestClient) -> None:
    document = 'name = "twelve"\nextends = "cross-8"\n[board]\nseats = 12\npath = 120\n'
    players = ludus.make(tomllib.loads(document), players=12).players
    seats = {player: {"kind": "person", "name": player} for player in players}
    made = client.post("/api/tables", json={"document": document, "players": 12, "seats": seats})
    assert made.status_code == 201, made.text
    assert list(made.json()["tokens"]) == list(players)


def test_a_name_that_was_made_to_point_here_is_refused() -> None:
    app = create_app(limits=ROOMY, doors=Doors(hosts=LOOPBACK))
    with TestClient(app, base_url="http://rebound.example") as stranger:
        assert error_of(stranger.get("/api/bots")) == (403, "forbidden")
    app = create_app(limits=ROOMY, doors=Doors(hosts=LOOPBACK, origins=("http://friend.example",)))
    with TestClient(app, base_url="http://127.0.0.1:8000") as friend:
        assert friend.get("/api/bots", headers={"origin": "http://friend.example"}).status_code == 200


def test_a_public_server_answers_to_addresses_and_to_names_of_its_own() -> None:
    doors = Doors(hosts=names_for(("https://games.example:8443",)), by_address=True)
    ours = ("192.168.1.7:8000", "[2001:db8::1]:80", "games.example", "localhost", socket.gethostname())
    assert [host for host in ours if not doors.opens({"host": host})] == []
    for host in ("evil.example", "192.168.1.7.evil.example", "", "1.2.3"):
        assert not doors.opens({"host": host}), host


def test_pages_may_connect_to_their_own_server_alone(client: TestClient) -> None:
    policy = client.get("/api/bots").headers["content-security-policy"]
    assert "connect-src 'self';" in policy
    assert "ws:" not in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("host", "opens"),
    [
        ("localhost", True), ("localhost:80", True), ("127.0.0.1:8000", True), ("[::1]:80", True), ("LocalHost", True),
        ("", False), ("evil.example", False), ("127.0.0.1.evil.example", False), ("localhost:1@evil.example", False),
        ("[::1", False), ("localhost:", False), ("evil.example:localhost", False), ("localhost localhost", False),
    ],
)  # fmt: skip
def test_on_this_machine_only_its_own_names_are_answered(host: str, opens: bool) -> None:
    assert Doors(hosts=LOOPBACK).opens({"host": host}) is opens
    assert Doors(hosts=LOOPBACK).opens({"host": host, "origin": f"http://{host}"}) is opens


@pytest.mark.parametrize(
    "path",
    ["/../../app.py", "/..%2f..%2fapp.py", "/assets/..%2f..%2f..%2fapp.py", "/%2e%2e/app.py", "//etc/passwd.txt",
     "/assets/%00.js", "/index.html%00.js", "/static/index.html/../../../app.py"],
)  # fmt: skip
def test_nothing_but_the_client_s_files_is_served(client: TestClient, path: str) -> None:
    assert error_of(client.get(path)) == (404, "not_found")


@pytest.mark.parametrize("table", ["nope", "%00", "%ff", "x" * 300])
def test_a_socket_to_no_table_is_told_so(client: TestClient, table: str) -> None:
    with client.websocket_connect(f"/api/tables/{table}/socket") as session:
        assert session.receive_json()["code"] == "no_such_table"
        with pytest.raises(WebSocketDisconnect) as closed:
            session.receive_json()
    assert closed.value.code == 4404


def test_who_says_nothing_is_let_go() -> None:
    app = create_app(limits=replace(ROOMY, hello_seconds=0.05))
    with TestClient(app, base_url=HOME) as client:
        table = make(client)["table"]
        with (
            client.websocket_connect(f"/api/tables/{table}/socket") as session,
            pytest.raises(WebSocketDisconnect) as closed,
        ):
            session.receive_json()
        assert closed.value.code == 4408


def test_addresses_have_limits() -> None:
    app = create_app(limits=Limits(address_rate=1e-6, address_burst=3, sockets_per_address=1))
    with TestClient(app, base_url=HOME) as client:
        codes = [client.get("/api/bots").status_code for _ in range(4)]
        assert codes == [200, 200, 200, 429]
    app = create_app(limits=replace(ROOMY, sockets_per_address=1))
    with TestClient(app, base_url=HOME) as client:
        table = make(client)["table"]
        with client.websocket_connect(f"/api/tables/{table}/socket") as first:
            Socket(first, [])
            with (
                client.websocket_connect(f"/api/tables/{table}/socket") as second,
                pytest.raises(WebSocketDisconnect) as closed,
            ):
                second.receive_json()
            assert closed.value.code == 4429


def test_bodies_have_a_limit(client: TestClient) -> None:
    long = {"game": "star", "options": {"x": "y" * ROOMY.body_bytes}}
    assert error_of(client.post("/api/tables", json=long)) == (413, "too_large")
    endless = client.post("/api/records", content=iter([b"x", b"y"]))
    assert error_of(endless) == (413, "too_large")


def test_pages_come_with_headers_that_keep_strangers_out(client: TestClient) -> None:
    for path in ("/", "/api/bots", "/no.where"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "default-src 'self'" in headers["content-security-policy"]


def test_an_error_of_ours_tells_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(lang: str) -> None:
        raise RuntimeError("the password is 1234")

    monkeypatch.setattr("ludus.server.app.catalogue.listed", fails)
    response = client.get("/api/games")
    assert error_of(response) == (500, "internal")
    assert "1234" not in response.text


# ---------------------------------------------------------------- anything at all


def open_all_day(app: Any) -> Any:
    """The application without an end of the day: the tester opens and closes it for every request."""

    async def opened(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        for word in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{word}.complete"})

    return opened


EXAMPLES = 500 if os.environ.get("LUDUS_SOAK") == "1" else 12
schemathesis.serializer.alias("application/x-ndjson", "text/plain")
schema = schemathesis.openapi.from_asgi("/api/openapi.json", open_all_day(create_app(limits=ROOMY)))


@pytest.mark.slow
@schema.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
def test_nothing_that_is_sent_is_a_failure_of_the_server(case: schemathesis.Case) -> None:
    response = case.call()
    assert response.status_code < 500, response.text
    case.validate_response(response, checks=[status_code_conformance, response_schema_conformance])
    if response.status_code >= 400:
        assert set(response.json()) == {"error"}


def test_the_description_tells_every_error_as_it_is(client: TestClient) -> None:
    """Also 503, which no request by itself can bring about; never FastAPI's own 422, which is answered as 400."""
    for path, operations in client.get("/api/openapi.json").json()["paths"].items():
        for operation in operations.values():
            told = {code: answer for code, answer in operation["responses"].items() if int(code) >= 400}
            assert set(told) == {"400", "403", "404", "405", "409", "413", "429", "503"}, path
            for answer in told.values():
                assert answer["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Failure"}
