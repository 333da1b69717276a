"""Guards of ways and jumps that ask for something: `[when …]` from then on, `[while …]` as long (docs/rule-sets.md)."""

from __future__ import annotations

from typing import Any

import pytest

import ludus
from ludus.core.game import Position
from ludus.games.ludo.rulebook import rulebook
from ludus.games.ludo.rulebook.verdict import check


def game(*paths: str, jumps: tuple[str, ...] = (), **parts: Any) -> ludus.Game:
    board = {"pieces": 3, "paths": list(paths), "jumps": list(jumps)}
    parts = {"turn": {"first": "seat"}, "win": {"turn_limit": 600}} | parts
    return ludus.make({"name": "mine", "extends": "strict", "board": board, **parts}, players=2)


def at(made: ludus.Game, green: list[Any], blue: list[Any] | None = None, **more: Any) -> Position:
    pieces = {"green": (green + ["start"] * 3)[:3], "blue": ((blue or []) + ["start"] * 3)[:3]}
    return made.position({"pieces": pieces, "turn": "green", **more})


def targets(position: Position, origin: int) -> set[Any]:
    return {move.target for move in position.moves() if move.origin == origin}


@pytest.mark.rule("L2", "L28")
def test_a_way_opens_with_the_second_capture_and_stays_open() -> None:
    made = game("10 > 30 [when captures >= 2]")
    once = at(made, [8, 20], [22], dice=[2], captures={"green": 0})
    assert targets(at(made, [9], dice=[2], captures={"green": 1}), 9) == {11}
    assert targets(at(made, [9], dice=[2], captures={"green": 2}), 9) == {11, 30}
    second = at(made, [8, 20], [22], dice=[2], captures={"green": 1}).play("20+2")
    assert second.to_dict()["changed"] == {"green": ["when captures >= 2"]}
    assert "changed" not in once.play("20+2").to_dict()


@pytest.mark.rule("L2", "L28")
def test_a_way_is_open_as_long_as_the_yard_is_empty() -> None:
    made = game("10 > 30 [while yard empty]")
    assert targets(at(made, [9, 20, 40], dice=[2]), 9) == {11, 30}
    assert targets(at(made, [9, 20], dice=[2]), 9) == {11}
    captured = at(made, [9, 20, 40], [18], turn="blue", dice=[2]).play("18+2")
    assert "changed" not in captured.to_dict()


@pytest.mark.rule("L2", "L28")
def test_a_jump_may_have_a_condition() -> None:
    made = game(jumps=("10 > 30 [while home >= 1]",))
    assert at(made, [8], dice=[2]).play("8+2").to_dict()["pieces"]["green"][0] == 10
    assert at(made, [8, "finish"], dice=[2]).play("8+2").to_dict()["pieces"]["green"][0] == 30


@pytest.mark.rule("L28")
def test_a_condition_stands_beside_a_first_capture_and_a_change() -> None:
    made = game(
        "10 > 30 [when home >= 1]",
        "12 > 33 [captured]",
        changes=[{"when": "turns", "at_least": 5, "set": {"turn.attempts": 2}}],
    )
    assert targets(at(made, [9, "finish"], dice=[4]), 9) == {13, 32}
    assert targets(at(made, [9], dice=[4], captured=["green"]), 9) == {13, 33}
    assert targets(at(made, [9, "finish"], dice=[4], captured=["green"]), 9) == {13, 32, 33}


def test_the_book_says_when_a_way_is_open() -> None:
    made = game("10 > 30 [when captures >= 2]", "12 > 33 [while yard empty]")
    book = {lang: "\n".join(s for part in rulebook(made, lang) for s in part.sentences) for lang in ("en", "fr")}
    assert "Once the player has 2 or more captures, these ways are open: 10 > 30." in book["en"]
    assert "As long as the player's yard is empty, these ways are open: 12 > 33." in book["en"]
    assert "Tant que l'écurie du joueur est vide, ces chemins sont ouverts : 12 > 33." in book["fr"]
    report = check({"name": "mine", "extends": "strict", "board": {"paths": ["10 > 30 [while yard empty]"]}})
    assert not report.broken("L")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("10 > 30 [when often]", "'often' is no condition"),
        ("10 > 30 [when home >= 1] [while yard empty]", "a step has one condition"),
        ("start > 30 [when home >= 1]", "does not guard the way out of the yard"),
        ("10 > 30 [while holds nowhere]", "there is no tile 'nowhere'"),
        ("10 > 9 [with 1 or -1]", "a way back leads from tile to tile"),
        ("10 > x1 [with -1]", "leads back to where no way leads"),
    ],
)
def test_what_a_condition_cannot_be(path: str, words: str) -> None:
    with pytest.raises(ludus.LudusError) as refused:
        game(path)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_more_conditions_than_banks_can_hold_are_refused() -> None:
    with pytest.raises(ludus.LudusError, match="are more than 6"):
        game(*(f"{tile} > {tile + 20} [when turns >= {tile}]" for tile in range(1, 8)))


def test_compiled_as_interpreted() -> None:
    made = game("10 > 30 [when captures >= 2]", "36 > 4 [while yard empty]", jumps=("7 > 12 [while none in play]",))
    slow, fast = made.interpreted().playouts(5, seed=3), made.compile().playouts(5, seed=3)
    assert [list(slow.turns), list(slow.winner)] == [list(fast.turns), list(fast.winner)]
