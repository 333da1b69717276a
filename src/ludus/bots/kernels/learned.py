"""Valuing positions and choosing moves by a net, for every game: over a game's kernels and its features.

In the kernel language (docs/kernels.md). A position is seen by the seat that has the turn, and the net says what share
of the win each seat may hope for, in order of play from there. Everybody takes what is best for the own seat (max^n).
Besides tables and the arrays of net.py these take

desk       LEVELS rows, one after the other: each level looks one step further than the one before
scratches  a scratch for each of them
reals      MOST_PLAYERS shares by seat for each level, then what the net gives, then the worth of each move by level
"""

from __future__ import annotations

from ludus.bots.kernels.net import S_OUTPUTS, forward, net_size
from ludus.bots.kernels.policies import NET_FIRST, NET_SIZE
from ludus.core.compiling.language import Float32s, Floats, Int16s, Int32s, Ints
from ludus.core.kernels.calls import list_moves, make_move, set_chance, survey_row
from ludus.core.kernels.codes import DECISION, OVER, STAGE, TURN
from ludus.core.kernels.ends import final_shares
from ludus.core.kernels.promises import (
    list_features,
    moves_at,
    outcome_count,
    outcome_weight,
    player_count,
    row_size,
    seat_in_order,
)

LONG = ("values_api", "weigh_api")

MOST_PLAYERS = 16
LEVELS = 8
OUT = LEVELS * MOST_PLAYERS  # of the reals: what the net gives
WORTH = OUT + MOST_PLAYERS  # … and from here on the worth of moves, as many at each level as the game has actions
CLOSER = 4  # moves that are looked at more closely, the best by the net alone
USED = 4.0  # taken off the worth of a move that has been looked at more closely


def fits(tables: Ints, shape: Ints) -> bool:
    """Whether a net has an output for every seat."""
    return player_count(tables) <= shape[S_OUTPUTS] and player_count(tables) <= MOST_PLAYERS


def copy_level(tables: Ints, desk: Ints, scratches: Ints, level: int) -> None:
    """Go one level deeper with the same position."""
    size, room = row_size(tables), len(scratches) // LEVELS
    for at in range(level * size, (level + 1) * size):
        desk[at + size] = desk[at]
    row = desk[(level + 1) * size : (level + 2) * size]
    scratch = scratches[(level + 1) * room : (level + 2) * room]
    survey_row(row, tables, scratch)


def net_value(
    level: int, tables: Ints, desk: Ints, scratches: Ints,
    net: Floats, shape: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats,
) -> None:  # fmt: skip
    """The shares of the position of a level by the net, or what the game gave, at its place in `reals`."""
    size, room = row_size(tables), len(scratches) // LEVELS
    row = desk[level * size : (level + 1) * size]
    scratch = scratches[level * room : (level + 1) * room]
    if row[STAGE] == OVER:
        final_shares(row, tables, scratch, reals, level * MOST_PLAYERS)
        return
    players, seat = player_count(tables), int(row[TURN])
    count = list_features(row, tables, scratch, seat, which, amounts)
    given = reals[OUT : OUT + MOST_PLAYERS]
    forward(net, shape, which, amounts, count, hidden, given, players)
    for steps in range(players):
        reals[level * MOST_PLAYERS + seat_in_order(row, tables, seat, steps)] = given[steps]


def worth_at(reals: Floats, level: int) -> int:
    """Where the worth of the moves of a level stands."""
    return WORTH + level * ((len(reals) - WORTH) // LEVELS)


def take_value(tables: Ints, reals: Floats, level: int) -> None:
    """The shares of the next level are those of this one."""
    for at in range(level * MOST_PLAYERS, level * MOST_PLAYERS + player_count(tables)):
        reals[at] = reals[at + MOST_PLAYERS]


def best_by_net(
    level: int, tables: Ints, desk: Ints, scratches: Ints,
    net: Floats, shape: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats,
) -> int:  # fmt: skip
    """The number of the best move of a level's decision by the net alone; its shares, and what each move is worth."""
    size, room = row_size(tables), len(scratches) // LEVELS
    row = desk[level * size : (level + 1) * size]
    scratch = scratches[level * room : (level + 1) * room]
    after = desk[(level + 1) * size : (level + 2) * size]
    trial = scratches[(level + 1) * room : (level + 2) * room]
    own, worth = (level + 1) * MOST_PLAYERS + int(row[TURN]), worth_at(reals, level)
    found = 0
    for number in range(list_moves(row, tables, scratch)):
        copy_level(tables, desk, scratches, level)
        make_move(after, tables, trial, scratch[moves_at(tables) + number])
        net_value(level + 1, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
        reals[worth + number] = reals[own]
        if number == 0 or reals[own] > reals[worth + found]:
            found = number
            take_value(tables, reals, level)
    return found


# ---------------------------------------------------------------- one step further: every roll, and the answer to it


def begin_sum(tables: Ints, reals: Floats, level: int) -> None:
    """Nothing has been added up yet."""
    for at in range(level * MOST_PLAYERS, level * MOST_PLAYERS + player_count(tables)):
        reals[at] = 0.0


def add_up(tables: Ints, reals: Floats, level: int, weight: float) -> None:
    """Add the shares of the next level with a weight."""
    for at in range(level * MOST_PLAYERS, level * MOST_PLAYERS + player_count(tables)):
        reals[at] += weight * reals[at + MOST_PLAYERS]


def all_weights(row: Ints, tables: Ints, scratch: Ints) -> float:
    """The weights of all outcomes of chance together."""
    whole = 0
    for outcome in range(outcome_count(row, tables, scratch)):
        whole += outcome_weight(row, tables, scratch, outcome)
    return float(max(1, whole))


def value(
    level: int, depth: int, tables: Ints, desk: Ints, scratches: Ints,
    net: Floats, shape: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats,
) -> None:  # fmt: skip
    """The shares of a level's position: of a decision by its best move, of chance by every roll and the answer to it.

    depth: how many decisions are looked at; where none is left, the net says.
    """
    size, room = row_size(tables), len(scratches) // LEVELS
    row = desk[level * size : (level + 1) * size]
    scratch = scratches[level * room : (level + 1) * room]
    if row[STAGE] == OVER or depth == 0:
        net_value(level, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
        return
    if row[STAGE] == DECISION:
        best(level, depth, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
        return
    after = desk[(level + 1) * size : (level + 2) * size]
    trial = scratches[(level + 1) * room : (level + 2) * room]
    whole = all_weights(row, tables, scratch)
    begin_sum(tables, reals, level)
    for outcome in range(outcome_count(row, tables, scratch)):
        weight = outcome_weight(row, tables, scratch, outcome)
        if weight:
            copy_level(tables, desk, scratches, level)
            set_chance(after, tables, trial, outcome)
            still = depth if after[STAGE] == DECISION else depth - 1  # a roll that nobody may use is a decision too
            value(level + 1, still, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
            add_up(tables, reals, level, weight / whole)


def next_closer(reals: Floats, worth: int, count: int) -> int:
    """The best of the moves that have not been looked at more closely."""
    found = -1
    for number in range(count):
        if reals[worth + number] > -USED / 2 and (found < 0 or reals[worth + number] > reals[worth + found]):
            found = number
    return found


def best(
    level: int, depth: int, tables: Ints, desk: Ints, scratches: Ints,
    net: Floats, shape: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats,
) -> int:  # fmt: skip
    """The number of the best move of a level's decision, and its shares; depth: 1 by the net alone.

    Deeper, the CLOSER best by the net are judged by what may follow.
    """
    found = best_by_net(level, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
    if depth == 1:
        return found
    size, room = row_size(tables), len(scratches) // LEVELS
    row = desk[level * size : (level + 1) * size]
    scratch = scratches[level * room : (level + 1) * room]
    after = desk[(level + 1) * size : (level + 2) * size]
    trial = scratches[(level + 1) * room : (level + 2) * room]
    count = list_moves(row, tables, scratch)
    own, worth = (level + 1) * MOST_PLAYERS + int(row[TURN]), worth_at(reals, level)
    highest = -1.0
    for _ in range(min(CLOSER, count)):
        number = next_closer(reals, worth, count)
        copy_level(tables, desk, scratches, level)
        make_move(after, tables, trial, scratch[moves_at(tables) + number])
        value(level + 1, depth - 1, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
        reals[worth + number] = reals[own] - USED
        if reals[own] > highest:
            highest = reals[own]
            found = number
            take_value(tables, reals, level)
    return found


def set_level(row: Ints, tables: Ints, desk: Ints, scratches: Ints) -> None:
    """Put a position on the first level."""
    for at in range(row_size(tables)):
        desk[at] = row[at]
    first = desk[0 : row_size(tables)]
    scratch = scratches[0 : len(scratches) // LEVELS]
    survey_row(first, tables, scratch)


def net_choice(
    depth: int, row: Ints, tables: Ints, desk: Ints, scratches: Ints,
    net: Floats, shape: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats,
) -> int:  # fmt: skip
    """The action that a net takes at a decision."""
    set_level(row, tables, desk, scratches)
    scratch = scratches[0 : len(scratches) // LEVELS]
    if list_moves(row, tables, scratch) == 1:
        return scratch[moves_at(tables)]
    found = best(0, depth, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
    return scratch[moves_at(tables) + found]


def choose_by_net(
    depth: int, number: int, row: Ints, tables: Ints, desk: Ints, scratches: Ints,
    nets: Floats, shapes: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats,
) -> int:  # fmt: skip
    """The action that net number `number` of those handed in takes at a decision."""
    at = number * NET_SIZE
    shape = shapes[at : at + NET_SIZE]
    net = nets[shape[NET_FIRST] : shape[NET_FIRST] + net_size(shape)]
    return net_choice(depth, row, tables, desk, scratches, net, shape, which, amounts, hidden, reals)


# ---------------------------------------------------------------- entries


def values_api(
    rows: Int16s, tables: Ints, desk: Int16s, scratches: Ints,
    net: Float32s, shape: Ints, which: Int32s, amounts: Float32s, hidden: Float32s, reals: Floats,
    depth: int, out: Floats,
) -> None:  # fmt: skip
    """The shares of every row by the net: at a decision those of the best move, elsewhere the position's own."""
    assert fits(tables, shape), "the net has too few outputs for this game"
    size, players = row_size(tables), player_count(tables)
    for number in range(len(rows) // size):
        row = rows[number * size : (number + 1) * size]
        set_level(row, tables, desk, scratches)
        deep = depth if row[STAGE] == DECISION else depth - 1
        value(0, deep, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
        for seat in range(players):
            out[number * players + seat] = reals[seat]


def weigh_api(
    row: Int16s, tables: Ints, desk: Int16s, scratches: Ints,
    net: Float32s, shape: Ints, which: Int32s, amounts: Float32s, hidden: Float32s, reals: Floats,
    depth: int, out: Floats,
) -> int:  # fmt: skip
    """What each move of a decision is worth to the one who decides, in order; returns the number of the best.

    Moves that were not looked at as closely as asked have the net's own value, less 1.
    """
    assert fits(tables, shape), "the net has too few outputs for this game"
    set_level(row, tables, desk, scratches)
    found = best(0, depth, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
    worth = worth_at(reals, 0)
    for number in range(len(out)):
        here = reals[worth + number]
        out[number] = here if depth == 1 else here + USED if here < -USED / 2 else here - 1.0
    return found
