"""`ludus arena`: bots against each other, and what can be said of them."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path
from typing import Any

from ludus.arena.contest import Contest
from ludus.arena.ring import FORFEIT, POLICIES, BotFailed
from ludus.arena.standings import Standings
from ludus.bots.external import MEMORY, SECONDS
from ludus.cli.arguments import (
    add_game_options,
    add_language,
    add_shard,
    add_workers,
    game_from,
    print_json,
    shard_from,
    use_colour,
)
from ludus.cli.progress import file_to_write, progress_bar
from ludus.core.errors import LudusError, one_line
from ludus.core.game import Game
from ludus.core.messages import Message, language
from ludus.core.shards import Shard
from ludus.core.whole_file import write_whole

NO, INTERRUPTED = 1, 130


def add_parser(commands: Any) -> None:
    """The arguments of `ludus arena`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "arena",
        help="let bots play against each other",
        description="Let bots play against each other: every seating, the same dice for each, results with 95% "
        "intervals and ratings. With fewer bots than sides the last one takes the sides left over; with more, or with "
        "--tournament, every group of bots plays (docs/arena.md).",
    )
    parser.add_argument("game", metavar="GAME", help="a name of `ludus rules list`, or a file; not with --spots")
    bots = parser.add_argument("bots", metavar="BOT", nargs="+", help="a name, path.py:Class, or exec:COMMAND")
    add_game_options(parser)
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="at each table, at least; 1000")
    parser.add_argument("--seed", type=int, help="where all dice come from; a new one if left out")
    parser.add_argument("--tournament", action="store_true", help="a round robin: every group of bots plays")
    add_workers(parser)
    parser.add_argument("--journal", metavar="FILE", help="keep results in FILE; the same command then goes on from it")
    add_shard(parser)
    parser.add_argument("--records", metavar="FOLDER", help="keep a record of every game in FOLDER")
    parser.add_argument(
        "--on-failure", choices=POLICIES, default=FORFEIT, help=f"a bot that fails forfeits the game ({FORFEIT}), "
        "a random move is played for it, or everything stops",
    )  # fmt: skip
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help=f"for a move; {SECONDS:g}")
    parser.add_argument("--memory", type=int, default=MEMORY, metavar="MB", help=f"for a bot's process; {MEMORY}")
    parser.add_argument(
        "--luck-adjusted", action="store_true", help="take the luck of the dice off, by the shipped net's values"
    )
    parser.add_argument(
        "--luck-plies", type=int, metavar="1|2", help="how far those values look ahead: 2 tells luck better, and takes "
        "longer; 1",
    )  # fmt: skip
    parser.add_argument(
        "--spots", action="store_true", help="ask the bots the spots of `ludus quiz` instead of playing"
    )
    parser.add_argument("--json", action="store_true", help="print data")
    parser.add_argument("--html", metavar="FILE", help="write a page with plots to FILE")
    add_language(parser)
    parser.add_argument("--no-colour", "--no-color", action="store_true", help="plain text")
    parser.set_defaults(run=run)
    _let_one_bot_take_the_quiz(parser, bots)


def _let_one_bot_take_the_quiz(parser: argparse.ArgumentParser, bots: argparse.Action) -> None:
    """With --spots no game is named: its place is the first bot's, and there may be no other."""
    plain = parser.parse_known_args

    def parse(args: Any = None, namespace: Any = None) -> Any:
        bots.nargs = "*" if "--spots" in (args or ()) else "+"
        return plain(args, namespace)

    parser.parse_known_args = parse  # type: ignore[method-assign]


def run(arguments: argparse.Namespace) -> int:
    """Play and report."""
    lang = language(arguments.lang)
    if arguments.spots:
        return _spots(arguments, lang)
    page = file_to_write("--html", arguments.html)
    game = game_from(arguments.game, arguments.players, arguments.option, arguments.plugin)
    if arguments.luck_adjusted:
        return _without_luck(arguments, game, lang)
    if arguments.luck_plies is not None:
        raise LudusError("arena: --luck-plies goes with --luck-adjusted")
    shard, journal = _kept(arguments)
    with Contest(
        game, arguments.bots, arguments.games, arguments.seed, tournament=arguments.tournament,
        workers=arguments.workers, journal=journal, shard=shard, records=arguments.records,
        on_failure=arguments.on_failure, seconds=arguments.seconds, memory=arguments.memory, plugins=arguments.plugin,
    ) as contest:  # fmt: skip
        code, reason = _play(contest, lang)
        if code == 0 or contest.tally.played:
            report(contest.standings(), arguments, page, lang)
    if reason:
        print(reason, file=sys.stderr)
    return code


def _spots(arguments: argparse.Namespace, lang: str) -> int:
    """The quiz, taken by bots."""
    from ludus.arena.spots import score_bots, spots
    from ludus.cli.quiz import scores_text

    for name in ("tournament", "journal", "records", "html", "shard", "luck_adjusted", "players", "option", "plugin"):
        if getattr(arguments, name, None):
            raise LudusError(f"arena: --{name.replace('_', '-')} can't go with --spots")
    bots = [arguments.game, *arguments.bots]
    with progress_bar(_say("playing", lang), _say("left", lang)) as progress:
        found = score_bots(
            bots, spots(), arguments.seed or 0, progress, seconds=arguments.seconds, memory=arguments.memory
        )
    if arguments.json:
        print_json([scores.to_dict() for scores in found])
    else:
        print(scores_text(found, lang))
    return 0


def _without_luck(arguments: argparse.Namespace, game: Game, lang: str) -> int:
    """The same games, with the luck taken off."""
    from ludus.analysis.adjusting import luck_adjusted

    for name in ("tournament", "journal", "records", "html", "shard"):
        if getattr(arguments, name, None):
            raise LudusError(f"arena: --{name} can't go with --luck-adjusted")
    seed = secrets.randbits(31) if arguments.seed is None else arguments.seed
    with progress_bar(_say("playing", lang), _say("left", lang)) as progress:
        found = luck_adjusted(
            game, arguments.bots, arguments.games, seed, progress=progress, plies=arguments.luck_plies or 1
        )
    if arguments.json:
        print_json(found.to_dict())
    else:
        print(found.text(lang))
    return 0


def _kept(arguments: argparse.Namespace) -> tuple[Shard, str | Path | None]:
    """Which share is played, and where its results are kept."""
    shard = shard_from(arguments)
    if shard.of == 1:
        return shard, arguments.journal
    if arguments.journal:
        raise LudusError("--journal: a share keeps its results in --out DIR")
    return shard, shard.file(arguments.out, "arena")


def _play(contest: Contest, lang: str) -> tuple[int, str]:
    """Play on; the exit code, and why it ended early."""
    try:
        with progress_bar(_say("playing", lang), _say("left", lang)) as contest.progress:
            contest.play()
    except KeyboardInterrupt:
        return INTERRUPTED, _early(contest, "interrupted", lang)
    except LudusError as error:
        if not contest.tally.played and not isinstance(error, BotFailed):
            raise
        return NO, f"ludus: {one_line(str(error))}\n{_early(contest, 'stopped', lang)}"
    return 0, ""


def _early(contest: Contest, key: str, lang: str) -> str:
    words = _say(key, lang, games=contest.tally.played, planned=contest.planned)
    kept = contest.journal.path
    return words + (" " + _say("goes_on", lang, file=kept) if kept else "")


def _say(key: str, lang: str, **values: object) -> str:
    return Message("ludus.cli", key, values, "arena").text(lang)


def report(standings: Standings, arguments: argparse.Namespace, page: Path | None, lang: str) -> None:
    """Print the standings, and write the page that was asked for."""
    if arguments.json:
        print_json(standings.to_dict())
    else:
        print(standings.text(lang, use_colour(arguments.no_colour)))
    if page is not None:
        try:
            write_whole(page, standings.html(lang).encode())
        except OSError as error:
            raise LudusError(f"--html {page}: can't be written: {error.strerror}") from None
        print(_say("page", lang, file=page), file=sys.stderr)
