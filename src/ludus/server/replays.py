"""Frames of a game for a replay."""

from __future__ import annotations

from collections import OrderedDict
from itertools import pairwise

from ludus.core.position import Position
from ludus.core.record import Record
from ludus.core.registry import from_document
from ludus.core.scene import PositionScene, follow, scene_of_events
from ludus.play.facts import Fact, Opening
from ludus.play.refusals import Refused
from ludus.play.table import Table
from ludus.play.telling import chance_in_words, move_in_words, player_name, words_of
from ludus.server.bodies import ReplayFrame, ReplayShown
from ludus.server.views import board_of, scene_of

MOST_FRAMES = 500
KNOWN_REPLAYS = 8


class Replays:
    """Records of tables, a few of them kept: pages of one replay are asked for one after the other."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], Record] = OrderedDict()

    def frames(self, stored: tuple[Opening, list[Fact]], begin: int, count: int, lang: str) -> ReplayShown:
        """`count` frames from number `begin` on."""
        opening, facts = stored
        record = self._record(opening, facts)
        end = min(begin + count, len(record) + 1)
        frames = [frame(record, n, lang) for n in range(begin, end)]
        if record.game.document()["family"] != "ludo":
            _follow_pieces(frames)
        return {
            "table": opening.table, "title": record.game.title(lang), "scene": board_of(record.game, lang),
            "count": len(record) + 1, "from": begin, "frames": frames,
        }  # fmt: skip

    def _record(self, opening: Opening, facts: list[Fact]) -> Record:
        key = (opening.table, len(facts))
        if key not in self._known:
            self._known[key] = Table(opening, from_document(opening.document), facts).record
            if len(self._known) > KNOWN_REPLAYS:
                self._known.popitem(last=False)
        return self._known[key]


def frame(record: Record, n: int, lang: str) -> ReplayFrame:
    """The position after `n` events, and what led to it."""
    view: PositionScene = {**scene_of(record.at(n), lang), "ply": n, "moves": []}
    if n == 0:
        return {"n": 0, "by": "", "kind": "start", "text": "", "words": words_of("start", lang), "view": view}
    event, before = record.event(n), record.at(n - 1)
    player = before.turn if event.is_chance else event.by
    told: ReplayFrame = {
        "n": n, "by": event.by, "player": player, "text": event.text, "view": view, "kind": "roll", "words": "",
        "events": scene_of_events(before.events(event.text)),
    }  # fmt: skip
    if event.is_chance:
        return {**told, "words": chance_in_words(before.turn, event.text, lang)}
    move = before.move(before.action(event.text))
    words = words_of("plays", lang, player=player_name(event.by, lang), does=move_in_words(move, lang))
    played = next((one for one in before.scene(lang)["moves"] if one["move"] == event.text), None)
    return {**told, "kind": "move", "words": words, "move": played}


def _follow_pieces(frames: list[ReplayFrame]) -> None:
    """Ids that follow the pieces, where they have no number of their own."""
    for before, after in pairwise(frames):
        old, move = before["view"]["pieces"], after.get("move")
        after["view"]["pieces"] = follow(old, after["view"]["pieces"])
        if move:
            there = {piece["place"]: piece["id"] for piece in old}
            move["pieces"] = [there.get(str(move["origin"]), one) for one in move["pieces"]]
            for taken in move["captures"]:
                taken["piece"] = there.get(taken["place"], taken["piece"])


def moment(record: Record, ply: int | None) -> Position:
    """The position of a record after so many events; the last one where none is said."""
    if ply is not None and ply > len(record):
        raise Refused("not_found")
    return record.position if ply is None else record.at(ply)
