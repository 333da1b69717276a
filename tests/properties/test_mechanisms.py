"""Documents made from the mechanisms: refused in one line, or played to their limit, compiled and interpreted alike."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import ludus
from properties.mechanisms import document

NORMAL, SOAK = 150, 10_000
LONGEST_LINE = 500
MOST_PLIES = 4_000
OFTEN = 9  # plies from one position that is set up again to the next


def judged(number: int) -> str:
    """What became of a document: refused, or how its game ended."""
    try:
        game = ludus.make(document(number))
    except ludus.LudusError as error:
        line = str(error)
        assert "\n" not in line, line
        assert len(line) < LONGEST_LINE, line
        assert line.startswith(f"fuzz-{number}: ") or "fuzz" not in line, line
        return "refused"
    return played(game, number)


def played(game: ludus.Game, number: int) -> str:
    """A game to its end by random moves, in the compiled and the interpreted kernel."""
    fast, slow = game.compile(specialised=False).start(seed=number), game.interpreted().start(seed=number)
    rng = Random(number)
    while fast.to_move is not None:
        assert fast.ply < MOST_PLIES, "a game with a limit of turns does not end"
        assert list(fast.row) == list(slow.row), f"ply {fast.ply}: the twins differ"
        if fast.ply % OFTEN == 0:
            assert game.position(fast.to_dict()) == fast, f"ply {fast.ply}: another position comes back"
        if fast.to_move == "chance":
            step = rng.choice(list(fast.outcomes()))
        else:
            moves = fast.moves()
            assert list(map(str, moves)) == list(map(str, slow.moves())), f"ply {fast.ply}: other moves"
            assert moves, f"ply {fast.ply}: a decision without a move"
            step = str(rng.choice(moves))
        fast, slow = fast.play(step), slow.play(step)
    assert game.position(fast.to_dict()) == fast, "another end comes back"
    assert slow.result == fast.result
    assert fast.result is not None
    return "played"


def test_some_hundred_documents() -> None:
    found = Counter(judged(number) for number in range(NORMAL))
    assert found["played"] > NORMAL // 5, found


def test_a_card_is_known_from_how_far_an_event_moves_a_piece() -> None:
    """In this document both are called -3."""
    assert judged(51_112) == "played"


@pytest.mark.soak
def test_ten_thousand_documents() -> None:
    found = Counter(judged(number) for number in range(SOAK))
    assert found["played"] > SOAK // 5, found
