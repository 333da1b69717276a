"""The message catalogues of the core and of Ludo: English and French say the same things."""

import re
from importlib import resources
from string import Formatter

import pytest

import ludus
from ludus.core.messages import LANGUAGES, Message, catalogue
from ludus.games.ludo.document.rules import COLOURS, GROUPS
from ludus.games.ludo.notation import REASONS

CORE, LUDO = "ludus.core", "ludus.games.ludo"
FRENCH = {
    "green": "vert",
    "yellow": "jaune",
    "blue": "bleu",
    "red": "rouge",
    "purple": "violet",
    "orange": "orange",
    "black": "noir",
    "white": "blanc",
    "pink": "rose",
    "brown": "brun",
    "teal": "sarcelle",
    "lime": "citron vert",
}


# what options mean, and the names of rule sets, are said in English by rules.py and the documents themselves
IN_THE_CODE = ("group", "option", "title", "source")


def flat(package, lang):
    """{dotted key: text} of a catalogue, in the order of the file."""
    return {
        f"{section}.{key}": text
        for section, texts in catalogue(package, lang).items()
        if section not in IN_THE_CODE
        for key, text in texts.items()
    }


def placeholders(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


both = pytest.mark.parametrize("package", [CORE, LUDO])


@both
def test_every_language_has_a_catalogue(package):
    for lang in LANGUAGES:
        assert (resources.files(package) / "words" / f"{lang}.toml").is_file()
        assert catalogue(package, lang)


@both
@pytest.mark.rule("F40")
def test_the_same_keys_in_the_same_order(package):
    assert list(flat(package, "fr")) == list(flat(package, "en"))


@both
@pytest.mark.rule("F40")
def test_the_same_placeholders(package):
    french = flat(package, "fr")
    for key, text in flat(package, "en").items():
        assert placeholders(french[key]) == placeholders(text), key


@both
def test_texts_are_short_phrases(package):
    for lang in LANGUAGES:
        for key, text in flat(package, lang).items():
            if key.startswith("number."):  # the marks within a number are no phrases
                continue
            assert text == text.strip(), (lang, key)
            assert text, (lang, key)
            assert not text.endswith("."), (lang, key)
            assert not re.search(r"\{\W*\}|  |\n", text), (lang, key)


@both
def test_french_is_french(package):
    """A phrase left in English would be the same in both; only these few are."""
    alike = {key for key, text in flat(package, "en").items() if flat(package, "fr")[key] == text}
    assert alike <= {"colour.orange", "fact.places", "fact.scores"}


@pytest.mark.rule("F40")
def test_colours():
    assert {colour: Message(LUDO, colour, section="colour").text("fr") for colour in COLOURS} == FRENCH
    assert {colour: Message(LUDO, colour, section="colour").text("en") for colour in COLOURS} == dict(
        zip(COLOURS, COLOURS, strict=True)
    )


def test_every_reason_of_the_kernel_has_words():
    codes = set(REASONS.values()) - {"no_move_at_all"}  # a code that the kernel never gives
    assert len(codes) >= 24
    for lang in LANGUAGES:
        assert codes <= catalogue(LUDO, lang)["reason"].keys()


def test_every_reason_that_a_rule_set_cites_has_words():
    for name in ("pettingzoo", "strict", "star", "maedn", "french"):
        cites = ludus.make(name).rules.cites
        assert cites.keys() <= catalogue(LUDO, "en")["reason"].keys(), name


def test_a_missing_translation_falls_back_to_english():
    assert Message("ludus.games", "no such key").text("fr") == "no such key"
    assert Message(LUDO, "no such key").text("fr") == "no such key"


@pytest.mark.rule("F40")
def test_every_option_has_a_french_meaning():
    french = catalogue(LUDO, "fr")
    assert set(french["group"]) == set(GROUPS)
    for group, model in GROUPS.items():
        assert set(french["option"][group]) == set(model.model_fields)
