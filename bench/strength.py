"""How strong the bots are that play by nets, measured anew and written to docs/strength.md: `--help` says how.

One bot in one seat (or team) against another in all others, every seat equally often, each seating with the same dice.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ludus
from ludus.bots.net_files import SHIPPED, net_for
from ludus.core.game import Game
from ludus.games.ludo.document.drawing import drawn_game
from ludus.training.anchors import share_won
from ludus.training.school import PLAYING, School, Syllabus

PAGE = Path(__file__).parent.parent / "docs" / "strength.md"
HELD_OUT_SHELF = ("fia", "tides")  # `any` was not trained on them, nor on documents of this seed
HELD_OUT_SEED = 2
TUNED_RATE = 0.0125


def interval(share: float, games: int) -> str:
    """A share of games with its 95% interval (Wilson)."""
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return f"{100 * share:.1f} ({100 * (middle - half):.1f}–{100 * (middle + half):.1f})"


def line(game: Game, bot: str, opponent: str, games: int, weights: str | None = None) -> dict[str, Any]:
    """One pairing, measured."""
    depth = int(bot[2:] or 1)
    began = time.process_time()
    share = share_won(game, net_for(game, weights), opponent, games, depth)
    modes = getattr(game.rules, "modes", None)
    even = 0.5 if modes is not None and modes.mode == "teams" else 1 / game.num_players
    return {
        "game": game.name, "players": game.num_players, "bot": bot, "against": opponent, "games": games,
        "won": interval(share, games), "even": f"{100 * even:.0f}", "seconds": round(time.process_time() - began, 1),
    }  # fmt: skip


def main_lines(games: int) -> Iterator[dict[str, Any]]:
    """The rule set of the goals, with four and with two."""
    four, two = ludus.make("pettingzoo"), ludus.make("pettingzoo", players=2)
    yield line(four, "td", "random", games)
    yield line(four, "td", "heuristic", games)
    yield line(four, "td2", "heuristic", games)
    yield line(four, "td2", "td", games)
    yield line(two, "td", "random", games)
    yield line(two, "td", "heuristic", games)
    yield line(two, "td2", "heuristic", games)


def shipped_lines(games: int) -> Iterator[dict[str, Any]]:
    """Every other game that has weights of its own."""
    for file in sorted(SHIPPED.glob("*.safetensors")):
        name, teams, _ = file.stem.partition("-4-teams")
        if file.stem.startswith("any-") or file.stem in ("pettingzoo-2", "pettingzoo-4"):
            continue
        if teams:
            game = ludus.make(name, players=4, modes={"mode": "teams"})
        else:
            name, _, players = file.stem.rpartition("-")
            game = ludus.make(name) if name == "generals" else ludus.make(name, players=int(players))
        yield line(game, "td", "heuristic", games)


def unseen_lines(games: int, documents: int) -> Iterator[dict[str, Any]]:
    """`any` on rule sets and documents that it was not trained on, as it is."""
    held = [ludus.make(name) for name in HELD_OUT_SHELF]
    held += [drawn_game(random.Random(f"{HELD_OUT_SEED}/{n}"), f"unseen-{n}") for n in range(documents)]
    for game in held:
        yield line(game, "td", "heuristic", games, "any")


def tuned_line(name: str, seconds: float, games: int) -> dict[str, Any]:
    """`any` as it is, after some seconds of fine-tuning, and a net of the game's own after as many."""
    game = ludus.make(name)
    start = net_for(game, "any")
    found = {"game": name, "seconds": seconds, "any": interval(share_won(game, start, "heuristic", games), games)}
    for key, school in (
        ("tuned", School([game], 1, Syllabus(units=start.units, rate=TUNED_RATE), start)),
        ("own", School([game], 1, Syllabus())),
    ):
        began = time.process_time()
        while time.process_time() - began < seconds:
            school.lesson(PLAYING)
        found[key] = interval(share_won(game, school.playing_net(), "heuristic", games), games)
    return found


def table(rows: list[dict[str, Any]], columns: dict[str, str]) -> str:
    """Rows as a table of Markdown."""
    lines = ["| " + " | ".join(columns.values()) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(str(row[key]) for key in columns) + " |" for row in rows])


PAIRING = {
    "game": "game", "players": "players", "bot": "bot", "against": "all others", "games": "games",
    "won": "won, % (95%)", "even": "even, %",
}  # fmt: skip
TUNING = {
    "game": "game", "seconds": "seconds", "any": "`any` as it is", "tuned": "fine-tuned", "own": "a net of its own",
}  # fmt: skip


def page(found: dict[str, list[dict[str, Any]]]) -> str:
    """The whole page."""
    return f"""# How strong the bots are

Written by `bench/strength.py` from the weights that are shipped: one bot in one seat (or team) against another in all
other seats, every seat equally often, each seating with the same dice; a draw is shared. 95% intervals are Wilson's.

## The rule set `pettingzoo`
{table(found["main"], PAIRING)}

## Every other game with weights of its own
{table(found["shipped"], PAIRING)}

## `any`, on what it has never seen
`fia` and `tides` were kept from it, and so were the documents `unseen-…`, drawn by lot (`drawing.py`, seed
{HELD_OUT_SEED}).

{table(found["unseen"], PAIRING)}
{_tuning(found["tuned"])}"""


def _tuning(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    said = "Against `heuristic` in all other seats, after so many seconds of one processor each."
    return f"\n## Fine-tuning\n{said}\n\n{table(rows, TUNING)}\n"


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="for the rule set of the goals")
    parser.add_argument("--few", type=int, default=4_000, help="for every other pairing")
    parser.add_argument("--documents", type=int, default=8, help="documents that nobody has seen")
    parser.add_argument("--tuned", nargs="*", default=["fia"], help="games to fine-tune on")
    parser.add_argument("--seconds", type=float, default=120.0, help="of fine-tuning")
    parser.add_argument("--out", type=Path, default=PAGE)
    arguments = parser.parse_args()
    found: dict[str, list[dict[str, Any]]] = {}
    for name, lines in (
        ("main", main_lines(arguments.games)),
        ("shipped", shipped_lines(arguments.few)),
        ("unseen", unseen_lines(arguments.few, arguments.documents)),
        ("tuned", (tuned_line(game, arguments.seconds, arguments.few) for game in arguments.tuned)),
    ):
        found[name] = []
        for one in lines:
            found[name].append(one)
            print(json.dumps(one), flush=True)
    arguments.out.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
