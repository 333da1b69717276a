"""The notebooks run as they stand, and show what their files have."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def test_there_is_one_for_each_thing_to_do() -> None:
    names = {path.stem for path in NOTEBOOKS}
    assert {"first-steps", "write-a-bot", "train-in-ten-minutes", "analyse-a-game", "design-a-game"} <= names


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_has_text_pictures_and_no_failure(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [one for cell in cells for one in cell.get("outputs", ())]
    assert "".join(cells[0]["source"]).startswith("# ")
    assert any("image/svg+xml" in one.get("data", {}) for one in outputs)
    assert all(one["output_type"] != "error" for one in outputs)
    assert path.stat().st_size < 200_000


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_running_it_shows_the_same(path: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts/run-notebooks"), "--check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=800)
    assert done.returncode == 0, done.stderr
