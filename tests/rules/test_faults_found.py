"""Faults that players of published games found in the language of documents, each by the rule that it touched."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.rulebook import rulebook
from ludus.games.ludo.rulebook.differences import differences

# a ring with a turn-off for each of two colours
ISLAND: dict[str, Any] = {
    "name": "island",
    "board": {
        "shape": "graph",
        "seats": 2,
        "pieces": 2,
        "paths": [
            "1..16 > 1",
            "green: start > 1",
            "green: 16 > g1 > g2 > finish",
            "yellow: start > 9",
            "yellow: 8 > y1 > y2 > finish",
        ],
    },
    "capture": {"before_home": True},
    "win": {"turn_limit": 400},
}


def island(green: list[Any], dice: int, **more: Any) -> ludus.Position:
    data = {"pieces": {"green": green, "yellow": [3, "start"]}, "turn": "green", "dice": [dice], **more}
    return ludus.make(ISLAND).position(data)


def targets(position: ludus.Position) -> set[Any]:
    return {move.target for move in position.moves()}


@pytest.mark.rule("Z10")
def test_on_a_graph_too_the_way_home_opens_with_the_first_capture() -> None:
    assert targets(island([15, "start"], 2)) == {1}
    assert targets(island([15, "start"], 2, captured=["green"])) == {1, "g1"}
    opened = island([1, "start"], 2).play("1+2")  # captures yellow on 3
    assert opened.to_dict()["captured"] == ["green"]


@pytest.mark.rule("Z12")
def test_on_a_graph_nobody_stands_behind_a_way_that_is_closed() -> None:
    with pytest.raises(ludus.InvalidPosition, match="without a capture"):
        island(["g1", "start"], 1)
    assert targets(island(["g1", "start"], 1, captured=["green"])) == {"g2"}


@pytest.mark.rule("Z10")
def test_whole_games_on_a_graph_with_capture_before_home() -> None:
    played = ludus.make(ISLAND).playouts(50, seed=1)
    won = played.winner >= 0
    assert won.sum() > 40
    assert played.captures[won].min() >= 1, "nobody comes home without a capture"


@pytest.mark.rule("L37")
def test_pieces_share_the_path_where_the_end_path_has_one_place_each() -> None:
    game = ludus.make("maedn", share_own=True)
    rest = {colour: ["start"] * 4 for colour in ("yellow", "blue", "red")}

    def at(*green: Any) -> ludus.Position:
        return game.position({"pieces": {"green": list(green)} | rest, "turn": "green", "dice": [2]})

    assert at(10, 12, "start", "start").play("10+2").to_dict()["pieces"]["green"][:2] == [12, 12]
    assert {str(move) for move in at("end:3", "end:1", 12, "start").moves()} == {"12+2"}
    with pytest.raises(ludus.InvalidPosition, match=r"two pieces of green on end:3"):
        at("end:3", "end:3", 12, "start")


# a ring of 56 holes, five of each arm joined crosswise: many ways where pieces turn off in passing, few from rest
CROSSWISE: dict[str, Any] = {
    "name": "crosswise",
    "board": {
        "shape": "graph",
        "seats": 4,
        "paths": [
            "0..55 > 0",
            *(f"{a} > s{a}-{b} > {b}" for a in range(0, 56, 4) for b in range(2, 56, 6) if a != b),
            *(f"{colour}: start > {14 * n}" for n, colour in enumerate(("green", "yellow", "blue", "red"))),
            *(f"{colour}: {(14 * n - 2) % 56} > finish" for n, colour in enumerate(("green", "yellow", "blue", "red"))),
        ],
    },
    "win": {"turn_limit": 300},
}


@pytest.mark.rule("L21")
def test_the_size_of_a_board_is_told_by_where_pieces_may_turn_off() -> None:
    with pytest.raises(ludus.LudusError, match=r"too many ways"):
        ludus.make(CROSSWISE)
    game = ludus.make(CROSSWISE | {"movement": {"branch": "from_rest"}})
    assert len(game.board.topology.names) > 56
    assert game.start(seed=1).roll().to_move == "green"


# ---------------------------------------------------------------- the rule book


def book(source: Any, lang: str = "en") -> str:
    return " ".join(sentence for section in rulebook(ludus.make(source), lang) for sentence in section.sentences)


def test_the_book_of_deck_does_not_contradict_itself() -> None:
    told = book("deck")
    assert "No two pieces of one colour stand on one tile" in told
    assert "On an end path a piece may not pass another." in told
    assert "land on its tile" not in told.partition("On an end path")[2]
    assert "it may land on its tile" in book("strict"), "where pieces share tiles, that is told"


def test_differences_say_what_gives_another_roll() -> None:
    twelve = {"name": "twelve", "chance": {"dice": 2, "use": "sum"}, "turn": {"again_values": [12]}}
    found = {each.option: each for each in differences(ludus.make("classic").rules, documents.load(twelve, {}))}
    assert "Nothing gives" not in found["turn.again_on"].words[1]
    assert found["turn.again_values"].words[1] == "A value of 12 gives another roll."


ABSENT = ("never block", "No tile is safe", "no protection", "stay the same", "Nothing gives", "any number of times")


def test_differences_say_what_guards_ways() -> None:
    rules = [ludus.make(name).rules for name in ("yut-nori", "yut-back-do")]
    (ways,) = [one for one in differences(*rules, "en") if one.option == "board.paths"]
    assert "With -1 a piece goes back along these ways" in ways.words[1]
    assert "back along" not in ways.words[0]


@pytest.mark.parametrize("name", documents.shipped())
def test_rules_that_a_game_has_not_are_not_listed(name: str) -> None:
    now = [section for section in rulebook(ludus.make(name), "en") if section.key != "changes"]
    told = " ".join(sentence for section in now for sentence in section.sentences)
    assert [words for words in ABSENT if words in told] == []


def test_a_graph_is_described_and_not_dumped() -> None:
    told = book("yut")
    assert ">" not in told
    assert "All colours come out on tile 1." in told
    assert "11 steps home by the shortest way, 21 by the longest" in told
    assert "Ways part at 5, 10 and mid." in told
    assert "Les chemins se séparent en 5, 10 et mid." in book("yut", "fr")
    own = book(ISLAND)
    assert "Tiles where only one colour goes: green g1 and g2; yellow y1 and y2." in own
    assert "ways lead round in a circle too" in own
