"""The kernel's French Ludo against the plain reference: moves, next positions, rolls, and what is impossible.

A decision counts as compared when the set of notations is the same and every move of it leads to the same
position. Plies are decisions here: the rolls between them are compared too, but not counted.
"""

import contextlib
import copy
import os
import random
from collections import Counter

import pytest

import ludus

from . import french_reference as ref

PLAYERS = (2, 3, 4)
TIMES = 10 if os.environ.get("LUDUS_SOAK") == "1" else 1
CHUNKS = 6  # of each kind and number of players
CHUNK = 1_500  # decisions; 6 chunks x 2 kinds x 3 = 54,000 in `make test`
MUTANTS = 2_000


# ---------------------------------------------------------------- one position


def held_by(pos, captor):
    return {colour: places.count(f"held:{captor}") for colour, places in pos["pieces"].items()}


def agree_on_a_move(data, move, want, players):
    """The next position, and what the move says of itself."""
    got = move.position.play(move).to_dict()
    assert ref.normal(got, players) == want, (data, str(move))
    mover = data["turn"]
    before, after = held_by(data, mover), held_by(want, mover)
    taken = Counter({colour: after[colour] - before[colour] for colour in players if colour != mover})
    assert Counter(capture.colour for capture in move.captures) == +taken, (data, str(move))
    home = want["pieces"][mover].count("finish") - data["pieces"][mover].count("finish")
    assert move.finishes == (home == 1), (data, str(move))
    if isinstance(move.target, int) and want["turn"] == mover:
        assert move.target in want["pieces"][mover], (data, str(move))


def agree_on_the_mask(pos, names):
    """Every action of the mask is a legal move, and every legal move has its action."""
    actions = [int(action) for action in pos.mask().nonzero()[0]]
    assert {str(pos.move(action)) for action in actions} == names
    assert {pos.action(name) for name in names} <= set(actions)


def agree(pos, data, players, seen):
    """Compare one position; {notation: next position} where somebody decides."""
    assert ref.normal(pos.to_dict(), players) == data
    assert pos.to_move == ref.to_move(data, players), data
    chances = {name: float(chance) for name, chance in ref.outcomes(data, players).items()}
    assert pos.outcomes() == chances or pos.outcomes() == pytest.approx(chances), data
    want = ref.moves(data, players)
    moves = {str(move): move for move in pos.moves()}
    assert len(moves) == len(pos.moves()), data
    assert moves.keys() == want.keys(), data
    for name, move in moves.items():
        agree_on_a_move(data, move, want[name], players)
    if moves:
        note(data, moves, seen)
        if seen["decisions"] % 10 == 1:
            agree_on_the_mask(pos, set(moves))
    return want


def note(data, moves, seen):
    """Count what the comparison met, so that it can't quietly miss the awkward rules."""
    seen["decisions"] += 1
    seen.update({move.kind for move in moves.values()})
    seen["sweep captures"] += any(move.lost for move in moves.values())
    seen["frozen"] += "frozen" in data
    seen["unblocked"] += "unblocked" in data
    seen["forced"] += len(moves) == 1 and "pass" not in moves and len(data["dice"]) > 1
    seen["many sixes"] += data["dice"].count(6) >= 4


# ---------------------------------------------------------------- along games, and around awkward positions


def roll(rng, pos, data, players):
    """A roll with the chances of the game, or, half the time, one with a 6."""
    chances = ref.outcomes(data, players)
    if rng.random() < 0.5:
        name = f"6,{rng.randint(1, 6)}"
    else:
        (name,) = rng.choices(list(chances), [float(chance) for chance in chances.values()])
    return pos.play(name), ref.apply_outcome(data, players, name)


def walk(rng, game, data, plies, seen):
    """Compare a position and those after it along random moves, to the end of the game or of the plies."""
    players = game.players
    pos = game.position(data)
    while plies > 0:
        want = agree(pos, data, players, seen)
        if pos.to_move is None:
            assert pos.result == {c: 1.0 if c == ref.winner(data, players) else -1.0 for c in players}
            seen["over"] += 1
            return
        if want:
            name = rng.choice(sorted(want))
            pos, data = pos.play(name), want[name]
            plies -= 1
        else:
            pos, data = roll(rng, pos, data, players)


def compare_games(game, seed, decisions):
    rng = random.Random(f"games {game.players} {seed}")
    seen = Counter()
    while seen["decisions"] < decisions:
        walk(rng, game, ref.start(game.players), decisions - seen["decisions"], seen)
    return seen


def compare_biased(game, seed, decisions):
    rng = random.Random(f"biased {game.players} {seed}")
    seen = Counter()
    while seen["decisions"] < decisions:
        walk(rng, game, ref.biased_position(rng, game.players), rng.choice([1, 2, 3, 6]), seen)
    return seen


@pytest.mark.parametrize("compare", [compare_games, compare_biased])
@pytest.mark.parametrize("players", PLAYERS)
def test_quick(players, compare):
    """2,100 decisions, for `make test-fast`."""
    compare(ludus.make("french", players=players), "quick", 350)


@pytest.mark.slow
@pytest.mark.timeout(0 if TIMES > 1 else 900)
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("players", PLAYERS)
def test_games(players, chunk):
    seen = compare_games(ludus.make("french", players=players), chunk, CHUNK * TIMES)
    for kind in ("move", "combined", "out", "out_and_on", "buy", "pass", "frozen", "sweep captures"):
        assert seen[kind], (kind, seen)


@pytest.mark.slow
@pytest.mark.timeout(0 if TIMES > 1 else 900)
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("players", PLAYERS)
def test_biased_positions(players, chunk):
    seen = compare_biased(ludus.make("french", players=players), chunk, CHUNK * TIMES)
    for kind in ("special", "buy", "out_and_on", "frozen", "unblocked", "forced", "many sixes", "pass"):
        assert seen[kind] >= 10, (kind, seen)


def test_enough_is_compared():
    assert CHUNK * CHUNKS * 2 * len(PLAYERS) >= 50_000


# ---------------------------------------------------------------- what is impossible

NO_PLACE = [
    None, True, False, 1.5, "12", "", "home", "Start", "finish ", "end", "end:", "end:5", "end:-1", "end:00",
    "end:x", "end:٣", "end:" + "9" * 5000, "held", "held:", "held:purple", "held:red:red", -1, 52, 53, 10**9,
    [], {}, (), b"start",
]  # fmt: skip
NO_KEY = ["die", "Dice", "stage", "roll", "", 3, None]


def any_place(rng):
    kind = rng.random()
    if kind < 0.5:
        return rng.randint(0, 51)
    if kind < 0.6:
        return f"end:{rng.randint(0, 5)}"
    if kind < 0.75:
        return "held:" + rng.choice(ref.SEATS)
    return rng.choice(["start", "finish"]) if kind < 0.9 else rng.choice(NO_PLACE)


def any_colour(rng, players):
    return rng.choice([*players, *ref.SEATS, "purple", None, 3])


def move_a_piece(rng, pos, players):
    pos["pieces"][rng.choice(players)][rng.randrange(4)] = any_place(rng)


def join_another(rng, pos, players):
    there = rng.choice(pos["pieces"][rng.choice(players)])
    pos["pieces"][rng.choice(players)][rng.randrange(4)] = there


def finish_all(rng, pos, players):
    colour = pos["turn"] if rng.random() < 0.8 else rng.choice(players)
    pos["pieces"][colour] = ["finish"] * 4
    for key in ("dice", "kept", "frozen", "unblocked"):
        if rng.random() < 0.8:
            pos.pop(key, None)


def change_the_count(rng, pos, players):
    places = pos["pieces"][rng.choice(players)]
    if rng.random() < 0.5:
        places.pop()
    else:
        places.append("start")


def change_the_colours(rng, pos, players):
    kind = rng.random()
    if kind < 0.4:
        del pos["pieces"][rng.choice(players)]
    elif kind < 0.8:
        pos["pieces"][any_colour(rng, players)] = ["start"] * 4
    else:
        pos["pieces"] = rng.choice(NO_PLACE)


def change_the_turn(rng, pos, players):
    pos["turn"] = rng.choice([*players, *ref.SEATS, *NO_PLACE])


def change_the_dice(rng, pos, players):
    kind = rng.random()
    if kind < 0.5:
        pos["dice"] = [rng.choice([1, 2, 3, 4, 5, 6, 6, 6, 6]) for _ in range(rng.randint(0, 7))]
    elif kind < 0.7:
        pos["dice"] = [*pos.get("dice", []), rng.choice([0, 1, 6, 7, *NO_PLACE])]
    elif kind < 0.9:
        pos["kept"] = [rng.choice([6, 6, 6, 6, 6, 5]) for _ in range(rng.randint(0, 6))]
        if rng.random() < 0.7:
            pos.pop("dice", None)
    else:
        pos[rng.choice(["dice", "kept"])] = rng.choice(NO_PLACE)


def change_the_frozen(rng, pos, players):
    colour = pos["turn"] if rng.random() < 0.7 else any_colour(rng, players)
    stand = [*pos["pieces"].get(colour, []), 5]
    kind = rng.random()
    if kind < 0.7:
        pos["frozen"] = {colour: [rng.choice(stand) for _ in range(rng.randint(0, 4))]}
    elif kind < 0.85:
        pos["frozen"] = {colour: [any_place(rng)]}
    else:
        pos["frozen"] = rng.choice([{colour: rng.choice(NO_PLACE)}, rng.choice(NO_PLACE)])


def change_unblocked(rng, pos, players):
    pos["unblocked"] = rng.choice([True, True, True, False, 1, 0, "yes", None, []])


def drop_a_key(rng, pos, players):
    del pos[rng.choice(list(pos))]


def add_a_key(rng, pos, players):
    pos[rng.choice(NO_KEY)] = rng.choice(NO_PLACE)


MUTATIONS = {
    move_a_piece: 6, join_another: 5, change_the_frozen: 4, change_the_dice: 4, change_unblocked: 2,
    change_the_turn: 2, finish_all: 2, change_the_count: 1, change_the_colours: 1, drop_a_key: 1,
    add_a_key: 1,
}  # fmt: skip


def mutant(rng, players):
    """A position with one or two things changed, which may make it impossible, or not."""
    pos = copy.deepcopy(ref.biased_position(rng, players))
    for mutation in rng.choices(list(MUTATIONS), list(MUTATIONS.values()), k=rng.choice([1, 1, 2])):
        # the mutation before may have left nothing for this one to change
        with contextlib.suppress(KeyError, TypeError, AttributeError, IndexError):
            mutation(rng, pos, players)
    return pos


def agree_on_validity(game, data):
    try:
        ref.validate(data, game.players)
        fault = None
    except ValueError as error:
        fault = error
    if fault is None:
        pos = game.position(data)
        assert ref.normal(pos.to_dict(), game.players) == ref.normal(data, game.players)
        assert game.position(pos.to_dict()) == pos
        return True
    with pytest.raises(ludus.InvalidPosition):
        pytest.fail(f"accepted, but {fault}: {game.position(data)}")
    return False


def compare_validity(players, seed, mutants):
    game = ludus.make("french", players=players)
    rng = random.Random(f"mutants {players} {seed}")
    valid = sum(agree_on_validity(game, mutant(rng, game.players)) for _ in range(mutants))
    assert mutants / 10 < valid < mutants * 9 / 10


@pytest.mark.parametrize("players", PLAYERS)
def test_validity_quick(players):
    compare_validity(players, "quick", 400)


@pytest.mark.slow
@pytest.mark.timeout(0 if TIMES > 1 else 900)
@pytest.mark.parametrize("chunk", range(3))
@pytest.mark.parametrize("players", PLAYERS)
def test_validity(players, chunk):
    compare_validity(players, chunk, MUTANTS * TIMES)
