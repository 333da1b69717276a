"""What the fuzzer found ways through the code with, and what it once broke something with, in every test run."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from fuzz.targets import TARGETS, fed, seeds

CORPUS = Path(__file__).parent / "corpus"
MOST_SECONDS = 2.0  # of processor time


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_but_a_sentence_comes_of_what_strangers_send(name: str) -> None:
    inputs = [*seeds()[name], *(file.read_bytes() for file in sorted((CORPUS / name).glob("*")))]
    assert inputs
    for data in inputs:
        before = time.process_time()
        fed(TARGETS[name], data)
        assert time.process_time() - before < MOST_SECONDS, data


def test_what_is_valid_gets_through() -> None:
    """Else the fuzzer would only ever see refusals."""
    for name in ("document", "position", "record"):
        for data in seeds()[name]:
            TARGETS[name](data)
