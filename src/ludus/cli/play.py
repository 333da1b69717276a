"""`ludus play`: a person against bots in the terminal."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ludus.bots import Bot, bot
from ludus.cli.arguments import (
    add_game_options,
    add_language,
    add_position,
    game_from,
    position_from,
    use_colour,
)
from ludus.cli.screen import Screen
from ludus.core.errors import LudusError, suggestion
from ludus.core.game import Game
from ludus.core.messages import language
from ludus.core.record import Record, Seat
from ludus.play.seats import PERSON
from ludus.play.thinking import bot_names, stand_in

YOU = "you"


def add_parser(commands: Any) -> None:
    """The arguments of `ludus play`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "play",
        help="play a game in the terminal",
        description="Play a game against bots in the terminal.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="a name of `ludus rules list`, or a rule-set file")
    add_game_options(parser)
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--you", metavar="PLAYER", help="which player you are; the first one if left out")
    who.add_argument("--seats", metavar="PLAYER=WHO,…", help="who plays: you or a bot, as in green=you,blue=random")
    parser.add_argument("--seed", type=int, help="where the dice come from; a new one if left out")
    add_position(parser, "where the game begins")
    parser.add_argument(
        "--hints",
        metavar="BOT",
        nargs="?",
        const="heuristic",
        help="show what a bot would do, and why; heuristic if bare",
    )
    add_language(parser)
    parser.add_argument("--save", metavar="FILE", help="keep a record of the game in FILE")
    parser.add_argument("--resume", metavar="FILE", help="go on with a saved game, and keep it in FILE")
    parser.add_argument("--recover", action="store_true", help="with --resume: leave out a last line that was cut off")
    parser.add_argument("--no-colour", "--no-color", action="store_true", help="plain text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play."""
    lang = language(arguments.lang)
    record = _resumed(arguments) if arguments.resume else _new(arguments)
    path = _file_to_keep(arguments.save, arguments.resume)
    with _adviser(arguments.hints, record.game) as adviser:
        Screen(record, lang, use_colour(arguments.no_colour), path, adviser).play()
    return 0


@contextlib.contextmanager
def _adviser(spec: str | None, game: Game) -> Iterator[Bot | None]:
    """The bot that gives hints, if somebody wants them."""
    if not spec:
        yield None
        return
    with contextlib.closing(bot(spec)) as adviser:
        adviser.check(game)
        yield adviser


def _new(arguments: argparse.Namespace) -> Record:
    if arguments.game is None:
        from ludus.core.registry import games

        raise LudusError(f"play: which game? There are {', '.join(games())}")
    if arguments.recover:
        raise LudusError("play: --recover goes with --resume")
    game = game_from(arguments.game, arguments.players, arguments.option, arguments.plugin)
    seed = int.from_bytes(os.urandom(4), "big") if arguments.seed is None else arguments.seed
    first = None if arguments.position is None else position_from(game, arguments.position, seed)
    if first is not None and first.to_move is None:
        raise LudusError("play: in this position the game is over")
    return Record.start(game, _seats(game, arguments.you or game.players[0], arguments.seats), seed, first)


def _resumed(arguments: argparse.Namespace) -> Record:
    settled = {"--players": arguments.players, "--option": arguments.option, "--seed": arguments.seed}
    settled["--position"] = arguments.position
    for name, value in settled.items():
        if value not in (None, []):
            raise LudusError(f"play: {name} can't go with --resume, the saved game settles it")
    record = Record.load(arguments.resume, recover=arguments.recover, plugins=arguments.plugin)
    if arguments.game not in (None, record.game.name):
        raise LudusError(f"play: {arguments.resume} is a game of {record.game.name}, not of {arguments.game}")
    if arguments.you or arguments.seats:
        record.seats = _seats(record.game, arguments.you, arguments.seats)
    for player, seat in record.seats.items():
        if seat.kind not in (PERSON, *bot_names()):
            raise LudusError(
                f"{arguments.resume}: {player} is played by {seat.kind!r}, who is not here; "
                "say who plays with --you or --seats"
            )
    return record


def _seats(game: Game, you: str | None, seats: str | None) -> dict[str, Seat]:
    """Who plays; bots that know a little of the game where nothing is said."""
    chosen = dict.fromkeys(game.players, Seat(stand_in(), stand_in()))
    names = [YOU, *bot_names()]
    pairs = [f"{player}=you" for player in you.split(",")] if you and not seats else (seats or "").split(",")
    for pair in pairs:
        player, _, who = (part.strip() for part in pair.partition("="))
        game.seat_of(player)
        if who not in names:
            hint = suggestion(who, names)
            raise LudusError(f"--seats {pair}: {player} can be played by {' or '.join(names)}, not {who!r}{hint}")
        chosen[player] = Seat(who, PERSON if who == YOU else who)
    return chosen


def _file_to_keep(save: str | None, resume: str | None) -> Path | None:
    """Where the game is saved: the file of --save, which must be new, else that of --resume."""
    if save is None:
        return Path(resume) if resume else None
    path = Path(save).expanduser()
    if path.exists() and not (resume and os.path.realpath(resume) == os.path.realpath(path)):
        raise LudusError(f"--save {save}: exists already; go on with it by --resume {save}, or take another name")
    folder = path.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise LudusError(f"--save {save}: {folder} is not a folder that can be written to")
    return path
