"""What the indices of Ludo's observations and actions mean; the kernel writes and reads them.

First comes what every rule set has, laid out by its board and its tokens. Then what only some count, all of it or
nothing, so that a second rule that counts something moves nothing. Then what has a length of its own: held and frozen
pieces, others' pieces, changes, the deck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.games.ludo import kernel as k
from ludus.games.ludo.notation import name_of_number

if TYPE_CHECKING:
    from ludus.games.ludo.game import LudoGame


def layout(game: LudoGame) -> list[str]:
    """The meaning of each index, in order. `seat 0` is the observer, `seat 1` the next by seats, and so on."""
    return [*_always(game), *_sometimes(game)]


def _always(game: LudoGame) -> list[str]:
    tables, count = game.board.tables, game.num_players
    names = [name for seat in range(count) for name in _shares(game, seat)]
    for seat in range(count):
        names += [f"seat {seat} has the turn", f"seat {seat} has captured", f"seat {seat}: place reached / players"]
    one = all(isinstance(kind.name, int) for kind in game.board.kinds)
    waits = "the die shows {}" if one else "{} waits"
    pool = "dice of {} in the pool / 10 (at most 10 shown)" if one else "tokens {} in the pool / 10 (at most 10 shown)"
    names += [(waits if tables[k.SINGLE] else pool).format(kind.name) for kind in game.board.kinds]
    names += [
        "a player decides (0: a roll is due, or the game is over)",
        "sixes in a row / limit",
        "failed attempts to get out / attempts",
        "1 in teams",
        "the duty to unblock is behind this turn",
    ]
    where = place_of(tables[k.HELD])
    return names + [f"piece {n} of those that the observer moves: {where}" for n in range(tables[k.PIECES])]


def _shares(game: LudoGame, seat: int) -> list[str]:
    tables, who = game.board.tables, f"seat {seat}: share of its pieces"
    names = [f"{who} on {_tile(game, tile)}" for tile in range(tables[k.TILES])]
    names += [f"{who} on its end:{i}" for i in range(tables[k.END])]
    return [*names, f"{who} at its finish", f"{who} in its yard"]


def _tile(game: LudoGame, tile: int) -> str:
    if tile < game.board.field(k.TURNED):
        return f"path tile {tile} from the observer's entry tile"
    return f"tile {game.place(tile)}"


def place_of(places: int) -> str:
    """How the place of one piece is written as a number."""
    return f"0 in its yard or held, else 1 + its place as in seat 0's list, from its own entry tile, / {places}"


def _sometimes(game: LudoGame) -> list[str]:
    tables, count = game.board.tables, game.num_players
    where = place_of(tables[k.HELD])
    names = _counts(game) if k.has_more_to_see(tables) else []
    if tables[k.HOLDS]:
        seats = range(count)
        names += [f"seat {seat}: share of its pieces held by seat {captor}" for seat in seats for captor in seats]
        moves = "piece {} of those that the observer moves: 0 free, else 1 + the seat that holds it, / {}"
        names += [moves.format(piece, count) for piece in range(tables[k.PIECES])]
    if tables[k.FREEZES]:
        frozen = "share of the mover's pieces frozen on"
        names += [f"{frozen} {_tile(game, tile)}" for tile in range(tables[k.TILES])]
        names += [f"{frozen} its end:{i}" for i in range(tables[k.END])]
    if tables[k.MOVERS] > 1 or tables[k.SWAPS]:
        names += [f"seat {s}, its piece {n}: {where}" for s in range(1, count) for n in range(tables[k.PIECES])]
    names += [f"seat {seat}: change {n + 1} holds" for seat in range(count) for n in range(tables[k.CHANGES])]
    where_left = "unseen: in the deck or in others' hands" if tables[k.HANDS] else "left in the deck"
    names += [f"cards {card.name} {where_left} / all" for card in game.rules.chance.cards[: tables[k.DECK]]]
    if tables[k.HANDS]:
        names += _hands(game)
    if tables[k.KEEPS_LAST]:
        names.append(f"the piece moved last in this turn: {where}; 0: none")
    names += ["a duty is asked after this roll"] if tables[k.KEEPS_SHOWN] else []
    left = "the tile that it has left with this roll while another stood there, as seat 0's list has it"
    pieces = range(tables[k.PIECES] if tables[k.PARTS] else 0)
    names += [f"piece {n} of the mover: {left}: (1 + its place) / {tables[k.HELD]}; 0: none" for n in pieces]
    from_where = f"from where somebody is challenged in this turn: (1 + its place) / {tables[k.HELD]}; 0: from nowhere"
    how_often = f"how often, / {tables[k.PIECES] + 1}"
    return names + ([from_where, how_often] if tables[k.CHALLENGER] else [])


def _hands(game: LudoGame) -> list[str]:
    """What a seat sees of hands: its own, and how many cards others have."""
    most = game.board.field(k.HANDS)
    names = [f"cards {card.name} in the observer's hand / {most}" for card in game.rules.chance.cards]
    for seat in range(game.num_players):
        names += [
            f"seat {seat}: cards in its hand / {most + 1}",
            f"seat {seat} has chosen the card that it gives",
            f"seat {seat} leads in this deal",
            f"seat {seat}: the piece on its entry tile is protected",
        ]
    return [*names, "cards are being exchanged", f"deal / {game.board.field(k.DEALS)}"]


def _counts(game: LudoGame) -> list[str]:
    """What some rule sets count: all of these places, or none; 0 where these rules do not count it."""
    counted = (
        "takes part in deciding who begins",
        f"roll-off sum / {game.board.field(k.MOST_TOTAL)}",
        "captures that changes count / highest counted",
        "pieces lost that changes count / highest counted",
        "turns to miss / 9",
        "points / points that win",
        "sixes in a row, across turns / 9",
    )
    whole = ["turns / 10000", "the order of play is turned round", "another roll is due / 2"]
    return whole + [f"seat {seat}: {name}" for seat in range(game.num_players) for name in counted]


def action_blocks(game: LudoGame) -> list[tuple[str, str]]:
    """The blocks of the action space with their meaning; those that the rules do not have are left out."""
    tables = game.board.tables
    pieces, ways = tables[k.PIECES], tables[k.WAYS]
    leaver = game.board.kinds[tables[k.LEAVER]].distance
    blocks = [
        (0, tables[k.A_OUT], _steps(game)),
        (tables[k.A_OUT], tables[k.A_ON], f"come out with {_leavers(game)}"),
        (tables[k.A_ON], tables[k.A_BUY], f"come out with a {leaver} and go on with the set of that number"),
        (tables[k.A_BUY], tables[k.A_SPECIAL], f"buy a held piece back with {_leavers(game)}"),
        (tables[k.A_SPECIAL], tables[k.A_SWAP], "the special move out with 2, 3, … pieces"),
        (
            tables[k.A_SWAP],
            tables[k.A_GIVE],
            ("(kind of token that exchanges × " + str(pieces) + " + piece" if tables[k.SWAPPERS] > 1 else "(piece")
            + f" × {tables[k.PLAYERS]} + colours on from the mover) × {pieces} + its piece: the two change places",
        ),
        (tables[k.A_GIVE], tables[k.A_PASS], "give or throw away the card of that number"),
        (tables[k.A_PASS], tables[k.A_PASS] + 1, "pass"),
    ]
    if tables[k.PLAIN] or (tables[k.SINGLE] and ways == tables[k.MOVERS] == 1):
        blocks[0] = (0, pieces, "the piece with that index, in the order of the position's list")
    return [(span(first, end), meaning) for first, end, meaning in blocks if end > first]


def _steps(game: LudoGame) -> str:
    tables = game.board.tables
    pieces, ways = tables[k.PIECES], tables[k.WAYS]
    spot = f"(colours on from the mover × {pieces} + piece)" if tables[k.MOVERS] > 1 else "piece"
    uses = "the piece moves"
    if tables[k.POOLED]:
        names = ", ".join(str(kind.name) for kind in game.board.kinds)
        sets = f"; sets from {tables[k.KINDS]} on are several dice as one move" if tables[k.COMBINED] else ""
        spot = f"set × {tables[k.SPOTS]} + {spot}"
        uses = f"the piece uses that set of tokens; single ones are {names}{sets}"
    return f"({spot}) × {ways} + way: {uses} on that way" if ways > 1 else f"{spot}: {uses}"


def _leavers(game: LudoGame) -> str:
    tables = game.board.tables
    kinds = tables[tables[k.T_LEAVER] : tables[k.T_LEAVER] + tables[k.LEAVERS]] if tables[k.POOLED] else []
    return " or ".join(name_of_number(game, number) for number in kinds)


def span(first: int, end: int) -> str:
    """'4' or '0–3'."""
    return str(first) if end == first + 1 else f"{first}–{end - 1}"
