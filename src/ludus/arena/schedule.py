"""Who meets whom, in which seats, with which dice.

A *table* is a group of bots that play together, a *deal* the dice of one game. Every deal is played once from each
rotation of the bots around the table, so luck and seats weigh alike on all of them. Where more than one circular order
exists, the deals are shared evenly among the orders: nobody always follows the same bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.sides import sides_of

MOST_GAMES = 10_000_000
MOST_TABLES = 5_000
MOST_BOTS = 200

BotsBySide = tuple[int, ...]  # the bot of each side


@dataclass(frozen=True)
class DealBlock:
    """Deals that are played from the same rotations; its games are numbered deal by deal."""

    seatings: tuple[BotsBySide, ...]
    first_deal: int
    deals: int
    first_game: int

    @property
    def games(self) -> int:
        """How many there are."""
        return self.deals * len(self.seatings)

    def place(self, number: int) -> tuple[int, BotsBySide]:
        """The deal and the seating of a game by its number."""
        deal, rotation = divmod(number - self.first_game, len(self.seatings))
        return self.first_deal + deal, self.seatings[rotation]


@dataclass(frozen=True)
class ArenaTable:
    """A group of bots that play together."""

    lineup: BotsBySide
    blocks: tuple[DealBlock, ...]

    @cached_property
    def games(self) -> int:
        """How many there are."""
        return sum(block.games for block in self.blocks)

    @property
    def deals(self) -> int:
        """How many there are."""
        return sum(block.deals for block in self.blocks)

    def place(self, number: int) -> tuple[int, BotsBySide]:
        """The deal and the seating of a game by its number."""
        for block in self.blocks:
            if number < block.first_game + block.games:
                return block.place(number)
        raise IndexError(number)


@dataclass(frozen=True)
class Schedule:
    """All tables of a contest, and the bots by name."""

    bots: tuple[str, ...]
    tables: tuple[ArenaTable, ...]

    @property
    def games(self) -> int:
        """How many there are in all."""
        return sum(table.games for table in self.tables)


def rotations(order: BotsBySide) -> tuple[BotsBySide, ...]:
    """The distinct rotations of a circular order."""
    turned = [order[n:] + order[:n] for n in range(len(order))]
    return tuple(dict.fromkeys(turned))


def orders(lineup: BotsBySide) -> list[BotsBySide]:
    """The distinct circular orders of a line-up; the one given first."""
    found: dict[BotsBySide, None] = {}
    for order in dict.fromkeys(permutations(lineup)):
        if not any(turned in found for turned in rotations(order)):
            found[order] = None
    return list(found)


def table_of(lineup: BotsBySide, games: int, first_deal: int = 0) -> ArenaTable:
    """A table with at least so many games: whole deals only, numbered from `first_deal`."""
    turned = [rotations(order) for order in orders(lineup)]
    lengths = {len(seatings) for seatings in turned}
    if len(lengths) == 1:
        per_order, more = divmod(-(-games // lengths.pop()), len(turned))
    else:  # a circle that repeats itself has fewer rotations; every seating is then played equally often
        per_order, more = -(-games // sum(map(len, turned))), 0
    blocks: list[DealBlock] = []
    deal, number = first_deal, 0
    for index, seatings in enumerate(turned):
        block = DealBlock(seatings, deal, per_order + (index < more), number)
        deal, number = deal + block.deals, number + block.games
        blocks.append(block)
    return ArenaTable(lineup, tuple(block for block in blocks if block.deals))


def lineups(names: Sequence[str], bots: Sequence[str], sides: int, tournament: bool) -> list[BotsBySide]:
    """Which groups play: one, with the last bot in the sides left over, or every group of a round robin."""
    given = [bots.index(name) for name in names]
    if not tournament and len(given) <= sides:
        return [tuple(given + given[-1:] * (sides - len(given)))]
    if len(bots) >= sides:
        return list(combinations(range(len(bots)), sides))
    # too few for a table: each against a table full of each other
    return [(one,) + (other,) * (sides - 1) for one in range(len(bots)) for other in range(len(bots)) if one != other]


def make_schedule(game: Game, names: Sequence[str], games: int, tournament: bool = False) -> Schedule:
    """The schedule of a contest with at least `games` games at each table."""
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise LudusError(f"arena: the number of games is a whole number from 1 up, not {quoted(games)}")
    if not names:
        raise LudusError("arena: which bots? Name at least one, such as random")
    bots = tuple(dict.fromkeys(names))
    if len(bots) > MOST_BOTS:
        raise LudusError(f"arena: {len(bots)} bots are more than {MOST_BOTS}")
    groups = lineups(names, bots, len(sides_of(game)), tournament)
    if len(groups) > MOST_TABLES or games * len(groups) > MOST_GAMES:
        raise LudusError(
            f"arena: {len(groups)} tables with {games} games each; "
            f"{MOST_TABLES} tables and {MOST_GAMES} games in all are the most"
        )
    tables: list[ArenaTable] = []
    deal = 0
    for group in groups:  # every table has deals of its own: what one shows, the others do not show again
        tables.append(table_of(group, games, deal))
        deal += tables[-1].deals
    return Schedule(bots, tuple(tables))
