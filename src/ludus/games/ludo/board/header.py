"""The header of the tables: the sizes of a board, what its game has and has not, its actions, its row and scratch."""

from __future__ import annotations

from ludus.core.errors import RulesError
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board import numbers
from ludus.games.ludo.board.chance import MOST_POINTS, Outcome
from ludus.games.ludo.board.ludo_board import (
    LudoBoard,
    keeps_its_tokens,
    leaving_numbers,
    moves_others,
    rests_of,
    set_fields,
)
from ludus.games.ludo.board.reactions import break_bits
from ludus.games.ludo.board.tiles import sides
from ludus.games.ludo.document.conditions import ANY_NUMBER, asked_of
from ludus.games.ludo.document.duties import duties_of
from ludus.games.ludo.document.event_rows import Rows
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.document.tokens import MOST_SPLIT, deals_of

MOST_ACTIONS = 200_000
ROLL_OFF_SUM = 12  # what roll-off sums are seen as shares of, unless more can be rolled


def write_sizes(board: LudoBoard) -> None:
    """The sizes of the board, and who may move what on it."""
    rules, players, topology = board.rules, len(board.arms), board.topology
    side = sides(players, rules)
    movers = players if moves_others(board) else 1
    set_fields(
        board,
        PLAYERS=players,
        PIECES=rules.board.pieces,
        TILES=topology.tiles,
        END=topology.lane,
        FINISH=topology.finish,
        START=topology.start,
        HELD=topology.start + 1,
        NODES=topology.start + 1 + players,
        TWINS=topology.has_twins,
        WORDS=-(-topology.tiles // k.TILES_PER_WORD),
        SIDES=max(side) + 1,
        KINDS=len(board.kinds),
        MOVERS=movers,
        SPOTS=movers * rules.board.pieces,
        MAY_MOVE=numbers.MAY_MOVE[rules.movement.may_move],
        COMBINED=numbers.COMBINED[rules.movement.combined_move],
        TURNED=topology.ring if topology.tiles == topology.ring and not topology.has_own_ways else 0,
    )


def write_aims(board: LudoBoard) -> None:
    """What the document says of the whole game: how it is won, who begins, which rules may change."""
    rules, win, players = board.rules, board.rules.win, len(board.arms)
    set_fields(
        board,
        TEAMS=rules.modes.mode == "teams",
        HOME_IS_LANE=rules.finish.places == "end_path",
        NEEDED=win.needed or rules.board.pieces,
        PLAY_ON=win.play_on or win.condition == "last_out",
        RANKS=players - 1 if win.condition == "last_out" or not win.ranks else min(win.ranks, players - 1),
        LAST_OUT=win.condition == "last_out",
        SCORE=win.score,
        STAKES=any(row.do == "stake" for row in rules.on),
        HOME_POINTS=win.home_points,
        CAPTURE_POINTS=win.capture_points,
        TURN_LIMIT=win.turn_limit,
        COUNT_TURNS=win.turn_limit > 0 or cap(rules, "turns") > 0,
        BACKWARDS=rules.turn.direction == "anticlockwise",
        ZERO_SUM=win.returns == "zero_sum",
        DECK=0 if rules.chance.replacement else len(rules.chance.cards),
        CHANGES=len(rules.all_changes),
        BANKED=bool(rules.all_changes) or rules.asks_for_capture,
        HOME_BIT=len(rules.all_changes) if rules.asks_for_capture else -1,
        CAPTURE_CAP=cap(rules, "captures"),
        LOST_CAP=cap(rules, "lost"),
        ROLLS_OFF=rules.turn.first != "seat",
        GO_ON=rules.start.go_on == "forced_alone",
        SPECIAL=rules.start.exit_block == "special",
        FORCED=rules.movement.forced_combination,
        FREEZES=rules.capture.freezes + 2 * (rules.start.exit_block == "special") + 4 * parts_between_two(board),
    )


def cap(rules: RuleSet, what: str) -> int:
    """How far something is counted: to the highest number that a condition asks for."""
    asked = [change.condition for change in rules.all_changes if change.when != "tile"]
    asked += [asked_of(text).condition for row in rules.on for text in row.when]
    return max((c.low if c.high == ANY_NUMBER else c.high + 1 for c in asked if c.what == what), default=0)


def write_flags(board: LudoBoard) -> None:
    """What a game has or has not: rules that it has not cost it nothing."""
    rules, banks = board.rules, board.banks
    outcomes = [outcome for each in board.outcomes for outcome in each]
    rests = rests_of(banks)
    bonuses = bool(rests) or any(row.do == "token" for bank in banks for row in Rows(bank).all)
    keeps = any(keeps_its_tokens(bank, outcome) for bank, each in _outcomes_by_bank(board) for outcome in each)
    single = not bonuses and not keeps and not deals_of(rules) and all(len(outcome.kinds) <= 1 for outcome in outcomes)
    swaps = any(kind.swaps for kind in board.kinds)
    holds = rules.capture.captured_to == "held"
    leaving = leaving_numbers(board)
    plain = (
        single
        and all(len(outcome.kinds) == 1 for outcome in outcomes)
        and board.field(k.WAYS) == board.field(k.MOVERS) == 1
        and not (swaps or holds or board.field(k.FREEZES) or any(bank.turn.may_pass for bank in banks))
    )
    set_fields(
        board,
        SINGLE=single,
        POOLED=not single,
        PLAIN=plain,
        TRACKED=1,
        BLOCKS=board.rules.start.protects != "no" or any(ground.stopped[0] for ground in board.grounds),
        COUNTS=board.sizes.counts,
        COMINGS=board.sizes.comings,
        STRENGTHS=board.sizes.strengths,
        SLIDES=board.topology.has_slides,
        JUMPS=board.topology.has_jumps or any(bank.movement.stars for bank in banks),
        SWAPS=swaps,
        SWAPPERS=sum(kind.swaps > 0 for kind in board.kinds),
        HOLDS=holds,
        BONUSES=bonuses,
        EVEN=all(o.weight == 1 for o in outcomes) and all(len(each) <= MOST_POINTS for each in board.outcomes),
        LEAVER=leaving[0] if leaving else 0,
        LEAVERS=len(leaving),
        SETS=len(board.sets),
        SUMS=len(board.out_sets),
        RESTS=len(rests),
        LEAVES=any(row.landing == "may_join" for row in rules.meeting),
        MOST_TOTAL=max([ROLL_OFF_SUM, *(outcome.total for outcome in outcomes)]),
    )


def parts_between_two(board: LudoBoard) -> bool:
    """Whether some token is shared out between two pieces."""
    return any(use.stays for kind in board.kinds for use in kind.uses)


def write_hands(board: LudoBoard) -> None:
    """Cards in hands, and pieces that are protected where they came out."""
    chance, deals = board.rules.chance, deals_of(board.rules)
    set_fields(
        board,
        HANDS=max(deals, default=0),
        DEALS=len(deals),
        EXCHANGES=chance.exchange,
        DISCARDS=chance.unplayable == "discard",
        KEEPS_FRESH=board.rules.start.protects == "until_moved",
    )


def write_follows(board: LudoBoard) -> None:
    """What may follow a roll or a landing only in some games, and how tokens may be shared out there."""
    uses = [use for kind in board.kinds for use in kind.uses]
    rows = [Rows(bank) for bank in board.banks]
    all_rows = [row for each in rows for row in each.all]
    done = {row.do for row in all_rows} | {outcome.then for each in board.outcomes for outcome in each}
    set_fields(
        board,
        SQUARES=any(row.event == "landing" for each in rows for row in each.plain),
        FREE_SWAPS=any(kind.swaps == k.SWAP_FREE for kind in board.kinds),
        SHARES_OUT=any(use.part for use in uses),
        CLEARS=any(use.clears for use in uses),
        REVERSES="reverse" in done,
        SKIPS=bool({"skip", "skip_next"} & done),
        SIXES_STAY=board.rules.turn.sixes_row == "across_turns" and any(row.nth for row in all_rows),
    )


def write_memory(board: LudoBoard) -> None:
    """What a turn has to remember: rolls in a row, the piece moved last, what the last roll showed."""
    rules, banks = board.rules, board.banks
    set_fields(
        board,
        COUNTS_ROLLS=max((row.nth for row in rules.on), default=0),
        KEEPS_LAST=any(row.piece == "last_moved" for row in rules.on),
        DUTIES=any(bank.turn.duties for bank in banks),
        CHALLENGER=challenger(board),
        PARTS=not all(bank.block.moves_on for bank in banks),
        KEEPS_SHOWN=any(duty.with_roll for bank in banks for duty in duties_of(bank)),
        BREAK_BITS=break_bits(banks),
    )


def challenger(board: LudoBoard) -> int:
    """1 + the kind of token that challenges those who stop a way, or 0."""
    values = [row.broken_by for row in board.rules.meeting if row.broken_by]
    kinds = [number for number, kind in enumerate(board.kinds) if values and kind.name == values[0]]
    return 1 + kinds[0] if kinds else 0


def _outcomes_by_bank(board: LudoBoard) -> list[tuple[RuleSet, list[Outcome]]]:
    return list(zip(board.banks, board.outcomes, strict=True))


def write_actions(board: LudoBoard) -> None:
    """Steps: (set ×) spot × way. In a pool: out, out-and-on × set, buy, the special move × pieces; swaps; pass."""
    t, pieces, players = board.tables, board.rules.board.pieces, len(board.arms)
    pooled = t[k.POOLED]
    outside = t[k.MOVERS] * t[k.LEAVERS] * t[k.WAYS] if pooled else 0
    out = (t[k.SETS] if pooled else 1) * t[k.SPOTS] * t[k.WAYS]
    on = out + outside
    buy = on + (t[k.SETS] if t[k.GO_ON] else 0)
    special = buy + (outside if t[k.HOLDS] else 0)
    swap = special + (pieces - 1 if t[k.SPECIAL] else 0)
    give = swap + t[k.SWAPPERS] * pieces * players * pieces
    last = give + (t[k.DECK] if t[k.HANDS] else 0)
    if last > MOST_ACTIONS:
        raise RulesError(f"board: {last} different moves are more than {MOST_ACTIONS} (L21)")
    set_fields(board, A_OUT=out, A_ON=on, A_BUY=buy, A_SPECIAL=special, A_SWAP=swap, A_GIVE=give, A_PASS=last)


def lay_out_row(board: LudoBoard) -> None:
    """A row has the vectors that its rules need."""
    t, players = board.tables, len(board.arms)
    at = k.PIECE_0 + players * board.rules.board.pieces
    sizes = {
        "R_POOL": len(board.kinds) if t[k.POOLED] else 0,
        "R_CAPTURES": players if t[k.CAPTURE_CAP] else 0,
        "R_LOST": players if t[k.LOST_CAP] else 0,
        "R_CHANGED": players if t[k.BANKED] else 0,
        "R_SKIP": players if t[k.SKIPS] else 0,
        "R_SUM": players if t[k.ROLLS_OFF] else 0,
        "R_PLACE": players,
        "R_SCORE": players if t[k.SCORE] else 0,
        "R_DECK": t[k.DECK],
        "R_FROZEN": players if t[k.FREEZES] else 0,
        "R_SIXES": players if t[k.SIXES_STAY] else 0,
        "R_HAND": players * t[k.DECK] if t[k.HANDS] else 0,
        "R_GIVEN": players if t[k.HANDS] else 0,
        "R_DEAL": k.DEAL_SIZE if t[k.HANDS] else 0,
        "R_FRESH": players if t[k.KEEPS_FRESH] else 0,
        "R_LAST": t[k.KEEPS_LAST],
        "R_SHOWN": t[k.KEEPS_SHOWN],
        "R_PARTED": players * board.rules.board.pieces if t[k.PARTS] else 0,
        "R_CHALLENGE": 2 if t[k.CHALLENGER] else 0,
        "R_STATE": board.state,
    }
    for name, size in sizes.items():
        set_fields(board, **{name: at})
        at += size
    set_fields(board, ROW_SIZE=at)


def lay_out_scratch(board: LudoBoard) -> None:
    """Lay out the scratch."""
    t = board.tables
    combined = max(board.longest, t[k.KINDS]) + 2 if t[k.COMBINED] else 0
    at = k.S_OCC + t[k.TILES]
    sizes = {
        "S_PAIR": t[k.SIDES] * t[k.WORDS],
        "S_STOP": t[k.WORDS],
        "S_SURVEY": combined,
        "S_NUMBER": 2 * (t[k.SETS] + 1),
        "S_MOVES": t[k.A_PASS] + 3,
        "S_TRIED": (t[k.ROW_SIZE] + 1) * (MOST_SPLIT + 1) if t[k.SHARES_OUT] else 0,
        "S_KEPT": t[k.A_PASS] + 3 if t[k.SHARES_OUT] else 0,
        "S_EVENTS": k.EVENT_SIZE * k.MOST_EVENTS,
    }
    for name, size in sizes.items():
        set_fields(board, **{name: at})
        at += size
    board.scratch_size = at
