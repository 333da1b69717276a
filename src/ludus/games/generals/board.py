"""The board of Generals: names and kinds of cells, and a rule set as the kernel's tables."""

from __future__ import annotations

import re

from ludus.games.generals import kernel as k
from ludus.games.generals.rules import RuleSet

ROLES = ("attacker", "defender")
COLOURS = ("white", "black")
SIZE = k.WIDTH
CELLS = SIZE * SIZE

KIND_OF = {"A": k.ATTACKER_LEFT, "B": k.ATTACKER_RIGHT, "C": k.DEFENDER_LEFT, "D": k.DEFENDER_RIGHT,
           "o": k.MOAT, "G": k.GENERAL, ".": k.FIELD}  # fmt: skip
KIND = tuple(KIND_OF[letter] for letter in k.KINDS)
GENERAL = tuple(cell for cell in range(CELLS) if KIND[cell] == k.GENERAL)
MOAT = tuple(cell for cell in range(CELLS) if KIND[cell] == k.MOAT)
# where garrisoning may put a unit (G23), and each role's own garrison cells (G4)
FIELD = tuple(cell for cell in range(CELLS) if KIND[cell] in (k.FIELD, k.MOAT))
GARRISON = (
    tuple(cell for cell in range(CELLS) if KIND[cell] in (k.ATTACKER_LEFT, k.ATTACKER_RIGHT)),
    tuple(cell for cell in range(CELLS) if KIND[cell] in (k.DEFENDER_LEFT, k.DEFENDER_RIGHT)),
)

_CELL = re.compile(r"([a-j])([1-9]|10)")


def cell_name(cell: int) -> str:
    """A cell as people write it: a10 is cell 0, j1 is cell 99 (G1)."""
    return f"{'abcdefghij'[cell % SIZE]}{SIZE - cell // SIZE}"


def cell_number(name: object) -> int | None:
    """The number of a cell by name, or None where there is no such cell."""
    match = _CELL.fullmatch(name) if isinstance(name, str) else None
    return None if match is None else (SIZE - int(match[2])) * SIZE + ord(match[1]) - ord("a")


def line(origin: int, target: int, directions: int) -> tuple[int, int] | None:
    """(direction, distance) from one cell to another, or None where no straight line joins them (G9)."""
    for way in range(directions):
        for steps in range(1, SIZE):
            if not k.leaves_board(origin, way, steps) and origin + steps * k.STRIDE[way] == target:
                return way, steps
    return None


def tables_of(rules: RuleSet) -> list[int]:
    """A rule set as one flat list: the header, then the cells by kind and number."""
    moves = 100 * rules.directions
    header = [rules.directions, rules.quiet_limit, rules.turn_limit]
    for count in (0, 12 * len(FIELD), len(MOAT), 12, 2):
        moves += count
        header.append(moves)
    numbers = [0] * CELLS
    for group in (*GARRISON, FIELD):
        for number, cell in enumerate(group):
            numbers[cell] = number
    parts: tuple[list[int], ...] = (
        list(KIND),
        numbers,
        [*GARRISON[0], *GARRISON[1]],
        list(FIELD),
        list(MOAT),
    )
    at = k.HEADER
    for part in parts:
        header.append(at)
        at += len(part)
    return header + [value for part in parts for value in part]
