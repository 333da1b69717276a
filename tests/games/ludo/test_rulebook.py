"""Rule books in plain sentences: every option and value has its words, in English and French, and they are true."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from string import Formatter
from typing import Any, get_args

import pytest

import ludus
from ludus.core.messages import LANGUAGES, catalogue
from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.document.options import Card, Change
from ludus.games.ludo.document.rules import GROUPS, RuleSet
from ludus.games.ludo.rulebook import option_table, rulebook
from ludus.games.ludo.rulebook.differences import all_options, differences
from ludus.games.ludo.rulebook.findings import PACKAGE
from ludus.games.ludo.rulebook.prose import SECTIONS, card_told, has_words, rule_book, sentences_of, value_keys
from ludus.games.ludo.rulebook.template import name_for, new_document

SCHEMA = RuleSet.model_json_schema()


def schema_of(group: str, key: str) -> dict[str, Any]:
    return SCHEMA["$defs"][GROUPS[group].__name__]["properties"][key]


def samples(schema: dict[str, Any]) -> Iterator[Any]:
    """Values of every kind that an option takes: all words, and of numbers and lists the few that are told apart."""
    for kind in schema.get("anyOf", [schema]):
        yield from kind.get("enum", [])
        if kind.get("type") == "boolean":
            yield from (False, True)
        if kind.get("type") == "string" and "enum" not in kind:
            yield from ("", "a drawing")
        if kind.get("type") == "null":
            yield None
        if kind.get("type") == "integer":
            low, high = kind.get("minimum", 0), kind.get("maximum", 99)
            yield from (n for n in (low, 0, 1, 2, 3, high) if low <= n <= high)
        if kind.get("type") == "object":  # by their keys
            yield from ((), ("6",), ("6", "5"))
        if kind.get("type") == "array":
            words = kind["items"].get("enum")
            lists = [(), *((word,) for word in words), tuple(words)] if words else [(), (1,), (1, 2)]
            yield from lists[1:] if kind.get("minItems") else lists


EVERY_VALUE = [
    (f"{group}.{key}", value)
    for group, model in GROUPS.items()
    for key in model.model_fields
    for value in dict.fromkeys(samples(schema_of(group, key)))
]


@pytest.mark.parametrize(("option", "value"), EVERY_VALUE, ids=str)
def test_every_value_of_every_option_has_a_sentence_in_every_language(option: str, value: Any) -> None:
    for key in value_keys(option, value):
        assert has_words(key), f"rulebook/words/*.toml: say.{key} is missing"


def test_every_option_is_sampled() -> None:
    assert {option for option, _ in EVERY_VALUE} == {
        f"{g}.{k}" for g, model in GROUPS.items() for k in model.model_fields
    }


def choices(model: Any, key: str) -> tuple[Any, ...]:
    return get_args(model.model_fields[key].annotation)


def test_every_card_has_a_sentence() -> None:
    rules = ludus.make("deck").rules
    for lang in LANGUAGES:
        for then in choices(Card, "then"):
            for moves in choices(Card, "moves"):
                for distance in (-4, 7):
                    told = card_told(rules, Card(name="x", distance=distance, moves=moves, then=then), lang)
                    assert str(abs(distance)) in told
                    assert "card." not in told
                    assert "_" not in told
            for effect in choices(Card, "effect"):
                told = card_told(rules, Card(name="x", effect=effect, then=then), lang)
                assert "card." not in told
                assert told.endswith(".")


@pytest.mark.rule("L2")
def test_every_change_has_a_sentence() -> None:
    for when in choices(Change, "when"):
        for scope in choices(Change, "scope"):
            for at_least in (1, 3):
                change = {"name": "walls", "when": when, "scope": scope, "at_least": at_least}
                change |= {"tile": 5} if when == "tile" else {}
                document = {"name": "mine", "changes": [change | {"set": {"block.stops": "all"}}]}
                rules = documents.load(document, {})
                for lang in LANGUAGES:
                    (told,) = sentences_of(rules, "changes", lang)
                    assert told.lower().startswith("walls")
                    assert "changes." not in told
                    assert sentences_of(rules.banks[1], "block.stops", lang)[0] in told
                    assert at_least == 1 or "3" in told


def test_every_option_has_its_place_in_the_book() -> None:
    told = {option for options in SECTIONS.values() for option in options if not option.startswith(":")}
    every = {f"{group}.{key}" for group, model in GROUPS.items() for key in model.model_fields}
    # board.shape says how long the path is, and the map is no rule
    assert every - told == {"board.path", "board.map"}
    assert set(all_options()) == every | {"allowed", "changes", "meeting", "on", "plugins"}


# ---------------------------------------------------------------- the catalogue


def flat(data: dict[str, Any], place: str = "") -> Iterator[tuple[str, str]]:
    for key, value in data.items():
        yield from flat(value, f"{place}{key}.") if isinstance(value, dict) else [(f"{place}{key}", value)]


def placeholders(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def test_both_languages_say_the_same_things() -> None:
    english, french = (dict(flat(catalogue(PACKAGE, lang))) for lang in LANGUAGES)
    assert list(english) == list(french)
    for key, text in english.items():
        assert placeholders(text) == placeholders(french[key]), key
    alike = {
        key
        for key, text in english.items()
        if french[key] == text and re.search("[a-z]{4}", re.sub(r"\{\w+\}", "", text))
    }
    assert alike <= {"values.table", "say.on.counted.double", "say.on.counted.triple"}


def test_sentences_are_sentences() -> None:
    for lang in LANGUAGES:
        for key, text in flat(catalogue(PACKAGE, lang)["say"]):
            assert text == text.rstrip() or key in ("changes.name", "duty.double", "duty.value"), key
            assert "  " not in text, key
            if not key.startswith(("card.", "changes.", "on.", "duty.", "token.")):
                assert text.endswith("."), key
                assert text[0].isupper() or text[0] == "{", key


def test_every_rule_has_words() -> None:
    ids = [f"S{n}" for n in range(1, 54)] + [f"L{n}" for n in range(1, 38)]
    for lang in LANGUAGES:
        assert list(catalogue(PACKAGE, lang)["rule"]) == ids


# ---------------------------------------------------------------- whole books


@pytest.mark.parametrize("name", [name for name in ludus.games() if name != "generals"])
def test_the_book_of_every_shipped_rule_set(name: str) -> None:
    game = ludus.make(name)
    for lang in LANGUAGES:
        book = rulebook(game, lang)
        assert [section.key for section in book][:2] == ["board", "players"]
        for section in book:
            assert section.title
            assert section.sentences
            for sentence in section.sentences:
                assert sentence.endswith("."), sentence
                assert not re.search(r"[{}]|say\.|\b[a-z]+_[a-z]+\b", sentence.replace("end_path", "")), sentence


def test_a_book_says_what_the_document_says() -> None:
    book = {section.key: " ".join(section.sentences) for section in rulebook(ludus.make("star"))}
    assert "A 6 gives another roll." in book["rolling"]
    assert "has 3 rolls to get one out" in book["rolling"]
    assert "4 and 11 steps after each entry tile have stars" in book["moving"]
    assert "bounces" in book["finish"]
    strict = {section.key: " ".join(section.sentences) for section in rulebook(ludus.make("strict"), "fr")}
    assert "Le plateau est une croix à 4 branches" in strict["board"]
    assert "Le dernier coup doit être exact" in strict["finish"]


def test_a_book_leaves_out_what_does_not_matter() -> None:
    text = " ".join(" ".join(section.sentences) for section in rulebook(ludus.make("strict")))
    for silent in ("safe tile two pieces", "sixes", "cards", "bonus", "points"):
        assert silent not in text


def test_a_deck_is_told_card_by_card() -> None:
    document = {
        "name": "mine",
        "chance": {
            "device": "cards",
            "replacement": False,
            "cards": [
                {"name": "six", "distance": 6, "count": 4},
                {"name": "back", "distance": -4, "count": 2, "then": "again"},
                {"name": "swap", "effect": "swap"},
            ],
        },
        "win": {"turn_limit": 300},
    }
    (rolling,) = [s.sentences for s in rule_book(documents.load(document, {}), "en") if s.key == "rolling"]
    assert "The deck has 7 cards of 3 kinds." in rolling
    assert "back (2 ×): a piece of one's own goes 4 back, and the player draws again." in rolling
    assert "swap (1 ×): a piece of one's own and an opponent's change places." in rolling
    assert any("shuffled again" in sentence for sentence in rolling)


# ---------------------------------------------------------------- differences, the table, a new document


def test_a_rule_set_does_not_differ_from_itself() -> None:
    rules = ludus.make("french").rules
    assert differences(rules, rules) == []


def test_differences_name_option_values_and_words() -> None:
    one = documents.load("strict", {})
    other = documents.load(
        {"name": "mine", "extends": "strict", "finish": {"rule": "bounce"}, "board": {"pieces": 2}}, {}
    )
    found = {each.option: each for each in differences(one, other) if each.option != "allowed"}
    assert list(found) == ["board.pieces", "finish.rule"]
    assert found["board.pieces"].values == (4, 2)
    assert found["board.pieces"].words == ("Each player has 4 pieces.", "Each player has 2 pieces.")
    french = {each.option: each.words for each in differences(one, other, "fr")}
    assert french["board.pieces"] == ("Chaque joueur a 4 pions.", "Chaque joueur a 2 pions.")


def test_the_table_of_options() -> None:
    for lang in LANGUAGES:
        rows = {row.name: row for row in option_table(lang)}
        assert list(rows) == [f"{group}.{key}" for group, model in GROUPS.items() for key in model.model_fields]
        assert all(row.meaning and row.values for row in rows.values())
    assert rows["board.seats"].values == "2 à 12"
    assert rows["board.seats"].default == 4
    assert rows["board.seats"].meaning.startswith("branches")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_document_has_every_option_and_loads(lang: str) -> None:
    text = new_document("sunday", lang)
    data = tomllib.loads(text)
    rules = ludus.make(data).rules
    assert rules.name == "sunday"
    assert differences(rules, documents.load({"name": "plain"}, {})) == []
    for group, model in GROUPS.items():
        for key in model.model_fields:
            assert re.search(rf"^(# )?{key} = ", text, re.MULTILINE), f"{group}.{key}"
    for nested in (Card, Change):
        for key in nested.model_fields:
            assert re.search(rf"^# {key}: ", text, re.MULTILINE), key
    assert max(map(len, text.splitlines())) <= 120


def test_the_examples_of_a_new_document_load_once_uncommented() -> None:
    text = new_document()
    for table in ("[[chance.cards]]", "[[changes]]"):
        before, _, example = text.partition(f"# {table}\n")
        lines = example.partition("\n\n")[0].splitlines()
        data = tomllib.loads("\n".join([before, table, *(line.removeprefix("# ") for line in lines)]))
        if table == "[[chance.cards]]":
            data["chance"]["device"] = "cards"
            data["chance"]["cards"].extend([{"name": "six", "distance": 6}, {"name": "one", "distance": 1}])
        assert ludus.make(data)


def test_names_for_files() -> None:
    assert name_for("Sunday Ludo!") == "sunday-ludo"
    assert name_for("123") == "my-ludo"
    assert name_for("é") == "my-ludo"


def test_users_see_no_ids_of_the_books_of_single_games() -> None:
    """Neither beside an option nor in the schema: `Z7` says something to who reads the PettingZoo book alone."""
    ids = set(re.findall(r'"([A-Z]\d+)"', json.dumps(SCHEMA)))
    assert ids
    assert {rule[0] for rule in ids} == {"S", "L"}
    assert {rule for row in option_table("en") for rule in row.rules} <= ids
