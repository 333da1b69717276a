"""What is shipped is known: pins, the list of what is inside, known vulnerabilities, and the example of a service."""

from __future__ import annotations

import configparser
import json
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ludus.cli import parser

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "examples" / "systemd" / "ludus.service"
sys.path.insert(0, str(ROOT / "scripts"))
import sbom  # noqa: E402


def test_everything_that_is_asked_for_has_one_version() -> None:
    lines = (ROOT / "constraints.txt").read_text().split()
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9.-]+==[\w.+!-]+", line)] == []
    own_environment = {"sb3-contrib"}  # for learning, with its version in the Makefile
    assert set(sbom.needed()) - set(sbom.pins()) <= own_environment


def test_the_page_is_locked_with_digests() -> None:
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    without = [name for name, one in locked.items() if name and not one.get("integrity", "").startswith("sha512-")]
    assert without == []


def test_the_list_of_what_is_inside_names_all_of_it_once() -> None:
    told = json.loads(sbom.text())
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    names = [part["name"] for part in told["components"]]
    assert len(names) == len(set(names))
    assert {"llvmlite", "numpy", "fastapi", "sqlalchemy", "psycopg", "svelte"} <= set(names)
    assert "pytest" not in names
    assert all(part["purl"].startswith(("pkg:pypi/", "pkg:npm/")) for part in told["components"])
    refs = {part["bom-ref"] for part in told["components"]}
    assert set(told["dependencies"][0]["dependsOn"]) == refs
    assert sbom.text() == sbom.text()


def test_the_build_puts_the_list_into_the_wheel(tmp_path: Path) -> None:
    """By what the build backend calls; the name it is given is the one that lies there."""
    hook = sbom.SbomHook.__new__(sbom.SbomHook)
    build: dict[str, Any] = {"sbom_files": []}
    type(hook).directory = property(lambda _: str(tmp_path / "dist"))  # type: ignore[attr-defined]
    hook.initialize("standard", build)
    (path,) = build["sbom_files"]
    assert Path(path).name == "ludus.cdx.json"
    assert Path(path).read_text() == sbom.text()


# ------------------------------------------------------------ known vulnerabilities


def advisory(name: str, events: list[dict[str, str]], ecosystem: str = "PyPI", **more: Any) -> dict[str, Any]:
    ranges = [{"type": "ECOSYSTEM", "events": events}]
    return {
        "id": f"X-{name}",
        "summary": "bad",
        "affected": [{"package": {"name": name, "ecosystem": ecosystem}, "ranges": ranges}],
        **more,
    }


def audited(folder: Path, *told: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for number, one in enumerate(told):
            archive.writestr(f"{number}.json", json.dumps(one))
    script = [sys.executable, str(ROOT / "scripts" / "audit"), str(folder)]
    return subprocess.run(script, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("events", "is_known"),
    [
        ([{"introduced": "0"}], True),
        ([{"introduced": "0"}, {"fixed": "0.1"}], False),
        ([{"introduced": "0"}, {"fixed": "999"}], True),
        ([{"introduced": "999"}], False),
        ([{"introduced": "0"}, {"last_affected": "0.1"}], False),
        ([{"introduced": "0"}, {"fixed": "0.1"}, {"introduced": "0.2"}, {"fixed": "999"}], True),
    ],
)
def test_a_pin_with_a_known_vulnerability_is_found(
    tmp_path: Path, events: list[dict[str, str]], is_known: bool
) -> None:
    done = audited(tmp_path, advisory("NumPy", events), advisory("not-ours", [{"introduced": "0"}]))
    assert (done.returncode, "X-NumPy" in done.stdout) == (int(is_known), is_known)
    assert "not-ours" not in done.stdout


def test_the_page_is_audited_too_and_what_was_withdrawn_is_not(tmp_path: Path) -> None:
    events = [{"introduced": "0"}]
    done = audited(tmp_path, advisory("svelte", events, "npm"), advisory("numpy", events, withdrawn="2026"))
    assert done.returncode == 1
    assert "X-svelte" in done.stdout
    assert "X-numpy" not in done.stdout


def test_who_audits_without_advisories_is_told_how() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "audit")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "ADVISORIES" in done.stderr


# ------------------------------------------------------------ the example of a service


def test_the_example_of_a_service_starts_what_there_is_and_shuts_it_in() -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(UNIT.read_text())
    service = unit["Service"]
    words = shlex.split(service["ExecStart"])
    given = parser(["serve"]).parse_args(words[1:])
    assert given.db.startswith("/var/lib/ludus/")
    assert (service["DynamicUser"], service["ProtectSystem"], service["NoNewPrivileges"]) == ("yes", "strict", "yes")
    # workers lower their own limits and their priority
    assert "@resources" not in service["SystemCallFilter"]


def test_the_system_s_own_judge_finds_the_example_shut_in() -> None:
    """`systemd-analyze security` says how much a service could do: 0 is nothing, 10 everything; below 2 is meant."""
    judge = shutil.which("systemd-analyze")
    if judge is None:
        pytest.skip("no systemd-analyze here: a machine without systemd has no judge, and no use for the example")
    command = [judge, "security", "--offline=true", "--threshold=20", "--no-pager", str(UNIT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Overall exposure level" in done.stdout
