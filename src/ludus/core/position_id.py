"""Position ids: a position as a short text that can be typed, read aloud and put into a link, in any language.

    1 kq3d 6r0a81h… 7m2c       version, mark of the rules and players, the position, check

Written in the 32 digits and letters of Crockford's base 32: case does not matter, i and l are 1, o is 0, hyphens and
spaces are skipped. The position is its plain data (`to_dict`), told as differences from the game's first position, bit
by bit. The seed of the dice is no part of it. Version 1 stays readable for ever: `WORDS` only grows at its end.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from ludus.core.errors import InvalidPosition, quoted

if TYPE_CHECKING:
    from ludus.core.game import Game

VERSION = "1"
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LONGEST = 2000
MARK, CHECK = 4, 4
DEEPEST = 8

COLOURS = ("green", "yellow", "blue", "red", "purple", "orange", "black", "white")
# what positions are made of, the most frequent first; 0 means a word of the game's own, or one that is spelled
WORDS = (
    "", "start", "finish", *(f"end:{n}" for n in range(8)), *COLOURS, "dice", "turn", "pieces", "sixes", "kept",
    "captured", *(f"held:{colour}" for colour in COLOURS), "frozen", "rolls", "again", "always", True, False, None,
    "unblocked", "rolloff", "in", "rolled", "stage", "decision", "lot", "places", "changed", "lost", "skips", "scores",
    "captures", "turns", "reversed", "deck", "attacker", "defender", "hits", "garrisoned", "struck", "quiet", "convert",
    "attack", "toss", "roles", *(f"{column}{row}" for row in range(1, 11) for column in "abcdefghij"),
)  # fmt: skip
NUMBER_OF = {(type(word), word): number for number, word in enumerate(WORDS)}


class _Nothing:
    """What a value is compared with where the first position has none."""


NOTHING = _Nothing()


def position_id(game: Game, data: Mapping[str, Any]) -> str:
    """The id of a position that is given as plain data."""
    writer = BitWriter(_own_words(game))
    writer.put(dict(data), _first(game))
    text = VERSION + _mark(game) + writer.text()
    return text + _digits(text, CHECK)


def data_of_id(game: Game, text: str) -> dict[str, Any]:
    """The plain data that an id holds; InvalidPosition with the reason where it holds none of this game."""
    if not isinstance(text, str):
        raise InvalidPosition(f"a position id is a text, not {quoted(text)}")
    plain = _plain(text)
    if plain[:1] != VERSION:
        raise InvalidPosition(f"position id {quoted(text)}: of version {plain[:1]!r}; this ludus reads {VERSION!r}")
    if len(plain) <= 1 + MARK + CHECK or _digits(plain[:-CHECK], CHECK) != plain[-CHECK:]:
        raise InvalidPosition(f"position id {quoted(text)}: a character is wrong or missing, the check does not fit")
    if plain[1 : 1 + MARK] != _mark(game):
        seats = ", ".join(game.players)
        raise InvalidPosition(f"position id {quoted(text)}: of other rules or players than {game.name} with {seats}")
    try:
        data = BitReader(plain[1 + MARK : -CHECK], _own_words(game)).whole(_first(game))
    except (IndexError, ValueError):
        data = None
    if not isinstance(data, dict):
        raise InvalidPosition(f"position id {quoted(text)}: holds no position")
    return data


def _plain(text: str) -> str:
    """The id without what people add to read it."""
    if len(text) > LONGEST:
        raise InvalidPosition(f"a position id has at most {LONGEST} characters, not {len(text)}")
    plain = text.strip().lower().translate(str.maketrans("ilo", "110", "- "))
    wrong = [character for character in plain if character not in ALPHABET]
    if wrong or not plain:
        found = f"{wrong[0]!r} is not one of them" if wrong else "there are none"
        raise InvalidPosition(f"position id {quoted(text)}: digits and letters without u; {found}")
    return plain


def _first(game: Game) -> dict[str, Any]:
    return game.to_dict(game.start_row())


def _own_words(game: Game) -> list[str]:
    """What this game's chance calls its outcomes: cards that are left in a deck are named in positions."""
    return [name.rpartition(":")[2] for name in game.chance_weights(game.start_row())]


def _mark(game: Game) -> str:
    """What tells the rules and players apart; names and titles are no part of it, nor are options at their defaults."""
    return _digits(json.dumps(game.rules_in_short(), sort_keys=True, ensure_ascii=False), MARK)


def _digits(text: str, count: int) -> str:
    """The first digits of a text's digest."""
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    return "".join(ALPHABET[number >> (5 * place) & 31] for place in range(count))


class BitWriter:
    """Values as bits; what is as in the first position takes one."""

    def __init__(self, own_words: list[str]) -> None:
        self.bits: list[str] = []
        self.own_words = own_words

    def put(self, value: Any, like: Any = NOTHING) -> None:
        """A value; `like` is what stands in its place in the first position."""
        if like is not NOTHING:
            same = type(value) is type(like) and value == like
            self.bits.append("1" if same else "0")
            if same:
                return
        if isinstance(value, Mapping):
            self.bits.append("111")
            self._mapping(value, like if isinstance(like, dict) else {})
        elif isinstance(value, list | tuple):
            self.bits.append("110")
            self._list(list(value), like if isinstance(like, list) else [])
        elif isinstance(value, int) and not isinstance(value, bool):
            self.bits.append("0")
            self._number(2 * value if value >= 0 else -2 * value - 1, 6)
        else:
            self.bits.append("10")
            self._word(value)

    def _number(self, number: int, least: int) -> None:
        """An Exp-Golomb code: numbers below 2**least take least + 1 bits, larger ones more."""
        high = f"{(number >> least) + 1:b}"
        self.bits.append("0" * (len(high) - 1) + high)
        if least:
            self.bits.append(f"{number & ((1 << least) - 1):0{least}b}")

    def _word(self, word: Any) -> None:
        number = NUMBER_OF.get((type(word), word), 0)
        self._number(number, 5)
        if number == 0 and word in self.own_words:
            self.bits.append("1")
            self._number(self.own_words.index(word), 3)
        elif number == 0:
            self.bits.append("0")
            spelled = str(word).encode()
            self._number(len(spelled), 2)
            self.bits += [f"{byte:08b}" for byte in spelled]

    def _mapping(self, value: Mapping[str, Any], like: dict[str, Any]) -> None:
        for key, usual in like.items():
            self.bits.append("1" if key in value else "0")
            if key in value:
                self.put(value[key], usual)
        others = [key for key in value if key not in like]
        self._number(len(others), 1)
        for key in others:
            self._word(key)
            self.put(value[key])

    def _list(self, values: list[Any], like: list[Any]) -> None:
        """Element by element where the length is as before; else what was left out (10), and what came in (110)."""
        if like and len(values) == len(like):
            self.bits.append("1")
            for value, usual in zip(values, like, strict=True):
                self.put(value, usual)
            return
        self.bits.append("0")
        matcher = SequenceMatcher(None, [repr(v) for v in like], [repr(v) for v in values], autojunk=False)
        for _, first, last, start, end in matcher.get_opcodes():
            if like[first:last] == values[start:end]:
                self.bits.append("0" * (last - first))
                continue
            self.bits.append("10" * (last - first))
            for value in values[start:end]:
                self.bits.append("110")
                self.put(value)
        self.bits.append("111")

    def text(self) -> str:
        """The bits in base 32, filled up with zeros."""
        bits = "".join(self.bits)
        bits += "0" * (-len(bits) % 5)
        return "".join(ALPHABET[int(bits[at : at + 5], 2)] for at in range(0, len(bits), 5))


class BitReader:
    """What BitWriter wrote; a ValueError or IndexError where the bits make no sense."""

    def __init__(self, text: str, own_words: list[str]) -> None:
        self.own_words = own_words
        self.bits = "".join(f"{ALPHABET.index(character):05b}" for character in text)
        self.at = 0

    def whole(self, like: Any) -> Any:
        """The one value that was written; nothing but filling may follow."""
        value = self.get(like, 0)
        rest = self.bits[self.at :]
        if len(rest) >= 5 or "1" in rest:
            raise ValueError("bits are left over")
        return value

    def get(self, like: Any, depth: int) -> Any:
        """The next value."""
        if depth > DEEPEST:
            raise ValueError("too deep")
        if like is not NOTHING and self._bit():
            return like
        if not self._bit():
            number = self._number(6)
            return number // 2 if number % 2 == 0 else -(number + 1) // 2
        if not self._bit():
            return self._word()
        if not self._bit():
            return self._list(like if isinstance(like, list) else [], depth)
        return self._mapping(like if isinstance(like, dict) else {}, depth)

    def _bit(self) -> bool:
        bit = self.bits[self.at]
        self.at += 1
        return bit == "1"

    def _plain_number(self, bits: int) -> int:
        found = self.bits[self.at : self.at + bits]
        self.at += bits
        if len(found) < bits:
            raise ValueError("cut off")
        return int(found, 2) if bits else 0

    def _number(self, least: int) -> int:
        zeros = 0
        while not self._bit():
            zeros += 1
        high = (1 << zeros) | self._plain_number(zeros)
        return ((high - 1) << least) | self._plain_number(least)

    def _word(self) -> Any:
        number = self._number(5)
        if number:
            return WORDS[number]
        if self._bit():
            return self.own_words[self._number(3)]
        return bytes(self._plain_number(8) for _ in range(self._number(2))).decode()

    def _mapping(self, like: dict[str, Any], depth: int) -> dict[str, Any]:
        found = {}
        for key, usual in like.items():
            if self._bit():
                found[key] = self.get(usual, depth + 1)
        for _ in range(self._number(1)):
            key = self._word()
            found[key] = self.get(NOTHING, depth + 1)
        return found

    def _list(self, like: list[Any], depth: int) -> list[Any]:
        if self._bit():
            return [self.get(usual, depth + 1) for usual in like]
        found, usual = [], iter(like)
        while True:
            if not self._bit():
                found.append(_next(usual))
            elif not self._bit():
                _next(usual)
            elif not self._bit():
                found.append(self.get(NOTHING, depth + 1))
            else:
                return found


def _next(values: Any) -> Any:
    """The next of the first position's values; there must be one."""
    for value in values:
        return value
    raise ValueError("no more values")
