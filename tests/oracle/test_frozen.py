"""Ludo does what it did when its traces were frozen: positions, moves, words, masks and refusals, ply by ply.

`PYTHONPATH=src:tests python tests/oracle/frozen.py` shows what differs.
"""

from __future__ import annotations

import os
from functools import cache

import pytest

from . import frozen
from . import frozen_differences as differ

QUICK_PLIES, QUICK_CHAIN = 150, 40
PLIES = None if os.environ.get("LUDUS_SOAK") else 500  # all of a trace are about 3,000


@cache
def told(name: str, plies: int | None = None, per_chain: int | None = None) -> list[frozen.Difference]:
    """The differences of a variant, and proof that something was compared."""
    found = list(frozen.compare(name, plies, per_chain))
    assert sum(1 for one in found if isinstance(one, int)) > 100
    return [one for one in found if isinstance(one, frozen.Difference)]


def short(differences: list[frozen.Difference]) -> str:
    """The first few in words."""
    return f"{len(differences)} differences\n" + "\n".join(map(str, differences[:5]))


def test_every_variant_is_frozen() -> None:
    assert {frozen.path(name).name for name in frozen.names()} == {file.name for file in frozen.FOLDER.iterdir()}
    assert len(frozen.names()) == frozen.FROZEN


@pytest.mark.parametrize("name", frozen.names())
def test_the_beginning_is_as_it_was(name: str) -> None:
    differences = told(name, QUICK_PLIES, QUICK_CHAIN)
    real = [one for one in differences if one.field not in differ.HARMLESS]
    assert not real, short(real)


@pytest.mark.slow
@pytest.mark.parametrize("name", frozen.names())
def test_all_is_as_it_was(name: str) -> None:
    real = [one for one in told(name, PLIES) if one.field not in differ.HARMLESS]
    assert not real, short(real)


NOTATION, WAY = ["notation", None, "'12+3>1' is not a move; write for example 12+3"], ["no_such_way", None, "no way"]


@pytest.mark.parametrize(
    ("text", "old", "new", "field"),
    [
        ("12+3>1", NOTATION, WAY, differ.VOCABULARY),
        ("12+3", NOTATION, WAY, "refusal"),
        ("out(6)", ["no_such_move", None, "none"], ["out"], differ.DIE_OF_YARD),
        ("12+3", ["no_such_move", None, "none"], ["12+3"], "refusal"),
        ("12+3", ["blocked", "Z7", "a block"], ["12+3"], "refusal"),
        ("12+3", ["blocked", "Z7", "a block"], ["own_piece", "Z6", "an own piece"], "refusal"),
        ("12+3", ["blocked", "Z7", "a block"], ["blocked", "Z7", "a wall"], "text of a refusal that may not differ"),
    ],
)
def test_which_other_answers_to_a_move_are_named(text: str, old: list[str], new: list[str], field: str) -> None:
    assert differ.of_refused_try(text, old, new) == field


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("unknown key 'lost'", "lost: these rules do not count them", differ.TEXT),
        ("unknown key 'lost'", "turns: these rules do not count them", "fault of a position"),
        ("unknown key 'lost'", "pieces: green and an opponent both on tile 3", differ.ANOTHER_FAULT),
        ("turns: a number from 0 to 9, not 10", "pieces: green and an opponent both on tile 3", differ.ANOTHER_FAULT),
        ("turns: a number from 0 to 9, not 10", "turns: these rules do not count them", differ.TEXT),
        ("turns: a number from 0 to 9, not 10", "turns: something else", "fault of a position"),
        ("pieces: green never comes to 3", "pieces: yellow on 3; a place is 'start'", "fault of a position"),
    ],
)
def test_which_other_words_for_a_set_up_are_named(old: str, new: str, field: str) -> None:
    assert differ.of_refused_set_up(old, new) == field


def test_a_bounce_may_be_told_step_by_step_and_nothing_else() -> None:
    old = ["end:3", "end:4", "finish", "end:3"]
    assert differ.is_told_bounce("star", "path", old, ["end:3", "end:4", "finish", "end:4", "end:3"])
    assert not differ.is_told_bounce("star", "path", old, ["end:3", "finish", "end:4", "end:3"])
    assert not differ.is_told_bounce("star", "path", old, ["end:3", "end:4", "finish", "end:4"])
    assert not differ.is_told_bounce("classic", "path", old, ["end:3", "end:4", "finish", "end:4", "end:3"])


def test_changed_rules_are_told_for_the_same_players() -> None:
    old = [
        ["changed rules hold for green, red: boat (start.leave_on = [1, 6])"],
        ["des règles changées valent pour vert, rouge : boat (start.leave_on = [1, 6])"],
    ]
    english, french = (
        "a boat, now for green, red: With 1 or 6.",
        "une barque, désormais pour vert, rouge : Avec 1 ou 6.",
    )
    assert differ.is_told_in_sentences("hints", old, [[english], [french]])
    assert not differ.is_told_in_sentences("hints", old, [[english.replace("red", "blue")], [french]])
    assert not differ.is_told_in_sentences("hints", old, [[english], ["boat"]])
    assert not differ.is_told_in_sentences("hints", old, [[english], [french, french]])
    assert not differ.is_told_in_sentences("at", old, [[english], [french]])
