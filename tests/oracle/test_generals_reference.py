"""Self-test of the slow Generals reference: positions drawn by hand, then random plies."""

import random
from fractions import Fraction

import pytest

from . import generals_reference as ref

FOUR = {"directions": 4, "toss": False, "quiet_limit": 100, "turn_limit": 1000}
EIGHT = {**FOUR, "directions": 8}
TOSS = {**FOUR, "toss": True}


def at(attacker, defender, turn, **more):
    return {"attacker": attacker.split(), "defender": defender.split(), "turn": turn, **more}


def same(pos, attacker, defender, turn, **more):
    assert pos == ref.normal(at(attacker, defender, turn, **more))


def names(pos, options=FOUR):
    ref.validate(pos, options)
    return set(ref.moves(pos, options))


def play(pos, notation, options=FOUR):
    ref.validate(pos, options)
    new = ref.moves(pos, options)[notation]
    ref.validate(new, options)
    return new


def refused(pos, rule, options=FOUR):
    with pytest.raises(ValueError, match="^" + rule + ":"):
        ref.validate(pos, options)


# ---- board and set-up


def test_g1_to_g7_start():
    pos = ref.start(FOUR)
    assert len(pos["attacker"]) == len(pos["defender"]) == 12
    assert set(pos["attacker"]) == {
        "a10",
        "b10",
        "c10",
        "a9",
        "b9",
        "a8",
        "j10",
        "i10",
        "h10",
        "j9",
        "i9",
        "j8",
    }
    assert set(pos["defender"]) == {"a1", "b1", "c1", "a2", "b2", "a3", "j1", "i1", "h1", "j2", "i2", "j3"}
    assert pos["turn"] == "attacker"
    assert set(pos) == {"attacker", "defender", "turn"}
    assert ref.to_move(pos, FOUR) == "chance"
    assert ref.outcomes(pos, FOUR) == {str(die): Fraction(1, 6) for die in range(1, 7)}
    assert len(ref.MOAT) == 12
    assert len(ref.ALL_CELLS) == 100


def test_g6_toss():
    pos = ref.start(TOSS)
    assert ref.to_move(pos, TOSS) == "chance"
    assert ref.outcomes(pos, TOSS) == {"toss:white": Fraction(1, 2), "toss:black": Fraction(1, 2)}
    won = ref.apply_outcome(pos, TOSS, "toss:black")
    ref.validate(won, TOSS)
    assert ref.to_move(won, TOSS) == "black"
    assert names(won, TOSS) == {"attack", "defend"}
    chosen = play(won, "defend", TOSS)
    assert chosen == {**ref.start(FOUR), "roles": {"white": "attacker", "black": "defender"}}
    assert ref.to_move(chosen, TOSS) == "chance"
    assert ref.to_move(ref.apply_outcome(chosen, TOSS, "1"), TOSS) == "white"
    over = {**at("", "a1", "defender"), "roles": chosen["roles"]}
    assert ref.player_result(over, TOSS) == {"white": -1, "black": 1}
    refused({**won, "roles": chosen["roles"]}, "G6", TOSS)
    refused({**pos, "turns": 4}, "G6", TOSS)
    refused({**pos, "toss": "white"}, "G35", FOUR)


# ---- movement


def test_g8_g9_straight_and_exact():
    pos = at("d8", "j5", "attacker", dice=2)
    assert names(pos) == {"d8-d10", "d8-d6", "d8-b8", "d8-f8"}
    assert names(pos, EIGHT) == names(pos) | {"d8-f10", "d8-b10", "d8-b6", "d8-f6"}


def test_g9_diagonal_between_two_neighbours():
    pos = at("b5 b6 c5", "j5", "attacker", dice=1)
    assert "b5-c6" in names(pos, EIGHT)
    assert "b5-c6" not in names(pos)


def test_g10_no_crossing_no_own_no_stack():
    assert names(at("a5 b5", "a6", "attacker", dice=2)) == {"a5-a3", "b5-b3", "b5-b7", "b5-d5"}
    assert "a5-b5" not in names(at("a5 b5", "a6", "attacker", dice=1))
    assert "a5-a6" in names(at("a5 b5", "a6", "attacker", dice=1))


def test_g11_g14_general_for_defenders():
    assert names(at("a10", "e7", "defender", dice=1)) == {"e7-e8", "e7-d7", "e7-f7"}
    assert names(at("a10", "e7", "defender", dice=2)) == {"e7-e9", "e7-c7", "e7-g7"}


def test_g12_edges():
    assert names(at("a1", "j10", "attacker", dice=6)) == {"a1-a7", "a1-g1"}


@pytest.mark.parametrize("cell", ["d7", "e9"])
def test_g13_capture(cell):
    origin = cell[0] + str(int(cell[1:]) + 1)
    new = play(at(origin, cell + " j1", "attacker", dice=1, quiet=7, turns=9), origin + "-" + cell)
    same(new, cell, "j1", "defender", turns=10)
    new = play(at(cell + " j10", origin, "defender", dice=1, quiet=7, turns=9), origin + "-" + cell)
    same(new, "j10", cell, "attacker", turns=10)


# ---- stalemate and passes


def test_g15_stalemate_keeps_everything():
    pos = at("e7", "a1", "attacker", quiet=5, turns=8)
    assert ref.apply_outcome(pos, FOUR, "6") == ref.normal(pos)
    assert ref.apply_outcome(pos, EIGHT, "6") == ref.normal(pos)
    assert ref.apply_outcome(pos, FOUR, "5")["dice"] == 5
    refused({**pos, "dice": 6}, "G15")


def test_g15_garrisoning_and_attack_count():
    pos = at("e7 a10", "g10 a4", "attacker", dice=6)
    assert "a10-g10" in names(pos)
    pos = at("e7 a10", "b10 a9", "attacker")  # a10 walled in, only garrisoning on a 6
    rolled = ref.apply_outcome(pos, FOUR, "6")
    assert rolled["dice"] == 6
    assert all(">" in name for name in names(rolled))
    used = {**pos, "garrisoned": ["attacker"]}
    assert ref.apply_outcome(used, FOUR, "6") == ref.normal(used)
    only_attack = at("e10", "d10 f10 e4", "attacker", dice=4)
    assert names(only_attack) == {"e10-e6"}


def test_g16_defender_without_units():
    pos = at("d7 a10", "", "defender", quiet=3, turns=11)
    for die in "123456":
        rolled = ref.apply_outcome(pos, FOUR, die)
        assert rolled["dice"] == int(die)
        assert names(rolled) == ({"*d7"} if die == "1" else {"pass"})
    same(play({**pos, "dice": 1}, "*d7"), "a10", "", "attacker", struck=True, quiet=1, turns=12)
    same(play({**pos, "dice": 4}, "pass"), "d7 a10", "", "attacker", quiet=4, turns=12)
    assert names({**pos, "dice": 1, "struck": True}) == {"pass"}
    assert names(at("c7 a10", "", "defender", dice=1)) == {"pass"}


# ---- the General


def test_g17_attack_lines():
    assert "e7-e6" in names(at("e7", "a1", "attacker", dice=1))
    assert "e10-e6" in names(at("e10", "a1", "attacker", dice=4))
    assert "e10-e5" not in names(at("e10", "a1", "attacker", dice=5))
    assert "e10-e6" not in names(at("e10", "e8", "attacker", dice=4))
    assert "e10-e6" not in names(at("e10 e8", "a1", "attacker", dice=4))
    assert "d7-e6" not in names(at("d7", "a1", "attacker", dice=1))
    assert "d7-e6" in names(at("d7", "a1", "attacker", dice=1), EIGHT)
    assert "a10-e6" in names(at("a10", "a1", "attacker", dice=4), EIGHT)


def test_g18_interception():
    pos = at("e9 a10", "d7 g4 a1", "attacker", dice=3, quiet=9, turns=20)
    pending = play(pos, "e9-e6")
    same(pending, "e9 a10", "d7 g4 a1", "attacker", attack="e9", quiet=9, turns=20)
    assert ref.to_move(pending, FOUR) == "chance"
    assert ref.moves(pending, FOUR) == {}
    assert ref.outcomes(pending, FOUR) == {"intercept:d7": Fraction(1, 2), "intercept:g4": Fraction(1, 2)}
    new = ref.apply_outcome(pending, FOUR, "intercept:g4")
    same(new, "a10", "d7 a1", "defender", turns=21)
    one = play(at("e9 a10", "d7", "attacker", dice=3), "e9-e6")
    assert ref.outcomes(one, FOUR) == {"intercept:d7": 1}


def test_g19_g20_hits():
    pos = at("e7 a10", "a1", "attacker", dice=1, quiet=50, turns=3)
    same(play(pos, "e7-e6"), "a10", "a1", "defender", hits=1, turns=4)
    won = play({**pos, "hits": 2}, "e7-e6")
    same(won, "a10", "a1", "attacker", hits=3, turns=4)
    assert ref.result(won, FOUR) == {"attacker": 1, "defender": -1}
    assert ref.to_move(won, FOUR) is None
    assert not ref.moves(won, FOUR)
    assert not ref.outcomes(won, FOUR)


def test_g20_before_g21_and_g22():
    last = at("e7", "a1", "attacker", dice=1, hits=2, turns=999, quiet=99)
    assert ref.result(play(last, "e7-e6"), FOUR) == {"attacker": 1, "defender": -1}
    last = at("e7", "a1", "attacker", dice=1, hits=1, turns=999)
    assert ref.result(play(last, "e7-e6"), FOUR) == {"attacker": -1, "defender": 1}


def test_g21_no_attackers():
    lost = {"attacker": -1, "defender": 1}
    over = play(at("e7", "a1", "attacker", dice=1), "e7-e6")
    same(over, "", "a1", "attacker", hits=1, turns=1)
    assert ref.result(over, FOUR) == lost
    pending = play(at("e7", "d4", "attacker", dice=1), "e7-e6")
    over = ref.apply_outcome(pending, FOUR, "intercept:d4")
    same(over, "", "", "attacker", turns=1)
    assert ref.result(over, FOUR) == lost
    over = play(at("e7", "a1", "defender", dice=1, quiet=4), "*e7")
    same(over, "", "a1", "defender", struck=True, quiet=1, turns=1)
    assert ref.result(over, FOUR) == lost
    over = play(at("a10", "b8", "defender", dice=1), "b8-b9")
    same(over, "", "a10 b9", "defender", turns=1)
    assert ref.result(over, FOUR) == lost
    assert ref.result(at("a5", "b5", "attacker", hits=0), FOUR) is None  # too few for three hits: goes on


def test_g22_limits():
    pos = at("a5", "j5", "attacker", dice=1, quiet=99, turns=500)
    over = play(pos, "a5-a6")
    same(over, "a6", "j5", "attacker", quiet=100, turns=501)
    assert ref.result(over, FOUR) == {"attacker": 0, "defender": 0}
    assert ref.to_move(over, FOUR) is None
    over = play({**pos, "quiet": 0, "turns": 999}, "a5-a6")
    same(over, "a6", "j5", "attacker", quiet=1, turns=1000)
    assert ref.result(over, FOUR) == {"attacker": 0, "defender": 0}
    assert ref.result(play({**pos, "quiet": 98}, "a5-a6"), FOUR) is None
    over = play(at("a5", "", "defender", dice=3, quiet=99), "pass")
    same(over, "a5", "", "defender", quiet=100, turns=1)
    progress = play(at("a10", "j5", "attacker", dice=6, quiet=99), "a10>e7")
    same(progress, "e7", "j5", "defender", garrisoned=["attacker"], turns=1)
    struck = play(at("e7 a5", "j5", "defender", dice=1, quiet=99, turns=7), "*e7")
    same(struck, "a5", "j5", "defender", dice=1, struck=True, turns=7)
    same(play(struck, "j5-j6"), "a5", "j6", "attacker", struck=True, quiet=1, turns=8)
    struck = play(at("e7 i5", "j5", "defender", dice=1, quiet=99, turns=7), "*e7")
    assert "quiet" not in play(struck, "j5-i5")
    short = {**FOUR, "quiet_limit": 1}
    assert ref.result(play(at("a5", "j5", "attacker", dice=1), "a5-a6", short), short) == {
        "attacker": 0,
        "defender": 0,
    }


# ---- special moves


def test_g23_g24_garrisoning():
    pos = at("a10 c5", "a1 j10 d4", "attacker", dice=6)
    special = {name for name in names(pos) if ">" in name}
    free = [
        cell
        for cell in ref.ALL_CELLS
        if cell not in ref.GENERAL and cell not in ref.ALL_GARRISON_CELLS and cell not in ("c5", "d4")
    ]
    assert special == {"a10>" + cell for cell in free}
    assert len(free) == 100 - 4 - 24 - 2
    same(play(pos, "a10>e7"), "e7 c5", "a1 j10 d4", "defender", garrisoned=["attacker"], turns=1)
    assert not any(">" in name for name in names({**pos, "garrisoned": ["attacker"]}))
    assert any(">" in name for name in names({**pos, "garrisoned": ["defender"]}))
    assert not any(">" in name for name in names({**pos, "dice": 5}))
    defender = {name for name in names({**pos, "turn": "defender"}) if ">" in name}
    assert defender
    assert all(name.startswith("a1>") for name in defender)


def test_g25_strike_conditions():
    pos = at("e7 d4 c5", "a1 j1", "defender", dice=1)
    strikes = {"*e7", "*d4"}
    assert {name for name in names(pos) if name[0] == "*"} == strikes
    assert not names({**pos, "struck": True}) & strikes
    assert not names({**pos, "defender": ["a1", "j1", "j5"]}) & strikes
    assert not names({**pos, "dice": 2}) & strikes
    assert not names({**pos, "turn": "attacker"}) & strikes


def test_g26_strike_then_move():
    pos = at("e7 e8", "e9", "defender", dice=1)
    struck = play(pos, "*e7")
    same(struck, "e8", "e9", "defender", dice=1, struck=True)
    assert names(struck) == {"e9-e10", "e9-d9", "e9-f9", "e9-e8"}
    assert {"e9-e10", "e9-d9", "e9-f9", "e9-e8"} < names(pos)  # optional


def test_g27_conversion():
    one = play(at("a10 j10", "b7", "defender", dice=2, quiet=5), "b7-b9")
    same(one, "j10", "a10 b9", "attacker", turns=1)
    pending = play(at("a10 b10 j10", "b7", "defender", dice=2, quiet=5), "b7-b9")
    same(pending, "a10 b10 j10", "b9", "defender", convert="b9", quiet=5)
    assert ref.to_move(pending, FOUR) == "defender"
    assert names(pending) == {"=a10", "=b10"}
    same(play(pending, "=b10"), "a10 j10", "b10 b9", "attacker", turns=1)
    none = play(at("j10", "b7", "defender", dice=2, quiet=5), "b7-b9")
    same(none, "j10", "b9", "attacker", quiet=6, turns=1)


def test_g27_kill_first_then_convert():
    same(play(at("a10 b9", "b7", "defender", dice=2), "b7-b9"), "", "a10 b9", "defender", turns=1)
    same(play(at("j5 b9", "b7", "defender", dice=2), "b7-b9"), "j5", "b9", "attacker", turns=1)
    pending = play(at("a10 a9 b9", "b7", "defender", dice=2), "b7-b9")
    assert pending["convert"] == "b9"
    assert names(pending) == {"=a10", "=a9"}


def test_g27_inside_and_across():
    inside = play(at("a10 b10", "b9", "defender", dice=1, quiet=2), "b9-a9")
    same(inside, "a10 b10", "a9", "attacker", quiet=3, turns=1)
    across = play(at("a10 i10", "c10", "defender", dice=5), "c10-h10")
    same(across, "a10", "h10 i10", "attacker", turns=1)


def test_g28_attackers_convert_nothing():
    same(play(at("b4", "a1 b1", "attacker", dice=2), "b4-b2"), "b2", "a1 b1", "defender", quiet=1, turns=1)


# ---- impossible positions


def test_g35_refusals():
    refused(at("e5", "a1", "attacker"), "G11")
    refused(at("a5", "a5", "attacker"), "G10")
    refused(at("a5 a5", "", "attacker"), "G10")
    refused(at("k5", "a1", "attacker"), "G1")
    refused(at("a5", "a1", "attacker", hits=4), "G20")
    refused(at("a5", "a1", "attacker", dice=7), "G8")
    refused(at("a5", "a1", "attacker", dice=1, hits=3), "G20")
    refused(at("", "a1", "defender", dice=1), "G21")
    refused(at("a5", "a1", "defender", dice=1, quiet=100), "G22")
    refused(at("a5", "a1", "defender", garrisoned=["white"]), "G23")
    refused(at("a5", "a1", "defender", other=1), "G35")
    free = [cell for cell in ref.ALL_CELLS if cell not in ref.GENERAL]
    refused({"attacker": free[:13], "defender": [], "turn": "attacker"}, "G5")
    refused({"attacker": free[:12], "defender": free[12:25], "turn": "attacker"}, "G5")
    ref.validate({"attacker": free[:1], "defender": free[1:24], "turn": "attacker"}, FOUR)


def test_g35_pending():
    good = at("a10 b10", "b9", "defender", convert="b9")
    ref.validate(good, FOUR)
    refused({**good, "dice": 1}, "G35")
    refused({**good, "turn": "attacker"}, "G27")
    refused({**good, "attacker": ["a10", "j10"]}, "G27")
    refused({**good, "convert": "a9"}, "G27")
    walled = at("b10 a9", "a10", "defender", convert="a10")
    refused(walled, "G27", FOUR)
    ref.validate(walled, EIGHT)  # in by the diagonal
    good = at("e9", "d7", "attacker", attack="e9")
    ref.validate(good, FOUR)
    refused({**good, "turn": "defender"}, "G14")
    refused({**good, "defender": ["a1"]}, "G18")
    refused({**good, "defender": ["e8", "d7"]}, "G17")
    refused({**good, "attack": "e8"}, "G17")
    refused(at("d4", "d7", "attacker", attack="d4"), "G17", FOUR)
    ref.validate(at("d4", "d7", "attacker", attack="d4"), EIGHT)


def test_normal_form():
    pos = at(
        "b10 a10 a2",
        "",
        "attacker",
        hits=0,
        garrisoned=["defender", "attacker"],
        struck=False,
        quiet=0,
        turns=0,
    )
    assert ref.normal(pos) == at("a2 a10 b10", "", "attacker", garrisoned=["attacker", "defender"])


# ---- random play


def check_unit_moves(pos, options):
    """Unit moves once more, asked the other way round: for every pair of cells."""
    own, enemy = pos[pos["turn"]], pos["defender" if pos["turn"] == "attacker" else "attacker"]
    blocked = set(pos["attacker"]) | set(pos["defender"]) | set(ref.GENERAL)
    point = {cell: ("abcdefghij".index(cell[0]), int(cell[1:])) for cell in ref.ALL_CELLS}
    cell_at = {xy: cell for cell, xy in point.items()}
    expected = set()
    for origin in own:
        for target in ref.ALL_CELLS:
            (x, y), (u, v) = point[origin], point[target]
            dx, dy = u - x, v - y
            if max(abs(dx), abs(dy)) != pos["dice"]:
                continue
            straight = dx == 0 or dy == 0 or (options["directions"] == 8 and abs(dx) == abs(dy))
            if not straight or target in own or (target in ref.GENERAL and pos["turn"] == "defender"):
                continue
            n = pos["dice"]
            if not any(cell_at[x + dx // n * k, y + dy // n * k] in blocked for k in range(1, n)):
                expected.add(origin + "-" + target)
    assert {name for name in ref.moves(pos, options) if "-" in name} == expected
    assert enemy is not own


def check(pos, options):
    ref.validate(pos, options)
    assert ref.normal(pos, options) == pos
    mover = ref.to_move(pos, options)
    over = ref.result(pos, options)
    chances = ref.outcomes(pos, options)
    found = ref.moves(pos, options)
    assert (over is None) == (mover is not None)
    if mover is None:
        assert over["attacker"] + over["defender"] == 0
        assert not chances
        assert not found
        assert "dice" not in pos
    elif mover == "chance":
        assert sum(chances.values()) == 1
        assert not found
    else:
        assert found
        assert not chances
        if "dice" in pos:
            check_unit_moves(pos, options)
    return mover


def step(pos, options, rng, mover):
    if mover == "chance":
        return ref.apply_outcome(pos, options, rng.choice(sorted(ref.outcomes(pos, options))))
    found = ref.moves(pos, options)
    for new in found.values():
        ref.validate(new, options)
        lost = len(pos["attacker"]) + len(pos["defender"]) - len(new["attacker"]) - len(new["defender"])
        assert lost in (0, 1)
        assert new.get("turns", 0) - pos.get("turns", 0) in (0, 1)
        assert new.get("hits", 0) - pos.get("hits", 0) in (0, 1)
    return found[rng.choice(sorted(found))]


@pytest.mark.slow
@pytest.mark.parametrize("options", [FOUR, EIGHT, TOSS], ids=["four", "eight", "toss"])
def test_random_games(options):
    rng = random.Random(5)
    for _ in range(2):
        pos = ref.start(options)
        for _ in range(1500):
            mover = check(pos, options)
            if mover is None:
                break
            pos = step(pos, options, rng, mover)


@pytest.mark.slow
@pytest.mark.parametrize("options", [FOUR, EIGHT, TOSS], ids=["four", "eight", "toss"])
def test_random_plies_from_biased_positions(options):
    rng = random.Random(6)
    seen = set()
    for _ in range(600):
        pos = ref.biased_position(rng, options)
        for _ in range(4):
            mover = check(pos, options)
            seen.update(key for key in ("dice", "convert", "attack") if key in pos)
            if mover is None:
                seen.add(str(ref.result(pos, options)["attacker"]))
                break
            seen.update(name[0] for name in ref.moves(pos, options) if name[0] in "*=p")
            new = step(pos, options, rng, mover)
            if new == pos:
                seen.add("stalemate")
            pos = new
    assert {"dice", "convert", "attack", "1", "-1", "0", "*", "=", "p", "stalemate"} <= seen
