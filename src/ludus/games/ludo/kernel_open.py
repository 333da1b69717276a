"""The general Ludo game: any board, any device, rules that change. Its only statement, as kernel.py is the quick one's.

The same arguments in the same order: row, tables, scratch. Here a roll adds tokens to a pool in the row: a token is a
distance or an effect, and a move is (piece, token, way). Where several ways lead on from a tile, each is a move.

Options stand in banks, one for each combination of changes that hold for a colour (L2): `bank_of` gives where its bank
begins, and the fields O_* are counted from there. Boards are routes in the tables; nothing here knows a cross.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from ludus.core.random import below, stream
from ludus.games.ludo.kernel import count_in_play, count_on, slot, stands_on

Ints = MutableSequence[int]

INLINED = (
    "bank_of", "is_home", "home_count", "partner", "mover", "settle", "put", "look_ahead", "stops_at", "way_is_stopped",
    "target_of", "reach", "meet", "route_at", "list_steps", "list_kind", "spot_of", "way_of", "kind_of",
    "first_on_its_node", "waits_behind", "next_seat", "clear_turn", "clear_pool", "pool_size", "seat_of_action",
    "piece_of_action", "land", "play_step", "chance", "draw_chance", "legal", "apply", "go_on",
)  # fmt: skip

# --- the row: fixed fields, then pieces, then the vectors at tables[R_*] ---
(STAGE, TURN, AGAIN, SIXES, ROLLS, REVERSED, TURNS, ROLLOFF_IN, PLACED, PIECE_0) = range(10)
OVER, CHANCE, DECISION = 0, 1, 2
LOT = -1  # in ROLLOFF_IN: who begins is drawn by lot

# --- the tables: header; the first seven fields are where kernel.py has them ---
(
    PLAYERS, PIECES, TILES, END, FINISH, START, HELD, NODES, WORDS, SIDES, KINDS, WAYS, MOVERS, MAY_MOVE, TEAMS,
    HOME_IS_LANE, NEEDED, PLAY_ON, RANKS, LAST_OUT, SCORE, HOME_POINTS, CAPTURE_POINTS, TURN_LIMIT, BACKWARDS, ZERO_SUM,
    BLOCKS, DECK, CHANGES, CAPTURE_CAP, LOST_CAP, COUNT_TURNS, BANK_SIZE, A_SWAP, A_PASS,
    R_POOL, R_CAPTURES, R_LOST, R_CHANGED, R_SKIP, R_SUM, R_PLACE, R_SCORE, R_DECK, ROW_SIZE,
    T_BANK, T_SIDE, T_ENEMIES, T_ENTRY, T_KIND, T_CHANGE, T_BACK, T_ON, T_CARDS, T_TO_GO, FARTHEST, HOME_BIT, TURNED,
    S_PAIR, S_STOP, S_MOVES, OBSERVED,
    HEADER,
) = range(63)  # fmt: skip

# --- a bank: options, and where its tables are ---
(
    O_STOPS, O_SHARE_OWN, O_PASSING, O_STACK_PUNISHES, O_ENTRY_RULE, O_CAPTURE_BY, O_TO, O_BACK, O_COMPULSORY,
    O_CLEAR_ENTRY, O_DUTY, O_AGAIN_CAPTURE, O_AGAIN_FINISH, O_SIXES_LIMIT, O_SIX_STAYS, O_ATTEMPTS, O_MAY_PASS,
    O_CAPTURE_BONUS, O_FINISH_BONUS, O_OUTCOMES, O_WEIGHT, O_POINTS,
    O_ROUTE, O_TARGET, O_MASK, O_TRACK, O_TRACKS, O_JUMP, O_BLOCKABLE, O_GUARD, O_SQUARE, O_OUTCOME, O_TOKEN, O_POINT,
    O_SIZE,
) = range(35)  # fmt: skip

# --- an outcome: weight, another roll, counted in a row, leaves the yard, total, lost, skip, skip next, reverse, tokens
(F_WEIGHT, F_AGAIN, F_COUNTS, F_LEAVES, F_TOTAL, F_LOST, F_SKIP, F_SKIP_NEXT, F_REVERSE, F_FIRST, F_TOKENS, F_SIZE) = (
    range(12)
)
AGAIN_IF_PLAYED, AGAIN_ANYWAY = 1, 2

# --- a kind of token: effect, whose piece it moves, how far ---
(K_EFFECT, K_WHOSE, K_DISTANCE, K_SIZE) = range(4)
STEP, SWAP, OUT = 0, 1, 2
OWN, OTHERS, ANY = 0, 1, 2
MOVE_OWN, MOVE_TEAM, MOVE_ALL = 0, 1, 2

# --- a change: what is counted, how many, which node, for everybody ---
(C_WHEN, C_AT_LEAST, C_NODE, C_ALL, C_SIZE) = range(5)
BY_CAPTURES, BY_LOST, BY_HOME, BY_TURNS, BY_TILE = 0, 1, 2, 3, 4

# --- scratch: fixed fields, then occupancy ---
(COUNT, FRESH, CAPTURES, HOMECOMING, GAME_TURNS, LANDED, OWNER, SENT_HOME) = range(8)
S_OCC = 8

NODE, BOUNCED = 1023, 1024
TWO_OR_MORE = 0xEEEEEEEE
TILES_PER_WORD = 62

# --- option codes ---
STOPS_OPPONENTS, STOPS_ALL = 1, 2
OWNER_SHARES, OWNER_PUNISHES = 1, 2
GUARD_SHARED, GUARD_PUNISHES = 1, 2
BY_LANDING, BY_PASSING, BY_SWEEP, BY_NOTHING = 0, 1, 2, 3
TO_START, TO_CAPTOR, TO_BACK = 0, 1, 2
SQUARE_AGAIN, SQUARE_MISS, SQUARE_ROUND, SQUARE_HOME = 1, 2, 4, 8
FREE, TAKES, PUNISHED = 0, 1, 2
SUM_IS_THERE = 1000  # a roll-off sum is kept with this added: 0 is one that has not been rolled

# --- why a move is not legal: the quick kernel's codes where they say the same ---
LEGAL, WHY_NEEDS_FACE, WHY_FINISHED, WHY_BLOCKED, WHY_ENTRY_BLOCKED, WHY_PAST_FINISH = range(6)
WHY_OWN_PIECE, WHY_PASSES_OWN, WHY_MUST_CLEAR_ENTRY, WHY_MUST_COME_OUT, WHY_MUST_MOVE, WHY_NO_SUCH_DIE = range(6, 12)
WHY_HELD = 13
WHY_NOT_MOVED_BY_YOU, WHY_NO_WAY, WHY_NO_SUCH_WAY, WHY_NO_SWAP, WHY_MUST_CAPTURE = range(32, 37)


# ---------------------------------------------------------------- who stands where


def bank_of(row: Ints, tables: Ints, seat: int) -> int:
    """Where the rules that hold for a colour begin (L2)."""
    return tables[T_BANK] + row[tables[R_CHANGED] + seat] * tables[BANK_SIZE]


def home_count(row: Ints, tables: Ints, seat: int) -> int:
    """How many pieces of a colour are at their goal."""
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
    """The teammate: the opposite seat."""
    return (seat + tables[PLAYERS] // 2) % tables[PLAYERS]


def mover(row: Ints, tables: Ints) -> int:
    """The colour whose pieces the player in turn moves: its own, or the teammate's once all are home."""
    seat = int(row[TURN])
    if tables[TEAMS] and is_home(row, tables, seat):
        return partner(tables, seat)
    return seat


def settle(tables: Ints, scratch: Ints, tile: int, side: int) -> None:
    """Note whether a side has two or more pieces on a tile."""
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
    if node < tables[TILES]:
        side = tables[tables[T_SIDE] + seat]
        scratch[S_OCC + node] += change << (4 * side)
        settle(tables, scratch, node, side)


def scan(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Work out occupancy and blocks from the row."""
    for tile in range(tables[TILES]):
        scratch[S_OCC + tile] = 0
    for at in range(tables[S_PAIR], tables[S_PAIR] + tables[SIDES] * tables[WORDS]):
        scratch[at] = 0
    for seat in range(tables[PLAYERS]):
        for piece in range(tables[PIECES]):
            put(tables, scratch, seat, int(row[slot(tables, seat, piece)]), 1)
    scratch[FRESH] = 0


def look_ahead(tables: Ints, scratch: Ints, bank: int, seat: int) -> None:
    """Gather the blocks that stop a colour: every block, or only the opponents'."""
    if tables[bank + O_STOPS] == 0:
        return
    own = tables[tables[T_SIDE] + seat]
    words = tables[WORDS]
    for word in range(words):
        stops = 0
        for side in range(tables[SIDES]):
            if side != own or tables[bank + O_STOPS] == STOPS_ALL:
                stops |= scratch[tables[S_PAIR] + side * words + word]
        scratch[tables[S_STOP] + word] = stops & tables[tables[bank + O_BLOCKABLE] + word]


def stops_at(tables: Ints, scratch: Ints, bank: int, tile: int) -> bool:
    """Whether a block that stops the mover stands on a tile (after look_ahead)."""
    if tables[bank + O_STOPS] == 0:
        return False
    stops = scratch[tables[S_STOP] + tile // TILES_PER_WORD]
    return (stops >> (tile % TILES_PER_WORD)) & 1 != 0


# ---------------------------------------------------------------- where a piece gets


def route_at(tables: Ints, bank: int, seat: int, node: int, kind: int) -> int:
    """Where the tables say which ways a token opens from a node: the first, then how many or minus the reason."""
    return tables[bank + O_ROUTE] + 2 * ((seat * tables[NODES] + node) * tables[KINDS] + kind)


def way_is_stopped(tables: Ints, scratch: Ints, bank: int, way: int) -> bool:
    """Whether a block stands on a tile that the way crosses or ends on."""
    words = tables[WORDS]
    mask = tables[bank + O_MASK] + way * words
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
    return passed > (under < node < above)


def may_stand(row: Ints, tables: Ints, bank: int, seat: int, node: int, target: int) -> int:
    """The target, or minus the reason why own pieces are in the way."""
    place = target & NODE
    if tables[bank + O_SHARE_OWN] == 0 and place != node and place != tables[FINISH] and place != tables[START]:
        if stands_on(row, tables, seat, place):
            return -WHY_OWN_PIECE
        if place < tables[TILES] and target & BOUNCED == 0:
            jump = tables[tables[bank + O_JUMP] + seat * tables[TILES] + place]
            if jump >= 0 and jump != tables[FINISH] and jump != node and stands_on(row, tables, seat, jump):
                return -WHY_OWN_PIECE
    in_lane = place > tables[TILES] or target & BOUNCED
    if tables[bank + O_PASSING] == 0 and in_lane and place <= tables[FINISH]:
        if passes_own(row, tables, seat, node, target):
            return -WHY_PASSES_OWN
    return target


def sweep_end(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, way: int) -> int:
    """Where a sweep ends: on the first enemy that can be captured, else where the way ends; or minus the reason."""
    at = tables[tables[bank + O_TRACK] + way]
    for index in range(
        tables[bank + O_TRACKS] + at, tables[bank + O_TRACKS] + tables[tables[bank + O_TRACK] + way + 1]
    ):
        here = tables[index]
        if here >= tables[TILES]:
            continue
        if stops_at(tables, scratch, bank, here):
            return -WHY_BLOCKED
        if meets(row, tables, scratch, bank, seat, here) == TAKES:
            return here
    return tables[tables[bank + O_TARGET] + way]


def target_of(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, way: int) -> int:
    """Where a way ends, blocks and sweeps considered, or minus the reason why it is closed."""
    if tables[bank + O_CAPTURE_BY] == BY_SWEEP and node < tables[FINISH]:
        return sweep_end(row, tables, scratch, bank, seat, way)
    if tables[bank + O_STOPS] and way_is_stopped(tables, scratch, bank, way):
        return -WHY_ENTRY_BLOCKED if node == tables[START] else -WHY_BLOCKED
    return tables[tables[bank + O_TARGET] + way]


def reach(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, way: int) -> int:
    """Where a colour's piece on a node gets on a way: a route's end, or minus the reason why it can't."""
    target = target_of(row, tables, scratch, bank, seat, node, way)
    if target < 0 or tables[bank + O_SHARE_OWN] & tables[bank + O_PASSING]:
        return target
    return may_stand(row, tables, bank, seat, node, target)


# ---------------------------------------------------------------- what a landing does


def is_stack(row: Ints, tables: Ints, seat: int, tile: int) -> bool:
    """Whether some enemy colour has two or more pieces on a tile."""
    side = tables[tables[T_SIDE] + seat]
    for other in range(tables[PLAYERS]):
        if tables[tables[T_SIDE] + other] != side and count_on(row, tables, other, tile) >= 2:
            return True
    return False


def meets(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int) -> int:
    """What awaits a colour on a path tile: FREE, TAKES (enemies to capture) or PUNISHED (it goes home)."""
    enemies = scratch[S_OCC + tile] & tables[tables[T_ENEMIES] + seat]
    if enemies == 0:
        return FREE
    guard = tables[tables[bank + O_GUARD] + seat * tables[TILES] + tile]
    if guard == GUARD_SHARED:
        return FREE
    if guard == GUARD_PUNISHES:
        return PUNISHED
    if guard < 0 and stands_on(row, tables, -guard - 1, tile):
        if tables[bank + O_ENTRY_RULE] == OWNER_PUNISHES:
            return PUNISHED
        others = enemies - (count_on(row, tables, -guard - 1, tile) << (4 * tables[tables[T_SIDE] - guard - 1]))
        return TAKES if others and tables[bank + O_CAPTURE_BY] != BY_NOTHING else FREE
    if tables[bank + O_STACK_PUNISHES] and enemies & TWO_OR_MORE and is_stack(row, tables, seat, tile):
        return PUNISHED
    if tables[bank + O_STOPS] and enemies & TWO_OR_MORE:
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


def take(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int) -> None:
    """Capture every enemy on a tile but an owner protected by its entry tile (S35, S36, L33)."""
    side = tables[tables[T_SIDE] + seat]
    for other in range(tables[PLAYERS]):
        if tables[tables[T_SIDE] + other] == side:
            continue
        if (
            tables[bank + O_ENTRY_RULE] == OWNER_SHARES
            and tables[tables[bank + O_GUARD] + seat * tables[TILES] + tile] == -other - 1
        ):
            continue
        first = PIECE_0 + other * tables[PIECES]
        for at in range(first, first + tables[PIECES]):
            if row[at] == tile:
                goes_to = tables[START]
                if tables[bank + O_TO] == TO_CAPTOR:
                    goes_to = tables[HELD] + seat
                elif tables[bank + O_TO] == TO_BACK:
                    goes_to = goes_back_to(row, tables, bank, other, tile)
                put(tables, scratch, other, tile, -1)
                row[at] = goes_to
                put(tables, scratch, other, goes_to, 1)
                scratch[CAPTURES] += 1
                row[tables[R_LOST] + other] = min(tables[LOST_CAP], row[tables[R_LOST] + other] + 1)


def meet(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int) -> bool:
    """Resolve a landing on a path tile; False when the mover is sent home."""
    if scratch[S_OCC + tile] & tables[tables[T_ENEMIES] + seat] == 0:
        return True
    verdict = meets(row, tables, scratch, bank, seat, tile)
    if verdict == TAKES:
        take(row, tables, scratch, bank, seat, tile)
    return verdict != PUNISHED


def take_in_passing(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, way: int) -> None:
    """Capture whom a piece passes over on its way, the last tile apart (L33)."""
    first = tables[bank + O_TRACKS] + tables[tables[bank + O_TRACK] + way]
    last = tables[bank + O_TRACKS] + tables[tables[bank + O_TRACK] + way + 1] - 1
    for index in range(first, last):
        tile = tables[index]
        if tile < tables[TILES] and meets(row, tables, scratch, bank, seat, tile) == TAKES:
            take(row, tables, scratch, bank, seat, tile)


def land(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, target: int) -> None:
    """Put a piece that has been lifted down at a route's end, with captures, jumps, squares and punishments."""
    at = slot(tables, seat, piece)
    origin = int(row[at])
    place = target & NODE
    if place < tables[TILES]:
        jump = tables[tables[bank + O_JUMP] + seat * tables[TILES] + place]
        if not meet(row, tables, scratch, bank, seat, place):
            place = tables[START]
        elif jump >= 0 and target & BOUNCED == 0:
            place = jump
            if jump < tables[TILES] and not meet(row, tables, scratch, bank, seat, jump):
                place = tables[START]
        if place < tables[TILES]:
            place = stand_on_square(row, tables, bank, seat, place)
    row[at] = place
    scratch[LANDED] = place
    scratch[OWNER] = seat
    put(tables, scratch, seat, place, 1)
    if tables[HOME_IS_LANE]:
        came_home = (origin < tables[TILES] or origin >= tables[START]) and tables[TILES] <= place < tables[FINISH]
    else:
        came_home = place == tables[FINISH]
    scratch[HOMECOMING] += came_home


def stand_on_square(row: Ints, tables: Ints, bank: int, seat: int, tile: int) -> int:
    """What a tile does to whoever lands there (L17, L18, L28); returns where the piece is then."""
    square = tables[tables[bank + O_SQUARE] + tile]
    if square == 0:
        return tile
    if square & SQUARE_AGAIN:
        row[AGAIN] = AGAIN_ANYWAY
    if square & SQUARE_MISS:
        row[tables[R_SKIP] + seat] = min(9, row[tables[R_SKIP] + seat] + 1)
    if square & SQUARE_ROUND:
        row[REVERSED] = 1 - row[REVERSED]
    return tables[START] if square & SQUARE_HOME else tile


# ---------------------------------------------------------------- turns and places


def next_seat(row: Ints, tables: Ints, seat: int) -> int:
    """The next player in order of play that is still in the game (L17)."""
    back = row[REVERSED] != tables[BACKWARDS]
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
    """Forget what belongs to one turn: tokens, another roll due, rolls in a row, attempts."""
    row[AGAIN] = 0
    row[SIXES] = 0
    row[ROLLS] = 0
    clear_pool(row, tables)


def clear_pool(row: Ints, tables: Ints) -> None:
    """Tokens that are left are lost."""
    for at in range(tables[R_POOL], tables[R_POOL] + tables[KINDS]):
        row[at] = 0


def pass_turn_on(row: Ints, tables: Ints, scratch: Ints) -> None:
    """The next player rolls; those who miss a turn are passed over (L18). At the turn limit the game ends (L20)."""
    clear_turn(row, tables)
    scratch[GAME_TURNS] += 1
    row[STAGE] = CHANCE
    if tables[COUNT_TURNS]:
        row[TURNS] = min(10_000, row[TURNS] + 1)
        make_changes(row, tables, scratch, True)
        if tables[TURN_LIMIT] and row[TURNS] >= tables[TURN_LIMIT]:
            end_at_the_limit(row, tables)
            return
    seat = next_seat(row, tables, int(row[TURN]))
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
    row[STAGE] = OVER


def has_won(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether a colour has done what the game asks for (L13, L20)."""
    if tables[SCORE]:
        return row[tables[R_SCORE] + seat] >= tables[SCORE]
    return is_home(row, tables, seat)


def give_places(row: Ints, tables: Ints, scratch: Ints, seat: int) -> bool:
    """After a move: whether the game is over, with the places of those who are done."""
    if row[tables[R_PLACE] + seat] or not has_won(row, tables, seat):
        return False
    if tables[TEAMS]:
        mate = partner(tables, seat)
        if not is_home(row, tables, mate):
            return False
        row[tables[R_PLACE] + mate] = 1
    row[PLACED] += 1
    row[tables[R_PLACE] + seat] = row[PLACED]
    if tables[PLAY_ON] and row[PLACED] < tables[RANKS]:
        return False
    if tables[PLAY_ON]:
        for other in range(tables[PLAYERS]):
            if row[tables[R_PLACE] + other] == 0:
                row[tables[R_PLACE] + other] = row[PLACED] + 1
    clear_turn(row, tables)
    row[STAGE] = OVER
    scratch[GAME_TURNS] += 1
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
        row[tables[R_CHANGED] + seat] |= 1 << number
        if tables[at + C_ALL]:
            for other in range(tables[PLAYERS]):
                row[tables[R_CHANGED] + other] |= 1 << number


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
    """How likely outcome `number` is, beside the others."""
    if row[ROLLOFF_IN] == LOT:
        return 1
    if tables[DECK]:
        return int(row[tables[R_DECK] + card_at(row, tables, number)])
    bank = bank_of(row, tables, int(row[TURN]))
    return tables[tables[bank + O_OUTCOME] + number * F_SIZE + F_WEIGHT]


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
    if tables[DECK] and row[ROLLOFF_IN] != LOT:
        return draw_card(row, tables, key, ply)
    if row[ROLLOFF_IN] == LOT or tables[bank + O_POINTS] == 0:
        return draw_by_weight(row, tables, scratch, key, ply)
    return tables[tables[bank + O_POINT] + below(key, ply, tables[bank + O_WEIGHT])]


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
    if row[ROLLOFF_IN] == LOT:
        row[TURN] = outcome
        row[ROLLOFF_IN] = 0
        return
    bank = bank_of(row, tables, int(row[TURN]))
    number = outcome if tables[DECK] == 0 else card_at(row, tables, outcome)
    at = tables[bank + O_OUTCOME] + number * F_SIZE
    if row[ROLLOFF_IN]:
        roll_off(row, tables, tables[at + F_TOTAL])
        return
    if tables[DECK]:
        take_card(row, tables, number)
    roll(row, tables, scratch, bank, at)


def roll(row: Ints, tables: Ints, scratch: Ints, bank: int, at: int) -> None:
    """What a roll brings: tokens, another roll, a turn that is lost, missed or turned round (L18)."""
    seat = int(row[TURN])
    if tables[at + F_REVERSE]:
        row[REVERSED] = 1 - row[REVERSED]
    if tables[at + F_SKIP]:
        row[tables[R_SKIP] + seat] = min(9, row[tables[R_SKIP] + seat] + 1)
    if tables[at + F_SKIP_NEXT]:
        other = next_seat(row, tables, seat)
        row[tables[R_SKIP] + other] = min(9, row[tables[R_SKIP] + other] + 1)
    if tables[bank + O_SIXES_LIMIT]:
        row[SIXES] = row[SIXES] + 1 if tables[at + F_COUNTS] else 0
    if tables[at + F_LOST] or (tables[bank + O_SIXES_LIMIT] and row[SIXES] >= tables[bank + O_SIXES_LIMIT]):
        pass_turn_on(row, tables, scratch)
        return
    if tables[bank + O_ATTEMPTS] > 1:
        if tables[at + F_LEAVES]:
            row[ROLLS] = 0
        elif count_in_play(row, tables, mover(row, tables)) == 0:
            row[ROLLS] += 1
    row[AGAIN] = tables[at + F_AGAIN]
    first = tables[bank + O_TOKEN] + tables[at + F_FIRST]
    for token in range(first, first + tables[at + F_TOKENS]):
        row[tables[R_POOL] + tables[token]] += 1
    row[STAGE] = DECISION


# ---------------------------------------------------------------- legal moves


def pool_size(row: Ints, tables: Ints) -> int:
    """How many tokens are left."""
    count = 0
    for at in range(tables[R_POOL], tables[R_POOL] + tables[KINDS]):
        count += row[at]
    return count


def may_move(row: Ints, tables: Ints, own: int, seat: int, kind: int) -> bool:
    """Whether a token may move a colour's pieces in this turn (L9)."""
    at = tables[T_KIND] + kind * K_SIZE
    if tables[at + K_EFFECT] == SWAP:
        return seat == own
    whose = tables[at + K_WHOSE]
    if whose == ANY:
        return True
    same_side = tables[tables[T_SIDE] + seat] == tables[tables[T_SIDE] + own]
    if whose == OTHERS:
        return not same_side
    return seat == own or tables[MAY_MOVE] == MOVE_ALL or (same_side and tables[MAY_MOVE] == MOVE_TEAM)


def first_on_its_node(row: Ints, tables: Ints, seat: int, piece: int) -> bool:
    """Whether no piece of the colour before this one stands on its node."""
    first = PIECE_0 + seat * tables[PIECES]
    node = row[first + piece]
    alone = True
    for other in range(first, first + piece):
        alone &= row[other] != node
    return alone


def list_steps(
    row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, turned: int, piece: int, kind: int, count: int
) -> int:
    """List the ways that a token opens for a piece."""
    node = int(row[slot(tables, seat, piece)])
    at = route_at(tables, bank, seat, node, kind)
    first = tables[at]
    action = ((turned * tables[PIECES] + piece) * tables[KINDS] + kind) * tables[WAYS]
    for way in range(tables[at + 1]):
        scratch[tables[S_MOVES] + count] = action + way
        count += reach(row, tables, scratch, bank, seat, node, first + way) >= 0
    return count


def can_swap(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, node: int, other: int, there: int) -> bool:
    """Whether a piece may change places with another colour's: both on the shared path, neither sheltered (L14)."""
    if node >= tables[TILES] or there >= tables[TILES] or node == there:
        return False
    if tables[tables[T_SIDE] + other] == tables[tables[T_SIDE] + seat]:
        return False
    guard = tables[tables[bank + O_GUARD] + seat * tables[TILES] + there]
    if guard > 0 or guard == -other - 1:
        return False
    if (
        tables[tables[T_ON] + seat * tables[TILES] + there] == 0
        or tables[tables[T_ON] + other * tables[TILES] + node] == 0
    ):
        return False
    if tables[bank + O_SHARE_OWN]:
        return True
    return not stands_on(row, tables, seat, there) and not stands_on(row, tables, other, node)


def list_swaps(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, piece: int, count: int) -> int:
    """List whom a piece may change places with."""
    node = int(row[slot(tables, seat, piece)])
    players, pieces = tables[PLAYERS], tables[PIECES]
    for turned in range(1, players):
        other = (seat + turned) % players
        for rival in range(pieces):
            there = int(row[slot(tables, other, rival)])
            if first_on_its_node(row, tables, other, rival):
                if can_swap(row, tables, scratch, bank, seat, node, other, there):
                    scratch[tables[S_MOVES] + count] = tables[A_SWAP] + (piece * players + turned) * pieces + rival
                    count += 1
    return count


def waits_behind(row: Ints, tables: Ints, seat: int, piece: int) -> bool:
    """Whether a held piece is not the one to be bought back first: that whose captor comes first in seat order."""
    node = row[slot(tables, seat, piece)]
    if node < tables[HELD]:
        return False
    first = PIECE_0 + seat * tables[PIECES]
    for at in range(first, first + tables[PIECES]):
        if tables[HELD] <= row[at] < node:
            return True
    return False


def list_kind(row: Ints, tables: Ints, scratch: Ints, own: int, turned: int, kind: int, count: int) -> int:
    """List what one kind of token does with one colour's pieces."""
    seat = own + turned if own + turned < tables[PLAYERS] else own + turned - tables[PLAYERS]
    bank = bank_of(row, tables, seat)
    look_ahead(tables, scratch, bank, seat)
    swaps = tables[tables[T_KIND] + kind * K_SIZE + K_EFFECT] == SWAP
    for piece in range(tables[PIECES]):
        if not first_on_its_node(row, tables, seat, piece) or waits_behind(row, tables, seat, piece):
            continue
        if swaps:
            count = list_swaps(row, tables, scratch, bank, seat, piece, count)
        else:
            count = list_steps(row, tables, scratch, bank, seat, turned, piece, kind, count)
    return count


def list_moves(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List every use of the tokens left, duties not yet asked; 0 where there is none."""
    own = mover(row, tables)
    count = 0
    for kind in range(tables[KINDS]):
        if row[tables[R_POOL] + kind] == 0:
            continue
        for turned in range(tables[MOVERS]):
            seat = own + turned if own + turned < tables[PLAYERS] else own + turned - tables[PLAYERS]
            if tables[MOVERS] == 1 or may_move(row, tables, own, seat, kind):
                count = list_kind(row, tables, scratch, own, turned, kind, count)
    return count


def spot_of(tables: Ints, action: int) -> int:
    """(colours on from the mover × pieces + piece) of a step."""
    token = action if tables[WAYS] == 1 else action // tables[WAYS]
    return token // tables[KINDS]


def way_of(tables: Ints, action: int) -> int:
    """Which of a token's ways a step takes."""
    return 0 if tables[WAYS] == 1 else action % tables[WAYS]


def kind_of(tables: Ints, action: int) -> int:
    """The kind of token that a step uses."""
    token = action if tables[WAYS] == 1 else action // tables[WAYS]
    return token % tables[KINDS]


def seat_of_action(row: Ints, tables: Ints, action: int) -> int:
    """Whose piece an action moves."""
    own = mover(row, tables)
    if action >= tables[A_SWAP] or tables[MOVERS] == 1:
        return own
    seat = own + spot_of(tables, action) // tables[PIECES]
    return seat if seat < tables[PLAYERS] else seat - tables[PLAYERS]


def piece_of_action(tables: Ints, action: int) -> int:
    """Which piece an action moves."""
    if action >= tables[A_SWAP]:
        return (action - tables[A_SWAP]) // (tables[PLAYERS] * tables[PIECES])
    return spot_of(tables, action) if tables[MOVERS] == 1 else spot_of(tables, action) % tables[PIECES]


def node_of_action(row: Ints, tables: Ints, action: int) -> int:
    """Where the piece of an action stands."""
    return int(row[slot(tables, seat_of_action(row, tables, action), piece_of_action(tables, action))])


def would_capture(row: Ints, tables: Ints, scratch: Ints, action: int) -> bool:
    """Whether a listed move captures, or lands where it would (L29)."""
    if action >= tables[A_SWAP]:
        return False
    seat = seat_of_action(row, tables, action)
    bank = bank_of(row, tables, seat)
    look_ahead(tables, scratch, bank, seat)
    node = node_of_action(row, tables, action)
    way = tables[route_at(tables, bank, seat, node, kind_of(tables, action))] + way_of(tables, action)
    target = reach(row, tables, scratch, bank, seat, node, way)
    if target < 0:
        return False
    place = target & NODE
    if place < tables[TILES] and meets(row, tables, scratch, bank, seat, place) == TAKES:
        return True
    if tables[bank + O_CAPTURE_BY] != BY_PASSING or node >= tables[FINISH]:
        return False
    first = tables[bank + O_TRACKS] + tables[tables[bank + O_TRACK] + way]
    for index in range(first, tables[bank + O_TRACKS] + tables[tables[bank + O_TRACK] + way + 1]):
        if tables[index] < tables[TILES] and meets(row, tables, scratch, bank, seat, tables[index]) == TAKES:
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


def keep_from(row: Ints, tables: Ints, scratch: Ints, own: int, node: int, count: int) -> int:
    """Keep only the moves of own pieces on a node, if there are some; returns how many."""
    moves = tables[S_MOVES]
    kept = 0
    for number in range(count):
        action = scratch[moves + number]
        spot = spot_of(tables, action)
        if action < tables[A_SWAP] and spot < tables[PIECES] and row[slot(tables, own, spot)] == node:
            scratch[moves + kept] = action
            kept += 1
    return kept


def keep_duties(row: Ints, tables: Ints, scratch: Ints, count: int) -> int:
    """Keep only the moves that do the first duty which some move can do: capture, clear the entry tile, come out."""
    own = mover(row, tables)
    bank = bank_of(row, tables, own)
    kept = 0
    if tables[bank + O_DUTY]:
        kept = keep_captures(row, tables, scratch, count)
    if kept == 0 and stands_on(row, tables, own, tables[START]):
        if tables[bank + O_CLEAR_ENTRY]:
            kept = keep_from(row, tables, scratch, own, tables[tables[T_ENTRY] + own], count)
        if kept == 0 and tables[bank + O_COMPULSORY]:
            kept = keep_from(row, tables, scratch, own, tables[START], count)
    return kept if kept else count


def legal(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List the legal actions of a decision at scratch[S_MOVES…] and count them; `pass` where there is none."""
    if scratch[FRESH]:
        return scratch[COUNT]
    count = list_moves(row, tables, scratch)
    bank = bank_of(row, tables, mover(row, tables))
    if count and tables[bank + O_DUTY] | tables[bank + O_CLEAR_ENTRY] | tables[bank + O_COMPULSORY]:
        count = keep_duties(row, tables, scratch, count)
    if count == 0 or tables[bank + O_MAY_PASS]:
        scratch[tables[S_MOVES] + count] = tables[A_PASS]
        count += 1
    scratch[COUNT] = count
    scratch[FRESH] = 1
    return count


# ---------------------------------------------------------------- playing


def play_step(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Move a piece on a way with a token."""
    seat = seat_of_action(row, tables, action)
    piece = piece_of_action(tables, action)
    kind = kind_of(tables, action)
    bank = bank_of(row, tables, seat)
    node = int(row[slot(tables, seat, piece)])
    look_ahead(tables, scratch, bank, seat)
    way = tables[route_at(tables, bank, seat, node, kind)] + way_of(tables, action)
    target = reach(row, tables, scratch, bank, seat, node, way)
    row[tables[R_POOL] + kind] -= 1
    put(tables, scratch, seat, node, -1)
    if tables[bank + O_CAPTURE_BY] == BY_PASSING and node < tables[FINISH]:
        take_in_passing(row, tables, scratch, bank, seat, way)
    land(row, tables, scratch, bank, seat, piece, target)


def play_swap(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Two pieces change places (L14)."""
    number = action - tables[A_SWAP]
    pieces, players = tables[PIECES], tables[PLAYERS]
    own = mover(row, tables)
    mine = slot(tables, own, number // (players * pieces))
    other = (own + number // pieces % players) % players
    theirs = slot(tables, other, number % pieces)
    here, there = int(row[mine]), int(row[theirs])
    put(tables, scratch, own, here, -1)
    put(tables, scratch, other, there, -1)
    row[mine] = there
    row[theirs] = here
    put(tables, scratch, own, there, 1)
    put(tables, scratch, other, here, 1)
    for kind in range(tables[KINDS]):
        if tables[tables[T_KIND] + kind * K_SIZE + K_EFFECT] == SWAP:
            row[tables[R_POOL] + kind] -= 1
    scratch[LANDED] = there
    scratch[OWNER] = own


def count_what_happened(row: Ints, tables: Ints, scratch: Ints) -> None:
    """After a move: captures, points, bonus tokens and another roll for it (L18, L20)."""
    owner = scratch[OWNER]
    bank = bank_of(row, tables, int(row[TURN]))
    if scratch[CAPTURES]:
        row[tables[R_CAPTURES] + owner] = min(tables[CAPTURE_CAP], row[tables[R_CAPTURES] + owner] + scratch[CAPTURES])
        if tables[bank + O_CAPTURE_BONUS] >= 0:
            row[tables[R_POOL] + tables[bank + O_CAPTURE_BONUS]] += scratch[CAPTURES]
    if scratch[HOMECOMING] and tables[bank + O_FINISH_BONUS] >= 0:
        row[tables[R_POOL] + tables[bank + O_FINISH_BONUS]] += 1
    if tables[SCORE]:
        points = scratch[CAPTURES] * tables[CAPTURE_POINTS] + scratch[HOMECOMING] * tables[HOME_POINTS]
        row[tables[R_SCORE] + owner] = min(30_000, row[tables[R_SCORE] + owner] + points)
    captured = scratch[CAPTURES] and tables[bank + O_AGAIN_CAPTURE]
    finished = scratch[HOMECOMING] and tables[bank + O_AGAIN_FINISH]
    if captured or finished:
        row[AGAIN] = max(row[AGAIN], AGAIN_IF_PLAYED)


def apply(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Play a legal action."""
    scratch[FRESH] = 0
    scratch[CAPTURES] = 0
    scratch[HOMECOMING] = 0
    if action == tables[A_PASS]:
        stop_playing(row, tables, scratch)
        return
    if action >= tables[A_SWAP]:
        play_swap(row, tables, scratch, action)
    else:
        play_step(row, tables, scratch, action)
    count_what_happened(row, tables, scratch)
    if tables[CHANGES]:
        make_changes(row, tables, scratch, False)
    may_end = scratch[LANDED] >= tables[TILES] or tables[SCORE]
    if may_end and give_places(row, tables, scratch, scratch[OWNER]):
        return
    go_on(row, tables, scratch)


def stop_playing(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Pass: the tokens are lost; another roll only where the rules leave it, or an attempt is left."""
    bank = bank_of(row, tables, int(row[TURN]))
    stays = row[AGAIN] == AGAIN_ANYWAY or (row[AGAIN] == AGAIN_IF_PLAYED and tables[bank + O_SIX_STAYS])
    if stays or 0 < row[ROLLS] < tables[bank + O_ATTEMPTS]:
        roll_again(row, tables)
    else:
        pass_turn_on(row, tables, scratch)


def roll_again(row: Ints, tables: Ints) -> None:
    """The same player rolls once more."""
    clear_pool(row, tables)
    row[AGAIN] = 0
    row[STAGE] = CHANCE


def go_on(row: Ints, tables: Ints, scratch: Ints) -> None:
    """After a move: the same player decides again, rolls again, or the turn passes on."""
    if row[tables[R_PLACE] + row[TURN]] == 0:
        if pool_size(row, tables):
            count = list_moves(row, tables, scratch)
            if count:
                bank = bank_of(row, tables, mover(row, tables))
                if tables[bank + O_DUTY] | tables[bank + O_CLEAR_ENTRY] | tables[bank + O_COMPULSORY]:
                    count = keep_duties(row, tables, scratch, count)
                if tables[bank + O_MAY_PASS]:
                    scratch[tables[S_MOVES] + count] = tables[A_PASS]
                    count += 1
                scratch[COUNT] = count
                scratch[FRESH] = 1
                return
        if row[AGAIN]:
            roll_again(row, tables)
            return
    pass_turn_on(row, tables, scratch)


# ---------------------------------------------------------------- why not


def why_not(row: Ints, tables: Ints, scratch: Ints, action: int) -> int:
    """Why an action is not legal: the first rule that forbids it."""
    if action == tables[A_PASS]:
        return WHY_MUST_MOVE
    if action >= tables[A_SWAP]:
        return WHY_NO_SWAP
    own = mover(row, tables)
    seat = seat_of_action(row, tables, action)
    kind = kind_of(tables, action)
    if row[tables[R_POOL] + kind] == 0:
        return WHY_NO_SUCH_DIE
    if not may_move(row, tables, own, seat, kind):
        return WHY_NOT_MOVED_BY_YOU
    if tables[tables[T_KIND] + kind * K_SIZE + K_EFFECT] == SWAP:
        return WHY_NO_SWAP
    bank = bank_of(row, tables, seat)
    node = node_of_action(row, tables, action)
    at = route_at(tables, bank, seat, node, kind)
    if tables[at + 1] <= 0:
        return -tables[at + 1]
    if way_of(tables, action) >= tables[at + 1]:
        return WHY_NO_SUCH_WAY
    look_ahead(tables, scratch, bank, seat)
    target = reach(row, tables, scratch, bank, seat, node, tables[at] + way_of(tables, action))
    if target < 0:
        return -target
    if tables[bank_of(row, tables, own) + O_DUTY] and not would_capture(row, tables, scratch, action):
        return WHY_MUST_CAPTURE
    first = scratch[tables[S_MOVES]]
    if first != tables[A_PASS] and node_of_action(row, tables, first) == tables[START]:
        return WHY_MUST_COME_OUT
    return WHY_MUST_CLEAR_ENTRY


# ---------------------------------------------------------------- the face


def moves_at(tables: Ints) -> int:
    """Where the scratch lists the legal actions."""
    return tables[S_MOVES]


def player_count(tables: Ints) -> int:
    """How many play."""
    return tables[PLAYERS]


def row_size(tables: Ints) -> int:
    """How long a row is."""
    return tables[ROW_SIZE]


def captured(scratch: Ints) -> int:
    """Pieces captured by the last apply."""
    return scratch[CAPTURES]


def winners(row: Ints, tables: Ints) -> int:
    """How many sides share the first place."""
    sides = 0
    for seat in range(tables[PLAYERS]):
        if row[tables[R_PLACE] + seat] == 1:
            sides |= 1 << tables[tables[T_SIDE] + seat]
    count = 0
    for side in range(tables[SIDES]):
        count += (sides >> side) & 1
    return count


def prize(row: Ints, tables: Ints, scratch: Ints, seat: int) -> float:
    """At the end: what a seat gets, as Position.result says."""
    place = row[tables[R_PLACE] + seat]
    players = tables[PLAYERS]
    if tables[LAST_OUT]:
        return 1.0 if place <= tables[RANKS] and place <= row[PLACED] else -1.0
    if tables[PLAY_ON]:
        return 1.0 - 2.0 * (place - 1) / (players - 1)
    first = winners(row, tables)
    if first > 1:
        return 0.0 if place == 1 else -1.0
    if place != 1:
        return -1.0
    return players - 1.0 if tables[ZERO_SUM] else 1.0


def mark_legal(row: Ints, tables: Ints, scratch: Ints, count: int, out: Ints, at: int) -> None:
    """Write the mask at out[at…]: 1 for each listed action, and for each piece that stands where a listed one does."""
    for index in range(at, at + tables[A_PASS] + 1):
        out[index] = 0
    pieces, block = tables[PIECES], tables[WAYS] * tables[KINDS]
    for number in range(count):
        action = scratch[tables[S_MOVES] + number]
        if action == tables[A_PASS]:
            out[at + action] = 1
            continue
        seat = seat_of_action(row, tables, action)
        lowest = piece_of_action(tables, action)
        node = row[slot(tables, seat, lowest)]
        for piece in range(lowest, pieces):
            if row[slot(tables, seat, piece)] != node:
                continue
            if action < tables[A_SWAP]:
                out[at + action + (piece - lowest) * block] = 1
            else:
                mark_swaps(row, tables, action + (piece - lowest) * tables[PLAYERS] * pieces, out, at)


def mark_swaps(row: Ints, tables: Ints, action: int, out: Ints, at: int) -> None:
    """Mark a swap with every piece that stands where the rival does."""
    pieces = tables[PIECES]
    number = action - tables[A_SWAP]
    other = (mover(row, tables) + number // pieces % tables[PLAYERS]) % tables[PLAYERS]
    lowest = number % pieces
    node = row[slot(tables, other, lowest)]
    for rival in range(lowest, pieces):
        if row[slot(tables, other, rival)] == node:
            out[at + action + rival - lowest] = 1


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
    return why_not(row, tables, scratch, action)


def play_at_random(row: Ints, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """One ply of uniform random play; returns how many pieces it captured."""
    if row[STAGE] == CHANCE:
        chance(row, tables, scratch, draw_chance(row, tables, scratch, key, ply))
        return 0
    count = legal(row, tables, scratch)
    choice = below(key, ply, count) if count > 1 else 0
    apply(row, tables, scratch, scratch[tables[S_MOVES] + choice])
    return scratch[CAPTURES]


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


def observe(row: Ints, tables: Ints, scratch: Ints, seat: int, out: MutableSequence[float], at: int) -> int:
    """Write what a seat sees, rotated to it, in [0, 1]; open_observe.py names each index. Returns the length."""
    players, _tiles, pieces = tables[PLAYERS], tables[TILES], tables[PIECES]
    places = tables[HELD] + players
    end = at + players * places
    for index in range(at, end):
        out[index] = 0.0
    for turned in range(players):
        other = (seat + turned) % players
        for piece in range(pieces):
            node = int(row[slot(tables, other, piece)])
            out[at + turned * places + seen_at(tables, seat, node)] += 1.0 / pieces
    for turned in range(players):
        end = observe_seat(row, tables, seat, (seat + turned) % players, out, end)
    for kind in range(tables[KINDS]):
        out[end] = min(10, row[tables[R_POOL] + kind]) / 10
        end += 1
    out[end] = 1.0 if row[STAGE] == DECISION else 0.0
    out[end + 1] = row[AGAIN] / 2
    out[end + 2] = min(9, row[SIXES]) / 9
    out[end + 3] = min(9, row[ROLLS]) / 9
    out[end + 4] = row[REVERSED]
    out[end + 5] = row[TURNS] / 10_000
    out[end + 6] = tables[TEAMS]
    end += 7
    for card in range(tables[DECK]):
        out[end] = row[tables[R_DECK] + card] / tables[tables[T_CARDS] + card]
        end += 1
    for turned in range(players):
        end = observe_by_index(row, tables, (seat + turned) % players, out, end, places)
    return end - at


def seen_at(tables: Ints, seat: int, node: int) -> int:
    """A node as a seat counts them: path tiles from its entry tile, held pieces from itself as the captor."""
    if node < tables[TURNED]:
        return (node + tables[TURNED] - tables[tables[T_ENTRY] + seat]) % tables[TURNED]
    if node >= tables[HELD]:
        return tables[HELD] + (node - tables[HELD] + tables[PLAYERS] - seat) % tables[PLAYERS]
    return node


def observe_by_index(row: Ints, tables: Ints, seat: int, out: MutableSequence[float], end: int, places: int) -> int:
    """Which piece of a colour is which: where each one stands on its own way (0: in the yard)."""
    for piece in range(tables[PIECES]):
        node = int(row[slot(tables, seat, piece)])
        out[end] = 0.0 if node == tables[START] else (seen_at(tables, seat, node) + 1) / places
        end += 1
    return end


def observe_seat(row: Ints, tables: Ints, seat: int, other: int, out: MutableSequence[float], end: int) -> int:
    """What is counted for one colour."""
    out[end] = 1.0 if row[TURN] == other else 0.0
    out[end + 1] = row[tables[R_CAPTURES] + other] / max(1, tables[CAPTURE_CAP])
    out[end + 2] = row[tables[R_LOST] + other] / max(1, tables[LOST_CAP])
    out[end + 3] = row[tables[R_PLACE] + other] / tables[PLAYERS]
    out[end + 4] = row[tables[R_SKIP] + other] / 9
    out[end + 5] = min(1.0, row[tables[R_SCORE] + other] / max(1, tables[SCORE]))
    out[end + 6] = (row[ROLLOFF_IN] >> other) & 1
    out[end + 7] = row[tables[R_SUM] + other] / 2000
    end += 8
    for number in range(tables[CHANGES]):
        out[end] = (row[tables[R_CHANGED] + other] >> number) & 1
        end += 1
    return end


def observe_api(row: Ints, tables: Ints, scratch: Ints, seat: int, out: MutableSequence[float]) -> int:
    """Write what a seat sees; returns the length."""
    return observe(row, tables, scratch, seat, out, 0)
