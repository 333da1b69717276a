"""A board and a position as plain data, for clients that know no rules: browsers, notebooks, other programs.

`game.scene()` is what stays: the view box, the board as an SVG fragment, every place with its middle and size,
the players, and the tokens to draw, each in its own unit frame (a piece has radius 1, a die side 1, middle 0 0).
`position.scene()` is what changes: pieces, dice, whose turn it is, a fragment to lay over the board, and the
legal moves with the places they go over. Everything is JSON; the coordinates are those of the SVG pictures.

A place has an id. A tile that all share is called as in positions ("12", "b7", "e5"); what belongs to one colour
has that colour before it: "green/start", "green/end:3", "green/finish", "yellow/held:green".
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

if TYPE_CHECKING:
    from ludus.core.position import Move, Position

VERSION = 1


class PlaceScene(TypedDict):
    """A place: where pieces stand. `outline` is its polygon; without one it is round."""

    id: str
    kind: str
    roles: list[str]
    colour: str | None
    x: float
    y: float
    size: float
    outline: list[list[float]]
    label: str


class PlayerScene(TypedDict):
    """A player: its colour on the board, the letter on its pieces, its name in the language asked for.

    `turn`: the quarter turns, clockwise, that bring the player's own side of the board to the bottom.
    `tray`: where its dice lie, [x, y, side]; None where the board has no room for them.
    """

    player: str
    colour: str
    fill: str
    ink: str
    letter: str
    title: str
    turn: int
    tray: NotRequired[list[float] | None]


class GameScene(TypedDict):
    """What stays the same through a game.

    `board` and `labels` are SVG fragments, to lie below and above the pieces. `slots`: a yard's places for pieces.
    `device`: what chance uses, "dice", "cowries", "sticks", "spinner" or "cards".
    `hands`: whether players hold cards, which are dealt without anybody's doing.
    """

    version: int
    family: str
    name: str
    title: str
    view_box: list[float]
    board: str
    labels: str
    places: list[PlaceScene]
    slots: dict[str, list[list[float]]]
    players: list[PlayerScene]
    device: str
    hands: bool
    tokens: dict[str, str]


class PieceScene(TypedDict):
    """A piece: where it stands, how large, and which token shows it; `offset` is from the middle of its place."""

    id: str
    player: str
    place: str
    x: float
    y: float
    r: float
    offset: list[float]
    token: str
    marks: list[str]


class CaptureScene(TypedDict):
    """A piece that a move takes, or changes places with, and where it stands."""

    piece: str | None
    player: str
    place: str


class MoveScene(TypedDict):
    """A legal move: the pieces that make it, the tokens of the dice it uses, and its places, the target last.

    `bounces` and `sent_home` say how it ends; `lost` counts the steps of its dice that it does not go; `card` is the
    card of the hand that it takes.
    """

    move: str
    action: int
    kind: str
    text: str
    player: str
    pieces: list[str]
    dice: list[str]
    origin: str | None
    path: list[str]
    target: str | None
    captures: list[CaptureScene]
    swaps: list[CaptureScene]
    converts: list[str]
    finishes: bool
    jumps: bool
    bounces: bool
    sent_home: bool
    lost: int
    card: str | None


class EventScene(TypedDict):
    """One thing that a move or a roll did, in the order in which it happened: what to show and what to tell of it.

    `what` is as the game's kernel calls it: moved, came_out, captured, jumped, came_home, turn_passed and so on.
    """

    what: str
    player: str
    piece: str | None
    origin: str | None
    target: str | None
    number: int | None
    name: str | None


class PositionScene(TypedDict):
    """What changes from position to position.

    `dice` are tokens; `overlay` lies between board and pieces; `board` takes the place of the game's own once rules
    have changed during play, None before.
    """

    version: int
    ply: int
    turn: str
    to_move: str | None
    roll_due: bool
    dice: list[str]
    kept: list[str]
    pieces: list[PieceScene]
    seats: list[dict[str, Any]]
    state: dict[str, Any]
    board: str | None
    overlay: str
    moves: list[MoveScene]
    result: dict[str, float] | None


class Recent:
    """The last few things that were worked out, by what they came from; nobody may change what it gives."""

    def __init__(self, most: int) -> None:
        self._known: OrderedDict[str, Any] = OrderedDict()
        self._most = most

    def once(self, key: str, work: Callable[[], Any]) -> Any:
        """What is known under a key, or the work's result."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = work()
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        return known


def turns_to_bottom(x: float, y: float) -> int:
    """The quarter turns, clockwise, that bring a point to the bottom; x and y are from the middle, y points down."""
    heights = (y, x, -y, -x)  # a quarter turn takes (x, y) to (-y, x)
    return max(range(4), key=lambda turns: heights[turns])


def in_unit_frame(fragment: str, size: float) -> str:
    """A fragment that was drawn with a size, scaled so that the size is 1."""
    return f'<g transform="scale({round(1 / size, 6)})">{fragment}</g>'


def scene_of_moves(position: Position, pieces: list[PieceScene], place_of: PlaceOf, lang: str) -> list[MoveScene]:
    """Every legal move of a position, told by places and pieces."""
    return [scene_of_move(move, pieces, place_of, lang) for move in position.moves()]


# (colour, place as positions write it) → place id
PlaceOf = Callable[[str, Any], str]


def scene_of_move(move: Move, pieces: list[PieceScene], place_of: PlaceOf, lang: str) -> MoveScene:
    """One move: the path always ends with the target, so that a client needs no more than to follow it."""
    facts = move.detail
    player = facts.colour
    origin = None if facts.origin is None else place_of(player, facts.origin)
    target = None if facts.target is None else place_of(player, facts.target)
    path = [place_of(player, place) for place in facts.path]
    path += [target] if target is not None and path[-1:] != [target] else []
    moving = [] if origin is None else standing(pieces, player, origin)
    return {
        "move": str(move), "action": move.action_id, "kind": facts.kind, "text": move.describe(lang), "player": player,
        "pieces": moving[: getattr(facts, "pieces", 1)], "dice": [f"die:{face}" for face in facts.dice],
        "origin": origin, "path": path, "target": target,
        "captures": touched(facts.captures, pieces, place_of),
        "swaps": touched(getattr(facts, "swaps", ()), pieces, place_of),
        "converts": [place_of(player, place) for place in getattr(facts, "converts", ())],
        "finishes": facts.finishes, "jumps": getattr(facts, "jumps", False),
        "bounces": getattr(facts, "bounces", False), "sent_home": getattr(facts, "sent_home", False),
        "lost": getattr(facts, "lost", 0), "card": getattr(facts, "card", None),
    }  # fmt: skip


def place_id(colour: str, place: int | str) -> str:
    """The id of a place: a shared tile's name, or a colour's own place with the colour before it."""
    is_own = isinstance(place, str) and (place in ("start", "finish") or ":" in place)
    return f"{colour}/{place}" if is_own else str(place)


def scene_of_events(events: Iterable[Any]) -> list[EventScene]:
    """What a move or a roll did, by the ids of pieces and places; nothing for games that tell no events."""
    return [scene_of_event(event) for event in events]


def scene_of_event(event: Any) -> EventScene:
    """One event."""
    at = (None if place is None else place_id(event.colour, place) for place in (event.origin, event.target))
    origin, target = at
    piece = None if event.piece is None else f"{event.colour}-{event.piece}"
    return {"what": event.what, "player": event.colour, "piece": piece, "origin": origin, "target": target,
            "number": event.number, "name": event.name}  # fmt: skip


def touched(taken: Iterable[Any], pieces: list[PieceScene], place_of: PlaceOf) -> list[CaptureScene]:
    """The pieces that a move takes or swaps, one by one, each another one."""
    found: list[CaptureScene] = []
    for one in taken:
        place = place_of(one.colour, one.tile)
        known = {other["piece"] for other in found}
        there = [name for name in standing(pieces, one.colour, place) if name not in known]
        found.append({"piece": there[0] if there else None, "player": one.colour, "place": place})
    return found


def standing(pieces: Iterable[PieceScene], player: str, place: str) -> list[str]:
    """The ids of a player's pieces on a place, those that may move first."""
    there = [piece for piece in pieces if piece["player"] == player and piece["place"] == place]
    return [piece["id"] for piece in sorted(there, key=lambda piece: "frozen" in piece["marks"])]


def follow(before: Iterable[PieceScene], after: list[PieceScene]) -> list[PieceScene]:
    """The pieces after a move with the ids they had before it, for games whose pieces have no number of their own."""
    left = {(piece["player"], piece["place"]): piece["id"] for piece in before}
    ids = [left.pop((piece["player"], piece["place"]), None) for piece in after]
    used = {name for name in ids if name} | set(left.values())
    named: list[PieceScene] = []
    for piece, known in zip(after, ids, strict=True):
        key = next((key for key in left if key[0] == piece["player"]), None) if known is None else None
        name = known or (left.pop(key) if key else fresh(piece["id"], used))
        used.add(name)
        named.append({**piece, "id": name})
    return named


def fresh(name: str, used: set[str]) -> str:
    """A name that nothing bears yet."""
    while name in used:
        name += "'"
    return name
