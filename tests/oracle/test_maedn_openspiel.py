"""`maedn` against OpenSpiel's C++ game: the same dice into both, everything compared at each ply.

OpenSpiel's actions: 0 pass, 1 bring a piece in, 2+r the piece on field r counted from its player's entry
(0 to 39 the path, 40 to 43 its goal). Its observation tensor, seen by player 0: a 1 per (field, player),
fields 0 to 39 from player 0's entry, then each player's goal; pieces outside by player; the turn; the die.
"""

import os
import random

import pyspiel  # the extra `peers`
import pytest

import ludus
from ludus.core.kernels import codes
from ludus.games.ludo import kernel as k

SOAK = 10 if os.environ.get("LUDUS_SOAK") == "1" else 1
FIELDS, SEATS, PIECES = 56, 4, 4
OUTSIDE, TURN, DIE = FIELDS * SEATS, FIELDS * SEATS + 4, FIELDS * SEATS + 8
CONFIGURATIONS = {
    "two": ("maedn(players=2)", {"players": 2}, 670),
    "three": ("maedn(players=3)", {"players": 3}, 670),
    "four": ("maedn(players=4)", {"players": 4}, 660),
    "two side by side": (
        "maedn(players=2,twoPlayersOpposite=false)",
        {"players": 2, "seating": "adjacent"},
        60,
    ),
}


def both(name):
    theirs, options, games = CONFIGURATIONS[name]
    return pyspiel.load_game(theirs), ludus.make("maedn", **options).compile(), games * SOAK


class Translator:
    """A ludus position in OpenSpiel's words, from the flat row: 2,000 games leave no time for more."""

    def __init__(self, game):
        self.arms = [("green", "yellow", "blue", "red").index(colour) for colour in game.players]
        self.slots = [k.PIECE_0 + PIECES * seat for seat in range(game.num_players)]
        self.a_pass = game.num_actions - 1

    def tensor(self, row, stage):
        """What OpenSpiel's player 0 should observe."""
        expected = [0.0] * (DIE + 6)
        for seat, at in enumerate(self.slots):
            for node in row[at : at + PIECES]:
                if node < 40:
                    expected[node * SEATS + seat] += 1.0
                elif node < 44:
                    expected[(node + 4 * seat) * SEATS + seat] += 1.0
                else:
                    expected[OUTSIDE + seat] += 1.0
        if stage == codes.DECISION:
            expected[TURN + row[codes.TURN]] = 1.0
            expected[DIE + row[k.TOKEN] - 1] = 1.0
        return expected

    def action(self, row, move):
        """OpenSpiel's number of a legal move."""
        if move.action_id == self.a_pass:
            return 0
        node = row[self.slots[row[codes.TURN]] + move.action_id]
        if node >= 44:
            return 1
        return 2 + (node if node >= 40 else (node - 10 * self.arms[row[codes.TURN]]) % 40)


def plain(row):
    return row if isinstance(row, list) else row.tolist()


def compare_game(theirs, ours, seed):
    """One random game in both; the number of plies. Anything unlike fails with the game's seed and ply."""
    rng, words = random.Random(seed), Translator(ours)
    state, pos, ply = theirs.new_initial_state(), ours.start(), 0
    while True:
        row, stage = plain(pos.row), pos.stage
        where = f"seed {seed}, ply {ply}: {pos!r}\n{state}" if ply % 50 == 0 else ""
        if state.observation_tensor(0) != words.tensor(row, stage):
            pytest.fail(f"positions differ, seed {seed}, ply {ply}: {pos!r}\n{state}")
        if where:
            check_in_words(state, pos, where)
        if state.is_terminal():
            assert stage == codes.OVER, f"over in OpenSpiel only, seed {seed}, ply {ply}"
            assert list(pos.result.values()) == state.returns(), f"returns, seed {seed}"
            return ply
        if state.is_chance_node():
            assert stage == codes.CHANCE, f"a roll in OpenSpiel only, seed {seed}, ply {ply}"
            die = rng.randrange(6)
            state.apply_action(die)
            pos = pos.play(str(die + 1))
        else:
            assert stage == codes.DECISION, f"a decision in OpenSpiel only, seed {seed}, ply {ply}"
            assert row[codes.TURN] == state.current_player(), f"whose turn, seed {seed}, ply {ply}"
            moves = {words.action(row, move): move for move in pos.moves()}
            legal = state.legal_actions()
            if sorted(moves) != legal or len(pos.moves()) != len(legal):
                pytest.fail(f"moves {sorted(moves)}, not {legal}, seed {seed}, ply {ply}: {pos!r}\n{state}")
            choice = legal[rng.randrange(len(legal))]
            state.apply_action(choice)
            pos = pos.play(moves[choice])
        ply += 1


def check_in_words(state, pos, where):
    """The same by the public face, now and then: places by name, moves by notation, chances."""
    players, pieces = pos.game.players, pos.to_dict()["pieces"]
    tensor = state.observation_tensor(0)
    for seat, colour in enumerate(players):
        theirs = ["start"] * int(tensor[OUTSIDE + seat])
        theirs += [field for field in range(40) if tensor[field * SEATS + seat]]
        theirs += [f"end:{n}" for n in range(4) if tensor[(40 + 4 * seat + n) * SEATS + seat]]
        assert sorted(map(str, pieces[colour])) == sorted(map(str, theirs)), where
    if state.is_chance_node():
        assert pos.to_move == "chance", where
        ours = list(pos.outcomes().values())
        assert ours == pytest.approx([chance for _, chance in state.chance_outcomes()]), where
    elif not state.is_terminal():
        assert pos.to_move == players[state.current_player()], where
        assert sorted(str(m) for m in pos.moves()) == sorted(in_notation(state, pos)), where
    assert pos.game.position(pos.to_dict()) == pos, where


def in_notation(state, pos):
    """OpenSpiel's legal actions as ludus writes them."""
    (die,) = pos.to_dict()["dice"]
    arm = ("green", "yellow", "blue", "red").index(pos.to_move)
    for action in state.legal_actions():
        if action < 2:
            yield ("pass", "out")[action]
        elif action < 42:
            yield f"{(action - 2 + 10 * arm) % 40}+{die}"
        else:
            yield f"end:{action - 42}+{die}"


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_ply_equals_openspiel(name):
    theirs, ours, games = both(name)
    plies = sum(compare_game(theirs, ours, seed) for seed in range(games))
    assert plies > 200 * games


def test_two_thousand_games_are_compared():
    assert sum(games for _, options, games in CONFIGURATIONS.values() if "seating" not in options) == 2000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_few_games_equal_openspiel(players):
    """The interpreted kernel, for `make test-fast`."""
    theirs, ours = pyspiel.load_game(f"maedn(players={players})"), ludus.make("maedn", players=players)
    for seed in range(2):
        assert compare_game(theirs, ours, 1000 + seed) > 100
