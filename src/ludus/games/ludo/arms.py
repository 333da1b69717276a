"""Which arms of the board are played."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from ludus.core.errors import LudusError, quoted, suggestion
from ludus.games.ludo.document.rules import COLOURS, RuleSet


def seats(rules: RuleSet, players: int | Iterable[str] | None) -> tuple[int, ...]:
    """The arms that are played, in order of play."""
    size = rules.board.seats
    colours = COLOURS[:size]
    if rules.players.controls:
        return _seats_of_owners(rules, players)
    if players is None:
        return tuple(range(size))
    if isinstance(players, bool | str):
        raise LudusError(f"players: a number or a list of colours, not {quoted(players)}")
    if isinstance(players, int):
        if not 2 <= players <= size:
            raise LudusError(f"players: {rules.name} takes 2 to {size} players, not {players}")
        if players == 2 and rules.modes.seating == "adjacent":
            return (0, 1)
        return tuple(range(0, size, size // players)) if size % players == 0 else tuple(range(players))
    if not isinstance(players, Iterable):
        raise LudusError(f"players: a number or a list of colours, not {quoted(players)}")
    names = list(islice(players, len(COLOURS) + 1))
    for name in names:
        if name not in colours:
            shown = repr(name)[:40]
            hint = suggestion(str(name)[:40], colours)
            raise LudusError(f"players: unknown colour {shown}{hint}; there are {', '.join(colours)}")
    if len(set(names)) != len(names) or not 2 <= len(names) <= size:
        raise LudusError(f"players: 2 to {size} different colours, not {', '.join(map(str, names)) or 'none'}")
    return tuple(sorted(colours.index(name) for name in names))


def _seats_of_owners(rules: RuleSet, players: int | Iterable[str] | None) -> tuple[int, ...]:
    """Where players have two colours: everybody's first colour, then everybody's second; all of them play.

    So the two of a player sit opposite each other in the order of play, as partners do, wherever they are on the board.
    """
    order = [player[turn] for turn in range(2) for player in rules.players.controls]
    given = players if players is None or isinstance(players, int | str) else list(islice(players, len(COLOURS) + 1))
    all_of_them = given is None or (not isinstance(given, bool | str) and given == len(order))
    if not all_of_them and not (isinstance(given, list) and sorted(map(str, given)) == sorted(order)):
        colours = ", ".join(order)
        raise LudusError(
            f"players: players.controls of {rules.name} shares out {len(order)} colours, which all play: {colours}"
        )
    return tuple(COLOURS.index(colour) for colour in order)
