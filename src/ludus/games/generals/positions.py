"""Positions as plain data: reading them strictly, writing them shortly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.core.errors import InvalidPosition, quoted, suggestion
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.games.generals import kernel as k
from ludus.games.generals.board import CELLS, COLOURS, GARRISON, ROLES, SIZE, cell_name, cell_number
from ludus.games.generals.rules import RuleSet

NEEDED = ("attacker", "defender", "turn")
KEYS = (*NEEDED, "dice", "hits", "garrisoned", "struck", "quiet", "turns", "convert", "attack")
TOSS_KEYS = ("toss", "roles")
PENDING = ("dice", "convert", "attack")
MOST_UNITS = (12, 24)  # attackers, and units in all: conversion makes no new ones (G5)
MOST_COUNTED = 30_000
ENDED_BY = {k.BY_HITS: "G20", k.BY_EXHAUSTION: "G21", k.BY_QUIET: "G22", k.BY_TURNS: "G22"}


def has_unit(row: Any, role: int, cell: int) -> bool:
    """Whether a role has a unit on a cell."""
    return bool((int(row[k.UNITS + SIZE * role + cell // SIZE]) >> (cell % SIZE)) & 1)


def units_of(row: Any, role: int) -> list[int]:
    """The cells of a role's units, from its own edge to the other."""
    found = [cell for cell in range(CELLS) if has_unit(row, role, cell)]
    return found if role == k.ATTACKS else sorted(found, key=lambda cell: (-(cell // SIZE), cell % SIZE))


def put(row: list[int], role: int, cell: int) -> None:
    """Put a role's unit on a cell."""
    row[k.UNITS + SIZE * role + cell // SIZE] |= 1 << (cell % SIZE)


def start_row(toss: bool) -> list[int]:
    """Twelve units a side in their garrisons (G5); the attacker rolls, or the toss is due (G6, G7)."""
    row = [0] * k.ROW_SIZE
    row[STAGE] = CHANCE
    row[k.PHASE] = k.TOSS if toss else k.PLAY
    row[k.ATTACKER] = k.NOBODY if toss else 0
    for role, cells in enumerate(GARRISON):
        for cell in cells:
            put(row, role, cell)
    return row


class Reader:
    """Reads one position's plain data into a row."""

    def __init__(self, rules: RuleSet, tables: list[int], scratch: int, data: Mapping[str, Any]) -> None:
        self.rules = rules
        self.tables = tables
        self.scratch = [0] * scratch
        self.data = data
        self.row = [0] * k.ROW_SIZE

    def read(self) -> list[int]:
        """The row; InvalidPosition for the first thing that can't be."""
        self._keys()
        for role in (k.ATTACKS, k.DEFENDS):
            self._units(role)
        self._counts()
        self._pending_alone()
        if self.rules.toss and "roles" not in self.data:
            return self._before_the_roles()
        self._roles()
        self._stage()
        return self.row

    def _keys(self) -> None:
        if not isinstance(self.data, Mapping):
            raise InvalidPosition(f"a position is a mapping, not {quoted(self.data)}", "G35")
        known = KEYS + TOSS_KEYS if self.rules.toss else KEYS
        for key in self.data:
            if key not in known:
                raise InvalidPosition(f"unknown key {quoted(key)}{suggestion(str(key), known)}", "G35")
        for key in NEEDED:
            if key not in self.data:
                raise InvalidPosition(f"{key} is missing", "G35")
        if self.data["turn"] not in ROLES:
            raise InvalidPosition(f"turn: attacker or defender, not {quoted(self.data['turn'])}", "G35")

    # ------------------------------------------------------------ units

    def _units(self, role: int) -> None:
        name = ROLES[role]
        cells = self.data[name]
        if not isinstance(cells, list | tuple):
            raise InvalidPosition(f"{name}: a list of cells, not {quoted(cells)}", "G35")
        for text in cells:
            cell = self._cell(name, text)
            if k.kind_at(self.tables, cell) == k.GENERAL:
                raise InvalidPosition(f"{name}: a unit on {text}, a cell of the General", "G11")
            if any(has_unit(self.row, side, cell) for side in (k.ATTACKS, k.DEFENDS)):
                raise InvalidPosition(f"{name}: a second unit on {text}", "G10")
            put(self.row, role, cell)
        seen = sum(len(units_of(self.row, side)) for side in range(role + 1))
        if seen > MOST_UNITS[role]:
            words = "12 attackers" if role == k.ATTACKS else "24 units in all"
            raise InvalidPosition(f"{name}: no more than {words}, not {seen}", "G5")

    def _cell(self, key: str, text: Any) -> int:
        cell = cell_number(text)
        if cell is None:
            raise InvalidPosition(f"{key}: {quoted(text)} is no cell; cells are a1 to j10", "G1")
        return cell

    # ------------------------------------------------------------ counts

    def _number(self, key: str, most: int, rule: str) -> int:
        value = self.data.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise InvalidPosition(f"{key}: a whole number from 0 to {most}, not {quoted(value)}", rule)
        return value

    def _towards(self, key: str, limit: int) -> int:
        """What is counted towards a limit (G22)."""
        value = self._number(key, MOST_COUNTED, "G22")
        if value and not limit:
            raise InvalidPosition(f"{key}: not counted, as these rules have no limit for it, not {value}", "G22")
        return value

    def _counts(self) -> None:
        row, data = self.row, self.data
        row[k.HITS] = self._number("hits", k.GENERAL_FALLS, "G20")
        row[k.QUIET] = self._towards("quiet", self.rules.quiet_limit)
        row[k.TURNS] = self._towards("turns", self.rules.turn_limit)
        used, struck = data.get("garrisoned", []), data.get("struck", False)
        if not isinstance(used, list | tuple) or any(role not in ROLES for role in used) or len(used) > len(set(used)):
            raise InvalidPosition(f"garrisoned: a list of the roles that have garrisoned, not {quoted(used)}", "G23")
        row[k.GARRISONED] = sum(1 << ROLES.index(role) for role in used)
        if not isinstance(struck, bool):
            raise InvalidPosition(f"struck: true or false, not {quoted(struck)}", "G25")
        row[k.STRUCK] = int(struck)

    # ------------------------------------------------------------ the toss

    def _before_the_roles(self) -> list[int]:
        """The toss is due, or its winner chooses: only in the first position (G6)."""
        start = start_row(toss=True)
        given = [key for key in self.data if key in PENDING]
        if given or self.data["turn"] != "attacker" or self.row[k.DIE :] != start[k.DIE :]:
            raise InvalidPosition("roles: missing, and the toss comes before anything else", "G6")
        if "toss" in self.data:
            start[TURN] = self._player(self.data["toss"])
            start[k.PHASE], start[STAGE] = k.CHOICE, DECISION
        return start

    def _player(self, name: Any) -> int:
        if name not in COLOURS:
            raise InvalidPosition(f"toss: its winner, white or black, not {quoted(name)}", "G6")
        return COLOURS.index(name)

    def _roles(self) -> None:
        """Which seat attacks, and whose turn it is."""
        if self.rules.toss:
            roles = self.data["roles"]
            if "toss" in self.data:
                raise InvalidPosition("toss: over once the roles are chosen", "G6")
            if not isinstance(roles, Mapping) or sorted(map(str, roles)) != sorted(COLOURS) or (
                sorted(map(str, roles.values())) != sorted(ROLES)
            ):  # fmt: skip
                raise InvalidPosition(f"roles: one role each for white and black, not {quoted(roles)}", "G6")
            self.row[k.ATTACKER] = int(roles["black"] == "attacker")
        self.row[TURN] = self.row[k.ATTACKER] ^ ROLES.index(self.data["turn"])

    # ------------------------------------------------------------ what comes next

    def _pending_alone(self) -> None:
        given = [key for key in PENDING if key in self.data]
        if len(given) > 1:
            raise InvalidPosition(f"{given[1]}: not together with {given[0]}", "G35")

    def _stage(self) -> None:
        row = self.row
        k.scan(row, self.tables, self.scratch)
        over = k.ending(row, self.tables, self.scratch)
        row[STAGE] = CHANCE if over == k.GOES_ON else OVER
        for key in PENDING:
            if key in self.data and over != k.GOES_ON:
                raise InvalidPosition(f"{key}: the game is over, so it is absent", ENDED_BY[over])
        if "dice" in self.data:
            self._die(self.data["dice"])
        elif "convert" in self.data:
            self._conversion(self.data["convert"])
        elif "attack" in self.data:
            self._attack(self.data["attack"])

    def _die(self, die: Any) -> None:
        if isinstance(die, bool) or not isinstance(die, int) or not 1 <= die <= 6:
            raise InvalidPosition(f"dice: a die from 1 to 6, not {quoted(die)}", "G8")
        k.roll(self.row, self.tables, self.scratch, die)
        if self.row[STAGE] == CHANCE:
            raise InvalidPosition(f"dice: {die} is a stalemate, so the same player rolls again", "G15")

    def _conversion(self, text: Any) -> None:
        cell = cell_number(text)
        if self.data["turn"] != "defender":
            raise InvalidPosition("convert: only the defender converts", "G27")
        if cell is None or not has_unit(self.row, k.DEFENDS, cell) or cell not in GARRISON[k.ATTACKS]:
            raise InvalidPosition(f"convert: no defender in an attacker garrison on {quoted(text)}", "G27")
        if k.size(k.convertible(self.row, self.tables, self.scratch, cell), 0) < 2:
            raise InvalidPosition("convert: fewer than two attackers are in that garrison, so no choice is due", "G27")
        if not self._could_enter(cell):
            raise InvalidPosition(f"convert: no unit can just have come to {text} from outside that garrison", "G27")
        self.row[k.PHASE], self.row[STAGE], self.row[k.CELL] = k.CONVERT, DECISION, cell

    def _could_enter(self, cell: int) -> bool:
        """Whether a line of empty cells leads out of a cell's garrison, where the unit has come from."""
        kinds = self.tables[k.T_KIND]
        for way in range(self.rules.directions):
            for steps in range(1, 7):
                origin = cell + steps * k.STRIDE[way]
                if k.leaves_board(cell, way, steps) or not self._is_open(origin):
                    break
                if self.tables[kinds + origin] != self.tables[kinds + cell]:
                    return True
        return False

    def _is_open(self, cell: int) -> bool:
        taken = any(has_unit(self.row, role, cell) for role in (k.ATTACKS, k.DEFENDS))
        return not taken and k.kind_at(self.tables, cell) != k.GENERAL

    def _attack(self, text: Any) -> None:
        cell = cell_number(text)
        if self.data["turn"] != "attacker":
            raise InvalidPosition("attack: only the attacker attacks the General", "G14")
        if cell is None or not has_unit(self.row, k.ATTACKS, cell):
            raise InvalidPosition(f"attack: no attacker's unit on {quoted(text)}", "G17")
        if not self._has_line_to_the_general(cell):
            raise InvalidPosition(f"attack: no clear line from {text} to the General", "G17")
        row = self.row
        row[k.PHASE], row[k.CELL] = k.INTERCEPT, cell
        if k.outcome_count(row, self.tables, self.scratch) == 0:
            raise InvalidPosition("attack: no defender in the moat can intercept it", "G18")

    def _has_line_to_the_general(self, cell: int) -> bool:
        for way in range(self.rules.directions):
            for steps in range(1, 7):
                if k.why_not_line(self.tables, self.scratch, cell, way, steps) != k.LEGAL:
                    break
                if k.kind_at(self.tables, cell + steps * k.STRIDE[way]) == k.GENERAL:
                    return True
        return False


def to_dict(rules: RuleSet, row: list[int]) -> dict[str, Any]:
    """Everything that affects the future; `turn` is a role, `attacker` before the roles are chosen (G7)."""
    data: dict[str, Any] = {name: [cell_name(c) for c in units_of(row, role)] for role, name in enumerate(ROLES)}
    known = row[k.ATTACKER] != k.NOBODY
    data["turn"] = ROLES[k.role_of(row, row[TURN])] if known else "attacker"
    if row[k.DIE]:
        data["dice"] = row[k.DIE]
    data |= {
        "hits": row[k.HITS],
        "garrisoned": [name for role, name in enumerate(ROLES) if (row[k.GARRISONED] >> role) & 1],
        "struck": bool(row[k.STRUCK]),
    }
    data |= {key: row[at] for key, at in (("quiet", k.QUIET), ("turns", k.TURNS)) if row[at]}
    if row[k.PHASE] in (k.CONVERT, k.INTERCEPT):
        data["convert" if row[k.PHASE] == k.CONVERT else "attack"] = cell_name(row[k.CELL])
    if row[k.PHASE] == k.CHOICE:
        data["toss"] = COLOURS[row[TURN]]
    if rules.toss and known:
        data["roles"] = roles_of(row, COLOURS)
    return data


def roles_of(row: Any, players: tuple[str, ...]) -> dict[str, str] | None:
    """Who has which role, or None until they are chosen (G6)."""
    if row[k.ATTACKER] == k.NOBODY:
        return None
    return {player: ROLES[k.role_of(row, seat)] for seat, player in enumerate(players)}
