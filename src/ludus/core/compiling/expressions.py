"""Expressions of the kernel language, lowered to LLVM."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NoReturn

from ludus.core.compiling.emitting import Array, Emitter, Value, constant
from ludus.core.compiling.faults import Faults
from ludus.core.compiling.host import MATHEMATICS
from ludus.core.compiling.language import BOOL, FLOAT, INT, LLVM, NOTHING, TABLES, TRUTH, Element, is_word, refuse
from ludus.core.compiling.singles import single

if TYPE_CHECKING:
    from ludus.core.compiling.lowering import Lowering
    from ludus.core.compiling.sources import Source

WHOLE = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
SHIFTS = {ast.LShift: "shl", ast.RShift: "ashr"}
DIVISIONS = (ast.FloorDiv, ast.Mod)
REAL = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
COMPARED = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
CHECKED = {ast.Add: "sadd", ast.Sub: "ssub", ast.Mult: "smul"}


class Expressions:
    """What gives a value. Integers are 64 bits wide; what leaves them wraps around, and checked mode says so."""

    def __init__(self, whole: Lowering, source: Source, faults: Faults, out: Emitter) -> None:
        self.whole_program = whole
        self.source = source
        self.faults = faults
        self.out = out
        self.variables: dict[str, tuple[str, str]] = {}  # name → slot, kind
        self.arrays: dict[str, Array] = {}

    def refuse(self, node: ast.AST, what: str) -> NoReturn:
        """This is not the kernel language."""
        refuse(self.source.file, node, what)

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        lower = getattr(self, "_" + type(node).__name__.lower(), None)
        if lower is None:
            self.refuse(node, f"{type(node).__name__} is not in the kernel language: {ast.unparse(node)}")
        found: Value = lower(node)
        return found

    def integer(self, node: ast.expr) -> str:
        """An expression that must be an integer."""
        return self.as_integer(self.value(node), node)

    def as_integer(self, value: Value, node: ast.AST) -> str:
        """A value that must be an integer."""
        if value.kind not in (INT, BOOL):
            self.refuse(node, f"an integer is needed, not {_said(value.kind)}")
        return self.out.whole(value)

    def as_real(self, value: Value, node: ast.AST) -> str:
        """A value that must be a number."""
        if value.kind not in (INT, BOOL, FLOAT):
            self.refuse(node, f"a number is needed, not {_said(value.kind)}")
        return self.out.real(value)

    def as_kind(self, value: Value, kind: str, node: ast.AST) -> Value:
        """A value where a variable, a parameter or a result of some kind is wanted."""
        if kind == FLOAT:
            return Value(self.as_real(value, node), FLOAT)
        if kind == INT:
            return Value(self.as_integer(value, node), INT)
        if value.kind not in ((BOOL,) if kind == BOOL else (BOOL, TRUTH)):
            self.refuse(node, f"true or false is needed, not {_said(value.kind)}")
        return Value(value.text, kind)

    # --- names and numbers

    def _constant(self, node: ast.Constant) -> Value:
        if not isinstance(node.value, int | float):
            self.refuse(node, f"{node.value!r} is no number")
        if isinstance(node.value, int) and not is_word(node.value):
            self.refuse(node, f"{node.value} does not fit 64 bits")
        return constant(node.value)

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.variables:
            slot, kind = self.variables[node.id]
            return Value(self.out.let(f"load {LLVM[kind]}, ptr {slot}"), kind)
        if node.id in self.arrays:
            self.refuse(node, f"{node.id} is an array: it can be indexed, measured with len() and handed on")
        self.refuse(node, f"{node.id} has no value here: neither a local name before it nor a number of the module")

    # --- arrays

    def array(self, node: ast.expr) -> Array:
        """An array by its name, with its pointer and size as values."""
        if not isinstance(node, ast.Name) or node.id not in self.arrays:
            self.refuse(node, f"{ast.unparse(node)} is no array: only parameters, and slices of them, are")
        array = self.arrays[node.id]
        if not array.kept:
            return array
        pointer, size = self.out.let(f"load ptr, ptr {array.pointer}"), self.out.let(f"load i64, ptr {array.size}")
        return Array(pointer, size, array.element)

    def place(self, node: ast.Subscript) -> tuple[str, Element, bool]:
        """Where an element stands, what it is, and whether it is never written."""
        table = self._table_of_constants(node)
        if table is not None:
            return table
        array = self.array(node.value)
        at = self._index(node.slice)
        assert isinstance(node.value, ast.Name)
        self.faults.index(node, node.value.id, at, array.size)
        address = self.out.let(f"getelementptr inbounds {array.element.llvm}, ptr {array.pointer}, i64 {at}")
        return address, array.element, node.value.id == TABLES

    def _index(self, node: ast.expr) -> str:
        at = self.integer(node)
        if at.startswith("-"):
            self.refuse(node, f"an index counts from the front: {at}")
        return at

    def _table_of_constants(self, node: ast.Subscript) -> tuple[str, Element, bool] | None:
        """An element of a tuple of numbers of the module, or of a tuple of such tuples."""
        indices, inner = [node.slice], node.value
        while isinstance(inner, ast.Subscript):
            indices.insert(0, inner.slice)
            inner = inner.value
        values = self.source.names.get(inner.id) if isinstance(inner, ast.Name) else None
        if not isinstance(inner, ast.Name) or inner.id in self.arrays or not isinstance(values, tuple):
            return None
        name, element, shape = self.whole_program.table(self.source, inner.id, node)
        if len(shape) != len(indices):
            self.refuse(node, f"{inner.id} takes {len(shape)} indices, not {len(indices)}")
        at = "0"
        for index, size in zip(indices, shape, strict=True):
            here = self._index(index)
            self.faults.index(node, inner.id, here, str(size))
            at = here if at == "0" else self.out.let(f"add i64 {self.out.let(f'mul i64 {at}, {size}')}, {here}")
        return self.out.let(f"getelementptr inbounds {element.llvm}, ptr {name}, i64 {at}"), element, True

    def _subscript(self, node: ast.Subscript) -> Value:
        if isinstance(node.slice, ast.Slice):
            self.refuse(node, "a slice is given a name of its own first: part = whole[first:last]")
        address, element, is_fixed = self.place(node)
        return self.read(address, element, is_fixed)

    def read(self, address: str, element: Element, is_fixed: bool = False) -> Value:
        """The element at an address."""
        found = self.out.let(f"load {element.llvm}, ptr {address}" + (", !invariant.load !0" if is_fixed else ""))
        if element.is_real:
            return Value(found if element.bits == 64 else self.out.let(f"fpext float {found} to double"), FLOAT)
        if element.bits < 64:
            found = self.out.let(f"{'sext' if element.is_signed else 'zext'} {element.llvm} {found} to i64")
        return Value(found, INT)

    # --- operations

    def _binop(self, node: ast.BinOp) -> Value:
        return self.operate(node.op, self.value(node.left), self.value(node.right), node)

    def operate(self, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
        """An operation on two values."""
        kind = type(op)
        if kind is ast.Div or FLOAT in (left.kind, right.kind):
            return self._operate_real(kind, left, right, node)
        if kind in (ast.BitAnd, ast.BitOr, ast.BitXor) and left.kind == right.kind == BOOL:
            return Value(self.out.let(f"{WHOLE[kind]} i1 {left.text}, {right.text}"), BOOL)
        a, b = self.as_integer(left, node), self.as_integer(right, node)
        if kind in CHECKED and self.faults.are_checked:
            return Value(self.faults.arithmetic(node, CHECKED[kind], a, b), INT)
        if kind in WHOLE:
            return Value(self.out.let(f"{WHOLE[kind]} i64 {a}, {b}"), INT)
        if kind in SHIFTS:
            self.faults.shift(node, SHIFTS[kind], a, b)
            return Value(self.out.let(f"{SHIFTS[kind]} i64 {a}, {b}"), INT)
        if kind in DIVISIONS:
            return Value(self._divide(kind, a, b, node), INT)
        self.refuse(node, f"{kind.__name__} is not in the kernel language")

    def _operate_real(self, kind: type[ast.operator], left: Value, right: Value, node: ast.AST) -> Value:
        if kind not in REAL:
            is_known = kind in WHOLE or kind in SHIFTS or kind in DIVISIONS
            why = "is for integers, and one side is a real number" if is_known else "is not in the kernel language"
            self.refuse(node, f"{kind.__name__} {why}")
        a, b = self.as_real(left, node), self.as_real(right, node)
        if kind is ast.Div:
            self.faults.division_of_reals(node, b)
        return Value(self.out.let(f"{REAL[kind]} double {a}, {b}"), FLOAT)

    def _divide(self, kind: type[ast.operator], a: str, b: str, node: ast.AST) -> str:
        """Python's division of integers, towards minus infinity; by 0 it gives 0, and checked mode says so.

        By 0 and by -1 processors may stop: there the quotient is a * b, and nothing is left over, as by 1.
        """
        let = self.out.let
        self.faults.division(node, a, b, kind is ast.FloorDiv)
        may_stop = "true" if b in ("0", "-1") else "false"
        by = "1" if may_stop == "true" else b
        if not b.lstrip("-").isdigit():
            may_stop = let(f"icmp ult i64 {let(f'add i64 {b}, 1')}, 2")
            by = let(f"select i1 {may_stop}, i64 1, i64 {b}")
        rest = let(f"srem i64 {a}, {by}")
        apart = let(f"icmp slt i64 {let(f'xor i64 {rest}, {by}')}, 0")
        wrong = let(f"and i1 {apart}, {let(f'icmp ne i64 {rest}, 0')}")
        if kind is ast.Mod:
            return let(f"select i1 {wrong}, i64 {let(f'add i64 {rest}, {by}')}, i64 {rest}")
        found = let(f"sub i64 {let(f'sdiv i64 {a}, {by}')}, {let(f'zext i1 {wrong} to i64')}")
        return let(f"select i1 {may_stop}, i64 {let(f'mul i64 {a}, {b}')}, i64 {found}")

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return Value(self.out.let(f"xor i1 {self.out.truth(value)}, true"), BOOL)
        if isinstance(node.op, ast.USub) and value.kind == FLOAT:
            return Value(self.out.let(f"fneg double {value.text}"), FLOAT)
        whole = Value(self.as_integer(value, node), INT)
        if isinstance(node.op, ast.USub):
            return self.operate(ast.Sub(), constant(0), whole, node)
        if isinstance(node.op, ast.Invert):
            return Value(self.out.let(f"xor i64 {whole.text}, -1"), INT)
        self.refuse(node, f"{type(node.op).__name__} is not in the kernel language")

    def _compare(self, node: ast.Compare) -> Value:
        left, met = self.value(node.left), ""
        end, leading = self.out.label(), []
        for number, (op, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if number and not self._is_plain(comparator):  # what follows is only asked where all before it holds
                leading.append(("false", self.out.block))
                after = self.out.label()
                self.out.fork(met, after, end)
                self.out.start(after)
                met = ""
            right = self.value(comparator)
            holds = self.compare(op, left, right, node)
            met = self.out.let(f"and i1 {met}, {holds}") if met else holds
            left = right
        return Value(self.join(end, [*leading, (met, self.out.block)], "i1") if leading else met, BOOL)

    def compare(self, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> str:
        """Whether a comparison holds."""
        if type(op) not in COMPARED:
            self.refuse(node, f"{type(op).__name__} is not in the kernel language")
        how = COMPARED[type(op)]
        if FLOAT in (left.kind, right.kind):
            order = ("u" if how == "ne" else "o") + how
            return self.out.let(f"fcmp {order} double {self.as_real(left, node)}, {self.as_real(right, node)}")
        sign = "" if how in ("eq", "ne") else "s"
        return self.out.let(f"icmp {sign}{how} i64 {self.as_integer(left, node)}, {self.as_integer(right, node)}")

    def _is_plain(self, node: ast.expr) -> bool:
        """Whether nothing can go wrong in an expression, so that it may be worked out without need."""
        if isinstance(node, ast.BinOp) and type(node.op) in WHOLE and not self.faults.are_checked:
            return self._is_plain(node.left) and self._is_plain(node.right)
        return isinstance(node, ast.Name | ast.Constant)

    def join(self, end: str, arms: list[tuple[str, str]], llvm: str) -> str:
        """Go on in a block to which several lead, with the value that each brought: (value, its block)."""
        self.out.jump(end)
        self.out.start(end)
        return self.out.let(f"phi {llvm} " + ", ".join(f"[ {text}, %{block} ]" for text, block in arms))

    def _boolop(self, node: ast.BoolOp) -> Value:
        is_and = isinstance(node.op, ast.And)
        end, arms, kinds = self.out.label(), [], set()
        for number, part in enumerate(node.values):
            value = self.value(part)
            kinds.add(value.kind)
            test = self.out.truth(value)
            if number == len(node.values) - 1:
                arms.append((test, self.out.block))
                break
            after = self.out.label()
            arms.append(("false" if is_and else "true", self.out.block))
            self.out.fork(test, *((after, end) if is_and else (end, after)))
            self.out.start(after)
        return Value(self.join(end, arms, "i1"), BOOL if kinds == {BOOL} else TRUTH)

    def branch(self, test: ast.expr, yes: str, no: str) -> None:
        """Go to one of two blocks, as a test says: `and`, `or` and `not` are ways and no values."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.branch(test.operand, no, yes)
        elif isinstance(test, ast.BoolOp):
            for part in test.values[:-1]:
                after = self.out.label()
                self.branch(part, *((after, no) if isinstance(test.op, ast.And) else (yes, after)))
                self.out.start(after)
            self.branch(test.values[-1], yes, no)
        else:
            self.out.fork(self.out.truth(self.value(test)), yes, no)

    def _ifexp(self, node: ast.IfExp) -> Value:
        yes, no, end = self.out.label(), self.out.label(), self.out.label()
        self.branch(node.test, yes, no)
        self.out.start(yes)
        first = self.value(node.body)
        first_block, first_end = self.out.block, len(self.out.lines)
        self.out.start(no)
        second = self.value(node.orelse)
        kind = self._common([first, second], node)
        second = self.as_kind(second, kind, node)
        here, self.out.lines = self.out.lines, []
        first = self.as_kind(first, kind, node)
        self.out.add(f"br label %{end}")
        self.out.lines = here[:first_end] + self.out.lines + here[first_end:]
        arms = [(first.text, first_block), (second.text, self.out.block)]
        return Value(self.join(end, arms, LLVM[kind]), kind)

    def _common(self, values: list[Value], node: ast.AST) -> str:
        kinds = {value.kind for value in values}
        if NOTHING in kinds:
            self.refuse(node, "nothing is no value")
        if len(kinds) == 1:
            return kinds.pop()
        if TRUTH in kinds:
            return TRUTH
        return FLOAT if FLOAT in kinds else INT

    # --- calls

    def _call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "bit_count" and not node.args + node.keywords:
            return self._count_bits(node.func.value)
        if not isinstance(node.func, ast.Name) or node.keywords:
            self.refuse(node, "a kernel calls functions by name, with arguments in their places")
        name = node.func.id
        if self.source.names.get(name) is single:
            return self._call_single(node)
        found = self.whole_program.names.lead(self.source, name)
        if found is not None:
            return self._call_ours(node, *found)
        lower = getattr(self, "_call_" + name, None)
        if name in MATHEMATICS and self.source.names.get(name) is MATHEMATICS[name]:
            return self._call_mathematics(node, name)
        if lower is None or name in self.source.names:
            self.refuse(node, f"{name} is no function of a kernel")
        value: Value = lower(node)
        return value

    def _count_bits(self, node: ast.expr) -> Value:
        """The bits that are set, of a negative number those of its size, as Python counts them."""
        whole = self.out.let(f"call i64 @llvm.abs.i64(i64 {self.integer(node)}, i1 false)")
        return Value(self.out.let(f"call i64 @llvm.ctpop.i64(i64 {whole})"), INT)

    def _call_ours(self, node: ast.Call, source: Source, name: str) -> Value:
        shape = self.whole_program.shape(source, name)
        if shape.is_entry:
            self.refuse(node, f"{name} is an entry, which only Python calls")
        if len(node.args) != len(shape.parameters):
            self.refuse(node, f"{name} takes {len(shape.parameters)} arguments, not {len(node.args)}")
        given, elements = [], []
        for argument, (parameter, wanted) in zip(node.args, shape.parameters, strict=True):
            if isinstance(wanted, Element):
                array = self.array(argument)
                self._check_array(argument, parameter, wanted, array.element, name)
                elements.append(array.element)
                given += [f"ptr {array.pointer}", f"i64 {array.size}"]
            else:
                given.append(self.as_kind(self.value(argument), wanted, argument).llvm)
        symbol = self.whole_program.function(source, name, tuple(elements))
        call = f"call {LLVM[shape.result]} {symbol}({', '.join(self.faults.passed_on(given))})"
        if shape.result == NOTHING:
            self.out.add(call)
            found = Value("", NOTHING)
        else:
            found = Value(self.out.let(call), shape.result)
        self.faults.after_call()
        return found

    def _check_array(self, node: ast.expr, parameter: str, wanted: Element, given: Element, function: str) -> None:
        if given.is_real != wanted.is_real:
            what = "reals" if wanted.is_real else "integers"
            self.refuse(node, f"{parameter} of {function} is an array of {what}")
        if (parameter == TABLES) != (isinstance(node, ast.Name) and node.id == TABLES):
            self.refuse(node, f"{TABLES} is the same array everywhere: {parameter} of {function} is something else")

    def _arguments(self, node: ast.Call, least: int, most: int) -> list[Value]:
        if not least <= len(node.args) <= most:
            self.refuse(node, f"{ast.unparse(node.func)} takes {least} to {most} arguments, not {len(node.args)}")
        return [self.value(argument) for argument in node.args]

    def _call_mathematics(self, node: ast.Call, name: str) -> Value:
        (value,) = self._arguments(node, 1, 1)
        real = self.as_real(value, node)
        if name == "sqrt":
            return Value(self.out.let(f"call double @llvm.sqrt.f64(double {real})"), FLOAT)
        pointer = self.whole_program.host.load(self.out, name)
        return Value(self.out.let(f"call double {pointer}(double {real})"), FLOAT)

    def _call_single(self, node: ast.Call) -> Value:
        """LLVM then works with 32 bits: the sum or product of two such numbers, rounded once, is the same."""
        (value,) = self._arguments(node, 1, 1)
        rounded = self.out.let(f"fptrunc double {self.as_real(value, node)} to float")
        return Value(self.out.let(f"fpext float {rounded} to double"), FLOAT)

    def _call_len(self, node: ast.Call) -> Value:
        if len(node.args) != 1:
            self.refuse(node, "len takes one array")
        return Value(self.array(node.args[0]).size, INT)

    def _call_int(self, node: ast.Call) -> Value:
        (value,) = self._arguments(node, 1, 1)
        if value.kind == FLOAT:
            self.faults.whole_part(node, value.text)
            return Value(self.out.let(f"call i64 @llvm.fptosi.sat.i64.f64(double {value.text})"), INT)
        return Value(self.as_integer(value, node), INT)

    def _call_float(self, node: ast.Call) -> Value:
        (value,) = self._arguments(node, 1, 1)
        return Value(self.as_real(value, node), FLOAT)

    def _call_abs(self, node: ast.Call) -> Value:
        (value,) = self._arguments(node, 1, 1)
        if value.kind == FLOAT:
            return Value(self.out.let(f"call double @llvm.fabs.f64(double {value.text})"), FLOAT)
        whole = self.as_integer(value, node)
        self.faults.size(node, whole)
        return Value(self.out.let(f"call i64 @llvm.abs.i64(i64 {whole}, i1 false)"), INT)

    def _call_min(self, node: ast.Call) -> Value:
        return self._extreme(node, "smin", ast.Lt())

    def _call_max(self, node: ast.Call) -> Value:
        return self._extreme(node, "smax", ast.Gt())

    def _extreme(self, node: ast.Call, intrinsic: str, better: ast.cmpop) -> Value:
        """The first of the best, as Python finds it."""
        values = self._arguments(node, 2, 9)
        if any(value.kind == FLOAT for value in values):
            best = Value(self.as_real(values[0], node), FLOAT)
            for value in values[1:]:
                other = Value(self.as_real(value, node), FLOAT)
                test = self.compare(better, other, best, node)
                best = Value(self.out.let(f"select i1 {test}, double {other.text}, double {best.text}"), FLOAT)
            return best
        found = self.as_integer(values[0], node)
        for value in values[1:]:
            found = self.out.let(f"call i64 @llvm.{intrinsic}.i64(i64 {found}, i64 {self.as_integer(value, node)})")
        return Value(found, INT)


def _said(kind: str) -> str:
    words = {FLOAT: "a real number", TRUTH: "the outcome of `and` or `or`", NOTHING: "nothing", INT: "an integer"}
    return words.get(kind, "true or false")
