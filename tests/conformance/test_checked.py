"""Every game in checked mode: no index leaves its array and no number its 64 bits, whatever the laws of the kit ask."""

from __future__ import annotations

import pytest
from variants import VARIANTS, make

import ludus
from ludus.core.conformance import check_game, random_positions

QUICK = ("pettingzoo-teams", "strict-dice", "star", "maedn", "french", "deck", "parchis", "generals")
SEARCHED = ("pettingzoo", "french", "parchis", "generals")


@pytest.fixture(autouse=True)
def checked_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled from now on tests everything."""
    monkeypatch.setenv("LUDUS_CHECKED", "1")


@pytest.mark.parametrize("variant", [pytest.param(v, marks=() if v in QUICK else pytest.mark.slow) for v in VARIANTS])
def test_laws(variant: str) -> None:
    """On the kernel for all games: every test is in it, and it is compiled once."""
    check_game(make(variant), plies=20, seed=5, specialised=False)
    games = make(variant).compile(specialised=False).playouts(30, seed=2)
    assert games.finished.all()


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHED)
def test_bots_search_and_batches(name: str) -> None:
    """The kernels that are written once over every game's."""
    game = ludus.make(name).compile()
    assert game.playouts(4, seed=1, bots=["heuristic", "greedy", "first", "random"][: game.num_players]).finished.all()
    searchers = [ludus.bot("mcts:simulations=8"), ludus.bot("expectimax:depth=1")]
    for position in list(random_positions(game, 120, 3))[::40]:
        for bot in searchers if position.moves() else ():
            assert bot.choose(position) in position.moves()
    batch = ludus.envs.vector(game, num_envs=16, seed=1)
    for _ in range(150):
        batch.step(batch.sample())


def test_it_is_the_checked_kernel_that_plays() -> None:
    """A table that leads nowhere is found out, with function, line and values."""
    game = ludus.make("star", players=2).compile(specialised=False)
    position = game.start(seed=1).play("6")
    tables = game.engine.tables
    tables[list(tables).index(52)] = 1 << 40  # tiles of the path
    with pytest.raises(ludus.LudusError, match=r"kernel\.py:\d+, in \w+: index \d+ of \w+, which has \d+$"):
        position.moves()
