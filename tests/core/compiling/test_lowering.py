"""Statements and functions: compiled they do what they do interpreted."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .writing import Workshop

asking = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

# --- programs at random: three variables, eight places to write to; loops end after a few rounds

SMALL = st.sampled_from(
    ["x", "y", "z", "3", "x + y", "y - 2 * z", "x * y", "(x // 3)", "z % 5", "out[x % 8]", "(x ^ y)"]
)
TESTS = st.sampled_from(
    ["x < y", "not x % 2", "z == 4 or y > 50", "x and y != z", "0 <= x < y <= 90", "out[0] < 9 and not z", "x > 0 > y"]
)
PLAIN = st.one_of(
    st.tuples(st.sampled_from("xyz"), SMALL).map(lambda p: [f"{p[0]} = ({p[1]}) % 100"]),
    st.tuples(SMALL, SMALL).map(lambda p: [f"out[({p[0]}) % 8] = {p[1]}"]),
    st.tuples(SMALL, SMALL).map(lambda p: [f"out[({p[0]}) % 8] += {p[1]}", f"out[({p[0]}) % 8] %= 100"]),
    st.tuples(SMALL, SMALL).map(lambda p: [f"x, y = ({p[0]}) % 10, ({p[1]}) % 10"]),
    st.just(["pass"]),
)
ENDS = st.sampled_from(["break", "continue", "return x - z", "pass"])


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@st.composite
def block(draw: st.DrawFn, depth: int, in_loop: bool) -> list[str]:
    """Some statements, one after the other."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["plain", "plain", "if", "for", "while"] if depth else ["plain"]))
        if kind == "plain":
            lines += draw(PLAIN)
        elif kind == "if":
            lines += [f"if {draw(TESTS)}:", *indented(draw(block(depth - 1, in_loop)))]
            if in_loop and draw(st.booleans()):
                lines += indented([draw(ENDS)])
            if draw(st.booleans()):
                lines += ["else:", *indented(draw(block(depth - 1, in_loop)))]
        elif kind == "for":
            ends = draw(st.sampled_from(["3", "z % 4", "2, 9, 3", "5, -2, -2", "x, x + 2", "4, 1", "7, z - 90, -50"]))
            lines += [f"for i{depth} in range({ends}):", *indented(draw(block(depth - 1, True)))]
            lines += indented([f"out[i{depth} % 8] += i{depth}"])
        else:
            lines += [f"left{depth} = 5", f"while {draw(TESTS)} and left{depth} > 0:"]
            lines += indented([f"left{depth} -= 1", *draw(block(depth - 1, True))])
    return lines


@asking
@given(body=block(3, False), numbers=st.lists(st.tuples(*[st.integers(-20, 60)] * 3), min_size=8, max_size=8))
def test_programs(workshop: Workshop, body: list[str], numbers: list[tuple[int, int, int]]) -> None:
    lines = ["def run_api(out: Ints, x: int, y: int, z: int) -> int:", *indented([*body, "return x + 2 * y + 3 * z"])]
    slow, fast = workshop.twins("\n".join(lines))
    _, checked = workshop.twins("\n".join(lines), checked=True)
    for given_ in numbers:
        expected = [0] * 8
        result = slow.run_api(expected, *given_)
        for twin in (fast, checked):
            out = np.zeros(8, np.int64)
            assert twin.run_api(out, *given_) == result, given_
            assert out.tolist() == expected, given_


def agree(workshop: Workshop, source: str, *given: Any) -> list[Any]:
    """What `run_api` of a module gives for each argument, after comparing its twins."""
    slow, fast = workshop.twins(source)
    found = [fast.run_api(*(one if isinstance(one, tuple) else (one,))) for one in given]
    assert found == [slow.run_api(*(one if isinstance(one, tuple) else (one,))) for one in given]
    return found


def test_loops_that_are_left_and_begun_again(workshop: Workshop) -> None:
    source = """
        def run_api(limit: int) -> int:
            total = 0
            for i in range(10):
                if i % 3 == 1:
                    continue
                for j in range(i, 0, -1):
                    if j * i > limit:
                        break
                    total += j
                while True:
                    total += 1
                    if total % 4 == 0:
                        break
                if total > 40:
                    break
            return total * 100 + i
        """
    assert len(set(agree(workshop, source, *range(0, 60, 7)))) > 3


def test_a_loop_counts_for_itself(workshop: Workshop) -> None:
    """What the body does to the counter or to the end changes nothing; the last value stays."""
    source = """
        def run_api(n: int) -> int:
            total = 0
            i = -5
            for i in range(n):
                n = 100
                total += i
                i += 10
            return total * 1000 + i
        """
    agree(workshop, source, 0, 1, 4)


def test_steps_that_lead_beyond_the_last_number(workshop: Workshop) -> None:
    source = """
        def run_api(first: int) -> int:
            rounds = 0
            for i in range(first, 9223372036854775807, 4611686018427387904):
                rounds += 1
                if rounds > 9:
                    break
            return rounds
        """
    slow, fast = workshop.twins(source)
    assert slow.run_api(0) == 2
    assert fast.run_api(0) >= 2, "it wraps around; the process lives"


def test_an_endless_loop_needs_no_return_after_it(workshop: Workshop) -> None:
    source = """
        def run_api(n: int) -> int:
            while True:
                n += 3
                if n % 7 == 0:
                    return n
        """
    agree(workshop, source, 1, 2, 50)


def test_several_targets(workshop: Workshop) -> None:
    source = """
        def run_api(a: int, b: int) -> int:
            x = y = a * 3
            x, y = y + b, x - 1
            items = 0
            if a:
                items = z = 4
            else:
                z = 1
            return x * 10000 + y * 100 + z * 10 + items
        """
    agree(workshop, source, (1, 2), (0, 5))


def test_targets_are_found_after_the_values(workshop: Workshop) -> None:
    slow, fast = workshop.twins(
        """
        def run_api(items: Ints, i: int) -> int:
            items[i], i = i + 5, 2
            i, items[i] = 3, items[i] + 1
            items[i] += 7
            return i
        """
    )
    for i in range(4):
        listed, given_ = [10, 20, 30, 40], np.array([10, 20, 30, 40])
        assert slow.run_api(listed, i) == fast.run_api(given_, i)
        assert listed == given_.tolist()


def test_slices_are_views(workshop: Workshop) -> None:
    """As NumPy's are: what is written to a part is written to the whole; a part of a part too."""
    slow, fast = workshop.twins(
        """
        def fill(part: Ints, value: int) -> int:
            for at in range(len(part)):
                part[at] = value + at
            return len(part)

        def run_api(whole: Ints, width: int) -> int:
            total = 0
            for at in range(len(whole) // width):
                row = whole[at * width : (at + 1) * width]
                inner = row[1 : width - 1]
                total += fill(inner, 10 * at)
                row[0] = len(row)
                if at == 1:
                    inner = row[0:1]
                    inner[0] = 99
            return total
        """
    )
    for width in (2, 3, 4, 7):
        first, second = np.zeros(14, np.int64), np.zeros(14, np.int64)
        assert slow.run_api(first, width) == fast.run_api(second, width)
        assert first.tolist() == second.tolist()


def test_a_variable_is_what_it_was_first(workshop: Workshop) -> None:
    """A real stays a real where an integer is put into it, and so does truth."""
    source = """
        def run_api(n: int) -> float:
            share = 0.0
            is_large = False
            for i in range(n):
                share += i
                is_large = share > 5
            share = share if is_large else 1
            return share / 2
        """
    assert agree(workshop, source, 0, 2, 9) == [0.5, 0.5, 18.0]


def test_parameters_may_be_called_anything(workshop: Workshop) -> None:
    names = ("v1", "b1", "body", "entry", "fault", "args", "größe", "self")
    parameters = ", ".join(f"{name}: int" for name in names)
    source = (
        f"def run_api({parameters}) -> int:\n    x = 0 if {names[0]} < 0 else 1\n    return {' + '.join(names)} + x"
    )
    for checked in (False, True):
        _, fast = workshop.twins(source, checked=checked)
        assert fast.run_api(*range(1, 9)) == 37


def test_functions_call_each_other(workshop: Workshop) -> None:
    """In line or not, whatever stands first, itself too."""
    source = """
        INLINED = ("twice",)

        def run_api(n: int) -> int:
            tell(n)
            return even(n) + twice(n)

        def twice(n: int) -> int:
            return 2 * n

        def even(n: int) -> bool:
            return True if n == 0 else odd(n - 1)

        def odd(n: int) -> bool:
            if n == 0:
                return False
            return even(n - 1)

        def tell(n: int) -> None:
            if n > 3:
                return
        """
    agree(workshop, source, 0, 1, 2, 7, 10)


def test_one_function_for_several_kinds_of_arrays(workshop: Workshop) -> None:
    _, fast = workshop.twins(
        """
        def total(items: Ints) -> int:
            found = 0
            for at in range(len(items)):
                found += items[at]
            return found

        def run_api(small: Int8s, large: Ints) -> int:
            return total(small) * 1000 + total(large)
        """
    )
    assert fast.run_api(np.array([1, -2], np.int8), np.array([5, 6])) == -1000 + 11


@pytest.mark.parametrize(("a", "b"), list(product((0, 1, 5), repeat=2)))
def test_branches_that_all_return(workshop: Workshop, a: int, b: int) -> None:
    source = """
        def run_api(a: int, b: int) -> int:
            if a > b:
                if b:
                    return 1
                else:
                    return 2
            elif a == b:
                return 3
            else:
                return 4
        """
    agree(workshop, source, (a, b))
