"""Who plays the seats that do not learn."""

from __future__ import annotations

from typing import Any, Protocol

from ludus.bots import ask, bot
from ludus.bots.roster import RANDOM
from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.position import Move, Position


class Chooser(Protocol):
    """Who plays a seat: `ludus.bot(…)`, or anything that chooses a move."""

    def choose(self, position: Position) -> Move: ...


class Opponents:
    """A player for every seat but the learner's; `random` ones are None here, they draw from the environment."""

    def __init__(self, game: Game, learner: int, wanted: Any) -> None:
        self.named = seated(game, learner, wanted)
        self._players: list[Chooser | None] = [None] * len(self.named)
        self.begin()
        for player in self._players:
            call(player, "check", game)

    def begin(self) -> None:
        """Before each game: those that were named are made anew where they remember something."""
        for seat, name in enumerate(self.named):
            player = self._players[seat]
            if isinstance(name, str) and name != RANDOM:
                if player is None or getattr(player, "keeps_state", False):
                    call(player, "close")
                    self._players[seat] = bot(name, seed=0)
            elif name != RANDOM:
                self._players[seat] = name
            call(self._players[seat], "new_game")

    def move(self, position: Position, seat: int, rng: Any) -> int:
        """The action of a seat; whatever goes wrong in a bot is a BotError of one line."""
        player = self._players[seat]
        if player is not None:
            return ask(player, position).action_id
        moves = position.moves()
        return moves[int(rng.integers(len(moves)))].action_id

    def over(self, position: Position) -> None:
        """Tell those who want to know how the game ended."""
        for player in self._players:
            call(player, "over", position)

    def close(self) -> None:
        """End the processes of those that were named; what was handed in stays its owner's."""
        for seat, name in enumerate(self.named):
            if isinstance(name, str) and name != RANDOM:
                call(self._players[seat], "close")


def call(player: Any, method: str, *arguments: Any) -> None:
    """Call a method of a bot, where it has it."""
    found = getattr(player, method, None)
    if callable(found):
        found(*arguments)


def seated(game: Game, learner: int, wanted: Any) -> list[Any]:
    """What was asked for each seat: one bot for all others, or one each."""
    others = game.num_players - 1
    named = [wanted] * others if isinstance(wanted, str) or hasattr(wanted, "choose") else wanted
    if not isinstance(named, list | tuple) or len(named) != others:
        raise LudusError(f"opponents: a bot, or a list of {others}, not {quoted(wanted)}")
    for player in named:
        if not isinstance(player, str) and not callable(getattr(player, "choose", None)):
            raise LudusError(f"opponents: a bot's name, or an object with choose(position), not {quoted(player)}")
    return [*named[:learner], RANDOM, *named[learner:]]
