"""The conformance tests of the bot protocol: what a command must do to play (docs/bot-protocol.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ludus.bots.bot import BotError
from ludus.bots.external import ExternalBot
from ludus.bots.external_process import KeptProcess
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.registry import make

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pettingzoo", {"players": 2}),
    ("star", {"players": 4}),
    ("french", {"players": 2}),
    ("generals", {}),
)
LONG = 60  # decisions of a game that is asked
PATIENCE = 5.0  # seconds to leave when the input ends


@dataclass(frozen=True)
class Check:
    """One demand of the protocol, and how a command met it."""

    key: str
    game: str
    passed: bool
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"check": self.key, "game": self.game or None, "passed": self.passed, "reason": self.reason or None}


class FutureBot(ExternalBot):
    """Speaks as a later minor version would: with keys that nobody knows yet."""

    def _send(self, process: KeptProcess, message: Mapping[str, Any], deadline: float) -> None:
        super()._send(process, {"x-later": {"deep": [1, None]}, **message, "minor-later": 1}, deadline)


class CommandChecks:
    """Checks a command, demand by demand."""

    def __init__(self, command: str, seconds: float, memory: int) -> None:
        self._terms = {"seconds": seconds, "memory": memory}
        self._command = command

    def run(self) -> Iterator[Check]:
        """Every check; after one that fails at the greeting there is nothing more to ask."""
        greeting = self._checked("greets", self._greets)
        yield greeting
        if not greeting.passed:
            return
        for name, options in GAMES:
            yield self._checked("plays", partial(self._plays, name, options), name)
        demands: dict[str, Callable[[], str]] = {
            "again": self._again,
            "repeats": self._repeats,
            "ignores": self._ignores,
            "leaves": self._leaves,
        }
        for key, demand in demands.items():
            yield self._checked(key, demand)

    def _checked(self, key: str, demand: Callable[[], str], game: str = "") -> Check:
        try:
            reason = demand()
        except BotError as error:
            reason = str(error)
        return Check(key, game, not reason, reason)

    def _bot(self, kind: type[ExternalBot] = ExternalBot, seed: int = 1) -> ExternalBot:
        return kind(self._command, seed=seed, **self._terms)  # type: ignore[arg-type]

    def _greets(self) -> str:
        game = _game("pettingzoo", {"players": 2})
        return self._whole(self._bot(), game, 1, most=1)

    def _plays(self, name: str, options: Mapping[str, Any]) -> str:
        return self._whole(self._bot(), _game(name, options), seed=2)

    def _whole(self, bot: ExternalBot, game: Game, seed: int, most: int = LONG) -> str:
        try:
            played(bot, game, seed, most)
        finally:
            bot.close()
        return ""

    def _again(self) -> str:
        """A game played after others goes as it goes first: nothing is kept."""
        game = _game("pettingzoo", {"players": 2})
        bot, fresh = self._bot(), self._bot()
        try:
            for seed in (3, 4):
                played(bot, game, seed, LONG)
            after, first = played(bot, game, 5, LONG), played(fresh, game, 5, LONG)
        finally:
            bot.close()
            fresh.close()
        return "" if after == first else difference(first, after, "in a new process", "after other games")

    def _repeats(self) -> str:
        game = _game("star", {"players": 4})
        games = []
        for _ in range(2):
            bot = self._bot()
            try:
                games.append(played(bot, game, 6, LONG))
            finally:
                bot.close()
        return "" if games[0] == games[1] else difference(games[0], games[1], "once", "another time")

    def _ignores(self) -> str:
        return self._whole(self._bot(FutureBot), _game("pettingzoo", {"players": 2}), seed=7)

    def _leaves(self) -> str:
        bot = self._bot()
        try:
            played(bot, _game("pettingzoo", {"players": 2}), 8, 3)
            process = bot.process
            reason = process.end(PATIENCE) if process else "it was gone in the middle of a game"
        finally:
            bot.close()
        if reason == "exit 0":
            return ""
        return reason if not reason.startswith("asked") else f"it is still there {PATIENCE:g} s later"


def _game(name: str, options: Mapping[str, Any]) -> Game:
    return make(name, **options)


def played(bot: ExternalBot, game: Game, seed: int, most: int) -> list[str]:
    """What the bot plays for everybody in a game, up to so many decisions; then the game is called over."""
    bot.new_game()
    position: Position = game.start(seed)
    moves: list[str] = []
    try:
        while position.to_move is not None and len(moves) < most:
            if position.to_move == "chance":
                position = position.roll()
                continue
            move = bot.choose(position)
            if len(position.moves()) > 1:
                moves.append(str(move))
            position = position.play(move)
    except LudusError as error:
        raise BotError(f"{game.name}, decision {len(moves) + 1}: {error}") from None
    bot.over(position)
    return moves


def difference(first: list[str], other: list[str], one_time: str, another: str) -> str:
    """Where two games parted."""
    at = next((n for n, pair in enumerate(zip(first, other, strict=False)) if pair[0] != pair[1]), 0)
    return f"at decision {at + 1} it played {first[at]} {one_time} and {other[at]} {another}"
