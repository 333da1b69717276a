"""`ludus serve --open`, which is what `make play` runs: the address is printed and opened in the browser."""

from __future__ import annotations

import re
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from ludus.cli import main, serve


def test_the_address_is_printed_and_opened(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    opened: list[str] = []
    seen = threading.Event()

    def open_page(address: str) -> bool:
        opened.append(address)
        seen.set()
        return True

    def wait_for_it(_: Any, listener: socket.socket) -> None:
        assert seen.wait(600), "the browser is not opened"
        listener.close()

    monkeypatch.setattr(serve.webbrowser, "open", open_page)
    monkeypatch.setattr(serve, "_serve", wait_for_it)
    assert main(["serve", "--open", "--port", "0", "--db", str(tmp_path / "tables.db")]) == 0
    found = re.search(r"http://127\.0\.0\.1:\d+/", capsys.readouterr().out)
    assert found is not None
    assert opened == [found.group()]


def test_make_play_serves_and_opens() -> None:
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"^play: .*\n\t(.*)$", makefile, re.MULTILINE)
    assert recipe.split()[-2:] == ["serve", "--open"]
