"""What a position of Ludo shows, of every Ludo, as numbers to learn from: computed from the rules' own tables.

In the kernel language (docs/kernels.md). One layout serves every document: first what belongs to the turn, then a block
for each seat in order of play from the one that looks, then one for a teammate. What a piece can reach, whom it would
capture and who could capture it is asked of the kernel itself (`reach`, `meets`), so that a rule that is added there
is known here.
"""

from __future__ import annotations

from ludus.core.compiling.language import Floats, Ints
from ludus.core.kernels.codes import DECISION, STAGE, TURN
from ludus.core.kernels.features import FEATURE_LIST
from ludus.games.ludo import kernel as k
from ludus.games.ludo.kernel import (
    advance_of,
    bank_of,
    captures_slot,
    cards_of,
    changed_slot,
    come,
    deck_slot,
    distance_of,
    effect_of,
    frozen_slot,
    home_count,
    jump_from,
    look_ahead,
    lost_slot,
    meets,
    place_slot,
    reach,
    score_slot,
    side_of,
    sixes_slot,
    skip_slot,
    slot,
    waiting,
)

INLINED = ("note", "steps_to_go", "place_of_steps", "quarter_of", "block_of", "seat_in_order", "may_take")

# --- the turn ---
DECIDES, IN_A_ROW, ATTEMPTS, ANOTHER, UNBLOCKED, TIME, PLACED, DECK_LEFT, ROLLING_OFF = 0, 1, 4, 7, 9, 10, 11, 12, 13
WAITS = 14  # a token by its distance, 1 to 12, then others
WAITS_OTHER = 27
TURN_SIZE = 32

# --- a seat's block ---
PLACE, FINE, COARSE, PLACES = 0, 64, 80, 88  # a piece by its steps to go: one by one, by fours, by sixteens
QUARTERS = 4  # of the way
DANGER, DANGERS = 88, 6  # a piece by how likely it is captured, and how far it has come
ATTACK = DANGER + DANGERS * QUARTERS  # how likely a piece is captured, by how far that has come
SAFE = ATTACK + QUARTERS
STACKED = SAFE + QUARTERS
YARD, HOME, HELD = STACKED + QUARTERS, STACKED + QUARTERS + 9, STACKED + QUARTERS + 18
MOST_COUNTED, MOST_HELD = 8, 4
FLAGS = HELD + 5
(
    MOVES, COMES_HOME, COMES_OUT, RACE, OPEN, CHANGE_1, CHANGE_2, CHANGE_3, CHANGE_4, MISSES, POINTS, CAPTURES, LOST,
    RANK, FROZEN, SIXES_KEPT, CHASED, HUNTS, BLOCK_SIZE,
) = range(FLAGS, FLAGS + 19)  # fmt: skip
MOST_SEATS = 8
MATE = MOST_SEATS  # the block of a teammate
BLOCKS = MOST_SEATS + 1
COUNT = TURN_SIZE + BLOCKS * BLOCK_SIZE

# --- to work with, after the list: how likely each kind of token is, then how likely each piece is captured ---
LIKELY = FEATURE_LIST
MOST_KINDS = 128
CAUGHT = LIKELY + MOST_KINDS
CHASE = 12  # tiles behind which a piece is chased


def feature_count(tables: Ints) -> int:
    """How many features a position of any Ludo has."""
    return COUNT


def note(which: Ints, amounts: Floats, count: int, feature: int, amount: float) -> int:
    """List a feature where it is not 0; returns how many are listed then."""
    if amount == 0.0 or count >= FEATURE_LIST:
        return count
    which[count] = feature
    amounts[count] = amount
    return count + 1


def steps_to_go(tables: Ints, seat: int, node: int) -> int:
    """How many steps a piece on a node has to go, as far as one can tell."""
    return tables[k.WHOLE_WAY] - advance_of(tables, seat, node)


def place_of_steps(steps: int) -> int:
    """The feature of a piece with some steps to go: one by one near home, then by fours, then by sixteens."""
    if steps < FINE:
        return max(steps, 0)
    if steps < FINE + 4 * (COARSE - FINE):
        return FINE + (steps - FINE) // 4
    return min(PLACES - 1, COARSE + (steps - FINE - 4 * (COARSE - FINE)) // 16)


def quarter_of(tables: Ints, seat: int, node: int) -> int:
    """The quarter of its way that a piece on a node is in."""
    gone = advance_of(tables, seat, node)
    return min(QUARTERS - 1, QUARTERS * gone // tables[k.WHOLE_WAY])


def seat_in_order(row: Ints, tables: Ints, seat: int, steps: int) -> int:
    """The seat that plays some turns after another, as the order of play is now."""
    players = tables[k.PLAYERS]
    back = tables[k.BACKWARDS] if tables[k.REVERSES] == 0 else row[k.REVERSED] != tables[k.BACKWARDS]
    after = seat - steps if back else seat + steps
    return after + players if after < 0 else after - players if after >= players else after


def block_of(tables: Ints, seat: int, other: int, steps: int) -> int:
    """Where the block of a seat begins, that plays some turns after the one that looks."""
    number = min(steps, MOST_SEATS - 1)
    if tables[k.TEAMS] and other != seat and side_of(tables, other) == side_of(tables, seat):
        number = MATE
    return TURN_SIZE + number * BLOCK_SIZE


# ---------------------------------------------------------------- what may come


def weigh_kinds(row: Ints, tables: Ints, amounts: Floats) -> None:
    """How likely a roll gives each kind of token."""
    kinds = min(tables[k.KINDS], MOST_KINDS)
    bank = bank_of(row, tables, int(row[TURN]))
    for kind in range(kinds):
        amounts[LIKELY + kind] = 0.0
    whole = 1.0 / max(1, tables[bank + k.O_WEIGHT])
    for outcome in range(tables[bank + k.O_OUTCOMES]):
        at = bank + tables[k.B_OUTCOME] + outcome * k.F_SIZE
        first = bank + tables[k.B_TOKEN] + tables[at + k.F_FIRST]
        for token in range(tables[at + k.F_TOKENS]):
            kind = tables[first + token]
            twice = token > 0 and tables[first + token - 1] == kind
            if kind < kinds and not twice:
                amounts[LIKELY + kind] += tables[at + k.F_WEIGHT] * whole


def may_take(row: Ints, tables: Ints, scratch: Ints, bank: int, seat: int, tile: int) -> bool:
    """Whether a colour's piece that lands on a tile captures somebody there."""
    return tile < tables[k.TILES] and meets(row, tables, scratch, bank, seat, tile) == k.TAKES


def endanger(row: Ints, tables: Ints, amounts: Floats, seat: int, tile: int, likely: float) -> int:
    """Some colour may capture on a tile: note it of everybody there; returns the quarter of the one farthest on."""
    farthest = 0
    for other in range(tables[k.PLAYERS]):
        if side_of(tables, other) != side_of(tables, seat):
            for piece in range(tables[k.PIECES]):
                if row[slot(tables, other, piece)] == tile:
                    amounts[CAUGHT + other * tables[k.PIECES] + piece] += likely
                    farthest = max(farthest, quarter_of(tables, other, tile))
    return farthest


def is_first_there(row: Ints, tables: Ints, seat: int, piece: int) -> bool:
    """Whether no piece of the colour before this one stands on its node: they can do the same."""
    node = row[slot(tables, seat, piece)]
    for other in range(slot(tables, seat, 0), slot(tables, seat, piece)):
        if row[other] == node:
            return False
    return True


def likely_of(tables: Ints, amounts: Floats, kinds: int) -> float:
    """How likely the next roll brings one of some kinds of tokens."""
    total = 0.0
    for kind in range(min(tables[k.KINDS], 62)):
        total += ((kinds >> kind) & 1) * amounts[LIKELY + kind]
    return total


def look_around(
    row: Ints, tables: Ints, scratch: Ints, seat: int, block: int, which: Ints, amounts: Floats, count: int
) -> int:
    """What a colour's next roll can do: move, capture, come out, come home. Whom it can capture is in danger."""
    bank = bank_of(row, tables, seat)
    look_ahead(row, tables, scratch, bank, seat)
    lowest_goal = tables[k.TILES] if tables[k.HOME_IS_LANE] else tables[k.FINISH]
    movable = 0
    homing = 0
    out = 0.0
    for piece in range(tables[k.PIECES]):
        node = int(row[slot(tables, seat, piece)])
        if node == tables[k.FINISH] or node >= tables[k.HELD] or not is_first_there(row, tables, seat, piece):
            continue
        for kind in range(min(tables[k.KINDS], MOST_KINDS)):
            likely = amounts[LIKELY + kind]
            if effect_of(tables, kind) == k.SWAP or likely == 0.0:
                continue
            for way in range(tables[k.WAYS]):
                target = reach(row, tables, scratch, bank, seat, node, kind, way)
                if target < 0:
                    continue
                place = target & k.NODE
                movable |= 1 << min(kind, 62)
                if lowest_goal <= place <= tables[k.FINISH]:
                    homing |= 1 << min(kind, 62)
                if node == tables[k.START]:
                    out += likely
                if may_take(row, tables, scratch, bank, seat, place):
                    quarter = endanger(row, tables, amounts, seat, place, likely)
                    count = note(which, amounts, count, block + ATTACK + quarter, likely)
                if tables[k.JUMPS] and place < tables[k.TILES] and target & k.BOUNCED == 0:
                    jump = jump_from(tables, bank, seat, place)
                    if jump >= 0 and may_take(row, tables, scratch, bank, seat, jump):
                        quarter = endanger(row, tables, amounts, seat, jump, likely)
                        count = note(which, amounts, count, block + ATTACK + quarter, likely)
    count = note(which, amounts, count, block + MOVES, likely_of(tables, amounts, movable))
    count = note(which, amounts, count, block + COMES_HOME, likely_of(tables, amounts, homing))
    return note(which, amounts, count, block + COMES_OUT, out)


# ---------------------------------------------------------------- who stands where


def level_of(likely: float) -> int:
    """A danger as one of a few levels."""
    if likely < 0.1:
        return 0
    if likely < 0.2:
        return 1
    if likely < 0.35:
        return 2
    if likely < 0.5:
        return 3
    return 4 if likely < 0.7 else 5


def is_guarded(row: Ints, tables: Ints, scratch: Ints, seat: int, tile: int) -> bool:
    """Whether the next player of another side that lands on a tile would not capture a colour's pieces there."""
    for steps in range(1, tables[k.PLAYERS]):
        other = seat_in_order(row, tables, seat, steps)
        if side_of(tables, other) != side_of(tables, seat):
            bank = bank_of(row, tables, other)
            come(row, tables, scratch, bank, other, tile)
            return meets(row, tables, scratch, bank, other, tile) != k.TAKES
    return False


def list_pieces(
    row: Ints, tables: Ints, scratch: Ints, seat: int, block: int, which: Ints, amounts: Floats, count: int
) -> int:
    """Where a colour's pieces stand, how many wait, how far all have to go."""
    yard, held, steps = 0, 0, 0
    for piece in range(tables[k.PIECES]):
        node = int(row[slot(tables, seat, piece)])
        if node >= tables[k.START]:
            yard += node == tables[k.START]
            held += node > tables[k.START]
            steps += tables[k.WHOLE_WAY]
            continue
        to_go = steps_to_go(tables, seat, node)
        steps += to_go
        if node == tables[k.FINISH]:
            continue
        count = note(which, amounts, count, block + PLACE + place_of_steps(to_go), 1.0)
        if node < tables[k.TILES]:
            count = list_one_piece(row, tables, scratch, seat, piece, node, block, which, amounts, count)
    count = note(which, amounts, count, block + YARD + min(yard, MOST_COUNTED), 1.0)
    if held:
        count = note(which, amounts, count, block + HELD + min(held, MOST_HELD), 1.0)
    home = min(home_count(row, tables, seat), MOST_COUNTED)
    count = note(which, amounts, count, block + HOME + home, 1.0)
    return note(which, amounts, count, block + RACE, steps / (tables[k.PIECES] * tables[k.WHOLE_WAY]))


def list_one_piece(
    row: Ints,
    tables: Ints,
    scratch: Ints,
    seat: int,
    piece: int,
    node: int,
    block: int,
    which: Ints,
    amounts: Floats,
    count: int,
) -> int:
    """What holds for a piece on a shared tile: in danger, guarded, one of several."""
    quarter = quarter_of(tables, seat, node)
    caught = amounts[CAUGHT + seat * tables[k.PIECES] + piece]
    if caught > 0.0:
        count = note(which, amounts, count, block + DANGER + DANGERS * quarter + level_of(caught), 1.0)
    if is_guarded(row, tables, scratch, seat, node):
        count = note(which, amounts, count, block + SAFE + quarter, 1.0)
    if not is_first_there(row, tables, seat, piece):
        count = note(which, amounts, count, block + STACKED + quarter, 1.0)
    return count


def list_chases(
    row: Ints, tables: Ints, seat: int, other: int, block: int, chaser: int, which: Ints, amounts: Floats, count: int
) -> int:
    """Pieces of a colour with some of another behind them, too far for one roll: how many, on both sides."""
    found = 0
    for piece in range(tables[k.PIECES]):
        tile = int(row[slot(tables, seat, piece)])
        if tile >= tables[k.TILES]:
            continue
        gone = advance_of(tables, other, tile)
        for rival in range(tables[k.PIECES]):
            node = int(row[slot(tables, other, rival)])
            if node < tables[k.TILES]:
                behind = gone - advance_of(tables, other, node)
                found += 6 < behind <= CHASE
    count = note(which, amounts, count, block + CHASED, 0.25 * found)
    return note(which, amounts, count, chaser + HUNTS, 0.25 * found)


# ---------------------------------------------------------------- what is counted


def list_counts(row: Ints, tables: Ints, seat: int, block: int, which: Ints, amounts: Floats, count: int) -> int:
    """What some rule sets count for a colour."""
    if tables[k.BANKED]:
        changed = int(row[changed_slot(tables, seat)])
        if tables[k.HOME_BIT] >= 0:
            count = note(which, amounts, count, block + OPEN, (changed >> tables[k.HOME_BIT]) & 1)
        for number in range(min(4, tables[k.CHANGES])):
            count = note(which, amounts, count, block + CHANGE_1 + number, (changed >> number) & 1)
    if tables[k.SKIPS]:
        count = note(which, amounts, count, block + MISSES, 0.25 * row[skip_slot(tables, seat)])
    if tables[k.SCORE]:
        count = note(which, amounts, count, block + POINTS, row[score_slot(tables, seat)] / tables[k.SCORE])
    if tables[k.CAPTURE_CAP]:
        share = row[captures_slot(tables, seat)] / tables[k.CAPTURE_CAP]
        count = note(which, amounts, count, block + CAPTURES, share)
    if tables[k.LOST_CAP]:
        count = note(which, amounts, count, block + LOST, row[lost_slot(tables, seat)] / tables[k.LOST_CAP])
    if tables[k.FREEZES]:
        frozen = int(row[frozen_slot(tables, seat)])
        count = note(which, amounts, count, block + FROZEN, 0.25 * frozen.bit_count())
    if tables[k.SIXES_STAY]:
        count = note(which, amounts, count, block + SIXES_KEPT, 0.3 * row[sixes_slot(tables, seat)])
    place = row[place_slot(tables, seat)]
    return note(which, amounts, count, block + RANK, place / tables[k.PLAYERS])


def list_turn(row: Ints, tables: Ints, which: Ints, amounts: Floats, count: int) -> int:
    """What holds for the turn and for the whole game."""
    count = note(which, amounts, count, DECIDES, row[STAGE] == DECISION)
    if row[k.SIXES]:
        count = note(which, amounts, count, IN_A_ROW + min(2, row[k.SIXES] - 1), 1.0)
    if row[k.ROLLS]:
        count = note(which, amounts, count, ATTEMPTS + min(2, row[k.ROLLS] - 1), 1.0)
    if row[k.AGAIN]:
        count = note(which, amounts, count, ANOTHER + min(1, row[k.AGAIN] - 1), 1.0)
    count = note(which, amounts, count, UNBLOCKED, row[k.UNBLOCKED])
    if tables[k.TURN_LIMIT]:
        count = note(which, amounts, count, TIME, row[k.TURNS] / tables[k.TURN_LIMIT])
    count = note(which, amounts, count, PLACED, row[k.PLACED] / tables[k.PLAYERS])
    if tables[k.DECK]:
        left, whole = 0, 0
        for card in range(tables[k.DECK]):
            left += row[deck_slot(tables, card)]
            whole += cards_of(tables, card)
        count = note(which, amounts, count, DECK_LEFT, left / max(1, whole))
    if tables[k.ROLLS_OFF]:
        count = note(which, amounts, count, ROLLING_OFF, row[k.ROLLOFF_IN] != 0)
    return list_tokens(row, tables, which, amounts, count)


def list_tokens(row: Ints, tables: Ints, which: Ints, amounts: Floats, count: int) -> int:
    """What waits to be played."""
    if tables[k.SINGLE] and row[k.TOKEN] == 0:
        return count
    for kind in range(tables[k.KINDS]):
        number = waiting(row, tables, kind)
        distance = distance_of(tables, kind)
        plain = effect_of(tables, kind) == k.STEP and 1 <= distance <= 12
        count = note(which, amounts, count, WAITS + distance if plain else WAITS_OTHER, number)
    return count


def list_features(row: Ints, tables: Ints, scratch: Ints, seat: int, which: Ints, amounts: Floats) -> int:
    """List what a position shows to a seat: of the turn, then of every seat in order of play (after `scan`)."""
    players = tables[k.PLAYERS]
    weigh_kinds(row, tables, amounts)
    for piece in range(CAUGHT, CAUGHT + players * tables[k.PIECES]):
        amounts[piece] = 0.0
    count = list_turn(row, tables, which, amounts, 0)
    for steps in range(players):
        other = seat_in_order(row, tables, seat, steps)
        count = look_around(row, tables, scratch, other, block_of(tables, seat, other, steps), which, amounts, count)
    for steps in range(players):
        other = seat_in_order(row, tables, seat, steps)
        block = block_of(tables, seat, other, steps)
        count = list_pieces(row, tables, scratch, other, block, which, amounts, count)
        count = list_counts(row, tables, other, block, which, amounts, count)
        for later in range(players):
            rival = seat_in_order(row, tables, seat, later)
            if side_of(tables, rival) != side_of(tables, other):
                chaser = block_of(tables, seat, rival, later)
                count = list_chases(row, tables, other, rival, block, chaser, which, amounts, count)
    return count
