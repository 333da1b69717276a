"""Mercy: house rules that no field of a document can say, as a plug-in.

    ludus play strict --plugin examples/mercy.py

or, in Python, `ludus.make("strict", plugins=["examples/mercy.py"])`. Each function below is one hook; a plug-in
has those it needs. Positions and moves are the ones that `ludus` gives everybody.
"""

from typing import Any


def outcomes(position: Any, weights: dict[str, int]) -> dict[str, int] | None:
    """While all pieces of a player wait in the yard, a 6 is three times as likely."""
    pieces = position.to_dict()["pieces"][position.turn]
    if any(place != "start" for place in pieces):
        return None
    return {outcome: weight * (3 if outcome == "6" else 1) for outcome, weight in weights.items()}


def allows(position: Any, move: Any) -> bool:
    """Nobody captures the only piece that a player has in play, unless there is nothing else to do."""
    pieces = position.to_dict()["pieces"]
    lone = [taken for taken in move.captures if in_play(pieces[taken.colour]) == 1]
    return not lone or all(other.captures for other in position.moves())


def in_play(places: list[Any]) -> int:
    """How many pieces stand on path or end path."""
    return sum(place not in ("start", "finish") for place in places)


def after_move(before: Any, move: Any, after: Any) -> dict[str, Any] | None:
    """Who brings a piece home may bring another one out for nothing, if its entry tile is empty."""
    if not move.finishes:
        return None
    data = after.to_dict()
    own = data["pieces"][move.colour]
    entry = before.game.board.entry(before.game.players.index(move.colour))
    empty = all(entry not in places for places in data["pieces"].values())
    if "start" not in own or not empty:
        return None
    own[own.index("start")] = entry
    return data
