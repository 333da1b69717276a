"""Checked mode: every index and every overflow is tested; the error names function, line and values."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from ludus.core.compiling.language import LARGEST, SMALLEST, KernelFault

from .writing import Workshop

# the body of `work`, its arguments (a, b), and what is said of them; the line is the first of the body
FAULTS: dict[tuple[str, int, int], str] = {
    ("return items[a]", 5, 0): "index 5 of items, which has 5",
    ("return items[a]", -1, 0): "index -1 of items, which has 5",
    ("items[a] = b", 9, 0): "index 9 of items, which has 5",
    ("items[a] += b", 9, 0): "index 9 of items, which has 5",
    ("return ROWS[a][b]", 1, 3): "index 3 of ROWS, which has 3",
    ("return ROWS[a][b]", 2, 0): "index 2 of ROWS, which has 2",
    ("return a + b", LARGEST, 1): f"the sum of {LARGEST} and 1 leaves 64 bits",
    ("return a - b", SMALLEST, 1): f"the difference of {SMALLEST} and 1 leaves 64 bits",
    ("return -a", SMALLEST, 0): f"the difference of 0 and {SMALLEST} leaves 64 bits",
    ("return a * b", 1 << 40, 1 << 23): f"the product of {1 << 40} and {1 << 23} leaves 64 bits",
    ("return a << b", 1, 63): "1 << 63 leaves 64 bits",
    ("return a << b", 1, 64): "1 shifted by 64 places",
    ("return a >> b", 1, -1): "1 shifted by -1 places",
    ("return a >> b", 1, 64): "1 shifted by 64 places",
    ("return a // b", 3, 0): "3 divided by 0",
    ("return a % b", 3, 0): "3 divided by 0",
    ("return int(a / b)", 3, 0): "a division by 0",
    ("return a // b", SMALLEST, -1): f"{SMALLEST} // -1 leaves 64 bits",
    ("return abs(a)", SMALLEST, 0): f"abs({SMALLEST}) leaves 64 bits",
    ("return int(a * 4.0)", 1 << 62, 0): "a real number whose whole part leaves 64 bits",
    ("small[0] = a", 32768, 0): "32768 does not fit int16",
    ("small[0] = a", -32769, 0): "-32769 does not fit int16",
    ("small[0] += a", 32767, 0): "32768 does not fit int16",
    ("bits[0] = a", -1, 0): "-1 does not fit uint8",
    ("bits[0] = a", 256, 0): "256 does not fit uint8",
    ("part = items[a:b]; return len(part)", 2, 6): "a slice of items to 6, which has 5",
    ("part = items[a:b]; return len(part)", 3, 2): "items[3:2]",
    ("part = items[a:b]; return len(part)", -1, 2): "items[-1:2]",
    ("assert a < b, 'a comes first'", 2, 1): "a comes first",
    ("assert a < b", 2, 1): "not a < b",
}
AROUND = """
ROWS = ((1, 2, 3), (4, 5, 6))

def work(items: Ints, small: Ints, bits: Ints, a: int, b: int) -> int:
    {body}
    return 0

def between(items: Ints, small: Ints, bits: Ints, a: int, b: int) -> int:
    return work(items, small, bits, a, b) + 1

def run_api(items: Ints, small: Int16s, bits: UInt8s, a: int, b: int) -> int:
    items[0] = between(items, small, bits, a, b)
    return 5
"""


def arrays() -> tuple[Any, Any, Any]:
    return np.arange(5), np.ones(1, np.int16), np.zeros(1, np.uint8)


@pytest.mark.parametrize("case", FAULTS, ids=str)
def test_faults(workshop: Workshop, case: tuple[str, int, int]) -> None:
    body, a, b = case
    module, checked = workshop.twins(AROUND.format(body=body), checked=True)
    items, small, bits = arrays()
    with pytest.raises(KernelFault) as error:
        checked.run_api(items, small, bits, a, b)
    line = module.work.__code__.co_firstlineno + 1
    assert str(error.value) == f"{module.__file__}:{line}, in work: {FAULTS[case]}"
    assert items[0] == 0, "nothing is done after a fault"
    assert checked.run_api(items, small, bits, 1, 2) == 5, "the next call is not touched by it"


@pytest.mark.parametrize(
    "case", [case for case in FAULTS if "items[a]" not in case[0] and "ROWS" not in case[0]], ids=str
)
def test_without_checks_the_process_lives(workshop: Workshop, case: tuple[str, int, int]) -> None:
    """Arithmetic that leaves 64 bits, divides by 0 or shifts too far gives some value."""
    body, a, b = case
    _, plain = workshop.twins(AROUND.format(body=body))
    assert plain.run_api(*arrays(), a, b) == 5


def test_an_entry_s_own_assertions_hold_in_every_mode(workshop: Workshop) -> None:
    source = """
        def run_api(items: Ints, n: int) -> int:
            assert len(items) >= n, "too short {by far}"
            return items[n - 1] if n else 0
        """
    for checked in (False, True):
        module, fast = workshop.twins(source, checked=checked)
        assert fast.run_api(np.arange(3), 3) == 2
        with pytest.raises(KernelFault, match=re.escape(f"{module.__file__}:4, in run_api: too short {{by far}}")):
            fast.run_api(np.arange(3), 4)


def test_what_others_assume_is_tested_in_checked_mode_only(workshop: Workshop) -> None:
    source = """
        def half(n: int) -> int:
            assert n % 2 == 0
            return n // 2

        def run_api(n: int) -> int:
            return half(n)
        """
    assert workshop.twins(source)[1].run_api(3) == 1
    with pytest.raises(KernelFault, match="in half: not n % 2 == 0"):
        workshop.twins(source, checked=True)[1].run_api(3)


@pytest.mark.parametrize(("setting", "is_checked"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_the_setting(setting: str, is_checked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludus.core.compiling.faults import checked_mode

    monkeypatch.setenv("LUDUS_CHECKED", setting)
    assert checked_mode() is is_checked


def test_a_whole_game_in_checked_mode() -> None:
    """A row that play never makes: the plain kernel would read elsewhere, the checked one says where."""
    code = (
        "import ludus\n"
        "game = ludus.make('star', players=2)\n"
        "print(game.playouts(3, seed=1).moves.sum())\n"
        "row = game.start_row()\n"
        "row[0] = 2\n"
        "row[1] = 77\n"
        "game.compile().legal_actions(row)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"LUDUS_CHECKED": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert int(done.stdout) > 100
    assert re.search(r"KernelFault: .*kernel\.py:\d+, in \w+: index -?\d+ of \w+, which has \d+\n$", done.stderr), (
        done.stderr
    )
