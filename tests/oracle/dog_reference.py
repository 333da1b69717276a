"""A slow, plain reference ("oracle") for Dog.

Written from the game's published rules as the document's rule book tells them. Clarity over speed. A position is a
plain dict: pieces by colour, hands, the deck, what is given to partners, whose turn, who leads, which deal, and how
much of a seven is still to be played.

Readings: what the texts leave open, and how it is read here
------------------------------------------------------------
R1  A joker that stands for a seven is shared out as a seven is.
R2  Who lands on a piece of its own colour or of the partner's sends it home; a seven sends home whom it overtakes, too.
R3  A piece that has come out protects its tile until it moves; then, and if it comes there again, it does not.
R4  A piece turns into its end path from its own starting tile, when it may: a piece that has just come out may not.
    Going back over the starting tile and forward again is a way home. Nobody goes back out of the end path.
R5  All seven steps must be played, also if the last piece of a team comes home before.
R6  Whose pieces are all home plays the partner's, also with the rest of a seven.
R7  A jack needs a piece of one's own on the path, and one of any other player; neither may be protected.
R8  When the pack runs out, all cards that nobody holds are shuffled to make a new one, at once.
R9  Cards are dealt one by one; who leads gets the first and plays first; the next player leads in the next deal.
"""

from fractions import Fraction

SEATS = ["green", "yellow", "blue", "red"]
PARTNER = {"green": "blue", "blue": "green", "yellow": "red", "red": "yellow"}
RING = 64
GOALS = ["end:0", "end:1", "end:2", "end:3"]
DEALS = [6, 5, 4, 3, 2]
PACK = {
    "ace": 8, "two": 8, "three": 8, "four": 8, "five": 8, "six": 8, "seven": 8, "eight": 8, "nine": 8, "ten": 8,
    "jack": 8, "queen": 8, "king": 8, "joker": 6,
}  # fmt: skip
STEPS = {"two": [2], "three": [3], "five": [5], "six": [6], "eight": [8], "nine": [9], "ten": [10], "queen": [12]}
STEPS |= {"ace": [1, 11], "king": [13], "four": [4, -4], "seven": [], "jack": []}
STEPS |= {"joker": [1, 2, 3, 4, -4, 5, 6, 8, 9, 10, 11, 12, 13]}


def entry(colour):
    return 16 * SEATS.index(colour)


def start():
    return {
        "players": SEATS,
        "pieces": {colour: ["start"] * 4 for colour in SEATS},
        "fresh": [],
        "hands": {colour: [] for colour in SEATS},
        "given": {},
        "deck": dict(PACK),
        "turn": "green",
        "leads": "green",
        "deal": 0,
        "stage": "dealing",
        "left": 0,
    }


def copy(state):
    new = dict(state)
    for key in ("pieces", "hands"):
        new[key] = {colour: list(values) for colour, values in state[key].items()}
    new["fresh"], new["given"], new["deck"] = list(state["fresh"]), dict(state["given"]), dict(state["deck"])
    return new


def after(colour):
    return SEATS[(SEATS.index(colour) + 1) % 4]


def all_home(state, colour):
    return all(place in GOALS for place in state["pieces"][colour])


def winners(state):
    return [colour for colour in SEATS if all_home(state, colour) and all_home(state, PARTNER[colour])]


def to_move(state):
    if winners(state):
        return None
    return "chance" if state["stage"] == "dealing" else state["turn"]


# ---------------------------------------------------------------- dealing


def outcomes(state):
    total = sum(state["deck"].values())
    return {f"card:{card}": Fraction(count, total) for card, count in state["deck"].items() if count}


def roll(state, name):
    new = copy(state)
    card = name.removeprefix("card:")
    new["hands"][new["turn"]].append(card)
    new["deck"][card] -= 1
    if not any(new["deck"].values()):
        for each, count in PACK.items():
            new["deck"][each] = count - sum(hand.count(each) for hand in new["hands"].values())
    new["turn"] = after(new["turn"])
    if len(new["hands"][new["turn"]]) == DEALS[new["deal"]]:
        new["stage"] = "exchange"
    return new


def give(state, card):
    new = copy(state)
    new["hands"][state["turn"]].remove(card)
    new["given"][state["turn"]] = card
    new["turn"] = after(state["turn"])
    if len(new["given"]) == 4:
        for giver, given in new["given"].items():
            new["hands"][PARTNER[giver]].append(given)
        new["given"], new["stage"] = {}, "play"
    return new


def end_turn(new):
    new["left"] = 0
    for _ in range(4):
        new["turn"] = after(new["turn"])
        if new["hands"][new["turn"]]:
            return new
    new["deal"] = (new["deal"] + 1) % 5
    new["leads"] = after(new["leads"])
    new["turn"], new["stage"] = new["leads"], "dealing"
    return new


# ---------------------------------------------------------------- where a piece gets


def mover(state):
    """Whose pieces the player in turn moves."""
    return PARTNER[state["turn"]] if all_home(state, state["turn"]) else state["turn"]


def protected(state, tile):
    return any(tile == entry(colour) for colour in state["fresh"])


def next_places(state, colour, place, is_first):
    if place in GOALS:
        return GOALS[GOALS.index(place) + 1 :][:1]
    on = [(place + 1) % RING]
    if place == entry(colour) and not (is_first and colour in state["fresh"]):
        on.append("end:0")
    return on


def free(state, colour, place):
    if place in GOALS:
        return place not in state["pieces"][colour]
    return not protected(state, place)


def ways_on(state, colour, place, steps, is_first=True):
    """Every list of places that a piece comes through, the last included."""
    if steps == 0:
        return [[]]
    found = []
    for there in next_places(state, colour, place, is_first):
        if free(state, colour, there):
            found += [[there, *rest] for rest in ways_on(state, colour, there, steps - 1, False)]
    return found


def ways_back(state, place, steps):
    if place in GOALS:
        return []
    way = [(place - step) % RING for step in range(1, steps + 1)]
    return [] if any(protected(state, tile) for tile in way) else [way]


def send_home(new, tile):
    for colour, places in new["pieces"].items():
        new["pieces"][colour] = ["start" if place == tile else place for place in places]


def walked(state, colour, place, way, clears):
    new = copy(state)
    index = new["pieces"][colour].index(place)
    for tile in way if clears else way[-1:]:
        if tile not in GOALS:
            send_home(new, tile)
    new["pieces"][colour][index] = way[-1]
    if place == entry(colour) and colour in new["fresh"]:
        new["fresh"].remove(colour)
    return new


# ---------------------------------------------------------------- what cards do


def out_moves(state, colour):
    tile = entry(colour)
    if "start" not in state["pieces"][colour] or protected(state, tile):
        return []
    new = copy(state)
    index = new["pieces"][colour].index("start")
    send_home(new, tile)
    new["pieces"][colour][index] = tile
    new["fresh"].append(colour)
    return [new]


def swap_moves(state, colour):
    found = []
    mine = {place for place in state["pieces"][colour] if isinstance(place, int) and not protected(state, place)}
    for here in mine:
        for other in SEATS:
            for there in set(state["pieces"][other]) if other != colour else ():
                if isinstance(there, int) and not protected(state, there):
                    new = copy(state)
                    new["pieces"][colour][new["pieces"][colour].index(here)] = there
                    new["pieces"][other][new["pieces"][other].index(there)] = here
                    found.append(new)
    return found


def step_moves(state, colour, steps):
    found = []
    for place in set(state["pieces"][colour]) - {"start"}:
        ways = ways_on(state, colour, place, steps) if steps > 0 else ways_back(state, place, -steps)
        found += [walked(state, colour, place, way, False) for way in ways]
    return found


def parts_of_seven(state, left):
    """Every next part of what is left of a seven after which the rest can be played, too."""
    colour = mover(state)
    found = []
    for place in set(state["pieces"][colour]) - {"start"}:
        for steps in range(1, left + 1):
            for way in ways_on(state, colour, place, steps):
                new = walked(state, colour, place, way, True)
                if steps == left or parts_of_seven(new, left - steps):
                    new["left"] = left - steps
                    found.append(new)
    return found


def positions_with(state, card):
    colour = mover(state)
    found = []
    if card in ("ace", "king", "joker"):
        found += out_moves(state, colour)
    if card in ("jack", "joker"):
        found += swap_moves(state, colour)
    if card in ("seven", "joker"):
        found += parts_of_seven(state, 7)
    for steps in STEPS[card]:
        found += step_moves(state, colour, steps)
    return found


def settled(new):
    return new if new["left"] or winners(new) else end_turn(new)


def moves(state):
    """[(the card that is played, or the rest of one, or given; next position)]"""
    turn = state["turn"]
    if state["stage"] == "exchange":
        return [(card, give(state, card)) for card in sorted(set(state["hands"][turn]))]
    if state["left"]:
        return [("rest", settled(new)) for new in parts_of_seven({**state, "left": 0}, state["left"])]
    found = []
    for card in sorted(set(state["hands"][turn])):
        for new in positions_with(state, card):
            new["hands"][turn].remove(card)
            found.append((card, settled(new)))
    if not found:
        new = copy(state)
        new["hands"][turn] = []
        return [("pass", end_turn(new))]
    return found


def shown(state):
    """What a position of the library has to show."""
    left = state["left"]
    return {
        "pieces": {colour: sorted(map(str, places)) for colour, places in state["pieces"].items()},
        "turn": state["turn"],
        "waiting": [] if not left or winners(state) else ["rest1"] if left == 1 else [f"split{left}"],
        "hands": {colour: sorted(hand) for colour, hand in state["hands"].items() if hand},
        "given": state["given"],
        "deck": {card: count for card, count in state["deck"].items() if count},
        "fresh": sorted(state["fresh"]),
    }


def result(state):
    return {colour: 1.0 if colour in winners(state) else -1.0 for colour in SEATS}
