"""One game under way, as environments need it: the position at which somebody decides, chance resolved by a seed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from ludus.core.action_ids import as_action
from ludus.core.errors import IllegalMove, LudusError, RulesError, quoted
from ludus.core.game import Game
from ludus.core.kernels.codes import OVER, TURN
from ludus.core.messages import Message
from ludus.core.patience import said_if_long
from ludus.core.position import CORE, Position
from ludus.core.random import SEED_BITS
from ludus.core.registry import make
from ludus.core.seeds import fold_seed

RESET_OPTIONS = ("position", "rolls")


class UnknownOption(RulesError, TypeError):
    """A keyword that is no option of the rules: wrappers that try one of their own find the TypeError they look for."""


def settled_game(game: Any, options: Mapping[str, Any]) -> Game:
    """A game, or what `ludus.make` takes with options of the rules; keywords that are none are an UnknownOption."""
    if isinstance(game, Game):
        if options:
            raise LudusError(f"a game has its options; leave out {', '.join(options)}, or name the game")
        return game
    try:
        return make(game, **options)
    except RulesError as error:
        named = [name for name in options if f"unknown option {name!r}" in str(error)]
        if not named:
            raise
        raise UnknownOption(f"{error} (an unexpected keyword argument {named[0]!r})") from error


def compiled_for_play(game: Game) -> Game:
    """The game on its compiled kernel, with all that one game after the other needs of it."""
    with said_if_long(f"ludus compiles {game.name} for this machine; it is kept, so this is once"):
        game.engine.compile()
        if game.engine.fast:
            _ = game.engine.kernel.legal_api  # and the other short entries, which are compiled with it
    return game


class Seeds:
    """The seeds of one environment's games: the one it was given, then others drawn from it."""

    def __init__(self, seed: int | None) -> None:
        self.restart(seed)

    def restart(self, seed: int | None) -> None:
        """Begin again with a seed; None takes one from the system."""
        import numpy as np

        self._given = None if seed is None else fold_seed(seed)
        self._rng = np.random.default_rng(self._given)

    def next(self) -> int:
        """The seed of the next game."""
        if self._given is not None:
            seed, self._given = self._given, None
            return seed
        return int(self._rng.integers(SEED_BITS))


class GameUnderWay:
    """A game at its current decision (or over): dice are rolled as soon as they are due, forced ones first."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._forced: deque[str] = deque()
        self.moves_made = 0
        self.position: Position
        self.mask: Any  # int8[num_actions], the legal actions of the position

    def begin(self, seed: int, options: Mapping[str, Any] | None = None) -> None:
        """A new game, or one from `options["position"]`, with `options["rolls"]` as the first chance outcomes."""
        wanted = checked_options(options)
        start = self.game.start(seed)
        if "position" in wanted:
            start = self._adopted(wanted["position"], seed)
        self._move_to(start, checked_rolls(wanted.get("rolls", ())))
        self.moves_made = 0

    def put(self, position: Position | Mapping[str, Any]) -> None:
        """Go on from a position; one at chance is rolled on."""
        self._move_to(self._adopted(position, self.position.seed))

    def force(self, rolls: Iterable[str]) -> None:
        """The next chance outcomes, in order, as `Position.outcomes()` writes them."""
        self._forced.extend(checked_rolls(rolls))

    def act(self, action: Any) -> None:
        """Play an action of the mask; anything else is an IllegalMove and changes nothing."""
        number = as_action(action, self.game.num_actions)
        if not self.mask[number]:
            self._refuse(number)
        self._move_to(self.position.after(number))
        self.moves_made += 1

    def _refuse(self, action: int) -> None:
        if self.is_over:
            raise IllegalMove(Message(CORE, "game_over", {"move": str(action)}))
        self.position.move(action)  # says why
        raise AssertionError(f"the mask of {self.position!r} lacks {action}")

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.position.stage == OVER

    @property
    def seat(self) -> int:
        """Who decides; when the game is over, the last mover."""
        return int(self.position.row[TURN])

    def _adopted(self, position: Any, seed: int) -> Position:
        if isinstance(position, Position):
            if position.game != self.game:
                raise LudusError(f"a position of {position.game!r} is none of {self.game!r}")
            return self.game.position_class(self.game, position.row, position.seed, position.ply)
        if not isinstance(position, Mapping):
            raise LudusError(f"a position is a Position or a mapping as its to_dict() gives, not {quoted(position)}")
        return self.game.position(position, seed)

    def _move_to(self, position: Position, rolls: Iterable[str] | None = None) -> None:
        """Go on to the next decision; with the rolls that were forced before, or with others in their place."""
        forced = deque(self._forced if rolls is None else rolls)
        while position.to_move == "chance":
            position = position.play(forced.popleft()) if forced else position.roll()
        self.position, self._forced = position, forced
        self.mask = position.mask().view("int8")


def checked_rolls(rolls: Any) -> list[str]:
    """Chance outcomes as they are written; whether they can come is seen when they do."""
    if isinstance(rolls, str) or not isinstance(rolls, Iterable):
        raise LudusError(f"rolls: a list of chance outcomes like ['6', '3'], not {quoted(rolls)}")
    wanted = list(rolls)
    for roll in wanted:
        if not isinstance(roll, str):
            raise LudusError(f"rolls: outcomes are written like '6' or '5,3', not {quoted(roll)}")
    return wanted


def checked_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The options of a reset that are ours; others may be a wrapper's."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise LudusError(f"options: a mapping, not {quoted(options)}")
    return {key: options[key] for key in RESET_OPTIONS if key in options}
