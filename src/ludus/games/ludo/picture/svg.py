"""A position as an SVG picture.

Nothing in it needs a language but the names of colours and moves, which come from the message catalogues:
whose turn it is, dice, a roll that is due, captives and winners are drawn. Pieces bear letters, so that no
colour has to be seen. There are no ids, links or fonts of its own: any number of pictures fit into one page.
"""

from __future__ import annotations

from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING

from ludus.core.errors import LudusError
from ludus.core.events import Place
from ludus.core.messages import language
from ludus.games.ludo.moves import LudoMove, say
from ludus.games.ludo.picture.geometry import Geometry, rules_in_force
from ludus.games.ludo.picture.glyphs import (
    CENTRED,
    FILL,
    INK,
    PAPER,
    Token,
    arrow_head,
    circle,
    clean,
    cross,
    crown,
    die,
    die_width,
    element,
    line_to,
    shade,
    side_by_side,
    text,
    token,
    tokens_of,
)
from ludus.games.ludo.picture.ground import BOARD, FAINT, Ground
from ludus.games.ludo.picture.plan import Spot

if TYPE_CHECKING:
    from ludus.core.position import Move, Position
    from ludus.games.ludo.game import LudoGame

ALARM = "#b00020"
PANEL = 1.7  # height of the strip below the board
FONT = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
MOST_DICE = 8  # more are drawn once per face, with a count


def svg(
    game: LudoGame,
    position: Position,
    *,
    legal: bool = True,
    size: float = 640,
    lang: str = "en",
    coordinates: bool = True,
) -> str:
    """The picture, `size` pixels wide; `legal` marks the moves, `coordinates` numbers the tiles."""
    is_number = isinstance(size, int | float) and not isinstance(size, bool)
    if not (is_number and isfinite(size) and 1 <= size <= 100_000):
        raise LudusError(f"size: a width in pixels from 1 to 100000, not {size!r}")
    return Picture(game, position, language(lang), legal, coordinates).draw(size)


class Picture:
    """One position being drawn, layer by layer."""

    def __init__(self, game: LudoGame, position: Position, lang: str, legal: bool, coordinates: bool) -> None:
        self.game, self.position, self.lang, self.coordinates = game, position, lang, coordinates
        self.data = position.to_dict()
        self.ground = Ground(game, rules_in_force(game, self.data))
        self.board: Geometry = self.ground.board
        self.moves: tuple[Move, ...] = position.moves() if legal else ()
        self.movable = {(move.colour, move.origin) for move in self.moves}

    def draw(self, size: float) -> str:
        """The whole picture."""
        left, top, right, bottom = self.board.bounds
        width, height = right - left, bottom - top + PANEL
        layers = (
            element("title", clean(self.title())), element("desc", clean(self.in_words())),
            element("rect", x=left, y=top, width=width, height=height, rx=0.5, fill=BOARD),
            self.ground.layers(), self.ground.numbers() if self.coordinates else "",
            self.overlay(), self.trails(), self.pieces(), self.targets(), self.panel(),
        )  # fmt: skip
        return element(
            "svg", *layers, xmlns="http://www.w3.org/2000/svg", role="img", font_family=FONT,
            viewBox=" ".join(clean(float(v)) for v in (left, top, width, height)),
            width=round(size), height=round(size * height / width),
        )  # fmt: skip

    def title(self) -> str:
        """Rule set, whose turn, dice: what the picture shows."""
        dice = " ".join(map(str, self.data.get("dice") or self.data.get("kept") or []))
        who = ", ".join(map(self.name_of, self.winners() or [self.data["turn"]]))
        return f"{self.game.title(self.lang)}: {who} {dice}".strip()

    def in_words(self) -> str:
        """Every piece, for those who can't see the picture."""
        by_colour = {colour: ", ".join(map(str, places)) for colour, places in self.data["pieces"].items()}
        return "; ".join(f"{self.name_of(colour)}: {places}" for colour, places in by_colour.items())

    def name_of(self, colour: str) -> str:
        """A colour's name in the picture's language."""
        return say(colour, self.lang, "colour")

    def winners(self) -> list[str]:
        """Who got most, once the game is over."""
        result = self.position.result or {}
        return [colour for colour, value in result.items() if value == max(result.values())]

    # ------------------------------------------------ what lies on the board besides pieces

    def overlay(self) -> str:
        """Whose turn it is, who has captured (Z32), and numbers in the yards."""
        areas = [yard.area for yard in self.board.yards]
        edges = [self.ground.in_turn(area) for area in areas if area.owner == self.data["turn"]]
        return "".join(edges + [self.middle(area, str(area.owner)) for area in areas])

    def middle(self, area: Spot, colour: str) -> str:
        """The capture mark, and a number: the roll-off's sum, or the place won."""
        parts = []
        if colour in self.data.get("captured", ()):
            style = {"fill": FILL[colour], "stroke": shade(FILL[colour]), "stroke_width": 0.06}
            mark = {"class_": "captured-mark", "data_colour": colour}
            parts.append(circle(area.x, area.y, area.width * 0.065, **mark, **style))
        places = self.data.get("places", [])
        number = self.data.get("rolloff", {}).get("rolled", {}).get(colour)
        number = places.index(colour) + 1 if colour in places else number
        if number is not None:
            parts.append(text(area.x, area.y, str(number), 0.7, fill=INK, **CENTRED))
        return "".join(parts)

    # ------------------------------------------------ pieces and moves

    @cached_property
    def crowds(self) -> dict[tuple[Spot, Place], list[Token]]:
        """The pieces on each spot; in a yard every piece has its own."""
        frozen = {colour: list(places) for colour, places in self.data.get("frozen", {}).items()}
        crowds: dict[tuple[Spot, Place], list[Token]] = {}
        for colour, places in self.data["pieces"].items():
            for index, place in enumerate(places):
                spot = self.stand_of(colour, index, place)
                is_frozen = place in frozen.get(colour, [])
                if is_frozen:
                    frozen[colour].remove(place)
                crowds.setdefault((spot, place), []).append(Token(colour, 1, is_frozen))
        return crowds

    def stand_of(self, colour: str, index: int, place: Place) -> Spot:
        """The spot under a piece: in a yard its own."""
        if place == "start":
            return self.board.yards[self.board.colours.index(colour)].places[index]
        return self.board.spot(colour, place)

    def pieces(self) -> str:
        """Every piece where it stands."""
        return "".join(self.crowd(spot, place, crowd) for (spot, place), crowd in self.crowds.items())

    def crowd(self, spot: Spot, place: Place, pieces: list[Token]) -> str:
        """The pieces on one spot: one by one, or counted where they are many or captives."""
        tokens = tokens_of(pieces, most=1 if "held" in spot.roles else 4)
        r, stands = side_by_side(spot, len(tokens))
        halos, discs = [], []
        for what, (x, y) in zip(tokens, stands, strict=True):
            if (what.colour, place) in self.movable and not what.frozen:
                ring = {"stroke": INK, "stroke_width": 0.07, "class_": "origin"}
                halos.append(circle(x, y, r * 1.3, fill=PAPER, **ring))
            discs.append(token(x, y, r, what, data_place=place))
        return "".join(halos + discs)

    def spots_of(self, move: Move) -> list[Spot]:
        """The spots of a move from origin to target; none where nothing moves."""
        facts: LudoMove = move.detail
        if facts.kind == "pass":
            return []
        yard = self.board.yards[self.board.colours.index(facts.colour)]
        if facts.kind == "buy":
            return [self.slot_of_captive(facts.colour), yard.area]
        way = [self.board.spot(facts.colour, place) for place in facts.path]
        if facts.origin == "start":
            return [yard.places[self.data["pieces"][facts.colour].index("start")], *way]
        return [self.board.spot(facts.colour, facts.origin or 0), *way]

    def slot_of_captive(self, colour: str) -> Spot:
        """Where the piece stands that is bought back: its captor comes first in seat order (F11)."""
        captors = [place for place in self.data["pieces"][colour] if str(place).startswith("held:")]
        return self.board.spot(colour, min(captors, key=lambda place: self.board.colours.index(place[5:])))

    def trails(self) -> str:
        """The ways that legal moves take; a star jump is dotted."""
        parts = []
        for move in self.moves:
            way, is_jump, ink = self.spots_of(move), move.detail.jumps, shade(FILL[move.colour])
            if is_jump:
                parts.append(element("path", d=line_to(way[-2:]), stroke=ink, stroke_dasharray="0.02 0.24"))
                way = way[:-1]
            parts += [element("path", d=line_to(way), stroke=ink)] if len(way) > 1 else []
        if not parts:
            return ""
        style = {"stroke_width": 0.13, "stroke_linejoin": "round", "stroke_linecap": "round", "opacity": 0.6}
        return element("g", *parts, class_="trails", fill="none", **style)

    def targets(self) -> str:
        """Where legal moves end."""
        return "".join(self.target(move, way[-2:]) for move in self.moves if (way := self.spots_of(move)))

    def target(self, move: Move, last: list[Spot]) -> str:
        """A ring; a cross on it is a capture, and a dashed one a move that sends the piece itself home."""
        facts: LudoMove = move.detail
        before, spot = last[0], last[-1]
        ink = ALARM if facts.captures or facts.sent_home else shade(FILL[facts.colour])
        dash = "0.16 0.1" if facts.sent_home else None
        r = 0.45 if any(spot == there for there, _ in self.crowds) else 0.36
        parts = [
            element("title", clean(f"{move}: {move.describe(self.lang)}")),
            circle(spot.x, spot.y, r, fill="none", stroke=PAPER, stroke_width=0.17),
            circle(spot.x, spot.y, r, fill="none", stroke=ink, stroke_width=0.09, stroke_dasharray=dash),
            arrow_head(before, spot, r, ink),
            cross(spot.x + 0.34, spot.y - 0.32, ALARM) if facts.captures else "",
        ]
        return element("g", *parts, class_="move", data_move=str(move), data_target=facts.target)

    # ------------------------------------------------ the strip below

    def panel(self) -> str:
        """Whose turn it is, the dice, and the rule set's name."""
        left, _, right, bottom = self.board.bounds
        y, x = bottom + PANEL / 2 - 0.2, left + 0.95
        parts = []
        for colour in self.winners() or [self.data["turn"]]:
            parts.append(token(x, y, 0.42, Token(colour, 1, False), kind="seat"))
            parts.append(text(x + 0.65, y, self.name_of(colour), 0.62, fill=INK, font_weight="bold"))
            x += 1.1 + 0.39 * len(self.name_of(colour))
        if self.position.result:
            parts.append(crown(x + 0.3, y, 0.36))
            x += 1.1
        x = self.dice(parts, x + 0.4, y, right)
        words = self.title_words()
        size = min(0.46, (right - x - 1) / (0.52 * max(len(words), 1)))
        if size > 0.15:
            parts.append(text(right - 0.6, y, words, size, fill=FAINT, text_anchor="end"))
        return element("g", *parts, class_="panel")

    def title_words(self) -> str:
        """The rule set's name, and the changes of rules that hold for the player in turn (L2)."""
        title = self.game.title(self.lang)
        return " + ".join([title, *self.data.get("changed", {}).get(self.data["turn"], ())])

    def dice(self, parts: list[str], x: float, y: float, right: float) -> float:
        """The dice left or kept, and the roll that is due; returns where they end."""
        dice = self.data.get("dice") or self.data.get("kept") or []
        shown = [(face, 1) for face in dice]
        if len(dice) > min(MOST_DICE, right - x - 1):
            shown = [(face, dice.count(face)) for face in dict.fromkeys(dice)]
        for face, count in shown:
            parts.append(die(x, y, 0.86, face))
            x += die_width(0.86, face) - 0.86
            parts += [text(x + 0.52, y, f"×{count}", 0.5, fill=INK)] if count > 1 else []
            x += 1.02 if count == 1 else 1.3 + 0.3 * len(str(count))
        if self.position.to_move == "chance":
            parts.append(die(x, y, 0.86, None, fill="none"))
            x += 1.02
        if any(move.detail.kind == "pass" for move in self.moves):
            parts.append(text(x - 0.2, y, "pass", 0.5, fill=INK))
            x += 1.4
        return x
