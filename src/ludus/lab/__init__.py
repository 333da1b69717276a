"""The laboratory: how rule sets play, in numbers with intervals.

Importing this package binds it to the name `lab` of `ludus`, where people call `ludus.lab(…)`: so it can be called.
"""

from __future__ import annotations

from ludus.core.callable_package import answer_as
from ludus.lab.laboratory import Lab, lab

__all__ = ["Lab", "lab"]

answer_as(__name__, lab)
