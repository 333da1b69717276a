"""Small rule-set documents, one feature each: what the general game is tested with."""

from __future__ import annotations

from typing import Any

SMALL = {"seats": 2, "pieces": 2, "end_path": 2, "path": 16}
FORK = [
    "1..12 > 1", "3 > s1 > s2 > 8", "green: start > 1", "green: 12 > g1 > g2 > finish",
    "yellow: start > 7", "yellow: 6 > y1 > y2 > finish",
]  # fmt: skip
STEPS = [{"name": f"go-{n}", "distance": n, "count": 3} for n in (1, 2, 3, 6)]

# name → the document's own part; every one is small, so that games are short and pieces meet
FEATURES: dict[str, dict[str, Any]] = {
    "plain": {},
    "one-piece": {"board": SMALL | {"pieces": 1}},
    "eight-pieces": {"board": SMALL | {"pieces": 8}},
    "eight-seats": {"board": {"seats": 8, "pieces": 2, "end_path": 1}, "win": {"turn_limit": 300}},
    "ring": {"board": {"shape": "ring", "seats": 3, "pieces": 2, "end_path": 0, "path": 18}},
    "ring-lanes": {"board": {"shape": "ring", "seats": 4, "pieces": 2, "end_path": 3, "path": 20}},
    "graph": {"board": {"shape": "graph", "seats": 2, "pieces": 2, "paths": FORK}, "win": {"turn_limit": 200}},
    "graph-safe": {
        "board": {"shape": "graph", "seats": 2, "pieces": 3, "paths": FORK, "jumps": ["5 > s2"]},
        "safe": {"at": [1, "s1"]}, "block": {"stops": "all"}, "win": {"turn_limit": 200},
    },
    "two-ways-one-end": {
        "board": {"shape": "graph", "seats": 2, "pieces": 2, "paths": [
            "1..6", "2 > a > 4", "green: start > 1", "yellow: start > 1", "green: 6 > finish", "yellow: 6 > finish",
        ]},
    },
    "two-doors": {
        "board": {"shape": "graph", "seats": 2, "pieces": 2, "paths": [
            "1..8", "green: start > 1", "green: start > 3", "yellow: start > 2", "6 > finish", "8 > finish",
        ]},
        "start": {"leave_on": [1, 6]},
    },
    "cross-shortcut": {"board": SMALL | {"paths": ["2 > x1 > 11"]}, "win": {"turn_limit": 200}},
    "jumps": {"board": SMALL | {"jumps": ["3 > 7", "12 > 9"]}, "win": {"turn_limit": 200}},
    "three-dice": {"chance": {"dice": 3}},
    "sum": {
        "chance": {"dice": 2, "use": "sum", "faces": [1, 2, 3]}, "start": {"leave_on": [4, 6]},
        "win": {"turn_limit": 99},
    },
    "faces-weights": {"chance": {"faces": [1, 3, 4, 6], "weights": [4, 3, 2, 1]}},
    "zero-face": {"chance": {"faces": [0, 1, 2, 6]}, "turn": {"again_values": [0]}},
    "backward": {"chance": {"faces": [-2, 1, 3, 6]}, "win": {"turn_limit": 200}},
    "cowries": {
        "chance": {"device": "cowries", "dice": 4, "throws": [8, 1, 2, 3, 6], "weights": [2, 3]},
        "turn": {"again_values": [8, 6]}, "start": {"leave_on": [6, 8]},
    },
    "sticks": {"chance": {"device": "sticks", "dice": 3}, "start": {"leave_on": [1, 3]}},
    "spinner": {"chance": {"device": "spinner", "faces": [1, 2, 5, 6]}},
    "cards": {"chance": {"device": "cards", "cards": STEPS}},
    "deck": {"chance": {"device": "cards", "cards": STEPS, "replacement": False}},
    "card-effects": {
        "chance": {"device": "cards", "replacement": False, "cards": [
            *STEPS, {"name": "swap", "effect": "swap", "count": 4}, {"name": "out", "effect": "out", "then": "again"},
            {"name": "rest", "then": "skip"}, {"name": "halt", "then": "skip_next"},
            {"name": "turn", "then": "reverse"},
            {"name": "back", "distance": -3}, {"name": "free", "then": "again"},
        ]},
        "board": SMALL | {"seats": 4, "path": 24}, "win": {"turn_limit": 200},
    },
    "opponent-cards": {
        "chance": {"device": "cards", "cards": [
            *STEPS, {"name": "push", "distance": -2, "moves": "opponent", "count": 3},
            {"name": "any", "distance": 4, "moves": "any", "count": 3},
        ]},
        "win": {"turn_limit": 200},
    },
    "lot": {"turn": {"first": "lot"}, "board": SMALL | {"seats": 4, "path": 24}},
    "roll-off-two-dice": {"turn": {"first": "roll_off"}, "chance": {"dice": 2}},
    "anticlockwise": {"turn": {"direction": "anticlockwise"}, "board": SMALL | {"seats": 4, "path": 24}},
    "order": {
        "turn": {"lose_on": [4], "skip_on": [5], "reverse_on": [3], "again_on": ["six"], "sixes_limit": 2},
        "board": SMALL | {"seats": 4, "path": 24},
    },
    "doubles": {"chance": {"dice": 2}, "turn": {"again_on": ["doubles", "capture"], "sixes_limit": 3, "attempts": 2}},
    "may-pass": {"turn": {"may_pass": True}, "win": {"turn_limit": 100}},
    "squares": {
        "squares": {"roll_again": [2], "miss_turn": [5], "turn_round": [7], "send_home": [11]},
        "win": {"turn_limit": 200}, "board": SMALL | {"seats": 4, "path": 24},
    },
    "by-passing": {"capture": {"by": "passing"}},
    "by-sweep": {"capture": {"by": "sweep"}, "block": {"stops": "opponents"}},
    "back": {"capture": {"captured_to": "back", "tiles_back": 4}},
    "back-alone": {"capture": {"captured_to": "back", "tiles_back": 3}, "movement": {"share_own": False}},
    "held": {"capture": {"captured_to": "held"}, "board": SMALL | {"seats": 4, "path": 24}},
    "bonus": {"capture": {"capture_bonus": 5}, "finish": {"finish_bonus": 3}, "board": SMALL | {"pieces": 4}},
    "bonus-dice": {"capture": {"capture_bonus": 5}, "chance": {"dice": 2}, "start": {"leave_on": [5, 6]}},
    "parted": {"block": {"moves_on": False}, "chance": {"dice": 2, "faces": [1, 2, 3]}, "start": {"leave_on": [2]},
               "turn": {"again_on": ["doubles"]}, "board": SMALL | {"pieces": 4}},
    "may-join": {"meeting": [{"who": "own", "landing": "may_join"}, {"who": "enemy", "count": "more",
                 "landing": "closed"}], "board": SMALL | {"pieces": 4}, "win": {"turn_limit": 300}},
    "may-join-pool": {"meeting": [{"who": "own", "landing": "may_join"}], "chance": {"dice": 2, "faces": [1, 2, 3]},
                      "start": {"leave_on": [2]}, "board": SMALL | {"pieces": 3, "paths": ["2 > x1 > 11"]},
                      "win": {"turn_limit": 300}},
    "capture-duty": {"capture": {"duty": True}, "board": SMALL | {"pieces": 4}},
    "move-all": {"movement": {"may_move": "all"}, "win": {"turn_limit": 150}},
    "teams-of-six": {
        "modes": {"mode": "teams"}, "board": SMALL | {"seats": 6, "path": 30}, "movement": {"may_move": "team"},
    },
    "two-colours-each": {
        "players": {"controls": [["green", "yellow"], ["red", "blue"]]}, "board": SMALL | {"seats": 4, "path": 24},
    },
    "needed": {"win": {"needed": 2}, "board": SMALL | {"pieces": 4}},
    "last-out": {"win": {"condition": "last_out"}, "board": SMALL | {"seats": 4, "path": 24}},
    "score": {"win": {"condition": "score", "score": 6, "home_points": 2, "capture_points": 1, "turn_limit": 200}},
    "ranks": {"win": {"play_on": True, "ranks": 2}, "board": SMALL | {"seats": 4, "path": 24}},
    "turn-limit": {"win": {"turn_limit": 20}},
    "change-captures": {
        "changes": [{"name": "hunt", "when": "captures", "at_least": 2, "set": {"capture.by": "passing"}}],
        "board": SMALL | {"pieces": 4},
    },
    "changes": {
        "changes": [
            {"when": "home", "scope": "all", "set": {"finish.rule": "bounce", "block.stops": "all"}},
            {"name": "late", "when": "turns", "at_least": 30, "scope": "all", "set": {"chance.faces": [2, 4, 6]}},
            {"name": "shrine", "when": "tile", "tile": 9, "set": {"turn.again_on": ["six", "capture"]}},
            {"name": "weak", "when": "lost", "at_least": 2, "set": {"start.leave_on": [4, 6]}},
        ],
        "capture": {"before_home": True}, "board": SMALL | {"pieces": 3}, "win": {"turn_limit": 500},
    },
    "events-of-rolls": {
        "chance": {"dice": 2, "faces": [1, 2, 6]},
        "turn": {"again_on": ["doubles"], "duties": ["out", "break_block on double", "capture on 2"]},
        "on": [
            {"event": "double", "nth": 2, "do": "home", "piece": "last_moved"},
            {"event": "double", "nth": 2, "do": "lose", "when": ["in play >= 1"]},
            {"event": "roll", "values": [2], "do": "skip_next", "when": ["yard empty"]},
            {"event": "roll", "values": [1], "do": "out", "when": ["none in play"]},
        ],
        "board": SMALL | {"seats": 3, "path": 24, "pieces": 3}, "win": {"turn_limit": 200},
    },
    "events-of-moves": {
        "on": [
            {"event": "landing", "tiles": [3, 9], "do": "home", "when": ["home = 0"]},
            {"event": "capture", "do": "token", "token": "out"},
            {"event": "capture", "do": "reverse", "when": ["captures >= 2"]},
            {"event": "home", "do": "token", "token": "finish", "when": ["on path >= 2"]},
            {"event": "all_home", "do": "skip_next"},
            {"event": "no_move", "do": "again", "when": ["holds 5"]},
            {"event": "start", "do": "out"},
        ],
        "turn": {"again_on": ["six"]}, "win": {"turn_limit": 200, "play_on": True},
        "board": SMALL | {"seats": 3, "path": 24, "pieces": 3},
    },
    "alternatives": {
        "chance": {"tokens": {"6": ["out+out", "out@3", "6"], "1": ["out", "1", "3"], "2": ["2", "-1"], "5": ["2+3"]}},
        "win": {"turn_limit": 200}, "board": SMALL | {"pieces": 3},
    },
    "sum-of-two": {
        "chance": {"dice": 2, "faces": [1, 2, 3, 4], "tokens": {"a+b=5": ["out"]}}, "start": {"leave_on": [4]},
        "turn": {"duties": ["out"]}, "board": SMALL | {"pieces": 4},
    },
    "pairs": {
        "chance": {"dice": 2, "faces": [1, 2, 3], "tokens": {"a=b": ["out+out"]}}, "start": {"leave_on": []},
        "turn": {"again_on": ["doubles"], "attempts": 3}, "board": SMALL | {"pieces": 4},
    },
    "saved-throws": {
        "chance": {"device": "sticks", "dice": 4, "throws": [5, 1, 2, 3, 4], "hold": "turn"},
        "turn": {"again_values": [4, 5], "again_on": ["capture"], "sixes_limit": 3}, "start": {"leave_on": [1, 5]},
        "board": SMALL | {"pieces": 4},
    },
    "card-choices": {
        "chance": {"device": "cards", "replacement": False, "tokens": {"ace": ["out", "1", "5"], "four": ["4", "-2"]},
                   "cards": [{"name": "ace", "count": 4}, {"name": "four", "count": 3}, *STEPS[:3]]},
        "start": {"leave_on": [3]}, "win": {"turn_limit": 200},
    },
    "blowing": {
        "on": [{"event": "missed_capture", "do": "home", "piece": "could_have"},
               {"event": "missed_capture", "do": "home", "piece": "furthest", "when": ["lost >= 1"]},
               {"event": "roll", "values": [1], "do": "home", "piece": "hindmost", "when": ["on path <= 1"]}],
        "turn": {"may_pass": True, "again_on": ["six"]}, "win": {"turn_limit": 200},
        "board": SMALL | {"pieces": 4},
    },
    "living-changes": {
        "changes": [
            {"name": "out", "when": "yard empty", "lasts": "while", "set": {"turn.again_on": ["six"]}},
            {"name": "idle", "when": "none in play", "lasts": "while", "set": {"turn.attempts": 3}},
            {"name": "gate", "when": "holds 8", "lasts": "while", "set": {"safe.at": [8]}},
        ],
        "finish": {"rule": "bounce"},
    },
    "before-home-open": {"capture": {"before_home": True, "capture_bonus": 4}},
}  # fmt: skip

JOINS = {"who": "own", "tiles": "path", "landing": "joins"}
# meetings and guards, one each
MECHANISMS: dict[str, dict[str, Any]] = {
    "castles": {"meeting": [{"tiles": "safe", "landing": "closed"}], "safe": {"tiles": [0, 3]}},
    "joins": {"meeting": [JOINS], "board": SMALL | {"pieces": 4}},
    "joins-everywhere": {
        "meeting": [{"who": "own", "landing": "joins"}], "chance": {"dice": 2}, "capture": {"freezes": True},
    },
    "strength": {
        "meeting": [JOINS, {"count": "more", "landing": "closed"}, {"count": "as_many", "landing": "share"}],
        "board": SMALL | {"seats": 4, "path": 24, "pieces": 4}, "win": {"turn_limit": 300},
    },
    "walls": {"meeting": [{"passing": False, "landing": "capture"}]},
    "stops": {
        "meeting": [{"who": "any", "passing": "stops_before", "landing": "stops_before"}], "win": {"turn_limit": 300},
    },
    "stops-there": {"meeting": [{"passing": "stops_there"}], "board": SMALL | {"pieces": 4}},
    "places-change": {"meeting": [{"landing": "swap"}], "board": SMALL | {"pieces": 4}, "win": {"turn_limit": 300}},
    "door": {
        "meeting": [{"coming": "out", "passing": "captures"}, {"tiles": "entry", "landing": "share"}],
        "board": SMALL | {"pieces": 4},
    },
    "mixed-blobs": {
        "meeting": [
            {"who": "enemy", "count": "2+", "passing": False, "landing": "closed"},
            {"who": "enemy", "count": "2+", "of": "side", "landing": "home"},
            {"who": "mate", "landing": "closed", "tiles": [3, 7]},
        ],
        "modes": {"mode": "teams"}, "board": SMALL | {"seats": 4, "path": 24, "pieces": 4}, "win": {"turn_limit": 300},
    },
    "guards": {
        "board": {"shape": "graph", "seats": 2, "pieces": 3, "paths": [
            *FORK, "5 > mid [stop]", "mid > 11 [with 1 or 6]", "9 > t1 [rest] > 2", "2 > c1 [captured] > 10",
            "4 > d1 [not captured] > 5",
        ]},
        "win": {"turn_limit": 300},
    },
    "slides": {
        "board": SMALL | {"pieces": 4, "jumps": [
            "not green: 2 > 3 > 4 > 5 [slide]", "not yellow: 10 > 11 > 12 [slide]",
        ]},
        "movement": {"share_own": False}, "win": {"turn_limit": 300},
    },
    "own-tiles": {
        "board": SMALL | {"jumps": ["each: 1 > 4 > 7", "each: 7 > 11 > 13 [through]"]}, "win": {"turn_limit": 300},
    },
}  # fmt: skip


def document(name: str) -> dict[str, Any]:
    """The whole document of a feature."""
    return {"name": name, "board": SMALL, **(FEATURES | MECHANISMS)[name]}
