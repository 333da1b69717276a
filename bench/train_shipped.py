"""Trains the nets that are shipped, one after the other, each in so many minutes of one processor: `--help` says how.

What is there already is left alone unless it is named, and one that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import ludus
from ludus.bots.net_files import SHIPPED, save_net, shipped_name
from ludus.core.game import Game
from ludus.games.ludo.document.drawing import drawn_games
from ludus.training.anchors import strength
from ludus.training.school import LOOKING_AHEAD, PLAYING, ROLLING_OUT, School, Syllabus

# rule set, players, options, minutes of a processor
PLANNED = (
    ("pettingzoo", 4, {}, 2.0), ("pettingzoo", 2, {}, 1.2), ("generals", 2, {}, 2.0),
    ("star", 4, {}, 0.7), ("strict", 4, {}, 0.7), ("maedn", 4, {}, 0.7), ("french", 4, {}, 0.9),
    ("classic", 4, {}, 0.7), ("star", 2, {}, 0.4), ("strict", 2, {}, 0.4), ("maedn", 2, {}, 0.4),
    ("french", 2, {}, 0.5), ("classic", 2, {}, 0.4),
    ("pettingzoo", 4, {"modes": {"mode": "teams"}}, 0.7), ("parchis", 4, {}, 0.7), ("pachisi", 4, {}, 0.7),
    ("uckers", 4, {}, 0.7), ("yut", 4, {}, 0.5), ("star", 4, {"modes": {"mode": "teams"}}, 0.7), ("deck", 4, {}, 0.7),
)  # fmt: skip
ANY_MINUTES = 4
HELD_OUT = ("fia", "tides")  # shipped rule sets that `any` never sees: bench/strength.py tries it on them
DRAWN = 150  # documents that `any` is trained on, beside the shipped ones
SHARES = ((PLAYING, 0.85), (ROLLING_OUT, 0.05), (LOOKING_AHEAD, 0.1))
SEED = 1
SAVED_EVERY = 60.0


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


def told(school: School, name: str, games: list[Game]) -> None:
    """A line about a net that is done."""
    net, progress = school.playing_net(), school.progress
    found = {game.name + f"-{game.num_players}": strength(game, net, 2000) for game in games}
    print(json.dumps({"net": name, "games": progress.games, "positions": progress.positions, "won": found}), flush=True)


def dedicated(names: list[str], folder: Path, scratch: Path) -> None:
    """The nets for one game each."""
    for rules, players, options, minutes in PLANNED:
        game = ludus.make(rules, **({} if rules == "generals" else {"players": players}), **options)
        name = shipped_name(game)
        if (names and name not in names) or (not names and (folder / f"{name}.safetensors").exists()):
            continue
        school = School([game], SEED, Syllabus())
        teach(school, minutes, scratch / f"{name}.safetensors")
        save_net(folder / f"{name}.safetensors", school.playing_net(), half=True)
        told(school, name, [game])


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
    school = School(games, SEED, Syllabus(portion=20), for_all=True)
    teach(school, minutes, scratch / "any-ludo.safetensors")
    save_net(folder / "any-ludo.safetensors", school.playing_net(), half=True)
    told(school, "any-ludo", [ludus.make("pettingzoo"), ludus.make("star"), ludus.make("french")])


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
    if arguments.names != ["any"]:
        dedicated([name for name in arguments.names if name != "any"], arguments.folder, arguments.scratch)
    if "any" in arguments.names or (not arguments.names and not (arguments.folder / "any-ludo.safetensors").exists()):
        for_all(arguments.folder, arguments.scratch, arguments.any_minutes)


if __name__ == "__main__":
    main()
