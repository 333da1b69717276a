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
from ludus.core.kernels.codes import CHANCE, OVER, STAGE, TURN
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
# NEXT: play the action; begin a game; refuse until somebody resets; stay as it is while others are reset; go on from
# a row that somebody has put there
PLAYS, BEGINS, WAITS, RESTS, RESUMES = range(5)
# --- what follows the end of a game, as Gymnasium names it ---
NEXT_STEP, SAME_STEP, DISABLED = range(3)

INLINED = ("first_refused", "begin", "roll_on", "forget_end", "show", "step_game")


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


def note_end(
    row: Ints, tables: Ints, scratch: Ints, rewards: Floats, ends: Ints, game: int, games: int, is_over: bool
) -> None:  # fmt: skip
    """A game has ended, or is cut off."""
    ends[game if is_over else games + game] = 1
    if is_over:
        pay(row, tables, scratch, rewards, game * player_count(tables))


def step_game(
    start: Ints, row: Ints, tables: Ints, scratch: Ints, state: Ints, actions: Ints, samples: Ints, finals: Floats,
    rewards: Floats, ends: Ints, game: int, games: int, after_end: int, longest: int, features: int,
) -> int:  # fmt: skip
    """Play on in one game until whoever is asked decides, or it ends; returns how many actions are legal then."""
    at = game * FIELDS
    key, learner, following = state[at + KEY], state[at + LEARNER], state[at + NEXT]
    draws, length, action = state[at + DRAWS], state[at + LENGTH] + 1, actions[game]
    scan(row, tables, scratch)
    while True:
        if following == PLAYS:
            apply(row, tables, scratch, action)
            draws += 1
        else:
            if following == BEGINS:
                begin(start, row, tables, scratch)
                length = 0
            following = PLAYS
            state[at + NEXT] = PLAYS
        draws = roll_on(row, tables, scratch, key, draws)
        count = 0
        if row[STAGE] != OVER:
            count = legal(row, tables, scratch)
            action = scratch[moves_at(tables) + below(key, draws, count)]
            if learner != EVERYBODY and row[TURN] != learner:
                continue
            if length != longest:
                break
        note_end(row, tables, scratch, rewards, ends, game, games, count == 0)
        if after_end != SAME_STEP:
            state[at + NEXT] = BEGINS if after_end == NEXT_STEP else WAITS
            break
        look_back(row, tables, scratch, row[TURN] if learner == EVERYBODY else learner, finals, game * features)
        following = BEGINS
    state[at + DRAWS] = draws
    state[at + LENGTH] = length
    samples[game] = action
    return count


def step_api(
    start: Int16s, rows: Int16s, tables: Ints, scratch: Ints, state: Ints, actions: Ints, samples: Ints,
    seen: Float32s, finals: Float32s, masks: UInt8s, rewards: Float32s, ends: UInt8s, turns: Ints,
    games: int, after_end: int, longest: int,
) -> int:  # fmt: skip
    """One step of every game; -1, or the number of a game whose action is not legal: then nothing has changed.

    Games are cut off after `longest` steps; never, where it is negative.
    """
    size, features, stride = len(masks) // games, len(seen) // games, row_size(tables)
    refused = first_refused(state, actions, masks, games, size)
    if refused >= 0:
        return refused
    for game in range(games):
        if state[game * FIELDS + NEXT] == RESTS:
            continue
        row = rows[game * stride : (game + 1) * stride]
        forget_end(ends, rewards, game, games, player_count(tables))
        count = step_game(
            start, row, tables, scratch, state, actions, samples, finals, rewards, ends,
            game, games, after_end, longest, features,
        )  # fmt: skip
        learner = state[game * FIELDS + LEARNER]
        decider = row[TURN] if learner == EVERYBODY else learner
        turns[game] = decider
        show(row, tables, scratch, decider, count, seen, game * features, masks, game * size, size)
        if count == 0 and after_end == NEXT_STEP:
            masks[(game + 1) * size - 1] = 1  # the next step ignores the action, so there is a legal one: the last
    return -1
