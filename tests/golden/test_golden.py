"""Nothing about a game changes unnoticed: its playthrough is on file, and every game has one.

After a change that is meant to show, run `scripts/make-goldens` and read the difference.
"""

from __future__ import annotations

import pytest
from variants import some_slow

import ludus

from .playthrough import FOLDER, WANTED, path, playthrough


def test_every_game_has_a_playthrough() -> None:
    missing = [name for name in ludus.games() if not path(name).is_file()]
    assert not missing, f"no playthrough of {', '.join(missing)}: run scripts/make-goldens"


def test_every_playthrough_is_wanted() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(WANTED)


@pytest.mark.parametrize("variant", some_slow(WANTED, "dog", "tock"))
def test_playthrough(variant: str) -> None:
    expected = path(variant).read_text("utf-8").splitlines()
    found = playthrough(variant).splitlines()
    for number, (old, new) in enumerate(zip(expected, found, strict=False), start=1):
        assert new == old, f"{path(variant).name}, line {number}"
    assert len(found) == len(expected)
