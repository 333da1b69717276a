"""`ludus protocol-test`: bots that speak the protocol, and bots that break one demand each."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from cli.conftest import Runner

EXAMPLES = Path(__file__).parents[2] / "examples"

GOOD = """
import json, random, sys
rng, games = random.Random(0), 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "x"}), flush=True)
    elif message["type"] == "game":
        games += 1
        rng = random.Random(message["seed"])
    elif message["type"] == "move":
        number = rng.choice(message["moves"])["number"]
        print(json.dumps({"id": message["id"], "move": number}), flush=True)
"""
FAULTS = {
    "greets": ('"protocol": 1,', '"protocol": 2,'),
    "plays": ('"move": number}', '"move": number if message["you"] != "attacker" else 999}'),
    "again": ('rng = random.Random(message["seed"])', 'rng = random.Random(message["seed"] + games)'),
    "repeats": ('rng = random.Random(message["seed"])', "rng = random.Random()"),
    "ignores": ("    if message", '    assert "x-later" not in message\n    if message'),
    "leaves": ("    message = json", "    message = json"),
}  # fmt: skip


def checks(ludus_run: Runner, command: str) -> tuple[int, dict[str, bool]]:
    done = ludus_run("protocol-test", command, "--json", "--seconds", "20")
    told = json.loads(done.out)
    assert told["passed"] == (done.code == 0)
    found: dict[str, bool] = {}
    for one in told["checks"]:
        found[one["check"]] = found.get(one["check"], True) and one["passed"]
        assert one["passed"] or one["reason"]
    return done.code, found


@pytest.mark.slow
def test_the_examples_speak_it(ludus_run: Runner) -> None:
    code, found = checks(ludus_run, f"{sys.executable} {EXAMPLES / 'bot.py'}")
    assert (code, set(found)) == (0, set(FAULTS))
    if shutil.which("node"):
        assert checks(ludus_run, f"node {EXAMPLES / 'bot.js'}")[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("demand", FAULTS)
def test_who_breaks_a_demand_is_told_which(ludus_run: Runner, tmp_path: Path, demand: str) -> None:
    bot = tmp_path / "bot.py"
    text = GOOD.replace(*FAULTS[demand])
    if demand == "leaves":
        text += "import threading\nthreading.Event().wait()\n"
    bot.write_text(text)
    code, found = checks(ludus_run, f"{sys.executable} {bot}")
    assert code == 1
    assert found[demand] is False
    assert found["greets"] is (demand != "greets")


def test_in_words(ludus_run: Runner) -> None:
    done = ludus_run("protocol-test", "false", "--lang", "fr")
    assert done.code == 1
    assert done.out.splitlines()[0].startswith("NON")
    assert done.out.rstrip().endswith("ne parle pas le protocole des robots 1.1.")
