"""A lab's figures for people: a table in the terminal, and one page."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ludus.arena.page import STYLE, Axis, colour, rows_as_table, section
from ludus.core.messages import Message
from ludus.core.written_numbers import local
from ludus.lab.figures import Figure
from ludus.lab.valuing import MOMENTS
from ludus.play.telling import player_name

if TYPE_CHECKING:
    from ludus.lab.laboratory import Lab

PACKAGE = "ludus.lab"
SHARES = (
    "completion", "draws", "seat.", "turns.", "decisions.", "narrowness", "kingmaking", "relevance", "stability",
    "decisiveness", "comeback.", "runaway.", "luck", "skill.", "trace.", "worth.",
)  # fmt: skip
FINE = ("relevance", "kingmaking")  # shares that are small
GROUPS = ("length", "end", "choice", "course", "luck", "skill", "levels", "events")
GROUP_OF = {
    "length": "length", "completion": "end", "draws": "end", "seat": "end", "captures": "end", "turns": "choice",
    "decisions": "choice", "branching": "choice", "relevance": "choice", "narrowness": "choice", "kingmaking": "choice",
    "first_out": "choice", "lead_changes": "course", "stability": "course", "drama": "course",
    "decisiveness": "course", "comeback": "course", "runaway": "course", "luck": "luck", "skill": "skill",
    "trace": "skill", "worth": "skill", "at": "levels", "events": "events",
}  # fmt: skip
NAMED_BY_REST = ("skill", "comeback", "runaway", "trace", "worth")
LEFT = 150  # of a plot: for the names
OWN_STYLE = """
.interval { white-space: nowrap; color: var(--soft); font-size: 12px; }
@media screen and (max-width: 520px) { .interval { display: block; font-size: 11px; } }
@media print {
  :root { --ink: #000; --soft: #333; --line: #bbb; --paper: #fff; --card: #fff; --mark: #777; }
  main { max-width: none; padding: 0; } section { border-radius: 0; } tr, svg { break-inside: avoid; }
  body { font-size: 12px; } td, th { padding: 2px 5px; } * { print-color-adjust: exact; }
}
"""


def say(key: str, lang: str, **values: object) -> str:
    """A word of the catalogue."""
    return Message(PACKAGE, key, values, "say").text(lang)


def named(key: str, lang: str) -> str:
    """A figure in words."""
    head, _, rest = key.partition(".")
    if head == "seat":
        return say(head, lang, which=player_name(rest, lang))
    if head == "at":
        level, _, what = rest.partition(".")
        return say(f"at_{what}", lang, level=level)
    if head == "trace":
        return say(head, lang, more=rest, less=int(rest) // 2)
    if head == "worth":
        return say(f"worth_{rest}", lang)
    if head == "events":
        return Message(PACKAGE, rest, {}, "event").text(lang).replace("_", " ")
    if head in NAMED_BY_REST:
        return say(head, lang, which=rest.replace("_", " "))
    return say(key.replace(".", "_"), lang)


def written(key: str, figure: Figure | None, lang: str) -> str:
    """A figure with its interval, and what it was seen in."""
    if figure is None or math.isnan(figure.value):
        return "–"
    is_share = key.startswith(SHARES) or key.endswith(".first")
    scale, unit = (100.0, "%") if is_share else (1.0, "")
    digits = (2 if key in FINE else 1) if is_share or abs(figure.value) >= 10 else 2
    text = f"{scale * figure.value:.{digits}f}{unit}"
    if figure.low is not None and figure.high is not None:
        text += f" ({scale * figure.low:.{digits}f} – {scale * figure.high:.{digits}f})"
    return local(f"{text} n={figure.n}".replace("-", "−"), lang)


def _cells(found: Lab, key: str, lang: str) -> list[str]:
    """One cell a rule set; a star where it differs from the first by more than chance explains."""
    figures = [one.figures.get(key) for _, one in found.measured]
    first = figures[0]
    stars = [
        " *" if at and one is not None and first is not None and one.differs_from(first) else ""
        for at, one in enumerate(figures)
    ]
    return [written(key, one, lang) + star for one, star in zip(figures, stars, strict=True)]


def rows(found: Lab, group: str, lang: str) -> list[list[str]]:
    """The figures of a group: name, then one cell a rule set."""
    keys = dict.fromkeys(key for _, one in found.measured for key in one.figures)
    wanted = [key for key in keys if GROUP_OF[key.partition(".")[0]] == group]
    return [[named(key, lang), *_cells(found, key, lang)] for key in wanted]


def in_words(found: Lab, keys: Sequence[str], lang: str) -> dict[str, Any]:
    """The first rule set's figures whose keys begin so, as plain data with words, for a page of its own."""
    _, one = found.measured[0]
    figures = [
        {"key": key, "words": named(key, lang), "text": written(key, figure, lang)}
        for wanted in keys
        for key, figure in one.figures.items()
        if key == wanted or (wanted.endswith(".") and key.startswith(wanted))
    ]
    return {"head": _head(found, lang), "note": _note(found, lang), "figures": figures}


def as_text(found: Lab, lang: str) -> str:
    """As tables for a terminal."""
    lines = [_head(found, lang), ""]
    names = [name for name, _ in found.measured]
    every = {group: rows(found, group, lang) for group in GROUPS}
    columns = list(zip(*[["", *names], *(row for part in every.values() for row in part)], strict=True))
    widths = [max(map(len, column)) for column in columns]
    for group, part in every.items():
        if not part:
            continue
        title = [say(f"group_{group}", lang), *names]
        lines += [_line(title, widths), _line(["-" * width for width in widths], widths)]
        lines += [_line(row, widths) for row in part] + [""]
    return "\n".join([*lines, _note(found, lang)])


def _head(found: Lab, lang: str) -> str:
    levels = ", ".join(dict.fromkeys(one.level for _, one in found.measured))
    return say("head", lang, games=local(f"{found.games:,}", lang), level=levels, seed=found.seed)


def _note(found: Lab, lang: str) -> str:
    return say("note", lang) + (f" {say('stars', lang)}" if len(found.measured) > 1 else "")


def _line(cells: list[str], widths: list[int]) -> str:
    first, *rest = (
        f"{cell:<{width}}" if number == 0 else f"{cell:>{width}}"
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join([first, *rest]).rstrip()


def _on_page(cell: str) -> str:
    """A cell whose interval breaks off as a whole, beneath its value on a phone; the star stays with the value."""
    value, bracket, rest = cell.partition(" (")
    if not bracket:
        return escape(cell)
    star = " *" if rest.endswith(" *") else ""
    return f'{escape(value)}{star} <small class="interval">({escape(rest.removesuffix(" *"))}</small>'


def as_page(found: Lab, lang: str) -> str:
    """One page, everything in it."""
    title = escape(say("title", lang, games=", ".join(name for name, _ in found.measured)))
    names = [escape(name) for name, _ in found.measured]
    parts = []
    for group in GROUPS:
        cells = [[escape(row[0]), *map(_on_page, row[1:])] for row in rows(found, group, lang)]
        if not cells:
            continue
        body = rows_as_table(["", *names], cells) + (PLOTS[group](found, lang) if group in PLOTS else "")
        parts.append(section(say(f"group_{group}", lang), "", body))
    note, head = escape(_note(found, lang)), escape(_head(found, lang))
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}{OWN_STYLE}</style></head>'
        f"<body><main><h1>{title}</h1><p>{head}</p>{''.join(parts)}<p>{note}</p></main></body></html>\n"
    )


def short_names(found: Lab) -> list[str]:
    """What of the rule sets' names tells them apart, for plots: values alone where one option is varied."""
    names = [name for name, _ in found.measured]
    columns = list(zip(*(name.split() for name in names), strict=False))
    different = [column for column in columns if len(set(column)) > 1]
    if len(different) == 1 and len({word.partition("=")[0] for word in different[0]}) == 1:
        different = [tuple(word.partition("=")[2] or word for word in different[0])]
    short = [" ".join(words) for words in zip(*different, strict=True)]
    return short if len(set(short)) == len(names) else names


def _fitting(name: str, letters: int) -> str:
    """As much of a name as there is room for."""
    return escape(name if len(name) <= letters else f"{name[: letters - 1]}…")


def _curve(found: Lab, lang: str) -> str:
    """How long games are in minutes: a bar from the 5th to the 95th of a hundred, a mark at the middle one."""
    keys = [f"length.minutes.p{quantile}" for quantile in (5, 50, 95)]
    spans = [
        (name, [one.figures[key].value for key in keys])
        for name, (_, one) in zip(short_names(found), found.measured, strict=True)
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
        f'<text x="{LEFT - 10}" y="{y + 5}" text-anchor="end">{_fitting(name, 20)}</text>'
        f'<rect x="{LEFT + low * scale:.1f}" y="{y - 6}" width="{max(1.0, (high - low) * scale):.1f}" height="12" '
        f'rx="6" fill="hsl(212 62% 52%)" opacity=".45"/>'
        f'<rect x="{LEFT + middle * scale - 2:.1f}" y="{y - 9}" width="4" height="18" fill="hsl(212 62% 42%)"/>'
        f'<text class="soft" x="{LEFT + high * scale + 8:.1f}" y="{y + 5}">{told}</text>'
    )


def _course(found: Lab, lang: str) -> str:
    """How often whoever led, and whoever was last, won in the end: two curves a rule set."""
    return _legend(found) + _lines(found, "runaway", lang) + _lines(found, "comeback", lang)


def _lines(found: Lab, kind: str, lang: str) -> str:
    across = Axis(0, 100, LEFT, 640)
    floor, reach = 190, 170
    drawn = [across.grid(floor + 22, lambda value: local(f"{value:.0f}%", lang))]
    for level in (0, 50, 100):
        y = floor - reach * level / 100
        drawn.append(f'<line class="grid" x1="{LEFT}" x2="640" y1="{y:g}" y2="{y:g}"/>')
        shown = local(f"{level}%", lang)
        drawn.append(f'<text class="soft" x="{LEFT - 8}" y="{y + 4:g}" text-anchor="end">{shown}</text>')
    for number, (name, one) in enumerate(found.measured):
        known = [(at, one.figures[f"{kind}.{at}"]) for at in MOMENTS if f"{kind}.{at}" in one.figures]
        points = [(across.at(at), floor - reach * figure.value, figure) for at, figure in known]
        line = " ".join(f"{x:g},{y:.1f}" for x, y, _ in points)
        shape = f'fill="none" stroke="{colour(number)}" stroke-width="2.5"'
        drawn.append(f'<polyline points="{line}" {shape}><title>{escape(name)}</title></polyline>')
        drawn += [_dot(x, y, colour(number), written(f"{kind}.", figure, lang)) for x, y, figure in points]
    title = escape(say(f"{kind}_curve", lang))
    return (
        f'<p>{title}</p><svg class="plot" viewBox="0 0 700 {floor + 24}" role="img" aria-label="{title}">'
        f"{''.join(drawn)}</svg>"
    )


def _legend(found: Lab) -> str:
    """Which colour is which rule set."""
    if len(found.measured) < 2:
        return ""
    names = "".join(
        f'<span><i class="key" style="background:{colour(number)}"></i>{escape(name)}</span>'
        for number, name in enumerate(short_names(found))
    )
    return f'<div class="legend">{names}</div>'


def _dot(x: float, y: float, ink: str, words: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:.1f}" r="4" fill="{ink}"><title>{escape(words)}</title></circle>'


def _trace(found: Lab, lang: str) -> str:
    """What twice the search wins, budget by budget, with its interval."""
    keys = dict.fromkeys(key for _, one in found.measured for key in one.figures if key.startswith("trace."))
    if not keys:
        return ""
    axis = Axis(-0.5, 0.5, 250, 640)
    drawn = [axis.grid(30 * len(keys) * len(found.measured) + 30, lambda value: local(f"{100 * value:+.0f}%", lang))]
    rows = [(key, number) for key in keys for number in range(len(found.measured))]
    for at, (key, number) in enumerate(rows):
        name, one = short_names(found)[number], found.measured[number][1]
        if (figure := one.figures.get(key)) is None:
            continue
        y, low, high = 30 * at + 18, axis.at(figure.low or figure.value), axis.at(figure.high or figure.value)
        drawn.append(
            f'<text x="240" y="{y + 4}" text-anchor="end">{_fitting(name, 26)}, {key.partition(".")[2]}</text>'
            f'<line x1="{low}" x2="{high}" y1="{y}" y2="{y}" stroke="{colour(number)}" stroke-width="7" '
            f'stroke-linecap="round" stroke-opacity=".32"/>'
            + _dot(axis.at(figure.value), y, colour(number), written(key, figure, lang))
        )
    label = escape(say("trace_curve", lang))
    return (
        f'<p>{label}</p><svg class="plot" viewBox="0 0 700 {30 * len(rows) + 34}" role="img" aria-label="{label}">'
        f"{''.join(drawn)}</svg>"
    )


PLOTS: dict[str, Callable[[Lab, str], str]] = {"length": _curve, "course": _course, "skill": _trace}
