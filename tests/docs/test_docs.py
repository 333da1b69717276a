"""What the documentation says is true: its examples run, and its derived pages are up to date."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ludus

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(language: str) -> list[pytest.param]:
    """The code blocks of a language in all pages."""
    found = []
    for page in PAGES:
        texts = re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        found += [pytest.param(text, id=f"{page.relative_to(ROOT)}-{n}") for n, text in enumerate(texts)]
    return found


@pytest.mark.parametrize("code", blocks("python"))
def test_python_examples_print_what_they_say(code: str, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False, timeout=800
    )
    assert run.returncode == 0, run.stderr
    promised = re.findall(r"print\(.*\)\s+# (.*)", code)
    printed = run.stdout.splitlines()
    for line, words in zip(printed, promised, strict=False):
        if not words.startswith("a "):  # a description, not the output
            assert line == words


@pytest.mark.parametrize("text", blocks("toml"))
def test_rule_set_examples_can_be_played(text: str, tmp_path: Path) -> None:
    path = tmp_path / f"{tomllib.loads(text)['name']}.toml"
    path.write_text(text, encoding="utf-8")
    assert ludus.make(str(path)).start().outcomes()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_derived_pages_are_up_to_date(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(ROOT / "scripts/make-docs"), str(tmp_path)], check=True)
    for page in tmp_path.iterdir():
        assert page.read_text(encoding="utf-8") == (ROOT / "docs" / page.name).read_text(encoding="utf-8"), (
            "run scripts/make-docs"
        )
