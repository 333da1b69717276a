"""`ludus merge`: shares that were played apart, as one process would have given them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludus.arena.journal import journal_lines
from ludus.arena.merging import merge_contest
from ludus.cli.arena import report
from ludus.cli.arguments import add_language, print_json
from ludus.cli.lab import report_lab
from ludus.cli.progress import file_to_write
from ludus.core.errors import LudusError
from ludus.core.messages import Message, language
from ludus.core.shards import files_of
from ludus.lab.joining import join_labs
from ludus.lab.laboratory import LabJournal
from ludus.training.sharing import merge_training, share_files

NO = 1


def add_parser(commands: Any) -> None:
    """The arguments of `ludus merge`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "merge",
        help="join the shares of an arena, a laboratory or a training that worked in several places",
        description="Join shares (--shard K/N --out DIR): gives exactly what one process would have given. Shares that "
        "do not belong together are refused, those that are missing named; then the exit code is 1 (docs/scale.md).",
    )
    parser.add_argument("folders", metavar="DIR", nargs="+", help="a folder of shares, or files of them")
    parser.add_argument("--out", metavar="FILE", help="where the weights of a training go; NAME.safetensors")
    parser.add_argument("--json", action="store_true", help="print data")
    parser.add_argument("--html", metavar="FILE", help="write a page with plots to FILE")
    add_language(parser)
    parser.add_argument("--no-colour", "--no-color", action="store_true", help="plain text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Join and report."""
    lang = language(arguments.lang)
    page = file_to_write("--html", arguments.html)
    learnt = share_files(arguments.folders)
    if learnt:
        return _join_training(learnt, arguments, lang)
    if arguments.out is not None:
        raise LudusError("--out: where the weights of a training go, and there is no share of one")
    files = files_of(arguments.folders)
    if journal_lines(files[0])[:1] and journal_lines(files[0])[0].get("format") == LabJournal.format:
        return _join_labs(files, arguments, page, lang)
    standings, missing = merge_contest(files)
    if missing:
        return _incomplete(missing, lang)
    report(standings, arguments, page, lang)
    return 0


def _join_labs(files: Sequence[Path], arguments: argparse.Namespace, page: Path | None, lang: str) -> int:
    """What a laboratory found."""
    found, missing = join_labs(files)
    if found is None:
        return _incomplete(missing, lang)
    report_lab(found, arguments, page, lang)
    return 0


def _join_training(files: Sequence[Path], arguments: argparse.Namespace, lang: str) -> int:
    """The net that all shares learnt."""
    school, missing = merge_training(files)
    if school is None:
        return _incomplete(missing, lang)
    path = file_to_write("--out", arguments.out or f"{school.games[0].name}.safetensors")
    assert path is not None
    school.save(path)
    done = school.progress
    data = {"file": str(path), "games": done.games, "positions": done.positions}
    words = {"games": f"{done.games:,}", "positions": f"{done.positions:,}", "file": path}
    if arguments.json:
        print_json(data)
    else:
        print(Message("ludus.cli", "done", words, "train").text(lang))
    return 0


def _incomplete(missing: Sequence[str], lang: str) -> int:
    print(Message("ludus.cli", "missing", {"what": ", ".join(missing)}, "merge").text(lang), file=sys.stderr)
    return NO
