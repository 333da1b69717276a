"""What the tiles of a board do under one bank of rules: who is safe where, what jumps, what can bear a block."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.topology import Topology
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
    return counted | {topology.tile(name, "safe.at") for name in rules.safe.at}


def star_jumps(rules: RuleSet, topology: Topology, arm: int, is_open: bool) -> dict[int, int]:
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
    is_open: bool

    def guards(self) -> list[int]:
        """Per seat and tile what protects others there from that seat: GUARD_*, or the owner of an entry tile."""
        rules, topology = self.rules, self.topology
        safe, side = safe_tiles(rules, topology), sides(len(self.arms), rules)
        owner = {topology.entries(arm)[0]: seat for seat, arm in enumerate(self.arms)}
        if rules.safe.entry == "open":
            owner = {}
        kind = k.GUARD_PUNISHES if rules.safe.landing == "punished" else k.GUARD_SHARED
        guards = []
        for seat in range(len(self.arms)):
            for tile in range(topology.tiles):
                foreign = tile in owner and side[owner[tile]] != side[seat]  # T6, S36: an opponent's, not a mate's
                guards.append(kind if tile in safe else -owner[tile] - 1 if foreign else 0)
        return guards

    def jumps(self) -> list[int]:
        """Per seat and tile where a piece goes on to that lands there, or -1."""
        found = []
        for arm in self.arms:
            stars = star_jumps(self.rules, self.topology, arm, self.is_open)
            found += [self.topology.jumps.get(tile, stars.get(tile, -1)) for tile in range(self.topology.tiles)]
        return found

    def blockable(self) -> list[int]:
        """The tiles on which two pieces are a block (Z5, F3)."""
        safe = safe_tiles(self.rules, self.topology)
        return [tile for tile in range(self.topology.tiles) if self.rules.block.on_safe or tile not in safe]

    def squares(self) -> list[int]:
        """Per tile what it does to whoever lands there, as bits SQUARE_*."""
        squares = self.rules.squares
        found = [0] * self.topology.tiles
        lists = (squares.roll_again, squares.miss_turn, squares.turn_round, squares.send_home)
        for bit, names in enumerate(lists):
            for name in names:
                found[self.topology.tile(name, "squares")] |= 1 << bit
        return found
