"""The heuristic bot against the plain reference: every candidate's parts, and that the choice is among the best.

A decision counts as compared when `get_last_score_debug()` and `explain()` give the reference's parts for every legal
move, with and without `literal`, and `choose` takes one of the highest totals (H17, H20). Decisions come from seeded
play, random and heuristic moves mixed, and from set-up positions where pieces crowd together.
"""

import os
import random
from collections import Counter

import pytest

import ludus

from . import heuristic_reference as ref

TIMES = 10 if os.environ.get("LUDUS_SOAK") == "1" else 1

GAMES = {
    "pettingzoo": lambda: ludus.make("pettingzoo"),
    "pettingzoo, two": lambda: ludus.make("pettingzoo", players=2),
    "pettingzoo, teams": lambda: ludus.make("pettingzoo", mode="teams"),
    "strict": lambda: ludus.make("strict"),
    "strict, corners": lambda: ludus.make("strict", players=3, end_path=4, corners=True),
    "maedn": lambda: ludus.make("maedn"),
    "classic": lambda: ludus.make("classic"),
    "classic, blocks": lambda: ludus.make("classic", players=3, block="opponents"),
    "fia": lambda: ludus.make("fia"),
    "petits-chevaux": lambda: ludus.make("petits-chevaux"),
    "cross-6": lambda: ludus.make("cross-6"),
    "star, turn limit": lambda: ludus.make("star", turn_limit=5_000),
    "pettingzoo, turn limit": lambda: ludus.make("pettingzoo", turn_limit=5_000),
}


# ---------------------------------------------------------------- where decisions come from


def decides(pos):
    return pos.to_move not in ("chance", None) and [str(move) for move in pos.moves()] != ["pass"]


def from_play(game, seed, decisions):
    """Games of random and heuristic moves."""
    rng, bot = random.Random(f"{game.name} {seed}"), ludus.bot("heuristic", seed=seed)
    while True:
        pos = game.start(seed=rng.randrange(10**6))
        while pos.to_move is not None:
            if decides(pos):
                if decisions == 0:
                    return
                decisions -= 1
                yield pos
            if pos.to_move == "chance":
                pos = pos.roll(rng)
            else:
                pos = pos.play(bot.choose(pos) if rng.random() < 0.4 else rng.choice(pos.moves()))


def crowd(rng, game):
    """Pieces close together on the path, some of them stacked, some at home; it may be an impossible position."""
    rules = game.rules
    length = ref.path_length(rules)
    first, width = rng.randrange(length), rng.choice((6, 10, 20, length))
    pieces = {}
    for colour in game.players:
        places = pieces[colour] = []
        for piece in range(rules.board.pieces):
            chance = rng.random()
            if chance < 0.15:
                places.append("start")
            elif chance < 0.25:
                places.append(f"end:{piece}" if rules.finish.places == "end_path" else "finish")
            elif chance < 0.33:
                places.append(f"end:{rng.randrange(rules.board.end_path)}")
            elif chance < 0.5 and places and rules.movement.share_own:
                places.append(rng.choice(places))
            else:
                places.append((first + rng.randrange(width)) % length)
    data = {"pieces": pieces, "turn": rng.choice(game.players), "dice": [rng.randint(1, 6)]}
    return data | ({"captured": list(game.players)} if rules.capture.before_home else {})


def from_crowds(game, seed, decisions):
    """Set-up positions."""
    rng = random.Random(f"{game.name} {seed} crowds")
    while decisions:
        try:
            pos = game.position(crowd(rng, game))
        except ludus.InvalidPosition:
            continue
        if decides(pos):
            decisions -= 1
            yield pos


# ---------------------------------------------------------------- one decision


def parts_of(line):
    """What the reference tells, of a line of the bot's."""
    return {name: line[name] for name in ref.PARTS}


def agree(pos, bot, seen):
    want = ref.candidates(pos, literal=bot.literal)
    chosen = str(bot.choose(pos))
    got = {line["move"]: parts_of(line) for line in bot.get_last_score_debug()}
    assert got == want, pos.to_dict()
    best = ref.best(want)
    assert chosen in best, pos.to_dict()
    if seen["decisions"] % 10 == 0:
        explained = bot.explain(pos)
        assert str(explained[0].move) == chosen, pos.to_dict()
        assert {str(found.move): parts_of(found.detail) for found in explained} == want, pos.to_dict()
        assert {str(found.move): found.score for found in explained} == {m: want[m]["total"] for m in want}
    note(pos, want, best, chosen, seen)


def note(pos, want, best, chosen, seen):
    """Count what was met, so that a test can say that everything was."""
    seen["decisions"] += 1
    if len(best) > 1:
        seen["tie, first" if chosen == min(best) else "tie, another"] += 1
    for move in pos.moves():
        parts = want[str(move)]
        seen[parts["rule"]] += 1
        seen[parts["phase"]] += 1
        seen["breaks a block"] += parts["breaks_block"]
        seen["threatened, stays"] += parts["threatened"] and parts["rule"] != "FLEE_MOVE"
        seen["threatened, captures"] += parts["threatened"] and parts["rule"] == "CAPTURE_MOVE"
        seen["star jump"] += parts["bonuses"] >= ref.STAR_JUMP
        seen["globe hop"] += parts["bonuses"] in (1_500, 1_850)
        seen["sent home"] += parts["bonuses"] == 0 and parts["rule"] == "STRATEGY"
        seen["risk"] += parts["risk"] > 0


def compare(game, seed, played, set_up):
    seen = Counter()
    bots = [ludus.bot("heuristic", seed=seed, literal=literal, debug_scores=True) for literal in (False, True)]
    for source, decisions in ((from_play, played), (from_crowds, set_up)):
        for pos in source(game, seed, decisions * TIMES):
            for bot in bots:
                agree(pos, bot, seen)
    return seen


# ---------------------------------------------------------------- the tests

EVERYTHING = {
    *ref.SCORES, "CRITICAL", "OPENING", "CLOSING", "MIDGAME", "breaks a block", "threatened, stays",
    "threatened, captures", "star jump", "globe hop", "sent home", "risk", "tie, first", "tie, another",
}  # fmt: skip

ON_EVERY_BOARD = {
    "CAPTURE_MOVE", "FLEE_MOVE", "HOME_BASE_PROGRESS", "GET_OUT_OF_HOME", "STRATEGY", "CRITICAL", "OPENING", "MIDGAME",
    "threatened, stays", "risk",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_star(players):
    seen = compare(ludus.make("star", players=players), players, played=200, set_up=160)
    assert seen["decisions"] == 2 * 360 * TIMES
    assert {what for what in EVERYTHING if not seen[what]} == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_other_boards(name):
    seen = compare(GAMES[name](), 1, played=40, set_up=40)
    assert seen["decisions"] == 2 * 80 * TIMES
    assert {what for what in ON_EVERY_BOARD if not seen[what]} == set()


def test_a_pass_is_all_that_is_left():
    pos = ludus.make("star").start().play("3")
    assert ref.candidates(pos) == {}
    assert {str(ludus.bot("heuristic", seed=seed).choose(pos)) for seed in range(5)} == ref.best({}) == {"pass"}
