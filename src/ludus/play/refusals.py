"""What a table refuses, by code: the errors of docs/protocol.md."""

from __future__ import annotations

from typing import Any, TypedDict

from ludus.core.errors import IllegalMove, LudusError
from ludus.core.messages import LANGUAGES, Message
from ludus.play.telling import PACKAGE


class RuleCited(TypedDict, total=False):
    """The code and the id of a rule that forbids a move."""

    reason: str
    rule: str | None


class MoreTold(RuleCited, total=False):
    """… or the address of the server where a table is."""

    address: str


class Refused(LudusError):
    """A request that is not carried out; `code` is documented, the words hold nothing secret."""

    def __init__(self, code: str, **values: Any) -> None:
        self.code = code
        self.values = values
        super().__init__(self.text("en"))

    def text(self, lang: str = "en") -> str:
        """The reason in words."""
        # words from another process come in every language
        values = {
            key: one[lang if lang in one else "en"] if isinstance(one, dict) else one
            for key, one in self.values.items()
        }
        if self.code == "not_now":
            values["what"] = Message(PACKAGE, values["what"], {}, "now")
        if "player" in values:
            values["player"] = Message(PACKAGE, values["player"], {}, "player")
        return Message(PACKAGE, self.code, values, "refused").text(lang)

    def plain(self) -> dict[str, Any]:
        """Code and values as plain data, for another process: messages in every language."""
        spoken = {
            key: {lang: one.text(lang) for lang in LANGUAGES}
            for key, one in self.values.items()
            if isinstance(one, Message)
        }
        return {"code": self.code, **self.values, **spoken}

    def extra(self) -> MoreTold:
        """Further fields of the answer."""
        return {}


class RefusedMove(Refused):
    """A move that the rules do not allow, with the rule's own code."""

    def __init__(self, error: IllegalMove) -> None:
        self.error = error
        super().__init__("illegal_move")

    def text(self, lang: str = "en") -> str:
        """Why, by which rule."""
        return self.error.explain(lang if lang in LANGUAGES else "en")

    def extra(self) -> MoreTold:
        """The rule's code and id."""
        return {"reason": self.error.code, "rule": self.error.rule}
