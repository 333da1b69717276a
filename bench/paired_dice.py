"""What equal dice save in a contest: each deal is played from every seat, with dice by the game or by the seat.

python bench/paired_dice.py [DEALS]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import ludus

CONTESTS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("pettingzoo", {"players": 2}, "td", "heuristic"),
    ("pettingzoo", {}, "td", "heuristic"),
    ("pettingzoo", {}, "td2", "td"),
    ("star", {"players": 2}, "td", "heuristic"),
    ("maedn", {"players": 2}, "td", "heuristic"),
    ("french", {"players": 2}, "td", "heuristic"),
)


def shares(game: ludus.Game, one: str, others: str, deals: int, own_dice: bool) -> Any:
    """float64[deals, seats]: whether `one` won from each seat."""
    players = game.num_players
    won = np.zeros((deals, players))
    for seat in range(players):
        bots = [one if place == seat else others for place in range(players)]
        won[:, seat] = game.playouts(deals, seed=1, bots=bots, own_dice=own_dice).winner == seat
    return won


def saved(won: Any) -> float:
    """How many times the games it would take with other dice for every game, for the same interval."""
    share = won.mean(axis=0)  # by seat: what the seat is worth is no luck of the dice
    apart = float((share * (1 - share)).sum()) / won.shape[1] ** 2
    return apart / float(won.mean(axis=1).var(ddof=1))


def main() -> None:
    """Print a line for each contest."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    for name, options, one, others in CONTESTS:
        game = ludus.make(name, **options)
        found = [shares(game, one, others, deals, own) for own in (False, True)]
        by_game, by_seat = map(saved, found)
        won = f"{name}, {game.num_players} players, {one} and {others}, {deals} deals, {100 * found[1].mean():.1f}% won"
        print(f"{won}: as {by_game:.2f} times the games with dice by the game, {by_seat:.2f} by the seat", flush=True)


if __name__ == "__main__":
    main()
