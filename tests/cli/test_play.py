"""`ludus play`: a game at the terminal, as a person types it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from variants import mostly_slow

import ludus
from cli.conftest import Runner
from ludus import Record
from ludus.cli.lines import say
from ludus.cli.screen import Screen, commands
from ludus.core.record import Seat
from ludus.play.telling import place_in_words, winners_told
from ludus.play.thinking import bot_for

# seed 12 of French Ludo for two begins with 6+6, 6+5 for green
FRENCH = ("play", "french", "--players", "2", "--seed", "12")


def events(path: Path) -> list[str]:
    return [event.text for event in Record.load(path).events]


def test_it_shows_the_board_the_dice_and_numbered_moves(ludus_run: Runner) -> None:
    done = ludus_run(*FRENCH)
    assert done.code == 0
    assert "French two-dice Ludo: green (you), blue (bot)" in done.out
    assert "Dice from seed 12" in done.out
    assert "Green to move, rolled 6,6 · 6,5" in done.out
    assert re.search(r"^ +1  out +comes out$", done.out, re.MULTILINE)
    assert re.search(r"^ +2  out\+5 +comes out and goes on to 5$", done.out, re.MULTILINE)
    board = ludus.make("french", players=2).start(seed=12).roll().roll().text(False)
    assert board in done.out


def test_a_seed_is_chosen_and_told(ludus_run: Runner) -> None:
    seeds = {re.search(r"seed (\d+)", ludus_run("play", "star").out).group(1) for _ in range(2)}  # type: ignore[union-attr]
    assert len(seeds) == 2


def test_moves_by_number_and_by_notation(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    done = ludus_run(*FRENCH, "--save", str(path), answers=["1", " 0+5+6 ", "out", "quit"])
    assert events(path)[2:] == ["out", "0+6+5", "out"]
    assert "dice left: 6 6 5" in done.out
    assert f"Saved in {path}" in done.out


def test_an_illegal_move_is_answered_with_the_reason_and_the_rule(ludus_run: Runner) -> None:
    done = ludus_run(*FRENCH, answers=["buy", "12+5", "99", "nonsense"])
    assert "No piece is held by an opponent (F11)" in done.out
    assert "Green has no piece on 12" in done.out
    assert "Legal moves are numbered 1 to 6; there is no 99." in done.out
    assert "'nonsense' is not a move; write for example out" in done.out


HINTED = ("play", "french", "--players", "2", "--seed", "12", "--hints")


def test_hints_show_the_best_moves_and_the_reasons(ludus_run: Runner) -> None:
    done = ludus_run(*HINTED, answers=["quit"])
    told = done.out.partition("heuristic would play:\n")[2].splitlines()
    assert len(told) >= 3
    for line in told[:3]:
        assert re.fullmatch(r"  \S+ +-?[\d,]+  [a-z].*", line), line
    scores = [float(line.split()[1].replace(",", "")) for line in told[:3]]
    assert scores == sorted(scores, reverse=True)
    assert "brings a piece out, counts 5 times: the opening" in told[0]


def test_hints_of_another_bot_in_another_language(ludus_run: Runner) -> None:
    done = ludus_run(*HINTED, "greedy", "--lang", "fr", answers=["quit"])
    assert "greedy jouerait :" in done.out


def test_an_adviser_that_fails_does_not_end_the_game(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "adviser.py"
    path.write_text("class Lost:\n    def choose(self, position):\n        raise ValueError('no idea')\n")
    saved = tmp_path / "game.jsonl"
    done = ludus_run(*HINTED, f"{path}:Lost", "--save", str(saved), answers=["1", "quit"])
    assert done.code == 0
    assert "bot Lost failed: ValueError: no idea" in done.out
    assert events(saved)[2:] == ["out"]


@pytest.mark.parametrize(("bot", "told"), [("generals", "plays Generals, not french"), ("heuristik", "did you mean")])
def test_an_adviser_who_can_not_advise_is_told_at_once(ludus_run: Runner, bot: str, told: str) -> None:
    done = ludus_run(*HINTED, bot)
    assert done.code == 2
    assert told in done.err
    assert done.out == ""


def test_why(ludus_run: Runner) -> None:
    done = ludus_run(*FRENCH, answers=["why buy", "why 2", "why", "why 77", "why out"])
    assert "No piece is held by an opponent (F11)" in done.out
    assert "out+5 is legal: comes out and goes on to 5." in done.out
    assert "For example: why out" in done.out
    assert "there is no 77" in done.out
    assert "out is legal: comes out." in done.out


def test_undo_goes_back_to_the_last_roll_and_no_further(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    done = ludus_run(*FRENCH, "--save", str(path), answers=["1", "1", "undo", "undo", "undo", "2", "quit"])
    assert re.findall(r"Taken back: (\S+)", done.out) == ["0+5", "out"]
    assert done.out.count("Nothing to take back") == 1
    assert events(path)[2:] == ["out+5"]


def test_the_last_move_of_a_turn_can_be_taken_back(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    answers = ["out+6+6+5", "undo", "out+6", "6+5", "11+6", "undo", "quit"]
    done = ludus_run(*FRENCH, "--save", str(path), answers=answers)
    assert "Enter: go on · undo: take it back> " in done.out
    assert events(path)[2:] == ["out+6", "6+5"]


def test_after_a_roll_there_is_nothing_to_undo(ludus_run: Runner) -> None:
    done = ludus_run(*FRENCH, answers=["out+6+6+5", "", "undo"])
    assert "Taken back" not in done.out
    assert "Nothing to take back: the dice have been rolled" in done.out


def test_bots_are_told_in_a_line_each(ludus_run: Runner) -> None:
    done = ludus_run(*FRENCH, answers=["out+6+6+5", ""])
    told = [line for line in done.out.splitlines() if line.startswith("blue  ")]
    assert told
    assert all(re.fullmatch(r"blue +(\d,\d( · )?)* *\S+ +.*", line) for line in told)


def test_help_board_rules_and_moves(ludus_run: Runner) -> None:
    done = ludus_run(*FRENCH, answers=["help", "?", "board", "rules", "moves", ""])
    assert done.out.count("save [FILE]") == 2
    assert done.out.count("turn: green") == 2
    assert "THE BOARD" in done.out
    assert "CAPTURES" in done.out
    assert done.out.count("out+6+6+5") == 3


def test_in_french(ludus_run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = ["pourquoi buy", "aide", "1", "annuler", "undo", "coups", "quitter"]
    done = ludus_run(*FRENCH, "--lang", "fr", answers=answers)
    assert "vert (vous), bleu (robot)" in done.out
    assert "Vert joue, a lancé 6,6 · 6,5" in done.out
    assert "(F11)" in done.out
    assert "pourquoi COUP" in done.out
    assert "Coup repris : out" in done.out
    assert "Rien à reprendre" in done.out
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert "votre coup" in ludus_run(*FRENCH).out


def test_the_language_s_own_commands_and_english_ones_are_understood() -> None:
    assert commands("en")["undo"] == "undo"
    assert "annuler" not in commands("en")
    assert commands("fr")["annuler"] == commands("fr")["undo"] == "undo"


def test_end_of_input_leaves_and_saves(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    done = ludus_run(*FRENCH, "--save", str(path), answers=["1"])
    assert done.code == 0
    assert events(path)[2:] == ["out"]
    assert "The game is not saved." in ludus_run(*FRENCH, answers=["1"]).out


def test_saving_on_request(ludus_run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("mine")
    answers = ["save", "save taken", "save no/folder/x", "save here.jsonl", "1", "save", "save taken", "quit"]
    done = ludus_run(*FRENCH, answers=answers)
    assert "Save where?" in done.out
    assert done.out.count("taken exists already") == 2
    assert "no/folder/x: can't be written" in done.out
    assert (tmp_path / "taken").read_text() == "mine"
    assert events(tmp_path / "here.jsonl")[2:] == ["out"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["here.jsonl", "taken"]


@pytest.mark.parametrize("game", ["pettingzoo", "french"])
def test_a_resumed_game_goes_on_exactly(game: str, ludus_run: Runner, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    start = ("play", game, "--seed", "3", "--save")
    ludus_run(*start, str(whole), answers=["1"] * 12)
    ludus_run(*start, str(parts), answers=["1"] * 5)
    done = ludus_run("play", "--resume", str(parts), answers=["1"] * 4)
    assert "The game goes on after" in done.out
    ludus_run("play", game, "--resume", str(parts), answers=["1"] * 3)
    assert parts.read_text() == whole.read_text()


def test_resuming_under_another_name_keeps_the_old_file(ludus_run: Runner, tmp_path: Path) -> None:
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    ludus_run(*FRENCH, "--save", str(old), answers=["1"])
    before = old.read_text()
    ludus_run("play", "--resume", str(old), "--save", str(new), answers=["1"])
    assert old.read_text() == before
    assert len(events(new)) == len(events(old)) + 1


def test_a_cut_record_can_be_resumed(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    ludus_run(*FRENCH, "--save", str(path), answers=["1", "1"])
    path.write_text(path.read_text()[:-20])
    assert "line 5: cut off" in ludus_run("play", "--resume", str(path)).err
    assert ludus_run("play", "--resume", str(path), "--recover", answers=["2"]).code == 0
    assert events(path)[2:] == ["out", "0+6"]


def test_seats(ludus_run: Runner, tmp_path: Path) -> None:
    done = ludus_run("play", "star", "--seats", "yellow=you,red=you")
    assert "green (bot), yellow (you), blue (bot), red (you)" in done.out
    done = ludus_run("play", "star", "--players", "green,red", "--you", "red")
    assert "green (bot), red (you)" in done.out
    path = tmp_path / "game.jsonl"
    ludus_run(*FRENCH, "--save", str(path), answers=["1"])
    assert Record.load(path).seats == {"green": Seat("you", "person"), "blue": Seat("heuristic", "heuristic")}
    done = ludus_run("play", "--resume", str(path), "--you", "blue", answers=[])
    assert "green (bot), blue (you)" in done.out


@pytest.mark.parametrize("game", mostly_slow(ludus.games(), "classic", "french", "generals", "ur"))
def test_bots_alone_play_to_the_end(game: str, ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    first = ludus.make(game).players[0]
    done = ludus_run("play", game, "--seats", f"{first}=random", "--seed", "4", "--save", str(path))
    result = Record.load(path).result
    assert result is not None
    winners = [player for player, value in result.items() if value == max(result.values()) > 0]
    told = {0: "Nobody wins.", 1: f"{' and '.join(winners)} wins."}.get(len(winners), f"{' and '.join(winners)} win.")
    assert told.capitalize() in done.out


def test_equals_at_a_turn_limit_share_the_first_place() -> None:
    """Nobody got more than a draw, so nobody is told to have won."""
    result = {"green": -1.0, "yellow": 0.0, "blue": 0.0}
    assert winners_told(result, "en") == "Yellow and blue share the first place."
    assert winners_told(result, "fr") == "Jaune et bleu se partagent la première place."
    assert winners_told({"green": 1.0, "yellow": -1.0, "blue": 1.0}, "en") == "Green and blue win."
    assert winners_told({"green": 0.0, "yellow": 0.0}, "en") == "Nobody wins."


def test_a_person_can_win(ludus_run: Runner) -> None:
    short = ("play", "star", "--players", "2", "--option", "pieces=1", "--seed", "2")
    done = ludus_run(*short, answers=["1", ""] * 200)
    assert done.code == 0
    assert "wins." in done.out
    assert "not saved" not in done.out


def test_teams_win_together(ludus_run: Runner) -> None:
    done = ludus_run("play", "pettingzoo", "--option", "mode=teams", "--seats", "green=random", "--seed", "1")
    assert re.search(r"(Green and blue|Yellow and red) win\.", done.out)


def test_options_are_toml_values_and_bare_words(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    options = ["--option", "end_path=4", "--option", 'block.stops="all"', "--option", "finish=bounce",
               "--option", "safe.tiles=[0, 3]", "--option", "corners = true"]  # fmt: skip
    ludus_run("play", "pettingzoo", *options, "--save", str(path))
    rules = Record.load(path).game.rules
    assert (rules.board.end_path, rules.block.stops, rules.finish.rule) == (4, "all", "bounce")
    assert (rules.safe.tiles, rules.board.corners) == ((0, 3), True)


def test_a_rule_set_file_can_be_played(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ntitle = "My own"\nextends = "star"\n[board]\npieces = 2\n')
    assert "My own: green (you)" in ludus_run("play", str(path)).out


def table_at(data: dict[str, object], capsys: pytest.CaptureFixture[str]) -> str:
    game = ludus.make("french", players=2)
    record = Record.start(game, {"green": "person", "blue": "random"}, position=game.position(data))
    Screen(record, "en", False, None).play()
    return capsys.readouterr().out


def test_very_many_moves_are_listed_in_part(ludus_run: Runner, capsys: pytest.CaptureFixture[str]) -> None:
    ludus_run("--version")  # sets the input that ends at once
    pieces = {"green": [2, 5, 11, 30], "blue": [16, 20, 40, "start"]}
    out = table_at({"pieces": pieces, "turn": "green", "dice": [6, 6, 6, 6, 5, 3]}, capsys)
    listed = re.findall(r"^ +\d+  (\S+)  (.*)$", out, re.MULTILINE)
    assert 0 < len(listed) <= 24
    assert ("11+5", "captures blue on 16") in [(move, does.strip()) for move, does in listed]
    assert re.search(r"… and \d+ more: moves lists all \d+", out)


def test_the_bots_choice_depends_on_seed_and_ply_alone() -> None:
    game = ludus.make("star", players=2)
    pieces = {"green": [1, 5, 11, 30], "blue": [16, 20, 40, "start"]}
    data = {"pieces": pieces, "turn": "green", "dice": [2]}
    choose = bot_for("random").choose
    chosen = {str(choose(game.position(data, seed=seed))) for seed in range(50)}
    assert chosen == {str(move) for move in game.position(data).moves()}
    assert choose(game.position(data, seed=8)) == choose(game.position(data, seed=8))


def test_the_third_six_and_the_roll_off_are_told(ludus_run: Runner) -> None:
    done = ludus_run("play", "strict", "--players", "2", "--seats", "green=random", "--seed", "4")
    assert "roll-off; blue rolls next" in done.out
    bots = ("play", "pettingzoo", "--seats", "green=random", "--seed")
    games = "".join(ludus_run(*bots, str(seed)).out for seed in range(4))
    assert re.search(r"6 +not played; \w+ rolls next", games)


def test_at_a_terminal_a_forced_move_needs_no_second_enter(ludus_run: Runner) -> None:
    done = ludus_run("play", "pettingzoo", "--seed", "3", answers=["", "", ""], terminal=True)
    assert "take it back" not in done.out
    assert done.out.count("Enter plays 1") == 4


def test_at_a_terminal_a_move_typed_at_the_pause_is_not_kept(ludus_run: Runner) -> None:
    done = ludus_run(*FRENCH, answers=["out+6+6+5", "1", "undo", "quit"], terminal=True)
    assert "The move is made: Enter goes on" in done.out
    assert "Taken back: out+6+6+5" in done.out


def test_colours_only_where_a_terminal_wants_them(ludus_run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\033[" in ludus_run(*FRENCH, terminal=True).out
    assert "\033[" not in ludus_run(*FRENCH).out
    assert "\033[" not in ludus_run(*FRENCH, "--no-colour", terminal=True).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\033[" not in ludus_run(*FRENCH, terminal=True).out


def test_a_record_of_play_is_json_lines(ludus_run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    ludus_run(*FRENCH, "--save", str(path), answers=["1"])
    header, *rest = (json.loads(line) for line in path.read_text().splitlines())
    assert header["seats"]["green"] == {"name": "you", "kind": "person"}
    assert [line["n"] for line in rest] == [1, 2, 3]


@pytest.fixture
def endgame() -> ludus.Position:
    """Green needs a 2 to win, and has rolled it."""
    pieces = {"green": ["end:3", "finish", "finish", "finish"], "blue": [20, "start", "start", "start"]}
    return ludus.make("star", players=2).position({"pieces": pieces, "turn": "green", "dice": [2]})


def test_it_plays_on_from_a_position(ludus_run: Runner, tmp_path: Path, endgame: ludus.Position) -> None:
    path, data = tmp_path / "game.jsonl", tmp_path / "endgame.json"
    data.write_text(json.dumps(endgame.to_dict()))
    for given in (endgame.id, str(data)):
        done = ludus_run("play", "star", "--players", "2", "--position", given, "--save", str(path), answers=["1"])
        assert done.code == 0, done.err
        record = Record.load(path)
        assert record.at(0) == endgame
        assert record.result == {"green": 1.0, "blue": -1.0}
        path.unlink()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("1msez", "a character is wrong or missing"),
        ("nowhere.json", "can't be read: No such file"),
        ("list.json", "a JSON object as position.to_dict() gives, not [1]"),
        ("broken.json", "not JSON; it holds what position.to_dict() gives"),
        ("wrong.json", "unknown key"),
    ],
)
def test_a_bad_position_is_told(ludus_run: Runner, tmp_path: Path, given: str, words: str) -> None:
    for name, text in (("list.json", "[1]"), ("broken.json", "{"), ("wrong.json", '{"pices": {}}')):
        (tmp_path / name).write_text(text)
    where = str(tmp_path / given) if given.endswith(".json") else given
    done = ludus_run("play", "star", "--position", where)
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1


def test_no_game_begins_where_it_is_over(ludus_run: Runner, endgame: ludus.Position) -> None:
    done = ludus_run("play", "star", "--players", "2", "--position", endgame.play("end:3+2").id)
    assert (done.code, done.err) == (2, "ludus: play: in this position the game is over\n")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_help_fits_on_a_terminal(lang: str) -> None:
    lines = say("help", lang).splitlines()
    assert len(lines) > 8
    assert max(map(len, lines)) < 80


@pytest.mark.parametrize(
    ("place", "en", "fr"),
    [
        ("start", "yard", "maison"),
        ("held:yellow", "captive of yellow", "prisonnier de jaune"),
        ("end:1", "end path 2", "couloir 2"),
        ("12", "12", "12"),
        ("b7", "b7", "b7"),
    ],
)
def test_places_are_words(place: str, en: str, fr: str) -> None:
    assert (place_in_words(place, "en"), place_in_words(place, "fr")) == (en, fr)


def test_the_list_of_moves_names_places_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    game = ludus.make("french", players=2)
    pieces = {"green": ["start", 10, 20, "held:blue"], "blue": [30, "start", "start", "start"]}
    position = game.position({"pieces": pieces, "turn": "green", "dice": [6, 5]})
    record = Record.start(game, {"green": "person", "blue": "random"}, position=position)
    screen = Screen(record, "fr", colour=False, path=None)
    screen._show_moves(100)
    printed = capsys.readouterr().out
    assert "maison" in printed
    assert "start" not in printed
    assert "held" not in printed
