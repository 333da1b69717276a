"""A Ludo game: one rule set, its seats, and the answers that the core asks of every game."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from ludus.core.engine import Engine, Row, twin_of
from ludus.core.errors import IllegalMove, RulesError
from ludus.core.events import Event, TellingGame
from ludus.core.kernels.codes import CHANCE, STAGE, TURN
from ludus.core.messages import Message
from ludus.core.position import Move, Position
from ludus.core.scene import Recent
from ludus.games.ludo import features, hands, moves, notation, observe, positions
from ludus.games.ludo import kernel as k
from ludus.games.ludo.arms import seats
from ludus.games.ludo.board.ludo_board import LudoBoard
from ludus.games.ludo.board.stuck import stuck_at
from ludus.games.ludo.board.tables import compile_board
from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.document.contradictions import contradictions
from ludus.games.ludo.document.rules import COLOURS, RuleSet
from ludus.games.ludo.document.soundness import endless
from ludus.games.ludo.hints import hints_at
from ludus.games.ludo.kernel_features import seat_in_order
from ludus.games.ludo.moves import LudoMove
from ludus.games.ludo.reading import Reader
from ludus.games.ludo.summary import counts_of, source_of, summary, title_of

KERNEL = "ludus.games.ludo.kernel"
PACKAGE = "ludus.games.ludo"
BOOK = "ludus.games.ludo.rulebook"
NO_RULES = {"name", "version", "title", "source", "cites", "allowed"}  # of a document: what changes no game
DRAWN = 512  # what is kept of what was drawn last


class LudoGame(TellingGame):
    """A rule set with its seats."""

    bot_kernels = ("ludus.games.ludo.kernel_bots",)
    feature_kernels = ("ludus.games.ludo.kernel_features",)

    def __init__(self, rules: RuleSet, arms: tuple[int, ...], state: int = 0) -> None:
        if rules.modes.mode == "teams" and (len(arms) % 2 or len(arms) < 4):
            raise RulesError(f'modes.mode = "teams" needs four players or a larger even number, not {len(arms)} (Z22)')
        super().__init__(rules.name, tuple(COLOURS[arm] for arm in arms))
        self._rules, self.arms = rules, arms
        self.board: LudoBoard = compile_board(rules, arms, state)
        self.stuck_at = stuck_at(self.board)
        self.engine = Engine(twin_of(KERNEL), self.board.tables, self.board.scratch_size, columns=self.board.columns())
        self.num_actions = self.board.field(k.A_PASS) + 1
        self.moves_at = self.board.field(k.S_MOVES)
        self.events_at, self.event_size = self.board.field(k.S_EVENTS), k.EVENT_SIZE
        self.set_number = {counts: number for number, counts in enumerate(self.board.sets)}

    @property
    def rules(self) -> RuleSet:
        """The validated rule set, read-only."""
        return self._rules

    @property
    def player_counts(self) -> tuple[int, ...]:
        """From two to the arms of the board; teams are pairs (Z22)."""
        return counts_of(self._rules)

    @cached_property
    def may_not_end(self) -> Message | None:
        """Why a game may go on for ever, which L20 allows; None where it ends, or declares a limit."""
        reason = endless(self._rules)
        if not reason and self.stuck_at is not None and not self._rules.win.turn_limit:
            return Message(BOOK, "stuck", {"tile": self.stuck_at}, "endless")
        return Message(BOOK, reason, {}, "endless") if reason else None

    @property
    def feature_names(self) -> list[str]:
        """What each feature means; the same list for every Ludo."""
        return features.feature_names()

    def feature_themes(self, row: Row, looks: int, decides: int) -> dict[str, dict[int, float]]:
        """Which features, as a seat that looks sees them, speak of what to the one who decides."""
        steps = {seat_in_order(row, self.board.tables, looks, n): n for n in range(self.num_players)}
        side = self.board.tables[self.board.field(k.T_SIDE) :][: self.num_players]
        blocks = [
            features.MATE if seat != looks and side[seat] == side[looks] else min(steps[seat], features.MOST_SEATS - 1)
            for seat in range(self.num_players)
        ]
        rivals = [blocks[seat] for seat in range(self.num_players) if side[seat] != side[decides]]
        return features.themes(blocks[decides], rivals)

    def document(self) -> dict[str, Any]:
        """Rules and seats as plain data."""
        return {"family": "ludo", "rules": self._rules.model_dump(mode="json"), "players": list(self.players)}

    def rules_in_short(self) -> dict[str, Any]:
        """Rules and seats without titles and without options at their defaults."""
        told = self._rules.model_dump(mode="json", exclude_defaults=True, exclude=NO_RULES)
        return {"family": "ludo", "rules": told, "players": list(self.players)}

    # ------------------------------------------------------------ positions

    def place(self, node: int) -> int | str:
        """A node as people write it."""
        return positions.place_name(self.board, self.players, node)

    def start_row(self) -> list[int]:
        """All pieces in their yards but those that come out at once; who begins rolls, or that is decided first."""
        board, row = self.board, [0] * self.board.field(k.ROW_SIZE)
        row[STAGE] = CHANCE
        for at in range(self.num_players * self._rules.board.pieces):
            row[k.PIECE_0 + at] = board.field(k.START)
        for card in range(board.field(k.DECK)):
            row[board.field(k.R_DECK) + card] = board.tables[board.field(k.T_CARDS) + card]
        if self._rules.turn.first == "roll_off":
            row[k.ROLLOFF_IN] = (1 << self.num_players) - 1
        elif self._rules.turn.first == "lot":
            row[k.ROLLOFF_IN] = k.LOT
        self._set_up(row)
        return row

    def _set_up(self, row: list[int]) -> None:
        """What follows the beginning of the game, and the rules that hold from then on."""
        tables, scratch = self.board.tables, [0] * self.board.scratch_size
        k.scan(row, tables, scratch)
        for seat in range(self.num_players):
            for node in self.board.begins_on(seat):
                k.bring_out(row, tables, scratch, seat, node)
        if self._rules.win.purse:
            for seat in range(self.num_players):
                row[self.board.field(k.R_SCORE) + seat] = self._rules.win.purse
        k.hold_changes(row, tables, scratch)

    def geometry(self) -> dict[str, Any]:
        """Per player: entry tiles, the way from there to the finish, where it divides, and the safe tiles."""
        arms = zip(self.players, self.arms or (), strict=True)
        return {player: positions.way_home(self.board, arm) for player, arm in arms}

    def row_limits(self) -> list[tuple[int, int, int, int]]:
        """Bounds of what the kernel looks up by: nodes, tokens, banks of rules, cards, places."""
        return positions.limits(self.board)

    def row_of(self, data: Mapping[str, Any]) -> list[int]:
        """Plain data → row."""
        return Reader(self.board, self.players, data).read()

    def to_dict(self, row: Row) -> dict[str, Any]:
        """Row → plain data."""
        return positions.to_dict(self.board, self.players, plain(row))

    def key(self, row: Row) -> tuple[Any, ...]:
        """What makes two positions equal."""
        return positions.key(self.board, plain(row))

    @property
    def has_secrets(self) -> bool:
        """Whether cards are held in hands."""
        return self.board.field(k.HANDS) > 0

    def redrawn(self, row: Row, player: str, seed: int) -> Row:
        """The row with the others' hands and the deck drawn from what a player has not seen."""
        values = hands.redrawn(self.board, plain(row), self.players.index(player), random.Random(seed))
        if isinstance(row, list):
            return values
        drawn = row.copy()
        drawn[:] = values
        return drawn

    def veiled(self, data: Mapping[str, Any], eyes: Collection[str]) -> dict[str, Any]:
        """Of others' hands the number of cards, of the deck too."""
        return hands.veiled(data, eyes) if self.has_secrets else dict(data)

    def veiled_event(self, position: Position, text: str, eyes: Collection[str]) -> str:
        """A card that is dealt or given is nobody's business but its owner's."""
        return hands.veiled_event(text, position.turn in eyes) if self.has_secrets else text

    def interchangeable(self) -> list[slice]:
        """The pieces of each colour, unless some are frozen or the last one moved is known by its number."""
        field = self.board.field
        if field(k.FREEZES) or field(k.KEEPS_LAST):
            return []
        pieces = field(k.PIECES)
        return [slice(k.PIECE_0 + n * pieces, k.PIECE_0 + (n + 1) * pieces) for n in range(self.num_players)]

    # ------------------------------------------------------------ chance

    def chance_weights(self, row: Row) -> dict[str, int]:
        """The outcomes and their weights: of the lot, of what is left in the deck, or of the device."""
        board = self.board
        if row[k.ROLLOFF_IN] == k.LOT:
            return {f"first:{player}": 1 for player in self.players}
        outcomes = board.outcomes[board.bank_number(row, int(row[TURN]))]
        if not board.field(k.DECK):
            return {outcome.name: outcome.weight for outcome in outcomes}
        left = [int(row[board.field(k.R_DECK) + card]) for card in range(len(outcomes))]
        return {outcome.name: count for outcome, count in zip(outcomes, left, strict=True) if count}

    def rule_of_chance(self, row: Row, text: str) -> str | None:
        """The rule by which the dice are rolled before anything is played."""
        return self._rules.cites.get("roll_due")

    def outcome_name(self, text: str) -> str:
        """Dice larger first; any order is accepted."""
        name = super().outcome_name(text)
        parts = name.split(",")
        if len(parts) > 1 and all(part.lstrip("-").isdecimal() for part in parts):
            return ",".join(sorted(parts, key=int, reverse=True))
        return name

    # ------------------------------------------------------------ moves

    def leaving_kinds(self, bank: int) -> list[int]:
        """The kinds of tokens that bring a piece out under a bank of rules."""
        start = self.board.field(k.START)
        return [kind for kind in range(len(self.board.kinds)) if self.board.ways_of(bank, 0, start, kind)]

    def leaving_numbers(self, bank: int) -> list[int]:
        """What brings a piece out under a bank of rules: kinds of tokens, then sets of two."""
        first = len(self.board.sets)
        return [*self.leaving_kinds(bank), *range(first, first + len(self.board.out_sets))]

    def dice_of_set(self, number: int) -> tuple[int, ...]:
        """The dice of a set of tokens, larger first; none where a token has no distance."""
        kinds, counts = self.board.kinds, self.board.counts_of(number)
        dice = [kind.distance for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]
        return tuple(sorted((die for die in dice if die), reverse=True))

    def masked_actions(self, row: Row) -> list[int]:
        """Every legal action: each piece that stands where a listed one does."""
        return self.marked(row, self.legal_actions(row))

    def marked(self, row: Row, legal: list[int]) -> list[int]:
        """Some legal actions with those of all pieces that stand where theirs do."""
        values, tables = plain(row), self.board.tables
        scratch = [0] * self.board.scratch_size
        scratch[self.moves_at : self.moves_at + len(legal)] = legal
        for action in legal if tables[k.PLAIN] and legal != [tables[k.A_PASS]] else ():
            node = k.node_of_action(values, tables, action)
            scratch[k.MOVABLE] |= k.pieces_on(values, tables, k.mover(values, tables), node)
        marks = [0] * self.num_actions
        k.mark_legal(values, tables, scratch, len(legal), marks, 0)
        return [action for action, marked in enumerate(marks) if marked]

    def checked_action(self, position: Position, action: int) -> int:
        """The lowest action id of the same move."""
        row = plain(position.row)
        legal = self.legal_actions(row)
        if action in legal:
            return action
        if action in self.masked_actions(row):
            tables = self.board.tables
            same = [other for other in legal if other <= action and self._is_same_move(row, tables, other, action)]
            return same[-1]
        raise self.why_not(row, action)

    def _is_same_move(self, row: list[int], tables: list[int], action: int, other: int) -> bool:
        """Whether two actions differ in nothing but which of the pieces on a tile they move."""
        return notation.write(self, row, action) == notation.write(self, row, other)

    def parse(self, position: Position, text: str) -> int:
        """Notation → action id."""
        row = plain(position.row)
        action = notation.Parser(self, row, text).action()
        if action in self.legal_actions(row):
            return action
        raise self.why_not(row, action)

    def why_not(self, row: list[int], action: int) -> IllegalMove:
        """The error that says why an action is not legal."""
        engine = self.engine
        code = int(engine.kernel.why_api(engine.view(row), engine.tables, engine.scratch, action))
        name = notation.REASONS.get(code, "no_such_move")
        values: dict[str, Any] = {
            "faces": self.faces_in_words(),
            "dice": self._dice_in_words(row, action),
            "count": action - self.board.field(k.A_SPECIAL) + 2,
            "text": str(action),
        }
        return IllegalMove(Message(PACKAGE, name, values), self._rules.cites.get(name))

    def faces_in_words(self) -> Message:
        """The faces that bring a piece out, as 'a 6' or 'a 1 or a 6'."""
        faces: list[Any] = sorted(self._rules.start.leave_on)
        if self._rules.chance.tokens:
            faces = [notation.name_of_number(self, number) for number in self.leaving_numbers(0)]
        return Message(
            PACKAGE, f"faces_{min(len(faces), 2)}", {"first": faces[0], "all": ", ".join(map(str, faces))}, "words"
        )

    def _dice_in_words(self, row: list[int], action: int) -> str:
        """What an action would use, as people write it."""
        tables = self.board.tables
        if tables[k.A_ON] <= action < tables[k.A_BUY]:
            return notation.dice_text(self, action - tables[k.A_ON])
        number = k.number_of(row, tables, action) if k.is_step(tables, action) else tables[k.LEAVER]
        if 0 <= number < tables[k.KINDS]:
            return str(self.board.kinds[number].name)
        return notation.dice_text(self, number) if number > 0 else "6"

    # ------------------------------------------------------------ what happens

    def event_of(self, told: Sequence[int]) -> Event:
        """An event by the names of colours, places, changes and bonuses."""
        return moves.event(self, moves.Told(*told))

    def detail(self, position: Position, action: int) -> LudoMove:
        """The facts of a legal move, as the kernel tells them when it is tried."""
        row = plain(position.row)
        return moves.facts(self, row, action, [moves.Told(*one) for one in self.told_at(position, action)])

    def describe(self, move: Move, lang: str) -> str:
        """A move in words: 'sweeps, captures yellow on 25, loses 5'."""
        return moves.in_words(move.detail, lang, self._rules.movement.combined_move == "sweep")

    def result_of(self, row: Row) -> dict[str, float]:
        """What each player gets: by place, by winning, or nothing for those who share the first place."""
        values, tables = plain(row), self.board.tables
        return {player: float(k.prize(values, tables, [], seat)) for seat, player in enumerate(self.players)}

    # ------------------------------------------------------------ words

    def title(self, lang: str = "en") -> str:
        """The rule set's name for people; the shipped ones have it in every language."""
        return title_of(self._rules, lang)

    def source(self, lang: str = "en") -> str:
        """Where the rules come from."""
        return source_of(self._rules, lang)

    def rules_in_python(self, lang: str) -> list[str]:
        """What rules in Python say of themselves in the rule book."""
        return []

    def change_names(self) -> list[str]:
        """What the changes of the rules are called; the last is the first capture, which opens the way home (Z10)."""
        return [*positions.change_names(self.board), *(["captured"] if self._rules.asks_for_capture else [])]

    def hints(self, row: Row, lang: str) -> list[str]:
        """What a newcomer should know of a position."""
        return hints_at(self, plain(row), lang)

    def changes(self, position: Position, text: str) -> list[str]:
        """The changes of rules that begin to hold by a move or an outcome: 'name' for all, 'name: green' for one."""
        names = positions.change_names(self.board)
        told = [e for e in self.events(position, text) if e.what == "changed"] if names else []
        found = []
        for name in names:
            colours = {e.colour for e in told if e.name == name}
            for_all = "all" in colours or colours >= set(self.players)
            found += [name] if for_all else [f"{name}: {player}" for player in self.players if player in colours]
        return found

    # ------------------------------------------------------------ actions and observations

    def action_ranges(self) -> list[tuple[str, str]]:
        """The blocks of the action space (decision 009)."""
        return observe.action_blocks(self)

    @cached_property
    def observation_names(self) -> list[str]:
        """What each index of an observation means."""
        return observe.layout(self)

    def observe(self, row: Row, seat: int) -> Any:
        """float32[len(observation_names)] in [0, 1]."""
        import numpy as np

        engine = self.engine
        out = np.zeros(len(self.observation_names), dtype=np.float32)
        engine.kernel.observe_api(engine.view(row), engine.tables, engine.scratch, seat, out)
        return out

    # ------------------------------------------------------------ pictures

    def draw_text(self, position: Position, colour: bool, lang: str = "en", eyes: Collection[str] | None = None) -> str:
        """The board for a terminal."""
        from ludus.games.ludo.picture import terminal

        return terminal.draw(self, position, colour, lang, eyes)

    def draw_svg(self, position: Position, **options: Any) -> str:
        """The board as SVG."""
        from ludus.games.ludo.picture import svg as draw

        return draw.svg(self, position, **options)

    def scene(self, lang: str = "en") -> dict[str, Any]:
        """The board as plain data."""
        from ludus.games.ludo.picture import scene

        return dict(scene.of_game(self, lang))

    @cached_property
    def drawn(self) -> Recent:
        """What was drawn last of this game's positions."""
        return Recent(DRAWN)

    def scene_at(self, position: Position, lang: str) -> dict[str, Any]:
        """A position as plain data."""
        from ludus.games.ludo.picture import scene

        return dict(scene.of_position(self, position, lang))

    def tries(self, position: Position, player: str, place: str) -> list[str | int]:
        """Each die with the piece on a place: out of the yard, back from a captor, or on."""
        prefix, where = "" if player == position.turn else f"{player}:", place.rpartition("/")[2]
        if where in ("start", "finish") or where.startswith("held"):
            word = {"start": "out", "finish": "finish+1"}.get(where, "buy")
            return [prefix + word]
        kinds = sorted(set(positions.tokens_of(self.board, plain(position.row))), reverse=True)
        return [f"{prefix}{where}{notation.token_text(self, kind)}" for kind in kinds]

    def __reduce__(self) -> tuple[Any, ...]:
        return (LudoGame, (self._rules, self.board.arms, self.board.state))


def plain(row: Row) -> list[int]:
    """A row as a list of Python integers."""
    values: list[int] = row if isinstance(row, list) else row.tolist()
    return values


def game_of(rules: RuleSet, arms: tuple[int, ...], plugins: Any = None) -> LudoGame:
    """A rule set as a game, with plug-ins where it or the caller names some."""
    if rules.plugins or plugins:
        from ludus.games.ludo.plugins import PluggedGame, with_plugins

        return PluggedGame(*_with_arms(arms, *with_plugins(rules, plugins)))
    return LudoGame(rules, arms)


def _with_arms(
    arms: tuple[int, ...], rules: RuleSet, plugins: tuple[Any, ...]
) -> tuple[RuleSet, tuple[int, ...], tuple[Any, ...]]:
    words = contradictions(rules)
    if words:
        raise RulesError(f"{rules.name}: {words}")
    return rules, arms, plugins


class LudoFamily:
    """How the registry finds Ludo games."""

    summary = staticmethod(summary)

    @staticmethod
    def names() -> list[str]:
        """The shipped rule sets."""
        return documents.shipped()

    @staticmethod
    def make(source: Any, players: Any, options: Mapping[str, Any]) -> LudoGame:
        """A game from a name, a path or a mapping, with options overridden; `plugins` allows rules in Python."""
        plugins = options.get("plugins")
        rules = documents.load(source, {key: value for key, value in options.items() if key != "plugins"})
        return game_of(rules, seats(rules, players), plugins)

    @staticmethod
    def from_document(document: Mapping[str, Any], plugins: Any = None) -> LudoGame:
        """The game that `document()` described."""
        rules = documents.validate(document.get("rules", {}), "rules")
        return game_of(rules, seats(rules, document.get("players")), plugins)
