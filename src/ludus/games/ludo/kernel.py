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
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.random import below

# what most plies run through: the compiler inlines these
INLINED = (
    "slot", "pool_slot", "captures_slot", "lost_slot", "changed_slot", "skip_slot", "sum_slot", "place_slot",
    "score_slot", "deck_slot", "frozen_slot", "sixes_slot", "listed", "list_move", "noted_set", "noted_leavers",
    "event_part", "stop_slot", "pair_slot", "survey_slot", "side_of", "enemy_bits", "entry_of", "bit_of",
    "node_before", "leads_home", "seen_at", "cards_of", "swaps_of",
    "hand_slot", "given_slot", "fresh_slot", "card_of", "effect_of", "whose_of", "distance_of", "combines",
    "leaving_kind", "most_of", "stride_of", "set_with_key", "set_at", "set_size", "set_total", "count_in_set",
    "bank_of", "way_index", "way_end", "way_bits", "way_length", "way_node", "node_after", "ahead_bits", "jump_from",
    "shelter_of", "ground_of", "verdict_in", "come", "come_by_jump", "verdict_on", "highest_landing", "square_on",
    "blockable", "outcome_at", "outcome_on", "token_at", "stands_on", "count_on", "count_in_play",
    "home_count", "is_home", "advance_of",
    "partner", "mover", "moved_by", "settle", "put", "occupancy", "pairs_of", "look_ahead", "stops_at", "waiting",
    "use_token", "way_is_stopped", "may_stand", "target_of", "reach", "meets", "meet", "land", "stand_on_square",
    "next_seat", "clear_turn", "clear_pool", "pass_turn_on", "turn_round_or_miss", "is_one_too_many", "give_tokens",
    "roll", "chance", "draw_chance", "way_of", "number_of", "turned_of", "is_step", "seat_on_from", "seat_of_action",
    "piece_of_step", "piece_of_action", "first_on_its_node", "first_free_on_its_node", "is_frozen", "list_one_plain",
    "list_moves", "keep_legal", "legal", "play_step", "apply", "go_on", "play_at_random", "combined_reach", "survey",
    "note_number", "tell", "seat_after", "observe_pieces", "observe_seats", "observe_tokens", "observe_turn",
    "observe_by_index", "observe", "mark_legal", "place_of", "way_reach",
)  # fmt: skip

# --- the row: STAGE and TURN, then fixed fields, then pieces, then the vectors at tables[R_*] ---
TOKEN, AGAIN, SIXES, ROLLS, REVERSED, TURNS, ROLLOFF_IN, PLACED, UNBLOCKED, PIECE_0 = range(2, 12)
LOT = -1  # in ROLLOFF_IN: who begins is drawn by lot

# --- the tables: header ---
(
    # the board
    PLAYERS, PIECES, TILES, END, FINISH, START, HELD, NODES, WORDS, SIDES, KINDS, WAYS, MOVERS, SPOTS, TURNED,
    # what the whole game has or has not
    SINGLE, POOLED, PLAIN, TRACKED, BANKED, BLOCKS, JUMPS, SQUARES, SWAPS, HOLDS, BONUSES, REVERSES, SKIPS, ROLLS_OFF,
    EVEN, FREEZES, TEAMS, MAY_MOVE, HOME_IS_LANE, NEEDED, PLAY_ON, RANKS, LAST_OUT, SCORE, HOME_POINTS, CAPTURE_POINTS,
    TURN_LIMIT, COUNT_TURNS, BACKWARDS, ZERO_SUM, DECK, CHANGES, CAPTURE_CAP, LOST_CAP, HOME_BIT, SIXES_STAY,
    # meetings: how many pieces, how many ways to come and how strong stacks the verdicts tell apart
    COUNTS, COMINGS, STRENGTHS, SLIDES,
    # moves with several tokens
    COMBINED, GO_ON, SPECIAL, FORCED, LEAVER, LEAVERS, SETS,
    # actions
    A_OUT, A_ON, A_BUY, A_SPECIAL, A_SWAP, A_PASS,
    # where the row has its vectors
    R_POOL, R_CAPTURES, R_LOST, R_CHANGED, R_SKIP, R_SUM, R_PLACE, R_SCORE, R_DECK, R_FROZEN, R_SIXES, ROW_SIZE,
    # tables
    T_SIDE, T_ENEMIES, T_ENTRY, T_KIND, T_CHANGE, T_BACK, T_ON, T_CARDS, T_ADVANCE, WHOLE_WAY, T_BIT, T_SEEN,
    T_SET, T_SET_OF_KEY, T_STRIDE, T_MOST, T_LEAVER, MOST_TOTAL,
    # banks: where the first begins, how long each is, and where in each its tables are
    T_BANK, BANK_SIZE, B_TARGET, B_MASK, B_TRACK, B_TRACKS, B_JUMP, B_SLIDE, B_SLIDES, B_BLOCKABLE, B_GROUND,
    B_MEETING, B_SHELTER, B_SQUARE, B_OUTCOME, B_TOKEN,
    B_POINT, B_NEXT, B_AHEAD,
    # where the scratch has its vectors
    S_PAIR, S_STOP, S_SURVEY, S_NUMBER, S_MOVES, S_EVENTS,
    # what follows what, and duties in an order of their own
    REACTS, REACTIONS, T_REACTION, T_CONDITION, T_LANDING, COUNTS_ROLLS, KEEPS_LAST, R_LAST,
    DUTIES, B_DUTY, KEEPS_SHOWN, BREAK_BITS, R_SHOWN,
    # tokens that leave others, and two that together bring a piece out
    RESTS, B_REST, SUMS, T_SUM_REST, T_HAVEN,
    # tokens that change places, that are shared out among pieces, that clear the way
    SWAPPERS, T_SWAPPER, SHARES_OUT, CLEARS, S_TRIED, S_KEPT,
    # cards in hands: the largest hand, what becomes of a hand that can't be played, who is protected where it came out
    HANDS, DEALS, EXCHANGES, DISCARDS, KEEPS_FRESH, R_HAND, R_GIVEN, R_DEAL, R_FRESH, T_CARD, T_DEALS, A_GIVE,
    # what rules in Python keep in a row; nothing here reads it
    R_STATE,
    # points that are staked: whoever gets enough of them has won at once
    STAKES,
    # whether two that leave a tile may stand together again; how many others of a stack may stay behind
    PARTS, R_PARTED, LEAVES,
    # tiles that are one square by several names
    TWINS, T_PLACE,
    # the token (1 + its kind) that challenges who stops the way, and where a row counts challenges
    CHALLENGER, R_CHALLENGE,
    # exchanges that nobody has to make
    FREE_SWAPS,
    HEADER,
) = range(170)  # fmt: skip

# what a batch of games sets otherwise, and as which field: a pool of tokens asks about too many tiles to count them
IN_BATCHES = {TRACKED: POOLED}

# --- a bank: its options, then its tables ---
(
    O_STOPS, O_SHARE_OWN, O_PASSING, O_WALKS, O_TAKES_PASSING, O_CLOSES, O_OWN_ASKED, O_JOINS, O_TO, O_BACK,
    O_COMPULSORY,
    O_CLEAR_ENTRY, O_CAPTURE_DUTY, O_UNBLOCK_DUTY, O_AGAIN_CAPTURE, O_AGAIN_FINISH, O_SIXES_LIMIT, O_SIX_STAYS,
    O_ATTEMPTS, O_MAY_PASS, O_CAPTURE_BONUS, O_FINISH_BONUS, O_OUTCOMES, O_WEIGHT, O_POINTS, O_DUTIES,
    O_SIZE,
) = range(27)  # fmt: skip

# --- an outcome of chance ---
(
    F_WEIGHT, F_AGAIN, F_COUNTS, F_LEAVES, F_TOTAL, F_LOST, F_SKIP, F_SKIP_NEXT, F_REVERSE, F_KEEP, F_FIRST, F_TOKENS,
    F_REACTS, F_SHOWS,
    F_SIZE,
) = range(15)  # fmt: skip
AGAIN_IF_PLAYED, AGAIN_ANYWAY = 1, 2

# --- a kind of token: its effect, whose piece it moves, how far, whether it may be part of a combined move ---
K_EFFECT, K_WHOSE, K_DISTANCE, K_COMBINES, K_SWAPS, K_SIZE = range(6)
STEP, SWAP, OUT, CROWN = 0, 1, 2, 3
SWAP_ENEMY, SWAP_ANY, STRIKE, SWAP_FREE = 1, 2, 3, 4
DEAL_NUMBER, DEAL_LEADER, DEAL_EXCHANGE, DEAL_SIZE = range(
    4
)  # which deal it is, who begins, whether cards are exchanged
# what else there is to a way, beside 1 + the kind that it leaves and 256 for each more of that
REST_PART, REST_STAYS, REST_CLEARS, REST_ALONE = 4096, 8192, 16384, 32768
OWN, OTHERS, ANY = 0, 1, 2
MOVE_OWN, MOVE_TEAM, MOVE_ALL = 0, 1, 2

# --- a set of tokens that one move may use: how many, their sum, then how many of each kind ---
N_SIZE, N_TOTAL, N_COUNTS = 0, 1, 2

# --- a change: what is counted, at least and at most how many, which node, for everybody, only as long as it is so ---
C_WHEN, C_AT_LEAST, C_NODE, C_ALL, C_AT_MOST, C_LIVES, C_SIZE = range(7)
BY_CAPTURES, BY_LOST, BY_HOME, BY_TURNS, BY_TILE, BY_YARD, BY_PLAY, BY_PATH, BY_HELD, BY_MATE = range(10)

# --- what follows an event: its conditions are a run of the table of conditions ---
V_EVENT, V_NTH, V_DO, V_AMOUNT, V_PIECE, V_FIRST, V_CONDITIONS, V_SIZE = range(8)
ON_ROLL, ON_LANDING, ON_CAPTURE, ON_HOME, ON_ALL_HOME, ON_NO_MOVE, ON_MISSED = 0, 1, 2, 3, 4, 5, 6
DO_AGAIN, DO_LOSE, DO_SKIP, DO_SKIP_NEXT, DO_REVERSE, DO_OUT, DO_HOME, DO_TOKEN = 0, 1, 2, 3, 4, 5, 6, 7
DO_MOVE, DO_STAKE, DO_NEW_ROUND, DO_SWAP = 8, 9, 10, 11
WHO_MOVED, WHO_LAST, WHO_FURTHEST, WHO_HINDMOST, WHO_ALL, WHO_COULD, WHO_UNSAFE, WHO_FOREMOST = 0, 1, 2, 3, 4, 5, 6, 7
EVERY_ROW = -1
P_WHAT, P_AT_LEAST, P_AT_MOST, P_NODE, P_KEPT, P_SIZE = range(6)

# --- a duty: what, and with which rolls (a bit of what the last roll showed; 0: with all) ---
D_WHAT, D_SHOWN, D_SIZE = range(3)
DUTY_UNBLOCK, DUTY_CAPTURE, DUTY_CLEAR, DUTY_OUT, DUTY_BREAK, DUTY_LEAVE = 0, 1, 2, 3, 4, 5

# --- scratch: fixed fields, then occupancy, then the vectors at tables[S_*] ---
(
    COUNT, FRESH, CAPTURES, HOMECOMING, GAME_TURNS, LANDED, OWNER, MOVABLE, NUMBERS, FIRST_BLOCK, FIRST_SINGLE,
    TO_FINISH, TELLING, EVENTS, COMING, TRAVELLERS, PIECE, COULD, GOING,
) = range(19)  # fmt: skip
S_OCC = 19

# --- what happened: events of five integers: what, whose piece, which piece, from where, to where ---
(
    E_MOVED, E_CAME_OUT, E_BOUGHT, E_CAPTURED, E_JUMPED, E_BOUNCED, E_SWEPT, E_SENT_HOME, E_SWAPPED, E_CAME_HOME,
    E_BONUS, E_AGAIN, E_SKIPS, E_REVERSED, E_CHANGED, E_LOST_TOKENS, E_PLACED, E_TURN_PASSED, E_OVER,
    E_STOPPED, E_JOINED, E_CHANGED_BACK, E_PAID, E_CHALLENGED,
) = range(24)  # fmt: skip
# every piece of 12 seats with 15 pieces may be captured, and bring a bonus, in one move
WHAT, WHOSE, WHICH, WHENCE, WHERE_TO, EVENT_SIZE = range(6)
MOST_EVENTS = 400
# why the turn passed on (the `to` of E_TURN_PASSED)
TURN_PLAYED, TURN_NO_MOVE, TURN_IN_A_ROW, TURN_LOST_BY_ROLL, TURN_LOST_REST = range(5)

# --- a way's end: a node, and whether it was reached by bouncing off the finish ---
NODE, BOUNCED, STAYS = 1023, 1024, 2048
TILES_PER_WORD = 62
NEVER = 9999
MOST_IN_A_ROW = 99
SUM_IS_THERE = 1000  # a roll-off sum is kept with this added: 0 is one that has not been rolled

# --- option codes ---
STOPS_OPPONENTS, STOPS_ALL, STOPS_FRESH = 1, 2, 3
COMBINE_NONE, COMBINE_JUMP, COMBINE_SWEEP = 0, 1, 2
TO_START, TO_CAPTOR, TO_BACK = 0, 1, 2
SQUARE_AGAIN, SQUARE_MISS, SQUARE_ROUND, SQUARE_HOME = 1, 2, 4, 8
SHELTERED, SHELTERED_AT_HOME = 1, 2
CLOSES_ALL, CLOSES_OUT = 1, 2  # who is asked whether those on a tile close it: everybody, or who comes out alone

# --- what pieces on a tile mean to one that comes: landing, passing and a reason; the highest of all there holds ---
FREE, JOINS, TAKES, SWAPS_PLACES, PUNISHED, BEFORE, CLOSED = range(7)
PASS_FREE, PASS_TAKES, PASS_THERE, PASS_BEFORE, PASS_CLOSED = range(5)
VERDICT, PASSING_SHIFT, WHY_SHIFT = 15, 4, 8

# --- why a move is not legal ---
(
    LEGAL, WHY_NEEDS_FACE, WHY_FINISHED, WHY_BLOCKED, WHY_ENTRY_BLOCKED, WHY_PAST_FINISH, WHY_OWN_PIECE, WHY_PASSES_OWN,
    WHY_MUST_CLEAR_ENTRY, WHY_MUST_COME_OUT, WHY_MUST_MOVE, WHY_NO_SUCH_DIE, WHY_FROZEN, WHY_HELD,
    WHY_PAST_FINISH_COMBINED, WHY_MUST_COMBINE, WHY_MUST_GO_ON, WHY_MUST_UNBLOCK, WHY_NO_SPECIAL,
    WHY_SPECIAL_NEEDS_SIXES, WHY_SPECIAL_NEEDS_PIECES, WHY_NOBODY_TO_BUY, WHY_BUY_NEEDS_SIX, WHY_NOBODY_IN_YARD,
    WHY_OUT_NEEDS_FACE, WHY_NOT_MOVED_BY_YOU, WHY_NO_WAY, WHY_NO_SUCH_WAY, WHY_NO_SWAP, WHY_MUST_CAPTURE,
    WHY_TAKEN, WHY_TOO_WEAK, WHY_MUST_BREAK, WHY_NOT_SHARED,
    WHY_FRESH, WHY_NOT_IN_HAND, WHY_TOGETHER, WHY_NOT_SO_MANY, WHY_UNBROKEN,
) = range(39)  # fmt: skip

# by DUTY_*
REASON_OF_DUTY = (
    WHY_MUST_UNBLOCK,
    WHY_MUST_CAPTURE,
    WHY_MUST_CLEAR_ENTRY,
    WHY_MUST_COME_OUT,
    WHY_MUST_BREAK,
    WHY_MUST_CLEAR_ENTRY,
)


# ---------------------------------------------------------------- where the row, the scratch and the tables have what


def slot(tables: Ints, seat: int, piece: int) -> int:
    """Where the row keeps a piece's node."""
    return PIECE_0 + seat * tables[PIECES] + piece


def pool_slot(tables: Ints, kind: int) -> int:
    """Where the row counts the waiting tokens of a kind."""
    return tables[R_POOL] + kind


def captures_slot(tables: Ints, seat: int) -> int:
    """Where the row counts what a colour has captured."""
    return tables[R_CAPTURES] + seat


def lost_slot(tables: Ints, seat: int) -> int:
    """Where the row counts what a colour has lost."""
    return tables[R_LOST] + seat


def changed_slot(tables: Ints, seat: int) -> int:
    """Where the row keeps which changes of the rules hold for a colour."""
    return tables[R_CHANGED] + seat


def skip_slot(tables: Ints, seat: int) -> int:
    """Where the row counts the turns that a player will miss."""
    return tables[R_SKIP] + seat


def sum_slot(tables: Ints, seat: int) -> int:
    """Where the row keeps what a player rolled to decide who begins."""
    return tables[R_SUM] + seat


def place_slot(tables: Ints, seat: int) -> int:
    """Where the row keeps a player's place; 0 while it plays."""
    return tables[R_PLACE] + seat


def score_slot(tables: Ints, seat: int) -> int:
    """Where the row keeps a player's points."""
    return tables[R_SCORE] + seat


def deck_slot(tables: Ints, card: int) -> int:
    """Where the row counts the cards of a name that are left."""
    return tables[R_DECK] + card


def frozen_slot(tables: Ints, seat: int) -> int:
    """Where the row keeps a colour's pieces that stay this turn, as a bit set."""
    return tables[R_FROZEN] + seat


def sixes_slot(tables: Ints, seat: int) -> int:
    """Where the row counts a player's rolls in a row where they count across turns."""
    return tables[R_SIXES] + seat


def hand_slot(tables: Ints, seat: int, card: int) -> int:
    """Where the row counts the cards of a name in a player's hand."""
    return tables[R_HAND] + seat * tables[DECK] + card


def given_slot(tables: Ints, seat: int) -> int:
    """Where the row keeps the card that a player gives away (1 + its number), until all have chosen."""
    return tables[R_GIVEN] + seat


def fresh_slot(tables: Ints, seat: int) -> int:
    """Where the row keeps whether the piece on a colour's entry tile has come out there and not moved since."""
    return tables[R_FRESH] + seat


def parted_slot(tables: Ints, seat: int, piece: int) -> int:
    """Where the row keeps the tile (1 + its number) that a piece has left with this roll while another stood there."""
    return tables[R_PARTED] + seat * tables[PIECES] + piece


def challenge_slot(tables: Ints) -> int:
    """Where the row keeps from where somebody is challenged in this turn (0: nobody is), then how often it was done."""
    return tables[R_CHALLENGE]


def hand_size(tables: Ints, deal: int) -> int:
    """How many cards each gets in a deal."""
    return tables[tables[T_DEALS] + deal]


def card_of(tables: Ints, kind: int) -> int:
    """1 + the card that a kind of token is, or 0."""
    return tables[tables[T_CARD] + kind]


def listed(tables: Ints, scratch: Ints, number: int) -> int:
    """Move number `number` of the list."""
    return scratch[tables[S_MOVES] + number]


def list_move(tables: Ints, scratch: Ints, number: int, action: int) -> None:
    """Put a move on the list; it counts once the list's length says so."""
    scratch[tables[S_MOVES] + number] = action


def noted_set(tables: Ints, scratch: Ints, number: int) -> int:
    """Set number `number` on the list of what one move may use."""
    return scratch[tables[S_NUMBER] + 2 * number]


def noted_leavers(tables: Ints, scratch: Ints, number: int) -> int:
    """How many tokens of that set could bring pieces out."""
    return scratch[tables[S_NUMBER] + 2 * number + 1]


def event_part(tables: Ints, scratch: Ints, number: int, part: int) -> int:
    """One of the five integers of an event: WHAT, WHOSE, WHICH, WHENCE, WHERE_TO."""
    return scratch[tables[S_EVENTS] + number * EVENT_SIZE + part]


def stop_slot(tables: Ints, word: int) -> int:
    """Where the scratch has one word of the blocks that stop the mover."""
    return tables[S_STOP] + word


def pair_slot(tables: Ints, side: int, word: int) -> int:
    """Where the scratch has one word of the tiles on which a side has two or more pieces."""
    return tables[S_PAIR] + side * tables[WORDS] + word


def survey_slot(tables: Ints, step: int) -> int:
    """Where the scratch has the node that a surveyed piece comes to with a step."""
    return tables[S_SURVEY] + step


def side_of(tables: Ints, seat: int) -> int:
    """The side of a seat: itself, or its team."""
    return tables[tables[T_SIDE] + seat]


def enemy_bits(tables: Ints, seat: int) -> int:
    """The part of a tile's occupancy that a colour's enemies have."""
    return tables[tables[T_ENEMIES] + seat]


def entry_of(tables: Ints, seat: int) -> int:
    """A colour's entry tile; where it has several, the first."""
    return tables[tables[T_ENTRY] + seat]


def bit_of(tables: Ints, node: int, word: int) -> int:
    """A shared tile as a bit of one word of a bit set; other nodes are no bit."""
    return tables[tables[T_BIT] + node * tables[WORDS] + word]


def place_of(tables: Ints, node: int) -> int:
    """The square that a node is: itself, unless a square has several names because ways lead over it twice."""
    return tables[tables[T_PLACE] + node] if tables[TWINS] else node


def node_before(tables: Ints, seat: int, node: int) -> int:
    """The node one step back on a colour's way; its yard where the way begins."""
    return tables[tables[T_BACK] + seat * tables[NODES] + node]


def leads_home(tables: Ints, seat: int, tile: int) -> bool:
    """Whether a colour's piece on a tile could still come home."""
    return tables[tables[T_ON] + seat * tables[TILES] + tile] != 0


def seen_at(tables: Ints, seat: int, node: int) -> int:
    """A node as a seat counts them: path tiles from its entry tile, held pieces from itself as the captor."""
    return tables[tables[T_SEEN] + seat * tables[NODES] + node]


def cards_of(tables: Ints, card: int) -> int:
    """How many cards of a name a whole deck has."""
    return tables[tables[T_CARDS] + card]


def swaps_of(tables: Ints, kind: int) -> int:
    """How a token changes places: SWAP_ENEMY, SWAP_ANY, STRIKE, SWAP_FREE; 0: not at all."""
    return tables[tables[T_KIND] + kind * K_SIZE + K_SWAPS]


def effect_of(tables: Ints, kind: int) -> int:
    """What a kind of token does: STEP, SWAP or OUT."""
    return tables[tables[T_KIND] + kind * K_SIZE + K_EFFECT]


def whose_of(tables: Ints, kind: int) -> int:
    """Whose pieces a kind of token moves: OWN, OTHERS or ANY."""
    return tables[tables[T_KIND] + kind * K_SIZE + K_WHOSE]


def distance_of(tables: Ints, kind: int) -> int:
    """How far a kind of token moves a piece."""
    return tables[tables[T_KIND] + kind * K_SIZE + K_DISTANCE]


def combines(tables: Ints, kind: int) -> bool:
    """Whether a kind of token may be part of a combined move."""
    return tables[tables[T_KIND] + kind * K_SIZE + K_COMBINES] != 0


def leaving_kind(tables: Ints, leaver: int) -> int:
    """The kind of token that serves as number `leaver` of those that bring pieces out."""
    return tables[tables[T_LEAVER] + leaver]


def route_kind(tables: Ints, number: int) -> int:
    """The kind of token whose way a set takes: itself, or for two that bring a piece out one that does (L24)."""
    if tables[SUMS] and number >= tables[KINDS]:
        return tables[LEAVER]
    return number


def rest_of_way(tables: Ints, bank: int, index: int) -> int:
    """1 + the kind of token that is left to play after a way, or 0."""
    return tables[bank + tables[B_REST] + index]


def going_alone(tables: Ints, bank: int, index: int) -> int:
    """How many of a stack go a way that leaves the others behind; 0 where all go that travel as one (L31)."""
    return rest_of_way(tables, bank, index) // REST_ALONE if tables[LEAVES] else 0


def rest_of_sum(tables: Ints, number: int) -> int:
    """1 + the kind of token that is left to play after two that brought a piece out, or 0."""
    return tables[tables[T_SUM_REST] + number - tables[SETS]]


def most_of(tables: Ints, kind: int) -> int:
    """How many tokens of a kind one move may use."""
    return tables[tables[T_MOST] + kind]


def stride_of(tables: Ints, kind: int) -> int:
    """What one token of a kind adds to the key of a set."""
    return tables[tables[T_STRIDE] + kind]


def set_with_key(tables: Ints, key: int) -> int:
    """The number of the set with a key; -1 where no move can use it."""
    return tables[tables[T_SET_OF_KEY] + key]


def set_at(tables: Ints, number: int) -> int:
    """Where the tables have a set of tokens; the first sets are the single kinds."""
    return tables[T_SET] + number * (N_COUNTS + tables[KINDS])


def set_size(tables: Ints, number: int) -> int:
    """How many tokens a set has."""
    return tables[set_at(tables, number) + N_SIZE]


def set_total(tables: Ints, number: int) -> int:
    """The sum of a set's tokens."""
    return tables[set_at(tables, number) + N_TOTAL]


def count_in_set(tables: Ints, number: int, kind: int) -> int:
    """How many tokens of a kind a set has."""
    return tables[set_at(tables, number) + N_COUNTS + kind]


def advance_of(tables: Ints, seat: int, node: int) -> int:
    """How far a colour's piece on a node has come: 0 outside the board, 1 on its entry tile."""
    return tables[tables[T_ADVANCE] + seat * tables[NODES] + node]


def reactions_on(tables: Ints, tile: int) -> int:
    """Which rows of what follows what a landing on a tile sets off, as bits."""
    return tables[tables[T_LANDING] + tile]


def is_haven(tables: Ints, tile: int) -> bool:
    """Whether what sends pieces home spares those on a tile."""
    return tables[tables[T_HAVEN] + tile] != 0


def duty_at(tables: Ints, bank: int, number: int) -> int:
    """Where a bank has one of its list of duties."""
    return bank + tables[B_DUTY] + number * D_SIZE


# ---------------------------------------------------------------- what a bank says


def bank_of(row: Ints, tables: Ints, seat: int) -> int:
    """Where the rules that hold for a colour begin (L2, Z10)."""
    if tables[BANKED]:
        return tables[T_BANK] + row[changed_slot(tables, seat)] * tables[BANK_SIZE]
    return tables[T_BANK]


def way_index(tables: Ints, seat: int, node: int, kind: int, way: int) -> int:
    """The number of a way among all of a bank."""
    return ((seat * tables[NODES] + node) * tables[KINDS] + kind) * tables[WAYS] + way


def way_end(tables: Ints, bank: int, index: int) -> int:
    """Where a way ends, as a target, or minus the reason why it is none."""
    return tables[bank + tables[B_TARGET] + index]


def way_bits(tables: Ints, bank: int, index: int, word: int) -> int:
    """The shared tiles of a way, the last one included: one word of a bit set."""
    return tables[bank + tables[B_MASK] + index * tables[WORDS] + word]


def way_length(tables: Ints, bank: int, index: int) -> int:
    """How many nodes a way crosses, the last one included."""
    return tables[bank + tables[B_TRACK] + index + 1] - tables[bank + tables[B_TRACK] + index]


def way_node(tables: Ints, bank: int, index: int, step: int) -> int:
    """The node that a way crosses with a step, counted from 0."""
    return tables[bank + tables[B_TRACKS] + tables[bank + tables[B_TRACK] + index] + step]


def node_after(tables: Ints, bank: int, seat: int, node: int) -> int:
    """The node one step on, where ways do not branch; -1 where the way ends."""
    return tables[bank + tables[B_NEXT] + seat * tables[NODES] + node]


def ahead_bits(tables: Ints, bank: int, seat: int, node: int, word: int) -> int:
    """The shared tiles one step on: one word of a bit set."""
    return tables[bank + tables[B_AHEAD] + (seat * tables[NODES] + node) * tables[WORDS] + word]


def jump_from(tables: Ints, bank: int, seat: int, tile: int) -> int:
    """Where a tile takes a colour's piece that lands there, or -1 (T3, L28)."""
    return tables[bank + tables[B_JUMP] + seat * tables[TILES] + tile] if tables[JUMPS] else -1


def shelter_of(tables: Ints, bank: int, seat: int, other: int, tile: int) -> int:
    """What protects another colour's piece on a tile from a colour that comes by: 0, SHELTERED* (Z5, S36)."""
    return tables[bank + tables[B_SHELTER] + (seat * tables[PLAYERS] + other) * tables[TILES] + tile]


def ground_of(tables: Ints, bank: int, seat: int, other: int, node: int) -> int:
    """Which verdicts hold where a colour meets another on a node."""
    return tables[bank + tables[B_GROUND] + (seat * tables[PLAYERS] + other) * tables[FINISH] + node]


def verdict_in(tables: Ints, bank: int, at: int) -> int:
    """One of a bank's verdicts: landing, passing and a reason."""
    return tables[bank + tables[B_MEETING] + at]


def slide_first(tables: Ints, bank: int, seat: int, tile: int) -> int:
    """Where the list of tiles on which a colour slides from a tile begins; it ends where the next tile's begins."""
    return tables[bank + tables[B_SLIDE] + seat * tables[TILES] + tile]


def slides_from(tables: Ints, bank: int, seat: int, tile: int) -> bool:
    """Whether a colour slides from a tile over others that it clears."""
    if tables[SLIDES] == 0:
        return False
    first = slide_first(tables, bank, seat, tile)
    return first < slide_first(tables, bank, seat, tile + 1) and slide_tile(tables, bank, first) >= 0


def slide_tile(tables: Ints, bank: int, step: int) -> int:
    """One of the tiles of all slides."""
    return tables[bank + tables[B_SLIDES] + step]


def square_on(tables: Ints, bank: int, tile: int) -> int:
    """What a tile does to whoever lands there, as bits SQUARE_*."""
    return tables[bank + tables[B_SQUARE] + tile]


def blockable(tables: Ints, bank: int, word: int) -> int:
    """The tiles on which two pieces are a block: one word of a bit set."""
    return tables[bank + tables[B_BLOCKABLE] + word]


def outcome_at(tables: Ints, bank: int, number: int) -> int:
    """Where a bank has an outcome of its device."""
    return bank + tables[B_OUTCOME] + number * F_SIZE


def outcome_on(tables: Ints, bank: int, point: int) -> int:
    """The outcome that one point of the device's weight gives."""
    return tables[bank + tables[B_POINT] + point]


def token_at(tables: Ints, bank: int, number: int) -> int:
    """The kind of one of the tokens that a bank's outcomes give."""
    return tables[bank + tables[B_TOKEN] + number]


# ---------------------------------------------------------------- telling what happens


def tell(tables: Ints, scratch: Ints, what: int, seat: int, piece: int, origin: int, target: int) -> None:
    """Note an event, where somebody listens."""
    if scratch[TELLING] and scratch[EVENTS] < MOST_EVENTS:
        at = tables[S_EVENTS] + scratch[EVENTS] * EVENT_SIZE
        scratch[at + WHAT] = what
        scratch[at + WHOSE] = seat
        scratch[at + WHICH] = piece
        scratch[at + WHENCE] = origin
        scratch[at + WHERE_TO] = target
        scratch[EVENTS] += 1


# ---------------------------------------------------------------- who stands where


def stands_on(row: Ints, tables: Ints, seat: int, node: int) -> bool:
    """Whether a colour has a piece on a node, or on another that is the same square."""
    if tables[TWINS]:
        return count_on(row, tables, seat, node) > 0
    first = PIECE_0 + seat * tables[PIECES]
    for at in range(first, first + tables[PIECES]):
        if row[at] == node:
            return True
    return False


def count_on(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """How many pieces a colour has on a node, and on others that are the same square."""
    first = PIECE_0 + seat * tables[PIECES]
    count = 0
    here = place_of(tables, node)
    for at in range(first, first + tables[PIECES]):
        count += place_of(tables, int(row[at])) == here
    return count


def count_in_play(row: Ints, tables: Ints, seat: int) -> int:
    """How many pieces of a colour stand on path or end path."""
    first = PIECE_0 + seat * tables[PIECES]
    count = 0
    for at in range(first, first + tables[PIECES]):
        count += row[at] < tables[FINISH]
    return count


def count_under_way(row: Ints, tables: Ints, seat: int) -> int:
    """How many pieces of a colour are between yard and goal, which may be the end path itself (T14)."""
    first = PIECE_0 + seat * tables[PIECES]
    goal = tables[TILES] if tables[HOME_IS_LANE] else tables[FINISH]
    count = 0
    for at in range(first, first + tables[PIECES]):
        count += row[at] < goal
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


def settle(tables: Ints, scratch: Ints, tile: int, side: int) -> None:
    """Note whether a side has two or more pieces on a tile (Z6, F3, F13)."""
    if tables[BLOCKS] == 0:
        return
    word = pair_slot(tables, side, tile // TILES_PER_WORD)
    bit = 1 << (tile % TILES_PER_WORD)
    if (scratch[S_OCC + tile] >> (4 * side)) & 15 >= 2:
        scratch[word] |= bit
    else:
        scratch[word] &= ~bit


def put(tables: Ints, scratch: Ints, seat: int, node: int, change: int) -> None:
    """Add (+1) or take away (-1) a piece of a colour on a shared tile."""
    if tables[TRACKED] and node < tables[TILES]:
        side = side_of(tables, seat)
        tile = place_of(tables, node)
        scratch[S_OCC + tile] += change << (4 * side)
        settle(tables, scratch, tile, side)


def scan(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Work out occupancy and blocks from the row."""
    scratch[FRESH] = 0
    if tables[TRACKED] == 0:
        return
    for tile in range(tables[TILES]):
        scratch[S_OCC + tile] = 0
    for at in range(pair_slot(tables, 0, 0), pair_slot(tables, tables[SIDES], 0)):
        scratch[at] = 0
    for seat in range(tables[PLAYERS]):
        for piece in range(tables[PIECES]):
            put(tables, scratch, seat, int(row[slot(tables, seat, piece)]), 1)


def occupancy(row: Ints, tables: Ints, scratch: Ints, tile: int) -> int:
    """How many pieces of each side stand on a tile, four bits a side."""
    if tables[TRACKED]:
        return scratch[S_OCC + place_of(tables, tile)]
    found = 0
    for seat in range(tables[PLAYERS]):
        found += count_on(row, tables, seat, tile) << (4 * side_of(tables, seat))
    return found


def pairs_of(row: Ints, tables: Ints, scratch: Ints, seat: int, word: int) -> int:
    """The tiles on which a colour's side has two or more pieces: one word of a bit set."""
    if tables[TRACKED]:
        return scratch[pair_slot(tables, side_of(tables, seat), word)]
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
        for other in range(tables[PLAYERS] if tables[bank + O_STOPS] < STOPS_FRESH else 0):
            stopping = (side_of(tables, other) != own) | (tables[bank + O_STOPS] == STOPS_ALL)
            stops |= pairs_of(row, tables, scratch, other, word) * stopping
        scratch[stop_slot(tables, word)] = stops & blockable(tables, bank, word)
        if tables[KEEPS_FRESH]:
            for other in range(tables[PLAYERS]):
                if row[fresh_slot(tables, other)]:
                    scratch[stop_slot(tables, word)] |= bit_of(tables, entry_of(tables, other), word)


def stops_at(tables: Ints, scratch: Ints, bank: int, tile: int) -> bool:
    """Whether a block that stops the mover stands on a tile (after look_ahead)."""
    if tables[bank + O_STOPS] == 0:
        return False
    square = place_of(tables, tile)
    stops = scratch[stop_slot(tables, square // TILES_PER_WORD)]
    return (stops >> (square % TILES_PER_WORD)) & 1 != 0


# ---------------------------------------------------------------- what waits to be played


def in_hand(row: Ints, tables: Ints, kind: int) -> int:
    """How many tokens of a kind the player in turn holds; only the rest of one that was played in part, if it was."""
    if row[TOKEN]:
        return row[TOKEN] == kind + 1
    card = card_of(tables, kind)
    return int(row[hand_slot(tables, int(row[TURN]), card - 1)]) if card else 0


def cards_in_hand(row: Ints, tables: Ints, seat: int) -> int:
    """How many cards a player holds."""
    count = 0
    for at in range(hand_slot(tables, seat, 0), hand_slot(tables, seat + 1, 0)):
        count += row[at]
    return count


def cards_out(row: Ints, tables: Ints, card: int) -> int:
    """How many cards of a name are in hands, or on their way from one to another."""
    count = 0
    for seat in range(tables[PLAYERS]):
        count += row[hand_slot(tables, seat, card)] + (row[given_slot(tables, seat)] == card + 1)
    return count


def waiting(row: Ints, tables: Ints, kind: int) -> int:
    """How many tokens of a kind wait."""
    if tables[SINGLE]:
        return row[TOKEN] == kind + 1
    if tables[HANDS]:
        return in_hand(row, tables, kind)
    return int(row[pool_slot(tables, kind)])


def use_token(row: Ints, tables: Ints, kind: int) -> None:
    """A token has been used."""
    if tables[SINGLE]:
        row[TOKEN] = 0
    elif tables[HANDS] == 0:
        row[pool_slot(tables, kind)] -= 1
    elif row[TOKEN]:
        row[TOKEN] = 0
    else:
        row[hand_slot(tables, int(row[TURN]), card_of(tables, kind) - 1)] -= 1


def tokens_left(row: Ints, tables: Ints) -> int:
    """How many tokens wait; of those in hands none does."""
    if tables[SINGLE] | tables[HANDS]:
        return row[TOKEN] != 0
    count = 0
    for kind in range(tables[KINDS]):
        count += row[pool_slot(tables, kind)]
    return count


def clear_pool(row: Ints, tables: Ints) -> None:
    """Tokens that are left are lost."""
    row[TOKEN] = 0
    if tables[POOLED]:
        for kind in range(tables[KINDS]):
            row[pool_slot(tables, kind)] = 0


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


def lacks(row: Ints, tables: Ints, number: int, leavers_used: int) -> bool:
    """Whether what waits, less some tokens for coming out, lacks a token of a set."""
    for kind in range(tables[KINDS]):
        used = leavers_used if kind == tables[LEAVER] else 0
        if count_in_set(tables, number, kind) > waiting(row, tables, kind) - used:
            return True
    return False


def spend(row: Ints, tables: Ints, number: int) -> None:
    """Take a set's tokens out of the pool."""
    for kind in range(tables[KINDS]):
        row[pool_slot(tables, kind)] -= count_in_set(tables, number, kind)


# ---------------------------------------------------------------- where a piece gets


def way_is_stopped(tables: Ints, scratch: Ints, bank: int, index: int) -> bool:
    """Whether a block stands on a tile that the way crosses or ends on (Z7, F13)."""
    met = 0
    for word in range(tables[WORDS]):
        met |= way_bits(tables, bank, index, word) & scratch[stop_slot(tables, word)]
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


def may_stand(row: Ints, tables: Ints, bank: int, seat: int, node: int, target: int) -> int:
    """The target, or minus the reason why own pieces are in the way."""
    if target < 0:
        return target
    place = target & NODE
    if tables[bank + O_SHARE_OWN] == 0 and place != node and place != tables[FINISH] and place != tables[START]:
        if stands_on(row, tables, seat, place):
            return -WHY_OWN_PIECE
        if (
            tables[JUMPS]
            and place < tables[TILES]
            and target & BOUNCED == 0
            and not slides_from(tables, bank, seat, place)
        ):
            jump = jump_from(tables, bank, seat, place)
            if jump >= 0 and jump != tables[FINISH] and jump != node and stands_on(row, tables, seat, jump):
                return -WHY_OWN_PIECE
    in_lane = place > tables[TILES] or target & BOUNCED
    if tables[bank + O_PASSING] == 0 and in_lane and place <= tables[FINISH]:
        if passes_own(row, tables, seat, node, target):
            return -WHY_PASSES_OWN
    return target


def closed_by(met: int, node: int, tables: Ints) -> int:
    """Minus the reason why nobody passes or lands who comes from a node."""
    why = met >> WHY_SHIFT
    return -WHY_ENTRY_BLOCKED if why == WHY_BLOCKED and node == tables[START] else -why


def stop_short(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, index: int, steps: int) -> int:
    """The last of the first steps of a way on which a piece that is held up may stop; or minus the reason (L28)."""
    step = steps - 1
    while step >= 0:
        here = way_node(tables, bank, index, step)
        if met_on(row, tables, scratch, bank, seat, here) & VERDICT < BEFORE:
            return here
        step -= 1
    return -WHY_ENTRY_BLOCKED if node == tables[START] else -WHY_BLOCKED


def is_barred_by_fresh(row: Ints, tables: Ints, node: int) -> bool:
    """Whether a piece stands on a node that came out there and has not moved since: nobody passes it."""
    barred = False
    for other in range(tables[PLAYERS] if tables[KEEPS_FRESH] else 0):
        is_there = place_of(tables, entry_of(tables, other)) == place_of(tables, node)
        barred |= is_there & (row[fresh_slot(tables, other)] != 0)
    return barred


def walk_end(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, index: int) -> int:
    """Where a way ends that is walked tile by tile, past whom it meets (F21, L28); or minus the reason."""
    target = way_end(tables, bank, index)
    if target < 0:
        return target
    last = way_length(tables, bank, index) - 1
    for step in range(last + 1):
        here = way_node(tables, bank, index, step)
        if here >= tables[FINISH] or here == node:
            continue
        if is_barred_by_fresh(row, tables, here):
            return -WHY_ENTRY_BLOCKED if node == tables[START] else -WHY_BLOCKED
        met = met_on(row, tables, scratch, bank, seat, here)
        passing = (met >> PASSING_SHIFT) & VERDICT
        if passing == PASS_THERE and met & VERDICT < PUNISHED and node < tables[FINISH]:
            return here
        held_up = met & VERDICT == BEFORE if step == last else passing == PASS_BEFORE
        if held_up:
            return stop_short(row, tables, scratch, bank, seat, node, index, step)
        is_closed = met & VERDICT == CLOSED if step == last else passing == PASS_CLOSED
        if is_closed:
            return closed_by(met, node, tables)
    return target


def may_land(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, target: int) -> int:
    """The target, or minus the reason why those who stand there, or where it jumps to, close it (L28)."""
    place = target & NODE
    if target < 0 or place >= tables[FINISH] or place == node:
        return target
    met = met_on(row, tables, scratch, bank, seat, place)
    if met & VERDICT == CLOSED:
        return closed_by(met, node, tables)
    if tables[JUMPS] and place < tables[TILES] and target & BOUNCED == 0 and not slides_from(tables, bank, seat, place):
        jump = jump_from(tables, bank, seat, place)
        if 0 <= jump < tables[FINISH] and jump != node:
            come_by_jump(tables, scratch)
            met = met_on(row, tables, scratch, bank, seat, jump)
            if met & VERDICT >= BEFORE:
                return closed_by(met, node, tables)
    return target


def target_of(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, index: int) -> int:
    """Where a way ends, blocks and stops considered, or minus the reason why it is closed."""
    if tables[bank + O_WALKS]:
        return walk_end(row, tables, scratch, bank, seat, node, index)
    target = way_end(tables, bank, index)
    if tables[bank + O_STOPS]:
        stopped = way_is_stopped(tables, scratch, bank, index)
        target = target if not stopped or target < 0 else -WHY_ENTRY_BLOCKED if node == tables[START] else -WHY_BLOCKED
    return target


def is_fresh(row: Ints, tables: Ints, seat: int, node: int) -> bool:
    """Whether a colour's piece on a node came out there and has not moved since."""
    return node == entry_of(tables, seat) and row[fresh_slot(tables, seat)] != 0


def reach(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, kind: int, way: int) -> int:
    """Where a colour's piece on a node gets with a token on a way (after look_ahead), or minus the reason.

    The tables know every node: from the yard with the right token to the entry tile, from the finish nowhere.
    """
    if tables[CHALLENGER] and kind + 1 == tables[CHALLENGER] and way == 0:
        needed = needed_to_break(row, tables, scratch, bank, seat, node)
        if needed:
            once_more = 1 + challenges_from(row, tables, seat, node)
            return node_after(tables, bank, seat, node) if once_more >= needed else node | STAYS
    return way_reach(row, tables, scratch, bank, seat, node, kind, way)


def challenges_from(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """How often a colour has challenged from a node in this turn."""
    at = challenge_slot(tables)
    return int(row[at + 1]) if row[at] == 1 + seat * tables[FINISH] + node else 0


def needed_to_break(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int) -> int:
    """How many tokens take those right ahead of a node who stop a colour: one for each and one more; 0: nobody can."""
    ahead = node_after(tables, bank, seat, node) if node < tables[TILES] else -1
    if ahead < 0 or ahead >= tables[TILES]:
        return 0
    come(row, tables, scratch, bank, seat, node)
    needed = 0
    for other in range(tables[PLAYERS]):
        there = count_on(row, tables, other, ahead) if side_of(tables, other) != side_of(tables, seat) else 0
        if there and verdict_on(row, tables, scratch, bank, seat, other, ahead, there) >> WHY_SHIFT == WHY_UNBROKEN:
            needed = max(needed, there + 1)
    return needed


def way_reach(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, kind: int, way: int) -> int:
    """Where a way ends for a colour's piece, past whom it meets and duties apart (after look_ahead), or why not."""
    come(row, tables, scratch, bank, seat, node)
    if tables[LEAVES] and tables[STRENGTHS] > 1:
        come_alone(tables, scratch, going_alone(tables, bank, way_index(tables, seat, node, kind, way)))
    target = target_of(row, tables, scratch, bank, seat, node, way_index(tables, seat, node, kind, way))
    if tables[KEEPS_FRESH] and target >= tables[TILES] and is_fresh(row, tables, seat, node):
        return -WHY_FRESH
    if tables[LEAVES] and target >= 0 and not leaves_some(row, tables, bank, seat, node, kind, way):
        return -WHY_NOT_SO_MANY
    if tables[bank + O_CLOSES] == CLOSES_ALL or (tables[bank + O_CLOSES] and node == tables[START]):
        target = may_land(row, tables, scratch, bank, seat, node, target)
    if tables[PARTS] and target >= 0 and goes_after(row, tables, seat, node, target & NODE):
        return -WHY_TOGETHER
    if tables[bank + O_SHARE_OWN] & tables[bank + O_PASSING]:
        return target
    return may_stand(row, tables, bank, seat, node, target)


def leaves_some(row: Ints, tables: Ints, bank: int, seat: int, node: int, kind: int, way: int) -> bool:
    """Whether a way leaves nobody behind, or fewer go than stand there."""
    alone = going_alone(tables, bank, way_index(tables, seat, node, kind, way))
    return alone == 0 or pieces_on(row, tables, seat, node).bit_count() > alone


def goes_after(row: Ints, tables: Ints, seat: int, node: int, place: int) -> bool:
    """Whether a piece would come to stand with one that has left its tile with this roll, where they stood together."""
    first = slot(tables, seat, 0)
    if node >= tables[FINISH] or place >= tables[FINISH]:
        return False
    for piece in range(tables[PIECES]):
        if row[first + piece] == place and row[parted_slot(tables, seat, piece)] == node + 1:
            return True
    return False


def survey(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, farthest: int) -> None:
    """Walk ahead of a piece tile by tile and note the first block, the first capturable enemy and the finish."""
    come(row, tables, scratch, bank, seat, node)
    first_block = NEVER
    first_single = NEVER
    to_finish = NEVER
    here = node
    for step in range(1, farthest + 1):
        ahead = node_after(tables, bank, seat, here)
        if ahead < 0:
            to_finish = step - 1
            break
        here = ahead
        scratch[survey_slot(tables, step)] = here
        if here < tables[TILES]:
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
    place = scratch[survey_slot(tables, steps)]
    if tables[bank + O_CLOSES] == CLOSES_ALL:
        place = may_land(row, tables, scratch, bank, seat, node, place)
    return may_stand(row, tables, bank, seat, node, place)


# ---------------------------------------------------------------- what a landing does


def joins_on(tables: Ints, bank: int, seat: int, node: int) -> bool:
    """Whether a colour's pieces on a node travel as one (L31)."""
    if tables[bank + O_JOINS] == 0 or node >= tables[FINISH]:
        return False
    block = ground_of(tables, bank, seat, seat, node) * tables[COUNTS] * tables[COUNTS] * tables[COMINGS]
    return verdict_in(tables, bank, block) & VERDICT == JOINS


def come(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int) -> None:
    """Note how a colour comes from a node: out of its yard or along its way, and with how many pieces."""
    if tables[COMINGS] == 1:
        return
    strength = 1
    if tables[STRENGTHS] > 1 and joins_on(tables, bank, seat, node):
        strength = min(tables[STRENGTHS], pieces_on(row, tables, seat, node).bit_count())
    out = tables[COMINGS] > tables[STRENGTHS] and node >= tables[START]
    scratch[COMING] = out * tables[STRENGTHS] + strength - 1
    if tables[COMINGS] > 3 * tables[STRENGTHS] and out and stands_on(row, tables, seat, entry_of(tables, seat)):
        scratch[COMING] += 2 * tables[STRENGTHS]


def come_alone(tables: Ints, scratch: Ints, alone: int) -> None:
    """Note that so many come of those that stand together; 0: all of them."""
    if alone:
        scratch[COMING] = scratch[COMING] // tables[STRENGTHS] * tables[STRENGTHS] + alone - 1


def come_by_jump(tables: Ints, scratch: Ints) -> None:
    """Note that a piece comes to a tile because a jump takes it there, where that makes a difference."""
    if tables[COMINGS] > 2 * tables[STRENGTHS]:
        scratch[COMING] = 2 * tables[STRENGTHS] + scratch[COMING] % tables[STRENGTHS]


def verdict_on(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, other: int, node: int, there: int) -> int:
    """What a number of pieces of a colour on a node mean to another that comes: landing, passing, reason (after come).

    The tables have them by how many of the colour and of its side stand there, and how the other comes.
    """
    most = tables[COUNTS]
    alone = min(there, most) - 1
    together = alone
    if tables[TEAMS]:
        mates = count_on(row, tables, partner(tables, other), node) if node < tables[TILES] else 0
        together = min(there + mates, most) - 1
    block = ground_of(tables, bank, seat, other, node)
    at = ((block * most + alone) * most + together) * tables[COMINGS]
    return verdict_in(tables, bank, at + (scratch[COMING] if tables[COMINGS] > 1 else 0))


def met_on(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int) -> int:
    """What awaits a colour on a node: of all who stand there the highest landing and the highest passing (after come).

    The reason is that of the landing where it is closed, else that of the passing.
    """
    landing = FREE
    passing = PASS_FREE
    why = 0
    for other in range(tables[PLAYERS]):
        if node >= tables[TILES] and other != seat:
            continue
        there = count_on(row, tables, other, node)
        if there:
            verdict = verdict_on(row, tables, scratch, bank, seat, other, node, there)
            if verdict & VERDICT > landing or (verdict >> PASSING_SHIFT) & VERDICT > passing:
                why = verdict >> WHY_SHIFT
            landing = max(landing, verdict & VERDICT)
            passing = max(passing, (verdict >> PASSING_SHIFT) & VERDICT)
    return landing | (passing << PASSING_SHIFT) | (why << WHY_SHIFT)


def meets(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int) -> int:
    """What awaits a colour that lands on a tile: FREE, TAKES, PUNISHED … (after come)."""
    standing = occupancy(row, tables, scratch, tile)
    if tables[bank + O_OWN_ASKED] == 0:
        standing &= enemy_bits(tables, seat)
    return FREE if standing == 0 else highest_landing(row, tables, scratch, bank, seat, tile, standing)


def highest_landing(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int, standing: int) -> int:
    """The highest verdict on landing of those who stand on a tile, of whom its occupancy is given (after come)."""
    landing = FREE
    if tables[TEAMS]:
        for other in range(tables[PLAYERS]):
            there = count_on(row, tables, other, tile)
            if there:
                landing = max(landing, verdict_on(row, tables, scratch, bank, seat, other, tile, there) & VERDICT)
        return landing
    while standing:  # mostly one: the lowest bit tells who
        other = ((standing & -standing) - 1).bit_count() >> 2
        there = (standing >> (4 * other)) & 15
        landing = max(landing, verdict_on(row, tables, scratch, bank, seat, other, tile, there) & VERDICT)
        standing &= ~(15 << (4 * other))
    return landing


def goes_back_to(row: Ints, tables: Ints, bank: int, other: int, tile: int) -> int:
    """Where a captured piece goes that goes back some tiles: home where its way begins nearer (L33)."""
    node = tile
    for _ in range(tables[bank + O_BACK]):
        if node < tables[START]:
            node = node_before(tables, other, node)
    while node < tables[START] and tables[bank + O_SHARE_OWN] == 0 and stands_on(row, tables, other, node):
        node = node_before(tables, other, node)
    return node


def captured_goes_to(row: Ints, tables: Ints, bank: int, seat: int, other: int, tile: int) -> int:
    """Where a piece goes that a colour captures on a tile (Z8, S35, F10, L33)."""
    if tables[bank + O_TO] == TO_CAPTOR:
        return tables[HELD] + seat
    if tables[bank + O_TO] == TO_BACK:
        return goes_back_to(row, tables, bank, other, tile)
    return tables[START]


def take_from(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, other: int, tile: int) -> None:
    """Capture every piece of a colour on a tile (Z8, S35, T7, F10)."""
    first = PIECE_0 + other * tables[PIECES]
    for at in range(first, first + tables[PIECES]):
        if place_of(tables, int(row[at])) == place_of(tables, tile):
            goes_to = captured_goes_to(row, tables, bank, seat, other, int(row[at]))
            put(tables, scratch, other, tile, -1)
            row[at] = goes_to
            put(tables, scratch, other, goes_to, 1)
            if side_of(tables, other) == side_of(tables, seat):  # no capture: it goes home all the same
                tell(tables, scratch, E_SENT_HOME, other, at - first, tile, goes_to)
                continue
            scratch[CAPTURES] += 1
            tell(tables, scratch, E_CAPTURED, other, at - first, tile, goes_to)
            if tables[LOST_CAP]:
                row[lost_slot(tables, other)] = min(tables[LOST_CAP], row[lost_slot(tables, other)] + 1)


def those_with(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int, what: int, shift: int) -> int:
    """The colours on a tile whose verdict is a given one, landing (shift 0) or passing, as a bit set (after come)."""
    found = 0
    for other in range(tables[PLAYERS]):
        there = count_on(row, tables, other, tile)
        if there:
            verdict = verdict_on(row, tables, scratch, bank, seat, other, tile, there)
            found |= ((verdict >> shift) & VERDICT == what) << other
    return found


def take(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int, taken: int) -> None:
    """Capture the pieces of some colours on a tile."""
    for other in range(tables[PLAYERS]):
        if (taken >> other) & 1:
            take_from(row, tables, scratch, bank, seat, other, tile)


def change_places(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int, origin: int) -> None:
    """Pieces that are met go where the mover came from; captured where that is no tile on their way (L28)."""
    met = those_with(row, tables, scratch, bank, seat, tile, SWAPS_PLACES, 0)
    for other in range(tables[PLAYERS]):
        if (met >> other) & 1 == 0:
            continue
        if origin >= tables[TILES] or not leads_home(tables, other, origin):
            take_from(row, tables, scratch, bank, seat, other, tile)
            continue
        first = slot(tables, other, 0)
        for at in range(first, first + tables[PIECES]):
            if place_of(tables, int(row[at])) == place_of(tables, tile):
                put(tables, scratch, other, tile, -1)
                row[at] = origin
                put(tables, scratch, other, origin, 1)
                tell(tables, scratch, E_SWAPPED, other, at - first, tile, origin)


def meet(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int, origin: int) -> bool:
    """Resolve a landing on a tile; False when the mover is sent home."""
    verdict = meets(row, tables, scratch, bank, seat, tile)
    if verdict == TAKES or verdict == SWAPS_PLACES:
        take(row, tables, scratch, bank, seat, tile, those_with(row, tables, scratch, bank, seat, tile, TAKES, 0))
    if verdict == SWAPS_PLACES:
        change_places(row, tables, scratch, bank, seat, tile, origin)
    return verdict != PUNISHED


def take_in_passing(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, index: int) -> None:
    """Capture whom a piece passes over on its way, the last tile apart (L33)."""
    for step in range(way_length(tables, bank, index) - 1):
        tile = way_node(tables, bank, index, step)
        if tile < tables[TILES]:
            passed = those_with(row, tables, scratch, bank, seat, tile, PASS_TAKES, PASSING_SHIFT)
            take(row, tables, scratch, bank, seat, tile, passed)


def stand_on_square(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, tile: int) -> int:
    """What a tile does to whoever lands there (L17, L18, L28); returns where the piece is then."""
    square = square_on(tables, bank, tile)
    if square == 0:
        return tile
    if square & SQUARE_AGAIN:
        row[AGAIN] = AGAIN_ANYWAY
        tell(tables, scratch, E_AGAIN, seat, piece, tile, tile)
    if square & SQUARE_MISS:
        row[skip_slot(tables, seat)] = min(9, row[skip_slot(tables, seat)] + 1)
        tell(tables, scratch, E_SKIPS, seat, piece, tile, tile)
    if square & SQUARE_ROUND:
        row[REVERSED] = 1 - row[REVERSED]
        tell(tables, scratch, E_REVERSED, seat, piece, tile, tile)
    if square & SQUARE_HOME:
        tell(tables, scratch, E_SENT_HOME, seat, piece, tile, tables[START])
        return tables[START]
    return tile


def slide(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int) -> None:
    """Whoever is on the tiles of a slide goes home, the own colour too; enemies where a jump goes through."""
    for step in range(slide_first(tables, bank, seat, tile), slide_first(tables, bank, seat, tile + 1)):
        passed = slide_tile(tables, bank, step)
        if passed < 0:
            meet(row, tables, scratch, bank, seat, -1 - passed, tables[START])
            continue
        for other in range(tables[PLAYERS]):
            if side_of(tables, other) != side_of(tables, seat):
                take_from(row, tables, scratch, bank, seat, other, passed)
            else:
                send_home(row, tables, scratch, other, passed, scratch[TRAVELLERS] if other == seat else 0)


def send_home(row: Ints, tables: Ints, scratch: Ints, seat: int, tile: int, spared: int) -> None:
    """A colour's pieces on a tile go back to their yard, those of a bit set apart."""
    for piece in range(tables[PIECES]):
        if (
            place_of(tables, int(row[slot(tables, seat, piece)])) == place_of(tables, tile)
            and (spared >> piece) & 1 == 0
        ):
            put(tables, scratch, seat, tile, -1)
            row[slot(tables, seat, piece)] = tables[START]
            tell(tables, scratch, E_SENT_HOME, seat, piece, tile, tables[START])


def arrive(
    row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, origin: int, tile: int, jumps: bool
) -> int:
    """Where a piece that lands on a tile stays: there, where a jump takes it (T3, T4), or in its yard (T5, T6, T8)."""
    if not meet(row, tables, scratch, bank, seat, tile, origin):
        tell(tables, scratch, E_SENT_HOME, seat, piece, tile, tables[START])
        return tables[START]
    place = tile
    if tables[JUMPS] and jumps and jump_from(tables, bank, seat, tile) >= 0:
        place = jump_from(tables, bank, seat, tile)
        tell(tables, scratch, E_JUMPED, seat, piece, tile, place)
        if tables[SLIDES]:
            slide(row, tables, scratch, bank, seat, tile)
        come_by_jump(tables, scratch)
        if place < tables[TILES] and not meet(row, tables, scratch, bank, seat, place, origin):
            tell(tables, scratch, E_SENT_HOME, seat, piece, place, tables[START])
            return tables[START]
    if tables[SQUARES] and place < tables[TILES]:
        return stand_on_square(row, tables, scratch, bank, seat, piece, place)
    return place


def set_down(row: Ints, tables: Ints, scratch: Ints, seat: int, piece: int, place: int) -> None:
    """Put a piece that has been lifted down, and note whether it came home."""
    at = slot(tables, seat, piece)
    origin = int(row[at])
    row[at] = place
    put(tables, scratch, seat, place, 1)
    if tables[HOME_IS_LANE]:
        came_home = (origin < tables[TILES] or origin >= tables[START]) and tables[TILES] <= place < tables[FINISH]
    else:
        came_home = place == tables[FINISH]
    if came_home:
        scratch[HOMECOMING] += 1
        tell(tables, scratch, E_CAME_HOME, seat, piece, origin, place)


def land(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, target: int) -> None:
    """Put a piece that has been lifted, and who travels with it, down at a way's end, with all that a landing does."""
    origin = int(row[slot(tables, seat, piece)])
    place = target & NODE
    if target & BOUNCED:
        tell(tables, scratch, E_BOUNCED, seat, piece, origin, place)
    if place < tables[TILES]:  # T12: no jump after a bounce
        place = arrive(row, tables, scratch, bank, seat, piece, origin, place, target & BOUNCED == 0)
    scratch[LANDED] = place
    scratch[OWNER] = seat
    if tables[REACTS]:
        scratch[PIECE] = piece
    if tables[KEEPS_LAST]:
        row[tables[R_LAST]] = 1 + seat * tables[PIECES] + piece
    if tables[bank + O_JOINS]:
        land_together(row, tables, scratch, bank, seat, piece, target & NODE, place)
    else:
        set_down(row, tables, scratch, seat, piece, place)


def land_together(
    row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, landed: int, place: int
) -> None:
    """Put pieces that travel as one down; where others of their colour stand, they join them (L31).

    What took the first of them on from where it landed, or home, has been told of that piece alone.
    """
    if scratch[TELLING] and joins_on(tables, bank, seat, place):
        if pieces_on(row, tables, seat, place) & ~scratch[TRAVELLERS]:
            tell(tables, scratch, E_JOINED, seat, piece, place, place)
    if scratch[TRAVELLERS] == 1 << piece:  # mostly: it travels alone
        set_down(row, tables, scratch, seat, piece, place)
        return
    for other in range(tables[PIECES]):
        if (scratch[TRAVELLERS] >> other) & 1:
            if other != piece and place != landed:
                tell(tables, scratch, E_SENT_HOME if place == tables[START] else E_JUMPED, seat, other, landed, place)
            set_down(row, tables, scratch, seat, other, place)


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
        if row[place_slot(tables, following)] == 0:
            return following
    return seat


def clear_turn(row: Ints, tables: Ints) -> None:
    """Forget what belongs to one turn: tokens, another roll due, rolls in a row, attempts, frozen pieces, a duty."""
    row[AGAIN] = 0
    row[SIXES] = 0
    row[ROLLS] = 0
    row[UNBLOCKED] = 0
    clear_pool(row, tables)
    if tables[KEEPS_LAST]:
        row[tables[R_LAST]] = 0
    if tables[KEEPS_SHOWN]:
        row[tables[R_SHOWN]] = 0
    if tables[PARTS]:
        forget_who_parted(row, tables)
    if tables[CHALLENGER]:
        row[challenge_slot(tables)] = 0
        row[challenge_slot(tables) + 1] = 0
    if tables[FREEZES]:
        for seat in range(tables[PLAYERS]):
            row[frozen_slot(tables, seat)] = 0


def forget_who_parted(row: Ints, tables: Ints) -> None:
    """Who has left whom belongs to one roll."""
    for at in range(parted_slot(tables, 0, 0), parted_slot(tables, tables[PLAYERS], 0)):
        row[at] = 0


def forget_rows_of_sixes(row: Ints, tables: Ints) -> None:
    """A game that is over counts no rolls in a row."""
    if tables[SIXES_STAY]:
        for seat in range(tables[PLAYERS]):
            row[sixes_slot(tables, seat)] = 0


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
        while row[skip_slot(tables, seat)] > 0:
            row[skip_slot(tables, seat)] -= 1
            seat = next_seat(row, tables, seat)
    row[TURN] = seat
    if tables[HANDS]:
        turn_to_a_hand(row, tables)


def turn_to_a_hand(row: Ints, tables: Ints) -> None:
    """The next player who holds cards decides; where nobody does, the next deal begins, with the next to lead."""
    for _ in range(tables[PLAYERS]):
        if cards_in_hand(row, tables, int(row[TURN])):
            row[STAGE] = DECISION
            return
        row[TURN] = next_seat(row, tables, int(row[TURN]))
    deal = tables[R_DEAL]
    row[deal + DEAL_NUMBER] = (row[deal + DEAL_NUMBER] + 1) % tables[DEALS]
    row[deal + DEAL_LEADER] = next_seat(row, tables, int(row[deal + DEAL_LEADER]))
    row[TURN] = row[deal + DEAL_LEADER]


def deal_card(row: Ints, tables: Ints, card: int) -> None:
    """A card goes to the hand of whose turn it is; when all hands are full they are played, or exchanged from first."""
    deal = tables[R_DEAL]
    row[hand_slot(tables, int(row[TURN]), card)] += 1
    take_card(row, tables, card)
    row[TURN] = next_seat(row, tables, int(row[TURN]))
    if cards_in_hand(row, tables, int(row[TURN])) >= hand_size(tables, int(row[deal + DEAL_NUMBER])):
        row[STAGE] = DECISION
        row[deal + DEAL_EXCHANGE] = tables[EXCHANGES]


def give_card(row: Ints, tables: Ints, scratch: Ints, card: int) -> None:
    """Lay a card away for the partner, who gets it when all have; or throw it away where none can be played."""
    seat, deal = int(row[TURN]), tables[R_DEAL]
    row[hand_slot(tables, seat, card)] -= 1
    if row[deal + DEAL_EXCHANGE] == 0:
        pass_turn_on(row, tables, scratch, TURN_NO_MOVE)
        return
    row[given_slot(tables, seat)] = card + 1
    row[TURN] = next_seat(row, tables, seat)
    if row[TURN] != row[deal + DEAL_LEADER]:
        return
    row[deal + DEAL_EXCHANGE] = 0
    for giver in range(tables[PLAYERS]):
        row[hand_slot(tables, partner(tables, giver), row[given_slot(tables, giver)] - 1)] += 1
        row[given_slot(tables, giver)] = 0


def list_gives(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List the cards that the player in turn may give or throw away: any of its hand."""
    count = 0
    for card in range(tables[DECK]):
        if row[hand_slot(tables, int(row[TURN]), card)]:
            list_move(tables, scratch, count, tables[A_GIVE] + card)
            count += 1
    return count


def standing(row: Ints, tables: Ints, seat: int) -> int:
    """How well a seat stands when the turns run out: its points, or the pieces that its side has home."""
    if tables[SCORE]:
        return int(row[score_slot(tables, seat)])
    count = home_count(row, tables, seat)
    if tables[TEAMS]:
        count += home_count(row, tables, partner(tables, seat))
    return count


def end_at_the_limit(row: Ints, tables: Ints) -> None:
    """The turn limit is reached: whoever has no place yet gets one by its standing; equal standings share it (L20)."""
    placed = int(row[PLACED])
    for seat in range(tables[PLAYERS]):
        if row[place_slot(tables, seat)] == 0:
            better = 0
            for other in range(tables[PLAYERS]):
                if row[place_slot(tables, other)] <= 0:
                    better += standing(row, tables, other) > standing(row, tables, seat)
            row[place_slot(tables, seat)] = -(placed + 1 + better)
    for seat in range(tables[PLAYERS]):
        if row[place_slot(tables, seat)] < 0:
            row[place_slot(tables, seat)] = -row[place_slot(tables, seat)]
    forget_rows_of_sixes(row, tables)
    row[STAGE] = OVER


def has_won(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether a colour has done what the game asks for (L13, L20)."""
    if tables[SCORE]:
        return row[score_slot(tables, seat)] >= tables[SCORE]
    return is_home(row, tables, seat)


def give_places(row: Ints, tables: Ints, scratch: Ints, seat: int) -> bool:
    """After a move: whether the game is over, with the places of those who are done (Z21, Z23, S19, T15, F38)."""
    if row[place_slot(tables, seat)] or not has_won(row, tables, seat):
        return False
    if tables[TEAMS]:
        mate = partner(tables, seat)
        if not is_home(row, tables, mate):
            return False
        row[place_slot(tables, mate)] = 1
    row[PLACED] += 1
    row[place_slot(tables, seat)] = row[PLACED]
    tell(tables, scratch, E_PLACED, seat, 0, 0, int(row[PLACED]))
    if tables[PLAY_ON] and row[PLACED] < tables[RANKS]:
        return False
    if tables[PLAY_ON]:
        for other in range(tables[PLAYERS]):
            if row[place_slot(tables, other)] == 0:
                row[place_slot(tables, other)] = row[PLACED] + 1
    clear_turn(row, tables)
    forget_rows_of_sixes(row, tables)
    row[STAGE] = OVER
    scratch[GAME_TURNS] += 1
    tell(tables, scratch, E_OVER, seat, 0, 0, 0)
    return True


# ---------------------------------------------------------------- rules that change


def counted(row: Ints, tables: Ints, when: int, seat: int, node: int) -> int:
    """What a condition counts, for a colour (L2)."""
    if when == BY_YARD:
        return count_on(row, tables, seat, tables[START])
    if when == BY_PLAY:
        return count_under_way(row, tables, seat)
    if when == BY_PATH:
        return count_in_play(row, tables, seat) - count_in_lane(row, tables, seat)
    if when == BY_HELD:
        return count_on(row, tables, seat, node)
    if when == BY_CAPTURES:
        return int(row[captures_slot(tables, seat)])
    if when == BY_LOST:
        return int(row[lost_slot(tables, seat)])
    if when == BY_HOME:
        return home_count(row, tables, seat)
    if when == BY_MATE:
        return home_count(row, tables, partner(tables, seat))
    return int(row[TURNS])


def count_in_lane(row: Ints, tables: Ints, seat: int) -> int:
    """How many pieces of a colour stand on its end path."""
    first = PIECE_0 + seat * tables[PIECES]
    count = 0
    for at in range(first, first + tables[PIECES]):
        count += tables[TILES] <= row[at] < tables[FINISH]
    return count


def may_have_changed(when: int, scratch: Ints, turn_ends: bool) -> bool:
    """Whether what a change counts can have grown just now."""
    if turn_ends or when == BY_TURNS:
        return turn_ends and when == BY_TURNS
    if when == BY_HOME:
        return scratch[HOMECOMING] > 0
    return when >= BY_TILE or scratch[CAPTURES] > 0


def make_changes(row: Ints, tables: Ints, scratch: Ints, turn_ends: bool) -> None:
    """After a move, or as a turn ends: let every change hold whose condition is met; it holds from now on (L2)."""
    for number in range(tables[CHANGES]):
        at = tables[T_CHANGE] + number * C_SIZE
        if may_have_changed(tables[at + C_WHEN], scratch, turn_ends):
            for seat in range(tables[PLAYERS]):
                make_change(row, tables, scratch, number, at, seat)


def hold_changes(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Let every change hold whose condition a position meets, a tile that must be reached apart."""
    for number in range(tables[CHANGES]):
        at = tables[T_CHANGE] + number * C_SIZE
        for seat in range(tables[PLAYERS]):
            if tables[at + C_WHEN] != BY_TILE:
                make_change(row, tables, scratch, number, at, seat)


def make_change(row: Ints, tables: Ints, scratch: Ints, number: int, at: int, seat: int) -> None:
    """Let one change hold for a colour, or for all, if its condition is met; one that lives ends with it."""
    when = tables[at + C_WHEN]
    changed = (row[changed_slot(tables, seat)] >> number) & 1
    if changed and tables[at + C_LIVES] == 0:
        return
    if when == BY_TILE:
        holds = seat == scratch[OWNER] and scratch[LANDED] == tables[at + C_NODE]
    else:
        count = counted(row, tables, when, seat, tables[at + C_NODE])
        holds = tables[at + C_AT_LEAST] <= count <= tables[at + C_AT_MOST]
    if changed and not holds:
        row[changed_slot(tables, seat)] &= ~(1 << number)
        tell(tables, scratch, E_CHANGED_BACK, seat, 0, number, 0)
    if holds and not changed:
        for other in range(tables[PLAYERS]):
            if other == seat or tables[at + C_ALL]:
                row[changed_slot(tables, other)] |= 1 << number
        tell(tables, scratch, E_CHANGED, seat, 0, number, tables[at + C_ALL])


def open_the_way_home(row: Ints, tables: Ints, scratch: Ints, seat: int) -> None:
    """The first capture lets a colour turn into its end path; the move itself was made before that (Z10, Z12, Z26)."""
    bit = 1 << tables[HOME_BIT]
    if row[changed_slot(tables, seat)] & bit == 0:
        row[changed_slot(tables, seat)] |= bit
        tell(tables, scratch, E_CHANGED, seat, 0, tables[HOME_BIT], 0)


# ---------------------------------------------------------------- chance


def card_at(row: Ints, tables: Ints, number: int) -> int:
    """The card behind outcome `number` of a deck from which some are gone."""
    left = number
    for card in range(tables[DECK]):
        if row[deck_slot(tables, card)] > 0:
            if left == 0:
                return card
            left -= 1
    return 0


def outcome_count(row: Ints, tables: Ints, scratch: Ints) -> int:
    """How many outcomes chance has here."""
    if row[ROLLOFF_IN] == LOT:
        return tables[PLAYERS]
    if tables[DECK] == 0:
        return tables[bank_of(row, tables, int(row[TURN])) + O_OUTCOMES]
    count = 0
    for card in range(tables[DECK]):
        count += row[deck_slot(tables, card)] > 0
    return count


def outcome_weight(row: Ints, tables: Ints, scratch: Ints, number: int) -> int:
    """How often outcome `number` comes, beside the others."""
    if row[ROLLOFF_IN] == LOT:
        return 1
    if tables[DECK]:
        return int(row[deck_slot(tables, card_at(row, tables, number))])
    return tables[outcome_at(tables, bank_of(row, tables, int(row[TURN])), number) + F_WEIGHT]


def draw_card(row: Ints, tables: Ints, key: int, ply: int) -> int:
    """Draw from a deck: the number among the cards of which some are left."""
    first, last = deck_slot(tables, 0), deck_slot(tables, tables[DECK])
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
    return point if tables[EVEN] else outcome_on(tables, bank, point)


def roll_off(row: Ints, tables: Ints, total: int) -> None:
    """One roll of the roll-off; when all have rolled, the highest begins or the tied roll again (S14-S16)."""
    row[sum_slot(tables, int(row[TURN]))] = total + SUM_IS_THERE
    highest = 0
    for seat in range(tables[PLAYERS]):
        if (row[ROLLOFF_IN] >> seat) & 1:
            if row[sum_slot(tables, seat)] == 0:
                row[TURN] = seat
                return
            highest = max(highest, row[sum_slot(tables, seat)])
    tied = 0
    first = -1
    for seat in range(tables[PLAYERS]):
        if (row[ROLLOFF_IN] >> seat) & 1 and row[sum_slot(tables, seat)] == highest:
            tied |= 1 << seat
            if first < 0:
                first = seat
    for seat in range(tables[PLAYERS]):
        row[sum_slot(tables, seat)] = 0
    row[TURN] = first
    row[ROLLOFF_IN] = 0 if tied == 1 << first else tied


def take_card(row: Ints, tables: Ints, card: int) -> None:
    """A drawn card is out of the deck; the deck is made anew when it is empty (L14)."""
    row[deck_slot(tables, card)] -= 1
    if row[deck_slot(tables, card)] > 0:
        return
    left = 0
    for at in range(deck_slot(tables, 0), deck_slot(tables, tables[DECK])):
        left += row[at]
    if left == 0:
        for other in range(tables[DECK]):
            row[deck_slot(tables, other)] = cards_of(tables, other)
            if tables[HANDS]:
                row[deck_slot(tables, other)] -= cards_out(row, tables, other)


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
    if tables[HANDS]:
        deal_card(row, tables, number)
        return
    if tables[DECK]:
        take_card(row, tables, number)
    roll(row, tables, scratch, bank, at)


def miss_a_turn(row: Ints, tables: Ints, scratch: Ints, seat: int) -> None:
    """A player misses its next turn (L18)."""
    row[skip_slot(tables, seat)] = min(9, row[skip_slot(tables, seat)] + 1)
    tell(tables, scratch, E_SKIPS, seat, 0, 0, 0)


def rolls_in_a_row(row: Ints, tables: Ints, seat: int, counts: int) -> int:
    """Count a roll that gives another one, or forget those before it (Z18); some rules count across turns."""
    at = sixes_slot(tables, seat) if tables[SIXES_STAY] else SIXES
    row[at] = row[at] + 1 if counts else 0
    if tables[COUNTS_ROLLS]:  # a row that nothing ends
        row[at] = min(MOST_IN_A_ROW, row[at])
    return int(row[at])


def turn_round_or_miss(row: Ints, tables: Ints, scratch: Ints, seat: int, at: int) -> None:
    """What a roll does to the order of play and to turns to come (L17, L18)."""
    if tables[REVERSES] and tables[at + F_REVERSE]:
        row[REVERSED] = 1 - row[REVERSED]
        tell(tables, scratch, E_REVERSED, seat, 0, 0, 0)
    if tables[SKIPS]:
        if tables[at + F_SKIP]:
            miss_a_turn(row, tables, scratch, seat)
        if tables[at + F_SKIP_NEXT]:
            miss_a_turn(row, tables, scratch, next_seat(row, tables, seat))


def is_one_too_many(row: Ints, tables: Ints, bank: int, seat: int, at: int) -> bool:
    """Count a roll that gives another one; whether it is one too many in a row, and is not played (Z18)."""
    if tables[COUNTS_ROLLS] == 0 and tables[bank + O_SIXES_LIMIT] == 0:
        return False
    in_a_row = rolls_in_a_row(row, tables, seat, tables[at + F_COUNTS])
    if tables[bank + O_SIXES_LIMIT] == 0 or in_a_row < tables[bank + O_SIXES_LIMIT]:
        return False
    if tables[SIXES_STAY]:
        row[sixes_slot(tables, seat)] = 0
    return True


def give_tokens(row: Ints, tables: Ints, bank: int, at: int) -> None:
    """The tokens of a roll wait to be played, and whether it gives another roll is noted."""
    if tables[PARTS]:
        forget_who_parted(row, tables)
    row[AGAIN] = tables[at + F_AGAIN]
    first = tables[at + F_FIRST]
    if tables[SINGLE]:
        row[TOKEN] = token_at(tables, bank, first) + 1 if tables[at + F_TOKENS] else 0
    else:
        for number in range(first, first + tables[at + F_TOKENS]):
            row[pool_slot(tables, token_at(tables, bank, number))] += 1
    if tables[KEEPS_SHOWN]:
        row[tables[R_SHOWN]] |= tables[at + F_SHOWS]  # saved rolls are shown together


def roll(row: Ints, tables: Ints, scratch: Ints, bank: int, at: int) -> None:
    """What a roll brings: tokens, another roll, a turn that is lost, missed or turned round (Z17, Z18, T14, L18)."""
    turn_round_or_miss(row, tables, scratch, int(row[TURN]), at)
    if is_one_too_many(row, tables, bank, int(row[TURN]), at):
        pass_turn_on(row, tables, scratch, TURN_IN_A_ROW)
        return
    if tables[at + F_LOST]:
        pass_turn_on(row, tables, scratch, TURN_LOST_BY_ROLL)
        return
    if tables[bank + O_ATTEMPTS] > 1:
        if tables[at + F_LEAVES]:
            row[ROLLS] = 0
        elif count_under_way(row, tables, mover(row, tables)) == 0:
            row[ROLLS] = min(tables[bank + O_ATTEMPTS], row[ROLLS] + 1)  # events may give more rolls than attempts
    give_tokens(row, tables, bank, at)
    if tables[REACTS] & (1 << ON_ROLL) and tables[at + F_REACTS]:
        scratch[CAPTURES] = 0
        why = react(row, tables, scratch, ON_ROLL, tables[at + F_REACTS], mover(row, tables))
        if tables[CHANGES]:
            make_changes(row, tables, scratch, False)
        if tables[STAKES] and somebody_has_the_stakes(row, tables, scratch):
            return
        if why:
            pass_turn_on(row, tables, scratch, why)
            return
    if tables[at + F_KEEP] == 0:  # F5, F6: a double six is kept, and the dice are rolled again
        row[STAGE] = DECISION


# ---------------------------------------------------------------- what follows what (L18)


def condition_holds(row: Ints, tables: Ints, at: int, seat: int) -> bool:
    """Whether one condition is met for a colour, or was met once where that is enough."""
    kept = tables[at + P_KEPT]
    if kept and (row[changed_slot(tables, seat)] >> (kept - 1)) & 1:
        return True
    count = counted(row, tables, tables[at + P_WHAT], seat, tables[at + P_NODE])
    return tables[at + P_AT_LEAST] <= count <= tables[at + P_AT_MOST]


def reacts(row: Ints, tables: Ints, at: int, event: int, seat: int) -> bool:
    """Whether a row speaks of this event, of this one in a row, and its conditions are met."""
    if tables[at + V_EVENT] != event:
        return False
    nth = tables[at + V_NTH]
    if nth and row[sixes_slot(tables, seat) if tables[SIXES_STAY] else SIXES] != nth:
        return False
    first = tables[T_CONDITION] + tables[at + V_FIRST] * P_SIZE
    for condition in range(first, first + tables[at + V_CONDITIONS] * P_SIZE, P_SIZE):
        if not condition_holds(row, tables, condition, seat):
            return False
    return True


def react(row: Ints, tables: Ints, scratch: Ints, event: int, which: int, seat: int) -> int:
    """Do what follows an event, row by row, of those rows that are bits of `which`; why the turn is lost, or 0."""
    why = 0
    for number in range(tables[REACTIONS]):
        at = tables[T_REACTION] + number * V_SIZE
        if (which >> number) & 1 and reacts(row, tables, at, event, seat):
            if tables[at + V_DO] == DO_LOSE:
                why = TURN_IN_A_ROW if tables[at + V_NTH] else TURN_LOST_BY_ROLL
            else:
                follow(row, tables, scratch, at, seat)
    return why


def follow(row: Ints, tables: Ints, scratch: Ints, at: int, seat: int) -> None:
    """Do what one row says."""
    what = tables[at + V_DO]
    if what == DO_AGAIN:
        row[AGAIN] = AGAIN_ANYWAY
        tell(tables, scratch, E_AGAIN, seat, 0, 0, 0)
    elif what == DO_SKIP:
        miss_a_turn(row, tables, scratch, seat)
    elif what == DO_SKIP_NEXT:
        miss_a_turn(row, tables, scratch, next_seat(row, tables, seat))
    elif what == DO_REVERSE:
        row[REVERSED] = 1 - row[REVERSED]
        tell(tables, scratch, E_REVERSED, seat, 0, 0, 0)
    elif what == DO_OUT:
        for _ in range(tables[at + V_AMOUNT]):
            bring_out(row, tables, scratch, seat, entry_of(tables, seat))
    elif what == DO_HOME:
        send_chosen_home(row, tables, scratch, tables[at + V_PIECE], seat)
    elif what == DO_MOVE:
        move_by_itself(row, tables, scratch, chosen_piece(row, tables, scratch, tables[at + V_PIECE], seat), at)
    elif what == DO_SWAP:
        swap_by_itself(row, tables, scratch, chosen_piece(row, tables, scratch, tables[at + V_PIECE], seat), seat)
    elif what == DO_STAKE and tables[STAKES]:
        stake(row, tables, scratch, seat, tables[at + V_AMOUNT])
    elif what == DO_NEW_ROUND:
        begin_a_round(row, tables, scratch)
    elif tables[POOLED]:
        leave_rest(row, tables, scratch, seat, tables[at + V_AMOUNT])


def stake(row: Ints, tables: Ints, scratch: Ints, seat: int, amount: int) -> None:
    """A player pays each opponent as many points as there are left, or gets them from each (below 0)."""
    for other in range(tables[PLAYERS]):
        if side_of(tables, other) == side_of(tables, seat):
            continue
        payer = seat if amount > 0 else other
        paid = min(abs(amount), int(row[score_slot(tables, payer)]))
        row[score_slot(tables, payer)] -= paid
        payee = other if amount > 0 else seat
        row[score_slot(tables, payee)] = min(30_000, row[score_slot(tables, payee)] + paid)
        tell(tables, scratch, E_PAID, payer, payee, 0, paid)


def somebody_has_the_stakes(row: Ints, tables: Ints, scratch: Ints) -> bool:
    """Whether somebody has got the points that win, in whoever's turn."""
    for seat in range(tables[PLAYERS]):
        if give_places(row, tables, scratch, seat):
            return True
    return False


def begin_a_round(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Every piece goes back to its yard."""
    for seat in range(tables[PLAYERS]):
        for piece in range(tables[PIECES]):
            node = int(row[slot(tables, seat, piece)])
            if node != tables[START]:
                put(tables, scratch, seat, node, -1)
                row[slot(tables, seat, piece)] = tables[START]
                tell(tables, scratch, E_SENT_HOME, seat, piece, node, tables[START])


def move_by_itself(row: Ints, tables: Ints, scratch: Ints, number: int, at: int) -> None:
    """Move a piece, counted over all colours, as a row says, if it can; what it captures sets off no further row."""
    if number < 0 or row[PIECE_0 + number] >= tables[FINISH]:
        return
    seat, piece = number // tables[PIECES], number % tables[PIECES]
    node = int(row[PIECE_0 + number])
    bank = bank_of(row, tables, seat)
    look_ahead(row, tables, scratch, bank, seat)
    target = reach(row, tables, scratch, bank, seat, node, tables[at + V_AMOUNT], 0)
    if target < 0:
        return
    before = scratch[CAPTURES]
    lift(row, tables, scratch, bank, seat, piece, target)
    if tables[bank + O_TAKES_PASSING]:
        take_in_passing(row, tables, scratch, bank, seat, way_index(tables, seat, node, tables[at + V_AMOUNT], 0))
    land(row, tables, scratch, bank, seat, piece, target)
    count_captures(row, tables, scratch, seat, scratch[CAPTURES] - before)


def furthest_of_opponents(row: Ints, tables: Ints, seat: int) -> int:
    """The opponents' piece that is furthest on the shared path, counted over all colours, or -1."""
    found = -1
    best = 0
    for other in range(tables[PLAYERS]):
        number = outermost(row, tables, other, True, tables[TILES])
        if number >= 0 and side_of(tables, other) != side_of(tables, seat):
            advance = advance_of(tables, other, int(row[PIECE_0 + number]))
            if found < 0 or advance > best:
                found = number
                best = advance
    return found


def swap_by_itself(row: Ints, tables: Ints, scratch: Ints, number: int, seat: int) -> None:
    """A piece on the shared path changes places with the opponents' furthest one, where both can go on from there."""
    rival = furthest_of_opponents(row, tables, seat)
    if number < 0 or rival < 0 or row[PIECE_0 + number] >= tables[TILES]:
        return
    here, there = int(row[PIECE_0 + number]), int(row[PIECE_0 + rival])
    other = rival // tables[PIECES]
    if not leads_home(tables, seat, there) or not leads_home(tables, other, here):
        return
    put(tables, scratch, seat, here, -1)
    put(tables, scratch, other, there, -1)
    row[PIECE_0 + number] = there
    row[PIECE_0 + rival] = here
    put(tables, scratch, seat, there, 1)
    put(tables, scratch, other, here, 1)
    tell(tables, scratch, E_SWAPPED, seat, number % tables[PIECES], here, there)
    tell(tables, scratch, E_SWAPPED, other, rival % tables[PIECES], there, here)


def count_captures(row: Ints, tables: Ints, scratch: Ints, seat: int, captures: int) -> None:
    """Count what a piece captured that no player moved."""
    if tables[CAPTURE_CAP]:
        at = captures_slot(tables, seat)
        row[at] = min(tables[CAPTURE_CAP], row[at] + captures)
    if tables[HOME_BIT] >= 0 and captures:
        open_the_way_home(row, tables, scratch, seat)


def bring_out(row: Ints, tables: Ints, scratch: Ints, seat: int, entry: int) -> None:
    """Bring a piece of the yard onto a tile of its way, if it may come to stand there; whom it meets is captured."""
    if not stands_on(row, tables, seat, tables[START]):
        return
    bank = bank_of(row, tables, seat)
    look_ahead(row, tables, scratch, bank, seat)
    if stops_at(tables, scratch, bank, entry) or may_stand(row, tables, bank, seat, tables[START], entry) < 0:
        return
    piece = first_piece_on(row, tables, seat, tables[START])
    tell(tables, scratch, E_CAME_OUT, seat, piece, tables[START], entry)
    before = scratch[CAPTURES]
    stays = meet(row, tables, scratch, bank, seat, entry, tables[START])
    count_captures(row, tables, scratch, seat, scratch[CAPTURES] - before)
    if not stays:
        tell(tables, scratch, E_SENT_HOME, seat, piece, entry, tables[START])
        return
    row[slot(tables, seat, piece)] = entry
    put(tables, scratch, seat, entry, 1)


def send_chosen_home(row: Ints, tables: Ints, scratch: Ints, who: int, seat: int) -> None:
    """Send pieces of a colour back to their yard: only those on the shared path, who is on its end path is safe."""
    if who == WHO_ALL or who == WHO_UNSAFE:
        for piece in range(tables[PIECES]):
            node = int(row[slot(tables, seat, piece)])
            if node < tables[TILES] and (who == WHO_ALL or not is_haven(tables, node)):
                send_piece_home(row, tables, scratch, seat * tables[PIECES] + piece)
        return
    number = chosen_piece(row, tables, scratch, who, seat)
    if number >= 0 and (who == WHO_FOREMOST or row[PIECE_0 + number] < tables[TILES]):
        send_piece_home(row, tables, scratch, number)


def chosen_piece(row: Ints, tables: Ints, scratch: Ints, who: int, seat: int) -> int:
    """The piece that a row speaks of, counted over all colours, or -1."""
    if who == WHO_LAST:
        return row[tables[R_LAST]] - 1
    if who == WHO_COULD:
        return scratch[COULD] - 1
    if who != WHO_MOVED:
        return outermost(row, tables, seat, who != WHO_HINDMOST, tables[FINISH if who == WHO_FOREMOST else TILES])
    return seat * tables[PIECES] + scratch[PIECE]


def send_piece_home(row: Ints, tables: Ints, scratch: Ints, number: int) -> None:
    """Send one piece, counted over all colours, from where it is in play back to its yard."""
    seat, piece = number // tables[PIECES], number % tables[PIECES]
    node = int(row[PIECE_0 + number])
    put(tables, scratch, seat, node, -1)
    row[PIECE_0 + number] = tables[START]
    tell(tables, scratch, E_SENT_HOME, seat, piece, node, tables[START])


def outermost(row: Ints, tables: Ints, seat: int, furthest: bool, nodes: int) -> int:
    """The piece of a colour that is furthest or hindmost on the first nodes, counted over all colours, or -1."""
    found = -1
    best = 0
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, seat, piece)])
        if node < nodes:
            advance = advance_of(tables, seat, node)
            if found < 0 or (advance > best if furthest else advance < best):
                found = seat * tables[PIECES] + piece
                best = advance
    return found


def note_who_could_capture(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Before a move: which piece could have captured, where the move itself captures nothing (1 + its number, or 0)."""
    scratch[COULD] = 0
    if action < tables[A_PASS] and would_capture(row, tables, scratch, action):
        return
    count = list_moves(row, tables, scratch)
    for number in range(count):
        other = listed(tables, scratch, number)
        if scratch[COULD] == 0 and would_capture(row, tables, scratch, other):
            seat = seat_of_action(row, tables, other)
            scratch[COULD] = 1 + seat * tables[PIECES] + piece_of_action(row, tables, other)


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
        return leaving_kind(tables, outside_number(tables, action) // tables[WAYS] % tables[LEAVERS])
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
    while leaving_kind(tables, leaver) != kind:
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
    whose = whose_of(tables, kind)
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
        if count_in_set(tables, number, kind) and not may_move(row, tables, own, seat, kind):
            return False
    return True


def is_frozen(row: Ints, tables: Ints, seat: int, piece: int) -> bool:
    """Whether a piece has captured this turn and stays where it is (F19, F24)."""
    if tables[FREEZES] == 0:
        return False
    return (row[frozen_slot(tables, seat)] >> piece) & 1 != 0


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
    row: Ints, tables: Ints, bank: int, seat: int, node: int, other: int, there: int, how: int
) -> bool:  # fmt: skip
    """Whether a piece may change places with another colour's: both on the shared path, neither sheltered (L14).

    A strike puts a piece of the yard in the other's place.
    """
    if there >= tables[TILES] or node == there:
        return False
    if tables[KEEPS_FRESH] and (is_fresh(row, tables, seat, node) or is_fresh(row, tables, other, there)):
        return False
    if node != tables[START] if how == STRIKE else node >= tables[TILES]:
        return False
    if how != SWAP_ANY and side_of(tables, other) == side_of(tables, seat):
        return False
    if how == STRIKE:
        return leads_home(tables, seat, there) and not shelter_of(tables, bank, seat, other, there)
    if shelter_of(tables, bank, seat, other, there):
        return False
    if not leads_home(tables, seat, there) or not leads_home(tables, other, node):
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
        list_move(tables, scratch, count, action + way)
        count += reach(row, tables, scratch, bank, seat, node, kind, way) >= 0
    return count


def swapper_at(tables: Ints, number: int) -> int:
    """One of the kinds of tokens that change places."""
    return tables[tables[T_SWAPPER] + number]


def swapper_of_action(tables: Ints, action: int) -> int:
    """The kind of token that a swap uses."""
    return swapper_at(tables, (action - tables[A_SWAP]) // (tables[PIECES] * tables[PLAYERS] * tables[PIECES]))


def first_swap_of(tables: Ints, kind: int) -> int:
    """The first action that changes places with a kind of token."""
    swapper = 0
    while swapper_at(tables, swapper) != kind:
        swapper += 1
    return tables[A_SWAP] + swapper * tables[PIECES] * tables[PLAYERS] * tables[PIECES]


def list_swaps(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, kind: int, count: int) -> int:
    """List whom a piece may change places with (L14)."""
    first = first_swap_of(tables, kind)
    node = int(row[slot(tables, seat, piece)])
    players, pieces = tables[PLAYERS], tables[PIECES]
    for turned in range(1, players):
        other = (seat + turned) % players
        for rival in range(pieces):
            there = int(row[slot(tables, other, rival)])
            if first_on_its_node(row, tables, other, rival):
                if may_be_swapped(row, tables, bank, seat, node, other, there, swaps_of(tables, kind)):
                    list_move(tables, scratch, count, first + (piece * players + turned) * pieces + rival)
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
            if tables[SWAPS] and swaps_of(tables, kind):
                count = list_swaps(row, tables, scratch, bank, seat, piece, kind, count)
            if tables[SWAPS] == 0 or effect_of(tables, kind) != SWAP:
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
    count = 0
    for piece in range(tables[PIECES]):
        list_move(tables, scratch, count, piece)
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
            if scratch[digits + kind] < min(waiting(row, tables, kind), most_of(tables, kind)):
                break
            key -= scratch[digits + kind] * stride_of(tables, kind)
            size -= scratch[digits + kind]
            scratch[digits + kind] = 0
            kind += 1
        if kind == kinds:
            return count
        scratch[digits + kind] += 1
        size += 1
        key += stride_of(tables, kind)
        number = set_with_key(tables, key)
        if number >= 0 and size > 1:
            note_number(tables, scratch, count, number, scratch[digits + tables[LEAVER]])
            count += 1


def whole_pool_set(row: Ints, tables: Ints) -> int:
    """The set of all tokens that can be combined, or -1 where no move can use them all."""
    key = 0
    for kind in range(tables[KINDS]):
        if combines(tables, kind):
            dice = waiting(row, tables, kind)
            if dice > most_of(tables, kind):
                return -1
            key += dice * stride_of(tables, kind)
    return set_with_key(tables, key)


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
        for noted in range(scratch[NUMBERS]):
            number = noted_set(tables, scratch, noted)
            if not may_move_by_set(row, tables, own, seat, number):
                continue
            if number >= tables[KINDS]:
                list_move(tables, scratch, count, step_action(tables, number, spot, 0))
                total = set_total(tables, number)
                count += combined_reach(row, tables, scratch, bank, seat, node, total) >= 0
                continue
            if tables[SWAPS] and swaps_of(tables, number):
                count = list_swaps(row, tables, scratch, bank, seat, piece, number, count)
            if tables[SWAPS] == 0 or effect_of(tables, number) != SWAP:
                count = list_ways(row, tables, scratch, bank, seat, spot, node, number, count)
    return count


def list_from(
    row: Ints, tables: Ints, scratch: Ints, bank: int, own: int, turned: int, seat: int, node: int, count: int
) -> int:
    """List what single tokens do with a colour's pieces on a node outside the board: come out, be bought back."""
    for leaver in range(tables[LEAVERS]):
        number = leaving_kind(tables, leaver)
        if are_waiting(row, tables, number) and may_move(row, tables, own, seat, route_kind(tables, number)):
            action = outside_action(tables, turned, node, number, 0)
            for way in range(tables[WAYS]):
                list_move(tables, scratch, count, action + way)
                count += reach(row, tables, scratch, bank, seat, node, route_kind(tables, number), way) >= 0
    return count


def list_strikes(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, count: int) -> int:
    """List whose place a piece of the yard may take."""
    for kind in range(tables[KINDS]):
        if swaps_of(tables, kind) == STRIKE and waiting(row, tables, kind):
            piece = first_piece_on(row, tables, seat, tables[START])
            count = list_swaps(row, tables, scratch, bank, seat, piece, kind, count)
    return count


def are_waiting(row: Ints, tables: Ints, number: int) -> bool:
    """Whether the token, or the two of a set that together bring a piece out, wait."""
    if tables[SUMS] and number >= tables[KINDS]:
        return not lacks(row, tables, number, 0)
    return waiting(row, tables, number) > 0


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
            list_move(tables, scratch, 0, forced)
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
            if tables[SWAPS] and turned == 0:
                count = list_strikes(row, tables, scratch, bank, seat, count)
            if tables[GO_ON] and turned == 0 and count > before:
                count = list_going_on(row, tables, scratch, bank, own, before, count)
        held = first_held(row, tables, seat)
        if held >= 0:
            count = list_from(row, tables, scratch, bank, own, turned, seat, held, count)
    pieces = special_pieces(row, tables, own)
    if pieces:
        list_move(tables, scratch, count, tables[A_SPECIAL] + pieces - 2)
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
    entry = entry_of(tables, seat)
    survey(row, tables, scratch, bank, seat, entry, dice_total_left(row, tables) - distance_of(tables, tables[LEAVER]))
    for noted in range(scratch[NUMBERS]):
        number = noted_set(tables, scratch, noted)
        leavers = noted_leavers(tables, scratch, noted)
        if leavers >= waiting(row, tables, tables[LEAVER]) or not combines_all(tables, number):
            continue
        if combined_reach(row, tables, scratch, bank, seat, entry, set_total(tables, number)) >= 0:
            list_move(tables, scratch, count, tables[A_ON] + number)
            count += 1
    if count == before + 1 or not must_go_on(row, tables, scratch, bank, seat):
        return count
    # F29: all dice left as one move; F31: where that is impossible, any legal part
    size = dice_left(row, tables) - 1
    for listing in range(before + 1, count):
        if set_size(tables, listed(tables, scratch, listing) - tables[A_ON]) == size:
            list_move(tables, scratch, before, listed(tables, scratch, listing))
            return before + 1
    for listing in range(before, count - 1):
        list_move(tables, scratch, listing, listed(tables, scratch, listing + 1))
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
    entry = entry_of(tables, seat)
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
    pieces = enemies_on(row, tables, seat, entry_of(tables, seat))
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
        bank = bank_of(row, tables, other)
        for piece in range(tables[PIECES]):
            node = int(row[slot(tables, other, piece)])
            if node < tables[TILES]:
                word = tile // TILES_PER_WORD
                if ahead_bits(tables, bank, other, node, word) & bit_of(tables, tile, word):
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
    kept = 0
    for number in range(count):
        action = listed(tables, scratch, number)
        if is_step(tables, action) and seat_of_action(row, tables, action) == own:
            node = node_of_action(row, tables, action)
            if node < tables[TILES] and stands_in_the_way(row, tables, own, node):
                if keep:
                    list_move(tables, scratch, kept, action)
                kept += 1
    return kept


def action_target(row: Ints, tables: Ints, scratch: Ints, action: int) -> int:
    """Where a step, combined or not, ends, or minus the reason why it is closed, duties apart."""
    seat = seat_of_action(row, tables, action)
    bank = bank_of(row, tables, seat)
    look_ahead(row, tables, scratch, bank, seat)
    node = node_of_action(row, tables, action)
    number = number_of(row, tables, action)
    if number >= tables[KINDS] and not is_from_outside(tables, action):
        survey(row, tables, scratch, bank, seat, node, set_total(tables, number))
        return combined_reach(row, tables, scratch, bank, seat, node, set_total(tables, number))
    return reach(row, tables, scratch, bank, seat, node, route_kind(tables, number), way_of(tables, action))


def would_capture(row: Ints, tables: Ints, scratch: Ints, action: int) -> bool:
    """Whether a listed move captures, or lands where it would (L29)."""
    own = mover(row, tables)
    if action >= tables[A_SWAP]:
        return swaps_of(tables, swapper_of_action(tables, action)) == STRIKE
    if action >= tables[A_SPECIAL]:
        return True
    if not is_step(tables, action):
        bank = bank_of(row, tables, own)
        look_ahead(row, tables, scratch, bank, own)
        entry = entry_of(tables, own)
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
    if tables[bank + O_TAKES_PASSING] == 0 or node >= tables[FINISH] or number >= tables[KINDS]:
        return False
    index = way_index(tables, seat, node, number, way_of(tables, action))
    for step in range(way_length(tables, bank, index)):
        tile = way_node(tables, bank, index, step)
        if tile < tables[TILES]:
            if those_with(row, tables, scratch, bank, seat, tile, PASS_TAKES, PASSING_SHIFT):
                return True
    return False


def keep_captures(row: Ints, tables: Ints, scratch: Ints, count: int) -> int:
    """Keep only the moves that capture, if there are some (L29); returns how many."""
    kept = 0
    for number in range(count):
        action = listed(tables, scratch, number)
        if would_capture(row, tables, scratch, action):
            list_move(tables, scratch, kept, action)
            kept += 1
    return kept


def moves_from(row: Ints, tables: Ints, own: int, node: int, action: int) -> bool:
    """Whether an action moves an own piece that stands on a node."""
    if not is_step(tables, action):
        return action < tables[A_SWAP] and node == tables[START]
    return seat_of_action(row, tables, action) == own and node_of_action(row, tables, action) == node


def keep_from(row: Ints, tables: Ints, scratch: Ints, own: int, node: int, count: int) -> int:
    """Keep only the moves of own pieces on a node, if there are some; returns how many."""
    kept = 0
    for number in range(count):
        action = listed(tables, scratch, number)
        if moves_from(row, tables, own, node, action):
            list_move(tables, scratch, kept, action)
            kept += 1
    return kept


def keep_first_duty(row: Ints, tables: Ints, scratch: Ints, bank: int, own: int, count: int) -> int:
    """Keep only the moves that do the first duty which some move can do; 0 where none is done.

    In order: break up a block, capture, clear the entry tile, come out.
    """
    if tables[DUTIES]:
        return keep_listed_duty(row, tables, scratch, bank, own, count)
    kept = 0
    if tables[bank + O_UNBLOCK_DUTY] and row[UNBLOCKED] == 0:
        if keep_unblocking(row, tables, scratch, own, count, False):  # F37: nothing off the stack, no duty
            return keep_unblocking(row, tables, scratch, own, count, True)
    if tables[bank + O_CAPTURE_DUTY]:
        kept = keep_captures(row, tables, scratch, count)
    if kept == 0 and stands_on(row, tables, own, tables[START]):
        if tables[bank + O_CLEAR_ENTRY]:
            kept = keep_from(row, tables, scratch, own, entry_of(tables, own), count)
        if kept == 0 and tables[bank + O_COMPULSORY]:
            kept = keep_from(row, tables, scratch, own, tables[START], count)
    return kept


def keep_breaking(row: Ints, tables: Ints, scratch: Ints, own: int, count: int) -> int:
    """Keep only the moves that take a piece off a tile on which the own colour has two; returns how many."""
    kept = 0
    for number in range(count):
        action = listed(tables, scratch, number)
        if is_step(tables, action) and seat_of_action(row, tables, action) == own:
            node = node_of_action(row, tables, action)
            if node < tables[TILES] and count_on(row, tables, own, node) >= 2:
                list_move(tables, scratch, kept, action)
                kept += 1
    return kept


def is_due(row: Ints, tables: Ints, at: int) -> bool:
    """Whether a duty is asked after the last roll."""
    if tables[KEEPS_SHOWN] == 0 or tables[at + D_SHOWN] == 0:
        return True
    return row[tables[R_SHOWN]] & tables[at + D_SHOWN] != 0


def keep_for_duty(row: Ints, tables: Ints, scratch: Ints, duty: int, own: int, count: int) -> int:
    """Keep only the moves that do one duty, if there are some; returns how many."""
    if duty == DUTY_BREAK:
        return keep_breaking(row, tables, scratch, own, count)
    if duty == DUTY_CAPTURE:
        return keep_captures(row, tables, scratch, count)
    if duty == DUTY_UNBLOCK:
        if row[UNBLOCKED] or not keep_unblocking(row, tables, scratch, own, count, False):
            return 0
        return keep_unblocking(row, tables, scratch, own, count, True)
    if duty != DUTY_LEAVE and not stands_on(row, tables, own, tables[START]):
        return 0
    node = tables[START] if duty == DUTY_OUT else entry_of(tables, own)
    return keep_from(row, tables, scratch, own, node, count)


def keep_listed_duty(row: Ints, tables: Ints, scratch: Ints, bank: int, own: int, count: int) -> int:
    """Keep only the moves that do the first duty of the document's own list which some move can do; 0: none is."""
    for number in range(tables[bank + O_DUTIES]):
        at = duty_at(tables, bank, number)
        if is_due(row, tables, at):
            kept = keep_for_duty(row, tables, scratch, tables[at + D_WHAT], own, count)
            if kept:
                return kept
    return 0


def first_duty(row: Ints, tables: Ints, scratch: Ints, bank: int, own: int, count: int) -> int:
    """Which duty of the document's own list is done first (some move can do it), or -1."""
    for number in range(tables[bank + O_DUTIES]):
        at = duty_at(tables, bank, number)
        if is_due(row, tables, at) and keep_for_duty(row, tables, scratch, tables[at + D_WHAT], own, count):
            return tables[at + D_WHAT]
    return -1


def keep_duties(row: Ints, tables: Ints, scratch: Ints, bank: int, own: int, count: int) -> int:
    """Keep only the moves that a duty leaves; returns how many."""
    kept = keep_first_duty(row, tables, scratch, bank, own, count)
    if kept == 0:
        return count
    if tables[PLAIN]:
        movable = 0
        for number in range(kept):
            movable |= pieces_on(row, tables, own, node_of_action(row, tables, listed(tables, scratch, number)))
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


def is_part(row: Ints, tables: Ints, action: int) -> bool:
    """Whether an action plays a part of a token whose rest must be played too."""
    if not is_step(tables, action):
        return False
    seat = seat_of_action(row, tables, action)
    kind = number_of(row, tables, action)
    if kind >= tables[KINDS]:
        return False
    index = way_index(tables, seat, node_of_action(row, tables, action), kind, way_of(tables, action))
    return rest_of_way(tables, bank_of(row, tables, seat), index) & REST_PART != 0


def keep_whole(row: Ints, tables: Ints, scratch: Ints, count: int) -> int:
    """Of the listed moves keep the parts of a token whose rest can be played too, and all others; returns how many."""
    kept = 0
    parts = 0
    for number in range(count):
        action = listed(tables, scratch, number)
        if is_part(row, tables, action):
            parts += 1
            scratch[tables[S_KEPT] + tables[A_PASS] + 2 - parts] = action
        else:
            scratch[tables[S_KEPT] + kept] = action
            kept += 1
    for number in range(parts):
        action = scratch[tables[S_KEPT] + tables[A_PASS] + 1 - number]
        if not is_part_in_vain(row, tables, scratch, action):
            scratch[tables[S_KEPT] + kept] = action
            kept += 1
    for number in range(kept):
        list_move(tables, scratch, number, scratch[tables[S_KEPT] + number])
    return kept


def is_part_in_vain(row: Ints, tables: Ints, scratch: Ints, action: int) -> bool:
    """Whether an action plays a part of a token whose rest then can't be played: every order of parts is tried."""
    if not is_part(row, tables, action):
        return False
    telling, captures, homecoming = scratch[TELLING], scratch[CAPTURES], scratch[HOMECOMING]
    scratch[TELLING] = 0
    depth = 0
    remember(row, tables, scratch, depth)
    play_step(row, tables, scratch, action)
    found = 0
    while found == 0 and depth >= 0:
        following = next_part(row, tables, scratch, depth)
        if following < 0:
            restore(row, tables, scratch, depth)
            depth -= 1
        elif is_part(row, tables, following):
            depth += 1
            remember(row, tables, scratch, depth)
            play_step(row, tables, scratch, following)
        else:
            found = 1
    while depth >= 0:
        restore(row, tables, scratch, depth)
        depth -= 1
    scan(row, tables, scratch)
    scratch[TELLING], scratch[CAPTURES], scratch[HOMECOMING] = telling, captures, homecoming
    return found == 0


def next_part(row: Ints, tables: Ints, scratch: Ints, depth: int) -> int:
    """The next move that is to be tried at a depth, or -1."""
    at = tables[S_TRIED] + depth * (tables[ROW_SIZE] + 1)
    count = list_moves(row, tables, scratch)
    if scratch[at] >= count:
        return -1
    scratch[at] += 1
    return listed(tables, scratch, scratch[at] - 1)


def remember(row: Ints, tables: Ints, scratch: Ints, depth: int) -> None:
    """Keep a row that is played on, and that nothing has been tried after it."""
    at = tables[S_TRIED] + depth * (tables[ROW_SIZE] + 1)
    scratch[at] = 0
    for index in range(tables[ROW_SIZE]):
        scratch[at + 1 + index] = row[index]


def restore(row: Ints, tables: Ints, scratch: Ints, depth: int) -> None:
    """The row as it was."""
    at = tables[S_TRIED] + depth * (tables[ROW_SIZE] + 1)
    for index in range(tables[ROW_SIZE]):
        row[index] = scratch[at + 1 + index]
    scan(row, tables, scratch)


def all_are_free(tables: Ints, scratch: Ints, count: int) -> bool:
    """Whether the listed moves are exchanges that nobody has to make."""
    for number in range(count):
        action = listed(tables, scratch, number)
        if not tables[A_SWAP] <= action < tables[A_GIVE]:
            return False
        if swaps_of(tables, swapper_of_action(tables, action)) != SWAP_FREE:
            return False
    return True


def keep_legal(row: Ints, tables: Ints, scratch: Ints, count: int) -> int:
    """Of the listed moves keep those that the duties leave, and let pass who may or must (Z19, S18, F8, S50)."""
    own = mover(row, tables)
    bank = bank_of(row, tables, own)
    if tables[SHARES_OUT]:
        count = keep_whole(row, tables, scratch, count)
    if count > 1 and (  # a single move every duty keeps
        tables[DUTIES]
        | tables[bank + O_UNBLOCK_DUTY]
        | tables[bank + O_CAPTURE_DUTY]
        | tables[bank + O_CLEAR_ENTRY]
        | tables[bank + O_COMPULSORY]
    ):
        count = keep_duties(row, tables, scratch, bank, own, count)
    if count == 0 and tables[DISCARDS]:
        count = list_gives(row, tables, scratch)
    elif count == 0 or tables[bank + O_MAY_PASS] or (tables[FREE_SWAPS] and all_are_free(tables, scratch, count)):
        list_move(tables, scratch, count, tables[A_PASS])
        count += 1
    scratch[COUNT] = count
    scratch[FRESH] = 1
    return count


def legal(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List the legal actions of a decision at scratch[S_MOVES…] and count them; `pass` where there is none."""
    if scratch[FRESH]:
        return scratch[COUNT]
    if tables[EXCHANGES] and row[tables[R_DEAL] + DEAL_EXCHANGE]:
        scratch[COUNT] = list_gives(row, tables, scratch)
        scratch[FRESH] = 1
        return scratch[COUNT]
    return keep_legal(row, tables, scratch, list_moves(row, tables, scratch))


# ---------------------------------------------------------------- playing


def lift(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, target: int) -> None:
    """Take a piece up, with those that travel with it, and tell where they go."""
    node = int(row[slot(tables, seat, piece)])
    if tables[KEEPS_SHOWN] and node < tables[TILES] and count_on(row, tables, seat, node) >= 2:
        row[tables[R_SHOWN]] &= ~tables[BREAK_BITS]
    if tables[PARTS]:
        if (target & NODE) >= tables[FINISH]:
            row[parted_slot(tables, seat, piece)] = 0
        elif node < tables[FINISH] and count_on(row, tables, seat, node) >= 2:
            row[parted_slot(tables, seat, piece)] = node + 1
    if tables[CHALLENGER] and row[challenge_slot(tables)] == 1 + seat * tables[FINISH] + node:
        row[challenge_slot(tables)] = 0  # whoever goes away challenges nobody any more
        row[challenge_slot(tables) + 1] = 0
    scratch[TRAVELLERS] = 1 << piece
    if (
        tables[bank + O_JOINS]
        and pieces_on(row, tables, seat, node) != 1 << piece
        and joins_on(tables, bank, seat, node)
    ):
        scratch[TRAVELLERS] = pieces_on(row, tables, seat, node)
        if tables[LEAVES] and scratch[GOING]:
            scratch[TRAVELLERS] = first_of(scratch[TRAVELLERS], piece, scratch[GOING])
        for other in range(tables[PIECES]):
            if (scratch[TRAVELLERS] >> other) & 1 and other != piece:
                put(tables, scratch, seat, node, -1)
                tell(tables, scratch, E_MOVED, seat, other, node, target & NODE)
    put(tables, scratch, seat, node, -1)
    what = E_MOVED if node < tables[FINISH] else E_CAME_OUT if node == tables[START] else E_BOUGHT
    tell(tables, scratch, what, seat, piece, node, target & NODE)


def first_of(pieces: int, lead: int, count: int) -> int:
    """A piece and the lowest others of a bit set, so many in all."""
    found = 1 << lead
    left = pieces & ~found
    for _ in range(count - 1):
        found |= left & -left
        left &= left - 1
    return found


def freeze_if_it_captured(row: Ints, tables: Ints, scratch: Ints, seat: int) -> None:
    """A piece that captured stays for the rest of the turn (F24)."""
    if tables[FREEZES] & 1 and scratch[CAPTURES]:
        row[frozen_slot(tables, seat)] |= scratch[TRAVELLERS]


def stop_on_the_way(
    row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, node: int, index: int
) -> int:  # fmt: skip
    """Where a way that is walked tile by tile ends; told where that is before its end."""
    target = way_end(tables, bank, index)
    end = walk_end(row, tables, scratch, bank, seat, node, index)
    if end != target:
        taken = meets(row, tables, scratch, bank, seat, end & NODE) == TAKES if end < tables[TILES] else False
        tell(tables, scratch, E_SWEPT if taken else E_STOPPED, seat, piece, end & NODE, target & NODE)
    return end


def play_step(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Move a piece on a way with a token. A legal move gets where its way ends: what could stop it has been asked."""
    seat = seat_of_action(row, tables, action)
    piece = piece_of_step(row, tables, seat, action)
    kind = number_of(row, tables, action)
    bank = bank_of(row, tables, seat)
    node = int(row[slot(tables, seat, piece)])
    index = way_index(tables, seat, node, route_kind(tables, kind), way_of(tables, action))
    target = way_end(tables, bank, index)
    if tables[CHALLENGER] and kind + 1 == tables[CHALLENGER]:
        needed = needed_to_break(row, tables, scratch, bank, seat, node)
        if needed:
            play_challenge(row, tables, scratch, bank, seat, piece, needed)
            return
    come(row, tables, scratch, bank, seat, node)
    if tables[bank + O_WALKS]:
        target = stop_on_the_way(row, tables, scratch, bank, seat, piece, node, index)
    if tables[SUMS] and kind >= tables[KINDS]:
        spend(row, tables, kind)
        leave_rest(row, tables, scratch, seat, rest_of_sum(tables, kind))
    else:
        use_token(row, tables, kind)
        if tables[RESTS]:
            rest = rest_of_way(tables, bank, index)
            leave_rest(row, tables, scratch, seat, rest)
            if tables[FREEZES] & 4 and rest & REST_STAYS:
                row[frozen_slot(tables, seat)] |= 1 << piece
    if tables[LEAVES]:
        scratch[GOING] = going_alone(tables, bank, index)
        if tables[STRENGTHS] > 1:
            come_alone(tables, scratch, scratch[GOING])
    lift(row, tables, scratch, bank, seat, piece, target)
    if tables[LEAVES]:
        scratch[GOING] = 0
    if tables[CLEARS] and rest_of_way(tables, bank, index) & REST_CLEARS:
        clear_the_way(row, tables, scratch, bank, seat, piece, index)
    if tables[bank + O_TAKES_PASSING] and node < tables[FINISH]:
        take_in_passing(row, tables, scratch, bank, seat, index)
    land(row, tables, scratch, bank, seat, piece, target)
    if tables[KEEPS_FRESH] and (node == tables[START] or node == entry_of(tables, seat)):
        row[fresh_slot(tables, seat)] = node == tables[START] and target == entry_of(tables, seat)
    freeze_if_it_captured(row, tables, scratch, seat)


def play_challenge(
    row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, needed: int
) -> None:  # fmt: skip
    """Challenge those right ahead with one token more; with the last that is needed they are captured (L33)."""
    node = int(row[slot(tables, seat, piece)])
    ahead = node_after(tables, bank, seat, node)
    done = 1 + challenges_from(row, tables, seat, node)
    at = challenge_slot(tables)
    use_token(row, tables, tables[CHALLENGER] - 1)
    tell(tables, scratch, E_CHALLENGED, seat, piece, node, ahead)
    if done < needed:
        row[at] = 1 + seat * tables[FINISH] + node
        row[at + 1] = done
        scratch[LANDED] = node
        scratch[OWNER] = seat
        return
    row[at] = 0
    row[at + 1] = 0
    lift(row, tables, scratch, bank, seat, piece, ahead)
    for other in range(tables[PLAYERS]):
        if side_of(tables, other) != side_of(tables, seat):
            take_from(row, tables, scratch, bank, seat, other, ahead)
    land(row, tables, scratch, bank, seat, piece, ahead)
    freeze_if_it_captured(row, tables, scratch, seat)


def clear_the_way(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, index: int) -> None:
    """Whoever stands on a way goes home, the mover's own side too, the piece that walks it apart."""
    for step in range(way_length(tables, bank, index)):
        tile = way_node(tables, bank, index, step)
        for other in range(tables[PLAYERS]):
            if tile >= tables[TILES]:
                continue
            if side_of(tables, other) != side_of(tables, seat):
                take_from(row, tables, scratch, bank, seat, other, tile)
            else:
                send_home(row, tables, scratch, other, tile, scratch[TRAVELLERS] if other == seat else 0)


def leave_rest(row: Ints, tables: Ints, scratch: Ints, seat: int, rest: int) -> None:
    """The tokens that are left to play after another, if there are some: 1 + their kind, and 256 for each more."""
    if rest % 256:
        kind, count = rest % 256 - 1, 1 + rest // 256 % 16
        if tables[HANDS]:
            row[TOKEN] = kind + 1
            return
        row[pool_slot(tables, kind)] += count
        tell(tables, scratch, E_BONUS, seat, count, 0, kind)


def play_combined(row: Ints, tables: Ints, scratch: Ints, seat: int, piece: int, node: int, number: int) -> None:
    """Move a piece from a node (its own, or its entry tile) with a set of tokens as one move (F20, F21, F30)."""
    bank = bank_of(row, tables, seat)
    look_ahead(row, tables, scratch, bank, seat)
    total = set_total(tables, number)
    survey(row, tables, scratch, bank, seat, node, total)
    target = combined_reach(row, tables, scratch, bank, seat, node, total)
    spend(row, tables, number)
    lift(row, tables, scratch, bank, seat, piece, target)
    lost = total - combined_steps(tables, scratch, total)
    if lost:
        tell(tables, scratch, E_LOST_TOKENS, seat, piece, lost, target)
    land(row, tables, scratch, bank, seat, piece, target)
    freeze_if_it_captured(row, tables, scratch, seat)


def play_out_and_on(row: Ints, tables: Ints, scratch: Ints, seat: int, number: int) -> None:
    """Bring a piece out and on with a set of tokens: the entry tile itself is not swept (F30)."""
    piece = first_piece_on(row, tables, seat, tables[START])
    use_token(row, tables, tables[LEAVER])
    play_combined(row, tables, scratch, seat, piece, entry_of(tables, seat), number)


def play_special(row: Ints, tables: Ints, scratch: Ints, seat: int, pieces: int) -> None:
    """The special move out: as many pieces as the block has, the missing ones bought back first (F15, F16)."""
    entry = entry_of(tables, seat)
    while count_on(row, tables, seat, tables[START]) < pieces:
        buy_back(row, tables, scratch, seat)
    enemies = 0
    for other in range(tables[PLAYERS]):
        enemies |= (side_of(tables, other) != side_of(tables, seat)) << other
    take(row, tables, scratch, bank_of(row, tables, seat), seat, entry, enemies)
    row[pool_slot(tables, tables[LEAVER])] -= pieces
    for _ in range(pieces):
        piece = first_piece_on(row, tables, seat, tables[START])
        tell(tables, scratch, E_CAME_OUT, seat, piece, tables[START], entry)
        row[slot(tables, seat, piece)] = entry
        put(tables, scratch, seat, entry, 1)
        row[frozen_slot(tables, seat)] |= 1 << piece  # F19
    scratch[LANDED] = entry
    scratch[OWNER] = seat


def play_swap(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Two pieces change places (L14)."""
    number = action - tables[A_SWAP]
    pieces, players = tables[PIECES], tables[PLAYERS]
    own = mover(row, tables)
    piece, rival = number // (players * pieces) % pieces, number % pieces
    other = (own + number // pieces % players) % players
    mine, theirs = slot(tables, own, piece), slot(tables, other, rival)
    here, there = int(row[mine]), int(row[theirs])
    use_token(row, tables, swapper_of_action(tables, action))
    if here == tables[START]:
        bank = bank_of(row, tables, own)
        come(row, tables, scratch, bank, own, here)
        lift(row, tables, scratch, bank, own, piece, there)
        land(row, tables, scratch, bank, own, piece, there)
        return
    put(tables, scratch, own, here, -1)
    put(tables, scratch, other, there, -1)
    row[mine] = there
    row[theirs] = here
    put(tables, scratch, own, there, 1)
    put(tables, scratch, other, here, 1)
    tell(tables, scratch, E_SWAPPED, own, piece, here, there)
    tell(tables, scratch, E_SWAPPED, other, rival, there, here)
    there = slide_on(row, tables, scratch, own, piece, there)
    scratch[LANDED] = there
    scratch[OWNER] = own
    scratch[PIECE] = piece
    if tables[KEEPS_LAST]:
        row[tables[R_LAST]] = 1 + own * pieces + piece


def slide_on(row: Ints, tables: Ints, scratch: Ints, seat: int, piece: int, tile: int) -> int:
    """Where a piece that changed places is then: a jump or a slide takes it on as if it had come by itself."""
    bank = bank_of(row, tables, seat)
    if tables[JUMPS] == 0 or jump_from(tables, bank, seat, tile) < 0:
        return tile
    scratch[TRAVELLERS] = 1 << piece
    put(tables, scratch, seat, tile, -1)
    row[slot(tables, seat, piece)] = tables[START]
    place = arrive(row, tables, scratch, bank, seat, piece, tile, tile, True)
    row[slot(tables, seat, piece)] = place
    put(tables, scratch, seat, place, 1)
    return place


def count_what_happened(row: Ints, tables: Ints, scratch: Ints) -> None:
    """After a move that captured or came home: counts, points, bonus tokens and another roll for it (Z17, L18, L20)."""
    owner = scratch[OWNER]
    bank = bank_of(row, tables, int(row[TURN]))
    if scratch[CAPTURES]:
        if tables[CAPTURE_CAP]:
            at = captures_slot(tables, owner)
            row[at] = min(tables[CAPTURE_CAP], row[at] + scratch[CAPTURES])
        if tables[BONUSES] and tables[bank + O_CAPTURE_BONUS] >= 0:
            row[pool_slot(tables, tables[bank + O_CAPTURE_BONUS])] += scratch[CAPTURES]
            tell(tables, scratch, E_BONUS, owner, scratch[CAPTURES], 0, tables[bank + O_CAPTURE_BONUS])
    if scratch[HOMECOMING] and tables[BONUSES] and tables[bank + O_FINISH_BONUS] >= 0:
        row[pool_slot(tables, tables[bank + O_FINISH_BONUS])] += 1
        tell(tables, scratch, E_BONUS, owner, 1, 0, tables[bank + O_FINISH_BONUS])
    if tables[SCORE]:
        points = scratch[CAPTURES] * tables[CAPTURE_POINTS] + scratch[HOMECOMING] * tables[HOME_POINTS]
        row[score_slot(tables, owner)] = min(30_000, row[score_slot(tables, owner)] + points)
    captured_again = scratch[CAPTURES] and tables[bank + O_AGAIN_CAPTURE]
    finished_again = scratch[HOMECOMING] and tables[bank + O_AGAIN_FINISH]
    if captured_again or finished_again:
        row[AGAIN] = max(row[AGAIN], AGAIN_IF_PLAYED)
        tell(tables, scratch, E_AGAIN, owner, 0, 0, 0)
    if tables[HOME_BIT] >= 0 and scratch[CAPTURES]:
        open_the_way_home(row, tables, scratch, owner)
    if tables[REACTS] & (1 << ON_CAPTURE) and scratch[CAPTURES]:
        react(row, tables, scratch, ON_CAPTURE, EVERY_ROW, owner)
    if tables[REACTS] & (1 << ON_HOME) and scratch[HOMECOMING]:
        react(row, tables, scratch, ON_HOME, EVERY_ROW, owner)
    if tables[REACTS] & (1 << ON_ALL_HOME) and scratch[HOMECOMING] and is_home(row, tables, owner):
        react(row, tables, scratch, ON_ALL_HOME, EVERY_ROW, owner)


def apply(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Play a legal action."""
    scratch[FRESH] = 0
    scratch[CAPTURES] = 0
    scratch[HOMECOMING] = 0
    if tables[REACTS] & (1 << ON_MISSED):
        note_who_could_capture(row, tables, scratch, action)
    if action == tables[A_PASS]:
        stop_playing(row, tables, scratch)
        return
    if tables[HANDS] and tables[A_GIVE] <= action:
        give_card(row, tables, scratch, action - tables[A_GIVE])
        return
    if tables[SPECIAL] and tables[A_SPECIAL] <= action < tables[A_SWAP]:
        play_special(row, tables, scratch, mover(row, tables), action - tables[A_SPECIAL] + 2)
    elif tables[GO_ON] and tables[A_ON] <= action < tables[A_BUY]:
        play_out_and_on(row, tables, scratch, mover(row, tables), action - tables[A_ON])
    elif tables[SWAPS] and action >= tables[A_SWAP]:
        play_swap(row, tables, scratch, action)
    elif tables[COMBINED] and action < tables[A_OUT] and number_of(row, tables, action) >= tables[KINDS]:
        seat, piece = seat_of_action(row, tables, action), piece_of_action(row, tables, action)
        node = int(row[slot(tables, seat, piece)])
        play_combined(row, tables, scratch, seat, piece, node, number_of(row, tables, action))
    else:
        play_step(row, tables, scratch, action)
    if scratch[CAPTURES] | scratch[HOMECOMING]:
        count_what_happened(row, tables, scratch)
    if tables[REACTS] & ((1 << ON_LANDING) | (1 << ON_MISSED)):
        react_to_landing(row, tables, scratch)
    if tables[CHANGES]:
        make_changes(row, tables, scratch, False)
    may_end = scratch[LANDED] >= tables[TILES] or tables[SCORE]
    if may_end and give_places(row, tables, scratch, scratch[OWNER]):
        return
    if tables[STAKES] and somebody_has_the_stakes(row, tables, scratch):
        return
    go_on(row, tables, scratch)


def react_to_landing(row: Ints, tables: Ints, scratch: Ints) -> None:
    """After a move: what follows where it ended, and what follows that it captured nobody although it could have."""
    if tables[REACTS] & (1 << ON_LANDING) and scratch[LANDED] < tables[TILES]:
        which = reactions_on(tables, scratch[LANDED])
        if which:
            react(row, tables, scratch, ON_LANDING, which, scratch[OWNER])
    if tables[REACTS] & (1 << ON_MISSED) and scratch[COULD] and scratch[CAPTURES] == 0:
        react(row, tables, scratch, ON_MISSED, EVERY_ROW, mover(row, tables))


def stop_playing(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Pass: the tokens are lost; another roll only where the rules leave it (Z19), or an attempt is left (T14)."""
    if tables[HANDS]:
        for card in range(tables[DECK]):
            row[hand_slot(tables, int(row[TURN]), card)] = 0
        pass_turn_on(row, tables, scratch, TURN_NO_MOVE)
        return
    bank = bank_of(row, tables, int(row[TURN]))
    tries_again = 0 < row[ROLLS] < tables[bank + O_ATTEMPTS]
    if tables[REACTS] & (1 << ON_NO_MOVE) and not tries_again and list_moves(row, tables, scratch) == 0:
        react(row, tables, scratch, ON_NO_MOVE, EVERY_ROW, mover(row, tables))
    if tables[REACTS] & (1 << ON_MISSED) and scratch[COULD]:
        react(row, tables, scratch, ON_MISSED, EVERY_ROW, mover(row, tables))
    if tables[REACTS] & ((1 << ON_NO_MOVE) | (1 << ON_MISSED)) and tables[CHANGES]:
        make_changes(row, tables, scratch, False)
    if tables[STAKES] and somebody_has_the_stakes(row, tables, scratch):
        return
    stays = row[AGAIN] == AGAIN_ANYWAY or (row[AGAIN] == AGAIN_IF_PLAYED and tables[bank + O_SIX_STAYS])
    if stays or tries_again:
        roll_again(row, tables)
    else:
        pass_turn_on(row, tables, scratch, TURN_NO_MOVE)


def roll_again(row: Ints, tables: Ints) -> None:
    """The same player rolls once more."""
    clear_pool(row, tables)
    if tables[KEEPS_SHOWN]:
        row[tables[R_SHOWN]] = 0
    if tables[PARTS]:
        forget_who_parted(row, tables)
    row[AGAIN] = 0
    row[STAGE] = CHANCE


def go_on(row: Ints, tables: Ints, scratch: Ints) -> None:
    """After a move: the same player decides again, rolls again, or the turn passes on (F7, S47-S51)."""
    why = TURN_PLAYED
    if row[place_slot(tables, row[TURN])] == 0:
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
    if tables[HANDS] and action >= tables[A_GIVE]:
        return (
            WHY_NOT_IN_HAND if row[hand_slot(tables, int(row[TURN]), action - tables[A_GIVE])] == 0 else WHY_MUST_MOVE
        )
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
    if tables[SHARES_OUT] and is_part_in_vain(row, tables, scratch, action):
        return WHY_NOT_SHARED
    if number >= tables[KINDS] and node >= tables[FINISH] and not is_from_outside(tables, action):
        return WHY_FINISHED if node == tables[FINISH] else WHY_NEEDS_FACE if node == tables[START] else WHY_HELD
    return max(0, -action_target(row, tables, scratch, action))


def outside_needs_its_face(row: Ints, tables: Ints, seat: int, node: int, number: int) -> int:
    """Why a token that is not there brings nobody out or back."""
    bank = bank_of(row, tables, seat)
    kind = route_kind(tables, number)
    leaves = kind < tables[KINDS] and way_end(tables, bank, way_index(tables, seat, tables[START], kind, 0)) >= 0
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
    entry, total = entry_of(tables, seat), set_total(tables, number)
    survey(row, tables, scratch, bank, seat, entry, total)
    return max(0, -combined_reach(row, tables, scratch, bank, seat, entry, total))


def why_a_duty(row: Ints, tables: Ints, scratch: Ints, own: int, action: int) -> int:
    """Which duty forbids an action that nothing else forbids."""
    bank = bank_of(row, tables, own)
    if is_step(tables, action) and waits_behind(
        row, tables, seat_of_action(row, tables, action), piece_of_action(row, tables, action)
    ):
        return WHY_HELD
    first = listed(tables, scratch, 0)
    count = list_moves(row, tables, scratch)
    if tables[DUTIES]:
        duty = first_duty(row, tables, scratch, bank, own, count)
        if duty >= 0:
            return REASON_OF_DUTY[duty]
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
    apply(row, tables, scratch, listed(tables, scratch, choice))
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
        if row[place_slot(tables, seat)] == 1:
            sides |= 1 << side_of(tables, seat)
    count = 0
    for side in range(tables[SIDES]):
        count += (sides >> side) & 1
    return count


def prize(row: Ints, tables: Ints, scratch: Ints, seat: int) -> float:
    """What a seat gets of a game that is over: +1 and -1, or by place, or one from each loser (Z21, Z23, T15)."""
    place = row[place_slot(tables, seat)]
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
        action = listed(tables, scratch, number)
        out[at + action] = 1
        if action < tables[A_OUT]:
            mark_steps(row, tables, action, out, at)
        elif tables[SWAPS] and tables[A_SWAP] <= action < tables[A_GIVE]:
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
            if row[place_slot(tables, seat)] == 1 and winner < 0:
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


def observe(row: Ints, tables: Ints, scratch: Ints, seat: int, out: MutableSequence[float], at: int) -> int:
    """Write what a seat sees at out[at…], rotated to it, in [0, 1] (Z29); observe.py names each index.

    First what every rule set has, laid out by its board and tokens, then what only some have: so a rule that is added
    adds numbers at the end and moves none of those before.
    """
    players, places = tables[PLAYERS], tables[HELD]
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
    """The share of each seat's pieces on each node (0 before): the last piece on a node writes how many there are."""
    pieces = tables[PIECES]
    share = 1.0 / pieces
    for turned in range(tables[PLAYERS]):
        first = PIECE_0 + seat_after(tables, seat, turned) * pieces
        for piece in range(first, first + pieces):
            node = int(row[piece])
            if tables[HOLDS] and node >= tables[HELD]:  # held ones have places of their own
                continue
            if pieces & (pieces - 1) == 0:  # halves, quarters and eighths add up exactly
                out[at + seen_at(tables, seat, node)] += share
                continue
            count = 1
            for other in range(first, piece):
                count += row[other] == node
            out[at + seen_at(tables, seat, node)] = count * share
        at += places


def observe_seats(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> None:
    """Of each seat: whether it has the turn, whether it has captured (Z10), its place."""
    players = tables[PLAYERS]
    out[end + 3 * seat_after(tables, row[TURN], players - seat)] = 1.0
    for turned in range(players):
        other = seat_after(tables, seat, turned)
        if tables[HOME_BIT] >= 0:
            out[end + 3 * turned + 1] = (row[changed_slot(tables, other)] >> tables[HOME_BIT]) & 1
        place = row[place_slot(tables, other)]
        if place:
            out[end + 3 * turned + 2] = place / players


def observe_tokens(row: Ints, tables: Ints, out: MutableSequence[float], end: int) -> None:
    """The token that waits as one of all kinds, or how many of each the pool has."""
    if tables[SINGLE]:
        if row[TOKEN]:
            out[end + row[TOKEN] - 1] = 1.0
        return
    for kind in range(tables[KINDS]):
        if tables[HANDS]:
            out[end + kind] = row[TOKEN] == kind + 1
        else:
            out[end + kind] = min(10, row[pool_slot(tables, kind)]) / 10


def observe_turn(row: Ints, tables: Ints, out: MutableSequence[float], end: int) -> None:
    """What holds for the turn and for the whole game."""
    bank = bank_of(row, tables, int(row[TURN]))
    out[end] = row[STAGE] == DECISION
    sixes = row[sixes_slot(tables, int(row[TURN]))] if tables[SIXES_STAY] else row[SIXES]
    if sixes:
        out[end + 1] = min(1.0, sixes / max(1, tables[COUNTS_ROLLS], tables[bank + O_SIXES_LIMIT]))
    if row[ROLLS]:
        out[end + 2] = min(1.0, row[ROLLS] / tables[bank + O_ATTEMPTS])
    out[end + 3] = tables[TEAMS]
    out[end + 4] = row[UNBLOCKED]


def observe_by_index(row: Ints, tables: Ints, whose: int, out: MutableSequence[float], end: int, places: int) -> None:
    """Which piece of a colour is which: where each one stands, on its own way (0: in the yard, or held)."""
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, whose, piece)])
        out[end + piece] = (node < tables[START]) * (seen_at(tables, whose, node) + 1) / places


def has_more_to_see(tables: Ints) -> bool:
    """Whether a rule set has something to see beyond what all have: then its view has the places of all counts."""
    counts = tables[ROLLS_OFF] | tables[COUNT_TURNS] | tables[REVERSES] | tables[POOLED] | tables[SQUARES]
    counts |= tables[SKIPS] | tables[CAPTURE_CAP] | tables[LOST_CAP] | tables[SCORE] | tables[SIXES_STAY]
    others = tables[HOLDS] | tables[FREEZES] | tables[SWAPS] | tables[CHANGES] | tables[DECK]
    others |= tables[KEEPS_LAST] | tables[KEEPS_SHOWN] | tables[PARTS] | tables[CHALLENGER]
    return counts != 0 or others != 0 or tables[MOVERS] > 1


def observe_more(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> int:
    """What only some rule sets have: counts, all or none of them, then what has a length of its own."""
    if has_more_to_see(tables):
        end = observe_counts(row, tables, seat, out, end)
    if tables[HOLDS]:
        end = observe_held(row, tables, seat, out, end)
    if tables[FREEZES]:
        end = observe_frozen(row, tables, seat, out, end)
    if tables[MOVERS] > 1 or tables[SWAPS]:
        for turned in range(1, tables[PLAYERS]):
            observe_by_index(row, tables, seat_after(tables, seat, turned), out, end, tables[HELD])
            end += tables[PIECES]
    for turned in range(tables[PLAYERS]):
        for number in range(tables[CHANGES]):
            out[end] = (row[changed_slot(tables, seat_after(tables, seat, turned))] >> number) & 1
            end += 1
    for card in range(tables[DECK]):
        left = int(row[deck_slot(tables, card)])
        if tables[HANDS]:
            left += cards_out(row, tables, card) - known_to(row, tables, seat, card)
        out[end] = left / cards_of(tables, card)
        end += 1
    if tables[HANDS]:
        end = observe_hands(row, tables, seat, out, end)
    return observe_last(row, tables, out, end)


def known_to(row: Ints, tables: Ints, seat: int, card: int) -> int:
    """How many cards of a name a player has in its hand, the one that it gives away included."""
    return row[hand_slot(tables, seat, card)] + (row[given_slot(tables, seat)] == card + 1)


def observe_hands(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> int:
    """The own hand card by card, how many cards each holds, the exchange, the deal, who leads and is protected."""
    for card in range(tables[DECK]):
        out[end + card] = row[hand_slot(tables, seat, card)] / tables[HANDS]
    end += tables[DECK]
    for turned in range(tables[PLAYERS]):
        other = seat_after(tables, seat, turned)
        out[end] = cards_in_hand(row, tables, other) / (tables[HANDS] + 1)
        out[end + 1] = row[given_slot(tables, other)] != 0
        out[end + 2] = other == row[tables[R_DEAL] + DEAL_LEADER]
        out[end + 3] = row[fresh_slot(tables, other)] if tables[KEEPS_FRESH] else 0
        end += 4
    out[end] = row[tables[R_DEAL] + DEAL_EXCHANGE]
    out[end + 1] = row[tables[R_DEAL] + DEAL_NUMBER] / tables[DEALS]
    return end + 2


def observe_last(row: Ints, tables: Ints, out: MutableSequence[float], end: int) -> int:
    """The piece that was moved last, and whether a duty is asked, where rules keep that."""
    if tables[KEEPS_LAST]:
        last = int(row[tables[R_LAST]])
        node = int(row[PIECE_0 + last - 1]) if last else tables[START]
        out[end] = 0.0
        if node < tables[START]:
            out[end] = (1 + seen_at(tables, (last - 1) // tables[PIECES], node)) / tables[HELD]
        end += 1
    if tables[KEEPS_SHOWN]:
        out[end] = min(1, int(row[tables[R_SHOWN]]))
        end += 1
    if tables[PARTS]:
        whose = mover(row, tables)
        for piece in range(tables[PIECES]):
            left = int(row[parted_slot(tables, whose, piece)])
            out[end] = (1 + seen_at(tables, whose, left - 1)) / tables[HELD] if left else 0.0
            end += 1
    if tables[CHALLENGER]:
        at = challenge_slot(tables)
        whose = (row[at] - 1) // tables[FINISH]
        out[end] = (1 + seen_at(tables, whose, (row[at] - 1) % tables[FINISH])) / tables[HELD] if row[at] else 0.0
        out[end + 1] = row[at + 1] / (tables[PIECES] + 1)
        end += 2
    return end


def observe_counts(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> int:
    """Turns, the order of play, another roll due; then what is counted for each colour; 0 where it is not."""
    last = end + 3 + 7 * tables[PLAYERS]
    for index in range(end, last):
        out[index] = 0.0
    if tables[COUNT_TURNS]:
        out[end] = row[TURNS] / 10_000
    if tables[REVERSES]:
        out[end + 1] = row[REVERSED]
    if tables[POOLED] | tables[SQUARES]:
        out[end + 2] = row[AGAIN] / 2
    for turned in range(tables[PLAYERS]):
        observe_counts_of(row, tables, seat_after(tables, seat, turned), out, end + 3 + 7 * turned)
    return last


def observe_counts_of(row: Ints, tables: Ints, other: int, out: MutableSequence[float], end: int) -> None:
    """What is counted for one colour: the roll-off, captures, losses, turns to miss, points, rolls in a row."""
    if tables[ROLLS_OFF]:
        total = row[sum_slot(tables, other)]
        out[end] = (row[ROLLOFF_IN] >> other) & 1
        out[end + 1] = max(0, total - SUM_IS_THERE) / tables[MOST_TOTAL] if total else 0.0
    if tables[CAPTURE_CAP]:
        out[end + 2] = row[captures_slot(tables, other)] / tables[CAPTURE_CAP]
    if tables[LOST_CAP]:
        out[end + 3] = row[lost_slot(tables, other)] / tables[LOST_CAP]
    if tables[SKIPS]:
        out[end + 4] = row[skip_slot(tables, other)] / 9
    if tables[SCORE]:
        out[end + 5] = min(1.0, row[score_slot(tables, other)] / tables[SCORE])
    if tables[SIXES_STAY]:
        out[end + 6] = row[sixes_slot(tables, other)] / 9


def observe_held(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> int:
    """Who holds how many of whose pieces (F10); then, of the pieces that the observer moves, who holds which."""
    players, pieces = tables[PLAYERS], tables[PIECES]
    for turned in range(players):
        for captor in range(players):
            held = count_on(
                row, tables, seat_after(tables, seat, turned), tables[HELD] + seat_after(tables, seat, captor)
            )
            out[end] = held / pieces
            end += 1
    whose = moved_by(row, tables, seat)
    for piece in range(pieces):
        node = int(row[slot(tables, whose, piece)])
        out[end + piece] = 0.0
        if node >= tables[HELD]:
            out[end + piece] = (1 + seat_after(tables, node - tables[HELD], players - seat)) / players
    return end + pieces


def observe_frozen(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> int:
    """Which of the mover's pieces may not move again this turn, by tile as the observer counts them."""
    for index in range(end, end + tables[FINISH]):
        out[index] = 0.0
    whose = mover(row, tables)
    if row[frozen_slot(tables, whose)]:
        for piece in range(tables[PIECES]):
            node = int(row[slot(tables, whose, piece)])
            if is_frozen(row, tables, whose, piece) and node < tables[FINISH]:
                out[end + seen_at(tables, seat, node)] += 1.0 / tables[PIECES]
    return end + tables[FINISH]
