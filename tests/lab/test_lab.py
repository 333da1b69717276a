"""The laboratory: figures against a count by hand, the same from the same seed, and every form of them."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

import ludus
from ludus.cli import main
from ludus.core.messages import catalogue
from ludus.core.seeds import derived_seed
from ludus.games.generals.moves import EVENT_NAMES as GENERALS_EVENTS
from ludus.games.ludo.moves import EVENT_NAMES as LUDO_EVENTS
from ludus.games.ludo.moves import PASSED_BECAUSE
from ludus.lab.figures import Figure, deviation_of, mean_of, quantile_of, ratio_of, share_of
from ludus.lab.laboratory import Lab
from ludus.lab.looking_on import watched_game
from ludus.lab.parts import MOST_WATCHED, Part, done
from ludus.lab.refraining import Refraining
from ludus.lab.sheets import short_names
from ludus.lab.valuing import MOMENTS, _course

GAMES = 120


@pytest.fixture(scope="module")
def found():
    return ludus.lab(
        [ludus.make("classic", players=2), ludus.make("star", players=2)], games=GAMES, seed=4, depth="short", workers=1
    )


def test_lengths_wins_and_captures_are_those_of_the_games(found):
    game = ludus.make("star", players=2)
    played = game.playouts(GAMES, seed=4, bots=["heuristic"] * 2)
    figures = found.tables["star"]
    assert figures["length.turns"]["value"] == pytest.approx(played.turns.mean())
    assert figures["length.moves.p95"]["value"] == pytest.approx(np.percentile(played.moves, 95))
    assert figures["captures"]["value"] == pytest.approx(played.captures.mean())
    for player, wins in played.wins().items():
        assert figures[f"seat.{player}"]["value"] == pytest.approx(wins / GAMES)
    assert figures["completion"] == {"value": 1.0, "low": pytest.approx(0.97, abs=0.01), "high": 1.0, "n": GAMES}


def test_choices_are_counted_move_by_move(found):
    game = ludus.make("star", players=2)
    turns = with_choice = 0
    sizes = []
    for number in range(MOST_WATCHED):
        seed = derived_seed(4, "watched", number)
        player, position, last, chose = ludus.bot("heuristic", seed=seed), game.start(seed=seed), None, False
        while position.to_move is not None:
            if position.turn != last:
                last, chose, turns = position.turn, False, turns + 1
            if position.to_move == "chance":
                position = position.roll()
                continue
            if len(position.moves()) > 1:
                sizes.append(len(position.moves()))
                with_choice += not chose
                chose = True
            position = position.play(player.choose(position))
    figures = found.tables["star"]
    assert figures["turns.with_choice"]["value"] == pytest.approx(with_choice / turns)
    assert figures["branching"]["value"] == pytest.approx(sum(sizes) / len(sizes))
    assert figures["events.came_out"]["value"] > 1


def test_rules_that_fire_at_a_roll_are_counted_too():
    """The third six in a row loses the turn before anything is played; and a watched game is the one of its seed."""
    game = ludus.make("classic", players=2)
    counts = Counter()
    for number in range(6):
        watched = watched_game(game, "greedy", 4, number)
        counts.update(watched["events"])
        seed = derived_seed(4, "watched", number)
        player, position, rolls = ludus.bot("greedy", seed=seed), game.start(seed=seed), 0
        while position.to_move is not None:
            is_roll = position.to_move == "chance"
            rolls += is_roll
            position = position.roll() if is_roll else position.play(player.choose(position))
        assert watched["rolls"] == rolls
    assert counts["turn_passed_in_a_row"] > 0
    assert not [what for what in counts if what.startswith("turn_passed_") and what.endswith(("played", "None"))]


def test_every_event_has_words_in_both_languages():
    told = {
        *LUDO_EVENTS.values(),
        *GENERALS_EVENTS.values(),
        *(f"turn_passed_{why}" for why in PASSED_BECAUSE.values()),
    }
    plain = {"turn_passed", "turn_passed_played"}
    for lang in ("en", "fr"):
        assert set(catalogue("ludus.lab", lang)["event"]) == told - plain


@pytest.mark.slow
def test_the_same_seed_gives_the_same_whoever_works(found, tmp_path):
    star = ludus.make("star", players=2)
    options = {"games": GAMES, "depth": "short"}
    again = ludus.lab(star, seed=4, workers=2, **options)
    other = ludus.lab(star, seed=5, workers=1, **options)
    assert again.tables["star"] == found.tables["star"]
    assert other.tables["star"] != found.tables["star"]


class Enough(Exception):
    """Somebody interrupts."""


def test_an_interrupted_laboratory_goes_on_where_it_was(found, tmp_path):
    star = ludus.make("star", players=2)
    journal = tmp_path / "lab.jsonl"
    seen = []

    def until_the_fifth(count, of):
        seen.append(count)
        if count == 5:
            raise Enough

    options = {"games": GAMES, "seed": 4, "depth": "short", "workers": 1, "journal": journal}
    with pytest.raises(Enough):
        ludus.lab(star, progress=until_the_fifth, **options)
    kept = journal.read_text().splitlines()
    assert len(kept) == 1 + 5
    again = ludus.lab(star, progress=lambda count, of: seen.append(count), **options)
    assert seen[6] == 5  # what was there is not done again
    assert again.tables["star"] == found.tables["star"]
    with pytest.raises(ludus.LudusError, match="of another laboratory, games is 120, not 130"):
        ludus.lab(star, **(options | {"games": 130}))


def test_luck_mistakes_and_the_rest_are_all_of_the_variance(found):
    for figures in found.tables.values():
        parts = [figures[name]["value"] for name in ("luck", "luck.mistakes", "luck.unexplained")]
        assert sum(parts) == pytest.approx(1)
        assert figures["luck"]["n"] == 10


def test_the_course_of_a_game_that_was_worked_out_by_hand():
    """Two sides, five turns: the one that wins is behind for two turns of the four before the last, level in one."""
    curve = np.array([[0.5, 0.5], [0.75, 0.25], [0.64, 0.36], [0.3, 0.7], [0.1, 0.9], [0.0, 1.0]])
    course = _course(curve, np.array([0, 1, 0, 1, 0]), ended=True)
    assert course["lead_changes"] == 1
    assert course["turns"] == 5
    assert course["unrest"] == pytest.approx(0.25 + 0.11 + 0.34 + 0.2 + 0.1)
    assert course["drama"] == pytest.approx((0.5**0.5 + 0.28**0.5) / 2)
    assert course["decided"] == pytest.approx(1 / 5)
    at = [min(4, 5 * percent // 100) for percent in MOMENTS]
    assert course["led"] == [[True, False, False, True, True][turn] for turn in at]
    assert course["was_last"] == [[True, True, True, False, False][turn] for turn in at]
    assert "drama" not in _course(curve, np.array([0, 1, 0, 1, 0]), ended=False)


def test_a_duel_counts_every_seating_of_every_deal():
    star = ludus.make("star", players=2)
    edges = done(star, 4, Part("duel", "heuristic random", 0, 6))
    assert len(edges) == 6
    assert set(edges) <= {-0.5, 0.0, 0.5}
    whole = done(star, 4, Part("duel", "heuristic random", 3, 3))
    assert whole == edges[3:]
    assert done(star, 4, Part("duel", "heuristic heuristic", 0, 6)) == [0.0] * 6


def test_who_does_without_captures_captures_only_where_there_is_no_other_move():
    game = ludus.make("star", players=2)
    pieces = {"green": [12, 30, "start", "start"], "blue": ["start", "start", 17, "finish"]}
    position = game.position({"pieces": pieces, "turn": "green", "dice": [5]})
    assert str(ludus.bot("heuristic").choose(position)) == "12+5"
    assert str(Refraining("captures").choose(position)) == "30+5"
    alone = game.position({"pieces": pieces | {"green": [12, "start", "start", "start"]}, "turn": "green", "dice": [5]})
    assert str(Refraining("captures").choose(alone)) == "12+5"


def test_who_does_without_blocks_stands_alone():
    game = ludus.make("star", players=2)
    pieces = {"green": [14, 19, "start", "start"], "blue": ["start", "start", 40, "finish"]}
    position = game.position({"pieces": pieces, "turn": "green", "dice": [5]})
    assert str(Refraining("blocks").choose(position)) == "19+5"


@pytest.mark.slow
def test_the_whole_of_it_has_traces_and_what_rules_are_worth():
    figures = ludus.lab(ludus.make("star", players=2), games=20, seed=1, workers=1).tables["star"]
    assert {f"trace.{budget}" for budget in (8, 16, 32, 64)} <= set(figures)
    assert {"worth.captures", "worth.blocks", "skill.td", "at.random.turns"} <= set(figures)


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["star finish.rule=exact", "star finish.rule=stairs"], ["exact", "stairs"]),
        (["star a=1 b=2", "star a=1 b=3", "star a=2 b=2"], ["a=1 b=2", "a=1 b=3", "a=2 b=2"]),
        (["star a=1", "classic a=1"], ["star", "classic"]),
        (["star", "star a=1"], ["star", "star a=1"]),
        (["star"], ["star"]),
    ],
)
def test_plots_name_what_tells_rule_sets_apart(found, names, short):
    (_, one), *_ = found.measured
    assert short_names(Lab([(name, one) for name in names], found.scope, 0)) == short


def test_text_page_and_data_say_the_same_in_both_languages(found, tmp_path):
    page = tmp_path / "lab.html"
    found.html(page)
    assert page.read_text() == found.html()
    assert "http" not in found.html()
    assert json.loads(json.dumps(found.to_dict()))["tables"] == found.tables
    assert "won by green" in found.text()
    assert "gagnées par vert" in found.text("fr")


@pytest.mark.slow
def test_generals_is_measured_too():
    figures = ludus.lab("generals", games=10, depth="short", workers=1).tables["generals"]
    assert figures["seat.attacker"]["n"] == 10


def test_intervals():
    assert share_of(0, 100).low == 0
    assert share_of(50, 100).low == pytest.approx(0.4038, abs=1e-4)
    # Student's t has 3.182 at three degrees of freedom
    assert mean_of([1, 2, 3, 4]).high == pytest.approx(2.5 + 3.182 * np.std([1, 2, 3, 4], ddof=1) / 2, rel=0.02)
    assert mean_of([1, 2]).low is None


@pytest.mark.parametrize(
    ("figure", "true"),
    [
        (deviation_of, 1.0),
        (lambda sample: quantile_of(sample, 0.5), np.log(2)),
        (lambda sample: quantile_of(sample, 0.95), np.log(20)),
        (lambda sample: ratio_of(sample[:100], sample[100:]), 1.0),
    ],
)  # fmt: skip
def test_intervals_hold_what_is_true_nineteen_times_in_twenty(figure, true):
    """Of an exponential distribution, whose deviation is 1."""
    rng = np.random.default_rng(2)
    found = [figure(rng.exponential(size=200)) for _ in range(400)]
    held = sum(one.low <= true <= one.high for one in found)
    assert 0.88 * 400 <= held <= 0.99 * 400


def test_a_star_tells_what_differs_by_more_than_chance():
    assert Figure(0.5, 0.4, 0.6, 100).differs_from(Figure(0.7, 0.6, 0.8, 100))
    assert not Figure(0.5, 0.4, 0.6, 100).differs_from(Figure(0.6, 0.5, 0.7, 100))
    assert not Figure(0.5, None, None, 2).differs_from(Figure(0.9, 0.8, 1.0, 100))


def test_equal_rule_sets_are_measured_once_and_named_apart():
    star = ludus.make("star", players=2)
    seen = []
    found = ludus.lab([star, star], games=20, depth="short", workers=1, progress=lambda *at: seen.append(at))
    assert list(found.tables) == ["star", "star (2)"]
    assert found.tables["star"] == found.tables["star (2)"]


@pytest.mark.slow
def test_variants_side_by_side(capsys):
    words = [
        "lab",
        "star",
        "--players",
        "2",
        "--games",
        "20",
        "--short",
        "--vary",
        "board.pieces=1..2",
        "--vary",
        "finish.rule",
        "--json",
    ]
    assert main(words) == 0
    names = list(json.loads(capsys.readouterr().out)["tables"])
    assert "star board.pieces=1 finish.rule=exact" in names
    assert "star board.pieces=2 finish.rule=bounce" in names


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nosuch"], "unknown game"),
        (["star", "--games", "1"], "games is a whole number from 10"),
        (["star", "--vary", "finish.role"], "no option 'finish.role'"),
        (["star", "--vary", "board.pieces"], "say which values"),
        (["star", "--vary", "board.pieces=200..202"], "none of these"),
        (["star", "--vary", "board.pieces=]["], "values as in TOML"),
        (["star", "--level", "nobody"], "nobody"),
        (["star", "--workers", "0"], "workers is a whole number from 1"),
        (["star", "--html", "/nowhere/at/all.html"], "--html"),
    ],
)
def test_bad_input_is_told_in_a_line(capsys, words, told):
    assert main(["lab", *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
