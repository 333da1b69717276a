"""Sets of tokens: every choice of dice that one combined move may use."""

from __future__ import annotations

from itertools import product
from math import prod

from ludus.core.errors import RulesError
from ludus.games.ludo.board.chance import Kind
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.document.tokens import Alternative, pairs_that_leave
from ludus.games.ludo.kernel import STEP

MOST_SETS = 4_000
SIX = 6

Counts = tuple[int, ...]


def may_combine(kind: Kind) -> bool:
    """Whether a kind of token may be part of a combined move: dice that move a piece on, no bonuses or effects."""
    return kind.effect == STEP and kind.distance > 0 and not kind.is_bonus and not kind.alternatives


def most_of_each(rules: RuleSet, kinds: list[Kind], longest: int) -> list[int]:
    """How many tokens of each kind one combined move can use at the most (F22)."""
    most = [rules.chance.dice if may_combine(kind) else 0 for kind in kinds]
    if rules.chance.pool == "double_six":
        for number, kind in enumerate(kinds):
            if may_combine(kind) and kind.distance == SIX:
                most[number] = longest // SIX
    return most


def token_sets(rules: RuleSet, kinds: list[Kind], longest: int) -> list[Counts]:
    """Every choice of tokens that one move may use, as counts per kind; single ones first, then by sum."""
    singles = [tuple(int(kind == other) for other in range(len(kinds))) for kind in range(len(kinds))]
    if rules.movement.combined_move == "none":
        return singles
    most = most_of_each(rules, kinds, longest)
    if prod(count + 1 for count in most) > 50 * MOST_SETS:
        raise RulesError("movement.combined_move: too many different sets of dice: fewer dice or faces, please (L21)")
    sets = []
    for counts in product(*(range(count + 1) for count in most)):
        size, total = sum(counts), sum(kind.distance * n for kind, n in zip(kinds, counts, strict=True))
        kept = sum(n for kind, n in zip(kinds, counts, strict=True) if kind.distance == SIX)
        others = size - (kept if rules.chance.pool == "double_six" else 0)
        if size >= 2 and others <= rules.chance.dice and total <= longest:
            sets.append((total, size, counts))
    if len(sets) > MOST_SETS:
        raise RulesError(f"movement.combined_move: {len(sets)} different sets of dice are more than {MOST_SETS} (L21)")
    return singles + [counts for _, _, counts in sorted(sets)]


def sets_that_leave(rules: RuleSet, kinds: list[Kind]) -> list[tuple[Counts, Alternative]]:
    """Two dice that together bring a piece out, as counts per kind, and how (L24)."""
    names = [kind.name for kind in kinds]
    found = []
    for a, b, use in pairs_that_leave(rules):
        counts = [0] * len(kinds)
        for die in (a, b):
            if die in names:
                counts[names.index(die)] += 1
        found += [(tuple(counts), use)] if sum(counts) == 2 else []
    return found


def strides_of(most: list[int]) -> list[int]:
    """What each kind counts for in the number that stands for a set."""
    strides = [1]
    for count in most[:-1]:
        strides.append(strides[-1] * (count + 1))
    return strides


def numbers_by_key(sets: list[Counts], most: list[int]) -> list[int]:
    """Per key (the sum of counts × strides) the number of the set, or -1."""
    strides = strides_of(most)
    keys = [-1] * (strides[-1] * (most[-1] + 1)) if most else []
    for number, counts in enumerate(sets):
        if all(n <= m for n, m in zip(counts, most, strict=True)):
            keys[sum(n * s for n, s in zip(counts, strides, strict=True))] = number
    return keys
