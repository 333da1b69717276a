"""Positions that show a rule, found by playing the game itself: a piece that comes out, one that captures, one home."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from ludus.core.position import Move, Position

if TYPE_CHECKING:
    from ludus.games.ludo.game import LudoGame

GAMES, PLIES = 6, 1500  # games that are looked through, and how far
PLIES_BY_HAND = 500  # with hands of cards every move has many ways

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


def meets(_: LudoGame, move: Move) -> bool:
    return move.detail.kind == "move" and bool(move.detail.captures or move.detail.swaps or move.detail.joins)


def wins(_: LudoGame, move: Move) -> bool:
    return move.detail.finishes and move.position.play(move).result is not None


# the sections of the rule book that a move can show
SHOWN: dict[str, Shows] = {
    "start": comes_out,
    "moving": goes_on,
    "meetings": meets,
    "captures": captures,
    "safe": comes_to_safety,
    "finish": comes_home,
    "win": wins,
}


def examples(game: LudoGame, sections: Iterable[str] = tuple(SHOWN)) -> dict[str, tuple[Position, Move]]:
    """A position and a move for each of these sections that some game shows; the same ones every time."""
    wanted = {section: SHOWN[section] for section in sections if section in SHOWN}
    if not has_safe_tiles(game):
        wanted.pop("safe", None)
    found: dict[str, tuple[Position, Move]] = {}
    for seed in range(1, GAMES + 1):
        known = len(found)
        look_through(game, seed, wanted, found)
        if len(found) in (known, len(wanted)):  # what a whole game does not show is rare
            break
    return {section: found[section] for section in wanted if section in found}


def has_safe_tiles(game: LudoGame) -> bool:
    from ludus.games.ludo.picture.geometry import geometry

    return any("safe" in tile.roles for tile in geometry(game.rules).path)


def look_through(game: LudoGame, seed: int, wanted: dict[str, Shows], found: dict[str, tuple[Position, Move]]) -> None:
    """One game at random: what it shows that was not found yet."""
    draw, position = Random(seed), game.start(seed=seed)
    for _ in range(PLIES_BY_HAND if game.has_secrets else PLIES):
        if position.to_move is None or len(found) == len(wanted):
            return
        if position.to_move == "chance":
            position = position.roll()
            continue
        moves = position.moves()
        for section, shows in wanted.items():
            if section not in found:
                fitting = [move for move in moves if shows(game, move)]
                found |= {section: (position, fitting[0])} if fitting else {}
        position = position.play(draw.choice(moves))


def example_scenes(game: LudoGame, sections: Sequence[str], lang: str) -> dict[str, dict[str, Any]]:
    """For each section that has one: the scene of its position, with the one move that it shows, if it shows one."""
    found = examples(game, sections)
    shown = still_scenes(game, found, sections, lang)
    for section, (position, move) in found.items():
        scene = bare(position, lang)
        shown[section] = scene | {"moves": [one for one in scene["moves"] if one["move"] == str(move)]}
    return shown


def still_scenes(
    game: LudoGame, found: dict[str, tuple[Position, Move]], sections: Sequence[str], lang: str
) -> dict[str, dict[str, Any]]:
    """What needs no move: the empty board, the pieces before the first roll, a roll, a block."""
    begin = bare(game.start(seed=1), lang) | {"moves": [], "roll_due": False}
    shown = {"board": begin | {"pieces": []}, "players": begin}
    thrown = next((position for position, _ in found.values()), None)
    if thrown is not None and not game.has_secrets:
        shown["rolling"] = bare(thrown, lang) | {"moves": []}
    block = block_in(game) if "blocks" in sections else None
    if block is not None:
        shown["blocks"] = bare(block, lang) | {"moves": [], "dice": []}
    return {section: scene for section, scene in shown.items() if section in sections}


def block_in(game: LudoGame) -> Position | None:
    """A position in which two pieces of one player share a tile of the path, and no other has as many."""
    draw, position = Random(1), game.start(seed=1)
    for _ in range(PLIES_BY_HAND if game.has_secrets else PLIES):
        if position.to_move is None:
            return None
        places = [place for own in position.to_dict()["pieces"].values() for place in set(own) if own.count(place) > 1]
        if any(isinstance(place, int) for place in places):
            return position
        position = position.roll() if position.to_move == "chance" else position.play(draw.choice(position.moves()))
    return None


def bare(position: Position, lang: str) -> dict[str, Any]:
    """A scene with the board and its pieces alone."""
    return dict(position.scene(lang)) | {"state": {}, "overlay": ""}
