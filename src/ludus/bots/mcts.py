"""`mcts`: Monte Carlo tree search with chance nodes of its own; everybody takes the own best (max^n)."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from ludus.bots.bot import BotError, Candidate, reason
from ludus.bots.desk import Desk
from ludus.bots.kernels import tree as s
from ludus.bots.kernels.unfolding import LEVELS
from ludus.bots.search_bot import PLAN, SearchBot, whole
from ludus.core.errors import quoted, suggestion
from ludus.core.kernels.codes import GREEDY, HEURISTIC, RANDOM, TURN
from ludus.core.position import Position
from ludus.games.generals.game import GeneralsGame

EXACT = "exact"  # no playouts, but every roll until the decider's next decision
POLICIES = {"random": RANDOM, "greedy": GREEDY, "heuristic": HEURISTIC}
PLAYOUTS = (*POLICIES, EXACT)
AT_ONCE = 64  # simulations between two looks at the clock
ROOM = 2000  # nodes that the last exact simulations may add beyond their number
MOST_NODES = 200_000


@dataclass(frozen=True)
class Habit:
    """What the search does in a family of games where it is not told."""

    playout: str
    simulations: int
    widest: int
    exploration: float
    horizon: int = 0
    draw: float = 0.5  # what a draw is worth to the player that decides


RACE = Habit(playout="heuristic", simulations=1000, widest=40, exploration=0.6, horizon=12)
EXACT_RACE = Habit(playout=EXACT, simulations=1000, widest=8, exploration=0.05)
GENERALS = Habit(playout=EXACT, simulations=1000, widest=28, exploration=0.05, draw=0.0)


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
        simulations: int | None = None,
        seconds: float | None = None,
        playout: str | None = None,
        horizon: int | None = None,
        exploration: float | None = None,
        widest: int | None = None,
    ) -> None:
        super().__init__(seed)
        self.simulations = None if simulations is None else whole(self.name, "simulations", simulations, 1, 10_000_000)
        if seconds is not None and not (isinstance(seconds, int | float) and 0 < seconds <= 3600):
            raise BotError(f"bot mcts: seconds is a number above 0 and up to 3600, not {quoted(seconds)}")
        if playout is not None and playout not in PLAYOUTS:
            hint = suggestion(str(playout), PLAYOUTS)
            raise BotError(f"bot mcts: playout is {', '.join(PLAYOUTS)}, not {quoted(playout)}{hint}")
        if exploration is not None and not (is_number(exploration) and 0 <= exploration <= 100):
            raise BotError(f"bot mcts: exploration is a number from 0 to 100, not {quoted(exploration)}")
        self.seconds = seconds
        self.playout = playout
        self.horizon = None if horizon is None else whole(self.name, "horizon", horizon, 0, 1_000_000)
        self.exploration = exploration
        self.widest = None if widest is None else whole(self.name, "widest", widest, 1, 2000)
        self.plies = 0
        self._work: tuple[Any, ...] | None = None
        self._nodes = self._edges = 0

    def search(self, position: Position) -> list[Candidate]:
        """Every move with its share of the simulations and what they gave."""
        before = self._desk
        desk = self.desk(position.game)
        habit = self._habit(position)
        self._make_room(desk, position, habit, desk is not before)
        plan = self._plan(desk, position, habit)
        self._run(desk, position, plan, habit)
        self.plies = int(plan[s.P_PLIES])
        return self._read(position, habit)

    def _habit(self, position: Position) -> Habit:
        """What to do in this game: the usual, and what the bot was told."""
        usual = GENERALS if isinstance(position.game, GeneralsGame) else RACE
        if self.playout is not None and self.playout != usual.playout:
            usual = EXACT_RACE if self.playout == EXACT else RACE
        told = {name: getattr(self, name) for name in ("simulations", "playout", "horizon", "exploration", "widest")}
        return replace(usual, **{name: value for name, value in told.items() if value is not None})

    def _make_room(self, desk: Desk, position: Position, habit: Habit, is_new: bool) -> None:
        """Arrays for the tree: a node a simulation, or all that it unfolds, up to a limit."""
        if not is_new and self._work is not None:
            return
        needed = 2 * habit.simulations + ROOM if habit.playout == EXACT else habit.simulations
        nodes = min(needed if self.seconds is None else MOST_NODES, MOST_NODES) + 2
        edges = position.game.num_actions + 12 * nodes + habit.widest
        players = position.game.num_players
        ints = nodes * s.NODE_SIZE + edges * s.EDGE_SIZE + 2 * s.MOST_DEEP + 2 + LEVELS * (len(desk.row) + 2)
        self._work = (desk.whole(ints), desk.real(2 * edges + players * (nodes + 1)))
        self._nodes, self._edges = nodes, edges

    def _plan(self, desk: Desk, position: Position, habit: Habit) -> Any:
        plan = desk.whole(PLAN)
        plan[s.P_SEED] = self.key(position) ^ position.ply
        plan[s.P_POLICY], plan[s.P_WIDEST] = POLICIES.get(habit.playout, 0), habit.widest
        plan[s.P_HORIZON], plan[s.P_DRAW] = habit.horizon, round(1000 * habit.draw)
        plan[s.P_OWN] = 1 + int(position.row[TURN])
        plan[s.P_MOST_NODES], plan[s.P_MOST_EDGES] = self._nodes, self._edges
        return plan

    def _run(self, desk: Desk, position: Position, plan: Any, habit: Habit) -> None:
        assert self._work is not None
        entry = "unfold_api" if habit.playout == EXACT else "simulate_api"
        end = time.perf_counter() + (self.seconds or 0)
        plan[s.P_SIMULATIONS] = habit.simulations if self.seconds is None else AT_ONCE
        while plan[s.P_DONE] == 0 or time.perf_counter() < end:
            self.call(entry, desk, position, plan, *self._work, habit.exploration)

    def _read(self, position: Position, habit: Habit) -> list[Candidate]:
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
            rank = value + (visits > 0) if habit.playout == EXACT else visits + value
            found[move] = Candidate(move, rank, (why,), {"visits": visits, "value": value})
        return [found[move] for move in position.moves()]
