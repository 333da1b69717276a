"""`ludus bench`: moves a second on one core, beside other engines, and what starting costs."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ludus.bots.mcts import MctsBot
from ludus.cli import bench_envs, bench_starts
from ludus.cli.arguments import print_json
from ludus.cli.peers import Batch, ludopy_batch, openspiel_batch
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.registry import games, make

ROUNDS = 5
GAMES_IN_A_BATCH = 100
REFERENCE = "OpenSpiel maedn"
PYTHON_LOOP = "maedn, Python loop"

_IMPORT = """
import sys, time
before = time.perf_counter()
import ludus
print(time.perf_counter() - before, "llvmlite" in sys.modules)
"""

_FIRST_POSITION = """
import sys
from ludus.cli import main
code = main(["play", "pettingzoo", "--seed", "1"])
sys.exit(code or ("llvmlite" in sys.modules and "the compiler was imported"))
"""


@dataclass
class Contender:
    """Something that plays: `batch` plays a little and returns how many decisions it made."""

    label: str
    batch: Batch
    speeds: list[float] = field(default_factory=list)

    def run(self, seconds: float) -> None:
        """One round of about so many seconds of processor time."""
        moves, before = 0, time.process_time()
        while (spent := time.process_time() - before) < seconds:
            moves += self.batch()
        self.speeds.append(moves / spent)

    @property
    def speed(self) -> float:
        """Moves a second, the median of the rounds."""
        return statistics.median(self.speeds)


def add_parser(commands: Any) -> None:
    """The arguments of `ludus bench`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "bench",
        help="measure speed, beside other engines",
        description="Random play on one core, in moves a second (a move is a decision, a pass included), all "
        "interleaved in rounds; other engines where they are installed (pip install 'ludus[peers]').",
    )
    parser.add_argument("games", metavar="GAME", nargs="*", help="names or rule-set files; all if left out")
    parser.add_argument("--seconds", type=float, default=2.0, metavar="S", help="for each contender; 2 if left out")
    parser.add_argument("--json", action="store_true", help="print data")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    if not 0.01 <= arguments.seconds <= 3600:
        raise LudusError(f"bench: --seconds is 0.01 to 3600, not {arguments.seconds}")
    chosen = chosen_games(arguments.games)
    contenders = line_up(chosen)
    compete(contenders, arguments.seconds)
    report = {
        "rounds": ROUNDS,
        "seconds": arguments.seconds,
        "moves_per_second": {c.label: round(c.speed) for c in contenders},
        "ratios": ratios(contenders),
        "bytes_per_game": {label: 2 * len(game.start_row()) for label, game in chosen.items()},
        **starting(),
        "processor_seconds": bench_starts.measure(_progress),
        "french_six_dice": french_six_dice(),
        "environments": bench_envs.measure(arguments.seconds, _progress),
        "mcts_plies_per_second": mcts_plies(),
        "learning": learning(arguments.seconds),
    }
    _progress("")
    if arguments.json:
        print_json(report)
    else:
        print(as_text(report))
    return 0


def chosen_games(names: list[str]) -> dict[str, Game]:
    """The games to measure, by label; strict with one die and with two."""
    found: dict[str, Game] = {}
    for name in names or games():
        found[name] = make(name)
        if name == "strict":
            found["strict, two dice"] = make(name, dice=2)
    return found


def line_up(chosen: dict[str, Game]) -> list[Contender]:
    """Everything that competes; engines that are not installed are left out."""
    contenders = []
    for label, game in chosen.items():
        _progress(f"compiling {label}")
        game.compile()
        contenders.append(Contender(label, playouts_batch(game)))
    for label in ("heuristic", "greedy"):
        contenders.append(Contender(f"pettingzoo, {label}", playouts_batch(make("pettingzoo"), label)))
    contenders.append(Contender(PYTHON_LOOP, python_batch(make("maedn").compile())))
    peers = {REFERENCE: openspiel_batch(), "ludopy": ludopy_batch()}
    contenders += [Contender(label, batch) for label, batch in peers.items() if batch is not None]
    for contender in contenders:
        _progress(f"warming up {contender.label}")
        contender.batch()
    return contenders


def compete(contenders: list[Contender], seconds: float) -> None:
    """Interleaved rounds, so that noise hits all alike."""
    for number in range(1, ROUNDS + 1):
        for contender in contenders:
            _progress(f"round {number} of {ROUNDS}: {contender.label}")
            contender.run(seconds / ROUNDS)


def playouts_batch(game: Game, bot: str | None = None) -> Batch:
    """Compiled games, random or of one bot against itself, other ones each time."""
    bots = None if bot is None else [bot] * game.num_players
    played = 0

    def batch() -> int:
        nonlocal played
        done = game.playouts(GAMES_IN_A_BATCH, seed=1, bots=bots, first=played)
        played += GAMES_IN_A_BATCH
        return int(done.moves.sum())

    return batch


def python_batch(game: Game) -> Batch:
    """One random game by a plain loop over `moves()` and `play()`."""
    import random

    rng = random.Random(1)
    played = 0

    def batch() -> int:
        nonlocal played
        played += 1
        position, moves = game.start(seed=played), 0
        while (acting := position.to_move) is not None:
            if acting == "chance":
                position = position.roll()
            else:
                position = position.play(rng.choice(position.moves()))
                moves += 1
        return moves

    return batch


def ratios(contenders: list[Contender]) -> dict[str, float] | None:
    """Each speed over that of OpenSpiel's maedn; None where it is not installed."""
    speeds = {c.label: c.speed for c in contenders}
    reference = speeds.get(REFERENCE)
    return {label: _significant(speed / reference) for label, speed in speeds.items()} if reference else None


def starting() -> dict[str, Any]:
    """What a fresh process pays at best: the import, and a person's first position with nothing compiled."""
    _progress("starting afresh")
    imports = [bench_starts.fresh(_IMPORT, {}).split() for _ in range(ROUNDS)]
    firsts = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as empty:
            before = time.perf_counter()
            bench_starts.fresh(_FIRST_POSITION, {"LUDUS_CACHE_DIR": empty})
            firsts.append(time.perf_counter() - before)
    return {
        "import_seconds": round(min(float(words[0]) for words in imports), 3),
        "import_loads_compiler": any(words[1] == "True" for words in imports),
        "first_position_seconds": round(min(firsts), 3),
    }


def french_six_dice(wanted: int = 200, calls: int = 50) -> dict[str, float]:
    """Microseconds to list the legal moves of a pool of six dice, over positions of random games."""
    _progress("French pools of six dice")
    game = make("french").compile()
    engine = game.engine
    took = []
    for position in _pools_of_six(game, wanted):
        listing = partial(engine.kernel.legal_api, engine.view(position.row), engine.tables, engine.scratch)
        took.append(min(_microseconds(listing, calls) for _ in range(ROUNDS)))
    return {"median_us": round(statistics.median(took), 2), "mean_us": round(statistics.fmean(took), 2)}


def mcts_plies(simulations: int = 20_000) -> int:
    """Plies a second that Monte Carlo search simulates on `pettingzoo`, on one core: the best of the rounds."""
    _progress("Monte Carlo search")
    position = make("pettingzoo").start(seed=1)
    while len(position.moves()) < 2:
        position = position.roll() if position.to_move == "chance" else position.play(position.moves()[0])
    bot = MctsBot(simulations=simulations)
    bot.choose(position)
    speeds = []
    for _ in range(ROUNDS):
        before = time.process_time()
        bot.choose(position)
        speeds.append(bot.plies / (time.process_time() - before))
    return round(max(speeds))


def learning(seconds: float) -> dict[str, float]:
    """On `pettingzoo` with four and 128 units, one core: positions learnt a second, microseconds of a `td` decision."""
    from ludus.training.school import PLAYING, School, Syllabus

    _progress("learning")
    game = make("pettingzoo")
    school = School([game], 1, Syllabus())
    school.lesson(PLAYING)
    before, learnt = time.process_time(), 0
    while time.process_time() - before < seconds or not learnt:
        learnt += school.lesson(PLAYING).positions
    speed = learnt / (time.process_time() - before)
    game.playouts(1, seed=1, bots=["td"] * 4)
    before = time.process_time()
    moves = int(game.playouts(200, seed=2, bots=["td"] * 4).moves.sum())
    return {"positions_per_second": round(speed), "td_us": round(1e6 * (time.process_time() - before) / moves, 2)}


def _pools_of_six(game: Game, wanted: int) -> list[Position]:
    """Positions of random games in which 6+6, 6+6 and 5+3 have just been rolled."""
    import random

    found: list[Position] = []
    rng, position = random.Random(1), game.start(seed=1)
    while len(found) < wanted:
        if position.to_move is None:
            position = game.start(seed=len(found))
        if position.to_move == "chance":
            if "kept" not in position.to_dict():
                found.append(position.play("6,6").play("6,6").play("5,3"))
            position = position.roll()
        else:
            position = position.play(rng.choice(position.moves()))
    return found


def _microseconds(call: Callable[[], object], times: int) -> float:
    before = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - before) / times * 1e6


def as_text(report: dict[str, Any]) -> str:
    """The report for people."""
    speeds, ratio = report["moves_per_second"], report["ratios"]
    width = max(map(len, speeds))
    lines = [f"{'':<{width}}  {'moves/s':>12}  {'× ' + REFERENCE if ratio else ''}".rstrip()]
    for label, speed in speeds.items():
        times = f"{ratio[label]:>7g}" if ratio else ""
        lines.append(f"{label:<{width}}  {speed:>12,}  {times}".rstrip())
    if ratio is None:
        lines.append("OpenSpiel is not installed, so there are no ratios: pip install 'ludus[peers]'")
    sizes, french = report["bytes_per_game"].values(), report["french_six_dice"]
    loads = ", imports the compiler" if report["import_loads_compiler"] else ", without the compiler"
    return "\n".join([
        *lines,
        "",
        *bench_envs.as_lines(report["environments"]),
        f"one core, processor time, median of {report['rounds']} interleaved rounds",
        "",
        f"memory per game          {min(sizes)} to {max(sizes)} bytes",
        f"import ludus             {report['import_seconds']} s{loads} (best of {report['rounds']}, like the next)",
        f"first position to play   {report['first_position_seconds']} s, whole process, nothing compiled",
        *bench_starts.as_lines(report["processor_seconds"]),
        f"mcts on pettingzoo       {report['mcts_plies_per_second']:,} simulated plies/s",
        f"learning pettingzoo      {report['learning']['positions_per_second']:,} positions/s, 128 units, four players",
        f"td on pettingzoo         {report['learning']['td_us']} µs a decision, forced ones among them",
        f"French, moves of 6 dice  {french['median_us']} µs (median position; mean {french['mean_us']})",
    ])  # fmt: skip


def _significant(value: float) -> float:
    return float(f"{value:.3g}")


def _progress(text: str) -> None:
    """What is going on, on one line that is written over; nothing where nobody looks."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
