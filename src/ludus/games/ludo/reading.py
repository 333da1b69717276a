"""Positions from plain data, read strictly: what can't be is refused in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ludus.core.errors import InvalidPosition, quoted, suggestion
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.games.ludo import hands
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.ludo_board import keeps_its_tokens
from ludus.games.ludo.board.reactions import shown_rolls
from ludus.games.ludo.board.sets import SIX
from ludus.games.ludo.positions import (
    AGAIN_WORDS,
    MOST_KEPT,
    outcomes_given,
    pieces_of,
    sixes_at,
    usual,
    usually_shown,
)
from ludus.games.ludo.reading_pieces import PieceReader

KEYS = (
    "pieces", "turn", "dice", "kept", "stage", "captured", "captures", "lost", "changed", "sixes", "rolls", "again",
    "frozen", "unblocked", "rolloff", "places", "turns", "scores", "skips", "reversed", "deck", "last_moved", "shown",
    "state", "hands", "given", "exchange", "dealing", "deal", "leads", "fresh", "parted",
    "challenge",
)  # fmt: skip
MOST_BONUSES = 100
MOST_DICE = 10_000  # any number of 6+6 can be rolled (F5); rows count in 16 bits


class Reader(PieceReader):
    """Reads one position's plain data into a row."""

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
        self.row[TURN] = self._seat(self.data.get("turn", self.players[0]), "turn")
        self._vectors()
        self._hold_changes()
        hands.read(self.board, self.players, self.data, self.row)
        self._stage()
        self._places()
        self._counts()
        self._rolloff()
        self._leftovers()
        self._state()
        return self.row

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
        self.row[STAGE] = DECISION if dice or stage == "decision" else CHANCE
        for kind in dice + kept:
            if self.board.field(k.SINGLE) or self.board.field(k.HANDS):
                self.row[k.TOKEN] = kind + 1
            else:
                self.row[self.board.field(k.R_POOL) + kind] += 1
        if self.board.field(k.HANDS):
            self.row[STAGE] = CHANCE if hands.is_dealing(self.board, self.row, self.data) else DECISION

    def _may_give_nothing(self) -> bool:
        """Whether some outcome gives no token, so that nothing but the stage tells that the roll was made."""
        return any(not outcome.kinds for outcomes in self.board.outcomes for outcome in outcomes)

    def _tokens(self, key: str) -> list[int]:
        dice = self.data.get(key, [])
        # of two kinds with one name the first is that of rolls: -3, also how far an event moves a piece
        names = {kind.name: number for number, kind in reversed(list(enumerate(self.board.kinds)))}
        if not isinstance(dice, list | tuple):
            raise InvalidPosition(f"{key}: a list of what is left to play, not {quoted(dice)}")
        for die in dice:
            if isinstance(die, bool) or not isinstance(die, int | str) or die not in names:
                known = ", ".join(map(str, reversed(names)))
                raise InvalidPosition(f"{key}: {quoted(die)} can't be rolled; there are {known}")
        return [names[die] for die in dice]

    def _is_six(self, kind: int) -> bool:
        return self.board.kinds[kind].name == SIX

    def _check_kept(self, dice: list[int], kept: list[int]) -> None:
        if self.rules.chance.hold == "turn":
            self._check_saved(dice, kept)
            return
        if "kept" in self.data and self.rules.chance.pool == "one_roll":
            raise InvalidPosition("kept: these rules keep no dice while a roll is due")
        at_once = self.rules.chance.dice
        if kept and (dice or len(kept) % at_once or not all(map(self._is_six, kept))):
            shown = quoted(self.data["kept"])
            raise InvalidPosition(f"kept: only pairs of sixes, and only while a roll is due, not {shown}", "F5")
        if len(dice) + len(kept) > MOST_DICE:
            raise InvalidPosition(f"dice: {len(dice) + len(kept)} dice are more than the {MOST_DICE} that we count")

    def _check_saved(self, dice: list[int], kept: list[int]) -> None:
        """Throws that are saved: those that wait while a roll is due have given it."""
        if len(dice) + len(kept) > MOST_BONUSES or (dice and kept):
            raise InvalidPosition(f"dice: at most {MOST_BONUSES} saved throws, and kept ones only while a roll is due")
        again = {
            self.board.kinds.index(kind)
            for rules, outcomes in zip(self.board.banks, self.board.outcomes, strict=True)
            for outcome in outcomes
            if keeps_its_tokens(rules, outcome)
            for kind in outcome.kinds
        }
        if not set(kept) <= again | self.board.given:
            raise InvalidPosition(f"kept: throws that give another one, not {quoted(self.data['kept'])}")

    def _check_rollable(self, dice: list[int]) -> None:
        if self.rules.chance.hold == "turn":
            return
        kinds, keeps = self.board.kinds, self.rules.chance.pool == "double_six"
        extra = self.board.given
        given = Counter(kind for kind in dice if kind not in extra and not (keeps and self._is_six(kind)))
        bank = self.board.bank_number(self.row, self.row[TURN])
        possible = (Counter(map(kinds.index, outcome.kinds)) for outcome in self.board.outcomes[bank])
        if not any(given <= outcome for outcome in possible):
            shown = quoted(self.data.get("dice"))
            raise InvalidPosition(f"dice: {shown} can't be rolled, nor be left of one roll", "F6" if keeps else None)
        if sum(kind in extra for kind in dice) > MOST_BONUSES:
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
            row[STAGE] = OVER
        elif row[tables[k.R_PLACE] + row[TURN]]:
            raise InvalidPosition(f"turn: {self._colour_in_turn} is home and has no turn any more")

    def _winner(self, done: list[int]) -> bool:
        tables, row = self.board.tables, self.row
        if "places" in self.data:
            raise InvalidPosition("places: these rules end the game with the first winner")
        if not done:
            return False
        if len({k.side_of(tables, seat) for seat in done}) > 1:
            raise InvalidPosition("pieces: two sides have all pieces home; the game ends with the first")
        if row[TURN] not in done and tables[k.MOVERS] == 1 and not tables[k.STAKES]:  # who is paid may win out of turn
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
        self._last_moved()
        self._shown()
        self._parted()
        self._challenge()
        duty = any(bank.block.unblock_duty for bank in self.board.banks)
        unblocked = self._truth("unblocked", duty, "the rules have that duty")
        if unblocked and self.row[STAGE] != DECISION:
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
        if again and self.row[STAGE] != DECISION and not k.tokens_left(self.row, self.board.tables):
            raise InvalidPosition("again: only while something is left to play")
        rolled = {self.board.tables[at + k.F_AGAIN] for at in outcomes_given(self.board, self.row)}
        rolled |= {k.AGAIN_ANYWAY} if any(row.do == "again" for row in self.rules.on) else set()
        if self.board.field(k.SINGLE) and self.row[STAGE] == DECISION and again not in rolled:
            raise InvalidPosition(f"again: what was rolled says {AGAIN_WORDS[usually]}, not {quoted(given)}")
        self.row[k.AGAIN] = again

    def _sixes(self, usually: int) -> None:
        limit = max(bank.sixes_limit for bank in self.board.banks)
        if self.board.field(k.COUNTS_ROLLS):
            limit = k.MOST_IN_A_ROW + 1
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
        self.row[sixes_at(self.board, self.row[TURN])] = count

    def _check_row_of_sixes(self, count: int, usually: int) -> None:
        """The one die that waits is the last of the row, or has ended it."""
        if not self.board.field(k.SINGLE) or not self.row[k.TOKEN]:
            return
        dice, counting = quoted(list(self.data["dice"])), self._may_count(usually)
        if 0 not in counting and not count:
            raise InvalidPosition(f"sixes: dice {dice} is the first six in a row at least")
        if count and not any(counting):
            raise InvalidPosition(f"sixes: dice {dice} ends a row of sixes")

    def _may_count(self, usually: int) -> set[int]:
        """What the roll may have added to the row: a sum of 6 may be a double, and may be none."""
        tables = self.board.tables
        limited = tables[k.bank_of(self.row, tables, self.row[TURN]) + k.O_SIXES_LIMIT]
        if not limited and not tables[k.COUNTS_ROLLS]:
            return {usually}
        return {usually} | {tables[at + k.F_COUNTS] for at in outcomes_given(self.board, self.row)}

    def _rolls(self, usually: int) -> None:
        tables = self.board.tables
        attempts = tables[k.bank_of(self.row, tables, self.row[TURN]) + k.O_ATTEMPTS]
        if "rolls" in self.data and max(bank.turn.attempts for bank in self.board.banks) == 1:
            raise InvalidPosition("rolls: these rules give one attempt")
        # dice of failed attempts may wait with others, for which another roll is due even after the last
        keeps = self.rules.chance.hold == "turn" or self.rules.chance.pool != "one_roll"
        most = attempts if usually or keeps or self.rules.on else attempts - 1  # so may events give another
        rolls = self._number("rolls", self.data.get("rolls", usually), most)
        idle = k.count_under_way(self.row, tables, k.mover(self.row, tables)) == 0
        others_move = tables[k.MOVERS] > 1  # dice may move others' pieces while none of one's own is in play
        odd = (k.tokens_left(self.row, tables) and not others_move and not keeps) or not idle
        if rolls and not usually and odd and not self.rules.on:  # events may bring pieces out between attempts
            raise InvalidPosition("rolls: failed attempts count only while no piece is in play")
        if usually and not rolls and not any(row.do in ("home", "move", "swap") for row in self.rules.on):
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
            if places and self.row[STAGE] != DECISION and not self._may_roll_again():
                raise InvalidPosition("frozen: a piece is frozen only while dice are left", "F24")

    def _last_moved(self) -> None:
        last = self._mapping("last_moved")
        if last and (not self.board.field(k.KEEPS_LAST) or len(last) > 1 or self.row[STAGE] == OVER):
            raise InvalidPosition(f"last_moved: one colour and the place of its piece, not {quoted(last)}")
        for colour, place in last.items():
            seat = self._seat(colour, "last_moved")
            if self.board.field(k.MOVERS) == 1 and seat != self.row[TURN]:
                raise InvalidPosition(f"last_moved: a piece of {self.players[self.row[TURN]]}, whose turn it is")
            nodes = pieces_of(self.board, self.row, seat)
            if self._node(seat, place) not in nodes:
                raise InvalidPosition(f"last_moved: {colour} has no piece on {quoted(place)}")
            number = seat * self.rules.board.pieces + nodes.index(self._node(seat, place))
            self.row[self.board.field(k.R_LAST)] = 1 + number

    def _shown(self) -> None:
        if not self.board.field(k.KEEPS_SHOWN):
            if "shown" in self.data:
                raise InvalidPosition("shown: no duty of these rules asks what was rolled")
            return
        rolls = shown_rolls(self.board.banks[self.board.bank_number(self.row, self.row[TURN])])
        shown = self.data.get("shown")
        if shown is not None and (not isinstance(shown, list | tuple) or not all(roll in rolls for roll in shown)):
            raise InvalidPosition(f"shown: a list of {', '.join(rolls)}, not {quoted(shown)}")
        if shown and self.row[STAGE] != DECISION and not k.tokens_left(self.row, self.board.tables):
            raise InvalidPosition("shown: only while something is left to play")
        bits = usually_shown(self.board, self.row)
        if shown is not None:
            bits = sum(1 << bit for bit, roll in enumerate(rolls) if roll in shown)
        self.row[self.board.field(k.R_SHOWN)] = bits

    def _parted(self) -> None:
        """Which pieces have left a tile on which another stood, with the roll that is being played."""
        given, tables = self._mapping("parted"), self.board.tables
        if given and not self.board.field(k.PARTS):
            raise InvalidPosition("parted: these rules let two that left a tile stand together again")
        for colour, pairs in given.items():
            seat = self._seat(colour, "parted")
            if not isinstance(pairs, list | tuple) or not all(
                isinstance(p, list | tuple) and len(p) == 2 for p in pairs
            ):
                raise InvalidPosition(f"parted: a list of [the tile left, where the piece is], not {quoted(pairs)}")
            if pairs and self.row[STAGE] != DECISION:
                raise InvalidPosition("parted: only while something of a roll is left to play")
            nodes = pieces_of(self.board, self.row, seat)
            for left, place in pairs:
                node, tile = self._node(seat, place), self._node(seat, left)
                slots = [k.parted_slot(tables, seat, piece) for piece, here in enumerate(nodes) if here == node]
                free = [at for at in slots if not self.row[at]]
                if not free or max(node, tile) >= tables[k.FINISH]:
                    raise InvalidPosition(f"parted: no such piece of {colour} in play on {quoted(place)}")
                self.row[free[0]] = 1 + tile

    def _challenge(self) -> None:
        """From where somebody is challenged in this turn, and how often."""
        given, at = self._mapping("challenge"), self.board.field(k.R_CHALLENGE)
        if given and (not self.board.field(k.CHALLENGER) or len(given) > 1 or self.row[STAGE] == OVER):
            raise InvalidPosition(f"challenge: one colour with [its place, how often], not {quoted(given)}")
        for colour, value in given.items():
            seat = self._seat(colour, "challenge")
            if not isinstance(value, list | tuple) or len(value) != 2:
                raise InvalidPosition(f"challenge: [the place of a piece, how often], not {quoted(value)}")
            node = self._node(seat, value[0])
            if node not in pieces_of(self.board, self.row, seat) or node >= self.board.field(k.TILES):
                raise InvalidPosition(f"challenge: {colour} has no piece on the path on {quoted(value[0])}")
            self.row[at] = 1 + seat * self.board.field(k.FINISH) + node
            self.row[at + 1] = max(1, self._number("challenge", value[1], 15))

    def _state(self) -> None:
        state, first = self.data.get("state", []), self.board.field(k.R_STATE)
        if not isinstance(state, list | tuple) or len(state) not in (0, self.board.state):
            raise InvalidPosition(
                f"state: a list of {self.board.state} numbers that plug-ins keep, not {quoted(state)}"
            )
        for number, value in enumerate(state):
            self.row[first + number] = self._number("state", value, MOST_KEPT)

    def _may_roll_again(self) -> bool:
        """Whether a turn can have several rolls."""
        turns = [bank.turn for bank in self.board.banks]
        cards = any(outcome.then == "again" for outcomes in self.board.outcomes for outcome in outcomes)
        rows = any(row.do == "again" for row in self.rules.on)
        return (
            cards
            or rows
            or bool(self.board.field(k.SQUARES))
            or any(turn.again_on or turn.again_values for turn in turns)
        )

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
        if not isinstance(rolloff, Mapping) or not set(rolloff) <= {"in", "rolled"} or self.row[STAGE] != CHANCE:
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
        self.row[TURN] = seats[len(sums)]
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
        if any(not self._is_set_up(seat) for seat in range(len(self.players))):
            raise InvalidPosition("rolloff: it comes before any piece moves", "S14")
        if "turn" in self.data and self.row[TURN] != seats[len(sums)]:
            raise InvalidPosition(f"turn: in this roll-off it is {self.players[seats[len(sums)]]}'s roll", "S14")

    def _is_set_up(self, seat: int) -> bool:
        """Whether a colour's pieces stand where they begin."""
        nodes, outside = pieces_of(self.board, self.row, seat), self.board.begins_on(seat)
        return sorted(nodes) == sorted([*outside, *[self.board.field(k.START)] * (len(nodes) - len(outside))])

    def _leftovers(self) -> None:
        if self.row[STAGE] != OVER:
            return
        sixes = [self.row[sixes_at(self.board, seat)] for seat in range(len(self.players))]
        for name, value in (("sixes", any(sixes)), ("rolls", self.row[k.ROLLS])):
            if value:
                raise InvalidPosition(f"{name}: the game is over, so it is absent")
