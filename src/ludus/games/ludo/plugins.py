"""Rules that no field can say: plug-ins, Python functions that the interpreted game calls at a few hooks.

A plug-in is any object (a module, a class instance) with a name and some of these functions:

outcomes(position, weights)      at chance: {outcome: weight}, some of `weights` or all, with other weights; and
                                 outcomes of its own, those that it names in OUTCOMES
moves(position)                  at a decision: {name: plain data that it leads to}, moves of its own, named in MOVES
allows(position, move)           at a decision: False takes the move away; with none left, the player passes
after_move(before, move, after)  after a move: None, or the plain data of the position that it leads to instead
after_roll(before, roll, after)  after a roll: the same; an outcome of its own leads to nothing else
set_up(position)                 before the first turn: None, or the plain data of the position to begin with
rules(lang)                      its sentences in the rule book, a list for 'en' and one for 'fr'
configured(options)              the plug-in with the options that a document gives it, [plugin_options.NAME]

STATE = n lets it keep n numbers in every position, under "state" in the plain data, from 0 to 30,000 each.

Positions and moves that a plug-in sees are those of the game without it. Nothing is loaded because a document says so:
whoever makes the game names the plug-ins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from ludus.core.engine import Engine, Row, twin_of
from ludus.core.errors import IllegalMove, LudusError, RulesError, UnknownName, quoted, suggestion
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.messages import Message
from ludus.core.playouts import Playouts
from ludus.core.position import Move, Position
from ludus.core.random import below, stream
from ludus.core.registry import entry_points
from ludus.core.seat_dice import SeatDice
from ludus.core.seating import Seated, seating
from ludus.core.seeds import RandomSource, fold_seed, pick
from ludus.core.user_files import module_of_file
from ludus.games.ludo import kernel as k
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.game import KERNEL, PACKAGE, LudoGame, plain
from ludus.games.ludo.moves import LudoMove

GROUP = "ludus.rules"
HOOKS = ("outcomes", "moves", "allows", "after_move", "after_roll", "set_up", "rules", "configured")
MOST_STATE = 64
MOST_NAMED = 100
_NAME = re.compile(r"[a-z][a-z0-9_-]{1,23}")
_TAKEN = ("pass", "out", "buy", "swap", "special")  # what notation begins with


def name_of(plugin: Any) -> str:
    """What a plug-in is called in documents."""
    name = getattr(plugin, "name", None) or getattr(plugin, "NAME", None) or getattr(plugin, "__name__", None)
    return str(name).rpartition(".")[2].replace("_", "-")


def load(plugin: Any) -> Any:
    """A plug-in from an entry point's name, the path of a Python file ('file.py' or 'file.py:object'), or itself."""
    if isinstance(plugin, Path):
        plugin = str(plugin)
    if not isinstance(plugin, str):
        return checked(plugin)
    if ".py" in plugin:
        path, _, attribute = plugin.rpartition(":") if not plugin.endswith(".py") else (plugin, "", "")
        module = from_path(Path(path))
        return checked(getattr(module, attribute, None) if attribute else module)
    points = {point.name: point for point in entry_points(group=GROUP)}
    if plugin not in points:
        hint = suggestion(plugin[:60], points)
        raise UnknownName(f"unknown plug-in {quoted(plugin)}{hint}; installed are {', '.join(points) or 'none'}")
    return checked(points[plugin].load())


def from_path(path: Path) -> ModuleType:
    """The module in a Python file; it is called as the file where it says nothing else."""
    module = module_of_file(path, "plug-in")
    module.__dict__.setdefault("NAME", path.stem.replace("_", "-"))
    return module


def checked(plugin: Any) -> Any:
    """A plug-in, if it has a hook."""
    if not any(callable(getattr(plugin, hook, None)) for hook in HOOKS):
        raise LudusError(f"plug-in {quoted(plugin)}: it has none of the functions {', '.join(HOOKS)}")
    return plugin


def all_of(plugins: Any) -> tuple[Any, ...]:
    """The plug-ins that a caller allows."""
    if plugins is None:
        return ()
    if isinstance(plugins, str | Path) or not isinstance(plugins, Iterable):
        plugins = [plugins]
    return tuple(load(plugin) for plugin in plugins)


def with_plugins(rules: RuleSet, plugins: Any) -> tuple[RuleSet, tuple[Any, ...]]:
    """The rules with the names of all their plug-ins, and the plug-ins; refused where the caller allows too few."""
    given = {name_of(plugin): plugin for plugin in all_of(plugins)}
    missing = [name for name in rules.plugins if name not in given]
    if missing:
        raise RulesError(
            f"{rules.name}: plugins: these rules need the plug-in {missing[0]!r}; a document alone runs no code, "
            f"so whoever makes the game has to allow it with plugins="
        )
    names = (*rules.plugins, *(name for name in given if name not in rules.plugins))
    unknown = [name for name in rules.plugin_options if name not in names]
    if unknown:
        raise RulesError(f"{rules.name}: plugin_options: these rules have no plug-in {unknown[0]!r}")
    configured = tuple(configure(given[name], rules.plugin_options.get(name)) for name in names)
    return rules.model_copy(update={"plugins": names}), configured


def configure(plugin: Any, options: Mapping[str, Any] | None) -> Any:
    """The plug-in with a document's options; refused where it takes none."""
    if options is None:
        return plugin
    make = getattr(plugin, "configured", None)
    if make is None:
        raise RulesError(f"plug-in {name_of(plugin)}: it takes no options (it has no function `configured`)")
    try:
        return checked(make(dict(options)))
    except LudusError:
        raise
    except Exception as error:
        raise RulesError(f"plug-in {name_of(plugin)}: configured: {type(error).__name__}: {error}") from error


def state_of(plugins: tuple[Any, ...]) -> int:
    """How many numbers the plug-ins keep in a position, all together."""
    sizes = [getattr(plugin, "STATE", 0) for plugin in plugins]
    if (
        any(isinstance(size, bool) or not isinstance(size, int) or size < 0 for size in sizes)
        or sum(sizes) > MOST_STATE
    ):
        raise LudusError(f"plug-in: STATE is how many numbers it keeps, {MOST_STATE} at the most for all of them")
    return sum(sizes)


def named_by(plugins: tuple[Any, ...], what: str) -> dict[str, Any]:
    """The moves or outcomes that plug-ins add, by name, each with whose it is."""
    found: dict[str, Any] = {}
    for plugin in plugins:
        names = getattr(plugin, what, ())
        for name in names if isinstance(names, tuple | list) else [names]:
            fits = isinstance(name, str) and _NAME.fullmatch(name) and not name.startswith(_TAKEN)
            if not fits or name in found or len(found) >= MOST_NAMED:
                raise LudusError(
                    f"plug-in {name_of(plugin)}: {what}: small words of its own, such as 'truce', not {quoted(name)}"
                )
            found[name] = plugin
    return found


class PluggedPosition(Position):
    """A position of a game with plug-ins."""

    game: PluggedGame

    def after(self, action: int) -> Position:
        """The position after a legal action, and what the plug-ins make of it."""
        return type(self)(self.game, self.game.played(self.row, action), self.seed, self.ply + 1)

    def roll(self, rng: RandomSource | None = None) -> Position:
        """Draw by the weights that the plug-ins leave."""
        if self.stage != CHANCE:
            return super().roll(rng)
        weights = self.game.chance_weights(self.row)
        if rng is not None:
            return self._chance(pick(rng, list(weights.values())))
        return self._chance(self.game.drawn_number(self))

    def _chance(self, outcome: int) -> Position:
        """The numbers count the outcomes that the plug-ins leave."""
        name = list(self.game.chance_weights(self.row))[outcome]
        if name in self.game.added_outcomes:
            return type(self)(self.game, self.game.brought_by(self.row, name), self.seed, self.ply + 1)
        number = list(LudoGame.chance_weights(self.game, self.row)).index(name)
        after = super()._chance(number)
        row = self.game.rolled(self.row, name, after.row)
        return after if row is None else type(self)(self.game, row, self.seed, self.ply + 1)


def drawn(weights: Mapping[str, int], key: int, ply: int) -> int:
    """The number of the outcome that a draw of the stream gives."""
    point = below(key, ply, sum(weights.values()))
    for number, weight in enumerate(weights.values()):
        point -= weight
        if point < 0:
            return number
    return 0


def by_bots(seated: Seated, seed: int, position: Position) -> Move:
    """The move of the bot whose turn it is, in the game of that seed."""
    return position.move(seated.decide(position.row, position.ply, seed))


Draws = Callable[[Position], tuple[int, int]]  # the stream's key and the number of the roll that is due


def game_draw(key: int, position: Position) -> tuple[int, int]:
    """Draw `ply` of the game's own stream."""
    return key, position.ply


def at_random(key: int, position: Position) -> Move:
    """A legal move by the number that a draw of the stream gives."""
    legal = position.moves()
    return legal[below(key, position.ply, len(legal)) if len(legal) > 1 else 0]


class PluggedGame(LudoGame):
    """A game whose moves and outcomes plug-ins have a word in; always interpreted."""

    position_class = PluggedPosition
    without: LudoGame

    def __init__(self, rules: RuleSet, arms: tuple[int, ...], plugins: tuple[Any, ...]) -> None:
        super().__init__(rules, arms, state_of(plugins))
        self.plugins = plugins
        self.added_moves = named_by(plugins, "MOVES")
        self.added_outcomes = named_by(plugins, "OUTCOMES")
        self.num_actions += len(self.added_moves)
        self.without = LudoGame(rules, arms, state_of(plugins))
        self.engine = Engine(twin_of(KERNEL), self.board.tables, self.board.scratch_size, stays_interpreted=True)
        self.without.engine = self.engine

    def ask(self, plugin: Any, hook: str, *arguments: Any) -> Any:
        """Call a hook; whatever goes wrong in it is one line."""
        function = getattr(plugin, hook, None)
        if function is None:
            return None
        try:
            return function(*arguments)
        except LudusError:
            raise
        except Exception as error:
            words = f"{type(error).__name__}: {quoted(str(error))}"
            raise LudusError(f"plug-in {name_of(plugin)}: {hook}: {words}") from error

    def _plain_position(self, row: Row) -> Position:
        return Position(self.without, plain(row), 0, 0)

    # ------------------------------------------------------------ what plug-ins add

    def action_of(self, name: str) -> int:
        """The action of an added move: they come last."""
        return self.without.num_actions + list(self.added_moves).index(name)

    def added_at(self, row: Row) -> dict[int, Row]:
        """The added moves that can be played, by action, each with the row that it leads to."""
        found: dict[int, Row] = {}
        position = self._plain_position(row)
        for plugin in dict.fromkeys(self.added_moves.values()):
            given = self.ask(plugin, "moves", position) or {}
            if not isinstance(given, Mapping) or any(self.added_moves.get(name) is not plugin for name in given):
                raise LudusError(
                    f"plug-in {name_of(plugin)}: moves: plain data by the names of MOVES, not {quoted(given)}"
                )
            for name, data in given.items():
                found[self.action_of(name)] = self._row_of(plugin, "moves", data)
        return found

    def _row_of(self, plugin: Any, hook: str, data: Any) -> list[int]:
        """A position that a plug-in gives, as a row."""
        try:
            return plain(self.without.position(data).row)
        except LudusError as error:
            raise LudusError(f"plug-in {name_of(plugin)}: {hook}: {error}") from None

    def brought_by(self, row: Row, name: str) -> list[int]:
        """The row that an added outcome leads to."""
        plugin, position = self.added_outcomes[name], self._plain_position(row)
        data = self.ask(plugin, "after_roll", position, name, position)
        if data is None:
            raise LudusError(f"plug-in {name_of(plugin)}: after_roll: {name!r} must lead to a position")
        return self._row_of(plugin, "after_roll", data)

    def drawn_number(self, position: Position, draw: tuple[int, int] | None = None) -> int:
        """The number of the outcome that is drawn, by the weights that the plug-ins leave."""
        return drawn(self.chance_weights(position.row), *(draw or (stream(position.seed, 0), position.ply)))

    def masked_actions(self, row: Row) -> list[int]:
        """Every legal action: added moves stand for themselves."""
        legal = self.legal_actions(row)
        own = [action for action in legal if action < self.without.num_actions]
        return (self.marked(row, own) if own else []) + legal[len(own) :]

    def checked_action(self, position: Position, action: int) -> int:
        """The lowest action id of the same move."""
        if action < self.without.num_actions:
            return super().checked_action(position, action)
        return self.parse(position, list(self.added_moves)[action - self.without.num_actions])

    def parse(self, position: Position, text: str) -> int:
        """Notation → action id; an added move is its name."""
        if text not in self.added_moves:
            return super().parse(position, text)
        if self.action_of(text) in self.legal_actions(position.row):
            return self.action_of(text)
        raise IllegalMove(Message(PACKAGE, "not_allowed", {"plugin": name_of(self.added_moves[text])}))

    def detail(self, position: Position, action: int) -> LudoMove:
        """The facts of a move; of an added one there is its name."""
        if action < self.without.num_actions:
            return super().detail(position, action)
        name = list(self.added_moves)[action - self.without.num_actions]
        return LudoMove(name, "added", self.players[int(position.row[TURN])], None, None, (), (), (), False)

    def describe(self, move: Move, lang: str) -> str:
        """A move in words; an added one by its name."""
        return str(move) if move.action_id >= self.without.num_actions else super().describe(move, lang)

    def events(self, position: Position, move: Move | str) -> tuple[Any, ...]:
        """What the kernel tells; of what plug-ins add it tells nothing."""
        return () if str(move) in {*self.added_moves, *self.added_outcomes} else super().events(position, move)

    def action_ranges(self) -> list[tuple[str, str]]:
        """The blocks of the action space, then the added moves one by one."""
        return [*super().action_ranges(), *((str(self.action_of(name)), name) for name in self.added_moves)]

    # ------------------------------------------------------------ what plug-ins make of the game's own

    def legal_actions(self, row: Row) -> list[int]:
        """The moves that every plug-in allows, then those that plug-ins add; `pass` where none is left."""
        position = self._plain_position(row)
        kept = [
            move
            for move in position.moves()
            if all(self.ask(plugin, "allows", position, move) is not False for plugin in self.plugins)
        ]
        own = [move.action_id for move in kept]
        added = list(self.added_at(row)) if self.added_moves else []
        return own + added or [self.board.field(k.A_PASS)]

    def why_not(self, row: list[int], action: int) -> IllegalMove:
        """The rule that forbids an action, or the plug-in that does."""
        position = self._plain_position(row)
        legal = {move.action_id: move for move in position.moves()}
        for plugin in self.plugins if action in legal else ():
            if self.ask(plugin, "allows", position, legal[action]) is False:
                return IllegalMove(Message(PACKAGE, "not_allowed", {"plugin": name_of(plugin)}))
        return super().why_not(row, action)

    def chance_weights(self, row: Row) -> dict[str, int]:
        """The outcomes with the weights that the plug-ins give them."""
        weights = super().chance_weights(row)
        position = self._plain_position(row)
        for plugin in self.plugins:
            given = self.ask(plugin, "outcomes", position, dict(weights))
            if given is None:
                continue
            own = {name for name, whose in self.added_outcomes.items() if whose is plugin}
            fits = isinstance(given, Mapping) and given and set(given) <= {*weights, *own}
            if not fits or any(
                isinstance(w, bool) or not isinstance(w, int) or not 0 < w < 1 << 24 for w in given.values()
            ):
                raise LudusError(
                    f"plug-in {name_of(plugin)}: outcomes: whole weights of some of the outcomes, not {quoted(given)}"
                )
            weights = {name: given[name] for name in (*weights, *sorted(own - set(weights))) if name in given}
        return weights

    def played(self, row: Row, action: int) -> list[int]:
        """The row after an action, and what the plug-ins make of it."""
        if action >= self.without.num_actions:
            return plain(self.added_at(row)[action])
        before = self._plain_position(row)
        after = self._made_of("after_move", before.after(action), before, Move(before, action))
        return plain(after.row)

    def rolled(self, row: Row, name: str, after_row: Row) -> list[int] | None:
        """The row that the plug-ins make of a roll, or None where none has a word in it."""
        if not any(hasattr(plugin, "after_roll") for plugin in self.plugins):
            return None
        after = self._made_of("after_roll", self._plain_position(after_row), self._plain_position(row), name)
        return plain(after.row)

    def start_row(self) -> list[int]:
        """The beginning, as the plug-ins set it up."""
        row = super().start_row()
        if not any(hasattr(plugin, "set_up") for plugin in getattr(self, "plugins", ())):
            return row
        return plain(self._made_of("set_up", self._plain_position(row)).row)

    def _made_of(self, hook: str, after: Position, *arguments: Any) -> Position:
        """A position that the plug-ins may change, one after the other."""
        for plugin in self.plugins:
            if after.stage == OVER:
                break
            data = self.ask(plugin, hook, *arguments, after)
            if data is not None:
                after = self._plain_position(self._row_of(plugin, hook, data))
        return after

    def rules_in_python(self, lang: str) -> list[str]:
        """What the plug-ins say of themselves in the rule book."""
        sentences: list[str] = []
        for plugin in self.plugins:
            found = self.ask(plugin, "rules", lang)
            if found is not None and not (isinstance(found, list | tuple) and all(isinstance(s, str) for s in found)):
                raise LudusError(f"plug-in {name_of(plugin)}: rules: a list of sentences, not {quoted(found)}")
            sentences += found or []
        return sentences

    def interpreted(self) -> PluggedGame:
        """It always is."""
        return self

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
        """Games ply by ply in Python: at random, or between bots."""
        import numpy as np

        seeds = [stream(fold_seed(seed), first + number) for number in range(games)]
        if bots is None:
            rows = [self._played_out(partial(game_draw, key), max_plies, partial(at_random, key)) for key in seeds]
        else:
            with closing(seating().seated(self, bots)) as seated:
                rows = [
                    self._played_out(self._draws(own, own_dice), max_plies, partial(by_bots, seated, own))
                    for own in seeds
                ]
        return Playouts.of(self.players, np.array(rows, dtype=np.int64).reshape(games, Playouts.columns()))

    def _draws(self, seed: int, own_dice: bool) -> Draws:
        return SeatDice(seed, self.num_players).next_draw if own_dice else partial(game_draw, stream(seed, 0))

    def _played_out(self, draws: Draws, max_plies: int, choose: Callable[[Position], Move]) -> list[int]:
        position, moves, captures, turns = self.start(), 0, 0, 0
        while position.stage != OVER and position.ply < max_plies:
            if position.stage == DECISION:
                move = choose(position)
                moves, captures = moves + 1, captures + len(move.captures)
                following = position.play(move)
                turns += following.turn != position.turn or following.stage == OVER
            else:
                following = position.rolled_by(*draws(position))
            position = following
        over = position.row[STAGE] == OVER
        places = [int(position.row[self.board.field(k.R_PLACE) + seat]) for seat in range(self.num_players)]
        winner = places.index(1) if over and k.winners(position.row, self.board.tables) == 1 else -1
        return [winner, turns, moves, captures, position.ply, int(over)]

    def __reduce__(self) -> tuple[Any, ...]:
        return (PluggedGame, (self._rules, self.board.arms, self.plugins))
