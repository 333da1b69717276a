"""What comes next, for many positions at once: every legal move, every outcome of chance, and what seats see of it.

Generic over games (promises.py). Positions are rows in one flat array, one slice each, and so is what comes of them: a
part for each position, of its own length, so `offsets` says where each part begins. Nothing is allocated here: what
finds no room is counted only, and the caller makes more room and asks again.
"""

from __future__ import annotations

from ludus.core.compiling.language import Float32s, Floats, Int16s, Ints, UInt8s
from ludus.core.engine import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.kernels.promises import (
    apply,
    chance,
    legal,
    moves_at,
    observe,
    outcome_count,
    outcome_weight,
    player_count,
    prize,
    row_size,
    scan,
)

LONG = ("afterstates_api", "expand_api", "observe_rows_api")  # other threads run meanwhile
INLINED = ("copy_row", "settle_up")
ITSELF = -1  # the outcome where chance has nothing to do


def first_outside_api(rows: Int16s, low: Int16s, high: Int16s) -> int:
    """The first row with a field that is smaller or larger than a row's can be (`low`, `high`), or -1."""
    stride = len(low)
    for number in range(len(rows) // stride if stride else 0):
        first = number * stride
        outside = 0
        for at in range(stride):
            outside += (rows[first + at] < low[at]) | (rows[first + at] > high[at])
        if outside:
            return number
    return -1


def copy_row(row: Ints, tables: Ints, scratch: Ints, copied: Ints) -> None:
    """A row to play on, and what is known of it."""
    for at in range(row_size(tables)):
        copied[at] = row[at]
    scan(copied, tables, scratch)


def settle_up(
    row: Ints, tables: Ints, scratch: Ints, rewards: Floats, terminated: Ints, number: int, players: int
) -> None:
    """Whether a game is over, and what every seat gets of it."""
    is_over = row[STAGE] == OVER
    terminated[number] = is_over
    for seat in range(players):
        rewards[number * players + seat] = prize(row, tables, scratch, seat) if is_over else 0.0


def play_each(
    row: Ints, tables: Ints, scratch: Ints, count: int, found: int,
    after: Ints, actions: Ints, movers: Ints, rewards: Floats, terminated: Ints,
) -> None:  # fmt: skip
    """Play each of the `count` legal moves that stand in the scratch; they are numbers found … of all."""
    stride, players, first = row_size(tables), player_count(tables), moves_at(tables)
    for number in range(count):  # all of them first: to play one writes over the others
        actions[found + number] = scratch[first + number]
    for number in range(found, found + count):
        next_row = after[number * stride : (number + 1) * stride]
        copy_row(row, tables, scratch, next_row)
        apply(next_row, tables, scratch, actions[number])
        movers[number] = row[TURN]
        settle_up(next_row, tables, scratch, rewards, terminated, number, players)


def afterstates_api(
    rows: Int16s, tables: Ints, scratch: Ints, games: int, offsets: Ints,
    after: Int16s, actions: Ints, movers: Ints, rewards: Float32s, terminated: UInt8s,
) -> int:  # fmt: skip
    """Every position that a legal move leads to from `games` rows, in the order of the moves; returns how many.

    Rows at which nobody decides have none.
    """
    stride = row_size(tables)
    assert len(rows) >= games * stride, "there are too few rows"
    assert len(offsets) > games, "there are too few offsets"
    room = min(len(actions), len(movers), len(terminated), len(after) // stride, len(rewards) // player_count(tables))
    found = 0
    for game in range(games):
        offsets[game] = found
        row = rows[game * stride : (game + 1) * stride]
        if row[STAGE] == DECISION:
            scan(row, tables, scratch)
            count = legal(row, tables, scratch)
            if found + count <= room:
                play_each(row, tables, scratch, count, found, after, actions, movers, rewards, terminated)
            found += count
    offsets[games] = found
    return found


def total_weight(row: Ints, tables: Ints, scratch: Ints, count: int) -> int:
    """The weights of all outcomes together."""
    total = 0
    for outcome in range(count):
        total += outcome_weight(row, tables, scratch, outcome)
    return total


def roll_each(
    row: Ints, tables: Ints, scratch: Ints, count: int, found: int,
    after: Ints, outcomes: Ints, weights: Floats, rewards: Floats, terminated: Ints,
) -> None:  # fmt: skip
    """Every outcome of chance, or the row as it is where nothing is rolled; they are numbers found … of all."""
    stride, players = row_size(tables), player_count(tables)
    rolls = row[STAGE] == CHANCE
    total = total_weight(row, tables, scratch, count) if rolls else 1
    for outcome in range(count):
        number = found + outcome
        next_row = after[number * stride : (number + 1) * stride]
        outcomes[number] = outcome if rolls else ITSELF
        weights[number] = outcome_weight(row, tables, scratch, outcome) / total if rolls else 1.0
        copy_row(row, tables, scratch, next_row)
        if rolls:
            chance(next_row, tables, scratch, outcome)
        settle_up(next_row, tables, scratch, rewards, terminated, number, players)


def expand_api(
    rows: Int16s, tables: Ints, scratch: Ints, count: int, offsets: Ints,
    after: Int16s, outcomes: Ints, weights: Floats, rewards: Float32s, terminated: UInt8s,
) -> int:  # fmt: skip
    """Every position that chance leads to from `count` rows, with its probability; returns how many.

    A row at which nothing is rolled leads to itself, outcome ITSELF, with probability 1.
    """
    stride = row_size(tables)
    assert len(rows) >= count * stride, "there are too few rows"
    assert len(offsets) > count, "there are too few offsets"
    room = min(len(outcomes), len(weights), len(terminated), len(after) // stride, len(rewards) // player_count(tables))
    found = 0
    for number in range(count):
        offsets[number] = found
        row = rows[number * stride : (number + 1) * stride]
        scan(row, tables, scratch)
        parts = outcome_count(row, tables, scratch) if row[STAGE] == CHANCE else 1
        if found + parts <= room:
            roll_each(row, tables, scratch, parts, found, after, outcomes, weights, rewards, terminated)
        found += parts
    offsets[count] = found
    return found


def observe_rows_api(rows: Int16s, tables: Ints, scratch: Ints, seats: Ints, each: int, out: Float32s) -> None:
    """What seats[i] sees of row i // each, for every i, one after the other in `out`."""
    stride, views = row_size(tables), len(seats)
    assert len(rows) * each >= views * stride, "there are fewer rows than seats ask for"
    length = len(out) // views if views else 0
    for view in range(views):
        row = rows[view // each * stride : (view // each + 1) * stride]
        observe(row, tables, scratch, seats[view], out, view * length)
