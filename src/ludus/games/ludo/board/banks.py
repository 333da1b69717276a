"""The banks: for every combination of rules that may come to hold, its options, then its tables (L2)."""

from __future__ import annotations

from ludus.core.errors import RulesError
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board import numbers, reactions
from ludus.games.ludo.board.chance import MOST_POINTS, Kind, Outcome
from ludus.games.ludo.board.ludo_board import LudoBoard, keeps_its_tokens, set_fields, words_of
from ludus.games.ludo.board.tiles import Tiles
from ludus.games.ludo.document.event_rows import Rows
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.document.soundness import brings_out

MOST_INTEGERS = 8_000_000


def write_banks(board: LudoBoard) -> None:
    """Every bank has its options, then its tables, each at the same place in all of them."""
    contents = [_bank_tables(board, number) for number in range(len(board.banks))]
    size = k.O_SIZE
    for name in contents[0]:
        set_fields(board, **{name: size})
        size += max(len(tables[name]) for tables in contents)
    if size * len(contents) > MOST_INTEGERS:
        raise RulesError(
            f"changes: {len(contents)} combinations of them on a board of this size are too many tables (L21)"
        )
    set_fields(board, T_BANK=len(board.tables), BANK_SIZE=size)
    for number, tables in enumerate(contents):
        bank = [0] * size
        for name, value in _options(board, number).items():
            bank[getattr(k, name)] = int(value)
        for name, values in tables.items():
            at = board.field(getattr(k, name))
            bank[at : at + len(values)] = values
        board.tables.extend(bank)


def _options(board: LudoBoard, number: int) -> dict[str, int]:
    rules, outcomes = board.banks[number], board.outcomes[number]
    events = Rows(rules)
    weight = sum(outcome.weight for outcome in outcomes)

    def bonus(tiles: int) -> int:
        return board.kinds.index(Kind(distance=tiles, is_bonus=True)) if tiles else -1

    return {
        **board.grounds[number].options,
        "O_STOPS": board.grounds[number].stopped[0] or (k.STOPS_FRESH if board.field(k.KEEPS_FRESH) else 0),
        "O_TO": numbers.CAPTURED_TO[rules.capture.captured_to],
        "O_BACK": rules.capture.tiles_back,
        "O_COMPULSORY": rules.start.compulsory,
        "O_CLEAR_ENTRY": rules.start.clear_entry,
        "O_CAPTURE_DUTY": rules.capture.duty,
        "O_UNBLOCK_DUTY": rules.block.unblock_duty,
        "O_AGAIN_CAPTURE": events.follows("capture", "again"),
        "O_AGAIN_FINISH": events.follows("home", "again"),
        "O_SIXES_LIMIT": rules.sixes_limit,
        "O_SIX_STAYS": rules.turn.six_without_move == "rolls_again",
        "O_ATTEMPTS": rules.turn.attempts,
        "O_MAY_PASS": rules.turn.may_pass,
        "O_CAPTURE_BONUS": bonus(rules.capture.capture_bonus),
        "O_FINISH_BONUS": bonus(rules.finish.finish_bonus),
        "O_OUTCOMES": len(outcomes),
        "O_WEIGHT": weight,
        "O_POINTS": weight <= MOST_POINTS,
        "O_DUTIES": len(rules.turn.duties),
    }


def _bank_tables(board: LudoBoard, number: int) -> dict[str, list[int]]:
    rules, outcomes = board.banks[number], board.outcomes[number]
    weight = sum(outcome.weight for outcome in outcomes)
    points = [n for n, o in enumerate(outcomes) for _ in range(o.weight)] if weight <= MOST_POINTS else []
    rows, tokens = outcome_rows(rules, outcomes, board.kinds)
    tiles = Tiles(rules, board.topology, board.arms, board.is_open[number])
    ground = board.grounds[number]
    walks = ground.options
    return {
        **_dense_routes(board, number, bool(walks["O_WALKS"] or walks["O_TAKES_PASSING"] or board.field(k.CLEARS))),
        "B_JUMP": tiles.jumps() if board.field(k.JUMPS) else [],
        **dict(zip(("B_SLIDE", "B_SLIDES"), tiles.slides() if board.field(k.SLIDES) else ([], []), strict=True)),
        "B_BLOCKABLE": words_of(board, ground.stopped[1]),
        "B_GROUND": ground.grounds(),
        "B_MEETING": ground.verdicts(),
        "B_SHELTER": ground.shelters(),
        "B_SQUARE": tiles.squares() if board.field(k.SQUARES) else [],
        "B_OUTCOME": rows,
        "B_TOKEN": tokens,
        "B_POINT": points,
        "B_DUTY": reactions.duty_rows(rules),
        **_one_step_ahead(board, number),
    }


def _dense_routes(board: LudoBoard, number: int, tracked: bool) -> dict[str, list[int]]:
    """Per seat, node, kind and way: where it ends or minus the reason, the tiles on it as bits, and one by one."""
    most, words = board.field(k.WAYS), board.field(k.WORDS) if board.field(k.BLOCKS) else 0
    targets, masks, track, tracks = list[int](), list[int](), [0], list[int]()
    bits: dict[tuple[int, ...], list[int]] = {}
    out_of, asked = board.field(k.START), board.grounds[number].asked_coming_out
    for at, found in enumerate(board.routes[number]):
        ways = found if isinstance(found, list) else []
        is_out = at // len(board.kinds) % board.field(k.NODES) == out_of
        missing = -k.WHY_NO_SUCH_WAY if ways else -found if isinstance(found, int) else -k.WHY_NO_WAY
        targets += [way.target for way in ways] + [missing] * (most - len(ways))
        if words:
            for way in ways:
                stopped = tuple(node for node in way.path if node not in asked) if is_out and asked else way.path
                if stopped not in bits:
                    bits[stopped] = words_of(board, stopped)
                masks += bits[stopped]
            masks += [0] * words * (most - len(ways))
        for way in ways if tracked else ():
            tracks += way.path
            track.append(len(tracks))
        if tracked:
            track += [len(tracks)] * (most - len(ways))
    return {"B_TARGET": targets, "B_MASK": masks, "B_TRACK": track, "B_TRACKS": tracks, "B_REST": _rests(board, number)}


def _rests(board: LudoBoard, number: int) -> list[int]:
    """Per seat, node, kind and way: the tokens that are left to play after it."""
    if not board.field(k.RESTS) and not board.field(k.LEAVES):
        return []
    rests: list[int] = []
    for found in board.routes[number]:
        ways = found if isinstance(found, list) else []
        given = [board.after_way(way) for way in ways]
        rests += given + [0] * (board.field(k.WAYS) - len(ways))
    return rests


def _one_step_ahead(board: LudoBoard, number: int) -> dict[str, list[int]]:
    """Per seat and node where one step leads, for combined moves; and as bits, for the duty to unblock."""
    duty = any(bank.block.unblock_duty for bank in board.banks)
    following, ahead = list[int](), list[int]()
    for arm in board.arms if board.field(k.COMBINED) or duty or board.field(k.CHALLENGER) else ():
        successors = board.topology.successors(arm, board.is_open[number])
        for node in range(board.field(k.NODES)):
            there = successors[node] if node < len(successors) else []
            following.append(there[0] if there else -1)
            ahead += words_of(board, there)
    return {"B_NEXT": following, "B_AHEAD": ahead if duty else []}


def outcome_rows(rules: RuleSet, outcomes: list[Outcome], kinds: list[Kind]) -> tuple[list[int], list[int]]:
    """The fields of every outcome, and the tokens that they give, one after the other."""
    rows: list[int] = []
    tokens: list[int] = []
    events = Rows(rules)
    for outcome in outcomes:
        again = events.does(outcome, "again")
        sticks = outcome.then == "again" or not outcome.kinds
        rows += [
            outcome.weight,
            0 if not again else k.AGAIN_ANYWAY if sticks else k.AGAIN_IF_PLAYED,
            int(events.counts(outcome)),
            int(brings_out(rules, outcome)),
            outcome.total,
            int(events.does(outcome, "lose")),
            int(events.does(outcome, "skip")),
            int(events.does(outcome, "skip_next")),
            int(events.does(outcome, "reverse")),
            int(keeps_its_tokens(rules, outcome)),
            len(tokens),
            len(outcome.kinds),
            reactions.bits_of(events, outcome),
            reactions.shown_by(rules, outcome),
        ]
        tokens += [kinds.index(kind) for kind in outcome.kinds]
    return rows, tokens
