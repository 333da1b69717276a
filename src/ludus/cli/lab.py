"""`ludus lab`: how rule sets play, side by side."""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from ludus.cli.arguments import (
    add_game_options,
    add_language,
    add_workers,
    game_from,
    options_from,
    print_json,
    shard_from,
)
from ludus.cli.progress import file_to_write, progress_bar
from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.messages import language
from ludus.core.whole_file import write_whole
from ludus.lab.laboratory import MOST_RULE_SETS, Lab, lab, lab_share
from ludus.lab.parts import FULL, SHORT
from ludus.lab.searching import search
from ludus.lab.sheets import say

INTERRUPTED = 130
GAMES, MOST_TRIALS = 10_000, 10_000
_RANGE = re.compile(r"(\d{1,4})\.\.(\d{1,4})")


def add_parser(commands: Any) -> None:
    """The arguments of `ludus lab`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "lab",
        help="measure how rule sets play",
        description="Measure rule sets: length, who wins, choices, skill, each with its interval (docs/lab.md). "
        "--vary compares variants of a rule set side by side.",
    )
    parser.add_argument("games_", metavar="GAME", nargs="+", help="a name of `ludus rules list`, or a rule-set file")
    add_game_options(parser)
    parser.add_argument(
        "--vary", metavar="KEY[=VALUES]", action="append", default=[],
        help="every value of an option: finish.rule, board.pieces=2..4, start.leave_on=[6],[1,6]; several are combined",
    )  # fmt: skip
    parser.add_argument(
        "--target", metavar="FIGURES",
        help="look for a rule set near GAME that is so: 'length.p50=25 min, luck<0.7'; --vary says what may change",
    )  # fmt: skip
    parser.add_argument("--trials", type=int, default=48, metavar="N", help="documents that are tried for --target; 48")
    parser.add_argument(
        "--out", metavar="FILE|DIR", help="write the rule set that --target finds to FILE; or the folder for a share"
    )
    parser.add_argument("--games", type=int, metavar="N", help="for each rule set; 10000, with --target 2000")
    parser.add_argument("--seed", type=int, default=0, help="where all dice come from; 0")
    parser.add_argument(
        "--short", action="store_true", help="without what takes long: searches, and play without a rule"
    )
    parser.add_argument("--level", metavar="BOT", default="", help="who plays as equals; the strongest quick bot")
    add_workers(parser)
    parser.add_argument(
        "--shard", metavar="K/N", help="only this share of the work, such as 3/16, kept in the folder of --out; "
        "`ludus merge` joins them"
    )  # fmt: skip
    parser.add_argument("--journal", metavar="FILE", help="keep what was played in FILE, and go on from it")
    parser.add_argument("--json", action="store_true", help="print data")
    parser.add_argument("--html", metavar="FILE", help="write a page to FILE")
    add_language(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and report."""
    lang = language(arguments.lang)
    page = file_to_write("--html", arguments.html)
    if arguments.target:
        return _search(arguments, lang, page)
    names, games = zip(*_variants(arguments), strict=True)
    if arguments.shard:
        return _share(arguments, lang, names, games)
    measuring = say("measuring", lang, name=", ".join(dict.fromkeys(game.name for game in games)))
    try:
        with progress_bar(measuring, say("left", lang)) as progress:
            found = lab(
                games, games=arguments.games or GAMES, seed=arguments.seed, names=names, progress=progress,
                depth=SHORT if arguments.short else FULL, level=arguments.level, workers=arguments.workers,
                journal=arguments.journal,
            )  # fmt: skip
    except KeyboardInterrupt:
        return _interrupted(arguments.journal, lang)
    report_lab(found, arguments, page, lang)
    return 0


def report_lab(found: Lab, arguments: argparse.Namespace, page: Path | None, lang: str) -> None:
    """Print what was found, and write the page that was asked for."""
    if arguments.json:
        print_json(found.to_dict())
    else:
        print(found.text(lang))
    if page is not None:
        found.html(page, lang)


def _interrupted(journal: str | None, lang: str) -> int:
    """Say what is left of the work."""
    key = "goes_on" if journal else "nothing_kept"
    print(say("interrupted", lang), say(key, lang, file=journal), file=sys.stderr)
    return INTERRUPTED


def _share(arguments: argparse.Namespace, lang: str, names: Sequence[str], games: Sequence[Game]) -> int:
    """Do a share of the work, to be merged."""
    shard = shard_from(arguments)
    for name in ("journal", "json", "html"):
        if getattr(arguments, name):
            raise LudusError(f"--{name}: a share is kept in --out DIR, and `ludus merge` tells what came of all")
    kept = shard.file(arguments.out, "lab")
    words = say("measuring", lang, name=", ".join(dict.fromkeys(game.name for game in games)))
    try:
        with progress_bar(words, say("left", lang)) as progress:
            parts = lab_share(
                games, shard, kept, games=arguments.games or GAMES, seed=arguments.seed, names=names,
                depth=SHORT if arguments.short else FULL, level=arguments.level, workers=arguments.workers,
                progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt:
        return _interrupted(str(kept), lang)
    print(say("share", lang, shard=shard, parts=parts, file=kept))
    return 0


def _search(arguments: argparse.Namespace, lang: str, page: Path | None) -> int:
    """Find a rule set, write it and report."""
    out = file_to_write("--out", arguments.out)
    if len(arguments.games_) != 1:
        raise LudusError(f"--target: begins from one rule set, not {len(arguments.games_)}")
    if not 1 <= arguments.trials <= MOST_TRIALS:
        raise LudusError(f"--trials is a number from 1 to {MOST_TRIALS}, not {arguments.trials}")
    source = arguments.games_[0]

    def variant(change: dict[str, Any]) -> Game:
        more = [f"{key}={json.dumps(value)}" for key, value in change.items()]
        return game_from(source, arguments.players, arguments.option + more, arguments.plugin)

    plain = variant({})
    axes = dict(_axis(text, plain) for text in arguments.vary)
    try:
        with progress_bar(say("searching", lang, name=plain.name), say("left", lang)) as progress:
            found = search(
                variant, arguments.target, axes, games=arguments.games or GAMES // 5, trials=arguments.trials,
                seed=arguments.seed, workers=arguments.workers, journal=arguments.journal, progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt:
        return _interrupted(arguments.journal, lang)
    if not found.fits:
        words = say("unreached", lang, name=plain.name, trials=arguments.trials, nearest=found.nearest())
        print(f"ludus: {words}", file=sys.stderr)
        return 1
    name = out.stem if out is not None else f"{plain.name}-found"
    document = found.toml(name, source, options_from(arguments.option))
    if out is not None:
        write_whole(out, document.encode())
    if page is not None:
        found.lab.html(page, lang)
    if arguments.json:
        print_json({"document": document, "changes": found.changes, **found.lab.to_dict()})
    else:
        print(found.lab.text(lang), document, sep="\n\n")
    return 0


def _variants(arguments: argparse.Namespace) -> list[tuple[str, Game]]:
    """Every rule set with every combination of what is varied, by name; those that can't be are left out."""
    found: dict[str, Game] = {}
    for source in arguments.games_:
        plain = game_from(source, arguments.players, arguments.option, arguments.plugin)
        axes = [[(key, value) for value in values] for key, values in (_axis(text, plain) for text in arguments.vary)]
        refused = ""
        for chosen in product(*axes):
            name = " ".join([plain.name, *(f"{key}={_shown(value)}" for key, value in chosen)])
            try:
                more = [f"{key}={json.dumps(value)}" for key, value in chosen]
                found[name] = game_from(source, arguments.players, arguments.option + more, arguments.plugin)
            except LudusError as error:
                refused = refused or str(error)
        if not found:
            raise LudusError(f"--vary: none of these is a rule set: {refused}")
    if len(found) > MOST_RULE_SETS:
        raise LudusError(f"--vary: {len(found)} rule sets are more than {MOST_RULE_SETS}")
    return list(found.items())


def _shown(value: Any) -> str:
    return str(value).replace("'", "").replace(" ", "")


def _axis(text: str, game: Game) -> tuple[str, list[Any]]:
    """An option and its values: as written, a range, or all that it can have."""
    key, _, values = text.partition("=")
    if not values:
        choices = _choices(game, key)
        if not choices:
            raise LudusError(f"--vary {key}: say which values: --vary {key}=2..4")
        return key, choices
    if found := _RANGE.fullmatch(values):
        return key, list(range(int(found[1]), int(found[2]) + 1))
    try:
        return key, list(tomllib.loads(f"v = [{_quoted_words(values)}]")["v"])
    except tomllib.TOMLDecodeError:
        raise LudusError(f"--vary {text}: values as in TOML, with commas between them") from None


def _choices(game: Game, key: str) -> list[Any]:
    """All values of an option that has only a few."""
    group, _, name = key.rpartition(".")
    holder: Any = getattr(game.rules, group, None) if group else game.rules
    field = getattr(type(holder), "model_fields", {}).get(name)
    if field is None:
        raise LudusError(f"--vary {key}: no option {quoted(key)}; `ludus rules show {game.name} --options` lists them")
    if field.annotation is bool:
        return [True, False]
    return list(get_args(field.annotation)) if get_origin(field.annotation) is Literal else []


def _quoted_words(values: str) -> str:
    word = re.compile(r"(?<![\w\"-])([A-Za-z][\w-]*)(?![\w\"-])")
    return word.sub(lambda found: found[1] if found[1] in ("true", "false") else f'"{found[1]}"', values)
