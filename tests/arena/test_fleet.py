"""Work on other machines: a real Ray cluster of three nodes on this one; nothing is lost, nothing counted twice."""

from __future__ import annotations

import ast
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus.analysis.many import analyse_many
from ludus.arena.contest import Contest
from ludus.core.errors import LudusError
from ludus.core.fleet import Threads, checked_workers, fleet_for
from ludus.core.ray_fleet import RayFleet
from ludus.training.school import School
from ludus.training.trainer import train

OBJECTS = 100 << 20
PATIENCE = 120.0


@pytest.fixture(scope="module")
def settings() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        yield patch


@pytest.fixture(scope="module")
def cluster(settings: pytest.MonkeyPatch) -> Iterator[Any]:
    """A head that does no work, and two nodes that do."""
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": OBJECTS}
    head["ray_client_server_port"] = free_port()
    made = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            made.add_node(num_cpus=1, object_store_memory=OBJECTS)
        settings.setenv("RAY_ADDRESS", made.address)
        made.client = f"ray://127.0.0.1:{head['ray_client_server_port']}"
        yield made
    finally:
        settings.delenv("RAY_ADDRESS", raising=False)
        made.shutdown()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


def plain(standings: ludus.Standings) -> dict[str, Any]:
    """Everything but what a clock said."""
    data = standings.to_dict()
    for bot in data["bots"]:
        bot.pop("milliseconds", None)
    return data


def ask(given: Any, order: Any) -> Any:
    return [given.name, order * 2]


def refuse(given: Any, order: Any) -> Any:
    raise LudusError(f"no {order}")


def crash(given: Any, order: Any) -> Any:
    raise ZeroDivisionError("of mine")


def test_threads_do_every_order_once() -> None:
    game = ludus.make("star")
    with Threads(3) as fleet:
        assert sorted(fleet.each(ask, game, range(50))) == [(n, ["star", 2 * n]) for n in range(50)]


def test_what_an_order_raises_is_raised() -> None:
    with Threads(2) as fleet, pytest.raises(LudusError, match="no 0"):
        list(fleet.each(refuse, ludus.make("star"), [0, 0, 0]))


@pytest.mark.parametrize("given", [0, 257, True, 1.5, "many", "ray:", "rayon", "0", "http://x", ""])
def test_workers_that_make_no_sense(given: Any) -> None:
    with pytest.raises(LudusError, match="workers is a whole number from 1 to 256, 'ray', or 'ray://HOST:PORT', not"):
        checked_workers(given)


@pytest.mark.parametrize("given", ["ray://", "ray://here", "ray://a b:1", "ray://host:123456"])
def test_an_address_that_makes_no_sense(given: str) -> None:
    with pytest.raises(LudusError, match="a cluster is written ray://HOST:PORT, not"):
        fleet_for(checked_workers(given))


def test_a_cluster_elsewhere_wants_a_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(LudusError, match="wants a token and there is none: say RAY_AUTH_TOKEN"):
        fleet_for("ray://127.0.0.1:1")


def test_without_ray_the_line_to_type_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setenv("RAY_AUTH_TOKEN", "x" * 64)
    with pytest.raises(LudusError, match=r"pip install 'ludus\[ray\]' brings it"):
        fleet_for("ray")


@pytest.mark.slow
def test_a_cluster_gives_what_one_process_gives(cluster: Any) -> None:
    for bots, games in ((["heuristic", "greedy"], 2_000), (["expectimax", "greedy"], 8)):
        here = ludus.arena("star", bots, games=games, seed=5, workers=1)
        assert plain(ludus.arena("star", bots, games=games, seed=5, workers="ray")) == plain(here)


@pytest.mark.slow
def test_a_rollout_on_a_cluster_is_the_same(cluster: Any) -> None:
    position = ludus.make("star", players=2).start(seed=3)
    here = ludus.rollout(position, games=600, seed=2, by="heuristic", workers=1)
    there = ludus.rollout(position, games=600, seed=2, by="heuristic", workers="ray")
    assert there.to_dict() == here.to_dict()


@pytest.mark.slow
def test_what_an_order_raises_elsewhere_is_raised_here(cluster: Any) -> None:
    game = ludus.make("star")
    with RayFleet() as fleet:
        with pytest.raises(LudusError, match="no 0"):
            list(fleet.each(refuse, game, [0]))
        with pytest.raises(LudusError, match="a task failed: of mine"):
            list(fleet.each(crash, game, [0]))


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.core.ray_fleet.engine_version", lambda: "0.0.9")
    with RayFleet() as fleet, pytest.raises(LudusError, match=r"one has ludus .*, and this is 0\.0\.9"):
        list(fleet.each(ask, ludus.make("star"), [0]))


@pytest.mark.slow
def test_a_lost_node_loses_no_game_and_counts_none_twice(cluster: Any, tmp_path: Path) -> None:
    bots, journal = ["expectimax", "greedy"], tmp_path / "journal.jsonl"
    lost = cluster.add_node(num_cpus=2, object_store_memory=OBJECTS)
    killed = []

    def kill_it(played: int, planned: int) -> None:
        if played >= planned // 4 and not killed:
            killed.append(played)
            cluster.remove_node(lost, allow_graceful=False)

    with Contest("star", bots, 24, 9, workers="ray", journal=journal, progress=kill_it) as contest:
        there = contest.play()
    assert killed
    assert plain(there) == plain(ludus.arena("star", bots, games=24, seed=9, workers=2))
    assert games_in(journal) == list(range(contest.planned))


@pytest.mark.slow
def test_a_cluster_far_away_gives_the_same_to_whoever_has_its_token(cluster: Any) -> None:
    """In processes of their own: one is a client of Ray or is not, and reads its token once."""
    command = [sys.executable, "-m", "ludus", "arena", "star", "heuristic", "greedy", "--games", "200", "--seed", "5"]
    there = subprocess.run(
        [*command, "--json", "--workers", cluster.client], capture_output=True, text=True, check=True
    )
    here = ludus.arena("star", ["heuristic", "greedy"], games=200, seed=5, workers=1)
    assert json.loads(there.stdout) == json.loads(json.dumps(here.to_dict()))
    stranger = os.environ | {"RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_gcs_rpc_server_connect_timeout_s": "1"}
    done = subprocess.run([*command, "--workers", "ray"], capture_output=True, text=True, env=stranger, check=False)
    assert done.returncode == 2, done.stdout
    assert f"no Ray cluster at {cluster.address}; is it there, and has it the token of RAY_AUTH_TOKEN?" in done.stderr


@pytest.mark.slow
def test_a_killed_driver_goes_on_from_its_journal(cluster: Any, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    command = [
        sys.executable, "-m", "ludus", "arena", "star", "expectimax", "greedy", "--games", "24", "--seed", "4",
        "--workers", "ray", "--journal", str(journal), "--json",
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        wait_until(lambda: len(games_in(journal)) >= 4)
        driver.send_signal(signal.SIGKILL)
    before = journal.read_bytes()
    assert 4 <= len(games_in(journal)) < 24
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert journal.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    assert sorted(games_in(journal)) == list(range(24))
    told = json.loads(again.stdout)
    here = ludus.arena("star", ["expectimax", "greedy"], games=24, seed=4, workers=2)
    assert [bot["wins"] for bot in told["bots"]] == [bot["wins"] for bot in plain(here)["bots"]]


@pytest.mark.slow
def test_self_play_on_a_cluster_learns_the_same_and_a_lost_node_changes_nothing(cluster: Any, tmp_path: Path) -> None:
    game = ludus.make("strict", players=2)
    how: dict[str, Any] = {"games": 1_200, "units": 8, "pupils": 4, "apart": 1, "anchors": False}
    here = train(game, out=tmp_path / "here.safetensors", workers=1, **how)
    lost = cluster.add_node(num_cpus=2, object_store_memory=OBJECTS)
    meet, killed = School.meet, []

    def meet_once_more(school: School, kind: str, pupils: Any) -> Any:
        if not killed:
            killed.append(kind)
            cluster.remove_node(lost, allow_graceful=False)
        return meet(school, kind, pupils)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(School, "meet", meet_once_more)
        there = train(game, out=tmp_path / "there.safetensors", workers="ray", **how)
    assert killed
    assert (there.net.weights == here.net.weights).all()
    assert (there.games, there.positions) == (here.games, here.positions)


@pytest.mark.slow
def test_what_ray_tells_of_its_nodes_is_no_part_of_the_answer(cluster: Any, capsys: pytest.CaptureFixture[str]) -> None:
    lost, told = cluster.add_node(num_cpus=1, object_store_memory=OBJECTS), [("", "")]
    with RayFleet():
        cluster.remove_node(lost, allow_graceful=False)

        def tells() -> bool:
            told.append(tuple(capsys.readouterr()))
            return any(lost.node_id in text for texts in told for text in texts)

        wait_until(tells)
    print("the answer")
    assert [out for out, _ in [*told, capsys.readouterr()] if out] == ["the answer\n"]


@pytest.mark.slow
def test_many_records_on_a_cluster_come_to_the_same(cluster: Any, tmp_path: Path) -> None:
    for number in range(3):
        record = ludus.Record.start(ludus.make("strict", players=2), seed=number)
        while len(record) < 30:
            record.roll() if record.position.to_move == "chance" else record.play(record.position.moves()[0])
        record.save(tmp_path / f"{number}.jsonl")
    here = analyse_many([tmp_path], workers=1)
    assert not here.failed
    assert analyse_many([tmp_path], workers="ray").to_dict() == here.to_dict()


def games_in(journal: Path) -> list[int]:
    """The numbers of the games that a journal holds."""
    if not journal.exists():
        return []
    lines = [json.loads(line) for line in journal.read_bytes().rpartition(b"\n")[0].split(b"\n")[1:]]
    return sorted(line["first"] + n for line in lines for n in range(len(line["results"])))


def wait_until(is_so: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
def test_a_laboratory_on_a_cluster_finds_the_same(cluster: Any) -> None:
    game = ludus.make("quick", players=2)
    here = ludus.lab([game], games=100, seed=2, depth="short", workers=1)
    assert ludus.lab([game], games=100, seed=2, depth="short", workers="ray").to_dict() == here.to_dict()


LISTENS = """
import os
from contextlib import suppress
from pathlib import Path
from ludus.core.ray_fleet import RayFleet

def family():
    parents = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            parents[int(process.name)] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
    found = {os.getpid()}
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return found

def sockets(processes):
    for one in processes:
        with suppress(OSError):
            for file in os.listdir(f"/proc/{one}/fd"):
                with suppress(OSError):
                    yield os.readlink(f"/proc/{one}/fd/{file}")

with RayFleet(processors=1):
    held = set(sockets(family()))
    rows = [row.split() for name in ("tcp", "tcp6") for row in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    found = {row[1].rpartition(":")[0] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in held}
print(sorted(found))  # while there is a fleet, what is printed goes to standard error
"""
LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F"}  # as the system writes 127.0.0.1


@pytest.mark.slow
def test_a_cluster_of_one_s_own_listens_on_the_loopback_address_alone(cluster: Any) -> None:
    """Though there is another one on this machine, which nobody named."""
    alone = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    done = subprocess.run([sys.executable, "-c", LISTENS], capture_output=True, text=True, env=alone, check=True)
    found = set(ast.literal_eval(done.stdout))
    assert found
    assert found <= LOOPBACK
