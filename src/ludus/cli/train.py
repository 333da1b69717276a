"""`ludus train`: a net that learns a game by playing it."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from ludus.cli.arguments import add_game_options, add_language, add_workers, game_from, print_json
from ludus.cli.progress import progress_bar
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.messages import Message, language
from ludus.core.shards import Shard
from ludus.training.pupils import SPAN
from ludus.training.trainer import Snapshot, Told, Trained, train, train_share

INTERRUPTED = 130


def add_parser(commands: Any) -> None:
    """The arguments of `ludus train`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "train",
        help="let a net learn a game by playing it",
        description="Let a net learn a game by playing against itself, and write it to a file that bots play with: "
        "td:weights=FILE. Interrupted, it keeps what it has learnt; the same command goes on from there.",
    )
    parser.add_argument("game", metavar="GAME", help="a name of `ludus rules list`, or a rule-set file")
    add_game_options(parser)
    parser.add_argument("--minutes", type=float, default=10.0, metavar="M", help="how long; 10")
    parser.add_argument("--games", type=int, metavar="N", help="how many games, instead of how long")
    parser.add_argument("--seed", type=int, default=1, help="where everything drawn comes from; 1")
    parser.add_argument(
        "--out", metavar="FILE|DIR", help="where the weights go; NAME.safetensors if left out; a folder with --shard"
    )
    parser.add_argument("--from", dest="start", metavar="FILE|any", help="weights to begin with")
    parser.add_argument("--units", type=int, default=128, metavar="N", help="units of a new net; 128")
    parser.add_argument(
        "--pupils", type=int, metavar="N", help="nets that learn at once and become their mean again and again; 1"
    )
    parser.add_argument(
        "--apart", type=int, metavar="N", help=f"lessons of a pupil until they meet; {SPAN}, or all of a share"
    )
    add_workers(parser)
    parser.add_argument(
        "--shard", metavar="K/N", help="only the pupils of this share, such as 3/16; `ludus merge` joins them"
    )
    parser.add_argument("--no-anchors", action="store_true", help="don't measure its strength on the way")
    parser.add_argument("--tensorboard", metavar="FOLDER", help="write TensorBoard's files (the extra tensorboard)")
    parser.add_argument("--json", action="store_true", help="print data")
    add_language(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Train and report."""
    lang = language(arguments.lang)
    game = game_from(arguments.game, arguments.players, arguments.option, arguments.plugin)
    if arguments.shard is not None:
        return _run_share(game, Shard.read(arguments.shard), arguments, lang)
    with _display(lang) as told:
        found = train(
            game, arguments.minutes, arguments.seed, arguments.out or f"{game.name}.safetensors", games=arguments.games,
            start=arguments.start, units=arguments.units, anchors=not arguments.no_anchors, told=told,
            tensorboard=arguments.tensorboard, pupils=arguments.pupils or 1, apart=arguments.apart,
            workers=arguments.workers,
        )  # fmt: skip
    if arguments.json:
        print_json(as_data(found))
    else:
        print(_summary(found, lang))
    if found.interrupted:
        print(_say("interrupted", lang, file=found.path), file=sys.stderr)
    return INTERRUPTED if found.interrupted else 0


def _run_share(game: Game, shard: Shard, arguments: argparse.Namespace, lang: str) -> int:
    """One share, whose results `ludus merge` joins with the others'."""
    if not arguments.out:
        raise LudusError("--shard: say with --out DIR where its results go")
    if arguments.tensorboard:
        raise LudusError("--tensorboard: a share sees only its own lessons; train without --shard")
    with progress_bar(_say("playing", lang), _say("left", lang)) as progress:

        def tell(done: int, of: int, waits: bool) -> None:
            if progress is not None and not waits:
                progress(done, of)

        lessons = train_share(
            game, shard, arguments.out, games=arguments.games, seed=arguments.seed, start=arguments.start,
            units=arguments.units, pupils=arguments.pupils, apart=arguments.apart,
            workers=1 if arguments.workers is None else arguments.workers, told=tell,
        )  # fmt: skip
    if arguments.json:
        print_json({"shard": str(shard), "lessons": lessons, "folder": arguments.out})
    else:
        print(_say("share", lang, shard=shard, lessons=lessons, folder=arguments.out))
    return 0


def as_data(found: Trained) -> dict[str, Any]:
    """A training as plain data."""
    return {
        "file": str(found.path), "games": found.games, "positions": found.positions,
        "seconds": round(found.seconds, 1), "strength": found.strength, "history": found.history,
    }  # fmt: skip


def _say(key: str, lang: str, **values: object) -> str:
    return Message("ludus.cli", key, values, "train").text(lang)


def _strength(won: Mapping[str, float], lang: str) -> str:
    return ", ".join(_say("against", lang, percent=f"{100 * share:.1f}", bot=name) for name, share in won.items())


def _summary(found: Trained, lang: str) -> str:
    lines = [_say("done", lang, games=f"{found.games:,}", positions=f"{found.positions:,}", file=found.path)]
    if found.strength:
        lines.append(_say("won", lang, won=_strength(found.strength, lang)))
    return "\n".join([*lines, _say("use", lang, file=found.path)])


@contextlib.contextmanager
def _display(lang: str) -> Iterator[Told | None]:
    """A bar with loss and strength, where somebody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.TaskProgressColumn(),
        bars.TimeElapsedColumn(),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(_say("begins", lang), total=1.0)

        def tell(now: Snapshot) -> None:
            words = _say(
                "stands", lang, kind=_say(now.kind.replace(" ", "_"), lang), games=f"{now.games:,}",
                loss=f"{now.loss:.4f}", won=_strength(now.strength, lang),
            )  # fmt: skip
            bar.update(task, completed=now.done, description=words)

        yield tell
