"""Any rows of meetings, guards and jumps: what the events tell is what the pieces do, and every form plays alike."""

from __future__ import annotations

import os
import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ludus
from ludus.core.conformance import random_positions, the_forms_play_alike, the_twins_agree, twins

from .loose_strategies import BASES, Document, jumping, meetings

SOAK = bool(os.environ.get("LUDUS_SOAK"))
PUT = ("moved", "came_out", "bought", "captured", "jumped", "sent_home", "swapped")  # events that say where a piece is


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A valid document with rows on top: many of them can be."""
    base = draw(st.sampled_from(BASES[:6]))
    board = base["board"] | {"jumps": draw(st.lists(jumping, max_size=1))}
    rows = draw(st.lists(meetings, min_size=1, max_size=3))
    return {"name": "rows", **base, "board": board, "meeting": rows, "win": {"turn_limit": 60}}


def pieces(position: ludus.Position) -> dict[str, list[Any]]:
    return {colour: list(places) for colour, places in position.to_dict()["pieces"].items()}


def follow(game: ludus.Game, seed: int) -> None:
    """Play at random: the pieces are where the events have put them, and the position comes back from plain data."""
    rng, position = random.Random(seed), game.start(seed)
    for ply in range(100):
        if position.to_move is None:
            return
        if position.to_move == "chance":
            position = position.roll()
            continue
        move, told = rng.choice(position.moves()), pieces(position)
        for event in position.events(move):
            if event.what in PUT:
                told[event.colour][event.piece] = event.target
        position = position.play(move)
        assert pieces(position) == told, (str(move), position.to_dict())
        if ply % 7 == 0:
            assert game.position(position.to_dict()) == position


@settings(
    max_examples=500 if SOAK else 15,
    deadline=None,
    derandomize=not SOAK,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(documents(), st.integers(0, 9))
def test_rows_are_refused_or_told_and_played_alike(document: Document, seed: int) -> None:
    try:
        game = ludus.make(document)
    except ludus.LudusError:  # in one line: test_loose asks that of every document
        return
    follow(game.interpreted(), seed)
    fast, slow = twins(game, specialised=False)
    the_forms_play_alike(fast, slow, seed)
    for position in random_positions(fast, 20, seed):
        the_twins_agree(position, slow, random.Random(seed))
