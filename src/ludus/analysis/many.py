"""Many records explained, on as many workers as there are: in short, each by itself and every player over all."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.analysis.analysing import analyse
from ludus.arena.journal import Journal
from ludus.core.errors import LudusError, one_line
from ludus.core.fleet import Workers, checked_workers, fleet_for
from ludus.core.game import Game
from ludus.core.record import MAX_BYTES, Record, engine_version
from ludus.core.registry import make

# of an order: about a second of work, and little enough to be sent
MOST_RECORDS, MOST_BYTES = 8, 512 << 10
SUMMED = ("decisions", "unforced", "lost", "luck", "result", "adjusted")

Progress = Callable[[int, int], None]


@dataclass
class Digest:
    """What many records came to: a line for each, by the digest of its text; those that could not be read say why."""

    lines: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, line: Mapping[str, Any]) -> bool:
        """Take a line over, once; False where it makes no sense."""
        key = line.get("digest")
        if not isinstance(key, str) or key in self.lines or not isinstance(line.get("players", {}), dict):
            return False
        self.lines[key] = dict(line)
        return True

    def records(self, order: Sequence[str]) -> list[dict[str, Any]]:
        """The lines of those that were asked for, in that order."""
        return [self.lines[key] for key in dict.fromkeys(order)]


@dataclass(frozen=True)
class Many:
    """Analyses in short. `records`: in the order in which they were named; `totals`: by game and name."""

    records: list[dict[str, Any]]

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Those that could not be analysed, with the reason."""
        return [one for one in self.records if "error" in one]

    @property
    def totals(self) -> list[dict[str, Any]]:
        """Every name at every game: `error` for each decision with a choice, and what luck gave a game."""
        sums: dict[tuple[str, str], dict[str, float]] = {}
        for one in self.records:
            for player in one.get("players", {}).values():
                total = sums.setdefault((one["game"], player["name"]), dict.fromkeys(("games", *SUMMED), 0))
                total["games"] += 1
                for key in SUMMED:
                    total[key] += player[key]
        return [
            {"game": game, "name": name, "games": total["games"], "unforced": total["unforced"],
             "error": total["lost"] / total["unforced"] if total["unforced"] else 0.0,
             **{key: total[key] / total["games"] for key in ("luck", "result", "adjusted")}}
            for (game, name), total in sorted(sums.items())
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"records": self.records, "totals": self.totals}

    def text(self, lang: str = "en") -> str:
        """For a terminal: every name over all games, and what could not be read."""
        from ludus.analysis.many_text import as_text

        return as_text(self, lang)


class AnalysesJournal(Journal):
    """The journal of many analyses: a record is in it once."""

    format, version = "ludus-analyses", 1
    work, another, task = "analyses", "another command", "way to analyse"


def analyse_many(
    files: Iterable[str | os.PathLike[str]],
    by: str | None = None,
    plies: int = 1,
    *,
    workers: Workers | None = None,
    journal: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Many:
    """Explain the records in files, and in folders all that end with .jsonl; results do not depend on `workers`.

    workers: threads, or a Ray cluster; one for each core · journal: a file from which an interrupted command goes on.
    """
    paths, digest = record_files(files), Digest()
    order: list[str] = []
    settings = {"engine": engine_version(), "by": by, "plies": plies}
    with AnalysesJournal(digest, journal, settings) as kept, fleet_for(checked_workers(workers)) as fleet:
        wanted = ({"records": part, "by": by, "plies": plies} for part in _parts(paths, order, set(digest.lines)))
        for _, lines in fleet.each(explain, make("pettingzoo"), wanted):
            for line in lines:
                kept.add(line)
            if progress is not None:
                progress(len(digest.lines), len(paths))
    return Many(digest.records(order))


def record_files(given: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """Files as they are, and the records in folders."""
    found: list[Path] = []
    for one in given:
        path = Path(one).expanduser()
        within = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        if not within:
            raise LudusError(f"{os.fspath(one)}: no records in this folder; they end with .jsonl")
        found += within
    return found


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise LudusError(f"{path}: can't be read: {error.strerror or error}") from None


def _parts(paths: Sequence[Path], order: list[str], known: set[str]) -> Iterator[list[tuple[str, str, str]]]:
    """Some records at a time, read when it is their turn: names, digests, texts; `order` gets the digests of all."""
    part: list[tuple[str, str, str]] = []
    size = 0
    for path in paths:
        text = _text_of(path)
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        order.append(key)
        if key in known:
            continue
        known.add(key)
        if part and (len(part) >= MOST_RECORDS or size + len(text) > MOST_BYTES):
            yield part
            part, size = [], 0
        part.append((str(path), key, text))
        size += len(text)
    if part:
        yield part


# ---------------------------------------------------------------- where the work is done


def explain(_: Game, order: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lines of some records. One that can't be analysed says why, and stops nobody."""
    return [_line(where, key, text, order["by"], order["plies"]) for where, key, text in order["records"]]


def _line(where: str, key: str, text: str, by: str | None, plies: int) -> dict[str, Any]:
    begun: dict[str, Any] = {"file": where, "digest": key}
    try:
        found = analyse(Record.loads(text, where=where), by, plies)
    except LudusError as error:
        return begun | {"error": one_line(str(error))[:300]}
    seats = found.record.seats
    return begun | {
        "game": found.game.name, "events": len(found.record), "finished": found.finished, "by": found.by,
        "players": {
            player: {
                "name": seats[player].name if player in seats else player, "decisions": one.decisions,
                "unforced": one.unforced, "lost": one.error * one.unforced, "error": one.error,
                "accuracy": one.accuracy, "rating": one.rating, "luck": found.luck[player],
                "result": found.result[player], "adjusted": one.adjusted, "marks": dict(one.marks),
            }
            for player, one in found.summaries.items()
        },
    }  # fmt: skip
