"""Positions and moves, for people: immutable, in words and notation, over flat rows of integers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import TYPE_CHECKING, Any

from ludus.core.action_ids import as_action
from ludus.core.engine import Row
from ludus.core.errors import IllegalMove, as_written, quoted
from ludus.core.insight import rolled_out
from ludus.core.kernels.acting import SEAT, SEAT_BITS
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.messages import Message
from ludus.core.position_id import position_id
from ludus.core.seeds import RandomSource, pick

if TYPE_CHECKING:
    from ludus.core.game import Game

CORE = "ludus.core"


new = object.__new__


class Move:
    """A legal move of one position. `str(move)` is its notation; the details are worked out when asked for."""

    __slots__ = ("action_id", "position")

    position: Position
    action_id: int

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
    __slots__ = ("_known", "_legal", "_row", "game", "ply", "seed", "to_move")

    game: Game
    to_move: str | None  # who acts: a player, 'chance', or None when the game is over
    seed: int
    ply: int
    _row: Row
    _legal: list[int] | None
    _known: dict[Hashable, Any]

    def __init__(self, game: Game, row: Row, seed: int, ply: int) -> None:
        self.game = game
        self.to_move = game.acting(row)
        self.seed = seed
        self.ply = ply
        self._row = row
        self._legal = None

    def _next(self, row: Row, acting: int, legal: list[int] | None = None) -> Position:
        """The position that follows, of a row in which the kernel has said who acts: made without asking again."""
        made = new(type(self))  # a call of the class itself takes twice as long
        made.game = game = self.game
        made.to_move = game.actors[acting]
        made.seed = self.seed
        made.ply = self.ply + 1
        made._row = row
        made._legal = legal
        return made

    @property
    def row(self) -> Row:
        """The flat row of integers behind the position (read only)."""
        return self._row

    @property
    def stage(self) -> int:
        """OVER, CHANCE or DECISION."""
        return int(self._row[STAGE])

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
        legal = self._legal
        if legal is None:
            if self.to_move == "chance" or self.to_move is None:
                return ()
            legal = self._legal = self.game.legal_actions(self._row)
        if len(legal) == 1:  # most decisions
            move = new(Move)  # a call of the class itself takes twice as long
            move.position = self
            move.action_id = legal[0]
            return (move,)
        return tuple([Move(self, action) for action in legal])

    def detail(self, action: int) -> Any:
        """The facts of a legal action, worked out once."""
        try:
            return self._known[action]
        except (AttributeError, KeyError):
            return self.once(action, lambda: self.game.detail(self, action))

    def once(self, key: Hashable, work: Callable[[], Any]) -> Any:
        """What was found before under a key, or the work's result; nobody may change it."""
        if not hasattr(self, "_known"):  # few ask, and what is not set costs nothing
            self._known = {}
        if key not in self._known:
            self._known[key] = work()
        return self._known[key]

    def forget(self) -> None:
        """Let go of what was found; whoever asks again waits for it again."""
        self._legal = None
        if hasattr(self, "_known"):
            del self._known

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
        bench, row = self.game.engine.here.bench, self._row
        row = row[:] if type(row) is bench.row_type else bench.copy(row)
        return self._next(row, bench.kernel.apply_api(row, bench.tables, bench.scratch, action))

    def roll(self, rng: RandomSource | None = None) -> Position:
        """At chance: the next position, drawn from the position's own stream (seed, ply) or from `rng`."""
        if self.to_move != "chance":
            raise IllegalMove(Message(CORE, "no_roll_due" if self.to_move else "nothing_to_roll"))
        if rng is not None:
            return self._chance(pick(rng, list(self.game.chance_weights(self._row).values())))
        bench, row = self.game.engine.here.bench, self._row
        row = row[:] if type(row) is bench.row_type else bench.copy(row)
        told = bench.kernel.roll_api(row, bench.tables, bench.scratch, self.seed, self.ply)
        if told < 0:
            return self._next(row, told)
        return self._next(row, told & SEAT, self.game.listed(bench.scratch, told >> SEAT_BITS))

    def rolled_by(self, key: int, draw: int) -> Position:
        """At chance: the next position by draw number `draw` of another stream."""
        return self._chance(self.game.drawn_number(self, (key, draw)))

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
        text = str(move).strip()
        listed = self._listed(text)
        return self.game.parse(self, text) if listed is None else listed

    def _listed(self, text: str) -> int | None:
        """The only legal action of a notation, where all that are legal were worked out already: nothing is parsed."""
        if self._legal is None or not hasattr(self, "_known"):
            return None
        if not all(action in self._known for action in self._legal):
            return None
        found = [action for action in self._legal if self._known[action].notation == text]
        return found[0] if len(found) == 1 else None

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

    def text(self, colour: bool = False, lang: str = "en", eyes: Collection[str] | None = None) -> str:
        """The board as text, in colour where a terminal can show it; `eyes`: who reads it, where players hide cards."""
        return self.game.draw_text(self, colour, lang, eyes)

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
        self.__init__(*state)  # type: ignore[misc]
