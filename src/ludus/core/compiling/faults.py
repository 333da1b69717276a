"""Tests that are compiled into a kernel in checked mode (LUDUS_CHECKED=1): every index, every overflow.

A function that may fail is handed a record on its caller's stack: three words, a text and two values. Where a test
fails it writes the record and returns; so does everybody who called it, up to the entry, whose wrapper raises.
"""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING

from ludus.core.compiling.emitting import ZERO, Emitter, constant
from ludus.core.compiling.language import NOTHING, SMALLEST, Element

if TYPE_CHECKING:
    from ludus.core.compiling.lowering import Lowering

RECORD = "[3 x i64]"


def checked_mode() -> bool:
    """Whether kernels are to be compiled with every test."""
    return os.environ.get("LUDUS_CHECKED", "") not in ("", "0")


class Faults:
    """The tests of one function. An entry may fail in any mode, by its `assert`s; others in checked mode only."""

    def __init__(self, whole: Lowering, out: Emitter, place: tuple[str, str], result: str, is_entry: bool) -> None:
        self._whole = whole
        self._out = out
        self._place = place  # file and function
        self._result = result
        self.are_checked = whole.checked
        self.may_fail = whole.checked or is_entry

    def passed_on(self, arguments: list[str]) -> list[str]:
        """The arguments of a call, with the record where the called function takes one."""
        return ["ptr %fault", *arguments] if self.are_checked else arguments

    def after_call(self) -> None:
        """Go back at once where the called function failed."""
        if self.are_checked:
            failed = self._out.let(f"icmp ne ptr {self._out.let('load ptr, ptr %fault')}, null")
            self._unless(failed)

    def require(self, holds: str, node: ast.AST, text: str, first: str = "0", second: str = "0") -> None:
        """Fail with a text, in which {0} and {1} stand for two values, unless a test holds."""
        failed = self._out.let(f"xor i1 {holds}, true")
        file, function = self._place
        told = self._whole.text(f"{plainly(file)}:{getattr(node, 'lineno', 0)}, in {function}: {text}")
        self._unless(failed, (f"ptr {told}", f"i64 {first}", f"i64 {second}"))

    def _unless(self, failed: str, record: tuple[str, ...] = ()) -> None:
        out, leave, stay = self._out, self._out.label(), self._out.label()
        out.fork(failed, leave, stay)
        out.start(leave)
        for number, field in enumerate(record):
            out.add(f"store {field}, ptr {out.let(f'getelementptr i64, ptr %fault, i64 {number}')}")
        out.add("ret void" if self._result == NOTHING else f"ret {ZERO[self._result].llvm}")
        out.start(stay)

    def index(self, node: ast.AST, array: str, at: str, size: str) -> None:
        """An index must be in its array."""
        if self.are_checked:
            inside = self._out.let(f"icmp ult i64 {at}, {size}")
            self.require(inside, node, f"index {{0}} of {array}, which has {{1}}", at, size)

    def arithmetic(self, node: ast.AST, operation: str, a: str, b: str) -> str:
        """A sum, difference or product that must fit 64 bits; returns it."""
        pair = self._out.let(f"call {{i64, i1}} @llvm.{operation}.with.overflow.i64(i64 {a}, i64 {b})")
        found, over = (self._out.let(f"extractvalue {{i64, i1}} {pair}, {part}") for part in (0, 1))
        fits = self._out.let(f"xor i1 {over}, true")
        self.require(fits, node, f"{_sign(operation)} of {{0}} and {{1}} leaves 64 bits", a, b)
        return found

    def shift(self, node: ast.AST, operation: str, a: str, b: str) -> None:
        """Bits are shifted by 0 to 63 places, and none is lost on the left."""
        if not self.are_checked:
            return
        out = self._out
        self.require(out.let(f"icmp ult i64 {b}, 64"), node, "{0} shifted by {1} places", a, b)
        if operation == "shl":
            back = out.let(f"ashr i64 {out.let(f'shl i64 {a}, {b}')}, {b}")
            self.require(out.let(f"icmp eq i64 {back}, {a}"), node, "{0} << {1} leaves 64 bits", a, b)

    def division(self, node: ast.AST, a: str, by: str, is_quotient: bool) -> None:
        """Nothing is divided by 0, and the quotient fits 64 bits."""
        if not self.are_checked:
            return
        out = self._out
        self.require(out.let(f"icmp ne i64 {by}, 0"), node, "{0} divided by 0", a)
        if is_quotient:
            over = out.let(f"and i1 {out.let(f'icmp eq i64 {a}, {SMALLEST}')}, {out.let(f'icmp eq i64 {by}, -1')}")
            self.require(out.let(f"xor i1 {over}, true"), node, "{0} // {1} leaves 64 bits", a, by)

    def size(self, node: ast.AST, value: str) -> None:
        """The absolute value must fit 64 bits."""
        if self.are_checked:
            self.require(self._out.let(f"icmp ne i64 {value}, {SMALLEST}"), node, "abs({0}) leaves 64 bits", value)

    def whole_part(self, node: ast.AST, real: str) -> None:
        """The whole part of a real number must fit 64 bits; what is no number at all does not."""
        if self.are_checked:
            out, bound = self._out, float(-SMALLEST)
            low = out.let(f"fcmp oge double {real}, {constant(-bound).text}")
            high = out.let(f"fcmp olt double {real}, {constant(bound).text}")
            self.require(out.let(f"and i1 {low}, {high}"), node, "a real number whose whole part leaves 64 bits")

    def division_of_reals(self, node: ast.AST, by: str) -> None:
        """Nothing is divided by 0."""
        if self.are_checked:
            self.require(self._out.let(f"fcmp une double {by}, 0.0"), node, "a division by 0")

    def narrowing(self, node: ast.AST, value: str, element: Element) -> None:
        """What is stored must fit the elements of the array."""
        if self.are_checked and element.bits < 64:
            out = self._out
            cut = out.let(f"trunc i64 {value} to {element.llvm}")
            back = out.let(f"{'sext' if element.is_signed else 'zext'} {element.llvm} {cut} to i64")
            self.require(out.let(f"icmp eq i64 {back}, {value}"), node, f"{{0}} does not fit {element.name}", value)


def plainly(text: str) -> str:
    """A text in which no value stands."""
    return text.replace("{", "{{").replace("}", "}}")


def _sign(operation: str) -> str:
    return {"sadd": "the sum", "ssub": "the difference", "smul": "the product"}[operation]
