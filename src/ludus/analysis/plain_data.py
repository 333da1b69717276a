"""Analyses and rollouts as plain data, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludus.analysis.analysing import AnalysedDecision, AnalysedRoll, Analysis

VERSION = 1


def as_data(analysis: Analysis) -> dict[str, Any]:
    """Everything that an analysis says."""
    turning = analysis.turning_point
    return {
        "version": VERSION, "game": analysis.game.name, "players": list(analysis.players), "by": analysis.by,
        "plies": analysis.plies, "finished": analysis.finished, "start": analysis.start, "luck": analysis.luck,
        "skill": analysis.skill, "residual": analysis.residual, "result": analysis.result,
        "turning_point": turning.n if turning else None,
        "best_roll": analysis.best_roll.n if analysis.best_roll else None,
        "worst_roll": analysis.worst_roll.n if analysis.worst_roll else None,
        "key_moments": [event.n for event in analysis.key_moments()],
        "usual": asdict(analysis.usual),
        "summaries": {player: asdict(summary) for player, summary in analysis.summaries.items()},
        "curve": analysis.curve,
        "rolls": [_roll(roll) for roll in analysis.rolls],
        "decisions": [_decision(decision) for decision in analysis.decisions],
    }  # fmt: skip


def _roll(roll: AnalysedRoll) -> dict[str, Any]:
    return {
        "n": roll.n, "by": roll.by, "roll": roll.text, "luck": roll.luck, "mark": roll.mark,
        "before": dict(roll.before), "after": dict(roll.after),
    }  # fmt: skip


def _decision(decision: AnalysedDecision) -> dict[str, Any]:
    return {
        "n": decision.n, "by": decision.by, "move": decision.text, "best": decision.best, "error": decision.error,
        "forced": decision.forced, "mark": decision.mark, "harm": decision.harm, "moves": dict(decision.moves),
        "before": dict(decision.before), "after": dict(decision.after),
    }  # fmt: skip
