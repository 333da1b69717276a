"""Game records: JSON Lines that replay without any generator, because every roll is in them.

Line 1 is the header: format and its version, engine version, the whole rule set with its version and
digest, the seats, the seed, and the first position where it is not the standard one. Then one line per event,
a move or a chance outcome, and last the result of a finished game:

    {"n":1,"by":"chance","chance":"6","h":"5d0c…"}
    {"n":2,"by":"green","move":"out","h":"91ae…"}
    {"result":{"green":1.0,"blue":-1.0},"h":"07f2…"}

An event that made rules change says so: "changes":["late"].
`h` is a short digest of the line and of the `h` before it, so an edited, lost or moved line is found. It
shows accidents and clumsy edits; it is no signature, anybody can compute it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.core.engine import CHANCE
from ludus.core.errors import IllegalMove, LudusError, RecordError
from ludus.core.game import Game, Move, Position
from ludus.core.messages import Message
from ludus.core.random import SEED_BITS, stream

FORMAT = "ludus-record"
VERSION = 1

MAX_BYTES = 64 * 1024 * 1024
MAX_LINE = 256 * 1024
MAX_DEPTH = 16
MAX_NAME = 80

# a string that is never closed is one token too, and nothing is given back: no text is read twice
_STRING = re.compile(r'"(?:\\.|[^"\\])*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


@dataclass(frozen=True)
class Seat:
    """Who plays a colour: a name for people, and a kind such as 'person' or a bot's name."""

    name: str
    kind: str = "person"


@dataclass(frozen=True)
class RecordedEvent:
    """Ply `n`, from 1 on: `text` is a move's notation, or an outcome where `by` is 'chance'."""

    n: int
    by: str
    text: str
    changes: tuple[str, ...] = ()

    @property
    def is_chance(self) -> bool:
        """Whether it was drawn, not decided."""
        return self.by == "chance"

    def data(self) -> dict[str, Any]:
        """The event as its line's data."""
        data = {"n": self.n, "by": self.by, "chance" if self.is_chance else "move": self.text}
        return data | ({"changes": list(self.changes)} if self.changes else {})


class Record:
    """The log of one game. It grows with `play` and `roll`; the positions in it are immutable."""

    def __init__(self, start: Position, seats: dict[str, Seat], engine: str | None = None) -> None:
        self.game: Game = start.game
        self.seats = seats
        self._engine = engine
        self._events: list[RecordedEvent] = []
        self._positions = [start]

    @classmethod
    def start(
        cls,
        game: Game,
        seats: Mapping[str, Seat | str] | None = None,
        seed: int | None = None,
        position: Position | None = None,
    ) -> Record:
        """A new record, from the standard start or a set-up `position`; a Seat or a kind per player."""
        if position is None:
            first = game.start(seed or 0)
        elif position.game != game:
            raise LudusError(f"the position is one of {position.game!r}, not of {game!r}")
        else:
            first = game.position(position.to_dict(), position.seed if seed is None else seed)
        return cls(first, _seats(game, seats or {}))

    @property
    def engine(self) -> str:
        """The version of the engine that began the record."""
        return self._engine or engine_version()

    @property
    def seed(self) -> int:
        """What the rolls were drawn from; a replay does not need it."""
        return self._positions[0].seed

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._positions[-1]

    @property
    def events(self) -> tuple[RecordedEvent, ...]:
        """Every move and chance outcome, in order."""
        return tuple(self._events)

    @property
    def result(self) -> dict[str, float] | None:
        """None while the game goes on, else what each player got."""
        return self.position.result

    def positions(self) -> Iterator[Position]:
        """The first position, then the one after each event."""
        return iter(tuple(self._positions))

    def at(self, n: int) -> Position:
        """The position after `n` events."""
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= len(self):
            raise LudusError(f"the record has events 1 to {len(self)} (0: before them), not {n!r}")
        return self._positions[n]

    def event(self, n: int) -> RecordedEvent:
        """RecordedEvent `n`, from 1 on."""
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= len(self):
            raise LudusError(f"the record has events 1 to {len(self)}, not {n!r}")
        return self._events[n - 1]

    def play(self, move: Move | str) -> Position:
        """Append a legal move or a chance outcome; returns the position after it."""
        before = self.position
        if before.to_move == "chance":
            after, text = before.play(move), self.game.outcome_name(str(move))
        elif before.to_move is None or not isinstance(move, Move | str):
            return before.play(move)  # raises, with the reason
        else:
            chosen = before.move(before.action(move))
            after, text = before.play(chosen), str(chosen)
        self.follow(text, after)
        return after

    def follow(self, text: str, after: Position) -> None:
        """Append an event that was played elsewhere: `after` is what `play(text)` would give."""
        before = self.position
        changes = tuple(self.game.changes(before, text))
        self._events.append(RecordedEvent(len(self) + 1, str(before.to_move), text, changes))
        self._positions.append(after)

    def roll(self) -> Position:
        """Append the outcome that the position's own stream gives: the one of `position.roll()`."""
        return self.play(drawn_outcome(self.position))

    def undo(self) -> RecordedEvent:
        """Take the last event back; returns it."""
        if not self._events:
            raise LudusError("the record has no event to take back")
        self._positions.pop()
        return self._events.pop()

    def header(self) -> dict[str, Any]:
        """The data of line 1."""
        first = self._positions[0]
        data: dict[str, Any] = {
            "format": FORMAT, "version": VERSION, "engine": self.engine, "game": self.game.name,
            "rules_version": getattr(self.game.rules, "version", 1), "digest": self.game.digest,
            "document": self.game.document(), "seed": self.seed,
            "seats": {player: {"name": seat.name, "kind": seat.kind} for player, seat in self.seats.items()},
        }  # fmt: skip
        return data if first == self.game.start() else data | {"start": first.to_dict()}

    def dumps(self, *, hides_seed: bool = False) -> str:
        """The record as text: JSON Lines; of a game that goes on perhaps without the seed, which tells the dice."""
        lines = [self.header() | ({"seed": 0} if hides_seed else {}), *(event.data() for event in self._events)]
        if self.result is not None:
            lines.append({"result": self.result})
        link, written = "", []
        for data in lines:
            link = chained(link, data)
            written.append(_compact({**data, "h": link}) + "\n")
        if max(len(line.encode()) for line in written) > MAX_LINE:
            raise RecordError(f"a line would be longer than {MAX_LINE // 1024} kB, the most it may have")
        return "".join(written)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, which is either the old one or the whole new one, never a part."""
        target = Path(os.path.realpath(path))
        text = self.dumps()
        try:
            _replace(target, text.encode())
        except OSError as error:
            raise RecordError(f"{os.fspath(path)}: can't be written: {error.strerror or error}") from None

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, recover: bool = False, plugins: Any = None) -> Record:
        """The record in a file, every line checked; `recover` drops a last line that was cut off.

        A record alone runs no code: the plug-ins that its rules need must be allowed with `plugins`.
        """
        where = os.fspath(path)
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise RecordError(f"{where}: not a regular file")
        try:
            with open(path, "rb") as file:
                raw = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise RecordError(f"{where}: can't be read: {error.strerror or error}") from None
        return RecordReader(where, recover, plugins).read(raw)

    @classmethod
    def loads(cls, text: str, *, where: str = "record", recover: bool = False, plugins: Any = None) -> Record:
        """The record in a text, every line checked."""
        return RecordReader(where, recover, plugins).read(text.encode("utf-8", "surrogatepass"))

    def verify(self) -> Record:
        """Write it out, read and replay it with a game made anew; RecordError where anything does not fit."""
        again = Record.loads(self.dumps(), plugins=self.game.plugins)
        if again.position != self.position or again.events != self.events:
            raise RecordError(f"record, line {len(self) + 1}: a replay ends in another position")
        return self

    def __len__(self) -> int:
        return len(self._events)

    def __repr__(self) -> str:
        state = "unfinished" if self.result is None else "finished"
        return f"<Record of {self.game.name}: {len(self)} events, {state}>"


def engine_version() -> str:
    """The version of the installed package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ludus")
    except PackageNotFoundError:
        return "unknown"


def drawn_outcome(position: Position) -> str:
    """At chance: the outcome that `position.roll()` applies, by name."""
    if position.stage != CHANCE:
        raise IllegalMove(Message("ludus.core", "no_roll_due"))
    game, engine = position.game, position.game.engine
    row = engine.copy(position.row)
    key = stream(position.seed, 0)
    number = int(engine.kernel.roll_api(row, engine.tables, engine.scratch, key, position.ply))
    return list(game.chance_weights(position.row))[number]


def chained(link: str, data: Mapping[str, Any]) -> str:
    """The digest `h` of a line's data, after the one before it."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{link}\n{text}".encode()).hexdigest()[:16]


def _compact(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _seats(game: Game, given: Mapping[str, Seat | str]) -> dict[str, Seat]:
    for player in given:
        game.seat_of(player)
    seats = {}
    for player in game.players:
        seat = given.get(player, Seat(player, "unknown"))
        seats[player] = seat if isinstance(seat, Seat) else Seat(player, seat)
        for word in (seats[player].name, seats[player].kind):
            if not isinstance(word, str) or not word.isprintable() or not 0 < len(word) <= MAX_NAME:
                raise LudusError(f"seats: {player} needs a name and a kind of 1 to {MAX_NAME} letters")
    return seats


def _replace(target: Path, data: bytes) -> None:
    """Put `data` in place of a regular file by way of a temporary one beside it."""
    import tempfile

    mode = 0o666 & ~_umask()
    if target.exists():
        if not target.is_file():
            raise OSError(0, "not a regular file")
        mode = stat.S_IMODE(target.stat().st_mode)
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


class RecordReader:
    """Reads one record and names the line of whatever is wrong with it."""

    def __init__(self, where: str, recover: bool, plugins: Any = None) -> None:
        self.where = where
        self.plugins = plugins
        self.recover = recover
        self.line = 0
        self.link = ""

    def refuse(self, what: str) -> RecordError:
        """The error for the line at hand."""
        return RecordError(f"{self.where}, line {self.line}: {what}")

    def read(self, raw: bytes) -> Record:
        """The record, replayed."""
        if len(raw) > MAX_BYTES:
            raise RecordError(f"{self.where}: larger than {MAX_BYTES >> 20} MB, the most a record may have")
        lines = list(self._lines(raw))
        if not lines:
            raise RecordError(f"{self.where}, line 1: empty, where a record's header should be")
        self.line = 1
        record = self._start(lines[0])
        for self.line, data in enumerate(lines[1:], start=2):
            if "result" in data:
                self._check_result(record, data, last=self.line == len(lines))
            else:
                self._event(record, data)
        return record

    def _lines(self, raw: bytes) -> Iterator[dict[str, Any]]:
        """The data of each line; a last line that was cut off is named, or left out if asked for."""
        *whole, rest = raw.split(b"\n")
        for self.line, text in enumerate(whole, start=1):
            yield self._checked(text)
        if not rest:
            return
        self.line = len(whole) + 1
        try:
            data = self._checked(rest)
        except RecordError as error:
            if not whole:
                raise
            if not self.recover:
                raise self.refuse(f"cut off; `recover` keeps the {len(whole)} lines before it") from error
            return
        yield data

    def _checked(self, text: bytes) -> dict[str, Any]:
        """A line's data without `h`, which must follow from the line before."""
        data = self._parsed(text)
        if self.line == 1 and data.get("format") != FORMAT:
            raise self.refuse(f"not a game record: its header would say format {FORMAT!r}")
        given = data.pop("h", None)
        expected = chained(self.link, data)
        if given != expected:
            raise self.refuse("edited, damaged or out of place: its h is not that of the lines up to here")
        self.link = expected
        return data

    def _parsed(self, text: bytes) -> dict[str, Any]:
        if len(text) > MAX_LINE:
            raise self.refuse(f"longer than {MAX_LINE // 1024} kB, the most a line may have")
        try:
            decoded = text.decode("utf-8")
            if _depth(decoded) > MAX_DEPTH:
                raise self.refuse(f"nested deeper than {MAX_DEPTH} levels")
            data = json.loads(decoded, object_pairs_hook=_without_twins, parse_constant=_no_constant)
            json.dumps(data, ensure_ascii=False).encode()  # lone surrogates
        except UnicodeError:
            raise self.refuse("not UTF-8 text") from None
        except json.JSONDecodeError as error:
            reason = error.msg[0].lower() + error.msg[1:]
            raise self.refuse(f"not JSON: {reason} at column {error.colno}") from None
        except (ValueError, RecursionError) as error:
            raise self.refuse(f"not JSON: {error}") from None
        if not isinstance(data, dict):
            raise self.refuse("not a JSON object")
        return data

    def _take(self, data: dict[str, Any], key: str, kind: type, meaning: str) -> Any:
        value = data.pop(key, None)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.refuse(f"{key} is {meaning}, not {_shown(value)}")
        return value

    def _nothing_else(self, data: dict[str, Any]) -> None:
        if data:
            raise self.refuse(f"unknown key {_shown(next(iter(data)))}")

    def _start(self, header: dict[str, Any]) -> Record:
        data = {key: value for key, value in header.items() if key != "format"}
        number = self._take(data, "version", int, "a whole number")
        if number != VERSION:
            raise self.refuse(f"format version {number}; this ludus reads version {VERSION}")
        engine = self._take(data, "engine", str, "the version of the engine")
        seed = self._take(data, "seed", int, "a whole number")
        if not 0 <= seed <= SEED_BITS:
            raise self.refuse(f"seed is a whole number from 0 to 2^63 - 1, not {_shown(seed)}")
        game = self._game(data)
        seats = self._seats(game, self._take(data, "seats", dict, "an object with one entry per player"))
        start = data.pop("start", None)
        self._nothing_else(data)
        if start is None:
            return Record(game.start(seed), seats, engine)
        try:
            return Record(game.position(start, seed), seats, engine)
        except (LudusError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise self.refuse(f"start: {error}") from None

    def _game(self, data: dict[str, Any]) -> Game:
        from ludus.core.registry import from_document

        document = self._take(data, "document", dict, "the whole rule set")
        digest = self._take(data, "digest", str, "the digest of the rule set")
        name = self._take(data, "game", str, "the name of the game")
        number = self._take(data, "rules_version", int, "a whole number")
        try:
            game = from_document(document, self.plugins)
        except (LudusError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise self.refuse(f"document: {error}") from None
        # a later ludus may fill in options that the document lacks: then only its own digest agrees
        if digest not in (game.digest, document_digest(document)):
            raise self.refuse("the rule set is not the one that its digest was made of")
        if (name, number) != (game.name, getattr(game.rules, "version", 1)):
            raise self.refuse(f"{name!r} version {number} is not what the rule set calls itself")
        return game

    def _seats(self, game: Game, data: dict[str, Any]) -> dict[str, Seat]:
        if list(data) != list(game.players):
            raise self.refuse(f"seats: {', '.join(game.players)} play, not {_shown(', '.join(data))}")
        try:
            return _seats(game, {player: Seat(**seat) for player, seat in data.items()})
        except LudusError as error:
            raise self.refuse(str(error)) from None
        except TypeError:
            raise self.refuse("seats: a name and a kind for each player") from None

    def _event(self, record: Record, data: dict[str, Any]) -> None:
        """Check and play one event."""
        number = self._take(data, "n", int, "the number of the event")
        if number != len(record) + 1:
            raise self.refuse(f"event {number} where event {len(record) + 1} should be")
        by = self._take(data, "by", str, "a player or 'chance'")
        key = "chance" if by == "chance" else "move"
        text = self._take(data, key, str, "a chance outcome" if key == "chance" else "a move's notation")
        changes = data.pop("changes", [])
        self._nothing_else(data)
        acting = record.position.to_move
        if by != acting:
            due = "the game is over" if acting is None else f"{acting} is to act"
            raise self.refuse(f"{_shown(by)} can't act here: {due}")
        try:
            record.play(text)
        except LudusError as error:
            raise self.refuse(f"{by} {_shown(text)}: {error}") from None
        if changes != list(record.events[-1].changes):
            raise self.refuse(f"changes {_shown(changes)}, but {_shown(list(record.events[-1].changes))} changed")

    def _check_result(self, record: Record, data: dict[str, Any], last: bool) -> None:
        result = self._take(data, "result", dict, "an object with one number per player")
        self._nothing_else(data)
        if record.result is None:
            raise self.refuse("a result, but the game is not over")
        if result != record.result:
            raise self.refuse(f"result {_shown(result)}, but the game ended with {_compact(record.result)}")
        if not last:
            self.line += 1
            raise self.refuse("something after the result, which ends a record")


def document_digest(document: Mapping[str, Any]) -> str:
    """The digest of a rule set as it is written in a record."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _depth(text: str) -> int:
    """How deep brackets nest outside strings; counted before the parser recurses."""
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("a key is there twice")
    return data


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
