"""Without llvmlite, which is an extra, everything that need not be compiled goes on, slowly, and says what to type."""

from __future__ import annotations

import subprocess
import sys

import ludus

WITHOUT = """
import sys
sys.modules["llvmlite"] = None
import ludus
game = ludus.make("star", players=2)
"""


def run_without(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code], capture_output=True, text=True, check=False, timeout=300
    )


def test_games_are_the_same_and_it_is_said_once() -> None:
    done = run_without("print(game.playouts(3, seed=5).wins())\nprint(game.playouts(3, seed=5).wins())")
    wins = str(ludus.make("star", players=2).playouts(3, seed=5).wins())
    assert done.stdout.splitlines() == [wins, wins], done.stderr
    assert done.stderr.count("pip install llvmlite") == 1


def test_bots_and_nets_play() -> None:
    position = {"pieces": {"green": [10, 30, "start", "start"], "blue": [14, "start", "start", "start"]}}
    position |= {"turn": "green", "dice": [4]}
    done = run_without(
        f"position = game.position({position!r})\nfor bot in ('td', 'heuristic', 'mcts:simulations=20'):\n"
        "    assert str(ludus.bot(bot).choose(position)) in ('10+4', '30+4')\n"
        "print(round(sum(ludus.value(position).values()), 6))"
    )
    assert done.stdout == "1.0\n", done.stderr


def test_what_must_be_compiled_names_the_line_to_type() -> None:
    done = run_without(
        "from ludus.envs import vector\ntry:\n    vector('star', num_envs=4, seed=0)\n"
        "except ludus.LudusError as error:\n    print(error)"
    )
    assert "pip install llvmlite" in done.stdout, done.stderr
