"""The figures of one rule set, from what its parts gave (docs/lab.md defines every figure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ludus.core.game import Game
from ludus.core.sides import sides_of
from ludus.lab.figures import Figure, deviation_of, mean_of, quantile_of, ratio_of, share_of
from ludus.lab.parts import COLUMNS, Part, Scope
from ludus.lab.valuing import MOMENTS

SECONDS_A_ROLL, SECONDS_A_CHOICE = 3.0, 4.0  # how long people take
QUANTILES = (5, 50, 95)


class Measured:
    """The figures of one game: `figures[name]`."""

    def __init__(self, game: Game, scope: Scope, found: Mapping[Part, Any]) -> None:
        self.game, self.level = game, scope.level_for(game)
        self._found = {part: found[part] for part in scope.parts(game)}
        self.figures: dict[str, Figure] = dict(self._all())

    def _of(self, kind: str) -> dict[str, list[Any]]:
        """What was found, by what it is of, in the order of the parts."""
        found: dict[str, list[Any]] = {}
        for part, gave in self._found.items():
            if part.kind == kind:
                found.setdefault(part.what, []).append(gave)
        return found

    def _list(self, kind: str) -> list[Any]:
        return [game for parts in self._of(kind).values() for part in parts for game in part]

    def _all(self) -> Iterator[tuple[str, Figure]]:
        played = {level: _columns(parts) for level, parts in self._of("games").items()}
        watched, valued = self._list("watched"), self._list("valued")
        if played:
            yield from self._lengths(played[self.level], watched)
            yield from self._ends(played[self.level])
        if watched:
            yield from _choices(watched)
        if valued:
            yield from _stakes(valued, len(sides_of(self.game)))
            yield from _course(valued)
            if not self.game.has_secrets:  # no net looks into hands: a card would be no luck
                yield from _luck(valued)
        for what, parts in self._of("duel").items():
            yield _duel_key(what), mean_of([edge for part in parts for edge in part])
        for kind, parts in self._of("without").items():
            pairs = np.array([pair for part in parts for pair in part])
            yield f"worth.{kind}", mean_of(pairs[:, 1] - pairs[:, 0])
        yield from self._levels(played)
        yield from _events(watched)

    def _lengths(self, played: dict[str, Any], watched: list[Any]) -> Iterator[tuple[str, Figure]]:
        over = played["finished"]
        kinds = {"turns": played["turns"], "moves": played["moves"]}
        if watched:
            kinds["minutes"] = played["turns"] * _seconds_a_turn(watched) / 60
        for name, values in kinds.items():
            lengths = values[over]
            yield f"length.{name}", mean_of(lengths)
            if len(lengths):
                yield f"length.{name}.sd", deviation_of(lengths)
                for percent in QUANTILES:
                    yield f"length.{name}.p{percent}", quantile_of(lengths, percent / 100)

    def _ends(self, played: dict[str, Any]) -> Iterator[tuple[str, Figure]]:
        count, over = len(played["winner"]), played["finished"]
        yield "completion", share_of(int(over.sum()), count)
        yield "draws", share_of(int((over & (played["winner"] < 0)).sum()), count)
        for seat, player in enumerate(self.game.players):
            yield f"seat.{player}", share_of(int((played["winner"] == seat).sum()), count)
        yield "captures", mean_of(played["captures"])

    def _levels(self, played: Mapping[str, dict[str, Any]]) -> Iterator[tuple[str, Figure]]:
        """The same among weaker players."""
        for level, columns in played.items():
            if level != self.level:
                over = columns["finished"]
                yield f"at.{level}.turns", mean_of(columns["turns"][over])
                yield f"at.{level}.captures", mean_of(columns["captures"])
                yield f"at.{level}.first", share_of(int((columns["winner"] == 0).sum()), len(over))


def _columns(parts: list[dict[str, list[int]]]) -> dict[str, Any]:
    columns = {name: np.concatenate([np.array(part[name], np.int64) for part in parts]) for name in COLUMNS}
    return columns | {"finished": columns["finished"] == 1}


def _duel_key(what: str) -> str:
    """skill.heuristic, or trace.16 for a search against one with half the simulations."""
    stronger = what.partition(" ")[0]
    return f"trace.{stronger.rpartition('=')[2]}" if "=" in stronger else f"skill.{stronger}"


def _total(watched: list[Any], name: str) -> float:
    return float(sum(game.get(name, 0) for game in watched))


def _counts(watched: list[Any], name: str) -> list[float]:
    return [game.get(name, 0) for game in watched]


def _seconds_a_turn(watched: list[Any]) -> float:
    spent = SECONDS_A_ROLL * _total(watched, "rolls") + SECONDS_A_CHOICE * _total(watched, "unforced")
    return spent / max(1.0, _total(watched, "turns"))


def _choices(watched: list[Any]) -> Iterator[tuple[str, Figure]]:
    turns, chosen = _counts(watched, "turns"), _counts(watched, "turns_with_choice")
    yield "turns.with_choice", ratio_of(chosen, turns)
    yield "turns.without_choice", ratio_of(np.subtract(turns, chosen), turns)
    yield "decisions.real", ratio_of(_counts(watched, "unforced"), _counts(watched, "decisions"))
    yield "branching", ratio_of(_counts(watched, "choices"), _counts(watched, "unforced"))
    if out := [game["first_out"] for game in watched if game["first_out"]]:
        yield "first_out", mean_of(out)


def _events(watched: list[Any]) -> Iterator[tuple[str, Figure]]:
    for kind in sorted({kind for game in watched for kind in game["events"]}):
        yield f"events.{kind}", mean_of([game["events"].get(kind, 0) for game in watched])


def _stakes(valued: list[Any], sides: int) -> Iterator[tuple[str, Figure]]:
    real = _counts(valued, "unforced")
    yield "relevance", ratio_of(_counts(valued, "relevance"), real)
    yield "narrowness", ratio_of(_counts(valued, "narrow"), real)
    if sides > 2:
        yield "kingmaking", ratio_of(_counts(valued, "kingmaking"), real)


def _course(valued: list[Any]) -> Iterator[tuple[str, Figure]]:
    """What games are like as they go on."""
    turns = np.array(_counts(valued, "turns"))
    yield "lead_changes", mean_of(_counts(valued, "lead_changes"))
    yield "stability", ratio_of(turns - _counts(valued, "unrest"), turns)
    won = [game for game in valued if "drama" in game]
    if not won:
        return
    yield "drama", mean_of([game["drama"] for game in won])
    yield "decisiveness", mean_of([game["decided"] for game in won])
    for kind, key in (("comeback", "was_last"), ("runaway", "led")):
        for at, percent in enumerate(MOMENTS):
            yield f"{kind}.{percent}", share_of(sum(game[key][at] for game in won), len(won))


def _luck(valued: list[Any]) -> Iterator[tuple[str, Figure]]:
    """The parts of the outcome's variance that are luck, mistakes, and what the value did not know."""
    result, start, luck, mistakes = (
        np.array([game[key] for game in valued]) for key in ("result", "start", "luck", "mistakes")
    )
    off = result - result.mean(axis=0)
    parts = {"luck": luck, "luck.mistakes": mistakes, "luck.unexplained": result - start - luck - mistakes}
    for name, part in parts.items():
        yield name, ratio_of((off * (part - part.mean(axis=0))).sum(axis=1), (off * off).sum(axis=1))
