"""`ludus record`: whether files are records or corpora, and single games out of a corpus."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ludus.cli.arguments import add_language, add_plugins, print_json
from ludus.cli.lines import say
from ludus.core.corpus import Corpus, is_corpus
from ludus.core.errors import LudusError, RecordError
from ludus.core.messages import language
from ludus.core.record import Record

NO = 1


def add_parser(commands: Any) -> None:
    """The arguments of `ludus record`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "record",
        help="check records, and take games out of a corpus",
        description="Check records and corpora of games against their format, version 1 (docs/record-format.md).",
    )
    tasks = parser.add_subparsers(dest="task", metavar="check|unpack", required=True)
    checking = tasks.add_parser("check", help="whether each line holds: 0, or 1 with the line and the reason")
    checking.add_argument("files", metavar="FILE", nargs="+", help="a record, or a corpus of games")
    checking.add_argument("--json", action="store_true", help="print data")
    add_plugins(checking)
    add_language(checking)
    checking.set_defaults(run=check)
    unpacking = tasks.add_parser("unpack", help="one game of a corpus as a record")
    unpacking.add_argument("file", metavar="CORPUS", help="a corpus of games")
    unpacking.add_argument("number", metavar="N", type=int, help="which game, from 1 on")
    unpacking.add_argument("--out", metavar="FILE", required=True, help="where the record goes")
    add_language(unpacking)
    unpacking.set_defaults(run=unpack)


def check(arguments: argparse.Namespace) -> int:
    """Each file: what it is, or what is wrong with it."""
    lang = language(arguments.lang)
    found = []
    for path in arguments.files:  # told one by one: a file that is not there does not hide those before it
        found.append(checked(path, arguments.plugin))
        if not arguments.json:
            print(say("record_valid" if found[-1]["valid"] else "record_invalid", lang, **found[-1]), flush=True)
    if arguments.json:
        print_json(found)
    return 0 if all(one["valid"] for one in found) else NO


def checked(path: str, plugins: list[str]) -> dict[str, Any]:
    """What a file holds; one that is not there is bad input."""
    if not Path(path).is_file():
        raise LudusError(f"{path}: no such file")
    about: dict[str, Any] = {"file": path, "valid": True, "reason": None, "game": "", "games": 1, "events": 0}
    try:
        if is_corpus(path):
            corpus = Corpus(path)
            sizes = [len(record) for record in corpus.records()]
            return about | {"game": corpus.game.name, "games": len(sizes), "events": sum(sizes)}
        record = Record.load(path, plugins=plugins)
        return about | {"game": record.game.name, "events": len(record)}
    except RecordError as error:
        return about | {"valid": False, "reason": str(error), "games": 0}


def unpack(arguments: argparse.Namespace) -> int:
    """One game of a corpus."""
    lang = language(arguments.lang)
    count = 0
    for count, record in enumerate(Corpus(arguments.file).records(), start=1):
        if count == arguments.number:
            record.save(arguments.out)
            print(say("saved", lang, file=arguments.out))
            return 0
    raise LudusError(f"{arguments.file} has games 1 to {count}, not {arguments.number}")
