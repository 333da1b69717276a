"""Public tables, seats that wait, and rule sets of one's own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

import ludus
from ludus.core.registry import from_document
from ludus.play.facts import Settings
from ludus.play.refusals import Refused
from ludus.play.seats import Newcomer
from ludus.server.app import create_app
from ludus.server.hall import Hall
from server.guests import ROOMY, Visitor, hall_over, table_in, until
from server.test_http import HOME, Socket, error_of
from server.test_rooms import in_hall

PUBLIC = Settings(pace=0, takeover=0, public=True)
OPEN = {"blue": {"kind": "open"}}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(limits=ROOMY), base_url=HOME, raise_server_exceptions=False) as made:
        yield made


async def visitor(hall: Hall, table: str, *tokens: str) -> Visitor:
    somebody = Visitor(hall, await hall.room(table))
    await somebody.hello(*tokens)
    return somebody


# ---------------------------------------------------------------- public tables


def test_a_public_table_is_listed_while_somebody_is_there() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, seats=OPEN, settings=PUBLIC)
        private = await table_in(hall, seats=OPEN)
        await visitor(hall, private.table, private.tokens["green"])
        assert hall.listed("en") == []
        ada = await visitor(hall, made.table, made.tokens["green"])
        (listed,) = hall.listed("fr")
        assert listed["id"] == made.table
        assert [seat["open"] for seat in listed["seats"]] == [False, True]
        assert listed["title"].startswith("Ludo")
        ada.room.farewell(ada.guest)
        assert hall.listed("en") == []

    in_hall(scene)


def test_tables_with_free_seats_come_first_and_finished_ones_not_at_all() -> None:
    async def scene(hall: Hall) -> None:
        full = await table_in(hall, settings=PUBLIC)
        free = await table_in(hall, seats=OPEN, settings=PUBLIC)
        watched = await visitor(hall, full.table, full.tokens["green"])
        await visitor(hall, free.table)
        assert [one["id"] for one in hall.listed("en")] == [free.table, full.table]
        await watched.say(type="resign")
        assert [one["id"] for one in hall.listed("en")] == [free.table]

    in_hall(scene)


def test_nobody_needs_an_invite_at_a_public_table_and_everybody_does_elsewhere() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, seats=OPEN, settings=PUBLIC)
        player, token = await hall.join(made.table, Newcomer(None, None, "Bob"))
        assert player == "blue"
        bob = await visitor(hall, made.table, token)
        assert bob.heard[0]["you"] == ["blue"]
        with pytest.raises(Refused) as full:
            await hall.join(made.table, Newcomer(None, None, "Carol"))
        assert full.value.code == "seat_taken"
        private = await table_in(hall, seats=OPEN)
        for invite in (None, "wrong"):
            with pytest.raises(Refused) as refused:
                await hall.join(private.table, Newcomer(invite, None, "Bob"))
            assert refused.value.code == "bad_invite"

    in_hall(scene)


async def stranger_at_a_table(hall: Hall) -> tuple[Visitor, Visitor, str]:
    """Somebody at a public table of their own, and a stranger whose turn it is not."""
    made = await table_in(hall, seats=OPEN, settings=PUBLIC)
    host = await visitor(hall, made.table, *made.tokens.values())
    _, token = await hall.join(made.table, Newcomer(None, None, "Bob"))
    return host, await visitor(hall, made.table, token), token


def seat_of(one: Visitor, player: str) -> dict[str, Any]:
    told = next(heard for heard in reversed(one.heard) if heard["type"] == "seats")
    return next(seat for seat in told["seats"] if seat["player"] == player)


@pytest.mark.parametrize("goes", [True, False], ids=["goes away", "does not play"])
def test_a_stranger_who_lets_the_others_wait_loses_the_seat(goes: bool) -> None:
    async def scene(hall: Hall) -> None:
        host, stranger, token = await stranger_at_a_table(hall)
        if goes:
            host.room.farewell(stranger.guest)
        else:
            while host.room.table.acting != "blue":
                await host.play_on()
        await until(lambda: seat_of(host, "blue")["open"])
        assert host.room.table.chairs["blue"].bot is not None
        with pytest.raises(Refused):
            host.room.table.seats_of([token])
        # the seat is somebody else's to take
        assert (await hall.join(host.room.table.id, Newcomer(None, None, "Carol")))[0] == "blue"

    in_hall(scene, replace(ROOMY, stranger_seconds=0.02))


def test_a_stranger_who_plays_keeps_the_seat_and_so_do_guests_and_hosts() -> None:
    """By the timers: whoever acts has none any more, and those who were asked to come never had one."""

    async def scene(hall: Hall) -> None:
        host, stranger, _ = await stranger_at_a_table(hall)
        waiting = host.room._strangers._timers
        while host.room.table.acting != "blue":
            await host.play_on()
        assert list(waiting) == ["blue"]
        before = waiting["blue"]
        await stranger.play_on()
        assert before.cancelled()
        while host.room.table.acting != "green":
            await stranger.play_on()
        assert list(waiting) == []
        host.room.farewell(host.guest)
        assert list(waiting) == []

    in_hall(scene, replace(ROOMY, stranger_seconds=3600.0))


def test_a_stranger_takes_so_many_public_seats_and_gets_others_when_games_are_over() -> None:
    async def scene(hall: Hall) -> None:
        made = [await table_in(hall, seats=OPEN, settings=PUBLIC) for _ in range(4)]
        seats = [await hall.join(one.table, Newcomer(None, None, "X"), "there") for one in made[:3]]
        with pytest.raises(Refused) as refused:
            await hall.join(made[3].table, Newcomer(None, None, "X"), "there")
        assert refused.value.code == "too_many_seats"
        assert (await hall.join(made[3].table, Newcomer(made[3].invite, None, "X"), "there"))[
            0
        ] == "blue"  # who is invited may
        other = await table_in(hall, seats=OPEN, settings=PUBLIC)
        assert (await hall.join(other.table, Newcomer(None, None, "Y"), "elsewhere"))[0] == "blue"
        await (await visitor(hall, made[0].table, seats[0][1])).say(type="resign")
        last = await table_in(hall, seats=OPEN, settings=PUBLIC)
        assert (await hall.join(last.table, Newcomer(None, None, "X"), "there"))[0] == "blue"

    async def run() -> None:
        hall = hall_over(limits=replace(ROOMY, seats_per_address=3))
        await scene(hall)
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_a_table_is_public_after_a_restart_too(tmp_path: Any) -> None:
    async def run() -> None:
        url = str(tmp_path / "tables.db")
        hall = hall_over(url)
        made = await table_in(hall, seats=OPEN, settings=PUBLIC)
        hall.close()
        hall.store.close()
        again = hall_over(url)
        await visitor(again, made.table, made.tokens["green"])
        assert [one["id"] for one in again.listed("en")] == [made.table]
        again.close()
        again.store.close()

    asyncio.run(run())


def test_the_list_over_http(client: TestClient) -> None:
    seats = {"green": {"kind": "person", "name": "Ada"}, "blue": {"kind": "open"}}
    wanted = {"game": "star", "players": 2, "seats": seats, "public": True, "takeover": 0}
    made = client.post("/api/tables", json=wanted).json()
    assert client.get("/api/tables").json() == []
    with client.websocket_connect(f"/api/tables/{made['table']}/socket") as session:
        Socket(session, [made["tokens"]["green"]])
        (listed,) = client.get("/api/tables?lang=fr").json()
        assert (listed["id"], listed["acting"], listed["settings"]["public"]) == (made["table"], "green", True)
        assert not any(secret in str(listed) for secret in (made["invite"], made["tokens"]["green"]))
        joined = client.post(f"/api/tables/{made['table']}/join", json={"name": "Bob"})
        assert joined.status_code == 200
        assert joined.json()["player"] == "blue"


# ---------------------------------------------------------------- seats that wait


def test_who_plays_may_let_a_bot_play_a_free_seat_and_a_friend_may_still_come() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, seats=OPEN, settings=Settings(pace=0, takeover=0))
        ada = await visitor(hall, made.table, made.tokens["green"])
        watcher = await visitor(hall, made.table)
        assert (await watcher.say(type="bot", player="blue", bot="random"))["code"] == "not_your_seat"
        assert (await ada.say(type="bot", player="blue", bot="random"))["type"] == "done"
        assert (await watcher.hello(lang="fr"))["log"][-1]["words"] == "Au hasard joue à la place de bleu"
        while ada.view["turn"] == "green":
            await ada.play_on()
        await until(lambda: ada.view["turn"] == "green")  # the bot has played
        player, token = await hall.join(made.table, Newcomer(made.invite, "blue", "Bob"))
        bob = await visitor(hall, made.table, token)
        assert player in bob.heard[0]["you"]
        assert ada.room.table.chairs["blue"].bot is None
        # a seat that is taken is nobody else's
        assert (await ada.say(type="bot", player="blue", bot="random"))["code"] == "not_your_seat"

    in_hall(scene)


def test_a_seat_that_waited_waits_again_in_the_rematch() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, seats=OPEN)
        ada = await visitor(hall, made.table, made.tokens["green"])
        await ada.say(type="resign")
        await ada.say(type="rematch")
        again = await hall.room(next(one["table"] for one in ada.heard if one["type"] == "rematch"))
        assert again.table.free_seats == ["blue"]
        assert again.table.seats_of([made.tokens["green"]]) == ["green"]

    in_hall(scene)


# ---------------------------------------------------------------- rule sets of one's own

SUNDAY = """
name = "sunday"
title = "Sunday Ludo"
extends = "star"

[capture]
duty = true
"""


def test_a_document_is_shown_and_played(client: TestClient) -> None:
    shown = client.post("/api/documents", json={"document": SUNDAY, "players": 2}).json()
    assert (shown["title"], shown["players"]) == ("Sunday Ludo", ["green", "blue"])
    texts = [rule["text"] for section in shown["rules"]["sections"] for rule in section["rules"]]
    assert "Who can capture must capture." in texts
    made = client.post("/api/tables", json={"document": SUNDAY, "players": 2}).json()
    table = client.get(f"/api/tables/{made['table']}").json()
    assert (table["game"], table["title"]) == ("sunday", "Sunday Ludo")
    book = client.get(f"/api/tables/{made['table']}/rules").json()
    assert "Who can capture must capture." in [rule["text"] for one in book["sections"] for rule in one["rules"]]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("name = ", "not TOML"),
        ('name = "x"\nextends = "/etc/passwd"', "extends"),
        ('name = "x"\nextends = "star"\n[capture]\nduti = true', "did you mean 'duty'"),
        ('name = "x"\nextends = "star"\nplugins = ["mercy"]', "plug-in"),
        ('name = "x"\nextends = "star"\n[board]\npieces = "many"', "board.pieces"),
    ],
)
def test_what_is_wrong_with_a_document_is_said(client: TestClient, document: str, words: str) -> None:
    for answer in (
        client.post("/api/documents", json={"document": document}),
        client.post("/api/tables", json={"document": document}),
    ):
        assert error_of(answer) == (400, "bad_game")
        assert words in answer.json()["error"]["text"]


def test_a_table_is_of_a_game_or_of_a_document(client: TestClient) -> None:
    for wanted in ({}, {"game": "star", "document": SUNDAY}):
        assert error_of(client.post("/api/tables", json=wanted)) == (400, "bad_request")


def test_code_that_is_installed_is_not_for_clients_to_choose(client: TestClient) -> None:
    for options in ({"plugins": ["mercy"]}, {"plugins": []}, {"source": "star"}):
        wanted = {"game": "strict", "options": options}
        assert error_of(client.post("/api/tables", json=wanted)) == (400, "bad_game")


@pytest.mark.parametrize(("seed", "notices"), [(None, 0), (5, 1)])
def test_a_table_whose_maker_chose_the_dice_says_so_to_everybody(
    client: TestClient, seed: int | None, notices: int
) -> None:
    made = client.post("/api/tables", json={"game": "star", "public": True, "seed": seed}).json()
    for lang, word in (("en", "no fair dice"), ("fr", "équitables")):
        told = client.get(f"/api/tables/{made['table']}?lang={lang}").json()["notices"]
        assert len(told) == notices
        assert all(word in sentence for sentence in told)


def test_a_stored_document_is_laid_out_beside_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def noted(document: Any) -> ludus.Game:
        threads.append(threading.get_ident())
        return from_document(document)

    monkeypatch.setattr("ludus.server.hall.from_document", noted)

    async def scene(hall: Hall) -> None:
        tables = [(await table_in(hall)).table for _ in range(3)]
        rooms = await asyncio.gather(*(hall.room(table) for table in tables))
        assert len({id(room.table.game) for room in rooms}) == 1
        assert len(threads) == 1
        assert threads != [threading.get_ident()]

    in_hall(scene)


# ---------------------------------------------------------------- options


def test_an_option_can_be_set_to_what_other_rule_sets_have(client: TestClient) -> None:
    """Its default is the value in the rule set chosen, so that anything else counts as a change of it."""

    def freezes(options: dict[str, Any]) -> tuple[Any, Any]:
        shown = client.post("/api/games/french/preview", json={"options": options}).json()
        (found,) = [option for option in shown["options"] if option["key"] == "capture.freezes"]
        return found["value"], found["default"]

    assert freezes({}) == (True, True)
    assert freezes({"capture.freezes": False}) == (False, True)


def test_the_rule_book_of_a_table_has_its_own_options(client: TestClient) -> None:
    made = client.post("/api/tables", json={"game": "star", "options": {"capture.duty": True}}).json()

    def book(address: str) -> list[str]:
        sections = client.get(address).json()["sections"]
        return [rule["text"] for section in sections for rule in section["rules"]]

    assert "Qui peut capturer doit capturer." in book(f"/api/tables/{made['table']}/rules?lang=fr")
    assert "Who can capture must capture." not in book("/api/games/star/rules")
    assert error_of(client.get("/api/tables/nothing/rules")) == (404, "no_such_table")
