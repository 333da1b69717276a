"""Contests less the luck: the arena's own games, the same mean, less scatter."""

from __future__ import annotations

import numpy as np
import pytest

import ludus
from analysis.conftest import Nonsense
from ludus.analysis.adjusting import MANY_DEALS, luck_adjusted, rows_of_game, taken_off


@pytest.fixture(scope="module")
def game() -> ludus.Game:
    return ludus.make("star", players=2)


@pytest.mark.slow
def test_the_games_are_those_of_the_arena(game: ludus.Game) -> None:
    found = luck_adjusted(game, ["heuristic", "random"], 60, 5)
    standings = ludus.arena(game, ["heuristic", "random"], games=60, seed=5)
    for bot in found.bots:
        assert bot.raw.value == pytest.approx(standings[bot.bot].total.share)
        assert bot.fair == 0.5
    assert found.games == standings.games


@pytest.mark.slow
def test_luck_changes_no_mean_and_takes_scatter_off(game: ludus.Game) -> None:
    found = luck_adjusted(game, ["td", "heuristic"], 120, 5).bots[0]
    both = np.hypot(found.raw.high - found.raw.value, found.adjusted.high - found.adjusted.value)
    assert abs(found.raw.value - found.adjusted.value) < both
    assert found.saves > 1.5
    assert found.bot == "td"


def test_a_value_that_looks_further_is_named(game: ludus.Game) -> None:
    found = luck_adjusted(game, ["td", "greedy"], 4, 5, plies=2)
    assert found.by == "td2"
    assert found.bots[0].raw == luck_adjusted(game, ["td", "greedy"], 4, 5).bots[0].raw, "the games are the same"


def test_luck_by_nonsense_has_mean_zero(game: ludus.Game) -> None:
    """Whatever the value is worth: what is taken off is nothing on average."""
    found = luck_adjusted(game, ["random", "greedy"], 24, 3, by=Nonsense()).bots[0]
    assert found.factor == pytest.approx(1.0), "too few deals to fit one"
    assert abs(found.raw.value - found.adjusted.value) < found.adjusted.high - found.adjusted.value


def test_luck_of_each_kind_is_taken_off_as_it_counts() -> None:
    """A result that is half of all luck, and half more of one's own: found again, and most of the scatter is gone."""
    rng = np.random.default_rng(3)
    luck = rng.normal(size=(2 * MANY_DEALS, 6))
    skill = 0.1 * rng.normal(size=len(luck))
    raw = 0.5 * luck[:, 0] + 0.5 * luck[:, 1] + skill
    taken = taken_off(raw, luck)
    assert np.var(raw - taken) < 1.2 * np.var(skill)
    few = slice(0, MANY_DEALS - 1)
    assert np.var(raw[few] - taken_off(raw[few], luck[few])) > 10 * np.var(skill), "one factor, for all luck alike"


def test_a_deal_has_no_say_in_what_is_taken_off_itself() -> None:
    rng = np.random.default_rng(4)
    raw, luck = rng.normal(size=MANY_DEALS), rng.normal(size=(MANY_DEALS, 6))
    before = taken_off(raw, luck)
    raw[7] += 5
    after = taken_off(raw, luck)
    assert after[7] == before[7]
    assert not np.allclose(after, before)


def test_the_rows_are_the_game(game: ludus.Game) -> None:
    rows = rows_of_game(game, ["greedy", "greedy"], 7, 2)
    played = game.playouts(3, seed=7, bots=["greedy", "greedy"], own_dice=True)
    assert len(rows) == int(played.plies[2]) + 1
    end = game.position_class(game, rows[-1].tolist(), 0, 0)
    assert end.result is not None
    assert max(end.result, key=end.result.__getitem__) == game.players[int(played.winner[2])]


def test_bad_input_is_told(game: ludus.Game) -> None:
    with pytest.raises(ludus.LudusError, match="as many bots as fit at one table"):
        luck_adjusted(game, ["random", "greedy", "heuristic"], 10, 1)
    with pytest.raises(ludus.LudusError, match="plies: 1 or 2, not 3"):
        luck_adjusted(game, ["random", "greedy"], 10, 1, plies=3)
