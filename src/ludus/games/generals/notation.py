"""Moves as text: `a10-a6`, `a10>d4`, `*d7`, `=b9`, `attack`, `defend`, `pass`; and action ids (G29).

Action ids, for `directions` D (4 or 8); fixed whatever the position:

    0           cell + 100 × direction: the unit on that cell moves as far as the die says, which is a move, a
                kill or an attack. Cells count row by row from a10 (0) to j1 (99); directions are up, right,
                down, left, up-right, down-right, down-left, up-left, where up is towards row 10.
    100 D       garrisoning: 72 × unit + target. Unit: the mover's own twelve garrison cells, target: the 72
                cells outside garrisons and General, both in the order of cells.
    100 D + 864 the General's strike on the twelve moat cells, in the order of cells
    100 D + 876 conversion of the unit on one of the attacker's twelve garrison cells, in the order of cells
    100 D + 888 `attack`, then `defend`: the choice of the toss winner
    100 D + 890 `pass`
"""

from __future__ import annotations

import re
from typing import Any

from ludus.core.errors import IllegalMove
from ludus.core.kernels.codes import TURN
from ludus.core.messages import Message
from ludus.games.generals import kernel as k
from ludus.games.generals.board import FIELD, GARRISON, MOAT, ROLES, cell_name, cell_number, line
from ludus.games.generals.positions import has_unit

PACKAGE = "ludus.games.generals"
CHOICES = ("attack", "defend")

_CELL = r"[a-j](?:[1-9]|10)"
_MOVE = re.compile(
    rf"(?P<word>pass|attack|defend)|(?P<origin>{_CELL})(?P<kind>[->])(?P<target>{_CELL})|(?P<sign>[*=])(?P<cell>{_CELL})"
)
_LOOKS_LIKE_CELLS = re.compile(r"[a-z]\d{1,2}[->][a-z]\d{1,2}|[*=][a-z]\d{1,2}")

REASONS = {code: name[4:].lower() for name, code in vars(k).items() if name.startswith("WHY_")}

# the rule that a reason cites
RULES = {
    "no_unit": "G8", "off_board": "G12", "crosses_unit": "G10", "crosses_general": "G11", "own_unit": "G10",
    "own_general": "G14", "garrison_needs_six": "G23", "garrison_used": "G23", "garrison_no_unit": "G23",
    "garrison_taken": "G23", "garrison_target": "G23", "strike_attacker": "G25", "strike_used": "G25",
    "strike_needs_one": "G25", "strike_too_many": "G25", "strike_nobody": "G25", "strike_not_moat": "G25",
    "no_conversion": "G27", "must_convert": "G27", "convert_nobody": "G27", "no_role_choice": "G6",
    "must_choose_role": "G6", "must_move": "G15", "not_a_line": "G9", "wrong_distance": "G8", "no_cell": "G1",
}  # fmt: skip


def write(tables: list[int], row: Any, action: int) -> str:
    """The notation of an action."""
    if action < tables[k.A_GARRISON]:
        way, origin = divmod(action, 100)
        return f"{cell_name(origin)}-{cell_name(origin + int(row[k.DIE]) * k.STRIDE[way])}"
    if action < tables[k.A_STRIKE]:
        unit, target = divmod(action - tables[k.A_GARRISON], len(FIELD))
        role = k.role_of(row, int(row[TURN]))
        return f"{cell_name(GARRISON[role][unit])}>{cell_name(FIELD[target])}"
    if action < tables[k.A_CONVERT]:
        return f"*{cell_name(MOAT[action - tables[k.A_STRIKE]])}"
    if action < tables[k.A_ROLE]:
        return f"={cell_name(GARRISON[k.ATTACKS][action - tables[k.A_CONVERT]])}"
    return "pass" if action == tables[k.A_PASS] else CHOICES[action - tables[k.A_ROLE]]


def refuse(key: str, **values: object) -> IllegalMove:
    """The error for a reason."""
    return IllegalMove(Message(PACKAGE, key, dict(values)), RULES.get(key))


class Parser:
    """Reads one move's notation at one decision."""

    def __init__(self, tables: list[int], row: list[int], text: str) -> None:
        self.tables = tables
        self.row = row
        self.text = text

    def action(self) -> int:
        """The action id that the text names; IllegalMove where it names none."""
        match = _MOVE.fullmatch(self.text)
        if match is None:
            key = "no_cell" if _LOOKS_LIKE_CELLS.fullmatch(self.text) else "notation"
            raise refuse(key, text=repr(self.text[:40]))
        if match["word"]:
            word = match["word"]
            return self.tables[k.A_PASS] if word == "pass" else self.tables[k.A_ROLE] + CHOICES.index(word)
        self._check_phase(match["sign"])
        if match["sign"]:
            return self._strike(match["cell"]) if match["sign"] == "*" else self._conversion(match["cell"])
        origin, target = match["origin"], match["target"]
        return self._move(origin, target) if match["kind"] == "-" else self._garrisoning(origin, target)

    def _check_phase(self, sign: str | None) -> None:
        """What is due comes before any question about cells."""
        if self.row[k.PHASE] == k.CHOICE:
            raise refuse("must_choose_role")
        if self.row[k.PHASE] == k.CONVERT and sign != "=":
            raise refuse("must_convert")

    @property
    def role(self) -> int:
        return k.role_of(self.row, self.row[TURN])

    def _move(self, origin: str, target: str) -> int:
        start, end = number(origin), number(target)
        if not has_unit(self.row, self.role, start):
            raise refuse("no_unit", cell=origin, role=role_word(self.role))
        way = line(start, end, self.tables[k.DIRECTIONS])
        if way is None:
            raise refuse("not_a_line", origin=origin, target=target)
        if way[1] != self.row[k.DIE]:
            raise refuse("wrong_distance", origin=origin, target=target, distance=way[1], die=self.row[k.DIE])
        return 100 * way[0] + start

    def _garrisoning(self, origin: str, target: str) -> int:
        start, end = number(origin), number(target)
        if start not in GARRISON[self.role]:
            raise refuse("garrison_no_unit", cell=origin, role=role_word(self.role))
        if end not in FIELD:
            raise refuse("garrison_target", cell=target)
        return self.tables[k.A_GARRISON] + len(FIELD) * GARRISON[self.role].index(start) + FIELD.index(end)

    def _strike(self, cell: str) -> int:
        if number(cell) not in MOAT:
            raise refuse("strike_not_moat", cell=cell)
        return self.tables[k.A_STRIKE] + MOAT.index(number(cell))

    def _conversion(self, cell: str) -> int:
        if self.row[k.PHASE] != k.CONVERT:
            raise refuse("no_conversion")
        if number(cell) not in GARRISON[k.ATTACKS]:
            raise refuse("convert_nobody", cell=cell)
        return self.tables[k.A_CONVERT] + GARRISON[k.ATTACKS].index(number(cell))


def number(name: str) -> int:
    """The number of a cell whose name is known to be right."""
    cell = cell_number(name)
    assert cell is not None
    return cell


def role_word(role: int) -> Message:
    """A role in the reader's language."""
    return Message(PACKAGE, ROLES[role], section="role")


def reason_values(tables: list[int], row: list[int], action: int) -> dict[str, object]:
    """What the words of a reason may name: the cells of an action, the role, the die."""
    values: dict[str, object] = {"die": row[k.DIE], "cell": "", "origin": "", "target": ""}
    if row[k.ATTACKER] != k.NOBODY:
        values["role"] = role_word(k.role_of(row, row[TURN]))
    if tables[k.A_ROLE] <= action:
        return values
    if action < tables[k.A_GARRISON]:
        way, origin = divmod(action, 100)
        values |= {"origin": cell_name(origin), "cell": cell_name(origin)}
        if not k.leaves_board(origin, way, row[k.DIE]):
            values["target"] = cell_name(origin + row[k.DIE] * k.STRIDE[way])
        return values
    text = write(tables, row, action) if row[k.ATTACKER] != k.NOBODY else ""
    origin_name, _, target_name = text.partition(">")
    return values | {"cell": origin_name.lstrip("*="), "origin": origin_name, "target": target_name}
