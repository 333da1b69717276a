"""Dice that anyone can check: what is rolled was settled before, and nobody could know or choose it.

A table keeps a secret of 32 random bytes and shows its digest, the *commitment*, before the first roll. Players add
words of their own, the *entropies*, each of which counts for every roll after it. Roll number n, from 1 on, is drawn
from

    HMAC-SHA256(secret, "ludus dice 1\\n" n "\\n" attempt "\\n" entropies)

where n and attempt are decimal, and the entropies that count are lines `player:word` in the order they came (without
any, the last line break is missing too). The first eight bytes are a number x below 2^64. With outcomes of weights
that sum to w, an x at or above the largest multiple of w is not used, and attempt, which begins at 0, is one more; else
x modulo w chooses the outcome. When the game is over the secret is shown: whoever has the record can draw every roll
again (scripts/check-dice does, without ludus).
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludus.core.errors import LudusError, quoted

SECRET_BYTES = 32
WORDS = 1 << 64
ENTROPY = re.compile(r"[A-Za-z0-9_-]{1,64}")
_HEX = re.compile(r"[0-9a-f]{64}")


def new_dice_secret() -> str:
    """A secret from the system's generator."""
    return secrets.token_hex(SECRET_BYTES)


def commitment_to(secret: str) -> str:
    """What is shown of a secret before it is used."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


@dataclass(frozen=True)
class Entropy:
    """A player's own word; it counts for the rolls after number `after`."""

    after: int
    player: str
    word: str


@dataclass
class FairDice:
    """The dice of one game; without the secret they can be shown but not rolled."""

    commitment: str
    secret: str | None = None
    entropies: list[Entropy] = field(default_factory=list)

    @classmethod
    def of_secret(cls, secret: str) -> FairDice:
        """Dice to roll."""
        return cls(commitment_to(secret), secret)

    @classmethod
    def of(cls, data: Any) -> FairDice:
        """From plain data; LudusError where it is none of ours."""
        if not isinstance(data, dict) or set(data) - {"commitment", "secret", "entropies"}:
            raise LudusError("dice: a commitment, a secret and entropies, and nothing else")
        for key in ("commitment", "secret"):
            value = data.get(key)
            if not (isinstance(value, str) and _HEX.fullmatch(value)) and not (key == "secret" and value is None):
                raise LudusError(f"dice: {key} is 64 hexadecimal digits, not {quoted(value)}")
        given = data.get("entropies", [])
        if not isinstance(given, list):
            raise LudusError(f"dice: entropies is a list, not {quoted(given)}")
        entropies = [_entropy(one) for one in given]
        if entropies != sorted(entropies, key=lambda one: one.after):
            raise LudusError("dice: entropies stand in the order they came")
        return cls(data["commitment"], data.get("secret"), entropies)

    def data(self, hides_secret: bool = False) -> dict[str, Any]:
        """As plain data."""
        entropies = [[one.after, one.player, one.word] for one in self.entropies]
        known = {} if hides_secret or self.secret is None else {"secret": self.secret}
        return {"commitment": self.commitment, **known, "entropies": entropies}

    def outcome(self, weights: Mapping[str, int], number: int) -> str:
        """What roll `number` gives."""
        if self.secret is None:
            raise LudusError("dice: nobody can roll without the secret")
        words = [f"{one.player}:{one.word}" for one in self.entropies if one.after < number]
        point = fair_number(self.secret, words, number, sum(weights.values()))
        for name, weight in weights.items():
            point -= weight
            if point < 0:
                return name
        raise AssertionError("the weights do not sum to their sum")


def fair_number(secret: str, words: list[str], number: int, below: int) -> int:
    """A number from 0 to below - 1, each as likely as any other."""
    attempt = 0
    while True:
        text = "\n".join(["ludus dice 1", str(number), str(attempt), *words])
        digest = hmac.digest(bytes.fromhex(secret), text.encode(), "sha256")
        drawn = int.from_bytes(digest[:8])
        if drawn < WORDS - WORDS % below:
            return drawn % below
        attempt += 1


def _entropy(data: Any) -> Entropy:
    fits = isinstance(data, list) and [type(one) for one in data] == [int, str, str]
    if not fits or data[0] < 0 or not ENTROPY.fullmatch(data[2]):
        raise LudusError(f"dice: an entropy is [rolls before it, player, word], not {quoted(data)}")
    return Entropy(*data)
