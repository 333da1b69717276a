"""Mutation testing, sampled: small changes to the code that some test must notice.

    python bench/mutants.py --sample 40

Each mutant is one change to one module, in a copy of the tree: another comparison, a negated condition, another number,
`and` for `or`, a statement left out. The tests named for the module run against it; a mutant that they all pass has
survived, and is shown, to be answered by a test or by a reason. Before that the tests must pass without any change.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 600
# modules, and the tests that are there for them
SUITES = {
    "server/packing.py": ["tests/server/test_keeping.py"],
    "server/retention.py": ["tests/server/test_keeping.py"],
    "server/bookkeeping.py": ["tests/server/test_keeping.py", "tests/server/test_store.py"],
    "server/chain.py": ["tests/server/test_keeping.py", "tests/server/test_store.py"],
    "server/strangers.py": ["tests/server/test_lobby.py"],
    "server/doors.py": ["tests/server/test_http.py"],
    "server/guest.py": ["tests/server/test_rooms.py"],
    "server/invitations.py": ["tests/server/test_friends.py"],
    "server/timekeeper.py": ["tests/server/test_friends.py"],
    "server/room.py": ["tests/server/test_rooms.py", "tests/server/test_conversation.py", "tests/server/test_lobby.py"],
    "server/conversation.py": ["tests/server/test_conversation.py", "tests/server/test_friends.py"],
    "server/hall.py": ["tests/server/test_rooms.py", "tests/server/test_lobby.py", "tests/server/test_keeping.py"],
    "server/store.py": ["tests/server/test_store.py", "tests/server/test_keeping.py"],
    "server/database.py": ["tests/server/test_store.py", "tests/server/test_keeping.py"],
    "server/wire.py": ["tests/server/test_wire.py"],
    "play/labour.py": ["tests/server/test_labour.py"],
    "play/clocks.py": ["tests/server/test_friends.py"],
    "server/requests.py": ["tests/server/test_conversation.py", "tests/fuzz"],
    "server/limits.py": ["tests/server/test_conversation.py", "tests/server/test_http.py", "tests/server/test_wire.py"],
    "play/table.py": [
        "tests/server/test_table.py",
        "tests/server/test_keeping.py",
        "tests/server/test_conversation.py",
    ],
    "play/seats.py": ["tests/server/test_table.py", "tests/server/test_lobby.py", "tests/server/test_conversation.py"],
    "core/fair_dice.py": ["tests/server/test_fair_dice.py"],
    "core/record.py": ["tests/core/test_record.py", "tests/server/test_keeping.py"],
    "core/record_reader.py": ["tests/core/test_record.py"],
    "games/ludo/kernel.py": ["tests/rules", "tests/perft", "tests/golden"],
    "games/ludo/rulebook/verdict.py": ["tests/rules", "tests/properties/test_check.py"],
}
OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


def changes(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every change there is: the number of the node in a walk, and what is done to it."""
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OTHER:
            yield number, "another comparison"
        elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in OTHER:
            yield number, "another operator"
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            yield number, "negated"
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            yield number, "another value"
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield number, "left out"


def mutated(tree: ast.Module, number: int, what: str) -> ast.Module:
    """The tree with one change."""
    new = copy.deepcopy(tree)
    node = list(ast.walk(new))[number]
    if what == "another comparison":
        assert isinstance(node, ast.Compare)
        node.ops[0] = OTHER[type(node.ops[0])]()  # type: ignore[assignment]
    elif what == "another operator":
        assert isinstance(node, ast.BoolOp | ast.BinOp)
        node.op = OTHER[type(node.op)]()  # type: ignore[assignment]
    elif what == "negated":
        assert isinstance(node, ast.If | ast.While | ast.IfExp)
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif what == "another value":
        assert isinstance(node, ast.Constant)
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]
    else:
        assert isinstance(node, ast.Expr)
        node.value = ast.Constant(None)
    return ast.fix_missing_locations(new)


def survives(tree: Path, tests: list[str]) -> bool:
    """Whether all of a module's tests pass against the copy."""
    path = os.pathsep.join([str(tree / "src")])
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow and not soak"]
    try:
        done = subprocess.run(
            [*command, "-k", "not postgresql", *tests], cwd=tree, capture_output=True, timeout=PATIENCE, check=False,
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", action="append", help="these alone, as in play/table.py")
    arguments = parser.parse_args()
    rng, killed, survived = random.Random(arguments.seed), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for part in ("src", "tests", "bench", "docs", "examples", "scripts", "web"):
            shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
        for file in ("pyproject.toml", "constraints.txt", "Makefile"):
            shutil.copy(ROOT / file, tree / file)
        modules = arguments.module or sorted(SUITES)
        for tests in {tuple(SUITES[name]) for name in modules}:
            if not survives(tree, list(tests)):
                print(f"without any change these do not pass: {' '.join(tests)}", file=sys.stderr)
                return 1
        for _ in range(arguments.sample):
            name = rng.choice(modules)
            source = tree / "src" / "ludus" / name
            text = source.read_text(encoding="utf-8")
            parsed = ast.parse(text)
            number, what = rng.choice(list(changes(parsed)))
            line = getattr(list(ast.walk(parsed))[number], "lineno", 0)
            source.write_text(ast.unparse(mutated(parsed, number, what)), encoding="utf-8")
            lives = survives(tree, SUITES[name])
            source.write_text(text, encoding="utf-8")
            survived, killed = survived + lives, killed + (not lives)
            told = {"module": name, "line": line, "change": what, "code": text.splitlines()[line - 1].strip()}
            print(json.dumps(told | {"survived": lives}), flush=True)
    print(json.dumps({"killed": killed, "survived": survived}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
