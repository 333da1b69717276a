"""How strong a net is while it learns: games against fixed opponents, seats rotated, always with the same dice."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.bots.desk import Desk, policies_of
from ludus.bots.net_files import Net
from ludus.bots.roster import bot
from ludus.core.game import Game

ANCHORS = ("random", "heuristic")
SEED = 20_261_118


def share_won(game: Game, net: Net, opponent: str, games: int, depth: int = 1) -> float:
    """What share of the prizes a net gets, one seat (or team) against the opponent in the others.

    A win is 1; a draw, half a game; each seat is taken equally often.
    """
    import numpy as np

    players = game.num_players
    modes = getattr(game.rules, "modes", None)
    teams = modes is not None and modes.mode == "teams"
    each = max(1, games // players)
    won = 0.0
    for seat in range(players):
        own = {seat, (seat + players // 2) % players} if teams else {seat}
        bots = [
            bot("td" if depth == 1 else f"td{depth}") if place in own else bot(opponent) for place in range(players)
        ]
        for one in bots:
            if hasattr(one, "net"):
                one.net = lambda _: net
        seats, nets = policies_of(game, bots)
        out = np.zeros((each, game.playouts_class.columns()), dtype=np.int64)
        Desk(game, compiled=True, nets=nets).batch(seats, _nobody, (SEED, 0, each, 100_000), out.reshape(-1))
        winner = out[:, 0]
        won += float(np.isin(winner, list(own)).sum()) + float((winner < 0).sum()) / players
    return won / (each * players)


def _nobody(*_: object) -> int:
    raise AssertionError("all of these play inside the kernel")


def strength(game: Game, net: Net, games: int, opponents: Sequence[str] = ANCHORS) -> dict[str, float]:
    """The share won against each anchor."""
    return {opponent: share_won(game, net, opponent, games) for opponent in opponents}
