"""The contract's section "Games and positions", line by line."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus

FOUR = ("green", "yellow", "blue", "red")
START = ["start"] * 4


def board(*places: list[int | str], **more: Any) -> dict[str, Any]:
    """A four-player position; colours that are left out wait in their yards."""
    rows = [*places, *[START] * (4 - len(places))]
    return {"pieces": dict(zip(FOUR, rows, strict=True)), **more}


# ---------------------------------------------------------------- import ludus


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has after some code."""
    script = f"import sys\n{code}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_import_is_light() -> None:
    loaded = loaded_after("import ludus")
    assert "ludus" in loaded
    assert not loaded & {"llvmlite", "pydantic", "numpy"}


def test_the_compiler_waits_until_somebody_needs_it_fast() -> None:
    play = "pos = ludus.make('strict').start(seed=1).roll().roll().roll().roll(); pos.outcomes(); pos.moves()"
    assert "llvmlite" not in loaded_after(f"import ludus\n{play}")


def test_public_names() -> None:
    for name in ludus.__all__:
        assert getattr(ludus, name) is not None
        assert name in dir(ludus)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ludus.nothing  # noqa: B018


# ---------------------------------------------------------------- games


def test_games_begin_with_the_shipped_ones() -> None:
    known = ["pettingzoo", "strict", "star", "maedn", "french"]
    assert ludus.games()[: len(known)] == known
    assert len(set(ludus.games())) == len(ludus.games())


def test_games_can_be_asked_again() -> None:
    """The package `ludus.games` has the same name: whatever is imported, the name can be called."""
    import ludus.games.ludo.game

    assert ludus.games() == ludus.games()
    code = (
        "import ludus, ludus.games.ludo.game\nassert ludus.games() == ludus.games()\nfrom ludus import games\ngames()"
    )
    loaded_after(code)


@pytest.mark.parametrize("name", ["pettingzoo", "strict", "star", "maedn", "french"])
def test_four_play_by_default(name: str) -> None:
    game = ludus.make(name)
    assert game.name == name
    assert game.players == FOUR
    assert game.num_players == 4


@pytest.mark.parametrize("name", ["pettingzoo", "strict", "star", "maedn", "french"])
def test_players_by_number_or_colour(name: str) -> None:
    assert ludus.make(name, players=2).players == ("green", "blue")
    assert ludus.make(name, players=3).players == ("green", "yellow", "blue")
    assert ludus.make(name, players=["red", "green"]).players == ("green", "red"), "seat order = order of play"
    assert ludus.make(name, players=("yellow", "blue", "red")).players == ("yellow", "blue", "red")
    for number in (0, 1, 5, -2):
        with pytest.raises(ludus.LudusError):
            ludus.make(name, players=number)


def test_generals_takes_two() -> None:
    assert ludus.make("generals").players == ("attacker", "defender")
    assert ludus.make("generals", toss=True).players == ("white", "black")
    assert ludus.make("generals", players=2).num_players == 2
    for number in (1, 3, 4):
        with pytest.raises(ludus.LudusError):
            ludus.make("generals", players=number)


def test_strict_has_its_defaults() -> None:
    rules = ludus.make("strict").rules
    assert (rules.chance.dice, rules.board.end_path, rules.board.corners) == (1, 5, False)


def test_colours_beyond_four() -> None:
    names = ludus.make("strict", seats=8).players
    assert names == (*FOUR, "purple", "orange", "black", "white")


def test_a_game_from_a_mapping_or_a_file(tmp_path: Path) -> None:
    document = {"name": "mine", "extends": "strict", "board": {"end_path": 4}}
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nextends = "strict"\n[board]\nend_path = 4\n')
    by_mapping, by_path, by_text = ludus.make(document), ludus.make(file), ludus.make(str(file))
    assert by_mapping == by_path == by_text
    assert by_mapping.name == "mine"
    assert by_mapping.rules.board.end_path == 4


def test_keywords_override_options() -> None:
    game = ludus.make("strict", players=3, end_path=4)
    assert game.players == ("green", "yellow", "blue")
    assert game.rules.board.end_path == 4
    assert game != ludus.make("strict", players=3)
    assert game == ludus.make("strict", players=3, end_path=4)
    assert hash(game) == hash(ludus.make("strict", players=3, end_path=4))
    assert game != "strict"


def test_rules_are_read_only() -> None:
    rules = ludus.make("strict").rules
    with pytest.raises(Exception, match="frozen"):
        rules.name = "other"
    with pytest.raises(Exception, match="frozen"):
        rules.board.end_path = 4


def test_sizes_of_the_action_spaces() -> None:
    assert ludus.make("pettingzoo").num_actions == 5
    assert 800 < ludus.make("french").num_actions < 1_000


# ---------------------------------------------------------------- positions


def test_start() -> None:
    pos = ludus.make("pettingzoo").start(seed=7)
    assert (pos.to_move, pos.turn, pos.result) == ("chance", "green", None)
    assert pos.outcomes() == dict.fromkeys("123456", pytest.approx(1 / 6))
    assert pos.moves() == ()
    assert pos.to_dict() == {"pieces": dict.fromkeys(FOUR, START), "turn": "green"}


def test_two_dice_are_written_larger_first() -> None:
    chances = ludus.make("french").start().outcomes()
    assert len(chances) == 21
    assert chances["6,6"] == pytest.approx(1 / 36)
    assert chances["5,3"] == pytest.approx(1 / 18)
    assert sum(chances.values()) == pytest.approx(1)
    pos = ludus.make("french").start()
    assert pos.play("3,5") == pos.play("5,3")


def test_who_acts() -> None:
    game = ludus.make("pettingzoo")
    pos = game.start().play("6")
    assert (pos.to_move, pos.turn) == ("green", "green")
    assert pos.outcomes() == {}
    assert [str(move) for move in pos.moves()] == ["out"]
    over = game.position(board(["finish"] * 4, captured=["green"]))
    assert (over.to_move, over.turn) == (None, "green")
    assert over.result == {"green": 1.0, "yellow": -1.0, "blue": -1.0, "red": -1.0}
    assert over.moves() == ()
    assert over.outcomes() == {}
    assert not over.mask().any()


def test_play_takes_a_move_its_notation_or_an_outcome() -> None:
    pos = ludus.make("strict").position(board([12, "start", "start", "start"], dice=[5]))
    (move,) = pos.moves()
    assert str(move) == "12+5"
    assert pos.play(move) == pos.play("12+5") == pos.play(" 12+5 ")
    assert pos.play(move).to_dict()["pieces"]["green"] == [17, "start", "start", "start"]
    with pytest.raises(ludus.IllegalMove):
        pos.play("12+4")
    with pytest.raises(ludus.IllegalMove):
        pos.play("6")


def test_positions_are_immutable() -> None:
    pos = ludus.make("strict").position(board([12, 30, "start", "start"], [17, 40, "start", "start"], dice=[5]))
    before = pos.to_dict()
    for move in pos.moves():
        pos.play(move)
    pos.to_dict()["pieces"]["green"][0] = "finish"
    assert pos.to_dict() == before


def test_equal_positions_hash_alike() -> None:
    game = ludus.make("strict")
    one = game.position(board([12, 30, "start", "end:1"], dice=[5]))
    two = game.position(board(["end:1", 30, 12, "start"], dice=[5]))
    other = game.position(board([12, 31, "start", "end:1"], dice=[5]))
    assert one == two, "pieces compare as sorted places"
    assert hash(one) == hash(two)
    assert one != other
    assert one != ludus.make("strict", players=["green", "yellow", "blue", "red"], end_path=4).start()
    assert game.start(1) == game.start(2), "the random stream is no part of equality"
    assert len({one, two, other}) == 2


def test_plain_data_come_back() -> None:
    game = ludus.make("pettingzoo")
    data = board([12, 50, "end:2", "finish"], [13, 3, 3, "start"], turn="green", dice=[6])
    data |= {"captured": ["green"], "sixes": {"green": 2}}
    pos = game.position(data)
    assert pos.to_dict() == data
    assert game.position(pos.to_dict()) == pos
    assert pos.to_dict()["pieces"]["green"] == [12, 50, "end:2", "finish"], "list order is kept"


def test_rolls_from_the_own_stream() -> None:
    game = ludus.make("pettingzoo")

    def rolls(seed: int) -> list[dict[str, Any]]:
        pos, found = game.start(seed), []
        for _ in range(60):
            pos = pos.roll() if pos.to_move == "chance" else pos.play(pos.moves()[0])
            found.append(pos.to_dict())
        return found

    assert rolls(1) == rolls(1)
    assert rolls(1) != rolls(2)


def test_rolls_from_a_source() -> None:
    pos = ludus.make("french").start()
    for make in (random.Random, np.random.default_rng):
        assert pos.roll(make(5)) == pos.roll(make(5))
        assert len({pos.roll(make(seed)) for seed in range(40)}) > 5
    with pytest.raises(ludus.IllegalMove):
        pos.play("5,3").roll()


def test_the_fixed_action_space() -> None:
    pos = ludus.make("strict").position(board(["start", 12, 12, 30], dice=[5]))
    mask = pos.mask()
    assert mask.dtype == np.bool_
    assert mask.tolist() == [False, True, True, True, False], "every movable index is in the mask"
    assert [str(move) for move in pos.moves()] == ["12+5", "30+5"], "pieces on one tile are one move"
    assert pos.action("12+5") == 1, "the lowest"
    assert pos.action(pos.moves()[1]) == 3
    assert pos.move(2) == pos.move(1) == pos.moves()[0]
    assert pos.move(np.int64(3)) == pos.moves()[1]
    for action in (0, 4):
        with pytest.raises(ludus.IllegalMove):
            pos.move(action)
    assert not ludus.make("strict").start().mask().any()


def test_a_pass_answers_a_roll_without_use() -> None:
    pos = ludus.make("pettingzoo").start().play("5")
    assert [str(move) for move in pos.moves()] == ["pass"]
    assert pos.mask().tolist() == [False] * 4 + [True]
    assert pos.play("pass").turn == "yellow"


def test_observations() -> None:
    pos = ludus.make("pettingzoo").start(3)
    seen = pos.observation("green")
    assert seen.dtype == np.float32
    assert seen.ndim == 1
    assert (seen >= 0).all()
    assert (seen <= 1).all()
    assert pos.observation("blue").shape == seen.shape


def test_a_move_has_its_facts() -> None:
    pos = ludus.make("strict").position(board(["start", 20, "start", "start"], [25, *["start"] * 3], dice=[5]))
    (move,) = pos.moves()
    assert (move.colour, move.origin, move.target) == ("green", 20, 25)
    assert move.dice == (5,)
    assert move.path == (21, 22, 23, 24, 25)
    assert [(c.colour, c.tile) for c in move.captures] == [("yellow", 25)]
    assert move.finishes is False
    assert "captures yellow on 25" in move.describe("en")
    assert move.describe("fr") != move.describe("en")
    assert move == pos.moves()[0]
    assert hash(move) == hash(pos.moves()[0])
    assert move != "20+5"


def test_an_illegal_move_has_a_reason() -> None:
    pos = ludus.make("french").position(board([5, *["start"] * 3], [8, 8, "start", "start"], dice=[6, 3]))
    with pytest.raises(ludus.IllegalMove) as caught:
        pos.play("5+3")
    assert caught.value.rule == "F13"
    assert caught.value.reason
    assert caught.value.code == "blocked"
    assert caught.value.explain("fr")


def test_copies() -> None:
    pos = ludus.make("star").start(4).roll()
    for again in (copy.copy(pos), copy.deepcopy(pos), pickle.loads(pickle.dumps(pos))):
        assert again == pos
        assert hash(again) == hash(pos)


# ---------------------------------------------------------------- playing many


def test_playouts() -> None:
    game = ludus.make("pettingzoo")
    games = game.playouts(300, seed=1)
    assert len(games) == 300
    for column in (games.winner, games.turns, games.moves, games.captures):
        assert column.shape == (300,)
    assert set(games.winner.tolist()) == {0, 1, 2, 3}
    assert sum(games.wins().values()) == 300
    assert (games.winner == game.playouts(300, seed=1).winner).all()
    assert (game.playouts(100, seed=1, first=200).moves == games.moves[200:]).all()


@pytest.mark.parametrize("count", [-1, 1.5, True, "3", None])
def test_the_number_of_games_is_checked(count: Any) -> None:
    with pytest.raises(ludus.LudusError):
        ludus.make("pettingzoo").playouts(count)
