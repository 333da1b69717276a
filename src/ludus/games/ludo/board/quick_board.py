"""Rule set and seats → the integer tables that the kernel reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from ludus.games.ludo import kernel as k
from ludus.games.ludo.document.rules import RuleSet

FACES = 6


@dataclass(frozen=True)
class Board:
    """The compiled form of a rule set for given arms of the board (one arm a player, in order of play)."""

    rules: RuleSet
    arms: tuple[int, ...]
    tables: list[int]
    scratch_size: int
    sets: list[tuple[int, ...]]
    outcomes: list[tuple[int, tuple[int, ...]]]

    def field(self, name: int) -> int:
        """A header field of the tables."""
        return self.tables[name]

    def entry(self, seat: int) -> int:
        """A seat's entry tile."""
        return self.arms[seat] * self.rules.arm

    def route(self, seat: int) -> list[int]:
        """The nodes of a seat's way home, from its entry tile to the last node."""
        tiles = self.rules.path_length
        path = [(self.entry(seat) + d) % tiles for d in range(self.rules.last_path_distance + 1)]
        lane = [tiles + i for i in range(self.rules.board.end_path)]
        return path + lane + ([tiles + len(lane)] if self.rules.finish.places == "one_tile" else [])


def outcomes_of(rules: RuleSet) -> list[tuple[int, tuple[int, ...]]]:
    """(weight, dice larger first) of every outcome of a roll."""
    if rules.chance.dice == 1:
        return [(1, (face,)) for face in range(1, FACES + 1)]
    return [(1 if a == b else 2, (a, b)) for a in range(1, FACES + 1) for b in range(1, a + 1)]


def longest_way(rules: RuleSet) -> int:
    """Steps from an entry tile to the last node of the way home."""
    return rules.last_path_distance + rules.board.end_path + (rules.finish.places == "one_tile")


def most_of_each(rules: RuleSet) -> list[int]:
    """How many dice of each face one move can use at the most (F22)."""
    most = [rules.chance.dice] * FACES
    if rules.chance.pool == "double_six":
        most[5] = longest_way(rules) // 6
    return most


def dice_sets(rules: RuleSet) -> list[tuple[int, ...]]:
    """Every choice of dice that one move may use, as counts per face; single dice first, then by sum."""
    if rules.chance.dice == 1:
        return []
    singles = [tuple(int(f == g) for g in range(FACES)) for f in range(FACES)]
    if rules.movement.combined_move == "none":
        return singles
    sets = []
    for counts in product(*(range(m + 1) for m in most_of_each(rules))):
        size, total = sum(counts), sum((f + 1) * n for f, n in enumerate(counts))
        others = size - (counts[5] if rules.chance.pool == "double_six" else 0)
        if size >= 2 and others <= rules.chance.dice and total <= longest_way(rules):
            sets.append((size, total, counts))
    return singles + [counts for _, _, counts in sorted(sets, key=lambda s: (s[1], s[0], s[2]))]


class Assembler:
    """Puts header fields and tables into one flat list."""

    def __init__(self) -> None:
        self.tables = [0] * k.HEADER

    def set(self, **fields: int) -> None:
        """Header fields by name."""
        for name, value in fields.items():
            self.tables[getattr(k, name)] = int(value)

    def add(self, name: str, values: list[int]) -> None:
        """A table; its header field gets the offset."""
        self.tables[getattr(k, name)] = len(self.tables)
        self.tables.extend(values)


def compile_board(rules: RuleSet, arms: tuple[int, ...]) -> Board:
    """The tables of a rule set for the given arms."""
    into = Assembler()
    board = Board(rules, arms, into.tables, 0, dice_sets(rules), outcomes_of(rules))
    _options(into, rules, arms)
    _layout(into, board)
    _seats(into, board)
    _tiles(into, board)
    _routes(into, board)
    _chance(into, board)
    size = _scratch(into, board)
    return Board(rules, arms, into.tables, size, board.sets, board.outcomes)


def _options(into: Assembler, rules: RuleSet, arms: tuple[int, ...]) -> None:
    again = rules.turn.again_on
    into.set(
        PLAYERS=len(arms),
        PIECES=rules.board.pieces,
        FACES=FACES,
        POOLED=rules.chance.dice == 2,
        REROLL=rules.chance.pool == "double_six",
        BANKED=rules.capture.before_home,
        STOPS=("none", "opponents", "all").index(rules.block.stops),
        SHARE_OWN=rules.movement.share_own,
        PASSING=rules.finish.passing,
        HOME_IS_LANE=rules.finish.places == "end_path",
        STACK_PUNISHES=rules.capture.stack == "punishes",
        ENTRY_RULE=("open", "owner_shares", "owner_punishes").index(rules.safe.entry),
        TO_CAPTOR=rules.capture.captured_to == "held",
        FREEZES=rules.capture.freezes,
        COMPULSORY=rules.start.compulsory,
        CLEAR_ENTRY=rules.start.clear_entry,
        GO_ON=rules.start.go_on == "forced_alone",
        SPECIAL=rules.start.exit_block == "special",
        COMBINED=("none", "jump", "sweep").index(rules.movement.combined_move),
        FORCED=rules.movement.forced_combination,
        DUTY=rules.block.unblock_duty,
        AGAIN_SIX="six" in again,
        AGAIN_CAPTURE="capture" in again,
        AGAIN_FINISH="finish" in again,
        SIXES_LIMIT=rules.sixes_limit,
        SIX_STAYS=rules.turn.six_without_move == "rolls_again",
        ATTEMPTS=rules.turn.attempts,
        PLAY_ON=rules.win.play_on,
        ZERO_SUM=rules.win.returns == "zero_sum",
        TEAMS=rules.modes.mode == "teams",
        TRACKED=1,
    )


def _layout(into: Assembler, board: Board) -> None:
    rules, players = board.rules, len(board.arms)
    tiles, lane = rules.path_length, rules.board.end_path
    finish = tiles + lane
    into.set(TILES=tiles, END=lane, FINISH=finish, START=finish + 1, HELD=finish + 2, ROUTED=finish + 2 + players)
    into.set(REACH=FACES)
    into.set(WORDS=-(-tiles // k.TILES_PER_WORD))
    captured = k.PIECE_0 + players * rules.board.pieces
    pool = captured + players
    sums = pool + (FACES if rules.chance.dice == 2 else 0)
    place = sums + (players if rules.turn.first == "roll_off" else 0)
    into.set(R_CAPTURED=captured, R_POOL=pool, R_SUM=sums, R_PLACE=place, ROW_SIZE=place + players)
    _actions(into, board)


def _actions(into: Assembler, board: Board) -> None:
    """One die: a piece, or pass. A pool: piece × set, out, out-and-on × set, buy, special × pieces, pass."""
    rules, pieces = board.rules, board.rules.board.pieces
    if rules.chance.dice == 1:
        into.set(SETS=0, A_PASS=pieces)
        return
    sets = len(board.sets)
    out = sets * pieces
    on = out + len(rules.start.leave_on)
    buy = on + (sets if rules.start.go_on != "never" else 0)
    special = buy + (rules.capture.captured_to == "held")
    last = special + (pieces - 1 if rules.start.exit_block == "special" else 0)
    into.set(SETS=sets, A_OUT=out, A_OUT_ON=on, A_BUY=buy, A_SPECIAL=special, A_PASS=last)


def sides(board: Board) -> list[int]:
    """The side of each seat: itself, or its team (Z22)."""
    players = len(board.arms)
    return [seat % 2 for seat in range(players)] if board.rules.modes.mode == "teams" else list(range(players))


def _seats(into: Assembler, board: Board) -> None:
    side = sides(board)
    into.set(SIDES=max(side) + 1)
    everyone = sum(15 << (4 * s) for s in set(side))
    into.add("T_SIDE", side)
    into.add("T_ENEMIES", [everyone & ~(15 << (4 * s)) for s in side])
    into.add("T_ENTRY", [board.entry(seat) for seat in range(len(board.arms))])
    into.set(WAYS_OUT=len(board.rules.start.leave_on))
    into.add("T_FACE_OUT", sorted(board.rules.start.leave_on))
    into.add("T_LEAVES", [int(face in board.rules.start.leave_on) for face in range(FACES + 1)])


def on_every_arm(rules: RuleSet, offsets: tuple[int, ...]) -> set[int]:
    """The path tiles at the given distances from every entry tile."""
    return {arm * rules.arm + offset for arm in range(rules.board.seats) for offset in offsets}


def _tiles(into: Assembler, board: Board) -> None:
    rules, tiles = board.rules, board.rules.path_length
    safe = on_every_arm(rules, rules.safe.tiles)
    nodes, words = range(into.tables[k.ROUTED]), into.tables[k.WORDS]
    blockable = {tile for tile in range(tiles) if rules.block.on_safe or tile not in safe}
    into.add("T_BLOCKABLE", [word for n in nodes for word in words_of([n] if n in blockable else [], words)])
    owner = {board.entry(seat): seat for seat in range(len(board.arms))} if rules.safe.entry != "open" else {}
    kind = k.GUARD_PUNISHES if rules.safe.landing == "punished" else k.GUARD_SHARED
    guards: list[int] = []
    for seat in range(len(board.arms)):
        for tile in range(tiles):
            foreign = owner.get(tile, seat) != seat
            guards.append(kind if tile in safe else -owner[tile] - 1 if foreign else 0)
    into.add("T_GUARD", guards)


def steps(board: Board, bank_is_open: bool, seat: int, node: int, distance: int) -> list[int]:
    """The nodes that a piece crosses going `distance` on, the last one included; shorter where its way ends."""
    rules, tiles = board.rules, board.rules.path_length
    if not bank_is_open:
        return [(node + d) % tiles for d in range(1, distance + 1)] if node < tiles else []
    last, entry = rules.last_path_distance, board.entry(seat)
    at = (node - entry) % tiles if node < tiles else last + 1 + node - tiles
    ends = last + 1 + rules.board.end_path - (rules.finish.places == "end_path")
    return [
        (entry + d) % tiles if d <= last else tiles + d - last - 1 for d in range(at + 1, min(at + distance, ends) + 1)
    ]


def route_end(board: Board, bank_is_open: bool, seat: int, node: int, distance: int) -> int:
    """Where the route ends (Z3, Z14, S23, S43, T11), or minus the reason."""
    rules = board.rules
    finish = rules.path_length + rules.board.end_path
    if node == finish + 1:
        return board.entry(seat) if distance in rules.start.leave_on else -k.WHY_NEEDS_FACE
    if node >= finish:
        return -k.WHY_FINISHED if node == finish else -k.WHY_HELD
    way = steps(board, bank_is_open, seat, node, distance)
    surplus = distance - len(way)
    if surplus == 0:
        return way[-1]
    if rules.finish.rule == "exact" or (not bank_is_open and node >= rules.path_length):
        return -k.WHY_PAST_FINISH
    if rules.finish.rule == "overshoot":
        return finish
    line = board.route(seat)
    tiles, last = rules.path_length, rules.last_path_distance
    at = (node - board.entry(seat)) % tiles if node < tiles else last + 1 + node - tiles
    back = len(line) - 1 if rules.finish.rule == "bounce" else at
    return line[back - surplus] | k.BOUNCED


def banks(rules: RuleSet) -> Iterator[bool]:
    """Per rule bank, whether the turn into the end path is open (Z12, Z13)."""
    if rules.capture.before_home:
        yield False
    yield True


def _routes(into: Assembler, board: Board) -> None:
    rules = board.rules
    words = into.tables[k.WORDS]
    ends: list[int] = []
    masks: list[int] = []
    stars: list[int] = []
    for is_open in banks(rules):
        for seat in range(len(board.arms)):
            for node in range(into.tables[k.ROUTED]):
                for distance in range(1, FACES + 1):
                    end = route_end(board, is_open, seat, node, distance)
                    ends.append(end)
                    masks.extend(words_of(crossed_tiles(board, is_open, seat, node, distance, end), words))
            stars.extend(star_jumps(board, is_open, seat))
    into.add("T_ROUTE", ends)
    into.add("T_MASK", masks)
    into.set(STARS=max(stars) >= 0)
    into.add("T_STAR", stars)
    into.add(
        "T_SEEN", [seen_by(board, seat, n) for seat in range(len(board.arms)) for n in range(into.tables[k.ROUTED])]
    )


def seen_by(board: Board, seat: int, node: int) -> int:
    """A node as a seat counts them: path tiles from its entry tile, held pieces from itself as the captor."""
    tiles, held, players = board.rules.path_length, board.field(k.HELD), len(board.arms)
    if node < tiles:
        return (node - board.entry(seat)) % tiles
    return node if node < held else held + (node - held - seat) % players


def crossed_tiles(board: Board, bank_is_open: bool, seat: int, node: int, distance: int, end: int) -> list[int]:
    """The shared tiles that a route crosses or ends on: the entry tile for a piece in the yard."""
    tiles = board.rules.path_length
    if node >= tiles + board.rules.board.end_path:
        return [board.entry(seat)]
    way = steps(board, bank_is_open, seat, node, distance)
    if end >= 0 and end & k.BOUNCED:  # back over the tiles between the landing tile and the finish, or straight to it
        line = board.route(seat)
        back = line.index(end & k.NODE)
        way += line[back:] if board.rules.finish.rule == "bounce" else line[back : back + 1]
    return [n for n in way if n < tiles]


def words_of(crossed: list[int], words: int) -> list[int]:
    """Tiles as a bit set."""
    bits = [0] * words
    for tile in crossed:
        bits[tile // k.TILES_PER_WORD] |= 1 << (tile % k.TILES_PER_WORD)
    return bits


def star_jumps(board: Board, bank_is_open: bool, seat: int) -> list[int]:
    """Per tile where a star there jumps to, or -1: the next star on the way, from the last one the finish (T3)."""
    rules, tiles = board.rules, board.rules.path_length
    stars = on_every_arm(rules, rules.movement.stars)
    jumps = [-1] * tiles
    for star in stars:
        ahead = steps(board, bank_is_open, seat, star, tiles)
        jumps[star] = next((n for n in ahead if n in stars), tiles + rules.board.end_path)
    return jumps


def _chance(into: Assembler, board: Board) -> None:
    into.set(OUTCOMES=len(board.outcomes), WEIGHT=sum(w for w, _ in board.outcomes))
    into.add("T_OUTCOME", [v for w, dice in board.outcomes for v in (w, *dice, 0)[:3]])
    into.add("T_POINT", [number for number, (weight, _) in enumerate(board.outcomes) for _ in range(weight)])
    most = most_of_each(board.rules)
    strides = [1]
    for count in most[:-1]:
        strides.append(strides[-1] * (count + 1))
    keys = [-1] * (strides[-1] * (most[-1] + 1))
    for number, counts in enumerate(board.sets):
        keys[sum(n * s for n, s in zip(counts, strides, strict=True))] = number
    shapes = [(sum(c), sum((f + 1) * n for f, n in enumerate(c)), *c) for c in board.sets]
    into.add("T_SET", [v for shape in shapes for v in shape])
    into.add("T_SET_OF_KEY", keys)
    into.add("T_STRIDE", strides)
    into.add("T_MOST", most)


def _scratch(into: Assembler, board: Board) -> int:
    """Lay out the scratch; returns its size."""
    t = into.tables
    blocks = k.S_OCC + t[k.TILES]
    stops = blocks + t[k.SIDES] * t[k.WORDS]
    track = stops + t[k.WORDS]
    listed = track + longest_way(board.rules) + 2
    moves = listed + 2 * max(len(board.sets), FACES + 1)
    into.set(S_BLOCK=blocks, S_STOP=stops, S_TRACK=track, S_SET=listed, S_MOVES=moves)
    return int(moves + t[k.A_PASS] + 1)
