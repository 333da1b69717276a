"""What the bots of a family of games know beside its rules: names and shapes, whose bodies the family's kernel gives.

A family that has none plays by plain.py.
"""

from __future__ import annotations

from ludus.core.compiling.language import Floats, Ints


def prepare(policy: int, row: Ints, tables: Ints, scratch: Ints, notes: Ints) -> None:
    """Note what all candidates of a decision share, at notes[0…31]."""
    raise NotImplementedError


def score(
    policy: int, option: int, row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints, action: int
) -> int:
    """How good a policy finds a legal action; `trial` and `spare` are a row and a scratch to try it on."""
    raise NotImplementedError


def evaluate(row: Ints, tables: Ints, scratch: Ints, notes: Ints, values: Floats, at: int) -> None:
    """What each seat may hope for in a game that goes on, in [0, 1], at values[at…]."""
    raise NotImplementedError


def choose_by_net(
    depth: int, number: int, row: Ints, tables: Ints, desk: Ints, scratches: Ints,
    nets: Floats, shapes: Ints, which: Ints, amounts: Floats, hidden: Floats, reals: Floats,
) -> int:  # fmt: skip
    """The action that net number `number` takes at a decision; kept by learned.py, or by no_net.py where none plays."""
    raise NotImplementedError
