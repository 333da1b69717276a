"""Any document is refused in one line, or plays to its end or its limit: no hang, no trace."""

from __future__ import annotations

import json
import os
import random
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import ludus

from .loose_strategies import hostile_documents, likely_documents, wild_documents

SOAK = bool(os.environ.get("LUDUS_SOAK"))
MOST_PLIES = 3_000  # of a game with a limit of 120 turns at most
ENDLESS = 60_000  # plies after which a game without a limit has none: the longest that were ever drawn have a thousand
SECONDS = 120  # of the processor, for one document: a hang, not a slow machine
LOAD_SECONDS = 10  # of the processor: 0.2 are promised, 0.1 were measured, and a slow machine is no fault


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """What is imported with the first game is not counted as its load."""
    ludus.make("tides")


def asked(share: int) -> settings:
    """500 documents in all, 10,000 in a soak."""
    return settings(
        max_examples=share * (20 if SOAK else 1),
        deadline=None,
        derandomize=not SOAK,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def judge(document: Any) -> str:
    """Make a document's game and play it to its end or its declared limit: 'refused' or 'over'."""
    before = time.process_time()
    try:
        game = ludus.make(document)
    except ludus.LudusError as error:
        line = str(error)
        assert line.isprintable(), line
        assert 0 < len(line) <= 500, line
        assert time.process_time() - before < LOAD_SECONDS, document
        return "refused"
    assert time.process_time() - before < LOAD_SECONDS, document
    if game.may_not_end:  # L20 allows it: nothing is promised but that it goes on
        play(game, MOST_PLIES)
    else:
        assert play(game, MOST_PLIES if game.rules.win.turn_limit else ENDLESS), document
    assert time.process_time() - before < SECONDS, document
    return "over"


def play(game: ludus.Game, most: int) -> bool:
    """Play at random with every law that is cheap; whether the game came to its end."""
    rng = random.Random(1)
    position = game.start(rng.randrange(1000))
    count = dict.fromkeys(game.players, game.rules.board.pieces)
    for ply in range(most):
        if position.to_move is None:
            assert set(position.result) == set(game.players)
            return True
        if ply < MOST_PLIES and ply % 40 == 0:
            data = json.loads(json.dumps(position.to_dict()))
            assert game.position(data) == position, data
            assert {player: len(places) for player, places in data["pieces"].items()} == count
        if position.to_move == "chance":
            position = position.roll()
        else:
            move = rng.choice(position.moves())
            assert position.action(str(move)) == move.action_id
            position = position.play(move)
    return False


@pytest.mark.slow
@asked(250)
@given(likely_documents())
def test_likely_documents(document):
    judge(document)


@pytest.mark.slow
@asked(100)
@given(wild_documents())
def test_wild_documents(document):
    judge(document)


@pytest.mark.slow
@asked(150)
@given(hostile_documents())
def test_hostile_documents(document):
    judge(document)


def test_most_likely_documents_are_games():
    """The strategy is worth something: of these documents many are games, many with another board or device."""
    found = []

    @settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(likely_documents())
    def look(document):
        try:
            rules = ludus.make(document).rules
        except ludus.LudusError:
            return
        is_unusual = rules.board.shape != "cross" or rules.chance.device != "dice" or rules.tokens_in_a_roll > 1
        is_french = rules.chance.pool == "double_six" and rules.capture.captured_to == "held"
        found.append((is_unusual, rules.win.turn_limit == 0, is_french and rules.movement.combined_move != "none"))

    look()
    assert sum(unusual for unusual, _, _ in found) >= 10
    assert sum(unlimited for _, unlimited, _ in found) >= 3
    assert sum(french for _, _, french in found) >= 5
