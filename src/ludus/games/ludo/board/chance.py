"""What chance can give: the outcomes of dice, cowries, sticks, spinners and cards, by name and weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from ludus.games.ludo.document.rules import RuleSet

MOST_OUTCOMES = 500
MOST_WEIGHT = 1 << 30

OWN, OTHERS, ANY = 0, 1, 2
STEP, SWAP, OUT = 0, 1, 2


@dataclass(frozen=True, order=True)
class Kind:
    """A kind of token: a distance or an effect, for whose piece, and whether it is a bonus."""

    effect: int = STEP
    distance: int = 0
    whose: int = OWN
    is_bonus: bool = False

    @property
    def name(self) -> int | str:
        """As a position writes it: 5, -4, 'b20', 'swap', 'out', 'other-3', 'any+2'."""
        if self.effect != STEP:
            return "swap" if self.effect == SWAP else "out"
        if self.is_bonus:
            return f"b{self.distance}"
        if self.whose == OWN:
            return self.distance
        return f"{'other' if self.whose == OTHERS else 'any'}{self.distance:+d}"


@dataclass(frozen=True)
class Outcome:
    """One outcome: its name, weight, the tokens it gives and what else follows."""

    name: str
    weight: int
    kinds: tuple[Kind, ...]
    values: tuple[int, ...]
    then: str = "nothing"
    doubles: bool = field(default=False)

    @property
    def total(self) -> int:
        """The sum, for a roll-off."""
        return sum(self.values)


def outcome_count(rules: RuleSet) -> int:
    """How many outcomes there are, before they are built."""
    chance = rules.chance
    if chance.device == "cards":
        return len(chance.cards)
    if chance.device in ("cowries", "sticks"):
        return chance.dice + 1
    return comb(len(chance.faces) + chance.dice - 1, chance.dice)


def outcomes_of(rules: RuleSet) -> list[Outcome]:
    """Every outcome of a roll, a throw, a spin or a draw."""
    device = rules.chance.device
    if device == "cards":
        return list(_cards(rules))
    return list(_shells(rules) if device in ("cowries", "sticks") else _dice(rules))


def step(distance: int) -> tuple[Kind, ...]:
    """The token of a distance; a 0 gives none."""
    return (Kind(distance=distance),) if distance else ()


def _dice(rules: RuleSet) -> Iterator[Outcome]:
    chance = rules.chance
    weight = Counter[int]()
    for face, likely in zip(chance.faces, chance.weights or (1,) * len(chance.faces), strict=True):
        weight[face] += likely
    for dice in sorted(combinations_with_replacement(sorted(weight, reverse=True), chance.dice)):  # each larger first
        ways = factorial(len(dice)) // prod(factorial(n) for n in Counter(dice).values())
        tokens = (sum(dice),) if chance.use == "sum" else dice
        name = ",".join(map(str, dice))
        yield Outcome(
            f"spinner:{name}" if chance.device == "spinner" else name,
            ways * prod(weight[face] for face in dice),
            tuple(kind for value in tokens for kind in step(value)),
            dice,
            doubles=len(dice) > 1 and len(set(dice)) == 1,
        )


def _shells(rules: RuleSet) -> Iterator[Outcome]:
    chance = rules.chance
    down, up = chance.weights or (1, 1)
    for number in range(chance.dice + 1):
        value = chance.throws[number] if chance.throws else number
        weight = comb(chance.dice, number) * up**number * down ** (chance.dice - number)
        yield Outcome(f"{chance.device}:{number}", weight, step(value), (value,))


def _cards(rules: RuleSet) -> Iterator[Outcome]:
    for card in rules.chance.cards:
        kinds = step(card.distance)
        if card.distance:
            kinds = (Kind(distance=card.distance, whose=("own", "opponent", "any").index(card.moves)),)
        elif card.effect != "none":
            kinds = (Kind(effect=SWAP if card.effect == "swap" else OUT),)
        yield Outcome(f"card:{card.name}", card.count, kinds, (card.distance,), card.then)
