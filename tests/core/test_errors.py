"""Errors: one root for all of them, one line each, and for illegal moves a reason, a rule and a code."""

from __future__ import annotations

import importlib
import inspect
import pickle
import pkgutil
from typing import Any

import pytest

import ludus
from ludus.core.messages import Message

START = ["start"] * 4
# how parts of a program speak to each other, never to a caller: somebody left, a clock ran out, a message is known
SIGNALS = {"ludus.cli.screen.Leave", "ludus.arena.ring.OutOfTime", "ludus.server.conversation.Known"}


def defined_errors() -> list[type[BaseException]]:
    """Every exception class that a module of the package defines."""
    found = []
    for module in pkgutil.walk_packages(ludus.__path__, "ludus."):
        if module.name.endswith(("__main__", "migrations.env")):  # programs: they run when they are imported
            continue
        if module.name == "ludus.envs.sb3_vec":  # for Stable-Baselines3, which has an environment of its own
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(value) and issubclass(value, BaseException) and value.__module__ == module.name:
                found.append(value)
    return found


def test_every_error_has_one_root() -> None:
    found = defined_errors()
    assert {ludus.IllegalMove, ludus.InvalidPosition, ludus.RulesError, ludus.RecordError} <= set(found)
    strangers = {f"{e.__module__}.{e.__name__}" for e in found if not issubclass(e, ludus.LudusError)}
    assert strangers <= SIGNALS


def test_the_root_is_an_exception() -> None:
    assert issubclass(ludus.LudusError, Exception)


WRONG: dict[str, Any] = {
    "an unknown game": lambda: ludus.make("petingzoo"),
    "a game that is no name": lambda: ludus.make(3),  # type: ignore[arg-type]
    "a file that is not there": lambda: ludus.make("nowhere/rules.toml"),
    "an unknown option": lambda: ludus.make("strict", end_pth=4),
    "an option out of range": lambda: ludus.make("strict", end_path=99),
    "options that contradict": lambda: ludus.make("strict", dice=1, combined="sweep"),
    "five players": lambda: ludus.make("strict", players=5),
    "one player": lambda: ludus.make("strict", players=1),
    "no players": lambda: ludus.make("strict", players=0),
    "an unknown colour": lambda: ludus.make("strict", players=["green", "grean"]),
    "a colour twice": lambda: ludus.make("strict", players=["green", "green"]),
    "teams of three": lambda: ludus.make("pettingzoo", mode="teams", players=3),
    "a seed that is no number": lambda: ludus.make("strict").start("seven"),  # type: ignore[arg-type]
    "games below none": lambda: ludus.make("strict").playouts(-1),
    "a stranger's observation": lambda: ludus.make("strict").start().observation("purple"),
    "a stranger's seat": lambda: ludus.make("strict").seat_of("purple"),
    "no pieces": lambda: ludus.make("strict").position({}),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_one_clear_line(wrong: str) -> None:
    with pytest.raises(ludus.LudusError) as caught:
        WRONG[wrong]()
    words = str(caught.value)
    assert words
    assert "\n" not in words
    assert len(words) < 400


def test_a_suggestion_where_one_is_close() -> None:
    with pytest.raises(ludus.LudusError, match="pettingzoo"):
        ludus.make("petingzoo")
    with pytest.raises(ludus.RulesError, match="end_path"):
        ludus.make("strict", end_pth=4)
    with pytest.raises(ludus.LudusError, match="green"):
        ludus.make("strict", players=["blue", "gren"])


def illegal() -> ludus.IllegalMove:
    pos = ludus.make("french").position(
        {"pieces": {"green": START, "yellow": START, "blue": START, "red": START}, "dice": [5, 3]}
    )
    with pytest.raises(ludus.IllegalMove) as caught:
        pos.play("out")
    return caught.value


def test_an_illegal_move_says_why() -> None:
    error = illegal()
    assert error.rule == "F9"
    assert error.reason
    assert error.code
    assert error.rule in str(error)
    assert error.reason in str(error)
    assert error.explain() == error.explain("en")
    assert error.explain("fr") != error.explain("en")
    assert error.rule in error.explain("fr")


def test_an_illegal_move_without_a_rule() -> None:
    error = ludus.IllegalMove(Message("ludus.core", "no_roll_due"))
    assert error.rule is None
    assert str(error) == error.reason == error.explain("en")


@pytest.mark.parametrize("error", [illegal(), ludus.InvalidPosition("two generals", "G35"), ludus.RulesError("no")])
def test_errors_survive_a_pickle(error: ludus.LudusError) -> None:
    """They cross process borders when many games are played at once."""
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_an_invalid_position_says_what_and_where() -> None:
    pieces = {"green": [*START, "start"], "yellow": START, "blue": START, "red": START}
    with pytest.raises(ludus.InvalidPosition) as caught:
        ludus.make("strict").position({"pieces": pieces})
    assert "green" in caught.value.reason
    assert caught.value.rule is None


@pytest.mark.parametrize("text", ["\n", "\x1b[2J", "x" * 5_000, "", "7"])
def test_what_was_typed_fits_on_a_line(text: str) -> None:
    game = ludus.make("pettingzoo")
    finished = game.position({"pieces": {"green": ["finish"] * 4, "yellow": START, "blue": START, "red": START},
                              "captured": ["green"]})  # fmt: skip
    for pos in (game.start(), game.start().play("6"), finished):
        with pytest.raises(ludus.IllegalMove) as caught:
            pos.play(text)
        assert len(str(caught.value)) < 300
        assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", ["star", "strict", "generals"])
@pytest.mark.parametrize("junk", ["x" * 3_000, [1] * 2_000, {"a": "\x1b[31m" * 200}, "\0\n"])
def test_whatever_a_position_says_is_refused_in_a_line_of_some_length(name: str, junk: object) -> None:
    game = ludus.make(name)
    data = game.start().to_dict()
    told = {key: junk for key in ("pieces", "attacker", "turn", "dice", "hits", "rolloff", "sixes") if key in data}
    for key in [*told, "unheard-of"]:
        with pytest.raises(ludus.InvalidPosition) as caught:
            game.position({**data, key: junk})
        line = str(caught.value)
        assert line.isprintable(), line
        assert len(line) < 300, line


@pytest.mark.parametrize("sums", [{"green": [0]}, {"green": {}}, {"green": None}, {"green": True}, {"green": 0}, [0]])
def test_sums_of_a_roll_off_are_sums(sums: object) -> None:
    game = ludus.make("strict")
    with pytest.raises(ludus.InvalidPosition, match="rolloff"):
        game.position({**game.start().to_dict(), "rolloff": {"in": list(game.players), "rolled": sums}})
