"""The release script: what it would change, and what it refuses."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "release"


def release(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def module():
    loader = importlib.machinery.SourceFileLoader("release", str(SCRIPT))
    spec = importlib.util.spec_from_loader("release", loader)
    assert spec is not None
    made = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    loader.exec_module(made)
    sys.dont_write_bytecode = before
    return made


def test_every_place_has_the_same_version_and_would_change(module):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for name in module.PLACES:
        assert module.bumped(name, version) == (ROOT / name).read_text(), f"{name} has another version"
        assert "9.8.7" in module.bumped(name, "9.8.7")


def test_the_changelog_is_dated(module):
    text = module.dated("# Changes\n\n## Unreleased\n- a thing\n", "9.8.7")
    assert text.startswith("# Changes\n\n## Unreleased\n\n## 9.8.7 — 2")
    assert text.endswith("\n- a thing\n")


def test_a_dry_run_changes_nothing(module):
    before = {name: (ROOT / name).read_bytes() for name in module.PLACES}
    done = release("9.8.7", "--dry")
    assert done.returncode == 0
    assert done.stdout.count("would change") == len(module.PLACES) + 1
    assert {name: (ROOT / name).read_bytes() for name in module.PLACES} == before


def test_no_version_is_told_in_a_line():
    done = release("next")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_every_step_is_there(module):
    targets = (ROOT / "Makefile").read_text()
    for command, *words in module.STEPS:
        if command == "make":
            assert f"\n{words[0]}:" in targets
        else:
            (script,) = [word for word in (command, *words) if word.startswith("scripts/")]
            assert (ROOT / script).exists()
    dry = release("9.8.7", "--dry").stdout
    assert all(f"would run: {' '.join(step)}" in dry for step in module.STEPS)
