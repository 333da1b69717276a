"""A net plays against itself and learns from each game: TD(λ) on the positions after moves, for every game.

In the kernel language (docs/kernels.md), over a game's kernels and its features. When a game is over, or the store is
full, its positions are gone through from the last to the first: each is pulled towards what came after it, a mixture
of the net's own value there (weight 1 - λ) and of what that one was pulled towards (λ). Besides the arrays of
learned.py these take

kept_which, kept_amounts   the features of all positions of a game, one after the other
kept                       KEPT integers a position: where its features begin, how many, which seat each output is
sums                       what was counted: SUM_*
"""

from __future__ import annotations

from math import log

from ludus.bots.kernels.learned import MOST_PLAYERS, OUT, fits
from ludus.bots.kernels.net import backward, forward
from ludus.core.compiling.language import Float32s, Floats, Int16s, Int32s, Ints
from ludus.core.kernels.calls import list_moves, make_move, roll, survey_row
from ludus.core.kernels.codes import CHANCE, OVER, STAGE, TURN
from ludus.core.kernels.ends import final_shares
from ludus.core.kernels.features import FEATURE_LIST
from ludus.core.kernels.promises import list_features, moves_at, player_count, row_size, seat_in_order
from ludus.core.random import below, stream

LONG = ("learn_api", "fit_api")

K_FIRST, K_COUNT, K_SEATS = 0, 1, 2
KEPT = K_SEATS + MOST_PLAYERS
SUM_POSITIONS, SUM_LOSS, SUM_GAMES, SUM_PLIES, SUM_CUT, SUMS = range(6)
TINY = 1e-9
WANTED = MOST_PLAYERS  # of the reals: what the position after was pulled towards, by seat; then the net's value there
AFTER = 2 * MOST_PLAYERS


def keep_features(
    row: Ints, tables: Ints, scratch: Ints, which: Ints, amounts: Floats, count: int,
    kept_which: Ints, kept_amounts: Floats, kept: Ints, number: int,
) -> None:  # fmt: skip
    """Store the features of a position as number `number` of its game."""
    at, seat = number * KEPT, int(row[TURN])
    first = kept[at - KEPT + K_FIRST] + kept[at - KEPT + K_COUNT] if number > 0 else 0
    kept[at + K_FIRST] = first
    kept[at + K_COUNT] = count
    for steps in range(player_count(tables)):
        kept[at + K_SEATS + steps] = seat_in_order(row, tables, seat, steps)
    for index in range(count):
        kept_which[first + index] = which[index]
        kept_amounts[first + index] = amounts[index]


def best_after(
    row: Ints, tables: Ints, scratch: Ints, after: Ints, trial: Ints, count: int,
    net: Floats, shape: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats,
) -> int:  # fmt: skip
    """The number of the move that is best for whom decides, by the net."""
    seat, players = int(row[TURN]), player_count(tables)
    given = reals[OUT : OUT + MOST_PLAYERS]
    found = 0
    highest = -1.0
    for number in range(count):
        for at in range(row_size(tables)):
            after[at] = row[at]
        survey_row(after, tables, trial)
        make_move(after, tables, trial, scratch[moves_at(tables) + number])
        if after[STAGE] == OVER:
            final_shares(after, tables, trial, reals, 0)
            share = reals[seat]
        else:
            turn = int(after[TURN])
            listed = list_features(after, tables, trial, turn, which, amounts)
            forward(net, shape, which, amounts, listed, hidden, given, players)
            share = 0.0
            for steps in range(players):
                if seat_in_order(after, tables, turn, steps) == seat:
                    share = given[steps]
        if share > highest:
            highest = share
            found = number
    return found


def learn_one(
    players: int, net: Floats, shape: Ints, kept_which: Ints, kept_amounts: Floats, kept: Ints, number: int,
    hidden: Floats, back: Floats, reals: Floats, blend: float, rate: float, sums: Floats,
) -> None:  # fmt: skip
    """Pull one position towards what came after it; then it is what came after."""
    at = number * KEPT
    first, count = kept[at + K_FIRST], kept[at + K_COUNT]
    which = kept_which[first : first + count]
    amounts = kept_amounts[first : first + count]
    given = reals[OUT : OUT + MOST_PLAYERS]
    forward(net, shape, which, amounts, count, hidden, given, players)
    errors = reals[0:MOST_PLAYERS]
    for steps in range(players):
        seat = kept[at + K_SEATS + steps]
        wanted = blend * reals[WANTED + seat] + (1.0 - blend) * reals[AFTER + seat]
        errors[steps] = wanted - given[steps]
        sums[SUM_LOSS] -= wanted * log(given[steps] + TINY)
        reals[WANTED + seat] = wanted
        reals[AFTER + seat] = given[steps]
    backward(net, shape, which, amounts, count, hidden, back, errors, players, rate)


def learn_game(
    players: int, net: Floats, shape: Ints, kept_which: Ints, kept_amounts: Floats, kept: Ints, count: int,
    hidden: Floats, back: Floats, reals: Floats, blend: float, rate: float, sums: Floats,
) -> None:  # fmt: skip
    """Learn from the positions kept, the last first; reals[WANTED…] and reals[AFTER…] hold what came after the last."""
    for index in range(count):
        number = count - 1 - index
        learn_one(players, net, shape, kept_which, kept_amounts, kept, number, hidden, back, reals, blend, rate, sums)
    sums[SUM_POSITIONS] += count


def shares_after(
    row: Ints, tables: Ints, scratch: Ints,
    net: Floats, shape: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats,
) -> None:  # fmt: skip
    """What comes after the last position: what the game gave, or the net's value where it goes on."""
    players, turn = player_count(tables), int(row[TURN])
    if row[STAGE] == OVER:
        final_shares(row, tables, scratch, reals, WANTED)
    else:
        given = reals[OUT : OUT + MOST_PLAYERS]
        count = list_features(row, tables, scratch, turn, which, amounts)
        forward(net, shape, which, amounts, count, hidden, given, players)
        for steps in range(players):
            reals[WANTED + seat_in_order(row, tables, turn, steps)] = given[steps]
    for seat in range(players):
        reals[AFTER + seat] = reals[WANTED + seat]


def lot_of(key: int, longest: int, ply: int, count: int, strays: int) -> int:
    """The number of a move that is made by lot, as some of a thousand are; -1 where the net chooses."""
    if count > 1 and below(key, 2 * longest + ply, 1000) < strays:
        return below(key, longest + ply, count)
    return -1


def learn_api(
    start: Int16s, row: Int16s, tables: Ints, scratch: Ints, after: Int16s, trial: Ints,
    net: Float32s, shape: Ints, which: Int32s, amounts: Float32s, hidden: Float32s, back: Float32s, reals: Floats,
    kept_which: Int32s, kept_amounts: Float32s, kept: Ints,
    seed: int, first: int, games: int, longest: int, strays: int, blend: float, rate: float, sums: Floats,
) -> None:  # fmt: skip
    """Games first … first + games - 1 against itself, each learnt from when it is over.

    strays: how many of a thousand decisions are made by lot: a net that knows nothing may otherwise never get anywhere.
    """
    assert fits(tables, shape), "the net has too few outputs for this game"
    players, room, most = player_count(tables), len(kept_which), len(kept) // KEPT
    for game in range(games):
        for at in range(row_size(tables)):
            row[at] = start[at]
        survey_row(row, tables, scratch)
        key = stream(seed, first + game)
        ply, number = 0, 1  # the first position is learnt too
        used = list_features(row, tables, scratch, int(row[TURN]), which, amounts)
        keep_features(row, tables, scratch, which, amounts, used, kept_which, kept_amounts, kept, 0)
        while row[STAGE] != OVER and ply < longest:
            ply += 1
            if row[STAGE] == CHANCE:
                roll(row, tables, scratch, key, ply)
                continue
            count = list_moves(row, tables, scratch)
            lot = lot_of(key, longest, ply, count, strays)
            if count > 1 and lot < 0:
                lot = best_after(row, tables, scratch, after, trial, count, net, shape, which, amounts, hidden, reals)
            make_move(row, tables, scratch, scratch[moves_at(tables) + max(0, lot)])
            if row[STAGE] == OVER:
                break
            listed = list_features(row, tables, scratch, int(row[TURN]), which, amounts)
            if used + FEATURE_LIST > room or number == most:
                shares_after(row, tables, scratch, net, shape, which, amounts, hidden, reals)
                learn_game(
                    players, net, shape, kept_which, kept_amounts, kept, number, hidden, back, reals, blend, rate, sums
                )
                number, used = 0, 0
                listed = list_features(row, tables, scratch, int(row[TURN]), which, amounts)
            keep_features(row, tables, scratch, which, amounts, listed, kept_which, kept_amounts, kept, number)
            number += 1
            used += listed
        shares_after(row, tables, scratch, net, shape, which, amounts, hidden, reals)
        learn_game(players, net, shape, kept_which, kept_amounts, kept, number, hidden, back, reals, blend, rate, sums)
        sums[SUM_GAMES] += 1
        sums[SUM_PLIES] += ply
        sums[SUM_CUT] += row[STAGE] != OVER


def fit_api(
    rows: Int16s, row: Int16s, tables: Ints, scratch: Ints,
    net: Float32s, shape: Ints, which: Int32s, amounts: Float32s, hidden: Float32s, back: Float32s, reals: Floats,
    wanted: Floats, rate: float, sums: Floats,
) -> None:  # fmt: skip
    """Pull the value of every row towards what is wanted: float64[rows, players], shares by seat."""
    assert fits(tables, shape), "the net has too few outputs for this game"
    players, size = player_count(tables), row_size(tables)
    given = reals[OUT : OUT + MOST_PLAYERS]
    errors = reals[0:MOST_PLAYERS]
    for number in range(len(rows) // size):
        for at in range(size):
            row[at] = rows[number * size + at]
        survey_row(row, tables, scratch)
        turn = int(row[TURN])
        count = list_features(row, tables, scratch, turn, which, amounts)
        forward(net, shape, which, amounts, count, hidden, given, players)
        for steps in range(players):
            goal = wanted[number * players + seat_in_order(row, tables, turn, steps)]
            errors[steps] = goal - given[steps]
            sums[SUM_LOSS] -= goal * log(given[steps] + TINY)
        backward(net, shape, which, amounts, count, hidden, back, errors, players, rate)
        sums[SUM_POSITIONS] += 1
