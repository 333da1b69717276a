"""A Ludo board and its positions as plain data (core/scene.py says what is in it), from the pictures' geometry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from ludus.core.events import Place
from ludus.core.messages import language
from ludus.core.scene import (
    VERSION,
    GameScene,
    PieceScene,
    PlaceScene,
    PlayerScene,
    PositionScene,
    in_unit_frame,
    place_id,
    scene_of_moves,
    turns_to_bottom,
)
from ludus.games.ludo.board.chance import outcomes_of
from ludus.games.ludo.moves import say
from ludus.games.ludo.picture.geometry import Geometry
from ludus.games.ludo.picture.glyphs import DARK_INK, FILL, INK, PAPER, PIPS, die, side_by_side, snowflake
from ludus.games.ludo.picture.ground import Ground
from ludus.games.ludo.picture.pawns import card, cast, cowries, pawn, shape, sticks
from ludus.games.ludo.picture.plan import Spot
from ludus.games.ludo.picture.svg import Picture
from ludus.games.ludo.picture.trays import trays_of

if TYPE_CHECKING:
    from ludus.core.position import Position
    from ludus.games.ludo.game import LudoGame

LEVEL = 0.22  # how much higher the next piece of a stack stands, in its own radius
FROZEN = 0.12  # the radius that a snowflake is drawn with before it is scaled


def of_game(game: LudoGame, lang: str) -> GameScene:
    """What stays the same through a game."""
    ground = Ground(game)
    left, top, right, bottom = ground.board.bounds
    yards = {place_id(str(yard.area.owner), "start"): yard for yard in ground.board.yards}
    return {
        "version": VERSION, "family": "ludo", "name": game.name, "title": game.title(language(lang)),
        "view_box": [left, top, right - left, bottom - top],
        "board": ground.layers(), "labels": ground.numbers(),
        "places": [scene_of_spot(spot) for spot in (*aliases_of(ground.board), *spots_of(ground.board))],
        "slots": {name: [[spot.x, spot.y] for spot in yard.places] for name, yard in yards.items()},
        "players": [scene_of_player(ground.board, game.players, colour, lang) for colour in game.players],
        "device": game.rules.chance.device, "hands": game.has_secrets, "tokens": tokens_of(game),
    }  # fmt: skip


def spots_of(board: Geometry) -> list[Spot]:
    """Every spot that a piece can stand on; a yard is one, its slots tell the rest."""
    lanes = [spot for lane in board.ends for spot in lane]
    held = [spot for zone in board.held for spot in zone]
    return [*board.path, *lanes, *board.finishes, *(yard.area for yard in board.yards), *held]


def aliases_of(board: Geometry) -> list[Spot]:
    """The squares that have other names, under these: events tell of them."""
    return [replace(board.tiles[name], place=name) for name in board.aliases]


def square_id(board: Geometry, colour: str, place: Place) -> str:
    """The id of the square that a place is."""
    return place_id(colour, board.aliases.get(place, place))


def scene_of_spot(spot: Spot) -> PlaceScene:
    """A spot as a place."""
    colour = spot.guest or spot.owner
    return {
        "id": place_id(str(colour), spot.place), "kind": spot.roles[0], "roles": list(spot.roles), "colour": spot.owner,
        "x": spot.x, "y": spot.y, "size": spot.size, "outline": [[x, y] for x, y in spot.outline],
        "label": str(spot.place),
    }  # fmt: skip


def scene_of_player(board: Geometry, colours: Sequence[str], colour: str, lang: str) -> PlayerScene:
    """A player, who is a colour here."""
    ink = INK if colour in DARK_INK else PAPER
    title = say(colour, language(lang), "colour")
    letter = letters_of([say(one, language(lang), "colour") for one in colours])[colours.index(colour)]
    return {"player": colour, "colour": colour, "fill": FILL[colour], "ink": ink, "letter": letter,
            "title": title, "turn": turns_of(board, colour), "tray": tray_of(board, colour)}  # fmt: skip


def letters_of(titles: Iterable[str]) -> list[str]:
    """A letter for each colour in its language, no two the same: the first of its name that is still free."""
    found: list[str] = []
    for title in titles:
        letters = [letter for letter in title.upper() if letter not in found]
        found.append(letters[0] if letters else title[0].upper())
    return found


def tray_of(board: Geometry, colour: str) -> list[float] | None:
    """Where a colour's dice lie."""
    tray = trays_of(board)[board.colours.index(colour)]
    return None if tray is None else list(tray)


def turns_of(board: Geometry, colour: str) -> int:
    """How the board is turned for a colour: its yard, and the way into its end path, come to the bottom."""
    sides = [side_of(board, arm) for arm in range(len(board.colours))]
    # laid out as a whole, not around a middle: nobody has a side that is not another's too
    if board.shape == "graph" and len(set(sides)) < len(sides):
        return 0
    return sides[board.colours.index(colour)]


def side_of(board: Geometry, arm: int) -> int:
    """The quarter turns that bring an arm to the bottom."""
    left, top, right, bottom = board.bounds
    own = [board.yards[arm].area, *(board.ends[arm][:1] if board.shape != "graph" else ())]
    x, y = (sum(at) / len(own) for at in zip(*((spot.x, spot.y) for spot in own), strict=True))
    return turns_to_bottom(round(x - (left + right) / 2, 6), round(y - (top + bottom) / 2, 6))


def tokens_of(game: LudoGame) -> dict[str, str]:
    """Pieces by colour and their shapes, dice by face, other throws, what is due, and the sign of a frozen piece."""
    pieces = {colour: pawn(colour) for colour in game.players}
    shapes = {f"shape:{colour}": shape(colour) for colour in game.players}
    dice = {f"die:{face}": in_unit_frame(die(0, 0, 0.86, face), 0.86) for face in faces_of(game)}
    dice["die:?"] = in_unit_frame(die(0, 0, 0.86, None), 0.86)
    casts = casts_of(game)
    dice |= throws_of(game, casts)
    return pieces | shapes | dice | casts | {"mark:frozen": in_unit_frame(snowflake(0, 0, FROZEN), FROZEN)}


def throws_of(game: LudoGame, casts: dict[str, str]) -> dict[str, str]:
    """What is to be played, as the throw that gave it: a 3 of cards is the card, one of sticks three of them flat."""
    found: dict[str, str] = {}
    for outcome in outcomes_of(game.rules) if casts else ():
        if len(outcome.kinds) == 1 and f"cast:{outcome.name}" in casts:
            found.setdefault(f"die:{outcome.kinds[0].name}", casts[f"cast:{outcome.name}"])
    return found


def casts_of(game: LudoGame) -> dict[str, str]:
    """Sticks, shells and cards as they fall; `cast:?` before the throw."""
    names = [str(outcome) for outcome in game.start().outcomes()]
    shells = game.rules.chance.dice
    drawn = {f"cast:{name}": shown for name in names if (shown := cast(name, shells)) is not None}
    due = {"sticks": sticks("0"), "cowries": cowries(0, shells), "cards": card(None)}.get(game.rules.chance.device)
    return drawn | ({"cast:?": due} if due and drawn else {})


def faces_of(game: LudoGame) -> list[int | str]:
    """Everything that can lie there to be played: the faces of a die, or the tokens of the general game."""
    kinds = getattr(game.board, "kinds", None)
    return list(PIPS) if kinds is None else [kind.name for kind in kinds]


def of_position(game: LudoGame, position: Position, lang: str) -> PositionScene:
    """What changes from position to position."""
    picture = Picture(game, position, language(lang), legal=False, coordinates=False)
    data = picture.data
    drawn = game.drawn
    # a roll moves nothing: the pieces were drawn for the position before it
    where = repr((data["pieces"], data.get("frozen"), data.get("changed") and data["turn"], data.get("changed")))
    pieces: list[PieceScene] = drawn.once(where, lambda: pieces_of(picture))
    board = f"board {data.get('changed', {}).get(data['turn'])}"
    marks = repr((data["turn"], *(data.get(key) for key in ("captured", "places", "rolloff", "changed"))))
    is_due = position.to_move == "chance"
    return {
        "version": VERSION, "ply": position.ply, "turn": position.turn, "to_move": position.to_move,
        "roll_due": is_due, "dice": [f"die:{face}" for face in data.get("dice", [])],
        "kept": [f"die:{face}" for face in data.get("kept", [])],
        "pieces": pieces, "seats": [seat_of(game, data, colour) for colour in game.players],
        "state": {key: value for key, value in data.items() if key not in ("pieces", "turn", "dice", "kept")},
        "board": drawn.once(board, picture.ground.layers) if "changed" in data else None,
        "overlay": drawn.once(marks, picture.overlay),
        "moves": scene_of_moves(position, pieces, partial(square_id, picture.board), lang),
        "result": position.result,
    }  # fmt: skip


def seat_of(game: LudoGame, data: dict[str, Any], colour: str) -> dict[str, Any]:
    """What is to be said of a player: marks, the roll-off's sum, the place won, pieces home."""
    seat: dict[str, Any] = {"player": colour, "marks": ["captured"] if colour in data.get("captured", ()) else []}
    seat["rolled"] = data.get("rolloff", {}).get("rolled", {}).get(colour)
    places = data.get("places", [])
    seat["place"] = places.index(colour) + 1 if colour in places else None
    lane = game.rules.finish.places == "end_path"
    seat["home"] = sum(place == "finish" or (lane and "end:" in str(place)) for place in data["pieces"][colour])
    return seat


def pieces_of(picture: Picture) -> list[PieceScene]:
    """Every piece: `green-0` is green's first, in the order that positions list them, through the whole game."""
    frozen = {colour: list(places) for colour, places in picture.data.get("frozen", {}).items()}
    crowds: dict[Spot, list[tuple[str, int, Place, list[str]]]] = {}
    for colour, places in picture.data["pieces"].items():
        for index, place in enumerate(places):
            marks = []
            if place in frozen.get(colour, []):
                frozen[colour].remove(place)
                marks.append("frozen")
            marks += ["held"] if str(place).startswith("held:") else []
            crowds.setdefault(picture.stand_of(colour, index, place), []).append((colour, index, place, marks))
    pieces: list[PieceScene] = []
    for spot, crowd in crowds.items():
        if len(crowd) == 1:
            colour, index, place, marks = crowd[0]
            pieces.append(
                alone(
                    spot, picture.board.spot(colour, place), f"{colour}-{index}",
                    square_id(picture.board, colour, place), tuple(marks),
                )
            )  # fmt: skip
            continue
        stacks = {
            colour: [one for one in crowd if one[0] == colour] for colour in dict.fromkeys(one[0] for one in crowd)
        }
        radius, stands = side_by_side(spot, len(stacks))
        for stack, (x, y) in zip(stacks.values(), stands, strict=True):
            for level, (colour, index, place, marks) in enumerate(stack):
                middle = picture.board.spot(colour, place)
                at = (x, y - level * radius * LEVEL, radius)
                pieces.append(piece_on(middle, f"{colour}-{index}", square_id(picture.board, colour, place), at, marks))
    seats = {colour: seat for seat, colour in enumerate(picture.game.players)}
    return sorted(pieces, key=lambda piece: (seats[piece["player"]], piece["id"]))


@lru_cache(maxsize=16_384)
def alone(spot: Spot, middle: Spot, name: str, square: str, marks: tuple[str, ...]) -> PieceScene:
    """A piece that has a spot to itself, as most have: made once, for everybody who asks."""
    radius, stands = side_by_side(spot, 1)
    x, y = stands[0]
    return piece_on(middle, name, square, (x, y, radius), list(marks))


def piece_on(spot: Spot, name: str, place: str, at: tuple[float, float, float], marks: list[str]) -> PieceScene:
    """A piece that stands on a spot, round (x, y, r)."""
    x, y, r, *offset = stand(at, spot.x, spot.y)
    colour = name.rpartition("-")[0]
    return {"id": name, "player": colour, "place": place, "x": x, "y": y, "r": r, "offset": offset,
            "token": colour, "marks": marks}  # fmt: skip


@lru_cache(maxsize=16_384)
def stand(at: tuple[float, float, float], x: float, y: float) -> tuple[float, ...]:
    """Where a piece stands, how large, and how far from (x, y): the same few again and again."""
    here = tuple(round(value, 6) for value in at)
    return (*here, round(here[0] - x, 6) + 0.0, round(here[1] - y, 6) + 0.0)
