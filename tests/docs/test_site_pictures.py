"""Pictures on the pages of the documentation site: their words are those of the page."""

from __future__ import annotations

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

import ludus

ROOT = Path(__file__).parents[2]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script that builds the site, writing into a folder of its own."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader = SourceFileLoader("build_docs", str(ROOT / "scripts" / "build-docs"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    made = module_from_spec(spec)
    loader.exec_module(made)
    monkeypatch.setattr(made, "PAGES", tmp_path)
    return made


@pytest.mark.parametrize(
    ("name", "english", "french"),
    [("star", "yellow", "jaune"), ("ur", "green", "vert"), ("generals", "attacker", "attaquant")],
)
def test_pictures_on_french_pages_are_french(site: Any, tmp_path: Path, name: str, english: str, french: str) -> None:
    game = ludus.make(name)
    shown = (tmp_path / site.picture(game, "fr")).read_text(encoding="utf-8")
    title = shown.partition("</title>")[0].lower()
    assert (french in title, english in title) == (True, False), title[-100:]
    original = ROOT / "docs" / site.picture(game, "en")
    assert english in original.read_text(encoding="utf-8").partition("</title>")[0].lower()
    page = site.game_page(game, "fr", None)
    assert f"../{site.picture(game, 'fr')}" in page
