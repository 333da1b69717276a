"""Rule set and seats → the integer tables that the kernel reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ludus.core.errors import RulesError
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board import sets as token_sets
from ludus.games.ludo.board.chance import Kind, Outcome, outcomes_of
from ludus.games.ludo.board.graphs import onward, steps_to_go
from ludus.games.ludo.board.routes import MOST_STEPS, Router, Way, steps_of_all
from ludus.games.ludo.board.tiles import Tiles, sides
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.document.soundness import brings_out, gives_again, is_played

MOST_ENTRIES = 120_000  # of one bank's route table
MOST_ACTIONS = 200_000
MOST_POINTS = 4096
MOST_INTEGERS = 8_000_000
ROLL_OFF_SUM = 12  # what roll-off sums are seen as shares of, unless more can be rolled

Ways = list[Way] | int  # the ways of a token from a node, or the reason why there are none


@dataclass
class LudoBoard:
    """The compiled form of a rule set for given arms of the board (one arm a player, in order of play)."""

    rules: RuleSet
    arms: tuple[int, ...]
    topology: Topology
    banks: tuple[RuleSet, ...]
    is_open: tuple[bool, ...]
    kinds: list[Kind]
    outcomes: list[list[Outcome]]
    sets: list[token_sets.Counts]
    tables: list[int] = field(default_factory=lambda: [0] * k.HEADER)
    scratch_size: int = 0
    routes: list[list[Ways]] = field(default_factory=list)

    def field(self, name: int) -> int:
        """A header field of the tables."""
        return self.tables[name]

    def entry(self, seat: int) -> int:
        """A seat's first entry tile."""
        return self.topology.entries(self.arms[seat])[0]

    @cached_property
    def standable(self) -> list[set[int]]:
        """Per seat the nodes that its pieces can come to."""
        return [self._standable(arm) for arm in self.arms]

    def _standable(self, arm: int) -> set[int]:
        topology = self.topology
        nodes = {topology.start, *topology.reachable(arm)}
        if self.rules.capture.before_home:
            nodes |= topology.reachable(arm, is_open=False)
        if self.tables[k.SWAPS]:
            homeward = {node for node in steps_to_go(topology, arm) if node < topology.tiles}
            nodes |= onward(topology, arm, homeward)
        return nodes

    @cached_property
    def longest(self) -> int:
        """Steps from an entry tile home, for the colour that has the longest way."""
        return max(steps_to_go(self.topology, arm).get(self.topology.entries(arm)[0], 0) for arm in self.arms)

    def ways(self, bank: int, seat: int, node: int, kind: int) -> Ways:
        """The ways that a token opens from a node, or the reason why there are none."""
        return self.routes[bank][(seat * self.tables[k.NODES] + node) * self.tables[k.KINDS] + kind]

    def ways_of(self, bank: int, seat: int, node: int, kind: int) -> list[Way]:
        """The ways that a token opens from a node; none where it opens none."""
        found = self.ways(bank, seat, node, kind)
        return found if isinstance(found, list) else []

    def steps(self, bank: int, seat: int, node: int, distance: int) -> list[int]:
        """The nodes that a piece crosses going straight on, the last one included; shorter where its way ends."""
        ahead = self.topology.successors(self.arms[seat], self.is_open[bank])
        path: list[int] = []
        while len(path) < distance and ahead[node]:
            node = ahead[node][0]
            path.append(node)
        return path

    def bank_at(self, bank: int) -> int:
        """Where a bank's options begin."""
        return self.tables[k.T_BANK] + bank * self.tables[k.BANK_SIZE]

    def bank_number(self, row: Any, seat: int) -> int:
        """Which bank of rules holds for a colour."""
        return int(row[self.tables[k.R_CHANGED] + seat]) if self.tables[k.BANKED] else 0

    def columns(self) -> dict[str, int]:
        """The names of options, outcome, kind and change fields that have one value everywhere, with that value."""
        banks = [self.bank_at(bank) for bank in range(len(self.banks))]
        outcomes = [
            at + self.tables[k.B_OUTCOME] + number * k.F_SIZE
            for bank, at in enumerate(banks)
            for number in range(len(self.outcomes[bank]))
        ]
        kinds = [self.tables[k.T_KIND] + number * k.K_SIZE for number in range(len(self.kinds))]
        changes = [self.tables[k.T_CHANGE] + number * k.C_SIZE for number in range(len(self.rules.changes))]
        found: dict[str, int] = {}
        for prefix, starts in (("O_", banks), ("F_", outcomes), ("K_", kinds), ("C_", changes)):
            for name, at in vars(k).items():
                if name.startswith(prefix) and not name.endswith("_SIZE"):
                    values = {self.tables[start + at] for start in starts}
                    found |= {name: values.pop()} if len(values) == 1 else {}
        return found


def all_banks(rules: RuleSet) -> tuple[tuple[RuleSet, ...], tuple[bool, ...]]:
    """The rules of every bank, and whether the way home is open in it; the last change is the first capture (Z10)."""
    banks = rules.banks
    if not rules.capture.before_home:
        return banks, (True,) * len(banks)
    return (*banks, *banks), (False,) * len(banks) + (True,) * len(banks)


def all_kinds(banks: tuple[RuleSet, ...]) -> list[Kind]:
    """Every kind of token that some bank can give, bonuses last."""
    kinds = {kind for rules in banks for outcome in outcomes_of(rules) for kind in outcome.kinds}
    bonuses = {
        Kind(distance=tiles, is_bonus=True)
        for rules in banks
        for tiles in (rules.capture.capture_bonus, rules.finish.finish_bonus)
        if tiles
    }
    return sorted(kinds) + sorted(bonuses)


def compile_board(rules: RuleSet, arms: tuple[int, ...]) -> LudoBoard:
    """The tables of a rule set for the given arms; RulesError where they would be too large."""
    banks, is_open = all_banks(rules)
    board = LudoBoard(
        rules, arms, Topology(rules), banks, is_open, all_kinds(banks), [outcomes_of(bank) for bank in banks], []
    )
    _refuse_large(board)
    board.sets = token_sets.token_sets(rules, board.kinds, board.longest)
    _header(board)
    _find_routes(board)
    _flags(board)
    _actions(board)
    _rows(board)
    _seats(board)
    _nodes(board)
    _sets(board)
    _banks(board)
    _scratch(board)
    return board


def _refuse_large(board: LudoBoard) -> None:
    players, nodes = len(board.arms), board.topology.start + 1 + len(board.arms)
    entries = players * nodes * len(board.kinds)
    if entries > MOST_ENTRIES:
        raise RulesError(
            f"board: {players} seats, {nodes} nodes and {len(board.kinds)} kinds of moves make {entries} routes; "
            f"{MOST_ENTRIES} are the most (L21)"
        )
    distances = {kind.distance for kind in board.kinds if kind.effect == k.STEP}
    steps = steps_of_all(board.topology, board.rules.board.seats, distances)
    if steps > MOST_STEPS:
        raise RulesError(f"board.paths: too many ways with up to {max(distances)} steps: fewer branches, please (L21)")


def _set(board: LudoBoard, **fields: int) -> None:
    for name, value in fields.items():
        board.tables[getattr(k, name)] = int(value)


def _add(board: LudoBoard, **tables: list[int]) -> None:
    for name, values in tables.items():
        board.tables[getattr(k, name)] = len(board.tables)
        board.tables.extend(values)


def moves_others(board: LudoBoard) -> bool:
    """Whether somebody's piece can be moved by another player, the teammate's after coming home apart."""
    return board.rules.movement.may_move != "own" or any(kind.whose != k.OWN for kind in board.kinds)


def cap(rules: RuleSet, what: str) -> int:
    """How far something is counted: to the highest number that a change asks for."""
    return max((change.at_least for change in rules.changes if change.when == what), default=0)


def _header(board: LudoBoard) -> None:
    """The board's sizes, and what the document says of the whole game."""
    rules, players, topology = board.rules, len(board.arms), board.topology
    win, side = rules.win, sides(len(board.arms), board.rules)
    movers = players if moves_others(board) else 1
    _set(
        board,
        PLAYERS=players,
        PIECES=rules.board.pieces,
        TILES=topology.tiles,
        END=topology.lane,
        FINISH=topology.finish,
        START=topology.start,
        HELD=topology.start + 1,
        NODES=topology.start + 1 + players,
        WORDS=-(-topology.tiles // k.TILES_PER_WORD),
        SIDES=max(side) + 1,
        KINDS=len(board.kinds),
        MOVERS=movers,
        SPOTS=movers * rules.board.pieces,
        MAY_MOVE=("own", "team", "all").index(rules.movement.may_move),
        TEAMS=rules.modes.mode == "teams",
        HOME_IS_LANE=rules.finish.places == "end_path",
        NEEDED=win.needed or rules.board.pieces,
        PLAY_ON=win.play_on or win.condition == "last_out",
        RANKS=players - 1 if win.condition == "last_out" or not win.ranks else min(win.ranks, players - 1),
        LAST_OUT=win.condition == "last_out",
        SCORE=win.score,
        HOME_POINTS=win.home_points,
        CAPTURE_POINTS=win.capture_points,
        TURN_LIMIT=win.turn_limit,
        COUNT_TURNS=win.turn_limit > 0 or cap(rules, "turns") > 0,
        BACKWARDS=rules.turn.direction == "anticlockwise",
        ZERO_SUM=win.returns == "zero_sum",
        DECK=0 if rules.chance.replacement else len(rules.chance.cards),
        CHANGES=len(rules.changes),
        BANKED=bool(rules.changes) or rules.capture.before_home,
        HOME_BIT=len(rules.changes) if rules.capture.before_home else -1,
        CAPTURE_CAP=cap(rules, "captures"),
        LOST_CAP=cap(rules, "lost"),
        ROLLS_OFF=rules.turn.first != "seat",
        COMBINED=("none", "jump", "sweep").index(rules.movement.combined_move),
        GO_ON=rules.start.go_on == "forced_alone",
        SPECIAL=rules.start.exit_block == "special",
        FORCED=rules.movement.forced_combination,
        FREEZES=rules.capture.freezes + 2 * (rules.start.exit_block == "special"),
        TURNED=topology.ring if topology.tiles == topology.ring and not topology.extra else 0,
    )


def _find_routes(board: LudoBoard) -> None:
    """The ways of every bank, seat, node and kind; banks that differ in other rules share them."""
    laid: dict[Any, list[Ways]] = {}
    for rules, is_open in zip(board.banks, board.is_open, strict=True):
        key = (is_open, rules.finish.rule, rules.start.leave_on)
        if key not in laid:
            laid[key] = [
                router.ways(node, kind)
                for router in (Router(rules, board.topology, arm, is_open) for arm in board.arms)
                for node in range(board.field(k.NODES))
                for kind in board.kinds
            ]
        board.routes.append(laid[key])
    _set(board, WAYS=max([1, *(len(ways) for routes in laid.values() for ways in routes if isinstance(ways, list))]))


def _flags(board: LudoBoard) -> None:
    """What a game has or has not: rules that it has not cost it nothing."""
    rules, banks = board.rules, board.banks
    outcomes = [outcome for each in board.outcomes for outcome in each]
    then = {outcome.then for outcome in outcomes}
    squares = [bank.squares for bank in banks]
    bonuses = any(bank.capture.capture_bonus or bank.finish.finish_bonus for bank in banks)
    keeps = any(keeps_its_tokens(bank, outcome) for bank, each in _outcomes_by_bank(board) for outcome in each)
    single = not bonuses and not keeps and all(len(outcome.kinds) <= 1 for outcome in outcomes)
    swaps = any(kind.effect == k.SWAP for kind in board.kinds)
    holds = rules.capture.captured_to == "held"
    leaving = leaving_kinds(board)
    plain = (
        single
        and all(len(outcome.kinds) == 1 for outcome in outcomes)
        and board.field(k.WAYS) == board.field(k.MOVERS) == 1
        and not (swaps or holds or board.field(k.FREEZES) or any(bank.turn.may_pass for bank in banks))
    )
    _set(
        board,
        SINGLE=single,
        POOLED=not single,
        PLAIN=plain,
        TRACKED=1,
        BLOCKS=any(bank.block.stops != "none" for bank in banks),
        JUMPS=bool(rules.board.jumps) or any(bank.movement.stars for bank in banks),
        SQUARES=any(any(tiles for _, tiles in square) for square in squares),
        SWAPS=swaps,
        HOLDS=holds,
        BONUSES=bonuses,
        REVERSES="reverse" in then or any(bank.turn.reverse_on or bank.squares.turn_round for bank in banks),
        SKIPS=bool({"skip", "skip_next"} & then) or any(bank.turn.skip_on or bank.squares.miss_turn for bank in banks),
        EVEN=all(o.weight == 1 for o in outcomes) and all(len(each) <= MOST_POINTS for each in board.outcomes),
        SIXES_STAY=rules.turn.sixes_row == "across_turns" and any(bank.sixes_limit for bank in banks),
        LEAVER=leaving[0] if leaving else 0,
        LEAVERS=len(leaving),
        SETS=len(board.sets),
        PLACES=board.field(k.HELD) + (len(board.arms) if holds else 0),
        MOST_TOTAL=max([ROLL_OFF_SUM, *(outcome.total for outcome in outcomes)]),
    )


def _outcomes_by_bank(board: LudoBoard) -> list[tuple[RuleSet, list[Outcome]]]:
    return list(zip(board.banks, board.outcomes, strict=True))


def _actions(board: LudoBoard) -> None:
    """Steps: (set ×) spot × way. In a pool: out, out-and-on × set, buy, the special move × pieces; swaps; pass."""
    t, pieces, players = board.tables, board.rules.board.pieces, len(board.arms)
    pooled = t[k.POOLED]
    outside = t[k.MOVERS] * t[k.LEAVERS] * t[k.WAYS] if pooled else 0
    out = (t[k.SETS] if pooled else 1) * t[k.SPOTS] * t[k.WAYS]
    on = out + outside
    buy = on + (t[k.SETS] if t[k.GO_ON] else 0)
    special = buy + (outside if t[k.HOLDS] else 0)
    swap = special + (pieces - 1 if t[k.SPECIAL] else 0)
    last = swap + (pieces * players * pieces if t[k.SWAPS] else 0)
    if last > MOST_ACTIONS:
        raise RulesError(f"board: {last} different moves are more than {MOST_ACTIONS} (L21)")
    _set(board, A_OUT=out, A_ON=on, A_BUY=buy, A_SPECIAL=special, A_SWAP=swap, A_PASS=last)


def leaving_kinds(board: LudoBoard) -> list[int]:
    """The kinds of tokens that bring a piece out under some of the rules."""
    leaves = {face for bank in board.banks for face in bank.start.leave_on}
    return [
        number
        for number, kind in enumerate(board.kinds)
        if kind.effect == k.OUT or (kind.effect == k.STEP and kind.distance in leaves and not kind.is_bonus)
    ]


def _rows(board: LudoBoard) -> None:
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
    }
    for name, size in sizes.items():
        _set(board, **{name: at})
        at += size
    _set(board, ROW_SIZE=at)


def _seats(board: LudoBoard) -> None:
    rules, players, topology = board.rules, len(board.arms), board.topology
    side = sides(players, rules)
    everyone = sum(15 << (4 * s) for s in set(side))
    numbers = {"captures": k.BY_CAPTURES, "lost": k.BY_LOST, "home": k.BY_HOME, "turns": k.BY_TURNS, "tile": k.BY_TILE}
    changes: list[int] = []
    for change in rules.changes:
        node = topology.node(change.tile, "changes.tile") if change.tile is not None else 0
        changes += [numbers[change.when], change.at_least, node, int(change.scope == "all")]
    _add(
        board,
        T_SIDE=side,
        T_ENEMIES=[everyone & ~(15 << (4 * s)) for s in side],
        T_ENTRY=[board.entry(seat) for seat in range(players)],
        T_KIND=[
            value
            for kind in board.kinds
            for value in (kind.effect, kind.whose, kind.distance, int(token_sets.may_combine(kind)))
        ],
        T_CHANGE=changes,
        T_CARDS=[card.count for card in rules.chance.cards],
    )


def _nodes(board: LudoBoard) -> None:
    """What is known of nodes: by seat, or for all."""
    topology, nodes = board.topology, range(board.field(k.NODES))
    back = [topology.way_back(arm) for arm in board.arms]
    to_go = [steps_to_go(topology, arm) for arm in board.arms]
    swaps = board.field(k.SWAPS)
    advance, whole = _advances(board, to_go)
    _set(board, WHOLE_WAY=whole)
    _add(
        board,
        T_BACK=[before.get(node, topology.start) for before in back for node in nodes],
        T_ON=[int(not swaps or tile in home) for home in to_go for tile in range(topology.tiles)],
        T_ADVANCE=advance,
        T_BIT=[word for node in nodes for word in words_of(board, [node])],
        T_SEEN=[seen_by(board, seat, node) for seat in range(len(board.arms)) for node in nodes],
    )


def _advances(board: LudoBoard, to_go: list[dict[int, int]]) -> tuple[list[int], int]:
    """Per seat and node how far a piece has come, for bots, and how far that is at the finish.

    0 outside the board, 1 on the entry tile; on a ring counted tile by tile, elsewhere by the fewest steps to go.
    """
    tiles, finish, ring = board.field(k.TILES), board.field(k.FINISH), board.field(k.TURNED)
    farthest = finish if ring else max(steps for each in to_go for steps in each.values())
    found = []
    for seat, steps in enumerate(to_go):
        for node in range(board.field(k.NODES)):
            if node > finish:
                found.append(0)
            elif ring:
                found.append(1 + ((node - board.entry(seat)) % tiles if node < tiles else node))
            else:
                found.append(1 + farthest - steps.get(node, farthest))
    return found, 1 + farthest


def seen_by(board: LudoBoard, seat: int, node: int) -> int:
    """A node as a seat counts them: path tiles from its entry tile, held pieces from itself as the captor."""
    held, ring = board.field(k.HELD), board.field(k.TURNED)
    if node < ring:
        return (node - board.entry(seat)) % ring
    return node if node < held else held + (node - held - seat) % len(board.arms)


def words_of(board: LudoBoard, nodes: Any) -> list[int]:
    """The shared tiles among some nodes as a bit set."""
    words = [0] * board.field(k.WORDS)
    for node in nodes:
        if node < board.field(k.TILES):
            words[node // k.TILES_PER_WORD] |= 1 << (node % k.TILES_PER_WORD)
    return words


def _sets(board: LudoBoard) -> None:
    if not board.field(k.POOLED):
        return
    most = token_sets.most_of_each(board.rules, board.kinds, board.longest)
    distances = [kind.distance for kind in board.kinds]
    shapes = [(sum(c), sum(d * n for d, n in zip(distances, c, strict=True)), *c) for c in board.sets]
    _add(
        board,
        T_SET=[value for shape in shapes for value in shape],
        T_SET_OF_KEY=token_sets.numbers_by_key(board.sets, most) if board.field(k.COMBINED) else [],
        T_STRIDE=token_sets.strides_of(most),
        T_MOST=most,
        T_LEAVER=leaving_kinds(board),
    )


def _banks(board: LudoBoard) -> None:
    """Every bank has its options, then its tables, each at the same place in all of them."""
    contents = [_bank_tables(board, number) for number in range(len(board.banks))]
    size = k.O_SIZE
    for name in contents[0]:
        _set(board, **{name: size})
        size += max(len(tables[name]) for tables in contents)
    if size * len(contents) > MOST_INTEGERS:
        raise RulesError(
            f"changes: {len(contents)} combinations of them on a board of this size are too many tables (L21)"
        )
    _set(board, T_BANK=len(board.tables), BANK_SIZE=size)
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
    again = rules.turn.again_on
    weight = sum(outcome.weight for outcome in outcomes)

    def bonus(tiles: int) -> int:
        return board.kinds.index(Kind(distance=tiles, is_bonus=True)) if tiles else -1

    return {
        "O_STOPS": ("none", "opponents", "all").index(rules.block.stops),
        "O_SHARE_OWN": rules.movement.share_own,
        "O_PASSING": rules.finish.passing,
        "O_STACK_PUNISHES": rules.capture.stack == "punishes",
        "O_ENTRY_RULE": ("open", "owner_shares", "owner_punishes").index(rules.safe.entry),
        "O_CAPTURE_BY": ("landing", "passing", "sweep", "none").index(rules.capture.by),
        "O_TO": ("start", "held", "back").index(rules.capture.captured_to),
        "O_BACK": rules.capture.tiles_back,
        "O_COMPULSORY": rules.start.compulsory,
        "O_CLEAR_ENTRY": rules.start.clear_entry,
        "O_CAPTURE_DUTY": rules.capture.duty,
        "O_UNBLOCK_DUTY": rules.block.unblock_duty,
        "O_AGAIN_CAPTURE": "capture" in again,
        "O_AGAIN_FINISH": "finish" in again,
        "O_SIXES_LIMIT": rules.sixes_limit,
        "O_SIX_STAYS": rules.turn.six_without_move == "rolls_again",
        "O_ATTEMPTS": rules.turn.attempts,
        "O_MAY_PASS": rules.turn.may_pass,
        "O_CAPTURE_BONUS": bonus(rules.capture.capture_bonus),
        "O_FINISH_BONUS": bonus(rules.finish.finish_bonus),
        "O_OUTCOMES": len(outcomes),
        "O_WEIGHT": weight,
        "O_POINTS": weight <= MOST_POINTS,
    }


def _bank_tables(board: LudoBoard, number: int) -> dict[str, list[int]]:
    rules, outcomes = board.banks[number], board.outcomes[number]
    weight = sum(outcome.weight for outcome in outcomes)
    points = [n for n, o in enumerate(outcomes) for _ in range(o.weight)] if weight <= MOST_POINTS else []
    rows, tokens = outcome_rows(rules, outcomes, board.kinds)
    tiles = Tiles(rules, board.topology, board.arms, board.is_open[number])
    return {
        **_dense_routes(board, number, rules.capture.by in ("passing", "sweep")),
        "B_JUMP": tiles.jumps() if board.field(k.JUMPS) else [],
        "B_BLOCKABLE": words_of(board, tiles.blockable()),
        "B_GUARD": tiles.guards(),
        "B_SQUARE": tiles.squares() if board.field(k.SQUARES) else [],
        "B_OUTCOME": rows,
        "B_TOKEN": tokens,
        "B_POINT": points,
        **_one_step_ahead(board, number),
    }


def _dense_routes(board: LudoBoard, number: int, tracked: bool) -> dict[str, list[int]]:
    """Per seat, node, kind and way: where it ends or minus the reason, the tiles on it as bits, and one by one."""
    most, words = board.field(k.WAYS), board.field(k.WORDS) if board.field(k.BLOCKS) else 0
    targets, masks, track, tracks = list[int](), list[int](), [0], list[int]()
    for found in board.routes[number]:
        ways = found if isinstance(found, list) else []
        missing = -k.WHY_NO_SUCH_WAY if ways else -found if isinstance(found, int) else -k.WHY_NO_WAY
        targets += [way.target for way in ways] + [missing] * (most - len(ways))
        if words:
            masks += [word for way in ways for word in words_of(board, way.path)] + [0] * words * (most - len(ways))
        for way in ways if tracked else ():
            tracks += way.path
            track.append(len(tracks))
        if tracked:
            track += [len(tracks)] * (most - len(ways))
    return {"B_TARGET": targets, "B_MASK": masks, "B_TRACK": track, "B_TRACKS": tracks}


def _one_step_ahead(board: LudoBoard, number: int) -> dict[str, list[int]]:
    """Per seat and node where one step leads, for combined moves; and as bits, for the duty to unblock."""
    duty = any(bank.block.unblock_duty for bank in board.banks)
    following, ahead = list[int](), list[int]()
    for arm in board.arms if board.field(k.COMBINED) or duty else ():
        successors = board.topology.successors(arm, board.is_open[number])
        for node in range(board.field(k.NODES)):
            there = successors[node] if node < len(successors) else []
            following.append(there[0] if there else -1)
            ahead += words_of(board, there)
    return {"B_NEXT": following, "B_AHEAD": ahead if duty else []}


def keeps_its_tokens(rules: RuleSet, outcome: Outcome) -> bool:
    """Whether a roll is kept and the dice are rolled again before anything is played (F5)."""
    return rules.chance.pool == "double_six" and set(outcome.values) == {token_sets.SIX}


def outcome_rows(rules: RuleSet, outcomes: list[Outcome], kinds: list[Kind]) -> tuple[list[int], list[int]]:
    """The fields of every outcome, and the tokens that they give, one after the other."""
    rows: list[int] = []
    tokens: list[int] = []
    for outcome in outcomes:
        again = gives_again(rules, outcome)
        sticks = outcome.then == "again" or not outcome.kinds
        rows += [
            outcome.weight,
            0 if not again else k.AGAIN_ANYWAY if sticks else k.AGAIN_IF_PLAYED,
            int(again and outcome.then != "again"),
            int(brings_out(rules, outcome)),
            outcome.total,
            int(not is_played(rules, outcome)),
            int(outcome.then == "skip" or bool(set(rules.turn.skip_on) & set(outcome.values))),
            int(outcome.then == "skip_next"),
            int(outcome.then == "reverse" or bool(set(rules.turn.reverse_on) & set(outcome.values))),
            int(keeps_its_tokens(rules, outcome)),
            len(tokens),
            len(outcome.kinds),
        ]
        tokens += [kinds.index(kind) for kind in outcome.kinds]
    return rows, tokens


def _scratch(board: LudoBoard) -> None:
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
        "S_EVENTS": k.EVENT_SIZE * k.MOST_EVENTS,
    }
    for name, size in sizes.items():
        _set(board, **{name: at})
        at += size
    board.scratch_size = at
