"""The rules of Generals: the only statement of them.

Plain functions over flat integers in the kernel language (docs/kernels.md). Arguments, in this order:

row      one game, in small integers: the fixed fields below, then ten board lines a role, a bit a column
tables   one rule set, compiled by board.py: header fields, then cells by kind and number
scratch  what can be worked out again: units as bit sets, where they get with this die, legal actions

Cells are numbered 0 (row 0, column 0: a10) to 99 (row 9, column 9: j1). A set of cells is two words of fifty
bits, `lo` for cells 0-49 and `hi` for the rest, so that no shift and no sum leaves a signed 64-bit integer.
All units of a side move one way at once: a shift for each step. Reasons are codes (WHY_*), never words.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from ludus.core.compiling.language import Int16s, Ints
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.random import below

# --- the row: STAGE and TURN, then ---
PHASE, ATTACKER, DIE, HITS, GARRISONED, STRUCK, QUIET, TURNS, CELL, UNITS = range(2, 12)
ROW_SIZE = UNITS + 20

# --- the phases: what the next event is about ---
PLAY, TOSS, CHOICE, CONVERT, INTERCEPT = range(5)
NOBODY = -1  # ATTACKER until the roles are chosen
ATTACKS, DEFENDS = 0, 1  # the roles

# --- the tables: header ---
(
    DIRECTIONS, QUIET_LIMIT, TURN_LIMIT, A_GARRISON, A_STRIKE, A_CONVERT, A_ROLE, A_PASS,
    T_KIND, T_NUMBER, T_GARRISON, T_FIELD, T_MOAT, HEADER,
) = range(14)  # fmt: skip

# --- scratch ---
(
    COUNT, FRESH, CAPTURES, MOVES, GARRISONINGS, EMPTY_FIELDS, STRIKES, INTERCEPTIONS, CONVERSIONS, GAME_TURNS, TELLING,
    EVENTS,
) = range(12)  # fmt: skip
S_SET, S_WAYS, S_REACH, S_LIST, S_EVENTS, S_MOVES = 12, 16, 24, 40, 124, 156  # units; moves by direction; lists

# --- what happened: events of four integers: what, whose unit (a seat), from which cell, to which ---
(
    E_MOVED, E_GARRISONED, E_ATTACKED, E_HIT, E_KILLED, E_STRUCK, E_CONVERTED, E_MUST_CONVERT, E_INTERCEPTED, E_ROLE,
    E_ROLLS_AGAIN, E_TURN_PASSED, E_OVER,
) = range(13)  # fmt: skip
WHAT, WHOSE, WHENCE, WHERE_TO, EVENT_SIZE = range(5)
MOST_EVENTS = 8  # (S_MOVES - S_EVENTS) // EVENT_SIZE; a move tells five at most

# --- the board (G1-G4) ---
PICTURE = """
    AAA....BBB
    AA......BB
    A........B
    ...oooo...
    ...oGGo...
    ...oGGo...
    ...oooo...
    C........D
    CC......DD
    CCC....DDD
"""
KINDS = "".join(PICTURE.split())
FIELD, MOAT, GENERAL, ATTACKER_LEFT, ATTACKER_RIGHT, DEFENDER_LEFT, DEFENDER_RIGHT = range(7)
HALF, WIDTH = 50, 10
ALL = (1 << HALF) - 1
NOT_FIRST = sum(1 << cell for cell in range(HALF) if cell % WIDTH != 0)  # where a step to the right may end
NOT_LAST = sum(1 << cell for cell in range(HALF) if cell % WIDTH != WIDTH - 1)
GENERAL_LO = sum(1 << cell for cell in range(HALF) if KINDS[cell] == "G")
GENERAL_HI = sum(1 << cell for cell in range(HALF) if KINDS[HALF + cell] == "G")
MOAT_LO = sum(1 << cell for cell in range(HALF) if KINDS[cell] == "o")
MOAT_HI = sum(1 << cell for cell in range(HALF) if KINDS[HALF + cell] == "o")
FREE_LO = sum(1 << cell for cell in range(HALF) if KINDS[cell] in ".o")  # where garrisoning may go (G23)
FREE_HI = sum(1 << cell for cell in range(HALF) if KINDS[HALF + cell] in ".o")
GARRISON_A = sum(1 << cell for cell in range(HALF) if KINDS[cell] == "A")  # the attacker's, in lo alone
GARRISON_B = sum(1 << cell for cell in range(HALF) if KINDS[cell] == "B")
GARRISON_CD = sum(1 << cell for cell in range(HALF) if KINDS[HALF + cell] in "CD")  # the defender's, in hi alone

# --- the directions (G9): up, right, down, left, then the diagonals clockwise from up-right ---
UP, RIGHT, DOWN, LEFT, UP_RIGHT, DOWN_RIGHT, DOWN_LEFT, UP_LEFT = range(8)
STRIDE = (-10, 1, 10, -1, -9, 11, 9, -11)
COLUMNS = (0, 1, 0, -1, 1, 1, -1, -1)

GENERAL_FALLS = 3  # G20
STRIKE_BELOW = 3  # G25

# --- how a game ends (G20-G22) ---
GOES_ON, BY_HITS, BY_EXHAUSTION, BY_QUIET, BY_TURNS = range(5)

# --- why a move is not legal ---
(
    LEGAL, WHY_NO_UNIT, WHY_OFF_BOARD, WHY_CROSSES_UNIT, WHY_CROSSES_GENERAL, WHY_OWN_UNIT, WHY_OWN_GENERAL,
    WHY_GARRISON_NEEDS_SIX, WHY_GARRISON_USED, WHY_GARRISON_NO_UNIT, WHY_GARRISON_TAKEN,
    WHY_STRIKE_ATTACKER, WHY_STRIKE_USED, WHY_STRIKE_NEEDS_ONE, WHY_STRIKE_TOO_MANY, WHY_STRIKE_NOBODY,
    WHY_NO_CONVERSION, WHY_MUST_CONVERT, WHY_CONVERT_NOBODY, WHY_NO_ROLE_CHOICE, WHY_MUST_CHOOSE_ROLE,
    WHY_MUST_MOVE,
) = range(22)  # fmt: skip

# what the compiler puts in line wherever it is called: calls cost more than these do
INLINED = (
    "tell", "size", "nth", "has", "back", "on", "role_of", "stands_on", "toggle", "units", "has_none",
    "reach_straight", "reach_diagonally", "count_garrisonings", "count_strikes", "count_uses",
    "ending", "end_turn", "roll", "chance", "outcome_count", "draw_chance", "count_legal", "move_at", "action_at",
    "play_move", "convertible", "enter", "apply", "play_at_random",
    "kind_at", "number_at", "garrison_cell", "field_cell", "moat_cell",
)  # fmt: skip


# ---------------------------------------------------------------- where the tables have what


def kind_at(tables: Ints, cell: int) -> int:
    """What a cell is: a garrison, the moat, open field, the General's."""
    return tables[tables[T_KIND] + cell]


def number_at(tables: Ints, cell: int) -> int:
    """The number of a cell among those of its kind, as actions count them."""
    return tables[tables[T_NUMBER] + cell]


def garrison_cell(tables: Ints, number: int) -> int:
    """One of the cells of all garrisons, the attacker's twelve first."""
    return tables[tables[T_GARRISON] + number]


def field_cell(tables: Ints, number: int) -> int:
    """One of the cells that are open to garrisoning."""
    return tables[tables[T_FIELD] + number]


def moat_cell(tables: Ints, number: int) -> int:
    """One of the cells of the moat."""
    return tables[tables[T_MOAT] + number]


# ---------------------------------------------------------------- telling what happens


def tell(scratch: Ints, what: int, seat: int, origin: int, target: int) -> None:
    """Note an event, where somebody listens."""
    if scratch[TELLING] and scratch[EVENTS] < MOST_EVENTS:
        at = S_EVENTS + scratch[EVENTS] * EVENT_SIZE
        scratch[at + WHAT] = what
        scratch[at + WHOSE] = seat
        scratch[at + WHENCE] = origin
        scratch[at + WHERE_TO] = target
        scratch[EVENTS] += 1


# ---------------------------------------------------------------- sets of cells


def size(lo: int, hi: int) -> int:
    """How many cells a set has."""
    return lo.bit_count() + hi.bit_count()


def nth(lo: int, hi: int, number: int) -> int:
    """Cell number `number` of a set, counted from 0."""
    first = 0
    word = lo
    below_half = size(lo, 0)
    if number >= below_half:
        number -= below_half
        first = HALF
        word = hi
    for _ in range(number):
        word &= word - 1
    return first + size((word & -word) - 1, 0)


def has(lo: int, hi: int, cell: int) -> bool:
    """Whether a cell is in a set."""
    return ((hi >> (cell - HALF)) if cell >= HALF else (lo >> cell)) & 1 != 0


def back(lo: int, hi: int, cells: int) -> int:
    """The low word of a set whose cells all went back by a number below 50; the high one is a plain shift."""
    return (lo >> cells) | ((hi & ((1 << cells) - 1)) << (HALF - cells))


def on(lo: int, hi: int, cells: int) -> int:
    """The high word, with bits to spare, of a set whose cells all went on; the low one is a plain shift."""
    return (hi << cells) | (lo >> (HALF - cells))


# ---------------------------------------------------------------- who stands where


def role_of(row: Ints, seat: int) -> int:
    """The role of a seat, once they are chosen."""
    return seat ^ row[ATTACKER]


def stands_on(scratch: Ints, role: int, cell: int) -> bool:
    """Whether a role has a unit on a cell."""
    return has(scratch[S_SET + 2 * role], scratch[S_SET + 2 * role + 1], cell)


def toggle(row: Ints, scratch: Ints, role: int, cell: int) -> None:
    """Put a role's unit on a cell, or take it off."""
    row[UNITS + 10 * role + cell // WIDTH] ^= 1 << (cell % WIDTH)
    half = cell // HALF
    scratch[S_SET + 2 * role + half] ^= 1 << (cell - HALF * half)


def units(scratch: Ints, role: int) -> int:
    """How many units a role has on the board; converted ones are the defender's (G27)."""
    return size(scratch[S_SET + 2 * role], scratch[S_SET + 2 * role + 1])


def has_none(scratch: Ints, role: int) -> bool:
    """Whether a role has no unit left."""
    return scratch[S_SET + 2 * role] | scratch[S_SET + 2 * role + 1] == 0


def scan(row: Ints, tables: Ints, scratch: Ints) -> None:
    """Work out the sets of units from the row's lines."""
    for role in range(2):
        for half in range(2):
            word = 0
            for line in range(4, -1, -1):
                word = (word << WIDTH) | row[UNITS + 10 * role + 5 * half + line]
            scratch[S_SET + 2 * role + half] = word
    scratch[FRESH] = 0


# ---------------------------------------------------------------- where units get


def reach_straight(scratch: Ints, role: int, land_lo: int, land_hi: int, die: int) -> None:
    """Every cell that a role's units reach with a die, up, right, down and left (G8-G12)."""
    lo, hi = scratch[S_SET + 2 * role], scratch[S_SET + 2 * role + 1]
    open_lo = ALL & ~(scratch[S_SET] | scratch[S_SET + 2] | GENERAL_LO)
    open_hi = ALL & ~(scratch[S_SET + 1] | scratch[S_SET + 3] | GENERAL_HI)
    up_lo, up_hi, down_lo, down_hi = lo, hi, lo, hi
    right_lo, right_hi, left_lo, left_hi = lo, hi, lo, hi
    for _ in range(die - 1):  # G10, G11: every cell on the way is open
        up_lo, up_hi = back(up_lo, up_hi, 10) & open_lo, (up_hi >> 10) & open_hi
        down_hi, down_lo = on(down_lo, down_hi, 10) & open_hi, (down_lo << 10) & open_lo
        right_lo, right_hi = (right_lo << 1) & NOT_FIRST & open_lo, (right_hi << 1) & NOT_FIRST & open_hi
        left_lo, left_hi = (left_lo >> 1) & NOT_LAST & open_lo, (left_hi >> 1) & NOT_LAST & open_hi
    scratch[S_REACH + 2 * UP] = back(up_lo, up_hi, 10) & land_lo
    scratch[S_REACH + 2 * UP + 1] = (up_hi >> 10) & land_hi
    scratch[S_REACH + 2 * RIGHT] = (right_lo << 1) & NOT_FIRST & land_lo
    scratch[S_REACH + 2 * RIGHT + 1] = (right_hi << 1) & NOT_FIRST & land_hi
    scratch[S_REACH + 2 * DOWN] = (down_lo << 10) & land_lo
    scratch[S_REACH + 2 * DOWN + 1] = on(down_lo, down_hi, 10) & land_hi
    scratch[S_REACH + 2 * LEFT] = (left_lo >> 1) & NOT_LAST & land_lo
    scratch[S_REACH + 2 * LEFT + 1] = (left_hi >> 1) & NOT_LAST & land_hi


def reach_diagonally(scratch: Ints, role: int, land_lo: int, land_hi: int, die: int) -> None:
    """The same for the four diagonals; what stands beside one does not stop it (G9)."""
    lo, hi = scratch[S_SET + 2 * role], scratch[S_SET + 2 * role + 1]
    open_lo = ALL & ~(scratch[S_SET] | scratch[S_SET + 2] | GENERAL_LO)
    open_hi = ALL & ~(scratch[S_SET + 1] | scratch[S_SET + 3] | GENERAL_HI)
    right_open_lo, right_open_hi = open_lo & NOT_FIRST, open_hi & NOT_FIRST
    left_open_lo, left_open_hi = open_lo & NOT_LAST, open_hi & NOT_LAST
    ur_lo, ur_hi, dr_lo, dr_hi = lo, hi, lo, hi
    dl_lo, dl_hi, ul_lo, ul_hi = lo, hi, lo, hi
    for _ in range(die - 1):
        ur_lo, ur_hi = back(ur_lo, ur_hi, 9) & right_open_lo, (ur_hi >> 9) & right_open_hi
        dr_hi, dr_lo = on(dr_lo, dr_hi, 11) & right_open_hi, (dr_lo << 11) & right_open_lo
        dl_hi, dl_lo = on(dl_lo, dl_hi, 9) & left_open_hi, (dl_lo << 9) & left_open_lo
        ul_lo, ul_hi = back(ul_lo, ul_hi, 11) & left_open_lo, (ul_hi >> 11) & left_open_hi
    scratch[S_REACH + 2 * UP_RIGHT] = back(ur_lo, ur_hi, 9) & NOT_FIRST & land_lo
    scratch[S_REACH + 2 * UP_RIGHT + 1] = (ur_hi >> 9) & NOT_FIRST & land_hi
    scratch[S_REACH + 2 * DOWN_RIGHT] = (dr_lo << 11) & NOT_FIRST & land_lo
    scratch[S_REACH + 2 * DOWN_RIGHT + 1] = on(dr_lo, dr_hi, 11) & NOT_FIRST & land_hi
    scratch[S_REACH + 2 * DOWN_LEFT] = (dl_lo << 9) & NOT_LAST & land_lo
    scratch[S_REACH + 2 * DOWN_LEFT + 1] = on(dl_lo, dl_hi, 9) & NOT_LAST & land_hi
    scratch[S_REACH + 2 * UP_LEFT] = back(ul_lo, ul_hi, 11) & NOT_LAST & land_lo
    scratch[S_REACH + 2 * UP_LEFT + 1] = (ul_hi >> 11) & NOT_LAST & land_hi


def count_moves(row: Ints, tables: Ints, scratch: Ints, role: int) -> int:
    """Count the moves and attacks of this die, by direction; their targets stand at scratch[S_REACH…]."""
    own = S_SET + 2 * role
    land_lo, land_hi = ALL & ~scratch[own], ALL & ~scratch[own + 1]  # G10: no own unit is landed on
    if role == DEFENDS:  # G14; G17: the attacker's last step may enter a General cell
        land_lo &= ~GENERAL_LO
        land_hi &= ~GENERAL_HI
    reach_straight(scratch, role, land_lo, land_hi, row[DIE])
    if tables[DIRECTIONS] == 8:
        reach_diagonally(scratch, role, land_lo, land_hi, row[DIE])
    total = 0
    for way in range(tables[DIRECTIONS]):
        count = size(scratch[S_REACH + 2 * way], scratch[S_REACH + 2 * way + 1])
        scratch[S_WAYS + way] = count
        total += count
    return total


def garrisoned_lo(scratch: Ints, role: int) -> int:
    """The low word of a role's units in its own garrisons (G23: by role, whoever stands elsewhere)."""
    return scratch[S_SET] & (GARRISON_A | GARRISON_B) if role == ATTACKS else 0


def garrisoned_hi(scratch: Ints, role: int) -> int:
    """The high word of a role's units in its own garrisons."""
    return scratch[S_SET + 3] & GARRISON_CD if role == DEFENDS else 0


def empty_lo(scratch: Ints) -> int:
    """The low word of the cells where garrisoning may put a unit: empty, no garrison, no General (G23)."""
    return FREE_LO & ~(scratch[S_SET] | scratch[S_SET + 2])


def empty_hi(scratch: Ints) -> int:
    """The high word of those cells."""
    return FREE_HI & ~(scratch[S_SET + 1] | scratch[S_SET + 3])


def count_garrisonings(row: Ints, scratch: Ints, role: int) -> int:
    """Count the ways to garrison: only on a 6, once per player (G23)."""
    if row[DIE] != 6 or (row[GARRISONED] >> role) & 1:
        return 0
    scratch[EMPTY_FIELDS] = size(empty_lo(scratch), empty_hi(scratch))
    return size(garrisoned_lo(scratch, role), garrisoned_hi(scratch, role)) * scratch[EMPTY_FIELDS]


def count_strikes(row: Ints, scratch: Ints, role: int) -> int:
    """Count the General's strikes: on a 1, once, with fewer than three defenders, in the moat alone (G25)."""
    if row[DIE] != 1 or role != DEFENDS or row[STRUCK] or units(scratch, DEFENDS) >= STRIKE_BELOW:
        return 0
    return size(scratch[S_SET] & MOAT_LO, scratch[S_SET + 1] & MOAT_HI)


def count_uses(row: Ints, tables: Ints, scratch: Ints) -> int:
    """Count what the player in turn can do with the die; 0 is a stalemate (G15)."""
    role = role_of(row, row[TURN])
    scratch[MOVES] = count_moves(row, tables, scratch, role)
    scratch[GARRISONINGS] = count_garrisonings(row, scratch, role)
    scratch[STRIKES] = count_strikes(row, scratch, role)
    return scratch[MOVES] + scratch[GARRISONINGS] + scratch[STRIKES]


def convertible(row: Ints, tables: Ints, scratch: Ints, cell: int) -> int:
    """The attacker's units in the attacker garrison that `cell` lies in, a low word; 0 elsewhere (G27)."""
    kind = kind_at(tables, cell)
    if kind == ATTACKER_LEFT:
        return scratch[S_SET] & GARRISON_A
    return scratch[S_SET] & GARRISON_B if kind == ATTACKER_RIGHT else 0


# ---------------------------------------------------------------- turns and endings


def ending(row: Ints, tables: Ints, scratch: Ints) -> int:
    """How the game ends here, or GOES_ON: hits are asked first, then attackers, then the limits (G20-G22)."""
    if row[HITS] >= GENERAL_FALLS:
        return BY_HITS
    if has_none(scratch, ATTACKS):
        return BY_EXHAUSTION
    if tables[QUIET_LIMIT] and row[QUIET] >= tables[QUIET_LIMIT]:
        return BY_QUIET
    return BY_TURNS if tables[TURN_LIMIT] and row[TURNS] >= tables[TURN_LIMIT] else GOES_ON


def winner(row: Ints, tables: Ints, scratch: Ints) -> int:
    """The seat that has won a game that is over, or -1 for a draw."""
    how = ending(row, tables, scratch)
    if how == BY_HITS:
        return row[ATTACKER]
    return 1 - row[ATTACKER] if how == BY_EXHAUSTION else -1


def end_turn(row: Ints, tables: Ints, scratch: Ints, progress: bool) -> None:
    """Count the turn where a limit asks for it (G22) and give the dice to the other player, unless the game is over."""
    row[DIE] = 0
    row[PHASE] = PLAY
    row[CELL] = 0
    scratch[GAME_TURNS] += 1
    if tables[TURN_LIMIT]:
        row[TURNS] += 1
    if tables[QUIET_LIMIT]:
        row[QUIET] = 0 if progress else row[QUIET] + 1
    how = ending(row, tables, scratch)
    if how != GOES_ON:
        row[STAGE] = OVER
        tell(scratch, E_OVER, row[TURN], 0, how)
        return
    tell(scratch, E_TURN_PASSED, row[TURN], 0, 0)
    row[TURN] = 1 - row[TURN]
    row[STAGE] = CHANCE


# ---------------------------------------------------------------- chance


def roll(row: Ints, tables: Ints, scratch: Ints, face: int) -> None:
    """The die has been rolled: somebody decides, or it is a stalemate and is rolled again (G15)."""
    row[DIE] = face
    count = count_uses(row, tables, scratch)
    if count == 0 and not has_none(scratch, role_of(row, row[TURN])):
        row[DIE] = 0
        tell(scratch, E_ROLLS_AGAIN, row[TURN], 0, face)
        return
    row[STAGE] = DECISION
    scratch[COUNT] = max(1, count)  # G16: without units no roll will ever do, so `pass`
    scratch[FRESH] = 1


def intercept(row: Ints, tables: Ints, scratch: Ints, number: int) -> None:
    """Defender number `number` in the moat and the attacking unit are both removed (G18)."""
    cell = nth(scratch[S_SET + 2] & MOAT_LO, scratch[S_SET + 3] & MOAT_HI, number)
    toggle(row, scratch, DEFENDS, cell)
    toggle(row, scratch, ATTACKS, row[CELL])
    tell(scratch, E_INTERCEPTED, row[TURN], row[CELL], cell)
    scratch[INTERCEPTIONS] += 1
    end_turn(row, tables, scratch, True)


def chance(row: Ints, tables: Ints, scratch: Ints, outcome: int) -> None:
    """Apply chance outcome number `outcome`: a roll, who wins the toss, or who intercepts."""
    scratch[FRESH] = 0
    if row[PHASE] == PLAY:
        roll(row, tables, scratch, outcome + 1)
    elif row[PHASE] == TOSS:  # G6
        row[TURN] = outcome
        row[PHASE] = CHOICE
        row[STAGE] = DECISION
    else:
        intercept(row, tables, scratch, outcome)


def outcome_count(row: Ints, tables: Ints, scratch: Ints) -> int:
    """How many outcomes chance has here, all equally likely (G30)."""
    if row[PHASE] == PLAY:
        return 6
    if row[PHASE] == TOSS:
        return 2
    return size(scratch[S_SET + 2] & MOAT_LO, scratch[S_SET + 3] & MOAT_HI)


def outcome_weight(row: Ints, tables: Ints, scratch: Ints, outcome: int) -> int:
    """All outcomes are equally likely (G30)."""
    return 1


def draw_chance(row: Ints, tables: Ints, scratch: Ints, key: int, ply: int) -> int:
    """The outcome that draw number `ply` of the stream gives."""
    return below(key, ply, outcome_count(row, tables, scratch))


# ---------------------------------------------------------------- the legal actions


def count_legal(row: Ints, tables: Ints, scratch: Ints) -> int:
    """Count the legal actions of a decision, and note what `action_at` needs to name each."""
    if scratch[FRESH]:
        return scratch[COUNT]
    if row[PHASE] == PLAY:
        count = max(1, count_uses(row, tables, scratch))
    elif row[PHASE] == CHOICE:
        count = 2
    else:
        count = size(convertible(row, tables, scratch, row[CELL]), 0)
    scratch[COUNT] = count
    scratch[FRESH] = 1
    return count


def move_at(row: Ints, scratch: Ints, number: int) -> int:
    """Unit move number `number`: by direction, then by cell."""
    way = 0
    while number >= scratch[S_WAYS + way]:
        number -= scratch[S_WAYS + way]
        way += 1
    target = nth(scratch[S_REACH + 2 * way], scratch[S_REACH + 2 * way + 1], number)
    return 100 * way + target - row[DIE] * STRIDE[way]


def garrisoning_at(row: Ints, tables: Ints, scratch: Ints, number: int) -> int:
    """Garrisoning number `number`: by unit, then by target."""
    role = role_of(row, row[TURN])
    empties = scratch[EMPTY_FIELDS]
    unit = nth(garrisoned_lo(scratch, role), garrisoned_hi(scratch, role), number // empties)
    target = nth(empty_lo(scratch), empty_hi(scratch), number % empties)
    return tables[A_GARRISON] + 72 * number_at(tables, unit) + number_at(tables, target)


def action_at(row: Ints, tables: Ints, scratch: Ints, number: int) -> int:
    """Legal action number `number`, in rising order (after count_legal)."""
    if row[PHASE] == CHOICE:
        return tables[A_ROLE] + number
    if row[PHASE] == CONVERT:
        cell = nth(convertible(row, tables, scratch, row[CELL]), 0, number)
        return tables[A_CONVERT] + number_at(tables, cell)
    if number < scratch[MOVES]:
        return move_at(row, scratch, number)
    number -= scratch[MOVES]
    if number < scratch[GARRISONINGS]:
        return garrisoning_at(row, tables, scratch, number)
    number -= scratch[GARRISONINGS]
    if number < scratch[STRIKES]:
        cell = nth(scratch[S_SET] & MOAT_LO, scratch[S_SET + 1] & MOAT_HI, number)
        return tables[A_STRIKE] + moat_number(tables, cell)
    return tables[A_PASS]


def moat_number(tables: Ints, cell: int) -> int:
    """The number of a moat cell among the twelve."""
    number = 0
    while moat_cell(tables, number) != cell:
        number += 1
    return number


def list_cells(lo: int, hi: int, scratch: Ints, at: int) -> int:
    """Write the cells of a set at scratch[at…], in rising order, and count them."""
    count = 0
    for half in range(2):
        word = hi if half else lo
        while word:
            scratch[at + count] = HALF * half + size((word & -word) - 1, 0)
            word &= word - 1
            count += 1
    return count


def list_moves(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List the unit moves and attacks; returns where the list ends."""
    at = S_MOVES
    for way in range(tables[DIRECTIONS]):
        count = list_cells(scratch[S_REACH + 2 * way], scratch[S_REACH + 2 * way + 1], scratch, at)
        for number in range(count):
            scratch[at + number] += 100 * way - row[DIE] * STRIDE[way]
        at += count
    return at


def list_garrisonings(row: Ints, tables: Ints, scratch: Ints, at: int) -> int:
    """List the garrisonings after the moves; returns where the list ends."""
    role = role_of(row, row[TURN])
    first, own = S_LIST, S_LIST + 72
    empties = list_cells(empty_lo(scratch), empty_hi(scratch), scratch, first)
    for unit in range(list_cells(garrisoned_lo(scratch, role), garrisoned_hi(scratch, role), scratch, own)):
        block = tables[A_GARRISON] + 72 * number_at(tables, scratch[own + unit])
        for number in range(empties):
            scratch[at + number] = block + number_at(tables, scratch[first + number])
        at += empties
    return at


def legal(row: Ints, tables: Ints, scratch: Ints) -> int:
    """List the legal actions of a decision at scratch[S_MOVES…], in rising order, and count them."""
    count = count_legal(row, tables, scratch)
    at = S_MOVES
    if row[PHASE] == PLAY:
        at = list_moves(row, tables, scratch)
        if scratch[GARRISONINGS]:
            at = list_garrisonings(row, tables, scratch, at)
    for number in range(at - S_MOVES, count):
        scratch[S_MOVES + number] = action_at(row, tables, scratch, number)
    return count


# ---------------------------------------------------------------- playing


def attack(row: Ints, tables: Ints, scratch: Ints, origin: int, target: int) -> None:
    """Attack the General: a defender in the moat will intercept (G18), or it takes a hit (G19)."""
    if (scratch[S_SET + 2] & MOAT_LO) | (scratch[S_SET + 3] & MOAT_HI):
        row[DIE] = 0
        row[PHASE] = INTERCEPT
        row[CELL] = origin
        row[STAGE] = CHANCE
        tell(scratch, E_ATTACKED, row[TURN], origin, target)
        return
    toggle(row, scratch, ATTACKS, origin)
    row[HITS] += 1
    tell(scratch, E_HIT, row[TURN], origin, target)
    end_turn(row, tables, scratch, True)


def convert(row: Ints, scratch: Ints, cell: int) -> None:
    """An attacker's unit becomes the defender's (G27)."""
    toggle(row, scratch, ATTACKS, cell)
    toggle(row, scratch, DEFENDS, cell)
    tell(scratch, E_CONVERTED, 1 - row[TURN], cell, cell)
    scratch[CONVERSIONS] += 1


def enter(row: Ints, tables: Ints, scratch: Ints, origin: int, target: int, killed: bool) -> None:
    """End a defender's move, with the conversion that entering an attacker garrison brings (G27)."""
    found = convertible(row, tables, scratch, target)
    if found == 0 or kind_at(tables, origin) == kind_at(tables, target):
        end_turn(row, tables, scratch, killed)
    elif found & (found - 1) == 0:
        convert(row, scratch, nth(found, 0, 0))
        end_turn(row, tables, scratch, True)
    else:
        row[DIE] = 0
        row[PHASE] = CONVERT
        row[CELL] = target
        tell(scratch, E_MUST_CONVERT, row[TURN], target, target)


def play_move(row: Ints, tables: Ints, scratch: Ints, origin: int, way: int) -> None:
    """Move a unit as far as the die says: a kill, an attack, an entry, or just a move (G8, G13, G17)."""
    role = role_of(row, row[TURN])
    target = origin + row[DIE] * STRIDE[way]
    if kind_at(tables, target) == GENERAL:
        attack(row, tables, scratch, origin, target)
        return
    killed = stands_on(scratch, 1 - role, target)
    if killed:
        toggle(row, scratch, 1 - role, target)
        tell(scratch, E_KILLED, 1 - row[TURN], target, target)
        scratch[CAPTURES] = 1
    toggle(row, scratch, role, origin)
    toggle(row, scratch, role, target)
    tell(scratch, E_MOVED, row[TURN], origin, target)
    if role == DEFENDS:
        enter(row, tables, scratch, origin, target, killed)
    else:  # G28
        end_turn(row, tables, scratch, killed)


def play_garrisoning(row: Ints, tables: Ints, scratch: Ints, number: int) -> None:
    """Garrisoning: it is the turn's move, and does nothing else (G23, G24)."""
    role = role_of(row, row[TURN])
    origin = garrison_cell(tables, 12 * role + number // 72)
    target = field_cell(tables, number % 72)
    toggle(row, scratch, role, origin)
    toggle(row, scratch, role, target)
    tell(scratch, E_GARRISONED, row[TURN], origin, target)
    row[GARRISONED] |= 1 << role
    end_turn(row, tables, scratch, True)


def play_strike(row: Ints, tables: Ints, scratch: Ints, cell: int) -> None:
    """The General's strike; the defender then moves a unit with the same 1 if it can (G25, G26)."""
    toggle(row, scratch, ATTACKS, cell)
    tell(scratch, E_STRUCK, 1 - row[TURN], cell, cell)
    row[STRUCK] = 1
    row[QUIET] = 0  # G22: at once; the end of the turn adds 1
    if has_none(scratch, ATTACKS) or count_uses(row, tables, scratch) == 0:
        end_turn(row, tables, scratch, False)


def choose_role(row: Ints, scratch: Ints, role: int) -> None:
    """The toss winner takes a role; the attacker moves first (G6, G7)."""
    tell(scratch, E_ROLE, row[TURN], 0, role)
    row[ATTACKER] = row[TURN] ^ role
    row[TURN] = row[ATTACKER]
    row[PHASE] = PLAY
    row[STAGE] = CHANCE


def apply(row: Ints, tables: Ints, scratch: Ints, action: int) -> None:
    """Play a legal action."""
    scratch[FRESH] = 0
    scratch[CAPTURES] = 0
    if action < tables[A_GARRISON]:
        play_move(row, tables, scratch, action % 100, action // 100)
    elif action < tables[A_STRIKE]:
        play_garrisoning(row, tables, scratch, action - tables[A_GARRISON])
    elif action < tables[A_CONVERT]:
        play_strike(row, tables, scratch, moat_cell(tables, action - tables[A_STRIKE]))
    elif action < tables[A_ROLE]:
        convert(row, scratch, garrison_cell(tables, action - tables[A_CONVERT]))
        end_turn(row, tables, scratch, True)
    elif action < tables[A_PASS]:
        choose_role(row, scratch, action - tables[A_ROLE])
    else:
        end_turn(row, tables, scratch, False)


# ---------------------------------------------------------------- why a move is not legal


def leaves_board(cell: int, way: int, steps: int) -> bool:
    """Whether a line from a cell leaves the board before its end (G12)."""
    column = cell % WIDTH + steps * COLUMNS[way]
    end = cell + steps * STRIDE[way]
    return end < 0 or end >= 2 * HALF or column < 0 or column >= WIDTH


def why_not_line(tables: Ints, scratch: Ints, cell: int, way: int, steps: int) -> int:
    """What stands in the way of a line, its last cell left out (G10-G12)."""
    if leaves_board(cell, way, steps):
        return WHY_OFF_BOARD
    for step in range(1, steps):
        here = cell + step * STRIDE[way]
        if kind_at(tables, here) == GENERAL:
            return WHY_CROSSES_GENERAL
        if stands_on(scratch, ATTACKS, here) or stands_on(scratch, DEFENDS, here):
            return WHY_CROSSES_UNIT
    return LEGAL


def why_not_move(row: Ints, tables: Ints, scratch: Ints, cell: int, way: int) -> int:
    """Why a unit can't be moved."""
    role = role_of(row, row[TURN])
    if not stands_on(scratch, role, cell):
        return WHY_NO_UNIT
    why = why_not_line(tables, scratch, cell, way, row[DIE])
    if why != LEGAL:
        return why
    target = cell + row[DIE] * STRIDE[way]
    if stands_on(scratch, role, target):
        return WHY_OWN_UNIT
    if role == DEFENDS and kind_at(tables, target) == GENERAL:
        return WHY_OWN_GENERAL
    return LEGAL


def why_not_garrisoning(row: Ints, tables: Ints, scratch: Ints, number: int) -> int:
    """Why a unit can't be garrisoned (G23)."""
    role = role_of(row, row[TURN])
    target = field_cell(tables, number % 72)
    if row[DIE] != 6:
        return WHY_GARRISON_NEEDS_SIX
    if (row[GARRISONED] >> role) & 1:
        return WHY_GARRISON_USED
    if not stands_on(scratch, role, garrison_cell(tables, 12 * role + number // 72)):
        return WHY_GARRISON_NO_UNIT
    if stands_on(scratch, ATTACKS, target) or stands_on(scratch, DEFENDS, target):
        return WHY_GARRISON_TAKEN
    return LEGAL


def why_not_strike(row: Ints, scratch: Ints, cell: int) -> int:
    """Why the General can't strike (G25)."""
    if role_of(row, row[TURN]) != DEFENDS:
        return WHY_STRIKE_ATTACKER
    if row[STRUCK]:
        return WHY_STRIKE_USED
    if row[DIE] != 1:
        return WHY_STRIKE_NEEDS_ONE
    if units(scratch, DEFENDS) >= STRIKE_BELOW:
        return WHY_STRIKE_TOO_MANY
    return LEGAL if stands_on(scratch, ATTACKS, cell) else WHY_STRIKE_NOBODY


def why_not_convert(row: Ints, tables: Ints, scratch: Ints, cell: int) -> int:
    """Why a unit can't be converted (G27)."""
    if row[PHASE] != CONVERT:
        return WHY_NO_CONVERSION
    return LEGAL if has(convertible(row, tables, scratch, row[CELL]), 0, cell) else WHY_CONVERT_NOBODY


def why_not(row: Ints, tables: Ints, scratch: Ints, action: int) -> int:
    """LEGAL, or the first rule that forbids an action at a decision."""
    if tables[A_ROLE] <= action < tables[A_PASS]:
        return LEGAL if row[PHASE] == CHOICE else WHY_NO_ROLE_CHOICE
    if row[PHASE] == CHOICE:
        return WHY_MUST_CHOOSE_ROLE
    if tables[A_CONVERT] <= action < tables[A_ROLE]:
        return why_not_convert(row, tables, scratch, garrison_cell(tables, action - tables[A_CONVERT]))
    if row[PHASE] == CONVERT:
        return WHY_MUST_CONVERT
    if action < tables[A_GARRISON]:
        return why_not_move(row, tables, scratch, action % 100, action // 100)
    if action < tables[A_STRIKE]:
        return why_not_garrisoning(row, tables, scratch, action - tables[A_GARRISON])
    if action < tables[A_CONVERT]:
        return why_not_strike(row, scratch, moat_cell(tables, action - tables[A_STRIKE]))
    return WHY_MUST_MOVE if count_uses(row, tables, scratch) else LEGAL


# ---------------------------------------------------------------- entries


def ending_api(row: Int16s, tables: Ints, scratch: Ints) -> int:
    """How the game ends here, or GOES_ON."""
    scan(row, tables, scratch)
    return ending(row, tables, scratch)


def winner_api(row: Int16s, tables: Ints, scratch: Ints) -> int:
    """The seat that has won a game that is over, or -1 for a draw."""
    scan(row, tables, scratch)
    return winner(row, tables, scratch)


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
    """One ply of uniform random play; returns how many units it killed by landing on them."""
    if row[STAGE] == CHANCE:
        chance(row, tables, scratch, draw_chance(row, tables, scratch, key, ply))
        return 0
    count = count_legal(row, tables, scratch)
    choice = below(key, ply, count) if count > 1 else 0
    apply(row, tables, scratch, action_at(row, tables, scratch, choice))
    return scratch[CAPTURES]


# ---------------------------------------------------------------- what generic kernels ask of every game


def player_count(tables: Ints) -> int:
    """Two play."""
    return 2


def row_size(tables: Ints) -> int:
    """Integers in a row."""
    return ROW_SIZE


def moves_at(tables: Ints) -> int:
    """Where in the scratch `legal` lists the actions."""
    return S_MOVES


def captured(scratch: Ints) -> int:
    """Units that the last move killed by landing on them."""
    return scratch[CAPTURES]


def prize(row: Ints, tables: Ints, scratch: Ints, seat: int) -> float:
    """What a seat gets of a game that is over: +1 and -1, or 0 for each (G22, G32)."""
    won = winner(row, tables, scratch)
    if won < 0:
        return 0.0
    return 1.0 if won == seat else -1.0


def mark_legal(row: Ints, tables: Ints, scratch: Ints, count: int, out: MutableSequence[int], at: int) -> None:
    """Write the mask at out[at…]: 1 for each listed action; every one is a move of its own."""
    for index in range(at, at + tables[A_PASS] + 1):
        out[index] = 0
    for number in range(count):
        out[at + scratch[S_MOVES + number]] = 1


def begin(scratch: Ints) -> None:
    """A game begins: what the scratch counts over a game is 0."""
    scratch[INTERCEPTIONS] = 0
    scratch[CONVERSIONS] = 0
    scratch[GAME_TURNS] = 0


def report(row: Ints, tables: Ints, scratch: Ints, moves: int, captures: int, plies: int, out: Ints, at: int) -> None:
    """A game's line at out[at…]: winner, turns, moves, captures, plies, finished, and how it ended, the attacker's
    seat, hits, interceptions, conversions.
    """
    out[at] = winner(row, tables, scratch) if row[STAGE] == OVER else -1
    out[at + 1] = scratch[GAME_TURNS]
    out[at + 2] = moves
    out[at + 3] = captures
    out[at + 4] = plies
    out[at + 5] = row[STAGE] == OVER
    out[at + 6] = ending(row, tables, scratch)
    out[at + 7] = row[ATTACKER]
    out[at + 8] = row[HITS]
    out[at + 9] = scratch[INTERCEPTIONS]
    out[at + 10] = scratch[CONVERSIONS]


# ---------------------------------------------------------------- what a player sees


def observe(row: Ints, tables: Ints, scratch: Ints, seat: int, out: MutableSequence[float], at: int) -> int:
    """Write what a seat sees at out[at…], in [0, 1] (G31); observe.py names each index. Returns the length."""
    known = row[ATTACKER] != NOBODY
    role = role_of(row, seat) if known else ATTACKS
    for cell in range(100):
        for side in range(2):
            line = row[UNITS + 10 * (role ^ side) + cell // WIDTH]
            out[at + 100 * side + cell] = (line >> (cell % WIDTH)) & 1
        out[at + 200 + cell] = 0.0
    if row[PHASE] == CONVERT or row[PHASE] == INTERCEPT:
        out[at + 200 + row[CELL]] = 1.0
    end = at + 300
    out[end] = 1.0 if known and role == ATTACKS else 0.0
    out[end + 1] = 1.0 if known and role == DEFENDS else 0.0
    out[end + 2] = 1.0 if row[TURN] == seat else 0.0
    out[end + 3] = 1.0 if known and role_of(row, row[TURN]) == ATTACKS else 0.0
    out[end + 4] = 1.0 if row[STAGE] == DECISION else 0.0
    for phase in range(5):
        out[end + 5 + phase] = 1.0 if row[PHASE] == phase else 0.0
    end += 10
    for face in range(1, 7):
        out[end + face - 1] = 1.0 if row[DIE] == face else 0.0
    end += 6
    out[end] = row[HITS] / GENERAL_FALLS
    out[end + 1] = (row[GARRISONED] >> ATTACKS) & 1
    out[end + 2] = (row[GARRISONED] >> DEFENDS) & 1
    out[end + 3] = row[STRUCK]
    out[end + 4] = min(row[QUIET], tables[QUIET_LIMIT]) / max(1, tables[QUIET_LIMIT])
    out[end + 5] = min(row[TURNS], tables[TURN_LIMIT]) / max(1, tables[TURN_LIMIT])
    return end + 6 - at
