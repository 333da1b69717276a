"""What pictures of Generals are made of: SVG elements, units, dice and signs, but no position."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Any

Point = tuple[float, float]

INK, PAPER, ALARM, GOLD, FAINT = "#23262b", "#ffffff", "#b00020", "#e5ac00", "#6b655a"
# fill and edge of the units by colour; grey while nobody knows whose they will be (G6)
UNIT = {"white": ("#fdfdfb", "#23262b"), "black": ("#34383f", "#0d0f12"), "grey": ("#b9b6af", "#57534b")}

UNIT_RADIUS = 0.34  # on a cell of side 1

# columns and rows of the pips of each face
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}

# an attacker's unit is a spearhead, a defender's a shield: nobody has to tell them by colour
SPEARHEAD = ((0.0, -1.0), (0.82, 0.72), (0.0, 0.36), (-0.82, 0.72))
SHIELD = ((-0.76, -0.8), (0.76, -0.8), (0.76, 0.1), (0.42, 0.66), (0.0, 0.96), (-0.42, 0.66), (-0.76, 0.1))
CROWN = ((-1.0, 0.7), (-1.0, -0.5), (-0.5, 0.05), (0.0, -0.8), (0.5, 0.05), (1.0, -0.5), (1.0, 0.7))

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(value: Any) -> str:
    """A value as XML text: numbers short, characters that XML does not know left out."""
    if isinstance(value, float):
        digits = f"{value:.3f}".rstrip("0").rstrip(".")
        return "0" if digits == "-0" else digits
    return escape(_NOT_XML.sub("", str(value)))


def element(name: str, *content: str, **attributes: Any) -> str:
    """An element; `class_` and `stroke_width` become `class` and `stroke-width`."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{clean(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{''.join(content)}</{name}>" if content else f"<{name}{given}/>"


def text(x: float, y: float, words: str, size: float, **attributes: Any) -> str:
    """Words with their middle at a height."""
    return element("text", clean(words), x=float(x), y=float(y + size * 0.36), font_size=float(size), **attributes)


def circle(x: float, y: float, r: float, **attributes: Any) -> str:
    """A circle."""
    return element("circle", cx=float(x), cy=float(y), r=float(r), **attributes)


def box(x: float, y: float, width: float, height: float, **attributes: Any) -> str:
    """A rectangle by its upper left corner."""
    return element("rect", x=float(x), y=float(y), width=float(width), height=float(height), **attributes)


def outline(points: Iterable[Point], x: float, y: float, r: float, **attributes: Any) -> str:
    """A closed shape around a point."""
    path = "L".join(f"{clean(x + r * a)} {clean(y + r * b)}" for a, b in points)
    return element("path", d=f"M{path}Z", stroke_linejoin="round", **attributes)


def unit(x: float, y: float, r: float, role: str, colour: str, **attributes: Any) -> str:
    """A unit of a role in a colour."""
    fill, edge = UNIT[colour]
    shape = SPEARHEAD if role == "attacker" else SHIELD
    style = {"fill": fill, "stroke": edge, "stroke_width": 0.07}
    return outline(shape, x, y, r, class_=f"unit {role}", **style, **attributes)


def crown(x: float, y: float, r: float, fill: str = GOLD) -> str:
    """The sign of the General, and of a winner."""
    return outline(CROWN, x, y, r, fill=fill, stroke=INK, stroke_width=0.05)


def cross(x: float, y: float, r: float, ink: str = ALARM) -> str:
    """The sign of a unit that falls."""
    d = clean(2 * r)
    lines = f"M{clean(x - r)} {clean(y - r)}l{d} {d}m0 -{d}l-{d} {d}"
    under = element("path", d=lines, stroke=PAPER, stroke_width=0.2, stroke_linecap="round")
    return under + element("path", d=lines, stroke=ink, stroke_width=0.1, stroke_linecap="round")


def die(x: float, y: float, side: float, face: int | None) -> str:
    """A die; without a face a roll is due."""
    style: dict[str, Any] = {"fill": PAPER if face else "none", "stroke_dasharray": None if face else "0.14 0.1"}
    at = (x - side / 2, y - side / 2, side, side)
    frame = box(*at, rx=side * 0.2, stroke=INK, stroke_width=0.05, **style)
    if face is None:
        return element("g", frame, text(x, y, "?", side * 0.7, fill=INK, text_anchor="middle"), class_="die due")
    pips = [circle(x + side * 0.26 * a, y + side * 0.26 * b, side * 0.095, fill=INK) for a, b in PIPS[face]]
    return element("g", frame, *pips, class_="die", data_face=face)


def trail(points: Iterable[Point], **attributes: Any) -> str:
    """A line through points."""
    path = "L".join(f"{clean(float(x))} {clean(float(y))}" for x, y in points)
    return element("path", d=f"M{path}", fill="none", stroke_linecap="round", stroke_linejoin="round", **attributes)
