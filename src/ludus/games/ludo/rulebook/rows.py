"""The rows of [[on]], conditions and duties in sentences."""

from __future__ import annotations

from ludus.games.ludo.document.conditions import ANY_NUMBER, Condition, asked_of
from ludus.games.ludo.document.duties import Duty, duties_of
from ludus.games.ludo.document.reaction_options import On
from ludus.games.ludo.document.rules import RuleSet, is_kept
from ludus.games.ludo.document.tokens import PAIR, Alternative, alternative, sum_of, uses_of
from ludus.games.ludo.rulebook.findings import say
from ludus.games.ludo.rulebook.listing import listed


def events_told(rules: RuleSet, lang: str) -> list[str]:
    """What follows what: a sentence for each row."""
    return [event_told(row, lang) for row in rules.on] or [say("say", "on.empty", lang)]


def event_told(row: On, lang: str) -> str:
    """'With the third double in a row: the piece moved last goes back to its yard.'"""
    parts = {
        "if": [text for text in row.when if not is_kept(text)],
        "once": [text for text in row.when if is_kept(text)],
    }
    between = f" {say('word', 'and', lang)} "
    told = {key: [condition_told(asked_of(text).condition, lang) for text in texts] for key, texts in parts.items()}
    when = "".join(say("say", f"on.{key}", lang, conditions=between.join(each)) for key, each in told.items() if each)
    return say("say", "on.line", lang, event=event_in_words(row, lang), when=when, does=verb_in_words(row, lang))


def event_in_words(row: On, lang: str) -> str:
    """What happens."""
    values = {"list": listed(row.tiles, lang), "alternatives": listed(row.values, lang, "or")}
    if row.nth:
        what = say("say", f"on.counted.{row.event}", lang, **values)
        return say("say", "on.nth", lang, nth=say("say", f"on.ordinal.n{row.nth}", lang), what=what)
    if row.values and row.event != "roll":
        return say("say", f"on.of.{row.event}", lang, **values)
    key = "values" if row.values else row.event
    return say("say", f"on.event.{key}", lang, **values)


def verb_in_words(row: On, lang: str) -> str:
    """What follows."""
    if row.do == "home":
        return say("say", f"on.home.{row.piece}", lang)
    if row.do == "stake":
        key = ("pays" if row.amount > 0 else "gets") + ("_one" if abs(row.amount) == 1 else "")
        return say("say", f"on.stake.{key}", lang, n=abs(row.amount))
    if row.do == "move":
        piece = say("say", f"on.piece.{row.piece}", lang)
        return say("say", "on.move.on" if row.amount > 0 else "on.move.back", lang, n=abs(row.amount), piece=piece)
    if row.do == "swap":
        return say("say", "on.swap.line", lang, piece=say("say", f"on.piece.{row.piece}", lang))
    if row.onto:
        return say("say", f"on.onto.{'one' if len(row.onto) == 1 else 'other'}", lang, list=listed(row.onto, lang))
    if row.do == "out":
        return say("say", "on.out.one" if row.amount == 1 else "on.out.other", lang, n=row.amount)
    if row.do == "token":
        distance = row.token.lstrip("-").isdigit()
        key = row.token if not distance else "back" if row.token.startswith("-") else "on"
        token = say("say", f"on.token.{key}", lang, n=row.token.lstrip("-"))
        return token if row.amount == 1 else say("say", "on.token.times", lang, n=row.amount, token=token)
    return say("say", f"on.do.{row.do}", lang)


def condition_told(asked: Condition, lang: str) -> str:
    """'the yard is empty', 'at least 2 pieces are home'."""
    what = asked.what.replace(" ", "_")
    if asked.what == "holds":
        return say("say", "on.condition.holds", lang, tile=asked.tile)
    key = "none" if asked.high == 0 else "least" if asked.high == ANY_NUMBER else "just" if asked.low else "most"
    if key == "none":
        return say("say", f"on.condition.{what}_none", lang)
    number = asked.high if key in ("most", "just") else asked.low
    counted = say("say", f"on.condition.{what}", lang)
    return say("say", f"on.condition.{key}", lang, n=number, what=counted)


def tokens_told(rules: RuleSet, lang: str) -> list[str]:
    """What comes up, and the ways to play it."""
    if not rules.chance.tokens:
        return [say("say", "chance.tokens.empty", lang)]
    cards = {card.name for card in rules.chance.cards}  # the list of cards says it of these
    return [token_told(rules, key, texts, lang) for key, texts in rules.chance.tokens.items() if key not in cards]


def token_told(rules: RuleSet, key: str, texts: tuple[str, ...], lang: str) -> str:
    """'A 6: a piece comes out or 6 tiles on.'"""
    total = sum_of(key)
    kind = "pair" if key == PAIR else "sum" if total is not None else "value"
    what = say("say", f"token.{kind}", lang, n=total if total is not None else key)
    return say("say", "token.line", lang, what=what, uses=uses_in_words(texts, lang))


def uses_in_words(texts: tuple[str, ...], lang: str) -> str:
    """The ways to play a token, one after the other."""
    return f"; {say('word', 'or', lang)} ".join(text_in_words(text, lang) for text in texts)


def text_in_words(text: str, lang: str) -> str:
    """One alternative; a token that is shared out is told as a whole."""
    uses = uses_of(text)
    clears = say("say", "token.clears", lang) if uses[-1].clears else ""
    if len(uses) == 1:
        return use_in_words(uses[0], lang) + clears
    key = "token.split_by_two" if uses[0].stays else "token.split"
    return say("say", key, lang, n=uses[-1].distance) + clears


def use_in_words(use: Alternative, lang: str) -> str:
    """'a piece comes out, and then 3 tiles on'."""
    if use.swap:
        return say("say", f"token.{use.swap.replace(' ', '_')}", lang)
    if use.out:
        first = say("say", "token.out" if use.onto == 1 else "token.onto", lang, n=use.onto)
    else:
        first = say("say", "token.on" if use.distance > 0 else "token.back", lang, n=abs(use.distance))
    if not use.rest:
        return first
    rest = use_in_words(alternative(use.rest), lang)
    key = "token.then" if use.times == 1 else "token.then_times"
    return say("say", key, lang, first=first, rest=rest, n=use.times)


def duties_told(rules: RuleSet, lang: str) -> list[str]:
    """What must be done, in order."""
    if not rules.turn.duties:
        return [say("say", "turn.duties.empty", lang)]
    return [duty_told(number, duty, lang) for number, duty in enumerate(duties_of(rules))]


def duty_told(number: int, duty: Duty, lang: str) -> str:
    """One duty; the later ones say that they come after the others."""
    roll = ""
    if duty.with_roll:
        roll = say("say", f"duty.{'double' if duty.with_roll == 'double' else 'value'}", lang, n=duty.with_roll)
    return say(
        "say", "duty.first" if number == 0 else "duty.then", lang, roll=roll, what=say("say", f"duty.{duty.what}", lang)
    )
