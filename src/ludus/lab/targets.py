"""What a rule set is to be like: figures with bounds, as people write them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ludus.core.errors import LudusError, quoted, suggestion
from ludus.lab.figures import Figure
from ludus.lab.parts import LEVELS
from ludus.lab.valuing import MOMENTS

_TARGET = re.compile(r"\s*([a-z_][\w.]*)\s*(<=|>=|=|<|>)\s*(-?\d+(?:\.\d+)?)\s*(min|turns|moves|%)?\s*", re.ASCII)
UNITS = {"min": "minutes", "turns": "turns", "moves": "moves"}
NEAR = 0.05  # what '=' allows, as a part of the number
# what has to be measured for a figure, by its first word
WATCHED, VALUED = ("watched",), ("valued",)
NEEDED = {
    "length": ("games",), "completion": ("games",), "draws": ("games",), "seat": ("games",),
    "captures": ("games",), "at": ("games",), "turns": WATCHED, "decisions": WATCHED, "branching": WATCHED,
    "first_out": WATCHED, "events": WATCHED, "relevance": VALUED, "narrowness": VALUED, "kingmaking": VALUED,
    "lead_changes": VALUED, "stability": VALUED, "drama": VALUED, "decisiveness": VALUED, "comeback": VALUED,
    "runaway": VALUED, "luck": VALUED, "skill": ("duel",),
}  # fmt: skip

# what may follow the first word of a figure; nothing where it is not named
RESTS = {
    "length": r"(turns|moves|minutes)(\.sd|\.p5|\.p50|\.p95)?", "seat": r"\w+", "turns": "with_choice|without_choice",
    "decisions": "real", "comeback": "|".join(map(str, MOMENTS)), "runaway": "|".join(map(str, MOMENTS)),
    "luck": "(mistakes|unexplained)?", "skill": "|".join(LEVELS[1:]), "events": r"\w+",
    "at": rf"({'|'.join(LEVELS[:-1])})\.(turns|captures|first)",
}  # fmt: skip


@dataclass(frozen=True)
class Target:
    """A bound on a figure: its key, '<', '>' or '=', and the number."""

    text: str
    key: str
    sign: str
    number: float

    def miss(self, figure: Figure | None) -> float:
        """How far a figure is off, as a part of the number; 0 where it fits."""
        if figure is None or math.isnan(figure.value):
            return 10.0
        off = (figure.value - self.number) / max(abs(self.number), 1e-3)
        if self.sign == "=":
            return max(0.0, abs(off) - NEAR)
        return max(0.0, off if self.sign == "<" else -off)


def targets_of(text: str) -> tuple[Target, ...]:
    """'length.p50=25 min, luck<0.7'"""
    found = tuple(_target(part) for part in text.split(",") if part.strip())
    if not found:
        raise LudusError("--target: nothing is aimed at: such as 'length.p50=25 min, luck<0.7'")
    return found


def _target(text: str) -> Target:
    match = _TARGET.fullmatch(text)
    if match is None:
        raise LudusError(f"--target: {quoted(text.strip())} is not like 'length.p50=25 min' or 'luck<0.7'")
    key, sign, number, unit = match.groups()
    head, _, rest = key.partition(".")
    if head not in NEEDED:
        raise LudusError(f"--target: no figure {quoted(key)}{suggestion(head, NEEDED)}; docs/lab.md lists them")
    if unit in UNITS and head != "length":
        raise LudusError(f"--target: {quoted(text.strip())}: only lengths are in {unit}")
    if head == "length" and rest.partition(".")[0] not in UNITS.values():
        rest = ".".join(part for part in (UNITS.get(unit, "turns"), rest) if part)
    if not re.fullmatch(RESTS.get(head, ""), rest):
        raise LudusError(f"--target: no figure {quoted(key)}; docs/lab.md lists them")
    key = f"{head}.{rest}" if rest else head
    return Target(text.strip(), key, sign[0], float(number) / (100 if unit == "%" else 1))


def kinds_for(targets: Iterable[Target]) -> tuple[str, ...]:
    """What has to be measured to judge some targets."""
    kinds = [kind for target in targets for kind in NEEDED[target.key.partition(".")[0]]]
    kinds += ["watched" for target in targets if target.key.startswith("length.minutes")]  # how long a turn is
    return tuple(dict.fromkeys(kinds))
