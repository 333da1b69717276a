"""A kernel's source with a game's header written into it does what the source does."""

from __future__ import annotations

import dis
from typing import Any

from ludus.core.fixing import fixed_code

SOURCE = """
PLAYERS, TEAMS, LIMIT = range(3)


def seats(row, tables, at):
    if tables[TEAMS] and row[0]:
        return -1
    count = 0
    for seat in range(tables[PLAYERS]):
        count += row[seat] if tables[LIMIT] - 1 > 4 else 1
    return count + tables[at]


def again(row, tables):
    return (row[0] == 6 and tables[TEAMS]) or (row[1] and tables[LIMIT]) or tables[TEAMS] == 0


def nothing(row, tables):
    if not tables[TEAMS]:
        pass
    else:
        row[0] = 9
    return row
"""


def run(header: dict[str, int] | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(fixed_code(SOURCE, "source.py", header) if header is not None else SOURCE, found)
    return found


def test_it_does_the_same_for_the_tables_with_that_header() -> None:
    plain = run(None)
    for tables in ([3, 0, 7], [3, 1, 7], [2, 0, 2], [1, 5, 0]):
        fixed = run(dict(zip(("PLAYERS", "TEAMS", "LIMIT"), tables, strict=True)))
        for row in ([0, 1, 2], [6, 0, 0], [6, 2, 5], [1, 0, 4]):
            for name, more in (("seats", (0,)), ("seats", (2,)), ("again", ()), ("nothing", ())):
                assert fixed[name](row[:], tables, *more) == plain[name](row[:], tables, *more), (name, tables, row)


def test_the_header_is_read_no_more_and_what_it_rules_out_is_gone() -> None:
    fixed = run({"PLAYERS": 3, "TEAMS": 0, "LIMIT": 7})
    assert "TEAMS" not in fixed["seats"].__code__.co_names
    assert -1 not in fixed["seats"].__code__.co_consts
    assert not any(step.opname == "STORE_SUBSCR" for step in dis.get_instructions(fixed["nothing"]))


def test_only_fields_of_the_header_are_constants() -> None:
    code = fixed_code(
        "def f(row, tables, at):\n    return tables[at] + tables[R + 1] + row[PLAYERS]", "f.py", {"PLAYERS": 3}
    )
    found: dict[str, Any] = {"R": 0, "PLAYERS": 1}
    exec(code, found)
    assert found["f"]([10, 20], [1, 2, 3], 2) == 3 + 2 + 20


def test_errors_name_the_source() -> None:
    assert run({"PLAYERS": 3})["seats"].__code__.co_filename == "source.py"
