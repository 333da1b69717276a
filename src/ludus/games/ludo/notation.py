"""Moves as text: `12+5`, `out`, `out+3`, `buy`, `out*2`, `pass`; another colour's piece with that colour before it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ludus.core.errors import IllegalMove
from ludus.core.messages import Message
from ludus.games.ludo import kernel as k
from ludus.games.ludo.document.rules import COLOURS
from ludus.games.ludo.positions import place_name

if TYPE_CHECKING:
    from ludus.core.game import Position
    from ludus.games.ludo.game import LudoGame

PACKAGE = "ludus.games.ludo"

_MOVE = re.compile(
    rf"(?:(?P<colour>{'|'.join(COLOURS)}):)?"
    r"(?:(?P<word>pass|buy)"
    r"|out\*(?P<special>[2-8])"
    r"|out(?:\((?P<face>[1-6])\))?(?P<on>(?:\+[1-6]){0,500})"
    r"|(?P<origin>\d{1,3}|end:\d{1,2}|start|finish|held(?::[a-z]+)?)(?P<dice>(?:\+[1-6]){1,500}))"
)

REASONS = {code: name[4:].lower() for name, code in vars(k).items() if name.startswith("WHY_")}


def dice_of_set(counts: tuple[int, ...]) -> tuple[int, ...]:
    """A set of dice as a list, larger first."""
    return tuple(face for face in range(6, 0, -1) for _ in range(counts[face - 1]))


def write(game: LudoGame, row: list[int], action: int) -> str:
    """The notation of a legal action."""
    board, tables = game.board, game.board.tables
    if action == tables[k.A_PASS]:
        return "pass"
    seat = k.mover(row, tables)
    prefix = "" if seat == row[k.TURN] else f"{game.players[seat]}:"
    if not tables[k.POOLED]:
        node = row[k.slot(tables, seat, action)]
        if node == tables[k.START]:
            return f"{prefix}out"
        return f"{prefix}{place_name(board, game.players, node)}+{row[k.DIE]}"
    return prefix + _write_pooled(game, row, seat, action)


def _write_pooled(game: LudoGame, row: list[int], seat: int, action: int) -> str:
    tables, sets = game.board.tables, game.board.sets
    if action < tables[k.A_OUT]:
        origin = place_name(game.board, game.players, row[k.slot(tables, seat, action % tables[k.PIECES])])
        dice = dice_of_set(sets[action // tables[k.PIECES]])
        return f"{origin}+" + "+".join(map(str, dice))
    if action < tables[k.A_OUT_ON]:
        faces = sorted(game.rules.start.leave_on)
        return "out" if len(faces) == 1 else f"out({faces[action - tables[k.A_OUT]]})"
    if action < tables[k.A_BUY]:
        return "out+" + "+".join(map(str, dice_of_set(sets[action - tables[k.A_OUT_ON]])))
    return "buy" if action < tables[k.A_SPECIAL] else f"out*{action - tables[k.A_SPECIAL] + 2}"


def colour_word(colour: str) -> Message:
    """A colour's name, in whatever language it is asked for."""
    return Message(PACKAGE, colour, section="colour")


class Parser:
    """Reads one move's notation at one position."""

    def __init__(self, game: LudoGame, position: Position, text: str) -> None:
        self.game = game
        self.tables = game.board.tables
        self.row = [int(v) for v in position.row]
        self.text = text
        self.seat = k.mover(self.row, self.tables)

    def refuse(self, key: str, rule: str | None = None, **values: object) -> IllegalMove:
        """The error for a reason."""
        return IllegalMove(Message(PACKAGE, key, dict(values)), rule or self.game.rules.cites.get(key))

    def action(self) -> int:
        """The action id that the text names; IllegalMove where it names none."""
        match = _MOVE.fullmatch(self.text)
        if match is None:
            example = write(self.game, self.row, self.game.legal_actions(self.row)[0])
            raise self.refuse("notation", text=repr(self.text[:40]), example=example)
        player = self.game.players[self.row[k.TURN]]
        colour = match["colour"] or player
        if match["word"] == "pass" and colour == player:
            return self.tables[k.A_PASS]
        if colour not in self.game.players or self.game.players.index(colour) != self.seat:
            raise self.refuse("not_yours", colour=colour_word(colour), player=colour_word(player))
        return self._pooled(match) if self.tables[k.POOLED] else self._one(match)

    def _one(self, match: re.Match[str]) -> int:
        if match["word"] or match["special"] or match["on"] or match["face"]:
            raise self.refuse("no_such_move", text=self.text)
        if match["origin"] is None:
            return self._piece_on("start")
        dice = match["dice"][1:].split("+")
        piece = self._piece_on(match["origin"])
        if len(dice) > 1:
            raise self.refuse("not_combined")
        if int(dice[0]) != self.row[k.DIE]:
            raise self.refuse("no_such_die", dice=dice[0])
        return piece

    def _piece_on(self, place: str) -> int:
        """The lowest piece on a place, one that may move if there is one."""
        names = [
            place_name(self.game.board, self.game.players, self.row[k.slot(self.tables, self.seat, p)])
            for p in range(self.tables[k.PIECES])
        ]
        there = [
            p for p, name in enumerate(names) if str(name) == place or (place == "held" and str(name)[:4] == place)
        ]
        if not there:
            where = Message(PACKAGE, "the_yard", section="place") if place == "start" else place
            raise self.refuse("no_piece", colour=colour_word(self.game.players[self.seat]), place=where)
        return next((p for p in there if not k.is_frozen(self.row, p)), there[0])

    def _pooled(self, match: re.Match[str]) -> int:
        if match["word"] == "buy":
            return self._kind(self.tables[k.A_BUY], self.tables[k.A_SPECIAL])
        if match["special"]:
            pieces = int(match["special"])
            if pieces > self.tables[k.PIECES]:
                raise self.refuse("no_special", count=pieces)
            return self._kind(self.tables[k.A_SPECIAL] + pieces - 2, self.tables[k.A_PASS])
        if match["origin"] is None:
            return self._out(match)
        dice = match["dice"][1:].split("+")
        piece = self._piece_on(match["origin"])
        faces = sorted(self.game.rules.start.leave_on)
        if match["origin"] == "start" and len(dice) == 1 and int(dice[0]) in faces:
            return self.tables[k.A_OUT] + faces.index(int(dice[0]))
        return self._set(dice) * self.tables[k.PIECES] + piece

    def _kind(self, action: int, end: int) -> int:
        """An action of a block that ends at `end`, where the rules have that kind of move."""
        if action >= end:
            raise self.refuse("no_such_move", text=self.text)
        return action

    def _out(self, match: re.Match[str]) -> int:
        if match["on"]:
            if self.tables[k.GO_ON] == 0:
                raise self.refuse("no_such_move", text=self.text)
            return self.tables[k.A_OUT_ON] + self._set(match["on"][1:].split("+"))
        faces = sorted(self.game.rules.start.leave_on)
        if match["face"] is None:
            usable = [f for f in faces if self.row[self.tables[k.R_POOL] + f - 1]] or faces
            return self.tables[k.A_OUT] + faces.index(usable[0])
        if int(match["face"]) not in faces:
            raise self.refuse("needs_face", faces=self.game.faces_in_words())
        return self.tables[k.A_OUT] + faces.index(int(match["face"]))

    def _set(self, dice: list[str]) -> int:
        counts = tuple(dice.count(str(face)) for face in range(1, 7))
        if counts in self.game.set_number:
            return self.game.set_number[counts]
        shown = "+".join(sorted(dice, reverse=True))
        if any(n > self.row[self.tables[k.R_POOL] + face] for face, n in enumerate(counts)):
            raise self.refuse("no_such_die", dice=shown)
        if self.tables[k.COMBINED] == 0:
            raise self.refuse("not_combined")
        raise self.refuse("past_finish_combined")
