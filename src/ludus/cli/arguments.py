"""What several commands take: a game with players and options, a language, colours, JSON."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tomllib
from typing import Any

from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.messages import LANGUAGES
from ludus.core.position import Position
from ludus.core.registry import make
from ludus.core.shards import WHOLE, Shard

MAX_VALUE = 1000
MAX_POSITION = 1 << 20

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


def add_workers(parser: argparse.ArgumentParser) -> None:
    """--workers."""
    parser.add_argument(
        "--workers", metavar="N|ray|ray://HOST:PORT", help="how many work at once, or a Ray cluster; one for each core"
    )


def add_shard(parser: argparse.ArgumentParser) -> None:
    """--shard and --out."""
    parser.add_argument(
        "--shard", metavar="K/N", help="only this share of the work, such as 3/16; `ludus merge` joins them"
    )
    parser.add_argument("--out", metavar="DIR", help="the folder for the results of a share")


def shard_from(arguments: argparse.Namespace) -> Shard:
    """The share that is asked for; all of it where none is."""
    if arguments.shard is None:
        if arguments.out:
            raise LudusError("--out: the folder for the results of a --shard K/N")
        return WHOLE
    shard = Shard.read(arguments.shard)
    if not arguments.out:
        raise LudusError("--shard: say with --out DIR where its results go")
    if arguments.seed is None:
        raise LudusError("--shard: say --seed N, the same for all shares, so that they belong together")
    return shard


def add_language(parser: argparse.ArgumentParser) -> None:
    """--lang."""
    parser.add_argument("--lang", metavar="|".join(LANGUAGES), help="the language; else the locale's")


def game_from(source: str, players: str | None, options: list[str], plugins: list[str] | None = None) -> Game:
    """The game that the arguments name."""
    allowed = {"plugins": plugins} if plugins else {}
    return make(source, players=players_from(players), **options_from(options), **allowed)


def add_position(parser: argparse.ArgumentParser, what: str) -> None:
    """--position."""
    parser.add_argument(
        "--position", metavar="ID|FILE|JSON", help=f"{what}: a position's id, a file with its JSON data, or the data"
    )


def position_from(game: Game, given: str, seed: int = 0) -> Position:
    """The position that --position names."""
    is_data = given.lstrip().startswith("{")
    if not is_data and not given.endswith(".json") and not os.path.isfile(given):
        return game.from_id(given, seed)
    told = "" if is_data else f" {given}"
    try:
        data = json.loads(given[:MAX_POSITION] if is_data else _content(given))
    except (ValueError, RecursionError):
        raise LudusError(f"--position{told}: not JSON; it holds what position.to_dict() gives") from None
    if not isinstance(data, dict):
        raise LudusError(f"--position{told}: a JSON object as position.to_dict() gives, not {quoted(data)}")
    return game.position(data, seed)


def _content(path: str) -> str:
    """What stands in a position's file."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(MAX_POSITION)
    except OSError as error:
        raise LudusError(f"--position {path}: can't be read: {error.strerror or error}") from None


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
