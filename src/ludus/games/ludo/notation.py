"""Moves as text: `12+5`, `12+5+3`, `out`, `out+3`, `buy`, `out*2`, `12+5>b7`, `12+b20`, `12+swap>blue:30`, `pass`.

Another colour's piece has that colour before it: `blue:12+5`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ludus.core.errors import IllegalMove
from ludus.core.kernels.codes import TURN
from ludus.core.messages import Message
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.routes import Way
from ludus.games.ludo.document.rules import COLOURS

if TYPE_CHECKING:
    from ludus.games.ludo.game import LudoGame

PACKAGE = "ludus.games.ludo"

_MOVE = re.compile(
    rf"(?:(?P<colour>{'|'.join(COLOURS)}):)?"
    r"(?:(?P<word>pass)"
    r"|out\*(?P<special>[2-9]|1[0-5])"
    r"|(?P<out>out|buy)(?:(?<=out)\((?P<with>[a-z]{0,20}[+-]?\d{0,3}(?:\+\d{1,2})?)\))?(?P<on>(?:\+\d{1,2}){0,500})"
    r"|(?P<origin>held(?::[a-z]+)?|end:\d{1,2}|[a-z0-9][a-z0-9_-]{0,23}?)"
    r"(?P<tokens>[+-](?:b?\d{1,2}|[a-z][a-z0-9_]{0,19})(?:\+\d{1,2}){0,500}))"
    r"(?P<ways>(?:>[a-z0-9:_-]{1,40}){0,60})"
)

REASONS = {code: name[4:].lower() for name, code in vars(k).items() if name.startswith("WHY_")}


def token_text(game: LudoGame, kind: int) -> str:
    """A token as a move's notation has it: '+5', '-4', '+b20', '+swap'."""
    token = game.board.kinds[kind]
    if token.effect != k.STEP or (isinstance(token.name, str) and token.label):
        return f"+{token.name}"
    return f"+b{token.distance}" if token.is_bonus else f"{token.distance:+d}"


def choices(game: LudoGame, bank: int, seat: int, node: int, kind: int) -> list[str]:
    """What tells the ways of a token apart: nothing for a single one, '>target', or the turns taken and the target."""
    every = game.board.ways_of(bank, seat, node, kind)
    ways = [way for way in every if not way.alone]
    texts = apart(game, seat, node, ways)
    alone = (f">alone{way.alone if way.alone > 1 else ''}" for way in every[len(ways) :])
    return texts + [texts[number % len(ways)] + how for number, how in enumerate(alone)]


def apart(game: LudoGame, seat: int, node: int, ways: list[Way]) -> list[str]:
    """What tells ways apart that take all of a stack along."""
    if len(ways) < 2:
        return [""] * len(ways)
    ends = [way.node for way in ways]
    texts = []
    for way in ways:
        nodes = [way.node] if ends.count(way.node) == 1 else [*turns(game, seat, node, way), way.node]
        texts.append("".join(f">{game.place(n)}" for n in dict.fromkeys(nodes)))
    # a way that ends where another one turns: number what would still read alike
    return [t if texts.count(t) == 1 else f"{t}>{number}" for number, t in enumerate(texts)]


def turns(game: LudoGame, seat: int, node: int, way: Way) -> list[int]:
    """The nodes that were chosen where there was a choice."""
    ahead = game.board.topology.successors(game.board.arms[seat])
    chosen, here = [], node
    for there in way.path:
        if here < len(ahead) and len(ahead[here]) > 1 and there in ahead[here]:
            chosen.append(there)
        here = there
    return chosen


def write(game: LudoGame, row: list[int], action: int) -> str:
    """The notation of an action."""
    tables = game.board.tables
    if action == tables[k.A_PASS]:
        return "pass"
    seat = k.seat_of_action(row, tables, action)
    prefix = "" if seat == row[TURN] else f"{game.players[seat]}:"
    if action >= tables[k.A_GIVE]:
        word = "give" if row[tables[k.R_DEAL] + k.DEAL_EXCHANGE] else "discard"
        return f"{word}:{game.rules.chance.cards[action - tables[k.A_GIVE]].name}"
    if action >= tables[k.A_SWAP]:
        other, there = swapped(game, row, action)
        kind = k.swapper_of_action(tables, action)
        here = game.place(k.node_of_action(row, tables, action))
        word = "+swap" if len({kind.name for kind in game.board.kinds if kind.swaps}) == 1 else token_text(game, kind)
        return f"{prefix}{here}{word}>{game.players[other]}:{game.place(there)}"
    if action >= tables[k.A_SPECIAL]:
        return f"{prefix}out*{action - tables[k.A_SPECIAL] + 2}"
    if not k.is_step(tables, action):
        return f"{prefix}out+{dice_text(game, action - tables[k.A_ON])}"
    return prefix + _write_step(game, row, seat, action)


def _write_step(game: LudoGame, row: list[int], seat: int, action: int) -> str:
    tables = game.board.tables
    node, number = k.node_of_action(row, tables, action), k.number_of(row, tables, action)
    if number >= tables[k.KINDS] and node < tables[k.START]:
        return f"{game.place(node)}+{dice_text(game, number)}"
    bank = game.board.bank_number(row, seat)
    ways = choices(game, bank, seat, node, game.board.route_kind(number))
    chosen = k.way_of(tables, action)
    way = ways[chosen] if chosen < len(ways) else ""
    if node >= tables[k.START]:
        return f"{'out' if node == tables[k.START] else 'buy'}{with_which(game, bank, number)}{way}"
    return f"{game.place(node)}{token_text(game, number)}{way}"


def dice_text(game: LudoGame, number: int) -> str:
    """The dice of a set, larger first: '5+3'."""
    return "+".join(map(str, game.dice_of_set(number)))


def with_which(game: LudoGame, bank: int, kind: int) -> str:
    """'(5)' where different tokens serve to come out and a roll gives several."""
    leaving = game.leaving_numbers(bank)
    if len(leaving) < 2 or not game.board.field(k.POOLED):
        return ""
    return f"({name_of_number(game, kind)})"


def name_of_number(game: LudoGame, number: int) -> str:
    """The name of a token, or of two that together bring a piece out: '5', '4+1'."""
    return str(game.board.kinds[number].name) if number < len(game.board.kinds) else dice_text(game, number)


def swapped(game: LudoGame, row: list[int], action: int) -> tuple[int, int]:
    """(seat, node) of the piece that a swap takes away."""
    tables = game.board.tables
    number = action - tables[k.A_SWAP]
    pieces, players = tables[k.PIECES], tables[k.PLAYERS]
    other = (k.mover(row, tables) + number // pieces % players) % players
    return other, row[k.slot(tables, other, number % pieces)]


def colour_word(colour: str) -> Message:
    """A colour's name, in whatever language it is asked for."""
    return Message(PACKAGE, colour, section="colour")


class Parser:
    """Reads one move's notation at one position."""

    def __init__(self, game: LudoGame, row: list[int], text: str) -> None:
        self.game = game
        self.tables = game.board.tables
        self.row = row
        self.text = text
        self.own = k.mover(row, self.tables)
        self.example = "pass"

    def refuse(self, key: str, **values: object) -> IllegalMove:
        """The error for a reason."""
        return IllegalMove(Message(PACKAGE, key, dict(values)), self.game.rules.cites.get(key))

    def no_move(self) -> IllegalMove:
        """The error where the text names no move of these boards and dice."""
        return self.refuse("notation", text=repr(self.text[:40]), example=self.example)

    def no_such_move(self) -> IllegalMove:
        """The error where these rules do not have that kind of move."""
        return self.refuse("no_such_move", text=self.text)

    def action(self) -> int:
        """The action id that the text names, legal or not; IllegalMove where it names none."""
        last = self.tables[k.A_PASS]  # what plug-ins add stands behind it, under names of its own
        legal = {write(self.game, self.row, one): one for one in self.game.legal_actions(self.row) if one <= last}
        if self.text in legal:
            return legal[self.text]
        self.example = next(iter(legal), "")
        given = re.fullmatch(r"(?:give|discard):([a-z0-9_-]{1,20})", self.text)
        if given and self.tables[k.HANDS]:
            names = [card.name for card in self.game.rules.chance.cards]
            if given[1] in names:
                return self.tables[k.A_GIVE] + names.index(given[1])
        match = _MOVE.fullmatch(self.text)
        if match is None or (match["word"] and match["ways"]):
            raise self.no_move()
        player = self.game.players[self.row[TURN]]
        colour = match["colour"] or player
        if match["word"] and colour == player:
            return self.tables[k.A_PASS]
        shorter = [name for name in legal if name.startswith(f"{self.text}(")]
        if shorter:
            return legal[shorter[0]]
        seat = self._seat(colour)
        if seat is None or match["word"]:
            raise self.refuse("not_yours", colour=colour_word(colour), player=colour_word(player))
        return self._move(match, seat)

    def _seat(self, colour: str) -> int | None:
        """The seat of a colour whose pieces the player in turn may be able to move."""
        if colour not in self.game.players:
            return None
        seat = self.game.players.index(colour)
        return seat if (seat - self.own) % self.tables[k.PLAYERS] < self.tables[k.MOVERS] else None

    def _refuse_ways(self, match: re.Match[str]) -> None:
        if match["ways"]:
            raise self.refuse("no_such_way")

    def _move(self, match: re.Match[str], seat: int) -> int:
        if match["special"]:
            self._refuse_ways(match)
            return self._special(int(match["special"]))
        if match["on"]:
            self._refuse_ways(match)
            if not self.tables[k.GO_ON] or match["with"] is not None or match["out"] == "buy":
                raise self.no_such_move()
            return self.tables[k.A_ON] + self._set(match["on"][1:].split("+"))
        if match["out"]:
            return self._from_outside(match, seat)
        return self._step(match, seat)

    def _special(self, pieces: int) -> int:
        if pieces > self.tables[k.PIECES]:
            raise self.no_move()
        if not self.tables[k.SPECIAL]:
            raise self.no_such_move()
        return self.tables[k.A_SPECIAL] + pieces - 2

    def _from_outside(self, match: re.Match[str], seat: int) -> int:
        """Coming out, or buying back."""
        single, out = self.tables[k.SINGLE], match["out"] == "out"
        if not out and not self.tables[k.HOLDS]:
            raise self.no_such_move()
        leaving = self.game.leaving_numbers(self.game.board.bank_number(self.row, seat))
        named = [number for number in leaving if match["with"] in (None, name_of_number(self.game, number))]
        if not named:
            raise self.refuse("needs_face" if out else "buy_needs_six", faces=self.game.faces_in_words())
        piece = self._piece_on(seat, "start" if out else "held")
        if piece is None:
            if single:
                raise self._no_piece(seat, "start" if out else "held")
            raise self.refuse("nobody_in_yard" if out else "nobody_to_buy")
        if single and match["with"] is not None and self.row[k.TOKEN] - 1 not in named:
            raise self.refuse("no_such_die", dice=match["with"])
        if single and not out and self.row[k.TOKEN] - 1 not in named:
            raise self.refuse("buy_needs_six", faces=self.game.faces_in_words())
        if single:
            return self._step_action(match, seat, piece, self.row[k.TOKEN] - 1)
        there = [number for number in named if k.are_waiting(self.row, self.tables, number)]
        return self._step_action(match, seat, piece, (there or named)[0])

    def _step(self, match: re.Match[str], seat: int) -> int:
        origin, tokens = match["origin"], match["tokens"]
        piece = self._piece_on(seat, origin)
        if piece is None:
            raise self._no_piece(seat, origin) if self._could_be_a_place(origin) else self.no_move()
        if origin.startswith("held"):  # F10: bought back, never moved
            raise self.refuse("held")
        if tokens == "+swap":
            raise self.refuse("no_swap") if self.tables[k.SWAPS] else self.no_such_move()
        dice = tokens[1:].split("+")
        if len(dice) > 1:
            if self.tables[k.SINGLE]:
                raise self.refuse("not_combined")
            self._refuse_ways(match)
            spot = self._spot(seat, piece)
            return k.step_action(self.tables, self._set(dice), spot, 0)
        fits = [kind for kind in range(self.tables[k.KINDS]) if token_text(self.game, kind) == tokens]
        there = [kind for kind in fits if k.waiting(self.row, self.tables, kind)]
        if not fits:
            raise self.no_move()
        if self.tables[k.SINGLE] and not there:
            raise self.refuse("no_such_die", dice=tokens.lstrip("+"))
        return self._step_action(match, seat, piece, (there or fits)[0])

    def _step_action(self, match: re.Match[str], seat: int, piece: int, kind: int) -> int:
        node, bank = self.row[k.slot(self.tables, seat, piece)], self.game.board.bank_number(self.row, seat)
        ways = choices(self.game, bank, seat, node, self.game.board.route_kind(kind)) if kind >= 0 else []
        if match["ways"] and match["ways"] not in ways:
            raise self.refuse("no_such_way")
        way = ways.index(match["ways"]) if match["ways"] else 0
        leaving = self.game.leaving_numbers(bank)
        if self.tables[k.POOLED] and node >= self.tables[k.START] and kind in leaving:
            turned = (seat - self.own) % self.tables[k.PLAYERS]
            return k.outside_action(self.tables, turned, min(node, self.tables[k.HELD]), kind, way)
        return k.step_action(self.tables, kind, self._spot(seat, piece), way)

    def _spot(self, seat: int, piece: int) -> int:
        return (seat - self.own) % self.tables[k.PLAYERS] * self.tables[k.PIECES] + piece

    def _piece_on(self, seat: int, place: str) -> int | None:
        """The lowest piece on a place, one that may move if there is one; of the held ones the first to be bought."""
        nodes = [self.row[k.slot(self.tables, seat, piece)] for piece in range(self.tables[k.PIECES])]
        if place == "held":
            held = [(node, piece) for piece, node in enumerate(nodes) if node >= self.tables[k.HELD]]
            return min(held)[1] if held else None
        there = [piece for piece, node in enumerate(nodes) if str(self.game.place(node)) == place]
        free = [piece for piece in there if not k.is_frozen(self.row, self.tables, seat, piece)]
        return next(iter(free or there), None)

    def _could_be_a_place(self, place: str) -> bool:
        """Whether a place is written as those of this board are."""
        if place.isdigit() or place.startswith(("end:", "held")) or place in ("start", "finish"):
            return True
        return any(str(self.game.place(node)) == place for node in range(self.tables[k.TILES]))

    def _no_piece(self, seat: int, place: str) -> IllegalMove:
        where = Message(PACKAGE, "the_yard", section="place") if place == "start" else place
        return self.refuse("no_piece", colour=colour_word(self.game.players[seat]), place=where)

    def _set(self, dice: list[str]) -> int:
        """The number of the set of some dice."""
        kinds = self.game.board.kinds
        counts = tuple(dice.count(str(kind.name)) for kind in kinds)
        if sum(counts) == len(dice) and counts in self.game.set_number:
            return self.game.set_number[counts]
        if sum(counts) < len(dice):
            raise self.no_move()
        shown = "+".join(sorted(dice, key=lambda die: int(die.removeprefix("b")), reverse=True))
        if any(n > k.waiting(self.row, self.tables, kind) for kind, n in enumerate(counts)):
            raise self.refuse("no_such_die", dice=shown)
        if self.tables[k.COMBINED] == 0:
            raise self.refuse("not_combined")
        raise self.refuse("past_finish_combined")
