"""Everything that is wrong with a document, all at once, each at its place with a hint, in both languages."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.games.ludo.document.problems import explained, in_language, patterns

FOLDER = Path(ludus.__file__).parent / "games" / "ludo"

SEVERAL = """
name = "mine"
jumps = ["3 > 7"]

[board]
seats = 99
piece = 3

[turn]
first = "loudest"
may_pass = "yes"
"""


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(ludus.RulesError) as caught:
        ludus.make(tomllib.loads(text))
    assert "\n" not in str(caught.value)
    assert caught.value.problems[0] in str(caught.value)
    return caught.value.problems


def test_all_problems_come_at_once() -> None:
    found = problems(SEVERAL)
    places = ("'jumps'", "board.seats", "'board.piece'", "turn.first", "turn.may_pass")
    assert len(found) == len(places)
    for place in places:
        assert sum(place in problem for problem in found) == 1, place


def test_options_that_contradict_each_other_come_at_once_too() -> None:
    found = problems('name = "mine"\n[win]\nranks = 2\n[movement]\nmay_move = "team"\n[board]\npath = 50')
    assert any(problem.startswith("win.ranks") for problem in found)
    assert any(problem.startswith("movement.may_move") for problem in found)
    assert any(problem.startswith("board.path") for problem in found)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('name = "mine"\njumps = ["3 > 7"]', "'board.jumps'"),
        ('name = "mine"\n[[jumps]]\na = 1', "'board.jumps'"),
        ('name = "mine"\n[board]\npiece = 3', "'pieces'"),
        ('name = "mine"\n[turn]\nstops = "all"', "'block.stops'"),
        ('name = "mine"\nseat = 3', "'board.seats'"),
        ('name = "mine"\n[bord]\nseats = 3', "'board'"),
    ],
)
def test_a_hint_says_where_an_option_belongs(text: str, hint: str) -> None:
    (problem,) = problems(text)
    assert problem.endswith(f"; did you mean {hint}?")
    assert in_language(problem, "fr").endswith(f" ; vouliez-vous dire {hint} ?")


def test_problems_in_french() -> None:
    with pytest.raises(ludus.RulesError) as caught:
        ludus.make(tomllib.loads(SEVERAL))
    told = explained(caught.value, "fr")
    assert len(told) == len(caught.value.problems)
    assert not set(told) & set(caught.value.problems)
    assert any("il faut au plus 12" in one or "il faut au plus 8" in one for one in told)
    assert explained(caught.value, "en") == list(caught.value.problems)


def test_a_problem_within_another_is_told_in_french_too() -> None:
    told = in_language('on.0: values need event = "roll" (L18)', "fr")
    assert told == 'on.0 : values demandent event = "roll" (L18)'


def template_of(node: ast.expr) -> str | None:
    """A string of the source, with letters where values go."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "5" for part in node.values)
    return None


def refusals(path: Path) -> Iterator[str]:
    """What a module says of documents: `RulesError("…")` and `yield broken, "…"`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        said: ast.expr | None = None
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "RulesError" and node.args:
            said = node.args[0]
        if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
            said = node.value.elts[1]
        words = template_of(said) if said is not None else None
        if words and " " in words:
            yield words


MODULES = [
    "document/pairs.py", "document/soundness.py", "document/row_checks.py", "document/tokens.py", "document/duties.py",
    "document/conditions.py", "board/chains.py", "board/topology.py", "board/maps.py", "board/routes.py",
]  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_every_refusal_has_its_french_words(module: str) -> None:
    untold = [words for words in refusals(FOLDER / module) if in_language(words, "fr") == words]
    assert untold == []


def test_the_words_of_other_languages_name_the_same_values() -> None:
    for pattern, words in patterns("fr"):
        named = set(pattern.groupindex) - {"rule", "hint"}
        values: dict[str, Any] = {name: f"<{name}>" for name in named}
        assert words.format(**values)


def test_ids_of_the_books_of_single_games_are_not_for_users() -> None:
    for module in MODULES:
        for words in refusals(FOLDER / module):
            assert not any(f"({book}" in words for book in "ZTF"), words


FAULTS = {
    "board": {"seats": 40, "paths": ["5 > home [wth 1]", "7 > "], "jumps": ["3 > 4 [slde]"]},
    "chance": {"tokens": {"6": ["owt"]}},
    "turn": {"duty": ["brake_block"]},
    "on": [{"event": "capture", "do": "again", "while": "yard emty"}],
    "changes": [{"name": "x", "when": "yard fool", "set": {"finish.rul": "overshoot"}}],
}
PLACES = (
    "board.seats", "board.paths", "board.paths", "board.jumps", "chance.tokens", "turn.duties", "on.0.when",
    "changes.0.set", "changes.0.when",
)  # fmt: skip


@pytest.mark.parametrize("without", [None, "board.seats"])
def test_texts_that_cannot_be_read_are_told_with_everything_else(without):
    """Also where all options have values that they may have."""
    document = {"name": "mine", **FAULTS}
    if without:
        document["board"] = {key: value for key, value in FAULTS["board"].items() if key != "seats"}
    with pytest.raises(ludus.LudusError) as refused:
        ludus.make(document)
    told = [problem.split(":")[0] for problem in refused.value.problems]
    assert told == [place for place in PLACES if place != without]
    french = explained(refused.value, "fr")
    assert not any(one == other for one, other in zip(refused.value.problems, french, strict=True))


def test_all_rows_that_cannot_be_are_told():
    rows = [{"event": "capture", "do": "lose", "nth": 2}, {"event": "landing", "do": "again"}]
    with pytest.raises(ludus.LudusError) as refused:
        ludus.make({"name": "mine", "on": rows})
    assert [problem.split(":")[0] for problem in refused.value.problems] == ["on.0", "on.0", "on.1"]
