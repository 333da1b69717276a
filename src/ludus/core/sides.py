"""Who plays with whom."""

from __future__ import annotations

from ludus.core.game import Game


def sides_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """The seats of each side: every seat for itself, or opposite seats together (Z22)."""
    modes = getattr(game.rules, "modes", None)
    teams = getattr(modes, "mode", "ffa") == "teams"
    count = game.num_players // 2 if teams else game.num_players
    return tuple(tuple(range(side, game.num_players, count)) for side in range(count))
