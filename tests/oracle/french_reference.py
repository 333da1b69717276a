"""A slow, plain reference ("oracle") for the French two-dice Ludo, F1-F40 of the rule book `french.md`.

Written from the rule book and its source alone, to be compared with the fast kernel. Clarity over speed.
Positions are the plain dicts of the contract:

    {"pieces": {"green": ["start", 12, "end:3", "finish"], ...}, "turn": "green",
     "dice": [6, 5], "kept": [6, 6], "frozen": {"green": [12]}, "unblocked": True}

Readings: what the text leaves open, and how it is read here
------------------------------------------------------------
R1  F33  The test knows only the position: dice without "unblocked" are the beginning of a turn, however few
         they are and even if a piece is already frozen.
R2  F33  "unblocked" is True exactly where the test would find a duty (a stack with a legal move for the
         dice left) on a position after the turn's first move, also if the stack arose by that very move, if
         the duty did not hold when the turn began, and if the duty would not narrow the moves. Elsewhere
         the normal form drops it.
R3  F33  On a safe tile that the stack shares with other colours, other blocks included, the stack still has
         the duty, although moving it may free nobody. Two owners of stacks on one tile each have it in
         their own turn.
R4  F33  A last piece on the very tile of the stack (a shared safe tile) is not behind it. A last piece that
         shares the tile behind the block (a safe one) with others is.
R5  F36  "Nor for the one at the head of the chain" needs no test of its own: the head is not directly in
         front of the last piece. If another last piece stands directly behind the head, the head has its
         duty to that one.
R6  F33  With several stacks only those that have a legal move count; a move off any one of those
         does.
R7  F26  A frozen single piece in play: playing all dice on it is not legal, F28 leaves nothing, the dice
         are lost.
R8  F26  "If that is legal" includes a sweep that captures before a block (F22): it is forced too.
R9  F27  "Can bring out or buy back" means that `out` (at most one enemy on the entry tile), the special
         move (F16, with the sixes of the dice left) or `buy` could be played now, whatever F29 says about
         how to come out.
R10 F29  "Able to move" asks for single dice only, and for the dice left after this 6; a combined move alone
         does not count as able, but stays legal itself (F32). End-path pieces count.
R11 F29  "A 6 left can bring out or buy back another": a 6 is left, and after this one a piece is still in
         the house or held (the entry tile can't be blocked any more when the first piece could come out).
R12 F31  "No die left can move it on": no part of the dice left, single or combined, is a legal way on.
R13 F31  The part is any legal non-empty one, not the largest. The dice then left are a new decision (F26
         and so on).
R14 F30  `out+3` sweeps even though one die only is used after the 6: it is a combined move.
R15 F14  Two or more enemies on the entry tile forbid `out+` as they forbid `out`.
R16 F7   "Has a legal use" includes a combined use: the turn goes on while any move at all is legal.
R17 F16  With h >= k no piece is bought; with 1 <= h < k the k - h bought ones are those whose captors come
         first from green. There is one special move, never a choice of more buy-backs inside it.
R18 F13  Two blocks may share a safe tile (set up); then nobody, their owners included, lands there or
         passes.
R19 F6   Dice left: at most two that are not 6, any number of 6s (what is left of 6+6 pairs and one last
         roll).
R20 F24  Frozen entries: only the turn's colour, only while dice are left, only pieces on the path or the
         end path, no more than stand there. A frozen piece on a safe tile or the end path is accepted
         (reach is not asked), and no captive is asked for.
R21 F34  "unblocked": True while a roll is due, kept dice beside dice, frozen pieces while a roll is due:
         refused.
R22 F38  A position that is over: one winner, the turn is the winner's, no dice, kept, frozen, unblocked;
         else refused.
R23 F10  Held by a colour that does not play, or by the own colour: refused. How many a captor holds is not
         asked.
R24 F1   A position without "turn": the first seat's, as every absent key has its default (the contract).
"""

import itertools
import random
from fractions import Fraction

SEATS = ("green", "yellow", "blue", "red")
PATH_LENGTH = 52
SAFE_TILES = (8, 21, 34, 47)
LAST_PATH_DISTANCE = 50  # from here a piece turns into its end path
FINISH_DISTANCE = 56  # 51..55 are end:0..end:4


# ---------------------------------------------------------------- the board (F1, F2)


def entry_tile(colour):
    """F1: 0, 13, 26, 39, whatever the number of players."""
    return 13 * SEATS.index(colour)


def in_play(place):
    """On the path or on the end path."""
    return isinstance(place, int) or place.startswith("end:")


def is_held(place):
    return isinstance(place, str) and place.startswith("held:")


def captor(place):
    return place[len("held:") :]


def distance_of(colour, place):
    """How many steps past its entry tile a piece in play is."""
    if isinstance(place, int):
        return (place - entry_tile(colour)) % PATH_LENGTH
    return LAST_PATH_DISTANCE + 1 + int(place[len("end:") :])


def place_at(colour, distance):
    if distance <= LAST_PATH_DISTANCE:
        return (entry_tile(colour) + distance) % PATH_LENGTH
    if distance < FINISH_DISTANCE:
        return f"end:{distance - LAST_PATH_DISTANCE - 1}"
    return "finish"


def number_on(pos, colour, place):
    return pos["pieces"][colour].count(place)


def enemy_block_on(pos, players, colour, place):
    """F13, F3: two or more of one other colour on a path tile, safe or not."""
    if not isinstance(place, int):
        return False
    return any(other != colour and number_on(pos, other, place) >= 2 for other in players)


def lone_enemy_on(pos, players, colour, place):
    """F3, F21: the colour of a single enemy that can be captured on this tile, or None."""
    if not isinstance(place, int) or place in SAFE_TILES:
        return None
    for other in players:
        if other != colour and number_on(pos, other, place) == 1:
            return other
    return None


def enemies_on_entry(pos, players, colour):
    """F12, F14, F15: (number, their colour) on the own entry tile, or (0, None). One colour only (F1)."""
    tile = entry_tile(colour)
    for other in players:
        if other != colour and number_on(pos, other, tile) > 0:
            return number_on(pos, other, tile), other
    return 0, None


def pieces_in_play(pos, colour):
    return [place for place in pos["pieces"][colour] if in_play(place)]


def in_house(pos, colour):
    return number_on(pos, colour, "start")


def held_places(pos, colour):
    """The held pieces of a colour, those whose captors come first from green first (F16, `buy`)."""
    held = [place for place in pos["pieces"][colour] if is_held(place)]
    return sorted(held, key=lambda place: SEATS.index(captor(place)))


def frozen_on(pos, colour, place):
    return pos.get("frozen", {}).get(colour, []).count(place)


def movable_origins(pos, colour):
    """F24: places with at least one piece in play that is not frozen; each place once."""
    origins = []
    for place in pieces_in_play(pos, colour):
        if place not in origins and number_on(pos, colour, place) > frozen_on(pos, colour, place):
            origins.append(place)
    return origins


# ---------------------------------------------------------------- dice


def parts(dice):
    """Every non-empty part of the dice, each once, larger dice first."""
    values = sorted(set(dice), reverse=True)
    choices = [range(dice.count(value) + 1) for value in values]
    found = []
    for counts in itertools.product(*choices):
        part = []
        for value, count in zip(values, counts, strict=True):
            part = part + [value] * count
        if part:
            found.append(part)
    return found


def without(dice, used):
    left = list(dice)
    for die in used:
        left.remove(die)
    return left


def join(dice):
    return "+".join(str(die) for die in sorted(dice, reverse=True))


# ---------------------------------------------------------------- walking (F13, F20, F21, F22, F25)


def walk(pos, players, colour, distance, steps, sweeps):
    """Where a piece at `distance` comes to with so many steps: (new distance, captured colour or None).

    None if it is not legal. A single die jumps (F20): only the landing tile can capture. A sweep (F21) stops
    at the first single enemy that can be captured. A block on the tiles walked makes both illegal (F13),
    behind the capture of a sweep it does not matter (F22). Past the finish is illegal always (F22, F25).
    """
    if distance + steps > FINISH_DISTANCE:
        return None
    for step in range(1, steps + 1):
        place = place_at(colour, distance + step)
        if enemy_block_on(pos, players, colour, place):
            return None
        enemy = lone_enemy_on(pos, players, colour, place)
        if enemy is not None and (sweeps or step == steps):
            return distance + step, enemy
    return distance + steps, None


def walk_from(pos, players, colour, origin, dice):
    """One die jumps, two or more sweep."""
    return walk(pos, players, colour, distance_of(colour, origin), sum(dice), len(dice) >= 2)


# ---------------------------------------------------------------- changing positions


def first_seat(pos):
    """F1: green, or the first seat present."""
    return next(colour for colour in SEATS if colour in pos["pieces"])


def copy(pos):
    new = {
        "pieces": {colour: list(places) for colour, places in pos["pieces"].items()},
        "turn": pos.get("turn", first_seat(pos)),
        "dice": list(pos.get("dice", [])),
        "kept": list(pos.get("kept", [])),
        "frozen": {colour: list(places) for colour, places in pos.get("frozen", {}).items()},
        "unblocked": pos.get("unblocked", False),
    }
    return new


def relocate(pos, colour, origin, target):
    places = pos["pieces"][colour]
    places[places.index(origin)] = target


def capture(pos, colour, tile, enemy):
    """F10: one enemy goes to the mover's zone; F24: a piece of the mover on that tile is frozen."""
    relocate(pos, enemy, tile, "held:" + colour)
    pos["frozen"].setdefault(colour, []).append(tile)


def after_piece_move(pos, players, colour, origin, dice):
    """The position after a single or combined move of a piece in play, or None if the way is not legal."""
    way = walk_from(pos, players, colour, origin, dice)
    if way is None:
        return None
    distance, enemy = way
    target = place_at(colour, distance)
    new = copy(pos)
    relocate(new, colour, origin, target)
    if enemy is not None:
        capture(new, colour, target, enemy)
    new["dice"] = without(new["dice"], dice)
    return new


def after_out(pos, players, colour):
    """F9, F12: `out`, a piece comes to its entry tile and captures a single enemy there."""
    tile = entry_tile(colour)
    new = copy(pos)
    relocate(new, colour, "start", tile)
    enemy = lone_enemy_on(pos, players, colour, tile)
    if enemy is not None:
        capture(new, colour, tile, enemy)
    new["dice"] = without(new["dice"], [6])
    return new


def after_out_and_on(pos, players, colour, dice):
    """F30: `out+dice`, not stopping on the entry tile, sweeping from the next one on; None if not legal."""
    way = walk(pos, players, colour, 0, sum(dice), True)
    if way is None:
        return None
    distance, enemy = way
    target = place_at(colour, distance)
    new = copy(pos)
    relocate(new, colour, "start", target)
    if enemy is not None:
        capture(new, colour, target, enemy)
    new["dice"] = without(new["dice"], [6, *list(dice)])
    return new


def after_special(pos, players, colour):
    """F15, F16, F19: k pieces come out together and capture the k enemies on the entry tile."""
    tile = entry_tile(colour)
    k, enemy = enemies_on_entry(pos, players, colour)
    from_house = min(in_house(pos, colour), k)
    bought = held_places(pos, colour)[: k - from_house]
    new = copy(pos)
    for origin in ["start"] * from_house + bought:
        relocate(new, colour, origin, tile)
        capture(new, colour, tile, enemy)
    new["dice"] = without(new["dice"], [6] * k)
    return new


def after_buy(pos, colour):
    """F11: the held piece whose captor comes first from green goes to its house."""
    new = copy(pos)
    relocate(new, colour, held_places(pos, colour)[0], "start")
    new["dice"] = without(new["dice"], [6])
    return new


# ---------------------------------------------------------------- what the sixes can do (F9, F11, F14, F16)


def can_come_out(pos, players, colour):
    """F9, F12, F14: a 6, a piece in the house, and at most one enemy on the entry tile."""
    k, _ = enemies_on_entry(pos, players, colour)
    return 6 in pos["dice"] and in_house(pos, colour) >= 1 and k <= 1


def can_play_special(pos, players, colour):
    """F15, F16: k >= 2 enemies, k sixes, h >= 1, h + held >= k."""
    k, _ = enemies_on_entry(pos, players, colour)
    h = in_house(pos, colour)
    held = len(held_places(pos, colour))
    return k >= 2 and pos["dice"].count(6) >= k and h >= 1 and h + held >= k


def can_buy(pos, colour):
    """F11."""
    return 6 in pos["dice"] and len(held_places(pos, colour)) >= 1


# ---------------------------------------------------------------- the moves of pieces in play (F7, F26-F28)


def free_piece_moves(pos, players, colour, origins):
    """F7: every part of the dice on a piece of each origin, where the way is legal: {notation: position}."""
    found = {}
    for origin in origins:
        for part in parts(pos["dice"]):
            new = after_piece_move(pos, players, colour, origin, part)
            if new is not None:
                found[f"{origin}+{join(part)}"] = new
    return found


def piece_moves(pos, players, colour):
    """F26-F28: as above, with the forced combination."""
    found = free_piece_moves(pos, players, colour, movable_origins(pos, colour))
    freed = can_come_out(pos, players, colour) or can_play_special(pos, players, colour) or can_buy(pos, colour)  # F27
    if len(pieces_in_play(pos, colour)) == 1 and not freed:  # F26
        only = pieces_in_play(pos, colour)[0]
        together = "{}+{}".format(only, join(pos["dice"]))
        if together in found:
            return {together: found[together]}
    return found  # F28


# ---------------------------------------------------------------- coming out (F9, F12, F29-F32)


def must_go_on(pos, players, colour):
    """F29: does a piece that comes out now have to go on with the dice left?"""
    left = without(pos["dice"], [6])
    for origin in movable_origins(pos, colour):
        for die in left:
            if walk_from(pos, players, colour, origin, [die]) is not None:
                return False  # another piece is able to move
    others_waiting = in_house(pos, colour) - 1 + len(held_places(pos, colour))
    six_for_another = 6 in left and others_waiting >= 1  # a 6 left can bring out or buy back another piece
    return not six_for_another


def out_moves(pos, players, colour):
    """F29-F32: `out` and `out+...`: {notation: position}."""
    if not can_come_out(pos, players, colour):
        return {}
    left = without(pos["dice"], [6])
    just_out = {"out": after_out(pos, players, colour)}
    going_on = {}
    for part in parts(left):
        new = after_out_and_on(pos, players, colour, part)
        if new is not None:
            going_on["out+" + join(part)] = new

    if not must_go_on(pos, players, colour):  # F32
        return {**just_out, **going_on}
    if not going_on:  # F31: no die left can move it on (or there is none left)
        return just_out
    with_all = "out+" + join(left)
    if with_all in going_on:  # F29
        return {with_all: going_on[with_all]}
    return going_on  # F31: the legal part of the player's choice


# ---------------------------------------------------------------- the duty to unblock (F33-F37)


def stacks_in_the_way(pos, players, colour):
    """F33, F35: the tiles of stacks directly ahead of the last piece of a player with three finished."""
    tiles = []
    for other in players:
        if other == colour or number_on(pos, other, "finish") != 3:
            continue
        (last,) = [place for place in pos["pieces"][other] if place != "finish"]
        if not isinstance(last, int):
            continue  # in the house, held or on the end path: not behind a block
        next_place = place_at(other, distance_of(other, last) + 1)
        if not isinstance(next_place, int):
            continue  # it turns into its end path: not stopped
        if number_on(pos, colour, next_place) >= 2 and next_place not in tiles:
            tiles.append(next_place)
    return tiles


def stopped_by_a_chain(pos, players, colour, tile):
    """F36: a block of another player on the next tile of the stack's own route."""
    next_place = place_at(colour, distance_of(colour, tile) + 1)
    return enemy_block_on(pos, players, colour, next_place)


def duty_moves(pos, players, colour):
    """F33, F34, F37: the moves that satisfy the duty, {} if there is no duty here with these dice."""
    stacks = []
    for tile in stacks_in_the_way(pos, players, colour):
        if not stopped_by_a_chain(pos, players, colour, tile):
            stacks.append(tile)
    origins = [tile for tile in movable_origins(pos, colour) if tile in stacks]
    return free_piece_moves(pos, players, colour, origins)


# ---------------------------------------------------------------- all legal uses, and what follows


def legal_uses(pos, players):
    """F7: {notation: position right after the move, the turn not yet settled}."""
    colour = pos["turn"]
    if not pos.get("unblocked", False):
        duty = duty_moves(pos, players, colour)
        if duty:  # F34: nothing else is legal
            return duty
    found = {}
    found.update(piece_moves(pos, players, colour))
    found.update(out_moves(pos, players, colour))
    if can_buy(pos, colour):
        found["buy"] = after_buy(pos, colour)
    if can_play_special(pos, players, colour):
        k, _ = enemies_on_entry(pos, players, colour)
        found[f"out*{k}"] = after_special(pos, players, colour)
    return found


def next_player(colour, players):
    """F1: clockwise."""
    return players[(players.index(colour) + 1) % len(players)]


def turn_passes(pos, players):
    """F8, F7: the next player rolls; dice left, frozen pieces and the like are gone."""
    return {"pieces": pos["pieces"], "turn": next_player(pos["turn"], players)}


def settle(pos, players):
    """After a move: the game is over (F38), or the turn goes on (F7), or it passes."""
    if winner(pos, players) is not None:
        return normal({"pieces": pos["pieces"], "turn": pos["turn"]}, players)
    pos = copy(pos)
    pos["unblocked"] = True  # F33: tested once a turn; `normal` drops it where it does not matter
    if pos["dice"] and legal_uses(pos, players):
        return normal(pos, players)
    return normal(turn_passes(pos, players), players)


# ---------------------------------------------------------------- public functions


def start(players: tuple[str, ...]) -> dict:
    """F1."""
    check_players(players)
    return normal({"pieces": {colour: ["start"] * 4 for colour in players}, "turn": players[0]}, players)


def winner(pos: dict, players: tuple[str, ...]) -> str | None:
    """F38."""
    for colour in players:
        if number_on(pos, colour, "finish") == 4:
            return colour
    return None


def to_move(pos: dict, players: tuple[str, ...]) -> str | None:
    if winner(pos, players) is not None:
        return None
    if pos.get("dice"):
        return pos["turn"]
    return "chance"


def outcomes(pos: dict, players: tuple[str, ...]) -> dict[str, Fraction]:
    """F4: two dice; {} where no roll is due."""
    if to_move(pos, players) != "chance":
        return {}
    found = {}
    for first in range(1, 7):
        for second in range(1, 7):
            name = f"{max(first, second)},{min(first, second)}"
            found[name] = found.get(name, Fraction(0)) + Fraction(1, 36)
    return found


def apply_outcome(pos: dict, players: tuple[str, ...], outcome: str) -> dict:
    """F5, F6: 6+6 is kept and a roll is due again; any other roll ends the rolling."""
    if outcome not in outcomes(pos, players):
        raise ValueError(f"F4: {outcome!r} can't be rolled here")
    new = copy(pos)
    rolled = [int(die) for die in outcome.split(",")]
    if rolled == [6, 6]:
        new["kept"] = new["kept"] + rolled
    else:
        new["dice"] = new["kept"] + rolled
        new["kept"] = []
    return normal(new, players)


def moves(pos: dict, players: tuple[str, ...]) -> dict[str, dict]:
    """F7, F8: at a decision {notation: next position in normal form}, {} elsewhere."""
    if to_move(pos, players) in (None, "chance"):
        return {}
    pos = copy(pos)
    uses = legal_uses(pos, players)
    if not uses:
        return {"pass": normal(turn_passes(pos, players), players)}
    return {name: settle(new, players) for name, new in uses.items()}


def sort_key(place):
    if place == "start":
        return (0, 0)
    if is_held(place):
        return (1, SEATS.index(captor(place)))
    if isinstance(place, int):
        return (2, place)
    if place.startswith("end:"):
        return (3, int(place[len("end:") :]))
    return (4, 0)


def normal(pos: dict, players: tuple[str, ...]) -> dict:
    """The one way to write a valid position: sorted, without keys that have their default."""
    pos = copy(pos)
    new = {
        "pieces": {colour: sorted(pos["pieces"][colour], key=sort_key) for colour in players},
        "turn": pos["turn"],
    }
    if pos["dice"]:
        new["dice"] = sorted(pos["dice"], reverse=True)
    if pos["kept"]:
        new["kept"] = sorted(pos["kept"], reverse=True)
    frozen = {colour: sorted(places, key=sort_key) for colour, places in pos["frozen"].items() if places}
    if frozen:
        new["frozen"] = frozen
    if pos["unblocked"] and pos["dice"] and duty_moves(pos, players, pos["turn"]):  # F33, reading R2
        new["unblocked"] = True
    return new


# ---------------------------------------------------------------- impossible positions


def refuse(rule, text):
    raise ValueError(f"{rule}: {text}")


def check_players(players):
    if len(players) not in (2, 3, 4):
        refuse("F1", "two to four players")
    if list(players) != [colour for colour in SEATS if colour in players]:
        refuse("F1", "players are colours in seat order, each once")


def check_place(colour, place, players):
    if isinstance(place, bool) or not isinstance(place, (int, str)):
        refuse("F1", f"{place!r} is no place")
    if isinstance(place, int):
        if not 0 <= place < PATH_LENGTH:
            refuse("F1", f"there is no tile {place}")
        if (place - entry_tile(colour)) % PATH_LENGTH > LAST_PATH_DISTANCE:
            refuse("F1", f"tile {place} is off the route of {colour}")
    elif is_held(place):
        if captor(place) == colour:
            refuse("F10", f"{colour} holds its own piece")
        if captor(place) not in players:
            refuse("F10", f"{captor(place)} holds a piece but does not play")
    elif place not in ("start", "finish", "end:0", "end:1", "end:2", "end:3", "end:4"):
        refuse("F1", f"there is no place {place!r}")


def check_dice(dice, rule):
    if not isinstance(dice, (list, tuple)):
        refuse(rule, "dice are a list")
    for die in dice:
        if isinstance(die, bool) or not isinstance(die, int) or not 1 <= die <= 6:
            refuse(rule, f"no die shows {die!r}")


def check_pieces(pos, players):
    if not isinstance(pos["pieces"], dict) or set(pos["pieces"]) != set(players):
        refuse("F1", "pieces are those of the players, no more, no fewer")
    for colour in players:
        places = pos["pieces"][colour]
        if not isinstance(places, (list, tuple)) or len(places) != 4:
            refuse("F1", f"{colour} has not four pieces")
        for place in places:
            check_place(colour, place, players)
    for tile in range(PATH_LENGTH):
        colours = [colour for colour in players if tile in pos["pieces"][colour]]
        if len(colours) > 1 and tile not in SAFE_TILES:
            refuse("F1", f"two colours on tile {tile}, which is not safe")


def check_pool(dice, kept):
    check_dice(dice, "F6")
    if len([die for die in dice if die != 6]) > 2:
        refuse("F6", "more than two dice that are not 6 can't be rolled in one turn")
    check_dice(kept, "F5")
    if [die for die in kept if die != 6] or len(kept) % 2 != 0:
        refuse("F5", "kept dice are pairs of 6")
    if kept and dice:
        refuse("F6", "no dice are kept when the rolling is over")


def check_frozen(pos, players, colour, places):
    if colour not in players:
        refuse("F24", f"{colour!r} does not play")
    if not isinstance(places, (list, tuple)):
        refuse("F24", "frozen places are a list")
    if places and colour != pos["turn"]:
        refuse("F24", "only pieces of the player to move are frozen")
    if places and not pos.get("dice", []):
        refuse("F24", "nothing is frozen while a roll is due")
    for place in places:
        check_place(colour, place, players)
        if not in_play(place):
            refuse("F24", f"a frozen piece is in play, not on {place}")
        if places.count(place) > number_on(pos, colour, place):
            refuse("F24", f"more frozen than stand on {place}")


def check_over(pos, players):
    finished = [colour for colour in players if number_on(pos, colour, "finish") == 4]
    if len(finished) > 1:
        refuse("F38", "two winners")
    if finished and pos["turn"] != finished[0]:
        refuse("F38", "the game ends in the turn of the winner")
    if finished and (pos.get("dice", []) or pos.get("kept", [])):
        refuse("F38", "dice in a game that is over")


def validate(pos: dict, players: tuple[str, ...]) -> None:
    """Raises ValueError("F..: ...") on an impossible position."""
    check_players(players)
    if not isinstance(pos, dict):
        refuse("F1", "a position is a mapping")
    for key in pos:
        if key not in ("pieces", "turn", "dice", "kept", "frozen", "unblocked"):
            refuse("F1", f"unknown key {key!r}")
    if "pieces" not in pos:
        refuse("F1", "pieces are missing")
    check_pieces(pos, players)
    pos = {"turn": players[0], **pos}  # reading R24
    if pos["turn"] not in players:
        refuse("F1", "{!r} does not play".format(pos["turn"]))
    check_pool(pos.get("dice", []), pos.get("kept", []))
    if not isinstance(pos.get("frozen", {}), dict):
        refuse("F24", "frozen is a mapping")
    for colour, places in pos.get("frozen", {}).items():
        check_frozen(pos, players, colour, places)
    if not isinstance(pos.get("unblocked", False), bool):
        refuse("F34", "unblocked is true or false")
    if pos.get("unblocked", False) and not pos.get("dice", []):
        refuse("F34", "unblocked while a roll is due")
    check_over(pos, players)


# ---------------------------------------------------------------- random positions for comparing


class Board:
    """Places being handed out. `put` silently refuses what would be invalid: scenes can be combined."""

    def __init__(self, players):
        self.players = players
        self.pieces = {colour: [] for colour in players}

    def room(self, colour):
        return 4 - len(self.pieces[colour])

    def put(self, colour, place):
        if self.room(colour) == 0:
            return
        if place == "finish" and self.pieces[colour].count("finish") == 3:
            return
        if isinstance(place, int):
            if (place - entry_tile(colour)) % PATH_LENGTH > LAST_PATH_DISTANCE:
                return
            for other in self.players:
                if other != colour and place in self.pieces[other] and place not in SAFE_TILES:
                    return
        self.pieces[colour].append(place)

    def put_many(self, colour, place, number):
        for _ in range(number):
            self.put(colour, place)


def random_enemy(rng, players, colour):
    return rng.choice([other for other in players if other != colour])


def put_waiting(rng, board, colour):
    """A piece in the house or held."""
    if rng.random() < 0.55:
        board.put(colour, "start")
    else:
        board.put(colour, "held:" + random_enemy(rng, board.players, colour))


def put_obstacles_ahead(rng, board, colour, tile):
    """Single enemies and blocks on the tiles after this one (F20-F22, F28, F31)."""
    for _ in range(rng.randint(1, 3)):
        enemy = random_enemy(rng, board.players, colour)
        ahead = (tile + rng.choice([1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12])) % PATH_LENGTH
        board.put_many(enemy, ahead, rng.choice([1, 1, 2, 2, 3]))


def scene_entry_block(rng, board, mover):
    """F12-F19: enemies on the mover's entry tile, own pieces in the house and held."""
    board.put_many(random_enemy(rng, board.players, mover), entry_tile(mover), rng.choice([1, 2, 2, 3, 4]))
    for _ in range(rng.randint(1, 4)):
        put_waiting(rng, board, mover)


def scene_entry_single(rng, board, mover):
    """F29-F32: coming out with an enemy on the entry tile, obstacles after it, others missing or blocked."""
    if rng.random() < 0.6:
        board.put(random_enemy(rng, board.players, mover), entry_tile(mover))
    if rng.random() < 0.7:
        put_obstacles_ahead(rng, board, mover, entry_tile(mover))
    board.put(mover, "start")
    for _ in range(3):
        kind = rng.choice(["finish", "finish", "waiting", "blocked", "end"])
        if kind == "finish":
            board.put(mover, "finish")
        elif kind == "waiting":
            put_waiting(rng, board, mover)
        elif kind == "end":
            board.put(mover, f"end:{rng.randint(0, 4)}")
        else:
            tile = place_at(mover, rng.randint(0, LAST_PATH_DISTANCE - 1))
            board.put(mover, tile)
            board.put_many(random_enemy(rng, board.players, mover), (tile + 1) % PATH_LENGTH, 2)


def scene_single_in_play(rng, board, mover):
    """F26-F28: one piece in play, the others finished, in the house or held."""
    tile = place_at(mover, rng.choice([rng.randint(0, 50), rng.randint(36, 50)]))
    board.put(mover, tile)
    put_obstacles_ahead(rng, board, mover, tile)
    if rng.random() < 0.4:
        board.put_many(random_enemy(rng, board.players, mover), entry_tile(mover), rng.randint(2, 3))
    while board.room(mover) > 0:
        if rng.random() < 0.6 and board.pieces[mover].count("finish") < 3:
            board.put(mover, "finish")
        else:
            put_waiting(rng, board, mover)


def scene_duty(rng, board, mover):
    """F33-F37: a last piece behind a stack of the mover; gaps, chains, shared safe tiles, end paths."""
    victims = [other for other in board.players if other != mover and board.room(other) == 4]
    if not victims:
        return
    victim = rng.choice(victims)
    board.put_many(victim, "finish", 3)
    kind = rng.random()
    if kind < 0.10:
        tile = place_at(victim, LAST_PATH_DISTANCE)  # turns into its end path
    elif kind < 0.30:
        tile = rng.choice(SAFE_TILES) - rng.randint(0, 1)  # it or the stack on a safe tile
    elif kind < 0.45:
        tile = place_at(mover, rng.randint(46, 50)) - 1  # the stack near its own end path
        tile = tile % PATH_LENGTH
    else:
        tile = place_at(victim, rng.randint(0, LAST_PATH_DISTANCE))
    board.put(victim, tile)
    gap = rng.choice([0, 0, 0, 0, 0, 1])
    stack = (tile + 1 + gap) % PATH_LENGTH
    board.put_many(mover, stack, rng.choice([2, 2, 2, 3, 4]))
    third = random_enemy(rng, board.players, mover)
    if rng.random() < 0.35:
        board.put_many(third, (stack + rng.choice([1, 1, 1, 2, 3, 4])) % PATH_LENGTH, rng.choice([1, 2, 2]))
    if stack in SAFE_TILES and rng.random() < 0.5:
        board.put_many(third, stack, rng.randint(1, 2))
    if rng.random() < 0.5:
        put_obstacles_ahead(rng, board, mover, stack)


def scene_two_duties(rng, board, mover):
    """F33: several stacks."""
    scene_duty(rng, board, mover)
    scene_duty(rng, board, mover)


def scene_near_end(rng, board, mover):
    """F22, F25: pieces close to the finish."""
    for _ in range(rng.randint(1, 3)):
        board.put(mover, place_at(mover, rng.randint(42, 55)))
    board.put_many(mover, "finish", rng.randint(0, 3))


def scene_shared_safe(rng, board, mover):
    """F3: several colours on a safe tile, some of them as blocks, and somebody a few tiles before it."""
    tile = rng.choice(SAFE_TILES)
    for colour in board.players:
        if rng.random() < 0.7:
            board.put_many(colour, tile, rng.choice([1, 1, 1, 2, 2]))
    board.put(mover, (tile - rng.randint(1, 8)) % PATH_LENGTH)


def scene_chase(rng, board, mover):
    """F20-F24: pieces of the mover behind single enemies."""
    for _ in range(rng.randint(1, 3)):
        tile = place_at(mover, rng.randint(0, LAST_PATH_DISTANCE))
        board.put(mover, tile)
        put_obstacles_ahead(rng, board, mover, tile)


SCENES = (
    scene_entry_block,
    scene_entry_single,
    scene_single_in_play,
    scene_duty,
    scene_two_duties,
    scene_near_end,
    scene_shared_safe,
    scene_chase,
)


def fill(rng, board):
    """The pieces that no scene has placed."""
    for colour in board.players:
        while board.room(colour) > 0:
            kind = rng.random()
            if kind < 0.25:
                board.put(colour, "start")
            elif kind < 0.45:
                board.put(colour, "finish")
            elif kind < 0.60:
                board.put(colour, "held:" + random_enemy(rng, board.players, colour))
            elif kind < 0.70:
                board.put(colour, f"end:{rng.randint(0, 4)}")
            else:
                board.put(colour, place_at(colour, rng.randint(0, LAST_PATH_DISTANCE)))


def random_pool(rng):
    """R19: some 6s and at most two other dice, at least one die."""
    while True:
        sixes = rng.choice([0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 10])
        others = rng.choice([0, 1, 1, 2, 2, 2])
        if sixes + others > 0:
            return [6] * sixes + [rng.randint(1, 5) for _ in range(others)]


def biased_position(rng: random.Random, players: tuple[str, ...]) -> dict:
    """A random valid position, mostly a decision, biased toward the awkward rules."""
    board = Board(players)
    mover = rng.choice(players)
    for scene in rng.sample(SCENES, rng.choice([1, 1, 2, 2, 3])):
        scene(rng, board, mover)
    fill(rng, board)
    pos = {"pieces": board.pieces, "turn": mover}
    if rng.random() < 0.08:
        pos["kept"] = [6] * rng.choice([0, 0, 2, 2, 4, 6])
    else:
        pos["dice"] = random_pool(rng)
        k, _ = enemies_on_entry(pos, players, mover)
        if k >= 2 and rng.random() < 0.5:
            pos["dice"] = pos["dice"] + [6] * rng.randint(k - 1, k)  # F15, enough 6s
        if rng.random() < 0.3:
            # F24: a piece that captured stands on a path tile that is not safe
            able = [place for place in pos["pieces"][mover] if isinstance(place, int) and place not in SAFE_TILES]
            if able:
                pos["frozen"] = {mover: rng.sample(able, rng.randint(1, len(able)))}
        if rng.random() < 0.25:
            pos["unblocked"] = True
    validate(pos, players)
    return normal(pos, players)
