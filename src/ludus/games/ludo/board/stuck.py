"""Whether pieces can be brought home with what can be rolled: asked of the tables of the board."""

from __future__ import annotations

from ludus.core.errors import RulesError
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.graphs import closure, turned_round
from ludus.games.ludo.board.ludo_board import LudoBoard
from ludus.games.ludo.document.rules import COLOURS
from ludus.games.ludo.document.soundness import comes_out_by_event


def stuck_at(board: LudoBoard) -> int | str | None:
    """A tile from which no token brings a piece home, or None; a colour that can bring none home is no game (L27)."""
    found: int | str | None = None
    alike = not board.topology.has_own_ways and not board.topology.has_jumps
    for seat in range(1 if alike else len(board.arms)):
        steps = {bank: moves_alone(board, bank, seat) for bank, is_open in enumerate(board.is_open) if is_open & 1}
        together = {
            node: set().union(*(way[node] for way in steps.values())) for node in range(board.topology.start + 1)
        }
        reached = closure(together, {board.topology.start})
        home = goals(board)
        for ways in steps.values():
            stuck = sorted(reached - closure(turned_round(ways), home))
            if not reached & home:
                raise RulesError(f"{COLOURS[board.arms[seat]]} can't bring a piece home with what can be rolled (L27)")
            if stuck and found is None:
                found = board.topology.name(stuck[0])
    return found


def goals(board: LudoBoard) -> set[int]:
    """Where a piece is home."""
    topology = board.topology
    return set(range(topology.tiles, topology.finish)) if board.field(k.HOME_IS_LANE) else {topology.finish}


def moves_alone(board: LudoBoard, bank: int, seat: int) -> dict[int, set[int]]:
    """Per node where one move takes a colour's piece that is alone on the board."""
    possible = {kind for outcome in board.outcomes[bank] for kind in outcome.kinds if kind.whose != k.OTHERS}
    kinds = [number for number, kind in enumerate(board.kinds) if kind in possible and kind.effect != k.SWAP]
    has_jumps = board.field(k.JUMPS)
    jumps = board.bank_at(bank) + board.field(k.B_JUMP) + seat * board.topology.tiles
    found: dict[int, set[int]] = {}
    for node in range(board.topology.start + 1):
        ends = {way.target for kind in kinds for way in board.ways_of(bank, seat, node, kind)}
        found[node] = set()
        for end in ends:
            place = end & k.NODE
            jumping = has_jumps and place < board.topology.tiles and not end & k.BOUNCED
            jump = board.tables[jumps + place] if jumping else -1
            found[node].add(jump if jump >= 0 else place)
    if board.out_sets or comes_out_by_event(board.banks[bank]):
        found[board.topology.start].add(board.entry(seat))
    return found
