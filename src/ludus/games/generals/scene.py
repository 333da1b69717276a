"""The board of Generals and its positions as plain data (core/scene.py says what is in it), from the pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludus.core.messages import language
from ludus.core.scene import (
    VERSION,
    GameScene,
    PieceScene,
    PlaceScene,
    PlayerScene,
    PositionScene,
    in_unit_frame,
    scene_of_moves,
)
from ludus.games.generals import kernel as k
from ludus.games.generals.board import CELLS, COLOURS, KIND, ROLES, SIZE, cell_name
from ludus.games.generals.draw import CLASS, EDGE, Picture, centre
from ludus.games.generals.shapes import PIPS, UNIT, UNIT_RADIUS, die, unit
from ludus.games.generals.status import headline, player_word

if TYPE_CHECKING:
    from ludus.core.position import Position
    from ludus.games.generals.game import GeneralsGame

ATTACKER = "white"  # whose colour the attacker has where players are roles, as in the pictures


def place_of(_: str, cell: str) -> str:
    """The id of a place: every cell is shared."""
    return cell


def of_game(game: GeneralsGame, lang: str) -> GameScene:
    """What stays the same through a game."""
    picture = picture_of(game, game.start(), lang)
    return {
        "version": VERSION, "family": "generals", "name": game.name, "title": game.title(language(lang)),
        "view_box": [-EDGE, -EDGE, SIZE + 2 * EDGE, SIZE + 2 * EDGE],
        "board": picture.ground() + picture.names(), "labels": "",
        "places": [scene_of_cell(cell) for cell in range(CELLS)], "slots": {},
        "players": [scene_of_player(player, lang) for player in game.players],
        "device": "dice", "hands": False, "tokens": tokens(),
    }  # fmt: skip


def picture_of(game: GeneralsGame, position: Position, lang: str) -> Picture:
    """The picture whose parts the scene is made of."""
    return Picture(game, position, language(lang), legal=False, coordinates=True, attacker=ATTACKER)


def scene_of_cell(cell: int) -> PlaceScene:
    """A cell as a place; the General's four cells are places too, though no unit stands there."""
    (x, y), kind = centre(cell), CLASS.get(KIND[cell], "garrison")
    owner = {k.ATTACKER_LEFT: ROLES[0], k.ATTACKER_RIGHT: ROLES[0], k.DEFENDER_LEFT: ROLES[1],
             k.DEFENDER_RIGHT: ROLES[1], k.GENERAL: ROLES[1]}.get(KIND[cell])  # fmt: skip
    corners = [[x + a, y + b] for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
    return {"id": cell_name(cell), "kind": kind, "roles": [kind], "colour": owner, "x": x, "y": y, "size": 1.0,
            "outline": corners, "label": cell_name(cell)}  # fmt: skip


def scene_of_player(player: str, lang: str) -> PlayerScene:
    """A player: a role, or a colour where the toss gives the roles."""
    colour = player if player in COLOURS else ATTACKER if player == ROLES[0] else other(ATTACKER)
    title = player_word(player, language(lang))
    turn = 2 if player == ROLES[0] else 0  # row 10, at the top, is the attacker's edge; before a toss it is nobody's
    return {"player": player, "colour": colour, "fill": UNIT[colour][0], "ink": UNIT[colour][1],
            "letter": player[0].upper(), "title": title, "turn": turn}  # fmt: skip


def other(colour: str) -> str:
    """The other of the two colours."""
    return COLOURS[1 - COLOURS.index(colour)]


def tokens() -> dict[str, str]:
    """Units by role and colour, dice by face, and the roll that is due."""
    units = {
        f"{role}:{colour}": in_unit_frame(unit(0, 0, UNIT_RADIUS, role, colour), UNIT_RADIUS)
        for role in ROLES
        for colour in UNIT
    }
    faces: list[int | None] = [*PIPS, None]
    return units | {f"die:{face or '?'}": in_unit_frame(die(0, 0, 0.8, face), 0.8) for face in faces}


def of_position(game: GeneralsGame, position: Position, lang: str) -> PositionScene:
    """What changes from position to position."""
    picture = picture_of(game, position, lang)
    data = picture.data
    pieces = [piece for role in ROLES for piece in units_of(game, picture, role)]
    is_roll = position.to_move == "chance" and "attack" not in data and not is_before_the_toss(game, data)
    return {
        "version": VERSION, "ply": position.ply, "turn": position.turn, "to_move": position.to_move,
        "roll_due": is_roll, "dice": [f"die:{data['dice']}"] if "dice" in data else [], "kept": [],
        "pieces": pieces, "seats": [seat_of(picture, player) for player in game.players],
        "state": state_of(picture) | {"headline": headline(game, position, language(lang))},
        "board": None,
        "overlay": picture.general() + picture.trails() + picture.targets(),
        "moves": scene_of_moves(position, pieces, place_of, lang), "result": position.result,
    }  # fmt: skip


def is_before_the_toss(game: GeneralsGame, data: dict[str, Any]) -> bool:
    """Whether the toss comes next (G6)."""
    return game.rules.toss and "roles" not in data


def units_of(game: GeneralsGame, picture: Picture, role: str) -> list[PieceScene]:
    """A role's units. They have no number of their own: `follow` of core/scene.py keeps ids through a move."""
    roles = picture.data.get("roles") or {player: player for player in game.players}
    player = next((name for name, what in roles.items() if what == role), role)
    pending = {picture.data.get("convert"): "converting", picture.data.get("attack"): "attacking"}
    pieces: list[PieceScene] = []
    for cell in picture.data[role]:
        x, y = centre(cell)
        marks = [pending[cell]] if cell in pending else []
        token = f"{role}:{picture.colour[role]}"
        pieces.append(
            {"id": f"{role}@{cell}", "player": player, "place": cell, "x": x, "y": y, "r": UNIT_RADIUS,
             "offset": [0.0, 0.0], "token": token, "marks": marks}
        )  # fmt: skip
    return pieces


def seat_of(picture: Picture, player: str) -> dict[str, Any]:
    """What is to be said of a player: its role, units in play, and which special moves are used up."""
    role = (picture.data.get("roles") or {}).get(player) or (player if player in ROLES else None)
    marks = ["garrisoned"] if role in picture.data["garrisoned"] else []
    marks += ["struck"] if role == ROLES[1] and picture.data["struck"] else []
    return {"player": player, "role": role, "marks": marks, "units": len(picture.data[role]) if role else None}


def state_of(picture: Picture) -> dict[str, Any]:
    """The General's hits, and everything else that is neither a unit nor the die."""
    told = (*ROLES, "turn", "dice")
    return {key: value for key, value in picture.data.items() if key not in told} | {"hits_most": k.GENERAL_FALLS}
