"""Games, positions and moves, for people: immutable, in words and notation, over flat rows of integers."""

from __future__ import annotations

import copy
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from ludus.core.action_ids import as_action
from ludus.core.engine import Engine, Row
from ludus.core.errors import IllegalMove, LudusError, as_written, quoted
from ludus.core.insight import rolled_out
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.messages import Message
from ludus.core.patience import said_if_long
from ludus.core.playouts import Playouts
from ludus.core.position_id import data_of_id, position_id
from ludus.core.random import stream
from ludus.core.seating import seating
from ludus.core.seeds import RandomSource, fold_seed, pick

CORE = "ludus.core"
MOST_GAMES = 20_000_000


class Move:
    """A legal move of one position. `str(move)` is its notation; the details are worked out when asked for."""

    __slots__ = ("action_id", "position")

    def __init__(self, position: Position, action: int) -> None:
        self.position = position
        self.action_id = action

    @property
    def detail(self) -> Any:
        """The facts of the move: the game's own record with at least `notation`."""
        return self.position.detail(self.action_id)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.detail, name)

    def describe(self, lang: str = "en") -> str:
        """What the move does, in words."""
        return self.position.game.describe(self, lang)

    def __str__(self) -> str:
        return str(self.detail.notation)

    def __repr__(self) -> str:
        return f"<Move {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        if self.position is other.position:
            return self.action_id == other.action_id
        return str(self) == str(other) and self.position == other.position

    def __hash__(self) -> int:
        return hash(str(self))


class Position:
    """An immutable position of a game; playing gives the next one."""

    # moves refer to their position, so it keeps no moves: what refers to itself is not freed at once
    __slots__ = ("_details", "_legal", "_row", "game", "ply", "seed")

    def __init__(self, game: Game, row: Row, seed: int, ply: int) -> None:
        self.game = game
        self._row = row
        self.seed = seed
        self.ply = ply
        self._legal: list[int] | None = None
        self._details: dict[int, Any] | None = None

    @property
    def row(self) -> Row:
        """The flat row of integers behind the position (read only)."""
        return self._row

    @property
    def stage(self) -> int:
        """OVER, CHANCE or DECISION."""
        return int(self._row[STAGE])

    @property
    def to_move(self) -> str | None:
        """Who acts: a player, 'chance', or None when the game is over."""
        row = self._row
        stage, turn = row[STAGE], row[TURN]
        players: tuple[str, ...] = self.game.players
        if stage == DECISION:
            name: str = players[turn]
            return name
        return "chance" if stage == CHANCE else None

    @property
    def turn(self) -> str:
        """Whose turn it is, at chance too; when the game is over, the last mover."""
        return self.game.players[int(self._row[TURN])]

    @property
    def result(self) -> dict[str, float] | None:
        """None while the game goes on, else what each player got."""
        return self.game.result_of(self._row) if self._row[STAGE] == OVER else None

    def outcomes(self) -> dict[str, float]:
        """At chance: every outcome with its probability; {} elsewhere."""
        if self._row[STAGE] != CHANCE:
            return {}
        weights = self.game.chance_weights(self._row)
        total = sum(weights.values())
        return {name: weight / total for name, weight in weights.items()}

    def moves(self) -> tuple[Move, ...]:
        """At a decision: the legal moves; () elsewhere."""
        if self._row[STAGE] != DECISION:
            return ()
        legal = self._legal
        if legal is None:
            legal = self._legal = self.game.legal_actions(self._row)
        if len(legal) == 1:
            return (Move(self, legal[0]),)
        return tuple([Move(self, action) for action in legal])

    def detail(self, action: int) -> Any:
        """The facts of a legal action, worked out once."""
        if self._details is None:
            self._details = {}
        if action not in self._details:
            self._details[action] = self.game.detail(self, action)
        return self._details[action]

    def play(self, move: Move | str) -> Position:
        """The position after a legal move, its notation, or a chance outcome."""
        if isinstance(move, Move):
            if move.position is self:
                return self.after(move.action_id)
            move = str(move)
        if not isinstance(move, str):
            raise IllegalMove(Message(CORE, "not_a_move", {"what": repr(move)[:40]}))
        stage = self._row[STAGE]
        if stage == OVER:
            raise IllegalMove(Message(CORE, "game_over", {"move": quoted(move)}))
        if stage == CHANCE:
            return self._chance(self.outcome_number(move))
        return self.after(self.game.parse(self, move.strip()))

    def after(self, action: int) -> Position:
        """The position after a legal action id (not checked: `play` and `move` check)."""
        game = self.game
        return self.__class__(game, game.engine.here.bench.after(self._row, action), self.seed, self.ply + 1)

    def roll(self, rng: RandomSource | None = None) -> Position:
        """At chance: the next position, drawn from the position's own stream (seed, ply) or from `rng`."""
        game, row, seed, ply = self.game, self._row, self.seed, self.ply
        if row[STAGE] != CHANCE:
            raise IllegalMove(Message(CORE, "nothing_to_roll" if row[STAGE] == OVER else "no_roll_due"))
        if rng is not None:
            return self._chance(pick(rng, list(game.chance_weights(row).values())))
        return self.__class__(game, game.engine.here.bench.rolled(row, _key_of(seed), ply), seed, ply + 1)

    def outcome_number(self, text: str) -> int:
        """The number of a chance outcome, in the order of `outcomes()`."""
        names = list(self.game.chance_weights(self._row))
        name = self.game.outcome_name(text)
        if name not in names:
            shown = ", ".join(names[:8]) + (" …" if len(names) > 8 else "")
            message = Message(CORE, "no_such_outcome", {"outcome": as_written(text), "outcomes": shown})
            raise IllegalMove(message, self.game.rule_of_chance(self._row, text))
        return names.index(name)

    def _chance(self, outcome: int) -> Position:
        game = self.game
        return self.__class__(game, game.engine.here.bench.with_outcome(self._row, outcome), self.seed, self.ply + 1)

    def events(self, move: Move | str) -> tuple[Any, ...]:
        """What a legal move or a chance outcome does, one thing after the other: moved, captured, came home, …"""
        return self.game.events(self, move)

    def mask(self) -> Any:
        """mask: bool[num_actions], the legal actions of the fixed action space; all False where nobody decides."""
        import numpy as np

        mask, engine = np.zeros(self.game.num_actions, dtype=np.bool_), self.game.engine
        if self._row[STAGE] == DECISION and engine.fast:
            engine.kernel.mask_api(engine.view(self._row), engine.tables, engine.scratch, mask.view(np.uint8))
        elif self._row[STAGE] == DECISION:
            mask[self.game.masked_actions(self._row)] = True
        return mask

    def action(self, move: Move | str) -> int:
        """The action id of a legal move (the lowest, where several pieces could make it)."""
        if isinstance(move, Move) and move.position is self:
            return move.action_id
        if self._row[STAGE] != DECISION:
            raise IllegalMove(Message(CORE, "nobody_decides"))
        return self.game.parse(self, str(move).strip())

    def move(self, action: int) -> Move:
        """The move behind an action id; IllegalMove with the reason if it is not legal here."""
        if self._row[STAGE] != DECISION:
            raise IllegalMove(Message(CORE, "nobody_decides"))
        number = as_action(action, self.game.num_actions)
        return Move(self, self.game.checked_action(self, number))

    def observation(self, player: str) -> Any:
        """float32[n] in [0, 1]: what `player` sees, rotated to its seat; the game documents each index."""
        return self.game.observe(self._row, self.game.seat_of(player))

    def to_dict(self) -> dict[str, Any]:
        """Plain data that holds everything that affects the future."""
        return self.game.to_dict(self._row)

    @property
    def id(self) -> str:
        """A short, versioned, checked text from which `game.from_id` makes the position again."""
        return position_id(self.game, self.to_dict())

    def rollout(self, **options: Any) -> Any:
        """Play on many times: what each player may hope for, with intervals; at a decision for every move."""
        return rolled_out(self, **options)

    def hints(self, lang: str = "en") -> list[str]:
        """What a newcomer should know of this position, in words: special moves and duties that hold now."""
        return self.game.hints(self._row, lang)

    def text(self, colour: bool = False, lang: str = "en") -> str:
        """The board as text, in colour where a terminal can show it."""
        return self.game.draw_text(self, colour, lang)

    def svg(self, **options: Any) -> str:
        """The board as an SVG picture."""
        return self.game.draw_svg(self, **options)

    def scene(self, lang: str = "en") -> dict[str, Any]:
        """What changes from position to position, as plain data for clients that draw for themselves."""
        return self.game.scene_at(self, lang)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self.game.key(self._row) == self.game.key(other._row)

    def __hash__(self) -> int:
        return hash(self.game.key(self._row))

    def __repr__(self) -> str:
        return f"<Position of {self.game.name}: {self.to_dict()}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self  # immutable

    def __getstate__(self) -> tuple[Any, ...]:
        return (self.game, [int(v) for v in self._row], self.seed, self.ply)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.game, self._row, self.seed, self.ply = state
        self._legal = self._details = None


@lru_cache(maxsize=64)
def _key_of(seed: int) -> int:
    """The key of a position's own stream."""
    return stream(seed, 0)


class Game(ABC):
    """A game with its rules settled: makes positions, and answers for their rows."""

    name: str
    players: tuple[str, ...]
    arms: tuple[int, ...] | None = None  # the seats of the board that are played, where players may be fewer
    num_actions: int
    engine: Engine
    moves_at: int  # where in the scratch the kernel lists the legal actions
    bot_kernels: tuple[str, ...] = ()  # the kernel modules of the family's bots, where it has any
    feature_kernels: tuple[str, ...] = ()  # … and those that describe its positions to somebody who learns
    # a game with more to say of its positions or its playouts names its own classes
    position_class: type[Position] = Position
    playouts_class: type[Playouts] = Playouts
    plugins: tuple[Any, ...] = ()  # rules in Python that the caller has allowed
    without: Game | None = None  # the same game without them, where it has some

    def bot_tables(self) -> tuple[int, ...]:
        """What the family's bots know beyond the rules: numbers that their kernels find after the engine's tables."""
        return ()

    @property
    def feature_names(self) -> list[str]:
        """What each feature means that describes a position to somebody who learns; where it has none, what is seen."""
        return self.observation_names

    def feature_themes(self, row: Row, looks: int, decides: int) -> dict[str, list[int]]:
        """Which features, as a seat that looks sees them, speak of what to the one who decides: themes by name."""
        return {}

    @property
    def num_players(self) -> int:
        """How many play."""
        return len(self.players)

    @property
    def player_counts(self) -> tuple[int, ...]:
        """How many could play by these rules."""
        return (self.num_players,)

    @property
    @abstractmethod
    def rules(self) -> Any:
        """The validated rule set, read-only."""

    @property
    def may_not_end(self) -> Message | None:
        """Why a game may go on for ever; None where it ends by itself, or by a limit of its own."""
        return None

    def ask_for_limit(self) -> None:
        """Machines do not notice that a game does not end: they play one that may not only with a limit (L20)."""
        if self.may_not_end:
            raise LudusError(
                f"{self.name}: can go on for ever ({self.may_not_end.text()}): machines play it with a limit, "
                "such as win.turn_limit = 400"
            )

    @cached_property
    def digest(self) -> str:
        """A digest of the complete rules and seats: equal digests, same game."""
        text = json.dumps(self.document(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """The whole rule set and seats as plain data; `from_document` of the registry makes the game again."""

    def start(self, seed: int = 0) -> Position:
        """The first position; its rolls come from `seed`."""
        return self.position_class(self, self.start_row(), fold_seed(seed), 0)

    def position(self, data: Mapping[str, Any], seed: int = 0) -> Position:
        """A set-up position from plain data; an impossible one is an InvalidPosition."""
        return self.position_class(self, self.row_of(data), fold_seed(seed), 0)

    def from_id(self, text: str, seed: int = 0) -> Position:
        """The position of an id; InvalidPosition where it is damaged, of other rules, or impossible."""
        return self.position(data_of_id(self, text), seed)

    def rules_in_short(self) -> Any:
        """What tells the rules and players apart for good, as plain data: no titles, no options at their defaults."""
        return self.document()

    def compile(self, specialised: bool = True) -> Game:
        """Use the compiled kernel from now on, all of it made here (playouts do it by themselves); returns the game.

        `specialised`: code for this very game, in half a second; else code that serves every game of its kernel, which
        pays where many rule sets are played a little.
        """
        with said_if_long(f"ludus compiles {self.name} for this machine; it is kept, so this is once"):
            self.engine.compile(specialised)
            self.engine.make_ready()
        return self

    def interpreted(self) -> Game:
        """The same game on the interpreted kernel for good; the conformance kit compares the two."""
        double = copy.copy(self)
        double.engine = self.engine.interpreted()
        return double

    def seat_of(self, player: str) -> int:
        """The seat number of a player by name."""
        if player not in self.players:
            raise LudusError(f"no player {quoted(player)} in this game; there are {', '.join(self.players)}")
        return self.players.index(player)

    def legal_actions(self, row: Row) -> list[int]:
        """The action ids of `moves()`, in order."""
        return self.engine.here.bench.legal(row, self.moves_at)

    def playouts(
        self, games: int, seed: int = 0, bots: Any = None, *, first: int = 0, max_plies: int = 100_000
    ) -> Playouts:
        """Play `games` games in compiled code; game i is the same whatever the batch.

        `bots`: one for each seat in order, by name or made; left out, all play at random. Those that the kernel knows
        (random, first, greedy, heuristic) play in it, the others are asked for each of their decisions.
        """
        import numpy as np

        if isinstance(games, bool) or not hasattr(games, "__index__") or games < 0:
            raise LudusError(f"the number of games is a whole number from 0 up, not {quoted(games)}")
        if games > MOST_GAMES:
            raise LudusError(f"{games} games are more than {MOST_GAMES} at once: take them in parts with first=")
        self.engine.compile()
        engine = self.engine
        out = np.zeros((games, self.playouts_class.columns()), dtype=np.int64)
        if bots is not None:
            seating().play_bots(self, bots, (fold_seed(seed), first, games, max_plies), out.ravel())
            return self.playouts_class.of(self.players, out)
        start = engine.copy(self.start_row())
        arrays = (start, start[:], engine.tables, engine.scratch[:])
        engine.kernel.playouts(*arrays, fold_seed(seed), first, games, max_plies, out.ravel())
        return self.playouts_class.of(self.players, out)

    @abstractmethod
    def start_row(self) -> list[int]:
        """The row of the first position."""

    @cached_property
    def row_bounds(self) -> tuple[Any, Any]:
        """int16[R] twice: the smallest and the largest that each field of a row can be."""
        import numpy as np

        low, high = np.full((2, len(self.start_row())), [[-(1 << 15)], [(1 << 15) - 1]], np.int16)
        low[STAGE], high[STAGE] = OVER, DECISION
        low[TURN], high[TURN] = 0, self.num_players - 1
        for first, end, least, most in self.row_limits():
            low[first:end], high[first:end] = least, most
        return low, high

    def row_limits(self) -> list[tuple[int, int, int, int]]:
        """Which fields of a row, from the first to the last but one, are at least and at most what."""
        return []

    @abstractmethod
    def row_of(self, data: Mapping[str, Any]) -> list[int]:
        """Plain data → row; InvalidPosition where it is impossible."""

    @abstractmethod
    def to_dict(self, row: Row) -> dict[str, Any]:
        """Row → plain data."""

    @abstractmethod
    def key(self, row: Row) -> tuple[Any, ...]:
        """What makes two positions equal."""

    def interchangeable(self) -> list[slice]:
        """Parts of a row whose numbers may stand in any order: the pieces of one player, if all alike."""
        return []

    @abstractmethod
    def chance_weights(self, row: Row) -> dict[str, int]:
        """At chance: outcome names in kernel order with integer weights."""

    def rule_of_chance(self, row: Row, text: str) -> str | None:
        """The id of the rule by which chance comes first, before what somebody tried to play."""
        return None

    def title(self, lang: str = "en") -> str:
        """The game's name for people."""
        return self.name

    def source(self, lang: str = "en") -> str:
        """Where its rules come from."""
        return ""

    def hints(self, row: Row, lang: str) -> list[str]:
        """What a newcomer should know of a position, in words."""
        return []

    def changes(self, position: Position, text: str) -> list[str]:
        """The rules that a move or an outcome changes, in a few words each."""
        return []

    def outcome_name(self, text: str) -> str:
        """The canonical spelling of a chance outcome."""
        return text.strip().replace(" ", "")

    @abstractmethod
    def action_ranges(self) -> list[tuple[str, str]]:
        """The fixed action space in words: ('0–3', 'piece 0 … 3 …') from the first action to the last."""

    @property
    @abstractmethod
    def observation_names(self) -> list[str]:
        """What each index of an observation means."""

    @abstractmethod
    def masked_actions(self, row: Row) -> list[int]:
        """At a decision: every legal action id."""

    @abstractmethod
    def checked_action(self, position: Position, action: int) -> int:
        """The canonical id of a legal action; IllegalMove otherwise."""

    @abstractmethod
    def parse(self, position: Position, text: str) -> int:
        """Notation → canonical action id; IllegalMove where it is not legal."""

    @abstractmethod
    def detail(self, position: Position, action: int) -> Any:
        """The facts of a legal move."""

    def events(self, position: Position, move: Move | str) -> tuple[Any, ...]:
        """What a move or a chance outcome does, as the kernel tells it; a game that tells nothing has no events."""
        return ()

    @abstractmethod
    def describe(self, move: Move, lang: str) -> str:
        """A move in words."""

    @abstractmethod
    def result_of(self, row: Row) -> dict[str, float]:
        """The result of a finished game."""

    @abstractmethod
    def observe(self, row: Row, seat: int) -> Any:
        """float32[n]: the observation of a seat."""

    @abstractmethod
    def draw_text(self, position: Position, colour: bool, lang: str) -> str:
        """The board for a terminal."""

    @abstractmethod
    def draw_svg(self, position: Position, **options: Any) -> str:
        """The board as SVG."""

    def scene(self, lang: str = "en") -> dict[str, Any]:
        """The board as plain data for clients that draw for themselves; its shape is in core/scene.py."""
        raise LudusError(f"{self.name} has no scene")

    def scene_at(self, position: Position, lang: str) -> dict[str, Any]:
        """A position as plain data for clients that draw for themselves."""
        raise LudusError(f"{self.name} has no scene")

    def geometry(self) -> dict[str, Any]:
        """The board for programs without a rules engine: what lies where, and what it is to each player."""
        return {}

    def tries(self, position: Position, player: str, place: str) -> list[str | int]:
        """What somebody who picks up a player's piece on a scene's place could mean: notations or action ids."""
        return []

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self  # settled: nothing of it changes

    def __repr__(self) -> str:
        return f"<Game {self.name}: {', '.join(self.players)}>"
