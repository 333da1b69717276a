"""The general Ludo game: what the core asks of every game, answered for any rule set."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ludus.core.engine import Engine, Row, twin_of
from ludus.core.errors import IllegalMove, RulesError
from ludus.core.game import Game, Move, Position
from ludus.core.messages import Message
from ludus.games.ludo import kernel_open as k
from ludus.games.ludo import open_notation, open_observe, open_positions
from ludus.games.ludo.board.openboard import OpenBoard, compile_open
from ludus.games.ludo.board.stuck import refuse_stuck
from ludus.games.ludo.document.rules import COLOURS, RuleSet
from ludus.games.ludo.game import PACKAGE, Capture, LudoGame, LudoMove, in_words, plain, say
from ludus.games.ludo.kernel import slot

KERNEL = "ludus.games.ludo.kernel_open"


class OpenGame(LudoGame):
    """A rule set with its seats, played by the general kernel."""

    board: OpenBoard  # type: ignore[assignment]
    bot_kernels = ("ludus.games.ludo.kernel_bots", "ludus.games.ludo.kernel_open_reading")

    def __init__(self, rules: RuleSet, arms: tuple[int, ...]) -> None:
        if rules.modes.mode == "teams" and (len(arms) % 2 or len(arms) < 4):
            raise RulesError(
                f'modes.mode = "teams" needs an even number of players from four up, not {len(arms)} (Z22)'
            )
        self._rules, self.arms = rules, arms
        self.name = rules.name
        self.players = tuple(COLOURS[arm] for arm in arms)
        self.board = compile_open(rules, arms)
        refuse_stuck(self.board)
        self.engine = Engine(twin_of(KERNEL), self.board.tables, self.board.scratch_size)
        self.num_actions = self.board.field(k.A_PASS) + 1
        self.moves_at = self.board.field(k.S_MOVES)

    @cached_property
    def has_pool(self) -> bool:
        """Whether several tokens can wait to be played."""
        return self._rules.tokens_in_a_roll > 1 or any(kind.is_bonus for kind in self.board.kinds)

    def leaving_kinds(self, bank: int) -> list[int]:
        """The kinds that bring a piece out."""
        board = self.board
        return [kind for kind in range(len(board.kinds)) if board.ways_of(bank, 0, board.field(k.START), kind)]

    def place(self, node: int) -> int | str:
        """A node as people write it."""
        return open_positions.place_name(self.board, self.players, node)

    def start_row(self) -> list[int]:
        """All pieces in their yards; the first seat rolls, or all roll off, or the lot decides."""
        board, row = self.board, [0] * self.board.field(k.ROW_SIZE)
        row[k.STAGE] = k.CHANCE
        for at in range(self.num_players * self._rules.board.pieces):
            row[k.PIECE_0 + at] = board.field(k.START)
        for card in range(board.field(k.DECK)):
            row[board.field(k.R_DECK) + card] = board.tables[board.field(k.T_CARDS) + card]
        if self._rules.turn.first == "roll_off":
            row[k.ROLLOFF_IN] = (1 << self.num_players) - 1
        elif self._rules.turn.first == "lot":
            row[k.ROLLOFF_IN] = k.LOT
        return row

    def row_of(self, data: Mapping[str, Any]) -> list[int]:
        """Plain data → row."""
        return open_positions.Reader(self.board, self.players, data).read()

    def to_dict(self, row: Row) -> dict[str, Any]:
        """Row → plain data."""
        return open_positions.to_dict(self.board, self.players, plain(row))

    def key(self, row: Row) -> tuple[Any, ...]:
        """What makes two positions equal."""
        return open_positions.key(self.board, plain(row))

    def chance_weights(self, row: Row) -> dict[str, int]:
        """The outcomes and their weights: of the lot, of what is left in the deck, or of the device."""
        board = self.board
        if row[k.ROLLOFF_IN] == k.LOT:
            return {f"first:{player}": 1 for player in self.players}
        outcomes = board.outcomes[int(row[board.field(k.R_CHANGED) + row[k.TURN]])]
        if not board.field(k.DECK):
            return {outcome.name: outcome.weight for outcome in outcomes}
        left = [int(row[board.field(k.R_DECK) + card]) for card in range(len(outcomes))]
        return {outcome.name: count for outcome, count in zip(outcomes, left, strict=True) if count}

    def outcome_name(self, text: str) -> str:
        """Dice larger first; any order is accepted."""
        name = Game.outcome_name(self, text)
        parts = name.split(",")
        if len(parts) > 1 and all(part.lstrip("-").isdigit() for part in parts):
            return ",".join(sorted(parts, key=int, reverse=True))
        return name

    def hints(self, row: Row, lang: str) -> list[str]:
        """The rules that have changed, for whom (L2)."""
        names, at = open_positions.change_names(self.board), self.board.field(k.R_CHANGED)
        found = []
        for number, name in enumerate(names):
            colours = [c for seat, c in enumerate(self.players) if int(row[at + seat]) >> number & 1]
            if colours:
                spoken = ", ".join(say(c, lang, "colour") for c in colours)
                found.append(say("changed", lang, "hint", name=name, colours=spoken, rules=self._set_by(number)))
        return found

    def _set_by(self, number: int) -> str:
        return ", ".join(f"{place} = {value}" for place, value in self._rules.changes[number].set.items())

    def changes(self, before: Row, after: Row) -> list[str]:
        """The changes of rules that began to hold between two rows: 'name' for all, 'name: green' for one colour."""
        names, at = open_positions.change_names(self.board), self.board.field(k.R_CHANGED)
        found = []
        for number, name in enumerate(names):
            new = [
                player
                for seat, player in enumerate(self.players)
                if int(after[at + seat]) >> number & 1 and not int(before[at + seat]) >> number & 1
            ]
            found += [name] if len(new) == self.num_players else [f"{name}: {player}" for player in new]
        return found

    def masked_actions(self, row: Row) -> list[int]:
        """Every legal action: each piece that stands where a listed one does."""
        values, tables = plain(row), self.board.tables
        scratch = [0] * self.board.scratch_size
        legal = self.legal_actions(row)
        scratch[self.moves_at : self.moves_at + len(legal)] = legal
        marks = [0] * self.num_actions
        k.mark_legal(values, tables, scratch, len(legal), marks, 0)
        return [action for action, marked in enumerate(marks) if marked]

    def checked_action(self, position: Position, action: int) -> int:
        """The lowest action id of the same move."""
        row = plain(position.row)
        legal = self.legal_actions(row)
        if action in legal:
            return action
        lowest = self._lowest(row, action)
        if lowest in legal:
            return lowest
        raise self.why_not(row, action)

    def _lowest(self, row: list[int], action: int) -> int:
        """The same action with the lowest pieces that stand where its own do."""
        tables, pieces = self.board.tables, self._rules.board.pieces
        if action == tables[k.A_PASS]:
            return action
        seat, piece = k.seat_of_action(row, tables, action), k.piece_of_action(tables, action)
        first = self._first_beside(row, seat, piece)
        if action < tables[k.A_SWAP]:
            return action - (piece - first) * tables[k.KINDS] * tables[k.WAYS]
        number = action - tables[k.A_SWAP]
        other = (seat + number // pieces % self.num_players) % self.num_players
        rival = number % pieces
        return action - (piece - first) * self.num_players * pieces - rival + self._first_beside(row, other, rival)

    def _first_beside(self, row: list[int], seat: int, piece: int) -> int:
        own = row[slot(self.board.tables, seat, 0) : slot(self.board.tables, seat + 1, 0)]
        return own.index(own[piece])

    def parse(self, position: Position, text: str) -> int:
        """Notation → action id."""
        row = plain(position.row)
        action = open_notation.Parser(self, row, text).action()
        if action in self.legal_actions(row):
            return action
        raise self.why_not(row, action)

    def why_not(self, row: list[int], action: int) -> IllegalMove:
        """The error that says why an action is not legal."""
        engine = self.engine
        code = int(engine.kernel.why_api(engine.view(row), engine.tables, engine.scratch, action))
        name = open_notation.REASONS.get(code, "no_such_move")
        kind = action // self.board.field(k.WAYS) % self.board.field(k.KINDS)
        values: dict[str, Any] = {
            "faces": self.faces_in_words(),
            "dice": str(self.board.kinds[kind].name),
            "text": str(action),
        }
        return IllegalMove(Message(PACKAGE, name, values), self._rules.cites.get(name))

    def result_of(self, row: Row) -> dict[str, float]:
        """What each player gets: by place, by winning, or nothing for those who share the first place."""
        values, tables = plain(row), self.board.tables
        return {player: float(k.prize(values, tables, [], seat)) for seat, player in enumerate(self.players)}

    def action_ranges(self) -> list[tuple[str, str]]:
        """The blocks of the action space."""
        return open_observe.action_blocks(self)

    @cached_property
    def observation_names(self) -> list[str]:
        """What each index of an observation means."""
        return open_observe.layout(self)

    def detail(self, position: Position, action: int) -> LudoMove:
        """The facts of a legal move, found by playing it on a copy."""
        row = plain(position.row)
        engine = self.engine
        after = engine.copy(row)
        engine.kernel.apply_api(after, engine.tables, engine.scratch, action)
        home, landed = int(engine.scratch[k.HOMECOMING]), int(engine.scratch[k.LANDED])
        return self._facts(row, plain(after), action, landed, home > 0)

    def _facts(self, row: list[int], after: list[int], action: int, landed: int, finishes: bool) -> LudoMove:
        tables, text = self.board.tables, open_notation.write(self, row, action)
        seat = k.mover(row, tables)
        if action == tables[k.A_PASS]:
            return LudoMove(text, "pass", self.players[seat], None, None, (), (), (), False)
        if action >= tables[k.A_SWAP]:
            other, there = open_notation.swapped(self, row, action)
            origin = self.place(k.node_of_action(row, tables, action))
            swap = (Capture(self.players[other], self.place(there)),)  # type: ignore[arg-type]
            return LudoMove(
                text,
                "swap",
                self.players[seat],
                origin,
                self.place(there),
                (),
                (self.place(there),),
                (),
                False,
                swaps=swap,
            )
        return self._step_facts(row, after, action, landed, finishes)

    def _step_facts(self, row: list[int], after: list[int], action: int, landed: int, finishes: bool) -> LudoMove:
        tables, text = self.board.tables, open_notation.write(self, row, action)
        seat, node = k.seat_of_action(row, tables, action), k.node_of_action(row, tables, action)
        kind = action // tables[k.WAYS] % tables[k.KINDS]
        bank = row[tables[k.R_CHANGED] + seat]
        way = self.board.ways_of(bank, seat, node, kind)[action % tables[k.WAYS]]
        what = "move" if node < tables[k.FINISH] else "out" if node == tables[k.START] else "buy"
        captures = tuple(
            Capture(self.players[other], self.place(row[at]))  # type: ignore[arg-type]
            for other in range(self.num_players)
            for at in range(slot(tables, other, 0), slot(tables, other + 1, 0))
            if other != seat and row[at] < tables[k.TILES] and after[at] != row[at]
        )
        stops_early = landed in way.path and way.node != landed
        path = list(way.path[: way.path.index(landed) + 1] if stops_early else way.path)
        sent_home = landed == tables[k.START] and what != "buy"
        jumps = not sent_home and landed != path[-1]
        name = [self.place(n) for n in path + [landed] * jumps]
        distance = self.board.kinds[kind].distance
        return LudoMove(
            text, what, self.players[seat], self.place(node), self.place(landed), (distance,) if distance else (),
            tuple(name), captures, finishes,
            sent_home=sent_home, jumps=jumps, bounces=bool(way.target & k.BOUNCED) and not sent_home,
        )  # fmt: skip

    def describe(self, move: Move, lang: str) -> str:
        """A move in words."""
        if move.detail.kind == "swap":
            taken = move.detail.swaps[0]
            return say("swap", lang, colour=say(taken.colour, lang, "colour"), tile=taken.tile)
        return in_words(move.detail, lang)

    def __reduce__(self) -> tuple[Any, ...]:
        return (OpenGame, (self._rules, self.board.arms))


def open_game(game: LudoGame) -> OpenGame:
    """The same rules and seats on the general kernel, whatever plays them best: to hold the one against the other."""
    return OpenGame(game.rules, game.board.arms)
