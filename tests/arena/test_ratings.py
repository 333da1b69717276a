"""Shares, intervals and ratings, against numbers known from elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ludus
from ludus.arena.journal import Tally
from ludus.arena.ratings import Meetings, bradley_terry, openskill_ratings
from ludus.arena.results import LETTERS, beaten, letter_of, letters_of, shares
from ludus.arena.schedule import make_schedule
from ludus.arena.standings import Sample, Standings, effective_games, wilson


@pytest.mark.parametrize(
    ("share", "count", "low", "high"),
    # Newcombe (1998), table I: 81/263, 15/148, 0/20, 1/29
    [
        (81 / 263, 263, 0.2553, 0.3662),
        (15 / 148, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1 / 29, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals(share: float, count: int, low: float, high: float) -> None:
    assert wilson(share, count) == pytest.approx((low, high), abs=6e-5)


def test_paired_games_count_for_what_they_tell() -> None:
    rng = np.random.default_rng(1)
    four = np.full(2000, 4.0)
    # one coin a deal: four games tell as much as one
    same = 4.0 * rng.integers(0, 2, 2000)
    assert effective_games(same, four, same.sum() / 8000) == pytest.approx(2000, rel=0.01)
    # every deal is won two to two: the share is known better than by any number of free games
    even = np.full(2000, 2.0)
    even[:2] = 1, 3
    assert effective_games(even, four, 0.5) > 100_000
    free = rng.binomial(4, 0.3, 2000).astype(float)
    assert effective_games(free, four, free.sum() / 8000) == pytest.approx(8000, rel=0.1)


@pytest.mark.parametrize("deals", [10, 25, 200])
@pytest.mark.parametrize("together", [0.02, 0.3], ids=["independent", "alike"])
def test_intervals_of_shares_hold_the_truth(deals: int, together: float) -> None:
    """One against three, 25%: games of a deal that go alike, more or less."""
    rng = np.random.default_rng(2)
    fours = np.full(deals, 4.0)
    covered = 0
    for _ in range(800):
        luck = rng.beta(0.25 * (1 / together - 1), 0.75 * (1 / together - 1), deals)
        sample = Sample()
        sample.add(rng.binomial(4, luck).astype(float), fours, 0, 0.25)
        share = sample.share()
        covered += share.low <= 0.25 <= share.high
    assert 0.92 <= covered / 800 <= 0.98


@pytest.mark.parametrize("sides", [2, 3, 4, 8])
def test_every_game_is_shared_out_whole(sides: int) -> None:
    table = shares(sides)
    known = [c for c in map(ord, LETTERS) if table[c].any()]
    assert len(known) == 2 * sides + 2
    for code in known:
        assert table[code].sum() == pytest.approx(1)
    assert table[ord("1")].tolist() == [0, 1] + [0] * (sides - 2)
    assert table[ord("b")][1] == 0


def test_who_beat_whom() -> None:
    table = beaten(3)
    assert table[ord("1")].tolist() == [[0, 0, 0], [1, 0, 1], [0, 0, 0]]
    assert table[ord("=")].tolist() == [[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]
    assert table[ord("a")].tolist() == [[0, 0, 0], [1, 0, 0], [1, 0, 0]]


def test_letters_of_kernel_games() -> None:
    letters = letters_of([0, 3, -1, 2], np.array([True, True, True, False]), [0, 1, 0, 1])
    assert letters.tobytes() == b"01=~"


def test_letters_of_a_position() -> None:
    position = ludus.make("star", players=2).start(seed=3)
    assert letter_of(position, [0, 1]) == "~"
    while position.to_move is not None:
        position = position.roll() if position.to_move == "chance" else position.play(position.moves()[0])
    assert position.result is not None
    assert letter_of(position, [0, 1]) == str(list(position.result.values()).index(1.0))


def two(wins: int, losses: int) -> list[Meetings]:
    each = np.zeros((wins + losses, 2, 2))
    each[:wins, 0, 1] = 1
    each[wins:, 1, 0] = 1
    return [Meetings((0, 1), each)]


def test_bradley_terry_of_two_is_the_logit() -> None:
    first, second = bradley_terry(2, two(7500, 2500))
    assert first is not None
    assert second is not None
    exact = 400 * math.log10(7500.5 / 2500.5)  # one draw is added
    assert first.value - second.value == pytest.approx(exact, abs=1e-6)
    assert first.value == pytest.approx(-second.value)
    # the standard error of a logit is 1 / sqrt(n p q); each of the two has half of the difference
    error = 400 / math.log(10) / math.sqrt(10_000 * 0.75 * 0.25)
    assert (first.high - first.low) / 2 == pytest.approx(1.96 * error / 2, rel=0.01)


@pytest.mark.parametrize(("wins", "losses"), [(50, 0), (100, 0), (1000, 0), (99, 1), (3, 0), (10**5, 1)])
def test_bradley_terry_of_who_nearly_always_wins(wins: int, losses: int) -> None:
    first, second = bradley_terry(2, two(wins, losses))
    assert first is not None
    assert second is not None
    difference = 400 * math.log10((wins + 0.5) / (losses + 0.5))
    assert first.value - second.value == pytest.approx(difference, abs=1e-6)
    assert first.value == pytest.approx(-second.value, abs=1e-6)
    # nobody can tell by the one loss or none whether it is 1 in 100 or 1 in 1000: a good deal, but not everything
    assert 200 < first.high - first.low < 700


@pytest.mark.parametrize("gap", [0.0, 300.0, 800.0])
def test_bradley_terry_intervals_hold_the_truth_at_any_distance(gap: float) -> None:
    rng = np.random.default_rng(8)
    chance = 1 / (1 + 10 ** (-gap / 400))
    covered = 0
    for _ in range(400):
        wins = np.zeros((200, 2, 2))
        wins[:, 0, 1] = rng.binomial(2, chance, 200)
        wins[:, 1, 0] = 2 - wins[:, 0, 1]
        rating = bradley_terry(2, [Meetings((0, 1), wins)])[0]
        covered += rating is not None and rating.low <= gap / 2 <= rating.high
    assert 0.90 <= covered / 400 <= 0.99


def test_bradley_terry_finds_the_strengths_it_was_drawn_from() -> None:
    rng = np.random.default_rng(5)
    true = np.array([120.0, 30.0, -20.0, -130.0])
    covered = 0
    for _ in range(50):
        tables = []
        for i in range(4):
            for j in range(i + 1, 4):
                chance = 1 / (1 + 10 ** ((true[j] - true[i]) / 400))
                wins = np.zeros((100, 2, 2))
                wins[:, 0, 1] = rng.binomial(2, chance, 100)
                wins[:, 1, 0] = 2 - wins[:, 0, 1]
                tables.append(Meetings((i, j), wins))
        found = bradley_terry(4, tables)
        covered += sum(r is not None and r.low <= true[n] <= r.high for n, r in enumerate(found))
    assert 0.89 <= covered / 200 <= 0.995


def test_a_bot_that_met_nobody_has_no_rating() -> None:
    assert bradley_terry(3, two(3, 3))[2] is None


def test_openskill_draws_leave_equals_equal() -> None:
    """The order in which sides are named means nothing where they draw."""
    games = [((0, 1, 2), (1 / 3, 1 / 3, 1 / 3))] * 20
    ratings = openskill_ratings(3, games)
    values = [r.value for r in ratings if r is not None]
    assert values == pytest.approx([25.0] * 3, abs=1e-9)


def test_openskill_orders_by_strength() -> None:
    games = [((0, 1), (1.0, 0.0)), ((1, 2), (1.0, 0.0)), ((0, 2), (1.0, 0.0)), ((1, 0), (0.5, 0.5))] * 10
    first, second, third = openskill_ratings(3, games)
    assert first is not None
    assert second is not None
    assert third is not None
    assert first.value > second.value > third.value
    assert first.low < first.value < first.high


def test_openskill_of_copies_and_of_the_unseen() -> None:
    ratings = openskill_ratings(3, [((0, 1, 1, 1), (1.0, 0.0, 0.0, 0.0))] * 5)
    assert ratings[0] is not None
    assert ratings[1] is not None
    assert ratings[0].value > 25 > ratings[1].value
    assert ratings[2] is None


def made(results: str, names: list[str], game: str = "star", players: int = 2) -> Standings:
    schedule = make_schedule(ludus.make(game, players=players), names, len(results))
    tally = Tally(schedule)
    assert tally.add({"table": 0, "first": 0, "results": results})
    return Standings(ludus.make(game, players=players), tally, {"seed": 0})


def test_standings_count_wins_by_bot_and_seat() -> None:
    # rotations of (a, b): the first game of a deal has a in seat 0, the second b
    standings = made("01010010=a", ["a", "b"])
    assert standings.wins == {"a": 6, "b": 3}
    assert standings.wins_by_seat == {"a": {"green": 3, "blue": 3}, "b": {"green": 2, "blue": 1}}
    assert standings["a"].total.share == pytest.approx(0.65)
    assert standings["b"].forfeits == 1
    assert standings["a"].forfeits == 0
    assert standings.seats["green"].share + standings.seats["blue"].share == pytest.approx(1)
    assert standings["a"].against["b"].share == pytest.approx(0.65)
    assert standings["a"].total.low < 0.65 < standings["a"].total.high


def test_one_against_three() -> None:
    standings = made("00001230", ["a", "b"], players=4)
    hero, rest = standings["a"], standings["b"]
    assert (hero.total.fair, rest.total.fair) == (0.25, 0.75)
    assert hero.total.share + rest.total.share == pytest.approx(1)
    assert hero.total.games == 8


def test_unknown_bots_in_standings() -> None:
    with pytest.raises(ludus.UnknownName, match="did you mean 'beta'"):
        made("01", ["alpha", "beta"])["betta"]


def test_unplayed_games_do_not_count() -> None:
    schedule = make_schedule(ludus.make("generals"), ["a", "b"], 10)
    tally = Tally(schedule)
    tally.add({"table": 0, "first": 3, "results": "0"})
    standings = Standings(ludus.make("generals"), tally, {"seed": 0})
    assert standings.games == 1
    assert standings["a"].total.games == standings["b"].total.games == 1
    assert standings["b"].total.wins == 1  # game 4 is the second rotation
    assert "1 of 10 games" in standings.text()
