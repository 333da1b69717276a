"""Bots that score each move by a kernel's policy: the same source that plays inside compiled games, interpreted."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.bots.bot import Bot, Candidate
from ludus.bots.desk import Desk
from ludus.bots.kernels import policies as k
from ludus.core.engine import Row
from ludus.core.game import Game
from ludus.core.kernels.codes import FIRST
from ludus.core.messages import Message
from ludus.core.position import Move, Position


class ScoredBot(Bot):
    """Takes the move with the highest score; among equals its own seed decides (H20)."""

    policy = FIRST
    option = 0

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._desk: Desk | None = None

    @property
    def in_kernel(self) -> tuple[int, int, int]:
        """The policy, its option and the seed: this bot inside compiled games."""
        return (self.policy, self.option, self.seed)

    def desk(self, game: Game) -> Desk:
        """The interpreted kernel of a game, with arrays to try moves on."""
        if self._desk is None or self._desk.game is not game:
            self._desk = Desk(game, compiled=False)
        return self._desk

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """The best by score."""
        desk = self.desk(position.game)
        desk.set_row(position.row)
        desk.kernel.survey_row(desk.row, desk.tables, desk.scratch)
        key = self.key(position)
        action = desk.kernel.choose_by(self.policy, self.option, *desk.arrays, key, position.ply)
        for move in moves:
            if move.action_id == action:
                return move
        return self._best_of(position, moves)  # the best of all is none of these: a plug-in has taken it away

    def _best_of(self, position: Position, moves: Sequence[Move]) -> Move:
        """The best of some legal moves; among equals the bot's own seed decides."""
        scored = [(move, value) for move, value, _ in self.scores(position) if move in moves]
        highest = max(value for _, value in scored)
        best = [move for move, value in scored if value == highest]
        return best[self.draw(position, len(best))]

    def scores(self, position: Position) -> list[tuple[Move, int, Row]]:
        """Every legal move with its score, and the kernel's notes of it."""
        desk, moves = self.desk(position.game), position.moves()
        desk.set_row(position.row)
        desk.kernel.survey_row(desk.row, desk.tables, desk.scratch)
        desk.kernel.list_moves(desk.row, desk.tables, desk.scratch)
        desk.kernel.prepare(self.policy, desk.row, desk.tables, desk.scratch, desk.notes)
        scored = []
        for move in moves:
            value = desk.kernel.score(self.policy, self.option, *desk.arrays, move.action_id)
            scored.append((move, int(value), list(desk.notes[: k.N_SCORES])))
        return scored

    def explain(self, position: Position) -> list[Candidate]:
        """The moves by score; among equals the chosen one first."""
        moves = position.moves()
        if not moves:
            return []
        chosen = self.choose(position)
        found = [Candidate(m, float(v), self.reasons(v, notes)) for m, v, notes in self.scores(position)]
        return sorted(found, key=lambda candidate: (-candidate.score, candidate.move != chosen))

    def reasons(self, value: int, notes: Row) -> tuple[Message, ...]:
        """Why a move has its score."""
        return ()
