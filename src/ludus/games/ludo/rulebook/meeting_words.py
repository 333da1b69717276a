"""Meetings, guards and jumps in sentences: a row, a kind of guard, each says its own."""

from __future__ import annotations

from ludus.games.ludo.board.chains import FREE, Edge, Guard, edges_of
from ludus.games.ludo.board.reachable import colour_name
from ludus.games.ludo.document.conditions import condition
from ludus.games.ludo.document.meeting_rows import ABSOLUTE, Meeting
from ludus.games.ludo.document.rules import COLOURS, RuleSet
from ludus.games.ludo.rulebook.findings import say
from ludus.games.ludo.rulebook.rows import condition_told

MOST_NAMED = 12  # tiles or steps named in one sentence


def meetings_told(rules: RuleSet, lang: str) -> list[str]:
    """The rows of the document in their order."""
    if not rules.meeting:
        return []
    first = [say("say", "meeting.first", lang)] if len(rules.meeting) > 1 else []
    return [*first, *(row_told(row, lang) for row in rules.meeting)]


def row_told(row: Meeting, lang: str) -> str:
    """'Enemy pieces (2 or more) on any tile: they can't be passed, and nobody may land there.'"""
    return say(
        "say",
        "meeting.line",
        lang,
        who=who_told(row.who, lang),
        count=count_told(row, lang),
        tiles=tiles_told(row, lang),
        coming="" if row.coming == "any" else say("meeting", f"coming.{row.coming}", lang),
        passing=say("meeting", f"passing.{str(row.passing).lower()}", lang),
        landing=say("meeting", f"landing.{row.landing}", lang),
        broken=say("meeting", "broken", lang, n=row.broken_by) if row.broken_by else "",
    )


def who_told(who: str, lang: str) -> str:
    """Whose pieces are met."""
    if who in COLOURS:
        return say("meeting", "who.colour", lang, colour=colour_name(COLOURS.index(who)).text(lang))
    return say("meeting", f"who.{who}", lang)


def count_told(row: Meeting, lang: str) -> str:
    """How many are met, in brackets; nothing where any number is meant."""
    match = ABSOLUTE.fullmatch(row.count)
    if row.count == "1+":
        return ""
    key = row.count if match is None else "at_least" if match[2] else "exactly"
    of = say("meeting", "of_side", lang) if row.of == "side" else ""
    return say("meeting", f"count.{key}", lang, n=match[1] if match else "", of=of)


def tiles_told(row: Meeting, lang: str) -> str:
    """Where they are met."""
    if isinstance(row.tiles, str):
        return say("meeting", f"tiles.{row.tiles}", lang)
    return say("meeting", "tiles.named", lang, list=", ".join(map(str, row.tiles)))


def guards_told(rules: RuleSet, lang: str) -> list[str]:
    """What guards steps, one sentence a kind of guard; and what jumps do beside leading on."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for chain in rules.board.paths:
        for edge in edges_of(chain, "board.paths"):
            for key in guard_keys(edge.guard):
                kinds.setdefault(key, []).append(step_told(edge))
    for chain in rules.board.jumps:
        edges = edges_of(chain, "board.jumps")
        for key in guard_keys(edges[-1].guard):
            kinds.setdefault(key, []).append(chain.split("[")[0].strip())
    return [
        say("say", f"guard.{key}", lang, values=asked_for(key, values, lang), steps=some_of(steps))
        for (key, values), steps in kinds.items()
    ]


def asked_for(key: str, text: str, lang: str) -> str:
    """The values that a guard names, or its condition in words."""
    return condition_told(condition(text), lang) if key in ("when", "while") else text


def some_of(steps: list[str]) -> str:
    """Steps one after the other; a long list is cut."""
    return "; ".join(steps[:MOST_NAMED]) + " …" * (len(steps) > MOST_NAMED)


def guard_keys(guard: Guard) -> list[tuple[str, str]]:
    """The sentences of a guard, with the values that they name."""
    if guard == FREE:
        return []
    values = ", ".join(map(str, sorted(guard.values)))
    found = [("back" if guard.is_back else "with", values)] if guard.values else []
    found += [(name, "") for name in ("stop", "rest", "slide", "through") if getattr(guard, name)]
    how, _, text = guard.when.partition(" ")
    found += [(how, text)] if how else []
    return found + ([("captured" if guard.captured else "uncaptured", "")] if guard.captured is not None else [])


def step_told(edge: Edge) -> str:
    """A step as a document writes it, without its guard."""
    return f"{edge.whom + ': ' if edge.whom else ''}{edge.here} > {edge.there}"
