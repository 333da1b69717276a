"""What Generals bots think of a move and of a position, in the kernel language, over kernel.py.

`heuristic` takes a weighted sum of what a position shows (`look_over`), made a chance to win by a logistic curve.
Search has a value of its own (`promise`): a small net over the same and over where the units stand, learnt from games
(bench/fit_generals_value.py). Each role has weights of its own, for positions in which it has just moved.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from math import exp

from ludus.core.compiling.language import Ints
from ludus.core.kernels.calls import list_moves, make_move, set_chance, survey_row
from ludus.core.kernels.codes import CHANCE, DECISION, GREEDY, OVER, STAGE, TURN
from ludus.games.generals.kernel import (
    A_GARRISON,
    ALL,
    ATTACKER,
    ATTACKS,
    CAPTURES,
    CELL,
    CONVERT,
    DEFENDS,
    DIE,
    DIRECTIONS,
    FRESH,
    GARRISON_A,
    GARRISON_B,
    GARRISONED,
    GENERAL_FALLS,
    GENERAL_HI,
    GENERAL_LO,
    HALF,
    HITS,
    INTERCEPT,
    MOAT_HI,
    MOAT_LO,
    NOT_FIRST,
    NOT_LAST,
    PHASE,
    QUIET,
    ROW_SIZE,
    S_LIST,
    S_MOVES,
    S_REACH,
    S_SET,
    STRIDE,
    STRUCK,
    T_MOAT,
    WIDTH,
    back,
    convertible,
    nth,
    on,
    reach_diagonally,
    role_of,
    size,
    winner,
)

Floats = MutableSequence[float]

SCALE = 1_000_000
S_HIDDEN = S_LIST + 12  # of the scratch: the net's hidden sums, after what is swept
S_SWEPT = S_LIST  # of the scratch: cells reached, two words for each face; the list is written anew where it is read


# zones of cells by how far they are from the General, one to four: those beside its lines, then those in line with it
def _ring(cell: int) -> int:
    return max(4 - cell // WIDTH, cell // WIDTH - 5, 4 - cell % WIDTH, cell % WIDTH - 5, 0)


def _zone(number: int, first: int) -> int:
    in_line = {cell for cell in range(2 * HALF) if cell // WIDTH in (4, 5) or cell % WIDTH in (4, 5)}
    cells = (c for c in range(first, first + HALF) if _ring(c) == 1 + number // 2 and (c in in_line) == number % 2)
    return sum(1 << (cell - first) for cell in cells)


ZONES = 8
ZONE_LO = tuple(_zone(number, 0) for number in range(ZONES))
ZONE_HI = tuple(_zone(number, HALF) for number in range(ZONES))

# --- what a position shows ---
(
    ALWAYS, ATTACKERS, DEFENDERS, TWO_ATTACKERS, FOUR_ATTACKERS, TWO_DEFENDERS, UNGUARDED, GUARDED_TWICE,
    ONE_HIT, TWO_HITS, A_GARRISON_LEFT, D_GARRISON_LEFT, STRIKE_LEFT, QUIETNESS,
) = range(14)  # fmt: skip
A_ZONE = 14
D_ZONE = A_ZONE + ZONES
(
    HOME_LEFT, HOME_RIGHT, AT_HOME,
    HITS_OPEN, LINES_OPEN, HITS_ONE_GUARD, HITS_GUARDED, LINES_GUARDED, A_KILLS, D_KILLS, D_CONVERTS, D_ENTERS,
    A_THREATENED, D_THREATENED, GUARDS_THREATENED,
    AHEAD, LAST_HIT_OPEN, OPEN_ENTERS,
    FEATURES,
) = range(D_ZONE + ZONES, D_ZONE + ZONES + 19)  # fmt: skip

# --- what each is worth to the attacker, in logits: as the attacker sees it, and as the defender does ---
# found as bench/fit_generals.py does it
WEIGHTS = (
    (
        -3.0, 0.801, -0.588, -0.1, -0.185, -0.02, 0.043, 0.004, 1.582, 3.272,
        0.143, -0.231, 0.024, -0.006,
        0.041, -0.125, 0.102, 0.065, 0.085, -0.039, 0.034, 0.058,
        0.205, 0.1, -0.058, -0.172, 0.021, -0.02, -0.11, -0.063,
        0.085, 0.023, -0.238,
        0.138, 0.041, -0.028, 0.012, 0.06, -0.044, -0.104, -0.294, 0.044, -0.07, 0.01, -0.201,
        0.341, 0.424, -0.089,
    ),
    (
        -1.781, 0.252, -0.202, -0.591, -0.335, 0.275, 0.408, -0.371, 0.964, 2.67,
        0.137, -0.078, -0.184, -0.004,
        0.095, 0.246, 0.123, 0.205, 0.212, 0.357, 0.313, 0.397,
        -0.449, -0.349, -0.44, -0.324, -0.294, 0.041, -0.163, -0.21,
        0.205, 0.152, -0.204,
        -0.058, 0.035, 0.088, 0.104, -0.054, 0.047, 0.047, -0.038, -0.123, 0.08, -0.209, 0.318,
        0.333, 1.062, -0.0,
    ),
)  # fmt: skip


# --- the net of search: whole numbers in 65,536ths after the rules' tables, the attacker's, then the defender's ---
HIDDEN = 32
SIDE_CELLS = 50  # left and right are alike: a cell and its mirror image are one input
NET_INPUTS = 2 * SIDE_CELLS + FEATURES
(NET_BIAS, NET_OUT, NET_STRAIGHT, NET_LAST) = (
    NET_INPUTS * HIDDEN,
    (NET_INPUTS + 1) * HIDDEN,
    (NET_INPUTS + 2) * HIDDEN,
    (NET_INPUTS + 2) * HIDDEN + NET_INPUTS,
)
NET_SIZE = NET_LAST + 1
UNIT = 65536
MOAT_CELLS = 12


def prepare(policy: int, row: Ints, tables: Ints, scratch: Ints, notes: Ints) -> None:
    """Nothing is shared by all candidates but who moves."""
    notes[0] = row[TURN]


def sweep(scratch: Ints, role: int) -> int:
    """Where a role's units get with each face: two words a face at scratch[S_SWEPT…]; returns lines to the General."""
    lo, hi = scratch[S_SET + 2 * role], scratch[S_SET + 2 * role + 1]
    open_lo = ALL & ~(scratch[S_SET] | scratch[S_SET + 2] | GENERAL_LO)
    open_hi = ALL & ~(scratch[S_SET + 1] | scratch[S_SET + 3] | GENERAL_HI)
    up_lo, up_hi, down_lo, down_hi = lo, hi, lo, hi
    right_lo, right_hi, left_lo, left_hi = lo, hi, lo, hi
    lines = 0
    for face in range(6):
        up_lo, up_hi = back(up_lo, up_hi, 10), up_hi >> 10
        down_hi, down_lo = on(down_lo, down_hi, 10) & ALL, (down_lo << 10) & ALL
        right_lo, right_hi = (right_lo << 1) & NOT_FIRST, (right_hi << 1) & NOT_FIRST
        left_lo, left_hi = (left_lo >> 1) & NOT_LAST, (left_hi >> 1) & NOT_LAST
        scratch[S_SWEPT + 2 * face] = up_lo | down_lo | right_lo | left_lo
        scratch[S_SWEPT + 2 * face + 1] = up_hi | down_hi | right_hi | left_hi
        if (scratch[S_SWEPT + 2 * face] & GENERAL_LO) | (scratch[S_SWEPT + 2 * face + 1] & GENERAL_HI):
            lines += size(up_lo & GENERAL_LO, up_hi & GENERAL_HI) + size(down_lo & GENERAL_LO, down_hi & GENERAL_HI)
            lines += size(right_lo & GENERAL_LO, right_hi & GENERAL_HI)
            lines += size(left_lo & GENERAL_LO, left_hi & GENERAL_HI)
        up_lo, up_hi, down_lo, down_hi = up_lo & open_lo, up_hi & open_hi, down_lo & open_lo, down_hi & open_hi
        right_lo, right_hi, left_lo, left_hi = (
            right_lo & open_lo,
            right_hi & open_hi,
            left_lo & open_lo,
            left_hi & open_hi,
        )
    return lines


def sweep_diagonals(scratch: Ints, role: int) -> int:
    """The same for the diagonals, added to what stands there; returns their lines to the General."""
    lines = 0
    for face in range(6):
        reach_diagonally(scratch, role, ALL, ALL, face + 1)
        for way in range(4, 8):
            lo, hi = scratch[S_REACH + 2 * way], scratch[S_REACH + 2 * way + 1]
            lines += size(lo & GENERAL_LO, hi & GENERAL_HI)
            scratch[S_SWEPT + 2 * face] |= lo
            scratch[S_SWEPT + 2 * face + 1] |= hi
    return lines


def faces_into(scratch: Ints, lo: int, hi: int) -> int:
    """With how many faces the units swept last get into a set of cells."""
    count = 0
    for at in range(S_SWEPT, S_SWEPT + 12, 2):
        count += (scratch[at] & lo) | (scratch[at + 1] & hi) != 0
    return count


def met(scratch: Ints, half: int) -> int:
    """A word of all cells that the units swept last get to, with whatever face."""
    word = 0
    for at in range(S_SWEPT + half, S_SWEPT + 12, 2):
        word |= scratch[at]
    return word


def look_over(row: Ints, tables: Ints, scratch: Ints, notes: Ints) -> None:
    """What a position shows, at notes[…]; the scratch's reach is written over."""
    a_lo, a_hi, d_lo, d_hi = scratch[S_SET], scratch[S_SET + 1], scratch[S_SET + 2], scratch[S_SET + 3]
    attackers, defenders = size(a_lo, a_hi), size(d_lo, d_hi)
    guards = size(d_lo & MOAT_LO, d_hi & MOAT_HI)
    notes[ALWAYS] = 1
    notes[ATTACKERS] = attackers
    notes[DEFENDERS] = defenders
    notes[TWO_ATTACKERS] = attackers <= 2
    notes[FOUR_ATTACKERS] = attackers <= 4
    notes[TWO_DEFENDERS] = defenders <= 2
    notes[UNGUARDED] = guards == 0
    notes[GUARDED_TWICE] = guards >= 2
    notes[ONE_HIT] = row[HITS] == 1
    notes[TWO_HITS] = row[HITS] >= 2
    notes[A_GARRISON_LEFT] = 1 - ((row[GARRISONED] >> ATTACKS) & 1)
    notes[D_GARRISON_LEFT] = 1 - ((row[GARRISONED] >> DEFENDS) & 1)
    notes[STRIKE_LEFT] = 1 - row[STRUCK]
    notes[QUIETNESS] = row[QUIET]
    for zone in range(ZONES):
        notes[A_ZONE + zone] = size(a_lo & ZONE_LO[zone], a_hi & ZONE_HI[zone])
        notes[D_ZONE + zone] = size(d_lo & ZONE_LO[zone], d_hi & ZONE_HI[zone])
    notes[HOME_LEFT] = a_lo & GARRISON_A != 0
    notes[HOME_RIGHT] = a_lo & GARRISON_B != 0
    notes[AT_HOME] = size(a_lo & (GARRISON_A | GARRISON_B), 0)
    notes[AHEAD] = attackers - (GENERAL_FALLS - row[HITS]) > defenders
    look_at_attackers(tables, scratch, notes, guards)
    look_at_defenders(tables, scratch, notes, guards)
    scratch[FRESH] = 0


def look_at_attackers(tables: Ints, scratch: Ints, notes: Ints, guards: int) -> None:
    """What the attacker's units can do with each face: attack the General, kill."""
    d_lo, d_hi = scratch[S_SET + 2], scratch[S_SET + 3]
    lines = sweep(scratch, ATTACKS)
    if tables[DIRECTIONS] == 8:
        lines += sweep_diagonals(scratch, ATTACKS)
    faces = faces_into(scratch, GENERAL_LO, GENERAL_HI)
    notes[HITS_OPEN] = faces if guards == 0 else 0
    notes[LINES_OPEN] = lines if guards == 0 else 0
    notes[HITS_ONE_GUARD] = faces if guards == 1 else 0
    notes[HITS_GUARDED] = faces if guards > 1 else 0
    notes[LINES_GUARDED] = lines if guards else 0
    notes[LAST_HIT_OPEN] = notes[TWO_HITS] * notes[HITS_OPEN]
    notes[A_KILLS] = faces_into(scratch, d_lo, d_hi)
    met_lo, met_hi = met(scratch, 0) & d_lo, met(scratch, 1) & d_hi
    notes[D_THREATENED] = size(met_lo, met_hi)
    notes[GUARDS_THREATENED] = size(met_lo & MOAT_LO, met_hi & MOAT_HI)


def look_at_defenders(tables: Ints, scratch: Ints, notes: Ints, guards: int) -> None:
    """What the defender's units can do with each face: kill, convert, enter the moat."""
    a_lo, a_hi, d_lo, d_hi = scratch[S_SET], scratch[S_SET + 1], scratch[S_SET + 2], scratch[S_SET + 3]
    sweep(scratch, DEFENDS)
    if tables[DIRECTIONS] == 8:
        sweep_diagonals(scratch, DEFENDS)
    homes = (GARRISON_A if a_lo & GARRISON_A else 0) | (GARRISON_B if a_lo & GARRISON_B else 0)
    notes[D_KILLS] = faces_into(scratch, a_lo, a_hi)
    notes[D_CONVERTS] = faces_into(scratch, homes & ~d_lo, 0)
    notes[D_ENTERS] = faces_into(scratch, MOAT_LO & ~d_lo, MOAT_HI & ~d_hi)
    notes[OPEN_ENTERS] = notes[D_ENTERS] if guards == 0 else 0
    notes[A_THREATENED] = size(met(scratch, 0) & a_lo, met(scratch, 1) & a_hi)


def hope(row: Ints, tables: Ints, scratch: Ints, notes: Ints, role: int) -> float:
    """The attacker's chance to win a game that goes on, as a role sees it."""
    look_over(row, tables, scratch, notes)
    total = 0.0
    for number in range(FEATURES):
        total += WEIGHTS[role][number] * notes[number]
    return 1.0 / (1.0 + exp(-total))


def feed(tables: Ints, scratch: Ints, net: int, number: int, times: int) -> int:
    """Add an input of the net to its hidden sums; returns what it adds to the outcome straight."""
    at = net + number * HIDDEN
    for unit in range(HIDDEN):
        scratch[S_HIDDEN + unit] += times * tables[at + unit]
    return times * tables[net + NET_STRAIGHT + number]


def promise(row: Ints, tables: Ints, scratch: Ints, notes: Ints, role: int) -> float:
    """The attacker's chance to win after a move of `role`, by the net."""
    look_over(row, tables, scratch, notes)
    net = tables[T_MOAT] + MOAT_CELLS + role * NET_SIZE
    for unit in range(HIDDEN):
        scratch[S_HIDDEN + unit] = tables[net + NET_BIAS + unit]
    total = tables[net + NET_LAST]
    for half in range(4):
        word = scratch[S_SET + half]
        while word:
            cell = size((word & -word) - 1, 0) + HALF * (half & 1)
            word &= word - 1
            column = cell % WIDTH
            number = SIDE_CELLS * (half >> 1) + 5 * (cell // WIDTH) + min(column, WIDTH - 1 - column)
            total += feed(tables, scratch, net, number, 1)
    for number in range(FEATURES):
        if notes[number]:
            total += feed(tables, scratch, net, 2 * SIDE_CELLS + number, notes[number])
    total *= UNIT
    for unit in range(HIDDEN):
        total += max(scratch[S_HIDDEN + unit], 0) * tables[net + NET_OUT + unit]
    return 1.0 / (1.0 + exp(-total / (UNIT * UNIT)))


def evaluate(row: Ints, tables: Ints, scratch: Ints, notes: Ints, values: Floats, at: int) -> None:
    """Each seat's chance to win, by the net; even while the roles are not chosen."""
    values[at] = values[at + 1] = 0.5
    if row[ATTACKER] < 0:
        return
    decider = role_of(row, row[TURN])
    lo, hi, first, second = scratch[S_SET], scratch[S_SET + 1], scratch[S_SET + 2], scratch[S_SET + 3]
    moved, quiet = 1 - decider, row[QUIET]
    if row[PHASE] == INTERCEPT or row[PHASE] == CONVERT:  # G22: both are progress
        row[QUIET] = 0
    if row[PHASE] == INTERCEPT:  # G18: the attacking unit and the first guard go
        moved = ATTACKS
        drop(scratch, ATTACKS, row[CELL])
        drop(scratch, DEFENDS, nth(first & MOAT_LO, second & MOAT_HI, 0))
    elif row[PHASE] == CONVERT:  # G27: the first unit there changes sides
        moved = DEFENDS
        cell = nth(convertible(row, tables, scratch, row[CELL]), 0, 0)
        scratch[S_SET + 2] |= 1 << cell
        drop(scratch, ATTACKS, cell)
    chances = promise(row, tables, scratch, notes, moved)
    scratch[S_SET], scratch[S_SET + 1], scratch[S_SET + 2], scratch[S_SET + 3] = lo, hi, first, second
    row[QUIET] = quiet
    values[at + row[ATTACKER]] = chances
    values[at + 1 - row[ATTACKER]] = 1.0 - chances


def drop(scratch: Ints, role: int, cell: int) -> None:
    """Take a unit out of the sets of units, not off the board."""
    half = cell // HALF
    scratch[S_SET + 2 * role + half] &= ~(1 << (cell - HALF * half))


def settle(trial: Ints, tables: Ints, spare: Ints) -> None:
    """After a tried move: an interception and a conversion that it brought, the first that comes (G18, G27)."""
    if trial[STAGE] == CHANCE and trial[PHASE] == INTERCEPT:
        set_chance(trial, tables, spare, 0)
    elif trial[STAGE] == DECISION and trial[PHASE] == CONVERT:
        list_moves(trial, tables, spare)
        make_move(trial, tables, spare, spare[S_MOVES])


def score(
    policy: int, option: int, row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints, action: int
) -> int:
    """How good a policy finds a legal action: the chance to win after it, in millionths; `greedy` looks at less."""
    if row[ATTACKER] < 0:  # G6: the choice of a role: the defender's, which wins more
        return action
    for at in range(ROW_SIZE):
        trial[at] = row[at]
    survey_row(trial, tables, spare)
    make_move(trial, tables, spare, action)
    if policy == GREEDY:
        return greed(row, tables, trial, spare, action)
    role = role_of(row, row[TURN])
    settle(trial, tables, spare)
    if trial[STAGE] == OVER:
        won = winner(trial, tables, spare)
        return SCALE // 2 if won < 0 else 2 * SCALE if won == row[TURN] else -SCALE
    chances = hope(trial, tables, spare, notes, role)
    return int(SCALE * (chances if role == ATTACKS else 1.0 - chances))


def greed(row: Ints, tables: Ints, trial: Ints, spare: Ints, action: int) -> int:
    """Attack, else kill or convert, else go nearest to the General."""
    if trial[HITS] > row[HITS] or trial[PHASE] == INTERCEPT:
        return 1000
    if spare[CAPTURES] or trial[PHASE] == CONVERT:
        return 500
    if action >= tables[A_GARRISON]:
        return 0
    target = action % 100 + row[DIE] * STRIDE[action // 100]
    line, column = target // WIDTH, target % WIDTH
    return 100 - max(4 - line, line - 5, 0) - max(4 - column, column - 5, 0)
