"""The reference against the worked examples of the source and the tables of the rule book."""

import random
from fractions import Fraction

import pytest

from . import french_reference as ref

FOUR = ("green", "yellow", "blue", "red")
THREE = ("green", "yellow", "blue")
TWO = ("green", "blue")
HOUSE = ["start"] * 4


def at(green, yellow=HOUSE, blue=HOUSE, red=HOUSE, dice=(), turn="green", **more):
    pos = {
        "pieces": {"green": list(green), "yellow": list(yellow), "blue": list(blue), "red": list(red)},
        "turn": turn,
        "dice": list(dice),
        **more,
    }
    ref.validate(pos, FOUR)
    return pos


def names(pos, players=FOUR):
    return sorted(ref.moves(pos, players))


def play(pos, *line, players=FOUR):
    for name in line:
        options = ref.moves(pos, players)
        assert name in options, (name, sorted(options))
        pos = options[name]
    return pos


def places(pos, colour="green"):
    return pos["pieces"][colour]


# ---------------------------------------------------------------- set-up and rolling


def test_start_f1():
    for players in (TWO, THREE, FOUR):
        pos = ref.start(players)
        assert pos == {"pieces": dict.fromkeys(players, HOUSE), "turn": "green"}
        assert ref.to_move(pos, players) == "chance"
        assert ref.moves(pos, players) == {}
        assert sum(ref.outcomes(pos, players).values()) == 1
    assert ref.outcomes(pos, FOUR)["6,6"] == Fraction(1, 36)
    assert ref.outcomes(pos, FOUR)["5,3"] == Fraction(1, 18)
    assert len(ref.outcomes(pos, FOUR)) == 21


def test_rolling_f5_f6():
    pos = ref.start(FOUR)
    for _ in range(3):
        pos = ref.apply_outcome(pos, FOUR, "6,6")
        assert ref.to_move(pos, FOUR) == "chance"
        assert pos["turn"] == "green"
    assert pos["kept"] == [6] * 6
    pos = ref.apply_outcome(pos, FOUR, "5,1")
    assert pos["dice"] == [6] * 6 + [5, 1]
    assert "kept" not in pos
    assert ref.to_move(pos, FOUR) == "green"
    assert ref.outcomes(pos, FOUR) == {}
    other = ref.apply_outcome(ref.start(FOUR), FOUR, "5,5")  # no double
    assert other["dice"] == [5, 5]
    assert names(other) == ["pass"]  # F8
    assert play(other, "pass") == {"pieces": other["pieces"], "turn": "yellow"}


def test_next_player_with_two_and_three():
    pos = ref.apply_outcome(ref.start(TWO), TWO, "2,1")
    assert ref.moves(pos, TWO)["pass"]["turn"] == "blue"
    pos = ref.apply_outcome(dict(ref.start(THREE), turn="blue"), THREE, "2,1")
    assert ref.moves(pos, THREE)["pass"]["turn"] == "green"


def test_sum_of_six_does_not_bring_out_f9():
    assert names(at(HOUSE, dice=[3, 3])) == ["pass"]


def test_complete_example_of_the_source():
    pos = at([20, "start", "start", "start"], dice=[6, 6, 5, 3])
    play(pos, "out", "out")
    play(pos, "20+5+3")
    end = play(pos, "out", "0+6", "20+5+3")
    assert places(end) == ["start", "start", 6, 28]
    assert end["turn"] == "yellow"


# ---------------------------------------------------------------- captures, blocks, buying back


def test_capture_holds_and_freezes_f10_f24():
    pos = at([10, 30, "start", "start"], yellow=[15, "start", "start", "start"], dice=[5, 3])
    new = play(pos, "10+5")
    assert "held:green" in places(new, "yellow")
    assert new["frozen"] == {"green": [15]}
    assert names(new) == ["30+3"]
    assert "frozen" not in play(new, "30+3")


def test_frozen_dice_lost_without_a_move():
    pos = at(
        [10, 30, "finish", "finish"],
        yellow=[15, "start", "start", "start"],
        blue=[31, 31, "start", "start"],
        dice=[5, 3],
    )
    new = play(pos, "10+5")
    assert new["turn"] == "yellow"
    assert "dice" not in new
    assert "frozen" not in new


def test_third_example_of_freezing():
    """6+6, 6+6, 4+2: out, six on with a capture, then the rest on other pieces."""
    pos = at(HOUSE, blue=[6, "start", "start", "start"], dice=[6, 6, 6, 6, 4, 2])
    new = play(pos, "out", "0+6")
    assert new["dice"] == [6, 6, 4, 2]
    assert new["frozen"] == {"green": [6]}
    assert not [name for name in names(new) if name.startswith("6+")]
    assert "out" in names(new)


def test_block_stops_landing_and_passing_f13_f20():
    pos = at([10, 11, "start", "start"], yellow=[14, 14, "start", "start"], dice=[5, 3])
    assert names(pos) == ["10+3"]
    own = at([10, 14, 14, "start"], dice=[5, 4])
    assert "10+5" in names(own)
    assert "10+4" in names(own)


def test_safe_tiles_f3():
    single = at(
        [5, 30, "start", "start"],
        yellow=[21, "start", "start", 34],
        blue=[8, "start", "start", "start"],
        dice=[3, 1],
    )
    new = play(single, "5+3")
    assert 8 in places(new)
    assert 8 in places(new, "blue")
    assert "frozen" not in new
    block = at([5, 8, "start", "start"], blue=[8, 8, "start", "start"], dice=[3, 1])
    assert "5+3" not in names(block)
    assert "5+3+1" not in names(block)
    assert "8+1" in names(block)  # one that shares the tile may leave
    singles = at(
        [5, 30, "start", "start"],
        blue=[8, "start", "start", "start"],
        red=[8, "start", "start", "start"],
        dice=[5, 3],
    )
    assert "5+3" in names(singles)
    assert "5+5" in names(singles)
    assert "5+5+3" in names(singles)


def test_buy_back_f11_and_seat_order():
    pos = at(["held:red", "held:blue", "finish", "finish"], dice=[6, 6])
    assert names(pos) == ["buy"]
    new = play(pos, "buy")
    assert places(new) == ["start", "held:red", "finish", "finish"]
    assert names(new) == ["buy", "out"]
    assert play(new, "out")["pieces"]["green"] == ["held:red", 0, "finish", "finish"]


def test_capture_when_coming_out_f12():
    pos = at(HOUSE, blue=[0, "start", "start", "start"], dice=[6])
    new = play(pos, "out")
    assert "held:green" in places(new, "blue")


# ---------------------------------------------------------------- combined moves


def test_sweep_example_five_and_five_f21():
    pos = at([10, 30, "start", "start"], yellow=[13, "start", "start", "start"], dice=[5, 5])
    assert places(play(pos, "10+5", "15+5")) == ["start", "start", 20, 30]
    new = play(pos, "10+5+5")
    assert 13 in places(new)
    assert "held:green" in places(new, "yellow")
    assert new["turn"] == "yellow"


def test_sweep_cases_of_the_clarification():
    exact = at([10, 30, "start", "start"], yellow=[20, "start", "start", "start"], dice=[5, 5])
    assert 20 in places(play(exact, "10+5+5"))
    two = at([10, 30, "start", "start"], yellow=[13, 18, "start", "start"], dice=[5, 5])
    new = play(two, "10+5+5")
    assert 13 in places(new)
    assert 18 in places(new, "yellow")


def test_sweep_blocks_and_safe_f22():
    over_safe = at([19, 30, "start", "start"], yellow=[21, "start", "start", "start"], dice=[5, 1])
    assert 25 in places(play(over_safe, "19+5+1"))
    before = at([10, 30, "start", "start"], yellow=[13, 14, 14, "start"], dice=[5, 1])
    assert 13 in places(play(before, "10+5+1"))
    behind = at([10, 30, "start", "start"], yellow=[13, 13, 14, "start"], dice=[5, 1])
    assert "10+5+1" not in names(behind)
    past = at([46, 30, "start", "start"], yellow=[48, "start", "start", "start"], dice=[6, 5])
    assert "46+6+5" not in names(past)  # 46 + 11 = 57, past 56


def test_finish_exact_f25():
    pos = at(["end:1", 30, "finish", "finish"], dice=[5, 4])
    assert "end:1+4" in names(pos)
    assert "end:1+5" not in names(pos)
    pos = at(["end:1", 30, "finish", "finish"], dice=[3, 1])
    assert "finish" in places(play(pos, "end:1+3+1"))
    assert places(play(pos, "end:1+3+1")).count("finish") == 3


def test_two_pieces_capture_one_each_f23():
    pos = at(
        [10, 30, "finish", "finish"],
        yellow=[16, "start", "start", "start"],
        blue=[35, "start", "start", "start"],
        dice=[6, 5],
    )
    new = play(pos, "10+6", "30+5")
    assert "held:green" in places(new, "yellow")
    assert "held:green" in places(new, "blue")
    assert "16+5" not in names(play(pos, "10+6"))


# ---------------------------------------------------------------- the special move: the table of F17

F17 = [(k, h, k - h) for k in (2, 3, 4) for h in range(k + 1)]


@pytest.mark.parametrize(("k", "h", "held"), F17)
def test_special_table_f17(k, h, held):
    green = ["start"] * h + ["held:red"] * held + ["finish"] * (4 - k)
    blue = [0] * k + ["start"] * (4 - k)
    pos = at(green, blue=blue, dice=[6] * k)
    if h == 0:
        assert names(pos) == ["buy"]
        assert play(pos, *["buy"] * k)["pieces"]["green"] == ["start"] * k + ["finish"] * (4 - k)
        assert play(pos, *["buy"] * k)["turn"] == "yellow"
        assert places(play(pos, *["buy"] * k), "blue").count(0) == k
    else:
        assert names(pos) == (["buy", f"out*{k}"] if held else [f"out*{k}"])
        new = play(pos, f"out*{k}")
        assert places(new) == [0] * k + ["finish"] * (4 - k)
        assert places(new, "blue").count("held:green") == k
    fewer = at(green, blue=blue, dice=[6] * (k - 1))
    assert names(fewer) == (["buy"] if held else ["pass"])


def test_special_two_steps_f18_and_frozen_f19():
    pos = at(["held:red", "held:blue", "finish", "finish"], blue=[0, 0, "start", "start"], dice=[6, 6, 6, 6])
    new = play(pos, "buy", "buy", "out*2")
    assert places(new) == [0, 0, "finish", "finish"]
    assert new["turn"] == "yellow"
    pos = at(["start", "start", "finish", 20], blue=[0, 0, "start", "start"], dice=[6, 6, 5])
    new = play(pos, "out*2")
    assert new["frozen"] == {"green": [0, 0]}
    assert names(new) == ["20+5"]


def test_special_buys_in_seat_order_f16():
    pos = at(["start", "held:red", "held:yellow", "finish"], blue=[0, 0, "start", "start"], dice=[6, 6])
    assert places(play(pos, "out*2")) == ["held:red", 0, 0, "finish"]
    assert "out" not in names(pos)  # F14


# ---------------------------------------------------------------- forced combination


def test_only_piece_plays_both_f26():
    assert names(at([10, "start", "start", "start"], dice=[3, 2])) == ["10+3+2"]
    assert names(at(["end:0", "finish", "finish", "finish"], dice=[3, 1])) == ["end:0+3+1"]
    assert names(at([10, 20, "finish", "finish"], dice=[3, 2])) != ["10+3+2"]


def test_six_frees_f27():
    pos = at([10, "start", "start", "start"], dice=[6, 2])
    assert names(pos) == ["10+2", "10+6", "10+6+2", "out", "out+2"]
    assert names(at([10, "held:red", "finish", "finish"], dice=[6, 2])) == ["10+2", "10+6", "10+6+2", "buy"]
    assert names(at([10, "finish", "finish", "finish"], dice=[6, 2])) == ["10+6+2"]
    blocked = at([10, "start", "start", "start"], blue=[0, 0, "start", "start"], dice=[6, 2])
    assert names(blocked) == ["10+6+2"]
    special = at([10, "start", "start", "finish"], blue=[0, 0, "start", "start"], dice=[6, 6, 2])
    assert "out*2" in names(special)
    assert "10+2" in names(special)


def test_blocked_combination_f28():
    """The 3 can be played, the 2 then not; both would hit the block."""
    pos = at([10, "start", "start", "start"], yellow=[14, 14, "start", "start"], dice=[3, 2])
    assert names(pos) == ["10+2", "10+3"]
    new = play(pos, "10+3")
    assert new["turn"] == "yellow"
    assert names(at([10, "start", "start", "start"], yellow=[13, 13, "start", "start"], dice=[4, 3])) == ["pass"]
    past = at(["end:2", "finish", "finish", "finish"], dice=[2, 3])
    assert names(past) == ["end:2+2", "end:2+3"]


# ---------------------------------------------------------------- coming out and going on


def test_out_must_go_on_f29_f30():
    pos = at(HOUSE, blue=[0, "start", "start", "start"], dice=[6, 3])
    assert names(pos) == ["out+3"]
    new = play(pos, "out+3")
    assert places(new) == ["start", "start", "start", 3]
    assert 0 in places(new, "blue")
    swept = at(HOUSE, blue=[2, "start", "start", "start"], dice=[6, 3])
    assert 2 in places(play(swept, "out+3"))


def test_out_blocked_f31():
    pos = at(HOUSE, blue=[0, 2, 2, "start"], dice=[6, 3])
    assert names(pos) == ["out"]
    new = play(pos, "out")
    assert places(new, "blue") == ["start", "held:green", 2, 2]
    part = at(["start", "finish", "finish", "finish"], blue=[5, 5, "start", "start"], dice=[6, 4, 3])
    assert names(part) == ["out+3", "out+4"]


def test_out_with_others_blocked_f29():
    pos = at([20, "start", "start", "start"], yellow=[22, 22, "start", "start"], dice=[6, 3])
    assert names(pos) == ["out+3"]
    able = at([20, "start", "start", "start"], dice=[6, 3])
    assert names(able) == ["20+3", "20+6", "20+6+3", "out", "out+3"]


def test_another_six_frees_f29():
    pos = at(["start", "start", "finish", "finish"], dice=[6, 6])
    assert names(pos) == ["out", "out+6"]
    assert names(at(["start", "finish", "finish", "finish"], dice=[6, 6])) == ["out+6"]
    assert names(at(["start", "held:red", "finish", "finish"], dice=[6, 6])) == ["buy", "out", "out+6"]
    assert names(at(["start", "held:red", "finish", "finish"], dice=[6, 3])) == ["buy", "out+3"]


# ---------------------------------------------------------------- the duty to unblock

LAST = ["finish", "finish", "finish"]


def test_duty_f33_f34():
    pos = at([11, 11, 30, "start"], blue=[*LAST, 10], dice=[6, 2])
    assert names(pos) == ["11+2", "11+6", "11+6+2"]
    assert "out" in names(play(pos, "11+2"))
    three = at([11, 11, 11, "start"], blue=[*LAST, 10], dice=[6, 2])
    new = play(three, "11+2")
    assert new["unblocked"] is True
    assert names(new) == ["11+6", "13+6", "out"]
    without = {key: value for key, value in new.items() if key != "unblocked"}
    assert names(without) == ["11+6"]


def test_no_duty_f35_f36_f37():
    assert "30+2" in names(at([12, 12, 30, "start"], blue=[*LAST, 10], dice=[6, 2]))  # gap
    chain = at(
        [11, 11, 30, "start"],
        yellow=[13, "start", "start", "start"],
        blue=[*LAST, 10],
        red=[12, 12, "start", "start"],
        dice=[6, 2],
    )
    assert "30+2" in names(chain)
    assert "out" in names(chain)
    stuck = at([11, 11, 30, "start"], blue=[*LAST, 10], red=[13, 13, "start", "start"], dice=[5, 2])
    assert "30+2" in names(stuck)
    enters = at([25, 25, 30, "start"], blue=[*LAST, 24], dice=[6, 2])
    assert "30+2" in names(enters)  # blue turns into its end path after 24
    house = at([26, 26, 30, "start"], blue=[*LAST, "start"], dice=[6, 2])
    assert "30+2" in names(house)


def test_duty_arising_in_the_turn_is_not_tested_again():
    pos = at([11, 9, 30, "start"], blue=[*LAST, 10], dice=[4, 2])
    new = play(pos, "9+2")
    assert new["unblocked"] is True
    assert "30+4" in names(new)


def test_several_stacks_f33():
    pos = at([11, 11, 30, 30], yellow=[*LAST, 29], blue=[*LAST, 10], dice=[4, 2])
    assert names(pos) == ["11+2", "11+4", "11+4+2", "30+2", "30+4", "30+4+2"]
    pos = at([11, 11, 30, 31], yellow=[*LAST, 29], blue=[*LAST, 10], dice=[4, 2])
    assert names(pos) == ["11+2", "11+4", "11+4+2"]


# ---------------------------------------------------------------- the end


def test_win_at_once_f38():
    pos = at(["end:1", "finish", "finish", "finish"], blue=[0, "held:green", "start", "start"], dice=[4, 4])
    assert names(pos) == ["end:1+4"]
    new = play(pos, "end:1+4")
    assert new == {
        "pieces": {
            "green": ["finish"] * 4,
            "yellow": HOUSE,
            "blue": ["start", "start", "held:green", 0],
            "red": HOUSE,
        },
        "turn": "green",
    }
    assert ref.winner(new, FOUR) == "green"
    assert ref.to_move(new, FOUR) is None
    assert ref.moves(new, FOUR) == {}
    assert ref.outcomes(new, FOUR) == {}


# ---------------------------------------------------------------- impossible positions


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("F1", {"pieces": {"green": HOUSE}}),
        ("F1", {"pieces": {"green": HOUSE[:3], "blue": HOUSE}}),
        ("F1", {"pieces": {"green": [51, "start", "start", "start"], "blue": HOUSE}}),
        ("F1", {"pieces": {"green": [52, "start", "start", "start"], "blue": HOUSE}}),
        ("F1", {"pieces": {"green": ["end:5", "start", "start", "start"], "blue": HOUSE}}),
        ("F1", {"pieces": {"green": [True, "start", "start", "start"], "blue": HOUSE}}),
        ("F1", {"pieces": {"green": [5, "start", "start", "start"], "blue": [5, "start", "start", "start"]}}),
        ("F10", {"pieces": {"green": ["held:green", "start", "start", "start"], "blue": HOUSE}}),
        ("F10", {"pieces": {"green": ["held:red", "start", "start", "start"], "blue": HOUSE}}),
        ("F1", {"turn": "red"}),
        ("F1", {"captured": ["green"]}),
        ("F6", {"dice": [5, 4, 3]}),
        ("F6", {"dice": [7]}),
        ("F6", {"dice": [5], "kept": [6, 6]}),
        ("F5", {"kept": [6]}),
        ("F5", {"kept": [5, 5]}),
        ("F24", {"dice": [5], "frozen": {"green": [12]}}),
        ("F24", {"dice": [5], "frozen": {"green": [5, 5]}}),
        ("F24", {"dice": [5], "frozen": {"green": ["start"]}}),
        ("F24", {"dice": [5], "frozen": {"blue": [20]}}),
        ("F24", {"frozen": {"green": [5]}}),
        ("F34", {"unblocked": True}),
        ("F38", {"pieces": {"green": HOUSE, "blue": ["finish"] * 4}}),
        ("F38", {"pieces": {"green": ["finish"] * 4, "blue": HOUSE}, "dice": [3]}),
    ],
)
def test_impossible(rule, change):
    pos = {
        "pieces": {"green": [5, "start", "start", "start"], "blue": [20, "start", "start", "start"]},
        "turn": "green",
    }
    ref.validate(pos, TWO)
    with pytest.raises(ValueError, match="^" + rule + ": "):
        ref.validate({**pos, **change}, TWO)


def test_possible():
    pos = {
        "pieces": {"green": [8, "start", "start", "start"], "blue": [8, 8, "start", "start"]},
        "turn": "green",
    }
    for dice in ([6, 5, 5], [6, 6], [6, 6, 6, 1], [5, 5], [2]):
        ref.validate({**pos, "dice": dice}, TWO)
    ref.validate({**pos, "kept": [6, 6, 6, 6]}, TWO)


# ---------------------------------------------------------------- random play


def check_step(pos, name, new, players):
    ref.validate(new, players)
    assert new == ref.normal(new, players)
    dice = pos["dice"]
    left = new.get("dice", [])
    if name == "pass":
        assert new == {"pieces": pos["pieces"], "turn": ref.next_player(pos["turn"], players)}
        return
    assert len(left) < len(dice)
    if left:
        assert new["turn"] == pos["turn"]
        assert "pass" not in ref.moves(new, players)
    elif ref.winner(new, players) is None:
        assert new["turn"] == ref.next_player(pos["turn"], players)
    for colour in players:  # only captures change others' pieces
        if colour != pos["turn"]:
            gone = [
                p for p in set(pos["pieces"][colour]) if new["pieces"][colour].count(p) < pos["pieces"][colour].count(p)
            ]
            for place in gone:
                assert isinstance(place, int)
                assert place not in ref.SAFE_TILES
    if not pos.get("unblocked") and ref.duty_moves(ref.copy(pos), players, pos["turn"]):
        assert int(name.split("+")[0]) in ref.stacks_in_the_way(pos, players, pos["turn"])


@pytest.mark.parametrize("players", [TWO, THREE, FOUR])
def test_random_play(players):
    rng = random.Random(4)
    pos = ref.start(players)
    for _ in range(400):
        if ref.to_move(pos, players) is None:
            pos = ref.start(players)
        if ref.to_move(pos, players) == "chance":
            odds = ref.outcomes(pos, players)
            pos = ref.apply_outcome(pos, players, rng.choices(list(odds), [float(p) for p in odds.values()])[0])
        else:
            options = ref.moves(pos, players)
            for name, new in options.items():
                check_step(pos, name, new, players)
            pos = options[rng.choice(sorted(options))]


@pytest.mark.slow
@pytest.mark.parametrize("players", [TWO, THREE, FOUR])
def test_biased_positions(players):
    rng = random.Random(11)
    seen = set()
    for _ in range(400):
        pos = ref.biased_position(rng, players)
        ref.validate(pos, players)
        assert pos == ref.normal(pos, players)
        if ref.to_move(pos, players) == "chance":
            seen.add("chance")
            continue
        if pos.get("unblocked"):
            seen.add("unblocked")
        elif ref.duty_moves(ref.copy(pos), players, pos["turn"]):
            seen.add("duty")
        options = ref.moves(pos, players)
        for name, new in options.items():
            check_step(pos, name, new, players)
            if name.startswith("out"):
                seen.add(name.split("+")[0])
            if name in ("buy", "pass"):
                seen.add(name)
            if new.get("unblocked"):
                seen.add("unblocked after")
    assert seen >= {"chance", "duty", "unblocked", "unblocked after", "out", "out*2", "out*3", "buy", "pass"}
