"""Entries as Python calls them: what is not what they say is a TypeError, and nothing is held or lost."""

from __future__ import annotations

import gc
import sys
import threading
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ludus.core.compiling.language import KernelFault

from .writing import Entries, Workshop

SOURCE = """
def sum_api(row: Int16s, tables: Ints, out: Float32s, n: int, share: float, is_on: bool) -> float:
    \"\"\"What it does.\"\"\"
    assert n >= 0, "n counts"
    out[0] = share
    return row[0] + tables[0] + n + share if is_on else 0.0

def flip_api(mask: UInt8s, is_on: bool) -> bool:
    mask[0] = 1 - mask[0]
    return not is_on

def nothing_api(numbers: Ints) -> None:
    numbers[0] += 1

def count_api(a: Int8s, b: Int32s, c: Floats) -> int:
    return 10000 * len(a) + 100 * len(b) + len(c)
"""


@pytest.fixture(scope="module")
def entries(workshop: Workshop) -> Entries:
    return workshop.twins(SOURCE)[1]


def given() -> list[Any]:
    """What sum_api takes."""
    return [array("h", [1, 2]), array("q", [10]), np.zeros(1, np.float32), 5, 0.5, True]


def test_a_call(entries: Entries) -> None:
    arguments = given()
    assert entries.sum_api(*arguments) == 16.5
    assert arguments[2][0] == 0.5
    assert entries.sum_api.__doc__ == "What it does."
    assert entries.sum_api.__name__ == "sum_api"


READ_ONLY = np.zeros(2, np.int16)
READ_ONLY.flags.writeable = False
WRONG: dict[str, tuple[int, Any]] = {
    "a list": (0, [1, 2]),
    "nothing": (0, None),
    "a number": (0, 7),
    "text": (0, "row"),
    "wider": (0, array("q", [1])),
    "narrower": (0, array("b", [1])),
    "unsigned": (0, array("H", [1])),
    "reals": (1, np.zeros(2)),
    "doubles": (2, np.zeros(2)),
    "objects": (1, np.array([None, 1])),
    "a record": (1, np.zeros(2, [("a", "i4"), ("b", "i4")])),
    "the other byte order": (0, np.zeros(2, ">i2")),
    "every second": (0, np.zeros(4, np.int16)[::2]),
    "backwards": (0, np.zeros(4, np.int16)[::-1]),
    "by column": (0, np.zeros((3, 2), np.int16).T),
    "read only": (0, READ_ONLY),
    "bytes": (0, b"abcd"),
    "text for a number": (3, "5"),
    "a real for an integer": (3, 1.5),
    "an array for a number": (3, array("q", [5])),
    "text for a real": (4, "0.5"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_argument(entries: Entries, what: str) -> None:
    at, wrong = WRONG[what]
    arguments = given()
    arguments[at] = wrong
    with pytest.raises(TypeError) as error:
        entries.sum_api(*arguments)
    if at < 3:
        name, kind = (("row", "int16"), ("tables", "int64"), ("out", "float32"))[at]
        assert str(error.value) == f"sum_api: {name} is a contiguous array of {kind}"
    assert entries.sum_api(*given()) == 16.5


@pytest.mark.parametrize("count", [0, 1, 5, 7])
def test_the_wrong_number_of_arguments(entries: Entries, count: int) -> None:
    with pytest.raises(TypeError, match="sum_api takes row, tables, out, n, share, is_on"):
        entries.sum_api(*[*given(), 1][:count])


def test_arguments_have_their_places(entries: Entries) -> None:
    with pytest.raises(TypeError, match="keyword"):
        entries.nothing_api(numbers=array("q", [1]))


@pytest.mark.parametrize("number", [1 << 63, -(1 << 63) - 1, 1 << 100])
def test_a_number_that_is_too_large(entries: Entries, number: int) -> None:
    arguments = given()
    arguments[3] = number
    with pytest.raises(OverflowError):
        entries.sum_api(*arguments)


def test_numbers_that_look_like_errors(entries: Entries) -> None:
    """-1 is what Python's C interface also says where it can't read a number."""
    arguments = given()
    arguments[4] = -1.0
    assert entries.sum_api(*arguments) == 15.0
    with pytest.raises(KernelFault, match="n counts"):
        entries.sum_api(*[*given()[:3], -1, -1.0, True])


def test_what_is_true(entries: Entries) -> None:
    mask = np.zeros(1, np.bool_)
    assert entries.flip_api(mask, 0) is True
    assert mask[0]
    assert entries.flip_api(mask, [1]) is False
    assert not mask[0]

    class Neither:
        def __bool__(self) -> bool:
            raise ValueError("neither")

    with pytest.raises(ValueError, match="neither"):
        entries.flip_api(mask, Neither())


def test_every_spelling_of_an_element(entries: Entries) -> None:
    """`l` is 4 or 8 bytes, as the system has it; arrays may have rows."""
    word = "l" if array("l").itemsize == 8 else "q"
    for numbers in (
        array(word, [1]),
        array("q", [1]),
        np.ones(1, np.int64),
        np.ones(1, np.longlong),
        np.ones((2, 2), int),
    ):
        assert entries.nothing_api(numbers) is None
        assert memoryview(numbers).tobytes()[0] == 2
    small = np.zeros((3, 4), np.int8)
    assert entries.count_api(small, array("i", [1, 2]), array("d")) == 120200


def test_nothing_is_held_or_lost(entries: Entries) -> None:
    """After calls that went well and calls that went wrong, buffers are free and references as many as before."""
    row, tables, out, *rest = given()
    held = bytearray(16)
    view = memoryview(held).cast("q")
    number, wrong = 123456789012, object()

    def call() -> None:
        entries.sum_api(row, tables, out, number, *rest[1:])
        entries.nothing_api(view)
        for broken in ((row, tables, out, wrong, 0.5, True), (row, tables, wrong, number, 0.5, True), (row,)):
            with pytest.raises(TypeError):
                entries.sum_api(*broken)
        with pytest.raises(KernelFault):
            entries.sum_api(row, tables, out, -1, 0.5, True)

    def counts() -> list[int]:
        gc.collect()
        return [sys.getrefcount(thing) for thing in (row, tables, out, number, wrong, view, None, TypeError)]

    call()
    before = counts()
    for _ in range(200):
        call()
    assert all(now - then < 50 for now, then in zip(counts(), before, strict=True))
    row.append(3)  # an array whose buffer is held can't grow
    view.release()
    held.append(1)


# ---------------------------------------------------------------- other threads

WORKS = """
LONG = ("long_api",)

def work(marks: Ints, rounds: int) -> int:
    marks[0] = 1
    x = rounds
    for i in range(rounds):
        x = (x * 1103515245 + i) % 2147483647
    marks[1] = 1 + x % 2
    return x

def long_api(marks: Ints, rounds: int) -> int:
    return work(marks, rounds)

def short_api(marks: Ints, rounds: int) -> int:
    return work(marks, rounds)
"""


def is_seen_at_work(entry: Callable[..., int], rounds: int) -> bool:
    """Whether Python runs here while an entry is at work in another thread."""
    marks = np.zeros(2, np.int64)
    thread = threading.Thread(target=entry, args=(marks, rounds))
    thread.start()
    seen = False
    while thread.is_alive():
        begun, done = int(marks[0]), int(marks[1])  # in this order: what has not ended now was at work before
        seen |= begun == 1 and done == 0
    thread.join()
    return seen


def test_other_threads_run_while_an_entry_works_long(workshop: Workshop) -> None:
    _, works = workshop.twins(WORKS)
    rounds = 10_000_000
    assert any(is_seen_at_work(works.long_api, rounds) for _ in range(50))
    assert not any(is_seen_at_work(works.short_api, rounds) for _ in range(3))


def test_two_threads_in_long_entries(workshop: Workshop) -> None:
    """Faults and results of one are not those of the other."""
    _, fast = workshop.twins(
        """
        LONG = ("count_api",)

        def count_api(out: Ints, limit: int) -> int:
            for i in range(limit):
                out[0] += i % 3
            assert limit % 2 == 0, "even numbers only"
            return out[0]
        """
    )
    found: dict[int, object] = {}

    def run(limit: int) -> None:
        try:
            found[limit] = fast.count_api(np.zeros(1, np.int64), limit)
        except KernelFault as fault:
            found[limit] = str(fault).rpartition(": ")[2]

    threads = [threading.Thread(target=run, args=(2_000_000 + n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    right = {2_000_000 + n: sum(i % 3 for i in range(2_000_000 + n)) for n in (0, 2)}
    assert found == right | dict.fromkeys((2_000_001, 2_000_003), "even numbers only")
