"""A table decides: what is legal, whose turn it is, what can be taken back, who won."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.record import Record
from ludus.play.clocks import Clock
from ludus.play.facts import Fact, Opening, Rest, Settings
from ludus.play.refusals import Refused
from ludus.play.seats import MOST_MARKS, Chair, Newcomer, clean_name, digest_of, seat_data
from ludus.play.table import Table

FRENCH = ludus.make("french", players=2)
STAR = ludus.make("star", players=3)


def table_of(game: ludus.Game = FRENCH, seed: int = 12, **more: Any) -> Table:
    seats = {player: seat_data("person", token=digest_of(player)) for player in game.players}
    return Table(Opening("t", game.document(), seed, seats | more.pop("seats", {}), **more), game)


def let(table: Table, facts: list[Fact]) -> Table:
    for fact in facts:
        table.apply(fact)
    return table


def refusal(call: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        call(*arguments)
    return caught.value.code


def test_a_roll_is_the_one_that_the_seed_gives() -> None:
    table = table_of()
    facts = table.roll(["green"], 0, "r")
    assert [(fact.kind, fact.by, fact.text) for fact in facts] == [("roll", "chance", "6,6")]
    assert table.ply == 0  # deciding changes nothing
    assert let(table, facts).ply == 1


def test_only_the_one_whose_turn_it_is_acts_and_only_where_the_game_stands() -> None:
    table = table_of()
    assert refusal(table.roll, ["blue"], 0) == "not_your_seat"
    assert refusal(table.roll, ["green"], 1) == "stale"
    assert refusal(table.move, ["green"], 0, "out") == "not_now"
    let(let(table, table.roll(["green"], 0)), table.roll(["green"], 1))
    assert refusal(table.roll, ["green"], 2) == "not_now"
    assert refusal(table.move, ["blue"], 2, "out") == "not_your_seat"


def test_an_illegal_move_is_refused_with_the_rule_s_reason() -> None:
    table = table_of()
    let(let(table, table.roll(["green"], 0)), table.roll(["green"], 1))
    with pytest.raises(Refused) as caught:
        table.move(["green"], 2, "buy")
    assert caught.value.code == "illegal_move"
    assert caught.value.extra() == {"reason": "nobody_to_buy", "rule": "F11"}
    assert "F11" in caught.value.text("fr")


def test_moves_can_be_taken_back_up_to_the_last_roll() -> None:
    table = table_of()
    for _ in range(2):
        let(table, table.roll(["green"], table.ply))
    assert table.can_undo is None
    start = table.position
    let(table, table.move(["green"], 2, "out"))
    assert table.can_undo == "green"
    assert refusal(table.undo, ["blue"], 3) == "not_your_seat"
    let(table, table.undo(["green"], 3))
    assert (table.position, table.ply, table.version) == (start, 2, 4)
    assert refusal(table.undo, ["green"], 2) == "not_now"


def test_a_game_that_is_over_has_told_its_seed_and_goes_on_no_more() -> None:
    game = ludus.make("star", players=2)
    start = {"pieces": {"green": ["finish"] * 3 + ["end:4"], "blue": ["start"] * 4}, "turn": "green"}
    table = table_of(game, start=start)
    while not table.is_over:
        by = str(table.acting)
        if table.position.to_move == "chance":
            let(table, table.roll([by], table.ply))
        else:
            let(table, table.move([by], table.ply, str(table.position.moves()[0])))
    assert table.record.result is not None
    assert table.can_undo is None
    assert refusal(table.undo, ["green", "blue"], table.ply) == "not_now"


def test_a_table_may_not_allow_undo() -> None:
    table = table_of(settings=Settings(undo=False))
    for _ in range(2):
        let(table, table.roll(["green"], table.ply))
    let(table, table.move(["green"], 2, "out"))
    assert refusal(table.undo, ["green"], 3) == "not_now"


def test_a_pass_that_is_the_only_move_is_the_table_s() -> None:
    table = table_of(STAR, seed=1)
    first = table.roll(["green"], 0, "a")
    assert [fact.text for fact in first][-1] == "pass"
    assert [fact.kind for fact in first] == ["roll", "move"]
    assert let(table, first).position.to_move == "chance"
    assert table.answered(["green"], "a", "roll") == 2  # what follows belongs to the answer


def test_a_table_that_rolls_by_itself() -> None:
    table = table_of(settings=Settings(auto_roll=True))
    facts = table.roll(["green"], 0, "a")
    assert [fact.text for fact in facts] == ["6,6", "6,5"]
    let(table, facts)
    assert table.answered(["green"], "a", "roll") == 2
    facts = table.move(["green"], 2, "out+6+6+5")
    assert [fact.kind for fact in facts[:2]] == ["move", "roll"]


def test_a_request_is_known_again_and_its_id_serves_once() -> None:
    table = table_of()
    let(table, table.roll(["green"], 0, "a"))
    assert table.answered(["green"], "a", "roll") == 1
    assert table.answered(["blue"], "a", "roll") is None
    assert refusal(table.answered, ["green"], "a", "move", "out") == "id_taken"


def test_a_table_is_its_opening_and_its_facts() -> None:
    table = table_of()
    facts: list[Fact] = []
    while table.acting is not None and len(facts) < 300:
        acting = [table.acting]
        at_chance = table.position.to_move == "chance"
        new = (
            table.roll(acting, table.ply, f"r{len(facts)}")
            if at_chance
            else table.move(acting, table.ply, str(table.position.moves()[0]), f"m{len(facts)}")
        )
        facts += new
        let(table, new)
        if len(facts) % 7 == 0 and table.can_undo:
            undone = table.undo([table.can_undo], table.ply)
            facts += undone
            let(table, undone)
    again = Table(table.opening, ludus.make("french", players=2), facts)
    assert again.position == table.position
    assert again.record.dumps() == table.record.dumps()
    assert again.requests == table.requests


def test_facts_come_in_order() -> None:
    table = table_of()
    facts = table.roll(["green"], 0)
    let(table, facts)
    with pytest.raises(ludus.LudusError, match="fact 1 where 2 should be"):
        table.apply(facts[0])


def test_giving_up_ends_a_game_of_two() -> None:
    table = let(table_of(), table_of().resign("green", "random"))
    assert table.result == {"green": -1.0, "blue": 1.0}
    assert table.acting is None
    assert refusal(table.roll, ["blue"], 0) == "not_now"


def test_giving_up_among_three_lets_the_others_play_on() -> None:
    table = table_of(STAR)
    let(table, table.resign("green", "random"))
    assert table.result is None
    assert table.chairs["green"].bot == "random"
    assert refusal(table.resign, "green", "random") == "not_now"
    let(table, table.resign("blue", "random"))
    assert table.result == {"green": -1.0, "yellow": 1.0, "blue": -1.0}


def test_tokens_open_their_seat_until_it_is_left() -> None:
    table = table_of()
    assert table.seats_of(["blue", "green"]) == ["green", "blue"]
    assert refusal(table.seats_of, ["nonsense"]) == "bad_token"
    let(table, table.leave("green", "random"))
    assert refusal(table.seats_of, ["green"]) == "bad_token"
    assert table.chairs["green"].public(False) == {
        "player": "green", "kind": "person", "name": "", "bot": "random", "online": False, "open": True,
        "taken_over": True, "resigned": False, "face": "",
    }  # fmt: skip


def test_a_seat_that_was_left_can_be_taken_by_somebody_else() -> None:
    table = table_of()
    assert refusal(table.sit, Newcomer(name="Bob"), digest_of("x")) == "seat_taken"
    let(table, table.leave("green", "random"))
    assert refusal(table.sit, Newcomer(None, "blue", "Bob"), digest_of("x")) == "seat_taken"
    assert refusal(table.sit, Newcomer(None, "pink", "Bob"), digest_of("x")) == "no_such_seat"
    let(table, table.sit(Newcomer(name="Bob"), digest_of("x")))
    assert table.seats_of(["x"]) == ["green"]
    assert table.chairs["green"].bot is None
    assert table.record.seats["green"].name == "Bob"


def test_a_bot_stands_in_and_gives_the_seat_back() -> None:
    table = table_of()
    assert refusal(table.give_back, "green") == "not_now"
    let(table, table.stand_in("green", "random", chosen=False))
    assert table.chairs["green"].bot == "random"
    let(table, table.give_back("green"))
    assert table.chairs["green"].bot is None


def test_a_rematch_comes_after_the_game() -> None:
    table = table_of()
    assert refusal(table.play_again, "green", "next") == "not_now"
    let(table, table.resign("green", "random"))
    assert let(table, table.play_again("blue", "next")).rematch == "next"


def test_a_record_goes_on_at_a_table() -> None:
    record = Record.start(FRENCH, {"green": "person", "blue": "random"}, 12)
    table = Table.of_record(record)
    let(table, table.roll(["green"], 0))
    assert [event.text for event in record.events] == ["6,6"]
    assert {player: chair.bot for player, chair in table.chairs.items()} == {"green": None, "blue": "random"}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_refusals_have_words_in_every_language(lang: str) -> None:
    from ludus.core.messages import catalogue

    for package in ("ludus.play", "ludus.server"):
        english, spoken = (catalogue(package, one) for one in ("en", lang))
        for section, words in english.items():
            assert set(spoken[section]) == set(words), section
    assert Refused("not_now", what="over").text(lang) in (
        "this can't be done now: the game is over", "ce n'est pas possible maintenant : la partie est finie",
    )  # fmt: skip


def test_nothing_is_left_of_a_bot_where_somebody_plays_again() -> None:
    chair = Chair("green")
    chair.stand_in("random", chosen=True)
    assert chair.public(online=False)["taken_over"]
    chair.give_back()
    assert chair == Chair("green")
    chair.stand_in("random", chosen=True)
    chair.sit("Ada", digest_of("hers"))
    assert chair == Chair("green", name="Ada", token=digest_of("hers"))


def test_a_letter_may_carry_so_many_marks() -> None:
    marked = "a" + "\u20dd" * MOST_MARKS
    assert clean_name(marked + marked) == marked + marked
    assert refusal(clean_name, marked + "\u20dd") == "bad_name"
    assert refusal(clean_name, "\u20dda") == "bad_name"


def test_words_for_fair_dice_are_kept_and_chosen_dice_have_none() -> None:
    fair = table_of(secret="00" * 32)
    let(fair, fair.add_entropy("green", "mine"))
    assert [(word.player, word.word) for word in fair.record.dice.entropies] == [("green", "mine")]


def test_a_rest_that_can_t_be_set_up_is_played_from_the_beginning() -> None:
    first = table_of()
    facts = [fact for _ in range(2) for fact in first.roll(["green"], first.ply) if let(first, [fact])]
    for position in ({"nonsense": 1}, first.position.to_dict()):
        again = Table(first.opening, first.game, facts, Rest(2, position, {}, first.tally.told))
        assert (again.position, again.version, again.rolls) == (first.position, 2, 2)
        assert [event.text for event in again.record.events] == [event.text for event in first.record.events]
        assert again.tally.told == first.tally.told


def test_who_is_out_of_time_has_the_turn_played_by_lot_where_turns_pass() -> None:
    table = table_of(settings=Settings(clock=Clock(move=10, then="pass")))
    assert table.bot_of("green") is None
    let(table, table.run_out("green", "heuristic"))
    assert (table.bot_of("green"), table.bot_of("blue")) == ("random", None)
    assert table.chairs["green"].bot is None  # the seat stays a person's
    assert refusal(table.run_out, "green", "heuristic") == "not_now"
    while table.acting == "green":
        moves = table.position.moves() if table.position.to_move != "chance" else ()
        assert table.bot_of("green") == "random"
        let(table, table.move(["green"], table.ply, str(moves[0])) if moves else table.roll(["green"], table.ply))
    assert table.bot_of("green") is None  # and it was this turn alone


def test_who_has_no_time_left_for_the_game_plays_by_lot_only_where_turns_pass() -> None:
    for then, bot in (("pass", "random"), ("bot", None)):
        table = table_of(settings=Settings(clock=Clock(game=60, then=then)))
        table.spent = {"green": 60_000, "blue": 59_999}
        assert table.bot_of("green") == bot
        assert table.bot_of("blue") is None
        let(table, table.stand_in("green", "greedy", chosen=True))
        assert table.bot_of("green") == "greedy"
    unhurried = table_of()
    unhurried.spent = {"green": 10**9}
    assert unhurried.bot_of("green") is None


def test_a_bot_plays_on_for_who_is_out_of_time_where_turns_do_not_pass() -> None:
    table = table_of(settings=Settings(clock=Clock(move=10)))
    assert [fact.kind for fact in let(table, []).run_out("green", "greedy")] == ["time", "takeover"]
    let(table, table.run_out("green", "greedy"))
    assert table.bot_of("green") == "greedy"
    assert refusal(table.run_out, "blue", "greedy") == "not_now"
