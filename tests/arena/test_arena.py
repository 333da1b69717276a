"""Contests: the same whatever plays them, interrupted or not, and whatever a bot does."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

import ludus
from ludus.arena import ArenaStopped, Standings, crew
from ludus.arena.contest import Contest
from ludus.bots.external_process import MOST_PROCESSES
from ludus.core.kernels.codes import TURN
from ludus.core.record import Record, drawn_outcome
from ludus.core.seeds import derived_seed

BotFile = Callable[[str], str]
PATIENCE = 120.0


def small() -> ludus.Game:
    """A game of two that is soon over."""
    return ludus.make("maedn", players=2)


def is_gone(pid: int) -> bool:
    limit = time.monotonic() + PATIENCE
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < limit:
        time.sleep(0.02)
    return not os.path.exists(f"/proc/{pid}")


@pytest.fixture(scope="module")
def plain() -> Standings:
    """First against random, without anything special."""
    return ludus.arena(small(), ["first", "random"], games=8, seed=7)


def test_a_contest_gives_standings(plain: Standings) -> None:
    assert plain.games == 8
    assert set(plain.wins) == {"first", "random"}
    assert sum(plain.wins.values()) == 8
    for bot in plain.bots:
        assert 0 <= bot.total.low <= bot.total.share <= bot.total.high <= 1
        assert bot.total.games == 8
        assert set(bot.seats) == {"green", "blue"}
        assert {share.games for share in bot.seats.values()} == {4}
        assert bot.bradley_terry is not None
        assert bot.openskill is not None
    assert json.loads(json.dumps(plain.to_dict()))["played"] == 8


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_change_nothing(plain: Standings, workers: int) -> None:
    assert ludus.arena(small(), ["first", "random"], games=8, seed=7, workers=workers) == plain


@pytest.mark.slow
def test_worker_processes_change_nothing(bot_file: BotFile, tmp_path: Path) -> None:
    bots = [bot_file("Remembers"), "random"]
    one = ludus.arena(small(), bots, games=6, seed=3, workers=1, seconds=PATIENCE)
    two = ludus.arena(small(), bots, games=6, seed=3, workers=2, seconds=PATIENCE)
    assert one == two
    assert one != ludus.arena(small(), bots, games=6, seed=4, workers=2, seconds=PATIENCE)


def test_bots_may_be_objects(plain: Standings) -> None:
    bots = [ludus.bot("first"), ludus.bot("random")]
    assert ludus.arena(small(), bots, games=8, seed=7).letters == plain.letters


@pytest.mark.slow
def test_records_are_the_games(plain: Standings, tmp_path: Path) -> None:
    standings = ludus.arena(small(), ["first", "random"], games=8, seed=7, records=tmp_path / "records")
    assert standings.letters == plain.letters
    files = sorted((tmp_path / "records").iterdir())
    assert len(files) == 8
    for number, file in enumerate(files):
        record = Record.load(file)
        assert record.result is not None
        winner = list(record.result.values()).index(1.0)
        assert str(winner) == chr(plain.letters[0][number])
        seat = next(iter(record.seats.values()))
        assert seat.name == ("first", "random")[number % 2]


def test_rotations_have_the_same_dice(tmp_path: Path) -> None:
    ludus.arena(small(), ["first", "random"], games=4, seed=7, records=tmp_path)
    records = [Record.load(file) for file in sorted(tmp_path.iterdir())]
    assert [record.seed for record in records[::2]] == [record.seed for record in records[1::2]]
    assert records[0].seed != records[2].seed


def rolls_of(record: Record, player: str) -> list[str]:
    """What a player rolled, in order."""
    game, found = record.position.game, []
    for before, event in zip(record.positions(), record.events, strict=False):
        if event.is_chance and game.players[before.row[TURN]] == player:
            found.append(event.text)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("other", ["random", "heuristic"])
def test_a_seat_rolls_the_same_whatever_the_others_do(tmp_path: Path, other: str) -> None:
    game = ludus.make("classic", players=3)  # a capture gives another roll
    for name, bots in (("one", ["first", "first", "first"]), ("two", ["first", other, other])):
        ludus.arena(game, bots, games=1, seed=5, records=tmp_path / name)
    one, two = (Record.load(min((tmp_path / name).iterdir())) for name in ("one", "two"))
    for player in game.players:
        pairs = list(zip(rolls_of(one, player), rolls_of(two, player), strict=False))
        assert len(pairs) > 20
        assert [a for a, _ in pairs] == [b for _, b in pairs]
    rolls = [[event.text for event in record.events if event.is_chance] for record in (one, two)]
    assert rolls[0][: len(rolls[1])] != rolls[1][: len(rolls[0])]  # the games themselves went apart


@pytest.mark.slow
def test_records_and_compiled_games_are_dealt_alike(tmp_path: Path) -> None:
    game = small()
    recorded = ludus.arena(game, ["greedy", "random"], games=12, seed=8, records=tmp_path)
    compiled = ludus.arena(game, ["greedy", "random"], games=12, seed=8)
    assert recorded.letters == compiled.letters


@pytest.mark.slow
def test_teams_and_single_bots() -> None:
    teams = ludus.arena(ludus.make("pettingzoo", mode="teams"), ["first", "random"], games=4, seed=1)
    assert teams.side_names == ("green+blue", "yellow+red")
    assert sum(teams.wins.values()) == 4
    alone = ludus.arena(ludus.make("generals"), ["random"], games=3, seed=1)
    assert alone["random"].total.share == 1
    assert alone["random"].bradley_terry is None
    assert "random" in alone.text()
    assert "random" in alone.html()


class Interrupt(Exception):
    """Somebody stops the arena."""


def stop_after(games: int) -> Callable[[int, int], None]:
    def progress(done: int, planned: int) -> None:
        if done >= games:
            raise Interrupt

    return progress


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["first", "Remembers"])
def test_an_interrupted_contest_goes_on(bot_file: BotFile, tmp_path: Path, spec: str) -> None:
    bots = [spec if spec == "first" else bot_file(spec), "random"]
    asked = {"games": 16, "seed": 2, "seconds": PATIENCE}
    whole = ludus.arena(small(), bots, **asked)
    journal = tmp_path / "journal"
    for games in (3, 9):
        told = stop_after(games)
        with pytest.raises(Interrupt), Contest(small(), bots, **asked, journal=journal, progress=told) as contest:
            contest.play()
    seen: list[int] = []
    resumed = ludus.arena(small(), bots, **asked, journal=journal, progress=lambda done, _: seen.append(done))
    assert seen[0] >= 9 or spec == "first"  # in the kernel all games may be one line
    assert resumed == whole
    assert resumed.games == 16
    played = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    numbers = [n for line in played for n in range(line["first"], line["first"] + len(line["results"]))]
    assert sorted(numbers) == list(range(16))
    before = journal.read_bytes()
    assert ludus.arena(small(), bots, **asked, journal=journal) == whole
    assert journal.read_bytes() == before


@pytest.mark.slow
def test_a_line_cut_off_is_played_again(bot_file: BotFile, tmp_path: Path) -> None:
    bots, journal = [bot_file("Good"), "random"], tmp_path / "journal"
    asked = {"games": 6, "seed": 2, "journal": journal, "seconds": PATIENCE}
    whole = ludus.arena(small(), bots, **asked)
    for cut in (5, 200):
        journal.write_bytes(journal.read_bytes()[:-cut])
        assert ludus.arena(small(), bots, **asked) == whole
    journal.write_bytes(journal.read_bytes()[:20])
    assert ludus.arena(small(), bots, **asked) == whole


@pytest.mark.slow
def test_a_killed_arena_loses_no_game_and_leaves_nothing(bot_file: BotFile, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    bots = [bot_file("Good"), "random"]
    script = (
        "import ludus, os, sys, time\n"
        "def tell(done, planned):\n"
        "    if done >= 5: print(done, flush=True); time.sleep(10000)\n"
        f"options = dict(games=12, seed=2, seconds={PATIENCE}, journal={str(journal)!r}, progress=tell)\n"
        f"ludus.arena(ludus.make('maedn', players=2), {bots!r}, **options)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline().strip() == b"5"
        children = [int(pid) for pid, parent in all_processes().items() if parent == running.pid]
        running.send_signal(signal.SIGKILL)
    assert children
    assert all(is_gone(pid) for pid in children)
    kept = journal.read_text().count("results")
    assert kept == 5
    resumed = ludus.arena(small(), bots, games=12, seed=2, seconds=PATIENCE, journal=journal)
    assert resumed == ludus.arena(small(), bots, games=12, seed=2, seconds=PATIENCE)


def all_processes() -> dict[int, int]:
    from ludus.bots.keeper import parents

    return parents()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": 3}, "of another contest, seed is 2, not 3"),
        ({"games": 40}, "of another contest, games is 6, not 40"),
        ({"bots": ["random", "first"]}, "of another contest, bots is"),
        ({"game": "star"}, "of another contest, game is 'maedn', not 'star'"),
    ],
)
def test_journals_of_other_contests_are_refused(tmp_path: Path, change: dict[str, object], told: str) -> None:
    journal = tmp_path / "journal"
    asked: dict[str, object] = {"game": "maedn", "bots": ["first", "random"], "games": 6, "seed": 2, "journal": journal}
    Contest(**asked).close()  # type: ignore[arg-type]
    before = journal.read_bytes()
    with pytest.raises(ludus.LudusError, match=told):
        Contest(**(asked | change))  # type: ignore[arg-type]
    assert journal.read_bytes() == before


@pytest.mark.parametrize("text", ["hello\nworld\n", "hello", "[]\n", '{"format":"ludus-record"}\n', "\n\n"])
def test_other_files_are_no_journals(tmp_path: Path, text: str) -> None:
    journal = tmp_path / "journal"
    journal.write_text(text)
    with pytest.raises(ludus.LudusError, match="not a journal of an arena"):
        Contest("maedn", ["first"], 6, 2, journal=journal)
    assert journal.read_text() == text


@pytest.mark.parametrize(
    "line",
    ["{}", "x", '{"table":9,"first":0,"results":"0"}', '{"table":0,"first":5,"results":"0000"}',
     '{"table":0,"first":0,"results":"?"}',
     '{"table":0,"first":0,"results":"00"}\n{"table":0,"first":1,"results":"1"}'],
)  # fmt: skip
def test_damaged_journals_name_the_line(tmp_path: Path, line: str) -> None:
    journal = tmp_path / "journal"
    Contest("maedn", ["first"], 6, 2, journal=journal).close()
    with open(journal, "a") as file:
        file.write(line + "\n")
    with pytest.raises(ludus.LudusError, match=f"line {2 + line.count(chr(10))}: damaged, or games"):
        Contest("maedn", ["first"], 6, 2, journal=journal)


def test_one_arena_writes_a_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    writing = Contest("maedn", ["first"], 6, 2, journal=journal)
    with pytest.raises(ludus.LudusError, match="another arena is writing it"):
        Contest("maedn", ["first"], 6, 2, journal=journal)
    writing.close()
    Contest("maedn", ["first"], 6, 2, journal=journal).close()


@pytest.mark.parametrize(
    ("bots", "options", "told"),
    [
        (["randon"], {}, "did you mean 'random'"),
        (["no-such-bot-at-all"], {}, "unknown bot"),
        (["/no/such/file.py:Bot", "random"], {}, "no such file"),
        ([], {}, "which bots"),
        ("random", {}, "a list of names"),
        ([3], {}, "a bot is a name"),
        (["random"], {"workers": 0}, "workers is a whole number"),
        (["random"], {"seconds": 0}, "seconds is a number above 0"),
        (["random"], {"memory": "1"}, "memory is a number above 0"),
        (["random"], {"on_failure": "explode"}, "on_failure is forfeit, random, stop"),
        (["random"], {"worker": 2}, "no option 'worker'; did you mean 'workers'"),
        (["random"], {"journal": "/no/such/folder/journal"}, "can't be opened"),
        (["exec:"], {}, "which command"),
    ],
)
def test_bad_input_is_told_before_a_game(bots: object, options: dict[str, object], told: str) -> None:
    with pytest.raises(ludus.LudusError, match=told) as caught:
        ludus.arena(small(), bots, games=2, **options)
    assert "\n" not in str(caught.value)


def test_a_file_that_fails_to_import(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import no_such_module\n")
    with pytest.raises(ludus.LudusError, match=r"broken.py fails to import: ModuleNotFoundError"):
        ludus.arena(small(), [f"{path}:Bot", "random"], games=2)
    path.write_text("class Bot: pass\nimport os; os._exit(3)\n")
    with pytest.raises(ludus.LudusError, match=r"bot .*broken.py:Bot can't be made ready: .*exited with code 3"):
        ludus.arena(small(), [f"{path}:Bot", "random"], games=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Raises", "RuntimeError: out of ideas"),
        ("Illegal", "answered '99\\+99'"),
        ("Leaves", "took its process with it: exited with code 5"),
        ("Exits", "contestants.py:Exits failed: SystemExit: bye"),
        ("Interrupts", "failed: KeyboardInterrupt"),
        ("HangsInTheMaking", "gave no answer within \\d+ s"),
        ("Hangs", "gave no answer within \\d+ s"),
        ("HangsAndCatches", "gave no answer within \\d+ s"),
        ("HangsInC", "gave no answer within \\d+ s"),
    ],
)
def test_failing_bots_forfeit_and_the_arena_goes_on(
    bot_file: BotFile, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    monkeypatch.setattr(crew, "GRACE", 3.0)
    # the other bot has no more time than the one that hangs: on a machine that stands still, both get more
    for seconds in (3.0, 15.0, 60.0) if "Hang" in name else (PATIENCE,):
        standings = ludus.arena(small(), [bot_file(name), "first"], games=2, seed=1, seconds=seconds, workers=1)
        if not standings["first"].faults:
            break
    bad = standings[bot_file(name)]
    assert standings.games == 2
    assert bad.forfeits == 2
    assert bad.total.share == 0
    assert [text for *_, who, text in standings.fault_lines if who == 0]
    assert all(re.search(told, text) for *_, who, text in standings.fault_lines if who == 0)
    assert "Faults" in standings.text()


@pytest.mark.slow
def test_random_moves_for_a_bot_that_fails(bot_file: BotFile) -> None:
    standings = ludus.arena(
        small(), [bot_file("Raises"), "first"], games=4, seed=1, on_failure="random", seconds=PATIENCE
    )
    assert standings[bot_file("Raises")].forfeits == 0
    assert standings[bot_file("Raises")].faults == 12  # three in each game, then it is not asked any more
    assert sum(standings.wins.values()) == 4


@pytest.mark.slow
def test_stopping_keeps_the_games_so_far(bot_file: BotFile, tmp_path: Path) -> None:
    journal, seen = tmp_path / "journal", derived_seed(first_deal_seed(), "bots")
    (tmp_path / "later.py").write_text(
        "import os\nclass Later:\n"
        "    keeps_state = False\n"
        "    def choose(self, position):\n"
        f"        if not os.path.exists({str(tmp_path / 'mended')!r}) and position.seed != {seen}:\n"
        "            raise ValueError('not today')\n"
        "        return position.moves()[0]\n"
    )
    bots = [f"{tmp_path / 'later.py'}:Later", "random"]
    asked = {"games": 6, "seed": 1, "workers": 1, "journal": journal, "on_failure": "stop", "seconds": PATIENCE}
    with pytest.raises(ArenaStopped, match="ValueError: not today") as caught:
        ludus.arena(small(), bots, **asked)
    assert caught.value.standings.games == 2
    with pytest.raises(ArenaStopped, match="ValueError: not today") as caught:
        ludus.arena(small(), bots, **(asked | {"journal": None, "seed": 2}))  # in the first game of all
    assert caught.value.standings.games == 0
    (tmp_path / "mended").touch()
    assert ludus.arena(small(), bots, **asked).games == 6


@pytest.mark.slow
def test_a_bot_that_closes_badly_changes_nothing(bot_file: BotFile) -> None:
    asked = {"games": 2, "seed": 7, "seconds": PATIENCE}
    good = ludus.arena(small(), [bot_file("Good"), "random"], **asked)
    assert ludus.arena(small(), [bot_file("ClosesBadly"), "random"], **asked).letters == good.letters


@pytest.mark.parametrize("games", [2, 1000])
def test_a_bot_for_another_game_is_told_before_a_game(games: int) -> None:
    with pytest.raises(ludus.LudusError, match="bot generals plays Generals, not maedn"):
        ludus.arena(small(), ["generals", "random"], games=games)


def test_commands_have_room_beside_each_other_in_a_worker() -> None:
    """Each may take all it is allowed without the worker, which counts them too, being ended."""
    crewed = crew.Crew(ludus.make("maedn"), ["exec:a", "exec:b", "first"], crew.Terms(memory=300), 1)
    memory, processes = crewed.limits
    assert memory >= (8 * 300 + crew.OWN_MEMORY) << 20
    assert processes >= 8 * MOST_PROCESSES
    alone = crew.Crew(ludus.make("maedn"), ["mine.py:Bot", "first"], crew.Terms(memory=300), 1)
    assert alone.limits[0] == (300 + crew.OWN_MEMORY) << 20


def test_a_game_without_choices_can_be_played() -> None:
    one_piece = ludus.make("maedn", players=2, pieces=1)
    assert ludus.arena(one_piece, ["greedy", "random"], games=2, seed=1).games == 2


@pytest.mark.slow
def test_rules_in_python_play_here_and_in_workers(bot_file: BotFile) -> None:
    mercy = str(Path(__file__).parents[2] / "examples" / "mercy.py")
    game = ludus.make("strict", players=2, plugins=[mercy])
    asked = {"games": 4, "seed": 2, "seconds": PATIENCE}
    here = ludus.arena(game, ["first", "random"], **asked)
    there = ludus.arena(game, ["first", "random"], **asked, plugins=[mercy])
    assert (there.letters, there.plies) == (here.letters, here.plies)
    assert here.plies != ludus.arena(ludus.make("strict", players=2), ["first", "random"], **asked).plies
    bad = ludus.arena(game, [bot_file("Raises"), "random"], **asked, plugins=[mercy])
    assert bad[bot_file("Raises")].forfeits == 4


def test_a_game_may_be_a_rule_set_as_data() -> None:
    standings = ludus.arena({"name": "mine", "extends": "maedn"}, ["first"], games=1)
    assert standings.games == 1


def first_deal_seed() -> int:
    from ludus.arena.ring import deal_seed

    return deal_seed(1, 0)


@pytest.mark.slow
def test_floods_and_forks_do_no_harm(
    bot_file: BotFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain: Standings
) -> None:
    monkeypatch.setenv("PIDS", str(tmp_path / "pids"))
    asked = {"games": 4, "seed": 7, "seconds": PATIENCE}
    good = ludus.arena(small(), [bot_file("Good"), "random"], **asked)
    for name in ("Floods", "Forks"):
        assert ludus.arena(small(), [bot_file(name), "random"], **asked).letters == good.letters
    started = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert started
    assert all(is_gone(pid) for pid in started)


@pytest.mark.slow
def test_external_bots_play_in_the_arena() -> None:
    example = Path(__file__).parents[2] / "examples" / "bot.py"
    ends = f"exec:{sys.executable} -c pass"
    bots = [f"exec:{sys.executable} {example}", ends, "first"]
    game = ludus.make("maedn", players=3)
    standings = ludus.arena(game, bots, games=3, seed=1, seconds=PATIENCE)
    assert standings.games == 3
    assert standings[ends].forfeits == 3
    with pytest.raises(ludus.LudusError, match="there is no program 'no-such-command'"):
        ludus.arena(game, ["exec:no-such-command", "first"], games=3, seed=1)


class Prophet:
    """Foretells the roll that follows each of its moves, and keeps what it foretold."""

    foretold: ClassVar[list[tuple[int, str]]] = []

    def choose(self, position: ludus.Position) -> ludus.Move:
        move = position.moves()[0]
        after = position.play(move)
        if after.to_move == "chance":
            Prophet.foretold.append((after.ply, drawn_outcome(after)))
        return move


def test_no_bot_foretells_the_dice(tmp_path: Path) -> None:
    """One of six faces is right by luck, not all of them."""
    from ludus.bots.roster import ForeignBot

    Prophet.foretold.clear()
    game = ludus.make("strict", players=2)
    ludus.arena(game, [ForeignBot(Prophet(), "prophet", 0), "random"], games=1, seed=3, records=tmp_path)
    told, right = 0, 0
    (record, *_) = [ludus.Record.load(path) for path in sorted(tmp_path.iterdir())]
    for ply, outcome in Prophet.foretold:
        if ply < len(record) and record.events[ply].is_chance:
            told, right = told + 1, right + (record.events[ply].text == outcome)
    assert told > 50
    assert right < told / 2


def test_seeds_of_bots_do_not_lead_back_to_the_dice() -> None:
    """What a bot can find out of its own stream is a digest; the game's key is not in reach by `stream` alone."""
    from ludus.bots.bot import seen_by

    position = ludus.make("star").start(seed=77)
    seen = seen_by(Prophet(), position)
    assert seen == position
    assert seen.seed == derived_seed(77, "bots") != 77
    assert seen_by(ludus.bot("heuristic"), position) is position


@pytest.mark.slow
def test_without_a_seed_every_contest_has_its_own_and_a_journal_keeps_it(tmp_path: Path) -> None:
    game = ludus.make("strict", players=2)
    seeds = {ludus.arena(game, ["first", "random"], games=2).settings["seed"] for _ in range(3)}
    assert len(seeds) == 3
    journal = tmp_path / "journal"
    begun = ludus.arena(game, ["first", "random"], games=2, journal=journal)
    again = ludus.arena(game, ["first", "random"], games=2, journal=journal)
    assert again.settings["seed"] == begun.settings["seed"]
