"""What the indices of the general game's observations and actions mean; the kernel writes and reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.games.ludo import kernel_open as k
from ludus.games.ludo.observe import place_of, span

if TYPE_CHECKING:
    from ludus.games.ludo.opengame import OpenGame


def layout(game: OpenGame) -> list[str]:
    """The meaning of each index, in order. `seat 0` is the observer, `seat 1` the next by seats, and so on."""
    tables, count = game.board.tables, game.num_players
    names: list[str] = []
    for seat in range(count):
        who = f"seat {seat}: share of its pieces"
        for node in range(tables[k.START] + 1):
            place = f"on {game.place(node)}"
            if node < tables[k.TURNED]:
                place = f"on path tile {node} from the observer's entry tile"
            names.append(f"{who} {place}")
        names += [f"{who} held by seat {captor}" for captor in range(count)]
    for seat in range(count):
        names += [
            f"seat {seat} has the turn", f"seat {seat}: captures that changes count / highest counted",
            f"seat {seat}: pieces lost that changes count / highest counted", f"seat {seat}: place reached / players",
            f"seat {seat}: turns to miss / 9", f"seat {seat}: points / points that win",
            f"seat {seat} takes part in deciding who begins", f"seat {seat}: its sum in the roll-off, plus 1000 / 2000",
        ]  # fmt: skip
        names += [f"seat {seat}: change {number + 1} holds" for number in range(tables[k.CHANGES])]
    names += [f"tokens {kind.name} in the pool / 10 (at most 10 shown)" for kind in game.board.kinds]
    names += [
        "a player decides (0: chance, or the game is over)", "another roll is due / 2", "rolls in a row / 9",
        "failed attempts to get out / 9", "the order of play is turned round", "turns / 10000", "1 in teams",
    ]  # fmt: skip
    names += [f"cards {card.name} left in the deck / all" for card in game.rules.chance.cards[: tables[k.DECK]]]
    places, pieces = tables[k.HELD] + count, tables[k.PIECES]
    names += [f"seat {seat}, its piece {n}: {place_of(places)}" for seat in range(count) for n in range(pieces)]
    return names


def action_blocks(game: OpenGame) -> list[tuple[str, str]]:
    """The blocks of the action space with their meaning."""
    tables = game.board.tables
    pieces, kinds, ways = tables[k.PIECES], tables[k.KINDS], tables[k.WAYS]
    names = ", ".join(str(kind.name) for kind in game.board.kinds)
    whose = f"(colours on from the mover × {pieces} + piece)" if tables[k.MOVERS] > 1 else "piece"
    steps = f"({whose} × {kinds} + token) × {ways} + way: the piece uses that token on that way; tokens {names}"
    blocks = [(0, tables[k.A_SWAP], steps)]
    if tables[k.A_PASS] > tables[k.A_SWAP]:
        swap = (
            f"(piece × {tables[k.PLAYERS]} + colours on from the mover) × {pieces} + its piece: the two change places"
        )
        blocks.append((tables[k.A_SWAP], tables[k.A_PASS], swap))
    blocks.append((tables[k.A_PASS], tables[k.A_PASS] + 1, "pass"))
    return [(span(first, end), meaning) for first, end, meaning in blocks]
