"""A lab's figures for people: a table in the terminal, and one page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ludus.arena.page import STYLE, rows_as_table, section
from ludus.arena.report import local
from ludus.core.messages import Message
from ludus.lab.measuring import Figure
from ludus.play.telling import player_name

if TYPE_CHECKING:
    from ludus.lab.laboratory import Lab

PACKAGE = "ludus.lab"
SHARES = ("completion", "draws", "seat.", "turns.with_choice", "skill.")
GROUPS = ("length", "end", "choice", "skill", "events")
GROUP_OF = {
    "length": "length", "completion": "end", "draws": "end", "seat": "end", "captures": "end", "turns": "choice",
    "branching": "choice", "first_out": "choice", "skill": "skill", "events": "events",
}  # fmt: skip
LEFT = 150  # of a plot: for the names


def say(key: str, lang: str, **values: object) -> str:
    """A word of the catalogue."""
    return Message(PACKAGE, key, values, "say").text(lang)


def named(key: str, lang: str) -> str:
    """A figure in words."""
    head, _, rest = key.partition(".")
    if head == "seat":
        return say(head, lang, which=player_name(rest, lang))
    if head in ("skill", "events"):
        return say(head, lang, which=rest.replace("_", " "))
    return say(key.replace(".", "_"), lang)


def written(key: str, figure: Figure | None, lang: str) -> str:
    """A figure with its interval."""
    if figure is None:
        return "–"
    scale, unit = (100.0, " %") if key.startswith(SHARES) else (1.0, "")
    digits = 1 if scale == 100.0 or abs(figure.value) >= 10 else 2
    text = f"{scale * figure.value:.{digits}f}{unit}"
    if figure.low is not None and figure.high is not None:
        text += f" ({scale * figure.low:.{digits}f} – {scale * figure.high:.{digits}f})"
    return local(text, lang)


def rows(found: Lab, group: str, lang: str) -> list[list[str]]:
    """The figures of a group: name, then one cell a rule set."""
    keys = dict.fromkeys(key for _, one in found.measured for key in one.figures)
    wanted = [key for key in keys if GROUP_OF[key.partition(".")[0]] == group]
    return [
        [named(key, lang), *(written(key, one.figures.get(key), lang) for _, one in found.measured)] for key in wanted
    ]


def as_text(found: Lab, lang: str) -> str:
    """As tables for a terminal."""
    lines = [say("head", lang, games=local(f"{found.games:,}", lang), seed=found.seed), ""]
    names = [name for name, _ in found.measured]
    every = {group: rows(found, group, lang) for group in GROUPS}
    columns = list(zip(*[["", *names], *(row for part in every.values() for row in part)], strict=True))
    widths = [max(map(len, column)) for column in columns]
    for group, part in every.items():
        title = [say(f"group_{group}", lang), *names]
        lines += [_line(title, widths), _line(["-" * width for width in widths], widths)]
        lines += [_line(row, widths) for row in part] + [""]
    return "\n".join([*lines, say("note", lang)])


def _line(cells: list[str], widths: list[int]) -> str:
    first, *rest = (
        f"{cell:<{width}}" if number == 0 else f"{cell:>{width}}"
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join([first, *rest]).rstrip()


def as_page(found: Lab, lang: str) -> str:
    """One page, everything in it."""
    title = escape(say("title", lang, games=", ".join(name for name, _ in found.measured)))
    names = [escape(name) for name, _ in found.measured]
    parts = []
    for group in GROUPS:
        cells = [[escape(cell) for cell in row] for row in rows(found, group, lang)]
        body = rows_as_table(["", *names], cells) + (_curve(found, lang) if group == "length" else "")
        parts.append(section(say(f"group_{group}", lang), "", body))
    note = escape(say("note", lang))
    head = escape(say("head", lang, games=local(f"{found.games:,}", lang), seed=found.seed))
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body><main><h1>{title}</h1><p>{head}</p>{''.join(parts)}<p>{note}</p></main></body></html>\n"
    )


def _curve(found: Lab, lang: str) -> str:
    """How long games are in minutes: a bar from the 5th to the 95th of a hundred, a mark at the middle one."""
    keys = [f"length.minutes.p{quantile}" for quantile in (5, 50, 95)]
    spans = [
        (name, [one.figures[key].value for key in keys])
        for name, one in found.measured
        if all(key in one.figures for key in keys)
    ]
    longest = max((values[2] for _, values in spans), default=0.0) or 1.0
    bars = [_bar(18 + 26 * number, name, values, 420 / longest, lang) for number, (name, values) in enumerate(spans)]
    label, height = escape(say("minutes_label", lang)), 26 * len(spans) + 20
    return f'<svg class="plot" viewBox="0 0 700 {height}" role="img" aria-label="{label}">{"".join(bars)}</svg>'


def _bar(y: int, name: str, values: list[float], scale: float, lang: str) -> str:
    low, middle, high = values
    told = local(f"{low:.0f} – {middle:.0f} – {high:.0f}", lang)
    return (
        f'<text x="{LEFT - 10}" y="{y + 5}" text-anchor="end">{escape(name[:20])}</text>'
        f'<rect x="{LEFT + low * scale:.1f}" y="{y - 6}" width="{max(1.0, (high - low) * scale):.1f}" height="12" '
        f'rx="6" fill="hsl(212 62% 52%)" opacity=".45"/>'
        f'<rect x="{LEFT + middle * scale - 2:.1f}" y="{y - 9}" width="4" height="18" fill="hsl(212 62% 42%)"/>'
        f'<text class="soft" x="{LEFT + high * scale + 8:.1f}" y="{y + 5}">{told}</text>'
    )
