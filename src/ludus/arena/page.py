"""Standings as one page with plots: everything is in the file, nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import numpy as np

from ludus.arena.ratings import Rating
from ludus.arena.report import (
    fault_lines,
    headline,
    interval,
    milliseconds,
    percent,
    rating,
    say,
    seat_name,
    short,
)
from ludus.arena.results import NOT_PLAYED, shares
from ludus.arena.standings import BotStanding, Share, Standings
from ludus.core.written_numbers import local

HUES = (212, 18, 150, 280, 42, 340, 185, 95)
POINTS = 160  # of a curve

Written = Callable[[float], str]

STYLE = """
:root { --ink: #1d2433; --soft: #667085; --line: #d9dee7; --paper: #f6f7f9; --card: #ffffff; --mark: #98a2b3; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7eaf0; --soft: #9aa4b5; --line: #343c4b; --paper: #12161e; --card: #1b212c; --mark: #5d6879; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", sans-serif; }
main { max-width: 1060px; margin: 0 auto; padding: 32px 20px 60px; }
h1 { font-size: 26px; margin: 0; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 0 0 4px; }
p { margin: 0 0 10px; color: var(--soft); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin-top: 18px; }
section { padding: 18px 20px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 18px; }
.pair section { min-width: 0; }
.wide { overflow-x: auto; background: linear-gradient(90deg, var(--card) 30%, transparent) local,
  linear-gradient(270deg, var(--card) 30%, transparent) right local, linear-gradient(90deg, var(--shade), transparent),
  linear-gradient(270deg, var(--shade), transparent) right; background-repeat: no-repeat;
  background-size: 40px 100%, 40px 100%, 14px 100%, 14px 100%; --shade: #0003; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: right; font-weight: 600; color: var(--soft); font-size: 13px; padding: 4px 8px; white-space: nowrap; }
td { text-align: right; padding: 6px 8px; border-top: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 9em; }
.bot { display: flex; align-items: baseline; }
td.best { font-weight: 600; }
svg { display: block; width: 100%; height: auto; }
.plot text { font: 13px system-ui, "Segoe UI", sans-serif; fill: var(--ink); }
.plot .soft { fill: var(--soft); font-size: 12px; }
.plot .grid { stroke: var(--line); stroke-width: 1; }
.plot .fair { stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 4 3; }
.dot { flex: none; width: 10px; height: 10px; border-radius: 50%; margin-right: 8px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 6px 0 10px; font-size: 14px; }
.legend span { display: inline-flex; align-items: center; }
.key { width: 14px; height: 14px; border-radius: 4px; margin-right: 7px; border: 1px solid #0003; }
code, pre { font: 13px ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 520px) {
  main { padding: 20px 10px 40px; } section { padding: 14px 12px; }
  td, th { padding: 4px 5px; font-size: 13px; white-space: normal; }
  th:first-child, td:first-child { min-width: 6em; } .plot { min-width: 560px; }
}
"""


def as_page(standings: Standings, lang: str = "en") -> str:
    """The whole page."""
    title = escape(say("title", lang, game=standings.game.title(lang)))
    parts = [
        section(say("bots", lang), "", _bots(standings, lang)),
        f'<div class="pair">{_shares(standings, lang)}{_ratings(standings, lang)}</div>',
        _against(standings, lang) if len(standings.names) > 2 else "",
        f'<div class="pair">{_seats(standings, lang)}{_curves(standings, lang)}</div>',
        section(say("by_seat", lang), "", _by_seat(standings, lang)),
        _faults(standings, lang),
        section(say("how", lang), say("how_text", lang), ""),
    ]
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body><main><h1>{title}</h1><p>{escape(headline(standings, lang))}</p>{''.join(parts)}</main></body></html>\n"
    )


def section(title: str, note: str, body: str) -> str:
    """A part of a page, with a heading."""
    words = f"<p>{escape(note)}</p>" if note else ""
    return f'<section><h2>{escape(title)}</h2>{words}<div class="wide">{body}</div></section>'


def colour(number: int) -> str:
    """A colour for each bot, legible on light and dark."""
    lightness = (52, 64, 40)[number // len(HUES) % 3]
    return f"hsl({HUES[number % len(HUES)]} 62% {lightness}%)"


def _ink(standings: Standings, bot: BotStanding) -> str:
    return colour(standings.names.index(bot.name))


def rows_as_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Cells are HTML already."""
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    body = "".join(
        "<tr>" + "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _named(standings: Standings, bot: BotStanding) -> str:
    dot = f'<span class="dot" style="background:{_ink(standings, bot)}"></span>'
    return f'<span class="bot">{dot}<span>{escape(bot.name)}</span></span>'


def _bots(standings: Standings, lang: str) -> str:
    keys = ["bot", "games", "wins", "share", "interval", "fair", "elo", "openskill", "forfeits", "time"]
    rows = []
    for bot in standings.ranking:
        total = bot.total
        cells = [_named(standings, bot), *(local(f"{count:,}", lang) for count in (total.games, total.wins))]
        cells += [percent(total.share, lang), interval(total, lang), percent(total.fair, lang)]
        cells += [rating(bot.bradley_terry, 0, lang), rating(bot.openskill, 1, lang)]
        rows.append([*cells, str(bot.forfeits), milliseconds(bot, lang)])
    return rows_as_table([escape(say(key, lang)) for key in keys], rows)


def _ticks(low: float, high: float) -> list[float]:
    """About five round numbers from low to high."""
    rough = max(high - low, 1e-9) / 5
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(f for f in (1, 2, 5, 10) if f * power >= rough)
    return [float(step * n) for n in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1)]


class Axis:
    """Numbers across a plot of 480 points."""

    def __init__(self, low: float, high: float, left: float = 150.0, right: float = 465.0) -> None:
        self.low, self.high, self.left, self.right = low, high if high > low else low + 1, left, right

    def at(self, value: float) -> float:
        """Where a number is."""
        part = (value - self.low) / (self.high - self.low)
        return round(self.left + (self.right - self.left) * min(1.0, max(0.0, part)), 2)

    def grid(self, height: float, written: Written) -> str:
        """Lines and numbers."""
        return "".join(
            f'<line class="grid" x1="{self.at(v)}" x2="{self.at(v)}" y1="4" y2="{height - 20}"/>'
            f'<text class="soft" x="{self.at(v)}" y="{height - 5}" text-anchor="middle">{written(v)}</text>'
            for v in _ticks(self.low, self.high)
        )


def _forest(rows: list[tuple[str, str, float, float, float, float]], axis: Axis, written: Written, label: str) -> str:
    """Name, colour, value, low, high and a mark, one row each: a dot with its interval."""
    height = 30 * len(rows) + 30
    drawn = [axis.grid(height, written)]
    for n, (name, ink, value, low, high, mark) in enumerate(rows):
        y = 30 * n + 20
        drawn.append(f'<line class="fair" x1="{axis.at(mark)}" x2="{axis.at(mark)}" y1="{y - 13}" y2="{y + 13}"/>')
        drawn.append(
            f'<text x="0" y="{y + 4}">{escape(_fitting(name))}<title>{escape(name)}</title></text>'
            f'<line x1="{axis.at(low)}" x2="{axis.at(high)}" y1="{y}" y2="{y}" stroke="{ink}" stroke-width="7" '
            f'stroke-linecap="round" stroke-opacity=".32"/><circle cx="{axis.at(value)}" cy="{y}" r="5" fill="{ink}">'
            f"<title>{escape(name)}: {written(value)} ({written(low)} … {written(high)})</title></circle>"
        )
    return (
        f'<svg class="plot" viewBox="0 0 480 {height}" role="img" aria-label="{escape(label)}">{"".join(drawn)}</svg>'
    )


def _fitting(name: str) -> str:
    return name if len(name) <= 20 else name[:9] + "…" + name[-10:]


def _whole(lang: str) -> Written:
    return lambda value: local(f"{100 * value:.0f}%", lang)


def _share_axis(found: Sequence[Share]) -> Axis:
    low = min([share.low for share in found] + [share.fair for share in found])
    high = max([share.high for share in found] + [share.fair for share in found])
    room = 0.06 * (high - low) + 0.01
    return Axis(max(0.0, low - room), min(1.0, high + room))


def _shares(standings: Standings, lang: str) -> str:
    ranking = standings.ranking
    axis = _share_axis([bot.total for bot in ranking])
    rows = [
        (bot.name, _ink(standings, bot), bot.total.share, bot.total.low, bot.total.high, bot.total.fair)
        for bot in ranking
    ]
    title = say("share_title", lang)
    return section(title, say("share_note", lang), _forest(rows, axis, _whole(lang), title))


def _ratings(standings: Standings, lang: str) -> str:
    rated: list[tuple[BotStanding, Rating]] = [(b, b.bradley_terry) for b in standings.ranking if b.bradley_terry]
    title = say("elo_title", lang)
    if not rated:
        return ""
    low, high = min(r.low for _, r in rated), max(r.high for _, r in rated)
    room = 0.06 * (high - low) + 1
    rows = [(bot.name, _ink(standings, bot), r.value, r.low, r.high, 0.0) for bot, r in rated]
    plot = _forest(rows, Axis(low - room, high + room), lambda value: f"{value:+.0f}" if round(value) else "0", title)
    return section(title, say("elo_note", lang), plot)


def _seats(standings: Standings, lang: str) -> str:
    found = standings.seats
    rows = [
        (seat_name(seat, lang), "var(--soft)", share.share, share.low, share.high, share.fair)
        for seat, share in found.items()
    ]
    title = say("seats", lang)
    plot = _forest(rows, _share_axis(list(found.values())), _whole(lang), title)
    return section(title, say("seat_note", lang), plot)


def _cell(value: float, centre: float, spread: float, words: str, hint: str) -> str:
    """A cell that is green above the centre and red below it."""
    strength = min(1.0, abs(value - centre) / max(spread, 1e-9))
    hue = 150 if value >= centre else 12
    return (
        f'<td style="background:hsl({hue} 60% 50% / {0.06 + 0.5 * strength:.2f})" title="{escape(hint)}">{words}</td>'
    )


def _against(standings: Standings, lang: str) -> str:
    ranking = standings.ranking
    rows = []
    for bot in ranking:
        cells = [_named(standings, bot)]
        for rival in ranking:
            share = bot.against.get(rival.name)
            if share is None or not share.games:
                cells.append("–")
            else:
                cells.append(_cell(share.share, 0.5, 0.4, percent(share.share, lang), interval(share, lang)))
        rows.append(cells)
    headings = [escape(say("row_against", lang)), *(escape(short(bot.name)) for bot in ranking)]
    return section(say("against", lang), say("against_note", lang), rows_as_table(headings, rows))


def _by_seat(standings: Standings, lang: str) -> str:
    rows = []
    for bot in standings.ranking:
        cells = [_named(standings, bot)]
        for share in bot.seats.values():
            words = percent(share.share, lang) if share.games else "–"
            cells.append(_cell(share.share, share.fair, 0.35, words, interval(share, lang)) if share.games else words)
        rows.append(cells)
    return rows_as_table([escape(say("bot", lang)), *(escape(seat_name(s, lang)) for s in standings.side_names)], rows)


def running_shares(standings: Standings, bot: int) -> Any:
    """float64[games of the bot]: what it had won of its games after each of them."""
    got = shares(len(standings.sides))
    won, places = [], []
    for number, (block, codes) in enumerate(standings.blocks()):
        for turn, seating in enumerate(block.seatings):
            sides = [side for side, who in enumerate(seating) if who == bot]
            if sides:
                played = codes[:, turn] != ord(NOT_PLAYED)
                won.append(got[codes[:, turn]][:, sides].sum(axis=1)[played])
                # as they would be played: all blocks keep step
                places.append((np.arange(block.deals)[played] + number / 1e6) / block.deals)
    if not won:
        return np.zeros(0)
    order = np.argsort(np.concatenate(places), kind="stable")
    ordered = np.concatenate(won)[order]
    return np.cumsum(ordered) / np.arange(1, len(ordered) + 1)


def _curves(standings: Standings, lang: str) -> str:
    """How the shares settled."""
    curves = [(bot, running_shares(standings, bot)) for bot in range(len(standings.names))]
    most = max((len(curve) for _, curve in curves), default=0)
    if most < 2:
        return ""
    across, bottom, top = Axis(0, most, 42, 450), 200.0, 10.0
    lines = [across.grid(bottom + 24, lambda value: local(f"{value:,.0f}", lang))]
    for level in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = bottom - (bottom - top) * level
        lines.append(f'<line class="grid" x1="42" x2="450" y1="{y}" y2="{y}"/>')
        lines.append(f'<text class="soft" x="36" y="{y + 4}" text-anchor="end">{_whole(lang)(level)}</text>')
    for bot, curve in curves:
        chosen: Any = np.unique(np.linspace(0, len(curve) - 1, POINTS).astype(int)) if len(curve) else []
        points = " ".join(f"{across.at(n + 1)},{bottom - (bottom - top) * curve[n]:.1f}" for n in chosen)
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{colour(bot)}" stroke-width="2" '
            f'stroke-linejoin="round"><title>{escape(standings.names[bot])}</title></polyline>'
        )
    plot = f'<svg class="plot" viewBox="0 0 480 {bottom + 24}" role="img">{"".join(lines)}</svg>'
    return section(say("curves", lang), say("curves_note", lang), plot)


def _faults(standings: Standings, lang: str) -> str:
    lines = fault_lines(standings, lang)
    return section(lines[0], "", f"<pre>{escape(chr(10).join(lines[1:]))}</pre>") if lines else ""
