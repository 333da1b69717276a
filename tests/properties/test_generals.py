"""Generals in any position: the laws of the kit, and the board's mirror."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import generals_reference
from variants import VARIANTS, make

import ludus
from ludus.core.conformance import POSITION_LAWS, guarded, twins

from .strategies import asking

GENERALS = [variant for variant, (name, _) in VARIANTS.items() if name == "generals"]
_games: dict[str, tuple[ludus.Game, ludus.Game]] = {}


def drawn(variant: str, seed: int) -> tuple[ludus.Position, dict[str, Any]]:
    """A position of the reference's own making: moat, garrisons, specials and limits near."""
    if variant not in _games:
        fast, slow = twins(make(variant))
        _games[variant] = (fast, guarded(slow))
    data = generals_reference.biased_position(random.Random(seed), VARIANTS[variant][1])
    return _games[variant][0].position(data), data


SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("variant", GENERALS)
@asking
@given(seed=SEEDS)
def test_the_laws_of_the_kit(variant: str, seed: int) -> None:
    pos, _ = drawn(variant, seed)
    for law in POSITION_LAWS:
        law(pos, _games[variant][1], random.Random(0))


@pytest.mark.parametrize("variant", GENERALS)
@asking
@given(seed=SEEDS, order=st.randoms())
def test_the_order_of_units_does_not_matter(variant: str, seed: int, order: random.Random) -> None:
    pos, data = drawn(variant, seed)
    for side in ("attacker", "defender"):
        order.shuffle(data[side])
    other = pos.game.position(data)
    assert other == pos
    assert hash(other) == hash(pos)
    assert [str(move) for move in other.moves()] == [str(move) for move in pos.moves()]


def mirrored(text: str) -> str:
    """Cells with their columns from the other side."""
    return re.sub(r"\b[a-j](?=(?:10|[1-9])\b)", lambda column: chr(ord("a") + ord("j") - ord(column[0])), text)


def mirrored_data(data: dict[str, Any]) -> dict[str, Any]:
    """A position seen from the other side."""
    cells = {side: [mirrored(cell) for cell in data[side]] for side in ("attacker", "defender")}
    pending = {key: mirrored(data[key]) for key in ("convert", "attack") if key in data}
    return {**data, **cells, **pending}


@pytest.mark.parametrize("variant", GENERALS)
@asking
@given(seed=SEEDS)
def test_left_and_right_are_alike(variant: str, seed: int) -> None:
    pos, data = drawn(variant, seed)
    other = pos.game.position(mirrored_data(data))
    events = [*pos.outcomes(), *map(str, pos.moves())]
    assert sorted([*other.outcomes(), *map(str, other.moves())]) == sorted(map(mirrored, events))
    for event in events:
        after = pos.play(event)
        again = other.play(mirrored(event))
        assert again == pos.game.position(mirrored_data(after.to_dict()))
        assert again.result == after.result


@pytest.mark.parametrize("variant", GENERALS)
@asking
@given(seed=SEEDS)
def test_units_are_conserved(variant: str, seed: int) -> None:
    """Units never come from nowhere: one turns its coat, or some are gone."""
    pos, data = drawn(variant, seed)
    for event in [*pos.outcomes(), *map(str, pos.moves())]:
        after = pos.play(event).to_dict()
        cells = [*after["attacker"], *after["defender"]]
        assert len(set(cells)) == len(cells)
        assert len(cells) <= len(data["attacker"]) + len(data["defender"])
        assert len(after["attacker"]) <= len(data["attacker"])
        assert after.get("hits", 0) - data.get("hits", 0) in (0, 1)
