"""One player with two colours: `players.controls`, in positions that a person can read (L9).

The board has 24 path tiles: green comes out on 0, yellow on 6, blue on 12, red on 18; each has two pieces and an end
path of two tiles.
"""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.games.ludo.document.problems import in_language
from ludus.games.ludo.rulebook.prose import rule_book
from ludus.games.ludo.rulebook.verdict import check

BOARD = {"seats": 4, "pieces": 2, "end_path": 2, "path": 24}
NEIGHBOURS = [["green", "yellow"], ["blue", "red"]]
OPPOSITE = [["green", "blue"], ["yellow", "red"]]


def document(controls: Any, **groups: Any) -> dict[str, Any]:
    """The small board, with players of two colours; the first seat begins."""
    turn = {"first": "seat"} | groups.pop("turn", {})
    board = BOARD | groups.pop("board", {})
    return {"name": "two-each", "board": board, "turn": turn, "players": {"controls": controls}, **groups}


def at(controls: Any, turn: str, dice: list[int], pieces: dict[str, list[Any]], **groups: Any) -> ludus.Position:
    """A position; colours that are not named wait in their yards."""
    game = ludus.make(document(controls, **groups))
    everyone = {colour: pieces.get(colour, ["start", "start"]) for colour in game.players}
    return game.position({"pieces": everyone, "turn": turn, "dice": dice})


def notations(position: ludus.Position) -> set[str]:
    return {str(move) for move in position.moves()}


@pytest.mark.rule("L9")
@pytest.mark.parametrize(
    ("controls", "order"),
    [
        (OPPOSITE, ("green", "yellow", "blue", "red")),
        (NEIGHBOURS, ("green", "blue", "yellow", "red")),
        ([["red", "green"], ["blue", "yellow"]], ("red", "blue", "green", "yellow")),
    ],
)
def test_everybodys_first_colour_plays_and_then_everybodys_second(controls: Any, order: tuple[str, ...]) -> None:
    position = at(controls, order[0], [], {})
    assert position.game.players == order
    for colour in (*order[1:], order[0]):  # nobody can move with a 1
        position = position.play("1").play("pass")
        assert position.turn == colour


@pytest.mark.rule("L9")
@pytest.mark.parametrize("turn", ["green", "yellow"])
def test_a_player_moves_a_piece_of_either_colour(turn: str) -> None:
    position = at(NEIGHBOURS, turn, [2], {"green": [3, "start"], "yellow": [20, "start"], "blue": [14, "start"]})
    mine, other = ("", "yellow:") if turn == "green" else ("green:", "")
    assert notations(position) == {f"{mine}3+2", f"{other}20+2"}


@pytest.mark.rule("L9")
def test_where_a_turn_is_that_of_a_colour_its_pieces_move_and_then_the_others() -> None:
    own = {"movement": {"may_move": "own"}}
    pieces: dict[str, list[Any]] = {"green": [3, "start"], "yellow": [20, "start"]}
    assert notations(at(NEIGHBOURS, "green", [2], pieces, **own)) == {"3+2"}
    assert notations(at(NEIGHBOURS, "yellow", [2], pieces, **own)) == {"20+2"}
    home: dict[str, list[Any]] = {"green": ["finish", "finish"], "yellow": [20, "start"]}
    (move,) = at(NEIGHBOURS, "green", [2], home, **own).moves()
    assert (move.origin, move.target) == (20, 22)


@pytest.mark.rule("L9", "L33")
def test_the_colours_of_a_player_do_not_capture_each_other() -> None:
    mates = at(NEIGHBOURS, "green", [2], {"green": [8, "start"], "yellow": [10, "start"]}).play("8+2")
    assert mates.to_dict()["pieces"]["yellow"] == [10, "start"]
    enemies = at(NEIGHBOURS, "green", [2], {"green": [8, "start"], "blue": [10, "start"]}).play("8+2")
    assert enemies.to_dict()["pieces"]["blue"] == ["start", "start"]


@pytest.mark.rule("L13")
def test_a_player_wins_with_all_pieces_of_both_colours() -> None:
    finish: list[Any] = ["finish", "finish"]
    one_left = at(NEIGHBOURS, "green", [2], {"green": ["end:0", "finish"], "yellow": ["finish", 20]}).play("end:0+2")
    assert one_left.result is None
    over = at(NEIGHBOURS, "green", [2], {"green": finish, "yellow": ["end:0", "finish"]}).play("yellow:end:0+2")
    assert over.result == {"green": 1, "yellow": 1, "blue": -1, "red": -1}


def test_what_a_game_is_made_of_makes_it_again() -> None:
    game = ludus.make(document(NEIGHBOURS))
    data = game.document()
    again = ludus.make(data["rules"], players=data["players"])
    assert (again.players, again.player_counts) == (game.players, (4,))
    assert again.document() == data


@pytest.mark.parametrize(
    ("controls", "groups", "words"),
    [
        ([["green", "blue"]], {}, "every colour of the board once"),
        ([["green", "blue"], ["yellow", "blue"]], {}, "every colour of the board once"),
        ([["green", "pink"], ["yellow", "blue"]], {}, "green, yellow, blue, red"),
        ([["green", "blue", "red"], ["yellow"]], {}, "two to each player"),
        (OPPOSITE, {"modes": {"mode": "ffa"}}, 'modes.mode = "teams"'),
        (OPPOSITE, {"movement": {"may_move": "all"}, "win": {"turn_limit": 99}}, 'movement.may_move = "team"'),
        (
            OPPOSITE,
            {"changes": [{"when": "captures", "set": {"players.controls": []}}]},
            "can't change during the game",
        ),
    ],
)
def test_what_cannot_hold_is_refused_in_a_line(controls: Any, groups: dict[str, Any], words: str) -> None:
    with pytest.raises(ludus.LudusError) as caught:
        ludus.make(document(controls, **groups))
    line = str(caught.value)
    assert words in line
    assert "\n" not in line


def test_a_text_lists_the_colours_of_a_player_too() -> None:
    in_text = ludus.make(document(["green yellow", "blue red"]))
    assert in_text.rules == ludus.make(document(NEIGHBOURS)).rules


def test_two_hands_of_one_player_are_refused() -> None:
    with pytest.raises(ludus.LudusError, match="would have two hands"):
        ludus.make("dog", controls=OPPOSITE)


def test_refusals_are_french_in_french() -> None:
    colours = "green, yellow, blue, red"
    english = f"players.controls shares out every colour of the board once, two to each player: {colours}"
    assert in_language(english, "fr").startswith("players.controls donne chaque couleur")


@pytest.mark.parametrize("players", [2, ["green", "yellow"], ["green", "yellow", "blue", "purple"]])
def test_all_colours_play(players: Any) -> None:
    with pytest.raises(ludus.LudusError, match="which all play: green, blue, yellow, red"):
        ludus.make(document(NEIGHBOURS), players=players)


def test_the_rule_book_speaks_of_players_and_not_of_partners() -> None:
    rules = ludus.make(document(NEIGHBOURS)).rules
    told = {lang: [s for section in rule_book(rules, lang) for s in section.sentences] for lang in ("en", "fr")}
    assert "Each player has two colours: green and yellow; blue and red." in told["en"]
    assert "Every colour has its turns, in this order: green, blue, yellow, red." in told["en"]
    assert "Chaque joueur a deux couleurs : vert et jaune ; bleu et rouge." in told["fr"]
    assert not any("partner" in sentence for sentence in told["en"])
    backwards = ludus.make(document(NEIGHBOURS, turn={"direction": "anticlockwise"})).rules
    players = " ".join(s for section in rule_book(backwards, "en") for s in section.sentences)
    assert "in this order: green, red, yellow, blue." in players


def test_strict_ludo_gives_a_player_one_colour_and_loose_ludo_any() -> None:
    found = check({"name": "mine", "extends": "strict", "players": {"controls": NEIGHBOURS}})
    assert found.verdict == "loose"
    broken = [finding for finding in found.findings if finding.status == "broken"]
    assert [(finding.rule, finding.option) for finding in broken] == [
        ("S3", "players.controls"), ("S6", "players.controls"),
    ]  # fmt: skip
