"""A whole game as text: events in notation, legal moves with their action ids, positions as plain data."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterator
from pathlib import Path

from variants import VARIANTS, make

import ludus
from ludus.core.conformance import drawn
from ludus.core.random import stream

FOLDER = Path(__file__).parent
# every shipped game by construction; the others play differently enough to deserve a game of their own
WANTED = [*ludus.games(), *(v for v in ("pettingzoo-teams", "strict-dice", "generals-toss") if v in VARIANTS)]
SEED = 7
EVERY = 20  # plies from one position written out to the next
MOST = 24  # moves listed in full


def path(variant: str) -> Path:
    """Where the playthrough of a variant is kept."""
    return FOLDER / f"{variant}.txt"


def playthrough(variant: str) -> str:
    """The text of one random game: rolls from the position's own stream, choices from a seeded generator."""
    return "\n".join(_lines(variant, make(variant))) + "\n"


def _lines(variant: str, game: ludus.Game) -> Iterator[str]:
    name, options = VARIANTS[variant]
    yield f"game {name} {_json(options)}"
    yield f"players {' '.join(game.players)}"
    yield f"actions {game.num_actions}"
    yield f"seed {SEED}"
    rng = random.Random(SEED)
    pos = game.start(seed=SEED)
    while pos.to_move is not None:
        if pos.ply % EVERY == 0:
            yield f"position {_json(pos.to_dict())}"
        event = _drawn(pos) if pos.to_move == "chance" else rng.choice([str(move) for move in pos.moves()])
        legal = "" if pos.to_move == "chance" else f" of {_listed(pos)}"
        yield f"{pos.ply} {pos.turn} {'rolls' if not legal else 'plays'} {event}{legal}"
        pos = pos.play(event)
    yield f"position {_json(pos.to_dict())}"
    yield f"result {_json(pos.result)}"


def _drawn(pos: ludus.Position) -> str:
    event = drawn(pos, stream(pos.seed, 0))
    assert pos.play(event) == pos.roll()
    return event


def _listed(pos: ludus.Position) -> str:
    """Action id and notation of each legal move; where they are many, the ends and a checksum."""
    moves = [f"{pos.action(move)}:{move}" for move in pos.moves()]
    if len(moves) <= MOST:
        return " ".join(moves)
    checksum = zlib.crc32(" ".join(moves).encode())
    return f"{len(moves)} moves {moves[0]} … {moves[-1]} checksum {checksum:08x}"


def _json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


def write_all() -> list[Path]:
    """Write every playthrough anew and remove those that nobody wants; returns the files that changed."""
    texts = {path(variant): playthrough(variant) for variant in WANTED}
    stale = [file for file in FOLDER.glob("*.txt") if file not in texts]
    changed = [file for file, text in texts.items() if not file.exists() or file.read_text("utf-8") != text]
    for file in changed:
        file.write_text(texts[file], encoding="utf-8")
    for file in stale:
        file.unlink()
    return changed + stale
