"""A kernel's source with a game's header written into it does what the source does."""

from __future__ import annotations

import dis
from typing import Any

import pytest
from ludus.core.fixing import fixed_code
from tests.variants import VARIANTS, make

import ludus
from ludus.core import twin
from ludus.core.engine import CHANCE, OVER, STAGE
from ludus.envs.batch import _tables

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


def test_what_has_no_value_is_left_where_it_is() -> None:
    """Nothing of it is reached in such a game, so it is no error."""
    source = "def f(tables):\n    return 6 // tables[LIMIT] + (4 >> tables[LIMIT] - 1) if tables[LIMIT] else 7"
    for limit, value in ((0, 7), (2, 5)):
        found: dict[str, Any] = {"LIMIT": 0}
        exec(fixed_code(source, "f.py", {"LIMIT": limit}), found)
        assert found["f"]([limit]) == value


class Board:
    """One game, played by the functions of a kernel module over lists."""

    def __init__(self, kernel: Any, game: ludus.Game, tables: list[int]) -> None:
        self.kernel, self.tables = kernel, tables
        self.row, self.scratch = list(map(int, game.start_row())), [0] * len(game.engine.scratch)
        self.size, self.features = game.num_actions, len(game.observation_names)
        self.players = game.num_players
        kernel.scan(self.row, tables, self.scratch)

    def play(self, key: int, ply: int) -> list[Any]:
        """Roll, or play one of the legal moves; everything that a batch would tell of it."""
        kernel, given = self.kernel, (self.row, self.tables, self.scratch)
        if self.row[STAGE] == CHANCE:
            outcome = kernel.draw_chance(*given, key, ply)
            kernel.chance(*given, outcome)
            return [outcome, self.row[:]]
        count, mask, seen = kernel.legal(*given), [0] * self.size, [0.0] * self.features
        first = kernel.moves_at(self.tables)
        moves = self.scratch[first : first + count]
        kernel.mark_legal(*given, count, mask, 0)
        for seat in range(self.players):
            kernel.observe(*given, seat, seen, 0)
        kernel.apply(*given, moves[ply % count])
        prizes = [kernel.prize(*given, seat) for seat in range(self.players)] if self.row[STAGE] == OVER else []
        return [moves, list(map(int, mask)), seen, self.row[:], prizes]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_is_the_same_with_its_header_written_in(variant: str) -> None:
    """The kernel that batches compile, interpreted here, beside the one that serves every rule set."""
    game = make(variant)
    original, tables = game.engine.twin.interpreted, _tables(game)
    fixed = twin._again(original, "fixed_for_a_test", tuple(tables[: original.HEADER]))
    ours = Board(fixed, game, tables)
    theirs = Board(original, game, [int(value) for value in game.engine.tables])
    for ply in range(400):
        if theirs.row[STAGE] == OVER:
            break
        assert ours.play(7, ply) == theirs.play(7, ply), ply
    assert ply > 50
