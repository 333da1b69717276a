"""FinishTable: how many rolls' worth of turns a side still needs once nobody can meet its pieces any more.

Where every piece that is left stands on its own end path, sides no longer touch each other. Then each side's turns to
finish are a distribution of its own, worked out once for a rule set, and who is first follows from all of them: for any
number of players, where a table of two sides together (bots/endings.py) is for two. A side plays for the fewest turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ludus.bots.values import Evaluator
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.position import Position

MOST_NODES = 60_000
TOLERANCE, FORGOTTEN = 1e-9, 1e-12
MOST_TURNS = 600
Places = tuple[str, ...]


def is_race(pieces: dict[str, Sequence[Any]]) -> bool:
    """Whether all pieces stand where nobody else comes."""
    return all(str(place) == "finish" or str(place).startswith("end:") for own in pieces.values() for place in own)


def has_races(game: Game) -> bool:
    """Whether a game of three or more ends in races of single players for the first place; two have tables."""
    rules = game.rules
    board, win = getattr(rules, "board", None), getattr(rules, "win", None)
    if board is None or win is None or game.has_secrets or game.plugins:
        return False
    if win.condition != "home" or win.play_on or win.turn_limit or win.purse:
        return False
    alone = getattr(getattr(rules, "modes", None), "mode", "ffa") != "teams"
    return alone and game.num_players > 2 and len(game.interchangeable()) == game.num_players


class FinishTable:
    """One player's turns to finish, from every way in which the pieces can stand on the end path."""

    def __init__(self, game: Game, player: str) -> None:
        self.game, self.player = game, player
        count = len(_places(game.start(), player))
        self._waiting = {one: ["start"] * count for one in game.players}
        # what can be met: whether the game is over, the turn passes (and where to), chance acts or the player decides
        self._nodes: list[list[tuple[float, int]]] = []
        self._kinds: list[str] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        self._turns: dict[Places, int] = {}  # the node with which a turn begins
        self._open: list[tuple[int, Position]] = []  # what has not been looked at yet
        self._left: list[float] = []  # turns after this one that are needed on average, by node

    def reached(self, position: Position) -> Any:
        """float64[K]: the probability to have finished within 1, 2, … turns; one that has begun is the first."""
        is_own = position.turn == self.player and position.to_move is not None
        first = self._node(position) if is_own else self._begin(_places(position, self.player))
        self._solve()
        mass, found = {first: 1.0}, [0.0]
        while len(found) <= MOST_TURNS and 1.0 - found[-1] > FORGOTTEN:
            over, mass = self._played(mass)
            found.append(found[-1] + over)
        return np.array(found[1:])

    def mean(self, position: Position) -> float:
        """The turns that are needed on average."""
        return float(1 + (1 - self.reached(position)).sum())

    def _begin(self, places: Places) -> int:
        """The node with which a turn begins."""
        if places not in self._turns:
            pieces = {**self._waiting, self.player: list(places)}
            self._turns[places] = self._node(self.game.position({"pieces": pieces, "turn": self.player}))
        return self._turns[places]

    def _node(self, position: Position) -> int:
        """The number of a position; a new one is still to be looked at."""
        key = tuple(int(value) for value in position.row)
        if key in self._numbers:
            return self._numbers[key]
        number = self._numbers[key] = len(self._nodes)
        if number >= MOST_NODES:
            raise LudusError(f"{self.game.name}: the turns to finish are more than can be kept")
        self._nodes.append([])
        self._kinds.append("")
        self._open.append((number, position))
        self._left = []
        return number

    def _look(self, position: Position) -> tuple[str, list[tuple[float, int]]]:
        """What a position is, and what follows with which probability."""
        if position.to_move is None:
            return "over", []
        if position.turn != self.player:
            return "passed", [(1.0, self._begin(_places(position, self.player)))]
        if position.to_move == "chance":
            return "chance", [(part, self._node(position.play(roll))) for roll, part in position.outcomes().items()]
        return "decision", [(1.0, self._node(position.play(move))) for move in position.moves()]

    def _solve(self) -> None:
        """Turns that are still needed, round after round, where the side plays for the fewest."""
        while self._open:
            number, position = self._open.pop()
            self._kinds[number], self._nodes[number] = self._look(position)
        left = self._left or [0.0] * len(self._nodes)
        change = 1.0
        while change > TOLERANCE:
            change = 0.0
            for number in range(len(left) - 1, -1, -1):
                worth = self._worth(number, left)
                change, left[number] = max(change, abs(worth - left[number])), worth
        self._left = left

    def _worth(self, number: int, left: list[float]) -> float:
        kind, follows = self._kinds[number], self._nodes[number]
        if kind == "over":
            return 0.0
        if kind == "decision":
            return min(left[one] for _, one in follows)
        return (kind == "passed") + sum(chance * left[one] for chance, one in follows)

    def _played(self, mass: dict[int, float]) -> tuple[float, dict[int, float]]:
        """The rest of a turn: how much of what there was has finished, and where the rest begins its next turn."""
        over, later = 0.0, dict[int, float]()
        while mass:
            moved: dict[int, float] = {}
            for number, part in mass.items():
                kind, follows = self._kinds[number], self._nodes[number]
                if kind == "over":
                    over += part
                elif kind == "passed":
                    later[follows[0][1]] = later.get(follows[0][1], 0.0) + part
                elif part > FORGOTTEN:
                    taken = [min(follows, key=lambda one: self._left[one[1]])] if kind == "decision" else follows
                    for chance, one in taken:
                        moved[one] = moved.get(one, 0.0) + chance * part
            mass = moved
        return over, later


def _places(position: Position, player: str) -> Places:
    return tuple(sorted(str(place) for place in position.to_dict()["pieces"][player]))


@lru_cache(maxsize=32)
def finish_table(game: Game, player: str) -> FinishTable:
    """The table of a player, one per game and process."""
    return FinishTable(game, player)


def race(position: Position) -> list[float] | None:
    """Each player's chance to be first, where all that is left is a race; None elsewhere."""
    game = position.game
    if position.result is not None:
        most = max(position.result.values())
        best = [share == most for share in position.result.values()]
        return [one / sum(best) for one in best]
    if not is_race(position.to_dict()["pieces"]):
        return None
    first = game.players.index(position.turn)
    order = [*game.players[first:], *game.players[:first]]
    tables = [finish_table(game, player).reached(position) for player in order]
    turns = max(map(len, tables))
    reached = np.array([np.append(one, np.full(turns - len(one), one[-1])) for one in tables])
    before = np.hstack([np.zeros((len(order), 1)), reached[:, :-1]])
    shares = {}
    for at, player in enumerate(order):
        # whoever sits before has had as many turns, whoever sits behind one less
        others = np.vstack([reached[:at], before[at + 1 :]])
        shares[player] = float(((reached[at] - before[at]) * (1 - others).prod(axis=0)).sum())
    total = sum(shares.values())
    return [shares[player] / total for player in game.players]


class RacesAtTheEnd:
    """An evaluator that works races out."""

    def __init__(self, base: Evaluator) -> None:
        self.base = base
        self.name = f"{base.name}, races worked out"

    def values(self, game: Game, rows: Any) -> Any:
        """float64[N, players] from rows, int16[N, size]: what each seat may hope for; each row adds up to 1."""
        rows = np.ascontiguousarray(rows, np.int16)
        found = self.base.values(game, rows)
        for at, row in enumerate(rows.tolist()):
            shares = race(game.position_class(game, row, 0, 0))
            if shares is not None:
                found[at] = shares
        return found
