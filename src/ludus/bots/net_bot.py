"""What the bots that play by a net share: the net of a game, the worth of moves, and what speaks for a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludus.bots.bot import Bot, Candidate, reason
from ludus.bots.net_desk import NetDesk
from ludus.bots.net_files import Net, net_for
from ludus.core.engine import Row
from ludus.core.flat import has_numpy
from ludus.core.game import Game
from ludus.core.kernels.codes import OVER, STAGE, TURN
from ludus.core.messages import Message
from ludus.core.position import Move, Position

MATTERS = 0.004  # of the chance to win: what changes it less is not named
MOST_NAMED = 3


class NetBot(Bot):
    """Values moves by a net, `depth` steps ahead.

    `weights`: a file that `ludus train` made, or 'any', the net for every Ludo; left out: the best that is shipped.
    """

    depth = 1

    def __init__(self, seed: int = 0, weights: str | None = None) -> None:
        super().__init__(seed)
        self.weights = weights
        self._desk: NetDesk | None = None

    def net(self, game: Game) -> Net:
        """The net that plays a game."""
        return net_for(game.without or game, self.weights)

    def check(self, game: Game) -> None:
        """There must be weights for it."""
        self.net(game)

    def desk(self, game: Game) -> NetDesk:
        """The net at work on a game."""
        bare = game.without or game
        if self._desk is None or self._desk.game is not bare:
            self._desk = NetDesk(bare, self.net(game))
        return self._desk

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """The best by the net; of a game with plug-ins, which no kernel knows, the best that they leave."""
        return max((one for one in self.valued(position) if one.move in moves), key=lambda one: one.score).move

    def explain(self, position: Position) -> list[Candidate]:
        """Every move with its chance and what speaks for it, the chosen one first."""
        found = sorted(self.valued(position), key=lambda one: -one.score)
        return [replace(one, reasons=(*self.first_reasons(one), *self.changes(position, one.move))) for one in found]

    def first_reasons(self, found: Candidate) -> tuple[Message, ...]:
        """The chance to win after a move."""
        return (reason("chance_after", percent=round(100 * found.detail["chance"])),)

    def valued(self, position: Position) -> list[Candidate]:
        """Every legal move with the chance to win after it; those looked at less closely stand behind the others."""
        game = position.game
        bare = game.without or game
        legal = bare.legal_actions(position.row) if position.moves() else []
        if not legal:
            return []
        _, worth, deep = self.desk(game).weigh(position.row, len(legal), self.depth)
        by_action = dict(zip(legal, zip(worth, deep, strict=True), strict=True))
        found = []
        for move in position.moves():
            chance, closely = by_action.get(move.action_id, (0.0, False))
            found.append(Candidate(move, chance if closely else chance - 1.0, (), {"chance": chance}))
        return found

    def after(self, position: Position, move: Move) -> Row:
        """The row after a move, plug-ins apart."""
        bare = position.game.without or position.game
        return bare.position_class(bare, position.row, 0, 0).after(move.action_id).row

    def changes(self, position: Position, move: Move) -> tuple[Message, ...]:
        """What a move changes in the features that matter: by how much the net's chance would differ without it."""
        if not has_numpy():  # a page says the chance alone
            return ()
        desk, after = self.desk(position.game), self.after(position, move)
        if after[STAGE] == OVER:
            return ()
        looks, decides = int(after[TURN]), int(position.row[TURN])
        themes = desk.game.feature_themes(after, looks, decides)
        before, now = desk.features([list(position.row), list(after)], [looks, looks])
        tried = [now]
        for parts in themes.values():
            without, numbers = now.copy(), list(parts)
            without[numbers] = before[numbers]
            tried.append(without)
        shares = desk.shares_of(tried, after, looks)[:, decides]
        effects = {
            name: (float(shares[0] - share), sum(float(now[at] - before[at]) * each for at, each in parts.items()))
            for (name, parts), share in zip(themes.items(), shares[1:], strict=True)
        }
        named = sorted(effects.items(), key=lambda item: -abs(item[1][0]))[:MOST_NAMED]
        return tuple(
            reason("more" if grown > 0 else "less", what=reason(f"feature_{name}"))
            for name, (effect, grown) in named
            if abs(effect) >= MATTERS and grown
        )
