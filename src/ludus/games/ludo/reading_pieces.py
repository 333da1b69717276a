"""Where pieces stand and what is counted, from plain data, read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.core.errors import InvalidPosition, quoted
from ludus.core.kernels.codes import TURN
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.ludo_board import LudoBoard
from ludus.games.ludo.board.tiles import safe_tiles
from ludus.games.ludo.positions import (
    change_names,
    pieces_of,
    place_name,
)


class PieceReader:
    """Reads where pieces stand, and what is counted over a game."""

    def __init__(self, board: LudoBoard, players: tuple[str, ...], data: Mapping[str, Any]) -> None:
        self.board = board
        self.rules = board.rules
        self.players = players
        self.data = data
        self.row = [0] * board.field(k.ROW_SIZE)

    # ------------------------------------------------------------ small questions

    def _seat(self, colour: Any, where: str) -> int:
        if not isinstance(colour, str) or colour not in self.players:
            raise InvalidPosition(f"{where}: unknown colour {quoted(colour)}; there are {', '.join(self.players)}")
        return self.players.index(colour)

    def _number(self, where: str, value: Any, most: int) -> int:
        if most == 0 and value != 0:
            raise InvalidPosition(f"{where}: these rules do not count them")
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise InvalidPosition(f"{where}: a number from 0 to {most}, not {quoted(value)}")
        return value

    def _mapping(self, name: str) -> Mapping[Any, Any]:
        value = self.data.get(name, {})
        if not isinstance(value, Mapping):
            raise InvalidPosition(f"{name}: a mapping by colour, not {quoted(value)}")
        return value

    def _truth(self, name: str, is_known: int, what: str) -> bool:
        value = self.data.get(name, False)
        if not isinstance(value, bool) or (value and not is_known):
            raise InvalidPosition(f"{name}: true only where {what}, not {quoted(value)}")
        return value

    @property
    def _colour_in_turn(self) -> str:
        return self.players[self.row[TURN]]

    # ------------------------------------------------------------ pieces

    def _pieces(self) -> None:
        pieces, count = self.data.get("pieces"), self.rules.board.pieces
        if not isinstance(pieces, Mapping):
            raise InvalidPosition(f"pieces: a mapping from each colour to its places, not {quoted(pieces)}")
        for colour in pieces:
            self._seat(colour, "pieces")
        for seat, colour in enumerate(self.players):
            places = pieces.get(colour, [])
            if not isinstance(places, list | tuple) or len(places) != count:
                found = len(places) if isinstance(places, list | tuple) else quoted(places)
                raise InvalidPosition(f"pieces: {colour} has {count} pieces, not {found}")
            at = k.slot(self.board.tables, seat, 0)
            self.row[at : at + count] = [self._node(seat, place) for place in places]

    def _node(self, seat: int, place: Any) -> int:
        colour, topology = self.players[seat], self.board.topology
        if isinstance(place, str) and place.startswith("held:") and self.board.field(k.HOLDS):
            captor = self._seat(place[5:], f"pieces: {colour} on {quoted(place)}")
            if captor == seat:
                raise InvalidPosition(f"pieces: {colour} can't be held by itself", self.rules.cites.get("held"))
            return self.board.field(k.HELD) + captor
        known = {topology.name(node): node for node in range(topology.start + 1)}
        if isinstance(place, bool) or not isinstance(place, int | str) or place not in known:
            raise InvalidPosition(f"pieces: {colour} on {quoted(place)}; a place is {self._places_in_words()}")
        if known[place] not in self.board.standable[seat]:
            turns_off = topology.ring and known[place] < topology.tiles
            why = ": it turns into its end path before" if turns_off else ""
            raise InvalidPosition(f"pieces: {colour} never comes to {'tile ' * bool(turns_off)}{place}{why}")
        return known[place]

    def _places_in_words(self) -> str:
        topology = self.board.topology
        words = ["'start'"]
        if topology.ring:
            words.append(f"a tile 0 to {topology.ring - 1}")
        if topology.is_graph or topology.tiles > topology.ring:
            words.append("a tile of board.paths")
        if topology.lane:
            words.append(f"'end:0' to 'end:{topology.lane - 1}'")
        if self.rules.finish.places == "one_tile":
            words.append("'finish'")
        if self.board.field(k.HOLDS):
            words.append("'held:' and a colour")
        return ", ".join(words)

    def _sides_on_tiles(self) -> None:
        """Two sides on one tile where no rule ever allows it (Z8, F1); two pieces where none may stack."""
        tables = self.board.tables
        seen: dict[int, set[int]] = {}
        for seat, colour in enumerate(self.players):
            for node in pieces_of(self.board, self.row, seat):
                if node >= tables[k.FINISH]:
                    continue
                shared = node < tables[k.TILES]
                square = self.board.topology.places[node] if shared else node + 1000 * (seat + 1)
                there = seen.setdefault(square, set())
                if seat in there and not self._may_stack(seat, node):
                    name = place_name(self.board, self.players, node)
                    raise InvalidPosition(f"pieces: two pieces of {colour} on {name}")
                foreign = {k.side_of(tables, s) for s in there} - {k.side_of(tables, seat)}
                if foreign and not self._may_share(node):
                    blocks = self.rules.block
                    rule = None if blocks.stops == "none" else "F1" if blocks.on_safe else "Z8"
                    name = place_name(self.board, self.players, node)
                    raise InvalidPosition(f"pieces: {colour} and an opponent both on tile {name}", rule)
                there.add(seat)

    def _may_stack(self, seat: int, node: int) -> bool:
        """Whether two pieces of a colour can come to stand on a node under some of the rules."""
        blocks = [ground.at(seat, seat, node) for ground in self.board.grounds]
        return any(verdict & k.VERDICT not in (k.CLOSED, k.BEFORE) for block in blocks for verdict in block)

    def _may_share(self, tile: int) -> bool:
        """Whether two sides can come to stand on a tile under some of the rules."""
        for rules, ground in zip(self.board.banks, self.board.grounds, strict=True):
            if rules.meeting and ground.may_share(tile):
                return True
            if rules.capture.by == "none" or rules.capture.captured_to == "back":
                return True
            if rules.block.stops == "none" and rules.movement.share_own:
                return True
            if rules.safe.landing == "shares" and tile in safe_tiles(rules, self.board.topology):
                return True
            if rules.safe.entry == "owner_shares" and tile in map(self.board.entry, range(len(self.players))):
                return True
        return False

    # ------------------------------------------------------------ what changed, and what is counted

    def _captured(self) -> None:
        captured, before_home = self.data.get("captured", []), self.rules.asks_for_capture
        if "captured" in self.data and not before_home:
            raise InvalidPosition("captured: these rules do not ask for a capture before home")
        if not isinstance(captured, list | tuple):
            raise InvalidPosition(f"captured: a list of colours, not {quoted(captured)}")
        for colour in captured:
            seat = self._seat(colour, "captured")
            self.row[self.board.field(k.R_CHANGED) + seat] |= 1 << self.board.field(k.HOME_BIT)
            if self.board.field(k.CAPTURE_CAP):
                self.row[self.board.field(k.R_CAPTURES) + seat] = 1
        for seat, colour in enumerate(self.players) if before_home else ():
            before = self.board.topology.before_first_capture(self.board.arms[seat])
            nodes = pieces_of(self.board, self.row, seat)
            turned = any(node <= self.board.field(k.FINISH) and node not in before for node in nodes)
            if turned and colour not in captured and self.rules.capture.before_home:
                raise InvalidPosition(f"captured: {colour} is on its end path or home without a capture", "Z12")

    def _changed(self) -> None:
        names = change_names(self.board)
        for colour, held in self._mapping("changed").items():
            seat = self._seat(colour, "changed")
            if not isinstance(held, list | tuple) or not all(isinstance(h, str) and h in names for h in held):
                raise InvalidPosition(f"changed: a list of {', '.join(names) or 'no changes'}, not {quoted(held)}")
            for name in held:
                self.row[self.board.field(k.R_CHANGED) + seat] |= 1 << names.index(name)

    def _vectors(self) -> None:
        field = self.board.field
        limits = {
            "captures": (k.R_CAPTURES, field(k.CAPTURE_CAP)),
            "lost": (k.R_LOST, field(k.LOST_CAP)),
            "skips": (k.R_SKIP, 9 if field(k.SKIPS) else 0),
            "scores": (k.R_SCORE, 30_000 if field(k.SCORE) else 0),
        }
        for name, (vector, most) in limits.items():
            for colour, value in self._mapping(name).items():
                at = field(vector) + self._seat(colour, name)
                if self._number(name, value, most):
                    self.row[at] = max(self.row[at], value)
        if self.rules.win.purse and "scores" not in self.data:  # points that are staked are never all gone
            for seat in range(len(self.players)):
                self.row[field(k.R_SCORE) + seat] = self.rules.win.purse
        limit = self.rules.win.turn_limit or 10_000
        self.row[k.TURNS] = self._number("turns", self.data.get("turns", 0), limit if field(k.COUNT_TURNS) else 0)
        self.row[k.REVERSED] = int(self._truth("reversed", field(k.REVERSES), "the order of play can turn round"))
        self._deck()

    def _hold_changes(self) -> None:
        """A change whose condition is met holds, also where the position does not say so."""
        k.hold_changes(self.row, self.board.tables, [0] * k.S_OCC)

    def _deck(self) -> None:
        cards = {card.name: card.count for card in self.rules.chance.cards} if self.board.field(k.DECK) else {}
        deck = self.data.get("deck", cards)
        if "deck" in self.data and not cards:
            raise InvalidPosition("deck: these rules have no deck that runs out")
        if not isinstance(deck, Mapping) or not set(deck) <= set(cards):
            raise InvalidPosition(f"deck: how many of each card are left, not {quoted(deck)}")
        for number, (card, count) in enumerate(cards.items()):
            self.row[self.board.field(k.R_DECK) + number] = self._number("deck", deck.get(card, 0), count)
        if cards and not any(deck.get(card, 0) for card in cards):
            raise InvalidPosition("deck: an empty deck is made anew at once")
