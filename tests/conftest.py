"""What all tests share: a board is laid out once in a process, however many tests ask for its rules."""

from __future__ import annotations

import hashlib
import signal
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import pytest

from ludus.games.ludo import game as ludo
from ludus.games.ludo.board.ludo_board import LudoBoard
from ludus.games.ludo.document.rules import RuleSet

# What a shell starts behind itself ignores interruptions and hands that on: programs that tests interrupt must hear.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

MOST_BOARDS = 150
_LAID: OrderedDict[Any, tuple[LudoBoard, str]] = OrderedDict()
_lay_out = ludo.compile_board


def _digest(board: LudoBoard) -> str:
    return hashlib.sha256(repr((board.tables, board.scratch_size)).encode()).hexdigest()


def _laid_out(rules: RuleSet, arms: tuple[int, ...], state: int = 0) -> LudoBoard:
    key = (rules.model_dump_json(), arms, state)
    if key not in _LAID:
        board = _lay_out(rules, arms, state)
        _LAID[key] = board, _digest(board)
        if len(_LAID) > MOST_BOARDS:
            _LAID.popitem(last=False)
    _LAID.move_to_end(key)
    return _LAID[key][0]


# when modules of tests are imported, they already make games
ludo.compile_board = _laid_out


@pytest.fixture(scope="session", autouse=True)
def boards_are_only_read() -> Iterator[None]:
    """No game writes into its tables: that is why they can be shared here."""
    yield
    assert all(_digest(board) == digest for board, digest in _LAID.values())
