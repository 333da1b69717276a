"""Games looked at move by move: choices, and what happens."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ludus.bots import bot
from ludus.core.game import Game
from ludus.core.seeds import derived_seed

LONGEST = 100_000  # plies


def watched_game(game: Game, level: str, seed: int, number: int) -> dict[str, Any]:
    """Game `number` between equals, in counts."""
    own_seed = derived_seed(seed, "watched", number)
    player = bot(level, seed=own_seed)
    position, turn, chose = game.start(seed=own_seed), "", False
    counts: Counter[str] = Counter()
    events: Counter[str] = Counter()
    first_out = 0
    for _ in range(LONGEST):
        if position.to_move is None:
            break
        if position.turn != turn:
            turn, chose = position.turn, False
            counts["turns"] += 1
        if position.to_move == "chance":
            counts["rolls"] += 1
            position = position.roll()
            continue
        choices = len(position.moves())
        counts["decisions"] += 1
        if choices > 1:
            counts["turns_with_choice"] += not chose
            chose = True
            counts["unforced"] += 1
            counts["choices"] += choices
        move = player.choose(position)
        happened = [event.what for event in position.events(move)]
        events.update(happened)
        if not first_out and "came_out" in happened:
            first_out = counts["turns"]
        position = position.play(move)
    return {**counts, "first_out": first_out, "events": dict(events)}
