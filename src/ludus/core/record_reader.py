"""Reading game records: every line is checked, and whatever is wrong is named with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ludus.core.errors import LudusError, RecordError
from ludus.core.fair_dice import FairDice
from ludus.core.game import Game
from ludus.core.random import SEED_BITS
from ludus.core.record import (
    FORMAT,
    MAX_BYTES,
    MAX_LINE,
    VERSION,
    Record,
    Seat,
    as_line,
    chained,
    checked_seats,
    document_digest,
    odds_at,
)

MAX_DEPTH = 16

# a string that is never closed is one token too, and nothing is given back: no text is read twice
_STRING = re.compile(r'"(?:\\.|[^"\\])*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


class RecordReader:
    """Reads one record and names the line of whatever is wrong with it."""

    def __init__(self, where: str, recover: bool, plugins: Any = None) -> None:
        self.where = where
        self.plugins = plugins
        self.recover = recover
        self.line = 0
        self.link = ""
        self._odds: list[list[Any]] = []

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
        start, dice = data.pop("start", None), self._dice(game, data)
        self._nothing_else(data)
        try:
            record = Record(game.start(seed) if start is None else game.position(start, seed), seats, engine)
            record.dice = dice
            return record
        except (LudusError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise self.refuse(f"start: {error}") from None

    def _dice(self, game: Game, data: dict[str, Any]) -> FairDice | None:
        try:
            dice = FairDice.of(data.pop("dice")) if "dice" in data else None
        except LudusError as error:
            raise self.refuse(str(error)) from None
        for one in dice.entropies if dice is not None else ():
            if one.player not in game.players:
                raise self.refuse(f"dice: {_shown(one.player)} does not play, and has no word for them")
        return dice

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
            return checked_seats(game, {player: Seat(**seat) for player, seat in data.items()})
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
        self._check_odds(record, data)
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

    def _check_odds(self, record: Record, data: dict[str, Any]) -> None:
        """The odds of a roll are those of the rules; they are written where they change."""
        if record.dice is None or record.position.to_move != "chance":
            return
        now = odds_at(record.position)
        if data.pop("odds", self._odds) != now:
            raise self.refuse("odds that are not those of the rules")
        self._odds = now

    def _check_result(self, record: Record, data: dict[str, Any], last: bool) -> None:
        result = self._take(data, "result", dict, "an object with one number per player")
        self._nothing_else(data)
        if record.result is None:
            raise self.refuse("a result, but the game is not over")
        if result != record.result:
            raise self.refuse(f"result {_shown(result)}, but the game ended with {as_line(record.result)}")
        if not last:
            self.line += 1
            raise self.refuse("something after the result, which ends a record")


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
