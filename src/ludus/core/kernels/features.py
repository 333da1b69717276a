"""Features: what a position shows to somebody who learns to value it, computed from the rules' own tables.

A family describes its positions by a fixed list of numbers (`list_features`, promises.py), of which most are 0. Nets
read that list as it is; `features` spreads it out.
"""

from __future__ import annotations

from ludus.core.compiling.language import Float32s, Floats, Int16s, Int32s, Ints
from ludus.core.kernels.calls import survey_row
from ludus.core.kernels.promises import feature_count, list_features, row_size, seat_in_order

LONG = ("features_api",)  # other threads run meanwhile

FEATURE_LIST = 1536  # the most features that can be listed
FEATURE_ROOM = 2048  # elements of the arrays that a list is made in


def features(
    row: Ints, tables: Ints, scratch: Ints, seat: int, which: Ints, amounts: Floats, out: Floats, at: int
) -> int:
    """Write all features of a position, as a seat sees it, at out[at…]; returns how many there are."""
    size = feature_count(tables)
    for index in range(at, at + size):
        out[index] = 0.0
    for number in range(list_features(row, tables, scratch, seat, which, amounts)):
        out[at + which[number]] += amounts[number]
    return size


def feature_count_api(tables: Ints) -> int:
    """How many features there are."""
    return feature_count(tables)


def features_api(
    rows: Int16s, tables: Ints, scratch: Ints, seats: Ints, which: Int32s, amounts: Float32s, out: Float32s
) -> None:
    """The features of rows, one after the other, each as its seat sees it."""
    size, stride = feature_count(tables), row_size(tables)
    for number in range(len(seats)):
        row = rows[number * stride : (number + 1) * stride]
        survey_row(row, tables, scratch)
        features(row, tables, scratch, seats[number], which, amounts, out, number * size)


def order_api(row: Int16s, tables: Ints, seat: int, out: Ints) -> None:
    """The seats in order of play, from one on."""
    for steps in range(len(out)):
        out[steps] = seat_in_order(row, tables, seat, steps)
