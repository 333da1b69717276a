"""Every search over a board's graph: what can be reached, how far it is, which way leads back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ludus.games.ludo.board.topology import Topology

Graph = Mapping[int, Collection[int]]
Arrow = TypeVar("Arrow")
Node = TypeVar("Node", bound=Hashable)


def closure(ways: Graph, first: Iterable[int]) -> set[int]:
    """Everything that can be reached from some nodes, those themselves included."""
    return set(distances(lambda node: ways.get(node, ()), first))


def distances(ahead: Callable[[Node], Iterable[Node]], first: Iterable[Node]) -> dict[Node, int]:
    """Per node that can be reached from some nodes: the fewest steps that it takes."""
    found = dict.fromkeys(first, 0)
    frontier, steps = list(found), 0
    while frontier:
        steps += 1
        new = dict.fromkeys(there for here in frontier for there in ahead(here) if there not in found)
        found |= dict.fromkeys(new, steps)
        frontier = list(new)
    return found


def turned_round(ways: Graph) -> dict[int, set[int]]:
    """The same graph with every arrow turned round."""
    back: dict[int, set[int]] = {}
    for node, ends in ways.items():
        for end in ends:
            back.setdefault(end, set()).add(node)
    return back


def predecessors(ahead: Callable[[int], Iterable[int]], first: Iterable[int], before: int) -> dict[int, int]:
    """Per node that can be reached: the one before it on a shortest way; `before` for the first ones."""
    found = dict.fromkeys(first, before)
    frontier = list(found)
    while frontier:
        new = []
        for here in frontier:
            for there in ahead(here):
                if there not in found:
                    found[there] = here
                    new.append(there)
        frontier = new
    return found


def has_circle(ways: Graph) -> bool:
    """Whether some way leads back to where it began: take away what leads nowhere until nothing is left."""
    back = turned_round(ways)
    left = {node: len(set(ends)) for node, ends in ways.items()}
    done = [node for node, count in left.items() if count == 0]
    for node in done:
        for before in back.get(node, ()):
            left[before] -= 1
            if left[before] == 0:
                done.append(before)
    return len(done) < len(ways)


def longest_circle(near: Sequence[Sequence[int]]) -> list[int]:
    """The longest of the circles that a depth-first walk from node 0 closes; all nodes in order where it closes none.

    near: per node its neighbours, in order.
    """
    depth, trail, best = {0: 0}, [0], [] if len(near) > 1 else [0]
    at = [0] * len(near)
    while trail:
        here = trail[-1]
        if at[here] == len(near[here]):
            trail.pop()
            continue
        there = near[here][at[here]]
        at[here] += 1
        if there not in depth:
            depth[there] = len(trail)
            trail.append(there)
        elif there in trail and len(trail) - trail.index(there) > max(len(best), 2):
            best = trail[trail.index(there) :]
    return best or list(range(len(near)))


def closure_of_bits(first: Iterable[int], ends: Sequence[Sequence[int]]) -> set[int]:
    """`closure` where arrows are bit sets, for large graphs: ends[i][node] has the nodes that kind i leads to."""
    found = waiting = sum(1 << node for node in set(first))
    while waiting:
        ahead = 0
        for node in bits_of(waiting):
            for kind in ends:
                ahead |= kind[node] if node < len(kind) else 0
        waiting = ahead & ~found
        found |= waiting
    return set(bits_of(found))


def bits_of(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def discover(
    first: Node, arrows: Callable[[Node], Iterable[Arrow]], end: Callable[[Arrow], Node], most: int, deep: bool
) -> Iterator[Arrow]:
    """An arrow to each place that can be reached, up to `most` places: near ones first, or straight on (`deep`)."""
    found, waiting = {first}, deque([first])
    while waiting and len(found) < most:
        for arrow in arrows(waiting.pop() if deep else waiting.popleft()):
            if end(arrow) not in found:
                found.add(end(arrow))
                waiting.append(end(arrow))
                yield arrow


def steps_to_go(topology: Topology, arm: int) -> dict[int, int]:
    """Per node from which a colour can come home: the fewest steps that it takes."""
    back = turned_round({node: set(ways) for node, ways in enumerate(topology.successors(arm))})
    home = topology.finish - (topology.rules.finish.places == "end_path")
    return distances(lambda node: back.get(node, ()), [home])


def most_steps(topology: Topology, arm: int) -> int | None:
    """How many steps the longest way of a colour has, from where it comes out; None where ways lead in a circle."""
    ahead = topology.successors(arm)
    reached = closure(dict(enumerate(ahead)), topology.entries(arm))
    ways = {node: [there for there in ahead[node] if there in reached] for node in reached}
    if has_circle(ways):
        return None
    frontier, steps = set(topology.entries(arm)), 0
    while frontier - {topology.finish}:
        frontier = {there for node in frontier for there in ways[node]}
        steps += 1
    return steps


def dead_ends(topology: Topology, arm: int) -> list[int]:
    """The tiles that a colour can come to and from which nothing leads on."""
    reached = topology.reachable(arm) | set(topology.entries(arm))
    return sorted(node for node in reached if node < topology.finish and not topology.further(arm, node))


def onward(topology: Topology, arm: int, nodes: set[int]) -> set[int]:
    """The nodes that a colour can come to from some nodes, jumps included, and those themselves."""
    return set(distances(lambda node: topology.further(arm, node), nodes))
