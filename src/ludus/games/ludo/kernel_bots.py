"""What Ludo bots think of a move: `greedy`, the rules of `heuristic` (H1-H19), and the evaluation that search uses.

In the kernel language (docs/kernels.md). A move is tried on a copy of the row, and what it did is read from the events
that the kernel tells: every rule set's own ways to move, capture and jump are right here and stated elsewhere.
"""

from __future__ import annotations

from math import exp

from ludus.core.compiling.language import Floats, Ints
from ludus.core.kernels.calls import make_move
from ludus.core.kernels.codes import GREEDY, HEURISTIC
from ludus.games.ludo import kernel as k
from ludus.games.ludo.kernel import (
    advance_of,
    bank_of,
    blockable,
    changed_slot,
    count_on,
    enemy_bits,
    event_part,
    home_count,
    jump_from,
    mover,
    occupancy,
    player_count,
    row_size,
    shelter_of,
    side_of,
    slot,
)

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
(
    SEAT, PHASE, LEAST, OWNER, ORIGIN, LANDING, JUMPED, TOOK, FINISHED,
    RULE, BONUS, RISK, THREAT, SPLITS, TIMES_TEN, REPLACED, TOTAL,
) = range(17)  # fmt: skip


# ---------------------------------------------------------------- what bots read of a game

# --- the kinds of places ---
IN_YARD, ON_PATH, ON_END_PATH, AT_FINISH, HELD_AWAY = range(5)

INLINED = (
    "piece_count", "node_of", "area", "is_goal", "is_enemy", "whole_way", "steps_behind",
    "enemies_behind", "worst_guard", "is_safe_for", "is_globe", "is_star", "is_stopped", "is_barred", "has_captured",
)  # fmt: skip


def piece_count(tables: Ints) -> int:
    """Pieces of each colour."""
    return tables[k.PIECES]


def node_of(row: Ints, tables: Ints, seat: int, piece: int) -> int:
    """Where a piece stands."""
    return int(row[slot(tables, seat, piece)])


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


def whole_way(tables: Ints) -> int:
    """`advance_of` at the finish."""
    return tables[k.WHOLE_WAY]


def steps_behind(tables: Ints, other: int, node: int, tile: int) -> int:
    """How many tiles a colour's piece on a path node is behind a path tile: round the path where that is a ring (H14).

    Elsewhere, on the piece's own way; many where it is past the tile.
    """
    if tables[k.TURNED] > 0:
        return (tile - node) % tables[k.TURNED]
    steps = advance_of(tables, other, tile) - advance_of(tables, other, node)
    return steps if steps >= 0 else steps + tables[k.TILES] + tables[k.WHOLE_WAY] - 1


def worst_guard(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """What protects a colour on a path tile from the enemy from whom it protects least: 1 globe, -1 entry tile, or 0.

    Each enemy captures by the rules that hold for it; where they never change, one enemy's stand for all.
    """
    worst = 1
    for other in range(player_count(tables)):
        if is_enemy(tables, seat, other):
            shelter = shelter_of(tables, bank_of(row, tables, other), other, seat, node)
            if shelter != k.SHELTERED:
                worst = min(worst, -1) if shelter == k.SHELTERED_AT_HOME else 0
            if worst == 0 or tables[k.CHANGES] == 0:
                return worst
    return worst


def is_globe(row: Ints, tables: Ints, seat: int, node: int) -> bool:
    """Whether a path tile is a globe or safe tile: a colour is captured there by nobody (Z5, T5, F3)."""
    return node < tables[k.TILES] and worst_guard(row, tables, seat, node) > 0


def is_safe_for(row: Ints, tables: Ints, seat: int, node: int) -> bool:
    """Whether no piece of a colour is captured on a node because of what the node is (H16)."""
    return node >= tables[k.TILES] or worst_guard(row, tables, seat, node) != 0


def is_star(row: Ints, tables: Ints, seat: int, node: int) -> bool:
    """Whether a path tile has a star that jumps (T3)."""
    return tables[k.JUMPS] != 0 and jump_from(tables, bank_of(row, tables, seat), seat, node) >= 0


def is_stopped(row: Ints, tables: Ints, other: int) -> bool:
    """Whether blocks stop a colour, and it does not capture them."""
    return tables[bank_of(row, tables, other) + k.O_STOPS] != 0


def is_barred(row: Ints, tables: Ints, other: int, node: int) -> bool:
    """Whether two pieces on a path tile are a block for a colour."""
    word = blockable(tables, bank_of(row, tables, other), node // k.TILES_PER_WORD)
    return (word >> (node % k.TILES_PER_WORD)) & 1 != 0


def has_captured(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether the way home is open to a colour (Z10)."""
    return tables[k.HOME_BIT] < 0 or (row[changed_slot(tables, seat)] >> tables[k.HOME_BIT]) & 1 != 0


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
    for other in range(player_count(tables)):
        if is_enemy(tables, seat, other) and home_count(row, tables, other) >= 2:
            return CRITICAL
    if count_on(row, tables, seat, tables[k.START]) >= 2:
        return OPENING
    far_on = 0
    for piece in range(piece_count(tables)):
        far_on += tables[k.TILES] <= node_of(row, tables, seat, piece) <= tables[k.FINISH]
    return CLOSING if far_on >= 2 else MIDGAME


def least_advanced(row: Ints, tables: Ints, seat: int) -> int:
    """How far the least advanced piece in play has come."""
    least = whole_way(tables)
    for piece in range(piece_count(tables)):
        node = node_of(row, tables, seat, piece)
        where = area(tables, node)
        if where == ON_PATH or where == ON_END_PATH:
            least = min(least, advance_of(tables, seat, node))
    return least


# ---------------------------------------------------------------- what a move does


def try_move(row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints, action: int) -> None:
    """Play an action on the trial row, and note what happened."""
    for at in range(row_size(tables)):
        trial[at] = row[at]
    for at in range(k.S_OCC, tables[k.S_STOP]):  # what a scan of the row would find
        spare[at] = scratch[at]
    spare[k.EVENTS] = 0
    spare[k.TELLING] = 1
    make_move(trial, tables, spare, action)
    spare[k.TELLING] = 0
    read_events(tables, trial, spare, notes)


def read_events(tables: Ints, trial: Ints, spare: Ints, notes: Ints) -> None:
    """Note which piece of the mover's side the events move first: whose, whence, where it is now; and what came of it.

    Where they move none (a pass, an enemy's piece) it is as if one stayed in its yard.
    """
    owner = notes[SEAT]
    origin = -1
    landing = tables[k.START]
    jumped = 0
    took = 0
    finished = 0
    for number in range(spare[k.EVENTS]):
        what = event_part(tables, spare, number, k.WHAT)
        whose = event_part(tables, spare, number, k.WHOSE)
        if is_enemy(tables, notes[SEAT], whose):
            took += what == k.E_CAPTURED
        elif what == k.E_JUMPED:
            jumped = 1
        elif what == k.E_CAME_HOME:
            finished = 1
        elif origin < 0 and (what <= k.E_BOUGHT or what == k.E_SWAPPED):
            origin = event_part(tables, spare, number, k.WHENCE)
            landing = node_of(trial, tables, whose, event_part(tables, spare, number, k.WHICH))
            owner = whose
    notes[OWNER] = owner
    notes[ORIGIN] = origin if origin >= 0 else landing
    notes[LANDING] = landing
    notes[JUMPED] = jumped
    notes[TOOK] = took
    notes[FINISHED] = finished


def enemies_behind(row: Ints, tables: Ints, scratch: Ints, seat: int, node: int, steps: int) -> int:
    """How many enemies stand some steps behind a tile of a ring: the occupancy has four bits for each side."""
    tile = node - steps if node >= steps else node - steps + tables[k.TURNED]
    sides = occupancy(row, tables, scratch, tile) & enemy_bits(tables, seat)
    pairs = (sides & 0x0F0F0F0F) + ((sides >> 4) & 0x0F0F0F0F)
    return ((pairs * 0x01010101) >> 24) & 0xFF


def risk_on(row: Ints, tables: Ints, scratch: Ints, seat: int, node: int) -> int:
    """The risk of a colour's piece on a node (H14-H16)."""
    if is_safe_for(row, tables, seat, node):
        return 0
    risk = 0
    if tables[k.TURNED]:
        for steps in range(1, min(RISKY, tables[k.TURNED] - 1) + 1):
            risk += (7 - steps) * enemies_behind(row, tables, scratch, seat, node, steps)
        return risk * RISK_FACTOR
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


def blocks_cluster(row: Ints, tables: Ints, scratch: Ints, seat: int, node: int) -> bool:
    """Whether two or more of one opponent are within reach behind a tile that the landing bars to them (H6)."""
    own = 0
    if tables[k.BLOCKS]:
        own = (occupancy(row, tables, scratch, node) >> (4 * side_of(tables, seat))) & 15
        if own < 2 and tables[k.CHANGES] == 0:
            return False
    if tables[k.TURNED]:
        near = 0
        for steps in range(1, min(RISKY, tables[k.TURNED] - 1) + 1):
            near += enemies_behind(row, tables, scratch, seat, node, steps)
        if near < 2:
            return False
    for other in range(player_count(tables)):
        if is_enemy(tables, seat, other):
            stopped = is_stopped(row, tables, other)
            if stopped and (own < 2 or not is_barred(row, tables, other, node)):
                continue
            if is_cluster(row, tables, other, node, not stopped):
                return True
    return False


def is_cluster(row: Ints, tables: Ints, other: int, node: int, right_behind: bool) -> bool:
    """Whether two or more pieces of a colour are within reach behind a tile, and one right behind it if asked for."""
    near = 0
    nearest = RISKY + 1
    for piece in range(piece_count(tables)):
        enemy = node_of(row, tables, other, piece)
        if area(tables, enemy) == ON_PATH:
            steps = steps_behind(tables, other, enemy, node)
            if 1 <= steps <= RISKY:
                near += 1
                nearest = min(nearest, steps)
    return near >= 2 and (not right_behind or nearest == 1)


def rule_of(tables: Ints, trial: Ints, spare: Ints, notes: Ints) -> int:
    """The first rule that a tried move matches (H1-H8); a landing that sends the piece home matches none."""
    owner, origin, landing = notes[OWNER], notes[ORIGIN], notes[LANDING]
    if notes[FINISHED]:
        return WIN_MOVE
    if notes[TOOK]:
        return CAPTURE_MOVE
    start = area(tables, origin)
    end = area(tables, landing)
    if end == IN_YARD:  # the landing was punished, or a piece was bought back (F11)
        return STRATEGY
    if notes[THREAT] and notes[RISK] == 0:
        return FLEE_MOVE
    if end == ON_END_PATH:
        return HOME_BASE_PROGRESS
    if start == ON_PATH and is_safe_for(trial, tables, owner, origin) and is_safe_for(trial, tables, owner, landing):
        return HOME_BASE_PROGRESS
    if blocks_cluster(trial, tables, spare, owner, landing):
        return BLOCKADE_CLUSTER
    if count_on(trial, tables, owner, landing) >= 2:
        return FORM_BLOCKADE_MOVE
    return GET_OUT_OF_HOME if start == IN_YARD else STRATEGY


def bonuses(tables: Ints, trial: Ints, notes: Ints) -> int:
    """What STRATEGY adds (H9)."""
    owner, origin, landing = notes[OWNER], notes[ORIGIN], notes[LANDING]
    if area(tables, landing) == IN_YARD and area(tables, origin) != HELD_AWAY:
        return SPLIT_BLOCKADE if notes[SPLITS] else 0  # sent home: no progress
    bonus = PROGRESS
    if area(tables, landing) == ON_PATH:
        if notes[JUMPED] and area(tables, origin) == ON_PATH and is_star(trial, tables, owner, landing):
            bonus += STAR_JUMP
        bonus += GLOBE_HOP if is_globe(trial, tables, owner, landing) else 0
    where = area(tables, origin)
    if (where == ON_PATH or where == ON_END_PATH) and advance_of(tables, owner, origin) == notes[LEAST]:
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
    try_move(row, tables, scratch, trial, spare, notes, action)
    if policy == GREEDY:
        return advance_of(tables, notes[OWNER], notes[LANDING])
    return weigh(option, row, tables, scratch, trial, spare, notes)


def weigh(option: int, row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints) -> int:
    """The heuristic's score of a tried move (H17-H19); its parts stay in the notes (H24)."""
    owner, origin, landing = notes[OWNER], notes[ORIGIN], notes[LANDING]
    in_play = area(tables, origin) == ON_PATH
    notes[THREAT] = risk_on(row, tables, scratch, owner, origin) if in_play else 0
    notes[RISK] = risk_on(trial, tables, spare, owner, landing)
    stacked = in_play or area(tables, origin) == ON_END_PATH
    notes[SPLITS] = stacked and landing != origin and count_on(row, tables, owner, origin) >= 2
    rule = rule_of(tables, trial, spare, notes)
    notes[RULE] = rule
    notes[TIMES_TEN] = tenfold(rule, notes[PHASE])
    notes[BONUS] = bonuses(tables, trial, notes) if rule == STRATEGY else 0
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
    if is_safe_for(row, tables, seat, node):
        return 0.0
    paired = count_on(row, tables, seat, node) >= 2
    stays = 1.0
    for other in range(player_count(tables)):
        if not is_enemy(tables, seat, other) or (paired and is_stopped(row, tables, other)):
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
            worth = OUT_OF_YARD + advance_of(tables, seat, node)
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
