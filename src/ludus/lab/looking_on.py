"""Games looked at move by move: choices, and what happens."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ludus.bots import bot
from ludus.core.game import Game
from ludus.core.position import Move, Position
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
            outcome = list(position.outcomes())[game.drawn_number(position)]
            events.update(_happened(position, outcome))
            position = position.play(outcome)
            continue
        choices = len(position.moves())
        counts["decisions"] += 1
        if choices > 1:
            counts["turns_with_choice"] += not chose
            chose = True
            counts["unforced"] += 1
            counts["choices"] += choices
        move = player.choose(position)
        happened = _happened(position, move)
        events.update(happened)
        if not first_out and "came_out" in happened:
            first_out = counts["turns"]
        position = position.play(move)
    return {**counts, "first_out": first_out, "events": dict(events)}


def _happened(position: Position, event: Move | str) -> list[str]:
    """What a move or a roll does; why a turn ended, where it was not just played."""
    found = []
    for told in position.events(event):
        if told.what != "turn_passed":
            found.append(told.what)
        elif told.name not in (None, "played"):
            found.append(f"turn_passed_{told.name}")
    return found
