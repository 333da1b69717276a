"""The command line as a whole: help, versions, exit codes, and one line for whatever is wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import ludus
from cli.conftest import Runner
from ludus import Record
from ludus.core.messages import LANGUAGES, catalogue

LUDUS = [sys.executable, "-m", "ludus"]
PATIENCE = 280.0


def test_version(ludus_run: Runner) -> None:
    done = ludus_run("--version")
    assert (done.code, done.out) == (0, f"ludus {ludus.__version__}\n")


@pytest.mark.parametrize("words", [["--help"], ["play", "--help"], ["replay", "--help"], ["rules", "--help"],
                                   ["rules", "show", "--help"], ["bench", "--help"]])  # fmt: skip
def test_help(ludus_run: Runner, words: list[str]) -> None:
    done = ludus_run(*words)
    assert done.code == 0
    assert done.out.startswith("usage: ludus")


def files(folder: Path) -> None:
    """Files that the bad command lines name."""
    record = Record.start(ludus.make("star", players=2), seats={"green": "oracle", "blue": "random"})
    record.roll()
    record.save(folder / "saved.jsonl")
    (folder / "damaged.jsonl").write_text((folder / "saved.jsonl").read_text().replace('"n":1', '"n":2'))
    (folder / "empty.jsonl").write_text("")
    (folder / "bytes.jsonl").write_bytes(bytes(range(256)))
    (folder / "wrong.toml").write_text('name = "wrong"\n[finish]\nrule = "teleport"\n')
    (folder / "syntax.toml").write_text("name = \n")
    (folder / "large.toml").write_text("# " + "x" * 70_000)
    (folder / "deep.toml").write_text("a = " + "[" * 500)
    (folder / "dotted.toml").write_text(".".join("a" * 1) + ".a" * 2000 + " = 1\n")


BAD = {
    # what is wrong: (command line, words in the answer)
    "nothing": ("", "say what to do: play, serve, replay, arena, "),
    "unknown command": ("paly", "'paly'"),
    "unknown flag": ("play star --fast", "--fast"),
    "no game": ("play", "which game? There are pettingzoo"),
    "unknown game": ("play pettingzo", "did you mean 'pettingzoo'"),
    "missing rule-set file": ("play no/such.toml", "no/such.toml: No such file"),
    "wrong rule": ("play wrong.toml", "wrong.toml: finish.rule"),
    "no TOML": ("play syntax.toml", "syntax.toml: not TOML"),
    "large document": ("play large.toml", "larger than 64 kB"),
    "deep document": ("play deep.toml", "nested deeper than 16"),
    "dotted key": ("play dotted.toml", "more than 8 parts"),
    "unknown option": ("play star --option end_pat=4", "did you mean 'end_path'"),
    "option without value": ("play star --option dice", "KEY=VALUE"),
    "option without key": ("play star --option =2", "KEY=VALUE"),
    "option of nonsense": ("play star --option dice=1,2", "not a TOML value"),
    "option of two lines": ("play star --option dice=1\nx=2", "not a TOML value"),
    "option out of range": ("play star --option end_path=99", "end_path"),
    "option of another type": ("play star --option end_path=true", "end_path"),
    "long option": ("play star --option dice=" + "1" * 2000, "more than 1000 letters"),
    "deep option": ("play star --option dice=" + "[" * 900, "not a TOML value"),
    "players as an option": ("play star --option players=2", "say --players"),
    "contradiction": ("play star --option pool=double_six", "needs chance.dice = 2 or more"),
    "too many players": ("play star --players 9", "takes 2 to 4 players, not 9"),
    "unknown colour": ("play star --players green,blau", "unknown colour 'blau'"),
    "absent player": ("play star --players 2 --you red", "no player 'red'"),
    "absent seat": ("play star --seats red=you,mauve=you", "no player 'mauve'"),
    "unknown kind": ("play star --seats green=martian", "not 'martian'"),
    "seat without kind": ("play star --seats green", "not ''"),
    "you and seats": ("play star --you green --seats green=you", "not allowed with"),
    "unknown language": ("play star --lang tlh", "unknown language 'tlh'; there are en, fr"),
    "seed of words": ("play star --seed lucky", "--seed"),
    "save nowhere": ("play star --save no/such/game.jsonl", "is not a folder that can be written to"),
    "save over a file": ("play star --save saved.jsonl", "exists already"),
    "resume nothing": ("play --resume nothing.jsonl", "nothing.jsonl: can't be read"),
    "resume damage": ("play --resume damaged.jsonl", "damaged.jsonl, line 2: edited"),
    "resume another game": ("play french --resume saved.jsonl", "is a game of star, not of french"),
    "resume with players": ("play --resume saved.jsonl --players 3", "--players can't go with --resume"),
    "resume with a seed": ("play --resume saved.jsonl --seed 0", "--seed can't go with --resume"),
    "resume an absent bot": ("play --resume saved.jsonl", "green is played by 'oracle'"),
    "recover nothing": ("play star --recover", "--recover goes with --resume"),
    "replay nothing": ("replay", "FILE"),
    "replay a missing file": ("replay nothing.jsonl", "nothing.jsonl: can't be read: No such file"),
    "replay a folder": ("replay .", "can't be read: Is a directory"),
    "replay an empty file": ("replay empty.jsonl", "empty.jsonl, line 1: empty"),
    "replay bytes": ("replay bytes.jsonl --json", "bytes.jsonl, line 1: "),
    "replay damage": ("replay damaged.jsonl", "damaged.jsonl, line 2: "),
    "replay beyond": ("replay saved.jsonl --at 2", "events 1 to 1"),
    "replay before": ("replay saved.jsonl --at -1", "events 1 to 1"),
    "rules of nothing": ("rules", "list|show|check|diff|new|schema"),
    "unknown task": ("rules shwo", "'shwo'"),
    "show nothing": ("rules show", "NAME"),
    "show an unknown game": ("rules show fench", "did you mean 'french'"),
    "schema of an unknown game": ("rules schema fench", "unknown game 'fench'"),
    "bench an unknown game": ("bench fench", "unknown game 'fench'"),
    "bench no time": ("bench --seconds 0", "--seconds is 0.01 to 3600"),
    "bench NaN": ("bench --seconds nan", "--seconds is 0.01 to 3600"),
    "bench words": ("bench --seconds soon", "--seconds"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_writes_nothing(
    case: str, ludus_run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, answer = BAD[case]
    monkeypatch.chdir(tmp_path)
    files(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*")}
    done = ludus_run(*words.split(" ")) if words else ludus_run()
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("ludus: ")
    assert done.err.count("\n") == 1
    assert answer in done.err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*")} == before


def test_control_characters_do_not_reach_the_terminal(ludus_run: Runner) -> None:
    done = ludus_run("replay", "a\x1b[2J\nb")
    assert done.code == 2
    assert "\x1b" not in done.err
    assert done.err.count("\n") == 1


# ---------------------------------------------------------------- real processes


def test_a_real_process_answers_bad_input_in_one_line() -> None:
    done = subprocess.run([*LUDUS, "play", "chess"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ludus: unknown game 'chess'")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m ludus.cli rules schema | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout == "{\n0\n"
    assert done.stderr == ""


def test_a_terminal_without_accents_is_no_error() -> None:
    done = subprocess.run(
        [*LUDUS, "rules", "list"],
        env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_person_never_waits_for_a_compiler(tmp_path: Path) -> None:
    code = "import sys; from ludus.cli import main; main(sys.argv[1:]); sys.exit('llvmlite' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "play", "french", "--seed", "12", "--players", "2"],
        env=os.environ | {"LUDUS_CACHE_DIR": str(tmp_path)},
        input="1\nundo\n1\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Taken back: out" in done.stdout
    assert not list(tmp_path.iterdir())


def test_ctrl_c_leaves_quietly_and_saves(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    process = subprocess.Popen(
        [*LUDUS, "play", "star", "--seed", "1", "--save", str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    # once it waits for an answer
    shown = ""
    while not shown.endswith("> "):
        letter = process.stdout.read(1)
        assert letter, shown
        shown += letter
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert "Saved in" in out
    assert len(Record.load(path)) > 0


# ---------------------------------------------------------------- words


def flat(data: dict[str, Any], before: str = "") -> dict[str, str]:
    pairs: dict[str, str] = {}
    for key, value in data.items():
        pairs |= flat(value, f"{before}{key}.") if isinstance(value, dict) else {before + key: value}
    return pairs


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_is_there_in_every_language_with_the_same_values(lang: str) -> None:
    english, other = flat(catalogue("ludus.cli", "en")), flat(catalogue("ludus.cli", lang))
    assert english.keys() == other.keys()
    for key, text in english.items():
        assert {f[1] for f in Formatter().parse(text)} == {f[1] for f in Formatter().parse(other[key])}, key


def test_the_console_script_is_main() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["scripts"]["ludus"] == "ludus.cli:main"
