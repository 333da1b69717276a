"""Moves of the general game as text: `12+5`, `12+5>b7`, `blue:12-3`, `12+b20`, `12+swap>blue:30`, `out`, `buy`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ludus.core.errors import IllegalMove
from ludus.core.messages import Message
from ludus.games.ludo import kernel_open as k
from ludus.games.ludo.board.routes import Way
from ludus.games.ludo.document.rules import COLOURS
from ludus.games.ludo.kernel import slot
from ludus.games.ludo.notation import PACKAGE, colour_word
from ludus.games.ludo.open_positions import place_name

if TYPE_CHECKING:
    from ludus.games.ludo.opengame import OpenGame

REASONS = {code: name[4:].lower() for name, code in vars(k).items() if name.startswith("WHY_")}

_MOVE = re.compile(
    rf"(?:(?P<colour>{'|'.join(COLOURS)}):)?"
    r"(?:(?P<word>pass)"
    r"|(?P<out>out|buy)(?:\((?P<with>[a-z]*[+-]?\d*)\))?"
    r"|(?P<origin>held:[a-z]+|end:\d{1,2}|[a-z0-9][a-z0-9_-]{0,23}?)(?P<token>[+-](?:b?\d{1,2}|swap)))"
    r"(?P<ways>(?:>[a-z0-9:_-]{1,40}){0,60})"
)


def token_text(game: OpenGame, kind: int) -> str:
    """A token as a move's notation has it: '+5', '-4', '+b20', '+swap'."""
    token = game.board.kinds[kind]
    if token.effect == k.SWAP:
        return "+swap"
    return f"+b{token.distance}" if token.is_bonus else f"{token.distance:+d}"


def choices(game: OpenGame, bank: int, seat: int, node: int, kind: int) -> list[str]:
    """What tells the ways of a token apart: nothing for a single one, '>target', or the turns taken and the target."""
    ways = game.board.ways_of(bank, seat, node, kind)
    if len(ways) < 2:
        return [""] * len(ways)
    ends = [way.node for way in ways]
    texts = []
    for way in ways:
        nodes = [way.node] if ends.count(way.node) == 1 else [*turns(game, seat, node, way), way.node]
        texts.append("".join(f">{game.place(n)}" for n in dict.fromkeys(nodes)))
    # a way that ends where another one turns: number what would still read alike
    return [t if texts.count(t) == 1 else f"{t}>{number}" for number, t in enumerate(texts)]


def turns(game: OpenGame, seat: int, node: int, way: Way) -> list[int]:
    """The nodes that were chosen where there was a choice."""
    ahead = game.board.topology.successors(game.board.arms[seat])
    chosen, here = [], node
    for there in way.path:
        if here < len(ahead) and len(ahead[here]) > 1 and there in ahead[here]:
            chosen.append(there)
        here = there
    return chosen


def write(game: OpenGame, row: list[int], action: int) -> str:
    """The notation of an action."""
    tables = game.board.tables
    if action == tables[k.A_PASS]:
        return "pass"
    seat = k.seat_of_action(row, tables, action)
    node = k.node_of_action(row, tables, action)
    prefix = "" if seat == row[k.TURN] else f"{game.players[seat]}:"
    if action >= tables[k.A_SWAP]:
        other, there = swapped(game, row, action)
        return f"{prefix}{game.place(node)}+swap>{game.players[other]}:{game.place(there)}"
    kind = action // tables[k.WAYS] % tables[k.KINDS]
    bank = row[tables[k.R_CHANGED] + seat]
    ways = choices(game, bank, seat, node, kind)
    way = ways[action % tables[k.WAYS]] if action % tables[k.WAYS] < len(ways) else ""
    if node >= tables[k.START]:
        return f"{prefix}{'out' if node == tables[k.START] else 'buy'}{with_which(game, bank, kind)}{way}"
    return f"{prefix}{game.place(node)}{token_text(game, kind)}{way}"


def with_which(game: OpenGame, bank: int, kind: int) -> str:
    """'(5)' where different tokens serve to come out and a roll gives several."""
    leaving = game.leaving_kinds(bank)
    if len(leaving) < 2 or not game.has_pool:
        return ""
    return f"({game.board.kinds[kind].name})"


def swapped(game: OpenGame, row: list[int], action: int) -> tuple[int, int]:
    """(seat, node) of the piece that a swap takes away."""
    tables = game.board.tables
    number = action - tables[k.A_SWAP]
    pieces, players = tables[k.PIECES], tables[k.PLAYERS]
    other = (k.mover(row, tables) + number // pieces % players) % players
    return other, row[slot(tables, other, number % pieces)]


class Parser:
    """Reads one move's notation at one position."""

    def __init__(self, game: OpenGame, row: list[int], text: str) -> None:
        self.game = game
        self.tables = game.board.tables
        self.row = row
        self.text = text

    def refuse(self, key: str, **values: object) -> IllegalMove:
        """The error for a reason."""
        return IllegalMove(Message(PACKAGE, key, dict(values)), self.game.rules.cites.get(key))

    def action(self) -> int:
        """The action id that the text names, legal or not; IllegalMove where it names none."""
        legal = {write(self.game, self.row, action): action for action in self.game.legal_actions(self.row)}
        if self.text in legal:
            return legal[self.text]
        match = _MOVE.fullmatch(self.text)
        if match is None:
            raise self.refuse("notation", text=repr(self.text[:40]), example=next(iter(legal)))
        player = self.game.players[self.row[k.TURN]]
        colour = match["colour"] or player
        if match["word"] and colour == player:
            return self.tables[k.A_PASS]
        shorter = [name for name in legal if name.startswith(f"{self.text}(")]
        if shorter:
            return legal[shorter[0]]
        if colour not in self.game.players or match["word"]:
            raise self.refuse("not_yours", colour=colour_word(colour), player=colour_word(player))
        return self._move(match, self.game.players.index(colour))

    def _move(self, match: re.Match[str], seat: int) -> int:
        own = k.mover(self.row, self.tables)
        turned = (seat - own) % self.tables[k.PLAYERS]
        if turned >= self.tables[k.MOVERS]:
            player = self.game.players[self.row[k.TURN]]
            raise self.refuse("not_yours", colour=colour_word(self.game.players[seat]), player=colour_word(player))
        piece = self._piece(match, seat)
        if match["token"] == "+swap":
            raise self.refuse("no_swap")
        kind = self._kind(match, seat)
        node = self.row[slot(self.tables, seat, piece)]
        bank = self.row[self.tables[k.R_CHANGED] + seat]
        ways = choices(self.game, bank, seat, node, kind)
        way = ways.index(match["ways"]) if match["ways"] in ways else None if match["ways"] else 0
        if way is None:
            raise self.refuse("no_such_way")
        return ((turned * self.tables[k.PIECES] + piece) * self.tables[k.KINDS] + kind) * self.tables[k.WAYS] + way

    def _piece(self, match: re.Match[str], seat: int) -> int:
        origin = match["origin"] or ("start" if match["out"] == "out" else "held:")
        for piece in range(self.tables[k.PIECES]):
            name = str(self.game.place(self.row[slot(self.tables, seat, piece)]))
            if name == origin or (origin == "held:" and name.startswith(origin)):
                return piece
        place = Message(PACKAGE, "the_yard", section="place") if origin == "start" else origin.rstrip(":")
        raise self.refuse("no_piece", colour=colour_word(self.game.players[seat]), place=place)

    def _kind(self, match: re.Match[str], seat: int) -> int:
        """The kind that the text names, one of the pool if there is one."""
        kinds = range(self.tables[k.KINDS])
        if match["out"]:
            bank = self.row[self.tables[k.R_CHANGED] + seat]
            named = match["with"]
            fits = [n for n in kinds if named is None or str(self.game.board.kinds[n].name) == named]
            fits = [n for n in fits if n in self.game.leaving_kinds(bank)] or fits
        else:
            fits = [n for n in kinds if token_text(self.game, n) == match["token"]]
        if not fits:
            raise self.refuse("no_such_die", dice=(match["token"] or match["with"] or "?").lstrip("+"))
        there = [n for n in fits if self.row[self.tables[k.R_POOL] + n]]
        if not there and match["out"] and match["with"] is None:
            raise self.refuse("needs_face", faces=self.game.faces_in_words())
        return (there or fits)[0]


__all__ = ["REASONS", "Parser", "choices", "place_name", "swapped", "token_text", "write"]
