"""What browsers draw: trays beside yards, pawns, what is thrown besides dice, letters, events, examples of rules."""

from __future__ import annotations

import re
from itertools import combinations
from math import hypot

import pytest
from variants import some_slow

import ludus
from ludus.core.scene import scene_of_events
from ludus.games.ludo.picture.examples import SHOWN, example_scenes, examples
from ludus.games.ludo.picture.geometry import geometry
from ludus.games.ludo.picture.pawns import card
from ludus.games.ludo.picture.scene import letters_of
from ludus.games.ludo.picture.trays import trays_of
from ludus.games.ludo.rulebook import rulebook

LUDOS = [name for name in ludus.games() if name != "generals"]


@pytest.mark.parametrize("name", LUDOS)
def test_every_tray_is_on_the_board_and_covers_nothing(name: str) -> None:
    board = geometry(ludus.make(name).rules)
    left, top, right, bottom = board.bounds
    trays = trays_of(board)
    spots = [*board.path, *board.finishes, *(spot for lane in board.ends for spot in lane)]
    spots += [yard.area for yard in board.yards] + [spot for zone in board.held for spot in zone]
    for tray in trays:
        assert tray is not None
        x, y, side = tray
        assert left <= x - side / 2
        assert x + side / 2 <= right
        assert top <= y - side / 2
        assert y + side / 2 <= bottom
        for spot in spots:
            apart = max(abs(x - spot.x), abs(y - spot.y)) if spot.outline else hypot(x - spot.x, y - spot.y)
            assert apart >= side / 2 + spot.size / 2 - 0.02, (tray, spot.place)
    for (x, y, side), yard in zip(filter(None, trays), board.yards, strict=True):
        if not yard.area.outline:  # round: its rim shows whose turn it is
            assert hypot(x - yard.area.x, y - yard.area.y) >= yard.area.width / 2 + side * 0.65
    for (x, y, side), (a, b, other) in combinations([tray for tray in trays if tray], 2):
        assert hypot(x - a, y - b) >= (side + other) / 2


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", LUDOS)
def test_letters_are_different_and_every_colour_has_a_pawn_and_a_shape(name: str, lang: str) -> None:
    scene = ludus.make(name).scene(lang)
    letters = [player["letter"] for player in scene["players"]]
    assert len(set(letters)) == len(letters)
    for player in scene["players"]:
        assert 'class="pawn"' in scene["tokens"][player["player"]]
        assert scene["tokens"][f"shape:{player['player']}"]
    shapes = {scene["tokens"][f"shape:{player['player']}"] for player in scene["players"]}
    assert len(shapes) == len(letters), "no two have the same shape"


def test_letters_go_on_to_the_next_that_is_free() -> None:
    assert letters_of(["vert", "jaune", "violet", "bleu", "blanc"]) == ["V", "J", "I", "B", "L"]


@pytest.mark.parametrize(("name", "drawn"), [("yut", "sticks"), ("pachisi", "cowries"), ("deck", "card")])
def test_what_is_thrown_is_drawn_as_what_it_is(name: str, drawn: str) -> None:
    game = ludus.make(name)
    tokens = game.scene()["tokens"]
    for outcome in game.start().outcomes():
        assert f'class="{drawn}"' in tokens[f"cast:{outcome}"]
    assert "cast:?" in tokens


def test_events_name_pieces_and_places_as_scenes_do() -> None:
    pieces = {"green": ["start", 6, 30, "start"], "blue": [11, "start", "start", "start"]}
    position = ludus.make("star", players=2).position({"pieces": pieces, "turn": "green", "dice": [5]})
    told = scene_of_events(position.events("6+5"))
    assert [(one["what"], one["piece"], one["origin"], one["target"]) for one in told[:3]] == [
        ("moved", "green-1", "6", "11"),
        ("captured", "blue-0", "11", "blue/start"),
        ("jumped", "green-1", "11", "17"),
    ]
    places = {place["id"] for place in position.game.scene()["places"]}
    assert {one["target"] for one in told if one["target"]} <= places


@pytest.mark.parametrize("name", some_slow(LUDOS, "dog", "tock"))
def test_examples_show_what_they_are_for(name: str) -> None:
    game = ludus.make(name)
    found = examples(game)
    begins_outside = any("start" in places for places in game.start().to_dict()["pieces"].values())
    exchanges = any(row.landing == "swap" for row in game.rules.meeting)  # and captures nobody
    assert {"moving"} | ({"start"} if begins_outside else set()) | (set() if exchanges else {"captures"}) <= set(found)
    for section, (position, move) in found.items():
        assert SHOWN[section](game, move)
        assert str(move) in {str(one) for one in position.moves()}


@pytest.mark.parametrize("name", ["star", "french", "uckers", "ur"])
def test_every_section_of_a_rule_book_has_a_board(name: str) -> None:
    game = ludus.make(name)
    sections = [section.key for section in rulebook(game)]
    shown = example_scenes(game, sections, "en")
    assert [key for key in sections if key not in shown] == []
    assert shown["board"]["pieces"] == []
    assert shown["rolling"]["dice"]
    assert len(shown["win"]["moves"]) == 1


def test_a_block_of_the_rule_book_is_one() -> None:
    block = example_scenes(ludus.make("french"), ["blocks"], "en")["blocks"]
    standing = [(piece["player"], piece["place"]) for piece in block["pieces"] if piece["place"].isdecimal()]
    assert len(set(standing)) < len(standing)


@pytest.mark.parametrize(
    ("name", "token", "thrown"),
    [("deck", "die:3", "card:three"), ("slides", "die:two", "card:two"), ("pachisi", "die:25", "cowries:0"),
     ("yut", "die:5", "sticks:0"), ("ur", "die:3", "sticks:3")],
)  # fmt: skip
def test_what_is_to_be_played_is_drawn_as_it_was_thrown(name: str, token: str, thrown: str) -> None:
    tokens = ludus.make(name).scene()["tokens"]
    assert tokens[token] == tokens[f"cast:{thrown}"]


def test_slides_are_drawn_in_the_colour_that_they_spare() -> None:
    game = ludus.make("slides")
    slides = [link for link in geometry(game.rules).links if link.kind == "slide"]
    assert len(slides) == 8
    assert {link.owner for link in slides} == set(game.players)
    link = next(one for one in slides if one.origin.place == 12)
    assert ([spot.place for spot in link.over], link.target.place, link.owner) == ([13, 14], 15, "yellow")
    assert 'class="slides"' in game.scene()["board"]


def test_a_long_rank_stays_on_its_card() -> None:
    sizes = {rank: float(re.findall(r'font-size="([0-9.]+)"', card(rank))[0]) for rank in ("ace", "ten", "thunderbolt")}
    assert sizes["ace"] > sizes["ten"] > sizes["thunderbolt"]
    assert all(len(words) * sizes[rank] < 0.9 for rank, words in (("ten", "10"), ("thunderbolt", "thunderbolt")))
