"""Work that guests ask for: elsewhere, one after the other, everybody in turn, and killed where it takes too much."""

from __future__ import annotations

import asyncio
import json
import os
import select
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

import ludus
from ludus.core.errors import LudusError
from ludus.play.labour import Bounds, Overworked, Turns, Workshop
from ludus.play.refusals import Refused
from ludus.play.thinking import Thinker, bot_names, stand_in
from ludus.server.workbench import Workbench

DIAMONDS = [way for n in range(40) for way in (f"t{n} > a{n} > t{n + 1}", f"t{n} > b{n} > t{n + 1}")]
ROOMY = Bounds(seconds=60, memory=1024, clock=600)


def in_workshop(scene: Callable[[Workshop], Awaitable[None]], bounds: Bounds = ROOMY) -> None:
    async def run() -> None:
        workshop = Workshop("server.errands", bounds)
        try:
            await scene(workshop)
        finally:
            workshop.close()

    asyncio.run(run())


def test_everybody_has_a_turn_before_anybody_has_another() -> None:
    turns = Turns()
    for whose, thing in (("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)):
        turns.add(whose, thing)
    assert turns.count("a") == 3
    assert [turns.take() for _ in range(7)] == [1, 4, 5, 2, 6, 3, None]


def test_work_is_done_in_another_process_that_is_kept() -> None:
    async def scene(workshop: Workshop) -> None:
        first, second = [json.loads(await workshop.do("a", "echo", "é\n")) for _ in range(2)]
        assert first[0] == "é\n"
        assert first == second
        assert first[1] != os.getpid()

    in_workshop(scene)


def test_what_a_worker_refuses_is_refused_here_and_what_fails_is_one_line() -> None:
    async def scene(workshop: Workshop) -> None:
        with pytest.raises(Refused, match="not so") as refused:
            await workshop.do("a", "refuse", "not so")
        assert refused.value.code == "bad_game"
        with pytest.raises(LudusError, match="ValueError: of a kind that nobody foresaw"):
            await workshop.do("a", "fail")

    in_workshop(scene)


@pytest.mark.parametrize(("task", "bounds"), [
    ("hang", replace(ROOMY, clock=0.5)), ("burn", replace(ROOMY, seconds=0.5)), ("eat", replace(ROOMY, memory=200)),
])  # fmt: skip
def test_what_takes_too_much_is_killed_and_the_next_is_served(task: str, bounds: Bounds) -> None:
    async def scene(workshop: Workshop) -> None:
        before = json.loads(await workshop.do("a", "echo", "x"))[1]
        workshop.bounds = bounds  # for this one alone: the others may take their time
        with pytest.raises(Overworked):
            await workshop.do("a", task)
        workshop.bounds = replace(ROOMY, memory=bounds.memory)
        after = json.loads(await workshop.do("a", "echo", "x"))[1]
        assert before != after
        with pytest.raises(ProcessLookupError):
            os.kill(before, 0)

    in_workshop(scene, replace(ROOMY, memory=bounds.memory))


def test_work_is_done_one_after_the_other_and_fairly(tmp_path: Path) -> None:
    notes = str(tmp_path / "notes")

    async def scene(workshop: Workshop) -> None:
        asked = [workshop.do("many", "append", notes, f"m{n}") for n in range(4)]
        asked += [workshop.do("few", "append", notes, "f")]
        await asyncio.gather(*asked)
        told = Path(notes).read_text()
        # m1 has its place in the queue before f, where m0 was taken up before f came
        assert told in ("<m0>m0<f>f<m1>m1<m2>m2<m3>m3", "<m0>m0<m1>m1<f>f<m2>m2<m3>m3")

    in_workshop(scene)


def test_who_lets_too_much_wait_is_told_so() -> None:
    async def scene(workshop: Workshop) -> None:
        asked = [asyncio.ensure_future(workshop.do("many", "echo", str(n))) for n in range(12)]
        done = await asyncio.gather(*asked, return_exceptions=True)
        refused = [one for one in done if isinstance(one, Refused)]
        assert {one.code for one in refused} == {"too_fast"}
        assert 12 - len(refused) >= 3
        assert json.loads(await workshop.do("few", "echo", "x"))[0] == "x"

    in_workshop(scene, replace(ROOMY, waiting=3))


def test_closing_ends_a_worker_in_the_middle_of_its_task() -> None:
    async def scene(workshop: Workshop) -> None:
        pid = json.loads(await workshop.do("a", "echo", "x"))[1]
        hanging = asyncio.ensure_future(workshop.do("a", "hang"))
        waiting = asyncio.ensure_future(workshop.do("a", "echo", "y"))
        await asyncio.sleep(0)
        await asyncio.to_thread(workshop.close)
        for one in (hanging, waiting):
            with pytest.raises(Overworked):
                await one
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    in_workshop(scene)


SERVER = """
import asyncio, sys
from ludus.play.labour import Workshop
async def run():
    workshop = Workshop("server.errands")
    print((await workshop.do("a", "echo", "x")).decode(), flush=True)
    await workshop.do("a", "hang")
asyncio.run(run())
"""


def test_workers_do_not_outlive_a_server_that_is_killed() -> None:
    path = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, sys.path)])
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": path}
    )
    assert server.stdout
    pid = json.loads(server.stdout.readline())[1]
    # the pipe's other end, which the worker and its keeper hold too, is closed when the last of them is gone
    ending = os.pidfd_open(pid)
    server.kill()
    server.wait()
    assert select.select([ending], [], [], 60)[0]
    server.stdout.close()
    os.close(ending)


def test_a_board_made_to_explode_is_given_up() -> None:
    """Forty diamonds in a row are 2^40 ways; what is given up ends with its process, and the next document is read."""
    ways = ", ".join(f'"{way}"' for way in ["start > t0", *DIAMONDS, "t40 > finish"])
    document = f'name = "diamonds"\n[board]\nshape = "graph"\nseats = 2\npieces = 2\npaths = [{ways}]\n'

    async def run() -> None:
        hasty, patient = Workbench(Bounds(seconds=0.2)), Workbench()
        try:
            with pytest.raises(Refused) as refused:
                await hasty.data("a", "preview", "", None, {}, document, "en")
            assert refused.value.code == "too_hard"
            small = 'extends = "star"\nname = "small"\n'
            assert (await patient.data("b", "preview", "", None, {}, small, "en"))["name"] == "small"
        finally:
            hasty.close()
            patient.close()

    asyncio.run(run())


def test_who_stops_waiting_ends_the_work_in_the_middle_and_the_next_is_served(tmp_path: Path) -> None:
    begun = tmp_path / "begun"

    async def scene(workshop: Workshop) -> None:
        waiting = asyncio.ensure_future(workshop.do("a", "note_and_hang", str(begun)))
        while not begun.exists():
            await asyncio.sleep(0.01)
        waiting.cancel()
        answer = await asyncio.wait_for(workshop.do("b", "echo", "here"), 120)
        assert json.loads(answer)[1] != int(begun.read_text())

    in_workshop(scene, Bounds(seconds=3000))


def test_a_move_of_a_bot_looks_through_nothing_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes milliseconds in the loop, and other tables wait for them."""
    looks: list[str] = []
    bot_names()
    monkeypatch.setattr("ludus.bots.roster.entry_points", lambda **_: looks.append("") or ())

    async def run() -> None:
        thinker = Thinker()
        position = ludus.make("star").start()
        assert await thinker.choose(position.play("6"), "random") == "out"
        assert stand_in() in bot_names()
        thinker.close()

    asyncio.run(run())
    assert looks == []
