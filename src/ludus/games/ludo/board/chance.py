"""What chance can give: the outcomes of dice, cowries, sticks, spinners and cards, by name and weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from ludus.games.ludo.board import numbers
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.document.tokens import SWAPS, Alternative, uses_of
from ludus.games.ludo.kernel import OTHERS, OUT, OWN, STEP, SWAP

MOST_OUTCOMES = 500
MOST_WEIGHT = 1 << 30

MOST_POINTS = 4096  # up to this weight a draw is one look into a table
EFFECTS = {effect: name for name, effect in numbers.EFFECT.items()}  # as positions write them


@dataclass(frozen=True, order=True)
class Kind:
    """A kind of token: a distance or an effect, for whose piece, and whether it is a bonus."""

    effect: int = STEP
    distance: int = 0
    whose: int = OWN
    is_bonus: bool = False
    label: str = ""
    alternatives: tuple[str, ...] = ()

    @property
    def name(self) -> int | str:
        """As a position writes it: 5, -4, 'b20', 'swap', 'out', 'finish', 'other-3', 'any+2'."""
        if self.label:
            return int(self.label) if self.label.lstrip("-").isdecimal() else self.label
        if self.effect != STEP:
            return EFFECTS[self.effect]
        if self.is_bonus:
            return f"b{self.distance}"
        if self.whose == OWN:
            return self.distance
        return f"{'other' if self.whose == OTHERS else 'any'}{self.distance:+d}"

    @cached_property
    def uses(self) -> list[Alternative]:
        """The ways to play it, where it has several."""
        return [use for text in self.alternatives for use in uses_of(text)]

    @property
    def swaps(self) -> int:
        """Whether it may change two pieces' places, as the kernel counts that (SWAP_*); 0: no."""
        if self.effect == SWAP:
            return 1
        return max((1 + SWAPS.index(use.swap) for use in self.uses if use.swap), default=0)

    @property
    def distances(self) -> set[int]:
        """How far it may move a piece; nothing where it does something else."""
        if self.alternatives:
            return {use.distance for use in self.uses if use.distance}
        return {self.distance} if self.effect == STEP else set()

    def leaves(self, leave_on: tuple[int, ...]) -> bool:
        """Whether it brings a piece out of the yard (L24, L25)."""
        if self.alternatives:
            return any(use.out for use in self.uses)
        return self.effect == OUT or (self.effect == STEP and self.distance in leave_on and not self.is_bonus)


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
        return chance.dice + 1 + (chance.marked is not None)
    return comb(len(chance.faces) + chance.dice - 1, chance.dice)


def outcomes_of(rules: RuleSet) -> list[Outcome]:
    """Every outcome of a roll, a throw, a spin or a draw."""
    device = rules.chance.device
    if device == "cards":
        return list(_cards(rules))
    return list(_shells(rules) if device in ("cowries", "sticks") else _dice(rules))


def named(text: str) -> Kind:
    """The token that an event, or a part of another token, leaves: a distance, 'out', 'swap', 'finish', 'split 6'."""
    if text in numbers.EFFECT:
        return Kind(effect=numbers.EFFECT[text])
    if not text.isdecimal():
        label = text.removesuffix(" [clears]").replace(" ", "")
        return Kind(label=f"rest{label}" if label.isdecimal() else label, alternatives=(text,))
    return Kind(distance=int(text), is_bonus=True)


def token_of(rules: RuleSet, value: int) -> tuple[Kind, ...]:
    """The token of a value: a distance, or what the document makes of it; a 0 gives none."""
    texts = rules.chance.tokens.get(str(value))
    if texts is None:
        return (Kind(distance=value),) if value else ()
    return (with_alternatives(str(value), texts, value),)


def with_alternatives(label: str, texts: tuple[str, ...], value: int = 0) -> Kind:
    """The token that may be played in some ways; one that is only a distance is that distance."""
    uses = [use for text in texts for use in uses_of(text)]
    first = uses[0]
    if len(uses) == 1 and first.distance and not (first.rest or first.clears):
        return Kind(distance=first.distance)
    return Kind(distance=value, label=label, alternatives=tuple(texts))


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
            tuple(kind for value in tokens for kind in token_of(rules, value)),
            dice,
            doubles=len(dice) > 1 and len(set(dice)) == 1,
        )


def _shells(rules: RuleSet) -> Iterator[Outcome]:
    chance = rules.chance
    down, up = chance.weights or (1, 1)
    for number in range(chance.dice + 1):
        value = chance.throws[number] if chance.throws else number
        each = up**number * down ** (chance.dice - number)
        is_marked = number == 1 and chance.marked is not None  # one of those that may lie up alone
        weight = each * (comb(chance.dice, number) - is_marked)
        yield Outcome(f"{chance.device}:{number}", weight, token_of(rules, value), (value,))
        if number == 1 and chance.marked is not None:
            yield Outcome(f"{chance.device}:marked", each, token_of(rules, chance.marked), (chance.marked,))


def _cards(rules: RuleSet) -> Iterator[Outcome]:
    for card in rules.chance.cards:
        kinds: tuple[Kind, ...] = ()
        if rules.chance.hold.startswith("hand"):  # a card in a hand is known by its name
            texts = rules.chance.tokens.get(card.name) or (
                (card.effect,) if card.effect != "none" else (str(card.distance),)
            )
            kinds = (Kind(label=card.name, whose=numbers.WHOSE[card.moves], alternatives=tuple(texts)),)
        elif card.name in rules.chance.tokens:
            kinds = (with_alternatives(card.name, rules.chance.tokens[card.name]),)
        elif card.distance:
            kinds = (Kind(distance=card.distance, whose=numbers.WHOSE[card.moves]),)
        elif card.effect != "none":
            kinds = (Kind(effect=numbers.EFFECT[card.effect]),)
        yield Outcome(f"card:{card.name}", card.count, kinds, (card.distance,), card.then)
