"""Trains the nets that are shipped, one after the other, each in so many minutes of one processor: `--help` says how.

What is there already is left alone unless it is named, and one that was interrupted goes on where it stopped. A net
that does not win more than its share against `heuristic` and against `any` is put aside.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import ludus
from ludus.bots.net_files import ANY, SHIPPED, Net, save_net, shipped_name
from ludus.core.game import Game
from ludus.games.ludo.document.drawing import drawn_games
from ludus.training.anchors import even_share, share_won
from ludus.training.school import LOOKING_AHEAD, PLAYING, ROLLING_OUT, School, Syllabus

TEAMS = {"modes": {"mode": "teams"}}
# rule set, players (0: as many as it is for), options, minutes of a processor: the most played first
PLANNED: tuple[tuple[str, int, dict[str, Any], float], ...] = (
    ("pettingzoo", 4, {}, 2.0), ("pettingzoo", 2, {}, 1.2), ("generals", 0, {}, 2.0),
    ("star", 4, {}, 0.7), ("strict", 4, {}, 0.7), ("maedn", 4, {}, 0.7), ("french", 4, {}, 0.9),
    ("star", 2, {}, 0.35), ("strict", 2, {}, 0.35), ("maedn", 2, {}, 0.35), ("french", 2, {}, 0.4),
    ("pettingzoo", 4, TEAMS, 0.5), ("classic", 4, {}, 0.5), ("classic", 2, {}, 0.35), ("parchis", 4, {}, 0.5),
    ("ur", 0, {}, 0.3), ("star", 4, TEAMS, 0.3), ("strict", 4, TEAMS, 0.3), ("maedn", 4, TEAMS, 0.3),
    ("french", 4, TEAMS, 0.5), ("petits-chevaux", 4, {}, 0.3), ("parchis", 2, {}, 0.3), ("pachisi", 4, {}, 0.3),
    ("yut-nori", 2, {}, 0.3), ("ludo-1896", 4, {}, 0.3), ("petits-chevaux", 2, {}, 0.3), ("uckers", 4, {}, 0.3),
    ("chaupar", 4, {}, 0.3), ("aeroplane", 4, {}, 0.3), ("fia", 4, {}, 0.3), ("fia", 2, {}, 0.3), ("deck", 4, {}, 0.3),
    ("yut-nori", 4, {}, 0.3),
)  # fmt: skip
ANY_MINUTES = 12
HELD_OUT = ("fia", "tides")  # shipped rule sets that `any` never sees: bench/strength.py tries it on them
DRAWN = 150  # documents that `any` is trained on, beside the shipped ones
SHARES = ((PLAYING, 0.85), (ROLLING_OUT, 0.05), (LOOKING_AHEAD, 0.1))
SEED = 1
SAVED_EVERY = 60.0
TRIED = 1000  # games against each of those that a net must beat


def teach(school: School, minutes: float, checkpoint: Path) -> None:
    """Lessons until the minutes are used up; what a checkpoint holds is not done again."""
    if checkpoint.exists():
        school.resume(checkpoint)
    before, began = school.progress.seconds, time.process_time()
    saved = began
    until = 0.0
    for kind, share in SHARES:
        until += 60 * minutes * share
        while school.progress.seconds < until:
            school.lesson(kind)
            school.progress.seconds = before + time.process_time() - began
            if time.process_time() - saved > SAVED_EVERY:
                school.save(checkpoint)
                saved = time.process_time()
    school.save(checkpoint)


def planned_game(rules: str, players: int, options: dict[str, Any]) -> Game:
    """The game of a line of the plan."""
    return ludus.make(rules, **({"players": players} if players else {}), **options)


def is_worth_it(game: Game, net: Net, progress: Any) -> bool:
    """Whether a net wins more than its share against those that play the game without it; a line says so."""
    even = even_share(game)
    others = ("heuristic", f"td:weights={ANY}") if hasattr(game, "board") else ("heuristic",)
    won = {other: round(share_won(game, net, other, TRIED), 4) for other in others}
    kept = min(won.values()) > even
    told = {"net": shipped_name(game), "games": progress.games, "positions": progress.positions}
    print(json.dumps(told | {"won": won, "even": round(even, 3), "shipped": kept}), flush=True)
    return kept


def dedicated(names: list[str], folder: Path, scratch: Path) -> None:
    """The nets for one game each."""
    for rules, players, options, minutes in PLANNED:
        game = planned_game(rules, players, options)
        name = shipped_name(game)
        path = folder / f"{name}.safetensors"
        aside = scratch / f"{name}.aside"
        if (names and name not in names) or (not names and (path.exists() or aside.exists())):
            continue
        school = School([game], SEED, Syllabus())
        teach(school, minutes, scratch / f"{name}.safetensors")
        net = school.told_net()
        if is_worth_it(game, net, school.progress):
            save_net(path, net, half=True)
        else:
            aside.touch()


def shelf() -> list[Game]:
    """The shipped rule sets of Ludo but those held out, with as many players as they take and with two."""
    found = []
    for name in (name for name in ludus.games() if name not in HELD_OUT):
        for players in (None, 2):
            try:
                game = ludus.make(name) if players is None else ludus.make(name, players=players)
            except ludus.LudusError:
                continue
            if hasattr(game, "board"):
                found.append(game)
    return found


def for_all(folder: Path, scratch: Path, minutes: float) -> None:
    """The net for every Ludo."""
    games = [*shelf(), *drawn_games(SEED, DRAWN)]
    school = School(games, SEED, Syllabus(portion=20, halved=4e7), for_all=True)
    teach(school, minutes, scratch / "any-ludo.safetensors")
    save_net(folder / "any-ludo.safetensors", school.told_net(), half=True)
    print(json.dumps({"net": "any-ludo", "games": school.progress.games, "positions": school.progress.positions}))


def main() -> None:
    """Train what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="nets to train again, such as pettingzoo-4, or any")
    parser.add_argument("--folder", type=Path, default=SHIPPED, help="where the nets go")
    parser.add_argument("--scratch", type=Path, default=Path("trainings"), help="where checkpoints are kept")
    parser.add_argument("--any-minutes", type=float, default=ANY_MINUTES)
    arguments = parser.parse_args()
    for folder in (arguments.folder, arguments.scratch):
        folder.mkdir(parents=True, exist_ok=True)
    if arguments.names != [ANY]:
        dedicated([name for name in arguments.names if name != ANY], arguments.folder, arguments.scratch)
    if ANY in arguments.names or (not arguments.names and not (arguments.folder / "any-ludo.safetensors").exists()):
        for_all(arguments.folder, arguments.scratch, arguments.any_minutes)


if __name__ == "__main__":
    main()
