"""Rule book `generals`, G1-G36: expectations written from the rule book.

Positions of G15-G28 are drawn: A an attacker's unit, D a defender's, G the General, o the moat, ' a garrison
cell, . any other. The first line is row 10, the first column a. Short ones are lists of cells.
"""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from functools import cache

import pytest

import ludus

COLUMNS = "abcdefghij"
CELLS = [f"{column}{row}" for row in range(10, 0, -1) for column in COLUMNS]
GENERAL = {"e5", "e6", "f5", "f6"}
MOAT = {"d7", "e7", "f7", "g7", "d6", "g6", "d5", "g5", "d4", "e4", "f4", "g4"}
ATTACKER_LEFT = {"a10", "b10", "c10", "a9", "b9", "a8"}
ATTACKER_RIGHT = {"j10", "i10", "h10", "j9", "i9", "j8"}
DEFENDER_LEFT = {"a1", "b1", "c1", "a2", "b2", "a3"}
DEFENDER_RIGHT = {"j1", "i1", "h1", "j2", "i2", "j3"}
GARRISONS = ATTACKER_LEFT | ATTACKER_RIGHT | DEFENDER_LEFT | DEFENDER_RIGHT


@cache
def _game(options):
    return ludus.make("generals", **dict(options))


def make(**options):
    return _game(tuple(sorted(options.items())))


GAME, EIGHT, TOSS = make(), make(directions=8), make(toss=True)


def at(attacker, defender, turn, game=GAME, **more):
    """A position from lists of cells."""
    return game.position({"attacker": attacker.split(), "defender": defender.split(), "turn": turn, **more})


def drawn(picture, turn, game=GAME, **more):
    """A position from a drawing."""
    signs = "".join(picture.split())
    assert len(signs) == 100
    for cell, sign in zip(CELLS, signs, strict=True):
        ground = "G" if cell in GENERAL else "o" if cell in MOAT else "'" if cell in GARRISONS else "."
        assert sign in ("A", "D", ground), (cell, sign)
    units = {"AD"[n]: [c for c, s in zip(CELLS, signs, strict=True) if s == "AD"[n]] for n in range(2)}
    return game.position({"attacker": units["A"], "defender": units["D"], "turn": turn, **more})


def names(pos):
    return {str(move) for move in pos.moves()}


def unit_moves(pos, origin=None):
    return {name for name in names(pos) if "-" in name and (origin is None or name.startswith(f"{origin}-"))}


def data(pos):
    """The position as plain data, units as sets."""
    found = pos.to_dict()
    return {**found, "attacker": set(found["attacker"]), "defender": set(found["defender"])}


def refused(pos, text):
    """The rule that forbids a move."""
    with pytest.raises(ludus.IllegalMove) as error:
        pos.play(text)
    for lang in ("en", "fr"):
        words = error.value.explain(lang)
        assert words
        assert "{" not in words
    return error.value.rule


def impossible(attacker, defender, turn, game=GAME, **more):
    """The rule that a set-up position breaks."""
    with pytest.raises(ludus.InvalidPosition) as error:
        at(attacker, defender, turn, game, **more)
    assert f"({error.value.rule})" in str(error.value)
    return error.value.rule


# ---------------------------------------------------------------- board and set-up


@pytest.mark.rule("G1")
def test_cells_are_a1_to_j10():
    for cell in CELLS:
        if cell not in GENERAL:
            assert at(cell, "", "attacker").to_dict()["attacker"] == [cell]
    for cell in ("k1", "a0", "a11", "A1", "1a", "a01", ""):
        with pytest.raises(ludus.InvalidPosition) as error:
            GAME.position({"attacker": [cell], "defender": [], "turn": "attacker"})
        assert error.value.rule == "G1"
    assert refused(at("a5", "", "attacker", dice=1), "a5-k5") == "G1"


@pytest.mark.rule("G1")
def test_row_10_is_the_attackers_edge():
    # row 0, column 0 of the board is a10: the first action of the first direction, which is up
    assert GAME.start().play("1").move(100 * 1 + 2).origin == "c10"
    assert names(at("a10", "", "attacker", dice=1)) == {"a10-b10", "a10-a9"}
    assert names(at("j1", "", "attacker", dice=1)) == {"j1-i1", "j1-j2"}


@pytest.mark.rule("G2")
@pytest.mark.parametrize("cell", sorted(GENERAL))
def test_the_general_stands_on_four_cells(cell):
    assert impossible(cell, "", "attacker") == "G11"
    assert impossible("a10", cell, "attacker") == "G11"
    assert not {name for name in names(at("a9", "e4 d6", "defender", dice=1)) if name.endswith(cell)}


@pytest.mark.rule("G3")
@pytest.mark.parametrize("cell", sorted(MOAT))
def test_units_enter_and_pass_the_moat(cell):
    column, row = cell[0], int(cell[1:])
    across = f"{cell}-{column}{row + 1 if row >= 7 else row - 1}" if row in (4, 7) else None
    assert across is None or across in names(at(cell, "a1", "attacker", dice=1))
    entered = at("d2", "a1", "attacker", dice=2).play("d2-d4")
    assert "d4" in data(entered)["attacker"]
    passed = at("d2", "a1", "attacker", dice=6)
    assert "d2-d8" in names(passed)


@pytest.mark.rule("G3")
@pytest.mark.parametrize("cell", CELLS)
def test_the_moat_is_the_ring_of_twelve(cell):
    """A unit stands in the moat if and only if the General can strike it there (G25)."""
    if cell in GENERAL or cell == "a1":
        return
    pos = at(f"{cell} {'j10' if cell != 'j10' else 'i10'}", "a1", "defender", dice=1)
    assert (f"*{cell}" in names(pos)) == (cell in MOAT)


@pytest.mark.rule("G4")
@pytest.mark.rule("G5")
def test_garrisons_and_units_at_the_start():
    start = data(GAME.start())
    assert start["attacker"] == ATTACKER_LEFT | ATTACKER_RIGHT
    assert start["defender"] == DEFENDER_LEFT | DEFENDER_RIGHT
    for units in (start["attacker"], start["defender"]):
        assert len(units) == 12
        assert len([cell for cell in units if cell[0] in "abc"]) == 6


@pytest.mark.rule("G4")
def test_own_garrison_cells_are_those_of_the_start():
    for role, own in (("attacker", ATTACKER_LEFT | ATTACKER_RIGHT), ("defender", DEFENDER_LEFT | DEFENDER_RIGHT)):
        for cell in sorted(set(CELLS) - GENERAL - {"e10"}):
            attacker, defender = (cell, "") if role == "attacker" else ("e10", cell)
            pos = at(attacker, defender, role)
            can = any(">" in name for name in names(pos.play("6")))
            assert can == (cell in own)


@pytest.mark.rule("G6")
def test_the_toss_and_the_choice_of_roles():
    pos = TOSS.start()
    assert TOSS.players == ("white", "black")
    assert (pos.to_move, pos.roles) == ("chance", None)
    assert pos.outcomes() == {"toss:white": 0.5, "toss:black": 0.5}
    for winner, loser in (("white", "black"), ("black", "white")):
        won = pos.play(f"toss:{winner}")
        assert (won.to_move, won.roles, names(won)) == (winner, None, {"attack", "defend"})
        assert won.play("attack").roles == {winner: "attacker", loser: "defender"}
        assert won.play("defend").roles == {winner: "defender", loser: "attacker"}
        assert refused(won, "a10-a9") == "G6"
        assert refused(won, "pass") == "G6"
    assert refused(won.play("attack").play("1"), "defend") == "G6"


@pytest.mark.rule("G6")
def test_both_events_are_in_the_record_and_the_quick_start_has_neither():
    played = TOSS.start().play("toss:black").play("defend")
    assert played.ply == 2
    assert played.to_dict()["roles"] == {"white": "attacker", "black": "defender"}
    assert GAME.start().roles == {"attacker": "attacker", "defender": "defender"}
    assert set(GAME.start().outcomes()) == {"1", "2", "3", "4", "5", "6"}
    assert refused(GAME.start().play("1"), "attack") == "G6"


@pytest.mark.rule("G6")
def test_colour_is_independent_of_the_role():
    played = TOSS.start().play("toss:black").play("defend")
    other = TOSS.start().play("toss:black").play("attack")
    assert general_fill(played) != general_fill(other)
    assert general_fill(GAME.start()) != general_fill(GAME.start(), attacker="black")


def general_fill(pos, **options):
    """The colour of the General in the picture."""
    root = ET.fromstring(pos.svg(**options))
    (general,) = (e for e in root.iter() if e.get("class") == "general" and e.get("data-hits") is not None)
    return next(e.get("fill") for e in general.iter() if e.tag.endswith("rect"))


@pytest.mark.rule("G7")
def test_the_attacker_moves_first():
    assert GAME.start().turn == "attacker"
    for choice in ("attack", "defend"):
        pos = TOSS.start().play("toss:black").play(choice)
        assert pos.roles[pos.turn] == "attacker"
        assert pos.play("3").play("a8-a5").roles[pos.play("3").play("a8-a5").turn] == "defender"


# ---------------------------------------------------------------- dice and movement


@pytest.mark.rule("G8")
@pytest.mark.parametrize("die", range(1, 7))
def test_one_unit_moves_exactly_what_the_die_says(die):
    pos = at("a10 j10", "e1", "attacker", dice=die)
    assert unit_moves(pos) == {
        f"a10-{COLUMNS[die]}10", f"a10-a{10 - die}", f"j10-{COLUMNS[9 - die]}10", f"j10-j{10 - die}"
    }  # fmt: skip
    after = pos.play(f"a10-a{10 - die}")
    assert data(after)["attacker"] == {f"a{10 - die}", "j10"}
    assert (after.turn, after.to_move) == ("defender", "chance")
    assert refused(pos, f"a10-a{10 - (die % 6 + 1)}") == "G8"
    assert refused(pos, "b5-b4") == "G8"


@pytest.mark.rule("G8")
def test_a_die_has_six_equal_sides():
    assert GAME.start().outcomes() == pytest.approx({str(n): 1 / 6 for n in range(1, 7)})


@pytest.mark.rule("G9")
def test_straight_lines_only():
    assert names(at("b8", "h1", "attacker", dice=2)) == {"b8-d8", "b8-b10", "b8-b6"}
    assert refused(at("b8", "h1", "attacker", dice=2), "b8-d10") == "G9"
    assert refused(at("b8", "h1", "attacker", EIGHT, dice=2), "b8-d9") == "G9"
    assert names(at("b8", "h1", "attacker", EIGHT, dice=2)) == {
        "b8-d8", "b8-b10", "b8-b6", "b8-d10", "b8-d6"
    }  # fmt: skip


@pytest.mark.rule("G9")
def test_a_diagonal_passes_between_two_neighbours():
    pos = at("b8 b9 c8", "h1", "attacker", EIGHT, dice=1)
    assert "b8-c9" in names(pos)
    pos = at("b8", "b9 c8", "attacker", EIGHT, dice=2)
    assert "b8-d10" in names(pos)


@pytest.mark.rule("G10")
@pytest.mark.parametrize("game", [GAME, EIGHT], ids=["four", "eight"])
def test_no_unit_is_crossed_and_no_own_one_landed_on(game):
    for other in ("attacker", "defender"):
        own, theirs = ("b8 d8", "h1") if other == "attacker" else ("b8", "d8 h1")
        pos = at(own, theirs, "attacker", game, dice=3)
        assert "b8-e8" not in names(pos)
        assert refused(pos, "b8-e8") == "G10"
    pos = at("b8 d8", "h1", "attacker", game, dice=2)
    assert "b8-d8" not in names(pos)
    assert refused(pos, "b8-d8") == "G10"
    assert impossible("b8 b8", "", "attacker", game) == "G10"
    assert impossible("b8", "b8", "attacker", game) == "G10"


@pytest.mark.rule("G10")
def test_no_stacking_in_the_moat():
    pos = at("d8 d7", "h1", "attacker", dice=1)
    assert refused(pos, "d8-d7") == "G10"


@pytest.mark.rule("G11")
def test_the_general_is_neither_entered_nor_crossed():
    pos = at("e8", "h1", "attacker", dice=3)
    assert refused(pos, "e8-e5") == "G11"
    assert refused(at("e9 a3", "h1", "attacker", dice=6), "e9-e3") == "G11"
    assert refused(at("a9", "d6", "defender", dice=3), "d6-g6") == "G11"
    assert refused(at("d8", "h1", "attacker", EIGHT, dice=4), "d8-h4") == "G11"


@pytest.mark.rule("G12")
def test_inside_the_board():
    pos = at("b2", "h8", "attacker", dice=3)
    assert names(pos) == {"b2-e2", "b2-b5"}
    for action in range(100 * 8):
        if action % 100 == CELLS.index("b2"):
            pos = at("b2", "h8", "attacker", EIGHT, dice=3)
            if not pos.mask()[action]:
                with pytest.raises(ludus.IllegalMove) as error:
                    pos.move(action)
                assert error.value.rule == "G12"


@pytest.mark.rule("G12")
def test_no_line_wraps_around_an_edge():
    for cell in ("a5", "j5", "a10", "j1", "e10", "e1"):
        for die in range(1, 7):
            for name in unit_moves(at(cell, "h8" if cell != "h8" else "h7", "attacker", EIGHT).play(str(die))):
                origin, target = name.split("-")
                across = abs(COLUMNS.index(origin[0]) - COLUMNS.index(target[0]))
                along = abs(int(origin[1:]) - int(target[1:]))
                assert {across, along} <= {0, die}


@pytest.mark.rule("G13")
@pytest.mark.parametrize("cell", ["h8", "d7"])
@pytest.mark.parametrize("turn", ["attacker", "defender"])
def test_landing_on_an_enemy_kills_it(cell, turn):
    mine = f"{cell[0]}10"
    attacker, defender = (f"{mine} a5", f"{cell} a1") if turn == "attacker" else (f"{cell} a5", f"{mine} a1")
    pos = at(attacker, defender, turn, dice=10 - int(cell[1:]), hits=1)
    (move,) = (move for move in pos.moves() if str(move) == f"{mine}-{cell}")
    other = "defender" if turn == "attacker" else "attacker"
    assert move.captures == ((other, cell),)
    after = data(pos.play(move))
    assert cell in after[turn]
    assert len(after[other]) == 1
    assert after["hits"] == 1


@pytest.mark.rule("G14")
def test_a_defender_does_not_attack_the_general():
    pos = at("a9", "e9 d6", "defender", dice=3)
    assert not {name for name in names(pos) if name[-2:] in GENERAL}
    assert refused(pos, "e9-e6") == "G14"
    assert impossible("a9", "e9 d6", "defender", attack="e9") == "G14"


# ---------------------------------------------------------------- the General, in drawn positions


@pytest.mark.rule("G15")
def test_a_stalemate_is_rolled_again():
    pos = drawn(
        """
        '''....'''
        ''......''
        '........'
        ...oooo...
        ...oGGD...
        ...oGGA...
        ...oAoo...
        '...A....'
        ''......''
        '''....'''
        """,
        "defender", quiet=7, turns=31, hits=2,
    )  # fmt: skip
    again = pos.play("5")
    assert again == pos
    assert again.ply == pos.ply + 1
    assert (again.to_move, again.turn) == ("chance", "defender")
    assert names(pos.play("3")) == {"g6-g9", "g6-j6"}
    assert impossible("g5 e4 e3", "g6", "defender", dice=5) == "G15"


@pytest.mark.rule("G15")
def test_what_is_the_only_use_of_a_roll_must_be_played():
    pos = drawn(
        """
        '''....'''
        ''......''
        '........'
        ...oooo...
        ...oGGo...
        ...oGGo...
        ...oooo...
        '........'
        ''..A...''
        '''....'''
        """,
        "attacker", dice=3,
    )  # fmt: skip
    assert "e2-e5" in names(pos)
    assert refused(pos, "pass") == "G15"
    only = at("a10", "b10 a9 d7", "attacker", dice=6)
    assert all(name.startswith("a10>") for name in names(only))
    assert refused(only, "pass") == "G15"


@pytest.mark.rule("G15")
def test_an_attack_alone_is_no_stalemate():
    pos = at("e10", "d10 f10 a1", "attacker", dice=4)
    assert names(pos) == {"e10-e6"}


@pytest.mark.rule("G16")
def test_a_defender_without_units_passes():
    pos = drawn(
        """
        '''....'''
        ''......''
        '........'
        ...oAoo...
        ...oGGo...
        ...oGGA...
        ...oooo...
        '........'
        ''......''
        '''....'''
        """,
        "defender", quiet=3, turns=40,
    )  # fmt: skip
    for die in range(2, 7):
        assert names(pos.play(str(die))) == {"pass"}
        after = pos.play(str(die)).play("pass")
        assert (after.turn, after.to_dict()["quiet"], after.to_dict()["turns"]) == ("attacker", 4, 41)
    assert names(pos.play("1")) == {"*e7", "*g5"}  # mandatory then
    assert refused(pos.play("1"), "pass") == "G15"
    struck = pos.play("1").play("*e7")
    assert (struck.turn, struck.to_move) == ("attacker", "chance")  # no unit to move: the turn ends (G26)
    spent = at("e7 g5", "", "defender", struck=True)
    assert all(names(spent.play(str(die))) == {"pass"} for die in range(1, 7))


@pytest.mark.rule("G16")
def test_nobody_is_ever_stuck():
    """Whoever has units has a legal 1, even in the tightest corner."""
    packed = " ".join(sorted(DEFENDER_LEFT | DEFENDER_RIGHT | {"d1", "e1", "f1", "g1"}))
    assert names(at("a10", packed, "defender").play("1"))
    rng = random.Random(16)
    pos = at("a10", "", "attacker", make(quiet_limit=40))
    for _ in range(400):
        if pos.to_move is None:
            break
        pos = pos.roll(rng) if pos.to_move == "chance" else pos.play(rng.choice(pos.moves()))
    assert pos.result is not None


ATTACK = """
    '''.A..'''
    ''......''
    '........'
    ...oooo...
    A..oGGo.A.
    ...oGGo...
    ...oooA...
    '........'
    ''......''
    '''.A..'''
"""


@pytest.mark.rule("G17")
def test_an_attack_ends_on_a_general_cell_with_the_exact_die():
    attacks = {
        die: {name for name in names(drawn(ATTACK, "attacker").play(str(die))) if name[-2:] in GENERAL}
        for die in range(1, 7)
    }
    assert attacks == {1: set(), 2: set(), 3: {"i6-f6"}, 4: {"e10-e6", "e1-e5", "a6-e6"}, 5: set(), 6: set()}
    diagonal = drawn(ATTACK, "attacker", EIGHT)
    assert "g4-f5" in names(diagonal.play("1"))
    assert "g4-f5" not in names(drawn(ATTACK, "attacker").play("1"))


@pytest.mark.rule("G17")
def test_the_line_is_clear_and_one_step_from_the_moat_counts():
    assert "e7-e6" in names(at("e7", "a1", "attacker", dice=1))
    assert refused(at("e10 e8", "a1", "attacker", dice=4), "e10-e6") == "G10"
    assert refused(at("e10", "e8 a1", "attacker", dice=4), "e10-e6") == "G10"
    assert refused(at("e10", "a1", "attacker", dice=5), "e10-e5") == "G11"


GUARDED = """
    '''.A..'''
    ''......''
    '........'
    ...Dooo...
    ...oGGo...
    ...oGGD...
    ...oooo...
    D........'
    ''......''
    '''....'''
"""


@pytest.mark.rule("G18")
def test_a_defender_in_the_moat_intercepts():
    pos = drawn(GUARDED, "attacker", dice=4, quiet=9, turns=20)
    chance = pos.play("e10-e6")
    assert (chance.to_move, chance.turn) == ("chance", "attacker")
    assert chance.outcomes() == {"intercept:d7": 0.5, "intercept:g5": 0.5}
    assert chance.to_dict()["attack"] == "e10"
    after = data(at("e10 a5", "d7 g5 a3", "attacker", dice=4).play("e10-e6").play("intercept:g5"))
    assert after["attacker"] == {"a5"}
    assert after["defender"] == {"d7", "a3"}
    assert after["hits"] == 0


@pytest.mark.rule("G18")
def test_it_happens_each_time_and_with_one_it_is_chance_too():
    pos = at("e10 f10 a5", "d7 g5 j5", "attacker", dice=4)
    pos = pos.play("e10-e6").play("intercept:d7").play("1").play("j5-j4")
    pos = pos.play("4").play("f10-f6")
    assert pos.outcomes() == {"intercept:g5": 1.0}
    assert data(pos.play("intercept:g5"))["defender"] == {"j4"}


@pytest.mark.rule("G18")
def test_converted_units_take_part():
    pos = at("a10 e10 j8", "c8 h1", "defender", dice=2).play("c8-a8")
    assert "a10" in data(pos)["defender"]
    pos = at("e10 j8", "d7 a10 h1", "attacker", dice=4).play("e10-e6")
    assert pos.outcomes() == {"intercept:d7": 1.0}


@pytest.mark.rule("G19")
def test_without_a_defender_in_the_moat_the_general_is_hit():
    pos = drawn(
        """
        '''.A.A'''
        ''......''
        '........'
        ..Doooo...
        ...oGGo...
        ...oGGo.D.
        ...oooo...
        D........'
        ''......''
        '''....'''
        """,
        "attacker", dice=4, hits=1,
    )  # fmt: skip
    after = data(pos.play("e10-e6"))
    assert (after["hits"], after["attacker"], after["turn"]) == (2, {"g10"}, "defender")
    assert after["defender"] == {"c7", "i5", "a3"}


@pytest.mark.rule("G20")
def test_three_hits_win_at_once():
    pos = drawn(
        """
        '''.A..'''
        ''......''
        '........'
        ...oooo...
        ...oGGo...
        ...oGGo...
        ...oooo...
        D........'
        ''......''
        '''....'''
        """,
        "attacker", dice=4, hits=2,
    )  # fmt: skip
    over = pos.play("e10-e6")  # the last attacker: the third hit is asked first
    assert over.to_move is None
    assert over.result == {"attacker": 1.0, "defender": -1.0}
    assert (over.ending, over.turn) == ("hits", "attacker")
    assert over.moves() == ()


@pytest.mark.rule("G21")
def test_no_attacker_left_and_the_defender_wins():
    picture = """
        '''.A..'''
        ''......''
        '........'
        ...Dooo...
        ...oGGo...
        ...oGGo...
        ...oooo...
        '........'
        ''......''
        '''....'''
    """
    won = {"attacker": -1.0, "defender": 1.0}
    intercepted = drawn(picture, "attacker", dice=4, hits=2).play("e10-e6").play("intercept:d7")
    assert (intercepted.result, intercepted.ending) == (won, "exhaustion")
    second_hit = at("e10", "a3", "attacker", dice=4, hits=1).play("e10-e6")
    assert (second_hit.result, second_hit.to_dict()["hits"]) == (won, 2)
    assert at("e10", "e7", "defender", dice=3).play("e7-e10").result == won
    assert at("e7", "a3", "defender", dice=1).play("*e7").result == won
    assert at("a10", "c8", "defender", dice=2).play("c8-a8").result == won  # converted


@pytest.mark.rule("G21")
def test_too_few_attackers_for_three_hits_play_on():
    assert at("e10 j10", "a3", "attacker", dice=4, hits=0).play("e10-e6").result is None


@pytest.mark.rule("G22")
def test_a_hundred_quiet_turns_are_a_draw():
    pos = at("a5", "j5", "attacker", dice=1, quiet=98, turns=300)
    pos = pos.play("a5-a6")
    assert (pos.result, pos.to_dict()["quiet"]) == (None, 99)
    over = pos.play("1").play("j5-j6")
    assert over.result == {"attacker": 0.0, "defender": 0.0}
    assert (over.ending, over.turn) == ("quiet", "defender")
    assert over.to_dict()["turns"] == 302


@pytest.mark.rule("G22")
def test_a_thousand_turns_are_a_draw_and_wins_come_first():
    assert at("a5", "j5", "attacker", dice=1, turns=999).play("a5-a6").ending == "turns"
    assert at("e10", "j5", "attacker", dice=4, turns=999, hits=2).play("e10-e6").ending == "hits"
    assert at("e10", "e7", "defender", dice=3, turns=999).play("e7-e10").ending == "exhaustion"
    short = make(quiet_limit=3, turn_limit=5)
    assert at("a5", "j5", "attacker", short, dice=1, quiet=2).play("a5-a6").ending == "quiet"
    assert at("a5", "j5", "attacker", short, dice=1, turns=4).play("a5-a6").ending == "turns"


@pytest.mark.rule("G22")
def test_limits_can_be_switched_off():
    """The source knows no draw: 0 is no limit, and what no limit asks for is not counted."""
    with pytest.warns(UserWarning, match="a game may not end"):
        endless = make(quiet_limit=0, turn_limit=0)
    pos = at("a5", "j5", "attacker", endless)
    for _ in range(300):
        pos = pos.play("1").play("a5-a6").play("1").play("j5-j6").play("1").play("a6-a5").play("1").play("j6-j5")
    assert pos.result is None
    assert pos == at("a5", "j5", "attacker", endless)
    assert at("e10", "j5", "attacker", endless, dice=4, hits=2).play("e10-e6").ending == "hits"
    assert at("e10", "e7", "defender", endless, dice=3).play("e7-e10").ending == "exhaustion"


@pytest.mark.rule("G22")
def test_one_limit_alone():
    by_turns, by_quiet = make(quiet_limit=0), make(turn_limit=0)
    assert at("a5", "j5", "attacker", by_turns, dice=1, turns=999).play("a5-a6").ending == "turns"
    assert "quiet" not in at("a5", "j5", "attacker", by_turns, dice=1).play("a5-a6").to_dict()
    assert at("a5", "j5", "attacker", by_quiet, dice=1, quiet=99).play("a5-a6").ending == "quiet"
    assert "turns" not in at("a5", "j5", "attacker", by_quiet, dice=1).play("a5-a6").to_dict()
    for game, key in ((by_turns, "quiet"), (by_quiet, "turns")):
        with pytest.raises(ludus.InvalidPosition, match=f"{key}: not counted") as error:
            at("a5", "j5", "attacker", game, **{key: 1})
        assert error.value.rule == "G22"


@pytest.mark.rule("G22")
def test_what_is_progress():
    quiet = {"quiet": 50, "turns": 60}

    def counts(pos):
        found = pos.to_dict()
        return found.get("quiet", 0), found.get("turns", 0)

    assert counts(at("a5", "j5", "attacker", dice=1, **quiet).play("a5-a6")) == (51, 61)
    assert counts(at("a5", "a7 j5", "attacker", dice=2, **quiet).play("a5-a7")) == (0, 61)  # capture
    assert counts(at("a5 j1", "a7 j5", "defender", dice=2, **quiet).play("a7-a5")) == (0, 61)  # by either side
    assert counts(at("e10 a5", "j5", "attacker", dice=4, **quiet).play("e10-e6")) == (0, 61)  # hit
    pending = at("e10 a5", "d7", "attacker", dice=4, **quiet).play("e10-e6")
    assert counts(pending) == (50, 60)
    assert counts(pending.play("intercept:d7")) == (0, 61)
    assert counts(at("a10 j5", "c8", "defender", dice=2, **quiet).play("c8-a8")) == (0, 61)  # conversion
    assert counts(at("a10 j5", "c8", "attacker", dice=6, **quiet).play("a10>d4")) == (0, 61)  # garrisoning
    struck = at("e7 j5", "c8", "defender", dice=1, **quiet).play("*e7")
    assert counts(struck) == (0, 60)
    assert counts(struck.play("c8-c7")) == (1, 61)
    assert counts(at("e7 j5", "", "defender", dice=1, **quiet).play("*e7")) == (1, 61)
    stalemate = at("g5 e4 e3", "g6", "defender", **quiet)
    assert counts(stalemate.play("5")) == (50, 60)  # rerolls are not counted


# ---------------------------------------------------------------- special moves, in drawn positions

SIX = """
    AA'....'''
    ''......''
    '........'
    ...ooDo...
    ...oGGo...
    A..oGGo...
    ...oooo...
    '........'
    ''......''
    D''....''D
"""


@pytest.mark.rule("G23")
def test_garrisoning_puts_a_unit_of_an_own_garrison_on_any_empty_cell():
    pos = drawn(SIX, "attacker", dice=6)
    free = set(CELLS) - GENERAL - GARRISONS - {"a5", "f7"}
    assert {name for name in names(pos) if ">" in name} == {f"{c}>{t}" for c in ("a10", "b10") for t in free}
    after = data(pos.play("a10>d7"))
    assert after["attacker"] == {"d7", "b10", "a5"}
    assert after["garrisoned"] == ["attacker"]
    pos = drawn(SIX, "defender", dice=6)
    assert {name[:3] for name in names(pos) if ">" in name} == {"a1>", "j1>"}


@pytest.mark.rule("G23")
def test_only_on_a_six_and_once_per_player():
    for die in range(1, 6):
        pos = drawn(SIX, "attacker", dice=die)
        assert not {name for name in names(pos) if ">" in name}
        assert refused(pos, "a10>d4") == "G23"
    used = drawn(SIX, "attacker", dice=6, garrisoned=["attacker"])
    assert not {name for name in names(used) if ">" in name}
    assert refused(used, "a10>d4") == "G23"
    assert "a10>d4" in names(drawn(SIX, "attacker", dice=6, garrisoned=["defender"]))


@pytest.mark.rule("G23")
@pytest.mark.parametrize("move", ["a5>d4", "a10>f7", "a10>a5", "a10>e5", "a10>c10", "a10>a1", "a10>h10", "c10>d4"])
def test_garrisoning_that_is_not_allowed(move):
    assert refused(drawn(SIX, "attacker", dice=6), move) == "G23"


@pytest.mark.rule("G23")
def test_it_guards_the_moat_from_then_on_and_does_nothing_else():
    pos = at("e10 g8", "a1 j5", "defender", dice=6).play("a1>g7")
    assert data(pos)["attacker"] == {"e10", "g8"}
    assert pos.play("4").play("e10-e6").outcomes() == {"intercept:g7": 1.0}


@pytest.mark.rule("G23")
def test_a_converted_unit_in_the_attackers_garrison_cannot_garrison():
    pos = at("a10 j5", "c8", "defender", dice=2).play("c8-a8").play("1").play("j5-j6")
    assert data(pos)["defender"] == {"a8", "a10"}
    assert not {name for name in names(pos.play("6")) if ">" in name}


@pytest.mark.rule("G24")
def test_garrisoning_is_the_turns_move():
    after = drawn(SIX, "attacker", dice=6).play("a10>d7")
    assert (after.to_move, after.turn) == ("chance", "defender")


STRIKE = """
    '''....'''
    ''......''
    '........'
    ...oAoo...
    ...oGGo...
    ...oGGA...
    ...oooo...
    '..A.....'
    ''......''
    D''....D''
"""


@pytest.mark.rule("G25")
def test_the_general_strikes_an_attacker_in_the_moat():
    pos = drawn(STRIKE, "defender", dice=1)
    assert {name for name in names(pos) if "*" in name} == {"*e7", "*g5"}
    after = data(pos.play("*e7"))
    assert after["attacker"] == {"g5", "d3"}
    assert after["struck"] is True
    assert refused(pos, "*d3") == "G25"
    assert refused(pos, "*d4") == "G25"


@pytest.mark.rule("G25")
def test_only_with_fewer_than_three_defenders_a_one_and_once():
    three = drawn(STRIKE.replace("D''....D''", "DD'....D''"), "defender", dice=1)
    assert not {name for name in names(three) if "*" in name}
    assert refused(three, "*e7") == "G25"
    for die in range(2, 7):
        pos = drawn(STRIKE, "defender").play(str(die))
        assert refused(pos, "*e7") == "G25"
    assert refused(drawn(STRIKE, "defender", dice=1, struck=True), "*e7") == "G25"
    assert refused(drawn(STRIKE, "attacker", dice=1), "*e7") == "G25"


@pytest.mark.rule("G26")
def test_after_the_strike_the_defender_still_moves_a_unit_with_that_one():
    pos = drawn(STRIKE, "defender", dice=1)
    assert {"a1-a2", "a1-b1", "h1-g1"} <= names(pos)  # it is optional
    struck = pos.play("*e7")
    assert (struck.to_move, struck.to_dict()["dice"]) == ("defender", 1)
    assert names(struck) == {"a1-a2", "a1-b1", "h1-g1", "h1-i1", "h1-h2"}
    after = struck.play("a1-a2")
    assert (after.to_move, after.turn) == ("chance", "attacker")
    assert refused(struck, "*g5") == "G25"
    assert refused(struck, "pass") == "G15"


@pytest.mark.rule("G26")
def test_without_a_unit_the_turn_ends_after_the_strike():
    pos = at("e7 g5", "", "defender", dice=1)
    after = pos.play("*e7")
    assert (after.to_move, after.turn) == ("chance", "attacker")


CONVERT = """
    A''....AA'
    A'......AD
    'D.......'
    ...oooo...
    ...oGGo...
    ...oGGo...
    ...oooo...
    'D.......'
    ''......''
    '''....'''
"""


@pytest.mark.rule("G27")
def test_entering_a_garrison_with_several_attackers_is_a_choice():
    pos = drawn(CONVERT, "defender", dice=1)
    entered = pos.play("b8-b9")
    assert (entered.to_move, entered.to_dict()["convert"]) == ("defender", "b9")
    assert "dice" not in entered.to_dict()
    assert names(entered) == {"=a10", "=a9"}
    after = data(entered.play("=a10"))
    assert after["attacker"] == {"a9", "h10", "i10", "i9"}
    assert after["defender"] == {"a10", "b9", "j9", "b3"}
    assert after["turn"] == "attacker"
    for move in ("=h10", "=b9", "=a8", "pass", "a9-a8", "*e7", "a1>d4"):
        assert refused(entered, move) == "G27"


@pytest.mark.rule("G27")
def test_with_exactly_one_it_happens_without_a_decision():
    pos = drawn(CONVERT.replace("A''....AA'", "'''....AA'"), "defender", dice=1)
    after = pos.play("b8-b9")
    assert (after.to_move, after.turn) == ("chance", "attacker")
    assert data(after)["defender"] == {"a9", "b9", "j9", "b3"}
    (move,) = (move for move in pos.moves() if str(move) == "b8-b9")
    assert move.converts == ("a9",)


@pytest.mark.rule("G27")
def test_the_kill_comes_first_then_the_conversion():
    pos = at("a9 a10 j5", "d9", "defender", dice=3)
    after = data(pos.play("d9-a9"))  # two there, one killed, the other converted
    assert after["attacker"] == {"j5"}
    assert after["defender"] == {"a9", "a10"}
    alone = at("a9 j5", "d9", "defender", dice=3).play("d9-a9")
    assert data(alone)["defender"] == {"a9"}


@pytest.mark.rule("G27")
def test_inside_a_garrison_nothing_is_converted_but_from_the_other_one_is_entering():
    pos = drawn(CONVERT, "defender", dice=1)
    inside = pos.play("j9-j10")
    assert (inside.turn, inside.to_dict().get("convert")) == ("attacker", None)
    assert data(inside)["attacker"] == {"a10", "a9", "h10", "i10", "i9"}
    across = at("a10 a9 j5", "h10", "defender", dice=6).play("h10-b10")
    assert across.to_dict()["convert"] == "b10"
    assert data(at("j5", "b8", "defender", dice=1).play("b8-b9"))["defender"] == {"b9"}  # nobody there


@pytest.mark.rule("G27")
def test_any_number_of_times_and_converted_units_convert_again():
    pos = at("a10 a9 a8 j5", "c9", "defender", dice=1).play("c9-b9").play("=a8")
    pos = pos.play("1").play("j5-j6").play("1").play("a8-a7").play("1").play("j6-j5")
    pos = pos.play("1").play("a7-a8")  # left and entered again, by the converted unit
    assert pos.to_dict()["convert"] == "a8"
    pos = pos.play("=a9")
    assert data(pos)["defender"] == {"b9", "a8", "a9"}


@pytest.mark.rule("G28")
def test_attackers_convert_nothing():
    pos = drawn(
        """
        '''....'''
        ''......''
        '........'
        ...oooo...
        ...oGGo...
        ...oGGo...
        ...oooo...
        '........'
        ''A.....''
        DD'....'''
        """,
        "attacker", dice=1,
    )  # fmt: skip
    after = data(pos.play("c2-b2"))
    assert after["attacker"] == {"b2"}
    assert after["defender"] == {"a1", "b1"}
    assert after["turn"] == "defender"
    home = data(at("a10 a9 c9", "j1", "attacker", dice=1).play("c9-b9"))  # nor in their own
    assert (home["attacker"], home["defender"], home["turn"]) == ({"a10", "a9", "b9"}, {"j1"}, "defender")


# ---------------------------------------------------------------- as an environment


@pytest.mark.rule("G29")
@pytest.mark.parametrize("game", [GAME, EIGHT], ids=["four", "eight"])
def test_the_action_space_is_fixed_and_as_documented(game):
    ways = 100 * game.rules.directions
    assert game.num_actions == ways + 864 + 12 + 12 + 2 + 1
    spans = [span for span, _ in game.action_ranges()]
    assert spans[1:] == [f"{ways}–{ways + 863}", f"{ways + 864}–{ways + 875}", f"{ways + 876}–{ways + 887}",
                         f"{ways + 888}–{ways + 889}", f"{ways + 890}"]  # fmt: skip
    a10, a9, b10 = (CELLS.index(cell) for cell in ("a10", "a9", "b10"))
    assert at("a10 b10", "", "attacker", game, dice=1).action("a10-a9") == 200 + a10
    assert at("a9 b10", "", "attacker", game, dice=1).action("a9-b9") == 100 + a9
    assert at("b10", "", "attacker", game, dice=1).action("b10-a10") == 300 + b10
    fields = [cell for cell in CELLS if cell not in GARRISONS | GENERAL]
    six = at("b10", "a1", "attacker", game, dice=6)
    assert six.action("b10>d4") == ways + 72 * 1 + fields.index("d4")
    moat = [cell for cell in CELLS if cell in MOAT]
    assert at("d4", "a1", "defender", game, dice=1).action("*d4") == ways + 864 + moat.index("d4")
    convert = at("a10 a9", "b9", "defender", game, convert="b9")
    own = [cell for cell in CELLS if cell in ATTACKER_LEFT | ATTACKER_RIGHT]
    assert convert.action("=a9") == ways + 876 + own.index("a9")
    assert at("d4", "", "defender", game, dice=2).action("pass") == ways + 890


@pytest.mark.rule("G29")
def test_role_choice_is_an_action_and_diagonals_come_after_straight_lines():
    won = TOSS.start().play("toss:white")
    assert [won.action("attack"), won.action("defend")] == [400 + 888, 400 + 889]
    assert list(won.mask().nonzero()[0]) == [1288, 1289]
    pos = at("d3", "", "attacker", EIGHT, dice=1)
    targets = {
        100 * way + CELLS.index("d3"): move for way, move in enumerate(("d4", "e3", "d2", "c3", "e4", "e2", "c2", "c4"))
    }
    assert {pos.action(f"d3-{target}"): target for target in targets.values()} == targets


@pytest.mark.rule("G29")
def test_the_mask_is_the_legal_set():
    for pos in (drawn(SIX, "attacker", dice=6), drawn(STRIKE, "defender", dice=1)):
        masked = {str(pos.move(int(action))) for action in pos.mask().nonzero()[0]}
        assert masked == names(pos)
        assert len(masked) == len(pos.moves())


@pytest.mark.rule("G30")
def test_dice_toss_and_interception_are_chance_with_probabilities():
    for pos in (GAME.start(), TOSS.start(), at("e10", "d7 g4", "attacker", dice=4).play("e10-e6")):
        assert pos.to_move == "chance"
        assert sum(pos.outcomes().values()) == pytest.approx(1)
    pending = at("a6", "d7 e7 g4", "attacker", dice=4).play("a6-e6")
    assert pending.outcomes() == pytest.approx({f"intercept:{cell}": 1 / 3 for cell in ("d7", "e7", "g4")})
    with pytest.raises(ludus.IllegalMove):
        pending.play("intercept:d4")
    with pytest.raises(ludus.IllegalMove):
        pending.play("4")


@pytest.mark.rule("G31")
@pytest.mark.parametrize(
    ("change", "index"),
    [
        ({"dice": 2}, "the die shows 2"),
        ({"hits": 1}, "hits on the General / 3"),
        ({"garrisoned": ["attacker"]}, "the attacker has garrisoned"),
        ({"garrisoned": ["defender"]}, "the defender has garrisoned"),
        ({"struck": True}, "the General has struck"),
        ({"quiet": 50}, "turns since progress / quiet_limit (at most 1)"),
        ({"turns": 500}, "turns / turn_limit (at most 1)"),
        ({"turn": "defender"}, "it is the attacker's turn"),
        ({"attacker": ["a5", "e10", "h1"]}, "own unit on cell 97, counted row by row from a10 to j1"),
        ({"defender": ["d7", "j1"]}, "the other side's unit on cell 99, counted row by row from a10 to j1"),
        ({"attack": "e10"}, "cell 4 has the unit that entered and converts, or that attacks"),
    ],
)
def test_observations_carry_all_that_decides(change, index):
    base = {"attacker": ["a5", "e10"], "defender": ["d7"], "turn": "attacker"}
    before, after = GAME.position(base), GAME.position({**base, **change})
    number = GAME.observation_names.index(index)
    seen = after.observation("attacker")
    assert len(seen) == len(GAME.observation_names)
    assert before.observation("attacker")[number] != seen[number]


@pytest.mark.rule("G31")
def test_both_see_the_same_board_from_their_own_side():
    pos = at("a5", "d7", "attacker")
    attacker, defender = pos.observation("attacker"), pos.observation("defender")
    assert (attacker[:100] == defender[100:200]).all()
    assert (attacker[100:200] == defender[:100]).all()
    assert attacker[GAME.observation_names.index("the observer is the attacker")] == 1
    assert defender[GAME.observation_names.index("the observer is the defender")] == 1


@pytest.mark.rule("G32")
def test_values_are_per_player_and_per_role():
    over = TOSS.position(
        {"attacker": [], "defender": ["a1"], "turn": "defender", "roles": {"white": "defender", "black": "attacker"}}
    )
    assert over.result == {"white": 1.0, "black": -1.0}
    assert over.result_by_role == {"attacker": -1.0, "defender": 1.0}
    draw = at("a5", "a1", "attacker", turns=1000)
    assert draw.result_by_role == {"attacker": 0.0, "defender": 0.0}
    assert GAME.start().result_by_role is None


@pytest.mark.rule("G32")
@pytest.mark.parametrize("game", [GAME, EIGHT, TOSS], ids=["four", "eight", "toss"])
def test_playouts_are_counted_by_role(game):
    games = game.playouts(400, seed=32)
    by_role, endings = games.wins_by_role(), games.endings()
    assert sum(by_role.values()) == sum(endings.values()) == 400
    assert by_role["attacker"] == endings["hits"]
    assert by_role["defender"] == endings["exhaustion"]
    assert by_role["draw"] == endings["quiet"] + endings["turns"]
    assert sum(games.wins().values()) == by_role["attacker"] + by_role["defender"]
    assert ((games.hits == 3) == (games.ending == 1)).all()
    if game is not TOSS:
        assert games.wins() == {role: by_role[role] for role in ("attacker", "defender")}
    else:
        assert set(games.attacker.tolist()) == {0, 1}


@pytest.mark.rule("G33")
def test_what_an_environment_needs_is_there():
    """Seeded play, masks of one size, observations of one size; the environment itself comes with `envs`."""
    first, second = (line_of_play(GAME, 33) for _ in range(2))
    assert first == second
    assert first != line_of_play(GAME, 34)


def line_of_play(game, seed):
    pos, events = game.start(seed), []
    while pos.to_move is not None and len(events) < 200:
        if pos.to_move == "chance":
            pos = pos.roll()
        else:
            actions = pos.mask().nonzero()[0]
            pos = pos.play(pos.move(int(actions[seed % len(actions)])))
        events.append(tuple(pos.row))
    return events


@pytest.mark.rule("G34")
def test_a_chance_node_keeps_its_outcomes_apart():
    """What a search needs: each outcome of a position is a position of its own, and none re-samples another."""
    pos = at("e10 a5", "d7 g4", "attacker", dice=4).play("e10-e6")
    after = {name: pos.play(name) for name in pos.outcomes()}
    assert len(set(after.values())) == 2
    assert all(pos.play(name) == later for name, later in after.items())
    rolled = {GAME.start().play(str(die)) for die in range(1, 6)}
    assert len(rolled) == 5


@pytest.mark.rule("G35")
def test_impossible_positions_are_refused_with_the_rules_id():
    many = [cell for cell in CELLS if cell not in GENERAL]
    assert impossible("e5", "", "attacker") == "G11"
    assert impossible("a5", "a5", "attacker") == "G10"
    assert impossible(" ".join(many[:13]), "", "attacker") == "G5"
    assert impossible(" ".join(many[:12]), " ".join(many[12:25]), "attacker") == "G5"
    assert at("a10", " ".join(many[1:24]), "attacker").result is None  # eleven conversions
    assert impossible("a5", "", "attacker", hits=4) == "G20"
    assert impossible("g5 e4 e3", "g6", "defender", dice=5) == "G15"
    assert impossible("a5", "", "attacker", dice=7) == "G8"
    assert impossible("a5", "", "nobody") == "G35"
    assert impossible("a5", "", "attacker", nonsense=1) == "G35"
    assert impossible("a10 a9", "b9", "defender", convert="b9", dice=1) == "G35"


@pytest.mark.rule("G35")
def test_a_pending_conversion_or_interception_that_cannot_be():
    assert at("a10 a9", "b9", "defender", convert="b9").to_move == "defender"
    assert impossible("a10 a9", "b9", "attacker", convert="b9") == "G27"
    assert impossible("a10 j9", "b9", "defender", convert="b9") == "G27"  # no choice with one
    assert impossible("a10 a9", "b9", "defender", convert="a8") == "G27"
    assert impossible("a10 a9", "b8", "defender", convert="b8") == "G27"
    assert impossible("b10 a9", "a10", "defender", convert="a10") == "G27"  # walled in
    assert at("b10 a9", "a10", "defender", EIGHT, convert="a10").to_move == "defender"
    assert at("e10", "d7", "attacker", attack="e10").to_move == "chance"
    assert impossible("e10", "a1", "attacker", attack="e10") == "G18"
    assert impossible("e10 e8", "d7", "attacker", attack="e10") == "G17"
    assert impossible("d10", "d7", "attacker", attack="d10") == "G17"
    assert impossible("e10", "d7", "attacker", attack="e9") == "G17"


@pytest.mark.rule("G35")
def test_a_finished_game_has_nothing_pending():
    assert impossible("a5", "j1", "attacker", hits=3, dice=1) == "G20"
    assert impossible("", "j1", "defender", dice=1) == "G21"
    assert impossible("a5", "j1", "defender", dice=1, quiet=100) == "G22"
    assert at("a5", "j1", "attacker", hits=3).ending == "hits"


@pytest.mark.rule("G35")
def test_the_toss_comes_first():
    assert impossible("a5", "j1", "attacker", TOSS) == "G6"
    assert impossible("a5", "j1", "attacker", TOSS, roles={"white": "attacker", "black": "attacker"}) == "G6"
    assert impossible("a5", "j1", "attacker", TOSS, roles={"white": "attacker"}) == "G6"
    assert impossible("a5", "j1", "attacker", roles={"white": "attacker", "black": "defender"}) == "G35"
    won = TOSS.start().play("toss:black")
    assert TOSS.position(won.to_dict()) == won
    assert TOSS.position({**TOSS.start().to_dict(), "toss": "black"}) == won


@pytest.mark.rule("G36")
def test_the_picture_shows_everything():
    pos = drawn(STRIKE, "defender", dice=1, hits=2, garrisoned=["attacker"])
    root = ET.fromstring(pos.svg())
    found = [element.get("class") for element in root.iter()]
    assert found.count("moat") == 12
    assert found.count("garrison") == 24
    assert found.count("unit attacker") == 3 + 1  # one in the panel
    assert found.count("unit defender") == 2 + 1
    assert found.count("garrisoning used") == found.count("garrisoning open") == 1
    assert found.count("strike open") == 1
    assert [e.get("data-hits") for e in root.iter() if e.get("data-hits")] == ["2"]
    assert {e.get("data-move") for e in root.iter() if e.get("data-move")} == names(pos)
    assert [e.get("data-face") for e in root.iter() if e.get("data-face")] == ["1"]


@pytest.mark.rule("G36")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_stage_can_be_drawn(lang):
    stages = [
        GAME.start(), TOSS.start(), TOSS.start().play("toss:black"), TOSS.start().play("toss:black").play("defend"),
        at("e10", "d7 g5", "attacker", attack="e10"), at("a10 a9", "b9", "defender", convert="b9"),
        drawn(SIX, "attacker", dice=6), at("e7", "", "defender", dice=3), at("a5", "", "attacker", hits=3),
        at("a5", "a1", "attacker", quiet=100), at("a5", "a1", "attacker", turns=1000), at("", "a1", "defender"),
    ]  # fmt: skip
    for pos in stages:
        ET.fromstring(pos.svg(lang=lang, legal=True, coordinates=False, size=300))
        for colour in (False, True):
            assert len(pos.text(colour, lang).splitlines()) == 12
        assert max(map(len, pos.text(False, lang).splitlines())) <= 80
    with pytest.raises(ludus.LudusError):
        GAME.start().svg(size=-1)
    with pytest.raises(ludus.LudusError):
        GAME.start().svg(attacker="red")


@pytest.mark.rule("G36")
def test_the_terminal_board_shows_everything():
    pos = drawn(STRIKE, "defender", dice=1, hits=2, garrisoned=["attacker"], turns=11, quiet=2)
    lines = pos.text().splitlines()
    assert lines[1].startswith(" 10  '  '  '  .  .  .  .  '  '  '  10")
    assert lines[4].startswith("  7  .  .  .  ~  A  ~  ~  .  .  .   7")
    assert lines[5].startswith("  6  .  .  .  ~  G  G  ~  .  .  .   6")
    beside = "\n".join(line[39:].strip() for line in lines)
    for words in ("Defender to play 1", "2 of 3 hits", "attacker: 3 units", "used: garrisoning",
                  "left: garrisoning, strike", "turn 12, 2 without progress"):  # fmt: skip
        assert words in beside
    assert max(map(len, lines)) <= 80
    assert "\x1b[" in pos.text(True)


@pytest.mark.rule("G36")
def test_special_moves_are_explained_when_they_become_possible():
    assert GAME.start().play("1").hints() == []
    assert [hint.split(":")[0] for hint in drawn(SIX, "attacker", dice=6).hints()] == ["Garrisoning"]
    assert "strike" in drawn(STRIKE, "defender", dice=1).hints()[0]
    assert "intercept" in at("e10 a5", "d7", "attacker", dice=4).hints()[0]
    assert "hits the General" in at("e10 a5", "a1", "attacker", dice=4).hints()[0]
    assert "becomes yours" in drawn(CONVERT, "defender", dice=1).play("b8-b9").hints()[0]
    assert "toss" in TOSS.start().play("toss:white").hints()[0]
    assert all(hint for hint in drawn(SIX, "attacker", dice=6).hints("fr"))
