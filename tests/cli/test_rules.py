"""`ludus rules`: the list, the options of a rule set, and the schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludus
from cli.conftest import Runner
from ludus.cli import rules as module
from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.document.rules import GROUPS, RuleSet


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
    out = ludus_run("rules", "show", "french", "--options").out
    flat, heads = " ".join(out.split()), [line[3:22].rstrip() for line in out.splitlines()]
    for model in GROUPS.values():
        for key, field in model.model_fields.items():
            assert heads.count(key) == 1
            assert (field.description or "?") in flat
    assert "(S2 L4)" in flat
    assert "F33" not in flat, "ids of the books of single games are not for users of others"


def test_show_marks_what_differs_from_the_default(ludus_run: Runner) -> None:
    lines = ludus_run("rules", "show", "star", "--options").out.splitlines()
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
    assert '[default "exact"]' in " ".join(" ".join(lines).split())


@pytest.mark.parametrize("name", ludus.games())
def test_show_works_for_every_game(ludus_run: Runner, name: str) -> None:
    done = ludus_run("rules", "show", name, "--options")
    assert done.code == 0
    assert done.out.startswith(f"{name}: ")
    assert "no table of options" not in done.out
    assert ludus_run("rules", "show", name).code == 0


def test_show_only_what_was_changed(ludus_run: Runner) -> None:
    out = ludus_run("rules", "show", "star", "--changed", "--option", "pieces=2").out
    assert " * pieces" in out
    assert "corners" not in out
    assert "win:" not in out


def test_show_as_data_is_the_document(ludus_run: Runner) -> None:
    out = ludus_run("rules", "show", "star", "--json", "--players", "2").out
    document = ludus.make("star", players=2).document()
    book = json.loads(out).pop("rulebook")
    assert json.loads(out) == document | {"rulebook": book}
    assert book[0]["title"] == "The board"
    assert json.loads(ludus_run("rules", "show", "star", "--options", "--json", "--players", "2").out) == document


def test_show_a_file(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nextends = "star"\n[board]\npieces = 2\n')
    assert " * pieces             2 " in ludus_run("rules", "show", str(path), "--options").out


def test_show_in_french_takes_the_catalogue_s_words(ludus_run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    words = {("option.board.seats", "fr"): "branches de la croix"}
    monkeypatch.setattr(module, "look_up", lambda package, key, lang: words.get((key, lang)))
    out = ludus_run("rules", "show", "star", "--options", "--lang", "fr").out
    assert "joueurs: vert" in out
    assert "branches de la croix" in out


def test_lines_fit_the_terminal(ludus_run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for words in (
        ["show", "french", "--options"],
        ["show", "deck", "--options"],
        ["show", "french"],
        ["check", "maedn"],
        ["diff", "french", "star"],
    ):
        assert max(map(len, ludus_run("rules", *words).out.splitlines())) <= 80, words


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


# ---------------------------------------------------------------- the rule book


def test_show_prints_a_rule_book(ludus_run: Runner) -> None:
    out = ludus_run("rules", "show", "star").out
    assert out.startswith("Star-and-globe Ludo (star)\n")
    for heading in ("THE BOARD", "WHO PLAYS", "ROLLING", "COMING OUT", "MOVING", "CAPTURES", "SAFE TILES"):
        assert f"\n{heading}\n- " in out
    assert "- A 6 gives another roll.\n" in out
    assert "Players here: green, yellow, blue, red." in out


def test_show_prints_a_rule_book_in_french(ludus_run: Runner) -> None:
    out = ludus_run("rules", "show", "strict", "--lang", "fr", "--players", "2").out
    assert out.startswith("Ludo strict (strict)\n")
    assert "Joueurs ici : vert, bleu." in out
    assert "\nL'ARRIVÉE\n- " in out


@pytest.mark.parametrize(("lang", "words"), [("en", "- The attacker has to hit the General"), ("fr", "Général")])
def test_show_tells_how_generals_goes(ludus_run: Runner, lang: str, words: str) -> None:
    told = ludus_run("rules", "show", "generals", "--lang", lang).out.splitlines()
    sentences = [line for line in told if line.startswith("- ")]
    assert len(sentences) >= 4
    assert words in sentences[0]


def test_show_follows_options(ludus_run: Runner) -> None:
    assert "- Each player has 2 pieces." in ludus_run("rules", "show", "star", "--option", "pieces=2").out


# ---------------------------------------------------------------- check


def test_check_says_strict(ludus_run: Runner) -> None:
    done = ludus_run("rules", "check", "strict")
    assert done.code == 0
    lines = done.out.splitlines()
    assert "strict is Strict Ludo." in lines
    ids = [line.split()[0] for line in lines if line.startswith("  S") or line.startswith("  L")]
    assert ids == [f"S{n}" for n in range(1, 54) if n != 8] + [f"L{n}" for n in range(1, 38)]
    assert [line.split()[1] for line in lines if line.startswith("? ")] == ["S8"]
    assert '"yellow": [0, "start"' in " ".join(done.out.split())


def test_check_says_what_is_broken_and_where(ludus_run: Runner) -> None:
    done = ludus_run("rules", "check", "star", "--broken")
    assert done.code == 0
    flat = " ".join(done.out.split())
    assert (
        'x S17 broken a turn is one roll and the moves it gives; here ["six"] gives another roll [turn.again_on]'
        in flat
    )
    assert "S23" not in done.out
    assert "star is Loose Ludo." in done.out


def test_check_in_french(ludus_run: Runner) -> None:
    flat = " ".join(ludus_run("rules", "check", "star", "--lang", "fr", "--broken").out.split())
    assert "x S43 enfreinte l'arrivée demande un lancer exact ; ici, un lancer trop grand" in flat
    assert "star : Ludo libre." in flat


def test_check_a_file_that_is_not_ludo(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "mute.toml"
    path.write_text('name = "mute"\n[capture]\nby = "none"\n')
    done = ludus_run("rules", "check", str(path))
    assert done.code == 1
    assert "mute is not Ludo." in done.out
    assert "x L33 broken" in done.out
    assert "[capture.by]" in done.out
    refused = ludus_run("play", str(path))
    assert refused.code == 2
    assert "capture.by" in refused.err
    assert "(L32)" in refused.err


def test_check_as_data(ludus_run: Runner) -> None:
    done = ludus_run("rules", "check", "maedn", "--json")
    assert done.code == 0
    data = json.loads(done.out)
    assert (data["name"], data["verdict"], data["keeps_its_name"]) == ("maedn", "Loose Ludo", True)
    assert data["broken"]["L"] == []
    assert len(data["rules"]) == 90
    (capture,) = [each for each in data["rules"] if each["rule"] == "L33"]
    rolled = ludus.make("maedn").position(capture["proof"]["position"]).play(capture["proof"]["roll"])
    assert rolled.move(rolled.action(capture["proof"]["move"])).captures


def test_check_holds_a_name_to_its_promise(ludus_run: Runner) -> None:
    done = ludus_run("rules", "check", "strict", "--option", "pieces=3", "--broken")
    assert done.code == 1
    assert "The name strict promises Strict Ludo, but it breaks S6:" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["check", "strickt"], "did you mean 'strict'?"),
        (["check", "generals"], "generals is not a Ludo rule set"),
        (["check", "/no/such/file.toml"], "No such file"),
        (["check", "strict", "--option", "seats=99"], "board.seats"),
        (["check", "strict", "--option", "seets=3"], "did you mean 'seats'?"),
        (["check"], "FILE_OR_NAME"),
        (["diff", "strict"], "B"),
        (["diff", "strict", "generals"], "generals is not a Ludo rule set"),
        (["diff", "strict", "stra"], "did you mean"),
        (["show", "nothing"], "unknown game"),
        (["check", "strict", "--lang", "de"], "unknown language 'de'"),
        (["new", "--out", "/no/such/folder/x.toml"], "No such file"),
    ],
)
def test_bad_input_is_one_line(ludus_run: Runner, words: list[str], complaint: str) -> None:
    done = ludus_run("rules", *words)
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
    assert len(done.err.splitlines()) == 1


def test_a_file_that_is_no_document_is_bad_input(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    for text, complaint in (
        ("name = ", "not TOML"),
        ('name = "x"\n[board]\nsets = 3\n', "did you mean 'seats'?"),
        ('name = "x"\n[chance]\ndevice = "cards"\n', "chance.cards"),
        ("\x00", "not TOML"),
    ):
        path.write_text(text)
        for task in (["check", str(path)], ["show", str(path)], ["diff", "star", str(path)]):
            done = ludus_run("rules", *task)
            assert (done.code, done.out) == (2, ""), (text, task)
            assert complaint in done.err


# ---------------------------------------------------------------- diff and new


def test_diff(ludus_run: Runner) -> None:
    done = ludus_run("rules", "diff", "strict", "star")
    assert done.code == 0
    assert "\nturn.again_on\n  strict: Nothing gives another roll" in done.out
    assert "\n  star:   A 6 gives another roll.\n" in done.out
    assert ludus_run("rules", "diff", "star", "star").out == "star and star have the same rules.\n"


def test_diff_in_french_and_as_data(ludus_run: Runner) -> None:
    assert (
        "\n  star:   Un 6 donne un lancer de plus.\n"
        in ludus_run("rules", "diff", "strict", "star", "--lang", "fr").out
    )
    data = json.loads(ludus_run("rules", "diff", "strict", "star", "--json").out)
    assert (data["a"], data["b"]) == ("strict", "star")
    (again,) = [each for each in data["differences"] if each["option"] == "turn.again_on"]
    assert again["values"] == [[], ["six"]]
    assert again["words"][1] == "A 6 gives another roll."


def test_new_prints_a_document_that_loads(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "printed.toml"
    path.write_text(ludus_run("rules", "new").out)
    assert ludus.make(str(path)).name == "my-ludo"


@pytest.mark.parametrize("base", documents.shipped())
def test_new_from_a_rule_set_plays_like_it(base: str, ludus_run: Runner, tmp_path: Path) -> None:
    text = ludus_run("rules", "new", "--from", base).out
    written = documents.parse(text, "new")
    assert written == {"name": "my-ludo", "title": "My Ludo", "extends": base} | {
        key: {} for key in written if key not in ("name", "title", "extends")
    }
    path = tmp_path / "mine.toml"
    path.write_text(text)
    found = json.loads(ludus_run("rules", "diff", base, str(path), "--json").out)["differences"]
    assert {each["option"] for each in found} <= {"allowed"}, "a rule set that extends another is free in its options"
    assert "# " in text


def test_new_with_all_options(ludus_run: Runner) -> None:
    text = ludus_run("rules", "new", "--all").out
    assert all(f"\n{key} = " in text for key in ("seats", "leave_on", "turn_limit"))
    assert len(text) > 4 * len(ludus_run("rules", "new", "--from", "classic").out)


def test_what_is_wrong_with_a_file_comes_line_by_line(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\njumps = ["3 > 7"]\n[board]\nseats = 40\n')
    told = ludus_run("rules", "check", str(path), "--lang", "fr")
    assert told.code == 2
    assert told.err.splitlines()[0].endswith("2 choses ne vont pas")
    assert "- option inconnue 'jumps' ; vouliez-vous dire 'board.jumps' ?" in told.err.splitlines()
    data = json.loads(ludus_run("rules", "check", str(path), "--json").out)
    assert len(data["problems"]) == 2


def test_new_writes_a_file_and_never_over_one(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "Sunday Ludo.toml"
    done = ludus_run("rules", "new", "--out", str(path))
    assert done.code == 0
    assert str(path) in done.out
    assert ludus.make(str(path)).name == "sunday-ludo"
    assert ludus_run("rules", "check", str(path), "--broken").code == 0
    path.write_text("mine\n")
    again = ludus_run("rules", "new", "--out", str(path))
    assert again.code == 2
    assert "exists already" in again.err
    assert path.read_text() == "mine\n"


def test_a_title_steers_no_terminal(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'extends = "star"\nname = "mine"\ntitle = "a\\u001b[31mred\\u0000"\nsource = "b\\u001b]0;x\\u0007"\n'
    )
    for words in (("rules", "show", str(path)), ("play", str(path), "--seed", "1", "--you", "green", "--no-colour")):
        out = ludus_run(*words).out
        assert "red" in out
        assert not {"\x1b", "\x00", "\x07"} & set(out)
