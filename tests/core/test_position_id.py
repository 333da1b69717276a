"""Position ids: short, versioned, checked, and the same position again."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loose_documents import FEATURES, document
from variants import VARIANTS, make

import ludus
from ludus.core.position_id import ALPHABET, CHECK, MARK, _digits, position_id

PLIES, EVERY = 70, 3


def positions(game: ludus.Game, plies: int, seed: int) -> list[ludus.Position]:
    rng = random.Random(seed)
    found = [game.start(seed)]
    while len(found) < plies and found[-1].to_move is not None:
        here = found[-1]
        found.append(here.roll(rng) if here.to_move == "chance" else here.play(rng.choice(here.moves())))
    return found


def check_round_trip(game: ludus.Game, seed: int) -> None:
    for position in positions(game, PLIES, seed)[::EVERY]:
        again = game.from_id(position.id)
        assert again == position
        assert again.to_dict() == position.to_dict(), "the order of the pieces is the order of their actions"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_comes_back(variant: str) -> None:
    check_round_trip(make(variant), 5)


@pytest.mark.parametrize("name", FEATURES)
def test_every_feature_comes_back(name: str) -> None:
    check_round_trip(ludus.make(document(name)), 3)


@pytest.mark.parametrize("variant", ["star", "french", "generals"])
def test_a_finished_game_comes_back(variant: str) -> None:
    game = make(variant)
    end = positions(game, 100_000, 1)[-1]
    assert end.result is not None
    assert game.from_id(end.id).result == end.result


# Written by version 1, which stays readable for ever: no id here may be changed.
KEPT = [
    (
        "star", "1msezffd6m8gg10b9pfd25fd2ffapf7k4dr9pew",
        {
            "pieces": {
                "green": [21, 2, 0, 0], "yellow": [22, "start", "start", "start"],
                "blue": [37, "start", "start", "start"], "red": [47, "start", "start", "start"],
            },
            "turn": "yellow", "dice": [3],
        },
    ),
    (
        "maedn-2", "1stxrffd5ga0g6t427xvyf693g9hk2",
        {"pieces": {"green": [12, 8, 0, "start"], "blue": [33, 31, "start", "start"]}, "turn": "green", "dice": [4]},
    ),
    (
        "generals", "1p0fvfcmgnat5nt4bt4ct40t42t48ysapk74hmyk8mztb68jsmp6jsz9k9haqmca01",
        {
            "attacker": ["c10", "i10", "j10", "a9", "d9", "b5", "c5", "a4", "c4", "i4"],
            "defender": ["f1", "i1", "j1", "b2", "j2", "a3", "e3", "j3", "j7"],
            "turn": "defender", "dice": 6, "hits": 2, "garrisoned": ["attacker", "defender"], "struck": False,
            "turns": 29,
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "text", "data"), KEPT)
def test_old_ids_stay_readable(variant: str, text: str, data: dict[str, object]) -> None:
    position = make(variant).from_id(text)
    assert position.to_dict() == data
    assert position.id == text


def test_ids_are_short() -> None:
    lengths = [len(position.id) for position in positions(ludus.make("french"), 400, 2)]
    assert max(lengths) <= 70
    assert sum(lengths) / len(lengths) <= 50


def test_people_may_write_it_as_they_like() -> None:
    game = ludus.make("star")
    position = positions(game, 30, 1)[-1]
    text = position.id
    spoken = "-".join(text[at : at + 4] for at in range(0, len(text), 4)).upper().replace("0", "O").replace("1", "l")
    assert game.from_id(f"  {spoken} ") == position


def test_one_wrong_character_is_noticed() -> None:
    game = ludus.make("star")
    text = positions(game, 40, 7)[-1].id
    for at in range(len(text)):
        for other in "0z7":
            if other != text[at]:
                with pytest.raises(ludus.InvalidPosition):
                    game.from_id(text[:at] + other + text[at + 1 :])


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda text: text[:-1], "a character is wrong or missing"),
        (lambda text: text[:20] + text[21] + text[20] + text[22:], "a character is wrong or missing"),
        (lambda text: "1", "a character is wrong or missing"),
        (lambda text: "2" + text[1:], "of version '2'; this ludus reads '1'"),
        (lambda text: text + "u", "'u' is not one of them"),
        (lambda text: "", "there are none"),
        (lambda text: "0" * 5000, "at most 2000 characters"),
        (lambda text: 7, "is a text, not 7"),
    ],
)
def test_damage_is_told_in_a_sentence(damage: object, words: str) -> None:
    game = ludus.make("star")
    text = positions(game, 41, 7)[-1].id
    with pytest.raises(ludus.InvalidPosition, match=words) as caught:
        game.from_id(damage(text))  # type: ignore[operator]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("other", [{"players": 2}, {"finish": "overshoot"}, {"pieces": 3}])
def test_other_rules_or_players_are_told(other: dict[str, object]) -> None:
    text = ludus.make("star").start().id
    with pytest.raises(ludus.InvalidPosition, match="of other rules or players than star with green"):
        ludus.make("star", **other).from_id(text)


def test_a_title_or_a_source_is_no_rule() -> None:
    game = ludus.make("star")
    renamed = ludus.make({"extends": "star", "name": "stars", "title": "Stars", "source": "mine"})
    position = positions(game, 20, 1)[-1]
    assert renamed.from_id(position.id).to_dict() == position.to_dict()


def test_an_impossible_position_is_told() -> None:
    """Whoever computes the check himself is told by the same rules as everybody."""
    game = ludus.make("star")
    data = game.start().to_dict()
    data["pieces"]["green"] = ["start", "start", "start"]
    with pytest.raises(ludus.InvalidPosition, match="4 pieces"):
        game.from_id(position_id(game, data))


GAMES = {name: ludus.make(name) for name in ("star", "french", "generals")}


@settings(deadline=None)
@given(payload=st.text(ALPHABET, min_size=0, max_size=60), variant=st.sampled_from(list(GAMES)))
def test_whatever_is_in_an_id_is_a_position_or_told(payload: str, variant: str) -> None:
    game = GAMES[variant]
    head = game.start().id[: 1 + MARK] + payload
    with contextlib.suppress(ludus.InvalidPosition):
        position = game.from_id(head + _digits(head, CHECK))
        assert game.from_id(position.id) == position
