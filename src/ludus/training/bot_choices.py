"""What a bot makes of every roll in the positions of a solved game, many positions at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.bots.crowd import Crowd
from ludus.core.engine import DECISION, OVER, STAGE, TURN
from ludus.training.state_space import StateSpace


class BotChoices:
    """A bot that is asked for its move after every roll."""

    def __init__(self, space: StateSpace, crowd: Crowd) -> None:
        self.space, self.crowd = space, crowd

    def choices(self, first: int, last: int, counts: Any, nexts: Any) -> Any:
        """int32[rolls]: for positions first … last - 1, which of the positions after each roll the bot makes it.

        counts: how many positions each roll can be made into; nexts: their numbers, one roll after the other.
        """
        size = self.space.width
        rows = np.array(self.space.array("rows")[first * size : last * size]).reshape(-1, size)
        rolls = self.space.ahead.expand_chance(rows)
        open_ = np.flatnonzero(counts > 1)
        begun = np.array(rolls.rows)[open_]
        wanted = self._numbers(self._played(begun, first + rolls.sources()[open_]))
        starts = np.concatenate([[0], np.cumsum(counts)])[open_]
        chosen = np.full(len(counts), -1, np.int32)
        chosen[counts <= 1] = 0
        for place in range(int(counts.max(initial=1))):
            inside = place < counts[open_]
            fits = np.zeros(len(open_), bool)
            fits[inside] = nexts[starts[inside] + place] == wanted[inside]
            chosen[open_[fits & (chosen[open_] < 0)]] = place
        assert (chosen >= 0).all(), "a bot's move leads where no move does"
        return chosen

    def _played(self, rows: Any, seeds: Any) -> Any:
        """The rows when the bot has done with each roll what it does: one move, or several of one player."""
        movers, plies = rows[:, TURN].copy(), 0
        while True:
            decides = np.flatnonzero((rows[:, STAGE] == DECISION) & (rows[:, TURN] == movers))
            if not len(decides):
                return rows
            asked = rows[decides].copy()
            actions = self.crowd.choose_rows(asked, seeds[decides], np.full(len(decides), plies))
            after = self.space.ahead.afterstates(asked)
            taken = after.actions == actions[after.sources()]
            rows[decides] = np.array(after.rows)[taken]
            plies += 1

    def _numbers(self, rows: Any) -> Any:
        """The numbers of positions, those that are over by their prize."""
        numbers = self.space.numbers_of(rows)
        for at in np.flatnonzero(rows[:, STAGE] == OVER):
            prize = tuple(map(float, self.space.game.result_of(rows[at]).values()))
            numbers[at] = -1 - self.space.prizes.index(prize)
        return numbers
