"""A contest from beginning to end: in the kernel where all bots are there, else on worker processes."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from pathlib import Path
from typing import Any

from ludus.arena.crew import Crew, Task
from ludus.arena.deals import games_of, play_deals
from ludus.arena.journal import Journal, Tally, seed_in
from ludus.arena.results import MOST_SIDES
from ludus.arena.ring import FORFEIT, POLICIES, BotFailed, Ring, Terms, label
from ludus.arena.schedule import DealBlock, make_schedule
from ludus.arena.standings import Standings
from ludus.bots import Bot, bot
from ludus.bots.external import MEMORY, MOST_MEMORY, MOST_SECONDS, SECONDS
from ludus.bots.roster import EXTERNAL
from ludus.core.errors import LudusError, UnknownName, quoted, suggestion
from ludus.core.fleet import Workers, checked_workers, fleet_for
from ludus.core.game import Game
from ludus.core.record import engine_version
from ludus.core.registry import make
from ludus.core.seeds import fold_seed
from ludus.core.shards import WHOLE, Shard
from ludus.core.sides import sides_of

MOST_DEALS_AT_ONCE = 2048  # in the kernel: about a second
PARTS_PER_WORKER = 4
KERNEL_PAYS = 200  # games: fewer are soon played without the compiler
MAX_PLIES = 100_000

Progress = Callable[[int, int], None]
Line = dict[str, Any]
GameSpec = str | Mapping[str, Any]  # what `ludus.make` takes


class ArenaStopped(LudusError):
    """A bot failed in a contest that was to stop then; `standings` has the games so far."""

    def __init__(self, reason: str, standings: Standings) -> None:
        super().__init__(reason)
        self.standings = standings


def arena(
    game: Game | GameSpec, bots: Sequence[str | Bot], games: int = 1000, seed: int | None = None, **options: Any
) -> Standings:
    """Play bots against each other: at least `games` games at each table (docs/arena.md tells all options).

    Without a seed one is drawn, or taken from the journal that the contest goes on with; the standings tell it.
    """
    with Contest(game, bots, games, seed, **options) as contest:
        try:
            return contest.play()
        except ArenaStopped:
            raise
        except LudusError as error:
            if contest.tally.played or isinstance(error, BotFailed):
                raise ArenaStopped(str(error), contest.standings()) from error
            raise


@dataclass(frozen=True)
class Conditions:
    """The options of a contest (docs/arena.md)."""

    tournament: bool = False
    workers: Workers | None = None
    journal: str | os.PathLike[str] | None = None
    records: str | os.PathLike[str] | None = None
    on_failure: str = FORFEIT
    seconds: float = SECONDS
    memory: int = MEMORY
    max_plies: int = MAX_PLIES
    plugins: Sequence[str] = ()
    progress: Progress | None = None
    shard: Shard = WHOLE


class Contest:
    """Bots, a schedule, and what has been played of it."""

    def __init__(
        self,
        game: Game | GameSpec,
        bots: Sequence[str | Bot],
        games: int = 1000,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        conditions = _conditions(options)
        self.game = game if isinstance(game, Game) else make(game)
        if "max_plies" not in options:
            self.game.ask_for_limit()
        self.bots = _bots(bots)
        self.terms = _terms(_seed(seed, conditions.journal), conditions)
        self.workers = checked_workers(conditions.workers)
        self.plugins = list(conditions.plugins)
        self.progress = conditions.progress
        self.shard = conditions.shard
        if len(sides_of(self.game)) > MOST_SIDES:
            raise LudusError(f"arena: a game with more than {MOST_SIDES} sides can't be played here")
        self.schedule = make_schedule(self.game, [label(given) for given in bots], games, conditions.tournament)
        self.tally = Tally(self.schedule)
        self.settings = {
            "game": self.game.name, "digest": self.game.digest, "bots": list(self.schedule.bots), "games": games,
            "seed": self.terms.seed, "tournament": bool(conditions.tournament), "max_plies": self.terms.max_plies,
            "dice": "by seat",
        }  # fmt: skip
        if self.shard.of > 1:
            # whoever merges the shares has nothing but their files
            self.settings |= {
                "engine": engine_version(), "document": self.game.document(),
                "shard": [self.shard.number, self.shard.of],
            }  # fmt: skip
        _check_in_advance(self.game, self.bots)
        if isinstance(self.workers, str) and self._plays_here:
            raise LudusError("arena: other machines have bots and plug-ins by name only, no objects of this process")
        self.journal = Journal(self.tally, conditions.journal, self.settings)

    def play(self) -> Standings:
        """Play what is missing; the standings at the end."""
        self._tell()
        if self.tally.played < self.planned:
            if self.runs_in_kernel:
                self._play_in_kernel()
            elif isinstance(self.workers, str):
                self._play_elsewhere()
            elif self._plays_here:
                self._play_here()
            else:
                crew = Crew(self.game, [str(spec) for spec in self.bots], self.terms, self.workers, self.plugins)
                crew.play(self._jobs(), self._take)
        return self.standings()

    @property
    def planned(self) -> int:
        """How many games are to be played here."""
        blocks = [block for table in self.schedule.tables for block in table.blocks]
        return sum(len(self.shard.share(block.deals)) * len(block.seatings) for block in blocks)

    @property
    def _plays_here(self) -> bool:
        """Whether something is an object of the caller's, which no other process has."""
        return any(isinstance(spec, Bot) for spec in self.bots) or bool(self.game.plugins and not self.plugins)

    def standings(self) -> Standings:
        """Of the games played so far."""
        return Standings(self.game, self.tally, self.settings)

    @property
    def runs_in_kernel(self) -> bool:
        """Whether every bot runs inside the kernel, nobody asked for records, and compiling pays.

        The results are the same in either way.
        """
        if self.schedule.games < KERNEL_PAYS or self.game.plugins:
            return False
        return self.terms.records is None and all(
            isinstance(given, str) and plays_in_kernel(given) for given in self.bots
        )

    def _take(self, line: Line) -> None:
        self.journal.add(line)
        self._tell()

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.tally.played, self.planned)

    def _jobs(self) -> list[list[Task]]:
        """The games that are missing, deal by deal; tables take turns, so that a part shows all bots."""
        jobs: list[tuple[float, int, list[Task]]] = []
        for at, table in enumerate(self.schedule.tables):
            for block in table.blocks:
                for deal in self.shard.share(block.deals):
                    first = block.first_game + deal * len(block.seatings)
                    missing = self.tally.missing(at, first, len(block.seatings))
                    tasks = [(at, number, *block.place(number)) for number in missing]
                    jobs += [(first / table.games, at, tasks)] if tasks else []
        return [tasks for _, _, tasks in sorted(jobs)]

    def _play_here(self) -> None:
        """In this process, one after the other."""
        ring = Ring(self.game, self.bots, self.terms)
        try:
            for tasks in self._jobs():
                for task in tasks:
                    self._take(ring.play(*task))
        finally:
            ring.close()

    def _play_in_kernel(self) -> None:
        """On threads, where the kernel leaves the interpreter alone, or on other machines."""
        # compiled here, not in the threads: so it can be interrupted, and happens once
        self.game.playouts(0, bots=[self.bots[0]] * self.game.num_players)
        with fleet_for(self.workers) as fleet:
            chunks = self._chunks(fleet.size)
            orders = [self._order(*chunk) for chunk in chunks]
            for number, played in fleet.each(play_deals, self.game, orders):
                at, block, deal, _ = chunks[number]
                self._add_missing(at, block.first_game + deal * len(block.seatings), *played)

    def _play_elsewhere(self) -> None:
        """Game by game, on other machines."""
        common = {"bots": [str(spec) for spec in self.bots], "terms": self.terms, "plugins": self.plugins}
        orders = [common | {"tasks": job} for job in self._jobs()]
        with fleet_for(self.workers, self.plugins) as fleet:
            for _, lines in fleet.each(games_of, self.game, orders):
                for line in lines:
                    self._take(line)

    def _chunks(self, workers: int) -> list[tuple[int, DealBlock, int, int]]:
        """Table, block, first deal and number of deals of what is missing."""
        found = []
        deals_in_all = sum(block.deals for table in self.schedule.tables for block in table.blocks)
        at_once = min(MOST_DEALS_AT_ONCE, 1 + deals_in_all // (PARTS_PER_WORKER * workers))
        for at, table in enumerate(self.schedule.tables):
            for block in table.blocks:
                share = self.shard.share(block.deals)
                for deal in share[::at_once]:
                    deals = min(at_once, share.stop - deal)
                    first, turns = block.first_game + deal * len(block.seatings), len(block.seatings)
                    if self.tally.has_missing(at, first, deals * turns):
                        found.append((at, block, deal, deals))
        return found

    def _order(self, at: int, block: DealBlock, deal: int, deals: int) -> dict[str, Any]:
        """What `play_deals` is told of some deals."""
        side_of = {seat: side for side, seats in enumerate(sides_of(self.game)) for seat in seats}
        sides = [side_of[seat] for seat in range(self.game.num_players)]
        return {
            "bots": [[self.bots[seating[side]] for side in sides] for seating in block.seatings], "sides": sides,
            "seed": self.terms.seed, "first": block.first_deal + deal, "deals": deals,
            "max_plies": self.terms.max_plies,
        }  # fmt: skip

    def _add_missing(self, at: int, first: int, letters: str, plies: Sequence[int]) -> None:
        """Take a chunk over; of one that was in part played before an interruption, the games that were not."""
        for run in _runs(self.tally.missing(at, first, len(letters))):
            games = slice(run[0] - first, run[-1] - first + 1)
            self._take({"table": at, "first": run[0], "results": letters[games], "plies": sum(plies[games])})

    def close(self) -> None:
        """Give the journal back."""
        self.journal.close()

    def __enter__(self) -> Contest:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Ascending numbers in groups without a gap."""
    groups = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    return [[number for _, number in group] for _, group in groups]


def _bots(given: Sequence[str | Bot]) -> list[str | Bot]:
    """Each bot once."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise LudusError(f"arena: bots are a list of names, not {quoted(given)}")
    found: dict[str, str | Bot] = {}
    for spec in given:
        if not isinstance(spec, str | Bot):
            raise LudusError(f"arena: a bot is a name or a Bot, not {quoted(spec)}")
        if found.setdefault(label(spec), spec) != spec:
            raise LudusError(f"arena: two different bots are called {label(spec)!r}")
    return list(found.values())


def plays_in_kernel(spec: str) -> bool:
    """Whether a bot by name runs inside the kernel; files and commands never do."""
    return not spec.startswith(EXTERNAL) and not is_file(spec) and bot(spec).in_kernel is not None


def is_file(spec: str) -> bool:
    """Whether a bot is a class in a file."""
    return not spec.startswith(EXTERNAL) and ".py:" in spec


def _check_in_advance(game: Game, bots: Sequence[str | Bot]) -> None:
    """What can be told without running anybody's file or command is told at once."""
    for spec in bots:
        if isinstance(spec, Bot) or not is_file(spec):
            bot(spec).check(game)


def _conditions(options: dict[str, Any]) -> Conditions:
    known = [field.name for field in fields(Conditions)]
    for name in options:
        if name not in known:
            raise UnknownName(f"arena: no option {quoted(name)}{suggestion(name, known)}; there are {', '.join(known)}")
    return Conditions(**options)


def _seed(given: int | None, journal: str | os.PathLike[str] | None) -> int:
    """The seed of a contest; bots that could guess it could know the dice."""
    if given is not None:
        return given
    known = None if journal is None else seed_in(journal)
    return secrets.randbits(63) if known is None else known


def _terms(seed: int, given: Conditions) -> Terms:
    if given.on_failure not in POLICIES:
        raise LudusError(f"arena: on_failure is {', '.join(POLICIES)}, not {quoted(given.on_failure)}")
    limits: tuple[tuple[str, Any, float], ...] = (
        ("seconds", given.seconds, MOST_SECONDS), ("memory", given.memory, MOST_MEMORY),
        ("max_plies", given.max_plies, 1e9),
    )  # fmt: skip
    for name, value, most in limits:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
            raise LudusError(f"arena: {name} is a number above 0, at most {most:g}, not {quoted(value)}")
    numbers = (float(given.seconds), int(given.memory), int(given.max_plies))
    return Terms(fold_seed(seed), given.on_failure, *numbers, _folder(given.records))


def _folder(path: str | os.PathLike[str] | None) -> str | None:
    """The folder for records, made if need be."""
    if path is None:
        return None
    folder = Path(path).expanduser().absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudusError(f"arena: records can't be kept in {folder}: {error.strerror}") from None
    return str(folder)
