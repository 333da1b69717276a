"""PettingZoo's environments: its own tests, and what they promise beyond."""

from __future__ import annotations

import copy
import math
import pickle
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import ludus
from ludus.envs import generals_v0, ludo_v0
from ludus.envs.pictures import as_pixels

Maker = Callable[..., Any]

VARIANTS: dict[str, tuple[Maker, dict[str, Any]]] = {
    **{name: (ludo_v0.env, {"rules": name}) for name in ludus.games() if name != "generals"},
    "two": (ludo_v0.env, {"num_players": 2}),
    "three": (ludo_v0.env, {"num_players": 3}),
    "teams": (ludo_v0.env, {"mode": "teams"}),
    "flat": (ludo_v0.env, {"observation": "flat"}),
    "generals": (generals_v0.env, {}),
    "generals-toss": (generals_v0.env, {"toss": True}),
    "generals-flat": (generals_v0.env, {"observation": "flat"}),
    "generals-eight-ways": (generals_v0.env, {"directions": 8}),
    "cross-8-two": (ludo_v0.env, {"rules": "cross-8", "num_players": 2}),
    "cross-6-three": (ludo_v0.env, {"rules": "cross-6", "num_players": 3}),
    "french-three": (ludo_v0.env, {"rules": "french", "num_players": 3}),
    "yut-teams": (ludo_v0.env, {"rules": "yut", "mode": "teams"}),
}
# forced by PettingZoo's convention of a Dict with a mask, and named in docs/environments.md
NAMED = ("Observation is not a NumPy array", "Observation space for each agent probably should be gymnasium.spaces.box")


@pytest.fixture(params=VARIANTS)
def maker(request: pytest.FixtureRequest) -> Maker:
    make, options = VARIANTS[request.param]
    return lambda **more: make(**{**options, **more})


def play(env: Any, steps: int, seed: int = 1) -> None:
    """Random legal play."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in env.agent_iter(steps):
        _, _, terminated, truncated, info = env.last()
        done = terminated or truncated
        env.step(None if done else int(rng.choice(np.flatnonzero(info["action_mask"]))))


@pytest.mark.slow
@pytest.mark.rule("Z27", "Z28", "G33")
def test_api(maker: Maker) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(maker(), num_cycles=1000)
    assert [str(w.message) for w in caught if not str(w.message).startswith(NAMED)] == []


def test_a_flat_environment_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(ludo_v0.env(observation="flat"), num_cycles=50)


@pytest.mark.slow
@pytest.mark.rule("G33")
def test_seeds(maker: Maker) -> None:
    seed_test(maker, num_cycles=100)


@pytest.mark.slow
@pytest.mark.rule("Z31")
def test_render_modes(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.envs.pictures.FRAMES_PER_SECOND", 1000)
    # its random actions are legal only where the observation has the mask
    render_test(lambda **more: maker(**{"observation": "dict", **more}))


@pytest.mark.rule("Z32")
def test_the_marker_of_a_capture_is_in_the_pixels() -> None:
    env = ludo_v0.env(render_mode="rgb_array", num_players=2)
    env.reset(seed=1)
    pieces = {"green": [5, "start", "start", "start"], "blue": [30, "start", "start", "start"]}
    pictures = []
    for captured in ([], ["green"]):
        env.unwrapped.set_position({"pieces": pieces, "turn": "green", "dice": [3], "captured": captured})
        pictures.append(env.render())
    changed = np.argwhere((pictures[0] != pictures[1]).any(axis=2))
    assert len(changed) > 20
    height, width = np.ptp(changed, axis=0)
    assert max(height, width) < pictures[0].shape[0] / 8, "one small circle, nothing else"


@pytest.mark.rule("Z31", "G36")
@pytest.mark.parametrize("rules", ["pettingzoo", "generals"])
def test_letters_are_in_the_pixels(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = ludus.make(rules).start(seed=1).roll()
    drawing = position.svg()
    with_letters = as_pixels(position)
    monkeypatch.setattr(type(position), "svg", lambda _: re.sub(r"<text.*?</text>", "", drawing))
    changed = (as_pixels(position) != with_letters).any(axis=2)
    assert changed.sum() > 500


@pytest.mark.rule("Z27")
def test_agents_and_actions() -> None:
    env = ludo_v0.env()
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    assert all(env.action_space(agent).n == 5 for agent in env.possible_agents)
    env.reset(seed=1, options={"rolls": ["3"]})
    # nobody can come out with a 3: PASS is the only action
    assert env.last()[0]["action_mask"].tolist() == [0, 0, 0, 0, 1]
    env.reset(seed=1, options={"rolls": ["6"]})
    assert env.last()[0]["action_mask"].tolist() == [1, 1, 1, 1, 0]


@pytest.mark.rule("Z1")
@pytest.mark.parametrize(
    ("env", "numbers"),
    [
        (ludo_v0.env(num_players=2), [0, 2]),
        (ludo_v0.env(num_players=3), [0, 1, 2]),
        (ludo_v0.env(num_players=2, seating="adjacent"), [0, 1]),
        (ludo_v0.env(num_players=["yellow", "red"]), [1, 3]),
        (ludo_v0.env(rules="cross-6", num_players=3), [0, 2, 4]),
        (generals_v0.env(), [0, 1]),
    ],
    ids=str,
)
def test_agents_keep_the_number_of_their_colour(env: Any, numbers: list[int]) -> None:
    assert env.possible_agents == [f"player_{number}" for number in numbers]
    env.reset(seed=1)
    assert env.agent_selection == env.possible_agents[0]
    env.step(int(env.last()[4]["action_mask"].argmax()))


@pytest.mark.rule("Z28")
def test_the_mask_is_in_observation_and_info(maker: Maker) -> None:
    env = maker()
    env.reset(seed=4)
    for agent in env.agent_iter(40):
        seen, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        assert info["action_mask"].tolist() == env.unwrapped.position.mask().astype(int).tolist()
        if isinstance(seen, dict):
            assert seen["action_mask"].tolist() == info["action_mask"].tolist()
        for other in env.agents:
            if other != agent:
                assert not env.infos[other]["action_mask"].any()
        env.step(int(info["action_mask"].argmax()))


@pytest.mark.rule("Z29", "G31")
def test_observations_are_those_of_the_game(maker: Maker) -> None:
    env = maker()
    play(env, 60)
    position, game = env.unwrapped.position, env.unwrapped.game
    for agent, player in zip(env.possible_agents, game.players, strict=True):
        seen = env.observe(agent)
        seen = seen["observation"] if isinstance(seen, dict) else seen
        assert seen.dtype == np.float32
        assert (seen == position.observation(player)).all()
        assert seen.min() >= 0
        assert seen.max() <= 1
    assert env.unwrapped.state().shape == env.unwrapped.state_space.shape


@pytest.mark.rule("Z30")
def test_an_illegal_action_loses_and_changes_no_board(maker: Maker) -> None:
    env = maker()
    env.reset(seed=2)
    while (mask := env.last()[4]["action_mask"]).all():  # in pachisi everybody may come out, and may pass
        env.step(0)
    before, agent = env.unwrapped.position, env.agent_selection
    env.step(int(np.flatnonzero(mask == 0)[0]))
    assert env.unwrapped.position is before
    assert all(env.terminations.values())
    rewards = {name: env._cumulative_rewards[name] for name in env.agents}
    assert rewards == {name: -1 if name == agent else 0 for name in env.agents}
    for _ in env.agent_iter(10):
        env.step(None)
    assert env.agents == []


MALFORMED: list[Any] = [math.nan, 1.0, "0", None, [0], np.float32(1), -1, 10**6, 10**30, True, np.array([1, 2])]


@pytest.mark.rule("Z30")
@pytest.mark.parametrize("action", MALFORMED, ids=repr)
@pytest.mark.parametrize("make", [ludo_v0.env, ludo_v0.raw_env, generals_v0.env], ids=["env", "raw", "generals"])
def test_malformed_actions_are_refused(make: Maker, action: Any) -> None:
    env = make()
    env.reset(seed=2)
    env.last()
    before = env.unwrapped.position
    with pytest.raises(ludus.LudusError):
        env.step(action)
    assert env.unwrapped.position is before
    assert not any(env.terminations.values())
    env.step(int(env.last()[4]["action_mask"].argmax()))
    assert env.unwrapped.position is not before


def test_raw_says_why_an_action_is_not_legal() -> None:
    env = ludo_v0.raw_env()
    env.reset(seed=1, options={"rolls": ["3"]})
    with pytest.raises(ludus.IllegalMove) as caught:
        env.step(0)
    assert caught.value.rule == "Z3"


def test_nothing_works_before_reset() -> None:
    env = ludo_v0.raw_env(render_mode="ansi")
    forcing = (lambda: env.force_rolls(["6"]), lambda: env.set_position({}))
    asking = (lambda: env.observe("player_0"), env.render, env.state, lambda: env.position)
    for call in (lambda: env.step(0), *asking, *forcing):
        with pytest.raises(ludus.LudusError, match=r"call reset\(\) first"):
            call()


def test_steps_after_the_end() -> None:
    env = ludo_v0.raw_env(max_cycles=1)
    env.reset(seed=1)
    env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    position = env.position
    assert all(env.truncations.values())
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(0)
    for _ in range(4):
        env.step(None)
    assert env.agents == []
    assert env.position is position


@pytest.mark.rule("G32", "Z21")
def test_every_agent_gets_its_result(maker: Maker) -> None:
    env = maker()
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, _, info = env.last()
        totals[agent] += reward
        env.step(None if terminated else int(rng.choice(np.flatnonzero(info["action_mask"]))))
    result = env.unwrapped.position.result
    assert list(totals.values()) == list(result.values())


def test_copies_go_their_own_way(maker: Maker) -> None:
    env = maker()
    play(env, 20)
    doubles = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    action = int(env.last()[4]["action_mask"].argmax())
    before = env.unwrapped.position
    env.step(action)
    for double in doubles:
        assert double.unwrapped.position == before
        double.last()
        double.step(action)
        # the stream of the dice is copied too
        assert double.unwrapped.position == env.unwrapped.position


def test_set_position_and_forced_rolls() -> None:
    env = ludo_v0.env(num_players=2)
    env.reset(seed=5)
    raw = env.unwrapped
    start = raw.game.start(seed=9).play("6")
    raw.set_position(start)
    assert env.agent_selection == "player_0"
    raw.force_rolls(["5"])
    env.last()
    env.step(0)  # a six: rolls again, a forced 5
    assert raw.position.to_dict()["dice"] == [5]
    with pytest.raises(ludus.LudusError):
        raw.force_rolls("6")
    with pytest.raises(ludus.LudusError):
        raw.set_position(ludus.make("star").start())
    with pytest.raises(ludus.InvalidPosition):
        raw.set_position({"pieces": {}})
    raw.force_rolls(["7"])
    before = raw.position
    env.last()
    with pytest.raises(ludus.IllegalMove):
        env.step(0)
    assert raw.position is before


@pytest.mark.rule("Z30")
def test_an_action_that_was_legal_before_set_position_loses_after_it() -> None:
    env = ludo_v0.env(num_players=2)
    env.reset(seed=1, options={"rolls": ["6"]})
    assert env.last()[4]["action_mask"][0]
    env.unwrapped.set_position(env.unwrapped.game.start().play("3"))
    before = env.unwrapped.position
    env.step(0)
    assert all(env.terminations.values())
    assert env.unwrapped.position is before


BAD_OPTIONS: list[Any] = [
    "x", {"position": None}, {"position": {"pieces": {}}}, {"position": ludus.make("star").start()}, {"rolls": "6"},
    {"rolls": 6}, {"rolls": [6]}, {"rolls": ["7"]}, {"rolls": ["6", math.nan]},
]  # fmt: skip


@pytest.mark.parametrize("options", BAD_OPTIONS, ids=repr)
def test_a_reset_that_fails_leaves_the_game_as_it_was(options: Any) -> None:
    env = ludo_v0.env(max_cycles=5)
    play(env, 3)
    before = env.unwrapped.position
    env.unwrapped.force_rolls(["5"])
    with pytest.raises(ludus.LudusError):
        env.reset(seed=1, options=options)
    assert env.unwrapped.position is before
    for _ in range(2):  # five moves in all
        assert not any(env.truncations.values())
        env.step(int(env.last()[4]["action_mask"].argmax()))
    assert all(env.truncations.values())
    env.reset(seed=1, options={"somebody_else_s": 1})


def test_resets_are_seeded() -> None:
    first, second = ludo_v0.raw_env(seed=1), ludo_v0.raw_env()
    first.reset()
    second.reset(seed=1)
    for _ in range(3):
        assert first.position == second.position
        assert first.position.seed == second.position.seed
        first.reset()
        second.reset()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mode": "team"}, "teams"),
        ({"mode": "teams", "num_players": 3}, "four players"),
        ({"num_players": 9}, "2 to 4"),
        ({"rules": "generals"}, "Ludo rule set"),
        ({"rules": "strikt"}, "strict"),
        ({"render_mode": "humans"}, "human"),
        ({"observation": "dicts"}, "dict"),
        ({"max_cycles": 0}, "max_cycles"),
        ({"rules": ludus.make("star"), "num_players": 2}, "leave those out"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_options_that_contradict(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ludus.LudusError, match=words):
        ludo_v0.env(**options)


def test_pettingzoo_s_registry() -> None:
    for name in [*ludus.games(), "ludo"]:
        env = pettingzoo.make("aec", f"ludus/{name}-v0")
        env.reset(seed=1)
        assert env.unwrapped.game.name == ("pettingzoo" if name == "ludo" else name)


@pytest.mark.rule("G29", "G30")
def test_generals_chance_is_resolved_inside() -> None:
    env = generals_v0.env(toss=True)
    play(env, 200, seed=6)
    assert env.unwrapped.position.to_move != "chance"
    env.reset(seed=1, options={"rolls": ["toss:black"]})
    assert env.agent_selection == "player_1"
    mask = env.last()[0]["action_mask"]
    moves = [str(env.unwrapped.position.move(int(action))) for action in np.flatnonzero(mask)]
    assert moves == ["attack", "defend"]
