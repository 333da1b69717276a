"""A game explained: what each roll and each decision was worth, and how they add up to the result.

    result = value at the start + Σ luck + Σ skill + Σ residual, for each player

Luck of a roll: the value after it less the average over all outcomes. Skill of a decision: the value after the move
that was played less that after the best one. Residual: what the value itself changes its mind by, between the value
after an event and the one before the next. Values are shares of the win: they add up to 1 over the players.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import hypot
from pathlib import Path
from typing import Any

from ludus.analysis.prospects import MovesAhead, RollsAhead, after_moves, after_rolls
from ludus.analysis.reference import Usual, usual_of
from ludus.analysis.sight import values_for
from ludus.bots.values import Evaluator
from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.kernels.codes import CHANCE, DECISION, STAGE, TURN
from ludus.core.record import Record
from ludus.core.whole_file import write_whole

Z95 = 1.959964
TOGETHER = 16  # events whose residuals are added up before their noise is estimated
PART = 64  # events that are valued at once: often enough for a progress bar

Shares = Mapping[str, float]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class AnalysedEvent:
    """Event `n` of a record: by whom, what, and each player's share before and after it.

    Before a roll: the average over its outcomes; before a decision: after the best move.
    """

    n: int
    by: str
    text: str
    before: Shares
    after: Shares

    @cached_property
    def change(self) -> dict[str, float]:
        """What the event gave each player: luck, or skill."""
        return {player: self.after[player] - self.before[player] for player in self.before}


@dataclass(frozen=True)
class AnalysedRoll(AnalysedEvent):
    """A roll; `by` is whose turn it was, `mark` 'lucky', 'unlucky' or ''."""

    mark: str = ""

    @property
    def luck(self) -> float:
        """What it gave to the one who rolled."""
        return self.change[self.by]


@dataclass(frozen=True)
class AnalysedDecision(AnalysedEvent):
    """A decision: the best move, what every move was worth to the one who decided, and the error that was made."""

    best: str = ""
    moves: Mapping[str, float] = field(default_factory=dict)
    mark: str = ""

    @property
    def error(self) -> float:
        """What was lost: 0 for the best move."""
        return max(0.0, -self.change[self.by])

    @property
    def forced(self) -> bool:
        """Whether there was no choice."""
        return len(self.moves) < 2

    @property
    def harm(self) -> dict[str, float]:
        """What the error took from each player; less than 0 for those whom it helped."""
        return {player: -change for player, change in self.change.items()}


@dataclass(frozen=True)
class PlayerSummary:
    """One player's game.

    error: per unforced decision · accuracy: 1 where every move was the best, 0 where each was the worst ·
    relative: `error` as a part of what random play loses · adjusted: the result less the luck, with its 95% interval.
    """

    player: str
    decisions: int
    unforced: int
    error: float
    accuracy: float
    relative: float
    rating: str
    marks: Mapping[str, int]
    luck_of_own_rolls: float
    adjusted: float
    low: float
    high: float


# the words of a player's rating, by the part of random play's errors that was made
RATINGS = (
    (0.02, "flawless"), (0.1, "master"), (0.2, "expert"), (0.35, "strong"), (0.55, "fair"), (0.8, "casual"),
    (float("inf"), "random"),
)  # fmt: skip


class Analysis:
    """What a game was worth, event by event. `start`, `luck`, `skill`, `residual` add up to `result`, by player."""

    def __init__(self, record: Record, value: Evaluator, plies: int, usual: Usual, work: _Work) -> None:
        self.record, self.game, self.by, self.plies, self.usual = record, record.game, value.name, plies, usual
        self.finished = record.result is not None
        self.rolls: tuple[AnalysedRoll, ...] = tuple(e for e in work.events if isinstance(e, AnalysedRoll))
        self.decisions: tuple[AnalysedDecision, ...] = tuple(e for e in work.events if isinstance(e, AnalysedDecision))
        self.events: tuple[AnalysedEvent, ...] = tuple(work.events)
        self.start: dict[str, float] = dict(self.events[0].before)
        self.result: dict[str, float] = dict(self.events[-1].after)
        self.luck = self._total(self.rolls)
        self.skill = self._total(self.decisions)
        self.residual = {p: sum(step[p] for step in self.residuals) for p in self.players}

    @property
    def players(self) -> tuple[str, ...]:
        """The players, in the order of play."""
        return self.game.players

    def _total(self, events: tuple[AnalysedEvent, ...]) -> dict[str, float]:
        return {player: sum(event.change[player] for event in events) for player in self.players}

    @cached_property
    def residuals(self) -> list[dict[str, float]]:
        """What the value changes its mind by, between one event and the next."""
        pairs = zip(self.events, self.events[1:], strict=False)
        return [{p: after.before[p] - before.after[p] for p in self.players} for before, after in pairs]

    @cached_property
    def curve(self) -> list[dict[str, float]]:
        """Each player's share at the start and after every event."""
        return [dict(self.start), *(dict(event.after) for event in self.events)]

    @cached_property
    def summaries(self) -> dict[str, PlayerSummary]:
        """Every player's game in numbers."""
        return {player: self._summary(player) for player in self.players}

    def _summary(self, player: str) -> PlayerSummary:
        own = [d for d in self.decisions if d.by == player]
        unforced = [d for d in own if not d.forced]
        lost, at_stake = sum(d.error for d in unforced), sum(max(d.moves.values()) - min(d.moves.values()) for d in own)
        error = lost / len(unforced) if unforced else 0.0
        relative = error / self.usual.random_error if self.usual.random_error > 0 else 0.0
        adjusted = self.result[player] - self.luck[player]
        half = Z95 * self._noise(player)
        return PlayerSummary(
            player=player, decisions=len(own), unforced=len(unforced), error=error,
            accuracy=1.0 - lost / at_stake if at_stake > 0 else 1.0, relative=relative,
            rating=next(word for most, word in RATINGS if relative <= most) if unforced else "none",
            marks={mark: sum(d.mark == mark for d in own) for mark in ("?!", "?", "??")},
            luck_of_own_rolls=sum(roll.luck for roll in self.rolls if roll.by == player),
            adjusted=adjusted, low=adjusted - half, high=adjusted + half,
        )  # fmt: skip

    def _noise(self, player: str) -> float:
        """The standard error of the luck-adjusted result: how far the value went astray, some events at a time.

        What a value errs in at one position it mostly takes back at the next ones, so it is added up before squaring.
        """
        steps = [step[player] for step in self.residuals]
        return hypot(*(sum(steps[first : first + TOGETHER]) for first in range(0, len(steps), TOGETHER)))

    @cached_property
    def best_roll(self) -> AnalysedRoll | None:
        """The luckiest roll."""
        return max(self.rolls, key=lambda roll: roll.luck, default=None)

    @cached_property
    def worst_roll(self) -> AnalysedRoll | None:
        """The unluckiest roll."""
        return min(self.rolls, key=lambda roll: roll.luck, default=None)

    @cached_property
    def leader(self) -> str:
        """Who has the largest share at the end."""
        return max(self.players, key=lambda player: self.result[player])

    @cached_property
    def turning_point(self) -> AnalysedEvent | None:
        """The event by which the one who leads at the end got ahead for good; None where it led from the start."""
        for number in range(len(self.events) - 1, -1, -1):
            shares = self.curve[number]
            if shares[self.leader] < max(share for player, share in shares.items() if player != self.leader):
                return self.events[number]
        return None

    def key_moments(self, most: int = 6) -> list[AnalysedEvent]:
        """What mattered most, in the order of play: the dearest errors and the rolls with the most luck."""
        errors = sorted((d for d in self.decisions if d.mark), key=lambda d: -d.error)[: (most + 1) // 2]
        rolls = sorted((r for r in self.rolls if r.mark), key=lambda r: -abs(r.luck))
        chosen: list[AnalysedEvent] = [*errors, *rolls[: most - len(errors)]]
        return sorted(chosen, key=lambda event: event.n)

    @property
    def plays_on(self) -> bool:
        """Whether places count, not the first one alone."""
        return bool(getattr(getattr(self.game.rules, "win", None), "play_on", False))

    def expected_place(self, share: float) -> float:
        """The mean place that a share stands for, where play goes on: shares fall evenly from place to place."""
        players = len(self.players)
        return 1 + (players - 1) * (1 - share * players / 2)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        from ludus.analysis.plain_data import as_data

        return as_data(self)

    def text(self, lang: str = "en", colour: bool = False) -> str:
        """For a terminal."""
        from ludus.analysis.terminal_text import as_text

        return as_text(self, lang, colour)

    def html(self, path: str | os.PathLike[str] | None = None, lang: str = "en") -> str:
        """One page that needs nothing else; written to `path` where one is given."""
        from ludus.analysis.sheet import as_sheet

        page = as_sheet(self, lang)
        if path is not None:
            try:
                write_whole(Path(os.path.realpath(path)), page.encode())
            except OSError as error:
                raise LudusError(f"{os.fspath(path)}: can't be written: {error.strerror or error}") from None
        return page

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Analysis of {self.game.name}: {len(self.decisions)} decisions, {len(self.rolls)} rolls, by {self.by}>"


def analyse(
    record: Record | str | os.PathLike[str], by: Any = None, plies: int = 1, progress: Progress | None = None
) -> Analysis:
    """Explain a game: a record, or the file of one (docs/analysis.md).

    by: 'td' (the shipped net), 'playouts', or an object that values rows; left out, the net where there is one.
    plies: 1, or 2: every next roll is looked at as well.
    """
    if isinstance(record, str | os.PathLike):
        record = Record.load(record)
    if not isinstance(record, Record):
        raise LudusError(f"what is analysed is a record or its file, not {quoted(record)}")
    if record.game.plugins:
        raise LudusError(f"{record.game.name} has rules in Python, which no value knows: it can't be analysed")
    if not len(record):
        raise LudusError("the record has no event yet: there is nothing to analyse")
    game = record.game.compile()
    value = values_for(game, by, plies)
    usual = usual_of(game, value, plies)
    work = _Work(record, value, usual)
    for done in work.run():
        if progress is not None:
            progress(done, len(record))
    return Analysis(record, value, plies, usual, work)


class _Work:
    """The events of a record being valued, some at a time."""

    def __init__(self, record: Record, value: Evaluator, usual: Usual) -> None:
        self.record, self.value, self.usual = record, value, usual
        self.game: Game = record.game
        self.rows = [position.row for position in record.positions()]
        self.events: list[AnalysedEvent] = []

    def run(self) -> Iterator[int]:
        """Value the events; how many are done."""
        for first in range(0, len(self.record), PART):
            part = range(first, min(first + PART, len(self.record)))
            found = self._rolls([n for n in part if self.rows[n][STAGE] == CHANCE])
            found |= self._decisions([n for n in part if self.rows[n][STAGE] == DECISION])
            self.events += [found[n] for n in sorted(found)]
            yield len(self.events)

    def _named(self, shares: list[float]) -> dict[str, float]:
        return dict(zip(self.game.players, shares, strict=True))

    def _rolls(self, numbers: list[int]) -> dict[int, AnalysedEvent]:
        ahead = after_rolls(self.game, self.value, [self.rows[n] for n in numbers])
        return {n: self._roll(n, one) for n, one in zip(numbers, ahead, strict=True)}

    def _roll(self, n: int, ahead: RollsAhead) -> AnalysedRoll:
        before, event, seat = self.record.at(n), self.record.event(n + 1), int(self.rows[n][TURN])
        expected, after = ahead.average(), ahead.worth[before.outcome_number(event.text)]
        mark = self.usual.luck_of(after[seat] - expected[seat])
        return AnalysedRoll(n + 1, before.turn, event.text, self._named(expected), self._named(after), mark)

    def _decisions(self, numbers: list[int]) -> dict[int, AnalysedEvent]:
        ahead = after_moves(self.game, self.value, [self.rows[n] for n in numbers])
        return {n: self._decision(n, one) for n, one in zip(numbers, ahead, strict=True)}

    def _decision(self, n: int, ahead: MovesAhead) -> AnalysedDecision:
        before, event, seat = self.record.at(n), self.record.event(n + 1), int(self.rows[n][TURN])
        best, played, worth = ahead.best(seat), ahead.actions.index(before.action(event.text)), ahead.worth
        names = [str(before.move(action)) for action in ahead.actions]
        moves = {name: shares[seat] for name, shares in zip(names, worth, strict=True)}
        if worth[played][seat] >= worth[best][seat]:  # one of several that are as good as the best
            best = played
        mark = self.usual.mark_of(worth[best][seat] - worth[played][seat]) if len(names) > 1 else ""
        return AnalysedDecision(
            n + 1, event.by, event.text, self._named(worth[best]), self._named(worth[played]), names[best], moves, mark,
        )  # fmt: skip
