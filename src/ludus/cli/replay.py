"""`ludus replay`: steps through a record, or prints it."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ludus.cli.arguments import add_language, add_plugins, print_json, use_colour
from ludus.cli.lines import event_told, player_name, result_told, say, title_of
from ludus.core.errors import RecordError
from ludus.core.messages import language
from ludus.core.record import Record, check_dice


def add_parser(commands: Any) -> None:
    """The arguments of `ludus replay`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "replay",
        help="step through a saved game",
        description="Step through a saved game; every line is checked.",
    )
    parser.add_argument("file", metavar="FILE", help="a record, as `ludus play --save` writes it")
    parser.add_argument("--at", type=int, metavar="N", help="the position after event N (0: the first position)")
    parser.add_argument("--recover", action="store_true", help="leave out a last line that was cut off")
    parser.add_argument(
        "--verify", action="store_true", help="check that every roll is the one that its fair dice gave"
    )
    parser.add_argument("--json", action="store_true", help="print data")
    add_plugins(parser)
    add_language(parser)
    parser.add_argument("--no-colour", "--no-color", action="store_true", help="plain text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Replay."""
    lang, colour = language(arguments.lang), use_colour(arguments.no_colour)
    record = Record.load(arguments.file, recover=arguments.recover, plugins=arguments.plugin)
    if arguments.verify:
        return verify(record, lang, arguments.json)
    at = len(record) if arguments.at is None else arguments.at
    position = record.at(at)
    if arguments.json:
        print_json(as_data(record, at))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        Viewer(record, lang, colour).look(arguments.at or 0)
    elif arguments.at is not None:
        print(position.text(colour, lang))
    else:
        print_events(record, lang, colour)
    return 0


def verify(record: Record, lang: str, json: bool) -> int:
    """Whether the dice were fair: 0, or 1 with the reason."""
    try:
        rolls, wrong = check_dice(record), ""
    except RecordError as error:
        rolls, wrong = 0, str(error)
    if json:
        print_json({"fair": not wrong, "rolls": rolls, "reason": wrong or None, "dice": record.header().get("dice")})
    elif wrong:
        print(say("dice_wrong", lang, reason=wrong))
    else:
        commitment = record.dice.commitment if record.dice else ""
        print(say("dice_fair", lang, rolls=rolls, commitment=commitment))
    return 1 if wrong else 0


def as_data(record: Record, at: int) -> dict[str, Any]:
    """The record up to event `at`, and the position there."""
    return {
        "game": record.game.name,
        "players": list(record.game.players),
        "seats": record.header()["seats"],
        "seed": record.seed,
        "events": [event.data() for event in record.events[:at]],
        "position": record.at(at).to_dict(),
        "result": record.at(at).result,
    }


def line(record: Record, n: int, lang: str, colour: bool) -> str:
    """Event `n` as a numbered line."""
    return f"{n:>5}  " + event_told(record.at(n - 1), record.events[n - 1], record.at(n), lang, colour)


def print_events(record: Record, lang: str, colour: bool) -> None:
    """Every event, one line each, and the result."""
    players = ", ".join(player_name(player, lang) for player in record.game.players)
    print(f"{title_of(record.game, lang)}: {players}")
    for n in range(1, len(record) + 1):
        print(line(record, n, lang, colour))
    print(result_told(record, lang))


class Viewer:
    """Steps through a record at a terminal."""

    def __init__(self, record: Record, lang: str, colour: bool) -> None:
        self.record = record
        self.lang = lang
        self.colour = colour
        self.n = 0

    def look(self, first: int) -> None:
        """Show positions until the person leaves."""
        self._show(first)
        while True:
            try:
                answer = input(say("replay_keys", self.lang)).strip().lower()
            except (EOFError, KeyboardInterrupt):
                print()
                return
            if answer in ("q", "quit"):
                return
            self._obey(answer)

    def _obey(self, answer: str) -> None:
        number = answer.removeprefix("g").strip()
        if answer in ("", "n"):
            self._go(self.n + 1)
        elif answer == "p":
            self._go(self.n - 1)
        elif number.isdecimal() and len(number) < 10:
            self._go(int(number))
        else:
            print(say("replay_unknown", self.lang))

    def _go(self, n: int) -> None:
        """To event n, or to the end that is nearest."""
        if n > len(self.record):
            print(say("replay_end", self.lang), result_told(self.record, self.lang))
        if n < 0:
            print(say("replay_begin", self.lang))
        inside = min(max(n, 0), len(self.record))
        if inside != self.n:
            self._show(inside)

    def _show(self, n: int) -> None:
        self.n = n
        print()
        print(self.record.at(n).text(self.colour, self.lang))
        print(say("after_event", self.lang, n=n, all=len(self.record)) if n else say("start", self.lang))
        if n:
            print(line(self.record, n, self.lang, self.colour))
