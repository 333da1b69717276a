"""Expressions: what compiled code works out is what Python works out, and checked mode says where it can't."""

from __future__ import annotations

import ast
import math
import struct
from collections.abc import Callable
from functools import cache
from itertools import product
from types import CodeType, ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludus.core.compiling.language import LARGEST, SMALLEST, KernelFault

from .writing import Entries, Workshop

asking = settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
EXPRESSIONS = 6  # in each module: what is compiled together costs less


class LeavesWords(ArithmeticError):
    """What the kernel language leaves open: a value of more than 64 bits, or bits shifted too far."""


class Word(int):
    """An integer of Python's that notices where it would leave 64 bits."""


def _watched(name: str) -> Callable[..., Any]:
    plain = getattr(int, name)

    def operate(self: Word, *others: int) -> Any:
        if "shift" in name and not 0 <= (self if name.startswith("__r") and name != "__rshift__" else others[0]) < 64:
            raise LeavesWords
        found = plain(self, *others)
        if not SMALLEST <= found <= LARGEST:
            raise LeavesWords
        return Word(found)

    return operate


for _name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "lshift", "rshift"):
    setattr(Word, f"__{_name}__", _watched(f"__{_name}__"))
    setattr(Word, f"__r{_name}__", _watched(f"__r{_name}__"))
for _name in ("neg", "invert", "abs"):
    setattr(Word, f"__{_name}__", _watched(f"__{_name}__"))

VARIABLES = st.sampled_from(["a", "b", "c"])
NUMBERS = st.integers(-9, 70).map(lambda number: f"({number})")
EDGES = st.sampled_from([0, 1, -1, 2, -2, 7, -7, 62, 63, 64, 1 << 31, -(1 << 31), LARGEST, SMALLEST, SMALLEST + 1])


def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions out of expressions; a number alone stands on the right only, where nothing is worked out before."""
    right = inner | NUMBERS
    binary = st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]), right)
    compared = st.tuples(inner, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), right)
    chain = st.tuples(inner, st.sampled_from(["<", "!="]), right, st.sampled_from(["<=", ">"]), inner)
    test = st.one_of(compared.map(" ".join), chain.map(" ".join), inner)
    row = st.tuples(test, st.sampled_from(["and", "or"]), test).map(" ".join)
    return st.one_of(
        binary.map(lambda parts: f"({' '.join(parts)})"),
        compared.map(lambda parts: f"({' '.join(parts)})"),
        chain.map(lambda parts: f"({' '.join(parts)})"),
        st.tuples(inner, row | test, right).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
        st.tuples(st.sampled_from(["-", "~", "not "]), inner).map(lambda p: f"({p[0]}{p[1]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, right, inner).map(lambda p: f"{p[0]}({', '.join(p[1:])})"),
        st.tuples(st.sampled_from(["abs", "int"]), inner).map(lambda p: f"{p[0]}({p[1]})"),
    )


INTEGERS = st.recursive(VARIABLES, larger, max_leaves=8)


class Watching(ast.NodeTransformer):
    """Everything that is a number becomes a Word: what is written there, and true and false."""

    def visit(self, node: ast.AST) -> Any:
        node = self.generic_visit(node)
        is_truth = isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
        if isinstance(node, ast.Constant) or is_truth:
            return ast.Call(ast.Name("Word", ast.Load()), [node], [])
        return node


@cache
def watched(expression: str) -> CodeType:
    """An expression that notices where it leaves 64 bits."""
    tree = Watching().visit(ast.parse(expression, mode="eval"))
    return compile(ast.fix_missing_locations(tree), "<expression>", "eval")


def expected(expression: str, given: tuple[int, ...]) -> int | None:
    """What Python works out, or None where the language leaves it open."""
    try:
        found = eval(watched(expression), {"int": Word, "Word": Word}, dict(zip("abc", map(Word, given), strict=True)))
    except (LeavesWords, ZeroDivisionError):
        return None
    return int(found)


def module_of(expressions: list[str]) -> str:
    return "\n".join(
        f"def number_{n}_api(a: int, b: int, c: int) -> int:\n    return {expression}\n"
        for n, expression in enumerate(expressions)
    )


@asking
@given(
    expressions=st.lists(INTEGERS, min_size=EXPRESSIONS, max_size=EXPRESSIONS),
    numbers=st.lists(st.tuples(*[EDGES | st.integers(-100, 100)] * 3), min_size=12, max_size=12),
)
def test_integers(workshop: Workshop, expressions: list[str], numbers: list[tuple[int, int, int]]) -> None:
    source = module_of(expressions)
    _, plain = workshop.twins(source)
    _, checked = workshop.twins(source, checked=True)
    for (number, expression), given_ in product(enumerate(expressions), numbers):
        wanted = expected(expression, given_)
        if wanted is not None:
            assert getattr(plain, f"number_{number}_api")(*given_) == wanted, (expression, given_)
            assert getattr(checked, f"number_{number}_api")(*given_) == wanted, (expression, given_)
        else:
            with pytest.raises(KernelFault):
                getattr(checked, f"number_{number}_api")(*given_)
            getattr(plain, f"number_{number}_api")(*given_)  # gives something, and the process lives


def test_divisions_at_the_edges(workshop: Workshop) -> None:
    """By 0 and by -1, with numbers that are written there too; what leaves 64 bits comes back on the other side."""
    source = """
        def quotient_api(a: int, b: int) -> int:
            return a // b

        def rest_api(a: int, b: int) -> int:
            return a % b

        def fixed_api(a: int) -> int:
            return (a // -1) ^ (a % -1) ^ (a // 0) ^ (a % 0)
        """
    _, fast = workshop.twins(source)
    numbers = (0, 1, -1, 7, -7, LARGEST, SMALLEST)
    for a, b in product(numbers, numbers):
        quotient, rest = divmod(a, b) if b else (0, 0)
        assert fast.quotient_api(a, b) == (quotient if quotient <= LARGEST else SMALLEST), (a, b)
        assert fast.rest_api(a, b) == rest, (a, b)
        assert fast.fixed_api(a) == (-a if a != SMALLEST else SMALLEST)


def test_a_chain_asks_nothing_too_early(workshop: Workshop) -> None:
    """In checked mode too, where working something out without need could fail."""
    source = "def run_api(a: int, b: int) -> bool:\n    return 0 < a < b + 1"
    for checked in (False, True):
        _, fast = workshop.twins(source, checked=checked)
        assert fast.run_api(0, LARGEST) is False
        assert fast.run_api(2, 5) is True
    with pytest.raises(KernelFault, match="the sum of"):
        fast.run_api(1, LARGEST)


def test_bits_are_counted_as_python_counts_them(workshop: Workshop) -> None:
    _, fast = workshop.twins("def bits_api(a: int) -> int:\n    return (a + 0).bit_count()")
    for number in (0, 1, -1, 6, -6, 1 << 52, LARGEST, SMALLEST):
        assert fast.bits_api(number) == number.bit_count(), number


REALS = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 1.5, -2.5, math.inf, -math.inf])
REAL_EXPRESSIONS = [
    "x + y", "x - y", "x * y", "-x", "x * n", "n - x", "n / 4", "n / 3 + x", "abs(x)", "min(x, y)", "max(x, n)",
    "x if x < y else y", "1.0 if x <= y < 3 else 0.0", "float(x == y)", "float(x != y)", "float(n)", "max(n, 2.5, x)",
    "1.0 if x and not y else 2", "1.0 if x or n else 2.0", "(x >= y) * 1.5", "float(n < x)",
]  # fmt: skip


@pytest.fixture(scope="module")
def reals(workshop: Workshop) -> tuple[ModuleType, Entries]:
    """A function for each expression of reals."""
    return workshop.twins(
        "\n".join(
            f"def real_{n}_api(x: float, y: float, n: int) -> float:\n    return {expression}\n"
            for n, expression in enumerate(REAL_EXPRESSIONS)
        )
    )


@settings(asking, max_examples=300)
@given(x=REALS, y=REALS, n=st.integers(-(1 << 50), 1 << 50))
def test_reals(reals: tuple[ModuleType, Entries], x: float, y: float, n: int) -> None:
    """To the last bit, the sign of 0 included."""
    slow, fast = reals
    for number, expression in enumerate(REAL_EXPRESSIONS):
        name = f"real_{number}_api"
        wanted, found = float(getattr(slow, name)(x, y, n)), getattr(fast, name)(x, y, n)
        same = struct.pack("d", wanted) == struct.pack("d", found) or (math.isnan(wanted) and math.isnan(found))
        assert same, (expression, x, y, n, wanted, found)


def test_mathematics(workshop: Workshop) -> None:
    """The very functions that Python calls; where Python refuses, the processor's answer stands."""
    slow, fast = workshop.twins(
        """
        from math import exp, log, sqrt

        def exp_api(x: float) -> float:
            return exp(x)

        def log_api(x: float) -> float:
            return log(x)

        def sqrt_api(n: int) -> float:
            return sqrt(n)
        """
    )
    for step in range(1, 2_000):
        x = step * 0.37
        assert fast.exp_api(x / 10) == slow.exp_api(x / 10)
        assert fast.log_api(x) == slow.log_api(x)
        assert fast.sqrt_api(step) == slow.sqrt_api(step)
    assert math.isnan(fast.sqrt_api(-1))
    assert math.isinf(fast.exp_api(1e9))


def test_whole_parts(workshop: Workshop) -> None:
    slow, fast = workshop.twins("def whole_api(x: float) -> int:\n    return int(x)")
    for x in (0.0, 0.9, -0.9, 1.5, -1.5, 1e15 + 0.5, -(2.0**53), 2.0**62):
        assert fast.whole_api(x) == slow.whole_api(x)
    assert fast.whole_api(1e300) == LARGEST


def test_truth(workshop: Workshop) -> None:
    """What is asked after `and`, `or` and in a chain is asked only where it matters."""
    slow, fast = workshop.twins(
        """
        def asked(seen: Ints, at: int, answer: int) -> int:
            seen[at] += 1
            return answer

        def rows_api(seen: Ints, a: int, b: int, c: int) -> int:
            found = 0
            if asked(seen, 0, a) and asked(seen, 1, b) or not asked(seen, 2, c):
                found += 1
            both = a == 1 and b == 1
            if both or asked(seen, 3, a) < asked(seen, 4, b) < asked(seen, 5, c):
                found += 2
            either = a or asked(seen, 6, b)
            if either:
                found += 4
            return found + (8 if asked(seen, 7, c) and not both else 0)

        def holds_api(a: int, b: int) -> bool:
            return a < b and b != 3
        """
    )
    for a, b, c in product(range(-1, 3), repeat=3):
        results = []
        for twin, seen in ((slow, [0] * 8), (fast, memoryview(bytearray(64)).cast("q"))):
            results.append((twin.rows_api(seen, a, b, c), list(seen)))
        assert results[0] == results[1], (a, b, c)
        assert fast.holds_api(a, b) is slow.holds_api(a, b)


def test_tuples_of_the_module(workshop: Workshop) -> None:
    """Numbers, and numbers in equal rows; a tuple of reals is not one of integers that has the same values."""
    source = """
        NUMBERS = (3, 1, 4, 1, 5)
        HALVES = (0.5, 2, 1.0)
        ROWS = ((1, 2, 3), (4, 5, 6))
        WHOLE = (1, 2)
        CALLED = tuple(range(10, 14))

        def number_api(at: int) -> int:
            return NUMBERS[at] + NUMBERS[1]

        def half_api(at: int) -> float:
            return HALVES[at]

        def row_api(i: int, j: int) -> int:
            return ROWS[i][j] + WHOLE[i]

        def called_api(i: int) -> int:
            total = 0
            for at in range(4):
                total += CALLED[at] if at != i else 0
            return total
        """
    slow, fast = workshop.twins(source)
    for at in range(5):
        assert fast.number_api(at) == slow.number_api(at)
    for at in range(3):
        assert fast.half_api(at) == slow.half_api(at)
        assert fast.called_api(at) == slow.called_api(at)
    for i, j in product(range(2), range(3)):
        assert fast.row_api(i, j) == slow.row_api(i, j)


def test_equal_tuples_of_other_kinds(workshop: Workshop) -> None:
    other = workshop.write("T = (1.0, 2.0)\n\ndef real(at: int) -> float:\n    return T[at] / 2")
    _, fast = workshop.twins(
        f"""
        from {other} import real
        T = (1, 2)

        def both_api(at: int) -> float:
            return T[at] + real(at)
        """
    )
    assert fast.both_api(1) == 3.0


def test_numbers_of_other_modules(workshop: Workshop) -> None:
    other = workshop.write("SIZE, SHARE, IS_ON = 7, 0.25, True")
    slow, fast = workshop.twins(
        f"""
        import {other} as k
        from {other} import SIZE, IS_ON

        def sum_api(x: int) -> float:
            return x * k.SHARE + SIZE - k.SIZE if IS_ON else 0.0
        """
    )
    assert fast.sum_api(10) == slow.sum_api(10) == 2.5


ALL_KINDS = {"Int8s": "b", "Int16s": "h", "Int32s": "i", "Ints": "q", "UInt8s": "B", "Floats": "d", "Float32s": "f"}


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_every_kind_of_array(workshop: Workshop, kind: str) -> None:
    """Read and written, with the sign of what it holds."""
    of = "float" if kind.startswith("Float") else "int"
    slow, fast = workshop.twins(
        f"""
        def turn(items: {"Floats" if of == "float" else "Ints"}) -> {of}:
            for at in range(len(items) // 2):
                items[at], items[len(items) - 1 - at] = items[len(items) - 1 - at], items[at]
            return items[0] + items[1]

        def turn_api(items: {kind}) -> {of}:
            return turn(items)
        """
    )
    numbers = [1, 2, 100, 127, 0] if kind == "UInt8s" else [1, -2, 100, -128, 0]
    given = memoryview(bytearray(5 * struct.calcsize(ALL_KINDS[kind]))).cast(ALL_KINDS[kind])
    for at, number in enumerate(numbers):
        given[at] = float(number) if of == "float" else number
    assert fast.turn_api(given) == slow.turn_api(numbers)
    assert list(given) == numbers
