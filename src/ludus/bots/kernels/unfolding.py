"""Tree search without chance's noise: simulations unfold every roll until their player's next decision.

Where a game has a good evaluation, the luck of a playout's dice is larger than what tells two moves apart. Here a new
leaf of the tree is unfolded instead of played out: every roll of the others, the reply that the heuristic finds best,
every roll of the own, and there the best next position by the evaluation. Values are backed up exactly: over chance
by its weights, over decisions as the best for who decides, among what has been unfolded (max^n). More simulations
look at other moves and replies, and deeper. In the kernel language, as search.py; besides the
edges' reals there is a share for each seat at every node (`value_at`), and rows under way stand after the path.
"""

from __future__ import annotations

from math import sqrt

from ludus.bots.kernels.policies import N_SCORES
from ludus.bots.kernels.tree import (
    E_ACTION,
    E_CHILD,
    E_VISITS,
    EDGE_SIZE,
    MOST_DEEP,
    N_COUNT,
    N_FIRST,
    N_STAGE,
    N_TURN,
    NODE_SIZE,
    P_DONE,
    P_DRAW,
    P_MOST_EDGES,
    P_MOST_NODES,
    P_NODES,
    P_OWN,
    P_PLIES,
    P_WIDEST,
    add_node,
    order_moves,
    set_root,
    shares,
    sort_moves,
)
from ludus.core.compiling.language import Floats, Ints
from ludus.core.kernels.calls import list_moves, make_move, set_chance, survey_row
from ludus.core.kernels.codes import CHANCE, DECISION, OVER, STAGE, TURN
from ludus.core.kernels.promises import moves_at, outcome_count, player_count, prize, row_size

LEVELS = 5  # a roll, a reply, a roll, a decision; and an event between them
NARROW = 8  # moves that are kept of a decision below the root
SCALE = 1_000_000


def value_at(tables: Ints, plan: Ints, node: int) -> int:
    """Where in the reals a node's shares stand; node -1: a place to work on."""
    return 2 * plan[P_MOST_EDGES] + player_count(tables) * (1 + node)


def path_at(plan: Ints) -> int:
    """Where in the integers the path of a simulation stands: a node and an edge for each ply."""
    return plan[P_MOST_NODES] * NODE_SIZE + plan[P_MOST_EDGES] * EDGE_SIZE


def level_at(tables: Ints, plan: Ints, level: int) -> int:
    """Where a level of the unfolding stands: its node, the edge that is next, its row."""
    return path_at(plan) + 2 * MOST_DEEP + 2 + level * (row_size(tables) + 2)


def appraise(row: Ints, tables: Ints, scratch: Ints, notes: Ints, plan: Ints, reals: Floats, at: int) -> None:
    """Each seat's share at reals[at…]; a draw is worth to the player of the search what the plan says."""
    shares(row, tables, scratch, notes, reals, at)
    plan[P_PLIES] += 1
    if row[STAGE] != OVER:
        return
    players = player_count(tables)
    for seat in range(1, players):
        if prize(row, tables, scratch, seat) != prize(row, tables, scratch, 0):
            return
    own = plan[P_OWN] - 1
    for seat in range(players):
        share = plan[P_DRAW] / 1000.0
        reals[at + seat] = share if seat == own else (1.0 - share) / (players - 1)


def order_by_value(
    row: Ints,
    tables: Ints,
    scratch: Ints,
    trial: Ints,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    reals: Floats,
    count: int,
    most: int,
) -> int:
    """Put the listed moves in the order of the positions after them; the best one's shares are for the next node."""
    first = moves_at(tables)
    players = player_count(tables)
    here, best = value_at(tables, plan, -1), value_at(tables, plan, plan[P_NODES])
    mover = int(row[TURN])
    for number in range(count):
        for at in range(row_size(tables)):
            trial[at] = row[at]
        survey_row(trial, tables, spare)
        make_move(trial, tables, spare, scratch[first + number])
        appraise(trial, tables, spare, notes, plan, reals, here)
        notes[N_SCORES + number] = int(SCALE * reals[here + mover])
        if number == 0 or reals[here + mover] > reals[best + mover]:
            for seat in range(players):
                reals[best + seat] = reals[here + seat]
    return sort_moves(tables, scratch, notes, count, most)


def find(
    row: Ints,
    tables: Ints,
    scratch: Ints,
    trial: Ints,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    ints: Ints,
    reals: Floats,
    widest: int,
) -> int:
    """A new node with its first value: the best next position of the own decisions, else the evaluation; -1 if full."""
    if plan[P_NODES] >= plan[P_MOST_NODES]:
        return -1
    plan[P_DONE] += row[STAGE] == OVER or (row[STAGE] == DECISION and row[TURN] == plan[P_OWN] - 1)
    count = 0
    if row[STAGE] == DECISION:
        count = list_moves(row, tables, scratch)
    if row[STAGE] == DECISION and row[TURN] == plan[P_OWN] - 1:
        count = order_by_value(row, tables, scratch, trial, spare, notes, plan, reals, count, widest)
    else:
        appraise(row, tables, scratch, notes, plan, reals, value_at(tables, plan, plan[P_NODES]))
        if row[STAGE] == DECISION:
            count = list_moves(row, tables, scratch)
            count = order_moves(row, tables, scratch, trial, spare, notes, count, widest)
        elif row[STAGE] == CHANCE:
            count = outcome_count(row, tables, scratch)
    return add_node(row, tables, scratch, plan, ints, reals, count)


def branches(plan: Ints, ints: Ints, node: int, level: int) -> int:
    """How many edges of a new node are unfolded: every outcome, one reply, nothing of the own decisions."""
    at = node * NODE_SIZE
    if level >= LEVELS - 1 or ints[at + N_STAGE] == CHANCE:
        return ints[at + N_COUNT] if level < LEVELS - 1 else 0
    return min(1, ints[at + N_COUNT]) if ints[at + N_TURN] != plan[P_OWN] - 1 else 0


def follow(row: Ints, tables: Ints, scratch: Ints, plan: Ints, ints: Ints, node: int, edge: int) -> bool:
    """Play an edge of a node on the row; False where a roll came to nothing, and is rolled again."""
    at = node * NODE_SIZE
    action = ints[plan[P_MOST_NODES] * NODE_SIZE + edge * EDGE_SIZE + E_ACTION]
    if ints[at + N_STAGE] == CHANCE:
        set_chance(row, tables, scratch, action)
        return row[STAGE] != CHANCE or row[TURN] != ints[at + N_TURN]
    make_move(row, tables, scratch, action)
    return True


def gather(tables: Ints, plan: Ints, ints: Ints, reals: Floats, node: int) -> None:
    """A node's value from those below it: over chance by weight, at a decision the best for who decides."""
    players = player_count(tables)
    at, here = node * NODE_SIZE, value_at(tables, plan, node)
    edges = plan[P_MOST_NODES] * NODE_SIZE
    first, mover = ints[at + N_FIRST], ints[at + N_TURN]
    whole = 0.0
    for edge in range(first, first + ints[at + N_COUNT]):
        child = ints[edges + edge * EDGE_SIZE + E_CHILD]
        if child < 0 or reals[2 * edge] <= 0.0:  # not looked at, or it never comes
            continue
        below = value_at(tables, plan, child)
        if ints[at + N_STAGE] == CHANCE:
            share = reals[2 * edge] / (whole + reals[2 * edge])
            whole += reals[2 * edge]
            for seat in range(players):
                reals[here + seat] += share * (reals[below + seat] - reals[here + seat])
        elif whole == 0.0 or reals[below + mover] > reals[here + mover]:
            whole = 1.0
            for seat in range(players):
                reals[here + seat] = reals[below + seat]


def keep_row(row: Ints, tables: Ints, plan: Ints, ints: Ints, level: int) -> None:
    """Note the row of a level."""
    start = level_at(tables, plan, level) + 2
    for at in range(row_size(tables)):
        ints[start + at] = row[at]


def take_row(row: Ints, tables: Ints, scratch: Ints, plan: Ints, ints: Ints, level: int) -> None:
    """Go on from the row of a level."""
    start = level_at(tables, plan, level) + 2
    for at in range(row_size(tables)):
        row[at] = ints[start + at]
    survey_row(row, tables, scratch)


def unfold(
    row: Ints,
    tables: Ints,
    scratch: Ints,
    trial: Ints,
    spare: Ints,
    notes: Ints,
    plan: Ints,
    ints: Ints,
    reals: Floats,
) -> int:
    """A new node for the row, with all below it until the next own decisions; -1 where it does not fit."""
    edges = plan[P_MOST_NODES] * NODE_SIZE
    widest = min(plan[P_WIDEST], NARROW)
    top = find(row, tables, scratch, trial, spare, notes, plan, ints, reals, widest)
    level = 0 if top >= 0 else -1
    ints[level_at(tables, plan, 0)] = top
    ints[level_at(tables, plan, 0) + 1] = 0
    keep_row(row, tables, plan, ints, 0)
    while level >= 0:
        here = level_at(tables, plan, level)
        node, number = ints[here], ints[here + 1]
        if number >= branches(plan, ints, node, level):
            if number:
                gather(tables, plan, ints, reals, node)
            level -= 1
            continue
        ints[here + 1] = number + 1
        take_row(row, tables, scratch, plan, ints, level)
        edge = ints[node * NODE_SIZE + N_FIRST] + number
        if not follow(row, tables, scratch, plan, ints, node, edge):
            continue
        child = find(row, tables, scratch, trial, spare, notes, plan, ints, reals, widest)
        ints[edges + edge * EDGE_SIZE + E_CHILD] = child
        if child >= 0:
            level += 1
            ints[level_at(tables, plan, level)] = child
            ints[level_at(tables, plan, level) + 1] = 0
            keep_row(row, tables, plan, ints, level)
    return top


def next_child(plan: Ints, ints: Ints, reals: Floats, node: int) -> int:
    """The edge of the outcome that has been gone into least for its weight; -1 where none has been unfolded."""
    first, count = ints[node * NODE_SIZE + N_FIRST], ints[node * NODE_SIZE + N_COUNT]
    edges = plan[P_MOST_NODES] * NODE_SIZE
    best = -1
    least = 0.0
    for number in range(count):
        edge = first + (number + node) % count
        at = edges + edge * EDGE_SIZE
        if ints[at + E_CHILD] < 0 or reals[2 * edge] <= 0.0:
            continue
        share = (ints[at + E_VISITS] + 0.5) / reals[2 * edge]
        if best < 0 or share < least:
            least = share
            best = edge
    return best


def best_edge(tables: Ints, plan: Ints, ints: Ints, reals: Floats, node: int, exploration: float) -> int:
    """The edge of a decision that promises most to who decides; at the root every candidate comes once at first."""
    at = node * NODE_SIZE
    edges = plan[P_MOST_NODES] * NODE_SIZE
    first, count, mover = ints[at + N_FIRST], min(ints[at + N_COUNT], plan[P_WIDEST]), ints[at + N_TURN]
    visits = 0
    for edge in range(first, first + count):
        visits += ints[edges + edge * EDGE_SIZE + E_VISITS]
    best = first
    highest = -1.0
    for edge in range(first, first + count):
        child = ints[edges + edge * EDGE_SIZE + E_CHILD]
        tried = ints[edges + edge * EDGE_SIZE + E_VISITS]
        value = reals[value_at(tables, plan, child if child >= 0 else node) + mover]
        if node == 0 and tried == 0:
            value = 2.0
        value += exploration * reals[2 * edge] * sqrt(visits + 1.0) / (1 + tried)
        if value > highest:
            highest = value
            best = edge
    return best


def simulate_exactly(
    root: Ints, row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints, plan: Ints, ints: Ints,
    reals: Floats, exploration: float,
) -> None:  # fmt: skip
    """Simulations that begin alike: down the tree, what is new there unfolded, and the values of all nodes on the way.

    Each line of rolls to an own decision counts as one.
    """
    before = plan[P_DONE]
    set_root(root, row, tables, scratch)
    edges, path = plan[P_MOST_NODES] * NODE_SIZE, path_at(plan)
    node = 0
    ply = 0
    while node >= 0 and ints[node * NODE_SIZE + N_COUNT] > 0 and ply < MOST_DEEP:
        if ints[node * NODE_SIZE + N_STAGE] == CHANCE:
            edge = next_child(plan, ints, reals, node)
        else:
            edge = best_edge(tables, plan, ints, reals, node, exploration)
        if edge < 0:
            break
        follow(row, tables, scratch, plan, ints, node, edge)
        ints[path + 2 * ply] = node
        ints[path + 2 * ply + 1] = edge
        ply += 1
        node = ints[edges + edge * EDGE_SIZE + E_CHILD]
        if node < 0:
            ints[edges + edge * EDGE_SIZE + E_CHILD] = unfold(
                row, tables, scratch, trial, spare, notes, plan, ints, reals
            )
    for at in range(path + 2 * ply - 2, path - 1, -2):
        node, edge = ints[at], ints[at + 1]
        ints[edges + edge * EDGE_SIZE + E_VISITS] += 1
        gather(tables, plan, ints, reals, node)
        child = ints[edges + edge * EDGE_SIZE + E_CHILD]
        if child >= 0:
            worth = reals[value_at(tables, plan, child) + ints[node * NODE_SIZE + N_TURN]]
            reals[2 * edge + 1] = ints[edges + edge * EDGE_SIZE + E_VISITS] * worth
    plan[P_DONE] = max(plan[P_DONE], before + 1)
