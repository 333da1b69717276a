"""Rule-set documents: found, read, inherited, overridden, validated. Nothing in one is ever run."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ludus.core.errors import LudusError, RulesError, UnknownName, quoted, suggestion
from ludus.games.ludo.board.reachable import not_ludo
from ludus.games.ludo.document.contradictions import all_contradictions
from ludus.games.ludo.document.problems import problems_of, refused, shown
from ludus.games.ludo.document.rules import GROUPS, MAIN_OPTION, RuleSet
from ludus.games.ludo.document.texts import unreadable

MAX_BYTES = 64 * 1024
MAX_DEPTH = 16
MAX_KEY_PARTS = 8
MAX_ANCESTORS = 8
MAX_VALUES = 16 * 1024
MOST_NAMED = 16  # shipped rule sets that an error names
LISTS = ("meeting", "on")  # lists of tables that are no group of options

# Strings, comments and single characters: enough to count brackets and dots without parsing. A string that is
# never closed is one token too (the parser stops there): a pattern that failed would try again at each quote.
_TOKENS = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"{3,5}|\\?\Z)'''  # its last two characters may be quotes
    r"""|'''.*?(?:'{3,5}|\Z)"""
    r"""|"(?:\\[^\n]|[^"\\\n])*\\?"?|'[^'\n]*'?"""
    r"|#[^\n]*|[A-Za-z0-9_-]+|.",
    re.DOTALL,
)


def shipped() -> list[str]:
    """The names of the rule sets in the package, in the order they are shown."""
    files = resources.files("ludus.games.ludo.document") / "rulesets"
    names = {f.name.removesuffix(".toml") for f in files.iterdir() if f.name.endswith(".toml")}
    order = [n for n in ("pettingzoo", "strict", "star", "maedn", "french") if n in names]
    return order + sorted(names - set(order))


def check_size(size: int, where: str) -> None:
    """Refuse a document of too many bytes."""
    if size > MAX_BYTES:
        raise RulesError(f"{where}: larger than {MAX_BYTES // 1024} kB, the most a rule set may have")


def check_limits(text: str, where: str) -> None:
    """Refuse what a TOML parser should never see: it is quadratic in the length of a dotted key."""
    check_size(len(text.encode("utf-8", "surrogatepass")), where)
    depth, parts, line = 0, 1, 1
    for match in _TOKENS.finditer(text):
        token = match.group()
        if token in "[{":
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
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{where}: not TOML: {shown(str(error))}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits
        raise RulesError(f"{where}: not TOML: a value is too long or too deep") from None


def read_file(path: Path) -> dict[str, Any]:
    """The document in a file."""
    where = shown(str(path))
    try:
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise RulesError(f"{path}: not a regular file")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnknownName(f"{where}: {error.strerror or error}") from None
    except ValueError:  # a zero byte, half a surrogate pair
        raise UnknownName(f"{where}: not the name of a file") from None
    check_size(len(raw), where)
    try:
        return parse(raw.decode("utf-8"), where)
    except UnicodeDecodeError:
        raise RulesError(f"{where}: not UTF-8 text") from None


def is_file(path: Path) -> bool:
    """Whether there is such a file; no for a name that none can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


@cache
def _shipped_text(name: str) -> str:
    return (resources.files("ludus.games.ludo.document") / "rulesets" / f"{name}.toml").read_text(encoding="utf-8")


def find(source: str, beside: Path | None = None) -> tuple[dict[str, Any], Path | None]:
    """The document of a shipped name or a file's path, and the folder that its own `extends` starts from."""
    if source in shipped():
        return parse(_shipped_text(source), source), None
    path = (beside / source) if beside else Path(source)
    if source.endswith(".toml") or "/" in source or is_file(path):
        return read_file(path), path.parent
    names = shipped()
    more = f" and {len(names) - MOST_NAMED} more (ludus rules list)" if len(names) > MOST_NAMED else ""
    there = f"{', '.join(names[:MOST_NAMED])}{more}"
    raise UnknownName(f"unknown rule set {quoted(source)}{suggestion(source, names)}; there are {there}")


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with the values of `over`, group by group; an option is replaced as a whole, a table as well."""
    result = dict(base)
    for key, value in over.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = {**result[key], **value} if both else value
    return result


def spelt_out(document: dict[str, Any]) -> dict[str, Any]:
    """A document with `turn.duty` as `turn.duties`, so that it takes the place of those that it inherits."""
    turn = document.get("turn")
    if not isinstance(turn, Mapping) or "duty" not in turn or "duties" in turn:
        return document
    return {**document, "turn": {"duties" if key == "duty" else key: value for key, value in turn.items()}}


def inherited(
    document: Mapping[str, Any], beside: Path | None, where: str, seen: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The document with everything that it extends filled in."""
    own = spelt_out({k: v for k, v in document.items() if k != "extends"})
    parent = document.get("extends")
    if parent is None:
        return own
    if not isinstance(parent, str) or not parent:
        raise RulesError(f"{where}: extends: the name of a rule set, not {quoted(parent)}")
    if beside is None and parent not in shipped():
        hint = suggestion(parent, shipped())
        raise RulesError(f"{where}: extends: unknown rule set {quoted(parent)}{hint}")
    seen = (*seen, identity(parent, beside))
    if seen[-1] in seen[:-1]:
        raise RulesError(f"{where}: extends: {shown(parent)} extends this one, a circle")
    if len(seen) > MAX_ANCESTORS:
        raise RulesError(f"{where}: extends: more than {MAX_ANCESTORS} rule sets above one another")
    try:
        data, folder = find(parent, beside)
    except LudusError as error:
        raise RulesError(f"{where}: extends: {error}") from None
    base = inherited(data, folder, shown(parent), seen)
    return merged({k: v for k, v in base.items() if k not in ("title", "source", "allowed")}, own)


def identity(source: str, beside: Path | None) -> str:
    """What tells one document from another: a shipped name, or where the file lies."""
    return source if source in shipped() else os.path.abspath((beside or Path()) / source)


def override(document: dict[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The document with keywords: `end_path=4`, `block={"stops": "all"}`, `**{"block.stops": "all"}`."""
    given: dict[tuple[str, str], str] = {}
    for name, value in options.items():
        check_depth(value, shown(name))
        if name in LISTS:
            document = {**document, name: plain(value)}
            continue
        group, key = option_place(name, value)
        values = value if key is None else {key: value}
        for each in values:
            if given.setdefault((group, each), name) != name:
                raise RulesError(f"{group}.{shown(str(each))} is given twice, as {given[group, each]!r} and {name!r}")
        patch = {group: {k: plain(v) for k, v in values.items()}}
        document = merged(document, patch)
    return document


def plain(value: Any) -> Any:
    """Sets and tuples as lists, sets in a settled order; other values as they are."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=lambda v: (not isinstance(v, int), v if isinstance(v, int) else str(v)))
    return list(value) if isinstance(value, tuple) else value


def option_place(name: str, value: Any) -> tuple[str, str | None]:
    """(group, key) of an option named by a keyword; key None where a whole group is given."""
    if name == "duty" and not isinstance(value, bool):  # a list, and not capture.duty
        return "turn", "duties"
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
    raise RulesError(f"unknown option {shown(name)!r}{suggestion(name, known + dotted)}")


def read_through(document: Mapping[str, Any], where: str) -> RuleSet:
    """The rule set of plain data, whatever its options make together; everything that can't be read at once."""
    try:
        rules = RuleSet.model_validate(dict(document))
    except ValidationError as error:
        raise refused(where, [*problems_of(error), *unreadable(document)]) from None
    problems = unreadable(document)
    if problems:
        raise refused(where, problems)
    return rules


def validate(document: Mapping[str, Any], where: str) -> RuleSet:
    """Plain data → rule set; one clear line for everything that is wrong."""
    if not isinstance(document, Mapping):
        raise RulesError(f"{where}: a mapping of options, not {quoted(document)}")
    rules = read_through(document, where)
    words = all_contradictions(rules)
    if words:
        raise refused(where, words)
    fault = not_ludo(rules)
    if fault is not None:
        raise RulesError(f"{where}: {fault.option}: {fault.words} ({fault.rule})")
    return rules


def load(source: str | Path | Mapping[str, Any], options: Mapping[str, Any]) -> RuleSet:
    """A rule set from a shipped name, a file's path or a mapping, with options overridden."""
    beside: Path | None = None
    if isinstance(source, Mapping):
        document, where = dict(source), shown(str(source.get("name", "rule set")))
        check_depth(document, where)
    else:
        where = shown(str(source))
        document, beside = find(str(source))
    seen = () if beside is None else (os.path.abspath(str(source)),)
    return validate(override(inherited(document, beside, where, seen), options), where)


def check_depth(value: Any, where: str) -> None:
    """Refuse values nested deeper, or more of them, than a document may have."""
    level, count = [value], 0
    for _ in range(MAX_DEPTH + 1):
        level = [child for parent in level for child in children(parent)]
        count += len(level)
        if count > MAX_VALUES:
            raise RulesError(f"{where}: more than {MAX_VALUES} values, the most a rule set may have")
    if level:
        raise RulesError(f"{where}: nested deeper than {MAX_DEPTH} levels")


def children(value: Any) -> Iterable[Any]:
    """What a value holds."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple | set | frozenset) else ()
