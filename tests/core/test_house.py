"""The house: one name means one thing in the whole tree, and imports go the way that design and contract say."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

import ludus
from ludus.cli import COMMANDS

HOUSE = Path(ludus.__file__).parent
MODULES = sorted(path.relative_to(HOUSE) for path in HOUSE.rglob("*.py") if not path.name.startswith("__"))

# what is one module in one family and has another name in the rooms of the other
ROOMS = {"draw": "svg", "positions": "reading"}


def family_of(module: Path) -> str | None:
    """The game family that a module belongs to."""
    return module.parts[1] if module.parts[0] == "games" and len(module.parts) > 2 else None


def is_parallel(places: list[Path]) -> bool:
    """Whether each family has its own of something; the core may have what they all are."""
    families = [family_of(place) for place in places if place.parts[0] != "core"]
    return None not in families and len(set(families)) == len(families) > 1 and len(places) - len(families) <= 1


def twice(found: dict[str, list[Path]]) -> dict[str, set[str]]:
    return {
        name: {place.as_posix() for place in places}
        for name, places in found.items()
        if len(places) > 1 and not (is_parallel(places) and len({ROOMS.get(p.stem, p.stem) for p in places}) == 1)
    }


def classes() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = defaultdict(list)
    for module in MODULES:
        for node in ast.walk(ast.parse((HOUSE / module).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(module)
    return found


def modules() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = defaultdict(list)
    for module in MODULES:
        if module.parent.name != "cli" or module.stem not in COMMANDS:  # a command's file is called as the command
            found[module.name].append(module)
    return found


def test_a_name_of_a_class_or_module_means_one_thing() -> None:
    assert twice(classes()) | twice(modules()) == {}


def test_what_counts_as_two_meanings() -> None:
    ludo, generals, core = Path("games/ludo/a/x.py"), Path("games/generals/x.py"), Path("core/x.py")
    assert is_parallel([ludo, generals])
    assert is_parallel([ludo, generals, core])
    assert not is_parallel([ludo, Path("games/ludo/b/x.py")])
    assert not is_parallel([core, Path("core/b/x.py"), ludo])
    assert not is_parallel([Path("play/x.py"), generals])


def test_no_module_is_named_by_a_string_of_a_lower_layer() -> None:
    """What an import may not do, a string may not do either."""
    order = ["core", "games", "bots", "play", "arena", "envs", "cli"]
    level = {name: number for number, name in enumerate(order)} | {"server": order.index("envs")}
    wrong = []
    for module in MODULES:
        own = level.get(module.parts[0])
        for node in ast.walk(ast.parse((HOUSE / module).read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            named = re.fullmatch(r"ludus\.(\w+)\.[\w.:]+", text)
            if own is not None and named and level.get(named[1], own) > own:
                wrong.append(f"{module}: {text}")
    assert wrong == []


def tables_within_tables(function: ast.FunctionDef) -> bool:
    """Whether a kernel function looks up in the tables where in the tables something is."""
    reads = [n for n in ast.walk(function) if isinstance(n, ast.Subscript) and ast.unparse(n.value) == "tables"]
    return any(
        isinstance(inner, ast.Subscript) and re.fullmatch(r"tables\[(k\.)?[TB]_\w+\]", ast.unparse(inner))
        for outer in reads
        for inner in ast.walk(outer.slice)
    )


@pytest.mark.parametrize("kernel", sorted(str(path) for path in MODULES if path.match("games/*/kernel*.py")))
def test_where_something_lies_in_the_tables_is_known_to_small_functions_alone(kernel: str) -> None:
    """Each is a docstring and what it returns; whoever reads a rule reads names."""
    tree = ast.parse((HOUSE / kernel).read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert [f.name for f in functions if tables_within_tables(f) and len(f.body) > 2] == []


MOST_LINES, MOST_IN_BODY = 500, 40
LONGER = {Path("games/ludo/kernel.py"), Path("games/generals/kernel.py")}  # read from top to bottom like a rule book


def test_modules_have_at_most_five_hundred_lines() -> None:
    sizes = {module: len((HOUSE / module).read_text(encoding="utf-8").splitlines()) for module in MODULES}
    assert {module: size for module, size in sizes.items() if size > MOST_LINES and module not in LONGER} == {}


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many lines a function has after its signature and docstring."""
    first = function.body[1 if ast.get_docstring(function) and len(function.body) > 1 else 0]
    return (function.end_lineno or 0) - first.lineno + 1


def test_functions_have_at_most_forty_lines() -> None:
    found = {}
    for module in MODULES:
        tree = ast.parse((HOUSE / module).read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        found |= {(module, each.name): body_lines(each) for each in functions if body_lines(each) > MOST_IN_BODY}
    assert found == {}
