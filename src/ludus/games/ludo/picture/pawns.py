"""What a browser puts on the board: pawns, the shapes beside their colours, and what is thrown besides dice."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from ludus.games.ludo.picture.glyphs import CENTRED, FILL, INK, PAPER, circle, element, mix, polygon, shade, star, text

TALL = 1.18  # a pawn fills its tile better than a disc of the same radius
WOOD, SHELL = "#d9ab6c", "#f6ead2"
STICKS = 4
# what no colour has to be seen for: corners of a shape, or a name
SHAPES: dict[str, int | str] = {
    "green": "disc", "yellow": 4, "blue": 3, "red": "star", "purple": 6, "orange": "ring", "black": "cross",
    "white": 5, "pink": 8, "brown": "bar", "teal": "half", "lime": "drop",
}  # fmt: skip


def pawn(colour: str) -> str:
    """A pawn, its head above its place; the page lays the shadow under it."""
    fill = FILL[colour]
    edge = {"stroke": shade(fill), "stroke_width": 0.1, "stroke_linejoin": "round"}
    body = (
        "M-0.78 0.62C-0.78 0.3 -0.34 0.16 -0.24 -0.42L0.24 -0.42C0.34 0.16 0.78 0.3 0.78 0.62"
        "C0.78 0.98 -0.78 0.98 -0.78 0.62Z"
    )
    shaded = "M0.1 -0.42L0.24 -0.42C0.34 0.16 0.78 0.3 0.78 0.62C0.78 0.86 0.4 0.9 0.2 0.9C0.4 0.5 0.2 0.1 0.1 -0.42Z"
    parts = [
        element("path", d=body, fill=fill, **edge),
        element("path", d=shaded, fill="#000000", opacity=0.16),
        element("ellipse", cx=0.0, cy=-0.4, rx=0.36, ry=0.13, fill=fill, **edge),
        circle(0, -0.86, 0.47, fill=fill, **edge),
        element("ellipse", cx=-0.16, cy=-1.02, rx=0.15, ry=0.11, fill=PAPER, opacity=0.65),
        element("path", d="M-0.56 0.6C-0.5 0.4 -0.3 0.24 -0.2 -0.1", fill="none", stroke=PAPER, stroke_width=0.09,
                stroke_linecap="round", opacity=0.5),
    ]  # fmt: skip
    return element("g", *parts, class_="pawn", data_colour=colour, transform=f"scale({TALL})")


def shape(colour: str) -> str:
    """The shape that goes with a colour, white with a dark edge, to lie on a pawn's body."""
    style: dict[str, Any] = {"fill": PAPER, "stroke": INK, "stroke_width": 0.14, "stroke_linejoin": "round"}
    kind = SHAPES[colour]
    if kind == "disc":
        return circle(0, 0, 0.8, **style)
    if kind == "ring":
        return circle(0, 0, 0.62, fill="none", stroke=INK, stroke_width=0.62) + circle(
            0, 0, 0.62, fill="none", stroke=PAPER, stroke_width=0.34
        )
    if kind == "star":
        return star(0, 0, 1.0, **style)
    if kind == "cross":
        corners = [(-0.3, -0.9), (0.3, -0.9), (0.3, -0.3), (0.9, -0.3), (0.9, 0.3), (0.3, 0.3)]
        return polygon([*corners, *((-x, -y) for x, y in corners)], **style)
    if kind == "bar":
        return polygon([(-0.9, -0.4), (0.9, -0.4), (0.9, 0.4), (-0.9, 0.4)], **style)
    if kind == "half":
        return element("path", d="M-0.9 0.4A0.9 0.9 0 0 1 0.9 0.4Z", **style)
    if kind == "drop":
        return element(
            "path", d="M0 -1C0.5 -0.3 0.75 0 0.75 0.3A0.75 0.7 0 0 1 -0.75 0.3C-0.75 0 -0.5 -0.3 0 -1Z", **style
        )
    count = int(kind)
    turn = -pi / 2 if count != 4 else -pi / 4
    return polygon([(0.92 * cos(turn + 2 * pi * n / count), 0.92 * sin(turn + 2 * pi * n / count))
                    for n in range(count)], **style)  # fmt: skip


# ---------------------------------------------------------------- sticks, shells and cards, in a square of side 1


def sticks(face: str) -> str:
    """Four sticks, so many with the flat side up, or the marked one alone."""
    flat = 1 if face == "marked" else int(face)
    parts = [stick((n - (STICKS - 1) / 2) * 0.25, n < flat) for n in range(STICKS)]
    if face == "marked":
        parts.append(element("circle", cx=(1 - STICKS) / 2 * 0.25, cy=0, r=0.06, fill=INK))
    return element("g", *parts, class_="sticks", data_flat=face)


def stick(x: float, is_flat: bool) -> str:
    """A stick from above: pale with a smooth face, or round and marked."""
    fill = SHELL if is_flat else WOOD
    edge = {"stroke": shade(WOOD), "stroke_width": 0.025}
    body = element("rect", x=x - 0.095, y=-0.46, width=0.19, height=0.92, rx=0.09, fill=fill, **edge)
    if is_flat:
        return body
    marks = [circle(x, y, 0.035, fill=shade(WOOD)) for y in (-0.24, 0.0, 0.24)]
    return body + "".join(marks)


def cowries(open_up: int, count: int) -> str:
    """Shells in two rows, so many with the opening up."""
    columns = (count + 1) // 2
    parts = []
    for n in range(count):
        x, y = ((n % columns) - (columns - 1) / 2) * 0.32, -0.24 if n < columns else 0.24
        parts.append(cowrie(x, y, n < open_up))
    return element("g", *parts, class_="cowries", data_open=open_up)


def cowrie(x: float, y: float, is_open: bool) -> str:
    """A shell: its toothed opening, or its back."""
    edge = {"stroke": "#8a6a3a", "stroke_width": 0.022}
    body = element("ellipse", cx=x, cy=y, rx=0.135, ry=0.2, fill=SHELL if is_open else "#d8b98a", **edge)
    if not is_open:
        return body + element("ellipse", cx=x - 0.03, cy=y - 0.05, rx=0.05, ry=0.09, fill=PAPER, opacity=0.5)
    slit = element("path", d=f"M{x} {y - 0.15}L{x} {y + 0.15}", stroke="#4a3413", stroke_width=0.045,
                   stroke_linecap="round")  # fmt: skip
    teeth = "".join(f"M{x - 0.05} {round(y + t, 3)}L{x + 0.05} {round(y + t, 3)}" for t in (-0.09, -0.03, 0.03, 0.09))
    return body + slit + element("path", d=teeth, stroke="#4a3413", stroke_width=0.015)


RANKS = {
    "ace": "A", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "jack": "J", "queen": "Q", "king": "K", "joker": "★",
    "one": "1", "strike": "!",
}  # fmt: skip


MOST_IN_CORNER = 2  # letters


def card(rank: str | None) -> str:
    """A playing card; without a rank its back."""
    box = element("rect", x=-0.34, y=-0.48, width=0.68, height=0.96, rx=0.07, fill=PAPER, stroke=INK, stroke_width=0.03)
    if rank is None:
        inner = {"x": -0.27, "y": -0.41, "width": 0.54, "height": 0.82, "rx": 0.04}
        lines = "M-0.27 0L0 -0.41L0.27 0L0 0.41Z"
        return (
            box + element("rect", fill="#7d2638", **inner) + element("path", d=lines, fill=mix("#7d2638", PAPER, 0.3))
        )
    words = RANKS.get(rank, rank)
    ink = "#b00020" if rank in ("jack", "queen", "king") else INK
    size = min(0.5, 0.86 / len(words))  # long names stay on their card
    corner = text(-0.2, -0.34, words, size * 0.4, fill=ink, **CENTRED) if len(words) <= MOST_IN_CORNER else ""
    return element("g", box, text(0, 0.04, words, size, fill=ink, **CENTRED), corner, class_="card", data_rank=rank)


def cast(outcome: str, shells: int) -> str | None:
    """What lies there after a throw that is not of dice; None for dice."""
    device, _, face = outcome.rpartition(":")
    if device == "sticks":
        return sticks(face)
    if device == "cowries":
        return cowries(1 if face == "marked" else int(face), shells)
    return card(face) if device == "card" else None
