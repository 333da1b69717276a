"""Our family's Ludo: questions, all rules and the text in step, a verdict, a name, a card, a link, a file."""

from __future__ import annotations

import base64
import re

import pytest
from playwright.sync_api import expect

from .playing import PHONE

SUNDAY = 'name = "sunday"\ntitle = "Sunday Ludo"\nextends = "classic"\n\n[capture]\nduty = true\n'


def link(document):
    """A link that carries a document."""
    return "/?share#d=" + base64.urlsafe_b64encode(document.encode()).decode().rstrip("=")


def make(sit, **more):
    somebody = sit(path="/?game=classic", **more)
    somebody.act("make-ours")
    somebody.wait("[data-part=questions]")
    return somebody


@pytest.mark.parametrize(
    ("lang", "screen", "sentence", "verdict", "head"),
    [
        ("en", {}, "Who can capture must capture.", "Loose Ludo", "One change from Classic Ludo"),
        ("fr", PHONE, "Qui peut capturer doit capturer.", "Ludo libre", "Un changement depuis Ludo classique"),
    ],
)
def test_questions_rules_and_text_are_in_step(server, sit, lang, screen, sentence, verdict, head):
    somebody = make(sit, lang=lang, **screen)
    page = somebody.page
    page.locator("[data-question='capture.duty'] input").check()
    expect(page.locator("[data-part=changes] li")).to_have_count(1)
    expect(page.locator("[data-part=changes] h2")).to_have_text(head)
    expect(page.locator("[data-part=changes] li")).to_contain_text(sentence)
    expect(page.locator("[data-part=verdict]")).to_contain_text(verdict)
    expect(page.locator("[data-part=verdict]")).to_contain_text(re.compile(r"S\d+\s?: "))
    expect(page.locator("[data-field=document]")).to_have_value(re.compile(r"\[capture\]\nduty = true"))
    page.locator("summary").last.click()
    page.locator("[data-field=document]").fill(SUNDAY.replace("duty = true", "duty = true\ncapture_bonus = 20"))
    expect(page.locator("[data-question='capture.capture_bonus'] input[value='20']")).to_be_checked()
    expect(page.locator("[data-field=title]")).to_have_value("Sunday Ludo")
    page.locator("[data-change='capture.duty'] button").click()
    expect(page.locator("[data-question='capture.duty'] input")).not_to_be_checked()


def test_another_roll_after_by_checkboxes_and_the_board_follows(server, sit):
    somebody = make(sit)
    page = somebody.page
    page.locator("[data-question='turn.again_on'] input[value=capture]").uncheck()
    expect(page.locator("[data-change='turn.again_on']")).to_be_visible()
    page.locator("[data-question='board.pieces'] input[value='2']").check()
    expect(page.locator(".picture [data-piece]")).to_have_count(8)
    expect(page.locator("[data-part=changes] h2")).to_have_text("2 changes from Classic Ludo")


@pytest.mark.parametrize("game", ["classic", "maedn"])
def test_every_question_has_pictures(server, sit, game):
    """A dozen or more questions, and each answer is drawn, not only written; no two answers look alike."""
    page = sit(path=f"/?make={game}").page
    questions = page.locator("[data-question]")
    questions.first.wait_for()
    assert questions.count() >= 12
    for question in questions.all():
        answers = question.locator("input").all()
        pictures = [answer.locator("xpath=following-sibling::*[1]").inner_html() for answer in answers]
        assert all("<" in picture for picture in pictures), question.get_attribute("data-question")
        assert len(set(pictures)) == len(pictures), question.get_attribute("data-question")


def test_it_has_a_name_a_card_and_a_table_of_that_name(server, sit):
    somebody = make(sit)
    page = somebody.page
    page.locator("[data-question='capture.duty'] input").check()
    expect(page.locator("[data-part=changes] li")).to_have_count(1)
    page.locator("[data-field=title]").fill("Omas Ludo")
    expect(page.locator("[data-field=document]")).to_have_value(re.compile('title = "Omas Ludo"'))
    somebody.act("keep-ours")
    somebody.open("/")
    card = page.locator("[data-ours]")
    expect(card).to_contain_text("Omas Ludo")
    card.locator("[data-act=play-ours]").click()
    somebody.my_turn()
    expect(page.locator("header h1")).to_have_text("Omas Ludo")
    somebody.open("/")
    expect(page.locator("[data-part=own-tables] li").first).to_contain_text("Omas Ludo")
    somebody.act("open-ours")
    expect(page.locator("[data-question='capture.duty'] input")).to_be_checked()
    somebody.open("/")
    somebody.act("drop-ours")
    expect(card).to_have_count(0)


def test_a_link_carries_it_to_somebody_else(server, sit):
    somebody = make(sit, permissions=["clipboard-read", "clipboard-write"])
    page = somebody.page
    page.locator("[data-question='capture.duty'] input").check()
    expect(page.locator("[data-part=changes] li")).to_have_count(1)
    page.evaluate("navigator.share = undefined")
    somebody.act("share-ours")
    expect(page.locator(".notice")).to_be_visible()
    address = page.evaluate("navigator.clipboard.readText()")
    other = sit(path=address.removeprefix(server.address))
    expect(other.page.locator("[data-question='capture.duty'] input")).to_be_checked()


@pytest.mark.parametrize(("lang", "told"), [("en", "This link is damaged"), ("fr", "Ce lien est abîmé")])
def test_a_damaged_link_is_told_in_a_sentence(server, sit, lang, told):
    somebody = sit(path="/?share#d=%%%%", lang=lang)
    expect(somebody.page.locator("[data-part=problem]")).to_contain_text(told)


@pytest.mark.parametrize(
    "document",
    [
        "extends = 'no such game'\nname = 'x'",
        "name = 'x'\nplugins = ['/etc/passwd']",
        "a" * 9000,
        'name = "x"\n[board]\npieces = 9999',
    ],
)
def test_a_hostile_document_is_refused_in_a_sentence(server, sit, document):
    somebody = sit(path=link(document))
    problem = somebody.page.locator("[data-part=problem]")
    expect(problem).to_be_visible()
    assert "\n" not in problem.inner_text().strip()
    expect(somebody.page.locator("[data-act=play-ours]")).to_be_disabled()


def test_a_name_full_of_marks_is_text(server, sit):
    somebody = make(sit)
    page = somebody.page
    name = '"]<img src=x onerror=alert(1)>\\'
    page.locator("[data-field=title]").fill(name)
    expect(page.locator("[data-field=title]")).to_have_value(name)
    expect(page.locator("[data-part=problem]")).to_have_count(0)
    somebody.act("keep-ours")
    somebody.open("/")
    expect(page.locator("[data-ours] h3")).to_have_text(name)
    assert page.locator("img[src=x]").count() == 0


def test_files_go_out_and_come_in(server, sit, tmp_path):
    somebody = make(sit)
    page = somebody.page
    page.locator("[data-question='capture.duty'] input").check()
    expect(page.locator("[data-part=changes] li")).to_have_count(1)
    with page.expect_download() as download:
        somebody.act("export-ours")
    saved = tmp_path / "ours.toml"
    download.value.save_as(saved)
    assert "duty = true" in saved.read_text()
    saved.write_text(SUNDAY)
    page.locator("[data-act=open-document]").set_input_files(saved)
    expect(page.locator("[data-field=title]")).to_have_value("Sunday Ludo")


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "A whole number from 1 to 15."), ("fr", "Un nombre entier de 1 à 15.")]
)
def test_an_error_stands_at_its_field_in_ones_language(server, sit, lang, told):
    somebody = make(sit, lang=lang)
    page = somebody.page
    page.locator("summary").first.click()
    field = page.locator("[data-option='board.pieces'] input")
    field.fill("99")
    field.press("Tab")
    expect(page.locator("[data-problem='board.pieces']")).to_have_text(told)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("[capture]\nduti = true", "option inconnue 'capture.duti' ; vouliez-vous dire 'duty' ?"),
        ("[board]\npieces = 99", "board.pieces : il faut au plus"),
        ("[board]\npieces =", "pas du TOML"),
        ('[capture]\nby = "none"', "les pions de joueurs différents"),
        ("[board]\npath = 53", "ne se divise pas par"),
        ("[win]\nneeded = 7", "win.needed = 7 dépasse board.pieces = 4"),
    ],
)
def test_what_is_wrong_is_told_in_french(server, sit, rules, told):
    somebody = sit(path=link(f'name = "x"\nextends = "classic"\n{rules}\n'), lang="fr")
    expect(somebody.page.locator("[data-part=problem]")).to_contain_text(told)


def test_a_sentence_of_the_rule_book_leads_to_its_option(server, sit):
    somebody = make(sit)
    somebody.page.locator("[data-change-option='finish.rule']").first.click()
    expect(somebody.page.locator("[data-option='finish.rule'] select")).to_be_focused()


# what each of these rule sets writes as tables
EXPECTED_TABLES = {"classic": set(), "yut": {"meeting"}, "parchis": {"meeting", "on"}, "tides": {"changes"}}


@pytest.mark.parametrize("game", ["classic", "yut", "parchis", "tides"])
def test_every_sentence_of_the_rule_book_can_be_changed(server, sit, game):
    """What is a field leads there; what is written as a table is in the text, ready to be changed."""
    page = sit(path=f"/?make={game}").page
    rules = page.locator(".rules [data-rule]")
    rules.first.wait_for()
    assert page.locator(".rules [data-rule]:not(:has([data-change-option]))").all_inner_texts() == []
    options = page.locator("[data-change-option]").evaluate_all(
        "all => [...new Set(all.map(one => one.dataset.changeOption))]"
    )
    tables = {option for option in options if "." not in option}
    fields = page.locator("[data-option]").evaluate_all("all => all.map(one => one.dataset.option)")
    assert set(options) - tables <= set(fields)
    assert tables == EXPECTED_TABLES[game]
    for table in tables:
        before = rules.all_inner_texts()
        page.locator(f"[data-change-option={table}]").first.click()
        text = page.locator("[data-field=document]")
        expect(text).to_be_focused()
        expect(text).to_have_value(re.compile(rf"^\[\[{table}\]\]$", re.MULTILINE))
        # the rows are those of the game: the book stays as it was
        expect(page.locator("[data-part=verdict]")).to_be_visible()
        assert rules.all_inner_texts() == before


def test_every_option_value_is_french_in_french(server, sit):
    """No value of a list is shown in English words: the two languages differ, or the word is the same in both."""
    shown = {}
    for lang in ("en", "fr"):
        somebody = make(sit, lang=lang)
        somebody.page.locator("summary").first.click()
        shown[lang] = somebody.page.locator("[data-option] option").all_inner_texts()
    same = {one for one, other in zip(shown["en"], shown["fr"], strict=True) if one == other}
    assert len(shown["fr"]) > 60
    assert same == set(), same
