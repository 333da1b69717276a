"""Bots in files, good and bad."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

BOTS = """
    import ctypes, os, sys, time

    class Good:
        name = "good"
        keeps_state = False
        def __init__(self, seed=0):
            pass
        def choose(self, position):
            return position.moves()[-1]

    class Raises(Good):
        def choose(self, position):
            raise RuntimeError("out of ideas")

    class Illegal(Good):
        def choose(self, position):
            return "99+99"

    class Hangs(Good):
        def choose(self, position):
            time.sleep(10000)

    class HangsAndCatches(Good):
        def choose(self, position):
            while True:
                try:
                    time.sleep(10000)
                except BaseException:
                    pass

    class HangsInC(Good):
        def choose(self, position):
            ctypes.PyDLL(None).sleep(10000)  # keeps the interpreter's lock

    class Leaves(Good):
        def choose(self, position):
            os._exit(5)

    class Exits(Good):
        def choose(self, position):
            sys.exit("bye")

    class Interrupts(Good):
        def choose(self, position):
            raise KeyboardInterrupt

    class Floods(Good):
        def choose(self, position):
            print("x" * 100_000)
            os.write(1, b'{"error": "from a bot"}\\n' * 1000)
            os.write(2, b"y" * 100_000)
            return position.moves()[-1]

    class Forks(Good):
        done = False
        def choose(self, position):
            if not Forks.done:
                Forks.done = True
                if os.fork() == 0:
                    with open(os.environ["PIDS"], "a") as file:
                        file.write(f"{os.getpid()}\\n")
                    os.setsid()
                    if os.fork() == 0:
                        with open(os.environ["PIDS"], "a") as file:
                            file.write(f"{os.getpid()}\\n")
                        time.sleep(10000)
                    # this child comes back from the bot and must not play on
            return position.moves()[-1]

    class ClosesBadly(Good):
        keeps_state = True
        def close(self):
            raise RuntimeError("out of order")

    class HangsInTheMaking(Good):
        keeps_state = True
        def __init__(self, seed=0):
            if seed:  # not the one that is made to see whether it can be made
                time.sleep(10000)

    class Remembers:
        def __init__(self, seed=0):
            self.asked = 0
        def choose(self, position):
            self.asked += 1
            return position.moves()[self.asked % len(position.moves())]
"""


@pytest.fixture
def bot_file(tmp_path: Path) -> Callable[[str], str]:
    """bot_file("Raises") → a spec for that class."""
    path = tmp_path / "contestants.py"
    path.write_text(textwrap.dedent(BOTS), encoding="utf-8")
    return lambda name: f"{path}:{name}"
