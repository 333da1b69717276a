"""A slow, plain reference ("oracle") for Aeroplane chess (Fei Xing Qi).

Written from the document's rule book and the published game, before the kernel was read. Clarity over speed.
A position is a plain dict: pieces by colour, whose turn, the die (or None), who is home in which order.

The board, from the published one: 52 tiles, coloured in turn; a colour's planes come out on a pad beside the path,
walk 50 tiles, turn into a stretch of five, and are home on the sixth. Counted from the first tile of a colour's own
path, its own tiles are the second and every fourth one after it; from the own tile number 18 a plane flies to 30.

Readings: what the texts leave open, and how it is read here
------------------------------------------------------------
R1  The last own tile on the path, where a colour turns off, leads no further.
R2  A plane that lands on an own tile captures there too, before it leaps, and where it comes down; a leap to the short
    cut and over it captures on all three.
R3  After a leap or a flight there is no other leap, except the leap onto the short cut, which is flown at once.
R4  Planes that come out onto the pad while another waits there are stacked with it, as on any tile.
R5  A 6 that cannot be played gives no other roll; one that brings the last plane home neither.
R6  A stack is planes of a colour on one tile; who moves one may take all of them along, or fewer, and leaves the rest.
R7  A flight passes over the last tile of the stretch of the colour opposite, and takes whoever stands there.
R8  The first whose planes are all home has won; the others play on until one is left.
"""

from fractions import Fraction

SEATS = ["green", "yellow", "blue", "red"]
PATH = 52
LETTER = {"green": "g", "yellow": "y", "blue": "b", "red": "r"}
LAST_ON_PATH = 50  # steps after the pad; the first tile of the path is step 1
HOME = 56
SHORT_CUT, BEYOND = 18, 30


def place_at(colour, step):
    if step == HOME:
        return "finish"
    if step == 0:
        return LETTER[colour] + "0"
    if step > LAST_ON_PATH:
        return LETTER[colour] + str(step - LAST_ON_PATH)
    return (13 * SEATS.index(colour) + step - 1) % PATH


def opposite(colour):
    return SEATS[(SEATS.index(colour) + 2) % 4]


def step_of(colour, place):
    return next(step for step in range(HOME) if place_at(colour, step) == place)


def is_own_colour(step):
    """Own tiles are the steps 2, 6, 10 and so on to 50."""
    return step <= LAST_ON_PATH and step % 4 == 2


def touched(step):
    """The steps a plane comes down on, one after the other, when it lands on this one."""
    if not is_own_colour(step) or step == LAST_ON_PATH:
        return [step]
    if step == SHORT_CUT:
        return [step, BEYOND]
    if step + 4 == SHORT_CUT:
        return [step, SHORT_CUT, BEYOND]
    return [step, step + 4]


def start(players, first):
    return {
        "players": list(players),
        "pieces": {colour: ["start"] * 4 for colour in players},
        "turn": first,
        "die": None,
        "home": [],
    }


def copy(state):
    pieces = {colour: list(places) for colour, places in state["pieces"].items()}
    return {**state, "pieces": pieces, "home": list(state["home"])}


def is_over(state):
    return len(state["home"]) >= len(state["players"]) - 1


def to_move(state):
    if is_over(state):
        return None
    return "chance" if state["die"] is None else state["turn"]


def outcomes(state):
    return {str(die): Fraction(1, 6) for die in range(1, 7)}


def roll(state, name):
    return {**copy(state), "die": int(name)}


def end_turn(new):
    order = new["players"]
    seat = order.index(new["turn"])
    while True:
        seat = (seat + 1) % len(order)
        if order[seat] not in new["home"]:
            return {**new, "die": None, "turn": order[seat]}


def under_a_flight(colour, steps):
    """The place that the flight of a move passes over."""
    return [f"{LETTER[opposite(colour)]}5"] if SHORT_CUT in steps and BEYOND in steps else []


def after(state, origin, steps, count=None):
    """The position after planes on one tile have moved: all of them, or some."""
    new = copy(state)
    colour = state["turn"]
    mine = new["pieces"][colour]
    target = place_at(colour, steps[-1])
    if origin == "start":
        mine[mine.index("start")] = target
    else:
        stack = [number for number, place in enumerate(mine) if place == origin]
        for number in stack[:count]:
            mine[number] = target
    for step in steps:
        capture(new, colour, place_at(colour, step))
    for place in under_a_flight(colour, steps):
        enemy = opposite(colour)
        if enemy in new["players"]:
            new["pieces"][enemy] = ["start" if there == place else there for there in new["pieces"][enemy]]
    if new["pieces"][colour] == ["finish"] * 4:
        new["home"].append(colour)
        return {**new, "die": None} if is_over(new) else end_turn(new)
    return {**new, "die": None} if state["die"] == 6 else end_turn(new)


def capture(new, colour, tile):
    for enemy in new["players"]:
        if enemy != colour and isinstance(tile, int):
            new["pieces"][enemy] = ["start" if place == tile else place for place in new["pieces"][enemy]]


def moves(state):
    """{notation: next position}"""
    colour, die = state["turn"], state["die"]
    found = {}
    for origin in set(state["pieces"][colour]) - {"finish"}:
        if origin == "start":
            if die == 6:
                found["out"] = after(state, origin, [0])
            continue
        step = step_of(colour, origin) + die
        if step <= HOME:
            found[f"{origin}+{die}"] = after(state, origin, touched(step))
            for count in range(1, state["pieces"][colour].count(origin)):
                how = "alone" if count == 1 else f"alone{count}"
                found[f"{origin}+{die}>{how}"] = after(state, origin, touched(step), count)
    return found or {"pass": end_turn(copy(state))}


def shown(state):
    pieces = {colour: sorted(map(str, places)) for colour, places in state["pieces"].items()}
    waiting = [] if state["die"] is None or is_over(state) else [str(state["die"])]
    return {"pieces": pieces, "turn": state["turn"], "waiting": waiting}


def first_home(state):
    return state["home"][0]
