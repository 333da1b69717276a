"""A kernel's source with the header of one game's tables written into it, as constants.

What `tables[PLAYERS]` or `tables[TEAMS]` is never changes while a game is played; a compiler that knows it unrolls the
loops and drops the rules that this game has not. What remains does the same, several times as fast, and compiles in
less time.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

TABLES = "tables"


def fixed_code(source: str, filename: str, header: dict[str, int]) -> CodeType:
    """The code of a kernel module in which `tables[NAME]` is a constant for each name of the header."""
    tree = _Fixing(header).visit(ast.parse(source, filename))
    return compile(ast.fix_missing_locations(tree), filename, "exec")


class _Fixing(ast.NodeTransformer):
    """Puts the constants in, and folds what depends on nothing else."""

    def __init__(self, header: dict[str, int]) -> None:
        self.header = header

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        is_table = isinstance(node.value, ast.Name) and node.value.id == TABLES
        if is_table and isinstance(node.slice, ast.Name) and node.slice.id in self.header:
            return ast.copy_location(ast.Constant(self.header[node.slice.id]), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _folded(node, [node.left, node.right])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _folded(node, [node.operand])

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        return _folded(node, [node.left, *node.comparators])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)  # the truth that ends the row
        while len(node.values) > 1 and isinstance(node.values[0], ast.Constant):
            if bool(node.values[0].value) is decides:
                return node.values[0]
            del node.values[0]
        return node if len(node.values) > 1 else node.values[0]

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.test, ast.Constant):
            return node
        return node.body if node.test.value else node.orelse

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        if not isinstance(node.test, ast.Constant):
            return node
        return (node.body if node.test.value else node.orelse) or ast.copy_location(ast.Pass(), node)


def _folded(node: ast.expr, parts: list[ast.expr]) -> ast.AST:
    """The value of an expression of constants, where it has one."""
    if not all(isinstance(part, ast.Constant) for part in parts):
        return node
    expression = ast.fix_missing_locations(ast.Expression(node))
    try:
        value = eval(compile(expression, "<constants>", "eval"), {})
    except (ArithmeticError, ValueError):  # a division by 0 behind a question whether it is 0
        return node
    return ast.copy_location(ast.Constant(value), node)
