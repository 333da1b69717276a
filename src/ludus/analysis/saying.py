"""The words of analyses and rollouts, in every language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.analysis import sight
from ludus.bots.net_files import net_for
from ludus.core.messages import Message
from ludus.core.written_numbers import local
from ludus.play.telling import chance_in_words, move_in_words, player_name, sentence, winners_told

if TYPE_CHECKING:
    from ludus.analysis.analysing import AnalysedEvent, Analysis

PACKAGE = "ludus.analysis"


def say(key: str, lang: str, section: str = "say", **values: object) -> str:
    """A sentence of the catalogue."""
    return Message(PACKAGE, key, values, section).text(lang)


def points(value: float, lang: str) -> str:
    """A share that was won or lost, in percentage points with its sign: +1.2."""
    text = f"{100 * value:+.1f}"
    return local("0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−"), lang)


def name(player: str, lang: str) -> str:
    """A player with a capital letter."""
    words = player_name(player, lang)
    return words[:1].upper() + words[1:]


def result_in_words(analysis: Analysis, lang: str) -> str:
    """Who won."""
    result = analysis.record.result
    return say("unfinished", lang) if result is None else winners_told(result, lang)


def value_in_words(analysis: Analysis, lang: str) -> str:
    """What the values come from."""
    return say(_source_of_values(analysis), lang, "values", name=analysis.by, plies=analysis.plies)


def _source_of_values(analysis: Analysis) -> str:
    """Playouts, for want of a net or because they were named; the net of the rule set, or the one for all."""
    by, game = analysis.by, analysis.game
    if by.startswith(sight.PLAYOUTS):
        return "hands" if game.has_secrets else "playouts_named" if sight.has_net(game) else "playouts"
    if by.partition(",")[0] not in (sight.NET, sight.DEEPER):
        return "named"
    return "for_all" if net_for(game).is_for_all else "own"


def event_in_words(analysis: Analysis, event: AnalysedEvent, lang: str) -> str:
    """What happened, in a sentence: the roll and its luck, or the move, its error and what was better."""
    from ludus.analysis.analysing import AnalysedDecision

    who = name(event.by, lang)
    if not isinstance(event, AnalysedDecision):
        rolled = sentence(chance_in_words(event.by, event.text, lang))
        return say("rolled", lang, what=rolled, luck=points(event.change[event.by], lang))
    if event.text == event.best:
        return say("played_best", lang, player=who, move=event.text)
    before = analysis.record.at(event.n - 1)
    did, does = (move_in_words(before.move(before.action(move)), lang) for move in (event.text, event.best))
    move, lost = f"{event.text} {event.mark}".strip(), points(-event.error, lang)
    return say("played", lang, player=who, move=move, did=did, best=event.best, does=does, lost=lost)


def harm_in_words(event: AnalysedEvent, lang: str) -> str:
    """Who gained and lost by it: 'Blue +2.8, Red −1.1'."""
    changes = sorted(event.change.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{name(player, lang)} {points(change, lang)}" for player, change in changes)


def turning_in_words(analysis: Analysis, lang: str) -> str:
    """When the one who leads at the end got ahead for good."""
    turning, leader = analysis.turning_point, name(analysis.leader, lang)
    if turning is None:
        return say("led_always", lang, player=leader)
    return say("turned", lang, player=leader, n=turning.n, what=event_in_words(analysis, turning, lang))


def turning_told(analysis: Analysis, lang: str) -> str:
    """The same as one tells it at the table: what happened then, without numbers of events or of luck."""
    from ludus.analysis.analysing import AnalysedDecision

    turning, leader = analysis.turning_point, name(analysis.leader, lang)
    if turning is None:
        return say("led_always", lang, player=leader)
    if isinstance(turning, AnalysedDecision):
        before = analysis.record.at(turning.n - 1)
        did = move_in_words(before.move(before.action(turning.text)), lang)
        what = say("did", lang, player=name(turning.by, lang), did=did)
    else:
        what = sentence(chance_in_words(turning.by, turning.text, lang))
    return say("turned_told", lang, player=leader, what=what)


def facts_in_words(analysis: Analysis, lang: str) -> list[tuple[str, str]]:
    """What a game turned on: the turning point, the luckiest and the unluckiest roll, each with its name."""
    facts = [(say("turning", lang), turning_in_words(analysis, lang))]
    for key, roll in (("best_roll", analysis.best_roll), ("worst_roll", analysis.worst_roll)):
        if roll is not None:
            facts.append((say(key, lang), f"{event_in_words(analysis, roll, lang)} ({say('event', lang)} {roll.n})"))
    return facts
