"""How strong the bots are: the table of docs/bots.md, with 95% intervals.

usage: python bench/bots.py [--only WORDS] [--scale X] [--seed N] [--workers N] [--fresh] [--write]

Every pairing is played from every seat alike, with the same dice. --scale 0.1 plays a tenth of the games; --only
picks the lines that contain some words ("generals mcts-heuristic attacker"); --write puts the lines into
docs/bots.md, between the marks there, and leaves those that were not played as they are.
Finished pieces are kept in bench/bots.jsonl, with a digest of the bots' and the games' sources,
so that a run can be interrupted and goes on where it was; --fresh plays all of them again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import signal
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple, dataclass
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import ludus
from ludus.arena.standings import wilson

PAGE = Path(__file__).parents[1] / "docs" / "bots.md"
KEPT = Path(__file__).with_suffix(".jsonl")
BEGIN, END = "<!-- bench/bots.py --write -->", "<!-- end -->"
HEAD = (
    "| game | bot | against | games | won by the bot | drawn | draws as halves | processor time |",
    "|---|---|---|---|---|---|---|---|",
)
SLOW = ("mcts", "expectimax")  # they play in small pieces


@dataclass(frozen=True)
class Pairing:
    """One bot in one seat after another against another bot in all the others."""

    game: str
    bot: str
    rival: str
    games: int
    players: int = 4
    role: str = ""  # Generals: the role that the bot plays

    @property
    def title(self) -> str:
        """The first cells of its line."""
        rivals = self.players - 1
        against = f"{rivals} × {self.rival}" if rivals > 1 else self.rival
        game = f"{self.game}, as {self.role}" if self.role else f"{self.game}, {self.players} players"
        return f"| {game} | {self.bot} | {against} |"

    @property
    def words(self) -> list[str]:
        """What --only may ask for."""
        return f"{self.game} {self.bot} {self.rival} {self.bot}-{self.rival} {self.players} {self.role}".split()


PAIRINGS = (
    Pairing("pettingzoo", "heuristic", "random", 2000),
    Pairing("star", "heuristic", "random", 2000),
    Pairing("pettingzoo", "heuristic", "greedy", 2000),
    Pairing("pettingzoo", "expectimax", "heuristic", 400, 2),
    Pairing("pettingzoo", "expectimax", "heuristic", 400),
    Pairing("pettingzoo", "mcts", "heuristic", 200, 2),
    Pairing("pettingzoo", "mcts", "heuristic", 200),
    Pairing("generals", "heuristic", "random", 2000, 2, "attacker"),
    Pairing("generals", "random", "random", 2000, 2, "attacker"),
    Pairing("generals", "heuristic", "random", 2000, 2, "defender"),
    Pairing("generals", "random", "random", 2000, 2, "defender"),
    Pairing("generals", "mcts", "heuristic", 600, 2, "attacker"),
    Pairing("generals", "heuristic", "heuristic", 2000, 2, "attacker"),
    Pairing("generals", "mcts", "heuristic", 200, 2, "defender"),
    Pairing("generals", "heuristic", "heuristic", 2000, 2, "defender"),
)


@dataclass(frozen=True)
class Piece:
    """Some games of a pairing, the bot on one seat."""

    pairing: Pairing
    seat: int
    first: int
    games: int
    seed: int

    def key(self, sources: str) -> str:
        """What tells a finished piece from all others."""
        return json.dumps([sources, *astuple(self.pairing)[:3], *astuple(self.pairing)[4:], *astuple(self)[1:]])


def digest_of_sources() -> str:
    """A digest of all that decides how games go."""
    home = Path(ludus.__file__).parent
    files = (path for folder in ("bots", "core", "games") for path in sorted((home / folder).rglob("*")))
    texts = (path.read_bytes() for path in files if path.suffix in (".py", ".toml", ".json"))
    return hashlib.sha256(b"".join(texts)).hexdigest()[:12]


def game_of(pairing: Pairing) -> ludus.Game:
    """The game that a pairing plays."""
    return ludus.make(pairing.game) if pairing.role else ludus.make(pairing.game, players=pairing.players)


def pieces_of(pairing: Pairing, scale: float, seed: int) -> list[Piece]:
    """The games of a pairing, as many from every seat, in pieces."""
    game = game_of(pairing)
    seats = [game.seat_of(pairing.role)] if pairing.role else list(range(game.num_players))
    each = max(1, int(scale * pairing.games) // len(seats))
    step = 10 if pairing.bot in SLOW else 1000
    return [
        Piece(pairing, seat, first, min(step, each - first), seed) for seat in seats for first in range(0, each, step)
    ]


def play(piece: Piece) -> tuple[int, int, float]:
    """Games won by the bot, games drawn, and the seconds of processor time."""
    before = time.process_time()
    game, pairing = game_of(piece.pairing), piece.pairing
    bots = [ludus.bot(pairing.bot if seat == piece.seat else pairing.rival) for seat in range(game.num_players)]
    winner = game.playouts(piece.games, seed=piece.seed, bots=bots, first=piece.first).winner
    return int((winner == piece.seat).sum()), int((winner < 0).sum()), time.process_time() - before


def leave_interrupts() -> None:
    """Workers end their piece; whether to go on is decided by the process that started them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def play_all(pieces: list[Piece], workers: int, done: dict[str, list[float]], sources: str) -> None:
    """Play the pieces that are not done; each is kept as soon as it is."""
    waiting = [piece for piece in pieces if piece.key(sources) not in done]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    pool = ProcessPoolExecutor(workers, initializer=leave_interrupts)
    try:
        with Progress(*columns) as progress, open(KEPT, "a") as kept:
            bar = progress.add_task("pieces", total=len(pieces), completed=len(pieces) - len(waiting))
            futures = {pool.submit(play, piece): piece for piece in waiting}
            for future in as_completed(futures):
                key = futures[future].key(sources)
                done[key] = list(future.result())
                kept.write(json.dumps([key, done[key]]) + "\n")
                kept.flush()
                progress.advance(bar)
    except KeyboardInterrupt:
        raise SystemExit("interrupted; the same command goes on from here") from None
    finally:  # once: a second call, as a `with` makes it, would take the cancelling back
        pool.shutdown(wait=True, cancel_futures=True)


def line(pairing: Pairing, results: Iterable[tuple[Piece, list[float]]]) -> str:
    """A line of the table."""
    total = won = drawn = 0
    seconds = 0.0
    for piece, (wins, draws, spent) in results:
        total, won, drawn, seconds = total + piece.games, won + int(wins), drawn + int(draws), seconds + spent
    draws = f"{100 * drawn / total:.1f}%" if pairing.role else ""
    halves = with_interval(won + drawn / 2, total) if pairing.role else ""
    return f"{pairing.title} {total:,} | {with_interval(won, total)} | {draws} | {halves} | {seconds:.0f} s |"


def with_interval(won: float, total: int) -> str:
    """A share with its 95% interval."""
    low, high = wilson(won / total, total)
    return f"{100 * won / total:.1f}% ({100 * low:.1f}–{100 * high:.1f})"


def with_lines(page: str, lines: dict[str, str]) -> str:
    """A page with lines of the table in place of those of the same pairings."""
    pattern = re.compile(re.escape(BEGIN) + "(.*?)" + re.escape(END), re.DOTALL)
    found = pattern.search(page)
    assert found is not None, "the page has no marks"
    old = found[1].splitlines()
    kept = {p.title: text for p in PAIRINGS for text in old if text.startswith(p.title)}
    table = [*HEAD, *((kept | lines)[p.title] for p in PAIRINGS if p.title in kept | lines)]
    return pattern.sub(lambda _: "\n".join([BEGIN, *table, END]), page)


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORDS", help="the lines that contain these words")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--fresh", action="store_true", help="forget what has been played")
    parser.add_argument("--write", action="store_true", help="put the lines into docs/bots.md")
    arguments = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # also where the shell made us ignore them
        signal.signal(number, signal.default_int_handler)
    if arguments.fresh:
        KEPT.unlink(missing_ok=True)
    chosen = [p for p in PAIRINGS if set(arguments.only.split()) <= set(p.words)]
    pieces = {pairing: pieces_of(pairing, arguments.scale, arguments.seed) for pairing in chosen}
    done = dict(map(json.loads, KEPT.read_text().splitlines())) if KEPT.exists() else {}
    sources = digest_of_sources()
    play_all([piece for some in pieces.values() for piece in some], arguments.workers, done, sources)
    lines = {p.title: line(p, ((piece, done[piece.key(sources)]) for piece in pieces[p])) for p in chosen}
    print("\n".join([*HEAD, *lines.values()]))
    if arguments.write:
        PAGE.write_text(with_lines(PAGE.read_text(encoding="utf-8"), lines), encoding="utf-8")


if __name__ == "__main__":
    main()
