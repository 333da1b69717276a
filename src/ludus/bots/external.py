"""Bots in any language: a command that answers lines of JSON (docs/bot-protocol.md)."""

from __future__ import annotations

import json
import shlex
import shutil
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ludus.bots.bot import Bot, BotError
from ludus.bots.external_process import GRACE, KeptProcess
from ludus.bots.roster import EXTERNAL
from ludus.core.errors import quoted
from ludus.core.game import Game
from ludus.core.position import Move, Position
from ludus.core.random import stream
from ludus.core.record import engine_version

PROTOCOL, MINOR = 1, 1  # what is added raises the minor version: bots ignore keys that they do not know
FACTS = ("colour", "origin", "target", "dice", "path", "finishes")
SECONDS = 10.0  # for a move
FIRST_SECONDS = 60.0  # for the handshake: interpreters and their libraries load
MEMORY = 1024  # MB
MOST_SECONDS, MOST_MEMORY = 86_400.0, 1 << 20


class ExternalBot(Bot):
    """A command that is asked for moves by number; started at the first move, and again after a failure."""

    def __init__(self, command: str, seed: int = 0, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        super().__init__(seed)
        self.name = EXTERNAL + command
        self.command = _words(command)
        self.seconds = _within("seconds", seconds, MOST_SECONDS)
        self.memory = int(_within("memory", memory, MOST_MEMORY))
        self._process: KeptProcess | None = None
        self._told: tuple[str, int, str] | None = None
        self._asked = 0

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """What the command answers; BotError where it gives no legal answer in time, and it is ended then."""
        try:
            process = self._process or self._start()
            deadline = time.monotonic() + self.seconds
            self._tell_game(process, position, deadline)
            self._asked += 1
            self._send(process, self._question(position, moves), deadline)
            return moves[self._answer(process, len(moves), deadline) - 1]
        except BotError:
            self.close(0.0)
            raise

    def check(self, game: Game) -> None:
        """The program must be there; whether it is a bot is seen when it is asked."""
        if shutil.which(self.command[0]) is None:
            raise BotError(f"{self.name}: there is no program {quoted(self.command[0])} that can be started")

    def new_game(self) -> None:
        """What comes next is another game, even if it has the seed of the one before: the command is told."""
        self._told = None

    def over(self, position: Position) -> None:
        """Tell the command how the game ended."""
        if self._process is None or self._told is None:
            return
        self._told = None
        try:
            message = {"type": "over", "position": position.to_dict(), "result": position.result}
            self._send(self._process, message, time.monotonic() + self.seconds)
        except BotError:  # the game is over; the next one begins with a new process
            self.close(0.0)

    @property
    def process(self) -> KeptProcess | None:
        """The command as it runs; None before the first move and after a failure."""
        return self._process

    def close(self, grace: float = GRACE) -> None:
        """End the command and whatever it has started."""
        if self._process is not None:
            process, self._process, self._told = self._process, None, None
            process.end(grace)

    def _start(self) -> KeptProcess:
        process = self._process = KeptProcess(self.command, self.name, self.memory << 20)
        deadline, engine = time.monotonic() + max(FIRST_SECONDS, self.seconds), f"ludus {engine_version()}"
        self._send(process, {"type": "hello", "protocol": PROTOCOL, "minor": MINOR, "engine": engine}, deadline)
        answer = self._parsed(process.line(deadline))
        if answer.get("type") != "hello" or answer.get("protocol") != PROTOCOL:
            raise BotError(
                f"{self.name}: greeted with {_short(answer)}; expected "
                f'{{"type": "hello", "protocol": {PROTOCOL}}} as its first line'
            )
        return process

    def _send(self, process: KeptProcess, message: Mapping[str, Any], deadline: float) -> None:
        process.send(json.dumps(message, separators=(",", ":")).encode() + b"\n", deadline)

    def _tell_game(self, process: KeptProcess, position: Position, deadline: float) -> None:
        """The rules and the seat, once for each game."""
        game, player = position.game, str(position.to_move)
        told = (game.digest, position.seed, player)
        if told == self._told:
            return
        self._told = told
        seed = stream(self.key(position), game.players.index(player))  # its copies at the table draw lots of their own
        message = {
            "type": "game", "game": game.name, "players": list(game.players), "you": player,
            "seed": seed & 0x7FFFFFFF, "clock": {"seconds": self.seconds}, "rules": game.document(),
            "geometry": game.geometry(),
        }  # fmt: skip
        self._send(process, message, deadline)

    def _question(self, position: Position, moves: Sequence[Move]) -> dict[str, Any]:
        listed = [move_data(number, position, move) for number, move in enumerate(moves, start=1)]
        return {
            "type": "move", "id": self._asked, "you": position.to_move, "ply": position.ply,
            "clock": {"seconds": self.seconds}, "position": position.to_dict(), "moves": listed,
        }  # fmt: skip

    def _answer(self, process: KeptProcess, count: int, deadline: float) -> int:
        answer = self._parsed(process.line(deadline))
        if answer.get("id") != self._asked:
            raise BotError(f"{self.name}: answered {_short(answer)} where an answer with id {self._asked} was due")
        number = answer.get("move")
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= count:
            raise BotError(f"{self.name}: answered move {quoted(number)}; the moves are numbered 1 to {count}")
        return number

    def _parsed(self, line: bytes) -> dict[str, Any]:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise BotError(f"{self.name}: answered {_short(line)}, which is not a JSON object")
        return data

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_process": None, "_told": None}


def move_data(number: int, position: Position, move: Move) -> dict[str, Any]:
    """A legal move for somebody without a rules engine: its number, notation, meaning, and where it leads."""
    after = position.play(move)
    data: dict[str, Any] = {
        "number": number, "move": str(move), "words": move.describe("en"),
        "to_move": after.to_move, "after": after.to_dict(), **move_facts(move),
    }  # fmt: skip
    return data if after.result is None else data | {"result": after.result}


def move_facts(move: Move) -> dict[str, Any]:
    """What a move does: whose piece goes from where to where by what way, with which dice, and what it captures."""
    detail = move.detail
    facts = {name: getattr(detail, name, None) for name in FACTS}
    return facts | {"captures": [one._asdict() for one in getattr(detail, "captures", ())]}


def _short(answer: object) -> str:
    return quoted(answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotError(f"bot {EXTERNAL}{command}: {error} in the command") from None
    if not words:
        raise BotError(f"bot {EXTERNAL}: which command? For example {EXTERNAL}python bot.py")
    return words


def _within(name: str, value: Any, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
        raise BotError(f"bot {EXTERNAL}: {name} is a number above 0, at most {most:g}, not {quoted(value)}")
    return float(value)
