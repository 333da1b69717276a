"""Laws of events: applied to the pieces before a move or a roll they give the pieces after it, in every variant."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from loose_documents import FEATURES, document
from variants import VARIANTS, make

import ludus
from ludus.core.events import Event
from ludus.games.ludo import kernel as k

from .loose_strategies import likely_documents

PLIES = 120
# what takes a piece from one place to another; the others tell more about it
DISPLACES = {"moved", "came_out", "bought", "captured", "jumped", "sent_home", "swapped"}
LUDO = [name for name, (game, _) in VARIANTS.items() if game != "generals"]
GENERALS = [name for name, (game, _) in VARIANTS.items() if game == "generals"]

Standing = dict[tuple[str, Any], Any]


def pieces(position: ludus.Position) -> Standing:
    """Where each piece of a Ludo position stands, by colour and index."""
    game = position.game
    row, tables = [int(value) for value in position.row], game.board.tables
    return {
        (colour, piece): game.place(row[k.slot(tables, seat, piece)])
        for seat, colour in enumerate(game.players)
        for piece in range(game.rules.board.pieces)
    }


def after_events(before: Standing, events: tuple[Event, ...]) -> Standing:
    """The pieces, moved by what the events say and by nothing else."""
    standing = dict(before)
    for event in events:
        if event.what in DISPLACES:
            assert standing[event.colour, event.piece] == event.origin or event.what != "moved", event
            standing[event.colour, event.piece] = event.target
    return standing


def units(position: ludus.Position) -> set[tuple[str, str]]:
    """The units of a Generals position, by player and cell."""
    data, roles = position.to_dict(), position.roles or {player: player for player in position.game.players}
    return {(player, cell) for player, role in roles.items() if role in data for cell in data[role]}


def units_after(before: set[tuple[str, str]], events: tuple[Event, ...], players: tuple[str, ...]) -> set[Any]:
    """The units, moved and removed by what the events say and by nothing else."""
    found = set(before)
    for event in events:
        other = next(player for player in players if player != event.colour)
        if event.what in ("moved", "garrisoned"):
            found = found - {(event.colour, event.origin)} | {(event.colour, event.target)}
        elif event.what in ("killed", "struck", "hit"):
            found.remove((event.colour, event.origin))
        elif event.what == "intercepted":
            found -= {(event.colour, event.origin), (other, event.target)}
        elif event.what == "converted":
            found = found - {(event.colour, event.origin)} | {(other, event.origin)}
    return found


def check_turn(before: ludus.Position, events: tuple[Event, ...], after: ludus.Position) -> None:
    """The turn passes where it is told, once, and a game is over where that is told."""
    told = [event.what for event in events]
    assert ("over" in told) == (after.to_move is None), events
    assert told.count("turn_passed") <= 1, events
    data = before.to_dict()
    goes_round = "rolloff" in data or "exchange" in data or data.get("begins") is not None  # before anybody's turn
    if after.turn != before.turn and not goes_round:
        assert "turn_passed" in told or "over" in told, events


def walk(game: ludus.Game, seed: int, plies: int) -> Any:
    """(position, its events, the position after them) of random games."""
    rng = random.Random(seed)
    position = game.start(seed=seed)
    for _ in range(plies):
        if position.to_move is None:
            position = game.start(seed=rng.randrange(1 << 30))
        options = list(position.outcomes()) if position.to_move == "chance" else position.moves()
        chosen = rng.choice(options)
        after = position.play(chosen)
        yield position, position.events(chosen), after
        position = after


def check_ludo(game: ludus.Game, seed: int, plies: int) -> set[str]:
    """The laws along random games of a Ludo; returns what was told in them."""
    seen = set()
    for before, events, after in walk(game, seed, plies):
        assert after_events(pieces(before), events) == pieces(after), (before.to_dict(), events)
        if before.to_move != "chance":
            check_turn(before, events, after)
        seen |= {event.what for event in events}
    return seen


@pytest.mark.parametrize("variant", LUDO)
def test_events_give_the_pieces_after(variant: str) -> None:
    assert "turn_passed" in check_ludo(make(variant), 7, PLIES)


@pytest.mark.parametrize("feature", FEATURES)
def test_events_give_the_pieces_after_in_small_documents(feature: str) -> None:
    check_ludo(ludus.make(document(feature)), 7, PLIES)


@settings(max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(likely_documents())
def test_events_give_the_pieces_after_in_documents_at_random(drawn: Any) -> None:
    try:
        game = ludus.make(drawn)
    except ludus.LudusError:
        return
    check_ludo(game, 3, 60)


@pytest.mark.parametrize("variant", GENERALS)
def test_events_give_the_units_after(variant: str) -> None:
    game, seen = make(variant), set()
    for before, events, after in walk(game, 11, 1500):
        if before.roles is not None or not game.rules.toss:
            assert units_after(units(before), events, game.players) == units(after), (before.to_dict(), events)
            if before.to_move != "chance":
                check_turn(before, events, after)
        seen |= {event.what for event in events}
    assert seen >= {"moved", "killed", "attacked", "intercepted", "hit", "garrisoned", "turn_passed", "over"}
