"""`ludus solve`: exact values of a game that is small enough."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ludus.bots.endings import place_of
from ludus.cli.arguments import add_game_options, add_language, add_position, game_from, position_from, print_json
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.messages import Message, language
from ludus.training.ending_tables import make_endings
from ludus.training.solver import TOLERANCE, Solution, solve
from ludus.training.state_space import MOST_STATES, Progress

NO = 1


def add_parser(commands: Any) -> None:
    """The arguments of `ludus solve`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "solve",
        help="exact values of a small game",
        description="Find every position of a game and what each is worth when everybody plays perfectly. Two sides: "
        "bounds from below and above, and the gap between them as the proof. The same folder goes on where it was.",
    )
    parser.add_argument("game", metavar="GAME", help="a name of `ludus rules list`, or a rule-set file")
    add_game_options(parser)
    add_position(parser, "what is solved, with all that can follow; the first position if left out")
    parser.add_argument("--out", metavar="DIR", help="keep positions and values here, and go on from what is there")
    parser.add_argument(
        "--tolerance", type=float, default=TOLERANCE, metavar="X", help=f"the widest gap; {TOLERANCE:g}"
    )
    parser.add_argument("--most", type=int, default=MOST_STATES, metavar="N", help=f"positions; {MOST_STATES}")
    parser.add_argument(
        "--endings", metavar="N", type=int, nargs="?", const=1,
        help="only positions with at most N pieces of each of two sides under way (1), for analyses and `exact`",
    )  # fmt: skip
    parser.add_argument("--exploit", metavar="BOT", help="how much a perfect player wins against this bot")
    parser.add_argument("--json", action="store_true", help="print data")
    add_language(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Solve and report; 1 where the bounds do not meet."""
    lang = language(arguments.lang)
    game = game_from(arguments.game, arguments.players, arguments.option, arguments.plugin)
    if arguments.endings is not None:
        return _make_endings(game, arguments.endings, arguments.json, lang)
    out = None if arguments.out is None else Path(arguments.out)
    if out is not None and out.exists() and not out.is_dir():
        raise LudusError(f"--out {out}: not a folder")
    position = None if arguments.position is None else position_from(game, arguments.position)
    with _progress_bar(lang) as progress:
        found = solve(
            game, position=position, out=out, tolerance=arguments.tolerance, most=arguments.most, progress=progress
        )
    told = found.to_dict()
    if arguments.exploit:
        told["exploit"] = {"bot": arguments.exploit, **found.exploit(arguments.exploit)}
    if arguments.json:
        print_json(told)
    else:
        print("\n".join(_lines(found, told, lang)))
    return 0 if found.gap <= found.tolerance else NO


def _make_endings(game: Game, left: int, as_json: bool, lang: str) -> int:
    """Make the table of endings and say where it is."""
    with _progress_bar(lang) as progress:
        made = make_endings(game, left, progress)
    told = {"game": game.name, "left": left, "positions": len(made), "file": str(place_of(game))}
    if as_json:
        print_json(told)
    else:
        print(_say("endings", lang, **{**told, "game": game.title(lang), "positions": f"{len(made):,}"}))
    return 0


def _lines(found: Solution, told: dict[str, Any], lang: str) -> Iterator[str]:
    yield _say("solved", lang, game=found.game.title(lang), positions=f"{found.positions:,}", rounds=found.rounds)
    yield _say("proven" if told["proven"] else "settled", lang, gap=f"{found.gap:.1e}")
    for player, value in told["value"].items():
        yield f"  {player:<10} {100 * value:.6f} %"
    if "exploit" in told:
        answer = told["exploit"]
        gain = f"{100 * answer['exploitability']:.3f}"
        yield _say("exploit", lang, bot=answer["bot"], gain=gain)
        for player, value in answer["by seat"].items():
            yield f"  {player:<10} {100 * value:.3f} %"


def _say(key: str, lang: str, **values: object) -> str:
    return Message("ludus.cli", key, values, "solve").text(lang)


@contextlib.contextmanager
def _progress_bar(lang: str) -> Iterator[Progress | None]:
    """How many positions are looked at, then how many rounds were made, where somebody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:

        def tell(stage: str, done: int, of: int) -> None:
            status.update(_say(stage, lang, done=f"{done:,}", of=f"{of:,}"))

        yield tell
