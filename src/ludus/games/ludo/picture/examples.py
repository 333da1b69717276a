"""Positions that show a rule, found by playing the game itself: a piece that comes out, one that captures, one home."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from ludus.core.position import Move, Position

if TYPE_CHECKING:
    from ludus.games.ludo.game import LudoGame

GAMES, PLIES = 6, 700  # games that are looked through, and how far

Shows = Callable[["LudoGame", Move], bool]


def comes_out(_: LudoGame, move: Move) -> bool:
    return move.detail.kind == "out" and not move.detail.captures


def goes_on(_: LudoGame, move: Move) -> bool:
    facts = move.detail
    plain = not (facts.captures or facts.jumps or facts.finishes or facts.sent_home or facts.bounces)
    return facts.kind == "move" and plain and len(facts.path) > 2 and "end:" not in str(facts.target)


def captures(_: LudoGame, move: Move) -> bool:
    return bool(move.detail.captures)


def comes_to_safety(game: LudoGame, move: Move) -> bool:
    from ludus.games.ludo.picture.geometry import geometry

    tile = geometry(game.rules).tiles.get(move.detail.target)
    return tile is not None and "safe" in tile.roles and move.detail.kind == "move"


def comes_home(_: LudoGame, move: Move) -> bool:
    return bool(move.detail.finishes)


# the sections of the rule book that a move can show
SHOWN: dict[str, Shows] = {
    "start": comes_out,
    "moving": goes_on,
    "captures": captures,
    "safe": comes_to_safety,
    "finish": comes_home,
}


def examples(game: LudoGame) -> dict[str, tuple[Position, Move]]:
    """A position and a move for each section that some game shows; the same ones every time."""
    found: dict[str, tuple[Position, Move]] = {}
    for seed in range(1, GAMES + 1):
        look_through(game, seed, found)
        if len(found) == len(SHOWN):
            break
    return found


def look_through(game: LudoGame, seed: int, found: dict[str, tuple[Position, Move]]) -> None:
    """One game at random: what it shows that was not found yet."""
    draw, position = Random(seed), game.start(seed=seed)
    for _ in range(PLIES):
        if position.to_move is None or len(found) == len(SHOWN):
            return
        if position.to_move == "chance":
            position = position.roll()
            continue
        moves = position.moves()
        for section, shows in SHOWN.items():
            if section not in found:
                fitting = [move for move in moves if shows(game, move)]
                found |= {section: (position, fitting[0])} if fitting else {}
        position = position.play(draw.choice(moves))


def example_scenes(game: LudoGame, lang: str) -> dict[str, dict[str, Any]]:
    """For each section that has one: the scene of its position, with the one move that it shows."""
    shown = {}
    for section, (position, move) in examples(game).items():
        scene = dict(position.scene(lang))
        moves = [one for one in scene["moves"] if one["move"] == str(move)]
        shown[section] = scene | {"moves": moves, "state": {}, "overlay": ""}
    return shown
