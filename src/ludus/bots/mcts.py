"""`mcts`: Monte Carlo tree search with chance nodes of its own; everybody takes the own best (max^n)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ludus.bots.bot import BotError, Candidate, reason
from ludus.bots.search import PLAN, SearchBot, whole
from ludus.core import kernel_bots as k
from ludus.core import kernel_search as s
from ludus.core.engine import TURN
from ludus.core.errors import quoted, suggestion
from ludus.core.game import Position
from ludus.core.playing import Desk
from ludus.games.generals.game import GeneralsGame

PLAYOUTS = {"random": k.RANDOM, "greedy": k.GREEDY, "heuristic": k.HEURISTIC}
AT_ONCE = 64  # simulations between two looks at the clock


@dataclass(frozen=True)
class Habit:
    """What the search does in a family of games where it is not told."""

    horizon: int
    exploration: float
    after_own_move: bool = False  # playouts end after a move of the player that decides: its evaluation fits there


RACE = Habit(horizon=12, exploration=0.6)
GENERALS = Habit(horizon=0, exploration=2.0, after_own_move=True)


def is_number(value: Any) -> bool:
    """Whether an option is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


class MctsBot(SearchBot):
    """Plays simulations down a growing tree and on by a policy as far as `horizon`; takes the most visited move.

    The same seed and `simulations` give the same move; with `seconds` instead, as many as the time allows.
    """

    name = "mcts"

    def __init__(  # noqa: PLR0913, PLR0917  (each is a knob of the search)
        self,
        seed: int = 0,
        simulations: int = 1000,
        seconds: float | None = None,
        playout: str = "heuristic",
        horizon: int | None = None,
        exploration: float | None = None,
        widest: int = 40,
    ) -> None:
        super().__init__(seed)
        self.simulations = whole(self.name, "simulations", simulations, 1, 10_000_000)
        if seconds is not None and not (isinstance(seconds, int | float) and 0 < seconds <= 3600):
            raise BotError(f"bot mcts: seconds is a number above 0 and up to 3600, not {quoted(seconds)}")
        if playout not in PLAYOUTS:
            hint = suggestion(str(playout), PLAYOUTS)
            raise BotError(f"bot mcts: playout is {', '.join(PLAYOUTS)}, not {quoted(playout)}{hint}")
        if exploration is not None and not (is_number(exploration) and 0 <= exploration <= 100):
            raise BotError(f"bot mcts: exploration is a number from 0 to 100, not {quoted(exploration)}")
        self.seconds = seconds
        self.playout = playout
        self.horizon = None if horizon is None else whole(self.name, "horizon", horizon, 0, 1_000_000)
        self.exploration = exploration
        self.widest = whole(self.name, "widest", widest, 1, 2000)
        self.plies = 0
        self._work: tuple[Any, ...] | None = None
        self._nodes = self._edges = 0
        self._curiosity = 0.0

    def search(self, position: Position) -> list[Candidate]:
        """Every move with its share of the simulations and what they gave."""
        before = self._desk
        desk = self.desk(position.game)
        self._make_room(desk, position, desk is not before)
        plan = self._plan(desk, position)
        self._run(desk, position, plan)
        self.plies = int(plan[s.P_PLIES])
        return self._read(position, plan)

    def _make_room(self, desk: Desk, position: Position, is_new: bool) -> None:
        """Arrays for the tree: a node a simulation, up to a limit."""
        nodes = min(self.simulations if self.seconds is None else 200_000, 200_000) + 2
        edges = position.game.num_actions + 12 * nodes + self.widest
        if is_new or self._work is None:
            ints = nodes * s.NODE_SIZE + edges * s.EDGE_SIZE + 2 * s.MOST_DEEP + 2
            self._work = (desk.whole(ints), desk.real(2 * edges + position.game.num_players))
            self._nodes, self._edges = nodes, edges

    def _plan(self, desk: Desk, position: Position) -> Any:
        plan = desk.whole(PLAN)
        plan[s.P_TASK], plan[s.P_SEED] = s.MONTE_CARLO, self.key(position) ^ position.ply
        habit = GENERALS if isinstance(position.game, GeneralsGame) else RACE
        plan[s.P_POLICY], plan[s.P_WIDEST] = PLAYOUTS[self.playout], self.widest
        plan[s.P_HORIZON] = habit.horizon if self.horizon is None else self.horizon
        plan[s.P_AFTER] = 1 + int(position.row[TURN]) if habit.after_own_move else 0
        self._curiosity = habit.exploration if self.exploration is None else float(self.exploration)
        plan[s.P_MOST_NODES], plan[s.P_MOST_EDGES] = self._nodes, self._edges
        return plan

    def _run(self, desk: Desk, position: Position, plan: Any) -> None:
        assert self._work is not None
        if self.seconds is None:
            plan[s.P_SIMULATIONS] = self.simulations
            self.call(desk, position, plan, self._work, self._curiosity)
            return
        end = time.perf_counter() + self.seconds
        plan[s.P_SIMULATIONS] = AT_ONCE
        while plan[s.P_DONE] == 0 or time.perf_counter() < end:
            self.call(desk, position, plan, self._work, self._curiosity)

    def _read(self, position: Position, plan: Any) -> list[Candidate]:
        assert self._work is not None
        ints, reals = self._work
        by_action = {move.action_id: move for move in position.moves()}
        found = {}
        edges, first = self._nodes * s.NODE_SIZE, int(ints[s.N_FIRST])
        for edge in range(first, first + int(ints[s.N_COUNT])):
            at = edges + edge * s.EDGE_SIZE
            visits = int(ints[at + s.E_VISITS])
            value = float(reals[2 * edge + 1]) / visits if visits else 0.0
            move = by_action[int(ints[at + s.E_ACTION])]
            why = reason("simulated", percent=round(100 * value), count=visits)
            found[move] = Candidate(move, visits + value, (why,), {"visits": visits, "value": value})
        return [found[move] for move in position.moves()]
