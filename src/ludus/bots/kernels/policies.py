"""Games between bots in compiled code, for every game: policies choose, or somebody outside is asked.

In the kernel language, over a game's kernels (docs/kernels.md). Besides (row, tables, scratch) they take

trial, spare  a row and a scratch on which a policy may try a move
notes         what a policy notes of one decision: 64 fields of its own, then a score for each legal action
desk … reals  what nets work on (learned.py): all weights one after the other, NET_SIZE integers a net in `shapes`
seats         three integers a seat: its policy, the policy's option, its seed
memory        where the games stand (M_*), then a key for each seat, so that a batch can stop and go on
"""

from __future__ import annotations

from ludus.bots.kernels.knowledge import choose_by_net, prepare, score
from ludus.core.compiling.language import Float32s, Floats, Int16s, Int32s, Ints
from ludus.core.kernels.calls import list_moves, make_move, roll, survey_row
from ludus.core.kernels.codes import CHANCE, FIRST, NET, OUTSIDE, OVER, RANDOM, STAGE, TURN
from ludus.core.kernels.promises import begin, captured, moves_at, player_count, report, row_size
from ludus.core.random import below, stream

LONG = ("playouts",)  # other threads run meanwhile

# --- a net among those handed in: its shape (net.py), and where its weights begin ---
NET_FIRST, NET_SIZE = 3, 4

# --- notes ---
N_SCORES = 64

# --- memory: which game of the batch, whether it is under way, and its counts ---
# and whether every seat rolls dice of its own; then a key for each seat's bot, and how often each seat has rolled
(M_GAME, M_UNDER_WAY, M_PLY, M_MOVES, M_CAPTURES, M_KEY, M_OWN_DICE, M_SEAT_KEYS) = range(8)


def choose_by(
    policy: int,
    option: int,
    row: Ints,
    tables: Ints,
    scratch: Ints,
    trial: Ints,
    spare: Ints,
    notes: Ints,
    key: int,
    ply: int,
) -> int:
    """The action that a policy takes; among equals draw number `ply` of its stream decides (H20)."""
    count = list_moves(row, tables, scratch)
    first = moves_at(tables)
    if count == 1 or policy == FIRST:
        return scratch[first]
    if policy == RANDOM:
        return scratch[first + below(key, ply, count)]
    prepare(policy, row, tables, scratch, notes)
    best = 0
    equals = 0
    for number in range(count):
        value = score(policy, option, row, tables, scratch, trial, spare, notes, scratch[first + number])
        notes[N_SCORES + number] = value
        if number == 0 or value > best:
            best = value
            equals = 1
        elif value == best:
            equals += 1
    chosen = below(key, ply, equals) if equals > 1 else 0
    number = 0
    while notes[N_SCORES + number] != best or chosen > 0:
        chosen -= notes[N_SCORES + number] == best
        number += 1
    return scratch[first + number]


def set_out(
    start: Ints, row: Ints, tables: Ints, scratch: Ints, seats: Ints, memory: Ints, seed: int, game: int
) -> None:
    """Put a game at its first position."""
    for at in range(row_size(tables)):
        row[at] = start[at]
    begin(scratch)
    memory[M_UNDER_WAY] = 1
    memory[M_PLY] = 0
    memory[M_MOVES] = 0
    memory[M_CAPTURES] = 0
    memory[M_KEY] = stream(stream(seed, game), 0)
    for seat in range(player_count(tables)):
        memory[M_SEAT_KEYS + seat] = stream(seats[3 * seat + 2], memory[M_KEY])
        memory[M_SEAT_KEYS + player_count(tables) + seat] = 0


def next_roll(row: Ints, tables: Ints, scratch: Ints, memory: Ints, ply: int) -> int:
    """Roll by draw `ply` of the game's stream, or by the next of the seat's own (core/seat_dice.py)."""
    if memory[M_OWN_DICE] == 0:
        return roll(row, tables, scratch, memory[M_KEY], ply)
    seat = int(row[TURN])
    rolls = M_SEAT_KEYS + player_count(tables) + seat
    memory[rolls] += 1
    return roll(row, tables, scratch, stream(memory[M_KEY], 1 + seat), memory[rolls])


def play_on(
    row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints, desk: Ints, scratches: Ints,
    nets: Floats, shapes: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats, seats: Ints,
    memory: Ints, max_plies: int, trace: Ints,
) -> bool:  # fmt: skip
    """Play a game to its end; False where somebody outside has to decide first. Forced moves are made here."""
    survey_row(row, tables, scratch)
    ply = memory[M_PLY]
    waits = False
    while row[STAGE] != OVER and ply < max_plies:
        if row[STAGE] == CHANCE:
            event = next_roll(row, tables, scratch, memory, ply)
        else:
            seat = int(row[TURN])
            policy = seats[3 * seat]
            if policy == OUTSIDE and list_moves(row, tables, scratch) > 1:
                waits = True
                break
            if policy >= NET:
                event = choose_by_net(
                    policy - NET + 1, seats[3 * seat + 1], row, tables, desk, scratches,
                    nets, shapes, which, amounts, hidden, reals,
                )  # fmt: skip
            else:
                event = choose_by(
                    policy if policy != OUTSIDE else FIRST, seats[3 * seat + 1], row, tables, scratch,
                    trial, spare, notes, memory[M_SEAT_KEYS + seat], ply,
                )  # fmt: skip
            make_move(row, tables, scratch, event)
            memory[M_MOVES] += 1
            memory[M_CAPTURES] += captured(scratch)
        if ply < len(trace):
            trace[ply] = event
        ply += 1
    memory[M_PLY] = ply
    return not waits


def playouts(
    start: Int16s, row: Int16s, tables: Ints, scratch: Ints, trial: Int16s, spare: Ints, notes: Ints, desk: Int16s,
    scratches: Ints, nets: Float32s, shapes: Ints, which: Int32s, amounts: Float32s, hidden: Float32s, reals: Floats,
    seats: Ints, memory: Ints, seed: int, first: int, games: int, max_plies: int, width: int, out: Ints, trace: Ints,
) -> bool:  # fmt: skip
    """Games memory[M_GAME] … games - 1 of a batch; False where somebody outside has to decide before it goes on.

    Game i of the batch is the one that bots play from `game.start(seed)` with the seed stream(seed, first + i). A line
    of `report` (`width` integers) per game; trace[ply] is the last game's action or outcome at each ply.
    """
    while memory[M_GAME] < games:
        if memory[M_UNDER_WAY] == 0:
            set_out(start, row, tables, scratch, seats, memory, seed, first + memory[M_GAME])
        if not play_on(
            row, tables, scratch, trial, spare, notes, desk, scratches, nets, shapes, which, amounts, hidden, reals,
            seats, memory, max_plies, trace,
        ):  # fmt: skip
            return False
        at = width * memory[M_GAME]
        report(row, tables, scratch, memory[M_MOVES], memory[M_CAPTURES], memory[M_PLY], out, at)
        memory[M_UNDER_WAY] = 0
        memory[M_GAME] += 1
    return True
