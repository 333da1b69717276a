"""The wheel, from an empty directory: the client is in it, and nobody needs Node."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMIT = 700

ASK = """
import re, sys
from importlib import resources
from fastapi.testclient import TestClient
import ludus
from ludus.server.app import create_app
assert ludus.__file__.startswith(sys.argv[1]), ludus.__file__
with TestClient(create_app(), base_url="http://127.0.0.1") as client:
    page = client.get("/")
    assert page.status_code == 200, page.text
    files = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.text)
    assert {file.rpartition(".")[2] for file in files} >= {"js", "css"}, files
    for file in files:
        assert client.get(file).status_code == 200, file
    assert client.get("/api/games").json()
print("served")
"""


@pytest.mark.slow
def test_the_wheel_brings_the_client(tmp_path):
    assert (ROOT / "src/ludus/server/static/index.html").is_file(), "`make web` builds the client"
    build = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "-w", str(tmp_path / "dist"), str(ROOT)]
    subprocess.run(build, check=True, timeout=LIMIT)
    (wheel,) = (tmp_path / "dist").glob("ludus-*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    empty = tmp_path / "empty"
    empty.mkdir()
    environment = os.environ | {"PYTHONPATH": str(site), "PATH": str(empty)}
    asked = subprocess.run(
        [sys.executable, "-c", ASK, str(site)],
        check=False,
        cwd=empty,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert asked.stdout.strip() == "served", asked.stderr


def test_the_lock_file_names_no_download_address():
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "web" / ".npmrc").read_text(encoding="utf-8").split()
