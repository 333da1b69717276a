"""The compiled bots and the search of one game: kernels/search.py over its kernels, with the arrays it works on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludus.bots.bot import ask
from ludus.bots.kernels import policies as k
from ludus.bots.net_desk import LEARNED, NetArrays
from ludus.bots.net_files import Net, feature_kernels
from ludus.bots.roster import bot
from ludus.core.engine import Engine, Row, twin_of
from ludus.core.errors import LudusError, quoted
from ludus.core.flat import flat, zeros
from ludus.core.game import Game
from ludus.core.kernels.codes import NET, OUTSIDE, TURN
from ludus.core.random import stream
from ludus.core.seeds import derived_seed
from ludus.core.twin import Twin

SEARCH = "ludus.bots.kernels.search"
PLAIN = "ludus.bots.kernels.plain"
NO_NET = "ludus.bots.kernels.no_net"


class Desk:
    """Arrays to play, try and note on; not to be shared between threads."""

    source = SEARCH  # the kernel module that runs over the game's kernels

    def __init__(self, game: Game, compiled: bool, nets: Sequence[Net] = ()) -> None:
        self.game = game
        engine: Engine = game.engine
        twin = self.twin_of(game, bool(nets))
        self.compiled = compiled and not engine.stays_interpreted
        constants = engine.header, engine.columns
        self.kernel: Any = twin.compiled(*constants) if self.compiled else twin.interpreted
        self.entries: Any = engine.entries.compiled(*constants) if self.compiled else engine.entries.interpreted
        size, scratch = len(game.start_row()), len(engine.scratch)
        self.row, self.trial = self.small(size), self.small(size)
        self.scratch, self.spare = self.whole(scratch), self.whole(scratch)
        self.notes = self.whole(k.N_SCORES + game.num_actions)
        self.tables = self.integers([*map(int, engine.tables), *game.bot_tables()])

        self.nets = tuple(nets)
        self.net_arrays = self._nets_at_work(nets)

    @classmethod
    def twin_of(cls, game: Game, with_nets: bool = False) -> Twin:
        """The kernel over those of a game."""
        learned = (LEARNED, *feature_kernels(game)) if with_nets else (NO_NET,)
        return twin_of(cls.source, (*(game.bot_kernels or (PLAIN,)), *learned, game.engine.twin.name))

    def _nets_at_work(self, nets: Sequence[Net]) -> tuple[Any, ...]:
        """What nets work on, in the order of the kernel's arguments: all weights one after the other, and where."""
        if not nets:
            kinds = ("int16", "int64", "float32", "int64", "int32", "float32", "float32", "float64")
            return tuple(self._zeros(0, kind) for kind in kinds)
        import numpy as np

        weights = [net.for_game(self.game) for net in nets]
        firsts = np.cumsum([0, *(len(one) for one in weights[:-1])])
        shapes = [[*net.shape, first] for net, first in zip(nets, firsts, strict=True)]
        arrays = NetArrays(self.game, max(net.units for net in nets), self.compiled)
        return arrays.of(np.concatenate(weights), np.array(shapes, dtype=np.int64).reshape(-1))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.game, self.compiled, self.nets))  # a copy has working space of its own

    def small(self, size: int) -> Row:
        """Zeros in the form of a row."""
        return self._zeros(size, "int16")

    def whole(self, size: int) -> Row:
        """Zeros in the form of tables and scratch."""
        return self._zeros(size, "int64")

    def real(self, size: int) -> Any:
        """Zeros for values."""
        return self._zeros(size, "float64") if self.compiled else [0.0] * size

    def integers(self, values: Sequence[int]) -> Row:
        """Integers in the form of tables and scratch."""
        if not self.compiled:
            return list(values)
        return flat(values, "int64")

    def _zeros(self, size: int, kind: str) -> Any:
        if not self.compiled:
            return [0] * size
        return zeros(size, kind)

    def set_row(self, row: Row) -> None:
        """Take a position's row as the row to play on."""
        self.row[:] = self.as_row(row)

    def as_row(self, row: Row) -> Row:
        """A row as this desk's kernel wants it."""
        return flat(row, "int16") if self.compiled else [int(value) for value in row]

    def clear(self, whole: Row, first: int, size: int) -> None:
        """Zeros in a part of what `whole` gave."""
        whole[first : first + size] = self.whole(size)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What most functions of the kernel take, in their order."""
        return (self.row, self.tables, self.scratch, self.trial, self.spare, self.notes)

    def batch(
        self,
        seats: Sequence[tuple[int, int, int]],
        decide: Callable[[Row, int, int], int],
        numbers: tuple[int, int, int, int],
        out: Any,
        trace: Any = None,
        own_dice: bool = False,
    ) -> None:
        """Play `games` games; `decide(row, ply, seed)` gives the actions of seats whose policy is OUTSIDE.

        numbers: seed, first, games, max_plies. out: int64[games × columns], a line of `report` per game.
        own_dice: every seat rolls by a stream of its own.
        """
        game = self.game
        memory = self.whole(k.M_SEAT_KEYS + 2 * game.num_players)
        memory[k.M_OWN_DICE] = own_dice
        width = game.playouts_class.columns()
        form = self.integers([value for seat in seats for value in seat])
        start = self.small(len(self.row))
        start[:] = self.as_row(game.start_row())
        seed, first, games, most = numbers
        trace = self.whole(0) if trace is None else trace
        call = self.kernel.playouts
        while not call(
            start, *self.arrays, *self.net_arrays, form, memory, seed, first, games, most, width, out, trace
        ):
            own_seed = stream(seed, first + int(memory[k.M_GAME]))
            action = decide(self.row, int(memory[k.M_PLY]), own_seed)
            self.entries.apply_api(self.row, self.tables, self.scratch, action)
            if memory[k.M_PLY] < len(trace):
                trace[memory[k.M_PLY]] = action
            memory[k.M_PLY] += 1
            memory[k.M_MOVES] += 1
            memory[k.M_CAPTURES] += game.engine.twin.interpreted.captured(self.scratch)


def play_bots(
    game: Game,
    bots: Any,
    numbers: tuple[int, int, int, int],
    out: Any,
    trace: Any = None,
    own_dice: bool = False,
) -> None:
    """Fill the lines of games between bots: `Game.playouts` with one bot for each seat."""
    seated = SeatedBots(game, bots)
    seats, nets = policies_of(game, seated.bots)
    try:
        Desk(game, compiled=True, nets=nets).batch(seats, seated.decide, numbers, out, trace, own_dice)
    finally:
        seated.close()


def policies_of(game: Game, bots: Sequence[Any]) -> tuple[list[tuple[int, int, int]], list[Net]]:
    """The policy of each seat in the kernel, and the nets of those that play by one: the option is its number."""
    seats, nets = [], list[Net]()
    for one in bots:
        policy, option, seed = one.in_kernel or (OUTSIDE, 0, 0)
        if policy >= NET:
            option = len(nets)
            nets.append(one.net(game))
        seats.append((policy, option, seed))
    return seats, nets


def seated(game: Game, bots: Any) -> SeatedBots:
    """One bot for each seat (core/seating.py)."""
    return SeatedBots(game, bots)


class SeatedBots:
    """One bot for each seat, made where names were given; one that remembers something is made anew for each game."""

    def __init__(self, game: Game, bots: Any) -> None:
        given = list(bots) if isinstance(bots, list | tuple) else None
        if given is None or len(given) != game.num_players:
            shown = quoted(bots) if given is None else len(given)
            raise LudusError(f"bots: {game.num_players}, one for each of {', '.join(game.players)}, not {shown}")
        self._game = game
        self._named = {seat: spec for seat, spec in enumerate(given) if isinstance(spec, str)}
        self._playing: int | None = None
        self.bots = [bot(spec) for spec in given]
        for made in self.bots:
            made.check(game)

    def decide(self, row: Row, ply: int, seed: int) -> int:
        """The action of the bot whose turn it is."""
        if seed != self._playing:
            self._playing = seed
            self._renew(seed)
        position = self._game.position_class(self._game, row.tolist() if hasattr(row, "tolist") else row[:], seed, ply)
        return int(ask(self.bots[int(row[TURN])], position).action_id)

    def _renew(self, seed: int) -> None:
        for seat, spec in self._named.items():
            if self.bots[seat].keeps_state:
                self.bots[seat].close()
                self.bots[seat] = bot(spec, seed=derived_seed(seed, "bot", seat))

    def close(self) -> None:
        """Close the bots that were made here."""
        for seat in self._named:
            self.bots[seat].close()
