"""Every search over a board's graph: what can be reached, how far it is, which way leads back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludus.games.ludo.board.topology import Topology

Graph = dict[int, set[int]]


def closure(ways: Graph, first: Iterable[int]) -> set[int]:
    """Everything that can be reached from some nodes, those themselves included."""
    return set(distances(lambda node: ways.get(node, ()), first))


def distances(ahead: Callable[[int], Iterable[int]], first: Iterable[int]) -> dict[int, int]:
    """Per node that can be reached from some nodes: the fewest steps that it takes."""
    found = dict.fromkeys(first, 0)
    frontier, steps = list(found), 0
    while frontier:
        steps += 1
        new = dict.fromkeys(there for here in frontier for there in ahead(here) if there not in found)
        found |= dict.fromkeys(new, steps)
        frontier = list(new)
    return found


def turned_round(ways: Graph) -> Graph:
    """The same graph with every arrow turned round."""
    back: Graph = {}
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


def steps_to_go(topology: Topology, arm: int) -> dict[int, int]:
    """Per node from which a colour can come home: the fewest steps that it takes."""
    back = turned_round({node: set(ways) for node, ways in enumerate(topology.successors(arm))})
    home = topology.finish - (topology.rules.finish.places == "end_path")
    return distances(lambda node: back.get(node, ()), [home])


def onward(topology: Topology, arm: int, nodes: set[int]) -> set[int]:
    """The nodes that a colour can come to from some nodes, jumps included, and those themselves."""
    return set(distances(lambda node: topology.further(arm, node), nodes))
