"""Games, for people: what a family of games answers for its rows, and what the core makes of that."""

from __future__ import annotations

import copy
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from ludus.core.engine import Engine, Row
from ludus.core.errors import LudusError, quoted
from ludus.core.kernels.acting import acting
from ludus.core.kernels.codes import DECISION, OVER, STAGE, TURN
from ludus.core.messages import Message
from ludus.core.patience import said_if_long
from ludus.core.playouts import Playouts
from ludus.core.position import Move, Position
from ludus.core.position_id import data_of_id
from ludus.core.random import stream
from ludus.core.seating import seating
from ludus.core.seeds import fold_seed

MOST_GAMES = 20_000_000
MOST_SEATS = 12  # as many as there are colours (L4)


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
    limit_to_set = "win.turn_limit = 400"  # an option that ends every game
    plugins: tuple[Any, ...] = ()  # rules in Python that the caller has allowed
    without: Game | None = None  # the same game without them, where it has some

    def __init__(self, name: str, players: tuple[str, ...]) -> None:
        self.name, self.players = name, players
        # who acts, by the number that kernels give (kernels/acting.py)
        self.actors: tuple[str | None, ...] = (*players, None, "chance")

    def bot_tables(self) -> tuple[int, ...]:
        """What the family's bots know beyond the rules: numbers that their kernels find after the engine's tables."""
        return ()

    @property
    def feature_names(self) -> list[str]:
        """What each feature means that describes a position to somebody who learns; where it has none, what is seen."""
        return self.observation_names

    def feature_themes(self, row: Row, looks: int, decides: int) -> dict[str, dict[int, float]]:
        """Which features, as a seat that looks sees them, speak of what to the one who decides: themes by name.

        Of each feature, how much of the thing there is where it is 1.
        """
        return {}

    @property
    def num_players(self) -> int:
        """How many play."""
        return len(self.players)

    def acting(self, row: Row) -> str | None:
        """Who acts in a row: a player, 'chance', or None when the game is over."""
        return self.actors[acting(row)]

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
                f"such as {self.limit_to_set}"
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
        bench = self.engine.here.bench
        given = row if type(row) is bench.row_type else bench.view(row)
        return self.listed(bench.scratch, bench.kernel.legal_api(given, bench.tables, bench.scratch))

    def listed(self, scratch: Row, count: int) -> list[int]:
        """The legal actions that the kernel has listed in its scratch."""
        first = self.moves_at
        if count == 1:  # most decisions; cutting takes longer
            return [scratch[first]]
        if count == 2:
            return [scratch[first], scratch[first + 1]]
        return list(scratch[first : first + count])

    def playouts(
        self,
        games: int,
        seed: int = 0,
        bots: Any = None,
        *,
        first: int = 0,
        max_plies: int = 100_000,
        own_dice: bool = False,
    ) -> Playouts:
        """Play `games` games in compiled code; game i is the same whatever the batch.

        `bots`: one for each seat in order, by name or made; left out, all play at random. Those that the kernel knows
        (random, first, greedy, heuristic) play in it, the others are asked for each of their decisions.
        `own_dice`: every seat of theirs rolls by a stream of its own, so its dice stay the same whatever others do.
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
            numbers = fold_seed(seed), first, games, max_plies
            seating().play_bots(self, bots, numbers, out.ravel(), own_dice=own_dice)
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

    @property
    def has_secrets(self) -> bool:
        """Whether players know what others may not: hands of cards."""
        return False

    def redrawn(self, row: Row, player: str, seed: int) -> Row:
        """The row with all that a player can't know drawn anew; the row itself where nothing is hidden."""
        return row

    def veiled(self, data: Mapping[str, Any], eyes: Collection[str]) -> dict[str, Any]:
        """A position's data as those may see it who play some seats."""
        return dict(data)

    def veiled_event(self, position: Position, text: str, eyes: Collection[str]) -> str:
        """A roll or a move as those may be told it who play some seats."""
        return text

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

    def drawn_number(self, position: Position, draw: tuple[int, int] | None = None) -> int:
        """At chance: the number of the outcome that the position's own stream gives, or another, by key and number."""
        engine, (key, at) = self.engine, draw or (stream(position.seed, 0), position.ply)
        row = engine.view(position.row)
        return int(engine.kernel.draw_api(row, engine.tables, engine.scratch, key, at))

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
    def draw_text(self, position: Position, colour: bool, lang: str, eyes: Collection[str] | None = None) -> str:
        """The board for a terminal; as those may see it who play some seats, everything without `eyes`."""

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
