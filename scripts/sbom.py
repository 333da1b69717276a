"""What is in a build, as a CycloneDX document (1.6): ludus, what it needs in versions that are tested, its page.

    python scripts/sbom.py [FILE]

The build backend runs it as a hook, and puts the document into the wheel's metadata (PEP 770).
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand
    BuildHookInterface = object  # type: ignore[assignment, misc]

ROOT = Path(__file__).resolve().parents[1]
NAME = "ludus.cdx.json"
# what the built page has of it inside; everything else in the lock file only builds or tests
IN_THE_PAGE = ("@fontsource/fredoka", "@noble/hashes", "qrcode-generator", "svelte")
WORD = re.compile(r"[A-Za-z0-9_.-]+")


def plain(name: str) -> str:
    """A package's name as the index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    """The version of every package that ludus is tested with."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    return {plain(name): version for name, _, version in (line.partition("==") for line in lines)}


def project() -> dict[str, Any]:
    """What pyproject.toml says."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def needed() -> dict[str, str]:
    """What a wheel asks for, by name, with the extra that brings it ('' for what everybody needs)."""
    own = project()
    shipped = {"": own["dependencies"], **own["optional-dependencies"]}
    found: dict[str, str] = {}
    for extra, lines in shipped.items():
        for line in lines:
            name = plain(WORD.match(line)[0])  # type: ignore[index]
            if extra not in ("dev", "fuzz", "peers") and name != "ludus":
                found.setdefault(name, extra)
    return found


def parts() -> Iterator[dict[str, Any]]:
    """Everything that comes along, or that is asked for."""
    versions = pins()
    for name, extra in sorted(needed().items()):
        version = versions.get(name)
        part = {
            "type": "library",
            "name": name,
            "bom-ref": f"pypi-{name}",
            "scope": "optional" if extra else "required",
        }
        yield part | (
            {"version": version, "purl": f"pkg:pypi/{name}@{version}"} if version else {"purl": f"pkg:pypi/{name}"}
        )
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name in IN_THE_PAGE:
        version = locked[f"node_modules/{name}"]["version"]
        purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        yield {"type": "library", "name": name, "version": version, "purl": purl, "bom-ref": f"npm-{name}"}


def document() -> dict[str, Any]:
    """The whole document; the same for the same sources."""
    own, components = project(), list(parts())
    serial = uuid.UUID(bytes=hashlib.sha256(json.dumps([own["version"], components]).encode()).digest()[:16], version=4)
    ludus = {
        "type": "application", "name": own["name"], "version": own["version"], "bom-ref": "ludus",
        "purl": f"pkg:pypi/{own['name']}@{own['version']}", "licenses": [{"license": {"id": own["license"]}}],
    }  # fmt: skip
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", "version": 1,
        "metadata": {"component": ludus}, "components": components,
        "dependencies": [{"ref": "ludus", "dependsOn": [part["bom-ref"] for part in components]}],
    }  # fmt: skip


def text() -> str:
    """The document as it is written."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


class SbomHook(BuildHookInterface):  # type: ignore[misc, valid-type, type-arg]
    """Adds the document to a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write it beside the build, and name it."""
        target = Path(self.directory) / NAME
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text(), encoding="utf-8")
        build_data.setdefault("sbom_files", []).append(str(target))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text(), encoding="utf-8")
    else:
        sys.stdout.write(text())
