"""Strength in one number: Bradley–Terry over all games at once, openskill game by game."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Z95 = 1.959964
ELO = 400 / math.log(10)
FEW_DEALS = 30
MOST_STEPS = 100
NEGLIGIBLE = 1e-12  # of the largest: the mean of all ratings is free, and rounding must not give it a direction


@dataclass(frozen=True)
class Rating:
    """A bot's rating with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Meetings:
    """Comparisons at one table: wins[deal, i, j] is how often bots[i] beat bots[j] in a deal, draws as halves."""

    bots: tuple[int, ...]
    wins: Any


def bradley_terry(bots: int, meetings: Sequence[Meetings]) -> list[Rating | None]:
    """Elo points around the mean of all bots: P(i beats j) = 1 / (1 + 10^((Rj - Ri) / 400)); None: met nobody.

    Intervals count a deal as one observation: its games share dice, and a win over three beats three at once.
    One drawn game is added to each pair that met, so that a bot that always wins has a finite rating.
    """
    wins = np.zeros((bots, bots))
    for table in meetings:
        wins[np.ix_(table.bots, table.bots)] += table.wins.sum(axis=0)
    met = (wins + wins.T) > 0
    wins = wins + 0.5 * met
    strength = _most_likely(wins)
    spread = np.sqrt(np.maximum(_variance(wins, strength, meetings).diagonal(), 0.0))
    found: list[Rating | None] = []
    for bot in range(bots):
        value, width = ELO * float(strength[bot]), Z95 * ELO * float(spread[bot])
        found.append(Rating(value, value - width, value + width) if met[bot].any() else None)
    return found


def _expected(strength: Any) -> Any:
    """chance[i, j] that i beats j."""
    return 1 / (1 + np.exp(np.clip(strength[None, :] - strength[:, None], -500, 500)))


def _information(wins: Any, chance: Any) -> Any:
    weight = (wins + wins.T) * chance * chance.T  # not 1 - chance, of which little is left where one always wins
    return np.diag(weight.sum(axis=1)) - weight


def _inverse(information: Any) -> Any:
    return np.linalg.pinv(information, rcond=NEGLIGIBLE, hermitian=True)


def _most_likely(wins: Any) -> Any:
    """Newton's method with halved steps on a concave likelihood; the mean stays 0 within what is connected."""
    strength = np.zeros(len(wins))
    for _ in range(MOST_STEPS):
        chance = _expected(strength)
        slope = (wins - (wins + wins.T) * chance).sum(axis=1)
        step = _inverse(_information(wins, chance)) @ slope
        step *= min(1.0, 2.0 / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        strength = strength + step
        if float(np.abs(step).max(initial=0.0)) < 1e-10:
            break
    return strength


def _variance(wins: Any, strength: Any, meetings: Sequence[Meetings]) -> Any:
    """The covariance of the strengths, clustered by deal; the larger of it and the plain one where deals are few."""
    chance = _expected(strength)
    inverse = _inverse(_information(wins, chance))
    scatter, deals = _scatter_of_draws(wins, chance), 0
    for table in meetings:
        index = np.ix_(table.bots, table.bots)
        played = table.wins + table.wins.transpose(0, 2, 1)
        slopes = (table.wins - played * chance[index]).sum(axis=2)
        scatter[index] += slopes.T @ slopes
        deals += len(slopes)
    clustered = inverse @ scatter @ inverse
    if deals >= FEW_DEALS:
        return clustered * deals / (deals - 1)
    return clustered if clustered.trace() > inverse.trace() else inverse


def _scatter_of_draws(wins: Any, chance: Any) -> Any:
    """What the draws that were added scatter: nearly all there is where one always wins, else nearly nothing."""
    surprise = np.where(wins > 0, (0.5 - chance) ** 2, 0.0)
    return np.diag(surprise.sum(axis=1)) - surprise


def openskill_ratings(bots: int, games: Iterable[tuple[Sequence[int], Sequence[float]]]) -> list[Rating | None]:
    """Ratings after a sequence of games (the bot of each side, the share of each side), each starting from 25.

    The model is Bradley–Terry over all pairs, in which equal ranks draw a half each; nothing is added for time
    passing (tau 0), because bots do not change. A bot with several sides gets the mean of what they got.
    """
    from openskill.models import BradleyTerryFull

    model = BradleyTerryFull(tau=0.0)
    current: dict[int, Any] = {}
    for seating, shares in games:
        if len(set(seating)) < 2:
            continue
        sides = [[model.rating(*_numbers(current.get(bot) or model.rating()))] for bot in seating]
        rated = model.rate(sides, ranks=[-share for share in shares])
        for bot in dict.fromkeys(seating):
            own = [_numbers(side[0]) for side, who in zip(rated, seating, strict=True) if who == bot]
            mu, sigma = (sum(values) / len(own) for values in zip(*own, strict=True))
            current[bot] = model.rating(mu, sigma)
    found: list[Rating | None] = []
    for bot in range(bots):
        mu, sigma = _numbers(current[bot]) if bot in current else (0.0, 0.0)
        found.append(Rating(mu, mu - Z95 * sigma, mu + Z95 * sigma) if bot in current else None)
    return found


def _numbers(rating: Any) -> tuple[float, float]:
    return float(rating.mu), float(rating.sigma)
