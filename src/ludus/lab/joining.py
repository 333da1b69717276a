"""Shares of a laboratory that worked apart, as one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludus.arena.journal import journal_lines
from ludus.core.errors import LudusError
from ludus.core.record import engine_version
from ludus.core.registry import from_document
from ludus.core.shards import Shard, check_together
from ludus.lab.laboratory import Findings, Lab, LabJournal, Programme
from ludus.lab.parts import Scope


def join_labs(files: Sequence[Path]) -> tuple[Lab | None, list[str]]:
    """The figures of all shares together, as one process would have given them; or what is missing."""
    read = [(path, *_read(path)) for path in files]
    head = read[0][1]
    missing = [f"share {number}/{head['shard'][1]}" for number in check_together([one[:2] for one in read])]
    if head["engine"] != engine_version():
        raise LudusError(f"{files[0]}: made by ludus {head['engine']}, this is {engine_version()}")
    games = [from_document(document) for document in head["documents"]]
    scope = Scope(*(_frozen(head[name]) for name in Scope._fields))
    plan = Programme(games, head["names"], scope, head["given_seed"])
    findings = Findings(len(games))
    for path, _, lines in read:
        for number, line in enumerate(lines, start=2):
            if not findings.add(line):
                raise LudusError(f"{path}, line {number}: damaged, or parts that are there already")
    parts = plan.parts()
    for path, own, _ in read:
        shard = Shard(*own["shard"])
        gone = sum(not plan.has(findings, *parts[number]) for number in shard.share(len(parts)))
        missing += [f"{gone} parts of share {shard} ({path})"] if gone else []
    return None if missing else plan.measured(plan.by_rule_set(findings)), missing


def _read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    head, *lines = journal_lines(path)
    if head.get("format") != LabJournal.format or not isinstance(head.get("shard"), list) or len(head["shard"]) != 2:
        raise LudusError(f"{path}: no share of a laboratory; `ludus lab … --shard 3/16 --out DIR` makes them")
    return head, lines


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
