"""The server inside a page, with a box of a test's own: the same answers and messages as over a network."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.analysis.prospects import after_moves, after_rolls, worth_of
from ludus.analysis.sight import values_for
from ludus.core.kernels.codes import CHANCE, DECISION, STAGE
from ludus.server import catalogue
from ludus.server.in_page import PageServer


class Box:
    """Keeps tables in memory; full after `room` facts."""

    def __init__(self, room: int = 10_000) -> None:
        self.tables: dict[str, list[Any]] = {}
        self.room = room

    async def begin(self, table: str, opening: str, facts: str) -> None:
        self.tables[table] = [json.loads(opening), json.loads(facts)]

    async def append(self, table: str, facts: str) -> None:
        new = json.loads(facts)
        self.room -= len(new)
        if self.room < 0:
            raise RuntimeError("QuotaExceededError")
        self.tables[table][1] += new

    async def load(self, table: str) -> str:
        return json.dumps(self.tables[table]) if table in self.tables else ""


class Page:
    """A page with one line to a table."""

    def __init__(self, box: Box) -> None:
        self.server = PageServer(box)
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.closed: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        text = None if body is None else body if isinstance(body, str) else json.dumps(body)
        status, kind, answer = await self.server.answer(method, path, text)
        assert kind == "application/json"
        return status, answer if path.endswith("/record") else json.loads(answer)

    async def sit(self, made: dict[str, Any]) -> dict[str, Any]:
        await self.server.open(
            1, made["table"], lambda text: self.heard.put_nowait(json.loads(text)), self.closed.set_result
        )
        await self.say(type="hello", tokens=list(made["tokens"].values()))
        return await self.hears("table")

    async def say(self, **message: Any) -> None:
        await self.server.hear(1, json.dumps(message))

    async def hears(self, kind: str) -> dict[str, Any]:
        while (message := await self.heard.get())["type"] != kind:
            pass
        return message


ALONE = {"game": "strict", "players": 2, "pace": 0, "seats": {"green": {"kind": "person"}, "blue": {"kind": "bot"}}}


def run(work: Any) -> Any:
    return asyncio.run(work)


def test_a_game_is_played_kept_and_found_again():
    async def play() -> None:
        box = Box()
        page = Page(box)
        status, made = await page.ask("POST", "/api/tables", ALONE)
        assert status == 201
        table = await page.sit(made)
        assert table["you"] == ["green"]
        await page.say(type="roll", id="a", ply=0)
        done = await page.hears("done")
        assert done["id"] == "a"
        kept = len(box.tables[made["table"]][1])
        assert kept >= 1

        again = Page(box)  # the page was closed and opened again
        assert (await again.sit(made))["table"]["version"] >= kept
        status, replay = await again.ask("GET", f"/api/tables/{made['table']}/replay?from=0&count=10&lang=fr")
        assert status == 200
        assert replay["count"] >= 2
        status, record = await again.ask("GET", f"/api/tables/{made['table']}/record")
        status, uploaded = await again.ask("POST", "/api/records", record)
        assert status == 201
        assert uploaded["table"] in box.tables

    run(play())


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/api/games/nosuch", None, 404, "unknown_game"),
        ("GET", "/api/nowhere", None, 404, "not_found"),
        ("GET", "/api/tables/nosuch", None, 404, "no_such_table"),
        ("POST", "/api/tables", {"game": "strict", "colour": 1}, 400, "bad_request"),
        ("POST", "/api/documents", {"document": "name = 3"}, 400, "bad_game"),
        ("POST", "/api/records", "no record", 400, "bad_record"),
        ("GET", "/api/tables/nosuch/replay?from=many", None, 400, "bad_request"),
    ],
)
def test_what_is_wrong_is_told_as_a_server_tells_it(method, path, body, status, code):
    async def ask() -> tuple[int, Any]:
        return await Page(Box()).ask(method, path, body)

    answered, told = run(ask())
    assert (answered, told["error"]["code"]) == (status, code)
    assert told["error"]["text"]


def test_french_is_spoken():
    async def ask() -> tuple[Any, Any]:
        page = Page(Box())
        return (await page.ask("GET", "/api/games?lang=en"))[1], (await page.ask("GET", "/api/games?lang=fr"))[1]

    english, french = run(ask())
    assert [one["name"] for one in english] == [one["name"] for one in french]
    assert [one["about"] for one in english] != [one["about"] for one in french]


def test_a_full_browser_says_so_and_loses_nothing_that_was_acknowledged():
    async def play() -> None:
        page = Page(Box(room=0))
        _, made = await page.ask("POST", "/api/tables", ALONE)
        await page.sit(made)
        await page.say(type="roll", id="a", ply=0)
        assert (await page.hears("error"))["code"] == "store_failed"
        assert await page.closed == 1012

    run(play())


def test_a_table_that_is_not_there_closes_the_line():
    async def knock() -> int:
        page = Page(Box())
        await page.server.open(1, "nosuch", lambda text: None, page.closed.set_result)
        return await page.closed

    assert run(knock()) == 4404


WITHOUT = """
import sys
from pathlib import Path

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "llvmlite", "sqlalchemy", "fastapi", "rich", "openskill"):
            raise ImportError(f"a page has no {name}")

sys.meta_path.insert(0, Nothing())
import ludus
from ludus.server import catalogue, in_page

for name in ludus.games():
    catalogue.in_full(name, "fr")
    position = ludus.make(name).start(seed=1)
    bot = ludus.bot("heuristic", seed=1)
    for _ in range(12):
        position = position.roll() if position.to_move == "chance" else position.play(bot.choose(position))
        position.scene("fr")
print(len(ludus.games()))
"""


def test_every_game_is_shown_and_played_without_numpy_compiler_and_data_base():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert int(done.stdout) == len(ludus.games())


def test_a_board_that_nobody_has_drawn_is_laid_on_circles_without_numpy(monkeypatch):
    from ludus.games.ludo.picture import layout

    monkeypatch.setattr(layout, "np", None)
    points = layout.laid_out(9, frozenset({(0, 1), (1, 2)}), ((0, 1, 2, 3, 4, 5, 6),), ())
    assert len(set(points)) == 9


SITE = Path(__file__).parents[2] / "site"
BOTS = ("heuristic", "td", "td2", "expectimax", "mcts:simulations=200")
CHOSEN = f"""
import json, ludus

def chosen(name):
    position = ludus.make(name).start(seed=3)
    bots, found = [ludus.bot(bot, seed=1) for bot in {BOTS}], []
    while len(found) < 4:
        moves = position.moves() if position.to_move != "chance" else []
        if len(moves) > 1:
            found.append([str(bot.choose(position)) for bot in bots])
        position = position.play(moves[-1]) if moves else position.roll()
    return found

said = json.dumps({{name: chosen(name) for name in ("classic", "french", "generals")}})
said
"""


def in_page(program: str, tmp_path: Path) -> Any:
    """What a program prints in the Python of the site's page."""
    assert SITE.exists(), "no site/; `make site` builds it"
    file = tmp_path / "program.py"
    file.write_text(program)
    root = SITE.parent
    command = [root / "scripts" / "web", "run", root / "tests" / "page_python.mjs", SITE / "pyodide", file]
    done = subprocess.run(
        [*map(str, command), str(SITE / "python" / "ludus.zip")], capture_output=True, text=True, check=False, cwd=root
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.slow
def test_bots_choose_in_a_page_what_they_choose_elsewhere(tmp_path):
    """Search and nets by kernels in WebAssembly, without NumPy: the same moves."""
    here: dict[str, Any] = {}
    exec(CHOSEN, here)
    assert in_page(CHOSEN, tmp_path) == json.loads(here["said"])


EXPLAINED = """
import json, ludus
from ludus.core.record import Record
from ludus.server.analyst import values

def explained(name):
    game, bot = ludus.make(name), ludus.bot("random", seed=1)
    record = Record.start(game, seed=3)
    while len(record) < 60:
        position = record.position
        record.roll() if position.to_move == "chance" else record.play(bot.choose(position))
    moments = [values(game.document(), record.at(ply).to_dict(), None, "fr") for ply in (0, 1, 21, 40)]
    return [ludus.analyse(record).to_dict(), moments]

said = json.dumps({name: explained(name) for name in ("classic", "french", "generals")})
said
"""


@pytest.mark.slow
def test_games_are_explained_in_a_page_as_elsewhere(tmp_path):
    """Analyses and the values of positions without NumPy: the same but for the last digits."""
    here: dict[str, Any] = {}
    exec(EXPLAINED, here)
    assert_alike(in_page(EXPLAINED, tmp_path), json.loads(here["said"]))


def assert_alike(found: Any, expected: Any) -> None:
    """The same data, with numbers that are as good as equal."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for key, one in expected.items():
            assert_alike(found[key], one)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_alike(one, other)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=1e-9)
    else:
        assert found == expected


@pytest.mark.parametrize("name", ["classic", "generals"])
def test_values_need_no_numpy(name, monkeypatch):
    game = ludus.make(name, players=2).compile()
    rows = [position.row for position in played(game, 40).positions()]
    deciding, chances = ([row for row in rows if row[STAGE] == stage] for stage in (DECISION, CHANCE))
    value = values_for(game)
    moves, rolls, worth = (
        after_moves(game, value, deciding), after_rolls(game, value, chances), worth_of(game, value, rows[0])
    )  # fmt: skip
    monkeypatch.setattr("ludus.analysis.prospects.has_numpy", lambda: False)
    monkeypatch.setattr("ludus.bots.net_desk.has_numpy", lambda: False)
    assert [one.actions for one in after_moves(game, value, deciding)] == [one.actions for one in moves]
    plain = after_moves(game, value, deciding) + after_rolls(game, value, chances)
    assert_alike([one.worth for one in plain], [one.worth for one in moves + rolls])
    assert_alike([one.weights for one in after_rolls(game, value, chances)], [one.weights for one in rolls])
    assert_alike(worth_of(game, value, rows[0]), worth)


def played(game: ludus.Game, most: int) -> ludus.Record:
    """A game by random moves, as far as that."""
    record, bot = ludus.Record.start(game, seed=3), ludus.bot("random", seed=1)
    while len(record) < most and record.result is None:
        position = record.position
        record.roll() if position.to_move == "chance" else record.play(bot.choose(position))
    return record


def test_a_page_explains_games_that_are_over_and_positions() -> None:
    whole = played(ludus.make("strict", players=2), 5_000)

    async def ask() -> list[Any]:
        page = Page(Box())
        kept = (await page.ask("POST", "/api/records", whole.dumps()))[1]["table"]
        going = (await page.ask("POST", "/api/tables", ALONE))[1]["table"]
        told = [await page.ask("GET", f"/api/tables/{table}/analysis?lang=fr") for table in (kept, going)]
        return [*told, await page.ask("POST", "/api/positions/values", {"table": kept, "ply": 1})]

    (status, analysis), (refused, error), (valued, worth) = run(ask())
    assert (status, valued) == (200, 200)
    assert len(analysis["curve"]) == len(whole) + 1
    assert analysis["words"]
    assert (refused, error["error"]["code"]) == (409, "not_now")
    assert sum(worth["values"].values()) == pytest.approx(1.0)
    assert len(worth["moves"]) == len(whole.at(1).moves())


def test_a_page_offers_only_bots_that_it_can_run():
    offered = [bot["name"] for bot in catalogue.listed_bots("en", in_page=True)]
    assert "rollout" not in offered
    assert (
        {"random", "heuristic", "td", "td2", "mcts"}
        <= set(offered)
        <= {bot["name"] for bot in catalogue.listed_bots("en")}
    )
