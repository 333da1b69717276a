"""Standings as data and as tables for a terminal."""

from __future__ import annotations

import io
import shutil
from dataclasses import asdict
from typing import Any

from ludus.arena.ratings import Rating
from ludus.arena.standings import BotStanding, Share, Standings
from ludus.core.messages import Message
from ludus.core.written_numbers import local

PACKAGE = "ludus.arena"
FAULTS_SHOWN = 10
NARROW = 100  # columns: a terminal in which the table of bots has no room for everything


def say(key: str, lang: str, **values: object) -> str:
    """A sentence of the catalogue."""
    return Message(PACKAGE, key, values, "say").text(lang)


def seat_name(seat: str, lang: str) -> str:
    """A seat, or the seats of a team, in the language."""
    return "+".join(Message(PACKAGE, player, {}, "player").text(lang) for player in seat.split("+"))


def short(name: str, most: int = 40) -> str:
    """A bot's name that fits in a table: its beginning and its end."""
    return name if len(name) <= most else name[: most // 2] + "…" + name[1 - most // 2 :]


def percent(value: float, lang: str) -> str:
    """52.3%, or −3.0% of what may be less than nothing"""
    return local(f"{100 * value:.1f}%".replace("-", "−"), lang)


def interval(share: Share, lang: str) -> str:
    """48.1–56.5%"""
    return local(f"{100 * share.low:.1f}–{100 * share.high:.1f}%", lang) if share.games else "–"


def milliseconds(bot: BotStanding, lang: str) -> str:
    """0.12, where its moves were timed."""
    return "–" if bot.milliseconds is None else local(f"{bot.milliseconds:.2f}", lang)


def rating(value: Rating | None, digits: int, lang: str) -> str:
    """+120 ± 14"""
    if value is None:
        return "–"
    half = (value.high - value.low) / 2
    text = f"{round(value.value):+d} ± {half:.0f}" if digits == 0 else f"{value.value:.{digits}f} ± {half:.{digits}f}"
    return local(text, lang).replace(" ", "\N{NO-BREAK SPACE}")


def headline(standings: Standings, lang: str) -> str:
    """How many games of what."""
    words = say(
        "summary", lang, games=standings.games, plies=round(standings.plies / max(1, standings.games)),
        seed=standings.settings["seed"],
    )  # fmt: skip
    if standings.games < standings.planned:
        words += " · " + say("unfinished", lang, games=standings.games, planned=standings.planned)
    return words


def as_data(standings: Standings) -> dict[str, Any]:
    """For programs."""
    return {
        **standings.settings,
        "played": standings.games,
        "planned": standings.planned,
        "plies": standings.plies,
        "bots": [_bot_data(standings, name) for name in standings.names],
        "ranking": [bot.name for bot in standings.ranking],
        "seats": {seat: share.data() for seat, share in standings.seats.items()},
        "tables": [
            {"bots": [standings.names[bot] for bot in table.lineup], "results": letters.decode()}
            for table, letters in zip(standings.schedule.tables, standings.letters, strict=True)
        ],
        "faults": [
            {"table": table + 1, "game": number + 1, "bot": standings.names[bot], "text": text}
            for table, number, bot, text in standings.fault_lines
        ],
    }


def _bot_data(standings: Standings, name: str) -> dict[str, Any]:
    bot = standings[name]
    return {
        "name": bot.name,
        **bot.total.data(),
        "seats": {seat: share.data() for seat, share in bot.seats.items()},
        "against": {rival: _against_data(share) for rival, share in bot.against.items()},
        "forfeits": bot.forfeits,
        "faults": bot.faults,
        "bradley_terry": asdict(bot.bradley_terry) if bot.bradley_terry else None,
        "openskill": asdict(bot.openskill) if bot.openskill else None,
        "milliseconds": bot.milliseconds,
    }


def _against_data(share: Share) -> dict[str, Any]:
    return {"comparisons": share.games, "share": share.share, "low": share.low, "high": share.high}


def as_text(standings: Standings, lang: str = "en", colour: bool = False) -> str:
    """Tables for a terminal."""
    from rich.console import Console

    width = max(80, shutil.get_terminal_size((120, 24)).columns)
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=colour, no_color=not colour, highlight=False)
    console.print(f"[bold]{safe(say('title', lang, game=standings.game.title(lang)))}[/bold]")
    console.print(safe(headline(standings, lang)))
    names = {bot.name: safe(short(bot.name, max(12, width // 6))) for bot in standings.bots}
    console.print(_bots_table(standings, names, lang, narrow=width < NARROW))
    if len(standings.names) > 2:
        console.print(_against_table(standings, names, lang))
    console.print(_seats_table(standings, names, lang))
    for line in fault_lines(standings, lang):
        console.print(safe(line), soft_wrap=True)
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip().splitlines())


def safe(text: str) -> str:
    """A text in which rich finds no mark-up."""
    from rich.markup import escape

    return escape(text)


def terminal_table(title: str, *headings: str) -> Any:
    """An empty table of rich's, as all reports look."""
    from rich import box
    from rich.table import Table

    table = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0)
    )
    for at, heading in enumerate(headings):
        table.add_column(heading, justify="left" if at == 0 else "right", overflow="fold", min_width=0 if at else 12)
    return table


def _bots_table(standings: Standings, names: dict[str, str], lang: str, narrow: bool) -> Any:
    columns: dict[str, list[str]] = {}
    for bot in standings.ranking:
        total = bot.total
        row = {
            "bot": names[bot.name], "games": str(total.games), "wins": str(total.wins),
            "share": percent(total.share, lang), "interval": interval(total, lang), "fair": percent(total.fair, lang),
            "elo": rating(bot.bradley_terry, 0, lang), "openskill": rating(bot.openskill, 1, lang),
            "forfeits": str(bot.forfeits), "time": milliseconds(bot, lang),
        }  # fmt: skip
        for key, cell in row.items():
            columns.setdefault(key, []).append(cell)
    unneeded = {"wins", "fair", "time"} if narrow else set()
    unneeded |= {key for key, blank in (("forfeits", "0"), ("time", "–")) if set(columns[key]) == {blank}}
    shown = {key: cells for key, cells in columns.items() if key not in unneeded}
    table = terminal_table(say("bots", lang), *(say(key, lang) for key in shown))
    for cells in zip(*shown.values(), strict=True):
        table.add_row(*cells)
    return table


def _against_table(standings: Standings, names: dict[str, str], lang: str) -> Any:
    ranking = standings.ranking
    table = terminal_table(say("against", lang), say("row_against", lang), *(names[bot.name] for bot in ranking))
    for bot in ranking:
        cells = [bot.against.get(rival.name) for rival in ranking]
        table.add_row(names[bot.name], *(percent(cell.share, lang) if cell and cell.games else "–" for cell in cells))
    return table


def _seats_table(standings: Standings, names: dict[str, str], lang: str) -> Any:
    ranking = standings.ranking
    table = terminal_table(
        say("seats", lang),
        say("seat", lang),
        say("share", lang),
        say("interval", lang),
        *(names[bot.name] for bot in ranking),
    )
    for seat, share in standings.seats.items():
        row = [bot.seats[seat] for bot in ranking]
        cells = [percent(cell.share, lang) if cell.games else "–" for cell in row]
        table.add_row(seat_name(seat, lang), percent(share.share, lang), interval(share, lang), *cells)
    return table


def fault_lines(standings: Standings, lang: str) -> list[str]:
    """What bots did wrong, the first few."""
    if not standings.fault_lines:
        return []
    told = [
        "  " + say("fault", lang, table=table + 1, game=number + 1, text=text)
        for table, number, _, text in standings.fault_lines[:FAULTS_SHOWN]
    ]
    more = len(standings.fault_lines) - FAULTS_SHOWN
    return [say("faults", lang), *told, *([f"  {say('more_faults', lang, count=more)}"] if more > 0 else [])]
