"""Search for every game: expectimax with exact chance, and Monte Carlo tree search with chance nodes of its own.

In the kernel language, over a game's kernels (docs/kernels.md). Values are shares: a number in [0, 1] for
each seat, which add up to 1; everybody chooses what is best for the own seat (max^n). Besides the arrays of
policies.py they take

root   the row that is searched; `row` is the one that is played on
plan   what to do (P_*) and, after a call, what was done
ints   the tree of Monte Carlo search, or the rows and the cache of expectimax
reals  values beside them
"""

from __future__ import annotations

from math import sqrt

from ludus.bots.kernels.choices import choose_rows_api
from ludus.bots.kernels.knowledge import evaluate, prepare, score
from ludus.bots.kernels.policies import choose_by, playouts
from ludus.bots.kernels.tree import (
    E_ACTION,
    E_CHILD,
    E_VISITS,
    EDGE_SIZE,
    MOST_DEEP,
    N_COUNT,
    N_FIRST,
    NODE_SIZE,
    P_DEPTH,
    P_DONE,
    P_HORIZON,
    P_LOOKED,
    P_MOST_EDGES,
    P_MOST_NODES,
    P_PLIES,
    P_POLICY,
    P_SEED,
    P_SIMULATIONS,
    P_SLOTS,
    P_WIDEST,
    add_node,
    order_moves,
    set_root,
    shares,
)
from ludus.bots.kernels.unfolding import find, simulate_exactly
from ludus.core.compiling.language import Floats, Int16s, Ints
from ludus.core.kernels.calls import list_moves, make_move, roll, set_chance, survey_row
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.kernels.promises import (
    moves_at,
    outcome_count,
    outcome_weight,
    player_count,
    row_size,
)
from ludus.core.random import ROUND_1, ROUND_2, WORD, stream

LONG = ("playouts", "expectimax_api", "simulate_api", "unfold_api")  # other threads run meanwhile
# this module's entries, games between bots among them, and what bots ask of it where it is interpreted
__all__ = [
    "choose_rows_api",
    "evaluate",
    "expectimax_api",
    "playouts",
    "prepare",
    "score",
    "simulate_api",
    "unfold_api",
]

# --- a frame of expectimax: what is under way at a level ---
(F_STAGE, F_MOVER, F_NEXT, F_COUNT, F_DEPTH, F_WEIGHT, F_WHOLE, F_SLOT, F_MARK, FRAME_SIZE) = range(10)


# ---------------------------------------------------------------- expectimax


def save_row(row: Ints, tables: Ints, ints: Ints, level: int) -> None:
    """Keep the row of a level."""
    size = row_size(tables)
    for at in range(size):
        ints[level * size + at] = row[at]


def load_row(row: Ints, tables: Ints, scratch: Ints, ints: Ints, level: int) -> None:
    """Take back the row of a level."""
    size = row_size(tables)
    for at in range(size):
        row[at] = ints[level * size + at]
    survey_row(row, tables, scratch)


def slot_of(row: Ints, tables: Ints, plan: Ints, ints: Ints, level: int, depth: int) -> int:
    """Where the cache holds a position at a depth, or -1; the frame notes where it belongs."""
    first, second = 0x5BD1E995 ^ depth, 0x3C6EF372 + depth
    for at in range(row_size(tables)):
        value = int(row[at]) & WORD
        first = ((first ^ value) * ROUND_1) & WORD
        first ^= first >> 15
        second = (((second + value) & WORD) * ROUND_2) & WORD
        second ^= second >> 13
    place = first % plan[P_SLOTS]
    mark = (first >> 8) | (second << 24) | 1
    frame = frame_of(tables, level)
    ints[frame + F_SLOT] = place
    ints[frame + F_MARK] = mark
    return place if ints[cache_at(tables) + place] == mark else -1


def frame_of(tables: Ints, level: int) -> int:
    """Where the frame of a level stands, after the rows of all levels."""
    return MOST_DEEP * row_size(tables) + level * FRAME_SIZE


def cache_at(tables: Ints) -> int:
    """Where the cache stands, after the frames."""
    return MOST_DEEP * (row_size(tables) + FRAME_SIZE)


def choices_at(tables: Ints, plan: Ints, level: int) -> int:
    """Where the moves of a level stand, after the cache."""
    return cache_at(tables) + plan[P_SLOTS] + level * plan[P_WIDEST]


def is_settled(
    row: Ints, tables: Ints, scratch: Ints, notes: Ints, plan: Ints, ints: Ints, reals: Floats, level: int
) -> bool:
    """Whether a position needs no look ahead: over, as deep as asked, or in the cache. Its value is then there."""
    players = player_count(tables)
    depth = ints[frame_of(tables, level) + F_DEPTH]
    plan[P_LOOKED] += 1
    if row[STAGE] == OVER or depth == 0 or level >= MOST_DEEP - 2:
        shares(row, tables, scratch, notes, reals, level * players)
        return True
    place = slot_of(row, tables, plan, ints, level, depth)
    if place >= 0:
        for seat in range(players):
            reals[level * players + seat] = reals[(MOST_DEEP + place) * players + seat]
    return place >= 0


def open_frame(
    row: Ints,
    tables: Ints,
    scratch: Ints,
    trial: Ints,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    ints: Ints,
    reals: Floats,
    level: int,
) -> None:
    """Begin a level: its row, and what comes next in it, outcomes or moves in the heuristic's order."""
    players = player_count(tables)
    frame = frame_of(tables, level)
    save_row(row, tables, ints, level)
    ints[frame + F_NEXT] = 0
    ints[frame + F_STAGE] = row[STAGE]
    ints[frame + F_MOVER] = row[TURN]
    for seat in range(players):
        reals[level * players + seat] = 0.0 if row[STAGE] == CHANCE else -1.0
    if row[STAGE] == CHANCE:
        ints[frame + F_COUNT] = outcome_count(row, tables, scratch)
        ints[frame + F_WHOLE] = 0
        for outcome in range(ints[frame + F_COUNT]):
            ints[frame + F_WHOLE] += outcome_weight(row, tables, scratch, outcome)
        return
    count = list_moves(row, tables, scratch)
    ints[frame + F_COUNT] = order_moves(row, tables, scratch, trial, spare, notes, count, plan[P_WIDEST])
    for number in range(ints[frame + F_COUNT]):
        ints[choices_at(tables, plan, level) + number] = scratch[moves_at(tables) + number]


def step_down(row: Ints, tables: Ints, scratch: Ints, plan: Ints, ints: Ints, level: int) -> None:
    """Play what comes next in a level; the level below it looks as deep, or one decision less."""
    frame = frame_of(tables, level)
    number = ints[frame + F_NEXT]
    depth = ints[frame + F_DEPTH]
    if ints[frame + F_STAGE] == CHANCE:
        ints[frame + F_WEIGHT] = outcome_weight(row, tables, scratch, number)
        set_chance(row, tables, scratch, number)
        depth -= row[STAGE] == CHANCE  # a roll that came to nothing must not go on for ever
    else:
        make_move(row, tables, scratch, ints[choices_at(tables, plan, level) + number])
        depth -= 1
    ints[frame + F_NEXT] = number + 1
    ints[frame_of(tables, level + 1) + F_DEPTH] = depth


def take_up(tables: Ints, plan: Ints, ints: Ints, reals: Floats, level: int) -> bool:
    """Take the value below into a level; whether the level is done, which puts it into the cache."""
    players = player_count(tables)
    frame = frame_of(tables, level)
    here, below = level * players, (level + 1) * players
    mover = ints[frame + F_MOVER]
    done = ints[frame + F_NEXT] == ints[frame + F_COUNT]
    if ints[frame + F_STAGE] == CHANCE:
        share = ints[frame + F_WEIGHT] / ints[frame + F_WHOLE]
        for seat in range(players):
            reals[here + seat] += share * reals[below + seat]
    elif reals[below + mover] > reals[here + mover]:
        for seat in range(players):
            reals[here + seat] = reals[below + seat]
        done = done or reals[here + mover] >= 1.0  # nothing is better than to win
    if done:
        place = ints[frame + F_SLOT]
        ints[cache_at(tables) + place] = ints[frame + F_MARK]
        for seat in range(players):
            reals[(MOST_DEEP + place) * players + seat] = reals[here + seat]
    return done


def look(
    first: int,
    row: Ints,
    tables: Ints,
    scratch: Ints,
    trial: Ints,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    ints: Ints,
    reals: Floats,
) -> None:
    """Value the position on the row at reals[first…]; the frame of level `first` says how deep to look.

    No recursion: how deep it goes is data, and the stack of a thread is not.
    """
    level = first
    while True:
        if is_settled(row, tables, scratch, notes, plan, ints, reals, level):
            level -= 1
            while level >= first and take_up(tables, plan, ints, reals, level):
                level -= 1
            if level < first:
                return
            load_row(row, tables, scratch, ints, level)
        else:
            open_frame(row, tables, scratch, trial, spare, notes, plan, ints, reals, level)
        step_down(row, tables, scratch, plan, ints, level)
        level += 1


def expectimax(
    root: Ints,
    row: Ints,
    tables: Ints,
    scratch: Ints,
    trial: Ints,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    ints: Ints,
    reals: Floats,
    out: Floats,
) -> None:
    """The value of each legal move for the player that decides, at out[…] in the order of the list."""
    players = player_count(tables)
    set_root(root, row, tables, scratch)
    count = list_moves(row, tables, scratch)
    start = choices_at(tables, plan, MOST_DEEP)
    for number in range(count):
        ints[start + number] = scratch[moves_at(tables) + number]
    save_row(row, tables, ints, 0)
    mover = int(row[TURN])
    for number in range(count):
        if number:
            load_row(row, tables, scratch, ints, 0)
        make_move(row, tables, scratch, ints[start + number])
        ints[frame_of(tables, 1) + F_DEPTH] = plan[P_DEPTH] - 1
        look(1, row, tables, scratch, trial, spare, notes, plan, ints, reals)
        out[number] = reals[players + mover]


# ---------------------------------------------------------------- Monte Carlo tree search


def grow(
    row: Ints,
    tables: Ints,
    scratch: Ints,
    trial: Ints,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    ints: Ints,
    reals: Floats,
    widest: int,
) -> int:
    """A new node for the row, with an edge for each of its best moves or for each outcome; -1 where it does not fit."""
    count = 0
    if row[STAGE] == CHANCE:
        count = outcome_count(row, tables, scratch)
    elif row[STAGE] == DECISION:
        count = list_moves(row, tables, scratch)
        count = order_moves(row, tables, scratch, trial, spare, notes, count, widest)
    return add_node(row, tables, scratch, plan, ints, reals, count)


def most_promising(plan: Ints, ints: Ints, reals: Floats, node: int, exploration: float) -> int:
    """The edge of a decision that promises most to its decider: what came back, and what is little known."""
    at = node * NODE_SIZE
    edges = plan[P_MOST_NODES] * NODE_SIZE
    first, count = ints[at + N_FIRST], ints[at + N_COUNT]
    visits = 0
    returned = 0.0
    for edge in range(first, first + count):
        visits += ints[edges + edge * EDGE_SIZE + E_VISITS]
        returned += reals[2 * edge + 1]
    usual = returned / visits if visits else 0.5
    curious = exploration * sqrt(visits + 1.0)
    best = first
    highest = -1.0
    for edge in range(first, first + count):
        tried = ints[edges + edge * EDGE_SIZE + E_VISITS]
        value = reals[2 * edge + 1] / tried if tried else usual
        value += curious * reals[2 * edge] / (1 + tried)
        if value > highest:
            highest = value
            best = edge
    return best


def next_outcome(row: Ints, tables: Ints, scratch: Ints, plan: Ints, ints: Ints, node: int) -> int:
    """The edge of the outcome that has come least often for its weight: the same shares as dice, and less noise.

    The first of a node's rounds begins where its number says, so that no face is first everywhere.
    """
    first, count = ints[node * NODE_SIZE + N_FIRST], ints[node * NODE_SIZE + N_COUNT]
    edges = plan[P_MOST_NODES] * NODE_SIZE
    best = first
    least = -1.0
    for number in range(count):
        edge = first + (number + node) % count
        weight = outcome_weight(row, tables, scratch, edge - first)
        share = (ints[edges + edge * EDGE_SIZE + E_VISITS] + 0.5) / max(weight, 1)
        if weight > 0 and (least < 0.0 or share < least):
            least = share
            best = edge
    return best


def play_out(
    row: Ints,
    tables: Ints,
    scratch: Ints,
    trial: Ints,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    key: int,
    ply: int,
    policy: int,
    horizon: int,
) -> None:
    """Play on by a policy to the end, or as far as the horizon."""
    end = ply + horizon
    while row[STAGE] != OVER and ply < end:
        if row[STAGE] == CHANCE:
            roll(row, tables, scratch, key, ply)
        else:
            action = choose_by(policy, 0, row, tables, scratch, trial, spare, notes, key, ply)
            make_move(row, tables, scratch, action)
        ply += 1
    plan[P_PLIES] += ply


def simulate(
    root: Ints, row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints, plan: Ints, ints: Ints,
    reals: Floats, exploration: float,
) -> None:  # fmt: skip
    """One simulation: down the tree, one new node, a playout, and what it gave to every edge on the way."""
    set_root(root, row, tables, scratch)
    edges = plan[P_MOST_NODES] * NODE_SIZE
    path = edges + plan[P_MOST_EDGES] * EDGE_SIZE
    key = stream(plan[P_SEED], plan[P_DONE])
    node = 0
    ply = 0
    while node >= 0 and row[STAGE] != OVER and ply < MOST_DEEP:
        if row[STAGE] == CHANCE:
            edge = next_outcome(row, tables, scratch, plan, ints, node)
            set_chance(row, tables, scratch, edge - ints[node * NODE_SIZE + N_FIRST])
            ints[path + 2 * ply + 1] = -1
        else:
            edge = most_promising(plan, ints, reals, node, exploration)
            ints[path + 2 * ply + 1] = row[TURN]
            make_move(row, tables, scratch, ints[edges + edge * EDGE_SIZE + E_ACTION])
        ints[path + 2 * ply] = edge
        ply += 1
        child = ints[edges + edge * EDGE_SIZE + E_CHILD]
        if child < 0:
            child = grow(row, tables, scratch, trial, spare, notes, plan, ints, reals, plan[P_WIDEST])
            ints[edges + edge * EDGE_SIZE + E_CHILD] = child
            break
        node = child
    play_out(row, tables, scratch, trial, spare, notes, plan, key, ply, plan[P_POLICY], plan[P_HORIZON])
    values = 2 * plan[P_MOST_EDGES]
    shares(row, tables, scratch, notes, reals, values)
    for at in range(path, path + 2 * ply, 2):
        ints[edges + ints[at] * EDGE_SIZE + E_VISITS] += 1
        if ints[at + 1] >= 0:
            reals[2 * ints[at] + 1] += reals[values + ints[at + 1]]
    plan[P_DONE] += 1


# ---------------------------------------------------------------- entries: each is compiled when it is first asked for


def expectimax_api(
    root: Int16s,
    row: Int16s,
    tables: Ints,
    scratch: Ints,
    trial: Int16s,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    ints: Ints,
    reals: Floats,
    out: Floats,
) -> None:
    """The value of each legal move by expectimax, at out[…] in the order of the list."""
    expectimax(root, row, tables, scratch, trial, spare, notes, plan, ints, reals, out)


def simulate_api(
    root: Int16s,
    row: Int16s,
    tables: Ints,
    scratch: Ints,
    trial: Int16s,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    ints: Ints,
    reals: Floats,
    exploration: float,
) -> None:
    """As many more simulations with playouts as the plan says; a tree that has been begun is gone on with."""
    if plan[P_DONE] == 0:
        set_root(root, row, tables, scratch)
        grow(row, tables, scratch, trial, spare, notes, plan, ints, reals, plan[P_MOST_EDGES])
    end = plan[P_DONE] + plan[P_SIMULATIONS]
    while plan[P_DONE] < end:
        simulate(root, row, tables, scratch, trial, spare, notes, plan, ints, reals, exploration)


def unfold_api(
    root: Int16s,
    row: Int16s,
    tables: Ints,
    scratch: Ints,
    trial: Int16s,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    ints: Ints,
    reals: Floats,
    exploration: float,
) -> None:
    """The same without playouts, by every roll until the decider's next decision (unfolding.py)."""
    if plan[P_DONE] == 0:
        set_root(root, row, tables, scratch)
        find(row, tables, scratch, trial, spare, notes, plan, ints, reals, plan[P_MOST_EDGES])
        plan[P_DONE] = 0
    end = plan[P_DONE] + plan[P_SIMULATIONS]
    while plan[P_DONE] < end:
        simulate_exactly(root, row, tables, scratch, trial, spare, notes, plan, ints, reals, exploration)
