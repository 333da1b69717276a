"""One game in several threads at once: each finds what it would find alone, whatever form the kernel has."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import ludus
from ludus.core import engine
from ludus.core.compiling.sources import Source
from ludus.core.conformance import random_positions

THREADS = 4
GAMES = ("french", "parchis", "generals")
Facts = list[Any]


@pytest.fixture(autouse=True)
def free_switching() -> Iterator[None]:
    """Threads take turns as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def facts_of(position: ludus.Position) -> Facts:
    """What a position answers: moves, what they do and lead to, the mask, what is seen, and why not."""
    moves = position.moves()
    after = [[int(value) for value in position.play(move).row] for move in moves]
    found: Facts = [position.game.legal_actions(position.row), list(map(str, moves)), after]
    found.append([str(position.events(move)) for move in moves])
    found.append(position.mask().nonzero()[0].tolist())
    found.append(position.observation(position.game.players[0]).tolist())
    found += [position.roll().to_dict()] if position.to_move == "chance" else []
    for action in range(0, position.game.num_actions, 1 + position.game.num_actions // 3):
        try:
            found.append(str(position.move(action)))
        except ludus.IllegalMove as refused:
            found.append(refused.code)
    return found


class Lesson:
    """Rows of a game that was played alone, and what their positions answered."""

    def __init__(self, name: str, plies: int = 40) -> None:
        alone = ludus.make(name).interpreted()
        positions = list(random_positions(alone, 6 * plies, 5))[::6]
        self.rows = [([int(value) for value in pos.row], pos.ply) for pos in positions]
        self.answers = [facts_of(pos) for pos in positions]

    def mistakes(self, game: ludus.Game, first: int) -> list[int]:
        """The positions that answer something else here, beginning with a certain one."""
        order = [*range(first, len(self.rows)), *range(first)]
        return [at for at in order if facts_of(game.position_class(game, *self._row(at))) != self.answers[at]]

    def _row(self, at: int) -> tuple[list[int], int, int]:
        row, ply = self.rows[at]
        return row[:], 5, ply


_lessons: dict[str, Lesson] = {}


def lesson_of(name: str) -> Lesson:
    """Learnt once."""
    if name not in _lessons:
        _lessons[name] = Lesson(name)
    return _lessons[name]


def together(*works: Callable[[], Any]) -> list[Any]:
    """What several threads give that begin at the same moment; an error of one is its answer."""
    answers: list[Any] = [None] * len(works)
    start = threading.Barrier(len(works))

    def run(number: int) -> None:
        start.wait()
        try:
            answers[number] = works[number]()
        except Exception as error:
            answers[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def pupils(lesson: Lesson, game: ludus.Game) -> list[Callable[[], list[int]]]:
    """Threads that begin at different positions."""
    step = len(lesson.rows) // THREADS
    return [lambda first=number * step: lesson.mistakes(game, first) for number in range(THREADS)]


@pytest.mark.parametrize("form", ["interpreted", "for this game", "for all games"])
@pytest.mark.parametrize("name", GAMES)
def test_threads_find_what_one_finds(name: str, form: str) -> None:
    lesson, game = lesson_of(name), ludus.make(name)
    if form != "interpreted":
        game.compile(specialised=form == "for this game")
    assert together(*pupils(lesson, game)) == [[]] * THREADS


@pytest.mark.parametrize("name", GAMES)
def test_the_kernel_is_compiled_while_others_play(name: str) -> None:
    """From interpreted to the kernel for all games, to the one for this game; who comes later uses the newest."""
    lesson, game = lesson_of(name), ludus.make(name)
    begun = threading.Event()

    def play_on() -> list[int]:
        try:
            found = lesson.mistakes(game, 0)
        finally:
            begun.set()
        return found + lesson.mistakes(game, 7)

    def switch() -> list[int]:
        begun.wait()
        game.compile(specialised=False)
        found = lesson.mistakes(game, 3)
        game.compile()
        return found + lesson.mistakes(game, 5)

    assert together(play_on, switch, play_on, lambda: begun.wait() and lesson.mistakes(game, 11)) == [[]] * 4
    assert together(*pupils(lesson, game)) == [[]] * THREADS
    assert together(lambda: game.engine.fast) == [True]


def test_one_position_in_several_threads() -> None:
    """Its moves are worked out once or twice, and are the same."""
    game = ludus.make("french")
    for position in random_positions(game, 60, 2):
        alone = [str(move) for move in game.position(position.to_dict()).moves()]
        for found in together(*[lambda position=position: list(map(str, position.moves()))] * THREADS):
            assert found == alone


def test_bots_in_several_threads() -> None:
    game = ludus.make("french").compile()
    positions = [position for position in random_positions(game, 90, 4) if position.moves()]

    def choose() -> list[str]:
        bot = ludus.bot("heuristic", seed=1)
        return [str(bot.choose(position)) for position in positions]

    alone = choose()
    assert together(*[choose] * THREADS) == [alone] * THREADS


@pytest.mark.parametrize("compiled", [False, True])
def test_a_scratch_that_is_shared_is_found_out(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What these tests are for: without a scratch for each thread, move lists go wrong."""
    make = engine.Bench.__init__

    def share(bench: engine.Bench, form: engine.Form) -> None:
        make(bench, form)
        bench.scratch = vars(form).setdefault("shared_by_all", bench.scratch)

    monkeypatch.setattr(engine.Bench, "__init__", share)
    lesson, game = lesson_of("french"), ludus.make("french")
    if compiled:
        game.compile()
    assert lesson.mistakes(game, 0) == [], "one thread alone does well"
    assert any(together(*pupils(lesson, game)) != [[]] * THREADS for _ in range(30))


def test_kernels_are_read_in_several_threads_at_once() -> None:
    """Python 3.11 makes one tree at a time: a garbage collection that runs Python in between lets another thread in."""
    failed: list[BaseException] = []

    def read(deeper: int) -> None:
        if deeper:
            read(deeper - 1)
            return
        try:
            Source("ludus.games.ludo.kernel")
        except SystemError as error:
            failed.append(error)

    def collected(*_: object) -> None:
        for _ in range(50):
            pass

    before = gc.get_threshold()
    gc.callbacks.append(collected)
    gc.set_threshold(50)
    try:
        threads = [threading.Thread(target=read, args=(depth,)) for depth in (0, 30, 60, 0, 30)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(collected)
    assert not failed
