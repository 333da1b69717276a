"""An analysis as one page: everything is in the file, nothing is fetched; for a screen, a phone and paper."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from ludus.analysis.arrows import BEST, BLUNDER, PLAYED, with_arrows
from ludus.analysis.plots import NARROW, WIDE, bars, curves
from ludus.analysis.reasons import reasons
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
from ludus.arena.page import STYLE, rows_as_table, section
from ludus.arena.report import percent
from ludus.core.written_numbers import local

if TYPE_CHECKING:
    from ludus.analysis.analysing import AnalysedDecision, AnalysedEvent, Analysis
    from ludus.core.position import Position

MOST_CANDIDATES = 5
OWN_STYLE = """
.facts { display: grid; gap: 12px; margin-top: 18px; }
.facts { grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); }
.fact { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 16px; }
.fact b { display: block; font-size: 13px; color: var(--soft); font-weight: 600; }
.moments { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(340px, 100%), 1fr)); gap: 18px; }
.moment { border: 1px solid var(--line); border-radius: 10px; overflow: hidden; background: var(--paper); }
.moment figure { margin: 0; background: #fff; }
.moment figure svg { width: 100%; height: auto; }
.moment .text { padding: 12px 14px; font-size: 14px; }
.moment .text p { margin: 6px 0 0; }
.moment td, .moment th { padding: 3px 6px; }
.mark { font-weight: 700; border-radius: 6px; padding: 0 6px; color: #fff; }
.m1 { background: #b58900; } .m2 { background: #d9661f; } .m3 { background: #c1121f; }
.lucky { background: #1a7f4b; } .unlucky { background: #6b4fa0; }
.tag { display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 6px; border: 1px solid #0004; }
summary { cursor: pointer; font-weight: 600; }
td.words { text-align: left; white-space: normal; min-width: 14em; }
.slim { display: none; }
@media screen and (max-width: 520px) {
  .broad { display: none; } .slim { display: block; } .slim .plot { min-width: 0; }
}
@media print {
  :root { --ink: #000; --soft: #333; --line: #bbb; --paper: #fff; --card: #fff; --mark: #777; }
  main { max-width: none; padding: 0; } section, .moment, .fact { break-inside: avoid; border-radius: 0; }
  .facts { grid-template-columns: repeat(3, 1fr); }
  .moments { grid-template-columns: 1fr 1fr; } body { font-size: 12px; } * { print-color-adjust: exact; }
}
"""


def as_sheet(analysis: Analysis, lang: str = "en") -> str:
    """The whole page."""
    title = escape(say("title", lang, game=analysis.game.title(lang)))
    note = say("shares_note" if analysis.plays_on else "curves_note", lang)
    parts = [
        _facts(analysis, lang),
        section(say("curves", lang), note, _legend(analysis, lang) + _for_each_width(curves, analysis, lang)),
        section(say("bars", lang), say("bars_note", lang), _for_each_width(bars, analysis, lang)),
        section(say("players", lang), say("players_note", lang), _players(analysis, lang)),
        section(say("sum", lang), say("sum_note", lang), _sum(analysis, lang)),
        _moments(analysis, lang),
        _everything(analysis, lang),
        section(say("how", lang), _how(analysis, lang), ""),
    ]
    head = f"{escape(result_in_words(analysis, lang))} {escape(value_in_words(analysis, lang))}"
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}{OWN_STYLE}</style></head>'
        f"<body><main><h1>{title}</h1><p>{head}</p>{''.join(parts)}</main></body></html>\n"
    )


def _for_each_width(plot: Callable[[Analysis, str, float], str], analysis: Analysis, lang: str) -> str:
    """A plot for screens and paper, and one for phones; the page shows the one that fits."""
    return "".join(
        f'<div class="{fit}">{plot(analysis, lang, width)}</div>' for fit, width in (("broad", WIDE), ("slim", NARROW))
    )


def fill_of(analysis: Analysis, player: str) -> str:
    """The colour of a player's pieces."""
    scene = analysis.game.scene()
    return str(next((one["fill"] for one in scene["players"] if one["player"] == player), "#888"))


def _tagged(analysis: Analysis, player: str, lang: str) -> str:
    tag = f'<span class="tag" style="background:{fill_of(analysis, player)}"></span>'
    return f"<span>{tag}{escape(name(player, lang))}</span>"


def _legend(analysis: Analysis, lang: str) -> str:
    keys = "".join(
        f'<span><i class="key" style="background:{fill_of(analysis, player)}"></i>{escape(name(player, lang))}'
        f"{_seat(analysis, player)}</span>"
        for player in analysis.players
    )
    return f'<div class="legend">{keys}</div>'


def _seat(analysis: Analysis, player: str) -> str:
    """Who sat there, where the record says more than the colour."""
    seat = analysis.record.seats[player].name
    return "" if seat in (player, "unknown") else f"&nbsp;<small>{escape(seat)}</small>"


def _facts(analysis: Analysis, lang: str) -> str:
    facts = facts_in_words(analysis, lang)
    shown = "".join(f'<div class="fact"><b>{escape(head)}</b>{escape(words)}</div>' for head, words in facts)
    return f'<div class="facts">{shown}</div>'


def _sum(analysis: Analysis, lang: str) -> str:
    keys = ("start", "luck", "skill", "residual", "result")
    rows = []
    for player in analysis.players:
        parts = [points(getattr(analysis, key)[player], lang) for key in keys[1:-1]]
        ends = percent(analysis.start[player], lang), percent(analysis.result[player], lang)
        rows.append([_tagged(analysis, player, lang), ends[0], *parts, f'<td class="best">{ends[1]}</td>'])
    return rows_as_table([escape(say(key, lang)) for key in ("player", *keys)], rows)


def _players(analysis: Analysis, lang: str) -> str:
    keys = ["player", "rating", "accuracy", "error", "marks", "own_luck", "adjusted"]
    rows = []
    for player, one in analysis.summaries.items():
        marks = " ".join(f"{count}&nbsp;{_mark(mark)}" for mark, count in one.marks.items() if count) or "–"
        half = percent((one.high - one.low) / 2, lang)
        row = [
            _tagged(analysis, player, lang), escape(say(one.rating, lang, "rating")), percent(one.accuracy, lang),
            points(-one.error, lang), marks, points(one.luck_of_own_rolls, lang),
            f"{percent(one.adjusted, lang)} ± {half}",
        ]  # fmt: skip
        if analysis.plays_on:
            place = analysis.expected_place(analysis.start[player]), analysis.expected_place(analysis.result[player])
            row.append(local(f"{place[0]:.2f} → {place[1]:.2f}", lang))
        rows.append(row)
    keys += ["place"] if analysis.plays_on else []
    return rows_as_table([escape(say(key, lang)) for key in keys], rows)


def _mark(mark: str) -> str:
    level = {"?!": "m1", "?": "m2", "??": "m3"}.get(mark, mark)
    return f'<span class="mark {level}">{escape(mark)}</span>' if mark else ""


def _moments(analysis: Analysis, lang: str) -> str:
    moments = analysis.key_moments()
    if not moments:
        return ""
    cards = "".join(_moment(analysis, event, lang) for event in moments)
    return section(say("moments", lang), say("moments_note", lang), f'<div class="moments">{cards}</div>')


def _moment(analysis: Analysis, event: AnalysedEvent, lang: str) -> str:
    from ludus.analysis.analysing import AnalysedDecision

    is_decision = isinstance(event, AnalysedDecision)
    position = analysis.record.at(event.n - 1 if is_decision else event.n)
    arrows, table = {}, ""
    if isinstance(event, AnalysedDecision):
        arrows = arrows_of(event)
        table = _why(position, event, lang) + _candidates(event, lang)
    words = escape(event_in_words(analysis, event, lang))
    mark = getattr(event, "mark", "")
    shown = _mark(mark) if is_decision else f'<span class="mark {mark}">{escape(say(mark, lang, "mark"))}</span>'
    caption = escape(say("arrows" if is_decision else "rolled_picture", lang))
    return (
        f'<div class="moment"><figure role="img" aria-label="{caption}">{with_arrows(position, arrows, lang)}</figure>'
        f'<div class="text">{shown} <b>{escape(say("event", lang))} {event.n}</b><p>{words}.</p>'
        f"<p>{escape(say('who_gained', lang, who=harm_in_words(event, lang)))}</p>{table}</div></div>"
    )


def _why(before: Position, decision: AnalysedDecision, lang: str) -> str:
    """What speaks for the move that was played and for the best one, and against them."""
    told = reasons(before, dict.fromkeys((decision.text, decision.best)), lang)
    return "".join(
        f"<p>{escape(say('why', lang, move=move, why='; '.join(why)))}</p>" for move, why in told.items() if why
    )


def arrows_of(decision: AnalysedDecision) -> dict[str, str]:
    """The moves to show, with their colours; the best lies on top."""
    if decision.text == decision.best:
        return {decision.best: BEST}
    return {decision.text: BLUNDER if decision.mark == "??" else PLAYED, decision.best: BEST}


def _candidates(decision: AnalysedDecision, lang: str) -> str:
    """The best moves, and the one that was played."""
    ranked = sorted(decision.moves.items(), key=lambda pair: -pair[1])
    shown = [pair for at, pair in enumerate(ranked) if at < MOST_CANDIDATES or pair[0] == decision.text]
    rows = []
    for move, worth in shown:
        role = say("best", lang) if move == decision.best else say("played_here", lang) if move == decision.text else ""
        rows.append([f"{escape(move)} <small>{escape(role)}</small>", percent(worth, lang)])
    return rows_as_table([escape(say("move", lang)), escape(say("worth", lang))], rows)


def _everything(analysis: Analysis, lang: str) -> str:
    marked = [event for event in analysis.events if getattr(event, "mark", "")]
    rows = []
    for event in marked:
        mark = getattr(event, "mark", "")
        shown = _mark(mark) if "?" in mark else escape(say(mark, lang, "mark"))
        words = f'<td class="words">{escape(event_in_words(analysis, event, lang))}</td>'
        rows.append([f"{event.n} {shown}", words, points(event.change[event.by], lang)])
    table = rows_as_table([escape(say(key, lang)) for key in ("event", "what", "change")], rows)
    return (
        f"<section><details><summary>{escape(say('all', lang))} ({len(marked)})</summary>"
        f'<div class="wide">{table}</div></details></section>'
    )


def _how(analysis: Analysis, lang: str) -> str:
    marks = analysis.usual.marks
    sizes = {key: points(marks[mark], lang).lstrip("+") for key, mark in
             (("dubious", "?!"), ("mistake", "?"), ("bad", "??"))}  # fmt: skip
    return say("how_text", lang, **sizes)
