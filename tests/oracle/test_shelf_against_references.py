"""Games of the shelf against plain references, written from their rules alone: rolls, moves, next positions, ends.

A decision counts as compared when the set of notations is the same and every move of it leads to the same position.
What a reference remembers and a position does not show (throws owed, doubles in a row, the piece moved last) shows
in the plies that follow: games are walked, not single positions looked at.
"""

import os
import random
from collections import Counter
from functools import partial

import pytest

import ludus

from . import aeroplane_reference, parchis_reference, yut_reference

SOAK = os.environ.get("LUDUS_SOAK") == "1"
PLAYERS = (2, 3, 4)
DECISIONS = (20_000 if SOAK else 2_000) // len(PLAYERS) + 1
GAMES = {
    "yut": (yut_reference, partial(yut_reference.start, saved=False)),
    "yut-nori": (yut_reference, partial(yut_reference.start, saved=True)),
    "yut-back-do": (yut_reference, partial(yut_reference.start, saved=True, marked=True)),
    "parchis": (parchis_reference, parchis_reference.start),
    "aeroplane": (aeroplane_reference, aeroplane_reference.start),
}


def shown(pos):
    """What a position shows, in the form of the references."""
    data = pos.to_dict()
    pieces = {colour: sorted(map(str, places)) for colour, places in data["pieces"].items()}
    waiting = sorted(map(str, data.get("dice", []) + data.get("kept", [])))
    return {"pieces": pieces, "turn": data["turn"], "waiting": waiting}


def after_roll_off(game, rng):
    """The first throw of the game proper; who begins is not the references' affair."""
    pos = game.start(seed=rng.randrange(2**32))
    while "rolloff" in pos.to_dict():
        pos = pos.roll(rng)
    return pos


def agree(pos, state, ref, seen):
    """Compare one position; {notation: (next position, next state)} where somebody decides."""
    assert shown(pos) == ref.shown(state), pos.to_dict()
    assert pos.to_move == ref.to_move(state), (pos.to_dict(), state)
    if pos.to_move is None:
        return {}
    if pos.to_move == "chance":
        chances = {name: float(chance) for name, chance in ref.outcomes(state).items()}
        assert pos.outcomes() == pytest.approx(chances)
        return {}
    want = ref.moves(state)
    assert {str(move) for move in pos.moves()} == want.keys(), (pos.to_dict(), state)
    after = {name: (pos.play(name), new) for name, new in want.items()}
    for name, (got, new) in after.items():
        assert shown(got) == ref.shown(new), (pos.to_dict(), name)
    seen["decisions"] += 1
    seen["choices"] += len(want) > 1
    seen["pass"] += "pass" in want
    return after


def enemies_in_yard(new, colour):
    return sum(places.count("start") for other, places in new["pieces"].items() if other != colour)


def pick(after, state, rng):
    """Half of the moves capture where one can: the awkward rules begin there."""
    colour = state["turn"]
    names = sorted(after)
    if rng.random() < 0.5:
        most = max(enemies_in_yard(new, colour) for _, new in after.values())
        names = [name for name in names if enemies_in_yard(after[name][1], colour) == most]
    return after[rng.choice(names)]


def compare_game(game, ref, begin, rng, seen, decisions):
    pos = after_roll_off(game, rng)
    state = begin(game.players, pos.turn)
    while seen["decisions"] < decisions:
        after = agree(pos, state, ref, seen)
        if pos.to_move is None:
            agree_on_the_end(pos, state, ref)
            seen["over"] += 1
            return
        if after:
            pos, state = pick(after, state, rng)
        else:
            odds = ref.outcomes(state)
            (name,) = rng.choices(list(odds), [float(chance) for chance in odds.values()])
            pos, state = pos.play(name), ref.roll(state, name)


def agree_on_the_end(pos, state, ref):
    if hasattr(ref, "result"):
        assert pos.result == ref.result(state)
    else:
        best = max(pos.result.values())
        assert [colour for colour in pos.result if pos.result[colour] == best] == [ref.first_home(state)]


@pytest.mark.timeout(0 if SOAK else 300)
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", GAMES)
def test_games_agree(name, players):
    ref, begin = GAMES[name]
    game = ludus.make(name, players=players)
    rng = random.Random(f"{name} {players}")
    seen = Counter()
    while seen["decisions"] < DECISIONS:
        compare_game(game, ref, begin, rng, seen, DECISIONS)
    assert seen["over"] >= 1
    assert seen["choices"] >= DECISIONS / 6
