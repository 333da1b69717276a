"""Gymnasium's environments: its own checker, and one seat's view of a game."""

from __future__ import annotations

import copy
import math
import pickle
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import ludus
from ludus.core.patience import said_if_long
from ludus.envs import register
from ludus.envs.gym_vector import SeatVectorEnv
from ludus.envs.single import SeatEnv

register()


class First:
    """A bot that plays the first move and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def choose(self, position: ludus.Position) -> ludus.Move:
        self.asked.append(position.turn)
        return position.moves()[0]


@pytest.mark.parametrize("name", ludus.games())
def test_check_env(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"ludus/{name}-v0", render_mode="rgb_array")
        check_env(env.unwrapped)


def test_a_whole_game_pays_the_learner() -> None:
    env = SeatEnv("pettingzoo", seat="blue", players=["green", "blue"])
    rng = np.random.default_rng(1)
    results = set()
    for seed in range(8):
        _, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            assert env.position.to_move == "blue"
            _, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
            assert not truncated
            assert terminated or reward == 0
        assert reward == env.position.result["blue"]
        assert np.flatnonzero(info["action_mask"]).tolist() == [env.game.num_actions - 1]  # nobody asks for it
        results.add(reward)
    assert results == {-1.0, 1.0}


def test_opponents_are_asked_for_their_own_seats() -> None:
    bot = First()
    env = SeatEnv("star", seat="yellow", opponents=["random", bot, bot])
    _, info = env.reset(seed=1)
    for _ in range(20):
        _, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
        assert not terminated
    assert set(bot.asked) == {"blue", "red"}


# `generals` plays another game; `exact` asks for a table of endings, solved before (tests/training/test_endings.py)
BOTS = [name for name in ludus.bots() if name not in ("generals", "exact")]
EXTERNAL = f"exec:{sys.executable} {Path(__file__).parents[2] / 'examples' / 'bot.py'}"


@pytest.mark.slow
@pytest.mark.parametrize("bot", [*BOTS, EXTERNAL], ids=[*BOTS, "external"])
def test_every_bot_can_be_the_opponent(bot: str) -> None:
    quick = f"{bot}:simulations=20" if bot == "mcts" else bot
    env = SeatEnv("pettingzoo", players=2, opponents=quick)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
    games = []
    for _ in range(2):
        _, info = env.reset(seed=5)
        for _ in range(25):
            _, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
            assert not terminated
        games.append(env.position)
    assert games[0] == games[1], "one seed, one game"
    doubles = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    action = int(info["action_mask"].argmax())
    env.step(action)
    for double in doubles:
        double.step(action)
        double.close()
        # the memory of a process of its own is not copied with it
        assert double.position == env.position or bot == EXTERNAL
    env.close()


class Forgetful:
    """Says nothing of its memory, counts its moves, and answers nonsense after the third."""

    asked = 0

    def choose(self, position: ludus.Position) -> Any:
        self.asked += 1
        return position.moves()[0] if self.asked < 3 else "nonsense"


def test_what_goes_wrong_in_a_bot_is_a_bot_s_error_and_changes_no_board() -> None:
    bot = Forgetful()
    env = SeatEnv("pettingzoo", players=2, opponents=bot)
    env.reset(seed=1)
    env.set_position(
        {"pieces": {"green": [5] + ["start"] * 3, "blue": [30] + ["start"] * 3}, "turn": "green", "dice": [2]}
    )
    bot.asked = 3
    with pytest.raises(ludus.LudusError, match=r"Forgetful answered.*nonsense"):
        env.step(0)
    assert env.position.to_dict()["pieces"] == {"green": [7] + ["start"] * 3, "blue": [30] + ["start"] * 3}
    assert env.position.to_move == "blue", "the learner has moved, the bot has not"


def test_named_bots_with_a_memory_are_made_anew_for_each_game(tmp_path: Path) -> None:
    file = tmp_path / "once.py"
    file.write_text(
        "class Once:\n    played = 0\n    def choose(self, position):\n        self.played += 1\n"
        "        return position.moves()[0] if self.played < 4 else None\n"
    )
    env = SeatEnv("pettingzoo", players=2, opponents=f"{file}:Once")
    for seed in range(5):
        _, info = env.reset(seed=seed)
        env.step(int(info["action_mask"].argmax()))


@pytest.mark.parametrize("opponents", ["generals", ludus.bot("generals"), ["random", "generals", "random"]], ids=str)
def test_a_bot_that_does_not_play_the_game_is_told_at_once(opponents: Any) -> None:
    with pytest.raises(ludus.BotError, match="bot generals plays Generals, not french"):
        SeatEnv("french", opponents=opponents)


def test_an_illegal_action_loses_and_changes_no_board() -> None:
    env = SeatEnv("pettingzoo")
    env.reset(seed=1, options={"rolls": ["3"]})
    before = env.position
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated) == (-1.0, True)
    assert "Z3" in info["illegal"]
    assert env.position is before
    with pytest.raises(ludus.LudusError, match="reset"):
        env.step(4)
    env.reset(seed=1, options={"rolls": ["3"]})
    env.step(4)
    strictly = SeatEnv("pettingzoo", illegal="raises")
    strictly.reset(seed=1, options={"rolls": ["3"]})
    with pytest.raises(ludus.IllegalMove):
        strictly.step(0)


@pytest.mark.parametrize("action", [math.nan, 1.0, "0", None, [0], -1, 5, True, np.array([0, 1])], ids=repr)
def test_malformed_actions_are_refused(action: Any) -> None:
    env = SeatEnv("pettingzoo")
    env.reset(seed=1)
    before = env.position
    with pytest.raises(ludus.IllegalMove):
        env.step(action)
    assert env.position is before


def test_before_reset_and_after_the_end() -> None:
    env = SeatEnv("generals", render_mode="ansi")
    for call in (lambda: env.step(0), env.render, env.action_masks, lambda: env.position):
        with pytest.raises(ludus.LudusError, match=r"call reset\(\) first"):
            call()
    _, info = env.reset(seed=1)
    terminated = False
    while not terminated:
        _, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
    with pytest.raises(ludus.IllegalMove):
        env.step(0)


@pytest.mark.parametrize(
    "options",
    [{"seat": "pink"}, {"opponents": 3}, {"opponents": ["random"]}, {"opponents": [1, 2, 3]}, {"illegal": "no"},
     {"render_mode": "x"}, {"game": ludus.make("star"), "players": 2}, {"game": "starr"}],
    ids=str,
)  # fmt: skip
def test_options_that_contradict(options: dict[str, Any]) -> None:
    with pytest.raises(ludus.LudusError):
        SeatEnv(**{"game": "pettingzoo", **options})


def test_copies_go_their_own_way() -> None:
    env = SeatEnv("french", players=2)
    _, info = env.reset(seed=1)
    for _ in range(10):
        double = copy.deepcopy(env)
        action = int(info["action_mask"].argmax())
        *_, info = env.step(action)
        double.step(action)
        assert double.position == env.position


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
def test_the_vector_environment_follows_autoreset_conventions(mode: str) -> None:
    env = SeatVectorEnv(16, "generals", autoreset_mode=mode)
    seen, info = env.reset(seed=1)
    assert env.metadata["autoreset_mode"].name == mode
    assert env.observation_space.contains(seen)
    ends = 0
    while ends < 6:  # a game of Generals ends, at the latest by its limit of turns (G22)
        before = info["action_mask"].copy()
        _, rewards, terminated, truncated, info = env.step(env.sample())
        assert not truncated.any()
        assert set(rewards[~terminated]) <= {0.0}
        for number in np.flatnonzero(terminated):
            ends += 1
            if mode == "SAME_STEP":
                assert before[number].any()
                assert info["_final_obs"][number]
                assert (info["final_obs"][number] == env.games.final_observations[number]).all()
                assert (
                    info["final_info"]["_action_mask"].tolist() == info["_final_info"].tolist() == terminated.tolist()
                )
                assert info["action_mask"][number].any(), "the next game has begun"
            else:
                left = [env.games.game.num_actions - 1] if mode == "NEXT_STEP" else []
                assert np.flatnonzero(info["action_mask"][number]).tolist() == left, "this is the game's last position"
        if mode == "DISABLED" and terminated.any():
            with pytest.raises(ludus.LudusError, match="reset"):
                env.step(env.sample())
            _, info = env.reset(options={"reset_mask": terminated})


@pytest.mark.parametrize(
    "options",
    [{"render_mode": "human"}, {"num_envs": 0}, {"autoreset_mode": "x"}, {"max_episode_steps": 0}, {"seat": "pink"},
     {"seet": "green"}, {"game": ludus.make("star"), "players": 2}],
    ids=str,
)  # fmt: skip
def test_options_of_the_vector_environment_that_contradict(options: dict[str, Any]) -> None:
    with pytest.raises(ludus.LudusError):
        SeatVectorEnv(**options)


@pytest.mark.slow
@pytest.mark.parametrize(
    "reset",
    [{"seed": [1, 2]}, {"seed": 1.5}, {"options": "x"}, {"options": {"reset_mask": [1, 0]}},
     {"options": {"reset_mask": np.ones(3, np.bool_)}}],
    ids=str,
)  # fmt: skip
def test_a_reset_of_the_vector_environment_that_fails_changes_no_game(reset: dict[str, Any]) -> None:
    env = SeatVectorEnv(2, "pettingzoo")
    env.reset(seed=1)
    before = [env.games.position(number) for number in range(2)]
    with pytest.raises(ludus.LudusError):
        env.reset(**reset)
    with pytest.raises(ludus.LudusError):
        env.step(np.array([0.0, np.nan]))
    assert [env.games.position(number) for number in range(2)] == before


def shape_of(info: dict[str, Any]) -> dict[str, Any]:
    """The keys of an info, with the shapes of its arrays."""
    return {key: shape_of(value) if isinstance(value, dict) else np.shape(value) for key, value in info.items()}


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
def test_the_vector_environment_tells_what_gymnasium_s_own_does(mode: str) -> None:
    """Beside SyncVectorEnv over single environments: the same keys in the same steps, the same shapes and types."""
    name, cut = "ludus/pettingzoo-v0", {"max_episode_steps": 4}
    theirs = gymnasium.make_vec(
        name, num_envs=3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": AutoresetMode[mode]}, **cut
    )
    ours = SeatVectorEnv(3, "pettingzoo", seat="green", autoreset_mode=AutoresetMode[mode], **cut)
    told = []
    for env in (theirs, ours):
        _, info = env.reset(seed=1)
        told.append([shape_of(info)])
        for number in range(1, 9):
            actions = np.array([mask.argmax() for mask in info["action_mask"]])
            *step, info = env.step(actions)
            told[-1].append([shape_of(info), *[(part.shape, part.dtype) for part in step], step[3].tolist()])
            if mode == "DISABLED" and number == 4:
                _, info = env.reset(options={"reset_mask": np.ones(3, np.bool_)})
    assert told[0] == told[1]


def test_what_the_vector_environment_gives_stays_as_it_was() -> None:
    env = SeatVectorEnv(2, "pettingzoo")
    seen, info = env.reset(seed=1)
    kept, mask = seen.copy(), info["action_mask"].copy()
    for _ in range(5):
        env.step(env.sample())
    assert (seen == kept).all()
    assert (info["action_mask"] == mask).all()
    shared = SeatVectorEnv(2, "pettingzoo", copy=False)
    assert shared.reset(seed=1)[0] is shared.games.observations


@pytest.mark.slow
def test_the_vector_environment_by_gymnasium_s_own_door() -> None:
    env = gymnasium.make_vec("ludus/pettingzoo-v0", num_envs=3, vectorization_mode="vector_entry_point")
    with pytest.raises(ludus.LudusError, match="reset"):
        env.unwrapped.step(np.zeros(3, np.int64))
    first, _ = env.reset(seed=1)
    first = first.copy()
    env.step(env.unwrapped.sample())
    again, _ = env.reset(seed=1)
    assert (first == again).all()
    # game i has the learner in seat i % players
    assert env.unwrapped.games.current_player.tolist() == [0, 1, 2]


def test_a_keyword_that_is_no_option_is_a_type_error_as_wrappers_expect() -> None:
    """TorchRL tries `frameskip`, and goes on without it where it finds this TypeError."""
    for make in (lambda: gymnasium.make("ludus/pettingzoo-v0", frameskip=4), lambda: SeatVectorEnv(2, frameskip=4)):
        with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'") as caught:
            make()
        assert isinstance(caught.value, ludus.LudusError)


def test_environments_are_compiled_when_they_are_made() -> None:
    env = gymnasium.make("ludus/pettingzoo-v0")
    assert env.unwrapped.game.engine.fast
    assert "legal_api" in vars(env.unwrapped.game.engine.kernel), "its entries are there before the first step"
    game = ludus.make("star").compile()
    assert {"legal_api", "playouts"} <= vars(game.engine.kernel).keys()


def test_work_that_takes_long_says_so(caplog: pytest.LogCaptureFixture) -> None:
    said = threading.Event()
    caplog.handler.addFilter(lambda record: said.set() or True)
    with said_if_long("weaving", seconds=0.0):
        assert said.wait(600)
    assert "weaving" in caplog.text
    caplog.clear()
    with said_if_long("weaving", seconds=3600.0):
        pass
    assert caplog.text == ""


@pytest.mark.parametrize("illegal", ["loses", "raises"])
def test_an_illegal_action_in_the_vector_twin(illegal: str) -> None:
    env = SeatVectorEnv(2, "pettingzoo", seat="green", illegal=illegal)
    env.reset(seed=1)
    env.games.reset(rolls=["3"])
    if illegal == "raises":
        with pytest.raises(ludus.LudusError, match="Z3"):
            env.step([4, 0])
        return
    _, rewards, terminated, _, info = env.step([4, 0])
    assert rewards.tolist() == [0.0, -1.0]
    assert terminated.tolist() == [False, True]
    assert info["illegal"].tolist() == [False, True]
    assert info["action_mask"].any(axis=1).all(), "a masked softmax finds something"


def test_bots_play_in_the_vector_twin() -> None:
    env = gymnasium.make_vec(
        "ludus/pettingzoo-v0", num_envs=4, vectorization_mode="vector_entry_point", opponents="heuristic"
    )
    assert env.autoreset_mode == env.metadata["autoreset_mode"]
    env.reset(seed=1)
    for _ in range(10):
        env.step(env.sample())
    assert env.games.current_player.tolist() == [0, 1, 2, 3]


def test_pettingzoo_without_a_registry_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import pettingzoo

    from ludus.envs.aec import register_pettingzoo

    monkeypatch.delattr(pettingzoo, "aec_registry")
    monkeypatch.setattr(pettingzoo, "register", None)
    register_pettingzoo()
    register()
    assert "ludus/french-v0" in gymnasium.registry
