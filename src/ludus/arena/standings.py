"""What a contest has shown: wins by bot and seat, with 95% intervals, and ratings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ludus.arena.journal import Tally
from ludus.arena.ratings import Z95, Meetings, Rating, bradley_terry, openskill_ratings
from ludus.arena.results import NOT_PLAYED, beaten, shares
from ludus.arena.schedule import BotsBySide, DealBlock
from ludus.core.errors import UnknownName, quoted, suggestion
from ludus.core.game import Game
from ludus.core.sides import sides_of

MOST_RATED = 2_000  # games that openskill looks at: it settles long before, and takes its time
FEW_DEALS = 20


@dataclass(frozen=True)
class Share:
    """How much of the games somebody won: a shared win counts in part. `low` to `high` is the 95% interval."""

    games: int
    wins: int
    share: float
    low: float
    high: float
    fair: float  # what equal players would get

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "games": self.games, "wins": self.wins, "share": self.share, "low": self.low, "high": self.high,
            "fair": self.fair,
        }  # fmt: skip


@dataclass(frozen=True)
class BotStanding:
    """One bot: in all its games, by seat, against each other bot, and rated."""

    name: str
    total: Share
    seats: dict[str, Share]
    against: dict[str, Share]
    forfeits: int
    faults: int
    bradley_terry: Rating | None
    openskill: Rating | None
    milliseconds: float | None  # for a move, where bots were asked one by one


def wilson(share: float, count: float) -> tuple[float, float]:
    """The 95% interval of a share seen in so many independent games; they need not be whole."""
    if count <= 0:
        return 0.0, 1.0
    square = Z95 * Z95
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = Z95 / (1 + square / count) * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    # exact at the ends, where rounding would leave a little
    return max(0.0, middle - half) if share > 0 else 0.0, min(1.0, middle + half) if share < 1 else 1.0


def effective_games(sums: Any, games: Any, share: float) -> float:
    """How many independent games tell as much as these deals: sums[deal] won of games[deal] that share dice."""
    total, deals = float(games.sum()), int((games > 0).sum())
    if deals < 2 or not 0 < share < 1:
        return total
    scatter = float(((sums - share * games) ** 2).sum()) * deals / (deals - 1)
    effective = total * total * share * (1 - share) / scatter if scatter > 0 else total
    return min(total, effective) if deals < FEW_DEALS else effective  # few deals may look evener than they are


class Sample:
    """Shares of games, deal by deal, from which an interval is made."""

    def __init__(self) -> None:
        self._sums: list[Any] = []
        self._games: list[Any] = []
        self.wins = 0
        self._fair = 0.0

    def add(self, sums: Any, games: Any, wins: int, fair: float) -> None:
        """sums[deal] won of games[deal]; `wins` outright; `fair` the share that equal players would have."""
        self._sums.append(sums)
        self._games.append(games)
        self.wins += wins
        self._fair += fair * float(games.sum())

    def share(self) -> Share:
        """The estimate."""
        sums = np.concatenate([*self._sums, np.zeros(0)])
        games = np.concatenate([*self._games, np.zeros(0)])
        count = float(games.sum())
        value = float(sums.sum()) / count if count else 0.0
        low, high = wilson(value, effective_games(sums, games, value))
        return Share(int(count), self.wins, value, low, high, self._fair / count if count else 0.0)


class Standings:
    """The outcome of a contest. Index it by a bot's name; `text()`, `to_dict()` and `html()` are its reports."""

    def __init__(self, game: Game, tally: Tally, settings: dict[str, Any]) -> None:
        self.game = game
        self.settings = settings
        self.schedule = tally.schedule
        self.sides = sides_of(game)
        self.side_names = tuple("+".join(game.players[seat] for seat in seats) for seats in self.sides)
        self.letters = tuple(bytes(letters) for letters in tally.letters)
        self.games = tally.played
        self.planned = tally.schedule.games
        self.plies = tally.plies
        self.fault_lines = [
            (table, number, bot, text) for (table, number), lines in sorted(tally.faults.items()) for bot, text in lines
        ]
        self._thinking = {bot: tuple(spent) for bot, spent in tally.thinking.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The bots."""
        return self.schedule.bots

    @cached_property
    def bots(self) -> tuple[BotStanding, ...]:
        """Every bot, in the order in which they were named."""
        return tuple(self._standing(bot) for bot in range(len(self.names)))

    @property
    def ranking(self) -> list[BotStanding]:
        """The bots, the strongest first."""
        return sorted(self.bots, key=lambda bot: -(bot.bradley_terry.value if bot.bradley_terry else 0.0))

    @property
    def wins(self) -> dict[str, int]:
        """Games won outright, by bot."""
        return {bot.name: bot.total.wins for bot in self.bots}

    @property
    def wins_by_seat(self) -> dict[str, dict[str, int]]:
        """Games won outright, by bot and seat."""
        return {bot.name: {seat: share.wins for seat, share in bot.seats.items()} for bot in self.bots}

    @property
    def ratings(self) -> dict[str, dict[str, Rating | None]]:
        """By bot: 'bradley_terry' in Elo points around 0, and 'openskill'."""
        return {bot.name: {"bradley_terry": bot.bradley_terry, "openskill": bot.openskill} for bot in self.bots}

    def __getitem__(self, name: str) -> BotStanding:
        for bot in self.bots:
            if bot.name == name:
                return bot
        raise UnknownName(f"no bot {quoted(name)} in these standings{suggestion(name, self.names)}")

    def blocks(self) -> Iterator[tuple[DealBlock, Any]]:
        """Every block with its letters: uint8[deals, rotations]."""
        for table, letters in zip(self.schedule.tables, self.letters, strict=True):
            codes = np.frombuffer(letters, dtype=np.uint8)
            for block in table.blocks:
                part = codes[block.first_game : block.first_game + block.games]
                yield block, part.reshape(block.deals, len(block.seatings))

    @cached_property
    def seats(self) -> dict[str, Share]:
        """Seat effects: what each seat won, whoever sat there."""
        return {name: self._sample({side: None}).share() for side, name in enumerate(self.side_names)}

    def _sample(self, wanted: dict[int, None], bot: int | None = None) -> Sample:
        """The games in which `bot` (None: anybody) had one of the wanted sides."""
        got = shares(len(self.sides))
        sample = Sample()
        for block, codes in self.blocks():
            own = [[s for s in wanted if bot is None or seating[s] == bot] for seating in block.seatings]
            columns = [n for n, sides in enumerate(own) if sides]
            if not columns:
                continue
            won = np.stack([got[codes[:, n]][:, own[n]].sum(axis=1) for n in columns], axis=1)
            played = codes[:, columns] != ord(NOT_PLAYED)
            won = won * played
            wins = int((won > 1 - 1e-9).sum())
            sample.add(won.sum(axis=1), played.sum(axis=1), wins, len(own[columns[0]]) / len(self.sides))
        return sample

    def _standing(self, bot: int) -> BotStanding:
        every = dict.fromkeys(range(len(self.sides)))
        name = self.names[bot]
        decisions, seconds = self._thinking[bot]
        return BotStanding(
            name=name,
            total=self._sample(every, bot).share(),
            seats={seat: self._sample({side: None}, bot).share() for side, seat in enumerate(self.side_names)},
            against=self._against(bot),
            forfeits=self._forfeits(bot),
            faults=sum(who == bot for _, _, who, _ in self.fault_lines),
            bradley_terry=self._bradley_terry[bot],
            openskill=self._openskill[bot],
            milliseconds=1000 * seconds / decisions if decisions else None,
        )

    def _forfeits(self, bot: int) -> int:
        count = 0
        for block, codes in self.blocks():
            for n, seating in enumerate(block.seatings):
                sides = [ord("a") + side for side, who in enumerate(seating) if who == bot]
                count += int(np.isin(codes[:, n], sides).sum()) if sides else 0
        return count

    @cached_property
    def _meetings(self) -> list[Meetings]:
        """Who beat whom, deal by deal."""
        beat = beaten(len(self.sides))
        found = []
        for block, codes in self.blocks():
            bots = tuple(dict.fromkeys(block.seatings[0]))
            wins = np.zeros((block.deals, len(bots), len(bots)))
            for n, seating in enumerate(block.seatings):
                for side, who in enumerate(seating):
                    for other, rival in enumerate(seating):
                        if who != rival:
                            wins[:, bots.index(who), bots.index(rival)] += beat[codes[:, n], side, other]
            found.append(Meetings(bots, wins))
        return found

    def _against(self, bot: int) -> dict[str, Share]:
        """Against each other bot it met: who came before whom, where either of them won."""
        samples: dict[int, Sample] = {}
        for table in self._meetings:
            if bot not in table.bots:
                continue
            at = table.bots.index(bot)
            for rival, who in enumerate(table.bots):
                if who != bot:
                    won, lost = table.wins[:, at, rival], table.wins[:, rival, at]
                    samples.setdefault(who, Sample()).add(won, won + lost, 0, 0.5)
        return {self.names[who]: sample.share() for who, sample in sorted(samples.items())}

    @cached_property
    def _bradley_terry(self) -> list[Rating | None]:
        return bradley_terry(len(self.names), self._meetings)

    @cached_property
    def _openskill(self) -> list[Rating | None]:
        return openskill_ratings(len(self.names), self._games_in_turn())

    def _games_in_turn(self) -> Iterator[tuple[BotsBySide, list[float]]]:
        """Games for openskill, at most MOST_RATED: all tables keep step, so that none comes last."""
        got = shares(len(self.sides)).tolist()
        keep = min(1.0, MOST_RATED / max(1, self.planned))
        order = []
        for at, table in enumerate(self.schedule.tables):
            chosen = max(1, round(table.games * keep))
            order += [((n + 0.5) / chosen, at, n * table.games // chosen) for n in range(chosen)]
        for _, at, number in sorted(order):
            letter = self.letters[at][number]
            if letter != ord(NOT_PLAYED):
                yield self.schedule.tables[at].place(number)[1], got[letter]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        from ludus.arena.report import as_data

        return as_data(self)

    def text(self, lang: str = "en", colour: bool = False) -> str:
        """As tables for a terminal."""
        from ludus.arena.report import as_text

        return as_text(self, lang, colour)

    def html(self, lang: str = "en") -> str:
        """As one page with plots that needs nothing else."""
        from ludus.arena.page import as_page

        return as_page(self, lang)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Standings of {', '.join(self.names)} at {self.game.name}: {self.games} games>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Standings):
            return NotImplemented
        mine, theirs = (self.game, self.schedule, self.letters), (other.game, other.schedule, other.letters)
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]
