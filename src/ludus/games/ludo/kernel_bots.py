"""What Ludo bots think of a move: `greedy`, the rules of `heuristic` (H1-H19), and the evaluation that search uses.

Numba subset, over whichever Ludo kernel (kernel_playing.py). A move is tried on a copy of the row, and what it did is
read from the two rows: every rule set's own ways to move, capture and jump are right here and stated elsewhere.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from math import exp

from ludus.core.kernels.calls import make_move, survey_row
from ludus.games.ludo import kernel as k
from ludus.games.ludo.kernel import (
    captured,
    distance_of,
    effect_of,
    is_step,
    mover,
    number_of,
    piece_of_action,
    player_count,
    row_size,
    set_total,
    side_of,
    slot,
)

Ints = MutableSequence[int]
Floats = MutableSequence[float]

GREEDY, HEURISTIC = 2, 3

# --- the rules of a move, in order (H1) ---
(
    WIN_MOVE,
    CAPTURE_MOVE,
    FLEE_MOVE,
    HOME_BASE_PROGRESS,
    BLOCKADE_CLUSTER,
    FORM_BLOCKADE_MOVE,
    GET_OUT_OF_HOME,
    STRATEGY,
) = range(8)
# --- their scores (H2-H8); STRATEGY adds bonuses instead (H9) ---
RULE_SCORE = (1_000_000, 50_000, 50_000, 10_000, 4_000, 3_500, 7_000, 0)
PROGRESS, STAR_JUMP, GLOBE_HOP, BALANCED_FRONT, SPLIT_BLOCKADE = 1_000, 5_500, 500, 350, 250
RISK_FACTOR, BLOCKADE_BREAK = 800, 500  # H14, H18
RISKY = 6  # tiles behind which an enemy is a risk (H14)

# --- phases (H10) ---
CRITICAL, OPENING, CLOSING, MIDGAME = range(4)

# --- notes: what a decision's candidates share, then what was found of the last candidate ---
(SEAT, PHASE, LEAST, RULE, ORIGIN, LANDING, BONUS, RISK, THREAT, SPLITS, TIMES_TEN, REPLACED, TOTAL) = range(13)


# ---------------------------------------------------------------- what bots read of a game

# --- the kinds of places ---
IN_YARD, ON_PATH, ON_END_PATH, AT_FINISH, HELD_AWAY = range(5)

INLINED = (
    "piece_count", "node_of", "moved_piece", "area", "is_goal", "is_enemy", "advance", "whole_way", "steps_behind",
    "is_safe_for", "is_globe", "is_star", "has_blocks", "may_block", "dice_total", "has_captured", "came_home",
)  # fmt: skip


def piece_count(tables: Ints) -> int:
    """Pieces of each colour."""
    return tables[k.PIECES]


def node_of(row: Ints, tables: Ints, seat: int, piece: int) -> int:
    """Where a piece stands."""
    return int(row[slot(tables, seat, piece)])


def moved_piece(row: Ints, tables: Ints, action: int) -> int:
    """Which piece an action moves; some piece where it moves none."""
    return piece_of_action(row, tables, action) % tables[k.PIECES]


def area(tables: Ints, node: int) -> int:
    """What kind of place a node is: IN_YARD, ON_PATH, ON_END_PATH, AT_FINISH or HELD_AWAY."""
    if node < tables[k.TILES]:
        return ON_PATH
    if node < tables[k.FINISH]:
        return ON_END_PATH
    if node == tables[k.FINISH]:
        return AT_FINISH
    return IN_YARD if node == tables[k.START] else HELD_AWAY


def is_goal(tables: Ints, node: int) -> bool:
    """Whether a piece on a node counts as brought home: at the finish, or on the end path where that is the goal."""
    return (tables[k.TILES] if tables[k.HOME_IS_LANE] else tables[k.FINISH]) <= node <= tables[k.FINISH]


def is_enemy(tables: Ints, seat: int, other: int) -> bool:
    """Whether two colours are on different sides."""
    return side_of(tables, seat) != side_of(tables, other)


def advance(tables: Ints, seat: int, node: int) -> int:
    """How far a colour's piece on a node has come: 0 in the yard, 1 on the entry tile, most at the finish."""
    return tables[tables[k.T_ADVANCE] + seat * tables[k.NODES] + node]


def whole_way(tables: Ints) -> int:
    """`advance` at the finish."""
    return tables[k.WHOLE_WAY]


def steps_behind(tables: Ints, other: int, node: int, tile: int) -> int:
    """How many tiles a colour's piece on a path node is behind a path tile: round the path where that is a ring (H14).

    Elsewhere, on the piece's own way; many where it is past the tile.
    """
    if tables[k.TURNED] > 0:
        return (tile - node) % tables[k.TURNED]
    steps = advance(tables, other, tile) - advance(tables, other, node)
    return steps if steps >= 0 else steps + tables[k.TILES] + tables[k.WHOLE_WAY] - 1


def is_globe(tables: Ints, node: int) -> bool:
    """Whether a path tile is a globe or safe tile: no colour is captured there (Z5, T5, F3).

    Where rules change during a game, tiles are read as they were at its beginning.
    """
    return node < tables[k.TILES] and tables[tables[k.T_BANK] + tables[k.B_GUARD] + node] > 0


def is_safe_for(tables: Ints, seat: int, node: int) -> bool:
    """Whether no piece of a colour is ever captured on a node because of what the node is (H16)."""
    if node >= tables[k.TILES] or is_globe(tables, node):
        return True
    return tables[tables[k.T_BANK] + k.O_ENTRY_RULE] != 0 and tables[tables[k.T_ENTRY] + seat] == node


def is_star(tables: Ints, seat: int, node: int) -> bool:
    """Whether a path tile has a star that jumps (T3)."""
    if tables[k.JUMPS] == 0:
        return False
    return tables[tables[k.T_BANK] + tables[k.B_JUMP] + seat * tables[k.TILES] + node] >= 0


def has_blocks(tables: Ints) -> bool:
    """Whether blocks stop anybody."""
    return tables[k.BLOCKS] != 0


def may_block(tables: Ints, node: int) -> bool:
    """Whether two pieces on a path tile can be a block."""
    if tables[k.BLOCKS] == 0:
        return False
    word = tables[tables[k.T_BANK] + tables[k.B_BLOCKABLE] + node // k.TILES_PER_WORD]
    return (word >> (node % k.TILES_PER_WORD)) & 1 != 0


def dice_total(row: Ints, tables: Ints, action: int) -> int:
    """The steps that an action's tokens give."""
    if not is_step(tables, action):
        return 0
    number = number_of(row, tables, action)
    if tables[k.SINGLE] == 0:
        return max(0, set_total(tables, number)) if node_of_step(row, tables, action) < tables[k.FINISH] else 0
    return 0 if number < 0 or effect_of(tables, number) != k.STEP else max(0, distance_of(tables, number))


def node_of_step(row: Ints, tables: Ints, action: int) -> int:
    """Where the piece of a step stands."""
    return node_of(row, tables, mover(row, tables), moved_piece(row, tables, action))


def has_captured(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether the way home is open to a colour (Z10)."""
    return tables[k.HOME_BIT] < 0 or (row[tables[k.R_CHANGED] + seat] >> tables[k.HOME_BIT]) & 1 != 0


def came_home(scratch: Ints) -> int:
    """How many pieces the last move brought home."""
    return scratch[k.HOMECOMING]


# ---------------------------------------------------------------- what all candidates share


def prepare(policy: int, row: Ints, tables: Ints, scratch: Ints, notes: Ints) -> None:
    """Note who moves, the phase (H10) and how far the least advanced piece in play has come (H9)."""
    seat = mover(row, tables)
    notes[SEAT] = seat
    if policy == HEURISTIC:
        notes[PHASE] = phase_of(row, tables, seat)
        notes[LEAST] = least_advanced(row, tables, seat)


def phase_of(row: Ints, tables: Ints, seat: int) -> int:
    """The phase of the game for a colour (H10)."""
    in_yard = 0
    far_on = 0
    critical = False
    for other in range(player_count(tables)):
        at_goal = 0
        for piece in range(piece_count(tables)):
            node = node_of(row, tables, other, piece)
            at_goal += is_goal(tables, node)
            if other == seat:
                where = area(tables, node)
                in_yard += where == IN_YARD
                far_on += where == ON_END_PATH or where == AT_FINISH
        critical |= at_goal >= 2 and is_enemy(tables, seat, other)
    if critical:
        return CRITICAL
    if in_yard >= 2:
        return OPENING
    return CLOSING if far_on >= 2 else MIDGAME


def least_advanced(row: Ints, tables: Ints, seat: int) -> int:
    """How far the least advanced piece in play has come."""
    least = whole_way(tables)
    for piece in range(piece_count(tables)):
        node = node_of(row, tables, seat, piece)
        where = area(tables, node)
        if where == ON_PATH or where == ON_END_PATH:
            least = min(least, advance(tables, seat, node))
    return least


# ---------------------------------------------------------------- what a move does


def try_move(row: Ints, tables: Ints, trial: Ints, spare: Ints, notes: Ints, action: int) -> None:
    """Play an action on the trial row, and note where the piece it moves comes from and lands."""
    for at in range(row_size(tables)):
        trial[at] = row[at]
    survey_row(trial, tables, spare)
    make_move(trial, tables, spare, action)
    seat = notes[SEAT]
    notes[ORIGIN] = -1
    notes[LANDING] = -1
    for piece in range(piece_count(tables)):
        before, after = node_of(row, tables, seat, piece), node_of(trial, tables, seat, piece)
        if before != after and notes[ORIGIN] < 0:
            notes[ORIGIN] = before
            notes[LANDING] = after
    if notes[ORIGIN] < 0:  # a bounce that ends where it began (T11), or no way out (T10)
        notes[ORIGIN] = notes[LANDING] = node_of(row, tables, seat, moved_piece(row, tables, action))


def count_at(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """How many pieces a colour has on a node."""
    count = 0
    for piece in range(piece_count(tables)):
        count += node_of(row, tables, seat, piece) == node
    return count


def side_at(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """How many pieces a colour and its teammates have on a node."""
    count = 0
    for other in range(player_count(tables)):
        if not is_enemy(tables, seat, other):
            count += count_at(row, tables, other, node)
    return count


def risk_on(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """The risk of a colour's piece on a node (H14-H16)."""
    if is_safe_for(tables, seat, node):
        return 0
    risk = 0
    for other in range(player_count(tables)):
        if not is_enemy(tables, seat, other):
            continue
        for piece in range(piece_count(tables)):
            enemy = node_of(row, tables, other, piece)
            if area(tables, enemy) == ON_PATH:
                steps = steps_behind(tables, other, enemy, node)
                if 1 <= steps <= RISKY:
                    risk += (7 - steps) * RISK_FACTOR
    return risk


def blocks_cluster(row: Ints, tables: Ints, seat: int, node: int) -> bool:
    """Whether two or more of one opponent are within reach behind a tile that the landing bars to them (H6)."""
    with_blocks = has_blocks(tables)
    if with_blocks and (not may_block(tables, node) or side_at(row, tables, seat, node) < 2):
        return False
    for other in range(player_count(tables)):
        if not is_enemy(tables, seat, other):
            continue
        near = 0
        nearest = RISKY + 1
        for piece in range(piece_count(tables)):
            enemy = node_of(row, tables, other, piece)
            if area(tables, enemy) == ON_PATH:
                steps = steps_behind(tables, other, enemy, node)
                if 1 <= steps <= RISKY:
                    near += 1
                    nearest = min(nearest, steps)
        if near >= 2 and (with_blocks or nearest == 1):
            return True
    return False


def rule_of(row: Ints, tables: Ints, trial: Ints, spare: Ints, notes: Ints) -> int:
    """The first rule that a tried move matches (H1-H8); a landing that sends the piece home matches none."""
    seat, origin, landing = notes[SEAT], notes[ORIGIN], notes[LANDING]
    if came_home(spare):
        return WIN_MOVE
    if captured(spare):
        return CAPTURE_MOVE
    start = area(tables, origin)
    end = area(tables, landing)
    if end == IN_YARD:  # the landing was punished, or a piece was bought back (F11)
        return STRATEGY
    if notes[THREAT] and notes[RISK] == 0:
        return FLEE_MOVE
    if end == ON_END_PATH:
        return HOME_BASE_PROGRESS
    if start == ON_PATH and is_safe_for(tables, seat, origin) and is_safe_for(tables, seat, landing):
        return HOME_BASE_PROGRESS
    if blocks_cluster(trial, tables, seat, landing):
        return BLOCKADE_CLUSTER
    if count_at(trial, tables, seat, landing) >= 2:
        return FORM_BLOCKADE_MOVE
    return GET_OUT_OF_HOME if start == IN_YARD else STRATEGY


def bonuses(row: Ints, tables: Ints, notes: Ints, action: int) -> int:
    """What STRATEGY adds (H9)."""
    seat, origin, landing = notes[SEAT], notes[ORIGIN], notes[LANDING]
    if area(tables, landing) == IN_YARD and area(tables, origin) != HELD_AWAY:
        return SPLIT_BLOCKADE if notes[SPLITS] else 0  # sent home: no progress
    bonus = PROGRESS
    if area(tables, landing) == ON_PATH:
        if is_star(tables, seat, landing) and area(tables, origin) == ON_PATH:
            far = steps_behind(tables, seat, origin, landing)
            bonus += STAR_JUMP if far > dice_total(row, tables, action) else 0
        bonus += GLOBE_HOP if is_globe(tables, landing) else 0
    where = area(tables, origin)
    if (where == ON_PATH or where == ON_END_PATH) and advance(tables, seat, origin) == notes[LEAST]:
        bonus += BALANCED_FRONT
    return bonus + (SPLIT_BLOCKADE if notes[SPLITS] else 0)


def tenfold(rule: int, phase: int) -> int:
    """The phase's multiplier of a rule, times ten (H11-H13)."""
    if phase == OPENING and rule == GET_OUT_OF_HOME:
        return 50
    if phase == CLOSING:
        return 50 if rule == HOME_BASE_PROGRESS else 20 if rule == WIN_MOVE else 10
    if phase == CRITICAL:
        return 15 if rule == CAPTURE_MOVE else 20 if rule == BLOCKADE_CLUSTER else 10
    return 10


def score(
    policy: int, option: int, row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints, action: int
) -> int:
    """How good a policy finds a legal action; `option` 1 is the heuristic's `literal` (H19)."""
    try_move(row, tables, trial, spare, notes, action)
    if policy == GREEDY:
        return advance(tables, notes[SEAT], notes[LANDING])
    return weigh(option, row, tables, trial, spare, notes, action)


def weigh(option: int, row: Ints, tables: Ints, trial: Ints, spare: Ints, notes: Ints, action: int) -> int:
    """The heuristic's score of a tried move (H17-H19); its parts stay in the notes (H24)."""
    seat, origin, landing = notes[SEAT], notes[ORIGIN], notes[LANDING]
    in_play = area(tables, origin) == ON_PATH
    notes[THREAT] = risk_on(row, tables, seat, origin) if in_play else 0
    notes[RISK] = risk_on(trial, tables, seat, landing)
    stacked = in_play or area(tables, origin) == ON_END_PATH
    notes[SPLITS] = stacked and landing != origin and count_at(row, tables, seat, origin) >= 2
    rule = rule_of(row, tables, trial, spare, notes)
    notes[RULE] = rule
    notes[TIMES_TEN] = tenfold(rule, notes[PHASE])
    notes[BONUS] = bonuses(row, tables, notes, action) if rule == STRATEGY else 0
    # H19: a threatened piece that does not flee; a win or a capture stands, unless the sentence is taken literally
    stays = notes[THREAT] > 0 and rule != FLEE_MOVE and (rule > FLEE_MOVE or option == 1)
    notes[REPLACED] = stays
    total = RULE_SCORE[rule] * notes[TIMES_TEN] // 10 + notes[BONUS] - notes[RISK]
    total -= BLOCKADE_BREAK if notes[SPLITS] else 0
    notes[TOTAL] = -notes[RISK] if stays else total
    return notes[TOTAL]


# ---------------------------------------------------------------- what a position is worth

# --- the evaluation, in steps on the way: set by self-play ---
OUT_OF_YARD, BROUGHT_HOME, WAY_HOME_OPEN = 12.0, 10.0, 25.0
CAUGHT_WITHIN, CAUGHT_FROM_AFAR = 0.16, 0.04  # chance of being caught by an enemy 1-6 and 7-12 tiles behind
STEEPNESS = 0.035  # how much a step's lead means


def danger_on(row: Ints, tables: Ints, seat: int, node: int) -> float:
    """About the chance that a colour's piece on a path tile is captured before it moves again."""
    if is_safe_for(tables, seat, node) or (has_blocks(tables) and count_at(row, tables, seat, node) >= 2):
        return 0.0
    stays = 1.0
    for other in range(player_count(tables)):
        if not is_enemy(tables, seat, other):
            continue
        for piece in range(piece_count(tables)):
            enemy = node_of(row, tables, other, piece)
            if area(tables, enemy) == ON_PATH:
                steps = steps_behind(tables, other, enemy, node)
                if 1 <= steps <= RISKY:
                    stays *= 1.0 - CAUGHT_WITHIN
                elif RISKY < steps <= 2 * RISKY:
                    stays *= 1.0 - CAUGHT_FROM_AFAR
    return 1.0 - stays


def strength(row: Ints, tables: Ints, seat: int) -> float:
    """How far a colour has come, in steps, less what it may lose."""
    total = 0.0
    for piece in range(piece_count(tables)):
        node = node_of(row, tables, seat, piece)
        where = area(tables, node)
        if where == AT_FINISH or is_goal(tables, node):
            total += BROUGHT_HOME
        if where == ON_PATH or where == ON_END_PATH or where == AT_FINISH:
            worth = OUT_OF_YARD + advance(tables, seat, node)
            if where == ON_PATH:
                worth *= 1.0 - danger_on(row, tables, seat, node)
            total += worth
    return total + (WAY_HOME_OPEN if has_captured(row, tables, seat) else 0.0)


def evaluate(row: Ints, tables: Ints, scratch: Ints, notes: Ints, values: Floats, at: int) -> None:
    """Each seat's share of the hopes: sides by strength, teammates alike."""
    players = player_count(tables)
    for seat in range(players):
        values[at + seat] = strength(row, tables, seat)
    highest = 0.0
    for seat in range(players):
        for other in range(seat):
            if not is_enemy(tables, seat, other):  # a side is as strong as its members together
                values[at + seat] = values[at + other] = values[at + seat] + values[at + other]
        highest = max(highest, values[at + seat])
    total = 0.0
    for seat in range(players):
        values[at + seat] = exp(STEEPNESS * (values[at + seat] - highest))
        total += values[at + seat]
    for seat in range(players):
        values[at + seat] /= total
