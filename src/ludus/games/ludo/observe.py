"""What the indices of the Ludo family's observations and actions mean; the kernel writes and reads them."""

from __future__ import annotations

from ludus.games.ludo import kernel as k


def layout(tables: list[int], players: tuple[str, ...]) -> list[str]:
    """The meaning of each index, in order. `seat 0` is the observer, `seat 1` the next to play, and so on."""
    count = len(players)
    names: list[str] = []
    for seat in range(count):
        who = f"seat {seat}: share of its pieces"
        names += [f"{who} on path tile {d} from the observer's entry tile" for d in range(tables[k.TILES])]
        names += [f"{who} on its end:{i}" for i in range(tables[k.END])]
        names += [f"{who} at its finish", f"{who} in its yard"]
        if tables[k.TO_CAPTOR]:
            names += [f"{who} held by seat {captor}" for captor in range(count)]
    for seat in range(count):
        names += [f"seat {seat} has the turn", f"seat {seat} has captured", f"seat {seat}: place reached / players"]
    dice = "dice of {} in the pool / 10 (at most 10 shown)" if tables[k.POOLED] else "the die shows {}"
    names += [dice.format(face) for face in range(1, tables[k.FACES] + 1)]
    names += [
        "a player decides (0: a roll is due, or the game is over)",
        "sixes in a row / limit",
        "failed attempts to get out / attempts",
        "1 in teams",
        "the duty to unblock is behind this turn",
    ]
    if tables[k.FREEZES]:
        frozen = "share of the mover's pieces frozen on"
        names += [f"{frozen} path tile {d} from the observer's entry tile" for d in range(tables[k.TILES])]
        names += [f"{frozen} its end:{i}" for i in range(tables[k.END])]
    if tables[k.R_SUM] < tables[k.R_PLACE]:
        for seat in range(count):
            names += [f"seat {seat} is in the roll-off", f"seat {seat}: roll-off sum / 12"]
    places = tables[k.HELD] + (count if tables[k.TO_CAPTOR] else 0)
    names += [
        f"piece {piece} of those that the observer moves: {place_of(places)}" for piece in range(tables[k.PIECES])
    ]
    return names


def place_of(places: int) -> str:
    """How the place of one piece is written as a number."""
    return f"0 in its yard, else 1 + its place as in seat 0's list, from its own entry tile, / {places}"


def action_blocks(tables: list[int], faces_out: list[int]) -> list[tuple[str, str]]:
    """The blocks of the action space with their meaning; those that the rules do not have are left out."""
    pieces, last = tables[k.PIECES], tables[k.A_PASS]
    if not tables[k.POOLED]:
        return [
            (span(0, pieces), "the piece with that index, in the order of the position's list"),
            (str(last), "pass"),
        ]
    blocks = [
        (
            0,
            tables[k.A_OUT],
            f"set × {pieces} + piece: the piece uses that set of dice; sets 0–5 are the single dice 1–6",
        ),
        (tables[k.A_OUT], tables[k.A_OUT_ON], f"come out with {' or '.join(map(str, faces_out))}"),
        (tables[k.A_OUT_ON], tables[k.A_BUY], "come out with a 6 and go on with the set of that number"),
        (tables[k.A_BUY], tables[k.A_SPECIAL], "buy a held piece back"),
        (tables[k.A_SPECIAL], last, "the special move out with 2, 3, … pieces"),
        (last, last + 1, "pass"),
    ]
    return [(span(first, end), meaning) for first, end, meaning in blocks if end > first]


def span(first: int, end: int) -> str:
    """'4' or '0–3'."""
    return str(first) if end == first + 1 else f"{first}–{end - 1}"
