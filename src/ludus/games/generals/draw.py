"""A position of Generals as an SVG picture (G36).

Moat, garrisons, the General with its hits, used special moves, the die and whose turn it is are drawn. Units
differ by shape as well as by colour. There are no ids, links or fonts of its own: any number of pictures fit
into one page.
"""

from __future__ import annotations

from math import hypot, isfinite
from typing import TYPE_CHECKING, Any

from ludus.core.errors import LudusError
from ludus.core.messages import language
from ludus.games.generals import kernel as k
from ludus.games.generals.board import (
    CELLS,
    COLOURS,
    GENERAL,
    KIND,
    MOAT,
    ROLES,
    SIZE,
    cell_name,
    cell_number,
    line,
)
from ludus.games.generals.moves import GeneralsMove, say
from ludus.games.generals.shapes import (
    ALARM,
    FAINT,
    INK,
    PAPER,
    UNIT,
    UNIT_RADIUS,
    Point,
    box,
    circle,
    clean,
    cross,
    crown,
    die,
    element,
    text,
    trail,
    unit,
)
from ludus.games.generals.status import headline

if TYPE_CHECKING:
    from ludus.core.position import Move, Position
    from ludus.games.generals.game import GeneralsGame

FONT = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
EDGE, PANEL = 0.75, 2.5  # around the board, and below it
BOARD, LINE = "#f6f1e6", "#c9c1b0"
GROUND = {
    k.FIELD: BOARD,
    k.MOAT: "#bfdcf0",
    k.GENERAL: "#8c8577",
    k.ATTACKER_LEFT: "#f2cdb9",
    k.ATTACKER_RIGHT: "#f2cdb9",
    k.DEFENDER_LEFT: "#cfe0b8",
    k.DEFENDER_RIGHT: "#cfe0b8",
}
CLASS = {k.FIELD: "field", k.MOAT: "moat", k.GENERAL: "general"}
ACCENT = {"attacker": "#b4501e", "defender": "#3f6d1c"}


def svg(  # noqa: PLR0913
    game: GeneralsGame,
    position: Position,
    *,
    legal: bool = True,
    size: float = 560,
    lang: str = "en",
    coordinates: bool = True,
    attacker: str = "white",
) -> str:
    """The picture, `size` pixels wide; `legal` marks moves; `attacker` is a colour, where roles are fixed."""
    is_number = isinstance(size, int | float) and not isinstance(size, bool)
    if not (is_number and isfinite(size) and 1 <= size <= 100_000):
        raise LudusError(f"size: a width in pixels from 1 to 100000, not {size!r}")
    if attacker not in COLOURS:
        raise LudusError(f"attacker: white or black, not {attacker!r}")
    return Picture(game, position, language(lang), legal, coordinates, attacker).draw(size)


def centre(cell: int | str | None) -> Point:
    """The middle of a cell."""
    number = cell_number(cell) if isinstance(cell, str) else cell
    assert number is not None
    return number % SIZE + 0.5, number // SIZE + 0.5


class Picture:
    """One position being drawn."""

    def __init__(
        self, game: GeneralsGame, position: Position, lang: str, legal: bool, coordinates: bool, attacker: str
    ) -> None:
        self.game, self.position, self.lang, self.coordinates = game, position, lang, coordinates
        self.data = position.to_dict()
        self.moves = position.moves() if legal else ()
        self.colour = self.colours(attacker)

    def colours(self, attacker: str) -> dict[str, str]:
        """The colour of each role: its player's, or the one asked for where players are roles (G6)."""
        roles = self.data.get("roles")
        if roles:
            return {role: player for player, role in roles.items()}
        if self.game.rules.toss:
            return dict.fromkeys(ROLES, "grey")
        return {"attacker": attacker, "defender": "black" if attacker == "white" else "white"}

    def draw(self, size: float) -> str:
        """The whole picture."""
        width, height = SIZE + 2 * EDGE, SIZE + 2 * EDGE + PANEL
        words = f"{self.game.rules.title}: {headline(self.game, self.position, self.lang)}"
        parts = [
            element("title", clean(words)),
            box(-EDGE, -EDGE, width, height, fill=PAPER, rx=0.25),
            *(self.ground(), self.names() if self.coordinates else "", self.trails(), self.units(), self.general()),
            *(self.targets(), self.panel()),
        ]
        frame = f"{clean(-EDGE)} {clean(-EDGE)} {clean(width)} {clean(height)}"
        sizes = {"width": float(size), "height": float(size * height / width), "viewBox": frame}
        return element("svg", *parts, xmlns="http://www.w3.org/2000/svg", **sizes, font_family=FONT, role="img")

    # ------------------------------------------------------------ the board

    def ground(self) -> str:
        """The cells, coloured by kind."""
        cells = []
        for cell in range(CELLS):
            x, y = cell % SIZE, cell // SIZE
            kind = CLASS.get(KIND[cell], "garrison")
            style = {"fill": GROUND[KIND[cell]], "stroke": LINE, "stroke_width": 0.03}
            cells.append(box(x, y, 1, 1, class_=kind, data_cell=cell_name(cell), **style))
        waves = "".join(self.wave(cell) for cell in MOAT)
        frame = box(0, 0, SIZE, SIZE, fill="none", stroke=INK, stroke_width=0.06)
        return element("g", *cells, waves, frame, class_="board")

    def wave(self, cell: int) -> str:
        """Water."""
        x, y = centre(cell)
        lines = "".join(
            f"M{clean(x - 0.36)} {clean(y + dy)}q0.12 -0.12 0.24 0t0.24 0t0.24 0" for dy in (-0.24, 0.06, 0.36)
        )
        return element("path", d=lines, fill="none", stroke="#8fbfe0", stroke_width=0.035)

    def names(self) -> str:
        """Letters of columns and numbers of rows, on all four sides."""
        words = []
        for n in range(SIZE):
            for at in (-0.35, SIZE + 0.35):
                words.append(text(n + 0.5, at, "abcdefghij"[n], 0.34))
                words.append(text(at, n + 0.5, str(SIZE - n), 0.34))
        return element("g", *words, fill=FAINT, text_anchor="middle")

    def general(self) -> str:
        """The General in the defender's colour, with its crown and its hits."""
        fill, edge = UNIT[self.colour["defender"]]
        body = box(4.12, 4.12, 1.76, 1.76, rx=0.3, fill=fill, stroke=edge, stroke_width=0.08)
        hits = []
        for n in range(k.GENERAL_FALLS):
            is_hit = n < self.data["hits"]
            style = {"fill": "#f0303c" if is_hit else "none", "stroke": "#c9c4ba" if is_hit else "#8d887e"}
            hits.append(circle(4.52 + 0.48 * n, 5.5, 0.18, **style, stroke_width=0.05))
        return element("g", body, crown(5, 4.8, 0.45), *hits, class_="general", data_hits=self.data["hits"])

    def units(self) -> str:
        """Every unit, with a ring around those that can act."""
        active = {move.origin for move in self.moves} - {None}
        pending = {self.data.get("convert"), self.data.get("attack")} - {None}
        parts = []
        for role in ROLES:
            for name in self.data[role]:
                x, y = centre(name)
                if name in active | pending:
                    ink = ACCENT[role]
                    parts.append(circle(x, y, 0.45, fill=PAPER, stroke=ink, stroke_width=0.06, class_="origin"))
                parts.append(unit(x, y, UNIT_RADIUS, role, self.colour[role], data_cell=name))
        return element("g", *parts, class_="units")

    # ------------------------------------------------------------ moves

    def trails(self) -> str:
        """The lines that moves and attacks take; a pending attack's too."""
        going = [move.detail for move in self.moves if move.kind in ("move", "attack")]
        lines = [trail([centre(move.origin), self.end(move)]) for move in going]
        if "attack" in self.data:
            lines.append(trail(self.attack_line(), stroke=ALARM, stroke_dasharray="0.1 0.2"))
        ink = ACCENT[self.data["turn"]]
        return element("g", *lines, class_="trails", stroke=ink, stroke_width=0.09, opacity=0.55) if lines else ""

    def attack_line(self) -> list[Point]:
        """From a unit that attacks to the General cell nearest to it on a line."""
        origin = cell_number(self.data["attack"])
        assert origin is not None
        ways = {cell: line(origin, cell, self.game.rules.directions) for cell in GENERAL}
        nearest = min((way[1], cell) for cell, way in ways.items() if way is not None)
        return [centre(origin), centre(nearest[1])]

    def end(self, move: GeneralsMove) -> Point:
        """Where a move's line ends: at an attack just inside the General."""
        (x, y), (u, v) = centre(move.origin), centre(move.target)
        if move.kind != "attack":
            return u, v
        length = hypot(u - x, v - y)
        return u - (u - x) / length * 0.3, v - (v - y) / length * 0.3

    def targets(self) -> str:
        """Where moves end, and who may intercept."""
        parts = [self.target(move) for move in self.moves if move.target is not None]
        if "attack" in self.data:
            fallen = [centre(name) for name in self.data["defender"] if cell_number(name) in MOAT]
            parts += [circle(x, y, 0.45, **self.ring(ALARM), stroke_dasharray="0.16 0.1") for x, y in fallen]
        return element("g", *parts, class_="targets")

    def ring(self, ink: str) -> dict[str, Any]:
        return {"fill": "none", "stroke": ink, "stroke_width": 0.08}

    def target(self, move: Move) -> str:
        """A dot on an empty cell, a ring on a unit that falls or changes sides."""
        facts: GeneralsMove = move.detail
        ink = ACCENT[self.data["turn"]]
        x, y = self.end(facts) if facts.kind == "attack" else centre(facts.target)
        if facts.kind == "garrison":
            sign = circle(x, y, 0.1, fill=ink, opacity=0.5)
        elif facts.kind == "attack":
            sign = circle(x, y, 0.16, fill=ALARM, stroke=PAPER, stroke_width=0.06)
        elif facts.kind == "convert":
            sign = circle(x, y, 0.45, **self.ring(ACCENT["defender"]), stroke_dasharray="0.2 0.1")
        elif facts.captures:
            sign = circle(x, y, 0.45, **self.ring(ALARM)) + cross(x + 0.3, y - 0.3, 0.11)
        else:
            sign = circle(x, y, 0.2, fill=ink, stroke=PAPER, stroke_width=0.06)
        title = element("title", clean(f"{move}: {move.describe(self.lang)}"))
        return element("g", title, sign, class_="move", data_move=str(move))

    # ------------------------------------------------------------ the panel

    def panel(self) -> str:
        """What is next, with the die; then each side's units and special moves."""
        top = SIZE + EDGE
        words = headline(self.game, self.position, self.lang)
        size = min(0.5, (SIZE - 1.2) / (0.56 * len(words)))
        parts = [text(0.1, top + 0.45, words, size, fill=INK, font_weight="bold")]
        if self.position.to_move is not None and "convert" not in self.data and "attack" not in self.data:
            face = self.data.get("dice")
            parts.append(die(SIZE - 0.45, top + 0.42, 0.8, face) if face or self.data.get("toss") is None else "")
        parts += [self.side(role, 0.1 + 5.1 * number, top + 1.35) for number, role in enumerate(ROLES)]
        return element("g", *parts, class_="panel")

    def side(self, role: str, x: float, y: float) -> str:
        """A role's units in play and its special moves, struck out once used."""
        count = len(self.data[role])
        words = f"{self.name_of(role)} × {count}"
        parts = [
            unit(x + 0.32, y, 0.3, role, self.colour[role]),
            text(x + 0.8, y, words, 0.44, fill=INK, font_weight="bold"),
            self.badge("garrisoning", x, y + 0.75, role in self.data["garrisoned"]),
        ]
        if role == "defender":
            width = self.width_of(say("garrisoning", self.lang, "board"))
            parts.append(self.badge("strike", x + width + 0.15, y + 0.75, self.data["struck"]))
        return element("g", *parts, class_="side", data_role=role)

    def name_of(self, role: str) -> str:
        """A role's name, with its player's where they differ."""
        name = say(role, self.lang, "board")
        return f"{say(self.colour[role], self.lang, 'board')}: {name}" if "roles" in self.data else name

    def width_of(self, words: str) -> float:
        return 0.19 * len(words) + 0.35

    def badge(self, key: str, x: float, y: float, used: bool) -> str:
        """A special move: open, or struck out."""
        words = say(key, self.lang, "board")
        ink, width = (FAINT if used else INK), self.width_of(words)
        parts = [
            box(
                x,
                y - 0.25,
                width,
                0.5,
                rx=0.25,
                fill="#e6e1d6" if used else "#fdeeb5",
                stroke=ink,
                stroke_width=0.03,
            ),
            text(x + width / 2, y, words, 0.34, fill=ink, text_anchor="middle"),
        ]
        if used:
            parts.append(trail([(x + 0.15, y), (x + width - 0.15, y)], stroke=ink, stroke_width=0.05))
        return element("g", *parts, class_=f"{key} {'used' if used else 'open'}")
