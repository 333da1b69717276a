"""People who cheat: whoever says everything a thousand times, commands what is not theirs, or looks for secrets."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

import ludus
from ludus.server import catalogue
from ludus.server.app import create_app
from ludus.server.hall import Hall
from ludus.server.requests import AnyRequest, Hello
from server.guests import ROOMY, Visitor, hall_over, table_in

ROOT = Path(__file__).parents[2]
TIMES = 1_000
# one request of each kind, as somebody would say it whose seat it is
SAID: dict[str, dict[str, Any]] = {
    "move": {"ply": 0, "move": "out"}, "roll": {"ply": 0}, "undo": {"ply": 0}, "hint": {}, "why": {"piece": "green-0"},
    "resign": {}, "leave": {}, "rematch": {}, "bot": {"bot": "random"}, "entropy": {"entropy": "word"},
    "say": {"phrase": "hello"},
}  # fmt: skip


async def at(hall: Hall, **more: Any) -> tuple[Visitor, Visitor, Visitor]:
    """Both players of a new table, and somebody who watches."""
    made = await table_in(hall, **more)
    room = await hall.room(made.table)
    three = Visitor(hall, room), Visitor(hall, room), Visitor(hall, room)
    for one, tokens in zip(three, ([made.tokens["green"]], [made.tokens["blue"]], []), strict=True):
        await one.hello(*tokens)
    return three


def in_hall(scene: Any, **more: Any) -> None:
    async def run() -> None:
        hall = hall_over()
        await scene(hall, *await at(hall, **more))
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_one_request_a_thousand_times_at_once_is_done_once() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor, _: Visitor) -> None:
        room = green.room
        again = Visitor(hall, room)  # the same person at another screen
        again.guest.players = green.guest.players
        again.talk.has_greeted = True
        roll = json.dumps({"type": "roll", "id": "r", "ply": 0})
        await asyncio.gather(*((green, again)[n % 2].talk.hear(roll) for n in range(TIMES)))
        for one in (green, again):
            await one.guest.flush(60)
        answers = [one for one in green.heard + again.heard if one.get("id") == "r"]
        assert len(answers) == TIMES
        assert {(one["type"], one["version"]) for one in answers} == {("done", room.table.version)}
        stored = await hall.store.load(room.table.id)
        assert stored is not None
        assert [fact.kind for fact in stored.facts].count("roll") == room.table.rolls == 1
        # the others were told once
        assert [one["kind"] for one in blue.steps()].count("roll") == 1

    in_hall(scene)


def test_a_thousand_requests_for_one_moment_are_one() -> None:
    """Each under an id of its own: the first is carried out, the others come too late."""

    async def scene(hall: Hall, green: Visitor, *_: Visitor) -> None:
        said = [json.dumps({"type": "roll", "id": f"r{n}", "ply": 0}) for n in range(TIMES)]
        await asyncio.gather(*map(green.talk.hear, said))
        await green.guest.flush(60)
        told = [one.get("code", one["type"]) for one in green.heard if str(one.get("id", "")).startswith("r")]
        assert sorted(set(told)) in (["done", "stale"], ["done", "not_now"], ["done", "not_now", "stale"])
        assert told.count("done") == 1
        assert green.room.table.rolls == 1

    in_hall(scene)


def test_every_request_is_asked_here() -> None:
    kinds = {kind for one in get_args(get_args(AnyRequest)[0]) if one is not Hello
             for kind in get_args(one.model_fields["type"].annotation)}  # fmt: skip
    assert kinds == set(SAID)


@pytest.mark.parametrize("kind", SAID)
def test_who_watches_commands_nothing(kind: str) -> None:
    async def scene(_: Hall, green: Visitor, blue: Visitor, watcher: Visitor) -> None:
        room = green.room
        before = room.table.version
        answer = await watcher.say(type=kind, **SAID[kind])
        assert answer["type"] == "error"
        assert answer["code"] in ("not_your_seat", "not_now")
        assert room.table.version == before
        assert blue.steps() == green.steps() == []
        assert not [one for one in green.heard if one["type"] in ("said", "hint")]

    in_hall(scene)


@pytest.mark.parametrize("kind", sorted({"resign", "leave", "rematch", "bot", "entropy", "say"}))
def test_nobody_speaks_for_another_seat(kind: str) -> None:
    async def scene(_: Hall, green: Visitor, blue: Visitor, __: Visitor) -> None:
        answer = await blue.say(type=kind, player="green", **SAID[kind])
        assert (answer["type"], answer["code"]) == ("error", "not_your_seat")
        assert green.room.table.version == 0

    in_hall(scene)


def test_who_leaves_after_seeing_the_roll_changes_nothing_of_it() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor, _: Visitor) -> None:
        room = green.room
        await green.say(type="roll", ply=0)
        rolled, before = room.table.record.events[0], room.table.ply
        assert rolled.by == "chance"
        assert (await green.say(type="undo", ply=before))["code"] == "not_now"
        assert (await green.say(type="leave"))["type"] == "done"
        assert room.table.record.events[0] == rolled
        assert room.table.ply >= before  # who stands in may have played on
        # nor does the roll come again for whoever left
        assert (await green.say(type="roll", ply=0))["code"] == "not_your_seat"
        assert next(one["text"] for one in blue.steps() if one["kind"] == "roll") == rolled.text

    in_hall(scene)


def test_no_door_tells_a_secret(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever is asked of a table that goes on, by anybody, and whatever is logged meanwhile."""
    caplog.set_level(logging.DEBUG, "ludus")
    app = create_app(limits=ROOMY)
    with TestClient(app, base_url="http://localhost") as client:
        hall: Hall = app.state.house.hall
        two = {"green": {"kind": "person"}, "blue": {"kind": "person"}}
        made = client.post("/api/tables", json={"game": "star", "seats": two, "players": 2, "public": True}).json()
        assert len(made["tokens"]) == 2
        with client.websocket_connect(f"/api/tables/{made['table']}/socket") as socket:
            heard = []
            socket.send_json({"type": "hello", "tokens": list(made["tokens"].values())})
            for n in range(6):
                socket.send_json({"type": "roll", "id": f"r{n}", "ply": n})
                while True:
                    heard.append(socket.receive_json())
                    if heard[-1].get("id") == f"r{n}":
                        break
            opening = hall._rooms[made["table"]].table.opening
            paths = [path for path, ways in app.openapi()["paths"].items() if "get" in ways and "{table}" in path]
            assert len(paths) >= 4
            told = [client.get(path.replace("{table}", made["table"])).text for path in paths]
            told += [client.get("/api/tables").text, client.get(f"/api/tables/{made['table']}x").text]
            told += [client.post(f"/api/tables/{made['table']}/again", json={}).text]
    secrets = [opening.secret, opening.invite, *(seat["token"] for seat in opening.seats.values())]
    assert all(secrets)
    everything = "\n".join([*told, json.dumps(heard), caplog.text])
    assert [secret for secret in secrets if str(secret) in everything] == []
    assert [token for token in made["tokens"].values() if token in everything] == []


MARKUP = '</title></svg><script>alert(1)</script> " onload="alert(1) ]]> &'


def test_no_script_gets_into_pictures() -> None:
    """Titles are whatever somebody writes: in a picture they are text."""
    made = ludus.make({"extends": "star", "name": "own", "title": MARKUP})
    tree = ElementTree.fromstring(made.start().svg())
    assert not [one.tag for one in tree.iter() if one.tag.rpartition("}")[2] in ("script", "image", "use", "a")]
    assert not [key for one in tree.iter() for key in one.attrib if key.startswith("on")]


def test_markup_in_a_document_of_ones_own_is_the_title_and_nothing_else() -> None:
    text = f'extends = "star"\nname = "own"\ntitle = {json.dumps(MARKUP)}\n'
    shown: dict[str, Any] = catalogue.shown_choice("", None, {}, text, "en")  # type: ignore[assignment]
    for part in (shown, shown["scene"], shown["rules"]):
        assert part.pop("title") == MARKUP
    assert "script>" not in json.dumps(shown)


def test_the_page_takes_nothing_for_markup_but_its_own_drawings() -> None:
    sources = [file for kind in ("svelte", "ts") for file in (ROOT / "web" / "src").rglob(f"*.{kind}")]
    found = {told for file in sources for told in re.findall(r"@html ([^}]*)}", file.read_text(encoding="utf-8"))}
    assert found == {"FACES[face]", "REACTIONS[phrase]", "REACTIONS[reaction]"}
    unsafe = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function")
    assert not [(file.name, one) for file in sources for one in unsafe if one in file.read_text(encoding="utf-8")]
