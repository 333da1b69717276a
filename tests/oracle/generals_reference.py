"""A slow, plain reference for the game Generals, written from the rule book (G1-G36) and its source alone.

It shares no code with the package. Positions are plain dicts in the contract's form:

    {"attacker": ["a10", ...], "defender": ["a1", ...], "turn": "attacker", "dice": 4,
     "hits": 0, "garrisoned": [], "struck": False, "quiet": 0, "turns": 0}
    "convert": cell  a conversion is pending (the cell of the unit that entered)
    "attack": cell   an interception is pending (the origin of the attacking unit, still listed)

and, only with the option toss:

    neither "toss" nor "roles"                          the toss is due
    "toss": "white"                                     white has won the toss and chooses
    "roles": {"white": "attacker", "black": "defender"} chosen, or preset; "toss" is gone

`turn` is a role always. Options: {"directions": 4, "toss": False, "quiet_limit": 100, "turn_limit": 1000}; a limit
of 0 is none, and what it would ask for is then not counted.

Readings (where the text leaves a choice; each one is a point to compare)

 R1  Counting (G22): `turns` goes up by 1 at the end of each turn, the one that ends the game included;
     `quiet` goes to 0 at the end of a turn whose move was a capture, an attack (hit or intercepted), a
     conversion or garrisoning, else +1.
 R2  A strike sets quiet to 0 at once (visible while the 1 is still to be moved); the end of that turn
     adds 1 if the unit move is quiet (so 1), and gives 0 if that unit move is itself progress.
 R3  A strike that ends the turn without a unit move ends with quiet 1: no defender units, or the last
     attacker struck (game over at once, no unit move; that turn is counted too).
 R4  While a conversion or an interception is pending, quiet and turns still hold their values from before
     this move (after a strike in the same turn: quiet 0). Limits are only reached at the end of a turn.
 R5  Finished = hits 3, else no attackers, else quiet >= quiet_limit or turns >= turn_limit, read off the
     position alone, so a set-up position with such data is finished whoever's turn it names (values above
     a limit are accepted).
 R6  When the game is over `turn` stays the last mover's; dice, convert and attack are absent; hits,
     garrisoned, struck, quiet and turns stay. A finished position WITH dice, convert or attack is refused
     (id of what ended it: G20/G21/G22).
 R7  "0 for each" (G22) is the value of the draw for both sides. Limits are whole numbers >= 1; 0 does not
     switch one off.
 R8  Stalemate roll (G15): the next position equals the one before the roll, counts too. Outcomes are
     always '1'..'6', 1/6 each, stalemate rolls included.
 R9  Defender without units (G16): every roll is a decision: on a 1 with an unused strike and an attacker
     in the moat the strikes only (no pass), otherwise `pass` only. After that strike the turn ends at
     once, without a `pass`.
 R10 A strike with units leaves {dice: 1, struck: True} with the defender to move; nothing else marks
     "after the strike" (a defender with units always has a legal 1, so no case differs).
 R11 "Fewer than three defender units" (G25) is asked when the 1 is used, before the unit move; converted
     units count.
 R12 No strike after the unit move (G26): the unit move (or conversion) ends the turn.
 R13 Entering a garrison (G27) means ending the move there; no straight line passes through a corner
     triangle and out again. A move inside the same garrison converts nothing.
 R14 Conversion with one attacker there is part of the same move's result; a kill on arrival is done first
     and the killed unit is not counted; with none left there the move is an ordinary one (a kill still is
     progress).
 R15 A pending conversion needs turn defender, a defender unit on that cell of an attacker garrison, at
     least two attackers in that garrison, AND a way in: an empty cell outside that garrison, 1-6 cells
     off in an allowed direction, with all cells between empty and not General (a unit walled in "can't
     be" the one that has just entered).
 R16 A pending interception needs turn attacker, an attacker unit on that cell, a clear line of 1-6 cells
     to a General cell in an allowed direction, and at least one defender in the moat (with none the
     attack would have been a hit).
 R17 The pending attack keeps no target and no die: several attacks of one unit give one position, under
     several notations.
 R18 A die is refused as a stalemate (G15) only if that roll has no use at all while some roll would give
     a unit move or garrisoning; a defender without units may hold any die 1-6.
 R19 Refusals carry the id of the rule that is broken: off the board G1, on the General G11, two on a cell
     G10, too many units G5, die not 1-6 G8, stalemate G15, a defender attacking G14, attack line G17,
     nobody to intercept G18, hits G20, counts G22, garrisoned G23, struck G25, convert G27, toss and
     roles G6; unknown or missing keys, wrong types and several pending at once G35.
 R20 attacker, defender and turn must be there; all other keys have defaults. "dice": None is refused.
 R21 Not asked, since it is only reachability: hits + attackers <= 12, quiet <= turns, parity of turns
     against turn, struck with many defenders, whose turn a finished position names, a hit count against
     units.
 R22 Garrisoning (G23) goes to any empty cell outside all four garrisons and the General, next to the unit
     or on a line of six as well; `a10>d4` and a plain `a10-...` are different moves even when both reach
     one cell.
 R23 The toss is no turn. Its two stages have the start position and nothing else set; roles keep `turn`
     "attacker" (G7), and after the choice who won the toss is forgotten (it does not affect the future).
 R24 With toss, `to_move` names players (white, black), while `turn`, `garrisoned` and `result` go by
     role; `player_result` gives the result by player.
 R25 Normal form orders units by column, then row number (a2 before a10).
"""

from fractions import Fraction

# ----------------------------------------------------------------------------------------------------
# Board (G1-G5)

COLUMNS = "abcdefghij"
# G1: rows of the board from 0 at the top (written 10) to 9 at the bottom (written 1). Here only the
# written numbers.
ALL_CELLS = [column + str(number) for column in COLUMNS for number in range(1, 11)]

GENERAL = ["e5", "e6", "f5", "f6"]  # G2
MOAT = ["d4", "e4", "f4", "g4", "d5", "g5", "d6", "g6", "d7", "e7", "f7", "g7"]  # G3

ATTACKER_GARRISONS = [  # G4
    ["a10", "b10", "c10", "a9", "b9", "a8"],
    ["j10", "i10", "h10", "j9", "i9", "j8"],
]
DEFENDER_GARRISONS = [  # G4
    ["a1", "b1", "c1", "a2", "b2", "a3"],
    ["j1", "i1", "h1", "j2", "i2", "j3"],
]
ATTACKER_GARRISON_CELLS = ATTACKER_GARRISONS[0] + ATTACKER_GARRISONS[1]
DEFENDER_GARRISON_CELLS = DEFENDER_GARRISONS[0] + DEFENDER_GARRISONS[1]
ALL_GARRISON_CELLS = ATTACKER_GARRISON_CELLS + DEFENDER_GARRISON_CELLS

ORTHOGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)]  # G9
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]  # G9, the option

ROLES = ["attacker", "defender"]
PLAYERS = ["white", "black"]

DEFAULT_OPTIONS = {"directions": 4, "toss": False, "quiet_limit": 100, "turn_limit": 1000}

KEYS = [
    "attacker",
    "defender",
    "turn",
    "dice",
    "hits",
    "garrisoned",
    "struck",
    "quiet",
    "turns",
    "convert",
    "attack",
]
TOSS_KEYS = ["toss", "roles"]


def _option(options, name):
    """One option, or its default (G9, G6, G22)."""
    value = (options or {}).get(name, DEFAULT_OPTIONS[name])
    if name == "directions" and value not in (4, 8):
        raise ValueError("G9: directions must be 4 or 8")
    if name in ("quiet_limit", "turn_limit") and (not _is_whole(value) or value < 0):
        raise ValueError("G22: a limit must be a whole number, 0 for none")
    return value


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _directions(options):
    """The steps a line may take (G9)."""
    if _option(options, "directions") == 8:
        return ORTHOGONAL + DIAGONAL
    return ORTHOGONAL


def _next_cell(cell, step):
    """The neighbour of a cell in a direction, or None off the board (G1, G12)."""
    column = COLUMNS.index(cell[0]) + step[0]
    number = int(cell[1:]) + step[1]
    if 0 <= column <= 9 and 1 <= number <= 10:
        return COLUMNS[column] + str(number)
    return None


def _cell_order(cell):
    return (COLUMNS.index(cell[0]), int(cell[1:]))


def _other(role):
    return "defender" if role == "attacker" else "attacker"


def _own_garrison_cells(role):
    """Garrison cells go by role and never change (G4, G23)."""
    return ATTACKER_GARRISON_CELLS if role == "attacker" else DEFENDER_GARRISON_CELLS


def _attacker_garrison_of(cell):
    """The six cells of the attacker garrison that holds the cell, or None (G4, G27)."""
    for garrison in ATTACKER_GARRISONS:
        if cell in garrison:
            return garrison
    return None


# ----------------------------------------------------------------------------------------------------
# Positions: full form inside, normal form outside


def _full(pos):
    """A copy with every default written out; pending keys are None when absent."""
    return {
        "attacker": list(pos["attacker"]),
        "defender": list(pos["defender"]),
        "turn": pos["turn"],
        "dice": pos.get("dice"),
        "hits": pos.get("hits", 0),
        "garrisoned": list(pos.get("garrisoned", [])),
        "struck": pos.get("struck", False),
        "quiet": pos.get("quiet", 0),
        "turns": pos.get("turns", 0),
        "convert": pos.get("convert"),
        "attack": pos.get("attack"),
        "toss": pos.get("toss"),
        "roles": dict(pos["roles"]) if pos.get("roles") is not None else None,
    }


def normal(pos, options=None):
    """The one form of a position for comparing: units sorted, default keys absent (G31)."""
    full = _full(pos)
    result_dict = {
        "attacker": sorted(full["attacker"], key=_cell_order),
        "defender": sorted(full["defender"], key=_cell_order),
        "turn": full["turn"],
    }
    if full["dice"] is not None:
        result_dict["dice"] = full["dice"]
    if full["hits"] != 0:
        result_dict["hits"] = full["hits"]
    if full["garrisoned"]:
        result_dict["garrisoned"] = sorted(full["garrisoned"])
    if full["struck"]:
        result_dict["struck"] = True
    if full["quiet"] != 0:
        result_dict["quiet"] = full["quiet"]
    if full["turns"] != 0:
        result_dict["turns"] = full["turns"]
    for key in ("convert", "attack", "toss"):
        if full[key] is not None:
            result_dict[key] = full[key]
    if full["roles"] is not None:
        result_dict["roles"] = {player: full["roles"][player] for player in PLAYERS}
    return result_dict


def start(options=None):
    """The first position: twelve units a side on their garrisons, the attacker to roll, or the toss due (G5,
    G6, G7).
    """
    return normal(
        {"attacker": ATTACKER_GARRISON_CELLS, "defender": DEFENDER_GARRISON_CELLS, "turn": "attacker"},
        options,
    )


def _toss_stage(full, options):
    """'toss' while the toss is due, 'choice' while its winner chooses, else None (G6)."""
    if not _option(options, "toss") or full["roles"] is not None:
        return None
    return "toss" if full["toss"] is None else "choice"


# ----------------------------------------------------------------------------------------------------
# The end of the game


def _ending(full, options):
    """(rule id, result) when the game is over, else None; asked in the order of G22 (G20, G21, G22, G32)."""
    if full["hits"] >= 3:
        return "G20", {"attacker": 1, "defender": -1}
    if not full["attacker"]:
        return "G21", {"attacker": -1, "defender": 1}
    for key, limit in (("quiet", "quiet_limit"), ("turns", "turn_limit")):
        if _option(options, limit) != 0 and full[key] >= _option(options, limit):
            return "G22", {"attacker": 0, "defender": 0}
    return None


def result(pos, options=None):
    """None, or the value per role (G20, G21, G22, G32)."""
    full = _full(pos)
    if _toss_stage(full, options) is not None:
        return None
    ending = _ending(full, options)
    return None if ending is None else ending[1]


def player_result(pos, options=None):
    """The value per player in a game with a toss (G32)."""
    by_role = result(pos, options)
    if by_role is None:
        return None
    return {player: by_role[pos["roles"][player]] for player in PLAYERS}


def _end_turn(full, options, progress):
    """The turn is over: count it, clear what belongs to it, pass the turn on unless the game is over (G22,
    contract).
    """
    if _option(options, "turn_limit") != 0:
        full["turns"] += 1
    if _option(options, "quiet_limit") != 0:
        full["quiet"] = 0 if progress else full["quiet"] + 1
    full["dice"] = None
    full["convert"] = None
    full["attack"] = None
    if _ending(full, options) is None:
        full["turn"] = _other(full["turn"])
    return normal(full, options)


# ----------------------------------------------------------------------------------------------------
# Who acts


def to_move(pos, options=None):
    """'chance', the role (with toss: the player) who decides, or None when the game is over (G6, G7, G18,
    G27, G30).
    """
    full = _full(pos)
    stage = _toss_stage(full, options)
    if stage == "toss":
        return "chance"
    if stage == "choice":
        return full["toss"]
    if _ending(full, options) is not None:
        return None
    if full["attack"] is not None:
        return "chance"  # the draw of the intercepting unit (G18)
    if full["convert"] is None and full["dice"] is None:
        return "chance"  # a roll is due (G8)
    if not _option(options, "toss"):
        return full["turn"]
    for player in PLAYERS:
        if full["roles"][player] == full["turn"]:
            return player
    raise ValueError("G6: nobody has the role " + str(full["turn"]))


# ----------------------------------------------------------------------------------------------------
# Moves


def _destination(full, role, origin, step, distance):
    """Where a unit ends that goes exactly `distance` cells in one direction, or None if it may not.

    G8 exactly that many cells; G9 a straight line; G10 no unit crossed, no own unit landed on; G11, G17 a
    General cell only as the last step and only by the attacker (G14); G12 inside the board; G13 an enemy
    unit may be landed on.
    """
    own = full[role]
    enemy = full[_other(role)]
    cell = origin
    for count in range(1, distance + 1):
        is_last = count == distance
        cell = _next_cell(cell, step)
        if cell is None:
            return None  # G12
        if cell in GENERAL:
            return cell if is_last and role == "attacker" else None  # G11, G14, G17
        if cell in own:
            return None  # G10
        if cell in enemy:
            return cell if is_last else None  # G10, G13
    return cell


def _unit_moves(full, options, die):
    """Every unit move, capture and attack with this die (G8-G14, G17)."""
    role = full["turn"]
    found = {}
    for origin in full[role]:
        for step in _directions(options):
            target = _destination(full, role, origin, step, die)
            if target is not None:
                found[origin + "-" + target] = _after_unit_move(full, options, origin, target)
    return found


def _after_unit_move(full, options, origin, target):
    """The position after a unit move (G13, G17-G21, G27, G28)."""
    new = _full(full)
    role = new["turn"]

    if target in GENERAL:
        return _after_attack(new, options, origin)

    # The kill comes first (G13, G27).
    killed = target in new[_other(role)]
    if killed:
        new[_other(role)].remove(target)
    new[role].remove(origin)
    new[role].append(target)

    # Then the conversion; attackers convert nothing (G27, G28).
    garrison = _attacker_garrison_of(target)
    if role == "defender" and garrison is not None and origin not in garrison:
        attackers_there = [cell for cell in new["attacker"] if cell in garrison]
        if len(attackers_there) == 1:
            return _after_conversion(new, options, attackers_there[0])
        if len(attackers_there) >= 2:
            new["dice"] = None
            new["convert"] = target
            return normal(new, options)

    return _end_turn(new, options, progress=killed)


def _after_attack(new, options, origin):
    """An attack: an interception is pending, or a hit (G17, G18, G19, G20)."""
    if any(cell in MOAT for cell in new["defender"]):
        new["dice"] = None
        new["attack"] = origin
        return normal(new, options)
    new["attacker"].remove(origin)
    new["hits"] += 1
    return _end_turn(new, options, progress=True)


def _after_conversion(full, options, cell):
    """One attacker unit becomes a defender unit for good; that ends the turn (G27, G21)."""
    new = _full(full)
    new["attacker"].remove(cell)
    new["defender"].append(cell)
    return _end_turn(new, options, progress=True)


def _garrisoning_moves(full, options, die):
    """Garrisoning: on a 6, once per role, from an own garrison cell to an empty cell outside garrisons
    and General (G23, G24).
    """
    role = full["turn"]
    found = {}
    if die != 6 or role in full["garrisoned"]:
        return found
    for origin in full[role]:
        if origin not in _own_garrison_cells(role):
            continue
        for target in ALL_CELLS:
            if target in ALL_GARRISON_CELLS or target in GENERAL:
                continue
            if target in full["attacker"] or target in full["defender"]:
                continue
            new = _full(full)
            new[role].remove(origin)
            new[role].append(target)
            new["garrisoned"].append(role)
            found[origin + ">" + target] = _end_turn(new, options, progress=True)
    return found


def _strike_moves(full, options, die):
    """The General's strike: on a 1, fewer than three defender units, once, an attacker unit in the moat
    (G25, G26).
    """
    found = {}
    if full["turn"] != "defender" or die != 1 or full["struck"] or len(full["defender"]) >= 3:
        return found
    for target in full["attacker"]:
        if target not in MOAT:
            continue
        new = _full(full)
        new["attacker"].remove(target)
        new["struck"] = True
        new["quiet"] = 0  # at once (G22)
        new["dice"] = 1
        if not new["attacker"] or not _unit_moves(new, options, 1):
            # The last attacker fell (G21), or no unit can move: the turn ends without a move, no reroll
            # (G26).
            found["*" + target] = _end_turn(new, options, progress=False)
        else:
            found["*" + target] = normal(new, options)  # the unit move with that 1 is still to come (G26)
    return found


def _uses_of_roll(full, options, die):
    """All legal uses of a roll; empty for a stalemate (G15)."""
    found = {}
    found.update(_unit_moves(full, options, die))
    found.update(_garrisoning_moves(full, options, die))
    found.update(_strike_moves(full, options, die))
    return found


def _rerolls_help(full, options):
    """Whether some roll 1-6 gives a unit move or garrisoning (G16)."""
    for die in range(1, 7):
        if _unit_moves(full, options, die) or _garrisoning_moves(full, options, die):
            return True
    return False


def _is_stalemate(full, options, die):
    """Whether this roll is answered by another roll (G15, G16)."""
    return not _uses_of_roll(full, options, die) and _rerolls_help(full, options)


def moves(pos, options=None):
    """Every legal move's notation with the position it leads to; {} where nobody decides (G8-G29)."""
    full = _full(pos)
    if to_move(pos, options) in ("chance", None):
        return {}

    if _toss_stage(full, options) == "choice":
        winner = full["toss"]
        loser = "black" if winner == "white" else "white"
        found = {}
        for notation, role in (("attack", "attacker"), ("defend", "defender")):
            new = _full(full)
            new["toss"] = None
            new["roles"] = {winner: role, loser: _other(role)}
            found[notation] = normal(new, options)
        return found

    if full["convert"] is not None:
        garrison = _attacker_garrison_of(full["convert"])
        return {"=" + cell: _after_conversion(full, options, cell) for cell in full["attacker"] if cell in garrison}

    found = _uses_of_roll(full, options, full["dice"])
    if not found:
        found = {"pass": _end_turn(_full(full), options, progress=False)}  # G16
    return found


# ----------------------------------------------------------------------------------------------------
# Chance (G30)


def outcomes(pos, options=None):
    """At chance: each outcome with its probability; {} elsewhere (G6, G8, G18, G30)."""
    full = _full(pos)
    if to_move(pos, options) != "chance":
        return {}
    if _toss_stage(full, options) == "toss":
        return {"toss:" + player: Fraction(1, 2) for player in PLAYERS}
    if full["attack"] is not None:
        in_moat = [cell for cell in full["defender"] if cell in MOAT]
        return {"intercept:" + cell: Fraction(1, len(in_moat)) for cell in in_moat}
    return {str(die): Fraction(1, 6) for die in range(1, 7)}


def apply_outcome(pos, options, outcome):
    """The position after a chance outcome (G6, G15, G16, G18)."""
    if outcome not in outcomes(pos, options):
        raise ValueError("G30: no such outcome here: " + str(outcome))
    new = _full(pos)

    if outcome.startswith("toss:"):
        new["toss"] = outcome[len("toss:") :]
        return normal(new, options)

    if outcome.startswith("intercept:"):
        new["attacker"].remove(new["attack"])
        new["defender"].remove(outcome[len("intercept:") :])
        return _end_turn(new, options, progress=True)

    die = int(outcome)
    if not _is_stalemate(new, options, die):
        new["dice"] = die
    return normal(new, options)  # a stalemate: the same player rolls again, nothing is counted (G15)


# ----------------------------------------------------------------------------------------------------
# Refusing impossible positions (G35)


def validate(pos, options=None):
    """Raise ValueError('G..: ...') for a position that breaks the rules (G35, contract)."""
    if not isinstance(pos, dict):
        raise ValueError("G35: a position is a dict")
    _validate_keys(pos, options)
    _validate_units(pos)
    _validate_counts(pos, options)
    if _option(options, "toss"):
        _validate_toss(pos, options)

    pending = [key for key in ("dice", "convert", "attack") if key in pos]
    if len(pending) > 1:
        raise ValueError("G35: only one of dice, convert and attack can be there: " + ", ".join(pending))

    full = _full(pos)
    if _toss_stage(full, options) is not None:
        return
    ending = _ending(full, options)
    if ending is not None and pending:
        raise ValueError(ending[0] + ": the game is over, there is no " + pending[0])
    if "dice" in pos:
        _validate_die(pos, full, options)
    if "convert" in pos:
        _validate_convert(pos, full, options)
    if "attack" in pos:
        _validate_attack(pos, full, options)


def _validate_keys(pos, options):
    """G35, contract."""
    allowed = KEYS + TOSS_KEYS if _option(options, "toss") else KEYS
    for key in pos:
        if key not in allowed:
            raise ValueError("G35: unknown key " + repr(key))
    for key in ("attacker", "defender", "turn"):
        if key not in pos:
            raise ValueError("G35: missing key " + repr(key))
    if pos["turn"] not in ROLES:
        raise ValueError("G35: turn must be attacker or defender")


def _validate_units(pos):
    """G1, G5, G10, G11."""
    seen = []
    for role in ROLES:
        if not isinstance(pos[role], (list, tuple)):
            raise ValueError("G35: " + role + " must be a list of cells")
        for cell in pos[role]:
            if cell not in ALL_CELLS:
                raise ValueError("G1: no such cell: " + repr(cell))
            if cell in GENERAL:
                raise ValueError("G11: a unit on the General: " + cell)
            if cell in seen:
                raise ValueError("G10: two units on one cell: " + cell)
            seen.append(cell)
    if len(pos["attacker"]) > 12:
        raise ValueError("G5: more than 12 attackers")
    if len(seen) > 24:
        raise ValueError("G5: more than 24 units")


def _validate_counts(pos, options):
    """G20, G22, G23, G25."""
    hits = pos.get("hits", 0)
    if not _is_whole(hits) or not 0 <= hits <= 3:
        raise ValueError("G20: hits must be 0 to 3")
    garrisoned = pos.get("garrisoned", [])
    if not isinstance(garrisoned, (list, tuple)):
        raise ValueError("G23: garrisoned must be a list of roles")
    for role in garrisoned:
        if role not in ROLES:
            raise ValueError("G23: garrisoned names roles, not " + repr(role))
    if len(set(garrisoned)) != len(garrisoned):
        raise ValueError("G23: garrisoning is once per player")
    if not isinstance(pos.get("struck", False), bool):
        raise ValueError("G25: struck must be true or false")
    for key in ("quiet", "turns"):
        if not _is_whole(pos.get(key, 0)) or pos.get(key, 0) < 0:
            raise ValueError("G22: " + key + " must be a whole number from 0")
    for key, limit in (("quiet", "quiet_limit"), ("turns", "turn_limit")):
        if pos.get(key, 0) != 0 and _option(options, limit) == 0:
            raise ValueError("G22: without a limit " + key + " is not counted")


def _validate_toss(pos, options):
    """G6."""
    if "toss" in pos and "roles" in pos:
        raise ValueError("G6: the toss is over once the roles are chosen")
    if "roles" in pos:
        roles = pos["roles"]
        if not isinstance(roles, dict) or set(roles) != set(PLAYERS) or sorted(roles.values(), key=str) != ROLES:
            raise ValueError("G6: roles give white and black one role each")
        return
    if "toss" in pos and pos["toss"] not in PLAYERS:
        raise ValueError("G6: toss names its winner, white or black")
    without_toss = {key: value for key, value in pos.items() if key != "toss"}
    pending = [key for key in ("dice", "convert", "attack") if key in pos]
    if pending or normal(without_toss, options) != start(options):
        raise ValueError("G6: the toss comes before everything else")


def _validate_die(pos, full, options):
    """G8, G15, G16."""
    if not _is_whole(pos["dice"]) or not 1 <= pos["dice"] <= 6:
        raise ValueError("G8: a die shows 1 to 6")
    if _is_stalemate(full, options, pos["dice"]):
        raise ValueError("G15: this die is a stalemate")


def _validate_convert(pos, full, options):
    """A pending conversion (G27)."""
    cell = pos["convert"]
    if full["turn"] != "defender":
        raise ValueError("G27: only the defender converts")
    if cell not in full["defender"]:
        raise ValueError("G27: no defender unit on " + repr(cell))
    garrison = _attacker_garrison_of(cell)
    if garrison is None:
        raise ValueError("G27: " + cell + " is in no attacker garrison")
    if len([unit for unit in full["attacker"] if unit in garrison]) < 2:
        raise ValueError("G27: fewer than two attackers there, nothing to choose")
    if not _could_have_entered(full, options, cell, garrison):
        raise ValueError("G27: the unit on " + cell + " can't have come from outside")


def _could_have_entered(full, options, cell, garrison):
    """Whether the unit on the cell can just have made a move from outside this garrison (G8-G12, G27)."""
    units = full["attacker"] + full["defender"]
    for step in _directions(options):
        origin = cell
        for _ in range(6):
            origin = _next_cell(origin, step)
            if origin is None or origin in units or origin in GENERAL:
                break
            if origin not in garrison:
                return True
    return False


def _validate_attack(pos, full, options):
    """A pending interception (G17, G18)."""
    cell = pos["attack"]
    if full["turn"] != "attacker":
        raise ValueError("G14: only the attacker attacks the General")
    if cell not in full["attacker"]:
        raise ValueError("G17: no attacker unit on " + repr(cell))
    targets = [
        _destination(full, "attacker", cell, step, distance)
        for step in _directions(options)
        for distance in range(1, 7)
    ]
    if not any(target in GENERAL for target in targets):
        raise ValueError("G17: no clear line from " + cell + " to the General")
    if not any(unit in MOAT for unit in full["defender"]):
        raise ValueError("G18: no defender unit in the moat to intercept")


# ----------------------------------------------------------------------------------------------------
# Random positions for comparing


def biased_position(rng, options=None):
    """A random valid, unfinished position: a roll due, a decision, a pending conversion or a pending
    interception; biased towards moat, thin defences, few attackers, specials still there, limits near,
    two hits (G35). With the option toss sometimes a stage of the toss (G6).
    """
    if _option(options, "toss") and rng.random() < 0.05:
        pos = start(options)
        if rng.random() < 0.7:
            pos["toss"] = rng.choice(PLAYERS)
        return pos
    while True:
        pos = _draw_position(rng, options)
        try:
            validate(pos, options)
        except ValueError:
            continue
        if result(pos, options) is None:
            return normal(pos, options)


def _draw_position(rng, options):  # noqa: PLR0912
    """One attempt at a biased position; may be invalid."""
    kind = rng.choices(["decision", "chance", "convert", "attack"], [56, 20, 12, 12])[0]
    scene = "any"
    if kind == "decision":
        scene = rng.choices(["any", "strike", "garrisoning", "conversion", "attack"], [40, 18, 10, 16, 16])[0]
    taken = []

    def place(areas, weights):
        """A free cell from one of the areas, drawn by weight; None if the drawn area is full."""
        area = rng.choices(areas, weights)[0]
        free = [cell for cell in area if cell not in taken and cell not in GENERAL]
        if not free:
            return None
        cell = rng.choice(free)
        taken.append(cell)
        return cell

    central = [cell for cell in ALL_CELLS if cell[0] in "defg" or cell[1:] in ("4", "5", "6", "7")]
    number_attackers = rng.choices([1, 2, 3, 4, rng.randint(5, 8), rng.randint(9, 12)], [20, 18, 14, 12, 20, 16])[0]
    number_defenders = rng.choices([0, 1, 2, 3, rng.randint(4, 8), rng.randint(9, 23)], [14, 18, 18, 14, 20, 16])[0]
    if scene == "strike":
        number_defenders = rng.choice([0, 1, 2, 3])
    number_defenders = min(number_defenders, 24 - number_attackers)

    attackers = []
    defenders = []
    pos = {"attacker": attackers, "defender": defenders, "turn": rng.choice(ROLES)}

    _set_scene(rng, pos, kind, scene, taken, place, central)
    if scene == "any" and kind in ("decision", "chance") and rng.random() < 0.15:
        # A few moves into the game, as far as the garrisons are concerned: blocks, and units that can
        # garrison.
        for garrison_cells, units in (
            (ATTACKER_GARRISON_CELLS, attackers),
            (DEFENDER_GARRISON_CELLS, defenders),
        ):
            for cell in rng.sample(garrison_cells, rng.randint(0, 12)):
                units.append(cell)
                taken.append(cell)

    attacker_weights = rng.choice([[60, 20, 10, 5, 5], [25, 35, 20, 5, 15], [10, 20, 40, 10, 20]])
    defender_weights = rng.choice([[60, 15, 5, 15, 5], [0, 25, 25, 35, 15], [10, 20, 40, 15, 15]])
    areas = [MOAT, central, ATTACKER_GARRISON_CELLS, DEFENDER_GARRISON_CELLS, ALL_CELLS]
    if scene == "attack" and rng.random() < 0.6:
        defender_weights = [0, 0, 20, 50, 0]  # far from the moat
    while len(attackers) < number_attackers:
        cell = place(areas, attacker_weights)
        if cell is not None:
            attackers.append(cell)
    misses = 0
    while len(defenders) < number_defenders and misses < 50:
        cell = place(areas, defender_weights)
        if cell is None:
            misses += 1
        else:
            defenders.append(cell)

    pos["hits"] = rng.choices([0, 1, 2], [30, 20, 50])[0]
    pos["garrisoned"] = [role for role in ROLES if rng.random() < 0.3]
    pos["struck"] = rng.random() < 0.25
    for key, limit in (("quiet", "quiet_limit"), ("turns", "turn_limit")):
        last = max(1, _option(options, limit)) - 1
        pos[key] = rng.choices([0, rng.randint(0, last), max(0, last - 1), last], [50, 26, 12, 12])[0]
    if kind == "decision":
        pos["dice"] = rng.choices([1, 2, 3, 4, 5, 6], [28, 12, 12, 12, 12, 24])[0]
    if scene == "strike":
        pos["dice"] = 1
        pos["struck"] = rng.random() < 0.1
    if scene == "garrisoning":
        pos["dice"] = 6
    if _option(options, "toss"):
        pos["roles"] = dict(zip(PLAYERS, rng.sample(ROLES, 2), strict=True))
    return pos


def _set_scene(rng, pos, kind, scene, taken, place, central):
    """The first few units of a scene, and whose turn it is."""
    attackers = pos["attacker"]
    defenders = pos["defender"]
    if kind == "convert":
        # A defender unit in an attacker garrison with at least two attackers.
        pos["turn"] = "defender"
        garrison = rng.choice(ATTACKER_GARRISONS)
        cells = rng.sample(garrison, rng.randint(3, 6))
        pos["convert"] = cells[0]
        defenders.append(cells[0])
        attackers.extend(cells[1:])
        taken.extend(cells)
    if kind == "attack":
        # An attacker unit near the General and at least one defender unit in the moat.
        pos["turn"] = "attacker"
        cell = place([MOAT, central], [50, 50])
        attackers.append(cell)
        pos["attack"] = cell
        defenders.append(place([MOAT], [1]))

    if scene == "strike":
        # An attacker unit in the moat, a 1, few defenders (G25, G26).
        pos["turn"] = "defender"
        attackers.append(place([MOAT], [1]))
    if scene == "garrisoning":
        # A unit on an own garrison cell and a 6 (G23).
        if pos["turn"] == "attacker":
            attackers.append(place([ATTACKER_GARRISON_CELLS], [1]))
        else:
            defenders.append(place([DEFENDER_GARRISON_CELLS], [1]))
    if scene == "conversion":
        # Attackers at home and a defender unit in line with that garrison, or inside it (G27).
        pos["turn"] = "defender"
        garrison = rng.choice(ATTACKER_GARRISONS)
        beside = [cell for cell in ALL_CELLS if cell[0] == garrison[0][0] or cell[1:] in ("8", "9", "10")]
        for _ in range(rng.randint(0, 3)):
            attackers.append(place([garrison], [1]))
        defenders.append(place([garrison, beside], [20, 80]))
    if scene == "attack":
        # An attacker unit near the General, mostly with nobody to intercept (G17-G20).
        pos["turn"] = "attacker"
        attackers.append(place([MOAT, central], [60, 40]))
