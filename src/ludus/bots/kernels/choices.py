"""One policy's choice at many positions at once: for batches in which bots play some seats."""

from __future__ import annotations

from ludus.bots.kernels.knowledge import choose_by_net
from ludus.bots.kernels.policies import choose_by
from ludus.core.compiling.language import Float32s, Floats, Int16s, Int32s, Ints
from ludus.core.kernels.calls import survey_row
from ludus.core.kernels.codes import NET
from ludus.core.kernels.promises import row_size
from ludus.core.random import stream

LONG = ("choose_rows_api",)  # other threads run meanwhile


def choose_rows_api(
    rows: Int16s, tables: Ints, scratch: Ints, trial: Int16s, spare: Ints, notes: Ints,
    desk: Int16s, scratches: Ints, nets: Float32s, shapes: Ints,
    which: Int32s, amounts: Float32s, hidden: Float32s, reals: Floats,
    policy: int, option: int, seed: int, seeds: Ints, plies: Ints, actions: Ints,
) -> None:  # fmt: skip
    """What a policy plays at each row, at which somebody decides.

    Among equals it draws lots from its own `seed` and the positions' seeds and plies, as the bot outside does.
    """
    stride = row_size(tables)
    for number in range(len(actions)):
        row = rows[number * stride : (number + 1) * stride]
        survey_row(row, tables, scratch)
        if policy >= NET:
            actions[number] = choose_by_net(
                policy - NET + 1, option, row, tables, desk, scratches,
                nets, shapes, which, amounts, hidden, reals,
            )  # fmt: skip
        else:
            key = stream(seed, stream(seeds[number], 0))
            actions[number] = choose_by(policy, option, row, tables, scratch, trial, spare, notes, key, plies[number])
