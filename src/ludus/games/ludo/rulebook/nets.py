"""A board that is a graph, described in sentences: its chains are for documents, not for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ludus.games.ludo.board.graphs import most_steps, steps_to_go
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import COLOURS, RuleSet
from ludus.games.ludo.moves import say as word
from ludus.games.ludo.rulebook.findings import say
from ludus.games.ludo.rulebook.listing import listed


def ways_told(rules: RuleSet, lang: str) -> list[str]:
    """A graph described: where pieces come out, how far it is, where ways part, whose tiles are whose."""
    board, colours = Topology(rules), COLOURS[: rules.board.seats]
    entries = {colour: board.entries(arm) for arm, colour in enumerate(colours)}
    told = [say("say", "graph.entries", lang, list=by_colour(board, entries, lang))]
    if len({tuple(nodes) for nodes in entries.values()}) == 1:
        told = [say("say", "graph.entry", lang, list=names_of(board, entries[colours[0]], lang))]
    told.append(length_told(board, len(colours), lang))
    parts = {node for arm in range(len(colours)) for node, ways in enumerate(board.successors(arm)) if len(ways) > 1}
    told += [say("say", "graph.parts", lang, list=names_of(board, sorted(parts), lang))] if parts else []
    reached = [board.reachable(arm) for arm in range(len(colours))]
    own = {
        colour: [n for n in range(board.tiles) if n in reached[arm] and sum(n in there for there in reached) == 1]
        for arm, colour in enumerate(colours)
    }
    has_own = len(colours) > 1 and any(own.values())
    return told + ([say("say", "graph.own", lang, list=by_colour(board, own, lang))] if has_own else [])


def names_of(board: Topology, nodes: Iterable[int], lang: str) -> str:
    """Tiles by name."""
    return listed([board.name(node) for node in nodes], lang)


def by_colour(board: Topology, nodes: Mapping[str, Iterable[int]], lang: str) -> str:
    """'green 1, yellow 9': the tiles of each colour that has some."""
    named = {colour: names_of(board, there, lang) for colour, there in nodes.items()}
    return "; ".join(f"{word(colour, lang, 'colour')} {there}" for colour, there in named.items() if there)


def length_told(board: Topology, seats: int, lang: str) -> str:
    """How far it is from where pieces come out to the finish, by the shortest and by the longest way."""
    least = {min(steps_to_go(board, arm).get(entry, 0) for entry in board.entries(arm)) for arm in range(seats)}
    most = {most_steps(board, arm) for arm in range(seats)}
    if None in most:
        return say("say", "graph.circle", lang, least=min(least))
    longest = max(steps for steps in most if steps is not None)
    return say(
        "say", "graph.length" if longest == min(least) else "graph.lengths", lang, least=min(least), most=longest
    )
