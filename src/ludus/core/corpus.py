"""Many games in one file: one rule set, one game a line, gzipped (docs/record-format.md, the compact form).

{"format":"ludus-games","version":1,"engine":"0.1.0","document":{…},"digest":"…","players":[…],"bots":[…]}
["6 out 3 3+3 …","green"]
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ludus.core.errors import LudusError, RecordError
from ludus.core.game import Game
from ludus.core.record import MAX_LINE, Record, Seat, as_line, document_digest, engine_version
from ludus.core.whole_file import whole

FORMAT, VERSION = "ludus-games", 1
HEADER_KEYS = {"format", "version", "engine", "document", "digest", "players", "bots"}
GZIP = b"\x1f\x8b"


def write_corpus(path: str | os.PathLike[str], game: Game, bots: Sequence[str], records: Iterable[Record]) -> int:
    """Write finished games of one rule set; how many there were. The same games give the same bytes."""
    document = game.document()
    header = {
        "format": FORMAT, "version": VERSION, "engine": engine_version(), "document": document,
        "digest": document_digest(document), "players": list(game.players), "bots": list(bots),
    }  # fmt: skip
    count = 0
    with whole(Path(path)) as file, gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed:
        packed.write(f"{as_line(header)}\n".encode())
        for record in records:
            packed.write(f"{json.dumps([words_of(record), winners_of(record)], ensure_ascii=False)}\n".encode())
            count += 1
    return count


def words_of(record: Record) -> str:
    """Every outcome and move, in order."""
    return " ".join(event.text for event in record.events)


def winners_of(record: Record) -> str:
    """Who won a finished game."""
    result = record.result or {}
    return ",".join(player for player, share in result.items() if share > 0)


def is_corpus(path: str | os.PathLike[str]) -> bool:
    """Whether a file is gzipped, as a corpus is and a record is not."""
    try:
        with open(path, "rb") as file:
            return file.read(2) == GZIP
    except OSError:
        return False


class Corpus:
    """A file of games: who played what, and each game as a record, replayed when it is asked for."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.where = os.fspath(path)
        lines = self._lines()
        try:
            number, text = next(lines)
        except StopIteration:
            raise RecordError(f"{self.where}, line 1: empty, where a corpus's header should be") from None
        header = self._parsed(number, text, dict)
        lines.close()
        if header.get("format") != FORMAT or set(header) != HEADER_KEYS:
            raise RecordError(f"{self.where}, line 1: not a corpus: its header would say format {FORMAT!r}")
        if header["version"] != VERSION:
            raise RecordError(f"{self.where}, line 1: version {header['version']}; this ludus reads version {VERSION}")
        if header["digest"] != document_digest(header["document"]):
            raise RecordError(f"{self.where}, line 1: the rule set is not the one that its digest was made of")
        self.bots: list[str] = header["bots"]
        self.game = self._game(header)

    def _game(self, header: dict[str, Any]) -> Game:
        from ludus.core.registry import from_document

        try:
            game = from_document(header["document"], None)
        except (LudusError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise RecordError(f"{self.where}, line 1: document: {error}") from None
        if header["players"] != list(game.players) or len(self.bots) != len(game.players):
            raise RecordError(f"{self.where}, line 1: players and bots are one each for {', '.join(game.players)}")
        return game

    def records(self) -> Iterator[Record]:
        """Every game, checked: RecordError names the line of the first that is wrong."""
        lines = self._lines()
        next(lines)
        for number, text in lines:
            yield self._record(number, self._parsed(number, text, list))

    def _record(self, number: int, data: list[Any]) -> Record:
        where = f"{self.where}, line {number}"
        if len(data) != 2 or not all(isinstance(one, str) for one in data):
            raise RecordError(f"{where}: a game is its moves and who won, two texts")
        seats = dict(zip(self.game.players, (Seat(bot, "bot") for bot in self.bots), strict=True))
        record = Record.start(self.game, seats)
        for ply, word in enumerate(data[0].split(" "), start=1):
            try:
                record.play(word)
            except LudusError as error:
                raise RecordError(f"{where}: ply {ply}, {word[:40]!r}: {error}") from None
        if record.result is None or winners_of(record) != data[1]:
            told = "is not over" if record.result is None else f"was won by {winners_of(record) or 'nobody'}"
            raise RecordError(f"{where}: the game {told}, not won by {data[1][:40]!r}")
        return record

    def _lines(self) -> Generator[tuple[int, bytes], None, None]:
        """Every line with its number."""
        try:
            with gzip.open(self.where, "rb") as file:
                number = 0
                while text := file.readline(MAX_LINE + 1):
                    number += 1
                    if len(text) > MAX_LINE:
                        raise RecordError(f"{self.where}, line {number}: longer than {MAX_LINE // 1024} kB")
                    yield number, text
        except (OSError, EOFError, zlib.error) as error:
            raise RecordError(f"{self.where}: can't be read: {getattr(error, 'strerror', None) or error}") from None

    def _parsed(self, number: int, text: bytes, kind: type) -> Any:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, kind):
            raise RecordError(f"{self.where}, line {number}: not JSON, or not {kind.__name__}")
        return data
