"""What `ludus rules check` says of L1 to L37: each holds in real rule sets, and is broken by what is not Ludo."""

from __future__ import annotations

import functools
import tomllib
from typing import Any

import pytest

import ludus
from ludus.core.errors import RulesError
from ludus.games.ludo.board.reachable import Search, not_ludo
from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.rulebook.findings import BROKEN, HOLDS
from ludus.games.ludo.rulebook.loose import PERMITS
from ludus.games.ludo.rulebook.verdict import Report, check

RULES = [f"L{n}" for n in range(1, 38)]
SHIPPED = ("pettingzoo", "strict", "star", "maedn", "french")
SHELF = [name for name in documents.shipped() if name not in SHIPPED]

# every game of ludus keeps these, or they permit anything
UNBREAKABLE = set(RULES) - {"L6", "L10", "L15", "L22", "L25", "L26", "L27", "L32", "L33"}

APART = """
[board]
shape = "graph"
seats = 2
pieces = 2
paths = ["green: start > 1 > 2 > 3 > 4 > 5 > 6 > finish", "yellow: start > 11 > 12 > 13 > 14 > 15 > finish"]
"""
STRAIGHT_HOME = """
[board]
shape = "graph"
seats = 2
pieces = 2
paths = ["green: start > finish", "yellow: start > 1..9 > finish"]
"""
TWO_OF_THREE = """
[board]
shape = "graph"
seats = 3
pieces = 2
paths = ["1..9", "green: start > 1", "yellow: start > 1", "blue: start > b1 > b2 > b3 > b4 > b5 > b6 > b7 > finish",
         "green: 9 > finish", "yellow: 9 > finish"]
"""
NO_ENTRY = """
[board]
shape = "graph"
seats = 2
paths = ["1..9 > finish", "green: start > 1"]
"""
DEAD_END = """
[board]
shape = "graph"
seats = 2
paths = ["1..12", "green: start > 1", "yellow: start > 1", "green: 12 > finish"]
"""
# the finish is called finish
TYPO = """
[board]
shape = "graph"
seats = 2
paths = ["start > 1..5 > home"]
"""
# a piece stops only on every second tile, and the finish is an odd number of steps away
TWOS = """
[board]
shape = "graph"
seats = 2
paths = ["1..11", "start > 1", "11 > finish"]
[chance]
faces = [2, 4, 6]
"""
SAME_CARDS = """
[chance]
device = "cards"
cards = [{name = "six", distance = 6}, {name = "half-a-dozen", distance = 6}]
"""

# id, document, the option at fault, what the reason says
BROKEN_BY: list[tuple[str, str, str, str]] = [
    ("L6", APART, "board.paths", "no two players can stand on the same tile"),
    ("L10", STRAIGHT_HOME, "board.paths", "the pieces of green go from start to finish without a path"),
    ("L15", "[chance]\nfaces = [6]", "chance.faces", "only one answer"),
    ("L15", "[chance]\nfaces = [6, 6, 6]", "chance.faces", "only one answer"),
    ("L15", '[chance]\ndevice = "cowries"\ndice = 2\nthrows = [6, 6, 6]', "chance.throws", "only one answer"),
    ("L15", SAME_CARDS, "chance.cards", "only one answer"),
    ("L22", APART, "board.paths", "no tile can be reached by all players"),
    ("L22", TWO_OF_THREE, "board.paths", "no tile can be reached by all players"),
    ("L22", "[chance]\nfaces = [2, 4, 6]", "board", "no tile can be reached by all players"),
    ("L25", "[turn]\nlose_on = [6]", "start.leave_on", "brings a piece out"),
    ("L25", NO_ENTRY, "board.paths", "yellow has no tile to come out on"),
    ("L26", STRAIGHT_HOME, "board.paths", "green comes out onto a tile that is not on the path"),
    ("L27", DEAD_END, "board.paths", "the pieces of yellow can't reach their finish"),
    ("L27", DEAD_END, "board.paths", "their way ends at 12, and the last tile of a way home leads to 'finish'"),
    ("L27", TYPO, "board.paths", "their way ends at home, and"),
    ("L27", TWOS, "board.paths", "can't reach their finish: what can be rolled never adds up to it"),
    ("L32", '[capture]\nby = "none"', "capture.by", "never matter to each other"),
    ("L33", '[capture]\nby = "none"', "capture.by", "nothing is ever captured"),
    ("L33", '[capture]\nby = "none"\n[block]\nstops = "all"', "capture.by", "nothing is ever captured"),
]


def document(text: str) -> dict[str, Any]:
    return {"name": "mine"} | tomllib.loads(text)


@functools.cache
def shipped_report(name: str) -> Report:
    return check(name)


@pytest.mark.parametrize("rule", [pytest.param(rule, marks=pytest.mark.rule(rule)) for rule in RULES])
def test_holds_in_every_shipped_rule_set(rule: str) -> None:
    for name in SHIPPED:
        finding = shipped_report(name).of(rule)
        assert finding.status == HOLDS, (name, finding.why("en"))
        assert finding.why("en")
        assert finding.why("fr") != finding.why("en")


@pytest.mark.parametrize(
    ("rule", "text", "option", "words"),
    [pytest.param(*case, marks=pytest.mark.rule(case[0]), id=f"{case[0]}-{n}") for n, case in enumerate(BROKEN_BY)],
)
def test_broken(rule: str, text: str, option: str, words: str) -> None:
    report = check(document(text))
    finding = report.of(rule)
    assert (finding.status, finding.option) == (BROKEN, option)
    assert words in finding.why("en")
    assert report.verdict == "none"
    assert report.verdict_in_words("en") == "not Ludo"
    assert not report.passed


@pytest.mark.parametrize(("rule", "text"), [case[:2] for case in BROKEN_BY], ids=[case[0] for case in BROKEN_BY])
def test_what_is_not_ludo_is_refused_with_an_id(rule: str, text: str) -> None:
    with pytest.raises(RulesError) as caught:
        ludus.make(document(text))
    broken = [finding.rule for finding in check(document(text)).broken("L")]
    assert rule in broken
    assert any(f"({each})" in str(caught.value) for each in broken)


def test_every_rule_that_can_be_broken_is_broken_above() -> None:
    assert {rule for rule, *_ in BROKEN_BY} == set(RULES) - UNBREAKABLE


@pytest.mark.parametrize("rule", [pytest.param(rule, marks=pytest.mark.rule(rule)) for rule in PERMITS])
def test_a_rule_that_permits_anything_says_so(rule: str) -> None:
    finding = shipped_report("star").of(rule)
    assert "permits anything" in finding.why("en")
    assert "permet tout" in finding.why("fr")


# ---------------------------------------------------------------- the evidence


@pytest.mark.rule("L15")
@pytest.mark.parametrize("name", SHIPPED)
def test_randomness_is_shown_by_outcomes(name: str) -> None:
    outcomes = shipped_report(name).of("L15").proof["outcomes"]
    assert sum(outcomes.values()) == pytest.approx(1, abs=1e-4)
    assert len(outcomes) > 1


@pytest.mark.rule("L33")
@pytest.mark.parametrize("name", SHIPPED)
def test_a_capture_is_shown_by_a_position_and_a_move(name: str) -> None:
    proof = shipped_report(name).of("L33").proof
    rolled = ludus.make(name).position(proof["position"]).play(proof["roll"])
    move = rolled.move(rolled.action(proof["move"]))
    taken = [{"colour": each.colour, "tile": each.tile} for each in move.captures]
    assert taken == proof["captures"]
    victim = taken[0]["colour"]
    assert victim != rolled.to_move
    places = rolled.play(move).to_dict()["pieces"][victim]
    assert places.count(taken[0]["tile"]) < rolled.to_dict()["pieces"][victim].count(taken[0]["tile"])


@pytest.mark.parametrize("name", SHELF)
def test_every_rule_set_of_the_shelf_is_ludo(name: str) -> None:
    report = check(name)
    assert [finding.why("en") for finding in report.broken("L")] == []
    assert report.verdict == "loose"
    proof = report.of("L33").proof
    position = ludus.make(name).position(proof["position"])
    rolled = position.play(proof["roll"]) if proof["roll"] else position  # what is held is no roll
    assert rolled.move(rolled.action(proof["move"])).captures


@pytest.mark.rule("L25")
@pytest.mark.parametrize("name", SHIPPED)
def test_leaving_the_start_is_shown_for_every_colour(name: str) -> None:
    game = ludus.make(name)
    proof = shipped_report(name).of("L25").proof
    assert list(proof) == list(game.players)
    for colour, way in proof.items():
        pieces = {each: ["start"] * game.rules.board.pieces for each in game.players}
        after = game.position({"pieces": pieces, "turn": colour}).play(way["roll"]).play(way["move"])
        assert way["tile"] in after.to_dict()["pieces"][colour]


@pytest.mark.rule("L27")
@pytest.mark.parametrize("name", SHIPPED)
def test_the_way_home_is_shown_by_rolls_and_moves(name: str) -> None:
    game = ludus.make(name)
    for colour, way in shipped_report(name).of("L27").proof.items():
        place: Any = "start"
        for step in way:
            roll, move = step.split()
            pieces = {each: ["start"] * game.rules.board.pieces for each in game.players}
            pieces[colour][0] = place
            data = {"pieces": pieces, "turn": colour}
            if game.rules.capture.before_home:
                data["captured"] = list(game.players)
            before = game.position(data).play(roll)
            arrived = set(before.play(move).to_dict()["pieces"][colour]) - set(before.to_dict()["pieces"][colour])
            (place,) = arrived
        assert place == "finish" or str(place).startswith("end:")


@pytest.mark.rule("L20")
@pytest.mark.parametrize("name", SHIPPED)
def test_games_end_within_the_bound(name: str) -> None:
    proof = shipped_report(name).of("L20").proof
    assert proof["ended"] == proof["games"] > 0
    assert proof["longest_in_plies"] < proof["bound"]


# what a document without an end says of itself: L20 lets a game continue indefinitely
ENDLESS = [
    ('[movement]\nmay_move = "all"', "players move each other's pieces"),
    ("[turn]\nmay_pass = true", "a player may pass"),
    ('[board]\njumps = ["9 > 5"]', "a piece can go round in a circle"),
    ('[board]\npaths = ["9 > bridge > 5"]', "a piece can go round in a circle"),
    ('[board]\npaths = ["9 > cul > de-sac"]', "a piece can come to where no way leads home"),
    ("[squares]\nsend_home = [7]", "tiles send pieces home"),
]


@pytest.mark.rule("L20")
@pytest.mark.parametrize(("text", "why"), ENDLESS, ids=[why for _, why in ENDLESS])
def test_a_game_without_end_is_ludo_and_warned_of(text: str, why: str) -> None:
    over_strict = document(text) | {"extends": "strict"}
    report = check(over_strict)
    assert report.of("L20").status == HOLDS
    assert report.verdict == "loose"
    assert why in report.of("L20").why("en")
    (warning,) = report.warnings("en")
    assert why in warning
    assert "win.turn_limit" in warning
    assert report.warnings("fr") != [warning]
    assert report.to_dict()["warnings"] == [warning]
    game = ludus.make(over_strict)
    assert game.start(seed=1).hints() == [warning]
    assert game.start(seed=1).roll().hints() == []
    for machine in (lambda: ludus.arena(game, ["random"], games=1), lambda: ludus.envs.vector(game, num_envs=1)):
        with pytest.raises(ludus.LudusError, match=r"go on for ever.*win\.turn_limit"):
            machine()


@pytest.mark.rule("L20")
def test_a_limit_takes_the_warning_away() -> None:
    report = check(document("[turn]\nmay_pass = true\n[win]\nturn_limit = 90"))
    assert report.warnings("en") == []
    assert check("strict").warnings("en") == []


@pytest.mark.rule("L20")
def test_a_long_game_that_ends_is_ludo() -> None:
    """Its random games end only after more plies than the check plays."""
    report = check(document("[board]\nseats = 8\npieces = 8\nend_path = 12\n[chance]\nfaces = [1, 6]"))
    assert report.of("L20").values["ended"] == 0
    assert report.of("L20").status == HOLDS
    assert report.verdict == "loose"


@pytest.mark.rule("L22")
def test_common_tiles_are_those_that_everybody_can_stand_on() -> None:
    # strict: each colour leaves out the one tile before its own entry tile (S39)
    tiles = shipped_report("strict").of("L22").proof["tiles"]
    assert sorted(set(range(52)) - set(tiles)) == [12, 25, 38, 51]
    # star: whoever lands on a star jumps on
    assert not set(shipped_report("star").of("L22").proof["tiles"]) & {4, 17, 30, 43}


@pytest.mark.rule("L27")
def test_the_search_knows_distances() -> None:
    rules = ludus.make("strict").rules
    assert not_ludo(rules) is None
    sixes = rules.model_copy(update={"chance": rules.chance.model_copy(update={"faces": (6, 5)})})
    search = Search(sixes)
    assert 4 not in search.landed[0]  # neither 5s nor 6s make 4
    assert {0, 5, 6, 10, 11, 12} <= search.landed[0]


@pytest.mark.rule("L22")
def test_the_search_follows_jumps_and_branches() -> None:
    text = """
    [board]
    shape = "graph"
    seats = 2
    paths = ["1..12 > finish", "start > 1", "3 > a > b > 9"]
    jumps = ["5 > 11"]
    """
    game = ludus.make(document(text))
    search = Search(game.rules)
    names = {search.board.name(node) for node in search.landed[0]}
    assert {"a", "b", 11, "finish"} <= names
    assert 5 not in names


@pytest.mark.rule("L2")
def test_what_only_a_change_allows_is_ludo() -> None:
    text = """
    capture = {by = "none"}
    changes = [{when = "turns", at_least = 10, scope = "all", set = {"capture.by" = "landing"}}]
    """
    rules = ludus.make(document(text)).rules
    assert not_ludo(rules) is None


@pytest.mark.rule("L13")
def test_another_way_to_win_is_allowed_by_l20() -> None:
    finding = check(document('[win]\ncondition = "last_out"')).of("L13")
    assert finding.status == HOLDS
    assert "by L20" in finding.why("en")


def test_a_mistake_is_bad_input_and_no_verdict() -> None:
    with pytest.raises(RulesError, match=r"chance\.cards"):
        check(document('[chance]\ndevice = "cards"'))
    with pytest.raises(RulesError, match=r"board\.seats"):
        check(document("[board]\nseats = 99"))


def test_the_verdicts_of_the_shipped_rule_sets() -> None:
    assert {name: shipped_report(name).verdict for name in SHIPPED} == {
        name: "strict" if name == "strict" else "loose" for name in SHIPPED
    }


def test_a_report_as_data() -> None:
    data = shipped_report("french").to_dict("fr")
    assert data["verdict"] == "Loose Ludo"
    assert data["broken"]["L"] == []
    assert "S35" in data["broken"]["S"]
    assert [each["rule"] for each in data["rules"]] == [f"S{n}" for n in range(1, 54)] + RULES
    (s35,) = [each for each in data["rules"] if each["rule"] == "S35"]
    assert (s35["status"], s35["field"]) == ("broken", "capture.captured_to")
    assert "held" in s35["reason"]


class NoSixes:
    """A plug-in: with it, a 6 never comes."""

    name = "no-sixes"

    def outcomes(self, position: Any, weights: dict[str, int]) -> dict[str, int]:
        return {outcome: weight for outcome, weight in weights.items() if outcome != "6"}


class Gentle:
    """A plug-in: nobody is captured."""

    name = "gentle"

    def allows(self, position: Any, move: Any) -> bool:
        return not move.captures


SMALL = {"name": "small", "board": {"seats": 2, "pieces": 1, "end_path": 2, "path": 16}, "win": {"turn_limit": 30}}


@pytest.mark.rule("L25")
def test_a_plug_in_goes_through_the_same_checks() -> None:
    finding = check(SMALL, plugins=[NoSixes()]).of("L25")
    assert (finding.status, finding.option) == (BROKEN, "start.leave_on")
    assert check(SMALL).of("L25").status == HOLDS


@pytest.mark.rule("L33")
def test_a_plug_in_that_forbids_captures_is_found_out_by_play() -> None:
    report = check(SMALL, plugins=[Gentle()])
    assert (report.of("L33").status, report.verdict) == (BROKEN, "none")
    assert check(SMALL).of("L33").status == HOLDS


@pytest.mark.rule("S17")
def test_a_rule_in_python_is_not_strict() -> None:
    report = check({"name": "mine", "extends": "strict"} | SMALL, plugins=[Gentle()])
    assert (report.of("S17").status, report.of("S17").option) == (BROKEN, "plugins")
    assert "gentle" in report.of("S17").why("en")
