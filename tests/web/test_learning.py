"""Learning to play: how to play on every card, boards in the rule book, a first game that is guided, bots by level."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import ludus

from .playing import PHONE


@pytest.mark.parametrize(
    ("lang", "screen", "groups"),
    [
        ("en", {}, ["Family", "Around the world", "Strategy", "Ours"]),
        ("fr", PHONE, ["En famille", "Autour du monde", "Stratégie", "Les nôtres"]),
    ],
)
def test_the_shelf_leads_with_classic_and_every_card_says_how_to_play(server, sit, lang, screen, groups):
    somebody = sit(lang=lang, **screen)
    page = somebody.page
    expect(page.locator("[data-group] > h2")).to_have_text(groups)
    assert page.locator("li[data-game]").count() < len(ludus.games()), "the rest of a long shelf when it is asked for"
    page.locator("[data-group=world] [data-act=all-games]").click()
    expect(page.locator("[data-act=all-games]")).to_have_count(0)
    cards = [card.get_attribute("data-game") for card in page.locator("li[data-game]").all()]
    assert cards[0] == "classic"
    assert set(cards) == {*ludus.games(), "own"}
    expect(page.locator("[data-act=how]")).to_have_count(len(ludus.games()))
    assert not page.locator("[data-act=upload]").is_visible(), "records are in a menu"
    if screen:
        heights = [card.bounding_box()["height"] for card in page.locator("li[data-game]").all()]
        assert max(heights) < PHONE["viewport"]["height"] / 3, "several games to a screen"
    page.locator("[data-game=star] [data-act=how]").click()
    expect(page.locator("h1")).to_contain_text("Star" if lang == "en" else "toile")
    page.locator("header [data-act=play-now]").click()
    somebody.my_turn()
    expect(page.locator("header .title")).to_contain_text("Star" if lang == "en" else "toile")


def test_the_rule_book_shows_positions_of_its_own_rules(server, sit):
    page = sit(path="/?rules=star").page
    for section in ("board", "players", "rolling"):
        expect(page.locator(f"[data-example={section}] .path .tile").first).to_be_attached()
    expect(page.locator("[data-example=board] .piece")).to_have_count(0)
    expect(page.locator("[data-example=rolling] .cast")).to_have_count(1)
    for section in ("start", "moving", "captures", "safe", "finish", "win"):
        example = page.locator(f"[data-example={section}]")
        expect(example.locator(".piece").first).to_be_attached()
        expect(example.locator(".trails path").first).to_be_attached()
    expect(page.locator("[data-example] [tabindex]")).to_have_count(0)


@pytest.mark.parametrize(("lang", "screen", "tip"), [("en", {}, "Tap the die"), ("fr", PHONE, "Touchez le dé")])
def test_a_guided_first_game(server, sit, lang, screen, tip):
    somebody = sit(lang=lang, **screen)
    somebody.act("guide")
    somebody.my_turn()
    guide = somebody.page.locator("[data-part=guide]")
    expect(guide).to_contain_text(tip)
    told = set()
    for _ in range(200):
        if not somebody.my_turn():
            break
        told.add(guide.get_attribute("data-tip"))
        somebody.any_move()
    assert {"guide_roll", "guide_move"} <= told
    expect(guide).to_have_attribute("data-tip", "guide_done")
    somebody.act("end-guide")
    expect(guide).to_have_count(0)


@pytest.mark.parametrize(
    ("lang", "levels"), [("en", ["Easy", "Medium", "Hard"]), ("fr", ["Facile", "Moyen", "Difficile"])]
)
def test_bots_are_called_by_how_hard_they_are(server, sit, lang, levels):
    somebody = sit(path="/?game=classic", lang=lang)
    page = somebody.page
    page.wait_for_selector("select[data-seat=yellow] option[data-level]", state="attached")
    named = page.locator("select[data-seat=yellow] option[data-level]").all()
    assert [option.inner_text().split(": ")[1].strip() for option in named[:3]] == levels
    assert all(option.get_attribute("title") for option in named)
    assert len(named) == len(levels)
    others = page.locator("select[data-seat=yellow] optgroup option")
    assert {"bot:random", "bot:heuristic"} <= {option.get_attribute("value") for option in others.all()}
    page.locator("select[data-seat=blue]").select_option("bot:random")
    expect(page.locator("select[data-seat=yellow]")).to_have_value("bot:td")
    somebody.act("start")
    somebody.my_turn()
    state = page.locator(".seats [data-player=yellow] .state")
    expect(state).to_contain_text(levels[1])
    assert {"en": "Net", "fr": "Réseau"}[lang] in state.get_attribute("title")
    expect(state.locator("svg[data-level=medium]")).to_have_count(1)
    expect(page.locator(".seats [data-player=blue] .state")).to_contain_text({"en": "Random", "fr": "Au hasard"}[lang])


def test_quick_choices(server, sit):
    somebody = sit(path="/?game=classic")
    page = somebody.page
    page.locator("[data-preset=preset_two]").click()
    expect(page.locator(".picture [data-piece]")).to_have_count(8)
    page.locator("[data-preset=preset_tries]").click()
    expect(page.locator("[data-preset=preset_tries]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".badge")).to_contain_text("2")
    somebody.act("start")
    somebody.my_turn()
    expect(page.locator("[data-piece]")).to_have_count(8)
