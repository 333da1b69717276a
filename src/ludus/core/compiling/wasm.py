"""Kernels for a page: compiled ahead to WebAssembly, as libraries that Pyodide's Python loads by ctypes.

LLVM writes an object in which the numbers of functions, types and globals are final already, because it calls nothing
outside: what it needs of Python comes by the host's table (host.py). What makes it a library is little: its data in one
piece behind `__memory_base`, its entries exported, and a first section that says how much memory it wants
(DynamicLinking in WebAssembly's tool conventions). A test runs such libraries in a page's Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from ludus.core.compiling import host, machine
from ludus.core.errors import LudusError

TRIPLE = "wasm32-unknown-emscripten"
# what every browser with WebAssembly of Pyodide's kind has
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext"
HEAD = b"\0asm\1\0\0\0"
CUSTOM, IMPORT, GLOBAL, EXPORT, CODE, DATA = 0, 2, 6, 7, 10, 11
DATA_COUNT = 12
ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11)  # of sections, by their numbers
ADDRESS = 11  # the one relocation whose value depends on where data lies: R_WASM_MEMORY_ADDR_REL_SLEB
FINAL = {0, 6, 7, 20}  # numbers of functions, types, globals and tables
ALIGNMENT = 4  # as a power of two


class Symbol(NamedTuple):
    """A function (its number) or data (where in all of it) of an object."""

    name: str
    is_data: bool
    at: int


class Bytes:
    """Reads what WebAssembly writes."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self, signed: bool = False) -> int:
        """A LEB128 number."""
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value

    def take(self, size: int) -> bytes:
        """The next bytes."""
        self.at += size
        return self.data[self.at - size : self.at]

    def name(self) -> str:
        """A name with its length before it."""
        return self.take(self.number()).decode()

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.data)


def number(value: int) -> bytes:
    """An unsigned LEB128 number."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def padded(value: int) -> bytes:
    """A signed LEB128 number in the five bytes that objects keep for it."""
    return bytes([*(value >> shift & 127 | 128 for shift in (0, 7, 14, 21)), value >> 28 & 127])


def named(text: str) -> bytes:
    """A name with its length before it."""
    return number(len(text.encode())) + text.encode()


def section(kind: int, content: bytes) -> bytes:
    """A section."""
    return bytes([kind]) + number(len(content)) + content


@cache
def _machine() -> Any:
    llvm = machine.library()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple(TRIPLE)
    except RuntimeError:
        raise LudusError("this LLVM makes no WebAssembly") from None
    return target.create_target_machine(cpu="generic", features=FEATURES, opt=2, reloc="pic", codemodel="default")


def library_of(text: str, symbols: Sequence[str]) -> bytes:
    """A program as a library with these functions, beside the host's table."""
    made = _machine()
    return linked(made.emit_object(machine.optimised(text, made)), symbols)


def linked(code: bytes, symbols: Sequence[str]) -> bytes:
    """An object, as LLVM writes it, as a library."""
    sections = dict(_sections(code))
    pieces = _pieces(Bytes(sections[DATA])) if DATA in sections else []
    listed = _symbols(sections["linking"], pieces)
    known = {one.name: one for one in listed if one.name}
    base, globals_, imports = _imports(sections[IMPORT])
    data = b"".join(piece for _, piece in pieces)
    kept = {kind: content for kind, content in sections.items() if isinstance(kind, int)}
    kept |= {IMPORT: imports, CODE: _placed(sections, listed)}
    if data:
        kept |= {DATA_COUNT: number(1), DATA: number(1) + b"\0\x23" + number(base) + b"\x0b" + number(len(data)) + data}
    table = known[host.SYMBOL]
    kept[GLOBAL] = number(1) + b"\x7f\0\x41" + padded(table.at) + b"\x0b"
    exports = [named(name) + b"\0" + number(known[name].at) for name in symbols]
    exports.append(named(host.SYMBOL) + b"\3" + number(globals_))
    kept[EXPORT] = number(len(exports)) + b"".join(exports)
    wanted = number(len(data)) + number(ALIGNMENT) + number(0) + number(0)
    first = named("dylink.0") + b"\1" + number(len(wanted)) + wanted
    return HEAD + section(CUSTOM, first) + b"".join(section(kind, kept[kind]) for kind in ORDER if kind in kept)


def _sections(code: bytes) -> Iterator[tuple[int | str, bytes]]:
    """Its sections by number, those that tools add by name."""
    if not code.startswith(HEAD):
        raise LudusError("this is no WebAssembly")
    source = Bytes(code[len(HEAD) :])
    while not source.ended:
        kind = source.take(1)[0]
        content = source.take(source.number())
        if kind == CUSTOM:
            inner = Bytes(content)
            yield inner.name(), inner.data[inner.at :]
        else:
            yield kind, content


def _pieces(source: Bytes) -> list[tuple[int, bytes]]:
    """Where each piece of data lies, and what it is with the gap behind it."""
    found = []
    for _ in range(source.number()):
        assert source.take(2) == b"\0\x41", "data at a constant place"
        place = source.number(signed=True)
        assert source.take(1) == b"\x0b"
        found.append((place, source.take(source.number())))
    ends = [place for place, _ in found[1:]] + [place + len(piece) for place, piece in found[-1:]]
    return [(place, piece.ljust(end - place, b"\0")) for (place, piece), end in zip(found, ends, strict=True)]


def _symbols(linking: bytes, pieces: list[tuple[int, bytes]]) -> list[Symbol]:
    """All that an object defines or needs, in the order of its table."""
    source, found = Bytes(linking), []
    assert source.number() == 2, "the version of the section"
    while not source.ended:
        kind, inner = source.take(1)[0], Bytes(source.take(source.number()))
        for _ in range(inner.number() if kind == 8 else 0):
            found.append(_symbol(inner, pieces))
    return found


def _symbol(source: Bytes, pieces: list[tuple[int, bytes]]) -> Symbol:
    kind, flags = source.take(1)[0], source.number()
    is_needed, is_named = bool(flags & 0x10), bool(flags & 0x40)
    if kind == 1:
        name = source.name()
        if is_needed:
            raise LudusError(f"the kernel needs {name}, which no page has")
        piece, offset, _ = source.number(), source.number(), source.number()
        return Symbol(name, True, pieces[piece][0] + offset)
    at = source.number()
    if kind == 0 and is_needed:
        raise LudusError(f"the kernel calls {source.name() if is_named else 'something'}, which no page has")
    name = source.name() if kind != 3 and (is_named or not is_needed) else ""
    return Symbol(name if kind == 0 else "", False, at)


def _imported(source: Bytes) -> Iterator[tuple[str, str, int, bytes]]:
    """Module, name, kind (1 a table, 2 a memory, 3 a global) and what is said of it."""
    for _ in range(source.number()):
        module, name, kind, begin = source.name(), source.name(), source.take(1)[0], source.at
        if kind == 0:
            raise LudusError(f"the kernel calls {name}, which no page has")
        if kind == 3:
            source.take(2)
        else:
            source.take(1 if kind == 1 else 0)  # what a table holds
            has_most = source.take(1)[0] & 1
            for _ in range(1 + has_most):
                source.number()
        yield module, name, kind, source.data[begin : source.at]


def _imports(content: bytes) -> tuple[int, int, bytes]:
    """The global that says where data begins, how many globals there are, and the imports by Emscripten's names."""
    entries = list(_imported(Bytes(content)))
    globals_ = [name for _, name, kind, _ in entries if kind == 3]
    out = number(len(entries))
    for module, name, kind, told in entries:
        out += named(module) + named("memory" if name == "__linear_memory" else name) + bytes([kind]) + told
    base = globals_.index("__memory_base") if "__memory_base" in globals_ else -1
    return base, len(globals_), out


def _placed(sections: dict[int | str, bytes], symbols: list[Symbol]) -> bytes:
    """The code with the addresses of its data, seen from where data begins."""
    body, source = bytearray(sections[CODE]), Bytes(sections.get("reloc.CODE", b"\0\0"))
    source.number()
    for _ in range(source.number()):
        kind, at, which = source.take(1)[0], source.number(), source.number()
        if kind == ADDRESS:
            body[at : at + 5] = padded(symbols[which].at + source.number(signed=True))
        elif kind not in FINAL:
            raise LudusError(f"the kernel has a relocation of kind {kind}, which is not known here")
    return bytes(body)
