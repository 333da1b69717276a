"""Spots: positions whose moves have a price, and who finds the best one."""

from __future__ import annotations

import pytest

import ludus
from ludus.arena.spots import CATEGORIES, PricedPosition, Scores, all_spots, score_bots, spots

STAR = {
    "pieces": {"green": [10, 30, "start", "start"], "blue": [14, "start", "start", "start"]},
    "turn": "green",
    "dice": [4],
}


def test_there_are_enough_of_several_kinds_and_games():
    assert len(all_spots()) >= 500
    assert {spot.category for spot in all_spots()} == set(CATEGORIES)
    assert len({spot.game for spot in all_spots()}) >= 6
    assert len({str(spot.data) for spot in all_spots()}) == len(all_spots())


def test_every_spot_prices_exactly_the_legal_moves_and_one_is_the_best():
    for spot in all_spots():
        assert set(spot.costs) == {str(move) for move in spot.position.moves()}, spot.number
        assert sorted(spot.costs.values())[:2] == [0, min(cost for cost in spot.costs.values() if cost > 0)]
        assert spot.costs[spot.best] == 0


@pytest.mark.slow
def test_the_best_move_stays_the_best_by_other_dice():
    """Rollouts with another seed, played otherwise: by and large they agree with what is shipped."""
    asked = [spot for spot in spots("star") if spot.players == 2][::8]
    agreed = [
        ludus.rollout(spot.position, games=600, seed=99, horizon=40, workers=1).moves[0].move == spot.best
        for spot in asked
    ]
    assert sum(agreed) >= 0.8 * len(asked)


def test_a_choice_of_game_and_category():
    chosen = spots("star", "capture")
    assert chosen
    assert all((spot.game, spot.category) == ("star", "capture") for spot in chosen)
    with pytest.raises(ludus.LudusError, match="no category 'captures'; did you mean 'capture'"):
        spots(category="captures")
    with pytest.raises(ludus.LudusError, match="no game 'sta'"):
        spots("sta")


def test_scores_are_what_the_answers_cost():
    spot = PricedPosition(1, "star", 2, "capture", STAR, {"10+4": 0, "30+4": 0.25}, 0.01)
    scores = Scores("me")
    assert scores.add(spot, "10+4") == 0
    assert scores.add(spot, "30+4") == 0.25
    told = scores.to_dict()
    assert (told["asked"], told["right"], told["share"], told["cost"]) == (2, 1, 0.5, 0.125)
    assert told["categories"]["capture"]["asked"] == told["games"]["star"]["asked"] == 2


def test_bots_are_scored_in_their_order_and_the_net_finds_more_than_chance():
    asked = [spot for spot in spots("star") if spot.players == 2]
    td, chance = score_bots(["td", "random"], asked, seed=1)
    assert (td.name, chance.name) == ("td", "random")
    assert td.total.right > chance.total.right
    assert td.total.cost < chance.total.cost


def test_a_program_that_fails_pays_for_the_dearest_move():
    spot = PricedPosition(1, "star", 2, "capture", STAR, {"10+4": 0, "30+4": 0.25}, 0.01)
    (scores,) = score_bots(["exec:false"], [spot], seconds=5)
    assert scores.total.cost == 0.25
