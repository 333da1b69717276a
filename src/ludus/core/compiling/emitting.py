"""The text of one LLVM function while it is written: blocks, names for values, and tests that may stop it."""

from __future__ import annotations

import struct
from typing import NamedTuple

from ludus.core.compiling.language import BOOL, FLOAT, INT, LLVM, TRUTH, Element


class Value(NamedTuple):
    """A value: how LLVM's text calls it, and what it is."""

    text: str
    kind: str

    @property
    def llvm(self) -> str:
        """With its type, as an argument is written."""
        return f"{LLVM[self.kind]} {self.text}"


class Array(NamedTuple):
    """An array: where its pointer and its size stand (`kept`: in slots of the stack), and what it holds."""

    pointer: str
    size: str
    element: Element
    kept: bool = False


def constant(value: bool | int | float) -> Value:
    """A number of the source."""
    if isinstance(value, bool):
        return Value("true" if value else "false", BOOL)
    if isinstance(value, int):
        return Value(str(value), INT)
    return Value("0x" + struct.pack(">d", value).hex().upper(), FLOAT)


ZERO = {INT: constant(0), FLOAT: constant(0.0), BOOL: constant(False)}


class Emitter:
    """Writes the text of one function, block after block."""

    def __init__(self) -> None:
        self.slots: list[str] = []  # of the stack: all at the beginning, where LLVM turns them into registers
        self.lines: list[str] = []
        self.block = "body"
        self.ended = False  # the block has its last instruction: what follows is never reached
        self._count = 0

    def name(self) -> str:
        """A new name for a value."""
        self._count += 1
        return f"%v{self._count}"

    def label(self) -> str:
        """A new name for a block."""
        self._count += 1
        return f"b{self._count}"

    def add(self, instruction: str) -> None:
        """An instruction without a value."""
        self.lines.append(f"  {instruction}")

    def let(self, instruction: str) -> str:
        """An instruction with a value; returns its name."""
        name = self.name()
        self.lines.append(f"  {name} = {instruction}")
        return name

    def slot(self, llvm: str, first: str | None = None) -> str:
        """A place on the stack."""
        name = self.name()
        self.slots.append(f"  {name} = alloca {llvm}")
        if first is not None:
            self.slots.append(f"  store {llvm} {first}, ptr {name}")
        return name

    def start(self, label: str) -> None:
        """Begin a block."""
        self.lines.append(f"{label}:")
        self.block = label
        self.ended = False

    def jump(self, label: str) -> None:
        """Go on in another block, unless this one has ended."""
        if not self.ended:
            self.add(f"br label %{label}")
            self.ended = True

    def fork(self, test: str, yes: str, no: str) -> None:
        """Go on in one of two blocks."""
        self.add(f"br i1 {test}, label %{yes}, label %{no}")
        self.ended = True

    # --- from one kind to another

    def truth(self, value: Value) -> str:
        """Whether a value is true."""
        if value.kind in (BOOL, TRUTH):
            return value.text
        if value.kind == FLOAT:
            return self.let(f"fcmp une double {value.text}, 0.0")
        return self.let(f"icmp ne i64 {value.text}, 0")

    def whole(self, value: Value) -> str:
        """A value that is an integer, or true or false, as an integer."""
        if value.kind == INT:
            return value.text
        if value.text in ("true", "false"):
            return "1" if value.text == "true" else "0"
        return self.let(f"zext i1 {value.text} to i64")

    def real(self, value: Value) -> str:
        """A value as a real number."""
        if value.kind == FLOAT:
            return value.text
        whole = self.whole(value)
        if whole.lstrip("-").isdigit():
            return constant(float(int(whole))).text
        return self.let(f"sitofp i64 {whole} to double")
