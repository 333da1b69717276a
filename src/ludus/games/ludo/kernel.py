"""The rules of the Ludo family: the only statement of them.

Plain functions over flat integers in the Numba subset, loaded twice (see core.twin). Arguments, always in this order:

row      one game, in small integers: the fixed fields below, then the vectors whose offsets the tables give
tables   one rule set with its seats, compiled from the document by board.py: header fields, then the tables proper
scratch  what can be worked out again: occupancy, blocks, the legal moves, what the last move did

A tile's occupancy is one integer, four bits a side, so that a question about a tile is one `&`. Blocks are bit sets
over the path, 62 tiles a word. Where tables[TRACKED], every move keeps both up to date in the scratch; else
(with one die only) they are counted from the row when they are asked for: so a batch of games needs only its rows.
Nothing here knows a word of any language: reasons are codes (WHY_*).
"""

from __future__ import annotations

from collections.abc import MutableSequence

from ludus.core.random import below, stream

Ints = MutableSequence[int]

# what most plies run through: the compiler inlines these
INLINED = (
    "slot", "stands_on", "count_on", "count_in_play", "is_home", "partner", "mover", "settle", "put",
    "occupancy", "tiles_of", "blocks_of", "look_ahead",
    "route_index", "way_is_stopped", "may_stand", "reach", "movable_pieces", "meets", "meet", "land", "pass_turn_on",
    "clear_turn", "roll_one", "chance", "draw_chance", "legal_one", "apply_one", "legal", "apply", "play_at_random",
    "stops_at", "set_size", "set_total", "set_reach", "combined_reach", "is_frozen", "first_free_on_its_node",
    "sixes_in_pool", "pool_size", "pool_total", "survey", "list_sets", "note_set", "whole_pool_set", "count_held",
    "can_buy", "come_out", "seat_after", "seen_at", "observe_pieces", "observe_seats",
    "observe_dice", "observe_turn", "moved_by", "observe_by_index", "observe", "mark_legal",
)  # fmt: skip

# --- the row: fixed fields, then pieces, then the vectors at tables[R_*] ---
(STAGE, TURN, DIE, SIXES, ROLLS, FROZEN, UNBLOCKED, ROLLOFF_IN, PLACED, PIECE_0) = range(10)
OVER, CHANCE, DECISION = 0, 1, 2

# --- the tables: header ---
(
    PLAYERS, PIECES, TILES, END, FINISH, START, HELD, ROUTED, REACH, WORDS, SIDES, FACES,
    POOLED, REROLL, BANKED, STOPS, SHARE_OWN, PASSING, HOME_IS_LANE, STACK_PUNISHES, ENTRY_RULE, TO_CAPTOR, FREEZES,
    COMPULSORY, CLEAR_ENTRY, GO_ON, SPECIAL, COMBINED, FORCED, DUTY,
    AGAIN_SIX, AGAIN_CAPTURE, AGAIN_FINISH, SIXES_LIMIT, SIX_STAYS, ATTEMPTS, PLAY_ON, ZERO_SUM, TEAMS,
    SETS, WAYS_OUT, A_OUT, A_OUT_ON, A_BUY, A_SPECIAL, A_PASS,
    R_CAPTURED, R_POOL, R_SUM, R_PLACE, ROW_SIZE,
    OUTCOMES, WEIGHT,
    T_SIDE, T_ENEMIES, T_ENTRY, T_LEAVES, T_FACE_OUT, T_BLOCKABLE, T_GUARD, T_STAR, T_ROUTE, T_MASK, T_OUTCOME, T_POINT,
    T_SEEN, T_SET, T_SET_OF_KEY, T_STRIDE, T_MOST,
    S_BLOCK, S_STOP, S_TRACK, S_SET, S_MOVES, TRACKED, STARS,
    HEADER,
) = range(78)  # fmt: skip

# what a batch of games sets otherwise, and as which field: a pool of dice asks about too many tiles to count them
IN_BATCHES = {TRACKED: POOLED}

# --- scratch: fixed fields, then occupancy, then the vectors at tables[S_*] ---
(COUNT, FRESH, CAPTURES, HOMECOMING, TURNS, LANDED, FIRST_BLOCK, FIRST_SINGLE, TO_FINISH, SET_COUNT, MOVABLE) = range(
    11
)
S_DIGIT, S_OCC = 16, 24

# --- a route's end: a node, and whether it was reached by bouncing off the finish ---
NODE, BOUNCED = 1023, 1024
TWO_OR_MORE = 0xEEEEEEEE
TILES_PER_WORD = 62
NEVER = 9999

# --- option codes ---
STOPS_OPPONENTS, STOPS_ALL = 1, 2
OWNER_SHARES, OWNER_PUNISHES = 1, 2
JUMP, SWEEP = 1, 2
GUARD_SHARED, GUARD_PUNISHES = 1, 2
FREE, TAKES, PUNISHED = 0, 1, 2

# --- why a move is not legal ---
(
    LEGAL, WHY_NEEDS_FACE, WHY_FINISHED, WHY_BLOCKED, WHY_ENTRY_BLOCKED, WHY_PAST_FINISH, WHY_OWN_PIECE, WHY_PASSES_OWN,
    WHY_MUST_CLEAR_ENTRY, WHY_MUST_COME_OUT, WHY_MUST_MOVE, WHY_NO_SUCH_DIE, WHY_FROZEN, WHY_HELD,
    WHY_PAST_FINISH_COMBINED, WHY_MUST_COMBINE, WHY_MUST_GO_ON, WHY_MUST_UNBLOCK, WHY_NO_SPECIAL,
    WHY_SPECIAL_NEEDS_SIXES, WHY_SPECIAL_NEEDS_PIECES, WHY_NOBODY_TO_BUY, WHY_BUY_NEEDS_SIX, WHY_NOBODY_IN_YARD,
    WHY_OUT_NEEDS_FACE,
) = range(25)  # fmt: skip


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


def is_home(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether a colour has all its pieces at their goal (Z21, S12, T15, F38; Z23 asks it of both teammates)."""
    first = PIECE_0 + seat * tables[PIECES]
    lowest = tables[TILES] if tables[HOME_IS_LANE] else tables[FINISH]
    for at in range(first, first + tables[PIECES]):
        if row[at] < lowest or row[at] > tables[FINISH]:
            return False
    return True


def partner(tables: Ints, seat: int) -> int:
    """The teammate: the opposite seat (Z22)."""
    return (seat + tables[PLAYERS] // 2) % tables[PLAYERS]


def mover(row: Ints, tables: Ints) -> int:
    """The colour whose pieces the player in turn moves."""
    return moved_by(row, tables, int(row[TURN]))


def moved_by(row: Ints, tables: Ints, seat: int) -> int:
    """The colour whose pieces a player moves: its own, or the teammate's once all are home (Z25)."""
    if tables[TEAMS] and is_home(row, tables, seat):
        return partner(tables, seat)
    return seat


def settle(tables: Ints, scratch: Ints, tile: int, side: int) -> None:
    """Note whether a side's pieces on a tile are a block (Z6, F3, F13)."""
    if tables[STOPS] == 0:
        return
    word = tables[S_BLOCK] + side * tables[WORDS] + tile // TILES_PER_WORD
    bit = 1 << (tile % TILES_PER_WORD)
    pieces = (scratch[S_OCC + tile] >> (4 * side)) & 15
    if pieces >= 2 and tables[tables[T_BLOCKABLE] + tables[WORDS] * tile + tile // TILES_PER_WORD]:
        scratch[word] |= bit
    else:
        scratch[word] &= ~bit


def put(tables: Ints, scratch: Ints, seat: int, node: int, change: int) -> None:
    """Add (+1) or take away (-1) a piece of a colour on a node of the shared path."""
    if tables[TRACKED] and node < tables[TILES]:
        side = tables[tables[T_SIDE] + seat]
        scratch[S_OCC + node] += change << (4 * side)
        settle(tables, scratch, node, side)


def scan(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Work out occupancy and blocks from the row."""
    scratch[FRESH] = 0
    if tables[TRACKED] == 0:
        return
    for tile in range(tables[TILES]):
        scratch[S_OCC + tile] = 0
    for at in range(tables[S_BLOCK], tables[S_BLOCK] + tables[SIDES] * tables[WORDS]):
        scratch[at] = 0
    for seat in range(tables[PLAYERS]):
        for piece in range(tables[PIECES]):
            put(tables, scratch, seat, int(row[slot(tables, seat, piece)]), 1)


def occupancy(row: Ints, tables: Ints, scratch: Ints, tile: int) -> int:
    """How many pieces of each side stand on a path tile, four bits a side."""
    if tables[TRACKED]:
        return scratch[S_OCC + tile]
    found = 0
    for seat in range(tables[PLAYERS]):
        found += count_on(row, tables, seat, tile) << (4 * tables[tables[T_SIDE] + seat])
    return found


def tiles_of(row: Ints, tables: Ints, seat: int, word: int) -> int:
    """The tiles that could bear a block on which a colour has a piece: one word of a bit set."""
    first = PIECE_0 + seat * tables[PIECES]
    found = 0
    for at in range(first, first + tables[PIECES]):
        found |= tables[tables[T_BLOCKABLE] + tables[WORDS] * row[at] + word]
    return found


def blocks_of(row: Ints, tables: Ints, seat: int, word: int) -> int:
    """The tiles on which a colour has a block, alone or with its teammate (Z6, F3, F13): one word of a bit set."""
    first = PIECE_0 + seat * tables[PIECES]
    once = 0
    twice = 0
    for at in range(first, first + tables[PIECES]):
        bit = tables[tables[T_BLOCKABLE] + tables[WORDS] * row[at] + word]
        twice |= once & bit
        once |= bit
    if tables[TEAMS]:
        twice |= once & tiles_of(row, tables, partner(tables, seat), word)
    return twice


def look_ahead(row: Ints, tables: Ints, scratch: Ints, seat: int) -> None:
    """Gather the blocks that stop a colour: every block, or only the opponents' (Z7, Z24, F13)."""
    if tables[STOPS] == 0:
        return
    own = tables[tables[T_SIDE] + seat]
    words = tables[WORDS]
    for word in range(words):
        stops = 0
        if tables[TRACKED]:
            for side in range(tables[SIDES]):
                if side != own or tables[STOPS] == STOPS_ALL:
                    stops |= scratch[tables[S_BLOCK] + side * words + word]
        else:
            for other in range(tables[PLAYERS]):
                stopping = (tables[tables[T_SIDE] + other] != own) | (tables[STOPS] == STOPS_ALL)
                stops |= blocks_of(row, tables, other, word) * stopping
        scratch[tables[S_STOP] + word] = stops


def stops_at(tables: Ints, scratch: Ints, tile: int) -> bool:
    """Whether a block that stops the mover stands on a tile (after look_ahead)."""
    if tables[STOPS] == 0:
        return False
    stops = scratch[tables[S_STOP] + tile // TILES_PER_WORD]
    return (stops >> (tile % TILES_PER_WORD)) & 1 != 0


# ---------------------------------------------------------------- where a piece gets


def route_index(row: Ints, tables: Ints, seat: int, node: int, distance: int) -> int:
    """The entry of the route tables for a colour's piece; the bank is the rules that hold for it (Z12, Z13)."""
    bank = row[tables[R_CAPTURED] + seat] if tables[BANKED] else 0
    return ((bank * tables[PLAYERS] + seat) * tables[ROUTED] + node) * tables[REACH] + distance - 1


def way_is_stopped(tables: Ints, scratch: Ints, index: int) -> bool:
    """Whether a block stands on a tile that the route crosses or ends on (Z7, F13)."""
    words = tables[WORDS]
    mask = tables[T_MASK] + index * words
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


def come_out(row: Ints, tables: Ints, scratch: Ints, seat: int, face: int) -> int:
    """The entry tile, or minus the reason why a piece can't come out with this die (Z3, S23, T2, F9)."""
    return reach(row, tables, scratch, seat, tables[START], face)


def may_stand(row: Ints, tables: Ints, seat: int, node: int, target: int) -> int:
    """The target, or minus the reason why own pieces are in the way."""
    if target < 0:
        return target
    place = target & NODE
    if tables[SHARE_OWN] == 0 and place != node and place != tables[FINISH] and stands_on(row, tables, seat, place):
        return -WHY_OWN_PIECE
    in_lane = place > tables[TILES] or target & BOUNCED
    if tables[PASSING] == 0 and in_lane and passes_own(row, tables, seat, node, target):
        return -WHY_PASSES_OWN
    return target


def reach(row: Ints, tables: Ints, scratch: Ints, seat: int, node: int, face: int) -> int:
    """Where a colour's piece on a node gets with one die: a route's end, or minus the reason why it can't.

    The route tables know every node: from the yard with the right die to the entry tile, from the finish nowhere.
    """
    index = route_index(row, tables, seat, node, face)
    target = tables[tables[T_ROUTE] + index]
    if tables[STOPS]:
        stopped = way_is_stopped(tables, scratch, index)
        target = target if not stopped or target < 0 else -WHY_ENTRY_BLOCKED if node == tables[START] else -WHY_BLOCKED
    if tables[SHARE_OWN] & tables[PASSING]:
        return target
    return may_stand(row, tables, seat, node, target)


def survey(row: Ints, tables: Ints, scratch: Ints, seat: int, node: int, farthest: int) -> None:
    """Walk ahead of a piece tile by tile and note the first block, the first capturable enemy and the finish."""
    tiles, stride, track = tables[TILES], tables[REACH], tables[S_TRACK]
    one_step = tables[T_ROUTE] + route_index(row, tables, seat, 0, 1)
    first_block = NEVER
    first_single = NEVER
    to_finish = NEVER
    here = node
    for step in range(1, farthest + 1):
        target = tables[one_step + here * stride]
        if target < 0:
            to_finish = step - 1
            break
        here = target & NODE
        scratch[track + step] = here
        if here < tiles:
            if first_block == NEVER and stops_at(tables, scratch, here):
                first_block = step
            if first_single == NEVER and meets(row, tables, scratch, seat, here) == TAKES:
                first_single = step
    scratch[FIRST_BLOCK] = first_block
    scratch[FIRST_SINGLE] = first_single
    scratch[TO_FINISH] = to_finish


def combined_reach(row: Ints, tables: Ints, scratch: Ints, seat: int, node: int, total: int) -> int:
    """Where several dice as one move end (after a survey from `node`): F21, F22, F25; or minus the reason."""
    if total > scratch[TO_FINISH]:
        return -WHY_PAST_FINISH_COMBINED
    steps = total
    if tables[COMBINED] == SWEEP:
        steps = min(total, scratch[FIRST_SINGLE])
    if steps >= scratch[FIRST_BLOCK]:
        return -WHY_BLOCKED
    return may_stand(row, tables, seat, node, scratch[tables[S_TRACK] + steps])


# ---------------------------------------------------------------- what a landing does


def is_stack(row: Ints, tables: Ints, seat: int, tile: int) -> bool:
    """Whether some enemy colour has two or more pieces on a tile (T8: counted by colour, in teams too)."""
    side = tables[tables[T_SIDE] + seat]
    for other in range(tables[PLAYERS]):
        if tables[tables[T_SIDE] + other] != side and count_on(row, tables, other, tile) >= 2:
            return True
    return False


def meets(row: Ints, tables: Ints, scratch: Ints, seat: int, tile: int) -> int:
    """What awaits a colour on a path tile: FREE, TAKES (enemies to capture) or PUNISHED (it goes home)."""
    enemies = occupancy(row, tables, scratch, tile) & tables[tables[T_ENEMIES] + seat]
    if enemies == 0:
        return FREE
    guard = tables[tables[T_GUARD] + seat * tables[TILES] + tile]
    if guard == GUARD_SHARED:  # Z5, F3
        return FREE
    if guard == GUARD_PUNISHES:  # T5
        return PUNISHED
    if guard < 0 and stands_on(row, tables, -guard - 1, tile):  # an opponent's entry tile, with that opponent on it
        if tables[ENTRY_RULE] == OWNER_PUNISHES:  # T6
            return PUNISHED
        others = enemies - (count_on(row, tables, -guard - 1, tile) << (4 * tables[tables[T_SIDE] - guard - 1]))
        return TAKES if others else FREE  # S35, S36
    if tables[STACK_PUNISHES] and enemies & TWO_OR_MORE and is_stack(row, tables, seat, tile):  # T8, T10
        return PUNISHED
    if tables[STOPS] and enemies & TWO_OR_MORE:  # Z8: two or more are not captured
        return FREE
    return TAKES


def take(row: Ints, tables: Ints, scratch: Ints, seat: int, tile: int) -> None:
    """Capture every enemy on a tile but an owner protected by its entry tile (Z8, S35, T7, F10)."""
    goes_to = tables[HELD] + seat if tables[TO_CAPTOR] else tables[START]
    side = tables[tables[T_SIDE] + seat]
    for other in range(tables[PLAYERS]):
        if tables[tables[T_SIDE] + other] == side:
            continue
        if tables[ENTRY_RULE] == OWNER_SHARES and tables[tables[T_ENTRY] + other] == tile:
            continue
        first = PIECE_0 + other * tables[PIECES]
        for at in range(first, first + tables[PIECES]):
            if row[at] == tile:
                row[at] = goes_to
                put(tables, scratch, other, tile, -1)
                scratch[CAPTURES] += 1


def meet(row: Ints, tables: Ints, scratch: Ints, seat: int, tile: int) -> bool:
    """Resolve a landing on a path tile; False when the mover is sent home."""
    verdict = meets(row, tables, scratch, seat, tile)
    if verdict == TAKES:
        take(row, tables, scratch, seat, tile)
    return verdict != PUNISHED


def land(row: Ints, tables: Ints, scratch: Ints, seat: int, piece: int, target: int) -> None:
    """Move a piece to a route's end, with captures, star jumps and punishments."""
    at = slot(tables, seat, piece)
    origin = int(row[at])
    put(tables, scratch, seat, origin, -1)
    place = target & NODE
    if place < tables[TILES]:
        star = -1
        if tables[STARS]:
            bank = row[tables[R_CAPTURED] + seat] if tables[BANKED] else 0
            star = tables[tables[T_STAR] + (bank * tables[PLAYERS] + seat) * tables[TILES] + place]
        if not meet(row, tables, scratch, seat, place):
            place = tables[START]
        elif star >= 0 and target & BOUNCED == 0:  # T3, T4; T12: not after a bounce
            place = star
            if star < tables[TILES] and not meet(row, tables, scratch, seat, star):
                place = tables[START]
        if scratch[CAPTURES] and tables[BANKED]:
            row[tables[R_CAPTURED] + seat] = 1  # Z10, Z26; the move itself was made under the old flag (Z12)
    row[at] = place
    scratch[LANDED] = place
    put(tables, scratch, seat, place, 1)
    if tables[HOME_IS_LANE]:
        came_home = origin < tables[TILES] <= place < tables[FINISH]
    else:
        came_home = place == tables[FINISH]
    scratch[HOMECOMING] += came_home


# ---------------------------------------------------------------- turns


def pass_turn_on(row: Ints, tables: Ints, scratch: Ints) -> None:
    """The next player that is still in the game rolls."""
    clear_turn(row, tables)
    scratch[TURNS] += 1
    seat = row[TURN] + 1 if row[TURN] + 1 < tables[PLAYERS] else 0
    while row[tables[R_PLACE] + seat]:
        seat = seat + 1 if seat + 1 < tables[PLAYERS] else 0
    row[TURN] = seat
    row[STAGE] = CHANCE


def clear_turn(row: Ints, tables: Ints) -> None:
    """Forget what belongs to one turn: dice, sixes in a row, attempts, frozen pieces, the duty done."""
    row[DIE] = 0
    row[SIXES] = 0
    row[ROLLS] = 0
    row[FROZEN] = 0
    row[UNBLOCKED] = 0
    if tables[POOLED]:
        for face in range(tables[FACES]):
            row[tables[R_POOL] + face] = 0


def give_places(row: Ints, tables: Ints, scratch: Ints, seat: int) -> bool:
    """After a move: whether the game is over, with the places of those who are home (Z21, Z23, S19, T15, F38)."""
    if not is_home(row, tables, seat):
        return False
    if tables[TEAMS]:
        mate = partner(tables, seat)
        if not is_home(row, tables, mate):
            return False
        row[tables[R_PLACE] + mate] = 1
    row[PLACED] += 1
    row[tables[R_PLACE] + seat] = row[PLACED]
    if tables[PLAY_ON] and row[PLACED] < tables[PLAYERS] - 1:
        return False
    if tables[PLAY_ON]:
        for other in range(tables[PLAYERS]):
            if row[tables[R_PLACE] + other] == 0:
                row[tables[R_PLACE] + other] = tables[PLAYERS]
    clear_turn(row, tables)
    row[STAGE] = OVER
    scratch[TURNS] += 1
    return True


def roll_off(row: Ints, tables: Ints, total: int) -> None:
    """One roll of the roll-off; when all have rolled, the highest begins or the tied roll again (S14-S16)."""
    sums = tables[R_SUM]
    row[sums + row[TURN]] = total
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


def roll_one(row: Ints, tables: Ints, scratch: Ints, face: int) -> None:
    """One die has been rolled: sixes in a row (Z18) and attempts to get out (T14) are counted here."""
    if tables[SIXES_LIMIT]:
        row[SIXES] = row[SIXES] + 1 if face == 6 else 0
        if row[SIXES] == tables[SIXES_LIMIT]:
            pass_turn_on(row, tables, scratch)
            return
    if tables[ATTEMPTS] > 1:
        if tables[tables[T_LEAVES] + face]:
            row[ROLLS] = 0
        elif count_in_play(row, tables, mover(row, tables)) == 0:
            row[ROLLS] += 1
    row[DIE] = face
    row[STAGE] = DECISION


def chance(row: Ints, tables: Ints, scratch: Ints, outcome: int) -> None:
    """Apply chance outcome number `outcome`."""
    scratch[FRESH] = 0
    at = tables[T_OUTCOME] + 3 * outcome
    first, second = tables[at + 1], tables[at + 2]
    if row[ROLLOFF_IN]:
        roll_off(row, tables, first + second)
    elif tables[POOLED] == 0:
        roll_one(row, tables, scratch, first)
    else:
        row[tables[R_POOL] + first - 1] += 1
        row[tables[R_POOL] + second - 1] += 1
        if not (tables[REROLL] and first == 6 and second == 6):  # F5, F6
            row[STAGE] = DECISION


def outcome_count(row: Ints, tables: Ints, scratch: Ints) -> int:
    """How many outcomes chance has here."""
    return tables[OUTCOMES]


def outcome_weight(row: Ints, tables: Ints, scratch: Ints, outcome: int) -> int:
    """How often an outcome comes, as a whole number."""
    return tables[tables[T_OUTCOME] + 3 * outcome]


def draw_chance(row: Ints, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """The outcome that draw number `ply` of the stream gives."""
    return tables[tables[T_POINT] + below(key, ply, tables[WEIGHT])]


# ---------------------------------------------------------------- one die: legal moves and playing


def movable_pieces(row: Ints, tables: Ints, scratch: Ints, seat: int) -> int:
    """The pieces that the one die can move, as a bit set."""
    first = PIECE_0 + seat * tables[PIECES]
    movable = 0
    for piece in range(tables[PIECES]):
        movable |= (reach(row, tables, scratch, seat, int(row[first + piece]), int(row[DIE])) >= 0) << piece
    return movable


def legal_one(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List the pieces that one die can move, the lowest for all on its tile; `pass` when there is none (Z19, S18)."""
    seat = mover(row, tables)
    look_ahead(row, tables, scratch, seat)
    movable = movable_pieces(row, tables, scratch, seat)
    scratch[MOVABLE] = movable
    moves = tables[S_MOVES]
    first = slot(tables, seat, 0)
    count = 0
    for piece in range(tables[PIECES]):
        scratch[moves + count] = piece
        stands_for_it = (movable >> piece) & 1
        for other in range(first, first + piece):
            stands_for_it &= row[other] != row[first + piece]
        count += stands_for_it
    if tables[COMPULSORY] | tables[CLEAR_ENTRY]:
        count = keep_duties_of_the_yard(row, tables, scratch, seat, count)
    if count == 0:
        scratch[moves] = tables[A_PASS]
        count = 1
    return count


def pieces_on(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """A colour's pieces on a node, as a bit set."""
    first = slot(tables, seat, 0)
    found = 0
    for piece in range(tables[PIECES]):
        found |= (row[first + piece] == node) << piece
    return found


def keep_duties_of_the_yard(row: Ints, tables: Ints, scratch: Ints, seat: int, count: int) -> int:
    """Keep only the move that clears the own entry tile, or else the one that comes out, where they are compulsory."""
    if not stands_on(row, tables, seat, tables[START]):
        return count
    moves = tables[S_MOVES]
    entry = tables[tables[T_ENTRY] + seat]
    for duty in range(2):
        node = entry if duty == 0 else tables[START]
        if (tables[CLEAR_ENTRY] if duty == 0 else tables[COMPULSORY]) == 0:
            continue
        for number in range(count):
            if row[slot(tables, seat, scratch[moves + number])] == node:
                scratch[moves] = scratch[moves + number]
                scratch[MOVABLE] = pieces_on(row, tables, seat, node)
                return 1
    return count


def apply_one(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Play a piece with the one die, or pass, and settle who rolls next."""
    face = int(row[DIE])
    if action == tables[A_PASS]:
        row[DIE] = 0
        six_stays = face == 6 and tables[AGAIN_SIX] and tables[SIX_STAYS]
        if six_stays or 0 < row[ROLLS] < tables[ATTEMPTS]:  # T14
            row[STAGE] = CHANCE
        else:
            pass_turn_on(row, tables, scratch)
        return
    seat = mover(row, tables)
    # a legal move gets where its route ends: what could stop it has been asked
    route = route_index(row, tables, seat, int(row[slot(tables, seat, action)]), face)
    land(row, tables, scratch, seat, action, tables[tables[T_ROUTE] + route])
    row[DIE] = 0
    if scratch[LANDED] >= tables[TILES] and give_places(row, tables, scratch, seat):
        return
    again = (
        (face == 6 and tables[AGAIN_SIX])
        or (scratch[CAPTURES] and tables[AGAIN_CAPTURE])
        or (scratch[HOMECOMING] and tables[AGAIN_FINISH])
    )  # Z17, T13; S17: none
    if again and row[tables[R_PLACE] + row[TURN]] == 0:
        row[STAGE] = CHANCE
    else:
        pass_turn_on(row, tables, scratch)


# ---------------------------------------------------------------- a pool of dice: legal moves


def note_set(tables: Ints, scratch: Ints, count: int, number: int, sixes: int) -> None:
    """Put a set on the list: its number, and how many sixes it uses."""
    at = tables[S_SET] + 2 * count
    scratch[at] = number
    scratch[at + 1] = sixes


def list_sets(row: Ints, tables: Ints, scratch: Ints) -> None:
    """List every choice of dice from the pool that one move may use: single dice first, numbered as their faces."""
    faces, pool = tables[FACES], tables[R_POOL]
    dice = 0
    count = 0
    for face in range(faces):
        note_set(tables, scratch, count, face, face == 5)
        dice += row[pool + face]
        count += row[pool + face] > 0
    if tables[COMBINED] and dice == 2:
        note_set(tables, scratch, count, whole_pool_set(row, tables), row[pool + 5])
        count += 1
    elif tables[COMBINED] and dice > 2:
        count = list_larger_sets(row, tables, scratch, count)
    scratch[SET_COUNT] = count


def list_larger_sets(row: Ints, tables: Ints, scratch: Ints, count: int) -> int:
    """List the sets of two dice and more: count through the pool face by face, like an odometer."""
    faces = tables[FACES]
    for face in range(faces):
        scratch[S_DIGIT + face] = 0
    key = 0
    size = 0
    while True:
        face = 0
        while face < faces:
            if scratch[S_DIGIT + face] < min(row[tables[R_POOL] + face], tables[tables[T_MOST] + face]):
                break
            key -= scratch[S_DIGIT + face] * tables[tables[T_STRIDE] + face]
            size -= scratch[S_DIGIT + face]
            scratch[S_DIGIT + face] = 0
            face += 1
        if face == faces:
            return count
        scratch[S_DIGIT + face] += 1
        size += 1
        key += tables[tables[T_STRIDE] + face]
        number = tables[tables[T_SET_OF_KEY] + key]
        if number >= 0 and size > 1:
            note_set(tables, scratch, count, number, scratch[S_DIGIT + faces - 1])
            count += 1


def set_size(tables: Ints, number: int) -> int:
    """How many dice a set has."""
    return tables[tables[T_SET] + number * (2 + tables[FACES])]


def set_total(tables: Ints, number: int) -> int:
    """The sum of a set's dice."""
    return tables[tables[T_SET] + number * (2 + tables[FACES]) + 1]


def pool_size(row: Ints, tables: Ints) -> int:
    """How many dice are left."""
    count = 0
    for face in range(tables[FACES]):
        count += row[tables[R_POOL] + face]
    return count


def pool_total(row: Ints, tables: Ints) -> int:
    """The sum of all dice left."""
    total = 0
    for face in range(tables[FACES]):
        total += (face + 1) * row[tables[R_POOL] + face]
    return total


def sixes_in_pool(row: Ints, tables: Ints) -> int:
    """How many sixes are left."""
    return row[tables[R_POOL] + 5]


def can_come_out(row: Ints, tables: Ints, scratch: Ints, seat: int) -> bool:
    """Whether some die of the pool brings a piece out by itself (F9, F12, F14)."""
    if not stands_on(row, tables, seat, tables[START]):
        return False
    for choice in range(tables[WAYS_OUT]):
        face = tables[tables[T_FACE_OUT] + choice]
        if row[tables[R_POOL] + face - 1]:
            return come_out(row, tables, scratch, seat, face) >= 0
    return False


def why_no_special(row: Ints, tables: Ints, scratch: Ints, seat: int, pieces: int) -> int:
    """LEGAL, or why the special move out with this many pieces is not (F15, F16)."""
    entry = tables[tables[T_ENTRY] + seat]
    if tables[SPECIAL] == 0 or pieces < 2 or enemies_on(row, tables, seat, entry) != pieces:
        return WHY_NO_SPECIAL
    in_yard = count_on(row, tables, seat, tables[START])
    if in_yard == 0 or in_yard + count_held(row, tables, seat) < pieces:
        return WHY_SPECIAL_NEEDS_PIECES
    if sixes_in_pool(row, tables) < pieces:
        return WHY_SPECIAL_NEEDS_SIXES
    return LEGAL


def enemies_on(row: Ints, tables: Ints, seat: int, tile: int) -> int:
    """How many pieces of other sides stand on a tile."""
    count = 0
    for other in range(tables[PLAYERS]):
        if tables[tables[T_SIDE] + other] != tables[tables[T_SIDE] + seat]:
            count += count_on(row, tables, other, tile)
    return count


def why_no_buying(row: Ints, tables: Ints, seat: int) -> int:
    """LEGAL, or why no piece can be bought back (F11)."""
    if tables[TO_CAPTOR] == 0 or count_held(row, tables, seat) == 0:
        return WHY_NOBODY_TO_BUY
    return LEGAL if sixes_in_pool(row, tables) else WHY_BUY_NEEDS_SIX


def special_pieces(row: Ints, tables: Ints, scratch: Ints, seat: int) -> int:
    """How many pieces the special move out would bring now; 0 where it is not legal."""
    if tables[SPECIAL] == 0 or sixes_in_pool(row, tables) < 2:
        return 0
    pieces = enemies_on(row, tables, seat, tables[tables[T_ENTRY] + seat])
    return pieces if why_no_special(row, tables, scratch, seat, pieces) == LEGAL else 0


def can_buy(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether a 6 of the pool buys a piece back (F11)."""
    return sixes_in_pool(row, tables) > 0 and why_no_buying(row, tables, seat) == LEGAL


def six_frees(row: Ints, tables: Ints, scratch: Ints, seat: int) -> bool:
    """Whether a die of the pool can bring out or buy back a piece, the special move included (F27)."""
    if can_come_out(row, tables, scratch, seat) or can_buy(row, tables, seat):
        return True
    return special_pieces(row, tables, scratch, seat) > 0


def set_reach(row: Ints, tables: Ints, scratch: Ints, seat: int, node: int, number: int) -> int:
    """Where a set of dice takes a piece in play (after a survey from its node), or minus the reason."""
    if set_size(tables, number) == 1:
        return reach(row, tables, scratch, seat, node, set_total(tables, number))
    return combined_reach(row, tables, scratch, seat, node, set_total(tables, number))


def whole_pool_set(row: Ints, tables: Ints) -> int:
    """The set of all dice left, or -1 where no move can use them all."""
    key = 0
    for face in range(tables[FACES]):
        dice = row[tables[R_POOL] + face]
        if dice > tables[tables[T_MOST] + face]:
            return -1
        key += dice * tables[tables[T_STRIDE] + face]
    return tables[tables[T_SET_OF_KEY] + key]


def is_frozen(row: Ints, piece: int) -> bool:
    """Whether a piece of the mover has captured this turn and stays where it is (F24)."""
    return (row[FROZEN] >> piece) & 1 != 0


def first_free_on_its_node(row: Ints, tables: Ints, seat: int, piece: int) -> bool:
    """Whether this piece is not frozen and no free piece before it stands on its node."""
    node = int(row[slot(tables, seat, piece)])
    free = not is_frozen(row, piece)
    for other in range(piece):
        free &= (row[slot(tables, seat, other)] != node) | is_frozen(row, other)
    return free


def forced_move(row: Ints, tables: Ints, scratch: Ints, seat: int) -> int:
    """The one legal action where a lone piece must use all dice left (F26), or -1."""
    if tables[FORCED] == 0 or count_in_play(row, tables, seat) != 1 or six_frees(row, tables, scratch, seat):
        return -1
    number = whole_pool_set(row, tables)
    if number < 0:
        return -1
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, seat, piece)])
        if node < tables[FINISH] and not is_frozen(row, piece):
            if set_size(tables, number) > 1:
                survey(row, tables, scratch, seat, node, set_total(tables, number))
            if set_reach(row, tables, scratch, seat, node, number) >= 0:
                return number * tables[PIECES] + piece
    return -1


def list_piece_moves(row: Ints, tables: Ints, scratch: Ints, seat: int, count: int) -> int:
    """List what the pieces in play can do with the sets of the pool."""
    farthest = pool_total(row, tables) if tables[COMBINED] and pool_size(row, tables) > 1 else 0
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, seat, piece)])
        if node >= tables[FINISH] or not first_free_on_its_node(row, tables, seat, piece):
            continue
        if farthest:
            survey(row, tables, scratch, seat, node, farthest)
        for at in range(tables[S_SET], tables[S_SET] + 2 * scratch[SET_COUNT], 2):
            number = scratch[at]
            scratch[tables[S_MOVES] + count] = number * tables[PIECES] + piece
            count += set_reach(row, tables, scratch, seat, node, number) >= 0
    return count


def another_can_move(row: Ints, tables: Ints, scratch: Ints, seat: int) -> bool:
    """Whether, after one 6, some piece in play has a legal single-die move with the dice left (F29)."""
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, seat, piece)])
        if node >= tables[FINISH] or is_frozen(row, piece):
            continue
        for face in range(1, tables[FACES] + 1):
            dice = row[tables[R_POOL] + face - 1] - (face == 6)
            if dice > 0 and reach(row, tables, scratch, seat, node, face) >= 0:
                return True
    return False


def must_go_on(row: Ints, tables: Ints, scratch: Ints, seat: int) -> bool:
    """Whether a piece that comes out has to go on with the dice left (F29)."""
    if sixes_in_pool(row, tables) >= 2:
        if count_on(row, tables, seat, tables[START]) >= 2 or count_held(row, tables, seat) >= 1:
            return False
    return not another_can_move(row, tables, scratch, seat)


def list_going_on(row: Ints, tables: Ints, scratch: Ints, seat: int, count: int) -> int:
    """List `out+`: a piece comes out with a 6 and goes on with a part of the dice left, as one sweep (F30, F32)."""
    entry = tables[tables[T_ENTRY] + seat]
    survey(row, tables, scratch, seat, entry, pool_total(row, tables) - 6)
    for at in range(tables[S_SET], tables[S_SET] + 2 * scratch[SET_COUNT], 2):
        number = scratch[at]
        left_for_it = scratch[at + 1] < sixes_in_pool(row, tables)
        if left_for_it and combined_reach(row, tables, scratch, seat, entry, set_total(tables, number)) >= 0:
            scratch[tables[S_MOVES] + count] = tables[A_OUT_ON] + number
            count += 1
    return count


def list_coming_out(row: Ints, tables: Ints, scratch: Ints, seat: int, count: int) -> int:
    """List the ways out of the yard, going on included (F29-F32)."""
    moves = tables[S_MOVES]
    if not stands_on(row, tables, seat, tables[START]):
        return count
    before = count
    for choice in range(tables[WAYS_OUT]):
        face = tables[tables[T_FACE_OUT] + choice]
        if row[tables[R_POOL] + face - 1] and come_out(row, tables, scratch, seat, face) >= 0:
            scratch[moves + count] = tables[A_OUT] + choice
            count += 1
    if tables[GO_ON] == 0 or count == before or pool_size(row, tables) == 1:
        return count
    count = list_going_on(row, tables, scratch, seat, count)
    if count == before + 1 or not must_go_on(row, tables, scratch, seat):
        return count
    # F29: all dice left as one move; F31: where that is impossible, any legal part
    size = pool_size(row, tables) - 1
    for at in range(moves + before + 1, moves + count):
        if set_size(tables, scratch[at] - tables[A_OUT_ON]) == size:
            scratch[moves + before] = scratch[at]
            return before + 1
    for at in range(moves + before, moves + count - 1):
        scratch[at] = scratch[at + 1]
    return count - 1


def stands_in_the_way(row: Ints, tables: Ints, seat: int, tile: int) -> bool:
    """Whether a colour's pieces on a tile block the last piece of a player right behind it (F33, F35)."""
    if count_on(row, tables, seat, tile) < 2:
        return False
    for other in range(tables[PLAYERS]):
        if tables[tables[T_SIDE] + other] == tables[tables[T_SIDE] + seat]:
            continue
        if count_on(row, tables, other, tables[FINISH]) != tables[PIECES] - 1:
            continue
        for piece in range(tables[PIECES]):
            node = int(row[slot(tables, other, piece)])
            if node < tables[TILES]:
                ahead = tables[tables[T_ROUTE] + route_index(row, tables, other, node, 1)]
                if ahead & NODE == tile and ahead >= 0:
                    return True
    return False


def has_block(tables: Ints, scratch: Ints, seat: int) -> bool:
    """Whether a colour's side has a block anywhere."""
    first = tables[S_BLOCK] + tables[tables[T_SIDE] + seat] * tables[WORDS]
    met = 0
    for at in range(first, first + tables[WORDS]):
        met |= scratch[at]
    return met != 0


def somebody_has_one_left(row: Ints, tables: Ints) -> bool:
    """Whether some player has all pieces but one at the finish (F33)."""
    for seat in range(tables[PLAYERS]):
        if count_on(row, tables, seat, tables[FINISH]) == tables[PIECES] - 1:
            return True
    return False


def keep_unblocking(row: Ints, tables: Ints, scratch: Ints, seat: int, count: int, keep: bool) -> int:
    """How many listed moves take a piece off a stack that must give way (F33, F34); with `keep`, keep only those."""
    if not has_block(tables, scratch, seat) or not somebody_has_one_left(row, tables):
        return 0
    moves = tables[S_MOVES]
    kept = 0
    for number in range(count):
        action = scratch[moves + number]
        if action < tables[SETS] * tables[PIECES]:
            node = row[slot(tables, seat, action % tables[PIECES])]
            if node < tables[TILES] and stands_in_the_way(row, tables, seat, node):
                if keep:
                    scratch[moves + kept] = action
                kept += 1
    return kept


def list_pool_moves(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List every use of the dice left, the duty to unblock not yet asked; 0 where there is none."""
    seat = mover(row, tables)
    look_ahead(row, tables, scratch, seat)
    forced = forced_move(row, tables, scratch, seat)
    if forced >= 0:
        scratch[tables[S_MOVES]] = forced
        return 1
    list_sets(row, tables, scratch)
    count = list_piece_moves(row, tables, scratch, seat, 0)
    count = list_coming_out(row, tables, scratch, seat, count)
    if can_buy(row, tables, seat):
        scratch[tables[S_MOVES] + count] = tables[A_BUY]
        count += 1
    pieces = special_pieces(row, tables, scratch, seat)
    if pieces:
        scratch[tables[S_MOVES] + count] = tables[A_SPECIAL] + pieces - 2
        count += 1
    return count


def legal_pool(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List the legal moves with a pool of dice; `pass` when there is none (F8, S50)."""
    count = list_pool_moves(row, tables, scratch)
    if count == 0:
        scratch[tables[S_MOVES]] = tables[A_PASS]
        return 1
    if tables[DUTY] and row[UNBLOCKED] == 0:
        seat = mover(row, tables)
        if keep_unblocking(row, tables, scratch, seat, count, False):  # F37: nothing off the stack, no duty
            count = keep_unblocking(row, tables, scratch, seat, count, True)
    return count


# ---------------------------------------------------------------- a pool of dice: playing


def spend(row: Ints, tables: Ints, number: int) -> None:
    """Take a set's dice out of the pool."""
    at = tables[T_SET] + number * (2 + tables[FACES]) + 2
    for face in range(tables[FACES]):
        row[tables[R_POOL] + face] -= tables[at + face]


def first_piece_on(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """The lowest piece of a colour on a node."""
    piece = 0
    while row[slot(tables, seat, piece)] != node:
        piece += 1
    return piece


def freeze_if_it_captured(row: Ints, tables: Ints, scratch: Ints, piece: int) -> None:
    """A piece that captured stays for the rest of the turn (F24)."""
    if tables[FREEZES] and scratch[CAPTURES]:
        row[FROZEN] |= 1 << piece


def play_piece(row: Ints, tables: Ints, scratch: Ints, seat: int, piece: int, number: int) -> None:
    """Move a piece in play with a set of dice."""
    node = int(row[slot(tables, seat, piece)])
    if set_size(tables, number) > 1:
        survey(row, tables, scratch, seat, node, set_total(tables, number))
    target = set_reach(row, tables, scratch, seat, node, number)
    spend(row, tables, number)
    land(row, tables, scratch, seat, piece, target)
    freeze_if_it_captured(row, tables, scratch, piece)


def play_out(row: Ints, tables: Ints, scratch: Ints, seat: int, choice: int) -> None:
    """Bring a piece out onto its entry tile with the face number `choice` of those that serve."""
    face = tables[tables[T_FACE_OUT] + choice]
    piece = first_piece_on(row, tables, seat, tables[START])
    row[tables[R_POOL] + face - 1] -= 1
    land(row, tables, scratch, seat, piece, tables[tables[T_ENTRY] + seat])
    freeze_if_it_captured(row, tables, scratch, piece)


def play_out_and_on(row: Ints, tables: Ints, scratch: Ints, seat: int, number: int) -> None:
    """Bring a piece out and on with a set of dice: the entry tile itself is not swept (F30)."""
    entry = tables[tables[T_ENTRY] + seat]
    piece = first_piece_on(row, tables, seat, tables[START])
    survey(row, tables, scratch, seat, entry, set_total(tables, number))
    target = combined_reach(row, tables, scratch, seat, entry, set_total(tables, number))
    row[tables[R_POOL] + 5] -= 1
    spend(row, tables, number)
    land(row, tables, scratch, seat, piece, target)
    freeze_if_it_captured(row, tables, scratch, piece)


def play_buying(row: Ints, tables: Ints, seat: int) -> None:
    """Buy back the held piece whose captor comes first in seat order (F11)."""
    node = tables[HELD]
    while not stands_on(row, tables, seat, node):
        node += 1
    row[slot(tables, seat, first_piece_on(row, tables, seat, node))] = tables[START]


def play_special(row: Ints, tables: Ints, scratch: Ints, seat: int, pieces: int) -> None:
    """The special move out: as many pieces as the block has, the missing ones bought back first (F15, F16)."""
    entry = tables[tables[T_ENTRY] + seat]
    while count_on(row, tables, seat, tables[START]) < pieces:
        play_buying(row, tables, seat)
    take(row, tables, scratch, seat, entry)
    row[tables[R_POOL] + 5] -= pieces
    for _ in range(pieces):
        piece = first_piece_on(row, tables, seat, tables[START])
        row[slot(tables, seat, piece)] = entry
        put(tables, scratch, seat, entry, 1)
        row[FROZEN] |= 1 << piece  # F19
    scratch[LANDED] = entry


def apply_pool(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Play one use of the dice; the turn goes on while a die left has a legal use (F7, S47-S51)."""
    if action == tables[A_PASS]:
        pass_turn_on(row, tables, scratch)
        return
    seat = mover(row, tables)
    look_ahead(row, tables, scratch, seat)
    if action < tables[A_OUT]:
        play_piece(row, tables, scratch, seat, action % tables[PIECES], action // tables[PIECES])
    elif action < tables[A_OUT_ON]:
        play_out(row, tables, scratch, seat, action - tables[A_OUT])
    elif action < tables[A_BUY]:
        play_out_and_on(row, tables, scratch, seat, action - tables[A_OUT_ON])
    elif action < tables[A_SPECIAL]:
        play_buying(row, tables, seat)
        row[tables[R_POOL] + 5] -= 1
        scratch[LANDED] = tables[START]
    else:
        play_special(row, tables, scratch, seat, action - tables[A_SPECIAL] + 2)
    if scratch[LANDED] >= tables[TILES] and give_places(row, tables, scratch, seat):
        return
    go_on_with_the_pool(row, tables, scratch)


def go_on_with_the_pool(row: Ints, tables: Ints, scratch: Ints) -> None:
    """After a move: the same player decides again, or what is left is lost and the turn passes on."""
    row[UNBLOCKED] = 0
    if pool_size(row, tables) == 0 or row[tables[R_PLACE] + row[TURN]]:
        pass_turn_on(row, tables, scratch)
        return
    count = list_pool_moves(row, tables, scratch)
    if count == 0:
        pass_turn_on(row, tables, scratch)
        return
    if tables[DUTY]:  # F33: asked once a turn, so a turn that has begun is free of it
        row[UNBLOCKED] = keep_unblocking(row, tables, scratch, mover(row, tables), count, False) > 0
    scratch[COUNT] = count
    scratch[FRESH] = 1


# ---------------------------------------------------------------- the whole game


def legal(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List the legal actions of a decision at scratch[S_MOVES…] and count them."""
    if scratch[FRESH]:
        return scratch[COUNT]
    count = legal_pool(row, tables, scratch) if tables[POOLED] else legal_one(row, tables, scratch)
    scratch[COUNT] = count
    scratch[FRESH] = 1
    return count


def apply(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Play a legal action."""
    scratch[FRESH] = 0
    scratch[CAPTURES] = 0
    scratch[HOMECOMING] = 0
    if tables[POOLED]:
        apply_pool(row, tables, scratch, action)
    else:
        apply_one(row, tables, scratch, action)


def why_not_one(row: Ints, tables: Ints, scratch: Ints, action: int) -> int:
    """Why a piece can't be played with the one die."""
    seat = mover(row, tables)
    look_ahead(row, tables, scratch, seat)
    if action == tables[A_PASS]:
        return WHY_MUST_MOVE
    node = int(row[slot(tables, seat, action)])
    target = reach(row, tables, scratch, seat, node, int(row[DIE]))
    if target < 0:
        return -target
    at = tables[S_MOVES]
    only = row[slot(tables, seat, scratch[at])] if scratch[at] != tables[A_PASS] else -1
    if only == node:
        return LEGAL
    return WHY_MUST_COME_OUT if only == tables[START] else WHY_MUST_CLEAR_ENTRY


def why_not_pool(row: Ints, tables: Ints, scratch: Ints, action: int) -> int:
    """Why a use of the pool is not legal: the first rule that forbids it."""
    seat = mover(row, tables)
    look_ahead(row, tables, scratch, seat)
    if action == tables[A_PASS]:
        return WHY_MUST_MOVE
    if action < tables[A_OUT]:
        why = why_not_piece(row, tables, scratch, seat, action % tables[PIECES], action // tables[PIECES])
    elif action < tables[A_BUY]:
        why = why_not_out(row, tables, scratch, seat, action)
    elif action < tables[A_SPECIAL]:
        why = why_no_buying(row, tables, seat)
    else:
        why = why_no_special(row, tables, scratch, seat, action - tables[A_SPECIAL] + 2)
    if why != LEGAL:
        return why
    count = list_pool_moves(row, tables, scratch)
    if tables[DUTY] and row[UNBLOCKED] == 0 and keep_unblocking(row, tables, scratch, seat, count, False):
        return WHY_MUST_UNBLOCK
    if action < tables[A_OUT]:
        return WHY_MUST_COMBINE if count == 1 else LEGAL
    return WHY_MUST_GO_ON


def lacks_dice(row: Ints, tables: Ints, number: int, sixes_used: int) -> bool:
    """Whether the pool, less some sixes, lacks a die of a set."""
    at = tables[T_SET] + number * (2 + tables[FACES]) + 2
    for face in range(tables[FACES]):
        if tables[at + face] > row[tables[R_POOL] + face] - (sixes_used if face == 5 else 0):
            return True
    return False


def why_not_piece(row: Ints, tables: Ints, scratch: Ints, seat: int, piece: int, number: int) -> int:
    """Why a piece can't use a set of dice, other duties apart."""
    node = int(row[slot(tables, seat, piece)])
    if lacks_dice(row, tables, number, 0):
        return WHY_NO_SUCH_DIE
    if is_frozen(row, piece):
        return WHY_FROZEN
    if node >= tables[FINISH]:
        if node == tables[START]:
            return WHY_NEEDS_FACE
        return WHY_FINISHED if node == tables[FINISH] else WHY_HELD
    survey(row, tables, scratch, seat, node, set_total(tables, number))
    return max(0, -set_reach(row, tables, scratch, seat, node, number))


def why_not_out(row: Ints, tables: Ints, scratch: Ints, seat: int, action: int) -> int:
    """Why no piece can come out, or come out and go on, other duties apart."""
    if not stands_on(row, tables, seat, tables[START]):
        return WHY_NOBODY_IN_YARD
    face = 6
    if action < tables[A_OUT_ON]:
        face = tables[tables[T_FACE_OUT] + action - tables[A_OUT]]
    if row[tables[R_POOL] + face - 1] == 0:
        return WHY_OUT_NEEDS_FACE
    if come_out(row, tables, scratch, seat, face) < 0:
        return -come_out(row, tables, scratch, seat, face)
    if action < tables[A_OUT_ON]:
        return LEGAL
    number = action - tables[A_OUT_ON]
    if lacks_dice(row, tables, number, 1):
        return WHY_NO_SUCH_DIE
    entry = tables[tables[T_ENTRY] + seat]
    survey(row, tables, scratch, seat, entry, set_total(tables, number))
    return max(0, -combined_reach(row, tables, scratch, seat, entry, set_total(tables, number)))


# ---------------------------------------------------------------- entries


def legal_api(row: Ints, tables: Ints, scratch: Ints) -> int:
    """Count the legal actions of a position; they stand at scratch[S_MOVES…]."""
    scan(row, tables, scratch)
    return legal(row, tables, scratch)


def mask_api(row: Ints, tables: Ints, scratch: Ints, out: MutableSequence[int]) -> None:
    """Write the mask of a decision."""
    scan(row, tables, scratch)
    mark_legal(row, tables, scratch, legal(row, tables, scratch), out, 0)


def apply_api(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Play a legal action."""
    scan(row, tables, scratch)
    apply(row, tables, scratch, action)


def chance_api(row: Ints, tables: Ints, scratch: Ints, outcome: int) -> None:
    """Apply a chance outcome."""
    scan(row, tables, scratch)
    chance(row, tables, scratch, outcome)


def roll_api(row: Ints, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """Draw an outcome from the stream and apply it; returns its number."""
    outcome = draw_chance(row, tables, scratch, key, ply)
    scan(row, tables, scratch)
    chance(row, tables, scratch, outcome)
    return outcome


def why_api(row: Ints, tables: Ints, scratch: Ints, action: int) -> int:
    """LEGAL, or the code of the first rule that forbids an action."""
    scan(row, tables, scratch)
    legal(row, tables, scratch)
    for at in range(tables[S_MOVES], tables[S_MOVES] + scratch[COUNT]):
        if scratch[at] == action:
            return LEGAL
    return why_not_pool(row, tables, scratch, action) if tables[POOLED] else why_not_one(row, tables, scratch, action)


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


def prize(row: Ints, tables: Ints, scratch: Ints, seat: int) -> float:
    """What a seat gets of a game that is over: +1 and -1, or by place, or one from each loser (Z21, Z23, T15)."""
    place = row[tables[R_PLACE] + seat]
    if tables[PLAY_ON]:
        return 1.0 - 2.0 * (place - 1) / (tables[PLAYERS] - 1)
    if place != 1:
        return -1.0
    return tables[PLAYERS] - 1.0 if tables[ZERO_SUM] else 1.0


def mark_legal(row: Ints, tables: Ints, scratch: Ints, count: int, out: MutableSequence[int], at: int) -> None:
    """Write the mask at out[at…]: 1 for each listed action, and for each piece that stands where a listed one does."""
    if tables[POOLED]:
        mark_legal_pool(row, tables, scratch, count, out, at)
        return
    movable = scratch[MOVABLE]
    for piece in range(tables[PIECES]):
        out[at + piece] = (movable >> piece) & 1
    out[at + tables[A_PASS]] = movable == 0


def mark_legal_pool(row: Ints, tables: Ints, scratch: Ints, count: int, out: MutableSequence[int], at: int) -> None:
    """`mark_legal` with a pool of dice."""
    for index in range(at, at + tables[A_PASS] + 1):
        out[index] = 0
    pieces, moves = tables[PIECES], tables[S_MOVES]
    first = slot(tables, mover(row, tables), 0)
    for number in range(count):
        action = scratch[moves + number]
        out[at + action] = 1
        if action < tables[A_OUT]:
            piece = action % pieces
            node = row[first + piece]
            for other in range(pieces):
                out[at + action - piece + other] |= (row[first + other] == node) & (not is_frozen(row, other))


def begin(scratch: Ints) -> None:
    """A game begins: what the scratch counts over a game is 0."""
    scratch[TURNS] = 0


def report(row: Ints, tables: Ints, scratch: Ints, moves: int, captures: int, plies: int, out: Ints, at: int) -> None:
    """A game's line at out[at…]: winner, turns, moves, captures, plies, finished."""
    winner = -1
    for seat in range(tables[PLAYERS]):
        if row[STAGE] == OVER and row[tables[R_PLACE] + seat] == 1 and winner < 0:
            winner = seat
    out[at] = winner
    out[at + 1] = scratch[TURNS]
    out[at + 2] = moves
    out[at + 3] = captures
    out[at + 4] = plies
    out[at + 5] = row[STAGE] == OVER


def playouts(
    start: Ints, row: Ints, tables: Ints, scratch: Ints, seed: int, first: int, games: int, max_plies: int, out: Ints
) -> None:
    """Random games first … first + games - 1 on one row; a line of `report` per game."""
    size = tables[ROW_SIZE]
    for game in range(games):
        for at in range(size):
            row[at] = start[at]
        scan(row, tables, scratch)
        begin(scratch)
        key = stream(seed, first + game)
        ply = 0
        moves = 0
        captures = 0
        while row[STAGE] != OVER and ply < max_plies:
            moves += row[STAGE] == DECISION
            captures += play_at_random(row, tables, scratch, key, ply)
            ply += 1
        report(row, tables, scratch, moves, captures, ply, out, 6 * game)


# ---------------------------------------------------------------- what a player sees


def observe_api(row: Ints, tables: Ints, scratch: Ints, seat: int, out: MutableSequence[float]) -> int:
    """Write what a seat sees; returns the length."""
    return observe(row, tables, scratch, seat, out, 0)


def seat_after(tables: Ints, seat: int, steps: int) -> int:
    """The seat that plays some turns (at most as many as there are players) after another."""
    after = seat + steps
    return after if after < tables[PLAYERS] else after - tables[PLAYERS]


def seen_at(tables: Ints, seat: int, node: int) -> int:
    """A node as a seat counts them: path tiles from its entry tile, held pieces from itself as the captor."""
    return tables[tables[T_SEEN] + seat * tables[ROUTED] + node]


def observe(row: Ints, tables: Ints, scratch: Ints, seat: int, out: MutableSequence[float], at: int) -> int:
    """Write what a seat sees at out[at…], rotated to it, in [0, 1] (Z29); observe.py names each index."""
    players, faces = tables[PLAYERS], tables[FACES]
    places = tables[HELD] + (players if tables[TO_CAPTOR] else 0)
    rolls_off = tables[R_SUM] < tables[R_PLACE]
    end = at + players * (places + 3) + faces + 5
    last = end + (tables[FINISH] if tables[FREEZES] else 0) + (2 * players if rolls_off else 0) + tables[PIECES]
    for index in range(at, last):  # all at once; what is not 0 follows
        out[index] = 0.0
    observe_pieces(row, tables, seat, out, at, places)
    observe_seats(row, tables, seat, out, at + players * places)
    observe_dice(row, tables, out, end - faces - 5)
    observe_turn(row, tables, out, end - 5)
    if tables[FREEZES]:
        observe_frozen(row, tables, seat, out, end)
    if rolls_off and row[ROLLOFF_IN]:
        observe_roll_off(row, tables, seat, out, last - tables[PIECES] - 2 * players)
    observe_by_index(row, tables, seat, out, last - tables[PIECES], places)
    return last - at


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
    """Of each seat: whether it has the turn, whether it has captured, its place."""
    players, captured_at, place_at = tables[PLAYERS], tables[R_CAPTURED], tables[R_PLACE]
    out[end + 3 * seat_after(tables, row[TURN], players - seat)] = 1.0
    for turned in range(players):
        other = seat + turned if seat + turned < players else seat + turned - players
        place = row[place_at + other]
        out[end + 3 * turned + 1] = row[captured_at + other]
        if place:
            out[end + 3 * turned + 2] = place / players


def observe_dice(row: Ints, tables: Ints, out: MutableSequence[float], end: int) -> None:
    """The die as one of six, or how many of each face the pool has."""
    if tables[POOLED] == 0:
        if row[DIE]:
            out[end + row[DIE] - 1] = 1.0
        return
    for face in range(tables[FACES]):
        out[end + face] = min(10, row[tables[R_POOL] + face]) / 10


def observe_turn(row: Ints, tables: Ints, out: MutableSequence[float], end: int) -> None:
    """What holds for the turn and for the whole game."""
    out[end] = row[STAGE] == DECISION
    if row[SIXES]:
        out[end + 1] = row[SIXES] / max(1, tables[SIXES_LIMIT])
    if row[ROLLS]:
        out[end + 2] = row[ROLLS] / tables[ATTEMPTS]
    out[end + 3] = tables[TEAMS]
    out[end + 4] = row[UNBLOCKED]


def observe_roll_off(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> None:
    """Who is in the roll-off, and what they have rolled."""
    for turned in range(tables[PLAYERS]):
        other = seat_after(tables, seat, turned)
        out[end + 2 * turned] = (row[ROLLOFF_IN] >> other) & 1
        out[end + 2 * turned + 1] = row[tables[R_SUM] + other] / 12


def observe_frozen(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int) -> None:
    """Which of the mover's pieces may not move again this turn, by tile as the observer counts them."""
    if row[FROZEN] == 0:
        return
    for piece in range(tables[PIECES]):
        if is_frozen(row, piece):
            node = seen_at(tables, seat, int(row[slot(tables, mover(row, tables), piece)]))
            out[end + node] += 1.0 / tables[PIECES]


def observe_by_index(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int, places: int) -> None:
    """Which piece is which: where each one stands that the seat's actions name, on its own way (0: in the yard)."""
    whose = moved_by(row, tables, seat)
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, whose, piece)])
        out[end + piece] = (node != tables[START]) * (seen_at(tables, whose, node) + 1) / places
