"""A rollout for a terminal."""

from __future__ import annotations

import io
import shutil
from typing import TYPE_CHECKING, Any

from ludus.analysis.playing_on import TO_THE_END
from ludus.analysis.saying import name, points, say
from ludus.arena.report import percent, safe, terminal_table
from ludus.core.written_numbers import local

if TYPE_CHECKING:
    from ludus.analysis.rolling_out import Estimate, Rollout


def as_text(rollout: Rollout, lang: str = "en", colour: bool = False) -> str:
    """Tables and sentences."""
    from rich.console import Console

    file = io.StringIO()
    width = max(80, shutil.get_terminal_size((120, 24)).columns)
    console = Console(file=file, width=width, force_terminal=colour, no_color=not colour, highlight=False, emoji=False)
    games = local(f"{rollout.games:,}", lang)
    console.print(f"[bold]{safe(_say('title', lang, game=rollout.position.game.title(lang), games=games))}[/bold]")
    console.print(safe(_how(rollout, lang)))
    if rollout.moves:
        console.print(_moves(rollout, lang))
    console.print(_values(rollout, lang))
    if rollout.stopped:
        console.print(safe(_say("stopped", lang)))
    elif not rollout.clear:
        console.print(safe(_say("not_clear", lang)))
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip().splitlines())


def _say(key: str, lang: str, **values: object) -> str:
    return say(key, lang, "rollout", **values)


def _how(rollout: Rollout, lang: str) -> str:
    far = rollout.horizon
    horizon = _say("to_the_end", lang) if far == TO_THE_END else _say("horizon", lang, horizon=far)
    adjusted = _say("adjusted", lang) if rollout.adjusted else ""
    return _say("summary", lang, by=rollout.by, horizon=horizon, adjusted=adjusted, seed=rollout.seed)


def _interval(estimate: Estimate, lang: str) -> str:
    return local(f"{100 * estimate.low:.1f}–{100 * estimate.high:.1f}%", lang)


def _moves(rollout: Rollout, lang: str) -> Any:
    keys = ("move", "chance", "interval", "behind", "games")
    table = terminal_table("", *(_say(key, lang) for key in keys))
    for move in rollout.moves:
        gap = move.behind
        half = local(f"{100 * (gap.high - gap.value):.1f}", lang)
        behind = "–" if move.move == rollout.best else f"{points(-gap.value, lang)} ± {half}"
        worth = percent(move.worth.value, lang), _interval(move.worth, lang)
        table.add_row(safe(move.move), *worth, behind, local(f"{move.games:,}", lang))
    return table


def _values(rollout: Rollout, lang: str) -> Any:
    table = terminal_table("", *(_say(key, lang) for key in ("player", "chance", "interval")))
    for player, value in rollout.values.items():
        table.add_row(name(player, lang), percent(value.value, lang), _interval(value, lang))
    return table
