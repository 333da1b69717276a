"""The plots of an analysis, as SVG: the players' chances, luck, and mistakes, event by event."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from ludus.analysis.saying import event_in_words, name, points, say
from ludus.arena.page import Axis
from ludus.core.written_numbers import local

if TYPE_CHECKING:
    from ludus.analysis.analysing import AnalysedEvent, Analysis

WIDE, NARROW = 960.0, 380.0  # for a screen and for paper, and for a phone held upright
LEFT, RIGHT = 46.0, 10.0  # what the edges leave
TOP, BOTTOM = 10.0, 300.0
MARKS = {"?!": (4.0, "#b58900"), "?": (5.0, "#d9661f"), "??": (6.0, "#c1121f")}
SMALLEST = 5e-4  # of a share: less is not drawn
OUTLINE = "#00000099"  # yellow on white, black on dark: every line has an edge


def _across(analysis: Analysis, width: float) -> Axis:
    return Axis(0, max(1, len(analysis.events)), LEFT, width - RIGHT)


def _fills(analysis: Analysis) -> dict[str, str]:
    return {one["player"]: str(one["fill"]) for one in analysis.game.scene()["players"]}


def _svg(width: float, height: float, label: str, *parts: str) -> str:
    shown = "".join(parts)
    return f'<svg class="plot" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(label)}">{shown}</svg>'


def curves(analysis: Analysis, lang: str, width: float = WIDE) -> str:
    """Each player's share after every event, with a dot where a mistake got a mark."""
    across, fills = _across(analysis, width), _fills(analysis)

    def down(share: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * share, 2)

    parts = [across.grid(BOTTOM + 24, lambda value: local(f"{value:,.0f}", lang))]
    for level in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{width - RIGHT}" y1="{down(level)}" y2="{down(level)}"/>')
        words = local(f"{100 * level:.0f}%", lang)
        parts.append(f'<text class="soft" x="{LEFT - 6}" y="{down(level) + 4}" text-anchor="end">{words}</text>')
    for player in analysis.players:
        line = " ".join(f"{across.at(n)},{down(shares[player])}" for n, shares in enumerate(analysis.curve))
        title = f"<title>{escape(name(player, lang))}</title>"
        shape = f'points="{line}" fill="none" stroke-linejoin="round"'
        parts.append(f'<polyline {shape} stroke="{OUTLINE}" stroke-width="4"/>')
        parts.append(f'<polyline {shape} stroke="{fills[player]}" stroke-width="2.6">{title}</polyline>')
    if analysis.turning_point is not None:
        x = across.at(analysis.turning_point.n)
        parts.append(f'<line class="fair" x1="{x}" x2="{x}" y1="{TOP}" y2="{BOTTOM}"><title>'
                     f'{escape(say("turning", lang))}</title></line>')  # fmt: skip
    for decision in analysis.decisions:
        if decision.mark:
            radius, ink = MARKS[decision.mark]
            words = escape(event_in_words(analysis, decision, lang))
            parts.append(
                f'<circle cx="{across.at(decision.n)}" cy="{down(decision.after[decision.by])}" r="{radius}" '
                f'fill="{fills[decision.by]}" stroke="{ink}" stroke-width="2.4">'
                f"<title>{decision.n}: {words}</title></circle>"
            )
    return _svg(width, BOTTOM + 24, say("curves", lang), *parts)


def bars(analysis: Analysis, lang: str, width: float = WIDE) -> str:
    """The luck of every roll, up and down; below it, what every mistake lost. Heights are square roots."""
    luck = [(roll, roll.luck) for roll in analysis.rolls]
    errors = [(decision, -decision.error) for decision in analysis.decisions]
    most = max((abs(size) for _, size in luck), default=1.0), max((-size for _, size in errors), default=1.0)
    middle, reach, floor = 92.0, 84.0, 208.0
    parts = []
    for y, key, size in ((middle - reach, "luck_axis", most[0]), (floor - 8, "error_axis", -most[1])):
        words = escape(say(key, lang, most=points(size, lang)))
        parts.append(f'<text class="soft" x="{LEFT}" y="{y + 4}">{words}</text>')
    for y in (middle, floor):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{width - RIGHT}" y1="{y}" y2="{y}"/>')
    across = _across(analysis, width)
    shown = _bars(analysis, across, luck, (middle, reach, most[0]), lang) + _bars(
        analysis, across, errors, (floor, reach, most[1]), lang
    )
    return _svg(width, floor + reach + 6, say("bars", lang), *parts, *shown)


def _bars(
    analysis: Analysis, across: Axis, sizes: Sequence[tuple[AnalysedEvent, float]], place: tuple[float, float, float],
    lang: str,
) -> list[str]:  # fmt: skip
    """A bar for each event; place: where 0 is, how far the longest reaches, and its size."""
    fills = _fills(analysis)
    base, reach, most = place
    width = max(1.2, min(9.0, 1.5 * (across.right - across.left) / max(1, len(analysis.events))))
    found = []
    for event, size in sizes:
        height = reach * (abs(size) / max(most, 1e-9)) ** 0.5
        if abs(size) < SMALLEST:
            continue
        top = base - height if size > 0 else base
        words = f"{event.n}: {event_in_words(analysis, event, lang)}"
        found.append(
            f'<rect x="{across.at(event.n) - width / 2:.2f}" y="{top:.2f}" width="{width:.2f}" height="{height:.2f}" '
            f'fill="{fills[event.by]}" stroke="{OUTLINE}" stroke-width=".3"><title>{escape(words)}</title></rect>'
        )
    return found
