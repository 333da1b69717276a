"""What is wrong with a document: every problem at its place, with a hint, in every language we speak."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from pydantic import ValidationError

from ludus.core.errors import RulesError, quoted, suggestion
from ludus.core.messages import Message, catalogue
from ludus.games.ludo.document.meeting_rows import Meeting
from ludus.games.ludo.document.options import Card, Change
from ludus.games.ludo.document.reaction_options import On
from ludus.games.ludo.document.rules import GROUPS, RuleSet

LONGEST_LINE = 260  # letters of an error's own text, about
MOST_LETTERS = 300  # of what a client is told
MAX_SHOWN = 120
WHERE = re.compile(r"[^:]{1,80}: ")


def shown(text: str) -> str:
    """A name as it is if it is short and printable; else its end, escaped: an error is one line."""
    plain_text = text if text.isprintable() else repr(text)[1:-1]
    return plain_text if len(plain_text) <= MAX_SHOWN else "…" + plain_text[-MAX_SHOWN:]


def refused(where: str, problems: Iterable[str]) -> RulesError:
    """The error that names all problems of a document in one line."""
    found = tuple(problems)
    most = next((n for n in range(1, len(found)) if sum(map(len, found[: n + 1])) > LONGEST_LINE), len(found))
    told = [*found[:most], *([f"and {len(found) - most} more"] if len(found) > most else [])]
    return RulesError(f"{where}: {'; '.join(told)}", found)


def problems_of(error: ValidationError) -> list[str]:
    """What, where, and what would be right, of everything that is not as the schema asks."""
    return list(dict.fromkeys(problem_of(one) for one in error.errors(include_url=False)))


def problem_of(error: Mapping[str, Any]) -> str:
    """One thing that is not as the schema asks."""
    place = [shown(str(part)) for part in error["loc"]]
    if error["type"] == "extra_forbidden":
        is_list = isinstance(error.get("input"), list | tuple)
        return f"unknown option {'.'.join(place)!r}{hint_for(place, is_list)}"
    given, words = quoted(error.get("input")), error["msg"][0].lower() + error["msg"][1:]
    if error["type"] == "missing":
        return f"{'.'.join(place)}: missing"
    return f"{'.'.join(place)}: {words.replace('a valid tuple', 'a list')}, not {given}"


def hint_for(place: list[str], is_list: bool = False) -> str:
    """What was meant by an unknown key: one beside it that is spelt alike, or an option of that name elsewhere."""
    key = place[-1]
    if key == "duty" and is_list:  # capture.duty is one of them
        return "; did you mean 'turn.duties'?"
    elsewhere = [f"{group}.{name}" for group, model in GROUPS.items() for name in model.model_fields if name == key]
    if elsewhere:
        return f"; did you mean {elsewhere[0]!r}?"
    close = suggestion(key, keys_beside(place))
    if close:
        return close
    known = {name: f"{group}.{name}" for group, model in GROUPS.items() for name in model.model_fields}
    near = re.search(r"'(.*)'", suggestion(key, known))
    return f"; did you mean {known[near[1]]!r}?" if near else ""


def keys_beside(place: list[str]) -> Iterable[str]:
    """The keys that could stand where an unknown one does."""
    nested: dict[tuple[str, ...], Any] = {
        ("chance", "cards"): Card, ("changes",): Change, ("on",): On, ("meeting",): Meeting,
    }  # fmt: skip
    path = tuple(part for part in place[:-1] if not part.isdigit())
    model = nested.get(path) or (GROUPS.get(path[0]) if path else None) or RuleSet
    return model.model_fields.keys()


# ---------------------------------------------------------------- other languages


@cache
def patterns(lang: str) -> list[tuple[re.Pattern[str], str]]:
    """How problems are told in a language: what matches the English words, and the words there; longer ones first."""
    file = resources.files("ludus.games.ludo.document") / "refusals.toml"
    table: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8")).get(lang, {})
    table |= not_ludo_patterns(lang) if table else {}
    ordered = sorted(table.items(), key=lambda pair: -len(re.sub(r"{\w+}", "", pair[0])))
    return [(pattern_of(template), words) for template, words in ordered]


def not_ludo_patterns(lang: str) -> dict[str, str]:
    """Why a document is not Ludo at all: the rule book says it in every language."""
    english, other = (catalogue("ludus.games.ludo.rulebook", one)["broken"] for one in ("en", lang))
    return {f"{{at}}: {words}": f"{{at}} : {other[key]}" for key, words in english.items() if key in other}


def pattern_of(template: str) -> re.Pattern[str]:
    """A template with {names} as an expression that finds their values."""
    parts = re.split(r"{(\w+)}", template)
    text = "".join(f"(?P<{part}>.*?)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
    if template.startswith(";"):  # the hint itself
        return re.compile(text + "(?P<rule>)(?P<hint>)", re.DOTALL)
    return re.compile(text + r"(?P<rule> \([A-Z]\d+\))?(?P<hint>; did you mean '.*'\?)?", re.DOTALL)


def in_language(problem: str, lang: str) -> str:
    """A problem in a language; in English where it has no words there."""
    for pattern, words in patterns(lang):
        match = pattern.fullmatch(problem)
        if match:
            values = match.groupdict()
            rule, hint = values.pop("rule") or "", values.pop("hint") or ""
            either = catalogue("ludus.games.ludo.rulebook", lang)["word"]["or"]
            values = {name: value.replace("' or '", f"' {either} '") for name, value in values.items()}
            if "inner" in values:  # a problem within another
                values["inner"] = in_language(values["inner"], lang)
            return words.format(**values) + rule + in_language(hint, lang)
    return problem


@dataclass(frozen=True)
class Problems(Message):
    """What is wrong with a document, in whatever language it is asked in."""

    error: RulesError | None = None

    def text(self, lang: str = "en") -> str:
        """All problems in one line."""
        if self.error is None or lang == "en":
            return str(self.error)[:MOST_LETTERS]
        return " ; ".join(explained(self.error, lang))[:MOST_LETTERS]


def explained(error: RulesError, lang: str) -> list[str]:
    """Every problem of a document, in a language."""
    # a problem that stands alone names its document, which whoever reads this has before them
    alone = WHERE.sub("", str(error), count=1)
    problems = [alone] if error.problems == (str(error),) else error.problems
    return [in_language(problem, lang) for problem in problems]
