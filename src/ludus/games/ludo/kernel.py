"""The rules of Ludo, of every Ludo: the only statement of them.

Plain functions over flat integers in the kernel language (docs/kernels.md). Arguments, always in this order:

row      one game, in small integers: the fixed fields below, then the vectors whose offsets the tables give
tables   one rule set with its seats, compiled from the document by board/: header fields, tables, banks of rules
scratch  what can be worked out again: occupancy, blocks, the legal moves, what the last move did

Pieces stand on nodes. A roll gives tokens: a token is a distance or an effect, and a move is (piece, token or set of
tokens, way). Where several ways lead on from a tile, each is a move. The tables say for every rule bank, colour, node
and token where each way ends; boards, dice, cowries and cards are nothing but that here.

Rules that change during a game stand in banks, one for each combination of changes that hold for a colour (L2);
capture before home (Z10) is such a change. `bank_of` gives where a colour's bank begins; the fields O_* and the tables
B_* are counted from there. Where a game has one token at a time it waits in row[TOKEN], else in a pool.

A tile's occupancy is one integer, four bits a side, so that a question about a tile is one `&`. Blocks are bit sets
over the tiles, 62 a word. Where tables[TRACKED], every move keeps both up to date in the scratch; else (with one token
at a time only) they are counted from the row when they are asked for: so a batch of games needs only its rows.
Nothing here knows a word of any language: reasons are codes (WHY_*), and so are the events that a move writes (E_*).
"""

from __future__ import annotations

from collections.abc import MutableSequence

from ludus.core.compiling.language import Int16s, Ints
from ludus.core.random import below

# what most plies run through: the compiler inlines these
INLINED = (
    "slot", "stands_on", "count_on", "count_in_play", "bank_of", "home_count", "is_home", "partner", "mover",
    "moved_by", "settle", "put", "occupancy", "pairs_of", "look_ahead", "stops_at", "waiting", "use_token",
    "way_index", "way_is_stopped", "may_stand", "target_of", "reach", "meets", "meet", "land", "stand_on_square",
    "next_seat", "clear_turn", "clear_pool", "pass_turn_on", "roll", "chance", "draw_chance",
    "way_of", "number_of", "turned_of", "is_step", "seat_on_from", "seat_of_action", "piece_of_step",
    "piece_of_action", "first_on_its_node",
    "first_free_on_its_node", "is_frozen", "list_one_plain", "list_moves", "keep_legal", "legal", "play_step", "apply",
    "go_on", "play_at_random", "set_size", "set_total", "combined_reach", "survey", "note_number", "tell",
    "seat_after", "seen_at", "observe_pieces", "observe_seats", "observe_tokens", "observe_turn", "observe_by_index",
    "observe", "mark_legal",
)  # fmt: skip

# --- the row: fixed fields, then pieces, then the vectors at tables[R_*] ---
(
    STAGE, TURN, TOKEN, AGAIN, SIXES, ROLLS, REVERSED, TURNS, ROLLOFF_IN, PLACED, UNBLOCKED, PIECE_0,
) = range(12)  # fmt: skip
OVER, CHANCE, DECISION = 0, 1, 2
LOT = -1  # in ROLLOFF_IN: who begins is drawn by lot

# --- the tables: header ---
(
    # the board
    PLAYERS, PIECES, TILES, END, FINISH, START, HELD, NODES, WORDS, SIDES, KINDS, WAYS, MOVERS, SPOTS, TURNED,
    # what the whole game has or has not
    SINGLE, POOLED, PLAIN, TRACKED, BANKED, BLOCKS, JUMPS, SQUARES, SWAPS, HOLDS, BONUSES, REVERSES, SKIPS, ROLLS_OFF,
    EVEN, FREEZES, TEAMS, MAY_MOVE, HOME_IS_LANE, NEEDED, PLAY_ON, RANKS, LAST_OUT, SCORE, HOME_POINTS, CAPTURE_POINTS,
    TURN_LIMIT, COUNT_TURNS, BACKWARDS, ZERO_SUM, DECK, CHANGES, CAPTURE_CAP, LOST_CAP, HOME_BIT, SIXES_STAY,
    # moves with several tokens
    COMBINED, GO_ON, SPECIAL, FORCED, LEAVER, LEAVERS, SETS,
    # actions
    A_OUT, A_ON, A_BUY, A_SPECIAL, A_SWAP, A_PASS,
    # where the row has its vectors
    R_POOL, R_CAPTURES, R_LOST, R_CHANGED, R_SKIP, R_SUM, R_PLACE, R_SCORE, R_DECK, R_FROZEN, R_SIXES, ROW_SIZE,
    # tables
    T_SIDE, T_ENEMIES, T_ENTRY, T_KIND, T_CHANGE, T_BACK, T_ON, T_CARDS, T_ADVANCE, WHOLE_WAY, T_BIT, T_SEEN, PLACES,
    T_SET, T_SET_OF_KEY, T_STRIDE, T_MOST, T_LEAVER, MOST_TOTAL,
    # banks: where the first begins, how long each is, and where in each its tables are
    T_BANK, BANK_SIZE, B_TARGET, B_MASK, B_TRACK, B_TRACKS, B_JUMP, B_BLOCKABLE, B_GUARD, B_SQUARE, B_OUTCOME, B_TOKEN,
    B_POINT, B_NEXT, B_AHEAD,
    # where the scratch has its vectors
    S_PAIR, S_STOP, S_SURVEY, S_NUMBER, S_MOVES, S_EVENTS,
    HEADER,
) = range(117)  # fmt: skip

# what a batch of games sets otherwise, and as which field: a pool of tokens asks about too many tiles to count them
IN_BATCHES = {TRACKED: POOLED}

# --- a bank: its options, then its tables ---
(
    O_STOPS, O_SHARE_OWN, O_PASSING, O_STACK_PUNISHES, O_ENTRY_RULE, O_CAPTURE_BY, O_TO, O_BACK, O_COMPULSORY,
    O_CLEAR_ENTRY, O_CAPTURE_DUTY, O_UNBLOCK_DUTY, O_AGAIN_CAPTURE, O_AGAIN_FINISH, O_SIXES_LIMIT, O_SIX_STAYS,
    O_ATTEMPTS, O_MAY_PASS, O_CAPTURE_BONUS, O_FINISH_BONUS, O_OUTCOMES, O_WEIGHT, O_POINTS,
    O_SIZE,
) = range(24)  # fmt: skip

# --- an outcome of chance ---
(
    F_WEIGHT, F_AGAIN, F_COUNTS, F_LEAVES, F_TOTAL, F_LOST, F_SKIP, F_SKIP_NEXT, F_REVERSE, F_KEEP, F_FIRST, F_TOKENS,
    F_SIZE,
) = range(13)  # fmt: skip
AGAIN_IF_PLAYED, AGAIN_ANYWAY = 1, 2

# --- a kind of token: its effect, whose piece it moves, how far, whether it may be part of a combined move ---
K_EFFECT, K_WHOSE, K_DISTANCE, K_COMBINES, K_SIZE = range(5)
STEP, SWAP, OUT = 0, 1, 2
OWN, OTHERS, ANY = 0, 1, 2
MOVE_OWN, MOVE_TEAM, MOVE_ALL = 0, 1, 2

# --- a set of tokens that one move may use: how many, their sum, then how many of each kind ---
N_SIZE, N_TOTAL, N_COUNTS = 0, 1, 2

# --- a change: what is counted, how many, which node, for everybody ---
C_WHEN, C_AT_LEAST, C_NODE, C_ALL, C_SIZE = range(5)
BY_CAPTURES, BY_LOST, BY_HOME, BY_TURNS, BY_TILE = 0, 1, 2, 3, 4

# --- scratch: fixed fields, then occupancy, then the vectors at tables[S_*] ---
(
    COUNT, FRESH, CAPTURES, HOMECOMING, GAME_TURNS, LANDED, OWNER, MOVABLE, NUMBERS, FIRST_BLOCK, FIRST_SINGLE,
    TO_FINISH, TELLING, EVENTS,
) = range(14)  # fmt: skip
S_OCC = 16

# --- what happened: events of five integers: what, whose piece, which piece, from where, to where ---
(
    E_MOVED, E_CAME_OUT, E_BOUGHT, E_CAPTURED, E_JUMPED, E_BOUNCED, E_SWEPT, E_SENT_HOME, E_SWAPPED, E_CAME_HOME,
    E_BONUS, E_AGAIN, E_SKIPS, E_REVERSED, E_CHANGED, E_LOST_TOKENS, E_PLACED, E_TURN_PASSED, E_OVER,
) = range(19)  # fmt: skip
# every piece of 8 seats with 8 pieces may be captured, and bring a bonus, in one move
EVENT_SIZE, MOST_EVENTS = 5, 160
# why the turn passed on (the `to` of E_TURN_PASSED)
TURN_PLAYED, TURN_NO_MOVE, TURN_IN_A_ROW, TURN_LOST_BY_ROLL, TURN_LOST_REST = range(5)

# --- a way's end: a node, and whether it was reached by bouncing off the finish ---
NODE, BOUNCED = 1023, 1024
TWO_OR_MORE = 0xEEEEEEEE
TILES_PER_WORD = 62
NEVER = 9999
SUM_IS_THERE = 1000  # a roll-off sum is kept with this added: 0 is one that has not been rolled

# --- option codes ---
STOPS_OPPONENTS, STOPS_ALL = 1, 2
OWNER_SHARES, OWNER_PUNISHES = 1, 2
GUARD_SHARED, GUARD_PUNISHES = 1, 2
BY_LANDING, BY_PASSING, BY_SWEEP, BY_NOTHING = 0, 1, 2, 3
COMBINE_JUMP, COMBINE_SWEEP = 1, 2
TO_START, TO_CAPTOR, TO_BACK = 0, 1, 2
SQUARE_AGAIN, SQUARE_MISS, SQUARE_ROUND, SQUARE_HOME = 1, 2, 4, 8
FREE, TAKES, PUNISHED = 0, 1, 2

# --- why a move is not legal ---
(
    LEGAL, WHY_NEEDS_FACE, WHY_FINISHED, WHY_BLOCKED, WHY_ENTRY_BLOCKED, WHY_PAST_FINISH, WHY_OWN_PIECE, WHY_PASSES_OWN,
    WHY_MUST_CLEAR_ENTRY, WHY_MUST_COME_OUT, WHY_MUST_MOVE, WHY_NO_SUCH_DIE, WHY_FROZEN, WHY_HELD,
    WHY_PAST_FINISH_COMBINED, WHY_MUST_COMBINE, WHY_MUST_GO_ON, WHY_MUST_UNBLOCK, WHY_NO_SPECIAL,
    WHY_SPECIAL_NEEDS_SIXES, WHY_SPECIAL_NEEDS_PIECES, WHY_NOBODY_TO_BUY, WHY_BUY_NEEDS_SIX, WHY_NOBODY_IN_YARD,
    WHY_OUT_NEEDS_FACE, WHY_NOT_MOVED_BY_YOU, WHY_NO_WAY, WHY_NO_SUCH_WAY, WHY_NO_SWAP, WHY_MUST_CAPTURE,
) = range(30)  # fmt: skip


# ---------------------------------------------------------------- telling what happens


def tell(tables: Ints, scratch: Ints, what: int, seat: int, piece: int, origin: int, target: int) -> None:
    """Note an event, where somebody listens."""
    if scratch[TELLING] and scratch[EVENTS] < MOST_EVENTS:
        at = tables[S_EVENTS] + scratch[EVENTS] * EVENT_SIZE
        scratch[at] = what
        scratch[at + 1] = seat
        scratch[at + 2] = piece
        scratch[at + 3] = origin
        scratch[at + 4] = target
        scratch[EVENTS] += 1


# ---------------------------------------------------------------- who stands where


def slot(tables: Ints, seat: int, piece: int) -> int:
    """Where the row keeps a piece's node."""
    return PIECE_0 + seat * tables[PIECES] + piece


def stands_on(row: Ints, tables: Ints, seat: int, node: int) -> bool:
    """Whether a colour has a piece on a node."""
    first = PIECE_0 + seat * tables[PIECES]
    for at in range(first, first + tables[PIECES]):
        if row[at] == node:
            return True
    return False


def count_on(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """How many pieces a colour has on a node."""
    first = PIECE_0 + seat * tables[PIECES]
    count = 0
    for at in range(first, first + tables[PIECES]):
        count += row[at] == node
    return count


def count_in_play(row: Ints, tables: Ints, seat: int) -> int:
    """How many pieces of a colour stand on path or end path."""
    first = PIECE_0 + seat * tables[PIECES]
    count = 0
    for at in range(first, first + tables[PIECES]):
        count += row[at] < tables[FINISH]
    return count


def count_held(row: Ints, tables: Ints, seat: int) -> int:
    """How many pieces of a colour others hold (F10)."""
    first = PIECE_0 + seat * tables[PIECES]
    count = 0
    for at in range(first, first + tables[PIECES]):
        count += row[at] >= tables[HELD]
    return count


def pieces_on(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """A colour's pieces on a node, as a bit set."""
    first = slot(tables, seat, 0)
    found = 0
    for piece in range(tables[PIECES]):
        found |= (row[first + piece] == node) << piece
    return found


def first_piece_on(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """The lowest piece of a colour on a node on which it has one."""
    piece = 0
    while row[slot(tables, seat, piece)] != node:
        piece += 1
    return piece


def home_count(row: Ints, tables: Ints, seat: int) -> int:
    """How many pieces of a colour are at their goal (Z21, S12, T15, F38, L37)."""
    first = PIECE_0 + seat * tables[PIECES]
    lowest = tables[TILES] if tables[HOME_IS_LANE] else tables[FINISH]
    count = 0
    for at in range(first, first + tables[PIECES]):
        count += (row[at] >= lowest) & (row[at] <= tables[FINISH])
    return count


def is_home(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether a colour has as many pieces at their goal as the rules ask for (L13, L20)."""
    return home_count(row, tables, seat) >= tables[NEEDED]


def side_of(tables: Ints, seat: int) -> int:
    """The side of a seat: itself, or its team."""
    return tables[tables[T_SIDE] + seat]


def partner(tables: Ints, seat: int) -> int:
    """The teammate: the opposite seat (Z22)."""
    return (seat + tables[PLAYERS] // 2) % tables[PLAYERS]


def moved_by(row: Ints, tables: Ints, seat: int) -> int:
    """The colour whose pieces a player moves: its own, or the teammate's once all are home (Z25)."""
    if tables[TEAMS] and is_home(row, tables, seat):
        return partner(tables, seat)
    return seat


def mover(row: Ints, tables: Ints) -> int:
    """The colour whose pieces the player in turn moves."""
    return moved_by(row, tables, int(row[TURN]))


def bank_of(row: Ints, tables: Ints, seat: int) -> int:
    """Where the rules that hold for a colour begin (L2, Z10)."""
    if tables[BANKED]:
        return tables[T_BANK] + row[tables[R_CHANGED] + seat] * tables[BANK_SIZE]
    return tables[T_BANK]


def bit_of(tables: Ints, node: int, word: int) -> int:
    """A shared tile as a bit of one word of a bit set; other nodes are no bit."""
    return tables[tables[T_BIT] + node * tables[WORDS] + word]


def settle(tables: Ints, scratch: Ints, tile: int, side: int) -> None:
    """Note whether a side has two or more pieces on a tile (Z6, F3, F13)."""
    if tables[BLOCKS] == 0:
        return
    word = tables[S_PAIR] + side * tables[WORDS] + tile // TILES_PER_WORD
    bit = 1 << (tile % TILES_PER_WORD)
    if (scratch[S_OCC + tile] >> (4 * side)) & 15 >= 2:
        scratch[word] |= bit
    else:
        scratch[word] &= ~bit


def put(tables: Ints, scratch: Ints, seat: int, node: int, change: int) -> None:
    """Add (+1) or take away (-1) a piece of a colour on a shared tile."""
    if tables[TRACKED] and node < tables[TILES]:
        side = side_of(tables, seat)
        scratch[S_OCC + node] += change << (4 * side)
        settle(tables, scratch, node, side)


def scan(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Work out occupancy and blocks from the row."""
    scratch[FRESH] = 0
    if tables[TRACKED] == 0:
        return
    for tile in range(tables[TILES]):
        scratch[S_OCC + tile] = 0
    for at in range(tables[S_PAIR], tables[S_PAIR] + tables[SIDES] * tables[WORDS]):
        scratch[at] = 0
    for seat in range(tables[PLAYERS]):
        for piece in range(tables[PIECES]):
            put(tables, scratch, seat, int(row[slot(tables, seat, piece)]), 1)


def occupancy(row: Ints, tables: Ints, scratch: Ints, tile: int) -> int:
    """How many pieces of each side stand on a tile, four bits a side."""
    if tables[TRACKED]:
        return scratch[S_OCC + tile]
    found = 0
    for seat in range(tables[PLAYERS]):
        found += count_on(row, tables, seat, tile) << (4 * side_of(tables, seat))
    return found


def pairs_of(row: Ints, tables: Ints, scratch: Ints, seat: int, word: int) -> int:
    """The tiles on which a colour's side has two or more pieces: one word of a bit set."""
    if tables[TRACKED]:
        return scratch[tables[S_PAIR] + side_of(tables, seat) * tables[WORDS] + word]
    first = PIECE_0 + seat * tables[PIECES]
    once = 0
    twice = 0
    for at in range(first, first + tables[PIECES]):
        bit = bit_of(tables, int(row[at]), word)
        twice |= once & bit
        once |= bit
    if tables[TEAMS]:
        first = PIECE_0 + partner(tables, seat) * tables[PIECES]
        for at in range(first, first + tables[PIECES]):
            twice |= once & bit_of(tables, int(row[at]), word)
    return twice


def look_ahead(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int) -> None:
    """Gather the blocks that stop a colour: every block, or only the opponents' (Z7, Z24, F13)."""
    if tables[bank + O_STOPS] == 0:
        return
    own = side_of(tables, seat)
    for word in range(tables[WORDS]):
        stops = 0
        for other in range(tables[PLAYERS]):
            stopping = (side_of(tables, other) != own) | (tables[bank + O_STOPS] == STOPS_ALL)
            stops |= pairs_of(row, tables, scratch, other, word) * stopping
        scratch[tables[S_STOP] + word] = stops & tables[bank + tables[B_BLOCKABLE] + word]


def stops_at(tables: Ints, scratch: Ints, bank: int, tile: int) -> bool:
    """Whether a block that stops the mover stands on a tile (after look_ahead)."""
    if tables[bank + O_STOPS] == 0:
        return False
    stops = scratch[tables[S_STOP] + tile // TILES_PER_WORD]
    return (stops >> (tile % TILES_PER_WORD)) & 1 != 0


# ---------------------------------------------------------------- what waits to be played


def waiting(row: Ints, tables: Ints, kind: int) -> int:
    """How many tokens of a kind wait."""
    if tables[SINGLE]:
        return row[TOKEN] == kind + 1
    return int(row[tables[R_POOL] + kind])


def use_token(row: Ints, tables: Ints, kind: int) -> None:
    """A token has been used."""
    if tables[SINGLE]:
        row[TOKEN] = 0
    else:
        row[tables[R_POOL] + kind] -= 1


def tokens_left(row: Ints, tables: Ints) -> int:
    """How many tokens wait."""
    if tables[SINGLE]:
        return row[TOKEN] != 0
    count = 0
    for at in range(tables[R_POOL], tables[R_POOL] + tables[KINDS]):
        count += row[at]
    return count


def clear_pool(row: Ints, tables: Ints) -> None:
    """Tokens that are left are lost."""
    row[TOKEN] = 0
    if tables[POOLED]:
        for at in range(tables[R_POOL], tables[R_POOL] + tables[KINDS]):
            row[at] = 0


def effect_of(tables: Ints, kind: int) -> int:
    """What a kind of token does: STEP, SWAP or OUT."""
    return tables[tables[T_KIND] + kind * K_SIZE + K_EFFECT]


def distance_of(tables: Ints, kind: int) -> int:
    """How far a kind of token moves a piece."""
    return tables[tables[T_KIND] + kind * K_SIZE + K_DISTANCE]


def combines(tables: Ints, kind: int) -> bool:
    """Whether a kind of token may be part of a combined move."""
    return tables[tables[T_KIND] + kind * K_SIZE + K_COMBINES] != 0


def dice_left(row: Ints, tables: Ints) -> int:
    """How many of the waiting tokens can be combined."""
    count = 0
    for kind in range(tables[KINDS]):
        count += waiting(row, tables, kind) * combines(tables, kind)
    return count


def dice_total_left(row: Ints, tables: Ints) -> int:
    """The sum of the waiting tokens that can be combined."""
    total = 0
    for kind in range(tables[KINDS]):
        total += waiting(row, tables, kind) * combines(tables, kind) * distance_of(tables, kind)
    return total


def set_at(tables: Ints, number: int) -> int:
    """Where the tables have a set of tokens; the first sets are the single kinds."""
    return tables[T_SET] + number * (N_COUNTS + tables[KINDS])


def set_size(tables: Ints, number: int) -> int:
    """How many tokens a set has."""
    return tables[set_at(tables, number) + N_SIZE]


def set_total(tables: Ints, number: int) -> int:
    """The sum of a set's tokens."""
    return tables[set_at(tables, number) + N_TOTAL]


def lacks(row: Ints, tables: Ints, number: int, leavers_used: int) -> bool:
    """Whether what waits, less some tokens for coming out, lacks a token of a set."""
    at = set_at(tables, number) + N_COUNTS
    for kind in range(tables[KINDS]):
        used = leavers_used if kind == tables[LEAVER] else 0
        if tables[at + kind] > waiting(row, tables, kind) - used:
            return True
    return False


def spend(row: Ints, tables: Ints, number: int) -> None:
    """Take a set's tokens out of the pool."""
    at = set_at(tables, number) + N_COUNTS
    for kind in range(tables[KINDS]):
        row[tables[R_POOL] + kind] -= tables[at + kind]


# ---------------------------------------------------------------- where a piece gets


def way_index(tables: Ints, seat: int, node: int, kind: int, way: int) -> int:
    """The number of a way among all of a bank."""
    return ((seat * tables[NODES] + node) * tables[KINDS] + kind) * tables[WAYS] + way


def way_is_stopped(tables: Ints, scratch: Ints, bank: int, index: int) -> bool:
    """Whether a block stands on a tile that the way crosses or ends on (Z7, F13)."""
    words = tables[WORDS]
    mask = bank + tables[B_MASK] + index * words
    met = 0
    for word in range(words):
        met |= tables[mask + word] & scratch[tables[S_STOP] + word]
    return met != 0


def passes_own(row: Ints, tables: Ints, seat: int, node: int, target: int) -> bool:
    """Whether a move passes over an own piece on the end path (S44); landing on it is stacking (S34)."""
    place = target & NODE
    above = tables[FINISH] if target & BOUNCED else place
    under = max(node if target & BOUNCED == 0 else min(node, place), tables[TILES] - 1)
    first = PIECE_0 + seat * tables[PIECES]
    passed = 0
    for at in range(first, first + tables[PIECES]):
        passed += under < row[at] < above
    return passed > (under < node < above)  # a bounce back beyond its own tile does not pass itself


def jump_from(tables: Ints, bank: int, seat: int, tile: int) -> int:
    """Where a tile takes a colour's piece that lands there, or -1 (T3, L28)."""
    return tables[bank + tables[B_JUMP] + seat * tables[TILES] + tile] if tables[JUMPS] else -1


def may_stand(row: Ints, tables: Ints, bank: int, seat: int, node: int, target: int) -> int:
    """The target, or minus the reason why own pieces are in the way."""
    if target < 0:
        return target
    place = target & NODE
    if tables[bank + O_SHARE_OWN] == 0 and place != node and place != tables[FINISH] and place != tables[START]:
        if stands_on(row, tables, seat, place):
            return -WHY_OWN_PIECE
        if tables[JUMPS] and place < tables[TILES] and target & BOUNCED == 0:
            jump = jump_from(tables, bank, seat, place)
            if jump >= 0 and jump != tables[FINISH] and jump != node and stands_on(row, tables, seat, jump):
                return -WHY_OWN_PIECE
    in_lane = place > tables[TILES] or target & BOUNCED
    if tables[bank + O_PASSING] == 0 and in_lane and place <= tables[FINISH]:
        if passes_own(row, tables, seat, node, target):
            return -WHY_PASSES_OWN
    return target


def sweep_end(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, index: int) -> int:
    """Where a sweep ends: on the first enemy that can be captured, else where the way ends; or minus the reason."""
    target = tables[bank + tables[B_TARGET] + index]
    if target < 0:
        return target
    track = bank + tables[B_TRACK] + index
    tracks = bank + tables[B_TRACKS]
    for at in range(tracks + tables[track], tracks + tables[track + 1]):
        here = tables[at]
        if here >= tables[TILES]:
            continue
        if stops_at(tables, scratch, bank, here):
            return -WHY_BLOCKED
        if meets(row, tables, scratch, bank, seat, here) == TAKES:
            return here
    return target


def target_of(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, index: int) -> int:
    """Where a way ends, blocks and sweeps considered, or minus the reason why it is closed."""
    if tables[bank + O_CAPTURE_BY] == BY_SWEEP and node < tables[FINISH]:
        return sweep_end(row, tables, scratch, bank, seat, index)
    target = tables[bank + tables[B_TARGET] + index]
    if tables[bank + O_STOPS]:
        stopped = way_is_stopped(tables, scratch, bank, index)
        target = target if not stopped or target < 0 else -WHY_ENTRY_BLOCKED if node == tables[START] else -WHY_BLOCKED
    return target


def reach(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, kind: int, way: int) -> int:
    """Where a colour's piece on a node gets with a token on a way (after look_ahead), or minus the reason.

    The tables know every node: from the yard with the right token to the entry tile, from the finish nowhere.
    """
    target = target_of(row, tables, scratch, bank, seat, node, way_index(tables, seat, node, kind, way))
    if tables[bank + O_SHARE_OWN] & tables[bank + O_PASSING]:
        return target
    return may_stand(row, tables, bank, seat, node, target)


def survey(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, farthest: int) -> None:
    """Walk ahead of a piece tile by tile and note the first block, the first capturable enemy and the finish."""
    tiles, track = tables[TILES], tables[S_SURVEY]
    following = bank + tables[B_NEXT] + seat * tables[NODES]
    first_block = NEVER
    first_single = NEVER
    to_finish = NEVER
    here = node
    for step in range(1, farthest + 1):
        ahead = tables[following + here]
        if ahead < 0:
            to_finish = step - 1
            break
        here = ahead
        scratch[track + step] = here
        if here < tiles:
            if first_block == NEVER and stops_at(tables, scratch, bank, here):
                first_block = step
            if first_single == NEVER and meets(row, tables, scratch, bank, seat, here) == TAKES:
                first_single = step
    scratch[FIRST_BLOCK] = first_block
    scratch[FIRST_SINGLE] = first_single
    scratch[TO_FINISH] = to_finish


def combined_steps(tables: Ints, scratch: Ints, total: int) -> int:
    """How many steps a combined move of some total makes (after a survey): a sweep ends at the first capture (F21)."""
    if tables[COMBINED] == COMBINE_SWEEP:
        return min(total, scratch[FIRST_SINGLE])
    return total


def combined_reach(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, total: int) -> int:
    """Where several tokens as one move end (after a survey from `node`): F21, F22, F25; or minus the reason."""
    if total > scratch[TO_FINISH]:
        return -WHY_PAST_FINISH_COMBINED
    steps = combined_steps(tables, scratch, total)
    if steps >= scratch[FIRST_BLOCK]:
        return -WHY_BLOCKED
    return may_stand(row, tables, bank, seat, node, scratch[tables[S_SURVEY] + steps])


# ---------------------------------------------------------------- what a landing does


def guard_of(tables: Ints, bank: int, seat: int, tile: int) -> int:
    """What protects others from a colour on a tile: 0, GUARD_*, or minus (1 + the owner of that entry tile)."""
    return tables[bank + tables[B_GUARD] + seat * tables[TILES] + tile]


def is_stack(row: Ints, tables: Ints, seat: int, tile: int) -> bool:
    """Whether some enemy colour has two or more pieces on a tile (T8: counted by colour, in teams too)."""
    side = side_of(tables, seat)
    for other in range(tables[PLAYERS]):
        if side_of(tables, other) != side and count_on(row, tables, other, tile) >= 2:
            return True
    return False


def meets(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int) -> int:
    """What awaits a colour on a tile: FREE, TAKES (enemies to capture) or PUNISHED (it goes home)."""
    enemies = occupancy(row, tables, scratch, tile) & tables[tables[T_ENEMIES] + seat]
    if enemies == 0:
        return FREE
    guard = guard_of(tables, bank, seat, tile)
    if guard == GUARD_SHARED:  # Z5, F3
        return FREE
    if guard == GUARD_PUNISHES:  # T5
        return PUNISHED
    if guard < 0 and stands_on(row, tables, -guard - 1, tile):  # an opponent's entry tile, with that opponent on it
        if tables[bank + O_ENTRY_RULE] == OWNER_PUNISHES:  # T6
            return PUNISHED
        others = enemies - (count_on(row, tables, -guard - 1, tile) << (4 * side_of(tables, -guard - 1)))
        return TAKES if others and tables[bank + O_CAPTURE_BY] != BY_NOTHING else FREE  # S35, S36
    if tables[bank + O_STACK_PUNISHES] and enemies & TWO_OR_MORE and is_stack(row, tables, seat, tile):  # T8, T10
        return PUNISHED
    if tables[bank + O_STOPS] and enemies & TWO_OR_MORE:  # Z8: two or more are not captured
        return FREE
    return FREE if tables[bank + O_CAPTURE_BY] == BY_NOTHING else TAKES


def goes_back_to(row: Ints, tables: Ints, bank: int, other: int, tile: int) -> int:
    """Where a captured piece goes that goes back some tiles: home where its way begins nearer (L33)."""
    back = tables[T_BACK] + other * tables[NODES]
    node = tile
    for _ in range(tables[bank + O_BACK]):
        if node < tables[START]:
            node = tables[back + node]
    while node < tables[START] and tables[bank + O_SHARE_OWN] == 0 and stands_on(row, tables, other, node):
        node = tables[back + node]
    return node


def captured_goes_to(row: Ints, tables: Ints, bank: int, seat: int, other: int, tile: int) -> int:
    """Where a piece goes that a colour captures on a tile (Z8, S35, F10, L33)."""
    if tables[bank + O_TO] == TO_CAPTOR:
        return tables[HELD] + seat
    if tables[bank + O_TO] == TO_BACK:
        return goes_back_to(row, tables, bank, other, tile)
    return tables[START]


def take(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int) -> None:
    """Capture every enemy on a tile but an owner protected by its entry tile (Z8, S35, S36, T7, F10)."""
    side = side_of(tables, seat)
    for other in range(tables[PLAYERS]):
        if side_of(tables, other) == side:
            continue
        if tables[bank + O_ENTRY_RULE] == OWNER_SHARES and guard_of(tables, bank, seat, tile) == -other - 1:
            continue
        first = PIECE_0 + other * tables[PIECES]
        for at in range(first, first + tables[PIECES]):
            if row[at] == tile:
                goes_to = captured_goes_to(row, tables, bank, seat, other, tile)
                put(tables, scratch, other, tile, -1)
                row[at] = goes_to
                put(tables, scratch, other, goes_to, 1)
                scratch[CAPTURES] += 1
                tell(tables, scratch, E_CAPTURED, other, at - first, tile, goes_to)
                if tables[LOST_CAP]:
                    row[tables[R_LOST] + other] = min(tables[LOST_CAP], row[tables[R_LOST] + other] + 1)


def meet(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int) -> bool:
    """Resolve a landing on a tile; False when the mover is sent home."""
    verdict = meets(row, tables, scratch, bank, seat, tile)
    if verdict == TAKES:
        take(row, tables, scratch, bank, seat, tile)
    return verdict != PUNISHED


def take_in_passing(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, index: int) -> None:
    """Capture whom a piece passes over on its way, the last tile apart (L33)."""
    track = bank + tables[B_TRACK] + index
    tracks = bank + tables[B_TRACKS]
    for at in range(tracks + tables[track], tracks + tables[track + 1] - 1):
        tile = tables[at]
        if tile < tables[TILES] and meets(row, tables, scratch, bank, seat, tile) == TAKES:
            take(row, tables, scratch, bank, seat, tile)


def stand_on_square(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, tile: int) -> int:
    """What a tile does to whoever lands there (L17, L18, L28); returns where the piece is then."""
    square = tables[bank + tables[B_SQUARE] + tile]
    if square == 0:
        return tile
    if square & SQUARE_AGAIN:
        row[AGAIN] = AGAIN_ANYWAY
        tell(tables, scratch, E_AGAIN, seat, piece, tile, tile)
    if square & SQUARE_MISS:
        row[tables[R_SKIP] + seat] = min(9, row[tables[R_SKIP] + seat] + 1)
        tell(tables, scratch, E_SKIPS, seat, piece, tile, tile)
    if square & SQUARE_ROUND:
        row[REVERSED] = 1 - row[REVERSED]
        tell(tables, scratch, E_REVERSED, seat, piece, tile, tile)
    if square & SQUARE_HOME:
        tell(tables, scratch, E_SENT_HOME, seat, piece, tile, tables[START])
        return tables[START]
    return tile


def arrive(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, tile: int, jumps: bool) -> int:
    """Where a piece that lands on a tile stays: there, where a jump takes it (T3, T4), or in its yard (T5, T6, T8)."""
    if not meet(row, tables, scratch, bank, seat, tile):
        tell(tables, scratch, E_SENT_HOME, seat, piece, tile, tables[START])
        return tables[START]
    place = tile
    if tables[JUMPS] and jumps and jump_from(tables, bank, seat, tile) >= 0:
        place = jump_from(tables, bank, seat, tile)
        tell(tables, scratch, E_JUMPED, seat, piece, tile, place)
        if place < tables[TILES] and not meet(row, tables, scratch, bank, seat, place):
            tell(tables, scratch, E_SENT_HOME, seat, piece, place, tables[START])
            return tables[START]
    if tables[SQUARES] and place < tables[TILES]:
        return stand_on_square(row, tables, scratch, bank, seat, piece, place)
    return place


def land(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, target: int) -> None:
    """Put a piece that has been lifted down at a way's end, with captures, jumps, squares and punishments."""
    at = slot(tables, seat, piece)
    origin = int(row[at])
    place = target & NODE
    if target & BOUNCED:
        tell(tables, scratch, E_BOUNCED, seat, piece, origin, place)
    if place < tables[TILES]:  # T12: no jump after a bounce
        place = arrive(row, tables, scratch, bank, seat, piece, place, target & BOUNCED == 0)
    row[at] = place
    scratch[LANDED] = place
    scratch[OWNER] = seat
    put(tables, scratch, seat, place, 1)
    if tables[HOME_IS_LANE]:
        came_home = (origin < tables[TILES] or origin >= tables[START]) and tables[TILES] <= place < tables[FINISH]
    else:
        came_home = place == tables[FINISH]
    if came_home:
        scratch[HOMECOMING] += 1
        tell(tables, scratch, E_CAME_HOME, seat, piece, origin, place)


# ---------------------------------------------------------------- turns and places


def next_seat(row: Ints, tables: Ints, seat: int) -> int:
    """The next player in order of play that is still in the game (L17)."""
    back = tables[BACKWARDS] if tables[REVERSES] == 0 else row[REVERSED] != tables[BACKWARDS]
    players = tables[PLAYERS]
    following = seat
    for _ in range(players):
        if back:
            following = following - 1 if following > 0 else players - 1
        else:
            following = following + 1 if following + 1 < players else 0
        if row[tables[R_PLACE] + following] == 0:
            return following
    return seat


def clear_turn(row: Ints, tables: Ints) -> None:
    """Forget what belongs to one turn: tokens, another roll due, rolls in a row, attempts, frozen pieces, a duty."""
    row[AGAIN] = 0
    row[SIXES] = 0
    row[ROLLS] = 0
    row[UNBLOCKED] = 0
    clear_pool(row, tables)
    if tables[FREEZES]:
        for seat in range(tables[PLAYERS]):
            row[tables[R_FROZEN] + seat] = 0


def forget_rows_of_sixes(row: Ints, tables: Ints) -> None:
    """A game that is over counts no rolls in a row."""
    if tables[SIXES_STAY]:
        for seat in range(tables[PLAYERS]):
            row[tables[R_SIXES] + seat] = 0


def pass_turn_on(row: Ints, tables: Ints, scratch: Ints, why: int) -> None:
    """The next player rolls; those who miss a turn are passed over (L18). At the turn limit the game ends (L20)."""
    tell(tables, scratch, E_TURN_PASSED, int(row[TURN]), 0, 0, why)
    clear_turn(row, tables)
    scratch[GAME_TURNS] += 1
    row[STAGE] = CHANCE
    if tables[COUNT_TURNS]:
        row[TURNS] = min(10_000, row[TURNS] + 1)
        make_changes(row, tables, scratch, True)
        if tables[TURN_LIMIT] and row[TURNS] >= tables[TURN_LIMIT]:
            end_at_the_limit(row, tables)
            tell(tables, scratch, E_OVER, int(row[TURN]), 0, 0, 0)
            return
    seat = next_seat(row, tables, int(row[TURN]))
    if tables[SKIPS]:
        while row[tables[R_SKIP] + seat] > 0:
            row[tables[R_SKIP] + seat] -= 1
            seat = next_seat(row, tables, seat)
    row[TURN] = seat


def standing(row: Ints, tables: Ints, seat: int) -> int:
    """How well a seat stands when the turns run out: its points, or the pieces that its side has home."""
    if tables[SCORE]:
        return int(row[tables[R_SCORE] + seat])
    count = home_count(row, tables, seat)
    if tables[TEAMS]:
        count += home_count(row, tables, partner(tables, seat))
    return count


def end_at_the_limit(row: Ints, tables: Ints) -> None:
    """The turn limit is reached: whoever has no place yet gets one by its standing; equal standings share it (L20)."""
    placed = int(row[PLACED])
    for seat in range(tables[PLAYERS]):
        if row[tables[R_PLACE] + seat] == 0:
            better = 0
            for other in range(tables[PLAYERS]):
                if row[tables[R_PLACE] + other] <= 0:
                    better += standing(row, tables, other) > standing(row, tables, seat)
            row[tables[R_PLACE] + seat] = -(placed + 1 + better)
    for seat in range(tables[PLAYERS]):
        if row[tables[R_PLACE] + seat] < 0:
            row[tables[R_PLACE] + seat] = -row[tables[R_PLACE] + seat]
    forget_rows_of_sixes(row, tables)
    row[STAGE] = OVER


def has_won(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether a colour has done what the game asks for (L13, L20)."""
    if tables[SCORE]:
        return row[tables[R_SCORE] + seat] >= tables[SCORE]
    return is_home(row, tables, seat)


def give_places(row: Ints, tables: Ints, scratch: Ints, seat: int) -> bool:
    """After a move: whether the game is over, with the places of those who are done (Z21, Z23, S19, T15, F38)."""
    if row[tables[R_PLACE] + seat] or not has_won(row, tables, seat):
        return False
    if tables[TEAMS]:
        mate = partner(tables, seat)
        if not is_home(row, tables, mate):
            return False
        row[tables[R_PLACE] + mate] = 1
    row[PLACED] += 1
    row[tables[R_PLACE] + seat] = row[PLACED]
    tell(tables, scratch, E_PLACED, seat, 0, 0, int(row[PLACED]))
    if tables[PLAY_ON] and row[PLACED] < tables[RANKS]:
        return False
    if tables[PLAY_ON]:
        for other in range(tables[PLAYERS]):
            if row[tables[R_PLACE] + other] == 0:
                row[tables[R_PLACE] + other] = row[PLACED] + 1
    clear_turn(row, tables)
    forget_rows_of_sixes(row, tables)
    row[STAGE] = OVER
    scratch[GAME_TURNS] += 1
    tell(tables, scratch, E_OVER, seat, 0, 0, 0)
    return True


# ---------------------------------------------------------------- rules that change


def counted(row: Ints, tables: Ints, when: int, seat: int) -> int:
    """What a change counts, for a colour (L2)."""
    if when == BY_CAPTURES:
        return int(row[tables[R_CAPTURES] + seat])
    if when == BY_LOST:
        return int(row[tables[R_LOST] + seat])
    if when == BY_HOME:
        return home_count(row, tables, seat)
    return int(row[TURNS])


def may_have_changed(when: int, scratch: Ints, turn_ends: bool) -> bool:
    """Whether what a change counts can have grown just now."""
    if turn_ends or when == BY_TURNS:
        return turn_ends and when == BY_TURNS
    if when == BY_HOME:
        return scratch[HOMECOMING] > 0
    return when == BY_TILE or scratch[CAPTURES] > 0


def make_changes(row: Ints, tables: Ints, scratch: Ints, turn_ends: bool) -> None:
    """After a move, or as a turn ends: let every change hold whose condition is met; it holds from now on (L2)."""
    for number in range(tables[CHANGES]):
        at = tables[T_CHANGE] + number * C_SIZE
        if may_have_changed(tables[at + C_WHEN], scratch, turn_ends):
            for seat in range(tables[PLAYERS]):
                make_change(row, tables, scratch, number, at, seat)


def make_change(row: Ints, tables: Ints, scratch: Ints, number: int, at: int, seat: int) -> None:
    """Let one change hold for a colour, or for all, if its condition is met."""
    when = tables[at + C_WHEN]
    if (row[tables[R_CHANGED] + seat] >> number) & 1:
        return
    if when == BY_TILE:
        holds = seat == scratch[OWNER] and scratch[LANDED] == tables[at + C_NODE]
    else:
        holds = counted(row, tables, when, seat) >= tables[at + C_AT_LEAST]
    if holds:
        for other in range(tables[PLAYERS]):
            if other == seat or tables[at + C_ALL]:
                row[tables[R_CHANGED] + other] |= 1 << number
        tell(tables, scratch, E_CHANGED, seat, 0, number, tables[at + C_ALL])


def open_the_way_home(row: Ints, tables: Ints, scratch: Ints, seat: int) -> None:
    """The first capture lets a colour turn into its end path; the move itself was made before that (Z10, Z12, Z26)."""
    bit = 1 << tables[HOME_BIT]
    if row[tables[R_CHANGED] + seat] & bit == 0:
        row[tables[R_CHANGED] + seat] |= bit
        tell(tables, scratch, E_CHANGED, seat, 0, tables[HOME_BIT], 0)


# ---------------------------------------------------------------- chance


def card_at(row: Ints, tables: Ints, number: int) -> int:
    """The card behind outcome `number` of a deck from which some are gone."""
    left = number
    for card in range(tables[DECK]):
        if row[tables[R_DECK] + card] > 0:
            if left == 0:
                return card
            left -= 1
    return 0


def outcome_at(tables: Ints, bank: int, number: int) -> int:
    """Where a bank has an outcome of its device."""
    return bank + tables[B_OUTCOME] + number * F_SIZE


def outcome_count(row: Ints, tables: Ints, scratch: Ints) -> int:
    """How many outcomes chance has here."""
    if row[ROLLOFF_IN] == LOT:
        return tables[PLAYERS]
    if tables[DECK] == 0:
        return tables[bank_of(row, tables, int(row[TURN])) + O_OUTCOMES]
    count = 0
    for card in range(tables[DECK]):
        count += row[tables[R_DECK] + card] > 0
    return count


def outcome_weight(row: Ints, tables: Ints, scratch: Ints, number: int) -> int:
    """How often outcome `number` comes, beside the others."""
    if row[ROLLOFF_IN] == LOT:
        return 1
    if tables[DECK]:
        return int(row[tables[R_DECK] + card_at(row, tables, number)])
    return tables[outcome_at(tables, bank_of(row, tables, int(row[TURN])), number) + F_WEIGHT]


def draw_card(row: Ints, tables: Ints, key: int, ply: int) -> int:
    """Draw from a deck: the number among the cards of which some are left."""
    first, last = tables[R_DECK], tables[R_DECK] + tables[DECK]
    total = 0
    for at in range(first, last):
        total += row[at]
    point = below(key, ply, total)
    number = 0
    for at in range(first, last):
        point -= row[at]
        if point < 0:
            return number
        number += row[at] > 0
    return 0


def draw_by_weight(row: Ints, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """Draw where the weights are not in a table: a lot, a very uneven device."""
    count = outcome_count(row, tables, scratch)
    total = 0
    for number in range(count):
        total += outcome_weight(row, tables, scratch, number)
    point = below(key, ply, total)
    for number in range(count):
        point -= outcome_weight(row, tables, scratch, number)
        if point < 0:
            return number
    return count - 1


def draw_chance(row: Ints, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """The outcome that draw number `ply` of the stream gives."""
    bank = bank_of(row, tables, int(row[TURN]))
    if tables[ROLLS_OFF] and row[ROLLOFF_IN] == LOT:
        return draw_by_weight(row, tables, scratch, key, ply)
    if tables[DECK]:
        return draw_card(row, tables, key, ply)
    if tables[bank + O_POINTS] == 0:
        return draw_by_weight(row, tables, scratch, key, ply)
    point = below(key, ply, tables[bank + O_WEIGHT])
    return point if tables[EVEN] else tables[bank + tables[B_POINT] + point]


def roll_off(row: Ints, tables: Ints, total: int) -> None:
    """One roll of the roll-off; when all have rolled, the highest begins or the tied roll again (S14-S16)."""
    sums = tables[R_SUM]
    row[sums + row[TURN]] = total + SUM_IS_THERE
    highest = 0
    for seat in range(tables[PLAYERS]):
        if (row[ROLLOFF_IN] >> seat) & 1:
            if row[sums + seat] == 0:
                row[TURN] = seat
                return
            highest = max(highest, row[sums + seat])
    tied = 0
    first = -1
    for seat in range(tables[PLAYERS]):
        if (row[ROLLOFF_IN] >> seat) & 1 and row[sums + seat] == highest:
            tied |= 1 << seat
            if first < 0:
                first = seat
    for seat in range(tables[PLAYERS]):
        row[sums + seat] = 0
    row[TURN] = first
    row[ROLLOFF_IN] = 0 if tied == 1 << first else tied


def take_card(row: Ints, tables: Ints, card: int) -> None:
    """A drawn card is out of the deck; the deck is made anew when it is empty (L14)."""
    row[tables[R_DECK] + card] -= 1
    if row[tables[R_DECK] + card] > 0:
        return
    left = 0
    for at in range(tables[R_DECK], tables[R_DECK] + tables[DECK]):
        left += row[at]
    if left == 0:
        for other in range(tables[DECK]):
            row[tables[R_DECK] + other] = tables[tables[T_CARDS] + other]


def chance(row: Ints, tables: Ints, scratch: Ints, outcome: int) -> None:
    """Apply chance outcome number `outcome`."""
    scratch[FRESH] = 0
    if tables[ROLLS_OFF] and row[ROLLOFF_IN] == LOT:
        row[TURN] = outcome
        row[ROLLOFF_IN] = 0
        return
    bank = bank_of(row, tables, int(row[TURN]))
    number = outcome if tables[DECK] == 0 else card_at(row, tables, outcome)
    at = outcome_at(tables, bank, number)
    if tables[ROLLS_OFF] and row[ROLLOFF_IN]:
        roll_off(row, tables, tables[at + F_TOTAL])
        return
    if tables[DECK]:
        take_card(row, tables, number)
    roll(row, tables, scratch, bank, at)


def miss_a_turn(row: Ints, tables: Ints, scratch: Ints, seat: int) -> None:
    """A player misses its next turn (L18)."""
    row[tables[R_SKIP] + seat] = min(9, row[tables[R_SKIP] + seat] + 1)
    tell(tables, scratch, E_SKIPS, seat, 0, 0, 0)


def rolls_in_a_row(row: Ints, tables: Ints, seat: int, counts: int) -> int:
    """Count a roll that gives another one, or forget those before it (Z18); some rules count across turns."""
    at = tables[R_SIXES] + seat if tables[SIXES_STAY] else SIXES
    row[at] = row[at] + 1 if counts else 0
    return int(row[at])


def roll(row: Ints, tables: Ints, scratch: Ints, bank: int, at: int) -> None:
    """What a roll brings: tokens, another roll, a turn that is lost, missed or turned round (Z17, Z18, T14, L18)."""
    seat = int(row[TURN])
    if tables[REVERSES] and tables[at + F_REVERSE]:
        row[REVERSED] = 1 - row[REVERSED]
        tell(tables, scratch, E_REVERSED, seat, 0, 0, 0)
    if tables[SKIPS]:
        if tables[at + F_SKIP]:
            miss_a_turn(row, tables, scratch, seat)
        if tables[at + F_SKIP_NEXT]:
            miss_a_turn(row, tables, scratch, next_seat(row, tables, seat))
    if tables[bank + O_SIXES_LIMIT]:
        if rolls_in_a_row(row, tables, seat, tables[at + F_COUNTS]) >= tables[bank + O_SIXES_LIMIT]:
            if tables[SIXES_STAY]:
                row[tables[R_SIXES] + seat] = 0
            pass_turn_on(row, tables, scratch, TURN_IN_A_ROW)
            return
    if tables[at + F_LOST]:
        pass_turn_on(row, tables, scratch, TURN_LOST_BY_ROLL)
        return
    if tables[bank + O_ATTEMPTS] > 1:
        if tables[at + F_LEAVES]:
            row[ROLLS] = 0
        elif count_in_play(row, tables, mover(row, tables)) == 0:
            row[ROLLS] += 1
    row[AGAIN] = tables[at + F_AGAIN]
    first = bank + tables[B_TOKEN] + tables[at + F_FIRST]
    if tables[SINGLE]:
        row[TOKEN] = tables[first] + 1 if tables[at + F_TOKENS] else 0
    else:
        for token in range(first, first + tables[at + F_TOKENS]):
            row[tables[R_POOL] + tables[token]] += 1
    if tables[at + F_KEEP] == 0:  # F5, F6: a double six is kept, and the dice are rolled again
        row[STAGE] = DECISION


# ---------------------------------------------------------------- actions: what a move uses, and which piece it moves


# Steps first: a piece (a spot: colours on from the mover × pieces + piece) uses a token, or a set of them, on a way.
# With one token at a time that is all. In a pool the pieces of a yard are alike, and so are those that a captor holds:
# coming out and buying back have actions of their own, by the token that serves.


def is_step(tables: Ints, action: int) -> bool:
    """Whether an action is a piece on its way with what waits: no `out+`, special move, swap or pass."""
    return action < tables[A_ON] or tables[A_BUY] <= action < tables[A_SPECIAL]


def is_from_outside(tables: Ints, action: int) -> bool:
    """Whether a step has an action of the blocks for coming out and buying back."""
    return tables[POOLED] != 0 and action >= tables[A_OUT]


def outside_number(tables: Ints, action: int) -> int:
    """Which of its block an action for coming out or buying back is."""
    return action - (tables[A_OUT] if action < tables[A_ON] else tables[A_BUY])


def way_of(tables: Ints, action: int) -> int:
    """Which of a token's ways a step takes."""
    if tables[WAYS] == 1:
        return 0
    if is_from_outside(tables, action):
        return outside_number(tables, action) % tables[WAYS]
    return action % tables[WAYS]


def number_of(row: Ints, tables: Ints, action: int) -> int:
    """The set of tokens that a step uses: a single kind, or the number of a larger set."""
    if tables[SINGLE]:
        return row[TOKEN] - 1
    if is_from_outside(tables, action):
        return tables[tables[T_LEAVER] + outside_number(tables, action) // tables[WAYS] % tables[LEAVERS]]
    return action // (tables[SPOTS] * tables[WAYS])


def turned_of(tables: Ints, action: int) -> int:
    """How many colours on from the mover's the piece of a step is."""
    if tables[MOVERS] == 1:
        return 0
    if is_from_outside(tables, action):
        return outside_number(tables, action) // (tables[WAYS] * tables[LEAVERS])
    return action // tables[WAYS] % tables[SPOTS] // tables[PIECES]


def step_action(tables: Ints, number: int, spot: int, way: int) -> int:
    """The action of a piece on the board with a set of tokens on a way; with one token at a time, of any piece."""
    if tables[SINGLE]:
        return spot * tables[WAYS] + way
    return (number * tables[SPOTS] + spot) * tables[WAYS] + way


def outside_action(tables: Ints, turned: int, node: int, kind: int, way: int) -> int:
    """The action of coming out, or of buying back, with a token of a pool that serves for it."""
    leaver = 0
    while tables[tables[T_LEAVER] + leaver] != kind:
        leaver += 1
    block = tables[A_OUT] if node == tables[START] else tables[A_BUY]
    return block + (turned * tables[LEAVERS] + leaver) * tables[WAYS] + way


def seat_on_from(tables: Ints, own: int, turned: int) -> int:
    """The colour some seats on from the mover's."""
    if tables[MOVERS] == 1:
        return own
    return own + turned if own + turned < tables[PLAYERS] else own + turned - tables[PLAYERS]


def seat_of_action(row: Ints, tables: Ints, action: int) -> int:
    """Whose piece an action moves."""
    own = mover(row, tables)
    return seat_on_from(tables, own, turned_of(tables, action)) if is_step(tables, action) else own


def piece_of_step(row: Ints, tables: Ints, seat: int, action: int) -> int:
    """Which piece a step moves: of those outside the board the lowest that can be meant."""
    if is_from_outside(tables, action):
        return outside_piece(
            row, tables, seat, tables[START] if action < tables[A_ON] else first_held(row, tables, seat)
        )
    spot = action if tables[WAYS] == 1 else action // tables[WAYS]
    return spot if tables[PLAIN] else spot % tables[PIECES]


def outside_piece(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """The lowest piece of a colour on a node; the first piece where it has none there."""
    return first_piece_on(row, tables, seat, node) if node >= 0 and stands_on(row, tables, seat, node) else 0


def piece_of_action(row: Ints, tables: Ints, action: int) -> int:
    """Which piece an action moves; the first of the yard where it brings some out and on."""
    if is_step(tables, action):
        return piece_of_step(row, tables, seat_of_action(row, tables, action), action)
    if action >= tables[A_SWAP]:
        return (action - tables[A_SWAP]) // (tables[PLAYERS] * tables[PIECES]) % tables[PIECES]
    return outside_piece(row, tables, mover(row, tables), tables[START])


def node_of_action(row: Ints, tables: Ints, action: int) -> int:
    """Where the piece of an action stands."""
    return int(row[slot(tables, seat_of_action(row, tables, action), piece_of_action(row, tables, action))])


# ---------------------------------------------------------------- which pieces may move


def may_move(row: Ints, tables: Ints, own: int, seat: int, kind: int) -> bool:
    """Whether a token may move a colour's pieces in this turn (L9)."""
    if tables[MOVERS] == 1:
        return True
    if effect_of(tables, kind) == SWAP:
        return seat == own
    whose = tables[tables[T_KIND] + kind * K_SIZE + K_WHOSE]
    if whose == ANY:
        return True
    same_side = side_of(tables, seat) == side_of(tables, own)
    if whose == OTHERS:
        return not same_side
    return seat == own or tables[MAY_MOVE] == MOVE_ALL or (same_side and tables[MAY_MOVE] == MOVE_TEAM)


def may_move_by_set(row: Ints, tables: Ints, own: int, seat: int, number: int) -> bool:
    """Whether every token of a set may move a colour's pieces in this turn (L9, F20)."""
    if tables[MOVERS] == 1 or number < tables[KINDS]:
        return may_move(row, tables, own, seat, number)
    for kind in range(tables[KINDS]):
        if tables[set_at(tables, number) + N_COUNTS + kind] and not may_move(row, tables, own, seat, kind):
            return False
    return True


def is_frozen(row: Ints, tables: Ints, seat: int, piece: int) -> bool:
    """Whether a piece has captured this turn and stays where it is (F19, F24)."""
    if tables[FREEZES] == 0:
        return False
    return (row[tables[R_FROZEN] + seat] >> piece) & 1 != 0


def first_on_its_node(row: Ints, tables: Ints, seat: int, piece: int) -> bool:
    """Whether no piece of the colour before this one stands on its node."""
    first = PIECE_0 + seat * tables[PIECES]
    node = row[first + piece]
    alone = True
    for other in range(first, first + piece):
        alone &= row[other] != node
    return alone


def first_free_on_its_node(row: Ints, tables: Ints, seat: int, piece: int) -> bool:
    """Whether this piece is not frozen and no free piece before it stands on its node."""
    if tables[FREEZES] == 0:
        return first_on_its_node(row, tables, seat, piece)
    node = row[slot(tables, seat, piece)]
    free = not is_frozen(row, tables, seat, piece)
    for other in range(piece):
        free &= (row[slot(tables, seat, other)] != node) | is_frozen(row, tables, seat, other)
    return free


def waits_behind(row: Ints, tables: Ints, seat: int, piece: int) -> bool:
    """Whether a held piece is not the one to be bought back first: that whose captor comes first in seat order."""
    if tables[HOLDS] == 0:
        return False
    node = row[slot(tables, seat, piece)]
    if node < tables[HELD]:
        return False
    first = PIECE_0 + seat * tables[PIECES]
    for at in range(first, first + tables[PIECES]):
        if tables[HELD] <= row[at] < node:
            return True
    return False


def may_be_swapped(
    row: Ints, tables: Ints, bank: int, seat: int, node: int, other: int, there: int
) -> bool:  # fmt: skip
    """Whether a piece may change places with another colour's: both on the shared path, neither sheltered (L14)."""
    if node >= tables[TILES] or there >= tables[TILES] or node == there:
        return False
    if side_of(tables, other) == side_of(tables, seat):
        return False
    guard = guard_of(tables, bank, seat, there)
    if guard > 0 or guard == -other - 1:
        return False
    on = tables[T_ON]
    if tables[on + seat * tables[TILES] + there] == 0 or tables[on + other * tables[TILES] + node] == 0:
        return False
    if tables[bank + O_SHARE_OWN]:
        return True
    return not stands_on(row, tables, seat, there) and not stands_on(row, tables, other, node)


# ---------------------------------------------------------------- listing: one token at a time


def list_ways(
    row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, spot: int, node: int, kind: int, count: int
) -> int:
    """List the ways that a token opens for the piece on a spot."""
    action = step_action(tables, kind, spot, 0)
    for way in range(tables[WAYS]):
        scratch[tables[S_MOVES] + count] = action + way
        count += reach(row, tables, scratch, bank, seat, node, kind, way) >= 0
    return count


def list_swaps(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, count: int) -> int:
    """List whom a piece may change places with (L14)."""
    node = int(row[slot(tables, seat, piece)])
    players, pieces = tables[PLAYERS], tables[PIECES]
    for turned in range(1, players):
        other = (seat + turned) % players
        for rival in range(pieces):
            there = int(row[slot(tables, other, rival)])
            if first_on_its_node(row, tables, other, rival):
                if may_be_swapped(row, tables, bank, seat, node, other, there):
                    scratch[tables[S_MOVES] + count] = tables[A_SWAP] + (piece * players + turned) * pieces + rival
                    count += 1
    return count


def list_one(row: Ints, tables: Ints, scratch: Ints, own: int) -> int:
    """List what the one token that waits can do."""
    kind = row[TOKEN] - 1
    if kind < 0:
        return 0
    count = 0
    for turned in range(tables[MOVERS]):
        seat = seat_on_from(tables, own, turned)
        if not may_move(row, tables, own, seat, kind):
            continue
        bank = bank_of(row, tables, seat)
        look_ahead(row, tables, scratch, bank, seat)
        for piece in range(tables[PIECES]):
            if not first_free_on_its_node(row, tables, seat, piece) or waits_behind(row, tables, seat, piece):
                continue
            if tables[SWAPS] and effect_of(tables, kind) == SWAP:
                count = list_swaps(row, tables, scratch, bank, seat, piece, count)
            else:
                node = int(row[slot(tables, seat, piece)])
                spot = turned * tables[PIECES] + piece
                count = list_ways(row, tables, scratch, bank, seat, spot, node, kind, count)
    return count


def list_one_plain(row: Ints, tables: Ints, scratch: Ints, seat: int) -> int:
    """`list_one` where a piece has one way and everybody moves the own pieces: without a branch for each piece."""
    kind = row[TOKEN] - 1
    bank = bank_of(row, tables, seat)
    look_ahead(row, tables, scratch, bank, seat)
    first = slot(tables, seat, 0)
    movable = 0
    for piece in range(tables[PIECES]):
        movable |= (reach(row, tables, scratch, bank, seat, int(row[first + piece]), kind, 0) >= 0) << piece
    scratch[MOVABLE] = movable
    moves = tables[S_MOVES]
    count = 0
    for piece in range(tables[PIECES]):
        scratch[moves + count] = piece
        stands_for_it = (movable >> piece) & 1
        for other in range(first, first + piece):
            stands_for_it &= row[other] != row[first + piece]
        count += stands_for_it
    return count


# ---------------------------------------------------------------- listing: several tokens


def note_number(tables: Ints, scratch: Ints, count: int, number: int, leavers: int) -> None:
    """Put a set on the list: its number, and how many tokens it uses that bring pieces out."""
    at = tables[S_NUMBER] + 2 * count
    scratch[at] = number
    scratch[at + 1] = leavers


def list_numbers(row: Ints, tables: Ints, scratch: Ints) -> None:
    """List every choice of tokens that one move may use: single ones first, numbered as their kinds."""
    count = 0
    for kind in range(tables[KINDS]):
        note_number(tables, scratch, count, kind, kind == tables[LEAVER])
        count += waiting(row, tables, kind) > 0
    if tables[COMBINED]:
        dice = dice_left(row, tables)
        if dice == 2:
            number = whole_pool_set(row, tables)
            note_number(tables, scratch, count, number, waiting(row, tables, tables[LEAVER]))
            count += number >= 0
        elif dice > 2:
            count = list_larger_sets(row, tables, scratch, count)
    scratch[NUMBERS] = count


def list_larger_sets(row: Ints, tables: Ints, scratch: Ints, count: int) -> int:
    """List the sets of two tokens and more: count through the pool kind by kind, like an odometer."""
    kinds = tables[KINDS]
    digits = tables[S_SURVEY]  # free until pieces are asked
    for kind in range(kinds):
        scratch[digits + kind] = 0
    key = 0
    size = 0
    while True:
        kind = 0
        while kind < kinds:
            if scratch[digits + kind] < min(waiting(row, tables, kind), tables[tables[T_MOST] + kind]):
                break
            key -= scratch[digits + kind] * tables[tables[T_STRIDE] + kind]
            size -= scratch[digits + kind]
            scratch[digits + kind] = 0
            kind += 1
        if kind == kinds:
            return count
        scratch[digits + kind] += 1
        size += 1
        key += tables[tables[T_STRIDE] + kind]
        number = tables[tables[T_SET_OF_KEY] + key]
        if number >= 0 and size > 1:
            note_number(tables, scratch, count, number, scratch[digits + tables[LEAVER]])
            count += 1


def whole_pool_set(row: Ints, tables: Ints) -> int:
    """The set of all tokens that can be combined, or -1 where no move can use them all."""
    key = 0
    for kind in range(tables[KINDS]):
        if combines(tables, kind):
            dice = waiting(row, tables, kind)
            if dice > tables[tables[T_MOST] + kind]:
                return -1
            key += dice * tables[tables[T_STRIDE] + kind]
    return tables[tables[T_SET_OF_KEY] + key]


def set_reach(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, number: int) -> int:
    """Where a set of tokens takes a piece in play (after a survey from its node), or minus the reason."""
    if number < tables[KINDS]:
        return reach(row, tables, scratch, bank, seat, node, number, 0)
    return combined_reach(row, tables, scratch, bank, seat, node, set_total(tables, number))


def list_in_play(
    row: Ints, tables: Ints, scratch: Ints, bank: int, own: int, turned: int, seat: int, count: int
) -> int:
    """List what a colour's pieces on path and end path can do with the sets of the pool."""
    farthest = 0
    if tables[COMBINED] and dice_left(row, tables) > 1:
        farthest = dice_total_left(row, tables)
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, seat, piece)])
        if node >= tables[FINISH] or not first_free_on_its_node(row, tables, seat, piece):
            continue
        if farthest:
            survey(row, tables, scratch, bank, seat, node, farthest)
        spot = turned * tables[PIECES] + piece
        for at in range(tables[S_NUMBER], tables[S_NUMBER] + 2 * scratch[NUMBERS], 2):
            number = scratch[at]
            if not may_move_by_set(row, tables, own, seat, number):
                continue
            if number >= tables[KINDS]:
                scratch[tables[S_MOVES] + count] = step_action(tables, number, spot, 0)
                total = set_total(tables, number)
                count += combined_reach(row, tables, scratch, bank, seat, node, total) >= 0
            elif tables[SWAPS] and effect_of(tables, number) == SWAP:
                count = list_swaps(row, tables, scratch, bank, seat, piece, count)
            else:
                count = list_ways(row, tables, scratch, bank, seat, spot, node, number, count)
    return count


def list_from(
    row: Ints, tables: Ints, scratch: Ints, bank: int, own: int, turned: int, seat: int, node: int, count: int
) -> int:
    """List what single tokens do with a colour's pieces on a node outside the board: come out, be bought back."""
    for leaver in range(tables[LEAVERS]):
        kind = tables[tables[T_LEAVER] + leaver]
        if waiting(row, tables, kind) and may_move(row, tables, own, seat, kind):
            action = outside_action(tables, turned, node, kind, 0)
            for way in range(tables[WAYS]):
                scratch[tables[S_MOVES] + count] = action + way
                count += reach(row, tables, scratch, bank, seat, node, kind, way) >= 0
    return count


def first_held(row: Ints, tables: Ints, seat: int) -> int:
    """Where the held piece is that would be bought back: with the captor that comes first in seat order; or -1."""
    if tables[HOLDS]:
        for node in range(tables[HELD], tables[HELD] + tables[PLAYERS]):
            if stands_on(row, tables, seat, node):
                return node
    return -1


def list_pool(row: Ints, tables: Ints, scratch: Ints, own: int) -> int:
    """List every use of the tokens in the pool."""
    if tables[FORCED]:
        forced = forced_move(row, tables, scratch, own)
        if forced >= 0:
            scratch[tables[S_MOVES]] = forced
            return 1
    list_numbers(row, tables, scratch)
    count = 0
    for turned in range(tables[MOVERS]):
        seat = seat_on_from(tables, own, turned)
        bank = bank_of(row, tables, seat)
        look_ahead(row, tables, scratch, bank, seat)
        count = list_in_play(row, tables, scratch, bank, own, turned, seat, count)
        if stands_on(row, tables, seat, tables[START]):
            before = count
            count = list_from(row, tables, scratch, bank, own, turned, seat, tables[START], count)
            if tables[GO_ON] and turned == 0 and count > before:
                count = list_going_on(row, tables, scratch, bank, own, before, count)
        held = first_held(row, tables, seat)
        if held >= 0:
            count = list_from(row, tables, scratch, bank, own, turned, seat, held, count)
    pieces = special_pieces(row, tables, own)
    if pieces:
        scratch[tables[S_MOVES] + count] = tables[A_SPECIAL] + pieces - 2
        count += 1
    return count


# ---------------------------------------------------------------- several tokens as one move (F20-F32)


def can_use_alone(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int) -> bool:
    """Whether some waiting token moves a colour's piece from a node by itself (after look_ahead)."""
    for kind in range(tables[KINDS]):
        if waiting(row, tables, kind) and reach(row, tables, scratch, bank, seat, node, kind, 0) >= 0:
            return True
    return False


def one_frees(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int) -> bool:
    """Whether a token can bring out or buy back a piece, the special move included (F27)."""
    if stands_on(row, tables, seat, tables[START]):
        if can_use_alone(row, tables, scratch, bank, seat, tables[START]):
            return True
    held = first_held(row, tables, seat)
    if held >= 0 and can_use_alone(row, tables, scratch, bank, seat, held):
        return True
    return special_pieces(row, tables, seat) > 0


def forced_move(row: Ints, tables: Ints, scratch: Ints, seat: int) -> int:
    """The one legal action where a lone piece must use all dice left (F26), or -1."""
    bank = bank_of(row, tables, seat)
    look_ahead(row, tables, scratch, bank, seat)
    if count_in_play(row, tables, seat) != 1 or one_frees(row, tables, scratch, bank, seat):
        return -1
    number = whole_pool_set(row, tables)
    if number < 0 or dice_left(row, tables) != tokens_left(row, tables):
        return -1
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, seat, piece)])
        if node < tables[FINISH] and not is_frozen(row, tables, seat, piece):
            if number >= tables[KINDS]:
                survey(row, tables, scratch, bank, seat, node, set_total(tables, number))
            if set_reach(row, tables, scratch, bank, seat, node, number) >= 0:
                return step_action(tables, number, piece, 0)
    return -1


def another_can_move(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int) -> bool:
    """Whether, after one token for coming out, some piece in play can use a single one of those left (F29)."""
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, seat, piece)])
        if node >= tables[FINISH] or is_frozen(row, tables, seat, piece):
            continue
        for kind in range(tables[KINDS]):
            left = waiting(row, tables, kind) - (kind == tables[LEAVER])
            if left > 0 and reach(row, tables, scratch, bank, seat, node, kind, 0) >= 0:
                return True
    return False


def must_go_on(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int) -> bool:
    """Whether a piece that comes out has to go on with the dice left (F29)."""
    if waiting(row, tables, tables[LEAVER]) >= 2:
        if count_on(row, tables, seat, tables[START]) >= 2 or count_held(row, tables, seat) >= 1:
            return False
    return not another_can_move(row, tables, scratch, bank, seat)


def list_going_on(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, before: int, count: int) -> int:
    """List `out+`: a piece comes out and goes on with a part of the dice left, as one sweep (F30, F32).

    `before` is where the list had the move that only comes out.
    """
    if dice_left(row, tables) == 1:
        return count
    moves = tables[S_MOVES]
    entry = tables[tables[T_ENTRY] + seat]
    survey(row, tables, scratch, bank, seat, entry, dice_total_left(row, tables) - distance_of(tables, tables[LEAVER]))
    for at in range(tables[S_NUMBER], tables[S_NUMBER] + 2 * scratch[NUMBERS], 2):
        number = scratch[at]
        if scratch[at + 1] >= waiting(row, tables, tables[LEAVER]) or not combines_all(tables, number):
            continue
        if combined_reach(row, tables, scratch, bank, seat, entry, set_total(tables, number)) >= 0:
            scratch[moves + count] = tables[A_ON] + number
            count += 1
    if count == before + 1 or not must_go_on(row, tables, scratch, bank, seat):
        return count
    # F29: all dice left as one move; F31: where that is impossible, any legal part
    size = dice_left(row, tables) - 1
    for at in range(moves + before + 1, moves + count):
        if set_size(tables, scratch[at] - tables[A_ON]) == size:
            scratch[moves + before] = scratch[at]
            return before + 1
    for at in range(moves + before, moves + count - 1):
        scratch[at] = scratch[at + 1]
    return count - 1


def combines_all(tables: Ints, number: int) -> bool:
    """Whether a set has only tokens that may be part of a combined move."""
    return number >= tables[KINDS] or combines(tables, number)


# ---------------------------------------------------------------- the special move out, and buying back (F11, F15, F16)


def enemies_on(row: Ints, tables: Ints, seat: int, tile: int) -> int:
    """How many pieces of other sides stand on a tile."""
    count = 0
    for other in range(tables[PLAYERS]):
        if side_of(tables, other) != side_of(tables, seat):
            count += count_on(row, tables, other, tile)
    return count


def is_block_of_enemies(row: Ints, tables: Ints, seat: int, tile: int) -> bool:
    """Whether one enemy side has two or more pieces on a tile (F13)."""
    for other in range(tables[PLAYERS]):
        count = count_on(row, tables, other, tile)
        if tables[TEAMS]:
            count += count_on(row, tables, partner(tables, other), tile)
        if count >= 2 and side_of(tables, other) != side_of(tables, seat):
            return True
    return False


def why_no_special(row: Ints, tables: Ints, seat: int, pieces: int) -> int:
    """LEGAL, or why the special move out with this many pieces is not (F15, F16)."""
    entry = tables[tables[T_ENTRY] + seat]
    if tables[SPECIAL] == 0 or pieces < 2 or enemies_on(row, tables, seat, entry) != pieces:
        return WHY_NO_SPECIAL
    if not is_block_of_enemies(row, tables, seat, entry):
        return WHY_NO_SPECIAL
    in_yard = count_on(row, tables, seat, tables[START])
    if in_yard == 0 or in_yard + count_held(row, tables, seat) < pieces:
        return WHY_SPECIAL_NEEDS_PIECES
    if waiting(row, tables, tables[LEAVER]) < pieces:
        return WHY_SPECIAL_NEEDS_SIXES
    return LEGAL


def special_pieces(row: Ints, tables: Ints, seat: int) -> int:
    """How many pieces the special move out would bring now; 0 where it is not legal."""
    if tables[SPECIAL] == 0 or waiting(row, tables, tables[LEAVER]) < 2:
        return 0
    pieces = enemies_on(row, tables, seat, tables[tables[T_ENTRY] + seat])
    return pieces if why_no_special(row, tables, seat, pieces) == LEGAL else 0


def buy_back(row: Ints, tables: Ints, scratch: Ints, seat: int) -> None:
    """Buy back the held piece whose captor comes first in seat order (F11)."""
    node = first_held(row, tables, seat)
    piece = first_piece_on(row, tables, seat, node)
    row[slot(tables, seat, piece)] = tables[START]
    tell(tables, scratch, E_BOUGHT, seat, piece, node, tables[START])


# ---------------------------------------------------------------- duties


def bears_on(row: Ints, tables: Ints, seat: int, tile: int) -> bool:
    """Whether the last piece of another side's colour stands right behind a tile (F33, F35)."""
    for other in range(tables[PLAYERS]):
        if side_of(tables, other) == side_of(tables, seat):
            continue
        if count_on(row, tables, other, tables[FINISH]) != tables[PIECES] - 1:
            continue
        ahead = bank_of(row, tables, other) + tables[B_AHEAD] + other * tables[NODES] * tables[WORDS]
        for piece in range(tables[PIECES]):
            node = int(row[slot(tables, other, piece)])
            if node < tables[TILES]:
                word = tile // TILES_PER_WORD
                if tables[ahead + node * tables[WORDS] + word] & bit_of(tables, tile, word):
                    return True
    return False


def stands_in_the_way(row: Ints, tables: Ints, seat: int, tile: int) -> bool:
    """Whether a colour's pieces on a tile block the last piece of a player right behind it (F33, F35)."""
    return count_on(row, tables, seat, tile) >= 2 and bears_on(row, tables, seat, tile)


def has_block(row: Ints, tables: Ints, scratch: Ints, seat: int) -> bool:
    """Whether a colour's side has two pieces together anywhere."""
    met = 0
    for word in range(tables[WORDS]):
        met |= pairs_of(row, tables, scratch, seat, word)
    return met != 0


def somebody_has_one_left(row: Ints, tables: Ints) -> bool:
    """Whether some player has all pieces but one at the finish (F33)."""
    for seat in range(tables[PLAYERS]):
        if count_on(row, tables, seat, tables[FINISH]) == tables[PIECES] - 1:
            return True
    return False


def keep_unblocking(row: Ints, tables: Ints, scratch: Ints, own: int, count: int, keep: bool) -> int:
    """How many listed moves take a piece off a stack that must give way (F33, F34); with `keep`, keep only those."""
    if not has_block(row, tables, scratch, own) or not somebody_has_one_left(row, tables):
        return 0
    moves = tables[S_MOVES]
    kept = 0
    for number in range(count):
        action = scratch[moves + number]
        if is_step(tables, action) and seat_of_action(row, tables, action) == own:
            node = node_of_action(row, tables, action)
            if node < tables[TILES] and stands_in_the_way(row, tables, own, node):
                if keep:
                    scratch[moves + kept] = action
                kept += 1
    return kept


def action_target(row: Ints, tables: Ints, scratch: Ints, action: int) -> int:
    """Where a step, combined or not, ends, or minus the reason why it is closed, duties apart."""
    seat = seat_of_action(row, tables, action)
    bank = bank_of(row, tables, seat)
    look_ahead(row, tables, scratch, bank, seat)
    node = node_of_action(row, tables, action)
    number = number_of(row, tables, action)
    if number >= tables[KINDS]:
        survey(row, tables, scratch, bank, seat, node, set_total(tables, number))
        return combined_reach(row, tables, scratch, bank, seat, node, set_total(tables, number))
    return reach(row, tables, scratch, bank, seat, node, number, way_of(tables, action))


def would_capture(row: Ints, tables: Ints, scratch: Ints, action: int) -> bool:
    """Whether a listed move captures, or lands where it would (L29)."""
    own = mover(row, tables)
    if action >= tables[A_SWAP]:
        return False
    if action >= tables[A_SPECIAL]:
        return True
    if not is_step(tables, action):
        bank = bank_of(row, tables, own)
        look_ahead(row, tables, scratch, bank, own)
        entry = tables[tables[T_ENTRY] + own]
        total = set_total(tables, action - tables[A_ON])
        survey(row, tables, scratch, bank, own, entry, total)
        place = combined_reach(row, tables, scratch, bank, own, entry, total)
        return 0 <= place < tables[TILES] and meets(row, tables, scratch, bank, own, place) == TAKES
    target = action_target(row, tables, scratch, action)
    if target < 0:
        return False
    seat = seat_of_action(row, tables, action)
    bank = bank_of(row, tables, seat)
    place = target & NODE
    if place < tables[TILES] and meets(row, tables, scratch, bank, seat, place) == TAKES:
        return True
    node = node_of_action(row, tables, action)
    number = number_of(row, tables, action)
    if tables[bank + O_CAPTURE_BY] != BY_PASSING or node >= tables[FINISH] or number >= tables[KINDS]:
        return False
    track = bank + tables[B_TRACK] + way_index(tables, seat, node, number, way_of(tables, action))
    tracks = bank + tables[B_TRACKS]
    for at in range(tracks + tables[track], tracks + tables[track + 1]):
        if tables[at] < tables[TILES] and meets(row, tables, scratch, bank, seat, tables[at]) == TAKES:
            return True
    return False


def keep_captures(row: Ints, tables: Ints, scratch: Ints, count: int) -> int:
    """Keep only the moves that capture, if there are some (L29); returns how many."""
    moves = tables[S_MOVES]
    kept = 0
    for number in range(count):
        action = scratch[moves + number]
        if would_capture(row, tables, scratch, action):
            scratch[moves + kept] = action
            kept += 1
    return kept


def moves_from(row: Ints, tables: Ints, own: int, node: int, action: int) -> bool:
    """Whether an action moves an own piece that stands on a node."""
    if not is_step(tables, action):
        return action < tables[A_SWAP] and node == tables[START]
    return seat_of_action(row, tables, action) == own and node_of_action(row, tables, action) == node


def keep_from(row: Ints, tables: Ints, scratch: Ints, own: int, node: int, count: int) -> int:
    """Keep only the moves of own pieces on a node, if there are some; returns how many."""
    moves = tables[S_MOVES]
    kept = 0
    for number in range(count):
        action = scratch[moves + number]
        if moves_from(row, tables, own, node, action):
            scratch[moves + kept] = action
            kept += 1
    return kept


def keep_first_duty(row: Ints, tables: Ints, scratch: Ints, bank: int, own: int, count: int) -> int:
    """Keep only the moves that do the first duty which some move can do; 0 where none is done.

    In order: break up a block, capture, clear the entry tile, come out.
    """
    kept = 0
    if tables[bank + O_UNBLOCK_DUTY] and row[UNBLOCKED] == 0:
        if keep_unblocking(row, tables, scratch, own, count, False):  # F37: nothing off the stack, no duty
            return keep_unblocking(row, tables, scratch, own, count, True)
    if tables[bank + O_CAPTURE_DUTY]:
        kept = keep_captures(row, tables, scratch, count)
    if kept == 0 and stands_on(row, tables, own, tables[START]):
        if tables[bank + O_CLEAR_ENTRY]:
            kept = keep_from(row, tables, scratch, own, tables[tables[T_ENTRY] + own], count)
        if kept == 0 and tables[bank + O_COMPULSORY]:
            kept = keep_from(row, tables, scratch, own, tables[START], count)
    return kept


def keep_duties(row: Ints, tables: Ints, scratch: Ints, bank: int, own: int, count: int) -> int:
    """Keep only the moves that a duty leaves; returns how many."""
    kept = keep_first_duty(row, tables, scratch, bank, own, count)
    if kept == 0:
        return count
    if tables[PLAIN]:
        movable = 0
        for number in range(kept):
            movable |= pieces_on(row, tables, own, node_of_action(row, tables, scratch[tables[S_MOVES] + number]))
        scratch[MOVABLE] = movable
    return kept


# ---------------------------------------------------------------- the legal moves


def list_moves(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List every use of the tokens left, duties not yet asked; 0 where there is none."""
    own = mover(row, tables)
    if tables[PLAIN]:
        return list_one_plain(row, tables, scratch, own)
    if tables[SINGLE]:
        return list_one(row, tables, scratch, own)
    return list_pool(row, tables, scratch, own)


def keep_legal(row: Ints, tables: Ints, scratch: Ints, count: int) -> int:
    """Of the listed moves keep those that the duties leave, and let pass who may or must (Z19, S18, F8, S50)."""
    own = mover(row, tables)
    bank = bank_of(row, tables, own)
    if count and (
        tables[bank + O_UNBLOCK_DUTY]
        | tables[bank + O_CAPTURE_DUTY]
        | tables[bank + O_CLEAR_ENTRY]
        | tables[bank + O_COMPULSORY]
    ):
        count = keep_duties(row, tables, scratch, bank, own, count)
    if count == 0 or tables[bank + O_MAY_PASS]:
        scratch[tables[S_MOVES] + count] = tables[A_PASS]
        count += 1
    scratch[COUNT] = count
    scratch[FRESH] = 1
    return count


def legal(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List the legal actions of a decision at scratch[S_MOVES…] and count them; `pass` where there is none."""
    if scratch[FRESH]:
        return scratch[COUNT]
    return keep_legal(row, tables, scratch, list_moves(row, tables, scratch))


# ---------------------------------------------------------------- playing


def lift(row: Ints, tables: Ints, scratch: Ints, seat: int, piece: int, target: int) -> None:
    """Take a piece up, and tell where it goes."""
    node = int(row[slot(tables, seat, piece)])
    put(tables, scratch, seat, node, -1)
    what = E_MOVED if node < tables[FINISH] else E_CAME_OUT if node == tables[START] else E_BOUGHT
    tell(tables, scratch, what, seat, piece, node, target & NODE)


def freeze_if_it_captured(row: Ints, tables: Ints, scratch: Ints, seat: int, piece: int) -> None:
    """A piece that captured stays for the rest of the turn (F24)."""
    if tables[FREEZES] & 1 and scratch[CAPTURES]:
        row[tables[R_FROZEN] + seat] |= 1 << piece


def play_step(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Move a piece on a way with a token. A legal move gets where its way ends: what could stop it has been asked."""
    seat = seat_of_action(row, tables, action)
    piece = piece_of_step(row, tables, seat, action)
    kind = number_of(row, tables, action)
    bank = bank_of(row, tables, seat)
    node = int(row[slot(tables, seat, piece)])
    index = way_index(tables, seat, node, kind, way_of(tables, action))
    target = tables[bank + tables[B_TARGET] + index]
    if tables[bank + O_CAPTURE_BY] == BY_SWEEP and node < tables[FINISH]:
        look_ahead(row, tables, scratch, bank, seat)
        swept = sweep_end(row, tables, scratch, bank, seat, index)
        if swept != target:
            tell(tables, scratch, E_SWEPT, seat, piece, swept, target & NODE)
        target = swept
    use_token(row, tables, kind)
    lift(row, tables, scratch, seat, piece, target)
    if tables[bank + O_CAPTURE_BY] == BY_PASSING and node < tables[FINISH]:
        take_in_passing(row, tables, scratch, bank, seat, index)
    land(row, tables, scratch, bank, seat, piece, target)
    freeze_if_it_captured(row, tables, scratch, seat, piece)


def play_combined(row: Ints, tables: Ints, scratch: Ints, seat: int, piece: int, node: int, number: int) -> None:
    """Move a piece from a node (its own, or its entry tile) with a set of tokens as one move (F20, F21, F30)."""
    bank = bank_of(row, tables, seat)
    look_ahead(row, tables, scratch, bank, seat)
    total = set_total(tables, number)
    survey(row, tables, scratch, bank, seat, node, total)
    target = combined_reach(row, tables, scratch, bank, seat, node, total)
    spend(row, tables, number)
    lift(row, tables, scratch, seat, piece, target)
    lost = total - combined_steps(tables, scratch, total)
    if lost:
        tell(tables, scratch, E_LOST_TOKENS, seat, piece, lost, target)
    land(row, tables, scratch, bank, seat, piece, target)
    freeze_if_it_captured(row, tables, scratch, seat, piece)


def play_out_and_on(row: Ints, tables: Ints, scratch: Ints, seat: int, number: int) -> None:
    """Bring a piece out and on with a set of tokens: the entry tile itself is not swept (F30)."""
    piece = first_piece_on(row, tables, seat, tables[START])
    use_token(row, tables, tables[LEAVER])
    play_combined(row, tables, scratch, seat, piece, tables[tables[T_ENTRY] + seat], number)


def play_special(row: Ints, tables: Ints, scratch: Ints, seat: int, pieces: int) -> None:
    """The special move out: as many pieces as the block has, the missing ones bought back first (F15, F16)."""
    entry = tables[tables[T_ENTRY] + seat]
    while count_on(row, tables, seat, tables[START]) < pieces:
        buy_back(row, tables, scratch, seat)
    take(row, tables, scratch, bank_of(row, tables, seat), seat, entry)
    row[tables[R_POOL] + tables[LEAVER]] -= pieces
    for _ in range(pieces):
        piece = first_piece_on(row, tables, seat, tables[START])
        tell(tables, scratch, E_CAME_OUT, seat, piece, tables[START], entry)
        row[slot(tables, seat, piece)] = entry
        put(tables, scratch, seat, entry, 1)
        row[tables[R_FROZEN] + seat] |= 1 << piece  # F19
    scratch[LANDED] = entry
    scratch[OWNER] = seat


def play_swap(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Two pieces change places (L14)."""
    number = action - tables[A_SWAP]
    pieces, players = tables[PIECES], tables[PLAYERS]
    own = mover(row, tables)
    piece, rival = number // (players * pieces), number % pieces
    other = (own + number // pieces % players) % players
    mine, theirs = slot(tables, own, piece), slot(tables, other, rival)
    here, there = int(row[mine]), int(row[theirs])
    put(tables, scratch, own, here, -1)
    put(tables, scratch, other, there, -1)
    row[mine] = there
    row[theirs] = here
    put(tables, scratch, own, there, 1)
    put(tables, scratch, other, here, 1)
    for kind in range(tables[KINDS]):
        if effect_of(tables, kind) == SWAP:
            use_token(row, tables, kind)
    tell(tables, scratch, E_SWAPPED, own, piece, here, there)
    tell(tables, scratch, E_SWAPPED, other, rival, there, here)
    scratch[LANDED] = there
    scratch[OWNER] = own


def count_what_happened(row: Ints, tables: Ints, scratch: Ints) -> None:
    """After a move that captured or came home: counts, points, bonus tokens and another roll for it (Z17, L18, L20)."""
    owner = scratch[OWNER]
    bank = bank_of(row, tables, int(row[TURN]))
    if scratch[CAPTURES]:
        if tables[CAPTURE_CAP]:
            at = tables[R_CAPTURES] + owner
            row[at] = min(tables[CAPTURE_CAP], row[at] + scratch[CAPTURES])
        if tables[BONUSES] and tables[bank + O_CAPTURE_BONUS] >= 0:
            row[tables[R_POOL] + tables[bank + O_CAPTURE_BONUS]] += scratch[CAPTURES]
            tell(tables, scratch, E_BONUS, owner, scratch[CAPTURES], 0, tables[bank + O_CAPTURE_BONUS])
    if scratch[HOMECOMING] and tables[BONUSES] and tables[bank + O_FINISH_BONUS] >= 0:
        row[tables[R_POOL] + tables[bank + O_FINISH_BONUS]] += 1
        tell(tables, scratch, E_BONUS, owner, 1, 0, tables[bank + O_FINISH_BONUS])
    if tables[SCORE]:
        points = scratch[CAPTURES] * tables[CAPTURE_POINTS] + scratch[HOMECOMING] * tables[HOME_POINTS]
        row[tables[R_SCORE] + owner] = min(30_000, row[tables[R_SCORE] + owner] + points)
    captured_again = scratch[CAPTURES] and tables[bank + O_AGAIN_CAPTURE]
    finished_again = scratch[HOMECOMING] and tables[bank + O_AGAIN_FINISH]
    if captured_again or finished_again:
        row[AGAIN] = max(row[AGAIN], AGAIN_IF_PLAYED)
        tell(tables, scratch, E_AGAIN, owner, 0, 0, 0)
    if tables[HOME_BIT] >= 0 and scratch[CAPTURES]:
        open_the_way_home(row, tables, scratch, owner)


def apply(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Play a legal action."""
    scratch[FRESH] = 0
    scratch[CAPTURES] = 0
    scratch[HOMECOMING] = 0
    if action == tables[A_PASS]:
        stop_playing(row, tables, scratch)
        return
    if tables[SPECIAL] and tables[A_SPECIAL] <= action < tables[A_SWAP]:
        play_special(row, tables, scratch, mover(row, tables), action - tables[A_SPECIAL] + 2)
    elif tables[GO_ON] and tables[A_ON] <= action < tables[A_BUY]:
        play_out_and_on(row, tables, scratch, mover(row, tables), action - tables[A_ON])
    elif tables[SWAPS] and action >= tables[A_SWAP]:
        play_swap(row, tables, scratch, action)
    elif tables[COMBINED] and number_of(row, tables, action) >= tables[KINDS]:
        seat, piece = seat_of_action(row, tables, action), piece_of_action(row, tables, action)
        node = int(row[slot(tables, seat, piece)])
        play_combined(row, tables, scratch, seat, piece, node, number_of(row, tables, action))
    else:
        play_step(row, tables, scratch, action)
    if scratch[CAPTURES] | scratch[HOMECOMING]:
        count_what_happened(row, tables, scratch)
    if tables[CHANGES]:
        make_changes(row, tables, scratch, False)
    may_end = scratch[LANDED] >= tables[TILES] or tables[SCORE]
    if may_end and give_places(row, tables, scratch, scratch[OWNER]):
        return
    go_on(row, tables, scratch)


def stop_playing(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Pass: the tokens are lost; another roll only where the rules leave it (Z19), or an attempt is left (T14)."""
    bank = bank_of(row, tables, int(row[TURN]))
    stays = row[AGAIN] == AGAIN_ANYWAY or (row[AGAIN] == AGAIN_IF_PLAYED and tables[bank + O_SIX_STAYS])
    if stays or 0 < row[ROLLS] < tables[bank + O_ATTEMPTS]:
        roll_again(row, tables)
    else:
        pass_turn_on(row, tables, scratch, TURN_NO_MOVE)


def roll_again(row: Ints, tables: Ints) -> None:
    """The same player rolls once more."""
    clear_pool(row, tables)
    row[AGAIN] = 0
    row[STAGE] = CHANCE


def go_on(row: Ints, tables: Ints, scratch: Ints) -> None:
    """After a move: the same player decides again, rolls again, or the turn passes on (F7, S47-S51)."""
    why = TURN_PLAYED
    if row[tables[R_PLACE] + row[TURN]] == 0:
        if tables[POOLED] and tokens_left(row, tables):
            if decide_again(row, tables, scratch):
                return
            why = TURN_LOST_REST
        if row[AGAIN]:
            roll_again(row, tables)
            return
    pass_turn_on(row, tables, scratch, why)


def decide_again(row: Ints, tables: Ints, scratch: Ints) -> bool:
    """Whether a token that is left has a legal use: then the same player decides again."""
    row[UNBLOCKED] = 0
    count = list_moves(row, tables, scratch)
    if count == 0:
        return False
    own = mover(row, tables)
    if tables[bank_of(row, tables, own) + O_UNBLOCK_DUTY]:
        # F33: asked once a turn, so a turn that has begun is free of it
        row[UNBLOCKED] = keep_unblocking(row, tables, scratch, own, count, False) > 0
    keep_legal(row, tables, scratch, count)
    return True


# ---------------------------------------------------------------- why not


def why_not(row: Ints, tables: Ints, scratch: Ints, action: int) -> int:
    """Why an action is not legal: the first rule that forbids it (after `legal`)."""
    if action == tables[A_PASS]:
        return WHY_MUST_MOVE
    if action >= tables[A_SWAP]:
        return WHY_NO_SWAP
    own = mover(row, tables)
    if action >= tables[A_SPECIAL]:
        why = why_no_special(row, tables, own, action - tables[A_SPECIAL] + 2)
    elif not is_step(tables, action):
        why = why_not_on(row, tables, scratch, own, action - tables[A_ON])
    else:
        why = why_not_step(row, tables, scratch, own, action)
    return why if why != LEGAL else why_a_duty(row, tables, scratch, own, action)


def why_not_step(row: Ints, tables: Ints, scratch: Ints, own: int, action: int) -> int:
    """Why a piece can't use a token or a set of them, duties apart."""
    seat = seat_of_action(row, tables, action)
    piece = piece_of_action(row, tables, action)
    number = number_of(row, tables, action)
    node = int(row[slot(tables, seat, piece)])
    if number < 0:
        return WHY_NO_SUCH_DIE
    if is_from_outside(tables, action):
        if action < tables[A_ON] and node != tables[START]:
            return WHY_NOBODY_IN_YARD
        if action >= tables[A_BUY] and node < tables[HELD]:
            return WHY_NOBODY_TO_BUY
    if tables[POOLED] and lacks(row, tables, number, 0):
        return outside_needs_its_face(row, tables, seat, node, number)
    if not may_move_by_set(row, tables, own, seat, number):
        return WHY_NOT_MOVED_BY_YOU
    if is_frozen(row, tables, seat, piece) and node < tables[FINISH]:
        return WHY_FROZEN
    if number < tables[KINDS] and effect_of(tables, number) == SWAP:
        return WHY_NO_SWAP
    if number >= tables[KINDS] and node >= tables[FINISH]:
        return WHY_FINISHED if node == tables[FINISH] else WHY_NEEDS_FACE if node == tables[START] else WHY_HELD
    return max(0, -action_target(row, tables, scratch, action))


def outside_needs_its_face(row: Ints, tables: Ints, seat: int, node: int, number: int) -> int:
    """Why a token that is not there brings nobody out or back."""
    bank = bank_of(row, tables, seat)
    leaves = number < tables[KINDS] and (
        tables[bank + tables[B_TARGET] + way_index(tables, seat, tables[START], number, 0)] >= 0
    )
    if leaves and node == tables[START]:
        return WHY_OUT_NEEDS_FACE
    return WHY_BUY_NEEDS_SIX if leaves and node > tables[START] else WHY_NO_SUCH_DIE


def why_not_on(row: Ints, tables: Ints, scratch: Ints, seat: int, number: int) -> int:
    """Why no piece can come out and go on, duties apart."""
    if not stands_on(row, tables, seat, tables[START]):
        return WHY_NOBODY_IN_YARD
    if waiting(row, tables, tables[LEAVER]) == 0:
        return WHY_OUT_NEEDS_FACE
    bank = bank_of(row, tables, seat)
    look_ahead(row, tables, scratch, bank, seat)
    out = reach(row, tables, scratch, bank, seat, tables[START], tables[LEAVER], 0)
    if out < 0:
        return -out
    if lacks(row, tables, number, 1):
        return WHY_NO_SUCH_DIE
    entry, total = tables[tables[T_ENTRY] + seat], set_total(tables, number)
    survey(row, tables, scratch, bank, seat, entry, total)
    return max(0, -combined_reach(row, tables, scratch, bank, seat, entry, total))


def why_a_duty(row: Ints, tables: Ints, scratch: Ints, own: int, action: int) -> int:
    """Which duty forbids an action that nothing else forbids."""
    bank = bank_of(row, tables, own)
    if is_step(tables, action) and waits_behind(
        row, tables, seat_of_action(row, tables, action), piece_of_action(row, tables, action)
    ):
        return WHY_HELD
    first = scratch[tables[S_MOVES]]
    count = list_moves(row, tables, scratch)
    if tables[bank + O_UNBLOCK_DUTY] and row[UNBLOCKED] == 0:
        if keep_unblocking(row, tables, scratch, own, count, False):
            return WHY_MUST_UNBLOCK
    if tables[bank + O_CAPTURE_DUTY] and would_capture(row, tables, scratch, first):
        return WHY_MUST_CAPTURE
    if tables[GO_ON] and moves_from(row, tables, own, tables[START], action):
        return WHY_MUST_GO_ON
    if tables[FORCED] and count == 1 and action < tables[A_OUT]:
        return WHY_MUST_COMBINE
    if first != tables[A_PASS] and moves_from(row, tables, own, tables[START], first):
        return WHY_MUST_COME_OUT
    return WHY_MUST_CLEAR_ENTRY


# ---------------------------------------------------------------- entries


def tell_api(row: Int16s, tables: Ints, scratch: Ints, action: int) -> int:
    """Play a legal action and note what happens at scratch[S_EVENTS…]; returns how many events there are."""
    scan(row, tables, scratch)
    scratch[EVENTS] = 0
    scratch[TELLING] = 1
    apply(row, tables, scratch, action)
    scratch[TELLING] = 0
    return scratch[EVENTS]


def tell_chance_api(row: Int16s, tables: Ints, scratch: Ints, outcome: int) -> int:
    """Apply a chance outcome and note what happens; returns how many events there are."""
    scan(row, tables, scratch)
    scratch[EVENTS] = 0
    scratch[TELLING] = 1
    chance(row, tables, scratch, outcome)
    scratch[TELLING] = 0
    return scratch[EVENTS]


def play_at_random(row: Ints, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """One ply of uniform random play; returns how many pieces it captured."""
    if row[STAGE] == CHANCE:
        chance(row, tables, scratch, draw_chance(row, tables, scratch, key, ply))
        return 0
    count = legal(row, tables, scratch)
    choice = below(key, ply, count) if count > 1 else 0
    apply(row, tables, scratch, scratch[tables[S_MOVES] + choice])
    return scratch[CAPTURES]


# ---------------------------------------------------------------- what generic kernels ask of every game


def player_count(tables: Ints) -> int:
    """How many play."""
    return tables[PLAYERS]


def row_size(tables: Ints) -> int:
    """Integers in a row."""
    return tables[ROW_SIZE]


def moves_at(tables: Ints) -> int:
    """Where in the scratch `legal` lists the actions."""
    return tables[S_MOVES]


def captured(scratch: Ints) -> int:
    """Pieces that the last move captured."""
    return scratch[CAPTURES]


def winners(row: Ints, tables: Ints) -> int:
    """How many sides share the first place."""
    sides = 0
    for seat in range(tables[PLAYERS]):
        if row[tables[R_PLACE] + seat] == 1:
            sides |= 1 << side_of(tables, seat)
    count = 0
    for side in range(tables[SIDES]):
        count += (sides >> side) & 1
    return count


def prize(row: Ints, tables: Ints, scratch: Ints, seat: int) -> float:
    """What a seat gets of a game that is over: +1 and -1, or by place, or one from each loser (Z21, Z23, T15)."""
    place = row[tables[R_PLACE] + seat]
    players = tables[PLAYERS]
    if tables[LAST_OUT]:
        return 1.0 if place <= tables[RANKS] and place <= row[PLACED] else -1.0
    if tables[PLAY_ON]:
        return 1.0 - 2.0 * (place - 1) / (players - 1)
    if winners(row, tables) > 1:
        return 0.0 if place == 1 else -1.0
    if place != 1:
        return -1.0
    return players - 1.0 if tables[ZERO_SUM] else 1.0


def mark_legal(row: Ints, tables: Ints, scratch: Ints, count: int, out: MutableSequence[int], at: int) -> None:
    """Write the mask at out[at…]: 1 for each listed action, and for each piece that stands where a listed one does."""
    if tables[PLAIN]:
        movable = scratch[MOVABLE]
        for piece in range(tables[PIECES]):
            out[at + piece] = (movable >> piece) & 1
        out[at + tables[A_PASS]] = movable == 0
        return
    for index in range(at, at + tables[A_PASS] + 1):
        out[index] = 0
    for number in range(count):
        action = scratch[tables[S_MOVES] + number]
        out[at + action] = 1
        if action < tables[A_OUT]:
            mark_steps(row, tables, action, out, at)
        elif tables[SWAPS] and tables[A_SWAP] <= action < tables[A_PASS]:
            mark_swaps(row, tables, action, out, at)


def mark_steps(row: Ints, tables: Ints, action: int, out: MutableSequence[int], at: int) -> None:
    """Mark a step with every piece that stands where its own does and may move."""
    seat, lowest = seat_of_action(row, tables, action), piece_of_action(row, tables, action)
    node = row[slot(tables, seat, lowest)]
    for piece in range(lowest, tables[PIECES]):
        if row[slot(tables, seat, piece)] == node and not is_frozen(row, tables, seat, piece):
            out[at + action + (piece - lowest) * tables[WAYS]] = 1


def mark_swaps(row: Ints, tables: Ints, action: int, out: MutableSequence[int], at: int) -> None:
    """Mark a swap with every piece that stands where its own does, and every one that stands where the rival does."""
    pieces, players = tables[PIECES], tables[PLAYERS]
    number = action - tables[A_SWAP]
    own = mover(row, tables)
    lowest, rival_lowest = number // (players * pieces), number % pieces
    other = (own + number // pieces % players) % players
    here, there = row[slot(tables, own, lowest)], row[slot(tables, other, rival_lowest)]
    for piece in range(lowest, pieces):
        for rival in range(rival_lowest, pieces):
            if row[slot(tables, own, piece)] == here and row[slot(tables, other, rival)] == there:
                out[at + action + (piece - lowest) * players * pieces + rival - rival_lowest] = 1


def begin(scratch: Ints) -> None:
    """A game begins: what the scratch counts over a game is 0."""
    scratch[GAME_TURNS] = 0


def report(row: Ints, tables: Ints, scratch: Ints, moves: int, captures: int, plies: int, out: Ints, at: int) -> None:
    """A game's line at out[at…]: winner, turns, moves, captures, plies, finished."""
    winner = -1
    if row[STAGE] == OVER and winners(row, tables) == 1:
        for seat in range(tables[PLAYERS]):
            if row[tables[R_PLACE] + seat] == 1 and winner < 0:
                winner = seat
    out[at] = winner
    out[at + 1] = scratch[GAME_TURNS]
    out[at + 2] = moves
    out[at + 3] = captures
    out[at + 4] = plies
    out[at + 5] = row[STAGE] == OVER


# ---------------------------------------------------------------- what a player sees


def seat_after(tables: Ints, seat: int, steps: int) -> int:
    """The seat that plays some turns (at most as many as there are players) after another."""
    after = seat + steps
    return after if after < tables[PLAYERS] else after - tables[PLAYERS]


def seen_at(tables: Ints, seat: int, node: int) -> int:
    """A node as a seat counts them: path tiles from its entry tile, held pieces from itself as the captor."""
    return tables[tables[T_SEEN] + seat * tables[NODES] + node]


def observe(row: Ints, tables: Ints, scratch: Ints, seat: int, out: MutableSequence[float], at: int) -> int:
    """Write what a seat sees at out[at…], rotated to it, in [0, 1] (Z29); observe.py names each index.

    First what every rule set has, laid out by its board and tokens, then what only some have: so a rule that is added
    adds numbers at the end and moves none.
    """
    players, places = tables[PLAYERS], tables[PLACES]
    end = at + players * (places + 3) + tables[KINDS] + 5 + tables[PIECES]
    for index in range(at, end):  # all at once; what is not 0 follows
        out[index] = 0.0
    observe_pieces(row, tables, seat, out, at, places)
    observe_seats(row, tables, seat, out, at + players * places)
    observe_tokens(row, tables, out, at + players * (places + 3))
    observe_turn(row, tables, out, end - tables[PIECES] - 5)
    observe_by_index(row, tables, moved_by(row, tables, seat), out, end - tables[PIECES], places)
    return observe_more(row, tables, seat, out, end) - at


def observe_pieces(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], at: int, places: int) -> None:
    """The share of each seat's pieces on each node: the last piece on a node writes how many there are."""
    pieces = tables[PIECES]
    share = 1.0 / pieces
    for turned in range(tables[PLAYERS]):
        first = PIECE_0 + seat_after(tables, seat, turned) * pieces
        for piece in range(first, first + pieces):
            node = int(row[piece])
            count = 1
            for other in range(first, piece):
                count += row[other] == node
            out[at + seen_at(tables, seat, node)] = count * share
        at += places


def observe_seats(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> None:
    """Of each seat: whether it has the turn, whether it has captured (Z10), its place."""
    players, place_at = tables[PLAYERS], tables[R_PLACE]
    out[end + 3 * seat_after(tables, row[TURN], players - seat)] = 1.0
    for turned in range(players):
        other = seat_after(tables, seat, turned)
        if tables[HOME_BIT] >= 0:
            out[end + 3 * turned + 1] = (row[tables[R_CHANGED] + other] >> tables[HOME_BIT]) & 1
        place = row[place_at + other]
        if place:
            out[end + 3 * turned + 2] = place / players


def observe_tokens(row: Ints, tables: Ints, out: MutableSequence[float], end: int) -> None:
    """The token that waits as one of all kinds, or how many of each the pool has."""
    if tables[SINGLE]:
        if row[TOKEN]:
            out[end + row[TOKEN] - 1] = 1.0
        return
    for kind in range(tables[KINDS]):
        out[end + kind] = min(10, row[tables[R_POOL] + kind]) / 10


def observe_turn(row: Ints, tables: Ints, out: MutableSequence[float], end: int) -> None:
    """What holds for the turn and for the whole game."""
    bank = bank_of(row, tables, int(row[TURN]))
    out[end] = row[STAGE] == DECISION
    if row[SIXES]:
        out[end + 1] = min(1.0, row[SIXES] / max(1, tables[bank + O_SIXES_LIMIT]))
    if row[ROLLS]:
        out[end + 2] = min(1.0, row[ROLLS] / tables[bank + O_ATTEMPTS])
    out[end + 3] = tables[TEAMS]
    out[end + 4] = row[UNBLOCKED]


def observe_by_index(row: Ints, tables: Ints, whose: int, out: MutableSequence[float], end: int, places: int) -> None:
    """Which piece of a colour is which: where each one stands, on its own way (0: in the yard)."""
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, whose, piece)])
        out[end + piece] = (node != tables[START]) * (seen_at(tables, whose, node) + 1) / places


def observe_more(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> int:
    """What only some rule sets have, each at the end of those before it."""
    if tables[ROLLS_OFF]:
        end = observe_roll_off(row, tables, seat, out, end)
    if tables[FREEZES]:
        end = observe_frozen(row, tables, seat, out, end)
    if tables[MOVERS] > 1 or tables[SWAPS]:
        for turned in range(1, tables[PLAYERS]):
            observe_by_index(row, tables, seat_after(tables, seat, turned), out, end, tables[PLACES])
            end += tables[PIECES]
    for turned in range(tables[PLAYERS]):
        end = observe_counts(row, tables, seat_after(tables, seat, turned), out, end)
    if tables[COUNT_TURNS]:
        out[end] = row[TURNS] / 10_000
        end += 1
    if tables[REVERSES]:
        out[end] = row[REVERSED]
        end += 1
    if tables[POOLED] | tables[SQUARES]:
        out[end] = row[AGAIN] / 2
        end += 1
    for card in range(tables[DECK]):
        out[end] = row[tables[R_DECK] + card] / tables[tables[T_CARDS] + card]
        end += 1
    return end


def observe_counts(row: Ints, tables: Ints, other: int, out: MutableSequence[float], end: int) -> int:
    """What some rule sets count for each colour."""
    if tables[CAPTURE_CAP]:
        out[end] = row[tables[R_CAPTURES] + other] / tables[CAPTURE_CAP]
        end += 1
    if tables[LOST_CAP]:
        out[end] = row[tables[R_LOST] + other] / tables[LOST_CAP]
        end += 1
    if tables[SKIPS]:
        out[end] = row[tables[R_SKIP] + other] / 9
        end += 1
    if tables[SCORE]:
        out[end] = min(1.0, row[tables[R_SCORE] + other] / tables[SCORE])
        end += 1
    if tables[SIXES_STAY]:
        out[end] = row[tables[R_SIXES] + other] / 9
        end += 1
    for number in range(tables[CHANGES]):
        out[end] = (row[tables[R_CHANGED] + other] >> number) & 1
        end += 1
    return end


def observe_roll_off(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> int:
    """Who takes part in deciding who begins, and what they have rolled."""
    for turned in range(tables[PLAYERS]):
        other = seat_after(tables, seat, turned)
        total = row[tables[R_SUM] + other]
        out[end + 2 * turned] = (row[ROLLOFF_IN] >> other) & 1
        out[end + 2 * turned + 1] = max(0, total - SUM_IS_THERE) / tables[MOST_TOTAL] if total else 0.0
    return end + 2 * tables[PLAYERS]


def observe_frozen(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> int:
    """Which of the mover's pieces may not move again this turn, by tile as the observer counts them."""
    for index in range(end, end + tables[FINISH]):
        out[index] = 0.0
    whose = mover(row, tables)
    if row[tables[R_FROZEN] + whose]:
        for piece in range(tables[PIECES]):
            node = int(row[slot(tables, whose, piece)])
            if is_frozen(row, tables, whose, piece) and node < tables[FINISH]:
                out[end + seen_at(tables, seat, node)] += 1.0 / tables[PIECES]
    return end + tables[FINISH]
