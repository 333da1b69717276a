"""Training: to exact values on a solved toy, the same from the same seed, on where it stopped, stronger than before."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.training.games import TOY, at_chance, exact_values, make

import ludus
from ludus.bots.net_desk import NetDesk
from ludus.bots.net_files import FEATURES_VERSION, load_net, net_for, rules_digest
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.tensor_file import read_tensors, write_tensors
from ludus.games.ludo.document.drawing import drawn_games
from ludus.training.anchors import share_won
from ludus.training.school import LOOKING_AHEAD, PLAYING, ROLLING_OUT, School, Syllabus
from ludus.training.trainer import Snapshot, Training, train

SMALL = Syllabus(units=16, portion=5, positions=40)


def test_td_learns_the_exact_values_of_a_solved_toy() -> None:
    game = make(TOY)  # type: ignore[arg-type]
    exact = exact_values(game)
    assert len(exact) > 100
    assert any(0.05 < value < 0.3 for _, value in exact.values())
    assert any(0.7 < value < 0.95 for _, value in exact.values())
    school = School([game], 1, Syllabus(units=64, portion=500, rate=0.05, halved=3e5))
    rows = np.array([row for row, _ in exact.values()], dtype=np.int16)
    wanted = np.array([value for _, value in exact.values()])
    before = np.abs(school.desk(game).values(rows)[:, 0] - wanted).mean()
    for _ in range(160):
        school.lesson(PLAYING)
    error = np.abs(school.desk(game).values(rows)[:, 0] - wanted)
    met = met_shares(game, rows)
    assert (error * met).sum() < 0.012, "over the positions as often as they are met"
    assert error.mean() < 0.05 < before


def met_shares(game: Game, rows: Any) -> Any:
    """How often each row is met in play."""
    number = {tuple(int(v) for v in row): at for at, row in enumerate(rows)}
    counts = np.zeros(len(rows))
    for row in at_chance(game, 3000):
        counts[number[tuple(int(v) for v in row)]] += 1
    return counts / counts.sum()


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    game = make(TOY)  # type: ignore[arg-type]
    found = []
    for number, seed in enumerate((7, 7, 8)):
        out = tmp_path / f"{number}.safetensors"
        found.append(train(game, seed=seed, games=300, units=16, out=out, anchors=False).net.weights)
    np.testing.assert_array_equal(found[0], found[1])
    assert (found[0] != found[2]).any()


def test_a_training_that_stopped_goes_on_as_if_it_had_not(tmp_path: Path) -> None:
    game = make(TOY)  # type: ignore[arg-type]
    lessons = [PLAYING] * 4 + [ROLLING_OUT, LOOKING_AHEAD, PLAYING, LOOKING_AHEAD]
    whole = School([game], 5, SMALL)
    for kind in lessons:
        whole.lesson(kind)
    path = tmp_path / "half.safetensors"
    first = School([game], 5, SMALL)
    for kind in lessons[:3]:
        first.lesson(kind)
    first.save(path)
    second = School([game], 5, SMALL)
    second.resume(path)
    for kind in lessons[3:]:
        second.lesson(kind)
    np.testing.assert_array_equal(whole.net.weights, second.net.weights)
    np.testing.assert_array_equal(whole.playing_net().weights, second.playing_net().weights)
    assert second.progress.games == whole.progress.games == 25


def test_a_file_says_for_which_rules_it_is_and_how_it_was_trained(tmp_path: Path) -> None:
    game = make("star", players=2)
    out = tmp_path / "mine.safetensors"
    done = train(game, games=100, units=16, seed=4, out=out, anchors=False)
    meta = load_net(out).meta
    assert (meta["digest"], meta["features"]) == (rules_digest(game), str(FEATURES_VERSION))
    told = json.loads(meta["training"])
    assert (told["seed"], told["plan"]["units"]) == (4, 16)
    assert told["progress"]["games"] == 100
    assert told["progress"]["history"] == done.history


def test_it_goes_on_from_its_own_file_only(tmp_path: Path) -> None:
    game = make(TOY)  # type: ignore[arg-type]
    out = tmp_path / "mine.safetensors"
    done = train(game, games=200, units=16, out=out, anchors=False)
    assert done.games == 200
    again = train(game, games=500, units=16, out=out, anchors=False)
    assert again.games == 500
    with pytest.raises(LudusError, match="another training"):
        train(game, games=500, seed=2, units=16, out=out, anchors=False)
    other = make("star", players=2)
    with pytest.raises(LudusError, match="another training"):
        train(other, games=100, units=16, out=out, anchors=False)


@pytest.mark.parametrize(
    "words", ["", "[]", "{}", '{"seed": "x", "plan": {}, "progress": {}}', "no lessons", "more", "short"]
)
def test_a_file_that_does_not_say_how_it_was_trained_is_refused_in_a_line(tmp_path: Path, words: str) -> None:
    game, path = make(TOY), tmp_path / "mine.safetensors"  # type: ignore[arg-type]
    School([game], 1, SMALL).save(path)
    tensors, meta = read_tensors(path)
    told = json.loads(meta["training"])
    if words == "no lessons":
        told["progress"]["lessons"] = {}
    elif words == "more":
        told["progress"]["further"] = 1
    elif words == "short":
        tensors["average"] = tensors["average"][:-1]
    write_tensors(path, tensors, meta | {"training": json.dumps(told) if words.replace(" ", "").isalpha() else words})
    with pytest.raises(LudusError, match="name another file with --out"):
        School([game], 1, SMALL).resume(path)


def test_whoever_looks_on_is_told(tmp_path: Path) -> None:
    told: list[Snapshot] = []
    game = make("star", players=2)
    done = train(game, games=400, units=16, out=tmp_path / "star.safetensors", told=told.append)
    assert set(done.strength) == {"random", "heuristic"}
    assert told[-1].done == 1.0
    assert told[-1].games == done.games == 400
    assert done.history[-1]["strength"] == done.strength


def test_strength_is_measured_against_nets_and_against_bots_outside_of_the_kernel(tmp_path: Path) -> None:
    game = make("pettingzoo", players=2)
    knows_nothing = School([game], 1, SMALL).playing_net()
    assert share_won(game, knows_nothing, "td:weights=any", 100) < 0.2  # each by its own net
    bot = tmp_path / "last.py"
    bot.write_text(
        "import ludus\nclass Last(ludus.Bot):\n    def pick(self, position, moves):\n        return moves[-1]\n"
    )
    assert share_won(game, net_for(game), f"{bot}:Last", 40) > 0.8


def test_tensorboard_gets_loss_and_strength(tmp_path: Path) -> None:
    out, board = tmp_path / "mine.safetensors", tmp_path / "board"
    train(make("star", players=2), games=100, units=16, out=out, tensorboard=board)
    (file,) = board.glob("events.out.tfevents.*")
    written = file.read_bytes()
    for name in (b"loss", b"strength/random", b"strength/heuristic"):
        assert name in written


def test_tensorboard_without_its_extra_is_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    with pytest.raises(LudusError, match="install the extra first"):
        train(make("star", players=2), games=100, out=tmp_path / "mine.safetensors", tensorboard=tmp_path)


def test_an_interruption_keeps_what_was_learnt(tmp_path: Path) -> None:
    game, out = make(TOY), tmp_path / "mine.safetensors"  # type: ignore[arg-type]

    class Impatient:
        """Interrupts at the third lesson."""

        lessons = 0

        def __call__(self, kind: str) -> Any:
            self.lessons += 1
            if self.lessons == 3:
                raise KeyboardInterrupt
            return School.lesson(school, kind)

    school = School([game], 1, SMALL)
    school.lesson = Impatient()  # type: ignore[method-assign]
    stopped = Training(school, out, games=50).run()
    assert stopped.interrupted
    assert stopped.games == 10
    whole = Training(School([game], 1, SMALL), out, games=50).run()
    assert not whole.interrupted
    assert whole.games == 50
    at_once = Training(School([game], 1, SMALL), tmp_path / "other.safetensors", games=50).run()
    np.testing.assert_array_equal(whole.net.weights, at_once.net.weights)


def test_bad_wishes_are_refused(tmp_path: Path) -> None:
    game = make(TOY)  # type: ignore[arg-type]
    out = tmp_path / "x.safetensors"
    for wish, words in (
        ({"minutes": 0}, "minutes"), ({"minutes": "long"}, "minutes"), ({"games": 0}, "games"),
        ({"games": 2.5}, "games"), ({"units": 7}, "units"), ({"start": str(tmp_path / "none")}, "can't be read"),
    ):  # fmt: skip
        with pytest.raises(LudusError, match=words):
            train(game, out=out, **wish)  # type: ignore[arg-type]
    with pytest.raises(LudusError, match="not a file that can be written"):
        train(game, out=tmp_path / "nowhere" / "x.safetensors")
    assert not out.exists()


def test_a_net_for_all_plays_a_document_that_it_has_never_seen() -> None:
    games = drawn_games(11, 4)
    school = School(games[:3], 1, Syllabus(units=16, portion=10), for_all=True)
    for _ in range(6):
        school.lesson(PLAYING)
    net = school.playing_net()
    assert net.is_for_all
    assert net.options, "the rules are part of what it knows"
    unseen = games[3]
    shares = NetDesk(unseen, net).values(at_chance(unseen, 10))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-9)
    with_rules, without = net.for_game(unseen), net.weights
    assert (with_rules[: net.units] != without[: net.units]).any()
    np.testing.assert_array_equal(with_rules[net.units :], without[net.units :])


@pytest.mark.parametrize(
    ("name", "options"),
    [("cross-8", {}), ("pettingzoo", {"modes": {"mode": "teams"}}), ("generals", {})],
    ids=["eight players", "teams", "roles"],
)
def test_any_number_of_players_teams_and_roles_learn(name: str, options: dict[str, Any]) -> None:
    game = make(name, **options)
    school = School([game], 1, Syllabus(units=16, portion=3), for_all=name != "generals")
    before = school.net.weights.copy()
    counted = school.lesson(PLAYING)
    assert counted.games == 3
    assert counted.cut == 0
    assert (school.net.weights != before).any()
    assert np.isfinite(school.net.weights).all()
    assert 0 < counted.loss / counted.positions < 1.2 * np.log(game.num_players)


def test_fine_tuning_begins_where_the_net_for_all_stands() -> None:
    game = drawn_games(12, 1)[0]
    start = net_for(game, "any")
    school = School([game], 1, Syllabus(units=start.units), start)
    rows = at_chance(game, 20)
    np.testing.assert_allclose(school.desk(game).values(rows), NetDesk(game, start).values(rows), atol=1e-6)


def test_documents_drawn_are_valid_and_always_the_same() -> None:
    first, again = drawn_games(3, 6), drawn_games(3, 8)
    assert [game.digest for game in first] == [game.digest for game in again[:6]]
    assert len({game.digest for game in again}) == 8
    for game in again[:4]:
        assert game.playouts(3, seed=1, max_plies=60_000).finished.all()


@pytest.mark.slow
def test_a_short_training_beats_the_heuristic(tmp_path: Path) -> None:
    """A minute or two of one processor; the heuristic wins a quarter of the games among its like."""
    game = make("pettingzoo")
    done = train(game, games=8_000, seed=1, out=tmp_path / "mine.safetensors", anchors=False)
    assert share_won(game, done.net, "heuristic", 2_000) > 0.40
    assert share_won(game, done.net, "random", 1_000) > 0.75
    assert load_net(done.path).meta["game"] == "pettingzoo"
    assert ludus.bot("td", weights=str(done.path)).choose(_first_choice(game)) is not None


def _first_choice(game: Game) -> Position:
    position = game.start(4)
    while len(position.moves()) < 2:
        position = position.roll() if position.to_move == "chance" else position.play(position.moves()[0])
    return position
