"""Games in the kernel are the games that bots play one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludus
from ludus.arena import contest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "bots"),
    [
        ("pettingzoo", {}, ["heuristic", "random"]),
        ("pettingzoo", {"mode": "teams"}, ["greedy", "first"]),
        ("generals", {}, ["greedy", "random"]),
    ],
)
def test_kernel_and_python_agree(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, options: dict[str, str], bots: list[str]
) -> None:
    game = ludus.make(name, **options)
    asked = {"games": 8, "seed": 11}
    in_python = ludus.arena(game, bots, **asked)
    monkeypatch.setattr(contest, "KERNEL_PAYS", 1)
    monkeypatch.setattr(contest, "MOST_DEALS_AT_ONCE", 1)
    assert contest.Contest(game, bots, **asked).runs_in_kernel
    in_kernel = [ludus.arena(game, bots, **asked, workers=workers) for workers in (1, 2)]
    assert in_kernel == [in_python, in_python]
    assert in_kernel[0].plies == in_python.plies
    # begun in Python, ended in the kernel
    journal = tmp_path / "journal"
    with monkeypatch.context() as patch:
        patch.setattr(contest, "KERNEL_PAYS", 1000)
        with pytest.raises(InterruptedError), contest.Contest(game, bots, **asked, journal=journal, progress=stop) as c:
            c.play()
    resumed = ludus.arena(game, bots, **asked, journal=journal)
    assert resumed == in_python
    assert resumed.plies == in_python.plies


@pytest.mark.slow
def test_a_contest_in_the_kernel_goes_on_in_other_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Another number of workers cuts the deals into other chunks: no game is lost, doubled or a line of its own."""
    asked = {"games": 400, "seed": 5}
    whole = ludus.arena("star", ["greedy", "random"], **asked)
    journal = tmp_path / "journal"
    monkeypatch.setattr(contest, "MOST_DEALS_AT_ONCE", 30)
    with (
        pytest.raises(InterruptedError),
        contest.Contest("star", ["greedy", "random"], **asked, journal=journal, workers=1, progress=stop) as begun,
    ):
        begun.play()
    monkeypatch.setattr(contest, "MOST_DEALS_AT_ONCE", 40)
    resumed = ludus.arena("star", ["greedy", "random"], **asked, journal=journal)
    assert resumed == whole
    assert resumed.plies == whole.plies
    assert journal.read_text().count("\n") < 12


def stop(done: int, planned: int) -> None:
    if done >= 3:
        raise InterruptedError


def test_few_games_are_not_worth_a_compiler() -> None:
    few, many = (contest.Contest("star", ["first", "random"], games) for games in (100, 1000))
    assert not few.runs_in_kernel
    assert many.runs_in_kernel
    assert not contest.Contest("star", ["first", "mcts"], 1000).runs_in_kernel
    assert not contest.Contest("star", ["first", "exec:true"], 1000).runs_in_kernel
