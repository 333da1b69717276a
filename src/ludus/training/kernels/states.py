"""Positions by number, and their values: the inner loops of the solver (training/solver.py).

A position is known by two 64-bit digests of its row. The index is a table with open addressing. What follows from a
position lies in one line: for every outcome of chance its weight, who moves then, and the positions that player can
choose from; numbers below 0 are games that are over, with prizes of their own.
"""

from __future__ import annotations

from ludus.core.compiling.language import Floats, Int32s, Ints, UInt8s

LONG = ("number_api", "rehash_api", "sweep_api", "bound_api", "answer_api")
EMPTY = -1


def place_of(first: int, second: int, firsts: Ints, seconds: Ints, numbers: Ints) -> int:
    """Where a digest is in the index, or the empty place where it belongs."""
    mask = len(numbers) - 1
    at = (first ^ (first >> 29)) & mask
    while numbers[at] != EMPTY and (firsts[at] != first or seconds[at] != second):
        at = (at + 1) & mask
    return at


def number_api(
    first: Ints, second: Ints, firsts: Ints, seconds: Ints, numbers: Ints, known: int, found: Ints, is_new: UInt8s
) -> int:
    """The number of each digest, new ones counted on from `known`; returns how many are known then."""
    assert len(found) >= len(first)
    assert len(is_new) >= len(first)
    count = known
    for at in range(len(first)):
        place = place_of(first[at], second[at], firsts, seconds, numbers)
        is_new[at] = 0
        if numbers[place] == EMPTY:
            firsts[place], seconds[place], numbers[place] = first[at], second[at], count
            is_new[at] = 1
            count += 1
        found[at] = numbers[place]
    return count


def look_up_api(first: Ints, second: Ints, firsts: Ints, seconds: Ints, numbers: Ints, found: Ints) -> None:
    """The number of each digest, or -1."""
    assert len(found) >= len(first)
    for at in range(len(first)):
        found[at] = numbers[place_of(first[at], second[at], firsts, seconds, numbers)]


def rehash_api(first: Ints, second: Ints, firsts: Ints, seconds: Ints, numbers: Ints) -> None:
    """Put digests 0, 1, 2 … into an empty index."""
    for at in range(len(first)):
        place = place_of(first[at], second[at], firsts, seconds, numbers)
        firsts[place], seconds[place], numbers[place] = first[at], second[at], at


def best_of(values: Floats, prizes: Floats, players: int, mover: int, next_: Ints, at: int, count: int) -> int:
    """The position among next_[at…] that a player likes best, the first of equals."""
    best = at
    most = value_at(values, prizes, players, next_[at], mover)
    for other in range(at + 1, at + count):
        value = value_at(values, prizes, players, next_[other], mover)
        if value > most:
            best, most = other, value
    return best


def value_at(values: Floats, prizes: Floats, players: int, number: int, seat: int) -> float:
    """What a position is worth to a seat."""
    if number < 0:
        return prizes[(-1 - number) * players + seat]
    return values[number * players + seat]


def sweep_api(
    values: Floats, prizes: Floats, players: int, roll_at: Ints, weight_of: Int32s, weights: Floats,
    mover_of: UInt8s, count_of: Int32s, next_at: Ints, next_: Int32s, fresh: Floats, first: int, last: int,
) -> float:  # fmt: skip
    """Every player for itself (max^n): values of positions first … last - 1 anew, in place; the largest change."""
    change = 0.0
    for number in range(last - 1, first - 1, -1):
        for seat in range(players):
            fresh[seat] = 0.0
        at = next_at[number]
        for roll in range(roll_at[number], roll_at[number + 1]):
            best = best_of(values, prizes, players, mover_of[roll], next_, at, count_of[roll])
            for seat in range(players):
                fresh[seat] += weights[weight_of[roll]] * value_at(values, prizes, players, next_[best], seat)
            at += count_of[roll]
        for seat in range(players):
            change = max(change, abs(values[number * players + seat] - fresh[seat]))
            values[number * players + seat] = fresh[seat]
    return change


def bound_api(
    bounds: Floats, prizes: Floats, roll_at: Ints, weight_of: Int32s, weights: Floats, mover_of: UInt8s,
    count_of: Int32s, next_at: Ints, next_: Int32s, first: int, last: int,
) -> float:  # fmt: skip
    """Two players: what the first one gets, from below (bounds[2n]) and from above (bounds[2n + 1]); the widest gap.

    prizes: the first player's alone.
    """
    widest = 0.0
    for number in range(last - 1, first - 1, -1):
        low = 0.0
        high = 0.0
        at = next_at[number]
        for roll in range(roll_at[number], roll_at[number + 1]):
            least = 0.0
            most = 0.0
            for chosen in range(at, at + count_of[roll]):
                there = next_[chosen]
                below = prizes[-1 - there] if there < 0 else bounds[2 * there]
                above = prizes[-1 - there] if there < 0 else bounds[2 * there + 1]
                if mover_of[roll] == 0:
                    least = below if chosen == at else max(least, below)
                    most = above if chosen == at else max(most, above)
                else:
                    least = below if chosen == at else min(least, below)
                    most = above if chosen == at else min(most, above)
            low += weights[weight_of[roll]] * least
            high += weights[weight_of[roll]] * most
            at += count_of[roll]
        bounds[2 * number] = max(bounds[2 * number], low)
        bounds[2 * number + 1] = min(bounds[2 * number + 1], high)
        widest = max(widest, bounds[2 * number + 1] - bounds[2 * number])
    return widest


def answer_api(
    values: Floats, prizes: Floats, players: int, seat: int, roll_at: Ints, weight_of: Int32s, weights: Floats,
    mover_of: UInt8s, count_of: Int32s, next_at: Ints, next_: Int32s, chosen_by: Int32s, first: int, last: int,
) -> float:  # fmt: skip
    """Best answer of a seat to players whose choices stand in chosen_by[roll]: its values anew; the largest change."""
    change = 0.0
    for number in range(last - 1, first - 1, -1):
        fresh = 0.0
        at = next_at[number]
        for roll in range(roll_at[number], roll_at[number + 1]):
            taken = at + chosen_by[roll]
            if mover_of[roll] == seat:
                taken = best_of(values, prizes, 1, 0, next_, at, count_of[roll])
            fresh += weights[weight_of[roll]] * value_at(values, prizes, 1, next_[taken], 0)
            at += count_of[roll]
        change = max(change, abs(values[number] - fresh))
        values[number] = fresh
    return change
