"""What strangers send, a function for each kind: whatever the bytes are, nothing but a LudusError may come of them."""

from __future__ import annotations

import json
import tempfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import ludus
from ludus.bots.external import ExternalBot
from ludus.bots.net_files import load_net
from ludus.core.errors import LudusError
from ludus.core.fair_dice import Entropy, FairDice
from ludus.core.game import Game
from ludus.core.record import Record, as_line, chained
from ludus.core.record_reader import RecordReader
from ludus.games.ludo.document.loading import parse
from ludus.play.facts import Fact, Rest
from ludus.server.packing import Packed, pack, unpack
from ludus.server.requests import id_of, read, understood

GAMES = ("star", "french", "generals", "tides", "parchis")
MOST_DOCUMENT, MOST_RECORD, MOST_MESSAGE = 64 << 10, 1 << 16, 4097


@cache
def game(number: int) -> Game:
    return ludus.make(GAMES[number % len(GAMES)])


def document(data: bytes) -> None:
    """A rule set of somebody's own, made and begun."""
    made = ludus.make(parse(data[:MOST_DOCUMENT].decode("utf-8", "replace"), "document"))
    position = made.start()
    for _ in range(8):
        if position.to_move == "chance":
            position = position.roll()
        elif position.to_move is not None:
            position = position.play(position.moves()[0])


def position(data: bytes) -> None:
    """A position as plain data, for one of the games, and what can be asked of it."""
    if data:
        found = game(data[0]).position(json.loads(data[1:]))
        found.moves()
        found.outcomes()
        found.scene("fr")


def notation(data: bytes) -> None:
    """A move in words, at a few positions."""
    if data:
        first = game(data[0]).start()
        words = data[1:].decode("utf-8", "replace")
        for outcome in ["", *list(first.outcomes())[-2:]]:
            with suppress(LudusError):
                (first.play(outcome) if outcome else first).play(words)


def record(data: bytes) -> None:
    """A record; its links are made to fit, or nothing else would ever be looked at."""
    lines, link = [], ""
    for line in data[:MOST_RECORD].splitlines():
        lines.append(line)
        with suppress(ValueError, RecursionError):
            told = json.loads(line)
            if isinstance(told, dict):
                told.pop("h", None)
                link = chained(link, told)
                lines[-1] = as_line({**told, "h": link}).encode("utf-8", "surrogatepass")
    RecordReader("record", recover=False).read(b"\n".join(lines) + b"\n")


@cache
def asked_bot() -> ExternalBot:
    bot = ExternalBot("true")
    bot._asked = 1
    return bot


class Said:
    """A program that has said one line."""

    def __init__(self, line: bytes) -> None:
        self.said = line

    def line(self, deadline: float) -> bytes:
        return self.said


def bot_answer(data: bytes) -> None:
    """What a bot in another language answers."""
    asked_bot()._answer(Said(data), 4, 0.0)  # type: ignore[arg-type]


def message(data: bytes) -> None:
    """A message over the socket, as text and as bytes."""
    for raw in (data[:MOST_MESSAGE], data[:MOST_MESSAGE].decode("utf-8", "surrogateescape")):
        with suppress(LudusError):
            told = read(raw)
            id_of(told)
            understood(told)


def weights(data: bytes) -> None:
    """A file of weights; how long its header is, is made to fit."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        path = Path(folder) / "net.safetensors"
        header, _, body = data.partition(b"\0")
        path.write_bytes(len(header).to_bytes(8, "little") + header + body)
        load_net(path)


def packed(data: bytes) -> None:
    """Packed facts, as a data base may have them; also whatever can be packed, or only its sum would be looked at."""
    with suppress(LudusError):
        unpack(data)
    unpack(zlib.compress(data, 1))


TARGETS: dict[str, Callable[[bytes], None]] = {
    "document": document, "position": position, "notation": notation, "record": record, "bot": bot_answer,
    "message": message, "weights": weights, "packed": packed,
}  # fmt: skip


def fed(target: Callable[[bytes], None], data: bytes) -> None:
    """Give a target something: what it refuses in a sentence is well, and so is what is no JSON at all."""
    try:
        target(data)
    except LudusError:
        return
    except (ValueError, RecursionError) as error:
        # the position target reads JSON by itself: what is none never reaches the game
        if isinstance(error, RecursionError) or type(error) not in (json.JSONDecodeError, UnicodeDecodeError):
            raise


def seeds() -> dict[str, list[bytes]]:
    """Where the fuzzer begins: what is valid."""
    found: dict[str, list[bytes]] = {name: [] for name in TARGETS}
    for number, name in enumerate(GAMES):
        at = game(number).start()
        notes = Record.start(game(number))
        for _ in range(12):
            at = at.roll() if at.to_move == "chance" else at.play(at.moves()[-1])
            notes.roll() if notes.position.to_move == "chance" else notes.play(str(notes.position.moves()[-1]))
        found["position"].append(bytes([number]) + json.dumps(at.to_dict()).encode())
        found["record"].append(notes.dumps().encode())
        notes.dice = FairDice.of_secret("5c" * 32)
        notes.dice.entropies.append(Entropy(0, next(iter(notes.seats)), "w"))
        found["record"].append(notes.dumps().encode())
        found["notation"] += [bytes([number]) + move.encode() for move in ("out", "1+6", "pass", "finish+1")]
        found["document"].append(f'extends = "{name}"\nname = "x"\n'.encode())
    found["document"].append(
        b'name = "g"\n[board]\nshape = "graph"\nseats = 2\npieces = 2\npaths = ["start > a > b > finish", "a > c"]\n'
    )
    for asked in (
        {"type": "hello", "tokens": ["x"], "lang": "fr"}, {"type": "roll", "id": "a", "ply": 0},
        {"type": "move", "id": "a", "ply": 1, "move": "out"}, {"type": "why", "id": "a", "piece": "green:1"},
        {"type": "entropy", "id": "a", "entropy": "w"}, {"type": "say", "id": "a", "phrase": "hello"},
    ):  # fmt: skip
        found["message"].append(json.dumps(asked).encode())
    found["bot"] += [b'{"id": 1, "move": 2}', b'{"id": 1, "move": true}', b"[]"]
    entry = (
        b'{"__metadata__":{"format":"ludus-net","count":"3"},"w0":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}'
    )
    found["weights"] += [entry + b"\0" + bytes(8), b"{}\0"]
    facts = [
        Fact(1, "sit", "green", "Ada", None, {"token": "x"}),
        Fact(2, "roll", "chance", "6", "a", {"for": "green"}),
    ]
    found["packed"] += [pack(Packed(facts, None)), zlib.decompress(pack(Packed(facts, Rest(1, {"ply": 1}, {}, {}))))]
    return found
