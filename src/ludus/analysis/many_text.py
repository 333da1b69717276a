"""Many analyses for a terminal."""

from __future__ import annotations

import io
import shutil
from typing import TYPE_CHECKING

from ludus.analysis.saying import points, say
from ludus.arena.report import percent, safe, terminal_table

if TYPE_CHECKING:
    from ludus.analysis.many import Many

FAILURES_SHOWN = 10


def as_text(many: Many, lang: str = "en") -> str:
    """A row for every name at every game; then the records that could not be analysed."""
    from rich.console import Console

    file = io.StringIO()
    width = max(80, shutil.get_terminal_size((120, 24)).columns)
    console = Console(file=file, width=width, no_color=True, highlight=False)
    good = len(many.records) - len(many.failed)
    heads = [say(key, lang) for key in ("game", "player", "games", "error", "luck", "adjusted", "result")]
    table = terminal_table(say("analysed", lang, count=good), *heads)
    for one in many.totals:
        error = points(one["error"], lang).lstrip("+")
        table.add_row(
            safe(one["game"]), safe(one["name"]), str(one["games"]), error, points(one["luck"], lang),
            percent(one["adjusted"], lang), percent(one["result"], lang),
        )  # fmt: skip
    console.print(table)
    for one in many.failed[:FAILURES_SHOWN]:
        console.print(safe(one["error"]), soft_wrap=True)
    if len(many.failed) > FAILURES_SHOWN:
        console.print(safe(say("more_failed", lang, count=len(many.failed) - FAILURES_SHOWN)))
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip().splitlines())
