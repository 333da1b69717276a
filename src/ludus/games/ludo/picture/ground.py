"""The board itself, without pieces: what stays the same through a game. Pictures and scenes are drawn on it."""

from __future__ import annotations

from math import atan2, cos, pi, sin
from typing import TYPE_CHECKING, Any

from ludus.games.ludo.picture.geometry import Geometry, Link, Yard, geometry
from ludus.games.ludo.picture.glyphs import (
    CENTRED,
    FILL,
    GOLD,
    INK,
    PAPER,
    arrow_between,
    band,
    bow,
    circle,
    door,
    element,
    globe,
    hourglass,
    mix,
    notch,
    polygon,
    rolling,
    shade,
    staking,
    star,
    text,
    through,
    turning,
)
from ludus.games.ludo.picture.plan import Spot

if TYPE_CHECKING:
    from ludus.games.ludo.document.rules import RuleSet
    from ludus.games.ludo.game import LudoGame

BOARD, LINE, FAINT, NOBODY = "#f6f1e6", "#b9b2a3", "#6b655a", "#d3cec5"
GROUND = {
    "safe": "#dcd7cb",
    "star": "#fdeeb5",
    "again": "#dcefd9",
    "miss": "#f3dcd8",
    "turn": "#dfe4f5",
    "home": "#f3dcd8",
    "stake": "#f4e6c4",
}
JUMP = "#6a3fa0"
# signs of tiles that do something to whoever lands there
SIGNS = {"again": rolling, "miss": hourglass, "turn": turning, "home": door, "stake": staking}


class Ground:
    """The board of a game being drawn, layer by layer."""

    def __init__(self, game: LudoGame, rules: RuleSet | None = None) -> None:
        self.players = game.players
        self.board: Geometry = geometry(rules or game.rules)
        self.has_stairs = (rules or game.rules).finish.rule == "stairs"

    def layers(self) -> str:
        """The whole board but the tiles' numbers."""
        under = self.ways_out() + self.yards() + self.thread()
        return under + self.path() + self.ends() + self.finishes() + self.passages() + self.slides() + self.jumps()

    def tint(self, colour: str, share: float = 0.0) -> str:
        """A colour made lighter; grey where nobody plays it."""
        fill = FILL[colour] if colour in self.players else mix(FILL[colour], NOBODY, 0.88)
        return mix(fill, PAPER, share)

    def yards(self) -> str:
        """The yards."""
        return "".join(self.yard(yard) for yard in self.board.yards)

    def yard(self, yard: Yard) -> str:
        colour, area = str(yard.area.owner), yard.area
        edge = {"stroke": shade(FILL[colour]) if colour in self.players else LINE, "stroke_width": 0.05}
        parts = [self.area(area, area.width, fill=self.tint(colour), **edge)]
        inner = area.width * (0.8 if area.outline else 0.82)
        parts.append(self.area(area, inner, fill=self.tint(colour, 0.86)))
        ring = {"fill": PAPER, "stroke": self.tint(colour, 0.2), "stroke_width": 0.05}
        parts += [circle(place.x, place.y, place.size * 0.46, **ring) for place in yard.places]
        # empty slots of more than three guests would be a necklace around the board
        parts += [self.slot(spot) for spot in self.zone_of(colour)] if len(self.board.colours) <= 4 else []
        return element("g", *parts, class_="yard", data_colour=colour)

    def in_turn(self, area: Spot) -> str:
        """The edge of the yard whose owner has the turn."""
        edge = self.area(area, area.width, fill="none", stroke=INK, stroke_width=0.16)
        return element("g", edge, class_="turn", data_colour=area.owner)

    def area(self, spot: Spot, width: float, **attributes: Any) -> str:
        """A yard's ground: a square beside four arms, a disc elsewhere."""
        if not spot.outline:
            return circle(spot.x, spot.y, width / 2, **attributes)
        box = {"x": spot.x - width / 2, "y": spot.y - width / 2, "width": width, "height": width}
        return element("rect", **box, rx=width * 0.09, **attributes)

    def zone_of(self, colour: str) -> tuple[Spot, ...]:
        """The slots of a capture zone for the colours that play."""
        zones = self.board.held[self.board.colours.index(colour)] if self.board.held else ()
        return tuple(slot for slot in zones if {slot.guest, colour} <= set(self.players))

    def slot(self, spot: Spot) -> str:
        """An empty slot of a capture zone."""
        guest = str(spot.guest)
        edge = {"stroke": shade(FILL[guest]), "stroke_width": 0.05, "stroke_dasharray": "0.12 0.09"}
        return circle(spot.x, spot.y, spot.size * 0.46, fill=mix(FILL[guest], PAPER, 0.6), **edge)

    def thread(self) -> str:
        """A thread under the tiles shows how the path runs where they don't touch; on a graph each step has its own."""
        if self.board.shape == "cross":
            return ""
        if self.board.shape == "graph":
            steps = [self.step(link) for link in self.board.links if link.kind == "way"]
            return element("g", *steps, class_="ways")
        points = [(spot.x, spot.y) for spot in self.board.path]
        return polygon(points, fill="none", stroke=LINE, stroke_width=0.16, stroke_linejoin="round")

    def step(self, link: Link) -> str:
        """A step of a graph: a line with a small arrow in the gap between its tiles, none where both ways are open."""
        ink = shade(self.tint(link.owner, 0.35)) if link.owner else "#9a9282"
        here, there = link.origin, link.target
        line = element("path", d=through([(here.x, here.y), (there.x, there.y)]), stroke=ink, stroke_width=0.1)
        return line if self.is_two_way(link) else line + arrow_between(here, there, ink)

    def is_two_way(self, link: Link) -> bool:
        """Whether a step leads back too."""
        return any(other.origin == link.target and other.target == link.origin for other in self.board.links)

    def passages(self) -> str:
        """Small arrow heads where squares side by side meet: a board of squares has no gaps for lines."""
        parts = []
        for link in self.board.links:
            if link.kind == "way" and link.origin.outline and link.target.outline and not self.is_two_way(link):
                parts.append(
                    notch(link.origin, link.target, shade(self.tint(link.owner, 0.2)) if link.owner else FAINT)
                )
        return element("g", *parts, class_="passages", opacity=0.55) if any(parts) else ""

    def ways_out(self) -> str:
        """Dotted lines from yards to entry tiles, where the shape of the board does not show them.

        Where all come out on one tile, a bundle of lines would tell nothing more than its sign.
        """
        parts = []
        if self.board.is_drawn and len({link.target for link in self.board.links if link.kind == "out"}) == 1:
            return ""
        for link in self.board.links:
            if link.kind == "out" and link.owner:
                ends = [(link.origin.x, link.origin.y), (link.target.x, link.target.y)]
                ink = self.tint(link.owner)
                parts.append(
                    element("path", d=through(ends), stroke=ink, stroke_width=0.14, stroke_dasharray="0.02 0.24")
                )
        return element("g", *parts, class_="ways-out", stroke_linecap="round") if parts else ""

    def jumps(self) -> str:
        """Bows above the tiles: dashed for jumps, plain for shortcuts across a board that has a shape."""
        parts = []
        for link in self.board.links:
            if link.kind == "jump" or (link.kind == "way" and self.board.shape != "graph"):
                ink = shade(self.tint(link.owner)) if link.owner else JUMP
                parts.append(bow(link.origin, link.target, ink, "0.22 0.14" if link.kind == "jump" else None))
        return element("g", *parts, class_="jumps", fill="none", opacity=0.85) if parts else ""

    def slides(self) -> str:
        """Bands over the tiles, from a wedge where they begin to a knob where they end."""
        parts = []
        for link in self.board.links:
            if link.kind == "slide":
                ink = self.tint(link.owner) if link.owner else JUMP
                parts.append(band([link.origin, *link.over, link.target], ink))
        return element("g", *parts, class_="slides", opacity=0.8) if parts else ""

    def path(self) -> str:
        return element("g", *(self.tile(spot) for spot in self.board.path), class_="path")

    def tile(self, spot: Spot) -> str:
        """A path tile with its signs and number."""
        ink, ground = FAINT, next((GROUND[role] for role in spot.roles if role in GROUND), PAPER)
        if spot.owner:
            ink, ground = shade(self.tint(spot.owner)), self.tint(spot.owner, 0.35)
        parts = [self.box(spot, ground), *(SIGNS[role](spot.x, spot.y, ink) for role in spot.roles if role in SIGNS)]
        if "safe" in spot.roles:
            parts.append(globe(spot.x, spot.y, 0.27, ink))
        elif "entry" in spot.roles:
            parts.append(self.chevron(spot, ink))
        if "star" in spot.roles:
            edge = {"stroke": "#8a6500", "stroke_width": 0.04}
            parts.append(star(spot.x, spot.y + 0.03, 0.36, fill=GOLD, class_="glyph", **edge))
        return element("g", *parts, class_=" ".join(spot.roles), data_place=spot.place)

    def numbers(self) -> str:
        """The tiles' numbers, which name the moves; pieces stand above them."""
        edge = {"stroke": PAPER, "stroke_width": 0.07, "stroke_linejoin": "round", "paint_order": "stroke"}
        words = [self.number(spot) for spot in self.board.path]
        return element("g", *words, class_="numbers", fill="#4d483f", text_anchor="middle", **edge)

    def number(self, spot: Spot) -> str:
        """A tile's number, in the corner that is uppermost and leftmost; above a round tile's middle."""
        if not spot.outline:
            return text(spot.x, spot.y - 0.33, str(spot.place), min(0.24, 1.1 / len(str(spot.place))))
        x, y = min(spot.outline, key=lambda corner: corner[0] * 0.9 + corner[1])
        x, y = spot.x + (x - spot.x) * 0.64, spot.y + (y - spot.y) * 0.64
        return text(x, y, str(spot.place), 0.22)

    def box(self, spot: Spot, fill: str) -> str:
        """A tile's ground: neighbours share one fine line."""
        edge = {"stroke": LINE, "stroke_width": 0.035, "class_": "tile plain" if fill == PAPER else "tile"}
        if not spot.outline:
            return circle(spot.x, spot.y, spot.width / 2 - 0.02, fill=fill, **edge)
        return polygon(spot.outline, fill=fill, stroke_linejoin="round", **edge)

    def chevron(self, spot: Spot, ink: str) -> str:
        """An arrow in the direction of play."""
        ahead = self.ahead(spot)
        turn = atan2(ahead.y - spot.y, ahead.x - spot.x)
        points = [(spot.x + 0.26 * cos(turn + a), spot.y + 0.26 * sin(turn + a)) for a in (0, 2.3, pi, -2.3)]
        points[2] = (spot.x - 0.06 * cos(turn), spot.y - 0.06 * sin(turn))
        return polygon(points, fill=ink, opacity=0.75)

    def ahead(self, spot: Spot) -> Spot:
        """Where a piece goes from a tile: the first way that leads on."""
        if self.board.shape == "graph":
            ways = (link for link in self.board.links if link.kind == "way" and link.origin == spot)
            return next((link.target for link in ways), spot)
        return self.board.path[(self.board.path.index(spot) + 1) % len(self.board.path)]

    def ends(self) -> str:
        """The end paths; stairs have on each step the number that it takes."""
        parts = []
        for number, spot in ((n, spot) for lane in self.board.ends for n, spot in enumerate(lane, start=1)):
            owner = str(spot.owner)
            sign = circle(spot.x, spot.y, 0.1, fill=PAPER, opacity=0.7)
            if self.has_stairs:
                sign = text(spot.x, spot.y + 0.02, str(number), 0.6, fill=PAPER, opacity=0.9, **CENTRED)
            box = self.box(spot, self.tint(owner, 0.15)) + sign
            parts.append(element("g", box, class_="end", data_colour=owner, data_place=spot.place))
        return "".join(parts)

    def finishes(self) -> str:
        """The finishes, each with a star, which pieces cover."""
        parts = []
        for spot in self.board.finishes:
            owner = str(spot.owner)
            shape = polygon(spot.outline, fill=self.tint(owner), stroke=BOARD, stroke_width=0.08)
            sign = star(spot.x, spot.y, spot.size * 0.2, fill=PAPER, opacity=0.45)
            parts.append(element("g", shape, sign, class_="finish", data_colour=owner, data_place="finish"))
        return "".join(parts)
