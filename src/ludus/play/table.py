"""A table: the one authority over a game. It rolls, decides what is legal, and says what happened.

Everything that happens is a *fact*. A request is answered by the facts it leads to, or refused; only facts that are
stored are applied. So a table is its opening and its facts, and the same whether it has been running for a week or was
just read from the store. It knows no network, no data base and no clock: the terminal plays on it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from ludus.bots.roster import RANDOM
from ludus.core.errors import IllegalMove, LudusError
from ludus.core.fair_dice import Entropy, FairDice
from ludus.core.game import Game
from ludus.core.position import Move, Position
from ludus.core.record import Record, Seat, drawn_outcome
from ludus.play.facts import LAST_REQUESTS, Fact, GameKind, Opening, Rest, TableKind, who_asked
from ludus.play.refusals import Refused, RefusedMove
from ludus.play.seats import BOT, PERSON, Chair, Newcomer, seat_data
from ludus.play.tally import GameTally

# the most rolls and passes that a table makes by itself after one request
MOST_AT_ONCE = 64

MOST_ENTROPIES = 16  # words of one player for the dice


class Table:
    """A game with its seats."""

    def __init__(self, opening: Opening, game: Game, facts: Sequence[Fact] = (), rest: Rest | None = None) -> None:
        self.id = opening.table
        self.opening = opening
        self.game = game
        self.settings = opening.settings
        self.chairs = {player: Chair(player, **opening.seats[player]) for player in game.players}
        self.record = self._empty_record()
        self.version = 0
        self.rolls = 0
        self.rematch: str | None = None
        self.spent: dict[str, int] = {}  # milliseconds of those whose clock runs
        self._hurried: str | None = None  # whose turn is played by lot, because time is out
        self._gone: set[str] = set()  # who gave up
        self.tally = GameTally(game.players)
        # what the newest requests of each player asked for, and the version that answered them
        self.requests: dict[str, dict[str, tuple[str, str, int]]] = {player: {} for player in game.players}
        self._answering: tuple[str, str] | None = None  # the request that facts still belong to
        self._line: list[tuple[str, str]] | None = None  # who did what, while it is told and not played
        # what was decided last, with the positions it leads to: applied as it is, if it is stored
        self._foreseen: dict[int, tuple[str, Position]] = {}
        for fact in facts[self._resumed(facts, rest) :]:
            self.apply(fact)

    @classmethod
    def of_record(cls, record: Record) -> Table:
        """A table that goes on with a record, for people around one screen: seats need no tokens there."""
        seats = {
            player: seat_data(PERSON, seat.name) if seat.kind == PERSON else seat_data(BOT, seat.name, seat.kind)
            for player, seat in record.seats.items()
        }
        table = cls(Opening("", record.game.document(), record.seed, seats), record.game)
        table.record = record
        return table

    def _empty_record(self) -> Record:
        seats = {player: Seat(chair.name or player, chair.bot or chair.kind) for player, chair in self.chairs.items()}
        start, seed = self.opening.start, self.opening.seed
        record = Record.start(self.game, seats, seed, None if start is None else self.game.position(start, seed))
        record.dice = None if self.opening.secret is None else FairDice.of_secret(self.opening.secret)
        return record

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.record.position

    @property
    def ply(self) -> int:
        """Rolls and moves so far."""
        return len(self.record)

    @property
    def acting(self) -> str | None:
        """The player who has to roll or to move; None when the game is over."""
        if self.is_over:
            return None
        return self.position.turn if self.position.to_move == "chance" else self.position.to_move

    @property
    def result(self) -> dict[str, float] | None:
        """What each player got: by the rules, or because all others gave up."""
        return self.record.result or self._by_resignation()

    @property
    def is_over(self) -> bool:
        """Whether nobody may act any more."""
        return self.opening.replay or self.result is not None

    @property
    def free_seats(self) -> list[str]:
        """The seats that somebody may still take."""
        if self.is_over:
            return []
        return [player for player, chair in self.chairs.items() if chair.is_open and not chair.resigned]

    def bot_of(self, player: str) -> str | None:
        """The bot that acts for a player now: its seat's, or lots where its time is out."""
        passes = self._hurried == player or (self.is_out_of_time(player) and self._clock_passes)
        return self.chairs[player].bot or (RANDOM if passes else None)

    def is_out_of_time(self, player: str) -> bool:
        """Whether a player has used up the time for the whole game."""
        clock = self.settings.clock
        return clock is not None and clock.game is not None and self.spent.get(player, 0) >= clock.game * 1000

    @property
    def _clock_passes(self) -> bool:
        return self.settings.clock is not None and self.settings.clock.then == "pass"

    def _by_resignation(self) -> dict[str, float] | None:
        gone = self._gone
        if not gone or len(gone) < len(self.chairs) - 1:
            return None
        return {player: -1.0 if player in gone else 1.0 for player in self.game.players}

    # ------------------------------------------------------------ what is asked of a table

    def seats_of(self, tokens: Iterable[str]) -> list[str]:
        """The players whose seats the tokens open; Refused where one opens none."""
        found = []
        for token in tokens:
            player = next((p for p, chair in self.chairs.items() if chair.opens_with(token)), None)
            if player is None:
                raise Refused("bad_token")
            found.append(player)
        return [player for player in self.game.players if player in found]

    def answered(self, players: Collection[str], request: str, kind: str, text: str = "") -> int | None:
        """The version at which a request was carried out before; None if it is new."""
        for player in players:
            known = self.requests[player].get(request)
            if known is not None:
                if known[:2] != (kind, text):
                    raise Refused("id_taken", id=request)
                return known[2]
        return None

    def roll(self, players: Collection[str], ply: int, request: str | None = None) -> list[Fact]:
        """The facts of a roll."""
        by = self._due(players, ply)
        if self.position.to_move != "chance":
            raise Refused("not_now", what="no_roll")
        return self._chain(self._rolled(self.position, by, request))

    def move(self, players: Collection[str], ply: int, text: str, request: str | None = None) -> list[Fact]:
        """The facts of a move, by its notation."""
        by = self._due(players, ply)
        if self.position.to_move == "chance":
            raise Refused("not_now", what="roll_first")
        move = self._named(text)
        notation = str(move)
        return self._chain(("move", by, notation, request, {"asked": text} if text != notation else {}), move)

    def _named(self, text: str) -> Move:
        """The legal move of a notation; those that are listed need no parsing."""
        position = self.position
        for move in position.moves():
            if str(move) == text:
                return move
        try:
            return position.move(position.action(text))
        except IllegalMove as error:
            raise RefusedMove(error) from None

    def _due(self, players: Collection[str], ply: int) -> str:
        """Who acts, if it is one of these players and they know where the game stands."""
        by = self.acting
        if by is None:
            raise Refused("not_now", what="over")
        if by not in players:
            raise Refused("not_your_seat", player=by)
        if ply != self.ply:
            raise Refused("stale", ply=ply, now=self.ply)
        return by

    def run_out(self, player: str, bot: str) -> list[Fact]:
        """The facts of a player's time being out: a bot plays on, or this turn is played by lot."""
        if player != self.acting or self.bot_of(player) is not None:
            raise Refused("not_now", what="no_clock")
        out = self._fact(1, "time", player, "", None, {})
        if self._clock_passes:
            return [out]
        return [out, self._fact(2, "takeover", player, bot, None, {"chosen": True})]

    def _rolled(self, position: Position, by: str, request: str | None = None) -> _Act:
        # who asked is kept beside: in the game a roll is chance's
        return ("roll", "chance", self._drawn(position, self.rolls + 1), request, {"for": by} if request else {})

    def _drawn(self, position: Position, number: int) -> str:
        """What roll `number` of the game gives."""
        dice = self.record.dice
        if dice is None:
            return drawn_outcome(position)
        return dice.outcome(self.game.chance_weights(position.row), number)

    def _chain(self, act: _Act, move: Move | None = None) -> list[Fact]:
        """An act, and what the table does by itself after it: a pass that is the only move, rolls where it rolls."""
        acts: list[_Act] = []
        position = self.position
        following: _Act | None = act
        self._foreseen = {}
        while following is not None and len(acts) < MOST_AT_ONCE:
            acts.append(following)
            position, move = position.play(move or following[2]), None
            self._foreseen[self.version + len(acts)] = (following[2], position)
            following = self._follows(position, sum(kind == "roll" for kind, *_ in acts))
        return [self._fact(number, *one) for number, one in enumerate(acts, start=1)]

    def _follows(self, position: Position, rolled: int) -> _Act | None:
        if position.to_move == "chance" and self.settings.auto_roll and self.chairs[position.turn].bot is None:
            return ("roll", "chance", self._drawn(position, self.rolls + rolled + 1), None, {"follows": True})
        if position.to_move not in (None, "chance"):
            moves = position.moves()
            if len(moves) == 1 and str(moves[0]) == "pass":
                return ("move", str(position.to_move), "pass", None, {"follows": True})
        return None

    def _fact(
        self, number: int, kind: GameKind | TableKind, by: str, text: str, request: str | None, data: dict[str, Any]
    ) -> Fact:
        return Fact(self.version + number, kind, by, text, request, data)

    @property
    def can_undo(self) -> str | None:
        """The player whose last move may be taken back: a person made it, and rolled nothing since."""
        number = self._last_own_move()
        return None if number is None else self.record.event(number).by

    def _last_own_move(self) -> int | None:
        """The number of the move that may be taken back; alone against bots one goes back through their turns."""
        # a game that is over has shown its record, and with it where its dice come from
        if not self.settings.undo or self.settings.clock or self.opening.replay or self.is_over:
            return None
        number = self.ply
        while number and self._is_alone and self._is_of_a_bot(number):
            number -= 1
        last = self.record.event(number) if number else None
        if last is None or last.is_chance or last.text == "pass" or self.chairs[last.by].bot is not None:
            return None
        return number

    @property
    def _is_alone(self) -> bool:
        """Whether one person plays against bots."""
        chairs = self.chairs.values()
        return len([chair for chair in chairs if chair.bot is None]) == 1 and not any(chair.is_open for chair in chairs)

    def _is_of_a_bot(self, number: int) -> bool:
        event = self.record.event(number)
        player = self.record.at(number - 1).turn if event.is_chance else event.by
        return self.chairs[player].bot is not None

    def undo(self, players: Collection[str], ply: int, request: str | None = None) -> list[Fact]:
        """The facts of taking back the last move and what bots did since: rolls are drawn by number, and fall again."""
        number = self._last_own_move()
        if number is None:
            raise Refused("not_now", what="no_undo")
        by = self.record.event(number).by
        if by not in players:
            raise Refused("not_your_seat", player=by)
        if ply != self.ply:
            raise Refused("stale", ply=ply, now=self.ply)
        taken = [self.record.event(back).text for back in range(self.ply, number - 1, -1)]
        last = len(taken)
        return [
            self._fact(n, "undo", by, text, request if n == last else None, {}) for n, text in enumerate(taken, start=1)
        ]

    def resign(self, player: str, bot: str, request: str | None = None) -> list[Fact]:
        """The facts of giving up: the game is over when one is left; until then a bot plays the seat on."""
        if self.is_over or self.chairs[player].resigned:
            raise Refused("not_now", what="over")
        return [self._fact(1, "resign", player, "", request, {"bot": bot})]

    def add_entropy(self, player: str, word: str, request: str | None = None) -> list[Fact]:
        """The fact of a player's own word for the dice: it counts from the next roll on."""
        if self.is_over or self.record.dice is None:
            raise Refused("not_now", what="over" if self.is_over else "no_fair_dice")
        if sum(one.player == player for one in self.record.dice.entropies) >= MOST_ENTROPIES:
            raise Refused("not_now", what="enough_entropy")
        return [self._fact(1, "entropy", player, word, request, {})]

    def sit(self, wanted: Newcomer, token: str, uninvited: bool = False) -> list[Fact]:
        """The fact of sitting down on a free seat; `token` is a digest."""
        free, player = self.free_seats, wanted.player
        if player is not None and player not in self.chairs:
            raise Refused("no_such_seat")
        if not free or (player is not None and player not in free):
            raise Refused("seat_taken")
        data = wanted.sits_down(token, uninvited)
        if self.record.dice is None:
            data.pop("entropy", None)
        return [self._fact(1, "sit", player or free[0], wanted.name, None, data)]

    def leave(self, player: str, bot: str, request: str | None = None) -> list[Fact]:
        """The fact of leaving a seat for good."""
        return [self._fact(1, "leave", player, "", request, {"bot": bot})]

    def stand_in(self, player: str, bot: str, chosen: bool, request: str | None = None) -> list[Fact]:
        """The fact of a bot playing for a person."""
        if self.is_over:
            raise Refused("not_now", what="over")
        return [self._fact(1, "takeover", player, bot, request, {"chosen": chosen})]

    def give_back(self, player: str, request: str | None = None) -> list[Fact]:
        """The fact of a person playing again."""
        if not self.chairs[player].stands_in or self.chairs[player].resigned:
            raise Refused("not_now", what="plays_already")
        if self.is_out_of_time(player):
            raise Refused("not_now", what="no_time")
        return [self._fact(1, "back", player, "", request, {})]

    def play_again(self, player: str, table: str, request: str | None = None) -> list[Fact]:
        """The fact that the next game is at another table."""
        if not self.is_over or self.opening.replay:
            raise Refused("not_now", what="not_over")
        return [self._fact(1, "rematch", player, table, request, {})]

    # ------------------------------------------------------------ what happened

    def apply(self, fact: Fact) -> None:
        """Let a stored fact happen."""
        if fact.version != self.version + 1:
            raise LudusError(f"table {self.id[:6]}…: fact {fact.version} where {self.version + 1} should be")
        _HAPPENS[fact.kind](self, fact)
        self.version = fact.version
        if "spent" in fact.data:
            player, milliseconds = fact.data["spent"]
            self.spent[player] = self.spent.get(player, 0) + milliseconds
        if fact.request is not None:
            asked = fact.data.get("asked", fact.text) if fact.kind in ("move", "takeover", "entropy") else ""
            self._answer(who_asked(fact), fact.request, (fact.kind, asked, fact.version))
        elif fact.data.get("follows") and self._answering is not None:
            # what the table does by itself belongs to the request that it follows: one answer, whenever it is given
            by, request = self._answering
            self._answer(by, request, (*self.requests[by][request][:2], fact.version))
        else:
            self._answering = None

    def _answer(self, by: str, request: str, answer: tuple[str, str, int]) -> None:
        known = self.requests[by]
        known[request] = answer
        if len(known) > LAST_REQUESTS:
            del known[next(iter(known))]
        self._answering = (by, request)

    def _resumed(self, facts: Sequence[Fact], rest: Rest | None) -> int:
        """How many facts lead to where the table rested; it stands there then, and nothing was played."""
        if rest is None:
            return 0
        try:
            position = self.game.position(rest.position, self.record.seed)
        except LudusError:  # playing everything leads there too
            return 0
        self._line = []
        for fact in facts[: rest.version]:
            self.apply(fact)
        line, self._line = self._line, None
        self.record.resume(line, rest.changes, position)
        self.tally = GameTally(self.game.players, rest.tally)
        return rest.version

    def _play(self, fact: Fact) -> None:
        if self._line is not None:
            self._line.append((fact.by, fact.text))
            self.rolls += fact.kind == "roll"
            return
        if self.position.to_move != fact.by:
            raise LudusError(f"table {self.id[:6]}…: {fact.by} acts where {self.position.to_move} should")
        text, after = self._foreseen.pop(fact.version, ("", None))
        self.tally.count(self.position, fact.text)
        if after is not None and text == fact.text:
            self.record.follow(text, after)
        else:
            self.record.play(fact.text)
        self.rolls += fact.kind == "roll"
        self._hurried = self._hurried if self.acting == self._hurried else None

    def _hurry(self, fact: Fact) -> None:
        self._hurried = fact.by if self._clock_passes else None

    def _take_back(self, fact: Fact) -> None:
        if self._line is not None:
            self._line.pop()
            return
        event = self.record.undo()
        self.tally.count(self.position, event.text, -1)

    def _give_up(self, fact: Fact) -> None:
        chair = self.chairs[fact.by]
        chair.resigned = True
        self._gone.add(fact.by)
        chair.stand_in(fact.data["bot"], chosen=True)

    def _sit_down(self, fact: Fact) -> None:
        data = fact.data
        self.chairs[fact.by].sit(fact.text, data["token"], data.get("face", ""), data.get("uninvited", False))
        self._add_word(fact.by, fact.data.get("entropy"))
        self.record.seats[fact.by] = Seat(fact.text or fact.by, "person")

    def _hear_word(self, fact: Fact) -> None:
        self._add_word(fact.by, fact.text)

    def _add_word(self, player: str, word: str | None) -> None:
        if word and self.record.dice is not None:
            self.record.dice.entropies.append(Entropy(self.rolls, player, word))

    def _get_up(self, fact: Fact) -> None:
        self.chairs[fact.by].leave(fact.data["bot"])

    def _let_bot_play(self, fact: Fact) -> None:
        self.chairs[fact.by].stand_in(fact.text, chosen=fact.data["chosen"])

    def _let_person_play(self, fact: Fact) -> None:
        self.chairs[fact.by].give_back()

    def _move_on(self, fact: Fact) -> None:
        self.rematch = fact.text


# kind, by, text, request, data: a fact without its number
_Act = tuple[GameKind, str, str, str | None, dict[str, Any]]

_HAPPENS: dict[str, Callable[[Table, Fact], None]] = {
    "roll": Table._play, "move": Table._play, "undo": Table._take_back, "resign": Table._give_up,
    "sit": Table._sit_down, "leave": Table._get_up, "takeover": Table._let_bot_play, "back": Table._let_person_play,
    "rematch": Table._move_on, "entropy": Table._hear_word, "time": Table._hurry,
}  # fmt: skip
