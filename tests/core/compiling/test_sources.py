"""The way from a name without a body to the body that runs."""

from __future__ import annotations

import ast
import re
from types import ModuleType
from typing import Any

import pytest

from ludus.core.compiling.language import KernelError
from ludus.core.compiling.sources import bound_module, is_entry, is_promise, modules_behind, place_of, tree_of

from .writing import Workshop, entries_of

PROMISES = """
def value(x: int) -> int:
    raise NotImplementedError

def bonus(x: int) -> int:
    raise NotImplementedError
"""


class Family:
    """Promises, a module between, a generic kernel over both, and two games that keep them."""

    def __init__(self, workshop: Workshop) -> None:
        self.promises = workshop.write(PROMISES)
        self.between = workshop.write(
            f"from {self.promises} import value\n\ndef twice(x: int) -> int:\n    return 2 * value(x)"
        )
        self.generic = workshop.write(
            f"""
            from {self.promises} import bonus
            from {self.between} import twice

            def sum_api(x: int) -> int:
                return twice(x) + bonus(x)
            """
        )
        self.plain = workshop.write(
            "def value(x: int) -> int:\n    return x\n\ndef bonus(x: int) -> int:\n    return 100"
        )
        self.rich = workshop.write("def value(x: int) -> int:\n    return 10 * x")


@pytest.fixture(scope="module")
def family(workshop: Workshop) -> Family:
    return Family(workshop)


@pytest.mark.parametrize("nearest", ["plain", "rich"])
def test_the_nearest_that_has_it_keeps_a_promise(family: Family, nearest: str) -> None:
    """Interpreted and compiled alike, through modules in between too."""
    over = (family.plain,) if nearest == "plain" else (family.rich, family.plain)
    interpreted = bound_module(family.generic, over)
    compiled = entries_of(family.generic, over=over)
    for x in (0, 1, 7):
        assert interpreted.sum_api(x) == compiled.sum_api(x) == (2 if nearest == "plain" else 20) * x + 100


def test_two_games_in_one_process(family: Family) -> None:
    """A bound module does not change the one it was made from, nor another binding."""
    first = bound_module(family.generic, (family.plain,))
    second = bound_module(family.generic, (family.rich, family.plain))
    assert (first.sum_api(1), second.sum_api(1), first.sum_api(1)) == (102, 120, 102)


def test_a_module_without_promises_is_itself(family: Family) -> None:
    import importlib

    assert bound_module(family.plain, (family.rich,)) is importlib.import_module(family.plain)


def test_a_promise_that_nobody_keeps(family: Family, workshop: Workshop) -> None:
    with pytest.raises(KernelError) as error:
        entries_of(family.generic, over=(family.rich,))
    file = re.escape(str(workshop.folder / f"{family.promises}.py"))
    assert re.fullmatch(rf"{file}:\d+: bonus is a promise that nobody keeps: over {family.rich}", str(error.value))


def test_names_and_their_places(family: Family) -> None:
    """The list for people: a line for each body, with file and line."""
    lines = entries_of(family.generic, over=(family.rich, family.plain)).program.names().splitlines()
    assert lines[0] == f"# {family.generic} over {family.rich}, {family.plain}"
    places = {line.rpartition(": ")[2]: line.rpartition(": ")[0] for line in lines[1:]}
    assert set(places) == {
        f"{family.generic}.sum_api()", f"{family.between}.twice()", f"{family.rich}.value()", f"{family.plain}.bonus()",
    }  # fmt: skip
    file, _, line = places[f"{family.plain}.bonus()"].rpartition(":")
    with open(file, encoding="utf-8") as source:
        assert source.read().splitlines()[int(line) - 1].startswith("def bonus(")


def test_modules_behind(family: Family, workshop: Workshop) -> None:
    """All whose functions or constants take part."""
    constants = workshop.write("SIZE = 3")
    user = workshop.write(f"import {constants} as k\nfrom {family.between} import twice")
    assert modules_behind((user,), (family.plain,)) == [user, family.plain, constants, family.between, family.promises]


def test_what_is_what(workshop: Workshop) -> None:
    module: ModuleType = workshop.module(PROMISES + "\ndef kept(x: int) -> int:\n    return x")
    assert is_promise(module.value)
    assert not is_promise(module.kept)
    assert place_of(module.kept, ()) == (module.__name__, "kept")
    assert [name for name in ("run_api", "playouts", "run", "api") if is_entry(name)] == ["run_api", "playouts"]


def test_a_source_is_read_again_where_another_thread_was_in_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    parse, in_the_way = (
        ast.parse,
        iter([SystemError("AST constructor recursion depth mismatch (2, 1)")] * 3),
    )

    def disturbed(text: str, file: str) -> Any:
        for error in in_the_way:
            raise error
        return parse(text, file)

    monkeypatch.setattr(ast, "parse", disturbed)
    assert [node.lineno for node in tree_of("a = 1\nb = 2", "here.py").body] == [1, 2]


@pytest.mark.parametrize("text", ["something else", "AST constructor recursion depth mismatch, for ever"])
def test_what_does_not_pass_by_is_raised(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def broken(source: str, file: str) -> Any:
        raise SystemError(text)

    monkeypatch.setattr(ast, "parse", broken)
    with pytest.raises(SystemError, match=text):
        tree_of("a = 1", "here.py")
