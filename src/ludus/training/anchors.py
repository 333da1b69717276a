"""How strong a net is while it learns: games against fixed opponents, seats rotated, always with the same dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.bots.bot import Bot
from ludus.bots.desk import play_bots
from ludus.bots.net_files import Net
from ludus.bots.roster import bot
from ludus.core.game import Game

ANCHORS = ("random", "heuristic")
SEED = 20_261_118


def share_won(game: Game, player: Net | str, opponent: str, games: int, depth: int = 1) -> float:
    """What share of the prizes a player gets, one seat (or team) against the opponent in the others.

    A win is 1; a draw, half a game; each seat is taken equally often.
    """
    shares = shares_by_seat(game, player, opponent, games, depth)
    return sum(shares) / len(shares)


def shares_by_seat(game: Game, player: Net | str, opponent: str, games: int, depth: int = 1) -> list[float]:
    """The same for each seat by itself; the player is a net, which looks `depth` steps ahead, or a bot by name."""
    import numpy as np

    players = game.num_players
    each = max(1, games // players)
    shares = []
    for seat in range(players):
        own = {seat, (seat + players // 2) % players} if has_teams(game) else {seat}
        made = player if isinstance(player, str) else _player(player, depth)
        bots = [made if place in own else opponent for place in range(players)]
        out = np.zeros((each, game.playouts_class.columns()), dtype=np.int64)
        play_bots(game, bots, (SEED, 0, each, 100_000), out.reshape(-1))
        winner = out[:, 0]
        won = float(np.isin(winner, list(own)).sum()) + float((winner < 0).sum()) / players
        shares.append(won / each)
    return shares


def has_teams(game: Game) -> bool:
    """Whether seats win together."""
    modes = getattr(game.rules, "modes", None)
    return modes is not None and modes.mode == "teams"


def even_share(game: Game) -> float:
    """What a seat (or team) gets where all play alike."""
    return 0.5 if has_teams(game) else 1 / game.num_players


def _player(net: Net, depth: int) -> Bot:
    made: Any = bot("td" if depth == 1 else f"td{depth}")
    made.net = lambda _: net
    return made  # type: ignore[no-any-return]


def strength(game: Game, net: Net, games: int, opponents: Sequence[str] = ANCHORS) -> dict[str, float]:
    """The share won against each anchor."""
    return {opponent: share_won(game, net, opponent, games) for opponent in opponents}
