"""`ludus quiz`: positions with a best move, asked at the terminal."""

from __future__ import annotations

import argparse
import random
import secrets
from typing import Any

from ludus.arena.spots import PricedPosition, Scores, spots
from ludus.cli.arguments import add_language, print_json, use_colour
from ludus.cli.lines import move_in_words, title_of
from ludus.core.errors import LudusError
from ludus.core.messages import Message, language

LEAVING = ("q", "quit", "exit", "quitter")


def add_parser(commands: Any) -> None:
    """The arguments of `ludus quiz`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "quiz",
        help="find the best move of positions, and see what others cost",
        description="Find the best move: positions from games between strong players, in which one move is clearly the "
        "best (docs/spots.md).",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="only positions of this game")
    parser.add_argument("--category", metavar="NAME", help="only of this kind: capture, out, home, danger, race …")
    parser.add_argument("--count", type=int, default=10, metavar="N", help="how many; 10")
    parser.add_argument("--seed", type=int, help="the same seed asks the same; new ones if left out")
    parser.add_argument("--json", action="store_true", help="print the positions with their answers, and ask nothing")
    add_language(parser)
    parser.add_argument("--no-colour", "--no-color", action="store_true", help="plain text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask."""
    lang = language(arguments.lang)
    known = spots(arguments.game, arguments.category)
    if arguments.count < 1:
        raise LudusError(f"--count: 1 or more, not {arguments.count}")
    seed = secrets.randbits(31) if arguments.seed is None else arguments.seed
    asked = random.Random(seed).sample(known, min(arguments.count, len(known)))
    if arguments.json:
        print_json([spot.to_dict() for spot in asked])
        return 0
    scores = Scores("you")
    for number, spot in enumerate(asked, start=1):
        print(_say("head", lang, n=number, all=len(asked), **_about(spot, lang)))
        if not _ask(spot, scores, lang, use_colour(arguments.no_colour)):
            break
    if scores.total.asked:
        data = scores.total.to_dict()
        print(_say("score", lang, right=data["right"], asked=data["asked"], cost=percent(data["cost"], lang)))
    return 0


def _about(spot: PricedPosition, lang: str) -> dict[str, str]:
    return {"game": title_of(spot.position.game, lang), "category": _say(spot.category, lang)}


def _ask(spot: PricedPosition, scores: Scores, lang: str, colour: bool) -> bool:
    """One spot; False where the person leaves."""
    position = spot.position
    moves = [str(move) for move in position.moves()]
    print(position.text(colour, lang))
    for number, move in enumerate(position.moves(), start=1):
        print(f"{number:>4}  {moves[number - 1]:<10}  {move_in_words(move, lang)}")
    while True:
        try:
            answer = input(_say("ask", lang)).strip().lower()
        except (EOFError, KeyboardInterrupt):
            print()
            return False
        if answer in LEAVING:
            return False
        chosen = moves[int(answer) - 1] if answer.isdecimal() and 1 <= int(answer) <= len(moves) else answer
        if chosen in spot.costs:
            break
        print(_say("unknown", lang, count=len(moves)))
    _tell(spot, chosen, scores.add(spot, chosen), lang)
    return True


def _tell(spot: PricedPosition, chosen: str, cost: float, lang: str) -> None:
    """Whether it was right, and what the other moves cost."""
    words = {"best": spot.best, "move": chosen, "cost": percent(cost, lang)}
    print(_say("wrong" if cost else "right", lang, **words))
    for move, price in sorted(spot.costs.items(), key=lambda pair: pair[1]):
        if price and move != chosen:
            print(_say("other", lang, move=move, cost=percent(price, lang)))
    print()


def scores_text(found: list[Scores], lang: str) -> str:
    """A table: how many each bot has right, and what it gives away, in all and by category."""
    kinds = list(found[0].categories)
    head = [_say("bot", lang), _say("share", lang), _say("cost", lang), *(_say(kind, lang) for kind in kinds)]
    rows = [head]
    for scores in found:
        data = scores.to_dict()
        shares = [percent(data["categories"][kind]["share"], lang) for kind in kinds]
        rows.append([scores.name, percent(data["share"], lang), percent(data["cost"], lang), *shares])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([_say("bots", lang, asked=found[0].total.asked), *lines])


def percent(share: float, lang: str) -> str:
    """A share as a percentage, without its sign."""
    text = f"{100 * share:.1f}"
    return text.replace(".", ",") if lang == "fr" else text


def _say(key: str, lang: str, **values: object) -> str:
    return Message("ludus.cli", key, values, "quiz").text(lang)
