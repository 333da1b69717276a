"""Functions and statements of the kernel language, lowered to LLVM: a whole program, from its entries on."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from ludus.core.compiling.emitting import ZERO, Array, Emitter, Value, constant
from ludus.core.compiling.expressions import Expressions
from ludus.core.compiling.faults import Faults, plainly
from ludus.core.compiling.folding import Folding
from ludus.core.compiling.host import Host
from ludus.core.compiling.language import (
    BOOL,
    ELEMENTS,
    FLOAT,
    INT,
    LLVM,
    NOTHING,
    TABLES,
    TRUTH,
    VALUES,
    Element,
    is_word,
    refuse,
)
from ludus.core.compiling.sources import Names, Source, is_entry


@dataclass(frozen=True)
class Shape:
    """What a function takes and gives: a parameter is an array of elements, or a value of a kind."""

    parameters: tuple[tuple[str, Element | str], ...]
    result: str
    is_entry: bool


class Lowering:
    """A program: entries and all that they call, each for the kinds of arrays that it is called with."""

    def __init__(
        self, names: Names, header: tuple[int, ...], columns: Mapping[str, int], checked: bool, word: str = "i64"
    ) -> None:
        self.names = names
        self.word = word  # what counts bytes and arguments in Python's C interface
        self.header, self.columns, self.checked = header, columns, checked
        self.host = Host(hidden=word != "i64")
        self.bodies: dict[str, str] = {}  # symbol → its text, in the order in which they were met
        self.places: dict[str, str] = {}  # the same names → file and line, for people
        self._globals: dict[str, str] = {}  # its text → its name
        self._shapes: dict[tuple[str, str], Shape] = {}
        self._waiting: list[tuple[str, Source, str, tuple[Element, ...]]] = []

    def entry(self, source: Source, name: str) -> str:
        """Lower an entry and all that it calls; returns its symbol."""
        elements = tuple(wanted for _, wanted in self.shape(source, name).parameters if isinstance(wanted, Element))
        symbol = self.function(source, name, elements)
        while self._waiting:
            self._lower(*self._waiting.pop())
        return symbol

    def function(self, source: Source, name: str, elements: tuple[Element, ...]) -> str:
        """The symbol of a function for some kinds of arrays; it is lowered in its turn."""
        symbol = f'@"{source.name}.{name}({", ".join(element.name for element in elements)})"'
        if symbol not in self.bodies:
            self.bodies[symbol] = ""
            self.places[symbol[2:-1]] = f"{source.file}:{source.functions[name].lineno}"
            self._waiting.append((symbol, source, name, elements))
        return symbol

    def shape(self, source: Source, name: str) -> Shape:
        """What a function takes and gives, from its annotations."""
        key = source.name, name
        if key not in self._shapes:
            node = source.functions.get(name)
            if node is None:
                refuse(source.file, source.first_line(name), f"{name} is no plain function of this module")
            self._shapes[key] = _shape_of(source, node)
            Folding(source.names, self.header, self.columns).fold(node)
        return self._shapes[key]

    def table(self, source: Source, name: str, node: ast.AST) -> tuple[str, Element, list[int]]:
        """A tuple of numbers, or of tuples of numbers, as a table: its name, what it holds, how large it is."""
        numbers = list(source.names[name])
        shape = [len(numbers)]
        while numbers and all(isinstance(row, tuple) and len(row) == len(numbers[0]) for row in numbers):
            shape.append(len(numbers[0]))
            numbers = [number for row in numbers for number in row]
        if not all(isinstance(number, float) or is_word(number) for number in numbers):
            refuse(source.file, node, f"{name} is no tuple of 64-bit numbers, nor of equally long tuples of them")
        is_real = any(isinstance(number, float) for number in numbers)
        element = ELEMENTS["Floats" if is_real else "Ints"]
        listed = [constant(float(number) if is_real else int(number)).llvm for number in numbers]
        text = f"constant [{len(listed)} x {element.llvm}] [{', '.join(listed)}]"
        return self._global(text), element, shape

    def text(self, words: str) -> str:
        """Words that a fault may need."""
        data = words.encode()
        escaped = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in data)
        return self._global(f'constant [{len(data) + 1} x i8] c"{escaped}\\00"')

    def _global(self, text: str) -> str:
        return self._globals.setdefault(text, f"@g{len(self._globals)}")

    def module(self) -> str:
        """The whole text."""
        stored = [f"{name} = internal unnamed_addr {text}" for text, name in self._globals.items()]
        return "\n".join([*stored, self.host.text(), *self.bodies.values(), "!0 = !{}", ""])

    def _lower(self, symbol: str, source: Source, name: str, elements: tuple[Element, ...]) -> None:
        self.bodies[symbol] = Function(self, source, name, elements).text(symbol)


def _shape_of(source: Source, node: ast.FunctionDef) -> Shape:
    more = node.args
    if more.posonlyargs or more.kwonlyargs or more.vararg or more.kwarg or more.defaults or node.decorator_list:
        refuse(source.file, node, f"{node.name}: parameters are plain names, without defaults")
    parameters = []
    for argument in node.args.args:
        said = ast.unparse(argument.annotation) if argument.annotation else ""
        if said not in ELEMENTS and said not in VALUES - {NOTHING}:
            refuse(
                source.file, argument, f"{argument.arg} of {node.name} is annotated {said or 'with nothing'}: no type"
            )
        parameters.append((argument.arg, ELEMENTS.get(said, said)))
    result = ast.unparse(node.returns) if node.returns else ""
    if result not in VALUES:
        refuse(
            source.file, node, f"{node.name} returns {result or 'nobody knows what'}: no type of the kernel language"
        )
    return Shape(tuple(parameters), result, is_entry(node.name))


class Function(Expressions):
    """One function while it is lowered: its statements."""

    def __init__(self, whole: Lowering, source: Source, name: str, elements: tuple[Element, ...]) -> None:
        self.shape = whole.shape(source, name)
        self.node = source.functions[name]
        out = Emitter()
        faults = Faults(whole, out, (source.file, name), self.shape.result, self.shape.is_entry)
        super().__init__(whole, source, faults, out)
        self._elements = elements
        self._loops: list[tuple[str, str]] = []  # where `continue` and `break` lead
        self._left: set[str] = set()  # where a `break` really leads

    def text(self, symbol: str) -> str:
        """The whole function."""
        parameters = self._parameters()
        self.statements(self.node.body)
        if not self.out.ended and self.shape.result != NOTHING:
            self.refuse(self.node, f"{self.node.name} returns {self.shape.result}, and has a way without a return")
        if not self.out.ended:
            self.out.add("ret void")
        kind = "" if self.shape.is_entry else "internal "
        hints = " alwaysinline" if self.node.name in self.source.inlined else ""
        first = f"define {kind}{LLVM[self.shape.result]} {symbol}({', '.join(parameters)}) nounwind{hints} {{"
        return "\n".join([first, "entry:", *self.out.slots, "  br label %body", "body:", *self.out.lines, "}"])

    def _parameters(self) -> list[str]:
        written, elements = ["ptr %fault"] if self.faults.may_fail else [], iter(self._elements)
        for name, wanted in self.shape.parameters:
            if isinstance(wanted, Element):
                self.arrays[name] = Array(f'%"{name} at"', f'%"{name} size"', next(elements))
                written += [f'ptr %"{name} at"', f'i64 %"{name} size"']
            else:
                self.variables[name] = self.out.slot(LLVM[wanted], f'%"{name} given"'), wanted
                written.append(f'{LLVM[wanted]} %"{name} given"')
        return written

    def statements(self, body: list[ast.stmt]) -> None:
        """One after the other, as far as they are reached."""
        for node in body:
            if self.out.ended:
                return
            lower = getattr(self, "_" + type(node).__name__.lower(), None)
            if lower is None:
                first = ast.unparse(node).splitlines()[0]
                self.refuse(node, f"{type(node).__name__} is not in the kernel language: {first}")
            lower(node)

    # --- names and elements get values

    def _assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if len(node.targets) > 1 and not isinstance(target, ast.Tuple):
            value = self.value(node.value)
            for one in node.targets:
                self.store(one, value)
        elif isinstance(node.value, ast.Subscript) and isinstance(node.value.slice, ast.Slice):
            self._assign_part(target, node.value, node.value.slice)
        elif isinstance(target, ast.Tuple):
            one_to_one = isinstance(node.value, ast.Tuple) and len(node.value.elts) == len(target.elts)
            if not isinstance(node.value, ast.Tuple) or not one_to_one or len(node.targets) > 1:
                self.refuse(node, "as many values as targets, side by side")
            values = [self.value(element) for element in node.value.elts]
            for one, value in zip(target.elts, values, strict=True):
                self.store(one, value)
        else:
            self.store(target, self.value(node.value))

    def store(self, target: ast.expr, value: Value) -> None:
        """Give a name or an element a value."""
        if isinstance(target, ast.Name):
            self._store_name(target, value)
        elif isinstance(target, ast.Subscript):
            address, element, is_fixed = self.place(target)
            self._store_element(target, address, element, is_fixed, value)
        else:
            self.refuse(target, f"{ast.unparse(target)} can't be given a value")

    def _store_name(self, target: ast.Name, value: Value) -> None:
        if target.id in self.arrays or value.kind == NOTHING:
            self.refuse(target, f"{target.id} can't be given {'a number' if value.kind != NOTHING else 'nothing'}")
        if target.id not in self.variables:
            kind = value.kind
            self.variables[target.id] = self.out.slot(LLVM[kind], ZERO[BOOL if kind == TRUTH else kind].text), kind
        slot, kind = self.variables[target.id]
        if kind == INT and value.kind == FLOAT:
            self.refuse(target, f"{target.id} is an integer and would become real: begin it with 0.0, or say int()")
        self.out.add(f"store {self.as_kind(value, kind, target).llvm}, ptr {slot}")

    def _store_element(self, node: ast.AST, address: str, element: Element, is_fixed: bool, value: Value) -> None:
        if is_fixed:
            self.refuse(node, "tables and constants are never written to")
        if element.is_real:
            text = self.as_real(value, node)
            text = text if element.bits == 64 else self.out.let(f"fptrunc double {text} to float")
        else:
            text = self.as_integer(value, node)
            self.faults.narrowing(node, text, element)
            text = text if element.bits == 64 else self.out.let(f"trunc i64 {text} to {element.llvm}")
        self.out.add(f"store {element.llvm} {text}, ptr {address}")

    def _assign_part(self, target: ast.expr, node: ast.Subscript, part: ast.Slice) -> None:
        """A slice of an array: a view of it, as NumPy's are."""
        if not isinstance(target, ast.Name) or part.lower is None or part.upper is None or part.step is not None:
            self.refuse(node, "a slice is part = whole[first:last]")
        if TABLES in (target.id, ast.unparse(node.value)):
            self.refuse(node, f"{TABLES} are handed on whole")
        array = self.array(node.value)
        first, last = self.integer(part.lower), self.integer(part.upper)
        if self.faults.are_checked:
            name = ast.unparse(node.value)
            in_order = self.out.let(f"icmp ule i64 {first}, {last}")
            self.faults.require(in_order, node, f"{name}[{{0}}:{{1}}]", first, last)
            inside = self.out.let(f"icmp ule i64 {last}, {array.size}")
            self.faults.require(inside, node, f"a slice of {name} to {{0}}, which has {{1}}", last, array.size)
        if target.id not in self.arrays:
            slots = self.out.slot("ptr", "null"), self.out.slot("i64", "0")
            self.arrays[target.id] = Array(*slots, array.element, kept=True)
        kept = self.arrays[target.id]
        if not kept.kept or kept.element != array.element:
            self.refuse(target, f"{target.id} is another array already")
        start = self.out.let(f"getelementptr inbounds {array.element.llvm}, ptr {array.pointer}, i64 {first}")
        self.out.add(f"store ptr {start}, ptr {kept.pointer}")
        self.out.add(f"store i64 {self.out.let(f'sub i64 {last}, {first}')}, ptr {kept.size}")

    def _augassign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            now = self.value(ast.copy_location(ast.Name(node.target.id, ast.Load()), node))
            self._store_name(node.target, self.operate(node.op, now, self.value(node.value), node))
            return
        if not isinstance(node.target, ast.Subscript):
            self.refuse(node, f"{ast.unparse(node.target)} can't be given a value")
        address, element, is_fixed = self.place(node.target)
        changed = self.operate(node.op, self.read(address, element), self.value(node.value), node)
        self._store_element(node, address, element, is_fixed, changed)

    # --- ways

    def _if(self, node: ast.If) -> None:
        end = self.out.label()
        yes = self.out.label() if node.body else end  # folding may have left nothing of it
        no = self.out.label() if node.orelse else end
        self.branch(node.test, yes, no)
        goes_on = not node.body or not node.orelse
        for label, body in ((yes, node.body), (no, node.orelse)):
            if body:
                self.out.start(label)
                self.statements(body)
                goes_on |= not self.out.ended
                self.out.jump(end)
        if goes_on:
            self.out.start(end)

    def _while(self, node: ast.While) -> None:
        if node.orelse:
            self.refuse(node, "a loop has no else")
        head, body, end = self.out.label(), self.out.label(), self.out.label()
        is_endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        self.out.jump(head)
        self.out.start(head)
        if is_endless:
            self.out.jump(body)
        else:
            self.branch(node.test, body, end)
        self.out.start(body)
        is_left = self._loop(node.body, head, end)
        if is_left or not is_endless:
            self.out.start(end)

    def _for(self, node: ast.For) -> None:
        first, last, step = self._range(node)
        assert isinstance(node.target, ast.Name)
        counter = self.out.slot("i64")
        self.out.add(f"store i64 {first}, ptr {counter}")
        head, body, after, end = (self.out.label() for _ in range(4))
        self.out.jump(head)
        self.out.start(head)
        here = self.out.let(f"load i64, ptr {counter}")
        self.out.fork(self.out.let(f"icmp {'slt' if step > 0 else 'sgt'} i64 {here}, {last}"), body, end)
        self.out.start(body)
        self._store_name(node.target, Value(here, INT))
        self._loop(node.body, after, end)
        self.out.start(after)
        sure = "nsw " if abs(step) == 1 else ""  # a longer step may lead beyond the last number
        self.out.add(f"store i64 {self.out.let(f'add {sure}i64 {here}, {step}')}, ptr {counter}")
        self.out.jump(head)
        self.out.start(end)

    def _loop(self, body: list[ast.stmt], again: str, end: str) -> bool:
        """The body of a loop; whether a `break` leaves it."""
        self._loops.append((again, end))
        self.statements(body)
        self._loops.pop()
        self.out.jump(again)
        return end in self._left

    def _range(self, node: ast.For) -> tuple[str, str, int]:
        """Where a loop begins, where it ends, and its step, which is a constant."""
        call = node.iter
        is_range = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not is_range or not isinstance(call, ast.Call) or not isinstance(node.target, ast.Name) or node.orelse:
            self.refuse(node, "a for loop runs over a range, and has no else: for number in range(…)")
        given = call.args
        if not 1 <= len(given) <= 3 or call.keywords:
            self.refuse(node, "range takes one to three numbers")
        step = given[2].value if len(given) == 3 and isinstance(given[2], ast.Constant) else 1 if len(given) < 3 else 0
        if not isinstance(step, int) or step == 0:
            self.refuse(node, "the step of a range is a constant other than 0")
        first = self.integer(given[0]) if len(given) > 1 else "0"
        return first, self.integer(given[1 if len(given) > 1 else 0]), step

    def _break(self, node: ast.Break) -> None:
        self._left.add(self._loops[-1][1])
        self.out.jump(self._loops[-1][1])

    def _continue(self, node: ast.Continue) -> None:
        self.out.jump(self._loops[-1][0])

    def _return(self, node: ast.Return) -> None:
        result = self.shape.result
        if (node.value is None) != (result == NOTHING):
            self.refuse(node, f"{self.node.name} returns {result}")
        if node.value is None:
            self.out.add("ret void")
        else:
            self.out.add(f"ret {self.as_kind(self.value(node.value), result, node).llvm}")
        self.out.ended = True

    def _expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.value(node.value)
        elif not isinstance(node.value, ast.Constant):
            self.refuse(node, "this does nothing")

    def _pass(self, node: ast.Pass) -> None:
        pass

    def _assert(self, node: ast.Assert) -> None:
        """What an entry needs is tested in every mode, what another function assumes in checked mode only."""
        if self.faults.may_fail:
            words = node.msg.value if isinstance(node.msg, ast.Constant) else None
            said = words if isinstance(words, str) else f"not {ast.unparse(node.test)}"
            holds = self.out.truth(self.value(node.test))
            self.faults.require(holds, node, plainly(said))
