"""Positions from plain data, read strictly: what can't be is refused in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ludus.core.errors import InvalidPosition, quoted, suggestion
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.sets import SIX
from ludus.games.ludo.board.tables import LudoBoard
from ludus.games.ludo.board.tiles import safe_tiles
from ludus.games.ludo.positions import (
    AGAIN_WORDS,
    change_names,
    outcomes_given,
    pieces_of,
    place_name,
    sixes_at,
    usual,
)

KEYS = (
    "pieces", "turn", "dice", "kept", "stage", "captured", "captures", "lost", "changed", "sixes", "rolls", "again",
    "frozen", "unblocked", "rolloff", "places", "turns", "scores", "skips", "reversed", "deck",
)  # fmt: skip
MOST_BONUSES = 100
MOST_DICE = 10_000  # any number of 6+6 can be rolled (F5); rows count in 16 bits


class Reader:
    """Reads one position's plain data into a row."""

    def __init__(self, board: LudoBoard, players: tuple[str, ...], data: Mapping[str, Any]) -> None:
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
        self._sides_on_tiles()
        self._captured()
        self._changed()
        self.row[k.TURN] = self._seat(self.data.get("turn", self.players[0]), "turn")
        self._vectors()
        self._hold_changes()
        self._stage()
        self._places()
        self._counts()
        self._rolloff()
        self._leftovers()
        return self.row

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
        return self.players[self.row[k.TURN]]

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
        stack = any(bank.movement.share_own for bank in self.board.banks)
        seen: dict[int, set[int]] = {}
        for seat, colour in enumerate(self.players):
            for node in pieces_of(self.board, self.row, seat):
                if node >= tables[k.FINISH]:
                    continue
                there = seen.setdefault(node if node < tables[k.TILES] else node + 1000 * (seat + 1), set())
                if seat in there and not stack:
                    name = place_name(self.board, self.players, node)
                    raise InvalidPosition(f"pieces: two pieces of {colour} on {name}")
                foreign = {k.side_of(tables, s) for s in there} - {k.side_of(tables, seat)}
                if foreign and not self._may_share(node):
                    blocks = self.rules.block
                    rule = None if blocks.stops == "none" else "F1" if blocks.on_safe else "Z8"
                    name = place_name(self.board, self.players, node)
                    raise InvalidPosition(f"pieces: {colour} and an opponent both on tile {name}", rule)
                there.add(seat)

    def _may_share(self, tile: int) -> bool:
        """Whether two sides can come to stand on a tile under some of the rules."""
        for rules in self.board.banks:
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
        captured, before_home = self.data.get("captured", []), self.rules.capture.before_home
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
            nodes = pieces_of(self.board, self.row, seat)
            turned = any(self.board.field(k.TILES) <= node <= self.board.field(k.FINISH) for node in nodes)
            if turned and colour not in captured:
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
        limit = self.rules.win.turn_limit or 10_000
        self.row[k.TURNS] = self._number("turns", self.data.get("turns", 0), limit if field(k.COUNT_TURNS) else 0)
        self.row[k.REVERSED] = int(self._truth("reversed", field(k.REVERSES), "the order of play can turn round"))
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
        if "deck" in self.data and not cards:
            raise InvalidPosition("deck: these rules have no deck that runs out")
        if not isinstance(deck, Mapping) or not set(deck) <= set(cards):
            raise InvalidPosition(f"deck: how many of each card are left, not {quoted(deck)}")
        for number, (card, count) in enumerate(cards.items()):
            self.row[self.board.field(k.R_DECK) + number] = self._number("deck", deck.get(card, 0), count)
        if cards and not any(deck.get(card, 0) for card in cards):
            raise InvalidPosition("deck: an empty deck is made anew at once")

    # ------------------------------------------------------------ dice and other tokens

    def _stage(self) -> None:
        stage, dice, kept = self.data.get("stage"), self._tokens("dice"), self._tokens("kept")
        if ("stage" in self.data and stage not in ("decision", "lot")) or (
            stage == "lot" and self.rules.turn.first != "lot"
        ):
            raise InvalidPosition(f"stage: 'decision' or, where a lot decides who begins, 'lot', not {quoted(stage)}")
        if stage == "lot" and dice:
            raise InvalidPosition("stage: no dice are left while the lot is due")
        if stage == "decision" and (dice or not self._may_give_nothing()):
            raise InvalidPosition("stage: 'decision' only where a roll gave nothing to play, and then without dice")
        self._check_kept(dice, kept)
        self._check_rollable(dice)
        self.row[k.ROLLOFF_IN] = k.LOT if stage == "lot" else 0
        self.row[k.STAGE] = k.DECISION if dice or stage == "decision" else k.CHANCE
        for kind in dice + kept:
            if self.board.field(k.SINGLE):
                self.row[k.TOKEN] = kind + 1
            else:
                self.row[self.board.field(k.R_POOL) + kind] += 1

    def _may_give_nothing(self) -> bool:
        """Whether some outcome gives no token, so that nothing but the stage tells that the roll was made."""
        return any(not outcome.kinds for outcomes in self.board.outcomes for outcome in outcomes)

    def _tokens(self, key: str) -> list[int]:
        dice = self.data.get(key, [])
        names = {kind.name: number for number, kind in enumerate(self.board.kinds)}
        if not isinstance(dice, list | tuple):
            raise InvalidPosition(f"{key}: a list of what is left to play, not {quoted(dice)}")
        for die in dice:
            if isinstance(die, bool) or not isinstance(die, int | str) or die not in names:
                raise InvalidPosition(f"{key}: {quoted(die)} can't be rolled; there are {', '.join(map(str, names))}")
        return [names[die] for die in dice]

    def _is_six(self, kind: int) -> bool:
        return self.board.kinds[kind].name == SIX

    def _check_kept(self, dice: list[int], kept: list[int]) -> None:
        if "kept" in self.data and self.rules.chance.pool == "one_roll":
            raise InvalidPosition("kept: these rules keep no dice while a roll is due")
        at_once = self.rules.chance.dice
        if kept and (dice or len(kept) % at_once or not all(map(self._is_six, kept))):
            shown = quoted(self.data["kept"])
            raise InvalidPosition(f"kept: only pairs of sixes, and only while a roll is due, not {shown}", "F5")
        if len(dice) + len(kept) > MOST_DICE:
            raise InvalidPosition(f"dice: {len(dice) + len(kept)} dice are more than the {MOST_DICE} that we count")

    def _check_rollable(self, dice: list[int]) -> None:
        kinds, keeps = self.board.kinds, self.rules.chance.pool == "double_six"
        given = Counter(kind for kind in dice if not kinds[kind].is_bonus and not (keeps and self._is_six(kind)))
        bank = self.board.bank_number(self.row, self.row[k.TURN])
        possible = (Counter(map(kinds.index, outcome.kinds)) for outcome in self.board.outcomes[bank])
        if not any(given <= outcome for outcome in possible):
            shown = quoted(self.data.get("dice"))
            raise InvalidPosition(f"dice: {shown} can't be rolled, nor be left of one roll", "F6" if keeps else None)
        if sum(kinds[kind].is_bonus for kind in dice) > MOST_BONUSES:
            raise InvalidPosition(f"dice: more than {MOST_BONUSES} bonus moves")

    # ------------------------------------------------------------ who is done

    def _places(self) -> None:
        """Who is done already; the game is over when that decides it."""
        tables, row = self.board.tables, self.row
        done = [seat for seat in range(len(self.players)) if k.has_won(row, tables, seat)]
        if tables[k.TEAMS]:
            done = [seat for seat in done if k.partner(tables, seat) in done]
        over = self._places_so_far(done) if tables[k.PLAY_ON] else self._winner(done)
        if not over and tables[k.TURN_LIMIT] and row[k.TURNS] >= tables[k.TURN_LIMIT]:
            k.end_at_the_limit(row, tables)
            over = True
        if over and k.tokens_left(row, tables):
            raise InvalidPosition("dice: the game is over, so no dice are left")
        if over:
            row[k.STAGE] = k.OVER
        elif row[tables[k.R_PLACE] + row[k.TURN]]:
            raise InvalidPosition(f"turn: {self._colour_in_turn} is home and has no turn any more")

    def _winner(self, done: list[int]) -> bool:
        tables, row = self.board.tables, self.row
        if "places" in self.data:
            raise InvalidPosition("places: these rules end the game with the first winner")
        if not done:
            return False
        if len({k.side_of(tables, seat) for seat in done}) > 1:
            raise InvalidPosition("pieces: two sides have all pieces home; the game ends with the first")
        if row[k.TURN] not in done and tables[k.MOVERS] == 1:
            raise InvalidPosition(f"turn: the game is over, so it is the last mover's, {self.players[done[0]]}'s")
        for seat in done:
            row[tables[k.R_PLACE] + seat] = 1
        row[k.PLACED] = 1
        return True

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

    # ------------------------------------------------------------ what belongs to a turn

    def _counts(self) -> None:
        again, sixes, rolls = usual(self.board, self.row)
        self._again(again)
        self._sixes(sixes)
        self._rolls(rolls)
        self._frozen()
        duty = any(bank.block.unblock_duty for bank in self.board.banks)
        unblocked = self._truth("unblocked", duty, "the rules have that duty")
        if unblocked and self.row[k.STAGE] != k.DECISION:
            raise InvalidPosition("unblocked: only while dice are left", "F34")
        self.row[k.UNBLOCKED] = int(unblocked) and self._duty_matters()

    def _duty_matters(self) -> int:
        """Whether the duty would hold without the key: elsewhere it says nothing."""
        tables, scratch = self.board.tables, [0] * self.board.scratch_size
        k.scan(self.row, tables, scratch)
        count = k.list_moves(self.row, tables, scratch)
        return int(k.keep_unblocking(self.row, tables, scratch, k.mover(self.row, tables), count, False) > 0)

    def _again(self, usually: int) -> None:
        given = self.data.get("again", AGAIN_WORDS[usually])
        if not any(type(given) is type(word) and given == word for word in AGAIN_WORDS):
            raise InvalidPosition(f"again: true, false or 'always', not {quoted(given)}")
        again = AGAIN_WORDS.index(given)
        if again and self.row[k.STAGE] != k.DECISION and not k.tokens_left(self.row, self.board.tables):
            raise InvalidPosition("again: only while something is left to play")
        rolled = {self.board.tables[at + k.F_AGAIN] for at in outcomes_given(self.board, self.row)}
        if self.board.field(k.SINGLE) and self.row[k.STAGE] == k.DECISION and again not in rolled:
            raise InvalidPosition(f"again: what was rolled says {AGAIN_WORDS[usually]}, not {quoted(given)}")
        self.row[k.AGAIN] = again

    def _sixes(self, usually: int) -> None:
        limit = max(bank.sixes_limit for bank in self.board.banks)
        sixes, turn = self.data.get("sixes", {}), self._colour_in_turn
        if not isinstance(sixes, Mapping) or (sixes and not limit):
            raise InvalidPosition(
                f"sixes: a mapping from a colour to its sixes in a row, where rules count them, not {quoted(sixes)}"
            )
        for colour, value in sixes.items():
            seat = self._seat(colour, "sixes")
            self._number("sixes", value, limit - 1)
            if colour != turn and value and not self.board.field(k.SIXES_STAY):
                raise InvalidPosition(f"sixes: only {turn}, who has the turn, can have rolled sixes in a row")
            if colour != turn and value:
                self.row[sixes_at(self.board, seat)] = value
        count = sixes.get(turn, usually) if limit else 0
        self._check_row_of_sixes(count, usually)
        self.row[sixes_at(self.board, self.row[k.TURN])] = count

    def _check_row_of_sixes(self, count: int, usually: int) -> None:
        """The one die that waits is the last of the row, or has ended it."""
        if not self.board.field(k.SINGLE) or not self.row[k.TOKEN]:
            return
        dice = quoted(list(self.data["dice"]))
        if usually and not count:
            raise InvalidPosition(f"sixes: dice {dice} is the first six in a row at least")
        if count and not usually:
            raise InvalidPosition(f"sixes: dice {dice} ends a row of sixes")

    def _rolls(self, usually: int) -> None:
        tables = self.board.tables
        attempts = tables[k.bank_of(self.row, tables, self.row[k.TURN]) + k.O_ATTEMPTS]
        if "rolls" in self.data and max(bank.turn.attempts for bank in self.board.banks) == 1:
            raise InvalidPosition("rolls: these rules give one attempt")
        most = attempts if usually else attempts - 1
        rolls = self._number("rolls", self.data.get("rolls", usually), most)
        idle = k.count_in_play(self.row, tables, k.mover(self.row, tables)) == 0
        others_move = tables[k.MOVERS] > 1  # dice may move others' pieces while none of one's own is in play
        if rolls and not usually and ((k.tokens_left(self.row, tables) and not others_move) or not idle):
            raise InvalidPosition("rolls: failed attempts count only while no piece is in play")
        if usually and not rolls:
            raise InvalidPosition("rolls: the roll that waits for its pass is counted, so 1 at least")
        self.row[k.ROLLS] = rolls

    def _frozen(self) -> None:
        frozen = self.data.get("frozen", {})
        if not isinstance(frozen, Mapping) or (frozen and not self.board.field(k.FREEZES)):
            raise InvalidPosition(
                f"frozen: a mapping from a colour to places, where rules freeze, not {quoted(frozen)}"
            )
        mover = k.mover(self.row, self.board.tables)
        for colour, places in frozen.items():
            if not isinstance(places, list | tuple):
                raise InvalidPosition(f"frozen: a list of places, not {quoted(places)}")
            seat = self._seat(colour, "frozen")
            if seat != mover and places and self.board.field(k.MOVERS) == 1:
                raise InvalidPosition(f"frozen: only pieces of {self.players[mover]}, who moves, can be frozen", "F24")
            for place in places:
                self._freeze(seat, place)
            if places and self.row[k.STAGE] != k.DECISION and not self._may_roll_again():
                raise InvalidPosition("frozen: a piece is frozen only while dice are left", "F24")

    def _may_roll_again(self) -> bool:
        """Whether a turn can have several rolls."""
        turns = [bank.turn for bank in self.board.banks]
        cards = any(outcome.then == "again" for outcomes in self.board.outcomes for outcome in outcomes)
        return cards or bool(self.board.field(k.SQUARES)) or any(turn.again_on or turn.again_values for turn in turns)

    def _freeze(self, seat: int, place: Any) -> None:
        node, tables = self._node(seat, place), self.board.tables
        for piece, here in enumerate(pieces_of(self.board, self.row, seat)):
            if here == node < tables[k.FINISH] and not k.is_frozen(self.row, tables, seat, piece):
                self.row[tables[k.R_FROZEN] + seat] |= 1 << piece
                return
        raise InvalidPosition(f"frozen: no such piece of {self.players[seat]} in play on {quoted(place)}", "F24")

    # ------------------------------------------------------------ who begins

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
        names = list(map(str, still_in)) if isinstance(still_in, list | tuple) else []
        if not isinstance(rolled, Mapping) or len(set(names)) < 2:
            raise InvalidPosition("rolloff: at least two colours are in it")
        seats = sorted({self._seat(colour, "rolloff") for colour in still_in})
        sums = {self._seat(colour, "rolloff"): value for colour, value in rolled.items()}
        self._check_rolloff(seats, sums)
        self.row[k.TURN] = seats[len(sums)]
        self.row[k.ROLLOFF_IN] = sum(1 << seat for seat in seats)
        for seat, value in sums.items():
            self.row[self.board.field(k.R_SUM) + seat] = value + k.SUM_IS_THERE

    def _check_rolloff(self, seats: list[int], sums: dict[int, Any]) -> None:
        totals = {outcome.total for outcome in self.board.outcomes[0]}
        for value in sums.values():
            if isinstance(value, bool) or not isinstance(value, int) or value not in totals:
                raise InvalidPosition(f"rolloff: a sum from {min(totals)} to {max(totals)}, not {quoted(value)}")
        if sorted(sums) != seats[: len(sums)] or len(sums) == len(seats):
            raise InvalidPosition("rolloff: those in it roll in seat order, and the last has not rolled yet")
        nodes = {node for seat in range(len(self.players)) for node in pieces_of(self.board, self.row, seat)}
        if nodes != {self.board.field(k.START)}:
            raise InvalidPosition("rolloff: it comes before any piece moves", "S14")
        if "turn" in self.data and self.row[k.TURN] != seats[len(sums)]:
            raise InvalidPosition(f"turn: in this roll-off it is {self.players[seats[len(sums)]]}'s roll", "S14")

    def _leftovers(self) -> None:
        if self.row[k.STAGE] != k.OVER:
            return
        sixes = [self.row[sixes_at(self.board, seat)] for seat in range(len(self.players))]
        for name, value in (("sixes", any(sixes)), ("rolls", self.row[k.ROLLS])):
            if value:
                raise InvalidPosition(f"{name}: the game is over, so it is absent")
