"""Every attack that `bench/attack.py` measures, once: what the strangers hear, and what the others do not notice."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from server.test_serve import ROOT, Served

sys.path.insert(0, str(ROOT / "bench"))
from attack import Attackers, tables
from attackers import ALL, ATTACKS, LONG, SHORT

REFUSALS = {"bad_game", "bad_record", "too_fast", "too_hard", "too_large", "bad_request", "no_such_table", "not_now"}


@pytest.mark.parametrize(
    "name", [pytest.param(SHORT, marks=pytest.mark.slow), pytest.param(ALL, marks=pytest.mark.soak)]
)
def test_nobody_notices_strangers_who_mean_no_good(tmp_path: Path, name: str) -> None:
    meant = {one.__name__ for one in ATTACKS.values() if name == ALL or one not in LONG}
    log = tmp_path / "log"
    with log.open("wb") as file:
        server = Served(str(tmp_path / "games.db"), "--address-limit", "100", log=file)
        try:
            heard, errors = asyncio.run(beside(server, name))
        finally:
            server.kill()
    assert errors == []
    assert {one.removeprefix("done: ") for one in heard if one.startswith("done: ")} == meant
    told = {told for told in heard if told[0].isdigit()}
    assert "201" in told
    assert {code for _, _, code in (one.partition(" ") for one in told) if code} <= REFUSALS
    assert not [one for one in told if one.startswith("5")]
    assert "Traceback" not in log.read_text()


async def beside(server: Served, name: str) -> tuple[dict[str, int], list[str]]:
    """What strangers hear while a game goes on, and what went wrong there."""
    (game,) = await tables(server.address, 1)
    listening = await game.sit_down()
    attackers = await asyncio.to_thread(Attackers, name, server.address, 1)
    attacking = asyncio.create_task(asyncio.to_thread(attackers.end, at_once=False))
    while not attacking.done() and not game.errors:
        await game.play(1.0)
    heard = await attacking
    assert not [task for task in listening if task.done()]
    assert game.asked > 0
    for task in listening:
        task.cancel()
    for socket in game.sockets.values():
        socket.transport.abort()
    return heard, game.errors
