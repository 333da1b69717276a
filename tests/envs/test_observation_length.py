"""What kernels write as an observation is as long as the list of its names, for every game and on both twins."""

from __future__ import annotations

import numpy as np
import pytest

import ludus


def written(game: ludus.Game, seat: int) -> tuple[int, int]:
    """The length that the kernel says, and how many numbers it wrote, all from the first on."""
    engine = game.engine
    room = len(game.observation_names) + 64
    out = np.full(room, np.nan, np.float32)
    row = engine.view(game.start_row())
    said = engine.kernel.observe_api(row, engine.tables, engine.scratch, seat, out)
    numbers = np.flatnonzero(~np.isnan(out))
    assert numbers.tolist() == list(range(len(numbers)))
    return int(said), len(numbers)


@pytest.mark.parametrize("name", ludus.games())
def test_interpreted(name: str) -> None:
    game = ludus.make(name).interpreted()
    length = len(game.observation_names)
    assert all(written(game, seat) == (length, length) for seat in range(game.num_players))


@pytest.mark.slow
@pytest.mark.parametrize("name", ludus.games())
def test_compiled(name: str) -> None:
    game = ludus.make(name)
    game.compile()
    length = len(game.observation_names)
    assert all(written(game, seat) == (length, length) for seat in range(game.num_players))
