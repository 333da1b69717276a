"""Documents made from the mechanisms of the language, drawn from a seed: many can be played, the others say why not."""

from __future__ import annotations

from random import Random
from typing import Any

Document = dict[str, Any]

COLOURS = ("green", "yellow", "blue", "red")
CONDITIONS = (
    "yard empty",
    "none in play",
    "captures >= 1",
    "home >= 1",
    "turns >= 9",
    "home = 0",
    "holds 3",
    "lost >= 1",
)


def document(number: int) -> Document:
    """The document of a number: a board, a device, and some of the mechanisms."""
    rng = Random(number)
    made: Document = {"name": f"fuzz-{number}", "win": {"turn_limit": rng.randint(10, 50)}}
    made |= {"board": rng.choice([cross, cross, ring, net, there_and_back])(rng)}
    made |= {"chance": device(rng), "start": {"leave_on": sorted(rng.sample(range(1, 7), rng.randint(1, 3)))}}
    for mechanism in rng.sample(MECHANISMS, rng.randint(1, 5)):
        for group, values in mechanism(rng).items():
            if isinstance(values, dict):
                made[group] = made.get(group, {}) | values
            else:
                made[group] = values
    return made


# ---------------------------------------------------------------- boards


def cross(rng: Random) -> Document:
    return {
        "seats": rng.choice([2, 3, 4, 4, 6, 12]), "pieces": rng.choice([1, 2, 2, 3, 4, 15]),
        "end_path": rng.randint(2, 5), "skipped": rng.randint(0, 2),
        "travel": rng.choice(["clockwise", "anticlockwise"]),
    }  # fmt: skip


def ring(rng: Random) -> Document:
    seats = rng.choice([2, 4])
    return {
        "shape": "ring", "seats": seats, "pieces": rng.randint(1, 4), "path": seats * rng.randint(5, 9),
        "end_path": rng.randint(1, 4), "skipped": rng.randint(0, 2), "paths": rng.choice([[], ["3 > s1..s3 > 8"]]),
    }  # fmt: skip


def net(rng: Random) -> Document:
    """A ring of named tiles with a lane for each of two colours, a way across with guards, and perhaps a map."""
    guard = rng.choice(["", " [stop]", " [with 1]", " [rest]", " [captured]", " [not captured]", "when", "while"])
    guard = f" [{guard} {rng.choice(CONDITIONS)}]" if guard.startswith("wh") else guard
    paths = [
        "1..16 > 1", "green: start > 1", "green: 16 > g1..g3 > finish", "yellow: start > 9",
        "yellow: 8 > y1..y3 > finish", f"4 > b1..b2{guard} > 12",
        *rng.choice([[], ["12 > 11 [with -1]", "12 > b2 [with -1]"]]),
    ]  # fmt: skip
    drawing = "1 . 5\n. b1 b2 .\n13 . 9\ng3 y3"
    return {
        "shape": "graph", "seats": 2, "pieces": rng.randint(1, 4), "paths": paths,
        "jumps": rng.choice([[], ["6 > 11"], ["green: 6 > 2"], ["6 > 10 [slide]"],
                             ["6 > 11 [while none home]"], ["6 > 8 > 10 [through] [when turns >= 5]"]]),
        "map": rng.choice(["", "", drawing]),
    }  # fmt: skip


def there_and_back(rng: Random) -> Document:
    """A ring that is left over the squares by which it was come to, and perhaps a second round."""
    paths = [
        "green: start > g1..g3 > 9 > 0..8 > j4..j1 > finish",
        "yellow: start > y1..y3 > 4 > 5..9 > 0..3 > k4..k1 > finish",
    ]  # fmt: skip
    same = ["j1..j3 = g1..g3", "j4 = 9", "k1..k3 = y1..y3", "k4 = 4"]
    return {
        "shape": "graph", "seats": 2, "pieces": rng.randint(1, 4), "same": rng.sample(same, rng.randint(1, 4)),
        "paths": paths + rng.choice([[], ["green: j4 > 0"]]),
        "jumps": rng.choice([[], ["6 > 9"], ["green: 2 > y2 > 6 [through]"]]),
    }  # fmt: skip


# ---------------------------------------------------------------- what is rolled


def device(rng: Random) -> Document:
    kind = rng.choice(["dice", "dice", "two", "sum", "sticks", "cards"])
    if kind == "sticks":
        return {"device": "sticks", "dice": 4, "throws": [5, 1, 2, 3, 4]} | rng.choice([{}, {"marked": -1}])
    if kind == "cards":
        cards = [{"name": f"c{n}", "distance": n, "count": rng.randint(1, 3)} for n in range(1, 7)]
        cards += rng.sample([{"name": "swap", "effect": "swap"}, {"name": "out", "effect": "out"},
                             {"name": "back", "distance": -3}, {"name": "rest", "then": "skip"}], 2)  # fmt: skip
        return {"device": "cards", "cards": cards, "replacement": rng.random() < 0.5}
    return {"dice": 1 if kind == "dice" else 2, "use": "sum" if kind == "sum" else "each"}


def tokens(rng: Random) -> Document:
    table = {
        "6": ["out", "6"], "1": rng.choice([["1"], ["1", "out"], ["-1"], []]), "a=b": ["out+out"],
        "a+b=5": ["out"], "5": ["out@3"], "2": ["2", "4"],
    }  # fmt: skip
    chosen = rng.sample(sorted(table), rng.randint(1, 3))
    return {"chance": {"tokens": {key: table[key] for key in chosen}, "hold": rng.choice(["roll", "turn"])}}


# ---------------------------------------------------------------- rows


def meetings(rng: Random) -> Document:
    rows = [
        {
            "who": rng.choice(["own", "mate", "side", "enemy", "owner", "any"]),
            "count": rng.choice(["1", "2", "1+", "2+", "3+", "more", "as_many", "fewer"]),
            "of": rng.choice(["colour", "colour", "side"]),
            "tiles": rng.choice(["all", "path", "safe", "unsafe", "entry", "lane", [3, 5]]),
            "coming": rng.choice(["any", "any", "out", "along", "jump"]),
            "passing": rng.choice([True, True, False, "stops_before", "stops_there", "captures"]),
            "landing": rng.choice(["capture", "share", "closed", "home", "swap", "stops_before", "joins", "may_join"]),
        }
        for _ in range(rng.randint(1, 3))
    ]
    return {"meeting": [{key: row[key] for key in row if rng.random() < 0.7} for row in rows]}


def together(rng: Random) -> Document:
    """Stacks that may be left, others that are challenged from behind, pairs that stay apart."""
    rows = [
        {"who": "own", "landing": "may_join", "tiles": rng.choice(["all", "path", [3, 5]])},
        {"who": "enemy", "count": rng.choice(["1", "2+"]), "passing": False, "landing": "closed", "broken_by": 6},
        {"who": "enemy", "count": "more", "landing": "closed"},
    ]
    return {"meeting": rng.sample(rows, rng.randint(1, 3)), "block": {"moves_on": rng.random() < 0.5}}


def events(rng: Random) -> Document:
    def row() -> Document:
        event = rng.choice(
            ["start", "roll", "double", "again_roll", "landing", "capture", "home", "all_home", "no_move",
             "missed_capture"]
        )  # fmt: skip
        made: Document = {
            "event": event,
            "do": rng.choice(
                ["again", "lose", "skip", "reverse", "out", "home", "token", "move", "swap", "stake", "new_round"]
            ),
        }
        more = {
            "landing": {"tiles": [rng.randint(1, 7)]}, "roll": {"values": [rng.randint(1, 6)]},
            "double": {"nth": rng.randint(1, 3)},
        }.get(event, {})  # fmt: skip
        made |= more | ({"token": rng.choice(["5", "out", "-2", "swap"])} if made["do"] == "token" else {})
        pieces = ["moved", "last_moved", "furthest", "foremost", "hindmost", "all"]
        made |= {"piece": rng.choice(pieces)} if made["do"] in ("home", "move", "swap") else {}
        made |= {"amount": rng.choice([-3, -1, 2, 5])} if made["do"] in ("move", "stake", "token") else {}
        made |= {"onto": rng.sample(range(1, 9), rng.randint(1, 2))} if event == "start" and rng.random() < 0.5 else {}
        return made | ({rng.choice(["when", "while"]): [rng.choice(CONDITIONS)]} if rng.random() < 0.3 else {})

    return {"on": [row() for _ in range(rng.randint(1, 3))]}


def changes(rng: Random) -> Document:
    sets: list[Document] = [{"block.stops": "all"}, {"safe.tiles": [2]}, {"capture.by": "passing"},
                            {"start.leave_on": [1, 6]}, {"finish.rule": "overshoot"}]  # fmt: skip
    first: Document = {"name": "one", "when": rng.choice(CONDITIONS), "set": rng.choice(sets)}
    second: Document = {
        "name": "two",
        "when": rng.choice(["captures", "home"]),
        "set": rng.choice(sets),
        "scope": "all",
    }
    first |= {"lasts": "while"} if rng.random() < 0.4 else {}
    return {"changes": rng.choice([[first], [first, second]])}


# ---------------------------------------------------------------- options


def duties(rng: Random) -> Document:
    known = [
        "unblock",
        "capture",
        "clear_entry",
        "out",
        "break_block",
        "break_block on double",
        "out on 6",
        "leave_entry",
    ]
    return {"turn": {"duties": rng.sample(known, rng.randint(1, 3))}}


def turns(rng: Random) -> Document:
    every: Document = {
        "again_on": rng.sample(["six", "capture", "finish", "doubles"], 2), "again_values": [rng.randint(1, 6)],
        "lose_on": [rng.randint(1, 6)], "may_pass": True, "sixes_limit": 3, "attempts": 3, "first": "roll_off",
        "direction": "anticlockwise", "reverse_on": [2],
    }  # fmt: skip
    return {"turn": {key: every[key] for key in rng.sample(sorted(every), rng.randint(1, 4))}}


def blocks(rng: Random) -> Document:
    return {
        "block": {"stops": rng.choice(["opponents", "all"]), "on_safe": rng.random() < 0.5},
        "safe": {"tiles": [0, 3], "entry": rng.choice(["open", "owner_shares", "owner_punishes"])},
    }  # fmt: skip


def captures(rng: Random) -> Document:
    every: Document = {
        "by": rng.choice(["landing", "passing", "sweep"]), "captured_to": rng.choice(["start", "held", "back"]),
        "stack": "punishes", "capture_bonus": rng.choice([3, 20]), "duty": True, "before_home": True, "freezes": True,
    }  # fmt: skip
    return {"capture": {key: every[key] for key in rng.sample(sorted(every), rng.randint(1, 3))}}


def finishes(rng: Random) -> Document:
    every: Document = {
        "rule": rng.choice(["exact", "overshoot", "bounce", "bounce_from_square", "stairs"]), "passing": False,
        "places": "end_path", "finish_bonus": 4,
    }  # fmt: skip
    return {"finish": {key: every[key] for key in rng.sample(sorted(every), rng.randint(1, 2))}}


def moving(rng: Random) -> Document:
    every: Document = {
        "share_own": False, "stars": [4], "branch": "from_rest", "may_move": rng.choice(["all", "team"]),
        "combined_move": rng.choice(["jump", "sweep"]),
    }  # fmt: skip
    return {"movement": {key: every[key] for key in rng.sample(sorted(every), rng.randint(1, 2))}}


def squares(rng: Random) -> Document:
    kinds = ["roll_again", "miss_turn", "turn_round", "send_home"]
    return {"squares": {kind: [rng.randint(1, 7)] for kind in rng.sample(kinds, rng.randint(1, 2))}}


def winning(rng: Random) -> Document:
    return rng.choice([
        {"win": {"needed": 1}}, {"win": {"play_on": True}}, {"win": {"condition": "last_out"}},
        {"win": {"condition": "score", "score": 5, "capture_points": 2}},
        {"win": {"condition": "score", "score": 9, "purse": 4, "home_points": 1}}, {"modes": {"mode": "teams"}},
    ])  # fmt: skip


MECHANISMS = (
    tokens, meetings, together, meetings, events, events, changes, duties, turns, blocks, captures, finishes, moving,
    squares, winning,
)  # fmt: skip
