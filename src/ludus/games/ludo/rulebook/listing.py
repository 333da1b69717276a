"""Lists in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ludus.games.ludo.rulebook.findings import say

MOST_LISTED = 12  # chains or tiles named in one sentence


def is_next(one: Any, other: Any) -> bool:
    """Whether a number or a numbered name follows on another: 5 on 4, b3 on b2."""
    parts = [re.fullmatch(r"(-?|[a-z_-]*[a-z_-])(\d+)", str(item)) for item in (one, other)]
    if not (parts[0] and parts[1]) or parts[0][1] != parts[1][1] or isinstance(one, str) != isinstance(other, str):
        return False
    return int(parts[1][2]) == int(parts[0][2]) + (-1 if parts[0][1] == "-" else 1)


def in_runs(items: Iterable[Any], lang: str) -> list[str]:
    """Numbers in their order, with runs of three and more drawn together: '1 to 6'."""
    runs: list[list[Any]] = []
    for item in items:
        if runs and is_next(runs[-1][-1], item):
            runs[-1].append(item)
        else:
            runs.append([item])
    words = []
    for run in runs:
        whole = len(run) > 2
        words += [say("word", "run", lang, first=run[0], last=run[-1])] if whole else [str(item) for item in run]
    return words


def listed(items: Iterable[Any], lang: str, word: str = "and") -> str:
    """'1, 2 and 6'; a long list is cut."""
    words = in_runs(items, lang)
    if len(words) > MOST_LISTED:
        words = [*words[:MOST_LISTED], say("word", "more", lang, count=len(words) - MOST_LISTED)]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {say('word', word, lang)} {words[-1]}"
