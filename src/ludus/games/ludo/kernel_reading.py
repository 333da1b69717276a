"""What the Ludo bots read of kernel.py's tables: the bodies of kernel_playing.py's names."""

from __future__ import annotations

from ludus.games.ludo import kernel as k
from ludus.games.ludo.kernel import Ints, set_total
from ludus.games.ludo.kernel_playing import AT_FINISH, HELD_AWAY, IN_YARD, ON_END_PATH, ON_PATH

INLINED = (
    "piece_count", "node_of", "moved_piece", "area", "is_goal", "is_enemy", "advance", "whole_way", "steps_behind",
    "is_safe_for", "is_globe", "is_star", "has_blocks", "may_block", "dice_total", "has_captured", "came_home",
)  # fmt: skip


def piece_count(tables: Ints) -> int:
    """Pieces of each colour."""
    return tables[k.PIECES]


def node_of(row: Ints, tables: Ints, seat: int, piece: int) -> int:
    """Where a piece stands."""
    return int(row[k.PIECE_0 + seat * tables[k.PIECES] + piece])


def moved_piece(tables: Ints, action: int) -> int:
    """Which piece an action moves."""
    return action % tables[k.PIECES]


def area(tables: Ints, node: int) -> int:
    """What kind of place a node is."""
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
    return tables[tables[k.T_SIDE] + seat] != tables[tables[k.T_SIDE] + other]


def advance(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """How far a colour's piece on a node has come: 0 in the yard, 1 on the entry tile, most at the finish."""
    if node < tables[k.TILES]:
        steps = node - tables[tables[k.T_ENTRY] + seat]
        return 1 + (steps if steps >= 0 else steps + tables[k.TILES])
    return 1 + node if node <= tables[k.FINISH] else 0


def whole_way(tables: Ints) -> int:
    """`advance` at the finish."""
    return 1 + tables[k.FINISH]


def steps_behind(row: Ints, tables: Ints, other: int, node: int, tile: int) -> int:
    """How many tiles a piece on a path node is behind a path tile, round the path."""
    steps = tile - node
    return steps if steps >= 0 else steps + tables[k.TILES]


def is_safe_for(tables: Ints, seat: int, node: int) -> bool:
    """Whether no piece of a colour is ever captured on a node because of what the node is (H16)."""
    if node >= tables[k.TILES] or is_globe(tables, node):
        return True
    return tables[k.ENTRY_RULE] != 0 and tables[tables[k.T_ENTRY] + seat] == node


def is_globe(tables: Ints, node: int) -> bool:
    """Whether a path tile is a globe or safe tile: no colour is captured there (Z5, T5, F3)."""
    return tables[tables[k.T_GUARD] + node] > 0


def is_star(tables: Ints, seat: int, node: int) -> bool:
    """Whether a path tile has a star that jumps (T3)."""
    return tables[tables[k.T_STAR] + seat * tables[k.TILES] + node] >= 0


def has_blocks(tables: Ints) -> bool:
    """Whether blocks stop anybody."""
    return tables[k.STOPS] != 0


def may_block(tables: Ints, node: int) -> bool:
    """Whether two pieces on a path tile can be a block."""
    if tables[k.STOPS] == 0:
        return False
    return tables[tables[k.T_BLOCKABLE] + tables[k.WORDS] * node + node // k.TILES_PER_WORD] != 0


def dice_total(row: Ints, tables: Ints, action: int) -> int:
    """The steps that an action's dice give."""
    if tables[k.POOLED] == 0:
        return int(row[k.DIE])
    return set_total(tables, action // tables[k.PIECES]) if action < tables[k.A_OUT] else 0


def has_captured(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether the way home is open to a colour (Z10)."""
    return tables[k.BANKED] == 0 or row[tables[k.R_CAPTURED] + seat] != 0


def came_home(scratch: Ints) -> int:
    """How many pieces the last move brought home."""
    return scratch[k.HOMECOMING]
