"""The command line, one file a command: `ludus --help` lists them.

Exit codes: 0 done, 1 the answer is no, 2 bad input, with one line on stderr that says what and where.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from ludus.core.errors import LudusError, one_line

DONE, NO, BAD_INPUT = 0, 1, 2
INTERRUPTED = 130

COMMANDS = (
    "play", "serve", "replay", "arena", "analyse", "rollout",
    "merge", "train", "solve", "lab", "rules", "quiz", "record", "protocol-test", "bench",
)  # fmt: skip


class BadUsage(LudusError):
    """A command line that can't be understood."""


class CommandParser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and one exception."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage."""
        raise BadUsage(f"{message} ({self.prog} --help tells more)")


def parser(names: Sequence[str] = COMMANDS) -> CommandParser:
    """The parser of these commands; only their modules are loaded."""
    top = CommandParser(prog="ludus", description="Dice board games: play them, replay them, read their rules.")
    top.add_argument("--version", action="store_true", help="show the version and leave")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=CommandParser)
    for name in names:
        importlib.import_module(f"ludus.cli.{name.replace('-', '_')}").add_parser(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    _speak_any_encoding()
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return code
    except LudusError as error:
        print(f"ludus: {one_line(str(error))}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # whoever read our output has seen enough; nothing may be flushed into the pipe at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED


def _run(words: Sequence[str]) -> int:
    try:
        arguments = parser(words[:1] if words[:1] and words[0] in COMMANDS else COMMANDS).parse_args(words)
    except SystemExit as done:  # --help has printed what was asked for
        return int(done.code or DONE)
    if arguments.version:
        from ludus.core.record import engine_version

        print(f"ludus {engine_version()}")
        return DONE
    if arguments.command is None:
        raise BadUsage(f"say what to do: {', '.join(COMMANDS)} (ludus --help tells more)")
    code: int = arguments.run(arguments)
    return code


def _speak_any_encoding() -> None:
    """Where a terminal has no é or ×, print something else instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
