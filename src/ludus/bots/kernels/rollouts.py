"""Rollouts: games played on from a position by a net, as far as a horizon, with the luck of the dice taken out.

In the kernel language (docs/kernels.md), for every game. At each roll the net knows what all rolls are worth on
average; by how much the one that fell is better is luck, and is taken off the result: what is left varies far less,
and its mean is the same.
"""

from __future__ import annotations

from ludus.bots.kernels.learned import (
    LEVELS,
    MOST_PLAYERS,
    best,
    fits,
    net_value,
    set_level,
    value,
)
from ludus.core.compiling.language import Float32s, Floats, Int16s, Int32s, Ints
from ludus.core.kernels.calls import list_moves, make_move, roll, survey_row
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE
from ludus.core.kernels.promises import moves_at, player_count, row_size
from ludus.core.random import stream

LONG = ("rollout_api",)


def take_off(reals: Floats, luck: Floats, players: int, sign: float) -> None:
    """Add the shares of the first level to the luck, or take them off."""
    for seat in range(players):
        luck[seat] += sign * reals[seat]


def play_out(
    root: Ints, tables: Ints, desk: Ints, scratches: Ints,
    net: Floats, shape: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats,
    key: int, horizon: int, adjusted: bool, luck: Floats,
) -> None:  # fmt: skip
    """Play one game on from a row; its shares less the luck stand in `luck` then."""
    set_level(root, tables, desk, scratches)
    row = desk[0 : row_size(tables)]
    scratch = scratches[0 : len(scratches) // LEVELS]
    players = player_count(tables)
    for seat in range(MOST_PLAYERS):
        luck[seat] = 0.0
    decisions, ply = 0, 0
    while row[STAGE] != OVER and (decisions < horizon or row[STAGE] == DECISION):
        ply += 1
        if row[STAGE] == CHANCE:
            if adjusted:
                value(0, 1, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
                take_off(reals, luck, players, 1.0)
            roll(row, tables, scratch, key, ply)
            if adjusted:
                deep = 1 if row[STAGE] == DECISION else 0
                value(0, deep, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
                take_off(reals, luck, players, -1.0)
            decisions += row[STAGE] != DECISION
        else:
            chosen = 0
            if list_moves(row, tables, scratch) > 1:
                chosen = best(0, 1, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
            make_move(row, tables, scratch, scratch[moves_at(tables) + chosen])
            survey_row(row, tables, scratch)
            decisions += 1
    net_value(0, tables, desk, scratches, net, shape, which, amounts, hidden, reals)
    take_off(reals, luck, players, 1.0)


def rollout_api(
    root: Int16s, tables: Ints, desk: Int16s, scratches: Ints,
    net: Float32s, shape: Ints, which: Int32s, amounts: Float32s, hidden: Float32s, reals: Floats,
    seed: int, first: int, games: int, horizon: int, adjusted: bool, luck: Floats, out: Floats,
) -> None:  # fmt: skip
    """Play games on from a row; out: the sums of each seat's shares, then of their squares.

    horizon: how many decisions of anybody; then the net says what the position is worth. adjusted: less the luck.
    """
    assert fits(tables, shape), "the net has too few outputs for this game"
    players = player_count(tables)
    for game in range(games):
        key = stream(seed, first + game)
        play_out(
            root, tables, desk, scratches, net, shape, which, amounts, hidden, reals,
            key, horizon, adjusted, luck,
        )  # fmt: skip
        for seat in range(players):
            out[seat] += luck[seat]
            out[players + seat] += luck[seat] * luck[seat]
