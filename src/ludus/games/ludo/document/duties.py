"""Duties: which moves must be made where they can be, the first of a list that can be done."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ludus.core.errors import RulesError, quoted
from ludus.games.ludo.document.rules import RuleSet

DUTIES = ("unblock", "capture", "clear_entry", "out", "break_block", "leave_entry")  # numbered as the kernel's DUTY_*
_DUTY = re.compile(rf"({'|'.join(DUTIES)})(?: on (double|-?\d{{1,2}}))?")


@dataclass(frozen=True)
class Duty:
    """What must be done, and after which rolls: 'double', a value, or '' for all."""

    what: str
    with_roll: str = ""


def duty(text: str) -> Duty:
    """A duty from its text: 'capture', 'break_block on double', 'out on 6'."""
    match = _DUTY.fullmatch(text)
    if match is None:
        raise RulesError(
            f"{quoted(text)} is no duty; there are {', '.join(DUTIES)}, each alone or 'on double' or 'on 6'"
        )
    return Duty(match[1], match[2] or "")


def duties_of(rules: RuleSet) -> list[Duty]:
    """The list of a rule set, or what its options are short forms of, in the order in which those are asked."""
    if rules.turn.duties:
        return [duty(text) for text in rules.turn.duties]
    flags = (rules.block.unblock_duty, rules.capture.duty, rules.start.clear_entry, rules.start.compulsory)
    return [Duty(what) for what, asked in zip(DUTIES, flags, strict=False) if asked]
