"""A slow, plain reference ("oracle") for the rule-based heuristic agent, H1-H24 of the rule book `heuristic.md`.

Written from the rule book and its source alone, to be compared with the bot. Clarity over speed. It knows one-die
Ludo on a cross board, each for itself or in teams of opposite seats, and reads a move off the two plain dicts of the
contract: the position before it and the position after it.

Readings: what the text leaves open, and how it is read here
------------------------------------------------------------
R1  H14  The distance is counted round the shared path, whatever the enemy's own way: one that would turn into its end
         path before the landing tile counts like any other.
R2  H14  Enemies stand where they stand after the move: a captured one is no risk any more.
R3  H4   Whether a piece is threatened is asked before the move, with the enemies where they stand then.
R4  H16  The own entry tile is safe where the rules protect its owner there or make it a safe tile (not in `maedn`,
         where a piece on it is captured like any other); another colour's only where it is a safe tile.
R5  H5   Start is no safe tile here: a piece that leaves it comes under H8. A bounce on the end path lands on it.
R6  H6   Two or more of one colour stand one to six tiles behind. With blocks in the rules the landing tile must be one
         where the rules know a block (Z6: no safe tile; a teammate's piece helps to make one); without, the nearest of
         them is one tile behind.
R7  H7   Pieces of the own colour on any tile of the path, a safe one too. (On the end path H5 comes first.)
R8  H9   "In play" is on the path or the end path; of several least advanced pieces each is one. Progress counts for a
         piece that bounced back too.
R9  H18  As the source has it: two or more own pieces on a tile of the path or the end path, and one goes elsewhere,
         whether or not two stay behind.
R10 H3   A landing that sends the own piece home matches no rule and brings no bonus but SPLIT_BLOCKADE; only a capture
         on the way (T4, the first star) still is one.
R11 H14  A teammate is no enemy, in any rule.
R12 H2   Where the end-path tiles themselves are home (`maedn`), stepping onto the first of them is reaching the finish,
         and pieces there are in goal; a step from one to another is H5.
R13 H24  Where H19 replaces the score, the other parts are told all the same.
"""

COLOURS = ("green", "yellow", "blue", "red", "purple", "orange", "black", "white")

SCORES = {
    "WIN_MOVE": 1_000_000,
    "CAPTURE_MOVE": 50_000,
    "FLEE_MOVE": 50_000,
    "HOME_BASE_PROGRESS": 10_000,
    "BLOCKADE_CLUSTER": 4_000,
    "FORM_BLOCKADE_MOVE": 3_500,
    "GET_OUT_OF_HOME": 7_000,
    "STRATEGY": 0,
}
PARTS = ("rule", "phase", "score", "multiplier", "bonuses", "risk", "threatened", "breaks_block", "total")  # H24
BEFORE_FLIGHT = ("WIN_MOVE", "CAPTURE_MOVE")
PROGRESS, STAR_JUMP, GLOBE_HOP, BALANCED_FRONT, SPLIT_BLOCKADE = 1_000, 5_500, 500, 350, 250
BREAKING_A_BLOCK = 500
RISK_FACTOR = 800
MULTIPLIERS = {
    ("OPENING", "GET_OUT_OF_HOME"): 5,
    ("CLOSING", "HOME_BASE_PROGRESS"): 5,
    ("CLOSING", "WIN_MOVE"): 2,
    ("CRITICAL", "CAPTURE_MOVE"): 1.5,
    ("CRITICAL", "BLOCKADE_CLUSTER"): 2,
}


# ---------------------------------------------------------------- the board


def path_length(rules):
    board = rules.board
    if board.path is not None:
        return board.path
    return board.seats * (2 * board.end_path + 3 + (1 if board.corners else 0))


def entry_tile(rules, colour):
    return COLOURS.index(colour) * path_length(rules) // rules.board.seats


def tiles_after_each_entry(rules, offsets):
    """Tiles that the rule set counts from each entry tile; those of empty seats too."""
    length = path_length(rules)
    tiles = set()
    for arm in range(rules.board.seats):
        for offset in offsets:
            tiles.add((arm * length // rules.board.seats + offset) % length)
    return tiles


def safe_path_tiles(rules, colour):
    tiles = tiles_after_each_entry(rules, rules.safe.tiles)
    if rules.safe.entry != "open":
        tiles.add(entry_tile(rules, colour))
    return tiles


def on_path(place):
    return isinstance(place, int)


def on_end_path(place):
    return isinstance(place, str) and place.startswith("end:")


def is_safe(rules, colour, place):
    """H16."""
    return not on_path(place) or place in safe_path_tiles(rules, colour)


def in_goal(rules, place):
    return place == "finish" or (rules.finish.places == "end_path" and on_end_path(place))


def advance(rules, colour, place):
    """How far a piece in play has come."""
    if on_end_path(place):
        return path_length(rules) + int(place[4:])
    return (place - entry_tile(rules, colour)) % path_length(rules)


# ---------------------------------------------------------------- enemies


def are_enemies(rules, pieces, colour, other):
    """Whether two colours are on different sides; teams are those who sit opposite each other."""
    seats = [c for c in COLOURS if c in pieces]
    if rules.modes.mode == "teams":
        half = len(seats) // 2
        return seats.index(colour) % half != seats.index(other) % half
    return colour != other


def enemies_behind(rules, pieces, colour, tile):
    """{enemy colour: distances of its pieces one to six tiles behind `tile`}; H14, H15."""
    behind = {}
    for enemy, places in pieces.items():
        behind[enemy] = []
        for place in places:
            if are_enemies(rules, pieces, colour, enemy) and on_path(place) and on_path(tile):
                distance = (tile - place) % path_length(rules)
                if 1 <= distance <= 6:
                    behind[enemy].append(distance)
    return behind


def risk(rules, pieces, colour, place):
    """H14, H16."""
    if is_safe(rules, colour, place):
        return 0
    total = 0
    for distances in enemies_behind(rules, pieces, colour, place).values():
        for distance in distances:
            total += (7 - distance) * RISK_FACTOR
    return total


def phase(rules, pieces, colour):
    """H10."""
    for enemy, places in pieces.items():
        if are_enemies(rules, pieces, colour, enemy) and len([p for p in places if in_goal(rules, p)]) >= 2:
            return "CRITICAL"
    own = pieces[colour]
    if own.count("start") >= 2:
        return "OPENING"
    if len([p for p in own if p == "finish" or on_end_path(p)]) >= 2:
        return "CLOSING"
    return "MIDGAME"


# ---------------------------------------------------------------- one move


def landing(before, after, origin):
    """Where the piece that left `origin` stands after the move."""
    stayed = list(before)
    stayed.remove(origin)
    moved = list(after)
    for place in stayed:
        moved.remove(place)
    assert len(moved) == 1, (before, after, origin)
    return moved[0]


def captures(before, after, colour):
    """Whether the move sent an enemy home."""
    for enemy in before:
        if enemy != colour and after[enemy].count("start") > before[enemy].count("start"):
            return True
    return False


def blocks_a_cluster(rules, pieces, colour, tile):
    """H6, of the pieces after the move."""
    if not on_path(tile):
        return False
    for distances in enemies_behind(rules, pieces, colour, tile).values():
        if len(distances) < 2:
            continue
        if rules.block.stops == "none":
            if min(distances) == 1:
                return True
        elif is_block(rules, pieces, colour, tile):
            return True
    return False


def is_block(rules, pieces, colour, tile):
    """Whether the rules of the game know a block of `colour`'s side there (Z6)."""
    if tile in tiles_after_each_entry(rules, rules.safe.tiles) and not rules.block.on_safe:
        return False
    side = [c for c in pieces if not are_enemies(rules, pieces, colour, c)]
    return sum(pieces[c].count(tile) for c in side) >= 2


def rule_of(rules, before, after, colour, origin, target):
    """H1-H8: the first that matches."""
    if in_goal(rules, target) and not in_goal(rules, origin):
        return "WIN_MOVE"
    if captures(before, after, colour):
        return "CAPTURE_MOVE"
    if target == "start":
        return "STRATEGY"
    if risk(rules, before, colour, origin) > 0 and risk(rules, after, colour, target) == 0:
        return "FLEE_MOVE"
    if on_end_path(target):
        return "HOME_BASE_PROGRESS"
    if origin != "start" and is_safe(rules, colour, origin) and is_safe(rules, colour, target):
        return "HOME_BASE_PROGRESS"
    if blocks_a_cluster(rules, after, colour, target):
        return "BLOCKADE_CLUSTER"
    if after[colour].count(target) >= 2:
        return "FORM_BLOCKADE_MOVE"
    if origin == "start":
        return "GET_OUT_OF_HOME"
    return "STRATEGY"


def breaks_a_block(before, colour, origin, target):
    """H18."""
    return origin not in ("start", "finish", target) and before[colour].count(origin) >= 2


def strategy(rules, before, colour, origin, target, die):
    """H9: the bonuses of a move that no rule matches."""
    bonuses = SPLIT_BLOCKADE if breaks_a_block(before, colour, origin, target) else 0
    if target == "start":
        return bonuses
    bonuses += PROGRESS
    if on_path(origin) and (origin + die) % path_length(rules) in tiles_after_each_entry(rules, rules.movement.stars):
        bonuses += STAR_JUMP
    if target in safe_path_tiles(rules, colour):
        bonuses += GLOBE_HOP
    in_play = [advance(rules, colour, p) for p in before[colour] if p not in ("start", "finish")]
    if advance(rules, colour, origin) == min(in_play):
        bonuses += BALANCED_FRONT
    return bonuses


def score(rules, before, after, move, literal=False):
    """One candidate's parts (H24), from the pieces before and after it."""
    colour, origin = move.colour, move.origin
    target = landing(before[colour], after[colour], origin)
    rule = rule_of(rules, before, after, colour, origin, target)
    now = phase(rules, before, colour)
    multiplier = MULTIPLIERS.get((now, rule), 1)
    bonuses = 0
    if rule == "STRATEGY":
        bonuses = strategy(rules, before, colour, origin, target, move.dice[0])
    danger = risk(rules, after, colour, target)
    total = SCORES[rule] * multiplier + bonuses - danger
    breaks = breaks_a_block(before, colour, origin, target)
    if breaks:
        total -= BREAKING_A_BLOCK
    threatened = risk(rules, before, colour, origin) > 0
    if threatened and rule != "FLEE_MOVE" and (literal or rule not in BEFORE_FLIGHT):  # H19
        total = -danger
    return {
        "rule": rule,
        "phase": now,
        "score": SCORES[rule],
        "multiplier": multiplier,
        "bonuses": bonuses,
        "risk": danger,
        "threatened": threatened,
        "breaks_block": breaks,
        "total": total,
    }


def candidates(pos, literal=False):
    """{notation: parts} of every legal move at a decision; {} where there is nothing but to pass."""
    found = {}
    before = pos.to_dict()["pieces"]
    for move in pos.moves():
        if str(move) != "pass":
            after = pos.play(move).to_dict()["pieces"]
            found[str(move)] = score(pos.game.rules, before, after, move, literal)
    return found


def best(found):
    """Of {notation: parts}: the moves that H20 chooses among; {"pass"} where nothing else is legal (H21)."""
    if not found:
        return {"pass"}
    highest = max(parts["total"] for parts in found.values())
    return {move for move, parts in found.items() if parts["total"] == highest}
