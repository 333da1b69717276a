"""Numbers as languages write them."""

from __future__ import annotations

from ludus.core.messages import Message

PACKAGE = "ludus.core"


def local(number: str, lang: str) -> str:
    """A number in English dress as the language writes it: 1,234.5% is 1 234,5 % in French."""
    signs = ((",", "thousands"), (".", "decimal"), ("%", "per_cent"))
    return number.translate({ord(sign): Message(PACKAGE, name, {}, "number").text(lang) for sign, name in signs})
