"""Games played on from a position by a policy, as far as a horizon, with the luck of the dice taken off.

In the kernel language, over a game's kernels (docs/kernels.md). At each roll every outcome is tried, played by the
policy, and valued by the family's own value (`evaluate`); by how much the one that fell is better than their average is
luck, and is taken off the result. The mean stays the same whatever that value is worth, and what is left varies less.
The value's shares are too even or too far apart: they are raised to a power, `edge`, that was fitted to whole games
(`sample_api`). Besides the arrays of policies.py:

rows   the positions to play on from, one after the other; `row` is the one that is played on
other  another row to try rolls on, with its scratch `third`
reals  three times a share for each seat: the sum of one game, what all rolls are worth, what one is worth
"""

from __future__ import annotations

from math import exp, log

from ludus.bots.kernels.policies import choose_by
from ludus.bots.kernels.tree import shares
from ludus.core.compiling.language import Floats, Int16s, Ints
from ludus.core.kernels.calls import make_move, roll, set_chance, survey_row
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE
from ludus.core.kernels.promises import draw_chance, outcome_count, outcome_weight, player_count, row_size
from ludus.core.random import stream

LONG = ("play_on_api", "sample_api")  # other threads run meanwhile
LEAST = 1e-6
MOST_MOVES = 12  # with one roll, where its worth is looked at
APART = 1 << 20  # from the plies of a game: ties among moves that are only tried are broken by other draws


def copy_of(row: Ints, tables: Ints, copied: Ints, scratch: Ints) -> None:
    """A row to try something on."""
    for at in range(row_size(tables)):
        copied[at] = row[at]
    survey_row(copied, tables, scratch)


def hopes(
    row: Ints, tables: Ints, scratch: Ints, notes: Ints, reals: Floats, at: int, edge: float
) -> None:  # fmt: skip
    """Each seat's share of a game that is over, or by the family's value, raised to the power `edge`."""
    shares(row, tables, scratch, notes, reals, at)
    if row[STAGE] == OVER or edge == 1.0:
        return
    players = player_count(tables)
    whole = 0.0
    for seat in range(players):
        reals[at + seat] = exp(edge * log(max(reals[at + seat], LEAST)))
        whole += reals[at + seat]
    for seat in range(players):
        reals[at + seat] /= whole


def add_shares(reals: Floats, players: int, part: int, factor: float) -> None:
    """Add a part of `reals` to the sum of the game, times a factor."""
    for seat in range(players):
        reals[seat] += factor * reals[part * players + seat]


def settle(
    row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints, policy: int, key: int, ply: int
) -> None:  # fmt: skip
    """Let the policy use what was rolled: what a roll is worth shows when it has been played."""
    for more in range(MOST_MOVES):
        if row[STAGE] != DECISION:
            break
        action = choose_by(policy, 0, row, tables, scratch, trial, spare, notes, key, ply + more)
        make_move(row, tables, scratch, action)


def roll_with_luck(
    row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, other: Ints, third: Ints, notes: Ints,
    reals: Floats, policy: int, key: int, ply: int, edge: float,
) -> None:  # fmt: skip
    """Roll; add what all outcomes are worth on average, and take off what the one that fell is worth."""
    players, count = player_count(tables), outcome_count(row, tables, scratch)
    fallen = draw_chance(row, tables, scratch, key, ply)
    whole = 0
    for seat in range(players):
        reals[players + seat] = 0.0
    for outcome in range(count):
        weight = outcome_weight(row, tables, scratch, outcome)
        whole += weight
        if weight:
            copy_of(row, tables, other, third)
            set_chance(other, tables, third, outcome)
            settle(other, tables, third, trial, spare, notes, policy, key, ply + APART)
            hopes(other, tables, third, notes, reals, 2 * players, edge)
            for seat in range(players):
                reals[players + seat] += weight * reals[2 * players + seat]
            if outcome == fallen:
                add_shares(reals, players, 2, -1.0)
    add_shares(reals, players, 1, 1.0 / max(1, whole))
    set_chance(row, tables, scratch, fallen)


def play_one_on(
    row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, other: Ints, third: Ints, notes: Ints,
    reals: Floats, policy: int, key: int, horizon: int, adjusted: bool, edge: float,
) -> None:  # fmt: skip
    """Play a row on; its shares, less the luck, stand first in `reals` then."""
    players = player_count(tables)
    for seat in range(players):
        reals[seat] = 0.0
    decisions, ply = 0, 0
    while row[STAGE] != OVER and (decisions < horizon or row[STAGE] == DECISION):
        if row[STAGE] == CHANCE:
            if adjusted:
                roll_with_luck(
                    row, tables, scratch, trial, spare, other, third, notes, reals, policy, key, ply, edge
                )  # fmt: skip
            else:
                roll(row, tables, scratch, key, ply)
            decisions += row[STAGE] == CHANCE  # a roll that nobody may use counts as a decision
        else:
            make_move(
                row, tables, scratch, choose_by(policy, 0, row, tables, scratch, trial, spare, notes, key, ply)
            )  # fmt: skip
            decisions += 1
        ply += 1
    hopes(row, tables, scratch, notes, reals, 2 * players, edge)
    add_shares(reals, players, 2, 1.0)


def play_on_api(
    rows: Int16s, row: Int16s, tables: Ints, scratch: Ints, trial: Int16s, spare: Ints, notes: Ints,
    other: Int16s, third: Ints, reals: Floats,
    policy: int, seed: int, first: int, games: int, horizon: int, adjusted: bool, edge: float,
    out: Floats,
) -> None:  # fmt: skip
    """Play every row on, games first … first + games - 1, with the same dice for all rows; out: sums by row and seat.

    horizon: decisions of anybody, after which the family's own value stands for what would come.
    """
    size, players = row_size(tables), player_count(tables)
    assert min(len(row), len(trial)) >= size, "the row is too short for this game"
    assert len(out) * size >= len(rows) * players, "there is no room for all values"
    for number in range(len(rows) // size):
        root = rows[number * size : (number + 1) * size]
        for seat in range(players):
            out[number * players + seat] = 0.0
        for game in range(first, first + games):
            copy_of(root, tables, row, scratch)
            play_one_on(
                row, tables, scratch, trial, spare, other, third, notes, reals,
                policy, stream(seed, game), horizon, adjusted, edge,
            )  # fmt: skip
            for seat in range(players):
                out[number * players + seat] += reals[seat]


def sample_api(
    start: Int16s, row: Int16s, tables: Ints, scratch: Ints, trial: Int16s, spare: Ints, notes: Ints,
    policy: int, seed: int, games: int, every: int, most_plies: int, values: Floats, finals: Floats,
) -> None:  # fmt: skip
    """Whole games by a policy: finals: each seat's share at the end, by game; values: by the family's value on the way.

    Of each game as many positions as there is room for are kept, one in `every` plies; missing ones are -1.
    """
    players = player_count(tables)
    room = len(values) // (games * players)
    for game in range(games):
        copy_of(start, tables, row, scratch)
        key = stream(seed, game)
        first = game * room * players
        for at in range(first, first + room * players):
            values[at] = -1.0
        ply = 0
        while row[STAGE] != OVER and ply < most_plies:
            if row[STAGE] == CHANCE:
                if ply % every == 0 and ply // every < room:
                    shares(row, tables, scratch, notes, values, first + ply // every * players)
                roll(row, tables, scratch, key, ply)
            else:
                action = choose_by(policy, 0, row, tables, scratch, trial, spare, notes, key, ply)
                make_move(row, tables, scratch, action)
            ply += 1
        shares(row, tables, scratch, notes, finals, game * players)
