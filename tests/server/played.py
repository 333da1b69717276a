"""Games played at a table by lot, for tests of what is kept of them."""

from __future__ import annotations

import random
from typing import Any

import ludus
from ludus.core.fair_dice import new_dice_secret
from ludus.play.facts import Fact, Opening, Settings
from ludus.play.seats import PERSON, digest_of, new_secret, seat_data
from ludus.play.table import Table


def opened(name: str, players: int | None = None, **options: Any) -> Table:
    """A new table of people with fair dice."""
    game = ludus.make(name, **({} if players is None else {"players": players}), **options)
    seats = {player: seat_data(PERSON, f"Name of {player}", None, digest_of(player)) for player in game.players}
    secret = new_dice_secret()
    return Table(Opening(new_secret(), game.document(), 0, seats, Settings(), created="2026", secret=secret), game)


def play(table: Table, plies: int, seed: int = 1, undo: float = 0.0) -> list[Fact]:
    """The facts of so many rolls and moves, each asked for under an id of its own, some moves taken back."""
    rng, facts = random.Random(seed), []
    while len(facts) < plies and not table.is_over:
        by, asked = str(table.acting), f"{rng.getrandbits(96):x}"
        if table.can_undo is not None and rng.random() < undo:
            new = table.undo([table.can_undo], table.ply, asked)
        elif table.position.to_move == "chance":
            new = table.roll([by], table.ply, asked)
        else:
            new = table.move([by], table.ply, str(rng.choice(table.position.moves())), asked)
        for fact in new:
            table.apply(fact)
            facts.append(fact)
    return facts
