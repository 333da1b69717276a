"""Rooms: everybody learns what is stored, nobody waits for anybody, bots play while somebody watches."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sa

import ludus
from ludus.core.record import Record
from ludus.play.facts import Fact, Settings
from ludus.server.guest import SLOW, Guest
from ludus.server.hall import Hall, record_text
from ludus.server.keeping import StoreError
from ludus.server.limits import Limits
from ludus.server.room import Room
from ludus.server.workbench import checked_record
from server.guests import PATIENCE, RANDOM, ROOMY, Visitor, hall_over, table_in, until

Scene = Callable[[Hall], Awaitable[None]]


def in_hall(scene: Scene, limits: Limits = ROOMY) -> None:
    """Run a scene in a hall of its own."""

    async def run() -> None:
        hall = hall_over(limits=limits)
        try:
            await scene(hall)
        finally:
            hall.close()
            hall.store.close()

    asyncio.run(run())


async def two_people(hall: Hall, **more: Any) -> tuple[Visitor, Visitor]:
    made = await table_in(hall, **more)
    room = await hall.room(made.table)
    one, two = Visitor(hall, room), Visitor(hall, room)
    players = list(made.tokens)
    await one.hello(made.tokens[players[0]])
    await two.hello(made.tokens[players[1]])
    return one, two


def test_everybody_sees_the_same_game() -> None:
    async def scene(hall: Hall) -> None:
        green, blue = await two_people(hall)
        watcher = Visitor(hall, green.room)
        await watcher.hello(lang="fr")
        assert watcher.heard[0]["you"] == []
        for _ in range(60):
            acting = green if green.view["turn"] == "green" else blue
            assert (await acting.play_on())["type"] == "done"
        await watcher.guest.flush(60)
        assert [step["text"] for step in watcher.steps()] == [step["text"] for step in green.steps()]
        assert watcher.view["pieces"] == blue.view["pieces"]
        assert watcher.steps()[0]["words"].startswith("Vert")
        assert green.steps()[0]["words"].startswith("Green")

    in_hall(scene)


def test_a_step_is_stored_before_anybody_learns_of_it() -> None:
    async def scene(hall: Hall) -> None:
        green, _blue = await two_people(hall)
        told: list[str] = []
        really = hall.store.append

        async def append(table: str, facts: list[Fact]) -> None:
            told.append(f"storing, {len(green.steps())} told")
            await really(table, facts)
            told.append(f"stored, {len(green.steps())} told")

        hall.store.append = append  # type: ignore[method-assign]
        await green.play_on()
        assert told == ["storing, 0 told", "stored, 0 told"]
        assert green.steps()

    in_hall(scene)


def test_what_can_t_be_stored_did_not_happen() -> None:
    async def scene(hall: Hall) -> None:
        green, blue = await two_people(hall)
        really = hall.store.append

        async def append(table: str, facts: list[Fact]) -> None:
            raise StoreError("the disk is full of secrets")

        hall.store.append = append  # type: ignore[method-assign]
        code = await green.talk.hear(json.dumps({"type": "roll", "id": "r", "ply": 0}))
        assert code is None
        assert [one.guest.close_code for one in (green, blue)] == [1012, 1012]
        for one, ids in ((green, [None, "r"]), (blue, [None])):  # told why before the connection ends
            await one.guest.flush(PATIENCE)
            assert [(m["code"], m["id"]) for m in one.heard if m["type"] == "error"] == [
                ("store_failed", i) for i in ids
            ]
        assert not blue.steps()
        hall.store.append = really  # type: ignore[method-assign]
        again = await hall.room(green.room.table.id)
        assert again is not green.room
        assert again.table.ply == 0

    in_hall(scene)


def test_who_goes_away_while_it_is_stored_does_not_take_it_along(url: str) -> None:
    """The roll is on its way to the disk: it happens, and the others learn of it."""

    async def run() -> None:
        hall = hall_over(url)
        green, blue = await two_people(hall)
        may_commit, at_commit = threading.Event(), threading.Event()
        really = hall.store.commit

        def held_back(connection: sa.Connection) -> None:
            at_commit.set()
            may_commit.wait()
            really(connection)

        hall.store.commit = held_back  # type: ignore[method-assign]
        asking = asyncio.create_task(green.talk.hear(json.dumps({"type": "roll", "id": "r", "ply": 0})))
        await asyncio.to_thread(at_commit.wait)
        asking.cancel()
        await asyncio.sleep(0)
        assert not blue.steps()
        may_commit.set()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await blue.guest.flush(60)
        stored = await hall.store.load(green.room.table.id)
        assert stored is not None
        assert [fact.version for fact in stored[1]] == [step["version"] for step in blue.steps()]
        assert green.room.table.version == len(stored[1]) > 0
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_a_guest_who_does_not_read_is_dropped_and_the_others_play_on() -> None:
    """The guest's sends never end: whatever buffers a network has, nobody may wait for it."""

    async def scene(hall: Hall) -> None:
        green, blue = await two_people(hall)

        async def never(text: str) -> None:
            await asyncio.Event().wait()

        limit = 200_000
        deaf = Guest(never, limit)
        green.room.welcome(deaf, [], "en")
        while not deaf.gone.is_set():
            acting = green if green.view["turn"] == "green" else blue
            assert (await acting.play_on())["type"] == "done"
            assert green.room.table.ply < 1000
        assert deaf.close_code == SLOW
        # and it costs nothing any more
        deaf.post("x" * limit)
        assert not deaf._outbox
        assert (await (green if green.view["turn"] == "green" else blue).play_on())["type"] == "done"

    in_hall(scene)


def test_a_guest_whose_connection_breaks_disturbs_nobody() -> None:
    async def scene(hall: Hall) -> None:
        green, _blue = await two_people(hall)

        async def breaks(text: str) -> None:
            raise ConnectionError("gone")

        broken = Guest(breaks, 1 << 20)
        green.room.welcome(broken, [], "en")
        assert (await green.play_on())["type"] == "done"
        await until(broken.gone.is_set)

    in_hall(scene)


def test_bots_play_a_whole_game_while_somebody_watches() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, seats={"green": RANDOM, "blue": RANDOM}, options={"pieces": 1})
        room = await hall.room(made.table)
        assert room.table.version == 0  # nobody is here to see it
        watcher = Visitor(hall, room)
        await watcher.hello()
        await until(lambda: room.table.is_over)
        await watcher.guest.flush(60)
        over = watcher.view["over"]
        assert over["reason"] == "played"
        assert over["winners"][0].capitalize() in over["text"]
        assert watcher.view["moves"] == []

    in_hall(scene)


def test_bots_stop_when_the_last_guest_has_gone_and_go_on_with_the_next() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, seats={"green": RANDOM, "blue": RANDOM})
        room = await hall.room(made.table)
        watcher = Visitor(hall, room)
        await watcher.hello()
        await until(lambda: room.table.ply > 5)
        room.farewell(watcher.guest)
        await until(lambda: room._driver is not None and room._driver.done())
        stood = room.table.ply
        await Visitor(hall, room).hello()
        await until(lambda: room.table.ply > stood)

    in_hall(scene)


def test_a_bot_plays_for_somebody_who_is_gone_and_gives_the_seat_back() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, settings=Settings(pace=0, takeover=1))
        room = await hall.room(made.table)
        green, blue = Visitor(hall, room), Visitor(hall, room)
        await green.hello(made.tokens["green"])
        await blue.hello(made.tokens["blue"])
        room.farewell(green.guest)
        await until(lambda: room.table.chairs["green"].stands_in)
        await until(lambda: room.table.acting == "blue" or room.table.is_over)
        back = Visitor(hall, room)
        await back.hello(made.tokens["green"])
        await until(lambda: room.table.chairs["green"].bot is None)
        await blue.guest.flush(60)
        kinds = [step["kind"] for step in blue.steps() if step["by"] == "green"]
        assert kinds.index("takeover") < kinds.index("back")
        seats = [one for one in blue.heard if one["type"] == "seats"][-1]["seats"]
        assert (seats[0]["taken_over"], seats[0]["online"]) == (False, True)

    in_hall(scene)


def test_nobody_is_replaced_where_the_table_does_not_want_it() -> None:
    async def scene(hall: Hall) -> None:
        green, _blue = await two_people(hall)
        green.room.farewell(green.guest)
        assert green.room._timers == {}

    in_hall(scene)


def test_two_requests_at_once_are_carried_out_one_after_the_other() -> None:
    async def scene(hall: Hall) -> None:
        green, _blue = await two_people(hall)
        ply = green.view["ply"]
        messages = [json.dumps({"type": "roll", "id": f"r{n}", "ply": ply}) for n in range(10)]
        await asyncio.gather(*(green.talk.hear(message) for message in messages))
        await green.guest.flush(60)
        answers = [one["type"] for one in green.heard if one["type"] in ("done", "error")]
        assert sorted(answers) == ["done", *["error"] * 9]
        assert green.room.table.record.event(1).is_chance

    in_hall(scene)


def test_a_table_has_one_room_even_where_reading_it_failed_at_first() -> None:
    async def scene(hall: Hall) -> None:
        table = (await table_in(hall)).table
        really, calls = hall.store.load, []

        async def load(name: str) -> Any:
            calls.append(name)
            await asyncio.sleep(0)
            if len(calls) == 1:
                raise StoreError("not now")
            return await really(name)

        hall.store.load = load  # type: ignore[method-assign]

        async def stubborn() -> Room:
            try:
                return await hall.room(table)
            except StoreError:
                return await hall.room(table)

        one, two = await asyncio.gather(stubborn(), hall.room(table))
        assert one is two

    in_hall(scene)


def test_tables_that_nobody_is_at_are_forgotten_and_found_again() -> None:
    async def run() -> None:
        from dataclasses import replace

        hall = hall_over(limits=replace(ROOMY, tables_in_memory=3))
        first = await table_in(hall)
        room = await hall.room(first.table)
        visitor = Visitor(hall, room)
        await visitor.hello(first.tokens["green"])
        await visitor.play_on()
        stood = room.table.version
        room.farewell(visitor.guest)
        for _ in range(4):
            await hall.room((await table_in(hall)).table)
        assert len(hall._rooms) == 3
        again = await hall.room(first.table)
        assert again is not room
        assert again.table.version == stood
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_a_table_goes_on_after_a_restart_even_if_its_rule_set_has_changed(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def before() -> tuple[str, str, str, str]:
        hall = hall_over(url)
        made = await table_in(hall, "star")
        room = await hall.room(made.table)
        visitor = Visitor(hall, room)
        await visitor.hello(*made.tokens.values())
        for _ in range(25):
            await visitor.play_on()
        told = json.dumps((await visitor.hello(*made.tokens.values()))["log"])
        hall.close()
        hall.store.close()
        return made.table, json.dumps(made.tokens), json.dumps(room.table.position.to_dict()), told

    async def after(table: str, tokens: str, position: str, told: str) -> None:
        hall = hall_over(url)
        room = await hall.room(table)
        assert json.dumps(room.table.position.to_dict()) == position
        visitor = Visitor(hall, room)
        assert json.dumps((await visitor.hello(*json.loads(tokens).values()))["log"]) == told
        for _ in range(25):
            assert (await visitor.play_on())["type"] == "done"
        assert checked_record(record_text(room.table).encode()).position == room.table.position
        hall.close()
        hall.store.close()

    left = asyncio.run(before())

    def only_from_documents(*_: Any, **__: Any) -> ludus.Game:
        raise AssertionError("a stored table asks for no rule set by name")

    monkeypatch.setattr("ludus.core.registry.make", only_from_documents)
    asyncio.run(after(*left))


def test_a_table_plays_by_the_rules_it_began_with(url: str) -> None:
    """The stored rule set and the one that is shipped have one name and differ, as after an update."""

    async def begin() -> tuple[str, list[str]]:
        hall = hall_over(url)
        made = await table_in(hall, "star", options={"pieces": 2})
        hall.close()
        hall.store.close()
        return made.table, list(made.tokens.values())

    async def go_on(table: str, tokens: list[str]) -> None:
        hall = hall_over(url)
        visitor = Visitor(hall, await hall.room(table))
        await visitor.hello(*tokens)
        shipped = ludus.make("star", players=2)
        assert visitor.room.table.game.name == shipped.name
        assert visitor.room.table.game.digest != shipped.digest
        for _ in range(20):
            assert (await visitor.play_on())["type"] == "done"
        assert len(visitor.view["pieces"]) == 4
        hall.close()
        hall.store.close()

    asyncio.run(go_on(*asyncio.run(begin())))


def test_the_record_does_not_tell_coming_dice() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, seed=123456789)
        room = await hall.room(made.table)
        visitor = Visitor(hall, room)
        await visitor.hello(*made.tokens.values())
        for _ in range(8):
            await visitor.play_on()
        assert "123456789" not in record_text(room.table)
        assert "123456789" not in json.dumps(visitor.heard)
        await visitor.say(type="resign", player="green")
        assert json.loads(record_text(room.table).split("\n")[0])["seed"] == 123456789

    in_hall(scene)


def test_the_record_of_a_live_game_is_written_without_playing_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, seed=123456789)
        room = await hall.room(made.table)
        visitor = Visitor(hall, room)
        await visitor.hello(*made.tokens.values())
        for _ in range(8):
            await visitor.play_on()

        def again(*_: Any) -> None:
            raise AssertionError("a long game takes long to play again, and everybody waits")

        with monkeypatch.context() as patched:
            patched.setattr(Record, "play", again)
            text = record_text(room.table)
        assert checked_record(text.encode()).position == room.table.position

    in_hall(scene)


def test_nobody_plays_for_somebody_who_is_here() -> None:
    """A timer may ring just when a person is back: what counts is who is here then."""

    async def scene(hall: Hall) -> None:
        green, blue = await two_people(hall)
        green.room._is_absent("green")
        await blue.say(type="hint")  # whatever was begun is done
        await asyncio.gather(*green.room._tasks)
        assert green.room.table.chairs["green"].bot is None
        green.room.farewell(green.guest)
        green.room._is_absent("green")
        await asyncio.gather(*green.room._tasks)
        assert green.room.table.chairs["green"].bot == "heuristic"

    in_hall(scene)


def test_units_keep_their_ids_through_a_game_of_generals() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, "generals")
        room = await hall.room(made.table)
        visitor = Visitor(hall, room)
        await visitor.hello(*made.tokens.values())
        for _ in range(40):
            before = {piece["id"]: piece["place"] for piece in visitor.view["pieces"]}
            await visitor.play_on()
            after = {piece["id"]: piece["place"] for piece in visitor.view["pieces"]}
            moved = [name for name in after if before.get(name) != after[name]]
            assert len(after) == len(visitor.view["pieces"])
            converted = visitor.steps()[-1]["text"].startswith("=")  # a unit changes sides
            assert len(moved) <= 1 + converted
            listed = {one for move in visitor.view["moves"] for one in move["pieces"]}
            assert listed <= set(after)

    in_hall(scene)


def test_a_bot_that_fails_holds_nobody_up() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, seats={"green": {"kind": "bot", "bot": "broken"}, "blue": RANDOM})
        room = await hall.room(made.table)
        await Visitor(hall, room).hello()
        await until(lambda: sum(event.by == "green" and event.text != "pass" for event in room.table.record.events) > 2)

    in_hall(scene)


def test_a_slow_bot_thinks_elsewhere_and_the_loop_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bot but the random one thinks in a worker process, which knows nothing of what is done to ours."""

    def here(*_: Any) -> None:
        raise AssertionError("a bot thinks in the server's own process")

    monkeypatch.setattr("ludus.play.thinking.think", here)

    async def scene(hall: Hall) -> None:
        position = ludus.make("star", players=2).position(
            {"pieces": {"green": [1, 5, 9, 12], "blue": ["start"] * 4}, "turn": "green", "dice": [3]}
        )
        answer = await hall.thinker.explain(position, "greedy", "en")
        assert answer["move"] in [str(move) for move in position.moves()]
        assert answer["reasons"]

    in_hall(scene)


def test_who_waits_too_long_for_a_bot_gets_the_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.play.thinking.PATIENCE", 0.01)
    monkeypatch.setattr("ludus.play.thinking.stand_in", lambda: "random")

    async def scene(hall: Hall) -> None:
        async def never(*_: Any) -> dict[str, Any]:
            await asyncio.Event().wait()
            return {}

        monkeypatch.setattr(hall.thinker, "_ask", never)
        position = ludus.make("star", players=2).position(
            {"pieces": {"green": [1, 5, 9, 12], "blue": ["start"] * 4}, "turn": "green", "dice": [3]}
        )
        assert await hall.thinker.choose(position, "slow") in [str(move) for move in position.moves()]

    in_hall(scene)


def test_taking_back_in_generals_gives_the_units_their_places_again() -> None:
    async def scene(hall: Hall) -> None:
        made = await table_in(hall, "generals")
        visitor = Visitor(hall, await hall.room(made.table))
        await visitor.hello(*made.tokens.values())
        for _ in range(6):
            while visitor.view["to_move"] == "chance":
                await visitor.play_on()
            before = {piece["id"]: piece["place"] for piece in visitor.view["pieces"]}
            await visitor.say(type="move", ply=visitor.view["ply"], move=visitor.view["moves"][-1]["move"])
            if visitor.view["can_undo"]:
                assert (await visitor.say(type="undo", ply=visitor.view["ply"]))["type"] == "done"
                assert sorted(before.values()) == sorted(piece["place"] for piece in visitor.view["pieces"])
            await visitor.play_on()

    in_hall(scene)
