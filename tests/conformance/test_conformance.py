"""Every game keeps every law of the kit, and its kernel is one: interpreted, compiled for it, or for all games."""

from __future__ import annotations

import os

import pytest
from variants import VARIANTS, make

import ludus
from ludus.core.conformance import check_game, check_twins

SOAK = bool(os.environ.get("LUDUS_SOAK"))
# the default of every shipped game; the others differ from one of them in a few options
SHIPPED = [key for key, (name, _) in VARIANTS.items() if key == name]
OTHERS = [key for key in VARIANTS if key not in SHIPPED]
# the games with a rule book of their own are checked longest, the shelf's less
BOOKED = ("pettingzoo", "strict", "star", "maedn", "french", "generals")
QUICK = [*SHIPPED, "pettingzoo-teams", "strict-dice-3", "french-2"]


def test_every_shipped_game_is_checked() -> None:
    assert sorted(SHIPPED) == sorted(ludus.games())


@pytest.mark.parametrize("variant", QUICK)
def test_laws_in_short(variant: str) -> None:
    check_game(make(variant), plies=60, seed=len(variant))


@pytest.mark.parametrize("variant", QUICK)
def test_twins_in_short(variant: str) -> None:
    check_twins(make(variant), plies=300, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("variant", SHIPPED)
def test_laws(variant: str) -> None:
    """All laws, that of the twins among them; over fewer plies for a rule set of the shelf, far more in a soak."""
    check_game(make(variant), plies=200_000 if SOAK else 2_000 if variant in BOOKED else 400, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("variant", OTHERS)
def test_laws_of_variants(variant: str) -> None:
    check_game(make(variant), plies=10_000 if SOAK else 200, seed=2)


@pytest.mark.slow
@pytest.mark.parametrize("variant", OTHERS)
def test_twins_of_variants(variant: str) -> None:
    check_twins(make(variant), plies=60_000 if SOAK else 1_000, seed=4)
