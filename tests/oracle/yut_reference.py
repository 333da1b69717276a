"""A slow, plain reference ("oracle") for Yut, with throws played at once (`yut`), saved up (`yut-nori`), and with a
marked stick (`yut-back-do`).

Written from the documents' rule books and from the game as it is published in Korea, before the kernel was read.
Clarity over speed. A position is a plain dict: pieces by colour, whose turn, the throws not yet played, whether sticks
are to be thrown, and how many more throws are owed when what was thrown is played.

Readings: what the texts leave open, and how it is read here
------------------------------------------------------------
R1  A four or a five that captures gives one more throw, not two (the common rule; `yut`).
R2  With saved throws a capture gives its throw when all that was saved has been played, and several captures among
    saved throws give one: the document says "another throw once what was saved is played".
R3  A piece that stands on a corner or in the middle may take either way, also the longer one.
R4  Coming out on a corner is stopping there; the next move may turn off.
R5  Pieces that wait in the yard are not stacked; pieces that are home do not matter.
R7  A back-do takes a piece, and all that stand with it, one station back; from the first station to the last; where
    ways meet along either. Pieces in the yard stay there.
R6  The last station of the ring is not home: a piece goes home when it passes it.
"""

from fractions import Fraction

RING = list(range(1, 21))  # the last one, 20, is the corner at which pieces come out and go home
FIRST_WAY = ["a1", "a2", "mid", "a3", "a4", 15]  # from corner 5
SECOND_WAY = ["b1", "b2", "mid", "b3", "b4", 20]  # from corner 10
THROWS = {"sticks:0": 5, "sticks:1": 1, "sticks:2": 2, "sticks:3": 3, "sticks:4": 4}
ODDS = {"sticks:0": 1, "sticks:1": 4, "sticks:2": 6, "sticks:3": 4, "sticks:4": 1}
BACK = -1  # the marked stick alone: one of the four throws of one
FIRST = 1


def ring_from(station):
    return [tile for tile in RING if tile > station]


def ways(place):
    """The lists of places ahead of a piece whose move begins here, each up to and with the finish."""
    if place == "start":
        return [[*RING, "finish"]]
    if place == 5:
        return [[*ring_from(5), "finish"], [*FIRST_WAY, *ring_from(15), "finish"]]
    if place == 10:
        return [[*ring_from(10), "finish"], [*SECOND_WAY, "finish"]]
    if place == "mid":
        return [["a3", "a4", 15, *ring_from(15), "finish"], ["b3", "b4", 20, "finish"]]
    if place in FIRST_WAY[:5]:
        return [[*FIRST_WAY[FIRST_WAY.index(place) + 1 :], *ring_from(15), "finish"]]
    if place in SECOND_WAY[:5]:
        return [[*SECOND_WAY[SECOND_WAY.index(place) + 1 :], "finish"]]
    return [[*ring_from(place), "finish"]]


def behind(place):
    """The stations that a piece may go back to."""
    found = [RING[-1]] if place == FIRST else [place - 1] if place in RING else []
    for way, corner in ((FIRST_WAY, 5), (SECOND_WAY, 10)):
        if place in way:
            found.append([corner, *way][way.index(place)])
    return found


def targets(place, steps):
    """Where a piece may come to with so many steps, each place once; more than needed brings it home."""
    if steps == BACK:
        return [] if place == "start" else behind(place)
    found = []
    for way in ways(place):
        target = way[min(steps, len(way)) - 1]
        if target not in found:
            found.append(target)
    return found


def start(players, first, saved, marked=False):
    return {
        "players": list(players),
        "pieces": {colour: ["start"] * 4 for colour in players},
        "turn": first,
        "throws": [],
        "throwing": True,
        "more": False,
        "saved": saved,
        "marked": marked,
    }


def winner(state):
    for colour, places in state["pieces"].items():
        if places == ["finish"] * 4:
            return colour
    return None


def to_move(state):
    if winner(state):
        return None
    return "chance" if state["throwing"] else state["turn"]


def outcomes(state):
    odds = {**ODDS, "sticks:1": 3, "sticks:marked": 1} if state["marked"] else ODDS
    return {name: Fraction(weight, 16) for name, weight in odds.items()}


def copy(state):
    pieces = {colour: list(places) for colour, places in state["pieces"].items()}
    return {**state, "pieces": pieces, "throws": list(state["throws"])}


def throw(state, name):
    new = copy(state)
    value = BACK if name == "sticks:marked" else THROWS[name]
    new["throws"].append(value)
    another = value in (4, 5)
    new["throwing"] = another and state["saved"]
    new["more"] = another and not state["saved"]
    return new


def next_player(state):
    order = state["players"]
    return order[(order.index(state["turn"]) + 1) % len(order)]


def after_move(state, origin, target, value):
    """Move one piece out of the yard, or all that stand together; send home whom they meet."""
    new = copy(state)
    mine = new["pieces"][state["turn"]]
    if origin == "start":
        mine[mine.index("start")] = target
    else:
        new["pieces"][state["turn"]] = [target if place == origin else place for place in mine]
    for colour, places in new["pieces"].items():
        if colour != state["turn"] and target != "finish" and target in places:
            new["pieces"][colour] = ["start" if place == target else place for place in places]
            new["more"] = True
    new["throws"].remove(value)
    return new if winner(new) or playable(new) else played_out(new)


def played_out(state):
    """Nothing can be played any more: another throw where one is owed, else the next player's."""
    turn = state["turn"] if state["more"] else next_player(state)
    return {**copy(state), "throws": [], "turn": turn, "throwing": True, "more": False}


def playable(state):
    """What can be played: (value, from where, to where). A back-do may have to wait for a piece to come out."""
    return [
        (value, origin, target)
        for value in set(state["throws"])
        for origin in set(state["pieces"][state["turn"]]) - {"finish"}
        for target in targets(origin, value)
    ]


def name_of(origin, target, value, branches, saved):
    if origin == "start":
        return f"out({value})" if saved else "out"
    return f"{origin}{value:+d}" + (f">{target}" if branches else "")


def moves(state):
    """{notation: next position}"""
    found = {}
    for value, origin, target in playable(state):
        name = name_of(origin, target, value, len(targets(origin, value)) > 1, state["saved"])
        found[name] = after_move(state, origin, target, value)
    return found or {"pass": played_out(state)}


roll = throw


def shown(state):
    """What a position of the library has to show, as far as it is not a count kept inside."""
    pieces = {colour: sorted(map(str, places)) for colour, places in state["pieces"].items()}
    over = winner(state) is not None
    waiting = [] if over else sorted(map(str, state["throws"]))
    return {"pieces": pieces, "turn": state["turn"], "waiting": waiting}


def result(state):
    return {colour: 1.0 if colour == winner(state) else -1.0 for colour in state["players"]}
