"""A contest less the luck, for a terminal."""

from __future__ import annotations

import io
import shutil
from typing import TYPE_CHECKING

from ludus.analysis.saying import say
from ludus.arena.report import percent, safe, terminal_table
from ludus.core.written_numbers import local

if TYPE_CHECKING:
    from ludus.analysis.adjusting import AdjustedStandings
    from ludus.analysis.rolling_out import Estimate


def as_text(standings: AdjustedStandings, lang: str = "en") -> str:
    """A table and a sentence."""
    from rich.console import Console

    file = io.StringIO()
    console = Console(file=file, width=max(80, shutil.get_terminal_size((120, 24)).columns), highlight=False)
    words = {"game": standings.game, "games": standings.games, "seed": standings.seed, "by": standings.by}
    console.print(safe(say("title", lang, "adjusted", **words)))
    keys = ("bot", "fair", "raw", "less", "factor", "saves")
    table = terminal_table("", *(say(key, lang, "adjusted") for key in keys))
    for bot in standings.bots:
        numbers = (local(f"{bot.factor:.2f}", lang), local(f"{bot.saves:.1f}", lang))
        shares = (_share(bot.raw, lang), _share(bot.adjusted, lang))
        table.add_row(safe(bot.bot), percent(bot.fair, lang), *shares, *numbers)
    console.print(table)
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip().splitlines())


def _share(estimate: Estimate, lang: str) -> str:
    return f"{percent(estimate.value, lang)} ± {percent(estimate.high - estimate.value, lang)}"
