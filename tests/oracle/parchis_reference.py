"""A slow, plain reference ("oracle") for Spanish Parchís with two dice.

Written from the document's rule book and the published game, before the kernel was read. Clarity over speed.
A position is a plain dict: pieces by colour, whose turn, the dice not yet used (bonuses among them, as "b20" and
"b10"), whether a roll is due, how many doubles in a row, whether the roll was a double, and the piece moved last.

Readings: what the texts leave open, and how it is read here
------------------------------------------------------------
R1  Nobody has to find the order of the dice in which both can be used; each die is a decision of its own.
R2  A bonus may be used before or after the dice that are left, by any piece in play; if nobody can, it is lost.
R3  The duty to come out holds for every decision of the turn, whichever else could be done first.
R4  After a double one block has to be broken, where one of its pieces can be moved, with the first die that can, also
    a block that was made with the other die; with that the duty is done until the next roll.
R5  A double gives another roll also when it could not be played.
R6  The piece moved last is the one of the last move in this turn, whichever die or bonus it used. It is the piece, not
    the tile; pieces of one colour on one tile are alike.
R7  Two pieces of different colours on a safe tile are no block; a third may come there.
R7a A piece that comes out to where one of its own and an opponent's stand takes that one.
R8  A block is two or more on the path; two on the end path are none (texts speak of barriers on the path alone; this
    was read otherwise here at first).
R9  Who brings the last piece home has won at once; what is left of the roll is not played.
"""

from fractions import Fraction

SEATS = ["green", "yellow", "blue", "red"]
PATH = 68
LAST_ON_PATH = 63  # steps after the entry tile; the last four tiles before it are never used
HOME = 71  # seven tiles of the end path lie between
SAFE_STEPS = (0, 7, 12)


def entry(colour):
    return 17 * SEATS.index(colour)


def is_safe(tile):
    return tile % 17 in SAFE_STEPS


def steps_of(colour, place):
    if isinstance(place, int):
        return (place - entry(colour)) % PATH
    return LAST_ON_PATH + 1 + int(place.split(":")[1])


def place_at(colour, steps):
    if steps <= LAST_ON_PATH:
        return (entry(colour) + steps) % PATH
    return "finish" if steps == HOME else f"end:{steps - LAST_ON_PATH - 1}"


def start(players, first):
    return {
        "players": list(players),
        "pieces": {colour: ["start"] * 4 for colour in players},
        "turn": first,
        "dice": [],
        "rolling": True,
        "doubles": 0,
        "double": False,
        "must_break": False,
        "last": None,
    }


def copy(state):
    pieces = {colour: list(places) for colour, places in state["pieces"].items()}
    return {**state, "pieces": pieces, "dice": list(state["dice"])}


def winner(state):
    for colour, places in state["pieces"].items():
        if places == ["finish"] * 4:
            return colour
    return None


def to_move(state):
    if winner(state):
        return None
    return "chance" if state["rolling"] else state["turn"]


def outcomes(state):
    pairs = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]
    return {f"{a},{b}": Fraction(1 if a == b else 2, 36) for a, b in pairs}


def roll(state, name):
    new = copy(state)
    a, b = (int(die) for die in name.split(","))
    new["double"] = new["must_break"] = a == b
    new["doubles"] = state["doubles"] + 1 if a == b else 0
    if new["doubles"] == 3:
        send_last_back(new)
        return end_turn(new)
    new["dice"], new["rolling"] = [a, b], False
    return new


def send_last_back(new):
    """Unless it is on the end path or home."""
    mine = new["pieces"][new["turn"]]
    if isinstance(new["last"], int):
        mine[mine.index(new["last"])] = "start"


def end_turn(new):
    order = new["players"]
    new["turn"] = order[(order.index(new["turn"]) + 1) % len(order)]
    return {**new, "dice": [], "rolling": True, "doubles": 0, "double": False, "last": None}


# ---------------------------------------------------------------- who stands where


def is_block(state, place):
    """Two or more pieces of one side on a tile of the path."""
    return isinstance(place, int) and any(places.count(place) >= 2 for places in state["pieces"].values())


def landing(state, colour, place, steps):
    """Where so many steps lead, or None: every tile passed and landed on must be free of blocks, and home is exact."""
    begin = steps_of(colour, place)
    if begin + steps > HOME:
        return None
    for step in range(begin + 1, begin + steps + 1):
        if is_block(state, place_at(colour, step)):
            return None
    return place_at(colour, begin + steps)


# ---------------------------------------------------------------- moves


def distance(die):
    return int(die[1:]) if isinstance(die, str) else die


def after(state, origin, target, used):
    new = copy(state)
    colour = state["turn"]
    mine = new["pieces"][colour]
    takes = origin == "start" and target in mine
    mine[mine.index(origin)] = target
    for die in used:
        new["dice"].remove(die)
    if is_own_block(state, origin):
        new["must_break"] = False
    if target == "finish":
        new["dice"].append("b10")
    elif isinstance(target, int) and (takes or not is_safe(target)):
        for enemy in state["players"]:
            if enemy != colour and target in new["pieces"][enemy]:
                theirs = new["pieces"][enemy]
                theirs[theirs.index(target)] = "start"
                new["dice"].append("b20")
    new["last"] = target
    return settle(new)


def settle(new):
    """After a move: on with what is left if anything can be done with it, else another roll or the next player."""
    if winner(new) or dice_moves(new):
        return new
    if new["double"]:
        return {**new, "dice": [], "rolling": True, "double": False}
    return end_turn(new)


def coming_out(state):
    """With a 5, or with two dice that make 5; a block on the entry tile keeps the pieces in the yard."""
    colour, dice = state["turn"], state["dice"]
    gate = entry(colour)
    if "start" not in state["pieces"][colour] or is_block(state, gate):
        return {}
    if 5 in dice:
        return {"out(5)": ("start", gate, [5])}
    numbers = sorted((die for die in dice if isinstance(die, int)), reverse=True)
    if len(numbers) == 2 and sum(numbers) == 5:
        return {"out({}+{})".format(*numbers): ("start", gate, numbers)}
    return {}


def piece_moves(state):
    colour = state["turn"]
    found = {}
    for origin in set(state["pieces"][colour]) - {"start", "finish"}:
        for die in set(state["dice"]):
            target = landing(state, colour, origin, distance(die))
            if target is not None:
                found[f"{origin}+{die}"] = (origin, target, [die])
    return found


def dice_moves(state):
    """What can be done with the dice left: coming out first, then breaking a block after a double."""
    out = coming_out(state)
    if out:
        return out
    found = piece_moves(state)
    if state["must_break"]:
        breaking = {name: move for name, move in found.items() if is_own_block(state, move[0])}
        return breaking or found
    return found


def is_own_block(state, place):
    return isinstance(place, int) and state["pieces"][state["turn"]].count(place) >= 2


def moves(state):
    """{notation: next position}"""
    found = dice_moves(state)
    if not found:
        return {"pass": settle({**copy(state), "dice": []})}
    return {name: after(state, *move) for name, move in found.items()}


def shown(state):
    pieces = {colour: sorted(map(str, places)) for colour, places in state["pieces"].items()}
    over = winner(state) is not None
    return {"pieces": pieces, "turn": state["turn"], "waiting": [] if over else sorted(map(str, state["dice"]))}


def result(state):
    return {colour: 1.0 if colour == winner(state) else -1.0 for colour in state["players"]}
