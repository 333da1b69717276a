"""`ludus rules`: the list, the options of a rule set, and the schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludus
from cli.conftest import Runner
from ludus.cli import rules as module
from ludus.games.ludo.rules import GROUPS, RuleSet


def test_list(ludus_run: Runner) -> None:
    done = ludus_run("rules", "list")
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines] == ludus.games()
    assert "Mensch ärgere dich nicht" in done.out
    assert lines[0].split()[1] == "2–4"


def test_list_as_data(ludus_run: Runner) -> None:
    rows = json.loads(ludus_run("rules", "list", "--json").out)
    assert [row["name"] for row in rows] == ludus.games()
    assert rows[0] == {"name": "pettingzoo", "title": "Ludo with capture before home", "players": [2, 3, 4]}


def test_show_states_every_option_once_with_its_meaning_and_rules(ludus_run: Runner) -> None:
    out = ludus_run("rules", "show", "french").out
    flat, heads = " ".join(out.split()), [line[3:22].rstrip() for line in out.splitlines()]
    for model in GROUPS.values():
        for key, field in model.model_fields.items():
            assert heads.count(key) == 1
            assert (field.description or "?") in flat
    assert "(Z8 S35 F10 F11)" in flat


def test_show_marks_what_differs_from_the_default(ludus_run: Runner) -> None:
    lines = ludus_run("rules", "show", "star").out.splitlines()
    marked = [line.split()[1] for line in lines if line.startswith(" * ")]
    assert marked == [
        "stars",
        "stack",
        "tiles",
        "landing",
        "entry",
        "rule",
        "again_on",
        "six_without_move",
        "attempts",
    ]
    assert any('[default "exact"]' in line for line in lines)


@pytest.mark.parametrize("name", ludus.games())
def test_show_works_for_every_game(ludus_run: Runner, name: str) -> None:
    done = ludus_run("rules", "show", name)
    assert done.code == 0
    assert done.out.startswith(f"{name}: ")
    assert "no table of options" not in done.out


def test_show_only_what_was_changed(ludus_run: Runner) -> None:
    out = ludus_run("rules", "show", "star", "--changed", "--option", "pieces=2").out
    assert " * pieces" in out
    assert "corners" not in out
    assert "win:" not in out


def test_show_as_data_is_the_document(ludus_run: Runner) -> None:
    out = ludus_run("rules", "show", "star", "--json", "--players", "2").out
    assert json.loads(out) == ludus.make("star", players=2).document()


def test_show_a_file(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nextends = "star"\n[board]\npieces = 2\n')
    assert " * pieces             2 " in ludus_run("rules", "show", str(path)).out


def test_show_in_french_takes_the_catalogue_s_words(ludus_run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    words = {("option.board.seats", "fr"): "branches de la croix"}
    monkeypatch.setattr(module, "look_up", lambda package, key, lang: words.get((key, lang)))
    out = ludus_run("rules", "show", "star", "--lang", "fr").out
    assert "joueurs: vert" in out
    assert "branches de la croix" in out


def test_lines_fit_the_terminal(ludus_run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, ludus_run("rules", "show", "french").out.splitlines())) <= 80


@pytest.mark.parametrize("words", [[], ["star"], ["--json"]])
def test_schema(ludus_run: Runner, words: list[str]) -> None:
    assert json.loads(ludus_run("rules", "schema", *words).out) == RuleSet.model_json_schema()


class PlainGame:
    """A game whose rules are no document of options."""

    name = "plain"
    players = ("white", "black")

    class rules:
        """Nothing that anybody could list."""

    def document(self) -> dict[str, Any]:
        return {"family": "plain", "size": 3}

    def title(self, lang: str) -> str:
        return self.name

    def source(self, lang: str) -> str:
        return ""


def test_a_game_without_options_is_shown_politely(ludus_run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "game_from", lambda *_: PlainGame())
    monkeypatch.setattr(module, "make", lambda *_: PlainGame())
    done = ludus_run("rules", "show", "plain")
    assert done.code == 0
    assert "no table of options" in done.out
    assert '"size": 3' in done.out
    done = ludus_run("rules", "schema", "plain")
    assert (done.code, done.out) == (2, "")
    assert "plain has no schema" in done.err
