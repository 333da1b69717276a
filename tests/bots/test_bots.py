"""The bots behind their one interface: names, options, plug-ins, what they choose and say."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest
from tests.variants import VARIANTS, make

import ludus
from ludus.bots import Candidate, ask

QUICK = ("random", "first", "greedy", "heuristic")
CHOSEN = (
    "pettingzoo", "pettingzoo-teams", "star", "strict-dice", "maedn", "french", "generals", "parchis", "yut", "deck",
)  # fmt: skip


def decisions(game, seed=1, wanted=12):
    """Some positions of a random game in which there is a choice."""
    bot, position, found = ludus.bot("random", seed=seed), game.start(seed=seed), []
    while position.to_move is not None and len(found) < wanted:
        if position.to_move == "chance":
            position = position.roll()
            continue
        if len(position.moves()) > 1:
            found.append(position)
        position = position.play(bot.choose(position))
    return found


def test_names():
    assert {"random", "first", "greedy", "heuristic", "generals", "expectimax", "mcts"} <= set(ludus.bots())


def test_bots_is_a_package_too():
    code = "import ludus.bots, ludus; print('mcts' in ludus.bots(), ludus.bots.bot('random').name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "random"]


@pytest.mark.parametrize("variant", [key for key in CHOSEN if key in VARIANTS])
@pytest.mark.parametrize("name", QUICK)
def test_a_bot_chooses_a_legal_move_and_explains_it(variant, name):
    assert_explained(variant, name, wanted=6)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["pettingzoo-2", "star-2", "french-2", "generals"])
@pytest.mark.parametrize("name", ["expectimax:depth=1", "mcts:simulations=4,horizon=6"])
def test_searching_bots_explain_too(variant, name):
    assert_explained(variant, name, wanted=2)


def test_the_bot_of_generals_explains():
    assert_explained("generals", "generals", wanted=6)


def assert_explained(variant, name, wanted):
    """Candidates are the legal moves, the chosen one first, with words in every language."""
    for position in decisions(make(variant).interpreted(), wanted=wanted):
        bot = ludus.bot(name, seed=2)
        move = bot.choose(position)
        assert move in position.moves()
        candidates = bot.explain(position)
        assert sorted(str(c.move) for c in candidates) == sorted(str(m) for m in position.moves())
        assert candidates[0].move == move
        assert all(one.score >= other.score for one, other in pairwise(candidates))
        for lang in ("en", "fr"):
            words = candidates[0].why(lang)
            assert words
            assert "{" not in words


def test_the_same_seed_chooses_the_same():
    positions = decisions(ludus.make("french").interpreted(), wanted=20)
    chosen = [[str(ludus.bot("random", seed=seed).choose(p)) for p in positions] for seed in (1, 1, 2)]
    assert chosen[0] == chosen[1] != chosen[2]


def test_greedy_moves_the_piece_that_gets_furthest():
    game = ludus.make("star")
    pieces = {"green": [10, 30, "end:1", "start"]} | {c: ["start"] * 4 for c in ("yellow", "blue", "red")}
    position = game.position({"pieces": pieces, "turn": "green", "dice": [2]})
    assert str(ludus.bot("greedy").choose(position)) == "end:1+2"


def by_move(bot, position):
    return {str(found.move): found.score for found in ludus.bot(bot).explain(position)}


def test_what_befalls_an_enemys_piece_is_no_merit():
    """A five moves an opponent's piece: to bring it home is no win, and that it captures the own piece no capture."""
    pieces = {"green": [10, 20, "start", "start"], "yellow": [30, 45, "start", "start"], "blue": ["start"] * 4}
    pieces |= {"red": [5, 49, "start", "start"]}
    position = ludus.make("deck").position({"pieces": pieces, "turn": "green", "dice": ["other+5"]})
    assert position.play("red:49+5").to_dict()["pieces"]["red"][1] == "end:0"  # home
    assert position.play("red:5+5").to_dict()["pieces"]["green"][0] == "start"
    scores = by_move("heuristic", position)
    assert scores["red:49+5"] == scores["red:5+5"] == scores["yellow:30+5"] == 0
    assert set(by_move("greedy", position).values()) == {0}


def test_a_pass_is_worth_nothing():
    pieces = {"green": [30, 10, 20, 2]} | {colour: ["start"] * 4 for colour in ("yellow", "blue", "red")}
    game = ludus.make("classic", may_pass=True, turn_limit=500)
    position = game.position({"pieces": pieces, "turn": "green", "dice": [3]})
    assert by_move("heuristic", position)["pass"] == by_move("greedy", position)["pass"] == 0


def test_nobody_decides_at_chance():
    with pytest.raises(ludus.BotError, match="nobody decides"):
        ludus.bot("random").choose(ludus.make("star").start())
    assert ludus.bot("heuristic").explain(ludus.make("star").start()) == []


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("heuristik", "did you mean 'heuristic'"),
        ("heuristic:literall=true", "did you mean 'literal'"),
        ("random:seeds", "name=value"),
        ("nowhere.py:Bot", "no such file"),
        ("mine.py", "write mine.py:Class"),
        ("mcts:simulations=0", "from 1 to"),
        ("mcts:playout=wild", "playout is random"),
        ("expectimax:depth=99", "from 1 to 8"),
        ("expectimax:evaluation=3", "a function of a position"),
        (7, "path.py:Class"),
    ],
)
def test_bad_specs_are_one_clear_line(spec, words):
    with pytest.raises(ludus.LudusError) as error:
        ludus.bot(spec)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


BOT_FILE = """
class Last:
    def choose(self, position):
        return str(position.moves()[-1])

class Broken:
    def choose(self, position):
        return 1 / 0

class Liar:
    def choose(self, position):
        return "99+99"

class Leaver:
    def choose(self, position):
        raise SystemExit("bye")

class Secret(Exception):
    def __str__(self):
        raise RuntimeError("not telling")

class Unsayable:
    def choose(self, position):
        raise Secret

class Painter:
    def choose(self, position):
        raise ValueError(chr(27) + "[2Jgone")

class Picky:
    def __init__(self, pick=0, seed=0):
        self.pick = pick
    def choose(self, position):
        return position.moves()[self.pick]
"""


@pytest.fixture
def bot_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(BOT_FILE)
    return path


def test_a_bot_from_a_file(bot_file):
    position = decisions(ludus.make("star").interpreted(), wanted=1)[0]
    assert ask(ludus.bot(f"{bot_file}:Last"), position) == position.moves()[-1]
    assert ask(ludus.bot(f"{bot_file}:Picky:pick=1"), position) == position.moves()[1]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Broken", "bot Broken failed: ZeroDivisionError: division by zero"),
        ("Liar", "answered '99+99'"),
        ("Leaver", "failed: SystemExit: bye"),
        ("Unsayable", "bot Unsayable failed: Secret"),
        ("Painter", "failed: ValueError: \N{REPLACEMENT CHARACTER}[2Jgone"),
    ],
)
def test_a_bot_that_fails_is_one_clear_line(bot_file, name, words):
    position = decisions(ludus.make("star").interpreted(), wanted=1)[0]
    with pytest.raises(ludus.BotError) as error:
        ask(ludus.bot(f"{bot_file}:{name}"), position)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_without_the_class_or_that_fails_to_import(bot_file, tmp_path):
    with pytest.raises(ludus.UnknownName, match="did you mean 'Last'"):
        ludus.bot(f"{bot_file}:Lst")
    bad = tmp_path / "bad.py"
    bad.write_text("import nothing_of_that_name")
    with pytest.raises(ludus.BotError, match="fails to import: ModuleNotFoundError"):
        ludus.bot(f"{bad}:Bot")


@pytest.fixture
def installed(bot_file, monkeypatch):
    """A package beside the file that names its bots as entry points."""
    info = bot_file.parent / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ludus.bots]\nlast = mine:Last\nlost = mine:Nothing\nmcts = mine:Last\n")
    monkeypatch.syspath_prepend(bot_file.parent)


def test_a_bot_of_an_installed_package(installed):
    assert ludus.bots().count("last") == ludus.bots().count("mcts") == 1
    position = decisions(ludus.make("star").interpreted(), wanted=1)[0]
    assert ask(ludus.bot("last"), position) == position.moves()[-1]
    assert type(ludus.bot("mcts")).__module__ == "ludus.bots.mcts"  # nobody takes the place of a built-in one
    with pytest.raises(ludus.BotError, match="bot lost: mine:Nothing can't be loaded: AttributeError"):
        ludus.bot("lost")
    with pytest.raises(ludus.UnknownName, match="did you mean 'last'"):
        ludus.bot("lasst")


@pytest.mark.slow
def test_a_bot_of_an_installed_package_plays_in_the_arena(installed):
    standings = ludus.arena(ludus.make("maedn", players=2), ["last", "first"], games=2, seconds=120.0)
    assert standings.games == 2
    assert standings["last"].faults == 0


def test_candidates_of_a_plain_bot(bot_file):
    position = decisions(ludus.make("star").interpreted(), wanted=1)[0]
    found = ludus.bot(f"{bot_file}:Last").explain(position)
    assert all(isinstance(candidate, Candidate) for candidate in found)
    assert found[0].move == position.moves()[-1]
    assert {str(candidate.move) for candidate in found} == {str(move) for move in position.moves()}
    assert (found[0].why("en"), found[0].why("fr")) == ("what it would play", "ce qu'il jouerait")
    assert ludus.bot(f"{bot_file}:Last").explain(ludus.make("star").start()) == []


def test_generals_takes_a_hit_that_wins():
    game = ludus.make("generals")
    position = game.position({"attacker": ["e8", "a10"], "defender": ["a1"], "turn": "attacker", "dice": 2, "hits": 2})
    assert str(ludus.bot("generals").choose(position)) == "e8-e6"
    assert str(ludus.bot("heuristic").choose(position)) == "e8-e6"


def test_generals_plays_generals_alone():
    position = decisions(ludus.make("star").interpreted(), wanted=1)[0]
    with pytest.raises(ludus.BotError, match="plays Generals, not star"):
        ludus.bot("generals").choose(position)
    with pytest.raises(ludus.BotError, match="plays Generals, not star"):
        ludus.make("star", players=2).playouts(1, bots=["generals", "random"])
