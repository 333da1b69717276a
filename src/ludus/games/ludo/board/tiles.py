"""What the tiles of a board do under one bank of rules: who is safe where, what jumps, what can bear a block."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.games.ludo.board.numbers import SQUARE
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.event_rows import Rows
from ludus.games.ludo.document.rules import RuleSet


def sides(players: int, rules: RuleSet) -> list[int]:
    """The side of each seat: itself, or its team of opposite seats (Z22)."""
    half = players // 2
    return [seat % half for seat in range(players)] if rules.modes.mode == "teams" else list(range(players))


def on_every_arm(rules: RuleSet, offsets: tuple[int, ...]) -> set[int]:
    """The path tiles at the given distances from every arm's first tile."""
    return {arm * rules.arm + offset for arm in range(rules.board.seats) for offset in offsets}


def safe_tiles(rules: RuleSet, topology: Topology) -> set[int]:
    """The safe tiles as nodes."""
    counted = set() if topology.is_graph else on_every_arm(rules, rules.safe.tiles)
    named = counted | {topology.tile(name, "safe.at") for name in rules.safe.at}
    return {tile for node in named for tile in topology.names_of(node)} if topology.has_twins else named


def star_jumps(rules: RuleSet, topology: Topology, arm: int, is_open: int) -> dict[int, int]:
    """Where a star jumps to: the next star on the way, from the last one the finish (T3)."""
    stars = on_every_arm(rules, rules.movement.stars)
    ahead = topology.successors(arm, is_open)
    jumps = {}
    for star in stars:
        node = ahead[star][0]
        for _ in range(topology.tiles):
            if node in stars or node >= topology.tiles:
                break
            node = ahead[node][0]
        jumps[star] = node if node in stars else topology.finish
    return jumps


@dataclass(frozen=True)
class Tiles:
    """The tiles of a board under one bank of rules, seen by every seat."""

    rules: RuleSet
    topology: Topology
    arms: tuple[int, ...]
    is_open: int

    def jumps(self) -> list[int]:
        """Per seat and tile where a piece goes on to that lands there, or -1."""
        found = []
        for arm in self.arms:
            stars = star_jumps(self.rules, self.topology, arm, self.is_open)
            own = {tile: jump.target for tile, jump in self.topology.jumps(arm, self.is_open).items()}
            found += [own.get(tile, stars.get(tile, -1)) for tile in range(self.topology.tiles)]
        return found

    def slides(self) -> tuple[list[int], list[int]]:
        """Per seat and tile where its list begins; and the lists: tiles cleared, or minus 1 + one gone through."""
        first, tiles = list[int](), list[int]()
        for arm in self.arms:
            jumps = self.topology.jumps(arm, self.is_open)
            for tile in range(self.topology.tiles):
                first.append(len(tiles))
                if tile in jumps:
                    tiles += [*jumps[tile].cleared, *(-1 - hop for hop in jumps[tile].through)]
        return [*first, len(tiles)], tiles

    def squares(self) -> list[int]:
        """Per tile what it does to whoever lands there, as bits SQUARE_*."""
        rows = Rows(self.rules)
        found = [0] * self.topology.tiles
        for do, bit in SQUARE.items():
            for name in rows.tiles_that(do):
                for tile in self.topology.names_of(self.topology.tile(name, "squares")):
                    found[tile] |= bit
        return found
