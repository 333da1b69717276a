"""The solver against plain dictionaries: positions by `Position` alone, values by the equations that define them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ludus
from ludus.cli import main
from ludus.training.state_space import PARTS, StateSpace

TINY = {
    "name": "tiny",
    "extends": "strict",
    "turn": {"first": "seat"},
    "board": {"path": 12, "pieces": 1, "end_path": 1},
}
PAIRS = {
    "name": "pairs",
    "extends": "strict",
    "turn": {"first": "seat"},
    "board": {"seats": 2, "path": 8, "pieces": 2, "end_path": 1},
}
DICE = {
    "name": "tiny-dice",
    "extends": "strict",
    "turn": {"first": "seat"},
    "chance": {"dice": 2},
    "board": {"seats": 2, "path": 8, "pieces": 1, "end_path": 1},
}


def tiny(players: int = 2) -> ludus.Game:
    return ludus.make(TINY, players=players)


class ByHand:
    """Values by the rules alone: everybody chooses what is best for itself, but for the bots there are."""

    def __init__(
        self, game: ludus.Game, bots: dict[str, ludus.Bot] | None = None, start: ludus.Position | None = None
    ) -> None:
        start = start or game.start()
        self.players = game.players
        self.number: dict[ludus.Position, int] = {}
        self.shares: list[list[float]] = []
        self.ways: list[tuple[str, list[tuple[float, int]]]] = []
        waiting = [start]
        self.number[start] = 0
        while waiting:
            position = waiting.pop(0)
            nexts = self.nexts(position, bots or {})
            for after, _ in nexts:
                if after not in self.number:
                    self.number[after] = len(self.number)
                    waiting.append(after)
            result = position.result or dict.fromkeys(self.players, 0.0)
            self.shares.append([(result[player] + 1) / 2 for player in self.players])
            self.ways.append((str(position.to_move), [(weight, self.number[after]) for after, weight in nexts]))
        while max(map(self.renew, reversed(range(len(self.ways))))) > 1e-10:
            pass

    def nexts(self, position: ludus.Position, bots: dict[str, ludus.Bot]) -> list[tuple[ludus.Position, float]]:
        if position.to_move == "chance":
            return [(position.play(outcome), weight) for outcome, weight in position.outcomes().items()]
        if position.to_move in bots:
            return [(position.play(bots[position.to_move].choose(position)), 1.0)]
        return [(position.play(move), 0.0) for move in position.moves()]

    def renew(self, number: int) -> float:
        mover, ways = self.ways[number]
        if not ways:
            return 0.0
        old = self.shares[number]
        if mover == "chance" or ways[0][0]:
            new = [sum(weight * self.shares[after][seat] for weight, after in ways) for seat in range(len(old))]
        else:
            seat = self.players.index(mover)
            new = max((self.shares[after] for _, after in ways), key=lambda share: share[seat])
        self.shares[number] = new
        return max(abs(a - b) for a, b in zip(old, new, strict=True))

    def __getitem__(self, position: ludus.Position) -> dict[str, float]:
        return dict(zip(self.players, self.shares[self.number[position]], strict=True))


def test_two_players_to_nine_digits_in_every_position():
    game = tiny()
    solution, by_hand = ludus.solve(game), ByHand(game)
    assert solution.gap <= 1e-9
    for position in by_hand.number:
        assert solution.value(position) == pytest.approx(by_hand[position], abs=1e-8), position.to_dict()


def test_several_dice_are_one_choice():
    game = ludus.make(DICE, players=2)
    assert ludus.solve(game).value(game.start()) == pytest.approx(ByHand(game)[game.start()], abs=1e-8)


@pytest.mark.slow
def test_three_players_each_for_itself():
    game = ludus.make(
        {
            "name": "three",
            "extends": "strict",
            "turn": {"first": "seat"},
            "board": {"seats": 3, "path": 9, "pieces": 1, "end_path": 1},
        },
        players=3,
    )
    values = ludus.solve(game).value(game.start())
    assert values == pytest.approx(ByHand(game)[game.start()], abs=1e-6)
    assert sum(values.values()) == pytest.approx(1)


def test_ur_with_two_pieces_is_worth_what_others_found():
    # RoyalUr's strong solution, table "finkel2p": the first mover wins 33985 / 65535, to the nearest of these parts
    game = ludus.make({"name": "ur-2", "extends": "ur", "board": {"pieces": 2}, "turn": {"first": "seat"}})
    found = ludus.solve(game).value(game.start())["green"]
    assert round(found * 65_535) == 33_985


LAST_HIT = {
    "attacker": ["c10"], "defender": ["d7"], "turn": "attacker", "hits": 2, "struck": True,
    "garrisoned": ["attacker", "defender"],
}  # fmt: skip


def test_an_ending_of_generals_to_nine_digits(tmp_path, capsys):
    """One unit each, a last hit to make: all that can follow, though the whole game is far too large."""
    game = ludus.make("generals", quiet_limit=3, turn_limit=0)
    ending = game.position(LAST_HIT)
    solution, by_hand = ludus.solve(game, position=ending), ByHand(game, start=ending)
    assert solution.positions > 300
    assert 0.001 < abs(by_hand[ending]["attacker"] - 0.5) < 0.499
    for position in by_hand.number:
        assert solution.value(position) == pytest.approx(by_hand[position], abs=1e-8), position.to_dict()
    with pytest.raises(ludus.LudusError, match="none of those that were solved"):
        solution.value(game.start())
    heuristic = solution.exploit("heuristic")
    assert heuristic["by seat"]["attacker"] >= by_hand[ending]["attacker"] - 1e-9
    file, folder = tmp_path / "ending.json", tmp_path / "solved"
    file.write_text(json.dumps(LAST_HIT))
    words = ["solve", "generals", "--option", "quiet_limit=3", "--option", "turn_limit=0", "--out", str(folder)]
    assert main([*words, "--position", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["positions"] == solution.positions
    assert told["value"]["attacker"] == pytest.approx(by_hand[ending]["attacker"], abs=1e-8)
    assert main([*words, "--most", "1000"]) == 2  # the same folder, all of the game
    assert "positions of another game" in capsys.readouterr().err


def test_what_can_not_be_solved_from_is_refused():
    game = tiny()
    over = game.position({"pieces": {"green": ["finish"], "blue": ["start"]}, "turn": "green"})
    for wrong in (over, ludus.make("strict").start()):
        with pytest.raises(ludus.LudusError, match="a position of tiny in which the game goes on"):
            ludus.solve(game, position=wrong)


def test_the_best_move_is_worth_what_the_position_is_worth():
    game = tiny()
    solution = ludus.solve(game)
    decided = 0
    position = game.start(seed=5)
    while position.to_move is not None:
        if position.to_move == "chance":
            position = position.roll()
            continue
        move = solution.best(position)
        mover = position.to_move
        assert solution.value(position.play(move))[mover] == pytest.approx(solution.value(position)[mover], abs=1e-9)
        decided += len(position.moves()) > 1
        position = position.play(move)


@pytest.mark.slow
@pytest.mark.parametrize("document", [PAIRS, DICE], ids=["one die", "two dice"])
def test_best_answers_to_a_bot(document):
    name = "greedy"
    game = ludus.make(document, players=2)
    solution = ludus.solve(game)
    found = solution.exploit(name)
    for seat in game.players:
        others = {player: ludus.bot(name) for player in game.players if player != seat}
        by_hand = ByHand(game, others)[game.start()][seat]
        assert found["by seat"][seat] == pytest.approx(by_hand, abs=1e-6)
        assert found["by seat"][seat] >= solution.value(game.start())[seat] - 1e-9
    assert found["exploitability"] > 0


def test_work_goes_on_in_its_folder_and_comes_to_the_same(tmp_path, monkeypatch):
    game = tiny()
    whole = ludus.solve(game)
    monkeypatch.setattr("ludus.training.state_space.AT_ONCE", 50)

    class Enough(Exception):
        pass

    def stop(stage, done, of):
        if (stage == "explore" and done > 100) or (stage == "solve" and done > 25):
            raise Enough

    for _ in range(2):  # while exploring, then again: what is there is not done anew
        with pytest.raises(Enough):
            ludus.solve(game, out=tmp_path, progress=stop)
    space = StateSpace(game, tmp_path)
    space.open()
    assert space.explored > 100
    space.close()
    resumed = ludus.solve(game, out=tmp_path)
    assert resumed.positions == whole.positions
    assert resumed.value(game.start()) == pytest.approx(whole.value(game.start()), abs=2e-9)
    again = ludus.solve(game, out=tmp_path)
    assert again.rounds == resumed.rounds
    assert np.array_equal(again.values, resumed.values)


@pytest.mark.parametrize("name", [*(f"{part}.bin" for part in PARTS), "states.json"])
def test_positions_that_are_not_as_they_were_written_are_refused_in_a_line(name, tmp_path, capsys):
    """A kernel that follows a wrong number reads where nothing of its own is."""
    ludus.solve(tiny(), out=tmp_path)
    file = tmp_path / name
    good = file.read_bytes()
    other = bytes([good[len(good) // 2] ^ 1])
    for damaged in (good[:-9], b"", good[: len(good) // 2] + other + good[len(good) // 2 + 1 :]):
        file.write_bytes(damaged)
        with pytest.raises(ludus.LudusError, match="take another folder"):
            ludus.solve(tiny(), out=tmp_path)
    file.unlink()
    if name != "states.json":  # without it there is nothing to go on with, and all is explored anew
        with pytest.raises(ludus.LudusError, match="take another folder"):
            ludus.solve(tiny(), out=tmp_path)
    file.write_bytes(good)
    assert ludus.solve(tiny(), out=tmp_path).gap <= 1e-9


def test_values_that_are_not_as_they_were_written_are_made_anew(tmp_path):
    game = tiny()
    wanted = ludus.solve(game, out=tmp_path).values
    file = tmp_path / "values.bin"
    line, _, numbers = file.read_bytes().partition(b"\n")
    of_another = json.dumps(json.loads(line) | {"positions": 3}).encode()
    ours = np.full(len(numbers) // 8, 0.9).tobytes()
    for damaged in (line + b"\n" + ours, line + b"\n" + numbers[:-8], of_another + b"\n" + numbers, b"{}", b"", line):
        file.write_bytes(damaged)
        assert np.array_equal(ludus.solve(game, out=tmp_path).values, wanted)


def test_compiled_is_interpreted():
    from ludus.core.engine import twin_of

    game = tiny()
    solution = ludus.solve(game)
    kernel = twin_of("ludus.training.kernels.states").interpreted
    bounds = np.tile(np.array([0.0, 1.0]), solution.positions)
    twin = bounds.copy()
    graph = solution.graph
    line = (solution._prizes[:, 0].copy(), *graph.line, 0, solution.positions)
    assert solution.space.kernel.bound_api(bounds, *line) == kernel.bound_api(twin, *line)
    assert np.array_equal(bounds, twin)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["strict", "--most", "1000"], "more than 1,000 positions"),
        (["strict", "--tolerance", "2"], "tolerance is a number between 0 and 1"),
        (["nosuch"], "unknown game"),
    ],
)
def test_bad_input_is_told_in_a_line(capsys, words, told):
    assert main(["solve", *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_a_folder_of_another_game_is_refused(tmp_path):
    ludus.solve(tiny(), out=tmp_path)
    with pytest.raises(ludus.LudusError, match="another game"):
        ludus.solve(
            ludus.make(TINY | {"name": "other", "board": {"path": 16, "pieces": 1, "end_path": 1}}, players=2),
            out=tmp_path,
        )


def test_positions_of_another_game_are_refused():
    solution = ludus.solve(tiny())
    with pytest.raises(ludus.LudusError, match="solved was tiny"):
        solution.value(ludus.make("strict").start())


def test_the_command(tmp_path, capsys):
    rules = tmp_path / "tiny.toml"
    rules.write_text('name = "tiny"\nextends = "strict"\n[board]\npath = 12\npieces = 1\nend_path = 1\n')
    assert main(["solve", str(rules), "--players", "2", "--exploit", "random", "--lang", "fr"]) == 0
    assert "prouvées" in capsys.readouterr().out
