"""A small net: inputs of which few are not 0, one layer of units, and a share for each seat.

In the kernel language (docs/kernels.md). Everything is single precision and rounded at each step, so that loops over
units run on wide registers and the interpreted source gives the same bits. Arguments, in this order:

net       the weights, one after the other: UNITS thresholds, a row of UNITS for each input, a row of UNITS for each
          output, the outputs' thresholds
shape     how many units, inputs and outputs (S_*)
which     the inputs that are not 0, `count` of them, by number; one may be named twice
amounts   how much each of them is: those of an input that is named twice add up
hidden    the sums of the units, then what is handed back to them
shares    outputs: the chances of `outputs` seats, which add up to 1
"""

from __future__ import annotations

from math import exp

from ludus.core.compiling.language import Floats, Ints
from ludus.core.compiling.singles import single

VECTORS = True  # the loops over units
S_UNITS, S_INPUTS, S_OUTPUTS, S_SIZE = range(4)


def net_size(shape: Ints) -> int:
    """How many weights a net has."""
    return shape[S_UNITS] * (1 + shape[S_INPUTS] + shape[S_OUTPUTS]) + shape[S_OUTPUTS]


def output_row(shape: Ints, output: int) -> int:
    """Where the weights of an output begin."""
    return shape[S_UNITS] * (1 + shape[S_INPUTS] + output)


def output_threshold(shape: Ints, output: int) -> int:
    """Where the threshold of an output stands."""
    return shape[S_UNITS] * (1 + shape[S_INPUTS] + shape[S_OUTPUTS]) + output


def add_rows(net: Floats, units: int, which: Ints, amounts: Floats, count: int, hidden: Floats) -> None:
    """The sums of all units; four inputs at a time, so that the sums are fetched seldom."""
    for unit in range(units):
        hidden[unit] = net[unit]
    number = 0
    while number + 4 <= count:
        first, second = units * (1 + which[number]), units * (1 + which[number + 1])
        third, fourth = units * (1 + which[number + 2]), units * (1 + which[number + 3])
        a, b, c, d = amounts[number], amounts[number + 1], amounts[number + 2], amounts[number + 3]
        for unit in range(units):
            left = single(single(a * net[first + unit]) + single(b * net[second + unit]))
            right = single(single(c * net[third + unit]) + single(d * net[fourth + unit]))
            hidden[unit] = hidden[unit] + single(left + right)
        number += 4
    while number < count:
        row, amount = units * (1 + which[number]), amounts[number]
        for unit in range(units):
            hidden[unit] = hidden[unit] + single(amount * net[row + unit])
        number += 1


def sum_up(net: Floats, units: int, row: int, hidden: Floats) -> float:
    """What reaches an output; eight sums side by side, because sums are never reordered."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for unit in range(0, units, 4):
        a = single(a + single(hidden[unit] * net[row + unit]))
        b = single(b + single(hidden[unit + 1] * net[row + unit + 1]))
        c = single(c + single(hidden[unit + 2] * net[row + unit + 2]))
        d = single(d + single(hidden[unit + 3] * net[row + unit + 3]))
    return single(single(a + b) + single(c + d))


def forward(
    net: Floats, shape: Ints, which: Ints, amounts: Floats, count: int, hidden: Floats, shares: Floats, outputs: int
) -> None:
    """The shares of the first `outputs` outputs; the units' sums stay in `hidden`, negative ones as 0."""
    units = shape[S_UNITS]
    add_rows(net, units, which, amounts, count, hidden)
    for unit in range(units):
        hidden[unit] = hidden[unit] if hidden[unit] > 0.0 else 0.0
    highest = 0.0
    for output in range(outputs):
        total = sum_up(net, units, output_row(shape, output), hidden) + net[output_threshold(shape, output)]
        shares[output] = total
        highest = total if output == 0 or total > highest else highest
    whole = 0.0
    for output in range(outputs):
        shares[output] = exp(shares[output] - highest)
        whole += shares[output]
    for output in range(outputs):
        shares[output] = shares[output] / whole


def backward(
    net: Floats, shape: Ints, which: Ints, amounts: Floats, count: int,
    hidden: Floats, back: Floats, errors: Floats, outputs: int, rate: float,
) -> None:  # fmt: skip
    """A step of `rate` down the slope of the cross entropy, after `forward`; errors: what was wanted less the shares.

    back: UNITS numbers to work with.
    """
    units = shape[S_UNITS]
    for unit in range(units):
        back[unit] = 0.0
    for output in range(outputs):
        row, step = output_row(shape, output), single(rate * errors[output])
        for unit in range(units):
            back[unit] = back[unit] + single(step * net[row + unit])
        for unit in range(units):
            net[row + unit] = net[row + unit] + single(step * hidden[unit])
        net[output_threshold(shape, output)] += step
    for unit in range(units):
        back[unit] = back[unit] if hidden[unit] > 0.0 else 0.0
    for unit in range(units):
        net[unit] = net[unit] + back[unit]
    for number in range(count):
        row, amount = units * (1 + which[number]), amounts[number]
        for unit in range(units):
            net[row + unit] = net[row + unit] + single(amount * back[unit])
