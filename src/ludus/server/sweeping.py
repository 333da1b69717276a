"""When Python looks for what only refers to itself: seldom while people play, and never among what stays.

What is not needed any more mostly goes at once, by its count of references. Python's own search for the rest walks
through everything there is: with 150 tables, a third of a second in which nobody is answered, every few seconds.
"""

from __future__ import annotations

import gc

YOUNG, MIDDLE, OLD = 5_000, 20, 1_000  # new things until the young are searched; such searches until older ones are


def sweep_seldom() -> None:
    """From now on; what is there already stays for good."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)


def sweep() -> None:
    """Search everything now."""
    gc.collect()
