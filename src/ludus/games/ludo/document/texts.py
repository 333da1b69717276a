"""The texts of a document that can't be read, whatever else is wrong with it: chains, tokens, duties, conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ludus.core.errors import RulesError, quoted
from ludus.games.ludo.board.chains import edges_of, twins_of
from ludus.games.ludo.document.conditions import COUNTED, asked_of, condition
from ludus.games.ludo.document.duties import duty
from ludus.games.ludo.document.problems import hint_for
from ludus.games.ludo.document.rules import GROUPS
from ludus.games.ludo.document.tokens import uses_of

CHAINS: dict[str, Callable[[str, str], Any]] = {
    "paths": edges_of, "jumps": edges_of, "same": lambda text, _: twins_of(text),
}  # fmt: skip


def unreadable(document: Mapping[str, Any]) -> list[str]:
    """What is wrong with each text that can't be read, at its place; values that are no texts are said elsewhere."""
    readers = (_chains, _tokens, _duties, _rows, _changes)
    return list(dict.fromkeys(problem for reader in readers for problem in reader(document)))


def _fault(read: Callable[[], Any], wrapped: str = "{}") -> Iterator[str]:
    try:
        read()
    except RulesError as error:
        yield wrapped.format(error)


def _table(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = document.get(key)
    return value if isinstance(value, Mapping) else {}


def _texts(value: Any) -> list[str]:
    """The texts of a list, or a text alone."""
    given = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    return [text for text in given if isinstance(text, str)]


def _tables(document: Mapping[str, Any], key: str) -> list[tuple[int, Mapping[str, Any]]]:
    value = document.get(key)
    given = enumerate(value if isinstance(value, list | tuple) else ())
    return [(number, row) for number, row in given if isinstance(row, Mapping)]


def _chains(document: Mapping[str, Any]) -> Iterator[str]:
    board = _table(document, "board")
    for key, read in CHAINS.items():
        for text in _texts(board.get(key)):
            yield from _fault(partial(read, text, f"board.{key}"))


def _tokens(document: Mapping[str, Any]) -> Iterator[str]:
    table = _table(_table(document, "chance"), "tokens")
    for key, texts in table.items():
        for text in _texts(texts):
            yield from _fault(partial(uses_of, text), f"chance.tokens: {quoted(key)}: {{}} (L14)")


def _duties(document: Mapping[str, Any]) -> Iterator[str]:
    for text in _texts(_table(document, "turn").get("duties")):
        yield from _fault(partial(duty, text), "turn.duties: {}")


def _rows(document: Mapping[str, Any]) -> Iterator[str]:
    for number, row in _tables(document, "on"):
        for text in (*_texts(row.get("when")), *_texts(row.get("while"))):
            yield from _fault(partial(asked_of, text), f"on.{number}.when: {{}} (L2)")


def _changes(document: Mapping[str, Any]) -> Iterator[str]:
    for number, change in _tables(document, "changes"):
        for place in _table(change, "set"):
            group, _, key = str(place).partition(".")
            if key and (group not in GROUPS or key not in GROUPS[group].model_fields):
                yield f"changes.{number}.set: unknown option {quoted(place)}{hint_for([group, key])}"
        text = change.get("when", change.get("while"))
        if isinstance(text, str) and text not in (*COUNTED, "tile"):
            more = "; or captures, lost, home, turns with at_least, or tile (L2)"
            yield from _fault(partial(condition, text), f"changes.{number}.when: {{}}{more}")
