"""Records to analyse, and a value that is nonsense but always the same: the sums must hold for any."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import ludus
from ludus import Record
from ludus.analysis.reference import Usual

USUAL = Usual({"?!": 0.01, "?": 0.05, "??": 0.1}, 0.1, -0.1, 0.05, 10, 10)


class Nonsense:
    """Shares that depend on every field of a row; what a game gave, where it is over."""

    name = "nonsense"

    def values(self, game: ludus.Game, rows: Any) -> Any:
        found = np.zeros((len(rows), game.num_players))
        for number, row in enumerate(np.asarray(rows).tolist()):
            rng = random.Random(str(row))
            shares = [rng.random() for _ in game.players]
            result = game.position_class(game, row, 0, 0).result
            if result is not None:
                lowest = min(result.values())
                shares = [prize - lowest for prize in result.values()]
                shares = shares if sum(shares) else [1.0] * game.num_players
            found[number] = np.array(shares) / sum(shares)
        return found


def played(game: ludus.Game, seed: int, events: int = 100_000) -> Record:
    """A game at random."""
    rng = random.Random(seed)
    record = Record.start(game, seed=seed)
    while len(record) < events and record.position.to_move is not None:
        if record.position.to_move == "chance":
            record.roll()
        else:
            record.play(rng.choice(record.position.moves()))
    return record


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> Usual:
    """Fixed sizes: nobody plays reference games."""
    monkeypatch.setattr("ludus.analysis.analysing.usual_of", lambda *_: USUAL)
    return USUAL
