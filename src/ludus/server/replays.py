"""Frames of a game for a replay; made in a thread of their own, on games that nobody else uses."""

from __future__ import annotations

import threading
from collections import OrderedDict
from itertools import pairwise
from typing import Any

from ludus.core.record import Record
from ludus.core.registry import from_document
from ludus.core.scene import follow, scene_of_events
from ludus.server.table import Fact, Opening, Table
from ludus.server.telling import chance_in_words, move_in_words, player_name, words_of

MOST_FRAMES = 500
KNOWN_REPLAYS = 8


class Replays:
    """Records of tables, a few of them kept: pages of one replay are asked for one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, int], Record] = OrderedDict()

    def frames(self, stored: tuple[Opening, list[Fact]], begin: int, count: int, lang: str) -> dict[str, Any]:
        """`count` frames from number `begin` on. A game's scratch is its own, so one thread at a time."""
        opening, facts = stored
        with self._lock:
            record = self._record(opening, facts)
            end = min(begin + count, len(record) + 1)
            frames = [frame(record, n, lang) for n in range(begin, end)]
            if record.game.document()["family"] != "ludo":
                _follow_pieces(frames)
            return {
                "table": opening.table, "title": record.game.title(lang), "scene": record.game.scene(lang),
                "count": len(record) + 1, "from": begin, "frames": frames,
            }  # fmt: skip

    def _record(self, opening: Opening, facts: list[Fact]) -> Record:
        key = (opening.table, len(facts))
        if key not in self._known:
            self._known[key] = Table(opening, from_document(opening.document), facts).record
            if len(self._known) > KNOWN_REPLAYS:
                self._known.popitem(last=False)
        return self._known[key]


def frame(record: Record, n: int, lang: str) -> dict[str, Any]:
    """The position after `n` events, and what led to it."""
    view = {**record.at(n).scene(lang), "ply": n, "moves": []}
    if n == 0:
        return {"n": 0, "by": "", "kind": "start", "text": "", "words": words_of("start", lang), "view": view}
    event, before = record.event(n), record.at(n - 1)
    player = before.turn if event.is_chance else event.by
    told = {"n": n, "by": event.by, "player": player, "text": event.text, "view": view}
    told["events"] = scene_of_events(before.events(event.text))
    if event.is_chance:
        return told | {"kind": "roll", "words": chance_in_words(before.turn, event.text, lang)}
    move = before.move(before.action(event.text))
    words = words_of("plays", lang, player=player_name(event.by, lang), does=move_in_words(move, lang))
    played = next((one for one in before.scene(lang)["moves"] if one["move"] == event.text), None)
    return told | {"kind": "move", "words": words, "move": played}


def _follow_pieces(frames: list[dict[str, Any]]) -> None:
    """Ids that follow the pieces, where they have no number of their own."""
    for before, after in pairwise(frames):
        old, move = before["view"]["pieces"], after.get("move")
        after["view"]["pieces"] = follow(old, after["view"]["pieces"])
        if move:
            there = {piece["place"]: piece["id"] for piece in old}
            move["pieces"] = [there.get(move["origin"], one) for one in move["pieces"]]
            for taken in move["captures"]:
                taken["piece"] = there.get(taken["place"], taken["piece"])
