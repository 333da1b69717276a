"""Rule-set documents drawn by lot: valid ones that nobody has written, to learn from and to be tried on."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from ludus.core.errors import LudusError
from ludus.core.registry import make

if TYPE_CHECKING:
    from ludus.core.game import Game

Document = dict[str, Any]
MOST_TRIES = 200

# boards and devices that are played as they stand; options at random on top of them are often valid too
BASES: tuple[Document, ...] = (
    {"extends": "pettingzoo"}, {"extends": "strict"}, {"extends": "star"}, {"extends": "classic"}, {"extends": "maedn"},
    {"extends": "yut"}, {"extends": "petits-chevaux"}, {"extends": "cross-6"},
    {"board": {"end_path": 4}}, {"board": {"end_path": 3, "pieces": 3}}, {"board": {"seats": 3, "end_path": 5}},
    {"board": {"seats": 6, "end_path": 3, "pieces": 3}}, {"board": {"pieces": 2, "end_path": 6}},
    {"board": {"shape": "ring", "end_path": 0, "path": 40, "skipped": 0, "pieces": 3}},
    {"board": {"end_path": 5}, "chance": {"dice": 2}}, {"board": {"end_path": 5}, "chance": {"dice": 2, "use": "sum"}},
    {"board": {"end_path": 4}, "chance": {"device": "cowries", "dice": 6}},
)  # fmt: skip

# what may be otherwise, each with the values it may take
CHOICES: dict[str, tuple[Any, ...]] = {
    "board.pieces": (2, 3, 4, 5), "board.end_path": (3, 4, 5, 6), "board.corners": (True, False),
    "chance.faces": ([1, 2, 3, 4], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7, 8], [2, 3, 4, 6]),
    "start.leave_on": ([6], [1, 6], [5, 6], [1], [6, 5, 4]), "start.compulsory": (True, False),
    "start.clear_entry": (True, False), "movement.share_own": (True, False), "movement.stars": ([], [5], [2, 7]),
    "capture.by": ("landing", "landing", "passing", "none"), "capture.captured_to": ("start", "start", "back"),
    "capture.tiles_back": (3, 6, 9), "capture.capture_bonus": (0, 0, 5, 10), "capture.duty": (True, False),
    "capture.before_home": (True, False), "capture.stack": ("captured", "punishes"),
    "block.stops": ("none", "opponents", "all"), "block.on_safe": (True, False),
    "safe.tiles": ([], [0], [0, 8], [3, 8]), "safe.landing": ("shares", "punished"),
    "safe.entry": ("open", "owner_shares", "owner_punishes"),
    "finish.rule": ("exact", "overshoot", "bounce"), "finish.passing": (True, False), "finish.finish_bonus": (0, 0, 5),
    "turn.again_on": ([], ["six"], ["six", "capture"], ["six", "capture", "finish"], ["capture"]),
    "turn.sixes_limit": (0, 2, 3), "turn.attempts": (1, 3), "turn.may_pass": (False, False, True),
    "turn.direction": ("clockwise", "anticlockwise"), "turn.six_without_move": ("ends_turn", "rolls_again"),
    "squares.miss_turn": ([], [4]), "squares.send_home": ([], [9]), "squares.roll_again": ([], [6]),
    "modes.mode": ("ffa", "ffa", "ffa", "teams"), "win.needed": (0, 0, 2), "win.play_on": (False, False, True),
}  # fmt: skip


def drawn_document(rng: random.Random, name: str = "drawn", most: int = 5) -> Document:
    """A base with one to `most` options drawn anew; nobody has said that it is valid."""
    base = rng.choice(BASES)
    document = {key: dict(value) if isinstance(value, dict) else value for key, value in base.items()}
    for place in rng.sample(sorted(CHOICES), rng.randint(1, most)):
        group, _, key = place.partition(".")
        document[group] = {**document.get(group, {}), key: rng.choice(CHOICES[place])}
    document["win"] = {**document.get("win", {}), "turn_limit": 3000}  # some would never end by themselves
    return {"name": name, **document}


def drawn_game(rng: random.Random, name: str = "drawn", most: int = 5) -> Game:
    """A valid document as a game, with a number of players that it takes."""
    for _ in range(MOST_TRIES):
        document = drawn_document(rng, name, most)
        try:
            whole = make(document)
            players = rng.choice([whole.num_players, whole.num_players, rng.choice(whole.player_counts)])
            return whole if players == whole.num_players else make(document, players=players)
        except LudusError:
            continue
    raise LudusError(f"none of {MOST_TRIES} documents drawn was valid")


def drawn_games(seed: int, count: int) -> list[Game]:
    """So many different games, the same for the same seed: game number i depends on the seed and i alone."""
    return [drawn_game(random.Random(f"{seed}/{number}"), f"drawn-{number}") for number in range(count)]
