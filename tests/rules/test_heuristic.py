"""Rule book of the heuristic agent, H1-H24: expectations written from the rule book, in positions of `star`.

Squares are counted as the rule book of `star` does: 0 start, 1 entry, 2-51 path, 52-56 end path, 57 finish; enemies
are written in the mover's squares.
"""

from __future__ import annotations

from collections import Counter

import pytest
from tests.rules.test_star import Board

import ludus

COLOURS = ("green", "yellow", "blue", "red")


def lines(own, one=(), two=(), three=(), *, dice, literal=False, mover="green"):
    """Each candidate's score parts, by the square that the piece leaves."""
    board = Board(own, one, two, three, dice=dice, mover=mover)
    bot = ludus.bot("heuristic", literal=literal)
    found = {}
    for candidate in bot.explain(board.pos):
        short = board.short(str(candidate.move))
        found[0 if short == "out" else int(short.partition("+")[0])] = candidate.detail
    return found


def only(square, **position):
    """The parts of one candidate."""
    return lines(**position)[square]


@pytest.mark.rule("H1")
@pytest.mark.parametrize(
    ("square", "position", "rule"),
    [
        # T4: captures on star 51 and goes home from there
        (49, {"own": [49, 20], "one": [51], "dice": 2}, "WIN_MOVE"),
        # blue threatens 10 and not 16, where another blue piece stands
        (10, {"own": [10, 20], "two": [16, 8], "dice": 6}, "CAPTURE_MOVE"),
        # yellow threatens 50, and not the end path
        (50, {"own": [50, 20], "one": [49], "dice": 3}, "FLEE_MOVE"),
        # onto the entry tile, where an own piece stands
        (0, {"own": [0, 1, 20], "dice": 6}, "FORM_BLOCKADE_MOVE"),
    ],
)
def test_the_first_rule_that_matches_is_the_moves_rule(square, position, rule):
    assert only(square, **position)["rule"] == rule


@pytest.mark.rule("H2")
def test_reaching_the_finish():
    found = only(55, own=[55, 30, 20, 10], dice=2)
    assert (found["rule"], found["score"], found["total"]) == ("WIN_MOVE", 1_000_000, 1_000_000)


@pytest.mark.rule("H3")
def test_a_capture_by_the_rules_of_the_game():
    assert only(20, own=[20, 30, 40], one=[23], dice=3)["rule"] == "CAPTURE_MOVE"
    assert only(20, own=[20, 30, 40], one=[23], dice=3)["score"] == 50_000
    # two of one colour are protected: the landing is punished and captures nothing
    assert only(20, own=[20, 30, 40], one=[23, 23], dice=3)["rule"] != "CAPTURE_MOVE"


@pytest.mark.rule("H3")
def test_a_capture_on_the_way_stands_though_the_piece_is_sent_home():
    # T4: captures on star 25, jumps onto two of one colour on star 31 and goes to start
    found = only(23, own=[23, 41, 10], one=[25], two=[31, 31], dice=2)
    assert (found["rule"], found["risk"], found["total"]) == ("CAPTURE_MOVE", 0, 50_000)


@pytest.mark.rule("H4")
def test_fleeing_from_a_threat():
    # an enemy two tiles behind 20; 22 is a globe
    found = only(20, own=[20, 30, 40], one=[18], dice=2)
    assert (found["rule"], found["score"]) == ("FLEE_MOVE", 50_000)
    # the landing is unthreatened too far away: 26 is more than six ahead of 18
    assert only(20, own=[20, 30, 40], one=[18], dice=6)["rule"] == "FLEE_MOVE"
    # nobody threatens a piece on a globe
    assert only(22, own=[22, 30, 40], one=[20], dice=1)["rule"] != "FLEE_MOVE"


@pytest.mark.rule("H5")
def test_progress_on_the_end_path_and_between_safe_tiles():
    assert only(50, own=[50, 30, 40], dice=3)["rule"] == "HOME_BASE_PROGRESS"
    assert only(53, own=[53, 30, 40], dice=2)["rule"] == "HOME_BASE_PROGRESS"
    assert only(53, own=[53, 30, 40], dice=2)["score"] == 10_000
    assert only(20, own=[20, 30, 40], dice=3)["rule"] == "STRATEGY"  # neither end is safe


@pytest.mark.rule("H5")
def test_from_safe_tile_to_safe_tile_on_a_board_where_one_die_goes_so_far():
    def rule(tile, die):
        pieces = {"green": [tile, 40, "start", "start"], "blue": ["start"] * 4}
        pos = ludus.make("classic", players=2).position({"pieces": pieces, "turn": "green", "dice": [die]})
        return next(c.detail["rule"] for c in ludus.bot("heuristic").explain(pos) if str(c.move) == f"{tile}+{die}")

    assert rule(8, 5) == "HOME_BASE_PROGRESS"  # 8 and 13 are safe
    assert rule(8, 4) == rule(9, 4) == "STRATEGY"  # only one of the two is


@pytest.mark.rule("H6")
def test_standing_in_front_of_a_cluster():
    # star has no blocks: directly in front of two yellow pieces within reach
    found = only(30, own=[30, 21, 41], one=[32, 28], dice=3)
    assert (found["rule"], found["score"]) == ("BLOCKADE_CLUSTER", 4_000)
    assert only(30, own=[30, 21, 41], one=[32], dice=3)["rule"] != "BLOCKADE_CLUSTER"  # one is no cluster
    # the second one within reach, just beyond it, and both within reach but none directly behind
    assert only(30, own=[30, 21, 41], one=[32, 27], dice=3)["rule"] == "BLOCKADE_CLUSTER"
    assert only(30, own=[30, 21, 41], one=[32, 26], dice=3)["rule"] != "BLOCKADE_CLUSTER"
    assert only(30, own=[30, 21, 41], one=[29, 28], dice=3)["rule"] != "BLOCKADE_CLUSTER"
    # of two colours: no cluster of one opponent
    assert only(30, own=[30, 21, 41], one=[32], two=[28], dice=3)["rule"] != "BLOCKADE_CLUSTER"


@pytest.mark.rule("H6")
def test_with_blocks_in_the_rules_the_landing_must_form_one():
    game = ludus.make("pettingzoo", players=2)
    enemies = [28, 30, "start", "start"]

    def rule(own):
        data = {"pieces": {"green": own, "blue": enemies}, "turn": "green", "dice": [2]}
        found = ludus.bot("heuristic").explain(game.position(data))
        return next(c.detail["rule"] for c in found if str(c.move) == "31+2")

    assert rule([31, 33, 45, "start"]) == "BLOCKADE_CLUSTER"
    assert rule([31, 46, 45, "start"]) != "BLOCKADE_CLUSTER"


@pytest.mark.rule("H6")
def test_in_teams_a_teammate_helps_to_form_the_block():
    pieces = {
        "green": [31, 45, 47, "start"],
        "yellow": [28, 30, "start", "start"],
        "blue": [33, "start", "start", "start"],  # green's teammate (Z9)
        "red": ["start"] * 4,
    }
    pos = ludus.make("pettingzoo", mode="teams").position({"pieces": pieces, "turn": "green", "dice": [2]})
    found = {str(c.move): c.detail["rule"] for c in ludus.bot("heuristic").explain(pos)}
    assert found["31+2"] == "BLOCKADE_CLUSTER"


@pytest.mark.rule("H7")
def test_forming_a_block():
    found = only(20, own=[20, 23, 40], dice=3)
    assert (found["rule"], found["score"]) == ("FORM_BLOCKADE_MOVE", 3_500)


@pytest.mark.rule("H8")
def test_leaving_the_start():
    found = only(0, own=[0, 20, 30, 40], dice=6)
    assert (found["rule"], found["total"]) == ("GET_OUT_OF_HOME", 7_000)


@pytest.mark.rule("H9")
def test_the_bonuses_of_strategy():
    assert only(23, own=[23, 10, 40], dice=3)["bonuses"] == 1_000
    assert only(10, own=[10, 28, 40], dice=3)["bonuses"] == 1_000 + 350  # the least advanced in play
    assert only(28, own=[28, 10, 41], dice=3)["bonuses"] == 1_000 + 5_500  # 31 is a star
    assert only(33, own=[33, 10, 41], dice=2)["bonuses"] == 1_000 + 500  # 35 is a globe
    assert only(26, own=[26, 26, 10], dice=2)["bonuses"] == 1_000 + 250  # splits a block


@pytest.mark.rule("H9")
def test_a_piece_that_is_sent_home_makes_no_progress():
    # T8: two of one colour on 23; T10: two of one colour on the entry tile
    punished = only(20, own=[20, 30, 40, 50], one=[23, 23], dice=3)
    no_way_out = only(0, own=[0, 30, 40, 50], two=[1, 1], dice=6)
    for found in (punished, no_way_out):
        assert (found["rule"], found["bonuses"], found["total"]) == ("STRATEGY", 0, 0)
    assert only(20, own=[20, 20, 40, 50], one=[23, 23], dice=3)["total"] == 250 - 500  # it splits a block


@pytest.mark.rule("H10")
@pytest.mark.parametrize(
    ("own", "enemy", "phase"),
    [
        ([20, 30, 0, 0], [57, 57, 15], "CRITICAL"),  # asked before OPENING
        ([20, 30, 0, 0], [57, 15], "OPENING"),
        ([20, 57, 0, 0], [57, 15], "OPENING"),
        ([20, 53, 57, 0], [], "CLOSING"),
        ([20, 30, 57, 0], [], "MIDGAME"),
        ([20, 57, 57, 0], [], "CLOSING"),  # one's own are no enemy's
        ([53, 57, 0, 0], [], "OPENING"),  # asked before CLOSING
    ],
)
def test_phases(own, enemy, phase):
    found = only(own[0], own=own, one=["finish" if s == 57 else s for s in enemy], dice=3)
    assert found["phase"] == phase


@pytest.mark.rule("H11")
def test_the_opening_brings_pieces_out():
    found = only(0, own=[0, 0, 30, 40], dice=6)
    assert (found["multiplier"], found["total"]) == (5, 35_000)


@pytest.mark.rule("H12")
def test_closing():
    found = lines(own=[52, 55, 56, 20], dice=2)
    assert (found[52]["rule"], found[52]["multiplier"], found[52]["total"]) == ("HOME_BASE_PROGRESS", 5, 50_000)
    assert (found[55]["rule"], found[55]["multiplier"], found[55]["total"]) == ("WIN_MOVE", 2, 2_000_000)


@pytest.mark.rule("H13")
def test_critical():
    enemy = ["finish", "finish", 23]
    found = only(20, own=[20, 30, 41], one=enemy, dice=3)
    assert (found["rule"], found["multiplier"], found["total"]) == ("CAPTURE_MOVE", 1.5, 75_000)
    found = only(30, own=[30, 21, 41], one=["finish", "finish", 32, 28], dice=3)
    assert (found["rule"], found["multiplier"]) == ("BLOCKADE_CLUSTER", 2)


@pytest.mark.rule("H14")
@pytest.mark.parametrize(("behind", "risk"), [(1, 4_800), (2, 4_000), (6, 800), (7, 0)])
@pytest.mark.parametrize("mover", COLOURS)
def test_risk_by_distance(behind, risk, mover):
    found = only(36, own=[36, 20], one=[40 - behind], dice=4, mover=mover)
    assert found["risk"] == risk


@pytest.mark.rule("H14")
def test_risks_add_up():
    assert only(36, own=[36, 20], one=[39, 34], two=[38], dice=4)["risk"] == 4_800 + 800 + 4_000


@pytest.mark.rule("H14")
def test_what_the_move_captures_is_no_risk():
    # captured on star 25, six tiles behind star 31
    found = only(23, own=[23, 41, 10], one=[25], dice=2)
    assert (found["rule"], found["risk"], found["total"]) == ("CAPTURE_MOVE", 0, 50_000)


@pytest.mark.rule("H14")
@pytest.mark.parametrize(("mode", "risk"), [("ffa", 4_800), ("teams", 0)])
def test_a_teammate_is_no_risk(mode, risk):
    pieces = {"green": [31, 45, 47, "start"], "blue": [32, "start", "start", "start"]}
    pieces |= dict.fromkeys(("yellow", "red"), ["start"] * 4)
    pos = ludus.make("pettingzoo", mode=mode).position({"pieces": pieces, "turn": "green", "dice": [2]})
    found = {str(c.move): c.detail for c in ludus.bot("heuristic").explain(pos)}
    assert found["31+2"]["risk"] == risk


@pytest.mark.rule("H14")
def test_behind_is_round_the_path_whatever_the_enemys_own_way():
    # green turns into its stairs after 55, but 53 is five tiles behind 2 on the path of 56
    found = horses(blue=[1, 38, "start", "start"], green=[53, "start", "start", "start"], dice=1)["1+1"]
    assert (found["threatened"], found["risk"]) == (True, 2 * 800)


@pytest.mark.rule("H4")
def test_a_piece_that_bounces_back_to_its_tile_is_the_one_that_moves():
    # blue's stairs begin after 27: three steps on, three back; green stands five tiles behind
    found = horses(blue=["start", 9, 24, "start"], green=[33, 31, 19, "start"], dice=6)["24+6"]
    assert (found["threatened"], found["rule"], found["bonuses"]) == (True, "STRATEGY", 1_000)
    assert found["total"] == -2 * 800


def horses(dice, **pieces):
    """Each candidate's score parts in `petits-chevaux`, blue to move."""
    game = ludus.make("petits-chevaux", players=2)
    pos = game.position({"pieces": pieces, "turn": "blue", "dice": [dice]})
    return {str(c.move): c.detail for c in ludus.bot("heuristic").explain(pos)}


@pytest.mark.rule("H15")
def test_enemies_off_the_path_are_no_risk():
    for landing in (7, 13, 20, 28, 40, 46, 50):
        position = {"own": [landing - 4, 2], "one": ["end:0", "end:2", "end:4", "finish"], "two": ["start"] * 4}
        assert only(landing - 4, **position, dice=4)["risk"] == 0


@pytest.mark.rule("H16")
def test_a_safe_landing_has_no_risk():
    assert only(33, own=[33, 20], one=[34], dice=2)["risk"] == 0  # 35 is a globe
    assert only(50, own=[50, 20], one=[51], dice=3)["risk"] == 0  # the end path


@pytest.mark.rule("H16")
@pytest.mark.parametrize(
    ("name", "out", "risk"),
    [("strict", "out", 0), ("classic", "out", 0), ("maedn", "out", 4_000), ("fia", "out(6)>0", 4_000)],
)
def test_an_entry_tile_is_safe_where_the_rules_protect_its_owner(name, out, risk):
    game = ludus.make(name, players=2)
    last = ludus.make(name).rules.path_length - 1
    pieces = {"green": ["start", 20, "start", "start"], "blue": [last - 1, "start", "start", "start"]}
    pos = game.position({"pieces": pieces, "turn": "green", "dice": [6]})
    found = {str(c.move): c.detail for c in ludus.bot("heuristic").explain(pos)}
    assert found[out]["risk"] == risk


@pytest.mark.rule("H17")
def test_score_is_rule_times_multiplier_less_risk():
    # forms a block on 40 with an enemy three behind; not threatened where it stood
    found = only(36, own=[36, 40, 20], one=[37], dice=4)
    assert found["total"] == 3_500 - 4 * 800
    # the risk is not multiplied
    found = only(20, own=[20, 30, 41], one=["finish", "finish", 23], two=[22], dice=3)
    assert (found["multiplier"], found["total"]) == (1.5, 75_000 - 4_800)


@pytest.mark.rule("H18")
def test_breaking_an_own_block_costs():
    assert only(26, own=[26, 26, 10], dice=2)["total"] == 1_000 + 250 - 500
    assert only(26, own=[26, 26, 10], one=[29], dice=3)["total"] == 50_000 - 500  # under a priority rule


@pytest.mark.rule("H18")
@pytest.mark.rule("H19")
def test_a_threatened_piece_that_does_not_flee():
    # enemy one behind 26; on 28 it is still three ahead of it
    found = only(26, own=[26, 10, 41], one=[25], dice=2)
    assert found["total"] == -found["risk"] == -3_200
    assert only(26, own=[26, 26, 41], one=[25], dice=2)["total"] == -3_200  # the broken block does not count


@pytest.mark.rule("H19")
def test_a_capture_stands_unless_the_sentence_is_taken_literally():
    threatened = {"own": [26, 10, 41], "one": [25, 28], "dice": 2}
    assert only(26, **threatened)["total"] == 50_000 - 3_200
    assert only(26, **threatened, literal=True)["total"] == -3_200


@pytest.mark.rule("H20")
def test_ties_are_broken_by_the_agents_own_seed():
    clear = Board([20, 23, 29], dice=3).pos
    assert {str(ludus.bot("heuristic", seed=seed).choose(clear)) for seed in range(60)} == {str(best_of(clear)[0])}
    tied = Board([10, 28, 41], dice=3).pos  # two jump from star to star
    assert len(best_of(tied)) == 2
    chosen = Counter(str(ludus.bot("heuristic", seed=seed).choose(tied)) for seed in range(200))
    assert set(chosen) == set(best_of(tied))
    assert min(chosen.values()) > 60
    again = [str(ludus.bot("heuristic", seed=5).choose(tied)) for _ in range(5)]
    assert len(set(again)) == 1


def best_of(position):
    """The moves with the highest score."""
    found = ludus.bot("heuristic").explain(position)
    return [str(candidate.move) for candidate in found if candidate.score == found[0].score]


@pytest.mark.rule("H21")
def test_no_legal_move_is_no_error():
    assert str(ludus.bot("heuristic").choose(Board([0, 0, 0, 0], dice=3).pos)) == "pass"
    for pieces in ([0] * 4, [57] * 4):
        state = {"player_pieces": pieces, "enemy_pieces": [], "dice_roll": 3}
        assert ludus.bot("heuristic").act(state) == ludus.bot("heuristic").act(state | {"valid_moves": []}) == 0


STATE = {"player_pieces": [0, 20, 55, 30], "enemy_pieces": [[0] * 4] * 3, "dice_roll": 2}


@pytest.mark.rule("H22")
def test_both_names_for_the_legal_moves():
    bot = ludus.bot("heuristic")
    assert bot.act(STATE | {"valid_moves": [0, 1, 2], "movable_pieces": [1, 2, 3]}) == 1  # piece 2 wins
    assert bot.act(STATE | {"valid_moves": [1, 2, 3]}) == 1
    assert bot.act(STATE | {"valid_moves": [3, 2, 1], "movable_pieces": None}) == 1


@pytest.mark.rule("H22")
def test_valid_moves_are_honoured_beside_movable_pieces():
    """Actions are the indices in `movable_pieces`; only those in `valid_moves` come into question."""
    bot = ludus.bot("heuristic", debug_scores=True)
    both = STATE | {"movable_pieces": [1, 2, 3]}
    assert bot.act(both) == bot.act(both | {"valid_moves": None}) == 1  # piece 2 wins
    assert bot.act(both | {"valid_moves": [0]}) == 0
    assert bot.act(both | {"valid_moves": [2]}) == 2
    assert bot.act(both | {"valid_moves": [2, 0]}) == 0  # piece 1 comes onto the globe on 22
    assert [line["move"] for line in bot.get_last_score_debug()] == ["19+2", "29+2"]
    assert bot.act(both | {"valid_moves": []}) == 0  # H21


@pytest.mark.rule("H20")
def test_equals_among_the_valid_moves_are_drawn():
    """Two steps on the end path are worth the same; a third piece would win, and is left out."""
    state = STATE | {"player_pieces": [52, 53, 55, 0], "movable_pieces": [0, 1, 2], "valid_moves": [0, 1]}
    assert {ludus.bot("heuristic", seed=seed).act(state) for seed in range(20)} == {0, 1}


@pytest.mark.rule("H22")
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"valid_moves": [1, 2, 3], "movable_pieces": [1, 2, 3]}, "valid_moves is a number from 0 to 2, not 3"),
        ({"valid_moves": [4]}, "a piece is a number from 0 to 3, not 4"),
        ({"movable_pieces": [-1]}, "a piece is a number from 0 to 3, not -1"),
    ],
)
def test_numbers_of_no_piece_are_told(given, problem):
    with pytest.raises(ludus.LudusError, match=problem):
        ludus.bot("heuristic").act(STATE | given)


@pytest.mark.rule("H10", "H15")
@pytest.mark.parametrize("at_home", [1, 2, 3])
def test_enemies_with_all_four_home(at_home):
    """They are no risk, and the phase is CRITICAL: the source asks for two or more in goal."""
    enemies = [[57] * 4] * at_home + [[0] * 4] * (3 - at_home)
    bot = ludus.bot("heuristic", debug_scores=True)
    assert bot.act(STATE | {"enemy_pieces": enemies, "valid_moves": [1, 2, 3]}) == 1
    parts = bot.get_last_score_debug()
    assert {line["phase"] for line in parts} == {"CRITICAL"}
    assert {line["risk"] for line in parts} == {0}


@pytest.mark.rule("H13")
def test_a_capture_where_an_enemy_has_all_four_home():
    """50,000 times 1.5, from a state; yellow's square 10 is the agent's 23."""
    state = {"player_pieces": [20, 30, 0, 0], "enemy_pieces": [[10, 0, 0, 0], [57] * 4], "dice_roll": 3}
    bot = ludus.bot("heuristic", debug_scores=True)
    assert bot.act(state | {"valid_moves": [0, 1]}) == 0
    captures = [line for line in bot.get_last_score_debug() if line["rule"] == "CAPTURE_MOVE"]
    assert [(line["multiplier"], line["total"]) for line in captures] == [(1.5, 75_000)]


@pytest.mark.rule("H23")
def test_what_the_agent_says_of_itself():
    bot = ludus.bot("heuristic", seed=4, debug_scores=True)
    assert bot.is_on_policy is False
    assert bot.needs_replay_learning is False
    position = Board([20, 30], dice=3).pos
    quiet = ludus.bot("heuristic", seed=4)
    for asked in (bot, quiet):
        asked.choose(position)
    assert bot.get_last_score_debug()
    assert quiet.get_last_score_debug() == []


@pytest.mark.rule("H24")
def test_score_debugging():
    bot = ludus.bot("heuristic", debug_scores=True)
    board = Board([55, 30, 20, 0], dice=2)
    bot.choose(board.pos)
    assert bot.supports_score_debug
    debug = {line["move"]: line for line in bot.get_last_score_debug()}
    assert set(debug) == {str(move) for move in board.pos.moves()}
    expected = {"rule": "WIN_MOVE", "multiplier": 1.0, "bonuses": 0, "risk": 0, "total": 1_000_000}
    assert {key: debug["end:3+2"][key] for key in expected} == expected
    bot.choose(Board([20], dice=3).pos)  # forced: its scores too, not those of the choice before
    assert [line["total"] for line in bot.get_last_score_debug()] == [1_350]
    best = bot.explain(board.pos)[0]
    assert best.why("en") == "brings a piece home"
    assert best.why("fr") == "rentre un pion"


@pytest.mark.rule("H24")
def test_every_part_of_a_score_is_said():
    def why(square, lang="en", **position):
        board = Board(**position)
        found = ludus.bot("heuristic").explain(board.pos)
        return next(c.why(lang) for c in found if board.short(str(c.move)).partition("+")[0] == square)

    assert why("out", own=[0, 0, 30, 41], dice=6) == "brings a piece out, counts 5 times: the opening"
    assert why("36", own=[36, 20, 50], one=[37], dice=4) == "makes progress, risk 3,200"
    assert why("26", own=[26, 10, 41], one=[25], dice=2) == "makes progress, risk 3,200, stays under threat"
    assert why("26", own=[26, 26, 10], one=[29], dice=3) == "captures, breaks an own block"
