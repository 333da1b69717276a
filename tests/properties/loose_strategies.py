"""Hypothesis strategies for rule-set documents: valid ones, nearly valid ones, and what nobody should send."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Document = dict[str, Any]

COLOURS = ("green", "yellow", "blue", "red", "purple", "orange", "black", "white")
small = st.integers(-3, 9)
hostile = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(), st.text(max_size=30), st.binary(max_size=5),
    st.lists(st.integers(), max_size=4), st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
    st.just("x" * 5_000), st.just([[[[[]]]]]), st.just({"a": {"b": {"c": 1}}}), st.just("\x00\n\x1b[31m"),
    st.just("__class__"),
)  # fmt: skip


def some(**options: st.SearchStrategy[Any]) -> st.SearchStrategy[Document]:
    """A group with some of its options."""
    return st.fixed_dictionaries({}, optional=options)


def lists(values: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[list[Any]]:
    """A short list without repetitions."""
    return st.lists(values, max_size=most, unique=True)


tiles = st.one_of(st.integers(0, 24), st.sampled_from(["a", "b", "s1", "end:0", "finish", "start", "nowhere"]))
guards = st.sampled_from(
    ["", "", "", "", " [stop]", " [rest]", " [with 1 or 6]", " [captured]", " [not captured]", " [x]"]
)
chains = st.builds(
    lambda prefix, names, guard: prefix + " > ".join(map(str, names)) + guard,
    st.sampled_from(["", "", "", "green: ", "yellow: ", "blue: ", "not green: ", "each: "]),
    st.lists(st.one_of(tiles, st.sampled_from(["1..9", "4..1"])), min_size=1, max_size=5),
    guards,
)
jumping = st.builds(
    lambda prefix, first, on, guard: prefix + " > ".join(map(str, [first, *on])) + guard,
    st.sampled_from(["", "", "green: ", "not yellow: ", "each: "]),
    st.integers(0, 15),
    st.lists(st.integers(0, 15), min_size=1, max_size=3),
    st.sampled_from(["", "", " [slide]", " [through]"]),
)
cards = st.fixed_dictionaries(
    {"name": st.sampled_from(["a", "b", "c", "d", "e"])},
    optional={
        "count": st.integers(0, 4), "distance": small, "moves": st.sampled_from(["own", "opponent", "any"]),
        "effect": st.sampled_from(["none", "swap", "out"]),
        "then": st.sampled_from(["nothing", "again", "skip", "skip_next", "reverse"]),
    },
)  # fmt: skip
distances = lists(small, 6)

OPTIONS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "board": {
        "shape": st.sampled_from(["cross", "ring", "graph"]), "seats": st.integers(2, 8), "pieces": st.integers(1, 8),
        "end_path": st.integers(0, 6), "path": st.sampled_from([8, 12, 16, 24, 30, 40]), "skipped": st.integers(0, 3),
        "corners": st.booleans(), "paths": st.lists(chains, max_size=6),
        "jumps": st.lists(st.one_of(chains, jumping, jumping), max_size=2),
    },
    "chance": {
        "device": st.sampled_from(["dice", "dice", "cowries", "sticks", "spinner", "cards"]),
        "dice": st.integers(1, 8), "faces": distances, "weights": st.lists(st.integers(0, 5), max_size=6),
        "throws": st.lists(small, max_size=5), "use": st.sampled_from(["each", "sum"]),
        "cards": st.lists(cards, max_size=6), "replacement": st.booleans(),
        "pool": st.sampled_from(["one_roll", "double_six"]), "hold": st.sampled_from(["roll", "turn"]),
        "tokens": st.dictionaries(
            st.sampled_from(["1", "2", "6", "a", "a+b=5", "a=b", "seven"]),
            st.lists(st.sampled_from(["out", "out+out", "out@3", "6", "-2", "2+3", "0", "fly"]), max_size=3),
            max_size=2,
        ),
    },
    "start": {
        "leave_on": distances, "compulsory": st.booleans(), "clear_entry": st.booleans(),
        "enter": st.sampled_from(["entry", "distance"]), "go_on": st.sampled_from(["never", "forced_alone"]),
        "exit_block": st.sampled_from(["closed", "special"]),
    },
    "movement": {
        "share_own": st.booleans(), "stars": lists(st.integers(0, 12)),
        "may_move": st.sampled_from(["own", "team", "all"]),
        "combined_move": st.sampled_from(["none", "none", "none", "jump", "sweep"]),
        "forced_combination": st.booleans(), "branch": st.sampled_from(["anywhere", "from_rest"]),
    },
    "capture": {
        "by": st.sampled_from(["landing", "passing", "sweep", "none"]),
        "captured_to": st.sampled_from(["start", "held", "back"]), "tiles_back": st.integers(0, 9),
        "capture_bonus": st.integers(0, 9), "duty": st.booleans(), "before_home": st.booleans(),
        "stack": st.sampled_from(["captured", "punishes"]), "freezes": st.booleans(),
    },
    "block": {"stops": st.sampled_from(["none", "opponents", "all"]), "on_safe": st.booleans(),
              "unblock_duty": st.booleans(), "moves_on": st.booleans()},
    "safe": {
        "tiles": lists(st.integers(0, 12)), "at": lists(tiles), "landing": st.sampled_from(["shares", "punished"]),
        "entry": st.sampled_from(["open", "owner_shares", "owner_punishes"]),
    },
    "finish": {
        "rule": st.sampled_from(["exact", "overshoot", "bounce", "bounce_from_square", "stairs"]),
        "passing": st.booleans(),
        "places": st.sampled_from(["one_tile", "one_tile", "end_path"]), "finish_bonus": st.integers(0, 9),
    },
    "turn": {
        "first": st.sampled_from(["seat", "roll_off", "lot"]),
        "direction": st.sampled_from(["clockwise", "anticlockwise"]),
        "again_on": lists(st.sampled_from(["six", "capture", "finish", "doubles"])), "again_values": distances,
        "lose_on": distances, "skip_on": distances, "reverse_on": distances, "may_pass": st.booleans(),
        "sixes_limit": st.integers(0, 4), "attempts": st.integers(1, 4),
        "six_without_move": st.sampled_from(["ends_turn", "rolls_again"]),
        "duties": lists(st.sampled_from(["capture", "out", "clear_entry", "break_block", "unblock", "out on 6",
                                       "break_block on double", "capture on 2", "win"])),
    },
    "squares": {
        "roll_again": lists(tiles), "miss_turn": lists(tiles), "turn_round": lists(tiles), "send_home": lists(tiles),
    },
    "win": {
        "condition": st.sampled_from(["home", "home", "last_out", "score"]), "needed": st.integers(0, 4),
        "ranks": st.integers(0, 3), "score": st.integers(0, 20), "home_points": st.integers(0, 3),
        "capture_points": st.integers(0, 3), "play_on": st.booleans(),
        "returns": st.sampled_from(["plain", "zero_sum"]),
    },
    "modes": {"mode": st.sampled_from(["ffa", "ffa", "teams"]), "seating": st.sampled_from(["opposite", "adjacent"])},
}  # fmt: skip

LOOP = [
    "1..14 > 1", "green: start > 1", "yellow: start > 5", "blue: start > 9", "green: 14 > g1 > finish",
    "yellow: 4 > y1 > finish", "blue: 8 > b1 > finish",
]  # fmt: skip

# documents that are valid as they stand; options at random on top of them are often valid too
BASES: list[Document] = [
    {"board": {"seats": 2, "pieces": 2, "end_path": 2, "path": 16}},
    {"board": {"seats": 4, "pieces": 3, "end_path": 2, "path": 24}},
    {"board": {"shape": "ring", "seats": 3, "pieces": 2, "end_path": 0, "path": 18, "skipped": 0}},
    {"board": {"shape": "graph", "seats": 3, "pieces": 2, "paths": LOOP}},
    {"board": {"seats": 8, "pieces": 1, "end_path": 1}},
    {"board": {"seats": 2, "pieces": 4, "end_path": 4, "path": 16}, "chance": {"dice": 2}},
    {
        "board": {"seats": 4, "pieces": 2, "end_path": 2, "path": 24},
        "chance": {"device": "cards", "replacement": False, "cards": [
            {"name": "a", "distance": 1, "count": 3}, {"name": "b", "distance": 6, "count": 3},
            {"name": "c", "effect": "swap"}, {"name": "d", "distance": -2, "moves": "opponent"},
        ]},
    },
    {"board": {"seats": 2, "pieces": 2, "end_path": 2, "path": 16}, "chance": {"device": "cowries", "dice": 6}},
]  # fmt: skip

# the rules of French, on a small board: dice that are combined, kept and lost, pieces held, bought back and frozen
FRENCH: Document = {
    "board": {"seats": 3, "pieces": 3, "end_path": 2, "path": 18}, "chance": {"dice": 2, "pool": "double_six"},
    "start": {"leave_on": [6], "go_on": "forced_alone", "exit_block": "special"},
    "movement": {"combined_move": "sweep", "forced_combination": True},
    "capture": {"captured_to": "held", "freezes": True}, "block": {"stops": "all", "unblock_duty": True},
}  # fmt: skip
BASES += [
    FRENCH,
    FRENCH | {"board": {"seats": 4, "pieces": 2, "end_path": 2, "path": 24}, "modes": {"mode": "teams"}},
    FRENCH | {"board": {"shape": "ring", "seats": 2, "pieces": 4, "end_path": 3, "path": 16}},
]


@st.composite
def sparse(draw: st.DrawFn, most: int = 3) -> Document:
    """A few options in their groups."""
    places = [(group, key) for group, options in OPTIONS.items() for key in options]
    chosen = draw(st.lists(st.sampled_from(places), max_size=most, unique=True))
    found: Document = {}
    for group, key in chosen:
        found.setdefault(group, {})[key] = draw(OPTIONS[group][key])
    return found


def merged(base: Document, over: Document) -> Document:
    """A document with the groups of another on top."""
    groups = {key: dict(value) for key, value in base.items()}
    for group, options in over.items():
        groups[group] = groups.get(group, {}) | options
    return groups


CHANGEABLE = [
    (group, key)
    for group in ("start", "block", "safe", "squares", "capture", "finish", "turn", "movement")
    for key in OPTIONS[group]
    if key
    not in (
        "first",
        "captured_to",
        "before_home",
        "places",
        "may_move",
        "combined_move",
        "go_on",
        "exit_block",
        "enter",
        "forced_combination",
        "branch",
        "freezes",
        "unblock_duty",
    )
]


@st.composite
def changes(draw: st.DrawFn) -> list[Document]:
    """Some rules that change."""
    found = []
    for number in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        when = draw(st.sampled_from(["captures", "lost", "home", "turns", "tile", "yard empty", "none in play"]))
        switched = {
            f"{group}.{key}": draw(OPTIONS[group][key])
            for group, key in draw(st.lists(st.sampled_from(CHANGEABLE), min_size=1, max_size=2, unique=True))
        }
        change = {"name": f"c{number}", "when": when, "set": switched, "scope": draw(st.sampled_from(["own", "all"]))}
        change |= {"tile": draw(tiles)} if when == "tile" else {"at_least": draw(st.integers(1, 9))}
        change |= {"lasts": "while"} if draw(st.booleans()) else {}
        found.append(change)
    return found


conditions = st.sampled_from([
    "yard empty", "none in play", "none on path", "captures >= 1", "lost >= 2", "home = 1", "turns >= 9", "yard <= 2",
    "in play >= 1", "on path = 1", "holds 3", "holds nowhere", "often",
])  # fmt: skip
rows = st.fixed_dictionaries(
    {
        "event": st.sampled_from([
            "start", "roll", "roll", "double", "triple", "all_alike", "again_roll", "landing", "capture", "home",
            "all_home", "no_move", "missed_capture",
        ]),
        "do": st.sampled_from(["again", "lose", "skip", "skip_next", "reverse", "out", "home", "home", "token"]),
    },
    optional={
        "values": distances, "nth": st.integers(0, 3), "tiles": lists(tiles), "amount": st.integers(1, 2),
        "token": st.sampled_from(["", "3", "-2", "out", "swap", "finish"]),
        "piece": st.sampled_from(["moved", "last_moved", "furthest", "hindmost", "all", "could_have"]),
        "when": st.lists(conditions, max_size=2),
    },
)  # fmt: skip


meetings = st.fixed_dictionaries(
    {},
    optional={
        "who": st.sampled_from(["own", "own", "mate", "side", "enemy", "enemy", "enemy", "owner", "any", "green"]),
        "count": st.sampled_from(["1", "2", "1+", "1+", "2+", "3+", "more", "as_many", "fewer"]),
        "of": st.sampled_from(["colour", "side"]),
        "tiles": st.one_of(
            st.sampled_from(["all", "path", "safe", "unsafe", "entry", "lane"]), st.lists(tiles, min_size=1, max_size=4)
        ),
        "coming": st.sampled_from(["any", "any", "out", "along"]),
        "passing": st.sampled_from([True, True, False, "stops_before", "stops_there", "captures"]),
        "landing": st.sampled_from(["capture", "share", "closed", "home", "swap", "stops_before", "joins", "joins"]),
    },
)


@st.composite
def likely_rows(draw: st.DrawFn) -> list[Document]:
    """Some rows of [[on]], with what their event and verb need and nothing else: most of them can be."""
    found = []
    for row in draw(st.lists(rows, max_size=3)):
        needed = {"landing": ["tiles"], "roll": ["values"]}.get(row["event"], [])
        needed = needed + {"token": ["token"], "home": ["piece"], "out": ["amount"]}.get(row["do"], [])
        rolled = row["event"] in ("roll", "double", "all_alike", "again_roll")
        kept = {key: value for key, value in row.items() if key in ("event", "do", "when", *needed)}
        found.append(kept | ({"nth": row["nth"]} if rolled and "nth" in row else {}))
    return found


@st.composite
def likely_documents(draw: st.DrawFn) -> Document:
    """A valid document with a few options changed: most of them still are."""
    document = merged(draw(st.sampled_from(BASES)), draw(sparse()))
    if draw(st.integers(0, 3)):  # now and then no limit: then the game ends by itself, or is refused
        document["win"] = document.get("win", {}) | {"turn_limit": draw(st.integers(1, 120))}
    document["changes"] = draw(changes())
    document["on"] = draw(st.one_of(st.just([]), likely_rows()))
    document["meeting"] = draw(st.one_of(st.just([]), st.lists(meetings, max_size=3)))
    return {"name": "likely", **document}


@st.composite
def wild_documents(draw: st.DrawFn) -> Document:
    """Any options at all, a limit or none: nearly valid, at the best."""
    document = draw(st.fixed_dictionaries({}, optional={group: some(**options) for group, options in OPTIONS.items()}))
    if draw(st.booleans()):
        document["win"] = document.get("win", {}) | {"turn_limit": draw(st.integers(0, 120))}
    return {"name": "wild", **document}


@st.composite
def hostile_documents(draw: st.DrawFn) -> Document:
    """A document in which something is not what it should be."""
    document = draw(likely_documents())
    for _ in range(draw(st.integers(1, 3))):
        group = draw(st.sampled_from([*OPTIONS, "changes", "allowed", "plugins", "name", "extends", "cites", "x"]))
        if group in OPTIONS and draw(st.booleans()):
            key = draw(st.sampled_from([*OPTIONS[group], "y"]))
            document[group] = document.get(group, {}) if isinstance(document.get(group, {}), dict) else {}
            document[group] = document[group] | {key: draw(hostile)}
        else:
            document[group] = draw(hostile)
    return document
