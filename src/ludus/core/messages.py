"""Message catalogues: every word that people read, by key and language. Kernels know codes, never words."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

LANGUAGES = ("en", "fr")


def language(wanted: str | None = None) -> str:
    """The language to speak: the one asked for, else the locale's, else English."""
    if wanted is not None:
        if wanted not in LANGUAGES:
            from ludus.core.errors import UnknownName

            raise UnknownName(f"unknown language {wanted!r}; there are {', '.join(LANGUAGES)}")
        return wanted
    import locale

    named = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")
    code = (named or locale.getlocale()[0] or "en")[:2].lower()
    return code if code in LANGUAGES else "en"


@cache
def catalogue(package: str, lang: str) -> dict[str, Any]:
    """The messages of `package` in `lang`: the file words/<lang>.toml beside its modules."""
    import tomllib
    from importlib import resources

    file = resources.files(package) / "words" / f"{lang}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


@lru_cache(maxsize=8192)
def look_up(package: str, key: str, lang: str) -> str | None:
    """The text under a dotted key, or None."""
    node: Any = catalogue(package, lang)
    for part in key.split("."):
        if not isinstance(node, dict) or part not in node:
            return None
        node = node[part]
    return node if isinstance(node, str) else None


@dataclass(frozen=True)
class Message:
    """A message by key, with its values; words only when somebody asks for them."""

    package: str
    key: str
    values: dict[str, Any] = field(default_factory=dict)
    section: str = "reason"

    def text(self, lang: str = "en") -> str:
        """The words in `lang` ('fr', 'fr_FR.UTF-8'); English where a translation is missing."""
        if lang not in LANGUAGES:
            lang = language(lang[:2].lower() if isinstance(lang, str) else str(lang))
        key = f"{self.section}.{self.key}"
        template = look_up(self.package, key, lang) or look_up(self.package, key, "en") or self.key
        values = {k: v.text(lang) if isinstance(v, Message) else v for k, v in self.values.items()}
        return template.format(**values)
