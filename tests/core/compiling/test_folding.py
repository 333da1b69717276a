"""What one game never changes, written into a kernel: it does the same, and what the game has not is gone."""

from __future__ import annotations

import ast
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludus.core.compiling.folding import Folding

from .writing import Workshop, entries_of

asking = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def folded(source: str, header: tuple[int, ...] = (), columns: dict[str, int] | None = None, **names: Any) -> str:
    """The body of a function after folding."""
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    return "; ".join(ast.unparse(node) for node in Folding(names, header, columns).fold(function).body)


PLAYERS, TEAMS = {"PLAYERS": 0, "TEAMS": 1}, (4, 0)


@pytest.mark.parametrize(
    ("body", "left"),
    {
        "return tables[PLAYERS] * 2": "return 8",
        "return tables[PLAYERS + 1]": "return 0",
        "return tables[at]": "return tables[at]",
        "return row[PLAYERS]": "return row[0]",
        "return at if tables[TEAMS] else row[0]": "return row[0]",
        "return tables[TEAMS] and at": "return 0",
        "return tables[TEAMS] or at": "return at",
        "return at and tables[TEAMS]": "return at and 0",
        "return not tables[TEAMS] and (at or row[0])": "return at or row[0]",
        "return -tables[PLAYERS] < 3": "return True",
        "return 7 // tables[TEAMS]": "return 7 // 0",
        "return 1 << -tables[PLAYERS]": "return 1 << -4",
        "return at + tables[PLAYERS] * 3 % 5": "return at + 2",
        "PLAYERS = 3\nreturn PLAYERS": "PLAYERS = 3; return PLAYERS",
        "if tables[TEAMS]:\n    return 1\nreturn 2": "return 2",
        "if tables[PLAYERS]:\n    return 1\nreturn 2": "return 1",
        "if at:\n    if tables[TEAMS]:\n        at = 1\nreturn at": "if at:; return at",
        "while tables[TEAMS]:\n    at = 1\nreturn at": "return at",
        "for i in range(tables[PLAYERS]):\n    at += i\nreturn at": "for i in range(4):\n    at += i; return at",
        "while at:\n    break\n    at = 1\nreturn at": "while at:\n    break; return at",
    }.items(),
)  # fmt: skip
def test_what_is_left(body: str, left: str) -> None:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    assert folded(f"def f(row, tables, at):\n{lines}", TEAMS, **PLAYERS) == left


def test_columns_that_have_one_value_everywhere() -> None:
    """`<where> + NAME`, whatever stands before it; not where NAME is something of the function's own."""
    source = (
        "def f(tables, bank):\n    return tables[bank + O_STOPS] + tables[tables[bank] * 4 + O_STOPS] + tables[O_STOPS]"
    )
    assert folded(source, columns={"O_STOPS": 5}, O_STOPS=2) == "return 10 + tables[2]"
    own = "def f(tables, O_STOPS):\n    return tables[3 + O_STOPS]"
    assert folded(own, columns={"O_STOPS": 5}) == "return tables[3 + O_STOPS]"


def test_columns_of_another_module() -> None:
    import math

    source = "def f(tables, bank):\n    return tables[bank + k.SIDES] + k.pi"
    assert folded(source, columns={"SIDES": 5}, k=math) == f"return {5 + math.pi}"


SOURCE = """
PLAYERS, TEAMS, LIMIT, WIDTH, HEADER = range(5)
O_STOPS, O_TURNS = 0, 1

def folds_away(row: Ints, tables: Ints, x: int) -> int:
    if x > 3:
        if tables[TEAMS]:
            row[0] += 1
    if not tables[TEAMS]:
        pass
    else:
        row[1] = 9
    for i in range(x):
        if tables[TEAMS] == 2:
            row[2] += i
    while x > 90:
        if tables[TEAMS]:
            x -= 1
        x -= 7
    return x

def run_api(row: Ints, tables: Ints, x: int) -> int:
    if tables[TEAMS] and row[0]:
        return -1
    count = folds_away(row, tables, x)
    for seat in range(tables[PLAYERS]):
        count += row[seat] if tables[LIMIT] - 1 > 4 else tables[HEADER + seat * tables[WIDTH] + O_STOPS]
    either = (row[0] == 6 and tables[TEAMS]) or (row[1] and tables[LIMIT]) or tables[TEAMS] == 0
    if either:
        count += tables[HEADER + (x % 3) * tables[WIDTH] + O_TURNS]
    return count + tables[x % 4] + (6 // tables[LIMIT] if tables[LIMIT] else 7)
"""


@asking
@given(
    header=st.tuples(st.integers(0, 3), st.integers(0, 2), st.sampled_from([0, 1, 5, 6, 9]), st.just(2)),
    stops=st.integers(-2, 2),
    turns=st.lists(st.integers(-5, 5), min_size=3, max_size=3),
)
def test_specialised_is_unspecialised(
    workshop: Workshop, header: tuple[int, ...], stops: int, turns: list[int]
) -> None:
    """And both are the interpreted source."""
    tables = [*header, *[value for turn in turns for value in (stops, turn)]]
    slow = workshop.module(SOURCE)
    general = entries_of(slow.__name__)
    special = entries_of(slow.__name__, header=header, columns={"O_STOPS": stops})
    for row, x in product(([0, 1, 2], [6, 0, 0], [6, 2, 5], [1, 0, 4]), (0, 2, 5, 99)):
        results = []
        for twin, mine, read in (
            (slow, row[:], tables),
            (general, _words(row), _words(tables)),
            (special, _words(row), _words(tables)),
        ):
            results.append((twin.run_api(mine, read, x), list(mine)))
        assert results[0] == results[1] == results[2], (row, x)


def _words(numbers: list[int]) -> memoryview:
    words = memoryview(bytearray(8 * len(numbers))).cast("q")
    for at, number in enumerate(numbers):
        words[at] = number
    return words


def test_what_is_written_in_is_read_no_more(workshop: Workshop) -> None:
    """The specialised code does not look at the tables for it."""
    name = workshop.write(
        """
        SIZE, HEADER = 0, 1
        O_COST = 1

        def run_api(tables: Ints, at: int) -> int:
            return tables[SIZE] * 100 + tables[at + O_COST]
        """
    )
    tables = _words([7, 5, 5])
    assert entries_of(name).run_api(tables, 0) == 705
    assert entries_of(name, header=(3,)).run_api(tables, 0) == 305
    assert entries_of(name, header=(3,), columns={"O_COST": 8}).run_api(tables, 0) == 308
