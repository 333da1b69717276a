"""Rule-set documents: finding, reading, inheriting, overriding and validating them. Nothing in one is ever run."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ludus.core.errors import RulesError, UnknownName
from ludus.games.ludo.rules import GROUPS, MAIN_OPTION, RuleSet, contradictions

MAX_BYTES = 64 * 1024
MAX_DEPTH = 16
MAX_KEY_PARTS = 8
MAX_ANCESTORS = 8

# strings, comments and single characters: enough to count brackets and dots without parsing
_TOKENS = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[A-Za-z0-9_-]+|.|\n', re.DOTALL
)


def shipped() -> list[str]:
    """The names of the rule sets in the package, in the order they are shown."""
    files = resources.files("ludus.games.ludo") / "rulesets"
    names = {f.name.removesuffix(".toml") for f in files.iterdir() if f.name.endswith(".toml")}
    order = [n for n in ("pettingzoo", "strict", "star", "maedn", "french") if n in names]
    return order + sorted(names - set(order))


def check_limits(text: str, where: str) -> None:
    """Refuse what a TOML parser should never see: it is quadratic in the length of a dotted key."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise RulesError(f"{where}: larger than {MAX_BYTES // 1024} kB, the most a rule set may have")
    depth, parts, line = 0, 1, 1
    for match in _TOKENS.finditer(text):
        token = match.group()
        if token in "[{" and token:
            depth += 1
        elif token in "]}":
            depth -= 1
        elif token == ".":
            parts += 1
        elif token == "\n" or token in "=,":
            parts = 1
        if depth > MAX_DEPTH:
            raise RulesError(f"{where}, line {line}: nested deeper than {MAX_DEPTH} levels")
        if parts > MAX_KEY_PARTS:
            raise RulesError(f"{where}, line {line}: a dotted key with more than {MAX_KEY_PARTS} parts")
        line += token.count("\n")


def parse(text: str, where: str) -> dict[str, Any]:
    """TOML text → plain data, within the limits."""
    check_limits(text, where)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesError(f"{where}: not TOML: {error}") from None


def read_file(path: Path) -> dict[str, Any]:
    """The document in a file."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        return parse(raw.decode("utf-8"), str(path))
    except UnicodeDecodeError:
        raise RulesError(f"{path}: not UTF-8 text") from None
    except OSError as error:
        raise UnknownName(f"{path}: {error.strerror or error}") from None


@cache
def _shipped_text(name: str) -> str:
    return (resources.files("ludus.games.ludo") / "rulesets" / f"{name}.toml").read_text(encoding="utf-8")


def find(source: str, beside: Path | None = None) -> tuple[dict[str, Any], Path | None]:
    """The document of a shipped name or a file's path, and the folder that its own `extends` starts from."""
    if source in shipped():
        return parse(_shipped_text(source), source), None
    path = (beside / source) if beside else Path(source)
    if source.endswith(".toml") or "/" in source or path.is_file():
        return read_file(path), path.parent
    raise UnknownName(f"unknown rule set {source!r}{suggestion(source, shipped())}; there are {', '.join(shipped())}")


def suggestion(word: str, known: Iterable[str]) -> str:
    """'; did you mean …?' where a known word is close, else nothing."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with the values of `over`, group by group."""
    result = dict(base)
    for key, value in over.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged(result[key], value) if both else value
    return result


def inherited(document: Mapping[str, Any], beside: Path | None, seen: tuple[str, ...] = ()) -> dict[str, Any]:
    """The document with everything that it extends filled in."""
    own = {k: v for k, v in document.items() if k != "extends"}
    parent = document.get("extends")
    if parent is None:
        return own
    if not isinstance(parent, str):
        raise RulesError(f"extends: the name of a rule set, not {parent!r}")
    if parent in seen or len(seen) >= MAX_ANCESTORS:
        raise RulesError(f"extends: {' → '.join((*seen, parent))} goes in a circle or is too long")
    if beside is None and parent not in shipped():
        raise RulesError(f"extends: unknown rule set {parent!r}{suggestion(parent, shipped())}")
    data, folder = find(parent, beside)
    base = inherited(data, folder, (*seen, parent))
    return merged({k: v for k, v in base.items() if k not in ("title", "source")}, own)


def override(document: dict[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The document with options given as keywords: `end_path=4`, `block={"stops": "all"}`, `**{"block.stops": "all"}`."""
    for name, value in options.items():
        group, key = option_place(name, value)
        patch = {group: dict(value)} if key is None else {group: {key: plain(value)}}
        document = merged(document, patch)
    return document


def plain(value: Any) -> Any:
    """Sets and tuples as lists, in a settled order; other values as they are."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    return list(value) if isinstance(value, tuple) else value


def option_place(name: str, value: Any) -> tuple[str, str | None]:
    """(group, key) of an option named by a keyword; key None where a whole group is given."""
    if "." in name:
        group, key = name.split(".", 1)
        if group in GROUPS and key in GROUPS[group].model_fields:
            return group, key
    elif name in GROUPS:
        if isinstance(value, Mapping):
            return name, None
        if name in MAIN_OPTION:
            return name, MAIN_OPTION[name]
        raise RulesError(f"{name} is a group of options: give a mapping, such as {name}={{…}}")
    else:
        for group, model in GROUPS.items():
            if name in model.model_fields:
                return group, name
    known = [*GROUPS, *(key for model in GROUPS.values() for key in model.model_fields)]
    dotted = [f"{group}.{key}" for group, model in GROUPS.items() for key in model.model_fields]
    raise RulesError(f"unknown option {name!r}{suggestion(name, known + dotted)}")


def validate(document: Mapping[str, Any], where: str) -> RuleSet:
    """Plain data → rule set; one clear line for the first thing that is wrong."""
    try:
        rules = RuleSet.model_validate(dict(document))
    except ValidationError as error:
        raise RulesError(f"{where}: {first_error(error)}") from None
    words = contradictions(rules)
    if words:
        raise RulesError(f"{where}: {words}")
    return rules


def first_error(error: ValidationError) -> str:
    """What, where, and what would be right."""
    first = error.errors(include_url=False)[0]
    place = [str(part) for part in first["loc"]]
    if first["type"] == "extra_forbidden":
        model: Any = GROUPS.get(place[0], RuleSet) if len(place) > 1 else RuleSet
        return f"unknown option {'.'.join(place)!r}{suggestion(place[-1], model.model_fields)}"
    given = repr(first.get("input"))
    shown = given if len(given) <= 60 else given[:57] + "…"
    return f"{'.'.join(place)}: {first['msg'][0].lower()}{first['msg'][1:]}, not {shown}"


def load(source: str | Path | Mapping[str, Any], options: Mapping[str, Any]) -> RuleSet:
    """A rule set from a shipped name, a file's path or a mapping, with options overridden."""
    if isinstance(source, Mapping):
        document, beside, where = dict(source), None, str(source.get("name", "rule set"))
        check_depth(document)
    else:
        document, beside = find(str(source))
        where = str(source)
    return validate(override(inherited(document, beside), options), where)


def check_depth(value: Any, depth: int = 0) -> None:
    """Refuse mappings nested deeper than a document may be."""
    if depth > MAX_DEPTH:
        raise RulesError(f"rule set: nested deeper than {MAX_DEPTH} levels")
    children = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    for child in children:
        check_depth(child, depth + 1)
