"""The kit finds what it looks for: games with one thing broken, each caught by the law that speaks of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.core.conformance import ConformanceError, check_game, check_twins
from ludus.core.engine import Engine
from ludus.core.playouts import Playouts
from ludus.core.position import Move, Position
from ludus.games.ludo import kernel as k
from ludus.games.ludo.game import LudoGame

Patch = pytest.MonkeyPatch


def test_a_sound_game_passes() -> None:
    check_game(ludus.make("strict", players=2), plies=50)


def test_the_error_is_one_of_the_package() -> None:
    assert issubclass(ConformanceError, ludus.LudusError)


def lose_an_outcome(patch: Patch) -> None:
    patch.setattr(Position, "outcomes", lambda self: {"6": 1 / 6} if self.to_move == "chance" else {})


def offer_outcomes_at_decisions(patch: Patch) -> None:
    patch.setattr(Position, "outcomes", lambda self: {"6": 1.0})


def list_a_move_twice(patch: Patch) -> None:
    moves = Position.moves
    patch.setattr(Position, "moves", lambda self: moves(self) * 2)


def mask_one_more(patch: Patch) -> None:
    mask = Position.mask

    def more(position: Position) -> Any:
        found = mask(position)
        found[4] |= found.any()
        return found

    patch.setattr(Position, "mask", more)


def mask_one_less(patch: Patch) -> None:
    mask = Position.mask

    def less(position: Position) -> Any:
        found = mask(position)
        found[found.argmax()] = False
        return found

    patch.setattr(Position, "mask", less)


def mask_otherwise_when_interpreted(patch: Patch) -> None:
    masked = LudoGame.masked_actions
    patch.setattr(LudoGame, "masked_actions", lambda self, row: masked(self, row)[1:])


def accept_every_action(patch: Patch) -> None:
    patch.setattr(LudoGame, "checked_action", lambda self, position, action: action)


def misread_notation(patch: Patch) -> None:
    patch.setattr(LudoGame, "parse", lambda self, position, text: self.legal_actions(position.row)[0])


def forget_the_turn(patch: Patch) -> None:
    to_dict = LudoGame.to_dict
    patch.setattr(LudoGame, "to_dict", lambda self, row: to_dict(self, row) | {"turn": self.players[0]})


def write_no_plain_data(patch: Patch) -> None:
    to_dict = LudoGame.to_dict
    patch.setattr(LudoGame, "to_dict", lambda self, row: to_dict(self, row) | {"pieces": {1, 2}})


def hash_by_identity(patch: Patch) -> None:
    def by_identity(self: Position) -> int:
        return id(self)

    patch.setattr(Position, "__hash__", by_identity)


def play_on_the_old_row(patch: Patch) -> None:
    def after(self: Position, action: int) -> Position:
        engine = self.game.engine
        engine.kernel.apply_api(self._row, engine.tables, engine.scratch, action)
        return Position(self.game, self._row, self.seed, self.ply + 1)

    patch.setattr(Position, "after", after)


def see_too_much(patch: Patch) -> None:
    observe = LudoGame.observe
    patch.setattr(LudoGame, "observe", lambda self, row, seat: observe(self, row, seat) * np.float32(2))


def see_doubles(patch: Patch) -> None:
    observe = LudoGame.observe
    patch.setattr(LudoGame, "observe", lambda self, row, seat: observe(self, row, seat).astype(np.float64))


def pay_only_the_winner(patch: Patch) -> None:
    patch.setattr(LudoGame, "result_of", lambda self, row: {self.players[0]: 1.0})


def count_batches(patch: Patch) -> None:
    playouts = LudoGame.playouts

    def wrong(self: LudoGame, games: int, seed: int = 0, **options: Any) -> Playouts:
        return playouts(self, games, seed + games, **options)

    patch.setattr(LudoGame, "playouts", wrong)


def forget_the_seed(patch: Patch) -> None:
    patch.setattr(Position, "__setstate__", lambda self, state: Position.__init__(self, *state[:2], 0, 0))


def say_nothing(patch: Patch) -> None:
    patch.setattr(Move, "describe", lambda self, lang="en": "")


def fall_over(patch: Patch) -> None:
    def moves(self: Position) -> None:
        raise ZeroDivisionError("a bug")

    patch.setattr(Position, "moves", moves)


BREAKS: dict[Callable[[Patch], None], str] = {
    lose_an_outcome: "chance has outcomes",
    offer_outcomes_at_decisions: "chance has outcomes",
    list_a_move_twice: "playouts are random play",
    mask_one_more: "the mask is the legal set",
    mask_one_less: "the mask is the legal set",
    mask_otherwise_when_interpreted: "the twins agree",
    accept_every_action: "the mask is the legal set",
    misread_notation: "notation comes back",
    forget_the_turn: "plain data comes back",
    write_no_plain_data: "plain data comes back",
    hash_by_identity: "games start alike",
    play_on_the_old_row: "strict with 2 players",
    see_too_much: "observations fit",
    see_doubles: "observations fit",
    pay_only_the_winner: "results name every player|playouts are random play",
    count_batches: "playouts come again",
    forget_the_seed: "copies are equal",
    say_nothing: "moves say what they do",
    fall_over: "ZeroDivisionError: a bug",
}


@pytest.mark.parametrize("breaks", BREAKS, ids=lambda f: f.__name__)
def test_a_broken_game_fails(breaks: Callable[[Patch], None], monkeypatch: Patch) -> None:
    game = ludus.make("strict", players=2)
    breaks(monkeypatch)
    with pytest.raises(ConformanceError, match=BREAKS[breaks]):
        check_game(game, plies=1_200)


def test_the_twins_are_compared(monkeypatch: Patch) -> None:
    """A kernel that plays differently once compiled: here the interpreted one has another table."""

    def interpreted(self: Engine) -> Engine:
        tables = list(self._tables)
        tables[k.NEEDED] -= 1  # pieces that must come home
        return Engine(self.twin, tables, self._scratch, stays_interpreted=True)

    monkeypatch.setattr(Engine, "interpreted", interpreted)
    with pytest.raises(ConformanceError, match=r"the twins (play differently|agree)"):
        check_game(ludus.make("strict", players=2), plies=2_000)


def test_the_compiled_kernels_are_compared(monkeypatch: Patch) -> None:
    """A kernel that plays differently once it is compiled for one game: here with a wrong rule written into it."""
    header = Engine.header

    def wrong(self: Engine) -> tuple[int, ...]:
        right = header.__get__(self)
        return (*right[: k.NEEDED], right[k.NEEDED] - 1, *right[k.NEEDED + 1 :])

    monkeypatch.setattr(Engine, "header", property(wrong))
    with pytest.raises(ConformanceError, match=r"the forms play differently|compiled for all games"):
        check_twins(ludus.make("strict", players=2), plies=2_000)
