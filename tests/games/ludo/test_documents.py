"""Rule-set documents: inheritance, overrides, limits, and one clear line for everything that is wrong."""

import contextlib
import copy
import itertools
import pickle
import random
import time

import pytest

import ludus
from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.document.rules import GROUPS

HOSTILE_SECONDS = 2.0  # well above the 0.2 s it takes a quiet machine, far below what quadratic work would take


def refused(*args, **options):
    """The one line that `ludus.make` answers with, and that it is one, short, and quick."""
    before = time.process_time()
    with pytest.raises(ludus.LudusError) as caught:
        ludus.make(*args, **options)
    spent = time.process_time() - before
    line = str(caught.value)
    assert line.strip()
    assert line.isprintable(), repr(line)[:200]
    assert len(line) < 400, line[:400]
    assert spent < HOSTILE_SECONDS, f"{spent:.3f} s"
    return line


@pytest.fixture(autouse=True, scope="module")
def _loaded():
    ludus.make("strict")  # what the first call loads is no part of the time limit


@pytest.fixture
def toml(tmp_path):
    """Writes rule-set files."""

    def write(text, name="mine.toml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


# --- Making games -----------------------------------------------------------------------------------


def test_all_shipped_rule_sets_are_valid():
    assert [g for g in ludus.games() if g in documents.shipped()] == documents.shipped()
    for name in documents.shipped():
        game = ludus.make(name)
        assert game.name == name
        assert documents.validate(game.rules.model_dump(mode="json"), name) == game.rules


def test_a_file_is_a_rule_set(toml):
    path = toml('name = "mine"\n[board]\nend_path = 4\n')
    for source in (path, str(path)):
        game = ludus.make(source)
        assert (game.name, game.rules.board.end_path, game.num_players) == ("mine", 4, 4)


def test_a_mapping_is_a_rule_set():
    game = ludus.make({"name": "mine", "board": {"end_path": 4}, "turn": {"again_on": ["six"]}}, players=2)
    assert (game.rules.board.end_path, game.rules.turn.again_on) == (4, ("six",))
    assert game.players == ("green", "blue")


def test_the_mapping_handed_in_stays_as_it_is():
    mine = {"extends": "strict", "name": "mine", "board": {"end_path": 4}}
    before = copy.deepcopy(mine)
    ludus.make(mine, corners=True, block={"stops": "all"})
    assert mine == before


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("strickt", "did you mean 'strict'"),
        ("petingzoo", "did you mean 'pettingzoo'"),
        ("nonsense", "there are pettingzoo, strict"),
        ("", "unknown"),
        ("no/such/file.toml", "No such file"),
        ("missing.toml", "missing.toml"),
        ("/", "/"),
        (5, "5"),
        (None, "None"),
        (["strict"], "strict"),
        (b"strict", "strict"),
        ("x" * 5000, "xxx"),
        ("x" * 5000 + ".toml", "xxx"),
        ("a\0b", "unknown"),
        ("a\0b.toml", "a"),
        ("a\nb", "unknown"),
        ("a\nb.toml", "a"),
        ("\ud800.toml", ""),
        ("Strict", "did you mean 'strict'"),
    ],
)
def test_unknown_games(source, says):
    assert says in refused(source)


@pytest.mark.parametrize(
    ("game", "players", "says"),
    [
        ("strict", 5, "2 to 4"),
        ("strict", 1, "2 to 4"),
        ("strict", 0, "2 to 4"),
        ("strict", -2, "2 to 4"),
        ("maedn", 5, "2 to 4"),
        ("pettingzoo", 10**30, "2 to 4"),
        ("strict", True, "True"),
        ("strict", "green", "green"),
        ("strict", "3", "3"),
        ("strict", ["pink"], "pink"),
        ("strict", ["green", "gren"], "did you mean 'green'"),
        ("strict", ["green", "purple"], "purple"),
        ("strict", ["green"], "2 to 4"),
        ("strict", [], "2 to 4"),
        ("strict", ["green", "green"], "different"),
        ("strict", ["green", None], "None"),
        ("strict", [["green"], ["blue"]], "green"),
        ("strict", [0, 2], "0"),
        ("strict", 2.5, "2.5"),
        ("strict", 3.0, "3.0"),
        ("strict", object, "class"),
        ("strict", ["x" * 9000, "green"], "xxx"),
        ("strict", ["a\nb", "green"], "a"),
    ],
)
def test_players_that_cannot_play(game, players, says):
    line = refused(game, players=players)
    assert "players" in line
    assert says in line


def test_players_by_number_and_by_colour():
    assert ludus.make("strict").players == ("green", "yellow", "blue", "red")
    assert ludus.make("strict", players=2).players == ("green", "blue")
    assert ludus.make("strict", players=3).players == ("green", "yellow", "blue")
    assert ludus.make("strict", players=["red", "yellow"]).players == ("yellow", "red")  # in seat order
    assert ludus.make("strict", players=("blue", "green")) == ludus.make("strict", players=2)
    assert ludus.make("strict", players=2, seating="adjacent").players == ("green", "yellow")


@pytest.mark.parametrize("players", [2, 3])
def test_teams_take_four_players(players):
    line = refused("pettingzoo", players=players, mode="teams")
    assert "four players" in line
    assert "Z22" in line
    assert ludus.make("pettingzoo", mode="teams").num_players == 4


def test_teams_take_four_seats():
    assert "board.seats = 4" in refused({"name": "x", "modes": {"mode": "teams"}, "board": {"seats": 5}})


# --- Inheritance ------------------------------------------------------------------------------------


def test_extends_lists_differences_only(toml):
    game = ludus.make(toml('extends = "strict"\nname = "mine"\n[board]\ncorners = true\n'))
    strict = ludus.make("strict").rules
    assert game.rules.board == strict.board.model_copy(update={"corners": True})
    assert game.rules.finish == strict.finish
    assert game.rules.turn == strict.turn
    assert game.rules.cites == strict.cites
    assert (game.rules.title, game.rules.source) == ("", "")  # these describe the parent


def test_extends_replaces_a_list_whole():
    game = ludus.make(
        {
            "extends": "maedn",
            "name": "mine",
            "turn": {"again_on": ["capture"], "six_without_move": "ends_turn"},
        }
    )
    assert game.rules.turn.again_on == ("capture",)
    assert game.rules.start.clear_entry


def test_extends_a_file_beside_it(toml):
    toml('extends = "strict"\nname = "base"\n[board]\ncorners = true\n', "base.toml")
    child = toml('extends = "base.toml"\nname = "child"\n[chance]\ndice = 2\n', "child.toml")
    rules = ludus.make(child).rules
    assert (rules.name, rules.board.corners, rules.chance.dice, rules.turn.first) == (
        "child",
        True,
        2,
        "roll_off",
    )


def test_extends_goes_from_the_files_own_folder(toml, monkeypatch, tmp_path):
    toml('extends = "../base.toml"\nname = "inner"\n', "deep/inner.toml")
    toml('name = "base"\n[board]\npieces = 2\n', "base.toml")
    monkeypatch.chdir(tmp_path.parent)
    assert ludus.make(tmp_path / "deep" / "inner.toml").rules.board.pieces == 2


def test_a_file_may_be_named_like_others_elsewhere(toml, tmp_path):
    """The same text in `extends`, in two folders, is two files and no circle."""
    toml('extends = "sub/x.toml"\nname = "top"\n', "x.toml")
    toml('extends = "sub/x.toml"\nname = "middle"\n', "sub/x.toml")
    (tmp_path / "sub" / "sub").mkdir()
    toml('name = "bottom"\n[board]\npieces = 3\n', "sub/sub/x.toml")
    assert ludus.make(tmp_path / "x.toml").rules.board.pieces == 3


def test_options_override_what_is_inherited(toml):
    path = toml('extends = "strict"\nname = "mine"\n[board]\nend_path = 4\n')
    assert ludus.make(path, end_path=6).rules.board.end_path == 6


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('extends = "mine.toml"\nname = "x"', "circle"),
        ('extends = "./mine.toml"\nname = "x"', "extends"),
        ('extends = "strickt"\nname = "x"', "did you mean 'strict'"),
        ('extends = "other.toml"\nname = "x"', "other.toml"),
        ('extends = 5\nname = "x"', "extends"),
        ('extends = ["strict"]\nname = "x"', "extends"),
        ('extends = ""\nname = "x"', "extends"),
        ('extends = "."\nname = "x"', "extends"),
        ('extends = "a\\u0000b.toml"\nname = "x"', "extends"),
        ('extends = "a\\nb.toml"\nname = "x"', "extends"),
        ('name = "x"\n[extends]\nstrict = 1', "extends"),
    ],
)
def test_bad_extends(toml, text, says):
    path = toml(text)
    line = refused(path)
    assert says in line
    assert "mine.toml" in line  # where


def test_circles_of_several_files(toml):
    toml('extends = "b.toml"\nname = "a"', "a.toml")
    toml('extends = "c.toml"\nname = "b"', "b.toml")
    path = toml('extends = "a.toml"\nname = "c"', "c.toml")
    assert "circle" in refused(path)


def test_ancestors_are_counted(toml):
    for n in range(30):
        toml(f'extends = "f{n + 1}.toml"\nname = "f{n}"', f"f{n}.toml")
    path = toml('name = "f30"', "f30.toml")
    assert "extends" in refused(path.with_name("f0.toml"))
    assert ludus.make(path.with_name("f26.toml")).name == "f26"


def test_a_mapping_extends_shipped_rule_sets_only(toml):
    path = toml('name = "x"')
    assert "extends" in refused({"name": "y", "extends": str(path)})
    assert "extends" in refused({"name": "y", "extends": "/etc/passwd"})
    assert "did you mean 'star'" in refused({"name": "y", "extends": "starr"})


def test_an_error_in_the_parent_is_found(toml):
    toml('name = "base"\n[board]\nend_pth = 4\n', "base.toml")
    assert "did you mean 'end_path'" in refused(toml('extends = "base.toml"\nname = "child"'))
    toml("name = ", "base.toml")
    assert "base.toml" in refused(toml('extends = "base.toml"\nname = "child"'))


# --- Overrides --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"end_path": 4},
        {"board.end_path": 4},
        {"board": {"end_path": 4}},
    ],
)
def test_three_ways_to_override(options):
    mine = ludus.make("strict").rules.model_dump(mode="json")
    mine["board"]["end_path"] = 4
    assert ludus.make("strict", **options) == ludus.make(mine)


def test_a_group_mapping_keeps_the_groups_other_options():
    rules = ludus.make("strict", finish={"rule": "bounce"}).rules
    assert (rules.finish.rule, rules.finish.passing) == ("bounce", False)


def test_a_groups_name_with_a_plain_value_is_its_main_option():
    assert ludus.make("strict", finish="overshoot").rules.finish.rule == "overshoot"
    assert ludus.make("strict", block="opponents").rules.block.stops == "opponents"
    assert ludus.make("strict", safe=[0, 8]).rules.safe.tiles == (0, 8)


def test_lists_tuples_and_sets_are_alike():
    games = [ludus.make("strict", **{"safe.tiles": tiles}) for tiles in ([8, 10], (8, 10), {10, 8}, frozenset((8, 10)))]
    games += [ludus.make("strict", safe={"tiles": tiles}) for tiles in ([8, 10], (8, 10), {10, 8})]
    assert all(game == games[0] for game in games)


def test_no_option_has_two_places():
    leaves = [key for model in GROUPS.values() for key in model.model_fields]
    assert len(leaves) == len(set(leaves))
    assert not set(leaves) & {"players", "name", "version", "extends", "source", "title", "cites"} - {"players"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"endpath": 4}, "did you mean 'end_path'"),
        ({"end_pth": 4}, "did you mean 'end_path'"),
        ({"board.endpath": 4}, "did you mean 'board.end_path'"),
        ({"bord.end_path": 4}, "did you mean 'board.end_path'"),
        ({"board": {"endpath": 4}}, "did you mean 'end_path'"),
        ({"board": 5}, "board"),
        ({"turn": "seat"}, "turn"),
        ({"colour": "green"}, "colour"),
        ({"name": "x"}, "name"),
        ({"extends": "star"}, "extends"),
        ({"": 1}, "option"),
        ({".": 1}, "option"),
        ({"board.": 1}, "option"),
        ({"board.end_path.x": 1}, "option"),
        ({"x" * 60_000: 1}, "option"),
        ({"a\nb": 1}, "option"),
        ({"a." * 30_000: 1}, "option"),
        ({"board": {5: 1}}, "board"),
        ({"board": {"x" * 60_000: 1}}, "board"),
        ({"board": {"a\nb": 1}}, "board"),
        ({"__class__": 1}, "option"),
        ({"model_config": {}}, "option"),
    ],
)
def test_unknown_options(options, says):
    assert says in refused("strict", **options)


def nested(depth, make=lambda inner: [inner]):
    value = 1
    for _ in range(depth):
        value = make(value)
    return value


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"end_path": "4"}, "board.end_path"),
        ({"end_path": 4.0}, "board.end_path"),
        ({"end_path": True}, "board.end_path"),
        ({"end_path": None}, "board.end_path"),
        ({"end_path": 0}, "board.end_path"),
        ({"end_path": -1}, "board.end_path"),
        ({"end_path": 13}, "board.end_path"),
        ({"end_path": 10**400}, "board.end_path"),
        ({"end_path": float("nan")}, "board.end_path"),
        ({"end_path": [4]}, "board.end_path"),
        ({"corners": 1}, "board.corners"),
        ({"corners": "yes"}, "board.corners"),
        ({"dice": 9}, "chance.dice"),
        ({"dice": 3}, "chance.dice: these rules allow 1 or 2, not 3"),
        ({"dice": True}, "chance.dice"),
        ({"dice": 2.0}, "chance.dice"),
        ({"finish": "exactly"}, "finish.rule"),
        ({"finish": 5}, "finish.rule"),
        ({"leave_on": 6}, "start.leave_on"),
        ({"leave_on": []}, "start.leave_on"),
        ({"leave_on": [0]}, "start.leave_on"),
        ({"leave_on": [7]}, "start.leave_on"),
        ({"leave_on": ["6"]}, "start.leave_on"),
        ({"leave_on": [True]}, "start.leave_on"),
        ({"leave_on": "6"}, "start.leave_on"),
        ({"leave_on": [1, 2, 3, 4, 5, 6, 6]}, "start.leave_on"),
        ({"again_on": ["sixes"]}, "turn.again_on"),
        ({"again_on": "six"}, "turn.again_on"),
        ({"safe": [-1]}, "safe.tiles"),
        ({"safe": "all"}, "safe.tiles"),
        ({"seats": 1}, "board.seats"),
        ({"seats": 13}, "board.seats"),
        ({"pieces": 0}, "board.pieces"),
        ({"board.path": 4}, "board.path"),
        ({"end_path": nested(15)}, "board.end_path"),
        ({"end_path": nested(100_000)}, "end_path"),
        ({"end_path": 10**9000}, "board.end_path"),
        ({"leave_on": {6, "six", None}}, "start.leave_on"),
        ({"board": {"end_path": nested(100_000)}}, "board"),
        ({"board": nested(5_000, lambda inner: {"board": inner})}, "board"),
        ({"end_path": "x" * 100_000}, "board.end_path"),
        ({"end_path": "a\nb"}, "board.end_path"),
        ({"end_path": object()}, "board.end_path"),
    ],
)
def test_values_out_of_type_or_range(options, says):
    assert says in refused("strict", **options)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"board.path": 50}, "board.path = 50"),
        ({"board.path": 1000}, "240"),
        ({"seats": 8, "end_path": 12, "corners": True, "board.path": 800}, "240"),
        ({"safe": [13]}, "below 13"),
        ({"stars": [13]}, "below 13"),
        ({"safe": [5], "stars": [5]}, "share a tile"),
        ({"pool": "double_six"}, "chance.dice = 2"),
        ({"combined_move": "sweep"}, "chance.dice = 2"),
        ({"forced_combination": True, "dice": 2}, "movement.combined_move"),
        ({"go_on": "forced_alone", "dice": 2}, "movement.combined_move"),
        ({"exit_block": "special", "dice": 2}, "captured_to"),
        ({"unblock_duty": True}, "block.stops"),
        ({"again_on": ["six"], "sixes_limit": 1}, "sixes_limit"),
        ({"places": "end_path", "share_own": False, "end_path": 3}, "end-path tile for each piece"),
        ({"places": "end_path", "share_own": False, "finish": "bounce"}, "exact"),
        ({"share_own": False, "block": "all"}, "share_own"),
        ({"mode": "teams", "play_on": True}, "ffa"),
        ({"mode": "teams", "pieces": 8}, "at most 7"),
        ({"leave_on": [6, 6]}, "twice"),
        ({"again_on": ["six", "six"]}, "twice"),
        ({"safe": [5, 5]}, "twice"),
        ({"stars": [5, 5]}, "twice"),
    ],
)
def test_contradictions(options, says):
    line = refused("strict", **options)
    assert says in line
    assert "strict" in line


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "x"\nbord = 1', "did you mean 'board'"),
        ('name = "x"\n[bord]\nend_path = 4', "did you mean 'board'"),
        ('name = "x"\n[board]\nendpath = 4', "did you mean 'end_path'"),
        ('name = "x"\n[board.end_path]\nx = 4', "board.end_path"),
        ('name = "x"\nboard = 5', "board"),
        ('name = "x"\n[[board]]\nend_path = 4', "board"),
        ("[board]\nend_path = 4", "name"),
        ("", "name"),
        ("name = 5", "name"),
        ('name = ""', "name"),
        ('name = "No Good"', "name"),
        ('name = "x\\ny"', "name"),
        ('name = "x"\nversion = 0', "version"),
        ('name = "x"\nversion = "1"', "version"),
        ('name = "x"\n[cites]\nfinished = 5', "cites.finished"),
        ('name = "x"\n[cites]\n"a\\nb" = 5', "cites"),
        ('name = "x"\n"a\\nb" = 5', "unknown option"),
        ('name = "x"\n[board]\nend_path = 2024-01-01', "board.end_path"),
        ('name = "x"\n[board]\nend_path = inf', "board.end_path"),
        (f'name = "x"\n{"k" * 60_000} = 1', "unknown option"),
        (f'name = "x"\ntitle = "{"k" * 60_000}"', "title"),
        ("name = 'x'\n" + "\n".join(f"k{n} = 1" for n in range(5000)), "unknown option"),
    ],
)
def test_documents_with_mistakes(toml, text, says):
    line = refused(toml(text))
    assert says in line
    assert "mine.toml" in line


def test_the_mistake_is_shown_with_what_would_be_right(toml):
    line = refused(toml('name = "x"\n[board]\nend_path = 99'))
    assert "board.end_path" in line
    assert "12" in line
    assert "99" in line
    line = refused(toml('name = "x"\n[finish]\nrule = "exackt"'))
    assert "'exact', 'overshoot', 'bounce'" in line


# --- Limits -----------------------------------------------------------------------------------------

KB = 1024
LONG_KEY = ".".join(["a"] * 20_000)
LIMITS = {
    "65 kB": ("# " + "x" * 65 * KB, "64 kB"),
    "10 MB": ("# " + "x" * 10 * KB * KB, "64 kB"),
    "65 kB in wide letters": ("# " + "é" * 33 * KB, "64 kB"),
    "a dotted key of 9 parts": ("a.b.c.d.e.f.g.h.i = 1", "8 parts"),
    "9 quoted parts": ('"a"."b".\'c\'."d"."e"."f"."g"."h"."i" = 1', "8 parts"),
    "9 parts with blanks": ("a . b . c . d . e . f . g . h . i = 1", "8 parts"),
    "a table of 9 parts": ("[a.b.c.d.e.f.g.h.i]", "8 parts"),
    "an array table of 9 parts": ("[[a.b.c.d.e.f.g.h.i]]", "8 parts"),
    "9 parts inline": ("x = {a.b.c.d.e.f.g.h.i = 1}", "8 parts"),
    "9 parts in an array": ("x = [1, {a.b.c.d.e.f.g.h.i = 1}]", "8 parts"),
    "a 60 kB dotted key": (".".join(["a"] * 30_000) + " = 1", "8 parts"),
    "a 60 kB dotted table": ("[" + ".".join(["a"] * 30_000) + "]", "8 parts"),
    "60 kB of dots": ("." * 60_000, "8 parts"),
    "10,000 brackets": ("x = " + "[" * 10_000 + "]" * 10_000, "16 levels"),
    "10,000 open brackets": ("x = " + "[" * 10_000, "16 levels"),
    "10,000 braces": ("x = " + "{a=" * 10_000, "16 levels"),
    "17 brackets": ("x = " + "[" * 17 + "]" * 17, "16 levels"),
    "17 of both kinds": ("x = " + "[{a=" * 8 + "[" + "]" + "}]" * 8 + "\ny = " + "[" * 17, "16 levels"),
    "a key behind a string with one quote more": (
        'x = ["""a"""", {' + LONG_KEY + ' = 1}, "b"]',
        "8 parts",
    ),
    "a key behind a string with two quotes more": (
        'x = ["""a""""", {' + LONG_KEY + ' = 1}, ""]',
        "8 parts",
    ),
    "a key behind a literal with one quote more": (
        "x = ['''a'''', {" + LONG_KEY + " = 1}, 'b']",
        "8 parts",
    ),
    "a key behind an escaped quote": ('x = ["a\\"", {' + LONG_KEY + ' = 1}, "b"]', "8 parts"),
    "a key behind a literal backslash": ("x = ['a\\', {" + LONG_KEY + " = 1}, 'b']", "8 parts"),
    "a key behind a hash in a string": ('x = ["#", {' + LONG_KEY + " = 1}]", "8 parts"),
    "a key behind a quote in a comment": ('# "\n' + LONG_KEY + ' = "b"', "8 parts"),
    "a key behind triple quotes in a comment": ('# """\n' + LONG_KEY + ' = "b" # """', "8 parts"),
    "brackets behind a literal": ("x = ['a\\', " + "[" * 5_000, "16 levels"),
}


@pytest.mark.parametrize(("text", "says"), LIMITS.values(), ids=LIMITS)
def test_limits(toml, text, says):
    line = refused(toml('name = "x"\n' + text))
    assert says in line
    assert "mine.toml" in line


@pytest.mark.parametrize(("text", "says"), LIMITS.values(), ids=LIMITS)
def test_limits_come_before_the_parser(text, says, monkeypatch):
    def loads(_):
        raise AssertionError("the TOML parser has seen it")

    monkeypatch.setattr(documents.tomllib, "loads", loads)
    with pytest.raises(ludus.RulesError, match=says):
        documents.parse(text, "here")


def test_the_line_is_named():
    with pytest.raises(ludus.RulesError, match="line 4"):
        documents.parse('a = """\n\n"""\nb.b.b.b.b.b.b.b.b = 1', "here")
    with pytest.raises(ludus.RulesError, match="line 2"):
        documents.parse("a = 1\nb = " + "[" * 20, "here")


WITHIN = {
    "8 parts": "a.b.c.d.e.f.g.h = 1",
    "a table of 8 parts": "[a.b.c.d.e.f.g.h]",
    "16 levels": "x = " + "[" * 16 + "]" * 16,
    "many numbers with points": "x = [" + "1.5, " * 5000 + "]",
    "many numbers with points on lines": "x = [" + "1.5,\n" * 5000 + "]",
    "dots in a string": 'x = "' + "." * 5000 + '"',
    "dots in a literal": "x = '" + "." * 5000 + "'",
    "dots in a quoted key": '"' + "a." * 500 + '" = 1',
    "dots in a comment": "# " + "a." * 5000,
    "dots in a text": 'x = """' + "a.\n" * 5000 + '"""',
    "dots in a literal text": "x = '''" + "a.\n" * 5000 + "'''",
    "brackets in a string": 'x = "' + "[" * 5000 + '"',
    "brackets in a literal": "x = '" + "[" * 5000 + "'",
    "brackets in a comment": "x = 1 # " + "[" * 5000,
    "brackets in a text": 'x = """' + "[{\n" * 5000 + '"""',
    "brackets in a literal text": "x = '''" + "[{\n" * 5000 + "'''",
    "escaped quotes": 'x = "\\"' + "[" * 50 + '\\""',
    "quotes in a text": 'x = """a""' + "[" * 50 + '\\"""' + "[" * 50 + '"""',
    "quotes at the end of a text": 'x = """' + "[" * 50 + '"""""\ny = 1',
    "hash in a string": 'x = "#"\ny = [1]',
    "64 kB": "#" + "x" * (64 * KB - 1),
    "arrays one after the other": "x = [" + "[1], " * 3000 + "]",
    "inline tables": "x = [" + "{a.b = 1}, " * 3000 + "]",
    "hashes": "#\n" * 30_000,
    "blanks": " " * 60_000,
    "lines": "\n" * 60_000,
}


@pytest.mark.parametrize("text", WITHIN.values(), ids=WITHIN)
def test_within_the_limits(text):
    before = time.process_time()
    assert isinstance(documents.parse(text, "here"), dict)
    assert time.process_time() - before < HOSTILE_SECONDS


def nearly_60_kb(unit):
    return unit * (60_000 // len(unit))


SLOW = {
    "escaped triple quotes": nearly_60_kb('\\"""x\n'),
    "escaped quotes over lines": nearly_60_kb('\\"\\\n'),
    "open texts": nearly_60_kb('"""\\'),
    "quotes": nearly_60_kb('"'),
    "single quotes": nearly_60_kb("'"),
    "quotes on lines": nearly_60_kb('"\n'),
    "single quotes on lines": nearly_60_kb("'\n"),
    "backslashes": nearly_60_kb("\\"),
    "an open text of backslashes": '"""' + nearly_60_kb("\\") + "\\",
    "open string of backslashes": 'x = "' + nearly_60_kb("\\\\"),
    "equals": nearly_60_kb("="),
    "tables": "".join(f"[t{n}]\n" for n in range(7000)),
    "deep tables": "".join(f"[a.b.c.d.e.f.g.h{n}]\n" for n in range(2500)),
    "array tables": nearly_60_kb("[[a]]\n"),
    "nested array tables": nearly_60_kb("[[a.b.c.d]]\n"),
    "the same key": nearly_60_kb("a = 1\n"),
    "deep keys": "".join(f"a.b.c.d.e.f.g.h{n} = 1\n" for n in range(2500)),
    "an array": "x = [" + nearly_60_kb("1,") + "]",
    "a number": "x = " + nearly_60_kb("1"),
    "a number in base 16": "x = 0x" + nearly_60_kb("f"),
    "a float": "x = 1." + nearly_60_kb("1"),
    "an exponent": "x = 1e" + nearly_60_kb("9"),
    "underscores": "x = 1" + nearly_60_kb("_1"),
    "a huge version": "version = 0x" + "f" * 20_000,
    "not a date": "x = 2024-13-45",
    "not a time": "x = 2024-01-01T25:61:61",
    "a bad escape": 'x = "\\ud800"',
    "a control character": "x = \x01",
    "a zero": "x = \0",
    "a byte order mark": "\ufeffname = 1",
    "carriage returns": nearly_60_kb("\r"),
    "an inline table over lines": "x = {\n" * 9,
    "nothing after equals": "name = ",
    "twice": 'name = "a"\nname = "b"',
    "closing brackets": "]" * 60_000,
    "closing before opening": "x = " + "]" * 100 + "[" * 100,
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW)
def test_hostile_documents(toml, text):
    line = refused(toml('name = "x"\n' + text if not text.startswith("\ufeff") else text))
    assert "mine.toml" in line


BYTES = {
    "Latin-1": 'name = "x"\ntitle = "Français"'.encode("latin-1"),
    "UTF-16": 'name = "x"'.encode("utf-16"),
    "random": bytes(range(256)) * 10,
    "half a letter": b'name = "x\xc3',
    "surrogates": b'name = "\xed\xa0\x80"',
}


@pytest.mark.parametrize("raw", BYTES.values(), ids=BYTES)
def test_files_that_are_not_utf8(toml, raw):
    line = refused(toml(raw))
    assert "not UTF-8" in line
    assert "mine.toml" in line


def test_a_letter_across_the_size_limit(toml):
    assert "64 kB" in refused(toml(b"#" * (64 * KB) + "é".encode() * 9))


def test_unreadable_files(toml, tmp_path):
    assert "directory" in refused(tmp_path)
    assert "directory" in refused(str(tmp_path)).lower()
    (tmp_path / "circle.toml").symlink_to("circle.toml")
    assert "circle.toml" in refused(tmp_path / "circle.toml")
    assert "No such file" in refused(tmp_path / "a" / "b.toml")
    file = toml('name = "x"')
    assert "mine.toml" in refused(file / "below.toml")


def test_deep_and_wide_mappings():
    assert "16 levels" in refused({"name": "x", "board": nested(20)})
    assert "16 levels" in refused({"name": "x", "board": nested(5_000, lambda inner: {"a": inner})})
    round_and_round = {"name": "x"}
    round_and_round["board"] = round_and_round
    assert "16 levels" in refused(round_and_round)
    wide = 1
    for _ in range(12):
        wide = [wide] * 10
    refused({"name": "x", "board": wide})


@pytest.mark.parametrize("document", [{}, {1: 2}, {"name": "x", 1: 2}, {"name": "x", None: 2}, {"name": b"x"}])
def test_strange_mappings(document):
    refused(document)


# --- Read-only --------------------------------------------------------------------------------------


def test_rules_are_read_only():
    rules = ludus.make("strict").rules
    with pytest.raises(Exception, match="frozen"):
        rules.name = "other"
    with pytest.raises(Exception, match="frozen"):
        rules.board.end_path = 4
    with pytest.raises(Exception, match="frozen"):
        rules.board = None
    with pytest.raises(Exception, match="frozen"):
        del rules.board.end_path
    with pytest.raises((TypeError, AttributeError)):
        rules.start.leave_on.append(1)
    with pytest.raises((TypeError, AttributeError)):
        rules.cites["finished"] = "S99"
    for name, args in [
        ("update", ({"a": "b"},)),
        ("pop", ("finished",)),
        ("clear", ()),
        ("popitem", ()),
        ("setdefault", ("a", "b")),
    ]:
        with pytest.raises((TypeError, AttributeError)):
            getattr(rules.cites, name)(*args)
    with pytest.raises((TypeError, AttributeError)):
        rules.cites |= {"a": "b"}
    with pytest.raises((TypeError, AttributeError)):
        del rules.cites["finished"]
    assert rules == ludus.make("strict").rules
    game = ludus.make("strict")
    with pytest.raises(AttributeError):
        game.rules = rules


def test_rules_can_be_copied_and_kept():
    rules = ludus.make("strict").rules
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules
    game = ludus.make("strict", players=3)
    assert pickle.loads(pickle.dumps(game)) == game
    assert rules.model_dump(mode="json")["cites"]["past_finish"] == "S43"


def test_the_whole_document_makes_the_same_game_again():
    from ludus.core.registry import from_document

    for name in documents.shipped():
        game = ludus.make(name)
        again = from_document(game.document())
        assert again == game
        assert again.digest == game.digest


@pytest.mark.parametrize("rules", [None, 5, "strict", [1], {}, [["name", "x"]]])
def test_a_document_without_rules(rules):
    from ludus.core.registry import from_document

    with pytest.raises(ludus.LudusError):
        from_document({"family": "ludo", "rules": rules, "players": ["green", "blue"]})


# --- Whatever is valid can be played ----------------------------------------------------------------

CHOICES = {
    "board.seats": [2, 3, 4, 5, 6, 8],
    "board.pieces": [1, 2, 4, 8],
    "board.end_path": [1, 4, 5, 12],
    "board.corners": [True, False],
    "board.skipped": [0, 1, 3],
    "start.leave_on": [[6], [1, 6], [1, 2, 3, 4, 5, 6], [3]],
    "start.compulsory": [True, False],
    "start.clear_entry": [True, False],
    "movement.share_own": [True, True, False],
    "movement.stars": [[], [], [5], [5, 10]],
    "capture.stack": ["captured", "punishes"],
    "capture.before_home": [True, False],
    "block.stops": ["none", "opponents", "all"],
    "block.on_safe": [True, False],
    "safe.tiles": [[], [0], [0, 8]],
    "safe.landing": ["shares", "punished"],
    "safe.entry": ["open", "owner_shares", "owner_punishes"],
    "finish.rule": ["exact", "overshoot", "bounce", "bounce_from_square", "stairs"],
    "finish.passing": [True, False],
    "turn.first": ["seat", "roll_off"],
    "turn.again_on": [[], ["six"], ["six", "capture", "finish"]],
    "turn.attempts": [1, 3],
    "win.play_on": [True, False],
    "chance.dice": [1, 1, 2],
}


@pytest.mark.parametrize("seed", range(60))
def test_any_valid_rule_set_plays(seed):
    """Options at random: refused with one line, or a game whose positions and moves come back as written."""
    rng = random.Random(seed)
    for _ in range(100):
        options = {key: rng.choice(values) for key, values in CHOICES.items() if rng.random() < 0.4}
        try:
            game = ludus.make("strict", **options)
            break
        except ludus.LudusError:
            continue
    pos = game.start(seed=seed)
    for _ in range(300):
        if pos.to_move is None:
            break
        assert game.position(pos.to_dict()) == pos, options
        pos = pos.roll() if pos.to_move == "chance" else pos.play(str(rng.choice(pos.moves())))
    total = sum(map(len, pos.to_dict()["pieces"].values()))
    assert total == game.rules.board.pieces * game.num_players


@pytest.mark.slow
def test_any_two_options_are_answered():
    """Every pair of single choices is a game or a LudusError."""
    pairs = itertools.combinations(CHOICES.items(), 2)
    for (a, some), (b, others) in itertools.islice(pairs, 0, None, 3):
        with contextlib.suppress(ludus.LudusError):
            assert ludus.make("strict", **{a: some[-1], b: others[-1]}).num_players >= 2
