"""The work of a laboratory in parts.

Each is a function of the rule set, the seed and what the part says: so they may be done in any order, by any number of
workers, and after an interruption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ludus.analysis.sight import has_net
from ludus.bots import Bot, bot
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.seeds import derived_seed
from ludus.core.sides import sides_of
from ludus.lab.looking_on import LONGEST, watched_game
from ludus.lab.refraining import KINDS, Refraining
from ludus.lab.valuing import valued_game

LEVELS = ("random", "greedy", "heuristic")  # weakest first
NET = "td"
BUDGETS = (4, 8, 16, 32, 64)  # simulations of the skill trace
COLUMNS = ("winner", "turns", "moves", "captures", "plies", "finished")
AT_ONCE, AT_ONCE_BY_HAND = 2_000, 5
MOST_WATCHED = 40
SHORT, FULL = "short", "full"
DEPTHS = (SHORT, FULL)


class Part(NamedTuple):
    """Games `first` to `first + games - 1` of a kind; `what` is the level, or who meets whom."""

    kind: str
    what: str
    first: int
    games: int


class Scope(NamedTuple):
    """What is to be measured of each rule set."""

    games: int
    depth: str = FULL
    level: str = ""  # of those who play as equals; the strongest quick one that knows the game
    kinds: tuple[str, ...] = ()  # of work; all if none are named

    def parts(self, game: Game) -> list[Part]:
        """All that is to be done of a game."""
        wanted = [found for found in self._all_kinds(game) if not self.kinds or found[0] in self.kinds]
        return [part for kind, what, count, size in wanted for part in _cut(kind, what, count, size)]

    def level_for(self, game: Game) -> str:
        """Who plays as equals."""
        return self.level or levels_of(game)[-1]

    def _all_kinds(self, game: Game) -> Iterator[tuple[str, str, int, int]]:
        """Kind, what, how many games, and how many at once."""
        is_full, level, levels = self.depth == FULL, self.level_for(game), levels_of(game)
        yield "games", level, self.games, AT_ONCE
        if not game.plugins:
            valued = _between(10, self.games // (50 if is_full else 100), 200)
            yield "valued", level, min(self.games, valued), AT_ONCE_BY_HAND
        yield "watched", level, min(self.games, MOST_WATCHED), AT_ONCE_BY_HAND
        for weaker in levels[:-1]:
            yield "games", weaker, min(self.games, AT_ONCE), AT_ONCE
        for weaker, stronger in pairwise(levels):
            yield "duel", f"{stronger} {weaker}", _deals(game, self.games, 200, 4_000), AT_ONCE
        if is_full:
            yield from self._slow_kinds(game, levels[-1])

    def _slow_kinds(self, game: Game, level: str) -> Iterator[tuple[str, str, int, int]]:
        if not game.plugins and has_net(game):
            yield "duel", f"{NET} {level}", _deals(game, self.games // 10, 40, 1_000), AT_ONCE
        if plays("mcts", game):
            for less, more in pairwise(BUDGETS):
                pair, deals = f"{_search(more)} {_search(less)}", _deals(game, self.games // 50, 20, 200)
                yield "duel", pair, deals, AT_ONCE_BY_HAND
        if level == LEVELS[-1]:
            for kind in KINDS:
                yield "without", kind, _between(20, self.games // 25, 400), 4 * AT_ONCE_BY_HAND


def _between(least: int, wanted: int, most: int) -> int:
    return max(least, min(wanted, most))


def _deals(game: Game, games: int, least: int, most: int) -> int:
    """How many deals make about so many games, each dealt to every seating."""
    return -(-_between(least, games, most) // len(sides_of(game)))


def _search(simulations: int) -> str:
    return f"mcts:simulations={simulations}"


def _cut(kind: str, what: str, count: int, size: int) -> Iterator[Part]:
    """A kind of work in parts."""
    for first in range(0, count, size):
        yield Part(kind, what, first, min(size, count - first))


def levels_of(game: Game) -> list[str]:
    """The quick bots that know a game, weakest first."""
    return [name for name in LEVELS if plays(name, game)]


def plays(name: str, game: Game) -> bool:
    """Whether a bot knows a game."""
    try:
        bot(name).check(game)
    except LudusError:
        return False
    return True


# ---------------------------------------------------------------- doing it


def done(game: Game, seed: int, part: Part) -> Any:
    """What a part gives, as plain data."""
    return _DOING[part.kind](game, seed, part)


def _games(game: Game, seed: int, part: Part) -> dict[str, list[int]]:
    """Games between equals of a level, in the kernel: columns of numbers."""
    bots = [part.what] * game.num_players
    played = game.playouts(part.games, seed=seed, bots=bots, first=part.first, max_plies=LONGEST)
    return {name: getattr(played, name).astype(int).tolist() for name in COLUMNS}


def _each(one_game: Callable[[Game, str, int, int], Any]) -> Callable[[Game, int, Part], list[Any]]:
    def work(game: Game, seed: int, part: Part) -> list[Any]:
        return [one_game(game, part.what, seed, number) for number in range(part.first, part.first + part.games)]

    return work


def _duel(game: Game, seed: int, part: Part) -> list[float]:
    """What one bot wins at a table full of a weaker one, above a fair share: the mean of all its seatings, by deal."""
    stronger, weaker = part.what.split(" ")
    sides = sides_of(game)
    own_seed = derived_seed(seed, part.what)
    shares = [_of_side(game, own_seed, part, side, (stronger, weaker)) for side in sides]
    return (np.mean(shares, axis=0) - 1 / len(sides)).tolist()  # type: ignore[no-any-return]


def _of_side(game: Game, seed: int, part: Part, side: Sequence[int], bots: tuple[str | Bot, str | Bot]) -> Any:
    """float64[games]: what the first bot gets on a side, the second on all others; a draw is shared."""
    seated = [bots[0] if seat in side else bots[1] for seat in range(game.num_players)]
    played = game.playouts(part.games, seed=seed, bots=seated, first=part.first, max_plies=LONGEST)
    return np.where(played.winner < 0, 1 / len(sides_of(game)), np.isin(played.winner, side))


def _without(game: Game, seed: int, part: Part) -> list[list[float]]:
    """What one who does without a rule gets, and what it gets with the same dice if it does not: pairs."""
    found = []
    sides = sides_of(game)
    for number in range(part.first, part.first + part.games):
        one, side = Part(part.kind, part.what, number, 1), sides[number % len(sides)]
        bots = Refraining(part.what, seed), LEVELS[-1]
        found.append([float(_of_side(game, seed, one, side, (first, LEVELS[-1]))[0]) for first in bots])
    return found


_DOING: dict[str, Callable[[Game, int, Part], Any]] = {
    "games": _games, "watched": _each(watched_game), "valued": _each(valued_game), "duel": _duel, "without": _without,
}  # fmt: skip
