"""Rule set and seats → the tables of the general game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludus.core.errors import RulesError
from ludus.games.ludo import kernel_open as k
from ludus.games.ludo.board.chance import Kind, Outcome, outcomes_of
from ludus.games.ludo.board.routes import MOST_STEPS, Router, Way, steps_of_all
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.document.soundness import brings_out, gives_again, is_played

MOST_ENTRIES = 120_000  # of one route table
MOST_ACTIONS = 200_000
MOST_POINTS = 4096


@dataclass
class OpenBoard:
    """The compiled form of a rule set for given arms of the board (one arm a player, in order of play)."""

    rules: RuleSet
    arms: tuple[int, ...]
    topology: Topology
    banks: tuple[RuleSet, ...]
    is_open: tuple[bool, ...]
    kinds: list[Kind]
    outcomes: list[list[Outcome]]
    tables: list[int] = field(default_factory=lambda: [0] * k.HEADER)
    scratch_size: int = 0
    ways: list[Way] = field(default_factory=list)
    way_base: list[int] = field(default_factory=list)
    most_ways: int = 1
    _standable: dict[int, set[int]] = field(default_factory=dict)

    def field(self, name: int) -> int:
        """A header field of the tables."""
        return self.tables[name]

    def entry(self, seat: int) -> int:
        """A seat's first entry tile."""
        return self.topology.entries(self.arms[seat])[0]

    def standable(self, seat: int) -> set[int]:
        """The nodes that a seat's pieces can come to."""
        if seat not in self._standable:
            arm, topology = self.arms[seat], self.topology
            nodes = {topology.start, *topology.reachable(arm)}
            if self.rules.capture.before_home:
                nodes |= topology.reachable(arm, is_open=False)
            if any(kind.effect == k.SWAP for kind in self.kinds):
                nodes |= onward(topology, arm, {node for node in homeward(topology, arm) if node < topology.tiles})
            self._standable[seat] = nodes
        return self._standable[seat]

    def ways_of(self, bank: int, seat: int, node: int, kind: int) -> list[Way]:
        """The ways that a token opens from a node."""
        at = self.tables[self.bank_at(bank) + k.O_ROUTE]
        at += 2 * ((seat * self.tables[k.NODES] + node) * self.tables[k.KINDS] + kind)
        first, count = self.tables[at], max(0, self.tables[at + 1])
        return self.ways[self.way_base[bank] + first : self.way_base[bank] + first + count]

    def bank_at(self, bank: int) -> int:
        """Where a bank's options begin."""
        return self.tables[k.T_BANK] + bank * self.tables[k.BANK_SIZE]


def sides(players: int, rules: RuleSet) -> list[int]:
    """The side of each seat: itself, or its team of opposite seats."""
    half = players // 2
    return [seat % half for seat in range(players)] if rules.modes.mode == "teams" else list(range(players))


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


def compile_open(rules: RuleSet, arms: tuple[int, ...]) -> OpenBoard:
    """The tables of a rule set for the given arms; RulesError where they would be too large."""
    banks, is_open = all_banks(rules)
    topology = Topology(rules)
    kinds = all_kinds(banks)
    board = OpenBoard(rules, arms, topology, banks, is_open, kinds, [outcomes_of(bank) for bank in banks])
    _refuse_large(board)
    _globals(board)
    _rows(board)
    _seats(board)
    _to_go(board)
    _banks(board)
    _actions(board)
    return board


def _refuse_large(board: OpenBoard) -> None:
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


def _add(board: OpenBoard, values: list[int]) -> int:
    at = len(board.tables)
    board.tables.extend(values)
    return at


def _set(board: OpenBoard, **fields: int) -> None:
    for name, value in fields.items():
        board.tables[getattr(k, name)] = int(value)


def moves_others(board: OpenBoard) -> bool:
    """Whether somebody's piece can be moved by another player, the teammate's after coming home apart."""
    return board.rules.movement.may_move != "own" or any(kind.whose != k.OWN for kind in board.kinds)


def cap(rules: RuleSet, what: str) -> int:
    """How far something is counted: to the highest number that a change asks for."""
    first = 1 if what == "captures" and rules.capture.before_home else 0
    return max([first, *(change.at_least for change in rules.changes if change.when == what)])


def _globals(board: OpenBoard) -> None:
    rules, players, topology = board.rules, len(board.arms), board.topology
    win = rules.win
    goes_on = win.play_on or win.condition == "last_out"
    ranks = players - 1 if win.condition == "last_out" or not win.ranks else min(win.ranks, players - 1)
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
        KINDS=len(board.kinds),
        MOVERS=players if moves_others(board) else 1,
        MAY_MOVE=("own", "team", "all").index(rules.movement.may_move),
        TEAMS=rules.modes.mode == "teams",
        HOME_IS_LANE=rules.finish.places == "end_path",
        NEEDED=win.needed or rules.board.pieces,
        PLAY_ON=goes_on,
        RANKS=ranks,
        LAST_OUT=win.condition == "last_out",
        SCORE=win.score,
        HOME_POINTS=win.home_points,
        CAPTURE_POINTS=win.capture_points,
        TURN_LIMIT=win.turn_limit,
        BACKWARDS=rules.turn.direction == "anticlockwise",
        ZERO_SUM=win.returns == "zero_sum",
        BLOCKS=any(bank.block.stops != "none" for bank in board.banks),
        DECK=0 if rules.chance.replacement else len(rules.chance.cards),
        CAPTURE_CAP=cap(rules, "captures"),
        LOST_CAP=cap(rules, "lost"),
        COUNT_TURNS=win.turn_limit > 0 or cap(rules, "turns") > 0,
        CHANGES=len(rules.changes) + rules.capture.before_home,
        HOME_BIT=len(rules.changes) if rules.capture.before_home else -1,
        BANK_SIZE=k.O_SIZE,
        TURNED=topology.ring if topology.tiles == topology.ring and not board.topology.extra else 0,
    )


def _rows(board: OpenBoard) -> None:
    players, at = len(board.arms), k.PIECE_0 + len(board.arms) * board.rules.board.pieces
    sizes = {
        "R_POOL": len(board.kinds), "R_CAPTURES": players, "R_LOST": players, "R_CHANGED": players, "R_SKIP": players,
        "R_SUM": players, "R_PLACE": players, "R_SCORE": players, "R_DECK": board.field(k.DECK),
    }  # fmt: skip
    for name, size in sizes.items():
        _set(board, **{name: at})
        at += size
    _set(board, ROW_SIZE=at)


def _seats(board: OpenBoard) -> None:
    rules, players, topology = board.rules, len(board.arms), board.topology
    side = sides(players, rules)
    everyone = sum(15 << (4 * s) for s in set(side))
    numbers = {"captures": k.BY_CAPTURES, "lost": k.BY_LOST, "home": k.BY_HOME, "turns": k.BY_TURNS, "tile": k.BY_TILE}
    changes: list[int] = []
    for change in rules.changes:
        node = topology.node(change.tile, "changes.tile") if change.tile is not None else 0
        changes += [numbers[change.when], change.at_least, node, int(change.scope == "all")]
    if rules.capture.before_home:
        changes += [k.BY_CAPTURES, 1, 0, 0]
    _set(
        board,
        SIDES=max(side) + 1,
        T_SIDE=_add(board, side),
        T_ENEMIES=_add(board, [everyone & ~(15 << (4 * s)) for s in side]),
        T_ENTRY=_add(board, [board.entry(seat) for seat in range(players)]),
        T_KIND=_add(board, [v for kind in board.kinds for v in (kind.effect, kind.whose, kind.distance)]),
        T_CHANGE=_add(board, changes),
        T_CARDS=_add(board, [card.count for card in rules.chance.cards]),
        T_BACK=_add(board, [back for arm in board.arms for back in _way_back(board, arm)]),
        T_ON=_add(board, [on for arm in board.arms for on in _homeward_tiles(board, arm)]),
    )


def _homeward_tiles(board: OpenBoard, arm: int) -> list[int]:
    """Per tile whether a colour can come home from it; asked only where pieces can be put anywhere by a swap."""
    if not any(kind.effect == k.SWAP for kind in board.kinds):
        return [1] * board.topology.tiles
    home = homeward(board.topology, arm)
    return [int(tile in home) for tile in range(board.topology.tiles)]


def _to_go(board: OpenBoard) -> None:
    """Per seat and node the fewest steps home, for bots; nodes without a way home count as the farthest."""
    found = [steps_to_go(board.topology, arm) for arm in board.arms]
    farthest = max(steps for each in found for steps in each.values())
    nodes = range(board.field(k.NODES))
    _set(
        board,
        FARTHEST=farthest,
        T_TO_GO=_add(board, [each.get(node, farthest) for each in found for node in nodes]),
    )


def _way_back(board: OpenBoard, arm: int) -> list[int]:
    """Per node the one before it; START where the way begins, or where the colour never comes."""
    topology = board.topology
    before = topology.way_back(arm)
    return [before.get(node, topology.start) for node in range(board.field(k.NODES))]


def homeward(topology: Topology, arm: int) -> set[int]:
    """The nodes from which a colour can come home step by step."""
    return set(steps_to_go(topology, arm))


def steps_to_go(topology: Topology, arm: int) -> dict[int, int]:
    """Per node from which a colour can come home: the fewest steps that it takes."""
    before: dict[int, list[int]] = {}
    for node, ways in enumerate(topology.successors(arm)):
        for there in ways:
            before.setdefault(there, []).append(node)
    home = topology.finish - (topology.rules.finish.places == "end_path")
    found, frontier, steps = {home: 0}, [home], 0
    while frontier:
        steps += 1
        frontier = [node for there in frontier for node in before.get(there, ()) if node not in found]
        found |= dict.fromkeys(frontier, steps)
    return found


def onward(topology: Topology, arm: int, nodes: set[int]) -> set[int]:
    """The nodes that a colour can come to from some nodes, jumps included, and those themselves."""
    ahead, found, frontier = topology.successors(arm), set(nodes), list(nodes)
    while frontier:
        node = frontier.pop()
        further = [*ahead[node], *([topology.jumps[node]] if node in topology.jumps else [])]
        frontier += [there for there in further if there not in found]
        found.update(further)
    return found


def _banks(board: OpenBoard) -> None:
    size = k.O_SIZE * len(board.banks)
    _set(board, T_BANK=_add(board, [0] * size))
    laid: dict[Any, tuple[dict[str, int], int]] = {}
    for number, (rules, is_open) in enumerate(zip(board.banks, board.is_open, strict=True)):
        tracked = rules.capture.by in ("passing", "sweep")
        key = (is_open, rules.finish.rule, rules.start.leave_on, tracked)
        if key not in laid:
            laid[key] = _routes(board, rules, is_open, tracked)
        routes, base = laid[key]
        board.way_base.append(base)
        values = _options(board, rules) | routes | _tiles(board, rules, is_open) | _chance(board, number)
        for name, value in values.items():
            board.tables[board.field(k.T_BANK) + number * k.O_SIZE + getattr(k, name)] = int(value)
    _set(board, WAYS=board.most_ways)


def _options(board: OpenBoard, rules: RuleSet) -> dict[str, int]:
    again = rules.turn.again_on

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
        "O_DUTY": rules.capture.duty,
        "O_AGAIN_CAPTURE": "capture" in again,
        "O_AGAIN_FINISH": "finish" in again,
        "O_SIXES_LIMIT": rules.sixes_limit,
        "O_SIX_STAYS": rules.turn.six_without_move == "rolls_again",
        "O_ATTEMPTS": rules.turn.attempts,
        "O_MAY_PASS": rules.turn.may_pass,
        "O_CAPTURE_BONUS": bonus(rules.capture.capture_bonus),
        "O_FINISH_BONUS": bonus(rules.finish.finish_bonus),
    }


def words_of(board: OpenBoard, nodes: Any) -> list[int]:
    """The shared tiles among some nodes as a bit set."""
    words = [0] * board.field(k.WORDS)
    for node in nodes:
        if node < board.field(k.TILES):
            words[node // k.TILES_PER_WORD] |= 1 << (node % k.TILES_PER_WORD)
    return words


def _routes(board: OpenBoard, rules: RuleSet, is_open: bool, tracked: bool) -> tuple[dict[str, int], int]:
    """Lay out the ways of every seat, node and kind."""
    base = len(board.ways)
    table: list[int] = []
    for arm in board.arms:
        router = Router(rules, board.topology, arm, is_open)
        for node in range(board.field(k.NODES)):
            for kind in board.kinds:
                found = router.ways(node, kind)
                ways = found if isinstance(found, list) else []
                table += [len(board.ways) - base, len(ways) if isinstance(found, list) else -found]
                board.ways += ways
                board.most_ways = max(board.most_ways, len(ways))
    ways = board.ways[base:]
    tracks, nodes = [0], list[int]()
    for way in ways if tracked else ():
        nodes += way.path
        tracks.append(len(nodes))
    masks = [word for way in ways for word in words_of(board, way.path)] if board.field(k.BLOCKS) else []
    offsets = {
        "O_ROUTE": _add(board, table),
        "O_TARGET": _add(board, [way.target for way in ways]),
        "O_MASK": _add(board, masks),
        "O_TRACK": _add(board, tracks),
        "O_TRACKS": _add(board, nodes),
    }
    return offsets, base


def _tiles(board: OpenBoard, rules: RuleSet, is_open: bool) -> dict[str, int]:
    topology, tiles, players = board.topology, board.field(k.TILES), len(board.arms)
    safe, side = safe_tiles(rules, topology), sides(players, rules)
    owner = {board.entry(seat): seat for seat in range(players)} if rules.safe.entry != "open" else {}
    kind = k.GUARD_PUNISHES if rules.safe.landing == "punished" else k.GUARD_SHARED
    guards, jumps = [], []
    for seat, arm in enumerate(board.arms):
        stars = star_jumps(rules, topology, arm, is_open)
        for tile in range(tiles):
            foreign = tile in owner and side[owner[tile]] != side[seat]
            guards.append(kind if tile in safe else -owner[tile] - 1 if foreign else 0)
            jumps.append(topology.jumps.get(tile, stars.get(tile, -1)))
    squares = [0] * tiles
    lists = (rules.squares.roll_again, rules.squares.miss_turn, rules.squares.turn_round, rules.squares.send_home)
    for bit, names in enumerate(lists):
        for name in names:
            squares[topology.tile(name, "squares")] |= 1 << bit
    blockable = [tile for tile in range(tiles) if rules.block.on_safe or tile not in safe]
    return {
        "O_GUARD": _add(board, guards),
        "O_JUMP": _add(board, jumps),
        "O_SQUARE": _add(board, squares),
        "O_BLOCKABLE": _add(board, words_of(board, blockable)),
    }


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


def _chance(board: OpenBoard, number: int) -> dict[str, int]:
    rules, outcomes = board.banks[number], board.outcomes[number]
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
            len(tokens),
            len(outcome.kinds),
        ]
        tokens += [board.kinds.index(kind) for kind in outcome.kinds]
    total = sum(outcome.weight for outcome in outcomes)
    points = [n for n, outcome in enumerate(outcomes) for _ in range(outcome.weight)] if total <= MOST_POINTS else []
    return {
        "O_OUTCOMES": len(outcomes),
        "O_WEIGHT": total,
        "O_POINTS": bool(points),
        "O_OUTCOME": _add(board, rows),
        "O_TOKEN": _add(board, tokens),
        "O_POINT": _add(board, points),
    }


def _actions(board: OpenBoard) -> None:
    players, pieces = len(board.arms), board.rules.board.pieces
    swaps = any(kind.effect == k.SWAP for kind in board.kinds)
    steps = board.field(k.MOVERS) * pieces * len(board.kinds) * board.field(k.WAYS)
    last = steps + (pieces * players * pieces if swaps else 0)
    if last > MOST_ACTIONS:
        raise RulesError(f"board: {last} different moves are more than {MOST_ACTIONS} (L21)")
    pairs = k.S_OCC + board.field(k.TILES)
    stops = pairs + board.field(k.SIDES) * board.field(k.WORDS)
    moves = stops + board.field(k.WORDS)
    _set(board, A_SWAP=steps, A_PASS=last, S_PAIR=pairs, S_STOP=stops, S_MOVES=moves)
    board.scratch_size = moves + last + 2
