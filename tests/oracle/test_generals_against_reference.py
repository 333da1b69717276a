"""The kernel's Generals against the plain reference: moves, next positions, chances, and what is impossible.

A ply is a position of any kind: who acts, the outcomes with their chances, the set of notations, and the
position after each move. Garrisoning offers hundreds of moves at once: their notations are all compared, their
positions by sample.
"""

import contextlib
import copy
import os
import random
from collections import Counter

import pytest

import ludus

from . import generals_reference as ref

pytestmark = pytest.mark.filterwarnings("ignore:generals. quiet_limit and turn_limit are 0")

OPTIONS = {
    "four": {},
    "eight": {"directions": 8},
    "toss": {"toss": True},
    "short": {"directions": 8, "toss": True, "quiet_limit": 12, "turn_limit": 90},
    "endless": {"quiet_limit": 0, "turn_limit": 0},
}
TIMES = 10 if os.environ.get("LUDUS_SOAK") == "1" else 1
CHUNKS = 5  # of each kind and game
CHUNK = 1_300  # plies; 5 chunks x 2 kinds x 4 games = 52,000 in `make test`
MUTANTS = 2_000
SAMPLE = 40


# ---------------------------------------------------------------- one position


def agree_on_moves(rng, pos, data, options, want):
    """The same notations, and the same position after each (of very many, after some)."""
    moves = {str(move): move for move in pos.moves()}
    assert len(moves) == len(pos.moves()), data
    assert moves.keys() == want.keys(), data
    names = sorted(moves)
    for name in names if len(names) <= 2 * SAMPLE else rng.sample(names, SAMPLE):
        after = pos.play(moves[name])
        assert ref.normal(after.to_dict(), options) == want[name], (data, name)
        agree_on_facts(moves[name], data, want[name])


def agree_on_facts(move, data, after):
    """What a move says of itself, read off the two positions."""
    killed = len(data["attacker"] + data["defender"]) - len(after["attacker"] + after["defender"])
    assert len(move.captures) == (killed if move.kind != "attack" else 0), (data, str(move))
    assert len(move.converts) == max(0, len(after["defender"]) - len(data["defender"])), (data, str(move))
    assert move.must_convert == ("convert" in after), (data, str(move))
    assert move.hits == after.get("hits", 0), (data, str(move))
    if move.origin and move.kind != "convert":
        assert move.origin in data[data["turn"]], (data, str(move))


def agree_on_the_mask(rng, pos, names):
    """Every action of the mask is a legal move; every other one is refused with a rule's id."""
    mask = pos.mask()
    actions = [int(action) for action in mask.nonzero()[0]]
    assert sorted(str(pos.move(action)) for action in actions) == sorted(names)
    for action in rng.sample(range(pos.game.num_actions), 10):
        if not mask[action]:
            with pytest.raises(ludus.IllegalMove) as refused:
                pos.move(action)
            assert refused.value.rule.startswith("G")


def agree(rng, pos, data, options, seen):
    """Compare one position; {notation: next position} where somebody decides."""
    assert ref.normal(pos.to_dict(), options) == data
    assert pos.to_move == ref.to_move(data, options), data
    chances = {name: float(chance) for name, chance in ref.outcomes(data, options).items()}
    assert pos.outcomes() == pytest.approx(chances), data
    want = ref.moves(data, options)
    agree_on_moves(rng, pos, data, options, want)
    note(data, want, chances, seen)
    if want and seen["plies"] % 10 == 1:
        agree_on_the_mask(rng, pos, want)
    agree_on_the_result(pos, data, options)
    return want


def agree_on_the_result(pos, data, options):
    by_role = ref.result(data, options)
    assert pos.result_by_role == by_role, data
    if by_role and pos.game.rules.toss:
        assert pos.result == ref.player_result(data, options), data
    assert (pos.roles or {}) == data.get("roles", {} if pos.game.rules.toss else pos.roles), data


def note(data, moves, chances, seen):
    """Count what the comparison met, so that it can't quietly miss the awkward rules."""
    seen["plies"] += 1
    seen.update({name[0] for name in moves} & set("*=p"))
    seen[">"] += any(">" in name for name in moves)
    seen["attack"] += any(name[-2:] in ref.GENERAL and "-" in name for name in moves)
    seen["intercept"] += any(name.startswith("intercept") for name in chances)
    seen["toss"] += any(name.startswith("toss") for name in chances)


# ---------------------------------------------------------------- along games, and around awkward positions


def choose(rng, moves):
    """A move; half the time an attack, a strike or a conversion where there is one."""
    special = [name for name in moves if name[0] in "*=" or ("-" in name and name[-2:] in ref.GENERAL)]
    return rng.choice(sorted(special if special and rng.random() < 0.5 else moves))


def walk(rng, game, options, data, plies, seen):
    """Compare a position and those after it along random play, to the end of the game or of the plies."""
    pos = game.position(data)
    for _ in range(plies):
        want = agree(rng, pos, data, options, seen)
        if pos.to_move is None:
            seen[pos.ending] += 1
            return
        if want:
            name = choose(rng, want)
            pos, data = pos.play(name), want[name]
        else:
            name = rng.choice(sorted(pos.outcomes()))
            before, pos, data = pos, pos.play(name), ref.apply_outcome(data, options, name)
            seen["stalemate"] += pos == before


def compare_games(kind, seed, plies):
    options, rng, seen = OPTIONS[kind], random.Random(f"games {kind} {seed}"), Counter()
    game = ludus.make("generals", **options)
    while seen["plies"] < plies:
        walk(rng, game, options, ref.start(options), plies - seen["plies"], seen)
    return seen


def compare_biased(kind, seed, plies):
    options, rng, seen = OPTIONS[kind], random.Random(f"biased {kind} {seed}"), Counter()
    game = ludus.make("generals", **options)
    while seen["plies"] < plies:
        walk(rng, game, options, ref.biased_position(rng, options), rng.choice([1, 2, 3, 6]), seen)
    return seen


@pytest.mark.parametrize("compare", [compare_games, compare_biased])
@pytest.mark.parametrize("kind", OPTIONS)
def test_quick(kind, compare):
    """2,000 plies, for `make test-fast`."""
    compare(kind, "quick", 250)


@pytest.mark.slow
@pytest.mark.timeout(0 if TIMES > 1 else 900)
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("kind", OPTIONS)
def test_games(kind, chunk):
    seen = compare_games(kind, chunk, CHUNK * TIMES)
    for what in ("attack", ">", *(["toss"] if "toss" in OPTIONS[kind] else [])):
        assert seen[what], (what, seen)


@pytest.mark.slow
@pytest.mark.timeout(0 if TIMES > 1 else 900)
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("kind", OPTIONS)
def test_biased_positions(kind, chunk):
    seen = compare_biased(kind, chunk, CHUNK * TIMES)
    for what in ("*", "=", ">", "p", "attack", "intercept", "stalemate", "hits", "exhaustion"):
        assert seen[what] >= 3, (what, seen)
    for what, limit in (("quiet", "quiet_limit"), ("turns", "turn_limit")):
        least = 0 if OPTIONS[kind].get(limit) == 0 else 3
        assert seen[what] >= least, (what, seen)


def test_enough_is_compared():
    assert CHUNK * CHUNKS * 2 * len(OPTIONS) >= 50_000


# ---------------------------------------------------------------- what is impossible

NO_CELL = [
    None,
    True,
    5,
    1.5,
    "",
    "a",
    "a0",
    "a11",
    "k1",
    "A1",
    "a1 ",
    "a01",
    "e5",
    "f6",
    "a٣",
    [],
    {},
    (),
    b"a1",
]
NO_VALUE = [
    None,
    True,
    False,
    -1,
    0,
    1,
    3,
    4,
    7,
    1.0,
    "1",
    [],
    {},
    "attacker",
    ["white"],
    ["attacker", "attacker"],
]


def any_cell(rng):
    return rng.choice(ref.ALL_CELLS) if rng.random() < 0.8 else rng.choice(NO_CELL)


def move_a_unit(rng, pos):
    units = pos[rng.choice(ref.ROLES)]
    units[rng.randrange(len(units))] = any_cell(rng)


def add_units(rng, pos):
    pos[rng.choice(ref.ROLES)] += [any_cell(rng) for _ in range(rng.choice([1, 1, 12]))]


def remove_units(rng, pos):
    pos[rng.choice(ref.ROLES)] = []


def change_what_is_pending(rng, pos):
    key = rng.choice(["dice", "convert", "attack"])
    pos[key] = rng.choice([1, 2, 3, 4, 5, 6, 0, 7, "4"]) if key == "dice" else any_cell(rng)
    for other in ("dice", "convert", "attack"):
        if other != key and rng.random() < 0.8:
            pos.pop(other, None)


def point_at_a_unit(rng, pos):
    key, role = rng.choice([("convert", "defender"), ("attack", "attacker")])
    for other in ("dice", "convert", "attack"):
        pos.pop(other, None)
    pos[key], pos["turn"] = rng.choice(pos[role]), role


def change_a_value(rng, pos):
    pos[rng.choice(["turn", "hits", "garrisoned", "struck", "quiet", "turns", "attacker"])] = rng.choice(NO_VALUE)


def reach_an_end(rng, pos):
    key, value = rng.choice(
        [("hits", 3), ("quiet", 100), ("turns", 1000), ("quiet", 12), ("turns", 90), ("turns", 2000)]
    )
    pos[key] = value
    if rng.random() < 0.7:
        for other in ("dice", "convert", "attack"):
            pos.pop(other, None)


def change_the_toss(rng, pos):
    pos.pop(rng.choice(["roles", "toss"]), None)
    if rng.random() < 0.5:
        pos["toss"] = rng.choice(["white", "black", "attacker", None])
    else:
        roles = [*ref.ROLES, "white", None]
        pos["roles"] = {
            player: rng.choice(roles) for player in ("white", "black", "green")[: rng.choice([1, 2, 2, 2, 3])]
        }


def drop_or_add_a_key(rng, pos):
    if rng.random() < 0.5:
        del pos[rng.choice(list(pos))]
    else:
        pos[rng.choice(["die", "Dice", "stage", "", 3, None])] = rng.choice(NO_VALUE)


MUTATIONS = {
    move_a_unit: 5, add_units: 2, remove_units: 1, change_what_is_pending: 4, point_at_a_unit: 4,
    change_a_value: 3, reach_an_end: 3, change_the_toss: 1, drop_or_add_a_key: 1,
}  # fmt: skip


def mutant(rng, options):
    """A position with one or two things changed, which may make it impossible, or not."""
    pos = copy.deepcopy(ref.biased_position(rng, options))
    for mutation in rng.choices(list(MUTATIONS), list(MUTATIONS.values()), k=rng.choice([1, 1, 2])):
        # the mutation before may have left nothing for this one to change
        with contextlib.suppress(KeyError, TypeError, AttributeError, IndexError, ValueError):
            mutation(rng, pos)
    return pos


def agree_on_validity(game, options, data):
    try:
        ref.validate(data, options)
        fault = None
    except ValueError as error:
        fault = str(error)
    if fault is None:
        pos = game.position(data)
        assert ref.normal(pos.to_dict(), options) == ref.normal(data, options)
        assert game.position(pos.to_dict()) == pos
        return True
    with pytest.raises(ludus.InvalidPosition) as refused:
        pytest.fail(f"accepted, but {fault}: {game.position(data)}")
    assert refused.value.rule.startswith("G"), data
    return False


def compare_validity(kind, seed, mutants):
    options = OPTIONS[kind]
    game = ludus.make("generals", **options)
    rng = random.Random(f"mutants {kind} {seed}")
    valid = sum(agree_on_validity(game, options, mutant(rng, options)) for _ in range(mutants))
    assert mutants / 10 < valid < mutants * 9 / 10


@pytest.mark.parametrize("kind", OPTIONS)
def test_validity_quick(kind):
    compare_validity(kind, "quick", 300)


@pytest.mark.slow
@pytest.mark.timeout(0 if TIMES > 1 else 900)
@pytest.mark.parametrize("chunk", range(3))
@pytest.mark.parametrize("kind", OPTIONS)
def test_validity(kind, chunk):
    compare_validity(kind, chunk, MUTANTS * TIMES)
