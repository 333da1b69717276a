"""What a newcomer should know of a position: that it may not end, points, duties, rules that have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.core.kernels.codes import DECISION, STAGE
from ludus.core.messages import Message, look_up
from ludus.games.ludo import kernel as k
from ludus.games.ludo import positions
from ludus.games.ludo.moves import say
from ludus.games.ludo.rulebook.differences import in_words

if TYPE_CHECKING:
    from ludus.games.ludo.game import LudoGame

WORDS, BOOK = "ludus.games.ludo", "ludus.games.ludo.rulebook"


def hints_at(game: LudoGame, row: list[int], lang: str) -> list[str]:
    """That it may not end, points, the duty to unblock (F33, F36, F37), and the rules that have changed (L2)."""
    duty = [say(key, lang, "hint", tile=game.place(tile)) for tile, key in duties(game, row)]
    return [*warning(game, row, lang), *points(game, row, lang), *duty, *changed(game, row, lang)]


def warning(game: LudoGame, row: list[int], lang: str) -> list[str]:
    """Who begins a game that can go on for ever is told (L20)."""
    if game.may_not_end is None or row != game.start_row():
        return []
    return [Message(BOOK, "may_not_end", {"why": game.may_not_end}, "warning").text(lang)]


def points(game: LudoGame, row: list[int], lang: str) -> list[str]:
    """Where points win, how many everybody has (L20)."""
    score, first = game.rules.win.score, game.board.field(k.R_SCORE)
    if not score:
        return []
    have = (f"{say(colour, lang, 'colour')} {row[first + seat]}" for seat, colour in enumerate(game.players))
    return [say("points", lang, "hint", scores=", ".join(have), score=score)]


def changed(game: LudoGame, row: list[int], lang: str) -> list[str]:
    """The rules that have changed, and the guarded ways that are open, each with for whom."""
    found, changes = [], (*game.rules.changes, *game.rules.guard_conditions)
    for number, name in enumerate(positions.change_names(game.board)[: len(changes)]):
        colours = [c for seat, c in enumerate(game.players) if game.board.bank_number(row, seat) >> number & 1]
        if colours:
            everybody = len(colours) == len(game.players) > 1
            spoken = say("everybody", lang, "hint") if everybody else ", ".join(say(c, lang, "colour") for c in colours)
            options = changes[number].set
            rules = " ".join(in_words(game.rules.banks[1 << number], option, lang) for option in options)
            told = look_up(WORDS, f"change.{name}", lang) or name
            found.append(say("changed" if options else "opened", lang, "hint", name=told, colours=spoken, rules=rules))
    return found


def duties(game: LudoGame, row: list[int]) -> list[tuple[int, str]]:
    """(tile, what holds) of each stack right in front of another player's last piece, at the beginning of a turn."""
    tables, scratch = game.board.tables, [0] * game.board.scratch_size
    own = k.mover(row, tables)
    bank = k.bank_of(row, tables, own)
    if not tables[bank + k.O_UNBLOCK_DUTY] or row[STAGE] != DECISION or row[k.UNBLOCKED]:
        return []
    k.scan(row, tables, scratch)
    listed = scratch[tables[k.S_MOVES] : tables[k.S_MOVES] + k.list_moves(row, tables, scratch)]
    steps = [action for action in listed if k.is_step(tables, action)]
    moved = {k.node_of_action(row, tables, a) for a in steps if k.seat_of_action(row, tables, a) == own}
    found = []
    for tile in sorted({n for n in positions.pieces_of(game.board, row, own) if n < tables[k.TILES]}):
        if k.stands_in_the_way(row, tables, own, tile):
            ahead = game.board.steps(game.board.bank_number(row, own), own, tile, 1)
            chained = ahead != [] and ahead[0] < tables[k.TILES] and k.stops_at(tables, scratch, bank, ahead[0])
            found.append((tile, "must_unblock" if tile in moved else "chained" if chained else "cannot_unblock"))
    return found
