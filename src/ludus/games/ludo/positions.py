"""Positions as plain data: reading them strictly, writing them shortly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.core.errors import InvalidPosition, quoted, suggestion
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.quick_board import Board, on_every_arm

MOST_DICE = 10_000  # any number of 6+6 can be rolled (F5); the compiled kernel counts in 16 bits
KEYS = ("pieces", "turn", "dice", "captured", "sixes", "frozen", "kept", "rolls", "rolloff", "unblocked", "places")


def place_name(board: Board, players: tuple[str, ...], node: int) -> int | str:
    """A node as people write it."""
    if node < board.field(k.TILES):
        return node
    if node < board.field(k.FINISH):
        return f"end:{node - board.field(k.TILES)}"
    if node == board.field(k.FINISH):
        return "finish"
    return "start" if node == board.field(k.START) else f"held:{players[node - board.field(k.HELD)]}"


class Reader:
    """Reads one position's plain data into a row."""

    def __init__(self, board: Board, players: tuple[str, ...], data: Mapping[str, Any]) -> None:
        self.board = board
        self.rules = board.rules
        self.players = players
        self.data = data
        self.row = [0] * board.field(k.ROW_SIZE)

    def read(self) -> list[int]:
        """The row; InvalidPosition for the first thing that can't be."""
        if not isinstance(self.data, Mapping):
            raise InvalidPosition(f"a position is a mapping, not {quoted(self.data)}")
        for key in self.data:
            if key not in KEYS:
                raise InvalidPosition(f"unknown key {quoted(key)}{suggestion(str(key)[:40], KEYS)}")
        self._pieces()
        self._sides_on_tiles()
        self._captured()
        self.row[k.TURN] = self._seat(self.data.get("turn", self.players[0]), "turn")
        self._dice()
        self._places()
        self._counts()
        self._rolloff()
        self._leftovers()
        return self.row

    def _seat(self, colour: Any, where: str) -> int:
        if not isinstance(colour, str) or colour not in self.players:
            raise InvalidPosition(f"{where}: unknown colour {quoted(colour)}; there are {', '.join(self.players)}")
        return self.players.index(colour)

    def _pieces(self) -> None:
        pieces = self.data.get("pieces")
        if not isinstance(pieces, Mapping):
            raise InvalidPosition(f"pieces: a mapping from each colour to its places, not {quoted(pieces)}")
        for colour in pieces:
            self._seat(colour, "pieces")
        count = self.rules.board.pieces
        for seat, colour in enumerate(self.players):
            places = pieces.get(colour, [])
            if not isinstance(places, list | tuple) or len(places) != count:
                found = len(places) if isinstance(places, list | tuple) else repr(places)
                raise InvalidPosition(f"pieces: {colour} has {count} pieces, not {found}")
            for piece, place in enumerate(places):
                self.row[k.slot(self.board.tables, seat, piece)] = self._node(seat, place)

    def _node(self, seat: int, place: Any) -> int:
        colour, board = self.players[seat], self.board
        if isinstance(place, int) and not isinstance(place, bool):
            return self._path_node(seat, place)
        if place == "start":
            return board.field(k.START)
        if place == "finish" and self.rules.finish.places == "one_tile":
            return board.field(k.FINISH)
        if isinstance(place, str) and place.startswith("end:"):
            for number in range(self.rules.board.end_path):
                if place == f"end:{number}":
                    return board.field(k.TILES) + number
            raise InvalidPosition(
                f"pieces: {colour} on {quoted(place)}; the end path is end:0 to end:{self.rules.board.end_path - 1}"
            )
        if isinstance(place, str) and place.startswith("held:") and self.rules.capture.captured_to == "held":
            captor = self._seat(place[5:], f"pieces: {colour} on {quoted(place)}")
            if captor == seat:
                raise InvalidPosition(f"pieces: {colour} can't be held by itself", "F10")
            return board.field(k.HELD) + captor
        raise InvalidPosition(f"pieces: {colour} on {quoted(place)}; a place is {self._places_in_words()}")

    def _path_node(self, seat: int, tile: int) -> int:
        length, colour = self.rules.path_length, self.players[seat]
        if not 0 <= tile < length:
            raise InvalidPosition(f"pieces: {colour} on tile {tile}; path tiles are 0 to {length - 1}")
        distance = (tile - self.board.entry(seat)) % length
        if distance > self.rules.last_path_distance and not self.rules.capture.before_home:
            raise InvalidPosition(f"pieces: {colour} never comes to tile {tile}: it turns into its end path before")
        return tile

    def _places_in_words(self) -> str:
        words = [
            "'start'",
            f"a tile 0 to {self.rules.path_length - 1}",
            f"'end:0' to 'end:{self.rules.board.end_path - 1}'",
        ]
        if self.rules.finish.places == "one_tile":
            words.append("'finish'")
        if self.rules.capture.captured_to == "held":
            words.append("'held:' and a colour")
        return ", ".join(words)

    def _sides_on_tiles(self) -> None:
        """Two sides on one tile where the rule set never allows it (Z8, F1); two pieces where none may stack."""
        rules, tables = self.rules, self.board.tables
        shared = on_every_arm(rules, rules.safe.tiles) if rules.safe.landing == "shares" else set()
        if rules.safe.entry == "owner_shares":
            shared |= {self.board.entry(seat) for seat in range(len(self.players))}
        seen: dict[int, set[int]] = {}
        for seat, colour in enumerate(self.players):
            for piece in range(rules.board.pieces):
                node = self.row[k.slot(tables, seat, piece)]
                if node >= tables[k.FINISH]:
                    continue
                there = seen.setdefault(node if node < tables[k.TILES] else node + 1000 * (seat + 1), set())
                if seat in there and not rules.movement.share_own:
                    name = place_name(self.board, self.players, node)
                    raise InvalidPosition(f"pieces: two pieces of {colour} on {name}")
                foreign = {tables[tables[k.T_SIDE] + s] for s in there} - {tables[tables[k.T_SIDE] + seat]}
                apart = rules.block.stops != "none" or not rules.movement.share_own
                if foreign and apart and node not in shared:
                    rule = None if rules.block.stops == "none" else "F1" if rules.block.on_safe else "Z8"
                    raise InvalidPosition(f"pieces: {colour} and an opponent both on tile {node}", rule)
                there.add(seat)

    def _captured(self) -> None:
        captured = self.data.get("captured", [])
        if "captured" in self.data and not self.rules.capture.before_home:
            raise InvalidPosition("captured: these rules do not ask for a capture before home")
        if not isinstance(captured, list | tuple):
            raise InvalidPosition(f"captured: a list of colours, not {quoted(captured)}")
        at = self.board.field(k.R_CAPTURED)
        for colour in captured:
            self.row[at + self._seat(colour, "captured")] = 1
        if not self.rules.capture.before_home:
            return
        for seat, colour in enumerate(self.players):
            for piece in range(self.rules.board.pieces):
                node = self.row[k.slot(self.board.tables, seat, piece)]
                if self.board.field(k.TILES) <= node <= self.board.field(k.FINISH) and not self.row[at + seat]:
                    raise InvalidPosition(f"captured: {colour} is on its end path or home without a capture", "Z12")

    def _dice_list(self, key: str) -> list[int]:
        dice = self.data.get(key, [])
        if not isinstance(dice, list | tuple) or any(
            isinstance(d, bool) or not isinstance(d, int) or not 1 <= d <= 6 for d in dice
        ):
            raise InvalidPosition(f"{key}: a list of dice from 1 to 6, not {quoted(dice)}")
        return list(dice)

    def _dice(self) -> None:
        dice, kept = self._dice_list("dice"), self._dice_list("kept")
        if "kept" in self.data and self.rules.chance.pool == "one_roll":
            raise InvalidPosition("kept: these rules keep no dice while a roll is due")
        if kept and (dice or len(kept) % 2 or set(kept) != {6}):
            raise InvalidPosition(f"kept: only pairs of sixes, and only while a roll is due, not {quoted(kept)}", "F5")
        self._check_rollable(dice)
        if len(dice) + len(kept) > MOST_DICE:
            raise InvalidPosition(f"dice: {len(dice) + len(kept)} dice are more than the {MOST_DICE} that we count")
        self.row[k.STAGE] = k.DECISION if dice else k.CHANCE
        if self.rules.chance.dice == 1:
            self.row[k.DIE] = dice[0] if dice else 0
        else:
            for die in dice + kept:
                self.row[self.board.field(k.R_POOL) + die - 1] += 1

    def _check_rollable(self, dice: list[int]) -> None:
        most = self.rules.chance.dice
        counted = [d for d in dice if d != 6] if self.rules.chance.pool == "double_six" else dice
        if len(counted) > most:
            rule = "F6" if self.rules.chance.pool == "double_six" else None
            raise InvalidPosition(
                f"dice: {quoted(dice)} can't be rolled with {most} {'die' if most == 1 else 'dice'}", rule
            )

    def _places(self) -> None:
        """Who is home already; the game is over when that decides it."""
        tables = self.board.tables
        home = [seat for seat in range(len(self.players)) if k.is_home(self.row, tables, seat)]
        if self.rules.win.play_on:
            self._places_so_far(home)
            return
        if "places" in self.data:
            raise InvalidPosition("places: these rules end the game with the first winner")
        if self.rules.modes.mode == "teams":
            home = [seat for seat in home if k.partner(tables, seat) in home]
        if not home:
            return
        if len({tables[tables[k.T_SIDE] + seat] for seat in home}) > 1:
            raise InvalidPosition("pieces: two sides have all pieces home; the game ends with the first")
        if self.row[k.TURN] not in home:
            raise InvalidPosition(f"turn: the game is over, so it is the last mover's, {self.players[home[0]]}'s")
        if self.row[k.STAGE] == k.DECISION or self.data.get("kept"):
            raise InvalidPosition("dice: the game is over, so no dice are left")
        for seat in home:
            self.row[tables[k.R_PLACE] + seat] = 1
        self.row[k.PLACED] = 1
        self.row[k.STAGE] = k.OVER

    def _places_so_far(self, home: list[int]) -> None:
        order = self.data.get("places", [])
        if not isinstance(order, list | tuple) or sorted(self._seat(c, "places") for c in order) != home:
            names = ", ".join(self.players[seat] for seat in home) or "nobody"
            raise InvalidPosition(f"places: the colours that are home in the order they came, here {names}")
        at = self.board.field(k.R_PLACE)
        for place, colour in enumerate(order):
            self.row[at + self._seat(colour, "places")] = place + 1
        self.row[k.PLACED] = len(order)
        if len(order) >= len(self.players) - 1:
            if self.row[k.STAGE] == k.DECISION:
                raise InvalidPosition("dice: the game is over, so no dice are left")
            for seat in range(len(self.players)):
                self.row[at + seat] = self.row[at + seat] or len(self.players)
            self.row[k.STAGE] = k.OVER
        elif self.row[at + self.row[k.TURN]]:
            raise InvalidPosition(f"turn: {self.players[self.row[k.TURN]]} is home and has no turn any more")

    def _count(self, key: str, value: Any, most: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise InvalidPosition(f"{key}: a number from 0 to {most}, not {quoted(value)}")
        return value

    def _counts(self) -> None:
        self._sixes()
        self._rolls()
        self._frozen()
        unblocked = self.data.get("unblocked", False)
        if not isinstance(unblocked, bool) or (unblocked and not self.rules.block.unblock_duty):
            raise InvalidPosition(f"unblocked: true only where the rules have that duty, not {quoted(unblocked)}")
        if unblocked and self.row[k.STAGE] != k.DECISION:
            raise InvalidPosition("unblocked: only while dice are left", "F34")
        self.row[k.UNBLOCKED] = int(unblocked) and self._duty_matters()

    def _duty_matters(self) -> int:
        """Whether the duty would hold without the key: elsewhere it says nothing."""
        tables, scratch = self.board.tables, [0] * self.board.scratch_size
        k.scan(self.row, tables, scratch)
        count = k.list_pool_moves(self.row, tables, scratch)
        return int(k.keep_unblocking(self.row, tables, scratch, k.mover(self.row, tables), count, False) > 0)

    def _sixes(self) -> None:
        sixes, limit = self.data.get("sixes", {}), self.rules.sixes_limit
        if not isinstance(sixes, Mapping) or (sixes and not limit):
            raise InvalidPosition(
                f"sixes: a mapping from a colour to its sixes in a row, where rules count them, not {quoted(sixes)}"
            )
        turn, die = self.players[self.row[k.TURN]], self.row[k.DIE]
        for colour, value in sixes.items():
            self._seat(colour, "sixes")
            self._count("sixes", value, limit - 1)
            if colour != turn and value:
                raise InvalidPosition(f"sixes: only {turn}, who has the turn, can have rolled sixes in a row")
        count = sixes.get(turn, int(die == 6)) if limit else 0
        if die == 6 and limit and not count:
            raise InvalidPosition("sixes: dice [6] is the first six in a row at least")
        if die not in (0, 6) and count:
            raise InvalidPosition(f"sixes: dice [{die}] ends a row of sixes")
        self.row[k.SIXES] = count

    def _rolls(self) -> None:
        attempts = self.rules.turn.attempts
        if "rolls" in self.data and attempts == 1:
            raise InvalidPosition("rolls: these rules give one attempt")
        waiting = failed_attempt(self.board, self.row)
        rolls = self._count("rolls", self.data.get("rolls", int(waiting)), attempts if waiting else attempts - 1)
        idle = k.count_in_play(self.row, self.board.tables, k.mover(self.row, self.board.tables)) == 0
        if rolls and not waiting and (self.row[k.DIE] or not idle):
            raise InvalidPosition("rolls: failed attempts count only while no piece is in play")
        if waiting and not rolls:
            raise InvalidPosition("rolls: the roll that waits for its pass is counted, so 1 at least")
        self.row[k.ROLLS] = rolls

    def _frozen(self) -> None:
        frozen = self.data.get("frozen", {})
        if not isinstance(frozen, Mapping) or (frozen and not self.rules.capture.freezes):
            raise InvalidPosition(
                f"frozen: a mapping from a colour to places, where rules freeze, not {quoted(frozen)}"
            )
        seat = k.mover(self.row, self.board.tables)
        for colour, places in frozen.items():
            if not isinstance(places, list | tuple):
                raise InvalidPosition(f"frozen: a list of places, not {quoted(places)}")
            if self._seat(colour, "frozen") != seat and places:
                raise InvalidPosition(f"frozen: only pieces of {self.players[seat]}, who moves, can be frozen", "F24")
            for place in places:
                self._freeze(seat, place)
        if self.row[k.FROZEN] and self.row[k.STAGE] != k.DECISION:
            raise InvalidPosition("frozen: a piece is frozen only while dice are left", "F24")

    def _freeze(self, seat: int, place: Any) -> None:
        node = self._node(seat, place)
        for piece in range(self.rules.board.pieces):
            there = self.row[k.slot(self.board.tables, seat, piece)] == node
            if there and node < self.board.field(k.FINISH) and not k.is_frozen(self.row, piece):
                self.row[k.FROZEN] |= 1 << piece
                return
        raise InvalidPosition(f"frozen: no such piece of {self.players[seat]} in play on {quoted(place)}", "F24")

    def _rolloff(self) -> None:
        rolloff = self.data.get("rolloff")
        if rolloff is None:
            return
        if self.rules.turn.first != "roll_off":
            raise InvalidPosition("rolloff: these rules have no roll-off")
        if not isinstance(rolloff, Mapping) or not set(rolloff) <= {"in", "rolled"} or self.row[k.STAGE] != k.CHANCE:
            raise InvalidPosition(
                f"rolloff: {{'in': [colours], 'rolled': {{colour: sum}}}} and no dice, not {quoted(rolloff)}"
            )
        rolled, still_in = rolloff.get("rolled", {}), rolloff.get("in", [])
        if (
            not isinstance(rolled, Mapping)
            or not isinstance(still_in, list | tuple)
            or len(set(map(str, still_in))) < 2
        ):
            raise InvalidPosition("rolloff: at least two colours are in it")
        seats = sorted({self._seat(c, "rolloff") for c in still_in})
        sums = {self._seat(c, "rolloff"): v for c, v in rolled.items()}
        dice = self.rules.chance.dice
        for value in sums.values():
            if isinstance(value, bool) or not isinstance(value, int) or not dice <= value <= 6 * dice:
                raise InvalidPosition(f"rolloff: a sum from {dice} to {6 * dice}, not {quoted(value)}")
        if sorted(sums) != seats[: len(sums)] or len(sums) == len(seats):
            raise InvalidPosition("rolloff: those in it roll in seat order, and the last has not rolled yet")
        if any(self.row[k.slot(self.board.tables, s, p)] != self.board.field(k.START)
               for s in range(len(self.players)) for p in range(self.rules.board.pieces)):  # fmt: skip
            raise InvalidPosition("rolloff: it comes before any piece moves", "S14")
        if "turn" in self.data and self.row[k.TURN] != seats[len(sums)]:
            raise InvalidPosition(f"turn: in this roll-off it is {self.players[seats[len(sums)]]}'s roll", "S14")
        self.row[k.TURN] = seats[len(sums)]
        self.row[k.ROLLOFF_IN] = sum(1 << s for s in seats)
        for seat, value in sums.items():
            self.row[self.board.field(k.R_SUM) + seat] = value

    def _leftovers(self) -> None:
        if self.row[k.STAGE] != k.OVER:
            return
        for key, field in (("sixes", k.SIXES), ("rolls", k.ROLLS)):
            if self.row[field]:
                raise InvalidPosition(f"{key}: the game is over, so it is absent")


def failed_attempt(board: Board, row: Any) -> bool:
    """Whether the die is an attempt to get out that failed and waits for its pass (T14)."""
    if board.rules.turn.attempts == 1 or row[k.DIE] == 0 or board.tables[board.field(k.T_LEAVES) + row[k.DIE]]:
        return False
    return k.count_in_play(row, board.tables, k.mover(row, board.tables)) == 0


def to_dict(board: Board, players: tuple[str, ...], row: list[int]) -> dict[str, Any]:
    """Everything that affects the future; what has its default is left out."""
    tables, pieces = board.tables, board.rules.board.pieces
    turn = players[row[k.TURN]]
    data: dict[str, Any] = {
        "pieces": {
            colour: [place_name(board, players, row[k.slot(tables, seat, p)]) for p in range(pieces)]
            for seat, colour in enumerate(players)
        },
        "turn": turn,
    }
    _write_dice(board, row, data)
    if board.rules.capture.before_home:
        captured = [c for seat, c in enumerate(players) if row[tables[k.R_CAPTURED] + seat]]
        data |= {"captured": captured} if captured else {}
    if row[k.SIXES] != int(row[k.DIE] == 6 and board.rules.sixes_limit > 0):
        data["sixes"] = {turn: row[k.SIXES]}
    if row[k.ROLLS] != int(failed_attempt(board, row)):
        data["rolls"] = row[k.ROLLS]
    if row[k.FROZEN]:
        seat = k.mover(row, tables)
        frozen = [row[k.slot(tables, seat, p)] for p in range(pieces) if k.is_frozen(row, p)]
        data["frozen"] = {players[seat]: [place_name(board, players, node) for node in sorted(frozen)]}
    if row[k.UNBLOCKED]:
        data["unblocked"] = True
    if row[k.ROLLOFF_IN]:
        seats = [s for s in range(len(players)) if (row[k.ROLLOFF_IN] >> s) & 1]
        sums = {players[s]: row[tables[k.R_SUM] + s] for s in seats if row[tables[k.R_SUM] + s]}
        data["rolloff"] = {"in": [players[s] for s in seats], "rolled": sums}
    if board.rules.win.play_on and row[k.PLACED]:
        places = {row[tables[k.R_PLACE] + s]: c for s, c in enumerate(players)}
        data["places"] = [places[p] for p in range(1, row[k.PLACED] + 1)]
    return data


def _write_dice(board: Board, row: list[int], data: dict[str, Any]) -> None:
    if board.rules.chance.dice == 1:
        dice = [row[k.DIE]] if row[k.DIE] else []
    else:
        at = board.field(k.R_POOL)
        dice = [face for face in range(6, 0, -1) for _ in range(row[at + face - 1])]
    if dice:
        data["dice" if row[k.STAGE] == k.DECISION else "kept"] = dice


def key(board: Board, row: list[int]) -> tuple[Any, ...]:
    """What makes positions equal: pieces as sorted places, and every other field of the row."""
    pieces, players = board.rules.board.pieces, len(board.arms)
    seat = k.mover(row, board.tables)
    after = k.PIECE_0 + players * pieces
    sorted_pieces = tuple(
        tuple(sorted((row[k.slot(board.tables, s, p)], s == seat and k.is_frozen(row, p)) for p in range(pieces)))
        for s in range(players)
    )
    fixed = (*row[: k.FROZEN], *row[k.UNBLOCKED : k.PIECE_0])
    return (fixed, sorted_pieces, tuple(row[after:]))
