"""A position's picture with arrows on it: green the best move, yellow the one that was played, red a bad mistake."""

from __future__ import annotations

from math import hypot
from typing import Any

from ludus.core.position import Position

BEST, PLAYED, BLUNDER = "#1a9850", "#f2b705", "#d7263d"
EDGE = "#ffffff"

Point = tuple[float, float]


def with_arrows(position: Position, arrows: dict[str, str], lang: str, size: float = 460) -> str:
    """The picture; arrows: moves by notation, with their colours, the last on top."""
    picture = position.svg(legal=False, size=size, lang=lang, coordinates=False)
    scene, board = position.scene(lang), position.game.scene(lang)
    places = {place["id"]: (float(place["x"]), float(place["y"])) for place in board["places"]}
    unit = min((float(place["size"]) for place in board["places"]), default=1.0)
    drawn = []
    for move in scene["moves"]:
        if move["move"] in arrows:
            way = way_of(move, scene["pieces"], places)
            drawn.append((list(arrows).index(move["move"]), arrow(way, arrows[move["move"]], unit)))
    shapes = "".join(shape for _, shape in sorted(drawn))
    return picture.replace("</svg>", f"{shapes}</svg>")


def way_of(move: dict[str, Any], pieces: list[dict[str, Any]], places: dict[str, Point]) -> list[Point]:
    """From where the piece stands over every place that the move goes over."""
    standing = [(float(p["x"]), float(p["y"])) for p in pieces if p["id"] in move["pieces"][:1]]
    begin = standing or [places[name] for name in [move["origin"]] if name in places]
    return [*begin, *(places[name] for name in move["path"] if name in places)]


def arrow(way: list[Point], colour: str, unit: float) -> str:
    """A line with a head; two strokes, so that it is seen on every ground. A move on the spot is a ring."""
    if len(way) < 2:
        return "".join(
            f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{0.45 * unit:.3f}" fill="none" stroke="{colour}" '
            f'stroke-width="{0.14 * unit:.3f}"/>' for x, y in way
        )  # fmt: skip
    tip, before = way[-1], next((p for p in reversed(way[:-1]) if p != way[-1]), way[0])
    length = hypot(tip[0] - before[0], tip[1] - before[1]) or 1.0
    ahead = ((tip[0] - before[0]) / length, (tip[1] - before[1]) / length)
    back = (tip[0] - 0.42 * unit * ahead[0], tip[1] - 0.42 * unit * ahead[1])
    line = " ".join(f"{x:.3f},{y:.3f}" for x, y in [*way[:-1], back])
    side = (-0.3 * unit * ahead[1], 0.3 * unit * ahead[0])
    head = " ".join(
        f"{x:.3f},{y:.3f}"
        for x, y in (tip, (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1]))
    )
    shape = 'fill="none" stroke-linejoin="round" stroke-linecap="round"'
    return (
        f'<g opacity=".92"><polyline points="{line}" {shape} stroke="{EDGE}" stroke-width="{0.3 * unit:.3f}"/>'
        f'<polygon points="{head}" fill="{colour}" stroke="{EDGE}" stroke-width="{0.12 * unit:.3f}" '
        f'stroke-linejoin="round" paint-order="stroke"/>'
        f'<polyline points="{line}" {shape} stroke="{colour}" stroke-width="{0.17 * unit:.3f}"/></g>'
    )
