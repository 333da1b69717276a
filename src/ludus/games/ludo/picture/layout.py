"""Where the tiles of a board without a shape of its own lie: any graph gets a picture, always the same one.

The tiles of a long way round are laid on a circle and the others between them; stress majorisation then brings
every two tiles as far apart as there are steps between them; at last tiles are pushed off each other and off the
lines between others. Of several beginnings the one with the fewest crossings wins. Distances are in tile sides.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from math import cos, pi, sin, tau
from typing import Any

from ludus.games.ludo.board.graphs import distances, longest_circle

np: Any
try:
    import numpy as np
except ImportError:  # in a page: boards without a map are then laid on a plain circle
    np = None

Edge = tuple[int, int]

STEP = 1.45  # between the middles of two neighbours
APART = 1.3  # between the middles of any two tiles, at least
CLEAR = 0.85  # from the middle of a tile to a line that does not touch it
ROUNDS = 80  # of stress majorisation
MOST_WORK = 4_000_000  # pairs looked at while pushing


Points = tuple[tuple[float, float], ...]
Asked = tuple[int, frozenset[Edge], tuple[tuple[int, ...], ...], tuple[float, ...]]

MOST_KNOWN = 256
_known: OrderedDict[Asked, Points] = OrderedDict()  # laid out here, or learnt from whoever laid it out elsewhere


def layout(
    count: int, edges: frozenset[Edge], ways: tuple[tuple[int, ...], ...] = (), wider: tuple[float, ...] = ()
) -> Points:
    """Middles of `count` tiles, worked out once."""
    asked = (count, edges, ways, wider)
    if asked not in _known:
        _know(asked, laid_out(*asked))
    _known.move_to_end(asked)
    return _known[asked]


def forget() -> None:
    """Know no layout any more."""
    _known.clear()


def _know(asked: Asked, points: Points) -> None:
    _known[asked] = points
    if len(_known) > MOST_KNOWN:
        _known.popitem(last=False)


def asked_last() -> list[Any]:
    """The layout that was asked for last, as plain data for another process; [] where none was."""
    return [
        [count, sorted(edges), ways, wider, points] for (count, edges, ways, wider), points in list(_known.items())[-1:]
    ]


def learn(layouts: Iterable[Sequence[Any]]) -> None:
    """Know layouts that were worked out elsewhere."""
    for count, edges, ways, wider, points in layouts:
        asked = (count, frozenset(map(tuple, edges)), tuple(map(tuple, ways)), tuple(wider))
        _know(asked, tuple((float(x), float(y)) for x, y in points))


def laid_out(count: int, edges: frozenset[Edge], ways: tuple[tuple[int, ...], ...], wider: tuple[float, ...]) -> Points:
    """Middles of `count` tiles.

    `ways`: rows of tiles that should run round the board, the best one first; `wider`: how much each tile is wider
    than one, to all sides.
    """
    if np is None:
        return on_a_circle(count, ways)
    radii = np.array(list(wider) or [0.0] * count)
    links = sorted({(min(a, b), max(a, b)) for a, b in edges if a != b})
    steps = np.array(steps_between(count, links))
    rounds = [list(dict.fromkeys(way)) for way in ways] + [longest_circle(neighbours(count, links))]
    best: Any = None
    for way in [way for way in rounds if len(way) >= min(3, count)] or [list(range(count))]:
        points = pushed_apart(settled(begin(count, links, way), steps), links, radii)
        faults = (crossings(points, links) + touching(points, links), round(stress(points, steps), 3))
        if best is None or faults < best[0]:
            best = (faults, points)
    points = upright(best[1], links)
    return tuple((float(x), float(y)) for x, y in np.round(points, 3) + 0.0)


def on_a_circle(count: int, ways: tuple[tuple[int, ...], ...]) -> tuple[tuple[float, float], ...]:
    """The tiles of the first way on a circle, clockwise from the left, the others on a second one inside it."""
    way = list(dict.fromkeys(ways[0] if ways else range(count)))
    points = [(0.0, 0.0)] * count
    radius = STEP * max(len(way), 3) / tau
    for ring in (way, [tile for tile in range(count) if tile not in set(way)]):
        for number, tile in enumerate(ring):
            angle = pi + tau * number / len(ring)
            points[tile] = (round(radius * cos(angle), 3), round(radius * sin(angle), 3))
        radius = min(radius - 2 * APART, APART * max(count - len(way), 2) / tau + APART)
    return tuple(points)


def neighbours(count: int, links: list[Edge]) -> list[list[int]]:
    """Per tile its neighbours, in order."""
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in links:
        near[a].append(b)
        near[b].append(a)
    return near


def steps_between(count: int, links: list[Edge]) -> list[list[float]]:
    """The fewest steps between any two tiles; parts without a way lie apart."""
    near = neighbours(count, links)
    found = [distances(near.__getitem__, [source]) for source in range(count)]
    apart = max((max(steps.values()) for steps in found), default=0) / 2 + 2
    return [[float(steps.get(tile, apart)) for tile in range(count)] for steps in found]


def begin(count: int, links: list[Edge], way: list[int]) -> Any:
    """The tiles of a way on a circle, the first one left, clockwise; each other in the middle of its neighbours."""
    points = np.zeros((count, 2))
    angles = np.pi + 2 * np.pi * np.arange(len(way)) / len(way)
    radius = STEP * max(len(way), 3) / (2 * np.pi)
    points[way] = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    free = [tile for tile in range(count) if tile not in set(way)]
    if not free:
        return points
    # a tiny pull towards a spiral keeps tiles apart that would share a middle, and parts that hang on nothing
    pull = 0.001 + 0.0 * np.arange(len(free))
    spiral = np.column_stack([np.cos(2.4 * np.arange(len(free))), np.sin(2.4 * np.arange(len(free)))]) * radius * 0.5
    row = {tile: number for number, tile in enumerate(free)}
    matrix, target = np.diag(pull), spiral * pull[:, None]
    for a, b in links:
        for here, there in ((a, b), (b, a)):
            if here in row:
                matrix[row[here], row[here]] += 1
                if there in row:
                    matrix[row[here], row[there]] -= 1
                else:
                    target[row[here]] += points[there]
    points[free] = np.linalg.solve(matrix, target)
    return points


def settled(points: Any, steps: Any) -> Any:
    """Stress majorisation: points as far from each other as there are steps between them."""
    count = len(points)
    if count < 2:
        return points
    wanted = steps * STEP
    weights = np.zeros_like(steps)
    far = steps > 0
    weights[far] = wanted[far] ** -2.0
    laplace = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.inv(laplace + 1.0 / count) - 1.0 / count
    for _ in range(ROUNDS):
        apart = np.sqrt(((points[:, None] - points[None, :]) ** 2).sum(axis=2))
        ratio = np.where(apart > 1e-9, weights * wanted / np.maximum(apart, 1e-9), 0.0)
        points = inverse @ ((np.diag(ratio.sum(axis=1)) - ratio) @ points)
    return points


def stress(points: Any, steps: Any) -> float:
    """How far the distances are from those wanted."""
    far = steps > 0
    apart = np.sqrt(((points[:, None] - points[None, :]) ** 2).sum(axis=2))
    return float((((apart[far] / STEP - steps[far]) / steps[far]) ** 2).sum())


def pushed_apart(points: Any, links: list[Edge], radii: Any) -> Any:
    """Tiles pushed off each other and off foreign lines, while neighbours hold together; in the end none overlap."""
    count = len(points)
    least = APART + radii[:, None] + radii[None, :]
    rounds = int(min(400, MOST_WORK / max(count * (count + len(links)), 1)))
    for _ in range(rounds):
        push = off_tiles(points, least) + off_lines(points, links) + towards_neighbours(points, links)
        points = points + np.clip(push, -0.4, 0.4)
        if np.abs(push).max(initial=0.0) < 1e-4:
            break
    for _ in range(400):
        push = off_tiles(points, least)
        if np.abs(push).max(initial=0.0) < 1e-6:
            break
        points = points + push * 1.05
    return grown(points, least)


def grown(points: Any, least: Any) -> Any:
    """The whole picture grown until no two tiles are too close."""
    closest = float((gaps_between(points) / least).min(initial=np.inf))
    return points * max(1.0, 1.0 / max(closest, 0.05))


def gaps_between(points: Any) -> Any:
    """Between every two points; infinite from a point to itself."""
    apart = np.sqrt(((points[:, None] - points[None, :]) ** 2).sum(axis=2))
    np.fill_diagonal(apart, np.inf)
    return apart


def off_tiles(points: Any, least: Any) -> Any:
    """A push away from every tile that is too close."""
    between = points[:, None] - points[None, :]
    apart = gaps_between(points)
    # tiles on one point part along directions of their own
    turn = 2.4 * np.arange(len(points))
    same = apart < 1e-6
    between = np.where(same[:, :, None], np.column_stack([np.cos(turn), np.sin(turn)])[:, None], between)
    apart = np.where(same, 1.0, apart)
    short = np.where(same, least, np.clip(least - apart, 0.0, None))
    return (between / apart[:, :, None] * short[:, :, None]).sum(axis=1) * 0.4


def line_gaps(points: Any, links: list[Edge]) -> tuple[Any, Any]:
    """(gap vectors, lengths): from the nearest point of each line to each tile; infinite for its own ends."""
    ends = np.array(links, dtype=int).reshape(-1, 2)
    here, there = points[ends[:, 0]], points[ends[:, 1]]
    along = there - here
    square = np.maximum((along**2).sum(axis=1), 1e-9)
    share = np.clip(((points[None, :] - here[:, None]) * along[:, None]).sum(axis=2) / square[:, None], 0.0, 1.0)
    gaps = points[None, :] - (here[:, None] + share[:, :, None] * along[:, None])
    lengths = np.sqrt((gaps**2).sum(axis=2))
    rows = np.arange(len(ends))
    lengths[rows, ends[:, 0]] = np.inf
    lengths[rows, ends[:, 1]] = np.inf
    return gaps, lengths


def off_lines(points: Any, links: list[Edge]) -> Any:
    """A push away from every line between two other tiles that is too close."""
    if not links:
        return np.zeros_like(points)
    gaps, lengths = line_gaps(points, links)
    short = np.where(lengths < CLEAR, CLEAR - lengths, 0.0)
    # a tile right on a line leaves it sideways
    ends = np.array(links, dtype=int)
    along = points[ends[:, 1]] - points[ends[:, 0]]
    side = np.column_stack([-along[:, 1], along[:, 0]]) / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    way = np.where(lengths[:, :, None] < 1e-6, side[:, None], gaps / np.maximum(lengths, 1e-6)[:, :, None])
    return (way * short[:, :, None]).sum(axis=0) * 0.25


def towards_neighbours(points: Any, links: list[Edge]) -> Any:
    """A pull towards neighbours that are too far away."""
    pull = np.zeros_like(points)
    if links:
        ends = np.array(links, dtype=int)
        between = points[ends[:, 1]] - points[ends[:, 0]]
        length = np.maximum(np.hypot(between[:, 0], between[:, 1]), 1e-9)
        part = between / length[:, None] * (np.clip(length - STEP, 0.0, None) * 0.1)[:, None]
        np.add.at(pull, ends[:, 0], part)
        np.subtract.at(pull, ends[:, 1], part)
    return pull


def crossings(points: Any, links: list[Edge]) -> int:
    """How many pairs of lines cross."""
    ends = np.array(links, dtype=int).reshape(-1, 2)
    if len(ends) < 2:
        return 0
    here, there = points[ends[:, 0]], points[ends[:, 1]]

    def side(a: Any, b: Any, c: Any) -> Any:
        return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])

    a, b, c, d = here[:, None], there[:, None], here[None, :], there[None, :]
    cross = (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)
    share = (ends[:, None, :, None] == ends[None, :, None, :]).any(axis=(2, 3))
    return int((cross & ~share).sum()) // 2


def touching(points: Any, links: list[Edge]) -> int:
    """How many tiles lie on a line between two others."""
    return int((line_gaps(points, links)[1] < 0.55).sum()) if links else 0


def upright(points: Any, links: list[Edge]) -> Any:
    """Turned so that most lines run along or across, wider than high, with the middle at 0 0."""
    ends = np.array(links, dtype=int).reshape(-1, 2)
    along = points[ends[:, 1]] - points[ends[:, 0]]
    quarters = np.exp(4j * np.arctan2(along[:, 1], along[:, 0])).sum()
    if len(ends) and abs(quarters) > 0.12 * len(ends):
        points = turned(points, -float(np.angle(quarters)) / 4)
    width, height = np.ptp(points, axis=0)
    if height > width * 1.05:
        points = turned(points, np.pi / 2)
    return points - (points.max(axis=0) + points.min(axis=0)) / 2


def turned(points: Any, angle: float) -> Any:
    """Points turned around 0 0."""
    x, y = points[:, 0], points[:, 1]
    return np.column_stack([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)])
