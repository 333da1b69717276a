"""Programs: what is compiled together, when, and what makes another program of one."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludus
from ludus.core.compiling import machine, program
from ludus.core.compiling.program import Compiled, Program

from .writing import Workshop

Patch = pytest.MonkeyPatch
ENTRIES = ("legal_api",)
GAMES = ("pettingzoo", "generals")


def test_entries_that_work_long_are_compiled_alone(workshop: Workshop) -> None:
    name = workshop.write(
        """
        LONG = ("playouts",)

        def playouts(n: int) -> int:
            return n

        def one_api(n: int) -> int:
            return n + 1

        def two_api(n: int) -> int:
            return n + 2
        """
    )
    whole = Program((name,))
    assert whole.unit("playouts") == ("playouts",)
    assert whole.unit("one_api") == whole.unit("two_api") == ("one_api", "two_api")
    entries = Compiled(whole)
    assert (entries.playouts(1), entries.one_api(1), entries.two_api(1)) == (1, 2, 3)
    assert entries.one_api is entries.one_api
    with pytest.raises(AttributeError, match="three_api is no entry of"):
        entries.three_api  # noqa: B018


def test_the_first_module_that_has_an_entry_gives_it(workshop: Workshop) -> None:
    first = workshop.write("def a_api() -> int:\n    return 1")
    second = workshop.write("def a_api() -> int:\n    return 2\n\ndef b_api() -> int:\n    return 3")
    entries = Compiled(Program((first, second)))
    assert (entries.a_api(), entries.b_api()) == (1, 3)


# ---------------------------------------------------------------- the digest


def program_of(name: str) -> Program:
    """The program of search in a game: most modules take part in it."""
    game = ludus.make(name)
    over = (*game.bot_kernels, game.engine.twin.name)
    return Program(("ludus.bots.kernels.search", *over), over)


def sources_of(whole: Program) -> set[Path]:
    """The files of a program's modules, and all of ours that they name in an import."""
    waiting, found = list(whole.modules), set()
    while waiting:
        path = Path(inspect.getfile(importlib.import_module(waiting.pop())))
        if path not in found:
            found.add(path)
            text = path.read_text(encoding="utf-8")
            waiting += re.findall(r"^from (ludus\.\S*kernel\S*) import", text, re.MULTILINE)
            waiting += re.findall(r"^from (ludus\.core\.random) import", text, re.MULTILINE)
    # codes.py has numbers alone: they are in the digest by their values
    return {path for path in found if path.name not in ("__init__.py", "codes.py")}


@pytest.fixture
def fresh() -> Iterator[None]:
    """Digests are taken anew."""
    for taken in (program._digest_of_module, program._digest_of_compiler):
        taken.cache_clear()
    yield
    for taken in (program._digest_of_module, program._digest_of_compiler):
        taken.cache_clear()


def key(whole: Program) -> str:
    for taken in (program._digest_of_module, program._digest_of_compiler):
        taken.cache_clear()
    return whole._key(ENTRIES)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("name", GAMES)
def test_a_change_in_any_source_is_another_program(name: str, monkeypatch: Patch) -> None:
    whole = program_of(name)
    sources = sources_of(whole) | set(Path(program.__file__).parent.glob("*.py"))
    assert {"search.py", "tree.py", "calls.py", "random.py", "kernel.py", "lowering.py"} <= {p.name for p in sources}
    before, really = key(whole), Path.read_bytes
    for changed in sources:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "read_bytes", lambda path, changed=changed: really(path) + b"#" * (path == changed))
            assert key(whole) != before, changed
    assert key(whole) == before


@pytest.mark.usefixtures("fresh")
def test_a_constant_that_comes_from_elsewhere(workshop: Workshop, monkeypatch: Patch) -> None:
    """A number of a module that takes no other part is in the digest by its value."""
    elsewhere = workshop.write("SIZE = 4\nSIZES = (1, 2)")
    name = workshop.write(f"from {elsewhere} import SIZE, SIZES\n\ndef run_api() -> int:\n    return SIZE + SIZES[0]")
    keys = {key(Program((name,)))}
    for changed, value in (("SIZE", 5), ("SIZES", (1, 3))):
        monkeypatch.setattr(importlib.import_module(name), changed, value)
        keys.add(key(Program((name,))))
    assert len(keys) == 3


@pytest.mark.usefixtures("fresh")
def test_everything_else_that_code_depends_on(monkeypatch: Patch) -> None:
    import llvmlite

    name = "ludus.games.generals.kernel"
    keys = [
        key(Program((name,))),
        key(Program((name,), checked=True)),
        key(Program((name,), (name,))),
        key(Program((name,), header=(1, 2))),
        key(Program((name,), header=(2, 1))),
        key(Program((name,), columns={"A": 1})),
        key(Program((name,), columns={"A": 2})),
        key(Program((name,), columns={"B": 1})),
        Program((name,))._key(("why_api",)),
    ]
    with monkeypatch.context() as patch:
        patch.setattr(llvmlite, "__version__", "99.0")
        keys.append(key(Program((name,))))
    target, triple, cpu, features = machine._target()
    for other in (("x", cpu, features), (triple, "x", features), (triple, cpu, features + ",+x")):
        with monkeypatch.context() as patch:
            patch.setattr(machine, "_target", lambda other=other: (target, *other))
            keys.append(key(Program((name,))))
    assert len(set(keys)) == len(keys)
    assert key(Program((name,))) == keys[0]
