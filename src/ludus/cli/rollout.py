"""`ludus rollout`: a position played on many times."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ludus.analysis.rolling_out import rollout
from ludus.analysis.saying import say
from ludus.cli.arguments import (
    add_game_options,
    add_language,
    add_position,
    add_workers,
    game_from,
    position_from,
    print_json,
    use_colour,
)
from ludus.cli.progress import progress_bar
from ludus.core.messages import language

INTERRUPTED = 130


def add_parser(commands: Any) -> None:
    """The arguments of `ludus rollout`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "rollout",
        help="play a position on many times: chances with intervals",
        description="Play a position on many times: what each player may hope for, and at a decision what every move "
        "is worth, with 95% intervals (docs/analysis.md).",
    )
    parser.add_argument("game", metavar="GAME", help="a name of `ludus rules list`, or a rule-set file")
    add_game_options(parser)
    add_position(parser, "what is played on; the first position if left out")
    parser.add_argument("--games", type=int, default=10_000, metavar="N", help="in all, at least; 10000")
    parser.add_argument("--seed", type=int, default=1, help="where all dice come from; 1")
    parser.add_argument("--by", metavar="WHO", help="td, td:weights=FILE, heuristic, greedy or random")
    parser.add_argument("--horizon", type=int, metavar="N", help="decisions to play on; to the end if left out")
    parser.add_argument("--raw", action="store_true", help="leave the luck of the dice in")
    parser.add_argument("--stop", action="store_true", help="stop as soon as the answer is clear")
    parser.add_argument("--within", type=float, default=0.01, metavar="SHARE", help="clear, where nobody decides; 0.01")
    add_workers(parser)
    parser.add_argument("--journal", metavar="FILE", help="keep results in FILE; the same command then goes on from it")
    parser.add_argument("--json", action="store_true", help="print data")
    add_language(parser)
    parser.add_argument("--no-colour", "--no-color", action="store_true", help="plain text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play on and report."""
    lang = language(arguments.lang)
    game = game_from(arguments.game, arguments.players, arguments.option, arguments.plugin)
    position = game.start() if arguments.position is None else position_from(game, arguments.position)
    try:
        with progress_bar(say("playing", lang, "rollout"), say("left", lang, "rollout")) as progress:
            found = rollout(
                position, arguments.games, arguments.seed, by=arguments.by, horizon=arguments.horizon,
                adjusted=not arguments.raw, stop=arguments.stop, within=arguments.within, workers=arguments.workers,
                journal=arguments.journal, progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt:
        key = "goes_on" if arguments.journal else "nothing_kept"
        words = say("interrupted", lang, "rollout"), say(key, lang, "rollout", file=arguments.journal)
        print(" ".join(words), file=sys.stderr)
        return INTERRUPTED
    if arguments.json:
        print_json(found.to_dict())
    else:
        print(found.text(lang, use_colour(arguments.no_colour)))
    return 0
