"""A table at the terminal: shows, asks, tells and saves. What happens is decided by the table of `ludus.server`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.bots.bot import Bot as Adviser
from ludus.bots.bot import ask, explained
from ludus.cli.lines import (
    dice_left,
    inked,
    keeps_rolling,
    move_in_words,
    place_in_words,
    played_in_words,
    player_name,
    result_told,
    roll_in_words,
    rolls_just_made,
    rolls_of_turn,
    say,
    title_of,
    told,
)
from ludus.core.errors import IllegalMove, LudusError, one_line
from ludus.core.messages import catalogue
from ludus.core.position import Move, Position
from ludus.core.record import Record
from ludus.play.facts import Fact
from ludus.play.table import Table
from ludus.play.thinking import bot_for

if TYPE_CHECKING:
    from ludus.bots import Bot

SHOWN_AT_ONCE = 24
ADVICE = 3  # candidates of an adviser

# commands that need no decision to be due
AT_ANY_TIME = {"help", "undo", "save", "quit", "board", "rules"}


class Leave(Exception):
    """The person wants to stop."""


def commands(lang: str) -> dict[str, str]:
    """Every word that is a command, English and the language's own, with what it means."""
    words: dict[str, str] = {}
    for spoken in ("en", lang):
        for command, names in catalogue("ludus.cli", spoken)["command"].items():
            words |= dict.fromkeys(names.split(), command)
    return words


class Screen:
    """A table with its people around one screen, and its file."""

    def __init__(
        self, record: Record, lang: str, colour: bool, path: Path | None, adviser: Adviser | None = None
    ) -> None:
        self.table = Table.of_record(record)
        self.record = record
        self.lang = lang
        self.colour = colour
        self.path = path
        self.adviser = adviser
        self.people = {player for player, chair in self.table.chairs.items() if chair.bot is None}
        self.bots: dict[str, Bot] = {
            player: bot_for(chair.bot, record.seed) for player, chair in self.table.chairs.items() if chair.bot
        }
        self.waiting: list[str] = []
        self.words = commands(lang)
        self.actions: dict[str, Callable[[str], None]] = {
            "help": self._help, "undo": self._undo, "save": self._save, "quit": self._quit, "why": self._why,
            "board": self._board, "rules": self._rules, "moves": self._moves,
        }  # fmt: skip

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.table.position

    def play(self) -> None:
        """Play until the game is over or the person leaves."""
        with suppress(ImportError):
            import readline  # noqa: F401  (arrow keys at the prompt)
        self._welcome()
        try:
            while self.position.to_move is not None:
                self._step()
        except KeyboardInterrupt:
            print()
        except Leave:
            pass
        else:
            self._board("")
            print(result_told(self.record, self.lang))
        self._keep()
        if self.path:
            print(self._say("saved", file=self.path))
        elif self.position.to_move is not None and len(self.record):
            print(self._say("not_saved"))

    def _say(self, key: str, **values: object) -> str:
        return say(key, self.lang, **values)

    def _welcome(self) -> None:
        players = [
            f"{player_name(player, self.lang)} ({self._say('you' if player in self.people else 'bot')})"
            for player in self.record.game.players
        ]
        print(self._say("players", title=title_of(self.record.game, self.lang), players=", ".join(players)))
        key = "resumed" if len(self.record) else "new_game"
        print(self._say(key, count=len(self.record), seed=self.record.seed))
        if self.people:
            print(self._say("help_hint"))

    def _step(self) -> None:
        """One event: a roll, a bot's move, or a person's."""
        acting = str(self.table.acting)
        if self.position.to_move == "chance":
            self._let(self.table.roll([acting], self.table.ply))
        elif acting in self.bots:
            self._make(ask(self.bots[acting], self.position))
        elif [str(move) for move in self.position.moves()] == ["pass"]:  # a game resumed where it was due
            self._make(self.position.moves()[0])
        else:
            self._ask()

    def _make(self, move: Move) -> None:
        """Play a move."""
        self._let(self.table.move([str(self.table.acting)], self.table.ply, str(move)))

    def _let(self, facts: list[Fact]) -> None:
        """Let happen what the table decided, and tell it."""
        for fact in facts:
            before = self.position
            rolls = self._rolls(rolls_just_made(self.record, len(self.record)))
            self.table.apply(fact)
            if fact.kind == "roll" and self._hides:
                if self._begins_a_deal():
                    print(self._say("dealt"))
            elif fact.kind == "roll":
                self._tell_roll(before, fact.text)
            elif fact.kind == "move":
                self._tell_move(before, fact.text, rolls)

    def _tell_move(self, before: Position, played: str, rolls: list[str]) -> None:
        """A move; of a card that goes from hand to hand only who gives it."""
        shown = before.game.veiled_event(before, played, self.people) if self._hides else played
        words = played_in_words(before, played, self.lang) if shown == played else self._say("gives_a_card")
        print(told(before.turn, " · ".join(rolls), shown, words, self.lang, self.colour))

    @property
    def _hides(self) -> bool:
        """Whether people play who may not see everything."""
        return self.record.game.has_secrets and bool(self.people) and self.position.to_move is not None

    @property
    def _eyes(self) -> set[str] | None:
        """Whose cards are shown: of several people at one screen only those of whoever's turn it is."""
        if not self._hides:
            return None
        return self.people if len(self.people) == 1 else self.people & {self.position.turn}

    def _rolls(self, rolls: list[str]) -> list[str]:
        """Rolls that belong to a move: a deal does not."""
        return [] if self.record.game.has_secrets else rolls

    def _begins_a_deal(self) -> bool:
        """Whether the last event is the first card of a deal."""
        n = len(self.record)
        return n < 2 or not self.record.event(n - 1).is_chance

    def _tell_roll(self, before: Position, outcome: str) -> None:
        """A roll that somebody decides on is told with the decision."""
        after = self.position
        if after.to_move is None or (after.to_move == "chance" and not keeps_rolling(after)):
            words = roll_in_words(before, outcome, after, self.lang)
            print(told(before.turn, outcome, "", words, self.lang, self.colour))

    # ------------------------------------------------------------ a person's move

    def _ask(self) -> None:
        """Show what there is, and let a person move."""
        try:
            self._keep()
        except LudusError as error:  # a full disk does not end the game; it is told again when the person leaves
            print(error)
        self._board("")
        self._show_dice()
        for hint in self.position.hints(self.lang):
            print(f"  · {hint}")
        self._show_moves(SHOWN_AT_ONCE)
        self._advise()
        before = self.position
        while self.position is before:
            only = len(before.moves()) == 1
            answer = self._read("only_move" if only else "your_move")
            if answer:
                self._answer(answer)
            elif only:
                self._make(before.moves()[0])
            else:
                self._show_moves(SHOWN_AT_ONCE)
        if not sys.stdin.isatty() or self._has_chosen():
            self._pause()

    def _has_chosen(self) -> bool:
        """Whether there was any choice since the last roll: a forced move needs no second thoughts."""
        n = len(self.record)
        while n and not self.record.events[n - 1].is_chance:
            n -= 1
            if len(self.record.at(n).moves()) > 1:
                return True
        return False

    def _pause(self) -> None:
        """After a move that ends what the person decides: a moment to look at it, or to take it back."""
        while self.position.to_move is not None and self.position.to_move not in self.people:
            answer = self._read("after_move")
            if not answer:
                return
            if self.words.get(answer.split()[0].lower()) in AT_ANY_TIME:
                self._answer(answer)
            elif sys.stdin.isatty():
                print(self._say("turn_over"))
            else:  # a script that knows nothing of pauses: its line is for the next move
                self.waiting.append(answer)
                return

    def _read(self, prompt: str) -> str:
        if self.waiting:
            return self.waiting.pop()
        try:
            answer = input(self._say(prompt)).strip()
        except EOFError:
            print()
            raise Leave from None
        if not sys.stdin.isatty():  # a transcript that reads like a session
            print(answer)
        return answer

    def _answer(self, answer: str) -> None:
        """Obey a command, or play a move by number or notation."""
        first, _, rest = answer.partition(" ")
        command = self.words.get(first.lower())
        if command:
            self.actions[command](rest.strip())
            return
        try:
            self._make(self._move(answer))
        except IllegalMove as error:
            print(_sentence(error.explain(self.lang)))
        except LudusError as error:
            print(error)

    def _move(self, text: str) -> Move:
        """The legal move that a number or a notation names."""
        moves = self._in_order()
        if not text.isdecimal():
            return self.position.move(self.position.action(text))
        number = int(text[:9])
        if len(text) > 9 or not 1 <= number <= len(moves):
            raise LudusError(self._say("no_such_number", count=len(moves), number=text[:9]))
        return moves[number - 1]

    def _show_dice(self) -> None:
        position, rolls = self.position, self._rolls(rolls_of_turn(self.record))
        name = player_name(position.turn, self.lang)
        words = self._say("rolled" if rolls else "to_move", player=name, rolls=" · ".join(rolls))
        left = dice_left(position)
        if left and left.replace(" ", ",") != ",".join(rolls):
            words += " — " + self._say("dice_left", dice=left)
        print(inked(words[0].upper() + words[1:], position.turn, self.colour))

    def _in_order(self) -> list[Move]:
        """The legal moves as they are numbered: those of one piece after another."""
        moves = list(self.position.moves())
        first: dict[str, int] = {}
        for at, move in enumerate(moves):
            first.setdefault(_origin(move), at)
        return sorted(moves, key=lambda move: first[_origin(move)])

    def _show_moves(self, limit: int) -> None:
        moves = list(enumerate(self._in_order(), start=1))
        shown = moves if len(moves) <= limit else _short_list(moves, limit)
        width = max((len(str(move)) for _, move in shown), default=0)
        groups = [(origin and place_in_words(origin, self.lang), group) for origin, group in _by_origin(shown)]
        wide = max([len(origin or "") for origin, _ in groups], default=0)
        for origin, group in groups:
            for at, (number, move) in enumerate(group):
                head = "" if origin is None else f"{origin if at == 0 else '':>{max(7, wide)}}"
                print(f"{head}{number:>4}  {move!s:<{width}}  {move_in_words(move, self.lang)}")
        if len(shown) < len(moves):
            print(self._say("more_moves", count=len(moves) - len(shown), all=len(moves)))

    def _advise(self) -> None:
        """What the adviser would do, with its best candidates and the reasons."""
        if self.adviser is None or len(self.position.moves()) == 1:
            return
        try:
            best = explained(self.adviser, self.position)[:ADVICE]
        except LudusError as error:  # the game goes on without advice
            print(one_line(str(error)))
            return
        print(self._say("advice", bot=self.adviser.name))
        width = max(8, *(len(str(candidate.move)) for candidate in best))
        for candidate in best:
            print(f"  {candidate.move!s:<{width}} {candidate.score:>12,.6g}  {candidate.why(self.lang)}".rstrip())

    # ------------------------------------------------------------ commands

    def _help(self, _: str) -> None:
        print(self._say("help").strip("\n"))

    def _board(self, _: str) -> None:
        print()
        print(self.position.text(self.colour, self.lang, self._eyes))

    def _moves(self, _: str) -> None:
        self._show_moves(len(self.position.moves()))

    def _rules(self, _: str) -> None:
        from ludus.cli.rules import rules_in_force

        print(rules_in_force(self.record.game, self.lang))

    def _quit(self, _: str) -> None:
        raise Leave

    def _undo(self, _: str) -> None:
        """Take back the person's last move, if no die has been rolled since."""
        try:
            facts = self.table.undo(self.people, self.table.ply)
        except LudusError:
            print(self._say("nothing_to_undo"))
            return
        self._let(facts)
        print(self._say("undone", move=facts[0].text))

    def _why(self, text: str) -> None:
        """Why a move is not legal, or what it does."""
        moves = self.position.moves()
        if not text:
            print(self._say("why_what", example=moves[0] if moves else "out"))
            return
        try:
            move = self._move(text)
            print(self._say("is_legal", move=move, does=move_in_words(move, self.lang)))
        except IllegalMove as error:
            print(_sentence(error.explain(self.lang)))
        except LudusError as error:
            print(error)

    def _save(self, name: str) -> None:
        path = Path(name).expanduser() if name else self.path
        if path is None:
            print(self._say("save_where"))
        elif path.exists() and path != self.path:
            print(self._say("file_exists", file=path))
        else:
            try:
                self.record.save(path)
            except LudusError as error:
                print(error)
                return
            self.path = path
            print(self._say("saved", file=path))

    def _keep(self) -> None:
        """Bring the file up to date, where there is one."""
        if self.path:
            self.record.save(self.path)


def _origin(move: Move) -> str:
    origin = getattr(move.detail, "origin", None)
    return "-" if origin is None else str(origin)


def _by_origin(moves: list[tuple[int, Move]]) -> list[tuple[str | None, list[tuple[int, Move]]]]:
    """Moves by the piece that makes them, where pieces have several each; else one group without a name."""
    groups: dict[str, list[tuple[int, Move]]] = {}
    for number, move in moves:
        groups.setdefault(_origin(move), []).append((number, move))
    if len(groups) in (1, len(moves)):
        return [(None, moves)]
    return list(groups.items())


def _short_list(moves: list[tuple[int, Move]], limit: int) -> list[tuple[int, Move]]:
    """Of very many moves those to list at once: single dice, captures, pieces home, few dice first."""
    outstanding = [pair for pair in moves if _dice_used(pair[1]) <= 1 or _does_much(pair[1])]
    outstanding.sort(key=lambda pair: _dice_used(pair[1]))
    return sorted(outstanding[:limit], key=lambda pair: pair[0])


def _dice_used(move: Move) -> int:
    dice = getattr(move, "dice", ())
    return len(dice) if isinstance(dice, tuple) else 1


def _does_much(move: Move) -> bool:
    return bool(getattr(move, "captures", ()) or getattr(move, "finishes", False))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
