"""What a position waits for, in one line of words: for pictures, terminals and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.games.generals.moves import say

if TYPE_CHECKING:
    from ludus.core.position import Position
    from ludus.games.generals.game import GeneralsGame


def player_word(player: str, lang: str) -> str:
    """A player in the reader's language."""
    return say(player, lang, "board")


def headline(game: GeneralsGame, position: Position, lang: str) -> str:
    """Who does what next, or how the game ended."""
    is_over = position.result is not None
    words = ending_words(game, position, lang) if is_over else next_words(position, lang)
    return words[0].upper() + words[1:]


def next_words(position: Position, lang: str) -> str:
    """What the position waits for."""
    data, player = position.to_dict(), player_word(position.turn, lang)
    if position.to_move == "chance":
        if "attack" in data:
            return say("to_intercept", lang, "board", cell=data["attack"])
        is_toss = position.game.rules.toss and "roles" not in data
        return say("to_toss" if is_toss else "to_roll", lang, "board", player=player)
    if "toss" in data:
        return say("to_choose", lang, "board", player=player)
    if "convert" in data:
        return say("to_convert", lang, "board", player=player, cell=data["convert"])
    return say("to_play", lang, "board", player=player, die=data["dice"])


def ending_words(game: GeneralsGame, position: Position, lang: str) -> str:
    """Who won, and by what."""
    result, how = position.result or {}, getattr(position, "ending", "")
    winners = [player for player, value in result.items() if value > 0]
    limit = {"quiet": game.rules.quiet_limit, "turns": game.rules.turn_limit}.get(how, 0)
    words = say(f"by_{how}", lang, "board", count=limit)
    if not winners:
        return say("draw", lang, "board", how=words)
    return say("wins", lang, "board", player=player_word(winners[0], lang), how=words)
