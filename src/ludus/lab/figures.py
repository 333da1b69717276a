"""Numbers with their 95% intervals and how many cases they were seen in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.analysis.rolling_out import students
from ludus.arena.ratings import Z95
from ludus.arena.standings import wilson

FEWEST = 3  # cases from which an interval is told


@dataclass(frozen=True)
class Figure:
    """A number with its 95% interval and how many it was seen in; without `low` and `high` where these are too few."""

    value: float
    low: float | None
    high: float | None
    n: int

    def data(self) -> dict[str, float | int | None]:
        """As plain data."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.n}

    def differs_from(self, other: Figure) -> bool:
        """Whether two figures of games that have nothing in common differ by more than chance explains (95%)."""
        if None in (self.low, self.high, other.low, other.high):
            return False
        halves = (self.high - self.low) / 2, (other.high - other.low) / 2  # type: ignore[operator]
        return abs(self.value - other.value) > math.hypot(*halves)


def share_of(count: int, of: int) -> Figure:
    """A share of games."""
    low, high = wilson(count / of, of) if of else (0.0, 1.0)
    return Figure(count / of if of else 0.0, low, high, of)


def mean_of(values: Any) -> Figure:
    """A mean."""
    values = np.asarray(values, dtype=float)
    count = len(values)
    if not count:
        return Figure(math.nan, None, None, 0)
    error = float(values.std(ddof=1)) / math.sqrt(count) if count > 1 else math.nan
    return _around(float(values.mean()), error, count)


def deviation_of(values: Any) -> Figure:
    """A standard deviation; its error follows from the fourth moment."""
    values = np.asarray(values, dtype=float)
    count = len(values)
    if count < FEWEST:
        return Figure(math.nan, None, None, count)
    off = values - values.mean()
    variance = float(off @ off) / (count - 1)
    spread = float(np.mean(off**4)) - variance**2 * (count - 3) / (count - 1)
    error = math.sqrt(max(0.0, spread) / count) / (2 * math.sqrt(variance)) if variance > 0 else 0.0
    return _around(math.sqrt(variance), error, count)


def quantile_of(values: Any, part: float) -> Figure:
    """A quantile, between two values of the sample: those that are as far from it in rank as chance may put it."""
    ordered = np.sort(np.asarray(values, dtype=float))
    count = len(ordered)
    if not count:
        return Figure(math.nan, None, None, 0)
    value = float(np.percentile(ordered, 100 * part))
    if count < FEWEST:
        return Figure(value, None, None, count)
    reach = Z95 * math.sqrt(count * part * (1 - part))
    low, high = math.floor(count * part - reach), math.ceil(count * part + reach)
    return Figure(value, float(ordered[max(0, low)]), float(ordered[min(count - 1, high)]), count)


def ratio_of(tops: Any, bottoms: Any) -> Figure:
    """Σ tops / Σ bottoms over games, which are independent of each other as what happens within one is not."""
    tops, bottoms = np.asarray(tops, dtype=float), np.asarray(bottoms, dtype=float)
    total, count = float(bottoms.sum()), len(bottoms)
    if total <= 0:
        return Figure(math.nan, None, None, 0)
    value = float(tops.sum()) / total
    off = tops - value * bottoms
    error = math.sqrt(float(off @ off) * count / (count - 1)) / total if count > 1 else math.nan
    return _around(value, error, count)


def _around(value: float, error: float, count: int) -> Figure:
    if count < FEWEST or math.isnan(error):
        return Figure(value, None, None, count)
    half = students(count - 1) * error
    return Figure(value, value - half, value + half, count)
