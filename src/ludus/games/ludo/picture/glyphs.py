"""What pictures are made of: SVG elements, dice, pieces, stars and globes. Nothing here knows a position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from math import atan2, cos, hypot, pi, sin
from typing import Any

from ludus.games.ludo.picture.plan import Point, Spot
from ludus.games.ludo.picture.terminal import letter_of

FILL = {
    "green": "#12925a", "yellow": "#f5c21b", "blue": "#2364b4", "red": "#cf3038",
    "purple": "#8b4aa8", "orange": "#ee7f1a", "black": "#3b3f46", "white": "#d5dbe2",
    "pink": "#f29bb8", "brown": "#7a4a26", "teal": "#14808c", "lime": "#b6d433",
}  # fmt: skip
DARK_INK = ("yellow", "orange", "white", "pink", "lime")
INK, PAPER, FROST, GOLD = "#23262b", "#ffffff", "#0b63a5", "#e5ac00"
CENTRED = {"text_anchor": "middle", "font_weight": "bold"}

# columns and rows of the pips of each face
PIPS: dict[int | str, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


# ---------------------------------------------------------------- elements


def clean(value: Any) -> str:
    """A value as XML text: numbers short, characters that XML does not know left out."""
    if isinstance(value, float):
        digits = f"{value:.3f}".rstrip("0").rstrip(".")
        return "0" if digits == "-0" else digits
    return escape(_NOT_XML.sub("", str(value)))


def through(points: Iterable[Point]) -> str:
    """Path data of a line through points."""
    return "M" + "L".join(f"{clean(float(x))} {clean(float(y))}" for x, y in points)


def element(name: str, *content: str, **attributes: Any) -> str:
    """An element; `class_` and `stroke_width` become `class` and `stroke-width`."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{clean(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{''.join(content)}</{name}>" if content else f"<{name}{given}/>"


def circle(x: float, y: float, r: float, **attributes: Any) -> str:
    return element("circle", cx=float(x), cy=float(y), r=float(r), **attributes)


def polygon(points: Iterable[Point], **attributes: Any) -> str:
    return element("path", d=through(points) + "Z", **attributes)


def text(x: float, y: float, words: str, size: float, **attributes: Any) -> str:
    """Words with their middle at a height."""
    at = {"x": float(x), "y": float(y + size * 0.36)}
    return element("text", clean(words), **at, font_size=float(size), **attributes)


def mix(colour: str, other: str, share: float) -> str:
    """A colour with a share of another in it."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def shade(colour: str) -> str:
    """The darker form of a colour, for edges and trails."""
    return mix(colour, "#000000", 0.45)


def star(x: float, y: float, r: float, **attributes: Any) -> str:
    """The sign of a tile that jumps, and of an empty finish."""
    points = [(r * (1 if i % 2 == 0 else 0.42), pi * (i / 5 - 0.5)) for i in range(10)]
    return polygon([(x + d * cos(a), y + d * sin(a)) for d, a in points], **attributes)


def globe(x: float, y: float, r: float, ink: str) -> str:
    """A globe: the sign of a safe tile."""
    style = {"fill": "none", "stroke": ink, "stroke_width": 0.045}
    lines = through([(x - r, y), (x + r, y)]) + through([(x, y - r), (x, y + r)])
    meridian = element("ellipse", cx=x, cy=y, rx=r * 0.48, ry=r, **style)
    return circle(x, y, r, **style) + meridian + element("path", d=lines, **style)


def rolling(x: float, y: float, ink: str) -> str:
    """The sign of a tile that gives another roll: a small die."""
    side = 0.4
    box = element("rect", x=x - side / 2, y=y - side / 2 + 0.04, width=side, height=side, rx=0.08, fill="none",
                  stroke=ink, stroke_width=0.05)  # fmt: skip
    pips = "".join(circle(x + a * 0.09, y + 0.04 + b * 0.09, 0.035, fill=ink) for a, b in PIPS[5])
    return element("g", box, pips, class_="sign")


def staking(x: float, y: float, ink: str) -> str:
    """The sign of a tile where points are paid: a triangle with a bead."""
    points = [(x, y - 0.24), (x + 0.28, y + 0.24), (x - 0.28, y + 0.24)]
    outline = polygon(points, fill="none", stroke=ink, stroke_width=0.05)
    return element("g", outline, circle(x, y + 0.08, 0.07, fill=ink), class_="sign")


def hourglass(x: float, y: float, ink: str) -> str:
    """The sign of a tile that costs a turn."""
    shape = [(-0.17, -0.2), (0.17, -0.2), (-0.17, 0.28), (0.17, 0.28)]
    points = [(x + a, y + b) for a, b in shape]
    return polygon(points, fill=ink, opacity=0.75, class_="sign")


def turning(x: float, y: float, ink: str) -> str:
    """The sign of a tile that turns the order of play round: two arrows."""
    lines = through([(x - 0.22, y - 0.05), (x + 0.2, y - 0.05), (x + 0.1, y - 0.15)])
    lines += through([(x + 0.22, y + 0.14), (x - 0.2, y + 0.14), (x - 0.1, y + 0.24)])
    return element("path", d=lines, fill="none", stroke=ink, stroke_width=0.06, stroke_linejoin="round", class_="sign")


def door(x: float, y: float, ink: str) -> str:
    """The sign of a tile that sends a piece home: a roof over a door."""
    shape = [(-0.24, 0.04), (0, -0.2), (0.24, 0.04), (0.16, 0.04), (0.16, 0.28), (-0.16, 0.28), (-0.16, 0.04)]
    return polygon([(x + a, y + b) for a, b in shape], fill=ink, opacity=0.75, class_="sign")


def snowflake(x: float, y: float, r: float) -> str:
    """The sign of a frozen piece."""
    arms = [(r * cos(a), r * sin(a)) for a in (pi / 6, pi / 2, 5 * pi / 6)]
    lines = "".join(through([(x - dx, y - dy), (x + dx, y + dy)]) for dx, dy in arms)
    back = circle(x, y, r * 1.35, fill=PAPER, stroke=INK, stroke_width=0.03)
    return back + element("path", d=lines, stroke=FROST, stroke_width=0.06, stroke_linecap="round")


def crown(x: float, y: float, r: float) -> str:
    """The sign of a winner."""
    shape = [(-1, 0.7), (-1, -0.5), (-0.5, 0.05), (0, -0.8), (0.5, 0.05), (1, -0.5), (1, 0.7)]
    points = [(x + r * a, y + r * b) for a, b in shape]
    return polygon(points, fill=GOLD, stroke=INK, stroke_width=0.05, stroke_linejoin="round")


def cross(x: float, y: float, ink: str) -> str:
    """The sign of a capture."""
    lines = through([(x - 0.09, y - 0.09), (x + 0.09, y + 0.09)]) + through(
        [(x - 0.09, y + 0.09), (x + 0.09, y - 0.09)]
    )
    back = circle(x, y, 0.19, fill=ink, stroke=PAPER, stroke_width=0.04)
    return back + element("path", d=lines, stroke=PAPER, stroke_width=0.07, stroke_linecap="round")


def die(x: float, y: float, side: float, face: int | str | None, fill: str = PAPER) -> str:
    """A die; without a face a roll is due. A face without pips is written: 25, -4, swap; a bonus is gold."""
    words = "?" if face is None else label_of(face) if face not in PIPS else ""
    width, is_bonus = die_width(side, face), isinstance(face, str) and face[0] == "b" and face[1:].isdigit()
    box = element(
        "rect", x=x - side / 2, y=y - side / 2, width=width, height=side, rx=side * 0.2, stroke=INK, stroke_width=0.05,
        fill="#fdeeb5" if is_bonus else fill, stroke_dasharray=None if face is not None else "0.14 0.1",
    )  # fmt: skip
    middle = x + (width - side) / 2
    if face is None:
        return element("g", box, text(middle, y, words, side * 0.7, fill=INK, **CENTRED), class_="die due")
    step, r = side * 0.26, side * 0.095
    pips = [circle(x + step * a, y + step * b, r, fill=INK) for a, b in PIPS.get(face, ())]
    told = text(middle, y, words, side * 0.5, fill=INK, **CENTRED) if words else ""
    return element("g", box, *pips, told, class_="die", data_face=face)


def label_of(face: int | str) -> str:
    """What is written on a die without pips: +20 for a bonus, a minus sign as printers have it."""
    words = str(face)
    words = f"+{words[1:]}" if words[0] == "b" and words[1:].isdigit() else words
    return words.replace("-", "\u2212")


def die_width(side: float, face: int | str | None) -> float:
    """As wide as high, wider for a longer word."""
    if face is None or face in PIPS:
        return side
    return max(side, side * (0.34 * len(label_of(face)) + 0.34))


# ---------------------------------------------------------------- pieces on a spot


@dataclass(frozen=True)
class Token:
    """What is drawn for one or more pieces of a colour."""

    colour: str
    count: int
    frozen: bool


def tokens_of(pieces: list[Token], most: int) -> list[Token]:
    """Up to `most` pieces one by one, more as one token with a count for each colour."""
    if len(pieces) <= most:
        return pieces
    return [Token(kind.colour, pieces.count(kind), kind.frozen) for kind in dict.fromkeys(pieces)]


def fan(count: int) -> tuple[float, list[Point]]:
    """The radius of `count` tokens on a unit tile, and where they stand around its middle."""
    if count == 1:
        return 0.33, [(0.0, 0.04)]
    if count == 2:
        return 0.25, [(-0.2, 0.08), (0.2, 0.08)]
    around, radius = (0.25, 0.215) if count <= 4 else (0.32, 0.17)
    turn = pi / 4 if count == 4 else -pi / 2
    spread = [turn + 2 * pi * n / count for n in range(count)]
    return radius, [(around * cos(a), 0.05 + around * sin(a)) for a in spread]


@lru_cache(maxsize=4096)
def side_by_side(spot: Spot, count: int) -> tuple[float, list[Point]]:
    """The radius of `count` tokens on a spot, and where they stand; off the board all on one height."""
    is_off = spot.roles[0] in ("yard", "held")
    scale = spot.size * 1.12 if is_off else min(1.0, spot.size)
    radius, offsets = fan(count)
    stands = [(spot.x + dx * scale, spot.y + (0.0 if is_off else dy * scale)) for dx, dy in offsets]
    return radius * scale, stands


def token(x: float, y: float, r: float, what: Token, kind: str = "piece", **attributes: Any) -> str:
    """A piece: a disc with its colour's letter, or with the number of pieces it stands for."""
    fill, ink = FILL[what.colour], INK if what.colour in DARK_INK else PAPER
    words = letter_of(what.colour) if what.count == 1 else f"{letter_of(what.colour)}{what.count}"
    parts = [
        circle(x, y + r * 0.13, r, fill=INK, opacity=0.35),
        circle(x, y, r, fill=fill, stroke=shade(fill), stroke_width=r * 0.16),
        circle(x, y, r * 0.74, fill="none", stroke=mix(fill, PAPER, 0.55), stroke_width=r * 0.1),
        text(x, y, words, r * (1.0 if what.count == 1 else 0.8), fill=ink, **CENTRED),
    ]
    if what.frozen:
        parts.append(snowflake(x + r * 0.75, y - r * 0.7, r * 0.36))
    given = {"class_": f"{kind} frozen" if what.frozen else kind, "data_colour": what.colour}
    return element("g", *parts, **given, data_count=what.count, **attributes)


# ---------------------------------------------------------------- trails


def line_to(spots: list[Spot]) -> str:
    """A line along spots that ends at the ring around the last one."""
    *way, before, last = [(spot.x, spot.y) for spot in spots]
    length = hypot(last[0] - before[0], last[1] - before[1])
    share = max(0.0, 1 - 0.5 / length) if length else 0.0
    end = (before[0] + (last[0] - before[0]) * share, before[1] + (last[1] - before[1]) * share)
    return through((*way, before, end))


def arrow_head(before: Spot, spot: Spot, r: float, ink: str) -> str:
    """The tip of a trail, on the ring of radius r around its target."""
    length = hypot(spot.x - before.x, spot.y - before.y)
    if length < 0.5:
        return ""
    turn = atan2(spot.y - before.y, spot.x - before.x)
    x, y = spot.x - (r + 0.1) * cos(turn), spot.y - (r + 0.1) * sin(turn)
    points = [(x + 0.2 * cos(turn + a), y + 0.2 * sin(turn + a)) for a in (0, 2.4, -2.4)]
    return polygon(points, fill=ink, stroke=PAPER, stroke_width=0.03)


def arrow_between(here: Spot, there: Spot, ink: str) -> str:
    """A small arrow in the gap between two round spots."""
    length = hypot(there.x - here.x, there.y - here.y)
    gap = length - here.width / 2 - there.width / 2
    if gap < 0.12:
        return ""
    share = (here.width / 2 + gap / 2) / length
    x, y = here.x + (there.x - here.x) * share, here.y + (there.y - here.y) * share
    turn, size = atan2(there.y - here.y, there.x - here.x), min(0.2, gap * 0.55)
    points = [(x + size * cos(turn + a), y + size * sin(turn + a)) for a in (0, 2.4, -2.4)]
    return polygon(points, fill=ink)


def notch(here: Spot, there: Spot, ink: str) -> str:
    """A small arrow head on the border of two squares that touch; nothing between others."""
    if abs(hypot(there.x - here.x, there.y - here.y) - 1.0) > 1e-6:
        return ""
    turn, x, y = atan2(there.y - here.y, there.x - here.x), (here.x + there.x) / 2, (here.y + there.y) / 2
    points = [(x + 0.11 * cos(turn + a), y + 0.11 * sin(turn + a)) for a in (0, 2.3, -2.3)]
    return polygon(points, fill=ink)


def bow(here: Spot, there: Spot, ink: str, dash: str | None) -> str:
    """A bow from one spot to another, bent to the left, with an arrow head."""
    dx, dy = there.x - here.x, there.y - here.y
    length = hypot(dx, dy) or 1.0
    bend = min(0.28 * length, 1.6)
    over = ((here.x + there.x) / 2 + dy / length * bend, (here.y + there.y) / 2 - dx / length * bend)
    turn = atan2(there.y - over[1], there.x - over[0])
    end = (there.x - 0.3 * cos(turn), there.y - 0.3 * sin(turn))
    data = f"M{clean(here.x)} {clean(here.y)}Q{clean(over[0])} {clean(over[1])} {clean(end[0])} {clean(end[1])}"
    head = [(end[0] + 0.24 * cos(turn + a), end[1] + 0.24 * sin(turn + a)) for a in (0, 2.5, -2.5)]
    dot = circle(here.x, here.y, 0.13, fill=ink)
    line = {"stroke": ink, "stroke_width": 0.1, "stroke_linecap": "round", "stroke_dasharray": dash}
    return dot + element("path", d=data, **line) + polygon(head, fill=ink)


def band(spots: Sequence[Spot], ink: str) -> str:
    """A slide over spots: a wedge at its beginning, a line, a knob at its end."""
    here, there = spots[0], spots[-1]
    turn = atan2(spots[1].y - here.y, spots[1].x - here.x)
    wedge = [(here.x + 0.36 * cos(turn + a), here.y + 0.36 * sin(turn + a)) for a in (0, 2.4, -2.4)]
    line = through([(spot.x, spot.y) for spot in spots])
    thick = {"fill": "none", "stroke": ink, "stroke_width": 0.2, "stroke_linejoin": "round"}
    return element("path", d=line, **thick) + polygon(wedge, fill=ink) + circle(there.x, there.y, 0.27, fill=ink)
