"""What the Ludo bots ask of a Ludo kernel, beside what every game offers: names and shapes, no bodies.

Two kernels play Ludo, each with its own tables; what the bots read of them goes through these few functions
(kernel_reading.py has them for kernel.py).
"""

from __future__ import annotations

from collections.abc import MutableSequence

Ints = MutableSequence[int]

# --- the kinds of places ---
IN_YARD, ON_PATH, ON_END_PATH, AT_FINISH, HELD_AWAY = range(5)


def mover(row: Ints, tables: Ints) -> int:
    """The colour whose pieces the player in turn moves."""
    raise NotImplementedError


def piece_count(tables: Ints) -> int:
    """Pieces of each colour."""
    raise NotImplementedError


def node_of(row: Ints, tables: Ints, seat: int, piece: int) -> int:
    """Where a piece stands."""
    raise NotImplementedError


def moved_piece(tables: Ints, action: int) -> int:
    """Which piece an action moves."""
    raise NotImplementedError


def area(tables: Ints, node: int) -> int:
    """What kind of place a node is: IN_YARD, ON_PATH, ON_END_PATH, AT_FINISH or HELD_AWAY."""
    raise NotImplementedError


def is_goal(tables: Ints, node: int) -> bool:
    """Whether a piece on a node counts as brought home."""
    raise NotImplementedError


def is_enemy(tables: Ints, seat: int, other: int) -> bool:
    """Whether two colours are on different sides."""
    raise NotImplementedError


def advance(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """How far a colour's piece on a node has come: 0 in the yard, 1 on the entry tile, most at the finish."""
    raise NotImplementedError


def whole_way(tables: Ints) -> int:
    """`advance` at the finish."""
    raise NotImplementedError


def steps_behind(row: Ints, tables: Ints, other: int, node: int, tile: int) -> int:
    """How many tiles a piece on a path node is behind a path tile."""
    raise NotImplementedError


def is_safe_for(tables: Ints, seat: int, node: int) -> bool:
    """Whether no piece of a colour is ever captured on a node because of what the node is (H16)."""
    raise NotImplementedError


def is_globe(tables: Ints, node: int) -> bool:
    """Whether a node is a globe or safe tile."""
    raise NotImplementedError


def is_star(tables: Ints, seat: int, node: int) -> bool:
    """Whether a node has a star that jumps."""
    raise NotImplementedError


def has_blocks(tables: Ints) -> bool:
    """Whether blocks stop anybody."""
    raise NotImplementedError


def may_block(tables: Ints, node: int) -> bool:
    """Whether two pieces on a node can be a block."""
    raise NotImplementedError


def dice_total(row: Ints, tables: Ints, action: int) -> int:
    """The steps that an action's dice give."""
    raise NotImplementedError


def has_captured(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether the way home is open to a colour (Z10)."""
    raise NotImplementedError


def came_home(scratch: Ints) -> int:
    """How many pieces the last move brought home."""
    raise NotImplementedError
