"""A kernel function with everything written into it that one game never changes.

`tables[PLAYERS]` is a constant for a game, and so is a column of its tables that has one value everywhere
(`tables[bank + O_STOPS]`). With these, and the constants of the module, in their places, branches that this game never
takes are dropped: what remains does the same, several times as fast, and compiles in less time.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from ludus.core.compiling.language import TABLES

NUMBERS = (int, float)  # bool is an int
OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.USub: operator.neg, ast.Not: operator.not_, ast.Invert: operator.invert,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


class Folding(ast.NodeTransformer):
    """Puts constants in, and works out what depends on nothing else."""

    def __init__(
        self, names: Mapping[str, Any], header: tuple[int, ...] = (), columns: Mapping[str, int] | None = None
    ) -> None:
        self.names = names
        self.header = header
        self.columns = columns or {}
        self.locals: set[str] = set()

    def fold(self, function: ast.FunctionDef) -> ast.FunctionDef:
        """The function, rewritten in place."""
        self.locals = names_bound_in(function)
        function.body = self._block(function.body)
        return function

    # --- constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.locals or not isinstance(self.names.get(node.id), NUMBERS):
            return node
        return ast.copy_location(ast.Constant(self.names[node.id]), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        value = self._constant_of_module(node)
        return node if value is None else ast.copy_location(ast.Constant(value), node)

    def _constant_of_module(self, node: ast.expr) -> int | float | None:
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            return None
        module = self.names.get(node.value.id)
        found = vars(module).get(node.attr) if isinstance(module, ModuleType) else None
        return found if isinstance(found, NUMBERS) else None

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.value, ast.Name):
            self.generic_visit(node)
            return node
        if node.value.id == TABLES and (column := self._column(node.slice)) is not None:
            return ast.copy_location(ast.Constant(self.columns[column]), node)
        node.slice = self.visit(node.slice)
        at = node.slice.value if isinstance(node.slice, ast.Constant) else None
        values = self._known(node.value.id)
        if isinstance(at, int) and 0 <= at < len(values) and isinstance(values[at], NUMBERS):
            return ast.copy_location(ast.Constant(values[at]), node)
        return node

    def _known(self, name: str) -> tuple[Any, ...]:
        """The elements of an array that are known beforehand: the head of the tables, or a tuple of the module."""
        if name == TABLES:
            return self.header
        values = self.names.get(name)
        return values if isinstance(values, tuple) and name not in self.locals else ()

    def _column(self, index: ast.expr) -> str | None:
        """The name of a column that has one value everywhere: `<where> + NAME`, or `<where> + k.NAME`."""
        if not isinstance(index, ast.BinOp) or not isinstance(index.op, ast.Add):
            return None
        name = index.right
        called = name.id if isinstance(name, ast.Name) else name.attr if isinstance(name, ast.Attribute) else ""
        return called if called in self.columns and called not in self.locals else None

    # --- what follows from them

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        node.left, node.right = self.visit(node.left), self.visit(node.right)
        return _value_of(node, [node.left, node.right], OPERATIONS.get(type(node.op)))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        node.operand = self.visit(node.operand)
        return _value_of(node, [node.operand], OPERATIONS.get(type(node.op)))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        one = OPERATIONS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        return _value_of(node, [node.left, *node.comparators], one)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)  # the truth that ends the row
        while len(node.values) > 1 and isinstance(node.values[0], ast.Constant):
            if bool(node.values[0].value) is decides:
                return node.values[0]
            del node.values[0]
        return node if len(node.values) > 1 else node.values[0]

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node.test = self.visit(node.test)
        if isinstance(node.test, ast.Constant):
            chosen: ast.expr = self.visit(node.body if node.test.value else node.orelse)
            return chosen
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    # --- statements: what is never reached goes

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        if isinstance(node.test, ast.Constant):
            return self._block(node.body if node.test.value else node.orelse)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> Any:
        node.test = self.visit(node.test)
        if isinstance(node.test, ast.Constant) and not node.test.value:
            return []
        node.body = self._block(node.body)
        return node

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self.visit(node.iter)
        node.body = self._block(node.body)
        return node

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            left = self.visit(statement)
            found += left if isinstance(left, list) else [left]
            if found and isinstance(found[-1], ast.Return | ast.Break | ast.Continue):
                break
        return found


def names_bound_in(function: ast.FunctionDef) -> set[str]:
    """The parameters and local names of a function."""
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {argument.arg for argument in function.args.args}


def _value_of(node: ast.expr, parts: list[ast.expr], work_out: Callable[..., Any] | None) -> ast.expr:
    """The value of an expression of constants, where it has one."""
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    if work_out is None or len(values) < len(parts):
        return node
    try:
        return ast.copy_location(ast.Constant(work_out(*values)), node)
    except (ArithmeticError, ValueError, TypeError):  # a division by 0 behind a question whether it is 0
        return node
