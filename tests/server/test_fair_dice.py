"""Fair dice: settled before the first roll, told to nobody, checked by anybody; every change of a record is found."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.core.errors import RecordError
from ludus.core.fair_dice import Entropy, FairDice, commitment_to, fair_number, new_dice_secret
from ludus.core.record import Record, chained, check_dice
from ludus.play.facts import Fact, Opening, Settings
from ludus.play.seats import seat_data
from ludus.play.table import Table
from ludus.server.hall import Hall, record_text
from server.guests import Visitor, hall_over, table_in

CHECK = Path(__file__).parents[2] / "scripts" / "check-dice"
SECRET = "00112233445566778899aabbccddeeff" * 2


def checked(path: Path, *more: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-I", str(CHECK), str(path), *more], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def played(name: str = "maedn", secret: str = SECRET, **settings: Any) -> Table:
    """A game to its end, with words of both players."""
    game = ludus.make(name, **({} if name == "generals" else {"players": 2}))
    seats = {player: seat_data("person") for player in game.players}
    table = Table(Opening("t", game.document(), 0, seats, Settings(**settings), secret=secret), game)

    def let(facts: list[Fact]) -> None:
        for fact in facts:
            table.apply(fact)

    first, second = game.players[:2]
    let(table.add_entropy(first, "my-word"))
    while not table.is_over:
        by = str(table.acting)
        if table.rolls == 3 and len(table.record.dice.entropies) == 1:  # type: ignore[union-attr]
            let(table.add_entropy(second, "late"))
        if table.position.to_move == "chance":
            let(table.roll([by], table.ply))
        else:
            moves = table.position.moves()
            let(table.move([by], table.ply, str(moves[table.ply % len(moves)])))
    return table


@pytest.fixture(scope="module")
def finished() -> Table:
    return played()


def test_a_roll_is_what_the_page_says() -> None:
    """Worked by hand from docs/fair-dice.md."""
    import hmac

    text = b"ludus dice 1\n7\n0\ngreen:a\nblue:b"
    x = int.from_bytes(hmac.new(bytes.fromhex(SECRET), text, hashlib.sha256).digest()[:8], "big")
    dice = FairDice.of_secret(SECRET)
    dice.entropies += [Entropy(0, "green", "a"), Entropy(6, "blue", "b"), Entropy(7, "green", "too late")]
    assert dice.outcome({"1": 1, "2": 2, "3": 3}, 7) == "122333"[x % 6]
    assert dice.commitment == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()


def test_numbers_that_would_favour_somebody_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """2^64 = 3 · 6148914691236517205 + 1: the last number is left out."""
    given = iter([b"\xff" * 32, b"\xff" * 7 + b"\xfe" + bytes(24)])
    monkeypatch.setattr("ludus.core.fair_dice.hmac.digest", lambda *_: next(given))
    assert fair_number(SECRET, [], 1, 3) == (2**64 - 2) % 3


def test_faces_are_equally_frequent() -> None:
    counts = Counter(fair_number(SECRET, ["green:x"], n, 6) for n in range(1, 60_001))
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 35.9  # χ², 5 degrees, α = 10⁻⁶


@pytest.mark.parametrize("name", ["maedn", "french", "deck", "generals"])
def test_a_finished_game_is_checked_by_us_and_by_anybody(name: str, tmp_path: Path) -> None:
    table, path = played(name), tmp_path / "game.jsonl"
    path.write_text(record_text(table))
    record = Record.load(path)
    assert check_dice(record) == table.rolls == sum(event.is_chance for event in record.events)
    assert record.dumps() == path.read_text()
    assert checked(path)[0] == checked(path, commitment_to(SECRET))[0] == 0
    assert checked(path, commitment_to("ff" * 32)) == (1, "line 1: this is not the commitment that was shown\n")


def test_every_changed_byte_is_found(finished: Table, tmp_path: Path) -> None:
    """Anywhere in the record, without and with the chain of its lines made anew."""
    text, path = record_text(finished), tmp_path / "game.jsonl"
    for at in range(0, len(text), max(1, len(text) // 40)):
        changed = text[:at] + ("x" if text[at] != "x" else "y") + text[at + 1 :]
        path.write_text(changed)
        assert checked(path)[0] == 1, at
        with pytest.raises(RecordError):
            check_dice(Record.loads(changed))


def relinked(lines: list[dict[str, Any]]) -> str:
    link, written = "", []
    for data in lines:
        plain = {key: value for key, value in data.items() if key != "h"}
        link = chained(link, plain)
        written.append(json.dumps({**plain, "h": link}, ensure_ascii=False, separators=(",", ":")) + "\n")
    return "".join(written)


def another_secret(header: dict[str, Any]) -> None:
    header["dice"]["secret"] = "ff" * 32


def another_secret_and_commitment(header: dict[str, Any]) -> None:
    header["dice"] |= {"secret": "ff" * 32, "commitment": commitment_to("ff" * 32)}


def another_word(header: dict[str, Any]) -> None:
    header["dice"]["entropies"][0][2] = "your-word"


def later_word(header: dict[str, Any]) -> None:
    header["dice"]["entropies"][1][0] += 1


def no_words(header: dict[str, Any]) -> None:
    header["dice"]["entropies"] = []


@pytest.mark.parametrize(
    "forge",
    [another_secret, another_secret_and_commitment, another_word, later_word, no_words],
    ids=lambda f: f.__name__,
)
def test_a_forgery_with_a_fitting_chain_is_found(forge: Any, finished: Table, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in record_text(finished).splitlines()]
    forge(lines[0])
    path = tmp_path / "game.jsonl"
    path.write_text(relinked(lines))
    assert checked(path)[0] == 1
    with pytest.raises(RecordError):
        check_dice(Record.load(path))


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("entropies", 5, "entropies is a list"),
        ("entropies", None, "entropies is a list"),
        ("entropies", {"green": "w"}, "entropies is a list"),
        ("entropies", [5], "an entropy is"),
        ("entropies", [[True, "green", "w"]], "an entropy is"),
        ("entropies", [[-1, "green", "w"]], "an entropy is"),
        ("entropies", [[0, "green", "two words"]], "an entropy is"),
        ("entropies", [[0, "nobody", "w"]], "'nobody' does not play"),
        ("entropies", [[3, "green", "w"], [0, "blue", "w"]], "in the order they came"),
        ("secret", 7, "64 hexadecimal digits"),
        ("commitment", None, "64 hexadecimal digits"),
        ("more", 1, "and nothing else"),
    ],
)
def test_dice_that_are_none_are_told_in_a_sentence(key: str, value: Any, told: str, finished: Table) -> None:
    header = json.loads(record_text(finished).splitlines()[0])
    header["dice"][key] = value
    with pytest.raises(RecordError, match=f"line 1: dice: .*{told}"):
        Record.loads(relinked([header]))


def test_while_the_game_goes_on_nobody_is_told_the_secret(tmp_path: Path) -> None:
    async def run() -> None:
        hall = hall_over()
        made = await table_in(hall, seed=None)
        room = await hall.room(made.table)
        secret = room.table.opening.secret
        assert secret is not None
        green = Visitor(hall, room)
        hello = await green.hello(*made.tokens.values())
        assert hello["table"]["dice"] == {
            "kind": "fair", "commitment": commitment_to(secret), "secret": None, "entropies": [],
        }  # fmt: skip
        assert hello["table"]["notices"] == []
        assert (await green.say(type="entropy", player="green", entropy="mine"))["type"] == "done"
        assert (await green.say(type="entropy", player="green", entropy="<b>"))["code"] == "bad_message"
        for _ in range(30):
            await green.play_on()
        live = record_text(room.table)
        assert secret not in live + json.dumps(green.heard)
        with pytest.raises(RecordError, match="not revealed"):
            check_dice(Record.loads(live))
        await green.say(type="resign", player="green")
        shown = (await green.hello(*made.tokens.values()))["table"]["dice"]
        assert (shown["secret"], shown["entropies"]) == (secret, [[0, "green", "mine"]])
        assert check_dice(Record.loads(record_text(room.table))) == room.table.rolls > 0
        path = tmp_path / "game.jsonl"
        path.write_text(record_text(room.table))
        assert checked(path, commitment_to(secret))[0] == 0
        await again_after_restart(hall, made.table, secret)

    async def again_after_restart(hall: Hall, table: str, secret: str) -> None:
        room = await hall._load(table)
        assert room.table.record.dumps() == (await hall.room(table)).table.record.dumps()
        assert room.table.opening.secret == secret
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_a_rematch_has_a_secret_of_its_own() -> None:
    async def run() -> None:
        hall = hall_over()
        made = await table_in(hall, seed=5)
        room = await hall.room(made.table)
        green = Visitor(hall, room)
        shown = (await green.hello(*made.tokens.values()))["table"]
        assert (shown["dice"]["kind"], len(shown["notices"])) == ("seeded", 1)
        assert (await green.say(type="entropy", player="green", entropy="mine"))["code"] == "not_now"
        await green.say(type="resign", player="green")
        await green.say(type="rematch")
        tables = [await hall.room(str(room.table.rematch)) for _ in range(1)]
        dice = tables[0].views.dice()
        assert (dice["kind"], dice["secret"]) == ("fair", None)
        assert tables[0].views.table_data("en", ())["notices"] == []
        hall.close()
        hall.store.close()

    asyncio.run(run())


def test_secrets_are_all_different() -> None:
    assert len({new_dice_secret() for _ in range(100)}) == 100


def test_rolls_that_the_table_makes_by_itself_are_numbered_too() -> None:
    table = played(auto_roll=True)
    assert check_dice(Record.loads(record_text(table))) == table.rolls


@pytest.mark.soak
def test_ten_million_rolls_look_like_dice() -> None:
    """Faces, pairs of rolls, and how long runs of one face are, over many secrets; α = 10⁻⁶ each."""
    import numpy as np

    faces = {str(face): 1 for face in range(1, 7)}
    rolls = np.empty((1_000, 10_000), dtype=np.int8)
    for game in range(len(rolls)):
        dice = FairDice.of_secret(new_dice_secret())
        dice.entropies.append(Entropy(0, "green", f"word{game}"))
        rolls[game] = [int(dice.outcome(faces, number)) - 1 for number in range(1, rolls.shape[1] + 1)]
    assert chi_squared(np.bincount(rolls.ravel(), minlength=6), np.full(6, 1 / 6)) < 35.9
    pairs = rolls[:, 0::2].astype(int) * 6 + rolls[:, 1::2]
    assert chi_squared(np.bincount(pairs.ravel(), minlength=36), np.full(36, 1 / 36)) < 94.5
    same = rolls[:, 1:] == rolls[:, :-1]  # within a game, each with probability 1/6 whatever came before
    triples = np.bincount((same[:, 0:-1:2].astype(int) * 2 + same[:, 1::2]).ravel(), minlength=4)
    assert chi_squared(triples, np.array([25, 5, 5, 1]) / 36) < 30.7


def chi_squared(counts: Any, chances: Any) -> float:
    expected = counts.sum() * chances
    return float(((counts - expected) ** 2 / expected).sum())
