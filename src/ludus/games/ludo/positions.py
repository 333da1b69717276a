"""Positions as plain data: writing them shortly. reading.py reads them, strictly."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.tables import LudoBoard

AGAIN_WORDS = (False, True, "always")


def place_name(board: LudoBoard, players: tuple[str, ...], node: int) -> int | str:
    """A node as people write it."""
    if node >= board.field(k.HELD):
        return f"held:{players[node - board.field(k.HELD)]}"
    return board.topology.name(node)


def change_names(board: LudoBoard) -> list[str]:
    """What the changes are called; the first capture that opens the way home has no name of its own."""
    return [change.name or f"change {number + 1}" for number, change in enumerate(board.rules.changes)]


def pieces_of(board: LudoBoard, row: Any, seat: int) -> list[int]:
    """The nodes of a colour's pieces, in their order."""
    first = k.slot(board.tables, seat, 0)
    return [int(node) for node in row[first : first + board.rules.board.pieces]]


def tokens_of(board: LudoBoard, row: Any) -> list[int]:
    """The kinds of the tokens that wait, bonuses included."""
    return [kind for kind in range(len(board.kinds)) for _ in range(k.waiting(row, board.tables, kind))]


def names_of_tokens(board: LudoBoard, row: Any) -> list[int | str]:
    """The tokens that wait as positions write them: dice larger first, then what has a name."""
    names = [board.kinds[kind].name for kind in tokens_of(board, row)]
    numbers = sorted((name for name in names if isinstance(name, int)), reverse=True)
    return [*numbers, *(name for name in names if not isinstance(name, int))]


def outcomes_given(board: LudoBoard, row: Any) -> list[int]:
    """Where the tables have the outcomes that give just the tokens that wait, bonuses apart."""
    bank = board.bank_number(row, row[k.TURN])
    tokens = Counter(kind for kind in tokens_of(board, row) if not board.kinds[kind].is_bonus)
    at = board.bank_at(bank)
    return [
        k.outcome_at(board.tables, at, number)
        for number, outcome in enumerate(board.outcomes[bank])
        if Counter(board.kinds.index(kind) for kind in outcome.kinds) == tokens
    ]


def usual(board: LudoBoard, row: Any) -> tuple[int, int, int]:
    """AGAIN, SIXES and ROLLS as they are right after the roll that the tokens show, the first of a turn."""
    outcomes = outcomes_given(board, row) if row[k.STAGE] == k.DECISION else []
    if not outcomes:
        return 0, 0, 0
    tables, at = board.tables, outcomes[0]
    bank = k.bank_of(row, tables, int(row[k.TURN]))
    counts = tables[at + k.F_COUNTS] if tables[bank + k.O_SIXES_LIMIT] else 0
    idle = k.count_in_play(row, tables, k.mover(row, tables)) == 0
    failed = tables[bank + k.O_ATTEMPTS] > 1 and not tables[at + k.F_LEAVES] and idle
    return tables[at + k.F_AGAIN], counts, int(failed)


def sixes_at(board: LudoBoard, seat: int) -> int:
    """Where a row counts the rolls in a row of a colour: of the turn, or of the colour across turns (Z18)."""
    return board.field(k.R_SIXES) + seat if board.field(k.SIXES_STAY) else k.SIXES


def to_dict(board: LudoBoard, players: tuple[str, ...], row: list[int]) -> dict[str, Any]:
    """Everything that affects the future; what has its default is left out."""
    tables = board.tables
    turn = players[row[k.TURN]]
    data: dict[str, Any] = {
        "pieces": {
            colour: [place_name(board, players, node) for node in pieces_of(board, row, seat)]
            for seat, colour in enumerate(players)
        },
        "turn": turn,
    }
    _write_stage(board, row, data)
    _write_changes(board, players, row, data)
    again, sixes, rolls = usual(board, row)
    if row[k.AGAIN] != again:
        data["again"] = AGAIN_WORDS[row[k.AGAIN]]
    _write_sixes(board, players, row, sixes, data)
    if row[k.ROLLS] != rolls:
        data["rolls"] = row[k.ROLLS]
    _write_counts(board, players, row, data)
    if tables[k.FREEZES]:
        _write_frozen(board, players, row, data)
    if row[k.UNBLOCKED]:
        data["unblocked"] = True
    if row[k.ROLLOFF_IN] > 0:
        seats = [s for s in range(len(players)) if (row[k.ROLLOFF_IN] >> s) & 1]
        sums = {players[s]: row[tables[k.R_SUM] + s] - k.SUM_IS_THERE for s in seats if row[tables[k.R_SUM] + s]}
        data["rolloff"] = {"in": [players[s] for s in seats], "rolled": sums}
    if tables[k.PLAY_ON] and row[k.PLACED]:
        places = {row[tables[k.R_PLACE] + s]: c for s, c in reversed(list(enumerate(players)))}
        data["places"] = [places[p] for p in range(1, row[k.PLACED] + 1)]
    return data


def _write_stage(board: LudoBoard, row: list[int], data: dict[str, Any]) -> None:
    dice = names_of_tokens(board, row)
    if dice:
        data["dice" if row[k.STAGE] == k.DECISION else "kept"] = dice
    elif row[k.STAGE] == k.DECISION:
        data["stage"] = "decision"
    if row[k.ROLLOFF_IN] == k.LOT:
        data["stage"] = "lot"


def _write_sixes(
    board: LudoBoard, players: tuple[str, ...], row: list[int], usually: int, data: dict[str, Any]
) -> None:
    turn = row[k.TURN]
    if not board.field(k.SIXES_STAY):
        data |= {"sixes": {players[turn]: row[k.SIXES]}} if row[k.SIXES] != usually else {}
        return
    counts = {
        colour: row[sixes_at(board, seat)]
        for seat, colour in enumerate(players)
        if row[sixes_at(board, seat)] != (usually if seat == turn else 0)
    }
    data |= {"sixes": counts} if counts else {}


def _write_counts(board: LudoBoard, players: tuple[str, ...], row: list[int], data: dict[str, Any]) -> None:
    counts_captures = board.field(k.CAPTURE_CAP) > (1 if board.rules.capture.before_home else 0)
    vectors = {
        "lost": (k.R_LOST, board.field(k.LOST_CAP)),
        "skips": (k.R_SKIP, board.field(k.SKIPS)),
        "scores": (k.R_SCORE, board.field(k.SCORE)),
        "captures": (k.R_CAPTURES, counts_captures),
    }
    for name, (field, is_counted) in vectors.items():
        at = board.field(field)
        counts = {colour: row[at + seat] for seat, colour in enumerate(players) if is_counted and row[at + seat]}
        data |= {name: counts} if counts else {}
    data |= {"turns": row[k.TURNS]} if row[k.TURNS] else {}
    data |= {"reversed": True} if row[k.REVERSED] else {}
    cards = board.rules.chance.cards if board.field(k.DECK) else ()
    left = {card.name: row[board.field(k.R_DECK) + number] for number, card in enumerate(cards)}
    if left != {card.name: card.count for card in cards}:
        data["deck"] = left


def _write_changes(board: LudoBoard, players: tuple[str, ...], row: list[int], data: dict[str, Any]) -> None:
    names = change_names(board)
    held = {colour: board.bank_number(row, seat) for seat, colour in enumerate(players)}
    if board.rules.capture.before_home:
        captured = [colour for colour, bits in held.items() if bits >> board.field(k.HOME_BIT) & 1]
        data |= {"captured": captured} if captured else {}
    holding = {
        colour: [name for number, name in enumerate(names) if bits >> number & 1] for colour, bits in held.items()
    }
    holding = {colour: changes for colour, changes in holding.items() if changes}
    data |= {"changed": holding} if holding else {}


def _write_frozen(board: LudoBoard, players: tuple[str, ...], row: list[int], data: dict[str, Any]) -> None:
    frozen = {
        colour: sorted(
            node
            for piece, node in enumerate(pieces_of(board, row, seat))
            if k.is_frozen(row, board.tables, seat, piece)
        )
        for seat, colour in enumerate(players)
    }
    named = {c: [place_name(board, players, node) for node in nodes] for c, nodes in frozen.items() if nodes}
    data |= {"frozen": named} if named else {}


def key(board: LudoBoard, row: list[int]) -> tuple[Any, ...]:
    """What makes positions equal: pieces as sorted places, each with whether it is frozen, and every other field."""
    tables, players, after = board.tables, len(board.arms), k.slot(board.tables, len(board.arms), 0)
    pieces = tuple(
        tuple(sorted((node, k.is_frozen(row, tables, s, p)) for p, node in enumerate(pieces_of(board, row, s))))
        for s in range(players)
    )
    frozen, end = tables[k.R_FROZEN], tables[k.R_FROZEN] + (players if tables[k.FREEZES] else 0)
    return (*row[: k.PIECE_0], pieces, tuple(row[after:frozen]), tuple(row[end:]))
