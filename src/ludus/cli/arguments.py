"""What several commands take: a game with players and options, a language, colours, JSON."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tomllib
from typing import Any

from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.messages import LANGUAGES
from ludus.core.registry import make

MAX_VALUE = 1000

_KEY = re.compile(r"[a-z_]{1,40}(\.[a-z_]{1,40})?")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """--players and --option."""
    parser.add_argument("--players", metavar="N|COLOURS", help="how many play, or which: 3, or green,blue")
    parser.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help='override an option of the rules, the value as in TOML: dice=2, block.stops="all", mode=teams',
    )
    add_plugins(parser)


def add_plugins(parser: argparse.ArgumentParser) -> None:
    """--plugin."""
    parser.add_argument(
        "--plugin",
        metavar="NAME|FILE",
        action="append",
        default=[],
        help="allow a rule in Python: the name of an installed plug-in, or a file; it runs with your rights",
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """--lang."""
    parser.add_argument("--lang", metavar="|".join(LANGUAGES), help="the language; else the locale's")


def game_from(source: str, players: str | None, options: list[str], plugins: list[str] | None = None) -> Game:
    """The game that the arguments name."""
    allowed = {"plugins": plugins} if plugins else {}
    return make(source, players=players_from(players), **options_from(options), **allowed)


def options_from(options: list[str]) -> dict[str, Any]:
    """The options of the rules that --option gave."""
    return dict(map(_option, options))


def players_from(text: str | None) -> int | list[str] | None:
    if text is None:
        return None
    return int(text) if re.fullmatch(r"\d{1,3}", text.strip()) else [name.strip() for name in text.split(",")]


def _option(text: str) -> tuple[str, Any]:
    """KEY=VALUE as an option of the rules."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not _KEY.fullmatch(key):
        raise LudusError(f"--option {text[:60]!r}: write KEY=VALUE, such as dice=2")
    if key in ("players", "source", "plugins"):
        raise LudusError(
            f"--option {key}: not an option of the rules; say --players"
            if key == "players"
            else f"--option {key}: not an option of the rules"
        )
    return key, _value(text, value)


def _value(text: str, value: str) -> Any:
    """A TOML value; a bare word is a string."""
    if _WORD.fullmatch(value) and value not in ("true", "false", "inf", "nan"):
        return value
    if len(value) > MAX_VALUE:
        raise LudusError(f"--option {text[:40]!r}…: a value of more than {MAX_VALUE} letters")
    try:
        data = tomllib.loads(f"value = {value}")
    except (tomllib.TOMLDecodeError, RecursionError):
        data = {}
    if list(data) != ["value"]:
        raise LudusError(f'--option {text[:60]!r}: not a TOML value; write for example 2, true, "all" or [0, 8]')
    return data["value"]


def use_colour(refused: bool) -> bool:
    """Whether to colour the output: a terminal that did not say no (https://no-color.org)."""
    return not refused and sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_json(data: Any) -> None:
    """Data for programs."""
    print(json.dumps(data, ensure_ascii=False, indent=2))
