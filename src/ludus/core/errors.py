"""The errors of the package: one root, and one clear line each."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable

from ludus.core.messages import Message


def quoted(value: object) -> str:
    """A value as the caller wrote it, in at most 60 characters of one line."""
    try:
        text = reprlib.repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits
        text = f"such a {type(value).__name__}"
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= 60 else text[:57] + "…"


def one_line(text: str) -> str:
    """The text on one line, without characters that could move a terminal's cursor."""
    flat = " ".join(text.split())
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in flat)


def in_a_line(error: BaseException) -> str:
    """An error of somebody else's code, which may not even be willing to say what it is."""
    try:
        text = one_line(str(error))[:200]
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def as_written(text: str) -> str:
    """What somebody typed, fit for one line: as it is where it is short and printable."""
    return text if text and text.isprintable() and len(text) <= 40 else repr(text[:40])


def suggestion(word: str, known: Iterable[str]) -> str:
    """'; did you mean …?' where a known word is close, else nothing."""
    import difflib

    close = difflib.get_close_matches(word[:60], list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


class LudusError(Exception):
    """Root of every error that ludus raises on purpose."""


class UnknownName(LudusError):
    """A game, bot, option or file that does not exist."""


class RulesError(LudusError):
    """A rule-set document that can't be used; says which fields, why, and what would be right.

    `problems` has each of them by itself, in English; the error's own text has all of them in one line.
    """

    def __init__(self, words: str, problems: tuple[str, ...] = ()) -> None:
        super().__init__(words)
        self.problems = problems or (words,)

    def __reduce__(self) -> tuple[type[RulesError], tuple[str, tuple[str, ...]]]:
        return (type(self), (str(self), self.problems))


class RecordError(LudusError):
    """A damaged, edited or foreign game record; names the line."""


class InvalidPosition(LudusError):
    """A set-up position that no rule set allows."""

    def __init__(self, reason: str, rule: str | None = None, code: str = "position") -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule
        self.code = code


class IllegalMove(LudusError):
    """A move or chance outcome that is not legal here: why, by which rule, in any language we speak."""

    def __init__(self, message: Message, rule: str | None = None) -> None:
        self.message = message
        self.code = message.key
        self.rule = rule
        self.reason = message.text("en")
        super().__init__(f"{self.reason} ({rule})" if rule else self.reason)

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[Message, str | None]]:
        return (type(self), (self.message, self.rule))

    def explain(self, lang: str = "en") -> str:
        """The reason in `lang`, with the rule's id where there is one."""
        words = self.message.text(lang)
        return f"{words} ({self.rule})" if self.rule else words
