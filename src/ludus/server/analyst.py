"""Analyses of games that are over, for pages: in a process of its own, given up where they take too much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from ludus.core.kernels.codes import TURN
from ludus.core.position import Position
from ludus.core.registry import from_document
from ludus.core.scene import MoveScene
from ludus.play.facts import Fact, Opening
from ludus.play.labour import Bounds, Overworked, Workshop, work_off
from ludus.play.refusals import Refused
from ludus.play.table import Table
from ludus.server.keeping import Stored
from ludus.server.workbench import position_of

if TYPE_CHECKING:
    from ludus.analysis.analysing import AnalysedDecision, AnalysedEvent, Analysis
    from ludus.analysis.reference import Usual

# the first game of a rule set waits for its kernel to be compiled
BOUNDS = Bounds(seconds=60.0, memory=2048, waiting=2)
GAMES_MEASURED = 1_000
SHOWN = (
    "length.minutes.p50", "length.turns.p5", "length.turns.p50", "length.turns.p95", "completion", "draws", "seat.",
    "captures", "turns.without_choice", "decisions.real", "branching", "lead_changes", "comeback.50", "runaway.50",
    "luck", "skill.",
)  # fmt: skip


class ErrorShown(TypedDict):
    """A move that got a mark: what it lost, in shares of the win, and the best one."""

    n: int
    by: str
    mark: str
    lost: float
    best: str
    best_move: MoveScene | None
    played: MoveScene | None


class MomentShown(TypedDict):
    """What mattered most: an event in words, and the ply to look at: before a move, after a roll."""

    n: int
    ply: int
    mark: str
    words: str


class AnalysisShown(TypedDict):
    """Chances after each event, the event after which the first was ahead for good, errors, and both in words.

    moments: the dearest errors and the rolls with the most luck · luck, lost: what each player's own rolls gave it and
    its errors cost it, in shares of the win.
    """

    turning_point: int | None
    words: str
    curve: list[dict[str, float]]
    errors: list[ErrorShown]
    moments: list[MomentShown]
    luck: dict[str, float]
    lost: dict[str, float]


def analysed(table: str, opening: dict[str, Any], facts: list[list[Any]], lang: str) -> AnalysisShown:
    """In the worker: what the analysis of a table's record says."""
    from ludus.analysis.analysing import analyse
    from ludus.analysis.saying import turning_told

    began = Opening.of(table, opening)
    found = analyse(Table(began, from_document(began.document), [Fact(*fact) for fact in facts]).record)
    return {
        "turning_point": found.turning_point.n if found.turning_point else None,
        "words": turning_told(found, lang),
        "curve": [{player: round(share, 3) for player, share in point.items()} for point in found.curve],
        "errors": [_error(found.record.at(one.n - 1), one, lang) for one in found.decisions if one.mark],
        "moments": [_moment(found, one, lang) for one in found.key_moments()],
        "luck": {player: round(one.luck_of_own_rolls, 4) for player, one in found.summaries.items()},
        "lost": {player: round(one.error * one.unforced, 4) for player, one in found.summaries.items()},
    }


def _moment(found: Analysis, event: AnalysedEvent, lang: str) -> MomentShown:
    """A key moment."""
    from ludus.analysis.analysing import AnalysedRoll
    from ludus.analysis.saying import event_in_words

    ply = event.n if isinstance(event, AnalysedRoll) else event.n - 1
    return {"n": event.n, "ply": ply, "mark": getattr(event, "mark", ""), "words": event_in_words(found, event, lang)}


def _error(before: Position, made: AnalysedDecision, lang: str) -> ErrorShown:
    """A decision that was an error, with both moves as pages draw them."""
    moves = {move["move"]: move for move in before.scene(lang)["moves"]}
    return {
        "n": made.n, "by": made.by, "mark": made.mark, "lost": round(made.error, 4),
        "best": made.best, "best_move": moves.get(made.best), "played": moves.get(made.text),
    }  # fmt: skip


class MoveWorth(TypedDict):
    """A move: what it is worth to who decides, and how far behind the best it is."""

    move: str
    worth: float
    behind: float
    mark: str


class RollWorth(TypedDict):
    """An outcome: how likely it is, and what it is worth to who rolls."""

    roll: str
    chance: float
    worth: float


class ValuesShown(TypedDict):
    """What a position is worth: everybody's chances, each move's worth or each outcome's, the best first.

    reasons: what speaks for some moves and against them, in words.
    """

    by: str
    turn: str
    values: dict[str, float]
    moves: list[MoveWorth]
    rolls: list[RollWorth]
    reasons: dict[str, list[str]]


def values(
    document: dict[str, Any], data: dict[str, Any] | None, id_: str | None, lang: str, wanted: Sequence[str] = ()
) -> ValuesShown:
    """In the worker: what a position is worth, and what may come of it."""
    from ludus.analysis.prospects import after_moves, after_rolls, worth_of
    from ludus.analysis.reasons import reasons
    from ludus.analysis.reference import usual_of
    from ludus.analysis.sight import values_for

    game = from_document(document).compile()
    position = position_of(game, data, id_)
    value, row, seat = values_for(game), position.row, int(position.row[TURN])
    shown: ValuesShown = {
        "by": value.name, "turn": position.turn, "values": {}, "moves": [], "rolls": [], "reasons": {},
    }  # fmt: skip
    if position.to_move == "chance":
        (rolls,) = after_rolls(game, value, [row])
        shares = rolls.average()
        for name, chance, one in zip(position.outcomes(), rolls.weights, rolls.worth, strict=True):
            shown["rolls"].append({"roll": name, "chance": chance, "worth": one[seat]})
    elif position.to_move is not None:
        (moves,) = after_moves(game, value, [row])
        shares = moves.worth[moves.best(seat)]
        own = [one[seat] for one in moves.worth]
        shown["moves"] = _ranked(position, moves.actions, own, usual_of(game, value))
        legal = {one["move"] for one in shown["moves"]}
        shown["reasons"] = reasons(position, [move for move in wanted if move in legal], lang)
    else:
        shares = worth_of(game, value, row)
    shown["values"] = dict(zip(game.players, shares, strict=True))
    return shown


def _ranked(position: Position, actions: list[int], own: list[float], usual: Usual) -> list[MoveWorth]:
    """The moves, the best first."""
    best = max(own)
    found: list[MoveWorth] = []
    for action, worth in sorted(zip(actions, own, strict=True), key=lambda pair: -pair[1]):
        mark = usual.mark_of(best - worth) if len(actions) > 1 else ""
        found.append({"move": str(position.move(action)), "worth": worth, "behind": best - worth, "mark": mark})
    return found


class FigureShown(TypedDict):
    """A figure in words."""

    key: str
    words: str
    text: str


class MeasuredShown(TypedDict):
    """How rules play, in short."""

    head: str
    note: str
    figures: list[FigureShown]


def measured(document: dict[str, Any], lang: str) -> MeasuredShown:
    """In the worker: some games between bots, in figures."""
    from ludus.lab.laboratory import lab
    from ludus.lab.sheets import in_words

    return in_words(lab(from_document(document), GAMES_MEASURED, depth="short", workers=1), SHOWN, lang)  # type: ignore[return-value]


def main() -> None:
    """A worker."""
    work_off({"analysis": analysed, "values": values, "measured": measured})


class Analyst:
    """The server's side: one worker, and every guest in turn."""

    def __init__(self) -> None:
        self._workshop = Workshop(__name__, BOUNDS)

    async def text(self, whose: str, stored: Stored, lang: str) -> str:
        """An analysis in JSON; Refused where it takes too much."""
        return await self.work(whose, "analysis", *stored.plain(), lang)

    async def work(self, whose: str, task: str, *given: Any) -> str:
        """A task's answer in JSON; Refused where it takes too much."""
        try:
            return (await self._workshop.do(whose, task, *given)).decode()
        except Overworked:
            raise Refused("too_hard") from None

    def close(self) -> None:
        """Stop, in the middle of an analysis if need be."""
        self._workshop.close()
