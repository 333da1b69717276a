"""Many games of one kind, stepped together: the kernel behind `ludus.envs.vector`.

Generic over games (promises.py). All arrays are flat, one slice a game:

rows              the games; one scratch serves them all, because a scratch for each would be fetched from far away
state             FIELDS integers a game: its random stream, draws so far, moves so far, who learns, what the next
                  step does
actions           in: what the deciders play; `samples` out: what a uniform random policy plays next
seen, masks       out: what each decider sees, and its legal actions
rewards, ends     out: what each seat got in this step; terminated, then truncated, a byte a game

A random policy draws from the game's own stream with the number of the ply, as `playouts` do: game number i of a
batch, played by the samples, is game number i of the playouts under the same seed.
"""

from __future__ import annotations

from ludus.core.compiling.language import Float32s, Floats, Int16s, Ints, UInt8s
from ludus.core.engine import CHANCE, OVER, STAGE, TURN
from ludus.core.kernels.promises import (
    apply,
    chance,
    draw_chance,
    legal,
    mark_legal,
    moves_at,
    observe,
    player_count,
    prize,
    row_size,
    scan,
)
from ludus.core.random import below

LONG = ("step_api",)  # other threads run meanwhile

# --- a game's state ---
KEY, DRAWS, LENGTH, LEARNER, NEXT, FIELDS = range(6)
EVERYBODY = -1  # LEARNER where every seat's decision is a step
# NEXT: play the action; begin a game; refuse until somebody resets; stay as it is while others are reset
PLAYS, BEGINS, WAITS, RESTS = range(4)
# --- what follows the end of a game, as Gymnasium names it ---
NEXT_STEP, SAME_STEP, DISABLED = range(3)

INLINED = ("first_refused", "begin", "roll_on", "forget_end", "show")


def first_refused(state: Ints, actions: Ints, masks: Ints, games: int, size: int) -> int:
    """The first game that can't play its action, or -1."""
    for game in range(games):
        following = state[game * FIELDS + NEXT]
        if following == PLAYS:
            action = actions[game]
            if action < 0 or action >= size or masks[game * size + action] == 0:
                return game
        elif following == WAITS:
            return game
    return -1


def begin(start: Ints, row: Ints, tables: Ints, scratch: Ints) -> None:
    """The first position."""
    for at in range(row_size(tables)):
        row[at] = start[at]
    scan(row, tables, scratch)


def roll_on(row: Ints, tables: Ints, scratch: Ints, key: int, draws: int) -> int:
    """Let chance act until somebody decides or the game is over; returns the number of the next draw."""
    while row[STAGE] == CHANCE:
        chance(row, tables, scratch, draw_chance(row, tables, scratch, key, draws))
        draws += 1
    return draws


def pay(row: Ints, tables: Ints, scratch: Ints, rewards: Floats, at: int) -> None:
    """What every seat gets of a game that is over."""
    for seat in range(player_count(tables)):
        rewards[at + seat] = prize(row, tables, scratch, seat)


def forget_end(ends: Ints, rewards: Floats, game: int, games: int, players: int) -> None:
    """The end of the step before, and its rewards, are history."""
    if ends[game] | ends[games + game]:
        ends[game] = 0
        ends[games + game] = 0
        for seat in range(players):
            rewards[game * players + seat] = 0.0


def show(
    row: Ints, tables: Ints, scratch: Ints, seat: int, count: int,
    seen: Floats, seen_at: int, masks: Ints, mask_at: int, size: int,
) -> None:  # fmt: skip
    """Write what the decider sees, and its legal actions; none where the game has ended."""
    if count:
        mark_legal(row, tables, scratch, count, masks, mask_at)
    else:
        for index in range(mask_at, mask_at + size):
            masks[index] = 0
    observe(row, tables, scratch, seat, seen, seen_at)


def look_back(row: Ints, tables: Ints, scratch: Ints, seat: int, finals: Floats, at: int) -> None:
    """What a seat saw of a game that has ended; a call, because games seldom end."""
    observe(row, tables, scratch, seat, finals, at)


def step_api(
    start: Int16s, rows: Int16s, tables: Ints, scratch: Ints, state: Ints, actions: Ints, samples: Ints,
    seen: Float32s, finals: Float32s, masks: UInt8s, rewards: Float32s, ends: UInt8s, turns: Ints,
    games: int, after_end: int, longest: int,
) -> int:  # fmt: skip
    """One step of every game; -1, or the number of a game whose action is not legal: then nothing has changed.

    Games are cut off after `longest` steps; never, where it is negative.
    """
    size, features = len(masks) // games, len(seen) // games
    stride, players = row_size(tables), player_count(tables)
    refused = first_refused(state, actions, masks, games, size)
    if refused >= 0:
        return refused
    for game in range(games):
        row = rows[game * stride : (game + 1) * stride]
        at = game * FIELDS
        if state[at + NEXT] == RESTS:
            continue
        key, draws, learner = state[at + KEY], state[at + DRAWS], state[at + LEARNER]
        length = state[at + LENGTH] + 1
        begins = state[at + NEXT] == BEGINS
        forget_end(ends, rewards, game, games, players)
        action = actions[game]
        scan(row, tables, scratch)
        while True:
            if begins:
                begin(start, row, tables, scratch)
                length = 0
                begins = False
                state[at + NEXT] = PLAYS
            else:
                apply(row, tables, scratch, action)
                draws += 1
            draws = roll_on(row, tables, scratch, key, draws)
            count = 0
            if row[STAGE] != OVER:
                count = legal(row, tables, scratch)
                action = scratch[moves_at(tables) + below(key, draws, count)]
                if learner != EVERYBODY and row[TURN] != learner:
                    continue
                if length != longest:
                    break
            ends[game if count == 0 else games + game] = 1
            if count == 0:
                pay(row, tables, scratch, rewards, game * players)
            if after_end != SAME_STEP:
                state[at + NEXT] = BEGINS if after_end == NEXT_STEP else WAITS
                break
            decider = row[TURN] if learner == EVERYBODY else learner
            look_back(row, tables, scratch, decider, finals, game * features)
            begins = True
        state[at + DRAWS] = draws
        state[at + LENGTH] = length
        samples[game] = action
        decider = row[TURN] if learner == EVERYBODY else learner
        turns[game] = decider
        show(row, tables, scratch, decider, count, seen, game * features, masks, game * size, size)
    return -1
