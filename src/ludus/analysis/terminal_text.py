"""An analysis for a terminal: the sum, every player's game, and the key moments."""

from __future__ import annotations

import io
import shutil
from typing import TYPE_CHECKING, Any

from ludus.analysis.saying import (
    event_in_words,
    facts_in_words,
    harm_in_words,
    name,
    points,
    result_in_words,
    say,
    value_in_words,
)
from ludus.arena.report import percent, safe, terminal_table

if TYPE_CHECKING:
    from ludus.analysis.analysing import Analysis

SPARKS = "▁▂▃▄▅▆▇█"
WIDEST_CURVE = 60


def as_text(analysis: Analysis, lang: str = "en", colour: bool = False) -> str:
    """Tables and sentences."""
    from rich.console import Console

    file = io.StringIO()
    width = max(80, shutil.get_terminal_size((120, 24)).columns)
    console = Console(file=file, width=width, force_terminal=colour, no_color=not colour, highlight=False, emoji=False)
    console.print(f"[bold]{safe(say('title', lang, game=analysis.game.title(lang)))}[/bold]")
    console.print(safe(result_in_words(analysis, lang)))
    for head, words in facts_in_words(analysis, lang):
        console.print(safe(f"{head}{say('colon', lang)}{words}"))
    console.print(safe(value_in_words(analysis, lang)))
    console.print(_sum(analysis, lang))
    console.print(_players(analysis, lang))
    console.print(_curves(analysis, lang))
    moments = analysis.key_moments()
    if moments:
        console.print(f"[bold]{safe(say('moments', lang))}[/bold]")
    for event in moments:
        console.print(safe(f"{event.n:>5}  {event_in_words(analysis, event, lang)}"), soft_wrap=True)
        console.print(safe(f"       {harm_in_words(event, lang)}"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip().splitlines())


def _sum(analysis: Analysis, lang: str) -> Any:
    keys = ("start", "luck", "skill", "residual", "result")
    table = terminal_table(say("sum", lang), say("player", lang), *(say(key, lang) for key in keys))
    for player in analysis.players:
        parts = [points(getattr(analysis, key)[player], lang) for key in keys[1:-1]]
        ends = percent(analysis.start[player], lang), percent(analysis.result[player], lang)
        table.add_row(name(player, lang), ends[0], *parts, ends[1])
    return table


def _players(analysis: Analysis, lang: str) -> Any:
    keys = ("rating", "accuracy", "error", "marks", "own_luck", "adjusted")
    table = terminal_table(say("players", lang), say("player", lang), *(say(key, lang) for key in keys))
    for player, summary in analysis.summaries.items():
        marks = " ".join(f"{count}{mark}" for mark, count in summary.marks.items() if count) or "–"
        half = percent((summary.high - summary.low) / 2, lang)
        table.add_row(
            name(player, lang), say(summary.rating, lang, "rating"), percent(summary.accuracy, lang),
            points(-summary.error, lang), marks, points(summary.luck_of_own_rolls, lang),
            f"{percent(summary.adjusted, lang)} ± {half}",
        )  # fmt: skip
    return table


def _curves(analysis: Analysis, lang: str) -> Any:
    table = terminal_table(say("curves", lang), say("player", lang), "")
    step = max(1, len(analysis.curve) // WIDEST_CURVE)
    for player in analysis.players:
        shares = [shares[player] for shares in analysis.curve[::step]]
        table.add_row(name(player, lang), "".join(SPARKS[min(7, max(0, int(8 * share)))] for share in shares))
    return table
