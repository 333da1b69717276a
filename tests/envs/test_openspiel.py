"""Every game in OpenSpiel: its own simulation test, and the same facts as ludus states."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

import ludus
from ludus.envs.openspiel import register_openspiel, utilities


@pytest.mark.slow
@pytest.mark.parametrize("name", register_openspiel())
def test_openspiel_s_own_simulation(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.rule("G30")
@pytest.mark.parametrize("name", ludus.games())
def test_states_are_positions(name: str) -> None:
    game = pyspiel.load_game(f"ludus_{name}")
    state, position = game.new_initial_state(), ludus.make(name).start()
    rng = random.Random(1)
    for _ in range(60):
        if position.to_move == "chance":
            assert state.is_chance_node()
            outcomes = position.outcomes()
            assert [share for _, share in state.chance_outcomes()] == list(outcomes.values())
            assert [state.action_to_string(n) for n, _ in state.chance_outcomes()] == list(outcomes)
            number = rng.randrange(len(outcomes))
            state.apply_action(number)
            position = position.play(list(outcomes)[number])
            continue
        seat = position.game.players.index(position.to_move)
        assert state.current_player() == seat
        moves = {position.action(move): move for move in position.moves()}
        assert state.legal_actions() == sorted(moves)
        assert (
            np.array(state.observation_tensor(seat), np.float32).tolist()
            == position.observation(position.turn).tolist()
        )
        action = rng.choice(sorted(moves))
        assert state.action_to_string(action) == str(moves[action])
        state.apply_action(action)
        position = position.play(moves[action])
    double = state.clone()
    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
    assert str(double) == str(state) == str(again)


@pytest.mark.slow
@pytest.mark.rule("G32")
def test_a_finished_game_returns_what_ludus_says() -> None:
    game = pyspiel.load_game("ludus_generals")
    state, rng = game.new_initial_state(), random.Random(2)
    while not state.is_terminal():
        chance = state.is_chance_node()
        state.apply_action(rng.choice([a for a, _ in state.chance_outcomes()] if chance else state.legal_actions()))
    assert state.returns() == list(state.position.result.values())


@pytest.mark.parametrize("name", ludus.games())
def test_facts_are_those_of_the_game(name: str) -> None:
    game, kind = ludus.make(name), pyspiel.load_game(f"ludus_{name}").get_type()
    assert (kind.min_num_players, kind.max_num_players) == (min(game.player_counts), max(game.player_counts))
    for players in game.player_counts:
        loaded = pyspiel.load_game(f"ludus_{name}", {"players": players})
        assert loaded.num_players() == players
        in_teams = name != "generals" and game.rules.modes.mode == "teams" and players == 4
        is_zero_sum = players == 2 or name == "maedn" or in_teams
        own = loaded.get_type().utility
        assert (loaded.utility_sum() == 0) == (own == pyspiel.GameType.Utility.ZERO_SUM) == is_zero_sum
        assert loaded.max_utility() == (players - 1 if name == "maedn" else 1)


def test_modes_have_names_of_their_own() -> None:
    toss = pyspiel.load_game("ludus_generals_toss").new_initial_state()
    assert [toss.action_to_string(number) for number, _ in toss.chance_outcomes()] == ["toss:white", "toss:black"]
    teams = pyspiel.load_game("ludus_pettingzoo_teams").new_initial_state()
    assert teams.position.game == ludus.make("pettingzoo", mode="teams")


def test_two_teams_are_zero_sum() -> None:
    game = pyspiel.load_game("ludus_pettingzoo_teams")
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert game.utility_sum() == 0


def test_options_and_files_are_parameters(tmp_path: Path) -> None:
    game = pyspiel.load_game("ludus_pettingzoo", {"mode": "teams"})
    assert game.new_initial_state().position.game == ludus.make("pettingzoo", mode="teams")
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    written = pyspiel.load_game("ludus_strict(dice=2,players=3)")
    assert written.new_initial_state().position.game == ludus.make("strict", dice=2, players=3)
    assert pyspiel.load_game("ludus_generals", {"toss": True}).new_initial_state().position.game.players == (
        "white", "black",
    )  # fmt: skip
    mine = tmp_path / "mine.toml"
    mine.write_text('name = "mine"\nextends = "star"\n[board]\npieces = 2\n', encoding="utf-8")
    own = pyspiel.load_game("ludus_star", {"rules": str(mine), "players": 2})
    assert own.new_initial_state().position.game == ludus.make(mine, players=2)
    pyspiel.random_sim_test(own, num_sims=1, serialize=False, verbose=False)
    with pytest.raises(Exception, match="modde"):
        pyspiel.load_game("ludus_pettingzoo", {"modde": "teams"})


def test_players_are_a_parameter() -> None:
    assert pyspiel.load_game("ludus_pettingzoo", {"players": 2}).num_players() == 2
    with pytest.raises(ludus.LudusError):
        pyspiel.load_game("ludus_generals", {"players": 3})


@pytest.mark.slow
def test_openspiel_s_mcts_plays() -> None:
    game = pyspiel.load_game("ludus_generals")
    state = game.new_initial_state()
    state.apply_action(3)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 5, evaluator, random_state=np.random.RandomState(2))
    assert bot.step(state) in state.legal_actions()


def test_a_family_of_an_installed_package_needs_no_rules_of_ours() -> None:
    class Theirs:
        num_players = 3

        def document(self) -> dict[str, str]:
            return {"family": "theirs"}

    assert utilities(Theirs()) == (-1.0, 1.0)  # type: ignore[arg-type]
