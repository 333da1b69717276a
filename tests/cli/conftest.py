"""Running the command line inside the test, with answers that a person would type."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pytest

from ludus.cli import main


@dataclass
class Run:
    """What a command gave back."""

    code: int
    out: str
    err: str


Runner = Callable[..., Run]


@pytest.fixture(autouse=True)
def plain_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def ludus_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    """ludus_run("play", "star", answers=["1", "quit"]); the input ends after the answers."""

    def run(*words: str, answers: Iterable[str] = (), terminal: bool = False) -> Run:
        waiting = iter(answers)

        def answer(prompt: str = "") -> str:
            print(prompt, end="")
            try:
                return next(waiting)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        for stream in ("stdin", "stdout"):
            monkeypatch.setattr(f"sys.{stream}.isatty", lambda: terminal)
        code = main(list(words))
        captured = capsys.readouterr()
        return Run(code, captured.out, captured.err)

    return run
