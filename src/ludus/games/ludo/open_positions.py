"""Positions of the general game as plain data: reading them strictly, writing them shortly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ludus.core.errors import InvalidPosition, quoted, suggestion
from ludus.games.ludo import kernel_open as k
from ludus.games.ludo.board.openboard import OpenBoard
from ludus.games.ludo.kernel import count_in_play, slot

KEYS = (
    "pieces", "turn", "dice", "stage", "captured", "captures", "lost", "changed", "sixes", "rolls", "again", "rolloff",
    "places", "turns", "scores", "skips", "reversed", "deck",
)  # fmt: skip
MOST_BONUSES = 100
AGAIN_WORDS = (False, True, "always")


def place_name(board: OpenBoard, players: tuple[str, ...], node: int) -> int | str:
    """A node as people write it."""
    if node >= board.field(k.HELD):
        return f"held:{players[node - board.field(k.HELD)]}"
    return board.topology.name(node)


def change_names(board: OpenBoard) -> list[str]:
    """What the changes are called; the first capture that opens the way home has no name of its own."""
    return [change.name or f"change {number + 1}" for number, change in enumerate(board.rules.changes)]


def pool_of(board: OpenBoard, row: list[int]) -> list[int]:
    """The kinds of the tokens left, bonuses included."""
    at = board.field(k.R_POOL)
    return [kind for kind in range(len(board.kinds)) for _ in range(row[at + kind])]


def rolled(board: OpenBoard, row: list[int]) -> list[int] | None:
    """The table row of the first outcome that gives just the tokens of the pool, or None."""
    bank = row[board.field(k.R_CHANGED) + row[k.TURN]]
    tokens = Counter(kind for kind in pool_of(board, row) if not board.kinds[kind].is_bonus)
    at = board.tables[board.field(k.T_BANK) + bank * k.O_SIZE + k.O_OUTCOME]
    for number, outcome in enumerate(board.outcomes[bank]):
        if Counter(board.kinds.index(kind) for kind in outcome.kinds) == tokens:
            return board.tables[at + number * k.F_SIZE : at + (number + 1) * k.F_SIZE]
    return None


def usual(board: OpenBoard, row: list[int]) -> tuple[int, int, int]:
    """AGAIN, SIXES and ROLLS as they are right after the roll that the pool shows, the first of a turn."""
    if row[k.STAGE] != k.DECISION:
        return 0, 0, 0
    outcome = rolled(board, row)
    bank = board.field(k.T_BANK) + row[board.field(k.R_CHANGED) + row[k.TURN]] * k.O_SIZE
    if outcome is None:
        return 0, 0, 0
    counts = outcome[k.F_COUNTS] if board.tables[bank + k.O_SIXES_LIMIT] else 0
    idle = count_in_play(row, board.tables, k.mover(row, board.tables)) == 0
    failed = board.tables[bank + k.O_ATTEMPTS] > 1 and not outcome[k.F_LEAVES] and idle
    return outcome[k.F_AGAIN], counts, int(failed)


def to_dict(board: OpenBoard, players: tuple[str, ...], row: list[int]) -> dict[str, Any]:
    """Everything that affects the future; what has its default is left out."""
    tables, pieces = board.tables, board.rules.board.pieces
    turn = players[row[k.TURN]]
    data: dict[str, Any] = {
        "pieces": {
            colour: [place_name(board, players, row[slot(tables, seat, p)]) for p in range(pieces)]
            for seat, colour in enumerate(players)
        },
        "turn": turn,
    }
    _write_stage(board, row, data)
    again, sixes, rolls = usual(board, row)
    if row[k.AGAIN] != again:
        data["again"] = AGAIN_WORDS[row[k.AGAIN]]
    if row[k.SIXES] != sixes:
        data["sixes"] = {turn: row[k.SIXES]}
    if row[k.ROLLS] != rolls:
        data["rolls"] = row[k.ROLLS]
    _write_counts(board, players, row, data)
    _write_changes(board, players, row, data)
    if row[k.ROLLOFF_IN] > 0:
        seats = [s for s in range(len(players)) if (row[k.ROLLOFF_IN] >> s) & 1]
        sums = {players[s]: row[tables[k.R_SUM] + s] - k.SUM_IS_THERE for s in seats if row[tables[k.R_SUM] + s]}
        data["rolloff"] = {"in": [players[s] for s in seats], "rolled": sums}
    if tables[k.PLAY_ON] and row[k.PLACED]:
        places = {row[tables[k.R_PLACE] + s]: c for s, c in reversed(list(enumerate(players)))}
        data["places"] = [places[p] for p in range(1, row[k.PLACED] + 1)]
    return data


def _write_stage(board: OpenBoard, row: list[int], data: dict[str, Any]) -> None:
    names = [board.kinds[kind].name for kind in pool_of(board, row)]
    numbers = sorted((n for n in names if isinstance(n, int)), reverse=True)
    dice = [*numbers, *(n for n in names if not isinstance(n, int))]
    if dice:
        data["dice"] = dice
    elif row[k.STAGE] == k.DECISION:
        data["stage"] = "decision"
    if row[k.ROLLOFF_IN] == k.LOT:
        data["stage"] = "lot"


def _write_counts(board: OpenBoard, players: tuple[str, ...], row: list[int], data: dict[str, Any]) -> None:
    vectors = {"lost": k.R_LOST, "skips": k.R_SKIP, "scores": k.R_SCORE}
    if board.field(k.CAPTURE_CAP) > 1 or not board.rules.capture.before_home:
        vectors["captures"] = k.R_CAPTURES
    for key, field in vectors.items():
        at = board.field(field)
        counts = {colour: row[at + seat] for seat, colour in enumerate(players) if row[at + seat]}
        data |= {key: counts} if counts else {}
    data |= {"turns": row[k.TURNS]} if row[k.TURNS] else {}
    data |= {"reversed": True} if row[k.REVERSED] else {}
    cards = board.rules.chance.cards if board.field(k.DECK) else ()
    left = {card.name: row[board.field(k.R_DECK) + number] for number, card in enumerate(cards)}
    if left != {card.name: card.count for card in cards}:
        data["deck"] = left


def _write_changes(board: OpenBoard, players: tuple[str, ...], row: list[int], data: dict[str, Any]) -> None:
    at, names = board.field(k.R_CHANGED), change_names(board)
    if board.rules.capture.before_home:
        captured = [c for seat, c in enumerate(players) if row[at + seat] >> len(names) & 1]
        data |= {"captured": captured} if captured else {}
    holding = {
        colour: [name for number, name in enumerate(names) if row[at + seat] >> number & 1]
        for seat, colour in enumerate(players)
    }
    holding = {colour: held for colour, held in holding.items() if held}
    data |= {"changed": holding} if holding else {}


def key(board: OpenBoard, row: list[int]) -> tuple[Any, ...]:
    """What makes positions equal: pieces as sorted places, and every other field of the row."""
    pieces, players = board.rules.board.pieces, len(board.arms)
    after = k.PIECE_0 + players * pieces
    places = tuple(
        tuple(sorted(row[slot(board.tables, seat, 0) : slot(board.tables, seat + 1, 0)])) for seat in range(players)
    )
    return (*row[: k.PIECE_0], places, tuple(row[after:]))


class Reader:
    """Reads one position's plain data into a row."""

    def __init__(self, board: OpenBoard, players: tuple[str, ...], data: Mapping[str, Any]) -> None:
        self.board = board
        self.rules = board.rules
        self.players = players
        self.data = data
        self.row = [0] * board.field(k.ROW_SIZE)

    def read(self) -> list[int]:
        """The row; InvalidPosition for the first thing that can't be."""
        if not isinstance(self.data, Mapping):
            raise InvalidPosition(f"a position is a mapping, not {quoted(self.data)}")
        for name in self.data:
            if name not in KEYS:
                raise InvalidPosition(f"unknown key {quoted(name)}{suggestion(str(name)[:40], KEYS)}")
        self._pieces()
        self._changes()
        self.row[k.TURN] = self._seat(self.data.get("turn", self.players[0]), "turn")
        self._vectors()
        self._hold_changes()
        self._stage()
        self._places()
        self._counts()
        self._rolloff()
        return self.row

    def _seat(self, colour: Any, where: str) -> int:
        if not isinstance(colour, str) or colour not in self.players:
            raise InvalidPosition(f"{where}: unknown colour {quoted(colour)}; there are {', '.join(self.players)}")
        return self.players.index(colour)

    def _number(self, where: str, value: Any, most: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise InvalidPosition(f"{where}: a number from 0 to {most}, not {quoted(value)}")
        return value

    def _mapping(self, name: str) -> Mapping[Any, Any]:
        value = self.data.get(name, {})
        if not isinstance(value, Mapping):
            raise InvalidPosition(f"{name}: a mapping by colour, not {quoted(value)}")
        return value

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
            nodes = [self._node(seat, place) for place in places]
            shared = [n for n in nodes if n < self.board.field(k.FINISH) and nodes.count(n) > 1]
            if shared and not any(bank.movement.share_own for bank in self.board.banks):
                name = place_name(self.board, self.players, shared[0])
                raise InvalidPosition(f"pieces: two pieces of {colour} on {name}")
            at = slot(self.board.tables, seat, 0)
            self.row[at : at + count] = nodes

    def _node(self, seat: int, place: Any) -> int:
        colour, topology = self.players[seat], self.board.topology
        if isinstance(place, str) and place.startswith("held:") and self.rules.capture.captured_to == "held":
            captor = self._seat(place[5:], f"pieces: {colour} on {quoted(place)}")
            if captor == seat:
                raise InvalidPosition(f"pieces: {colour} can't be held by itself")
            return self.board.field(k.HELD) + captor
        known = {topology.name(node): node for node in range(topology.start + 1)}
        if isinstance(place, bool) or not isinstance(place, int | str) or place not in known:
            raise InvalidPosition(f"pieces: {colour} on {quoted(place)}, which is no place of this board")
        node = known[place]
        if node not in self.board.standable(seat):
            raise InvalidPosition(f"pieces: {colour} never comes to {quoted(place)}")
        return node

    def _changes(self) -> None:
        at, names = self.board.field(k.R_CHANGED), change_names(self.board)
        for colour, held in self._mapping("changed").items():
            seat = self._seat(colour, "changed")
            if not isinstance(held, list | tuple) or not all(isinstance(h, str) and h in names for h in held):
                raise InvalidPosition(f"changed: a list of {', '.join(names) or 'no changes'}, not {quoted(held)}")
            self.row[at + seat] |= sum({1 << names.index(name) for name in held})
        captured = self.data.get("captured", [])
        if "captured" in self.data and not self.rules.capture.before_home:
            raise InvalidPosition("captured: these rules do not ask for a capture before home")
        if not isinstance(captured, list | tuple):
            raise InvalidPosition(f"captured: a list of colours, not {quoted(captured)}")
        for colour in captured:
            seat = self._seat(colour, "captured")
            self.row[at + seat] |= 1 << len(names)
            self.row[self.board.field(k.R_CAPTURES) + seat] = 1
        for seat, colour in enumerate(self.players) if self.rules.capture.before_home else ():
            own = self.row[slot(self.board.tables, seat, 0) : slot(self.board.tables, seat + 1, 0)]
            turned = any(self.board.field(k.TILES) <= node <= self.board.field(k.FINISH) for node in own)
            if turned and not self.row[at + seat] >> len(names) & 1:
                raise InvalidPosition(f"captured: {colour} is on its end path or home without a capture", "Z12")

    def _vectors(self) -> None:
        limits = {
            "captures": (k.R_CAPTURES, self.board.field(k.CAPTURE_CAP)),
            "lost": (k.R_LOST, self.board.field(k.LOST_CAP)),
            "skips": (k.R_SKIP, 9),
            "scores": (k.R_SCORE, 30_000 if self.board.field(k.SCORE) else 0),
        }
        for name, (field, most) in limits.items():
            for colour, value in self._mapping(name).items():
                at = self.board.field(field) + self._seat(colour, name)
                self.row[at] = max(self.row[at], self._number(name, value, most))
        limit = self.rules.win.turn_limit or 10_000
        self.row[k.TURNS] = self._number(
            "turns", self.data.get("turns", 0), limit if self.board.field(k.COUNT_TURNS) else 0
        )
        reversed_ = self.data.get("reversed", False)
        if not isinstance(reversed_, bool):
            raise InvalidPosition(f"reversed: true or false, not {quoted(reversed_)}")
        self.row[k.REVERSED] = int(reversed_)
        self._deck()

    def _hold_changes(self) -> None:
        """A change whose condition is met holds, also where the position does not say so."""
        tables, scratch = self.board.tables, [0] * k.S_OCC
        for number in range(tables[k.CHANGES]):
            at = tables[k.T_CHANGE] + number * k.C_SIZE
            for seat in range(len(self.players)) if tables[at + k.C_WHEN] != k.BY_TILE else ():
                k.make_change(self.row, tables, scratch, number, at, seat)

    def _deck(self) -> None:
        cards = {card.name: card.count for card in self.rules.chance.cards} if self.board.field(k.DECK) else {}
        deck = self.data.get("deck", cards)
        if not isinstance(deck, Mapping) or not set(deck) <= set(cards):
            raise InvalidPosition(f"deck: how many of each card are left, not {quoted(deck)}")
        for number, (card, count) in enumerate(cards.items()):
            self.row[self.board.field(k.R_DECK) + number] = self._number("deck", deck.get(card, 0), count)
        if cards and not any(deck.get(card, 0) for card in cards):
            raise InvalidPosition("deck: an empty deck is made anew at once")

    def _stage(self) -> None:
        stage, dice = self.data.get("stage"), self.data.get("dice", [])
        if not isinstance(dice, list | tuple):
            raise InvalidPosition(f"dice: a list of what is left to play, not {quoted(dice)}")
        if stage not in (None, "decision", "lot") or (stage == "lot" and self.rules.turn.first != "lot"):
            raise InvalidPosition(f"stage: 'decision' or, where a lot decides who begins, 'lot', not {quoted(stage)}")
        if stage == "lot" and dice:
            raise InvalidPosition("stage: no dice are left while the lot is due")
        self.row[k.ROLLOFF_IN] = k.LOT if stage == "lot" else 0
        self.row[k.STAGE] = k.DECISION if dice or stage == "decision" else k.CHANCE
        if self.row[k.STAGE] == k.DECISION:
            self._tokens(list(dice))

    def _tokens(self, dice: list[Any]) -> None:
        names = {kind.name: number for number, kind in enumerate(self.board.kinds)}
        for die in dice:
            if isinstance(die, bool) or not isinstance(die, int | str) or die not in names:
                raise InvalidPosition(f"dice: {quoted(die)} can't be rolled; there are {', '.join(map(str, names))}")
            self.row[self.board.field(k.R_POOL) + names[die]] += 1
        given = Counter(names[die] for die in dice if not self.board.kinds[names[die]].is_bonus)
        bank = self.row[self.board.field(k.R_CHANGED) + self.row[k.TURN]]
        possible = (Counter(map(self.board.kinds.index, outcome.kinds)) for outcome in self.board.outcomes[bank])
        if not any(given <= outcome for outcome in possible):
            raise InvalidPosition(f"dice: {quoted(dice)} can't be left of one roll")
        if len(dice) - given.total() > MOST_BONUSES:
            raise InvalidPosition(f"dice: more than {MOST_BONUSES} bonus moves")

    def _places(self) -> None:
        """Who is done already; the game is over when that decides it."""
        tables, row = self.board.tables, self.row
        done = [seat for seat in range(len(self.players)) if k.has_won(row, tables, seat)]
        if tables[k.TEAMS]:
            done = [seat for seat in done if k.partner(tables, seat) in done]
        at = tables[k.R_PLACE]
        over = False
        if tables[k.PLAY_ON]:
            over = self._places_so_far(done)
        elif "places" in self.data:
            raise InvalidPosition("places: these rules end the game with the first winner")
        elif done:
            if len({tables[tables[k.T_SIDE] + seat] for seat in done}) > 1:
                raise InvalidPosition("pieces: two sides have won; the game ends with the first")
            for seat in done:
                row[at + seat] = 1
            row[k.PLACED] = 1
            over = True
        if not over and tables[k.TURN_LIMIT] and row[k.TURNS] >= tables[k.TURN_LIMIT]:
            k.end_at_the_limit(row, tables)
            over = True
        if over and k.pool_size(row, tables):
            raise InvalidPosition("dice: the game is over, so no dice are left")
        if over:
            row[k.STAGE] = k.OVER
        elif row[at + row[k.TURN]]:
            raise InvalidPosition(f"turn: {self.players[row[k.TURN]]} is home and has no turn any more")

    def _places_so_far(self, done: list[int]) -> bool:
        order = self.data.get("places", [])
        if not isinstance(order, list | tuple) or sorted(self._seat(c, "places") for c in order) != done:
            names = ", ".join(self.players[seat] for seat in done) or "nobody"
            raise InvalidPosition(f"places: the colours that are home in the order they came, here {names}")
        at = self.board.field(k.R_PLACE)
        for place, colour in enumerate(order):
            self.row[at + self._seat(colour, "places")] = place + 1
        self.row[k.PLACED] = len(order)
        if len(order) < self.board.field(k.RANKS):
            return False
        for seat in range(len(self.players)):
            self.row[at + seat] = self.row[at + seat] or len(order) + 1
        return True

    def _counts(self) -> None:
        again, sixes, rolls = usual(self.board, self.row)
        turn = self.players[self.row[k.TURN]]
        given = self.data.get("again", AGAIN_WORDS[again])
        if not any(type(given) is type(word) and given == word for word in AGAIN_WORDS):
            raise InvalidPosition(f"again: true, false or 'always', not {quoted(given)}")
        self.row[k.AGAIN] = AGAIN_WORDS.index(given)
        limit = max(1, *(bank.sixes_limit for bank in self.board.banks), *(b.turn.attempts for b in self.board.banks))
        counts = self._mapping("sixes")
        for colour in counts:
            if self._seat(colour, "sixes") != self.row[k.TURN]:
                raise InvalidPosition(f"sixes: only {turn}, who has the turn, can have rolled in a row")
        self.row[k.SIXES] = self._number("sixes", counts.get(turn, sixes), limit)
        self.row[k.ROLLS] = self._number("rolls", self.data.get("rolls", rolls), limit)
        idle = self.row[k.STAGE] != k.DECISION and self.row[k.AGAIN]
        if idle or (self.row[k.STAGE] == k.OVER and (self.row[k.SIXES] or self.row[k.ROLLS])):
            raise InvalidPosition("again: only while something is left to play")

    def _rolloff(self) -> None:
        rolloff = self.data.get("rolloff")
        if rolloff is None:
            return
        if self.rules.turn.first != "roll_off" or self.row[k.STAGE] != k.CHANCE or not isinstance(rolloff, Mapping):
            raise InvalidPosition(
                "rolloff: {'in': [colours], 'rolled': {colour: sum}} before the first turn, if at all"
            )
        rolled_, still_in = rolloff.get("rolled", {}), rolloff.get("in", [])
        if (
            not isinstance(rolled_, Mapping)
            or not isinstance(still_in, list | tuple)
            or not set(rolloff) <= {"in", "rolled"}
        ):
            raise InvalidPosition("rolloff: {'in': [colours], 'rolled': {colour: sum}}")
        seats = sorted({self._seat(c, "rolloff") for c in still_in})
        sums = {self._seat(c, "rolloff"): v for c, v in rolled_.items()}
        totals = {outcome.total for outcome in self.board.outcomes[0]}
        if any(isinstance(v, bool) or v not in totals for v in sums.values()):
            raise InvalidPosition(f"rolloff: {quoted(rolled_)} can't be rolled")
        if len(seats) < 2 or sorted(sums) != seats[: len(sums)] or len(sums) == len(seats):
            raise InvalidPosition(
                "rolloff: two at least are in it, roll in seat order, and the last has not rolled yet"
            )
        if "turn" in self.data and self.row[k.TURN] != seats[len(sums)]:
            raise InvalidPosition(f"turn: in this roll-off it is {self.players[seats[len(sums)]]}'s roll", "S14")
        self.row[k.TURN] = seats[len(sums)]
        self.row[k.ROLLOFF_IN] = sum(1 << s for s in seats)
        for seat, value in sums.items():
            self.row[self.board.field(k.R_SUM) + seat] = value + k.SUM_IS_THERE
