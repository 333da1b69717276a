"""What Generals bots think of a move and of a position: Numba subset, over kernel.py.

The evaluation is a weighted sum of what a position shows (`look_over`), made a chance to win by a logistic curve. The
weights of each role were set by games against itself: changes that won more games were kept.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from math import exp

from ludus.core.kernel_calls import list_moves, make_move, set_chance, survey_row
from ludus.games.generals.kernel import (
    A_GARRISON,
    ALL,
    ATTACKER,
    ATTACKS,
    CAPTURES,
    CHANCE,
    CONVERT,
    DECISION,
    DEFENDS,
    DIE,
    DIRECTIONS,
    FRESH,
    GARRISON_A,
    GARRISON_B,
    GARRISONED,
    GENERAL_HI,
    GENERAL_LO,
    HITS,
    INTERCEPT,
    MOAT_HI,
    MOAT_LO,
    OVER,
    PHASE,
    QUIET,
    ROW_SIZE,
    S_MOVES,
    S_REACH,
    S_SET,
    STAGE,
    STRIDE,
    STRUCK,
    TURN,
    WIDTH,
    Ints,
    reach_diagonally,
    reach_straight,
    role_of,
    size,
    winner,
)

Floats = MutableSequence[float]

GREEDY, HEURISTIC = 2, 3
SCALE = 1_000_000
HALF = 50

# cells in line with the General: its two columns and its two rows, up to it
IN_LINE_LO = sum(1 << cell for cell in range(HALF) if cell % WIDTH in (4, 5) or cell // WIDTH == 4) & ~GENERAL_LO
IN_LINE_HI = sum(1 << cell for cell in range(HALF) if cell % WIDTH in (4, 5) or cell // WIDTH == 0) & ~GENERAL_HI
# cells up to two steps from the General
NEAR_LO = sum(1 << cell for cell in range(HALF) if 2 <= cell % WIDTH <= 7 and cell // WIDTH >= 2) & ~GENERAL_LO
NEAR_HI = sum(1 << cell for cell in range(HALF) if 2 <= cell % WIDTH <= 7 and cell // WIDTH <= 2) & ~GENERAL_HI

# --- what a position shows ---
(
    ALWAYS, ATTACKERS, DEFENDERS, GUARDS, ONE_HIT, TWO_HITS, UNGUARDED, IN_LINE, AT_HOME, IN_MOAT,
    A_GARRISON_LEFT, D_GARRISON_LEFT, STRIKE_LEFT, QUIETNESS,
    A_ROLLS, A_HITS_NOW, A_TRADES_NOW, A_KILLS_NOW, D_KILLS_LATER, D_CONVERTS_LATER,
    D_KILLS_NOW, D_CONVERTS_NOW, A_HITS_LATER, A_TRADES_LATER, A_KILLS_LATER,
    A_NEAR, D_NEAR,
    FEATURES,
) = range(28)  # fmt: skip

# --- what each is worth to the attacker, in logits: as the attacker sees it, and as the defender does ---
WEIGHTS = (
    (
        -1.0, 0.414, -0.496, -0.094, 1.292, 2.714, 0.426, -0.01, -0.078, -0.057,
        0.039, -0.051, -0.1, -0.001,
        0.2, 0.193, 0.052, -0.057, -0.065, 0.031,
        -0.144, -0.194, 0.093, -0.011, 0.031,
        -0.039, -0.013,
    ),
    (
        -1.0, 0.709, -0.5, -0.208, 1.18, 2.306, 0.5, -0.072, -0.11, 0.0,
        0.029, -0.1, -0.131, 0.0,
        0.2, 0.21, -0.06, 0.118, -0.06, -0.107,
        0.012, -0.261, 0.555, 0.047, 0.03,
        0.036, -0.065,
    ),
)  # fmt: skip


def prepare(policy: int, row: Ints, tables: Ints, scratch: Ints, notes: Ints) -> None:
    """Nothing is shared by all candidates but who moves."""
    notes[0] = row[TURN]


def faces_that(tables: Ints, scratch: Ints, role: int, lo: int, hi: int) -> int:
    """How many faces of the die let some unit of a role land in a set of cells."""
    count = 0
    own = S_SET + 2 * role
    land_lo, land_hi = lo & ALL & ~scratch[own], hi & ALL & ~scratch[own + 1]
    if land_lo | land_hi == 0:
        return 0
    for die in range(1, 7):
        reach_straight(scratch, role, land_lo, land_hi, die)
        met = 0
        for at in range(S_REACH, S_REACH + 8):
            met |= scratch[at]
        if tables[DIRECTIONS] == 8:
            reach_diagonally(scratch, role, land_lo, land_hi, die)
            for at in range(S_REACH + 8, S_REACH + 16):
                met |= scratch[at]
        count += met != 0
    return count


def look_over(row: Ints, tables: Ints, scratch: Ints, notes: Ints) -> None:
    """What a position shows, at notes[…]; the scratch's reach is written over."""
    a_lo, a_hi, d_lo, d_hi = scratch[S_SET], scratch[S_SET + 1], scratch[S_SET + 2], scratch[S_SET + 3]
    guards = size(d_lo & MOAT_LO, d_hi & MOAT_HI)
    notes[ALWAYS] = 1
    notes[ATTACKERS] = size(a_lo, a_hi)
    notes[DEFENDERS] = size(d_lo, d_hi)
    notes[GUARDS] = guards
    notes[ONE_HIT] = row[HITS] == 1
    notes[TWO_HITS] = row[HITS] >= 2
    notes[UNGUARDED] = guards == 0
    notes[IN_LINE] = size(a_lo & IN_LINE_LO, a_hi & IN_LINE_HI)
    notes[AT_HOME] = size(a_lo & (GARRISON_A | GARRISON_B), 0)
    notes[IN_MOAT] = size(a_lo & MOAT_LO, a_hi & MOAT_HI)
    notes[A_GARRISON_LEFT] = 1 - ((row[GARRISONED] >> ATTACKS) & 1)
    notes[D_GARRISON_LEFT] = 1 - ((row[GARRISONED] >> DEFENDS) & 1)
    notes[STRIKE_LEFT] = 1 - row[STRUCK]
    notes[QUIETNESS] = row[QUIET]
    attacks = faces_that(tables, scratch, ATTACKS, GENERAL_LO, GENERAL_HI)
    kills = faces_that(tables, scratch, ATTACKS, d_lo, d_hi)
    falls = faces_that(tables, scratch, DEFENDS, a_lo, a_hi)
    entries = converting_faces(tables, scratch, a_lo)
    now = 1 if role_of(row, row[TURN]) == ATTACKS else 0
    later = 1 - now
    notes[A_ROLLS] = now
    notes[A_HITS_NOW] = now * attacks if guards == 0 else 0
    notes[A_TRADES_NOW] = now * attacks if guards else 0
    notes[A_KILLS_NOW] = now * kills
    notes[D_KILLS_LATER] = now * falls
    notes[D_CONVERTS_LATER] = now * entries
    notes[D_KILLS_NOW] = later * falls
    notes[D_CONVERTS_NOW] = later * entries
    notes[A_HITS_LATER] = later * attacks if guards == 0 else 0
    notes[A_TRADES_LATER] = later * attacks if guards else 0
    notes[A_KILLS_LATER] = later * kills
    notes[A_NEAR] = size(a_lo & NEAR_LO, a_hi & NEAR_HI)
    notes[D_NEAR] = size(d_lo & NEAR_LO, d_hi & NEAR_HI)
    scratch[FRESH] = 0


def converting_faces(tables: Ints, scratch: Ints, a_lo: int) -> int:
    """How many faces let a defender enter a garrison where attackers stand."""
    cells = 0
    if a_lo & GARRISON_A:
        cells |= GARRISON_A
    if a_lo & GARRISON_B:
        cells |= GARRISON_B
    return faces_that(tables, scratch, DEFENDS, cells, 0)


def hope(row: Ints, tables: Ints, scratch: Ints, notes: Ints, role: int) -> float:
    """The attacker's chance to win a game that goes on, as a role sees it."""
    look_over(row, tables, scratch, notes)
    total = 0.0
    for number in range(FEATURES):
        total += WEIGHTS[role][number] * notes[number]
    return 1.0 / (1.0 + exp(-total))


def evaluate(row: Ints, tables: Ints, scratch: Ints, notes: Ints, values: Floats, at: int) -> None:
    """Each seat's chance to win; even while the roles are not chosen."""
    values[at] = values[at + 1] = 0.5
    if row[ATTACKER] >= 0:
        values[at + row[ATTACKER]] = hope(row, tables, scratch, notes, ATTACKS)
        values[at + 1 - row[ATTACKER]] = 1.0 - values[at + row[ATTACKER]]


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
