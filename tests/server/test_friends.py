"""Friends at a table: short invitations, names and faces, phrases, and clocks that the server keeps."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ludus.play.clocks import Clock
from ludus.play.facts import Settings
from ludus.play.refusals import Refused
from ludus.play.seats import Newcomer, clean_name
from ludus.server.app import create_app
from ludus.server.hall import Hall
from ludus.server.invitations import LETTERS, new_code, plain_code
from server.guests import ROOMY, Visitor, hall_over, table_in, until
from server.test_http import HOME, error_of
from server.test_lobby import visitor
from server.test_rooms import in_hall

OPEN = {"blue": {"kind": "open"}}
PRIVATE = {"green": {"kind": "person"}, "blue": {"kind": "open"}}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(limits=ROOMY), base_url=HOME, raise_server_exceptions=False) as made:
        yield made


def made_table(client: TestClient, **more: Any) -> dict[str, Any]:
    answer = client.post("/api/tables", json={"game": "strict", "players": 2, "seats": PRIVATE, **more})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def code_for(client: TestClient, made: dict[str, Any]) -> str:
    answer = client.post(f"/api/tables/{made['table']}/invitations", json={"invite": made["invite"]})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["code"])


# ---------------------------------------------------------------- short invitations


def test_a_code_leads_to_its_table_and_opens_a_seat(client: TestClient) -> None:
    made = made_table(client)
    code = code_for(client, made)
    halves = code.split("-")
    assert [len(half) for half in halves] == [4, 4]
    assert set("".join(halves)) <= set(LETTERS)
    for typed in (code, code.lower(), " ".join(halves), "".join(halves)):
        assert client.get(f"/api/invitations/{typed}").json() == {"table": made["table"]}
    seat = client.post(f"/api/tables/{made['table']}/join", json={"invite": code.lower(), "name": "Bob"})
    assert seat.json()["player"] == "blue"


def test_a_code_is_for_one_table_only(client: TestClient) -> None:
    code, other = code_for(client, made_table(client)), made_table(client)
    assert error_of(client.post(f"/api/tables/{other['table']}/join", json={"invite": code})) == (403, "bad_invite")


@pytest.mark.parametrize("code", ["AAAA-AAAA", "AAAA", "OOOO-1111", "x" * 40, "%00", "ÄÖÜß-ABCD"])
@pytest.mark.parametrize(("lang", "told"), [("en", "ask for a new one"), ("fr", "demandez-en une autre")])
def test_a_guessed_code_is_told_in_one_sentence(client: TestClient, code: str, lang: str, told: str) -> None:
    answer = client.get(f"/api/invitations/{code}?lang={lang}")
    assert error_of(answer) == (404, "no_invitation")
    assert told in answer.json()["error"]["text"]


def test_only_who_holds_the_invite_gets_a_code(client: TestClient) -> None:
    made = made_table(client)
    for invite in (None, "guessed", new_code()):
        answer = client.post(f"/api/tables/{made['table']}/invitations", json={"invite": invite})
        assert error_of(answer)[0] in (403, 404), invite
    public = made_table(client, public=True)
    assert client.post(f"/api/tables/{public['table']}/invitations", json={}).status_code == 201


def test_codes_expire_and_are_forgotten(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")

    async def scene() -> None:
        hall = hall_over(path, limits=replace(ROOMY, invitation_seconds=0.0))
        made = await table_in(hall, seats=OPEN)
        code, expires = await hall.invite(made.table, made.invite)
        assert expires
        with pytest.raises(Refused) as refused:
            await hall.invitations.table_of(code)
        assert refused.value.code == "no_invitation"
        with pytest.raises(Refused):
            await hall.join(made.table, Newcomer(code, None, "Late"))
        await hall.invite(made.table, made.invite)
        hall.close()
        hall.store.close()

    asyncio.run(scene())
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM invitations").fetchone() == (1,)


def test_codes_outlive_the_server(url: str) -> None:
    async def first() -> tuple[str, str]:
        hall = hall_over(url)
        made = await table_in(hall, seats=OPEN)
        code, _ = await hall.invite(made.table, made.invite)
        hall.close()
        hall.store.close()
        return code, made.table

    async def second(code: str) -> str:
        hall = hall_over(url)
        table = await hall.invitations.table_of(code)
        player, _ = await hall.join(table, Newcomer(code, None, "Bob"))
        assert player == "blue"
        hall.close()
        hall.store.close()
        return table

    code, table = asyncio.run(first())
    assert asyncio.run(second(code)) == table


def test_an_address_has_few_tries() -> None:
    limits = replace(ROOMY, code_rate=1e-9, code_burst=3.0)
    with TestClient(create_app(limits=limits), base_url=HOME) as client:
        made = made_table(client)
        code = code_for(client, made)
        tries = [client.get("/api/invitations/AAAA-AAAA").status_code for _ in range(3)]
        assert tries == [404, 404, 404]
        assert error_of(client.get(f"/api/invitations/{code}")) == (429, "too_fast")  # the right one is too late too
        joined = client.post(f"/api/tables/{made['table']}/join", json={"invite": "AAAA-AAAB"})
        assert error_of(joined) == (429, "too_fast")
        answer = client.post(f"/api/tables/{made['table']}/join", json={"invite": made["invite"]})
        assert answer.status_code == 200, "the long invite is no guess"


def test_codes_can_be_read_out() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) == 200
    assert not set("IO01") & set("".join(codes))
    assert all(plain_code(code) for code in codes)


# ---------------------------------------------------------------- names and faces


@pytest.mark.parametrize("name", ["Zoë", "Nguyễn", "Ольга", "שָׁלוֹם", "अनीता", "李雷", "O'Neil-Ⅲ", "🐎 Mia", ""])
def test_names_of_many_languages_are_fine(name: str) -> None:
    import unicodedata

    assert clean_name(f"  {name} ") == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "name", ["Z" + "\u0335\u0322\u0315\u0321\u0319" * 5, "\u0301Ada", "A\u202eda", "A\x00", "a\u0488\u0489\u20dd"]
)
def test_a_name_full_of_marks_is_told_in_one_sentence(client: TestClient, name: str) -> None:
    seats = {"green": {"kind": "person", "name": name}}
    answer = client.post("/api/tables", json={"game": "strict", "players": 2, "seats": seats})
    assert error_of(answer) == (400, "bad_name")
    made = made_table(client)
    joined = client.post(f"/api/tables/{made['table']}/join?lang=fr", json={"invite": made["invite"], "name": name})
    assert error_of(joined) == (400, "bad_name")
    assert "sans signes empilés" in joined.json()["error"]["text"]


def test_faces_are_told_and_go_along_to_the_next_game() -> None:
    async def scene(hall: Hall) -> None:
        seats = {"green": {"kind": "person", "name": "Ada", "face": "fox"}, **OPEN}
        made = await table_in(hall, seats=seats)
        await hall.join(made.table, Newcomer(made.invite, None, "Bob", None, "owl"))
        room = await hall.room(made.table)
        assert [seat["face"] for seat in room.views.seats([])] == ["fox", "owl"]
        again = await hall.room(await hall.make_rematch(room))
        assert [seat["face"] for seat in again.views.seats([])] == ["fox", "owl"]

    in_hall(scene)


@pytest.mark.parametrize("face", ["Fox", "a" * 17, "<svg>", "fox owl"])
def test_a_face_is_a_word(client: TestClient, face: str) -> None:
    made = made_table(client)
    answer = client.post(f"/api/tables/{made['table']}/join", json={"invite": made["invite"], "face": face})
    assert error_of(answer)[0] == 400


def test_words_for_the_dice_come_with_the_table(client: TestClient) -> None:
    seats = {"green": {"kind": "person", "entropy": "my-word"}, "blue": {"kind": "open"}}
    made = made_table(client, seats=seats)
    dice = client.get(f"/api/tables/{made['table']}").json()["dice"]
    assert dice["kind"] == "fair"
    assert dice["entropies"] == [[0, "green", "my-word"]]


# ---------------------------------------------------------------- phrases


async def two_guests(hall: Hall, **more: Any) -> tuple[Visitor, Visitor]:
    made = await table_in(hall, **more)
    return (
        await visitor(hall, made.table, made.tokens["green"]),
        await visitor(hall, made.table, made.tokens["blue"]),
    )


def said(guest: Visitor) -> list[tuple[str, str]]:
    return [(one["player"], one["phrase"]) for one in guest.heard if one["type"] == "said"]


def test_phrases_are_heard_by_everybody_and_kept_by_nobody() -> None:
    async def scene(hall: Hall) -> None:
        green, blue = await two_guests(hall)
        assert (await green.say(type="say", phrase="well_played"))["type"] == "done"
        await blue.guest.flush(60)
        assert said(blue) == said(green) == [("green", "well_played")]
        assert green.room.table.version == 0

    in_hall(scene)


def test_nothing_else_can_be_said_and_nobody_else_may() -> None:
    async def scene(hall: Hall) -> None:
        green, blue = await two_guests(hall)
        watcher = await visitor(hall, green.room.table.id)
        for guest, phrase, code in ((green, "you idiot", "bad_message"), (watcher, "clap", "not_your_seat")):
            assert (await guest.say(type="say", phrase=phrase))["code"] == code
        assert (await green.say(type="say", player="blue", phrase="clap"))["code"] == "not_your_seat"
        await blue.guest.flush(60)
        assert said(blue) == []

    in_hall(scene)


def test_who_says_much_is_stopped() -> None:
    async def scene() -> None:
        hall = hall_over(limits=replace(ROOMY, phrase_rate=1e-9, phrase_burst=2.0))
        green, blue = await two_guests(hall)
        answers = [await green.say(type="say", phrase="wow") for _ in range(3)]
        assert [answer.get("code") for answer in answers] == [None, None, "too_fast"]
        await blue.guest.flush(60)
        assert len(said(blue)) == 2
        assert (await blue.say(type="say", phrase="wow"))["type"] == "done", "others may still speak"
        hall.close()
        hall.store.close()

    asyncio.run(scene())


# ---------------------------------------------------------------- clocks


def timed(**clock: Any) -> Settings:
    return Settings(pace=0, takeover=0, clock=Clock(**clock))


@pytest.mark.parametrize(
    "clock",
    [{"move": 0}, {"move": 4}, {"game": 0}, {"game": 59}, {}, {"move": -5}, {"move": 10, "game": 604_801}],
)
@pytest.mark.parametrize(("lang", "told"), [("en", "a clock gives"), ("fr", "une pendule donne")])
def test_a_clock_of_nothing_is_told_in_one_sentence(
    client: TestClient, clock: dict[str, Any], lang: str, told: str
) -> None:
    answer = client.post(f"/api/tables?lang={lang}", json={"game": "strict", "clock": clock})
    assert error_of(answer) == (400, "bad_clock")
    assert answer.json()["error"]["text"].startswith(told)


def test_a_clock_is_said_beforehand(client: TestClient) -> None:
    made = made_table(client, clock={"move": 30, "game": None, "then": "pass"})
    settings = client.get(f"/api/tables/{made['table']}").json()["settings"]
    assert settings["clock"] == {"move": 30, "game": None, "then": "pass"}


def test_a_clock_runs_for_who_has_to_act_while_somebody_is_here() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, settings=timed(move=100, game=1000))
        room = await hall.room(made.table)
        assert room.time.shown() == {
            "running": None, "grace": 0, "move": 100_000, "game": {"green": 1_000_000, "blue": 1_000_000},
        }  # fmt: skip
        green = await visitor(hall, made.table, made.tokens["green"])
        clock = green.view["clock"]
        assert clock["running"] == room.table.acting
        assert 0 < clock["move"] <= 100_000
        room.farewell(green.guest)
        still = room.time.shown()
        assert still is not None
        assert still["running"] is None

    in_hall(scene)


def test_who_runs_out_of_time_is_played_for_by_a_bot_and_may_come_back() -> None:
    async def scene(hall: Hall) -> None:
        green, blue = await two_guests(hall, settings=timed(move=0))
        first = green.room.table.acting
        await until(lambda: len([step for step in green.steps() if step["kind"] == "takeover"]) >= 1)
        out = [(step["kind"], step["by"]) for step in green.steps()][:2]
        assert out == [("time", first), ("takeover", first)]
        assert green.steps()[0]["words"] == f"The time of {first} is out"
        one = green if first == "green" else blue
        assert (await one.say(type="bot", player=first, bot=None))["type"] == "done"

    in_hall(scene)


def test_a_turn_that_passes_is_rolled_and_moved_by_lot_and_the_seat_stays() -> None:
    async def scene(hall: Hall) -> None:
        green, _ = await two_guests(hall, settings=timed(move=0, then="pass"))
        await until(lambda: len({step["by"] for step in green.steps() if step["kind"] == "time"}) == 2)
        kinds = [step["kind"] for step in green.steps()]
        assert kinds[:2] == ["time", "roll"]
        assert "takeover" not in kinds
        assert not any(chair.bot for chair in green.room.table.chairs.values())

    in_hall(scene)


def test_time_that_was_used_is_stored_and_used_up_for_good() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, settings=timed(game=0))
        green = await visitor(hall, made.table, made.tokens["green"], made.tokens["blue"])
        first = str(green.room.table.acting)
        await until(lambda: green.room.table.chairs[first].bot is not None)
        answer = await green.say(type="bot", player=first, bot=None)
        assert (answer["code"], "whole game" in answer["text"]) == ("not_now", True)

    in_hall(scene)


def test_moves_carry_the_time_they_took() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, settings=timed(game=10_000))
        green = await visitor(hall, made.table, made.tokens["green"], made.tokens["blue"])
        room = green.room
        first = str(room.table.acting)
        began = room.time.shown()
        await green.play_on()
        stored = await hall.store.load(made.table)
        assert stored is not None
        player, milliseconds = stored[1][0].data["spent"]
        assert player == first
        assert room.table.spent == {first: milliseconds}
        assert began is not None
        assert began["game"] is not None
        assert 10_000_000 - milliseconds <= began["game"][first]

    in_hall(scene)


def test_nothing_is_taken_back_with_a_clock() -> None:
    async def scene(hall: Hall) -> None:
        position = {"pieces": {"green": [5, "start"], "blue": ["start", "start"]}, "turn": "green", "dice": [3]}
        options = {"board.pieces": 2}
        made = await table_in(hall, "strict", options=options, start=position, settings=timed(move=1000))
        green = await visitor(hall, made.table, made.tokens["green"])
        assert (await green.play_on())["type"] == "done"
        assert green.view["can_undo"] is None

    in_hall(scene)


def test_pages_have_time_to_show_what_the_others_did() -> None:
    async def scene(hall: Hall) -> None:
        seats = {"blue": {"kind": "bot", "bot": "random"}}
        position = {"pieces": {"green": [5], "blue": [20]}, "turn": "blue", "dice": [3]}
        made = await table_in(
            hall, "strict", options={"board.pieces": 1}, seats=seats, start=position, settings=timed(move=1000)
        )
        green = await visitor(hall, made.table, made.tokens["green"])
        await until(lambda: green.view["clock"]["running"] == "green")
        assert 0 < green.view["clock"]["grace"] <= 1200
        assert green.view["clock"]["move"] == 1_000_000

    in_hall(scene)
