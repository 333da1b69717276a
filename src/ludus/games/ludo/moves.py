"""Moves as facts and in words: what the kernel told of a move that was tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ludus.core.events import Event, Place
from ludus.core.messages import Message, look_up
from ludus.games.ludo import kernel as k
from ludus.games.ludo import notation
from ludus.games.ludo.positions import place_name

if TYPE_CHECKING:
    from ludus.games.ludo.game import LudoGame

PACKAGE = "ludus.games.ludo"

# what the kernel's events are called: E_CAME_OUT is 'came_out'
EVENT_NAMES = {code: name[2:].lower() for name, code in vars(k).items() if name.startswith("E_")}
PASSED_BECAUSE = {
    k.TURN_PLAYED: "played",
    k.TURN_NO_MOVE: "no_move",
    k.TURN_IN_A_ROW: "in_a_row",
    k.TURN_LOST_BY_ROLL: "lost_by_roll",
    k.TURN_LOST_REST: "rest_lost",
}
PIECE_EVENTS = {
    k.E_MOVED, k.E_CAME_OUT, k.E_BOUGHT, k.E_CAPTURED, k.E_JUMPED, k.E_BOUNCED, k.E_SWEPT, k.E_SENT_HOME, k.E_SWAPPED,
    k.E_CAME_HOME, k.E_STOPPED, k.E_JOINED, k.E_CHALLENGED,
}  # fmt: skip


class Taken(NamedTuple):
    """A piece that a move took away: its colour and the tile it stood on."""

    colour: str
    tile: Place


@dataclass(frozen=True)
class LudoMove:
    """The facts of a move."""

    notation: str
    kind: str
    colour: str
    origin: Place | None
    target: Place | None
    dice: tuple[int, ...]
    path: tuple[Place, ...]
    captures: tuple[Taken, ...]
    finishes: bool
    pieces: int = 1
    lost: int = 0
    sent_home: bool = False
    jumps: bool = False
    bounces: bool = False
    swaps: tuple[Taken, ...] = ()
    joins: bool = False
    challenges: Place | None = None  # the tile right ahead with those whom it challenges, and stays
    leaves: bool = False  # it leaves others behind, with whom it could have gone on
    card: str | None = None  # the card of a hand that it plays, gives or throws away


class Told(NamedTuple):
    """An event as the kernel writes it."""

    what: int
    seat: int
    piece: int
    origin: int
    target: int


def event(game: LudoGame, told: Told) -> Event:
    """An event for people and programs: names instead of numbers."""
    what, colour = EVENT_NAMES[told.what], game.players[told.seat]
    if told.what in PIECE_EVENTS:
        return Event(what, colour, told.piece, game.place(told.origin), game.place(told.target))
    if told.what in (k.E_CHANGED, k.E_CHANGED_BACK):
        names = game.change_names()
        return Event(what, "all" if told.target else colour, name=names[told.origin])
    if told.what == k.E_PAID:
        return Event(what, colour, number=told.target, name=game.players[told.piece])
    if told.what == k.E_BONUS:
        return Event(what, colour, number=told.piece, name=str(game.board.kinds[told.target].name))
    if told.what == k.E_LOST_TOKENS:
        return Event(what, colour, told.piece, number=told.origin)
    if told.what == k.E_PLACED:
        return Event(what, colour, number=told.target)
    return Event(what, colour, name=PASSED_BECAUSE[told.target] if told.what == k.E_TURN_PASSED else None)


def kind_of(tables: list[int], row: list[int], action: int) -> str:
    """What kind of move an action is: move, combined, out, out_and_on, buy, special, swap, strike or pass."""
    if action == tables[k.A_PASS]:
        return "pass"
    if action >= tables[k.A_GIVE]:
        return "give" if row[tables[k.R_DEAL] + k.DEAL_EXCHANGE] else "discard"
    if action >= tables[k.A_SWAP]:
        return "strike" if k.node_of_action(row, tables, action) == tables[k.START] else "swap"
    if not k.is_step(tables, action):
        return "special" if action >= tables[k.A_SPECIAL] else "out_and_on"
    node = k.node_of_action(row, tables, action)
    if node >= tables[k.START]:
        return "out" if node == tables[k.START] else "buy"
    return "combined" if k.number_of(row, tables, action) >= tables[k.KINDS] else "move"


def facts(game: LudoGame, row: list[int], action: int, told: list[Told]) -> LudoMove:
    """The facts of a legal action, from what the kernel told when it was tried."""
    tables = game.board.tables
    kind, text = kind_of(tables, row, action), notation.write(game, row, action)
    if kind in ("pass", "give", "discard"):
        colour, card = game.players[k.mover(row, tables)], card_of(game, row, action, kind)
        return LudoMove(text, kind, colour, None, None, (), (), (), False, card=card)
    seat = k.seat_of_action(row, tables, action)
    moved = moved_by(game, row, action, kind, told)
    ended = [e for e in told if e.seat == seat and e.piece == moved[-1].piece and e.what in PIECE_EVENTS]
    by_what = {e.what: e for e in told}
    sent_home = any(e.what == k.E_SENT_HOME and (e.seat, e.piece) == (seat, moved[-1].piece) for e in told)
    path = nodes_on_the_way(game, row, action, kind, told)
    staying = next((e for e in told if stays(e, told)), None)
    return LudoMove(
        text,
        kind,
        game.players[seat],
        game.place(moved[-1].origin),
        game.place(staying.origin if staying else moved[0].target if kind == "swap" else ended[-1].target),
        dice_of(game, row, action, kind),
        tuple(map(game.place, path)),
        tuple(
            Taken(game.players[e.seat], game.place(e.origin)) for e in sorted(e for e in told if e.what == k.E_CAPTURED)
        ),
        k.E_CAME_HOME in by_what,
        pieces=len(moved) if kind != "swap" else 1,
        lost=by_what[k.E_LOST_TOKENS].origin if k.E_LOST_TOKENS in by_what else 0,
        sent_home=sent_home,
        jumps=k.E_JUMPED in by_what,
        bounces=k.E_BOUNCED in by_what and not sent_home,
        joins=k.E_JOINED in by_what,
        challenges=game.place(staying.target) if staying else None,
        leaves=leaves_some(game, row, action, kind),
        swaps=tuple(
            Taken(game.players[e.seat], game.place(e.origin)) for e in told if e.what == k.E_SWAPPED and e.seat != seat
        ),
        card=card_of(game, row, action, kind),
    )


def stays(event: Told, told: list[Told]) -> bool:
    """Whether a piece challenges those ahead and stays where it is: it does not take their tile at once."""
    return event.what == k.E_CHALLENGED and event._replace(what=k.E_MOVED) not in told


def leaves_some(game: LudoGame, row: list[int], action: int, kind: str) -> bool:
    """Whether a move leaves others of a stack behind."""
    tables = game.board.tables
    if kind != "move" or not tables[k.LEAVES]:
        return False
    seat, number = k.seat_of_action(row, tables, action), k.number_of(row, tables, action)
    index = k.way_index(tables, seat, k.node_of_action(row, tables, action), number, k.way_of(tables, action))
    return k.going_alone(tables, k.bank_of(row, tables, seat), index) > 0


def card_of(game: LudoGame, row: list[int], action: int, kind: str) -> str | None:
    """The card of a hand that an action takes; none for the rest of one that is shared out, and without hands."""
    tables, cards = game.board.tables, game.rules.chance.cards
    if not tables[k.HANDS] or kind == "pass":
        return None
    if kind in ("give", "discard"):
        return cards[action - tables[k.A_GIVE]].name
    if row[k.TOKEN]:
        return None
    token = k.swapper_of_action(tables, action) if kind in ("swap", "strike") else k.number_of(row, tables, action)
    return cards[k.card_of(tables, token) - 1].name


def moved_by(game: LudoGame, row: list[int], action: int, kind: str, told: list[Told]) -> list[Told]:
    """What tells of the pieces that the player moved, the one that leads last; not of those that a rule moved then."""
    tables = game.board.tables
    seat = k.seat_of_action(row, tables, action)
    moves = (k.E_MOVED, k.E_CAME_OUT, k.E_BOUGHT, k.E_SWAPPED)
    moved = [e for e in told if (e.what in moves or stays(e, told)) and e.seat == seat]
    if kind in ("swap", "special"):
        return moved
    lead = k.piece_of_step(row, tables, seat, action) if k.is_step(tables, action) else moved[0].piece
    pieces = [e.piece for e in moved]
    return moved[: pieces.index(lead) + 1]


def dice_of(game: LudoGame, row: list[int], action: int, kind: str) -> tuple[int, ...]:
    """The dice that a move uses, larger first; those that bring a piece out before the others."""
    tables, kinds = game.board.tables, game.board.kinds
    leaver = kinds[tables[k.LEAVER]].distance
    if kind == "special":
        return (leaver,) * (action - tables[k.A_SPECIAL] + 2)
    if kind == "out_and_on":
        return (leaver, *game.dice_of_set(action - tables[k.A_ON]))
    if kind in ("swap", "strike"):
        return ()
    return game.dice_of_set(k.number_of(row, tables, action))


def nodes_on_the_way(game: LudoGame, row: list[int], action: int, kind: str, told: list[Told]) -> list[int]:
    """Every node that a move touches, in order: the last is where it ends, or from where it is sent home."""
    board, tables = game.board, game.board.tables
    seat = k.seat_of_action(row, tables, action)
    bank = board.bank_number(row, seat)
    jumps = list(dict.fromkeys(e.target for e in told if e.what == k.E_JUMPED))
    if kind == "buy":
        return []
    if kind == "swap":
        return [e.target for e in told if e.what == k.E_SWAPPED and e.seat == seat] + jumps
    if kind == "special":
        return [board.entry(seat)]
    for e in told:
        if stays(e, told):
            return [e.origin]
    landing = next(e.target for e in told if e.what in (k.E_MOVED, k.E_CAME_OUT))
    if kind == "strike":
        return [landing, *jumps]
    if kind in ("combined", "out_and_on"):
        node = board.entry(seat) if kind == "out_and_on" else k.node_of_action(row, tables, action)
        number = action - tables[k.A_ON] if kind == "out_and_on" else k.number_of(row, tables, action)
        way = board.steps(bank, seat, node, k.set_total(tables, number))
        way = [node] * (kind == "out_and_on") + way
        return way[: way.index(landing) + 1] + jumps
    if any(e.what == k.E_CHALLENGED for e in told):
        return [landing]
    node, number = k.node_of_action(row, tables, action), k.number_of(row, tables, action)
    path = list(board.ways_of(bank, seat, node, board.route_kind(number))[k.way_of(tables, action)].path)
    ends_early = any(e.what in (k.E_SWEPT, k.E_STOPPED) for e in told)
    return (path[: path.index(landing) + 1] if ends_early else path) + jumps


# ---------------------------------------------------------------- in words


def say(key: str, lang: str, section: str = "does", **values: Any) -> str:
    """A phrase of the catalogue."""
    return Message(PACKAGE, key, values, section).text(lang)


def in_words(move: LudoMove, lang: str, sweeps: bool = True) -> str:
    """A move's effect as a phrase; where it goes is said once."""
    if move.kind in ("give", "discard"):
        return say(move.kind, lang, card=name_of_card(str(move.card), lang))
    if move.challenges is not None:
        return say("challenges", lang, target=place_in_words(move.challenges, lang))
    target = place_in_words(move.target, lang)
    effects = [_capture_in_words(move, taken, lang) for taken in dict.fromkeys(move.captures)]
    if move.kind == "swap":
        jumps = [say("jumps", lang, target=place_in_words(move.path[-1], lang))] if move.jumps else []
        return ", ".join([_swap_in_words(move.swaps[0], lang), *jumps, *effects])
    for key in ("bounces", "jumps", "sent_home", "finishes"):
        if getattr(move, key):
            effects.append(say(key, lang, target=place_in_words(move.path[-1], lang)))
    effects += [_swap_in_words(taken, lang) for taken in dict.fromkeys(move.swaps)]
    if move.joins:
        effects.append(say("joins", lang))
    if move.leaves:
        effects.append(say("leaves", lang))
    if move.lost:
        effects.append(say("loses", lang, count=move.lost))
    kind = "move" if move.kind == "combined" and not sweeps else move.kind
    told = move.bounces or move.jumps or move.sent_home or move.target == "finish"
    if told or any(taken.tile == move.target for taken in move.captures):
        if kind == "move":
            return ", ".join(effects)
        kind = {"combined": "combined_there", "out_and_on": "out_and_on_there"}.get(kind, kind)
    if kind == "move" and move.pieces > 1:
        kind = "move_together"
    return ", ".join([say(kind, lang, target=target, count=move.pieces), *effects])


def name_of_card(card: str, lang: str) -> str:
    """A card as people call it; one that no catalogue has by its name."""
    return look_up(PACKAGE, f"card.{card}", lang) or card


def _swap_in_words(taken: Taken, lang: str) -> str:
    return say("swap", lang, colour=say(taken.colour, lang, "colour"), tile=taken.tile)


def _capture_in_words(move: LudoMove, taken: Taken, lang: str) -> str:
    count = move.captures.count(taken)
    key = "captures" if count == 1 else "captures_many"
    return say(key, lang, colour=say(taken.colour, lang, "colour"), tile=taken.tile, count=count)


def place_in_words(place: Place | None, lang: str) -> str:
    """A place for people."""
    if isinstance(place, int):
        return say("tile", lang, "place", tile=place)
    if place == "start":
        return say("the_yard", lang, "place")
    return say("the_finish", lang, "place") if place == "finish" else str(place)


__all__ = ["Event", "LudoMove", "Taken", "event", "facts", "in_words", "place_in_words", "place_name", "say"]
