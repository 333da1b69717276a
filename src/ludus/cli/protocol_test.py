"""`ludus protocol-test`: whether a command speaks the bot protocol."""

from __future__ import annotations

import argparse
from typing import Any

from ludus.bots.external import MEMORY, MINOR, PROTOCOL, SECONDS
from ludus.bots.protocol_checks import CommandChecks
from ludus.cli.arguments import add_language, print_json
from ludus.cli.lines import say
from ludus.core.errors import one_line
from ludus.core.messages import language

NO = 1


def add_parser(commands: Any) -> None:
    """The arguments of `ludus protocol-test`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "protocol-test",
        help="test whether a program speaks the bot protocol",
        description=f"Play with a program by the bot protocol, version {PROTOCOL}.{MINOR} (docs/bot-protocol.md), and "
        "say demand by demand whether it is met: 0, or 1 where one is not.",
    )
    parser.add_argument("program", metavar="COMMAND", help="the program with its arguments, in one pair of quotes")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help=f"for an answer; {SECONDS:g}")
    parser.add_argument("--memory", type=int, default=MEMORY, metavar="MB", help=f"for its process; {MEMORY}")
    parser.add_argument("--json", action="store_true", help="print data")
    add_language(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Test and report."""
    lang = language(arguments.lang)
    found = []
    for check in CommandChecks(arguments.program, arguments.seconds, arguments.memory).run():
        found.append(check)
        if not arguments.json:
            word = say("check_passed" if check.passed else "check_failed", lang)
            print(f"{word:<8}{say('check_' + check.key, lang, game=check.game)}", flush=True)
            if check.reason:
                print(f"        {one_line(check.reason)}", flush=True)
    passed = all(check.passed for check in found)
    if arguments.json:
        print_json({"protocol": f"{PROTOCOL}.{MINOR}", "passed": passed, "checks": [one.to_dict() for one in found]})
    else:
        print(say("protocol_passed" if passed else "protocol_failed", lang, protocol=f"{PROTOCOL}.{MINOR}"))
    return 0 if passed else NO
