"""One game between bots, asked one by one, with a clock and an answer to whatever a bot does wrong."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from ludus.arena.results import forfeited_by, letter_of
from ludus.arena.schedule import BotsBySide
from ludus.bots import Bot, BotError, ask, bot
from ludus.bots.external import ExternalBot
from ludus.bots.roster import EXTERNAL, RANDOM
from ludus.bots.uniform import RandomBot
from ludus.core.errors import in_a_line, one_line
from ludus.core.game import Game
from ludus.core.position import Move, Position
from ludus.core.random import stream
from ludus.core.record import MAX_NAME, Record, Seat, drawn_outcome
from ludus.core.seat_dice import SeatDice
from ludus.core.seeds import derived_seed
from ludus.core.sides import sides_of

FORFEIT, STOP = "forfeit", "stop"
POLICIES = (FORFEIT, RANDOM, STOP)
MOST_FAULTS = 3  # in one game; then the bot is not asked again, and plays at random


class BotFailed(BotError):
    """A bot failed in a contest that is to stop then."""


class OutOfTime(BaseException):
    """The clock of a bot in this process has run out; no bot catches it by accident."""


class BotClock:
    """Interrupts a bot that thinks too long. Works in the main thread of a process of ours."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        signal.signal(signal.SIGALRM, self._ring)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    def ask(self, asked: Bot, position: Position, name: str) -> Move:
        """The bot's move; BotError where it is not there in time, or the bot would end the process."""
        try:
            # again every second: a bot may catch everything
            signal.setitimer(signal.ITIMER_REAL, self.seconds, 1.0)
            try:
                return ask(asked, position, name)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0.0)
        except OutOfTime:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            raise BotError(f"bot {name}: gave no answer within {self.seconds:g} s") from None
        except BotError:
            raise
        except BaseException as error:  # nobody interrupts this process from a keyboard: it is the bot's own doing
            raise BotError(f"bot {name} failed: {in_a_line(error)}") from error


@dataclass
class Terms:
    """What holds for every game of a contest."""

    seed: int = 0
    on_failure: str = FORFEIT
    seconds: float = 10.0
    memory: int = 1024
    max_plies: int = 100_000
    records: str | None = None


@dataclass
class Course:
    """What a game has given so far."""

    side: int | None = None  # who forfeited
    faults: list[tuple[int, str]] = field(default_factory=list)
    thinking: dict[int, list[float]] = field(default_factory=dict)


class Fresh(Bot):
    """A bot that remembers something, for one game: it is made when it is first asked, and that is on its clock."""

    keeps_state = True

    def __init__(self, spec: str, seed: int) -> None:
        super().__init__(seed)
        self.name = label(spec)
        self._spec, self._own_seed = spec, seed
        self._made: Bot | None = None

    def choose(self, position: Position) -> Move:
        """What the bot answers; `ludus.bots.ask` checks it."""
        if self._made is None:
            self._made = bot(self._spec, seed=self._own_seed)
        return self._made.choose(position)

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """The same."""
        return self.choose(position)

    def close(self) -> None:
        """Close the bot, where there is one."""
        if self._made is not None:
            _close(self._made)


class Ring:
    """Where games are played: the bots of a contest, made when they are needed, and a clock for them."""

    def __init__(self, game: Game, bots: Sequence[str | Bot], terms: Terms, clock: BotClock | None = None) -> None:
        self.game = game
        self.bots = bots
        self.terms = terms
        self.sides = sides_of(game)
        self.side_of = [next(n for n, seats in enumerate(self.sides) if s in seats) for s in range(game.num_players)]
        self.watch: Callable[[int], None] = lambda side: None  # told who thinks, -1 when nobody of this process does
        self._clock = clock
        self._process = os.getpid()
        self._made: dict[tuple[int, int], Bot] = {}
        self._stand_in = RandomBot(seed=1)

    def play(self, table: int, number: int, deal: int, seating: BotsBySide) -> dict[str, Any]:
        """Play one game; a line for the journal."""
        seed = deal_seed(self.terms.seed, deal)
        seats = self._seated(seating, (deal, number))
        record = self._record(seating, seed) if self.terms.records else None
        course = Course()
        position = self._played(self.game.start(seed), seats, seating, course, record)
        self._tell(seats, position)
        if record is not None:
            self._save(record, table, number)
        letter = letter_of(position, self.side_of) if course.side is None else forfeited_by(course.side)
        line: dict[str, Any] = {"table": table, "first": number, "results": letter, "plies": position.ply}
        if course.faults:
            line["faults"] = course.faults
        line["thinking"] = [[who, int(n), round(seconds, 6)] for who, (n, seconds) in course.thinking.items()]
        return line

    def close(self) -> None:
        """Close every bot."""
        for made in self._made.values():
            _close(made)
        self._made.clear()

    def bot(self, index: int, copy: int, seed: int) -> Bot:
        """Bot number `index`: kept for the next game, unless it remembers something; `copy` tells its seats apart."""
        given = self.bots[index]
        if isinstance(given, Bot):
            return given
        key = (index, copy if given.startswith(EXTERNAL) else 0)
        if key not in self._made:
            self._made[key] = self._make(given)
        return Fresh(given, seed) if self._made[key].keeps_state else self._made[key]

    def _make(self, spec: str) -> Bot:
        if spec.startswith(EXTERNAL):
            return ExternalBot(spec.removeprefix(EXTERNAL), 0, self.terms.seconds, self.terms.memory)
        return bot(spec)

    def _seated(self, seating: BotsBySide, game: tuple[int, int]) -> list[tuple[Bot, int]]:
        """The bot of each seat, with its number."""
        copies: dict[int, int] = {}
        seats = []
        for seat, side in enumerate(self.side_of):
            index = seating[side]
            copies[index] = copies.get(index, -1) + 1
            seats.append((self.bot(index, copies[index], derived_seed(self.terms.seed, "bot", *game, seat)), index))
        return seats

    def _played(
        self,
        position: Position,
        seats: list[tuple[Bot, int]],
        seating: BotsBySide,
        course: Course,
        record: Record | None,
    ) -> Position:
        """The last position of the game."""
        seat_of = {player: seat for seat, player in enumerate(self.game.players)}
        most, dice = self.terms.max_plies, SeatDice(position.seed, self.game.num_players)
        while (player := position.to_move) is not None and position.ply < most:
            if player == "chance":
                draw = dice.next_draw(position)
                position = position.rolled_by(*draw) if record is None else record.play(drawn_outcome(position, draw))
                continue
            asked, index = seats[seat_of[player]]
            move = self._asked(asked, index, self.side_of[seat_of[player]], position, course)
            if move is None:
                return position
            position = position.play(move) if record is None else record.play(move)
        return position

    def _asked(self, asked: Bot, index: int, side: int, position: Position, course: Course) -> Move | None:
        """The bot's move, or what the contest says where it fails; None ends the game."""
        if sum(who == index for who, _ in course.faults) >= MOST_FAULTS:
            return self._stand_in.choose(position)
        before = time.perf_counter()
        try:
            return self._answer(asked, label(self.bots[index]), side, position)
        except BotError as error:
            return self._failed(str(error), index, side, position, course)
        finally:
            spent = course.thinking.setdefault(index, [0, 0.0])
            spent[0] += 1
            spent[1] += time.perf_counter() - before

    def _answer(self, asked: Bot, name: str, side: int, position: Position) -> Move:
        if self._clock is None or isinstance(asked, ExternalBot):  # which has a deadline of its own
            return ask(asked, position, name)
        self.watch(side)
        try:
            return self._clock.ask(asked, position, name)
        finally:
            if os.getpid() != self._process:  # the bot has forked, and this is its child: no second player of games
                os._exit(0)
            self.watch(-1)

    def _failed(self, text: str, index: int, side: int, position: Position, course: Course) -> Move | None:
        if self.terms.on_failure == STOP:
            raise BotFailed(text)
        course.faults.append((index, one_line(text)[:300]))
        if self.terms.on_failure == RANDOM:
            return self._stand_in.choose(position)
        course.side = side
        return None

    def _tell(self, seats: list[tuple[Bot, int]], position: Position) -> None:
        for who in {id(asked): asked for asked, _ in seats}.values():
            if isinstance(who, ExternalBot):
                who.over(position)
            elif who.keeps_state and who not in self.bots:
                who.close()

    def _record(self, seating: BotsBySide, seed: int) -> Record:
        names = [label(self.bots[seating[side]])[:MAX_NAME] for side in self.side_of]
        seats = {player: Seat(name, name) for player, name in zip(self.game.players, names, strict=True)}
        return Record.start(self.game, seats, seed)

    def _save(self, record: Record, table: int, number: int) -> None:
        record.save(Path(str(self.terms.records)) / f"table{table + 1:03d}-game{number + 1:06d}.jsonl")


def _close(made: Bot) -> None:
    """Close a bot; what goes wrong there changes no game."""
    with contextlib.suppress(Exception, SystemExit):
        made.close()


def deal_seed(seed: int, deal: int) -> int:
    """The seed of the first position of a deal; `playouts` gives game number `deal` the same."""
    return stream(seed, deal)


def label(given: str | Bot) -> str:
    """A bot's name in the standings."""
    text = given if isinstance(given, str) else given.name
    return one_line(text) or "bot"
