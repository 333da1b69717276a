"""What a bot is: it chooses moves, and can say why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ludus.core.errors import LudusError, in_a_line, quoted
from ludus.core.game import Game
from ludus.core.messages import Message
from ludus.core.position import Move, Position
from ludus.core.random import below, stream
from ludus.core.seeds import derived_seed, fold_seed

PACKAGE = "ludus.bots"


class BotError(LudusError):
    """A bot that can't play: it failed, answered nonsense, or does not know the game."""


def reason(key: str, **values: Any) -> Message:
    """A reason of a bot, by key: [why] in words/*.toml."""
    return Message(PACKAGE, key, values, "why")


@dataclass(frozen=True)
class Candidate:
    """A legal move as a bot sees it: its score (larger is better, in the bot's own units) and the reasons."""

    move: Move
    score: float
    reasons: tuple[Message, ...] = ()
    detail: dict[str, Any] = field(default_factory=dict)

    def why(self, lang: str = "en") -> str:
        """The reasons in words."""
        return ", ".join(message.text(lang) for message in self.reasons)


class Bot(ABC):
    """Chooses moves. What it does is a function of its seed and the position: nothing is kept from game to game.

    A bot that remembers something between its moves sets `keeps_state`; whoever runs games then makes a new one
    for each. Options are the keyword arguments of the constructor.
    """

    name = "bot"
    keeps_state = False

    def __init__(self, seed: int = 0) -> None:
        self.seed = fold_seed(seed)

    def choose(self, position: Position) -> Move:
        """One of `position.moves()`; a position where nobody decides is a BotError."""
        moves = position.moves()
        if not moves:
            raise BotError(f"{self.name}: nobody decides here, {position.to_move or 'the game is over'}")
        return moves[0] if len(moves) == 1 else self.pick(position, moves)

    @abstractmethod
    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """One of two or more legal moves."""

    def explain(self, position: Position) -> list[Candidate]:
        """The legal moves with scores and reasons, the best first; [] where nobody decides."""
        moves = position.moves()
        if not moves:
            return []
        chosen = ask(self, position)
        others = [Candidate(move, 0.0) for move in moves if move != chosen]
        return [Candidate(chosen, 1.0, (reason("chosen"),)), *others]

    def check(self, game: Game) -> None:  # noqa: B027  (most play every game)
        """BotError where the bot does not play this game."""

    def close(self) -> None:  # noqa: B027  (most have nothing to close)
        """Give back what the bot holds outside of Python: a process, a file."""

    @property
    def in_kernel(self) -> tuple[int, int, int] | None:
        """The policy, its option and the seed of this bot inside compiled games; None where it plays in Python."""
        return None

    def draw(self, position: Position, count: int) -> int:
        """A number below `count`, from the bot's own stream at this position: the same whenever it is asked."""
        return below(self.key(position), position.ply, count)

    def key(self, position: Position) -> int:
        """The key of the bot's own stream for the game that a position belongs to."""
        return stream(self.seed, stream(position.seed, 0))

    def __repr__(self) -> str:
        return f"<Bot {self.name}>"


def unforetold(position: Position, seed: int) -> Position:
    """The position as a bot may see it: its `roll()` draws from a stream of its own, not the dice that will fall.

    Where players hold cards, what the one in turn has not seen is drawn anew: others' hands, what they give, the deck.
    """
    game, row = position.game, position.row
    if game.has_secrets and position.turn in game.players:
        row = game.redrawn(row, position.turn, stream(seed, position.ply))
    return game.position_class(game, row, seed, position.ply)


def seen_by(bot: Any, position: Position) -> Position:
    """What a bot is shown. Those that also play inside compiled games draw their lots from the game's own seed there
    and here alike, and look at nothing else; all others get a stream from which that seed can't be found out.
    """
    if getattr(bot, "in_kernel", None) is not None and not position.game.has_secrets:
        return position
    return unforetold(position, derived_seed(position.seed, "bots"))


def explained(bot: Any, position: Position) -> list[Candidate]:
    """A bot's candidates, the best first; whatever goes wrong in a bot is a BotError of one line."""
    try:
        return list(bot.explain(seen_by(bot, position)))
    except LudusError:
        raise
    except (Exception, SystemExit) as error:
        name = getattr(bot, "name", type(bot).__name__)
        raise BotError(f"bot {name} failed: {in_a_line(error)}") from error


def ask(bot: Any, position: Position, name: str = "") -> Move:
    """A bot's move, checked: whatever goes wrong in a bot is a BotError of one line, which may call it by a `name`."""
    name = name or getattr(bot, "name", type(bot).__name__)
    try:
        seen = seen_by(bot, position)
        answer = bot.choose(seen)
    except BotError:
        raise
    except (Exception, SystemExit) as error:  # a bot is somebody else's code: anything may come
        raise BotError(f"bot {name} failed: {in_a_line(error)}") from error
    try:
        if isinstance(answer, Move) and answer.position is seen:
            return answer if seen is position else Move(position, answer.action_id)
        if isinstance(answer, Move | str):
            return position.move(position.action(answer))
        return position.move(answer)
    except LudusError as error:
        raise BotError(f"bot {name} answered {quoted(answer)}: {error}") from error
