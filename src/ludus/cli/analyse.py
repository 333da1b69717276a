"""`ludus analyse`: a saved game explained, roll by roll and move by move."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from ludus.analysis.analysing import analyse
from ludus.analysis.many import analyse_many
from ludus.analysis.saying import say
from ludus.cli.arguments import add_language, add_plugins, add_workers, print_json, use_colour
from ludus.cli.progress import file_to_write, progress_bar
from ludus.core.errors import LudusError
from ludus.core.messages import language
from ludus.core.record import Record

NO, INTERRUPTED = 1, 130


def add_parser(commands: Any) -> None:
    """The arguments of `ludus analyse`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "analyse",
        help="explain a saved game: luck, mistakes, chances to win",
        description="Explain a saved game: what every roll and every move was worth, and how it adds up to the result "
        "(docs/analysis.md).",
    )
    parser.add_argument(
        "files", metavar="FILE", nargs="+",
        help="a record, as `ludus play --save` writes it; several, or folders of them, in short",
    )  # fmt: skip
    parser.add_argument(
        "--by", metavar="VALUES",
        help="td, td:weights=FILE or playouts; exact:VALUES takes endings from their table; td by default",
    )  # fmt: skip
    parser.add_argument("--plies", type=int, default=1, metavar="1|2", help="how far to look ahead; 1")
    parser.add_argument("--html", metavar="FILE", help="write a page with curves and boards to FILE")
    add_workers(parser)
    parser.add_argument("--journal", metavar="FILE", help="of several: keep results; the same command goes on from it")
    parser.add_argument("--json", action="store_true", help="print data")
    parser.add_argument("--recover", action="store_true", help="leave out a last line that was cut off")
    add_plugins(parser)
    add_language(parser)
    parser.add_argument("--no-colour", "--no-color", action="store_true", help="plain text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Analyse and report."""
    lang, page = language(arguments.lang), file_to_write("--html", arguments.html)
    is_one = len(arguments.files) == 1 and not os.path.isdir(arguments.files[0])
    if not is_one or arguments.journal or arguments.workers:
        return _run_many(arguments, lang)
    record = Record.load(arguments.files[0], recover=arguments.recover, plugins=arguments.plugin)
    try:
        with progress_bar(say("looking", lang), say("left", lang)) as progress:
            found = analyse(record, arguments.by, arguments.plies, progress)
    except KeyboardInterrupt:
        print(say("interrupted", lang), file=sys.stderr)
        return INTERRUPTED
    if page is not None:
        found.html(page, lang)
        print(say("page", lang, file=page), file=sys.stderr)
    if arguments.json:
        print_json(found.to_dict())
    else:
        print(found.text(lang, use_colour(arguments.no_colour)))
    return 0


def _run_many(arguments: argparse.Namespace, lang: str) -> int:
    """Many records in short; 1 where some could not be analysed."""
    for option in ("html", "recover", "plugin"):
        if getattr(arguments, option):
            raise LudusError(f"--{option}: for one record at a time")
    try:
        with progress_bar(say("looking", lang), say("left", lang)) as progress:
            found = analyse_many(
                arguments.files, arguments.by, arguments.plies, workers=arguments.workers, journal=arguments.journal,
                progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt:
        key = "goes_on" if arguments.journal else "nothing_kept"
        print(say(key, lang, file=arguments.journal), file=sys.stderr)
        return INTERRUPTED
    if arguments.json:
        print_json(found.to_dict())
    else:
        print(found.text(lang))
    return NO if found.failed else 0
