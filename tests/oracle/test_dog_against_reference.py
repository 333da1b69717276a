"""Dog against a plain reference, written from its rules: deals, exchanges, moves, next positions, the end.

A decision counts as compared when the cards that can be played, each with the positions that it leads to, are the
same. How a joker's move is written is not compared.
"""

import json
import os
import random
import re
from collections import Counter

import pytest

import ludus

from . import dog_reference as ref

SOAK = os.environ.get("LUDUS_SOAK") == "1"
DECISIONS = 20_000 if SOAK else 2_000
CARD = re.compile(r"(?:give:|out\(|\+)([a-z]+)")


def shown(pos):
    data = pos.to_dict()
    return {
        "pieces": {colour: sorted(map(str, places)) for colour, places in data["pieces"].items()},
        "turn": data["turn"],
        "waiting": list(map(str, data.get("dice", []))),
        "hands": {colour: sorted(cards) for colour, cards in data.get("hands", {}).items()},
        "given": data.get("given", {}),
        "deck": {card: count for card, count in data.get("deck", ref.PACK).items() if count},
        "fresh": sorted(data.get("fresh", [])),
    }


def played(move):
    """The card of a move, 'rest' for a part of a seven, or 'pass'."""
    found = CARD.search(str(move))
    if found is None or found[1] in ("split", "rest"):
        return "pass" if str(move) == "pass" else "rest"
    return found[1]


def key(what, position):
    return (what, json.dumps(position, sort_keys=True))


def agree(pos, state, seen):
    """Compare one position; pairs of next positions and states where somebody decides."""
    assert shown(pos) == ref.shown(state)
    assert pos.to_move == ref.to_move(state)
    if pos.to_move in (None, "chance"):
        return []
    want = {key(what, ref.shown(new)): new for what, new in ref.moves(state)}
    got = {key(played(move), shown(after)): after for move in pos.moves() for after in [pos.play(move)]}
    assert got.keys() == want.keys(), (pos.to_dict(), got.keys() ^ want.keys())
    seen["decisions"] += 1
    seen["choices"] += len(want) > 1
    seen.update({what for what, _ in want})
    return [(got[name], want[name]) for name in sorted(want)]


def far(state):
    """How many pieces are home: half of the games go where more are."""
    return sum(place in ref.GOALS for places in state["pieces"].values() for place in places)


def compare_game(game, rng, seen):
    pos, state = game.start(seed=rng.randrange(2**32)), ref.start()
    while seen["decisions"] < DECISIONS:
        after = agree(pos, state, seen)
        if pos.to_move is None:
            assert pos.result == ref.result(state)
            seen["over"] += 1
            return
        if after:
            best = max(far(new) for _, new in after)
            pos, state = rng.choice([each for each in after if far(each[1]) == best])
        else:
            odds = ref.outcomes(state)
            assert pos.outcomes() == pytest.approx({name: float(chance) for name, chance in odds.items()})
            (name,) = rng.choices(list(odds), [float(chance) for chance in odds.values()])
            pos, state = pos.play(name), ref.roll(state, name)


@pytest.mark.slow
@pytest.mark.timeout(0 if SOAK else 900)
def test_games_agree():
    rng = random.Random("dog")
    game, seen = ludus.make("dog").compile(), Counter()
    while seen["decisions"] < DECISIONS:
        compare_game(game, rng, seen)
    assert seen["over"] >= 1
    assert seen["choices"] >= DECISIONS / 3
    for what in (*ref.PACK, "rest", "pass"):
        assert seen[what], what
