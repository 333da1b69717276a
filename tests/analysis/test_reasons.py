"""What speaks for a move and against it: who can capture then, and by which rolls."""

from __future__ import annotations

import pytest

import ludus
from ludus.analysis import reasons as module
from ludus.analysis.reasons import exposure, reasons

PIECES = {"green": [12, 40, "finish", "finish"], "blue": ["finish", "finish", "finish", 10]}


def decision(**more: object) -> ludus.Position:
    return ludus.make("classic", players=2).position({"pieces": PIECES, "turn": "green", "dice": [2], **more})


def test_whoever_is_behind_can_capture_with_the_distance() -> None:
    found = exposure(decision(), "12+2")
    assert found is not None
    assert (found.player, found.rolls, found.chance) == ("blue", ("4",), pytest.approx(1 / 6))


def test_every_roll_is_played_out_by_the_rules() -> None:
    position = decision()
    for move in map(str, position.moves()):
        after, hits = position.play(move), set()
        for outcome in after.outcomes():
            rolled = after.play(outcome)
            for answer in rolled.moves():
                gone = [p for p in rolled.play(answer).to_dict()["pieces"]["green"] if p == "start"]
                hits |= {outcome} if gone else set()
        found = exposure(position, move)
        assert found is not None
        assert set(found.rolls) == hits


def test_nobody_else_rolls_next_after_a_six() -> None:
    assert exposure(decision(dice=[6]), "12+6") is None


def test_what_takes_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LOOKED_AT", 0)
    assert exposure(decision(), "12+2") is None


def test_they_are_told_in_words() -> None:
    told = reasons(decision(), ["12+2"], "en")
    assert told["12+2"][0] == "Blue can then capture with 4 (17% of rolls)"
    safe = {"green": [30, 40, "finish", "finish"], "blue": ["finish", "finish", "finish", 45]}
    assert reasons(decision(pieces=safe), ["30+2"], "fr")["30+2"][0] == "Bleu ne peut alors rien capturer"
