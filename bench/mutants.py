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
import importlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 600
# modules, and the tests that are there for them
VERDICTS = [
    "rules/test_strict_verdict",
    "rules/test_loose_verdict",
    "rules/test_boards",
    "properties/test_check",
    "cli/test_rules",
]
SUITES = {
    name: [f"tests/{test}.py" if (ROOT / f"tests/{test}.py").exists() else f"tests/{test}" for test in tests]
    for name, tests in {
        "server/advice.py": ["server/test_analyst"],
        "server/analyst.py": ["server/test_analyst"],
        "server/app.py": ["server/test_http", "server/test_conversation", "server/test_adversaries"],
        "server/bodies.py": ["server/test_http", "server/test_lobby", "server/test_friends"],
        "server/bookkeeping.py": ["server/test_store", "server/test_keeping"],
        "server/catalogue.py": ["server/test_catalogue", "server/test_http", "server/test_lobby"],
        "server/chain.py": ["server/test_store", "server/test_keeping"],
        "server/conversation.py": ["server/test_conversation", "server/test_friends", "server/test_adversaries"],
        "server/database.py": ["server/test_store", "server/test_keeping"],
        "server/doors.py": ["server/test_http"],
        "server/guest.py": ["server/test_rooms", "server/test_sweeping"],
        "server/hall.py": ["server/test_rooms", "server/test_lobby", "server/test_keeping", "server/test_friends"],
        "server/health.py": ["server/test_leases"],
        "server/housekeeping.py": ["server/test_keeping"],
        "server/invitations.py": ["server/test_friends"],
        "server/limits.py": ["server/test_wire", "server/test_conversation", "server/test_http"],
        "server/metrics.py": ["server/test_leases"],
        "server/packing.py": ["server/test_keeping"],
        "server/replays.py": ["server/test_http", "server/test_analyst"],
        "server/requests.py": ["server/test_conversation", "fuzz"],
        "server/retention.py": ["server/test_keeping", "server/test_day"],
        "server/room.py": ["server/test_rooms", "server/test_conversation", "server/test_lobby", "server/test_keeping"],
        "server/store.py": ["server/test_store", "server/test_keeping"],
        "server/strangers.py": ["server/test_lobby"],
        "server/timekeeper.py": ["server/test_friends"],
        "server/views.py": [
            "server/test_rooms", "server/test_conversation", "server/test_scenes", "server/test_friends",
        ],
        "server/wire.py": ["server/test_wire", "server/test_sweeping"],
        "server/workbench.py": ["server/test_labour", "server/test_http", "server/test_lobby"],
        "play/clocks.py": ["server/test_friends"],
        "play/facts.py": ["server/test_table", "server/test_keeping"],
        "play/labour.py": ["server/test_labour"],
        "play/seats.py": ["server/test_table", "server/test_lobby", "server/test_conversation"],
        "play/table.py": ["server/test_table", "server/test_keeping", "server/test_conversation"],
        "play/thinking.py": ["server/test_rooms", "server/test_conversation", "server/test_labour"],
        "core/fair_dice.py": ["server/test_fair_dice"],
        "core/record.py": ["core/test_record", "server/test_fair_dice", "cli/test_replay"],
        "core/record_reader.py": ["core/test_record", "server/test_fair_dice"],
        "core/whole_file.py": ["core/test_whole_file", "core/test_record"],
        "games/ludo/kernel.py": [
            "rules/test_strict", "rules/test_pettingzoo", "rules/test_star", "rules/test_french", "rules/test_loose",
            "rules", "perft", "golden",
        ],
        "games/ludo/rulebook/verdict.py": VERDICTS,
        "games/ludo/rulebook/strict.py": VERDICTS,
        "games/ludo/rulebook/loose.py": VERDICTS,
        "games/ludo/rulebook/findings.py": VERDICTS,
    }.items()
}  # fmt: skip
PARTS = {
    "server": ("server/", "play/"),
    "record": ("core/",),
    "kernel": ("games/ludo/kernel.py",),
    "verdict": ("games/ludo/rulebook/",),
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
    """Whether all of a module's tests pass against the copy, in a process that has everything but ludus imported."""
    child = os.fork()
    if child == 0:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        os.chdir(tree)
        os.environ |= {"PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        sys.path[:0] = [str(tree / "src"), str(tree)]
        sys.dont_write_bytecode = True
        words = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not slow and not soak", "-k", "not postgresql"]
        os._exit(int(pytest.main([*words, *tests])))
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.1)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def preload() -> None:
    """Import what takes long and is never changed: every mutant begins with it."""
    for name in ("numpy", "fastapi.testclient", "sqlalchemy", "alembic.command", "uvicorn", "websockets.sync.client",
                 "hypothesis", "llvmlite.binding", "pydantic", "httpx", "jsonschema", "schemathesis"):  # fmt: skip
        with suppress(ImportError):
            importlib.import_module(name)
    assert not [name for name in sys.modules if name.partition(".")[0] == "ludus"]


def drawn(rng: random.Random, tree: Path, modules: list[str]) -> tuple[str, int, str]:
    """A change, each of them as likely as any other."""
    every = [
        (name, *change)
        for name in modules
        for change in changes(ast.parse((tree / "src" / "ludus" / name).read_text(encoding="utf-8")))
    ]
    return rng.choice(every)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", action="append", help="these alone, as in play/table.py")
    parser.add_argument("--part", choices=PARTS, help="the modules of a part")
    parser.add_argument("--unchecked", action="store_true", help="it is known that the tests pass")
    arguments = parser.parse_args()
    rng, killed, survived = random.Random(arguments.seed), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for part in ("src", "tests", "bench", "docs", "examples", "scripts", "web"):
            shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
        for file in ("pyproject.toml", "constraints.txt", "Makefile"):
            shutil.copy(ROOT / file, tree / file)
        named = [name for name in sorted(SUITES) if not arguments.part or name.startswith(PARTS[arguments.part])]
        modules = arguments.module or named
        preload()
        tests = sorted({test for name in modules for test in SUITES[name]})
        if not arguments.unchecked and not survives(tree, tests):
            print(f"without any change these do not pass: {' '.join(tests)}", file=sys.stderr)
            return 1
        for _ in range(arguments.sample):
            name, number, what = drawn(rng, tree, modules)
            source = tree / "src" / "ludus" / name
            text = source.read_text(encoding="utf-8")
            parsed = ast.parse(text)
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
