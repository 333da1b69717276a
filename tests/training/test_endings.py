"""Tables of endings: the values of the solver, wherever few pieces are left, and who uses them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

import ludus
from ludus.analysis.sight import values_for
from ludus.bots.endings import EndingTable, endings_of, place_of
from ludus.cli import main
from ludus.training.ending_tables import make_endings

SMALL = {
    "name": "small", "extends": "strict", "turn": {"first": "seat"}, "board": {"path": 12, "pieces": 2, "end_path": 1},
}  # fmt: skip


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ludus.Game]:
    with pytest.MonkeyPatch.context() as patch:
        small = ludus.make(SMALL, players=2).compile()
        patch.setenv("LUDUS_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        assert endings_of(small) is None
        make_endings(small)
        yield small


@pytest.fixture(scope="module")
def endings(game: ludus.Game) -> EndingTable:
    kept = endings_of(game)
    assert kept is not None
    return kept


@pytest.fixture(scope="module")
def solution(game: ludus.Game) -> ludus.training.solver.Solution:
    return ludus.solve(game)


LATE = {"pieces": {"green": [3, "start", "finish"], "blue": [8, "start", "finish"]}, "turn": "green"}


def late(position: ludus.Position) -> bool:
    pieces = position.to_dict()["pieces"].values()
    return all(sum(place != "finish" for place in hand) <= 1 for hand in pieces)


def test_every_value_is_that_of_the_whole_game(endings, solution):
    """Whatever the solver finds of the whole game with two pieces each, and few of them left, the table has too."""
    rows = np.array(solution.space.array("rows")).reshape(-1, solution.space.width)
    found, known = endings.look_up(rows)
    of_game = [late(solution.game.position_class(solution.game, row.tolist(), 0, 0)) for row in rows]
    assert known.sum() == len(endings) > 300
    assert not known[~np.array(of_game)].any()
    # but for two that only come about with more pieces under way
    assert sum(of_game) - known.sum() == 2
    assert np.abs(found[known] - solution.values[known]).max() < 1e-8


def test_decisions_are_looked_up_by_what_follows(game, endings, solution):
    position = game.position({"pieces": {"green": [3, "finish"], "blue": [8, "finish"]}, "turn": "green", "dice": [5]})
    found, known = endings.look_up([list(position.row)])
    assert known.all()
    assert found[0, 0] == pytest.approx(solution.value(position)["green"], abs=1e-8)
    early = game.position({"pieces": {"green": [3, "start"], "blue": [8, "finish"]}, "turn": "green", "dice": [5]})
    assert not endings.look_up([list(early.row)])[1].any()


def test_an_analysis_has_no_residual_where_the_table_knows(game, endings):
    value = values_for(game, "exact")
    assert "endings exact" in value.name
    position = game.position({"pieces": {"green": [3, "finish"], "blue": ["start", "finish"]}, "turn": "green"}, seed=3)
    record = ludus.Record.start(game, seed=3, position=position)
    while record.position.to_move is not None:
        record.roll() if record.position.to_move == "chance" else record.play(record.position.moves()[-1])
    assert "exact" not in ludus.analyse(record).by
    analysis = ludus.analyse(record, by="exact")
    assert all(abs(part) < 1e-7 for part in analysis.residual.values())
    assert sum(analysis.luck.values()) == pytest.approx(0, abs=1e-9)
    assert values_for(game, "exact:playouts").name == "playouts:heuristic,games=3,horizon=8, endings exact"
    assert values_for(game, "exact:td:weights=any", 2).name == "td2:weights=any, endings exact"
    with pytest.raises(ludus.LudusError, match="not 'tarot'"):
        values_for(game, "exact:tarot")


def test_two_pieces_beside_one_at_home_are_the_game_with_two(game, solution):
    """A piece at home does nothing any more: the table of the game with three is the solution of the one with two."""
    three = ludus.make({**SMALL, "board": {**SMALL["board"], "pieces": 3}}, players=2)
    endings = make_endings(three, left=2)
    bot, heuristic = ludus.bot("exact:base=heuristic"), ludus.bot("heuristic")
    bot.check(three)
    choices = 0
    starts = [three.start(1), *(three.position(LATE, seed) for seed in range(12))]
    for start in starts:
        position = start
        while position.to_move is not None:
            if position.to_move == "chance":
                position = position.roll()
                continue
            move = bot.choose(position)
            after = [position.play(one) for one in position.moves()]
            if not endings.look_up([list(one.row) for one in after])[1].all():
                assert move == heuristic.choose(position)
            elif not any(one.result for one in after):
                worths = [solution.value(without_one_at_home(game, one))[position.to_move] for one in after]
                assert worths[position.moves().index(move)] == pytest.approx(max(worths), abs=1e-8)
                choices += len(after) > 1
            position = position.play(move)
    assert choices > 5


def without_one_at_home(game: ludus.Game, position: ludus.Position) -> ludus.Position:
    """The same with one piece less of each, which is at home."""
    data = position.to_dict()
    for hand in data["pieces"].values():
        hand.remove("finish")
    return game.position(data)


def test_what_is_damaged_is_as_if_there_were_none(game, endings):
    path = place_of(game)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    try:
        assert endings_of(game) is None
        with pytest.raises(ludus.LudusError, match="has no table of endings"):
            values_for(game, "exact")
        with pytest.raises(ludus.LudusError, match="`ludus solve small --endings` makes one"):
            ludus.bot("exact:base=heuristic").check(game)
    finally:
        path.write_bytes(whole)


def test_the_command_makes_a_table_and_says_where(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE_DIR", str(tmp_path))
    path = tmp_path / "small.toml"
    path.write_text(
        'name = "small"\nextends = "strict"\n[turn]\nfirst = "seat"\n[board]\npath = 12\npieces = 2\nend_path = 1\n'
    )
    assert main(["solve", str(path), "--players", "2", "--endings", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["left"] == 1
    assert told["positions"] > 300
    assert str(tmp_path) in told["file"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["star", "--players", "4", "--endings"], "for two players, not 4"),
        (["star", "--players", "2", "--endings", "3"], "from 1 to 2 pieces"),
        (["star", "--players", "2", "--option", "pieces=1", "--endings"], "has 1 pieces each"),
        (["generals", "--endings"], "no pieces that go home"),
    ],
)
def test_what_has_no_table_is_told_in_a_line(capsys, words, told):
    assert main(["solve", *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
