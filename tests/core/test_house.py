"""The house: one name means one thing in the whole tree, and imports go the way that design and contract say."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import ludus
from ludus.cli import COMMANDS

HOUSE = Path(ludus.__file__).parent
MODULES = sorted(path.relative_to(HOUSE) for path in HOUSE.rglob("*.py") if not path.name.startswith("__"))

# Names that stand twice and are to be told apart: each line goes when its names do, and no line comes.
TWO_MEANINGS = {
    "Capture": {"games/generals/telling.py", "games/ludo/document/options.py"},
    "Finish": {"games/ludo/document/options.py", "games/ludo/picture/graph_board.py"},
    "Plan": {"games/ludo/picture/geometry.py", "games/ludo/picture/graph_board.py"},
    "Told": {"games/ludo/moves.py", "games/ludo/rulebook/loose.py"},
    "promises.py": {"bots/kernels/promises.py", "core/kernels/promises.py"},
    "table.py": {"games/ludo/rulebook/table.py", "play/table.py"},
    "telling.py": {"games/generals/telling.py", "play/telling.py"},
}
# what is one module in one family and has another name in the rooms of the other
ROOMS = {"draw": "svg", "positions": "reading"}


def family_of(module: Path) -> str | None:
    """The game family that a module belongs to."""
    return module.parts[1] if module.parts[0] == "games" and len(module.parts) > 2 else None


def is_parallel(places: list[Path]) -> bool:
    """Whether each family has its own of something; the core may have what they all are."""
    families = [family_of(place) for place in places if place.parts[0] != "core"]
    return None not in families and len(set(families)) == len(families) and len(places) - len(families) <= 1


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
    assert twice(classes()) | twice(modules()) == TWO_MEANINGS


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
