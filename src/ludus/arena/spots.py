"""Spots: positions with the best move and what every other move costs, for quizzes and for tests of bots.

`spots.jsonl` is written by `scripts/make-spots`; a line is a spot:

    {"game":"star","players":2,"category":"capture","position":{…},"costs":{"12+5":0,"out":0.031},"within":0.009}

A cost is the share of a win that the move gives away, by rollouts; `within` is the widest half of their 95% intervals.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from ludus.bots.bot import BotError, ask
from ludus.bots.roster import EXTERNAL
from ludus.bots.roster import bot as bot_of
from ludus.core.errors import LudusError, quoted, suggestion
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.registry import make
from ludus.core.seeds import derived_seed

CATEGORIES = ("capture", "out", "home", "danger", "race", "dice", "attack", "manoeuvre")
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class PricedPosition:
    """A position to decide: `costs` by move, 0 for the best one."""

    number: int
    game: str
    players: int
    category: str
    data: Mapping[str, Any]
    costs: Mapping[str, float]
    within: float

    @property
    def position(self) -> Position:
        """The position; bots that draw lots do so by the spot's number."""
        return _game(self.game, self.players).position(dict(self.data), seed=self.number)

    @property
    def best(self) -> str:
        """The best move."""
        return min(self.costs, key=lambda move: self.costs[move])

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "number": self.number, "game": self.game, "players": self.players, "category": self.category,
            "position": dict(self.data), "costs": dict(self.costs), "within": self.within,
        }  # fmt: skip


@cache
def _game(name: str, players: int) -> Game:
    return make(name) if name == "generals" else make(name, players=players)


@cache
def all_spots() -> tuple[PricedPosition, ...]:
    """Every shipped spot, numbered from 1."""
    text = (files("ludus.arena") / "spots.jsonl").read_text(encoding="utf-8")
    return tuple(
        PricedPosition(
            number, line["game"], line["players"], line["category"], line["position"], line["costs"], line["within"]
        )
        for number, line in enumerate(map(json.loads, text.splitlines()), start=1)
    )  # fmt: skip


def spots(game: str | None = None, category: str | None = None) -> tuple[PricedPosition, ...]:
    """The shipped spots, of one game or one category; LudusError where there is none."""
    known = all_spots()
    for what, asked, names in (
        ("game", game, sorted({spot.game for spot in known})),
        ("category", category, [name for name in CATEGORIES if any(spot.category == name for spot in known)]),
    ):
        if asked is not None and asked not in names:
            hint = suggestion(asked, names)
            raise LudusError(f"spots: no {what} {quoted(asked)}{hint}; there are {', '.join(names)}")
    found = tuple(s for s in known if game in (None, s.game) and category in (None, s.category))
    if not found:
        raise LudusError(f"spots: there are none of the category {quoted(category)} in {game}")
    return found


@dataclass
class Score:
    """How some spots were answered."""

    asked: int = 0
    right: int = 0
    cost: float = 0.0

    def add(self, cost: float) -> None:
        """Count an answer by what it gave away."""
        self.asked += 1
        self.right += cost == 0
        self.cost += cost

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "asked": self.asked, "right": self.right,
            "share": self.right / self.asked if self.asked else 0.0,
            "cost": self.cost / self.asked if self.asked else 0.0,
        }  # fmt: skip


@dataclass
class Scores:
    """The scores of one who answers: in all, by game and by category."""

    name: str
    total: Score = field(default_factory=Score)
    games: dict[str, Score] = field(default_factory=dict)
    categories: dict[str, Score] = field(default_factory=dict)

    def add(self, spot: PricedPosition, move: str) -> float:
        """Count an answer; what it cost."""
        cost = spot.costs[move]
        for score in (
            self.total,
            self.games.setdefault(spot.game, Score()),
            self.categories.setdefault(spot.category, Score()),
        ):
            score.add(cost)
        return cost

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "name": self.name, **self.total.to_dict(),
            "games": {name: score.to_dict() for name, score in self.games.items()},
            "categories": {name: score.to_dict() for name, score in self.categories.items()},
        }  # fmt: skip


def score_bots(
    bots: Sequence[str], asked: Iterable[PricedPosition], seed: int = 0, progress: Progress | None = None, **limits: Any
) -> list[Scores]:
    """How each bot answers the spots; one that fails at a spot is charged with the dearest move."""
    chosen = list(asked)
    found = []
    for place, name in enumerate(bots):
        scores = Scores(name)
        terms = limits if name.startswith(EXTERNAL) else {}  # only commands have them
        player = bot_of(name, seed=derived_seed(seed, "bot", place), **terms)
        try:
            for done, spot in enumerate(chosen, start=1):
                scores.add(spot, _answer(player, spot))
                if progress is not None:
                    progress(place * len(chosen) + done, len(bots) * len(chosen))
        finally:
            player.close()
        found.append(scores)
    return found


def _answer(player: Any, spot: PricedPosition) -> str:
    position = spot.position
    player.check(position.game)
    try:
        return str(ask(player, position))
    except BotError:
        return max(spot.costs, key=lambda move: spot.costs[move])
