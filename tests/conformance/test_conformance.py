"""Every game keeps every law of the kit, and its compiled kernel is its interpreted one."""

from __future__ import annotations

import os

import pytest
from variants import VARIANTS, make

import ludus
from ludus.core.conformance import check_game, check_twins

SOAK = 20 if os.environ.get("LUDUS_SOAK") else 1
# the default of every shipped game; the others differ from one of them in a few options
SHIPPED = [key for key, (name, _) in VARIANTS.items() if key == name]


def test_every_shipped_game_is_checked() -> None:
    assert ludus.games() == SHIPPED


@pytest.mark.parametrize("variant", VARIANTS)
def test_laws_in_short(variant: str) -> None:
    check_game(make(variant), plies=60, seed=len(variant))


@pytest.mark.slow
@pytest.mark.parametrize("variant", SHIPPED)
def test_laws(variant: str) -> None:
    check_game(make(variant), plies=10_000 * SOAK, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [v for v in VARIANTS if v not in SHIPPED])
def test_laws_of_variants(variant: str) -> None:
    check_game(make(variant), plies=1_000 * SOAK, seed=2)


@pytest.mark.parametrize("variant", SHIPPED)
def test_twins_in_short(variant: str) -> None:
    check_twins(make(variant), plies=1_000, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_twins(variant: str) -> None:
    check_twins(make(variant), plies=10_000 * SOAK, seed=4)
