"""What is not in the kernel language is refused, with file and line."""

from __future__ import annotations

import re

import pytest

import ludus
from ludus.core.compiling.language import KernelError, KernelFault

from .writing import Workshop, entries_of

# the line that is refused ends with `# here`
REFUSED = {
    "x = [1]  # here\nreturn 0": "List is not in the kernel language",
    "x = 'text'  # here\nreturn 0": "'text' is no number",
    "return None  # here": "None is no number",
    "x = 1 << 63 if n == 18446744073709551616 else 0  # here\nreturn x": "does not fit 64 bits",
    "return nowhere  # here": "nowhere has no value here",
    "x = y  # here\ny = 1\nreturn x": "y has no value here",
    "return len(n)  # here": "n is no array",
    "return items  # here": "items is an array",
    "return items[0.5]  # here": "an integer is needed, not a real number",
    "return items[-1]  # here": "an index counts from the front: -1",
    "return ROWS[-1][0]  # here": "an index counts from the front: -1",
    "return ROWS[0]  # here": "ROWS takes 2 indices, not 1",
    "return MIXED[n]  # here": "MIXED is no tuple of 64-bit numbers",
    "return RAGGED[n]  # here": "RAGGED is no tuple of 64-bit numbers",
    "return HUGE[n]  # here": "HUGE is no tuple of 64-bit numbers",
    "return n ** 2  # here": "Pow is not in the kernel language",
    "x = 1.5 ** n  # here\nreturn 0": "Pow is not in the kernel language",
    "x = 1.5 % n  # here\nreturn 0": "Mod is for integers",
    "return +n  # here": "UAdd is not in the kernel language",
    "x = ~1.5  # here\nreturn 0": "Invert|an integer is needed",
    "return n is n  # here": "Is is not in the kernel language",
    "return n in items  # here": "is an array|In is not",
    "return n and 5  # here": "an integer is needed, not the outcome of `and` or `or`",
    "x = (n and 5) + 1  # here\nreturn x": "not the outcome of `and` or `or`",
    "return 1 if n else (n or 2)  # here": "true or false is needed, not an integer",
    "return n if n else tell(n)  # here": "nothing is no value",
    "x = tell(n)  # here\nreturn 0": "x can't be given nothing",
    "return sum(items)  # here": "sum is no function of a kernel",
    "return k.size(n)  # here": "a kernel calls functions by name",
    "return size(n, number=1)  # here": "arguments in their places",
    "return size(*items)  # here": "Starred is not in the kernel language",
    "return size(n, n)  # here": "size takes 1 arguments, not 2",
    "return total(n)  # here": "n is no array",
    "return total(reals)  # here": "items of total is an array of integers",
    "return halves(items)  # here": "items of halves is an array of reals",
    "return read(items, 0)  # here": "tables is the same array everywhere",
    "return total(tables)  # here": "tables is the same array everywhere",
    "return other_api(n)  # here": "other_api is an entry, which only Python calls",
    "return made(n)  # here": "made",
    "return min(n)  # here": "min takes 2 to 9 arguments, not 1",
    "return int()  # here": "int takes 1 to 1 arguments, not 0",
    "return len()  # here": "len takes one array",
    "return f'{n}'  # here": "JoinedStr is not in the kernel language",
    "return (lambda: n)()  # here": "a kernel calls functions by name",
    "return (x := n)  # here": "NamedExpr is not in the kernel language",
    "x: int = 1  # here\nreturn x": "AnnAssign is not in the kernel language",
    "del n  # here\nreturn 0": "Delete is not in the kernel language",
    "global SIZE  # here\nreturn 0": "Global is not in the kernel language",
    "raise ValueError  # here": "Raise is not in the kernel language",
    "with n:  # here\n    pass\nreturn 0": "With is not in the kernel language",
    "try:  # here\n    pass\nfinally:\n    pass\nreturn 0": "Try is not in the kernel language",
    "import math  # here\nreturn 0": "Import is not in the kernel language",
    "def f(): pass  # here\nreturn 0": "FunctionDef is not in the kernel language",
    "match n:  # here\n    case 1: pass\nreturn 0": "Match is not in the kernel language",
    "n  # here\nreturn 0": "this does nothing",
    "for x in items:  # here\n    pass\nreturn 0": "a for loop runs over a range",
    "for x, y in range(3):  # here\n    pass\nreturn 0": "a for loop runs over a range",
    "for x in range(3):  # here\n    pass\nelse:\n    n = 1\nreturn 0": "a for loop runs over a range, and has no else",
    "for x in range(0, 9, n):  # here\n    pass\nreturn 0": "the step of a range is a constant",
    "for x in range(0, 9, 0):  # here\n    pass\nreturn 0": "a constant other than 0",
    "for x in range():  # here\n    pass\nreturn 0": "range takes one to three numbers",
    "while n:  # here\n    n -= 1\nelse:\n    n = 5\nreturn n": "a loop has no else",
    "x = 1\nx = 1.5  # here\nreturn x": "x is an integer and would become real",
    "x = n == 1\nx = 3  # here\nreturn x": "true or false is needed, not an integer",
    "items = 3  # here\nreturn 0": "items can't be given a number",
    "x, y = n  # here\nreturn x": "as many values as targets",
    "x, y = 1, 2, 3  # here\nreturn x": "as many values as targets",
    "x.y = 3  # here\nreturn 0": "x.y can't be given a value",
    "tables[0] = n  # here\nreturn 0": "never written to",
    "tables[0] += n  # here\nreturn 0": "never written to",
    "ROWS[0][0] = n  # here\nreturn 0": "never written to|can't be given a value",
    "items[0] = 1.5  # here\nreturn 0": "an integer is needed, not a real number",
    "return items[0:2]  # here": "a slice is given a name of its own first",
    "x = items[:2]  # here\nreturn 0": "a slice is part = whole",
    "x = items[0:9:2]  # here\nreturn 0": "a slice is part = whole",
    "items = items[0:2]  # here\nreturn 0": "items is another array already",
    "x = items[0:2]\nx = reals[0:2]  # here\nreturn 0": "x is another array already",
    "x = tables[0:2]  # here\nreturn 0": "tables are handed on whole",
    "return  # here": "run_api returns int",
    "return 1.5  # here": "an integer is needed, not a real number",
}
AROUND = """\
SIZE = 4
ROWS = ((1, 2), (3, 4))
MIXED = (1, "a")
RAGGED = ((1, 2), (3,))
HUGE = (1 << 64, 0)

def size(n: int) -> int:
    return n

def tell(n: int) -> None:
    pass

def total(items: Ints) -> int:
    return items[0]

def halves(items: Floats) -> int:
    return int(items[0])

def read(tables: Ints, at: int) -> int:
    return tables[at]

def other_api(n: int) -> int:
    return n

made = lambda n: n

"""
PARAMETERS = "items: Ints, reals: Floats, tables: Ints, n: int"


def refusal(workshop: Workshop, source: str) -> tuple[str, str]:
    """What is said of a module, and the place that should be named."""
    name = workshop.write(source)
    file = workshop.folder / f"{name}.py"
    lines = file.read_text(encoding="utf-8").splitlines()
    here = next((number for number, line in enumerate(lines, 1) if "# here" in line), 0)
    with pytest.raises(KernelError) as error:
        entries_of(name)
    return str(error.value), f"{file}:{here}: "


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_refused(workshop: Workshop, body: str) -> None:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    said, place = refusal(workshop, f"{AROUND}def run_api({PARAMETERS}) -> int:\n{lines}\n")
    if "made" in body:  # a function that is no `def`: the line is its own
        assert re.match(rf"{re.escape(place[:-2].rpartition(':')[0])}:\d+: .*lambda.* is no plain function", said)
        return
    assert said.startswith(place), said
    assert re.search(REFUSED[body], said), said
    assert "\n" not in said


HEADS = {
    "def run_api(n) -> int:  # here\n    return n": "n of run_api is annotated with nothing: no type",
    "def run_api(n: str) -> int:  # here\n    return 1": "n of run_api is annotated str: no type",
    "def run_api(n: int):  # here\n    return n": "run_api returns nobody knows what",
    "def run_api(n: int) -> Ints:  # here\n    return n": "run_api returns Ints",
    "def run_api(n: int = 1) -> int:  # here\n    return n": "parameters are plain names, without defaults",
    "def run_api(*n: int) -> int:  # here\n    return 1": "parameters are plain names",
    "def run_api(n: int, *, m: int) -> int:  # here\n    return n": "parameters are plain names",
    "def run_api(n: int) -> int:  # here\n    if n:\n        return 1": "has a way without a return",
    "def run_api(n: int) -> int:  # here\n    while n:\n        return 1": "has a way without a return",
    "def run_api(n: int) -> int:  # here\n    while True:\n        break": "has a way without a return",
    "def run_api(n: int) -> bool:\n    return n  # here": "true or false is needed, not an integer",
    "def run_api(n: int) -> None:\n    return n  # here": "run_api returns None",
}


@pytest.mark.parametrize("source", HEADS)
def test_heads_that_are_refused(workshop: Workshop, source: str) -> None:
    said, place = refusal(workshop, source)
    assert said.startswith(place), said
    assert HEADS[source] in said


@pytest.mark.parametrize("listed", ["INLINED", "LONG"])
def test_lists_name_functions(workshop: Workshop, listed: str) -> None:
    said, _ = refusal(workshop, f"{listed} = ('run_api', 'gone')\n\ndef run_api(n: int) -> int:\n    return n")
    assert f"{listed} names gone: no function here" in said


def test_errors_are_the_package_s_own() -> None:
    assert issubclass(KernelError, ludus.LudusError)
    assert issubclass(KernelFault, ludus.LudusError)
