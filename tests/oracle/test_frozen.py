"""Ludo does what it did when its traces were frozen: positions, moves, words, masks and refusals, ply by ply.

`PYTHONPATH=src:tests python tests/oracle/frozen.py` shows what differs.
"""

from __future__ import annotations

import os
from functools import cache

import pytest

from . import frozen

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
    real = [one for one in differences if one.field not in frozen.HARMLESS]
    assert not real, short(real)


@pytest.mark.parametrize("name", [name for name in frozen.names() if name not in frozen.OTHER_ORDER])
def test_moves_come_in_the_order_they_had(name: str) -> None:
    differences = [one for one in told(name, QUICK_PLIES, QUICK_CHAIN) if one.field == frozen.ORDER]
    assert not differences, short(differences)


@pytest.mark.slow
@pytest.mark.parametrize("name", frozen.names())
def test_all_is_as_it_was(name: str) -> None:
    real = [one for one in told(name, PLIES) if one.field not in frozen.HARMLESS]
    assert not real, short(real)
