"""Games valued event by event: luck, mistakes, who is ahead, and what choices matter (docs/lab.md has the formulas)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.analysis.adjusting import rows_of_game
from ludus.analysis.sight import NET, averages, best_of, has_net, lookahead_of, values_for
from ludus.bots.values import Evaluator
from ludus.core.game import Game
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.sides import sides_of

MOMENTS = (10, 25, 50, 75, 90)  # percent of a game
DECIDED = 0.8  # a chance that is as good as won
NEARLY_BEST = 0.75  # of the way from the mean move to the best one (Browne)
NOTHING, MUCH = 0.01, 0.05  # a kingmaker has less at stake than the first, somebody else more than the second


def valued_game(game: Game, level: str, seed: int, number: int) -> dict[str, Any]:
    """Game `number` between equals, in figures."""
    rows = rows_of_game(game, [level] * game.num_players, seed, number)
    value = values_for(game, NET if has_net(game) else None)  # playouts of hands of cards take too long
    before, after, choices = _valued(game, value, rows)
    stages = rows[:-1, STAGE]
    sides = np.array([[seat in seats for seat in range(game.num_players)] for seats in sides_of(game)], float)
    gains = (after - before) @ sides.T
    ended = rows[-1, STAGE] == OVER
    return {
        "start": (before[0] @ sides.T).tolist(),
        "luck": gains[stages == CHANCE].sum(axis=0).tolist(),
        "mistakes": gains[stages == DECISION].sum(axis=0).tolist(),
        "result": (after[-1] @ sides.T).tolist(),
        **choices,
        **_course(np.concatenate([before[:1], after]) @ sides.T, rows[:-1, TURN], bool(ended)),
    }


def _valued(game: Game, value: Evaluator, rows: Any) -> tuple[Any, Any, dict[str, float]]:
    """Shares before and after each event, float64[N, P] twice, and what the choices were like."""
    stages = rows[:-1, STAGE]
    after = value.values(game, rows[1:])
    before = np.zeros_like(after)
    rolled, decided = np.flatnonzero(stages == CHANCE), np.flatnonzero(stages == DECISION)
    if len(rolled):
        ahead = lookahead_of(game).expand_chance(rows[rolled])
        before[rolled] = averages(ahead.offsets, ahead.weights, value.values(game, ahead.rows))
    if not len(decided):
        return before, after, dict.fromkeys(("unforced", "relevance", "narrow", "kingmaking"), 0.0)
    found = lookahead_of(game).afterstates(rows[decided])
    values = value.values(game, found.rows)
    seats = rows[decided, TURN]
    before[decided] = values[best_of(found.offsets, values, seats)]
    return before, after, _choices(game, values, found.offsets, seats)


def _choices(game: Game, values: Any, offsets: Any, seats: Any) -> dict[str, float]:
    """Sums over the decisions with a choice."""
    counts = np.diff(offsets)
    firsts = offsets[:-1]
    own = values[np.arange(len(values)), np.repeat(seats, counts)]
    best, worst = np.maximum.reduceat(own, firsts), np.minimum.reduceat(own, firsts)
    mean = np.add.reduceat(own, firsts) / counts
    near = own >= np.repeat(mean + NEARLY_BEST * (best - mean), counts) - 1e-12
    narrow = np.add.reduceat(near.astype(float), firsts) / counts
    ranges = np.maximum.reduceat(values, firsts, axis=0) - np.minimum.reduceat(values, firsts, axis=0)
    makes_kings = (best - worst < NOTHING) & (ranges.max(axis=1) >= MUCH) & (len(sides_of(game)) > 2)
    real = counts > 1
    return {
        "unforced": float(real.sum()), "relevance": float((best - mean)[real].sum()),
        "narrow": float(narrow[real].sum()), "kingmaking": float(makes_kings[real].sum()),
    }  # fmt: skip


def _course(curve: Any, turns: Any, ended: bool) -> dict[str, Any]:
    """What the chances of the sides were like, turn by turn; curve: float64[N + 1, S]."""
    ends = np.flatnonzero(np.append(turns[1:] != turns[:-1], True)) + 1
    shares = curve[np.concatenate([[0], ends])]
    leaders = shares[1:].argmax(axis=1)
    told: dict[str, Any] = {
        "turns": len(ends),
        "lead_changes": int((leaders[1:] != leaders[:-1]).sum()),
        "unrest": float(np.abs(np.diff(shares, axis=0)).sum() / 2),
    }
    final = shares[-1]
    if not ended or (final == final.max()).sum() > 1:
        return told
    winner = int(final.argmax())
    return told | _won_by(winner, shares[:-1])


def _won_by(winner: int, shares: Any) -> dict[str, Any]:
    """What the winner's chances were like, turn by turn, before the last; shares: float64[T, S]."""
    own = shares[:, winner]
    gaps = shares.max(axis=1) - own
    unsure = np.flatnonzero(own < DECIDED)
    moments = [min(len(own) - 1, len(own) * percent // 100) for percent in MOMENTS]
    return {
        "drama": float(np.sqrt(gaps[gaps > 0]).mean()) if (gaps > 0).any() else 0.0,
        "decided": float(1 - (unsure[-1] + 1) / len(own)) if len(unsure) else 1.0,
        "led": [bool(own[at] >= shares[at].max()) for at in moments],
        "was_last": [bool(own[at] <= shares[at].min()) for at in moments],
    }
