"""Who meets whom: every seating alike, the same dice for each rotation."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

import ludus
from ludus.arena.schedule import Schedule, make_schedule, orders, rotations, table_of
from ludus.core.sides import sides_of


def seatings(schedule: Schedule, table: int = 0) -> list[tuple[int, tuple[int, ...]]]:
    """Deal and seating of every game of a table."""
    return [schedule.tables[table].place(n) for n in range(schedule.tables[table].games)]


@pytest.mark.parametrize(
    "lineup", [(0, 1), (0, 1, 2), (0, 1, 1, 1), (0, 1, 2, 3), (0, 0, 1, 1), (0, 1, 2, 2), (0, 0, 0)]
)
def test_every_bot_sits_everywhere_equally_often(lineup: tuple[int, ...]) -> None:
    table = table_of(lineup, 48)
    places = Counter((side, bot) for n in range(table.games) for side, bot in enumerate(table.place(n)[1]))
    for bot in set(lineup):
        assert {places[side, bot] for side in range(len(lineup))} == {table.games * lineup.count(bot) // len(lineup)}


def test_a_deal_is_played_from_every_rotation_and_no_seating_twice() -> None:
    schedule = make_schedule(ludus.make("pettingzoo"), ["random", "first"], 40)
    by_deal: dict[int, list[tuple[int, ...]]] = {}
    for deal, seating in seatings(schedule):
        by_deal.setdefault(deal, []).append(seating)
    assert len(by_deal) == 10
    for played in by_deal.values():
        assert sorted(played) == sorted(rotations((0, 1, 1, 1)))


def test_four_bots_follow_each_other_in_every_circular_order() -> None:
    assert len(orders((0, 1, 2, 3))) == 6
    table = table_of((0, 1, 2, 3), 24)
    assert {table.place(n)[1] for n in range(24)} == set(permutations(range(4)))
    counts = [block.games for block in table_of((0, 1, 2, 3), 2000).blocks]
    assert sum(counts) == 2000
    assert max(counts) - min(counts) <= 4


@pytest.mark.parametrize(
    ("game", "players", "asked", "played"), [("star", 3, 10, 12), ("star", 4, 10, 12), ("star", 2, 5, 6)]
)
def test_deals_are_whole(game: str, players: int, asked: int, played: int) -> None:
    assert make_schedule(ludus.make(game, players=players), ["random", "first"], asked).games == played


def test_the_last_bot_takes_the_sides_left_over() -> None:
    schedule = make_schedule(ludus.make("star"), ["first", "random"], 4)
    assert [table.lineup for table in schedule.tables] == [(0, 1, 1, 1)]


def test_one_bot_plays_against_itself_once_for_each_deal() -> None:
    schedule = make_schedule(ludus.make("star"), ["random"], 7)
    assert seatings(schedule) == [(deal, (0, 0, 0, 0)) for deal in range(7)]


def test_a_tournament_has_every_group() -> None:
    names = ["a", "b", "c", "d", "e"]
    pairs = make_schedule(ludus.make("generals"), names, 2)
    assert len(pairs.tables) == 10
    fours = make_schedule(ludus.make("star"), names, 4)
    assert sorted(table.lineup for table in fours.tables) == [
        (0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4), (0, 2, 3, 4), (1, 2, 3, 4)
    ]  # fmt: skip
    few = make_schedule(ludus.make("star"), names[:2], 4, tournament=True)
    assert [table.lineup for table in few.tables] == [(0, 1, 1, 1), (1, 0, 0, 0)]


def test_every_table_has_deals_of_its_own() -> None:
    """Intervals count deals as independent: the dice of one table must not come again at another."""
    schedule = make_schedule(ludus.make("star"), ["a", "b", "c", "d", "e"], 48)
    deals = [deal for table in range(5) for deal in {deal for deal, _ in seatings(schedule, table)}]
    assert sorted(deals) == list(range(5 * 12))


@pytest.mark.rule("Z22")
def test_teammates_are_one_side() -> None:
    game = ludus.make("pettingzoo", mode="teams")
    assert sides_of(game) == ((0, 2), (1, 3))
    assert [table.lineup for table in make_schedule(game, ["random", "first"], 4).tables] == [(0, 1)]
    assert sides_of(ludus.make("pettingzoo", seats=6, mode="teams")) == ((0, 3), (1, 4), (2, 5))
    assert sides_of(ludus.make("cross-8", mode="teams")) == ((0, 4), (1, 5), (2, 6), (3, 7))


@pytest.mark.parametrize("games", [0, -1, 1.5, True, 10**9])
def test_bad_numbers_of_games(games: object) -> None:
    with pytest.raises(ludus.LudusError, match="arena: "):
        make_schedule(ludus.make("star"), ["random"], games)  # type: ignore[arg-type]
