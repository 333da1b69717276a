"""Positions as plain data: writing them shortly. reading.py reads them, strictly."""

from __future__ import annotations

from typing import Any

from ludus.core.kernels.codes import DECISION, STAGE, TURN
from ludus.games.ludo import hands
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.ludo_board import LudoBoard
from ludus.games.ludo.board.reactions import shown_rolls
from ludus.games.ludo.board.tiles import safe_tiles

AGAIN_WORDS = (False, True, "always")
MOST_TOKENS, MOST_CARDS = 127, 99  # of one kind that wait, and in a deck
MOST_KEPT = 30_000  # of a number that rules in Python keep


def place_name(board: LudoBoard, players: tuple[str, ...], node: int) -> int | str:
    """A node as people write it."""
    if node >= board.field(k.HELD):
        return f"held:{players[node - board.field(k.HELD)]}"
    return board.topology.name(node)


def change_names(board: LudoBoard) -> list[str]:
    """What the changes are called; the first capture that opens the way home has no name of its own."""
    return [change.name or f"change {number + 1}" for number, change in enumerate(board.rules.all_changes)]


def pieces_of(board: LudoBoard, row: Any, seat: int) -> list[int]:
    """The nodes of a colour's pieces, in their order."""
    first = k.slot(board.tables, seat, 0)
    return [int(node) for node in row[first : first + board.rules.board.pieces]]


def tokens_of(board: LudoBoard, row: Any) -> list[int]:
    """The kinds of the tokens that wait, bonuses included; cards in a hand are no such tokens."""
    if board.field(k.HANDS):
        return [row[k.TOKEN] - 1] if row[k.TOKEN] else []
    return [kind for kind in range(len(board.kinds)) for _ in range(k.waiting(row, board.tables, kind))]


def names_of_tokens(board: LudoBoard, row: Any) -> list[int | str]:
    """The tokens that wait as positions write them: dice larger first, then what has a name."""
    names = [board.kinds[kind].name for kind in tokens_of(board, row)]
    numbers = sorted((name for name in names if isinstance(name, int)), reverse=True)
    return [*numbers, *(name for name in names if not isinstance(name, int))]


def outcomes_given(board: LudoBoard, row: Any) -> list[int]:
    """Where the tables have the outcomes that give just the tokens that wait, bonuses apart."""
    tokens = sorted(kind for kind in tokens_of(board, row) if kind not in board.given)
    return board.outcomes_by_tokens[board.bank_number(row, row[TURN])].get(tuple(tokens), [])


def usual(board: LudoBoard, row: Any) -> tuple[int, int, int]:
    """AGAIN, SIXES and ROLLS as they are right after the roll that the tokens show, the first of a turn."""
    outcomes = outcomes_given(board, row) if row[STAGE] == DECISION else []
    if not outcomes:
        return 0, 0, 0
    tables, at = board.tables, outcomes[0]
    bank = k.bank_of(row, tables, int(row[TURN]))
    counts = tables[at + k.F_COUNTS] if tables[bank + k.O_SIXES_LIMIT] or tables[k.COUNTS_ROLLS] else 0
    idle = k.count_under_way(row, tables, k.mover(row, tables)) == 0
    failed = tables[bank + k.O_ATTEMPTS] > 1 and not tables[at + k.F_LEAVES] and idle
    return tables[at + k.F_AGAIN], counts, int(failed)


def usually_shown(board: LudoBoard, row: Any) -> int:
    """What the roll shows that the tokens are, of what duties ask about."""
    outcomes = outcomes_given(board, row) if row[STAGE] == DECISION else []
    return board.tables[outcomes[0] + k.F_SHOWS] if outcomes else 0


def sixes_at(board: LudoBoard, seat: int) -> int:
    """Where a row counts the rolls in a row of a colour: of the turn, or of the colour across turns (Z18)."""
    return board.field(k.R_SIXES) + seat if board.field(k.SIXES_STAY) else k.SIXES


def to_dict(board: LudoBoard, players: tuple[str, ...], row: list[int]) -> dict[str, Any]:
    """Everything that affects the future; what has its default is left out."""
    tables = board.tables
    turn = players[row[TURN]]
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
    _write_turn(board, players, row, data)
    _write_state(board, row, data)
    _write_parted(board, players, row, data)
    _write_challenge(board, players, row, data)
    if tables[k.HANDS] or tables[k.KEEPS_FRESH]:
        data |= hands.written(board, players, row)
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
        data["dice" if row[STAGE] == DECISION else "kept"] = dice
    elif row[STAGE] == DECISION and not board.field(k.HANDS):
        data["stage"] = "decision"
    if row[k.ROLLOFF_IN] == k.LOT:
        data["stage"] = "lot"


def _write_sixes(
    board: LudoBoard, players: tuple[str, ...], row: list[int], usually: int, data: dict[str, Any]
) -> None:
    turn = row[TURN]
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
    counts_captures = board.field(k.CAPTURE_CAP) > (1 if board.rules.asks_for_capture else 0)
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


def _write_turn(board: LudoBoard, players: tuple[str, ...], row: list[int], data: dict[str, Any]) -> None:
    """The piece that moved last in this turn, and what duties want to know of the last roll."""
    last = row[board.field(k.R_LAST)] if board.field(k.KEEPS_LAST) else 0
    if last:
        seat, _ = divmod(last - 1, board.rules.board.pieces)
        data["last_moved"] = {players[seat]: place_name(board, players, row[k.PIECE_0 + last - 1])}
    shown = row[board.field(k.R_SHOWN)] if board.field(k.KEEPS_SHOWN) else 0
    if board.field(k.KEEPS_SHOWN) and shown != usually_shown(board, row):
        rolls = shown_rolls(board.banks[board.bank_number(row, row[TURN])])
        data["shown"] = [roll for bit, roll in enumerate(rolls) if shown >> bit & 1]


def parted(board: LudoBoard, row: list[int], seat: int) -> list[tuple[int, int]]:
    """(the tile that a piece left with this roll while another stood there, where it is now) of a colour's pieces."""
    if not board.field(k.PARTS):
        return []
    left = [row[k.parted_slot(board.tables, seat, piece)] for piece in range(board.rules.board.pieces)]
    return sorted((tile - 1, node) for tile, node in zip(left, pieces_of(board, row, seat), strict=True) if tile)


def _write_parted(board: LudoBoard, players: tuple[str, ...], row: list[int], data: dict[str, Any]) -> None:
    """Who has left whom with this roll."""
    found = {
        colour: [[place_name(board, players, node) for node in pair] for pair in parted(board, row, seat)]
        for seat, colour in enumerate(players)
    }
    named = {colour: pairs for colour, pairs in found.items() if pairs}
    data |= {"parted": named} if named else {}


def _write_challenge(board: LudoBoard, players: tuple[str, ...], row: list[int], data: dict[str, Any]) -> None:
    """From where a player challenges in this turn, and how often it has."""
    at = board.field(k.R_CHALLENGE)
    if board.field(k.CHALLENGER) and row[at]:
        seat, node = divmod(row[at] - 1, board.field(k.FINISH))
        data["challenge"] = {players[seat]: [place_name(board, players, node), row[at + 1]]}


def _write_state(board: LudoBoard, row: list[int], data: dict[str, Any]) -> None:
    """What rules in Python keep."""
    first = board.field(k.R_STATE)
    state = row[first : first + board.state]
    data |= {"state": state} if any(state) else {}


def _write_changes(board: LudoBoard, players: tuple[str, ...], row: list[int], data: dict[str, Any]) -> None:
    names = change_names(board)
    held = {colour: board.bank_number(row, seat) for seat, colour in enumerate(players)}
    if board.rules.asks_for_capture:
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
    apart = tuple(tuple(parted(board, row, seat)) for seat in range(players))
    if tables[k.PARTS]:
        row = [*row]
        row[tables[k.R_PARTED] : tables[k.R_PARTED] + players * tables[k.PIECES]] = [0] * players * tables[k.PIECES]
    rest = row[end:]
    if tables[k.KEEPS_LAST] and row[tables[k.R_LAST]]:  # which of the pieces on a tile it was makes no difference
        seat = (row[tables[k.R_LAST]] - 1) // tables[k.PIECES]
        node = row[k.PIECE_0 + row[tables[k.R_LAST]] - 1]
        rest = [*rest, k.slot(tables, seat, 0), node]
        rest[tables[k.R_LAST] - end] = 1
    return (*row[: k.PIECE_0], pieces, tuple(row[after:frozen]), tuple(rest), apart)


def limits(board: LudoBoard) -> list[tuple[int, int, int, int]]:
    """Fields of a row (first, last but one) with the least and the most that play can make of them."""
    field, players = board.field, board.field(k.PLAYERS)
    vectors = [
        (k.R_POOL, field(k.POOLED) and len(board.kinds), MOST_TOKENS),
        (k.R_CAPTURES, field(k.CAPTURE_CAP) and players, field(k.CAPTURE_CAP)),
        (k.R_LOST, field(k.LOST_CAP) and players, field(k.LOST_CAP)),
        (k.R_CHANGED, field(k.BANKED) and players, len(board.outcomes) - 1),
        (k.R_SKIP, field(k.SKIPS) and players, 9),
        (k.R_PLACE, players, players),
        (k.R_DECK, field(k.DECK), MOST_CARDS),
        (k.R_HAND, field(k.HANDS) and players * field(k.DECK), MOST_CARDS),
        (k.R_GIVEN, field(k.HANDS) and players, field(k.DECK)),
        (k.R_DEAL, field(k.HANDS) and k.DEAL_SIZE, max(12, players)),
        (k.R_FRESH, field(k.KEEPS_FRESH) and players, 1),
        (k.R_LAST, field(k.KEEPS_LAST), players * field(k.PIECES)),
        (k.R_SHOWN, field(k.KEEPS_SHOWN), 255),
        (k.R_PARTED, field(k.PARTS) and players * field(k.PIECES), field(k.FINISH)),
        (k.R_CHALLENGE, 2 * (field(k.CHALLENGER) > 0), players * field(k.FINISH)),
        (k.R_STATE, board.state, MOST_KEPT),
    ]
    return [
        (k.TOKEN, k.TOKEN + 1, 0, len(board.kinds)),
        (k.PIECE_0, k.PIECE_0 + players * field(k.PIECES), 0, field(k.NODES) - 1),
        *((field(first), field(first) + count, 0, most) for first, count, most in vectors),
    ]


def way_home(board: LudoBoard, arm: int) -> dict[str, Any]:
    """What the board is to a colour: `entry`, `path` (the first way from the entry to the finish), `next`, `safe`.

    next: where each tile leads from which more than one way goes on.
    """
    topology, rules = board.topology, board.banks[-1]
    ahead, entries = topology.successors(arm), topology.entries(arm)
    path = entries[:1]
    while path and ahead[path[-1]] and ahead[path[-1]][0] not in path:
        path.append(ahead[path[-1]][0])
    forks = {node: ways for node, ways in enumerate(ahead) if len(ways) > 1}
    own = set() if rules.safe.entry == "open" else set(entries)
    safe = [*sorted(safe_tiles(rules, topology) | own), *range(topology.tiles, topology.finish)]
    return {
        "entry": [topology.name(node) for node in entries],
        "path": [topology.name(node) for node in path],
        "next": {str(topology.name(node)): [topology.name(way) for way in ways] for node, ways in forks.items()},
        "safe": [topology.name(node) for node in safe],
    }
