"""What the searches share: the plan, the tree's layout, values of positions, and moves in order.

In the kernel language, as search.py.
"""

from __future__ import annotations

from ludus.bots.kernels.knowledge import evaluate, prepare, score
from ludus.bots.kernels.policies import N_SCORES
from ludus.core.compiling.language import Floats, Ints
from ludus.core.kernels.calls import survey_row
from ludus.core.kernels.codes import CHANCE, DECISION, HEURISTIC, OVER, STAGE, TURN
from ludus.core.kernels.ends import final_shares
from ludus.core.kernels.promises import moves_at, outcome_weight, row_size

# --- the plan: what to do, then what was done ---
(
    P_SEED, P_SIMULATIONS, P_POLICY, P_HORIZON, P_WIDEST, P_DEPTH, P_SLOTS,
    P_NODES, P_EDGES, P_MOST_NODES, P_MOST_EDGES, P_DONE, P_PLIES, P_LOOKED, P_OWN, P_DRAW, P_SIZE,
) = range(17)  # fmt: skip

# --- a node and an edge of the tree, in integers; an edge has two reals: its prior or weight, what came back ---
(N_STAGE, N_TURN, N_VISITS, N_FIRST, N_COUNT, NODE_SIZE) = range(6)
(E_ACTION, E_CHILD, E_VISITS, EDGE_SIZE) = range(4)
MOST_DEEP = 400


def set_root(root: Ints, row: Ints, tables: Ints, scratch: Ints) -> None:
    """Begin at the position that is searched."""
    for at in range(row_size(tables)):
        row[at] = root[at]
    survey_row(row, tables, scratch)


def shares(row: Ints, tables: Ints, scratch: Ints, notes: Ints, values: Floats, at: int) -> None:
    """Each seat's share of a game that is over, or of the hopes in one that goes on."""
    if row[STAGE] != OVER:
        evaluate(row, tables, scratch, notes, values, at)
        return
    final_shares(row, tables, scratch, values, at)


def order_moves(
    row: Ints, tables: Ints, scratch: Ints, trial: Ints, spare: Ints, notes: Ints, count: int, most: int
) -> int:
    """Put the listed moves in the heuristic's order, the best first; keep `most` of them."""
    first = moves_at(tables)
    if count == 1:
        return 1
    prepare(HEURISTIC, row, tables, scratch, notes)
    for number in range(count):
        action = scratch[first + number]
        notes[N_SCORES + number] = score(HEURISTIC, 0, row, tables, scratch, trial, spare, notes, action)
    return sort_moves(tables, scratch, notes, count, most)


def sort_moves(tables: Ints, scratch: Ints, notes: Ints, count: int, most: int) -> int:
    """Put the listed moves in the order of their scores at notes[N_SCORES…], the best first; keep `most` of them."""
    first = moves_at(tables)
    kept = min(count, most)
    for place in range(kept):
        best = place
        for number in range(place + 1, count):
            if notes[N_SCORES + number] > notes[N_SCORES + best]:
                best = number
        action, worth = scratch[first + best], notes[N_SCORES + best]
        for number in range(best, place, -1):  # the others keep their order
            scratch[first + number] = scratch[first + number - 1]
            notes[N_SCORES + number] = notes[N_SCORES + number - 1]
        scratch[first + place] = action
        notes[N_SCORES + place] = worth
    return kept


def add_node(row: Ints, tables: Ints, scratch: Ints, plan: Ints, ints: Ints, reals: Floats, count: int) -> int:
    """A new node for the row with `count` edges, for the moves that stand first in the list or for outcomes; -1 where
    it does not fit.
    """
    node = plan[P_NODES]
    edge = plan[P_EDGES]
    if node >= plan[P_MOST_NODES] or edge + count > plan[P_MOST_EDGES]:
        return -1
    at = node * NODE_SIZE
    ints[at + N_STAGE] = row[STAGE]
    ints[at + N_TURN] = row[TURN]
    ints[at + N_VISITS] = 0
    ints[at + N_FIRST] = edge
    ints[at + N_COUNT] = count
    edges = plan[P_MOST_NODES] * NODE_SIZE
    total = 0.0
    for number in range(count):
        total += 1.0 / (number + 1)
    for number in range(count):
        at = edges + (edge + number) * EDGE_SIZE
        ints[at + E_ACTION] = scratch[moves_at(tables) + number] if row[STAGE] == DECISION else number
        ints[at + E_CHILD] = -1
        ints[at + E_VISITS] = 0
        reals[2 * (edge + number)] = 1.0 / (number + 1) / total
        if row[STAGE] == CHANCE:
            reals[2 * (edge + number)] = outcome_weight(row, tables, scratch, number)
        reals[2 * (edge + number) + 1] = 0.0
    plan[P_NODES] = node + 1
    plan[P_EDGES] = edge + count
    return node
