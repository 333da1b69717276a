"""Options, players, documents, notation and words of Generals."""

import copy
import pickle
from importlib import resources
from string import Formatter

import pytest

import ludus
import ludus.envs
from ludus.core.messages import LANGUAGES, catalogue
from ludus.core.registry import from_document
from ludus.games.generals import kernel as k
from ludus.games.generals.notation import REASONS, RULES
from ludus.games.generals.rules import RuleSet

PACKAGE = "ludus.games.generals"


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"directions": 6}, "4 or 8"),
        ({"direction": 8}, "did you mean 'directions'"),
        ({"toss": 1}, "boolean"),
        ({"quiet_limit": -1}, "greater than or equal to 0"),
        ({"turn_limit": 30_001}, "30000"),
        ({"turn_limit": "many"}, "integer"),
    ],
)
def test_options_that_cannot_be(options, words):
    with pytest.raises(ludus.RulesError, match="generals: ") as error:
        ludus.make("generals", **options)
    assert words in str(error.value)


def test_every_option_says_what_it_means_and_cites_its_rules():
    for name in ("directions", "toss", "quiet_limit", "turn_limit"):
        field = RuleSet.model_fields[name]
        assert field.description
        assert all(rule.startswith("G") for rule in field.json_schema_extra["rules"])
    with pytest.raises(ValueError, match="frozen"):
        ludus.make("generals").rules.toss = True


def test_a_mapping_that_extends_it():
    game = ludus.make({"extends": "generals", "name": "long", "turn_limit": 3_000}, directions=8)
    assert (game.name, game.rules.turn_limit, game.rules.directions) == ("long", 3_000, 8)


@pytest.mark.parametrize("players", [1, 3, True, "attacker", ["attacker"], ["white", "black"], 2.5, ["a", "b", "c"]])
def test_players_that_it_does_not_take(players):
    with pytest.raises(ludus.LudusError, match="players: "):
        ludus.make("generals", players=players)


def test_players_that_it_takes():
    assert ludus.make("generals", players=2).players == ("attacker", "defender")
    assert ludus.make("generals", players=["defender", "attacker"]).players == ("attacker", "defender")
    assert ludus.make("generals", players=["white", "black"], toss=True).players == ("white", "black")


def test_documents_and_copies_make_the_same_game():
    for options in ({}, {"directions": 8}, {"toss": True, "turn_limit": 50}):
        game = ludus.make("generals", **options)
        for other in (from_document(game.document()), pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
            assert other == game
            assert other.rules == game.rules
    assert ludus.make("generals") != ludus.make("generals", directions=8)
    with pytest.raises(ludus.LudusError):
        from_document({"family": "generals", "rules": []})


# ---------------------------------------------------------------- notation


def test_what_is_no_notation():
    pos = ludus.make("generals").start().play("4")
    for text in ("", "a10", "a10-", "a10-a6-a2", "a10 a6", "e9xe6", "*", "=", "attack!", "a10>>d4", "A10-A6", "a٣-a4"):
        with pytest.raises(ludus.IllegalMove) as error:
            pos.play(text)
        assert error.value.code in ("notation", "no_cell")
    with pytest.raises(ludus.IllegalMove) as error:
        pos.play("a10-a11")
    assert (error.value.code, error.value.rule) == ("no_cell", "G1")


def test_facts_of_moves():
    game = ludus.make("generals")
    pos = game.position({"attacker": ["e10", "a5"], "defender": ["a1", "a8"], "turn": "attacker", "dice": 4})
    (attack,) = (move for move in pos.moves() if str(move) == "e10-e6")
    assert (attack.kind, attack.colour, attack.origin, attack.target) == ("attack", "attacker", "e10", "e6")
    assert (attack.dice, attack.path, attack.hits) == ((4,), ("e9", "e8", "e7", "e6"), 1)
    assert attack.describe() == "hits the General (1 of 3)"
    assert attack.describe("fr") == "touche le Général (1 sur 3)"
    (kill,) = (move for move in pos.moves() if str(move) == "a5-a1")
    assert kill.captures == (("defender", "a1"),)
    assert "kills" in kill.describe()


# ---------------------------------------------------------------- words


def flat(lang):
    return {
        f"{section}.{key}": text
        for section, words in catalogue(PACKAGE, lang).items()
        if section not in ("option", "source")  # said in English by rules.py itself
        for key, text in words.items()
    }


def fields(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


def test_catalogues_say_the_same_things():
    assert all((resources.files(PACKAGE) / "words" / f"{lang}.toml").is_file() for lang in LANGUAGES)
    english, french = flat("en"), flat("fr")
    assert list(english) == list(french)
    for key, text in english.items():
        assert fields(text) == fields(french[key]), key
        assert text != french[key] or key in ("legend.garrison",), key


def test_every_reason_has_words_and_a_rule():
    assert set(REASONS.values()) <= set(RULES)
    assert len(REASONS) == k.WHY_MUST_MOVE
    reasons = catalogue(PACKAGE, "en")["reason"]
    assert set(reasons) == {*RULES, "notation"}


# ---------------------------------------------------------------- without limits


@pytest.fixture
def endless():
    with pytest.warns(UserWarning, match="quiet_limit and turn_limit are 0, so a game may not end") as told:
        game = ludus.make("generals", quiet_limit=0, turn_limit=0)
    assert told[0].filename == __file__
    return game


def test_one_limit_is_enough(recwarn):
    """Each progress takes a unit away or a special move that comes once: the quiet limit alone ends every game."""
    for options in ({"quiet_limit": 0}, {"turn_limit": 0}):
        game = ludus.make("generals", **options)
        assert game.playouts(200, seed=3).finished.all()
        assert game.start().hints() == []
    assert recwarn.list == []


def test_people_are_warned_before_the_first_move(endless):
    first = endless.start(seed=1)
    decision = first.play("3")
    for pos in (first, decision):
        assert [hint for hint in pos.hints() if "may not end" in hint]
        assert [hint for hint in pos.hints("fr") if "peut ne pas finir" in hint]
    assert decision.play(decision.moves()[0]).hints() == []
    assert "no limit of turns: the game may not end" in endless.draw_text(first, colour=False)
    assert "aucune limite de tours" in endless.draw_text(first, colour=False, lang="fr")


def test_what_is_counted_is_drawn():
    by_turns, by_quiet = ludus.make("generals", quiet_limit=0), ludus.make("generals", turn_limit=0)
    assert "turn 1\n" in by_turns.draw_text(by_turns.start(), colour=False)
    assert "0 without progress" in by_quiet.draw_text(by_quiet.start(), colour=False)
    assert "turn 1" not in by_quiet.draw_text(by_quiet.start(), colour=False)


def test_playouts_without_limits_stop_at_max_plies(endless):
    games = endless.playouts(60, seed=1, max_plies=400)
    assert not games.finished.all()
    assert games.plies.max() == 400
    assert games.turns[~games.finished].min() > 100
    assert games.endings()["quiet"] == games.endings()["turns"] == 0
    played = endless.playouts(20, seed=1, bots=["first", "first"], max_plies=100)
    assert not played.finished.all()
    assert (played.winner[~played.finished] == -1).all()


def test_observations_without_limits(endless):
    seen = endless.start().play("3").observation("attacker")
    assert seen[-2:].tolist() == [0.0, 0.0]


def test_the_document_of_an_endless_game_makes_it_again(endless, recwarn):
    assert from_document(endless.document()) == endless
    assert recwarn.list == []


def test_machines_ask_for_a_limit(endless):
    """They do not notice that a game does not end."""
    for ask in (
        lambda: ludus.arena(endless, ["random"], games=2, seed=1),
        lambda: ludus.envs.vector(endless, num_envs=2, seed=1),
    ):
        with pytest.raises(ludus.LudusError, match=r"with a limit, such as turn_limit = 400"):
            ask()
    assert ludus.make("generals").may_not_end is None
