"""Shares of a contest that were played apart, as one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludus.arena.journal import FORMAT, Tally, journal_lines
from ludus.arena.schedule import make_schedule
from ludus.arena.standings import Standings
from ludus.core.errors import LudusError
from ludus.core.record import engine_version
from ludus.core.registry import from_document
from ludus.core.shards import Shard, check_together

OF_A_SHARE = ("engine", "document", "shard")


def merge_contest(files: Sequence[Path]) -> tuple[Standings, list[str]]:
    """The standings of all shares together, as one process would have given them, and what is missing."""
    read = [(path, *_read(path)) for path in files]
    missing = [f"share {number}/{read[0][1]['shard'][1]}" for number in check_together([one[:2] for one in read])]
    head = read[0][1]
    if head["engine"] != engine_version():
        raise LudusError(f"{files[0]}: played by ludus {head['engine']}, this is {engine_version()}")
    game = from_document(head["document"])
    tally = Tally(make_schedule(game, head["bots"], head["games"], head["tournament"]))
    for path, _, lines in read:
        for number, line in enumerate(lines, start=2):
            if not tally.add(line):
                raise LudusError(f"{path}, line {number}: damaged, or games that are there already")
    missing += _unfinished(tally, read) if not missing else []
    settings = {key: value for key, value in head.items() if key not in (*OF_A_SHARE, "format", "version")}
    return Standings(game, tally, settings), missing


def _read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    head, *lines = journal_lines(path)
    if head.get("format") != FORMAT or not isinstance(head.get("shard"), list) or len(head["shard"]) != 2:
        raise LudusError(f"{path}: no share of a contest; `ludus arena … --shard 3/16 --out DIR` makes them")
    return head, lines


def _unfinished(tally: Tally, read: Sequence[tuple[Path, dict[str, Any], Any]]) -> list[str]:
    """Shares whose games are not all there."""
    found = []
    for path, head, _ in read:
        shard = Shard(*head["shard"])
        gone = 0
        for at, table in enumerate(tally.schedule.tables):
            for block in table.blocks:
                turns = len(block.seatings)
                share = shard.share(block.deals)
                gone += len(tally.missing(at, block.first_game + share.start * turns, len(share) * turns))
        found += [f"{gone} games of share {shard} ({path})"] if gone else []
    return found
