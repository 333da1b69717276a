"""What the Ludo bots read of kernel_open.py's tables: the bodies of kernel_playing.py's names.

Where rules change during a game, tiles are read as they were at its beginning.
"""

from __future__ import annotations

from ludus.games.ludo import kernel_open as k
from ludus.games.ludo.kernel_open import Ints, kind_of, piece_of_action
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
    """Which piece an action moves; some piece where it moves none."""
    return piece_of_action(tables, action) % tables[k.PIECES]


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
    """How far a colour's piece on a node has come: 0 in the yard, more the fewer steps it has to go."""
    if node > tables[k.FINISH]:
        return 0
    return 1 + tables[k.FARTHEST] - tables[tables[k.T_TO_GO] + seat * tables[k.NODES] + node]


def whole_way(tables: Ints) -> int:
    """`advance` at the finish."""
    return 1 + tables[k.FARTHEST]


def steps_behind(row: Ints, tables: Ints, other: int, node: int, tile: int) -> int:
    """How many tiles a colour's piece on a path node is behind a path tile: round the path where that is a ring (H14).

    Elsewhere, on the piece's own way; many where it is past the tile.
    """
    if tables[k.TURNED] > 0:
        return (tile - node) % tables[k.TURNED]
    to_go = tables[k.T_TO_GO] + other * tables[k.NODES]
    steps = tables[to_go + node] - tables[to_go + tile]
    return steps if steps >= 0 else steps + tables[k.TILES] + tables[k.FARTHEST]


def is_safe_for(tables: Ints, seat: int, node: int) -> bool:
    """Whether no piece of a colour is ever captured on a node because of what the node is (H16)."""
    if node >= tables[k.TILES] or is_globe(tables, node):
        return True
    return tables[tables[k.T_BANK] + k.O_ENTRY_RULE] != 0 and tables[tables[k.T_ENTRY] + seat] == node


def is_globe(tables: Ints, node: int) -> bool:
    """Whether a path tile is safe for everybody."""
    return node < tables[k.TILES] and tables[tables[tables[k.T_BANK] + k.O_GUARD] + node] > 0


def is_star(tables: Ints, seat: int, node: int) -> bool:
    """Whether a path tile has a jump."""
    return tables[tables[tables[k.T_BANK] + k.O_JUMP] + seat * tables[k.TILES] + node] >= 0


def has_blocks(tables: Ints) -> bool:
    """Whether blocks stop anybody."""
    return tables[k.BLOCKS] != 0


def may_block(tables: Ints, node: int) -> bool:
    """Whether two pieces on a path tile can be a block."""
    if tables[k.BLOCKS] == 0:
        return False
    word = tables[tables[tables[k.T_BANK] + k.O_BLOCKABLE] + node // k.TILES_PER_WORD]
    return (word >> (node % k.TILES_PER_WORD)) & 1 != 0


def dice_total(row: Ints, tables: Ints, action: int) -> int:
    """The steps that an action's token gives."""
    if action >= tables[k.A_SWAP]:
        return 0
    return max(0, tables[tables[k.T_KIND] + kind_of(tables, action) * k.K_SIZE + k.K_DISTANCE])


def has_captured(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether the way home is open to a colour (Z10)."""
    return tables[k.HOME_BIT] < 0 or (row[tables[k.R_CHANGED] + seat] >> tables[k.HOME_BIT]) & 1 != 0


def came_home(scratch: Ints) -> int:
    """How many pieces the last move brought home."""
    return scratch[k.HOMECOMING]
