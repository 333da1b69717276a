"""Patterns that read what strangers send: none may try the same text in many ways."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import ludus

GREEDY = (codes.MAX_REPEAT, codes.MIN_REPEAT)
MANY = 64
# a repeat within a repeat, but what is repeated begins with something that the inner repeat does not take
LOOKED_AT = {
    r"\d+(,\d+)*": "a comma between any two",
    r"(?P<tiles>[^\[\]]*?)\s*(?P<guards>(?:\[[^\[\]]*\]\s*)*)": "each begins with a bracket; chains are short",
    r"with\s+(-?\d{1,2}(?:\s*(?:,|or)\s*-?\d{1,2})*)": "a comma or an 'or' between any two",
}  # fmt: skip


def patterns() -> Iterator[re.Pattern[str]]:
    """Every pattern that a module of the package keeps."""
    for module in pkgutil.walk_packages(ludus.__path__, "ludus."):
        if module.name.split(".")[-1] in ("__main__", "env") or ".versions." in module.name:
            continue
        try:
            found = importlib.import_module(module.name)
        except ImportError:  # what it is for is not installed
            continue
        for value in vars(found).values():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                yield value


def is_ambiguous(tree: Any, within: bool = False) -> bool:
    """Whether a long repeat stands in a long repeat, and neither keeps what it has taken."""
    for code, what in tree:
        is_long = code in GREEDY and what[1] > MANY
        if within and is_long:
            return True
        inner = [part for part in (what if isinstance(what, tuple | list) else [what]) if is_tree(part)]
        inner += [part for part in what[1] if is_tree(part)] if code is codes.BRANCH else []
        if code is codes.ATOMIC_GROUP or code is codes.POSSESSIVE_REPEAT:
            continue
        if any(is_ambiguous(part, within or is_long) for part in inner):
            return True
    return False


def is_tree(part: Any) -> bool:
    return isinstance(part, parser.SubPattern)


def test_no_pattern_tries_one_text_in_many_ways() -> None:
    found = {pattern.pattern for pattern in patterns() if is_ambiguous(parser.parse(pattern.pattern, pattern.flags))}
    assert found == set(LOOKED_AT)


@pytest.mark.parametrize("pattern", ["(a*)*b", "(?:a|b+)+c", r'"(\\.|[^"]*)*"'])
def test_what_explodes_is_found(pattern: str) -> None:
    assert is_ambiguous(parser.parse(pattern))


@pytest.mark.parametrize("pattern", ["a*b*", "(?:ab{0,5})*", "(?:a++b)*", '"(?:x|[^"])*+"?'])
def test_what_does_not_is_not(pattern: str) -> None:
    assert not is_ambiguous(parser.parse(pattern))
