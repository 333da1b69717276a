"""Game records: JSON Lines that replay without any generator, because every roll is in them.

Line 1 is the header: format and its version, engine version, the whole rule set with its version and
digest, the seats, the seed, and the first position where it is not the standard one. Then one line per event,
a move or a chance outcome, and last the result of a finished game:

    {"n":1,"by":"chance","chance":"6","h":"5d0c…"}
    {"n":2,"by":"green","move":"out","h":"91ae…"}
    {"result":{"green":1.0,"blue":-1.0},"h":"07f2…"}

An event that made rules change says so: "changes":["late"].
Where anyone can check the dice (fair_dice.py), the header has them as "dice", and a roll whose outcomes or weights are
not those of the roll before it lists them: "odds":[["1",1],["2",1],…].
`h` is a short digest of the line and of the `h` before it, so an edited, lost or moved line is found. It
shows accidents and clumsy edits; it is no signature, anybody can compute it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any

from ludus.core.errors import IllegalMove, LudusError, RecordError
from ludus.core.fair_dice import FairDice, commitment_to
from ludus.core.game import Game
from ludus.core.kernels.codes import CHANCE
from ludus.core.messages import Message
from ludus.core.position import Move, Position
from ludus.core.whole_file import write_whole

if TYPE_CHECKING:
    from ludus.core.record_reader import RecordReader

FORMAT = "ludus-record"
VERSION = 1

MAX_BYTES = 64 * 1024 * 1024
MAX_LINE = 256 * 1024
MAX_NAME = 80


@dataclass(frozen=True)
class Seat:
    """Who plays a colour: a name for people, and a kind such as 'person' or a bot's name."""

    name: str
    kind: str = "person"


@dataclass(frozen=True, slots=True)
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
        self.dice: FairDice | None = None  # where anyone can check them
        self._engine = engine
        # what happened, in little room: a server has many games at once
        self._by: list[str] = []
        self._texts: list[str] = []
        self._changes: dict[int, tuple[str, ...]] = {}  # of the rules, by the number of the event
        self._first = start
        self._last = start
        self._positions: dict[int, Position] = {0: start}
        self._keeps: int | None = None

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
        return cls(first, checked_seats(game, seats or {}))

    @property
    def engine(self) -> str:
        """The version of the engine that began the record."""
        return self._engine or engine_version()

    @property
    def seed(self) -> int:
        """What the rolls were drawn from; a replay does not need it."""
        return self._first.seed

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._last

    @property
    def events(self) -> tuple[RecordedEvent, ...]:
        """Every move and chance outcome, in order."""
        return tuple(self.event(n) for n in range(1, len(self) + 1))

    @property
    def result(self) -> dict[str, float] | None:
        """None while the game goes on, else what each player got."""
        return self.position.result

    def positions(self) -> Iterator[Position]:
        """The first position, then the one after each event."""
        return iter([self.at(n) for n in range(len(self) + 1)])

    def at(self, n: int) -> Position:
        """The position after `n` events."""
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= len(self):
            raise LudusError(f"the record has events 1 to {len(self)} (0: before them), not {n!r}")
        return self._positions.get(n) or self._played_again(n)

    def event(self, n: int) -> RecordedEvent:
        """RecordedEvent `n`, from 1 on."""
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= len(self):
            raise LudusError(f"the record has events 1 to {len(self)}, not {n!r}")
        return RecordedEvent(n, self._by[n - 1], self._texts[n - 1], self._changes.get(n, ()))

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
        self._texts.append(intern(text))
        self._by.append(intern(str(before.to_move)))
        self._last = self._positions[len(self)] = after
        if changes:
            self._changes[len(self)] = changes
        if self._keeps is not None and len(self._positions) > self._keeps:
            self._forget()

    def roll(self) -> Position:
        """Append the outcome that the position's own stream gives: the one of `position.roll()`."""
        return self.play(drawn_outcome(self.position))

    def undo(self) -> RecordedEvent:
        """Take the last event back; returns it."""
        if not len(self):
            raise LudusError("the record has no event to take back")
        event, before = self.event(len(self)), self.at(len(self) - 1)
        self._positions.pop(len(self), None)
        self._changes.pop(len(self), None)
        self._texts.pop()
        self._by.pop()
        self._last = before
        return event

    def keep(self, positions: int) -> None:
        """Keep the newest so many positions from now on; older ones are played again when somebody asks for them."""
        self._keeps = 2 * positions
        self._forget()

    def _forget(self) -> None:
        kept = range(max(0, len(self) - (self._keeps or 0) // 2), len(self) + 1)
        self._positions = {n: position for n, position in self._positions.items() if n in kept}

    def _played_again(self, n: int) -> Position:
        """A position that was forgotten, and with it all others: who asks for one asks for the next one too."""
        position = self._first
        self._positions[0] = position
        for number, text in enumerate(self._texts, start=1):
            position = self._positions.setdefault(number, position.play(text))
        return self._positions[n]

    def resume(self, line: Sequence[tuple[str, str]], changes: Mapping[str, Sequence[str]], last: Position) -> None:
        """Stand where a game once stood: who did what until then, what changed in the rules, and the position."""
        self._by = [intern(by) for by, _ in line]
        self._texts = [intern(text) for _, text in line]
        self._changes = {int(n): tuple(told) for n, told in changes.items()}
        self._last = type(last)(last.game, last.row, self.seed, len(line))
        self._positions = {len(line): self._last}

    @property
    def changes(self) -> dict[int, tuple[str, ...]]:
        """What changed in the rules, by the number of the event that brought it."""
        return dict(self._changes)

    def header(self) -> dict[str, Any]:
        """The data of line 1."""
        first = self._first
        data: dict[str, Any] = {
            "format": FORMAT, "version": VERSION, "engine": self.engine, "game": self.game.name,
            "rules_version": getattr(self.game.rules, "version", 1), "digest": self.game.digest,
            "document": self.game.document(), "seed": self.seed,
            "seats": {player: {"name": seat.name, "kind": seat.kind} for player, seat in self.seats.items()},
        }  # fmt: skip
        data |= {} if self.dice is None else {"dice": self.dice.data()}
        return data if first == self.game.start() else data | {"start": first.to_dict()}

    def _hidden(self) -> dict[str, Any]:
        """What the header says instead while the game goes on: where the dice come from would tell them."""
        return {"seed": 0} | ({} if self.dice is None else {"dice": self.dice.data(hides_secret=True)})

    def _lines(self) -> Iterator[dict[str, Any]]:
        """The data of every event."""
        odds: list[list[Any]] = []
        for event in self.events:
            before = self.at(event.n - 1)
            data, old = event.data(), odds
            if self.dice is not None and event.is_chance:
                odds = odds_at(before)
            yield data if odds == old else data | {"odds": odds}

    def dumps(self, *, hides_seed: bool = False) -> str:
        """The record as text: JSON Lines; of a game that goes on perhaps without the seed, which tells the dice."""
        lines = [self.header() | (self._hidden() if hides_seed else {}), *self._lines()]
        if self.result is not None:
            lines.append({"result": self.result})
        link, written = "", []
        for data in lines:
            link = chained(link, data)
            written.append(as_line({**data, "h": link}) + "\n")
        if max(len(line.encode()) for line in written) > MAX_LINE:
            raise RecordError(f"a line would be longer than {MAX_LINE // 1024} kB, the most it may have")
        return "".join(written)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, which is either the old one or the whole new one, never a part."""
        target = Path(os.path.realpath(path))
        text = self.dumps()
        try:
            write_whole(target, text.encode())
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
        return _reader(where, recover, plugins).read(raw)

    @classmethod
    def loads(cls, text: str, *, where: str = "record", recover: bool = False, plugins: Any = None) -> Record:
        """The record in a text, every line checked."""
        return _reader(where, recover, plugins).read(text.encode("utf-8", "surrogatepass"))

    def verify(self) -> Record:
        """Write it out, read and replay it with a game made anew; RecordError where anything does not fit."""
        again = Record.loads(self.dumps(), plugins=self.game.plugins)
        if again.position != self.position or again.events != self.events:
            raise RecordError(f"record, line {len(self) + 1}: a replay ends in another position")
        return self

    def __len__(self) -> int:
        return len(self._texts)

    def __repr__(self) -> str:
        state = "unfinished" if self.result is None else "finished"
        return f"<Record of {self.game.name}: {len(self)} events, {state}>"


def _reader(where: str, recover: bool, plugins: Any) -> RecordReader:
    from ludus.core.record_reader import RecordReader

    return RecordReader(where, recover, plugins)


def engine_version() -> str:
    """The version of the installed package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ludus")
    except PackageNotFoundError:
        return "unknown"


def drawn_outcome(position: Position, draw: tuple[int, int] | None = None) -> str:
    """At chance: the outcome that `position.roll()` applies, by name; `draw`: of another stream, by key and number."""
    if position.stage != CHANCE:
        raise IllegalMove(Message("ludus.core", "no_roll_due"))
    return list(position.game.chance_weights(position.row))[position.game.drawn_number(position, draw)]


def odds_at(position: Position) -> list[list[Any]]:
    """At chance: every outcome with its weight."""
    return [[name, weight] for name, weight in position.game.chance_weights(position.row).items()]


def check_dice(record: Record) -> int:
    """How many rolls are those that the record's fair dice gave; RecordError where one is not, or nobody can tell."""
    dice = record.dice
    if dice is None or dice.secret is None:
        what = "no fair dice" if dice is None else "the secret of its dice is not revealed"
        raise RecordError(f"the rolls can't be checked: {what}")
    if commitment_to(dice.secret) != dice.commitment:
        raise RecordError("line 1: the secret is not the one that was committed to")
    number = 0
    for n, event in enumerate(record.events):
        if event.is_chance:
            number += 1
            given = dice.outcome(record.game.chance_weights(record.at(n).row), number)
            if given != event.text:
                raise RecordError(f"line {n + 2}: roll {number} is {event.text}, but the dice gave {given}")
    return number


def chained(link: str, data: Mapping[str, Any]) -> str:
    """The digest `h` of a line's data, after the one before it."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{link}\n{text}".encode()).hexdigest()[:16]


def as_line(data: Mapping[str, Any]) -> str:
    """Data as a line of a record has it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def checked_seats(game: Game, given: Mapping[str, Seat | str]) -> dict[str, Seat]:
    """A seat for each player, with a name and a kind that can be shown."""
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


def document_digest(document: Mapping[str, Any]) -> str:
    """The digest of a rule set as it is written in a record."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
