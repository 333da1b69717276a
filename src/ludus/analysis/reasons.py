"""What speaks for a move and what against it, in words of the rules: captures that it lets others make, and what the
net sees change.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludus.analysis.saying import name, say
from ludus.analysis.sight import NET, net_sees
from ludus.bots import bot
from ludus.bots.net_bot import NetBot
from ludus.core.position import Position
from ludus.core.sides import sides_of
from ludus.core.written_numbers import local

MOST_LOOKED_AT = 600  # answers: where a roll has more of them, nobody waits for it
MOST_NAMED = 6  # rolls


@dataclass(frozen=True)
class Exposure:
    """Whose roll comes next, the rolls by which it can capture, and how likely one of them is."""

    player: str
    rolls: tuple[str, ...]
    chance: float


def exposure(position: Position, move: str) -> Exposure | None:
    """What the next player can capture after a move; None where nobody else rolls next, or it takes long to tell."""
    mover, after = position.turn, position.play(move)
    if after.to_move != "chance" or after.turn in _side_of(position, mover):
        return None
    found, chance, looked = [], 0.0, 0
    for outcome, likely in after.outcomes().items():
        answer = after.play(outcome)
        if answer.turn != after.turn or answer.to_move in (None, "chance"):
            continue
        moves = answer.moves()
        looked += len(moves)
        if looked > MOST_LOOKED_AT:
            return None
        own = _side_of(position, mover)
        if any(event.what == "captured" and event.colour in own for one in moves for event in answer.events(one)):
            found.append(outcome)
            chance += likely
    return Exposure(after.turn, tuple(found), chance)


def reasons(position: Position, moves: Iterable[str], lang: str) -> dict[str, list[str]]:
    """For each of these moves what speaks for it and against it."""
    return {move: [*_danger(position, move, lang), *_changes(position, move, lang)] for move in moves}


def _side_of(position: Position, player: str) -> set[str]:
    """The player and who plays with it."""
    players = position.game.players
    seat = players.index(player)
    return {players[one] for side in sides_of(position.game) if seat in side for one in side}


def _danger(position: Position, move: str, lang: str) -> list[str]:
    found = exposure(position, move)
    if found is None:
        return []
    player = name(found.player, lang)
    if not found.rolls:
        return [say("unexposed", lang, "reason", player=player)]
    rolls = ", ".join(found.rolls)
    if len(found.rolls) > MOST_NAMED or ":" in rolls:
        rolls = ""
    chance = local(f"{100 * found.chance:.0f}%", lang)
    return [say("exposed_to" if rolls else "exposed", lang, "reason", player=player, rolls=rolls, chance=chance)]


def _changes(position: Position, move: str, lang: str) -> list[str]:
    """What a net that knows the game sees change."""
    if not net_sees(position.game):
        return []
    player = bot(NET)
    assert isinstance(player, NetBot)
    return [reason.text(lang) for reason in player.changes(position, position.move(position.action(move)))]
