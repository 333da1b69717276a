"""docs/strength.md: every net that is shipped is there, and what is there is of nets that are shipped."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ludus.bots.net_files import SHIPPED, load_net

ROOT = Path(__file__).parents[2]
LINES: list[dict[str, Any]] = [
    json.loads(line) for line in (ROOT / "bench" / "strength.jsonl").read_text().splitlines()
]
PAGE = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
NETS = {
    file.stem: hashlib.sha256(load_net(file).weights.tobytes()).hexdigest()[:12]
    for file in sorted(SHIPPED.glob("*.safetensors"))
}
ADVICE = "measure anew: bench/strength.py"


@pytest.mark.parametrize("net", NETS)
def test_every_net_that_is_shipped_is_measured(net: str) -> None:
    mine = [line for line in LINES if line.get("net") == NETS[net]]
    assert "heuristic" in {line["against"] for line in mine if "against" in line}, ADVICE
    for line in mine:
        if "won" in line:
            row = f"| {line['bot']} | {line['against']} | {line['games']} | {line['won']} |"
            assert row in PAGE, f"{row}: the page is older than what was measured: bench/strength.py"


def test_nothing_is_said_of_nets_that_are_gone() -> None:
    for line in LINES:
        assert line.get("net", "") in {"", *NETS.values()}, f"{line}: {ADVICE}"
        assert line.get("other", NETS["any-ludo"]) in NETS.values(), f"{line}: {ADVICE}"


@pytest.mark.parametrize(
    "what", ["## Against perfect play", "## Fine-tuning", "## Generals, roles swapped", "on what it has never seen"]
)
def test_what_the_goals_are_about_is_there(what: str) -> None:
    assert what in PAGE, ADVICE
