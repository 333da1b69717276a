"""How strong the bots are: the table of docs/bots.md, with 95% intervals.

usage: python bench/bots.py [--only WORDS] [--scale X] [--seed N] [--write]

Every pairing is played from every seat alike, with the same dice. --scale 0.1 plays a tenth of the games; --only
picks the lines that contain some words; --write puts the table into docs/bots.md, between the marks there.
"""

from __future__ import annotations

import argparse
import re
import time
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import ludus

PAGE = Path(__file__).parents[1] / "docs" / "bots.md"
BEGIN, END = "<!-- bench/bots.py --write -->", "<!-- end -->"


@dataclass(frozen=True)
class Pairing:
    """One bot in one seat after another against another bot in all the others."""

    game: str
    bot: str
    rival: str
    games: int
    players: int = 4
    role: str = ""  # Generals: the role that the bot plays


PAIRINGS = (
    Pairing("pettingzoo", "heuristic", "random", 2000),
    Pairing("star", "heuristic", "random", 2000),
    Pairing("pettingzoo", "heuristic", "greedy", 2000),
    Pairing("pettingzoo", "expectimax", "heuristic", 1000, 2),
    Pairing("pettingzoo", "expectimax", "heuristic", 1000),
    Pairing("pettingzoo", "mcts", "heuristic", 1000, 2),
    Pairing("pettingzoo", "mcts", "heuristic", 1000),
    Pairing("generals", "heuristic", "random", 2000, 2, "attacker"),
    Pairing("generals", "random", "random", 2000, 2, "attacker"),
    Pairing("generals", "heuristic", "random", 2000, 2, "defender"),
    Pairing("generals", "random", "random", 2000, 2, "defender"),
    Pairing("generals", "mcts", "heuristic", 400, 2, "attacker"),
    Pairing("generals", "heuristic", "heuristic", 2000, 2, "attacker"),
    Pairing("generals", "mcts", "heuristic", 400, 2, "defender"),
    Pairing("generals", "heuristic", "heuristic", 2000, 2, "defender"),
)


def interval(count: int, total: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's 95% interval of a share."""
    share = count / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return centre - spread, centre + spread


def wins(pairing: Pairing, games: int, seed: int) -> tuple[int, int]:
    """Games won by the bot, and games played: as many from every seat."""
    is_generals = pairing.game == "generals"
    game = ludus.make(pairing.game) if is_generals else ludus.make(pairing.game, players=pairing.players)
    seats = [game.seat_of(pairing.role)] if pairing.role else list(range(game.num_players))
    each = max(1, games // len(seats))
    won = 0
    for seat in seats:
        bots = [ludus.bot(pairing.bot if other == seat else pairing.rival) for other in range(game.num_players)]
        won += int((game.playouts(each, seed=seed, bots=bots).winner == seat).sum())
    return won, each * len(seats)


def line(pairing: Pairing, games: int, seed: int) -> str:
    """A line of the table."""
    before = time.process_time()
    won, total = wins(pairing, games, seed)
    low, high = interval(won, total)
    rivals = pairing.players - 1
    against = f"{rivals} × {pairing.rival}" if rivals > 1 else pairing.rival
    game = f"{pairing.game}, as {pairing.role}" if pairing.role else f"{pairing.game}, {pairing.players} players"
    share = f"{100 * won / total:.1f}% ({100 * low:.1f}–{100 * high:.1f})"
    return f"| {game} | {pairing.bot} | {against} | {total:,} | {share} | {time.process_time() - before:.0f} s |"


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORDS", help="the lines that contain these words")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the table into docs/bots.md")
    arguments = parser.parse_args()
    rows = ["| game | bot | against | games | won by the bot | processor time |", "|---|---|---|---|---|---|"]
    for pairing in PAIRINGS:
        words = f"{pairing.game} {pairing.bot} {pairing.rival} {pairing.players} {pairing.role}"
        if all(word in words.split() for word in arguments.only.split()):
            rows.append(line(pairing, max(4, int(arguments.scale * pairing.games)), arguments.seed))
            print(rows[-1], flush=True)
    if arguments.write:
        page = PAGE.read_text(encoding="utf-8")
        pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
        table = "\n".join([BEGIN, *rows, END])
        PAGE.write_text(pattern.sub(lambda _: table, page), encoding="utf-8")


if __name__ == "__main__":
    main()
