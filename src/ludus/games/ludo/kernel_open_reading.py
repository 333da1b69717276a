"""What the Ludo bots read of kernel_open.py's tables: the bodies of kernel_playing.py's names.

A colour's distances are counted round the path; what changes in the course of a game is read as it is at the start.
"""

from __future__ import annotations

from ludus.games.ludo import kernel_open as k
from ludus.games.ludo.kernel_open import Ints, bank_of, winners
from ludus.games.ludo.kernel_reading import area, node_of, piece_count, steps_behind, whole_way

# the first seven fields of the tables, and the pieces in the row, are where kernel.py has them
__all__ = ["area", "node_of", "piece_count", "steps_behind", "whole_way"]

INLINED = (
    "is_goal", "is_enemy", "advance", "is_safe_for", "is_globe", "is_star", "has_blocks", "may_block", "dice_total",
    "has_captured", "came_home",
)  # fmt: skip


def is_goal(tables: Ints, node: int) -> bool:
    """Whether a piece on a node counts as brought home."""
    return (tables[k.TILES] if tables[k.HOME_IS_LANE] else tables[k.FINISH]) <= node <= tables[k.FINISH]


def is_enemy(tables: Ints, seat: int, other: int) -> bool:
    """Whether two colours are on different sides."""
    return tables[tables[k.T_SIDE] + seat] != tables[tables[k.T_SIDE] + other]


def advance(row: Ints, tables: Ints, seat: int, node: int) -> int:
    """How far a colour's piece on a node has come."""
    if node < tables[k.TILES]:
        steps = node - tables[tables[k.T_ENTRY] + seat]
        return 1 + (steps if steps >= 0 else steps + tables[k.TILES])
    return 1 + node if node <= tables[k.FINISH] else 0


def is_safe_for(tables: Ints, seat: int, node: int) -> bool:
    """Whether no piece of a colour is ever captured on a node because of what the node is (H16)."""
    if node >= tables[k.TILES] or is_globe(tables, node):
        return True
    return tables[tables[k.T_BANK] + k.O_ENTRY_RULE] != 0 and tables[tables[k.T_ENTRY] + seat] == node


def is_globe(tables: Ints, node: int) -> bool:
    """Whether a path tile is a globe or safe tile."""
    return tables[tables[tables[k.T_BANK] + k.O_GUARD] + node] > 0


def is_star(tables: Ints, seat: int, node: int) -> bool:
    """Whether a path tile takes a piece on to another one."""
    return tables[tables[tables[k.T_BANK] + k.O_JUMP] + seat * tables[k.TILES] + node] >= 0


def has_blocks(tables: Ints) -> bool:
    """Whether blocks stop anybody."""
    return tables[tables[k.T_BANK] + k.O_STOPS] != 0


def may_block(tables: Ints, node: int) -> bool:
    """Whether two pieces on a path tile can be a block."""
    return has_blocks(tables) and tables[tables[tables[k.T_BANK] + k.O_BLOCKABLE] + node] != 0


def dice_total(row: Ints, tables: Ints, action: int) -> int:
    """The most that a move of a few steps can be: what goes further has jumped."""
    return 6


def has_captured(row: Ints, tables: Ints, seat: int) -> bool:
    """Whether the rules that a colour began with have changed for it, where they can (Z10, L2)."""
    return tables[k.CHANGES] == 0 or bank_of(row, tables, seat) != tables[k.T_BANK]


def came_home(scratch: Ints) -> int:
    """How many pieces the last move brought home."""
    return scratch[k.HOMECOMING]


def begin(scratch: Ints) -> None:
    """A game begins: what the scratch counts over a game is 0."""
    scratch[k.GAME_TURNS] = 0


def report(row: Ints, tables: Ints, scratch: Ints, moves: int, captures: int, plies: int, out: Ints, at: int) -> None:
    """A game's line at out[at…]: winner, turns, moves, captures, plies, finished."""
    winner = -1
    if row[k.STAGE] == k.OVER and winners(row, tables) == 1:
        for seat in range(tables[k.PLAYERS]):
            if row[tables[k.R_PLACE] + seat] == 1 and winner < 0:
                winner = seat
    out[at] = winner
    out[at + 1] = scratch[k.GAME_TURNS]
    out[at + 2] = moves
    out[at + 3] = captures
    out[at + 4] = plies
    out[at + 5] = row[k.STAGE] == k.OVER
