"""Whatever a client says: a documented answer, the board as it was unless it is legal, the others undisturbed."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

import ludus
from ludus.play.facts import GameKind, Settings, TableKind
from ludus.play.seats import Newcomer
from ludus.server.answers import AnyAnswer
from ludus.server.hall import Hall
from server.fitting import misfits
from server.guests import PEOPLE, RANDOM, ROOMY, Visitor, hall_over, table_in, until

DOCUMENTED = Path(__file__).parents[2] / "docs" / "protocol.md"
Scene = Callable[[Hall, Visitor, Visitor], Awaitable[None]]


def at_table(scene: Scene, **more: Any) -> None:
    """Green and blue at a table of French Ludo, whose seed gives green 6+6, 6+5."""

    async def run() -> None:
        limits = more.pop("limits", ROOMY)
        hall = hall_over(limits=limits)
        made = await table_in(hall, more.pop("name", "french"), **({"seed": 12} | more))
        room = await hall.room(made.table)
        visitors = [Visitor(hall, room) for _ in range(2)]
        for visitor, token in zip(visitors, made.tokens.values(), strict=True):
            await visitor.hello(token)
        try:
            await scene(hall, *visitors)
        finally:
            hall.close()
            hall.store.close()

    asyncio.run(run())


def codes_in_the_docs() -> set[str]:
    table = DOCUMENTED.read_text().partition("### Errors")[2]
    return {
        code
        for line in table.splitlines()
        if line.startswith("| `")
        for code in re.findall(r"`(\w+)`", line.split("|")[1])
    }


ROLL = {"type": "roll", "id": "a", "ply": 0}


def padded(size: int) -> str:
    """A roll of so many bytes, in half as many letters."""
    bare = len(json.dumps(ROLL | {"x": ""}))
    return json.dumps(ROLL | {"x": "é" * ((size - bare) // 2) + "e" * ((size - bare) % 2)}, ensure_ascii=False)


BAD = [
    ("not json", "nonsense", "bad_json"),
    ("empty", "", "bad_json"),
    ("an array", "[1]", "bad_json"),
    ("a number", "7", "bad_json"),
    ("bytes that are no text", b"\xff\xfe{", "bad_json"),
    ("deep", "[" * 2000, "bad_json"),
    ("a lone surrogate", '{"type":"roll","id":"\\ud800","ply":0}', "bad_json"),
    ("a lone surrogate as type", '{"type":"\\ud800","id":"a","ply":0}', "bad_json"),
    ("UTF-16", '{"type":"roll","id":"a","ply":0}'.encode("utf-16"), "bad_json"),
    ("a byte order mark", b'\xef\xbb\xbf{"type":"roll","id":"a","ply":0}', "bad_json"),
    ("two objects", '{"type":"roll","id":"a","ply":0}{}', "bad_json"),
    ("not a number", '{"type":"roll","id":"a","ply":0,"x":NaN}', "bad_json"),
    ("deep within", '{"type":"roll","id":"a","ply":0,"x":' + "[" * 1500 + "]" * 1500 + "}", "bad_json"),
    ("one type after another", '{"type":"roll","id":"a","ply":0,"type":"cheat"}', "bad_message"),
    ("id with a line end", ROLL | {"id": "a\n"}, "bad_message"),
    ("ply of many digits", '{"type":"roll","id":"a","ply":' + "9" * 4000 + "}", "bad_message"),
    ("ply with a fraction", ROLL | {"ply": 0.5}, "bad_message"),
    ("thirteen tokens", {"type": "hello", "tokens": ["x"] * 13}, "bad_message"),
    ("a language nobody speaks", {"type": "hello", "lang": "xx"}, "bad_message"),
    ("no type", {"id": "a"}, "bad_message"),
    ("unknown type", {"type": "cheat", "id": "a"}, "bad_message"),
    ("type is a list", {"type": ["roll"], "id": "a"}, "bad_message"),
    ("no id", {"type": "roll", "ply": 0}, "bad_message"),
    ("id of another kind", ROLL | {"id": 7}, "bad_message"),
    ("id too long", ROLL | {"id": "x" * 65}, "bad_message"),
    ("id with a space", ROLL | {"id": "a b"}, "bad_message"),
    ("no ply", {"type": "roll", "id": "a"}, "bad_message"),
    ("ply is text", ROLL | {"ply": "0"}, "bad_message"),
    ("ply is true", ROLL | {"ply": True}, "bad_message"),
    ("ply below 0", ROLL | {"ply": -1}, "bad_message"),
    ("ply is huge", ROLL | {"ply": 10**30}, "bad_message"),
    ("ply is infinite", '{"type":"roll","id":"a","ply":Infinity}', "bad_json"),
    ("ply is beyond numbers", '{"type":"roll","id":"a","ply":1e999}', "bad_message"),
    ("a stale ply", ROLL | {"ply": 5}, "stale"),
    ("a move before the roll", {"type": "move", "id": "a", "ply": 0, "move": "out"}, "not_now"),
    ("a move without a move", {"type": "move", "id": "a", "ply": 0}, "bad_message"),
    ("a very long move", {"type": "move", "id": "a", "ply": 0, "move": "1+" * 500}, "bad_message"),
    ("nothing to take back", {"type": "undo", "id": "a", "ply": 0}, "not_now"),
    ("why about nothing", {"type": "why", "id": "a"}, "bad_message"),
    ("why about two things", {"type": "why", "id": "a", "piece": "green-0", "move": "out"}, "bad_message"),
    ("why before the roll", {"type": "why", "id": "a", "piece": "green-0"}, "not_now"),
    ("a hint before the roll", {"type": "hint", "id": "a"}, "not_now"),
    ("a hint from nobody", {"type": "hint", "id": "a", "bot": "nobody"}, "unknown_bot"),
    ("a bot from a file", {"type": "bot", "id": "a", "bot": "/tmp/x.py:Bot"}, "unknown_bot"),
    ("a seat of somebody else", {"type": "resign", "id": "a", "player": "blue"}, "not_your_seat"),
    ("a seat that is not there", {"type": "leave", "id": "a", "player": "mauve"}, "not_your_seat"),
    ("a rematch too early", {"type": "rematch", "id": "a"}, "not_now"),
    ("a seat nobody else plays", {"type": "bot", "id": "a", "bot": None}, "not_now"),
    ("too large", json.dumps(ROLL | {"x": "é" * 2048}), "too_large"),
    ("too large by a byte, not by its letters", padded(4097), "too_large"),
]  # fmt: skip


@pytest.mark.parametrize(("message", "code"), [pytest.param(*rest, id=name) for name, *rest in BAD])
def test_bad_messages(message: Any, code: str) -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        heard = len(blue.heard)
        answer = await green.raw(message if isinstance(message, str | bytes) else json.dumps(message))
        assert answer["type"] == "error"
        assert answer["code"] == code
        assert answer["text"]
        assert (green.room.table.version, green.room.table.ply) == (0, 0)
        assert len(blue.heard) == heard
        assert green.close_code == (1009 if code == "too_large" else None)
        assert (await green.say(type="roll", ply=0))["type"] == "done"

    at_table(scene)
    assert code in codes_in_the_docs()


def test_a_message_of_4096_bytes_is_not_too_large() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        assert len(padded(4096).encode()) == 4096
        assert (await green.raw(padded(4096)))["type"] == "done"

    at_table(scene)


def test_every_kind_of_step_is_documented() -> None:
    steps = DOCUMENTED.read_text(encoding="utf-8").partition("Of a step, `kind` is")[2].partition("\n\n")[0]
    kinds = (*get_args(GameKind), *get_args(TableKind))
    assert [kind for kind in kinds if f"`{kind}`" not in steps] == []


def test_what_fits_a_type_of_the_protocol() -> None:
    done = {"type": "done", "id": "a", "version": 3}
    assert misfits(done, AnyAnswer) == []
    for wrong in ({**done, "seed": 1}, {**done, "version": "3"}, {"type": "done", "id": "a"}, {**done, "type": "x"}):
        assert misfits(wrong, AnyAnswer)


def test_every_documented_code_has_words_in_both_languages() -> None:
    from ludus.core.messages import catalogue

    for lang in ("en", "fr"):
        assert codes_in_the_docs() <= set(catalogue("ludus.play", lang)["refused"])


def test_a_foreign_move_is_refused_and_a_legal_one_is_done() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        assert (await blue.say(type="roll", ply=0))["code"] == "not_your_seat"
        await green.say(type="roll", ply=0)
        await green.say(type="roll", ply=1)
        answer = await green.say(type="move", ply=2, move="buy")
        assert (answer["code"], answer["reason"], answer["rule"]) == ("illegal_move", "nobody_to_buy", "F11")
        assert (await blue.say(type="move", ply=2, move="out"))["code"] == "not_your_seat"
        assert green.room.table.ply == 2
        assert (await green.say(type="move", ply=2, move="out"))["type"] == "done"
        step = green.steps()[-1]
        assert (step["kind"], step["move"]["move"], step["move"]["path"]) == ("move", "out", ["0"])
        assert step["words"] == "Green: comes out"

    at_table(scene)


def test_a_request_sent_again_is_answered_alike_and_done_once() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        first = await green.say(type="roll", ply=0, id="same")
        again = await green.say(type="roll", ply=0, id="same")
        assert first == again == {"type": "done", "version": 1, "id": "same"}
        assert green.room.table.ply == 1
        assert (await green.say(type="undo", ply=1, id="same"))["code"] == "id_taken"
        await green.say(type="roll", ply=1)
        moved = await green.say(type="move", ply=2, move="out", id="move")
        assert await green.say(type="move", ply=2, move="out", id="move") == moved
        assert (await green.say(type="move", ply=2, move="out+6", id="move"))["code"] == "id_taken"
        assert (await green.say(type="move", ply=3, move="1", id="same"))["code"] == "id_taken"
        assert green.room.table.ply == 3
        # another player's ids are their own
        assert (await blue.say(type="roll", ply=3, id="same"))["code"] == "not_your_seat"

    at_table(scene)


def test_what_a_request_leads_to_does_not_change_its_answer() -> None:
    """The table rolls and passes by itself after it, and more happens: a request that is sent again has one version."""

    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        done = await green.say(type="roll", ply=0, id="same")
        assert done["version"] == green.room.table.version > 1
        assert await green.say(type="roll", ply=0, id="same") == done
        left = await blue.say(type="leave", id="left")
        await green.say(type="bot", bot="random", id="bot")
        assert await blue.say(type="leave", id="left") == left
        await green.say(type="resign", id="over")
        again = await green.say(type="rematch", id="again")
        assert await green.say(type="rematch", id="again") == again

    at_table(scene, name="maedn", seed=3)


@pytest.mark.parametrize(
    "message", [{"type": "<script>"}, {"type": "hello", "lang": "<script>"}, {"type": "why", "id": "<script>"}]
)
def test_nothing_of_a_message_is_sent_back(message: dict[str, Any]) -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        assert "script" not in json.dumps(await green.raw(json.dumps(message)))

    at_table(scene)


def test_a_move_in_other_words_sent_again_is_done_once() -> None:
    """Dice of a combined move come in any order; the record has one."""

    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        for ply in range(2):
            await green.say(type="roll", ply=ply)
        moved = await green.say(type="move", ply=2, move="out+5+6", id="same")
        assert moved["type"] == "done"
        assert green.steps()[-1]["text"] == "out+6+5"
        assert await green.say(type="move", ply=2, move="out+5+6", id="same") == moved
        assert (await green.say(type="move", ply=2, move="out+6+5", id="same"))["code"] == "id_taken"
        assert green.room.table.ply == 3

    at_table(scene)


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "there is no move to take back"), ("fr", "il n'y a pas de coup à reprendre")]
)
def test_who_is_refused_is_told_so_in_their_language(lang: str, words: str) -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        await green.hello(lang=lang)
        assert words in (await green.say(type="undo", ply=0))["text"]

    at_table(scene)


def test_who_asks_for_a_hint_of_no_bot_gets_one_of_the_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        asked: list[str] = []

        async def explain(position: Any, bot: str, *_: Any) -> dict[str, Any]:
            asked.append(bot)
            return {"move": "out", "words": "", "reasons": []}

        monkeypatch.setattr(hall.thinker, "explain", explain)
        for ply in range(2):
            await green.say(type="roll", ply=ply)
        await green.say(type="hint")
        await green.say(type="hint", bot="greedy")
        assert asked == ["heuristic", "greedy"]

    at_table(scene)


def test_a_move_sent_again_after_a_restart_is_done_once(url: str) -> None:
    async def run() -> None:
        hall = hall_over(url)
        made = await table_in(hall, "french", seed=12)
        visitor = Visitor(hall, await hall.room(made.table))
        await visitor.hello(*made.tokens.values())
        for ply in range(2):
            await visitor.say(type="roll", ply=ply)
        message = {"type": "move", "ply": 2, "move": "out", "id": "m"}
        first = await visitor.say(**message)
        hall.close()
        hall.store.close()
        hall = hall_over(url)
        visitor = Visitor(hall, await hall.room(made.table))
        await visitor.hello(*made.tokens.values())
        assert await visitor.say(**message) == first
        assert visitor.room.table.ply == 3
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_hello_comes_first_and_tokens_must_fit() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        stranger = Visitor(hall, green.room)
        assert (await stranger.say(type="roll", ply=0))["code"] == "hello_first"
        answer = await stranger.hello("guessed")
        assert (answer["code"], stranger.close_code) == ("bad_token", 4403)
        assert stranger.guest not in green.room.guests
        watcher = Visitor(hall, green.room)
        await watcher.hello()
        assert (await watcher.say(type="roll", ply=0))["code"] == "not_your_seat"
        assert (await watcher.say(type="resign"))["code"] == "not_your_seat"
        assert (await watcher.say(type="leave"))["code"] == "not_your_seat"

    at_table(scene)


def test_a_token_opens_its_own_seat_at_its_own_table_alone() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        other = await table_in(hall)
        assert len({*other.tokens.values(), other.invite, other.table}) == 4
        assert all(len(token) >= 32 for token in other.tokens.values())  # 192 bits
        stranger = Visitor(hall, green.room)
        for secret in (*other.tokens.values(), other.invite, other.table, green.room.table.id):
            assert (await stranger.hello(str(secret)))["code"] == "bad_token"
        assert stranger.guest.players == []
        assert (await stranger.say(type="roll", ply=0))["code"] == "hello_first"
        assert green.room.table.version == 0

    at_table(scene)


def test_a_token_of_a_seat_that_was_left_opens_nothing_any_more(url: str) -> None:
    async def run() -> None:
        hall = hall_over(url)
        made = await table_in(hall)
        one = Visitor(hall, await hall.room(made.table))
        await one.hello(made.tokens["green"])
        await one.say(type="leave")
        assert (await Visitor(hall, one.room).hello(made.tokens["green"]))["code"] == "bad_token"
        hall.close()
        hall.store.close()
        hall = hall_over(url)
        again = Visitor(hall, await hall.room(made.table))
        assert (await again.hello(made.tokens["green"]))["code"] == "bad_token"
        assert (await again.hello(made.tokens["blue"]))["you"] == ["blue"]
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_secrets_are_never_told() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        stored = await hall.store.load(green.room.table.id)
        assert stored is not None
        secrets = [seat["token"] for seat in stored[0].seats.values()]
        for message in (ROLL, {"type": "why", "id": "b", "piece": "green-0"}, {"type": "hello", "tokens": ["x"]}):
            await green.raw(json.dumps(message))
        heard = json.dumps(green.heard + blue.heard)
        assert all(len(secret) == 64 and secret not in heard for secret in secrets)

    at_table(scene)


def test_five_bad_messages_in_a_row_are_enough() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        for _ in range(4):
            await green.raw("?")
            assert green.close_code is None
        await green.say(type="roll", ply=0)
        for _ in range(5):
            await green.raw("?")
        assert green.close_code == 4400

    at_table(scene)


def test_who_talks_too_fast_is_told_so_and_then_cut_off() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        answers = [(await green.say(**ROLL | {"ply": 9}))["code"] for _ in range(2)]
        assert answers == ["stale", "too_fast"]
        assert green.room.table.version == 0
        for _ in range(100):
            await green.say(**ROLL)
        assert green.room.table.version == 0
        assert green.close_code == 4429

    # one word a week, after the hello and one more
    at_table(scene, limits=replace(ROOMY, socket_rate=1e-6, socket_burst=2.0))


def test_an_address_has_a_limit_of_its_own() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        codes = [(await green.say(type="undo", ply=0))["code"] for _ in range(3)]
        assert codes == ["not_now", "not_now", "too_fast"]

    at_table(scene, limits=replace(ROOMY, address_rate=1e-6, address_burst=3.0))


def test_why_not() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        for ply in range(2):
            await green.say(type="roll", ply=ply)
        answer = await green.say(type="why", move="buy")
        assert answer["reasons"][0]["rule"] == "F11"
        assert answer["legal"] == []
        assert "out" in (await green.say(type="why", piece="green-0"))["legal"]
        answer = await green.say(type="why", piece="blue-0")
        assert (answer["legal"], answer["reasons"][0]["code"]) == ([], "not_yours")
        assert (await green.say(type="why", piece="green-9"))["code"] == "no_such_piece"
        await green.hello(*[], lang="fr")
        assert "(F11)" in (await green.say(type="why", move="buy"))["reasons"][0]["text"]

    at_table(scene)


def test_why_a_unit_of_generals_can_t_move() -> None:
    async def scene(hall: Hall, attacker: Visitor, defender: Visitor) -> None:
        await attacker.say(type="roll", ply=0)
        assert attacker.view["to_move"] == "attacker"
        movers = {one for move in attacker.view["moves"] for one in move["pieces"]}
        stuck = [piece["id"] for piece in attacker.view["pieces"] if piece["id"] not in movers]
        answers = [await attacker.say(type="why", piece=piece) for piece in stuck]
        assert stuck
        assert all(answer["reasons"] and not answer["legal"] for answer in answers)

    at_table(scene, name="generals")


@pytest.mark.parametrize("dice", [[3, "b20"], ["b20"], [5, "b10"]])
def test_why_where_tokens_are_left_that_are_no_dice(dice: list[Any]) -> None:
    """What a capture gave stands beside the dice, and has a name of its own."""

    async def scene(hall: Hall, green: Visitor, _: Visitor) -> None:
        for number in range(4):
            answer = await green.say(type="why", piece=f"green-{number}")
            assert answer["type"] == "why", answer
            assert answer["legal"] or answer["reasons"], answer
        assert (await green.say(type="why", move="5+b20"))["type"] == "why"

    pieces = {"green": [5, "end:3", "start", "finish"], "blue": ["start"] * 4}
    at_table(scene, name="parchis", start={"pieces": pieces, "turn": "green", "dice": dice})


def test_hints_come_with_words_and_reasons() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        for ply in range(2):
            await green.say(type="roll", ply=ply)
        answer = await green.say(type="hint", bot="random")
        assert answer["move"] in [move["move"] for move in green.view["moves"]]
        assert answer["words"]
        assert answer["reasons"]
        assert (await blue.say(type="hint"))["code"] == "not_your_seat"

    at_table(scene)


def test_leaving_a_seat_revokes_its_token_and_a_bot_plays_on() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        assert (await green.say(type="leave", id="bye"))["type"] == "done"
        assert (await green.say(type="leave", id="bye"))["type"] == "done"
        assert (await green.say(type="roll", ply=0))["code"] == "not_your_seat"
        await until(lambda: green.room.table.ply > 1)
        seats = next(one for one in reversed(blue.heard) if one["type"] == "seats")["seats"]
        assert (seats[0]["open"], seats[0]["taken_over"]) == (True, True)
        # a friend with the invite takes the seat, and the bot gives it up
        friend = green.room.table.opening.invite
        assert friend is not None
        await green.room.act(lambda: green.room.table.sit(Newcomer(None, "green", "Eve"), "f" * 64))
        assert green.room.table.chairs["green"].bot is None

    at_table(scene)


def test_an_invite_leads_to_a_free_seat_once() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        made = await table_in(hall, seats={"green": PEOPLE, "blue": {"kind": "open"}})
        assert list(made.tokens) == ["green"]
        assert made.invite is not None
        player, token = await hall.join(made.table, Newcomer(made.invite, None, "Bob"))
        room = await hall.room(made.table)
        guest = Visitor(hall, room)
        hello = await guest.hello(token)
        assert (player, hello["you"], hello["table"]["seats"][1]["name"]) == ("blue", ["blue"], "Bob")
        from ludus.play.refusals import Refused

        with pytest.raises(Refused, match="no seat is free"):
            await hall.join(made.table, Newcomer(made.invite, None, "Eve"))
        with pytest.raises(Refused, match="not for this table"):
            await hall.join(made.table, Newcomer("guessed", None, "Eve"))

    at_table(scene)


def test_a_bot_on_request_and_back() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        assert (await green.say(type="bot", bot="random"))["type"] == "done"
        await until(lambda: green.room.table.acting == "blue")
        chair = green.room.table.chairs["green"]
        assert (chair.stands_in, chair.chosen) == (True, True)
        assert (await green.say(type="bot", bot=None))["type"] == "done"
        assert chair.bot is None

    at_table(scene)


def test_resigning_ends_the_game_and_a_rematch_begins_another() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        await green.say(type="resign")
        over = blue.view["over"]
        assert (over["reason"], over["winners"]) == ("resigned", ["blue"])
        assert over["text"] == "Green gave up. Blue wins."
        assert (await blue.say(type="roll", ply=0))["code"] == "not_now"
        assert (await blue.say(type="rematch"))["type"] == "done"
        await green.guest.flush(60)
        told = [one["table"] for one in green.heard if one["type"] == "rematch"]
        assert len(told) == 1
        assert (await green.say(type="rematch"))["type"] == "done"
        room = await hall.room(told[0])
        assert room.table.chairs["green"].token == green.room.table.chairs["green"].token
        assert (room.table.ply, room.table.chairs["green"].bot) == (0, None)
        assert room.table.opening.seed != green.room.table.opening.seed

    at_table(scene)


def test_one_client_can_hold_several_seats() -> None:
    async def run() -> None:
        hall = hall_over()
        made = await table_in(hall, "star", players=4, seats={"red": RANDOM}, settings=Settings(pace=0, takeover=0))
        room = await hall.room(made.table)
        visitor = Visitor(hall, room)
        hello = await visitor.hello(*made.tokens.values())
        assert hello["you"] == ["green", "yellow", "blue"]
        seen: set[str] = set()
        while len(seen) < 3:
            await until(lambda: room.table.acting != "red")
            await visitor.guest.flush(60)
            seen.add(str(room.table.acting))
            await visitor.play_on()
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_names_are_data_never_markup() -> None:
    async def scene(hall: Hall, green: Visitor, blue: Visitor) -> None:
        name = '<img src=x onerror="alert(1)">'
        made = await table_in(hall, seats={"green": {"kind": "person", "name": name}})
        visitor = Visitor(hall, await hall.room(made.table))
        hello = await visitor.hello(made.tokens["green"])
        assert hello["table"]["seats"][0]["name"] == name  # as it is: clients show texts as texts
        assert "onerror" not in json.dumps([hello["scene"], hello["view"]])

    at_table(scene)


@pytest.mark.parametrize("name", ludus.games())
def test_every_piece_of_every_game_moves_or_says_why_not(name: str) -> None:
    async def run() -> None:
        hall = hall_over()
        game = ludus.make(name)
        made = await hall.make(game, dict.fromkeys(game.players, PEOPLE), Settings(pace=0, takeover=0), seed=12)
        person = Visitor(hall, await hall.room(made.table))
        await person.hello(*made.tokens.values())
        asked = 0
        while asked < 24:
            if game.has_secrets:  # cards are dealt by themselves
                await until(lambda: person.view["to_move"] != "chance")
            for piece in person.view["pieces"] if person.view["moves"] else ():
                answer = await person.say(type="why", piece=piece["id"])
                assert answer["legal"] or answer["reasons"], piece
                asked += 1
            answer = await person.play_on()
            assert answer["type"] == "done", answer
        hall.close()
        hall.store.close()

    asyncio.run(run())
